// SPDX-License-Identifier: MIT
//
// The baseline: dynamic bounding-volume trees. See box_tree.h.
//
// Queries are made in blocks whose results are joined in order, so pairs are in the same order for
// any number of workers.

#include "broadphase/box_tree.h"

#include "base/clock.h"

enum { SLOTS_PER_BLOCK = 256 };

static rbl_tree *tree_of(rbl_box_tree *bt, int slot)
{
	return &bt->trees[(bt->proxies->flags[slot] & RBL_PROXY_STATIC) != 0];
}

// --- insertion -----------------------------------------------------------------------------------

static bool refit(rbl_box_tree *bt, int slot)
{
	rbl_proxies *proxies = bt->proxies;
	rbl_tree *tree = tree_of(bt, slot);
	rbl_box old = proxies->fat_boxes[slot];
	rbl_box fat = proxies->fat_boxes[slot] = rbl_proxies_fatten(proxies, slot, bt->margin);
	if (rbl_tree_has_leaf(&bt->pool, (uint32_t)slot)) {
		if (rbl_box_overlaps(old, fat)) {
			rbl_tree_move(tree, (uint32_t)slot, fat);
			return true;
		}
		rbl_tree_remove(tree, (uint32_t)slot); // it jumped: its neighbours are others now
	}
	return rbl_tree_insert(tree, (uint32_t)slot, fat, RBL_TREE_NONE) == RBL_OK;
}

static bool refit_all(rbl_box_tree *bt)
{
	for (int i = 0; i < bt->refitted.count; ++i) {
		if (!refit(bt, bt->refitted.data[i]))
			return false;
	}
	unsigned options = bt->is_adjusting ? RBL_TREE_PERMUTE : 0;
	for (int kind = 0; kind < 2; ++kind)
		bt->stats.work += rbl_tree_update(&bt->trees[kind], options);
	return true;
}

// Build one of the trees from all boxes of its kind.
static bool build(rbl_box_tree *bt, int kind)
{
	const rbl_proxies *proxies = bt->proxies;
	bt->boxes.count = bt->ids.count = 0;
	for (int slot = 0; slot < proxies->ids.slot_count; ++slot) {
		if (!rbl_proxies_is_live(proxies, (uint32_t)slot) ||
		    (proxies->flags[slot] & RBL_PROXY_STATIC) != kind)
			continue;
		bt->boxes.data[bt->boxes.count++] = proxies->fat_boxes[slot];
		bt->ids.data[bt->ids.count++] = (uint32_t)slot;
	}
	rbl_tree_build_input input = {
		.count = bt->boxes.count,
		.boxes = bt->boxes.data,
		.ids = bt->ids.data,
		.jobs = bt->jobs,
	};
	if (rbl_tree_build(&bt->trees[kind], &input) != RBL_OK)
		return false;
	rbl_tree_balance(&bt->trees[kind]);
	return true;
}

// Build both trees; every box searches its pairs.
static bool rebuild(rbl_box_tree *bt)
{
	rbl_proxies *proxies = bt->proxies;
	if (!rbl_array_reserve(&bt->allocator, &bt->refitted, proxies->live_count) ||
	    !rbl_array_reserve(&bt->allocator, &bt->boxes, proxies->live_count) ||
	    !rbl_array_reserve(&bt->allocator, &bt->ids, proxies->live_count))
		return false;
	bt->all_are_refitted = true;
	bt->refitted.count = 0;
	for (int slot = 0; slot < proxies->ids.slot_count; ++slot) {
		if (!rbl_proxies_is_live(proxies, (uint32_t)slot))
			continue;
		if (!rbl_box_contains(proxies->fat_boxes[slot], proxies->items[slot].box) ||
		    bt->proxies->must_reset)
			proxies->fat_boxes[slot] = rbl_proxies_fatten(proxies, slot, bt->margin);
		bt->refitted.data[bt->refitted.count++] = slot;
	}
	bt->stats.rebuilds++;
	return build(bt, 0) && build(bt, RBL_PROXY_STATIC);
}

// Removed boxes leave the trees; those that left their fat boxes are refitted.
static bool insert_changed(rbl_box_tree *bt)
{
	rbl_proxies *proxies = bt->proxies;
	bt->all_are_refitted = false;
	bt->refitted.count = 0;
	if (!rbl_array_reserve(&bt->allocator, &bt->refitted, proxies->changed.count))
		return false;
	for (int i = 0; i < proxies->changed.count; ++i) {
		int slot = proxies->changed.data[i];
		if (proxies->flags[slot] & RBL_PROXY_REMOVED) {
			if (rbl_tree_has_leaf(&bt->pool, (uint32_t)slot))
				rbl_tree_remove(tree_of(bt, slot), (uint32_t)slot);
		} else if (!rbl_box_contains(proxies->fat_boxes[slot], proxies->items[slot].box)) {
			proxies->flags[slot] |= RBL_PROXY_REFITTED;
			bt->refitted.data[bt->refitted.count++] = slot;
		}
	}
	bool are_many = bt->refitted.count > 64 && bt->refitted.count > proxies->live_count / 2;
	return are_many && bt->is_adjusting ? rebuild(bt) : refit_all(bt);
}

