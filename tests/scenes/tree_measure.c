// SPDX-License-Identifier: MIT

#include "scenes/tree_measure.h"

#include "tree/node.h"

// Ratio of volumes, or of areas, or of lengths, as far as the parent has any.
static double chance(rbl_box child, rbl_box parent)
{
	rbl_vec3d c = rbl_to_d(rbl_box_size(child)), p = rbl_to_d(rbl_box_size(parent));
	if (p.x * p.y * p.z > 0.0)
		return c.x * c.y * c.z / (p.x * p.y * p.z);
	if (p.x * p.y + p.y * p.z + p.z * p.x > 0.0)
		return (c.x * c.y + c.y * c.z + c.z * c.x) / (p.x * p.y + p.y * p.z + p.z * p.x);
	return p.x + p.y + p.z > 0.0 ? (c.x + c.y + c.z) / (p.x + p.y + p.z) : 1.0;
}

typedef struct measure {
	rbl_box box;
	double squares, inter, self;
	bool is_culled;
} measure;

static measure combine(measure a, measure b)
{
	measure sum = { .box = rbl_box_join(a.box, b.box) };
	double va = rbl_tree_volume(a.box), vb = rbl_tree_volume(b.box);
	sum.squares = a.squares + b.squares + va * va + vb * vb;
	sum.inter = 1.0 + chance(a.box, sum.box) * a.inter + chance(b.box, sum.box) * b.inter;
	sum.self = a.inter + b.inter + (a.is_culled ? 0.0 : a.self) + (b.is_culled ? 0.0 : b.self);
	return sum;
}

tree_report measure_tree(const rbl_tree *tree)
{
	if (tree->root == RBL_TREE_NONE)
		return (tree_report){ 0 };
	// References to visit, two per node on the way, and results of what lies behind.
	struct {
		uint32_t reference;
		bool is_done;
		rbl_box box;
	} stack[3 * RBL_TREE_MAX_HEIGHT];
	measure results[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0, count = 0;
	stack[top].reference = tree->root, stack[top].is_done = false, stack[top++].box = tree->bounds;
	while (top > 0) {
		uint32_t reference = stack[--top].reference;
		if (rbl_tree_is_leaf(reference)) {
			results[count++] = (measure){ .box = stack[top].box, .inter = 1.0 };
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[reference];
		if (stack[top].is_done) {
			results[count - 2] = combine(results[count - 2], results[count - 1]);
			results[--count - 1].is_culled = (node->flags & RBL_TREE_CULLED) != 0;
			continue;
		}
		stack[top++].is_done = true;
		for (int side = 0; side < 2; ++side) {
			stack[top].reference = node->children[side], stack[top].is_done = false;
			stack[top++].box = node->boxes[side];
		}
	}
	double volume = rbl_tree_volume(tree->bounds);
	double quality = volume > 0.0 ? 1.0 + results[0].squares / (volume * volume) : 1.0;
	return (tree_report){ quality, results[0].inter, results[0].self, rbl_tree_height(tree) };
}
