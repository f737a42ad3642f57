// SPDX-License-Identifier: MIT
// ctest: soak
// Worlds that break lesser structures: thousands of boxes at one place, boxes that hold everything,
// nothing but static boxes, places far from the origin, growth to 100,000 and back to nothing.

#include "base/random.h"
#include "base/sort.h"
#include "base/vec.h"

#include <rubble/broadphase.h>

#include "test.h"

#include <float.h>

static rbl_broadphase *make(test *t, int kind)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.kind = (rbl_broadphase_kind)kind;
	rbl_broadphase *bp;
	CHECK(t, rbl_create_broadphase(&def, &bp) == RBL_OK);
	return bp;
}

// A world of boxes with their ids.
typedef struct world {
	rbl_broadphase *bp;
	rbl_proxy_def *defs;
	rbl_proxy_id *ids;
	rbl_box *boxes;
	int count;
} world;

static world make_world(test *t, int kind, int count)
{
	size_t n = (size_t)count;
	world w = { make(t, kind), calloc(n, sizeof *w.defs), calloc(n, sizeof *w.ids),
		        calloc(n, sizeof *w.boxes), count };
	for (int i = 0; i < count; ++i)
		w.defs[i] = rbl_default_proxy_def();
	return w;
}

static void free_world(world *w)
{
	rbl_destroy_broadphase(w->bp);
	free(w->defs);
	free(w->ids);
	free(w->boxes);
}

static bool start(world *w)
{
	for (int i = 0; i < w->count; ++i)
		w->defs[i].box = w->boxes[i];
	return rbl_broadphase_add(w->bp, w->defs, w->count, w->ids) == RBL_OK;
}

// Sort along x and sweep: fast enough to count the pairs of 100,000 boxes.
static int64_t count_by_sweep(const world *w, int first)
{
	int n = w->count - first;
	rbl_sort_item *items = malloc(2 * (size_t)n * sizeof *items + 1);
	for (int i = 0; i < n; ++i)
		items[i] = (rbl_sort_item){ rbl_sort_key_float(w->boxes[first + i].lower.x),
			                        (uint32_t)(first + i) };
	rbl_sort(items, items + n, n);
	int64_t count = 0;
	for (int i = 0; i < n; ++i) {
		rbl_box a = w->boxes[items[i].value];
		for (int k = i + 1; k < n && w->boxes[items[k].value].lower.x <= a.upper.x; ++k)
			count += rbl_box_overlaps(a, w->boxes[items[k].value]) &&
			         !(w->defs[items[i].value].is_static && w->defs[items[k].value].is_static);
	}
	free(items);
	return count;
}

static bool update_is_right(world *w, int first)
{
	rbl_broadphase_result result;
	return rbl_broadphase_update(w->bp, &result) == RBL_OK &&
	       result.pair_count == count_by_sweep(w, first);
}

// No plane can part them; the structure must see that and stop trying.
static void thousands_at_one_place(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		world w = make_world(t, kind, 1800);
		for (int i = 0; i < w.count; ++i)
			w.boxes[i] = (rbl_box){ { 1, 2, 3 }, { 2, 3, 4 } };
		CHECK(t, start(&w));
		for (int step = 0; step < 3; ++step)
			CHECK(t, update_is_right(&w, 0));
		CHECK(t, rbl_broadphase_get_stats(w.bp).depth <= 24);
		// And points at one place.
		for (int i = 0; i < w.count; ++i)
			w.boxes[i].upper = w.boxes[i].lower;
		CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
		CHECK(t, update_is_right(&w, 0));
		// Until they fly apart.
		for (int i = 0; i < w.count; ++i) {
			w.boxes[i].lower.x += (float)i;
			w.boxes[i].upper.x += (float)i;
		}
		CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
		for (int step = 0; step < 12; ++step)
			CHECK(t, update_is_right(&w, 0));
		free_world(&w);
	}
}

static void scatter(world *w, rbl_vec3 centre, float reach, float size)
{
	rbl_random random = rbl_random_from_seed(9);
	for (int i = 0; i < w->count; ++i) {
		rbl_vec3 p = { centre.x + reach * rbl_random_float(&random),
			           centre.y + reach * rbl_random_float(&random),
			           centre.z + reach * rbl_random_float(&random) };
		w->boxes[i] = (rbl_box){ p, { p.x + size, p.y + size, p.z + size } };
	}
}