// --- pairs ---------------------------------------------------------------------------------------

typedef struct search {
	const rbl_box_tree *bt;
	rbl_box_tree_block *block;
	uint32_t slot;
} search;

// Of two refitted boxes, the one with the smaller slot finds the pair.
static bool add_found(void *context, const uint32_t *leaves, int count)
{
	const search *s = context;
	const rbl_proxies *proxies = s->bt->proxies;
	for (int i = 0; i < count; ++i) {
		uint32_t other = leaves[i];
		bool is_refitted = s->bt->all_are_refitted || (proxies->flags[other] & RBL_PROXY_REFITTED);
		if (other == s->slot || (is_refitted && other < s->slot) ||
		    !rbl_proxies_may_pair(proxies, (int)s->slot, (int)other))
			continue;
		if (!rbl_pair_lists_add(proxies, s->slot, other, &s->block->found, &s->block->changes)) {
			s->block->changes.is_out_of_memory = true;
			return false;
		}
	}
	return true;
}

static void search_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const rbl_box_tree *bt = context;
	rbl_box_tree_block *block = &bt->blocks.data[begin / SLOTS_PER_BLOCK];
	rbl_pair_lists_clear(&block->found);
	block->changes.begun.count = block->changes.ended.count = 0;
	block->changes.is_out_of_memory = false;
	for (int i = begin; i < end; ++i) {
		int slot = bt->refitted.data[i];
		search s = { bt, block, (uint32_t)slot };
		rbl_box box = bt->proxies->fat_boxes[slot];
		rbl_tree_query_box(&bt->trees[0], box, add_found, &s);
		if (!(bt->proxies->flags[slot] & RBL_PROXY_STATIC))
			rbl_tree_query_box(&bt->trees[1], box, add_found, &s);
	}
}

static bool search_pairs(rbl_box_tree *bt)
{
	const rbl_allocator *a = &bt->allocator;
	int block_count = (bt->refitted.count + SLOTS_PER_BLOCK - 1) / SLOTS_PER_BLOCK;
	if (!rbl_array_reserve(a, &bt->blocks, block_count))
		return false;
	while (bt->blocks.count < block_count)
		bt->blocks.data[bt->blocks.count++] = (rbl_box_tree_block){ 0 };
	rbl_parallel_for(bt->jobs, bt->refitted.count, SLOTS_PER_BLOCK, search_block, bt);
	int pairs = bt->pairs.pairs.count, near_pairs = bt->pairs.near_pairs.count;
	int begun = bt->changes.begun.count;
	for (int i = 0; i < block_count; ++i) {
		const rbl_box_tree_block *block = &bt->blocks.data[i];
		pairs += block->found.pairs.count;
		near_pairs += block->found.near_pairs.count;
		begun += block->changes.begun.count;
	}
	if (!rbl_proxy_list_reserve(a, &bt->pairs.pairs, pairs) ||
	    !rbl_proxy_list_reserve(a, &bt->pairs.near_pairs, near_pairs) ||
	    !rbl_proxy_list_reserve(a, &bt->changes.begun, begun))
		return false;
	for (int i = 0; i < block_count; ++i) {
		rbl_box_tree_block *block = &bt->blocks.data[i];
		if (block->changes.is_out_of_memory ||
		    !rbl_pair_lists_append(a, &bt->pairs, &block->found) ||
		    !rbl_pairs_append(a, &bt->changes.begun, &block->changes.begun))
			return false;
	}
	return true;
}

// Pairs that changed list come after those that stayed, and those that were found after them.
static bool find_pairs(rbl_box_tree *bt)
{
	rbl_pair_lists_clear(&bt->moved);
	return rbl_pair_lists_retest(bt->proxies, &bt->pairs, bt->all_are_refitted, &bt->moved,
	                             &bt->changes) &&
	       rbl_pair_lists_append(&bt->allocator, &bt->pairs, &bt->moved) && search_pairs(bt);
}

// After a failed update.
static bool reset(rbl_box_tree *bt)
{
	rbl_tree_clear(&bt->trees[0]);
	rbl_tree_clear(&bt->trees[1]);
	rbl_pair_lists_clear(&bt->pairs);
	return rebuild(bt);
}

static bool report_all_as_begun(rbl_box_tree *bt)
{
	bt->changes.begun.count = bt->changes.ended.count = 0;
	return rbl_pairs_append(&bt->allocator, &bt->changes.begun, &bt->pairs.pairs);
}

static void free_search(rbl_box_tree *bt)
{
	const rbl_allocator *a = &bt->allocator;
	for (int i = 0; i < bt->blocks.count; ++i) {
		rbl_pair_lists_free(a, &bt->blocks.data[i].found);
		rbl_pair_changes_free(a, &bt->blocks.data[i].changes);
	}
	rbl_array_free(a, &bt->blocks);
	rbl_array_free(a, &bt->refitted);
	rbl_array_free(a, &bt->boxes);
	rbl_array_free(a, &bt->ids);
	rbl_pair_changes_free(a, &bt->changes);
}

