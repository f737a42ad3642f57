// SPDX-License-Identifier: MIT
//
// Splitting a body, with new vertices and triangles along the cracks.
//
// Whole clusters change hands; clusters with triangles of several pieces, or with triangles that
// go, come apart, and their triangles are put together anew with the new ones. Half-edges across a
// border open, and open half-edges are joined again where new triangles fit. All is planned in
// scratch memory first, for vertex and cluster ids that are not taken yet.

#include "surface/surface.h"

#include "base/clock.h"
#include "base/log.h"

enum { COOKIE = 0x73706c74, GONE = -1, MIXED = -2 };

rbl_surface_split_def rbl_default_surface_split_def(void)
{
	return (rbl_surface_split_def){ .cookie = COOKIE };
}

typedef struct split {
	rbl_surface *surface;
	const rbl_surface_split_def *def;
	rbl_surface_body *body;
	int slot;
	int *places;      // by vertex id: 1 + place in the body's list, 0: another body's
	int *first_piece; // by place, new vertices behind the others: who keeps it, -1: nobody
	bool *meets_new;  // by place: whether a new triangle has it
	int *copies;      // by place: its last copy, -1 without
	int *copy_next;   // by copy, as the next two
	int *copy_pieces, *copy_sources;
	int copy_count;
	int *new_ids;                         // of copies, then of new vertices
	int *vertex_counts, *triangle_counts; // by piece
	int *labels;                          // by triangle id, those of the body
	int *cluster_labels;                  // by cluster id: a piece, GONE or MIXED
	int *loose; // triangles to put together anew: ids, or -1 - i for new triangle i
	int *loose_labels, *loose_corners;
	rbl_box *loose_boxes;
	int loose_count;
	rbl_cluster_plan plan;
	rbl_edge_work edges;
	int *emptied;      // clusters
	int *fresh_counts; // by piece: new clusters
	int *turned;       // triangles at vertices that need an anchor
	int *rim;          // places in the body's list of triangles that go or have an open side
	int rim_count;
	int *foreign; // corners, 3 place + k, whose vertex another piece keeps
	int foreign_count;
	rbl_surface_body *pieces;
	rbl_tree *trees;
} split;

// --- checks ------------------------------------------------------------------------------------------

static rbl_result check_triangles(const split *s)
{
	const rbl_surface_split_def *def = s->def;
	for (int t = 0; t < def->triangle_count; ++t) {
		const int *v = def->triangles + 3 * t;
		if (def->triangle_labels[t] < 0 || def->triangle_labels[t] >= def->piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has the piece %d of %d", t,
			                def->triangle_labels[t], def->piece_count);
		for (int k = 0; k < 3; ++k)
			if (v[k] < -def->vertex_count || v[k] >= s->surface->vertex_end ||
			    (v[k] >= 0 && s->places[v[k]] == 0))
				return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has an unknown vertex %d", t,
				                v[k]);
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has a vertex twice", t);
		s->triangle_counts[def->triangle_labels[t]]++;
	}
	return RBL_OK;
}

static rbl_result check_labels(split *s)
{
	const rbl_surface_split_def *def = s->def;
	for (int i = 0; i < s->body->triangles.count; ++i) {
		int label = def->labels[i];
		if (label < -1 || label >= def->piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the piece %d of %d", i, label,
			                def->piece_count);
		if (label >= 0)
			s->triangle_counts[label]++;
		s->labels[s->body->triangles.data[i]] = label;
	}
	rbl_result result = check_triangles(s);
	for (int i = 0; i < def->piece_count && result == RBL_OK; ++i)
		if (s->triangle_counts[i] == 0)
			result = rbl_fail(RBL_BAD_ARGUMENT, "piece %d has no triangle", i);
	return result;
}

