// SPDX-License-Identifier: MIT
//
// How far points are from a rigid motion.
//
// With u = 2^-24, s a difference of starts and d one of ends: each s has a relative error of u, as
// have the entries of the matrix, rounded from doubles; products and two sums make three more. The rows
// have length 1, so their magnitudes sum to 1.74 at most: 9 u times the largest |s|. The difference d
// and the last subtraction add u |d| and u times the result. 16 u (|s| + |d|) covers all of it.

#include "surface/rigid_kernels.h"

#include "base/simd.h"

#include <math.h>

// Points between looks at the limit.
enum { STRIDE = 64 };

typedef struct error_lanes {
	rbl_f8 error, reach;
} error_lanes;

static inline rbl_f8 largest(rbl_f8 so_far, rbl_f8x3 a)
{
	return rbl_f8_max(rbl_f8_max(rbl_f8_abs(a.x), rbl_f8_abs(a.y)),
	                  rbl_f8_max(rbl_f8_abs(a.z), so_far));
}

static inline rbl_f8 along(const float row[3], rbl_f8x3 a)
{
	return rbl_f8_add(
		rbl_f8_add(rbl_f8_mul(rbl_f8_splat(row[0]), a.x), rbl_f8_mul(rbl_f8_splat(row[1]), a.y)),
		rbl_f8_mul(rbl_f8_splat(row[2]), a.z));
}

float RBL_KERNEL(rbl_rigid_error)(const rbl_rigid_motion *motion, const rbl_vec3 *starts,
                                  const rbl_vec3 *ends, const int *vertices, int count, float limit)
{
	const rbl_f8x3 start = rbl_f8x3_splat(motion->start), end = rbl_f8x3_splat(motion->end);
	error_lanes all = { rbl_f8_zero(), rbl_f8_zero() };
	for (int begin = 0; begin < count; begin += STRIDE) {
		int stop = count - begin < STRIDE ? count : begin + STRIDE;
		for (int i = begin; i < stop; i += 8) {
			int32_t v[8];
			for (int k = 0; k < 8; ++k)
				v[k] = vertices[i + k < stop ? i + k : stop - 1];
			rbl_f8x3 s = rbl_f8x3_sub(rbl_f8x3_gather_padded(starts, v, 1), start);
			rbl_f8x3 d = rbl_f8x3_sub(rbl_f8x3_gather_padded(ends, v, 1), end);
			all.reach = largest(largest(all.reach, s), d);
			rbl_f8x3 off = { rbl_f8_sub(d.x, along(motion->turn[0], s)),
				             rbl_f8_sub(d.y, along(motion->turn[1], s)),
				             rbl_f8_sub(d.z, along(motion->turn[2], s)) };
			all.error = largest(all.error, off);
		}
		if (!(rbl_f8_max_lane(all.error) <= limit))
			return INFINITY;
	}
	float reach = rbl_f8_max_lane(all.reach);
	float error = rbl_f8_max_lane(all.error) * (1.0f + 0x1p-20f) + 0x1p-19f * reach + 1e-30f;
	return error <= limit && reach < 1e30f ? error : INFINITY;
}
