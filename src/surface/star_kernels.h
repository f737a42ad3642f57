// SPDX-License-Identifier: MIT
// The inner loop of star-shaped bodies, one form per SIMD back end.
#pragma once

#include "base/kernel.h"
#include "base/vec.h"

/// Triangles that are looked at from a point, at one instant or over a step.
typedef struct rbl_star_source {
	const rbl_vec3 *positions[2]; // start and end; the second NULL: at one instant
	rbl_vec3 middles[2];
	const int *triangles; // three vertices each
	const int *list;      // the triangles that are looked at
	int count;
} rbl_star_source;

/// How often triangles that all turn their back to a point lie over a direction from it.
/// @return that count, at the start; -1 when a triangle may turn its face to the point at some time, or
/// when signs are not certain
RBL_DECLARE_KERNEL(int, rbl_star_depth, (const rbl_star_source *source));
