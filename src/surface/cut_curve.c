// SPDX-License-Identifier: MIT
//
// Cutting along a curve: a knife is led from point to point, with an edit for each.
//
// A new vertex lies in a triangle that the body had before, or on its side, however often that was
// divided on the way: what its parents were made of is always among three vertices.

#include "surface/cut.h"

#include "base/log.h"

enum { CURVE_COOKIE = 0x63757276 };

rbl_surface_curve rbl_default_surface_curve(void)
{
	return (rbl_surface_curve){ .depth = 0.01, .cookie = CURVE_COOKIE };
}

static rbl_result check_curve(const rbl_surface_curve *curve)
{
	if (!curve || curve->cookie != CURVE_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_curve()");
	if (curve->point_count < 2 || !curve->points || !curve->directions)
		return rbl_fail(RBL_BAD_ARGUMENT, "a curve needs two points at least, and directions");
	if (!(curve->depth > 0.0) || !isfinite(curve->depth))
		return rbl_fail(RBL_BAD_ARGUMENT, "depth must be finite and above 0");
	if (!(curve->tolerance >= 0.0) || !isfinite(curve->tolerance))
		return rbl_fail(RBL_BAD_ARGUMENT, "tolerance must be finite and at least 0");
	for (int i = 0; i < curve->point_count; ++i)
		if (!rbl_is_finite_d(curve->points[i]) ||
		    !(rbl_length_squared_d(rbl_normalize_d(curve->directions[i])) > 0.5))
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d is not finite, or has no direction", i);
	return RBL_OK;
}

// The blade at a point of the curve.
static void place_blade(const rbl_surface_curve *curve, int i, rbl_vec3d blade[2])
{
	int at = i % curve->point_count;
	rbl_vec3d way = rbl_normalize_d(curve->directions[at]);
	blade[0] = rbl_add_scaled_d(curve->points[at], -curve->depth, way);
	blade[1] = rbl_add_scaled_d(curve->points[at], curve->depth, way);
}

// What a vertex is made of, by vertices from before the cut.
static void add_share(const rbl_surface_cuts *c, int vertex, double weight, int *parents,
                      double *weights)
{
	uint32_t place = rbl_map_get(&c->places, (uint64_t)vertex);
	for (int k = 0; k < 3; ++k) {
		int parent = place == RBL_MAP_NONE ? vertex : c->new_parents.data[3 * place + (uint32_t)k];
		double share = place == RBL_MAP_NONE ? 1.0 : c->new_weights.data[3 * place + (uint32_t)k];
		if (parent < 0 || (place == RBL_MAP_NONE && k > 0))
			continue;
		int slot = 0;
		while (slot < 2 && parents[slot] >= 0 && parents[slot] != parent)
			slot++;
		RBL_ASSERT(parents[slot] < 0 || parents[slot] == parent);
		parents[slot] = parent;
		weights[slot] += weight * share;
	}
}

static bool reserve_new(rbl_surface *surface, int count)
{
	rbl_surface_cuts *c = surface->cuts;
	return rbl_array_extend(&surface->allocator, &c->new_vertices, count) &&
	       rbl_array_extend(&surface->allocator, &c->new_parents, 3 * count) &&
	       rbl_array_extend(&surface->allocator, &c->new_weights, 3 * count) &&
	       rbl_map_reserve(&surface->allocator, &c->places, c->new_vertices.count + count);
}

// Note the vertices of an edit; there is space for them.
static void note_vertices(rbl_surface *surface, rbl_surface_body_id body,
                          const rbl_surface_edit_def *edit)
{
	rbl_surface_cuts *c = surface->cuts;
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
	for (int i = 0; i < edit->vertex_count; ++i) {
		int vertex = data.vertices[data.vertex_count - edit->vertex_count + i];
		int parents[3] = { -1, -1, -1 };
		double weights[3] = { 0.0, 0.0, 0.0 };
		for (int k = 0; k < 3; ++k)
			if (edit->parents[3 * i + k] >= 0)
				add_share(c, edit->parents[3 * i + k], edit->weights[3 * i + k], parents, weights);
		bool is_noted = rbl_map_set(&surface->allocator, &c->places, (uint64_t)vertex,
		                            (uint32_t)c->new_vertices.count);
		RBL_ASSERT(is_noted);
		(void)is_noted;
		c->new_vertices.data[c->new_vertices.count++] = vertex;
		for (int k = 0; k < 3; ++k) {
			c->new_parents.data[c->new_parents.count++] = parents[k];
			c->new_weights.data[c->new_weights.count++] = weights[k];
		}
	}
}

// @param share  how much of the way to the next point
static rbl_result cut_between(rbl_surface *surface, rbl_surface_body_id body,
                              const rbl_surface_curve *curve, double tolerance, int from,
                              double share)
{
	rbl_vec3d blades[2][2];
	place_blade(curve, from, blades[0]);
	place_blade(curve, from + 1, blades[1]);
	for (int k = 0; k < 2; ++k)
		blades[1][k] = rbl_lerp_d(blades[0][k], blades[1][k], share);
	rbl_surface_knife knife = rbl_default_surface_knife();
	knife.point_count = 2, knife.starts = blades[0], knife.ends = blades[1];
	knife.tolerance = tolerance;
	rbl_surface_edit_def edit;
	rbl_result result = rbl_surface_plan_cut(surface, body, &knife, &edit);
	if (result != RBL_OK || (edit.changed_count == 0 && edit.corner_count == 0))
		return result;
	if (!reserve_new(surface, edit.vertex_count))
		return RBL_OUT_OF_MEMORY;
	result = rbl_surface_edit(surface, body, &edit, NULL);
	if (result == RBL_OK)
		note_vertices(surface, body, &edit);
	return result;
}

// Where the first cut of a curve begins, as a share of the way from a point to the next; and some
// more, so that the last one comes there, or to the sides of the first where it goes beside it.
static double first_share(const rbl_surface *surface, const rbl_surface_curve *curve, int from,
                          double tolerance)
{
	const rbl_surface_cuts *c = surface->cuts;
	rbl_vec3d at = curve->points[from], way;
	way = rbl_sub_d(curve->points[(from + 1) % curve->point_count], at);
	double length = rbl_length_d(way), share = 1.0;
	for (int i = 0; i < c->new_vertices.count && length > 0.0; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_surface_exact(surface, c->new_vertices.data[i], 1), at);
		double along = (rbl_dot_d(d, way) / length + 4.0 * tolerance) / length;
		share = along > 0.0 && along < share ? along : share;
	}
	return share;
}

