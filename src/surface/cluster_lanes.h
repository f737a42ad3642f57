// SPDX-License-Identifier: MIT
// Boxes of the eight triangles of a cluster: in ten bits for each bound, and back. For kernels
// only.
//
// A bound is kept as its distance from that side of the cluster's box, in steps of 1/1023 of the
// box, rounded down: what is read back contains the triangle. With u = 2^-24, a distance of n steps
// is found as at most n (1 + u)^4 (1 - 2^-20), so the product of steps that is read back, rounding
// included, is not above the distance, and then the sum is not beyond the bound, since rounding is
// monotonous. Boxes without a size that floats can divide have steps of 0: their triangles have the
// whole box.
#pragma once

#include "surface/surface.h"

#include "base/simd.h"

enum { LANE_STEPS = 1023, LANE_BITS = 10 };

/// Sides and steps of a cluster's box along x, y and z; the fourth of each is anything.
typedef struct lane_scale {
	float low[4], high[4], step[4];
} lane_scale;

static inline void find_scale(lane_scale *scale, rbl_f4 low, rbl_f4 high)
{
	rbl_f4 size = rbl_f4_sub(high, low);
	rbl_i4 is_good =
		rbl_i4_and(rbl_f4_gt(size, rbl_f4_splat(1e-27f)), rbl_f4_lt(size, rbl_f4_splat(1e38f)));
	rbl_f4 step = rbl_f4_mul(size, rbl_f4_splat(1.0f / (float)LANE_STEPS));
	rbl_f4_store(scale->low, low);
	rbl_f4_store(scale->high, high);
	rbl_f4_store(scale->step, rbl_f4_select(is_good, step, rbl_f4_zero()));
}

static inline rbl_f8 lower_at(const lane_scale *scale, int k, rbl_i8 count)
{
	return rbl_f8_add(rbl_f8_splat(scale->low[k]),
	                  rbl_f8_mul(rbl_i8_to_float(count), rbl_f8_splat(scale->step[k])));
}

static inline rbl_f8 upper_at(const lane_scale *scale, int k, rbl_i8 count)
{
	return rbl_f8_sub(rbl_f8_splat(scale->high[k]),
	                  rbl_f8_mul(rbl_i8_to_float(count), rbl_f8_splat(scale->step[k])));
}

/// Steps that fit between a side and bounds, shifted to their place.
static inline rbl_i8 whole_steps(rbl_f8 away, float per_length, int k)
{
	// Infinity times 0 is no number, and counts as 0.
	rbl_f8 count = rbl_f8_max(rbl_f8_mul(away, rbl_f8_splat(per_length)), rbl_f8_zero());
	return rbl_i8_shift_left(rbl_f8_to_int(count), k * LANE_BITS);
}

static inline void store_box(rbl_box *box, rbl_f4 low, rbl_f4 high)
{
	float *p = (float *)box;
	rbl_f4_store(p, low);
	rbl_f4_store(p + 2, rbl_f4_shuffle(low, high, 2, 4, 5, 6));
}

/// Write boxes of triangles into a cluster.
/// @param low_side, high_side  the box of all
static inline void store_lanes(rbl_surface_cluster *cluster, const rbl_f8 lower[3],
                               const rbl_f8 upper[3], rbl_f4 low_side, rbl_f4 high_side)
{
	store_box(&cluster->box, low_side, high_side);
	lane_scale scale;
	find_scale(&scale, low_side, high_side);
	rbl_f4 step = rbl_f4_load(scale.step);
	float per_length[4];
	rbl_f4_store(per_length,
	             rbl_f4_select(rbl_f4_gt(step, rbl_f4_zero()),
	                           rbl_f4_div(rbl_f4_splat(1.0f - 0x1p-20f), step), rbl_f4_zero()));
	rbl_i8 low = rbl_i8_zero(), high = rbl_i8_zero();
	for (int k = 0; k < 3; ++k) {
		rbl_f8 below = rbl_f8_sub(lower[k], rbl_f8_splat(scale.low[k]));
		rbl_f8 above = rbl_f8_sub(rbl_f8_splat(scale.high[k]), upper[k]);
		low = rbl_i8_or(low, whole_steps(below, per_length[k], k));
		high = rbl_i8_or(high, whole_steps(above, per_length[k], k));
	}
	rbl_i8_store(cluster->lower, low);
	rbl_i8_store(cluster->upper, high);
}

/// Read the boxes of a cluster's triangles. Lanes that are not used have any box.
static inline void load_lanes(rbl_surface_lane_boxes *boxes, const rbl_surface_cluster *cluster)
{
	lane_scale scale;
	// Past the box something else of the cluster is read.
	find_scale(&scale, rbl_f4_load(&cluster->box.lower.x), rbl_f4_load(&cluster->box.upper.x));
	rbl_i8 lower = rbl_i8_load(cluster->lower), upper = rbl_i8_load(cluster->upper);
	rbl_i8 ones = rbl_i8_splat(LANE_STEPS);
	for (int k = 0; k < 3; ++k) {
		rbl_i8 low = rbl_i8_and(rbl_i8_shift_right_zero(lower, k * LANE_BITS), ones);
		rbl_i8 high = rbl_i8_and(rbl_i8_shift_right_zero(upper, k * LANE_BITS), ones);
		rbl_f8_store(boxes->lower[k], lower_at(&scale, k, low));
		rbl_f8_store(boxes->upper[k], upper_at(&scale, k, high));
	}
}
