// SPDX-License-Identifier: MIT
// ctest: soak
//
// Triangles in staging blocks: what staged triangles say of a pair is what exact arithmetic says,
// on every back end.

#include "surface/surface_kernels.h"

#include "base/random.h"
#include "geometry/geometry.h"

#include "test.h"

#include <math.h>

enum { TRIANGLES = 24, KIND_COUNT = 9 };

static float coordinate(rbl_random *random, int kind, int axis)
{
	static const float scales[KIND_COUNT] = { 1.0f,  1.0f,  1.0f,   1.0f,  1e13f,
		                                      1e30f, 3e38f, 1e-12f, 1e-44f };
	float grid = (float)rbl_random_below(random, 5) - 2.0f;
	if (kind == 0) // many contacts, exact zeros
		return grid;
	if (kind == 1) // in a plane
		return axis < 2 ? grid : 1.0f;
	if (kind == 2) // moved by an ulp, away from the origin
		return nextafterf(grid + 9.0f - 7.0f * (float)axis, grid > 0.0f ? 1e9f : 0.0f);
	return scales[kind] * (float)rbl_random_range(random, -1.0, 1.0);
}

typedef struct soup {
	rbl_vec3 points[3 * TRIANGLES + 1];
	int triangles[3 * TRIANGLES];
	rbl_surface_staged_triangle rows[TRIANGLES];
} soup;

// Triangles that share no vertex, the last few as points and segments.
static void make_soup(soup *s, rbl_random *random, int kind, rbl_backend backend)
{
	for (int i = 0; i <= 3 * TRIANGLES; ++i) {
		s->points[i].x = coordinate(random, kind, 0);
		s->points[i].y = coordinate(random, kind, 1);
		s->points[i].z = coordinate(random, kind, 2);
	}
	s->points[3 * TRIANGLES - 1] = s->points[3 * TRIANGLES - 2] = s->points[3 * TRIANGLES - 3];
	s->points[3 * TRIANGLES - 4] = s->points[3 * TRIANGLES - 5];
	for (int i = 0; i < 3 * TRIANGLES; ++i)
		s->triangles[i] = i;
	for (int i = 0; i < TRIANGLES; i += 8) {
		int32_t vertices[3][8];
		for (int k = 0; k < 24; ++k)
			vertices[k % 3][k / 3] = s->triangles[3 * i + k];
		RBL_KERNEL_OF(rbl_surface_stage_triangles, backend)
		(s->rows + i, s->points, (const int32_t(*)[8])vertices);
	}
}

static int all_pairs(rbl_surface_staged_pair *pairs)
{
	int count = 0;
	for (int a = 0; a < TRIANGLES; ++a)
		for (int b = 0; b < a; ++b)
			pairs[count++] = (rbl_surface_staged_pair)a | (rbl_surface_staged_pair)b << 16;
	return count;
}

enum { PAIRS = TRIANGLES * (TRIANGLES - 1) / 2 };

static void rows_agree_with_exact_tests(test *t)
{
	rbl_random random = rbl_random_from_seed(51);
	int count = test_count(90, 9000), certain = 0, doubtful = 0;
	for (int round = 0; round < count; ++round) {
		soup s;
		make_soup(&s, &random, round % KIND_COUNT, rbl_best_backend());
		rbl_surface_staged_pair pairs[PAIRS + 7], open[PAIRS + 1];
		int open_count, n = all_pairs(pairs);
		int colliding = RBL_PICK(rbl_surface_test_staged)(s.rows, pairs, n, open, &open_count);
		signed char answers[TRIANGLES][TRIANGLES] = { { 0 } };
		for (int i = 0; i < colliding; ++i)
			answers[pairs[i] & 0xffff][pairs[i] >> 16] = 1;
		for (int i = 0; i < open_count; ++i)
			answers[open[i] & 0xffff][open[i] >> 16] = 2;
		for (int a = 0; a < TRIANGLES; ++a)
			for (int b = 0; b < a; ++b)
				CHECK(t, answers[a][b] == 2 ||
				             (answers[a][b] == 1) ==
				                 rbl_indexed_triangles_meet_float(s.points, s.triangles + 3 * a,
				                                                  s.triangles + 3 * b));
		certain += n - open_count;
		doubtful += open_count;
	}
	CHECK(t, certain > count && doubtful > count);
}

static void back_ends_say_the_same(test *t)
{
	for (int round = 0; round < 4 * KIND_COUNT; ++round) {
		rbl_surface_staged_pair first[PAIRS + 7], first_open[PAIRS + 1];
		int first_count = 0, first_open_count = 0;
		for (int backend = 0; backend <= (int)rbl_best_backend(); ++backend) {
			rbl_random random = rbl_random_from_seed((uint64_t)round);
			soup s;
			make_soup(&s, &random, round % KIND_COUNT, (rbl_backend)backend);
			rbl_surface_staged_pair pairs[PAIRS + 7], open[PAIRS + 1];
			int open_count, n = all_pairs(pairs);
			int colliding = RBL_KERNEL_OF(rbl_surface_test_staged, (rbl_backend)backend)(
				s.rows, pairs, n, open, &open_count);
			if (backend == 0) {
				memcpy(first, pairs, sizeof pairs);
				memcpy(first_open, open, (size_t)open_count * sizeof *open);
				first_count = colliding, first_open_count = open_count;
			}
			CHECK(t, colliding == first_count && open_count == first_open_count);
			CHECK(t, memcmp(pairs, first, (size_t)colliding * sizeof *pairs) == 0);
			CHECK(t, memcmp(open, first_open, (size_t)open_count * sizeof *open) == 0);
		}
	}
}

static void no_pairs_are_no_work(test *t)
{
	rbl_surface_staged_pair pairs[7], open[1];
	int open_count = -1;
	CHECK(t, RBL_PICK(rbl_surface_test_staged)(NULL, pairs, 0, open, &open_count) == 0 &&
	             open_count == 0);
}

TEST_MAIN(TEST(rows_agree_with_exact_tests), TEST(back_ends_say_the_same),
          TEST(no_pairs_are_no_work))
