// SPDX-License-Identifier: MIT
//
// Directions for planes: the three axes, then points on the hemisphere that repel each other until
// they are spread evenly (section 3.2 of the paper, after Hasan et al. 2001). A direction and its
// opposite are the same plane, so every point also repels with its mirror image.

#include "broadphase/bsp.h"

#include "base/random.h"

enum { ROUNDS = 120 };

static rbl_vec3d repulsion(rbl_vec3d from, rbl_vec3d at)
{
	rbl_vec3d away = rbl_sub_d(at, from);
	double squared = rbl_length_squared_d(away);
	return squared > 1e-12 ? rbl_scale_d(1.0 / (squared * sqrt(squared)), away)
	                       : (rbl_vec3d){ 0.0, 0.0, 0.0 };
}

void rbl_bsp_directions(rbl_vec3 *directions, int count)
{
	rbl_vec3d points[RBL_MAX_BSP_DIRECTIONS] = { { 1.0, 0.0, 0.0 },
		                                         { 0.0, 1.0, 0.0 },
		                                         { 0.0, 0.0, 1.0 } };
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 3; i < count; ++i) {
		do {
			points[i] = rbl_normalize_d(rbl_random_in_ball(&random));
		} while (rbl_length_squared_d(points[i]) < 0.5);
	}
	for (int round = 0; round < ROUNDS; ++round) {
		double step = 0.1 / count * (ROUNDS - round) / ROUNDS;
		for (int i = 3; i < count; ++i) { // the axes stay
			rbl_vec3d force = { 0.0, 0.0, 0.0 };
			for (int k = 0; k < count; ++k) {
				if (k == i)
					continue;
				force = rbl_add_d(force, repulsion(points[k], points[i]));
				force = rbl_add_d(force, repulsion(rbl_neg_d(points[k]), points[i]));
			}
			points[i] = rbl_normalize_d(rbl_add_scaled_d(points[i], step, force));
		}
	}
	for (int i = 0; i < count; ++i)
		directions[i] = rbl_to_f(points[i].z < 0.0 ? rbl_neg_d(points[i]) : points[i]);
}
