// SPDX-License-Identifier: MIT
// Trees of pieces: a break gives each piece its leaves, in sound trees.

#include "tree/scenes.h"

#include "faulty_allocator.h"
#include "test.h"

enum { MOST = 5000 }; // leaves of any test here

static void report_wrong(test *t, const char *wrong, int a, int b)
{
	if (wrong)
		printf("%d, %d: %s\n", a, b, wrong);
	CHECK(t, !wrong);
}

// Labels by slabs of space (pieces are coherent), or at random (every node is mixed).
static int make_label(rbl_box box, int piece_count, bool by_space, rbl_random *random)
{
	if (rbl_random_below(random, 20) == 0)
		return -1;
	int slab = (int)(box.lower.x * (float)piece_count);
	slab = slab < 0 ? 0 : slab >= piece_count ? piece_count - 1 : slab;
	return by_space ? slab : (int)rbl_random_below(random, (uint32_t)piece_count);
}

// Every leaf is in the tree of its label, with its box, and nowhere else.
static bool pieces_are_right(rbl_tree_pool *pool, const rbl_tree *pieces, int piece_count,
                             const int *labels, const rbl_box *boxes, int count)
{
	int *seen = malloc(MOST * sizeof *seen);
	uint32_t *leaves = malloc(MOST * sizeof *leaves);
	for (int i = 0; i < count; ++i)
		seen[i] = -1;
	bool right = true;
	for (int p = 0; p < piece_count; ++p) {
		if (pieces[p].root == RBL_TREE_NONE)
			continue;
		int n = rbl_tree_collect_leaves(pool, pieces[p].root, leaves);
		right = right && n == pieces[p].leaf_count;
		for (int i = 0; i < n; ++i) {
			rbl_box box = rbl_tree_leaf_box(&pieces[p], leaves[i]);
			right = right && seen[leaves[i]] == -1 && !memcmp(&box, &boxes[leaves[i]], sizeof box);
			seen[leaves[i]] = p;
		}
	}
	for (int i = 0; i < count; ++i)
		right = right && seen[i] == labels[i] &&
		        rbl_tree_has_leaf(pool, (uint32_t)i) == (labels[i] >= 0);
	free(leaves);
	free(seen);
	return right;
}

static const int piece_counts[] = { 1, 2, 3, 10, 200 };

// Leaves 0 to count - 1 are old, the others new. `labels` holds both.
static rbl_result break_tree(rbl_tree *tree, rbl_tree_method method, const int *labels,
                             const rbl_box *boxes, int count, int new_count, int piece_count,
                             rbl_tree *pieces, rbl_tree_fracture_report *report)
{
	uint32_t *ids = malloc(MOST * sizeof *ids);
	for (int i = 0; i < new_count; ++i)
		ids[i] = (uint32_t)(count + i);
	rbl_tree_fracture_input input = { .method = method,
		                              .piece_count = piece_count,
		                              .labels = labels,
		                              .new_count = new_count,
		                              .new_leaves = ids,
		                              .new_boxes = boxes + count,
		                              .new_labels = labels + count };
	rbl_result result = rbl_tree_break(tree, &input, pieces, report);
	free(ids);
	return result;
}

static void a_break_gives_pieces_old_and_new_leaves(test *t)
{
	for (int round = 0; round < 5 * 3 * 4; ++round) {
		int piece_count = piece_counts[round % 5], new_count = round % 4 * 300 + 1, count = 2500;
		rbl_tree_method method = (rbl_tree_method)(round / 5 % 3);
		rbl_box *boxes = scene_boxes(SCENE_EVEN, count + new_count, (uint64_t)round);
		int *labels = malloc(MOST * sizeof *labels);
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		for (int i = 0; i < count + new_count; ++i) {
			labels[i] = make_label(boxes[i], piece_count, true, &random);
			if (i >= count && labels[i] < 0)
				labels[i] = 0;
		}
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
		rbl_tree tree = rbl_tree_make(&pool), *pieces = malloc(sizeof(rbl_tree) * 200);
		CHECK(t, rbl_tree_build(&tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
		                                                        .count = count,
		                                                        .boxes = boxes }) == RBL_OK);
		rbl_tree_fracture_report report;
		CHECK(t, break_tree(&tree, method, labels, boxes, count, new_count, piece_count, pieces,
		                    &report) == RBL_OK);
		CHECK(t, report.extracted + report.rebuilt == piece_count);
		CHECK(t, method != RBL_TREE_BY_EXTRACT || report.rebuilt == 0);
		CHECK(t, method != RBL_TREE_BY_REBUILD || report.extracted == 0);
		int nodes = 0, kept[200] = { 0 }, added[200] = { 0 };
		for (int i = 0; i < count + new_count; ++i)
			if (labels[i] >= 0)
				(i < count ? kept : added)[labels[i]]++;
		for (int p = 0; p < piece_count; ++p) {
			report_wrong(t, rbl_tree_check(&pieces[p]), round, p);
			bool is_mended = kept[p] > 1 && added[p] > 1;
			CHECK(t, method != RBL_TREE_BY_EXTRACT || pieces[p].is_balanced == !is_mended);
			CHECK(t, method != RBL_TREE_BY_EXTRACT || rbl_tree_height(&pieces[p]) < 32);
			nodes += pieces[p].leaf_count > 1 ? pieces[p].leaf_count - 1 : 0;
		}
		CHECK(t, pieces_are_right(&pool, pieces, piece_count, labels, boxes, count + new_count));
		CHECK(t, pool.node_end - pool.free_count == nodes);
		rbl_tree_pool_destroy(&pool);
		free(pieces);
		free(labels);
		free(boxes);
	}
}

