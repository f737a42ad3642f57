// SPDX-License-Identifier: MIT
//
// Selective restructuring (Heo et al. 2010, section 5.4): sub-trees are rebuilt when that is
// worth it, and only then.
//
// From the root down, each sub-tree has a benefit: what its self cost has grown by since it was
// built, in box tests, times what one costs. And a loss: what building its clusters costs. It is
// built when the benefit is larger and the loss fits into a share of what the last query cost; then
// nothing below is tested. All of these are counts times constants of the definition, so a run
// repeats whatever the clock says.
//
// The metric of Larsson and Akenine-Moeller 2006 stands beside it: a node whose volume is more than
// 0.9 of the sum of its children's has lost its fit.

#include "surface/comparison.h"

#include "base/bits.h"

static const double volume_limit = 0.9;

static bool has_lost_fit(const rbl_tree_node *node)
{
	double below = rbl_box_volume(node->boxes[0]) + rbl_box_volume(node->boxes[1]);
	return rbl_box_volume(rbl_box_join(node->boxes[0], node->boxes[1])) > volume_limit * below;
}

// The volume rule alone would build a tree again and again that cannot be any better.
static const float degraded_limit = 1.05f; // times what the node cost when it was made

static double build_cost(const rbl_surface *surface, int clusters)
{
	return (double)surface->def.costs.build_cluster * clusters *
	       (1 + rbl_highest_one((uint64_t)clusters));
}

static bool is_degraded(const rbl_surface *surface, uint32_t index, double loss)
{
	const rbl_tree_node *node = &surface->pool.nodes[index];
	if (surface->def.restructuring == RBL_RESTRUCTURE_ALL)
		return true;
	if (surface->def.restructuring == RBL_RESTRUCTURE_VOLUME_ALONE)
		return has_lost_fit(node);
	if (surface->built_costs[index] < 0.0f)
		return false;
	if (surface->def.restructuring == RBL_RESTRUCTURE_VOLUME)
		return has_lost_fit(node) &&
		       rbl_surface_node_cost(surface, index) > degraded_limit * surface->built_costs[index];
	double grown =
		(double)rbl_surface_node_cost(surface, index) - (double)surface->built_costs[index];
	return grown * (double)surface->def.costs.box_test > loss;
}

// The nodes of a sub-tree are used again for the new one: their costs are to be noted again.
static void forget_costs(rbl_surface *surface, uint32_t root)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = root;
	while (top > 0) {
		uint32_t index = stack[--top];
		surface->built_costs[index] = -1.0f;
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(surface->pool.nodes[index].children[side]))
				stack[top++] = surface->pool.nodes[index].children[side];
	}
}

static rbl_result rebuild(rbl_surface *surface, rbl_surface_body *body, uint32_t index)
{
	int work;
	forget_costs(surface, index);
	surface->rebuilder.builder = rbl_surface_tree_builder(surface);
	surface->rebuilder.grid_leaves = surface->def.grid_leaves;
	rbl_result result = rbl_tree_rebuild_part(&surface->rebuilder, &body->tree, index,
	                                          surface->pool.counts[index], &work);
	surface->stats.rebuilt_trees++;
	surface->stats.rebuilt_clusters += work;
	return result;
}

rbl_result rbl_surface_restructure(rbl_surface *surface, rbl_surface_body *body, bool *is_changed)
{
	*is_changed = false;
	if (surface->def.restructuring == RBL_RESTRUCTURE_NONE || rbl_tree_is_leaf(body->tree.root))
		return RBL_OK;
	bool all = surface->def.restructuring == RBL_RESTRUCTURE_ALL ||
	           surface->def.restructuring == RBL_RESTRUCTURE_VOLUME_ALONE;
	if (!all && surface->restructure_budget < build_cost(surface, 3))
		return RBL_OK; // not even the smallest sub-tree
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = body->tree.root;
	while (top > 0) {
		uint32_t index = stack[--top];
		if (rbl_tree_is_leaf(index) || surface->pool.counts[index] < 3)
			continue;
		double loss = build_cost(surface, surface->pool.counts[index]);
		if ((all || loss <= surface->restructure_budget) && is_degraded(surface, index, loss)) {
			surface->restructure_budget -= loss;
			rbl_result result = rebuild(surface, body, index);
			*is_changed = true;
			if (result != RBL_OK)
				return result;
			continue;
		}
		// Nothing is degraded below a node whose cost has not grown.
		if (surface->def.restructuring == RBL_RESTRUCTURE_COST &&
		    rbl_surface_node_cost(surface, index) <= surface->built_costs[index])
			continue;
		stack[top++] = surface->pool.nodes[index].children[1];
		stack[top++] = surface->pool.nodes[index].children[0];
	}
	return RBL_OK;
}

// --- new trees that keep layers apart -----------------------------------------------------------

// A node is culled when all of it faces one way, so front and back of a thin body should lie in
// different nodes, and so should folds. Boxes alone do not say which is which. So trees are built
// over boxes that are pushed outwards along the normals of their clusters, by the size of a
// cluster, and then fitted to the true boxes: layers that are nearer than that come apart, and
// elsewhere hardly anything changes. On pieces of broken walls this saves a fifth of the candidates
// and half of the contours.

void rbl_surface_offset_boxes(rbl_box *boxes, const rbl_vec3 *normals, int count)
{
	double size = 0.0;
	for (int i = 0; i < count; ++i)
		size += (double)rbl_length(rbl_box_size(boxes[i]));
	if (!(size < 1e30)) // what is pushed must stay finite
		return;
	float push = (float)(size / count);
	for (int i = 0; i < count; ++i) {
		rbl_vec3 by = rbl_scale(push, normals[i]);
		boxes[i] = (rbl_box){ rbl_add(boxes[i].lower, by), rbl_add(boxes[i].upper, by) };
	}
}

rbl_result rbl_surface_rebuild_tree(rbl_surface *surface, rbl_surface_body *body)
{
	int count = body->tree.leaf_count;
	rbl_arena_reset(&surface->scratch);
	uint32_t *ids = RBL_ARENA_NEW(&surface->scratch, uint32_t, count);
	rbl_box *boxes = RBL_ARENA_NEW(&surface->scratch, rbl_box, count);
	rbl_vec3 *normals = RBL_ARENA_NEW(&surface->scratch, rbl_vec3, count);
	if (!ids || !boxes || !normals)
		return RBL_OUT_OF_MEMORY;
	rbl_tree_collect_leaves(&surface->pool, body->tree.root, ids);
	for (int i = 0; i < count; ++i) {
		boxes[i] = surface->cluster_boxes[ids[i]];
		normals[i] = rbl_box_centre(rbl_surface_normals_box(&surface->cluster_normals[ids[i]]));
	}
	if (!body->motion.is_rigid && rbl_surface_uses(surface, RBL_SURFACE_LAYERS))
		rbl_surface_offset_boxes(boxes, normals, count);
	rbl_result result = rbl_tree_build(
		&body->tree, &(rbl_tree_build_input){ .builder = rbl_surface_tree_builder(surface),
	                                          .grid_leaves = surface->def.grid_leaves,
	                                          .count = count,
	                                          .boxes = boxes,
	                                          .ids = ids,
	                                          .jobs = surface->def.jobs });
	if (result == RBL_OK && !rbl_surface_reserve_nodes(surface))
		result = RBL_OUT_OF_MEMORY;
	body->fit.needs_all = body->nodes.are_raw = true;
	body->nodes.are_rough = result != RBL_OK;
	return result;
}
