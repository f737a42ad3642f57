// SPDX-License-Identifier: MIT
//
// The linear passes of the Morton builder.
//
// Emission reads the sorted leaves once, from left to right, with a stack of finished sub-trees.
// Between two neighbours lies a border, as strong as the highest bit in which their keys differ.
// Before a leaf's right border is passed, everything on the stack whose border is weaker belongs
// together with it and becomes a node. So nodes come out children before parents, each written
// once, with both boxes at hand: no recursion, no search, no second pass.

#include "tree/tree_kernels.h"

#include "tree/lanes.h"

rbl_box RBL_KERNEL(rbl_morton_bounds)(const rbl_box *boxes, int count)
{
	rbl_f4 lower = rbl_f4_splat(FLT_MAX), upper = rbl_f4_splat(-FLT_MAX);
	for (int i = 0; i < count; ++i) {
		box_lanes box = load_box(&boxes[i]);
		rbl_f4 centre = rbl_f4_add(box.lower, box.upper);
		lower = rbl_f4_min(lower, centre);
		upper = rbl_f4_max(upper, centre);
	}
	float l[4], u[4];
	rbl_f4_store(l, lower);
	rbl_f4_store(u, upper);
	return (rbl_box){ { l[0], l[1], l[2] }, { u[0], u[1], u[2] } };
}

static inline void cell_of(const rbl_morton_frame *frame, const rbl_box *box, int32_t cell[4])
{
	box_lanes lanes = load_box(box);
	rbl_f4 from = rbl_f4_sub(rbl_f4_add(lanes.lower, lanes.upper), rbl_f4_load(frame->lower));
	rbl_i4_store(cell, rbl_f4_to_int(rbl_f4_mul(from, rbl_f4_load(frame->scale))));
}

void RBL_KERNEL(rbl_morton_keys)(const rbl_morton_frame *frame, const rbl_box *boxes, int begin,
                                 int end, rbl_sort_item *items)
{
	for (int i = begin; i < end; ++i) {
		int32_t cell[4];
		cell_of(frame, &boxes[i], cell);
		uint32_t key = 0;
		for (int axis = 0; axis < 3; ++axis)
			key |= frame->spread[axis][0][cell[axis] & 255] |
			       frame->spread[axis][1][cell[axis] >> 8 & 255];
		items[i] = (rbl_sort_item){ key, (uint32_t)i };
	}
}

void RBL_KERNEL(rbl_morton_few_keys)(const rbl_morton_frame *frame, const rbl_box *boxes, int count,
                                     rbl_sort_item *items)
{
	for (int i = 0; i < count; ++i) {
		int32_t cell[4];
		cell_of(frame, &boxes[i], cell);
		uint32_t key = 0;
		for (int axis = 0; axis < 3; ++axis)
			for (int part = 0; part < 4; ++part)
				key |= frame->small_spread[axis][part][cell[axis] >> (4 * part) & 15];
		items[i] = (rbl_sort_item){ key, (uint32_t)i };
	}
}

// A finished sub-tree, and the border on its right.
typedef struct sub_tree {
	box_lanes box;
	uint64_t border;
	uint32_t reference;
	uint32_t height;
} sub_tree;

static inline uint64_t border_after(const rbl_sort_item *items, int i)
{
	// Equal keys are told apart by their place, which halves them evenly.
	uint32_t place = (uint32_t)i ^ (uint32_t)(i + 1);
	return (uint64_t)(items[i].key ^ items[i + 1].key) << 32 | place;
}

void RBL_KERNEL(rbl_morton_emit)(const rbl_build_context *builder, const rbl_sort_item *items,
                                 int begin, int end, int base)
{
	enum { AHEAD = 12 };
	// The borders on the stack rise towards its bottom, by at least one bit each: 32 of a key,
	// 31 of a place.
	sub_tree stack[RBL_TREE_MAX_HEIGHT];
	int top = 0, number = base;
	rbl_tree_pool *pool = builder->pool;
	const rbl_box *boxes = builder->input->boxes;
	for (int i = begin; i < end; ++i) {
		if (i + AHEAD < end)
			__builtin_prefetch(&boxes[items[i + AHEAD].value]);
		uint32_t leaf = rbl_build_leaf_id(builder, items[i].value);
		sub_tree right = { .box = load_box(&boxes[items[i].value]),
			               .border = i + 1 < end ? border_after(items, i) : ~(uint64_t)0,
			               .reference = leaf | RBL_TREE_LEAF };
		while (top > 0 && stack[top - 1].border < right.border) {
			const sub_tree *left = &stack[--top];
			uint32_t index = rbl_build_node(builder, number++);
			rbl_tree_node *node = &pool->nodes[index];
			box_lanes pair[2] = { left->box, right.box };
			store_child_boxes(node, pair);
			node->children[0] = left->reference;
			node->children[1] = right.reference;
			uint32_t height = 1 + (left->height > right.height ? left->height : right.height);
			node->height = (uint16_t)height;
			node->flags = 0;
			for (int side = 0; side < 2; ++side) {
				uint32_t child = node->children[side];
				uint32_t *parent = rbl_tree_is_leaf(child)
				                       ? &pool->leaf_parents[rbl_tree_leaf_id(child)]
				                       : &pool->nodes[child].parent;
				*parent = index;
			}
			right.box = join_boxes(pair[0], pair[1]);
			right.reference = index;
			right.height = height;
		}
		stack[top++] = right;
	}
}
