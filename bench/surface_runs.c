// SPDX-License-Identifier: MIT
//
// Frames of the surface scenes, measured.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "surface_runs.h"

#include "models.h"

#include "surface/comparison.h"
#include "base/sort.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TARGET_TRIANGLES = 182000 }; // with those of the bunny, as many as in the paper

void surface_load_cast(surface_cast *c)
{
	rbl_mesh *armadillo = bench_read_model("armadillo.obj");
	rbl_mesh *other = bench_read_model("stanford-bunny.obj");
	c->is_ready = armadillo && other && bunny_from_mesh(&c->target, armadillo) &&
	              bunny_from_mesh(&c->projectile, other) &&
	              bunny_refine(&c->target, TARGET_TRIANGLES);
	rbl_destroy_mesh(armadillo);
	rbl_destroy_mesh(other);
}

void surface_free_cast(surface_cast *c)
{
	bunny_free(&c->target);
	bunny_free(&c->projectile);
}

// Interleave the bits of three numbers below 2^10.
static uint32_t spread(double x)
{
	uint32_t bits = 0, value = (uint32_t)(1023.0 * x);
	for (int i = 0; i < 10; ++i)
		bits |= (value >> i & 1u) << (3 * i);
	return bits;
}

static bool order_model(bunny *m)
{
	size_t triangles = (size_t)m->triangle_count, vertices = (size_t)m->vertex_count;
	rbl_sort_item *items = malloc(2 * triangles * sizeof *items);
	int *ordered = malloc(3 * triangles * sizeof *ordered), *ids = malloc(vertices * sizeof *ids);
	rbl_vec3 *positions = malloc(vertices * sizeof *positions);
	bool is_good = items && ordered && ids && positions;
	rbl_box box = rbl_box_empty();
	for (size_t i = 0; is_good && i < vertices; ++i) {
		box = rbl_box_add_point(box, m->positions[i]);
		ids[i] = -1;
	}
	rbl_vec3 size = rbl_box_size(box);
	double scale = 1.0 / (double)rbl_maxf(size.x, rbl_maxf(size.y, size.z));
	for (size_t t = 0; is_good && t < triangles; ++t) {
		rbl_vec3 p = rbl_sub(m->positions[m->triangles[3 * t]], box.lower);
		items[t] = (rbl_sort_item){ spread(scale * (double)p.x) | spread(scale * (double)p.y) << 1 |
			                            spread(scale * (double)p.z) << 2,
			                        (uint32_t)t };
	}
	if (is_good)
		rbl_sort(items, items + triangles, m->triangle_count);
	int count = 0;
	for (size_t h = 0; is_good && h < 3 * triangles; ++h) {
		int vertex = m->triangles[3 * items[h / 3].value + h % 3];
		if (ids[vertex] < 0) {
			positions[count] = m->positions[vertex];
			ids[vertex] = count++;
		}
		ordered[h] = ids[vertex];
	}
	if (is_good) {
		memcpy(m->triangles, ordered, 3 * triangles * sizeof *ordered);
		memcpy(m->positions, positions, (size_t)count * sizeof *positions);
		m->vertex_count = count;
	}
	free(items);
	free(ordered);
	free(ids);
	free(positions);
	return is_good;
}

bool surface_order_cast(surface_cast *c)
{
	return !c->is_ready || (order_model(&c->target) && order_model(&c->projectile));
}

static surface_scene_model model_of(const bunny *b)
{
	return (surface_scene_model){ b->positions, b->vertex_count, b->triangles, b->triangle_count };
}

surface_scene *surface_make_scene(const bench *b, surface_kind kind, const surface_cast *c)
{
	surface_scene *scene = surface_scene_create(kind, bench_is_quick(b) ? 4 : 1);
	if (scene && c->is_ready && kind == SURFACE_EXPLODE)
		surface_scene_use_models(scene, model_of(&c->target), model_of(&c->projectile));
	return scene;
}

int surface_frame_count(const bench *b, surface_kind kind)
{
	int frames = surface_scene_frames(kind);
	return bench_is_quick(b) && frames > 50 ? 50 : frames;
}

