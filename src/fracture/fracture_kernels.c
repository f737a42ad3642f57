// SPDX-License-Identifier: MIT
//
// The sides of a triangle's corners, four planes at once. Each distance is computed in one order
// of operations, so every back end gives the same bits.

#include "fracture/fracture_kernels.h"

#include "base/simd.h"

// Four bits to four bytes.
static uint32_t spread(int bits)
{
	return ((uint32_t)bits * 0x00204081u) & 0x01010101u;
}

int RBL_KERNEL(rbl_clip_signs)(const rbl_clip_planes *planes, const rbl_vec3d points[3], double tie,
                               double *rows, int stride, unsigned char *masks)
{
	rbl_d4 high = rbl_d4_splat(tie), low = rbl_d4_splat(-tie);
	int flags = 0;
	for (int f = 0; f < planes->count; f += 4) {
		rbl_d4 nx = rbl_d4_load(planes->nx + f), ny = rbl_d4_load(planes->ny + f);
		rbl_d4 nz = rbl_d4_load(planes->nz + f), nd = rbl_d4_load(planes->nd + f);
		int in_use = planes->count - f < 4 ? (1 << (planes->count - f)) - 1 : 15;
		int all = in_use, ties = 0;
		uint32_t mask = 0;
		for (int k = 0; k < 3; ++k) {
			rbl_d4 d = rbl_d4_add(rbl_d4_mul(nx, rbl_d4_splat(points[k].x)),
			                      rbl_d4_mul(ny, rbl_d4_splat(points[k].y)));
			d = rbl_d4_add(d, rbl_d4_mul(nz, rbl_d4_splat(points[k].z)));
			d = rbl_d4_sub(d, nd);
			rbl_d4_store(rows + k * stride + f, d);
			int beyond = rbl_l4_bits(rbl_d4_gt(d, high));
			ties |= rbl_l4_bits(rbl_d4_ge(d, low)) & ~beyond;
			all &= beyond;
			mask |= spread(beyond) << k;
		}
		if (all != 0)
			return RBL_CLIP_NOTHING_LEFT;
		flags |= (ties & in_use) != 0 ? RBL_CLIP_TIES : 0;
		memcpy(masks + f, &mask, sizeof mask);
	}
	return flags;
}
