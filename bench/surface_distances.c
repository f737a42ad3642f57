// SPDX-License-Identifier: MIT
//
// Surfaces that keep a distance: the four scenes, frame by frame, with a thickness.
//
// The thickness is a share of the mean length of an edge, in per cent: `thickness-10` is a tenth.
// `times` compares a run with the one without thickness, on all frames. Where surfaces come near each
// other there is more to list, so `hits` and `tests` say how much of it is work that was asked for;
// `us_per_hit` is what each hit more takes. Times are processor time, as in surface_scenes.c.

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

void surface_run_distances(bench *b)
{
	surface_cast c = { .is_ready = false };
	surface_sums *sums = malloc(sizeof *sums);
	for (int kind = 0; kind < SURFACE_KIND_COUNT && sums; ++kind) {
		char name[64];
		snprintf(name, sizeof name, "%s-thickness", surface_scene_name((surface_kind)kind));
		if (!bench_wants(b, name))
			continue;
		if (kind == SURFACE_EXPLODE && !bench_is_quick(b))
			surface_load_cast(&c);
		run_scene(b, name, (surface_kind)kind, &c, sums);
	}
	surface_free_cast(&c);
	free(sums);
}
