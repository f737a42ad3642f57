// SPDX-License-Identifier: MIT
// Double-double arithmetic: numbers of about 106 bits as unevaluated sums of two doubles.
//
// With u = 2^-53, sums lose at most 3 u^2 of the magnitudes of both sides and products at most
// 7 u^2 of theirs, as long as nothing overflows and no product falls below 2^-960. Without fused
// multiply-add, so the bits are the same on every platform.
#pragma once

#include "geometry/expansion.h"

/// A rounding of the operations below, relative: 8 u^2.
#define RBL_DD_ROUNDING 0x1p-103

static inline rbl_two rbl_dd_add(rbl_two a, rbl_two b)
{
	rbl_two high = rbl_two_sum(a.high, b.high), low = rbl_two_sum(a.low, b.low);
	rbl_two sum = rbl_two_sum_ordered(high.high, high.low + low.high);
	return rbl_two_sum_ordered(sum.high, sum.low + low.low);
}

static inline rbl_two rbl_dd_negate(rbl_two a)
{
	return (rbl_two){ -a.high, -a.low };
}

static inline rbl_two rbl_dd_sub(rbl_two a, rbl_two b)
{
	return rbl_dd_add(a, rbl_dd_negate(b));
}

static inline rbl_two rbl_dd_mul(rbl_two a, rbl_two b)
{
	rbl_two product = rbl_two_product(a.high, b.high);
	return rbl_two_sum_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/// a d - b c
static inline rbl_two rbl_dd_minor(rbl_two a, rbl_two b, rbl_two c, rbl_two d)
{
	return rbl_dd_sub(rbl_dd_mul(a, d), rbl_dd_mul(b, c));
}
