// SPDX-License-Identifier: MIT
// The reference of exact predicates: big integers, simple and slow.
//
// A double is an integer times a power of two. big_scale() finds one power for a set of doubles,
// big_from_double() makes integers of them; sums and products then are schoolbook arithmetic, and
// the sign of a homogeneous polynomial does not depend on the scale.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Space for a product of five coordinates of 700 bits each. Define it before for more.
#ifndef BIG_LIMBS
#define BIG_LIMBS 120
#endif

/// sign * sum of limb[i] * 2^(32 i); the highest limb is not zero; zero has no limbs.
typedef struct big {
	int sign, count;
	uint32_t limb[BIG_LIMBS];
} big;

static inline void big_trim(big *a)
{
	while (a->count > 0 && a->limb[a->count - 1] == 0)
		a->count--;
	if (a->count == 0)
		a->sign = 0;
}

/// The exponent of the lowest bit that a double of this size may have.
static inline int big_exponent(double x)
{
	int exponent;
	frexp(x, &exponent);
	return exponent - 53;
}

/// @return the smallest big_exponent of the non-zero numbers, 0 when there are none.
static inline int big_scale(const double *numbers, int count)
{
	int scale = 0, found = 0;
	for (int i = 0; i < count; ++i) {
		if (numbers[i] == 0.0)
			continue;
		int exponent = big_exponent(numbers[i]);
		if (!found || exponent < scale)
			scale = exponent;
		found = 1;
	}
	return scale;
}

/// x / 2^scale
static inline big big_from_double(double x, int scale)
{
	big result;
	result.sign = x > 0.0 ? 1 : x < 0.0 ? -1 : 0;
	result.count = 0;
	if (x == 0.0)
		return result;
	int exponent = big_exponent(x), shift = exponent - scale;
	uint64_t mantissa = (uint64_t)fabs(ldexp(x, -exponent));
	int word = shift / 32, bits = shift % 32;
	if (shift < 0 || word + 3 > BIG_LIMBS)
		abort();
	for (int i = 0; i < word; ++i)
		result.limb[i] = 0;
	result.limb[word] = (uint32_t)(mantissa << bits);
	result.limb[word + 1] = (uint32_t)((mantissa >> (32 - bits)) & 0xffffffffu);
	result.limb[word + 2] = bits ? (uint32_t)(mantissa >> 32 >> (32 - bits)) : 0;
	if (bits == 0)
		result.limb[word + 1] = (uint32_t)(mantissa >> 32);
	result.count = word + 3;
	big_trim(&result);
	return result;
}

static inline int big_compare_size(const big *a, const big *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (int i = a->count - 1; i >= 0; --i)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	return 0;
}

static inline big big_negate(const big *a)
{
	big result = *a;
	result.sign = -a->sign;
	return result;
}

static inline big big_add(const big *a, const big *b)
{
	if (a->sign == 0)
		return *b;
	if (b->sign == 0)
		return *a;
	big result;
	if (big_compare_size(a, b) < 0) {
		const big *swap = a;
		a = b, b = swap;
	}
	result.sign = a->sign;
	if (a->sign == b->sign) {
		uint64_t carry = 0;
		if (a->count + 1 > BIG_LIMBS)
			abort();
		for (int i = 0; i < a->count; ++i) {
			carry += (uint64_t)a->limb[i] + (i < b->count ? b->limb[i] : 0);
			result.limb[i] = (uint32_t)carry;
			carry >>= 32;
		}
		result.limb[a->count] = (uint32_t)carry;
		result.count = a->count + 1;
	} else {
		int64_t borrow = 0;
		for (int i = 0; i < a->count; ++i) {
			borrow += (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0);
			result.limb[i] = (uint32_t)borrow;
			borrow >>= 32;
		}
		result.count = a->count;
	}
	big_trim(&result);
	return result;
}

static inline big big_sub(const big *a, const big *b)
{
	big negative = big_negate(b);
	return big_add(a, &negative);
}

static inline big big_mul(const big *a, const big *b)
{
	big result;
	result.sign = a->sign * b->sign;
	result.count = result.sign ? a->count + b->count : 0;
	if (result.count > BIG_LIMBS)
		abort();
	for (int i = 0; i < result.count; ++i)
		result.limb[i] = 0;
	for (int i = 0; result.sign && i < a->count; ++i) {
		uint64_t carry = 0;
		for (int k = 0; k < b->count; ++k) {
			carry += (uint64_t)a->limb[i] * b->limb[k] + result.limb[i + k];
			result.limb[i + k] = (uint32_t)carry;
			carry >>= 32;
		}
		result.limb[i + b->count] = (uint32_t)carry;
	}
	big_trim(&result);
	return result;
}

/// a d - b c
static inline big big_minor(const big *a, const big *b, const big *c, const big *d)
{
	big ad = big_mul(a, d), bc = big_mul(b, c);
	return big_sub(&ad, &bc);
}

/// The determinant of three rows.
static inline big big_determinant3(const big a[3], const big b[3], const big c[3])
{
	big sum = { 0, 0, { 0 } };
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		big minor = big_minor(&b[j], &b[k], &c[j], &c[k]);
		big term = big_mul(&a[i], &minor);
		sum = big_add(&sum, &term);
	}
	return sum;
}
