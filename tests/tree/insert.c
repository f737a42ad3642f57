// SPDX-License-Identifier: MIT
// Changes of a living tree: after each operation everything that must hold, holds.
// ctest: soak

#include "tree/scenes.h"

#include "faulty_allocator.h"
#include "test.h"
#include "scenes/tree_measure.h"

// What the tree should hold, kept the slow way.
typedef struct model {
	rbl_tree_pool pool;
	rbl_tree tree;
	rbl_box *boxes; // by leaf id
	bool *present;
	uint32_t *leaves; // present ones, in any order
	int *places;      // of an id in `leaves`
	int capacity, count;
	rbl_random random;
	scene_kind kind;
} model;

static void model_add(model *m, uint32_t id, rbl_box box)
{
	m->boxes[id] = box;
	m->present[id] = true;
	m->places[id] = m->count;
	m->leaves[m->count++] = id;
}

static void model_drop(model *m, uint32_t id)
{
	m->present[id] = false;
	uint32_t last = m->leaves[--m->count];
	m->leaves[m->places[id]] = last;
	m->places[last] = m->places[id];
}

static void model_make_with(model *m, const rbl_allocator *allocator, int capacity, int count,
                            scene_kind kind, rbl_tree_builder builder, unsigned arrays,
                            uint64_t seed)
{
	*m = (model){ .capacity = capacity, .kind = kind };
	m->boxes = calloc((size_t)capacity, sizeof *m->boxes);
	m->present = calloc((size_t)capacity, sizeof *m->present);
	m->leaves = calloc((size_t)capacity, sizeof *m->leaves);
	m->places = calloc((size_t)capacity, sizeof *m->places);
	m->random = rbl_random_from_seed(seed);
	rbl_tree_pool_init(&m->pool, allocator, arrays);
	m->tree = rbl_tree_make(&m->pool);
	for (int i = 0; i < count; ++i)
		model_add(m, (uint32_t)i, scene_box(kind, &m->random));
	if (rbl_tree_build(&m->tree, &(rbl_tree_build_input){ .builder = builder,
	                                                      .count = count,
	                                                      .boxes = m->boxes }) != RBL_OK)
		abort();
}

static void model_make(model *m, int capacity, int count, scene_kind kind, rbl_tree_builder builder,
                       unsigned arrays, uint64_t seed)
{
	model_make_with(m, NULL, capacity, count, kind, builder, arrays, seed);
}

static void model_free(model *m)
{
	rbl_tree_pool_destroy(&m->pool);
	free(m->places);
	free(m->leaves);
	free(m->present);
	free(m->boxes);
}

static uint32_t some_leaf(model *m)
{
	return m->leaves[rbl_random_below(&m->random, (uint32_t)m->count)];
}

static uint32_t absent_leaf(model *m)
{
	for (;;) {
		uint32_t id = rbl_random_below(&m->random, (uint32_t)m->capacity);
		if (!m->present[id])
			return id;
	}
}

// One random operation. @return whether it went well
static bool random_operation(model *m, unsigned update_options)
{
	uint32_t what = rbl_random_below(&m->random, 100);
	rbl_box box = scene_box(m->kind, &m->random);
	if (m->count == 0 || (what < 35 && m->count < m->capacity * 3 / 4)) {
		uint32_t id = absent_leaf(m);
		uint32_t near = m->count > 0 && what % 2 ? some_leaf(m) : RBL_TREE_NONE;
		if (rbl_tree_insert(&m->tree, id, box, near) != RBL_OK)
			return false;
		model_add(m, id, box);
	} else if (what < 65) {
		uint32_t id = some_leaf(m);
		rbl_tree_remove(&m->tree, id);
		model_drop(m, id);
	} else if (what < 75) {
		uint32_t old_id = some_leaf(m), new_id = what % 3 ? absent_leaf(m) : old_id;
		if (rbl_tree_replace(&m->tree, old_id, new_id, box) != RBL_OK)
			return false;
		model_drop(m, old_id);
		model_add(m, new_id, box);
	} else if (what < 85) {
		uint32_t id = some_leaf(m);
		rbl_tree_move(&m->tree, id, box);
		m->boxes[id] = box;
	} else {
		rbl_tree_update(&m->tree, update_options);
	}
	return true;
}

