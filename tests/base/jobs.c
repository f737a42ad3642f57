// SPDX-License-Identifier: MIT
// Loops on pools: every block once, any nesting, the same result for any number of workers.
// ctest: threads

#include "base/pools.h"

#include "base/hash.h"

#include "faulty_allocator.h"

#include <limits.h>

static void every_item_is_in_one_block_with_fixed_borders(test *t)
{
	const int worker_counts[] = { 0, 1, 2, 3, 8 };
	const int item_counts[] = { 0, 1, 2, 63, 64, 65, 999, 1000 };
	const int block_sizes[] = { 1, 7, 64, 1000, INT_MAX };
	for (int w = 0; w < 5; ++w) {
		rbl_jobs *jobs = worker_counts[w] ? create_pool(worker_counts[w]) : NULL;
		CHECK(t, jobs || worker_counts[w] == 0);
		for (int n = 0; n < 8; ++n)
			for (int s = 0; s < 5; ++s)
				check_visits(t, jobs, item_counts[n],
				             block_sizes[s] == INT_MAX ? 1000 : block_sizes[s]);
		rbl_destroy_jobs(jobs);
	}
}

typedef struct span {
	atomic_llong length;
	atomic_int block_count;
} span;

static void measure_block(void *context, int begin, int end, int worker)
{
	span *s = context;
	(void)worker;
	atomic_fetch_add(&s->length, (long long)end - begin);
	atomic_fetch_add(&s->block_count, begin < end && begin >= 0);
}

static void the_longest_loop_does_not_overflow(test *t)
{
	for (int worker_count = 0; worker_count <= 2; ++worker_count) {
		rbl_jobs *jobs = worker_count ? create_pool(worker_count) : NULL;
		span s = { 0 };
		rbl_parallel_for(jobs, INT_MAX, INT_MAX / 2 - 5, measure_block, &s);
		CHECK(t, s.length == INT_MAX && s.block_count == 3);
		span whole = { 0 };
		rbl_parallel_for(jobs, INT_MAX, INT_MAX, measure_block, &whole);
		CHECK(t, whole.length == INT_MAX && whole.block_count == 1);
		rbl_destroy_jobs(jobs);
	}
}

static void count_lines(void *user, rbl_log_level level, const char *text)
{
	if (level == RBL_LOG_ERROR && strstr(text, "rbl_parallel_for"))
		++*(int *)user;
}

static void loops_that_make_no_sense_do_nothing(test *t)
{
	int line_count = 0;
	rbl_set_log(count_lines, &line_count);
	rbl_jobs *jobs = create_pool(2);
	span s = { 0 };
	rbl_parallel_for(jobs, -1, 1, measure_block, &s);
	rbl_parallel_for(jobs, 10, 0, measure_block, &s);
	rbl_parallel_for(NULL, 10, -3, measure_block, &s);
	rbl_parallel_for(jobs, 10, 1, NULL, &s);
	CHECK(t, s.block_count == 0 && line_count == 4);
	rbl_destroy_jobs(jobs);
	rbl_set_log(NULL, NULL);
}

// --- definitions ---------------------------------------------------------------------------

static void bad_definitions_are_refused(test *t)
{
	rbl_jobs *jobs = NULL;
	rbl_jobs_def def = rbl_default_jobs_def();
	CHECK(t, rbl_create_jobs(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_jobs(NULL, &jobs) == RBL_BAD_ARGUMENT && !jobs);
	const rbl_jobs_def no_cookie = { .worker_count = 1 };
	CHECK(t, rbl_create_jobs(&no_cookie, &jobs) == RBL_BAD_ARGUMENT && !jobs);
	const int counts[] = { INT_MIN, -1, 0, RBL_MAX_WORKERS + 1, INT_MAX };
	for (int i = 0; i < 5; ++i) {
		def.worker_count = counts[i];
		CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_BAD_ARGUMENT && !jobs);
	}
	def = rbl_default_jobs_def();
	def.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_BAD_ARGUMENT && !jobs);
	rbl_destroy_jobs(NULL);
	CHECK(t, rbl_jobs_worker_count(NULL) == 1);
}