rbl_result rbl_surface_cut_along(rbl_surface *surface, rbl_surface_body_id body,
                                 const rbl_surface_curve *curve, rbl_surface_cut *cut)
{
	if (!surface || !cut)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or cut is NULL");
	*cut = (rbl_surface_cut){ 0 };
	rbl_result result = check_curve(curve);
	if (result != RBL_OK)
		return result;
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	if (rbl_surface_check_whole(surface, slot) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	rbl_surface_cuts *c = rbl_surface_get_cuts(surface);
	if (!c)
		return RBL_OUT_OF_MEMORY;
	c->new_vertices.count = c->new_parents.count = c->new_weights.count = 0;
	rbl_map_clear(&c->places);
	double tolerance = curve->tolerance > 0.0
	                       ? curve->tolerance
	                       : 0.02 * rbl_surface_cut_mean_edge(surface, &surface->bodies.data[slot]);
	// The first cut begins at the side of a triangle. A closed curve goes on until it gets there.
	int first = -1, points = curve->point_count;
	double begins_at = 1.0;
	for (int i = 0; result == RBL_OK; ++i) {
		if (!curve->is_closed ? i + 1 >= points : i >= points && (first < 0 || i > points + first))
			break;
		bool is_last = i == points + first && first >= 0;
		result =
			cut_between(surface, body, curve, tolerance, i % points, is_last ? begins_at : 1.0);
		if (first < 0 && c->new_vertices.count > 0) {
			first = i;
			begins_at = first_share(surface, curve, i, tolerance);
		}
	}
	*cut = (rbl_surface_cut){ c->new_vertices.count, c->new_vertices.data, c->new_parents.data,
		                      c->new_weights.data };
	return result;
}