static rbl_result check_def(const rbl_surface_split_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_split_def()");
	if (def->piece_count < 1 || !def->labels || def->vertex_count < 0 || def->triangle_count < 0 ||
	    (def->vertex_count > 0 && !def->positions) ||
	    (def->triangle_count > 0 && (!def->triangles || !def->triangle_labels)))
		return rbl_fail(RBL_BAD_ARGUMENT, "pieces, labels, vertices or triangles are missing");
	if (def->vertex_count > RBL_MAX_SURFACE_ITEMS || def->triangle_count > RBL_MAX_SURFACE_ITEMS ||
	    def->piece_count > RBL_MAX_SURFACE_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d vertices or triangles",
		                RBL_MAX_SURFACE_ITEMS);
	for (int i = 0; i < def->vertex_count; ++i)
		if (!rbl_is_finite(def->positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "new vertex %d is not finite", i);
	return RBL_OK;
}

// --- vertices ----------------------------------------------------------------------------------------

static int *filled(rbl_arena *arena, size_t count, int value)
{
	int *array = RBL_ARENA_NEW(arena, int, count);
	for (size_t i = 0; array && i < count; ++i)
		array[i] = value;
	return array;
}

// A place in the list of the body, or behind it for a new vertex.
static int place_of(const split *s, int vertex)
{
	return vertex >= 0 ? s->places[vertex] - 1 : s->body->vertices.count - 1 - vertex;
}

static void use_vertex(split *s, int vertex, int label)
{
	int place = place_of(s, vertex);
	if (s->first_piece[place] < 0 || label < s->first_piece[place])
		s->first_piece[place] = label;
}

// Let a piece have a copy of a vertex that another piece keeps.
static void copy_vertex(split *s, int vertex, int label)
{
	int place = place_of(s, vertex);
	if (s->first_piece[place] == label)
		return;
	for (int i = s->copies[place]; i >= 0; i = s->copy_next[i])
		if (s->copy_pieces[i] == label)
			return;
	int copy = s->copy_count++;
	s->copy_pieces[copy] = label;
	s->copy_sources[copy] = place;
	s->copy_next[copy] = s->copies[place];
	s->copies[place] = copy;
}

// The vertex at a corner, 3 place + k in the body's list.
static int vertex_at(const split *s, int corner)
{
	return s->surface->triangles[3 * s->body->triangles.data[corner / 3] + corner % 3];
}

static void use_vertices(split *s)
{
	const rbl_surface_split_def *def = s->def;
	for (int i = 0; i < 3 * s->body->triangles.count; ++i)
		if (def->labels[i / 3] >= 0)
			use_vertex(s, vertex_at(s, i), def->labels[i / 3]);
	for (int i = 0; i < 3 * def->triangle_count; ++i) {
		use_vertex(s, def->triangles[i], def->triangle_labels[i / 3]);
		s->meets_new[place_of(s, def->triangles[i])] = true;
	}
}

// Few corners belong to a vertex that another piece keeps: those along cracks.
static void list_foreign(split *s)
{
	const int *labels = s->def->labels;
	for (int i = 0; i < 3 * s->body->triangles.count; ++i)
		if (labels[i / 3] >= 0 && s->first_piece[s->places[vertex_at(s, i)] - 1] != labels[i / 3])
			s->foreign[s->foreign_count++] = i;
}

// The id that a vertex will have in a piece.
static int id_in_piece(const split *s, int vertex, int label)
{
	int place = place_of(s, vertex);
	if (s->first_piece[place] == label || s->copies[place] < 0)
		return vertex >= 0 ? vertex : s->new_ids[s->copy_count - 1 - vertex];
	int copy = s->copies[place];
	while (s->copy_pieces[copy] != label)
		copy = s->copy_next[copy];
	return s->new_ids[copy];
}

static bool plan_vertices(split *s)
{
	rbl_arena *arena = &s->surface->scratch;
	int places = s->body->vertices.count + s->def->vertex_count;
	s->first_piece = filled(arena, (size_t)places, -1);
	s->copies = filled(arena, (size_t)places, -1);
	s->vertex_counts = filled(arena, (size_t)s->def->piece_count, 0);
	size_t place_count = (size_t)s->body->vertices.count + (size_t)s->def->vertex_count;
	s->meets_new = RBL_ARENA_NEW(arena, bool, place_count);
	if (!s->first_piece || !s->copies || !s->vertex_counts || !s->meets_new)
		return false;
	memset(s->meets_new, 0, place_count);
	s->foreign = RBL_ARENA_NEW(arena, int, 3 * (size_t)s->body->triangles.count);
	if (!s->foreign)
		return false;
	use_vertices(s);
	list_foreign(s);
	// Every corner whose vertex another piece keeps may bring a copy.
	int capacity = s->foreign_count + 3 * s->def->triangle_count;
	s->copy_next = RBL_ARENA_NEW(arena, int, capacity);
	s->copy_pieces = RBL_ARENA_NEW(arena, int, capacity);
	s->copy_sources = RBL_ARENA_NEW(arena, int, capacity);
	if (!s->copy_next || !s->copy_pieces || !s->copy_sources)
		return false;
	for (int i = 0; i < s->foreign_count; ++i)
		copy_vertex(s, vertex_at(s, s->foreign[i]), s->def->labels[s->foreign[i] / 3]);
	for (int i = 0; i < 3 * s->def->triangle_count; ++i)
		copy_vertex(s, s->def->triangles[i], s->def->triangle_labels[i / 3]);
	s->new_ids = RBL_ARENA_NEW(arena, int, s->copy_count + s->def->vertex_count);
	if (!s->new_ids)
		return false;
	rbl_surface_peek_vertices(s->surface, s->copy_count + s->def->vertex_count, s->new_ids);
	for (int i = 0; i < places; ++i)
		if (s->first_piece[i] >= 0)
			s->vertex_counts[s->first_piece[i]]++;
	for (int i = 0; i < s->copy_count; ++i)
		s->vertex_counts[s->copy_pieces[i]]++;
	return true;
}

// --- clusters ----------------------------------------------------------------------------------------

static void label_clusters(split *s)
{
	const rbl_surface *surface = s->surface;
	const rbl_surface_body *body = s->body;
	for (int i = 0; i < body->triangles.count; ++i)
		s->cluster_labels[surface->clusters[body->triangles.data[i]]] = s->def->labels[i];
	for (int i = 0; i < body->triangles.count; ++i) {
		int *label = &s->cluster_labels[surface->clusters[body->triangles.data[i]]];
		if (*label != s->def->labels[i])
			*label = MIXED;
	}
}

// Triangles that lose their cluster, and new ones, with their corners.
static bool collect_loose(split *s)
{
	rbl_arena *arena = &s->surface->scratch;
	const rbl_surface *surface = s->surface;
	int count = s->def->triangle_count;
	for (int i = 0; i < s->body->triangles.count; ++i)
		count += s->def->labels[i] >= 0 &&
		         s->cluster_labels[surface->clusters[s->body->triangles.data[i]]] == MIXED;
	s->loose = RBL_ARENA_NEW(arena, int, count);
	s->loose_labels = RBL_ARENA_NEW(arena, int, count);
	s->loose_corners = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	s->loose_boxes = RBL_ARENA_NEW(arena, rbl_box, count);
	if (!s->loose || !s->loose_labels || !s->loose_corners || !s->loose_boxes)
		return false;
	for (int i = 0; i < s->body->triangles.count; ++i) {
		int triangle = s->body->triangles.data[i];
		if (s->def->labels[i] < 0 || s->cluster_labels[surface->clusters[triangle]] != MIXED)
			continue;
		s->loose[s->loose_count] = triangle;
		s->loose_labels[s->loose_count++] = s->def->labels[i];
	}
	for (int i = 0; i < s->def->triangle_count; ++i) {
		s->loose[s->loose_count] = -1 - i;
		s->loose_labels[s->loose_count++] = s->def->triangle_labels[i];
	}
	for (int i = 0; i < s->loose_count; ++i) {
		const int *v = s->loose[i] >= 0 ? surface->triangles + 3 * s->loose[i]
		                                : s->def->triangles + 3 * (-1 - s->loose[i]);
		s->loose_boxes[i] = rbl_box_empty();
		for (int k = 0; k < 3; ++k) {
			rbl_vec3 p = v[k] >= 0 ? surface->positions[1][v[k]] : s->def->positions[-1 - v[k]];
			s->loose_boxes[i] = rbl_box_add_point(s->loose_boxes[i], p);
			s->loose_corners[3 * i + k] = id_in_piece(s, v[k], s->loose_labels[i]);
		}
	}
	return true;
}

// Whether what is across a side stays there: not in another piece, and no new triangle may come between.
static bool stays_joined(const split *s, int half_edge, int label)
{
	const rbl_surface *surface = s->surface;
	int twin = surface->twins[half_edge];
	if (twin < 0 || s->labels[twin / 3] != label)
		return false;
	const int *v = surface->triangles;
	return !s->meets_new[place_of(s, v[half_edge])] ||
	       !s->meets_new[place_of(s, v[rbl_surface_next(half_edge)])];
}

// Half-edges with nothing across once the body is split: those to join anew. Lists their triangles, and
// those that go.
static int list_open(split *s)
{
	int count = 3 * s->def->triangle_count;
	for (int i = 0; i < s->body->triangles.count; ++i) {
		int label = s->def->labels[i], open = 0;
		for (int k = 0; k < 3; ++k)
			open += !stays_joined(s, 3 * s->body->triangles.data[i] + k, label);
		if (open > 0 || label < 0)
			s->rim[s->rim_count++] = i;
		count += label >= 0 ? open : 0;
	}
	return count;
}

static rbl_result break_tree(split *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->scratch;
	uint32_t *ids = RBL_ARENA_NEW(arena, uint32_t, s->plan.count);
	rbl_box *boxes = RBL_ARENA_NEW(arena, rbl_box, s->plan.count);
	int *labels = RBL_ARENA_NEW(arena, int, s->plan.count);
	s->fresh_counts = filled(arena, (size_t)s->def->piece_count, 0);
	if (!ids || !boxes || !labels || !s->fresh_counts)
		return RBL_OUT_OF_MEMORY;
	rbl_plan_boxes(surface, &s->plan, s->loose_boxes, ids, boxes);
	for (int c = 0; c < s->plan.count; ++c) {
		labels[c] = s->loose_labels[s->plan.order[s->plan.starts[c]]];
		s->fresh_counts[labels[c]]++;
	}
	for (int i = 0; i < s->body->triangles.count; ++i) {
		int *label = &s->cluster_labels[surface->clusters[s->body->triangles.data[i]]];
		*label = *label == MIXED ? GONE : *label;
	}
	return rbl_tree_break(&s->body->tree,
	                      &(rbl_tree_fracture_input){ .method = RBL_TREE_BY_POLICY,
	                                                  .piece_count = s->def->piece_count,
	                                                  .labels = s->cluster_labels,
	                                                  .new_count = s->plan.count,
	                                                  .new_leaves = ids,
	                                                  .new_boxes = boxes,
	                                                  .new_labels = labels,
	                                                  .jobs = surface->def.jobs },
	                      s->trees, NULL);
}

static rbl_result prepare(split *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->scratch;
	const rbl_allocator *allocator = &surface->allocator;
	int piece_count = s->def->piece_count;
	s->cluster_labels = RBL_ARENA_NEW(arena, int, surface->cluster_end);
	s->trees = RBL_ARENA_NEW(arena, rbl_tree, piece_count);
	s->emptied = RBL_ARENA_NEW(arena, int, s->body->tree.leaf_count);
	s->rim = RBL_ARENA_NEW(arena, int, s->body->triangles.count);
	if (!s->cluster_labels || !s->trees || !s->emptied || !s->rim || !plan_vertices(s))
		return RBL_OUT_OF_MEMORY;
	label_clusters(s);
	if (!collect_loose(s) ||
	    !rbl_plan_clusters(&s->plan, arena, s->loose_corners, s->loose_boxes, s->loose_labels,
	                       s->loose_count) ||
	    !rbl_edge_work_init(&s->edges, arena, list_open(s)))
		return RBL_OUT_OF_MEMORY;
	s->turned = RBL_ARENA_NEW(arena, int, s->body->triangles.count + s->def->triangle_count);
	if (!s->turned)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_surface_reserve(surface, s->copy_count + s->def->vertex_count,
	                                        s->def->triangle_count, s->plan.count);
	s->places = surface->vertex_scratch; // may have moved
	if (result != RBL_OK)
		return result;
	int slots = surface->ids.slot_count + piece_count - 1;
	if (!rbl_id_pool_reserve(allocator, &surface->ids, slots) ||
	    !rbl_array_reserve(allocator, &surface->bodies, slots))
		return RBL_OUT_OF_MEMORY;
	s->body = &surface->bodies.data[s->slot]; // the arrays may have moved
	if (slots > surface->body_pool.leaf_capacity &&
	    rbl_tree_pool_reserve(&surface->body_pool, 2 * slots, 2 * slots) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < piece_count; ++i)
		if (!rbl_array_reserve(allocator, &s->pieces[i].vertices, s->vertex_counts[i]) ||
		    !rbl_array_reserve(allocator, &s->pieces[i].triangles, s->triangle_counts[i]))
			return RBL_OUT_OF_MEMORY;
	return break_tree(s);
}

// --- writing: nothing fails from here on ---------------------------------------------------------------

static int kept_id(const split *s, int place)
{
	int old = s->body->vertices.count;
	return place < old ? s->body->vertices.data[place] : s->new_ids[s->copy_count + place - old];
}

static void take_vertices(split *s)
{
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->copy_count + s->def->vertex_count; ++i) {
		int id = rbl_surface_take_vertex(surface);
		RBL_ASSERT(id == s->new_ids[i]);
		int source =
			i < s->copy_count ? s->copy_sources[i] : s->body->vertices.count + i - s->copy_count;
		int fresh = source - s->body->vertices.count;
		for (int time = 0; time < 2; ++time)
			surface->positions[time][id] =
				fresh >= 0 ? s->def->positions[fresh]
						   : surface->positions[time][s->body->vertices.data[source]];
		surface->origins[id] = kept_id(s, source);
	}
	int place_count = s->body->vertices.count + s->def->vertex_count;
	for (int place = 0; place < place_count; ++place) {
		surface->origins[kept_id(s, place)] = kept_id(s, place);
		if (s->first_piece[place] >= 0) {
			rbl_surface_body *piece = &s->pieces[s->first_piece[place]];
			piece->vertices.data[piece->vertices.count++] = kept_id(s, place);
		}
		for (int copy = s->copies[place]; copy >= 0; copy = s->copy_next[copy]) {
			rbl_surface_body *piece = &s->pieces[s->copy_pieces[copy]];
			piece->vertices.data[piece->vertices.count++] = s->new_ids[copy];
		}
	}
}

