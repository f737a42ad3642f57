// SPDX-License-Identifier: MIT
//
// Exact signs of geometric determinants: the slow ends of predicates.h.
//
// Three stages. The filter compares the rounded determinant with a bound on its error: a multiple
// of the same sum taken over magnitudes (the permanent). Where that fails, the determinant is
// evaluated again in double-double arithmetic, whose error is about 2^-100 of the permanent; this
// settles points that were computed to lie on a plane and miss it by an ulp. What is left is
// mostly exact zeros, and goes to expansions:
//
//   - When all coordinate differences are doubles (points on a grid, floats, close neighbours),
//     the determinant of the differences is a short sum of products, written out by hand.
//   - Otherwise a difference is a pair of doubles, and numbers of type `exact` multiply and add
//     without thought for speed.
//
// Error bounds: with u = 2^-53, each rounding multiplies a term by 1 + u at most, so a term that
// passes through k roundings is off by less than k u (1 + tiny) of its magnitude. The bounds use
// k + 1, which also covers the rounding of the permanent.

#include "geometry/predicates.h"

#include "base/assert.h"
#include "geometry/double_double.h"

#define INCIRCLE_ERROR (12.0 * 0x1p-53) // 4 differences, 2 in the minor, 2 in the lift, 1, 2 sums
#define PLANE_ERROR (5.0 * 0x1p-53)

// --- double-double ------------------------------------------------------------------------------
// Chains of roundings (double_double.h) are below 64 u^2 = 2^-100 in all.

#define DOUBLE_DOUBLE_ERROR 0x1p-97

/// @return the sign of `value` when it is certain, or 0.
static int dd_sign(rbl_dd value, double permanent)
{
	double bound = DOUBLE_DOUBLE_ERROR * permanent;
	return value.high > bound ? 1 : value.high < -bound ? -1 : 0;
}

// --- exact numbers ------------------------------------------------------------------------------

/// A compressed expansion.
typedef struct exact {
	int count;
	double part[RBL_EXPANSION_PARTS];
} exact;

static void exact_store(exact *result, int count, double *parts)
{
	count = rbl_expansion_compress(count, parts);
	// More parts than a finite number can have come from NaN: any answer will do.
	int skip = count > RBL_EXPANSION_PARTS ? count - RBL_EXPANSION_PARTS : 0;
	result->count = count - skip;
	for (int i = 0; i < result->count; ++i)
		result->part[i] = parts[skip + i];
}

static exact exact_from_two(rbl_dd a)
{
	exact result = { 0 };
	if (a.low != 0.0)
		result.part[result.count++] = a.low;
	if (a.high != 0.0)
		result.part[result.count++] = a.high;
	return result;
}

static exact exact_difference(double a, double b)
{
	return exact_from_two(rbl_two_difference(a, b));
}

static exact exact_add(const exact *a, const exact *b)
{
	double parts[2 * RBL_EXPANSION_PARTS];
	exact result;
	exact_store(&result, rbl_expansion_sum(a->count, a->part, b->count, b->part, parts), parts);
	return result;
}

static exact exact_sub(const exact *a, const exact *b)
{
	exact negative = { .count = b->count };
	for (int i = 0; i < b->count; ++i)
		negative.part[i] = -b->part[i];
	return exact_add(a, &negative);
}

static exact exact_mul(const exact *a, const exact *b)
{
	exact result = { 0 };
	for (int i = 0; i < b->count; ++i) {
		double row[2 * RBL_EXPANSION_PARTS], parts[3 * RBL_EXPANSION_PARTS];
		int n = rbl_expansion_scale(a->count, a->part, b->part[i], row);
		exact_store(&result, rbl_expansion_sum(result.count, result.part, n, row, parts), parts);
	}
	return result;
}

/// a d - b c
static exact exact_minor(const exact *a, const exact *b, const exact *c, const exact *d)
{
	exact ad = exact_mul(a, d), bc = exact_mul(b, c);
	return exact_sub(&ad, &bc);
}

static int exact_sign(const exact *a)
{
	return rbl_expansion_sign(a->count, a->part);
}

// --- orientation --------------------------------------------------------------------------------

