// SPDX-License-Identifier: MIT
// ctest: threads soak
// A storm of calls in which any allocation may fail. A call that finds no memory says so and
// changes nothing: a second broad phase, whose memory never fails, gets the calls that succeeded,
// and gives the same ids. After each update brute force says which pairs there are, which have
// begun and which have ended.
//
// Each seed is a storm of its own. RBL_STORM_FIRST=n begins with seed n, RBL_STORM_COUNT=n stops
// after n seeds.

#include "base/random.h"
#include "base/vec.h"

#include <rubble/broadphase.h>

#include "faulty_allocator.h"
#include "test.h"
#include "worker_pool.h"

enum { MOST = 160, MOST_PAIRS = MOST * MOST, AT_ONCE = 24, STEPS = 50 };

typedef enum call { ADD, MOVE, REMOVE, REPLACE, UPDATE, CALL_COUNT } call;

// A box that is there. Its user value is its own: no other ever has it.
typedef struct item {
	rbl_proxy_def def;
	rbl_proxy_id id;
} item;

// Pairs by user values, in order.
typedef struct pair_set {
	uint64_t keys[MOST_PAIRS];
	int count;
} pair_set;

typedef struct storm {
	test *t;
	rbl_random random;
	faulty_allocator memory;
	rbl_broadphase *bp, *steady;
	item items[MOST];
	int count;
	uint32_t added;      // user values so far
	bool has_lost;       // an update failed: the next tells of everything
	pair_set last, next; // after the last update that succeeded, by brute force
	int done[CALL_COUNT], failed[CALL_COUNT], begun, ended;
} storm;

static int below(storm *s, int count)
{
	return (int)rbl_random_below(&s->random, (uint32_t)count);
}

static void threaten(storm *s)
{
	uint64_t seed = rbl_random_u64(&s->random);
	if (below(s, 4) == 0)
		faulty_rest(&s->memory);
	else
		faulty_threaten(&s->memory, seed, below(s, 2) ? 40 : 6);
}

// @return whether the call was done, and the steady one is to do the same
static bool settle(storm *s, call which, rbl_result result)
{
	bool has_failed = s->memory.failed;
	faulty_rest(&s->memory);
	s->done[which] += result == RBL_OK, s->failed[which] += result != RBL_OK;
	CHECK(s->t, result == RBL_OK || (result == RBL_OUT_OF_MEMORY && has_failed));
	return result == RBL_OK;
}

// --- changes ------------------------------------------------------------------------------------

static rbl_box any_box(storm *s)
{
	float size = below(s, 8) ? 0.7f : 2.5f;
	rbl_vec3 p = { 5.0f * rbl_random_float(&s->random), 5.0f * rbl_random_float(&s->random),
		           5.0f * rbl_random_float(&s->random) };
	return (rbl_box){ p, { p.x + size, p.y + size, p.z + size } };
}

static rbl_proxy_def any_def(storm *s)
{
	rbl_proxy_def def = rbl_default_proxy_def();
	def.box = any_box(s);
	def.is_static = below(s, 6) == 0;
	def.user = ++s->added;
	if (below(s, 2)) {
		def.filter.category = 1u << below(s, 3);
		def.filter.mask = (uint32_t)(7 - below(s, 2) * below(s, 8));
		def.filter.group = below(s, 6) ? 0 : below(s, 7) - 3;
	}
	return def;
}

// Take some boxes out of the list at random. @return how many
static int choose(storm *s, int most, rbl_proxy_id *ids, int *places)
{
	int count = below(s, (most < s->count ? most : s->count) + 1);
	int first = s->count > 0 ? below(s, s->count) : 0;
	for (int i = 0; i < count; ++i) {
		places[i] = (first + i) % s->count;
		ids[i] = s->items[places[i]].id;
	}
	return count;
}

