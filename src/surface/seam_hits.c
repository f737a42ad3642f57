// SPDX-License-Identifier: MIT
//
// Seams: writing their hits. Edges are put against each other place by place, since their order
// goes to and fro in a mesh; what is found, in short runs, is then written in the order of the
// answer. An edge has a range at each of its ends. Vertices and faces have one place, and are
// written at once.
//
// Workers share both: places in parts that have each its own stretch of memory, then vertices and
// edges in parts whose hits are counted before, so that each part knows where its first one goes.

#include "ccd/ccd.h"
#include "surface/surface_kernels.h"

enum {
	SEAM_HITS_AHEAD = 6,
	// Parts that workers share: places by their pairs, vertices and edges by number. One for all
	// without workers.
	SEAM_PAIRS_PART = 2048,
	SEAM_VERTICES_PART = 256,
	SEAM_EDGES_PART = 512,
};

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
	struct seam_place_part *place_parts;
	int place_part_count;
	struct seam_part *parts; // of vertices, then of edges
	int part_count;
	double **doubles; // by worker: scratch of kernels
	int32_t **ints;
	int **counts;
} seam_writer;

// Places whose pairs lie one after another.
typedef struct seam_place_part {
	int first, end;
	int start; // of its pairs
} seam_place_part;

// Some vertices, or some edges, and what was found otherwise between them.
typedef struct seam_part {
	bool is_edges;
	int first, end;
	int seam_count; // hits at places
	rbl_surface_other_hits rest;
	rbl_surface_hit *next; // where the next hit goes
} seam_part;

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

// The most pairs of a place.
static double pairs_at(const rbl_surface_seam_lists *lists, int place)
{
	double vertices = lists->vertex_counts[place];
	double spokes = lists->spoke_starts[place + 1] - lists->spoke_starts[place];
	return 0.5 * spokes * spokes * (1.0 - 1.0 / vertices);
}

static void find_part(seam_writer *w, const seam_place_part *part, int worker)
{
	rbl_surface *surface = w->surface;
	const rbl_surface_seam_lists *lists = &w->lists;
	int found = part->start, *counts = w->counts[worker];
	for (int place = part->first; place < part->end; ++place) {
		const uint32_t *spokes = lists->spokes + lists->spoke_starts[place];
		int count = lists->spoke_starts[place + 1] - lists->spoke_starts[place];
		if (place + 2 <= surface->place_count)
			prefetch_seam_edges(lists, place + 2);
		if (place + 1 <= surface->place_count)
			prefetch_ends(lists, place + 1, surface->positions[1]);
		if (count > 0)
			RBL_PICK(rbl_surface_seam_pairs)
		(lists->edges, spokes, count, surface->positions[1], w->doubles[worker], w->ints[worker],
		 w->pairs + found, counts);
		for (int i = 0; i < count; ++i) {
			w->batches[spokes[i] >> 1].starts[spokes[i] & 1u] = found;
			w->batches[spokes[i] >> 1].counts[spokes[i] & 1u] = counts[i];
			found += counts[i];
		}
	}
}

static void find_parts(void *context, int begin, int end, int worker)
{
	seam_writer *w = context;
	for (int i = begin; i < end; ++i)
		find_part(w, &w->place_parts[i], worker);
}

// Cut the places into parts, each with space for its pairs. @return what they need in all
static double cut_places(seam_writer *w, bool is_shared)
{
	double size = 0.0, start = 0.0;
	int first = 1, place_count = w->surface->place_count;
	for (int place = 1; place <= place_count; ++place) {
		size += pairs_at(&w->lists, place);
		if (place < place_count && (!is_shared || size - start < SEAM_PAIRS_PART))
			continue;
		if (start < 1e9)
			w->place_parts[w->place_part_count++] =
				(seam_place_part){ first, place + 1, (int)start };
		first = place + 1;
		size = start = (double)((int64_t)size + 1 + RBL_SURFACE_SEAM_SPARE);
	}
	return size;
}

