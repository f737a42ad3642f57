// SPDX-License-Identifier: MIT
//
// The polynomials of a continuous test. The header has the idea and the error bounds.

#include "ccd/polynomial.h"

#include <float.h>
#include <math.h>

#define ROUNDING 0x1p-53
#define UNDERFLOW 1e-300

// Corner i is points[i][0] - points[i][1]; then E, G, P of the cubic likewise.
static const signed char corner_ends[RBL_CCD_KIND_COUNT][4][2] = {
	{ { 1, 0 }, { 2, 0 }, { 3, 0 }, { 0, 0 } },
	{ { 0, 2 }, { 1, 2 }, { 1, 3 }, { 0, 3 } },
};
static const signed char span_ends[RBL_CCD_KIND_COUNT][3][2] = {
	{ { 2, 1 }, { 3, 1 }, { 0, 1 } },
	{ { 1, 0 }, { 3, 2 }, { 2, 0 } },
};

static inline double greater(double a, double b)
{
	return a > b ? a : b;
}

void rbl_ccd_corners(rbl_ccd_kind kind, const rbl_ccd_points *points, double corners[2][4][3])
{
	for (int pose = 0; pose < 2; ++pose) {
		for (int i = 0; i < 4; ++i) {
			const double *to = points->p[pose][corner_ends[kind][i][0]];
			const double *from = points->p[pose][corner_ends[kind][i][1]];
			for (int k = 0; k < 3; ++k)
				corners[pose][i][k] = to[k] - from[k];
		}
	}
}

// --- doubles ------------------------------------------------------------------------------------

