// SPDX-License-Identifier: MIT
// Triangle tests against a reference that knows nothing of planes or projections.
// ctest: soak

#include "geometry/geometry.h"

#include "base/random.h"

#include "geometry/rational.h"
#include "test.h"

static int pair_count(void)
{
	return test_count(10000, 300000);
}

// --- the reference ----------------------------------------------------------------------------------
// Two convex sets meet when the origin is among the differences of their points. Those are the
// hull of the differences of corners, and by Caratheodory the origin is in a hull when it is in
// the inside of a point, segment, triangle or tetrahedron of corners.

enum { MAX_POINTS = 9 };

typedef struct point_big {
	big x[3];
} point_big;

static big zero_big(void)
{
	return (big){ 0, 0, { 0 } };
}

static big dot(const big a[3], const big b[3])
{
	big sum = zero_big();
	for (int i = 0; i < 3; ++i) {
		big term = big_mul(&a[i], &b[i]);
		sum = big_add(&sum, &term);
	}
	return sum;
}

static point_big cross(const point_big *a, const point_big *b)
{
	point_big c;
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		c.x[i] = big_minor(&a->x[j], &a->x[k], &b->x[j], &b->x[k]);
	}
	return c;
}

static bool is_zero(const point_big *a)
{
	return !a->x[0].sign && !a->x[1].sign && !a->x[2].sign;
}

static bool origin_in_hull(const point_big *p, int n)
{
	static point_big crosses[MAX_POINTS][MAX_POINTS];
	static int triple[MAX_POINTS][MAX_POINTS][MAX_POINTS];
	for (int i = 0; i < n; ++i)
		if (is_zero(&p[i]))
			return true;
	for (int i = 0; i < n; ++i) {
		for (int j = i + 1; j < n; ++j) {
			crosses[i][j] = cross(&p[i], &p[j]);
			if (is_zero(&crosses[i][j]) && dot(p[i].x, p[j].x).sign < 0)
				return true;
		}
	}
	for (int i = 0; i < n; ++i) {
		for (int j = i + 1; j < n; ++j) {
			for (int k = j + 1; k < n; ++k) {
				triple[i][j][k] = dot(crosses[i][j].x, p[k].x).sign;
				if (triple[i][j][k])
					continue;
				// i j, j k and k i turn the same way round the origin.
				if (dot(crosses[i][j].x, crosses[j][k].x).sign > 0 &&
				    dot(crosses[j][k].x, crosses[i][k].x).sign < 0 &&
				    dot(crosses[i][j].x, crosses[i][k].x).sign < 0)
					return true;
			}
		}
	}
	for (int i = 0; i < n; ++i)
		for (int j = i + 1; j < n; ++j)
			for (int k = j + 1; k < n; ++k)
				for (int m = k + 1; m < n; ++m) {
					int s = triple[i][j][k];
					if (s && triple[i][j][m] == -s && triple[i][k][m] == s && triple[j][k][m] == -s)
						return true;
				}
	return false;
}

/// Hulls of n and m points, given as integers.
static bool reference(const point_big *a, int n, const point_big *b, int m)
{
	point_big p[MAX_POINTS];
	for (int i = 0; i < n; ++i)
		for (int k = 0; k < m; ++k)
			for (int c = 0; c < 3; ++c)
				p[i * m + k].x[c] = big_sub(&a[i].x[c], &b[k].x[c]);
	return origin_in_hull(p, n * m);
}

/// Corners as integers on one scale.
static void to_big(const rbl_vec3d a[3], const rbl_vec3d b[3], point_big p[3], point_big q[3])
{
	double flat[18];
	for (int i = 0; i < 3; ++i) {
		flat[3 * i] = a[i].x, flat[3 * i + 1] = a[i].y, flat[3 * i + 2] = a[i].z;
		flat[9 + 3 * i] = b[i].x, flat[10 + 3 * i] = b[i].y, flat[11 + 3 * i] = b[i].z;
	}
	int scale = big_scale(flat, 18);
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k) {
			p[i].x[k] = big_from_double(flat[3 * i + k], scale);
			q[i].x[k] = big_from_double(flat[9 + 3 * i + k], scale);
		}
}

