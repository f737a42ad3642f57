// SPDX-License-Identifier: MIT
// Bad calls are refused and change nothing; statistics say what is there.

#include "base/vec.h"

#include <rubble/broadphase.h>

#include "test.h"

#include <float.h>

static const rbl_box unit = { { 0, 0, 0 }, { 1, 1, 1 } };

static rbl_broadphase *make(test *t, int kind)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = (rbl_broadphase_kind)kind;
	rbl_broadphase *bp;
	CHECK(t, rbl_create_broadphase(&def, &bp) == RBL_OK);
	return bp;
}

static rbl_proxy_def box_def(rbl_box box)
{
	rbl_proxy_def def = rbl_default_proxy_def();
	def.box = box;
	return def;
}

static bool refuses(rbl_broadphase_def def)
{
	rbl_broadphase *bp = (rbl_broadphase *)&def;
	return rbl_create_broadphase(&def, &bp) == RBL_BAD_ARGUMENT && bp == NULL;
}

static void *no_memory(void *user, size_t size, size_t alignment)
{
	(void)user, (void)size, (void)alignment;
	return NULL;
}

#define CHECK_REFUSED(t, field, value)                             \
	do {                                                           \
		rbl_broadphase_def bad_def = rbl_default_broadphase_def(); \
		bad_def.field = (value);                                   \
		CHECK(t, refuses(bad_def));                                \
	} while (0)

