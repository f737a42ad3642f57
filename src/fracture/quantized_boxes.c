// SPDX-License-Identifier: MIT
//
// Boxes of doubles for trees of floats.
//
// Coordinates that are scaled to floats resolve 1e-7 of the whole. A break at one place of a large
// body makes thousands of pieces smaller than that, and to a tree each of them overlaps all
// others. Whether two boxes overlap depends on the order of their coordinates alone, so where many
// boxes are small each coordinate is replaced by its rank: an integer that a float holds exactly
// (past 2^24 of them it is rounded outward). A cluster of small boxes then takes as much of the
// tree as its number, not its size. Elsewhere scaling is as good, and saves the sorting, which was
// a sixth of the time of a small break.

#include "fracture/quantized_boxes.h"

#include "base/axis.h"
#include "base/sort.h"
#include "base/vec.h"

// Boxes of which two sides are smaller than this share of all are small; some of them do not
// matter.
static const double small_share = 1e-5;
enum { SOME = 64 };

static double longest_side(rbl_boxd box)
{
	rbl_vec3d size = rbl_box_size_d(box);
	return rbl_maxd(size.x, rbl_maxd(size.y, size.z));
}

// Of three sides the second: that of a needle is short.
static double middle_side(rbl_boxd box)
{
	rbl_vec3d size = rbl_box_size_d(box);
	double low = rbl_mind(size.x, size.y), high = rbl_maxd(size.x, size.y);
	return rbl_clampd(size.z, low, high);
}

// The ranks along one axis. Items have capacity for twice the number of coordinates.
static void rank_axis(const rbl_boxd *boxes, int count, int axis, rbl_sort_item64 *items,
                      rbl_box *out)
{
	int n = 2 * count;
	for (int i = 0; i < count; ++i) {
		double lower = rbl_axis_d(boxes[i].lower, axis) + 0.0; // one zero
		double upper = rbl_axis_d(boxes[i].upper, axis) + 0.0;
		items[2 * i] = (rbl_sort_item64){ rbl_sort_key_double(lower), (uint32_t)i, 0 };
		items[2 * i + 1] = (rbl_sort_item64){ rbl_sort_key_double(upper), (uint32_t)i, 1 };
	}
	rbl_sort64(items, items + n, n);
	double place = 0.0;
	for (int i = 0; i < n; ++i) {
		place += i > 0 && items[i].key != items[i - 1].key;
		rbl_box *box = &out[items[i].value];
		if (items[i].extra)
			rbl_set_axis(&box->upper, axis, rbl_float_above(place));
		else
			rbl_set_axis(&box->lower, axis, rbl_float_below(place));
	}
}

static void scale_boxes(const rbl_boxd *boxes, int count, rbl_boxd all, rbl_box *out)
{
	rbl_vec3d origin = rbl_box_centre_d(all);
	double scale = 1.0 / longest_side(all);
	for (int i = 0; i < count; ++i) { // no coordinate is beyond 0.5, and rounding moves it by 3e-8
		rbl_vec3d lower = rbl_scale_d(scale, rbl_sub_d(boxes[i].lower, origin));
		rbl_vec3d upper = rbl_scale_d(scale, rbl_sub_d(boxes[i].upper, origin));
		out[i] = rbl_box_grow((rbl_box){ rbl_to_f(lower), rbl_to_f(upper) }, 1e-7f);
	}
}

bool rbl_quantize_boxes(const rbl_allocator *allocator, const rbl_boxd *boxes, int count,
                        rbl_box *out)
{
	rbl_boxd all = rbl_box_empty_d();
	int small_count = 0;
	for (int i = 0; i < count; ++i)
		all = rbl_box_join_d(all, boxes[i]);
	double limit = small_share * longest_side(all);
	for (int i = 0; i < count; ++i)
		small_count += middle_side(boxes[i]) < limit;
	if (small_count <= SOME && limit > 0.0) {
		scale_boxes(boxes, count, all, out);
		return true;
	}
	size_t capacity = 4 * (size_t)count + 1;
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, capacity);
	if (!items)
		return false;
	for (int axis = 0; axis < 3; ++axis)
		rank_axis(boxes, count, axis, items, out);
	RBL_FREE(allocator, items, capacity);
	return true;
}
