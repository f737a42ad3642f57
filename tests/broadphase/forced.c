// SPDX-License-Identifier: MIT
// ctest: soak
// Streams that force one operator of the BSP each: the operator fires, pairs equal brute force with
// it and without it, and no operator is left that nothing forces.

#include "base/vec.h"
#include "broadphase/broadphase.h"
#include "scenes/streams.h"

#include "test.h"

typedef struct forced {
	const char *name;
	stream_scene scene;
	rbl_broadphase_operator operator;
} forced;

static const forced all[] = {
	{ "split", STREAM_SLABS, RBL_BROADPHASE_SPLIT },
	{ "shift-split", STREAM_CORRIDOR, RBL_BROADPHASE_SHIFT_SPLIT },
	{ "balance", STREAM_TIDE, RBL_BROADPHASE_BALANCE },
	{ "swap", STREAM_CURTAIN, RBL_BROADPHASE_SWAP },
	{ "merge", STREAM_EBB, RBL_BROADPHASE_MERGE },
};

enum { FORCED_COUNT = sizeof all / sizeof all[0] };

static int64_t times_applied(const rbl_broadphase *bp, rbl_broadphase_operator operator)
{
	rbl_broadphase_stats s = rbl_broadphase_get_stats(bp);
	switch (operator) {
	case RBL_BROADPHASE_SPLIT:
		return s.splits;
	case RBL_BROADPHASE_SHIFT_SPLIT:
		return s.shift_splits;
	case RBL_BROADPHASE_MERGE:
		return s.merges;
	case RBL_BROADPHASE_BALANCE:
		return s.balances;
	case RBL_BROADPHASE_SWAP:
		return s.swaps;
	}
	return -1;
}

static bool apply_step(rbl_broadphase *bp, const stream *s, rbl_proxy_id *ids)
{
	bool ok = true;
	for (int i = 0; i < s->destroyed.count; ++i)
		ok &= rbl_broadphase_remove(bp, &ids[s->destroyed.ids[i]], 1) == RBL_OK;
	for (int i = 0; i < s->created.count; ++i) {
		int id = s->created.ids[i];
		rbl_proxy_def def = rbl_default_proxy_def();
		def.box = s->boxes[id];
		def.is_static = s->kinds[id] == STREAM_STATIC;
		ok &= rbl_broadphase_add(bp, &def, 1, &ids[id]) == RBL_OK;
	}
	for (int i = 0; i < s->moved.count; ++i) {
		int id = s->moved.ids[i];
		ok &= rbl_broadphase_move(bp, &ids[id], &s->boxes[id], 1) == RBL_OK;
	}
	return ok;
}

static int count_pairs(const stream *s)
{
	int count = 0;
	for (int a = 0; a < s->id_count; ++a) {
		if (s->kinds[a] == STREAM_FREE)
			continue;
		for (int b = a + 1; b < s->id_count; ++b)
			count += s->kinds[b] != STREAM_FREE &&
			         !(s->kinds[a] == STREAM_STATIC && s->kinds[b] == STREAM_STATIC) &&
			         rbl_box_overlaps(s->boxes[a], s->boxes[b]);
	}
	return count;
}

typedef struct outcome {
	int64_t applied, others; // times that the operator was applied, and the others
	int wrong_steps, checked_pairs;
} outcome;

