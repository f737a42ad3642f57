// SPDX-License-Identifier: MIT
// ctest: soak threads
// Pairs equal brute force: every step of every stream, every kind, any budget and worker count,
// through adding, removing, teleports, growth and shrinking to nothing.

#include "base/random.h"
#include "base/vec.h"
#include "scenes/streams.h"

#include <rubble/broadphase.h>

#include "faulty_allocator.h"
#include "test.h"
#include "worker_pool.h"

// --- the reference: brute force by user value ---------------------------------------------------

typedef struct reference_pair {
	int a, b;
} reference_pair;

typedef struct reference {
	int capacity, id_count; // users below id_count are tested
	uint8_t *matrix;        // capacity x capacity, lower user first
	rbl_box *boxes;
	rbl_filter *filters;
	uint8_t *kinds;   // stream_kind
	uint8_t *renewed; // removed since the last update, and perhaps added again
	reference_pair *pairs;
	int pair_count, pair_capacity; // of the last update
} reference;

static reference make_reference(int capacity)
{
	size_t n = (size_t)capacity;
	return (reference){
		.capacity = capacity,
		.id_count = capacity,
		.matrix = calloc(n * n, 1),
		.boxes = calloc(n, sizeof(rbl_box)),
		.filters = calloc(n, sizeof(rbl_filter)),
		.kinds = calloc(n, 1),
		.renewed = calloc(n, 1),
	};
}

static void free_reference(reference *j)
{
	free(j->matrix);
	free(j->boxes);
	free(j->filters);
	free(j->kinds);
	free(j->renewed);
	free(j->pairs);
}

