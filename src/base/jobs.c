// SPDX-License-Identifier: MIT
//
// Workers.
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
// A team (base/team.h) is a loop that stays in the list for many loops in a row, its stages. Those who
// help stay with it from one stage to the next, so that a stage costs two atomic operations for each
// of them and no lock. Each worker begins with its own part of a stage, the same in every stage, whose
// data its cache has; then it helps with the others'. A part is one number: the stage, and how many
// blocks of the part are left. Whoever has taken a block knows that the stage cannot end before it,
// and may read what the owner wrote of the stage.
//
// Background work (base/task.h) stands in a list of its own. A thread that finds no loop to help
// runs one slice of the first task that is free, puts it at the end, and looks for loops again.

#define _POSIX_C_SOURCE 200809L

#include "base/log.h"
#include "base/memory.h"
#include "base/task.h"
#include "base/team.h"

#include <rubble/jobs.h>

enum { COOKIE = 0x6a6f6273 };

static void run_serially(int item_count, int block_size, rbl_block_function *function,
                         void *context, int worker)
{
	for (int begin = 0, end; begin < item_count; begin = end) {
		end = item_count - begin < block_size ? item_count : begin + block_size;
		function(context, begin, end, worker);
	}
}

static bool loop_is_valid(int item_count, int block_size, rbl_block_function *function)
{
	if (item_count >= 0 && block_size >= 1 && function)
		return true;
	rbl_log(RBL_LOG_ERROR, "rbl_parallel_for: item_count is %d, block_size is %d, function is %s",
	        item_count, block_size, function ? "given" : "NULL");
	return false;
}

static rbl_result check_def(const rbl_jobs_def *def)
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

#ifdef RBL_NO_THREADS

struct rbl_jobs {
	rbl_allocator allocator;
};

rbl_result rbl_create_jobs(const rbl_jobs_def *def, rbl_jobs **jobs)
{
	if (!jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "jobs is NULL");
	*jobs = NULL;
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_jobs *pool = RBL_NEW_ZERO(&allocator, rbl_jobs, 1);
	if (!pool)
		return RBL_OUT_OF_MEMORY;
	pool->allocator = allocator;
	*jobs = pool;
	return RBL_OK;
}

void rbl_destroy_jobs(rbl_jobs *jobs)
{
	if (!jobs)
		return;
	rbl_allocator allocator = jobs->allocator;
	RBL_FREE(&allocator, jobs, 1);
}

int rbl_jobs_worker_count(const rbl_jobs *jobs)
{
	(void)jobs;
	return 1;
}

void rbl_parallel_for(rbl_jobs *jobs, int item_count, int block_size, rbl_block_function *function,
                      void *context)
{
	(void)jobs;
	if (loop_is_valid(item_count, block_size, function))
		run_serially(item_count, block_size, function, context, 0);
}

void rbl_run_team(rbl_jobs *jobs, rbl_team_function *function, void *context)
{
	(void)jobs;
	function(NULL, context);
}

void rbl_team_for(rbl_team *team, int item_count, int block_size, rbl_block_function *function,
                  void *context)
{
	(void)team;
	run_serially(item_count, block_size, function, context, 0);
}

// Nobody works on tasks but their owner: none is ever on a pool.

bool rbl_jobs_add_task(rbl_jobs *jobs, rbl_task *task)
{
	(void)jobs;
	task->state = RBL_TASK_RUNNING;
	return true;
}

void rbl_jobs_remove_task(rbl_task *task)
{
	(void)task;
}

void rbl_jobs_hold_group(rbl_task_group *group)
{
	(void)group;
}

void rbl_jobs_release_group(rbl_task_group *group)
{
	(void)group;
}

rbl_task_state rbl_jobs_task_state(const rbl_task *task)
{
	return task->state;
}

#else

#include "base/bits.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum {
	LOCK_TRIES = 100,  // before a thread sleeps on the lock
	SPIN_TRIES = 1000, // looks around before sleep: 10 to 50 us
	YIELD_EVERY = 50,  // the one we look out for may wait for this very processor
	MOST_PARTS = 16,   // of a stage; more workers share them
	CALL_EVERY = 16,   // stages
};

