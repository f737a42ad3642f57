// SPDX-License-Identifier: MIT
//
// Many small worlds in one process, as learning and parameter studies run them: made, filled, stepped
// for a second and destroyed, one after the other and shared out over pools. Worlds per second and core
// are by processor time of the whole process, so they show what sharing costs and not what else runs.
// Every world must end in the state that it ends in alone.

#define _DEFAULT_SOURCE // clock_gettime

#include "world_many.h"

#include "base/hash.h"
#include "scenes/many_worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STEP_COUNT = 60, WORLD_COUNT = 400, QUICK_COUNT = 16 };

static const char case_name[] = "many-worlds";

static double seconds_of(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// @param workers  0: no pool
static void time_worlds(bench *b, const many_worlds *m, int workers, int count,
                        many_worlds_result *results)
{
	char variant[16];
	snprintf(variant, sizeof variant, workers > 0 ? "rubble-%d" : "alone", workers);
	rbl_jobs *jobs = NULL;
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = workers;
	if (workers > 0 && rbl_create_jobs(&def, &jobs) != RBL_OK) {
		bench_fail(b, case_name, variant, "the pool could not be made");
		return;
	}
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 1;
	double used = INFINITY, elapsed = INFINITY;
	for (int i = 0; i < repeat; ++i) {
		double begin_used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
		double begin = seconds_of(CLOCK_MONOTONIC);
		many_worlds_run(m, jobs, 0, count, results);
		elapsed = fmin(elapsed, seconds_of(CLOCK_MONOTONIC) - begin);
		used = fmin(used, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin_used);
	}
	rbl_destroy_jobs(jobs);
	uint64_t hash = 1;
	double bodies = 0.0;
	bool ok = true;
	for (int i = 0; i < count; ++i) {
		hash = rbl_hash_bytes(hash, &results[i].hash, sizeof results[i].hash);
		bodies += results[i].body_count;
		ok &= results[i].hash != 0;
	}
	if (!ok)
		bench_fail(b, case_name, variant, "a world could not be made");
	bench_row(b, case_name, variant, "worlds_per_s_core", count / used, "1/s");
	bench_row(b, case_name, variant, "worlds_per_s", count / elapsed, "1/s");
	bench_row(b, case_name, variant, "steps_per_s_core", count / used * STEP_COUNT, "1/s");
	bench_row(b, case_name, variant, "bodies_per_world", bodies / count, "");
	bench_check(b, case_name, variant, hash, 0);
}

void bench_many_worlds(bench *b)
{
	if (!bench_wants(b, case_name))
		return;
	int count = bench_is_quick(b) ? QUICK_COUNT : WORLD_COUNT;
	many_worlds_result *results = calloc((size_t)count, sizeof *results);
	many_worlds m = { .step_count = 0 };
	if (results && many_worlds_open(&m, STEP_COUNT))
		for (int workers = 0; workers <= 2; ++workers)
			time_worlds(b, &m, workers, count, results);
	else
		bench_fail(b, case_name, "rubble", "the worlds could not be made");
	many_worlds_close(&m);
	free(results);
}
