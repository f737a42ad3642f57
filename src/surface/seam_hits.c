// SPDX-License-Identifier: MIT
//
// Seams: writing their hits. Corners and edges at each place are listed in ascending order, so hits come
// out in the order of the answer, and nothing is sorted but these lists.

#include "surface/ccd_touch.h"
#include "surface/seams.h"

/// A corner of a face at a place.
typedef struct seam_corner {
	int half_edge; // that starts there
	int vertices[3];
	rbl_vec3d across; // unit normal of the face, or zero
} seam_corner;

/// An edge with an end or both at places.
typedef struct seam_edge {
	int edge, from, to;
	int from_place, to_place; // 0: none
	rbl_vec3d along;
	double square; // of its length
} seam_edge;

typedef struct seam_lists {
	rbl_surface *surface;
	seam_corner *corners; // by place
	int *corner_starts;   // by place, and one more
	seam_edge *edges;     // ascending
	int edge_count;
	int *edge_starts, *edge_ends, *place_edges; // by place: indices of edges, ascending
	rbl_sort_item *vertices;                    // at places, ascending
	rbl_seam_rest rest;
} seam_lists;

static rbl_vec3d way(const rbl_surface *surface, int from, int to)
{
	return rbl_sub_d(rbl_to_d(surface->positions[0][to]), rbl_to_d(surface->positions[0][from]));
}

static double square_of(rbl_vec3d a)
{
	return rbl_dot_d(a, a);
}

// --- lists -----------------------------------------------------------------------------------------

static seam_corner make_corner(const rbl_surface *surface, int half_edge)
{
	const int *v = surface->triangles + 3 * (half_edge / 3);
	rbl_vec3d e = way(surface, v[0], v[1]), f = way(surface, v[0], v[2]);
	return (seam_corner){ half_edge,
		                  { v[0], v[1], v[2] },
		                  rbl_ccd_across(e, f, square_of(e) * square_of(f)) };
}

static seam_edge make_edge(const rbl_surface *surface, int edge)
{
	int from = surface->triangles[edge], to = surface->triangles[rbl_surface_next(edge)];
	rbl_vec3d along = way(surface, from, to);
	return (seam_edge){
		edge, from, to, surface->places[from], surface->places[to], along, square_of(along)
	};
}

// All corners at places, ascending. @return false when memory ran out
static bool gather_corners(rbl_surface *surface)
{
	surface->seam_corners.count = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot) || !body->may_have_seams)
			continue;
		for (int i = 0; i < body->triangles.count; ++i) {
			int h = 3 * body->triangles.data[i];
			for (int k = h; k < h + 3; ++k) {
				int place = surface->places[surface->triangles[k]];
				const rbl_sort_item item = { (uint32_t)k, (uint32_t)place };
				if (place && !rbl_array_push(&surface->allocator, &surface->seam_corners, item))
					return false;
			}
		}
	}
	int count = surface->seam_corners.count;
	rbl_sort_item *spare = RBL_ARENA_NEW(&surface->seam_scratch, rbl_sort_item, count);
	if (!spare)
		return false;
	rbl_sort(surface->seam_corners.data, spare, count);
	return true;
}

// Turn counts of places, at [place + 1], into starts.
static void sum_up(int *starts, int place_count)
{
	for (int place = 0; place <= place_count; ++place)
		starts[place + 1] += starts[place];
}

static bool list_corners(seam_lists *s)
{
	rbl_surface *surface = s->surface;
	int count = surface->seam_corners.count, places = surface->place_count;
	const rbl_sort_item *items = surface->seam_corners.data;
	s->corners = RBL_ARENA_NEW(&surface->seam_scratch, seam_corner, count);
	s->corner_starts = RBL_ARENA_NEW(&surface->seam_scratch, int, places + 2);
	int *next = RBL_ARENA_NEW(&surface->seam_scratch, int, places + 2);
	if (!s->corners || !s->corner_starts || !next)
		return false;
	memset(s->corner_starts, 0, (size_t)(places + 2) * sizeof *s->corner_starts);
	for (int i = 0; i < count; ++i)
		s->corner_starts[items[i].value + 1]++;
	sum_up(s->corner_starts, places);
	memcpy(next, s->corner_starts, (size_t)(places + 2) * sizeof *next);
	for (int i = 0; i < count; ++i)
		s->corners[next[items[i].value]++] = make_corner(surface, (int)items[i].key);
	return true;
}

static bool is_listed(const rbl_surface *surface, int h)
{
	return rbl_surface_owns_edge(surface, h) &&
	       (surface->places[surface->triangles[h]] != 0 ||
	        surface->places[surface->triangles[rbl_surface_next(h)]] != 0);
}

