// SPDX-License-Identifier: MIT
//
// Worker groups.
//
// A group is a loop that stays in the pool's list (base/jobs.c) for many loops in a row, its
// stages. Those who help stay with it from one stage to the next, so that a stage costs two atomic
// operations for each of them and no lock. Each worker begins with its own part of a stage, the
// same in every stage, whose data its cache has; then it helps with the others'. A part is one
// number: the stage, and how many blocks of the part are left. Whoever has taken a block knows that
// the stage cannot end before it, and may read what the owner wrote of the stage.

#define _POSIX_C_SOURCE 200809L

#include "base/loop_observer.h"
#include "base/worker_pool.h"

#ifndef RBL_NO_THREADS

enum { CALL_EVERY = 16 }; // stages

bool rbl_worker_group_has_blocks(rbl_worker_group *group)
{
	unsigned stage = atomic_load_explicit(&group->stage, memory_order_relaxed);
	for (int i = 0; i < group->part_count; ++i) {
		unsigned long long state =
			atomic_load_explicit(&group->parts[i].state, memory_order_relaxed);
		if (state >> 32 == stage && (uint32_t)state > 0)
			return true;
	}
	return false;
}

// @return a block of the stage, -1 when the part has none left
static int take_block(rbl_worker_group *group, int part, unsigned stage)
{
	atomic_ullong *state = &group->parts[part].state;
	unsigned long long old = atomic_load_explicit(state, memory_order_relaxed);
	do {
		if (old >> 32 != stage || (uint32_t)old == 0)
			return -1;
	} while (!atomic_compare_exchange_weak_explicit(state, &old, old - 1, memory_order_acquire,
	                                                memory_order_relaxed));
	uint64_t end =
		(uint64_t)group->block_count * (unsigned)(part + 1) / (unsigned)group->part_count;
	return (int)(end - (uint32_t)old);
}

static void run_stage(rbl_worker_group *group, unsigned stage, int worker, bool is_owner)
{
	unsigned count = 0;
	for (int i = 0; i < group->part_count; ++i) {
		int part = (worker + i) % group->part_count;
		for (int block; (block = take_block(group, part, stage)) >= 0; ++count) {
			int begin = block * group->block_size;
			int end = group->item_count - begin < group->block_size ? group->item_count
			                                                        : begin + group->block_size;
			group->function(group->context, begin, end, worker);
			rbl_observe_loop(RBL_LOOP_BLOCK_ENDS);
		}
	}
	if (count == 0)
		return;
	atomic_fetch_add(&group->done_count, count);
	if (!is_owner && atomic_load(&group->is_waiting)) {
		rbl_pool_lock(group->pool);
		rbl_condition_wake_all(&group->pool->progress);
		rbl_pool_unlock(group->pool);
	}
}

// @return false: none came for a while, or the group is over
static bool wait_for_next(const rbl_worker_group *group, unsigned stage)
{
	for (int i = 0; i < group->pool->spin_tries; ++i, rbl_pause_briefly()) {
		if (atomic_load_explicit(&group->is_over, memory_order_relaxed))
			return false;
		if (atomic_load_explicit(&group->stage, memory_order_relaxed) != stage)
			return true;
	}
	return false;
}

// Stages come in a row; a helper that waits in vain goes to look for other work.
void rbl_worker_group_stay(rbl_worker_group *group, int worker)
{
	unsigned stage;
	do {
		stage = atomic_load_explicit(&group->stage, memory_order_acquire);
		run_stage(group, stage, worker, false);
	} while (wait_for_next(group, stage));
}

// Blocks take microseconds. One that takes longer is of a helper that had to give up its processor,
// and may wait for this very one.
static void wait_for_stage(rbl_worker_group *group, unsigned block_count)
{
	for (int i = 0; i < group->pool->spin_tries / 4; ++i, rbl_pause_briefly())
		if (atomic_load_explicit(&group->done_count, memory_order_acquire) == block_count)
			return;
	rbl_pool_lock(group->pool);
	atomic_store(&group->is_waiting, true);
	while (atomic_load(&group->done_count) < block_count)
		rbl_pool_sleep_until_progress(group->pool);
	atomic_store(&group->is_waiting, false);
	rbl_pool_unlock(group->pool);
}