static void drop(storm *s, const rbl_proxy_id *ids, int count)
{
	int kept = 0;
	for (int i = 0; i < s->count; ++i) {
		bool is_gone = false;
		for (int k = 0; k < count; ++k)
			is_gone |= memcmp(&s->items[i].id, &ids[k], sizeof ids[k]) == 0;
		if (!is_gone)
			s->items[kept++] = s->items[i];
	}
	CHECK(s->t, kept == s->count - count);
	s->count = kept;
}

static void keep(storm *s, const rbl_proxy_def *defs, const rbl_proxy_id *ids,
                 const rbl_proxy_id *others, int count)
{
	CHECK(s->t, memcmp(ids, others, (size_t)count * sizeof *ids) == 0);
	for (int i = 0; i < count; ++i)
		s->items[s->count++] = (item){ defs[i], ids[i] };
}

static void add(storm *s)
{
	rbl_proxy_def defs[AT_ONCE];
	rbl_proxy_id ids[AT_ONCE], others[AT_ONCE];
	int count = 1 + below(s, AT_ONCE);
	if (s->count + count > MOST)
		return;
	for (int i = 0; i < count; ++i)
		defs[i] = any_def(s);
	threaten(s);
	if (!settle(s, ADD, rbl_broadphase_add(s->bp, defs, count, ids)))
		return;
	CHECK(s->t, rbl_broadphase_add(s->steady, defs, count, others) == RBL_OK);
	keep(s, defs, ids, others, count);
}

static void move(storm *s)
{
	rbl_proxy_id ids[MOST];
	rbl_box boxes[MOST];
	int places[MOST], count = choose(s, below(s, 2) ? MOST : 5, ids, places);
	for (int i = 0; i < count; ++i) {
		rbl_box box = s->items[places[i]].def.box;
		rbl_vec3 by = { 0.3f * rbl_random_float(&s->random) - 0.15f, 0.0f, 0.05f };
		boxes[i] =
			below(s, 6) ? (rbl_box){ rbl_add(box.lower, by), rbl_add(box.upper, by) } : any_box(s);
	}
	threaten(s);
	if (!settle(s, MOVE, rbl_broadphase_move(s->bp, ids, boxes, count)))
		return;
	CHECK(s->t, rbl_broadphase_move(s->steady, ids, boxes, count) == RBL_OK);
	for (int i = 0; i < count; ++i)
		s->items[places[i]].def.box = boxes[i];
}

static void remove_some(storm *s)
{
	rbl_proxy_id ids[MOST];
	int places[MOST], count = choose(s, below(s, 6) ? AT_ONCE : MOST, ids, places);
	threaten(s);
	if (!settle(s, REMOVE, rbl_broadphase_remove(s->bp, ids, count)))
		return;
	CHECK(s->t, rbl_broadphase_remove(s->steady, ids, count) == RBL_OK);
	drop(s, ids, count);
}

static void replace(storm *s)
{
	rbl_proxy_def defs[AT_ONCE];
	rbl_proxy_id ids[AT_ONCE], others[AT_ONCE], gone[AT_ONCE];
	int places[AT_ONCE], gone_count = choose(s, 6, gone, places), count = 1 + below(s, AT_ONCE);
	if (s->count + count > MOST)
		return;
	for (int i = 0; i < count; ++i)
		defs[i] = any_def(s);
	bool is_one = gone_count == 1;
	threaten(s);
	rbl_result result =
		is_one ? rbl_broadphase_replace(s->bp, gone[0], defs, count, ids)
			   : rbl_broadphase_replace_many(s->bp, gone, gone_count, defs, count, ids);
	if (!settle(s, REPLACE, result))
		return;
	CHECK(s->t,
	      rbl_broadphase_replace_many(s->steady, gone, gone_count, defs, count, others) == RBL_OK);
	drop(s, gone, gone_count);
	keep(s, defs, ids, others, count);
}

// --- pairs --------------------------------------------------------------------------------------

