// SPDX-License-Identifier: MIT
// ctest: pinned
//
// Elementary functions against libm's long double forms, which are good to 64 bits: the greatest
// error in ulp over random arguments of every size, and every special value by name.

#include "base/random.h"
#include "base/math.h"
#include "base/vec.h"
#include "test.h"

#include <float.h>

enum { ROUNDS = 200000 };

static double from_bits(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

// Any exponent between the given powers of two, any sign.
static double any_size(rbl_random *random, int low, int high)
{
	uint64_t exponent =
		(uint64_t)(low + 1023 + (int)rbl_random_below(random, (uint32_t)(high - low)));
	return from_bits((rbl_random_u64(random) & 0x800fffffffffffff) | exponent << 52);
}

// Not by wasm, whose long double is emulated, nor by MinGW, whose cosl() is good to half of its bits.
#if LDBL_MANT_DIG >= 64 && !defined __wasm__ && !defined _WIN32

// The distance from `value` to the truth in units of the last place at the truth.
static double ulps(double value, long double truth)
{
	int exponent;
	frexpl(truth, &exponent);
	long double unit = ldexpl(1.0L, exponent - 53 > -1074 ? exponent - 53 : -1074);
	if ((long double)value == truth)
		return 0.0;
	return (double)(fabsl((long double)value - truth) / unit);
}

static double ulps_float(float value, long double truth)
{
	int exponent;
	frexpl(truth, &exponent);
	long double unit = ldexpl(1.0L, exponent - 24 > -149 ? exponent - 24 : -149);
	if ((float)truth == value)
		return 0.0;
	return (double)(fabsl((long double)value - truth) / unit);
}

typedef struct range {
	const char *name;
	double (*function)(double);
	long double (*truth)(long double);
	int low, high; // powers of two
	bool positive;
	double limit; // ulp
} range;

static const range ranges[] = {
	{ "sin, small", rbl_sin, sinl, -40, 1, false, 1.0 },
	{ "sin, some turns", rbl_sin, sinl, 0, 20, false, 1.0 },
	{ "sin, huge", rbl_sin, sinl, 20, 1024, false, 1.0 },
	{ "cos, small", rbl_cos, cosl, -40, 1, false, 1.0 },
	{ "cos, some turns", rbl_cos, cosl, 0, 20, false, 1.0 },
	{ "cos, huge", rbl_cos, cosl, 20, 1024, false, 1.0 },
	{ "exp, small", rbl_exp, expl, -60, 1, false, 1.0 },
	{ "exp, large", rbl_exp, expl, 0, 9, false, 1.0 },
	{ "ln, near one", rbl_ln, logl, -1, 1, true, 1.0 },
	{ "ln, all", rbl_ln, logl, -1022, 1024, true, 1.0 },
	{ "acos", rbl_acos, acosl, -30, 0, false, 3.0 },
	{ "asin", rbl_asin, asinl, -30, 0, false, 3.0 },
	{ "cbrt", rbl_cbrt, cbrtl, -1022, 1024, false, 1.0 },
};

static void results_are_within_their_ulps(test *t)
{
	for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; ++k) {
		const range *r = &ranges[k];
		rbl_random random = rbl_random_from_seed(k);
		double worst = 0.0, where = 0.0;
		for (int i = 0; i < ROUNDS; ++i) {
			double x = any_size(&random, r->low, r->high);
			if (r->positive)
				x = fabs(x);
			double error = ulps(r->function(x), r->truth((long double)x));
			if (!(error <= worst))
				worst = error, where = x;
		}
		printf("        %-16s %.3f ulp at %a\n", r->name, worst, where);
		CHECK(t, worst <= r->limit);
	}
}

static void atan2_is_within_its_ulps(test *t)
{
	static const int spans[] = { 2, 40, 1000 };
	for (int k = 0; k < 3; ++k) {
		rbl_random random = rbl_random_from_seed((uint64_t)k);
		double worst = 0.0;
		for (int i = 0; i < ROUNDS; ++i) {
			double y = any_size(&random, -spans[k], spans[k]);
			double x = any_size(&random, -spans[k], spans[k]);
			double error = ulps(rbl_atan2(y, x), atan2l((long double)y, (long double)x));
			worst = error > worst ? error : worst;
		}
		printf("        atan2, 2^+-%-4d  %.3f ulp\n", spans[k], worst);
		CHECK(t, worst <= 1.5);
	}
}

