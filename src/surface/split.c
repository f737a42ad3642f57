// SPDX-License-Identifier: MIT
//
// Splitting a body, with new vertices and triangles along the cracks: what is going to happen.
//
// Whole clusters change hands; clusters with triangles of several pieces, or with triangles that
// go, come apart, and their triangles are put together anew with the new ones. Half-edges across a
// border open, and open half-edges are joined again where new triangles fit. All is planned in
// scratch memory first, for vertex and cluster ids that are not taken yet; breakup.c carries it out.
//
// A body of 250,000 triangles does not fit into a cache, so what counts is how often all of it is
// read. One pass counts the triangles of pieces, labels clusters and finds out which vertices have
// triangles of one piece only. The others are few, and the triangles around them are all that cracks
// concern; lists of pieces are written in a second pass.

#include "surface/breakup.h"
#include "surface/rigid.h"

#include "base/clock.h"
#include "base/log.h"

enum { COOKIE = 0x73706c74, GONE = -1, MIXED = -2, UNSEEN = -3 };

rbl_surface_split_def rbl_default_surface_split_def(void)
{
	return (rbl_surface_split_def){ .cookie = COOKIE };
}

// --- vertices ------------------------------------------------------------------------------------

static int *filled(rbl_arena *arena, size_t count, int value)
{
	int *array = RBL_ARENA_NEW(arena, int, count);
	for (size_t i = 0; array && i < count; ++i)
		array[i] = value;
	return array;
}

static int state_of(int label)
{
	return 4 * (label + 1) + RBL_BREAKUP_OWN;
}

// The first of the pieces that use a vertex keeps it.
static void offer_keeper(rbl_breakup *s, rbl_breakup_vertex *vertex, int label)
{
	if (label < 0 || (vertex->keeper >= 0 && vertex->keeper <= label))
		return;
	if (vertex->keeper >= 0)
		s->vertex_counts[vertex->keeper]--;
	s->vertex_counts[label]++;
	vertex->keeper = label;
}

// Something happens around a vertex of the body.
static rbl_breakup_vertex *touch(rbl_breakup *s, int vertex)
{
	int state = s->states[vertex];
	if (!(state & RBL_BREAKUP_TOUCHED)) {
		s->states[vertex] = 4 * s->touched_count + RBL_BREAKUP_TOUCHED + RBL_BREAKUP_OWN;
		s->touched[s->touched_count++] =
			(rbl_breakup_vertex){ .id = vertex, .keeper = (state >> 2) - 1, .copies = -1 };
		s->has_many_fans |= (s->surface->vertex_flags[vertex] & RBL_VERTEX_MANY_FANS) != 0;
	}
	return rbl_breakup_entry(s, vertex);
}

// A triangle of the body has its corners.
static void use_vertices(rbl_breakup *s, const int *corners, int label)
{
	int own = state_of(label);
	for (int k = 0; k < 3; ++k) {
		int state = s->states[corners[k]];
		if (state == own && label >= 0)
			continue;
		if (state == RBL_BREAKUP_OWN && label >= 0) {
			s->states[corners[k]] = own;
			s->vertex_counts[label]++;
		} else {
			offer_keeper(s, touch(s, corners[k]), label);
		}
	}
}

// Let a piece have a copy of a vertex that another piece keeps. @return the copy, -1 for the keeper
static int copy_vertex(rbl_breakup *s, int vertex, int label)
{
	rbl_breakup_vertex *v = rbl_breakup_entry(s, vertex);
	if (v->keeper == label)
		return -1;
	for (int i = v->copies; i >= 0; i = s->copy_next[i])
		if (s->copy_pieces[i] == label)
			return i;
	int copy = s->copy_count++;
	s->copy_pieces[copy] = label;
	s->copy_sources[copy] = (int)(v - s->touched);
	s->copy_next[copy] = v->copies;
	s->vertex_counts[label]++;
	v->copies = copy;
	return copy;
}

