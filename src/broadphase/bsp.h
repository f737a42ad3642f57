// SPDX-License-Identifier: MIT
// The semi-adjusting BSP (Luque, Comba and Freitas 2005), and how it departs from the paper.
//
// Planes cut space into cells; a leaf lists every box whose fat box overlaps its cell. Cells are
// half-open (below the plane is left, on it is right), boxes are closed. So:
//
//   - membership is a function of a fat box and the planes: no table says which leaves a box is in,
//     a descent down the planes does;
//   - the maximum of the two lower corners is in both boxes of an overlapping pair and in exactly
//     one cell: that leaf owns the pair, and no pair is found twice;
//   - a late operator costs time, never a pair: any set of planes gives the same pairs.
//
// An update inserts what changed (bsp_insert.c), lets every touched leaf find its pairs
// (bsp_leaf.c), and then spends its budget on the five operators (bsp_operators.c) in the order of
// Algorithm 1 (bsp_schedule.c).
//
// Departures (docs/broadphase.md has the figures): leaves of up to 384 boxes instead of 16 to 128,
// because a SIMD sweep is fast and small leaves list every box many times; three directions, more
// as a setting; boxes in a leaf are sorted along its longest axis instead of its parent's normal,
// which is its shortest, and shift-splits go across either; when a third of the boxes left their
// fat boxes, all are distributed from the root, which is cheaper than inserting them one by one; a
// population that is new is built, not adjusted; a plane that cuts nearly everything is unbalanced.
#pragma once

#include "base/memory.h"
#include "base/sort.h"
#include "broadphase/broadphase.h"
#include "broadphase/pair_lists.h"

#include <rubble/jobs.h>

/// Slots of the moving or static boxes of a leaf. Their fat boxes are read when the leaf is
/// updated: to keep them here was no faster, and took six times the memory of the slots.
typedef RBL_ARRAY(uint32_t) rbl_bsp_list;

typedef struct rbl_bsp_leaf {
	rbl_box cell; // half-open; without its slanted sides
	rbl_bsp_list moving, statics;
	rbl_pair_lists found;
	int node;          // -1 while free
	int axis;          // that `moving` is sorted along
	int replaced;      // boxes that are new or have a new fat box since the last update of the leaf
	int split_refused; // population at which no good plane was found
	bool is_sorted;    // along `axis`
	bool has_removed;  // a listed box was removed or may no longer overlap the cell
	bool is_touched;   // in the list of leaves to update
	bool is_stale;     // cell or planes changed: check the lists, find all pairs anew
	bool is_refilled;  // `moving` holds the right slots, unsorted
} rbl_bsp_leaf;

typedef struct rbl_bsp_node {
	int direction; // -1: a leaf
	float offset;
	int children[2]; // below, at or above the plane; of a leaf: its index first
	int parent;      // -1: the root
	int population;  // boxes listed below, when last evaluated
	int depth;       // levels below the root
	bool is_used;
} rbl_bsp_node;

typedef enum rbl_bsp_event_kind {
	RBL_BSP_SHIFT_SPLIT,
	RBL_BSP_SPLIT,
	RBL_BSP_SWAP,
	RBL_BSP_MERGE,
	RBL_BSP_EVENT_KINDS
} rbl_bsp_event_kind;

typedef struct rbl_bsp_event {
	rbl_bsp_event_kind kind;
	int node;
} rbl_bsp_event;

/// Fat boxes of a list as structure of arrays: six rows of floats, ended by eight boxes that
/// overlap nothing. A bit of `inside` says that a box begins in the leaf's cell along an axis: the
/// leaf owns an overlapping pair when each axis has a bit. (None begins beyond the cell, both
/// overlap it.)
typedef struct rbl_bsp_soa {
	RBL_ARRAY(float) values; // lower x y z, upper x y z
	RBL_ARRAY(uint8_t) inside;
	int stride;
} rbl_bsp_soa;

/// What one worker needs to find pairs; kept from update to update.
typedef struct rbl_bsp_scratch {
	rbl_bsp_soa moving, statics; // of the leaf that is updated
	rbl_slot_array refitted;     // indices of boxes with new fat boxes
	RBL_ARRAY(uint32_t) hits;    // of a sweep or a probe
	rbl_pair_lists found;
	RBL_ARRAY(rbl_sort_item) order; // twice the boxes of a leaf
} rbl_bsp_scratch;

/// What a changed box means for a leaf.
typedef enum rbl_bsp_task_kind {
	RBL_BSP_TASK_TOUCH,  // it moved in its fat box
	RBL_BSP_TASK_REMOVE, // it is removed, or its new fat box is elsewhere
	RBL_BSP_TASK_KEEP,   // it has a new fat box
	RBL_BSP_TASK_INSERT, // it is new here
} rbl_bsp_task_kind;

