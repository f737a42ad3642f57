// SPDX-License-Identifier: MIT
// How good a tree is, measured from scratch: the reference for the numbers that trees keep
// (rbl_tree_quality() and others), and a yardstick of benchmarks.
#pragma once

#include "tree/tree.h"

typedef struct tree_report {
	double quality, inter_cost, self_cost; // as rbl_tree_quality() and its neighbours
	int height;
} tree_report;

/// Measure a tree, also one without RBL_TREE_METRICS. Cost: O(n).
tree_report measure_tree(const rbl_tree *tree);
