// SPDX-License-Identifier: MIT
// Pools and threads: worker numbers that never collide, any caller, the caller's own tasks.
// ctest: threads posix

#if defined(__linux__)
#define _GNU_SOURCE // pthread_setattr_default_np()
#else
#define _POSIX_C_SOURCE 200809L
#endif

#include "base/pools.h"

#ifdef RBL_NO_THREADS

static void threads_are_off(test *t)
{
	SKIP(t, "a build without threads");
}

TEST_MAIN(TEST(threads_are_off))

#else

#include "base/thread.h"

#include "faulty_allocator.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTSIDE_COUNT = 6, ROUNDS = 60 };

// Which thread runs with a worker number now. A nested loop may run on the same thread with the
// same number; another thread with it is the failure.
typedef struct watch {
	rbl_jobs *jobs;
	pthread_mutex_t mutex;
	pthread_t thread[RBL_MAX_WORKERS];
	int depth[RBL_MAX_WORKERS];
	int wrong_count;
	atomic_int block_count;
} watch;

static void enter_block(watch *w, int worker)
{
	pthread_mutex_lock(&w->mutex);
	if (worker < 0 || worker >= rbl_jobs_worker_count(w->jobs))
		w->wrong_count++;
	else if (w->depth[worker]++ > 0 && !pthread_equal(w->thread[worker], pthread_self()))
		w->wrong_count++;
	else
		w->thread[worker] = pthread_self();
	pthread_mutex_unlock(&w->mutex);
	atomic_fetch_add(&w->block_count, 1);
}

static void leave_block(watch *w, int worker)
{
	pthread_mutex_lock(&w->mutex);
	w->depth[worker]--;
	pthread_mutex_unlock(&w->mutex);
}

static void watched_inner_block(void *context, int begin, int end, int worker)
{
	(void)begin, (void)end;
	enter_block(context, worker);
	leave_block(context, worker);
}

static void watched_block(void *context, int begin, int end, int worker)
{
	(void)end;
	watch *w = context;
	enter_block(w, worker);
	rbl_parallel_for(w->jobs, 4, begin % 2 ? 1 : 4, watched_inner_block, w);
	leave_block(w, worker);
}

static void *call_from_outside(void *argument)
{
	watch *w = argument;
	for (int i = 0; i < ROUNDS; ++i)
		rbl_parallel_for(w->jobs, 6, i % 3 ? 1 : 6, watched_block, w);
	return NULL;
}

// More outside threads than workers: they wait for a number, and all loops end.
static void worker_numbers_are_unique_among_all_callers(test *t)
{
	for (int worker_count = 1; worker_count <= 4; ++worker_count) {
		watch w = { .jobs = create_pool(worker_count), .mutex = PTHREAD_MUTEX_INITIALIZER };
		pthread_t threads[OUTSIDE_COUNT];
		for (int i = 0; i < OUTSIDE_COUNT; ++i)
			CHECK(t, pthread_create(&threads[i], NULL, call_from_outside, &w) == 0);
		for (int i = 0; i < OUTSIDE_COUNT; ++i)
			pthread_join(threads[i], NULL);
		CHECK(t, w.wrong_count == 0);
		// Rounds of one block (begin 0: one inner block) and of six (three with 1, three with 4).
		CHECK(t, w.block_count == OUTSIDE_COUNT * (ROUNDS / 3 * 2 + ROUNDS / 3 * 2 * (6 + 3 + 12)));
		rbl_destroy_jobs(w.jobs);
	}
}

// --- no worker left --------------------------------------------------------------------------

// A loop whose blocks stay until they are let go, one by one.
typedef struct jam {
	rbl_jobs *jobs;
	atomic_int entered_count;
	atomic_bool may_leave[2];
} jam;

static void nap_ms(int milliseconds)
{
	nanosleep(&(struct timespec){ 0, milliseconds * 1000000L }, NULL);
}

static void stay(void *context, int begin, int end, int worker)
{
	(void)begin, (void)end;
	jam *j = context;
	atomic_fetch_add(&j->entered_count, 1);
	while (!atomic_load(&j->may_leave[worker]))
		nap_ms(1);
}

