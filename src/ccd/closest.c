// SPDX-License-Identifier: MIT
//
// The closest points of a vertex and a face, or of two edges, at one instant.
//
// Differences of points of the two features fill a triangle or a parallelogram (the
// polygon of ccd/polynomial.h), and what is asked for is its point nearest to the origin. That is
// inside, where two linear equations tell, or else on one of its sides.
//
// With u = 2^-53 and R the largest coordinate of a corner: corners are off by u R each. A point is
// off by 8 u R. The equations lose digits where the sides of the polygon are nearly parallel, at an
// angle a: the point they give is farther than the nearest by u R / sin a, about. So below 1e-2
// they are solved in double-double, and below 1e-12 sides alone are asked, which are no farther
// than 1e-12 R. A share of less than 2^-44 counts as none, so that features which meet in an edge
// agree that it is the edge. In all, the distance is off by less than 2^-40 R.

#include "ccd/ccd.h"

#include "ccd/ccd_kernels.h"

#include "base/log.h"
#include "geometry/geometry.h"

#include <math.h>
#include <string.h>

// Shares that count as none.
#define SNAP 0x1p-44

typedef struct polygon {
	int count; // corners
	rbl_vec3d corners[4];
} polygon;

// Where a point of the polygon is: s and t along the two sides at corner 0.
typedef struct place {
	double s, t;
} place;

static rbl_dd dd_dot(rbl_vec3d a, rbl_vec3d b)
{
	return rbl_dd_add(rbl_dd_add(rbl_two_product(a.x, b.x), rbl_two_product(a.y, b.y)),
	                  rbl_two_product(a.z, b.z));
}

static bool is_inside(int count, place at)
{
	double last = 1.0 - SNAP;
	return at.s > SNAP && at.t > SNAP &&
	       (count == 3 ? at.s + at.t < last : at.s < last && at.t < last);
}

// The same equations as below, in double-double.
static bool solve_wide(const polygon *p, rbl_vec3d e, rbl_vec3d f, place *at)
{
	rbl_dd ee = dd_dot(e, e), ff = dd_dot(f, f), ef = dd_dot(e, f);
	rbl_dd re = rbl_dd_negate(dd_dot(p->corners[0], e));
	rbl_dd rf = rbl_dd_negate(dd_dot(p->corners[0], f));
	rbl_dd area = rbl_dd_minor(ee, ef, ef, ff);
	if (!(area.high > 1e-24 * (ee.high * ff.high)))
		return false;
	at->s = rbl_dd_div(rbl_dd_minor(re, rf, ef, ff), area).high;
	at->t = rbl_dd_div(rbl_dd_minor(ee, ef, re, rf), area).high;
	return is_inside(p->count, *at);
}

// Whether the nearest point is inside, and where.
static bool solve_inside(const polygon *p, place *at)
{
	rbl_vec3d r = p->corners[0];
	rbl_vec3d e = rbl_sub_d(p->corners[1], r), f = rbl_sub_d(p->corners[p->count - 1], r);
	double ee = rbl_dot_d(e, e), ff = rbl_dot_d(f, f), ef = rbl_dot_d(e, f);
	double re = -rbl_dot_d(r, e), rf = -rbl_dot_d(r, f), area = ee * ff - ef * ef;
	if (!(area > 1e-4 * (ee * ff)))
		return solve_wide(p, e, f, at);
	*at = (place){ (re * ff - rf * ef) / area, (rf * ee - re * ef) / area };
	return is_inside(p->count, *at);
}

static rbl_vec3d point_at(const polygon *p, place at)
{
	rbl_vec3d e = rbl_sub_d(p->corners[1], p->corners[0]);
	rbl_vec3d f = rbl_sub_d(p->corners[p->count - 1], p->corners[0]);
	return rbl_add_d(p->corners[0], rbl_add_d(rbl_scale_d(at.s, e), rbl_scale_d(at.t, f)));
}

// Place along the segment from p to q, 0 to 1, nearest to the origin.
static double along_side(rbl_vec3d p, rbl_vec3d q)
{
	rbl_vec3d e = rbl_sub_d(q, p);
	double length = rbl_dot_d(e, e), way = -rbl_dot_d(p, e);
	if (!(way > SNAP * length))
		return 0.0;
	return way < (1.0 - SNAP) * length ? way / length : 1.0;
}