static void floats_are_rounded_once(test *t)
{
	double worst = 0.0, worst_power = 0.0;
	rbl_random random = rbl_random_from_seed(5);
	for (int i = 0; i < ROUNDS; ++i) {
		float x = (float)any_size(&random, -20, 6), y = (float)any_size(&random, -4, 4);
		long double wide = (long double)x, ax = fabsl(wide);
		double errors[] = { ulps_float(rbl_sinf(x), sinl(wide)),
			                ulps_float(rbl_cosf(x), cosl(wide)),
			                ulps_float(rbl_lnf(fabsf(x)), logl(ax)),
			                ulps_float(rbl_atan2f(y, x), atan2l((long double)y, wide)) };
		for (size_t k = 0; k < sizeof errors / sizeof errors[0]; ++k)
			worst = errors[k] > worst ? errors[k] : worst;
		long double power = powl(ax, (long double)y);
		if (power > 1e-37L && power < 3e38L) {
			double error = ulps_float(rbl_powf(fabsf(x), y), power);
			worst_power = error > worst_power ? error : worst_power;
		}
	}
	printf("        float forms      %.6f ulp, powf %.6f ulp\n", worst, worst_power);
	CHECK(t, worst <= 0.51 && worst_power <= 0.51);
}

// Doubles that nearly are multiples of pi/2, where a careless reduction has no good bits left.
static void angles_near_quarter_turns_keep_all_bits(test *t)
{
	const double nearest = 0x1.6ac5b262ca1ffp+849; // of all doubles
	CHECK(t, ulps(rbl_cos(nearest), cosl((long double)nearest)) <= 1.0);
	for (int n = 1; n < 667544; ++n) { // to where the exact reduction begins
		double x = n * (0.5 * RBL_PI);
		CHECK(t, ulps(rbl_sin(x), sinl((long double)x)) <= 1.0);
		CHECK(t, ulps(rbl_cos(x), cosl((long double)x)) <= 1.0);
	}
}

static void denormals_count(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	for (int i = 0; i < 20000; ++i) {
		double x = from_bits(rbl_random_u64(&random) >> (12 + rbl_random_below(&random, 50)));
		CHECK(t, ulps(rbl_sin(x), (long double)x) <= 1.0);
		CHECK(t, x == 0.0 || ulps(rbl_ln(x), logl((long double)x)) <= 1.0);
		CHECK(t, ulps(rbl_cbrt(x), cbrtl((long double)x)) <= 1.0);
		CHECK(t, ulps(rbl_atan2(x, 1.0), (long double)x) <= 1.0);
		double y = -745.2 + 0.00185 * i; // results from zero to the least normals
		CHECK(t, ulps(rbl_exp(y), expl((long double)y)) <= 1.0);
	}
}

#else

static void results_are_within_their_ulps(test *t)
{
	SKIP(t, "no long double to compare with");
}

static void atan2_is_within_its_ulps(test *t)
{
	SKIP(t, "no long double to compare with");
}

static void floats_are_rounded_once(test *t)
{
	SKIP(t, "no long double to compare with");
}

static void angles_near_quarter_turns_keep_all_bits(test *t)
{
	SKIP(t, "no long double to compare with");
}

static void denormals_count(test *t)
{
	SKIP(t, "no long double to compare with");
}

#endif

// Equal, with the sign of zero.
static bool is(double a, double b)
{
	return a == b && !signbit(a) == !signbit(b);
}

static void special_values_are_defined(test *t)
{
	const double inf = (double)INFINITY, nan = (double)NAN;
	CHECK(t, is(rbl_sin(0.0), 0.0) && is(rbl_sin(-0.0), -0.0) && is(rbl_cos(-0.0), 1.0));
	CHECK(t, isnan(rbl_sin(inf)) && isnan(rbl_sin(-inf)) && isnan(rbl_sin(nan)));
	CHECK(t, isnan(rbl_cos(inf)) && isnan(rbl_cos(-inf)) && isnan(rbl_cos(nan)));
	CHECK(t, is(rbl_exp(0.0), 1.0) && is(rbl_exp(-inf), 0.0) && is(rbl_exp(inf), inf));
	CHECK(t, is(rbl_exp(710.0), inf) && is(rbl_exp(-746.0), 0.0) && isnan(rbl_exp(nan)));
	CHECK(t, isfinite(rbl_exp(0x1.62e42fefa39efp+9)) && isinf(rbl_exp(0x1.62e42fefa39f0p+9)));
	CHECK(t, is(rbl_ln(1.0), 0.0) && is(rbl_ln(0.0), -inf) && is(rbl_ln(-0.0), -inf));
	CHECK(t, is(rbl_ln(inf), inf) && isnan(rbl_ln(-1.0)) && isnan(rbl_ln(-inf)));
	CHECK(t, isnan(rbl_ln(nan)));
	CHECK(t, is(rbl_cbrt(-27.0), -3.0) && is(rbl_cbrt(-0.0), -0.0) && is(rbl_cbrt(-inf), -inf));
	CHECK(t, is(rbl_cbrt(1e300 * 1e8), rbl_cbrt(1e308)) && isnan(rbl_cbrt(nan)));
	CHECK(t, isnan(rbl_acos(1.5)) && isnan(rbl_asin(-1.5)) && isnan(rbl_acos(nan)));
	CHECK(t, is(rbl_acos(1.0), 0.0) && is(rbl_acos(-1.0), RBL_PI) && is(rbl_asin(-0.0), -0.0));
	CHECK(t, rbl_powf(2.0f, 10.0f) == 1024.0f && rbl_powf(0.0f, 2.0f) == 0.0f);
	CHECK(t, rbl_powf(0.0f, -1.0f) == INFINITY && rbl_powf(NAN, 0.0f) == 1.0f);
	CHECK(t, rbl_powf(1.0f, NAN) == 1.0f && isnan(rbl_powf(-8.0f, 2.0f)));
}

