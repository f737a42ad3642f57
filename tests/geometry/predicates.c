// SPDX-License-Identifier: MIT
// Predicates against big integers, on random, degenerate and hostile points.
// ctest: soak

#include "geometry/geometry.h"

#include "base/random.h"

#include "geometry/rational.h"
#include "test.h"

#include <float.h>

/// Calls per predicate: a few ten thousand, in soak a million.
static int call_count(void)
{
	return test_count(50000, 1000000);
}

// --- the reference ----------------------------------------------------------------------------------

static int reference_orient2d(double p[3][2])
{
	int scale = big_scale(&p[0][0], 6);
	big x[3], y[3];
	for (int i = 0; i < 3; ++i)
		x[i] = big_from_double(p[i][0], scale), y[i] = big_from_double(p[i][1], scale);
	big bx = big_sub(&x[1], &x[0]), by = big_sub(&y[1], &y[0]);
	big cx = big_sub(&x[2], &x[0]), cy = big_sub(&y[2], &y[0]);
	return big_minor(&bx, &by, &cx, &cy).sign;
}

/// rows[i] = p[i + 1] - p[0], scaled to integers.
static void offsets(const rbl_vec3d *p, int count, big (*rows)[3])
{
	double flat[15];
	for (int i = 0; i < count; ++i)
		flat[3 * i] = p[i].x, flat[3 * i + 1] = p[i].y, flat[3 * i + 2] = p[i].z;
	int scale = big_scale(flat, 3 * count);
	for (int k = 0; k < 3; ++k) {
		big origin = big_from_double(flat[k], scale);
		for (int i = 1; i < count; ++i) {
			big q = big_from_double(flat[3 * i + k], scale);
			rows[i - 1][k] = big_sub(&q, &origin);
		}
	}
}

static int reference_orient3d(const rbl_vec3d p[4])
{
	big rows[3][3];
	offsets(p, 4, rows);
	return big_determinant3(rows[0], rows[1], rows[2]).sign;
}

/// Sum of the squares of a row's first elements.
static big lift(const big *row, int count)
{
	big sum = { 0, 0, { 0 } };
	for (int i = 0; i < count; ++i) {
		big square = big_mul(&row[i], &row[i]);
		sum = big_add(&sum, &square);
	}
	return sum;
}

static int reference_incircle(double p[4][2])
{
	int scale = big_scale(&p[0][0], 8);
	big rows[3][3];
	for (int i = 0; i < 3; ++i) {
		for (int k = 0; k < 2; ++k) {
			big a = big_from_double(p[i][k], scale), d = big_from_double(p[3][k], scale);
			rows[i][k] = big_sub(&a, &d);
		}
		rows[i][2] = lift(rows[i], 2);
	}
	return big_determinant3(rows[0], rows[1], rows[2]).sign;
}

// --- points -------------------------------------------------------------------------------------

/// x moved by up to `steps` representable numbers; zero stays, its neighbours are out of range.
static double nudged(rbl_random *random, double x, int steps)
{
	int n = (int)rbl_random_below(random, (uint32_t)(2 * steps + 1)) - steps;
	for (int i = 0; i < abs(n) && x != 0.0; ++i)
		x = nextafter(x, n > 0 ? DBL_MAX : -DBL_MAX);
	return x;
}

static double wide(rbl_random *random, int exponent)
{
	double x = rbl_random_range(random, 1.0, 2.0);
	int e = (int)rbl_random_below(random, (uint32_t)(2 * exponent + 1)) - exponent;
	return ldexp(rbl_random_u32(random) & 1 ? x : -x, e);
}

static double grid(rbl_random *random, int size)
{
	return (double)rbl_random_below(random, (uint32_t)(2 * size + 1)) - size;
}

static rbl_vec3d vec(double x, double y, double z)
{
	return (rbl_vec3d){ x, y, z };
}

static rbl_vec3d nudged_vec(rbl_random *random, rbl_vec3d p, int steps)
{
	double x = nudged(random, p.x, steps), y = nudged(random, p.y, steps);
	return vec(x, y, nudged(random, p.z, steps));
}

enum { KIND_COUNT = 10 };

