// SPDX-License-Identifier: MIT
//
// Editing a body: the plan is carried out. Nothing fails from here on.

#include "surface/edit.h"
#include "surface/certificate.h"

// --- lists --------------------------------------------------------------------------------------

static void append(int *list, int *count, int *places, int id)
{
	places[id] = *count;
	list[(*count)++] = id;
}

// The last takes its place.
static void take_out(int *list, int *count, int *places, int id)
{
	int last = list[--*count];
	list[places[id]] = last;
	places[last] = places[id];
}

static rbl_surface_body *piece_at(const rbl_surface_edit_plan *e, int piece)
{
	return piece == 0 ? &e->surface->bodies.data[e->slot] : &e->pieces[piece - 1];
}

static void edit_give_vertex(rbl_surface_edit_plan *e, int piece, int id)
{
	rbl_surface_body *body = piece_at(e, piece);
	append(body->vertices.data, &body->vertices.count, e->surface->vertex_places, id);
}

static void edit_take_vertices(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	const rbl_surface_edit_def *def = e->def;
	rbl_surface_body *body = piece_at(e, 0);
	for (int i = def->vertex_count; i < e->vertex_count; ++i) {
		const rbl_surface_edit_vertex *v = &e->vertices[i];
		if (v->keeper == 0)
			continue;
		take_out(body->vertices.data, &body->vertices.count, surface->vertex_places, v->id);
		if (v->keeper > 0)
			edit_give_vertex(e, v->keeper, v->id);
	}
	bool has_rest = surface->rest_positions.count > 0;
	for (int i = 0; i < e->copy_count + def->vertex_count; ++i) {
		int id = rbl_surface_take_vertex(surface), made = i - e->copy_count;
		RBL_ASSERT(id == e->new_ids[i]);
		const rbl_surface_edit_copy *copy = made < 0 ? &e->copies[i] : NULL;
		int source = copy ? copy->source : made;
		bool is_new = source < def->vertex_count;
		int piece = copy ? copy->piece : e->vertices[source].keeper;
		for (int time = 0; time < 2; ++time) {
			surface->positions[time][id] = is_new
			                                   ? e->new_positions[time][source]
			                                   : surface->positions[time][e->vertices[source].id];
			if (is_new)
				rbl_surface_write_residual(surface, piece_at(e, piece), id, time,
				                           e->new_exact[time][source]);
		}
		surface->origins[id] = copy ? e->vertices[source].id : id;
		if (!is_new)
			rbl_surface_copy_extras(surface, id, e->vertices[source].id);
		const int *parents = is_new && def->parents ? def->parents + 3 * (size_t)source : NULL;
		rbl_vec3d rest = { 0.0, 0.0, 0.0 };
		for (int k = 0; parents && k < 3; ++k) {
			double weight = def->weights[3 * (size_t)source + (size_t)k];
			if (parents[k] < 0)
				continue;
			if (weight == 1.0 && !copy)
				surface->origins[id] = parents[k];
			if (weight == 1.0 && surface->vertex_user_ids.count > 0)
				surface->vertex_user_ids.data[id] = surface->vertex_user_ids.data[parents[k]];
			if (has_rest)
				rest = rbl_add_d(
					rest, rbl_scale_d(weight, rbl_to_d(surface->rest_positions.data[parents[k]])));
		}
		if (has_rest && !is_new)
			surface->rest_positions.data[id] = surface->rest_positions.data[e->vertices[source].id];
		else if (has_rest && parents)
			surface->rest_positions.data[id] = rbl_to_f(rest);
		if (is_new && def->vertex_user_ids)
			surface->vertex_user_ids.data[id] = def->vertex_user_ids[source];
		edit_give_vertex(e, piece, id);
	}
}

