// SPDX-License-Identifier: MIT
//
// Seams: writing their hits. Corners and edges at each place are listed in ascending order, so hits come
// out in the order of the answer, and nothing is sorted but these lists.

#include "surface/ccd_touch.h"
#include "surface/seams.h"

// Lists are read in the order of hits, which goes to and fro in a mesh, so records are complete, of one
// cache line, and asked for ahead.
enum { LINE = 64, AHEAD = 6 };

/// A corner of a face at a place.
typedef struct seam_corner {
	_Alignas(LINE) rbl_vec3d across; // unit normal of the face, or zero
	int half_edge;                   // that starts there
	int vertices[3];
	rbl_vec3 end; // where the corner is when the step ends
} seam_corner;

/// An edge with an end or both at places.
typedef struct seam_edge {
	_Alignas(LINE) int ends[2]; // its vertices
	int places[2];              // of them, 0: none
	rbl_vec3 from[2], to[2];    // where they are when the step begins, and when it ends
} seam_edge;

_Static_assert(sizeof(seam_corner) == LINE && sizeof(seam_edge) == LINE, "one cache line each");

typedef struct seam_lists {
	rbl_surface *surface;
	seam_corner *corners; // by place
	int *corner_starts;   // by place, and one more
	seam_edge *edges;     // ascending
	int *edge_ids;        // of them
	int edge_count;
	int *edge_starts, *edge_ends, *place_edges; // by place: indices of edges, ascending
	int *others;                                // those that an edge stands against
	rbl_sort_item *vertices;                    // at places, ascending
	rbl_seam_rest rest;
} seam_lists;

static rbl_vec3d way(rbl_vec3 from, rbl_vec3 to)
{
	return rbl_sub_d(rbl_to_d(to), rbl_to_d(from));
}

static double square_of(rbl_vec3d a)
{
	return rbl_dot_d(a, a);
}

// --- lists -----------------------------------------------------------------------------------------

static void ask_for_vertices(const rbl_surface *surface, int triangle)
{
	for (int k = 0; k < 3; ++k) {
		int v = surface->triangles[3 * triangle + k];
		rbl_prefetch(&surface->positions[0][v]);
		rbl_prefetch(&surface->positions[1][v]);
	}
}

static seam_corner make_corner(const rbl_surface *surface, int half_edge)
{
	const int *v = surface->triangles + 3 * (half_edge / 3);
	const rbl_vec3 *starts = surface->positions[0];
	rbl_vec3d e = way(starts[v[0]], starts[v[1]]), f = way(starts[v[0]], starts[v[2]]);
	return (seam_corner){ .across = rbl_ccd_across(e, f, square_of(e) * square_of(f)),
		                  .half_edge = half_edge,
		                  .vertices = { v[0], v[1], v[2] },
		                  .end = surface->positions[1][v[half_edge % 3]] };
}

static seam_edge make_edge(const rbl_surface *surface, int edge)
{
	seam_edge result;
	result.ends[0] = surface->triangles[edge];
	result.ends[1] = surface->triangles[rbl_surface_next(edge)];
	for (int i = 0; i < 2; ++i) {
		result.places[i] = surface->places[result.ends[i]];
		result.from[i] = surface->positions[0][result.ends[i]];
		result.to[i] = surface->positions[1][result.ends[i]];
	}
	return result;
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
			if (i + 2 * AHEAD < body->triangles.count)
				rbl_prefetch(&surface->triangles[3 * body->triangles.data[i + 2 * AHEAD]]);
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
	for (int i = 0; i < count; ++i) {
		if (i + AHEAD < count)
			ask_for_vertices(surface, (int)(items[i + AHEAD].key / 3));
		s->corners[next[items[i].value]++] = make_corner(surface, (int)items[i].key);
	}
	return true;
}

static bool is_listed(const rbl_surface *surface, int h)
{
	return rbl_surface_owns_edge(surface, h) &&
	       (surface->places[surface->triangles[h]] != 0 ||
	        surface->places[surface->triangles[rbl_surface_next(h)]] != 0);
}

