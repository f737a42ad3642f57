// SPDX-License-Identifier: MIT
//
// Down two trees at once. A node has the boxes of its children in three registers: four tests of two nodes
// are eight comparisons, without a branch but on what comes out.

#include "surface/descend_kernels.h"

#include "base/simd.h"

/// Lower and upper corner; the fourth lane is anything.
typedef struct corners {
	rbl_f4 lower, upper;
} corners;

static inline corners load_leaf(const rbl_box *box)
{
	// From lower.z on, so that nothing past the box is read.
	rbl_f4 b = rbl_f4_load(&box->lower.z);
	return (corners){ rbl_f4_load(&box->lower.x), rbl_f4_shuffle(b, b, 1, 2, 3, 0) };
}

static inline corners load_child(const rbl_tree_node *node, int side)
{
	// What is read past the second box are the children.
	return (corners){ rbl_f4_load(&node->boxes[side].lower.x),
		              rbl_f4_load(&node->boxes[side].upper.x) };
}

static inline bool overlap(corners a, corners b)
{
	rbl_i4 both = rbl_i4_and(rbl_f4_le(a.lower, b.upper), rbl_f4_le(b.lower, a.upper));
	return (rbl_i4_bits(both) & 7) == 7;
}

/// Take a pair apart. @return the number of pairs in `out`
static inline int take_apart(rbl_descent *walk, rbl_tree_pair pair, rbl_tree_pair *out)
{
	int count = 0;
	if (rbl_tree_is_leaf(pair.a) || rbl_tree_is_leaf(pair.b)) {
		bool is_a = rbl_tree_is_leaf(pair.a);
		uint32_t leaf = is_a ? pair.a : pair.b;
		const rbl_tree_node *node = &walk->nodes[is_a ? pair.b : pair.a];
		corners box = load_leaf(&walk->boxes[rbl_tree_leaf_id(leaf)]);
		walk->box_tests += 2;
		for (int side = 1; side >= 0; --side) {
			out[count] = (rbl_tree_pair){ leaf, node->children[side] };
			count += overlap(box, load_child(node, side));
		}
		return count;
	}
	const rbl_tree_node *a = &walk->nodes[pair.a], *b = &walk->nodes[pair.b];
	corners first[2] = { load_child(a, 0), load_child(a, 1) };
	corners second[2] = { load_child(b, 0), load_child(b, 1) };
	walk->box_tests += 4;
	for (int i = 3; i >= 0; --i) {
		out[count] = (rbl_tree_pair){ a->children[i >> 1], b->children[i & 1] };
		count += overlap(first[i >> 1], second[i & 1]);
	}
	return count;
}

int RBL_KERNEL(rbl_descend)(rbl_descent *walk, rbl_tree_pair *found, int capacity)
{
	int count = 0;
	while (walk->top > 0 && count < capacity) {
		rbl_tree_pair pair = walk->stack[--walk->top];
		if (rbl_tree_is_leaf(pair.a) && rbl_tree_is_leaf(pair.b)) {
			found[count++] = (rbl_tree_pair){ rbl_tree_leaf_id(pair.a), rbl_tree_leaf_id(pair.b) };
			continue;
		}
		rbl_tree_pair parts[4];
		int part_count = take_apart(walk, pair, parts);
		for (int i = 0; i < part_count; ++i)
			walk->stack[walk->top++] = parts[i];
	}
	return count;
}
