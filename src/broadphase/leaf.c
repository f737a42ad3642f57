// SPDX-License-Identifier: MIT
//
// A leaf of the BSP finds the pairs it owns.
//
// It keeps pairs and near pairs (pair_lists.h). Only a box with a new fat box is probed against the
// rest of the leaf, and only when many have one is the whole leaf swept. Rows of coordinates hold fat
// boxes, so the order along the leaf's axis stays while boxes stay in theirs.
//
// A leaf reads proxies and writes only itself, so leaves are looked at in parallel.

#include "broadphase/bsp.h"

#include "base/sort.h"
#include "broadphase/leaf_kernels.h"

enum { LIST_PADDING = 8 };

// Coordinates of a box that overlaps nothing and ends every sweep.
#define NOWHERE INFINITY

bool rbl_bsp_list_reserve(const rbl_allocator *allocator, rbl_bsp_list *list, int count)
{
	if (count + LIST_PADDING <= list->capacity)
		return true;
	int grown = rbl_maxi(list->capacity + list->capacity / 2, count + count / 8);
	int capacity = (rbl_maxi(grown, 24) + LIST_PADDING + 7) / 8 * 8;
	uint32_t *slots = RBL_NEW(allocator, uint32_t, capacity);
	float *coordinates = RBL_NEW(allocator, float, 6 * (size_t)capacity);
	if (!slots || !coordinates) {
		RBL_FREE(allocator, slots, capacity);
		RBL_FREE(allocator, coordinates, 6 * (size_t)capacity);
		return false;
	}
	for (int i = 0; i < list->count; ++i)
		slots[i] = list->slots[i];
	for (int k = 0; k < 6 && list->count > 0; ++k)
		memcpy(coordinates + (size_t)k * (size_t)capacity,
		       list->coordinates + (size_t)k * (size_t)list->capacity,
		       (size_t)list->count * sizeof(float));
	rbl_bsp_list_free(allocator,
	                  &(rbl_bsp_list){ list->slots, list->coordinates, 0, list->capacity });
	list->slots = slots;
	list->coordinates = coordinates;
	list->capacity = capacity;
	return true;
}

void rbl_bsp_list_free(const rbl_allocator *allocator, rbl_bsp_list *list)
{
	RBL_FREE(allocator, list->slots, list->capacity);
	RBL_FREE(allocator, list->coordinates, 6 * (size_t)list->capacity);
	*list = (rbl_bsp_list){ 0 };
}

static void pad_list(rbl_bsp_list *list)
{
	const rbl_box nowhere = { { NOWHERE, NOWHERE, NOWHERE }, { -NOWHERE, -NOWHERE, -NOWHERE } };
	for (int i = list->count; i < list->count + LIST_PADDING && i < list->capacity; ++i)
		rbl_bsp_list_write(list, i, nowhere);
}

// Whether a listed slot is still a member of the leaf.
static bool stays(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t slot)
{
	int flags = bsp->proxies->flags[slot];
	if (flags & RBL_PROXY_REMOVED)
		return false;
	if (!leaf->is_stale && !(flags & RBL_PROXY_REPLACED))
		return true;
	int index = (int)(leaf - bsp->leaves.data);
	return rbl_bsp_leaf_touches(bsp, index, bsp->proxies->fat_boxes[slot]);
}

// Drop what left; read new fat boxes. The order of the rest stays.
static void refresh_list(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_bsp_list *list)
{
	const rbl_proxies *proxies = bsp->proxies;
	const int stride = list->capacity;
	int kept = 0;
	for (int i = 0; i < list->count; ++i) {
		uint32_t slot = list->slots[i];
		if (!stays(bsp, leaf, slot))
			continue;
		list->slots[kept] = slot;
		if (proxies->flags[slot] & RBL_PROXY_REPLACED) {
			rbl_bsp_list_write(list, kept, proxies->fat_boxes[slot]);
		} else if (kept != i) {
			for (int k = 0; k < 6; ++k)
				list->coordinates[k * stride + kept] = list->coordinates[k * stride + i];
		}
		kept++;
	}
	list->count = kept;
	if (list->capacity)
		pad_list(list);
}

// The axis along which lower corners spread widest; another than before only if clearly better.
static int choose_axis(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf)
{
	rbl_box spread = rbl_box_empty();
	for (int i = 0; i < leaf->moving.count; ++i)
		spread = rbl_box_add_point(spread, bsp->proxies->fat_boxes[leaf->moving.slots[i]].lower);
	rbl_vec3 size = rbl_box_size(spread);
	int best = rbl_largest_axis(size);
	return rbl_axis(size, best) > 1.5f * rbl_axis(size, leaf->axis) ? best : leaf->axis;
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

// Drop what left, bring the moving boxes into order along the leaf's axis and read them anew. They
// are nearly in order from the last time; where they are not, the radix sort helps. Both sorts are
// stable.
static bool reorder_moving(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	rbl_bsp_list *list = &leaf->moving;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->order, 2 * list->count))
		return false;
	if (leaf->is_stale || leaf->is_refilled)
		leaf->axis = choose_axis(bsp, leaf);
	rbl_sort_item *items = scratch->order.data;
	int count = 0;
	for (int i = 0; i < list->count; ++i) {
		uint32_t slot = list->slots[i];
		if (leaf->is_refilled || stays(bsp, leaf, slot))
			items[count++] =
				(rbl_sort_item){ rbl_sort_key_float(rbl_axis(boxes[slot].lower, leaf->axis)),
				                 slot };
	}
	if (leaf->is_refilled || !sort_by_insertion(items, count))
		rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i) {
		list->slots[i] = items[i].value;
		rbl_bsp_list_write(list, i, boxes[items[i].value]);
	}
	list->count = count;
	if (list->capacity)
		pad_list(list);
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

