// SPDX-License-Identifier: MIT
//
// The semi-adjusting BSP: its nodes and leaves, and an update.
//
// An update has four stages: insert what changed (bsp_insert.c), let touched leaves find their
// pairs (bsp_leaf.c), commit, adjust the structure within the budget (bsp_schedule.c,
// bsp_operators.c). Leaves that an operator touched find their pairs again after the commit, when
// no box differs from its old self, so adjusting never begins or ends a pair.

#include "broadphase/bsp.h"

#include "base/axis.h"
#include "base/clock.h"

enum { LEAVES_PER_BLOCK = 4 };

static const rbl_box everything = { { -INFINITY, -INFINITY, -INFINITY },
	                                { INFINITY, INFINITY, INFINITY } };

// --- nodes and leaves ----------------------------------------------------------------------------

bool rbl_bsp_reserve(rbl_bsp *bsp, int count)
{
	const rbl_allocator *a = &bsp->allocator;
	return rbl_array_extend(a, &bsp->nodes, count) && rbl_array_extend(a, &bsp->leaves, count) &&
	       rbl_array_reserve(a, &bsp->free_nodes, bsp->nodes.count + count) &&
	       rbl_array_reserve(a, &bsp->free_leaves, bsp->leaves.count + count) &&
	       rbl_array_reserve(a, &bsp->touched, bsp->leaves.count + count) &&
	       rbl_array_reserve(a, &bsp->runs, bsp->leaves.count + count);
}

int rbl_bsp_new_node(rbl_bsp *bsp)
{
	int index = bsp->free_nodes.count > 0 ? bsp->free_nodes.data[--bsp->free_nodes.count]
	                                      : bsp->nodes.count++;
	RBL_ASSERT(bsp->nodes.count <= bsp->nodes.capacity);
	bsp->nodes.data[index] = (rbl_bsp_node){ .direction = -1, .parent = -1, .is_used = true };
	return index;
}

static void free_lists(const rbl_allocator *a, rbl_bsp_leaf *leaf)
{
	rbl_array_free(a, &leaf->moving);
	rbl_array_free(a, &leaf->statics);
	rbl_pair_lists_free(a, &leaf->found);
}

int rbl_bsp_new_leaf(rbl_bsp *bsp, int node)
{
	int index;
	if (bsp->free_leaves.count > 0) {
		index = bsp->free_leaves.data[--bsp->free_leaves.count];
	} else {
		index = bsp->leaves.count++;
		RBL_ASSERT(bsp->leaves.count <= bsp->leaves.capacity);
		bsp->leaves.data[index] = (rbl_bsp_leaf){ 0 };
	}
	rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
	RBL_ASSERT(leaf->moving.count == 0 && leaf->statics.count == 0 && leaf->found.pairs.count == 0);
	leaf->cell = everything;
	leaf->node = node;
	leaf->axis = 0;
	leaf->replaced = 0;
	leaf->split_refused = 0;
	leaf->is_sorted = false;
	leaf->is_stale = true;
	bsp->nodes.data[node].direction = -1;
	bsp->nodes.data[node].children[0] = index;
	return index;
}

void rbl_bsp_free_leaf(rbl_bsp *bsp, int index)
{
	rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
	free_lists(&bsp->allocator, leaf);
	leaf->node = -1;
	bsp->free_leaves.data[bsp->free_leaves.count++] = index;
}

void rbl_bsp_free_node(rbl_bsp *bsp, int index)
{
	bsp->nodes.data[index].is_used = false;
	bsp->free_nodes.data[bsp->free_nodes.count++] = index;
}

void rbl_bsp_touch(rbl_bsp *bsp, int index)
{
	rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
	if (leaf->is_touched)
		return;
	leaf->is_touched = true;
	RBL_ASSERT(bsp->touched.count < bsp->touched.capacity);
	bsp->touched.data[bsp->touched.count++] = index;
}

bool rbl_bsp_leaf_owns_point(const rbl_bsp *bsp, const rbl_bsp_leaf *leaf, rbl_vec3 point)
{
	for (int child = leaf->node, up; (up = bsp->nodes.data[child].parent) >= 0; child = up) {
		const rbl_bsp_node *node = &bsp->nodes.data[up];
		float at = rbl_bsp_project(bsp, node->direction, point);
		if ((at >= node->offset) != (node->children[1] == child))
			return false;
	}
	return true;
}

