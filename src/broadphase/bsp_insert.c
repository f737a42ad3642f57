// SPDX-License-Identifier: MIT
//
// Insertion of the boxes that changed since the last update.
//
// There are two ways. When some boxes left their fat boxes, each is inserted by itself: blocks of
// them descend the planes in parallel and list tasks for leaves, then the tasks are done in the
// order of the blocks. When a third of all boxes left theirs, all are distributed again: blocks of
// slots descend the planes, partitioned at each, and every leaf gets its shares in the order of the
// blocks. The borders of blocks depend on numbers of boxes alone, so lists are the same for any
// number of workers.

#include "broadphase/bsp.h"

// Boxes of a block: some ten microseconds of work at least.
static int insert_block_size(int count)
{
	return rbl_proxies_block_size(count, RBL_BSP_MAX_BLOCKS, 512);
}

// --- what changed --------------------------------------------------------------------------------

// The changed boxes of a block.
typedef struct change_counts {
	int refitted; // boxes that left their fat boxes
	int fast;     // of these, those that moved by more than the margin: no fat box would last
	int added;    // new boxes
	int statics;  // of the refitted, those that are static
} change_counts;

typedef struct count_job {
	rbl_bsp *bsp;
	int block_size;
	change_counts blocks[RBL_BSP_MAX_BLOCKS];
} count_job;

static void count_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	count_job *job = context;
	rbl_proxies *proxies = job->bsp->proxies;
	change_counts c = { 0 };
	for (int i = begin; i < end; ++i) {
		int slot = proxies->changed.data[i], flags = proxies->flags[slot];
		rbl_box box = proxies->items[slot].box;
		bool is_new = proxies->items[slot].changed_index < 0;
		c.added += is_new;
		if ((flags & RBL_PROXY_REMOVED) ||
		    (!(flags & RBL_PROXY_RESTS) && rbl_box_contains(proxies->fat_boxes[slot], box)))
			continue;
		bool is_enlarged = !is_new && !(flags & RBL_PROXY_RESTS);
		proxies->flags[slot] =
			(uint8_t)(flags | RBL_PROXY_REFITTED | (is_enlarged ? RBL_PROXY_ENLARGED : 0));
		c.refitted++;
		c.statics += flags & RBL_PROXY_STATIC;
		c.fast +=
			is_new || !rbl_box_contains(
						  rbl_box_grow(rbl_proxies_old_box(proxies, slot), job->bsp->margin), box);
	}
	job->blocks[begin / job->block_size] = c;
}

// Mark and count the boxes that left their fat boxes.
static change_counts count_changed(rbl_bsp *bsp)
{
	int count = bsp->proxies->changed.count;
	count_job job = { .bsp = bsp, .block_size = insert_block_size(count) };
	rbl_parallel_for(bsp->jobs, count, job.block_size, count_block, &job);
	change_counts all = { 0 };
	for (int i = 0; i * job.block_size < count; ++i) {
		all.refitted += job.blocks[i].refitted;
		all.fast += job.blocks[i].fast;
		all.added += job.blocks[i].added;
		all.statics += job.blocks[i].statics;
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
	block->tasks.count = block->slots.count = 0;
	block->shared.count = block->shares.count = 0;
	block->is_out_of_memory = false;
	return block;
}

// --- one by one ----------------------------------------------------------------------------------

static bool add_task(rbl_bsp *bsp, rbl_bsp_block *block, int leaf, int slot, rbl_bsp_task_kind kind)
{
	rbl_bsp_task task = { leaf, (uint32_t)slot, kind };
	return rbl_array_push(&bsp->allocator, &block->tasks, task);
}

// The same task for all leaves that a box overlaps.
static bool add_tasks(rbl_bsp *bsp, rbl_bsp_block *block, int slot, rbl_box box,
                      rbl_bsp_task_kind kind)
{
	if (rbl_box_is_empty(box))
		return true;
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int leaf; (leaf = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		if (!add_task(bsp, block, leaf, slot, kind))
			return false;
	}
	return true;
}

// The slot has a new fat box: tasks for the leaves that overlap `box`.
static bool add_refit_tasks(rbl_bsp *bsp, rbl_bsp_block *block, int slot, rbl_box old, rbl_box fat,
                            rbl_box box)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	for (int leaf; (leaf = rbl_bsp_next_leaf(bsp, &d, box)) >= 0;) {
		bool was_in = rbl_bsp_leaf_overlaps(bsp, leaf, old);
		bool is_in = rbl_bsp_leaf_overlaps(bsp, leaf, fat);
		rbl_bsp_task_kind kind = !was_in ? RBL_BSP_TASK_INSERT
		                         : is_in ? RBL_BSP_TASK_KEEP
		                                 : RBL_BSP_TASK_REMOVE;
		if ((was_in || is_in) && !add_task(bsp, block, leaf, slot, kind))
			return false;
	}
	return true;
}