int rbl_breakup_id(const rbl_breakup *s, int vertex, int label)
{
	if (!rbl_breakup_is_touched(s, vertex))
		return vertex;
	const rbl_breakup_vertex *v = rbl_breakup_entry(s, vertex);
	if (v->keeper == label || v->copies < 0)
		return v->id;
	int copy = v->copies;
	while (s->copy_pieces[copy] != label)
		copy = s->copy_next[copy];
	return s->new_ids[copy];
}

void rbl_breakup_clear(rbl_breakup *s)
{
	for (int i = 0; i < s->body->vertices.count; ++i)
		s->states[s->body->vertices.data[i]] = 0;
}

// --- checks --------------------------------------------------------------------------------------

static rbl_result check_triangles(rbl_breakup *s)
{
	const rbl_surface_split_def *def = s->def;
	for (int t = 0; t < def->triangle_count; ++t) {
		const int *v = def->triangles + 3 * t;
		int label = def->triangle_labels[t];
		if (label < 0 || label >= def->piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has the piece %d of %d", t, label,
			                def->piece_count);
		for (int k = 0; k < 3; ++k)
			if (v[k] < -def->vertex_count || v[k] >= s->surface->vertex_end ||
			    (v[k] >= 0 && s->states[v[k]] == 0))
				return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has an unknown vertex %d", t,
				                v[k]);
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has a vertex twice", t);
		s->triangle_counts[label]++;
		for (int k = 0; k < 3; ++k) {
			rbl_breakup_vertex *entry = v[k] < 0 ? &s->touched[-1 - v[k]] : touch(s, v[k]);
			entry->meets_new = true;
			offer_keeper(s, entry, label);
		}
	}
	return RBL_OK;
}

// A cluster is labelled by its first triangle, and mixed when another one differs.
static void label_cluster(rbl_breakup *s, int cluster, int label)
{
	int *own = &s->cluster_labels[cluster];
	if (*own == label || *own == MIXED)
		return;
	if (*own == UNSEEN) {
		s->own[s->own_count++] = cluster;
		*own = label;
		return;
	}
	*own = MIXED;
	s->mixed[s->mixed_count++] = cluster;
}

