// SPDX-License-Identifier: MIT
//
// The BSP takes in what changed since the last update.
//
// Two ways. When some boxes left their fat boxes, each is entered by itself: blocks of them walk down
// the planes at the same time and note what has to be done to which leaf, then the notes are carried
// out in the order of the blocks. When a third of all boxes left theirs, all are handed out again:
// blocks of slots go down the planes, cut in two at each, and every leaf gets its parts in the order
// of the blocks. The borders of blocks depend on numbers of boxes alone, so lists are the same for
// any number of workers.

#include "broadphase/bsp.h"

enum {
	MOST_BLOCKS = RBL_BSP_MOST_BLOCKS,
	LEAST_BLOCK = 512, // boxes: some ten microseconds of work
};

static int block_size_for(int count)
{
	return rbl_maxi(LEAST_BLOCK, (count + MOST_BLOCKS - 1) / MOST_BLOCKS);
}

// --- what changed ------------------------------------------------------------------------------------

// What a block of changed boxes is like.
typedef struct census {
	int leavers; // boxes whose fat box no longer holds them
	int fast;    // leavers that moved by more than the margin: no fat box would hold them for long
	int newcomers; // boxes that are new
	int still;     // leavers that are static
} census;

typedef struct census_job {
	rbl_bsp *bsp;
	int block_size;
	census blocks[MOST_BLOCKS];
} census_job;

static void count_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	census_job *job = context;
	rbl_proxies *proxies = job->bsp->proxies;
	census c = { 0 };
	for (int i = begin; i < end; ++i) {
		int slot = proxies->changed.data[i], flags = proxies->flags[slot];
		rbl_box box = proxies->items[slot].box;
		bool is_new = proxies->items[slot].changed_index < 0;
		c.newcomers += is_new;
		if ((flags & RBL_PROXY_REMOVED) ||
		    (!(flags & RBL_PROXY_SETTLES) && rbl_box_contains(proxies->fat_boxes[slot], box)))
			continue;
		bool is_loose = !is_new && !(flags & RBL_PROXY_SETTLES);
		proxies->flags[slot] =
			(uint8_t)(flags | RBL_PROXY_REPLACED | (is_loose ? RBL_PROXY_LOOSE : 0));
		c.leavers++;
		c.still += flags & RBL_PROXY_STATIC;
		c.fast +=
			is_new || !rbl_box_contains(
						  rbl_box_grow(rbl_proxies_old_box(proxies, slot), job->bsp->margin), box);
	}
	job->blocks[begin / job->block_size] = c;
}

// Mark and count the boxes that left their fat boxes.
static census count_changed(rbl_bsp *bsp)
{
	int count = bsp->proxies->changed.count;
	census_job job = { .bsp = bsp, .block_size = block_size_for(count) };
	rbl_parallel_for(bsp->jobs, count, job.block_size, count_block, &job);
	census all = { 0 };
	for (int i = 0; i * job.block_size < count; ++i) {
		all.leavers += job.blocks[i].leavers;
		all.fast += job.blocks[i].fast;
		all.newcomers += job.blocks[i].newcomers;
		all.still += job.blocks[i].still;
	}
	return all;
}

static void touch_every_leaf(rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->leaves.count; ++i) {
		if (bsp->leaves.data[i].node >= 0)
			rbl_bsp_touch(bsp, i);
	}
}

static rbl_bsp_block *clear_block(rbl_bsp *bsp, int index)
{
	rbl_bsp_block *block = &bsp->blocks[index];
	block->notes.count = block->slots.count = 0;
	block->handed.count = block->parts.count = 0;
	block->is_out_of_memory = false;
	return block;
}

// --- one by one ----------------------------------------------------------------------------------------

static bool note(rbl_bsp *bsp, rbl_bsp_block *block, int leaf, int slot, rbl_bsp_task task)
{
	rbl_bsp_note n = { leaf, (uint32_t)slot, task };
	return rbl_array_push(&bsp->allocator, &block->notes, n);
}

