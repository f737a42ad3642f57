// SPDX-License-Identifier: MIT
// Rebuilding a worn tree under a budget, while it lives.

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

static void a_worn_tree_gets_better_part_by_part(test *t)
{
	const int budgets[] = { 64, 500, 4096, 100000 };
	for (int b = 0; b < 4; ++b)
		for (int rule = RBL_TREE_RULE_QUALITY; rule <= RBL_TREE_RULE_COST; ++rule) {
			rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 3);
			rbl_tree_pool pool;
			rbl_tree tree;
			make_worn(&pool, &tree, boxes, 100, 4);
			rbl_tree_rebuilder rebuilder;
			rbl_tree_rebuilder_init(&rebuilder, NULL);
			rebuilder.rule = (rbl_tree_rule)rule;
			rebuilder.budget = budgets[b];
			rebuilder.limit = rule == RBL_TREE_RULE_QUALITY ? 2.3 : 1.2;
			rebuilder.base_cost = 1.0; // as if it had been better
			double worn = rbl_tree_quality(&tree);
			int steps = 0, work, most = 0;
			while (rebuilder.rebuilds == 0 && steps < 1000) {
				CHECK(t, rbl_tree_rebuild_step(&rebuilder, &tree, &work) == RBL_OK);
				const char *wrong = rbl_tree_check(&tree);
				if (wrong)
					printf("budget %d: %s\n", budgets[b], wrong);
				CHECK(t, !wrong && tree.is_balanced);
				most = work > most ? work : most;
				steps++;
			}
			double rebuilt = rbl_tree_quality(&tree);
			CHECK(t, most <= budgets[b] && rebuilder.rebuilds == 1);
			CHECK(t, (steps == 1) == (budgets[b] >= COUNT));
			rbl_tree_pool fresh_pool;
			rbl_tree_pool_init(&fresh_pool, NULL, 0);
			rbl_tree fresh = rbl_tree_make(&fresh_pool);
			CHECK(t,
			      rbl_tree_build(&fresh, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
			                                                      .count = COUNT,
			                                                      .boxes = boxes }) == RBL_OK);
			double best = measure_tree(&fresh).quality;
			// A small budget sees only a window at a time; leaves that went far take several
			// rounds.
			CHECK(t, rebuilt < (budgets[b] < 1000 ? 0.5 * worn : 1.1 * best));
			rbl_tree_pool_destroy(&fresh_pool);
			rbl_tree_rebuilder_destroy(&rebuilder);
			rbl_tree_pool_destroy(&pool);
			free(boxes);
		}
}

static void a_tree_may_change_between_the_steps(test *t)
{
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 3);
	rbl_tree_pool pool;
	rbl_tree tree;
	make_worn(&pool, &tree, boxes, 20, 5);
	rbl_tree_rebuilder rebuilder;
	rbl_tree_rebuilder_init(&rebuilder, NULL);
	rebuilder.budget = 200;
	rebuilder.limit = 1.0;
	rbl_random random = rbl_random_from_seed(6);
	uint32_t next = COUNT, first = 0;
	for (int step = 0; step < 300; ++step) {
		for (int i = 0; i < 10; ++i) {
			CHECK(t, rbl_tree_insert(&tree, next++, scene_box(SCENE_EVEN, &random),
			                         RBL_TREE_NONE) == RBL_OK);
			rbl_tree_remove(&tree, first++);
		}
		int work;
		CHECK(t, rbl_tree_rebuild_step(&rebuilder, &tree, &work) == RBL_OK && work <= 200);
		if (step % 10 == 0)
			CHECK(t, !rbl_tree_check(&tree) && tree.is_balanced && tree.leaf_count == COUNT);
	}
	CHECK(t, rebuilder.rebuilds > 2);
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
	rebuilder.budget = 300;
	rebuilder.limit = 0.5;
	rebuilder.builder = RBL_TREE_BUILD_SAH;
	for (int step = 0; step < 60; ++step) {
		int work;
		CHECK(t, rbl_tree_rebuild_step(&rebuilder, &tree, &work) == RBL_OK);
		CHECK(t, !rbl_tree_check(&tree) && tree.leaf_count == COUNT);
	}
	CHECK(t, rebuilder.rebuilds > 0);
	rebuilder.rule = RBL_TREE_RULE_NONE;
	rebuilder.cursor = -1;
	int work;
	CHECK(t, rbl_tree_rebuild_step(&rebuilder, &tree, &work) == RBL_OK && work == 0);
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
		rebuilder.limit = 1.0;
		rbl_tree_update(&tree, RBL_TREE_PERMUTE);
		uint64_t hash = scene_tree_hash(&tree);
		int work;
		rbl_result result = rbl_tree_rebuild_step(&rebuilder, &tree, &work);
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

TEST_MAIN(TEST(a_worn_tree_gets_better_part_by_part), TEST(a_tree_may_change_between_the_steps),
          TEST(a_tree_without_balance_is_rebuilt_too),
          TEST(a_rebuild_without_memory_changes_nothing))
