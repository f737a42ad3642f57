// SPDX-License-Identifier: MIT
// The public vector functions, and rounding of doubles to floats on one side.
#pragma once

#include <rubble/vec.h>

/// The largest float that is not above a number. NaN stays NaN.
static inline float rbl_float_below(double a)
{
	float rounded = (float)a;
	return (double)rounded > a ? nextafterf(rounded, -INFINITY) : rounded;
}

/// The smallest float that is not below a number. NaN stays NaN.
static inline float rbl_float_above(double a)
{
	float rounded = (float)a;
	return (double)rounded < a ? nextafterf(rounded, INFINITY) : rounded;
}

/// The smallest box of floats around a box.
static inline rbl_box rbl_box_around_d(rbl_boxd a)
{
	return (rbl_box){
		{ rbl_float_below(a.lower.x), rbl_float_below(a.lower.y), rbl_float_below(a.lower.z) },
		{ rbl_float_above(a.upper.x), rbl_float_above(a.upper.y), rbl_float_above(a.upper.z) }
	};
}
