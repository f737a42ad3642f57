// SPDX-License-Identifier: MIT
// Worker groups: many loops in a row, every block once, each loop after the last.
// ctest: threads

#include "base/pools.h"

#include "base/worker_group.h"

enum { STAGES = 300, ITEMS = 257 };

// A row of loops, each of which needs what the last one left.
typedef struct row {
	int values[2][ITEMS];
	int block_size, item_count, stage, worker_count;
	bool calls_always;
	atomic_int wrong_count;
} row;

static void add_neighbour(void *context, int begin, int end, int worker)
{
	row *r = context;
	const int *from = r->values[r->stage % 2];
	int *to = r->values[1 - r->stage % 2];
	if (begin % r->block_size != 0 || worker < 0 || worker >= r->worker_count)
		atomic_fetch_add(&r->wrong_count, 1);
	for (int i = begin; i < end; ++i)
		to[i] = (from[i] + from[(i + 7) % r->item_count] + i) & 0xffff;
}

static void run_row(rbl_worker_group *group, void *context)
{
	row *r = context;
	if (r->calls_always)
		rbl_worker_group_wake_always(group);
	for (r->stage = 0; r->stage < STAGES; r->stage++) {
		r->block_size = 1 + r->stage % 40;
		rbl_worker_group_for(group, r->item_count, r->block_size, add_neighbour, r);
	}
}

static int sum_of_row(test *t, rbl_jobs *jobs, int item_count, bool calls_always)
{
	row r = { .item_count = item_count,
		      .worker_count = rbl_jobs_worker_count(jobs),
		      .calls_always = calls_always };
	rbl_run_worker_group(jobs, run_row, &r);
	CHECK(t, r.wrong_count == 0);
	int sum = 0;
	for (int i = 0; i < item_count; ++i)
		sum = (31 * sum + r.values[STAGES % 2][i]) & 0xffffff;
	return sum;
}

static void each_loop_sees_what_the_last_one_left(test *t)
{
	for (int count = 1; count <= ITEMS; count *= 4) {
		int sum = sum_of_row(t, NULL, count, true);
		for (int workers = 1; workers <= 20; workers += workers < 4 ? 1 : 8) {
			rbl_jobs *jobs = create_pool(workers);
			CHECK(t, sum_of_row(t, jobs, count, false) == sum);
			CHECK(t, sum_of_row(t, jobs, count, true) == sum);
			rbl_destroy_jobs(jobs);
		}
	}
}

typedef struct crowd {
	rbl_jobs *jobs;
	test *t;
	int sum;
	atomic_int right_count;
} crowd;

static void run_rows(void *context, int begin, int end, int worker)
{
	crowd *c = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		row r = { .item_count = 64, .worker_count = rbl_jobs_worker_count(c->jobs) };
		rbl_run_worker_group(c->jobs, run_row, &r);
		int sum = 0;
		for (int k = 0; k < 64; ++k)
			sum = (31 * sum + r.values[STAGES % 2][k]) & 0xffffff;
		atomic_fetch_add(&c->right_count, sum == c->sum && r.wrong_count == 0);
	}
}

// As worlds do that share a pool and step inside its blocks.
static void groups_run_inside_blocks(test *t)
{
	rbl_jobs *jobs = create_pool(3);
	crowd c = { .jobs = jobs, .sum = sum_of_row(t, NULL, 64, false) };
	rbl_parallel_for(jobs, 12, 1, run_rows, &c);
	CHECK(t, c.right_count == 12);
	rbl_destroy_jobs(jobs);
}

static void refuse_to_start(void *user, rbl_task_function *function, void *task)
{
	(void)user;
	function(task); // on this very thread, where it finds that there is nothing to do
}

static void a_group_whose_helpers_do_not_come_is_a_loop(test *t)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = 4;
	def.start_task = refuse_to_start;
	rbl_jobs *jobs;
	CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_OK);
	CHECK(t, sum_of_row(t, jobs, ITEMS, false) == sum_of_row(t, NULL, ITEMS, false));
	rbl_destroy_jobs(jobs);
}

TEST_MAIN(TEST(each_loop_sees_what_the_last_one_left), TEST(groups_run_inside_blocks),
          TEST(a_group_whose_helpers_do_not_come_is_a_loop))