// Open the edges between pieces, and give triangles along them their piece's vertices. Fans that
// change lose their anchor.
static void open_edges(split *s)
{
	rbl_surface *surface = s->surface;
	for (int r = 0; r < s->rim_count; ++r) {
		int triangle = s->body->triangles.data[s->rim[r]], label = s->def->labels[s->rim[r]];
		int *twins = surface->twins + 3 * triangle;
		for (int k = 0; k < 3; ++k) {
			surface->anchors[surface->triangles[3 * triangle + k]] = -1;
			if (twins[k] < 0 || stays_joined(s, 3 * triangle + k, label))
				continue;
			rbl_surface_forget_ring(surface, triangle);
			rbl_surface_forget_ring(surface, twins[k] / 3);
			surface->twins[twins[k]] = RBL_SURFACE_BORDER;
			twins[k] = RBL_SURFACE_BORDER;
		}
	}
	for (int i = 0; i < s->copy_count; ++i) // those who stay with the first piece; copies have none
		surface->anchors[kept_id(s, s->copy_sources[i])] = -1;
	for (int i = 0; i < s->foreign_count; ++i) {
		int corner = s->foreign[i];
		int *v = &surface->triangles[3 * s->body->triangles.data[corner / 3] + corner % 3];
		*v = id_in_piece(s, *v, s->def->labels[corner / 3]);
	}
}

