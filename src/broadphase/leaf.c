// SPDX-License-Identifier: MIT
//
// A leaf of the BSP finds the pairs it owns.
//
// It keeps pairs and near pairs (pair_lists.h). Only a box with a new fat box is probed against the
// rest of the leaf, and only when many have one is the whole leaf swept. Both read the fat boxes into
// rows of coordinates first.
//
// A leaf reads proxies and writes only itself, so leaves are looked at in parallel.

#include "broadphase/bsp.h"

#include "base/bits.h"
#include "base/sort.h"
#include "broadphase/leaf_kernels.h"

enum {
	ROW_PADDING = 8,
	AHEAD = 16, // boxes asked for before they are read
};

// Coordinates of a box that overlaps nothing and ends every sweep.
#define NOWHERE INFINITY

void rbl_bsp_scratch_free(const rbl_allocator *allocator, rbl_bsp_scratch *scratch)
{
	for (int kind = 0; kind < 2; ++kind) {
		rbl_bsp_rows *rows = kind ? &scratch->still : &scratch->moving;
		rbl_array_free(allocator, &rows->values);
		rbl_array_free(allocator, &rows->inside);
	}
	rbl_array_free(allocator, &scratch->replaced);
	rbl_array_free(allocator, &scratch->hits);
	rbl_array_free(allocator, &scratch->order);
	rbl_pair_lists_free(allocator, &scratch->found);
}

size_t rbl_bsp_scratch_bytes(const rbl_bsp_scratch *scratch)
{
	return rbl_pair_lists_bytes(&scratch->found) +
	       (size_t)(scratch->moving.values.capacity + scratch->still.values.capacity) *
	           sizeof(float) +
	       (size_t)(scratch->moving.inside.capacity + scratch->still.inside.capacity) +
	       (size_t)(scratch->hits.capacity + scratch->replaced.capacity) * sizeof(uint32_t) +
	       (size_t)scratch->order.capacity * sizeof(rbl_sort_item);
}

// --- rows of coordinates ---------------------------------------------------------------------------

static bool reserve_rows(const rbl_allocator *allocator, rbl_bsp_rows *rows, int count)
{
	rows->stride = (count + ROW_PADDING + 7) / 8 * 8;
	return rbl_array_reserve(allocator, &rows->values, 6 * rows->stride) &&
	       rbl_array_reserve(allocator, &rows->inside, rows->stride);
}

static inline uint8_t inside(rbl_vec3 cell, rbl_box box)
{
	return (uint8_t)((box.lower.x >= cell.x) | (box.lower.y >= cell.y) << 1 |
	                 (box.lower.z >= cell.z) << 2);
}

static inline void write_row(rbl_bsp_rows *rows, int i, rbl_box box, rbl_vec3 cell)
{
	rows->inside.data[i] = inside(cell, box);
	float *row = rows->values.data + i;
	size_t stride = (size_t)rows->stride;
	row[0] = box.lower.x, row[stride] = box.lower.y, row[2 * stride] = box.lower.z;
	row[3 * stride] = box.upper.x, row[4 * stride] = box.upper.y, row[5 * stride] = box.upper.z;
}

static void end_rows(rbl_bsp_rows *rows, int count)
{
	const rbl_box nowhere = { { NOWHERE, NOWHERE, NOWHERE }, { -NOWHERE, -NOWHERE, -NOWHERE } };
	for (int i = count; i < count + ROW_PADDING; ++i)
		write_row(rows, i, nowhere, nowhere.lower);
}

// Whether a listed slot is still a member of the leaf.
static inline bool stays(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t slot)
{
	int flags = bsp->proxies->flags[slot];
	if (flags & RBL_PROXY_REMOVED)
		return false;
	if (!leaf->is_stale && !(flags & RBL_PROXY_REPLACED))
		return true;
	int index = (int)(leaf - bsp->leaves.data);
	return rbl_bsp_leaf_touches(bsp, index, bsp->proxies->fat_boxes[slot]);
}

