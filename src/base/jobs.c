// SPDX-License-Identifier: MIT
//
// The thread pool.
//
// A parallel loop lives on the stack of the thread that opened it, its owner. While it has
// blocks to give away it stands in the pool's list, oldest first, where helpers find it. Blocks
// are claimed with one atomic add; everything else happens under the pool's one lock:
//
//   - A thread that runs blocks holds a slot, and the slot's number is the `worker` that blocks
//     see. There are worker_count slots. An outside thread takes one for the length of its
//     call, a pool thread while it finds work. When none is free, the outside thread's loop
//     stands in the list all the same, and the thread waits for a slot or for its end.
//   - helper_count of a loop is the number of threads besides the owner that may touch it. The
//     owner takes the loop off the list, so that nobody joins any more, and returns when the
//     count is zero: then no thread can see its stack.
//   - While it waits, the owner helps only loops that were opened, at any depth, by blocks of
//     its own loop. Anything else could start a block of a loop that this thread has suspended
//     further down its stack, with the same worker number and so the same scratch memory.
//
// Nobody waits for a thread that is still asleep: the owner of a short loop has run all blocks
// before the first helper is up, and returns. Waiting threads look around for some microseconds,
// because loops come in rows, and then sleep on a condition variable. That makes an empty loop
// cost well below a microsecond when helpers are awake, and one wake-up call when they sleep.
//
// With the caller's task system, a task means "come and help": it joins whatever loop is open
// when it runs, and returns when there is none. So a task that runs late finds nothing and does
// no harm, and the only memory it needs is the pool.
//
// A worker group (base/worker_group.c) is a loop that stays in the list for many loops in a row.
//
// Background work (base/task.h) stands in a list of its own. A thread that finds no loop to help
// runs one slice of the first task that is free, puts it at the end, and looks for loops again.

#include "base/log.h"
#include "base/loop_observer.h"
#include "base/worker_pool.h"

#include <rubble/jobs.h>

enum { COOKIE = 0x6a6f6273 };

RBL_THREAD_LOCAL const rbl_loop_observer *rbl_thread_loop_observer;

void rbl_run_serially(int item_count, int block_size, rbl_block_function *function, void *context,
                      int worker)
{
	rbl_observe_loop(RBL_LOOP_BEGINS);
	for (int begin = 0, end; begin < item_count; begin = end) {
		end = item_count - begin < block_size ? item_count : begin + block_size;
		function(context, begin, end, worker);
		rbl_observe_loop(RBL_LOOP_BLOCK_ENDS);
	}
	rbl_observe_loop(RBL_LOOP_ENDS);
}

bool rbl_loop_is_valid(int item_count, int block_size, rbl_block_function *function)
{
	if (item_count >= 0 && block_size >= 1 && function)
		return true;
	rbl_log(RBL_LOG_ERROR, "rbl_parallel_for: item_count is %d, block_size is %d, function is %s",
	        item_count, block_size, function ? "given" : "NULL");
	return false;
}

rbl_result rbl_jobs_check_def(const rbl_jobs_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_jobs_def()");
	if (def->worker_count < 1 || def->worker_count > RBL_MAX_WORKERS)
		return rbl_fail(RBL_BAD_ARGUMENT, "worker_count is %d, must be 1 to %d", def->worker_count,
		                RBL_MAX_WORKERS);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function without the other");
	return RBL_OK;
}

rbl_jobs_def rbl_default_jobs_def(void)
{
	return (rbl_jobs_def){ .worker_count = 1, .cookie = COOKIE };
}

#ifndef RBL_NO_THREADS

#include "base/bits.h"

enum {
	LOCK_TRIES = 100,  // before a thread sleeps on the lock
	SPIN_TRIES = 1000, // looks around before sleep: 10 to 50 us
	YIELD_EVERY = 50,  // the one we look out for may wait for this very processor
};

