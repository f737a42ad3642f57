// SPDX-License-Identifier: MIT
//
// Exact triangle-triangle tests.
//
// Apart triangles. The signs of each triangle's vertices against the plane of the other reject
// most pairs. Otherwise both triangles cut the line common to both planes in an interval, and two
// orientations of vertices tell whether the intervals overlap (after Guigue and Devillers 2003,
// "Fast and robust triangle-triangle overlap test using orientation predicates"; the signs below
// are derived anew). A triangle without a plane gives zeros only, so the general path never sees
// one; planes that coincide and triangles without area go to 2D tests in a coordinate plane that
// keeps them apart.
//
// A shared vertex v. Seen from v, each triangle is a cone spanned by its two other vertices, and
// the triangles meet apart from v exactly when the cones have a direction in common. With
// o1, o2 = [a1 a2 b1], [a1 a2 b2] and o3, o4 = [b1 b2 a1], [b1 b2 a2], the line common to both
// planes has the direction o2 b1 - o1 b2 = o3 a2 - o4 a1; each cone holds at most one half of
// the line, and the signs say which.
//
// A shared edge. The triangles meet apart from it when they are coplanar and on the same side.

#include "geometry/triangle_intersection.h"

#include "geometry/predicates.h"

#include "base/assert.h"
#include "base/vec.h"

// --- in a coordinate plane ----------------------------------------------------------------------

typedef struct point2 {
	double x, y;
} point2;

/// Drop coordinate `axis`; orientation is kept.
static point2 drop_axis(rbl_vec3d p, int axis)
{
	return axis == 0   ? (point2){ p.y, p.z }
	       : axis == 1 ? (point2){ p.z, p.x }
	                   : (point2){ p.x, p.y };
}

static int orient(point2 a, point2 b, point2 c)
{
	return rbl_orient2d(a.x, a.y, b.x, b.y, c.x, c.y);
}

/// @return the orientation of a triangle in the first coordinate plane where it has one, and that
/// plane's axis; 0 for points on a line.
static int find_axis(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, int *axis)
{
	for (*axis = 0; *axis < 3; ++*axis) {
		int sign = orient(drop_axis(a, *axis), drop_axis(b, *axis), drop_axis(c, *axis));
		if (sign)
			return sign;
	}
	*axis = 2;
	return 0;
}

static bool boxes_overlap(point2 a, point2 b, point2 c, point2 d)
{
	return rbl_mind(a.x, b.x) <= rbl_maxd(c.x, d.x) && rbl_mind(c.x, d.x) <= rbl_maxd(a.x, b.x) &&
	       rbl_mind(a.y, b.y) <= rbl_maxd(c.y, d.y) && rbl_mind(c.y, d.y) <= rbl_maxd(a.y, b.y);
}

/// Whether segments ab and cd meet; each may be a point.
static bool segments_meet(point2 a, point2 b, point2 c, point2 d)
{
	int c_side = orient(a, b, c), d_side = orient(a, b, d);
	if (c_side * d_side > 0)
		return false;
	int a_side = orient(c, d, a), b_side = orient(c, d, b);
	if (a_side * b_side > 0)
		return false;
	bool on_a_line = !c_side && !d_side && !a_side && !b_side;
	return !on_a_line || boxes_overlap(a, b, c, d);
}

/// Whether all corners of b lie strictly outside one edge of a, whose orientation is `sign`.
static bool edge_separates(const point2 a[3], int sign, const point2 b[3])
{
	for (int i = 0; i < 3; ++i) {
		point2 from = a[i], to = a[(i + 1) % 3];
		if (orient(from, to, b[0]) == -sign && orient(from, to, b[1]) == -sign &&
		    orient(from, to, b[2]) == -sign)
			return true;
	}
	return false;
}