// Drop what left, read the rest, and note the places of new fat boxes. The order stays.
static bool read_list(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_bsp_list *list,
                      rbl_bsp_rows *rows, rbl_slot_array *replaced)
{
	const rbl_proxies *proxies = bsp->proxies;
	if (!reserve_rows(&bsp->allocator, rows, list->count) ||
	    !rbl_array_extend(&bsp->allocator, replaced, list->count))
		return false;
	int kept = 0;
	for (int i = 0; i < list->count; ++i) {
		uint32_t slot = list->data[i];
		rbl_prefetch(&proxies->fat_boxes[list->data[rbl_mini(i + AHEAD, list->count - 1)]]);
		if (!stays(bsp, leaf, slot))
			continue;
		list->data[kept] = slot;
		write_row(rows, kept, proxies->fat_boxes[slot], leaf->cell.lower);
		if (proxies->flags[slot] & RBL_PROXY_REPLACED)
			replaced->data[replaced->count++] = kept;
		kept++;
	}
	list->count = kept;
	end_rows(rows, kept);
	return true;
}

// The axis along which lower corners spread widest; another than before only if clearly better.
static int choose_axis(rbl_vec3 spread, int axis)
{
	int best = rbl_largest_axis(spread);
	return rbl_axis(spread, best) > 1.5f * rbl_axis(spread, axis) ? best : axis;
}

// Insertion sort, for items that are nearly in order. @return false when it became too much work
static bool sort_by_insertion(rbl_sort_item *items, int count)
{
	int moves = 0;
	for (int i = 1; i < count; ++i) {
		rbl_sort_item item = items[i];
		int k = i;
		for (; k > 0 && items[k - 1].key > item.key; --k, ++moves)
			items[k] = items[k - 1];
		items[k] = item;
		if (moves > 8 * count)
			return false;
	}
	return true;
}

enum { BUCKETS = 256 };

static inline int bucket_of(rbl_sort_item item, const rbl_box *boxes, int axis, float least,
                            float scale)
{
	return (int)((rbl_axis(boxes[item.value].lower, axis) - least) * scale);
}

// Bring items into rough order: those of a bucket stand together, in the order they came in.
static void sort_roughly(rbl_sort_item *items, rbl_sort_item *scratch, int count,
                         const rbl_box *boxes, int axis, float least, float scale)
{
	int starts[BUCKETS] = { 0 };
	for (int i = 0; i < count; ++i) {
		scratch[i] = items[i];
		starts[bucket_of(items[i], boxes, axis, least, scale)]++;
	}
	for (int k = 0, sum = 0; k < BUCKETS; ++k) {
		int next = sum + starts[k];
		starts[k] = sum;
		sum = next;
	}
	for (int i = 0; i < count; ++i)
		items[starts[bucket_of(scratch[i], boxes, axis, least, scale)]++] = scratch[i];
}

// Drop what left and bring the moving boxes into order along the leaf's axis. They are nearly in
// order from the last time, or brought into rough order first; where that does not help, the radix
// sort does. All three are stable.
static void sort_moving(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_sort_item *items)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	rbl_bsp_list *list = &leaf->moving;
	rbl_box spread = rbl_box_empty();
	int count = 0;
	for (int i = 0; i < list->count; ++i) {
		uint32_t slot = list->data[i];
		if (!leaf->is_refilled && !stays(bsp, leaf, slot))
			continue;
		items[count++].value = slot;
		spread = rbl_box_add_point(spread, boxes[slot].lower);
	}
	list->count = count;
	rbl_vec3 size = rbl_box_size(spread);
	if (leaf->is_stale || leaf->is_refilled)
		leaf->axis = choose_axis(size, leaf->axis);
	float width = rbl_axis(size, leaf->axis), scale = (float)(BUCKETS - 1) / width;
	for (int i = 0; i < count; ++i)
		items[i].key = rbl_sort_key_float(rbl_axis(boxes[items[i].value].lower, leaf->axis));
	if (leaf->is_refilled && width > 0.0f && width < FLT_MAX && scale < FLT_MAX)
		sort_roughly(items, items + count, count, boxes, leaf->axis,
		             rbl_axis(spread.lower, leaf->axis), scale);
	if (!sort_by_insertion(items, count))
		rbl_sort(items, items + count, count);
}