typedef struct pair_sum {
	uint64_t sum, count;
} pair_sum;

static uint64_t mix_pair(uint32_t a, uint32_t b)
{
	uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
	key = (key ^ key >> 31) * 0x9e3779b97f4a7c15u;
	return (key ^ key >> 29) * 0xbf58476d1ce4e5b9u;
}

static bool sum_pairs(void *context, const rbl_tree_pair *pairs, int count)
{
	pair_sum *sum = context;
	for (int i = 0; i < count; ++i)
		sum->sum += mix_pair(pairs[i].a, pairs[i].b);
	sum->count += (uint64_t)count;
	return true;
}

// The tree holds what the model holds, and a self query finds what brute force finds.
static bool model_agrees(model *m, bool with_query)
{
	if (m->tree.leaf_count != m->count)
		return false;
	for (int i = 0; i < m->count; ++i) {
		uint32_t id = m->leaves[i];
		if (!rbl_tree_has_leaf(&m->pool, id))
			return false;
		rbl_box box = rbl_tree_leaf_box(&m->tree, id);
		if (memcmp(&box, &m->boxes[id], sizeof box) != 0)
			return false;
	}
	if (!with_query)
		return true;
	pair_sum found = { 0, 0 }, expected = { 0, 0 };
	rbl_tree_query_self(&m->tree, sum_pairs, &found);
	for (int i = 0; i < m->count; ++i)
		for (int k = i + 1; k < m->count; ++k)
			if (rbl_box_overlaps(m->boxes[m->leaves[i]], m->boxes[m->leaves[k]])) {
				expected.sum += mix_pair(m->leaves[i], m->leaves[k]);
				expected.count++;
			}
	return found.sum == expected.sum && found.count == expected.count;
}

static bool metrics_agree(model *m)
{
	rbl_tree_update(&m->tree, 0);
	tree_report report = measure_tree(&m->tree);
	double quality = rbl_tree_quality(&m->tree);
	return fabs(quality - report.quality) <= 1e-9 * report.quality &&
	       fabs((double)rbl_tree_inter_cost(&m->tree) - report.inter_cost) <=
	           1e-4 * report.inter_cost &&
	       fabs((double)rbl_tree_self_cost(&m->tree) - report.self_cost) <= 1e-4 * report.self_cost;
}

static void report_wrong(test *t, const char *wrong, int kind, int step)
{
	if (wrong)
		printf("kind %d, step %d: %s\n", kind, step, wrong);
	CHECK(t, !wrong);
}

// Small trees, looked at after every single operation.
static void every_operation_keeps_every_invariant(test *t)
{
	for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
		for (int policy = 0; policy < 3; ++policy) {
			model m;
			model_make(&m, 120, 40, (scene_kind)kind,
			           policy == 0   ? RBL_TREE_BUILD_MEDIAN
			           : policy == 1 ? RBL_TREE_BUILD_MORTON
			                         : RBL_TREE_BUILD_SAH,
			           policy == 2 ? 0 : RBL_TREE_COUNTS | RBL_TREE_METRICS, 17);
			if (policy == 2)
				rbl_tree_balance(&m.tree);
			for (int i = 0; i < 3000; ++i) {
				CHECK(t, random_operation(&m, i % 2 ? RBL_TREE_PERMUTE : 0));
				const char *wrong = rbl_tree_check(&m.tree);
				report_wrong(t, wrong, kind, i);
				if (wrong)
					break;
				if (i % 100 == 0)
					CHECK(t, model_agrees(&m, true) && (policy == 2 || metrics_agree(&m)));
			}
			CHECK(t, policy == 1 || m.tree.is_balanced);
			while (m.count > 0) { // down to the last leaf
				rbl_tree_remove(&m.tree, m.leaves[0]);
				model_drop(&m, m.leaves[0]);
				CHECK(t, !rbl_tree_check(&m.tree));
			}
			model_free(&m);
		}
}

