// SPDX-License-Identifier: MIT
// Features that have corners at one place when the step begins, checked by exact arithmetic.
// ctest: soak

#include "ccd/ccd.h"

#include "base/random.h"
#include "base/vec.h"

#include "ccd/reference.h"
#include "test.h"

#include <rubble/ccd.h>

/// Four points at the start and the end, in floats; one more that kernels may read.
typedef struct pair {
	rbl_vec3 p[2][5];
} pair;

enum { KIND_COUNT = 6 };

static float coordinate(rbl_random *random, int kind)
{
	float small = (float)rbl_random_below(random, 5) - 2.0f;
	switch (kind) {
	case 0: // a small grid, where much else coincides
	case 1: // the same, and most does not move
		return small;
	case 2: // far from the origin
		return 4096.0f + small / 64.0f;
	case 3: // nearly flat, as splinters are
		return small + (float)rbl_random_below(random, 3) * 0x1p-16f;
	case 4: // all sizes
		return ldexpf(small, (int)rbl_random_below(random, 60) - 30);
	default:
		return (float)rbl_random_below(random, 1u << 20) * 0x1p-19f - 1.0f;
	}
}

static pair make_pair(rbl_random *random, int kind, int type)
{
	pair p = { { { { 0.0f, 0.0f, 0.0f } } } };
	for (int pose = 0; pose < 2; ++pose)
		for (int i = 0; i < 4; ++i)
			p.p[pose][i] = (rbl_vec3){ coordinate(random, kind), coordinate(random, kind),
				                       coordinate(random, kind) };
	for (int i = 0; i < 4 && kind == 1; ++i)
		if (rbl_random_below(random, 4) > 0)
			p.p[1][i] = p.p[0][i];
	// One corner, or two of edges.
	int first = type ? (int)rbl_random_below(random, 2) : 0;
	int second = type ? 2 + (int)rbl_random_below(random, 2) : 1 + (int)rbl_random_below(random, 3);
	p.p[0][first] = p.p[0][second];
	if (type && rbl_random_below(random, 4) == 0)
		p.p[0][1 - first] = p.p[0][5 - second];
	if (rbl_random_below(random, 8) == 0) // zeros of both signs are one place
		p.p[0][first].x = -0.0f, p.p[0][second].x = 0.0f;
	return p;
}

static rbl_vec3d point_at(const rbl_vec3d *p, const double *shares, int count)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; ++i)
		sum = rbl_add_scaled_d(sum, shares[i], p[i]);
	return sum;
}

// The weights say where, on both features, and it is one place at the start, in all bits.
static void check_weights(test *t, int type, const rbl_vec3d *start, const rbl_impact *impact)
{
	const double *w = impact->weights;
	for (int i = 0; i < 3; ++i)
		CHECK(t, w[i] == 0.0 || w[i] == 1.0);
	CHECK(t, type ? w[2] == 0.0 : w[0] + w[1] + w[2] == 1.0);
	const double along_a[2] = { 1.0 - w[0], w[0] }, along_b[2] = { 1.0 - w[1], w[1] };
	rbl_vec3d a = type ? point_at(start, along_a, 2) : start[0];
	rbl_vec3d b = type ? point_at(start + 2, along_b, 2) : point_at(start + 1, w, 3);
	CHECK(t, a.x == b.x && a.y == b.y && a.z == b.z);
}

// Where one corner ends, seen from the other: both begin at one place.
static rbl_vec3d motion_of(int type, const rbl_vec3d *end, const rbl_impact *impact)
{
	int first = type && impact->weights[0] == 1.0 ? 1 : 0;
	int second = type ? (impact->weights[1] == 1.0 ? 3 : 2)
	                  : (impact->weights[0] == 1.0   ? 1
	                     : impact->weights[1] == 1.0 ? 2
	                                                 : 3);
	return rbl_sub_d(end[first], end[second]);
}

// Square to the face or to both edges, and against the motion.
static void check_normal(test *t, int type, const rbl_vec3d *start, const rbl_vec3d *end,
                         const rbl_impact *impact)
{
	rbl_vec3d n = impact->normal, motion = motion_of(type, end, impact);
	rbl_vec3d e = type ? rbl_sub_d(start[1], start[0]) : rbl_sub_d(start[2], start[1]);
	rbl_vec3d f = type ? rbl_sub_d(start[3], start[2]) : rbl_sub_d(start[3], start[1]);
	CHECK_NEAR(t, rbl_length_d(n), 1.0, 1e-12);
	CHECK(t, rbl_dot_d(n, motion) <= 1e-12 * rbl_length_d(motion));
	double area = rbl_length_d(rbl_cross_d(e, f)), sizes = rbl_length_d(e) * rbl_length_d(f);
	if (area > 1e-9 * sizes) {
		// What is off by rounding grows as the sine gets smaller.
		double slack = 1e-14 * sizes / area;
		CHECK(t, fabs(rbl_dot_d(n, e)) <= slack * rbl_length_d(e));
		CHECK(t, fabs(rbl_dot_d(n, f)) <= slack * rbl_length_d(f));
	} else if (area == 0.0 && rbl_length_d(motion) > 0.0) {
		CHECK_NEAR(t, rbl_dot_d(n, motion), -rbl_length_d(motion), 1e-12 * rbl_length_d(motion));
	}
}

