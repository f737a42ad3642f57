// SPDX-License-Identifier: MIT
//
// Seams: listing corners and edges by place. Triangles along cracks are found by one bit for each
// vertex, which all fit into the nearest cache, then read once, ascending: so lists are in order,
// and nothing is sorted but the numbers of these triangles. Memory that is touched costs as much as
// what is done with it, so faces and edges have one record each, and places have lists of numbers.

#include "surface/seam.h"

#include "ccd/ccd.h"

enum { SEAM_LISTS_AHEAD = 8 };

/// A triangle with a corner at a place, ascending.
typedef struct seam_triangle {
	int vertices[3], places[3];
	int id;
	uint32_t owned; // bit k: its edge k belongs to it
} seam_triangle;

typedef struct gathering {
	rbl_surface *surface;
	rbl_surface_seam_lists *lists;
	seam_triangle *triangles;
	int *next_corner, *next_spoke; // by place: where the next goes
} gathering;

static rbl_vec3d vector_between(rbl_vec3 from, rbl_vec3 to)
{
	return rbl_sub_d(rbl_to_d(to), rbl_to_d(from));
}

static double square_of(rbl_vec3d a)
{
	return rbl_dot_d(a, a);
}

static uint64_t bit_of(const uint64_t *bits, int i)
{
	return bits[i >> 6] >> (i & 63) & 1u;
}

// The edges that belong to a triangle: bit k.
static uint32_t owned_edges(const rbl_surface *surface, int triangle)
{
	uint32_t bits = 0;
	for (int k = 0; k < 3; ++k)
		bits |= (uint32_t)rbl_surface_owns_edge(surface, 3 * triangle + k) << k;
	return bits;
}

static void load_triangle(const rbl_surface *surface, int id, seam_triangle *t)
{
	t->id = id;
	t->owned = owned_edges(surface, id);
	for (int k = 0; k < 3; ++k) {
		t->vertices[k] = surface->triangles[3 * id + k];
		t->places[k] = surface->places[t->vertices[k]];
	}
}

// Count what a triangle brings to each place, at [place + 1].
static void count_triangle(rbl_surface_seam_lists *lists, const seam_triangle *t)
{
	for (int k = 0; k < 3; ++k)
		lists->corner_starts[t->places[k] + 1]++;
	for (int k = 0; k < 3; ++k) {
		int place = t->places[k], next = t->places[k < 2 ? k + 1 : 0];
		bool is_owned = t->owned >> k & 1u;
		lists->edge_count += is_owned && (place || next);
		lists->spoke_starts[place + 1] += is_owned;
		lists->spoke_starts[next + 1] += is_owned && next != place;
	}
}

// All triangles with corners at places, in order. @return false when memory ran out
static bool find_triangles(rbl_surface *surface)
{
	size_t words = (size_t)surface->vertex_end / 64 + 1;
	uint64_t *bits = RBL_ARENA_NEW(&surface->seam_scratch, uint64_t, words);
	if (!bits)
		return false;
	memset(bits, 0, words * sizeof *bits);
	for (int i = 0; i < surface->placed_count; ++i)
		bits[surface->placed[i] >> 6] |= UINT64_C(1) << (surface->placed[i] & 63);
	surface->seam_triangles.count = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot) || !body->self.may_have_seams)
			continue;
		for (int i = 0; i < body->triangles.count; ++i) {
			if (i + 2 * SEAM_LISTS_AHEAD < body->triangles.count)
				rbl_prefetch(
					&surface->triangles[3 * body->triangles.data[i + 2 * SEAM_LISTS_AHEAD]]);
			int t = body->triangles.data[i];
			const int *v = surface->triangles + 3 * t;
			if (!(bit_of(bits, v[0]) | bit_of(bits, v[1]) | bit_of(bits, v[2])))
				continue;
			const rbl_sort_item item = { (uint32_t)t, 0 };
			if (!rbl_array_push(&surface->allocator, &surface->seam_triangles, item))
				return false;
		}
	}
	int count = surface->seam_triangles.count;
	rbl_sort_item *spare = RBL_ARENA_NEW(&surface->seam_scratch, rbl_sort_item, count);
	if (!spare)
		return false;
	rbl_sort(surface->seam_triangles.data, spare, count);
	return true;
}

// Turn counts of places, at [place + 1], into starts; place 0 is none.
static void sum_up(int *starts, int place_count)
{
	starts[1] = 0;
	for (int place = 1; place <= place_count; ++place)
		starts[place + 1] += starts[place];
}

static void prefetch_triangle(const rbl_surface *surface, uint32_t triangle)
{
	rbl_prefetch(&surface->triangles[3 * triangle]);
	rbl_prefetch(&surface->twins[3 * triangle]);
}

static void prefetch_places(const rbl_surface *surface, uint32_t triangle)
{
	for (int k = 0; k < 3; ++k)
		rbl_prefetch(&surface->places[surface->triangles[3 * triangle + k]]);
}

