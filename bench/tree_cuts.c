// SPDX-License-Identifier: MIT
//
// Progressive cuts (Otaduy et al. 2007, Table 1 and Figure 7). A creature is split in 11 steps; the
// tree follows, and every builder builds the same state anew. Each time is the least over the
// repetitions of one step, then the mean over the steps.

#include "tree_cases.h"
#include "tree_shapes.h"

#include "base/vec.h"
#include "cutting/cutting.h"
#include "scenes/tree_measure.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 11, PHASES = 4 };

static const char *const phase_names[PHASES] = { "replace_ms", "insert_ms", "refit_ms",
	                                             "optimise_ms" };

// One tree that follows, permuted or not.
typedef struct follower {
	rbl_tree_pool pool;
	rbl_tree tree;
	rbl_cut_tree work;
	bool permutes;
	double phases[STEPS][PHASES];
} follower;

typedef struct cut_run {
	const char *name;
	tree_shape shape;
	follower followers[2];
	rbl_tree_pool rebuilt_pool[RBL_TREE_BUILDER_COUNT];
	rbl_tree rebuilt[RBL_TREE_BUILDER_COUNT];
	double rebuild[STEPS][RBL_TREE_BUILDER_COUNT];
	rbl_box *boxes;
	double changed, separate;
} cut_run;

static double since_ms(uint64_t start)
{
	return (double)(bench_now_ns() - start) * 1e-6;
}

// Across the long axis, from below, slightly bent: all of the body and none of its symmetry.
static void begin_cut(rbl_cutter *cutter, const tree_shape *shape)
{
	rbl_boxd box = { { DBL_MAX, DBL_MAX, DBL_MAX }, { -DBL_MAX, -DBL_MAX, -DBL_MAX } };
	for (int i = 0; i < shape->vertex_count; ++i) {
		box.lower = rbl_min_d(box.lower, shape->positions[i]);
		box.upper = rbl_max_d(box.upper, shape->positions[i]);
	}
	rbl_vec3d c = rbl_scale_d(0.5, rbl_add_d(box.lower, box.upper));
	rbl_vec3d s = rbl_sub_d(box.upper, box.lower);
	rbl_vec3d front[3] = { { box.lower.x - 0.1 * s.x, c.y - 0.02 * s.y, box.lower.z - 0.02 * s.z },
		                   { c.x, c.y + 0.013 * s.y, box.lower.z - 0.02 * s.z },
		                   { box.upper.x + 0.1 * s.x, c.y, box.lower.z - 0.02 * s.z } };
	rbl_vec3d path[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.03 * s.y, 1.04 * s.z } };
	if (rbl_cutter_begin(cutter, &(rbl_crack){ front, 3, path, 2 }) != RBL_OK)
		exit(1);
}

static void build_tree(rbl_tree *tree, rbl_tree_builder builder, const rbl_box *boxes, int count)
{
	if (rbl_tree_build(tree, &(rbl_tree_build_input){
								 .builder = builder, .count = count, .boxes = boxes }) != RBL_OK)
		exit(1);
}

static void follow(follower *f, const rbl_cutter_mesh *mesh, const rbl_cut_step *step, int number)
{
	if (rbl_cut_tree_reserve(&f->work, &f->tree, mesh, step) != RBL_OK)
		exit(1);
	double *phases = f->phases[number];
	uint64_t start = bench_now_ns();
	rbl_cut_tree_replace(&f->tree, mesh, step);
	tree_keep_least(&phases[0], since_ms(start));
	start = bench_now_ns();
	rbl_cut_tree_insert(&f->work, &f->tree, mesh, step);
	tree_keep_least(&phases[1], since_ms(start));
	start = bench_now_ns();
	rbl_tree_update(&f->tree, f->permutes ? RBL_TREE_KEEP_DIRTY : 0);
	tree_keep_least(&phases[2], since_ms(start));
	start = bench_now_ns();
	if (f->permutes)
		rbl_tree_update(&f->tree, RBL_TREE_PERMUTE);
	tree_keep_least(&phases[3], f->permutes ? since_ms(start) : 0.0);
}

