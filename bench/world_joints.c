// SPDX-License-Identifier: MIT
//
// Joints: how fast many are, and how far a few give way. A metric that has a target is followed by
// the target. The speed of joints is measured against our own pile of 4,000 in the same run, so
// that the machine does not matter.

#define _DEFAULT_SOURCE // clock_gettime

#include "world_joints.h"

#include "scenes/jointed.h"

#include <math.h>
#include <time.h>

static double now_ms(int workers)
{
	struct timespec t;
	clock_gettime(workers > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

typedef struct speed_case {
	const char *name;
	bool (*create)(jointed_world *w, int count, int workers);
	int count, quick_count;
	int step_count;
	double target; // times the pile
} speed_case;

static const speed_case speed_cases[] = {
	{ "joint-grid", jointed_grid, 100, 30, 120, 2.2 },
	{ "ragdolls", jointed_ragdolls, 100, 20, 300, 0.25 },
};

static void time_case(bench *b, const speed_case *c, int workers, double pile_ms)
{
	const char *variant = workers > 1 ? "rubble-2" : "rubble-1";
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 1;
	double least = INFINITY, worst = 0.0, solver = 0.0, gap = 0.0;
	uint64_t hash = 0;
	for (int i = 0; i < repeat; ++i) {
		jointed_world w;
		if (!c->create(&w, bench_is_quick(b) ? c->quick_count : c->count, workers)) {
			bench_fail(b, c->name, variant, "the world could not be made");
			return;
		}
		double sum = 0.0, most = 0.0, solver_sum = 0.0;
		gap = 0.0;
		for (int k = 0; k < c->step_count; ++k) {
			double start = now_ms(workers);
			rbl_world_step(w.world, 1.0f / 60.0f);
			double ms = now_ms(workers) - start;
			sum += ms;
			most = fmax(most, ms);
			solver_sum += rbl_world_get_stats(w.world).solver_ms;
			if (i == 0)
				gap = fmax(gap, (double)jointed_worst_gap(&w));
		}
		if (sum / c->step_count < least) {
			least = sum / c->step_count;
			worst = most;
			solver = solver_sum / c->step_count;
		}
		hash = rbl_world_hash(w.world);
		if (i == 0)
			bench_row(b, c->name, variant, "worst_gap_mm", 1e3 * gap, "mm");
		jointed_close(&w);
	}
	bench_row(b, c->name, variant, "step_ms", least, "ms");
	bench_row(b, c->name, variant, "ms_worst", worst, "ms");
	bench_row(b, c->name, variant, "solver_ms", solver, "ms");
	if (workers == 1) {
		bench_row(b, c->name, variant, "of_pile_4000", least / pile_ms, "");
		bench_row(b, c->name, variant, "target", c->target, "");
	}
	bench_check(b, c->name, variant, hash, 0);
}

// Ten seconds: it swings a little at first.
enum { HANG_STEPS = 600 };

static void hang_chain(bench *b, const char *name, float ratio, double target)
{
	jointed_world w;
	if (!jointed_chain(&w, 10, ratio, false)) {
		bench_fail(b, name, "rubble", "the world could not be made");
		return;
	}
	double start = now_ms(1);
	float worst = 0.0f;
	for (int i = 0; i < HANG_STEPS; ++i) {
		rbl_world_step(w.world, 1.0f / 60.0f);
		worst = fmaxf(worst, jointed_worst_gap(&w));
	}
	double ms = (now_ms(1) - start) / HANG_STEPS;
	rbl_vec3 end = jointed_end(&w);
	double length = sqrt((double)(end.x * end.x + end.y * end.y + end.z * end.z));
	bench_row(b, name, "rubble", "stretch_percent", 100.0 * (length / (double)w.length - 1.0), "%");
	bench_row(b, name, "rubble", "target", target, "%");
	bench_row(b, name, "rubble", "length_m", length, "m");
	bench_row(b, name, "rubble", "worst_gap_mm", 1e3 * (double)worst, "mm");
	bench_row(b, name, "rubble", "step_ms", ms, "ms");
	jointed_close(&w);
}

static void hang_beam(bench *b, const char *name)
{
	jointed_world w;
	if (!jointed_beam(&w, 10, 1.0f)) {
		bench_fail(b, name, "rubble", "the world could not be made");
		return;
	}
	double start = now_ms(1);
	for (int i = 0; i < HANG_STEPS; ++i)
		rbl_world_step(w.world, 1.0f / 60.0f);
	double ms = (now_ms(1) - start) / HANG_STEPS;
	bench_row(b, name, "rubble", "sag_mm", -1e3 * (double)jointed_end(&w).y, "mm");
	bench_row(b, name, "rubble", "target", 5.0, "mm");
	bench_row(b, name, "rubble", "step_ms", ms, "ms");
	jointed_close(&w);
}

void bench_joints(bench *b, double (*pile_ms)(bench *b))
{
	for (size_t i = 0; i < sizeof speed_cases / sizeof speed_cases[0]; ++i) {
		if (!bench_wants(b, speed_cases[i].name))
			continue;
		time_case(b, &speed_cases[i], 1, pile_ms(b));
		time_case(b, &speed_cases[i], 2, 0.0);
	}
	if (bench_wants(b, "chain-105"))
		hang_chain(b, "chain-105", 104.72f, 0.5);
	if (bench_wants(b, "chain-1047"))
		hang_chain(b, "chain-1047", 1047.2f, 2.0);
	if (bench_wants(b, "chain-10472"))
		hang_chain(b, "chain-10472", 10472.0f, 10.0);
	if (bench_wants(b, "weld-beam"))
		hang_beam(b, "weld-beam");
}
