// SPDX-License-Identifier: MIT
//
// Seams: writing their hits. Edges are put against each other place by place, since their order
// goes to and fro in a mesh; what is found, in short runs, is then written in the order of the
// answer. An edge has a range at each of its ends. Vertices and faces have one place, and are
// written at once.

#include "ccd/ccd.h"
#include "surface/surface_kernels.h"

enum { SEAM_HITS_AHEAD = 6 };

/// The pairs of an edge, by its ends.
typedef struct seam_ranges {
	int starts[2], counts[2];
} seam_ranges;

typedef struct seam_writer {
	rbl_surface *surface;
	rbl_surface_seam_lists lists;
	rbl_surface_seam_pair *pairs;
	seam_ranges *batches; // by edge
	rbl_surface_other_hits rest;
	rbl_surface_hit *next; // where the next hit goes
} seam_writer;

// --- pairs of edges -----------------------------------------------------------------------------

// Upper bounds. Each corner touches the other vertices of its place. Of n edges at a place of m
// vertices, the fewest pairs have a vertex in common when all have as many.
typedef struct seam_counts {
	double faces, pairs;
	int max_spokes; // at a place
} seam_counts;

static seam_counts count_hits(const rbl_surface_seam_lists *lists, int place_count)
{
	seam_counts c = { 0.0, 0.0, 0 };
	for (int place = 1; place <= place_count; ++place) {
		double vertices = lists->vertex_counts[place];
		int corners = lists->corner_starts[place + 1] - lists->corner_starts[place];
		int spokes = lists->spoke_starts[place + 1] - lists->spoke_starts[place];
		c.faces += (double)corners * (vertices - 1.0);
		c.pairs += 0.5 * (double)spokes * (double)spokes * (1.0 - 1.0 / vertices);
		c.max_spokes = rbl_maxi(c.max_spokes, spokes);
	}
	return c;
}

static void prefetch_seam_edges(const rbl_surface_seam_lists *lists, int place)
{
	for (int i = lists->spoke_starts[place]; i < lists->spoke_starts[place + 1]; ++i)
		rbl_prefetch(&lists->edges[lists->spokes[i] >> 1]);
}

// Where the vertices of edges that were prefetched go.
static void prefetch_ends(const rbl_surface_seam_lists *lists, int place, const rbl_vec3 *ends)
{
	for (int i = lists->spoke_starts[place]; i < lists->spoke_starts[place + 1]; ++i) {
		uint32_t spoke = lists->spokes[i];
		rbl_prefetch(&ends[lists->edges[spoke >> 1].ends[spoke & 1u]]);
	}
}

// Put the edges of all places against each other. @return the number of pairs, -1 when memory ran
// out
static int find_pairs(seam_writer *w, const seam_counts *c)
{
	rbl_surface *surface = w->surface;
	rbl_arena *arena = &surface->seam_scratch;
	const rbl_surface_seam_lists *lists = &w->lists;
	size_t capacity = (size_t)c->max_spokes + RBL_SURFACE_SEAM_SPARE;
	double *doubles = RBL_ARENA_NEW(arena, double, RBL_SURFACE_SEAM_DOUBLES *capacity);
	int32_t *ints = RBL_ARENA_NEW(arena, int32_t, RBL_SURFACE_SEAM_INTS * capacity);
	int *counts = RBL_ARENA_NEW(arena, int, capacity);
	w->batches = RBL_ARENA_NEW(arena, seam_ranges, lists->edge_count);
	w->pairs =
		RBL_ARENA_NEW(arena, rbl_surface_seam_pair, (size_t)c->pairs + 1 + RBL_SURFACE_SEAM_SPARE);
	if (!doubles || !ints || !counts || !w->batches || !w->pairs)
		return -1;
	memset(w->batches, 0, (size_t)lists->edge_count * sizeof *w->batches);
	int found = 0;
	for (int place = 1; place <= surface->place_count; ++place) {
		const uint32_t *spokes = lists->spokes + lists->spoke_starts[place];
		int count = lists->spoke_starts[place + 1] - lists->spoke_starts[place];
		if (place + 2 <= surface->place_count)
			prefetch_seam_edges(lists, place + 2);
		if (place + 1 <= surface->place_count)
			prefetch_ends(lists, place + 1, surface->positions[1]);
		if (count > 0)
			RBL_PICK(rbl_surface_seam_pairs)
		(lists->edges, spokes, count, surface->positions[1], doubles, ints, w->pairs + found,
		 counts);
		for (int i = 0; i < count; ++i) {
			w->batches[spokes[i] >> 1].starts[spokes[i] & 1u] = found;
			w->batches[spokes[i] >> 1].counts[spokes[i] & 1u] = counts[i];
			found += counts[i];
		}
	}
	return found;
}

// --- hits ---------------------------------------------------------------------------------------

// The last answer is not needed any more, so nothing is copied. Space for twice as many: the next
// break may be larger, and then only what it has more is new to the process. What is not written is
// not touched.
static bool reserve_hits(rbl_surface *surface, double count)
{
	surface->hits.count = 0;
	if (count <= (double)surface->hits.capacity)
		return true;
	if (!(count < 1e9))
		return false;
	rbl_array_free(&surface->allocator, &surface->hits);
	return rbl_array_reserve(&surface->allocator, &surface->hits, (int)(2.0 * count) + 1);
}