static bool make_scratch(seam_writer *w, const seam_counts *c)
{
	rbl_arena *arena = &w->surface->seam_scratch;
	int workers = w->surface->worker_count;
	size_t capacity = (size_t)c->max_spokes + RBL_SURFACE_SEAM_SPARE;
	w->doubles = RBL_ARENA_NEW(arena, double *, workers);
	w->ints = RBL_ARENA_NEW(arena, int32_t *, workers);
	w->counts = RBL_ARENA_NEW(arena, int *, workers);
	bool is_good = w->doubles && w->ints && w->counts;
	for (int i = 0; is_good && i < workers; ++i) {
		w->doubles[i] = RBL_ARENA_NEW(arena, double, RBL_SURFACE_SEAM_DOUBLES *capacity);
		w->ints[i] = RBL_ARENA_NEW(arena, int32_t, RBL_SURFACE_SEAM_INTS * capacity);
		w->counts[i] = RBL_ARENA_NEW(arena, int, capacity);
		is_good = w->doubles[i] && w->ints[i] && w->counts[i];
	}
	return is_good;
}

// Put the edges of all places against each other. @return the number of pairs, -1 when memory ran
// out
static int find_pairs(seam_writer *w, const seam_counts *c, rbl_worker_group *workers)
{
	rbl_arena *arena = &w->surface->seam_scratch;
	const rbl_surface_seam_lists *lists = &w->lists;
	w->batches = RBL_ARENA_NEW(arena, seam_ranges, lists->edge_count);
	w->place_parts = RBL_ARENA_NEW(arena, seam_place_part, w->surface->place_count);
	if (!w->batches || !w->place_parts || !make_scratch(w, c))
		return -1;
	double size = cut_places(w, workers != NULL);
	if (size > 1e9)
		return -1;
	w->pairs = RBL_ARENA_NEW(arena, rbl_surface_seam_pair, (size_t)size + 1);
	if (!w->pairs)
		return -1;
	memset(w->batches, 0, (size_t)lists->edge_count * sizeof *w->batches);
	rbl_worker_group_for(workers, w->place_part_count, 1, find_parts, w);
	int found = 0;
	for (int i = 0; i < lists->edge_count; ++i)
		found += w->batches[i].counts[0] + w->batches[i].counts[1];
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
static inline void write_rest(const seam_writer *w, seam_part *part, uint64_t key)
{
	while (part->rest.count > 0 && part->rest.items->key < key) {
		const rbl_sort_item64 *item = part->rest.items;
		*part->next++ = w->surface->workers[item->extra].hits.data[item->value];
		part->rest.items++, part->rest.count--;
	}
}

static void write_faces(const seam_writer *w, seam_part *part, int v, int place)
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
		write_rest(w, part, rbl_surface_hit_key(RBL_HIT_VERTEX_FACE, v, last));
		*part->next++ = (rbl_surface_hit){
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

// How many that will be.
static int count_faces(const seam_writer *w, int v, int place)
{
	const rbl_surface_seam_lists *lists = &w->lists;
	int last = -1, count = 0;
	for (int i = lists->corner_starts[place]; i < lists->corner_starts[place + 1]; ++i) {
		const rbl_surface_seam_face *face = &lists->faces[lists->corners[i] >> 2];
		if (v == face->vertices[0] || v == face->vertices[1] || v == face->vertices[2] ||
		    face->triangle == last)
			continue;
		last = face->triangle;
		count++;
	}
	return count;
}

// The pairs of an edge at both ends, ascending: no edge comes at both.
static void write_edges(const seam_writer *w, seam_part *part, int edge)
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
		write_rest(w, part, rbl_surface_hit_key(RBL_HIT_EDGE_EDGE, ids[edge], other));
		*part->next++ = (rbl_surface_hit){
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

static void write_vertex_part(const seam_writer *w, seam_part *part)
{
	const rbl_surface_seam_lists *lists = &w->lists;
	for (int i = part->first; i < part->end; ++i) {
		if (i + 2 * SEAM_HITS_AHEAD < part->end)
			prefetch_seam_corners(lists, (int)lists->vertices[i + 2 * SEAM_HITS_AHEAD].value);
		if (i + SEAM_HITS_AHEAD < part->end)
			prefetch_corner_ends(lists, (int)lists->vertices[i + SEAM_HITS_AHEAD].value,
			                     w->surface->positions[1]);
		write_faces(w, part, (int)lists->vertices[i].key, (int)lists->vertices[i].value);
	}
}

static void write_seam_parts(void *context, int begin, int end, int worker)
{
	const seam_writer *w = context;
	(void)worker;
	for (int n = begin; n < end; ++n) {
		seam_part *part = &w->parts[n];
		if (!part->is_edges)
			write_vertex_part(w, part);
		for (int i = part->first; part->is_edges && i < part->end; ++i) {
			for (int k = 0; k < 2 && i + SEAM_HITS_AHEAD < part->end; ++k)
				rbl_prefetch(&w->pairs[w->batches[i + SEAM_HITS_AHEAD].starts[k]]);
			write_edges(w, part, i);
		}
		write_rest(w, part, UINT64_MAX);
	}
}

static void count_parts(void *context, int begin, int end, int worker)
{
	const seam_writer *w = context;
	(void)worker;
	for (int n = begin; n < end; ++n) {
		seam_part *part = &w->parts[n];
		for (int i = part->first; i < part->end; ++i)
			part->seam_count += part->is_edges ? w->batches[i].counts[0] + w->batches[i].counts[1]
			                                   : count_faces(w, (int)w->lists.vertices[i].key,
			                                                 (int)w->lists.vertices[i].value);
	}
}

static void cut_parts(seam_writer *w, bool is_edges, int count, int size)
{
	for (int first = 0; first < count; first += size)
		w->parts[w->part_count++] = (seam_part){ .is_edges = is_edges,
			                                     .first = first,
			                                     .end = rbl_mini(count, first + size) };
}

// Where each part begins: a key, up to which what was found otherwise belongs to those before.
static void place_parts(seam_writer *w)
{
	rbl_surface_other_hits rest = w->rest;
	rbl_surface_hit *next = w->surface->hits.data;
	for (int n = 0; n < w->part_count; ++n) {
		seam_part *part = &w->parts[n];
		const seam_part *after = n + 1 < w->part_count ? part + 1 : NULL;
		uint64_t key = UINT64_MAX;
		if (after && after->is_edges)
			key = rbl_surface_hit_key(RBL_HIT_EDGE_EDGE, w->lists.edge_ids[after->first], 0);
		else if (after)
			key = rbl_surface_hit_key(RBL_HIT_VERTEX_FACE, (int)w->lists.vertices[after->first].key,
			                          0);
		part->rest = (rbl_surface_other_hits){ rest.items, 0 };
		while (part->rest.count < rest.count && rest.items[part->rest.count].key < key)
			part->rest.count++;
		rest.items += part->rest.count, rest.count -= part->rest.count;
		part->next = next;
		next += part->rest.count + part->seam_count;
	}
	w->surface->hits.count = (int)(next - w->surface->hits.data);
}

// Parts whose hits are not counted: each begins where the last one ends.
static void write_in_turn(seam_writer *w)
{
	rbl_surface_hit *next = w->surface->hits.data;
	for (int n = 0; n < w->part_count; ++n) {
		w->parts[n].next = next;
		write_seam_parts(w, n, n + 1, 0);
		next = w->parts[n].next;
	}
	w->surface->hits.count = (int)(next - w->surface->hits.data);
}

bool rbl_surface_write_seam_hits(rbl_surface *surface, rbl_worker_group *workers,
                                 rbl_surface_other_hits rest)
{
	seam_writer w = { .surface = surface, .rest = rest };
	const rbl_surface_seam_lists *lists = &w.lists;
	if (!rbl_surface_list_seams(surface, &w.lists))
		return false;
	const seam_counts counts = count_hits(lists, surface->place_count);
	int pair_count = counts.pairs < 1e9 ? find_pairs(&w, &counts, workers) : -1;
	if (pair_count < 0 ||
	    !reserve_hits(surface, counts.faces + (double)pair_count + (double)rest.count))
		return false;
	int vertices = workers ? SEAM_VERTICES_PART : rbl_maxi(surface->placed_count, 1);
	int edges = workers ? SEAM_EDGES_PART : rbl_maxi(lists->edge_count, 1);
	w.parts = RBL_ARENA_NEW(&surface->seam_scratch, seam_part,
	                        surface->placed_count / vertices + lists->edge_count / edges + 2);
	if (!w.parts)
		return false;
	cut_parts(&w, false, surface->placed_count, vertices);
	cut_parts(&w, true, lists->edge_count, edges);
	if (workers)
		rbl_worker_group_for(workers, w.part_count, 1, count_parts, &w);
	place_parts(&w);
	if (workers)
		rbl_worker_group_for(workers, w.part_count, 1, write_seam_parts, &w);
	else
		write_in_turn(&w);
	RBL_ASSERT(surface->hits.count <= surface->hits.capacity);
	surface->stats.tests += surface->hits.count - rest.count;
	return true;
}
