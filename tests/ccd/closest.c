// SPDX-License-Identifier: MIT
// ctest: soak
// Closest points of single features, against rational arithmetic.

#include "ccd/ccd.h"

#define BIG_LIMBS 160
#include "geometry/rational.h"

#include "base/kernel.h"
#include "base/random.h"
#include "base/vec.h"
#include "test.h"

// A square of a distance: numerator over denominator, which is positive.
typedef struct fraction {
	big top, bottom;
} fraction;

typedef struct big3 {
	big x[3];
} big3;

static big3 less(const big3 *a, const big3 *b)
{
	big3 d;
	for (int k = 0; k < 3; ++k)
		d.x[k] = big_sub(&a->x[k], &b->x[k]);
	return d;
}

static big dot_of(const big3 *a, const big3 *b)
{
	big sum = big_mul(&a->x[0], &b->x[0]);
	for (int k = 1; k < 3; ++k) {
		big product = big_mul(&a->x[k], &b->x[k]);
		sum = big_add(&sum, &product);
	}
	return sum;
}

static int sign_of_difference(const big *a, const big *b)
{
	big d = big_sub(a, b);
	return d.sign;
}

static bool is_smaller(const fraction *a, const fraction *b)
{
	big left = big_mul(&a->top, &b->bottom), right = big_mul(&b->top, &a->bottom);
	return sign_of_difference(&left, &right) < 0;
}

// The square of the distance of the origin from a side.
static fraction from_side(const big3 *p, const big3 *q)
{
	big3 e = less(q, p);
	const big one = { .sign = 1, .count = 1, .limb = { 1 } };
	big ee = dot_of(&e, &e), pe = dot_of(p, &e), pp = dot_of(p, p);
	big way = big_negate(&pe);
	if (way.sign <= 0 || ee.sign == 0)
		return (fraction){ pp, one };
	if (sign_of_difference(&way, &ee) >= 0)
		return (fraction){ dot_of(q, q), one };
	big a = big_mul(&pp, &ee), b = big_mul(&way, &way);
	return (fraction){ big_sub(&a, &b), ee };
}

// The square of the distance of the origin from a polygon.
static fraction from_polygon(const big3 *r, int n)
{
	big3 e = less(&r[1], &r[0]), f = less(&r[n - 1], &r[0]);
	big ee = dot_of(&e, &e), ff = dot_of(&f, &f), ef = dot_of(&e, &f);
	big re = dot_of(&r[0], &e), rf = dot_of(&r[0], &f);
	re = big_negate(&re), rf = big_negate(&rf);
	big area = big_minor(&ee, &ef, &ef, &ff);
	big s = big_minor(&re, &rf, &ef, &ff), t = big_minor(&ee, &ef, &re, &rf);
	if (area.sign > 0 && s.sign >= 0 && t.sign >= 0) {
		big sum = big_add(&s, &t);
		bool is_in = n == 3
		                 ? sign_of_difference(&sum, &area) <= 0
		                 : sign_of_difference(&s, &area) <= 0 && sign_of_difference(&t, &area) <= 0;
		big volume = big_determinant3(r[0].x, e.x, f.x);
		if (is_in)
			return (fraction){ big_mul(&volume, &volume), area };
	}
	fraction best = from_side(&r[0], &r[1]);
	for (int i = 1; i < n; ++i) {
		fraction side = from_side(&r[i], &r[i + 1 < n ? i + 1 : 0]);
		if (is_smaller(&side, &best))
			best = side;
	}
	return best;
}

// Whether the square of a bound is at least (1) or at most (-1) what it should be.
static bool is_bound(const fraction *square, double bound, int scale, int side)
{
	if (bound <= 0.0)
		return side < 0;
	big b = big_from_double(bound, scale), bb = big_mul(&b, &b),
		right = big_mul(&bb, &square->bottom);
	return side * sign_of_difference(&right, &square->top) >= 0;
}

static bool distance_is_right(int kind, const rbl_vec3d p[4], const rbl_closest *c)
{
	static const signed char ends[2][4][2] = { { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 3, 0 } },
		                                       { { 0, 2 }, { 1, 2 }, { 1, 3 }, { 0, 3 } } };
	double numbers[14] = { c->distance + c->rounding, c->distance - c->rounding };
	memcpy(numbers + 2, p, 4 * sizeof *p);
	int scale = big_scale(numbers, 14), n = 3 + kind;
	big3 points[4], r[4];
	for (int i = 0; i < 12; ++i)
		points[i / 3].x[i % 3] = big_from_double(numbers[2 + i], scale);
	for (int i = 0; i < n; ++i)
		r[i] = less(&points[ends[kind][i][0]], &points[ends[kind][i][1]]);
	fraction square = from_polygon(r, n);
	return is_bound(&square, numbers[0], scale, 1) && is_bound(&square, numbers[1], scale, -1);
}

