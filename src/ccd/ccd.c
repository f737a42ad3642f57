// SPDX-License-Identifier: MIT
//
// Continuous tests of single pairs, from the cheapest proof to the dearest: boxes at both ends, the
// sign of the cubic, the sides over the whole step, then the search. Of the 3,621 queries they
// answer half, a third, a twelfth, and a twelfth.
//
// The box test is the one of axes as directions (ccd/polynomial.h): all corners on one side of the
// origin along an axis, at the start and at the end. Differences of doubles have the right sign
// always, so it is exact, and stronger than boxes around the whole motion.

#include "ccd/ccd.h"

#include "ccd/ccd_kernels.h"
#include "ccd/search.h"

#include "base/log.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

#define LARGEST 0x1p60
#define SMALLEST 0x1p-60
#define MIN_THICKNESS 1e-300 // of scaled points: less is not told from nothing

static void gather(const rbl_vec3d start[4], const rbl_vec3d end[4], rbl_ccd_points *points)
{
	for (int i = 0; i < 4; ++i) {
		points->p[0][i][0] = start[i].x, points->p[1][i][0] = end[i].x;
		points->p[0][i][1] = start[i].y, points->p[1][i][1] = end[i].y;
		points->p[0][i][2] = start[i].z, points->p[1][i][2] = end[i].z;
	}
}

/// Corners as rbl_ccd_corners() has them.
static inline void find_corners(rbl_ccd_kind kind, const rbl_vec3d start[4], const rbl_vec3d end[4],
                                double corners[2][4][3])
{
	for (int pose = 0; pose < 2; ++pose) {
		const rbl_vec3d *p = pose ? end : start;
		bool is_face = kind == RBL_CCD_VERTEX_FACE;
		const rbl_vec3d d[4] = { is_face ? rbl_sub_d(p[1], p[0]) : rbl_sub_d(p[0], p[2]),
			                     is_face ? rbl_sub_d(p[2], p[0]) : rbl_sub_d(p[1], p[2]),
			                     is_face ? rbl_sub_d(p[3], p[0]) : rbl_sub_d(p[1], p[3]),
			                     is_face ? rbl_sub_d(p[0], p[0]) : rbl_sub_d(p[0], p[3]) };
		for (int i = 0; i < 4; ++i)
			memcpy(corners[pose][i], &d[i], sizeof d[i]);
	}
}

/// Whether some axis has all corners at more than `thickness` on one side, at start and end. Sums
/// are not exact: for thickness > 0 the bound is raised by an ulp.
/// @param widest  receives the magnitude of coordinates, when no axis has
static bool boxes_are_apart(double corners[2][4][3], int n, double thickness, double *widest)
{
	*widest = 0.0;
	for (int k = 0; k < 3; ++k) {
		double low = corners[0][0][k], high = low;
		for (int i = 0; i < n; ++i) {
			double a = corners[0][i][k], b = corners[1][i][k];
			low = a < low ? a : low, high = a > high ? a : high;
			low = b < low ? b : low, high = b > high ? b : high;
		}
		if (low > thickness || high < -thickness)
			return true;
		double most = high > -low ? high : -low;
		*widest = most > *widest ? most : *widest;
	}
	return false;
}

/// The first corner where the two features have a vertex at one place at the start, -1 without any:
/// common along fresh cracks. Differences are exact enough to tell.
static int coinciding_corner(double corners[2][4][3], int n)
{
	for (int i = 0; i < n; ++i)
		if (corners[0][i][0] == 0.0 && corners[0][i][1] == 0.0 && corners[0][i][2] == 0.0)
			return i;
	return -1;
}

static inline double largest_of(const rbl_vec3d p[4], double largest)
{
	double x = 0.0, y = 0.0, z = 0.0;
	for (int i = 0; i < 4; ++i) {
		x = fabs(p[i].x) > x ? fabs(p[i].x) : x;
		y = fabs(p[i].y) > y ? fabs(p[i].y) : y;
		z = fabs(p[i].z) > z ? fabs(p[i].z) : z;
	}
	x = y > x ? y : x, z = largest > z ? largest : z;
	return x > z ? x : z;
}

