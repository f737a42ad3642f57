// SPDX-License-Identifier: MIT
//
// Overlaps of closed bodies: which way out, and how far.
//
// When `a` moves by a little, the volume of the overlap changes by that times the sum of area
// normals of what of the surface of `a` is within `b`: the flux through it. That part is bounded by
// contours, and the sum of area normals of any part is half the sum of p x q over its boundary, so
// contours are enough. Vertices that are within the other body are flooded from edges that cross
// its surface once: the end behind the face is inside. Rays from these tell how far it is out.

#include "surface/contours.h"
#include "surface/cull.h"
#include "surface/rays.h"

#include "base/log.h"

typedef struct overlap_work {
	rbl_surface *surface;
	rbl_surface_regions regions;
	const rbl_sort_item64 *group; // contours of two bodies
	int count;
} overlap_work;

static const rbl_surface_contour *contour_at(const overlap_work *w, int i)
{
	return &w->surface->contours.contours.data[w->group[i].value];
}

// The half-edge of a triangle that goes by the name of an edge.
static int half_edge_by_name(const rbl_surface *surface, int edge, int triangle)
{
	return edge / 3 == triangle ? edge : surface->twins[edge];
}

// 1 where the contour has what is within `b` on its left, on the surface of `a`; else -1. Who
// leaves a triangle through one of its edges has the end of that edge on the left.
static double contour_sense(const rbl_surface *surface, const rbl_surface_contour *contour)
{
	const rbl_surface_contour_lists *lists = &surface->contours;
	const rbl_surface_crossing *crossing = &lists->crossings.data[contour->crossing_begin + 1];
	rbl_surface_pair left_behind = lists->pairs.data[contour->begin];
	bool is_of_b = rbl_surface_crossing_side(lists, contour, 1) == 1;
	int half_edge =
		half_edge_by_name(surface, crossing->edge, is_of_b ? left_behind.b : left_behind.a);
	int on_left = surface->triangles[rbl_surface_next(half_edge)];
	int side = rbl_surface_perturbed_side(surface, crossing->triangle, on_left);
	return (side < 0) != is_of_b ? 1.0 : -1.0;
}

// Twice the sum of area normals of what it bounds.
static rbl_vec3d contour_area(const rbl_surface *surface, const rbl_surface_contour *contour)
{
	const rbl_surface_crossing *crossings =
		surface->contours.crossings.data + contour->crossing_begin;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, origin = crossings[0].position;
	for (int i = 1; i + 1 < contour->crossing_count; ++i)
		sum = rbl_add_d(sum, rbl_cross_d(rbl_sub_d(crossings[i].position, origin),
		                                 rbl_sub_d(crossings[i + 1].position, origin)));
	return sum;
}

// Vertices of one side within the other body.
static bool find_vertices(overlap_work *w, int side, rbl_surface_overlap *overlap)
{
	rbl_surface_contour_lists *lists = &w->surface->contours;
	overlap->vertex_begin[side] = lists->overlap_vertices.count;
	for (int i = 0; i < w->count; ++i)
		rbl_surface_count_crossings(&w->regions, contour_at(w, i), side, true);
	rbl_surface_begin_regions(&w->regions);
	for (int i = 0; i < w->count; ++i) {
		const rbl_surface_contour *contour = contour_at(w, i);
		for (int k = 0; k < contour->crossing_count; ++k) {
			const rbl_surface_crossing *c = &lists->crossings.data[contour->crossing_begin + k];
			if (rbl_surface_crossing_side(lists, contour, k) != side ||
			    w->regions.crossings[c->edge] != 1)
				continue;
			int vertex = w->surface->triangles[c->edge];
			bool is_first = rbl_surface_perturbed_side(w->surface, c->triangle, vertex) < 0;
			rbl_surface_enter_region(&w->regions, 0,
			                         is_first ? c->edge : rbl_surface_next(c->edge));
		}
	}
	rbl_surface_flood(&w->regions);
	for (int i = 0; i < w->count; ++i)
		rbl_surface_count_crossings(&w->regions, contour_at(w, i), side, false);
	bool is_good = rbl_surface_add_region_vertices(&w->regions, 0, &lists->overlap_vertices);
	overlap->vertex_count[side] = lists->overlap_vertices.count - overlap->vertex_begin[side];
	return is_good;
}

// How far contours reach along a direction.
static double contour_reach(const overlap_work *w, rbl_vec3d direction)
{
	const rbl_surface_contour_lists *lists = &w->surface->contours;
	double low = INFINITY, high = -INFINITY;
	for (int i = 0; i < w->count; ++i)
		for (int k = 0; k < contour_at(w, i)->crossing_count; ++k) {
			int at = contour_at(w, i)->crossing_begin + k;
			double along = rbl_dot_d(direction, lists->crossings.data[at].position);
			low = rbl_mind(low, along), high = rbl_maxd(high, along);
		}
	return high - low;
}

