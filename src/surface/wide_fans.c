// SPDX-License-Identifier: MIT
//
// Fans of a whole body at once: which stay free although each vertex moves by up to a slack.
//
// The condition is that of surface/fan.c, for closed fans, seen along the sum of their unit normals. A
// triangle has the same normal at its three corners, so one cross product serves three turns; how often
// a fan goes round is how often a coordinate of its spokes rises through zero. No order of triangles
// is needed, so this is two passes over the triangles, in single precision, where fan.c walks round each
// vertex: an eighth of the time. What it leaves open is for fan.c.
//
// With u = 2^-24: turns are off by less than 32 u times the square of the longest edge. A spoke has the same bits in both of
// its triangles, so a sign near zero is the same in both, as if the spoke were turned a little.

#include "surface/surface.h"

typedef rbl_fan_view view;

// Give each vertex of a body its place, and nothing else yet.
static void place_vertices(const rbl_surface *surface, const rbl_surface_body *body, view *views)
{
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i];
		surface->vertex_scratch[vertex] = i;
		bool is_many = surface->vertex_flags[vertex] & RBL_VERTEX_MANY_FANS;
		views[i] = (view){ .is_open = is_many };
	}
}

typedef struct face {
	view *views[3];
	rbl_vec3 edges[3]; // from corner k to the next
	rbl_vec3 normal;   // with the length of the area
} face;

static face face_of(const rbl_surface *surface, view *views, int triangle)
{
	const int *v = surface->triangles + 3 * (size_t)triangle;
	face f;
	rbl_vec3 p[3];
	for (int k = 0; k < 3; ++k) {
		f.views[k] = &views[surface->vertex_scratch[v[k]]];
		p[k] = surface->positions[1][v[k]];
	}
	for (int k = 0; k < 3; ++k)
		f.edges[k] = rbl_sub(p[(k + 1) % 3], p[k]);
	f.normal = rbl_cross(f.edges[0], f.edges[1]);
	return f;
}

static void sum_normals(const rbl_surface *surface, const rbl_surface_body *body, view *views)
{
	for (int i = 0; i < body->triangles.count; ++i) {
		int triangle = body->triangles.data[i];
		face f = face_of(surface, views, triangle);
		rbl_vec3 unit = rbl_normalize(f.normal);
		for (int k = 0; k < 3; ++k) {
			f.views[k]->along = rbl_add(f.views[k]->along, unit);
			if (surface->twins[3 * (size_t)triangle + (size_t)k] < 0)
				f.views[k]->is_open = f.views[(k + 1) % 3]->is_open = true;
		}
	}
}

static void count_rises(const rbl_surface *surface, const rbl_surface_body *body, view *views,
                        float slack)
{
	for (int i = 0; i < body->triangles.count; ++i) {
		face f = face_of(surface, views, body->triangles.data[i]);
		float lengths[3];
		for (int k = 0; k < 3; ++k)
			lengths[k] = rbl_length(f.edges[k]);
		float longest = rbl_maxf(lengths[0], rbl_maxf(lengths[1], lengths[2]));
		float rounding = 0x1p-19f * longest * longest;
		for (int k = 0; k < 3; ++k) {
			view *at = f.views[k];
			float next = lengths[k], last = lengths[(k + 2) % 3];
			float margin = 2.0f * slack * (next + last + 2.0f * slack) + rounding;
			// The edge that comes in, turned round: the same bits as a spoke that goes out.
			float y0 = rbl_dot(at->across, f.edges[k]);
			float y1 = rbl_dot(at->across, rbl_neg(f.edges[(k + 2) % 3]));
			at->is_open |= !(rbl_dot(at->along, f.normal) > margin);
			at->rises += y0 < 0.0f && y1 >= 0.0f;
		}
	}
}

bool rbl_surface_find_wide_fans(const rbl_surface *surface, rbl_surface_worker *worker,
                                const rbl_surface_body *body, double slack)
{
	int count = body->vertices.count;
	if (!rbl_array_resize(&surface->allocator, &worker->views, count))
		return false;
	view *views = worker->views.data;
	place_vertices(surface, body, views);
	sum_normals(surface, body, views);
	for (int i = 0; i < count; ++i) {
		views[i].along = rbl_normalize(views[i].along);
		views[i].across = rbl_perpendicular(views[i].along);
	}
	count_rises(surface, body, views, (float)(1.00001 * slack));
	for (int i = 0; i < count; ++i) {
		int vertex = body->vertices.data[i];
		if (!views[i].is_open && views[i].rises == 1)
			rbl_surface_set_fan_wide(worker, vertex);
		surface->vertex_scratch[vertex] = 0;
	}
	return true;
}
