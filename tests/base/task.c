// SPDX-License-Identifier: MIT
// ctest: threads
// Tasks: done in slices, on a pool or by waiting, and always the same.

#include "base/task.h"

#include "pools.h"

// Counts to `end`; may fail once, open loops, and share a place to write to.
typedef struct counting {
	rbl_task task;
	int at, end, fail_at;
	bool is_endless;
	int *shared; // written by each slice, without a lock
	rbl_jobs *jobs;
	bool *is_destroyed;
} counting;

static rbl_result count_on(rbl_task *task, int budget, bool *is_ready)
{
	counting *c = (counting *)task;
	if (c->fail_at >= 0 && c->at >= c->fail_at) {
		c->fail_at = -1;
		return RBL_OUT_OF_MEMORY;
	}
	int step = budget < c->end - c->at ? budget : c->end - c->at;
	c->at += c->is_endless ? 0 : step;
	if (c->shared)
		*c->shared += step;
	if (c->jobs) {
		nest n = { .jobs = c->jobs };
		rbl_parallel_for(c->jobs, 5, 1, outer_block, &n);
		if (n.sum != 5 * 6 * 7)
			return RBL_BAD_FILE;
	}
	*is_ready = c->at == c->end;
	return RBL_OK;
}

static void end_counting(rbl_task *task)
{
	*((counting *)task)->is_destroyed = true;
}

static const rbl_task_kind counting_kind = { count_on, end_counting, NULL };

static rbl_task *begin(counting *c, int end, rbl_task_group *group)
{
	static bool ignored;
	*c = (counting){ .end = end, .fail_at = -1, .is_destroyed = &ignored };
	rbl_task_init(&c->task, &counting_kind, group);
	return &c->task;
}

static void slices_add_up(test *t)
{
	counting c;
	rbl_task *task = begin(&c, 100, NULL);
	bool is_ready = false;
	CHECK(t, rbl_task_get_state(task) == RBL_TASK_WAITING);
	for (int i = 1; i <= 4; ++i) {
		CHECK(t, rbl_task_work(task, 30, &is_ready) == RBL_OK);
		CHECK(t, is_ready == (i == 4) && c.at == (i == 4 ? 100 : 30 * i));
	}
	CHECK(t, rbl_task_get_state(task) == RBL_TASK_READY);
	CHECK(t, rbl_task_work(task, 30, &is_ready) == RBL_OK && is_ready);
	CHECK(t, rbl_task_wait(task) == RBL_OK);
	rbl_destroy_task(task);
}

static void a_pool_does_the_work(test *t)
{
	for (int workers = 1; workers <= 4; ++workers) {
		rbl_jobs *jobs = create_pool(workers);
		counting c[8];
		for (int i = 0; i < 8; ++i) {
			rbl_task *task = begin(&c[i], 3000 * i, NULL);
			c[i].jobs = jobs;
			CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
		}
		check_visits(t, jobs, 1000, 9); // loops go on meanwhile
		for (int i = 0; i < 8; ++i) {
			CHECK(t, rbl_task_wait(&c[i].task) == RBL_OK && c[i].at == c[i].end);
			CHECK(t, rbl_task_get_state(&c[i].task) == RBL_TASK_READY);
			rbl_destroy_task(&c[i].task);
		}
		rbl_destroy_jobs(jobs);
	}
}

static void a_pool_with_threads_needs_no_help(test *t)
{
	rbl_jobs *jobs = create_pool(2);
	counting c;
	rbl_task *task = begin(&c, 100000, NULL);
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK && rbl_task_start(task, jobs) == RBL_OK);
	bool is_ready = rbl_jobs_worker_count(jobs) == 1; // a build without threads
	while (!is_ready)
		is_ready = rbl_task_get_state(task) == RBL_TASK_READY;
	CHECK(t, rbl_task_wait(task) == RBL_OK && c.at == 100000);
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK); // ready stays ready
	rbl_destroy_task(task);
	rbl_destroy_jobs(jobs);
}

// The place that two tasks share has no lock: tsan, or a lost sum, would tell.
static void slices_of_a_group_never_meet(test *t)
{
	rbl_jobs *jobs = create_pool(4);
	rbl_task_group group = { 0 };
	counting c[3];
	int shared = 0;
	for (int i = 0; i < 3; ++i) {
		rbl_task *task = begin(&c[i], 100000, &group);
		c[i].shared = &shared;
		CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
	}
	for (int i = 0; i < 100; ++i) { // the owner comes in between
		rbl_task_group_hold(&group);
		shared += 1;
		rbl_task_group_release(&group);
	}
	for (int i = 0; i < 3; ++i)
		CHECK(t, rbl_task_wait(&c[i].task) == RBL_OK);
	CHECK(t, shared == 300100);
	rbl_jobs *other = create_pool(2);
	counting fourth;
	rbl_task *task = begin(&fourth, 10, &group);
	bool has_threads = rbl_jobs_worker_count(jobs) > 1;
	CHECK(t, !has_threads || rbl_task_start(task, other) == RBL_BAD_ARGUMENT);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_task(&c[i].task);
	CHECK(t, rbl_task_start(task, other) == RBL_OK && rbl_task_wait(task) == RBL_OK);
	rbl_destroy_task(task);
	rbl_destroy_jobs(other);
	rbl_destroy_jobs(jobs);
}

