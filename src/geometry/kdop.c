// SPDX-License-Identifier: MIT
//
// Bounds of fixed directions (k-dops): axes, corners and edges of a cube.
//
// The normals are unit vectors and therefore rounded, and so are the dot products. The offset is
// raised by a bound on that error, so that every point is behind its plane in real arithmetic.

#include "base/log.h"
#include "base/vec.h"

#include <rubble/hull.h>

/// Three axes, four diagonals of the cube, six of its faces.
static const signed char directions[13][3] = {
	{ 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 1 },  { -1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 },
	{ 1, 1, 0 }, { 1, -1, 0 }, { 0, 1, 1 }, { 0, 1, -1 }, { 1, 0, 1 },  { -1, 0, 1 }
};

/// The planes at both ends of one direction.
static void fit_pair(const rbl_vec3d *points, int count, const signed char *direction,
                     rbl_planed planes[2])
{
	rbl_vec3d normal = { direction[0], direction[1], direction[2] };
	normal = rbl_normalize_d(normal);
	double low = DBL_MAX, high = -DBL_MAX, size = 0.0;
	for (int i = 0; i < count; ++i) {
		double x = normal.x * points[i].x, y = normal.y * points[i].y, z = normal.z * points[i].z;
		double side = x + y + z;
		low = rbl_mind(low, side), high = rbl_maxd(high, side);
		size = rbl_maxd(size, fabs(x) + fabs(y) + fabs(z));
	}
	// An axis has one product, by 1, and no rounding.
	bool is_axis =
		direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2] ==
		1;
	double error = is_axis ? 0.0 : 6.0 * 0x1p-53 * size;
	planes[0] = (rbl_planed){ normal, high + error };
	planes[1] = (rbl_planed){ rbl_neg_d(normal), error - low };
}

rbl_result rbl_fit_kdop(const rbl_vec3d *points, int point_count, int plane_count,
                        rbl_planed *planes)
{
	if (!points || !planes || point_count < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "no points, or nowhere to put the planes");
	if (plane_count != 6 && plane_count != 14 && plane_count != 18 && plane_count != 26)
		return rbl_fail(RBL_BAD_ARGUMENT, "plane_count is %d, must be 6, 14, 18 or 26",
		                plane_count);
	for (int i = 0; i < point_count; ++i)
		if (!rbl_is_finite_d(points[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d is not finite", i);
	for (int i = 0, pair = 0; i < 13; ++i) {
		bool is_corner = i >= 3 && i < 7, is_edge = i >= 7;
		if ((is_corner && plane_count != 14 && plane_count != 26) ||
		    (is_edge && plane_count != 18 && plane_count != 26))
			continue;
		fit_pair(points, point_count, directions[i], planes + 2 * pair++);
	}
	return RBL_OK;
}
