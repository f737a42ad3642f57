// SPDX-License-Identifier: MIT
//
// A leaf of the BSP finds the pairs it owns, by sweep and prune.
//
// It keeps pairs and near pairs (pair_lists.h). A box with a new fat box is probed against the rest
// of the leaf; when many have one, the whole leaf is swept. Both read the fat boxes into a
// structure of arrays first.
//
// A leaf reads proxies and writes only itself, so leaves are updated in parallel.

#include "broadphase/bsp.h"

#include "base/bits.h"
#include "base/sort.h"
#include "broadphase/broadphase_kernels.h"

enum {
	PADDING = 8,
	PREFETCH_DISTANCE = 16, // boxes
};

void rbl_bsp_scratch_free(const rbl_allocator *allocator, rbl_bsp_scratch *scratch)
{
	rbl_array_free(allocator, &scratch->moving.values);
	rbl_array_free(allocator, &scratch->moving.inside);
	rbl_array_free(allocator, &scratch->statics.values);
	rbl_array_free(allocator, &scratch->statics.inside);
	rbl_array_free(allocator, &scratch->refitted);
	rbl_array_free(allocator, &scratch->hits);
	rbl_array_free(allocator, &scratch->order);
	rbl_pair_lists_free(allocator, &scratch->found);
}

size_t rbl_bsp_scratch_bytes(const rbl_bsp_scratch *scratch)
{
	return rbl_pair_lists_bytes(&scratch->found) + rbl_proxy_list_bytes(&scratch->moving.values) +
	       rbl_proxy_list_bytes(&scratch->moving.inside) +
	       rbl_proxy_list_bytes(&scratch->statics.values) +
	       rbl_proxy_list_bytes(&scratch->statics.inside) + rbl_proxy_list_bytes(&scratch->hits) +
	       rbl_proxy_list_bytes(&scratch->refitted) + rbl_proxy_list_bytes(&scratch->order);
}

// --- reading a leaf ------------------------------------------------------------------------------

static bool reserve_soa(const rbl_allocator *allocator, rbl_bsp_soa *soa, int count)
{
	soa->stride = (count + PADDING + 7) / 8 * 8;
	return rbl_array_reserve(allocator, &soa->values, 6 * soa->stride) &&
	       rbl_array_reserve(allocator, &soa->inside, soa->stride);
}

static inline uint8_t inside(rbl_vec3 cell, rbl_box box)
{
	return (uint8_t)((box.lower.x >= cell.x) | (box.lower.y >= cell.y) << 1 |
	                 (box.lower.z >= cell.z) << 2);
}

static inline void write_box(rbl_bsp_soa *soa, int i, rbl_box box, rbl_vec3 cell)
{
	soa->inside.data[i] = inside(cell, box);
	float *row = soa->values.data + i;
	size_t stride = (size_t)soa->stride;
	row[0] = box.lower.x, row[stride] = box.lower.y, row[2 * stride] = box.lower.z;
	row[3 * stride] = box.upper.x, row[4 * stride] = box.upper.y, row[5 * stride] = box.upper.z;
}

// Boxes that overlap nothing and end every sweep.
static void end_soa(rbl_bsp_soa *soa, int count)
{
	const rbl_box nowhere = { { INFINITY, INFINITY, INFINITY },
		                      { -INFINITY, -INFINITY, -INFINITY } };
	for (int i = count; i < count + PADDING; ++i)
		write_box(soa, i, nowhere, nowhere.lower);
}

// Whether a listed slot is still a member of the leaf.
static inline bool stays(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t slot)
{
	int flags = bsp->proxies->flags[slot];
	if (flags & RBL_PROXY_REMOVED)
		return false;
	if (!leaf->is_stale && !(flags & RBL_PROXY_REFITTED))
		return true;
	int index = (int)(leaf - bsp->leaves.data);
	return rbl_bsp_leaf_overlaps(bsp, index, bsp->proxies->fat_boxes[slot]);
}

// Drop what left, read the rest, and list the indices of new fat boxes. The order stays.
static bool read_list(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_bsp_list *list,
                      rbl_bsp_soa *soa, rbl_slot_array *refitted)
{
	const rbl_proxies *proxies = bsp->proxies;
	if (!reserve_soa(&bsp->allocator, soa, list->count) ||
	    !rbl_array_extend(&bsp->allocator, refitted, list->count))
		return false;
	int kept = 0;
	for (int i = 0; i < list->count; ++i) {
		uint32_t slot = list->data[i];
		rbl_prefetch(
			&proxies->fat_boxes[list->data[rbl_mini(i + PREFETCH_DISTANCE, list->count - 1)]]);
		if (!stays(bsp, leaf, slot))
			continue;
		list->data[kept] = slot;
		write_box(soa, kept, proxies->fat_boxes[slot], leaf->cell.lower);
		if (proxies->flags[slot] & RBL_PROXY_REFITTED)
			refitted->data[refitted->count++] = kept;
		kept++;
	}
	list->count = kept;
	end_soa(soa, kept);
	return true;
}