static bool refit_box(rbl_bsp *bsp, rbl_bsp_block *block, int slot)
{
	rbl_box old = bsp->proxies->fat_boxes[slot];
	rbl_box fat = rbl_proxies_fatten(bsp->proxies, slot, bsp->margin);
	bsp->proxies->fat_boxes[slot] = fat;
	if (rbl_box_is_empty(old))
		return add_tasks(bsp, block, slot, fat, RBL_BSP_TASK_INSERT);
	// One descent serves both, unless it jumped: the box around both might be large then. What both
	// overlap has two tasks, which does no harm.
	if (rbl_box_overlaps(old, fat))
		return add_refit_tasks(bsp, block, slot, old, fat, rbl_box_join(old, fat));
	return add_refit_tasks(bsp, block, slot, old, fat, old) &&
	       add_refit_tasks(bsp, block, slot, old, fat, fat);
}

typedef struct insert_job {
	rbl_bsp *bsp;
	int block_size;
	bool touches_all; // leaves
	bool is_tight;    // fat boxes have no margin
} insert_job;

static void list_tasks(void *context, int begin, int end, int worker)
{
	(void)worker;
	const insert_job *job = context;
	rbl_bsp *bsp = job->bsp;
	const rbl_proxies *proxies = bsp->proxies;
	rbl_bsp_block *block = clear_block(bsp, begin / job->block_size);
	bool ok = true;
	for (int i = begin; i < end && ok; ++i) {
		int slot = proxies->changed.data[i], flags = proxies->flags[slot];
		if (flags & RBL_PROXY_REMOVED)
			ok = add_tasks(bsp, block, slot, proxies->fat_boxes[slot], RBL_BSP_TASK_REMOVE);
		else if (flags & RBL_PROXY_REFITTED)
			ok = refit_box(bsp, block, slot);
		else if (!job->touches_all)
			ok = add_tasks(bsp, block, slot, proxies->fat_boxes[slot], RBL_BSP_TASK_TOUCH);
	}
	block->is_out_of_memory = !ok;
}

static bool do_tasks(rbl_bsp *bsp, const rbl_bsp_block *block)
{
	for (int i = 0; i < block->tasks.count; ++i) {
		rbl_bsp_task task = block->tasks.data[i];
		rbl_bsp_leaf *leaf = &bsp->leaves.data[task.leaf];
		rbl_bsp_touch(bsp, task.leaf);
		if (task.kind == RBL_BSP_TASK_TOUCH)
			continue;
		leaf->has_removed = true;
		leaf->replaced += task.kind != RBL_BSP_TASK_REMOVE;
		if (task.kind == RBL_BSP_TASK_INSERT && !rbl_bsp_append(bsp, task.leaf, (int)task.slot))
			return false;
	}
	return !block->is_out_of_memory;
}

static bool insert_one_by_one(rbl_bsp *bsp, bool touch_all)
{
	int count = bsp->proxies->changed.count;
	insert_job job = { bsp, insert_block_size(count), .touches_all = touch_all };
	if (touch_all)
		touch_every_leaf(bsp);
	rbl_parallel_for(bsp->jobs, count, job.block_size, list_tasks, &job);
	for (int i = 0; i * job.block_size < count; ++i) {
		if (!do_tasks(bsp, &bsp->blocks[i]))
			return false;
	}
	return true;
}

