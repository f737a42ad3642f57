// SPDX-License-Identifier: MIT
// Builders and refits: every tree holds its leaves, whatever the boxes, workers and back end.
// ctest: threads

#include "tree/scenes.h"

#include "base/kernel.h"
#include "faulty_allocator.h"
#include "test.h"

static const int sizes[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 100, 1000, 20000 };
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

static void every_builder_makes_a_sound_tree(test *t)
{
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
			for (int s = 0; s < SIZE_COUNT; ++s) {
				int count = sizes[s];
				rbl_box *boxes = scene_boxes((scene_kind)kind, count, (uint64_t)s + 1);
				rbl_tree_pool pool;
				rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
				rbl_tree tree = rbl_tree_make(&pool);
				rbl_tree_build_input input = { .builder = (rbl_tree_builder)builder,
					                           .count = count,
					                           .boxes = boxes };
				CHECK(t, rbl_tree_build(&tree, &input) == RBL_OK);
				const char *wrong = rbl_tree_check(&tree);
				if (wrong)
					printf("builder %d kind %d count %d: %s\n", builder, kind, count, wrong);
				CHECK(t, !wrong);
				CHECK(t, tree.leaf_count == count);
				for (int i = 0; i < count; ++i) {
					rbl_box box = rbl_tree_leaf_box(&tree, (uint32_t)i);
					CHECK(t, memcmp(&box, &boxes[i], sizeof box) == 0);
				}
				rbl_tree_pool_destroy(&pool);
				free(boxes);
			}
}

static void a_median_tree_is_balanced_and_as_low_as_can_be(test *t)
{
	for (int count = 1; count < 300; ++count) {
		rbl_box *boxes = scene_boxes(SCENE_EVEN, count, (uint64_t)count);
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, NULL, 0);
		rbl_tree tree = rbl_tree_make(&pool);
		rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN,
			                           .count = count,
			                           .boxes = boxes };
		CHECK(t, rbl_tree_build(&tree, &input) == RBL_OK && tree.is_balanced);
		CHECK(t, !rbl_tree_check(&tree));
		int height = 0;
		while (1 << height < count)
			height++;
		CHECK(t, rbl_tree_height(&tree) == height);
		rbl_tree_pool_destroy(&pool);
		free(boxes);
	}
}

static uint64_t build_hash(rbl_tree_builder builder, const rbl_box *boxes, int count, int workers,
                           bool refit)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = workers;
	rbl_jobs *jobs = NULL;
	if (rbl_create_jobs(&def, &jobs) != RBL_OK)
		return 0;
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, NULL, RBL_TREE_METRICS);
	rbl_tree tree = rbl_tree_make(&pool);
	rbl_tree_build_input input = {
		.builder = builder, .count = count, .boxes = boxes, .jobs = jobs
	};
	uint64_t hash = 0;
	if (rbl_tree_build(&tree, &input) == RBL_OK) {
		if (refit) {
			rbl_box *moved = scene_boxes(SCENE_MIXED, count, 99);
			rbl_tree_refit(&tree, moved, jobs);
			free(moved);
		}
		hash = rbl_tree_check(&tree) ? 1 : scene_tree_hash(&tree);
	}
	rbl_tree_pool_destroy(&pool);
	rbl_destroy_jobs(jobs);
	return hash;
}

static void workers_and_lanes_do_not_change_a_tree(test *t)
{
	enum { COUNT = 60000 };
	rbl_box *boxes = scene_boxes(SCENE_MIXED, COUNT, 5);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int refit = 0; refit < 2; ++refit) {
			rbl_tree_builder b = (rbl_tree_builder)builder;
			uint64_t expected = build_hash(b, boxes, COUNT, 1, refit);
			CHECK(t, expected > 1);
			for (int workers = 2; workers <= 4; ++workers)
				CHECK(t, build_hash(b, boxes, COUNT, workers, refit) == expected);
			for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend)
				if (rbl_force_backend((rbl_backend)backend))
					CHECK(t, build_hash(b, boxes, COUNT, 1, refit) == expected);
			rbl_force_backend(rbl_best_backend());
		}
	free(boxes);
}