static bool reference_meet(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	point_big p[3], q[3];
	to_big(a, b, p, q);
	return reference(p, 3, q, 3);
}

/// from + (to - from) * factor
static point_big stretched(const point_big *from, const point_big *to, const big *factor)
{
	point_big result;
	for (int i = 0; i < 3; ++i) {
		big d = big_sub(&to->x[i], &from->x[i]), scaled = big_mul(&d, factor);
		result.x[i] = big_add(&from->x[i], &scaled);
	}
	return result;
}

static bool is_line(const point_big t[3])
{
	point_big p, q;
	for (int i = 0; i < 3; ++i) {
		p.x[i] = big_sub(&t[1].x[i], &t[0].x[i]);
		q.x[i] = big_sub(&t[2].x[i], &t[0].x[i]);
	}
	point_big c = cross(&p, &q);
	return is_zero(&c);
}

static bool is_equal(const point_big *a, const point_big *b)
{
	for (int i = 0; i < 3; ++i)
		if (big_sub(&a->x[i], &b->x[i]).sign)
			return false;
	return true;
}

/// A point other than a[0] = b[0]: seen from there, the far side of one is hidden by the other,
/// made large.
static bool reference_vertex(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	point_big p[3], q[3];
	to_big(a, b, p, q);
	big factor = big_from_double(0x1p300, 0);
	point_big large[3] = { q[0], stretched(&q[0], &q[1], &factor),
		                   stretched(&q[0], &q[2], &factor) };
	if (!is_line(p))
		return reference(&p[1], 2, large, 3);
	return (!is_equal(&p[0], &p[1]) && reference(&p[1], 1, large, 3)) ||
	       (!is_equal(&p[0], &p[2]) && reference(&p[2], 1, large, 3));
}

/// A point off the edge a[0] a[1] = b[0] b[1]: then there is one just off it.
static bool reference_edge(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	point_big p[3], q[3];
	to_big(a, b, p, q);
	big large = big_from_double(0x1p300, 0), one = big_from_double(0x1p300 - 0x1p248, 0);
	// Everything times 2^300: corners of a strip's upper border at a tiny height above the edge.
	point_big origin = { { zero_big(), zero_big(), zero_big() } }, wide[3];
	for (int i = 0; i < 3; ++i)
		wide[i] = stretched(&origin, &q[i], &large);
	big small = big_sub(&large, &one);
	point_big border[2];
	for (int i = 0; i < 2; ++i) {
		border[i] = stretched(&origin, &p[i], &one);
		for (int k = 0; k < 3; ++k) {
			big part = big_mul(&p[2].x[k], &small);
			border[i].x[k] = big_add(&border[i].x[k], &part);
		}
	}
	if (!is_line(p))
		return reference(border, 2, wide, 3);
	// a is on the line of the edge: only a part beyond an end counts, and it begins next to it.
	point_big edge[2] = { wide[0], wide[1] };
	for (int i = 0; i < 2; ++i)
		if (!reference(&border[i], 1, edge, 2) && reference(&border[i], 1, wide, 3))
			return true;
	return false;
}

// --- pairs --------------------------------------------------------------------------------------

static rbl_vec3d grid_point(rbl_random *random, int size)
{
	double x = (double)rbl_random_below(random, (uint32_t)size + 1);
	double y = (double)rbl_random_below(random, (uint32_t)size + 1);
	return (rbl_vec3d){ x, y, (double)rbl_random_below(random, (uint32_t)size + 1) };
}

static rbl_vec3d rounded(rbl_vec3d p)
{
	volatile float x = (float)p.x, y = (float)p.y, z = (float)p.z;
	return (rbl_vec3d){ (double)x, (double)y, (double)z };
}

