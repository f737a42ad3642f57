// SPDX-License-Identifier: MIT
// Broad phase: which boxes overlap, exactly, step after step, within a budget.
//
// It works alone: another engine puts its boxes in and takes pairs out.
#pragma once

#include <rubble/base.h>
#include <rubble/filter.h>
#include <rubble/jobs.h>
#include <rubble/types.h>

/// The most proxies a broad phase may hold.
#define RBL_MAX_PROXIES 0x00ffffff

/// The most different filters the proxies of one broad phase may have.
#define RBL_MAX_FILTERS 0xffff

/// A set of boxes and the pairs among them.
typedef struct rbl_broadphase rbl_broadphase;

/// The id of a box in a broad phase. All zero is the null id; one whose box was removed is stale
/// and refused.
typedef struct rbl_proxy_id {
	/// Slot of the box plus one; see rbl_proxy_slot().
	uint32_t slot_plus_one;

	/// Counts how often the slot was used.
	uint32_t generation;
} rbl_proxy_id;

/// @return the slot of a proxy: its index in pairs and queries, reused after its removal.
static inline uint32_t rbl_proxy_slot(rbl_proxy_id proxy)
{
	return proxy.slot_plus_one - 1;
}

/// How the boxes are organised. Pairs are the same in every kind.
typedef enum rbl_broadphase_kind {
	/// The semi-adjusting BSP: sweep and prune in SIMD over leaves of some hundred boxes, cut by
	/// planes that follow the boxes under a budget.
	RBL_BROADPHASE_BSP = 0,

	/// Dynamic bounding-volume trees of fat boxes, queried once per box that moved.
	RBL_BROADPHASE_TREE,

	RBL_BROADPHASE_KIND_COUNT
} rbl_broadphase_kind;

/// A box to be added.
typedef struct rbl_proxy_def {
	/// Closed box: touching counts as overlapping. Finite, lower <= upper.
	rbl_box box;

	/// See rbl_default_proxy_def(): category 1, mask all, group 0.
	rbl_filter filter;

	/// Two static boxes never form a pair.
	bool is_static;

	/// Whatever the caller wants back.
	uint64_t user;
} rbl_proxy_def;

/// How the BSP adjusts itself. The names are those of Luque, Comba and Freitas (2005); where a
/// default is not the paper's, the manual says what was measured.
typedef struct rbl_bsp_settings {
	/// Directions that planes may have, 3 (the axes) to RBL_MAX_BSP_DIRECTIONS. Default 3. The
	/// further ones are spread over the hemisphere by mutual repulsion.
	int direction_count;

	/// Boxes in a leaf above which it is split, 16 to 4096; 0 lets it follow the population.
	/// Default 0.
	int split_threshold;

	/// Boxes in two sibling leaves below which they are merged; 0: a third of the split
	/// threshold. Default 0.
	int merge_threshold;

	/// A node is unbalanced when the smaller side has less than this fraction of the larger.
	/// Default 0.5, in (0, 1].
	float min_balance;

	/// The fraction of boxes that a new plane may cut. Default 0.5; the paper's 0.025 cannot be met
	/// in a pile.
	float max_redundancy;

	/// Updates between two evaluations of the whole tree. Default 10.
	int evaluation_interval;

	/// Events that may wait, 1 to 1024. Default 64.
	int event_capacity;

	/// Of s waiting events, s / event_divisor (at least one) are done per update. Default 16.
	int event_divisor;

	/// Levels below which no leaf is split. Default 24, at most RBL_MAX_BSP_HEIGHT.
	int height_limit;
} rbl_bsp_settings;

/// The most directions of planes.
#define RBL_MAX_BSP_DIRECTIONS 64

/// The most levels of a BSP.
#define RBL_MAX_BSP_HEIGHT 48