RBL_THREAD_LOCAL const rbl_worker_frame *rbl_innermost_worker_frame;

void rbl_pool_lock(rbl_jobs *pool)
{
	for (int i = 0; i < LOCK_TRIES; ++i) {
		if (rbl_mutex_try_lock(&pool->mutex))
			return;
		rbl_pause_briefly();
	}
	rbl_mutex_lock(&pool->mutex);
}

void rbl_pool_unlock(rbl_jobs *pool)
{
	rbl_mutex_unlock(&pool->mutex);
}

// --- slots and frames ------------------------------------------------------------------------

const rbl_worker_frame *rbl_pool_find_frame(const rbl_jobs *pool)
{
	const rbl_worker_frame *found = rbl_innermost_worker_frame;
	while (found && found->pool != pool)
		found = found->outer;
	return found;
}

// @return a free slot, `preferred` if possible, or -1
int rbl_pool_take_slot(rbl_jobs *pool, int preferred)
{
	if (!pool->free_slots)
		return -1;
	int slot = pool->free_slots >> preferred & 1 ? preferred : rbl_lowest_one(pool->free_slots);
	pool->free_slots &= ~((uint64_t)1 << slot);
	return slot;
}

void rbl_pool_give_slot(rbl_jobs *pool, int slot)
{
	pool->free_slots |= (uint64_t)1 << slot;
	if (pool->first && pool->idle_count)
		rbl_condition_wake_one(&pool->work);
	if (pool->waiting_count)
		rbl_condition_wake_all(&pool->progress);
}

// --- loops -----------------------------------------------------------------------------------

static bool has_blocks(rbl_loop *l)
{
	if (l->group)
		return rbl_worker_group_has_blocks(l->group);
	return atomic_load_explicit(&l->next_block, memory_order_relaxed) < l->block_count;
}

static void run_blocks(rbl_loop *l, int worker)
{
	if (l->group) {
		rbl_worker_group_stay(l->group, worker);
		return;
	}
	for (;;) {
		unsigned block = atomic_fetch_add_explicit(&l->next_block, 1, memory_order_relaxed);
		if (block >= l->block_count)
			return;
		int begin = (int)block * l->block_size;
		int end = l->item_count - begin < l->block_size ? l->item_count : begin + l->block_size;
		l->function(l->context, begin, end, worker);
		rbl_observe_loop(RBL_LOOP_BLOCK_ENDS);
	}
}

void rbl_pool_add_loop(rbl_jobs *pool, rbl_loop *l)
{
	l->previous = pool->last;
	if (pool->last)
		pool->last->next = l;
	else
		pool->first = l;
	pool->last = l;
}

void rbl_pool_remove_loop(rbl_jobs *pool, rbl_loop *l)
{
	if (l->previous)
		l->previous->next = l->next;
	else
		pool->first = l->next;
	if (l->next)
		l->next->previous = l->previous;
	else
		pool->last = l->previous;
}

static bool was_opened_below(const rbl_loop *l, const rbl_loop *ancestor)
{
	while (l && l != ancestor)
		l = l->parent;
	return l != NULL;
}

// @return the oldest loop with blocks to give away: of any, or of those below `ancestor`
static rbl_loop *find_loop(const rbl_jobs *pool, const rbl_loop *ancestor)
{
	for (rbl_loop *l = pool->first; l; l = l->next)
		if (has_blocks(l) && (!ancestor || was_opened_below(l->parent, ancestor)))
			return l;
	return NULL;
}

// What a block says on a helper's thread is meant for the owner. Called and left under the lock.
static void pass_error_on(rbl_loop *l, unsigned count_before)
{
	if (l->error && rbl_last_error_count() != count_before)
		rbl_last_error_get(l->error);
}

