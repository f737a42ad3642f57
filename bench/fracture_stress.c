// SPDX-License-Identifier: MIT
//
// Stress in a wall of bricks. A step is one call: with a budget of three passes, as a world would make
// it, whose loads are new in every step.

#include "fracture_stress.h"

#include <rubble/stress.h>

#include <stdlib.h>

enum { ACROSS = 60, UP = 56, PASSES = 3 };

typedef struct stress_work {
	rbl_compound *wall;
	rbl_stress *stress;
	rbl_stress_report report;
	rbl_stress_load load;
	int budget, load_count;
	bool is_weighed; // the load changes with every step
	int passes;
} stress_work;

static rbl_compound *make_wall(void)
{
	int count = ACROSS * UP;
	rbl_compound_part *parts = calloc((size_t)count, sizeof *parts);
	rbl_compound *wall = NULL;
	bool done = parts != NULL;
	for (int i = 0; i < count && done; ++i) {
		int x = i % ACROSS, y = i / ACROSS;
		double left = 0.4 * (x + (y % 2 ? 0.5 : 0.0));
		rbl_convex_def def = rbl_default_convex_def();
		rbl_convex *brick = NULL;
		def.box = (rbl_boxd){ { left, 0.2 * y, 0.0 }, { left + 0.4, 0.2 * y + 0.2, 0.2 } };
		done = rbl_create_convex(&def, &brick) == RBL_OK;
		parts[i].convex = brick;
		parts[i].is_anchored = y == 0;
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = count;
	if (done)
		rbl_create_compound(&def, &wall);
	for (int i = 0; parts && i < count; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	free(parts);
	return wall;
}

static void begin_anew(void *context)
{
	stress_work *w = context;
	rbl_stress_def def = rbl_default_stress_def();
	rbl_destroy_stress(w->stress);
	rbl_create_stress(&def, &w->stress);
}

static void step(void *context)
{
	stress_work *w = context;
	const rbl_vec3d down = { 0.0, -9.81, 0.0 };
	if (w->is_weighed)
		w->load.force.y = w->load.force.y < -600.0 ? -500.0 : w->load.force.y - 1.0;
	rbl_stress_update(w->stress, w->wall, down, &w->load, w->load_count, w->budget, &w->report);
	w->passes = w->report.pass_count;
}

static void bench_case(bench *b, const char *name, stress_work *w)
{
	static const rbl_vec3d top = { 0.4 * ACROSS / 2, 0.2 * UP, 0.1 };
	bench_job job = { .run = step, .prepare = begin_anew, .context = w, .metric = "ms" };
	w->budget = 1 << 30;
	bench_time(b, name, "settle", &job);
	bench_row(b, name, "settle", "bonds", w->report.bond_count, "");
	bench_row(b, name, "settle", "passes", w->passes, "");
	if (!w->report.is_converged || w->report.overloaded_count > 0)
		bench_fail(b, name, "settle", "the wall does not stand");
	job.prepare = NULL;
	bench_time(b, name, "same", &job);
	w->load = (rbl_stress_load){ ACROSS * (UP - 1) + ACROSS / 2, top, { 0.0, -500.0, 0.0 } };
	w->load_count = 1;
	w->is_weighed = true;
	w->budget = PASSES * w->report.bond_count;
	job.calls = 1;
	bench_time(b, name, "step", &job);
	bench_row(b, name, "step", "passes", w->passes, "");
}

void bench_stress(bench *b)
{
	const char *name = "stress-10000";
	if (!bench_wants(b, name))
		return;
	stress_work w = { .wall = make_wall() };
	if (w.wall)
		bench_case(b, name, &w);
	else
		bench_fail(b, name, "settle", "no wall");
	rbl_destroy_stress(w.stress);
	rbl_destroy_compound(w.wall);
}
