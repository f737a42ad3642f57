// SPDX-License-Identifier: MIT
//
// Breaking compounds. What is timed is rbl_compound_break() alone, or the making where the case says
// so. Each repetition breaks a compound that was made anew.

#include "compound_rows.h"

#include "base/random.h"
#include "base/vec.h"

#include <rubble/compound.h>
#include <rubble/hull.h>
#include <rubble/shapes.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct compound_work {
	rbl_compound_def def;
	rbl_break_def break_def;
	rbl_compound *compound;
	rbl_break *broken;
	double volume; // before
} compound_work;

static double seen_volume(const rbl_compound *c)
{
	double sum = 0.0;
	rbl_compound_info info = rbl_compound_get_info(c);
	for (int i = 0; i < info.part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		if (part.convex)
			sum += part.mesh ? rbl_mesh_get_mass(part.mesh).volume
			                 : rbl_convex_get_mass(part.convex).volume;
	}
	return sum;
}

static double broken_volume(const rbl_break *broken)
{
	rbl_break_data data = rbl_break_get_data(broken);
	double sum = data.flat_volume;
	for (int i = 0; i < data.compound_count; ++i)
		sum += seen_volume(data.compounds[i]);
	return sum;
}

static void forget(compound_work *work)
{
	rbl_destroy_break(work->broken);
	rbl_destroy_compound(work->compound);
	work->broken = NULL;
	work->compound = NULL;
}

static void forget_it(void *context)
{
	forget(context);
}

static void make_it(void *context)
{
	compound_work *work = context;
	rbl_create_compound(&work->def, &work->compound);
}

static void make_anew(void *context)
{
	forget(context);
	make_it(context);
}

static void break_it(void *context)
{
	compound_work *work = context;
	rbl_compound_break(work->compound, &work->break_def, &work->broken);
}

static void add_break_rows(bench *b, const char *name, const char *variant, compound_work *work,
                           double before, double us)
{
	if (!work->broken || !work->compound) {
		bench_fail(b, name, variant, "could not be broken");
		return;
	}
	rbl_break_data data = rbl_break_get_data(work->broken);
	double error = fabs((seen_volume(work->compound) + broken_volume(work->broken)) / before - 1.0);
	bench_row(b, name, variant, "compounds", data.compound_count, "");
	bench_row(b, name, variant, "pieces", data.made_count, "");
	bench_row(b, name, variant, "us_per_piece", us / rbl_maxi(data.made_count, 1), "us");
	bench_row(b, name, variant, "volume_error", error, "");
	bench_row(b, name, variant, "visited", data.visited_count, "");
	if (error > 1e-9 || data.compound_count == 0)
		bench_fail(b, name, variant, "volume was lost, or nothing broke");
}

void bench_compound_impact(bench *b, const char *name, rbl_mesh *(*load)(void))
{
	const char *variant = "compound";
	compound_work work = { .def = rbl_default_compound_def(),
		                   .break_def = rbl_default_break_def() };
	rbl_mesh *mesh = load();
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = rbl_box_size_d(box);
	pattern_def.cell_count = 200;
	rbl_pattern *split = NULL, *pattern = NULL;
	rbl_create_pattern(&pattern_def, &split);
	pattern_def.kind = RBL_PATTERN_IMPACT;
	pattern_def.cell_count = 100;
	rbl_create_pattern(&pattern_def, &pattern);
	work.def.mesh = mesh;
	work.def.pattern = split;
	work.def.position = rbl_box_centre_d(box);
	work.break_def.pattern = pattern;
	work.break_def.position = rbl_mesh_get_data(mesh).positions[0];
	work.break_def.radius = 0.1 * rbl_length_d(pattern_def.size);
	make_it(&work);
	double before = seen_volume(work.compound);
	bench_job job = { .run = break_it, .prepare = make_anew, .context = &work, .metric = "ms" };
	double ms = bench_time(b, name, variant, &job);
	add_break_rows(b, name, variant, &work, before, 1e3 * ms);
	forget(&work);
	rbl_destroy_pattern(split);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

// Strikes in places that do not change from run to run.
static void strike_ten_times(void *context)
{
	compound_work *work = context;
	rbl_random random = rbl_random_from_seed(11);
	for (int i = 0; i < 10; ++i) {
		work->break_def.position = (rbl_vec3d){ rbl_random_range(&random, -0.8, 0.8),
			                                    rbl_random_range(&random, -0.6, 0.6), 0.0 };
		rbl_destroy_break(work->broken);
		work->broken = NULL;
		rbl_compound_break(work->compound, &work->break_def, &work->broken);
	}
}

static rbl_convex *make_box(rbl_vec3d lower, rbl_vec3d upper)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ lower, upper };
	rbl_convex *convex = NULL;
	rbl_create_convex(&def, &convex);
	return convex;
}