// The batch gives the same bits, and its filter keeps the pair.
static void check_batch(test *t, rbl_ccd_kind kind, const pair *p, const rbl_impact *impact)
{
	const rbl_ccd_motion motion = { p->p[0], p->p[1], 1.0f };
	const rbl_ccd_quad quad = { { 0, 1, 2, 3 }, 0, 0 };
	rbl_impact again;
	int kept[8];
	CHECK(t, rbl_ccd_filter(kind, &motion, &quad, 1, 0.0f, kept) == 1);
	CHECK(t, rbl_ccd_test_quad(kind, &motion, &quad, 0.0f, &again));
	CHECK(t, memcmp(&again.time, &impact->time, sizeof again.time) == 0 &&
	             memcmp(again.weights, impact->weights, sizeof again.weights) == 0 &&
	             memcmp(&again.normal, &impact->normal, sizeof again.normal) == 0);
}

static void coinciding_corners_touch_at_the_start(test *t)
{
	rbl_random random = rbl_random_from_seed(29);
	int checked = 0, count = test_count(3000, 120000);
	for (int i = 0; i < count; ++i) {
		int kind = i % KIND_COUNT, type = i / KIND_COUNT % 2;
		pair p = make_pair(&random, kind, type);
		rbl_vec3d start[4], end[4];
		for (int k = 0; k < 4; ++k)
			start[k] = rbl_to_d(p.p[0][k]), end[k] = rbl_to_d(p.p[1][k]);
		rbl_impact impact;
		CHECK(t, (type ? rbl_test_edge_edge : rbl_test_vertex_face)(start, end, 0.0, &impact) ==
		             RBL_OK);
		CHECK(t, impact.is_hit && impact.is_certified && impact.is_contact_at_start);
		CHECK(t, impact.time == 0.0);
		check_weights(t, type, start, &impact);
		check_normal(t, type, start, end, &impact);
		check_batch(t, type ? RBL_CCD_EDGE_EDGE : RBL_CCD_VERTEX_FACE, &p, &impact);
		if (i % test_count(5, 1) != 0)
			continue;
		comparison truth = reference_ccd(type, start, end, 0.0, 0.0);
		checked += truth.is_known;
		CHECK(t, !truth.is_known || (truth.is_hit && !truth.is_late && !truth.is_early));
	}
	CHECK(t, checked > count / test_count(20, 4));
}

// Numbers that floats do not have.
static void sizes_of_doubles_make_no_difference(test *t)
{
	rbl_random random = rbl_random_from_seed(31);
	static const int exponents[6] = { -1000, -700, -300, 200, 600, 900 };
	for (int i = 0; i < 1200; ++i) {
		int type = i % 2;
		pair p = make_pair(&random, 5, type);
		rbl_vec3d points[2][2][4];
		for (int k = 0; k < 8; ++k) {
			rbl_vec3d q = rbl_to_d(p.p[k / 4][k % 4]);
			int e = exponents[i / 2 % 6];
			points[0][k / 4][k % 4] = q;
			points[1][k / 4][k % 4] = (rbl_vec3d){ ldexp(q.x, e), ldexp(q.y, e), ldexp(q.z, e) };
		}
		rbl_impact impacts[2];
		for (int k = 0; k < 2; ++k)
			CHECK(t, (type ? rbl_test_edge_edge : rbl_test_vertex_face)(
						 points[k][0], points[k][1], 0.0, &impacts[k]) == RBL_OK);
		CHECK(t, impacts[1].is_hit && impacts[1].is_contact_at_start && impacts[1].time == 0.0);
		CHECK(t, memcmp(impacts[0].weights, impacts[1].weights, sizeof impacts[0].weights) == 0);
		CHECK(t, memcmp(&impacts[0].normal, &impacts[1].normal, sizeof impacts[0].normal) == 0);
	}
}

// With a thickness they are in contact as well.
static void a_thickness_finds_them_too(test *t)
{
	rbl_random random = rbl_random_from_seed(37);
	for (int i = 0; i < 1000; ++i) {
		int type = i % 2;
		pair p = make_pair(&random, i / 2 % KIND_COUNT, type);
		rbl_vec3d start[4], end[4];
		for (int k = 0; k < 4; ++k)
			start[k] = rbl_to_d(p.p[0][k]), end[k] = rbl_to_d(p.p[1][k]);
		rbl_impact impact;
		CHECK(t, (type ? rbl_test_edge_edge : rbl_test_vertex_face)(start, end, 1e-3, &impact) ==
		             RBL_OK);
		CHECK(t, impact.is_hit && impact.is_contact_at_start && impact.time == 0.0);
	}
}

TEST_MAIN(TEST(coinciding_corners_touch_at_the_start), TEST(sizes_of_doubles_make_no_difference),
          TEST(a_thickness_finds_them_too))