/// Whether p lies in a triangle of the given orientation, not zero.
static bool triangle_holds(const point2 a[3], int sign, point2 p)
{
	return orient(a[0], a[1], p) != -sign && orient(a[1], a[2], p) != -sign &&
	       orient(a[2], a[0], p) != -sign;
}

/// Triangles in a plane, one of them perhaps without area. When both have area, two convex
/// polygons are apart exactly when an edge of one has the other on its outside.
static bool coplanar_meet(const point2 a[3], int a_sign, const point2 b[3], int b_sign)
{
	if (a_sign && b_sign)
		return !edge_separates(a, a_sign, b) && !edge_separates(b, b_sign, a);
	if ((a_sign && triangle_holds(a, a_sign, b[0])) || (b_sign && triangle_holds(b, b_sign, a[0])))
		return true;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
			if (segments_meet(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]))
				return true;
	return false;
}

/// Triangles in a plane, and triangles without area in any position.
static bool flat_meet(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	int axis, a_sign = find_axis(a[0], a[1], a[2], &axis);
	int b_sign = 0;
	if (!a_sign)
		b_sign = find_axis(b[0], b[1], b[2], &axis);
	if (!a_sign && !b_sign) {
		// Two segments. Where the four ends span a volume they are apart; otherwise find a
		// coordinate plane that does not flatten their common plane.
		for (int i = 0; i < 3; ++i)
			for (int k = 0; k < 3; ++k)
				if (rbl_orient3d(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]))
					return false;
		int sign = 0;
		for (int i = 0; i < 9 && !sign; ++i)
			sign = find_axis(a[i % 3], a[(i + 1) % 3], b[i / 3], &axis);
		for (int i = 0; i < 9 && !sign; ++i)
			sign = find_axis(b[i % 3], b[(i + 1) % 3], a[i / 3], &axis);
		// All on one line: take the axis along which they differ most, and drop another.
		if (!sign) {
			rbl_vec3d low = a[0], high = a[0];
			for (int i = 0; i < 3; ++i) {
				low = rbl_min_d(low, rbl_min_d(a[i], b[i]));
				high = rbl_max_d(high, rbl_max_d(a[i], b[i]));
			}
			axis = (rbl_largest_axis_d(rbl_sub_d(high, low)) + 1) % 3;
		}
	}
	point2 p[3], q[3];
	for (int i = 0; i < 3; ++i)
		p[i] = drop_axis(a[i], axis), q[i] = drop_axis(b[i], axis);
	if (a_sign)
		b_sign = orient(q[0], q[1], q[2]);
	return coplanar_meet(p, a_sign, q, b_sign);
}