static bool filters_allow(rbl_filter a, rbl_filter b)
{
	if (a.group != 0 && a.group == b.group)
		return a.group > 0;
	return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

static bool is_pair(const reference *j, int a, int b)
{
	return j->kinds[a] != STREAM_FREE && j->kinds[b] != STREAM_FREE &&
	       !(j->kinds[a] == STREAM_STATIC && j->kinds[b] == STREAM_STATIC) &&
	       rbl_box_overlaps(j->boxes[a], j->boxes[b]) &&
	       filters_allow(j->filters[a], j->filters[b]);
}

// All pairs, counted one by one.
static int count_pairs(const reference *j)
{
	int count = 0;
	for (int a = 0; a < j->id_count; ++a) {
		if (j->kinds[a] == STREAM_FREE)
			continue;
		for (int b = a + 1; b < j->id_count; ++b)
			count += rbl_box_overlaps(j->boxes[a], j->boxes[b]) && is_pair(j, a, b);
	}
	return count;
}

static reference_pair users_of(const rbl_broadphase *bp, rbl_pair pair)
{
	int a = (int)rbl_broadphase_user(bp, pair.a), b = (int)rbl_broadphase_user(bp, pair.b);
	return a < b ? (reference_pair){ a, b } : (reference_pair){ b, a };
}

static uint8_t *cell(reference *j, reference_pair pair)
{
	return &j->matrix[(size_t)pair.a * (size_t)j->capacity + (size_t)pair.b];
}

enum { WAS = 1, IS = 2, BEGUN = 4, ENDED = 8 };

// Mark a list in the matrix. @return whether no pair is there twice
static bool mark(reference *j, const rbl_broadphase *bp, rbl_pair_list list, int bit)
{
	bool ok = true;
	for (int i = 0; i < list.count; ++i) {
		uint8_t *c = cell(j, users_of(bp, list.pairs[i]));
		ok &= list.pairs[i].a < list.pairs[i].b && !(*c & bit);
		*c |= (uint8_t)bit;
	}
	return ok;
}

// Whether everything that must have begun or ended is marked so, and nothing else.
static bool changes_are_right(reference *j, const rbl_broadphase *bp,
                              const rbl_broadphase_result *result)
{
	int begun = 0, ended = 0;
	bool ok = true;
	for (int r = 0; r < result->run_count; ++r) {
		for (int i = 0; i < result->runs[r].count; ++i) {
			reference_pair pair = users_of(bp, result->runs[r].pairs[i]);
			int c = *cell(j, pair);
			bool is_new =
				!(c & WAS) || result->was_reset || j->renewed[pair.a] || j->renewed[pair.b];
			ok &= is_pair(j, pair.a, pair.b) && is_new == ((c & BEGUN) != 0);
			begun += is_new;
		}
	}
	for (int i = 0; i < j->pair_count && !result->was_reset; ++i) {
		reference_pair pair = j->pairs[i];
		int c = *cell(j, pair);
		bool is_over = !(c & IS) || j->renewed[pair.a] || j->renewed[pair.b];
		ok &= is_over == ((c & ENDED) != 0);
		ended += is_over;
	}
	return ok && begun == result->begun.count && ended == result->ended.count;
}

// Compare an update with brute force: no pair twice, every one a pair, and as many as there are.
static bool reference_agrees(reference *j, const rbl_broadphase *bp,
                             const rbl_broadphase_result *result)
{
	bool ok = mark(j, bp, result->begun, BEGUN) && mark(j, bp, result->ended, ENDED);
	int listed = 0;
	for (int r = 0; r < result->run_count; ++r) {
		ok &= mark(j, bp, result->runs[r], IS);
		listed += result->runs[r].count;
	}
	ok = ok && listed == result->pair_count && listed == count_pairs(j) &&
	     changes_are_right(j, bp, result);
	// What is now is what the next update is compared with.
	for (int i = 0; i < j->pair_count; ++i)
		*cell(j, j->pairs[i]) = 0;
	if (listed > j->pair_capacity) {
		j->pair_capacity = 2 * listed;
		j->pairs = realloc(j->pairs, (size_t)j->pair_capacity * sizeof *j->pairs);
	}
	j->pair_count = 0;
	for (int r = 0; r < result->run_count; ++r) {
		for (int i = 0; i < result->runs[r].count; ++i) {
			reference_pair pair = users_of(bp, result->runs[r].pairs[i]);
			*cell(j, pair) = WAS;
			j->pairs[j->pair_count++] = pair;
		}
	}
	memset(j->renewed, 0, (size_t)j->capacity);
	return ok;
}

// --- streams ------------------------------------------------------------------------------------

// Everything a step delivers, by the bulk calls. @return false when a call failed
static bool apply_step(const stream *s, rbl_broadphase *bp, rbl_proxy_id *ids, reference *j)
{
	int most = s->capacity;
	rbl_proxy_id *list = malloc((size_t)most * sizeof *list);
	rbl_box *boxes = malloc((size_t)most * sizeof *boxes);
	rbl_proxy_def *defs = malloc((size_t)most * sizeof *defs);
	bool ok = true;
	for (int i = 0; i < s->destroyed.count; ++i) {
		list[i] = ids[s->destroyed.ids[i]];
		j->kinds[s->destroyed.ids[i]] = STREAM_FREE;
	}
	ok &= rbl_broadphase_remove(bp, list, s->destroyed.count) == RBL_OK;
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		defs[i] = rbl_default_proxy_def();
		defs[i].box = j->boxes[id] = s->boxes[id];
		defs[i].is_static = s->kinds[id] == STREAM_STATIC;
		defs[i].user = (uint64_t)id;
		j->filters[id] = defs[i].filter;
		j->kinds[id] = s->kinds[id];
	}
	ok &= rbl_broadphase_add(bp, defs, s->created.count, list) == RBL_OK;
	for (int i = 0; i < s->created.count; ++i)
		ids[s->created.ids[i]] = list[i];
	for (int i = 0; i < s->moved.count; ++i) {
		list[i] = ids[s->moved.ids[i]];
		boxes[i] = j->boxes[s->moved.ids[i]] = s->boxes[s->moved.ids[i]];
	}
	ok &= rbl_broadphase_move(bp, list, boxes, s->moved.count) == RBL_OK;
	free(list);
	free(boxes);
	free(defs);
	return ok;
}

static bool stream_agrees(const rbl_broadphase_def *def, stream_scene scene, int count, int steps)
{
	stream s;
	rbl_broadphase *bp;
	if (!stream_open(&s, scene, count, steps, 3))
		return false;
	// The streams keep room to spare; the reference needs only ids that come.
	int capacity =
		scene == STREAM_BLOCKS ? s.capacity : count + count / 4 + 150 + (steps / 30 + 1) * 1000;
	if (scene >= STREAM_SLABS)
		capacity = s.capacity;
	else if (scene != STREAM_RUBBLE && scene != STREAM_BLOCKS)
		capacity = count + count / 4 + 150;
	reference j = make_reference(capacity);
	rbl_proxy_id *ids = calloc((size_t)s.capacity, sizeof *ids);
	bool ok = rbl_create_broadphase(def, &bp) == RBL_OK;
	while (ok && stream_next(&s)) {
		rbl_broadphase_result result;
		j.id_count = s.id_count;
		ok = s.id_count <= capacity && apply_step(&s, bp, ids, &j) &&
		     rbl_broadphase_update(bp, &result) == RBL_OK && reference_agrees(&j, bp, &result);
		if (!ok)
			printf("scene %d, %d boxes, step %d: wrong pairs\n", (int)scene, count, s.step);
	}
	rbl_destroy_broadphase(bp);
	free(ids);
	free_reference(&j);
	stream_close(&s);
	return ok;
}

static rbl_broadphase_def def_of(rbl_broadphase_kind kind, int budget)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = kind;
	def.work_budget = budget;
	def.bsp.split_threshold = 32; // small scenes must be split, too
	return def;
}