bool rbl_bsp_leaf_overlaps(const rbl_bsp *bsp, int index, rbl_box box)
{
	const rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
	rbl_box cell = leaf->cell;
	if (!(box.lower.x < cell.upper.x && box.lower.y < cell.upper.y && box.lower.z < cell.upper.z &&
	      box.upper.x >= cell.lower.x && box.upper.y >= cell.lower.y &&
	      box.upper.z >= cell.lower.z))
		return false;
	if (bsp->settings.direction_count == 3)
		return true;
	for (int child = leaf->node, up; (up = bsp->nodes.data[child].parent) >= 0; child = up) {
		const rbl_bsp_node *node = &bsp->nodes.data[up];
		if (!(rbl_bsp_sides(bsp, node, box) & (node->children[1] == child ? 2 : 1)))
			return false;
	}
	return true;
}

bool rbl_bsp_append(rbl_bsp *bsp, int index, int slot)
{
	rbl_bsp_leaf *leaf = &bsp->leaves.data[index];
	bool is_static = bsp->proxies->flags[slot] & RBL_PROXY_STATIC;
	rbl_bsp_list *list = is_static ? &leaf->statics : &leaf->moving;
	if (!rbl_proxy_list_reserve(&bsp->allocator, list, list->count + 1))
		return false;
	list->data[list->count++] = (uint32_t)slot;
	if (!is_static)
		leaf->is_sorted = false;
	rbl_bsp_touch(bsp, index);
	return true;
}

int rbl_bsp_next_leaf(const rbl_bsp *bsp, rbl_bsp_descent *d, rbl_box box)
{
	while (d->count > 0) {
		int index = d->stack[--d->count];
		const rbl_bsp_node *node;
		while ((node = &bsp->nodes.data[index])->direction >= 0) {
			int sides = rbl_bsp_sides(bsp, node, box);
			if (sides == 3)
				d->stack[d->count++] = node->children[1];
			index = node->children[sides == 2];
		}
		return node->children[0];
	}
	return -1;
}

