// SPDX-License-Identifier: MIT
//
// Teams.
//
// A team is a loop that stays in the pool's list (base/jobs.c) for many loops in a row, its stages. Those who
// help stay with it from one stage to the next, so that a stage costs two atomic operations for each
// of them and no lock. Each worker begins with its own part of a stage, the same in every stage, whose
// data its cache has; then it helps with the others'. A part is one number: the stage, and how many
// blocks of the part are left. Whoever has taken a block knows that the stage cannot end before it,
// and may read what the owner wrote of the stage.

#define _POSIX_C_SOURCE 200809L

#include "base/pool.h"

#ifndef RBL_NO_THREADS

enum { CALL_EVERY = 16 }; // stages

bool rbl_team_has_blocks(rbl_team *team)
{
	unsigned stage = atomic_load_explicit(&team->stage, memory_order_relaxed);
	for (int i = 0; i < team->part_count; ++i) {
		unsigned long long state =
			atomic_load_explicit(&team->parts[i].state, memory_order_relaxed);
		if (state >> 32 == stage && (uint32_t)state > 0)
			return true;
	}
	return false;
}

// @return a block of the stage, -1 when the part has none left
static int take_block(rbl_team *team, int part, unsigned stage)
{
	atomic_ullong *state = &team->parts[part].state;
	unsigned long long old = atomic_load_explicit(state, memory_order_relaxed);
	do {
		if (old >> 32 != stage || (uint32_t)old == 0)
			return -1;
	} while (!atomic_compare_exchange_weak_explicit(state, &old, old - 1, memory_order_acquire,
	                                                memory_order_relaxed));
	uint64_t end = (uint64_t)team->block_count * (unsigned)(part + 1) / (unsigned)team->part_count;
	return (int)(end - (uint32_t)old);
}

static void run_stage(rbl_team *team, unsigned stage, int worker, bool is_owner)
{
	unsigned count = 0;
	for (int i = 0; i < team->part_count; ++i) {
		int part = (worker + i) % team->part_count;
		for (int block; (block = take_block(team, part, stage)) >= 0; ++count) {
			int begin = block * team->block_size;
			int end = team->item_count - begin < team->block_size ? team->item_count
			                                                      : begin + team->block_size;
			team->function(team->context, begin, end, worker);
		}
	}
	if (count == 0)
		return;
	atomic_fetch_add(&team->done_count, count);
	if (!is_owner && atomic_load(&team->is_waiting)) {
		rbl_pool_lock(team->pool);
		pthread_cond_broadcast(&team->pool->progress);
		rbl_pool_unlock(team->pool);
	}
}

// @return false: none came for a while, or the team is over
static bool wait_for_next(const rbl_team *team, unsigned stage)
{
	for (int i = 0; i < team->pool->spin_tries; ++i, rbl_pause_briefly()) {
		if (atomic_load_explicit(&team->is_over, memory_order_relaxed))
			return false;
		if (atomic_load_explicit(&team->stage, memory_order_relaxed) != stage)
			return true;
	}
	return false;
}

// Stages come in a row; a helper that waits in vain goes to look for other work.
void rbl_team_stay(rbl_team *team, int worker)
{
	unsigned stage;
	do {
		stage = atomic_load_explicit(&team->stage, memory_order_acquire);
		run_stage(team, stage, worker, false);
	} while (wait_for_next(team, stage));
}

// Blocks take microseconds. One that takes longer is of a helper that had to give up its processor,
// and may wait for this very one.
static void wait_for_stage(rbl_team *team, unsigned block_count)
{
	for (int i = 0; i < team->pool->spin_tries / 4; ++i, rbl_pause_briefly())
		if (atomic_load_explicit(&team->done_count, memory_order_acquire) == block_count)
			return;
	rbl_pool_lock(team->pool);
	atomic_store(&team->is_waiting, true);
	while (atomic_load(&team->done_count) < block_count)
		rbl_pool_sleep_until_progress(team->pool);
	atomic_store(&team->is_waiting, false);
	rbl_pool_unlock(team->pool);
}