static int by_key(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void put(pair_set *set, uint64_t a, uint64_t b)
{
	if (set->count < MOST_PAIRS)
		set->keys[set->count++] = a < b ? a << 32 | b : b << 32 | a;
}

static void sort(pair_set *set)
{
	qsort(set->keys, (size_t)set->count, sizeof *set->keys, by_key);
}

static void put_list(const storm *s, pair_set *set, rbl_pair_list list)
{
	for (int i = 0; i < list.count; ++i)
		put(set, rbl_broadphase_user(s->bp, list.pairs[i].a),
		    rbl_broadphase_user(s->bp, list.pairs[i].b));
}

static bool is_same(const pair_set *a, const pair_set *b)
{
	return a->count == b->count &&
	       memcmp(a->keys, b->keys, (size_t)a->count * sizeof *a->keys) == 0;
}

static bool may_pair(const item *a, const item *b)
{
	rbl_filter p = a->def.filter, q = b->def.filter;
	if ((a->def.is_static && b->def.is_static) || !rbl_box_overlaps(a->def.box, b->def.box))
		return false;
	if (p.group != 0 && p.group == q.group)
		return p.group > 0;
	return (p.category & q.mask) != 0 && (q.category & p.mask) != 0;
}

// Those of one set that another lacks.
static void subtract(const pair_set *from, const pair_set *what, pair_set *rest)
{
	rest->count = 0;
	for (int i = 0, k = 0; i < from->count; ++i) {
		while (k < what->count && what->keys[k] < from->keys[i])
			k++;
		if (k == what->count || what->keys[k] != from->keys[i])
			rest->keys[rest->count++] = from->keys[i];
	}
}

static bool count_hit(void *context, uint32_t slot)
{
	(void)slot;
	++*(int *)context;
	return true;
}

// Queries see boxes as they are, whatever failed.
static void ask(storm *s)
{
	rbl_box box = any_box(s);
	int found = 0, expected = 0;
	CHECK(s->t, rbl_broadphase_overlap(s->bp, box, NULL, count_hit, &found) == RBL_OK);
	for (int i = 0; i < s->count; ++i) {
		expected += rbl_box_overlaps(box, s->items[i].def.box);
		CHECK(s->t, rbl_broadphase_has(s->bp, s->items[i].id));
		rbl_box has = rbl_broadphase_box(s->bp, rbl_proxy_slot(s->items[i].id));
		CHECK(s->t, memcmp(&has, &s->items[i].def.box, sizeof has) == 0);
	}
	CHECK(s->t, found == expected);
	CHECK(s->t, rbl_broadphase_get_stats(s->bp).proxies == s->count);
}

static void update(storm *s)
{
	static pair_set found, rest;
	rbl_broadphase_result result, other;
	threaten(s);
	rbl_result went = rbl_broadphase_update(s->bp, &result);
	CHECK(s->t,
	      rbl_broadphase_update(s->steady, &other) == RBL_OK); // slots of removed boxes are free
	if (!settle(s, UPDATE, went)) {
		CHECK(s->t, result.run_count == 0 && result.pair_count == 0);
		s->has_lost = true;
		return;
	}
	CHECK(s->t, result.pair_count == other.pair_count && result.was_reset == s->has_lost);
	s->next.count = found.count = 0;
	for (int i = 0; i < s->count; ++i)
		for (int k = i + 1; k < s->count; ++k)
			if (may_pair(&s->items[i], &s->items[k]))
				put(&s->next, s->items[i].def.user, s->items[k].def.user);
	sort(&s->next);
	for (int i = 0; i < result.run_count; ++i)
		put_list(s, &found, result.runs[i]);
	sort(&found);
	CHECK(s->t, result.pair_count == found.count && is_same(&found, &s->next));
	found.count = 0;
	put_list(s, &found, result.begun);
	sort(&found);
	if (s->has_lost)
		s->last.count = 0; // all have begun, and none has ended
	subtract(&s->next, &s->last, &rest);
	CHECK(s->t, is_same(&found, &rest));
	s->begun += found.count, found.count = 0;
	put_list(s, &found, result.ended);
	sort(&found);
	subtract(&s->last, &s->next, &rest);
	CHECK(s->t, is_same(&found, &rest));
	s->ended += found.count;
	s->last = s->next;
	s->has_lost = false;
}

// --- storms -------------------------------------------------------------------------------------

static rbl_broadphase_def def_of(uint64_t seed)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = seed % 3 == 0 ? RBL_BROADPHASE_TREE : RBL_BROADPHASE_BSP;
	def.work_budget = seed % 4 == 0 ? 0 : seed % 4 == 1 ? 100 : -1;
	def.capacity_hint = seed % 5 == 0 ? 30 : 0;
	def.bsp.split_threshold = 16;
	def.bsp.max_redundancy = 1.0f;
	def.bsp.evaluation_interval = 1 + (int)(seed % 3);
	def.bsp.direction_count = seed % 7 == 0 ? 8 : 3;
	return def;
}