typedef struct loop {
	rbl_block_function *function;
	void *context;
	int item_count, block_size;
	unsigned block_count;
	const struct loop *parent;    // the loop whose block opened this one, or NULL
	struct loop *previous, *next; // in the pool's list
	atomic_int helper_count;      // changed under the lock
	rbl_team *team;               // that this loop is for, or NULL
	_Alignas(RBL_CACHE_LINE) atomic_uint next_block;
} loop;

typedef struct team_part {
	_Alignas(RBL_CACHE_LINE) atomic_ullong state; // number of the stage << 32 | blocks left
} team_part;

struct rbl_team {
	loop own; // of which only the place in the list and the count of helpers are used
	rbl_jobs *pool;
	int worker; // the owner's
	int part_count;

	// The stage.
	rbl_block_function *function;
	void *context;
	int item_count, block_size;
	unsigned block_count;

	_Alignas(RBL_CACHE_LINE) atomic_uint stage; // its number
	atomic_bool is_over;
	_Alignas(RBL_CACHE_LINE) atomic_uint done_count; // blocks
	atomic_bool is_waiting;                          // the owner sleeps until all are done
	team_part parts[MOST_PARTS];
};

// That this thread works in a pool: innermost first, one for each pool and each nested loop.
typedef struct frame {
	const rbl_jobs *pool;
	int worker;
	const loop *running;
	const struct frame *outer;
} frame;

static _Thread_local const frame *innermost_frame;

struct rbl_jobs {
	rbl_allocator allocator;
	int worker_count;
	int thread_count; // own threads
	int spin_tries;
	void (*start_task)(void *user, rbl_task_function *function, void *task);
	void *user;
	pthread_t threads[RBL_MAX_WORKERS];

	// News: counts loops opened, so that waiting threads need not take the lock to look.
	_Alignas(RBL_CACHE_LINE) atomic_uint news;

	// The rest is read and written under the lock.
	_Alignas(RBL_CACHE_LINE) pthread_mutex_t mutex;
	pthread_cond_t work;     // for threads of the pool that have nothing to do
	pthread_cond_t progress; // for threads that wait for a loop's end, a slot, or the last task
	int idle_count;          // asleep on `work`
	int waiting_count;       // asleep on `progress`
	int task_count;          // started and not yet ended
	int arrived_count;       // own threads that have begun
	uint64_t free_slots;
	loop *first, *last;
	rbl_task *first_task, *last_task; // to work on in the background
	bool is_stopping;

	// One team at a time needs not wait for its helpers to leave: they may be late by as long as the
	// system pleases, and what they look at is still there.
	bool has_team;
	rbl_team team;
};

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void lock(rbl_jobs *pool)
{
	for (int i = 0; i < LOCK_TRIES; ++i) {
		if (pthread_mutex_trylock(&pool->mutex) == 0)
			return;
		pause_briefly();
	}
	pthread_mutex_lock(&pool->mutex);
}

static void unlock(rbl_jobs *pool)
{
	pthread_mutex_unlock(&pool->mutex);
}

// --- slots and frames ------------------------------------------------------------------------

static const frame *find_frame(const rbl_jobs *pool)
{
	const frame *found = innermost_frame;
	while (found && found->pool != pool)
		found = found->outer;
	return found;
}

// @return a free slot, `preferred` if possible, or -1
static int take_slot(rbl_jobs *pool, int preferred)
{
	if (!pool->free_slots)
		return -1;
	int slot = pool->free_slots >> preferred & 1 ? preferred : rbl_lowest_one(pool->free_slots);
	pool->free_slots &= ~((uint64_t)1 << slot);
	return slot;
}

static void give_slot(rbl_jobs *pool, int slot)
{
	pool->free_slots |= (uint64_t)1 << slot;
	if (pool->first && pool->idle_count)
		pthread_cond_signal(&pool->work);
	if (pool->waiting_count)
		pthread_cond_broadcast(&pool->progress);
}

// --- loops -----------------------------------------------------------------------------------

static bool team_has_blocks(rbl_team *team)
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