static void *open_jam(void *argument)
{
	jam *j = argument;
	rbl_parallel_for(j->jobs, rbl_jobs_worker_count(j->jobs), 1, stay, j);
	return NULL;
}

static void count_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	atomic_fetch_add((atomic_int *)context, end - begin);
}

typedef struct late_call {
	rbl_jobs *jobs;
	atomic_int count;
	atomic_bool has_returned;
} late_call;

static void *call_late(void *argument)
{
	late_call *late = argument;
	rbl_parallel_for(late->jobs, 10, 2, count_block, &late->count);
	atomic_store(&late->has_returned, true);
	return NULL;
}

// With every worker number taken, a second caller waits. It goes on when the first one ends, or
// when a pool thread comes free and does the work for it.
static void a_caller_without_a_worker_waits_its_turn(test *t)
{
	for (int worker_count = 1; worker_count <= 2; ++worker_count) {
		jam j = { .jobs = create_pool(worker_count) };
		late_call late = { .jobs = j.jobs };
		pthread_t first, second;
		CHECK(t, pthread_create(&first, NULL, open_jam, &j) == 0);
		while (atomic_load(&j.entered_count) < worker_count)
			nap_ms(1);
		CHECK(t, pthread_create(&second, NULL, call_late, &late) == 0);
		nap_ms(20);
		CHECK(t, atomic_load(&late.count) == 0 && !atomic_load(&late.has_returned));
		atomic_store(&j.may_leave[worker_count - 1], true);
		pthread_join(second, NULL);
		CHECK(t, late.count == 10 && late.has_returned);
		atomic_store(&j.may_leave[0], true);
		pthread_join(first, NULL);
		rbl_destroy_jobs(j.jobs);
	}
}

// A pool that is used inside another's blocks knows its own numbers.
static void use_second_pool(void *context, int begin, int end, int worker)
{
	(void)begin, (void)end, (void)worker;
	watch *w = context;
	rbl_parallel_for(w->jobs, 4, 1, watched_inner_block, w);
}

static void two_pools_do_not_know_of_each_other(test *t)
{
	rbl_jobs *first = create_pool(3);
	watch w = { .jobs = create_pool(2), .mutex = PTHREAD_MUTEX_INITIALIZER };
	for (int i = 0; i < 100; ++i)
		rbl_parallel_for(first, 8, 1, use_second_pool, &w);
	CHECK(t, w.wrong_count == 0 && w.block_count == 100 * 8 * 4);
	rbl_destroy_jobs(w.jobs);
	rbl_destroy_jobs(first);
}

static double cpu_seconds(void)
{
	struct timespec used;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}

static void idle_workers_use_no_processor_time(test *t)
{
	rbl_jobs *jobs = create_pool(8);
	check_visits(t, jobs, 1000, 1);
	nap_ms(50); // threads start, look around, fall asleep
	double before = cpu_seconds();
	nap_ms(200);
	CHECK(t, cpu_seconds() - before < 0.02);
	rbl_destroy_jobs(jobs);
}

typedef struct meeting {
	atomic_int arrived_count;
	int wanted_count;
	atomic_int met_count;
} meeting;

// Returns early after two seconds, so that a failure is a failure and not a hang.
static void meet(void *context, int begin, int end, int worker)
{
	(void)begin, (void)end, (void)worker;
	meeting *m = context;
	atomic_fetch_add(&m->arrived_count, 1);
	for (int i = 0; i < 2000 && atomic_load(&m->arrived_count) < m->wanted_count; ++i)
		nap_ms(1);
	atomic_fetch_add(&m->met_count, atomic_load(&m->arrived_count) >= m->wanted_count);
}

static void all_workers_work_at_once(test *t)
{
	for (int worker_count = 1; worker_count <= 4; ++worker_count) {
		rbl_jobs *jobs = create_pool(worker_count);
		nap_ms(5); // asleep by now
		meeting m = { .wanted_count = worker_count };
		rbl_parallel_for(jobs, worker_count, 1, meet, &m);
		CHECK(t, m.met_count == worker_count);
		rbl_destroy_jobs(jobs);
	}
}

typedef struct pair {
	rbl_jobs *jobs;
	pthread_t owner;
	meeting outer, inner;
} pair;