static void jitter(world *w, rbl_random *random, float amplitude)
{
	for (int i = 0; i < w->count; ++i) {
		float d = amplitude * (rbl_random_float(random) - 0.5f);
		w->boxes[i].lower.x += d, w->boxes[i].upper.x += d;
		w->boxes[i].lower.z -= d, w->boxes[i].upper.z -= d;
	}
}

// What came to rest keeps its pairs, while the structure draws its boxes in.
static void resting_changes_no_pair(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		world w = make_world(t, kind, 3000);
		rbl_random random = rbl_random_from_seed(4);
		scatter(&w, (rbl_vec3){ 0, 0, 0 }, 12.0f, 0.9f);
		CHECK(t, start(&w));
		for (int round = 0; round < 3; ++round) {
			for (int step = 0; step < 5; ++step) {
				CHECK(t, update_is_right(&w, 0));
				jitter(&w, &random, 0.2f);
				CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
			}
			CHECK(t, update_is_right(&w, 0));
			for (int step = 0; step < 150; ++step) {
				rbl_broadphase_result result;
				CHECK(t, rbl_broadphase_update(w.bp, &result) == RBL_OK);
				CHECK(t, result.begun.count == 0 && result.ended.count == 0);
			}
			CHECK(t, update_is_right(&w, 0));
		}
		free_world(&w);
	}
}

static void huge_boxes_pair_with_all(test *t)
{
	const float most = 3e38f;
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		world w = make_world(t, kind, 1500);
		scatter(&w, (rbl_vec3){ 0, 0, 0 }, 12.0f, 0.6f);
		for (int i = 0; i < w.count; i += 300)
			w.boxes[i] = (rbl_box){ { -most, -most, -most }, { most, most, most } };
		for (int i = 1; i < w.count; i += 500)
			w.boxes[i] = (rbl_box){ { -1e5f, 5, -1e5f }, { 1e5f, 5, 1e5f } }; // a flat floor
		CHECK(t, start(&w));
		rbl_random random = rbl_random_from_seed(1);
		for (int step = 0; step < 12; ++step) {
			CHECK(t, update_is_right(&w, 0));
			for (int i = 2; i < w.count; i += 300) { // the rest stays
				w.boxes[i].lower.x -= rbl_random_float(&random);
				w.boxes[i].upper.x += rbl_random_float(&random);
			}
			CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
		}
		free_world(&w);
	}
}

static void static_boxes_never_pair(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		world w = make_world(t, kind, 3000);
		scatter(&w, (rbl_vec3){ 0, 0, 0 }, 10.0f, 1.0f);
		for (int i = 0; i < w.count; ++i)
			w.defs[i].is_static = true;
		CHECK(t, start(&w));
		rbl_random random = rbl_random_from_seed(1);
		for (int step = 0; step < 8; ++step) {
			rbl_broadphase_result result;
			CHECK(t, rbl_broadphase_update(w.bp, &result) == RBL_OK);
			CHECK(t, result.pair_count == 0 && result.begun.count == 0 && result.ended.count == 0);
			jitter(&w, &random, 1.0f); // they may be moved all the same
			CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
		}
		// One that moves meets what is there.
		rbl_proxy_def def = rbl_default_proxy_def();
		def.box = (rbl_box){ { 2, 2, 2 }, { 6, 6, 6 } };
		rbl_proxy_id id;
		rbl_broadphase_result result;
		int expected = 0;
		for (int i = 0; i < w.count; ++i)
			expected += rbl_box_overlaps(def.box, w.boxes[i]);
		CHECK(t, rbl_broadphase_add(w.bp, &def, 1, &id) == RBL_OK);
		CHECK(t, rbl_broadphase_update(w.bp, &result) == RBL_OK);
		CHECK(t, expected > 50 && result.pair_count == expected);
		free_world(&w);
	}
}

