// SPDX-License-Identifier: MIT
// What the builders share: items to order, and where the nodes go.
//
// Nodes are numbered children before parents: the nodes over items [begin, end) are the
// end - begin - 1 numbers from some base on, the node over all of them last. So a builder that
// goes down knows where every node will lie, and one linear pass fits the boxes.
#pragma once

#include "tree/node.h"

/// A leaf to place: its centre (doubled, which saves the halving) and its position in the input.
typedef struct rbl_build_item {
	float centre[3];
	uint32_t position;
} rbl_build_item;

_Static_assert(sizeof(rbl_build_item) == 16, "an item is one lane of four");

/// A leaf with its box, for builders that look at boxes: two registers.
typedef struct rbl_build_fragment {
	float lower[3];
	uint32_t position;
	float upper[3];
	uint32_t unused;
} rbl_build_fragment;

/// A range of items whose node is not split yet.
typedef struct rbl_build_task {
	int begin, end;
	int base;  // number of the first node below
	int depth; // levels above
} rbl_build_task;

typedef struct rbl_build_context {
	rbl_tree_pool *pool;
	const rbl_tree_build_input *input;
	const uint32_t *slots; // node numbers to node indices; NULL: first + number
	uint32_t first;
	rbl_build_item *items, *spare; // or
	rbl_build_fragment *fragments; // the surface-area heuristic's
} rbl_build_context;

/// The input position of the item at place `i`.
static inline uint32_t rbl_build_position(const rbl_build_context *builder, int i)
{
	return builder->fragments ? builder->fragments[i].position : builder->items[i].position;
}

/// The index of the node with this number.
static inline uint32_t rbl_build_node(const rbl_build_context *builder, int number)
{
	return builder->slots ? builder->slots[number] : builder->first + (uint32_t)number;
}

static inline uint32_t rbl_build_leaf_id(const rbl_build_context *builder, uint32_t position)
{
	return builder->input->ids ? builder->input->ids[position] : position;
}

/// Number of the node over [begin, end) that starts at `base`.
static inline int rbl_build_number(int begin, int end, int base)
{
	return base + end - begin - 2;
}

/// Split the node of `task` at `middle`: links both children, places leaves.
/// @param children  receives the ranges that still need splitting
/// @return how many: 0 to 2
int rbl_build_split_at(const rbl_build_context *builder, rbl_build_task task, int middle,
                       rbl_build_task children[2]);

/// The box of the items' centres (doubled).
rbl_box rbl_build_centre_bounds(const rbl_build_item *items, int count);

/// Order a range so that the items below `middle` come first along `axis`; ties by position.
void rbl_build_select(rbl_build_item *items, int count, int middle, int axis);

/// Bytes of scratch are the arena's. All return RBL_OK or RBL_OUT_OF_MEMORY before any node is
/// touched.
typedef struct rbl_morton_scratch rbl_morton_scratch;

/// Sorted keys and space for the Morton builder. @return NULL when memory ran out
rbl_morton_scratch *rbl_morton_prepare(rbl_arena *arena, int count);

/// Build all nodes with boxes and heights.
void rbl_morton_build(const rbl_build_context *builder, rbl_morton_scratch *scratch);

/// Sort the leaves, and link nodes that halve them by number: balanced. Leaf boxes are set; the
/// others, and heights, are for rbl_tree_fit_nodes().
void rbl_morton_build_halves(const rbl_build_context *builder, rbl_morton_scratch *scratch);

/// Build an empty tree by Morton with memory from before, for pools that have space for all nodes
/// and ids: cannot fail.
/// @param scratch      prepared for `input->count` or more
/// @param slots        space for `input->count` numbers
/// @param is_balanced  halve the sorted leaves by number, not by space
void rbl_tree_build_prepared(rbl_tree *tree, const rbl_tree_build_input *input,
                             rbl_morton_scratch *scratch, uint32_t *slots, bool is_balanced);