// The edges at places, by way of their triangles: ascending, each once. @return their number
// @param edges  receives them; NULL: only count
static int visit_edges(const rbl_surface *surface, seam_edge *edges)
{
	const rbl_sort_item *items = surface->seam_corners.data;
	int count = 0;
	for (int i = 0, last = -1; i < surface->seam_corners.count; ++i) {
		int t = (int)(items[i].key / 3);
		for (int h = 3 * t; h < 3 * t + 3 && t != last; ++h) {
			if (!is_listed(surface, h))
				continue;
			if (edges)
				edges[count] = make_edge(surface, h);
			count++;
		}
		last = t;
	}
	return count;
}

static bool list_edges(seam_lists *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->seam_scratch;
	int places = surface->place_count;
	s->edge_count = visit_edges(surface, NULL);
	s->edges = RBL_ARENA_NEW(arena, seam_edge, s->edge_count);
	s->place_edges = RBL_ARENA_NEW(arena, int, 2 * (size_t)s->edge_count);
	s->edge_starts = RBL_ARENA_NEW(arena, int, places + 2);
	s->edge_ends = RBL_ARENA_NEW(arena, int, places + 2);
	if (!s->edges || !s->place_edges || !s->edge_starts || !s->edge_ends)
		return false;
	visit_edges(surface, s->edges);
	memset(s->edge_starts, 0, (size_t)(places + 2) * sizeof *s->edge_starts);
	for (int i = 0; i < s->edge_count; ++i) {
		const seam_edge *edge = &s->edges[i];
		s->edge_starts[edge->from_place + 1]++;
		s->edge_starts[edge->to_place + 1] += edge->to_place != edge->from_place;
	}
	s->edge_starts[1] = 0; // place 0 is none
	sum_up(s->edge_starts, places);
	memcpy(s->edge_ends, s->edge_starts, (size_t)(places + 2) * sizeof *s->edge_ends);
	for (int i = 0; i < s->edge_count; ++i) {
		const seam_edge *edge = &s->edges[i];
		if (edge->from_place)
			s->place_edges[s->edge_ends[edge->from_place]++] = i;
		if (edge->to_place && edge->to_place != edge->from_place)
			s->place_edges[s->edge_ends[edge->to_place]++] = i;
	}
	return true;
}

static bool list_vertices(seam_lists *s)
{
	rbl_surface *surface = s->surface;
	int count = surface->placed_count;
	s->vertices = RBL_ARENA_NEW(&surface->seam_scratch, rbl_sort_item, 2 * (size_t)count);
	if (!s->vertices)
		return false;
	for (int i = 0; i < count; ++i) {
		int v = surface->placed[i];
		s->vertices[i] = (rbl_sort_item){ (uint32_t)v, (uint32_t)surface->places[v] };
	}
	rbl_sort(s->vertices, s->vertices + count, count);
	return true;
}

// --- hits ------------------------------------------------------------------------------------------

// Room for all hits. Each corner meets the other vertices of its place. Of n edges at a place of m
// vertices, the fewest pairs have a vertex in common when all have as many.
static bool reserve_hits(seam_lists *s)
{
	rbl_surface *surface = s->surface;
	int *sizes = RBL_ARENA_NEW(&surface->seam_scratch, int, surface->place_count + 1);
	if (!sizes)
		return false;
	memset(sizes, 0, (size_t)(surface->place_count + 1) * sizeof *sizes);
	for (int i = 0; i < surface->placed_count; ++i)
		sizes[surface->places[surface->placed[i]]]++;
	double count = (double)s->rest.count;
	for (int place = 1; place <= surface->place_count; ++place) {
		double corners = s->corner_starts[place + 1] - s->corner_starts[place];
		double edges = s->edge_starts[place + 1] - s->edge_starts[place];
		count += corners * (sizes[place] - 1);
		count += 0.5 * edges * edges * (1.0 - 1.0 / sizes[place]);
	}
	surface->hits.count = 0;
	return count < 1e9 && rbl_array_reserve(&surface->allocator, &surface->hits, (int)count + 1);
}

static inline void write_hit(seam_lists *s, const rbl_surface_hit *hit)
{
	rbl_surface *surface = s->surface;
	RBL_ASSERT(surface->hits.count < surface->hits.capacity);
	surface->hits.data[surface->hits.count++] = *hit;
}

