// SPDX-License-Identifier: MIT
//
// Joining half-edges: sorted by their two vertices, those of one edge lie together.
//
// Two half-edges in opposite directions are twins. One is a boundary. More than two, or two in the
// same direction, are a non-manifold edge: none of them is joined, so the surface falls into
// manifold parts there.

#include "surface/surface.h"

#include "base/sort.h"

bool rbl_surface_edge_work_init(rbl_surface_edge_work *work, rbl_arena *arena, int capacity)
{
	work->count = 0;
	work->items = RBL_ARENA_NEW(arena, rbl_sort_item64, capacity);
	work->spare = RBL_ARENA_NEW(arena, rbl_sort_item64, capacity);
	return work->items && work->spare;
}

void rbl_surface_edge_work_add(rbl_surface_edge_work *work, int half_edge, int from, int to)
{
	int low = from < to ? from : to, high = from < to ? to : from;
	work->items[work->count++] =
		(rbl_sort_item64){ .key = (uint64_t)(uint32_t)low << 32 | (uint32_t)high,
		                   .value = (uint32_t)half_edge,
		                   .extra = from < to };
}

void rbl_surface_edge_work_sort(rbl_surface_edge_work *work)
{
	rbl_sort64(work->items, work->spare, work->count);
}

// Two half-edges of one edge that run in opposite directions.
static bool are_twins(const rbl_sort_item64 *items, int begin, int end)
{
	return end - begin == 2 && items[begin].extra != items[begin + 1].extra;
}

static int edge_end(const rbl_surface_edge_work *work, int begin)
{
	int end = begin + 1;
	while (end < work->count && work->items[end].key == work->items[begin].key)
		end++;
	return end;
}

static int name_of(rbl_sort_item64 item, const int *names)
{
	return names ? names[item.value] : (int)item.value;
}

void rbl_surface_edge_work_join(const rbl_surface_edge_work *work, const int *names, int *twins)
{
	const rbl_sort_item64 *items = work->items;
	for (int begin = 0, end; begin < work->count; begin = end) {
		end = edge_end(work, begin);
		if (end - begin == 1) {
			twins[items[begin].value] = RBL_SURFACE_BOUNDARY;
		} else if (are_twins(items, begin, end)) {
			twins[items[begin].value] = (int)items[begin + 1].value;
			twins[items[begin + 1].value] = (int)items[begin].value;
		} else {
			int first = begin;
			for (int i = begin + 1; i < end; ++i)
				first = name_of(items[i], names) < name_of(items[first], names) ? i : first;
			for (int i = begin; i < end; ++i)
				twins[items[i].value] =
					i == first ? RBL_SURFACE_NON_MANIFOLD : RBL_SURFACE_NON_MANIFOLD_REST;
		}
	}
}
