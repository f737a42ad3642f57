// SPDX-License-Identifier: MIT
//
// Intersections as geometry: the segment that two colliding triangles have in common.
//
// That two triangles collide is decided exactly; where is worked out in doubles. One triangle is
// cut by the plane of the other, what is left by the sides of the other. Where rounding leaves
// nothing, or the two lie in one plane, the closest points of their features are taken: they
// collide, so these coincide but for rounding.

#include "surface/query.h"

#include "base/log.h"

// The part of a triangle in the plane of a normal through a point. @return false: all, or none
static bool cut_by_plane(const rbl_vec3d a[3], rbl_vec3d normal, rbl_vec3d origin,
                         rbl_vec3d ends[2])
{
	double d[3];
	int count = 0;
	for (int i = 0; i < 3; ++i)
		d[i] = rbl_dot_d(normal, rbl_sub_d(a[i], origin));
	if (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0)
		return false;
	for (int i = 0; i < 3 && count < 2; ++i) {
		int j = (i + 1) % 3;
		if (d[i] == 0.0)
			ends[count++] = a[i];
		else if ((d[i] < 0.0 && d[j] > 0.0) || (d[i] > 0.0 && d[j] < 0.0))
			ends[count++] = rbl_add_scaled_d(a[i], d[i] / (d[i] - d[j]), rbl_sub_d(a[j], a[i]));
	}
	if (count == 1)
		ends[1] = ends[0];
	return count > 0;
}

// What of a segment in the plane of a triangle is within it. @return false: nothing
static bool cut_by_sides(const rbl_vec3d b[3], rbl_vec3d normal, rbl_vec3d ends[2])
{
	double first = 0.0, last = 1.0;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d inwards = rbl_cross_d(normal, rbl_sub_d(b[(k + 1) % 3], b[k]));
		double s = rbl_dot_d(inwards, rbl_sub_d(ends[0], b[k]));
		double e = rbl_dot_d(inwards, rbl_sub_d(ends[1], b[k]));
		if (s < 0.0 && e < 0.0)
			return false;
		if (s < 0.0)
			first = rbl_maxd(first, s / (s - e));
		if (e < 0.0)
			last = rbl_mind(last, s / (s - e));
	}
	if (first > last)
		return false;
	rbl_vec3d from = ends[0], along = rbl_sub_d(ends[1], ends[0]);
	ends[0] = rbl_add_scaled_d(from, first, along);
	ends[1] = rbl_add_scaled_d(from, last, along);
	return true;
}

// A point that both have, but for rounding: where their features are nearest.
static rbl_vec3d nearest_common_point(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	rbl_closest best = { .distance = INFINITY }, next;
	for (int i = 0; i < 15; ++i) {
		bool is_face = i < 6;
		const rbl_vec3d *p = i < 3 || !is_face ? a : b, *q = p == a ? b : a;
		int e = (i - 6) / 3, f = i % 3;
		rbl_vec3d points[4] = { is_face ? p[f] : a[e], is_face ? q[0] : a[(e + 1) % 3],
			                    is_face ? q[1] : b[f], is_face ? q[2] : b[(f + 1) % 3] };
		rbl_ccd_closest(is_face ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE, points, &next);
		if (next.distance < best.distance)
			best = next;
	}
	return best.points[0];
}

static rbl_surface_segment segment_of(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	rbl_surface_segment segment = { .is_point = false };
	for (int side = 0; side < 2; ++side) { // the other way round where a face has no area
		const rbl_vec3d *cut = side ? b : a, *face = side ? a : b;
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(face[1], face[0]), rbl_sub_d(face[2], face[0]));
		if (cut_by_plane(cut, normal, face[0], segment.points) &&
		    cut_by_sides(face, normal, segment.points))
			return segment;
	}
	segment.is_point = true;
	segment.points[0] = segment.points[1] = nearest_common_point(a, b);
	return segment;
}

rbl_result rbl_surface_get_segments(rbl_surface *surface, rbl_surface_segments *list)
{
	if (list)
		*list = (rbl_surface_segments){ NULL, 0 };
	if (!surface || !list)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or list is NULL");
	if (!surface->is_ready || surface->listed != RBL_LISTS_PAIRS)
		return rbl_fail(RBL_BAD_ARGUMENT, "rbl_surface_collide() must come first");
	int count = surface->pairs.count;
	if (!rbl_array_resize(&surface->allocator, &surface->segments, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_surface_pair pair = surface->pairs.data[i];
		rbl_vec3d a[3], b[3];
		for (int k = 0; k < 3; ++k) {
			a[k] = rbl_surface_exact(surface, surface->triangles[3 * pair.a + k], 1);
			b[k] = rbl_surface_exact(surface, surface->triangles[3 * pair.b + k], 1);
		}
		surface->segments.data[i] = segment_of(a, b);
	}
	*list = (rbl_surface_segments){ surface->segments.data, count };
	return RBL_OK;
}
