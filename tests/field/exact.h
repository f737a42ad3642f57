// SPDX-License-Identifier: MIT
// Exact signed distance to a closed mesh, the slow and simple way: the reference of all fields.
//
// Distance: the least over all triangles, in double precision. Side: the winding number along a
// ray, by exact predicates; a ray that meets an edge or a vertex is replaced by another. Both look
// at all triangles or, in runs of a million points, at those that a tree of boxes leaves; a test
// compares the two ways.
#pragma once

#include "base/random.h"
#include "base/vec.h"
#include "geometry/geometry.h"

#include <rubble/mesh.h>
#include <rubble/shapes.h>

#include <stdlib.h>

typedef struct exact_node {
	rbl_boxd box;
	int first, count; // triangles of a leaf
	int children;     // the first of two, 0 for a leaf
} exact_node;

typedef struct exact_mesh {
	rbl_vec3d (*triangles)[3];
	int count;
	exact_node *nodes;
	int node_count;
	rbl_boxd box;
} exact_mesh;

static inline rbl_boxd exact_triangle_box(const rbl_vec3d t[3])
{
	return (rbl_boxd){ rbl_min_d(t[0], rbl_min_d(t[1], t[2])),
		               rbl_max_d(t[0], rbl_max_d(t[1], t[2])) };
}

static inline void exact_split(exact_mesh *m, int node)
{
	int first = m->nodes[node].first, count = m->nodes[node].count;
	rbl_boxd box = rbl_box_empty_d(), middles = rbl_box_empty_d();
	for (int i = first; i < first + count; ++i) {
		rbl_boxd t = exact_triangle_box(m->triangles[i]);
		box = rbl_box_join_d(box, t);
		middles = rbl_box_add_point_d(middles, rbl_box_centre_d(t));
	}
	m->nodes[node].box = box;
	rbl_vec3d size = rbl_box_size_d(middles);
	int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
	double middle = rbl_axis_d(rbl_box_centre_d(middles), axis);
	if (count <= 4 || !(rbl_axis_d(size, axis) > 0.0))
		return;
	int low = first;
	for (int i = first; i < first + count; ++i) {
		rbl_vec3d c = rbl_box_centre_d(exact_triangle_box(m->triangles[i]));
		if (rbl_axis_d(c, axis) > middle)
			continue;
		rbl_vec3d swap[3];
		memcpy(swap, m->triangles[i], sizeof swap);
		memcpy(m->triangles[i], m->triangles[low], sizeof swap);
		memcpy(m->triangles[low++], swap, sizeof swap);
	}
	if (low == first || low == first + count)
		return;
	int children = m->node_count;
	m->node_count += 2;
	m->nodes[node].children = children;
	m->nodes[children] = (exact_node){ .first = first, .count = low - first };
	m->nodes[children + 1] = (exact_node){ .first = low, .count = first + count - low };
	exact_split(m, children);
	exact_split(m, children + 1);
}

/// All triangles of a mesh, by the triangulation that the library uses.
static inline exact_mesh exact_from_mesh(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	exact_mesh m = { .count = rbl_mesh_triangle_count(mesh), .box = rbl_mesh_bounds(mesh) };
	int *triangles = malloc((size_t)m.count * 3 * sizeof *triangles);
	m.triangles = malloc((size_t)m.count * sizeof *m.triangles);
	m.nodes = calloc((size_t)m.count * 2 + 2, sizeof *m.nodes);
	rbl_mesh_triangulate(mesh, triangles, NULL);
	for (int i = 0; i < 3 * m.count; ++i)
		m.triangles[i / 3][i % 3] = data.positions[data.corner_vertices[triangles[i]]];
	free(triangles);
	m.nodes[0] = (exact_node){ .first = 0, .count = m.count };
	m.node_count = 1;
	exact_split(&m, 0);
	return m;
}

static inline void exact_free(exact_mesh *m)
{
	free(m->triangles);
	free(m->nodes);
}

