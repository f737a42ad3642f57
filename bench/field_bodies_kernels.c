// SPDX-License-Identifier: MIT
//
// The field of a cell in a sphere: the greatest of the distances from the sphere and from the
// planes.

#include "field_bodies.h"

#include "base/simd.h"

void RBL_KERNEL(field_evaluate_cell)(const cell_shape *cell, const rbl_vec3 *points, int count,
                                     float *distances, float *bounds, rbl_vec3 *gradients)
{
	for (int i = 0; i < count; i += 8) {
		int n = rbl_mini(count - i, 8);
		rbl_vec3 copy[8] = { { 0.0f, 0.0f, 0.0f } };
		for (int k = 0; k < n && n < 8; ++k)
			copy[k] = points[i + k];
		rbl_f8x3 p = rbl_f8x3_load(n < 8 ? copy : points + i);
		rbl_f8x3 from = rbl_f8x3_sub(p, rbl_f8x3_splat(cell->centre));
		rbl_f8 length = rbl_f8_sqrt(rbl_f8x3_dot(from, from));
		rbl_f8 scale = rbl_f8_div(rbl_f8_splat(1.0f), rbl_f8_max(length, rbl_f8_splat(1e-20f)));
		rbl_f8 distance = rbl_f8_sub(length, rbl_f8_splat(cell->radius));
		rbl_f8x3 gradient = rbl_f8x3_scale(scale, from);
		for (int k = 0; k < cell->plane_count; ++k) {
			rbl_f8x3 normal = rbl_f8x3_splat(cell->planes[k].normal);
			rbl_f8 beyond =
				rbl_f8_sub(rbl_f8x3_dot(normal, p), rbl_f8_splat(cell->planes[k].offset));
			rbl_i8 is_more = rbl_f8_gt(beyond, distance);
			distance = rbl_f8_select(is_more, beyond, distance);
			gradient = rbl_f8x3_select(is_more, normal, gradient);
		}
		if (n == 8) {
			rbl_f8_store(distances + i, distance);
			rbl_f8_store(bounds + i, rbl_f8_zero());
			if (gradients)
				rbl_f8x3_store(gradients + i, gradient);
		} else {
			rbl_f8_store_first(distances + i, distance, n);
			rbl_f8_store_first(bounds + i, rbl_f8_zero(), n);
			rbl_f8x3_store(copy, gradient);
			for (int k = 0; k < n && gradients; ++k)
				gradients[i + k] = copy[k];
		}
	}
}