/// Fill 5 points of one of several kinds; `exponent` is the widest that the predicate allows.
static void make_points(rbl_random *random, int kind, int exponent, rbl_vec3d p[5])
{
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	for (int i = 0; i < 5; ++i)
		p[i] = rbl_random_in_box(random, cube);
	switch (kind) {
	case 0: // anywhere
		break;
	case 1: // small grid: many exact zeros
		for (int i = 0; i < 5; ++i) {
			double x = grid(random, 3), y = grid(random, 3);
			p[i] = vec(x, y, grid(random, 3));
		}
		break;
	case 2: // on a plane, rounded
	case 3: // on a plane, then moved by ulps
		for (int i = 2; i < 5; ++i) {
			double s = rbl_random_range(random, -2.0, 2.0), t = rbl_random_range(random, -2.0, 2.0);
			p[i].z = 0.25 * p[0].x + 0.5 * p[1].y;
			p[i] = vec(s * p[0].x + t * p[1].x, s * p[0].y + t * p[1].y, s * p[0].z + t * p[1].z);
			p[i] = kind == 3 ? nudged_vec(random, p[i], 2) : p[i];
		}
		break;
	case 4: // coordinates of very different size
		for (int i = 0; i < 5; ++i) {
			double x = wide(random, exponent), y = wide(random, exponent);
			p[i] = vec(x, y, wide(random, exponent));
		}
		break;
	case 5: { // exactly on a plane, with differences that are no doubles
		double s = ldexp(1.0, (int)rbl_random_below(random, 60) - 20);
		for (int i = 0; i < 5; ++i) {
			double x = grid(random, 1 << 20) * s, y = wide(random, 20);
			p[i] = vec(x, y, x);
		}
		break;
	}
	case 6: { // on a sphere round a grid point: permutations and signs of one vector
		double v[3] = { grid(random, 50), grid(random, 50), grid(random, 50) };
		rbl_vec3d centre = vec(grid(random, 9), grid(random, 9), grid(random, 9));
		for (int i = 0; i < 5; ++i) {
			int k = (int)rbl_random_below(random, 3), m = (k + 1) % 3, n = (k + 2) % 3;
			uint32_t sign = rbl_random_u32(random);
			p[i] = vec(centre.x + (sign & 1 ? v[k] : -v[k]), centre.y + (sign & 2 ? v[m] : -v[m]),
			           centre.z + (sign & 4 ? v[n] : -v[n]));
			if ((sign & 0xf00) == 0)
				p[i] = nudged_vec(random, p[i], 1);
		}
		break;
	}
	case 7: // on a line, rounded or exact
		for (int i = 2; i < 5; ++i) {
			double s = rbl_random_u32(random) & 1 ? grid(random, 8) : rbl_random_double(random);
			p[i] = vec(p[0].x + s * (p[1].x - p[0].x), p[0].y + s * (p[1].y - p[0].y),
			           p[0].z + s * (p[1].z - p[0].z));
		}
		break;
	case 8: // equal points and mixed-up coordinates
		for (int i = 1; i < 5; ++i) {
			if (rbl_random_u32(random) & 1)
				p[i] = p[i - 1];
			if (rbl_random_u32(random) & 1)
				p[i].x = p[i - 1].y, p[i].z = 0.0;
		}
		break;
	default: // floats of any bits
		for (int i = 0; i < 5; ++i) {
			float f[3];
			for (int k = 0; k < 3; ++k) {
				do {
					uint32_t bits = rbl_random_u32(random);
					memcpy(&f[k], &bits, sizeof bits);
				} while (!isfinite(f[k]));
			}
			p[i] = vec((double)f[0], (double)f[1], (double)f[2]);
		}
		break;
	}
}

// --- claims -------------------------------------------------------------------------------------

static void orient2d_equals_big_integers(test *t)
{
	rbl_random random = rbl_random_from_seed(1);
	int zeros = 0;
	for (int i = 0; i < call_count(); ++i) {
		rbl_vec3d v[5];
		make_points(&random, i % KIND_COUNT, 300, v);
		double p[3][2];
		for (int k = 0; k < 3; ++k)
			p[k][0] = v[k].x, p[k][1] = i % 3 == 0 ? v[k].z : v[k].y;
		int sign = rbl_orient2d(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1]);
		CHECK(t, sign == reference_orient2d(p));
		CHECK(t, sign == rbl_orient2d_exact(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1]));
		zeros += sign == 0;
	}
	CHECK(t, zeros > call_count() / 20);
}

static void orient3d_equals_big_integers(test *t)
{
	rbl_random random = rbl_random_from_seed(2);
	int zeros = 0;
	for (int i = 0; i < call_count(); ++i) {
		rbl_vec3d p[5];
		make_points(&random, i % KIND_COUNT, 290, p);
		int sign = rbl_orient3d(p[0], p[1], p[2], p[3]);
		CHECK(t, sign == reference_orient3d(p));
		CHECK(t, sign == rbl_orient3d_exact(p[0], p[1], p[2], p[3]));
		CHECK(t, sign == -rbl_orient3d(p[1], p[0], p[2], p[3]));
		zeros += sign == 0;
	}
	CHECK(t, zeros > call_count() / 20);
}