static inline double exact_segment(rbl_vec3d a, rbl_vec3d b, rbl_vec3d p)
{
	rbl_vec3d edge = rbl_sub_d(b, a), from = rbl_sub_d(p, a);
	double square = rbl_dot_d(edge, edge);
	double t = square > 0.0 ? rbl_clampd(rbl_dot_d(from, edge) / square, 0.0, 1.0) : 0.0;
	return rbl_length_d(rbl_add_scaled_d(from, -t, edge));
}

static inline double exact_triangle(const rbl_vec3d t[3], rbl_vec3d p)
{
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
	double area = rbl_length_d(n);
	bool is_inside = area > 0.0;
	double least = DBL_MAX;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d a = t[k], b = t[(k + 1) % 3];
		rbl_vec3d side = rbl_cross_d(n, rbl_sub_d(b, a));
		is_inside &= rbl_dot_d(side, rbl_sub_d(p, a)) > 0.0;
		least = rbl_mind(least, exact_segment(a, b, p));
	}
	return is_inside ? fabs(rbl_dot_d(n, rbl_sub_d(p, t[0]))) / area : least;
}

static inline double exact_box(rbl_boxd box, rbl_vec3d p)
{
	rbl_vec3d zero = { 0.0, 0.0, 0.0 };
	return rbl_length_d(
		rbl_max_d(rbl_max_d(rbl_sub_d(box.lower, p), rbl_sub_d(p, box.upper)), zero));
}

/// Unsigned. @param is_brute  look at every triangle
static inline double exact_unsigned(const exact_mesh *m, rbl_vec3d p, bool is_brute)
{
	double best = DBL_MAX;
	for (int i = 0; is_brute && i < m->count; ++i)
		best = rbl_mind(best, exact_triangle(m->triangles[i], p));
	int stack[256], top = 0;
	if (!is_brute)
		stack[top++] = 0;
	while (top > 0) {
		const exact_node *node = &m->nodes[stack[--top]];
		if (exact_box(node->box, p) >= best)
			continue;
		if (node->children == 0) {
			for (int i = node->first; i < node->first + node->count; ++i)
				best = rbl_mind(best, exact_triangle(m->triangles[i], p));
			continue;
		}
		int near = exact_box(m->nodes[node->children].box, p) >
		           exact_box(m->nodes[node->children + 1].box, p);
		stack[top++] = node->children + 1 - near;
		stack[top++] = node->children + near;
	}
	return best;
}

/// @return whether the corners of a triangle lie on a line: then these four points, which no plane
/// has in common, are all in its plane
static inline bool exact_is_line(const rbl_vec3d t[3])
{
	static const rbl_vec3d points[4] = {
		{ 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 }
	};
	for (int k = 0; k < 4; ++k)
		if (rbl_orient3d(t[0], t[1], t[2], points[k]) != 0)
			return false;
	return true;
}

/// Which way a segment crosses a triangle: 1 leaving, -1 entering, 0 not at all, 2 not to be said.
static inline int exact_crossing(const rbl_vec3d t[3], rbl_vec3d p, rbl_vec3d q)
{
	int from = rbl_orient3d(t[0], t[1], t[2], p), to = rbl_orient3d(t[0], t[1], t[2], q);
	if ((from == to && from != 0) || (from == 0 && to == 0 && exact_is_line(t)))
		return 0;
	int sides[3];
	for (int k = 0; k < 3; ++k)
		sides[k] = rbl_orient3d(p, q, t[k], t[(k + 1) % 3]);
	bool some_positive = false, some_negative = false, some_zero = false;
	for (int k = 0; k < 3; ++k)
		some_positive |= sides[k] > 0, some_negative |= sides[k] < 0, some_zero |= sides[k] == 0;
	if (some_positive && some_negative)
		return 0;
	if (some_zero || from == 0 || to == 0)
		return 2;
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
	return rbl_dot_d(n, rbl_sub_d(q, p)) > 0.0 ? 1 : -1;
}