static void ids_may_be_sparse_and_two_trees_share_a_pool(test *t)
{
	enum { COUNT = 500 };
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 6);
	uint32_t odd[COUNT], even[COUNT];
	for (int i = 0; i < COUNT; ++i)
		odd[i] = (uint32_t)(7 * i + 1), even[i] = (uint32_t)(7 * i + 3);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder) {
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS);
		rbl_tree a = rbl_tree_make(&pool), b = rbl_tree_make(&pool);
		rbl_tree_build_input input = {
			.builder = (rbl_tree_builder)builder, .count = COUNT, .boxes = boxes, .ids = odd
		};
		CHECK(t, rbl_tree_build(&a, &input) == RBL_OK);
		input.ids = even;
		CHECK(t, rbl_tree_build(&b, &input) == RBL_OK);
		CHECK(t, !rbl_tree_check(&a) && !rbl_tree_check(&b));
		// Rebuilt in place of itself, in nodes that lie anywhere.
		input.ids = odd;
		input.count = COUNT - 100;
		CHECK(t, rbl_tree_build(&a, &input) == RBL_OK);
		CHECK(t, !rbl_tree_check(&a) && !rbl_tree_check(&b));
		CHECK(t, !rbl_tree_has_leaf(&pool, odd[COUNT - 1]) && rbl_tree_has_leaf(&pool, odd[0]));
		rbl_box *moved = malloc(4096 * sizeof *moved);
		for (int i = 0; i < 4096; ++i)
			moved[i] = boxes[(i + 1) % COUNT];
		rbl_tree_refit(&a, moved, NULL);
		CHECK(t, !rbl_tree_check(&a));
		rbl_box box = rbl_tree_leaf_box(&a, odd[9]);
		CHECK(t, memcmp(&box, &moved[odd[9]], sizeof box) == 0);
		free(moved);
		rbl_tree_clear(&a);
		rbl_tree_clear(&b);
		CHECK(t, pool.node_end == 0 && pool.free_count == 0);
		rbl_tree_pool_destroy(&pool);
	}
	free(boxes);
}

static void leaves_get_other_ids(test *t)
{
	enum { COUNT = 300 };
	rbl_box *boxes = scene_boxes(SCENE_MIXED, COUNT, 8);
	uint32_t ids[COUNT], before[COUNT], after[COUNT];
	for (int count = 1; count <= COUNT; count += 299) {
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS);
		rbl_tree tree = rbl_tree_make(&pool);
		for (int i = 0; i < count; ++i)
			ids[i] = (uint32_t)(3 * i + 2);
		rbl_tree_build_input input = { .count = count, .boxes = boxes, .ids = ids };
		CHECK(t, rbl_tree_build(&tree, &input) == RBL_OK);
		CHECK(t, rbl_tree_collect_leaves(&pool, tree.root, before) == count);
		rbl_tree_number_leaves(&tree, ids);
		CHECK(t, !rbl_tree_check(&tree));
		CHECK(t, rbl_tree_collect_leaves(&pool, tree.root, after) == count);
		CHECK(t, memcmp(after, ids, (size_t)count * sizeof *ids) == 0);
		for (int i = 0; i < count && count > 1; ++i) {
			rbl_box box = rbl_tree_leaf_box(&tree, after[i]);
			CHECK(t, memcmp(&box, &boxes[(before[i] - 2) / 3], sizeof box) == 0);
		}
		rbl_tree_pool_destroy(&pool);
	}
	free(boxes);
}