// Points, weights and direction say the same as the distance.
static bool is_consistent(int kind, const rbl_vec3d p[4], const rbl_closest *c)
{
	double extent = 0.0, sums[2] = { 0.0, 0.0 };
	int firsts = 1 + kind;
	rbl_vec3d points[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	bool is_good = true;
	for (int i = 0; i < 4; ++i) {
		extent = fmax(extent, rbl_length_d(p[i]));
		sums[i >= firsts] += c->weights[i];
		is_good &= c->weights[i] >= 0.0 && (c->corners >> i & 1u) == (c->weights[i] > 0.0);
		points[i >= firsts] = rbl_add_scaled_d(points[i >= firsts], c->weights[i], p[i]);
	}
	rbl_vec3d d = rbl_sub_d(c->points[0], c->points[1]);
	double rounding = 1e-14 * extent + 2.0 * c->rounding;
	is_good &= fabs(sums[0] - 1.0) < 1e-12 && fabs(sums[1] - 1.0) < 1e-12;
	is_good &= rbl_length_d(rbl_sub_d(points[0], c->points[0])) <= rounding;
	is_good &= rbl_length_d(rbl_sub_d(points[1], c->points[1])) <= rounding;
	is_good &= fabs(rbl_length_d(d) - c->distance) <= rounding;
	is_good &= fabs(rbl_length_d(c->direction) - 1.0) < 1e-12;
	is_good &= rbl_length_d(rbl_sub_d(d, rbl_scale_d(c->distance, c->direction))) <=
	           rounding + (c->distance < 1e-9 * extent ? 1e-9 * extent : 0.0);
	return is_good;
}

enum { MIXES = 10 };

static double pick(rbl_random *random, int mix)
{
	double x = rbl_random_range(random, -1.0, 1.0);
	return mix == 1   ? floor(3.0 * x) // a grid: much coincides
	       : mix == 2 ? floor(3.0 * x) + 0x1p-20 * (double)rbl_random_below(random, 3)
	       : mix == 3 ? 1000.0 + x // far from the origin
	       : mix == 4 ? x * 1e-20
	                  : x;
}

static void make_pair(rbl_random *random, int mix, rbl_vec3d p[4])
{
	for (int i = 0; i < 4; ++i)
		p[i] = (rbl_vec3d){ pick(random, mix), pick(random, mix), pick(random, mix) };
	double s = rbl_random_range(random, -2.0, 2.0), tiny = rbl_random_range(random, -1e-7, 1e-7);
	if (mix == 5) // a plane
		for (int i = 0; i < 4; ++i)
			p[i].z = 0.25 * (double)(i % 2 == 0);
	if (mix == 6) // edges that are nearly parallel; a face that is nearly a line
		p[3] = rbl_add_d(p[2], rbl_add_scaled_d(rbl_scale_d(s, rbl_sub_d(p[1], p[0])), tiny, p[2]));
	if (mix == 7) // on a line, but for rounding
		for (int i = 2; i < 4; ++i)
			p[i] = rbl_add_scaled_d(p[0], s * i, rbl_sub_d(p[1], p[0]));
	if (mix == 8) // a corner twice
		p[rbl_random_below(random, 4)] = p[rbl_random_below(random, 4)];
	if (mix == 9) // edges that cross nearly, or a vertex nearly in its face
		p[0] =
			rbl_add_scaled_d(rbl_add_d(rbl_scale_d(0.4, p[1]),
		                               rbl_add_d(rbl_scale_d(0.3, p[2]), rbl_scale_d(0.3, p[3]))),
		                     tiny, p[2]);
	for (int i = 0; i < 4; ++i) // as surfaces have them
		p[i] = rbl_to_d(rbl_to_f(p[i]));
}

static void distances_equal_rational_ones(test *t)
{
	rbl_random random = rbl_random_from_seed(77);
	int nearest[16] = { 0 }, touching = 0;
	for (int i = 0; i < test_count(20000, 1000000); ++i) {
		int kind = i % 2, mix = i / 2 % MIXES;
		rbl_vec3d p[4];
		make_pair(&random, mix, p);
		rbl_closest closest;
		CHECK(t, (kind ? rbl_closest_edge_edge : rbl_closest_vertex_face)(p, &closest) == RBL_OK);
		bool is_good = distance_is_right(kind, p, &closest) && is_consistent(kind, p, &closest);
		CHECK(t, is_good);
		nearest[kind * 8 + (closest.corners & 7u)]++;
		touching += closest.distance <= closest.rounding;
	}
	// A vertex and each part of a face, and each part of both edges.
	for (int i = 1; i < 8; i += 2)
		CHECK(t, nearest[i] > 10);
	CHECK(t, touching > 100);
}

// Faces that share an edge agree about a vertex over it.
static void neighbours_agree_about_their_edge(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < test_count(2000, 200000); ++i) {
		rbl_vec3d a = rbl_random_in_ball(&random), b = rbl_random_in_ball(&random), c, d, v;
		rbl_vec3d along = rbl_normalize_d(rbl_sub_d(b, a)), out = rbl_perpendicular_d(along);
		rbl_vec3d up = rbl_cross_d(along, out);
		v = rbl_add_scaled_d(rbl_add_d(rbl_scale_d(0.7, a), rbl_scale_d(0.3, b)), 0.1, up);
		c = rbl_add_scaled_d(rbl_add_scaled_d(a, 1.0, out), -0.5, up);
		d = rbl_add_scaled_d(rbl_add_scaled_d(b, -0.5, out), -0.2, up);
		rbl_vec3d first[4] = { v, a, b, c }, second[4] = { v, b, a, d };
		rbl_closest x, y;
		CHECK(t, rbl_closest_vertex_face(first, &x) == RBL_OK);
		CHECK(t, rbl_closest_vertex_face(second, &y) == RBL_OK);
		CHECK(t, x.corners == 7u && y.corners == 7u);
		CHECK_NEAR(t, x.distance, y.distance, 1e-14);
	}
}