/// h = a d - b c, at most four parts, non-adjacent. @return the number of parts.
static int minor_parts(double a, double b, double c, double d, double *h)
{
	rbl_dd ad = rbl_two_product(a, d), bc = rbl_two_product(b, c);
	if (ad.low == 0.0 && bc.low == 0.0) {
		rbl_dd two = rbl_two_difference(ad.high, bc.high);
		int count = 0;
		if (two.low != 0.0)
			h[count++] = two.low;
		if (two.high != 0.0)
			h[count++] = two.high;
		return count;
	}
	// Two growing steps instead of the linear merge: the result is non-adjacent.
	rbl_dd s = rbl_two_difference(ad.low, bc.low);
	rbl_dd t = rbl_two_sum(ad.high, s.high);
	rbl_dd v = rbl_two_difference(t.low, bc.high);
	rbl_dd w = rbl_two_sum(t.high, v.high);
	const double parts[4] = { s.low, v.low, w.low, w.high };
	int count = 0;
	for (int i = 0; i < 4; ++i)
		if (parts[i] != 0.0)
			h[count++] = parts[i];
	return count;
}

/// h = determinant of the rows b, c, d, at most 24 parts. @return the number of parts.
static int determinant_parts(rbl_vec3d b, rbl_vec3d c, rbl_vec3d d, double *h)
{
	double minor[4], x[8], y[8], z[8], xy[16];
	int n = minor_parts(b.y, b.z, c.y, c.z, minor);
	int x_count = rbl_expansion_scale(n, minor, d.x, x);
	n = minor_parts(b.z, b.x, c.z, c.x, minor);
	int y_count = rbl_expansion_scale(n, minor, d.y, y);
	n = minor_parts(b.x, b.y, c.x, c.y, minor);
	int z_count = rbl_expansion_scale(n, minor, d.z, z);
	int xy_count = rbl_expansion_sum(x_count, x, y_count, y, xy);
	return rbl_expansion_sum(xy_count, xy, z_count, z, h);
}

int rbl_orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy)
{
	rbl_dd x0 = rbl_two_difference(ax, cx), y0 = rbl_two_difference(ay, cy);
	rbl_dd x1 = rbl_two_difference(bx, cx), y1 = rbl_two_difference(by, cy);
	if (x0.low == 0.0 && y0.low == 0.0 && x1.low == 0.0 && y1.low == 0.0) {
		double parts[4];
		int n = minor_parts(x0.high, y0.high, x1.high, y1.high, parts);
		return rbl_expansion_sign(n, parts);
	}
	exact a = exact_from_two(x0), b = exact_from_two(y0);
	exact c = exact_from_two(x1), d = exact_from_two(y1);
	exact determinant = exact_minor(&a, &b, &c, &d);
	return exact_sign(&determinant);
}

/// A point relative to another, as pairs.
typedef struct offset3 {
	rbl_dd x, y, z;
} offset3;

static offset3 offset_between(rbl_vec3d from, rbl_vec3d to)
{
	return (offset3){ rbl_two_difference(to.x, from.x), rbl_two_difference(to.y, from.y),
		              rbl_two_difference(to.z, from.z) };
}

static bool offset_is_double(const offset3 *a)
{
	return a->x.low == 0.0 && a->y.low == 0.0 && a->z.low == 0.0;
}

static rbl_vec3d offset_high(const offset3 *a)
{
	return (rbl_vec3d){ a->x.high, a->y.high, a->z.high };
}

/// The determinant of b, c, d in double-double, and its permanent.
static rbl_dd determinant_dd(const offset3 *b, const offset3 *c, const offset3 *d,
                             double *permanent)
{
	rbl_dd yz = rbl_dd_minor(b->y, b->z, c->y, c->z);
	rbl_dd zx = rbl_dd_minor(b->z, b->x, c->z, c->x);
	rbl_dd xy = rbl_dd_minor(b->x, b->y, c->x, c->y);
	rbl_dd sum =
		rbl_dd_add(rbl_dd_add(rbl_dd_mul(d->x, yz), rbl_dd_mul(d->y, zx)), rbl_dd_mul(d->z, xy));
	rbl_vec3d p = offset_high(b), q = offset_high(c), r = offset_high(d);
	*permanent = fabs(r.x) * (fabs(p.y * q.z) + fabs(p.z * q.y)) +
	             fabs(r.y) * (fabs(p.z * q.x) + fabs(p.x * q.z)) +
	             fabs(r.z) * (fabs(p.x * q.y) + fabs(p.y * q.x));
	return sum;
}

/// The determinant of b, c, d with exact elements.
static exact determinant_exact(const offset3 *b, const offset3 *c, const offset3 *d)
{
	exact bx = exact_from_two(b->x), by = exact_from_two(b->y), bz = exact_from_two(b->z);
	exact cx = exact_from_two(c->x), cy = exact_from_two(c->y), cz = exact_from_two(c->z);
	exact dx = exact_from_two(d->x), dy = exact_from_two(d->y), dz = exact_from_two(d->z);
	exact yz = exact_minor(&by, &bz, &cy, &cz);
	exact zx = exact_minor(&bz, &bx, &cz, &cx);
	exact xy = exact_minor(&bx, &by, &cx, &cy);
	exact x = exact_mul(&yz, &dx), y = exact_mul(&zx, &dy), z = exact_mul(&xy, &dz);
	exact sum = exact_add(&x, &y);
	return exact_add(&sum, &z);
}

