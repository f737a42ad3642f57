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
		bool is_pair = !rbl_proxies_pair_ended(proxies, pair);
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
	const rbl_proxy *items = proxies->items;
	rbl_pair pair = a < b ? (rbl_pair){ a, b } : (rbl_pair){ b, a };
	if (!rbl_box_overlaps(items[a].box, items[b].box))
		return rbl_array_push(&proxies->allocator, &found->near_pairs, pair);
	return rbl_array_push(&proxies->allocator, &found->pairs, pair) &&
	       (!rbl_proxies_pair_begun(proxies, pair) ||
	        rbl_array_push(&proxies->allocator, &changes->begun, pair));
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
