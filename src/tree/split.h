// SPDX-License-Identifier: MIT
// The pass that takes a tree apart when it breaks.
#pragma once

#include "tree/node.h"

/// A sub-tree being moved to the tree of its piece. An untouched one is still linked into the old
/// tree, and its box is the one its parent holds.
typedef struct rbl_split_entry {
	int label;
	bool is_loose;
	rbl_sub_tree sub;
} rbl_split_entry;

/// Where the leaves of pieces that will be rebuilt go.
typedef struct rbl_split_gather {
	int *next; // by piece: place of its next leaf, or -1 for a piece that keeps its sub-trees
	uint32_t *leaves;
	rbl_box *boxes;
} rbl_split_gather;

typedef struct rbl_splitter {
	rbl_tree *tree;
	const int *labels; // by leaf id
	int piece_count;
	rbl_split_entry *entries, *merged; // space for rbl_split_capacity() each
	const rbl_split_gather *gather;    // or NULL
} rbl_splitter;

/// Entries that can wait at once.
size_t rbl_split_capacity(const rbl_tree *tree, int piece_count);

/// Take the tree apart and fill `pieces`. Needs no memory.
void rbl_split_run(rbl_splitter *splitter, rbl_tree *pieces);