static void take_triangles(split *s)
{
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->body->triangles.count; ++i)
		if (s->def->labels[i] >= 0) {
			rbl_surface_body *piece = &s->pieces[s->def->labels[i]];
			piece->triangles.data[piece->triangles.count++] = s->body->triangles.data[i];
		}
	int first = s->loose_count - s->def->triangle_count;
	for (int i = 0; i < s->def->triangle_count; ++i) {
		int id = rbl_surface_take_triangle(surface);
		rbl_surface_body *piece = &s->pieces[s->def->triangle_labels[i]];
		piece->triangles.data[piece->triangles.count++] = id;
		s->loose[first + i] = id;
		for (int k = 0; k < 3; ++k) {
			int vertex = s->loose_corners[3 * (first + i) + k];
			surface->triangles[3 * id + k] = vertex;
			surface->twins[3 * id + k] = RBL_SURFACE_BORDER;
			surface->anchors[vertex] = -1;
		}
	}
}

// Triangles at vertices that lost their anchor. @return how many
static int list_turned(split *s, const rbl_surface_body *piece)
{
	const rbl_surface *surface = s->surface;
	int count = 0;
	for (int i = 0; i < piece->triangles.count; ++i) {
		const int *v = surface->triangles + 3 * piece->triangles.data[i];
		if (surface->anchors[v[0]] == -1 || surface->anchors[v[1]] == -1 ||
		    surface->anchors[v[2]] == -1)
			s->turned[count++] = piece->triangles.data[i];
	}
	return count;
}