/// Bring coordinates into the range that error bounds assume, by a power of two. @return the factor
/// @param largest  of coordinates
/// @param widest   of those of corners
static double scale_points(rbl_ccd_kind kind, double largest, double widest, rbl_ccd_points *points,
                           double corners[2][4][3])
{
	if (largest <= LARGEST && (widest >= SMALLEST || widest == 0.0))
		return 1.0;
	int exponent;
	frexp(largest > LARGEST ? largest : widest, &exponent);
	// A factor may be beyond the largest double: 2^1022 is enough of it.
	double factor = ldexp(1.0, exponent < -1022 ? 1022 : -exponent);
	for (int i = 0; i < 24; ++i)
		(&points->p[0][0][0])[i] *= factor;
	rbl_ccd_corners(kind, points, corners);
	return factor;
}

static void lerp_corners(double corners[2][4][3], double t, double result[4][3])
{
	for (int i = 0; i < 4; ++i)
		for (int k = 0; k < 3; ++k)
			result[i][k] = (1.0 - t) * corners[0][i][k] + t * corners[1][i][k];
}

static rbl_vec3d unit_against(const double v[3], double sign, double *length)
{
	double largest = rbl_maxd(fabs(v[0]), rbl_maxd(fabs(v[1]), fabs(v[2])));
	*length = 0.0;
	if (!(largest > 0.0))
		return (rbl_vec3d){ 0.0, 1.0, 0.0 };
	double x = v[0] / largest, y = v[1] / largest, z = v[2] / largest;
	double norm = sqrt((x * x + y * y) + z * z);
	*length = largest * norm;
	return (rbl_vec3d){ sign * x / norm, sign * y / norm, sign * z / norm };
}

/// Weights and normal of a hit. With a thickness the two are apart when they hit, and the normal is
/// the direction between their closest points. Where these coincide, or are too near each other for
/// a direction, it is square to the features, against the motion.
/// @param place  the nearest point at that time, or NULL
static void describe(rbl_ccd_polynomials *form, bool has_thickness, const rbl_ccd_near_place *place,
                     rbl_impact *impact)
{
	int n = form->corner_count;
	double corners[4][3], nearest[3];
	lerp_corners(form->corners, impact->time, corners);
	double square = place ? place->square : rbl_ccd_nearest(n, corners, nearest, impact->weights);
	if (place) {
		memcpy(nearest, place->nearest, sizeof nearest);
		memcpy(impact->weights, place->weights, sizeof place->weights);
	}
	double gap = sqrt(square), size = 0.0, length;
	for (int i = 0; i < n; ++i)
		for (int k = 0; k < 3; ++k)
			size = fabs(corners[i][k]) > size ? fabs(corners[i][k]) : size;

	// Corners are face minus vertex, or first edge minus second: the normal looks against them, or
	// along.
	double sign = n == 3 ? 1.0 : -1.0;
	if (has_thickness && gap > 1e-10 * size) {
		impact->normal = unit_against(nearest, -sign, &length);
		return;
	}

	// How the place of contact on the second feature moves against that on the first.
	double share[4] = { impact->weights[0], impact->weights[1], impact->weights[2], 0.0 };
	if (n == 4) {
		double s = impact->weights[0], t = impact->weights[1];
		share[0] = (1.0 - s) * (1.0 - t), share[1] = s * (1.0 - t);
		share[2] = s * t, share[3] = (1.0 - s) * t;
	}
	double motion[3] = { 0.0, 0.0, 0.0 }, e[3], f[3];
	for (int k = 0; k < 3; ++k) {
		for (int i = 0; i < n; ++i)
			motion[k] += share[i] * (form->corners[1][i][k] - form->corners[0][i][k]);
		e[k] = corners[1][k] - corners[0][k];
		f[k] = corners[n - 1][k] - corners[0][k];
	}
	double e_length, f_length;
	rbl_vec3d p = unit_against(e, 1.0, &e_length), q = unit_against(f, 1.0, &f_length);
	const double normal[3] = { p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z,
		                       p.x * q.y - p.y * q.x };
	double along = (normal[0] * motion[0] + normal[1] * motion[1]) + normal[2] * motion[2];
	impact->normal = unit_against(normal, along * sign < 0.0 ? -1.0 : 1.0, &length);
	if (!(length > 1e-10) || e_length == 0.0 || f_length == 0.0)
		impact->normal = unit_against(motion, sign, &length);
}