/// How to make a broad phase. Start from rbl_default_broadphase_def().
typedef struct rbl_broadphase_def {
	/// Default RBL_BROADPHASE_BSP.
	rbl_broadphase_kind kind;

	/// Proxies to reserve memory for. Default 0.
	int capacity_hint;

	/// Structure work per update, counted in boxes touched, so that runs repeat bit for bit; -1
	/// for no limit, 0 for no structure at all. rbl_work_from_microseconds() converts. Pairs are
	/// right whatever the budget. Default 4096.
	int work_budget;

	/// How far a box may move before it is inserted again, metres, >= 0. Default 0.05. Pairs do not
	/// depend on it.
	float margin;

	/// Settings of the BSP; other kinds ignore them.
	rbl_bsp_settings bsp;

	/// Workers, or NULL for the calling thread.
	rbl_jobs *jobs;

	/// Memory.
	rbl_allocator allocator;

	/// Filled by rbl_default_broadphase_def(). Leave it alone.
	uint32_t cookie;
} rbl_broadphase_def;

/// Two overlapping boxes, by slot, a < b.
typedef struct rbl_pair {
	uint32_t a, b;
} rbl_pair;

/// A list of pairs.
typedef struct rbl_pair_list {
	const rbl_pair *pairs;
	int count;
} rbl_pair_list;

/// What an update found. All lists live until the next call that changes the broad phase.
typedef struct rbl_broadphase_result {
	/// All pairs, as several lists that are not copied together; each pair is in exactly one.
	const rbl_pair_list *runs;
	int run_count;

	/// Number of pairs in all of them.
	int pair_count;

	/// Pairs that overlap now and did not at the last update.
	rbl_pair_list begun;

	/// Pairs that overlapped at the last update and do not now, or of which a box was removed.
	/// The slot of a removed box keeps its user value until the next update.
	rbl_pair_list ended;

	/// After an update that ran out of memory the next one cannot tell what changed: then all
	/// pairs are in `begun`, none in `ended`, and this is set.
	bool was_reset;
} rbl_broadphase_result;

/// What the structure looks like and what was done to it.
typedef struct rbl_broadphase_stats {
	int proxies, static_proxies;
	int leaves, depth;

	/// Boxes listed in leaves, beyond the first of each proxy, as a fraction of the proxies.
	double redundancy;

	/// Operators applied since creation (BSP).
	int64_t splits, shift_splits, merges, balances, swaps, rebuilds;

	/// Events that wait for budget (BSP), and those deferred since creation.
	int events_waiting;
	int64_t events_deferred;

	/// Boxes touched by structure work in the last update.
	int64_t work;

	/// Time of the last update: inserting what changed, finding pairs, adjusting the structure.
	double update_ms, pairs_ms, adjust_ms;

	/// Memory allocated.
	size_t bytes;
} rbl_broadphase_stats;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_broadphase_def rbl_default_broadphase_def(void);

/// @return a definition of a dynamic box at the origin that pairs with everything. Threads: any.
RBL_API rbl_proxy_def rbl_default_proxy_def(void);

/// Make a broad phase.
/// @param broadphase  receives it, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_broadphase(const rbl_broadphase_def *def,
                                         rbl_broadphase **broadphase);

/// Destroy a broad phase. NULL is fine.
RBL_API void rbl_destroy_broadphase(rbl_broadphase *broadphase);

/// Add boxes. They form pairs from the next update on. All are added, or none.
/// @param proxies  receives `count` ids
/// @return RBL_OK, RBL_BAD_ARGUMENT (a box is not valid), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: one call on a broad phase at a time. Cost: O(count).
RBL_API rbl_result rbl_broadphase_add(rbl_broadphase *broadphase, const rbl_proxy_def *defs,
                                      int count, rbl_proxy_id *proxies);

/// Move boxes. All are moved, or none. A box moved several times before an update is where it
/// was moved last.
/// @return RBL_OK, RBL_BAD_ARGUMENT (a box is not valid), RBL_STALE_ID, RBL_OUT_OF_MEMORY
/// Threads: one call on a broad phase at a time. Cost: O(count).
RBL_API rbl_result rbl_broadphase_move(rbl_broadphase *broadphase, const rbl_proxy_id *proxies,
                                       const rbl_box *boxes, int count);

/// Remove boxes. All are removed, or none.
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT (an id twice), RBL_OUT_OF_MEMORY
/// Threads: one call on a broad phase at a time. Cost: O(count).
RBL_API rbl_result rbl_broadphase_remove(rbl_broadphase *broadphase, const rbl_proxy_id *proxies,
                                         int count);