static bool note_leaves(rbl_bsp *bsp, rbl_bsp_block *block, int slot, rbl_box box,
                        rbl_bsp_task task)
{
	if (rbl_box_is_empty(box))
		return true;
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int leaf; (leaf = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		if (!note(bsp, block, leaf, slot, task))
			return false;
	}
	return true;
}

// The slot has a new fat box: what the leaves that touch `box` have to do.
static bool note_replaced(rbl_bsp *bsp, rbl_bsp_block *block, int slot, rbl_box old, rbl_box fat,
                          rbl_box box)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int leaf; (leaf = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		bool was_in = rbl_bsp_leaf_touches(bsp, leaf, old);
		bool is_in = rbl_bsp_leaf_touches(bsp, leaf, fat);
		rbl_bsp_task task = !was_in ? RBL_BSP_ENTER : is_in ? RBL_BSP_STAY : RBL_BSP_LEAVE;
		if ((was_in || is_in) && !note(bsp, block, leaf, slot, task))
			return false;
	}
	return true;
}

static bool note_leaver(rbl_bsp *bsp, rbl_bsp_block *block, int slot)
{
	rbl_box old = bsp->proxies->fat_boxes[slot];
	rbl_box fat = rbl_proxies_fatten(bsp->proxies, slot, bsp->margin);
	bsp->proxies->fat_boxes[slot] = fat;
	if (rbl_box_is_empty(old))
		return note_leaves(bsp, block, slot, fat, RBL_BSP_ENTER);
	// One walk serves both, unless it jumped: the box around both might be large then. What both
	// touch is noted twice, and does no harm.
	if (rbl_box_overlaps(old, fat))
		return note_replaced(bsp, block, slot, old, fat, rbl_box_join(old, fat));
	return note_replaced(bsp, block, slot, old, fat, old) &&
	       note_replaced(bsp, block, slot, old, fat, fat);
}

typedef struct note_job {
	rbl_bsp *bsp;
	int block_size;
	bool all_are_touched;
} note_job;

static void note_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const note_job *job = context;
	rbl_bsp *bsp = job->bsp;
	rbl_proxies *proxies = bsp->proxies;
	rbl_bsp_block *block = clear_block(bsp, begin / job->block_size);
	bool ok = true;
	for (int i = begin; i < end && ok; ++i) {
		int slot = proxies->changed.data[i], flags = proxies->flags[slot];
		if (flags & RBL_PROXY_REMOVED)
			ok = note_leaves(bsp, block, slot, proxies->fat_boxes[slot], RBL_BSP_LEAVE);
		else if (flags & RBL_PROXY_REPLACED)
			ok = note_leaver(bsp, block, slot);
		else if (!job->all_are_touched)
			ok = note_leaves(bsp, block, slot, proxies->fat_boxes[slot], RBL_BSP_TOUCH);
	}
	block->is_out_of_memory = !ok;
}

static bool carry_out(rbl_bsp *bsp, const rbl_bsp_block *block)
{
	for (int i = 0; i < block->notes.count; ++i) {
		rbl_bsp_note n = block->notes.data[i];
		rbl_bsp_leaf *leaf = &bsp->leaves.data[n.leaf];
		rbl_bsp_touch(bsp, n.leaf);
		if (n.task == RBL_BSP_TOUCH)
			continue;
		leaf->has_leavers = true;
		leaf->replaced += n.task != RBL_BSP_LEAVE;
		if (n.task == RBL_BSP_ENTER && !rbl_bsp_append(bsp, n.leaf, (int)n.slot))
			return false;
	}
	return !block->is_out_of_memory;
}

static bool take_in_leavers(rbl_bsp *bsp, bool touch_all)
{
	int count = bsp->proxies->changed.count;
	note_job job = { bsp, block_size_for(count), touch_all };
	if (touch_all)
		touch_every_leaf(bsp);
	rbl_parallel_for(bsp->jobs, count, job.block_size, note_block, &job);
	for (int i = 0; i * job.block_size < count; ++i) {
		if (!carry_out(bsp, &bsp->blocks[i]))
			return false;
	}
	return true;
}

// --- all at once ---------------------------------------------------------------------------------------

