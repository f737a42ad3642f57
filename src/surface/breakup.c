// SPDX-License-Identifier: MIT
//
// Splitting a body: the plan is carried out. Nothing fails from here on.

#include "surface/breakup.h"

// A vertex goes to the piece that keeps it, and its copies to theirs.
static void hand_over(rbl_breakup *s, const rbl_breakup_vertex *v)
{
	s->surface->origins[v->id] = v->id;
	if (v->keeper >= 0) {
		rbl_surface_body *piece = &s->pieces[v->keeper];
		piece->vertices.data[piece->vertices.count++] = v->id;
	} else {
		s->gone_vertices[s->gone_count++] = v->id;
	}
	for (int copy = v->copies; copy >= 0; copy = s->copy_next[copy]) {
		rbl_surface_body *piece = &s->pieces[s->copy_pieces[copy]];
		piece->vertices.data[piece->vertices.count++] = s->new_ids[copy];
	}
}

static void take_vertices(rbl_breakup *s)
{
	rbl_surface *surface = s->surface;
	const rbl_surface_split_def *def = s->def;
	for (int i = 0; i < s->copy_count + def->vertex_count; ++i) {
		int id = rbl_surface_take_vertex(surface);
		RBL_ASSERT(id == s->new_ids[i]);
		int source = i < s->copy_count ? s->copy_sources[i] : i - s->copy_count;
		int origin = s->touched[source].id;
		for (int time = 0; time < 2; ++time)
			surface->positions[time][id] = source < def->vertex_count
			                                   ? def->positions[source]
			                                   : surface->positions[time][origin];
		surface->origins[id] = origin;
	}
	for (int i = 0; i < s->body->vertices.count; ++i) {
		int id = s->body->vertices.data[i], state = s->states[id];
		rbl_breakup_vertex inner = { .id = id, .keeper = (state >> 2) - 1, .copies = -1 };
		hand_over(s, state & RBL_BREAKUP_TOUCHED ? &s->touched[state >> 2] : &inner);
	}
	for (int i = 0; i < def->vertex_count; ++i)
		hand_over(s, &s->touched[i]);
}

// What lies across an edge changes. Clusters that come apart have nothing to forget.
static void forget_ring(const rbl_breakup *s, int triangle)
{
	int cluster = s->surface->clusters[triangle];
	if (s->cluster_labels[cluster] >= 0)
		s->surface->cluster_rings[cluster].around[0] = RBL_RING_UNKNOWN;
}

// Open the edges between pieces, and give triangles along them their piece's vertices. Vertices
// around which something happens lose their anchor.
static void open_edges(rbl_breakup *s)
{
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->crack_count; ++i) {
		int triangle = s->crack[i], label = rbl_breakup_label(s, triangle);
		int *twins = surface->twins + 3 * triangle;
		for (int k = 0; k < 3; ++k) {
			if (twins[k] < 0 || rbl_breakup_stays_joined(s, 3 * triangle + k, label))
				continue;
			forget_ring(s, triangle);
			forget_ring(s, twins[k] / 3);
			surface->twins[twins[k]] = RBL_SURFACE_BORDER;
			twins[k] = RBL_SURFACE_BORDER;
		}
	}
	for (int i = 0; i < s->touched_count; ++i)
		surface->anchors[s->touched[i].id] = -1;
	for (int i = 0; i < s->foreign_count; ++i)
		surface->triangles[s->foreign[i]] = s->new_ids[s->foreign_copies[i]];
}

static void take_triangles(rbl_breakup *s)
{
	rbl_surface *surface = s->surface;
	const rbl_surface_split_def *def = s->def;
	for (int i = 0; i < s->body->triangles.count; ++i)
		if (def->labels[i] >= 0) {
			rbl_surface_body *piece = &s->pieces[def->labels[i]];
			piece->triangles.data[piece->triangles.count++] = s->body->triangles.data[i];
		}
	int first = s->loose_count - def->triangle_count;
	for (int i = 0; i < def->triangle_count; ++i) {
		int id = rbl_surface_take_triangle(surface);
		rbl_surface_body *piece = &s->pieces[def->triangle_labels[i]];
		piece->triangles.data[piece->triangles.count++] = id;
		RBL_ASSERT(id == s->loose[first + i]);
		for (int k = 0; k < 3; ++k) {
			surface->triangles[3 * id + k] = s->loose_corners[3 * (first + i) + k];
			surface->twins[3 * id + k] = RBL_SURFACE_BORDER;
		}
	}
}