// Write what was found otherwise and comes before a key.
static inline void write_rest(seam_lists *s, uint64_t key)
{
	while (s->rest.count > 0 && s->rest.items->key < key) {
		const rbl_sort_item64 *item = s->rest.items;
		write_hit(s, &s->surface->workers[item->extra].hits.data[item->value]);
		s->rest.items++, s->rest.count--;
	}
}

static rbl_vec3d motion_of(const rbl_surface *surface, int first, int second)
{
	return rbl_sub_d(rbl_to_d(surface->positions[1][first]),
	                 rbl_to_d(surface->positions[1][second]));
}

static void write_faces(seam_lists *s, int v, int place)
{
	int last = -1;
	for (int i = s->corner_starts[place]; i < s->corner_starts[place + 1]; ++i) {
		const seam_corner *corner = &s->corners[i];
		int face = corner->half_edge / 3, k = corner->half_edge % 3;
		// A face with two corners at the place counts by its first.
		if (v == corner->vertices[0] || v == corner->vertices[1] || v == corner->vertices[2] ||
		    face == last)
			continue;
		last = face;
		rbl_vec3d motion = motion_of(s->surface, v, corner->vertices[k]);
		const rbl_surface_hit hit = {
			.kind = RBL_HIT_VERTEX_FACE,
			.a = v,
			.b = face,
			.is_at_start = true,
			.u = k == 1 ? 1.0f : 0.0f,
			.v = k == 2 ? 1.0f : 0.0f,
			.normal = rbl_to_f(rbl_ccd_touch_normal(corner->across, motion)),
		};
		write_rest(s, rbl_hit_key(hit.kind, hit.a, hit.b));
		write_hit(s, &hit);
	}
}

// Two edges that share a place, in the order of corners that single tests have (ccd_form.h).
static void write_edges(seam_lists *s, const seam_edge *a, const seam_edge *b)
{
	if (a->from == b->from || a->from == b->to || a->to == b->from || a->to == b->to)
		return;
	bool at_from = a->from_place != 0 && a->from_place == b->from_place;
	bool crossed = a->to_place != 0 && a->to_place == b->from_place;
	bool at_to = a->to_place != 0 && a->to_place == b->to_place;
	bool a_ends = !at_from && (crossed || at_to), b_ends = !at_from && !crossed;
	rbl_vec3d motion = motion_of(s->surface, a_ends ? a->to : a->from, b_ends ? b->to : b->from);
	rbl_vec3d across = rbl_ccd_across(a->along, rbl_neg_d(b->along), a->square * b->square);
	const rbl_surface_hit hit = {
		.kind = RBL_HIT_EDGE_EDGE,
		.a = a->edge,
		.b = b->edge,
		.is_at_start = true,
		.u = a_ends ? 1.0f : 0.0f,
		.v = b_ends ? 1.0f : 0.0f,
		.normal = rbl_to_f(rbl_ccd_touch_normal(across, motion)),
	};
	write_rest(s, rbl_hit_key(hit.kind, hit.a, hit.b));
	write_hit(s, &hit);
}

// An edge against those after it at both of its places. Starts of lists move on with the edges that are
// done.
static void write_edge(seam_lists *s, int index)
{
	const seam_edge *edge = &s->edges[index];
	const int *at[2] = { NULL, NULL }, *end[2] = { NULL, NULL };
	const int places[2] = { edge->from_place, edge->to_place };
	for (int i = 0; i < 2; ++i)
		if (places[i] && (i == 0 || places[1] != places[0])) {
			at[i] = s->place_edges + ++s->edge_starts[places[i]];
			end[i] = s->place_edges + s->edge_ends[places[i]];
		}
	while (at[0] < end[0] || at[1] < end[1]) {
		int low = at[0] < end[0] ? *at[0] : INT32_MAX, high = at[1] < end[1] ? *at[1] : INT32_MAX;
		at[0] += low <= high;
		at[1] += high <= low;
		write_edges(s, edge, &s->edges[low < high ? low : high]);
	}
}

bool rbl_seams_list(rbl_surface *surface, rbl_seam_rest rest)
{
	seam_lists s = { .surface = surface, .rest = rest };
	if (!gather_corners(surface) || !list_corners(&s) || !list_edges(&s) || !list_vertices(&s) ||
	    !reserve_hits(&s))
		return false;
	for (int i = 0; i < surface->placed_count; ++i)
		write_faces(&s, (int)s.vertices[i].key, (int)s.vertices[i].value);
	for (int i = 0; i < s.edge_count; ++i)
		write_edge(&s, i);
	write_rest(&s, UINT64_MAX);
	surface->stats.tests += surface->hits.count - rest.count;
	return true;
}
