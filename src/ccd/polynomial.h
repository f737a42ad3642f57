// SPDX-License-Identifier: MIT
// A continuous test as polynomials in time, with error bounds: what ccd/search.c searches.
//
// Both tests are one question. Vertex and face: r_i = f_i - v, a triangle. Edges: r = a0 - b0,
// a1 - b0, a1 - b1, a0 - b1, a parallelogram. Each corner r_i moves in a straight line, the polygon
// is flat and convex at every time, and the pair is in contact when the polygon holds the origin.
//
//   - c(t) = (E x G).P, a cubic: E and G span the polygon, P joins it to the origin. The origin is
//     in the polygon only where c = 0.
//   - w_i(t) = r_i x r_(i+1), three quadratics per side. Where the origin is in the polygon, the
//     w_i have one weak sign in each component: the projection along that axis holds the origin.
//     So a component with a positive and a negative w says no, also for polygons that have
//     collapsed. And where c changes sign while all w_i of a component stay strictly of one sign,
//     there is a contact: at the root all w_i are multiples of the normal, which is not zero.
//   - A direction d with d.r_i > 0 for all i at both ends of an interval says no for all of it.
//
// All polynomials are in Bernstein form: coefficients of one sign mean that sign everywhere. On
// a part of the step they are found by blossoming the coefficients of the whole step, so that the
// error does not grow with depth.
//
// Error bounds. u is the relative rounding of one operation: 2^-53 for doubles, RBL_DD_ROUNDING for
// double-doubles. A result that passes through k roundings is off by at most k u (1 + tiny) times
// the same expression over magnitudes; capitals are magnitudes, the larger of start and end.
//
//   cubic   differences 2, product 1, subtraction 1; the middle coefficients of E x G add two
//           of these: 5. Times P: 1 for P, 1 product, 2 sums: 9. Joining two such in c1 and c2: 1,
//           and 2 for the rounded third: 12. One interpolation (1 - t) x + t y takes 3 roundings of
//           max(|x|, |y|), three levels 9: 21 u S in all, S = sum over axes of (E_l G_m + E_m G_l)
//           P_k. Used: 24 u S. What is above 21 covers second order and the rounding of S.
//   edges   5 as above, two levels of interpolation 6: 11 u. Used: 14 u (R_l Q_m + R_m Q_l), for
//           corners with extents R and Q.
//   along   d.r: 1 difference, 3 interpolation, 1 product, 2 sums: 7 u. Used: 12 u sum |d_k| R_k.
//
// A double-double form describes a part of the step, or a part of a part: differences of doubles
// are exact there, and each part interpolates corners, E, G and P once, 3 roundings. Two such:
// cubic 6 + 6 + 3 for the middle of E x G, 6 + 3 for P, 3 and 9 as above: 36, used 48; edges 15 + 6
// = 21, used 28; along 6 + 3 + 3 = 12, used 20.
//
// Underflow: points are scaled so that the largest coordinate is at most 2^60 and the largest
// corner at least 2^-60. A product that underflows is off by 2^-1074 at most, times a factor of at
// most 2^61, a few times over: far below the 1e-300 that is added to every bound. The same holds
// for bits that scaling down pushes out of the smallest numbers.
//
// Every decision is "certain if x > e", so infinities and NaN are never certain, and what is not
// certain ends as a hit.
#pragma once

#include "base/kernel.h"
#include "geometry/geometry.h"

#include <float.h>

/// Which features.
typedef enum rbl_ccd_kind {
	RBL_CCD_VERTEX_FACE,
	RBL_CCD_EDGE_EDGE,
	RBL_CCD_KIND_COUNT
} rbl_ccd_kind;

/// The four points at both ends of the step: v f0 f1 f2 or a0 a1 b0 b1.
typedef struct rbl_ccd_points {
	double p[2][4][3];
} rbl_ccd_points;

/// The polynomials in double-double.
typedef struct rbl_ccd_double_doubles {
	rbl_dd cubic[4];
	rbl_dd edges[4][3][3];   // side, component, Bernstein coefficient
	rbl_dd corners[2][4][3]; // at start and end of the part
	rbl_dd spans[2][3][3];   // E, G, P, likewise
} rbl_ccd_double_doubles;

/// The polynomials over a part of the step, whose time runs from 0 to 1.
typedef struct rbl_ccd_polynomials {
	int corner_count;        // 3 or 4
	double from, to;         // the part of the step, each at most its true value
	double cubic_error;      // of any value of the cubic
	double along_error;      // per |d| and extent
	double edge_error[4][3]; // of any value of a side's component
	double extent[4][3];     // of the corners, along axes
	double cubic[4];         // Bernstein coefficients
	double edges[4][3][3];   // side, component, Bernstein coefficient
	double corners[2][4][3]; // at start and end
	const rbl_ccd_double_doubles
		*wide; // NULL: the doubles above. Otherwise these, and the doubles are idle
} rbl_ccd_polynomials;

/// The corners of the polygon, each one difference of coordinates.
void rbl_ccd_corners(rbl_ccd_kind kind, const rbl_ccd_points *points, double corners[2][4][3]);

/// Fill corner_count, extent, cubic and bounds; corners are in place. The sides come later: most
/// pairs end before they are needed.
void rbl_ccd_make_cubic(rbl_ccd_polynomials *form, rbl_ccd_kind kind, const rbl_ccd_points *points);

