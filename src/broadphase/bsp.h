// SPDX-License-Identifier: MIT
// The semi-adjusting BSP (Luque, Comba and Freitas 2005), and how it departs from the paper.
//
// Planes cut space into cells; a leaf lists every box whose fat box touches its cell. Cells are
// half-open (below the plane is left, on it is right), boxes are closed. So:
//
//   - membership is a function of a fat box and the planes: nothing remembers which leaves a box
//     is in, a walk down the planes tells;
//   - the point of the two lower corners' maxima lies in both boxes of an overlapping pair and in
//     exactly one cell: that leaf owns the pair, and no pair is found twice;
//   - a late operator costs time, never a pair: any set of planes gives the same pairs.
//
// An update takes in what changed (take_in.c), lets every touched leaf find its pairs (leaf.c), and then
// spends its budget on the five operators (operators.c) in the order of Algorithm 1 (schedule.c).
//
// Departures (docs/broadphase.md has the figures): leaves of up to 256 boxes instead of 16 to 128,
// because a vector sweep is fast and small leaves list every box many times; three directions, more
// as a setting; boxes in a leaf are ordered along its longest axis instead of its parent's normal,
// which is its shortest; when a third of the boxes left their fat boxes, all are handed out again
// from the root, which is cheaper than entering them one by one; a population that is new is built,
// not adjusted.
#pragma once

#include "base/memory.h"
#include "base/sort.h"
#include "broadphase/pair_lists.h"
#include "broadphase/query.h"

#include <rubble/jobs.h>

/// Slots of the boxes of one kind in a leaf. Their fat boxes are read when the leaf is looked at: to
/// keep them here was no faster, and took six times the memory of the slots.
typedef RBL_ARRAY(uint32_t) rbl_bsp_list;

typedef struct rbl_bsp_leaf {
	rbl_box cell; // half-open; without its slanted sides
	rbl_bsp_list moving, still;
	rbl_pair_lists found;
	int node;          // -1 while free
	int axis;          // that `moving` is ordered along
	int replaced;      // boxes entered or with a new fat box since it was last looked at
	int split_refused; // population at which no good plane was found
	bool is_ordered;   // along `axis`
	bool has_leavers;  // a listed box was removed or may no longer touch the cell
	bool is_touched;   // in the list of leaves to look at
	bool is_stale;     // cell or planes changed: check the lists, find all pairs anew
	bool is_refilled;  // `moving` holds the right slots, in no order
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

/// Fat boxes of a list, as six rows of floats that end in eight boxes that overlap nothing. A bit of
/// `inside` says that a box begins in the leaf's cell along an axis: of two overlapping boxes the leaf
/// owns the pair when each axis has a bit. (None begins beyond the cell, both touch it.)
typedef struct rbl_bsp_rows {
	RBL_ARRAY(float) values; // lower x y z, upper x y z
	RBL_ARRAY(uint8_t) inside;
	int stride;
} rbl_bsp_rows;

/// What one worker needs to find pairs; kept from update to update.
typedef struct rbl_bsp_scratch {
	rbl_bsp_rows moving, still; // of the leaf that is looked at
	rbl_slot_array replaced;    // places of boxes with new fat boxes
	RBL_ARRAY(uint32_t) hits;   // of a sweep or a probe
	rbl_pair_lists found;
	RBL_ARRAY(rbl_sort_item) order; // twice the boxes of a leaf
} rbl_bsp_scratch;

/// What a box that changed means for a leaf.
typedef enum rbl_bsp_task {
	RBL_BSP_TOUCH, // it moved in its fat box
	RBL_BSP_LEAVE, // it is gone, or its new fat box lies elsewhere
	RBL_BSP_STAY,  // it has a new fat box
	RBL_BSP_ENTER, // it is new here
} rbl_bsp_task;

typedef struct rbl_bsp_note {
	int leaf;
	uint32_t slot;
	rbl_bsp_task task;
} rbl_bsp_note;

/// Slots that a block hands to a leaf.
typedef struct rbl_bsp_part {
	int leaf, begin, count;
	int place; // in the leaf's list
} rbl_bsp_part;

/// What a block of changed boxes, or of boxes that are handed out, has found out.
typedef struct rbl_bsp_block {
	RBL_ARRAY(rbl_bsp_note) notes;
	rbl_slot_array slots, handed;
	RBL_ARRAY(rbl_bsp_part) parts; // of `handed`
	bool is_out_of_memory;
} rbl_bsp_block;

/// Blocks into which taking in is cut, at most.
#define RBL_BSP_MOST_BLOCKS 16

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

	rbl_slot_array touched;  // leaves, in the order they were touched
	rbl_slot_array hand_out; // slots that an operator works on
	rbl_bsp_block blocks[RBL_BSP_MOST_BLOCKS];
	RBL_ARRAY(rbl_pair_changes) changes;
	RBL_ARRAY(rbl_bsp_scratch) scratch; // by worker
	rbl_pair_array begun, ended;
	RBL_ARRAY(rbl_pair_list) runs;
	rbl_bit_set marks; // by slot, for unions of leaves; clear between operators

	RBL_ARRAY(rbl_bsp_event) events;
	int64_t update_index, work;
	int64_t last_hand_out; // update in which everything was handed out
	int newcomers;         // in this update
	int busy_count;        // updates in a row with so many newcomers that adjusting waited
	int most_begun;        // in one update, lately
	rbl_broadphase_stats stats;
	bool was_built; // all anew, in the last update
	bool must_reset;
} rbl_bsp;