// Join what is open, and find anchors: all triangles around a vertex without one are among those of
// the crack and the new ones.
static void join_edges(rbl_breakup *s)
{
	rbl_surface *surface = s->surface;
	int count = 0, first = s->loose_count - s->def->triangle_count;
	for (int i = 0; i < s->crack_count; ++i)
		if (rbl_breakup_label(s, s->crack[i]) >= 0)
			s->turned[count++] = s->crack[i];
	for (int i = first; i < s->loose_count; ++i)
		s->turned[count++] = s->loose[i];
	rbl_edge_work_join(&s->edges, surface->twins);
	rbl_breakup_clear(s);
	rbl_surface_anchor(surface, s->turned, count);
}

// New clusters are taken before old ones are returned: their ids are promised.
static void move_clusters(rbl_breakup *s, const int *slots)
{
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->loose_count; ++i)
		s->loose_labels[i] = slots[s->loose_labels[i]];
	// What kept its cluster changes hands with it; the rest leaves its cluster behind.
	int emptied = 0;
	for (int i = 0; i < s->own_count; ++i) {
		int label = s->cluster_labels[s->own[i]];
		if (label >= 0)
			surface->cluster_data[s->own[i]].body = slots[label];
		else
			s->own[emptied++] = s->own[i];
	}
	for (int i = 0; i < emptied; ++i)
		surface->cluster_data[s->own[i]].count = 0;
	for (int i = 0; i < 3 * s->loose_count; ++i) {
		int twin = surface->twins[3 * s->loose[i / 3] + i % 3];
		if (twin >= 0)
			rbl_surface_forget_ring(surface, twin / 3);
	}
	rbl_surface_take_plan(surface, &s->plan, s->loose, s->loose_labels, 0);
	for (int i = emptied - 1; i >= 0; --i)
		rbl_surface_return_cluster(surface, s->own[i]);
}

static void return_gone(rbl_breakup *s)
{
	for (int i = s->crack_count - 1; i >= 0; --i)
		if (rbl_breakup_label(s, s->crack[i]) < 0)
			rbl_surface_return_triangle(s->surface, s->crack[i]);
	for (int i = s->gone_count - 1; i >= 0; --i)
		rbl_surface_return_vertex(s->surface, s->gone_vertices[i]);
}

static int sum_of(int a, int b)
{
	return a < RBL_MAX_SURFACE_ITEMS - b ? a + b : RBL_MAX_SURFACE_ITEMS;
}

void rbl_breakup_write(rbl_breakup *s, rbl_surface_body_id *ids)
{
	rbl_surface *surface = s->surface;
	int *slots = s->vertex_counts; // no longer needed
	surface->last_break.vertices =
		sum_of(surface->last_break.vertices, s->copy_count + s->def->vertex_count);
	surface->last_break.triangles = sum_of(surface->last_break.triangles, s->def->triangle_count);
	surface->last_break.clusters = sum_of(surface->last_break.clusters, s->plan.count);
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
	rbl_breakup_bequeath(s, slots);
	return_gone(s);
	rbl_surface_body old = *s->body;
	for (int p = 0; p < s->def->piece_count; ++p) {
		rbl_surface_body *piece = &s->pieces[p];
		piece->tree = s->trees[p];
		piece->has_new_tree = piece->has_stale = piece->may_have_seams = true;
		// Where many clusters are new the tree is built anew once they are fitted.
		piece->has_rough_tree = 4 * s->fresh_counts[p] > piece->tree.leaf_count;
		piece->is_touched = old.is_touched, piece->is_moving = old.is_moving;
		piece->is_whole = old.is_whole;
		piece->needs_fit = old.needs_fit || old.has_old_normals;
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
