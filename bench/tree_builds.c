// SPDX-License-Identifier: MIT
//
// Builds, refits and inserts, per triangle or leaf, beside the peers that are installed. All start
// from the same floats, and from triangles: making boxes of them is part of a build.

#include "tree_cases.h"
#include "tree_shapes.h"

#include "base/vec.h"

#ifdef RBL_HAVE_PEERS
#include "tree_peers.h"
#endif

#include <stdio.h>
#include <stdlib.h>

typedef struct build_work {
	rbl_tree_pool pool;
	rbl_tree tree;
	rbl_tree_builder builder;
	rbl_jobs *jobs;
	rbl_vec3 *positions, *moved;
	int *triangles;
	rbl_box *boxes;
	int vertex_count, count, turn, inserted;
} build_work;

static void load(build_work *w, int count)
{
	tree_shape shape = tree_shape_make(TREE_CREATURE, count);
	*w = (build_work){ .vertex_count = shape.vertex_count, .count = shape.triangle_count };
	w->positions = tree_memory((size_t)w->vertex_count, sizeof *w->positions);
	w->moved = tree_memory((size_t)w->vertex_count, sizeof *w->moved);
	w->boxes = tree_memory((size_t)w->count, sizeof *w->boxes);
	for (int i = 0; i < w->vertex_count; ++i) {
		w->positions[i] = rbl_to_f(shape.positions[i]);
		w->moved[i] = rbl_scale(1.01f, w->positions[i]);
	}
	w->triangles = shape.triangles;
	shape.triangles = NULL;
	tree_shape_free(&shape);
	rbl_tree_pool_init(&w->pool, NULL, 0);
	w->tree = rbl_tree_make(&w->pool);
}

static void unload(build_work *w)
{
	rbl_tree_pool_destroy(&w->pool);
	free(w->triangles);
	free(w->boxes);
	free(w->moved);
	free(w->positions);
}

static void build(void *context)
{
	build_work *w = context;
	rbl_tree_triangle_boxes(w->boxes, w->positions, w->triangles, w->count, w->jobs);
	if (rbl_tree_build(&w->tree, &(rbl_tree_build_input){ .builder = w->builder,
	                                                      .count = w->count,
	                                                      .boxes = w->boxes,
	                                                      .jobs = w->jobs }) != RBL_OK)
		exit(1);
}

static void refit(void *context)
{
	build_work *w = context;
	rbl_tree_refit_triangles(&w->tree, w->turn++ % 2 ? w->positions : w->moved, w->triangles, NULL);
}

enum { INSERTS = 2000 };

static void take_out(void *context)
{
	build_work *w = context;
	for (int i = 0; i < w->inserted; ++i)
		rbl_tree_remove(&w->tree, (uint32_t)(w->count + i));
	rbl_tree_update(&w->tree, 0);
	w->inserted = 0;
}

static void put_in(void *context)
{
	build_work *w = context;
	for (; w->inserted < INSERTS; ++w->inserted) {
		int from = (int)((long long)w->inserted * 7919 % w->count);
		if (rbl_tree_insert(&w->tree, (uint32_t)(w->count + w->inserted), w->boxes[from],
		                    RBL_TREE_NONE) != RBL_OK)
			exit(1);
	}
}

static void put_in_and_update(void *context)
{
	build_work *w = context;
	for (; w->inserted < INSERTS; ++w->inserted) {
		int from = (int)((long long)w->inserted * 7919 % w->count);
		if (rbl_tree_insert(&w->tree, (uint32_t)(w->count + w->inserted), w->boxes[from],
		                    RBL_TREE_NONE) != RBL_OK)
			exit(1);
		rbl_tree_update(&w->tree, RBL_TREE_PERMUTE);
	}
}

