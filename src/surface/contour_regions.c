// SPDX-License-Identifier: MIT
//
// What a contour cuts off of a surface.
//
// Corners of triangles are flooded: from corner to corner of a triangle along edges that the
// contour does not cross, and from triangle to triangle around a vertex. On either side of the
// first edge that it crosses a flood begins, and both take turns. The one that comes to its end
// first has the smaller region; when they meet, the contour does not cut the surface in two. So it
// costs twice what is inside, however large the rest is.

#include "surface/contours.h"

bool rbl_surface_init_regions(rbl_surface_regions *regions, rbl_surface *surface)
{
	rbl_arena *arena = &surface->scratch;
	size_t triangles = (size_t)surface->triangle_end;
	*regions = (rbl_surface_regions){
		.surface = surface,
		.crossings = RBL_ARENA_NEW(arena, unsigned char, 3 * triangles),
		.corner_marks = RBL_ARENA_NEW(arena, int, 3 * triangles),
		.triangle_marks = RBL_ARENA_NEW(arena, int, triangles),
		.vertex_marks = RBL_ARENA_NEW(arena, int, surface->vertex_end),
		.queue = RBL_ARENA_NEW(arena, int, 3 * triangles),
		.queue_size = 3 * surface->triangle_end,
		.walls = { -1, -1 },
	};
	if (!regions->crossings || !regions->corner_marks || !regions->triangle_marks ||
	    !regions->vertex_marks || !regions->queue)
		return false;
	memset(regions->crossings, 0, 3 * triangles * sizeof *regions->crossings);
	memset(regions->corner_marks, 0, 3 * triangles * sizeof *regions->corner_marks);
	memset(regions->triangle_marks, 0, triangles * sizeof *regions->triangle_marks);
	memset(regions->vertex_marks, 0, (size_t)surface->vertex_end * sizeof *regions->vertex_marks);
	return true;
}

void rbl_surface_count_crossings(rbl_surface_regions *regions, const rbl_surface_contour *contour,
                                 int side, bool is_added)
{
	const rbl_surface_contour_lists *lists = &regions->surface->contours;
	for (int i = 0; i < contour->crossing_count; ++i) {
		int edge = lists->crossings.data[contour->crossing_begin + i].edge;
		if (edge < 0 || rbl_surface_crossing_side(lists, contour, i) != side)
			continue;
		unsigned char *count = &regions->crossings[edge];
		// More than a byte holds keep their parity, and never look like one.
		*count = (unsigned char)(!is_added ? 0 : *count < 254 ? *count + 1 : 507 - *count);
	}
}

void rbl_surface_begin_regions(rbl_surface_regions *regions)
{
	regions->stamp += 2;
	regions->counts[0] = regions->counts[1] = 0;
	regions->have_met = false;
}

static int *queue_at(const rbl_surface_regions *regions, int region, int i)
{
	return &regions->queue[region ? regions->queue_size - 1 - i : i];
}

void rbl_surface_enter_region(rbl_surface_regions *regions, int region, int corner)
{
	int *mark = &regions->corner_marks[corner], vertex = regions->surface->triangles[corner];
	if (*mark == regions->stamp + region || vertex == regions->walls[0] ||
	    vertex == regions->walls[1])
		return;
	if (*mark == regions->stamp + !region) {
		regions->have_met = true;
		return;
	}
	*mark = regions->stamp + region;
	*queue_at(regions, region, regions->counts[region]++) = corner;
}

static void spread_region(rbl_surface_regions *regions, int region, int corner)
{
	const rbl_surface *surface = regions->surface;
	int before = rbl_surface_prev(corner), next = rbl_surface_next(corner);
	int twins[2] = { surface->twins[corner], surface->twins[before] };
	if (regions->crossings[rbl_surface_edge_name(surface, corner)] % 2 == 0)
		rbl_surface_enter_region(regions, region, next);
	if (regions->crossings[rbl_surface_edge_name(surface, before)] % 2 == 0)
		rbl_surface_enter_region(regions, region, before);
	if (twins[0] >= 0)
		rbl_surface_enter_region(regions, region, rbl_surface_next(twins[0]));
	if (twins[1] >= 0)
		rbl_surface_enter_region(regions, region, twins[1]);
}

void rbl_surface_flood(rbl_surface_regions *regions)
{
	for (int i = 0; i < regions->counts[0]; ++i)
		spread_region(regions, 0, *queue_at(regions, 0, i));
}

// Flood both by turns. @return the region that comes to its end first, -1: they meet
static int flood_both(rbl_surface_regions *regions)
{
	for (int i = 0; !regions->have_met; ++i)
		for (int region = 0; region < 2; ++region) {
			if (i == regions->counts[region])
				return regions->have_met ? -1 : region;
			spread_region(regions, region, *queue_at(regions, region, i));
		}
	return -1;
}

// Sort what was added to a list.
static bool sort_from(rbl_surface_regions *regions, rbl_surface_ids *list, int begin)
{
	int count = list->count - begin;
	rbl_allocator *allocator = &regions->surface->allocator;
	rbl_sort_item *items = RBL_NEW(allocator, rbl_sort_item, 2 * (size_t)count);
	if (!items)
		return count == 0;
	for (int i = 0; i < count; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)list->data[begin + i], 0 };
	rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i)
		list->data[begin + i] = (int)items[i].key;
	RBL_FREE(allocator, items, 2 * (size_t)count);
	return true;
}

