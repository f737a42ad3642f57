// SPDX-License-Identifier: MIT
//
// Bringing trees up to date: clusters, then nodes from below, then the tree over bodies.
//
// A body that moved as a whole is fitted as a whole, in linear passes. Where only some vertices
// moved, the clusters around them are stale, and only the paths above those are visited.

#include "surface/rigid.h"
#include "surface/star.h"
#include "surface/surface_kernels.h"

#include "base/clock.h"
#include "base/log.h"

// Rough trees that can wait: clusters of one update, at least, and one out of so many.
enum { LEAST_REGROWN = 512, REGROWN_SHARE = 4 };

void rbl_surface_rest(rbl_surface *surface, rbl_surface_body *body)
{
	if (!body->is_moving)
		return;
	for (int i = 0; i < body->vertices.count; ++i) {
		int vertex = body->vertices.data[i];
		surface->positions[0][vertex] = surface->positions[1][vertex];
	}
	body->needs_fit |= body->is_whole;
	body->has_stale = true; // what moved in part still has the boxes of its motion
	body->is_moving = body->is_whole = false;
}

bool rbl_surface_reserve_nodes(rbl_surface *surface)
{
	int wanted = surface->pool.node_capacity;
	if (wanted <= surface->node_capacity)
		return true;
	rbl_box *normals = RBL_NEW(&surface->allocator, rbl_box, wanted);
	rbl_slants *slants = RBL_NEW(&surface->allocator, rbl_slants, wanted);
	float *costs = RBL_NEW_ZERO(&surface->allocator, float, wanted);
	unsigned char *verdicts = RBL_NEW_ZERO(&surface->allocator, unsigned char, wanted);
	if (!normals || !slants || !costs || !verdicts) {
		RBL_FREE(&surface->allocator, normals, wanted);
		RBL_FREE(&surface->allocator, slants, wanted);
		RBL_FREE(&surface->allocator, costs, wanted);
		RBL_FREE(&surface->allocator, verdicts, wanted);
		return false;
	}
	if (surface->node_capacity > 0) {
		memcpy(verdicts, surface->verdicts, (size_t)surface->node_capacity);
		memcpy(normals, surface->node_normals, (size_t)surface->node_capacity * sizeof *normals);
		memcpy(slants, surface->node_slants, (size_t)surface->node_capacity * sizeof *slants);
		memcpy(costs, surface->built_costs, (size_t)surface->node_capacity * sizeof *costs);
	}
	RBL_FREE(&surface->allocator, surface->node_normals, surface->node_capacity);
	RBL_FREE(&surface->allocator, surface->node_slants, surface->node_capacity);
	RBL_FREE(&surface->allocator, surface->built_costs, surface->node_capacity);
	RBL_FREE(&surface->allocator, surface->verdicts, surface->node_capacity);
	surface->node_normals = normals;
	surface->node_slants = slants;
	surface->verdicts = verdicts;
	surface->built_costs = costs;
	surface->node_capacity = wanted;
	return true;
}

// A node of a new tree has no verdict yet but the one it brought along in its flags.
static void fit_node(rbl_surface *surface, uint32_t index, bool is_new)
{
	rbl_tree_node *node = &surface->pool.nodes[index];
	if (is_new)
		surface->verdicts[index] = node->flags & RBL_TREE_CULLED ? RBL_NODE_CULLED : 0;
	bool is_culled = surface->verdicts[index] & RBL_NODE_CULLED;
	node->flags =
		(uint16_t)(is_culled ? node->flags | RBL_TREE_CULLED : node->flags & ~RBL_TREE_CULLED);
	rbl_box boxes[2];
	const rbl_slants *slants[2];
	for (int side = 0; side < 2; ++side) {
		uint32_t child = node->children[side];
		bool is_leaf = rbl_tree_is_leaf(child);
		uint32_t leaf = rbl_tree_leaf_id(child);
		boxes[side] = is_leaf ? surface->cluster_data[leaf].normals : surface->node_normals[child];
		slants[side] = is_leaf ? &surface->cluster_slants[leaf] : &surface->node_slants[child];
	}
	surface->node_normals[index] = rbl_box_join(boxes[0], boxes[1]);
	rbl_slants *own = &surface->node_slants[index];
	for (int k = 0; k < 4; ++k) {
		own->lower[k] = rbl_minf(slants[0]->lower[k], slants[1]->lower[k]);
		own->upper[k] = rbl_maxf(slants[0]->upper[k], slants[1]->upper[k]);
	}
	surface->stats.fitted_nodes++;
}

