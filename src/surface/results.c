// SPDX-License-Identifier: MIT
//
// Results by the owner's numbers: user ids, names of what a list has, lists by bodies, and where
// vertices and triangles are.
//
// Lists are in the order of the surface's own ids, and stay so. Names lie beside a list; groups
// by bodies are an order of its entries. Both are made when somebody asks.

#include "surface/query.h"

#include "base/log.h"

rbl_result rbl_surface_check_user_ids(const int *user_ids, int count)
{
	for (int i = 0; user_ids && i < count; ++i)
		if (user_ids[i] < -1)
			return rbl_fail(RBL_BAD_ARGUMENT, "user id %d is %d, must be -1 or more", i,
			                user_ids[i]);
	return RBL_OK;
}

bool rbl_surface_reserve_user_ids(rbl_surface *surface, bool of_vertices, bool of_triangles)
{
	int first = surface->vertex_user_ids.count;
	if (of_vertices && first < surface->vertex_capacity) {
		if (!rbl_array_resize(&surface->allocator, &surface->vertex_user_ids,
		                      surface->vertex_capacity))
			return false;
		for (int i = first; i < surface->vertex_capacity; ++i)
			surface->vertex_user_ids.data[i] = -1;
	}
	first = surface->triangle_user_ids.count;
	if (of_triangles && first < surface->triangle_capacity) {
		if (!rbl_array_resize(&surface->allocator, &surface->triangle_user_ids,
		                      surface->triangle_capacity))
			return false;
		for (int i = first; i < surface->triangle_capacity; ++i)
			surface->triangle_user_ids.data[i] = -1;
	}
	return true;
}

rbl_result rbl_surface_set_vertex_user_ids(rbl_surface *surface, const int *vertices,
                                           const int *user_ids, int count)
{
	if (!surface || count < 0 || (count > 0 && (!vertices || !user_ids)))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, vertices or user_ids is missing");
	for (int i = 0; i < count; ++i)
		if (vertices[i] < 0 || vertices[i] >= surface->vertex_end ||
		    surface->anchors[vertices[i]] < -1)
			return rbl_fail(RBL_BAD_ARGUMENT, "there is no vertex %d", vertices[i]);
	rbl_result result = rbl_surface_check_user_ids(user_ids, count);
	if (result != RBL_OK)
		return result;
	if (!rbl_surface_reserve_user_ids(surface, true, false))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		surface->vertex_user_ids.data[vertices[i]] = user_ids[i];
	return RBL_OK;
}

rbl_result rbl_surface_set_triangle_user_ids(rbl_surface *surface, const int *triangles,
                                             const int *user_ids, int count)
{
	if (!surface || count < 0 || (count > 0 && (!triangles || !user_ids)))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, triangles or user_ids is missing");
	for (int i = 0; i < count; ++i)
		if (triangles[i] < 0 || triangles[i] >= surface->triangle_end ||
		    surface->clusters[triangles[i]] < 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "there is no triangle %d", triangles[i]);
	rbl_result result = rbl_surface_check_user_ids(user_ids, count);
	if (result != RBL_OK)
		return result;
	if (!rbl_surface_reserve_user_ids(surface, false, true))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		surface->triangle_user_ids.data[triangles[i]] = user_ids[i];
	return RBL_OK;
}

uint64_t rbl_surface_body_user_id(const rbl_surface *surface, rbl_surface_body_id body)
{
	int slot = surface ? rbl_surface_slot(surface, body) : -1;
	return slot < 0 ? 0 : surface->bodies.data[slot].settings.user_id;
}

// --- lists --------------------------------------------------------------------------------------

// What is listed: two features or two triangles, with a triangle of each.
typedef struct entry {
	rbl_surface_hit_kind kind;
	int a, b;
} entry;

static int entry_count(const rbl_surface *surface)
{
	switch (surface->listed) {
	case RBL_LISTS_PAIRS:
		return surface->pairs.count;
	case RBL_LISTS_HITS:
		return surface->hits.count;
	case RBL_LISTS_NEAR_PAIRS:
		return surface->near_pairs.count;
	default:
		return 0;
	}
}

static entry entry_at(const rbl_surface *surface, int i)
{
	if (surface->listed == RBL_LISTS_PAIRS)
		return (entry){ RBL_HIT_TRIANGLES, surface->pairs.data[i].a, surface->pairs.data[i].b };
	if (surface->listed == RBL_LISTS_HITS)
		return (entry){ surface->hits.data[i].kind, surface->hits.data[i].a,
			            surface->hits.data[i].b };
	return (entry){ surface->near_pairs.data[i].kind, surface->near_pairs.data[i].a,
		            surface->near_pairs.data[i].b };
}

