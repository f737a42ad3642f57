// SPDX-License-Identifier: MIT
//
// The four scenes, frame by frame: section 6 of Heo et al. 2010.
//
// Times are processor time, so that other programs on the machine do not show. `worst_ms` is the
// worst frame with a change of topology, where there is one; `spike` compares it with the median of the
// ten frames around, since some scenes grow. Misses are what the same frames without culling found
// more. The culling ratio is the share of box tests that culling saves. Metrics that begin with ccd_ are
// those of continuous queries.
//
// The shell that explodes is an armadillo hit by a bunny where these models are there. The variant `fixed`
// is a surface whose bodies were added as they are after the last change of topology, and never change:
// `after_ms` compares it with the one that went through all changes, on the same frames. `hash-plain`
// does every eighth frame.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "surface_scenes.h"

#include "models.h"
#include "surface_hash.h"

#include "scenes/bunnies.h"
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

enum {
	VARIANTS = sizeof variants / sizeof variants[0],
	MOST_FRAMES = 256,
	TARGET_TRIANGLES = 182000, // with those of the bunny, as many as in the paper
	PLAIN_EVERY = 8,
};

// The models of the exploding scene.
typedef struct cast {
	bunny target, projectile;
	bool is_ready;
} cast;

static void load_cast(cast *c)
{
	rbl_mesh *armadillo = bench_read_model("armadillo.obj");
	rbl_mesh *other = bench_read_model("stanford-bunny.obj");
	c->is_ready = armadillo && other && bunny_from_mesh(&c->target, armadillo) &&
	              bunny_from_mesh(&c->projectile, other) &&
	              bunny_refine(&c->target, TARGET_TRIANGLES);
	rbl_destroy_mesh(armadillo);
	rbl_destroy_mesh(other);
}

static surface_scene_model model_of(const bunny *b)
{
	return (surface_scene_model){ b->positions, b->vertex_count, b->triangles, b->triangle_count };
}

static surface_scene *make_scene(const bench *b, surface_kind kind, const cast *c)
{
	surface_scene *scene = surface_scene_create(kind, bench_is_quick(b) ? 4 : 1);
	if (scene && c->is_ready && kind == SURFACE_EXPLODE)
		surface_scene_use_models(scene, model_of(&c->target), model_of(&c->projectile));
	return scene;
}

typedef struct run_sums {
	double frames[MOST_FRAMES];
	bool is_broken[MOST_FRAMES];
	double change, update, query;
	int64_t found, tests, false_tests, box_tests;
	double bytes;
	int count;
} run_sums;

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static double median_of(const double *values, int count)
{
	double sorted[MOST_FRAMES];
	for (int i = 0; i < count; ++i)
		sorted[i] = values[i];
	qsort(sorted, (size_t)count, sizeof *sorted, by_value);
	return count ? sorted[count / 2] : 0.0;
}

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

