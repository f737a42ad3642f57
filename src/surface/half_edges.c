// SPDX-License-Identifier: MIT
//
// Joining half-edges: sorted by their two vertices, those of one edge lie together.
//
// Of a whole body, where vertices are counted from 0, half-edges are counted out to the lower of
// their vertices instead, and matched among the few at each. Workers have a range of vertices each,
// and look for what belongs to it.
//
// Two half-edges in opposite directions are twins. One is a boundary. More than two, or two in the
// same direction, are a non-manifold edge: none of them is joined, so the surface falls into
// manifold parts there.

#include "surface/clusters.h"

#include "base/bits.h"
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

// --- of a whole body ----------------------------------------------------------------------------

enum {
	FEW = 24,          // half-edges at a vertex that are matched one by one
	JOIN_RANGE = 8192, // vertices that a worker has at least
	JOIN_BLOCK = 2048, // vertices of a job
};

// Half-edges by their lower vertex: those of vertex v are list[ends[v - 1]] to list[ends[v] - 1],
// ascending.
typedef struct join_work {
	const int *triangles;
	int half_edge_count, vertex_count, ranges;
	int *ends, *list, *twins;
} join_work;

static int first_of_range(const join_work *w, int range)
{
	return (int)((int64_t)w->vertex_count * range / w->ranges);
}

static void count_range(void *context, int begin, int end, int worker)
{
	(void)worker;
	const join_work *w = context;
	unsigned first = (unsigned)first_of_range(w, begin);
	unsigned count = (unsigned)first_of_range(w, end) - first;
	memset(w->ends + first, 0, count * sizeof *w->ends);
	for (int t = 0; t < w->half_edge_count; t += 3) {
		const int *v = w->triangles + t;
		int lows[3] = { rbl_mini(v[0], v[1]), rbl_mini(v[1], v[2]), rbl_mini(v[2], v[0]) };
		for (int k = 0; k < 3; ++k)
			if ((unsigned)lows[k] - first < count)
				w->ends[lows[k]]++;
	}
}

// Ends are starts before; they end up where they belong.
static void place_range(void *context, int begin, int end, int worker)
{
	(void)worker;
	const join_work *w = context;
	unsigned first = (unsigned)first_of_range(w, begin);
	unsigned count = (unsigned)first_of_range(w, end) - first;
	for (int t = 0; t < w->half_edge_count; t += 3) {
		const int *v = w->triangles + t;
		int lows[3] = { rbl_mini(v[0], v[1]), rbl_mini(v[1], v[2]), rbl_mini(v[2], v[0]) };
		for (int k = 0; k < 3; ++k)
			if ((unsigned)lows[k] - first < count)
				w->list[w->ends[lows[k]]++] = t + k;
	}
}

static void match_few(const join_work *w, const int *list, int count)
{
	int highs[FEW];
	uint32_t left = 0;
	for (int i = 0; i < count; ++i) {
		highs[i] = rbl_maxi(w->triangles[list[i]], w->triangles[rbl_surface_next(list[i])]);
		left |= 1u << i;
	}
	for (int i = 0; i < count; ++i) {
		uint32_t same = 0;
		for (int k = i + 1; k < count; ++k)
			same |= (uint32_t)(highs[k] == highs[i]) << k;
		if (!(left >> i & 1u))
			continue;
		left &= ~same;
		int other = same ? list[rbl_lowest_one(same)] : -1;
		if (other < 0) {
			w->twins[list[i]] = RBL_SURFACE_BOUNDARY;
		} else if ((same & (same - 1)) == 0 && w->triangles[list[i]] != w->triangles[other]) {
			w->twins[list[i]] = other, w->twins[other] = list[i];
		} else {
			w->twins[list[i]] = RBL_SURFACE_NON_MANIFOLD;
			for (; same; same &= same - 1)
				w->twins[list[rbl_lowest_one(same)]] = RBL_SURFACE_NON_MANIFOLD_REST;
		}
	}
}

static int degree(const join_work *w, int vertex)
{
	return w->ends[vertex] - (vertex > 0 ? w->ends[vertex - 1] : 0);
}

static void match_vertices(void *context, int begin, int end, int worker)
{
	(void)worker;
	const join_work *w = context;
	for (int v = begin; v < end; ++v)
		if (degree(w, v) <= FEW)
			match_few(w, w->list + w->ends[v] - degree(w, v), degree(w, v));
}

// Vertices with many half-edges.
static bool match_others(const join_work *w, rbl_arena *arena)
{
	int count = 0;
	for (int v = 0; v < w->vertex_count; ++v)
		count += degree(w, v) > FEW ? degree(w, v) : 0;
	rbl_surface_edge_work work;
	if (!rbl_surface_edge_work_init(&work, arena, count))
		return false;
	for (int v = 0; v < w->vertex_count && work.count < count; ++v)
		for (int i = w->ends[v] - degree(w, v); i < w->ends[v] && degree(w, v) > FEW; ++i) {
			int h = w->list[i];
			rbl_surface_edge_work_add(&work, h, w->triangles[h], w->triangles[rbl_surface_next(h)]);
		}
	rbl_surface_edge_work_sort(&work);
	rbl_surface_edge_work_join(&work, NULL, w->twins);
	return true;
}

bool rbl_surface_join_body(rbl_jobs *jobs, rbl_arena *arena, const int *triangles,
                           int triangle_count, int vertex_count, int *twins)
{
	int ranges = rbl_mini(rbl_jobs_worker_count(jobs), 1 + vertex_count / JOIN_RANGE);
	join_work w = { .triangles = triangles,
		            .half_edge_count = 3 * triangle_count,
		            .vertex_count = vertex_count,
		            .ranges = ranges,
		            .ends = RBL_ARENA_NEW(arena, int, vertex_count),
		            .list = RBL_ARENA_NEW(arena, int, 3 * (size_t)triangle_count),
		            .twins = twins };
	if (!w.ends || !w.list)
		return false;
	rbl_parallel_for(jobs, ranges, 1, count_range, &w);
	for (int v = 0, sum = 0; v < vertex_count; ++v) {
		int count = w.ends[v];
		w.ends[v] = sum;
		sum += count;
	}
	rbl_parallel_for(jobs, ranges, 1, place_range, &w);
	rbl_parallel_for(jobs, vertex_count, JOIN_BLOCK, match_vertices, &w);
	return match_others(&w, arena);
}