// The edges at places, by way of their triangles: ascending, each once. @return their number
static int find_edges(const rbl_surface *surface, int *ids)
{
	const rbl_sort_item *items = surface->seam_corners.data;
	int count = 0;
	for (int i = 0, last = -1; i < surface->seam_corners.count; ++i) {
		int t = (int)(items[i].key / 3);
		for (int h = 3 * t; h < 3 * t + 3 && t != last; ++h)
			if (is_listed(surface, h))
				ids[count++] = h;
		last = t;
	}
	return count;
}

static bool list_edges(seam_lists *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->seam_scratch;
	int places = surface->place_count;
	// A corner has two edges in its triangle.
	s->edge_ids = RBL_ARENA_NEW(arena, int, 2 * (size_t)surface->seam_corners.count);
	if (!s->edge_ids)
		return false;
	s->edge_count = find_edges(surface, s->edge_ids);
	s->edges = RBL_ARENA_NEW(arena, seam_edge, s->edge_count);
	s->place_edges = RBL_ARENA_NEW(arena, int, 2 * (size_t)s->edge_count);
	s->edge_starts = RBL_ARENA_NEW(arena, int, places + 2);
	s->edge_ends = RBL_ARENA_NEW(arena, int, places + 2);
	if (!s->edges || !s->place_edges || !s->edge_starts || !s->edge_ends)
		return false;
	for (int i = 0; i < s->edge_count; ++i) {
		if (i + AHEAD < s->edge_count)
			ask_for_vertices(surface, s->edge_ids[i + AHEAD] / 3);
		s->edges[i] = make_edge(surface, s->edge_ids[i]);
	}
	memset(s->edge_starts, 0, (size_t)(places + 2) * sizeof *s->edge_starts);
	for (int i = 0; i < s->edge_count; ++i) {
		const seam_edge *edge = &s->edges[i];
		s->edge_starts[edge->places[0] + 1]++;
		s->edge_starts[edge->places[1] + 1] += edge->places[1] != edge->places[0];
	}
	s->edge_starts[1] = 0; // place 0 is none
	sum_up(s->edge_starts, places);
	memcpy(s->edge_ends, s->edge_starts, (size_t)(places + 2) * sizeof *s->edge_ends);
	for (int i = 0; i < s->edge_count; ++i) {
		const seam_edge *edge = &s->edges[i];
		if (edge->places[0])
			s->place_edges[s->edge_ends[edge->places[0]]++] = i;
		if (edge->places[1] && edge->places[1] != edge->places[0])
			s->place_edges[s->edge_ends[edge->places[1]]++] = i;
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
	int most_edges = 0;
	for (int place = 1; place <= surface->place_count; ++place) {
		double corners = s->corner_starts[place + 1] - s->corner_starts[place];
		double edges = s->edge_starts[place + 1] - s->edge_starts[place];
		count += corners * (sizes[place] - 1);
		count += 0.5 * edges * edges * (1.0 - 1.0 / sizes[place]);
		most_edges = rbl_maxi(most_edges, s->edge_starts[place + 1] - s->edge_starts[place]);
	}
	s->others = RBL_ARENA_NEW(&surface->seam_scratch, int, 2 * (size_t)most_edges + 1);
	if (!s->others)
		return false;
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

static void write_faces(seam_lists *s, int v, int place)
{
	int last = -1;
	rbl_vec3 end = s->surface->positions[1][v];
	for (int i = s->corner_starts[place]; i < s->corner_starts[place + 1]; ++i) {
		const seam_corner *corner = &s->corners[i];
		int face = corner->half_edge / 3, k = corner->half_edge % 3;
		// A face with two corners at the place counts by its first.
		if (v == corner->vertices[0] || v == corner->vertices[1] || v == corner->vertices[2] ||
		    face == last)
			continue;
		last = face;
		const rbl_surface_hit hit = {
			.kind = RBL_HIT_VERTEX_FACE,
			.a = v,
			.b = face,
			.is_at_start = true,
			.u = k == 1 ? 1.0f : 0.0f,
			.v = k == 2 ? 1.0f : 0.0f,
			.normal = rbl_to_f(rbl_ccd_touch_normal(corner->across, way(corner->end, end))),
		};
		write_rest(s, rbl_hit_key(hit.kind, hit.a, hit.b));
		write_hit(s, &hit);
	}
}

// Two edges that share a place, in the order of corners that single tests have (ccd_form.h). Without branches
// that cannot be foreseen.
static inline void write_edges(seam_lists *s, int first, int second)
{
	const seam_edge *a = &s->edges[first], *b = &s->edges[second];
	int at_first = (a->places[0] != 0) & (a->places[0] == b->places[0]);
	int crossed = (a->places[1] != 0) & (a->places[1] == b->places[0]);
	int at_last = (a->places[1] != 0) & (a->places[1] == b->places[1]);
	int u = (at_first ^ 1) & (crossed | at_last), v = (at_first | crossed) ^ 1;
	rbl_vec3d e = way(a->from[0], a->from[1]), f = way(b->from[1], b->from[0]);
	rbl_vec3d across = rbl_ccd_across(e, f, square_of(e) * square_of(f));
	const rbl_surface_hit hit = {
		.kind = RBL_HIT_EDGE_EDGE,
		.a = s->edge_ids[first],
		.b = s->edge_ids[second],
		.is_at_start = true,
		.u = (float)u,
		.v = (float)v,
		.normal = rbl_to_f(rbl_ccd_touch_normal(across, way(b->to[v], a->to[u]))),
	};
	write_rest(s, rbl_hit_key(hit.kind, hit.a, hit.b));
	write_hit(s, &hit);
}

// The edges after an edge at both of its places that have no vertex of it, ascending. Starts of lists move on
// with the edges that are done. @return their number
static int find_others(seam_lists *s, int index, int *others)
{
	const seam_edge *a = &s->edges[index];
	const int *none = s->place_edges;
	const int *at[2] = { none, none }, *end[2] = { none, none };
	for (int i = 0; i < 2; ++i)
		if (a->places[i] && (i == 0 || a->places[1] != a->places[0])) {
			at[i] = s->place_edges + ++s->edge_starts[a->places[i]];
			end[i] = s->place_edges + s->edge_ends[a->places[i]];
		}
	int count = 0;
	while (at[0] < end[0] || at[1] < end[1]) {
		int low = at[0] < end[0] ? *at[0] : INT32_MAX, high = at[1] < end[1] ? *at[1] : INT32_MAX;
		at[0] += low <= high;
		at[1] += high <= low;
		const seam_edge *b = &s->edges[low < high ? low : high];
		others[count] = low < high ? low : high;
		count += (a->ends[0] != b->ends[0]) & (a->ends[0] != b->ends[1]) &
		         (a->ends[1] != b->ends[0]) & (a->ends[1] != b->ends[1]);
	}
	return count;
}

// Ask for what an edge will stand against: first the lists, then what is in them.
static void ask_for_edges(const seam_lists *s, int index)
{
	for (int i = 0; i < 2; ++i) {
		if (index + 2 * AHEAD < s->edge_count)
			rbl_prefetch(&s->place_edges[s->edge_starts[s->edges[index + 2 * AHEAD].places[i]]]);
		int place = index + AHEAD < s->edge_count ? s->edges[index + AHEAD].places[i] : 0;
		for (int k = s->edge_starts[place]; place && k < s->edge_ends[place]; ++k)
			rbl_prefetch(&s->edges[s->place_edges[k]]);
	}
}

static void ask_for_corners(const seam_lists *s, int place)
{
	for (int i = s->corner_starts[place]; i < s->corner_starts[place + 1]; ++i)
		rbl_prefetch(&s->corners[i]);
}

bool rbl_seams_list(rbl_surface *surface, rbl_seam_rest rest)
{
	seam_lists s = { .surface = surface, .rest = rest };
	if (!gather_corners(surface) || !list_corners(&s) || !list_edges(&s) || !list_vertices(&s) ||
	    !reserve_hits(&s))
		return false;
	for (int i = 0; i < surface->placed_count; ++i) {
		if (i + AHEAD < surface->placed_count)
			ask_for_corners(&s, (int)s.vertices[i + AHEAD].value);
		write_faces(&s, (int)s.vertices[i].key, (int)s.vertices[i].value);
	}
	for (int i = 0; i < s.edge_count; ++i) {
		ask_for_edges(&s, i);
		int other_count = find_others(&s, i, s.others);
		for (int k = 0; k < other_count; ++k)
			write_edges(&s, i, s.others[k]);
	}
	write_rest(&s, UINT64_MAX);
	surface->stats.tests += surface->hits.count - rest.count;
	return true;
}