static void edit_take_triangles(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	rbl_surface_body *body = piece_at(e, 0);
	for (int i = 0; i < e->entry_count; ++i) {
		const rbl_surface_edit_triangle *entry = &e->entries[i];
		if (i >= e->old_count) {
			int id = rbl_surface_take_triangle(surface);
			RBL_ASSERT(id == entry->id);
			if (e->def->triangle_user_ids)
				surface->triangle_user_ids.data[id] = e->def->triangle_user_ids[i - e->old_count];
		} else if (!entry->is_named || entry->piece == 0) {
			continue;
		} else {
			take_out(body->triangles.data, &body->triangles.count, surface->triangle_places,
			         entry->id);
		}
		rbl_surface_body *piece = entry->piece < 0 ? NULL : piece_at(e, entry->piece);
		if (piece)
			append(piece->triangles.data, &piece->triangles.count, surface->triangle_places,
			       entry->id);
	}
}

// --- triangles ----------------------------------------------------------------------------------

static void forget_cluster(rbl_surface *surface, int triangle)
{
	int cluster = surface->clusters[triangle];
	if (cluster < 0)
		return;
	surface->cluster_neighbours[cluster].around[0] = RBL_SURFACE_NEIGHBOURS_UNKNOWN;
	surface->cluster_boundaries[cluster] = RBL_SURFACE_BOUNDARY_UNKNOWN;
}

// Corners and sides. A cluster has other neighbours where sides change, and where what lies beside
// it changes its cluster.
static void write_triangles(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	for (int i = 0; i < e->entry_count; ++i) {
		const rbl_surface_edit_triangle *entry = &e->entries[i];
		bool is_old = i < e->old_count, has_others = false;
		for (int k = 0; k < 3; ++k) {
			int h = 3 * entry->id + k, before = is_old ? surface->twins[h] : -1;
			if (before >= 0 && (entry->piece < 0 || entry->loose >= 0 || before != entry->twins[k]))
				forget_cluster(surface, before / 3);
			if (entry->piece < 0)
				continue;
			if (is_old && before != entry->twins[k])
				forget_cluster(surface, entry->id);
			surface->twins[h] = entry->twins[k];
			int vertex = rbl_surface_edit_vertex_id(e, entry->corners[k]);
			has_others |= is_old && surface->triangles[h] != vertex;
			surface->triangles[h] = vertex;
		}
		if (has_others && entry->loose < 0)
			rbl_surface_mark_stale(surface, surface->clusters[entry->id]);
	}
}

// All triangles around touched vertices and copies have an entry.
static void edit_anchor_vertices(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	int total = e->vertex_count + e->copy_count;
	for (int i = 0; i < total; ++i)
		surface->anchors[rbl_surface_edit_vertex_id(e, i)] = -1;
	for (int pass = 0; pass < 2; ++pass)
		for (int i = 0; i < e->entry_count; ++i)
			for (int k = 0; e->entries[i].piece >= 0 && k < 3; ++k) {
				int corner = e->entries[i].corners[k], h = 3 * e->entries[i].id + k;
				if (corner < 0)
					continue;
				// The keeper of a vertex is known now: it counts its triangles.
				int *count = corner < e->vertex_count ? &e->vertices[corner].copies
				                                      : &e->copies[corner - e->vertex_count].next;
				int vertex = rbl_surface_edit_vertex_id(e, corner);
				if (pass == 0) {
					if (surface->anchors[vertex] < 0)
						surface->anchors[vertex] = h, *count = 0;
					++*count;
				} else if (*count > 0) {
					rbl_surface_set_anchor(surface, vertex, h, *count);
					*count = 0;
				}
			}
}

// --- clusters and trees -------------------------------------------------------------------------

static void new_node(rbl_surface *surface, uint32_t leaf)
{
	uint32_t node = surface->pool.leaf_parents[leaf];
	if (node == RBL_TREE_NONE)
		return;
	surface->cull_results[node] = 0;
	surface->built_costs[node] = -1.0f;
	surface->edited_nodes++;
}

static void insert_leaf(rbl_surface *surface, rbl_tree *tree, uint32_t leaf, rbl_box box)
{
	rbl_result result = rbl_tree_insert(tree, leaf, box, RBL_TREE_NONE);
	RBL_ASSERT(result == RBL_OK);
	(void)result;
	new_node(surface, leaf);
}

