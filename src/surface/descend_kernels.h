// SPDX-License-Identifier: MIT
// Down two trees at once, to pairs of clusters whose boxes overlap; one form per SIMD back end.
#pragma once

#include "base/kernel.h"
#include "tree/tree.h"

enum {
	/// Each level leaves at most three waiting pairs of each of the two trees' levels.
	RBL_DESCENT_STACK = 6 * RBL_TREE_MAX_HEIGHT + 8,
};

/// A walk that can be left and taken up again.
typedef struct rbl_descent {
	const rbl_tree_node *nodes;
	const rbl_box *boxes; // of leaves, by id
	int64_t box_tests;
	int top;
	rbl_tree_pair
		stack[RBL_DESCENT_STACK]; // pairs whose boxes overlap, never of a node with itself
} rbl_descent;

/// Walk until the stack is empty or `found` is full.
/// @param found     receives pairs of leaf ids
/// @param capacity  1 or more
/// @return how many were found
RBL_DECLARE_KERNEL(int, rbl_descend, (rbl_descent * walk, rbl_tree_pair *found, int capacity));
