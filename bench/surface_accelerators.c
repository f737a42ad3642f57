// SPDX-License-Identifier: MIT
//
// What each accelerator is worth: the scenes with all of them, and without each in turn.
//
// The cases are `without-<scene>`, with the variant `all` and one for each accelerator. Runs are
// interleaved: each round runs all variants, at one instant or within the step, and of each frame the
// least of all rounds counts. So `times_all`, what leaving it out costs, can be believed on a busy
// machine, too. `worst_times_all` is the same for the worst frame. All variants must find the same.
// `boxes_times_all` compares box tests of trees, which are the same in every run.
//
// `restructuring` is the papers' own, measured alike: `rebuilt_clusters` are those of all frames. In
// `rebuild` all trees are built anew in every frame: the box tests that no restructuring can save.

#include "surface_accelerators.h"

#include "surface_runs.h"

#include "surface/comparison.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct accelerator {
	const char *name;
	unsigned bits; // of rbl_surface_accelerator, or one of those below
} accelerator;

enum { RESTRUCTURING = RBL_SURFACE_ACCELERATOR_END, REBUILD = 2 * RESTRUCTURING };

static const accelerator accelerators[] = {
	{ "all", 0 },
	{ "certificates", RBL_SURFACE_CERTIFICATES },
	{ "bent-certificates", RBL_SURFACE_BENT },
	{ "near-stars", RBL_SURFACE_NEAR_STARS },
	{ "stars", RBL_SURFACE_STARS },
	{ "stars-and-near-stars", RBL_SURFACE_STARS | RBL_SURFACE_NEAR_STARS },
	{ "seams", RBL_SURFACE_SEAMS },
	{ "staging", RBL_SURFACE_STAGING },
	{ "swept-boxes", RBL_SURFACE_SWEPT_BOXES },
	{ "shared-motion", RBL_SURFACE_SHARED_MOTION },
	{ "corners", RBL_SURFACE_CORNERS },
	{ "layers", RBL_SURFACE_LAYERS },
	{ "packing", RBL_SURFACE_PACKING },
	{ "restructuring", RESTRUCTURING },
	{ "rebuild", REBUILD },
};

enum { ACCELERATORS = sizeof accelerators / sizeof accelerators[0], ROUNDS = 2 };

static bool is_of_breaks(unsigned bits)
{
	return bits == RBL_SURFACE_SEAMS || bits == RBL_SURFACE_CORNERS || bits == RBL_SURFACE_PACKING;
}

// Whether a switch can matter: some are for steps alone, some for what breaks.
static bool is_run(unsigned bits, surface_kind kind, rbl_surface_motion motion)
{
	bool is_step = motion == RBL_SURFACE_CONTINUOUS;
	bool breaks = kind == SURFACE_WALLS || kind == SURFACE_EXPLODE || kind == SURFACE_TEAR;
	if (is_of_breaks(bits) && !breaks)
		return false;
	if (bits == RBL_SURFACE_STAGING || bits == RBL_SURFACE_BENT)
		return !is_step;
	if (bits == RBL_SURFACE_SEAMS || bits == RBL_SURFACE_SWEPT_BOXES ||
	    bits == RBL_SURFACE_SHARED_MOTION)
		return is_step;
	return true;
}

// Run a scene, and keep the least of each frame.
static bool run_once(const bench *b, surface_kind kind, const surface_cast *c, unsigned bits,
                     rbl_surface_motion motion, surface_sums *sums, surface_sums *least)
{
	*sums = (surface_sums){ .count = 0 };
	rbl_surface_def def = rbl_default_surface_def();
	if (bits == RESTRUCTURING)
		def.restructuring = RBL_RESTRUCTURE_NONE;
	else if (bits == REBUILD)
		def.restructuring = RBL_RESTRUCTURE_ALL;
	surface_scene *scene = surface_make_scene(b, kind, c);
	rbl_surface *surface = NULL;
	bool is_good = scene && rbl_surface_create_comparison(&def, &surface) == RBL_OK;
	if (is_good && bits < RBL_SURFACE_ACCELERATOR_END)
		rbl_surface_go_without(surface, bits);
	is_good = is_good && surface_scene_begin(scene, surface);
	for (int frame = 0; is_good && frame < surface_frame_count(b, kind); ++frame) {
		bool is_broken;
		is_good = surface_scene_step(scene, surface, &is_broken) &&
		          surface_run_frame(surface, motion, frame, surface_scene_change_ms(scene),
		                            is_broken, sums);
	}
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	if (!is_good)
		return false;
	if (least->count == 0)
		*least = *sums;
	for (int i = 0; i < sums->count; ++i)
		least->frames[i] = sums->frames[i] < least->frames[i] ? sums->frames[i] : least->frames[i];
	return true;
}

