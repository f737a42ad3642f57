// SPDX-License-Identifier: MIT
//
// Parsing and printing decimal numbers (strtod and the shortest round-trip printf), exactly
// rounded, with no tables beyond the powers of five that fit 64 bits.
//
// Reading. The digits become an integer m and a power of ten e. Three ways, each exact:
//
//   - m < 2^53 and |e| <= 22: both m and 10^|e| are doubles, one operation rounds once;
//   - |e| <= 27: m * 5^e is a 128-bit product, m / 5^-e a 128-by-64-bit quotient; 63 bits of
//     it and "is there a rest" decide the rounding;
//   - otherwise: the same quotient with long integers. Digits beyond the 800th cannot decide
//     more than "is there a rest" (767 are enough for any tie), so they only count as that.
//
// Writing. A double v rounds back to itself from everything between the midpoints to its
// neighbours. v and both midpoints are scaled by a power of ten to 17 or 18 digits, exactly, in
// 128 bits; then digits are dropped while a shorter decimal is left between the midpoints. Very
// small and large numbers take the system's printf, with growing precision until the number
// reads back; its decimal point may be any character of the locale and is skipped.

#include "io/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct u128 {
	uint64_t high, low;
} u128;

static const double exact_powers_of_ten[] = {
	1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

enum { POWER_LIMIT = 27 };

static const uint64_t powers_of_five[POWER_LIMIT + 1] = {
	1u,
	5u,
	25u,
	125u,
	625u,
	3125u,
	15625u,
	78125u,
	390625u,
	1953125u,
	9765625u,
	48828125u,
	244140625u,
	1220703125u,
	6103515625u,
	30517578125u,
	152587890625u,
	762939453125u,
	3814697265625u,
	19073486328125u,
	95367431640625u,
	476837158203125u,
	2384185791015625u,
	11920928955078125u,
	59604644775390625u,
	298023223876953125u,
	1490116119384765625u,
	7450580596923828125u,
};

static int leading_zeros(uint64_t value)
{
#if defined(__GNUC__)
	return __builtin_clzll(value);
#else
	int count = 0;
	for (; !(value >> 63); value <<= 1)
		++count;
	return count;
#endif
}

static u128 multiply(uint64_t a, uint64_t b)
{
	uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;
	return (u128){ a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low };
}

// Quotient of n by d, where n.high < d and d has its top bit; two digits of 32 bits, each guessed
// from the top digit of d and at most two too large.
static uint64_t divide(u128 n, uint64_t d, uint64_t *rest)
{
	uint64_t d1 = d >> 32, d0 = (uint32_t)d, quotient = 0, r = n.high;
	for (int shift = 32; shift >= 0; shift -= 32) {
		uint64_t next = (uint32_t)(n.low >> shift);
		uint64_t digit = r / d1, left = r % d1;
		while (digit >> 32 || digit * d0 > (left << 32 | next)) {
			--digit;
			left += d1;
			if (left >> 32)
				break;
		}
		r = (r << 32 | next) - digit * d; // modulo 2^64, where the true value lies
		quotient = quotient << 32 | digit;
	}
	*rest = r;
	return quotient;
}

// The double nearest to (bits + a bit if has_rest) * 2^exponent, where bits has 55 digits or more.
static double assemble(uint64_t bits, bool has_rest, int exponent)
{
	int zeros = leading_zeros(bits);
	bits <<= zeros;
	int biased = exponent - zeros + 63 + 1023; // of the top bit
	if (biased >= 2047)
		return (double)INFINITY;
	int drop = 11;
	if (biased <= 0) { // below the normal range: fewer bits stay
		drop += 1 - biased;
		biased = 0;
		if (drop > 64)
			return 0.0;
	}
	uint64_t kept = drop == 64 ? 0 : bits >> drop;
	uint64_t half = (uint64_t)1 << (drop - 1);
	uint64_t cut = drop == 64 ? bits : bits & (2 * half - 1);
	if (cut > half || (cut == half && (has_rest || kept & 1)))
		++kept;
	// A carry out of the mantissa raises the exponent by itself; the hidden bit is one exponent.
	uint64_t result = kept + ((uint64_t)(biased > 0 ? biased - 1 : 0) << 52);
	double value;
	memcpy(&value, &result, sizeof value);
	return value;
}

// --- long integers ---------------------------------------------------------------------------

enum { DIGIT_LIMIT = 800, WORD_LIMIT = 160 };

typedef struct long_integer {
	int count; // words in use; the last one is not zero
	uint32_t words[WORD_LIMIT];
} long_integer;

static void long_multiply_add(long_integer *n, uint32_t factor, uint32_t summand)
{
	uint64_t carry = summand;
	for (int i = 0; i < n->count; ++i) {
		carry += (uint64_t)n->words[i] * factor;
		n->words[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		n->words[n->count++] = (uint32_t)carry;
}

static void long_multiply_power_of_five(long_integer *n, int power)
{
	for (; power >= 13; power -= 13)
		long_multiply_add(n, 1220703125u, 0);
	if (power > 0)
		long_multiply_add(n, (uint32_t)powers_of_five[power], 0);
}

static int long_bits(const long_integer *n)
{
	return 32 * n->count - (leading_zeros(n->words[n->count - 1]) - 32);
}

static void long_shift(long_integer *n, int bits)
{
	int words = bits / 32, rest = bits % 32;
	n->words[n->count] = 0;
	for (int i = n->count; i >= 0; --i) {
		uint64_t pair = (uint64_t)n->words[i] << 32 | (i > 0 ? n->words[i - 1] : 0);
		n->words[i + words] = (uint32_t)(pair << rest >> 32);
	}
	memset(n->words, 0, (size_t)words * sizeof n->words[0]);
	n->count += words + 1;
	while (n->count > 0 && n->words[n->count - 1] == 0)
		--n->count;
}

// If n >= d, subtract d. @return whether it did.
static bool long_subtract(long_integer *n, const long_integer *d)
{
	if (n->count < d->count)
		return false;
	if (n->count == d->count) {
		int i = n->count - 1;
		while (i > 0 && n->words[i] == d->words[i])
			--i;
		if (n->words[i] < d->words[i])
			return false;
	}
	int64_t borrow = 0;
	for (int i = 0; i < n->count; ++i) {
		borrow += (int64_t)n->words[i] - (i < d->count ? (int64_t)d->words[i] : 0);
		n->words[i] = (uint32_t)borrow;
		borrow >>= 32;
	}
	while (n->count > 0 && n->words[n->count - 1] == 0)
		--n->count;
	return true;
}

// n * 10^exponent (+ a bit if has_rest), n > 0.
static double long_to_double(long_integer *n, int exponent, bool has_rest)
{
	long_integer d = { 1, { 1 } };
	if (exponent >= 0)
		long_multiply_power_of_five(n, exponent);
	else
		long_multiply_power_of_five(&d, -exponent);
	int difference = long_bits(n) - long_bits(&d);
	if (difference < 0)
		long_shift(n, -difference);
	else if (difference > 0)
		long_shift(&d, difference);
	uint64_t bits = 0;
	for (int i = 0; i < 64; ++i) {
		bits = bits << 1 | (uint64_t)long_subtract(n, &d);
		if (n->count > 0)
			long_shift(n, 1);
	}
	return assemble(bits, has_rest || n->count > 0, difference - 63 + exponent);
}

// The slow path, from the text again: `digits` starts at the first digit that is not zero.
static double parse_slowly(const char *digits, const char *end, int64_t exponent, int digit_count)
{
	// The number is 0.ddd * 10^(exponent + digit_count), whatever follows.
	if (exponent + digit_count > 310)
		return (double)INFINITY;
	if (exponent + digit_count < -330)
		return 0.0;
	long_integer n = { 0 };
	bool has_rest = false;
	int taken = 0;
	for (const char *at = digits; at < end && taken < digit_count; ++at) {
		if (*at == '.')
			continue;
		uint32_t digit = (uint32_t)(*at - '0');
		if (taken++ < DIGIT_LIMIT)
			long_multiply_add(&n, 10, digit);
		else
			has_rest |= digit != 0;
	}
	if (digit_count > DIGIT_LIMIT)
		exponent += digit_count - DIGIT_LIMIT;
	return long_to_double(&n, (int)exponent, has_rest);
}

// --- reading ---------------------------------------------------------------------------------

// m * 10^exponent for m > 0 and |exponent| <= POWER_LIMIT.
static double scale_128(uint64_t m, int exponent)
{
	int zeros = leading_zeros(m);
	if (exponent >= 0) {
		u128 product = multiply(m << zeros, powers_of_five[exponent]);
		if (product.high == 0)
			return assemble(product.low, false, exponent - zeros);
		int high_zeros = leading_zeros(product.high);
		uint64_t bits = product.high << high_zeros;
		uint64_t rest = product.low;
		if (high_zeros > 0) {
			bits |= product.low >> (64 - high_zeros);
			rest = product.low << high_zeros;
		}
		return assemble(bits, rest != 0, exponent - zeros + 64 - high_zeros);
	}
	uint64_t five = powers_of_five[-exponent];
	int five_zeros = leading_zeros(five);
	uint64_t n = m << zeros, rest;
	uint64_t quotient = divide((u128){ n >> 1, n << 63 }, five << five_zeros, &rest);
	return assemble(quotient, rest != 0, five_zeros - zeros - 63 + exponent);
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

// The exponent at *at, if there is one; limited so that sums cannot overflow.
static int64_t parse_exponent(const char **at, const char *end)
{
	const char *p = *at;
	if (p == end || (*p | 32) != 'e')
		return 0;
	++p;
	bool is_negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		++p;
	if (p == end || !is_digit(*p))
		return 0; // the e is not an exponent
	int64_t exponent = 0;
	for (; p < end && is_digit(*p); ++p) {
		if (exponent < 1000000000)
			exponent = exponent * 10 + (*p - '0');
	}
	*at = p;
	return is_negative ? -exponent : exponent;
}

bool rbl_io_parse_double(const char **at, const char *end, double *value)
{
	const char *p = *at;
	bool is_negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		++p;
	const char *whole = p;
	uint64_t m = 0;
	while (p < end && is_digit(*p))
		m = m * 10 + (uint64_t)(*p++ - '0'); // may wrap; then counted as too long below
	int64_t length = p - whole;
	int64_t exponent = 0;
	if (p < end && *p == '.') {
		const char *fraction = ++p;
		while (p < end && is_digit(*p))
			m = m * 10 + (uint64_t)(*p++ - '0');
		exponent = fraction - p;
		length -= exponent;
	}
	if (length == 0)
		return false;
	const char *digits_end = p;
	exponent += parse_exponent(&p, end);
	*at = p;

	double result = 0.0;
	const char *digits = whole;
	if (length > 19) { // leading zeros do not count
		while (digits < digits_end && (*digits == '0' || *digits == '.'))
			length -= *digits++ == '0';
	}
	if (length > 19 || exponent < -POWER_LIMIT || exponent > POWER_LIMIT) {
		while (digits < digits_end && (*digits == '0' || *digits == '.'))
			length -= *digits++ == '0';
		if (length > 0) {
			int count = length > 1000000000 ? 1000000000 : (int)length;
			exponent += length - count;
			result = parse_slowly(digits, digits_end, exponent, count);
		}
	} else if (m >> 53 == 0 && exponent >= -22 && exponent <= 22) {
		result = exponent < 0 ? (double)m / exact_powers_of_ten[-exponent]
		                      : (double)m * exact_powers_of_ten[exponent];
	} else if (m > 0) {
		result = scale_128(m, (int)exponent);
	}
	*value = is_negative ? -result : result;
	return true;
}

bool rbl_io_parse_int(const char **at, const char *end, int64_t *value)
{
	const char *p = *at;
	bool is_negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		++p;
	if (p == end || !is_digit(*p))
		return false;
	int64_t n = 0;
	for (; p < end && is_digit(*p); ++p)
		n = n > (INT64_MAX - 9) / 10 ? INT64_MAX : n * 10 + (*p - '0');
	*value = is_negative ? -n : n;
	*at = p;
	return true;
}

// --- writing ---------------------------------------------------------------------------------

int rbl_io_format_int(int64_t value, char *out)
{
	char digits[24];
	int count = 0, length = 0;
	uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	do {
		digits[count++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (value < 0)
		out[length++] = '-';
	while (count > 0)
		out[length++] = digits[--count];
	return length;
}

// Digits and a power of ten as text: plain where that is short, otherwise with an exponent.
static int lay_out(uint64_t digits, int exponent, char *out)
{
	char text[24];
	int count = rbl_io_format_int((int64_t)digits, text);
	int point = count + exponent; // digits before the decimal point
	char *o = out;
	if (point <= -5 || point > 17) {
		*o++ = text[0];
		if (count > 1) {
			*o++ = '.';
			memcpy(o, text + 1, (size_t)count - 1);
			o += count - 1;
		}
		*o++ = 'e';
		return (int)(o - out) + rbl_io_format_int(point - 1, o);
	}
	if (point <= 0) {
		*o++ = '0';
		*o++ = '.';
		for (int i = point; i < 0; ++i)
			*o++ = '0';
		memcpy(o, text, (size_t)count);
		return (int)(o - out) + count;
	}
	for (int i = 0; i < (count > point ? count : point); ++i) {
		if (i == point)
			*o++ = '.';
		*o++ = i < count ? text[i] : '0';
	}
	return (int)(o - out);
}

// floor(a * five * 2^-shift); *has_rest tells whether something was cut off.
static uint64_t scale_down(uint64_t a, uint64_t five, int shift, bool *has_rest)
{
	u128 product = multiply(a, five);
	if (shift <= 0) { // the result fits 64 bits, so nothing is above
		*has_rest = false;
		return product.low << -shift;
	}
	if (shift < 64) {
		*has_rest = product.low << (64 - shift) != 0;
		return product.high << (64 - shift) | product.low >> shift;
	}
	uint64_t cut = shift == 64 ? 0 : product.high << (128 - shift);
	*has_rest = product.low != 0 || cut != 0;
	return product.high >> (shift - 64);
}

// value = f * 2^x > 0. `margin` keeps away from the midpoints, in units of the scaled number.
static int format_exactly(uint64_t f, int x, bool is_lowest, int power, uint64_t margin, char *out)
{
	uint64_t five = powers_of_five[power];
	int shift = -(x - 2 + power);
	bool has_rest, takes_midpoints = (f & 1) == 0 && margin == 0; // ties go to even numbers
	uint64_t lower = scale_down(4 * f - (is_lowest ? 1 : 2), five, shift, &has_rest) + margin;
	lower += has_rest || !takes_midpoints;
	uint64_t upper = scale_down(4 * f + 2, five, shift, &has_rest) - margin;
	upper -= !has_rest && !takes_midpoints;
	uint64_t middle = scale_down(4 * f, five, shift - 1, &has_rest); // doubled, for rounding
	uint64_t unit = 1;
	int dropped = 0;
	while (upper / 10 >= (lower + 9) / 10) {
		upper /= 10;
		lower = (lower + 9) / 10;
		unit *= 10;
		++dropped;
	}
	uint64_t digits = (middle / 2 + (unit == 1 ? middle & 1 : unit / 2)) / unit;
	digits = digits < lower ? lower : digits > upper ? upper : digits;
	return lay_out(digits, dropped - power, out);
}

// The system's printf, made shorter where that still reads back.
static int format_slowly(double value, bool is_float, char *out)
{
	for (int precision = is_float || value < 1e-300 ? 0 : 14;; ++precision) {
		char text[64];
		snprintf(text, sizeof text, "%.*e", precision, value);
		uint64_t digits = 0;
		const char *p = text;
		for (; *p != 'e'; ++p) {
			if (is_digit(*p))
				digits = digits * 10 + (uint64_t)(*p - '0');
		}
		const char *exponent_text = p;
		int exponent = (int)parse_exponent(&exponent_text, text + strlen(text)) - precision;
		for (; digits % 10 == 0; digits /= 10)
			++exponent;
		int length = lay_out(digits, exponent, out);
		const char *at = out;
		double back = 0.0;
		rbl_io_parse_double(&at, out + length, &back);
		if (precision >= 16 || (is_float ? (float)back == (float)value : back == value))
			return length;
	}
}

static int format_number(double value, bool is_float, char *out)
{
	char *o = out;
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	if (bits >> 63) {
		*o++ = '-';
		value = -value;
		bits &= INT64_MAX;
	}
	if (bits == 0 || bits >> 52 == 2047) { // writers refuse what is not finite before this
		*o++ = '0';
		return (int)(o - out);
	}
	if (bits >> 52 == 0) // subnormal
		return (int)(o - out) + format_slowly(value, is_float, o);
	int e = (int)(bits >> 52) - 1023;
	uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
	int power = 16 - (int)((e * (int64_t)78913) >> 18); // 17 digits, or 18
	if (power < 0 || power > POWER_LIMIT)
		return (int)(o - out) + format_slowly(value, is_float, o);
	if (is_float) { // midpoints of floats are 2^29 times further apart
		uint64_t f = (fraction >> 29) | (uint64_t)1 << 23;
		return (int)(o - out) + format_exactly(f, e - 23, fraction == 0, power, 16, o);
	}
	return (int)(o - out) +
	       format_exactly(fraction | (uint64_t)1 << 52, e - 52, fraction == 0, power, 0, o);
}

int rbl_io_format_double(double value, char *out)
{
	return format_number(value, false, out);
}

int rbl_io_format_float(float value, char *out)
{
	return format_number((double)value, true, out);
}
