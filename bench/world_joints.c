// SPDX-License-Identifier: MIT
//
// Joints: how fast many are, and how far a few give way. A metric that has a target is followed by
// the target. The speed of joints is measured against our own pile of 4,000 in the same run, so
// that the machine does not matter.

#include "world_joints.h"
#include "world_frames.h"

#include "scenes/jointed.h"

#include <math.h>
#include <string.h>

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

static void time_step(world_frames *frames, rbl_world *world, int step, int workers)
{
	double start = world_clock_ms(workers);
	rbl_world_step(world, 1.0f / 60.0f);
	double ms = world_clock_ms(workers) - start;
	world_stages stages;
	world_read_stages(world, &stages);
	world_frames_add(frames, step, ms, &stages);
}

static void time_case(bench *b, const speed_case *c, int workers, double pile_ms)
{
	const char *variant = workers > 1 ? "rubble-2" : "rubble-1";
	world_frames frames = { 0 };
	double gap = 0.0;
	uint64_t hash = 0;
	for (int i = 0; i < world_run_count(b); ++i) {
		jointed_world w;
		if (!c->create(&w, bench_is_quick(b) ? c->quick_count : c->count, workers)) {
			bench_fail(b, c->name, variant, "the world could not be made");
			world_frames_free(&frames);
			return;
		}
		for (int k = 0; k < c->step_count; ++k) {
			time_step(&frames, w.world, k, workers);
			if (i == 0)
				gap = fmax(gap, (double)jointed_worst_gap(&w));
		}
		hash = rbl_world_hash(w.world);
		jointed_close(&w);
	}
	double mean = world_frames_mean(&frames, 0, frames.count);
	bench_row(b, c->name, variant, "worst_gap_mm", 1e3 * gap, "mm");
	bench_row(b, c->name, variant, "step_ms", mean, "ms");
	world_frames_report(b, c->name, variant, "", &frames, 0, frames.count);
	for (int i = 0; i < frames.stages.count; ++i)
		if (strcmp(frames.stages.names[i], "solver_ms") == 0)
			bench_row(b, c->name, variant, "solver_ms",
			          world_frames_stage_mean(&frames, i, 0, frames.count), "ms");
	if (workers == 1) {
		bench_row(b, c->name, variant, "of_pile_4000", mean / pile_ms, "");
		bench_row(b, c->name, variant, "target", c->target, "");
	}
	bench_check(b, c->name, variant, hash, 0);
	world_frames_free(&frames);
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
	world_frames frames = { 0 };
	float worst = 0.0f;
	for (int i = 0; i < HANG_STEPS; ++i) {
		time_step(&frames, w.world, i, 1);
		worst = fmaxf(worst, jointed_worst_gap(&w));
	}
	rbl_vec3 end = jointed_end(&w);
	double length = sqrt((double)(end.x * end.x + end.y * end.y + end.z * end.z));
	bench_row(b, name, "rubble", "stretch_percent", 100.0 * (length / (double)w.length - 1.0), "%");
	bench_row(b, name, "rubble", "target", target, "%");
	bench_row(b, name, "rubble", "length_m", length, "m");
	bench_row(b, name, "rubble", "worst_gap_mm", 1e3 * (double)worst, "mm");
	world_frames_report(b, name, "rubble", "", &frames, 0, HANG_STEPS);
	world_frames_free(&frames);
	jointed_close(&w);
}

static void hang_beam(bench *b, const char *name)
{
	jointed_world w;
	if (!jointed_beam(&w, 10, 1.0f)) {
		bench_fail(b, name, "rubble", "the world could not be made");
		return;
	}
	world_frames frames = { 0 };
	for (int i = 0; i < HANG_STEPS; ++i)
		time_step(&frames, w.world, i, 1);
	bench_row(b, name, "rubble", "sag_mm", -1e3 * (double)jointed_end(&w).y, "mm");
	bench_row(b, name, "rubble", "target", 5.0, "mm");
	world_frames_report(b, name, "rubble", "", &frames, 0, HANG_STEPS);
	world_frames_free(&frames);
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