static bool has_blocks(loop *l)
{
	if (l->team)
		return team_has_blocks(l->team);
	return atomic_load_explicit(&l->next_block, memory_order_relaxed) < l->block_count;
}

static void stay_with_team(rbl_team *team, int worker);

static void run_blocks(loop *l, int worker)
{
	if (l->team) {
		stay_with_team(l->team, worker);
		return;
	}
	for (;;) {
		unsigned block = atomic_fetch_add_explicit(&l->next_block, 1, memory_order_relaxed);
		if (block >= l->block_count)
			return;
		int begin = (int)block * l->block_size;
		int end = l->item_count - begin < l->block_size ? l->item_count : begin + l->block_size;
		l->function(l->context, begin, end, worker);
	}
}

static void add_loop(rbl_jobs *pool, loop *l)
{
	l->previous = pool->last;
	if (pool->last)
		pool->last->next = l;
	else
		pool->first = l;
	pool->last = l;
}

static void remove_loop(rbl_jobs *pool, loop *l)
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

static bool was_opened_below(const loop *l, const loop *ancestor)
{
	while (l && l != ancestor)
		l = l->parent;
	return l != NULL;
}

// @return the oldest loop with blocks to give away: of any, or of those below `ancestor`
static loop *find_loop(const rbl_jobs *pool, const loop *ancestor)
{
	for (loop *l = pool->first; l; l = l->next)
		if (has_blocks(l) && (!ancestor || was_opened_below(l->parent, ancestor)))
			return l;
	return NULL;
}