// A large tree through a long sequence; RBL_SOAK makes it a million operations.
static void long_sequences_keep_every_invariant(test *t)
{
	int operations = test_count(30000, 1000000), checkpoint = operations / 10;
	const scene_kind kinds[] = { SCENE_EVEN, SCENE_MIXED, SCENE_FLAT };
	for (int k = 0; k < 3; ++k) {
		model m;
		model_make(&m, 8000, 4000, kinds[k], RBL_TREE_BUILD_MEDIAN,
		           RBL_TREE_COUNTS | RBL_TREE_METRICS, 23);
		for (int i = 0; i < operations; ++i) {
			CHECK(t, random_operation(&m, RBL_TREE_PERMUTE));
			if (i % 1000 == 999)
				report_wrong(t, rbl_tree_check(&m.tree), kinds[k], i);
			if (i % checkpoint == checkpoint - 1)
				CHECK(t, model_agrees(&m, true) && metrics_agree(&m));
		}
		// Never higher than an AVL tree may be.
		CHECK(t, rbl_tree_height(&m.tree) <= 1.4405 * log2((double)m.count + 2.0));
		model_free(&m);
	}
}

// The worst order for a tree without balance: each leaf beside the last one.
static void a_chain_of_inserts_stays_low(test *t)
{
	for (int balanced = 0; balanced < 2; ++balanced) {
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, NULL, 0);
		rbl_tree tree = rbl_tree_make(&pool);
		tree.is_balanced = balanced;
		for (uint32_t i = 0; i < 3000; ++i) {
			float x = (float)i;
			rbl_box box = { { x, 0.0f, 0.0f }, { x + 0.5f, 1.0f, 1.0f } };
			CHECK(t, rbl_tree_insert(&tree, i, box, i ? i - 1 : RBL_TREE_NONE) == RBL_OK);
		}
		CHECK(t, !rbl_tree_check(&tree));
		CHECK(t, rbl_tree_height(&tree) <= (balanced ? 17 : RBL_TREE_MAX_HEIGHT));
		rbl_tree_pool_destroy(&pool);
	}
}

static void one_pass_balances_any_tree(test *t)
{
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
			for (int count = 0; count < 9000; count = 3 * count + 1) {
				model m;
				model_make(&m, count + 1, count, (scene_kind)kind, (rbl_tree_builder)builder,
				           RBL_TREE_COUNTS | RBL_TREE_METRICS, 29);
				rbl_tree_balance(&m.tree);
				report_wrong(t, rbl_tree_check(&m.tree), kind, count);
				CHECK(t, m.tree.is_balanced && model_agrees(&m, false));
				CHECK(t, rbl_tree_height(&m.tree) <= 1.4405 * log2(count + 2.0));
				rbl_tree_update(&m.tree, RBL_TREE_PERMUTE);
				report_wrong(t, rbl_tree_check(&m.tree), kind, count);
				model_free(&m);
			}
}

static void joins_of_any_two_trees_are_balanced(test *t)
{
	const int sizes[] = { 0, 1, 2, 3, 5, 17, 100, 2500 };
	for (int a = 0; a < 8; ++a)
		for (int b = 0; b < 8; ++b) {
			rbl_box *boxes = scene_boxes(SCENE_MIXED, 5000, (uint64_t)(a + 10 * b));
			uint32_t *ids = malloc(5000 * sizeof *ids);
			for (int i = 0; i < 5000; ++i)
				ids[i] = (uint32_t)i;
			rbl_tree_pool pool;
			rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
			rbl_tree first = rbl_tree_make(&pool), second = rbl_tree_make(&pool);
			rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN,
				                           .count = sizes[a],
				                           .boxes = boxes };
			CHECK(t, rbl_tree_build(&first, &input) == RBL_OK);
			input.count = sizes[b];
			input.ids = ids + 2500;
			CHECK(t, rbl_tree_build(&second, &input) == RBL_OK);
			CHECK(t, rbl_tree_join(&first, &second) == RBL_OK);
			const char *wrong = rbl_tree_check(&first);
			report_wrong(t, wrong, sizes[a], sizes[b]);
			CHECK(t, first.leaf_count == sizes[a] + sizes[b] && second.leaf_count == 0);
			CHECK(t, first.is_balanced && !rbl_tree_check(&second));
			rbl_tree_update(&first, RBL_TREE_PERMUTE);
			CHECK(t, !rbl_tree_check(&first));
			rbl_tree_pool_destroy(&pool);
			free(ids);
			free(boxes);
		}
}