static inline void cross(const double a[3], const double b[3], double c[3])
{
	c[0] = a[1] * b[2] - a[2] * b[1];
	c[1] = a[2] * b[0] - a[0] * b[2];
	c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double a[3], const double b[3])
{
	return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

void rbl_ccd_make_cubic(rbl_ccd_polynomials *form, rbl_ccd_kind kind, const rbl_ccd_points *points)
{
	form->corner_count = kind == RBL_CCD_VERTEX_FACE ? 3 : 4;
	form->from = 0.0, form->to = 1.0;
	form->wide = NULL;

	double span[2][3][3], extent[3][3];
	for (int i = 0; i < 3; ++i) {
		int to = span_ends[kind][i][0], from = span_ends[kind][i][1];
		for (int k = 0; k < 3; ++k) {
			span[0][i][k] = points->p[0][to][k] - points->p[0][from][k];
			span[1][i][k] = points->p[1][to][k] - points->p[1][from][k];
			extent[i][k] = greater(fabs(span[0][i][k]), fabs(span[1][i][k]));
		}
	}
	double first[3], last[3], middle[3], other[3];
	cross(span[0][0], span[0][1], first);
	cross(span[1][0], span[1][1], last);
	cross(span[0][0], span[1][1], middle);
	cross(span[1][0], span[0][1], other);
	for (int k = 0; k < 3; ++k)
		middle[k] += other[k]; // twice the middle coefficient
	const double *start = span[0][2], *end = span[1][2];
	form->cubic[0] = dot(first, start);
	form->cubic[1] = (dot(first, end) + dot(middle, start)) * (1.0 / 3.0);
	form->cubic[2] = (dot(last, start) + dot(middle, end)) * (1.0 / 3.0);
	form->cubic[3] = dot(last, end);

	double size = (extent[0][1] * extent[1][2] + extent[0][2] * extent[1][1]) * extent[2][0] +
	              (extent[0][2] * extent[1][0] + extent[0][0] * extent[1][2]) * extent[2][1] +
	              (extent[0][0] * extent[1][1] + extent[0][1] * extent[1][0]) * extent[2][2];
	form->cubic_error = 24.0 * ROUNDING * size + UNDERFLOW;
}

static void measure_corners(rbl_ccd_polynomials *form)
{
	form->along_error = 12.0 * ROUNDING;
	for (int i = 0; i < form->corner_count; ++i)
		for (int k = 0; k < 3; ++k)
			form->extent[i][k] =
				greater(fabs(form->corners[0][i][k]), fabs(form->corners[1][i][k]));
}

void rbl_ccd_make_near(rbl_ccd_polynomials *form, rbl_ccd_kind kind)
{
	form->corner_count = kind == RBL_CCD_VERTEX_FACE ? 3 : 4;
	form->from = 0.0, form->to = 1.0;
	form->wide = NULL;
	measure_corners(form);
}

void rbl_ccd_make_edges(rbl_ccd_polynomials *form)
{
	int n = form->corner_count;
	measure_corners(form);
	for (int i = 0; i < n; ++i) {
		int j = i + 1 < n ? i + 1 : 0;
		const double *a = form->corners[0][i], *b = form->corners[1][i];
		const double *c = form->corners[0][j], *d = form->corners[1][j];
		const double *r = form->extent[i], *q = form->extent[j];
		for (int k = 0; k < 3; ++k) {
			int l = k < 2 ? k + 1 : 0, m = k > 0 ? k - 1 : 2;
			double *w = form->edges[i][k];
			w[0] = a[l] * c[m] - a[m] * c[l];
			w[1] = 0.5 * ((a[l] * d[m] - a[m] * d[l]) + (b[l] * c[m] - b[m] * c[l]));
			w[2] = b[l] * d[m] - b[m] * d[l];
			form->edge_error[i][k] = 14.0 * ROUNDING * (r[l] * q[m] + r[m] * q[l]) + UNDERFLOW;
		}
	}
}

/// Where between x and y; rest is 1 - t.
static inline double between(double x, double y, double t, double rest)
{
	return rest * x + t * y;
}

// --- double-doubles -----------------------------------------------------------------------------

static void wide_cross(const rbl_dd a[3], const rbl_dd b[3], rbl_dd c[3])
{
	c[0] = rbl_dd_minor(a[1], a[2], b[1], b[2]);
	c[1] = rbl_dd_minor(a[2], a[0], b[2], b[0]);
	c[2] = rbl_dd_minor(a[0], a[1], b[0], b[1]);
}

static rbl_dd wide_dot(const rbl_dd a[3], const rbl_dd b[3])
{
	return rbl_dd_add(rbl_dd_add(rbl_dd_mul(a[0], b[0]), rbl_dd_mul(a[1], b[1])),
	                  rbl_dd_mul(a[2], b[2]));
}

static rbl_dd wide_between(rbl_dd x, rbl_dd y, rbl_dd t, rbl_dd rest)
{
	return rbl_dd_add(rbl_dd_mul(rest, x), rbl_dd_mul(t, y));
}

/// A time and what is left after it, both exact.
typedef struct instant {
	rbl_dd t, rest;
} instant;

static instant instant_of(double t)
{
	return (instant){ { t, 0.0 }, rbl_two_difference(1.0, t) };
}

static void wide_blossom3(const rbl_dd c[4], instant a, instant b, rbl_dd result[4])
{
	rbl_dd one[2][3], two[3][2];
	for (int i = 0; i < 3; ++i) {
		one[0][i] = wide_between(c[i], c[i + 1], a.t, a.rest);
		one[1][i] = wide_between(c[i], c[i + 1], b.t, b.rest);
	}
	for (int i = 0; i < 2; ++i) {
		two[0][i] = wide_between(one[0][i], one[0][i + 1], a.t, a.rest);
		two[1][i] = wide_between(one[0][i], one[0][i + 1], b.t, b.rest);
		two[2][i] = wide_between(one[1][i], one[1][i + 1], b.t, b.rest);
	}
	result[0] = wide_between(two[0][0], two[0][1], a.t, a.rest);
	result[1] = wide_between(two[0][0], two[0][1], b.t, b.rest);
	result[2] = wide_between(two[1][0], two[1][1], b.t, b.rest);
	result[3] = wide_between(two[2][0], two[2][1], b.t, b.rest);
}

static void wide_blossom2(const rbl_dd w[3], instant a, instant b, rbl_dd result[3])
{
	rbl_dd low[2], high[2];
	for (int i = 0; i < 2; ++i) {
		low[i] = wide_between(w[i], w[i + 1], a.t, a.rest);
		high[i] = wide_between(w[i], w[i + 1], b.t, b.rest);
	}
	result[0] = wide_between(low[0], low[1], a.t, a.rest);
	result[1] = wide_between(low[0], low[1], b.t, b.rest);
	result[2] = wide_between(high[0], high[1], b.t, b.rest);
}

/// Corners and spans over the whole step, exact.
static void widen(rbl_ccd_kind kind, const rbl_ccd_points *points, int n,
                  rbl_ccd_double_doubles *wide)
{
	for (int pose = 0; pose < 2; ++pose) {
		const double(*p)[3] = points->p[pose];
		for (int k = 0; k < 3; ++k) {
			for (int i = 0; i < n; ++i)
				wide->corners[pose][i][k] = rbl_two_difference(p[corner_ends[kind][i][0]][k],
				                                               p[corner_ends[kind][i][1]][k]);
			for (int i = 0; i < 3; ++i)
				wide->spans[pose][i][k] =
					rbl_two_difference(p[span_ends[kind][i][0]][k], p[span_ends[kind][i][1]][k]);
		}
	}
}

static void wide_lerp_ends(rbl_dd *start, rbl_dd *end, instant low, instant high)
{
	rbl_dd from = *start, to = *end;
	*start = wide_between(from, to, low.t, low.rest);
	*end = wide_between(from, to, high.t, high.rest);
}

/// Move start and end to a part.
static void narrow_down(rbl_ccd_double_doubles *wide, int n, instant low, instant high)
{
	for (int k = 0; k < 3; ++k) {
		for (int i = 0; i < n; ++i)
			wide_lerp_ends(&wide->corners[0][i][k], &wide->corners[1][i][k], low, high);
		for (int i = 0; i < 3; ++i)
			wide_lerp_ends(&wide->spans[0][i][k], &wide->spans[1][i][k], low, high);
	}
}

static void widen_cubic(rbl_ccd_double_doubles *wide)
{
	rbl_dd first[3], last[3], middle[3], other[3];
	wide_cross(wide->spans[0][0], wide->spans[0][1], first);
	wide_cross(wide->spans[1][0], wide->spans[1][1], last);
	wide_cross(wide->spans[0][0], wide->spans[1][1], middle);
	wide_cross(wide->spans[1][0], wide->spans[0][1], other);
	for (int k = 0; k < 3; ++k)
		middle[k] = rbl_dd_add(middle[k], other[k]);
	const rbl_dd third = { 1.0 / 3.0, 0x1.5555555555555p-56 };
	const rbl_dd *start = wide->spans[0][2], *end = wide->spans[1][2];
	wide->cubic[0] = wide_dot(first, start);
	wide->cubic[1] = rbl_dd_mul(rbl_dd_add(wide_dot(first, end), wide_dot(middle, start)), third);
	wide->cubic[2] = rbl_dd_mul(rbl_dd_add(wide_dot(last, start), wide_dot(middle, end)), third);
	wide->cubic[3] = wide_dot(last, end);
}

static void widen_edges(rbl_ccd_double_doubles *wide, int n)
{
	for (int i = 0; i < n; ++i) {
		int j = i + 1 < n ? i + 1 : 0;
		rbl_dd first[3], last[3], middle[3], other[3];
		wide_cross(wide->corners[0][i], wide->corners[0][j], first);
		wide_cross(wide->corners[1][i], wide->corners[1][j], last);
		wide_cross(wide->corners[0][i], wide->corners[1][j], middle);
		wide_cross(wide->corners[1][i], wide->corners[0][j], other);
		for (int k = 0; k < 3; ++k) {
			rbl_dd sum = rbl_dd_add(middle[k], other[k]);
			wide->edges[i][k][0] = first[k];
			wide->edges[i][k][1] = (rbl_dd){ 0.5 * sum.high, 0.5 * sum.low };
			wide->edges[i][k][2] = last[k];
		}
	}
}

double rbl_ccd_step_time(const rbl_ccd_polynomials *form, double t)
{
	double time = form->from + t * (form->to - form->from);
	time -= 0x1p-51 * time;
	return t == 0.0 || time < form->from ? form->from : time;
}

void rbl_ccd_restrict(const rbl_ccd_polynomials *form, rbl_ccd_kind kind,
                      const rbl_ccd_points *points, double a, double b, rbl_ccd_polynomials *result,
                      rbl_ccd_double_doubles *wide)
{
	*result = *form;
	result->wide = wide;
	if (form->wide) {
		*wide = *form->wide;
		result->from = rbl_ccd_step_time(form, a);
		result->to = rbl_ccd_step_time(form, b);
	} else {
		// From the bounds in doubles: other roundings, and more of them.
		const double finer = RBL_DD_ROUNDING / ROUNDING;
		result->cubic_error = 48.0 / 24.0 * finer * form->cubic_error + UNDERFLOW;
		result->along_error = 20.0 * RBL_DD_ROUNDING;
		for (int i = 0; i < form->corner_count; ++i)
			for (int k = 0; k < 3; ++k)
				result->edge_error[i][k] = 28.0 / 14.0 * finer * form->edge_error[i][k] + UNDERFLOW;
		widen(kind, points, form->corner_count, wide);
		result->from = a, result->to = b;
	}
	narrow_down(wide, form->corner_count, instant_of(a), instant_of(b));
	widen_cubic(wide);
	widen_edges(wide, form->corner_count);
}

// --- both ---------------------------------------------------------------------------------------

void rbl_ccd_cubic_on(const rbl_ccd_polynomials *form, double a, double b, double c[4])
{
	if (form->wide) {
		rbl_dd wide[4];
		wide_blossom3(form->wide->cubic, instant_of(a), instant_of(b), wide);
		for (int i = 0; i < 4; ++i)
			c[i] = wide[i].high;
		return;
	}
	double one[2][3], two[3][2], a_rest = 1.0 - a, b_rest = 1.0 - b;
	for (int i = 0; i < 3; ++i) {
		one[0][i] = between(form->cubic[i], form->cubic[i + 1], a, a_rest);
		one[1][i] = between(form->cubic[i], form->cubic[i + 1], b, b_rest);
	}
	for (int i = 0; i < 2; ++i) {
		two[0][i] = between(one[0][i], one[0][i + 1], a, a_rest);
		two[1][i] = between(one[0][i], one[0][i + 1], b, b_rest);
		two[2][i] = between(one[1][i], one[1][i + 1], b, b_rest);
	}
	c[0] = between(two[0][0], two[0][1], a, a_rest);
	c[1] = between(two[0][0], two[0][1], b, b_rest);
	c[2] = between(two[1][0], two[1][1], b, b_rest);
	c[3] = between(two[2][0], two[2][1], b, b_rest);
}

double rbl_ccd_cubic_at(const rbl_ccd_polynomials *form, double t, double *slope)
{
	if (form->wide) {
		const rbl_dd *c = form->wide->cubic;
		instant at = instant_of(t);
		rbl_dd one[3], two[2];
		for (int i = 0; i < 3; ++i)
			one[i] = wide_between(c[i], c[i + 1], at.t, at.rest);
		for (int i = 0; i < 2; ++i)
			two[i] = wide_between(one[i], one[i + 1], at.t, at.rest);
		*slope = 3.0 * (two[1].high - two[0].high);
		return wide_between(two[0], two[1], at.t, at.rest).high;
	}
	const double *c = form->cubic;
	double rest = 1.0 - t;
	double x = between(c[0], c[1], t, rest), y = between(c[1], c[2], t, rest);
	double z = between(c[2], c[3], t, rest);
	x = between(x, y, t, rest), y = between(y, z, t, rest);
	*slope = 3.0 * (y - x);
	return between(x, y, t, rest);
}

void rbl_ccd_edge_on(const rbl_ccd_polynomials *form, int i, int k, double a, double b, double w[3])
{
	if (form->wide) {
		rbl_dd wide[3];
		wide_blossom2(form->wide->edges[i][k], instant_of(a), instant_of(b), wide);
		for (int n = 0; n < 3; ++n)
			w[n] = wide[n].high;
		return;
	}
	const double *c = form->edges[i][k];
	double a_rest = 1.0 - a, b_rest = 1.0 - b;
	double low0 = between(c[0], c[1], a, a_rest), low1 = between(c[1], c[2], a, a_rest);
	double high0 = between(c[0], c[1], b, b_rest), high1 = between(c[1], c[2], b, b_rest);
	w[0] = between(low0, low1, a, a_rest);
	w[1] = between(low0, low1, b, b_rest);
	w[2] = between(high0, high1, b, b_rest);
}

void rbl_ccd_corners_at(const rbl_ccd_polynomials *form, double t, double corners[4][3])
{
	instant at = instant_of(t);
	for (int i = 0; i < form->corner_count; ++i)
		for (int k = 0; k < 3; ++k)
			corners[i][k] =
				form->wide ? wide_between(form->wide->corners[0][i][k],
			                              form->wide->corners[1][i][k], at.t, at.rest)
								 .high
						   : between(form->corners[0][i][k], form->corners[1][i][k], t, 1.0 - t);
}

static double along(const rbl_ccd_polynomials *form, const double d[3], int i, double t)
{
	if (form->wide) {
		instant at = instant_of(t);
		rbl_dd r[3], wide_d[3];
		for (int k = 0; k < 3; ++k) {
			wide_d[k] = (rbl_dd){ d[k], 0.0 };
			r[k] = wide_between(form->wide->corners[0][i][k], form->wide->corners[1][i][k], at.t,
			                    at.rest);
		}
		return wide_dot(wide_d, r).high;
	}
	double r[3];
	for (int k = 0; k < 3; ++k)
		r[k] = between(form->corners[0][i][k], form->corners[1][i][k], t, 1.0 - t);
	return dot(d, r);
}

bool rbl_ccd_is_beyond(const rbl_ccd_polynomials *form, const double d[3], double a, double b)
{
	for (int i = 0; i < form->corner_count; ++i) {
		const double *extent = form->extent[i];
		double error = form->along_error * ((fabs(d[0]) * extent[0] + fabs(d[1]) * extent[1]) +
		                                    fabs(d[2]) * extent[2]) +
		               UNDERFLOW;
		if (!(along(form, d, i, a) > error) || !(along(form, d, i, b) > error))
			return false;
	}
	return true;
}

// --- the nearest point --------------------------------------------------------------------------

double rbl_ccd_nearest(int n, double r[4][3], double nearest[3], double weights[3])
{
	return n == 3 ? rbl_ccd_nearest_of(3, r, nearest, weights)
	              : rbl_ccd_nearest_of(4, r, nearest, weights);
}