typedef struct rbl_bsp_task {
	int leaf;
	uint32_t slot;
	rbl_bsp_task_kind kind;
} rbl_bsp_task;

/// Slots that a block distributes to a leaf.
typedef struct rbl_bsp_share {
	int leaf, begin, count;
	int target; // index in the leaf's list
} rbl_bsp_share;

/// A block of boxes that changed or are distributed.
typedef struct rbl_bsp_block {
	RBL_ARRAY(rbl_bsp_task) tasks;
	rbl_slot_array slots, shared;
	RBL_ARRAY(rbl_bsp_share) shares; // of `shared`
	bool is_out_of_memory;
} rbl_bsp_block;

/// The most blocks of an insertion.
#define RBL_BSP_MAX_BLOCKS 16

typedef struct rbl_bsp {
	rbl_allocator allocator;
	rbl_proxies *proxies;
	rbl_jobs *jobs;
	rbl_bsp_settings settings;
	int budget;
	float margin;
	rbl_vec3 directions[RBL_MAX_BSP_DIRECTIONS]; // the axes first

	RBL_ARRAY(rbl_bsp_node) nodes;
	RBL_ARRAY(rbl_bsp_leaf) leaves;
	rbl_slot_array free_nodes, free_leaves;
	int root;

	rbl_slot_array touched;    // leaves, in the order they were touched
	rbl_slot_array work_slots; // that an operator works on
	rbl_bsp_block blocks[RBL_BSP_MAX_BLOCKS];
	RBL_ARRAY(rbl_pair_changes) changes;
	RBL_ARRAY(rbl_bsp_scratch) scratch; // by worker
	rbl_pair_array begun, ended;
	RBL_ARRAY(rbl_pair_list) runs;
	rbl_bit_set marks; // by slot, for unions of leaves; clear between operators

	RBL_ARRAY(rbl_bsp_event) events;
	unsigned left_out;  // operators, bits of rbl_broadphase_operator
	int build_interval; // updates after which all planes are built anew, 0: never
	int64_t update_index, work;
	int64_t last_redistribution; // update in which all boxes were distributed
	int new_count;               // boxes in this update
	int busy_count;              // updates in a row with so many new boxes that adjusting waited
	int max_begun;               // in one update, lately
	rbl_broadphase_stats stats;
	bool was_built; // in the last update
} rbl_bsp;

bool rbl_bsp_init(rbl_bsp *bsp, rbl_proxies *proxies, const rbl_broadphase_def *def);
void rbl_bsp_destroy(rbl_bsp *bsp);
rbl_result rbl_bsp_update(rbl_bsp *bsp, rbl_broadphase_result *result);
void rbl_bsp_fill_stats(const rbl_bsp *bsp, rbl_broadphase_stats *stats);
void rbl_bsp_query(const rbl_bsp *bsp, rbl_broadphase_query *query);

// --- inside the BSP ------------------------------------------------------------------------------

/// Fill `count` directions: the axes, then points that repel each other on the hemisphere.
void rbl_bsp_directions(rbl_vec3 *directions, int count);

/// The coordinate of a point along a direction, and where a box begins and ends. The same sums in
/// the same order, and rounding is monotone: a point in the box never falls outside the interval.
static inline float rbl_bsp_project(const rbl_bsp *bsp, int direction, rbl_vec3 p)
{
	if (direction < 3)
		return rbl_axis(p, direction);
	rbl_vec3 n = bsp->directions[direction];
	return (n.x * p.x + n.y * p.y) + n.z * p.z;
}

static inline float rbl_bsp_project_corner(const rbl_bsp *bsp, int direction, rbl_vec3 positive,
                                           rbl_vec3 negative)
{
	rbl_vec3 n = bsp->directions[direction];
	return rbl_bsp_project(bsp, direction,
	                       (rbl_vec3){ n.x >= 0.0f ? positive.x : negative.x,
	                                   n.y >= 0.0f ? positive.y : negative.y,
	                                   n.z >= 0.0f ? positive.z : negative.z });
}

static inline float rbl_bsp_box_begin(const rbl_bsp *bsp, int direction, rbl_box box)
{
	return direction < 3 ? rbl_axis(box.lower, direction)
	                     : rbl_bsp_project_corner(bsp, direction, box.lower, box.upper);
}

static inline float rbl_bsp_box_end(const rbl_bsp *bsp, int direction, rbl_box box)
{
	return direction < 3 ? rbl_axis(box.upper, direction)
	                     : rbl_bsp_project_corner(bsp, direction, box.upper, box.lower);
}

