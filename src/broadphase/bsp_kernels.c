// SPDX-License-Identifier: MIT
//
// Sweep and prune in a leaf, and probing it with one box. See broadphase_kernels.h for the layout.

#include "broadphase/broadphase_kernels.h"

#include "base/simd.h"
#include "base/vec.h"

#include <math.h>

static inline uint32_t hit_of(int index, rbl_i8 mask)
{
	return (uint32_t)index | (uint32_t)rbl_i8_bits(mask) << RBL_BSP_HIT_SHIFT;
}

int RBL_KERNEL(rbl_bsp_sweep)(const float *rows, int stride, int count, int axis, int first,
                              uint32_t *out, int capacity, int *written)
{
	// u is the axis that is swept, v and w the others.
	const int u = axis, v = axis == 0 ? 1 : 0, w = axis == 2 ? 1 : 2;
	const float *lower_u = rows + u * stride, *upper_u = lower_u + 3 * stride;
	const float *lower_v = rows + v * stride, *upper_v = lower_v + 3 * stride;
	const float *lower_w = rows + w * stride, *upper_w = lower_w + 3 * stride;
	int n = 0, i = first;
	for (; i < count && capacity - n >= 2 * ((count - i) / 8 + 2); ++i) {
		float end = upper_u[i];
		rbl_f8 end_u = rbl_f8_splat(end);
		rbl_f8 begin_v = rbl_f8_splat(lower_v[i]), end_v = rbl_f8_splat(upper_v[i]);
		rbl_f8 begin_w = rbl_f8_splat(lower_w[i]), end_w = rbl_f8_splat(upper_w[i]);
		for (int j = i + 1; lower_u[j] <= end; j += 8) {
			rbl_i8 in_v = rbl_i8_and(rbl_f8_le(rbl_f8_load(lower_v + j), end_v),
			                         rbl_f8_ge(rbl_f8_load(upper_v + j), begin_v));
			rbl_i8 in_w = rbl_i8_and(rbl_f8_le(rbl_f8_load(lower_w + j), end_w),
			                         rbl_f8_ge(rbl_f8_load(upper_w + j), begin_w));
			rbl_i8 in_u = rbl_f8_le(rbl_f8_load(lower_u + j), end_u);
			out[n] = (uint32_t)i;
			out[n + 1] = hit_of(j, rbl_i8_and(in_u, rbl_i8_and(in_v, in_w)));
			n += out[n + 1] >> RBL_BSP_HIT_SHIFT ? 2 : 0;
		}
	}
	*written = n;
	return i;
}

int RBL_KERNEL(rbl_bsp_probe)(const float *rows, int stride, int count, const rbl_box *box,
                              uint32_t *out)
{
	const float *lower[3] = { rows, rows + stride, rows + 2 * stride };
	const float *upper[3] = { rows + 3 * stride, rows + 4 * stride, rows + 5 * stride };
	rbl_f8 begins[3], ends[3];
	for (int k = 0; k < 3; ++k) {
		begins[k] = rbl_f8_splat(rbl_axis(box->lower, k));
		ends[k] = rbl_f8_splat(rbl_axis(box->upper, k));
	}
	int n = 0;
	for (int j = 0; j < count; j += 8) {
		rbl_i8 in[3];
		for (int k = 0; k < 3; ++k)
			in[k] = rbl_i8_and(rbl_f8_le(rbl_f8_load(lower[k] + j), ends[k]),
			                   rbl_f8_ge(rbl_f8_load(upper[k] + j), begins[k]));
		out[n] = hit_of(j, rbl_i8_and(in[0], rbl_i8_and(in[1], in[2])));
		n += out[n] >> RBL_BSP_HIT_SHIFT != 0;
	}
	return n;
}

int RBL_KERNEL(rbl_bsp_find)(const rbl_box *boxes, const uint32_t *slots, int count,
                             const rbl_box *box, uint32_t *out)
{
	// The first four of the six numbers of a box, and the last four; the two in both count once.
	const float begins[4] = { -INFINITY, box->lower.x, box->lower.y, box->lower.z };
	const float ends[4] = { box->upper.x, box->upper.y, box->upper.z, INFINITY };
	const rbl_f4 lower = rbl_f4_load(begins), upper = rbl_f4_load(ends);
	int n = 0;
	for (int i = 0; i < count; ++i) {
		const float *other = (const float *)&boxes[slots[i]];
		rbl_i4 in = rbl_i4_and(rbl_f4_le(rbl_f4_load(other), upper),
		                       rbl_f4_ge(rbl_f4_load(other + 2), lower));
		out[n] = slots[i];
		n += rbl_i4_bits(in) == 15;
	}
	return n;
}