static void stopping_ends_the_work(test *t)
{
	rbl_jobs *jobs = create_pool(3);
	counting c;
	bool is_destroyed = false;
	rbl_task *task = begin(&c, 1 << 30, NULL);
	c.is_endless = true;
	c.is_destroyed = &is_destroyed;
	int seen = 0;
	c.shared = &seen;
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
	CHECK(t, rbl_task_get_state(task) == RBL_TASK_RUNNING);
	rbl_task_stop(task);
	int before = seen;
	CHECK(t, rbl_task_get_state(task) == RBL_TASK_WAITING);
	check_visits(t, jobs, 1000, 9);
	CHECK(t, seen == before);
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK); // goes on
	rbl_destroy_task(task);
	CHECK(t, is_destroyed);

	task = begin(&c, 1 << 30, NULL); // a pool that goes gives its tasks back
	c.is_endless = true;
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
	rbl_destroy_jobs(jobs);
	c.is_endless = false;
	CHECK(t, rbl_task_wait(task) == RBL_OK && c.at == c.end);
	rbl_destroy_task(task);
}

static void what_failed_says_so_and_can_be_tried_again(test *t)
{
	rbl_jobs *jobs = create_pool(2);
	for (int on_pool = 0; on_pool < 2; ++on_pool) {
		counting c;
		rbl_task *task = begin(&c, 5000, NULL);
		c.fail_at = 100;
		bool is_ready = false;
		if (on_pool && rbl_jobs_worker_count(jobs) > 1) {
			CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
			while (rbl_task_get_state(task) == RBL_TASK_RUNNING)
				check_visits(t, jobs, 10, 9);
		} else {
			CHECK(t, rbl_task_work(task, 100, &is_ready) == RBL_OK);
			CHECK(t, rbl_task_work(task, 100, &is_ready) == RBL_OUT_OF_MEMORY && !is_ready);
		}
		CHECK(t, rbl_task_get_state(task) == RBL_TASK_FAILED);
		CHECK(t, rbl_task_wait(task) == RBL_OUT_OF_MEMORY);
		CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
		CHECK(t, rbl_task_wait(task) == RBL_OK && c.at == 5000);
		rbl_destroy_task(task);
	}
	rbl_destroy_jobs(jobs);
}

typedef struct kept {
	rbl_task_function *functions[64];
	void *tasks[64];
	int count;
} kept;

static void keep(void *user, rbl_task_function *function, void *task)
{
	kept *k = user;
	k->functions[k->count] = function;
	k->tasks[k->count++] = task;
}

static void run_at_once(void *user, rbl_task_function *function, void *task)
{
	++*(int *)user;
	function(task);
}

static void a_task_system_of_the_caller_does_the_work(test *t)
{
	kept k = { .count = 0 };
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = 3;
	def.start_task = keep;
	def.user = &k;
	rbl_jobs *jobs = NULL;
	CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_OK);
	bool has_threads = rbl_jobs_worker_count(jobs) > 1;
	counting c[4];
	for (int i = 0; i < 4; ++i)
		CHECK(t, rbl_task_start(begin(&c[i], 2000, NULL), jobs) == RBL_OK);
	CHECK(t, k.count == (has_threads ? 2 : 0)); // no more than can be of use
	for (int i = 0; i < k.count; ++i)
		k.functions[i](k.tasks[i]);
	for (int i = 0; i < 4; ++i) {
		CHECK(t, !has_threads || rbl_task_get_state(&c[i].task) == RBL_TASK_READY);
		rbl_destroy_task(&c[i].task);
	}
	rbl_destroy_jobs(jobs);

	int count = 0;
	def.start_task = run_at_once;
	def.user = &count;
	CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_OK);
	CHECK(t, rbl_task_start(begin(&c[0], 2000, NULL), jobs) == RBL_OK);
	CHECK(t, rbl_task_wait(&c[0].task) == RBL_OK && c[0].at == 2000 && count == has_threads);
	rbl_destroy_task(&c[0].task);
	rbl_destroy_jobs(jobs);
}

static void bad_calls_are_refused(test *t)
{
	counting c;
	rbl_task *task = begin(&c, 10, NULL);
	rbl_jobs *jobs = create_pool(1), *other = create_pool(1);
	bool is_ready = true;
	CHECK(t, rbl_task_get_state(NULL) == RBL_TASK_FAILED);
	CHECK(t, rbl_task_work(NULL, 1, &is_ready) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_work(task, 0, &is_ready) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_work(task, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_start(NULL, jobs) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_start(task, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_wait(NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
	CHECK(t, !task->pool || rbl_task_start(task, other) == RBL_BAD_ARGUMENT);
	rbl_task_stop(NULL);
	rbl_destroy_task(task);
	rbl_destroy_task(NULL);
	rbl_destroy_jobs(jobs);
	rbl_destroy_jobs(other);
}

TEST_MAIN(TEST(slices_add_up), TEST(a_pool_does_the_work), TEST(a_pool_with_threads_needs_no_help),
          TEST(slices_of_a_group_never_meet), TEST(stopping_ends_the_work),
          TEST(what_failed_says_so_and_can_be_tried_again),
          TEST(a_task_system_of_the_caller_does_the_work), TEST(bad_calls_are_refused))