bool rbl_bsp_insert(rbl_bsp *bsp, int node, int slot, rbl_box old)
{
	rbl_box box = bsp->proxies->fat_boxes[slot];
	bool has_old = !rbl_box_is_empty(old);
	rbl_bsp_descent d = { { node }, 1 };
	for (int leaf; (leaf = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		bsp->leaves.data[leaf].replaced++;
		if (has_old && rbl_bsp_leaf_overlaps(bsp, leaf, old))
			rbl_bsp_touch(bsp, leaf);
		else if (!rbl_bsp_append(bsp, leaf, slot))
			return false;
	}
	return true;
}

// The part of a cell on one side of a node's plane; slanted planes cut no box.
static rbl_box cut_cell(rbl_box cell, const rbl_bsp_node *node, int side)
{
	if (node->direction < 3) {
		rbl_vec3 *corner = side ? &cell.lower : &cell.upper;
		float bound = rbl_axis(*corner, node->direction);
		bound = side ? rbl_maxf(bound, node->offset) : rbl_minf(bound, node->offset);
		rbl_set_axis(corner, node->direction, bound);
	}
	return cell;
}

void rbl_bsp_refresh_cells(rbl_bsp *bsp, int top)
{
	rbl_box cells[RBL_MAX_BSP_HEIGHT + 2];
	int stack[RBL_MAX_BSP_HEIGHT + 2], count = 0;
	rbl_box cell = everything;
	for (int child = top, up; (up = bsp->nodes.data[child].parent) >= 0; child = up)
		cell = cut_cell(cell, &bsp->nodes.data[up], bsp->nodes.data[up].children[1] == child);
	stack[count] = top, cells[count++] = cell;
	while (count > 0) {
		int index = stack[--count];
		cell = cells[count];
		rbl_bsp_node *node = &bsp->nodes.data[index];
		node->depth = node->parent >= 0 ? bsp->nodes.data[node->parent].depth + 1 : 0;
		if (node->direction < 0) {
			rbl_bsp_leaf *leaf = &bsp->leaves.data[node->children[0]];
			if (memcmp(&leaf->cell, &cell, sizeof cell) != 0) {
				leaf->cell = cell;
				leaf->is_stale = true;
				rbl_bsp_touch(bsp, node->children[0]);
			}
			continue;
		}
		for (int side = 0; side < 2; ++side) {
			stack[count] = node->children[side];
			cells[count++] = cut_cell(cell, node, side);
		}
	}
}

void rbl_bsp_partition_slots(const rbl_bsp *bsp, const rbl_bsp_node *node, rbl_slot_array *list,
                             int begin, int end, int *left, int *right)
{
	const rbl_box *boxes = bsp->proxies->fat_boxes;
	int *slots = list->data, l = begin, r = end;
	if (node->direction < 3) {
		// Boxes as what they are in memory, six numbers each: the way to a number does not branch.
		const float *lower = (const float *)boxes + node->direction, *upper = lower + 3;
		const float offset = node->offset;
		for (int i = begin; i < end; ++i) {
			size_t slot = (size_t)slots[i];
			slots[r] = (int)slot;
			r += upper[6 * slot] >= offset;
			slots[l] = (int)slot;
			l += lower[6 * slot] < offset;
		}
	} else {
		for (int i = begin; i < end; ++i) {
			int slot = slots[i], sides = rbl_bsp_sides(bsp, node, boxes[slot]);
			slots[r] = slot;
			r += sides >> 1;
			slots[l] = slot;
			l += sides & 1;
		}
	}
	list->count = r; // so that growing keeps them
	*left = l, *right = r;
}

// --- an update -----------------------------------------------------------------------------------

static void update_leaf_block(void *context, int begin, int end, int worker)
{
	rbl_bsp *bsp = context;
	rbl_pair_changes *changes = &bsp->changes.data[begin / LEAVES_PER_BLOCK];
	changes->begun.count = changes->ended.count = 0;
	changes->is_out_of_memory = false;
	for (int i = begin; i < end; ++i) {
		rbl_bsp_leaf *leaf = &bsp->leaves.data[bsp->touched.data[i]];
		if (!rbl_bsp_find_pairs(bsp, leaf, &bsp->scratch.data[worker], changes))
			changes->is_out_of_memory = true;
		leaf->is_touched = false;
	}
}

bool rbl_bsp_update_leaves(rbl_bsp *bsp)
{
	const rbl_allocator *a = &bsp->allocator;
	int block_count = (bsp->touched.count + LEAVES_PER_BLOCK - 1) / LEAVES_PER_BLOCK;
	if (!rbl_array_reserve(a, &bsp->changes, block_count))
		return false;
	while (bsp->changes.count < block_count)
		bsp->changes.data[bsp->changes.count++] = (rbl_pair_changes){ 0 };
	rbl_parallel_for(bsp->jobs, bsp->touched.count, LEAVES_PER_BLOCK, update_leaf_block, bsp);
	bsp->touched.count = 0;
	bool ok = true;
	int begun = bsp->begun.count, ended = bsp->ended.count;
	for (int i = 0; i < block_count; ++i) {
		const rbl_pair_changes *changes = &bsp->changes.data[i];
		ok &= !changes->is_out_of_memory;
		begun += changes->begun.count;
		ended += changes->ended.count;
	}
	ok = ok && rbl_proxy_list_reserve(a, &bsp->begun, begun) &&
	     rbl_proxy_list_reserve(a, &bsp->ended, ended);
	for (int i = 0; i < block_count && ok; ++i) {
		const rbl_pair_changes *changes = &bsp->changes.data[i];
		ok = rbl_pairs_append(a, &bsp->begun, &changes->begun) &&
		     rbl_pairs_append(a, &bsp->ended, &changes->ended);
	}
	return ok;
}

static bool find_all_pairs(rbl_bsp *bsp)
{
	uint64_t start = rbl_clock_ns();
	bool ok = bsp->proxies->must_reset ? rbl_bsp_reset(bsp) : rbl_bsp_insert_changed(bsp);
	uint64_t inserted = rbl_clock_ns();
	ok = ok && rbl_bsp_update_leaves(bsp);
	bsp->stats.update_ms = (double)(inserted - start) * 1e-6;
	bsp->stats.pairs_ms = (double)(rbl_clock_ns() - inserted) * 1e-6;
	return ok;
}

static void list_runs(rbl_bsp *bsp, bool was_reset, rbl_broadphase_result *result)
{
	bsp->runs.count = 0;
	int total = 0;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		const rbl_pair_array *pairs = &bsp->leaves.data[i].found.pairs;
		if (pairs->count > 0)
			bsp->runs.data[bsp->runs.count++] = (rbl_pair_list){ pairs->data, pairs->count };
		total += pairs->count;
	}
	*result = (rbl_broadphase_result){
		.runs = bsp->runs.data,
		.run_count = bsp->runs.count,
		.pair_count = total,
		.begun = { bsp->begun.data, bsp->begun.count },
		.ended = { bsp->ended.data, bsp->ended.count },
		.was_reset = was_reset,
	};
}