void bench_compound_window(bench *b, const char *name)
{
	const char *variant = "compound";
	compound_work work = { .def = rbl_default_compound_def(),
		                   .break_def = rbl_default_break_def() };
	rbl_convex *pane =
		make_box((rbl_vec3d){ -1.0, -0.75, -0.005 }, (rbl_vec3d){ 1.0, 0.75, 0.005 });
	rbl_compound_part part = { .convex = pane, .is_anchored = true };
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_WEB;
	pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&pattern_def, &pattern);
	work.def.parts = &part;
	work.def.part_count = 1;
	work.break_def.pattern = pattern;
	work.break_def.radius = 0.12;
	bench_job job = { .run = strike_ten_times, .prepare = make_anew, .context = &work };
	job.metric = "ms_per_strike";
	job.items = 10;
	bench_time(b, name, variant, &job);
	rbl_compound_info info = rbl_compound_get_info(work.compound);
	bench_row(b, name, variant, "parts_left", info.part_count, "");
	bench_row(b, name, variant, "share_left",
	          rbl_compound_get_mass(work.compound).volume / (2.0 * 1.5 * 0.01), "");
	forget(&work);
	rbl_destroy_pattern(pattern);
	rbl_destroy_convex(pane);
}

// --- walls --------------------------------------------------------------------------------------

// A wall `side` bricks wide and high.
static void bench_wall(bench *b, int side)
{
	char making[64], chip[64];
	int count = side * side;
	snprintf(making, sizeof making, "bricks-%d", count);
	snprintf(chip, sizeof chip, "chip-%d", count);
	bool wants_making = bench_wants(b, making), wants_chip = bench_wants(b, chip);
	if (!wants_making && !wants_chip)
		return;
	compound_work work = { .def = rbl_default_compound_def(),
		                   .break_def = rbl_default_break_def() };
	rbl_compound_part *parts = calloc((size_t)count, sizeof *parts);
	rbl_convex **bricks = calloc((size_t)count, sizeof *bricks);
	if (parts && bricks) {
		for (int i = 0; i < count; ++i) {
			int row = i / side;
			double x = 0.4 * (i % side - side / 2) + (row & 1 ? 0.2 : 0.0);
			double y = 0.2 * (row - side / 2);
			parts[i].convex = bricks[i] =
				make_box((rbl_vec3d){ x, y, 0.0 }, (rbl_vec3d){ x + 0.4, y + 0.2, 0.2 });
			parts[i].is_anchored = row == 0;
		}
		work.def.parts = parts;
		work.def.part_count = count;
		if (wants_making) {
			bench_job job = { .run = make_it, .prepare = forget_it, .context = &work };
			job.metric = "us_per_brick";
			job.unit = "us";
			job.items = count;
			bench_time(b, making, "rubble", &job);
			bench_row(b, making, "rubble", "bonds", rbl_compound_get_info(work.compound).bond_count,
			          "");
		}
		if (wants_chip) {
			rbl_pattern_def pattern_def = rbl_default_pattern_def();
			pattern_def.kind = RBL_PATTERN_IMPACT;
			rbl_pattern *pattern = NULL;
			rbl_create_pattern(&pattern_def, &pattern);
			work.break_def.pattern = pattern;
			work.break_def.position = (rbl_vec3d){ 0.05, 0.03, 0.1 };
			work.break_def.radius = 0.3;
			bench_job job = { .run = break_it, .prepare = make_anew, .context = &work };
			job.metric = "ms";
			double ms = bench_time(b, chip, "rubble", &job);
			add_break_rows(b, chip, "rubble", &work, count * 0.4 * 0.2 * 0.2, 1e3 * ms);
			rbl_destroy_pattern(pattern);
		}
	}
	forget(&work);
	for (int i = 0; bricks && i < count; ++i)
		rbl_destroy_convex(bricks[i]);
	free(bricks);
	free(parts);
}

void bench_compounds(bench *b)
{
	bench_wall(b, 32);
	bench_wall(b, 100);
	if (!bench_is_quick(b))
		bench_wall(b, 316);
}
