// SPDX-License-Identifier: MIT
//
// Trees whose nodes lie anywhere are laid out anew, each in one run.
//
// Splits, joins and builds into free nodes scatter the nodes of a tree over its pool, and a pass
// over it then waits for memory at every node. Copying all trees in order of their passes, children
// before parents, costs about one such pass.

#include "tree/node.h"

// Copy a tree behind what is copied already. Meanwhile the parent of a copied node is its
// new place.
static void copy_tree(rbl_tree_pool *from, rbl_tree_pool *to, rbl_tree *tree, uint32_t *sources)
{
	if (tree->root == RBL_TREE_NONE || rbl_tree_is_leaf(tree->root))
		return;
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	tree->first_node = to->node_end;
	stack[top++] = tree->root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], old = entry >> 1;
		if (!(entry & 1)) {
			stack[top++] = entry | 1;
			for (int side = 1; side >= 0; --side)
				if (!rbl_tree_is_leaf(from->nodes[old].children[side]))
					stack[top++] = from->nodes[old].children[side] << 1;
			continue;
		}
		uint32_t place = (uint32_t)to->node_end++;
		rbl_tree_node *node = &to->nodes[place];
		*node = from->nodes[old];
		for (int side = 0; side < 2; ++side) {
			uint32_t child = node->children[side];
			if (rbl_tree_is_leaf(child)) {
				from->leaf_parents[rbl_tree_leaf_id(child)] = place;
			} else {
				node->children[side] = from->nodes[child].parent;
				to->nodes[node->children[side]].parent = place;
			}
		}
		if (from->counts)
			to->counts[place] = from->counts[old];
		if (from->metrics)
			to->metrics[place] = from->metrics[old];
		from->nodes[old].parent = place;
		sources[place] = old;
	}
	tree->root = (uint32_t)to->node_end - 1;
	to->nodes[tree->root].parent = RBL_TREE_NONE;
}

rbl_result rbl_tree_pack(rbl_tree_pool *pool, rbl_tree *const *trees, int count, uint32_t *sources)
{
	rbl_tree_pool packed;
	rbl_tree_pool_init(&packed, &pool->allocator,
	                   (pool->has_counts ? RBL_TREE_COUNTS : 0u) |
	                       (pool->has_metrics ? RBL_TREE_METRICS : 0u));
	rbl_result result = rbl_tree_pool_reserve(&packed, pool->node_capacity, 0);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < count; ++i)
		copy_tree(pool, &packed, trees[i], sources);
	RBL_ASSERT(packed.node_end == pool->node_end - pool->free_count);
	RBL_FREE(&pool->allocator, pool->nodes, pool->node_capacity);
	RBL_FREE(&pool->allocator, pool->counts, pool->node_capacity);
	RBL_FREE(&pool->allocator, pool->metrics, pool->node_capacity);
	pool->nodes = packed.nodes, pool->counts = packed.counts, pool->metrics = packed.metrics;
	pool->node_end = packed.node_end;
	pool->free_count = 0;
	pool->first_free = RBL_TREE_NONE;
	for (int i = 0; i < count; ++i)
		RBL_VALIDATE(!rbl_tree_check(trees[i]));
	return RBL_OK;
}