// Runs blocks of others as long as there are some. Called and left under the lock.
static void help(rbl_jobs *pool, int worker, const loop *ancestor)
{
	loop *found;
	while ((found = find_loop(pool, ancestor)) != NULL) {
		atomic_fetch_add_explicit(&found->helper_count, 1, memory_order_relaxed);
		unlock(pool);
		const frame self = { pool, worker, found, innermost_frame };
		innermost_frame = &self;
		run_blocks(found, worker);
		innermost_frame = self.outer;
		lock(pool);
		// From here on the owner may be gone as soon as the lock is.
		if (atomic_fetch_sub_explicit(&found->helper_count, 1, memory_order_release) == 1 &&
		    pool->waiting_count)
			pthread_cond_broadcast(&pool->progress);
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
	unlock(pool);
	const frame self = { pool, worker, NULL, innermost_frame };
	innermost_frame = &self;
	bool is_ready = false;
	rbl_result result = task->kind->work(task, RBL_TASK_SLICE, &is_ready);
	innermost_frame = self.outer;
	lock(pool);
	task->group->is_running = false;
	task->result = result;
	if (result != RBL_OK || is_ready)
		task->state = result == RBL_OK ? RBL_TASK_READY : RBL_TASK_FAILED;
	unlink_task(pool, task);
	append_task(pool, task);
	// From here on the owner may be gone with it as soon as the lock is.
	if (pool->waiting_count)
		pthread_cond_broadcast(&pool->progress);
	return true;
}

// A thread that is in no block takes a slot and helps. Called and left under the lock.
static void help_with_slot(rbl_jobs *pool, int preferred)
{
	if (!find_loop(pool, NULL) && !find_task(pool))
		return;
	int slot = take_slot(pool, preferred);
	if (slot < 0)
		return;
	do {
		help(pool, slot, NULL);
	} while (run_slice(pool, slot));
	give_slot(pool, slot);
}

// Looks out for news without the lock, for some microseconds. Called and left under the lock.
static void look_around(rbl_jobs *pool, loop *awaited)
{
	unsigned seen = atomic_load_explicit(&pool->news, memory_order_relaxed);
	unlock(pool);
	for (int i = 0; i < pool->spin_tries; ++i) {
		if (atomic_load_explicit(&pool->news, memory_order_relaxed) != seen)
			break;
		if (awaited && atomic_load_explicit(&awaited->helper_count, memory_order_relaxed) == 0)
			break;
		if (i % YIELD_EVERY == YIELD_EVERY - 1)
			sched_yield();
		else
			pause_briefly();
	}
	lock(pool);
}

static void sleep_until_progress(rbl_jobs *pool)
{
	pool->waiting_count++;
	pthread_cond_wait(&pool->progress, &pool->mutex);
	pool->waiting_count--;
}

static int helper_count(loop *l)
{
	return atomic_load_explicit(&l->helper_count, memory_order_acquire);
}

// --- threads and tasks -----------------------------------------------------------------------

static void *run_thread(void *argument)
{
	rbl_jobs *pool = argument;
	lock(pool);
	int preferred = ++pool->arrived_count;
	while (!pool->is_stopping) {
		help_with_slot(pool, preferred);
		look_around(pool, NULL);
		bool has_work = find_loop(pool, NULL) || find_task(pool);
		if (pool->is_stopping || (pool->free_slots && has_work))
			continue;
		pool->idle_count++;
		pthread_cond_wait(&pool->work, &pool->mutex);
		pool->idle_count--;
	}
	unlock(pool);
	return NULL;
}

// A task may run inside start_task, or on a thread that waits inside a block: such a thread has
// its slot, and is doing what it can.
static void run_task(void *task)
{
	rbl_jobs *pool = task;
	bool is_inside = find_frame(pool) != NULL;
	lock(pool);
	if (!is_inside)
		help_with_slot(pool, 0);
	pool->task_count--;
	if (pool->task_count == 0 && pool->waiting_count)
		pthread_cond_broadcast(&pool->progress);
	unlock(pool);
}

// How many to call once the lock is open: a thread that is woken under the lock would only run
// into it.
typedef struct call_list {
	int thread_count, task_count;
} call_list;

// Tell others of a loop in the list. Called and left under the lock.
static call_list announce(rbl_jobs *pool, const loop *l)
{
	atomic_fetch_add_explicit(&pool->news, 1, memory_order_relaxed);
	if (l->parent && pool->waiting_count)
		pthread_cond_broadcast(&pool->progress);
	int wanted = l->block_count < (unsigned)pool->worker_count ? (int)l->block_count - 1
	                                                           : pool->worker_count - 1;
	if (!pool->start_task)
		return (call_list){ .thread_count = wanted < pool->idle_count ? wanted : pool->idle_count };
	int room = pool->worker_count - 1 - pool->task_count;
	int task_count = wanted < room ? wanted : room;
	pool->task_count += task_count;
	return (call_list){ .task_count = task_count };
}

static void call(rbl_jobs *pool, call_list list)
{
	for (int i = 0; i < list.thread_count; ++i)
		pthread_cond_signal(&pool->work);
	for (int i = 0; i < list.task_count; ++i)
		pool->start_task(pool->user, run_task, pool);
}

// Tell others that there is background work. Called and left under the lock.
static call_list announce_task(rbl_jobs *pool)
{
	atomic_fetch_add_explicit(&pool->news, 1, memory_order_relaxed);
	if (!pool->start_task)
		return (call_list){ .thread_count = pool->idle_count > 0 };
	int room = pool->worker_count - 1 - pool->task_count;
	pool->task_count += room > 0;
	return (call_list){ .task_count = room > 0 };
}

// Wait until a slot is free or others have finished the loop. Called and left under the lock.
static int wait_for_slot(rbl_jobs *pool, loop *own)
{
	for (;;) {
		if (!has_blocks(own))
			return -1;
		int slot = take_slot(pool, 0);
		if (slot >= 0)
			return slot;
		sleep_until_progress(pool);
	}
}

// Wait until nobody touches the loop. Called and left under the lock.
static void finish(rbl_jobs *pool, loop *own, int worker)
{
	remove_loop(pool, own);
	for (;;) {
		if (worker >= 0)
			help(pool, worker, own);
		if (helper_count(own) == 0)
			return;
		look_around(pool, own);
		if (helper_count(own) == 0)
			return;
		if (worker < 0 || !find_loop(pool, own))
			sleep_until_progress(pool);
	}
}

static void run_shared(rbl_jobs *pool, loop *own, int worker, bool has_own_slot)
{
	add_loop(pool, own);
	call_list list = announce(pool, own);
	unlock(pool);
	call(pool, list);
	if (worker < 0) {
		lock(pool);
		worker = wait_for_slot(pool, own);
		unlock(pool);
	}
	const frame self = { pool, worker, own, innermost_frame };
	if (worker >= 0) {
		innermost_frame = &self;
		run_blocks(own, worker);
		innermost_frame = self.outer;
	}
	lock(pool);
	finish(pool, own, worker);
	if (has_own_slot && worker >= 0)
		give_slot(pool, worker);
	unlock(pool);
}

void rbl_parallel_for(rbl_jobs *jobs, int item_count, int block_size, rbl_block_function *function,
                      void *context)
{
	if (!loop_is_valid(item_count, block_size, function) || item_count == 0)
		return;
	const frame *outer = jobs ? find_frame(jobs) : NULL;
	bool is_shared = jobs && jobs->worker_count > 1 && item_count > block_size;
	if (!jobs || (outer && !is_shared)) {
		run_serially(item_count, block_size, function, context, outer ? outer->worker : 0);
		return;
	}
	loop own = {
		.function = function,
		.context = context,
		.item_count = item_count,
		.block_size = block_size,
		.block_count = (unsigned)((item_count - 1) / block_size + 1),
		.parent = outer ? outer->running : NULL,
	};
	lock(jobs);
	int worker = outer ? outer->worker : take_slot(jobs, 0);
	if (is_shared || worker < 0) {
		run_shared(jobs, &own, worker, !outer);
		return;
	}
	unlock(jobs);
	const frame self = { jobs, worker, &own, innermost_frame };
	innermost_frame = &self;
	run_blocks(&own, worker);
	innermost_frame = self.outer;
	lock(jobs);
	give_slot(jobs, worker);
	unlock(jobs);
}

// --- teams -----------------------------------------------------------------------------------

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
		lock(team->pool);
		pthread_cond_broadcast(&team->pool->progress);
		unlock(team->pool);
	}
}

