// SPDX-License-Identifier: MIT
// The inner loop of a farthest-point order: point_order.c says how it works.
#pragma once

#include "base/kernel.h"

#include <stdint.h>

enum {
	RBL_ORDER_WIDTH = 8,       // points of a leaf, children of a node
	RBL_ORDER_MOST_LEVELS = 11 // of nodes: 8^10 leaves are more than there may be points
};

/// Eight points. Where there are fewer, the gap of the others is -1 and they lie where a point
/// does.
typedef struct rbl_order_leaf {
	float x[RBL_ORDER_WIDTH], y[RBL_ORDER_WIDTH], z[RBL_ORDER_WIDTH];
	float gap[RBL_ORDER_WIDTH]; // squared distance from the nearest ordered point; -1: is ordered
	int32_t index[RBL_ORDER_WIDTH];   // of the point, as it was given
	int32_t nearest[RBL_ORDER_WIDTH]; // rank of the nearest ordered point
	int32_t
		before[RBL_ORDER_WIDTH]; // the same when the present level began, where that has changed
} rbl_order_leaf;

/// Eight leaves or nodes. Where there are fewer, the gap of the others is -1.
typedef struct rbl_order_node {
	float lower[3][RBL_ORDER_WIDTH], upper[3][RBL_ORDER_WIDTH];
	float gap[RBL_ORDER_WIDTH]; // the greatest below each child
	int32_t slot
		[RBL_ORDER_WIDTH]; // of the point that has it, 8 leaf + lane; of equals the lowest index
} rbl_order_node;

/// Points in leaves, leaves in nodes: levels[0] are the nodes above leaves, the last level has one
/// node.
typedef struct rbl_order_work {
	rbl_order_leaf *leaves;
	int leaf_count;
	rbl_order_node *levels[RBL_ORDER_MOST_LEVELS];
	int node_counts[RBL_ORDER_MOST_LEVELS];
	int level_count;
	int32_t *visits[RBL_ORDER_MOST_LEVELS]; // room for the nodes of a level; last for leaves
	int32_t *leaf_visits;
	int *order, *parents;
	int ordered_count; // how many are wanted
} rbl_order_work;

/// Set boxes, gaps and slots of all nodes from the leaves.
RBL_DECLARE_KERNEL(void, rbl_order_prepare, (rbl_order_work * work));

/// Order points from rank 0, whose slot is given, until enough are ordered or all others lie on
/// them. Gaps of all points are FLT_MAX.
/// @return how many are ordered
RBL_DECLARE_KERNEL(int, rbl_order_run, (rbl_order_work * work, int first_slot));