static int piece_of_moved(const rbl_surface_edit_plan *e, int i)
{
	int first = e->surface->cluster_data[e->moved[i]].triangles[0];
	return e->entries[e->surface->triangle_entries[first] - 1].piece;
}

// New clusters take the places of dissolved ones in the tree of the body, as far as there are both.
static void change_trees(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	rbl_tree *tree = &piece_at(e, 0)->tree;
	for (int i = 0; i < e->moved_count; ++i) {
		int piece = piece_of_moved(e, i);
		rbl_box box = rbl_tree_leaf_box(tree, (uint32_t)e->moved[i]);
		rbl_tree_remove(tree, (uint32_t)e->moved[i]);
		insert_leaf(surface, &piece_at(e, piece)->tree, (uint32_t)e->moved[i], box);
	}
	int used = 0;
	for (int c = 0; c < e->plan.count; ++c) {
		int piece = e->loose_labels[e->plan.order[e->plan.starts[c]]];
		uint32_t leaf = e->plan.ids[c];
		if (piece == 0 && used < e->dissolved_count) {
			rbl_result result =
				rbl_tree_replace(tree, (uint32_t)e->dissolved[used++], leaf, e->cluster_boxes[c]);
			RBL_ASSERT(result == RBL_OK);
			(void)result;
		} else {
			insert_leaf(surface, &piece_at(e, piece)->tree, leaf, e->cluster_boxes[c]);
		}
	}
	for (; used < e->dissolved_count; ++used)
		rbl_tree_remove(tree, (uint32_t)e->dissolved[used]);
}

static void edit_move_clusters(rbl_surface_edit_plan *e, const int *slots)
{
	rbl_surface *surface = e->surface;
	for (int i = 0; i < e->loose_count; ++i)
		e->loose_labels[i] = slots[e->loose_labels[i]];
	for (int i = 0; i < e->moved_count; ++i)
		surface->cluster_data[e->moved[i]].body = slots[piece_of_moved(e, i)];
	for (int i = 0; i < e->dissolved_count; ++i)
		surface->cluster_data[e->dissolved[i]].count = 0;
	rbl_surface_take_plan(surface, &e->plan, e->loose_ids, e->loose_labels, 0);
	for (int i = e->dissolved_count - 1; i >= 0; --i)
		rbl_surface_return_cluster(surface, e->dissolved[i]);
}

// The box of a cluster whose corners changed: the tree holds it at once.
static void hold_stale(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	for (int i = 0; i < e->old_count; ++i) {
		const rbl_surface_edit_triangle *entry = &e->entries[i];
		if (entry->piece < 0 || entry->loose >= 0 || !entry->cornered)
			continue;
		int index = surface->clusters[entry->id];
		rbl_surface_body *body = &surface->bodies.data[surface->cluster_data[index].body];
		rbl_box box = rbl_tree_leaf_box(&body->tree, (uint32_t)index);
		for (int k = 0; k < 3; ++k)
			for (int time = 0; time < 2; ++time)
				box = rbl_box_add_point(
					box, surface->positions[time][surface->triangles[3 * entry->id + k]]);
		rbl_tree_move(&body->tree, (uint32_t)index, box);
	}
}

// --- bodies -------------------------------------------------------------------------------------

// Triangles that stay as they are stay apart; what is new may touch anything.
static void keep_certificate(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	rbl_surface_body *body = piece_at(e, 0);
	body->self.is_star = body->self.is_clear = false;
	body->self.is_certified &= e->def->triangle_count == 0 && e->def->corner_count == 0 &&
	                           body->triangles.count >= RBL_SURFACE_CERTIFICATE_MIN_TRIANGLES;
	for (int i = 0; i < e->entry_count; ++i)
		for (int k = 0; k < 3; ++k)
			if (e->entries[i].piece == 0 && e->entries[i].twins[k] < 0)
				body->self.closure = RBL_SURFACE_OPEN;
	if (e->slot >= surface->certificate_count)
		return;
	rbl_surface_certificate *own = &surface->certificates[e->slot];
	for (int k = 0; body->motion.has_frame && k < 3; ++k) {
		int at = surface->vertex_scratch[own->corners[k]];
		if (at > 0 && e->vertices[at - 1].keeper != 0)
			body->motion.has_frame = false;
	}
	int kept = 0;
	for (int i = 0; i < own->uncertain_pairs.count; ++i) {
		rbl_surface_pair pair = own->uncertain_pairs.data[i];
		int a = surface->triangle_entries[pair.a], b = surface->triangle_entries[pair.b];
		if ((a == 0 || e->entries[a - 1].piece == 0) && (b == 0 || e->entries[b - 1].piece == 0))
			own->uncertain_pairs.data[kept++] = pair;
	}
	own->uncertain_pairs.count = kept;
}