static void a_pool_allocates_once_and_loops_never(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_jobs_def def = rbl_default_jobs_def();
		def.worker_count = 3;
		def.allocator = FAULTY(&memory);
		rbl_jobs *jobs;
		rbl_result result = rbl_create_jobs(&def, &jobs);
		CHECK(t, (result == RBL_OK) == (jobs != NULL));
		span s = { 0 };
		for (int i = 0; jobs && i < 100; ++i)
			rbl_parallel_for(jobs, 10, 1, measure_block, &s);
		CHECK(t, memory.total_count == n && n <= 1);
		rbl_destroy_jobs(jobs);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

static void the_largest_pool_works(test *t)
{
	rbl_jobs *jobs = create_pool(RBL_MAX_WORKERS);
	CHECK(t, jobs);
#ifndef RBL_NO_THREADS
	CHECK(t, rbl_jobs_worker_count(jobs) == RBL_MAX_WORKERS);
#endif
	for (int i = 0; i < 20; ++i)
		check_visits(t, jobs, 1000, 3);
	rbl_destroy_jobs(jobs);
}

static void loops_inside_loops_end(test *t)
{
	for (int worker_count = 1; worker_count <= 4; ++worker_count) {
		nest n = { .jobs = create_pool(worker_count) };
		for (int i = 1; i <= 200; ++i) {
			rbl_parallel_for(n.jobs, 5, 1, outer_block, &n);
			CHECK(t, n.sum == i * 5 * 6 * 7);
		}
		rbl_destroy_jobs(n.jobs);
	}
}

// Scratch memory per worker, as real users keep it: a block that opens a loop must find its own
// scratch untouched afterwards by other blocks of its own loop.
typedef struct scratch_user {
	rbl_jobs *jobs;
	int outer_scratch[RBL_MAX_WORKERS], inner_scratch[RBL_MAX_WORKERS];
	atomic_int wrong_count;
} scratch_user;

static void use_inner_scratch(void *context, int begin, int end, int worker)
{
	scratch_user *user = context;
	(void)end;
	user->inner_scratch[worker] = begin;
	volatile int work = 0;
	for (int i = 0; i < 200; ++i)
		work += i;
	(void)work;
	if (user->inner_scratch[worker] != begin)
		atomic_fetch_add(&user->wrong_count, 1);
}

static void use_outer_scratch(void *context, int begin, int end, int worker)
{
	scratch_user *user = context;
	(void)end;
	user->outer_scratch[worker] = begin;
	rbl_parallel_for(user->jobs, 1 + begin % 5, 1, use_inner_scratch, user);
	if (user->outer_scratch[worker] != begin)
		atomic_fetch_add(&user->wrong_count, 1);
}

static void a_block_keeps_its_scratch_while_it_waits(test *t)
{
	for (int worker_count = 1; worker_count <= 4; ++worker_count) {
		scratch_user user = { .jobs = create_pool(worker_count) };
		for (int i = 0; i < 100; ++i)
			rbl_parallel_for(user.jobs, 40, 1, use_outer_scratch, &user);
		CHECK(t, user.wrong_count == 0);
		rbl_destroy_jobs(user.jobs);
	}
}

static void hash_block(void *context, int begin, int end, int worker)
{
	uint64_t *hashes = context;
	(void)worker;
	uint64_t hash = RBL_HASH_START;
	for (int i = begin; i < end; ++i)
		hash = rbl_hash_number(hash, (uint64_t)i);
	hashes[begin / 100] = hash;
}

static void results_do_not_depend_on_the_worker_count(test *t)
{
	uint64_t first = 0;
	for (int worker_count = 0; worker_count <= 8; ++worker_count) {
		rbl_jobs *jobs = worker_count ? create_pool(worker_count) : NULL;
		uint64_t hashes[100];
		rbl_parallel_for(jobs, 9950, 100, hash_block, hashes);
		uint64_t hash = rbl_hash_bytes(RBL_HASH_START, hashes, sizeof hashes);
		if (worker_count == 0)
			first = hash;
		CHECK(t, hash == first);
		rbl_destroy_jobs(jobs);
	}
}

TEST_MAIN(TEST(every_item_is_in_one_block_with_fixed_borders),
          TEST(the_longest_loop_does_not_overflow), TEST(loops_that_make_no_sense_do_nothing),
          TEST(bad_definitions_are_refused), TEST(a_pool_allocates_once_and_loops_never),
          TEST(the_largest_pool_works), TEST(loops_inside_loops_end),
          TEST(a_block_keeps_its_scratch_while_it_waits),
          TEST(results_do_not_depend_on_the_worker_count))
