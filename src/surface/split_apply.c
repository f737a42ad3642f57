// SPDX-License-Identifier: MIT
//
// Splitting a body: the plan is carried out. Nothing fails from here on.

#include "surface/split.h"

static void add_vertex(rbl_surface_split_plan *s, int piece, int id)
{
	rbl_surface_body *body = &s->pieces[piece];
	body->vertices.data[body->vertices.count++] = id;
}

// A touched vertex goes to the piece that keeps it, and its copies to theirs.
static void give_vertex(rbl_surface_split_plan *s, const rbl_surface_split_vertex *v)
{
	if (v->keeper >= 0)
		add_vertex(s, v->keeper, v->id);
	else
		s->gone_vertices[s->gone_vertex_count++] = v->id;
	for (int copy = v->copies; copy >= 0; copy = s->copies[copy].next)
		add_vertex(s, s->copies[copy].piece, s->new_ids[copy]);
}

static void take_vertices(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	const rbl_surface_split_def *def = s->def;
	for (int i = 0; i < s->copy_count + def->vertex_count; ++i) {
		int id = rbl_surface_take_vertex(surface);
		RBL_ASSERT(id == s->new_ids[i]);
		int source = i < s->copy_count ? s->copies[i].source : i - s->copy_count;
		int origin = s->touched[source].id;
		for (int time = 0; time < 2; ++time)
			surface->positions[time][id] = source < def->vertex_count
			                                   ? def->positions[source]
			                                   : surface->positions[time][origin];
		surface->origins[id] = origin;
		if (source >= def->vertex_count)
			rbl_surface_copy_extras(surface, id, origin);
		if (surface->rest_positions.count > 0)
			surface->rest_positions.data[id] = source >= def->vertex_count
			                                       ? surface->rest_positions.data[origin]
			                                   : def->rest_positions ? def->rest_positions[source]
			                                                         : (rbl_vec3){ NAN, NAN, NAN };
	}
	// States were just read; origins lie one to a cache line, and are prefetched.
	enum { SPLIT_APPLY_AHEAD = 16 };
	const int *vertices = s->body->vertices.data;
	int *states = s->states, *origins = surface->origins;
	for (int i = 0, count = s->body->vertices.count; i < count; ++i) {
		int id = vertices[i], state = states[id];
		rbl_prefetch(&origins[vertices[rbl_mini(i + SPLIT_APPLY_AHEAD, count - 1)]]);
		origins[id] = id;
		states[id] = 0;
		if (state & RBL_SPLIT_TOUCHED)
			give_vertex(s, &s->touched[state >> 2]);
		else if (state > RBL_SPLIT_OWN)
			add_vertex(s, (state >> 2) - 1, id);
		else
			s->gone_vertices[s->gone_vertex_count++] = id;
	}
	for (int i = 0; i < def->vertex_count; ++i)
		give_vertex(s, &s->touched[i]);
}

static void take_triangles(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	const rbl_surface_split_def *def = s->def;
	const int *labels = def->labels, *ids = s->body->triangles.data;
	for (int i = 0, count = s->body->triangles.count; i < count; ++i)
		if (labels[i] >= 0) {
			rbl_surface_body *piece = &s->pieces[labels[i]];
			piece->triangles.data[piece->triangles.count++] = ids[i];
		}
	for (int i = 0; i < def->triangle_count; ++i) {
		int id = rbl_surface_take_triangle(surface);
		rbl_surface_body *piece = &s->pieces[def->triangle_labels[i]];
		piece->triangles.data[piece->triangles.count++] = id;
		RBL_ASSERT(id == s->affected[s->affected_count - def->triangle_count + i]);
	}
}

// The vertex of a corner.
static int vertex_of(const rbl_surface_split_plan *s, int corner)
{
	return corner < 0                  ? -1 - corner
	       : corner < s->touched_count ? s->touched[corner].id
	                                   : s->new_ids[corner - s->touched_count];
}

static int written_half_edge(const rbl_surface_split_plan *s, int twin)
{
	int corner = RBL_SPLIT_JOINED - twin;
	return twin <= RBL_SPLIT_JOINED ? 3 * s->affected[corner >> 2] + (corner & 3) : twin;
}

