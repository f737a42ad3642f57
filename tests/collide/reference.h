// SPDX-License-Identifier: MIT
// A reference of the narrow phase: slow, plain, in double precision, over all features.
#pragma once

#include "aligned.h"
#include "base/random.h"
#include "base/vec.h"
#include "collide/collide.h"

#include <rubble/convex.h>
#include <rubble/hull.h>

#include <float.h>
#include <stdlib.h>

enum { REFERENCE_MAX = 400 };

/// A convex in some pose: points, outward normals, edges, triangles of its faces.
typedef struct reference_convex {
	int vertex_count, normal_count, edge_count, triangle_count;
	rbl_vec3d vertices[REFERENCE_MAX], normals[REFERENCE_MAX], edges[REFERENCE_MAX][2];
	rbl_vec3d triangles[2 * REFERENCE_MAX][3];
	double radius;
} reference_convex;

static inline rbl_vec3d reference_point(rbl_transform pose, rbl_vec3 p)
{
	rbl_quatd q = { pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w };
	rbl_transformd t = { rbl_to_d(pose.position), rbl_quat_normalize_d(q) };
	return rbl_transform_point_d(t, rbl_to_d(p));
}

/// Read a polyhedron's vertices and loops, nothing else of it: normals are computed anew.
static inline void reference_load(reference_convex *j, const rbl_polyhedron *p, rbl_transform pose)
{
	j->vertex_count = p->vertex_count, j->radius = (double)p->radius;
	j->normal_count = j->edge_count = j->triangle_count = 0;
	for (int v = 0; v < p->vertex_count; ++v)
		j->vertices[v] = reference_point(pose, rbl_polyhedron_vertex(p, v));
	if (p->vertex_count == 2)
		j->edges[0][0] = j->vertices[0], j->edges[0][1] = j->vertices[1], j->edge_count = 1;
	for (int f = 0; f < p->face_count; ++f) {
		int first = p->face_starts[f], count = p->face_starts[f + 1] - first;
		rbl_vec3d sum = { 0.0, 0.0, 0.0 }, o = j->vertices[p->corners[first]];
		for (int k = 0; k < count; ++k) {
			int a = p->corners[first + k], b = p->corners[first + (k + 1) % count];
			rbl_vec3d u = rbl_sub_d(j->vertices[a], o), v = rbl_sub_d(j->vertices[b], o);
			sum = rbl_add_d(sum, rbl_cross_d(u, v));
			if (a < b)
				j->edges[j->edge_count][0] = j->vertices[a],
				j->edges[j->edge_count++][1] = j->vertices[b];
			if (k > 0 && k + 1 < count) {
				rbl_vec3d *t = j->triangles[j->triangle_count++];
				t[0] = o, t[1] = j->vertices[a], t[2] = j->vertices[b];
			}
		}
		j->normals[j->normal_count++] = rbl_normalize_d(sum);
	}
}

static inline double reference_support(const reference_convex *j, rbl_vec3d n)
{
	double most = -DBL_MAX;
	for (int v = 0; v < j->vertex_count; ++v)
		most = rbl_maxd(most, rbl_dot_d(n, j->vertices[v]));
	return most;
}

/// Separation of the cores along a unit direction from A to B.
static inline double reference_along(const reference_convex *a, const reference_convex *b,
                                     rbl_vec3d n)
{
	return -reference_support(b, rbl_neg_d(n)) - reference_support(a, n);
}

/// The greatest separation of the cores over all face normals and all crosses of edges, both ways.
static inline double reference_separation(const reference_convex *a, const reference_convex *b)
{
	double best = -DBL_MAX;
	for (int i = 0; i < a->normal_count; ++i)
		best = rbl_maxd(best, reference_along(a, b, a->normals[i]));
	for (int i = 0; i < b->normal_count; ++i)
		best = rbl_maxd(best, reference_along(a, b, rbl_neg_d(b->normals[i])));
	for (int i = 0; i < a->edge_count; ++i) {
		rbl_vec3d p = rbl_normalize_d(rbl_sub_d(a->edges[i][1], a->edges[i][0]));
		for (int k = 0; k < b->edge_count; ++k) {
			rbl_vec3d q = rbl_normalize_d(rbl_sub_d(b->edges[k][1], b->edges[k][0]));
			rbl_vec3d n = rbl_cross_d(p, q);
			if (rbl_length_d(n) < 1e-7)
				continue;
			n = rbl_normalize_d(n);
			best = rbl_maxd(best, reference_along(a, b, n));
			best = rbl_maxd(best, reference_along(a, b, rbl_neg_d(n)));
		}
	}
	return best;
}