int rbl_orient3d_exact(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, rbl_vec3d d)
{
	offset3 ab = offset_between(a, b), ac = offset_between(a, c), ad = offset_between(a, d);
	if (offset_is_double(&ab) && offset_is_double(&ac) && offset_is_double(&ad)) {
		double parts[24];
		int n = determinant_parts(offset_high(&ab), offset_high(&ac), offset_high(&ad), parts);
		return rbl_expansion_sign(n, parts);
	}
	double permanent;
	rbl_dd estimate = determinant_dd(&ab, &ac, &ad, &permanent);
	int sign = dd_sign(estimate, permanent);
	if (sign)
		return sign;
	exact determinant = determinant_exact(&ab, &ac, &ad);
	return exact_sign(&determinant);
}

// The determinant of four rows x, y, z, 1, with coordinates increased, is a polynomial in what they
// are increased by. Its terms from the largest on: which row is replaced by which unit vector, -1
// for none; the sign of the first that is not zero counts. Terms that are zero because others
// before them are do not appear; the last is never zero. Rows are in the order of their numbers.
static const signed char perturbed_terms[][4] = {
	{ 0, -1, -1, -1 }, { 1, -1, -1, -1 }, { 2, -1, -1, -1 }, { -1, 0, -1, -1 }, { 1, 0, -1, -1 },
	{ 2, 0, -1, -1 },  { -1, 1, -1, -1 }, { 2, 1, -1, -1 },  { -1, 2, -1, -1 }, { -1, -1, 0, -1 },
	{ 1, -1, 0, -1 },  { 2, -1, 0, -1 },  { -1, 1, 0, -1 },  { 2, 1, 0, -1 },
};

