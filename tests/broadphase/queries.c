// SPDX-License-Identifier: MIT
// Queries equal brute force, for every kind: with filters, with boxes that changed since the last
// update, stopped early, and each box at most once.

#include "base/random.h"
#include "base/vec.h"

#include <rubble/broadphase.h>

#include "test.h"

enum { BOXES = 700 };

typedef struct scene {
	rbl_broadphase *bp;
	rbl_proxy_id ids[BOXES];
	rbl_box boxes[BOXES]; // by slot
	rbl_filter filters[BOXES];
	bool is_there[BOXES];
	rbl_random random;
} scene;

static float between(rbl_random *random, float low, float high)
{
	return low + (high - low) * rbl_random_float(random);
}

static rbl_vec3 random_point(rbl_random *random, float reach)
{
	return (rbl_vec3){ between(random, -reach, reach), between(random, -reach, reach),
		               between(random, -reach, reach) };
}

static rbl_box random_box(rbl_random *random)
{
	rbl_vec3 p = random_point(random, 9.0f);
	float half = rbl_random_below(random, 40) == 0 ? 12.0f : between(random, 0.0f, 0.8f);
	if (rbl_random_below(random, 8) == 0) // faces on whole numbers, where planes and queries end
		p = (rbl_vec3){ floorf(p.x), floorf(p.y), floorf(p.z) }, half = 1.0f;
	rbl_vec3 h = { half, half, half };
	return (rbl_box){ rbl_sub(p, h), rbl_add(p, h) };
}

static const rbl_filter filters[] = {
	{ 1, UINT32_MAX, 0 }, { 2, 1, 0 }, { 4, 6, -3 }, { 1, 1, 7 }
};

static rbl_broadphase_def def_of(int variant)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = variant == 0 ? RBL_BROADPHASE_TREE : RBL_BROADPHASE_BSP;
	def.work_budget = variant == 3 ? 0 : -1;
	def.bsp.split_threshold = 24;
	def.bsp.max_redundancy = 1.0f;
	def.bsp.direction_count = variant == 2 ? 12 : 3;
	return def;
}

enum { VARIANTS = 4 };

// Boxes that were updated, then some of them moved, removed or new.
static void open_scene(test *t, scene *s, int variant, bool has_changes)
{
	*s = (scene){ .random = rbl_random_from_seed(11) };
	rbl_broadphase_def def = def_of(variant);
	CHECK(t, rbl_create_broadphase(&def, &s->bp) == RBL_OK);
	rbl_proxy_def defs[BOXES];
	for (int i = 0; i < BOXES; ++i) {
		defs[i] = rbl_default_proxy_def();
		defs[i].box = random_box(&s->random);
		defs[i].filter = filters[rbl_random_below(&s->random, 4)];
		defs[i].is_static = i % 5 == 0;
		defs[i].user = (uint64_t)i;
	}
	int early = BOXES - 50;
	rbl_broadphase_result result;
	CHECK(t, rbl_broadphase_add(s->bp, defs, early, s->ids) == RBL_OK);
	for (int k = 0; k < 12; ++k)
		CHECK(t, rbl_broadphase_update(s->bp, &result) == RBL_OK);
	CHECK(t, rbl_broadphase_add(s->bp, defs + early, 50, s->ids + early) == RBL_OK);
	if (!has_changes)
		CHECK(t, rbl_broadphase_update(s->bp, &result) == RBL_OK);
	for (int i = 0; i < BOXES; ++i) {
		uint32_t slot = rbl_proxy_slot(s->ids[i]);
		s->boxes[slot] = defs[i].box;
		s->filters[slot] = defs[i].filter;
		s->is_there[slot] = true;
	}
	for (int i = 0; i < BOXES && has_changes; i += 9) {
		uint32_t slot = rbl_proxy_slot(s->ids[i]);
		s->boxes[slot] = random_box(&s->random);
		CHECK(t, rbl_broadphase_move(s->bp, &s->ids[i], &s->boxes[slot], 1) == RBL_OK);
	}
	for (int i = 0; i < BOXES && has_changes; i += 14) {
		s->is_there[rbl_proxy_slot(s->ids[i])] = false;
		CHECK(t, rbl_broadphase_remove(s->bp, &s->ids[i], 1) == RBL_OK);
	}
}

static bool allows(const rbl_filter *a, rbl_filter b)
{
	if (!a)
		return true;
	if (a->group != 0 && a->group == b.group)
		return a->group > 0;
	return (a->category & b.mask) && (b.category & a->mask);
}

typedef struct hits {
	int count[BOXES];
	float fraction[BOXES];
	int total, stop_after;
	float closest;
	bool wants_closest;
} hits;

static bool on_overlap(void *context, uint32_t slot)
{
	hits *h = context;
	h->count[slot]++;
	return ++h->total != h->stop_after;
}

static float on_cast(void *context, uint32_t slot, float fraction)
{
	hits *h = context;
	h->count[slot]++;
	h->fraction[slot] = fraction;
	if (fraction < h->closest)
		h->closest = fraction;
	if (++h->total == h->stop_after)
		return 0.0f;
	return h->wants_closest ? fraction : 1.0f;
}

