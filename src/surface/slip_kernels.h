// SPDX-License-Identifier: MIT
// How far points go in a step, one form per SIMD back end.
#pragma once

#include "base/kernel.h"
#include "base/vec.h"

/// Bounds of the ways of points, from start to end. One float after the last position is readable.
/// @param count   1 or more
/// @param bounds  receives them; each is off by a rounding at most
RBL_DECLARE_KERNEL(void, rbl_way_bounds,
                   (const rbl_vec3 *starts, const rbl_vec3 *ends, const int *vertices, int count,
                    rbl_box *bounds));
