// SPDX-License-Identifier: MIT
//
// The four scenes, frame by frame: section 6 of Heo et al. 2010.
//
// Times are processor time, so that other programs on the machine do not show. `worst_ms` is the
// worst frame with a change of topology, where there is one. Misses are what the same frames without
// culling found more. The culling ratio is the share of box tests that culling saves.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "surface_scenes.h"

#include "surface_hash.h"

#include "scenes/surfaces.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct variant {
	const char *name;
	rbl_surface_culling culling;
	rbl_surface_restructuring restructuring;
	rbl_surface_builder builder;
	bool is_continuous; // measured within the step, too
} variant;

// Without culling comes first: the others are compared with it.
static const variant variants[] = {
	{ "none", RBL_CULL_NONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true },
	{ "exact", RBL_CULL_EXACT, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true },
	{ "cone", RBL_CULL_CONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true },
	{ "normal-cone", RBL_CULL_NORMAL_CONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, false },
	{ "contour", RBL_CULL_CONTOUR, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, false },
	{ "contour-real", RBL_CULL_REAL_CONTOUR, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, false },
	{ "no-restructure", RBL_CULL_EXACT, RBL_RESTRUCTURE_NONE, RBL_SURFACE_BUILD_AREA, false },
	{ "rebuild", RBL_CULL_EXACT, RBL_RESTRUCTURE_ALL, RBL_SURFACE_BUILD_AREA, false },
	{ "lm-median", RBL_CULL_EXACT, RBL_RESTRUCTURE_VOLUME, RBL_SURFACE_BUILD_MEDIAN, false },
	{ "median-build", RBL_CULL_EXACT, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_MEDIAN, false },
};

enum { VARIANTS = sizeof variants / sizeof variants[0], MOST_FRAMES = 256 };

typedef struct run_sums {
	double frames[MOST_FRAMES];
	bool is_broken[MOST_FRAMES];
	double change, update, query;
	int64_t found, tests, false_tests, box_tests;
	double bytes;
	int count;
} run_sums;

static double thread_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int frame_count(const bench *b, surface_kind kind)
{
	int frames = surface_scene_frames(kind);
	int most = bench_is_quick(b) ? 50 : kind == SURFACE_EXPLODE ? 130 : 100;
	return frames < most ? frames : most;
}

static bool run_frame(rbl_surface *surface, rbl_surface_motion motion, double change,
                      run_sums *sums)
{
	double begin = thread_ms();
	if (rbl_surface_update(surface, motion) != RBL_OK)
		return false;
	double middle = thread_ms();
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0, 1.0f };
	rbl_result result = motion == RBL_SURFACE_DISCRETE ? rbl_surface_collide(surface, &pairs)
	                                                   : rbl_surface_sweep(surface, &hits);
	double end = thread_ms();
	rbl_surface_stats stats = rbl_surface_statistics(surface);
	sums->change += change, sums->update += middle - begin, sums->query += end - middle;
	sums->frames[sums->count++] = change + end - begin;
	sums->found += motion == RBL_SURFACE_DISCRETE ? pairs.count : hits.count;
	sums->tests += stats.tests, sums->false_tests += stats.false_tests;
	sums->box_tests += stats.box_tests;
	sums->bytes = (double)stats.memory / stats.triangle_count;
	return result == RBL_OK;
}