// The axis along which lower corners spread widest; changes only if clearly better.
static int choose_axis(rbl_vec3 spread, int axis)
{
	int best = rbl_largest_axis(spread);
	return rbl_axis(spread, best) > 1.5f * rbl_axis(spread, axis) ? best : axis;
}

// Insertion sort, for items that are nearly sorted. @return false when it became too much work
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

static inline int bucket_of(rbl_sort_item item, const rbl_box *boxes, int axis, float lower,
                            float scale)
{
	return (int)((rbl_axis(boxes[item.value].lower, axis) - lower) * scale);
}

// Bucket sort: items of a bucket stay in the order they came in.
static void sort_into_buckets(rbl_sort_item *items, rbl_sort_item *scratch, int count,
                              const rbl_box *boxes, int axis, float lower, float scale)
{
	int starts[BUCKETS] = { 0 };
	for (int i = 0; i < count; ++i) {
		scratch[i] = items[i];
		starts[bucket_of(items[i], boxes, axis, lower, scale)]++;
	}
	for (int k = 0, sum = 0; k < BUCKETS; ++k) {
		int next = sum + starts[k];
		starts[k] = sum;
		sum = next;
	}
	for (int i = 0; i < count; ++i)
		items[starts[bucket_of(scratch[i], boxes, axis, lower, scale)]++] = scratch[i];
}

// Drop what left and sort the moving boxes along the leaf's axis. They are nearly sorted from the
// last time, or sorted into buckets first; where that does not help, the radix sort does. All are
// stable.
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
		sort_into_buckets(items, items + count, count, boxes, leaf->axis,
		                  rbl_axis(spread.lower, leaf->axis), scale);
	if (!sort_by_insertion(items, count))
		rbl_sort(items, items + count, count);
}

static bool sort_and_read_moving(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch)
{
	rbl_bsp_list *list = &leaf->moving;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->order, 2 * list->count) ||
	    !reserve_soa(&bsp->allocator, &scratch->moving, list->count))
		return false;
	const rbl_sort_item *items = scratch->order.data;
	sort_moving(bsp, leaf, scratch->order.data);
	for (int i = 0; i < list->count; ++i) {
		list->data[i] = items[i].value;
		write_box(&scratch->moving, i, bsp->proxies->fat_boxes[items[i].value], leaf->cell.lower);
	}
	end_soa(&scratch->moving, list->count);
	leaf->is_sorted = true;
	return true;
}

// Whether a leaf with slanted planes owns a pair; the kernels know only its box.
static bool owns_slanted(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t a, uint32_t b)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	return bsp->settings.direction_count == 3 ||
	       rbl_bsp_leaf_owns_point(bsp, leaf, rbl_max(boxes[a].lower, boxes[b].lower));
}

// Two fat boxes overlap: add the pair to its list.
static bool add_pair(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t a, uint32_t b,
                     rbl_bsp_scratch *scratch, rbl_pair_changes *changes)
{
	if (!rbl_proxies_may_pair(bsp->proxies, (int)a, (int)b) || !owns_slanted(bsp, leaf, a, b))
		return true;
	return rbl_pair_lists_add(bsp->proxies, a, b, &scratch->found, changes);
}

