// SPDX-License-Identifier: MIT
//
// Surfaces that keep a distance: the four scenes, frame by frame, with a thickness, and with proximity
// queries at one instant.
//
// The thickness is a share of the mean length of an edge, in per cent: `thickness-10` is a tenth.
// `times` compares a run with the one without thickness, on all frames. Where surfaces come near each
// other there is more to list, so `hits` and `tests` say how much of it is work that was asked for;
// `us_per_hit` is what each hit more takes. Times are processor time, as in surface_scenes.c.
//
// `proximity-10` asks for all that is within a tenth of an edge, and is compared with the discrete query
// of the same frames: `times_discrete`, updates included. Each has a surface of its own, so that what one
// of them learns does not serve the other. At a whole edge, one frame of forty is asked.

#include "surface_distances.h"

#include "surface_runs.h"

#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>

static const int shares[] = { 0, 1, 10 };

enum { SHARES = sizeof shares / sizeof shares[0] };

// The mean length of an edge when a scene begins; 0 when that fails.
static double edge_length(const bench *b, surface_kind kind, const surface_cast *c)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_make_scene(b, kind, c);
	double sum = 0.0;
	int count = 0;
	if (scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	    surface_scene_begin(scene, surface)) {
		rbl_surface_data data = rbl_surface_get_data(surface);
		for (int h = 0; h < 3 * data.triangle_end; ++h, ++count)
			sum += (double)rbl_distance(data.ends[data.triangles[h]],
			                            data.ends[data.triangles[h % 3 == 2 ? h - 2 : h + 1]]);
	}
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return count ? sum / count : 0.0;
}

static double mean_found(const surface_sums *sums)
{
	double found = 0.0;
	for (int i = 0; i < sums->count; ++i)
		found += (double)sums->found[i];
	return found / sums->count;
}

static void run_scene(bench *b, const char *name, surface_kind kind, const surface_cast *c,
                      surface_sums *sums)
{
	double edge = edge_length(b, kind, c), first_ms = 0.0, first_hits = 0.0;
	for (int i = 0; i < SHARES; ++i) {
		char variant[32];
		snprintf(variant, sizeof variant, "thickness-%d", shares[i]);
		rbl_surface_def def = rbl_default_surface_def();
		def.thickness = (float)(0.01 * shares[i] * edge);
		if (!surface_run_scene(b, kind, &def, c, RBL_SURFACE_CONTINUOUS, 1, sums)) {
			bench_fail(b, name, variant, "failed");
			return;
		}
		double ms = (sums->change + sums->update + sums->query) / sums->count;
		double hits = mean_found(sums);
		first_ms = i ? first_ms : ms, first_hits = i ? first_hits : hits;
		bench_row(b, name, variant, "ccd_ms", ms, "ms");
		bench_row(b, name, variant, "median_ms", surface_median(sums->frames, sums->count), "ms");
		bench_row(b, name, variant, "times", ms / first_ms, "");
		bench_row(b, name, variant, "tests", (double)sums->tests / sums->count, "");
		bench_row(b, name, variant, "hits", hits, "");
		if (hits > first_hits)
			bench_row(b, name, variant, "us_per_hit", 1e3 * (ms - first_ms) / (hits - first_hits),
			          "us");
	}
}

// What one frame of a query takes: discrete where the distance is below 0.
static bool run_near_frame(rbl_surface *surface, double distance, double *ms, double *found)
{
	double begin = surface_thread_ms();
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_near_pairs list = { NULL, 0 };
	if (rbl_surface_update(surface, RBL_SURFACE_DISCRETE) != RBL_OK)
		return false;
	rbl_result result = distance < 0.0 ? rbl_surface_collide(surface, &pairs)
	                                   : rbl_surface_proximity(surface, (float)distance, &list);
	*ms += surface_thread_ms() - begin;
	*found += pairs.count + list.count;
	return result == RBL_OK;
}

// @param skip  1: all frames; else one of so many is asked
static bool run_near(const bench *b, surface_kind kind, const surface_cast *c, double distance,
                     int skip, double *ms, double *found)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_make_scene(b, kind, c);
	bool is_good = scene && rbl_create_surface(&def, &surface) == RBL_OK &&
	               surface_scene_begin(scene, surface);
	int frames = surface_frame_count(b, kind), asked = 0;
	*ms = *found = 0.0;
	for (int frame = 0; is_good && frame < frames; ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken);
		if (is_good && frame % skip == 0)
			is_good = run_near_frame(surface, distance, ms, found), asked++;
	}
	*ms /= asked, *found /= asked;
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return is_good;
}

static void run_proximity(bench *b, const char *name, surface_kind kind, const surface_cast *c)
{
	static const int percents[] = { -1, 1, 10, 100 };
	double edge = edge_length(b, kind, c), discrete = 0.0, ms, found;
	for (int i = 0; i < 4; ++i) {
		char variant[32];
		snprintf(variant, sizeof variant, i ? "proximity-%d" : "discrete", percents[i]);
		if (!run_near(b, kind, c, 0.01 * percents[i] * edge, percents[i] == 100 ? 40 : 1, &ms,
		              &found)) {
			bench_fail(b, name, variant, "failed");
			return;
		}
		discrete = i ? discrete : ms;
		bench_row(b, name, variant, "ms", ms, "ms");
		bench_row(b, name, variant, "found", found, "");
		bench_row(b, name, variant, "times_discrete", ms / discrete, "");
		if (found > 0.0)
			bench_row(b, name, variant, "us_per_found", 1e3 * ms / found, "us");
	}
}

void surface_run_distances(bench *b)
{
	surface_cast c = { .is_ready = false };
	surface_sums *sums = malloc(sizeof *sums);
	for (int kind = 0; kind < SURFACE_KIND_COUNT && sums; ++kind) {
		char name[64], other[64];
		snprintf(name, sizeof name, "%s-thickness", surface_scene_name((surface_kind)kind));
		snprintf(other, sizeof other, "%s-proximity", surface_scene_name((surface_kind)kind));
		bool wants[2] = { bench_wants(b, name), bench_wants(b, other) };
		if (kind == SURFACE_EXPLODE && (wants[0] || wants[1]) && !bench_is_quick(b))
			surface_load_cast(&c);
		if (wants[0])
			run_scene(b, name, (surface_kind)kind, &c, sums);
		if (wants[1])
			run_proximity(b, other, (surface_kind)kind, &c);
	}
	surface_free_cast(&c);
	free(sums);
}