// Runs blocks of others as long as there are some. Called and left under the lock.
static void help(rbl_jobs *pool, int worker, const rbl_loop *ancestor)
{
	rbl_loop *found;
	while ((found = find_loop(pool, ancestor)) != NULL) {
		atomic_fetch_add_explicit(&found->helper_count, 1, memory_order_relaxed);
		rbl_pool_unlock(pool);
		const rbl_worker_frame self = { pool, worker, found, rbl_innermost_worker_frame };
		rbl_innermost_worker_frame = &self;
		unsigned error_count = rbl_last_error_count();
		run_blocks(found, worker);
		rbl_innermost_worker_frame = self.outer;
		rbl_pool_lock(pool);
		pass_error_on(found, error_count);
		// From here on the owner may be gone as soon as the lock is.
		if (atomic_fetch_sub_explicit(&found->helper_count, 1, memory_order_release) == 1 &&
		    pool->waiting_count)
			rbl_condition_wake_all(&pool->progress);
	}
}

// --- background work -------------------------------------------------------------------------

static rbl_task *find_task(const rbl_jobs *pool)
{
	for (rbl_task *t = pool->first_task; t && !pool->is_stopping; t = t->next)
		if (t->group->hold_count == 0 && !t->group->is_running && t->state == RBL_TASK_RUNNING)
			return t;
	return NULL;
}

static void append_task(rbl_jobs *pool, rbl_task *task)
{
	task->previous = pool->last_task;
	task->next = NULL;
	if (pool->last_task)
		pool->last_task->next = task;
	else
		pool->first_task = task;
	pool->last_task = task;
}

static void unlink_task(rbl_jobs *pool, rbl_task *task)
{
	if (task->previous)
		task->previous->next = task->next;
	else
		pool->first_task = task->next;
	if (task->next)
		task->next->previous = task->previous;
	else
		pool->last_task = task->previous;
}

// Runs one slice of a task. Called and left under the lock. @return false: there is none
static bool run_slice(rbl_jobs *pool, int worker)
{
	rbl_task *task = find_task(pool);
	if (!task)
		return false;
	task->group->is_running = true;
	rbl_pool_unlock(pool);
	const rbl_worker_frame self = { pool, worker, NULL, rbl_innermost_worker_frame };
	rbl_innermost_worker_frame = &self;
	bool is_ready = false;
	rbl_result result = task->kind->work(task, RBL_TASK_SLICE, &is_ready);
	rbl_innermost_worker_frame = self.outer;
	rbl_pool_lock(pool);
	task->group->is_running = false;
	task->result = result;
	if (result != RBL_OK || is_ready)
		task->state = result == RBL_OK ? RBL_TASK_READY : RBL_TASK_FAILED;
	unlink_task(pool, task);
	append_task(pool, task);
	// From here on the owner may be gone with it as soon as the lock is.
	if (pool->waiting_count)
		rbl_condition_wake_all(&pool->progress);
	return true;
}

// A thread that is in no block takes a slot and helps. Called and left under the lock.
static void help_with_slot(rbl_jobs *pool, int preferred)
{
	if (!find_loop(pool, NULL) && !find_task(pool))
		return;
	int slot = rbl_pool_take_slot(pool, preferred);
	if (slot < 0)
		return;
	do {
		help(pool, slot, NULL);
	} while (run_slice(pool, slot));
	rbl_pool_give_slot(pool, slot);
}

// Looks out for news without the lock, for some microseconds. Called and left under the lock.
static void look_around(rbl_jobs *pool, rbl_loop *awaited)
{
	unsigned seen = atomic_load_explicit(&pool->news, memory_order_relaxed);
	rbl_pool_unlock(pool);
	for (int i = 0; i < pool->spin_tries; ++i) {
		if (atomic_load_explicit(&pool->news, memory_order_relaxed) != seen)
			break;
		if (awaited && atomic_load_explicit(&awaited->helper_count, memory_order_relaxed) == 0)
			break;
		if (i % YIELD_EVERY == YIELD_EVERY - 1)
			rbl_thread_yield();
		else
			rbl_pause_briefly();
	}
	rbl_pool_lock(pool);
}