// Whatever a break left, packed trees are the same trees in runs, and may change again.
static void packed_pieces_are_the_same_in_runs(test *t)
{
	enum { COUNT = 1500, NEW = 200, PIECES = 20 };
	for (int n = 0, is_done = 0; !is_done; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 20);
		rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT + NEW, (uint64_t)n);
		rbl_random random = rbl_random_from_seed((uint64_t)n);
		int labels[COUNT + NEW];
		for (int i = 0; i < COUNT + NEW; ++i)
			labels[i] = rbl_maxi(make_label(boxes[i], PIECES, true, &random), 0);
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, &FAULTY(&memory), RBL_TREE_COUNTS | RBL_TREE_METRICS);
		rbl_tree tree = rbl_tree_make(&pool), pieces[PIECES], *trees[PIECES];
		CHECK(t, rbl_tree_build(&tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
		                                                        .count = COUNT,
		                                                        .boxes = boxes }) == RBL_OK);
		CHECK(t, break_tree(&tree, RBL_TREE_BY_POLICY, labels, boxes, COUNT, NEW, PIECES, pieces,
		                    NULL) == RBL_OK);
		int nodes = pool.node_end - pool.free_count;
		uint32_t *sources = malloc((size_t)pool.node_capacity * sizeof *sources);
		double costs[PIECES];
		for (int p = 0; p < PIECES; ++p) {
			trees[p] = &pieces[p];
			costs[p] = (double)rbl_tree_self_cost(&pieces[p]);
		}
		atomic_store(&memory.allowed, n);
		rbl_result result = rbl_tree_pack(&pool, trees, PIECES, sources);
		is_done = result == RBL_OK;
		CHECK(t, memory.failed == (result != RBL_OK));
		atomic_store(&memory.allowed, 1 << 20);
		CHECK(t, pieces_are_right(&pool, pieces, PIECES, labels, boxes, COUNT + NEW));
		CHECK(t, !is_done || (pool.node_end == nodes && pool.free_count == 0));
		for (int p = 0; p < PIECES; ++p) {
			report_wrong(t, rbl_tree_check(&pieces[p]), n, p);
			CHECK(t, (double)rbl_tree_self_cost(&pieces[p]) == costs[p]);
			CHECK(t, !is_done || pieces[p].leaf_count < 2 || pieces[p].first_node >= 0);
			rbl_tree_refit(&pieces[p], boxes, NULL);
			report_wrong(t, rbl_tree_check(&pieces[p]), n, p);
		}
		for (int i = 0; i < nodes && is_done; ++i)
			CHECK(t, sources[i] < (uint32_t)pool.node_capacity);
		for (uint32_t leaf = 0; leaf < 50; ++leaf)
			rbl_tree_remove(&pieces[labels[leaf]], leaf);
		for (int p = 0; p < PIECES; ++p)
			rbl_tree_update(&pieces[p], 0), report_wrong(t, rbl_tree_check(&pieces[p]), n, p);
		rbl_tree_pool_destroy(&pool);
		CHECK(t, memory.live_bytes == 0);
		free(sources);
		free(boxes);
	}
}

static void pieces_without_memory_change_nothing(test *t)
{
	enum { COUNT = 300, NEW = 100 };
	rbl_box *boxes = scene_boxes(SCENE_EVEN, COUNT + NEW, 3);
	int labels[COUNT + NEW];
	for (int i = 0; i < COUNT + NEW; ++i)
		labels[i] = i % 3;
	for (int what = 0; what < 3; ++what)
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, 1000);
			rbl_tree_pool pool;
			rbl_tree_pool_init(&pool, &FAULTY(&memory), 0);
			rbl_tree tree = rbl_tree_make(&pool), pieces[3];
			CHECK(t,
			      rbl_tree_build(&tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
			                                                     .count = COUNT,
			                                                     .boxes = boxes }) == RBL_OK);
			uint64_t hash = scene_tree_hash(&tree);
			atomic_store(&memory.allowed, n);
			rbl_result result = break_tree(&tree, (rbl_tree_method)what, labels, boxes, COUNT, NEW,
			                               3, pieces, NULL);
			CHECK(t, memory.failed == (result != RBL_OK));
			if (result != RBL_OK)
				CHECK(t, result == RBL_OUT_OF_MEMORY && scene_tree_hash(&tree) == hash &&
				             !rbl_tree_check(&tree));
			rbl_tree_pool_destroy(&pool);
			CHECK(t, memory.live_bytes == 0);
			if (result == RBL_OK)
				break;
		}
	free(boxes);
}

TEST_MAIN(TEST(a_break_gives_pieces_old_and_new_leaves), TEST(packed_pieces_are_the_same_in_runs),
          TEST(pieces_without_memory_change_nothing))