static inline double reference_point_triangle(rbl_vec3d p, const rbl_vec3d t[3])
{
	rbl_vec3d n = rbl_normalize_d(rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0])));
	bool is_inside = rbl_length_squared_d(n) > 0.5;
	double least = DBL_MAX;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d a = t[i], ab = rbl_sub_d(t[(i + 1) % 3], a), ap = rbl_sub_d(p, a);
		is_inside &= rbl_dot_d(rbl_cross_d(ab, ap), n) >= 0.0;
		double whole = rbl_dot_d(ab, ab);
		double s = whole > 0.0 ? rbl_clampd(rbl_dot_d(ap, ab) / whole, 0.0, 1.0) : 0.0;
		least = rbl_mind(least, rbl_distance_d(p, rbl_add_scaled_d(a, s, ab)));
	}
	return is_inside ? rbl_mind(least, fabs(rbl_dot_d(n, rbl_sub_d(p, t[0])))) : least;
}

static inline double reference_segments(const rbl_vec3d a[2], const rbl_vec3d b[2])
{
	rbl_vec3d u = rbl_sub_d(a[1], a[0]), v = rbl_sub_d(b[1], b[0]), r = rbl_sub_d(a[0], b[0]);
	double uu = rbl_dot_d(u, u), vv = rbl_dot_d(v, v), uv = rbl_dot_d(u, v);
	double ur = rbl_dot_d(u, r), vr = rbl_dot_d(v, r), d = uu * vv - uv * uv, least = DBL_MAX;
	if (d > 1e-14 * uu * vv) {
		double s = (uv * vr - vv * ur) / d, t = (uu * vr - uv * ur) / d;
		if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)
			least = rbl_length_d(rbl_add_scaled_d(rbl_add_scaled_d(r, s, u), -t, v));
	}
	for (int i = 0; i < 2; ++i) { // ends against the other segment
		double t = vv > 0.0 ? rbl_clampd(rbl_dot_d(rbl_sub_d(a[i], b[0]), v) / vv, 0.0, 1.0) : 0.0;
		double s = uu > 0.0 ? rbl_clampd(rbl_dot_d(rbl_sub_d(b[i], a[0]), u) / uu, 0.0, 1.0) : 0.0;
		least = rbl_mind(least, rbl_distance_d(a[i], rbl_add_scaled_d(b[0], t, v)));
		least = rbl_mind(least, rbl_distance_d(b[i], rbl_add_scaled_d(a[0], s, u)));
	}
	return least;
}

/// Distance of the cores over all pairs of features, when they are apart.
static inline double reference_distance(const reference_convex *a, const reference_convex *b)
{
	double least = DBL_MAX;
	for (int i = 0; i < a->vertex_count; ++i) {
		for (int k = 0; k < b->triangle_count; ++k)
			least = rbl_mind(least, reference_point_triangle(a->vertices[i], b->triangles[k]));
		for (int k = 0; k < b->vertex_count; ++k)
			least = rbl_mind(least, rbl_distance_d(a->vertices[i], b->vertices[k]));
		for (int k = 0; k < b->edge_count && a->vertex_count == 1; ++k)
			least =
				rbl_mind(least, reference_segments((rbl_vec3d[2]){ a->vertices[i], a->vertices[i] },
			                                       b->edges[k]));
	}
	for (int k = 0; k < b->vertex_count; ++k) {
		for (int i = 0; i < a->triangle_count; ++i)
			least = rbl_mind(least, reference_point_triangle(b->vertices[k], a->triangles[i]));
		for (int i = 0; i < a->edge_count && b->vertex_count == 1; ++i)
			least = rbl_mind(
				least,
				reference_segments(a->edges[i], (rbl_vec3d[2]){ b->vertices[k], b->vertices[k] }));
	}
	for (int i = 0; i < a->edge_count; ++i)
		for (int k = 0; k < b->edge_count; ++k)
			least = rbl_mind(least, reference_segments(a->edges[i], b->edges[k]));
	return least;
}