static double coordinate_at(rbl_vec3d p, int axis)
{
	return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// The sign of what is left of the determinant: rows that are not replaced, in columns that are not.
static int term_sign(const rbl_vec3d *const rows[4], const signed char term[4])
{
	int columns[4], left_rows[4], left_columns[4], row_count = 0, column_count = 0;
	for (int row = 0; row < 4; ++row) {
		columns[row] = term[row];
		if (term[row] < 0)
			left_rows[row_count++] = row;
	}
	for (int column = 0; column < 4; ++column)
		if (column != term[0] && column != term[1] && column != term[2])
			left_columns[column_count++] = column;
	int sign = 1;
	for (int i = 0; i < row_count; ++i)
		columns[left_rows[i]] = left_columns[i];
	for (int i = 0; i < 4; ++i)
		for (int k = i + 1; k < 4; ++k)
			sign = columns[i] > columns[k] ? -sign : sign;
	if (row_count == 1)
		return sign;
	const rbl_vec3d *a = rows[left_rows[0]], *b = rows[left_rows[1]];
	int u = left_columns[0], v = left_columns[1];
	if (row_count == 2) {
		double first = coordinate_at(*a, u), second = coordinate_at(*b, u);
		return sign * ((first > second) - (first < second));
	}
	const rbl_vec3d *c = rows[left_rows[2]];
	return sign * rbl_orient2d(coordinate_at(*a, u), coordinate_at(*a, v), coordinate_at(*b, u),
	                           coordinate_at(*b, v), coordinate_at(*c, u), coordinate_at(*c, v));
}

int rbl_orient3d_perturbed(const rbl_vec3d points[4], const int numbers[4])
{
	int sign = rbl_orient3d(points[0], points[1], points[2], points[3]);
	if (sign)
		return sign;
	const rbl_vec3d *rows[4];
	int order[4];
	// The determinant of rows with a 1 at the end has the other sign than that of differences.
	sign = -1;
	for (int i = 0; i < 4; ++i) {
		int k = i;
		for (; k > 0 && numbers[order[k - 1]] > numbers[i]; --k, sign = -sign)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (int i = 0; i < 4; ++i)
		rows[i] = &points[order[i]];
	int count = (int)(sizeof perturbed_terms / sizeof *perturbed_terms), term = 0;
	for (int found = 0; term < count; ++term)
		if ((found = term_sign(rows, perturbed_terms[term])) != 0)
			return sign * found;
	RBL_ASSERT(false);
	return sign;
}

bool rbl_are_collinear(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	// A cross product is zero when its three components are, and each is a 2D determinant.
	return rbl_orient2d(a.x, a.y, b.x, b.y, c.x, c.y) == 0 &&
	       rbl_orient2d(a.y, a.z, b.y, b.z, c.y, c.z) == 0 &&
	       rbl_orient2d(a.z, a.x, b.z, b.x, c.z, c.x) == 0;
}

/// The value as a double, within an ulp.
static double exact_rounded(const exact *a)
{
	double sum = 0.0;
	for (int i = 0; i < a->count; ++i)
		sum += a->part[i];
	return sum;
}

rbl_vec3d rbl_precise_normal(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	exact bx = exact_difference(b.x, a.x), by = exact_difference(b.y, a.y);
	exact bz = exact_difference(b.z, a.z), cx = exact_difference(c.x, a.x);
	exact cy = exact_difference(c.y, a.y), cz = exact_difference(c.z, a.z);
	exact x = exact_minor(&by, &bz, &cy, &cz), y = exact_minor(&bz, &bx, &cz, &cx);
	exact z = exact_minor(&bx, &by, &cx, &cy);
	return (rbl_vec3d){ exact_rounded(&x), exact_rounded(&y), exact_rounded(&z) };
}

// --- circle and sphere --------------------------------------------------------------------------

static int incircle_exact(double ax, double ay, double bx, double by, double cx, double cy,
                          double dx, double dy)
{
	exact x[3] = { exact_difference(ax, dx), exact_difference(bx, dx), exact_difference(cx, dx) };
	exact y[3] = { exact_difference(ay, dy), exact_difference(by, dy), exact_difference(cy, dy) };
	exact sum = { 0 };
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		exact minor = exact_minor(&x[j], &y[j], &x[k], &y[k]);
		exact xx = exact_mul(&x[i], &x[i]), yy = exact_mul(&y[i], &y[i]);
		exact lift = exact_add(&xx, &yy);
		exact term = exact_mul(&minor, &lift);
		sum = exact_add(&sum, &term);
	}
	return exact_sign(&sum);
}

int rbl_incircle(double ax, double ay, double bx, double by, double cx, double cy, double dx,
                 double dy)
{
	double x[3] = { ax - dx, bx - dx, cx - dx }, y[3] = { ay - dy, by - dy, cy - dy };
	double determinant = 0.0, permanent = 0.0;
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		double left = x[j] * y[k], right = y[j] * x[k], lift = x[i] * x[i] + y[i] * y[i];
		determinant += lift * (left - right);
		permanent += lift * (fabs(left) + fabs(right));
	}
	double bound = INCIRCLE_ERROR * permanent;
	if (determinant > bound)
		return 1;
	if (determinant < -bound)
		return -1;

	rbl_dd px[3] = { rbl_two_difference(ax, dx), rbl_two_difference(bx, dx),
		             rbl_two_difference(cx, dx) };
	rbl_dd py[3] = { rbl_two_difference(ay, dy), rbl_two_difference(by, dy),
		             rbl_two_difference(cy, dy) };
	rbl_dd sum = { 0.0, 0.0 };
	for (int i = 0; i < 3; ++i) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		rbl_dd lift = rbl_dd_add(rbl_dd_mul(px[i], px[i]), rbl_dd_mul(py[i], py[i]));
		sum = rbl_dd_add(sum, rbl_dd_mul(lift, rbl_dd_minor(px[j], py[j], px[k], py[k])));
	}
	int sign = dd_sign(sum, permanent);
	return sign ? sign : incircle_exact(ax, ay, bx, by, cx, cy, dx, dy);
}

// --- plane -------------------------------------------------------------------------

int rbl_plane_side(rbl_planed plane, rbl_vec3d p)
{
	double x = plane.normal.x * p.x, y = plane.normal.y * p.y, z = plane.normal.z * p.z;
	double value = ((x + y) + z) - plane.offset;
	double bound = PLANE_ERROR * (((fabs(x) + fabs(y)) + fabs(z)) + fabs(plane.offset));
	if (value > bound)
		return 1;
	if (value < -bound)
		return -1;
	const exact terms[3] = { exact_from_two(rbl_two_product(plane.normal.x, p.x)),
		                     exact_from_two(rbl_two_product(plane.normal.y, p.y)),
		                     exact_from_two(rbl_two_product(plane.normal.z, p.z)) };
	exact sum = exact_from_two((rbl_dd){ -plane.offset, 0.0 });
	for (int i = 0; i < 3; ++i)
		sum = exact_add(&sum, &terms[i]);
	return exact_sign(&sum);
}
