// SPDX-License-Identifier: MIT
// Distance fields as contacts see them: points in, distances and directions out.
#pragma once

#include <rubble/types.h>

/// Measure points of a body's frame.
/// @param distances  receives signed distances, negative inside
/// @param bounds     receives how far each may be above the true distance: distance - bound is
///                   never above it
/// @param gradients  receives unit vectors away from the body; NULL when they are not wanted
/// Threads: any.
typedef void rbl_field_function(const void *field, const rbl_vec3 *points, int count,
                                float *distances, float *bounds, rbl_vec3 *gradients);

/// A field of some kind. Without a function there is none.
typedef struct rbl_field_evaluator {
	const void *field;
	rbl_field_function *evaluate;
} rbl_field_evaluator;