static void every_bad_field_is_refused(test *t)
{
	rbl_broadphase *bp;
	rbl_broadphase_def def = rbl_default_broadphase_def();
	CHECK(t, rbl_create_broadphase(NULL, &bp) == RBL_BAD_ARGUMENT && !bp);
	CHECK(t, rbl_create_broadphase(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK_REFUSED(t, cookie, 0);
	CHECK_REFUSED(t, kind, RBL_BROADPHASE_KIND_COUNT);
	CHECK_REFUSED(t, kind, (rbl_broadphase_kind)-1);
	CHECK_REFUSED(t, capacity_hint, -1);
	CHECK_REFUSED(t, capacity_hint, RBL_MAX_PROXIES + 1);
	CHECK_REFUSED(t, work_budget, -2);
	CHECK_REFUSED(t, margin, -0.1f);
	CHECK_REFUSED(t, margin, NAN);
	CHECK_REFUSED(t, margin, INFINITY);
	CHECK_REFUSED(t, bsp.direction_count, 2);
	CHECK_REFUSED(t, bsp.direction_count, RBL_MAX_BSP_DIRECTIONS + 1);
	CHECK_REFUSED(t, bsp.split_threshold, 15);
	CHECK_REFUSED(t, bsp.split_threshold, 4097);
	CHECK_REFUSED(t, bsp.merge_threshold, -1);
	CHECK_REFUSED(t, bsp.merge_threshold, 4097);
	CHECK_REFUSED(t, bsp.min_balance, 0.0f);
	CHECK_REFUSED(t, bsp.min_balance, NAN);
	CHECK_REFUSED(t, bsp.min_balance, 1.1f);
	CHECK_REFUSED(t, bsp.max_redundancy, -0.1f);
	CHECK_REFUSED(t, bsp.max_redundancy, NAN);
	CHECK_REFUSED(t, bsp.evaluation_interval, 0);
	CHECK_REFUSED(t, bsp.event_capacity, 0);
	CHECK_REFUSED(t, bsp.event_capacity, 1025);
	CHECK_REFUSED(t, bsp.event_divisor, 0);
	CHECK_REFUSED(t, bsp.height_limit, 0);
	CHECK_REFUSED(t, bsp.height_limit, RBL_MAX_BSP_HEIGHT + 1);
	CHECK_REFUSED(t, allocator.allocate, no_memory);
}

static void null_is_refused(test *t)
{
	rbl_broadphase *bp = make(t, RBL_BROADPHASE_BSP);
	rbl_proxy_id id = { 0 };
	rbl_proxy_def def = box_def(unit);
	rbl_broadphase_result result;
	CHECK(t, rbl_broadphase_add(NULL, &def, 1, &id) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_add(bp, NULL, 1, &id) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_add(bp, &def, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_add(bp, &def, -1, &id) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_add(bp, NULL, 0, NULL) == RBL_OK);
	CHECK(t, rbl_broadphase_move(NULL, &id, &unit, 1) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_move(bp, NULL, &unit, 1) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_move(bp, &id, NULL, 1) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_remove(NULL, &id, 1) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_remove(bp, NULL, 1) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_replace(NULL, id, &def, 1, &id) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_replace(bp, id, NULL, 1, &id) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_update(NULL, &result) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_broadphase_update(bp, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, !rbl_broadphase_has(NULL, id) && !rbl_broadphase_has(bp, id));
	CHECK(t, rbl_broadphase_user(NULL, 0) == 0 && rbl_broadphase_user(bp, 77) == 0);
	CHECK(t, rbl_box_is_empty(rbl_broadphase_box(NULL, 0)));
	CHECK(t, rbl_box_is_empty(rbl_broadphase_box(bp, 77)));
	CHECK(t, rbl_broadphase_get_stats(NULL).proxies == 0);
	rbl_destroy_broadphase(bp);
	rbl_destroy_broadphase(NULL);
}

static bool never(void *context, uint32_t slot)
{
	(void)slot;
	++*(int *)context;
	return true;
}

static float never_cast(void *context, uint32_t slot, float fraction)
{
	(void)slot;
	++*(int *)context;
	return fraction;
}

static void bad_boxes_are_refused(test *t)
{
	const rbl_box bad[] = {
		{ { NAN, 0, 0 }, { 1, 1, 1 } },      { { 0, 0, 0 }, { 1, NAN, 1 } },
		{ { 0, 0, 2 }, { 1, 1, 1 } },        { { 0, -INFINITY, 0 }, { 1, 1, 1 } },
		{ { 0, 0, 0 }, { INFINITY, 1, 1 } },
	};
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		rbl_broadphase *bp = make(t, kind);
		rbl_proxy_def good = box_def(unit);
		rbl_proxy_id id, ids[2];
		int calls = 0;
		CHECK(t, rbl_broadphase_add(bp, &good, 1, &id) == RBL_OK);
		for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
			rbl_proxy_def defs[2] = { good, box_def(bad[i]) };
			rbl_proxy_id twice[2] = { id, id };
			rbl_box boxes[2] = { { { 5, 5, 5 }, { 6, 6, 6 } }, bad[i] };
			CHECK(t, rbl_broadphase_add(bp, defs, 2, ids) == RBL_BAD_ARGUMENT);
			CHECK(t, rbl_broadphase_replace(bp, id, defs, 2, ids) == RBL_BAD_ARGUMENT);
			CHECK(t, rbl_broadphase_move(bp, twice, boxes, 2) == RBL_BAD_ARGUMENT);
			CHECK(t, rbl_broadphase_overlap(bp, bad[i], NULL, never, &calls) == RBL_BAD_ARGUMENT);
			CHECK(t, rbl_broadphase_cast(bp, bad[i], unit.upper, NULL, never_cast, &calls) ==
			             RBL_BAD_ARGUMENT);
			CHECK(t, rbl_broadphase_cast(bp, unit, bad[0].lower, NULL, never_cast, &calls) ==
			             RBL_BAD_ARGUMENT);
		}
		CHECK(t, rbl_broadphase_overlap(NULL, unit, NULL, never, &calls) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_overlap(bp, unit, NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_cast(NULL, unit, unit.upper, NULL, never_cast, &calls) ==
		             RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_cast(bp, unit, unit.upper, NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, calls == 0);
		CHECK(t, rbl_broadphase_has(bp, id));
		CHECK(t, rbl_broadphase_box(bp, rbl_proxy_slot(id)).upper.x == 1.0f); // not moved
		CHECK(t, rbl_broadphase_get_stats(bp).proxies == 1);
		rbl_destroy_broadphase(bp);
	}
}

static void stale_and_repeated_ids_are_refused(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		rbl_broadphase *bp = make(t, kind);
		rbl_proxy_def defs[3] = { box_def(unit), box_def(unit), box_def(unit) };
		defs[1].is_static = true;
		defs[2].user = 99;
		rbl_proxy_id ids[3], other;
		rbl_broadphase_result result;
		CHECK(t, rbl_broadphase_add(bp, defs, 3, ids) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.pair_count == 3);
		rbl_proxy_id twice[4] = { ids[0], ids[1], ids[2], ids[1] };
		CHECK(t, rbl_broadphase_remove(bp, twice, 4) == RBL_BAD_ARGUMENT);
		rbl_broadphase_stats stats = rbl_broadphase_get_stats(bp);
		CHECK(t, stats.proxies == 3 && stats.static_proxies == 1);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		CHECK(t, result.pair_count == 3 && result.begun.count == 0 && result.ended.count == 0);

		CHECK(t, rbl_broadphase_remove(bp, &ids[2], 1) == RBL_OK);
		CHECK(t, !rbl_broadphase_has(bp, ids[2]));
		CHECK(t, rbl_broadphase_remove(bp, &ids[2], 1) == RBL_STALE_ID);
		CHECK(t, rbl_broadphase_move(bp, &ids[2], &unit, 1) == RBL_STALE_ID);
		CHECK(t, rbl_broadphase_replace(bp, ids[2], defs, 1, &other) == RBL_STALE_ID);
		CHECK(t, rbl_broadphase_replace(bp, ids[2], NULL, 0, NULL) == RBL_STALE_ID);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.ended.count == 2);
		CHECK(t, rbl_broadphase_user(bp, rbl_proxy_slot(ids[2])) == 99); // until the next update
		CHECK(t, rbl_box_is_empty(rbl_broadphase_box(bp, rbl_proxy_slot(ids[2]))));
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		CHECK(t, rbl_broadphase_user(bp, rbl_proxy_slot(ids[2])) == 0);
		CHECK(t, rbl_broadphase_add(bp, &defs[2], 1, &other) == RBL_OK);
		CHECK(t, rbl_proxy_slot(other) == rbl_proxy_slot(ids[2])); // the slot lives again
		CHECK(t, !rbl_broadphase_has(bp, ids[2]) && rbl_broadphase_has(bp, other));
		rbl_destroy_broadphase(bp);
	}
}

static void replacing_is_removing_and_adding(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		rbl_broadphase *bp = make(t, kind);
		rbl_proxy_def defs[2] = { box_def(unit), box_def(unit) };
		rbl_proxy_id ids[2], parts[2];
		rbl_broadphase_result result;
		CHECK(t, rbl_broadphase_add(bp, defs, 2, ids) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.begun.count == 1);
		CHECK(t, rbl_broadphase_replace(bp, ids[0], defs, 2, parts) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		CHECK(t, result.pair_count == 3 && result.begun.count == 3 && result.ended.count == 1);
		CHECK(t, rbl_broadphase_replace(bp, parts[0], NULL, 0, NULL) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		CHECK(t, result.pair_count == 1 && result.begun.count == 0 && result.ended.count == 2);
		rbl_destroy_broadphase(bp);
	}
}

static void an_empty_one_works(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		rbl_broadphase *bp = make(t, kind);
		rbl_broadphase_result result;
		int hits = 0;
		for (int step = 0; step < 130; ++step)
			CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.pair_count == 0);
		CHECK(t, rbl_broadphase_overlap(bp, unit, NULL, never, &hits) == RBL_OK && hits == 0);
		CHECK(t, rbl_broadphase_get_stats(bp).proxies == 0);
		rbl_destroy_broadphase(bp);
	}
}

// Several break at once, or nothing happens.
static void many_are_replaced_at_once(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		rbl_broadphase *bp = make(t, kind);
		rbl_proxy_def defs[3] = { box_def(unit), box_def(unit), box_def(unit) };
		rbl_proxy_id ids[3], parts[3];
		rbl_broadphase_result result;
		CHECK(t, rbl_broadphase_add(bp, defs, 3, ids) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.pair_count == 3);
		const rbl_proxy_id twice[2] = { ids[1], ids[1] };
		CHECK(t, rbl_broadphase_replace_many(bp, twice, 2, defs, 3, parts) == RBL_BAD_ARGUMENT);
		rbl_proxy_def bad = defs[0];
		bad.box.lower.x = 2.0f;
		CHECK(t, rbl_broadphase_replace_many(bp, ids, 2, &bad, 1, parts) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_replace_many(bp, NULL, 2, defs, 1, parts) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_replace_many(bp, ids, -1, defs, 1, parts) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_replace_many(NULL, ids, 2, defs, 1, parts) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		CHECK(t, result.pair_count == 3 && result.begun.count == 0 && result.ended.count == 0);
		CHECK(t, rbl_broadphase_replace_many(bp, ids, 2, defs, 3, parts) == RBL_OK);
		CHECK(t, !rbl_broadphase_has(bp, ids[0]) && rbl_broadphase_has(bp, parts[2]));
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		CHECK(t, result.pair_count == 6 && result.begun.count == 6 && result.ended.count == 3);
		CHECK(t, rbl_broadphase_replace_many(bp, ids, 1, NULL, 0, NULL) == RBL_STALE_ID);
		CHECK(t, rbl_broadphase_replace_many(bp, parts, 3, NULL, 0, NULL) == RBL_OK);
		CHECK(t, rbl_broadphase_replace_many(bp, NULL, 0, defs, 1, parts) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.pair_count == 1);
		rbl_destroy_broadphase(bp);
	}
}

static void too_many_boxes_are_refused(test *t)
{
	rbl_broadphase *bp = make(t, RBL_BROADPHASE_BSP);
	rbl_proxy_def def = box_def(unit);
	rbl_proxy_id id;
	CHECK(t, rbl_broadphase_add(bp, &def, 1, &id) == RBL_OK);
	CHECK(t, rbl_broadphase_add(bp, &def, RBL_MAX_PROXIES, &id) == RBL_LIMIT_REACHED);
	CHECK(t, rbl_broadphase_has(bp, id));
	rbl_destroy_broadphase(bp);
}

static void too_many_filters_are_refused(test *t)
{
	rbl_broadphase *bp = make(t, RBL_BROADPHASE_BSP);
	rbl_proxy_def def = box_def(unit);
	rbl_proxy_id id;
	for (int i = 1; i <= RBL_MAX_FILTERS; ++i) {
		def.filter.group = i;
		CHECK(t, rbl_broadphase_add(bp, &def, 1, &id) == RBL_OK);
		CHECK(t, rbl_broadphase_remove(bp, &id, 1) == RBL_OK);
	}
	def.filter.group = -1;
	CHECK(t, rbl_broadphase_add(bp, &def, 1, &id) == RBL_LIMIT_REACHED);
	CHECK(t, rbl_broadphase_get_stats(bp).proxies == 0);
	def.filter.group = 5; // a known one
	CHECK(t, rbl_broadphase_add(bp, &def, 1, &id) == RBL_OK);
	rbl_destroy_broadphase(bp);
}

static void statistics_make_sense(test *t)
{
	enum { SIDE = 16, COUNT = SIDE * SIDE * SIDE };
	static rbl_proxy_def defs[COUNT];
	static rbl_proxy_id ids[COUNT];
	for (int i = 0; i < COUNT; ++i) {
		rbl_vec3 p = { (float)(i % SIDE), (float)(i / SIDE % SIDE), (float)(i / SIDE / SIDE) };
		defs[i] = box_def((rbl_box){ p, { p.x + 0.9f, p.y + 0.9f, p.z + 0.9f } });
		defs[i].is_static = i % 4 == 0;
	}
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		rbl_broadphase *bp = make(t, kind);
		rbl_broadphase_stats empty = rbl_broadphase_get_stats(bp);
		CHECK(t, empty.proxies == 0 && empty.redundancy == 0.0 && empty.bytes > 0);
		rbl_broadphase_result result;
		CHECK(t, rbl_broadphase_add(bp, defs, COUNT, ids) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		rbl_broadphase_stats stats = rbl_broadphase_get_stats(bp);
		CHECK(t, stats.proxies == COUNT && stats.static_proxies == COUNT / 4);
		CHECK(t, stats.leaves >= COUNT / 256 && stats.depth >= 4 && stats.depth <= 24);
		CHECK(t, stats.redundancy >= 0.0 && stats.redundancy < 2.0);
		CHECK(t, stats.rebuilds == 1);
		CHECK(t, stats.bytes > COUNT * sizeof(rbl_box) && stats.bytes < COUNT * 1000);
		CHECK(t, stats.update_ms >= 0.0 && stats.pairs_ms > 0.0 && stats.adjust_ms >= 0.0);
		CHECK(t, rbl_broadphase_remove(bp, ids, COUNT) == RBL_OK);
		for (int i = 0; i < 200; ++i)
			CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		stats = rbl_broadphase_get_stats(bp);
		CHECK(t, stats.proxies == 0 && stats.static_proxies == 0 && stats.events_waiting == 0);
		CHECK(t, kind == RBL_BROADPHASE_TREE ? stats.leaves == 0 : stats.leaves == 1);
		rbl_destroy_broadphase(bp);
	}
}

static void microseconds_become_work(test *t)
{
	CHECK(t, rbl_work_from_microseconds(1000.0, 0.0) == 10000);
	CHECK(t, rbl_work_from_microseconds(1000.0, 10.0) == 100000);
	CHECK(t, rbl_work_from_microseconds(0.0, 10.0) == 0);
	CHECK(t, rbl_work_from_microseconds(-5.0, 10.0) == 0);
	CHECK(t, rbl_work_from_microseconds(1e30, 10.0) == 1000000000);
	CHECK(t, rbl_work_from_microseconds(NAN, 10.0) == 0);
}

// Regression: a box that was removed was treated as one at rest, freed a second time, and took
// the box with it that had come to its place.
static void what_is_removed_stays_removed(test *t)
{
	enum { COUNT = 128 };
	rbl_broadphase *b = make(t, RBL_BROADPHASE_BSP);
	rbl_proxy_def defs[COUNT];
	rbl_proxy_id ids[COUNT];
	rbl_broadphase_result pairs;
	for (int i = 0; i < COUNT; ++i) {
		defs[i] = rbl_default_proxy_def();
		rbl_vec3 at = { 2.0f * (float)i, 0.0f, 0.0f };
		defs[i].box = rbl_box_grow((rbl_box){ at, at }, 0.4f);
	}
	CHECK(t, rbl_broadphase_add(b, defs, COUNT, ids) == RBL_OK);
	rbl_broadphase_update(b, &pairs);
	for (int round = 0; round < 400; ++round) {
		int first = round * 16 % COUNT;
		for (int i = first; i < first + 16; ++i) { // far enough to get a box made for motion
			rbl_box box = rbl_box_grow(defs[i].box, 0.3f);
			rbl_broadphase_move(b, &ids[i], &box, 1);
		}
		if (round % 70 == 1) {
			CHECK(t, rbl_broadphase_remove(b, ids + 32, 64) == RBL_OK);
			for (int i = 0; i < 70; ++i)
				rbl_broadphase_update(b, &pairs);
			CHECK(t, rbl_broadphase_add(b, defs + 32, 64, ids + 32) == RBL_OK);
		}
		rbl_broadphase_update(b, &pairs);
		for (int i = 0; i < COUNT; ++i)
			CHECK(t, rbl_broadphase_has(b, ids[i]));
	}
	rbl_destroy_broadphase(b);
}

TEST_MAIN(TEST(every_bad_field_is_refused), TEST(null_is_refused), TEST(bad_boxes_are_refused),
          TEST(stale_and_repeated_ids_are_refused), TEST(replacing_is_removing_and_adding),
          TEST(many_are_replaced_at_once), TEST(an_empty_one_works),
          TEST(too_many_boxes_are_refused), TEST(too_many_filters_are_refused),
          TEST(statistics_make_sense), TEST(microseconds_become_work),
          TEST(what_is_removed_stays_removed))
