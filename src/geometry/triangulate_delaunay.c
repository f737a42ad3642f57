// SPDX-License-Identifier: MIT
//
// Lawson's flips: an edge between two triangles is turned when the point across lies in the
// circle around the other triangle, or when one of the two is flat, as long as both new triangles
// turn left. All signs are exact, so no flip is ever undone and the loop ends by itself; the
// budget is for rare inputs that need a number of flips square in the number of triangles.

#include "geometry/triangulate.h"

#include "base/sort.h"
#include "geometry/adjacency.h"
#include "geometry/predicates.h"

enum { NO_TWIN = -1, FLIPS_PER_TRIANGLE = 32 };

// Corner 3 t + k of triangle t, also names the edge from it to the next corner.
typedef struct edge_flipper {
	const rbl_point2 *points;
	int *corners;
	int *twins;
	int *queue;
	unsigned char *is_queued;
	int queue_count;
} edge_flipper;

// Pair the edges that run once in each direction and are no edge of the polygon.
static rbl_result find_twins(rbl_arena *scratch, edge_flipper *f, const int *next, int edge_count)
{
	rbl_sort_item64 *items = RBL_ARENA_NEW(scratch, rbl_sort_item64, edge_count);
	rbl_sort_item64 *spare = RBL_ARENA_NEW(scratch, rbl_sort_item64, edge_count);
	if (!items || !spare)
		return RBL_OUT_OF_MEMORY;
	for (int e = 0; e < edge_count; ++e) {
		uint32_t a = (uint32_t)f->corners[e], b = (uint32_t)f->corners[rbl_next_in_triangle(e)];
		uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
		items[e] = (rbl_sort_item64){ key, (uint32_t)e, 0 };
		f->twins[e] = NO_TWIN;
	}
	rbl_sort64(items, spare, edge_count);
	for (int i = 0; i < edge_count;) {
		int end = i + 1;
		while (end < edge_count && items[end].key == items[i].key)
			++end;
		int a = (int)items[i].value, b = (int)items[end - 1].value;
		if (end - i == 2 && f->corners[a] == f->corners[rbl_next_in_triangle(b)] &&
		    next[f->corners[a]] != f->corners[b] && next[f->corners[b]] != f->corners[a])
			f->twins[a] = b, f->twins[b] = a;
		i = end;
	}
	return RBL_OK;
}

static void queue_edge(edge_flipper *f, int edge)
{
	if (f->twins[edge] == NO_TWIN)
		return;
	int name = edge < f->twins[edge] ? edge : f->twins[edge];
	if (f->is_queued[name])
		return;
	f->is_queued[name] = 1;
	f->queue[f->queue_count++] = name;
}

static void set_twins(edge_flipper *f, int a, int b)
{
	f->twins[a] = b;
	if (b != NO_TWIN)
		f->twins[b] = a;
}

static bool should_flip(const edge_flipper *f, int a, int b, int c, int d)
{
	const rbl_point2 *p = f->points;
	if (rbl_point2_turn(p, c, d, b) <= 0 || rbl_point2_turn(p, d, c, a) <= 0)
		return false;
	if (rbl_point2_turn(p, a, b, c) <= 0 || rbl_point2_turn(p, b, a, d) <= 0)
		return true;
	return rbl_incircle(p[a].x, p[a].y, p[b].x, p[b].y, p[c].x, p[c].y, p[d].x, p[d].y) > 0;
}

// Turn the edge a-b of the triangles (a, b, c) and (b, a, d) into c-d, if that is better.
static bool flip_edge(edge_flipper *f, int edge)
{
	if (f->twins[edge] == NO_TWIN) // an earlier flip moved an edge of the polygon here
		return false;
	int e0 = edge, e1 = rbl_next_in_triangle(e0), e2 = rbl_next_in_triangle(e1);
	int g0 = f->twins[edge], g1 = rbl_next_in_triangle(g0), g2 = rbl_next_in_triangle(g1);
	int a = f->corners[e0], b = f->corners[e1], c = f->corners[e2], d = f->corners[g2];
	if (!should_flip(f, a, b, c, d))
		return false;
	int bc = f->twins[e1], ca = f->twins[e2], ad = f->twins[g1], db = f->twins[g2];
	// The first triangle becomes (c, d, b), the second (d, c, a).
	f->corners[e0] = c, f->corners[e1] = d, f->corners[e2] = b;
	f->corners[g0] = d, f->corners[g1] = c, f->corners[g2] = a;
	set_twins(f, e0, g0);
	set_twins(f, e1, db);
	set_twins(f, e2, bc);
	set_twins(f, g1, ca);
	set_twins(f, g2, ad);
	queue_edge(f, e1);
	queue_edge(f, e2);
	queue_edge(f, g1);
	queue_edge(f, g2);
	return true;
}

rbl_result rbl_triangulate_delaunay(rbl_arena *scratch, const rbl_point2 *points, const int *next,
                                    int *triangles, int triangle_count)
{
	int edge_count = 3 * triangle_count;
	edge_flipper f = { .points = points, .corners = triangles };
	f.twins = RBL_ARENA_NEW(scratch, int, edge_count);
	f.queue = RBL_ARENA_NEW(scratch, int, edge_count);
	f.is_queued = RBL_ARENA_NEW(scratch, unsigned char, edge_count);
	if (!f.twins || !f.queue || !f.is_queued)
		return RBL_OUT_OF_MEMORY;
	memset(f.is_queued, 0, (size_t)edge_count);
	rbl_result result = find_twins(scratch, &f, next, edge_count);
	if (result != RBL_OK)
		return result;
	for (int e = 0; e < edge_count; ++e)
		queue_edge(&f, e);
	int64_t budget = (int64_t)triangle_count * FLIPS_PER_TRIANGLE;
	while (f.queue_count > 0 && budget > 0) {
		int edge = f.queue[--f.queue_count];
		f.is_queued[edge] = 0;
		budget -= flip_edge(&f, edge);
	}
	return RBL_OK;
}