static void orient3d_of_floats_equals_big_integers(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < call_count(); ++i) {
		rbl_vec3d p[5];
		make_points(&random, i % KIND_COUNT, 60, p);
		rbl_vec3 f[4];
		for (int k = 0; k < 4; ++k) {
			f[k] = (rbl_vec3){ (float)p[k].x, (float)p[k].y, (float)p[k].z };
			p[k] = vec((double)f[k].x, (double)f[k].y, (double)f[k].z);
		}
		CHECK(t, rbl_orient3d_float(f[0], f[1], f[2], f[3]) == reference_orient3d(p));
	}
}

static void incircle_equals_big_integers(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	int zeros = 0;
	for (int i = 0; i < call_count(); ++i) {
		rbl_vec3d v[5];
		make_points(&random, i % KIND_COUNT, 200, v);
		double p[4][2];
		for (int k = 0; k < 4; ++k)
			p[k][0] = v[k].x, p[k][1] = v[k].y;
		if (i % 4 == 0) // four corners of a rectangle lie on a circle
			p[1][0] = p[0][0], p[2][1] = p[1][1], p[3][0] = p[2][0], p[3][1] = p[0][1];
		int sign =
			rbl_incircle(p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1], p[3][0], p[3][1]);
		CHECK(t, sign == reference_incircle(p));
		zeros += sign == 0;
	}
	CHECK(t, zeros > call_count() / 20);
}

static void plane_sides_equal_big_integers(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	int zeros = 0;
	for (int i = 0; i < call_count(); ++i) {
		rbl_vec3d p[5];
		make_points(&random, i % KIND_COUNT, 200, p);
		rbl_planed plane = { p[0], p[1].x };
		if (i % 3 == 0)
			plane.offset = p[0].x * p[2].x + p[0].y * p[2].y + p[0].z * p[2].z;
		const double normal[3] = { p[0].x, p[0].y, p[0].z };
		const double point[4] = { p[2].x, p[2].y, p[2].z, 1.0 };
		int normal_scale = big_scale(normal, 3), point_scale = big_scale(point, 4);
		const double whole[2] = { plane.offset, ldexp(1.0, normal_scale + point_scale + 52) };
		int scale = big_scale(whole, 2); // the finer of both
		big sum = big_from_double(-plane.offset, scale);
		for (int k = 0; k < 3; ++k) {
			big a = big_from_double(normal[k], normal_scale);
			big b = big_from_double(point[k], point_scale);
			big unit = big_from_double(whole[1], scale), ab = big_mul(&a, &b);
			// whole[1] is 2^52 units of the product, so both sides are taken times 2^52.
			big term = big_mul(&ab, &unit);
			big shift = big_from_double(0x1p52, 0);
			big value = k == 0 ? big_mul(&sum, &shift) : sum;
			sum = big_add(&value, &term);
		}
		int sign = rbl_plane_side(plane, p[2]);
		CHECK(t, sign == sum.sign);
		zeros += sign == 0;
	}
	CHECK(t, zeros > call_count() / 100);
}

static void collinear_points_are_told(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	for (int i = 0; i < 20000; ++i) {
		rbl_vec3d a = vec(grid(&random, 9), grid(&random, 9), grid(&random, 9));
		rbl_vec3d b = vec(grid(&random, 9), grid(&random, 9), grid(&random, 9));
		double s = grid(&random, 4);
		rbl_vec3d c = vec(a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), a.z + s * (b.z - a.z));
		CHECK(t, rbl_are_collinear(a, b, c));
		rbl_vec3d off = c;
		off.y = nextafter(c.y + 0.125, 9.0);
		bool vertical = a.x == b.x && a.z == b.z;
		CHECK(t,
		      vertical || rbl_are_collinear(a, b, off) == (a.y == b.y && a.x == b.x && a.z == b.z));
	}
}

static int integer_determinant(int m[4][4])
{
	int sum = 0;
	for (int a = 0; a < 4; ++a)
		for (int b = 0; b < 4; ++b)
			for (int c = 0; c < 4; ++c) {
				int d = 6 - a - b - c, p[4] = { a, b, c, d }, sign = 1;
				if (a == b || b == c || c == a)
					continue;
				for (int i = 0; i < 4; ++i)
					for (int k = i + 1; k < 4; ++k)
						sign = p[i] > p[k] ? -sign : sign;
				sum += sign * m[0][a] * m[1][b] * m[2][c] * m[3][d];
			}
	return sum;
}