static void blow(test *t, int seeds, rbl_jobs *jobs)
{
	const char *text = getenv("RBL_STORM_FIRST");
	int first = text ? atoi(text) : 0;
	text = getenv("RBL_STORM_COUNT");
	seeds = text && atoi(text) < seeds - first ? first + atoi(text) : seeds;
	int done[CALL_COUNT] = { 0 }, failed[CALL_COUNT] = { 0 }, begun = 0, ended = 0;
	for (int seed = first; seed < seeds; ++seed) {
		static storm s;
		int failures = t->failures;
		s = (storm){ .t = t, .random = rbl_random_from_seed((uint64_t)seed) };
		faulty_init(&s.memory, LLONG_MAX / 2);
		rbl_broadphase_def def = def_of((uint64_t)seed);
		CHECK(t, rbl_create_broadphase(&def, &s.steady) == RBL_OK);
		def.allocator = FAULTY(&s.memory);
		def.jobs = jobs;
		CHECK(t, rbl_create_broadphase(&def, &s.bp) == RBL_OK);
		for (int step = 0; step < STEPS; ++step) {
			static void (*const calls[])(storm * s) = { add,  add,         move,   move,
				                                        move, remove_some, replace };
			for (int i = below(&s, 4); i > 0; --i) {
				calls[below(&s, sizeof calls / sizeof *calls)](&s);
				ask(&s);
			}
			update(&s);
			ask(&s);
		}
		begun += s.begun, ended += s.ended;
		for (int i = 0; i < CALL_COUNT; ++i)
			done[i] += s.done[i], failed[i] += s.failed[i];
		rbl_destroy_broadphase(s.bp);
		rbl_destroy_broadphase(s.steady);
		CHECK(t, s.memory.live_bytes == 0 && s.memory.live_count == 0);
		if (t->failures > failures)
			printf("seed %d\n", seed);
	}
	int count = seeds - first;
	bool is_long = count >= 10; // or chance decides
	for (int i = 0; i < CALL_COUNT; ++i) {
		printf("%d done and %d failed, ", done[i], failed[i]);
		CHECK(t, !is_long || (done[i] > count && failed[i] > 0));
	}
	printf("%d pairs begun, %d ended\n", begun, ended);
	CHECK(t, !is_long || (begun > 100 * count && ended > 20 * count));
}

static void failed_allocations_change_nothing(test *t)
{
	blow(t, test_count(60, 30000), NULL);
}

static void failed_allocations_change_nothing_among_workers(test *t)
{
	rbl_jobs *jobs = create_pool(3);
	blow(t, test_count(10, 2000), jobs);
	rbl_destroy_jobs(jobs);
}

TEST_MAIN(TEST(failed_allocations_change_nothing),
          TEST(failed_allocations_change_nothing_among_workers))
