// SPDX-License-Identifier: MIT
// ctest: pinned
// What the compiler must not do to floating-point arithmetic.

#include "test.h"

/// Two neighbouring statements, as the compiler likes to join them.
static void round_pair(const double *from, double *to)
{
	float a = (float)from[0], b = (float)from[1];
	to[0] = (double)a;
	to[1] = (double)b;
}

// Regression: gcc 12 took a number itself for the number rounded to float and back.
static void rounding_to_float_is_never_skipped(test *t)
{
	void (*volatile hidden)(const double *, double *) = round_pair; // not inlined
	const double from[2] = { 0.1, 0.2 };
	double to[2];
	hidden(from, to);
	volatile float a = (float)from[0], b = (float)from[1];
	CHECK(t, to[0] == (double)a && to[1] == (double)b);
	CHECK(t, to[0] != from[0] && to[1] != from[1]);
}

// A product and a sum are rounded one after the other, not together.
static void multiply_and_add_are_not_fused(test *t)
{
	volatile double a = 1.0 + 0x1p-30, b = 1.0 - 0x1p-30, c = -1.0;
	CHECK(t, a * b + c == 0.0); // fused: -2^-60
}

TEST_MAIN(TEST(rounding_to_float_is_never_skipped), TEST(multiply_and_add_are_not_fused))
