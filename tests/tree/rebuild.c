// SPDX-License-Identifier: MIT
// Rebuilding parts of a worn tree, while it lives.

#include "tree/scenes.h"

#include "faulty_allocator.h"
#include "test.h"
#include "scenes/tree_measure.h"

enum { COUNT = 6000 };

// A tree worn by leaves that moved far from where they were built.
static void make_worn(rbl_tree_pool *pool, rbl_tree *tree, rbl_box *boxes, int every, uint64_t seed)
{
	rbl_tree_pool_init(pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
	*tree = rbl_tree_make(pool);
	if (rbl_tree_build(tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
	                                                  .count = COUNT,
	                                                  .boxes = boxes }) != RBL_OK)
		abort();
	rbl_random random = rbl_random_from_seed(seed);
	for (int i = 0; i < COUNT; i += every) {
		boxes[i] = scene_box(SCENE_EVEN, &random);
		rbl_tree_move(tree, (uint32_t)i, boxes[i]);
	}
	rbl_tree_update(tree, 0);
}

// The sub-tree that a random way down from the root leads to.
static uint32_t any_node(const rbl_tree *tree, int depth, rbl_random *random)
{
	uint32_t node = tree->root;
	for (int i = 0; i < depth; ++i) {
		uint32_t child = tree->pool->nodes[node].children[rbl_random_below(random, 2)];
		if (rbl_tree_is_leaf(child))
			break;
		node = child;
	}
	return node;
}

static void a_worn_tree_gets_better_part_by_part(test *t)
{
	const int limits[] = { 64, 500, COUNT, 100000 };
	for (int l = 0; l < 4; ++l) {
		rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 3);
		rbl_tree_pool pool;
		rbl_tree tree;
		make_worn(&pool, &tree, boxes, 100, 4);
		rbl_tree_rebuilder rebuilder;
		rbl_tree_rebuilder_init(&rebuilder, NULL);
		rbl_random random = rbl_random_from_seed(8);
		double worn = rbl_tree_quality(&tree);
		int work;
		for (int step = 0; step < 60; ++step) { // the lowest first, the root last
			uint32_t node = any_node(&tree, (59 - step) / 6, &random);
			CHECK(t, rbl_tree_rebuild_part(&rebuilder, &tree, node, limits[l], &work) == RBL_OK);
			const char *wrong = rbl_tree_check(&tree);
			if (wrong)
				printf("limit %d: %s\n", limits[l], wrong);
			CHECK(t, !wrong && tree.is_balanced && work <= limits[l] && work >= 2);
		}
		CHECK(t, work == (limits[l] < COUNT ? limits[l] : COUNT));
		rbl_tree_pool fresh_pool;
		rbl_tree_pool_init(&fresh_pool, NULL, 0);
		rbl_tree fresh = rbl_tree_make(&fresh_pool);
		CHECK(t, rbl_tree_build(&fresh, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
		                                                         .count = COUNT,
		                                                         .boxes = boxes }) == RBL_OK);
		double best = measure_tree(&fresh).quality, rebuilt = rbl_tree_quality(&tree);
		// A part sees its largest sub-trees alone: leaves that went far remain.
		CHECK(t, rebuilt < (limits[l] < COUNT ? worn : 1.1 * best));
		rbl_tree_pool_destroy(&fresh_pool);
		rbl_tree_rebuilder_destroy(&rebuilder);
		rbl_tree_pool_destroy(&pool);
		free(boxes);
	}
}

static void a_tree_may_change_between_the_parts(test *t)
{
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 3);
	rbl_tree_pool pool;
	rbl_tree tree;
	make_worn(&pool, &tree, boxes, 20, 5);
	rbl_tree_rebuilder rebuilder;
	rbl_tree_rebuilder_init(&rebuilder, NULL);
	rbl_random random = rbl_random_from_seed(6);
	uint32_t next = COUNT, first = 0;
	for (int step = 0; step < 300; ++step) {
		for (int i = 0; i < 10; ++i) {
			CHECK(t, rbl_tree_insert(&tree, next++, scene_box(SCENE_EVEN, &random),
			                         RBL_TREE_NONE) == RBL_OK);
			rbl_tree_remove(&tree, first++);
		}
		int work;
		uint32_t node = any_node(&tree, step % 7, &random);
		CHECK(t, rbl_tree_rebuild_part(&rebuilder, &tree, node, 200, &work) == RBL_OK);
		CHECK(t, work >= 2 && work <= 200);
		if (step % 10 == 0)
			CHECK(t, !rbl_tree_check(&tree) && tree.is_balanced && tree.leaf_count == COUNT);
	}
	rbl_tree_rebuilder_destroy(&rebuilder);
	rbl_tree_pool_destroy(&pool);
	free(boxes);
}

static void a_tree_without_balance_is_rebuilt_too(test *t)
{
	rbl_box *boxes = scene_boxes(SCENE_LINE, COUNT, 3);
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
	rbl_tree tree = rbl_tree_make(&pool);
	CHECK(t, rbl_tree_build(&tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MIDPOINT,
	                                                        .count = COUNT,
	                                                        .boxes = boxes }) == RBL_OK);
	rbl_tree_rebuilder rebuilder;
	rbl_tree_rebuilder_init(&rebuilder, NULL);
	rebuilder.builder = RBL_TREE_BUILD_SAH;
	rbl_random random = rbl_random_from_seed(7);
	for (int step = 0; step < 60; ++step) {
		int work;
		uint32_t node = any_node(&tree, step % 5, &random);
		CHECK(t, rbl_tree_rebuild_part(&rebuilder, &tree, node, 300, &work) == RBL_OK);
		CHECK(t, !rbl_tree_check(&tree) && tree.leaf_count == COUNT && work >= 2);
	}
	rbl_tree_rebuilder_destroy(&rebuilder);
	rbl_tree_pool_destroy(&pool);
	free(boxes);
}

static void a_rebuild_without_memory_changes_nothing(test *t)
{
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 3);
	for (int n = 0;; ++n) {
		rbl_tree_pool pool;
		rbl_tree tree;
		make_worn(&pool, &tree, boxes, 20, 5);
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_tree_rebuilder rebuilder;
		rbl_tree_rebuilder_init(&rebuilder, &FAULTY(&memory));
		rbl_tree_update(&tree, 0);
		uint64_t hash = scene_tree_hash(&tree);
		int work;
		rbl_result result = rbl_tree_rebuild_part(&rebuilder, &tree, tree.root, COUNT, &work);
		CHECK(t, memory.failed == (result != RBL_OK) && !rbl_tree_check(&tree));
		CHECK(t, (scene_tree_hash(&tree) == hash) == (result != RBL_OK));
		rbl_tree_rebuilder_destroy(&rebuilder);
		CHECK(t, memory.live_bytes == 0);
		rbl_tree_pool_destroy(&pool);
		if (result == RBL_OK)
			break;
	}
	free(boxes);
}

TEST_MAIN(TEST(a_worn_tree_gets_better_part_by_part), TEST(a_tree_may_change_between_the_parts),
          TEST(a_tree_without_balance_is_rebuilt_too),
          TEST(a_rebuild_without_memory_changes_nothing))