static place nearest_of_sides(const polygon *p)
{
	double smallest = INFINITY;
	place best = { 0.0, 0.0 };
	for (int i = 0; i < p->count; ++i) {
		double way = along_side(p->corners[i], p->corners[i + 1 < p->count ? i + 1 : 0]);
		// From corner to corner: 0 0, 1 0, 1 1 of a parallelogram, 0 1.
		static const place parallelogram[5] = {
			{ 0.0, 0.0 }, { 1.0, 0.0 }, { 1.0, 1.0 }, { 0.0, 1.0 }, { 0.0, 0.0 }
		};
		static const place triangle[4] = { { 0.0, 0.0 }, { 1.0, 0.0 }, { 0.0, 1.0 }, { 0.0, 0.0 } };
		const place *from = (p->count == 3 ? triangle : parallelogram) + i, *to = from + 1;
		place at = { (1.0 - way) * from->s + way * to->s, (1.0 - way) * from->t + way * to->t };
		rbl_vec3d x = point_at(p, at);
		double square = rbl_dot_d(x, x);
		if (square < smallest)
			smallest = square, best = at;
	}
	return best;
}

// Square to the polygon, on the side of x; some unit vector where it has no area.
static rbl_vec3d square_to(const polygon *p, rbl_vec3d x)
{
	rbl_vec3d e = rbl_sub_d(p->corners[1], p->corners[0]);
	rbl_vec3d f = rbl_sub_d(p->corners[p->count - 1], p->corners[0]);
	rbl_vec3d across = rbl_ccd_across(e, f, rbl_dot_d(e, e) * rbl_dot_d(f, f));
	if (rbl_dot_d(across, across) > 0.0)
		return rbl_dot_d(across, x) < 0.0 ? rbl_neg_d(across) : across;
	rbl_vec3d longer = rbl_dot_d(e, e) > rbl_dot_d(f, f) ? e : f;
	return rbl_dot_d(longer, longer) > 0.0 ? rbl_perpendicular_d(rbl_normalize_d(longer))
	                                       : (rbl_vec3d){ 0.0, 1.0, 0.0 };
}

static void write_weights(rbl_ccd_kind kind, place at, double weights[4])
{
	if (kind == RBL_CCD_VERTEX_FACE) {
		weights[0] = 1.0;
		weights[1] = rbl_maxd(0.0, (1.0 - at.s) - at.t);
		weights[2] = at.s, weights[3] = at.t;
	} else {
		weights[0] = 1.0 - at.s, weights[1] = at.s;
		weights[2] = 1.0 - at.t, weights[3] = at.t;
	}
}

static rbl_vec3d weighted(const rbl_vec3d *points, const double *weights, int count)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; ++i)
		if (weights[i] > 0.0)
			sum = rbl_add_d(sum, rbl_scale_d(weights[i], points[i]));
	return sum;
}

// Whether powers of two for an exponent, and for the opposite, are doubles without loss.
static bool is_usual(int exponent)
{
	return exponent > -1000 && exponent < 1000;
}

// 2^exponent. Products with it are those of ldexp(), which takes longer than all the rest.
static double power(int exponent)
{
	uint64_t bits = (uint64_t)(1023 + exponent) << 52;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

// Take corners by a power of two below 1. @return its exponent
static int scale_corners(polygon *p, double largest)
{
	uint64_t bits;
	memcpy(&bits, &largest, sizeof bits);
	int exponent = (int)(bits >> 52 & 0x7ffu) - 1022;
	if (is_usual(exponent)) {
		double factor = power(-exponent);
		for (int i = 0; i < p->count; ++i)
			p->corners[i] = rbl_scale_d(factor, p->corners[i]);
		return exponent;
	}
	frexp(largest, &exponent);
	for (int i = 0; i < p->count; ++i)
		p->corners[i] =
			(rbl_vec3d){ ldexp(p->corners[i].x, -exponent), ldexp(p->corners[i].y, -exponent),
			             ldexp(p->corners[i].z, -exponent) };
	return exponent;
}

void rbl_ccd_closest(rbl_ccd_kind kind, const rbl_vec3d points[4], rbl_closest *closest)
{
	// The first feature is the vertex, or the first edge.
	static const signed char ends[2][4][2] = { { { 1, 0 }, { 2, 0 }, { 3, 0 }, { 3, 0 } },
		                                       { { 0, 2 }, { 1, 2 }, { 1, 3 }, { 0, 3 } } };
	int row = kind == RBL_CCD_VERTEX_FACE ? 0 : 1, firsts = 1 + row;
	polygon p = { .count = 3 + row };
	rbl_vec3d most = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < p.count; ++i) {
		p.corners[i] = rbl_sub_d(points[ends[row][i][0]], points[ends[row][i][1]]);
		most = (rbl_vec3d){ rbl_maxd(fabs(p.corners[i].x), most.x),
			                rbl_maxd(fabs(p.corners[i].y), most.y),
			                rbl_maxd(fabs(p.corners[i].z), most.z) };
	}
	double largest = rbl_maxd(most.x, rbl_maxd(most.y, most.z));
	*closest = (rbl_closest){ .rounding = 0x1p-40 * largest };
	int exponent = 0;
	if (largest > 0.0)
		exponent = scale_corners(&p, largest);
	place at;
	if (!solve_inside(&p, &at))
		at = nearest_of_sides(&p);
	rbl_vec3d x = point_at(&p, at);
	double distance = sqrt(rbl_dot_d(x, x));
	write_weights(kind, at, closest->weights);
	for (int i = 0; i < 4; ++i)
		closest->corners |= (unsigned)(closest->weights[i] > 0.0) << i;
	closest->distance = is_usual(exponent) ? distance * power(exponent) : ldexp(distance, exponent);
	closest->points[0] = weighted(points, closest->weights, firsts);
	closest->points[1] = weighted(points + firsts, closest->weights + firsts, 4 - firsts);
	// The polygon is the face less the vertex, or the first edge less the second.
	x = row ? x : rbl_neg_d(x);
	closest->direction = distance > 1e-10 ? rbl_scale_d(1.0 / distance, x) : square_to(&p, x);
}