// Prefetch a triangle that turns soon, and for what is written of its cluster.
static void prefetch_changed(const rbl_surface_split_plan *s, int i)
{
	enum { SPLIT_APPLY_AHEAD = 8 };
	const rbl_surface *surface = s->surface;
	if (i + 2 * SPLIT_APPLY_AHEAD < s->changed_count) {
		int triangle = s->affected[s->changed[i + 2 * SPLIT_APPLY_AHEAD]];
		rbl_prefetch(&surface->twins[3 * triangle]);
		rbl_prefetch(&surface->triangles[3 * triangle]);
		rbl_prefetch(&surface->clusters[triangle]);
	}
	if (i + SPLIT_APPLY_AHEAD < s->changed_count) {
		int cluster = surface->clusters[s->affected[s->changed[i + SPLIT_APPLY_AHEAD]]];
		rbl_prefetch(&surface->cluster_neighbours[cluster]);
		rbl_prefetch(&s->cluster_labels[cluster]);
	}
}

// Write the corners and twins of triangles that change. A cluster has other neighbours when they
// do; those that are dissolved have nothing to forget.
static void change_triangles(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	int *triangles = surface->triangles, *twins = surface->twins;
	const int *corners = s->corners, *planned = s->twins;
	bool has_corners = rbl_surface_has_corners(surface);
	for (int n = 0; n < s->changed_count; ++n) {
		int i = s->changed[n], first = 3 * s->affected[i], own = surface->clusters[s->affected[i]];
		bool is_changed = false, is_parted = false, has_others = false;
		prefetch_changed(s, n);
		for (int k = 0; k < 3; ++k) {
			int twin = written_half_edge(s, planned[3 * i + k]), before = twins[first + k];
			is_changed |= before != twin;
			// A new triangle may come between two of one cluster: its boundary is found again.
			is_parted |= before != twin && before >= 0 && surface->clusters[before / 3] == own;
			twins[first + k] = twin;
			int vertex = vertex_of(s, corners[3 * i + k]);
			has_others |= triangles[first + k] != vertex;
			triangles[first + k] = vertex;
		}
		if (s->cluster_labels[own] < 0)
			continue;
		if (has_others && has_corners) // a copy of them is repaired
			rbl_surface_mark_stale(surface, own);
		if (is_changed)
			surface->cluster_neighbours[own].around[0] = RBL_SURFACE_NEIGHBOURS_UNKNOWN;
		if (is_parted)
			surface->cluster_boundaries[own] = RBL_SURFACE_BOUNDARY_UNKNOWN;
	}
}

static void write_new_triangles(const rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	for (int i = s->affected_count - s->def->triangle_count; i < s->affected_count; ++i)
		for (int k = 0; k < 3; ++k) {
			surface->twins[3 * s->affected[i] + k] = written_half_edge(s, s->twins[3 * i + k]);
			surface->triangles[3 * s->affected[i] + k] = vertex_of(s, s->corners[3 * i + k]);
		}
}

// Find anchors: all triangles around a touched vertex turn. Around a vertex that had one fan, and
// nothing new, a piece has parts of that fan: each begins where nothing lies across, and what has
// no such place is the whole. So one boundary, or none, is one fan, without a walk round it. Copies
// come first, since they prefetch the flag of their source.
static void anchor_vertices(rbl_surface_split_plan *s)
{
	rbl_surface *surface = s->surface;
	for (int at = s->touched_count + s->copy_count - 1; at >= 0; --at) {
		const rbl_surface_split_fan *fan = &s->fans[at];
		int vertex = vertex_of(s, at);
		int entry = at < s->touched_count ? at : s->copies[at - s->touched_count].source;
		const rbl_surface_split_vertex *source = &s->touched[entry];
		if (fan->count == 0) {
			surface->anchors[vertex] = -1;
		} else if (fan->border == RBL_SPLIT_TO_WALK || source->has_new_triangle ||
		           surface->vertex_flags[source->id] != 0) {
			rbl_surface_set_anchor(surface, vertex, fan->first, fan->count);
		} else {
			surface->anchors[vertex] = fan->border >= 0 ? fan->border : fan->first;
			surface->vertex_flags[vertex] = 0;
		}
	}
}