// Release what only a burst needed, before the lists of the last update are made anew.
static void release_tree_lists(rbl_box_tree *bt)
{
	bt->max_refitted = rbl_maxi(bt->max_refitted, bt->refitted.count);
	if (bt->update_index++ % RBL_PROXY_IDLE_UPDATES != 0)
		return;
	if (bt->refitted.capacity > 8 * bt->max_refitted + 1024)
		free_search(bt);
	bt->max_refitted = 0;
}

rbl_result rbl_box_tree_update(rbl_box_tree *bt, rbl_broadphase_result *result)
{
	bool was_reset = bt->proxies->must_reset;
	rbl_proxies_begin_update(bt->proxies);
	release_tree_lists(bt);
	bt->changes.begun.count = bt->changes.ended.count = 0;
	bt->stats.work = 0;
	uint64_t start = rbl_clock_ns();
	bool ok = was_reset ? reset(bt) : insert_changed(bt);
	uint64_t inserted = rbl_clock_ns();
	ok = ok && find_pairs(bt) && (!was_reset || report_all_as_begun(bt));
	bt->stats.update_ms = (double)(inserted - start) * 1e-6;
	bt->stats.pairs_ms = (double)(rbl_clock_ns() - inserted) * 1e-6;
	rbl_proxies_commit(bt->proxies);
	bt->proxies->must_reset = !ok;
	if (!ok)
		return RBL_OUT_OF_MEMORY;
	bt->run = (rbl_pair_list){ bt->pairs.pairs.data, bt->pairs.pairs.count };
	*result = (rbl_broadphase_result){
		.runs = &bt->run,
		.run_count = 1,
		.pair_count = bt->run.count,
		.begun = { bt->changes.begun.data, bt->changes.begun.count },
		.ended = { bt->changes.ended.data, bt->changes.ended.count },
		.was_reset = was_reset,
	};
	return RBL_OK;
}

// --- queries -------------------------------------------------------------------------------------

static bool query_tree_leaves(void *context, const uint32_t *leaves, int count)
{
	rbl_broadphase_query *query = context;
	for (int i = 0; i < count; ++i)
		rbl_broadphase_query_test(query, leaves[i]);
	return !query->is_done;
}

static float query_tree_cast(void *context, uint32_t leaf, float end)
{
	rbl_broadphase_query *query = context;
	rbl_broadphase_query_test(query, leaf);
	return query->is_done ? -1.0f : rbl_minf(end, query->limit);
}

void rbl_box_tree_query(const rbl_box_tree *bt, rbl_broadphase_query *q)
{
	for (int kind = q->is_static; kind < 2 && !q->is_done; ++kind) {
		if (q->overlap)
			rbl_tree_query_box(&bt->trees[kind], q->box, query_tree_leaves, q);
		else
			rbl_tree_query_cast(&bt->trees[kind], q->box, q->translation, q->limit, query_tree_cast,
			                    q);
	}
}

// --- creation and statistics ---------------------------------------------------------------------

void rbl_box_tree_init(rbl_box_tree *bt, rbl_proxies *proxies, const rbl_broadphase_def *def)
{
	*bt = (rbl_box_tree){
		.allocator = proxies->allocator,
		.proxies = proxies,
		.jobs = def->jobs,
		.margin = def->margin,
		.is_adjusting = def->work_budget != 0,
	};
	rbl_tree_pool_init(&bt->pool, &bt->allocator, 0);
	bt->trees[0] = rbl_tree_make(&bt->pool);
	bt->trees[1] = rbl_tree_make(&bt->pool);
}

void rbl_box_tree_destroy(rbl_box_tree *bt)
{
	free_search(bt);
	rbl_pair_lists_free(&bt->allocator, &bt->pairs);
	rbl_pair_lists_free(&bt->allocator, &bt->moved);
	rbl_tree_pool_destroy(&bt->pool);
}

void rbl_box_tree_fill_stats(const rbl_box_tree *bt, rbl_broadphase_stats *stats)
{
	*stats = bt->stats;
	stats->leaves = bt->trees[0].leaf_count + bt->trees[1].leaf_count;
	stats->depth = rbl_maxi(rbl_tree_height(&bt->trees[0]), rbl_tree_height(&bt->trees[1]));
	size_t bytes = rbl_tree_pool_memory(&bt->pool) + rbl_pair_lists_bytes(&bt->pairs) +
	               rbl_pair_lists_bytes(&bt->moved);
	for (int i = 0; i < bt->blocks.count; ++i)
		bytes += rbl_pair_lists_bytes(&bt->blocks.data[i].found) +
		         rbl_pair_changes_bytes(&bt->blocks.data[i].changes);
	bytes += (size_t)bt->boxes.capacity * sizeof(rbl_box);
	bytes += (size_t)(bt->ids.capacity + bt->refitted.capacity) * sizeof(int);
	bytes += rbl_pair_changes_bytes(&bt->changes);
	stats->bytes = bytes;
}