static void clear_places(split *s)
{
	for (int i = 0; i < s->body->vertices.count; ++i)
		s->places[s->body->vertices.data[i]] = 0;
}

static void offer_open(split *s, int triangle)
{
	const rbl_surface *surface = s->surface;
	for (int h = 3 * triangle; h < 3 * triangle + 3; ++h)
		if (surface->twins[h] < 0)
			rbl_edge_work_add(&s->edges, h, surface->triangles[h],
			                  surface->triangles[rbl_surface_next(h)]);
}

static void join_edges(split *s)
{
	rbl_surface *surface = s->surface;
	int old_count = s->loose_count - s->def->triangle_count;
	for (int i = 0; i < s->rim_count; ++i)
		if (s->def->labels[s->rim[i]] >= 0)
			offer_open(s, s->body->triangles.data[s->rim[i]]);
	for (int i = old_count; i < s->loose_count; ++i)
		offer_open(s, s->loose[i]);
	rbl_edge_work_join(&s->edges, surface->twins);
	clear_places(s);
	for (int p = 0; p < s->def->piece_count; ++p)
		rbl_surface_anchor(surface, s->turned, list_turned(s, &s->pieces[p]));
}

// New clusters are taken before old ones are returned: their ids are promised.
static void move_clusters(split *s, const int *slots)
{
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->loose_count; ++i)
		s->loose_labels[i] = slots[s->loose_labels[i]];
	// What kept its cluster changes hands with it; the rest leaves its cluster behind.
	for (int i = 0; i < s->body->triangles.count; ++i) {
		int cluster = surface->clusters[s->body->triangles.data[i]];
		int label = s->cluster_labels[cluster];
		if (label >= 0)
			surface->cluster_data[cluster].body = slots[label];
		else
			surface->cluster_data[cluster].count--;
	}
	int emptied_count = 0;
	for (int i = 0; i < s->body->triangles.count; ++i) {
		int cluster = surface->clusters[s->body->triangles.data[i]];
		if (s->cluster_labels[cluster] == GONE) {
			s->cluster_labels[cluster] = MIXED;
			s->emptied[emptied_count++] = cluster;
		}
	}
	for (int i = 0; i < 3 * s->loose_count; ++i) {
		int twin = surface->twins[3 * s->loose[i / 3] + i % 3];
		if (twin >= 0)
			rbl_surface_forget_ring(surface, twin / 3);
	}
	rbl_surface_take_plan(surface, &s->plan, s->loose, s->loose_labels, 0);
	for (int i = emptied_count - 1; i >= 0; --i)
		rbl_surface_return_cluster(surface, s->emptied[i]);
}