static void run_peers(bench *b, const build_work *w, const char *name, int what)
{
#ifdef RBL_HAVE_PEERS
	tree_peer_mesh mesh = { &w->positions[0].x, &w->moved[0].x, w->triangles, w->vertex_count,
		                    w->count };
	int repeat = bench_is_quick(b) ? 2 : 5;
	for (int i = 0; tree_peers[i]; ++i) {
		const tree_peer *peer = tree_peers[i];
		int depth = 0;
		if (what == 0 && peer->build)
			bench_row(b, name, peer->name, "ns", peer->build(&mesh, repeat) / w->count, "ns");
		if (what == 1 && peer->refit)
			bench_row(b, name, peer->name, "ns", peer->refit(&mesh, repeat) / w->count, "ns");
		if (what == 2 && peer->insert) {
			bench_row(b, name, peer->name, "ns", peer->insert(&mesh, repeat, &depth), "ns");
			bench_row(b, name, peer->name, "depth", depth, "levels");
		}
	}
#else
	(void)b, (void)w, (void)name, (void)what;
#endif
}

static void time_build(bench *b, const char *name, build_work *w, rbl_tree_builder builder,
                       const char *ending)
{
	char variant[48];
	snprintf(variant, sizeof variant, "rubble-%s%s", tree_builder_names[builder], ending);
	w->builder = builder;
	bench_time(b, name, variant,
	           &(bench_job){ .run = build,
	                         .context = w,
	                         .metric = "ns",
	                         .unit = "ns",
	                         .items = w->count,
	                         .calls = 1 });
}

void tree_run_builds(bench *b)
{
	static const int counts[2] = { 90000, 250000 };
	for (int i = 0; i < 2; ++i) {
		char name[32];
		snprintf(name, sizeof name, "build-%dk", counts[i] / 1000);
		if (bench_wants(b, name)) {
			build_work w;
			load(&w, counts[i]);
			for (int k = 0; k < RBL_TREE_BUILDER_COUNT; ++k)
				time_build(b, name, &w, (rbl_tree_builder)k, "");
			rbl_jobs_def def = rbl_default_jobs_def();
			def.worker_count = 2;
			if (rbl_create_jobs(&def, &w.jobs) == RBL_OK) {
				time_build(b, name, &w, RBL_TREE_BUILD_MORTON, "-2-workers");
				time_build(b, name, &w, RBL_TREE_BUILD_SAH, "-2-workers");
			}
			rbl_destroy_jobs(w.jobs);
			run_peers(b, &w, name, 0);
			unload(&w);
		}
		snprintf(name, sizeof name, "refit-%dk", counts[i] / 1000);
		if (bench_wants(b, name)) {
			build_work w;
			load(&w, counts[i]);
			build(&w);
			bench_time(b, name, "rubble-morton",
			           &(bench_job){ .run = refit,
			                         .context = &w,
			                         .metric = "ns",
			                         .unit = "ns",
			                         .items = w.count,
			                         .calls = 1 });
			run_peers(b, &w, name, 1);
			unload(&w);
		}
	}
	if (bench_wants(b, "insert-90k")) {
		build_work w;
		load(&w, counts[0]);
		w.builder = RBL_TREE_BUILD_MEDIAN;
		build(&w);
		bench_time(b, "insert-90k", "rubble",
		           &(bench_job){ .run = put_in,
		                         .prepare = take_out,
		                         .context = &w,
		                         .metric = "ns",
		                         .unit = "ns",
		                         .items = INSERTS });
		bench_row(b, "insert-90k", "rubble", "depth", rbl_tree_height(&w.tree), "levels");
		bench_time(b, "insert-90k", "rubble-permute",
		           &(bench_job){ .run = put_in_and_update,
		                         .prepare = take_out,
		                         .context = &w,
		                         .metric = "ns",
		                         .unit = "ns",
		                         .items = INSERTS });
		bench_row(b, "insert-90k", "rubble-permute", "depth", rbl_tree_height(&w.tree), "levels");
		run_peers(b, &w, "insert-90k", 2);
		unload(&w);
	}
}