static bool run_scene(const bench *b, surface_kind kind, const variant *v, const cast *c,
                      rbl_surface_motion motion, run_sums *sums)
{
	*sums = (run_sums){ .count = 0 };
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = v->culling, def.restructuring = v->restructuring, def.builder = v->builder;
	surface_scene *scene = make_scene(b, kind, c);
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

static void row(bench *b, const char *name, const char *variant_name, rbl_surface_motion motion,
                const char *metric, double value, const char *unit)
{
	char full[32];
	snprintf(full, sizeof full, "%s%s", motion == RBL_SURFACE_CONTINUOUS ? "ccd_" : "", metric);
	bench_row(b, name, variant_name, full, value, unit);
}

static void write_frames(bench *b, const char *name, const char *variant_name,
                         rbl_surface_motion motion, const run_sums *sums)
{
	double worst = 0.0, worst_broken = 0.0, spike = 0.0;
	for (int i = 0; i < sums->count; ++i) {
		worst = sums->frames[i] > worst ? sums->frames[i] : worst;
		if (!sums->is_broken[i])
			continue;
		int begin = i < 5 ? 0 : i - 5, end = i + 6 > sums->count ? sums->count : i + 6;
		double ratio = sums->frames[i] / median_of(sums->frames + begin, end - begin);
		spike = ratio > spike ? ratio : spike;
		worst_broken = sums->frames[i] > worst_broken ? sums->frames[i] : worst_broken;
	}
	row(b, name, variant_name, motion, "median_ms", median_of(sums->frames, sums->count), "ms");
	row(b, name, variant_name, motion, "worst_ms", worst_broken > 0.0 ? worst_broken : worst, "ms");
	if (worst_broken > 0.0)
		row(b, name, variant_name, motion, "spike", spike, "");
}

static void write_split(bench *b, const char *name, const char *variant_name,
                        rbl_surface_motion motion, const run_sums *sums)
{
	double n = sums->count;
	bench_row(b, name, variant_name, motion == RBL_SURFACE_DISCRETE ? "dcd_ms" : "ccd_ms",
	          (sums->change + sums->update + sums->query) / n, "ms");
	row(b, name, variant_name, motion, "mesh_update_ms", sums->change / n, "ms");
	row(b, name, variant_name, motion, "update_ms", sums->update / n, "ms");
	row(b, name, variant_name, motion, "traverse_ms", sums->query / n, "ms");
}

static void run_variant(bench *b, surface_kind kind, const variant *v, const cast *c,
                        int64_t known[2], int64_t *known_boxes)
{
	const char *name = surface_scene_name(kind);
	run_sums sums;
	if (!run_scene(b, kind, v, c, RBL_SURFACE_DISCRETE, &sums)) {
		bench_fail(b, name, v->name, "failed");
		return;
	}
	bool is_first = v == variants;
	if (is_first)
		known[0] = sums.found, *known_boxes = sums.box_tests;
	double n = sums.count, missed = (double)(known[0] - sums.found);
	write_split(b, name, v->name, RBL_SURFACE_DISCRETE, &sums);
	bench_row(b, name, v->name, "pairs", (double)sums.found / n, "");
	bench_row(b, name, v->name, "tests", (double)sums.tests / n, "");
	bench_row(b, name, v->name, "false_tests", (double)sums.false_tests / n, "");
	bench_row(b, name, v->name, "culling_ratio",
	          1.0 - (double)sums.box_tests / (double)(*known_boxes + (*known_boxes == 0)), "");
	bench_row(b, name, v->name, "bytes_per_triangle", sums.bytes, "B");
	write_frames(b, name, v->name, RBL_SURFACE_DISCRETE, &sums);
	if (v->is_continuous) {
		if (!run_scene(b, kind, v, c, RBL_SURFACE_CONTINUOUS, &sums)) {
			bench_fail(b, name, v->name, "failed");
			return;
		}
		if (is_first)
			known[1] = sums.found;
		missed += (double)(known[1] - sums.found);
		write_split(b, name, v->name, RBL_SURFACE_CONTINUOUS, &sums);
		write_frames(b, name, v->name, RBL_SURFACE_CONTINUOUS, &sums);
	}
	bench_row(b, name, v->name, "misses", missed, "");
	bool may_miss = v->culling == RBL_CULL_CONE || v->culling == RBL_CULL_NORMAL_CONE ||
	                v->culling == RBL_CULL_REAL_CONTOUR;
	if (missed != 0.0 && !may_miss)
		bench_fail(b, name, v->name, "misses pairs");
}

// --- rivals ------------------------------------------------------------------------------------------

// Spatial hashing, and the exact grade on the same frames of the same run.
static void run_hash(bench *b, surface_kind kind, const cast *c, bool is_plain)
{
	const char *name = surface_scene_name(kind), *rival = is_plain ? "hash-plain" : "hash";
	surface_hash hash = { .is_plain = is_plain };
	surface_scene *scene = make_scene(b, kind, c);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	bool is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	double ms = 0.0;
	int64_t found = 0, tests = 0, expected = 0;
	int looked = 0;
	run_sums ours = { .count = 0 };
	for (int frame = 0; is_good && frame < frame_count(b, kind); ++frame) {
		bool is_broken;
		run_sums unused = { .count = 0 };
		bool is_looked = !is_plain || frame % PLAIN_EVERY == PLAIN_EVERY - 1;
		is_good = surface_scene_step(scene, surface, &is_broken) &&
		          run_frame(surface, RBL_SURFACE_DISCRETE, surface_scene_change_ms(scene),
		                    is_looked ? &ours : &unused);
		if (!is_looked || !is_good)
			continue;
		double begin = thread_ms();
		int count = surface_hash_collide(&hash, surface);
		ms += thread_ms() - begin;
		is_good = count >= 0;
		looked++;
		found += count, tests += hash.tests, expected = ours.found;
	}
	if (!is_good || found != expected) {
		bench_fail(b, name, rival, is_good ? "not the same pairs" : "failed");
	} else {
		bench_row(b, name, rival, "dcd_ms", ms / looked, "ms");
		bench_row(b, name, rival, "pairs", (double)found / looked, "");
		bench_row(b, name, rival, "tests", (double)tests / looked, "");
		bench_row(b, name, rival, "times_exact", ms / (ours.change + ours.update + ours.query), "");
	}
	surface_hash_free(&hash);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

// The bodies of one surface, added to another.
typedef struct copies {
	rbl_surface *surface;
	rbl_surface_body_id *from, *to;
	int count;
} copies;

static bool copy_body(copies *c, const rbl_surface *source, rbl_surface_body_id id, int *numbers)
{
	rbl_surface_data all = rbl_surface_view(source);
	rbl_surface_body_data body = rbl_surface_body_view(source, id);
	rbl_vec3 *positions = malloc((size_t)body.vertex_count * sizeof *positions);
	int *triangles = malloc(3 * (size_t)body.triangle_count * sizeof *triangles);
	bool is_good = positions && triangles;
	for (int i = 0; is_good && i < body.vertex_count; ++i) {
		positions[i] = all.ends[body.vertices[i]];
		numbers[body.vertices[i]] = i;
	}
	for (int i = 0; is_good && i < 3 * body.triangle_count; ++i)
		triangles[i] = numbers[all.triangles[3 * body.triangles[i / 3] + i % 3]];
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = body.vertex_count, def.positions = positions;
	def.triangle_count = body.triangle_count, def.triangles = triangles;
	is_good = is_good && rbl_surface_add(c->surface, &def, &c->to[c->count]) == RBL_OK;
	c->from[c->count++] = id;
	free(positions);
	free(triangles);
	return is_good;
}

static bool copy_bodies(copies *c, const rbl_surface *source)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_data all = rbl_surface_view(source);
	size_t most = (size_t)rbl_surface_statistics(source).body_count;
	int *numbers = malloc((size_t)(all.vertex_end + 1) * sizeof *numbers);
	c->from = malloc((most + 1) * sizeof *c->from);
	c->to = malloc((most + 1) * sizeof *c->to);
	bool is_good = numbers && c->from && c->to && rbl_create_surface(&def, &c->surface) == RBL_OK;
	for (int t = 0; is_good && t < all.triangle_end; ++t) {
		rbl_surface_body_id id = rbl_surface_triangle_body(source, t);
		if (id.generation && rbl_surface_body_view(source, id).triangles[0] == t)
			is_good = copy_body(c, source, id, numbers);
	}
	free(numbers);
	return is_good;
}

// Move the copies to where the originals are.
static bool follow(copies *c, const rbl_surface *source, double *ms)
{
	rbl_surface_data all = rbl_surface_view(source);
	bool is_good = true;
	*ms = 0.0;
	for (int k = 0; is_good && k < c->count; ++k) {
		rbl_surface_body_data body = rbl_surface_body_view(source, c->from[k]);
		rbl_vec3 *ends = malloc((size_t)body.vertex_count * sizeof *ends);
		for (int i = 0; ends && i < body.vertex_count; ++i)
			ends[i] = all.ends[body.vertices[i]];
		double begin = thread_ms();
		is_good = ends && rbl_surface_move(c->surface, c->to[k], NULL, ends) == RBL_OK;
		*ms += thread_ms() - begin;
		free(ends);
	}
	return is_good;
}

// What it costs to be ready for changes: the frames after the last of them.
static void run_fixed(bench *b, surface_kind kind, const cast *c)
{
	const char *name = surface_scene_name(kind);
	surface_scene *scene = make_scene(b, kind, c);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	copies fresh = { .count = 0 };
	run_sums sums[2] = { { .count = 0 }, { .count = 0 } };
	bool is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	int frames = surface_scene_frames(kind), changes = 0, all = kind == SURFACE_WALLS ? 8 : 4;
	for (int frame = 0; is_good && frame < frames && sums[0].count < 20; ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken);
		changes += is_broken;
		if (!is_good || changes < all) {
			run_sums unused = { .count = 0 };
			is_good = is_good && run_frame(surface, RBL_SURFACE_DISCRETE, 0.0, &unused);
			continue;
		}
		double ms = 0.0;
		is_good = fresh.surface ? follow(&fresh, surface, &ms) : copy_bodies(&fresh, surface);
		run_sums first = { .count = 0 };
		is_good = is_good &&
		          run_frame(surface, RBL_SURFACE_DISCRETE, surface_scene_change_ms(scene),
		                    is_broken ? &first : &sums[0]) &&
		          run_frame(fresh.surface, RBL_SURFACE_DISCRETE, ms, is_broken ? &first : &sums[1]);
	}
	is_good = is_good && sums[0].count > 0 && sums[0].found == sums[1].found;
	for (int i = 0; i < 2 && is_good; ++i)
		bench_row(b, name, i ? "fixed" : "exact", "after_ms",
		          (sums[i].change + sums[i].update + sums[i].query) / sums[i].count, "ms");
	if (!is_good)
		bench_fail(b, name, "fixed", "not the same pairs, or failed");
	rbl_destroy_surface(fresh.surface);
	free(fresh.from);
	free(fresh.to);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

void surface_run_scenes(bench *b)
{
	cast c = { .is_ready = false };
	if (bench_wants(b, surface_scene_name(SURFACE_EXPLODE)) && !bench_is_quick(b))
		load_cast(&c);
	for (int kind = 0; kind < SURFACE_KIND_COUNT; ++kind) {
		if (!bench_wants(b, surface_scene_name((surface_kind)kind)))
			continue;
		int64_t known[2] = { 0, 0 }, boxes = 0;
		for (int i = 0; i < VARIANTS; ++i)
			run_variant(b, (surface_kind)kind, &variants[i], &c, known, &boxes);
		run_hash(b, (surface_kind)kind, &c, false);
		run_hash(b, (surface_kind)kind, &c, true);
		if (kind == SURFACE_WALLS || kind == SURFACE_EXPLODE)
			run_fixed(b, (surface_kind)kind, &c);
	}
	bunny_free(&c.target);
	bunny_free(&c.projectile);
}