bool rbl_bsp_init(rbl_bsp *bsp, rbl_proxies *proxies, const rbl_broadphase_def *def);
void rbl_bsp_destroy(rbl_bsp *bsp);
rbl_result rbl_bsp_update(rbl_bsp *bsp, rbl_broadphase_result *result);
void rbl_bsp_fill_stats(const rbl_bsp *bsp, rbl_broadphase_stats *stats);
void rbl_bsp_ask(const rbl_bsp *bsp, rbl_query *query);

// --- inside the BSP ------------------------------------------------------------------------------

/// Fill `count` directions: the axes, then points that repel each other on the hemisphere.
void rbl_bsp_directions(rbl_vec3 *directions, int count);

/// Where a box begins and ends along a direction. The same sums in the same order as for a point,
/// and rounding is monotone: a point in the box never falls outside the interval.
static inline float rbl_bsp_project(rbl_vec3 direction, rbl_vec3 p)
{
	return (direction.x * p.x + direction.y * p.y) + direction.z * p.z;
}

static inline float rbl_bsp_box_begin(const rbl_bsp *bsp, int direction, rbl_box box)
{
	if (direction < 3)
		return rbl_axis(box.lower, direction);
	rbl_vec3 n = bsp->directions[direction];
	return rbl_bsp_project(n, (rbl_vec3){ n.x >= 0.0f ? box.lower.x : box.upper.x,
	                                      n.y >= 0.0f ? box.lower.y : box.upper.y,
	                                      n.z >= 0.0f ? box.lower.z : box.upper.z });
}

static inline float rbl_bsp_box_end(const rbl_bsp *bsp, int direction, rbl_box box)
{
	if (direction < 3)
		return rbl_axis(box.upper, direction);
	rbl_vec3 n = bsp->directions[direction];
	return rbl_bsp_project(n, (rbl_vec3){ n.x >= 0.0f ? box.upper.x : box.lower.x,
	                                      n.y >= 0.0f ? box.upper.y : box.lower.y,
	                                      n.z >= 0.0f ? box.upper.z : box.lower.z });
}

/// Bit 0: the box touches the half-space below the plane; bit 1: the one above.
static inline int rbl_bsp_sides(const rbl_bsp *bsp, const rbl_bsp_node *node, rbl_box box)
{
	return (rbl_bsp_box_begin(bsp, node->direction, box) < node->offset) |
	       (rbl_bsp_box_end(bsp, node->direction, box) >= node->offset) << 1;
}

