// SPDX-License-Identifier: MIT
//
// Clipping the incident face to the reference face (Sutherland and Hodgman), with ids for the
// points.
//
// A point of the clipped polygon is where two lines intersect: edges of the incident face or sides
// of the reference face. The pair of their numbers stays the same while the same features touch,
// however the bodies move, and no two points of a polygon have the same pair, so it serves as an
// id.

#include "collide/pair.h"

#include "base/assert.h"

enum { SIDE = 128 };

static rbl_collide_clip_point cut(const rbl_collide_clip_point *in, float in_side,
                                  const rbl_collide_clip_point *out, float out_side)
{
	rbl_collide_clip_point point = *in;
	point.position = rbl_lerp(in->position, out->position, in_side / (in_side - out_side));
	return point;
}

// Keep what is behind the plane. A polygon of two points is a segment: it has one edge, not two.
static int clip(const rbl_collide_clip_point *from, int count, rbl_vec3 normal, float offset,
                int side, rbl_collide_clip_point *to)
{
	int n = 0;
	float sides[RBL_COLLIDE_CLIP_CAPACITY];
	bool cuts = false;
	for (int i = 0; i < count; ++i) {
		sides[i] = rbl_dot(normal, from[i].position) - offset;
		cuts |= sides[i] > 0.0f;
	}
	if (!cuts) {
		memcpy(to, from, (size_t)count * sizeof *to);
		return count;
	}
	for (int i = 0; i < count; ++i) {
		int j = i + 1 < count ? i + 1 : 0;
		if (sides[i] <= 0.0f)
			to[n++] = from[i];
		if (count < 3 && j <= i)
			break;
		if (sides[i] <= 0.0f && sides[j] > 0.0f) { // leaves along the edge after i
			to[n] = cut(&from[i], sides[i], &from[j], sides[j]);
			to[n].before = from[i].after;
			to[n++].after = (uint8_t)(SIDE + side);
		} else if (sides[i] > 0.0f && sides[j] <= 0.0f) {
			to[n] = cut(&from[j], sides[j], &from[i], sides[i]);
			to[n].before = (uint8_t)(SIDE + side);
			to[n++].after = from[i].after;
		}
	}
	return n;
}

// The incident polygon in the reference frame: a face, or all of a point or a segment.
static int load(const rbl_polyhedron *p, int face, const rbl_collide_frame *frame,
                rbl_collide_clip_point *points)
{
	int first = face >= 0 ? p->face_starts[face] : 0;
	int count = face >= 0 ? p->face_starts[face + 1] - first : p->vertex_count;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 v = rbl_polyhedron_vertex(p, face >= 0 ? p->corners[first + i] : i);
		points[i].position = rbl_collide_frame_point(frame, v);
		points[i].before = (uint8_t)(i > 0 ? i - 1 : count - 1);
		points[i].after = (uint8_t)i;
	}
	return count;
}

int rbl_collide_clip_to_polygon(const rbl_vec3 *corners, int corner_count, rbl_vec3 normal,
                                float tolerance, rbl_collide_clip_point *points, int count)
{
	rbl_collide_clip_point buffer[RBL_COLLIDE_CLIP_CAPACITY], *from = points, *to = buffer;
	for (int k = 0; k < corner_count && count > 0; ++k) {
		rbl_vec3 a = corners[k], b = corners[k + 1 < corner_count ? k + 1 : 0];
		rbl_vec3 out = rbl_normalize(rbl_cross(rbl_sub(b, a), normal));
		count = clip(from, count, out, rbl_dot(out, a) + tolerance, k, to);
		RBL_ASSERT(count <= RBL_COLLIDE_CLIP_CAPACITY);
		rbl_collide_clip_point *swap = from;
		from = to, to = swap;
	}
	if (from != points)
		memcpy(points, from, (size_t)count * sizeof *points);
	return count;
}

int rbl_collide_clip_faces(const rbl_polyhedron *reference, int face,
                           const rbl_polyhedron *incident,
                           const rbl_collide_frame *incident_to_reference, int *incident_face,
                           rbl_collide_clip_point *points)
{
	rbl_vec3 normal = rbl_polyhedron_normal(reference, face);
	rbl_mat3 inverse = rbl_mat_transpose(incident_to_reference->rotation);
	int opposite = rbl_polyhedron_face_along(incident, rbl_mat_vec(inverse, rbl_neg(normal)));
	*incident_face = opposite >= 0 ? opposite : 0;

	int count = load(incident, opposite, incident_to_reference, points);
	int first = reference->face_starts[face],
		corner_count = reference->face_starts[face + 1] - first;
	rbl_vec3 corners[RBL_MAX_CONVEX_VERTICES];
	for (int k = 0; k < corner_count; ++k)
		corners[k] = rbl_polyhedron_vertex(reference, reference->corners[first + k]);
	// Slightly outside still counts as above the face: equal boxes stacked flush keep their corners
	// in spite of rounding.
	float tolerance = 1e-5f * reference->bounding_radius;
	count = rbl_collide_clip_to_polygon(corners, corner_count, normal, tolerance, points, count);
	float offset = rbl_polyhedron_offset(reference, face);
	for (int i = 0; i < count; ++i)
		points[i].height = rbl_dot(normal, points[i].position) - offset;
	return count;
}