/// The winding number of a closed mesh; 1 inside.
static inline int exact_winding(const exact_mesh *m, rbl_vec3d p, bool is_brute)
{
	rbl_random random = rbl_random_from_seed(1);
	double size = rbl_length_d(rbl_box_size_d(m->box));
	for (int attempt = 0; attempt < 100; ++attempt) {
		rbl_vec3d q = { m->box.upper.x + size, p.y, p.z };
		q.y += size * rbl_random_range(&random, -0.01, 0.01) * (1 + attempt);
		q.z += size * rbl_random_range(&random, -0.01, 0.01) * (1 + attempt);
		rbl_boxd ray = { rbl_min_d(p, q), rbl_max_d(p, q) };
		int winding = 0, stack[256], top = 0;
		bool is_clear = true;
		stack[top++] = 0;
		while (top > 0 && is_clear) {
			const exact_node *node = &m->nodes[stack[--top]];
			if (!is_brute && !rbl_box_overlaps_d(node->box, ray))
				continue;
			if (node->children) {
				stack[top++] = node->children;
				stack[top++] = node->children + 1;
				continue;
			}
			for (int i = node->first; i < node->first + node->count; ++i) {
				int turn = exact_crossing(m->triangles[i], p, q);
				is_clear &= turn != 2;
				winding += turn;
			}
		}
		if (is_clear)
			return winding;
	}
	return 0;
}

/// Signed distance: negative inside.
static inline double exact_distance(const exact_mesh *m, rbl_vec3d p)
{
	if (!rbl_box_contains_d(m->box, (rbl_boxd){ p, p }))
		return exact_unsigned(m, p, false);
	double d = exact_unsigned(m, p, false);
	return exact_winding(m, p, false) > 0 ? -d : d;
}

/// A random point: most near the surface, some anywhere in a box half as large again as the mesh's.
static inline rbl_vec3d exact_probe(const exact_mesh *m, rbl_random *random, double near)
{
	rbl_vec3d size = rbl_box_size_d(m->box);
	rbl_boxd around = { rbl_add_scaled_d(m->box.lower, -0.25, size),
		                rbl_add_scaled_d(m->box.upper, 0.25, size) };
	if (rbl_random_below(random, 3) == 0)
		return rbl_random_in_box(random, around);
	const rbl_vec3d *t = m->triangles[rbl_random_below(random, (uint32_t)m->count)];
	double u = rbl_random_double(random), v = rbl_random_double(random);
	if (u + v > 1.0)
		u = 1.0 - u, v = 1.0 - v;
	rbl_vec3d p = rbl_add_scaled_d(t[0], u, rbl_sub_d(t[1], t[0]));
	p = rbl_add_scaled_d(p, v, rbl_sub_d(t[2], t[0]));
	return rbl_add_scaled_d(p, near * rbl_random_double(random), rbl_random_in_ball(random));
}

/// The same, and now and then a point up to four times as far away as the mesh is large.
static inline rbl_vec3d exact_probe_far(const exact_mesh *m, rbl_random *random, double near)
{
	if (rbl_random_below(random, 16) != 0)
		return exact_probe(m, random, near);
	rbl_vec3d size = rbl_box_size_d(m->box);
	rbl_boxd around = { rbl_add_scaled_d(m->box.lower, -4.0, size),
		                rbl_add_scaled_d(m->box.upper, 4.0, size) };
	return rbl_random_in_box(random, around);
}

/// The radius of a sphere around a point at a distance: half of them just touch, by less than
/// rounding; others reach up to a cell deep, or end up to half a cell before.
static inline float exact_radius(rbl_random *random, double distance, double cell)
{
	double radius = distance;
	if (rbl_random_below(random, 2) == 0)
		radius += rbl_random_range(random, -0.5, 1.0) * cell;
	return rbl_float_above(radius > 0.0 ? radius : 0.0);
}