void rbl_surface_fit_normals(rbl_surface *surface, const rbl_surface_body *body, bool dirty_only)
{
	const rbl_tree *tree = &body->tree;
	if (rbl_tree_is_leaf(tree->root))
		return;
	if (!dirty_only && tree->first_node >= 0) {
		for (int i = 0; i < tree->leaf_count - 1; ++i)
			fit_node(surface, (uint32_t)(tree->first_node + i), body->has_new_tree);
		return;
	}
	const rbl_tree_node *nodes = surface->pool.nodes;
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!dirty_only || (nodes[tree->root].flags & RBL_TREE_DIRTY))
		stack[top++] = tree->root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		if (entry & 1) {
			fit_node(surface, index, body->has_new_tree);
			continue;
		}
		stack[top++] = entry | 1;
		for (int side = 0; side < 2; ++side) {
			uint32_t child = nodes[index].children[side];
			if (!rbl_tree_is_leaf(child) && (!dirty_only || (nodes[child].flags & RBL_TREE_DIRTY)))
				stack[top++] = child << 1;
		}
	}
}

// Which bodies are not looked at within: they need no normals, until they are looked at again. A tree that
// is built anew asks for them, too.
static void find_clear(rbl_surface *surface)
{
	bool is_counted = rbl_rigid_counts(surface);
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		body->is_clear = is_counted && (body->is_proven || body->is_star);
		if (body->is_clear && !body->has_rough_tree && !body->has_new_tree) {
			body->has_old_normals |= body->needs_fit || body->has_stale;
		} else {
			body->needs_fit |= body->has_old_normals;
			body->has_old_normals = false;
		}
	}
}

typedef struct fit_job {
	rbl_surface *surface;
	rbl_cluster_source source;
} fit_job;

// Half-edges that may lead out of a cluster. Twins inside a cluster never part: a split that parts
// them makes new clusters. So this is done when a cluster is new.
static uint32_t rim_of(const rbl_surface *surface, int index)
{
	const rbl_cluster *cluster = &surface->cluster_data[index];
	uint32_t rim = 0;
	for (int i = 0; i < 3 * cluster->count; ++i) {
		int twin = surface->twins[3 * cluster->triangles[i / 3] + i % 3];
		rim |= (uint32_t)(twin < 0 || surface->clusters[twin / 3] != index) << i;
	}
	return rim;
}

// Clusters between asking for triangles and reading them.
enum { AHEAD = 6 };

static void fit_clusters(void *context, int begin, int end, int worker)
{
	(void)worker;
	const fit_job *job = context;
	rbl_surface *surface = job->surface;
	for (int i = begin; i < end; ++i) {
		rbl_cluster *cluster = &surface->cluster_data[i];
		if (i + AHEAD < end) // most of the time goes into waiting for them
			for (int k = 0; k < RBL_CLUSTER_SIZE; ++k)
				rbl_prefetch(&surface->triangles[3 * (ptrdiff_t)cluster[AHEAD].triangles[k]]);
		if (cluster->body < 0 || cluster->count == 0)
			continue;
		if (cluster->is_stale)
			surface->cluster_rims[i] = rim_of(surface, i);
		if (surface->bodies.data[cluster->body].needs_fit || cluster->is_stale)
			surface->cluster_boxes[i] = RBL_PICK(rbl_cluster_fit)(
				cluster, &job->source,
				surface->bodies.data[cluster->body].has_old_normals ? NULL
																	: &surface->cluster_slants[i]);
	}
}

// Paths above clusters that are stale in bodies that are not fitted as a whole.
static void fit_paths(rbl_surface *surface)
{
	for (int i = 0; i < surface->cluster_end; ++i) {
		rbl_cluster *cluster = &surface->cluster_data[i];
		if (cluster->body < 0 || cluster->count == 0 || !cluster->is_stale)
			continue;
		rbl_surface_body *body = &surface->bodies.data[cluster->body];
		if (!body->needs_fit)
			rbl_tree_move(&body->tree, (uint32_t)i, surface->cluster_boxes[i]);
		cluster->is_stale = body->is_moving && !body->is_whole ? 2 : 0;
	}
}

// What the nodes of a tree cost is noted in the update after the first query that has seen them, since
// only a query knows what can be culled. Until then it is below zero. Later costs are compared with
// it.
static void note_costs(rbl_surface *surface, const rbl_tree *tree, bool forget)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!rbl_tree_is_leaf(tree->root))
		stack[top++] = tree->root;
	while (top > 0) {
		uint32_t index = stack[--top];
		if (forget)
			surface->built_costs[index] = -1.0f;
		else if (surface->built_costs[index] < 0.0f)
			surface->built_costs[index] = rbl_surface_node_cost(surface, index);
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(surface->pool.nodes[index].children[side]))
				stack[top++] = surface->pool.nodes[index].children[side];
	}
}

static void fit_body(rbl_surface *surface, rbl_surface_body *body, bool is_restructured)
{
	if (body->needs_fit) {
		if (!body->has_old_normals)
			rbl_surface_fit_normals(surface, body, false);
		rbl_tree_refit(&body->tree, surface->cluster_boxes, surface->def.jobs);
	} else {
		if (!body->has_old_normals)
			rbl_surface_fit_normals(surface, body, !body->has_new_tree);
		rbl_tree_update(&body->tree, 0);
	}
	if (body->has_new_tree && !is_restructured)
		note_costs(surface, &body->tree, true);
	else if (body->has_new_costs && !body->has_new_tree && surface->was_queried)
		note_costs(surface, &body->tree, false);
	body->has_new_costs = body->has_new_tree || (body->has_new_costs && !surface->was_queried);
	body->needs_fit = body->has_stale = body->has_new_tree = false;
}

