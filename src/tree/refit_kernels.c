// SPDX-License-Identifier: MIT
//
// Fitting runs of nodes. Only minimum and maximum: every back end gives the same bits.

#include "tree/tree_kernels.h"

#include "tree/lanes.h"

// Four floats from a vertex would read past the last one, so the vertex at the end of the array is
// not known here: x, y, z are read apart, which the processor does as fast.
static inline rbl_f4 load_vertex(const rbl_vec3 *positions, int index)
{
	const rbl_vec3 *p = &positions[index];
	return rbl_f4_set(p->x, p->y, p->z, 0.0f);
}

static inline box_lanes triangle_box(const rbl_vec3 *positions, const int *triangle)
{
	rbl_f4 a = load_vertex(positions, triangle[0]), b = load_vertex(positions, triangle[1]),
		   c = load_vertex(positions, triangle[2]);
	return (box_lanes){ rbl_f4_min(a, rbl_f4_min(b, c)), rbl_f4_max(a, rbl_f4_max(b, c)) };
}

static inline box_lanes node_box(const rbl_tree_node *node)
{
	box_lanes boxes[2];
	load_child_boxes(node, boxes);
	return join_boxes(boxes[0], boxes[1]);
}

static inline void fit_node(rbl_tree_node *nodes, uint32_t index)
{
	rbl_tree_node *node = &nodes[index];
	box_lanes boxes[2];
	load_child_boxes(node, boxes);
	int height = 0;
	for (int side = 0; side < 2; ++side) {
		uint32_t child = node->children[side];
		if (rbl_tree_is_leaf(child))
			continue;
		boxes[side] = node_box(&nodes[child]);
		height = nodes[child].height > height ? nodes[child].height : height;
	}
	store_child_boxes(node, boxes);
	node->height = (uint16_t)(height + 1);
	node->flags &= (uint16_t)~RBL_TREE_DIRTY;
}

void RBL_KERNEL(rbl_tree_fit_run)(rbl_tree_node *nodes, uint32_t begin, uint32_t end)
{
	for (uint32_t i = begin; i < end; ++i)
		fit_node(nodes, i);
}

void RBL_KERNEL(rbl_tree_fit_list)(rbl_tree_node *nodes, const uint32_t *list, int count)
{
	for (int i = 0; i < count; ++i)
		fit_node(nodes, list[i]);
}

static inline box_lanes source_box(const rbl_tree_leaf_source *source, uint32_t leaf)
{
	return source->boxes ? load_box(&source->boxes[leaf])
	                     : triangle_box(source->positions, source->triangles + 3 * (size_t)leaf);
}

void RBL_KERNEL(rbl_tree_refit_run)(rbl_tree_node *nodes, uint32_t begin, uint32_t end,
                                    const rbl_tree_leaf_source *source, bool is_block)
{
	for (uint32_t i = begin; i < end; ++i) {
		rbl_tree_node *node = &nodes[i];
		box_lanes boxes[2];
		bool is_ready = true;
		for (int side = 0; side < 2; ++side) {
			uint32_t child = node->children[side];
			if (rbl_tree_is_leaf(child)) {
				boxes[side] = source_box(source, rbl_tree_leaf_id(child));
			} else if (is_block && (child < begin || nodes[child].flags & RBL_TREE_DIRTY)) {
				boxes[side] = (box_lanes){ rbl_f4_zero(), rbl_f4_zero() };
				is_ready = false;
			} else {
				boxes[side] = node_box(&nodes[child]);
			}
		}
		if (!is_ready) {
			node->flags |= RBL_TREE_DIRTY;
			continue;
		}
		store_child_boxes(node, boxes);
		node->flags &= (uint16_t)~RBL_TREE_DIRTY;
	}
}

void RBL_KERNEL(rbl_tree_box_run)(rbl_box *boxes, const rbl_vec3 *positions, const int *triangles,
                                  int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		box_lanes box = triangle_box(positions, triangles + 3 * (size_t)i);
		rbl_f4 seam = rbl_f4_shuffle(box.lower, box.upper, 2, 2, 4, 4);
		float *p = (float *)&boxes[i];
		rbl_f4_store(p, rbl_f4_shuffle(box.lower, seam, 0, 1, 4, 6));
		rbl_f4_store(p + 2, rbl_f4_shuffle(seam, box.upper, 0, 2, 5, 6));
	}
}