/// Bit 0: the box overlaps the half-space below the plane; bit 1: the one above.
static inline int rbl_bsp_sides(const rbl_bsp *bsp, const rbl_bsp_node *node, rbl_box box)
{
	return (rbl_bsp_box_begin(bsp, node->direction, box) < node->offset) |
	       (rbl_bsp_box_end(bsp, node->direction, box) >= node->offset) << 1;
}

/// Whether a box overlaps the cell of a leaf.
bool rbl_bsp_leaf_overlaps(const rbl_bsp *bsp, int leaf, rbl_box box);

/// Whether a point is in the cell of a leaf.
bool rbl_bsp_leaf_owns_point(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_vec3 point);

/// A descent to the leaves that a box overlaps: start with { { node }, 1 }. The stack holds one
/// sibling per level.
typedef struct rbl_bsp_descent {
	int stack[RBL_MAX_BSP_HEIGHT + 2];
	int count;
} rbl_bsp_descent;

/// @return the next leaf, -1 when there is none
int rbl_bsp_next_leaf(const rbl_bsp *bsp, rbl_bsp_descent *descent, rbl_box box);

/// Put a leaf on the list of those to update; room was made.
void rbl_bsp_touch(rbl_bsp *bsp, int leaf);

/// Insert a slot into every leaf below a node that its fat box overlaps, except those that `old`
/// (its old fat box, or empty) overlaps.
bool rbl_bsp_insert(rbl_bsp *bsp, int node, int slot, rbl_box old);

/// Append a slot to one leaf.
bool rbl_bsp_append(rbl_bsp *bsp, int leaf, int slot);

/// Partition the slots `begin` to `end` of a list by a node's plane: those that overlap the space
/// below stay in place, up to `left`; those that overlap the space above go to the end of the list,
/// `end` to `right`. Room was made.
void rbl_bsp_partition_slots(const rbl_bsp *bsp, const rbl_bsp_node *node, rbl_slot_array *list,
                             int begin, int end, int *left, int *right);

/// Insert the boxes that changed: lists of leaves follow, leaves concerned are touched.
/// @return false when memory ran out
bool rbl_bsp_insert_changed(rbl_bsp *bsp);

/// After a failed update: every leaf is filled anew and finds all its pairs.
bool rbl_bsp_reset(rbl_bsp *bsp);

int rbl_bsp_new_leaf(rbl_bsp *bsp, int node);
int rbl_bsp_new_node(rbl_bsp *bsp);
void rbl_bsp_free_leaf(rbl_bsp *bsp, int leaf);
void rbl_bsp_free_node(rbl_bsp *bsp, int node);

/// Reserve the next `count` nodes and leaves, so that making them cannot fail.
bool rbl_bsp_reserve(rbl_bsp *bsp, int count);

/// Cells of all leaves below a node from the planes above; leaves whose cell changed are touched
/// and stale. Slanted sides are not part of a cell.
void rbl_bsp_refresh_cells(rbl_bsp *bsp, int node);

/// Boxes in a leaf above which it is split.
int rbl_bsp_split_threshold(const rbl_bsp *bsp);

void rbl_bsp_scratch_free(const rbl_allocator *allocator, rbl_bsp_scratch *scratch);
size_t rbl_bsp_scratch_bytes(const rbl_bsp_scratch *scratch);

/// Find the pairs of a touched leaf.
/// @return false when memory ran out; the leaf is stale then
bool rbl_bsp_find_pairs(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                        rbl_pair_changes *changes);

/// Update all touched leaves, in parallel.
bool rbl_bsp_update_leaves(rbl_bsp *bsp);

// Operators. Each returns the number of boxes it touched, -1 when memory ran out, 0 when it does
// not apply.
int rbl_bsp_split(rbl_bsp *bsp, int node, bool is_shift);
int rbl_bsp_merge(rbl_bsp *bsp, int node);
int rbl_bsp_balance(rbl_bsp *bsp, int node);
int rbl_bsp_swap(rbl_bsp *bsp, int node);

/// Whether the plane of a node has come to cut far more of the boxes below than a new plane may.
/// Looks at a sample, and only while boxes are listed often all in all.
bool rbl_bsp_is_redundant(const rbl_bsp *bsp, int node);

/// Algorithm 1: evaluate, then do what the budget allows. @return false when memory ran out
bool rbl_bsp_adjust(rbl_bsp *bsp);

/// Build all planes anew for the boxes as they are. Pairs must have been retired.
bool rbl_bsp_rebuild(rbl_bsp *bsp);