static void run_once(cut_run *run)
{
	rbl_cutter *cutter = tree_make_cutter(&run->shape);
	begin_cut(cutter, &run->shape);
	rbl_cutter_mesh mesh = rbl_cutter_get_mesh(cutter);
	tree_mesh_boxes(&mesh, run->boxes);
	for (int i = 0; i < 2; ++i)
		build_tree(&run->followers[i].tree, RBL_TREE_BUILD_MEDIAN, run->boxes, mesh.triangle_count);
	run->changed = 0.0;
	for (int number = 0; number < STEPS; ++number) {
		rbl_cut_step step;
		if (rbl_cutter_advance(cutter, (number + 1.0) / STEPS, &step) != RBL_OK)
			exit(1);
		mesh = rbl_cutter_get_mesh(cutter);
		run->changed += step.changed_count + step.part_count + step.face_count;
		for (int i = 0; i < 2; ++i)
			follow(&run->followers[i], &mesh, &step, number);
		tree_mesh_boxes(&mesh, run->boxes);
		for (int i = 0; i < RBL_TREE_BUILDER_COUNT; ++i) {
			uint64_t start = bench_now_ns();
			build_tree(&run->rebuilt[i], (rbl_tree_builder)i, run->boxes, mesh.triangle_count);
			tree_keep_least(&run->rebuild[number][i], since_ms(start));
		}
	}
	// The halves go apart.
	int *labels = tree_memory((size_t)mesh.triangle_count, sizeof(int)), parts = 0;
	if (rbl_cutter_get_components(cutter, labels, &parts) != RBL_OK)
		exit(1);
	rbl_tree *pieces = tree_memory((size_t)parts, sizeof(rbl_tree)), whole;
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, NULL, RBL_TREE_METRICS);
	if (!tree_copy(&run->followers[0].tree, &pool, &whole))
		exit(1);
	rbl_tree_fracture_input input = { .method = RBL_TREE_BY_EXTRACT,
		                              .piece_count = parts,
		                              .labels = labels };
	uint64_t start = bench_now_ns();
	if (rbl_tree_break(&whole, &input, pieces, NULL) != RBL_OK)
		exit(1);
	tree_keep_least(&run->separate, since_ms(start));
	rbl_tree_pool_destroy(&pool);
	free(pieces);
	free(labels);
	rbl_destroy_cutter(cutter);
}

static void report(bench *b, cut_run *run)
{
	static const char *const variants[2] = { "update", "update-no-permute" };
	for (int i = 0; i < 2; ++i) {
		follower *f = &run->followers[i];
		double total = 0.0;
		for (int phase = 0; phase < PHASES; ++phase) {
			double sum = 0.0;
			for (int step = 0; step < STEPS; ++step)
				sum += f->phases[step][phase];
			bench_row(b, run->name, variants[i], phase_names[phase], sum / STEPS, "ms");
			total += sum / STEPS;
		}
		bench_row(b, run->name, variants[i], "ms_per_step", total, "ms");
		for (int step = 0; step < STEPS; ++step) {
			double ms = 0.0;
			for (int phase = 0; phase < PHASES; ++phase)
				ms += f->phases[step][phase];
			bench_point(b, run->name, variants[i], "ms", step + 1, ms, "ms");
		}
		bench_row(b, run->name, variants[i], "changed", run->changed / STEPS, "leaves");
		bench_row(b, run->name, variants[i], "q", measure_tree(&f->tree).quality, "");
		bench_row(b, run->name, variants[i], "depth", rbl_tree_height(&f->tree), "levels");
		if (i == 0)
			bench_row(b, run->name, variants[i], "separate_ms", run->separate, "ms");
		if (rbl_tree_check(&f->tree))
			bench_fail(b, run->name, variants[i], rbl_tree_check(&f->tree));
	}
	for (int i = 0; i < RBL_TREE_BUILDER_COUNT; ++i) {
		char variant[40];
		snprintf(variant, sizeof variant, "rebuild-%s", tree_builder_names[i]);
		double sum = 0.0;
		for (int step = 0; step < STEPS; ++step)
			sum += run->rebuild[step][i];
		bench_row(b, run->name, variant, "ms_per_step", sum / STEPS, "ms");
		for (int step = 0; step < STEPS; ++step)
			bench_point(b, run->name, variant, "ms", step + 1, run->rebuild[step][i], "ms");
		bench_row(b, run->name, variant, "q", measure_tree(&run->rebuilt[i]).quality, "");
		bench_row(b, run->name, variant, "depth", rbl_tree_height(&run->rebuilt[i]), "levels");
	}
}