// Run a stream; `every` so many steps pairs are counted by brute force, 0: never.
static outcome run(test *t, const forced *f, const rbl_broadphase_def *def, unsigned left_out,
                   int count, int steps, int every)
{
	outcome o = { 0 };
	stream s;
	rbl_broadphase *bp;
	CHECK(t, stream_open(&s, f->scene, count, steps, 5));
	CHECK(t, rbl_create_broadphase(def, &bp) == RBL_OK);
	rbl_broadphase_restrict(bp, left_out, 0);
	rbl_proxy_id *ids = calloc((size_t)s.capacity, sizeof *ids);
	while (stream_next(&s)) {
		rbl_broadphase_result result;
		CHECK(t, s.id_count <= s.capacity && apply_step(bp, &s, ids));
		CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
		if (every > 0 && s.step % every == 0) {
			o.wrong_steps += result.pair_count != count_pairs(&s);
			o.checked_pairs += result.pair_count;
		}
	}
	for (int i = 0; i < FORCED_COUNT; ++i) {
		int64_t applied = times_applied(bp, all[i].operator);
		*(all[i].operator== f->operator? &o.applied : & o.others) += applied;
	}
	rbl_destroy_broadphase(bp);
	free(ids);
	stream_close(&s);
	return o;
}

// With the default settings, at a size and over a time at which an operator has to come.
static void each_stream_forces_its_operator(test *t)
{
	unsigned forced_bits = 0;
	for (int i = 0; i < FORCED_COUNT; ++i) {
		rbl_broadphase_def def = rbl_default_broadphase_def();
		outcome o = run(t, &all[i], &def, 0, 3000, test_count(700, 6000), 0);
		CHECK(t, o.applied >= 2);
		if (o.applied < 2)
			printf("%s was applied %d times\n", all[i].name, (int)o.applied);
		forced_bits |= all[i].operator;
	}
	CHECK(t, forced_bits == 31);
}

// Small leaves, planes along axes and slanted ones, and the operator left out.
static void pairs_are_right_with_an_operator_and_without(test *t)
{
	for (int i = 0; i < FORCED_COUNT; ++i) {
		for (int directions = 3; directions <= 9; directions += 6) {
			rbl_broadphase_def def = rbl_default_broadphase_def();
			def.bsp.direction_count = directions;
			def.bsp.split_threshold = 32;
			def.work_budget = 300;
			for (int without = 0; without < 2; ++without) {
				unsigned left_out = without ? (unsigned)all[i].operator: 0;
				outcome o = run(t, &all[i], &def, left_out, 400, test_count(650, 3000), 10);
				CHECK(t, o.wrong_steps == 0 && o.checked_pairs > 1000);
				CHECK(t, without ? o.applied == 0 && o.others > 0 : o.applied >= 2);
				if (without ? o.others == 0 : o.applied < 2)
					printf("%s, %d directions: %d and %d others\n", all[i].name, directions,
					       (int)o.applied, (int)o.others);
			}
		}
	}
}

// A tree that is built anew all the time, and one that never changes, find the same pairs.
static void built_and_frozen_trees_find_the_same_pairs(test *t)
{
	for (int i = 0; i < FORCED_COUNT; ++i) {
		for (int interval = 0; interval <= 7; interval += 7) {
			rbl_broadphase_def def = rbl_default_broadphase_def();
			def.bsp.split_threshold = 32;
			def.work_budget = 0;
			stream s;
			rbl_broadphase *bp;
			CHECK(t, stream_open(&s, all[i].scene, 300, 200, 6));
			CHECK(t, rbl_create_broadphase(&def, &bp) == RBL_OK);
			rbl_broadphase_restrict(bp, 0, interval);
			rbl_proxy_id *ids = calloc((size_t)s.capacity, sizeof *ids);
			while (stream_next(&s)) {
				rbl_broadphase_result result;
				CHECK(t, apply_step(bp, &s, ids));
				CHECK(t, rbl_broadphase_update(bp, &result) == RBL_OK);
				CHECK(t, s.step % 4 != 0 || result.pair_count == count_pairs(&s));
			}
			CHECK(t, rbl_broadphase_get_stats(bp).rebuilds == (interval ? 200 / 7 + 1 : 0));
			rbl_destroy_broadphase(bp);
			free(ids);
			stream_close(&s);
		}
	}
}

TEST_MAIN(TEST(each_stream_forces_its_operator), TEST(pairs_are_right_with_an_operator_and_without),
          TEST(built_and_frozen_trees_find_the_same_pairs))