static void return_gone(split *s)
{
	for (int i = s->body->triangles.count - 1; i >= 0; --i)
		if (s->def->labels[i] < 0)
			rbl_surface_return_triangle(s->surface, s->body->triangles.data[i]);
	for (int place = s->body->vertices.count + s->def->vertex_count - 1; place >= 0; --place)
		if (s->first_piece[place] < 0)
			rbl_surface_return_vertex(s->surface, kept_id(s, place));
}

static void write_pieces(split *s, rbl_surface_body_id *ids)
{
	rbl_surface *surface = s->surface;
	int *slots = s->vertex_counts; // no longer needed
	take_vertices(s);
	open_edges(s);
	take_triangles(s);
	join_edges(s);
	for (int p = 0; p < s->def->piece_count; ++p) {
		rbl_id id = p == 0 ? rbl_id_pool_at(&surface->ids, s->slot)
		                   : rbl_id_pool_add(&surface->allocator, &surface->ids);
		slots[p] = (int)id.index;
		ids[p] = (rbl_surface_body_id){ id.index, id.generation };
	}
	move_clusters(s, slots);
	return_gone(s);
	rbl_surface_body old = *s->body;
	for (int p = 0; p < s->def->piece_count; ++p) {
		rbl_surface_body *piece = &s->pieces[p];
		piece->tree = s->trees[p];
		piece->has_new_tree = piece->has_stale = true;
		// Where many clusters are new the tree is built anew once they are fitted.
		piece->has_rough_tree = 4 * s->fresh_counts[p] > piece->tree.leaf_count;
		piece->is_touched = old.is_touched, piece->is_moving = old.is_moving;
		piece->is_whole = old.is_whole, piece->needs_fit = old.needs_fit;
		if (slots[p] >= surface->bodies.count)
			surface->bodies.count = slots[p] + 1;
		surface->bodies.data[slots[p]] = *piece;
		rbl_result result = p == 0 ? rbl_tree_replace(&surface->body_tree, (uint32_t)s->slot,
		                                              (uint32_t)s->slot, piece->tree.bounds)
		                           : rbl_tree_insert(&surface->body_tree, (uint32_t)slots[p],
		                                             piece->tree.bounds, (uint32_t)s->slot);
		RBL_ASSERT(result == RBL_OK);
		(void)result;
	}
	rbl_array_free(&surface->allocator, &old.vertices);
	rbl_array_free(&surface->allocator, &old.triangles);
	surface->is_ready = false;
	surface->cones_are_stale = true;
}