// --- all at once ---------------------------------------------------------------------------------

typedef struct slot_range {
	int node, begin, end;
} slot_range;

// Distribute a block of slots to the leaves. The right side of a plane is at the end of the list
// and goes first; what reaches a leaf is put aside as a share.
static bool distribute_block(rbl_bsp *bsp, rbl_bsp_block *block)
{
	const rbl_allocator *a = &bsp->allocator;
	slot_range stack[RBL_MAX_BSP_HEIGHT + 2] = { { bsp->root, 0, block->slots.count } };
	int depth = 1;
	while (depth > 0) {
		slot_range range = stack[--depth];
		const rbl_bsp_node *node = &bsp->nodes.data[range.node];
		int count = range.end - range.begin;
		if (count == 0)
			continue;
		if (node->direction < 0) {
			rbl_bsp_share share = { node->children[0], block->shared.count, count, 0 };
			if (!rbl_array_push(a, &block->shares, share) ||
			    !rbl_array_extend(a, &block->shared, count))
				return false;
			memcpy(block->shared.data + block->shared.count, block->slots.data + range.begin,
			       (size_t)count * sizeof(int));
			block->shared.count += count;
			continue;
		}
		if (!rbl_array_reserve(a, &block->slots, range.end + count))
			return false;
		int left, right;
		rbl_bsp_partition_slots(bsp, node, &block->slots, range.begin, range.end, &left, &right);
		stack[depth++] = (slot_range){ node->children[0], range.begin, left };
		stack[depth++] = (slot_range){ node->children[1], range.end, right };
	}
	return true;
}

static void fill_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const insert_job *job = context;
	rbl_bsp *bsp = job->bsp;
	rbl_proxies *proxies = bsp->proxies;
	rbl_bsp_block *block = clear_block(bsp, begin / job->block_size);
	block->is_out_of_memory =
		!rbl_array_reserve(&bsp->allocator, &block->slots, 2 * (end - begin)) ||
		!rbl_array_reserve(&bsp->allocator, &block->shared, end - begin);
	for (int slot = begin; slot < end && !block->is_out_of_memory; ++slot) {
		int flags = proxies->flags[slot];
		if ((flags & RBL_PROXY_STATIC) || !rbl_proxies_is_live(proxies, (uint32_t)slot))
			continue;
		if (flags & RBL_PROXY_REFITTED)
			proxies->fat_boxes[slot] = job->is_tight
			                               ? proxies->items[slot].box
			                               : rbl_proxies_fatten(proxies, slot, bsp->margin);
		block->slots.data[block->slots.count++] = slot;
	}
	block->is_out_of_memory = block->is_out_of_memory || !distribute_block(bsp, block);
}

// Where each share goes in its leaf, and room for all.
static bool place_shares(rbl_bsp *bsp, int block_count)
{
	for (int i = 0; i < bsp->leaves.count; ++i)
		bsp->leaves.data[i].moving.count = 0;
	for (int b = 0; b < block_count; ++b) {
		rbl_bsp_block *block = &bsp->blocks[b];
		if (block->is_out_of_memory)
			return false;
		for (int i = 0; i < block->shares.count; ++i) {
			rbl_bsp_leaf *leaf = &bsp->leaves.data[block->shares.data[i].leaf];
			block->shares.data[i].target = leaf->moving.count;
			leaf->moving.count += block->shares.data[i].count;
		}
	}
	for (int i = 0; i < bsp->leaves.count; ++i) {
		rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		int count = leaf->moving.count;
		leaf->moving.count = 0;
		if (!rbl_proxy_list_reserve(&bsp->allocator, &leaf->moving, count))
			return false;
		leaf->moving.count = count;
		leaf->is_sorted = false;
		leaf->is_refilled = leaf->node >= 0;
	}
	return true;
}

static void fill_leaves(void *context, int begin, int end, int worker)
{
	(void)worker;
	rbl_bsp *bsp = context;
	for (int b = begin; b < end; ++b) {
		const rbl_bsp_block *block = &bsp->blocks[b];
		for (int i = 0; i < block->shares.count; ++i) {
			rbl_bsp_share share = block->shares.data[i];
			memcpy(bsp->leaves.data[share.leaf].moving.data + share.target,
			       block->shared.data + share.begin, (size_t)share.count * sizeof(uint32_t));
		}
	}
}

