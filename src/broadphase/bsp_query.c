// SPDX-License-Identifier: MIT
//
// Questions to the BSP. A leaf asks a box only when it owns the pair of query and fat box, so no box
// is reported twice.

#include "broadphase/bsp.h"
#include "broadphase/leaf_kernels.h"

enum {
	AT_ONCE = 256,       // boxes of a leaf
	LEAVES_OF_PIECE = 6, // a cast is halved until a piece touches no more leaves,
	HALVINGS = 6         // this often at most
};

static bool owns(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_vec3 point)
{
	if (bsp->settings.direction_count > 3)
		return rbl_bsp_leaf_owns(bsp, leaf, point);
	// Both boxes touch the cell, so none begins beyond its end.
	rbl_vec3 lower = leaf->cell.lower;
	return point.x >= lower.x && point.y >= lower.y && point.z >= lower.z;
}

static void ask_list(const rbl_bsp *bsp, rbl_query *q, const rbl_bsp_leaf *leaf,
                     const rbl_bsp_list *list, rbl_box box)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	uint32_t hits[AT_ONCE];
	for (int first = 0; first < list->count && !q->is_done; first += AT_ONCE) {
		int count = RBL_PICK(rbl_bsp_find)(boxes, list->data + first,
		                                   rbl_mini(AT_ONCE, list->count - first), &box, hits);
		for (int i = 0; i < count && !q->is_done; ++i) {
			if (owns(bsp, leaf, rbl_max(box.lower, boxes[hits[i]].lower)))
				rbl_query_ask(q, hits[i]);
		}
	}
}

static void ask_leaves(const rbl_bsp *bsp, rbl_query *q, rbl_box box)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int index; !q->is_done && (index = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
		ask_list(bsp, q, leaf, &leaf->moving, box);
		ask_list(bsp, q, leaf, &leaf->still, box);
	}
}

static bool touches_many_leaves(const rbl_bsp *bsp, rbl_box box)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int count = 0; rbl_bsp_next_leaf(bsp, &d, box) >= 0;) {
		if (++count > LEAVES_OF_PIECE)
			return true;
	}
	return false;
}

// The box around a long way touches half the world: halve the way until its pieces are local. A hit
// belongs to the piece in which it happens.
static void ask_pieces(const rbl_bsp *bsp, rbl_query *q)
{
	struct {
		float begin, end;
		int halvings;
	} stack[HALVINGS + 2];
	int count = 0;
	stack[count].begin = 0.0f, stack[count].end = 1.0f, stack[count++].halvings = 0;
	while (count > 0 && !q->is_done) {
		float begin = stack[--count].begin, end = stack[count].end;
		int halvings = stack[count].halvings;
		if (begin > q->limit)
			continue;
		rbl_box box = rbl_query_swept(q, begin, end);
		if (halvings < HALVINGS && touches_many_leaves(bsp, box)) {
			float middle = 0.5f * (begin + end);
			stack[count].begin = middle, stack[count].end = end;
			stack[count++].halvings = halvings + 1;
			stack[count].begin = begin, stack[count].end = middle;
			stack[count++].halvings = halvings + 1;
			continue;
		}
		q->piece_begin = begin, q->piece_end = end;
		ask_leaves(bsp, q, box);
	}
}

void rbl_bsp_ask(const rbl_bsp *bsp, rbl_query *q)
{
	if (q->overlap)
		ask_leaves(bsp, q, q->box);
	else
		ask_pieces(bsp, q);
}