/// Two triangles of one of several kinds, all coordinates floats.
static void make_pair(rbl_random *random, int kind, rbl_vec3d t[6])
{
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	int size = 1 + (int)rbl_random_below(random, 4);
	for (int i = 0; i < 6; ++i) {
		t[i] = rounded(rbl_random_in_box(random, cube));
		if (kind % 5 < 3)
			t[i] = grid_point(random, size);
		if (kind % 5 == 1) // all in a plane
			t[i].z = t[i].x + t[i].y;
		if (kind % 5 == 2 && i % 3) // many without area
			t[i] = rbl_random_u32(random) & 1 ? t[i - 1] : t[i];
		if (kind % 5 == 3 && i > 2) { // corners on the other triangle, nearly
			double u = rbl_random_double(random), v = rbl_random_double(random) * (1.0 - u);
			double w = 1.0 - u - v;
			if (i < 5)
				t[i] = rounded((rbl_vec3d){ u * t[0].x + v * t[1].x + w * t[2].x,
				                            u * t[0].y + v * t[1].y + w * t[2].y,
				                            u * t[0].z + v * t[1].z + w * t[2].z });
		}
	}
}

static void narrow(const rbl_vec3d *from, rbl_vec3 *to)
{
	for (int i = 0; i < 3; ++i)
		to[i] = (rbl_vec3){ (float)from[i].x, (float)from[i].y, (float)from[i].z };
}

/// The same answer for both orders of the triangles, all turns, and floats.
static void check_pair(test *t, rbl_vec3d *p, bool expected)
{
	rbl_vec3 f[3], g[3];
	narrow(p, f), narrow(p + 3, g);
	CHECK(t, rbl_triangles_meet(p, p + 3) == expected);
	CHECK(t, rbl_triangles_meet(p + 3, p) == expected);
	CHECK(t, rbl_triangles_meet_float(f, g) == expected);
	CHECK(t, rbl_triangles_meet_apart_float(f, g, 0) == expected);
	const rbl_vec3d a[3] = { p[1], p[0], p[2] }, b[3] = { p[4], p[5], p[3] };
	CHECK(t, rbl_triangles_meet(a, b) == expected);
	CHECK(t, rbl_triangles_meet_apart(b, a, 0) == expected);
}

static void triangles_meet_when_the_reference_says_so(test *t)
{
	rbl_random random = rbl_random_from_seed(11);
	int met = 0;
	for (int i = 0; i < pair_count(); ++i) {
		rbl_vec3d p[6];
		make_pair(&random, i, p);
		bool expected = reference_meet(p, p + 3);
		check_pair(t, p, expected);
		met += expected;
	}
	CHECK(t, met > pair_count() / 5 && met < pair_count() * 4 / 5);
}

static void a_shared_vertex_alone_is_no_meeting(test *t)
{
	rbl_random random = rbl_random_from_seed(12);
	int met = 0;
	for (int i = 0; i < pair_count(); ++i) {
		rbl_vec3d p[6];
		make_pair(&random, i, p);
		p[3] = p[0];
		bool expected = reference_vertex(p, p + 3);
		CHECK(t, rbl_triangles_meet_apart(p, p + 3, 1) == expected);
		CHECK(t, rbl_triangles_meet_apart(p + 3, p, 1) == expected);
		const rbl_vec3d a[3] = { p[0], p[2], p[1] };
		CHECK(t, rbl_triangles_meet_apart(a, p + 3, 1) == expected);
		CHECK(t, reference_vertex(p + 3, p) == expected); // the reference agrees, too
		met += expected;
	}
	CHECK(t, met > pair_count() / 20 && met < pair_count() * 4 / 5);
}

static void a_shared_edge_alone_is_no_meeting(test *t)
{
	rbl_random random = rbl_random_from_seed(13);
	int met = 0;
	for (int i = 0; i < pair_count(); ++i) {
		rbl_vec3d p[6];
		make_pair(&random, i % 5 == 4 ? i + 1 : i, p);
		p[3] = p[0], p[4] = p[1];
		if (i % 3 == 0) // on the line of the edge
			p[5] = rounded(
				(rbl_vec3d){ 2.0 * p[1].x - p[0].x, 2.0 * p[1].y - p[0].y, 2.0 * p[1].z - p[0].z });
		if (i % 9 == 0)
			p[2] = p[5];
		bool expected = reference_edge(p, p + 3);
		CHECK(t, rbl_triangles_meet_apart(p, p + 3, 2) == expected);
		CHECK(t, rbl_triangles_meet_apart(p + 3, p, 2) == expected);
		const rbl_vec3d a[3] = { p[1], p[0], p[2] }, b[3] = { p[1], p[0], p[5] };
		CHECK(t, rbl_triangles_meet_apart(a, b, 2) == expected);
		met += expected;
	}
	CHECK(t, met > pair_count() / 20 && met < pair_count() * 4 / 5);
}