/// Fill what the search with a thickness needs, which is neither the cubic nor the sides; corners
/// are in place.
void rbl_ccd_make_near(rbl_ccd_polynomials *form, rbl_ccd_kind kind);

/// Fill the sides.
void rbl_ccd_make_edges(rbl_ccd_polynomials *form);

/// The same polynomials in double-double over a part [a, b] of a form, which is a complete form in
/// doubles over the whole step, or one that this function made of such a form.
void rbl_ccd_restrict(const rbl_ccd_polynomials *form, rbl_ccd_kind kind,
                      const rbl_ccd_points *points, double a, double b, rbl_ccd_polynomials *result,
                      rbl_ccd_double_doubles *wide);

/// A time of the step that is at most t of the form, by little.
double rbl_ccd_step_time(const rbl_ccd_polynomials *form, double t);

/// The cubic's coefficients on [a, b].
void rbl_ccd_cubic_on(const rbl_ccd_polynomials *form, double a, double b, double c[4]);

/// The cubic and its slope at t.
double rbl_ccd_cubic_at(const rbl_ccd_polynomials *form, double t, double *slope);

/// The coefficients of component k of side i on [a, b].
void rbl_ccd_edge_on(const rbl_ccd_polynomials *form, int i, int k, double a, double b,
                     double w[3]);

/// Corners at t, rounded.
void rbl_ccd_corners_at(const rbl_ccd_polynomials *form, double t, double corners[4][3]);

/// Whether all corners lie in front of the origin along d, at a and at b, for certain.
bool rbl_ccd_is_beyond(const rbl_ccd_polynomials *form, const double d[3], double a, double b);

/// The point of the polygon nearest to the origin, roughly. @return its squared distance
/// @param weights  shares of the three corners, or the places along the two edges and 0
double rbl_ccd_nearest(int corner_count, double corners[4][3], double nearest[3],
                       double weights[3]);

// --- the nearest point, where the number of corners is known when this is compiled ---------------

static inline RBL_ALWAYS_INLINE double rbl_ccd_dot(const double a[3], const double b[3])
{
	return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// Place along the segment from p to q, 0 to 1, nearest to the origin.
static inline RBL_ALWAYS_INLINE double rbl_ccd_nearest_place(const double p[3], const double q[3])
{
	double e[3] = { q[0] - p[0], q[1] - p[1], q[2] - p[2] };
	double length = rbl_ccd_dot(e, e), place = -rbl_ccd_dot(p, e);
	if (!(place > 0.0))
		return 0.0;
	return place < length ? place / length : 1.0;
}

/// The places s and t along the two sides at corner 0, when the nearest point is inside.
static inline RBL_ALWAYS_INLINE bool rbl_ccd_nearest_inside(int n, double r[4][3], double *s,
                                                            double *t)
{
	double e[3], f[3];
	for (int k = 0; k < 3; ++k)
		e[k] = r[1][k] - r[0][k], f[k] = r[n - 1][k] - r[0][k];
	double ee = rbl_ccd_dot(e, e), ff = rbl_ccd_dot(f, f), ef = rbl_ccd_dot(e, f);
	double re = -rbl_ccd_dot(r[0], e), rf = -rbl_ccd_dot(r[0], f);
	double area = ee * ff - ef * ef;
	if (!(area > 1e-12 * (ee * ff)))
		return false;
	*s = (re * ff - rf * ef) / area;
	*t = (rf * ee - re * ef) / area;
	return *s >= 0.0 && *t >= 0.0 && (n == 3 ? *s + *t <= 1.0 : *s <= 1.0 && *t <= 1.0);
}

static inline RBL_ALWAYS_INLINE double rbl_ccd_nearest_of(int n, double r[4][3], double nearest[3],
                                                          double weights[3])
{
	double s = 0.0, t = 0.0;
	if (!rbl_ccd_nearest_inside(n, r, &s, &t)) {
		double smallest = DBL_MAX;
		for (int i = 0; i < n; ++i) {
			const double *p = r[i], *q = r[i + 1 < n ? i + 1 : 0];
			double place = rbl_ccd_nearest_place(p, q), x[3];
			for (int k = 0; k < 3; ++k)
				x[k] = p[k] + place * (q[k] - p[k]);
			double distance = rbl_ccd_dot(x, x);
			if (distance < smallest) {
				smallest = distance;
				s = i == 0             ? place
				    : i == 1           ? (n == 3 ? 1.0 - place : 1.0)
				    : i == 2 && n == 4 ? 1.0 - place
				                       : 0.0;
				t = i == 0 ? 0.0 : i == 1 ? place : i == 2 && n == 4 ? 1.0 : 1.0 - place;
			}
		}
	}
	for (int k = 0; k < 3; ++k)
		nearest[k] = r[0][k] + (s * (r[1][k] - r[0][k]) + t * (r[n - 1][k] - r[0][k]));
	weights[0] = n == 3 ? (1.0 - s) - t : s;
	weights[1] = n == 3 ? s : t;
	weights[2] = n == 3 ? t : 0.0;
	if (weights[0] < 0.0)
		weights[0] = 0.0;
	return rbl_ccd_dot(nearest, nearest);
}