// Hand a block of slots down the planes. The right part of a cut lies on top of the list and goes
// first; what reaches a leaf is put aside as a part.
static bool hand_down(rbl_bsp *bsp, rbl_bsp_block *block)
{
	const rbl_allocator *a = &bsp->allocator;
	struct {
		int node, begin, end;
	} stack[RBL_MAX_BSP_HEIGHT + 2];
	int depth = 0;
	stack[depth].node = bsp->root, stack[depth].begin = 0, stack[depth++].end = block->slots.count;
	while (depth > 0) {
		int index = stack[--depth].node, begin = stack[depth].begin, end = stack[depth].end;
		const rbl_bsp_node *node = &bsp->nodes.data[index];
		int count = end - begin;
		if (count == 0)
			continue;
		if (node->direction < 0) {
			rbl_bsp_part part = { node->children[0], block->handed.count, count, 0 };
			if (!rbl_array_push(a, &block->parts, part) ||
			    !rbl_array_extend(a, &block->handed, count))
				return false;
			memcpy(block->handed.data + block->handed.count, block->slots.data + begin,
			       (size_t)count * sizeof(int));
			block->handed.count += count;
			continue;
		}
		if (!rbl_array_reserve(a, &block->slots, end + count))
			return false;
		int left, right;
		rbl_bsp_part_slots(bsp, node, &block->slots, begin, end, &left, &right);
		stack[depth].node = node->children[0], stack[depth].begin = begin;
		stack[depth++].end = left;
		stack[depth].node = node->children[1], stack[depth].begin = end;
		stack[depth++].end = right;
	}
	return true;
}

typedef struct hand_out_job {
	rbl_bsp *bsp;
	int block_size;
	bool is_hurried;
} hand_out_job;

static void hand_out_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const hand_out_job *job = context;
	rbl_bsp *bsp = job->bsp;
	rbl_proxies *proxies = bsp->proxies;
	rbl_bsp_block *block = clear_block(bsp, begin / job->block_size);
	block->is_out_of_memory =
		!rbl_array_reserve(&bsp->allocator, &block->slots, 2 * (end - begin)) ||
		!rbl_array_reserve(&bsp->allocator, &block->handed, end - begin);
	for (int slot = begin; slot < end && !block->is_out_of_memory; ++slot) {
		int flags = proxies->flags[slot];
		if ((flags & RBL_PROXY_STATIC) || !rbl_proxies_is_live(proxies, (uint32_t)slot))
			continue;
		if (flags & RBL_PROXY_REPLACED)
			proxies->fat_boxes[slot] = job->is_hurried
			                               ? proxies->items[slot].box
			                               : rbl_proxies_fatten(proxies, slot, bsp->margin);
		block->slots.data[block->slots.count++] = slot;
	}
	block->is_out_of_memory = block->is_out_of_memory || !hand_down(bsp, block);
}

// Where each part goes in its leaf, and room for all.
static bool place_parts(rbl_bsp *bsp, int block_count)
{
	for (int i = 0; i < bsp->leaves.count; ++i)
		bsp->leaves.data[i].moving.count = 0;
	for (int b = 0; b < block_count; ++b) {
		rbl_bsp_block *block = &bsp->blocks[b];
		if (block->is_out_of_memory)
			return false;
		for (int i = 0; i < block->parts.count; ++i) {
			rbl_bsp_leaf *leaf = &bsp->leaves.data[block->parts.data[i].leaf];
			block->parts.data[i].place = leaf->moving.count;
			leaf->moving.count += block->parts.data[i].count;
		}
	}
	for (int i = 0; i < bsp->leaves.count; ++i) {
		rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		int count = leaf->moving.count;
		leaf->moving.count = 0;
		if (!rbl_list_reserve(&bsp->allocator, &leaf->moving, count))
			return false;
		leaf->moving.count = count;
		leaf->is_ordered = false;
		leaf->is_refilled = leaf->node >= 0;
	}
	return true;
}

