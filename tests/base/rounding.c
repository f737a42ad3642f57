// SPDX-License-Identifier: MIT
// What the compiler must not do to floating-point arithmetic.

#include "base/vec.h"

#include "test.h"

// Regression: gcc 12 took p itself for p rounded to float and back.
static void rounding_to_float_is_never_skipped(test *t)
{
	volatile double tenth = 0.1;
	const rbl_vec3d p = { tenth, 2.0 * tenth, 3.0 * tenth };
	const rbl_vec3d q = rbl_to_d(rbl_to_f(p));
	volatile float x = (float)p.x, y = (float)p.y, z = (float)p.z;
	CHECK(t, q.x == (double)x && q.y == (double)y && q.z == (double)z);
	CHECK(t, q.x != p.x);
}

// A product and a sum are rounded one after the other, not together.
static void multiply_and_add_are_not_fused(test *t)
{
	volatile double a = 1.0 + 0x1p-30, b = 1.0 - 0x1p-30, c = -1.0;
	CHECK(t, a * b + c == 0.0); // fused: -2^-60
}

TEST_MAIN(TEST(rounding_to_float_is_never_skipped), TEST(multiply_and_add_are_not_fused))