// Sub-trees of up to `largest` leaves, then what is above them.
static void refit_in_parts(const rbl_tree *tree, uint32_t root, const rbl_box *boxes, int largest)
{
	if (rbl_tree_is_leaf(root))
		return;
	if (tree->pool->counts[root] <= largest) {
		rbl_tree_refit_part(tree, root, boxes);
		return;
	}
	for (int side = 1; side >= 0; --side)
		refit_in_parts(tree, tree->pool->nodes[root].children[side], boxes, largest);
	rbl_tree_refit_node(tree, root, boxes);
}

static void a_refit_in_parts_is_a_refit(test *t)
{
	enum { COUNT = 900 };
	rbl_box *boxes = scene_boxes(SCENE_MIXED, COUNT, 3), *moved = scene_boxes(SCENE_EVEN, COUNT, 4);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int scattered = 0; scattered < 2; ++scattered) {
			uint64_t hashes[3];
			for (int method = 0; method < 3; ++method) {
				rbl_tree_pool pool;
				rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
				rbl_tree tree = rbl_tree_make(&pool);
				rbl_tree_build_input input = { .builder = (rbl_tree_builder)builder,
					                           .count = COUNT,
					                           .boxes = boxes };
				CHECK(t, rbl_tree_build(&tree, &input) == RBL_OK);
				for (int leaf = 0; scattered && leaf < COUNT; leaf += 9) {
					rbl_tree_remove(&tree, (uint32_t)leaf);
					CHECK(t, rbl_tree_insert(&tree, (uint32_t)leaf, moved[leaf], RBL_TREE_NONE) ==
					             RBL_OK);
				}
				CHECK(t, (tree.first_node < 0) == scattered);
				if (method == 0)
					rbl_tree_refit(&tree, moved, NULL);
				else
					refit_in_parts(&tree, tree.root, moved, method == 1 ? 2 : 100);
				rbl_tree_end_refit(&tree);
				CHECK(t, !rbl_tree_check(&tree));
				hashes[method] = scene_tree_hash(&tree);
				rbl_tree_pool_destroy(&pool);
			}
			CHECK(t, hashes[1] == hashes[0] && hashes[2] == hashes[0]);
		}
	free(boxes);
	free(moved);
}

static void a_refit_by_triangles_is_a_refit_by_their_boxes(test *t)
{
	enum { COUNT = 3000 };
	rbl_vec3 positions[COUNT];
	int *triangles = malloc(3 * COUNT * sizeof *triangles);
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < COUNT; ++i)
		positions[i] = (rbl_vec3){ rbl_random_float(&random), rbl_random_float(&random),
			                       rbl_random_float(&random) };
	for (int i = 0; i < 3 * COUNT; ++i)
		triangles[i] = (int)rbl_random_below(&random, COUNT);
	rbl_box *boxes = malloc(COUNT * sizeof *boxes);
	rbl_tree_triangle_boxes(boxes, positions, triangles, COUNT, NULL);
	for (int i = 0; i < COUNT; ++i) {
		rbl_box box = rbl_box_empty();
		for (int k = 0; k < 3; ++k)
			box = rbl_box_add_point(box, positions[triangles[3 * i + k]]);
		CHECK(t, memcmp(&box, &boxes[i], sizeof box) == 0);
	}
	const int counts[] = { 1, 2, COUNT };
	for (int c = 0; c < 3; ++c) {
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, NULL, RBL_TREE_METRICS);
		rbl_tree tree = rbl_tree_make(&pool);
		CHECK(t, rbl_tree_build(&tree, &(rbl_tree_build_input){ .count = counts[c],
		                                                        .boxes = boxes }) == RBL_OK);
		for (int i = 0; i < COUNT; ++i)
			positions[i].x += 0.25f * positions[i].y;
		rbl_tree_refit_triangles(&tree, positions, triangles, NULL);
		CHECK(t, !rbl_tree_check(&tree));
		uint64_t hash = scene_tree_hash(&tree);
		rbl_box bounds = tree.bounds;
		rbl_tree_triangle_boxes(boxes, positions, triangles, COUNT, NULL);
		rbl_tree_refit(&tree, boxes, NULL);
		CHECK(t, scene_tree_hash(&tree) == hash && !memcmp(&bounds, &tree.bounds, sizeof bounds));
		rbl_tree_pool_destroy(&pool);
	}
	free(boxes);
	free(triangles);
}

