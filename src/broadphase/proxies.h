// SPDX-License-Identifier: MIT
// What both kinds of broad phase share: boxes, what changed since the last update, filters,
// queries.
//
// Both rest on one trick: whether a pair begins or ends is decided by four boxes, the two now and
// the two at the last update. So begun and ended pairs need no set of old pairs and no hash.
#pragma once

#include "base/hash.h"
#include "base/id_pool.h"
#include "base/vec.h"
#include "broadphase/broadphase.h"

/// Flags of a slot. Those of one update are cleared by rbl_proxies_commit().
enum {
	RBL_PROXY_STATIC = 1,
	RBL_PROXY_CHANGED = 2,   // added, moved or removed since the last update
	RBL_PROXY_REMOVED = 4,   // the slot is kept until the end of its pairs is reported
	RBL_PROXY_REFITTED = 8,  // its fat box is new in this update
	RBL_PROXY_ENLARGED = 16, // its fat box was made for motion
	RBL_PROXY_RESTS = 32,    // it has come to rest, and gets a narrow fat box
};

/// Updates after which memory that none of them needed is released.
#define RBL_PROXY_IDLE_UPDATES 64

/// Reserve as rbl_array_reserve() does, but an eighth more instead of twice as much: for the
/// thousands of lists that are nearly as long as they will ever be.
#define rbl_proxy_list_reserve(allocator, list, wanted)                                           \
	((wanted) <= (list)->capacity ||                                                              \
	 rbl_proxy_list_resize((allocator), (void **)&(list)->data, (list)->count, &(list)->capacity, \
	                       (wanted), sizeof *(list)->data))

/// Release capacity beyond half as much again as is used, unless memory runs out.
#define rbl_proxy_list_trim(allocator, list)                                                      \
	((list)->capacity <= (list)->count + (list)->count / 2 + 32 ||                                \
	 rbl_proxy_list_resize((allocator), (void **)&(list)->data, (list)->count, &(list)->capacity, \
	                       (list)->count, sizeof *(list)->data))

/// Both: move `count` items to storage for `wanted` and an eighth.
bool rbl_proxy_list_resize(const rbl_allocator *allocator, void **data, int count, int *capacity,
                           int wanted, size_t size);

/// Bytes of an array.
#define rbl_proxy_list_bytes(list) ((size_t)(list)->capacity * sizeof *(list)->data)

typedef RBL_ARRAY(int) rbl_slot_array;
typedef RBL_ARRAY(rbl_pair) rbl_pair_array;

/// A box and what is read together with it.
typedef struct rbl_proxy {
	rbl_box box;
	int changed_index; // in `old_boxes`, while RBL_PROXY_CHANGED; -1: new
	uint16_t filter;   // index
	uint16_t moved_at; // commits, modulo 2^16
} rbl_proxy;

_Static_assert(sizeof(rbl_proxy) == 32, "two proxies in a cache line");

typedef struct rbl_proxies {
	rbl_allocator allocator;
	rbl_jobs *jobs;
	rbl_id_pool ids;
	int capacity;   // of the four arrays below
	uint8_t *flags; // apart, since they skip most pairs
	rbl_proxy *items;
	rbl_box *fat_boxes; // what the structure holds; contain the boxes after an update
	uint64_t *users;

	rbl_slot_array changed;        // slots, in the order of the calls
	RBL_ARRAY(rbl_box) old_boxes;  // of those that are not new: boxes at the last update
	rbl_slot_array removed;        // slots to be freed by the next update
	RBL_ARRAY(rbl_filter) filters; // 0 is the default
	rbl_map filter_map;            // hash of a filter to its index
	int live_count, static_count;
	int removed_since; // the last update; `removed` has room for them
	int max_changed;   // in one update, lately
	int commit_count;
	int rest_next;   // slot to look at for rest
	bool must_reset; // the last update failed: the structure is filled anew
} rbl_proxies;

/// Boxes of a block of work. The borders of blocks depend on the number of boxes alone.
static inline int rbl_proxies_block_size(int count, int max_blocks, int min_size)
{
	return rbl_maxi(min_size, (count + max_blocks - 1) / max_blocks);
}

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

/// Free the slots that the last update reported as removed.
void rbl_proxies_begin_update(rbl_proxies *proxies);

/// The boxes now are what the next update compares with.
void rbl_proxies_commit(rbl_proxies *proxies);

/// Look at some boxes, in turn: those that moved and have been at rest for long are marked as
/// changed and RBL_PROXY_RESTS. Wide fat boxes would pair them with neighbours they never touch.
void rbl_proxies_shrink_resting(rbl_proxies *proxies);

bool rbl_proxies_has(const rbl_proxies *proxies, rbl_proxy_id id);
size_t rbl_proxies_bytes(const rbl_proxies *proxies);

/// A fat box for a slot that left its old one: the margin, and two more steps of its motion, up to
/// half its size. A new box, and one at rest, gets a fraction of the margin.
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

/// The box of a slot at the last update; empty for a new one.
static inline rbl_box rbl_proxies_old_box(const rbl_proxies *proxies, int slot)
{
	const rbl_proxy *item = &proxies->items[slot];
	if (!(proxies->flags[slot] & RBL_PROXY_CHANGED))
		return item->box;
	return item->changed_index >= 0 ? proxies->old_boxes.data[item->changed_index]
	                                : rbl_box_empty();
}

// --- queries -------------------------------------------------------------------------------------

/// An overlap query or a box cast, on its way through a structure.
typedef struct rbl_broadphase_query {
	const rbl_proxies *proxies;
	const rbl_filter *filter;      // NULL: all
	rbl_overlap_function *overlap; // NULL for a cast
	rbl_cast_function *cast;       // NULL for an overlap
	void *context;
	rbl_box box;                      // of a cast: at its start
	rbl_vec3 translation;             // of a cast
	float segment_begin, segment_end; // of a cast: only hits between these fractions count
	float limit;                      // of a cast: only hits up to here count
	bool is_done;                     // the caller has stopped it
	bool is_static;                   // only static boxes are looked at
} rbl_broadphase_query;

/// The box swept between two fractions of a cast, slightly enlarged, since fractions are rounded.
/// Of an overlap, its box.
rbl_box rbl_broadphase_query_swept(const rbl_broadphase_query *query, float from, float to);

/// Test the boxes that changed since the last update: no structure has them where they are.
void rbl_broadphase_query_changed(rbl_broadphase_query *query);

/// Test a box that the structure found, unless it changed or the filter excludes it.
void rbl_broadphase_query_test(rbl_broadphase_query *query, uint32_t slot);