void rbl_pool_sleep_until_progress(rbl_jobs *pool)
{
	pool->waiting_count++;
	rbl_condition_wait(&pool->progress, &pool->mutex);
	pool->waiting_count--;
}

// --- threads and tasks -----------------------------------------------------------------------

static void run_thread(void *context)
{
	rbl_jobs *pool = context;
	rbl_pool_lock(pool);
	int preferred = ++pool->arrived_count;
	while (!pool->is_stopping) {
		help_with_slot(pool, preferred);
		look_around(pool, NULL);
		bool has_work = find_loop(pool, NULL) || find_task(pool);
		if (pool->is_stopping || (pool->free_slots && has_work))
			continue;
		pool->idle_count++;
		rbl_condition_wait(&pool->work, &pool->mutex);
		pool->idle_count--;
	}
	rbl_pool_unlock(pool);
}

// A task may run inside start_task, or on a thread that waits inside a block: such a thread has
// its slot, and is doing what it can.
static void run_task(void *task)
{
	rbl_jobs *pool = task;
	bool is_inside = rbl_pool_find_frame(pool) != NULL;
	rbl_pool_lock(pool);
	if (!is_inside)
		help_with_slot(pool, 0);
	pool->task_count--;
	if (pool->task_count == 0 && pool->waiting_count)
		rbl_condition_wake_all(&pool->progress);
	rbl_pool_unlock(pool);
}

// Announce a loop in the list to other threads. Called and left under the lock.
rbl_call_list rbl_pool_announce(rbl_jobs *pool, const rbl_loop *l)
{
	atomic_fetch_add_explicit(&pool->news, 1, memory_order_relaxed);
	if (l->parent && pool->waiting_count)
		rbl_condition_wake_all(&pool->progress);
	int wanted = l->block_count < (unsigned)pool->worker_count ? (int)l->block_count - 1
	                                                           : pool->worker_count - 1;
	if (!pool->start_task)
		return (rbl_call_list){ .thread_count =
			                        wanted < pool->idle_count ? wanted : pool->idle_count };
	int capacity = pool->worker_count - 1 - pool->task_count;
	int task_count = wanted < capacity ? wanted : capacity;
	pool->task_count += task_count;
	return (rbl_call_list){ .task_count = task_count };
}

void rbl_pool_call(rbl_jobs *pool, rbl_call_list list)
{
	for (int i = 0; i < list.thread_count; ++i)
		rbl_condition_wake_one(&pool->work);
	for (int i = 0; i < list.task_count; ++i)
		pool->start_task(pool->user, run_task, pool);
}

// Announce background work to other threads. Called and left under the lock.
static rbl_call_list announce_task(rbl_jobs *pool)
{
	atomic_fetch_add_explicit(&pool->news, 1, memory_order_relaxed);
	if (!pool->start_task)
		return (rbl_call_list){ .thread_count = pool->idle_count > 0 };
	int capacity = pool->worker_count - 1 - pool->task_count;
	pool->task_count += capacity > 0;
	return (rbl_call_list){ .task_count = capacity > 0 };
}

// Wait until a slot is free or others have finished the loop. Called and left under the lock.
static int wait_for_slot(rbl_jobs *pool, rbl_loop *own)
{
	for (;;) {
		if (!has_blocks(own))
			return -1;
		int slot = rbl_pool_take_slot(pool, 0);
		if (slot >= 0)
			return slot;
		rbl_pool_sleep_until_progress(pool);
	}
}

// Wait until nobody touches the loop. Called and left under the lock.
void rbl_pool_finish(rbl_jobs *pool, rbl_loop *own, int worker)
{
	rbl_pool_remove_loop(pool, own);
	for (;;) {
		if (worker >= 0)
			help(pool, worker, own);
		if (rbl_helper_count(own) == 0)
			return;
		look_around(pool, own);
		if (rbl_helper_count(own) == 0)
			return;
		if (worker < 0 || !find_loop(pool, own))
			rbl_pool_sleep_until_progress(pool);
	}
}