static void a_build_without_memory_changes_nothing(test *t)
{
	enum { COUNT = 700 };
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 8);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_tree_pool pool;
			rbl_tree_pool_init(&pool, &FAULTY(&memory), RBL_TREE_COUNTS | RBL_TREE_METRICS);
			rbl_tree tree = rbl_tree_make(&pool);
			rbl_tree_build_input input = { .builder = (rbl_tree_builder)builder,
				                           .count = 10,
				                           .boxes = boxes };
			rbl_result first = rbl_tree_build(&tree, &input);
			uint64_t hash = scene_tree_hash(&tree);
			CHECK(t, first == RBL_OK || (first == RBL_OUT_OF_MEMORY && tree.leaf_count == 0));
			input.count = COUNT;
			rbl_result second = rbl_tree_build(&tree, &input);
			if (second != RBL_OK)
				CHECK(t, second == RBL_OUT_OF_MEMORY && scene_tree_hash(&tree) == hash);
			CHECK(t, !rbl_tree_check(&tree));
			bool failed = memory.failed;
			rbl_tree_pool_destroy(&pool);
			CHECK(t, memory.live_bytes == 0);
			if (!failed)
				break;
			CHECK(t, first != RBL_OK || second != RBL_OK);
		}
	free(boxes);
}

static void rebuilding_in_a_steady_state_allocates_nothing(test *t)
{
	enum { COUNT = 5000 };
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT, 8);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder) {
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, &FAULTY(&memory), 0);
		rbl_tree tree = rbl_tree_make(&pool);
		rbl_tree_build_input input = { .builder = (rbl_tree_builder)builder,
			                           .count = COUNT,
			                           .boxes = boxes };
		long long settled = 0;
		for (int i = 0; i < 5; ++i) {
			CHECK(t, rbl_tree_build(&tree, &input) == RBL_OK);
			if (i == 2)
				settled = memory.total_count;
		}
		CHECK(t, memory.total_count == settled);
		rbl_tree_pool_destroy(&pool);
	}
	free(boxes);
}

static void sizes_beyond_the_limit_are_refused(test *t)
{
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, NULL, 0);
	rbl_tree tree = rbl_tree_make(&pool);
	rbl_box box = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
	uint32_t id = 0x7fffffff;
	CHECK(t,
	      rbl_tree_build(&tree, &(rbl_tree_build_input){ .count = 1, .boxes = &box, .ids = &id }) ==
	          RBL_LIMIT_REACHED);
	CHECK(t, rbl_tree_build(&tree, &(rbl_tree_build_input){ .count = -1 }) == RBL_LIMIT_REACHED);
	CHECK(t, rbl_tree_pool_reserve(&pool, 0x7fffffff, 0) == RBL_LIMIT_REACHED);
	CHECK(t, rbl_tree_pool_reserve(&pool, 10, 20) == RBL_OK);
	CHECK(t, rbl_tree_pool_memory(&pool) == 10 * 64 + 20 * 4);
	rbl_tree_pool_destroy(&pool);
}

TEST_MAIN(TEST(every_builder_makes_a_sound_tree),
          TEST(a_median_tree_is_balanced_and_as_low_as_can_be),
          TEST(workers_and_lanes_do_not_change_a_tree),
          TEST(ids_may_be_sparse_and_two_trees_share_a_pool), TEST(leaves_get_other_ids),
          TEST(a_refit_in_parts_is_a_refit), TEST(a_refit_by_triangles_is_a_refit_by_their_boxes),
          TEST(a_build_without_memory_changes_nothing),
          TEST(rebuilding_in_a_steady_state_allocates_nothing),
          TEST(sizes_beyond_the_limit_are_refused))
