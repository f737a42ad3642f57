// SPDX-License-Identifier: MIT
// Kernels of the lane benchmarks.

#include "base_lanes.h"

#include "base/simd.h"

int RBL_KERNEL(bench_count_overlaps)(const lane_boxes *boxes, int query)
{
	rbl_f8 lower[3], upper[3];
	for (int axis = 0; axis < 3; ++axis) {
		lower[axis] = rbl_f8_splat(boxes->lower[axis][query]);
		upper[axis] = rbl_f8_splat(boxes->upper[axis][query]);
	}
	rbl_i8 total = rbl_i8_zero();
	for (int i = 0; i < boxes->count; i += 8) {
		rbl_i8 hit = rbl_f8_le(rbl_f8_load(boxes->lower[0] + i), upper[0]);
		hit = rbl_i8_and(hit, rbl_f8_ge(rbl_f8_load(boxes->upper[0] + i), lower[0]));
		for (int axis = 1; axis < 3; ++axis) {
			hit = rbl_i8_and(hit, rbl_f8_le(rbl_f8_load(boxes->lower[axis] + i), upper[axis]));
			hit = rbl_i8_and(hit, rbl_f8_ge(rbl_f8_load(boxes->upper[axis] + i), lower[axis]));
		}
		total = rbl_i8_sub(total, hit); // a hit is -1
	}
	int32_t lanes[8];
	rbl_i8_store(lanes, total);
	int count = 0;
	for (int i = 0; i < 8; ++i)
		count += lanes[i];
	return count;
}

float RBL_KERNEL(bench_sum_squares)(const float *values, int count)
{
	rbl_f8 sum = rbl_f8_zero();
	for (int i = 0; i < count; i += 8) {
		rbl_f8 a = rbl_f8_load(values + i);
		sum = rbl_f8_add(sum, rbl_f8_mul(a, a));
	}
	return rbl_f8_sum(sum);
}