static void run_cut(bench *b, const char *name, tree_shape shape)
{
	cut_run *run = tree_memory(1, sizeof *run);
	run->name = name;
	run->shape = shape;
	run->separate = DBL_MAX;
	run->boxes = tree_memory(2 * (size_t)shape.triangle_count + 100000, sizeof(rbl_box));
	for (int i = 0; i < 2; ++i) {
		follower *f = &run->followers[i];
		rbl_tree_pool_init(&f->pool, NULL, RBL_TREE_METRICS);
		f->tree = rbl_tree_make(&f->pool);
		f->permutes = i == 0;
		for (int k = 0; k < STEPS * PHASES; ++k)
			f->phases[k / PHASES][k % PHASES] = DBL_MAX;
	}
	for (int i = 0; i < RBL_TREE_BUILDER_COUNT; ++i) {
		rbl_tree_pool_init(&run->rebuilt_pool[i], NULL, 0);
		run->rebuilt[i] = rbl_tree_make(&run->rebuilt_pool[i]);
		for (int k = 0; k < STEPS; ++k)
			run->rebuild[k][i] = DBL_MAX;
	}
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 2 : 5;
	for (int i = 0; i < repeat; ++i)
		run_once(run);
	report(b, run);
	for (int i = 0; i < RBL_TREE_BUILDER_COUNT; ++i)
		rbl_tree_pool_destroy(&run->rebuilt_pool[i]);
	for (int i = 0; i < 2; ++i) {
		rbl_cut_tree_free(&run->followers[i].work, &run->followers[i].pool.allocator);
		rbl_tree_pool_destroy(&run->followers[i].pool);
	}
	free(run->boxes);
	free(run);
}

// --- growth -------------------------------------------------------------------------------------

// Cut in steps so small that their number of changed leaves can be added up to a fixed one.
static void run_growth(bench *b, const char *name, int triangle_count)
{
	enum { CHANGED = 480, BATCHES = 6, SMALL_STEPS = 2000 };
	tree_shape shape = tree_shape_make(TREE_CREATURE, triangle_count);
	rbl_box *boxes = tree_memory((size_t)shape.triangle_count, sizeof *boxes);
	double least = DBL_MAX;
	int repeat = bench_is_quick(b) ? 2 : 5;
	for (int round = 0; round < repeat; ++round) {
		rbl_cutter *cutter = tree_make_cutter(&shape);
		begin_cut(cutter, &shape);
		rbl_cutter_mesh mesh = rbl_cutter_get_mesh(cutter);
		tree_mesh_boxes(&mesh, boxes);
		follower f = { .permutes = true };
		rbl_tree_pool_init(&f.pool, NULL, RBL_TREE_METRICS);
		f.tree = rbl_tree_make(&f.pool);
		build_tree(&f.tree, RBL_TREE_BUILD_MEDIAN, boxes, mesh.triangle_count);
		uint64_t time = 0;
		long changed = 0, in_batch = 0;
		for (int i = 1; i <= SMALL_STEPS && changed < CHANGED * BATCHES; ++i) {
			rbl_cut_step step;
			if (rbl_cutter_advance(cutter, (double)i / SMALL_STEPS, &step) != RBL_OK)
				exit(1);
			mesh = rbl_cutter_get_mesh(cutter);
			if (rbl_cut_tree_reserve(&f.work, &f.tree, &mesh, &step) != RBL_OK)
				exit(1);
			uint64_t start = bench_now_ns();
			rbl_cut_tree_replace(&f.tree, &mesh, &step);
			rbl_cut_tree_insert(&f.work, &f.tree, &mesh, &step);
			in_batch += step.changed_count + step.part_count + step.face_count;
			if (in_batch >= CHANGED) {
				rbl_tree_update(&f.tree, RBL_TREE_PERMUTE);
				changed += in_batch;
				in_batch = 0;
			}
			time += bench_now_ns() - start;
		}
		if (changed > 0)
			tree_keep_least(&least, (double)time / (double)(changed + in_batch));
		rbl_cut_tree_free(&f.work, &f.pool.allocator);
		rbl_tree_pool_destroy(&f.pool);
		rbl_destroy_cutter(cutter);
	}
	bench_row(b, name, "update", "ns_per_changed_leaf", least, "ns");
	free(boxes);
	tree_shape_free(&shape);
}

void tree_run_cuts(bench *b)
{
	static const struct {
		const char *name;
		int count;
	} cuts[] = { { "cut-5k", 5660 },
		         { "cut-22k", 22640 },
		         { "cut-90k", 90560 },
		         { "cut-360k", 362240 } },
	  growths[] = { { "grow-22k", 22640 }, { "grow-90k", 90560 }, { "grow-360k", 362240 } };
	for (int i = 0; i < 4; ++i)
		if (bench_wants(b, cuts[i].name)) {
			tree_shape shape = tree_shape_make(TREE_CREATURE, cuts[i].count);
			run_cut(b, cuts[i].name, shape);
			tree_shape_free(&shape);
		}
	if (bench_wants(b, "cut-armadillo")) {
		tree_shape shape = tree_shape_read(RBL_SHARED_DIR "/models/armadillo.obj");
		if (shape.triangle_count > 0)
			run_cut(b, "cut-armadillo", shape);
		else
			bench_skip(b, "cut-armadillo", "its model is not there");
		tree_shape_free(&shape);
	}
	for (int i = 0; i < 3; ++i)
		if (bench_wants(b, growths[i].name))
			run_growth(b, growths[i].name, growths[i].count);
}
