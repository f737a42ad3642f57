// SPDX-License-Identifier: MIT
//
// Fitting the trees of bodies from below, by all workers.
//
// A job is a batch of small bodies, or of sub-trees of large ones. What lies above the sub-trees is
// fitted last, by one. A node depends on its children alone, so that any division gives the same
// bits.

#include "surface/surface.h"

// Leaves of a sub-tree, at most, and of a job, at least: some 20 us. Of a tree that is not fitted
// as a whole, one node out of so many is visited, or fewer.
enum { FIT_PART = 512, UPDATED_SHARE = 8 };

// A node of a new tree has no verdict yet but the one it brought along in its flags, and no costs
// unless only a part of the tree is new.
static void fit_node(rbl_surface *surface, uint32_t index, const rbl_surface_body *body)
{
	rbl_tree_node *node = &surface->pool.nodes[index];
	if (body->nodes.are_new || body->nodes.are_raw) {
		surface->cull_results[index] = node->flags & RBL_TREE_CULLED ? RBL_SURFACE_NODE_CULLED : 0;
		if (!body->nodes.are_partly_new)
			surface->built_costs[index] = -1.0f;
	}
	bool is_culled = surface->cull_results[index] & RBL_SURFACE_NODE_CULLED;
	node->flags =
		(uint16_t)(is_culled ? node->flags | RBL_TREE_CULLED : node->flags & ~RBL_TREE_CULLED);
	const rbl_surface_normals *of[2];
	for (int side = 0; side < 2; ++side) {
		uint32_t child = node->children[side];
		of[side] = rbl_tree_is_leaf(child) ? &surface->cluster_normals[rbl_tree_leaf_id(child)]
		                                   : &surface->node_normals[child];
	}
	rbl_surface_normals *own = &surface->node_normals[index];
	for (int k = 0; k < 7; ++k) {
		own->lower[k] = of[0]->lower[k] < of[1]->lower[k] ? of[0]->lower[k] : of[1]->lower[k];
		own->upper[k] = of[0]->upper[k] > of[1]->upper[k] ? of[0]->upper[k] : of[1]->upper[k];
	}
}

// The normals of all or of dirty nodes of a sub-tree, and their flags from the last query's
// cull results. Comes before metrics. @return the number of nodes
static int fit_normals(rbl_surface *surface, const rbl_surface_body *body, uint32_t root,
                       bool dirty_only)
{
	const rbl_tree_node *nodes = surface->pool.nodes;
	if (rbl_tree_is_leaf(root))
		return 0;
	int count = 0;
	if (!dirty_only && body->tree.first_node >= 0) {
		count = surface->pool.counts[root] - 1;
		for (uint32_t i = root + 1 - (uint32_t)count; i <= root; ++i)
			fit_node(surface, i, body);
		return count;
	}
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!dirty_only || (nodes[root].flags & RBL_TREE_DIRTY))
		stack[top++] = root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		if (entry & 1) {
			fit_node(surface, index, body);
			count++;
			continue;
		}
		stack[top++] = entry | 1;
		for (int side = 0; side < 2; ++side) {
			uint32_t child = nodes[index].children[side];
			if (!rbl_tree_is_leaf(child) && (!dirty_only || (nodes[child].flags & RBL_TREE_DIRTY)))
				stack[top++] = child << 1;
		}
	}
	return count;
}

// What the nodes of a tree cost is noted in the update after the first query that has seen them,
// since only a query knows what can be culled. Until then it is below zero. Later costs are
// compared with it.
static void note_costs(rbl_surface *surface, const rbl_tree *tree)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!rbl_tree_is_leaf(tree->root))
		stack[top++] = tree->root;
	while (top > 0) {
		uint32_t index = stack[--top];
		if (surface->built_costs[index] < 0.0f)
			surface->built_costs[index] = rbl_surface_node_cost(surface, index);
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(surface->pool.nodes[index].children[side]))
				stack[top++] = surface->pool.nodes[index].children[side];
	}
}

static void end_fit(rbl_surface *surface, rbl_surface_body *body)
{
	if (body->fit.has_old_normals) { // nobody looks, so there is nothing to note
		body->nodes.are_raw |= body->nodes.are_new;
	} else {
		bool is_new = body->nodes.are_new || body->nodes.are_raw;
		if (body->nodes.have_new_costs && !is_new && surface->was_queried)
			note_costs(surface, &body->tree);
		body->nodes.have_new_costs =
			is_new || (body->nodes.have_new_costs && !surface->was_queried);
		body->nodes.are_raw = false;
	}
	body->fit.needs_all = body->fit.has_stale = body->nodes.are_new = body->nodes.are_partly_new =
		body->fit.is_edited = false;
	body->fit.holds_all = true;
}