void rbl_worker_group_for(rbl_worker_group *group, int item_count, int block_size,
                          rbl_block_function *function, void *context)
{
	RBL_ASSERT(item_count >= 0 && block_size >= 1 && function);
	if (!group || item_count <= block_size) {
		rbl_run_serially(item_count, block_size, function, context, group ? group->worker : 0);
		return;
	}
	rbl_observe_loop(RBL_LOOP_BEGINS);
	unsigned block_count = (unsigned)((item_count - 1) / block_size + 1);
	group->function = function, group->context = context;
	group->item_count = item_count, group->block_size = block_size;
	group->block_count = block_count;
	atomic_store_explicit(&group->done_count, 0, memory_order_relaxed);
	unsigned stage = atomic_load_explicit(&group->stage, memory_order_relaxed) + 1;
	uint64_t parts = (uint64_t)group->part_count;
	for (uint64_t i = 0; i < parts; ++i) {
		uint64_t left = block_count * (i + 1) / parts - block_count * i / parts;
		atomic_store_explicit(&group->parts[i].state, (uint64_t)stage << 32 | left,
		                      memory_order_release);
	}
	atomic_store_explicit(&group->stage, stage, memory_order_release);
	// Those who left are called back now and then: where there is no processor for them, a call for
	// each stage would cost more than all stages.
	if ((group->is_calling || stage % CALL_EVERY == 0) &&
	    rbl_helper_count(&group->own) < group->pool->worker_count - 1) {
		rbl_pool_lock(group->pool);
		rbl_call_list list = rbl_pool_announce(group->pool, &group->own);
		rbl_pool_unlock(group->pool);
		rbl_pool_call(group->pool, list);
	}
	run_stage(group, stage, group->worker, true);
	wait_for_stage(group, block_count);
	rbl_observe_loop(RBL_LOOP_ENDS);
}

void rbl_worker_group_wake_always(rbl_worker_group *group)
{
	if (group)
		group->is_calling = true;
}

// Called and left under the lock.
static void open_group(rbl_jobs *jobs, const rbl_worker_frame *outer, rbl_worker_group *group)
{
	group->worker = outer ? outer->worker : rbl_pool_take_slot(jobs, 0);
	while (group->worker < 0) {
		rbl_pool_sleep_until_progress(jobs);
		group->worker = rbl_pool_take_slot(jobs, 0);
	}
	group->own.parent = outer ? outer->running : NULL;
	group->own.previous = group->own.next = NULL;
	group->is_calling = false;
	atomic_store(&group->is_over, false);
	rbl_pool_add_loop(jobs, &group->own);
}

void rbl_worker_group_init(rbl_jobs *jobs, rbl_worker_group *group)
{
	group->pool = jobs;
	group->part_count = jobs->worker_count < RBL_MOST_PARTS ? jobs->worker_count : RBL_MOST_PARTS;
	group->own.block_count = (unsigned)jobs->worker_count;
	group->own.group = group;
}

void rbl_run_worker_group(rbl_jobs *jobs, rbl_worker_group_function *function, void *context)
{
	if (!jobs || jobs->worker_count == 1) {
		function(NULL, context);
		return;
	}
	rbl_worker_group second = { .worker = 0 }, *group = &second;
	rbl_worker_group_init(jobs, &second);
	const rbl_worker_frame *outer = rbl_pool_find_frame(jobs);
	rbl_pool_lock(jobs);
	if (!jobs->has_group) {
		jobs->has_group = true;
		group = &jobs->group;
	}
	open_group(jobs, outer, group);
	rbl_call_list list = rbl_pool_announce(jobs, &group->own);
	rbl_pool_unlock(jobs);
	rbl_pool_call(jobs, list);
	int worker = group->worker;
	const rbl_worker_frame self = { jobs, worker, &group->own, rbl_innermost_worker_frame };
	rbl_innermost_worker_frame = &self;
	function(group, context);
	rbl_innermost_worker_frame = self.outer;
	rbl_pool_lock(jobs);
	atomic_store(&group->is_over, true);
	if (group == &jobs->group) {
		rbl_pool_remove_loop(jobs, &group->own);
		jobs->has_group = false;
	} else {
		rbl_pool_finish(jobs, &group->own, worker);
	}
	if (!outer)
		rbl_pool_give_slot(jobs, worker);
	rbl_pool_unlock(jobs);
}

#endif