static rbl_vec3d lane_of(double lanes[3][4], int k)
{
	return (rbl_vec3d){ lanes[0][k], lanes[1][k], lanes[2][k] };
}

static void take_lane(rbl_ccd_closest_lanes *lanes, int k, rbl_closest *closest)
{
	*closest =
		(rbl_closest){ .distance = lanes->distance[k],
		               .rounding = lanes->rounding[k],
		               .points = { lane_of(lanes->points[0], k), lane_of(lanes->points[1], k) },
		               .direction = lane_of(lanes->direction, k) };
	for (int i = 0; i < 4; ++i) {
		closest->weights[i] = lanes->weights[i][k];
		closest->corners |= (lanes->corners[i] >> k & 1u) << i;
	}
}

int rbl_ccd_find_near(rbl_ccd_kind kind, const rbl_vec3 *positions, const rbl_ccd_quad *quads,
                      const int *chosen, int count, double distance, int *near,
                      rbl_closest *closest)
{
	int found = 0;
	for (int i = 0; i < count; i += 4) {
		const rbl_ccd_quad *four[4];
		rbl_ccd_closest_lanes lanes;
		for (int k = 0; k < 4; ++k)
			four[k] = &quads[chosen[i + k < count ? i + k : count - 1]];
		RBL_PICK(rbl_ccd_closest_four)(kind, positions, four, distance, &lanes);
		for (int k = 0; k < 4 && i + k < count; ++k) {
			rbl_closest *next = &closest[found];
			bool is_near = lanes.is_near >> k & 1u;
			if (lanes.is_open >> k & 1u) {
				rbl_vec3d points[4];
				for (int n = 0; n < 4; ++n)
					points[n] = rbl_to_d(positions[four[k]->vertices[n]]);
				rbl_ccd_closest(kind, points, next);
				is_near = next->distance <= distance + next->rounding;
			} else if (is_near) {
				take_lane(&lanes, k, next);
			}
			if (is_near)
				near[found++] = chosen[i + k];
		}
	}
	return found;
}

static rbl_result find_closest(rbl_ccd_kind kind, const rbl_vec3d points[4], rbl_closest *closest)
{
	if (!points || !closest)
		return rbl_fail(RBL_BAD_ARGUMENT, "points or closest is NULL");
	for (int i = 0; i < 4; ++i)
		if (!(fabs(points[i].x) <= 1e300 && fabs(points[i].y) <= 1e300 &&
		      fabs(points[i].z) <= 1e300))
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d is not finite, or beyond 1e300", i);
	rbl_ccd_closest(kind, points, closest);
	return RBL_OK;
}

rbl_result rbl_closest_vertex_face(const rbl_vec3d points[4], rbl_closest *closest)
{
	return find_closest(RBL_CCD_VERTEX_FACE, points, closest);
}

rbl_result rbl_closest_edge_edge(const rbl_vec3d points[4], rbl_closest *closest)
{
	return find_closest(RBL_CCD_EDGE_EDGE, points, closest);
}