/// Replace one box by many: what fracture does. The same as removing and adding, except that all of
/// it happens or nothing.
/// @return as rbl_broadphase_add() and rbl_broadphase_remove(); nothing happens on failure
/// Threads: one call on a broad phase at a time. Cost: O(count).
RBL_API rbl_result rbl_broadphase_replace(rbl_broadphase *broadphase, rbl_proxy_id proxy,
                                          const rbl_proxy_def *defs, int count,
                                          rbl_proxy_id *proxies);

/// Replace several boxes by others: many that break at once. All of it happens or nothing.
/// @param replaced  `replaced_count` ids, none twice
/// @param proxies   receives `count` ids
/// @return as rbl_broadphase_add() and rbl_broadphase_remove(); nothing happens on failure
/// Threads: one call on a broad phase at a time. Cost: O(count + replaced_count).
RBL_API rbl_result rbl_broadphase_replace_many(rbl_broadphase *broadphase,
                                               const rbl_proxy_id *replaced, int replaced_count,
                                               const rbl_proxy_def *defs, int count,
                                               rbl_proxy_id *proxies);

/// Find all pairs, and adjust the structure within the budget. With 20,000 boxes in a dense pile of
/// 130,000 pairs that all move a little, one thread takes about 2 ms for all moves and the update.
/// @param result  receives the lists
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (boxes are kept; the next update finds all
///         pairs again and says was_reset)
/// Threads: one call on a broad phase at a time. Cost: follows what moved, not what is there.
RBL_API rbl_result rbl_broadphase_update(rbl_broadphase *broadphase, rbl_broadphase_result *result);

/// @return whether the id names a box. Threads: any that do not run beside a change.
RBL_API bool rbl_broadphase_has(const rbl_broadphase *broadphase, rbl_proxy_id proxy);

/// @return the user value of a slot; also of a removed box until the next update, 0 for no slot.
/// Threads: any that do not run beside a change.
RBL_API uint64_t rbl_broadphase_user(const rbl_broadphase *broadphase, uint32_t slot);

/// @return the box of a slot; an empty one for a slot that is not in use.
/// Threads: any that do not run beside a change.
RBL_API rbl_box rbl_broadphase_box(const rbl_broadphase *broadphase, uint32_t slot);

/// Receives a box that a query found. @return false to stop the query.
typedef bool rbl_overlap_function(void *context, uint32_t slot);

/// Find the boxes that overlap a box, as of the last move. Each is reported once; the order is
/// the same from run to run.
/// @param filter  pairs with it count; NULL for all
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any that do not run beside a change.
RBL_API rbl_result rbl_broadphase_overlap(const rbl_broadphase *broadphase, rbl_box box,
                                          const rbl_filter *filter, rbl_overlap_function *function,
                                          void *context);

/// Receives a box that a cast meets at `fraction` of its translation, 0 when it starts inside.
/// @return the fraction to go on to: 1 for all hits, `fraction` for the closest, 0 to stop.
typedef float rbl_cast_function(void *context, uint32_t slot, float fraction);

/// Sweep a box (a point, for a ray) and find what it meets. Each box is reported once,
/// in no order of distance.
/// @param box          what is swept, at its start; lower = upper for a ray
/// @param translation  how far it moves, and where to
/// @param filter       pairs with it count; NULL for all
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any that do not run beside a change.
RBL_API rbl_result rbl_broadphase_cast(const rbl_broadphase *broadphase, rbl_box box,
                                       rbl_vec3 translation, const rbl_filter *filter,
                                       rbl_cast_function *function, void *context);

/// @return what the structure looks like. Threads: any that do not run beside a change.
/// Cost: O(leaves).
RBL_API rbl_broadphase_stats rbl_broadphase_get_stats(const rbl_broadphase *broadphase);

/// Change rbl_broadphase_def.work_budget from the next update on. Pairs do not depend on it.
/// @return RBL_OK, RBL_BAD_ARGUMENT. Threads: one at a time.
RBL_API rbl_result rbl_broadphase_set_work_budget(rbl_broadphase *broadphase, int work_budget);

/// Convert a time budget to a work budget with a measured constant.
/// @param ns_per_box  what `rubble bench broadphase` measured on the machine; 0 for the
///                    default of 100
/// Threads: any.
RBL_API int rbl_work_from_microseconds(double microseconds, double ns_per_box);