static bool report_leaf_pairs_as_begun(rbl_bsp *bsp)
{
	bsp->begun.count = bsp->ended.count = 0;
	bool ok = true;
	for (int i = 0; i < bsp->leaves.count && ok; ++i)
		ok = rbl_pairs_append(&bsp->allocator, &bsp->begun, &bsp->leaves.data[i].found.pairs);
	return ok;
}

static void free_changes(rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->changes.count; ++i)
		rbl_pair_changes_free(&bsp->allocator, &bsp->changes.data[i]);
}

static void free_blocks(rbl_bsp *bsp)
{
	rbl_array_free(&bsp->allocator, &bsp->work_slots);
	for (int i = 0; i < RBL_BSP_MAX_BLOCKS; ++i) {
		rbl_bsp_block *block = &bsp->blocks[i];
		rbl_array_free(&bsp->allocator, &block->tasks);
		rbl_array_free(&bsp->allocator, &block->slots);
		rbl_array_free(&bsp->allocator, &block->shared);
		rbl_array_free(&bsp->allocator, &block->shares);
	}
}

// Release what only a burst needed, before the lists of the last update are made anew.
static void release_bsp_lists(rbl_bsp *bsp)
{
	const rbl_allocator *a = &bsp->allocator;
	bsp->max_begun = rbl_maxi(bsp->max_begun, rbl_maxi(bsp->begun.count, bsp->ended.count));
	if (bsp->was_built) { // all pairs of a world had begun
		rbl_array_free(a, &bsp->begun);
		rbl_array_free(a, &bsp->ended);
		bsp->max_begun = 0;
	}
	if (bsp->update_index % RBL_PROXY_IDLE_UPDATES != 0)
		return;
	if (bsp->begun.capacity + bsp->ended.capacity > 8 * bsp->max_begun + 1024) {
		rbl_array_free(a, &bsp->begun);
		rbl_array_free(a, &bsp->ended);
		free_changes(bsp);
	}
	if (bsp->update_index - bsp->last_redistribution > RBL_PROXY_IDLE_UPDATES)
		free_blocks(bsp);
	bsp->max_begun = 0;
}

