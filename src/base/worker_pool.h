// SPDX-License-Identifier: MIT
//
// What a pool of workers is made of, for base/jobs.c, which says how it works, base/worker_group.c
// and base/jobs_serial.c.
#pragma once

#include "base/log.h"
#include "base/memory.h"
#include "base/task.h"
#include "base/thread_local.h"
#include "base/worker_group.h"

#include <rubble/jobs.h>

/// All blocks in order, on the calling thread.
void rbl_run_serially(int item_count, int block_size, rbl_block_function *function, void *context,
                      int worker);

bool rbl_loop_is_valid(int item_count, int block_size, rbl_block_function *function);

rbl_result rbl_jobs_check_def(const rbl_jobs_def *def);

#ifndef RBL_NO_THREADS

#include "base/thread.h"

#include <stdatomic.h>

enum { RBL_MOST_PARTS = 16 }; // of a stage; more workers share them

typedef struct rbl_loop {
	rbl_block_function *function;
	void *context;
	int item_count, block_size;
	unsigned block_count;
	const struct rbl_loop *parent;    // the loop whose block opened this one, or NULL
	struct rbl_loop *previous, *next; // in the pool's list
	atomic_int helper_count;          // changed under the lock
	rbl_worker_group *group;          // that this loop is for, or NULL
	rbl_error_line *error;            // the owner's, for helpers to write to under the lock
	_Alignas(RBL_CACHE_LINE) atomic_uint next_block;
} rbl_loop;

typedef struct rbl_worker_group_part {
	_Alignas(RBL_CACHE_LINE) atomic_ullong state; // number of the stage << 32 | blocks left
} rbl_worker_group_part;

struct rbl_worker_group {
	rbl_loop own; // of which only the place in the list and the count of helpers are used
	rbl_jobs *pool;
	int worker; // the owner's
	int part_count;
	bool is_calling; // those who left, for every stage

	// The stage.
	rbl_block_function *function;
	void *context;
	int item_count, block_size;
	unsigned block_count;

	_Alignas(RBL_CACHE_LINE) atomic_uint stage; // its number
	atomic_bool is_over;
	_Alignas(RBL_CACHE_LINE) atomic_uint done_count; // blocks
	atomic_bool is_waiting;                          // the owner sleeps until all are done
	rbl_worker_group_part parts[RBL_MOST_PARTS];
};

// That this thread works in a pool: innermost first, one for each pool and each nested loop.
typedef struct rbl_worker_frame {
	const rbl_jobs *pool;
	int worker;
	const rbl_loop *running;
	const struct rbl_worker_frame *outer;
} rbl_worker_frame;

extern RBL_THREAD_LOCAL const rbl_worker_frame *rbl_innermost_worker_frame;

struct rbl_jobs {
	rbl_allocator allocator;
	int worker_count;
	int thread_count; // own threads
	int spin_tries;
	void (*start_task)(void *user, rbl_task_function *function, void *task);
	void *user;
	rbl_thread threads[RBL_MAX_WORKERS];

	// News: counts loops opened, so that waiting threads need not take the lock to look.
	_Alignas(RBL_CACHE_LINE) atomic_uint news;

	// The rest is read and written under the lock.
	_Alignas(RBL_CACHE_LINE) rbl_mutex mutex;
	rbl_condition work;     // for threads of the pool that have nothing to do
	rbl_condition progress; // for threads that wait for a loop's end, a slot, or the last task
	int idle_count;         // asleep on `work`
	int waiting_count;      // asleep on `progress`
	int task_count;         // started and not yet ended
	int arrived_count;      // own threads that have begun
	uint64_t free_slots;
	rbl_loop *first, *last;
	rbl_task *first_task, *last_task; // to work on in the background
	bool is_stopping;

	// One group at a time need not wait for its helpers to leave: they may be late by as long as
	// the system pleases, and what they look at is still there.
	bool has_group;
	rbl_worker_group group;
};

// How many to call once the lock is open: a thread that is woken under the lock would only run
// into it.
typedef struct rbl_call_list {
	int thread_count, task_count;
} rbl_call_list;

static inline void rbl_pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static inline int rbl_helper_count(rbl_loop *l)
{
	return atomic_load_explicit(&l->helper_count, memory_order_acquire);
}

void rbl_pool_lock(rbl_jobs *pool);
void rbl_pool_unlock(rbl_jobs *pool);

// All of these are called and left under the lock, but for the first and the last.

/// @return the innermost frame of this thread in the pool, or NULL
const rbl_worker_frame *rbl_pool_find_frame(const rbl_jobs *pool);

/// @return a free slot, `preferred` if possible, or -1
int rbl_pool_take_slot(rbl_jobs *pool, int preferred);
void rbl_pool_give_slot(rbl_jobs *pool, int slot);

void rbl_pool_add_loop(rbl_jobs *pool, rbl_loop *l);
void rbl_pool_remove_loop(rbl_jobs *pool, rbl_loop *l);

/// Take a loop off the list, and wait until nobody touches it.
void rbl_pool_finish(rbl_jobs *pool, rbl_loop *own, int worker);

void rbl_pool_sleep_until_progress(rbl_jobs *pool);

/// Announce a loop in the list. @return how many to wake once the lock is released
rbl_call_list rbl_pool_announce(rbl_jobs *pool, const rbl_loop *l);
void rbl_pool_call(rbl_jobs *pool, rbl_call_list list);

void rbl_worker_group_init(rbl_jobs *jobs, rbl_worker_group *group);

bool rbl_worker_group_has_blocks(rbl_worker_group *group);

/// Help with the group's stages until none comes for a while.
void rbl_worker_group_stay(rbl_worker_group *group, int worker);

#endif