static rbl_result fit_body_tree(rbl_surface *surface, int moved)
{
	int slots = surface->bodies.count;
	if (moved > surface->body_tree.leaf_count / 4) {
		rbl_arena_reset(&surface->scratch);
		rbl_box *boxes = RBL_ARENA_NEW(&surface->scratch, rbl_box, slots);
		if (!boxes)
			return RBL_OUT_OF_MEMORY;
		for (int i = 0; i < slots; ++i)
			boxes[i] = surface->bodies.data[i].tree.bounds;
		rbl_tree_refit(&surface->body_tree, boxes, surface->def.jobs);
	}
	rbl_tree_update(&surface->body_tree, RBL_TREE_PERMUTE);
	return RBL_OK;
}

// Whether a rough tree is built anew in this update. Bodies that are not looked at within can wait until
// there is no break, and until there is time.
static bool may_regrow(rbl_surface *surface, const rbl_surface_body *body)
{
	if (!body->is_clear)
		return true;
	if (surface->regrow_clusters <= 0)
		return false;
	surface->regrow_clusters -= body->tree.leaf_count;
	return true;
}

static rbl_result fit_bodies(rbl_surface *surface)
{
	int moved = 0;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot) ||
		    !(body->needs_fit || body->has_stale || body->has_new_tree || body->tree.is_dirty))
			continue;
		body->is_known = false;
		if (body->has_rough_tree && may_regrow(surface, body)) {
			rbl_result regrown = rbl_surface_regrow(surface, body);
			if (regrown != RBL_OK)
				return regrown;
		}
		fit_body(surface, body, false);
		// What it would cost to look at a body within does not matter when nobody does.
		bool is_changed = false;
		rbl_result result = RBL_OK;
		if (!body->has_old_normals || surface->def.restructuring != RBL_RESTRUCTURE_COST)
			result = rbl_surface_restructure(surface, body, &is_changed);
		if (is_changed) {
			body->has_new_tree = surface->cones_are_stale = true;
			if (!rbl_surface_reserve_nodes(surface))
				return RBL_OUT_OF_MEMORY;
			fit_body(surface, body, true);
		}
		if (result != RBL_OK) {
			body->needs_fit = true; // the tree over bodies has not heard of it
			return result;
		}
		rbl_tree_move(&surface->body_tree, (uint32_t)slot, body->tree.bounds);
		moved++;
	}
	return fit_body_tree(surface, moved);
}

rbl_result rbl_surface_update(rbl_surface *surface, rbl_surface_motion motion)
{
	if (!surface || (motion != RBL_SURFACE_DISCRETE && motion != RBL_SURFACE_CONTINUOUS))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL, or the motion unknown");
	uint64_t begin = rbl_clock_ns();
	rbl_surface_make_room(surface);
	if (!rbl_surface_reserve_nodes(surface))
		return RBL_OUT_OF_MEMORY;
	rbl_surface_pack(surface);
	surface->regrow_clusters =
		surface->quiet_updates > 0 ? LEAST_REGROWN + surface->cluster_count / REGROWN_SHARE : 0;
	surface->is_ready = false;
	surface->stats.fitted_nodes = surface->stats.rebuilt_trees = 0;
	surface->stats.rebuilt_clusters = 0;
	bool all = motion != surface->motion;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (!body->is_touched)
			rbl_surface_rest(surface, body);
		body->needs_fit |= all;
	}
	surface->motion = motion;
	if (!rbl_rigid_follow(surface))
		return RBL_OUT_OF_MEMORY;
	rbl_star_find(surface);
	find_clear(surface);
	surface->restructure_budget = (double)surface->def.restructure_share * surface->last_query_cost;
	bool is_swept = motion == RBL_SURFACE_CONTINUOUS;
	fit_job job = { surface,
		            { is_swept ? surface->positions[0] : NULL, surface->positions[1],
		              surface->triangles, is_swept ? surface->def.separation : 0.0f } };
	rbl_parallel_for(surface->def.jobs, surface->cluster_end, 256, fit_clusters, &job);
	fit_paths(surface);
	rbl_result result = fit_bodies(surface);
	if (result == RBL_OK)
		result = rbl_surface_fit_cones(surface);
	// When this failed and is called again, what moved must not rest.
	for (int slot = 0; result == RBL_OK && slot < surface->bodies.count; ++slot)
		surface->bodies.data[slot].is_touched = false;
	surface->is_ready = result == RBL_OK;
	surface->was_queried &= result != RBL_OK;
	surface->stats.update_ns = rbl_clock_ns() - begin;
	surface->stats.change_ns = surface->pending_ns;
	surface->pending_ns = 0;
	return result;
}