static rbl_result check_split(split *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->scratch;
	s->places = surface->vertex_scratch;
	s->labels = RBL_ARENA_NEW(arena, int, surface->triangle_end);
	s->triangle_counts = filled(arena, (size_t)s->def->piece_count, 0);
	s->pieces = RBL_ARENA_NEW(arena, rbl_surface_body, s->def->piece_count);
	if (!s->labels || !s->triangle_counts || !s->pieces)
		return RBL_OUT_OF_MEMORY;
	memset(s->pieces, 0, (size_t)s->def->piece_count * sizeof *s->pieces);
	for (int i = 0; i < s->body->vertices.count; ++i)
		s->places[s->body->vertices.data[i]] = i + 1;
	return check_labels(s);
}

rbl_result rbl_surface_split(rbl_surface *surface, rbl_surface_body_id body,
                             const rbl_surface_split_def *def, rbl_surface_body_id *pieces)
{
	if (!surface || !pieces)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or pieces is NULL");
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	uint64_t begin = rbl_clock_ns();
	rbl_arena_reset(&surface->scratch);
	split s = { .surface = surface, .def = def, .body = &surface->bodies.data[slot], .slot = slot };
	result = check_split(&s);
	if (result == RBL_OK) {
		result = prepare(&s);
		for (int i = 0; result != RBL_OK && i < def->piece_count; ++i) {
			rbl_array_free(&surface->allocator, &s.pieces[i].vertices);
			rbl_array_free(&surface->allocator, &s.pieces[i].triangles);
		}
	}
	if (result == RBL_OK)
		write_pieces(&s, pieces);
	else
		clear_places(&s);
	surface->pending_ns += rbl_clock_ns() - begin;
	return result;
}
