// SPDX-License-Identifier: MIT
// ctest: pinned
//
// Random numbers: pinned first values, and values that are spread as promised.

#include "base/random.h"
#include "test.h"

static void the_first_numbers_of_a_seed_never_change(test *t)
{
	static const struct {
		uint64_t seed;
		uint32_t first[4];
	} pinned[] = {
		{ 0, { 0x7a7ecbd9, 0x89fd6c06, 0xae646aa8, 0xcd3cf945 } },
		{ 1, { 0x6ac20236, 0x0768dd4c, 0x75560a43, 0x4065d452 } },
		{ UINT64_MAX, { 0xcd4b6992, 0x7b8ec69e, 0x999dd010, 0x5c4eb9ab } },
	};
	for (int i = 0; i < 3; ++i) {
		rbl_random random = rbl_random_from_seed(pinned[i].seed);
		for (int k = 0; k < 4; ++k)
			CHECK(t, rbl_random_u32(&random) == pinned[i].first[k]);
	}
	rbl_random random = rbl_random_from_seed(1);
	CHECK(t, rbl_random_u64(&random) == 0x6ac202360768dd4c);
	CHECK(t, rbl_random_float(&random) == 0x75560ap-24f);
}

// Sum over 64 bins of (found - expected)^2 / expected; 63 on average, above 130 once in a million.
static double chi_squared(const int *bins, int total)
{
	double expected = total / 64.0, sum = 0.0;
	for (int i = 0; i < 64; ++i)
		sum += (bins[i] - expected) * (bins[i] - expected) / expected;
	return sum;
}

static void numbers_are_spread_evenly(test *t)
{
	enum { TOTAL = 64000 };
	int high[64] = { 0 }, low[64] = { 0 }, below[64] = { 0 }, floats[64] = { 0 };
	int doubles[64] = { 0 }, seeds[64] = { 0 };
	rbl_random random = rbl_random_from_seed(9);
	for (int i = 0; i < TOTAL; ++i) {
		uint32_t bits = rbl_random_u32(&random);
		high[bits >> 26]++;
		low[bits & 63]++;
		below[rbl_random_below(&random, 64)]++;
		float f = rbl_random_float(&random);
		CHECK(t, f >= 0.0f && f < 1.0f);
		floats[(int)(64.0f * f)]++;
		double d = rbl_random_range(&random, -2.0, 6.0);
		CHECK(t, d >= -2.0 && d < 6.0);
		doubles[(int)(8.0 * (d + 2.0))]++;
		rbl_random neighbour = rbl_random_from_seed((uint64_t)i);
		seeds[rbl_random_u32(&neighbour) >> 26]++;
	}
	CHECK(t, chi_squared(high, TOTAL) < 130.0 && chi_squared(low, TOTAL) < 130.0);
	CHECK(t, chi_squared(below, TOTAL) < 130.0 && chi_squared(floats, TOTAL) < 130.0);
	CHECK(t, chi_squared(doubles, TOTAL) < 130.0 && chi_squared(seeds, TOTAL) < 130.0);
}

// Two sequences that ran alike would agree in more than half of their bits.
static void neighbouring_seeds_are_unrelated(test *t)
{
	for (uint64_t seed = 0; seed < 200; ++seed) {
		rbl_random a = rbl_random_from_seed(seed), b = rbl_random_from_seed(seed + 1);
		int different = 0;
		for (int i = 0; i < 64; ++i)
			different += __builtin_popcount(rbl_random_u32(&a) ^ rbl_random_u32(&b));
		CHECK_NEAR(t, different, 1024, 150); // standard deviation 23
	}
}

static void points_fill_boxes_and_balls(test *t)
{
	enum { TOTAL = 20000 };
	rbl_random random = rbl_random_from_seed(11);
	rbl_boxd box = { { -1.0, 0.0, 5.0 }, { 1.0, 0.5, 5.0 } };
	double inner = 0.0, x = 0.0;
	for (int i = 0; i < TOTAL; ++i) {
		rbl_vec3d p = rbl_random_in_box(&random, box), q = rbl_random_in_ball(&random);
		CHECK(t, p.x >= -1.0 && p.x < 1.0 && p.y >= 0.0 && p.y < 0.5 && p.z == 5.0);
		double squared = q.x * q.x + q.y * q.y + q.z * q.z;
		CHECK(t, squared <= 1.0);
		inner += squared < 0.25; // an eighth of the ball
		x += q.x;
	}
	CHECK_NEAR(t, inner / TOTAL, 0.125, 0.012);
	CHECK_NEAR(t, x / TOTAL, 0.0, 0.016);
}

TEST_MAIN(TEST(the_first_numbers_of_a_seed_never_change), TEST(numbers_are_spread_evenly),
          TEST(neighbouring_seeds_are_unrelated), TEST(points_fill_boxes_and_balls))