// The polynomial in what coordinates are increased by, term after term from the largest on: entry
// (i, k) to the power of 8^i 2^k, so terms come in the order of binary numbers.
static int perturbed_reference(int points[4][3])
{
	for (int set = 0; set < 1 << 12; ++set) {
		int m[4][4], most = 0;
		for (int i = 0; i < 4; ++i) {
			int of_row = set >> (3 * i) & 7, count = 0;
			for (int k = 0; k < 3; ++k)
				count += of_row >> k & 1;
			most = count > most ? count : most;
			for (int k = 0; k < 3; ++k)
				m[i][k] = of_row ? of_row >> k & 1 : points[i][k];
			m[i][3] = of_row ? 0 : 1;
		}
		int determinant = most > 1 ? 0 : integer_determinant(m);
		if (determinant)
			return determinant > 0 ? -1 : 1; // orient3d is of differences
	}
	return 0;
}

// On a small lattice most is degenerate: all four at one place, on a line, in a plane.
static void perturbed_orientation_equals_the_polynomial(test *t)
{
	rbl_random random = rbl_random_from_seed(31);
	int flat = 0;
	for (int run = 0; run < 3000; ++run) {
		int points[4][3], numbers[4] = { 3, 8, 11, 40 };
		for (int i = 0; i < 4; ++i)
			for (int k = 0; k < 3; ++k)
				points[i][k] = (int)rbl_random_below(&random, run % 3 + 1u);
		int expected = perturbed_reference(points), order[4] = { 0, 1, 2, 3 }, sign = 1;
		for (int i = 3; i > 0; --i) {
			int k = (int)rbl_random_below(&random, (uint32_t)i + 1u), kept = order[i];
			sign = k != i ? -sign : sign;
			order[i] = order[k], order[k] = kept;
		}
		rbl_vec3d p[4];
		int names[4];
		for (int i = 0; i < 4; ++i) {
			const int *q = points[order[i]];
			p[i] = vec(q[0], q[1], q[2]), names[i] = numbers[order[i]];
		}
		flat += rbl_orient3d(p[0], p[1], p[2], p[3]) == 0;
		CHECK(t, rbl_orient3d_perturbed(p, names) == sign * expected && expected != 0);
	}
	CHECK(t, flat > 1500);
}

static void the_conventions_are_as_documented(test *t)
{
	const rbl_vec3d o = { 0.0, 0.0, 0.0 }, x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 };
	const rbl_vec3d z = { 0.0, 0.0, 1.0 };
	CHECK(t, rbl_orient2d(0.0, 0.0, 1.0, 0.0, 0.0, 1.0) == 1);
	CHECK(t, rbl_orient3d(o, x, y, z) == 1);
	CHECK(t, rbl_incircle(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.5, 0.5) == 1);
	CHECK(t, rbl_incircle(0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 2.0, 0.5) == -1);
	CHECK(t, rbl_plane_side((rbl_planed){ x, 2.0 }, vec(3.0, 9.0, 9.0)) == 1);
}

// Values that are not finite give some answer; nothing is read or written out of bounds.
static void not_a_number_does_no_harm(test *t)
{
	const double odd[4] = { (double)NAN, (double)INFINITY, DBL_MAX, -DBL_MAX };
	rbl_random random = rbl_random_from_seed(9);
	for (int i = 0; i < 2000; ++i) {
		rbl_vec3d p[5];
		make_points(&random, i % KIND_COUNT, 900, p);
		p[i % 5].x = odd[i % 4];
		p[(i + i / 5) % 5].z = odd[(i / 7) % 4];
		int sign = rbl_orient3d(p[0], p[1], p[2], p[3]);
		CHECK(t, sign >= -1 && sign <= 1);
		sign = rbl_incircle(p[0].x, p[0].y, p[1].x, p[1].z, p[2].x, p[2].y, p[3].x, p[3].z);
		CHECK(t, sign >= -1 && sign <= 1);
	}
}

TEST_MAIN(TEST(orient2d_equals_big_integers), TEST(orient3d_equals_big_integers),
          TEST(orient3d_of_floats_equals_big_integers), TEST(incircle_equals_big_integers),
          TEST(plane_sides_equal_big_integers), TEST(collinear_points_are_told),
          TEST(perturbed_orientation_equals_the_polynomial),
          TEST(the_conventions_are_as_documented), TEST(not_a_number_does_no_harm))
