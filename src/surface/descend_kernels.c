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

static inline corners load_child(const rbl_tree_node *node, int side)
{
	// What is read past the second box are the children.
	return (corners){ rbl_f4_load(&node->boxes[side].lower.x),
		              rbl_f4_load(&node->boxes[side].upper.x) };
}

static inline corners widened(corners box, rbl_f4 gap)
{
	return (corners){ rbl_f4_sub(box.lower, gap), rbl_f4_add(box.upper, gap) };
}

static inline bool overlap(corners a, corners b)
{
	rbl_i4 both = rbl_i4_and(rbl_f4_le(a.lower, b.upper), rbl_f4_le(b.lower, a.upper));
	return (rbl_i4_bits(both) & 7) == 7;
}

/// A child as it goes on the stack: a leaf is named by its place, since its box is there.
static inline uint32_t child_of(const rbl_tree_node *nodes, uint32_t index, int side)
{
	uint32_t child = nodes[index].children[side];
	return rbl_tree_is_leaf(child) ? rbl_descent_leaf(index, side) : child;
}

/// Take a pair apart. @return the number of pairs in `out`
static inline int take_apart(rbl_descent *walk, rbl_tree_pair pair, rbl_tree_pair *out)
{
	const rbl_tree_node *nodes = walk->nodes;
	const rbl_f4 gap = rbl_f4_load(walk->gap);
	int count = 0;
	if (rbl_tree_is_leaf(pair.a) || rbl_tree_is_leaf(pair.b)) {
		bool is_a = rbl_tree_is_leaf(pair.a);
		uint32_t leaf = is_a ? pair.a : pair.b, index = is_a ? pair.b : pair.a;
		uint32_t place = rbl_tree_leaf_id(leaf);
		corners box = widened(load_child(&nodes[place >> 1], (int)(place & 1)), gap);
		walk->box_tests += 2;
		for (int side = 1; side >= 0; --side) {
			out[count] = (rbl_tree_pair){ leaf, child_of(nodes, index, side) };
			count += overlap(box, load_child(&nodes[index], side));
		}
		return count;
	}
	const rbl_tree_node *a = &nodes[pair.a], *b = &nodes[pair.b];
	corners first[2] = { widened(load_child(a, 0), gap), widened(load_child(a, 1), gap) };
	corners second[2] = { load_child(b, 0), load_child(b, 1) };
	walk->box_tests += 4;
	for (int i = 3; i >= 0; --i) {
		out[count] =
			(rbl_tree_pair){ child_of(nodes, pair.a, i >> 1), child_of(nodes, pair.b, i & 1) };
		count += overlap(first[i >> 1], second[i & 1]);
	}
	return count;
}

static inline uint32_t leaf_at(const rbl_descent *walk, uint32_t leaf)
{
	uint32_t place = rbl_tree_leaf_id(leaf);
	return rbl_tree_leaf_id(walk->nodes[place >> 1].children[place & 1]);
}

int RBL_KERNEL(rbl_descend)(rbl_descent *walk, rbl_tree_pair *found, int capacity)
{
	int count = 0;
	while (walk->top > 0 && count < capacity) {
		rbl_tree_pair pair = walk->stack[--walk->top];
		if (rbl_tree_is_leaf(pair.a) && rbl_tree_is_leaf(pair.b)) {
			found[count++] = (rbl_tree_pair){ leaf_at(walk, pair.a), leaf_at(walk, pair.b) };
			continue;
		}
		walk->top += take_apart(walk, pair, walk->stack + walk->top);
	}
	return count;
}
