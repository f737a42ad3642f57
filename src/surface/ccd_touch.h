// SPDX-License-Identifier: MIT
// Features whose corners lie at one place when the step begins: what such a hit is like.
//
// The sides of a fresh crack touch in this way everywhere. Nothing has to be searched: they meet at
// time 0, at that corner, and the normal is that of the start. Single tests (ccd.c) and the lists of whole
// seams (seam_hits.c, seam_kernels.c) share these operations, so they give the same bits.
#pragma once

#include "base/vec.h"

/// The unit normal of two directions; zero where they are parallel (a sine of 1e-10) or vanish. Components
/// other than zero are of a magnitude of 2^-200 to 2^150, as differences of floats are.
/// @param sizes  the product of the squares of their lengths
static inline rbl_vec3d rbl_ccd_across(rbl_vec3d e, rbl_vec3d f, double sizes)
{
	rbl_vec3d normal = rbl_cross_d(e, f);
	double square = rbl_dot_d(normal, normal);
	if (!(square > 1e-20 * sizes))
		return (rbl_vec3d){ 0.0, 0.0, 0.0 };
	return rbl_scale_d(1.0 / sqrt(square), normal);
}

/// A unit vector against a motion, some unit vector without any.
static inline rbl_vec3d rbl_ccd_against(rbl_vec3d motion)
{
	double most = fmax(fabs(motion.x), fmax(fabs(motion.y), fabs(motion.z)));
	if (!(most > 0.0))
		return (rbl_vec3d){ 0.0, 1.0, 0.0 };
	rbl_vec3d v = { motion.x / most, motion.y / most, motion.z / most };
	return rbl_scale_d(-1.0 / sqrt(rbl_dot_d(v, v)), v);
}

/// The normal of a hit. No component is -0, so it does not depend on how differences were taken.
/// @param across  from rbl_ccd_across()
/// @param motion  of the corner of the first feature (the vertex) against that of the second
static inline rbl_vec3d rbl_ccd_touch_normal(rbl_vec3d across, rbl_vec3d motion)
{
	if (across.x == 0.0 && across.y == 0.0 && across.z == 0.0)
		across = rbl_ccd_against(motion);
	double sign = rbl_dot_d(across, motion) > 0.0 ? -1.0 : 1.0;
	return (rbl_vec3d){ sign * across.x + 0.0, sign * across.y + 0.0, sign * across.z + 0.0 };
}
