// SPDX-License-Identifier: MIT
// When memory runs out, at whichever allocation: the call says so, nothing leaks, boxes are kept,
// queries stay right, and the next update finds all pairs.

#include "base/random.h"
#include "base/vec.h"

#include <rubble/broadphase.h>

#include "faulty_allocator.h"
#include "test.h"

enum { COUNT = 300, SECOND = 260 };

static rbl_box box_at(rbl_random *random)
{
	rbl_vec3 p = { 6.0f * rbl_random_float(random), 6.0f * rbl_random_float(random),
		           6.0f * rbl_random_float(random) };
	return (rbl_box){ p, { p.x + 0.8f, p.y + 0.8f, p.z + 0.8f } };
}

typedef struct scene {
	rbl_broadphase *bp;
	rbl_proxy_def defs[COUNT];
	rbl_proxy_id ids[COUNT];
	bool is_there[COUNT];
	int failures; // calls that ran out of memory
	bool is_right;
} scene;

static int count_by_force(const scene *s)
{
	int count = 0;
	for (int a = 0; a < COUNT; ++a) {
		for (int b = a + 1; b < COUNT; ++b)
			count += s->is_there[a] && s->is_there[b] &&
			         !(s->defs[a].is_static && s->defs[b].is_static) &&
			         rbl_box_overlaps(s->defs[a].box, s->defs[b].box);
	}
	return count;
}

static bool count_hit(void *context, uint32_t slot)
{
	(void)slot;
	++*(int *)context;
	return true;
}

static bool overlaps_are_right(const scene *s)
{
	const rbl_box box = { { 1, 1, 1 }, { 3, 4, 5 } };
	int found = 0, expected = 0;
	rbl_broadphase_overlap(s->bp, box, NULL, count_hit, &found);
	for (int i = 0; i < COUNT; ++i)
		expected += s->is_there[i] && rbl_box_overlaps(box, s->defs[i].box);
	return found == expected;
}

// Call once more whatever ran out of memory: only one allocation is missing at a time.
static bool went_well(scene *s, faulty_allocator *memory, rbl_result result)
{
	if (result == RBL_OK)
		return true;
	s->failures++;
	s->is_right &= result == RBL_OUT_OF_MEMORY && memory->failed;
	atomic_store(&memory->allowed, 1ll << 40);
	return false;
}

static void update(scene *s, faulty_allocator *memory)
{
	rbl_broadphase_result result;
	bool is_fine = went_well(s, memory, rbl_broadphase_update(s->bp, &result));
	if (!is_fine) {
		s->is_right &= result.run_count == 0 && result.pair_count == 0;
		s->is_right &= overlaps_are_right(s);
		s->is_right &= rbl_broadphase_update(s->bp, &result) == RBL_OK;
		s->is_right &= result.begun.count == result.pair_count && result.ended.count == 0;
	}
	s->is_right &= result.was_reset == !is_fine;
	s->is_right &= result.pair_count == count_by_force(s);
	s->is_right &= overlaps_are_right(s);
}

static void add(scene *s, faulty_allocator *memory, int first, int count)
{
	if (!went_well(s, memory, rbl_broadphase_add(s->bp, s->defs + first, count, s->ids + first)))
		s->is_right &= rbl_broadphase_add(s->bp, s->defs + first, count, s->ids + first) == RBL_OK;
	for (int i = first; i < first + count; ++i)
		s->is_there[i] = true;
}

static void move_some(scene *s, faulty_allocator *memory, rbl_random *random, int stride)
{
	rbl_proxy_id ids[COUNT];
	rbl_box boxes[COUNT];
	int count = 0;
	for (int i = 0; i < COUNT; i += stride) {
		if (!s->is_there[i])
			continue;
		ids[count] = s->ids[i];
		boxes[count++] = box_at(random);
	}
	if (!went_well(s, memory, rbl_broadphase_move(s->bp, ids, boxes, count)))
		s->is_right &= rbl_broadphase_move(s->bp, ids, boxes, count) == RBL_OK;
	for (int i = 0, k = 0; i < COUNT; i += stride) {
		if (s->is_there[i])
			s->defs[i].box = boxes[k++];
	}
}

// A little of everything: build, few movers, many movers, removal, replacement, operators.
static void play(scene *s, faulty_allocator *memory)
{
	rbl_random random = rbl_random_from_seed(4);
	add(s, memory, 0, SECOND);
	update(s, memory);
	move_some(s, memory, &random, 17);
	update(s, memory);
	move_some(s, memory, &random, 2);
	update(s, memory);
	if (!went_well(s, memory, rbl_broadphase_remove(s->bp, s->ids, 60)))
		s->is_right &= rbl_broadphase_remove(s->bp, s->ids, 60) == RBL_OK;
	for (int i = 0; i < 60; ++i)
		s->is_there[i] = false;
	update(s, memory);
	int parts = COUNT - SECOND;
	rbl_proxy_def *defs = s->defs + SECOND;
	rbl_proxy_id *ids = s->ids + SECOND;
	if (!went_well(s, memory, rbl_broadphase_replace(s->bp, s->ids[100], defs, parts, ids)))
		s->is_right &= rbl_broadphase_replace(s->bp, s->ids[100], defs, parts, ids) == RBL_OK;
	s->is_there[100] = false;
	for (int i = SECOND; i < COUNT; ++i)
		s->is_there[i] = true;
	for (int i = 0; i < 6; ++i)
		update(s, memory);
}

static scene new_scene(void)
{
	scene s = { .is_right = true };
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < COUNT; ++i) {
		s.defs[i] = rbl_default_proxy_def();
		s.defs[i].box = box_at(&random);
		s.defs[i].is_static = i % 6 == 0;
		s.defs[i].filter.category = 1u << (i % 3);
	}
	return s;
}

