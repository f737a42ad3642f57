// SPDX-License-Identifier: MIT
// Exact signs of geometric determinants.
//
// Each function returns -1, 0 or 1: the sign that real arithmetic would give for these very
// doubles. A floating-point filter answers nearly all calls; the rest goes through double-double
// arithmetic to exact expansions (expansion.h).
//
// Exact for every set of finite floats, and for doubles whose coordinates are zero or of a
// magnitude within
//
//     rbl_orient2d, rbl_plane_side                          2^-480 to 2^480
//     rbl_orient3d                                          2^-300 to 2^300
//     rbl_incircle                                          2^-210 to 2^230
//
// Outside, intermediate products may overflow or underflow: the answer may be wrong, nothing
// worse. The least exponents come from the rule that the product of all factors' lowest bits
// (2^-52 below the magnitude) is still a denormal; the largest from Dekker's split.
#pragma once

#include <rubble/types.h>

#include <math.h>
#include <stdbool.h>

int rbl_orient2d_exact(double ax, double ay, double bx, double by, double cx, double cy);
int rbl_orient3d_exact(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, rbl_vec3d d);

/// Relative error of the filters below, as multiples of half an ulp: one for each rounding on the
/// way from a coordinate to the sum, and one more for the rounding of the bound itself.
#define RBL_ORIENT2D_ERROR (5.0 * 0x1p-53)
#define RBL_ORIENT3D_ERROR (9.0 * 0x1p-53)

/// Where c lies: 1 to the left of the line from a to b, -1 to the right, 0 on it. The three points
/// turn counter-clockwise when it is 1.
static inline int rbl_orient2d(double ax, double ay, double bx, double by, double cx, double cy)
{
	double left = (ax - cx) * (by - cy), right = (ay - cy) * (bx - cx);
	double determinant = left - right;
	double bound = RBL_ORIENT2D_ERROR * (fabs(left) + fabs(right));
	if (determinant > bound)
		return 1;
	if (determinant < -bound)
		return -1;
	return rbl_orient2d_exact(ax, ay, bx, by, cx, cy);
}

/// Where d lies: 1 in front of the plane through a, b, c, on the side its normal (b - a) x (c - a)
/// points to, -1 behind, 0 on it. A tetrahedron a, b, c, d of positive volume gives 1.
static inline int rbl_orient3d(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, rbl_vec3d d)
{
	double bx = b.x - a.x, by = b.y - a.y, bz = b.z - a.z;
	double cx = c.x - a.x, cy = c.y - a.y, cz = c.z - a.z;
	double dx = d.x - a.x, dy = d.y - a.y, dz = d.z - a.z;
	double bycz = by * cz, bzcy = bz * cy, bzcx = bz * cx, bxcz = bx * cz, bxcy = bx * cy,
		   bycx = by * cx;
	double determinant = dx * (bycz - bzcy) + dy * (bzcx - bxcz) + dz * (bxcy - bycx);
	double bound = RBL_ORIENT3D_ERROR *
	               (fabs(dx) * (fabs(bycz) + fabs(bzcy)) + fabs(dy) * (fabs(bzcx) + fabs(bxcz)) +
	                fabs(dz) * (fabs(bxcy) + fabs(bycx)));
	if (determinant > bound)
		return 1;
	if (determinant < -bound)
		return -1;
	return rbl_orient3d_exact(a, b, c, d);
}

/// rbl_orient3d() for floats.
static inline int rbl_orient3d_float(rbl_vec3 a, rbl_vec3 b, rbl_vec3 c, rbl_vec3 d)
{
	return rbl_orient3d((rbl_vec3d){ a.x, a.y, a.z }, (rbl_vec3d){ b.x, b.y, b.z },
	                    (rbl_vec3d){ c.x, c.y, c.z }, (rbl_vec3d){ d.x, d.y, d.z });
}

/// rbl_orient3d() of four points that are moved by next to nothing, so that it is never 0: 1 or -1.
/// However many are asked about in whatever order, the answers are those of one set of points in
/// general position (simulation of simplicity, Edelsbrunner and Mücke 1990): coordinate k of the
/// point with the number i is increased by e to the power of 8^i 2^k, for some small e.
/// @param numbers  of the points, all different, at least 0
int rbl_orient3d_perturbed(const rbl_vec3d points[4], const int numbers[4]);

/// Where d lies: 1 inside the circle through a, b, c, which turn counter-clockwise, -1 outside, 0
/// on it. For clockwise points the sign is turned round; for points on a line it has no meaning.
int rbl_incircle(double ax, double ay, double bx, double by, double cx, double cy, double dx,
                 double dy);

/// Sign of dot(normal, p) - offset: 1 in front of the plane, -1 behind, 0 on it.
int rbl_plane_side(rbl_planed plane, rbl_vec3d p);

/// Whether a, b, c lie on one line, two or three at the same place included.
bool rbl_are_collinear(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c);

/// (b - a) x (c - a), each component exact but for one final rounding: a direction to rely on also
/// for needles, where the plain formula may give anything. Slow.
rbl_vec3d rbl_precise_normal(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c);
