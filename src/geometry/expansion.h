// SPDX-License-Identifier: MIT
// Expansions: exact numbers as sums of doubles.
//
// An expansion is an array of non-zero doubles, smallest first, whose bits do not overlap: its
// value is their sum, its sign is the sign of the last one, and no parts mean zero. The
// operations below are exact as long as no part overflows or falls under the smallest denormal.
// They are the classic ones (Dekker 1971; Shewchuk 1997, "Adaptive precision floating-point
// arithmetic and fast robust geometric predicates", sections 2.3 to 2.8), written for round to
// nearest even and without fused multiply-add, so they give the same bits on every platform.
//
// Non-overlapping is not quite enough to add two expansions in linear time; it takes
// "non-adjacent" (a zero bit between neighbouring parts) or "strongly non-overlapping". Products
// of two doubles, scaled and compressed expansions are non-adjacent, sums are strongly
// non-overlapping. Therefore: compress a sum before it is scaled.
#pragma once

/// An exact sum or product of two doubles: high is the rounded result, low what rounding lost.
typedef struct rbl_dd {
	double high, low;
} rbl_dd;

/// a + b
static inline rbl_dd rbl_two_sum(double a, double b)
{
	double high = a + b;
	double b_part = high - a;
	double a_part = high - b_part;
	return (rbl_dd){ high, (a - a_part) + (b - b_part) };
}

/// a + b where |a| >= |b| or a is zero.
static inline rbl_dd rbl_two_sum_ordered(double a, double b)
{
	double high = a + b;
	return (rbl_dd){ high, b - (high - a) };
}

/// a - b
static inline rbl_dd rbl_two_difference(double a, double b)
{
	return rbl_two_sum(a, -b);
}

/// a as a sum of two halves of at most 26 bits each.
static inline rbl_dd rbl_two_halves(double a)
{
	double big = 134217729.0 * a; // 2^27 + 1
	double high = big - (big - a);
	return (rbl_dd){ high, a - high };
}

/// a b, with the halves of b known.
static inline rbl_dd rbl_two_product_halved(double a, double b, rbl_dd b_halves)
{
	double high = a * b;
	rbl_dd h = rbl_two_halves(a);
	double rest = high - h.high * b_halves.high;
	rest -= h.low * b_halves.high;
	rest -= h.high * b_halves.low;
	return (rbl_dd){ high, h.low * b_halves.low - rest };
}

/// a b
static inline rbl_dd rbl_two_product(double a, double b)
{
	return rbl_two_product_halved(a, b, rbl_two_halves(b));
}

/// The smaller in magnitude of the next parts of e and f, taken from its array.
static inline double rbl_expansion_next(int n, const double *e, int *i, int m, const double *f,
                                        int *k)
{
	if (*k == m || (*i < n && (e[*i] < 0.0 ? -e[*i] : e[*i]) < (f[*k] < 0.0 ? -f[*k] : f[*k])))
		return e[(*i)++];
	return f[(*k)++];
}

/// h = e + f, space for n + m parts, neither aliased. @return the number of parts.
static inline int rbl_expansion_sum(int n, const double *e, int m, const double *f, double *h)
{
	int i = 0, k = 0, count = 0;
	if (n + m == 0)
		return 0;
	double sum = rbl_expansion_next(n, e, &i, m, f, &k);
	while (i < n || k < m) {
		rbl_dd two = rbl_two_sum(sum, rbl_expansion_next(n, e, &i, m, f, &k));
		if (two.low != 0.0)
			h[count++] = two.low;
		sum = two.high;
	}
	if (sum != 0.0)
		h[count++] = sum;
	return count;
}

/// h = e b, space for 2 n parts, not aliased. @return the number of parts.
static inline int rbl_expansion_scale(int n, const double *e, double b, double *h)
{
	if (n == 0 || b == 0.0)
		return 0;
	rbl_dd halves = rbl_two_halves(b);
	rbl_dd product = rbl_two_product_halved(e[0], b, halves);
	int count = 0;
	if (product.low != 0.0)
		h[count++] = product.low;
	double sum = product.high;
	for (int i = 1; i < n; ++i) {
		product = rbl_two_product_halved(e[i], b, halves);
		rbl_dd lower = rbl_two_sum(sum, product.low);
		if (lower.low != 0.0)
			h[count++] = lower.low;
		rbl_dd upper = rbl_two_sum_ordered(product.high, lower.high);
		if (upper.low != 0.0)
			h[count++] = upper.low;
		sum = upper.high;
	}
	if (sum != 0.0)
		h[count++] = sum;
	return count;
}

/// Rewrite e with as few parts as its bits need: each at least 2^52 times smaller than the next,
/// so a finite number never has more than RBL_EXPANSION_PARTS. @return the number of parts.
static inline int rbl_expansion_compress(int n, double *e)
{
	if (n < 2)
		return n;
	int bottom = n - 1;
	double sum = e[bottom];
	for (int i = n - 2; i >= 0; --i) {
		rbl_dd two = rbl_two_sum_ordered(sum, e[i]);
		sum = two.high;
		if (two.low != 0.0) {
			e[bottom--] = sum;
			sum = two.low;
		}
	}
	int count = 0;
	for (int i = bottom + 1; i < n; ++i) {
		rbl_dd two = rbl_two_sum_ordered(e[i], sum);
		sum = two.high;
		if (two.low != 0.0)
			e[count++] = two.low;
	}
	e[count++] = sum;
	return count;
}

/// The most parts of a compressed expansion: 2098 bits from the largest double to the smallest,
/// 52 a part, rounded up.
#define RBL_EXPANSION_PARTS 48

/// -1, 0 or 1.
static inline int rbl_expansion_sign(int n, const double *e)
{
	return n == 0 ? 0 : e[n - 1] > 0.0 ? 1 : -1;
}
