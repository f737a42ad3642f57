// SPDX-License-Identifier: MIT
// Small steps on nodes that the files of the room share.
#pragma once

#include "tree/tree.h"

/// @return a free node, RBL_TREE_NONE when none is left: reserve first.
uint32_t rbl_tree_take_node(rbl_tree_pool *pool);

/// Give a node back.
void rbl_tree_return_node(rbl_tree_pool *pool, uint32_t node);

/// The box of a node: around both children.
static inline rbl_box rbl_tree_node_box(const rbl_tree_node *node)
{
	return rbl_box_join(node->boxes[0], node->boxes[1]);
}

/// Leaves below a reference, by the counts array.
static inline int rbl_tree_count_of(const rbl_tree_pool *pool, uint32_t child)
{
	return rbl_tree_is_leaf(child) ? 1 : pool->counts[child];
}

/// Set the parent of a child.
static inline void rbl_tree_set_parent(rbl_tree_pool *pool, uint32_t child, uint32_t parent)
{
	if (rbl_tree_is_leaf(child))
		pool->leaf_parents[rbl_tree_leaf_id(child)] = parent;
	else
		pool->nodes[child].parent = parent;
}

static inline int rbl_tree_balance_of(const rbl_tree_pool *pool, const rbl_tree_node *node)
{
	return rbl_tree_height_of(pool, node->children[0]) -
	       rbl_tree_height_of(pool, node->children[1]);
}

/// Set height and, where kept, count of a node from its children.
static inline void rbl_tree_set_height(rbl_tree_pool *pool, uint32_t index)
{
	rbl_tree_node *node = &pool->nodes[index];
	int a = rbl_tree_height_of(pool, node->children[0]);
	int b = rbl_tree_height_of(pool, node->children[1]);
	node->height = (uint16_t)(1 + (a > b ? a : b));
	if (pool->counts)
		pool->counts[index] =
			rbl_tree_count_of(pool, node->children[0]) + rbl_tree_count_of(pool, node->children[1]);
}

static inline double rbl_tree_volume(rbl_box box)
{
	rbl_vec3 s = rbl_box_size(box);
	return (double)s.x * (double)s.y * (double)s.z;
}

/// Compute the metrics of a node from its children; boxes must be tight.
void rbl_tree_set_metrics(rbl_tree_pool *pool, uint32_t index);

/// Fit a run of nodes, children before parents, whose leaf boxes are set: boxes and heights.
/// `slots` lists the nodes, NULL for a run that starts at `first`.
void rbl_tree_fit_nodes(rbl_tree_pool *pool, uint32_t first, const uint32_t *slots, int count);

/// Counts and metrics of a run of nodes that are fitted, children before parents, where the pool
/// has them.
void rbl_tree_set_arrays(rbl_tree_pool *pool, uint32_t first, const uint32_t *slots, int count);

/// Exchange two sub-trees: child `side_a` of node `a` with child `side_b` of node `b`. Boxes and
/// parent links move along; heights and boxes above are the caller's.
void rbl_tree_exchange(rbl_tree_pool *pool, uint32_t a, int side_a, uint32_t b, int side_b);

/// After the children of a node changed: set heights and boxes from there up, turn nodes that are
/// out of balance when `is_balanced`, mark all dirty. Ends where nothing changes any more.
void rbl_tree_climb(rbl_tree_pool *pool, uint32_t index, bool is_balanced);

/// A sub-tree without a parent.
typedef struct rbl_sub_tree {
	uint32_t root; // a reference
	rbl_box box;
} rbl_sub_tree;

/// Join two sub-trees without parents by means of the free node `spare`.
rbl_sub_tree rbl_tree_join_sub_trees(rbl_tree_pool *pool, rbl_sub_tree a, rbl_sub_tree b,
                                     uint32_t spare, bool is_balanced);

/// Both sides of a node are balanced, whatever their heights: join them, the node itself being the
/// spare one. A dirty child makes the node dirty.
void rbl_tree_balance_node(rbl_tree *tree, uint32_t index);