// When many boxes are fast, fat boxes are a burden: they are made tight (`is_tight`), and all boxes
// are distributed again next time.
static bool distribute_all(rbl_bsp *bsp, bool is_tight, bool has_refitted_statics)
{
	rbl_proxies *proxies = bsp->proxies;
	bsp->last_redistribution = bsp->update_index;
	for (int i = 0; i < proxies->changed.count && has_refitted_statics; ++i) {
		int slot = proxies->changed.data[i], flags = proxies->flags[slot];
		if (!(flags & RBL_PROXY_REFITTED) || !(flags & RBL_PROXY_STATIC))
			continue;
		rbl_box old_fat = proxies->fat_boxes[slot];
		proxies->fat_boxes[slot] = rbl_proxies_fatten(proxies, slot, bsp->margin);
		if (!rbl_bsp_insert(bsp, bsp->root, slot, old_fat))
			return false;
	}
	touch_every_leaf(bsp); // also leaves that only lose boxes
	int count = proxies->ids.slot_count;
	insert_job job = { bsp, insert_block_size(count), .is_tight = is_tight };
	int block_count = (count + job.block_size - 1) / job.block_size;
	rbl_parallel_for(bsp->jobs, count, job.block_size, fill_block, &job);
	if (!place_shares(bsp, block_count))
		return false;
	rbl_parallel_for(bsp->jobs, block_count, 1, fill_leaves, bsp);
	return true;
}

// --- choosing ------------------------------------------------------------------------------------

// Before all planes are replaced: ended pairs are reported, the others found again.
static bool retire_all_pairs(rbl_bsp *bsp)
{
	const rbl_proxies *proxies = bsp->proxies;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		rbl_pair_lists *found = &bsp->leaves.data[i].found;
		for (int k = 0; k < found->pairs.count; ++k) {
			rbl_pair pair = found->pairs.data[k];
			bool is_removed = (proxies->flags[pair.a] | proxies->flags[pair.b]) & RBL_PROXY_REMOVED;
			bool overlaps =
				rbl_box_overlaps(proxies->items[pair.a].box, proxies->items[pair.b].box);
			if ((is_removed || !overlaps) && !rbl_array_push(&bsp->allocator, &bsp->ended, pair))
				return false;
		}
		rbl_pair_lists_clear(found);
	}
	return true;
}

bool rbl_bsp_insert_changed(rbl_bsp *bsp)
{
	const rbl_proxies *proxies = bsp->proxies;
	int live = proxies->live_count;
	rbl_proxies_shrink_resting(bsp->proxies);
	change_counts c = count_changed(bsp);
	bsp->new_count = c.added;
	// Mostly new boxes and too many for one leaf: there is nothing to adjust, so build.
	bool is_new = bsp->budget != 0 && c.added > live / 2 && live > 2 * rbl_bsp_split_threshold(bsp);
	if (is_new || (bsp->build_interval > 0 && bsp->update_index % bsp->build_interval == 0))
		return retire_all_pairs(bsp) && rbl_bsp_rebuild(bsp) && distribute_all(bsp, false, true);
	if (c.refitted > 512 && c.refitted > live / 3)
		return distribute_all(bsp, c.fast > live / 4, c.statics > 0);
	return insert_one_by_one(bsp, proxies->changed.count > live / 4);
}

bool rbl_bsp_reset(rbl_bsp *bsp)
{
	rbl_proxies *proxies = bsp->proxies;
	for (int i = 0; i < bsp->leaves.count; ++i) {
		rbl_bsp_leaf *leaf = &bsp->leaves.data[i];
		rbl_pair_lists_clear(&leaf->found);
		leaf->statics.count = 0;
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
		    !rbl_bsp_insert(bsp, bsp->root, slot, rbl_box_empty()))
			return false;
	}
	return distribute_all(bsp, false, false);
}
