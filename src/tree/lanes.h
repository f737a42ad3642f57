// SPDX-License-Identifier: MIT
// Boxes in lanes, for the kernels of the room only.
//
// A box is two registers, lower and upper, whose fourth lane is anything. A node's 48 bytes of
// boxes are three registers: read and written whole, so that a read finds a recent write.
#pragma once

#include "tree/tree.h"

#include "base/simd.h"

typedef struct box_lanes {
	rbl_f4 lower, upper;
} box_lanes;

static inline box_lanes load_box(const rbl_box *box)
{
	// The second read starts at lower.z, so that nothing past the box is touched.
	const float *p = (const float *)box;
	rbl_f4 a = rbl_f4_load(p), b = rbl_f4_load(p + 2);
	return (box_lanes){ a, rbl_f4_shuffle(b, b, 1, 2, 3, 0) };
}

static inline void load_child_boxes(const rbl_tree_node *node, box_lanes boxes[2])
{
	const float *p = (const float *)node->boxes;
	rbl_f4 a = rbl_f4_load_aligned(p), b = rbl_f4_load_aligned(p + 4),
		   c = rbl_f4_load_aligned(p + 8);
	boxes[0].lower = a;
	boxes[0].upper = rbl_f4_shuffle(a, b, 3, 4, 5, 5);
	boxes[1].lower = rbl_f4_shuffle(b, c, 2, 3, 4, 4);
	boxes[1].upper = rbl_f4_shuffle(c, c, 1, 2, 3, 3);
}

static inline void store_child_boxes(rbl_tree_node *node, const box_lanes boxes[2])
{
	float *p = (float *)node->boxes;
	rbl_f4 high = rbl_f4_shuffle(boxes[0].lower, boxes[0].upper, 2, 2, 4, 4);
	rbl_f4 low = rbl_f4_shuffle(boxes[1].lower, boxes[1].upper, 2, 2, 4, 4);
	rbl_f4_store_aligned(p, rbl_f4_shuffle(boxes[0].lower, high, 0, 1, 4, 6));
	rbl_f4_store_aligned(p + 4, rbl_f4_shuffle(boxes[0].upper, boxes[1].lower, 1, 2, 4, 5));
	rbl_f4_store_aligned(p + 8, rbl_f4_shuffle(low, boxes[1].upper, 0, 2, 5, 6));
}

static inline box_lanes join_boxes(box_lanes a, box_lanes b)
{
	return (box_lanes){ rbl_f4_min(a.lower, b.lower), rbl_f4_max(a.upper, b.upper) };
}

static inline bool boxes_overlap(box_lanes a, box_lanes b)
{
	rbl_i4 both = rbl_i4_and(rbl_f4_le(a.lower, b.upper), rbl_f4_le(b.lower, a.upper));
	return (rbl_i4_bits(both) & 7) == 7;
}