static double clock_ms(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

double surface_thread_ms(void)
{
	return clock_ms(CLOCK_THREAD_CPUTIME_ID);
}

bool surface_run_frame(rbl_surface *surface, rbl_surface_motion motion, int number, double change,
                       bool is_broken, surface_sums *sums)
{
	double wall = clock_ms(CLOCK_MONOTONIC), all = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
	double begin = surface_thread_ms();
	if (rbl_surface_update(surface, motion) != RBL_OK)
		return false;
	double middle = surface_thread_ms();
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	rbl_result result = motion == RBL_SURFACE_DISCRETE ? rbl_surface_collide(surface, &pairs)
	                                                   : rbl_surface_sweep(surface, &hits);
	double end = surface_thread_ms();
	// What the process had besides this thread, the other worker had: there are two at most.
	double other = clock_ms(CLOCK_PROCESS_CPUTIME_ID) - all - (end - begin);
	rbl_surface_stats stats = rbl_surface_get_stats(surface);
	int at = sums->count++;
	sums->wall += change + clock_ms(CLOCK_MONOTONIC) - wall;
	sums->busier += change + (other > end - begin ? other : end - begin);
	sums->change += change, sums->update += middle - begin, sums->query += end - middle;
	sums->numbers[at] = number;
	sums->frames[at] = change + end - begin;
	sums->is_broken[at] = is_broken;
	sums->found[at] = motion == RBL_SURFACE_DISCRETE ? pairs.count : hits.count;
	sums->box_tests[at] = stats.box_tests;
	sums->tests += stats.tests, sums->false_tests += stats.false_tests;
	sums->rebuilt_clusters += stats.rebuilt_clusters;
	sums->triangles = stats.triangle_count;
	sums->bytes = (double)stats.memory / stats.triangle_count;
	sums->most_bytes = sums->bytes > sums->most_bytes ? sums->bytes : sums->most_bytes;
	return result == RBL_OK;
}

static bool run_frames(const bench *b, surface_kind kind, const rbl_surface_def *def,
                       const surface_cast *c, rbl_surface_motion motion, int skip, int end,
                       surface_sums *sums)
{
	*sums = (surface_sums){ .count = 0 };
	surface_sums *unused = malloc(sizeof *unused);
	surface_scene *scene = surface_make_scene(b, kind, c);
	rbl_surface *surface = NULL;
	bool is_good = unused && scene && rbl_surface_create_comparison(def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	for (int frame = 0; is_good && frame < end && frame < surface_frame_count(b, kind); ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken);
		int phase = frame % skip;
		if (!is_good || (skip > 1 && phase != SURFACE_SKIP_AT && phase != SURFACE_SKIP_AT - 1))
			continue;
		unused->count = 0;
		is_good =
			surface_run_frame(surface, motion, frame, surface_scene_change_ms(scene), is_broken,
		                      skip == 1 || phase == SURFACE_SKIP_AT ? sums : unused);
	}
	free(unused);
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

bool surface_run_scene(const bench *b, surface_kind kind, const rbl_surface_def *def,
                       const surface_cast *c, rbl_surface_motion motion, int skip,
                       surface_sums *sums)
{
	return run_frames(b, kind, def, c, motion, skip, SURFACE_MOST_FRAMES, sums);
}

bool surface_run_first_frames(const bench *b, surface_kind kind, const rbl_surface_def *def,
                              const surface_cast *c, rbl_surface_motion motion, int count,
                              surface_sums *sums)
{
	return run_frames(b, kind, def, c, motion, 1, count, sums);
}

surface_ratio surface_compare(const surface_sums *known, const surface_sums *sums)
{
	surface_ratio ratio = { 0.0, 0.0, 0 };
	double times[2] = { 0.0, 0.0 }, boxes[2] = { 0.0, 0.0 };
	for (int i = 0, k = 0; i < sums->count; ++i) {
		while (k < known->count && known->numbers[k] < sums->numbers[i])
			k++;
		if (k == known->count || known->numbers[k] != sums->numbers[i])
			continue;
		times[0] += known->frames[k], times[1] += sums->frames[i];
		boxes[0] += (double)known->box_tests[k], boxes[1] += (double)sums->box_tests[i];
		ratio.missed += known->found[k] - sums->found[i];
	}
	ratio.time = times[0] > 0.0 ? times[1] / times[0] : 0.0;
	ratio.box_tests = boxes[0] > 0.0 ? boxes[1] / boxes[0] : 1.0;
	return ratio;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

double surface_median(const double *values, int count)
{
	double sorted[SURFACE_MOST_FRAMES];
	for (int i = 0; i < count; ++i)
		sorted[i] = values[i];
	qsort(sorted, (size_t)count, sizeof *sorted, by_value);
	return count ? sorted[count / 2] : 0.0;
}