static void run_shared(rbl_jobs *pool, rbl_loop *own, int worker, bool has_own_slot)
{
	rbl_error_line error;
	error.count = 0;
	own->error = &error;
	rbl_pool_add_loop(pool, own);
	rbl_call_list list = rbl_pool_announce(pool, own);
	rbl_pool_unlock(pool);
	rbl_pool_call(pool, list);
	if (worker < 0) {
		rbl_pool_lock(pool);
		worker = wait_for_slot(pool, own);
		rbl_pool_unlock(pool);
	}
	const rbl_worker_frame self = { pool, worker, own, rbl_innermost_worker_frame };
	if (worker >= 0) {
		rbl_innermost_worker_frame = &self;
		run_blocks(own, worker);
		rbl_innermost_worker_frame = self.outer;
	}
	rbl_pool_lock(pool);
	rbl_pool_finish(pool, own, worker);
	if (has_own_slot && worker >= 0)
		rbl_pool_give_slot(pool, worker);
	rbl_pool_unlock(pool);
	if (error.count > 0)
		rbl_last_error_set(&error);
}

void rbl_parallel_for(rbl_jobs *jobs, int item_count, int block_size, rbl_block_function *function,
                      void *context)
{
	if (!rbl_loop_is_valid(item_count, block_size, function) || item_count == 0)
		return;
	const rbl_worker_frame *outer = jobs ? rbl_pool_find_frame(jobs) : NULL;
	bool is_shared = jobs && jobs->worker_count > 1 && item_count > block_size;
	if (!jobs || (outer && !is_shared)) {
		rbl_run_serially(item_count, block_size, function, context, outer ? outer->worker : 0);
		return;
	}
	rbl_loop own = {
		.function = function,
		.context = context,
		.item_count = item_count,
		.block_size = block_size,
		.block_count = (unsigned)((item_count - 1) / block_size + 1),
		.parent = outer ? outer->running : NULL,
	};
	rbl_observe_loop(RBL_LOOP_BEGINS);
	rbl_pool_lock(jobs);
	int worker = outer ? outer->worker : rbl_pool_take_slot(jobs, 0);
	if (is_shared || worker < 0) {
		run_shared(jobs, &own, worker, !outer);
		rbl_observe_loop(RBL_LOOP_ENDS);
		return;
	}
	rbl_pool_unlock(jobs);
	const rbl_worker_frame self = { jobs, worker, &own, rbl_innermost_worker_frame };
	rbl_innermost_worker_frame = &self;
	run_blocks(&own, worker);
	rbl_innermost_worker_frame = self.outer;
	rbl_pool_lock(jobs);
	rbl_pool_give_slot(jobs, worker);
	rbl_pool_unlock(jobs);
	rbl_observe_loop(RBL_LOOP_ENDS);
}

// --- the pool --------------------------------------------------------------------------------

static void start_threads(rbl_jobs *pool)
{
	while (pool->thread_count < pool->worker_count - 1 &&
	       rbl_thread_start(&pool->threads[pool->thread_count], run_thread, pool))
		pool->thread_count++;
}