// Pairs of a slot with the first `count` boxes of a list, except refitted ones from
// `first_refitted` on: of two refitted boxes in one list the later finds the pair (and none finds
// itself), of two in different lists the moving one does. -1: no exceptions.
static bool probe_list(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, uint32_t slot, int first_refitted,
                       bool is_static, int count, rbl_bsp_scratch *scratch,
                       rbl_pair_changes *changes)
{
	const rbl_proxies *proxies = bsp->proxies;
	const uint32_t *slots = is_static ? leaf->statics.data : leaf->moving.data;
	const rbl_bsp_soa *soa = is_static ? &scratch->statics : &scratch->moving;
	const rbl_box *box = &proxies->fat_boxes[slot];
	if (count == 0)
		return true;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->hits, count / 8 + 2))
		return false;
	int hit_count =
		RBL_PICK(rbl_bsp_probe)(soa->values.data, soa->stride, count, box, scratch->hits.data);
	int begins = inside(leaf->cell.lower, *box);
	for (int k = 0; k < hit_count; ++k) {
		uint32_t hit = scratch->hits.data[k];
		for (unsigned bits = hit >> RBL_BSP_HIT_SHIFT; bits; bits &= bits - 1) {
			int index = rbl_bsp_hit_index(hit) + rbl_lowest_one(bits);
			if ((begins | soa->inside.data[index]) != 7)
				continue;
			uint32_t other = slots[index];
			if (first_refitted >= 0 && index >= first_refitted &&
			    (proxies->flags[other] & RBL_PROXY_REFITTED))
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
	leaf->is_sorted = false;
	scratch->refitted.count = 0;
	if (!read_list(bsp, leaf, &leaf->moving, &scratch->moving, &scratch->refitted))
		return false;
	int moving_refitted = scratch->refitted.count;
	if (!read_list(bsp, leaf, &leaf->statics, &scratch->statics, &scratch->refitted))
		return false;
	for (int k = 0; k < moving_refitted; ++k) {
		int i = scratch->refitted.data[k];
		uint32_t slot = leaf->moving.data[i];
		if (!probe_list(bsp, leaf, slot, i, false, leaf->moving.count, scratch, changes) ||
		    !probe_list(bsp, leaf, slot, -1, true, leaf->statics.count, scratch, changes))
			return false;
	}
	for (int k = moving_refitted; k < scratch->refitted.count; ++k) {
		uint32_t slot = leaf->statics.data[scratch->refitted.data[k]];
		if (!probe_list(bsp, leaf, slot, 0, false, leaf->moving.count, scratch, changes))
			return false;
	}
	return true;
}

// How many boxes of the sorted moving list begin before the end of a box.
static int count_before(const rbl_bsp_leaf *leaf, const rbl_bsp_soa *soa, rbl_box box)
{
	const float *begins = soa->values.data + leaf->axis * soa->stride;
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

// Pairs within the sorted moving list.
static bool sweep_moving(rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                         rbl_pair_changes *changes)
{
	const rbl_bsp_list *list = &leaf->moving;
	const rbl_bsp_soa *soa = &scratch->moving;
	const uint8_t *begins = soa->inside.data;
	if (!rbl_array_reserve(&bsp->allocator, &scratch->hits, 2 * list->count + 4))
		return false;
	for (int i = 0, written; i < list->count;) {
		i = RBL_PICK(rbl_bsp_sweep)(soa->values.data, soa->stride, list->count, leaf->axis, i,
		                            scratch->hits.data, scratch->hits.capacity, &written);
		for (int k = 0; k < written; k += 2) {
			uint32_t a = scratch->hits.data[k], hit = scratch->hits.data[k + 1];
			for (unsigned bits = hit >> RBL_BSP_HIT_SHIFT; bits; bits &= bits - 1) {
				int b = rbl_bsp_hit_index(hit) + rbl_lowest_one(bits);
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
	scratch->refitted.count = 0;
	if (!read_list(bsp, leaf, &leaf->statics, &scratch->statics, &scratch->refitted) ||
	    !sort_and_read_moving(bsp, leaf, scratch) || !sweep_moving(bsp, leaf, scratch, changes))
		return false;
	// Let the shorter list probe the longer.
	bool moving_probes = list->count < leaf->statics.count;
	const rbl_bsp_list *few = moving_probes ? list : &leaf->statics;
	for (int i = 0; i < few->count; ++i) {
		uint32_t slot = few->data[i];
		int count = moving_probes
		                ? leaf->statics.count
		                : count_before(leaf, &scratch->moving, bsp->proxies->fat_boxes[slot]);
		if (!probe_list(bsp, leaf, slot, -1, moving_probes, count, scratch, changes))
			return false;
	}
	return true;
}

static void trim_lists(const rbl_allocator *allocator, rbl_bsp_leaf *leaf)
{
	(void)rbl_proxy_list_trim(allocator, &leaf->moving);
	(void)rbl_proxy_list_trim(allocator, &leaf->statics);
	(void)rbl_proxy_list_trim(allocator, &leaf->found.pairs);
	(void)rbl_proxy_list_trim(allocator, &leaf->found.near_pairs);
}

bool rbl_bsp_find_pairs(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                        rbl_pair_changes *changes)
{
	bool is_anew = leaf->is_stale || leaf->is_refilled ||
	               3 * leaf->replaced > leaf->moving.count + leaf->statics.count;
	rbl_pair_lists_clear(&scratch->found);
	bool ok = rbl_pair_lists_retest(bsp->proxies, &leaf->found, is_anew, &scratch->found, changes);
	if (is_anew)
		ok = ok && find_all(bsp, leaf, scratch, changes);
	else if (leaf->replaced > 0 || leaf->has_removed)
		ok = ok && find_few(bsp, leaf, scratch, changes);
	ok = ok && rbl_pair_lists_append(&bsp->allocator, &leaf->found, &scratch->found);
	if (leaf->is_stale)
		trim_lists(&bsp->allocator, leaf);
	leaf->is_stale = !ok;
	leaf->is_refilled = leaf->has_removed = false;
	leaf->replaced = 0;
	return ok;
}
