// SPDX-License-Identifier: MIT
//
// Bounds of the ways of points.

#include "surface/slip_kernels.h"

#include "base/simd.h"

void RBL_KERNEL(rbl_way_bounds)(const rbl_vec3 *starts, const rbl_vec3 *ends, const int *vertices,
                                int count, rbl_box *bounds)
{
	rbl_f8x3 low = rbl_f8x3_splat((rbl_vec3){ FLT_MAX, FLT_MAX, FLT_MAX });
	rbl_f8x3 high = rbl_f8x3_neg(low);
	for (int i = 0; i < count; i += 8) {
		int32_t v[8];
		for (int k = 0; k < 8; ++k)
			v[k] = vertices[i + k < count ? i + k : count - 1];
		rbl_f8x3 translation =
			rbl_f8x3_sub(rbl_f8x3_gather_padded(ends, v, 1), rbl_f8x3_gather_padded(starts, v, 1));
		low = rbl_f8x3_min(low, translation);
		high = rbl_f8x3_max(high, translation);
	}
	bounds->lower =
		(rbl_vec3){ rbl_f8_min_lane(low.x), rbl_f8_min_lane(low.y), rbl_f8_min_lane(low.z) };
	bounds->upper =
		(rbl_vec3){ rbl_f8_max_lane(high.x), rbl_f8_max_lane(high.y), rbl_f8_max_lane(high.z) };
}