static int fit_whole(rbl_surface *surface, rbl_surface_body *body)
{
	int count = 0;
	if (body->fit.is_edited && !body->fit.needs_all && !body->nodes.are_new)
		rbl_tree_update(&body->tree, RBL_TREE_PERMUTE | RBL_TREE_KEEP_DIRTY);
	if (!body->fit.has_old_normals)
		count = fit_normals(surface, body, body->tree.root,
		                    !body->fit.needs_all && !body->nodes.are_new);
	if (body->fit.needs_all)
		rbl_tree_refit(&body->tree, surface->cluster_boxes, NULL);
	else
		rbl_tree_update(&body->tree, 0);
	end_fit(surface, body);
	return count;
}

void rbl_surface_fit_tree(rbl_surface *surface, rbl_surface_body *body)
{
	body->nodes.are_partly_new = true;
	surface->stats.fitted_nodes += fit_whole(surface, body);
}

// A body, or a sub-tree of one.
typedef struct fit_part {
	int slot;
	uint32_t root; // RBL_TREE_NONE: the body as a whole
	int count;     // of nodes that were fitted
} fit_part;

// A node above sub-trees.
typedef struct fit_top {
	int slot;
	uint32_t node;
} fit_top;

typedef struct fit_plan {
	rbl_surface *surface;
	fit_part *parts; // NULL while they are counted
	fit_top *tops;   // parents before children
	int part_count, top_count;
	rbl_surface_batches batches;
} fit_plan;

static void add_part(fit_plan *plan, int slot, uint32_t root, int weight)
{
	if (plan->parts) {
		plan->parts[plan->part_count] = (fit_part){ slot, root, 0 };
		rbl_surface_batches_add(&plan->batches, plan->part_count, weight, FIT_PART);
	}
	plan->part_count++;
}

static void add_body(fit_plan *plan, int slot)
{
	const rbl_surface *surface = plan->surface;
	const rbl_surface_body *body = &surface->bodies.data[slot];
	int count = body->tree.leaf_count;
	if (!body->fit.needs_all || count <= FIT_PART || surface->worker_count == 1) {
		add_part(plan, slot, RBL_TREE_NONE,
		         body->fit.needs_all ? count : 1 + count / UPDATED_SHARE);
		return;
	}
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = body->tree.root;
	while (top > 0) {
		uint32_t node = stack[--top];
		if (rbl_tree_is_leaf(node))
			continue;
		if (surface->pool.counts[node] <= FIT_PART) {
			add_part(plan, slot, node, surface->pool.counts[node]);
			continue;
		}
		if (plan->tops)
			plan->tops[plan->top_count] = (fit_top){ slot, node };
		plan->top_count++;
		stack[top++] = surface->pool.nodes[node].children[1];
		stack[top++] = surface->pool.nodes[node].children[0];
	}
}

static void fit_parts(void *context, int begin, int end, int worker)
{
	const fit_plan *plan = context;
	rbl_surface *surface = plan->surface;
	(void)worker;
	for (int i = plan->batches.starts[begin]; i < plan->batches.starts[end]; ++i) {
		fit_part *part = &plan->parts[i];
		rbl_surface_body *body = &surface->bodies.data[part->slot];
		if (part->root == RBL_TREE_NONE) {
			part->count = fit_whole(surface, body);
			continue;
		}
		if (!body->fit.has_old_normals)
			part->count = fit_normals(surface, body, part->root, false);
		rbl_tree_refit_part(&body->tree, part->root, surface->cluster_boxes);
	}
}

static void fit_tops(const fit_plan *plan)
{
	rbl_surface *surface = plan->surface;
	for (int i = plan->top_count - 1; i >= 0; --i) {
		rbl_surface_body *body = &surface->bodies.data[plan->tops[i].slot];
		uint32_t node = plan->tops[i].node;
		if (!body->fit.has_old_normals) {
			fit_node(surface, node, body);
			surface->stats.fitted_nodes++;
		}
		rbl_tree_refit_node(&body->tree, node, surface->cluster_boxes);
		if (node != body->tree.root)
			continue;
		rbl_tree_end_refit(&body->tree);
		end_fit(surface, body);
	}
}

bool rbl_surface_fit_trees(rbl_surface *surface, rbl_worker_group *workers, const int *slots,
                           int count)
{
	rbl_arena *arena = &surface->scratch;
	fit_plan plan = { .surface = surface };
	for (int i = 0; i < count; ++i)
		add_body(&plan, slots[i]);
	plan.parts = RBL_ARENA_NEW(arena, fit_part, plan.part_count);
	plan.tops = RBL_ARENA_NEW(arena, fit_top, plan.top_count);
	plan.batches.starts = RBL_ARENA_NEW(arena, int, plan.part_count + 1);
	if (!plan.parts || !plan.tops || !plan.batches.starts)
		return false;
	plan.part_count = plan.top_count = 0;
	for (int i = 0; i < count; ++i)
		add_body(&plan, slots[i]);
	rbl_worker_group_for(workers, plan.batches.count, 1, fit_parts, &plan);
	fit_tops(&plan);
	for (int i = 0; i < plan.part_count; ++i)
		surface->stats.fitted_nodes += plan.parts[i].count;
	return true;
}
