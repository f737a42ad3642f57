// SPDX-License-Identifier: MIT
//
// Planes against nodes. See crack_break.c.

#include "field/field_kernels.h"

#include "base/simd.h"

static inline rbl_f8 plane_distances(const float *rows, int stride, rbl_f8x3 normal, rbl_f8 offset)
{
	rbl_f8x3 p = { rbl_f8_load(rows), rbl_f8_load(rows + stride), rbl_f8_load(rows + 2 * stride) };
	return rbl_f8_sub(rbl_f8x3_dot(normal, p), offset);
}

float RBL_KERNEL(rbl_crack_reach)(const float *rows, int stride, rbl_plane plane)
{
	const rbl_f8x3 normal = rbl_f8x3_splat(plane.normal);
	const rbl_f8 offset = rbl_f8_splat(plane.offset);
	rbl_f8 most = rbl_f8_splat(-FLT_MAX);
	for (int i = 0; i < stride; i += 8)
		most = rbl_f8_max(plane_distances(rows + i, stride, normal, offset), most);
	return rbl_f8_max_lane(most);
}

void RBL_KERNEL(rbl_crack_lower)(const float *rows, int stride, rbl_plane plane, int32_t witness,
                                 float *depths, int32_t *witnesses)
{
	const rbl_f8x3 normal = rbl_f8x3_splat(plane.normal);
	const rbl_f8 offset = rbl_f8_splat(plane.offset), zero = rbl_f8_zero();
	const rbl_i8 name = rbl_i8_splat(witness);
	for (int i = 0; i < stride; i += 8) {
		rbl_f8 distance = plane_distances(rows + i, stride, normal, offset);
		rbl_f8 depth = rbl_f8_max(rbl_f8_neg(distance), zero), old = rbl_f8_load(depths + i);
		rbl_i8 is_less = rbl_f8_lt(depth, old);
		rbl_f8_store(depths + i, rbl_f8_select(is_less, depth, old));
		rbl_i8_store(witnesses + i, rbl_i8_select(is_less, name, rbl_i8_load(witnesses + i)));
	}
}
