// SPDX-License-Identifier: MIT
//
// Peeling of an apple (Otaduy et al. 2007, Figures 5 and 8). A hollow apple is cut along meridians
// from top to bottom, while its skin bends away. Both trees are refitted in every frame; only
// frames with a fracture change their structure: one follows the cut, and is rebuilt when Q passes
// 2.3, the other is built anew each time. Times are processor time. Curves go over the frames of the
// peel: queries, and updates as means of the fractures since the query before.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "tree_cases.h"
#include "tree_shapes.h"

#include "base/math.h"
#include "base/vec.h"
#include "geometry/geometry.h"
#include "cutting/cutting.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 800, CUTS = 8, QUERY_EVERY = 10, POINTS = FRAMES / QUERY_EVERY };

typedef struct peel {
	rbl_cutter *cutter;
	rbl_cutter_mesh mesh; // with bent positions
	rbl_vec3d *bent;
	rbl_vec3 *bent_float;
	rbl_box *boxes;
	int room;
} peel;

// What one of the trees took: sums, the worst, and curves over the peel.
typedef struct peel_times {
	double update, self, worst;
	double updates[POINTS]; // the mean of the fractures since the last query
	double selves[POINTS];
} peel_times;

typedef struct hit_count {
	const peel *peel;
	long hits;
} hit_count;

// Processor time of this thread: on a busy machine others do not show.
static double processor_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// The skin opens from the top, each strip along its own middle.
static rbl_vec3d bend(rbl_vec3d p, double time)
{
	double opening = 0.25 * time * (p.y > 0.0 ? p.y : 0.0);
	double angle = rbl_atan2(p.z, p.x);
	double strip = (angle + 3.14159265358979323846) * CUTS / (2.0 * 3.14159265358979323846);
	double off = strip - (int)strip - 0.5;
	double out = 1.0 + opening * (1.0 - off * off);
	return (rbl_vec3d){ p.x * out, p.y * (1.0 - 0.3 * opening), p.z * out };
}

static void bend_mesh(peel *p, double time)
{
	p->mesh = rbl_cutter_get_mesh(p->cutter);
	if (p->mesh.vertex_count > p->room || p->mesh.triangle_count > p->room)
		exit(1);
	for (int i = 0; i < p->mesh.vertex_count; ++i) {
		p->bent[i] = bend(p->mesh.positions[i], time);
		p->bent_float[i] = rbl_to_f(p->bent[i]);
	}
	p->mesh.positions = p->bent;
	tree_mesh_boxes(&p->mesh, p->boxes);
}

static bool test_pairs(void *context, const rbl_tree_pair *pairs, int count)
{
	hit_count *hits = context;
	const rbl_cutter_mesh *mesh = &hits->peel->mesh;
	for (int i = 0; i < count; ++i)
		if (!rbl_cut_are_twins(mesh, pairs[i].a, pairs[i].b))
			hits->hits += rbl_indexed_triangles_meet_float(hits->peel->bent_float,
			                                               mesh->triangles + 3 * pairs[i].a,
			                                               mesh->triangles + 3 * pairs[i].b);
	return true;
}

static double query_ms(const peel *p, const rbl_tree *tree, long *hits)
{
	hit_count count = { p, 0 };
	double start = processor_ms();
	rbl_tree_query_self(tree, test_pairs, &count);
	*hits = count.hits;
	return processor_ms() - start;
}

static void begin_strip(peel *p, int cut)
{
	double s, c;
	rbl_sin_cos(2.0 * 3.14159265358979323846 * (cut + 0.013) / CUTS, &s, &c);
	rbl_vec3d front[2] = { { 0.05 * c, 0.55, 0.05 * s }, { 0.7 * c, 0.55, 0.7 * s } };
	rbl_vec3d path[2] = { { 0.0, 0.0, 0.0 }, { 0.0, -0.9, 0.0 } };
	if (rbl_cutter_begin(p->cutter, &(rbl_crack){ front, 2, path, 2 }) != RBL_OK)
		exit(1);
}