static void triangles_of_entry(const rbl_surface *surface, entry e, int triangles[2])
{
	triangles[0] = e.kind == RBL_HIT_VERTEX_FACE ? surface->anchors[e.a] / 3
	               : e.kind == RBL_HIT_EDGE_EDGE ? e.a / 3
	                                             : e.a;
	triangles[1] = e.kind == RBL_HIT_EDGE_EDGE ? e.b / 3 : e.b;
}

static int slot_of_triangle(const rbl_surface *surface, int triangle)
{
	return surface->cluster_data[surface->clusters[triangle]].body;
}

static rbl_surface_body_id id_of_slot(const rbl_surface *surface, int slot)
{
	rbl_id id = rbl_id_pool_at(&surface->ids, slot);
	return (rbl_surface_body_id){ id.index, id.generation };
}

static void name_entry(const rbl_surface *surface, entry e, rbl_surface_names *names)
{
	int triangles[2], v[6] = { -1, -1, -1, -1, -1, -1 }, count = 4;
	triangles_of_entry(surface, e, triangles);
	if (e.kind == RBL_HIT_TRIANGLES) {
		memcpy(v, surface->triangles + 3 * (size_t)e.a, 3 * sizeof *v);
		memcpy(v + 3, surface->triangles + 3 * (size_t)e.b, 3 * sizeof *v);
		count = 6;
	} else {
		rbl_surface_feature_vertices(surface, e.kind, e.a, e.b, v);
	}
	*names = (rbl_surface_names){ .vertices = { -1, -1, -1, -1, -1, -1 }, .triangles = { -1, -1 } };
	for (int i = 0; i < count && surface->vertex_user_ids.count > 0; ++i)
		names->vertices[i] = surface->vertex_user_ids.data[v[i]];
	for (int side = 0; side < 2; ++side) {
		int slot = slot_of_triangle(surface, triangles[side]);
		names->bodies[side] = id_of_slot(surface, slot);
		names->body_user_ids[side] = surface->bodies.data[slot].settings.user_id;
		if (surface->triangle_user_ids.count > 0 && (side || e.kind != RBL_HIT_VERTEX_FACE))
			names->triangles[side] = surface->triangle_user_ids.data[triangles[side]];
	}
}