static void pairs_equal_brute_force_on_every_stream(test *t)
{
	int count = test_count(260, 900), steps = test_count(90, 400);
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		for (int scene = STREAM_TERRAIN; scene <= STREAM_LAST; ++scene) {
			rbl_broadphase_def def = def_of((rbl_broadphase_kind)kind, 32768);
			CHECK(t, stream_agrees(&def, (stream_scene)scene, count, steps));
		}
	}
}

static void pairs_do_not_depend_on_the_budget(test *t)
{
	static const int budgets[] = { 0, 1, 300, -1 };
	for (int b = 0; b < 4; ++b) {
		for (int scene = STREAM_TERRAIN; scene <= STREAM_LAST; ++scene) {
			rbl_broadphase_def def = def_of(RBL_BROADPHASE_BSP, budgets[b]);
			def.bsp.evaluation_interval = 2;
			CHECK(t, stream_agrees(&def, (stream_scene)scene, 200, 60));
		}
	}
}

static void slanted_planes_and_odd_settings_give_the_same_pairs(test *t)
{
	for (int scene = STREAM_TERRAIN; scene <= STREAM_LAST; ++scene) {
		rbl_broadphase_def def = def_of(RBL_BROADPHASE_BSP, -1);
		def.bsp.direction_count = 13;
		def.bsp.evaluation_interval = 1;
		def.bsp.split_threshold = 16;
		def.bsp.max_redundancy = 1.0f;
		CHECK(t, stream_agrees(&def, (stream_scene)scene, 250, 60));
		def.bsp.direction_count = 3;
		def.margin = 0.0f;
		def.bsp.height_limit = 3;
		def.bsp.min_balance = 0.9f;
		CHECK(t, stream_agrees(&def, (stream_scene)scene, 250, 60));
	}
}

// --- random calls -------------------------------------------------------------------------------

static rbl_box random_box(rbl_random *random, int kind)
{
	float reach = kind == 3 ? 1e6f : 8.0f;
	rbl_vec3 p = { (float)rbl_random_range(random, -1, 1) * reach,
		           (float)rbl_random_range(random, -1, 1) * reach,
		           (float)rbl_random_range(random, -1, 1) * reach };
	rbl_vec3 h = { rbl_random_float(random), rbl_random_float(random), rbl_random_float(random) };
	if (kind == 0) // a point, on a grid so that points meet
		return (rbl_box){ { floorf(p.x), floorf(p.y), floorf(p.z) },
			              { floorf(p.x), floorf(p.y), floorf(p.z) } };
	if (kind == 1) // unit boxes on a grid: they touch, and planes run through them
		return (rbl_box){ { floorf(p.x), floorf(p.y), floorf(p.z) },
			              { floorf(p.x) + 1, floorf(p.y) + 1, floorf(p.z) + 1 } };
	if (kind == 2) // everything
		return (rbl_box){ { -1e30f, -1e30f, -1e30f }, { 1e30f, 1e30f, 1e30f } };
	return (rbl_box){ rbl_sub(p, h), rbl_add(p, h) };
}

static rbl_filter random_filter(rbl_random *random)
{
	static const rbl_filter filters[] = { { 1, UINT32_MAX, 0 }, { 2, 1, 0 }, { 4, 6, 0 },
		                                  { 1, 1, 5 },          { 2, 2, 5 }, { 1, 3, -5 } };
	return filters[rbl_random_below(random, 8) % 6];
}

// One random change; `alive` says which users have a proxy.
static bool random_change(rbl_random *random, rbl_broadphase *bp, rbl_proxy_id *ids, reference *j,
                          int grow_bias)
{
	int user = (int)rbl_random_below(random, (uint32_t)j->capacity);
	int box_kind = (int)rbl_random_below(random, 40);
	rbl_box box = random_box(random, box_kind < 4 ? box_kind : box_kind < 8 ? 0 : 4 + box_kind % 2);
	if (box_kind >= 8 && box_kind < 20)
		box = random_box(random, 1);
	bool is_alive = j->kinds[user] != STREAM_FREE;
	if (!is_alive && (int)rbl_random_below(random, 10) < grow_bias) {
		rbl_proxy_def def = { box, random_filter(random), rbl_random_below(random, 5) == 0,
			                  (uint64_t)user };
		j->kinds[user] = def.is_static ? STREAM_STATIC : STREAM_DYNAMIC;
		j->boxes[user] = box;
		j->filters[user] = def.filter;
		return rbl_broadphase_add(bp, &def, 1, &ids[user]) == RBL_OK;
	}
	if (is_alive && (int)rbl_random_below(random, 10) >= grow_bias) {
		j->kinds[user] = STREAM_FREE;
		j->renewed[user] = 1;
		return rbl_broadphase_remove(bp, &ids[user], 1) == RBL_OK &&
		       !rbl_broadphase_has(bp, ids[user]) &&
		       rbl_broadphase_move(bp, &ids[user], &box, 1) == RBL_STALE_ID;
	}
	if (is_alive) {
		j->boxes[user] = box;
		return rbl_broadphase_move(bp, &ids[user], &box, 1) == RBL_OK;
	}
	return true;
}

