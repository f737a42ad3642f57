// SPDX-License-Identifier: MIT
// Double-double arithmetic: numbers of about 106 bits as unevaluated sums of two doubles.
//
// With u = 2^-53, sums lose at most 3 u^2 of the magnitudes of both sides and products at most
// 7 u^2 of theirs, as long as nothing overflows and no product falls below 2^-960. Without fused
// multiply-add, so the bits are the same on every platform.
#pragma once

#include "geometry/expansion.h"

#include <stdbool.h>

/// A rounding of the operations below, relative: 8 u^2.
#define RBL_DD_ROUNDING 0x1p-103

static inline rbl_dd rbl_dd_add(rbl_dd a, rbl_dd b)
{
	rbl_dd high = rbl_two_sum(a.high, b.high), low = rbl_two_sum(a.low, b.low);
	rbl_dd sum = rbl_two_sum_ordered(high.high, high.low + low.high);
	return rbl_two_sum_ordered(sum.high, sum.low + low.low);
}

static inline rbl_dd rbl_dd_negate(rbl_dd a)
{
	return (rbl_dd){ -a.high, -a.low };
}

static inline rbl_dd rbl_dd_sub(rbl_dd a, rbl_dd b)
{
	return rbl_dd_add(a, rbl_dd_negate(b));
}

static inline rbl_dd rbl_dd_mul(rbl_dd a, rbl_dd b)
{
	rbl_dd product = rbl_two_product(a.high, b.high);
	return rbl_two_sum_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// a d - b c
static inline rbl_dd rbl_dd_minor(rbl_dd a, rbl_dd b, rbl_dd c, rbl_dd d)
{
	return rbl_dd_sub(rbl_dd_mul(a, d), rbl_dd_mul(b, c));
}

/// a / b
static inline rbl_dd rbl_dd_div(rbl_dd a, rbl_dd b)
{
	double first = a.high / b.high;
	rbl_dd rest = rbl_dd_sub(a, rbl_dd_mul(b, (rbl_dd){ first, 0.0 }));
	double second = rest.high / b.high;
	rest = rbl_dd_sub(rest, rbl_dd_mul(b, (rbl_dd){ second, 0.0 }));
	rbl_dd sum = rbl_two_sum_ordered(first, second);
	return rbl_dd_add(sum, (rbl_dd){ rest.high / b.high, 0.0 });
}

/// -1, 0 or 1.
static inline int rbl_dd_sign(rbl_dd a)
{
	return a.high > 0.0 ? 1 : a.high < 0.0 ? -1 : a.low > 0.0 ? 1 : a.low < 0.0 ? -1 : 0;
}

static inline bool rbl_dd_less(rbl_dd a, rbl_dd b)
{
	return a.high < b.high || (a.high == b.high && a.low < b.low);
}