bool rbl_surface_add_region_vertices(rbl_surface_regions *regions, int region,
                                     rbl_surface_ids *list)
{
	const rbl_surface *surface = regions->surface;
	int begin = list->count;
	for (int i = 0; i < regions->counts[region]; ++i) {
		int vertex = surface->triangles[*queue_at(regions, region, i)];
		if (regions->vertex_marks[vertex] == regions->stamp)
			continue;
		regions->vertex_marks[vertex] = regions->stamp;
		if (!rbl_array_push(&surface->allocator, list, vertex))
			return false;
	}
	return sort_from(regions, list, begin);
}

// Triangles with all corners in a region, but for those that the contour goes through.
static bool add_triangles(rbl_surface_regions *regions, int region,
                          const rbl_surface_contour *contour, rbl_surface_ids *list)
{
	const rbl_surface *surface = regions->surface;
	int begin = list->count, stamp = regions->stamp + region;
	for (int i = 0; i < contour->count; ++i) {
		rbl_surface_pair pair = surface->contours.pairs.data[contour->begin + i];
		regions->triangle_marks[pair.a] = regions->triangle_marks[pair.b] = stamp;
	}
	for (int i = 0; i < regions->counts[region]; ++i) {
		int triangle = *queue_at(regions, region, i) / 3;
		const int *marks = regions->corner_marks + 3 * (size_t)triangle;
		if (regions->triangle_marks[triangle] == stamp || marks[0] != stamp || marks[1] != stamp ||
		    marks[2] != stamp)
			continue;
		regions->triangle_marks[triangle] = stamp;
		if (!rbl_array_push(&surface->allocator, list, triangle))
			return false;
	}
	return sort_from(regions, list, begin);
}

// The first edge of a side that is crossed an odd number of times, -1 without.
static int first_crossed(const rbl_surface_regions *regions, const rbl_surface_contour *contour,
                         int side)
{
	const rbl_surface_contour_lists *lists = &regions->surface->contours;
	for (int i = 0; i < contour->crossing_count; ++i) {
		int edge = lists->crossings.data[contour->crossing_begin + i].edge;
		if (edge >= 0 && rbl_surface_crossing_side(lists, contour, i) == side &&
		    regions->crossings[edge] % 2 == 1)
			return edge;
	}
	return -1;
}

// Both sides are one curve where a contour ends at a vertex that they share, or where they change
// places in one round.
static bool is_one_curve(const rbl_surface *surface, const rbl_surface_contour *contour)
{
	const rbl_surface_contour_lists *lists = &surface->contours;
	const rbl_surface_crossing *crossings = lists->crossings.data + contour->crossing_begin;
	const rbl_surface_pair *pairs = lists->pairs.data + contour->begin;
	if (!contour->is_closed)
		return crossings[0].edge < 0 || crossings[contour->crossing_count - 1].edge < 0;
	rbl_surface_pair first = pairs[0], last = pairs[contour->count - 1];
	return first.a != last.a && first.b != last.b;
}

static bool find_inside(rbl_surface_regions *regions, rbl_surface_contour *contour, int side)
{
	rbl_surface_contour_lists *lists = &regions->surface->contours;
	contour->vertex_begin[side] = lists->vertices.count;
	contour->triangle_begin[side] = lists->triangles.count;
	int edge = first_crossed(regions, contour, side);
	if (edge < 0)
		return true;
	rbl_surface_begin_regions(regions);
	rbl_surface_enter_region(regions, 0, edge);
	rbl_surface_enter_region(regions, 1, rbl_surface_next(edge));
	int inside = flood_both(regions);
	if (inside < 0 || regions->counts[inside] == 0)
		return true;
	contour->has_inside[side] = true;
	if (!rbl_surface_add_region_vertices(regions, inside, &lists->vertices) ||
	    !add_triangles(regions, inside, contour, &lists->triangles))
		return false;
	contour->vertex_count[side] = lists->vertices.count - contour->vertex_begin[side];
	contour->triangle_count[side] = lists->triangles.count - contour->triangle_begin[side];
	return true;
}

rbl_result rbl_surface_find_insides(rbl_surface *surface)
{
	rbl_surface_contour_lists *lists = &surface->contours;
	rbl_surface_regions regions;
	rbl_arena_reset(&surface->scratch);
	if (lists->contours.count == 0)
		return RBL_OK;
	if (!rbl_surface_init_regions(&regions, surface))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < lists->contours.count; ++i) {
		rbl_surface_contour *contour = &lists->contours.data[i];
		const rbl_surface_crossing *ends[2] = {
			&lists->crossings.data[contour->crossing_begin],
			&lists->crossings.data[contour->crossing_begin + contour->crossing_count - 1]
		};
		bool is_one = is_one_curve(surface, contour), is_good = true;
		for (int k = 0; k < 2; ++k)
			regions.walls[k] = ends[k]->edge < 0 ? ends[k]->triangle : -1;
		for (int side = 0; side < 2 && is_good; ++side) {
			for (int k = 0; k < 2; ++k)
				if (is_one || k == side)
					rbl_surface_count_crossings(&regions, contour, k, true);
			is_good = find_inside(&regions, contour, side);
			for (int k = 0; k < 2; ++k)
				rbl_surface_count_crossings(&regions, contour, k, false);
		}
		if (!is_good)
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}
