// SPDX-License-Identifier: MIT
// The baseline: dynamic bounding-volume trees, as most engines have them, behind the same
// interface.
//
// Fat boxes are leaves of two balanced trees, one of moving and one of static boxes. A box that
// leaves its fat box gets a new one and queries the trees; pairs and near pairs are kept in one
// list (pair_lists.h) and tested again where a box moved. When half of the boxes get new fat boxes
// at once, the trees are rebuilt.
#pragma once

#include "broadphase/pair_lists.h"
#include "tree/tree.h"

#include <rubble/jobs.h>

/// What one block of queries found.
typedef struct rbl_box_tree_block {
	rbl_pair_lists found;
	rbl_pair_changes changes;
} rbl_box_tree_block;

typedef struct rbl_box_tree {
	rbl_allocator allocator;
	rbl_proxies *proxies;
	rbl_jobs *jobs;
	float margin;
	bool is_adjusting; // trees are permuted; off with a budget of zero
	rbl_tree_pool pool;
	rbl_tree trees[2]; // moving, static; leaf ids are slots

	rbl_slot_array refitted; // slots with new fat boxes
	bool all_are_refitted;
	RBL_ARRAY(rbl_box_tree_block) blocks;
	RBL_ARRAY(rbl_box) boxes; // for builds
	RBL_ARRAY(uint32_t) ids;
	rbl_pair_lists pairs, moved; // `moved`: those that change list
	rbl_pair_changes changes;
	rbl_pair_list run;
	int64_t update_index;
	int max_refitted; // in one update, lately
	rbl_broadphase_stats stats;
} rbl_box_tree;

void rbl_box_tree_init(rbl_box_tree *tree, rbl_proxies *proxies, const rbl_broadphase_def *def);
void rbl_box_tree_destroy(rbl_box_tree *tree);
rbl_result rbl_box_tree_update(rbl_box_tree *tree, rbl_broadphase_result *result);
void rbl_box_tree_fill_stats(const rbl_box_tree *tree, rbl_broadphase_stats *stats);
void rbl_box_tree_query(const rbl_box_tree *tree, rbl_broadphase_query *query);