static void fill_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	rbl_bsp *bsp = context;
	for (int b = begin; b < end; ++b) {
		const rbl_bsp_block *block = &bsp->blocks[b];
		for (int i = 0; i < block->parts.count; ++i) {
			rbl_bsp_part part = block->parts.data[i];
			memcpy(bsp->leaves.data[part.leaf].moving.data + part.place,
			       block->handed.data + part.begin, (size_t)part.count * sizeof(uint32_t));
		}
	}
}

// When many boxes are fast (`is_hurried`), fat boxes are a burden: they are made tight, and
// everything is handed out again next time.
static bool hand_out_all(rbl_bsp *bsp, bool is_hurried, bool has_still_leavers)
{
	rbl_proxies *proxies = bsp->proxies;
	bsp->last_hand_out = bsp->update_index;
	for (int i = 0; i < proxies->changed.count && has_still_leavers; ++i) {
		int slot = proxies->changed.data[i], flags = proxies->flags[slot];
		if (!(flags & RBL_PROXY_REPLACED) || !(flags & RBL_PROXY_STATIC))
			continue;
		rbl_box old_fat = proxies->fat_boxes[slot];
		proxies->fat_boxes[slot] = rbl_proxies_fatten(proxies, slot, bsp->margin);
		if (!rbl_bsp_enter(bsp, bsp->root, slot, old_fat))
			return false;
	}
	touch_every_leaf(bsp); // also leaves that only lose boxes
	int count = proxies->ids.slot_count;
	hand_out_job job = { bsp, block_size_for(count), is_hurried };
	int block_count = (count + job.block_size - 1) / job.block_size;
	rbl_parallel_for(bsp->jobs, count, job.block_size, hand_out_block, &job);
	if (!place_parts(bsp, block_count))
		return false;
	rbl_parallel_for(bsp->jobs, block_count, 1, fill_block, bsp);
	return true;
}

// --- choosing ------------------------------------------------------------------------------------------

// A leaf that is about to lose its planes: its ended pairs are reported, the others found again.
static bool retire_all_pairs(rbl_bsp *bsp)
{
	for (int i = 0; i < bsp->leaves.count; ++i) {
		rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		const rbl_pair_array *pairs = &leaf->found.pairs;
		for (int k = 0; k < pairs->count; ++k) {
			if (rbl_proxies_pair_ended(bsp->proxies, pairs->data[k]) &&
			    !rbl_array_push(&bsp->allocator, &bsp->ended, pairs->data[k]))
				return false;
		}
		rbl_pair_lists_clear(&leaf->found);
	}
	return true;
}

bool rbl_bsp_take_in(rbl_bsp *bsp)
{
	const rbl_proxies *proxies = bsp->proxies;
	int live = proxies->live_count;
	rbl_proxies_settle(bsp->proxies);
	census c = count_changed(bsp);
	bsp->newcomers = c.newcomers;
	// Mostly newcomers and too many for one leaf: nothing there to adjust, so build.
	if (bsp->budget != 0 && c.newcomers > live / 2 && live > 2 * rbl_bsp_split_threshold(bsp))
		return retire_all_pairs(bsp) && rbl_bsp_rebuild(bsp) && hand_out_all(bsp, false, true);
	if (c.leavers > 512 && c.leavers > live / 3)
		return hand_out_all(bsp, c.fast > live / 4, c.still > 0);
	return take_in_leavers(bsp, proxies->changed.count > live / 4);
}

bool rbl_bsp_start_over(rbl_bsp *bsp)
{
	rbl_proxies *proxies = bsp->proxies;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		rbl_pair_lists_clear(&leaf->found);
		leaf->still.count = 0;
		leaf->is_stale = true;
		leaf->is_touched = false;
	}
	bsp->touched.count = 0;
	touch_every_leaf(bsp);
	for (int slot = 0; slot < proxies->ids.slot_count; ++slot) {
		if (!rbl_proxies_is_live(proxies, (uint32_t)slot))
			continue;
		proxies->fat_boxes[slot] = rbl_box_grow(proxies->items[slot].box, bsp->margin);
		if ((proxies->flags[slot] & RBL_PROXY_STATIC) &&
		    !rbl_bsp_enter(bsp, bsp->root, slot, rbl_box_empty()))
			return false;
	}
	return hand_out_all(bsp, false, false);
}