static bool count_all(gathering *g)
{
	rbl_surface *surface = g->surface;
	rbl_surface_seam_lists *lists = g->lists;
	rbl_arena *arena = &surface->seam_scratch;
	size_t size = (size_t)surface->place_count + 2;
	lists->corner_starts = RBL_ARENA_NEW(arena, int, size);
	lists->spoke_starts = RBL_ARENA_NEW(arena, int, size);
	g->next_corner = RBL_ARENA_NEW(arena, int, size);
	g->next_spoke = RBL_ARENA_NEW(arena, int, size);
	g->triangles = RBL_ARENA_NEW(arena, seam_triangle, surface->seam_triangles.count);
	if (!lists->corner_starts || !lists->spoke_starts || !g->next_corner || !g->next_spoke ||
	    !g->triangles)
		return false;
	memset(lists->corner_starts, 0, size * sizeof(int));
	memset(lists->spoke_starts, 0, size * sizeof(int));
	const rbl_sort_item *items = surface->seam_triangles.data;
	for (int i = 0, count = surface->seam_triangles.count; i < count; ++i) {
		if (i + 2 * SEAM_LISTS_AHEAD < count)
			prefetch_triangle(surface, items[i + 2 * SEAM_LISTS_AHEAD].key);
		if (i + SEAM_LISTS_AHEAD < count)
			prefetch_places(surface, items[i + SEAM_LISTS_AHEAD].key);
		load_triangle(surface, (int)items[i].key, &g->triangles[i]);
		count_triangle(lists, &g->triangles[i]);
	}
	sum_up(lists->corner_starts, surface->place_count);
	sum_up(lists->spoke_starts, surface->place_count);
	memcpy(g->next_corner, lists->corner_starts, size * sizeof(int));
	memcpy(g->next_spoke, lists->spoke_starts, size * sizeof(int));
	lists->faces = RBL_ARENA_NEW(arena, rbl_surface_seam_face, surface->seam_triangles.count);
	lists->edges = RBL_ARENA_NEW(arena, rbl_surface_seam_edge, lists->edge_count);
	lists->edge_ids = RBL_ARENA_NEW(arena, int, lists->edge_count);
	lists->corners = RBL_ARENA_NEW(arena, uint32_t, lists->corner_starts[size - 1]);
	lists->spokes = RBL_ARENA_NEW(arena, uint32_t, lists->spoke_starts[size - 1]);
	return lists->faces && lists->edges && lists->edge_ids && lists->corners && lists->spokes;
}

static void list_face(gathering *g, int face, const seam_triangle *t, const rbl_vec3 starts[3])
{
	rbl_vec3d e = vector_between(starts[0], starts[1]), f = vector_between(starts[0], starts[2]);
	g->lists->faces[face] =
		(rbl_surface_seam_face){ .across = rbl_ccd_across(e, f, square_of(e) * square_of(f)),
		                         .triangle = t->id,
		                         .vertices = { t->vertices[0], t->vertices[1], t->vertices[2] } };
	for (int k = 0; k < 3; ++k)
		if (t->places[k])
			g->lists->corners[g->next_corner[t->places[k]]++] = 4u * (uint32_t)face + (uint32_t)k;
}

static void list_edge(gathering *g, int edge, const seam_triangle *t, const rbl_vec3 starts[3],
                      int first, int last)
{
	int from = t->places[first], to = t->places[last];
	g->lists->edges[edge] =
		(rbl_surface_seam_edge){ .vector = vector_between(starts[first], starts[last]),
		                         .ends = { t->vertices[first], t->vertices[last] },
		                         .places = { from, to } };
	if (from)
		g->lists->spokes[g->next_spoke[from]++] = 2u * (uint32_t)edge;
	if (to && to != from)
		g->lists->spokes[g->next_spoke[to]++] = 2u * (uint32_t)edge + 1u;
}

static void list_triangles(gathering *g)
{
	const rbl_surface *surface = g->surface;
	const rbl_vec3 *positions = surface->positions[0];
	int count = surface->seam_triangles.count, edge_count = 0;
	for (int i = 0; i < count; ++i) {
		const seam_triangle *t = &g->triangles[i];
		for (int k = 0; k < 3 && i + SEAM_LISTS_AHEAD < count; ++k)
			rbl_prefetch(&positions[t[SEAM_LISTS_AHEAD].vertices[k]]);
		const rbl_vec3 starts[3] = { positions[t->vertices[0]], positions[t->vertices[1]],
			                         positions[t->vertices[2]] };
		list_face(g, i, t, starts);
		for (int k = 0; k < 3; ++k) {
			int next = k < 2 ? k + 1 : 0;
			if (!(t->owned >> k & 1u) || (t->places[k] == 0 && t->places[next] == 0))
				continue;
			g->lists->edge_ids[edge_count] = 3 * t->id + k;
			list_edge(g, edge_count++, t, starts, k, next);
		}
	}
	RBL_ASSERT(edge_count == g->lists->edge_count);
}

static bool list_vertices(gathering *g)
{
	rbl_surface *surface = g->surface;
	rbl_surface_seam_lists *lists = g->lists;
	int count = surface->placed_count;
	size_t places = (size_t)surface->place_count + 1;
	lists->vertices = RBL_ARENA_NEW(&surface->seam_scratch, rbl_sort_item, 2 * (size_t)count);
	lists->vertex_counts = RBL_ARENA_NEW(&surface->seam_scratch, int, places);
	if (!lists->vertices || !lists->vertex_counts)
		return false;
	memset(lists->vertex_counts, 0, places * sizeof(int));
	for (int i = 0; i < count; ++i) {
		int v = surface->placed[i], place = surface->places[v];
		lists->vertices[i] = (rbl_sort_item){ (uint32_t)v, (uint32_t)place };
		lists->vertex_counts[place]++;
	}
	rbl_sort(lists->vertices, lists->vertices + count, count);
	return true;
}

bool rbl_surface_list_seams(rbl_surface *surface, rbl_surface_seam_lists *lists)
{
	gathering g = { .surface = surface, .lists = lists };
	*lists = (rbl_surface_seam_lists){ .edge_count = 0 };
	if (!find_triangles(surface) || !count_all(&g) || !list_vertices(&g))
		return false;
	list_triangles(&g);
	return true;
}