rbl_result rbl_create_jobs(const rbl_jobs_def *def, rbl_jobs **jobs)
{
	if (!jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "jobs is NULL");
	*jobs = NULL;
	rbl_result result = rbl_jobs_check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_jobs *pool = RBL_NEW_ZERO(&allocator, rbl_jobs, 1);
	if (!pool)
		return RBL_OUT_OF_MEMORY;
	pool->allocator = allocator;
	pool->worker_count = def->worker_count;
	pool->start_task = def->start_task;
	pool->user = def->user;
	pool->free_slots = ~(uint64_t)0 >> (64 - def->worker_count);
	rbl_worker_group_init(pool, &pool->group);
	// On one processor, looking around keeps the others from getting on.
	pool->spin_tries = rbl_processor_count() > 1 ? SPIN_TRIES : 0;
	rbl_mutex_init(&pool->mutex);
	rbl_condition_init(&pool->work);
	rbl_condition_init(&pool->progress);
	if (!pool->start_task) {
		start_threads(pool);
		if (pool->thread_count < pool->worker_count - 1) {
			int started = pool->thread_count;
			rbl_destroy_jobs(pool);
			return rbl_fail(RBL_UNSUPPORTED, "only %d of %d threads could be started", started,
			                def->worker_count - 1);
		}
	}
	*jobs = pool;
	return RBL_OK;
}

void rbl_destroy_jobs(rbl_jobs *jobs)
{
	if (!jobs)
		return;
	rbl_pool_lock(jobs);
	RBL_ASSERT(!jobs->first);
	jobs->is_stopping = true;
	atomic_fetch_add_explicit(&jobs->news, 1, memory_order_relaxed);
	rbl_condition_wake_all(&jobs->work);
	while (jobs->task_count > 0)
		rbl_pool_sleep_until_progress(jobs);
	rbl_pool_unlock(jobs);
	for (int i = 0; i < jobs->thread_count; ++i)
		rbl_thread_join(&jobs->threads[i]);
	while (jobs->first_task) { // their owners have them back
		rbl_task *task = jobs->first_task;
		rbl_jobs_remove_task(task);
		if (task->state == RBL_TASK_RUNNING)
			task->state = RBL_TASK_WAITING;
	}
	rbl_condition_destroy(&jobs->progress);
	rbl_condition_destroy(&jobs->work);
	rbl_mutex_destroy(&jobs->mutex);
	rbl_allocator allocator = jobs->allocator;
	RBL_FREE(&allocator, jobs, 1);
}

int rbl_jobs_worker_count(const rbl_jobs *jobs)
{
	return jobs ? jobs->worker_count : 1;
}

// --- tasks, as their owner's thread moves them ------------------------------------------------

bool rbl_jobs_add_task(rbl_jobs *jobs, rbl_task *task)
{
	if (task->group->started_count > 0 && task->group->pool != jobs)
		return false;
	rbl_pool_lock(jobs);
	task->group->pool = jobs;
	task->group->started_count++;
	task->pool = jobs;
	task->state = RBL_TASK_RUNNING;
	append_task(jobs, task);
	rbl_call_list list = announce_task(jobs);
	rbl_pool_unlock(jobs);
	rbl_pool_call(jobs, list);
	return true;
}

void rbl_jobs_remove_task(rbl_task *task)
{
	rbl_jobs *pool = task->pool;
	rbl_pool_lock(pool);
	unlink_task(pool, task);
	task->pool = NULL;
	if (--task->group->started_count == 0)
		task->group->pool = NULL;
	rbl_pool_unlock(pool);
}

void rbl_jobs_hold_group(rbl_task_group *group)
{
	rbl_jobs *pool = group->pool;
	rbl_pool_lock(pool);
	group->hold_count++;
	while (group->is_running)
		rbl_pool_sleep_until_progress(pool);
	rbl_pool_unlock(pool);
}

void rbl_jobs_release_group(rbl_task_group *group)
{
	rbl_jobs *pool = group->pool;
	rbl_pool_lock(pool);
	group->hold_count--;
	rbl_call_list list = find_task(pool) ? announce_task(pool) : (rbl_call_list){ 0 };
	rbl_pool_unlock(pool);
	rbl_pool_call(pool, list);
}

rbl_task_state rbl_jobs_task_state(const rbl_task *task)
{
	rbl_pool_lock(task->pool);
	rbl_task_state state = task->state;
	rbl_pool_unlock(task->pool);
	return state;
}

#endif