static rbl_broadphase_def def_of(int variant)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = variant == 0 ? RBL_BROADPHASE_TREE : RBL_BROADPHASE_BSP;
	def.work_budget = -1;
	def.capacity_hint = variant == 1 ? 100 : 0;
	def.bsp.split_threshold = 32;
	def.bsp.max_redundancy = 1.0f;
	def.bsp.evaluation_interval = 1;
	def.bsp.direction_count = variant == 2 ? 8 : 3;
	return def;
}

// The n-th allocation fails, for every n, in whichever call it happens to be.
static void every_allocation_may_fail(test *t)
{
	for (int variant = 0; variant < 3; ++variant) {
		int failures = 0;
		bool was_silent = false;
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_broadphase_def def = def_of(variant);
			def.allocator = FAULTY(&memory);
			scene s = new_scene();
			if (rbl_create_broadphase(&def, &s.bp) == RBL_OK) {
				play(&s, &memory);
				CHECK(t, s.is_right);
				// Room that cannot be given back is kept in silence, by the BSP alone, and only
				// when nothing after it allocates: from there on every n is silent.
				bool is_silent = memory.failed && s.failures == 0;
				CHECK(t, s.failures == (memory.failed && !is_silent ? 1 : 0));
				CHECK(t, !is_silent || def.kind == RBL_BROADPHASE_BSP);
				CHECK(t, is_silent || !was_silent || !memory.failed);
				was_silent |= is_silent;
				failures += s.failures;
			} else {
				CHECK(t, s.bp == NULL && memory.failed);
			}
			rbl_destroy_broadphase(s.bp);
			CHECK(t, memory.live_bytes == 0 && memory.live_count == 0);
			if (!memory.failed)
				break;
		}
		CHECK(t, failures > 30);
	}
}

// Boxes on a circle: after one round everything was everywhere, and nothing more is allocated.
static void steady_state_allocates_nothing(test *t)
{
	enum { BODIES = 1500, ROUND = 48 };
	static rbl_proxy_def defs[BODIES];
	static rbl_proxy_id ids[BODIES];
	static rbl_box boxes[BODIES];
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		faulty_allocator memory;
		faulty_init(&memory, 1ll << 40);
		rbl_broadphase_def def = rbl_default_broadphase_def();
		def.kind = (rbl_broadphase_kind)kind;
		def.work_budget = 0; // operators make leaves as they need them
		def.allocator = FAULTY(&memory);
		rbl_broadphase *bp;
		CHECK(t, rbl_create_broadphase(&def, &bp) == RBL_OK);
		long long before = 0;
		for (int step = 0; step < 4 * ROUND; ++step) {
			int phase = step % ROUND < ROUND / 2 ? step % ROUND : ROUND - step % ROUND;
			for (int i = 0; i < BODIES; ++i) {
				float speed = 0.02f * (float)(i % 7);
				rbl_vec3 p = { (float)(i % 12) + speed * (float)phase, (float)(i / 12 % 12),
					           (float)(i / 144) };
				boxes[i] = (rbl_box){ p, { p.x + 0.95f, p.y + 0.95f, p.z + 0.95f } };
				defs[i] = rbl_default_proxy_def();
				defs[i].box = boxes[i];
			}
			rbl_broadphase_result result;
			if (step == 0)
				CHECK(t, rbl_broadphase_add(bp, defs, BODIES, ids) == RBL_OK);
			CHECK(t, rbl_broadphase_move(bp, ids, boxes, BODIES) == RBL_OK);
			CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
			if (step == 2 * ROUND)
				before = memory.total_count;
		}
		CHECK(t, memory.total_count == before);
		rbl_destroy_broadphase(bp);
		CHECK(t, memory.live_bytes == 0);
	}
}

// The bytes that statistics report are those that were allocated; a burst is given back.
static void bytes_are_those_allocated(test *t)
{
	enum { BODIES = 5000 };
	static rbl_proxy_def defs[BODIES];
	static rbl_proxy_id ids[BODIES];
	rbl_random random = rbl_random_from_seed(8);
	for (int i = 0; i < BODIES; ++i) {
		defs[i] = rbl_default_proxy_def();
		defs[i].box = box_at(&random);
		defs[i].box.upper = rbl_lerp(defs[i].box.lower, defs[i].box.upper, 0.3f);
	}
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		faulty_allocator memory;
		faulty_init(&memory, 1ll << 40);
		rbl_broadphase_def def = rbl_default_broadphase_def();
		def.kind = (rbl_broadphase_kind)kind;
		def.allocator = FAULTY(&memory);
		rbl_broadphase *bp;
		rbl_broadphase_result result;
		CHECK(t, rbl_create_broadphase(&def, &bp) == RBL_OK);
		CHECK(t, rbl_broadphase_add(bp, defs, BODIES, ids) == RBL_OK);
		long long built = 0;
		for (int step = 0; step < 200; ++step) {
			CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
			double counted = (double)rbl_broadphase_get_stats(bp).bytes;
			CHECK_NEAR(t, counted / (double)memory.live_bytes, 1.0, 0.05);
			if (step == 0)
				built = memory.live_bytes;
		}
		CHECK(t, memory.live_bytes < built * 9 / 10);
		int pair_count = result.pair_count; // and it works on
		CHECK(t, rbl_broadphase_move(bp, ids, &defs[1].box, 1) == RBL_OK);
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK && result.pair_count != pair_count);
		rbl_destroy_broadphase(bp);
	}
}

TEST_MAIN(TEST(bytes_are_those_allocated), TEST(every_allocation_may_fail),
          TEST(steady_state_allocates_nothing))