static void indices_tell_what_is_shared(test *t)
{
	rbl_random random = rbl_random_from_seed(14);
	for (int i = 0; i < 20000; ++i) {
		rbl_vec3d p[6];
		rbl_vec3 f[6];
		make_pair(&random, i, p);
		narrow(p, f), narrow(p + 3, f + 3);
		int a[3], b[3];
		for (int k = 0; k < 3; ++k) {
			a[k] = (int)rbl_random_below(&random, 2) + 2 * k;
			b[k] = (int)rbl_random_below(&random, 2) + 2 * ((k + i) % 3);
		}
		int shared_count = 0;
		rbl_vec3d u[3], v[3];
		bool used[6] = { false };
		for (int k = 0; k < 3; ++k)
			for (int m = 0; m < 3; ++m)
				if (a[k] == b[m])
					u[shared_count] = p[a[k]], v[shared_count++] = p[a[k]], used[a[k]] = true;
		for (int k = 0, n = shared_count, m = shared_count; k < 3; ++k) {
			if (!used[a[k]])
				u[n++] = p[a[k]];
			if (!used[b[k]])
				v[m++] = p[b[k]];
		}
		bool expected = shared_count == 3 || rbl_triangles_meet_apart(u, v, shared_count);
		CHECK(t, rbl_indexed_triangles_meet(p, a, b) == expected);
		CHECK(t, rbl_indexed_triangles_meet_float(f, b, a) == expected);
	}
}

static void hand_made_cases_are_right(test *t)
{
	const rbl_vec3d base[3] = { { 0.0, 0.0, 0.0 }, { 4.0, 0.0, 0.0 }, { 0.0, 4.0, 0.0 } };
	const rbl_vec3d stands_on_it[3] = { { 1.0, 1.0, 0.0 }, { 1.0, 1.0, 3.0 }, { 2.0, 1.0, 3.0 } };
	const rbl_vec3d floats[3] = { { 1.0, 1.0, 1e-80 }, { 1.0, 1.0, 3.0 }, { 2.0, 1.0, 3.0 } };
	const rbl_vec3d point[3] = { { 1.0, 1.0, 0.0 }, { 1.0, 1.0, 0.0 }, { 1.0, 1.0, 0.0 } };
	const rbl_vec3d needle[3] = { { 1.0, 1.0, -1.0 }, { 1.0, 1.0, 5.0 }, { 1.0, 1.0, 2.0 } };
	const rbl_vec3d corner[3] = { { 0.0, 0.0, 0.0 }, { -1.0, 0.0, 0.0 }, { 0.0, -1.0, 0.0 } };
	const rbl_vec3d fold[3] = { { 0.0, 0.0, 0.0 }, { 4.0, 0.0, 0.0 }, { 1.0, 1.0, 0.0 } };
	CHECK(t, rbl_triangles_meet(base, stands_on_it));
	CHECK(t, !rbl_triangles_meet(base, floats));
	CHECK(t, rbl_triangles_meet(base, point) && rbl_triangles_meet(point, point));
	CHECK(t, rbl_triangles_meet(base, needle) && rbl_triangles_meet(needle, point));
	CHECK(t, rbl_triangles_meet(base, corner) && !rbl_triangles_meet_apart(base, corner, 1));
	CHECK(t, rbl_triangles_meet_apart(base, fold, 2) && rbl_triangles_meet_apart(base, fold, 1));
}

TEST_MAIN(TEST(triangles_meet_when_the_reference_says_so),
          TEST(a_shared_vertex_alone_is_no_meeting), TEST(a_shared_edge_alone_is_no_meeting),
          TEST(indices_tell_what_is_shared), TEST(hand_made_cases_are_right))