// Where coordinates have steps of 1/16 m or more, a margin may vanish in rounding.
static void worlds_far_from_the_origin(test *t)
{
	static const rbl_vec3 centres[] = { { 1e6f, -1e6f, 1e6f }, { 0, 3e7f, 0 }, { -1e30f, 0, 0 } };
	static const float reaches[] = { 20.0f, 100.0f, 1e27f };
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		for (int place = 0; place < 3; ++place) {
			world w = make_world(t, kind, 1500);
			scatter(&w, centres[place], reaches[place], 0.06f * reaches[place]);
			CHECK(t, start(&w));
			rbl_random random = rbl_random_from_seed(2);
			for (int step = 0; step < 10; ++step) {
				CHECK(t, update_is_right(&w, 0));
				jitter(&w, &random, 0.05f * reaches[place]);
				CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
			}
			free_world(&w);
		}
	}
}

// Growing to 100,000 in steps and shrinking to zero; the share of the plain suite is smaller.
static void growing_and_shrinking_to_zero(test *t)
{
	int most = test_count(20000, 100000), stride = most / 10;
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		world w = make_world(t, kind, most);
		scatter(&w, (rbl_vec3){ 0, 0, 0 }, 40.0f, 0.7f);
		for (int i = 0; i < most; ++i) {
			w.defs[i].box = w.boxes[i];
			w.defs[i].is_static = i % 10 == 0;
		}
		for (w.count = stride; w.count <= most; w.count += stride) {
			int first = w.count - stride;
			CHECK(t, rbl_broadphase_add(w.bp, w.defs + first, stride, w.ids + first) == RBL_OK);
			CHECK(t, update_is_right(&w, 0));
		}
		w.count = most;
		size_t full = rbl_broadphase_get_stats(w.bp).bytes;
		for (int first = stride; first <= most; first += stride) {
			CHECK(t, rbl_broadphase_remove(w.bp, w.ids + first - stride, stride) == RBL_OK);
			CHECK(t, update_is_right(&w, first));
		}
		rbl_broadphase_stats stats = rbl_broadphase_get_stats(w.bp);
		CHECK(t, stats.proxies == 0 && stats.bytes <= 2 * full);
		// And it lives again.
		CHECK(t, rbl_broadphase_add(w.bp, w.defs, stride, w.ids) == RBL_OK);
		w.count = stride;
		CHECK(t, update_is_right(&w, 0));
		free_world(&w);
	}
}

// A coordinate of any size that a float has.
static float any_size(rbl_random *random)
{
	static const float sizes[6] = { 1.0f, 1e10f, 1e30f, 1e38f, 2.5e38f, FLT_MAX };
	float size = sizes[rbl_random_below(random, 6)];
	return size * (2.0f * rbl_random_float(random) - 1.0f);
}

// Regression: boxes of a moving body grew beyond the largest float, and the sweep of a list ran
// past its end.
static void boxes_as_large_as_floats(test *t)
{
	for (int kind = 0; kind < RBL_BROADPHASE_KIND_COUNT; ++kind) {
		world w = make_world(t, kind, 60);
		rbl_random random = rbl_random_from_seed(21);
		for (int step = 0; step < 200; ++step) {
			for (int i = 0; i < w.count; ++i) {
				rbl_vec3 a = { any_size(&random), any_size(&random), any_size(&random) };
				rbl_vec3 b = { any_size(&random), any_size(&random), any_size(&random) };
				if (step == 0 || rbl_random_below(&random, 4) == 0)
					w.boxes[i] = (rbl_box){ rbl_min(a, b), rbl_max(a, b) };
			}
			if (step == 0)
				CHECK(t, start(&w));
			else
				CHECK(t, rbl_broadphase_move(w.bp, w.ids, w.boxes, w.count) == RBL_OK);
			CHECK(t, update_is_right(&w, 0));
		}
		free_world(&w);
	}
}

TEST_MAIN(TEST(boxes_as_large_as_floats), TEST(thousands_at_one_place),
          TEST(resting_changes_no_pair), TEST(huge_boxes_pair_with_all),
          TEST(static_boxes_never_pair), TEST(worlds_far_from_the_origin),
          TEST(growing_and_shrinking_to_zero))
