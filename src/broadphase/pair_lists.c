// SPDX-License-Identifier: MIT
//
// Pairs and near pairs, and testing them again. See pair_lists.h.

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

// Whether boxes overlap, without branches: which axis separates a near pair is unpredictable.
static inline bool overlap(const rbl_box *a, const rbl_box *b)
{
	return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
	       (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}

// What a test reads, and where its results go. Passed by value, so that loops over pairs keep it in
// registers.
typedef struct retest_job {
	const rbl_proxies *proxies;
	bool was_pair, drop_all;
	rbl_pair_lists *found;
	rbl_pair_changes *changes;
} retest_job;

typedef enum retest_result { DROP, KEEP, NO_MEMORY } retest_result;

// Whether a pair of which a box changed stays in its list.
static inline retest_result retest_pair(retest_job job, rbl_pair pair, int both)
{
	bool is_dropped = job.drop_all || (both & (RBL_PROXY_REMOVED | RBL_PROXY_REFITTED));
	if (is_dropped && !job.was_pair)
		return DROP;
	const rbl_proxy *items = job.proxies->items;
	bool is_pair = !(both & RBL_PROXY_REMOVED) && overlap(&items[pair.a].box, &items[pair.b].box);
	if (is_pair == job.was_pair)
		return is_dropped ? DROP : KEEP;
	const rbl_allocator *a = &job.proxies->allocator;
	if (!rbl_array_push(a, is_pair ? &job.changes->begun : &job.changes->ended, pair))
		return NO_MEMORY;
	rbl_pair_array *other = is_pair ? &job.found->pairs : &job.found->near_pairs;
	return is_dropped || rbl_array_push(a, other, pair) ? DROP : NO_MEMORY;
}

// @return the number of pairs that stay, -1 when memory ran out
static int retest_most(retest_job job, rbl_pair *pairs, int count)
{
	const uint8_t *flags = job.proxies->flags;
	int kept = 0;
	for (int i = 0; i < count; ++i) {
		rbl_pair pair = pairs[i];
		int both = flags[pair.a] | flags[pair.b];
		pairs[kept] = pair;
		if (!(both & RBL_PROXY_CHANGED)) {
			kept++;
			continue;
		}
		retest_result result = retest_pair(job, pair, both);
		if (result == NO_MEMORY)
			return -1;
		kept += result == KEEP;
	}
	return kept;
}

static void keep_pairs(rbl_pair *pairs, int *kept, int begin, int end)
{
	if (*kept != begin)
		memmove(pairs + *kept, pairs + begin, (size_t)(end - begin) * sizeof *pairs);
	*kept += end - begin;
}

// In a pile at rest one pair in twenty has a box that changed: too few to write the whole list
// again, and too many to predict. So their indices are listed first, without a branch.
static int retest_some(retest_job job, rbl_pair *pairs, int count)
{
	enum { CHUNK = 512 };
	uint16_t indices[CHUNK];
	const uint8_t *flags = job.proxies->flags;
	int kept = 0;
	for (int begin = 0; begin < count; begin += CHUNK) {
		int end = rbl_mini(begin + CHUNK, count), from = begin, changed = 0;
		for (int i = begin; i < end; ++i) {
			indices[changed] = (uint16_t)(i - begin);
			changed += ((flags[pairs[i].a] | flags[pairs[i].b]) & RBL_PROXY_CHANGED) != 0;
		}
		for (int k = 0; k < changed; ++k) {
			int at = begin + indices[k];
			retest_result result =
				retest_pair(job, pairs[at], flags[pairs[at].a] | flags[pairs[at].b]);
			if (result == NO_MEMORY)
				return -1;
			if (result == KEEP)
				continue;
			keep_pairs(pairs, &kept, from, at);
			from = at + 1;
		}
		keep_pairs(pairs, &kept, from, end);
	}
	return kept;
}

static bool retest(retest_job job, rbl_pair_array *list)
{
	bool are_few = job.proxies->changed.count < job.proxies->live_count / 4;
	int kept = are_few ? retest_some(job, list->data, list->count)
	                   : retest_most(job, list->data, list->count);
	if (kept < 0)
		return false;
	list->count = job.drop_all ? 0 : kept;
	return true;
}

bool rbl_pair_lists_retest(rbl_proxies *proxies, rbl_pair_lists *lists, bool drop_all,
                           rbl_pair_lists *found, rbl_pair_changes *changes)
{
	retest_job job = { proxies, true, drop_all, found, changes };
	if (!retest(job, &lists->pairs))
		return false;
	job.was_pair = false;
	return retest(job, &lists->near_pairs);
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
	if (!rbl_proxy_list_reserve(allocator, list, list->count + added->count))
		return false;
	memcpy(list->data + list->count, added->data, (size_t)added->count * sizeof(rbl_pair));
	list->count += added->count;
	return true;
}

// Large lists of what begins at once change places instead of being copied.
static bool move_pairs(const rbl_allocator *allocator, rbl_pair_array *list, rbl_pair_array *added)
{
	enum { LARGE = 65536 };
	if (list->count > 0 || added->count < LARGE || list->capacity >= added->count)
		return rbl_pairs_append(allocator, list, added);
	rbl_pair_array old = *list;
	*list = *added;
	*added = old;
	return true;
}

bool rbl_pair_lists_append(const rbl_allocator *allocator, rbl_pair_lists *lists,
                           rbl_pair_lists *found)
{
	return move_pairs(allocator, &lists->pairs, &found->pairs) &&
	       move_pairs(allocator, &lists->near_pairs, &found->near_pairs);
}