/// The way from one point to another at the start, of a size that rbl_ccd_across() can use.
static rbl_vec3d direction(const rbl_ccd_points *points, int from, int to)
{
	const double *a = points->p[0][from], *b = points->p[0][to];
	rbl_vec3d d = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };
	double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
	int exponent;
	if (largest >= 0x1p-150 || largest == 0.0)
		return d;
	frexp(largest, &exponent);
	return (rbl_vec3d){ ldexp(d.x, -exponent), ldexp(d.y, -exponent), ldexp(d.z, -exponent) };
}

static rbl_vec3d across_of(const rbl_ccd_points *points, int a, int b, int c, int d)
{
	rbl_vec3d e = direction(points, a, b), f = direction(points, c, d);
	return rbl_ccd_across(e, f, rbl_dot_d(e, e) * rbl_dot_d(f, f));
}

/// The answer for features that have corner i of the polygon at the origin when the step begins.
static void describe_touch(rbl_ccd_kind kind, const rbl_ccd_points *points, double corners[2][4][3],
                           int i, rbl_impact *impact)
{
	*impact = (rbl_impact){ .is_hit = true, .is_certified = true, .is_contact_at_start = true };
	const double *moved = corners[1][i];
	if (kind == RBL_CCD_VERTEX_FACE) {
		impact->weights[i] = 1.0;
		rbl_vec3d across = across_of(points, 1, 2, 1, 3);
		impact->normal =
			rbl_ccd_touch_normal(across, (rbl_vec3d){ -moved[0], -moved[1], -moved[2] });
	} else {
		impact->weights[0] = i == 1 || i == 2 ? 1.0 : 0.0;
		impact->weights[1] = i >= 2 ? 1.0 : 0.0;
		rbl_vec3d across = across_of(points, 0, 1, 3, 2);
		impact->normal = rbl_ccd_touch_normal(across, (rbl_vec3d){ moved[0], moved[1], moved[2] });
	}
}

bool rbl_ccd_test(rbl_ccd_kind kind, const rbl_vec3d start[4], const rbl_vec3d end[4],
                  double thickness, rbl_impact *impact)
{
	rbl_ccd_points points;
	rbl_ccd_polynomials form;
	int n = kind == RBL_CCD_VERTEX_FACE ? 3 : 4;
	find_corners(kind, start, end, form.corners);
	double margin = thickness > 0.0 ? thickness * (1.0 + 0x1p-50) : 0.0, widest;
	if (boxes_are_apart(form.corners, n, margin, &widest))
		return false;
	gather(start, end, &points);
	int touching = coinciding_corner(form.corners, n); // before anything is scaled
	bool is_near = thickness > 0.0;
	// Corners at one place touch, whatever is the thickness.
	double largest = largest_of(end, largest_of(start, 0.0));
	thickness *= scale_points(kind, largest, widest, &points, form.corners);
	if (is_near && thickness < MIN_THICKNESS)
		thickness = MIN_THICKNESS;
	if (touching >= 0) {
		describe_touch(kind, &points, form.corners, touching, impact);
		return true;
	}
	rbl_ccd_search_result found;
	rbl_ccd_near_place place = { .is_known = false };
	if (is_near) {
		rbl_ccd_make_near(&form, kind);
		found = rbl_ccd_search_near(&form, thickness, &place);
	} else {
		rbl_ccd_make_cubic(&form, kind, &points);
		const double *c = form.cubic;
		double error = form.cubic_error;
		if ((c[0] > error && c[1] > error && c[2] > error && c[3] > error) ||
		    (c[0] < -error && c[1] < -error && c[2] < -error && c[3] < -error))
			return false;
		rbl_ccd_make_edges(&form);
		found = rbl_ccd_search(kind, &points, &form);
	}
	if (!found.is_hit)
		return false;
	*impact =
		(rbl_impact){ .is_hit = true, .is_certified = found.is_certified, .time = found.time };
	describe(&form, is_near, place.is_known ? &place : NULL, impact);
	if (found.time == 0.0 && is_near) {
		double nearest[3], weights[3];
		double square =
			place.is_known ? place.square : rbl_ccd_nearest(n, form.corners[0], nearest, weights);
		impact->is_contact_at_start = square <= thickness * thickness;
	} else if (found.time == 0.0) {
		impact->is_contact_at_start = found.touches_at_start || rbl_ccd_touches(kind, &points, 0);
	}
	return true;
}

// --- doors --------------------------------------------------------------------------------------