static void permutations_never_make_the_fit_worse(test *t)
{
	for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind) {
		model m;
		model_make(&m, 3000, 2000, (scene_kind)kind, RBL_TREE_BUILD_MEDIAN, RBL_TREE_METRICS, 31);
		double before = rbl_tree_quality(&m.tree);
		for (int pass = 0; pass < 4; ++pass) {
			for (int i = 0; i < m.count; ++i)
				rbl_tree_mark_dirty(&m.tree, m.pool.leaf_parents[m.leaves[i]]);
			CHECK(t, rbl_tree_update(&m.tree, RBL_TREE_PERMUTE) == m.count - 1);
			double after = rbl_tree_quality(&m.tree);
			CHECK(t, after <= before * (1.0 + 1e-12));
			CHECK(t, !rbl_tree_check(&m.tree) && m.tree.is_balanced);
			before = after;
		}
		model_free(&m);
	}
}

// The bound that makes cutting cheap: an update visits the paths of what changed and no more.
static void an_update_visits_only_dirty_paths(test *t)
{
	model m;
	model_make(&m, 40000, 30000, SCENE_EVEN, RBL_TREE_BUILD_MEDIAN, RBL_TREE_METRICS, 37);
	int height = rbl_tree_height(&m.tree);
	CHECK(t, rbl_tree_update(&m.tree, RBL_TREE_PERMUTE) == 0);
	for (int changes = 1; changes <= 1000; changes *= 10) {
		for (int i = 0; i < changes; ++i) {
			uint32_t id = absent_leaf(&m);
			rbl_box box = scene_box(m.kind, &m.random);
			CHECK(t, rbl_tree_insert(&m.tree, id, box, RBL_TREE_NONE) == RBL_OK);
			model_add(&m, id, box);
		}
		int visited = rbl_tree_update(&m.tree, RBL_TREE_PERMUTE);
		CHECK(t, visited >= changes && visited <= changes * (height + 4));
		CHECK(t, rbl_tree_update(&m.tree, RBL_TREE_PERMUTE) == 0);
		CHECK(t, !rbl_tree_check(&m.tree));
	}
	model_free(&m);
}

static void a_culled_flag_lowers_the_self_cost(test *t)
{
	model m;
	model_make(&m, 1000, 1000, SCENE_EVEN, RBL_TREE_BUILD_MEDIAN, RBL_TREE_METRICS, 41);
	float before = rbl_tree_self_cost(&m.tree);
	uint32_t child = m.pool.nodes[m.tree.root].children[0];
	m.pool.nodes[child].flags |= RBL_TREE_CULLED;
	rbl_tree_mark_dirty(&m.tree, child);
	rbl_tree_update(&m.tree, 0);
	CHECK(t, rbl_tree_self_cost(&m.tree) < before);
	CHECK(t, metrics_agree(&m) && !rbl_tree_check(&m.tree));
	model_free(&m);
}

// A change that finds no memory leaves the tree as it was.
static void changes_without_memory_change_nothing(test *t)
{
	rbl_box *boxes = scene_boxes(SCENE_EVEN, 200, 43);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, &FAULTY(&memory), RBL_TREE_COUNTS | RBL_TREE_METRICS);
		rbl_tree tree = rbl_tree_make(&pool), other = rbl_tree_make(&pool);
		rbl_result result = RBL_OK;
		uint32_t newest = 0; // in `tree`
		for (uint32_t i = 0; i < 200 && result == RBL_OK; ++i) {
			uint64_t hash = scene_tree_hash(&tree);
			bool to_other = i % 11 == 5;
			if (i % 7 == 3 && !to_other)
				result = rbl_tree_replace(&tree, newest, i, boxes[i]);
			else
				result = rbl_tree_insert(to_other ? &other : &tree, i, boxes[i], RBL_TREE_NONE);
			newest = to_other ? newest : i;
			if (i % 50 == 49 && result == RBL_OK) {
				hash = scene_tree_hash(&tree);
				result = rbl_tree_join(&tree, &other);
			}
			CHECK(t, result == RBL_OK || scene_tree_hash(&tree) == hash);
			CHECK(t, !rbl_tree_check(&tree) && !rbl_tree_check(&other));
		}
		bool failed = memory.failed;
		rbl_tree_pool_destroy(&pool);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, failed == (result != RBL_OK));
		if (!failed)
			break;
	}
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, NULL, 0);
	rbl_tree tree = rbl_tree_make(&pool);
	CHECK(t, rbl_tree_insert(&tree, RBL_TREE_MAX_LEAVES, boxes[0], RBL_TREE_NONE) ==
	             RBL_LIMIT_REACHED);
	CHECK(t, tree.leaf_count == 0);
	rbl_tree_pool_destroy(&pool);
	free(boxes);
}

