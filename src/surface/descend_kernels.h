// SPDX-License-Identifier: MIT
// Down two trees at once, to pairs of clusters whose boxes overlap; one form per SIMD back end.
#pragma once

#include "base/kernel.h"
#include "tree/tree.h"

enum {
	/// Each level leaves at most three waiting pairs of each of the two trees' levels; and room for four to
	/// be written at the end.
	RBL_DESCENT_STACK = 6 * RBL_TREE_MAX_HEIGHT + 8,
};

/// A leaf on the stack: below which node it is, and on which side. Its box is there.
static inline uint32_t rbl_descent_leaf(uint32_t parent, int side)
{
	return RBL_TREE_LEAF | parent << 1 | (uint32_t)side;
}

/// A walk that can be left and taken up again.
typedef struct rbl_descent {
	const rbl_tree_node *nodes;
	/// By axis: boxes that come closer than this count as overlapping; below 0, those that overlap by less than
	/// that much do not.
	float gap[4];
	int64_t box_tests;
	int top;
	/// Pairs whose boxes overlap, never of a node with itself; leaves as rbl_descent_leaf() names them.
	rbl_tree_pair stack[RBL_DESCENT_STACK];
} rbl_descent;

static inline uint32_t rbl_descent_entry(const rbl_tree_pool *pool, uint32_t reference)
{
	if (!rbl_tree_is_leaf(reference))
		return reference;
	uint32_t parent = pool->leaf_parents[rbl_tree_leaf_id(reference)];
	return rbl_descent_leaf(parent, rbl_tree_side(&pool->nodes[parent], reference));
}

/// Begin with two different nodes or leaves that have a node above them. Most of a walk is a stack, not to
/// be cleared.
static inline void rbl_descent_begin(rbl_descent *walk, const rbl_tree_pool *pool,
                                     rbl_tree_pair first, rbl_vec3 gap)
{
	walk->nodes = pool->nodes;
	walk->gap[0] = gap.x, walk->gap[1] = gap.y, walk->gap[2] = gap.z, walk->gap[3] = 0.0f;
	walk->box_tests = 0;
	walk->top = 1;
	walk->stack[0] =
		(rbl_tree_pair){ rbl_descent_entry(pool, first.a), rbl_descent_entry(pool, first.b) };
}

/// Walk until the stack is empty or `found` is full.
/// @param found     receives pairs of leaf ids
/// @param capacity  1 or more
/// @return how many were found
RBL_DECLARE_KERNEL(int, rbl_descend, (rbl_descent * walk, rbl_tree_pair *found, int capacity));