static void begin_pieces(rbl_surface_edit_plan *e)
{
	const rbl_surface_body *body = piece_at(e, 0);
	for (int p = 1; p < e->piece_count; ++p) {
		rbl_surface_body *piece = piece_at(e, p);
		piece->tree = rbl_tree_make(&e->surface->pool);
		piece->settings = body->settings;
		piece->has_places = true;
		piece->nodes.are_new = piece->nodes.are_rough = piece->fit.has_stale = true;
		piece->self.may_have_seams = true;
		piece->motion.has_moved = body->motion.has_moved;
		piece->motion.is_moving = body->motion.is_moving;
		piece->motion.is_whole = body->motion.is_whole;
		piece->fit.needs_all = body->fit.needs_all;
		piece->fit.has_old_normals = body->fit.has_old_normals;
		piece->fit.holds_all = body->fit.holds_all;
	}
}

static void end_bodies(rbl_surface_edit_plan *e, const int *slots)
{
	rbl_surface *surface = e->surface;
	rbl_surface_body *body = piece_at(e, 0);
	body->fit.has_stale = body->fit.is_edited = true;
	body->self.may_have_seams |= e->piece_count > 1;
	rbl_result result = rbl_tree_replace(&surface->body_tree, (uint32_t)e->slot, (uint32_t)e->slot,
	                                     body->tree.bounds);
	RBL_ASSERT(result == RBL_OK);
	for (int p = 1; p < e->piece_count; ++p) {
		if (slots[p] >= surface->bodies.count)
			surface->bodies.count = slots[p] + 1;
		surface->bodies.data[slots[p]] = *piece_at(e, p);
		result = rbl_tree_insert(&surface->body_tree, (uint32_t)slots[p],
		                         piece_at(e, p)->tree.bounds, (uint32_t)e->slot);
		RBL_ASSERT(result == RBL_OK);
	}
	(void)result;
	// Trees are packed when edits have taken a good part of their nodes.
	if (surface->edited_nodes > 1024 + surface->pool.node_end / 4) {
		surface->edited_nodes = 0;
		surface->is_scattered = true;
	}
	surface->is_ready = false;
	surface->cones_are_stale = true;
}

void rbl_surface_edit_apply(rbl_surface_edit_plan *e, rbl_surface_body_id *ids)
{
	rbl_surface *surface = e->surface;
	int *slots = e->vertex_counts; // no longer needed
	begin_pieces(e);
	for (int p = 0; p < e->piece_count; ++p) {
		rbl_id id = p == 0 ? rbl_id_pool_at(&surface->ids, e->slot)
		                   : rbl_id_pool_add(&surface->allocator, &surface->ids);
		slots[p] = (int)id.index;
		ids[p] = (rbl_surface_body_id){ id.index, id.generation };
	}
	edit_take_vertices(e);
	edit_take_triangles(e);
	keep_certificate(e);
	write_triangles(e);
	change_trees(e);
	edit_move_clusters(e, slots);
	edit_anchor_vertices(e);
	end_bodies(e, slots);
	hold_stale(e);
	for (int i = e->old_count - 1; i >= 0; --i)
		if (e->entries[i].piece < 0)
			rbl_surface_return_triangle(surface, e->entries[i].id);
	for (int i = e->vertex_count - 1; i >= e->def->vertex_count; --i)
		if (e->vertices[i].keeper < 0)
			rbl_surface_return_vertex(surface, e->vertices[i].id);
}