static double box_tests_of(const surface_sums *sums)
{
	double sum = 0.0;
	for (int i = 0; i < sums->count; ++i)
		sum += (double)sums->box_tests[i];
	return sum;
}

static double sum_of(const surface_sums *sums, double *worst)
{
	double sum = 0.0;
	*worst = 0.0;
	for (int i = 0; i < sums->count; ++i) {
		sum += sums->frames[i];
		*worst = sums->frames[i] > *worst ? sums->frames[i] : *worst;
	}
	return sum;
}

static void run_motion(bench *b, const char *name, surface_kind kind, const surface_cast *c,
                       rbl_surface_motion motion, surface_sums *least, surface_sums *sums)
{
	int rounds = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 1 : ROUNDS;
	for (int i = 0; i < ACCELERATORS; ++i)
		least[i].count = 0;
	for (int round = 0; round < rounds; ++round)
		for (int i = 0; i < ACCELERATORS; ++i)
			if (is_run(accelerators[i].bits, kind, motion) &&
			    !run_once(b, kind, c, accelerators[i].bits, motion, sums, &least[i])) {
				bench_fail(b, name, accelerators[i].name, "failed");
				return;
			}
	double all_worst, all = sum_of(&least[0], &all_worst);
	const char *prefix = motion == RBL_SURFACE_CONTINUOUS ? "ccd_" : "";
	for (int i = 0; i < ACCELERATORS; ++i) {
		if (least[i].count == 0)
			continue;
		for (int k = 0; k < least[i].count; ++k)
			if (least[i].found[k] != least[0].found[k]) {
				bench_fail(b, name, accelerators[i].name, "not the same pairs");
				return;
			}
		double worst, sum = sum_of(&least[i], &worst);
		const struct {
			const char *metric, *unit;
			double value;
		} values[] = { { "mean_ms", "ms", sum / least[i].count },
			           { "worst_ms", "ms", worst },
			           { "times_all", "", sum / all },
			           { "worst_times_all", "", worst / all_worst },
			           { "boxes_times_all", "", box_tests_of(&least[i]) / box_tests_of(&least[0]) },
			           { "rebuilt_clusters", "", (double)least[i].rebuilt_clusters } };
		for (int k = 0; k < 6; ++k) {
			char metric[32];
			snprintf(metric, sizeof metric, "%s%s", prefix, values[k].metric);
			bench_row(b, name, accelerators[i].name, metric, values[k].value, values[k].unit);
		}
	}
}

void surface_run_accelerators(bench *b)
{
	surface_cast c = { .is_ready = false };
	surface_sums *least = malloc((ACCELERATORS + 1) * sizeof *least);
	for (int kind = 0; least && kind < SURFACE_ALL_COUNT; ++kind) {
		char name[32];
		snprintf(name, sizeof name, "without-%s", surface_scene_name((surface_kind)kind));
		if (!bench_wants(b, name))
			continue;
		if (kind == SURFACE_EXPLODE && !bench_is_quick(b))
			surface_load_cast(&c);
		run_motion(b, name, (surface_kind)kind, &c, RBL_SURFACE_DISCRETE, least,
		           least + ACCELERATORS);
		run_motion(b, name, (surface_kind)kind, &c, RBL_SURFACE_CONTINUOUS, least,
		           least + ACCELERATORS);
	}
	surface_free_cast(&c);
	free(least);
}