// How far the vertices of one body go to leave the other, at most.
static double way_out(const overlap_work *w, const rbl_surface_overlap *overlap, int side,
                      rbl_vec3d direction)
{
	const rbl_surface *surface = w->surface;
	const rbl_surface_body *other =
		&surface->bodies.data[side ? overlap->a.index : overlap->b.index];
	rbl_vec3 size = rbl_sub(other->tree.bounds.upper, other->tree.bounds.lower);
	double reach = 2.0 * (double)rbl_length(size), most = 0.0;
	const int *vertices = surface->contours.overlap_vertices.data + overlap->vertex_begin[side];
	for (int i = 0; i < overlap->vertex_count[side]; ++i) {
		rbl_surface_ray ray = {
			surface, rbl_surface_exact(surface, vertices[i], 1), { 0.0, 0.0, 0.0 }, -1, 1.0
		};
		ray.to = rbl_add_scaled_d(ray.from, side ? -reach : reach, direction);
		rbl_surface_ray_through(&ray, other);
		if (ray.triangle >= 0)
			most = rbl_maxd(most, ray.share * reach);
	}
	return most;
}

static double overlap_depth(const overlap_work *w, const rbl_surface_overlap *overlap,
                            rbl_vec3d direction)
{
	if (overlap->vertex_count[0] + overlap->vertex_count[1] == 0) // edges cross edges
		return contour_reach(w, direction);
	return rbl_maxd(way_out(w, overlap, 0, direction), way_out(w, overlap, 1, direction));
}

static bool measure_overlap(overlap_work *w)
{
	rbl_surface *surface = w->surface;
	rbl_surface_overlap overlap = { .a = contour_at(w, 0)->bodies[0],
		                            .b = contour_at(w, 0)->bodies[1] };
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	double all = 0.0;
	for (int i = 0; i < w->count; ++i) {
		const rbl_surface_contour *contour = contour_at(w, i);
		if (!contour->is_closed)
			return true; // a filter leaves something out
		rbl_vec3d area = contour_area(surface, contour);
		sum = rbl_add_scaled_d(sum, contour_sense(surface, contour), area);
		all += rbl_length_d(area);
	}
	if (!find_vertices(w, 0, &overlap) || !find_vertices(w, 1, &overlap))
		return false;
	double length = rbl_length_d(sum);
	if (length > 1e-6 * all && length > 0.0) {
		rbl_vec3d direction = rbl_scale_d(-1.0 / length, sum);
		overlap.direction = rbl_to_f(direction);
		overlap.area = (float)(0.5 * length);
		overlap.depth = (float)overlap_depth(w, &overlap, direction);
	}
	return rbl_array_push(&surface->allocator, &surface->contours.overlaps, overlap);
}

static bool is_closed_body(rbl_surface *surface, rbl_surface_body_id id)
{
	return rbl_surface_body_is_closed(surface, &surface->bodies.data[id.index]);
}

static rbl_result measure_overlaps(rbl_surface *surface)
{
	rbl_surface_contour_lists *lists = &surface->contours;
	int all = lists->contours.count, count = 0;
	lists->overlaps.count = lists->overlap_vertices.count = 0;
	rbl_arena_reset(&surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item64, 2 * (size_t)all);
	overlap_work w = { .surface = surface };
	if (!items || !rbl_surface_init_regions(&w.regions, surface))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < all; ++i) {
		const rbl_surface_body_id *bodies = lists->contours.data[i].bodies;
		if (bodies[0].index != bodies[1].index && is_closed_body(surface, bodies[0]) &&
		    is_closed_body(surface, bodies[1]))
			items[count++] =
				(rbl_sort_item64){ .key = (uint64_t)bodies[0].index << 32 | bodies[1].index,
				                   .value = (uint32_t)i };
	}
	rbl_sort64(items, items + all, count);
	for (int begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count && items[end].key == items[begin].key;)
			end++;
		w.group = items + begin, w.count = end - begin;
		if (!measure_overlap(&w))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

rbl_result rbl_surface_get_overlaps(rbl_surface *surface, rbl_surface_overlaps *list)
{
	if (list)
		*list = (rbl_surface_overlaps){ NULL, 0, NULL };
	rbl_surface_contours contours;
	if (!list)
		return rbl_fail(RBL_BAD_ARGUMENT, "list is NULL");
	rbl_result result = rbl_surface_get_contours(surface, &contours);
	if (result == RBL_OK)
		result = measure_overlaps(surface);
	if (result == RBL_OK)
		*list = (rbl_surface_overlaps){ surface->contours.overlaps.data,
			                            surface->contours.overlaps.count,
			                            surface->contours.overlap_vertices.data };
	return result;
}