void rbl_team_for(rbl_team *team, int item_count, int block_size, rbl_block_function *function,
                  void *context)
{
	RBL_ASSERT(item_count >= 0 && block_size >= 1 && function);
	if (!team || item_count <= block_size) {
		rbl_run_serially(item_count, block_size, function, context, team ? team->worker : 0);
		return;
	}
	unsigned block_count = (unsigned)((item_count - 1) / block_size + 1);
	team->function = function, team->context = context;
	team->item_count = item_count, team->block_size = block_size;
	team->block_count = block_count;
	atomic_store_explicit(&team->done_count, 0, memory_order_relaxed);
	unsigned stage = atomic_load_explicit(&team->stage, memory_order_relaxed) + 1;
	uint64_t parts = (uint64_t)team->part_count;
	for (uint64_t i = 0; i < parts; ++i) {
		uint64_t left = block_count * (i + 1) / parts - block_count * i / parts;
		atomic_store_explicit(&team->parts[i].state, (uint64_t)stage << 32 | left,
		                      memory_order_release);
	}
	atomic_store_explicit(&team->stage, stage, memory_order_release);
	// Those who left are called back now and then: where there is no processor for them, a call for each
	// stage would cost more than all stages.
	if ((team->is_calling || stage % CALL_EVERY == 0) &&
	    rbl_helper_count(&team->own) < team->pool->worker_count - 1) {
		rbl_pool_lock(team->pool);
		rbl_call_list list = rbl_pool_announce(team->pool, &team->own);
		rbl_pool_unlock(team->pool);
		rbl_pool_call(team->pool, list);
	}
	run_stage(team, stage, team->worker, true);
	wait_for_stage(team, block_count);
}

void rbl_team_call_always(rbl_team *team)
{
	if (team)
		team->is_calling = true;
}

// Called and left under the lock.
static void open_team(rbl_jobs *jobs, const rbl_frame *outer, rbl_team *team)
{
	team->worker = outer ? outer->worker : rbl_pool_take_slot(jobs, 0);
	while (team->worker < 0) {
		rbl_pool_sleep_until_progress(jobs);
		team->worker = rbl_pool_take_slot(jobs, 0);
	}
	team->own.parent = outer ? outer->running : NULL;
	team->own.previous = team->own.next = NULL;
	team->is_calling = false;
	atomic_store(&team->is_over, false);
	rbl_pool_add_loop(jobs, &team->own);
}

void rbl_team_init(rbl_jobs *jobs, rbl_team *team)
{
	team->pool = jobs;
	team->part_count = jobs->worker_count < RBL_MOST_PARTS ? jobs->worker_count : RBL_MOST_PARTS;
	team->own.block_count = (unsigned)jobs->worker_count;
	team->own.team = team;
}

void rbl_run_team(rbl_jobs *jobs, rbl_team_function *function, void *context)
{
	if (!jobs || jobs->worker_count == 1) {
		function(NULL, context);
		return;
	}
	rbl_team second = { .worker = 0 }, *team = &second;
	rbl_team_init(jobs, &second);
	const rbl_frame *outer = rbl_pool_find_frame(jobs);
	rbl_pool_lock(jobs);
	if (!jobs->has_team) {
		jobs->has_team = true;
		team = &jobs->team;
	}
	open_team(jobs, outer, team);
	rbl_call_list list = rbl_pool_announce(jobs, &team->own);
	rbl_pool_unlock(jobs);
	rbl_pool_call(jobs, list);
	int worker = team->worker;
	const rbl_frame self = { jobs, worker, &team->own, rbl_innermost_frame };
	rbl_innermost_frame = &self;
	function(team, context);
	rbl_innermost_frame = self.outer;
	rbl_pool_lock(jobs);
	atomic_store(&team->is_over, true);
	if (team == &jobs->team) {
		rbl_pool_remove_loop(jobs, &team->own);
		jobs->has_team = false;
	} else {
		rbl_pool_finish(jobs, &team->own, worker);
	}
	if (!outer)
		rbl_pool_give_slot(jobs, worker);
	rbl_pool_unlock(jobs);
}

#endif