static bool reorder_moving(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch)
{
	rbl_bsp_list *list = &leaf->moving;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->order, 2 * list->count) ||
	    !reserve_rows(&bsp->allocator, &scratch->moving, list->count))
		return false;
	const rbl_sort_item *items = scratch->order.data;
	sort_moving(bsp, leaf, scratch->order.data);
	for (int i = 0; i < list->count; ++i) {
		list->data[i] = items[i].value;
		write_row(&scratch->moving, i, bsp->proxies->fat_boxes[items[i].value], leaf->cell.lower);
	}
	end_rows(&scratch->moving, list->count);
	leaf->is_ordered = true;
	return true;
}

// Whether a leaf with slanted sides owns a pair; the kernels know only its box.
static bool owns_slanted(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t a, uint32_t b)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	return bsp->settings.direction_count == 3 ||
	       rbl_bsp_leaf_owns(bsp, leaf, rbl_max(boxes[a].lower, boxes[b].lower));
}

// Two fat boxes overlap: enter the pair into the list where it belongs.
static bool add_pair(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t a, uint32_t b,
                     rbl_bsp_scratch *scratch, rbl_pair_changes *changes)
{
	if (!rbl_proxies_may_pair(bsp->proxies, (int)a, (int)b) || !owns_slanted(bsp, leaf, a, b))
		return true;
	return rbl_pair_lists_add(bsp->proxies, a, b, &scratch->found, changes);
}

// Pairs of a slot with the first `count` boxes of a list, replaced ones from `first_replaced` on left
// out: of two replaced boxes in one list the later finds the pair (and none finds itself), of two in
// different lists the moving one does. -1 leaves out none.
static bool probe_list(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t slot, int first_replaced,
                       bool is_still, int count, rbl_bsp_scratch *scratch,
                       rbl_pair_changes *changes)
{
	const rbl_proxies *proxies = bsp->proxies;
	const uint32_t *slots = is_still ? leaf->still.data : leaf->moving.data;
	const rbl_bsp_rows *rows = is_still ? &scratch->still : &scratch->moving;
	const rbl_box *box = &proxies->fat_boxes[slot];
	if (count == 0)
		return true;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->hits, count / 8 + 2))
		return false;
	int hit_count =
		RBL_PICK(rbl_bsp_probe)(rows->values.data, rows->stride, count, box, scratch->hits.data);
	int begins = inside(leaf->cell.lower, *box);
	for (int k = 0; k < hit_count; ++k) {
		uint32_t hit = scratch->hits.data[k];
		for (unsigned bits = hit >> RBL_HIT_SHIFT; bits; bits &= bits - 1) {
			int place = rbl_hit_place(hit) + rbl_lowest_one(bits);
			if ((begins | rows->inside.data[place]) != 7)
				continue;
			uint32_t other = slots[place];
			if (first_replaced >= 0 && place >= first_replaced &&
			    (proxies->flags[other] & RBL_PROXY_REPLACED))
				continue;
			if (!add_pair(bsp, leaf, slot, other, scratch, changes))
				return false;
		}
	}
	return true;
}

// Few boxes have new fat boxes: probe those against the rest.
static bool find_few(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                     rbl_pair_changes *changes)
{
	leaf->is_ordered = false;
	scratch->replaced.count = 0;
	if (!read_list(bsp, leaf, &leaf->moving, &scratch->moving, &scratch->replaced))
		return false;
	int moving_replaced = scratch->replaced.count;
	if (!read_list(bsp, leaf, &leaf->still, &scratch->still, &scratch->replaced))
		return false;
	for (int k = 0; k < moving_replaced; ++k) {
		int i = scratch->replaced.data[k];
		uint32_t slot = leaf->moving.data[i];
		if (!probe_list(bsp, leaf, slot, i, false, leaf->moving.count, scratch, changes) ||
		    !probe_list(bsp, leaf, slot, -1, true, leaf->still.count, scratch, changes))
			return false;
	}
	for (int k = moving_replaced; k < scratch->replaced.count; ++k) {
		uint32_t slot = leaf->still.data[scratch->replaced.data[k]];
		if (!probe_list(bsp, leaf, slot, 0, false, leaf->moving.count, scratch, changes))
			return false;
	}
	return true;
}