// Clusters beside loose triangles have other neighbours. Beside new triangles sides changed, and
// were seen to when they were written.
static void forget_neighbours(const rbl_surface_split_plan *s)
{
	enum { SPLIT_APPLY_AHEAD = 8 };
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->beside_count; ++i) {
		if (i + 2 * SPLIT_APPLY_AHEAD < s->beside_count)
			rbl_prefetch(&surface->clusters[s->beside[i + 2 * SPLIT_APPLY_AHEAD]]);
		if (i + SPLIT_APPLY_AHEAD < s->beside_count)
			rbl_prefetch(
				&surface->cluster_neighbours[surface->clusters[s->beside[i + SPLIT_APPLY_AHEAD]]]);
		rbl_surface_forget_neighbours(surface, s->beside[i]);
	}
}

// New clusters are taken before old ones are returned: their ids are promised.
static void move_clusters(rbl_surface_split_plan *s, const int *slots)
{
	rbl_surface *surface = s->surface;
	for (int i = 0; i < s->loose_count; ++i) {
		s->loose_labels[i] = slots[s->loose_labels[i]];
		s->loose[i] = s->affected[s->loose[i]];
	}
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
	forget_neighbours(s);
	rbl_surface_take_plan(surface, &s->plan, s->loose, s->loose_labels, 0);
	for (int i = emptied - 1; i >= 0; --i)
		rbl_surface_return_cluster(surface, s->own[i]);
}

static void return_gone(rbl_surface_split_plan *s)
{
	for (int i = s->gone_count - 1; i >= 0; --i)
		rbl_surface_return_triangle(s->surface, s->gone[i]);
	for (int i = s->gone_vertex_count - 1; i >= 0; --i)
		rbl_surface_return_vertex(s->surface, s->gone_vertices[i]);
}

static int sum_of(int a, int b)
{
	return a < RBL_MAX_SURFACE_ITEMS - b ? a + b : RBL_MAX_SURFACE_ITEMS;
}

void rbl_surface_split_apply(rbl_surface_split_plan *s, rbl_surface_body_id *ids)
{
	rbl_surface *surface = s->surface;
	int *slots = s->vertex_counts; // no longer needed
	surface->last_split.vertices =
		sum_of(surface->last_split.vertices, s->copy_count + s->def->vertex_count);
	surface->last_split.triangles = sum_of(surface->last_split.triangles, s->def->triangle_count);
	surface->last_split.clusters = sum_of(surface->last_split.clusters, s->plan.count);
	take_vertices(s);
	take_triangles(s);
	change_triangles(s);
	write_new_triangles(s);
	anchor_vertices(s);
	for (int p = 0; p < s->def->piece_count; ++p) {
		rbl_id id = p == 0 ? rbl_id_pool_at(&surface->ids, s->slot)
		                   : rbl_id_pool_add(&surface->allocator, &surface->ids);
		slots[p] = (int)id.index;
		ids[p] = (rbl_surface_body_id){ id.index, id.generation };
	}
	move_clusters(s, slots);
	rbl_surface_inherit_certificates(s, slots);
	return_gone(s);
	rbl_surface_body old = *s->body;
	for (int p = 0; p < s->def->piece_count; ++p) {
		rbl_surface_body *piece = &s->pieces[p];
		piece->tree = s->trees[p];
		piece->nodes.are_new = piece->fit.has_stale = piece->self.may_have_seams = true;
		// Where many clusters are new the tree is rebuilt once they are fitted.
		piece->nodes.are_rough = 4 * s->fresh_counts[p] > piece->tree.leaf_count;
		piece->motion.has_moved = old.motion.has_moved,
		piece->motion.is_moving = old.motion.is_moving;
		piece->motion.is_whole = old.motion.is_whole;
		piece->fit.needs_all = old.fit.needs_all,
		piece->fit.has_old_normals = old.fit.has_old_normals;
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