static void overlaps_equal_brute_force(test *t)
{
	for (int round = 0; round < 2 * VARIANTS; ++round) {
		scene s;
		open_scene(t, &s, round / 2, round % 2);
		int found = 0;
		for (int q = 0; q < 120; ++q) {
			rbl_box box = random_box(&s.random);
			const rbl_filter *filter = q % 3 ? &filters[q % 4] : NULL;
			hits h = { 0 };
			CHECK(t, rbl_broadphase_overlap(s.bp, box, filter, on_overlap, &h) == RBL_OK);
			for (int slot = 0; slot < BOXES; ++slot) {
				bool is_hit = s.is_there[slot] && rbl_box_overlaps(box, s.boxes[slot]) &&
				              allows(filter, s.filters[slot]);
				CHECK(t, h.count[slot] == is_hit);
				found += is_hit;
			}
		}
		CHECK(t, found > 500);
		rbl_destroy_broadphase(s.bp);
	}
}

// The cast is cut into a thousand parts: brute force is slow and rough, so only clear cases count.
static bool clearly_meets(rbl_box box, rbl_vec3 translation, rbl_box target, float shrink)
{
	rbl_box smaller = rbl_box_grow(target, -shrink);
	for (int k = 0; k <= 1000; ++k) {
		rbl_vec3 at = rbl_scale((float)k * 0.001f, translation);
		rbl_box moved = { rbl_add(box.lower, at), rbl_add(box.upper, at) };
		if (smaller.lower.x <= smaller.upper.x && rbl_box_overlaps(moved, smaller))
			return true;
	}
	return false;
}

static void casts_equal_brute_force(test *t)
{
	for (int round = 0; round < 2 * VARIANTS; ++round) {
		scene s;
		open_scene(t, &s, round / 2, round % 2);
		int found = 0;
		for (int q = 0; q < 30; ++q) {
			rbl_vec3 from = random_point(&s.random, 12.0f),
					 translation = random_point(&s.random, 30.0f);
			if (q % 5 == 0)
				translation.x = translation.z = 0.0f; // along an axis
			if (q == 7)
				translation = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
			float half = q % 2 ? between(&s.random, 0.0f, 2.0f) : 0.0f; // box or ray
			rbl_box box = rbl_box_grow((rbl_box){ from, from }, half);
			const rbl_filter *filter = q % 3 ? NULL : &filters[q % 4];
			hits h = { .closest = 2.0f };
			CHECK(t, rbl_broadphase_cast(s.bp, box, translation, filter, on_cast, &h) == RBL_OK);
			for (int slot = 0; slot < BOXES; ++slot) {
				bool may = s.is_there[slot] && allows(filter, s.filters[slot]);
				CHECK(t, h.count[slot] <= may); // once, and only what is there
				if (!h.count[slot])
					CHECK(t, !may || !clearly_meets(box, translation, s.boxes[slot], 0.05f));
				if (!h.count[slot])
					continue;
				found++;
				rbl_vec3 at = rbl_scale(h.fraction[slot], translation);
				rbl_box moved = { rbl_add(box.lower, at), rbl_add(box.upper, at) };
				CHECK(t, rbl_box_overlaps(rbl_box_grow(moved, 1e-4f), s.boxes[slot]));
				CHECK(t, h.fraction[slot] == 0.0f ||
				             !rbl_box_overlaps(box, rbl_box_grow(s.boxes[slot], -1e-4f)));
			}
			hits nearest = { .closest = 2.0f, .wants_closest = true };
			CHECK(t,
			      rbl_broadphase_cast(s.bp, box, translation, filter, on_cast, &nearest) == RBL_OK);
			CHECK(t, nearest.closest == h.closest);
			CHECK(t, nearest.total <= h.total);
		}
		CHECK(t, found > 100);
		rbl_destroy_broadphase(s.bp);
	}
}

static void queries_stop_when_told(test *t)
{
	const rbl_box all = { { -100, -100, -100 }, { 100, 100, 100 } };
	const rbl_vec3 translation = { 1.0f, 2.0f, 3.0f };
	for (int round = 0; round < 2 * VARIANTS; ++round) {
		scene s;
		open_scene(t, &s, round / 2, round % 2);
		for (int most = 1; most < 200; most += 66) {
			hits h = { .stop_after = most }, c = { .stop_after = most };
			CHECK(t, rbl_broadphase_overlap(s.bp, all, NULL, on_overlap, &h) == RBL_OK);
			CHECK(t, h.total == most);
			CHECK(t, rbl_broadphase_cast(s.bp, all, translation, NULL, on_cast, &c) == RBL_OK);
			CHECK(t, c.total == most);
		}
		rbl_destroy_broadphase(s.bp);
	}
}

// Kinds differ in order, not in what they find; one kind repeats its order.
static void queries_repeat_their_order(test *t)
{
	for (int variant = 0; variant < VARIANTS; ++variant) {
		scene a, b;
		open_scene(t, &a, variant, true);
		open_scene(t, &b, variant, true);
		const rbl_box box = { { -9, -9, -9 }, { 9, 9, 9 } };
		for (int most = 1; most < 60; ++most) {
			hits x = { .stop_after = most }, y = { .stop_after = most };
			rbl_broadphase_overlap(a.bp, box, NULL, on_overlap, &x);
			rbl_broadphase_overlap(b.bp, box, NULL, on_overlap, &y);
			CHECK(t, memcmp(x.count, y.count, sizeof x.count) == 0);
		}
		rbl_destroy_broadphase(a.bp);
		rbl_destroy_broadphase(b.bp);
	}
}

TEST_MAIN(TEST(overlaps_equal_brute_force), TEST(casts_equal_brute_force),
          TEST(queries_stop_when_told), TEST(queries_repeat_their_order))