// How many boxes of the ordered moving list begin before the end of a box.
static int count_before(const rbl_bsp_leaf *leaf, const rbl_bsp_rows *rows, rbl_box box)
{
	const float *begins = rows->values.data + leaf->axis * rows->stride;
	float end = rbl_axis(box.upper, leaf->axis);
	int low = 0, high = leaf->moving.count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (begins[middle] <= end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Pairs within the ordered moving list.
static bool sweep_moving(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                         rbl_pair_changes *changes)
{
	const rbl_bsp_list *list = &leaf->moving;
	const rbl_bsp_rows *rows = &scratch->moving;
	const uint8_t *begins = rows->inside.data;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->hits, 2 * list->count + 4))
		return false;
	for (int i = 0, written; i < list->count;) {
		i = RBL_PICK(rbl_bsp_sweep)(rows->values.data, rows->stride, list->count, leaf->axis, i,
		                            scratch->hits.data, scratch->hits.capacity, &written);
		for (int k = 0; k < written; k += 2) {
			uint32_t a = scratch->hits.data[k], hit = scratch->hits.data[k + 1];
			for (unsigned bits = hit >> RBL_HIT_SHIFT; bits; bits &= bits - 1) {
				int b = rbl_hit_place(hit) + rbl_lowest_one(bits);
				if ((begins[a] | begins[b]) == 7 &&
				    !add_pair(bsp, leaf, list->data[a], list->data[b], scratch, changes))
					return false;
			}
		}
	}
	return true;
}

// Many boxes have new fat boxes, or the cell changed: find everything anew.
static bool find_all(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                     rbl_pair_changes *changes)
{
	const rbl_bsp_list *list = &leaf->moving;
	scratch->replaced.count = 0;
	if (!read_list(bsp, leaf, &leaf->still, &scratch->still, &scratch->replaced) ||
	    !reorder_moving(bsp, leaf, scratch) || !sweep_moving(bsp, leaf, scratch, changes))
		return false;
	// Let the shorter list probe the longer.
	bool moving_probes = list->count < leaf->still.count;
	const rbl_bsp_list *few = moving_probes ? list : &leaf->still;
	for (int i = 0; i < few->count; ++i) {
		uint32_t slot = few->data[i];
		int count = moving_probes
		                ? leaf->still.count
		                : count_before(leaf, &scratch->moving, bsp->proxies->fat_boxes[slot]);
		if (!probe_list(bsp, leaf, slot, -1, moving_probes, count, scratch, changes))
			return false;
	}
	return true;
}

static void trim(const rbl_allocator *allocator, rbl_bsp_leaf *leaf)
{
	(void)rbl_list_trim(allocator, &leaf->moving);
	(void)rbl_list_trim(allocator, &leaf->still);
	(void)rbl_list_trim(allocator, &leaf->found.pairs);
	(void)rbl_list_trim(allocator, &leaf->found.near_pairs);
}

bool rbl_bsp_find_pairs(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                        rbl_pair_changes *changes)
{
	bool is_anew = leaf->is_stale || leaf->is_refilled ||
	               3 * leaf->replaced > leaf->moving.count + leaf->still.count;
	rbl_pair_lists_clear(&scratch->found);
	bool ok = rbl_pair_lists_retest(bsp->proxies, &leaf->found, is_anew, &scratch->found, changes);
	if (is_anew)
		ok = ok && find_all(bsp, leaf, scratch, changes);
	else if (leaf->replaced > 0 || leaf->has_leavers)
		ok = ok && find_few(bsp, leaf, scratch, changes);
	ok = ok && rbl_pair_lists_append(&bsp->allocator, &leaf->found, &scratch->found);
	if (leaf->is_stale)
		trim(&bsp->allocator, leaf);
	leaf->is_stale = !ok;
	leaf->is_refilled = leaf->has_leavers = false;
	leaf->replaced = 0;
	return ok;
}
