// SPDX-License-Identifier: MIT
//
// Queries in the BSP: overlaps and box casts. A leaf tests a box only when it owns the pair of
// query and fat box, so no box is reported twice.

#include "broadphase/bsp.h"
#include "broadphase/broadphase_kernels.h"

enum {
	BATCH = 256,            // boxes of a leaf
	LEAVES_PER_SEGMENT = 6, // a cast is halved until a segment overlaps no more leaves,
	MAX_HALVINGS = 6        // this often at most
};

static bool owns(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_vec3 point)
{
	if (bsp->settings.direction_count > 3)
		return rbl_bsp_leaf_owns_point(bsp, leaf, point);
	// Both boxes overlap the cell, so none begins beyond its end.
	rbl_vec3 lower = leaf->cell.lower;
	return point.x >= lower.x && point.y >= lower.y && point.z >= lower.z;
}

static void query_list(const rbl_bsp *bsp, rbl_broadphase_query *q, const rbl_bsp_leaf *leaf,
                       const rbl_bsp_list *list, rbl_box box)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	uint32_t hits[BATCH];
	for (int first = 0; first < list->count && !q->is_done; first += BATCH) {
		int count = RBL_PICK(rbl_bsp_find)(boxes, list->data + first,
		                                   rbl_mini(BATCH, list->count - first), &box, hits);
		for (int i = 0; i < count && !q->is_done; ++i) {
			if (owns(bsp, leaf, rbl_max(box.lower, boxes[hits[i]].lower)))
				rbl_broadphase_query_test(q, hits[i]);
		}
	}
}

static void query_bsp_leaves(const rbl_bsp *bsp, rbl_broadphase_query *q, rbl_box box)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int index; !q->is_done && (index = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
		if (!q->is_static)
			query_list(bsp, q, leaf, &leaf->moving, box);
		query_list(bsp, q, leaf, &leaf->statics, box);
	}
}

static bool overlaps_many_leaves(const rbl_bsp *bsp, rbl_box box)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int count = 0; rbl_bsp_next_leaf(bsp, &d, box) >= 0;) {
		if (++count > LEAVES_PER_SEGMENT)
			return true;
	}
	return false;
}

typedef struct cast_segment {
	float begin, end;
	int halvings;
} cast_segment;

// The box around a long cast overlaps half the world: halve it until its segments are local. A hit
// belongs to the segment in which it happens.
static void query_segments(const rbl_bsp *bsp, rbl_broadphase_query *q)
{
	cast_segment stack[MAX_HALVINGS + 2] = { { 0.0f, 1.0f, 0 } };
	int count = 1;
	while (count > 0 && !q->is_done) {
		cast_segment s = stack[--count];
		if (s.begin > q->limit)
			continue;
		rbl_box box = rbl_broadphase_query_swept(q, s.begin, s.end);
		if (s.halvings < MAX_HALVINGS && overlaps_many_leaves(bsp, box)) {
			float middle = 0.5f * (s.begin + s.end);
			stack[count++] = (cast_segment){ middle, s.end, s.halvings + 1 };
			stack[count++] = (cast_segment){ s.begin, middle, s.halvings + 1 };
			continue;
		}
		q->segment_begin = s.begin, q->segment_end = s.end;
		query_bsp_leaves(bsp, q, box);
	}
}

void rbl_bsp_query(const rbl_bsp *bsp, rbl_broadphase_query *q)
{
	if (q->overlap)
		query_bsp_leaves(bsp, q, q->box);
	else
		query_segments(bsp, q);
}
