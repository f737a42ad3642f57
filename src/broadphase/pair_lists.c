// SPDX-License-Identifier: MIT
//
// Pairs and near pairs, and testing them again.

#include "broadphase/pair_lists.h"

void rbl_pair_lists_free(const rbl_allocator *allocator, rbl_pair_lists *lists)
{
	rbl_array_free(allocator, &lists->pairs);
	rbl_array_free(allocator, &lists->near_pairs);
}

void rbl_pair_changes_free(const rbl_allocator *allocator, rbl_pair_changes *changes)
{
	rbl_array_free(allocator, &changes->begun);
	rbl_array_free(allocator, &changes->ended);
}

size_t rbl_pair_lists_bytes(const rbl_pair_lists *lists)
{
	return (size_t)(lists->pairs.capacity + lists->near_pairs.capacity) * sizeof(rbl_pair);
}

size_t rbl_pair_changes_bytes(const rbl_pair_changes *changes)
{
	return (size_t)(changes->begun.capacity + changes->ended.capacity) * sizeof(rbl_pair);
}

// Whether boxes overlap, without branches: which axis parts the boxes of a near pair is chance.
static inline bool overlap(const rbl_box *a, const rbl_box *b)
{
	return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
	       (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}

static bool retest(rbl_proxies *proxies, rbl_pair_array *list, bool was_pair, bool drop_all,
                   rbl_pair_lists *found, rbl_pair_changes *changes)
{
	const rbl_allocator *a = &proxies->allocator;
	const uint8_t *flags = proxies->flags;
	int kept = 0;
	for (int i = 0; i < list->count; ++i) {
		rbl_pair pair = list->data[i];
		int both = flags[pair.a] | flags[pair.b];
		list->data[kept] = pair;
		if (!(both & RBL_PROXY_CHANGED)) {
			kept++;
			continue;
		}
		bool is_dropped = drop_all || (both & (RBL_PROXY_REMOVED | RBL_PROXY_REPLACED));
		if (is_dropped && !was_pair)
			continue;
		bool is_pair = !(both & RBL_PROXY_REMOVED) &&
		               overlap(&proxies->items[pair.a].box, &proxies->items[pair.b].box);
		if (is_pair == was_pair) {
			kept += !is_dropped;
			continue;
		}
		if (!rbl_array_push(a, is_pair ? &changes->begun : &changes->ended, pair))
			return false;
		if (!is_dropped && !rbl_array_push(a, is_pair ? &found->pairs : &found->near_pairs, pair))
			return false;
	}
	list->count = drop_all ? 0 : kept;
	return true;
}

bool rbl_pair_lists_retest(rbl_proxies *proxies, rbl_pair_lists *lists, bool drop_all,
                           rbl_pair_lists *found, rbl_pair_changes *changes)
{
	return retest(proxies, &lists->pairs, true, drop_all, found, changes) &&
	       retest(proxies, &lists->near_pairs, false, drop_all, found, changes);
}

bool rbl_pair_lists_add(const rbl_proxies *proxies, uint32_t a, uint32_t b, rbl_pair_lists *found,
                        rbl_pair_changes *changes)
{
	const rbl_proxy *x = &proxies->items[a], *y = &proxies->items[b];
	rbl_pair pair = a < b ? (rbl_pair){ a, b } : (rbl_pair){ b, a };
	if (!overlap(&x->box, &y->box))
		return rbl_array_push(&proxies->allocator, &found->near_pairs, pair);
	if (!rbl_array_push(&proxies->allocator, &found->pairs, pair))
		return false;
	// Did it begin? Two that did not change overlapped before.
	bool x_changed = proxies->flags[a] & RBL_PROXY_CHANGED;
	bool y_changed = proxies->flags[b] & RBL_PROXY_CHANGED;
	if (!x_changed && !y_changed)
		return true;
	if (!(x_changed && x->changed_index < 0) && !(y_changed && y->changed_index < 0)) {
		const rbl_box *boxes = proxies->old_boxes.data;
		if (overlap(x_changed ? &boxes[x->changed_index] : &x->box,
		            y_changed ? &boxes[y->changed_index] : &y->box))
			return true;
	}
	return rbl_array_push(&proxies->allocator, &changes->begun, pair);
}

bool rbl_pairs_append(const rbl_allocator *allocator, rbl_pair_array *list,
                      const rbl_pair_array *added)
{
	if (added->count == 0)
		return true;
	if (!rbl_list_reserve(allocator, list, list->count + added->count))
		return false;
	memcpy(list->data + list->count, added->data, (size_t)added->count * sizeof(rbl_pair));
	list->count += added->count;
	return true;
}

bool rbl_pair_lists_append(const rbl_allocator *allocator, rbl_pair_lists *lists,
                           const rbl_pair_lists *found)
{
	return rbl_pairs_append(allocator, &lists->pairs, &found->pairs) &&
	       rbl_pairs_append(allocator, &lists->near_pairs, &found->near_pairs);
}
