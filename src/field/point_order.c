// SPDX-License-Identifier: MIT
//
// Farthest-point order (Glondu et al. 2014, section 5.1; there O(n^2)).
//
// Points lie in leaves of eight, which are neighbours along a Morton curve, and leaves in nodes of
// eight. A leaf knows for each point how far the nearest ordered point is, its gap; a node knows
// the box of each child and the greatest gap below it. So the root knows the next point, and a new
// point visits only children whose box is nearer to it than their greatest gap. Late in the order
// these are few, and early there are few new points.
//
// The result is that of brute force to the last bit, also where distances are equal: gaps are
// squared distances in single precision by one formula, the distance from a box is rounded in the
// same steps, and of equal gaps the lowest index of a point wins, wherever the point lies in the
// leaves.
//
// The paper begins with the two points that are farthest apart. Ours begins with the point farthest
// from the centre, and the second is the one farthest from that: seldom another pair, and a
// distance at least half as long, without O(n^2).

#include "field/point_order.h"

#include "field/field_kernels.h"

#include "base/sort.h"
#include "base/vec.h"

static rbl_box box_of_points(const rbl_vec3 *points, int count)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < count; ++i)
		box = rbl_box_add_point(box, points[i]);
	return box;
}

// Bits 0 to 9 of a number, each followed by two zeros.
static uint32_t spread_bits(uint32_t n)
{
	n = (n | n << 16) & 0x030000ffu;
	n = (n | n << 8) & 0x0300f00fu;
	n = (n | n << 4) & 0x030c30c3u;
	return (n | n << 2) & 0x09249249u;
}

// Sort points along a Morton curve. Eight bits fewer in a key are one pass fewer in the sort.
static void sort_along_curve(const rbl_vec3 *points, int count, rbl_box box, rbl_sort_item *items,
                             rbl_sort_item *scratch)
{
	rbl_vec3 size = rbl_box_size(box);
	int bits = count < 2048 ? 5 : count < 65536 ? 8 : 10;
	float widest = rbl_maxf(rbl_maxf(size.x, size.y), size.z), cells = (float)(1 << bits);
	float scale = widest > 0.0f ? 0.9999f * cells / widest : 0.0f;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 p = rbl_scale(scale, rbl_sub(points[i], box.lower));
		uint32_t key = spread_bits((uint32_t)p.x) << 2 | spread_bits((uint32_t)p.y) << 1 |
		               spread_bits((uint32_t)p.z);
		items[i] = (rbl_sort_item){ key, (uint32_t)i };
	}
	rbl_sort(items, scratch, count);
}

// @return the slot of the point that comes first
static int fill_leaves(rbl_order_work *work, const rbl_vec3 *points, int count, rbl_box box,
                       const rbl_sort_item *items)
{
	rbl_vec3 centre = rbl_box_centre(box);
	float most = -1.0f;
	int first = 0, first_index = 0;
	for (int i = 0; i < work->leaf_count * RBL_ORDER_WIDTH; ++i) {
		rbl_order_leaf *leaf = &work->leaves[i / RBL_ORDER_WIDTH];
		int lane = i % RBL_ORDER_WIDTH;
		int index = (int)items[rbl_mini(i, count - 1)].value;
		rbl_vec3 p = points[index];
		leaf->x[lane] = p.x, leaf->y[lane] = p.y, leaf->z[lane] = p.z;
		leaf->gap[lane] = i < count ? FLT_MAX : -1.0f;
		leaf->index[lane] = i < count ? index : INT32_MAX;
		leaf->nearest[lane] = leaf->before[lane] = -1;
		float square = rbl_length_squared(rbl_sub(p, centre));
		if (square > most || (square == most && index < first_index))
			most = square, first = i, first_index = index;
	}
	return first;
}

static bool reserve_work(rbl_order_work *work, rbl_arena *arena, int count)
{
	int n = work->leaf_count = (count + RBL_ORDER_WIDTH - 1) / RBL_ORDER_WIDTH;
	work->leaves = RBL_ARENA_NEW(arena, rbl_order_leaf, n);
	work->leaf_visits = RBL_ARENA_NEW(arena, int32_t, n);
	bool ok = work->leaves && work->leaf_visits;
	do {
		n = (n + RBL_ORDER_WIDTH - 1) / RBL_ORDER_WIDTH;
		int level = work->level_count++;
		work->node_counts[level] = n;
		work->levels[level] = RBL_ARENA_NEW(arena, rbl_order_node, n);
		work->visits[level] = RBL_ARENA_NEW(arena, int32_t, n);
		ok = ok && work->levels[level] && work->visits[level];
	} while (n > 1);
	return ok;
}

// Points that are not ordered exactly, by their gaps.
static void append_rest(const rbl_order_work *work, int count, int exact_count,
                        rbl_sort_item *items, rbl_sort_item *scratch)
{
	// In the order of indices first, for the sort keeps it among equal keys.
	int *slots = (int *)scratch, n = 0;
	for (int i = 0; i < count; ++i)
		slots[i] = -1;
	for (int i = 0; i < work->leaf_count * RBL_ORDER_WIDTH; ++i) {
		const rbl_order_leaf *leaf = &work->leaves[i / RBL_ORDER_WIDTH];
		if (leaf->gap[i % RBL_ORDER_WIDTH] >= 0.0f)
			slots[leaf->index[i % RBL_ORDER_WIDTH]] = i;
	}
	for (int i = 0; i < count; ++i) {
		if (slots[i] < 0)
			continue;
		float gap = work->leaves[slots[i] / RBL_ORDER_WIDTH].gap[slots[i] % RBL_ORDER_WIDTH];
		items[n++] =
			(rbl_sort_item){ 0xffff - (rbl_sort_key_float(gap) >> 16), (uint32_t)slots[i] };
	}
	rbl_sort(items, scratch, n);
	for (int i = 0; i < n; ++i) {
		const rbl_order_leaf *leaf = &work->leaves[items[i].value / RBL_ORDER_WIDTH];
		int lane = (int)items[i].value % RBL_ORDER_WIDTH;
		work->order[exact_count + i] = leaf->index[lane];
		work->parents[exact_count + i] = leaf->nearest[lane];
	}
}

rbl_result rbl_order_points(rbl_arena *arena, const rbl_vec3 *points, int count, int ordered_count,
                            int *order, int *parents, int *exact_count)
{
	RBL_ASSERT(count >= 1 && count <= RBL_MAX_FIELD_POINTS);
	RBL_ASSERT(ordered_count >= 1 && ordered_count <= count);
	rbl_order_work work = { .order = order, .parents = parents, .ordered_count = ordered_count };
	rbl_sort_item *items = RBL_ARENA_NEW(arena, rbl_sort_item, count);
	rbl_sort_item *scratch = RBL_ARENA_NEW(arena, rbl_sort_item, count);
	if (!items || !scratch || !reserve_work(&work, arena, count))
		return RBL_OUT_OF_MEMORY;
	rbl_box box = box_of_points(points, count);
	sort_along_curve(points, count, box, items, scratch);
	int first = fill_leaves(&work, points, count, box, items);
	RBL_PICK(rbl_order_prepare)(&work);
	*exact_count = RBL_PICK(rbl_order_run)(&work, first);
	append_rest(&work, count, *exact_count, items, scratch);
	return RBL_OK;
}
