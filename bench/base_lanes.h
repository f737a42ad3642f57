// SPDX-License-Identifier: MIT
// Lane benchmarks of the suite base: the work a broad phase and a sum do, in each back end.
#pragma once

#include "bench.h"

#include "base/kernel.h"

/// Boxes by coordinate; counts are multiples of eight.
typedef struct lane_boxes {
	const float *lower[3], *upper[3];
	int count;
} lane_boxes;

/// @return how many boxes overlap box `query`
RBL_DECLARE_KERNEL(int, bench_count_overlaps, (const lane_boxes *boxes, int query));

/// @return the sum of squares, by the fixed tree of lanes
RBL_DECLARE_KERNEL(float, bench_sum_squares, (const float *values, int count));

/// The cases; part of the suite base.
void bench_base_lanes(bench *b);
