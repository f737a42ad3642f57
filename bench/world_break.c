// SPDX-License-Identifier: MIT
//
// Worlds in which things break.
//
// The arena has more than a million vertices and is one static body. Fifteen blows a second strike
// what is left of it, anywhere, until it is 20,000 bodies of 32,000 convexes or more; from then on two balls a second are
// shot at what is left, for ten seconds. Every step is measured: rows that begin with `breaking_` are of
// the steps up to the last blow, the others of those after it, of which the first have all that still
// falls. The others are measured from their first step to the last: a stone through a pane, stones on
// a heap of bricks, a tower whose columns are shot away, a wall of loose bricks that is struck.
//
// Times are elapsed times of rbl_world_step(), each step with its least over three runs (two of the
// arena, unless all is wanted) or as many as --repeat says; `fracture_ms_worst` is that of all steps, `awake` the mean of the steps of `ms_mean`, `awake_end` the number after the last.
// `processor_ms_mean` is the processor time of all workers in these, which a busy machine does not
// make much longer.

#include "world_break.h"
#include "world_break_scenes.h"
#include "world_frames.h"

#include "base/vec.h"

// Of the arena, which takes a minute, where not all is wanted.
enum { ARENA_RUNS = 2 };

typedef struct break_result {
	world_frames before, timed; // the steps that do not count, and those that do
	double fracture_worst, awake_sum, processor_ms;
	rbl_world_stats stats; // at the end
	uint64_t hash;
} break_result;

// @return false when the world could not be made, or a step failed
static bool run_once(break_result *result, const break_case *c, bool is_quick, int workers,
                     bool is_first)
{
	break_run r = { .is_quick = is_quick, .random = rbl_random_from_seed(5) };
	int count = is_quick ? c->quick_steps : c->steps, timed = 0;
	double processor_ms = 0.0;
	bool ok = break_open(&r, c, workers);
	result->awake_sum = result->fracture_worst = 0.0;
	for (; ok && timed < count && r.step < BREAK_MOST_STEPS; ++r.step) {
		if (c->before_step)
			c->before_step(&r);
		double start = world_clock_ms(2), processor = world_clock_ms(1);
		ok = rbl_world_step(r.world, 1.0f / 60.0f) == RBL_OK;
		double ms = world_clock_ms(2) - start;
		processor = world_clock_ms(1) - processor;
		world_stages stages;
		world_read_stages(r.world, &stages);
		rbl_world_stats s = rbl_world_get_stats(r.world);
		result->fracture_worst = rbl_maxd(result->fracture_worst, s.fracture_ms);
		if (r.timed_step < 0) {
			world_frames_add(&result->before, r.step, ms, &stages);
			continue;
		}
		world_frames_add(&result->timed, timed++, ms, &stages);
		result->awake_sum += s.awake_count;
		processor_ms += processor;
	}
	ok &= timed == count;
	if (ok) {
		result->stats = rbl_world_get_stats(r.world);
		result->hash = rbl_world_hash(r.world);
		if (is_first || processor_ms < result->processor_ms)
			result->processor_ms = processor_ms;
	}
	break_close(&r);
	return ok;
}

static void report(bench *b, const char *name, const char *variant, const break_result *r)
{
	int count = r->timed.count;
	world_frames_report(b, name, variant, "", &r->timed, 0, count);
	bench_row(b, name, variant, "processor_ms_mean", r->processor_ms / count, "ms");
	bench_row(b, name, variant, "fracture_ms_worst", r->fracture_worst, "ms");
	bench_row(b, name, variant, "fragments", r->stats.body_count, "");
	bench_row(b, name, variant, "convexes", r->stats.part_count, "");
	bench_row(b, name, variant, "awake", r->awake_sum / count, "");
	bench_row(b, name, variant, "awake_end", r->stats.awake_count, "");
	if (r->before.count > 0) {
		world_frames_report(b, name, variant, "breaking_", &r->before, 0, r->before.count);
		bench_row(b, name, variant, "breaking_steps", r->before.count, "");
	}
	bench_row(b, name, variant, "bytes", (double)r->stats.bytes, "B");
	bench_row(b, name, variant, "setting_freeze_time", (double)BREAK_FREEZE_TIME, "s");
	bench_check(b, name, variant, r->hash, 0);
}

static void run_case(bench *b, const break_case *c, int workers)
{
	const char *variant = workers == 1 ? "rubble-1" : "rubble-2";
	break_result result = { .hash = 0 };
	bool ok = true;
	int repeat = world_run_count(b);
	if (c == &break_cases[0] && repeat > ARENA_RUNS && bench_repeat(b) == 0 &&
	    !bench_is_thorough(b))
		repeat = ARENA_RUNS;
	for (int i = 0; ok && i < repeat; ++i)
		ok = run_once(&result, c, bench_is_quick(b), workers, i == 0);
	if (ok)
		report(b, c->name, variant, &result);
	else
		bench_fail(b, c->name, variant, "the world could not be made, or a step failed");
	world_frames_free(&result.before);
	world_frames_free(&result.timed);
}

void bench_breaking_worlds(bench *b)
{
	for (int i = 0; i < break_case_count; ++i) {
		if (!bench_wants(b, break_cases[i].name))
			continue;
		if (i > 0 || bench_is_quick(b)) // the arena takes minutes
			run_case(b, &break_cases[i], 1);
		run_case(b, &break_cases[i], 2);
	}
}
