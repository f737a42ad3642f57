// SPDX-License-Identifier: MIT
// The boxes of a broad phase, what changed since the last update, and filters.
//
// Both kinds of broad phase rest on one trick: whether a pair begins or ends is a question about
// four boxes, the two now and the two at the last update. So begun and ended pairs need no set of
// old pairs and no hash; whoever owns a pair asks the boxes.
#pragma once

#include "base/hash.h"
#include "base/id_pool.h"
#include "base/vec.h"
#include "broadphase/broadphase.h"

/// Flags of a slot. Those of one update are cleared by rbl_proxies_commit().
enum {
	RBL_PROXY_STATIC = 1,
	RBL_PROXY_CHANGED = 2,  // added, moved or removed since the last update
	RBL_PROXY_REMOVED = 4,  // no longer there; the slot is kept so that its end can be reported
	RBL_PROXY_REPLACED = 8, // its fat box is new in this update
	RBL_PROXY_LOOSE = 16,   // its fat box was made for motion
	RBL_PROXY_SETTLES = 32, // it has come to rest, and gets the fat box of a box at rest
};

/// Updates after which memory that none of them needed is given back.
#define RBL_PROXY_IDLE_UPDATES 64

/// Make room as rbl_array_reserve() does, with an eighth to spare instead of doubling: for the
/// thousands of lists that are nearly as long as they will ever be.
#define rbl_list_reserve(allocator, list, wanted)                                           \
	((wanted) <= (list)->capacity ||                                                        \
	 rbl_list_resize((allocator), (void **)&(list)->data, (list)->count, &(list)->capacity, \
	                 (wanted), sizeof *(list)->data))

/// Give back room beyond half as much again as is used. Keeps it when memory ran out.
#define rbl_list_trim(allocator, list)                                                      \
	((list)->capacity <= (list)->count + (list)->count / 2 + 32 ||                          \
	 rbl_list_resize((allocator), (void **)&(list)->data, (list)->count, &(list)->capacity, \
	                 (list)->count, sizeof *(list)->data))

/// What is behind the two: move `count` items to storage for `wanted` and an eighth.
bool rbl_list_resize(const rbl_allocator *allocator, void **data, int count, int *capacity,
                     int wanted, size_t size);

typedef RBL_ARRAY(int) rbl_slot_array;
typedef RBL_ARRAY(rbl_pair) rbl_pair_array;

/// A box and what is asked about it together.
typedef struct rbl_proxy {
	rbl_box box;
	int changed_index; // place in `old_boxes`, while RBL_PROXY_CHANGED; -1: new
	uint16_t filter;   // index
	uint16_t moved_at; // commits, modulo 2^16
} rbl_proxy;

_Static_assert(sizeof(rbl_proxy) == 32, "a proxy lies in one cache line");

typedef struct rbl_proxies {
	rbl_allocator allocator;
	rbl_jobs *jobs;
	rbl_id_pool ids;
	int capacity;   // of the four arrays below
	uint8_t *flags; // apart, since most pairs are passed over by them
	rbl_proxy *items;
	rbl_box *fat_boxes; // what the structure knows; contain the boxes after an update
	uint64_t *users;

	rbl_slot_array changed;        // slots, in the order of the calls
	RBL_ARRAY(rbl_box) old_boxes;  // of those that are not new: boxes at the last update
	rbl_slot_array removed;        // slots to be freed by the next update
	RBL_ARRAY(rbl_filter) filters; // 0 is the default
	rbl_map filter_map;            // hash of a filter to its index
	int live_count, static_count;
	int removed_since; // removed since the last update; `removed` has room for them
	int most_changed;  // in one update, lately
	int commit_count;
	int settle_next; // slot
} rbl_proxies;

bool rbl_proxies_init(rbl_proxies *proxies, const rbl_allocator *allocator, rbl_jobs *jobs,
                      int capacity_hint);
void rbl_proxies_destroy(rbl_proxies *proxies);

rbl_result rbl_proxies_add(rbl_proxies *proxies, const rbl_proxy_def *defs, int count,
                           rbl_proxy_id *ids);
rbl_result rbl_proxies_move(rbl_proxies *proxies, const rbl_proxy_id *ids, const rbl_box *boxes,
                            int count);
rbl_result rbl_proxies_remove(rbl_proxies *proxies, const rbl_proxy_id *ids, int count);

/// Everything that can fail of replacing as many boxes by these.
rbl_result rbl_proxies_reserve(rbl_proxies *proxies, int old_count, const rbl_proxy_def *defs,
                               int count);
rbl_result rbl_proxies_replace(rbl_proxies *proxies, const rbl_proxy_id *old_ids, int old_count,
                               const rbl_proxy_def *defs, int count, rbl_proxy_id *ids);

/// Free the slots whose end the last update reported.
void rbl_proxies_begin_update(rbl_proxies *proxies);

/// What is now is what the next update compares with.
void rbl_proxies_commit(rbl_proxies *proxies);

/// Look at some boxes, in turn: those that moved once and have been at rest for long are marked as
/// changed and RBL_PROXY_SETTLES. Wide fat boxes would pair them with neighbours they never meet.
void rbl_proxies_settle(rbl_proxies *proxies);

bool rbl_proxies_has(const rbl_proxies *proxies, rbl_proxy_id id);
size_t rbl_proxies_bytes(const rbl_proxies *proxies);

/// A fat box for a slot that left its old one: the margin, and two more steps of its way, as far
/// as half its size. A new box, and one that settles, gets a share of the margin.
rbl_box rbl_proxies_fatten(const rbl_proxies *proxies, int slot, float margin);

static inline bool rbl_proxies_is_live(const rbl_proxies *proxies, uint32_t slot)
{
	return slot < (uint32_t)proxies->ids.slot_count &&
	       rbl_id_pool_is_live(&proxies->ids, (int)slot) &&
	       !(proxies->flags[slot] & RBL_PROXY_REMOVED);
}

/// Whether two slots may form a pair, whatever their boxes.
static inline bool rbl_proxies_may_pair(const rbl_proxies *proxies, int a, int b)
{
	if (proxies->flags[a] & proxies->flags[b] & RBL_PROXY_STATIC)
		return false;
	int fa = proxies->items[a].filter, fb = proxies->items[b].filter;
	if ((fa | fb) == 0)
		return true;
	return rbl_filter_allows(proxies->filters.data[fa], proxies->filters.data[fb]);
}

/// Whether an old pair is no longer one: asked about pairs of which a box changed.
static inline bool rbl_proxies_pair_ended(const rbl_proxies *proxies, rbl_pair pair)
{
	return ((proxies->flags[pair.a] | proxies->flags[pair.b]) & RBL_PROXY_REMOVED) ||
	       !rbl_box_overlaps(proxies->items[pair.a].box, proxies->items[pair.b].box);
}

/// The box of a slot at the last update; empty for a new one.
static inline rbl_box rbl_proxies_old_box(const rbl_proxies *proxies, int slot)
{
	const rbl_proxy *item = &proxies->items[slot];
	if (!(proxies->flags[slot] & RBL_PROXY_CHANGED))
		return item->box;
	return item->changed_index >= 0 ? proxies->old_boxes.data[item->changed_index]
	                                : rbl_box_empty();
}