// Both threads have a block; then the one that did not open the loop opens another.
static void open_meeting(void *context, int begin, int end, int worker)
{
	pair *p = context;
	meet(&p->outer, begin, end, worker);
	if (!pthread_equal(p->owner, pthread_self()))
		rbl_parallel_for(p->jobs, 2, 1, meet, &p->inner);
}

// The owner of the outer loop has nothing left but to wait; it must come and help inside.
static void a_waiting_thread_helps_loops_inside_its_own(test *t)
{
	rbl_jobs *jobs = create_pool(2);
	for (int i = 0; i < 20; ++i) {
		pair p = { jobs, pthread_self(), { .wanted_count = 2 }, { .wanted_count = 2 } };
		rbl_parallel_for(jobs, 2, 1, open_meeting, &p);
		CHECK(t, p.outer.met_count == 2 && p.inner.met_count == 2);
	}
	rbl_destroy_jobs(jobs);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

enum { UNLIMITED = 2 }; // status of a child that gets memory which its limit denies

static void a_thread_that_cannot_start_is_an_error(test *t)
{
#ifdef HAS_SANITIZER
	SKIP(t, "sanitizers need the address space that this test takes away");
#else
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		struct rlimit limit = { 64 << 20, 64 << 20 }; // space for a few stacks, not for 63
		setrlimit(RLIMIT_AS, &limit);
		void *volatile more = malloc(256 << 20);
		if (more)
			exit(UNLIMITED);
		faulty_allocator memory;
		faulty_init(&memory, 10);
		rbl_jobs_def def = rbl_default_jobs_def();
		def.worker_count = RBL_MAX_WORKERS;
		def.allocator = FAULTY(&memory);
		rbl_jobs *jobs;
		rbl_result result = rbl_create_jobs(&def, &jobs);
		exit(result == RBL_UNSUPPORTED && !jobs && memory.live_bytes == 0 ? 0 : 1);
	}
	int status = -1;
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNLIMITED)
		SKIP(t, "an emulator that keeps no limits");
	else
		CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

// Four times what threads have with musl; sanitizers keep a share of a stack for themselves.
static void use_stack(void *context, int begin, int end, int worker)
{
	volatile unsigned char room[512 << 10];
	for (size_t i = 0; i < sizeof room; i += 1024)
		room[i] = (unsigned char)i;
	meet(context, begin, end, worker);
}

static void stacks_do_not_depend_on_the_system(test *t)
{
#if defined(__linux__)
	pthread_attr_t before, small;
	CHECK(t, pthread_getattr_default_np(&before) == 0 && pthread_getattr_default_np(&small) == 0);
	CHECK(t, pthread_attr_setstacksize(&small, 128 << 10) == 0);
	CHECK(t, pthread_setattr_default_np(&small) == 0);
	rbl_jobs *jobs = create_pool(4);
	CHECK(t, pthread_setattr_default_np(&before) == 0);
#else
	rbl_jobs *jobs = create_pool(4);
#endif
	meeting m = { .wanted_count = 4 };
	rbl_parallel_for(jobs, 4, 1, use_stack, &m);
	CHECK(t, m.met_count == 4);
	rbl_destroy_jobs(jobs);
}

// --- the caller's tasks ----------------------------------------------------------------------

enum { MAX_TASKS = 4096 };

typedef struct task_system {
	pthread_mutex_t mutex;
	rbl_task_function *functions[MAX_TASKS];
	void *tasks[MAX_TASKS];
	pthread_t threads[MAX_TASKS];
	int count, done_count;
} task_system;

static void keep_task(void *user, rbl_task_function *function, void *task)
{
	task_system *system = user;
	pthread_mutex_lock(&system->mutex);
	if (system->count < MAX_TASKS) {
		system->functions[system->count] = function;
		system->tasks[system->count++] = task;
	}
	pthread_mutex_unlock(&system->mutex);
}

static void run_kept_tasks(task_system *system)
{
	while (system->done_count < system->count) {
		int i = system->done_count++;
		system->functions[i](system->tasks[i]);
	}
}

static void run_task_at_once(void *user, rbl_task_function *function, void *task)
{
	++*(int *)user;
	function(task);
}