static bool random_calls_agree(const rbl_broadphase_def *def, uint64_t seed, int updates)
{
	enum { USERS = 220 };
	rbl_random random = rbl_random_from_seed(seed);
	reference j = make_reference(USERS);
	rbl_proxy_id ids[USERS] = { 0 };
	rbl_broadphase *bp;
	bool ok = rbl_create_broadphase(def, &bp) == RBL_OK;
	for (int u = 0; u < updates && ok; ++u) {
		int grow_bias = u % 50 < 25 ? 9 : u % 50 < 40 ? 5 : 1; // grows, wavers, dies out
		int changes = (int)rbl_random_below(&random, u % 7 == 0 ? 400 : 12);
		for (int i = 0; i < changes && ok; ++i)
			ok = random_change(&random, bp, ids, &j, grow_bias);
		rbl_broadphase_result result;
		ok =
			ok && rbl_broadphase_update(bp, &result) == RBL_OK && reference_agrees(&j, bp, &result);
	}
	rbl_destroy_broadphase(bp);
	free_reference(&j);
	return ok;
}

static void pairs_survive_random_calls(test *t)
{
	int rounds = test_count(3, 200);
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		for (int i = 0; i < rounds; ++i) {
			rbl_broadphase_def def = def_of((rbl_broadphase_kind)kind, i % 2 ? -1 : 500);
			def.bsp.split_threshold = 16;
			def.bsp.evaluation_interval = 1 + i % 3;
			def.bsp.direction_count = i % 3 == 2 ? 9 : 3;
			def.margin = 0.1f * (float)(i % 4);
			CHECK(t, random_calls_agree(&def, (uint64_t)i + 1, 200));
		}
	}
}

// --- workers ------------------------------------------------------------------------------------

static uint64_t hash_of_run(const rbl_broadphase_def *def, stream_scene scene)
{
	stream s;
	rbl_broadphase *bp = NULL;
	stream_open(&s, scene, 2500, 40, 5);
	reference j = { 0 };
	j.boxes = calloc((size_t)s.capacity, sizeof(rbl_box));
	j.filters = calloc((size_t)s.capacity, sizeof(rbl_filter));
	j.kinds = calloc((size_t)s.capacity, 1);
	rbl_proxy_id *ids = calloc((size_t)s.capacity, sizeof *ids);
	uint64_t hash = 1469598103934665603u;
	rbl_create_broadphase(def, &bp);
	while (stream_next(&s)) {
		rbl_broadphase_result result;
		apply_step(&s, bp, ids, &j);
		rbl_broadphase_update(bp, &result);
		for (int r = 0; r < result.run_count; ++r) {
			for (int i = 0; i < result.runs[r].count; ++i) {
				hash = (hash ^ result.runs[r].pairs[i].a) * 1099511628211u;
				hash = (hash ^ result.runs[r].pairs[i].b) * 1099511628211u;
			}
		}
		for (int i = 0; i < result.begun.count; ++i)
			hash = (hash ^ result.begun.pairs[i].a) * 1099511628211u;
		for (int i = 0; i < result.ended.count; ++i)
			hash = (hash ^ result.ended.pairs[i].b) * 1099511628211u;
	}
	rbl_destroy_broadphase(bp);
	free(ids);
	free_reference(&j);
	stream_close(&s);
	return hash;
}

// The same pairs in the same order for any number of workers.
static void workers_do_not_change_the_order(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		for (int scene = STREAM_TERRAIN; scene <= STREAM_LAST; ++scene) {
			rbl_broadphase_def def = def_of((rbl_broadphase_kind)kind, 4096);
			uint64_t expected = hash_of_run(&def, (stream_scene)scene);
			for (int workers = 2; workers <= 4; workers += 2) {
				rbl_jobs *jobs = create_pool(workers);
				def.jobs = jobs;
				CHECK(t, hash_of_run(&def, (stream_scene)scene) == expected);
				rbl_destroy_jobs(jobs);
			}
		}
	}
}

TEST_MAIN(TEST(pairs_equal_brute_force_on_every_stream), TEST(pairs_do_not_depend_on_the_budget),
          TEST(slanted_planes_and_odd_settings_give_the_same_pairs),
          TEST(pairs_survive_random_calls), TEST(workers_do_not_change_the_order))
