// SPDX-License-Identifier: MIT
// Inner loops of following rigid motion, one form per SIMD back end.
#pragma once

#include "base/kernel.h"
#include "base/vec.h"

/// A rigid motion of a set of points: one at x goes to x + shift + turn (x - middle).
typedef struct rbl_rigid_motion {
	rbl_vec3 middle, shift;
	float turn[3][3]; // rows of a rotation less 1, rounded from doubles
} rbl_rigid_motion;

/// How far points end from where a motion takes them, along an axis at most, rounding included.
/// @param limit  the search ends when a point is farther off
/// @return that distance; infinite beyond the limit
RBL_DECLARE_KERNEL(float, rbl_rigid_error,
                   (const rbl_rigid_motion *motion, const rbl_vec3 *starts, const rbl_vec3 *ends,
                    const int *vertices, int count, float limit));
