// SPDX-License-Identifier: MIT
//
// How far points are from a rigid motion.
//
// The motion takes a point x to x + shift + M (x - middle), with M = R - 1 for a rotation R; any
// shift makes it rigid, so the one that is used counts as exact. What is left of d, a point's
// displacement, is d - shift - M s. With u = 2^-24: d has a relative error of u, M of u, since it
// is rounded from doubles, and s of u; products and two sums make three more. Taking the parts
// together adds u times what they give, twice, which is the result and M s. So the error is below
// u |d| + 6 u m |s| + 3 u times the result, m the largest sum of magnitudes in a row of M: steps
// are short, so this is far below the rounding of positions. Measured from where points are, R s,
// it would be u |s|, and certificates end twenty times as soon.

#include "surface/surface_kernels.h"

#include "base/simd.h"

#include <math.h>

// Points between tests of the limit.
enum { STRIDE = 64 };

typedef struct error_lanes {
	rbl_f8 error, displacement, extent;
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

float RBL_KERNEL(rbl_surface_rigid_error)(const rbl_surface_rigid_motion *motion,
                                          const rbl_vec3 *starts, const rbl_vec3 *ends,
                                          const int *vertices, int count, float limit)
{
	const rbl_f8x3 middle = rbl_f8x3_splat(motion->middle), shift = rbl_f8x3_splat(motion->shift);
	error_lanes all = { rbl_f8_zero(), rbl_f8_zero(), rbl_f8_zero() };
	for (int begin = 0; begin < count; begin += STRIDE) {
		int stop = count - begin < STRIDE ? count : begin + STRIDE;
		for (int i = begin; i < stop; i += 8) {
			int32_t v[8];
			for (int k = 0; k < 8; ++k)
				v[k] = vertices[i + k < stop ? i + k : stop - 1];
			rbl_f8x3 start = rbl_f8x3_gather_padded(starts, v, 1);
			rbl_f8x3 s = rbl_f8x3_sub(start, middle);
			rbl_f8x3 d = rbl_f8x3_sub(rbl_f8x3_gather_padded(ends, v, 1), start);
			all.extent = largest(all.extent, s);
			all.displacement = largest(all.displacement, d);
			rbl_f8x3 rest = rbl_f8x3_sub(d, shift);
			rbl_f8x3 off = { rbl_f8_sub(rest.x, along(motion->rotation[0], s)),
				             rbl_f8_sub(rest.y, along(motion->rotation[1], s)),
				             rbl_f8_sub(rest.z, along(motion->rotation[2], s)) };
			all.error = largest(all.error, off);
		}
		if (!(rbl_f8_max_lane(all.error) <= limit))
			return INFINITY;
	}
	float extent = rbl_f8_max_lane(all.extent), displacement = rbl_f8_max_lane(all.displacement),
		  rotation = 0.0f;
	for (int k = 0; k < 3; ++k) {
		const float *row = motion->rotation[k];
		rotation = rbl_maxf(rotation, fabsf(row[0]) + fabsf(row[1]) + fabsf(row[2]));
	}
	float rounding = 0x1p-23f * displacement + 0x1p-21f * rotation * extent + 1e-30f;
	float error = rbl_f8_max_lane(all.error) * (1.0f + 0x1p-20f) + rounding;
	return error <= limit && extent < 1e30f && displacement < 1e30f ? error : INFINITY;
}