static bool are_same(const rbl_closest *a, const rbl_closest *b)
{
	const double x[] = { a->distance,    a->rounding,    a->weights[0],  a->weights[1],
		                 a->weights[2],  a->weights[3],  a->points[0].x, a->points[0].y,
		                 a->points[0].z, a->points[1].x, a->points[1].y, a->points[1].z,
		                 a->direction.x, a->direction.y, a->direction.z };
	const double y[] = { b->distance,    b->rounding,    b->weights[0],  b->weights[1],
		                 b->weights[2],  b->weights[3],  b->points[0].x, b->points[0].y,
		                 b->points[0].z, b->points[1].x, b->points[1].y, b->points[1].z,
		                 b->direction.x, b->direction.y, b->direction.z };
	return memcmp(x, y, sizeof x) == 0 && a->corners == b->corners;
}

// Whatever the surface room measures at a time, every bit is that of pairs one by one.
static void batches_equal_single_pairs(test *t)
{
	enum { PAIRS = 37 };
	rbl_random random = rbl_random_from_seed(5);
	rbl_backend best = rbl_current_backend();
	int near_count = 0, far_count = 0;
	for (int round = 0; round < test_count(2000, 50000); ++round) {
		rbl_vec3 positions[4 * PAIRS + 1] = { { 0.0f, 0.0f, 0.0f } };
		rbl_ccd_quad quads[PAIRS];
		rbl_ccd_kind kind = round % 2 ? RBL_CCD_EDGE_EDGE : RBL_CCD_VERTEX_FACE;
		rbl_closest single[PAIRS], found[PAIRS];
		int chosen[PAIRS], near[PAIRS], count = 1 + (int)rbl_random_below(&random, PAIRS);
		float scale = round % 7 == 0 ? 1e30f : round % 7 == 1 ? 1e-30f : 1.0f;
		double distance = (double)scale * rbl_random_range(&random, 0.0, 1.0);
		for (int i = 0; i < count; ++i) {
			rbl_vec3d p[4];
			make_pair(&random, round / 2 % 5 ? (int)rbl_random_below(&random, MIXES) : 0, p);
			for (int k = 0; k < 4; ++k) {
				positions[4 * i + k] = rbl_scale(scale, rbl_to_f(p[k]));
				p[k] = rbl_to_d(positions[4 * i + k]);
				quads[i].vertices[k] = 4 * i + k;
			}
			chosen[i] = count - 1 - i;
			rbl_ccd_closest(kind, p, &single[i]);
		}
		rbl_force_backend((rbl_backend)(round % RBL_BACKEND_COUNT)); // or none that is not there
		int next = 0,
			all = rbl_ccd_find_near(kind, positions, quads, chosen, count, distance, near, found);
		for (int i = 0; i < count; ++i) {
			const rbl_closest *c = &single[chosen[i]];
			if (!(c->distance <= distance + c->rounding)) {
				far_count++;
				continue;
			}
			CHECK(t, next < all && near[next] == chosen[i] && are_same(&found[next], c));
			next++;
		}
		CHECK(t, next == all);
		near_count += next;
	}
	rbl_force_backend(best);
	CHECK(t, near_count > 1000 && far_count > 1000);
}

static void bad_points_are_refused(test *t)
{
	rbl_vec3d p[4] = { { 0, 1, 0 }, { 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };
	rbl_closest closest = { .distance = 5.0 };
	CHECK(t, rbl_closest_vertex_face(NULL, &closest) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_closest_edge_edge(p, NULL) == RBL_BAD_ARGUMENT);
	p[2].y = NAN;
	CHECK(t, rbl_closest_edge_edge(p, &closest) == RBL_BAD_ARGUMENT && closest.distance == 5.0);
	p[2].y = 1e301;
	CHECK(t, rbl_closest_vertex_face(p, &closest) == RBL_BAD_ARGUMENT);
}

TEST_MAIN(TEST(distances_equal_rational_ones), TEST(neighbours_agree_about_their_edge),
          TEST(batches_equal_single_pairs), TEST(bad_points_are_refused))