void tree_run_peel(bench *b)
{
	if (!bench_wants(b, "peel"))
		return;
	tree_shape shape = tree_shape_make(TREE_APPLE, 6124);
	peel p = { .cutter = tree_make_cutter(&shape), .room = 40000 };
	p.bent = tree_memory((size_t)p.room, sizeof *p.bent);
	p.bent_float = tree_memory((size_t)p.room, sizeof *p.bent_float);
	p.boxes = tree_memory((size_t)p.room, sizeof *p.boxes);
	bend_mesh(&p, 0.0);
	rbl_tree_pool pools[2];
	rbl_tree trees[2];
	for (int i = 0; i < 2; ++i) {
		rbl_tree_pool_init(&pools[i], NULL, i == 0 ? RBL_TREE_COUNTS | RBL_TREE_METRICS : 0);
		trees[i] = rbl_tree_make(&pools[i]);
	}
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN, .boxes = p.boxes };
	input.count = p.mesh.triangle_count;
	for (int i = 0; i < 2; ++i)
		if (rbl_tree_build(&trees[i], &input) != RBL_OK)
			exit(1);
	rbl_cut_tree work = { 0 };
	static peel_times times[2]; // by tree
	memset(times, 0, sizeof times);
	static int triangles[POINTS];
	int rebuilds = 0, fractures = 0, queries = 0, fractures_before = 0;
	bool agree = true;
	for (int frame = 0; frame < FRAMES; ++frame) {
		int per_cut = FRAMES / CUTS, cut = frame / per_cut, in_cut = frame % per_cut;
		rbl_cut_step step = { 0 };
		if (in_cut == 0)
			begin_strip(&p, cut);
		if (in_cut % 2 == 0 &&
		    rbl_cutter_advance(p.cutter, (in_cut + 2.0) / per_cut, &step) != RBL_OK)
			exit(1);
		bend_mesh(&p, (double)frame / FRAMES);
		if (step.changed_count + step.part_count + step.face_count > 0) {
			fractures++;
			double start = processor_ms();
			if (rbl_cut_tree_step(&work, &trees[0], &p.mesh, &step) != RBL_OK)
				exit(1);
			if (rbl_tree_quality(&trees[0]) > 2.3) {
				input.count = p.mesh.triangle_count;
				if (rbl_tree_build(&trees[0], &input) != RBL_OK)
					exit(1);
				rebuilds++;
			}
			double middle = processor_ms();
			input.count = p.mesh.triangle_count;
			if (rbl_tree_build(&trees[1], &input) != RBL_OK)
				exit(1);
			const double took[2] = { middle - start, processor_ms() - middle };
			for (int i = 0; i < 2; ++i) {
				times[i].update += took[i];
				times[i].updates[queries] += took[i];
				times[i].worst = took[i] > times[i].worst ? took[i] : times[i].worst;
			}
		}
		for (int i = 0; i < 2; ++i)
			rbl_tree_refit(&trees[i], p.boxes, NULL);
		if (frame % QUERY_EVERY == QUERY_EVERY - 1) {
			long hits[2];
			for (int i = 0; i < 2; ++i) {
				times[i].selves[queries] = query_ms(&p, &trees[i], &hits[i]);
				times[i].self += times[i].selves[queries];
				times[i].updates[queries] /=
					fractures > fractures_before ? fractures - fractures_before : 1;
			}
			fractures_before = fractures;
			triangles[queries] = p.mesh.triangle_count;
			agree = agree && hits[0] == hits[1];
			queries++;
		}
	}
	static const char *const variants[2] = { "update", "rebuild-median" };
	for (int i = 0; i < 2; ++i) {
		bench_row(b, "peel", variants[i], "update_ms", times[i].update / fractures, "ms");
		bench_row(b, "peel", variants[i], "update_worst_ms", times[i].worst, "ms");
		bench_row(b, "peel", variants[i], "self_ms", times[i].self / queries, "ms");
		bench_row(b, "peel", variants[i], "rebuilds", i == 0 ? rebuilds : fractures, "");
		bench_row(b, "peel", variants[i], "triangles", p.mesh.triangle_count, "");
		for (int k = 0; k < queries; ++k) {
			int x = QUERY_EVERY * (k + 1);
			bench_point(b, "peel", variants[i], "update_ms", x, times[i].updates[k], "ms");
			bench_point(b, "peel", variants[i], "self_ms", x, times[i].selves[k], "ms");
			if (i == 0)
				bench_point(b, "peel", variants[i], "triangles", x, triangles[k], "");
		}
		if (!agree || rbl_tree_check(&trees[i]))
			bench_fail(b, "peel", variants[i], "the trees do not find the same");
	}
	rbl_cut_tree_free(&work, &pools[0].allocator);
	for (int i = 0; i < 2; ++i)
		rbl_tree_pool_destroy(&pools[i]);
	rbl_destroy_cutter(p.cutter);
	free(p.boxes);
	free(p.bent_float);
	free(p.bent);
	tree_shape_free(&shape);
}