/// Whether a segment that is not in the plane of t meets t. (In the plane there may be a side of
/// length zero, which is an end of another one.)
static bool segment_meets_triangle(rbl_vec3d p, rbl_vec3d q, const rbl_vec3d t[3])
{
	int p_side = rbl_orient3d(t[0], t[1], t[2], p), q_side = rbl_orient3d(t[0], t[1], t[2], q);
	if (p_side * q_side > 0 || (!p_side && !q_side))
		return false;
	int s0 = rbl_orient3d(p, q, t[0], t[1]), s1 = rbl_orient3d(p, q, t[1], t[2]);
	int s2 = rbl_orient3d(p, q, t[2], t[0]);
	return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

// --- apart --------------------------------------------------------------------------------------

/// Corners of a triangle against the plane of another, with rounding: one error bound for three.
typedef struct rounded_sides {
	double value[3], bound;
} rounded_sides;

static inline rounded_sides round_sides(const rbl_vec3d p[3], const rbl_vec3d t[3])
{
	double bx = p[1].x - p[0].x, by = p[1].y - p[0].y, bz = p[1].z - p[0].z;
	double cx = p[2].x - p[0].x, cy = p[2].y - p[0].y, cz = p[2].z - p[0].z;
	double x0 = by * cz, x1 = bz * cy, y0 = bz * cx, y1 = bx * cz, z0 = bx * cy, z1 = by * cx;
	double nx = x0 - x1, ny = y0 - y1, nz = z0 - z1;
	double x = fabs(x0) + fabs(x1), y = fabs(y0) + fabs(y1), z = fabs(z0) + fabs(z1);
	rounded_sides result;
	double mx = 0.0, my = 0.0, mz = 0.0;
	for (int i = 0; i < 3; ++i) {
		double dx = t[i].x - p[0].x, dy = t[i].y - p[0].y, dz = t[i].z - p[0].z;
		result.value[i] = dx * nx + dy * ny + dz * nz;
		mx = rbl_maxd(mx, fabs(dx)), my = rbl_maxd(my, fabs(dy)), mz = rbl_maxd(mz, fabs(dz));
	}
	result.bound = RBL_ORIENT3D_ERROR * (mx * x + my * y + mz * z);
	return result;
}

static inline bool is_one_sided(const rounded_sides *s)
{
	double low = rbl_mind(s->value[0], rbl_mind(s->value[1], s->value[2]));
	double high = rbl_maxd(s->value[0], rbl_maxd(s->value[1], s->value[2]));
	return (low > s->bound) | (high < -s->bound);
}

/// Exact signs from rounded values. @return whether t lies strictly on one side
static bool exact_sides(const rounded_sides *s, const rbl_vec3d p[3], const rbl_vec3d t[3],
                        int sides[3])
{
	for (int i = 0; i < 3; ++i)
		sides[i] = s->value[i] > s->bound    ? 1
		           : s->value[i] < -s->bound ? -1
		                                     : rbl_orient3d_exact(p[0], p[1], p[2], t[i]);
	return sides[0] && sides[0] == sides[1] && sides[0] == sides[2];
}

/// The corner that is alone on its side: the other two lie on the other side, or one side holds
/// this corner and the plane the others, or the plane holds this one and a side the others.
/// @return its index; *side is 1 when it is above the others
static int lone_corner(const int sides[3], int *side)
{
	for (int i = 0; i < 3; ++i) {
		int own = sides[i], p = sides[(i + 1) % 3], q = sides[(i + 2) % 3];
		if (own > p && own > q && p <= 0 && q <= 0 && own >= 0) {
			*side = 1;
			return i;
		}
		if (own < p && own < q && p >= 0 && q >= 0 && own <= 0) {
			*side = -1;
			return i;
		}
	}
	RBL_ASSERT(false);
	*side = 1;
	return 0;
}

static bool meet_anywhere(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	rounded_sides a_rounded = round_sides(b, a);
	if (is_one_sided(&a_rounded))
		return false;
	rounded_sides b_rounded = round_sides(a, b);
	if (is_one_sided(&b_rounded))
		return false;
	int a_sides[3], b_sides[3];
	if (exact_sides(&a_rounded, b, a, a_sides))
		return false;
	bool a_is_flat = !a_sides[0] && !a_sides[1] && !a_sides[2];
	if (a_is_flat && !rbl_are_collinear(b[0], b[1], b[2])) // b spans a plane, a lies in it
		return flat_meet(a, b);
	if (exact_sides(&b_rounded, a, b, b_sides))
		return false;
	bool b_is_flat = !b_sides[0] && !b_sides[1] && !b_sides[2];
	if (a_is_flat && b_is_flat)
		return flat_meet(a, b);
	// One has no area, the other has, and they are not in one plane.
	if (a_is_flat || b_is_flat) {
		const rbl_vec3d *thin = a_is_flat ? b : a, *wide = a_is_flat ? a : b;
		return segment_meets_triangle(thin[0], thin[1], wide) ||
		       segment_meets_triangle(thin[1], thin[2], wide) ||
		       segment_meets_triangle(thin[2], thin[0], wide);
	}

	int a_side, b_side;
	int i = lone_corner(a_sides, &a_side), k = lone_corner(b_sides, &b_side);
	rbl_vec3d a0 = a[i], a1 = a[(i + 1) % 3], a2 = a[(i + 2) % 3];
	rbl_vec3d b0 = b[k], b1 = b[(k + 1) % 3], b2 = b[(k + 2) % 3];
	// Turn each so that the other's lone corner is above it.
	if (a_side < 0) {
		rbl_vec3d swap = b1;
		b1 = b2, b2 = swap;
	}
	if (b_side < 0) {
		rbl_vec3d swap = a1;
		a1 = a2, a2 = swap;
	}
	// Along normal(b) x normal(a), a covers the line from its edge a0 a1 to a0 a2, b from b0 b2 to
	// b0 b1.
	return rbl_orient3d(a0, a1, b0, b1) <= 0 && rbl_orient3d(a0, a2, b0, b2) >= 0;
}

// --- a shared vertex ----------------------------------------------------------------------------

static bool is_same_point(rbl_vec3d a, rbl_vec3d b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Whether p and q lie in the same direction from v.
static bool is_same_direction(rbl_vec3d v, rbl_vec3d p, rbl_vec3d q)
{
	if (is_same_point(v, p) || is_same_point(v, q) || !rbl_are_collinear(v, p, q))
		return false;
	return (p.x > v.x) == (q.x > v.x) && (p.x < v.x) == (q.x < v.x) && (p.y > v.y) == (q.y > v.y) &&
	       (p.y < v.y) == (q.y < v.y) && (p.z > v.z) == (q.z > v.z) && (p.z < v.z) == (q.z < v.z);
}

/// Whether the direction from v to p is one of the cone of t, a triangle with area in the plane of
/// p; t[0] is v.
static bool cone_holds(const rbl_vec3d t[3], int axis, int sign, rbl_vec3d p)
{
	point2 v = drop_axis(t[0], axis), q = drop_axis(p, axis);
	return orient(v, drop_axis(t[1], axis), q) != -sign &&
	       orient(v, q, drop_axis(t[2], axis)) != -sign;
}

/// Cones in one plane, and cones without an angle. A cone without an angle is made of the rays
/// to its two corners; rays of length zero are no rays.
static bool flat_cones_meet(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	int a_axis, a_sign = find_axis(a[0], a[1], a[2], &a_axis);
	int b_axis, b_sign = find_axis(b[0], b[1], b[2], &b_axis);
	for (int i = 1; i < 3; ++i) {
		if (b_sign && !is_same_point(a[0], a[i]) && !rbl_orient3d(b[0], b[1], b[2], a[i]) &&
		    cone_holds(b, b_axis, b_sign, a[i]))
			return true;
		if (a_sign && !is_same_point(b[0], b[i]) && !rbl_orient3d(a[0], a[1], a[2], b[i]) &&
		    cone_holds(a, a_axis, a_sign, b[i]))
			return true;
		if (!a_sign && !b_sign &&
		    (is_same_direction(a[0], a[i], b[1]) || is_same_direction(a[0], a[i], b[2])))
			return true;
	}
	return false;
}

static bool meet_apart_from_vertex(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	int b1 = rbl_orient3d(a[0], a[1], a[2], b[1]), b2 = rbl_orient3d(a[0], a[1], a[2], b[2]);
	if (b1 * b2 > 0)
		return false;
	int a1 = rbl_orient3d(b[0], b[1], b[2], a[1]), a2 = rbl_orient3d(b[0], b[1], b[2], a[2]);
	if (a1 * a2 > 0)
		return false;
	if ((!b1 && !b2) || (!a1 && !a2))
		return flat_cones_meet(a, b);
	return (b2 > b1) == (a1 > a2);
}

// --- a shared edge ------------------------------------------------------------------------------

/// Triangles on an edge, all in a plane.
static bool flat_meet_apart_from_edge(rbl_vec3d v, rbl_vec3d w, rbl_vec3d a, rbl_vec3d b)
{
	if (is_same_point(v, w))
		return is_same_direction(v, a, b);
	int axis, a_sign = find_axis(v, w, a, &axis);
	if (a_sign)
		return orient(drop_axis(v, axis), drop_axis(w, axis), drop_axis(b, axis)) == a_sign;
	// a lies on the line of the edge: what is beyond an end is shared only with a b beyond it.
	bool beyond_w = is_same_direction(w, a, b) && !is_same_direction(w, a, v);
	bool beyond_v = is_same_direction(v, a, b) && !is_same_direction(v, a, w);
	return beyond_w || beyond_v;
}

// --- doors --------------------------------------------------------------------------------------

bool rbl_triangles_meet(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	return meet_anywhere(a, b);
}

bool rbl_triangles_meet_apart(const rbl_vec3d a[3], const rbl_vec3d b[3], int shared_count)
{
	RBL_ASSERT(shared_count >= 0 && shared_count <= 2);
	RBL_ASSERT(shared_count < 1 || is_same_point(a[0], b[0]));
	RBL_ASSERT(shared_count < 2 || is_same_point(a[1], b[1]));
	if (shared_count == 0)
		return meet_anywhere(a, b);
	if (shared_count == 1)
		return meet_apart_from_vertex(a, b);
	return !rbl_orient3d(a[0], a[1], a[2], b[2]) &&
	       flat_meet_apart_from_edge(a[0], a[1], a[2], b[2]);
}

static void triangle_to_doubles(const rbl_vec3 t[3], rbl_vec3d wide[3])
{
	for (int i = 0; i < 3; ++i)
		wide[i] = rbl_to_d(t[i]);
}

bool rbl_triangles_meet_float(const rbl_vec3 a[3], const rbl_vec3 b[3])
{
	rbl_vec3d p[3], q[3];
	triangle_to_doubles(a, p), triangle_to_doubles(b, q);
	return meet_anywhere(p, q);
}

bool rbl_triangles_meet_apart_float(const rbl_vec3 a[3], const rbl_vec3 b[3], int shared_count)
{
	rbl_vec3d p[3], q[3];
	triangle_to_doubles(a, p), triangle_to_doubles(b, q);
	return rbl_triangles_meet_apart(p, q, shared_count);
}

/// Bring shared vertices to the front of both. @return their number
static int order_shared(const int a[3], const int b[3], int p[3], int q[3])
{
	for (int i = 0; i < 3; ++i)
		p[i] = a[i], q[i] = b[i];
	int count = 0;
	for (int i = 0; i < 3; ++i) {
		for (int k = count; k < 3; ++k) {
			if (p[i] != q[k])
				continue;
			int swap = q[k];
			q[k] = q[count], q[count] = swap;
			swap = p[i];
			p[i] = p[count], p[count] = swap;
			count++;
			break;
		}
	}
	return count;
}

bool rbl_indexed_triangles_meet(const rbl_vec3d *positions, const int a[3], const int b[3])
{
	int p[3], q[3], shared_count = order_shared(a, b, p, q);
	if (shared_count == 3)
		return true;
	const rbl_vec3d t[3] = { positions[p[0]], positions[p[1]], positions[p[2]] };
	const rbl_vec3d u[3] = { positions[q[0]], positions[q[1]], positions[q[2]] };
	return rbl_triangles_meet_apart(t, u, shared_count);
}

bool rbl_indexed_triangles_meet_float(const rbl_vec3 *positions, const int a[3], const int b[3])
{
	int p[3], q[3], shared_count = order_shared(a, b, p, q);
	if (shared_count == 3)
		return true;
	const rbl_vec3 t[3] = { positions[p[0]], positions[p[1]], positions[p[2]] };
	const rbl_vec3 u[3] = { positions[q[0]], positions[q[1]], positions[q[2]] };
	return rbl_triangles_meet_apart_float(t, u, shared_count);
}