static void *run_last_task(void *argument)
{
	void **call = argument;
	rbl_task_function *function;
	memcpy(&function, &call[0], sizeof function);
	function(call[1]);
	free(call);
	return NULL;
}

static void run_task_on_new_thread(void *user, rbl_task_function *function, void *task)
{
	task_system *system = user;
	void **call = malloc(2 * sizeof *call);
	memcpy(&call[0], &function, sizeof function);
	call[1] = task;
	pthread_mutex_lock(&system->mutex);
	pthread_create(&system->threads[system->count++], NULL, run_last_task, call);
	pthread_mutex_unlock(&system->mutex);
}

static rbl_jobs *create_task_pool(int worker_count,
                                  void (*start)(void *, rbl_task_function *, void *), void *user)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = worker_count;
	def.start_task = start;
	def.user = user;
	rbl_jobs *jobs;
	return rbl_create_jobs(&def, &jobs) == RBL_OK ? jobs : NULL;
}

static void tasks_of_the_caller_do_the_work(test *t)
{
	static task_system system = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	rbl_jobs *jobs = create_task_pool(3, run_task_on_new_thread, &system);
	for (int i = 0; i < 50; ++i)
		check_visits(t, jobs, 1000, 9);
	meeting m = { .wanted_count = 3 };
	rbl_parallel_for(jobs, 3, 1, meet, &m);
	CHECK(t, m.met_count == 3);
	nest n = { .jobs = jobs };
	for (int i = 1; i <= 20; ++i) {
		rbl_parallel_for(jobs, 5, 1, outer_block, &n);
		CHECK(t, n.sum == i * 5 * 6 * 7);
	}
	rbl_destroy_jobs(jobs);
	for (int i = 0; i < system.count; ++i)
		pthread_join(system.threads[i], NULL);
	CHECK(t, system.count > 0);
}

static void a_task_may_run_inside_start_task(test *t)
{
	int count = 0;
	rbl_jobs *jobs = create_task_pool(4, run_task_at_once, &count);
	check_visits(t, jobs, 1000, 9);
	nest n = { .jobs = jobs };
	rbl_parallel_for(jobs, 5, 1, outer_block, &n);
	CHECK(t, n.sum == 5 * 6 * 7 && count > 0);
	rbl_destroy_jobs(jobs);
}

// Nobody waits for a task that has not begun, and never are more waiting than can be of use.
static void late_tasks_find_nothing_and_do_no_harm(test *t)
{
	static task_system system = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	rbl_jobs *jobs = create_task_pool(4, keep_task, &system);
	for (int i = 0; i < 10; ++i)
		check_visits(t, jobs, 1000, 9);
	CHECK(t, system.count == 3);
	run_kept_tasks(&system);
	check_visits(t, jobs, 1000, 9);
	CHECK(t, system.count == 6);
	run_kept_tasks(&system);
	rbl_destroy_jobs(jobs);
}

static void *run_tasks_later(void *argument)
{
	nap_ms(30);
	run_kept_tasks(argument);
	return NULL;
}

static void destroy_waits_for_started_tasks(test *t)
{
	static task_system system = { .mutex = PTHREAD_MUTEX_INITIALIZER };
	rbl_jobs *jobs = create_task_pool(3, keep_task, &system);
	check_visits(t, jobs, 1000, 9);
	pthread_t thread;
	CHECK(t, pthread_create(&thread, NULL, run_tasks_later, &system) == 0);
	rbl_destroy_jobs(jobs);
	pthread_join(thread, NULL);
	CHECK(t, system.count == 2 && system.done_count == 2);
}

TEST_MAIN(TEST(worker_numbers_are_unique_among_all_callers),
          TEST(a_caller_without_a_worker_waits_its_turn), TEST(two_pools_do_not_know_of_each_other),
          TEST(idle_workers_use_no_processor_time), TEST(all_workers_work_at_once),
          TEST(a_waiting_thread_helps_loops_inside_its_own),
          TEST(a_thread_that_cannot_start_is_an_error), TEST(stacks_do_not_depend_on_the_system),
          TEST(tasks_of_the_caller_do_the_work), TEST(a_task_may_run_inside_start_task),
          TEST(late_tasks_find_nothing_and_do_no_harm), TEST(destroy_waits_for_started_tasks))

#endif