rbl_result rbl_surface_get_names(rbl_surface *surface, rbl_surface_name_list *list)
{
	if (list)
		*list = (rbl_surface_name_list){ NULL, 0 };
	if (!surface || !list)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or list is NULL");
	if (!surface->is_ready || surface->listed == RBL_LISTS_NOTHING)
		return rbl_fail(RBL_BAD_ARGUMENT, "a query that lists something must come first");
	int count = entry_count(surface);
	if (!rbl_array_resize(&surface->allocator, &surface->names, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		name_entry(surface, entry_at(surface, i), &surface->names.data[i]);
	*list = (rbl_surface_name_list){ surface->names.data, count };
	return RBL_OK;
}

static uint64_t body_key(const rbl_surface *surface, int i)
{
	int triangles[2];
	triangles_of_entry(surface, entry_at(surface, i), triangles);
	int a = slot_of_triangle(surface, triangles[0]), b = slot_of_triangle(surface, triangles[1]);
	return (uint64_t)rbl_mini(a, b) << 32 | (uint64_t)rbl_maxi(a, b);
}

rbl_result rbl_surface_get_ranges(rbl_surface *surface, rbl_surface_ranges *ranges)
{
	if (ranges)
		*ranges = (rbl_surface_ranges){ NULL, 0, NULL, 0 };
	if (!surface || !ranges)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or ranges is NULL");
	if (!surface->is_ready || surface->listed == RBL_LISTS_NOTHING)
		return rbl_fail(RBL_BAD_ARGUMENT, "a query that lists something must come first");
	int count = entry_count(surface);
	rbl_arena_reset(&surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item64, 2 * (size_t)count);
	if (!items || !rbl_array_resize(&surface->allocator, &surface->range_order, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		items[i] = (rbl_sort_item64){ .key = body_key(surface, i), .value = (uint32_t)i };
	rbl_sort64(items, items + count, count);
	surface->ranges.count = 0;
	for (int i = 0; i < count; ++i) {
		surface->range_order.data[i] = (int)items[i].value;
		if (i == 0 || items[i].key != items[i - 1].key) {
			rbl_surface_range next = { id_of_slot(surface, (int)(items[i].key >> 32)),
				                       id_of_slot(surface, (int)(uint32_t)items[i].key), i, 0 };
			if (!rbl_array_push(&surface->allocator, &surface->ranges, next))
				return RBL_OUT_OF_MEMORY;
		}
		surface->ranges.data[surface->ranges.count - 1].count++;
	}
	*ranges = (rbl_surface_ranges){ surface->ranges.data, surface->ranges.count,
		                            surface->range_order.data, count };
	return RBL_OK;
}

// --- places -------------------------------------------------------------------------------------

rbl_result rbl_surface_get_map(rbl_surface *surface, rbl_surface_map *map)
{
	if (map)
		*map = (rbl_surface_map){ NULL, NULL };
	if (!surface || !map)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or map is NULL");
	if (!rbl_array_resize(&surface->allocator, &surface->vertex_map, surface->vertex_end) ||
	    !rbl_array_resize(&surface->allocator, &surface->triangle_map, surface->triangle_end))
		return RBL_OUT_OF_MEMORY;
	rbl_surface_place *vertices = surface->vertex_map.data;
	rbl_surface_place *triangles = surface->triangle_map.data;
	for (int i = 0; i < surface->vertex_end; ++i)
		vertices[i] = (rbl_surface_place){ { 0, 0 }, 0 };
	for (int i = 0; i < surface->triangle_end; ++i)
		triangles[i] = (rbl_surface_place){ { 0, 0 }, 0 };
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		const rbl_surface_body *body = &surface->bodies.data[slot];
		rbl_surface_body_id id = id_of_slot(surface, slot);
		for (int i = 0; i < body->vertices.count; ++i)
			vertices[body->vertices.data[i]] = (rbl_surface_place){ id, i };
		for (int i = 0; i < body->triangles.count; ++i)
			triangles[body->triangles.data[i]] = (rbl_surface_place){ id, i };
	}
	*map = (rbl_surface_map){ vertices, triangles };
	return RBL_OK;
}

static size_t contour_memory(const rbl_surface_contour_lists *lists)
{
	return (size_t)lists->contours.capacity * sizeof *lists->contours.data +
	       (size_t)lists->pairs.capacity * sizeof *lists->pairs.data +
	       (size_t)lists->crossings.capacity * sizeof *lists->crossings.data +
	       (size_t)lists->touching.capacity * sizeof *lists->touching.data +
	       (size_t)lists->overlaps.capacity * sizeof *lists->overlaps.data +
	       (size_t)lists->vertices.capacity * sizeof *lists->vertices.data +
	       (size_t)lists->triangles.capacity * sizeof *lists->triangles.data +
	       (size_t)lists->overlap_vertices.capacity * sizeof *lists->overlap_vertices.data;
}

static void free_contours(const rbl_allocator *allocator, rbl_surface_contour_lists *lists)
{
	rbl_array_free(allocator, &lists->contours);
	rbl_array_free(allocator, &lists->pairs);
	rbl_array_free(allocator, &lists->crossings);
	rbl_array_free(allocator, &lists->touching);
	rbl_array_free(allocator, &lists->overlaps);
	rbl_array_free(allocator, &lists->vertices);
	rbl_array_free(allocator, &lists->triangles);
	rbl_array_free(allocator, &lists->overlap_vertices);
}

size_t rbl_surface_results_memory(const rbl_surface *surface)
{
	return contour_memory(&surface->contours) +
	       (size_t)surface->names.capacity * sizeof *surface->names.data +
	       (size_t)surface->segments.capacity * sizeof *surface->segments.data +
	       (size_t)surface->ranges.capacity * sizeof *surface->ranges.data +
	       (size_t)surface->range_order.capacity * sizeof *surface->range_order.data +
	       (size_t)surface->vertex_map.capacity * sizeof *surface->vertex_map.data +
	       (size_t)surface->triangle_map.capacity * sizeof *surface->triangle_map.data;
}

void rbl_surface_free_results(rbl_surface *surface)
{
	free_contours(&surface->allocator, &surface->contours);
	rbl_array_free(&surface->allocator, &surface->names);
	rbl_array_free(&surface->allocator, &surface->segments);
	rbl_array_free(&surface->allocator, &surface->ranges);
	rbl_array_free(&surface->allocator, &surface->range_order);
	rbl_array_free(&surface->allocator, &surface->vertex_map);
	rbl_array_free(&surface->allocator, &surface->triangle_map);
}