static void atan2_follows_the_signs_of_zeros(test *t)
{
	const double inf = (double)INFINITY, nan = (double)NAN, pi = RBL_PI;
	CHECK(t, is(rbl_atan2(0.0, 0.0), 0.0) && is(rbl_atan2(-0.0, 0.0), -0.0));
	CHECK(t, is(rbl_atan2(0.0, -0.0), pi) && is(rbl_atan2(-0.0, -0.0), -pi));
	CHECK(t, is(rbl_atan2(0.0, 5.0), 0.0) && is(rbl_atan2(-0.0, -5.0), -pi));
	CHECK(t, is(rbl_atan2(1.0, 0.0), 0.5 * pi) && is(rbl_atan2(-1.0, -0.0), -0.5 * pi));
	CHECK(t, is(rbl_atan2(1.0, inf), 0.0) && is(rbl_atan2(-1.0, -inf), -pi));
	CHECK(t, is(rbl_atan2(inf, 1.0), 0.5 * pi) && is(rbl_atan2(-inf, -1.0), -0.5 * pi));
	CHECK(t, is(rbl_atan2(inf, inf), 0.25 * pi) && is(rbl_atan2(-inf, -inf), -0.75 * pi));
	CHECK(t, is(rbl_atan2(DBL_MAX, DBL_MAX), 0.25 * pi));
	CHECK(t, is(rbl_atan2(DBL_TRUE_MIN, -DBL_TRUE_MIN), 0.75 * pi));
	CHECK(t, isnan(rbl_atan2(nan, 1.0)) && isnan(rbl_atan2(1.0, nan)));
}

static void both_at_once_are_each_alone(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	for (int i = 0; i < 20000; ++i) {
		double x = any_size(&random, -30, i % 8 ? 12 : 1024), s, c;
		rbl_sin_cos(x, &s, &c);
		CHECK(t, is(s, rbl_sin(x)) && is(c, rbl_cos(x)));
	}
	double s, c;
	rbl_sin_cos((double)INFINITY, &s, &c);
	CHECK(t, isnan(s) && isnan(c));
}

static void rotations_from_axis_and_angle_turn_the_right_way(test *t)
{
	rbl_quat q = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, 0.5f * RBL_PI_F);
	rbl_vec3 y = rbl_rotate(q, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
	CHECK_NEAR(t, rbl_distance(y, (rbl_vec3){ 0.0f, 1.0f, 0.0f }), 0.0, 1e-7);
	rbl_quatd p = rbl_quat_from_axis_angle_d((rbl_vec3d){ 1.0, 0.0, 0.0 }, RBL_PI / 3.0);
	rbl_vec3d v = rbl_rotate_d(p, (rbl_vec3d){ 0.0, 2.0, 0.0 });
	CHECK_NEAR(t, rbl_distance_d(v, (rbl_vec3d){ 0.0, 1.0, sqrt(3.0) }), 0.0, 1e-15);
}

TEST_MAIN(TEST(results_are_within_their_ulps), TEST(atan2_is_within_its_ulps),
          TEST(floats_are_rounded_once), TEST(angles_near_quarter_turns_keep_all_bits),
          TEST(denormals_count), TEST(special_values_are_defined),
          TEST(atan2_follows_the_signs_of_zeros), TEST(both_at_once_are_each_alone),
          TEST(rotations_from_axis_and_angle_turn_the_right_way))