// Write what was found otherwise and comes before a key.
static inline void write_rest(seam_writer *w, uint64_t key)
{
	while (w->rest.count > 0 && w->rest.items->key < key) {
		const rbl_sort_item64 *item = w->rest.items;
		*w->next++ = w->surface->workers[item->extra].hits.data[item->value];
		w->rest.items++, w->rest.count--;
	}
}

static void write_faces(seam_writer *w, int v, int place)
{
	int last = -1;
	const rbl_surface_seam_lists *lists = &w->lists;
	const rbl_vec3 *ends = w->surface->positions[1];
	rbl_vec3d end = rbl_to_d(ends[v]);
	for (int i = lists->corner_starts[place]; i < lists->corner_starts[place + 1]; ++i) {
		const rbl_surface_seam_face *face = &lists->faces[lists->corners[i] >> 2];
		int k = (int)(lists->corners[i] & 3u);
		// A face with two corners at the place counts by its first.
		if (v == face->vertices[0] || v == face->vertices[1] || v == face->vertices[2] ||
		    face->triangle == last)
			continue;
		last = face->triangle;
		rbl_vec3d motion = rbl_sub_d(end, rbl_to_d(ends[face->vertices[k]]));
		write_rest(w, rbl_surface_hit_key(RBL_HIT_VERTEX_FACE, v, last));
		*w->next++ = (rbl_surface_hit){
			.kind = RBL_HIT_VERTEX_FACE,
			.a = v,
			.b = last,
			.is_at_start = true,
			.u = k == 1 ? 1.0f : 0.0f,
			.v = k == 2 ? 1.0f : 0.0f,
			.normal = rbl_to_f(rbl_ccd_touch_normal(face->across, motion)),
		};
	}
}

// The pairs of an edge at both ends, ascending: no edge comes at both.
static void write_edges(seam_writer *w, int edge)
{
	const seam_ranges *batches = &w->batches[edge];
	const rbl_surface_seam_pair *first = w->pairs + batches->starts[0],
								*first_end = first + batches->counts[0];
	const rbl_surface_seam_pair *last = w->pairs + batches->starts[1],
								*last_end = last + batches->counts[1];
	const int *ids = w->lists.edge_ids;
	while (first < first_end || last < last_end) {
		// Without branches that cannot be foreseen.
		uint32_t low = first < first_end ? first->other : UINT32_MAX;
		uint32_t high = last < last_end ? last->other : UINT32_MAX;
		bool is_last = high < low;
		const rbl_surface_seam_pair *pair = is_last ? last : first;
		last += is_last;
		first += !is_last;
		int other = ids[pair->other >> 2];
		write_rest(w, rbl_surface_hit_key(RBL_HIT_EDGE_EDGE, ids[edge], other));
		*w->next++ = (rbl_surface_hit){
			.kind = RBL_HIT_EDGE_EDGE,
			.a = ids[edge],
			.b = other,
			.is_at_start = true,
			.u = (float)(pair->other >> 1 & 1u),
			.v = (float)(pair->other & 1u),
			.normal = pair->normal,
		};
	}
}

static void prefetch_seam_corners(const rbl_surface_seam_lists *lists, int place)
{
	for (int i = lists->corner_starts[place]; i < lists->corner_starts[place + 1]; ++i)
		rbl_prefetch(&lists->faces[lists->corners[i] >> 2]);
}

// Where those of faces go that were prefetched.
static void prefetch_corner_ends(const rbl_surface_seam_lists *lists, int place,
                                 const rbl_vec3 *ends)
{
	for (int i = lists->corner_starts[place]; i < lists->corner_starts[place + 1]; ++i) {
		uint32_t corner = lists->corners[i];
		rbl_prefetch(&ends[lists->faces[corner >> 2].vertices[corner & 3u]]);
	}
}

bool rbl_surface_write_seam_hits(rbl_surface *surface, rbl_surface_other_hits rest)
{
	seam_writer w = { .surface = surface, .rest = rest };
	const rbl_surface_seam_lists *lists = &w.lists;
	if (!rbl_surface_list_seams(surface, &w.lists))
		return false;
	const seam_counts counts = count_hits(lists, surface->place_count);
	int pair_count = counts.pairs < 1e9 ? find_pairs(&w, &counts) : -1;
	if (pair_count < 0 ||
	    !reserve_hits(surface, counts.faces + (double)pair_count + (double)rest.count))
		return false;
	w.next = surface->hits.data;
	for (int i = 0; i < surface->placed_count; ++i) {
		if (i + 2 * SEAM_HITS_AHEAD < surface->placed_count)
			prefetch_seam_corners(lists, (int)lists->vertices[i + 2 * SEAM_HITS_AHEAD].value);
		if (i + SEAM_HITS_AHEAD < surface->placed_count)
			prefetch_corner_ends(lists, (int)lists->vertices[i + SEAM_HITS_AHEAD].value,
			                     surface->positions[1]);
		write_faces(&w, (int)lists->vertices[i].key, (int)lists->vertices[i].value);
	}
	for (int i = 0; i < lists->edge_count; ++i) {
		for (int k = 0; k < 2 && i + SEAM_HITS_AHEAD < lists->edge_count; ++k)
			rbl_prefetch(&w.pairs[w.batches[i + SEAM_HITS_AHEAD].starts[k]]);
		write_edges(&w, i);
	}
	write_rest(&w, UINT64_MAX);
	surface->hits.count = (int)(w.next - surface->hits.data);
	RBL_ASSERT(surface->hits.count <= surface->hits.capacity);
	surface->stats.tests += surface->hits.count - rest.count;
	return true;
}