/// Whether a box touches the cell of a leaf.
bool rbl_bsp_leaf_touches(const rbl_bsp *bsp, int leaf, rbl_box box);

/// Whether a point lies in the cell of a leaf.
bool rbl_bsp_leaf_owns(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_vec3 point);

/// A walk over the leaves that a box touches: start with { { node }, 1 }. The stack holds one
/// sibling per level.
typedef struct rbl_bsp_descent {
	int stack[RBL_MAX_BSP_HEIGHT + 2];
	int count;
} rbl_bsp_descent;

/// @return the next leaf, -1 when there is none
int rbl_bsp_next_leaf(const rbl_bsp *bsp, rbl_bsp_descent *descent, rbl_box box);

/// Put a leaf on the list of those to look at; room was made.
void rbl_bsp_touch(rbl_bsp *bsp, int leaf);

/// Enter a slot below a node into every leaf that its fat box touches, leaving out leaves that
/// `already` touches (empty for none).
bool rbl_bsp_enter(rbl_bsp *bsp, int node, int slot, rbl_box already);

/// Enter a slot into one leaf.
bool rbl_bsp_append(rbl_bsp *bsp, int leaf, int slot);

/// Part the slots `begin` to `end` of a list by a node's plane: those that touch the space below stay
/// in place, up to `left`; those that touch the space above go to the top of the list, `end` to
/// `right`. Room was made.
void rbl_bsp_part_slots(const rbl_bsp *bsp, const rbl_bsp_node *node, rbl_slot_array *list,
                        int begin, int end, int *left, int *right);

/// Take in what changed: lists of leaves follow, leaves concerned are touched.
/// @return false when memory ran out
bool rbl_bsp_take_in(rbl_bsp *bsp);

/// After an update that failed halfway: every leaf is filled anew and finds all its pairs.
bool rbl_bsp_start_over(rbl_bsp *bsp);

int rbl_bsp_new_leaf(rbl_bsp *bsp, int node);
int rbl_bsp_new_node(rbl_bsp *bsp);
void rbl_bsp_free_leaf(rbl_bsp *bsp, int leaf);
void rbl_bsp_free_node(rbl_bsp *bsp, int node);

/// Make room for the next `count` nodes and leaves, so that making them cannot fail.
bool rbl_bsp_reserve(rbl_bsp *bsp, int count);

/// Cells of all leaves below a node from the planes above; leaves whose cell changed are touched
/// and stale.
void rbl_bsp_refresh_cells(rbl_bsp *bsp, int node);

/// Boxes in a leaf from which it is to be split.
int rbl_bsp_split_threshold(const rbl_bsp *bsp);

void rbl_bsp_scratch_free(const rbl_allocator *allocator, rbl_bsp_scratch *scratch);
size_t rbl_bsp_scratch_bytes(const rbl_bsp_scratch *scratch);

/// Find the pairs of a touched leaf.
/// @return false when memory ran out; the leaf is stale then
bool rbl_bsp_find_pairs(rbl_bsp *bsp, rbl_bsp_leaf *leaf, rbl_bsp_scratch *scratch,
                        rbl_pair_changes *changes);

/// Look at all touched leaves, as jobs.
bool rbl_bsp_look_at_touched(rbl_bsp *bsp);

// Operators. Each returns the boxes it touched, -1 when memory ran out, 0 when it does not apply.
int rbl_bsp_split(rbl_bsp *bsp, int node, bool is_shift);
int rbl_bsp_merge(rbl_bsp *bsp, int node);
int rbl_bsp_balance(rbl_bsp *bsp, int node);
int rbl_bsp_swap(rbl_bsp *bsp, int node);

/// Algorithm 1: evaluate, then do what the budget allows. @return false when memory ran out
bool rbl_bsp_adjust(rbl_bsp *bsp);

/// Replace all planes by new ones that suit the boxes now. Pairs must have been retired.
bool rbl_bsp_rebuild(rbl_bsp *bsp);