static bool run_scene(const bench *b, surface_kind kind, const variant *v,
                      rbl_surface_motion motion, run_sums *sums)
{
	*sums = (run_sums){ .count = 0 };
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = v->culling, def.restructuring = v->restructuring, def.builder = v->builder;
	surface_scene *scene = surface_scene_create(kind, bench_is_quick(b) ? 4 : 1);
	rbl_surface *surface = NULL;
	bool is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	for (int frame = 0; is_good && frame < frame_count(b, kind); ++frame)
		is_good = surface_scene_step(scene, surface, &sums->is_broken[sums->count]) &&
		          run_frame(surface, motion, surface_scene_change_ms(scene), sums);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static void write_frames(bench *b, const char *name, const char *variant_name, run_sums *sums)
{
	double worst = 0.0, worst_broken = 0.0;
	for (int i = 0; i < sums->count; ++i) {
		worst = sums->frames[i] > worst ? sums->frames[i] : worst;
		if (sums->is_broken[i] && sums->frames[i] > worst_broken)
			worst_broken = sums->frames[i];
	}
	qsort(sums->frames, (size_t)sums->count, sizeof *sums->frames, by_value);
	bench_row(b, name, variant_name, "median_ms", sums->frames[sums->count / 2], "ms");
	bench_row(b, name, variant_name, "worst_ms", worst_broken > 0.0 ? worst_broken : worst, "ms");
}

static void run_variant(bench *b, surface_kind kind, const variant *v, int64_t known[2],
                        int64_t *known_boxes)
{
	const char *name = surface_scene_name(kind);
	run_sums sums;
	if (!run_scene(b, kind, v, RBL_SURFACE_DISCRETE, &sums)) {
		bench_fail(b, name, v->name, "failed");
		return;
	}
	bool is_first = v == variants;
	if (is_first)
		known[0] = sums.found, *known_boxes = sums.box_tests;
	double n = sums.count, missed = (double)(known[0] - sums.found);
	bench_row(b, name, v->name, "dcd_ms", (sums.change + sums.update + sums.query) / n, "ms");
	bench_row(b, name, v->name, "mesh_update_ms", sums.change / n, "ms");
	bench_row(b, name, v->name, "update_ms", sums.update / n, "ms");
	bench_row(b, name, v->name, "traverse_ms", sums.query / n, "ms");
	bench_row(b, name, v->name, "pairs", (double)sums.found / n, "");
	bench_row(b, name, v->name, "tests", (double)sums.tests / n, "");
	bench_row(b, name, v->name, "false_tests", (double)sums.false_tests / n, "");
	bench_row(b, name, v->name, "culling_ratio",
	          1.0 - (double)sums.box_tests / (double)(*known_boxes + (*known_boxes == 0)), "");
	bench_row(b, name, v->name, "bytes_per_triangle", sums.bytes, "B");
	write_frames(b, name, v->name, &sums);
	if (v->is_continuous) {
		if (!run_scene(b, kind, v, RBL_SURFACE_CONTINUOUS, &sums)) {
			bench_fail(b, name, v->name, "failed");
			return;
		}
		if (is_first)
			known[1] = sums.found;
		missed += (double)(known[1] - sums.found);
		bench_row(b, name, v->name, "ccd_ms", (sums.change + sums.update + sums.query) / n, "ms");
	}
	bench_row(b, name, v->name, "misses", missed, "");
	bool may_miss = v->culling == RBL_CULL_CONE || v->culling == RBL_CULL_NORMAL_CONE ||
	                v->culling == RBL_CULL_REAL_CONTOUR;
	if (missed != 0.0 && !may_miss)
		bench_fail(b, name, v->name, "misses pairs");
}

static void run_hash(bench *b, surface_kind kind, int64_t known)
{
	const char *name = surface_scene_name(kind);
	surface_hash hash = { 0 };
	surface_scene *scene = surface_scene_create(kind, bench_is_quick(b) ? 4 : 1);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	bool is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	double ms = 0.0;
	int64_t found = 0, tests = 0;
	int frames = frame_count(b, kind);
	for (int frame = 0; is_good && frame < frames; ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken);
		double begin = thread_ms();
		int count = is_good ? surface_hash_collide(&hash, surface) : -1;
		ms += thread_ms() - begin;
		is_good = count >= 0;
		found += count, tests += hash.tests;
	}
	if (!is_good || found != known) {
		bench_fail(b, name, "hash", is_good ? "not the same pairs" : "failed");
	} else {
		bench_row(b, name, "hash", "dcd_ms", ms / frames, "ms");
		bench_row(b, name, "hash", "pairs", (double)found / frames, "");
		bench_row(b, name, "hash", "tests", (double)tests / frames, "");
	}
	surface_hash_free(&hash);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

void surface_run_scenes(bench *b)
{
	for (int kind = 0; kind < SURFACE_KIND_COUNT; ++kind) {
		if (!bench_wants(b, surface_scene_name((surface_kind)kind)))
			continue;
		int64_t known[2] = { 0, 0 }, boxes = 0;
		for (int i = 0; i < VARIANTS; ++i)
			run_variant(b, (surface_kind)kind, &variants[i], known, &boxes);
		run_hash(b, (surface_kind)kind, known[0]);
	}
}