// Pairs of a slot with the boxes of a list, replaced ones from `first_replaced` on left out: of two
// replaced boxes in one list the later finds the pair (and none finds itself), of two in different
// lists the moving one does. -1 leaves out none. Only the first `count` boxes are looked at.
static bool probe_list(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t slot, int first_replaced,
                       const rbl_bsp_list *list, int count, rbl_bsp_scratch *scratch,
                       rbl_pair_changes *changes)
{
	const rbl_proxies *proxies = bsp->proxies;
	if (count == 0)
		return true;
	// The last eight may reach beyond `count`.
	if (!rbl_array_reserve(&bsp->allocator, &scratch->candidates, count + LIST_PADDING))
		return false;
	uint32_t *hits = scratch->candidates.data;
	int hit_count = RBL_PICK(rbl_bsp_probe)(list->coordinates, list->capacity, count,
	                                        &proxies->fat_boxes[slot], &leaf->cell.lower.x, hits);
	for (int k = 0; k < hit_count; ++k) {
		uint32_t other = list->slots[hits[k]];
		if (first_replaced >= 0 && (int)hits[k] >= first_replaced &&
		    (proxies->flags[other] & RBL_PROXY_REPLACED))
			continue;
		if (!add_pair(bsp, leaf, slot, other, scratch, changes))
			return false;
	}
	return true;
}

// Few boxes have new fat boxes: probe those against the rest.
static bool find_few(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                     rbl_pair_changes *changes)
{
	const uint8_t *flags = bsp->proxies->flags;
	refresh_list(bsp, leaf, &leaf->moving);
	refresh_list(bsp, leaf, &leaf->still);
	leaf->is_ordered = false;
	for (int i = 0; i < leaf->moving.count; ++i) {
		uint32_t slot = leaf->moving.slots[i];
		if ((flags[slot] & RBL_PROXY_REPLACED) &&
		    (!probe_list(bsp, leaf, slot, i, &leaf->moving, leaf->moving.count, scratch, changes) ||
		     !probe_list(bsp, leaf, slot, -1, &leaf->still, leaf->still.count, scratch, changes)))
			return false;
	}
	for (int i = 0; i < leaf->still.count; ++i) {
		uint32_t slot = leaf->still.slots[i];
		if ((flags[slot] & RBL_PROXY_REPLACED) &&
		    !probe_list(bsp, leaf, slot, 0, &leaf->moving, leaf->moving.count, scratch, changes))
			return false;
	}
	return true;
}

// How many boxes of the ordered moving list begin before the end of a box.
static int count_before(const rbl_bsp_leaf *leaf, rbl_box box)
{
	const rbl_bsp_list *list = &leaf->moving;
	const float *begins = list->coordinates + (size_t)leaf->axis * (size_t)list->capacity;
	float end = rbl_axis(box.upper, leaf->axis);
	int low = 0, high = list->count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (begins[middle] <= end)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Many boxes have new fat boxes, or the cell changed: find everything anew.
static bool find_all(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                     rbl_pair_changes *changes)
{
	const rbl_bsp_list *list = &leaf->moving;
	refresh_list(bsp, leaf, &leaf->still);
	if (!reorder_moving(bsp, leaf, scratch) ||
	    !rbl_array_reserve(&bsp->allocator, &scratch->candidates, 4 * list->count))
		return false;
	for (int i = 0, written; i < list->count;) {
		const uint32_t *hits = scratch->candidates.data;
		i = RBL_PICK(rbl_bsp_sweep)(list->coordinates, list->capacity, list->count, leaf->axis, i,
		                            &leaf->cell.lower.x, scratch->candidates.data,
		                            scratch->candidates.capacity, &written);
		for (int k = 0; k < written; k += 2) {
			uint32_t a = list->slots[hits[k]], b = list->slots[hits[k + 1]];
			if (!add_pair(bsp, leaf, a, b, scratch, changes))
				return false;
		}
	}
	// Let the shorter list probe the longer.
	bool moving_probes = list->count < leaf->still.count;
	const rbl_bsp_list *few = moving_probes ? list : &leaf->still;
	for (int i = 0; i < few->count; ++i) {
		uint32_t slot = few->slots[i];
		int count =
			moving_probes ? leaf->still.count : count_before(leaf, bsp->proxies->fat_boxes[slot]);
		if (!probe_list(bsp, leaf, slot, -1, moving_probes ? &leaf->still : list, count, scratch,
		                changes))
			return false;
	}
	return true;
}

bool rbl_bsp_find_pairs(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                        rbl_pair_changes *changes)
{
	bool is_anew = leaf->is_stale || leaf->is_refilled ||
	               6 * leaf->replaced > leaf->moving.count + leaf->still.count;
	rbl_pair_lists_clear(&scratch->found);
	bool ok = rbl_pair_lists_retest(bsp->proxies, &leaf->found, is_anew, &scratch->found, changes);
	if (is_anew)
		ok = ok && find_all(bsp, leaf, scratch, changes);
	else if (leaf->replaced > 0 || leaf->has_leavers)
		ok = ok && find_few(bsp, leaf, scratch, changes);
	ok = ok && rbl_pair_lists_append(&bsp->allocator, &leaf->found, &scratch->found);
	leaf->is_stale = !ok;
	leaf->is_refilled = leaf->has_leavers = false;
	leaf->replaced = 0;
	return ok;
}