static rbl_result check_labels(rbl_breakup *s)
{
	const rbl_surface_split_def *def = s->def;
	const rbl_surface *surface = s->surface;
	const int *triangles = s->body->triangles.data;
	int count = s->body->triangles.count;
	for (int i = 0; i < count; ++i)
		s->cluster_labels[surface->clusters[triangles[i]]] = UNSEEN;
	for (int i = 0; i < count; ++i) {
		int label = def->labels[i], t = triangles[i];
		if (label < -1 || label >= def->piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the piece %d of %d", i, label,
			                def->piece_count);
		if (label >= 0)
			s->triangle_counts[label]++;
		s->labels[t] = 2 * (label + 1);
		label_cluster(s, surface->clusters[t], label);
		use_vertices(s, surface->triangles + 3 * t, label);
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

// --- cracks --------------------------------------------------------------------------------------

static void add_to_crack(rbl_breakup *s, int triangle)
{
	if (s->labels[triangle] & 1)
		return;
	s->labels[triangle] |= 1;
	s->crack[s->crack_count++] = triangle;
}

// Triangles at touched vertices: from fan to fan, or, where a vertex has several, by looking at all.
static void list_crack(rbl_breakup *s)
{
	const rbl_surface *surface = s->surface;
	if (s->has_many_fans) {
		for (int i = 0; i < s->body->triangles.count; ++i) {
			int t = s->body->triangles.data[i];
			const int *v = surface->triangles + 3 * t;
			if (rbl_breakup_is_touched(s, v[0]) || rbl_breakup_is_touched(s, v[1]) ||
			    rbl_breakup_is_touched(s, v[2]))
				add_to_crack(s, t);
		}
		return;
	}
	for (int i = s->def->vertex_count; i < s->touched_count; ++i) {
		int start = surface->anchors[s->touched[i].id], h = start;
		while (h >= 0) {
			add_to_crack(s, h / 3);
			h = surface->twins[rbl_surface_prev(h)];
			if (h == start)
				break;
		}
	}
}

// Corners of triangles of the body whose vertex another piece keeps, each with a copy of it.
static void list_foreign(rbl_breakup *s)
{
	for (int i = 0; i < 3 * s->crack_count; ++i) {
		int corner = 3 * s->crack[i / 3] + i % 3, vertex = s->surface->triangles[corner];
		int label = rbl_breakup_label(s, s->crack[i / 3]);
		if (label < 0 || !rbl_breakup_is_touched(s, vertex) ||
		    rbl_breakup_entry(s, vertex)->keeper == label)
			continue;
		s->foreign[s->foreign_count] = corner;
		s->foreign_copies[s->foreign_count++] = copy_vertex(s, vertex, label);
	}
}

static bool plan_vertices(rbl_breakup *s)
{
	rbl_arena *arena = &s->surface->scratch;
	const rbl_surface_split_def *def = s->def;
	s->crack = RBL_ARENA_NEW(arena, int, s->body->triangles.count);
	if (!s->crack)
		return false;
	list_crack(s);
	// Every corner whose vertex another piece keeps may bring a copy.
	size_t corners = 3 * (size_t)s->crack_count, most = corners + 3 * (size_t)def->triangle_count;
	s->foreign = RBL_ARENA_NEW(arena, int, corners);
	s->foreign_copies = RBL_ARENA_NEW(arena, int, corners);
	s->copy_next = RBL_ARENA_NEW(arena, int, most);
	s->copy_pieces = RBL_ARENA_NEW(arena, int, most);
	s->copy_sources = RBL_ARENA_NEW(arena, int, most);
	if (!s->foreign || !s->foreign_copies || !s->copy_next || !s->copy_pieces || !s->copy_sources)
		return false;
	list_foreign(s);
	for (int i = 0; i < 3 * def->triangle_count; ++i)
		copy_vertex(s, def->triangles[i], def->triangle_labels[i / 3]);
	s->new_ids = RBL_ARENA_NEW(arena, int, s->copy_count + def->vertex_count);
	if (!s->new_ids)
		return false;
	rbl_surface_peek_vertices(s->surface, s->copy_count + def->vertex_count, s->new_ids);
	for (int i = 0; i < def->vertex_count; ++i)
		s->touched[i].id = s->new_ids[s->copy_count + i];
	return true;
}

// --- clusters ------------------------------------------------------------------------------------

static void add_loose(rbl_breakup *s, int triangle, const int *v, int label)
{
	int at = s->loose_count++;
	rbl_box box = rbl_box_empty();
	s->loose[at] = triangle;
	s->loose_labels[at] = label;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3 p = v[k] >= 0 ? s->surface->positions[1][v[k]] : s->def->positions[-1 - v[k]];
		box = rbl_box_add_point(box, p);
		s->loose_corners[3 * at + k] = rbl_breakup_id(s, v[k], label);
	}
	s->loose_boxes[at] = box;
}

// Triangles that lose their cluster, and new ones, with their corners.
static bool collect_loose(rbl_breakup *s)
{
	rbl_arena *arena = &s->surface->scratch;
	const rbl_surface *surface = s->surface;
	const rbl_surface_split_def *def = s->def;
	int count = def->triangle_count + RBL_CLUSTER_SIZE * s->mixed_count;
	s->loose = RBL_ARENA_NEW(arena, int, count);
	s->loose_labels = RBL_ARENA_NEW(arena, int, count);
	s->loose_corners = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	s->loose_boxes = RBL_ARENA_NEW(arena, rbl_box, count);
	s->loose_places = RBL_ARENA_NEW(arena, int, surface->triangle_end);
	if (!s->loose_places || !s->loose || !s->loose_labels || !s->loose_corners || !s->loose_boxes)
		return false;
	for (int i = 0; i < s->mixed_count; ++i) {
		const rbl_cluster *cluster = &surface->cluster_data[s->mixed[i]];
		for (int lane = 0; lane < cluster->count; ++lane) {
			int t = cluster->triangles[lane], label = rbl_breakup_label(s, t);
			if (label < 0)
				continue;
			s->loose_places[t] = s->loose_count;
			add_loose(s, t, surface->triangles + 3 * t, label);
		}
	}
	int *ids = s->loose + s->loose_count;
	rbl_surface_peek_triangles(surface, def->triangle_count, ids);
	for (int i = 0; i < def->triangle_count; ++i)
		add_loose(s, ids[i], def->triangles + 3 * i, def->triangle_labels[i]);
	return true;
}

bool rbl_breakup_stays_joined(const rbl_breakup *s, int half_edge, int label)
{
	const rbl_surface *surface = s->surface;
	int twin = surface->twins[half_edge];
	if (twin < 0 || rbl_breakup_label(s, twin / 3) != label)
		return false;
	int a = surface->triangles[half_edge], b = surface->triangles[rbl_surface_next(half_edge)];
	return !rbl_breakup_is_touched(s, a) || !rbl_breakup_is_touched(s, b) ||
	       !rbl_breakup_entry(s, a)->meets_new || !rbl_breakup_entry(s, b)->meets_new;
}

static bool is_loose(const rbl_breakup *s, int triangle)
{
	return s->cluster_labels[s->surface->clusters[triangle]] == MIXED;
}

// Offer the half-edges with nothing across once the body is split: they are joined anew. Nothing happens
// to an edge between vertices that are not touched, and not all of its triangles are known here.
static void offer_open(rbl_breakup *s)
{
	const rbl_surface *surface = s->surface;
	for (int i = 0; i < s->crack_count; ++i) {
		int t = s->crack[i], label = rbl_breakup_label(s, t);
		for (int h = 3 * t; label >= 0 && h < 3 * t + 3; ++h) {
			int from = surface->triangles[h], to = surface->triangles[rbl_surface_next(h)];
			if ((rbl_breakup_is_touched(s, from) || rbl_breakup_is_touched(s, to)) &&
			    !rbl_breakup_stays_joined(s, h, label))
				rbl_edge_work_add_placed(&s->edges, h, is_loose(s, t) ? s->loose_places[t] : -1,
				                         rbl_breakup_id(s, from, label),
				                         rbl_breakup_id(s, to, label));
		}
	}
	for (int i = s->loose_count - s->def->triangle_count; i < s->loose_count; ++i)
		for (int k = 0; k < 3; ++k)
			rbl_edge_work_add_placed(&s->edges, 3 * s->loose[i] + k, i, s->loose_corners[3 * i + k],
			                         s->loose_corners[3 * i + (k + 1) % 3]);
	rbl_edge_work_sort(&s->edges);
}

// Put loose triangles together: what is joined now and stays so, and what will be joined.
static bool plan_clusters(rbl_breakup *s)
{
	const rbl_surface *surface = s->surface;
	rbl_arena *arena = &s->surface->scratch;
	int *twins = RBL_ARENA_NEW(arena, int, 3 * (size_t)s->loose_count);
	if (!twins ||
	    !rbl_edge_work_init(&s->edges, arena, 3 * (s->crack_count + s->def->triangle_count)))
		return false;
	int old = s->loose_count - s->def->triangle_count;
	for (int i = 0; i < 3 * s->loose_count; ++i) {
		int h = 3 * s->loose[i / 3] + i % 3;
		bool stays = i < 3 * old && rbl_breakup_stays_joined(s, h, s->loose_labels[i / 3]) &&
		             is_loose(s, surface->twins[h] / 3);
		twins[i] = stays ? 3 * s->loose_places[surface->twins[h] / 3] + surface->twins[h] % 3
		                 : RBL_SURFACE_BORDER;
	}
	offer_open(s);
	rbl_edge_work_place(&s->edges, twins);
	return rbl_plan_clusters(&s->plan, arena, s->loose_corners, s->loose_boxes, s->loose_labels,
	                         twins, s->loose_count);
}

static rbl_result break_tree(rbl_breakup *s)
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
	for (int i = 0; i < s->mixed_count; ++i)
		s->cluster_labels[s->mixed[i]] = GONE;
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

static rbl_result prepare(rbl_breakup *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->scratch;
	const rbl_allocator *allocator = &surface->allocator;
	int piece_count = s->def->piece_count;
	s->trees = RBL_ARENA_NEW(arena, rbl_tree, piece_count);
	s->gone_vertices = RBL_ARENA_NEW(arena, int, s->body->vertices.count + s->def->vertex_count);
	if (!s->trees || !s->gone_vertices || !plan_vertices(s) || !collect_loose(s) ||
	    !plan_clusters(s))
		return RBL_OUT_OF_MEMORY;
	s->turned = RBL_ARENA_NEW(arena, int, s->crack_count + s->def->triangle_count);
	if (!s->turned)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_surface_reserve(surface, s->copy_count + s->def->vertex_count,
	                                        s->def->triangle_count, s->plan.count);
	s->states = surface->vertex_scratch; // may have moved
	if (result != RBL_OK)
		return result;
	int slots = surface->ids.slot_count + piece_count - 1;
	if (!rbl_id_pool_reserve(allocator, &surface->ids, slots) ||
	    !rbl_array_reserve(allocator, &surface->bodies, slots))
		return RBL_OUT_OF_MEMORY;
	s->body = &surface->bodies.data[s->slot]; // the arrays may have moved
	if (s->body->is_proven)
		(void)rbl_rigid_reserve(surface, slots); // without, pieces are proven anew
	if (slots > surface->body_pool.leaf_capacity &&
	    rbl_tree_pool_reserve(&surface->body_pool, 2 * slots, 2 * slots) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < piece_count; ++i)
		if (!rbl_array_reserve(allocator, &s->pieces[i].vertices, s->vertex_counts[i]) ||
		    !rbl_array_reserve(allocator, &s->pieces[i].triangles, s->triangle_counts[i]))
			return RBL_OUT_OF_MEMORY;
	return break_tree(s);
}

static rbl_result check_split(rbl_breakup *s)
{
	rbl_surface *surface = s->surface;
	rbl_arena *arena = &surface->scratch;
	const rbl_surface_split_def *def = s->def;
	size_t pieces = (size_t)def->piece_count;
	int vertices = s->body->vertices.count, clusters = s->body->tree.leaf_count;
	s->states = surface->vertex_scratch;
	s->labels = RBL_ARENA_NEW(arena, int, surface->triangle_end);
	s->touched =
		RBL_ARENA_NEW(arena, rbl_breakup_vertex, (size_t)vertices + (size_t)def->vertex_count);
	s->cluster_labels = RBL_ARENA_NEW(arena, int, surface->cluster_end);
	s->own = RBL_ARENA_NEW(arena, int, clusters);
	s->mixed = RBL_ARENA_NEW(arena, int, clusters);
	s->triangle_counts = filled(arena, pieces, 0);
	s->vertex_counts = filled(arena, pieces, 0);
	s->pieces = RBL_ARENA_NEW(arena, rbl_surface_body, pieces);
	if (!s->labels || !s->touched || !s->cluster_labels || !s->own || !s->mixed ||
	    !s->triangle_counts || !s->vertex_counts || !s->pieces)
		return RBL_OUT_OF_MEMORY;
	memset(s->pieces, 0, pieces * sizeof *s->pieces);
	for (int i = 0; i < def->vertex_count; ++i)
		s->touched[s->touched_count++] =
			(rbl_breakup_vertex){ .id = -1, .keeper = -1, .copies = -1 };
	for (int i = 0; i < vertices; ++i)
		s->states[s->body->vertices.data[i]] = RBL_BREAKUP_OWN;
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
	rbl_breakup s = {
		.surface = surface, .def = def, .body = &surface->bodies.data[slot], .slot = slot
	};
	result = check_split(&s);
	if (result == RBL_OK) {
		result = prepare(&s);
		for (int i = 0; result != RBL_OK && i < def->piece_count; ++i) {
			rbl_array_free(&surface->allocator, &s.pieces[i].vertices);
			rbl_array_free(&surface->allocator, &s.pieces[i].triangles);
		}
	}
	if (result == RBL_OK)
		rbl_breakup_write(&s, pieces);
	else
		rbl_breakup_clear(&s);
	surface->pending_ns += rbl_clock_ns() - begin;
	return result;
}
