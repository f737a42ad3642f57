// SPDX-License-Identifier: MIT
//
// Bounds of fixed directions (k-dops): axes, corners and edges of a cube.
//
// Directions are sums and differences of axes, so one pass over the points adds and compares. The
// sums are rounded, and the components of a unit normal, all of one size, are too. The offset is
// raised by a bound on that error, so that every point is behind its plane in real arithmetic.

#include "base/log.h"
#include "base/vec.h"

#include <rubble/hull.h>

enum { DIRECTIONS = 13 };

/// Three axes, four diagonals of the cube, six of its faces.
static const signed char directions[DIRECTIONS][3] = {
	{ 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 1 },  { -1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 },
	{ 1, 1, 0 }, { 1, -1, 0 }, { 0, 1, 1 }, { 0, 1, -1 }, { 1, 0, 1 },  { -1, 0, 1 }
};

// How far points reach along all directions, of whole numbers: sums of coordinates.
typedef struct extents {
	double low[DIRECTIONS], high[DIRECTIONS];
} extents;

static inline void widen_extent(extents *r, int i, double side)
{
	r->low[i] = side < r->low[i] ? side : r->low[i];
	r->high[i] = side > r->high[i] ? side : r->high[i];
}

static extents measure_extents(const rbl_vec3d *points, int count)
{
	extents r;
	for (int i = 0; i < DIRECTIONS; ++i)
		r.low[i] = DBL_MAX, r.high[i] = -DBL_MAX;
	for (int i = 0; i < count; ++i) {
		double x = points[i].x, y = points[i].y, z = points[i].z;
		double xy = x + y, yx = y - x;
		widen_extent(&r, 0, x), widen_extent(&r, 1, y), widen_extent(&r, 2, z);
		widen_extent(&r, 3, xy + z), widen_extent(&r, 4, yx + z), widen_extent(&r, 5, z - yx),
			widen_extent(&r, 6, xy - z);
		widen_extent(&r, 7, xy), widen_extent(&r, 8, -yx), widen_extent(&r, 9, y + z),
			widen_extent(&r, 10, y - z);
		widen_extent(&r, 11, x + z), widen_extent(&r, 12, z - x);
	}
	return r;
}

static void fit_pair(const extents *r, int i, double size, rbl_planed planes[2])
{
	rbl_vec3d normal = { directions[i][0], directions[i][1], directions[i][2] };
	double length = rbl_length_d(normal);
	normal = rbl_normalize_d(normal);
	double part = rbl_maxd(fabs(normal.x), rbl_maxd(fabs(normal.y), fabs(normal.z)));
	// An axis has one product, by 1, and no rounding. Other components are all of one size.
	double error = length == 1.0 ? 0.0 : 6.0 * 0x1p-53 * part * size;
	planes[0] = (rbl_planed){ normal, part * r->high[i] + error };
	planes[1] = (rbl_planed){ rbl_neg_d(normal), error - part * r->low[i] };
}

rbl_result rbl_fit_kdop(const rbl_vec3d *points, int point_count, int plane_count,
                        rbl_planed *planes)
{
	if (!points || !planes || point_count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "no points, or nowhere to put the planes");
	if (plane_count != 6 && plane_count != 14 && plane_count != 18 && plane_count != 26)
		return rbl_fail(RBL_BAD_ARGUMENT, "plane_count is %d, must be 6, 14, 18 or 26",
		                plane_count);
	double sum = 0.0; // stays zero; becomes NaN at the first value that is not finite
	for (int i = 0; i < point_count; ++i)
		sum += 0.0 * points[i].x + 0.0 * points[i].y + 0.0 * points[i].z;
	for (int i = 0; i < point_count && sum != 0.0; ++i)
		if (!rbl_is_finite_d(points[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d is not finite", i);
	extents r = measure_extents(points, point_count);
	double size = 0.0;
	for (int i = 0; i < 3; ++i)
		size += rbl_maxd(fabs(r.low[i]), fabs(r.high[i]));
	for (int i = 0, pair = 0; i < DIRECTIONS; ++i) {
		bool is_corner = i >= 3 && i < 7, is_edge = i >= 7;
		if ((is_corner && plane_count != 14 && plane_count != 26) ||
		    (is_edge && plane_count != 18 && plane_count != 26))
			continue;
		fit_pair(&r, i, size, planes + 2 * pair++);
	}
	return RBL_OK;
}
