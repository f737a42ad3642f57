// SPDX-License-Identifier: MIT
//
// Elementary functions: reduce the argument to a short interval with an error far below an ulp,
// evaluate a polynomial there, and add the large and the small parts last.
//
// The polynomials are minimax fits (Remez, with the relative error of the function as weight) of
// the Taylor remainder, so the leading terms stay exact. Constants written as a sum of two or
// three doubles (PI_2_A + PI_2_B + PI_2_C) hold their value to more than 100 bits.

#include "base/math.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "Rubble needs plain IEEE 754 arithmetic");

// Adding and subtracting it rounds a double below 2^51 to the nearest whole number.
#define ROUNDER 0x1.8p52

static uint64_t bits_of(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static double from_bits(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

// 2^k for a normal result, k from -1022 to 1023.
static double power_of_two(int k)
{
	return from_bits((uint64_t)(k + 1023) << 52);
}

// --- sin and cos --------------------------------------------------------------------------------

// A sum of two doubles, the second far smaller.
typedef struct two {
	double high, low;
} two;

#define PI_2 0x1.921fb54442d18p+0
#define PI_2_LOW 0x1.1a62633145c07p-54
// The same in pieces of 33, 33 and 53 bits: products of the first two with 20-bit numbers are
// exact.
#define PI_2_A 0x1.921fb54400000p+0
#define PI_2_B 0x1.0b4611a600000p-34
#define PI_2_C 0x1.3198a2e037073p-69
#define TWO_OVER_PI 0x1.45f306dc9c883p-1

// 2/pi in binary: 32 bits after the point, then the next 32, ...
static const uint32_t two_over_pi[] = {
	0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
	0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
	0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
	0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
	0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};

// The part of a with its lower 27 bits cleared: products of such parts are exact.
static double upper_half(double a)
{
	return from_bits(bits_of(a) & ~(uint64_t)0x7ffffff);
}

// (a + a_low) (b + b_low) to about 100 bits.
static two multiply(double a, double a_low, double b, double b_low)
{
	double product = a * b;
	double a1 = upper_half(a), a2 = a - a1, b1 = upper_half(b), b2 = b - b1;
	double error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
	return (two){ product, error + (a * b_low + a_low * b) };
}

enum { TABLE_WORDS = 8, PRODUCT_WORDS = TABLE_WORDS + 2 };

// The 64 bits of a number that begin `start` bits below its top; words[0] is the lowest.
static uint64_t bits_from(const uint32_t *words, int start)
{
	uint64_t result = 0;
	for (int i = 0; i < 3; ++i) {
		int word = PRODUCT_WORDS - 1 - start / 32 - i, shift = 32 - 32 * i + start % 32;
		uint64_t value = word >= 0 ? words[word] : 0;
		result |= shift >= 0 ? value << shift : value >> -shift;
	}
	return result;
}

// Reduction of any x by multiplying with as many bits of 2/pi as matter: with x = m 2^e, bits of
// 2/pi that contribute multiples of four quarter turns are left out, and those kept put the error
// below 2^-169, while no double is nearer to a multiple of pi/2 than 2^-62.
static int reduce_exactly(double x, two *rest)
{
	uint64_t bits = bits_of(x) & ~((uint64_t)1 << 63);
	int e = (int)(bits >> 52) - 1075;
	uint64_t m = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
	int first = e >= 34 ? (e - 2) / 32 : 0;
	e -= 32 * first;

	// The product, as an integer times 2^(e - 256).
	uint32_t product[PRODUCT_WORDS] = { 0 };
	for (int half = 0; half < 2; ++half) {
		uint64_t factor = half ? m >> 32 : m & 0xffffffff, carry = 0;
		for (int i = 0; i < TABLE_WORDS; ++i) {
			carry += factor * two_over_pi[first + TABLE_WORDS - 1 - i] + product[i + half];
			product[i + half] = (uint32_t)carry;
			carry >>= 32;
		}
		product[TABLE_WORDS + half] = (uint32_t)carry;
	}

	// Two bits above the point are the quarter turn, what is below is the fraction of one.
	int point = 32 * PRODUCT_WORDS - (32 * TABLE_WORDS - e); // bits above the point
	int quarter = (int)(bits_from(product, point - 2) >> 62);
	uint64_t top = bits_from(product, point), next = bits_from(product, point + 64);
	uint64_t last = bits_from(product, point + 128);
	double sign = 1.0;
	if (top >> 63) { // nearer to the next quarter: one minus the fraction
		sign = -1.0;
		quarter++;
		top = ~top, next = ~next, last = ~last;
	}
	int place = 0; // of the leading one, below the point
	while (!(top >> 63)) {
		top = top << 1 | next >> 63;
		next = next << 1 | last >> 63;
		last <<= 1;
		place++;
	}
	uint64_t middle = top << 53 | next >> 11; // the 64 bits after the first 53
	double high = (double)(top >> 11) * power_of_two(-53 - place);
	double low = (double)(middle >> 11) * power_of_two(-106 - place);
	two angle = multiply(high, low, PI_2, PI_2_LOW);
	if (x < 0.0) {
		sign = -sign;
		quarter = -quarter;
	}
	rest->high = sign * (angle.high + angle.low);
	rest->low = sign * ((angle.high - (angle.high + angle.low)) + angle.low);
	return quarter & 3;
}

// x = quarter * pi/2 + rest, |rest| <= pi/4 and a little. @return quarter modulo four.
static int reduce(double x, two *rest)
{
	if (fabs(x) <= 0x1.921fb54442d18p-1) {
		*rest = (two){ x, 0.0 };
		return 0;
	}
	if (fabs(x) < 0x1p20) {
		double n = (x * TWO_OVER_PI + ROUNDER) - ROUNDER;
		double a = x - n * PI_2_A, b = n * PI_2_B, c = n * PI_2_C;
		double high = a - b;
		double low = ((a - high) - b) - c;
		rest->high = high + low;
		rest->low = (high - rest->high) + low;
		if (fabs(high) > 0x1p-30) // otherwise too many leading bits cancelled
			return (int)n & 3;
	}
	return reduce_exactly(x, rest);
}

// sin and cos of a + b, |a| <= pi/4 and a little, b far smaller.
static double sin_near_zero(two angle)
{
	double a = angle.high, b = angle.low, z = a * a;
	if (a == 0.0)
		return a; // -0 stays -0
	double p = -0x1.5555555555549p-3 +
	           z * (0x1.111111110f87ap-7 +
	                z * (-0x1.a01a019c119cap-13 +
	                     z * (0x1.71de3577b8c74p-19 +
	                          z * (-0x1.ae5e663bf0fbfp-26 + z * 0x1.5d9301523a4bap-33))));
	return a + (a * z * p + b * (1.0 - 0.5 * z));
}

static double cos_near_zero(two angle)
{
	double a = angle.high, b = angle.low, z = a * a;
	double p = 0x1.555555555554cp-5 +
	           z * (-0x1.6c16c16c1517ep-10 +
	                z * (0x1.a01a019cb1be1p-16 +
	                     z * (-0x1.27e4f809f01f7p-22 +
	                          z * (0x1.1ee9ebe86e706p-29 - z * 0x1.8fae9bea5625dp-37))));
	double half = 0.5 * z, large = 1.0 - half;
	return large + (((1.0 - large) - half) + (z * z * p - a * b));
}

void rbl_sin_cos(double x, double *sine, double *cosine)
{
	if (!isfinite(x)) {
		*sine = *cosine = x - x;
		return;
	}
	two rest;
	int quarter = reduce(x, &rest);
	double s = sin_near_zero(rest), c = cos_near_zero(rest);
	*sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
	*cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}

double rbl_sin(double x)
{
	if (!isfinite(x))
		return x - x;
	two rest;
	int quarter = reduce(x, &rest);
	double value = quarter & 1 ? cos_near_zero(rest) : sin_near_zero(rest);
	return quarter & 2 ? -value : value;
}

double rbl_cos(double x)
{
	if (!isfinite(x))
		return x - x;
	two rest;
	int quarter = reduce(x, &rest) + 1;
	double value = quarter & 1 ? cos_near_zero(rest) : sin_near_zero(rest);
	return quarter & 2 ? -value : value;
}

// --- atan2 and what follows from it -------------------------------------------------------------

// atan(i / 4), to 100 bits.
static const two atan_of_quarters[] = {
	{ 0.0, 0.0 },
	{ 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57 },
	{ 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 },
	{ 0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56 },
	{ 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 },
};

// atan(y / x) for 0 <= y <= x, x > 0 and far from the ends of the range. With c the nearest
// quarter to y / x, it is atan(c) + atan((y - c x) / (x + c y)), and y - c x is nearly exact.
static two atan_ratio(double y, double x)
{
	int i = (int)(4.0 * (y / x) + 0.5);
	double c = 0.25 * i;
	double t = (y - c * x) / (x + c * y), z = t * t;
	double p = -0x1.5555555555555p-2 +
	           z * (0x1.99999999991c3p-3 +
	                z * (-0x1.24924923837a8p-3 +
	                     z * (0x1.c71c6f9c6a761p-4 +
	                          z * (-0x1.745be7245f56bp-4 +
	                               z * (0x1.3ab7db762ea07p-4 - z * 0x1.029dd6235b07ap-4)))));
	double small = atan_of_quarters[i].low + t * z * p;
	two sum = { atan_of_quarters[i].high + t, 0.0 };
	sum.low = i == 0 ? small : ((atan_of_quarters[i].high - sum.high) + t) + small;
	return sum;
}

double rbl_atan2(double y, double x)
{
	if (isnan(x) || isnan(y))
		return x + y;
	double ax = fabs(x), ay = fabs(y);
	double largest = ax > ay ? ax : ay;
	if (isinf(largest)) {
		ax = isinf(ax) ? 1.0 : 0.0;
		ay = isinf(ay) ? 1.0 : 0.0;
	} else if (largest > 0x1p1000) { // the sum of both must not overflow
		ax *= 0x1p-2, ay *= 0x1p-2;
	} else if (largest < 0x1p-900) {
		ax *= 0x1p120, ay *= 0x1p120;
	}
	two angle;
	if (largest == 0.0)
		angle = (two){ 0.0, 0.0 };
	else
		angle = ay > ax ? atan_ratio(ax, ay) : atan_ratio(ay, ax);
	if (ay > ax) { // pi/2 - angle
		double complement = PI_2 - angle.high;
		angle.low = ((PI_2 - complement) - angle.high) + (PI_2_LOW - angle.low);
		angle.high = complement;
	}
	if (signbit(x)) { // pi - angle
		double complement = 2.0 * PI_2 - angle.high;
		angle.low = ((2.0 * PI_2 - complement) - angle.high) + (2.0 * PI_2_LOW - angle.low);
		angle.high = complement;
	}
	return copysign(angle.high + angle.low, y);
}

double rbl_acos(double x)
{
	return rbl_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}

double rbl_asin(double x)
{
	return rbl_atan2(x, sqrt((1.0 - x) * (1.0 + x)));
}

// --- exp, log and roots -------------------------------------------------------------------------

// ln 2: 40 bits, so that products with exponents are exact, and the rest.
#define LN_2_A 0x1.62e42fefa2000p-1
#define LN_2_B 0x1.9ef35793c7673p-41
#define ONE_OVER_LN_2 0x1.71547652b82fep+0

double rbl_exp(double x)
{
	if (!(x < 0x1.62e42fefa39f0p+9)) // 709.78
		return x + HUGE_VAL;         // infinite, or NaN of NaN
	if (x < -745.14)
		return 0.0;
	// e^x = 2^k e^r, e^r = 1 + r + r^2 p(r); r = a - b
	double k = (x * ONE_OVER_LN_2 + ROUNDER) - ROUNDER;
	double a = x - k * LN_2_A, b = k * LN_2_B, r = a - b;
	double p = 0x1.000000000000bp-1 +
	           r * (0x1.5555555555561p-3 +
	                r * (0x1.5555555550031p-5 +
	                     r * (0x1.111111110d63cp-7 +
	                          r * (0x1.6c16c185a72aep-10 +
	                               r * (0x1.a01a01bae1859p-13 +
	                                    r * (0x1.a0199694228e5p-16 +
	                                         r * (0x1.71dddfcd2f85cp-19 +
	                                              r * (0x1.28b048c30cd17p-22 +
	                                                   r * 0x1.af8585e7f5fb9p-26))))))));
	double value = 1.0 + (a + (r * r * p - b));
	// In two steps, because 2^k alone may be out of range where the result is not.
	int half = (int)k / 2;
	return value * power_of_two(half) * power_of_two((int)k - half);
}

double rbl_ln(double x)
{
	if (!(x > 0.0))
		return x < 0.0 ? (double)NAN : x == 0.0 ? -HUGE_VAL : x;
	if (x > DBL_MAX)
		return x;
	int k = 0;
	if (x < DBL_MIN) {
		x *= 0x1p54;
		k = -54;
	}
	// x = 2^k (1 + f), 1 + f from sqrt(1/2) to sqrt(2)
	uint64_t bits = bits_of(x) + 0x00095f6200000000; // carries into the exponent above sqrt(2)
	k += (int)(bits >> 52) - 1023;
	double f = from_bits((bits & 0xfffffffffffff) + 0x3fe6a09e00000000) - 1.0;
	// log(1 + f) = 2 artanh(s) with s = f / (2 + f); 2 s = f - s f keeps f exact
	double s = f / (2.0 + f), z = s * s;
	double p = z * (0x1.5555555555592p-1 +
	                z * (0x1.999999997fd38p-2 +
	                     z * (0x1.24924941f8c7ep-2 +
	                          z * (0x1.c71c5202b91e8p-3 +
	                               z * (0x1.7466405abd067p-3 +
	                                    z * (0x1.39a1935140021p-3 + z * 0x1.2f07049fbfbe3p-3))))));
	double half = 0.5 * f * f;
	double small = s * (half + p) + k * LN_2_B;
	return k * LN_2_A + (f - (half - small));
}

double rbl_cbrt(double x)
{
	if (x == 0.0 || !isfinite(x))
		return x + x;
	double a = fabs(x), scale = 1.0;
	if (a < DBL_MIN) {
		a *= 0x1p54;
		scale = 0x1p-18;
	} else if (a > 0x1p1000) {
		a *= 0x1p-54;
		scale = 0x1p18;
	}
	// A third of exponent and mantissa as one integer is right to a few per cent; each step of
	// Halley's method triples the number of good bits.
	double r = from_bits(bits_of(a) / 3 + 0x2a9f800000000000);
	for (int i = 0; i < 2; ++i) {
		double cube = r * r * r;
		r = r * ((cube + 2.0 * a) / (2.0 * cube + a));
	}
	// One step of Newton's with the residual a - r^3 computed exactly enough.
	double r1 = upper_half(r), r2 = r - r1;
	double square = r * r, error = ((r1 * r1 - square) + 2.0 * r1 * r2) + r2 * r2;
	double s1 = upper_half(square), s2 = square - s1;
	double residual = ((a - s1 * r1) - s1 * r2) - (s2 * r + error * r);
	r += residual / (3.0 * square);
	return copysign(r * scale, x);
}

// --- Single precision ---------------------------------------------------------------------------

float rbl_sinf(float x)
{
	return (float)rbl_sin((double)x);
}

float rbl_cosf(float x)
{
	return (float)rbl_cos((double)x);
}

float rbl_atan2f(float y, float x)
{
	return (float)rbl_atan2((double)y, (double)x);
}

float rbl_lnf(float x)
{
	return (float)rbl_ln((double)x);
}

float rbl_powf(float x, float y)
{
	if (x == 1.0f || y == 0.0f)
		return 1.0f;
	return (float)rbl_exp((double)y * rbl_ln((double)x));
}

rbl_quat rbl_quat_from_axis_angle(rbl_vec3 axis, float angle)
{
	double s, c;
	rbl_sin_cos(0.5 * (double)angle, &s, &c);
	float t = (float)s;
	return (rbl_quat){ t * axis.x, t * axis.y, t * axis.z, (float)c };
}

rbl_quatd rbl_quat_from_axis_angle_d(rbl_vec3d axis, double angle)
{
	double s, c;
	rbl_sin_cos(0.5 * angle, &s, &c);
	return (rbl_quatd){ s * axis.x, s * axis.y, s * axis.z, c };
}