// Regression: space for leaves had grown, that for nodes had not, and who looked at the one believed
// in both.
static void what_is_reserved_is_there(test *t)
{
	int failed = 0, done = 0;
	for (int round = 0; round < test_count(300, 20000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, &FAULTY(&memory), (unsigned)round % 4); // optional arrays
		rbl_tree tree = rbl_tree_make(&pool);
		uint32_t end = 0;
		for (int step = 0; step < 10; ++step) {
			int count = 1 + (int)rbl_random_below(&random, 60);
			int nodes = pool.node_capacity, leaves = pool.leaf_capacity;
			faulty_threaten(&memory, rbl_random_u64(&random), 4);
			rbl_result result = rbl_tree_pool_reserve_more(&pool, count, end + (uint32_t)count);
			bool has_failed = memory.failed;
			faulty_rest(&memory);
			CHECK(t, (result == RBL_OUT_OF_MEMORY) == has_failed);
			CHECK(t, !has_failed || (pool.node_capacity == nodes && pool.leaf_capacity == leaves));
			failed += has_failed, done += !has_failed;
			atomic_store(&memory.allowed, 0);
			for (int i = 0; result == RBL_OK && i < count; ++i, ++end)
				CHECK(t, rbl_tree_insert(&tree, end, scene_box(SCENE_EVEN, &random),
				                         RBL_TREE_NONE) == RBL_OK);
			faulty_rest(&memory);
		}
		CHECK(t, !rbl_tree_check(&tree) && tree.leaf_count == (int)end);
		rbl_tree_pool_destroy(&pool);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, failed > 100 && done > 100);
}

// Any allocation may fail, and the next may not: the tree holds what the model holds, whatever was
// refused.
static void random_failures_change_nothing(test *t)
{
	int failed = 0;
	for (int round = 0; round < test_count(12, 2000); ++round) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		model m;
		model_make_with(&m, &FAULTY(&memory), 400, 1, (scene_kind)(round % SCENE_KIND_COUNT),
		                RBL_TREE_BUILD_MEDIAN, round % 2 ? 0 : RBL_TREE_COUNTS | RBL_TREE_METRICS,
		                (uint64_t)round);
		for (int i = 0; i < 1000; ++i) {
			faulty_threaten(&memory, rbl_random_u64(&m.random), 4);
			bool is_done = random_operation(&m, i % 2 ? RBL_TREE_PERMUTE : 0);
			CHECK(t, is_done || memory.failed);
			failed += !is_done;
			faulty_rest(&memory);
			report_wrong(t, rbl_tree_check(&m.tree), round, i);
			if (i % 50 == 0)
				CHECK(t, model_agrees(&m, true));
		}
		model_free(&m);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, failed > 12);
}

TEST_MAIN(TEST(every_operation_keeps_every_invariant), TEST(long_sequences_keep_every_invariant),
          TEST(a_chain_of_inserts_stays_low), TEST(one_pass_balances_any_tree),
          TEST(joins_of_any_two_trees_are_balanced), TEST(permutations_never_make_the_fit_worse),
          TEST(an_update_visits_only_dirty_paths), TEST(a_culled_flag_lowers_the_self_cost),
          TEST(changes_without_memory_change_nothing), TEST(what_is_reserved_is_there),
          TEST(random_failures_change_nothing))