static bool are_finite(const rbl_vec3d *points, int count)
{
	double sum = 0.0; // of zeros, unless a coordinate is infinite or no number
	for (int i = 0; i < count; ++i)
		sum += (0.0 * points[i].x + 0.0 * points[i].y) + 0.0 * points[i].z;
	return sum == 0.0;
}

// --- batches ------------------------------------------------------------------------------------

int rbl_ccd_filter(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                   int count, float thickness, int *kept)
{
	return RBL_PICK(rbl_ccd_filter)(kind, motion, quads, count, thickness, kept);
}

int rbl_ccd_take_contacts(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                          const rbl_ccd_quad *quads, float thickness, int *chosen, int *count,
                          rbl_ccd_contact *contacts)
{
	int found = 0, left = 0;
	for (int i = 0; i < *count; i += 4) {
		const rbl_ccd_quad *four[4];
		rbl_ccd_contact_lanes lanes;
		for (int k = 0; k < 4; ++k)
			four[k] = &quads[chosen[i + k < *count ? i + k : *count - 1]];
		RBL_PICK(rbl_ccd_contacts_four)(kind, motion, four, (double)thickness, &lanes);
		for (int k = 0; k < 4 && i + k < *count; ++k) {
			int index = chosen[i + k];
			if (!(lanes.is_contact >> k & 1u)) {
				chosen[left++] = index;
				continue;
			}
			contacts[found++] = (rbl_ccd_contact){
				index,
				lanes.is_parting >> k & 1u,
				{ .weights = { lanes.weights[0][k], lanes.weights[1][k], lanes.weights[2][k] },
				  .normal = { lanes.normal[0][k], lanes.normal[1][k], lanes.normal[2][k] },
				  .is_hit = true,
				  .is_contact_at_start = true,
				  .is_certified = true }
			};
		}
	}
	*count = left;
	return found;
}

bool rbl_ccd_test_quad(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quad,
                       float thickness, rbl_impact *impact)
{
	rbl_vec3d start[4], end[4];
	for (int i = 0; i < 4; ++i) {
		start[i] = rbl_to_d(motion->start[quad->vertices[i]]);
		end[i] = rbl_to_d(motion->end[quad->vertices[i]]);
	}
	return rbl_ccd_test(kind, start, end, (double)thickness, impact);
}

// --- the public functions -----------------------------------------------------------------------

static rbl_result test_pair(rbl_ccd_kind kind, const rbl_vec3d start[4], const rbl_vec3d end[4],
                            double thickness, rbl_impact *impact)
{
	if (!start || !end || !impact)
		return rbl_fail(RBL_BAD_ARGUMENT, "start, end or impact is NULL");
	if (!(thickness >= 0.0) || !isfinite(thickness))
		return rbl_fail(RBL_BAD_ARGUMENT, "thickness is %g, must be 0 or more", thickness);
	if (!are_finite(start, 4) || !are_finite(end, 4))
		return rbl_fail(RBL_BAD_ARGUMENT, "a coordinate is not finite");
	if (!rbl_ccd_test(kind, start, end, thickness, impact))
		memset(impact, 0, sizeof *impact);
	return RBL_OK;
}

rbl_result rbl_test_vertex_face(const rbl_vec3d start[4], const rbl_vec3d end[4], double thickness,
                                rbl_impact *impact)
{
	return test_pair(RBL_CCD_VERTEX_FACE, start, end, thickness, impact);
}

rbl_result rbl_test_edge_edge(const rbl_vec3d start[4], const rbl_vec3d end[4], double thickness,
                              rbl_impact *impact)
{
	return test_pair(RBL_CCD_EDGE_EDGE, start, end, thickness, impact);
}

rbl_result rbl_test_triangles(const rbl_vec3d a[3], const rbl_vec3d b[3], int shared_count,
                              bool *is_hit)
{
	if (!a || !b || !is_hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "a, b or is_hit is NULL");
	if (shared_count < 0 || shared_count > 2)
		return rbl_fail(RBL_BAD_ARGUMENT, "shared_count is %d, must be 0 to 2", shared_count);
	if (!are_finite(a, 3) || !are_finite(b, 3))
		return rbl_fail(RBL_BAD_ARGUMENT, "a coordinate is not finite");
	for (int i = 0; i < shared_count; ++i)
		if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z)
			return rbl_fail(RBL_BAD_ARGUMENT, "shared vertex %d is at two places", i);
	*is_hit = rbl_triangles_meet_apart(a, b, shared_count);
	return RBL_OK;
}