/// How far a point is from the surface of a core.
static inline double reference_off_surface(const reference_convex *j, rbl_vec3d p)
{
	double least = DBL_MAX;
	for (int k = 0; k < j->triangle_count; ++k)
		least = rbl_mind(least, reference_point_triangle(p, j->triangles[k]));
	for (int k = 0; k < j->edge_count; ++k) {
		rbl_vec3d ab = rbl_sub_d(j->edges[k][1], j->edges[k][0]);
		double s = rbl_dot_d(rbl_sub_d(p, j->edges[k][0]), ab) / rbl_dot_d(ab, ab);
		rbl_vec3d q = rbl_add_scaled_d(j->edges[k][0], rbl_clampd(s, 0.0, 1.0), ab);
		least = rbl_mind(least, rbl_distance_d(p, q));
	}
	for (int v = 0; v < j->vertex_count; ++v)
		least = rbl_mind(least, rbl_distance_d(p, j->vertices[v]));
	return fabs(least - j->radius);
}

// --- shapes and poses ----------------------------------------------------------------------------

static inline rbl_vec3 random_vec(rbl_random *random, float size)
{
	rbl_vec3d p = rbl_random_in_ball(random);
	return rbl_scale(size, rbl_to_f(p));
}

static inline rbl_quat random_rotation(rbl_random *random)
{
	for (;;) {
		float x = 2.0f * rbl_random_float(random) - 1.0f,
			  y = 2.0f * rbl_random_float(random) - 1.0f;
		float z = 2.0f * rbl_random_float(random) - 1.0f,
			  w = 2.0f * rbl_random_float(random) - 1.0f;
		float length = x * x + y * y + z * z + w * w;
		if (length > 0.1f && length < 1.0f)
			return rbl_quat_normalize((rbl_quat){ x, y, z, w });
	}
}

static inline rbl_transform random_pose(rbl_random *random, float size)
{
	rbl_vec3 p = random_vec(random, size);
	return (rbl_transform){ p, random_rotation(random) };
}

/// The convex around random points on an ellipsoid, NULL when they are flat.
static inline rbl_convex *random_convex(rbl_random *random, int points, rbl_vec3d half)
{
	rbl_vec3d list[64];
	for (int i = 0; i < points; ++i) {
		rbl_vec3d p = rbl_normalize_d(rbl_random_in_ball(random));
		double jitter = rbl_random_range(random, 0.9, 1.1);
		list[i] = rbl_scale_d(jitter, rbl_mul_d(p, half));
	}
	rbl_hull_def def = rbl_default_hull_def();
	def.points = list, def.point_count = points;
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	rbl_convex *convex = NULL;
	rbl_convex_def convex_def = rbl_default_convex_def();
	if (rbl_create_hull(&def, &hull) == RBL_OK &&
	    rbl_hull_create_mesh(hull, NULL, &mesh) == RBL_OK) {
		convex_def.mesh = mesh;
		rbl_create_convex(&convex_def, &convex);
	}
	rbl_destroy_mesh(mesh);
	rbl_destroy_hull(hull);
	return convex;
}

/// A polyhedron with its memory.
typedef struct test_shape {
	rbl_polyhedron polyhedron;
	rbl_small_polyhedron small;
	void *memory;
} test_shape;

static inline bool test_shape_convex(test_shape *s, const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	s->memory = aligned_block(64, rbl_polyhedron_size(d.face_count, d.vertex_count));
	return rbl_polyhedron_from_convex(&s->polyhedron, &d, (rbl_vec3d){ 0.0, 0.0, 0.0 },
	                                  rbl_convex_data_box(&d), s->memory);
}

static inline bool test_shape_random(test_shape *s, rbl_random *random, int points, rbl_vec3d half)
{
	rbl_convex *convex = random_convex(random, points, half);
	bool ok = convex && test_shape_convex(s, convex);
	rbl_destroy_convex(convex);
	return ok;
}

static inline void test_shape_box(test_shape *s, rbl_vec3 half)
{
	rbl_polyhedron_from_box(&s->small, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, half);
	s->polyhedron = s->small.polyhedron, s->memory = NULL;
}