// @return false: none came for a while, or the team is over
static bool wait_for_next(const rbl_team *team, unsigned stage)
{
	for (int i = 0; i < team->pool->spin_tries; ++i, pause_briefly()) {
		if (atomic_load_explicit(&team->is_over, memory_order_relaxed))
			return false;
		if (atomic_load_explicit(&team->stage, memory_order_relaxed) != stage)
			return true;
	}
	return false;
}

// Stages come in a row; a helper that waits in vain goes to look for other work.
static void stay_with_team(rbl_team *team, int worker)
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
	for (int i = 0; i < team->pool->spin_tries / 4; ++i, pause_briefly())
		if (atomic_load_explicit(&team->done_count, memory_order_acquire) == block_count)
			return;
	lock(team->pool);
	atomic_store(&team->is_waiting, true);
	while (atomic_load(&team->done_count) < block_count)
		sleep_until_progress(team->pool);
	atomic_store(&team->is_waiting, false);
	unlock(team->pool);
}

void rbl_team_for(rbl_team *team, int item_count, int block_size, rbl_block_function *function,
                  void *context)
{
	RBL_ASSERT(item_count >= 0 && block_size >= 1 && function);
	if (!team || item_count <= block_size) {
		run_serially(item_count, block_size, function, context, team ? team->worker : 0);
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
	if (stage % CALL_EVERY == 0 && helper_count(&team->own) < team->pool->worker_count - 1) {
		lock(team->pool);
		call_list list = announce(team->pool, &team->own);
		unlock(team->pool);
		call(team->pool, list);
	}
	run_stage(team, stage, team->worker, true);
	wait_for_stage(team, block_count);
}

// Called and left under the lock.
static void open_team(rbl_jobs *jobs, const frame *outer, rbl_team *team)
{
	team->worker = outer ? outer->worker : take_slot(jobs, 0);
	while (team->worker < 0) {
		sleep_until_progress(jobs);
		team->worker = take_slot(jobs, 0);
	}
	team->own.parent = outer ? outer->running : NULL;
	team->own.previous = team->own.next = NULL;
	atomic_store(&team->is_over, false);
	add_loop(jobs, &team->own);
}

static void init_team(rbl_jobs *jobs, rbl_team *team)
{
	team->pool = jobs;
	team->part_count = jobs->worker_count < MOST_PARTS ? jobs->worker_count : MOST_PARTS;
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
	init_team(jobs, &second);
	const frame *outer = find_frame(jobs);
	lock(jobs);
	if (!jobs->has_team) {
		jobs->has_team = true;
		team = &jobs->team;
	}
	open_team(jobs, outer, team);
	call_list list = announce(jobs, &team->own);
	unlock(jobs);
	call(jobs, list);
	int worker = team->worker;
	const frame self = { jobs, worker, &team->own, innermost_frame };
	innermost_frame = &self;
	function(team, context);
	innermost_frame = self.outer;
	lock(jobs);
	atomic_store(&team->is_over, true);
	if (team == &jobs->team) {
		remove_loop(jobs, &team->own);
		jobs->has_team = false;
	} else {
		finish(jobs, &team->own, worker);
	}
	if (!outer)
		give_slot(jobs, worker);
	unlock(jobs);
}

// --- the pool --------------------------------------------------------------------------------

// Signals are for the program's threads: ours start with all of them blocked.
static void start_threads(rbl_jobs *pool)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	while (pool->thread_count < pool->worker_count - 1 &&
	       pthread_create(&pool->threads[pool->thread_count], NULL, run_thread, pool) == 0)
		pool->thread_count++;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

rbl_result rbl_create_jobs(const rbl_jobs_def *def, rbl_jobs **jobs)
{
	if (!jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "jobs is NULL");
	*jobs = NULL;
	rbl_result result = check_def(def);
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
	init_team(pool, &pool->team);
	// On one processor, looking around keeps the others from getting on.
	pool->spin_tries = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? SPIN_TRIES : 0;
	pthread_mutex_init(&pool->mutex, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->progress, NULL);
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
	lock(jobs);
	RBL_ASSERT(!jobs->first);
	jobs->is_stopping = true;
	atomic_fetch_add_explicit(&jobs->news, 1, memory_order_relaxed);
	pthread_cond_broadcast(&jobs->work);
	while (jobs->task_count > 0)
		sleep_until_progress(jobs);
	unlock(jobs);
	for (int i = 0; i < jobs->thread_count; ++i)
		pthread_join(jobs->threads[i], NULL);
	while (jobs->first_task) { // their owners have them back
		rbl_task *task = jobs->first_task;
		rbl_jobs_remove_task(task);
		if (task->state == RBL_TASK_RUNNING)
			task->state = RBL_TASK_WAITING;
	}
	pthread_cond_destroy(&jobs->progress);
	pthread_cond_destroy(&jobs->work);
	pthread_mutex_destroy(&jobs->mutex);
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
	lock(jobs);
	task->group->pool = jobs;
	task->group->started_count++;
	task->pool = jobs;
	task->state = RBL_TASK_RUNNING;
	append_task(jobs, task);
	call_list list = announce_task(jobs);
	unlock(jobs);
	call(jobs, list);
	return true;
}

void rbl_jobs_remove_task(rbl_task *task)
{
	rbl_jobs *pool = task->pool;
	lock(pool);
	unlink_task(pool, task);
	task->pool = NULL;
	if (--task->group->started_count == 0)
		task->group->pool = NULL;
	unlock(pool);
}

void rbl_jobs_hold_group(rbl_task_group *group)
{
	rbl_jobs *pool = group->pool;
	lock(pool);
	group->hold_count++;
	while (group->is_running)
		sleep_until_progress(pool);
	unlock(pool);
}

void rbl_jobs_release_group(rbl_task_group *group)
{
	rbl_jobs *pool = group->pool;
	lock(pool);
	group->hold_count--;
	call_list list = find_task(pool) ? announce_task(pool) : (call_list){ 0 };
	unlock(pool);
	call(pool, list);
}

rbl_task_state rbl_jobs_task_state(const rbl_task *task)
{
	lock(task->pool);
	rbl_task_state state = task->state;
	unlock(task->pool);
	return state;
}

#endif
