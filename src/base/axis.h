// SPDX-License-Identifier: MIT
// Components of vectors by number, to be written; rbl_axis() reads them. A pointer to the first is
// not moved on to the others: they are members, not an array, and what compilers make of that is
// theirs to choose.
#pragma once

#include "base/vec.h"

/// Give component 0, 1 or 2 a value.
static inline void rbl_set_axis(rbl_vec3 *a, int axis, float value)
{
	*(axis == 0 ? &a->x : axis == 1 ? &a->y : &a->z) = value;
}

/// Give component 0, 1 or 2 a value.
static inline void rbl_set_axis_d(rbl_vec3d *a, int axis, double value)
{
	*(axis == 0 ? &a->x : axis == 1 ? &a->y : &a->z) = value;
}