rbl_result rbl_bsp_update(rbl_bsp *bsp, rbl_broadphase_result *result)
{
	rbl_proxies_begin_update(bsp->proxies);
	release_bsp_lists(bsp);
	bsp->begun.count = bsp->ended.count = 0;
	bool was_reset = bsp->proxies->must_reset;
	int64_t rebuilds = bsp->stats.rebuilds;
	bool ok = find_all_pairs(bsp) && (!was_reset || report_leaf_pairs_as_begun(bsp));
	rbl_proxies_commit(bsp->proxies);
	bsp->was_built = bsp->stats.rebuilds != rebuilds;
	if (bsp->was_built) { // the next updates need a hundredth of it
		free_blocks(bsp);
		free_changes(bsp);
	}
	uint64_t start = rbl_clock_ns();
	int begun = bsp->begun.count, ended = bsp->ended.count;
	ok = ok && rbl_bsp_adjust(bsp);
	bsp->begun.count = begun, bsp->ended.count = ended;
	bsp->stats.adjust_ms = (double)(rbl_clock_ns() - start) * 1e-6;
	bsp->update_index++;
	if (ok)
		list_runs(bsp, was_reset, result);
	bsp->proxies->must_reset = !ok;
	return ok ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- creation and statistics ---------------------------------------------------------------------

bool rbl_bsp_init(rbl_bsp *bsp, rbl_proxies *proxies, const rbl_broadphase_def *def)
{
	*bsp = (rbl_bsp){
		.allocator = proxies->allocator,
		.proxies = proxies,
		.jobs = def->jobs,
		.settings = def->bsp,
		.budget = def->work_budget,
		.margin = def->margin,
	};
	rbl_bsp_directions(bsp->directions, def->bsp.direction_count);
	int workers = rbl_jobs_worker_count(def->jobs);
	if (!rbl_bsp_reserve(bsp, 64) ||
	    !rbl_array_reserve(&bsp->allocator, &bsp->events, def->bsp.event_capacity) ||
	    !rbl_array_resize(&bsp->allocator, &bsp->scratch, workers)) {
		rbl_bsp_destroy(bsp);
		return false;
	}
	memset(bsp->scratch.data, 0, (size_t)workers * sizeof *bsp->scratch.data);
	bsp->root = rbl_bsp_new_node(bsp);
	rbl_bsp_new_leaf(bsp, bsp->root);
	return true;
}

void rbl_bsp_destroy(rbl_bsp *bsp)
{
	const rbl_allocator *a = &bsp->allocator;
	for (int i = 0; i < bsp->leaves.count; ++i)
		free_lists(a, &bsp->leaves.data[i]);
	free_changes(bsp);
	for (int i = 0; i < bsp->scratch.count; ++i)
		rbl_bsp_scratch_free(a, &bsp->scratch.data[i]);
	free_blocks(bsp);
	rbl_array_free(a, &bsp->nodes);
	rbl_array_free(a, &bsp->leaves);
	rbl_array_free(a, &bsp->free_nodes);
	rbl_array_free(a, &bsp->free_leaves);
	rbl_array_free(a, &bsp->touched);
	rbl_array_free(a, &bsp->changes);
	rbl_array_free(a, &bsp->scratch);
	rbl_array_free(a, &bsp->begun);
	rbl_array_free(a, &bsp->ended);
	rbl_array_free(a, &bsp->runs);
	rbl_array_free(a, &bsp->events);
	rbl_bit_set_free(a, &bsp->marks);
}

void rbl_bsp_fill_stats(const rbl_bsp *bsp, rbl_broadphase_stats *stats)
{
	*stats = bsp->stats;
	size_t bytes = 0;
	int entries = 0;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		const rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		bytes += rbl_proxy_list_bytes(&leaf->moving) + rbl_proxy_list_bytes(&leaf->statics) +
		         rbl_pair_lists_bytes(&leaf->found);
		if (leaf->node < 0)
			continue;
		stats->leaves++;
		stats->depth = rbl_maxi(stats->depth, bsp->nodes.data[leaf->node].depth);
		entries += leaf->moving.count + leaf->statics.count;
	}
	bytes += rbl_proxy_list_bytes(&bsp->nodes) + rbl_proxy_list_bytes(&bsp->leaves) +
	         rbl_proxy_list_bytes(&bsp->work_slots) + rbl_proxy_list_bytes(&bsp->touched) +
	         rbl_proxy_list_bytes(&bsp->free_nodes) + rbl_proxy_list_bytes(&bsp->free_leaves) +
	         rbl_proxy_list_bytes(&bsp->begun) + rbl_proxy_list_bytes(&bsp->ended) +
	         rbl_proxy_list_bytes(&bsp->runs);
	for (int i = 0; i < bsp->changes.count; ++i)
		bytes += rbl_pair_changes_bytes(&bsp->changes.data[i]);
	for (int i = 0; i < RBL_BSP_MAX_BLOCKS; ++i) {
		const rbl_bsp_block *block = &bsp->blocks[i];
		bytes += rbl_proxy_list_bytes(&block->tasks) + rbl_proxy_list_bytes(&block->slots) +
		         rbl_proxy_list_bytes(&block->shared) + rbl_proxy_list_bytes(&block->shares);
	}
	for (int i = 0; i < bsp->scratch.count; ++i)
		bytes += rbl_bsp_scratch_bytes(&bsp->scratch.data[i]);
	stats->bytes = bytes;
	int live = bsp->proxies->live_count;
	stats->redundancy = live > 0 ? (double)(entries - live) / live : 0.0;
	stats->events_waiting = bsp->events.count;
	stats->work = bsp->work;
}
