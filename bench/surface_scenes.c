// SPDX-License-Identifier: MIT
//
// The four scenes, frame by frame: section 6 of Heo et al. 2010.
//
// Times are processor time, so that other programs on the machine do not show. `worst_ms` is the
// worst frame with a change of topology, where there is one; `before_ms` is the frame before that one, and
// `spike` compares such frames with the median of the ten frames around, since some scenes grow. Misses
// are what the same frames without culling found more. The culling ratio is the share of box tests that
// culling saves. Metrics that begin with ccd_ are those of continuous queries.
//
// The variant `no-certificates` tests all bodies in full in each frame, as the paper does.
//
// `paper` is the paper's own set-up: dual cones, the traversal cost, trees by grid; `paper-median` has
// median trees instead (the paper's Ours without FBVH), `paper-lm` the volume rule as printed besides
// (without FBVH and TC), `contour-lm` whole contours as well (its T-CCD). `ccd_spike` is then what its
// Figures 6 and 8 show.
//
// The cases `figures-explode` and `figures-cloth` are those of the paper's Figures 6 and 8 alone: its
// methods within the step, and `exact`, in all frames up to the second break of the model. `ccd_frame_ms`
// is a curve over the frames.
//
// `frames` says how many frames were measured: all of a scene, but of the exploding model every fifth for
// grades with cones and for `hash`, and of all scenes every eighth for `hash-plain`.
// `times_exact` compares a variant with `exact` on the frames that both measured.
//
// The shell that explodes is an armadillo hit by a bunny where these models are there. The variant `fixed`
// is a surface whose bodies were added as they are after the last change of topology, and never change:
// `after_ms` compares it with the one that went through all changes, on the same frames; `after_ordered_ms`
// does so for models whose triangles and vertices come in the order of a space-filling curve. `exact-2` has two
// workers: `wall_ms` by the clock, `busier_ms` the processor time of the one that had more.

#include "surface_scenes.h"

#include "surface_baselines.h"

#include "surface/comparison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct variant {
	const char *name;
	rbl_surface_culling culling;
	rbl_surface_restructuring restructuring;
	rbl_surface_builder builder;
	bool is_continuous;    // measured within the step, too
	bool has_certificates; // of bodies that move rigidly
	bool is_precut;        // compared with bodies that are cut before
} variant;

// Without culling comes first: the others are compared with it.
static const variant variants[] = {
	{ "none", RBL_CULL_NONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true, true, false },
	{ "exact", RBL_CULL_EXACT, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true, true, true },
	{ "cone", RBL_CULL_CONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true, true, false },
	{ "normal-cone", RBL_CULL_NORMAL_CONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true, true,
	  false },
	{ "contour", RBL_CULL_CONTOUR, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true, true,
	  false },
	{ "contour-real", RBL_CULL_REAL_CONTOUR, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true,
	  true, false },
	{ "paper", RBL_CULL_CONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_GRID, true, true, true },
	{ "paper-median", RBL_CULL_CONE, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_MEDIAN, true, true,
	  false },
	{ "paper-lm", RBL_CULL_CONE, RBL_RESTRUCTURE_VOLUME_ALONE, RBL_SURFACE_BUILD_MEDIAN, true, true,
	  true },
	{ "contour-lm", RBL_CULL_CONTOUR, RBL_RESTRUCTURE_VOLUME_ALONE, RBL_SURFACE_BUILD_MEDIAN, true,
	  true, false },
	{ "no-restructure", RBL_CULL_EXACT, RBL_RESTRUCTURE_NONE, RBL_SURFACE_BUILD_AREA, false, true,
	  false },
	{ "rebuild", RBL_CULL_EXACT, RBL_RESTRUCTURE_ALL, RBL_SURFACE_BUILD_AREA, false, true, false },
	{ "lm-median", RBL_CULL_EXACT, RBL_RESTRUCTURE_VOLUME, RBL_SURFACE_BUILD_MEDIAN, false, true,
	  false },
	{ "median-build", RBL_CULL_EXACT, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_MEDIAN, false, true,
	  false },
	{ "no-certificates", RBL_CULL_EXACT, RBL_RESTRUCTURE_COST, RBL_SURFACE_BUILD_AREA, true, false,
	  false },
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

// What all batches of a scene are compared with, discrete and continuous.
typedef struct references {
	surface_sums none[2], exact[2];
} references;

static void row(bench *b, const char *name, const char *variant_name, rbl_surface_motion motion,
                const char *metric, double value, const char *unit)
{
	char full[32];
	snprintf(full, sizeof full, "%s%s", motion == RBL_SURFACE_CONTINUOUS ? "ccd_" : "", metric);
	bench_row(b, name, variant_name, full, value, unit);
}

static void write_frames(bench *b, const char *name, const char *variant_name,
                         rbl_surface_motion motion, const surface_sums *sums, bool is_whole)
{
	double worst = 0.0, worst_broken = 0.0, before = 0.0, spike = 0.0;
	for (int i = 0; i < sums->count; ++i) {
		worst = sums->frames[i] > worst ? sums->frames[i] : worst;
		if (!sums->is_broken[i])
			continue;
		int begin = i < 5 ? 0 : i - 5, end = i + 6 > sums->count ? sums->count : i + 6;
		double ratio = sums->frames[i] / surface_median(sums->frames + begin, end - begin);
		spike = ratio > spike ? ratio : spike;
		if (sums->frames[i] > worst_broken)
			worst_broken = sums->frames[i], before = i ? sums->frames[i - 1] : 0.0;
	}
	row(b, name, variant_name, motion, "median_ms", surface_median(sums->frames, sums->count),
	    "ms");
	if (is_whole)
		row(b, name, variant_name, motion, "worst_ms", worst_broken > 0.0 ? worst_broken : worst,
		    "ms");
	if (is_whole && worst_broken > 0.0) {
		row(b, name, variant_name, motion, "before_ms", before, "ms");
		row(b, name, variant_name, motion, "spike", spike, "");
	}
}

static void write_split(bench *b, const char *name, const char *variant_name,
                        rbl_surface_motion motion, const surface_sums *sums)
{
	double n = sums->count;
	bench_row(b, name, variant_name, motion == RBL_SURFACE_DISCRETE ? "dcd_ms" : "ccd_ms",
	          (sums->change + sums->update + sums->query) / n, "ms");
	row(b, name, variant_name, motion, "mesh_update_ms", sums->change / n, "ms");
	row(b, name, variant_name, motion, "update_ms", sums->update / n, "ms");
	row(b, name, variant_name, motion, "traverse_ms", sums->query / n, "ms");
}

static void write_counts(bench *b, const char *name, const char *variant_name,
                         const surface_sums *sums, double culling_ratio)
{
	double n = sums->count, found = 0.0;
	for (int i = 0; i < sums->count; ++i)
		found += (double)sums->found[i];
	bench_row(b, name, variant_name, "frames", n, "");
	bench_row(b, name, variant_name, "triangles", sums->triangles, "");
	bench_row(b, name, variant_name, "pairs", found / n, "");
	bench_row(b, name, variant_name, "tests", (double)sums->tests / n, "");
	bench_row(b, name, variant_name, "false_tests", (double)sums->false_tests / n, "");
	bench_row(b, name, variant_name, "culling_ratio", culling_ratio, "");
	bench_row(b, name, variant_name, "bytes_per_triangle", sums->bytes, "B");
	bench_row(b, name, variant_name, "most_bytes_per_triangle", sums->most_bytes, "B");
}

static rbl_surface_def def_of(const variant *v)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = v->culling, def.restructuring = v->restructuring, def.builder = v->builder;
	def.certificate_share = v->has_certificates ? def.certificate_share : 0.0f;
	return def;
}

// Whether a variant is measured within the step: others than these when all is wanted.
static bool is_swept(const bench *b, const variant *v)
{
	static const char *const ordinary[] = { "none", "exact", "cone", "paper", "no-certificates" };
	bool is_ordinary = false;
	for (size_t i = 0; i < sizeof ordinary / sizeof ordinary[0]; ++i)
		is_ordinary |= strcmp(v->name, ordinary[i]) == 0;
	return v->is_continuous && (is_ordinary || bench_is_thorough(b));
}

// @param sums  space for one run
static void run_variant(bench *b, surface_kind kind, const variant *v, const surface_cast *c,
                        references *known, surface_sums *sums)
{
	const char *name = surface_scene_name(kind);
	rbl_surface_def def = def_of(v);
	bool is_none = v == &variants[0], is_exact = v == &variants[1];
	bool has_cones = v->culling != RBL_CULL_NONE && v->culling != RBL_CULL_EXACT;
	int skip = kind == SURFACE_EXPLODE && has_cones ? SURFACE_SKIP : 1;
	double missed = 0.0;
	for (int motion = 0; motion <= (is_swept(b, v) ? 1 : 0); ++motion) {
		rbl_surface_motion m = motion ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
		if (!surface_run_scene(b, kind, &def, c, m, skip, sums)) {
			bench_fail(b, name, v->name, "failed");
			return;
		}
		if (is_none)
			known->none[motion] = *sums;
		if (is_exact)
			known->exact[motion] = *sums;
		surface_ratio ratio = surface_compare(&known->none[motion], sums);
		missed += (double)ratio.missed;
		write_split(b, name, v->name, m, sums);
		if (motion == 0)
			write_counts(b, name, v->name, sums, 1.0 - ratio.box_tests);
		write_frames(b, name, v->name, m, sums, skip == 1);
		if (is_exact)
			row(b, name, v->name, m, "wall_ms", sums->wall / sums->count, "ms");
		if (!is_none)
			row(b, name, v->name, m, "times_exact",
			    surface_compare(&known->exact[motion], sums).time, "");
	}
	bench_row(b, name, v->name, "misses", missed, "");
	bool may_miss = v->culling == RBL_CULL_CONE || v->culling == RBL_CULL_NORMAL_CONE ||
	                v->culling == RBL_CULL_REAL_CONTOUR;
	if (missed != 0.0 && !may_miss)
		bench_fail(b, name, v->name, "misses pairs");
}

static void run_scene(bench *b, surface_kind kind, const surface_cast *c, references *known,
                      surface_sums *sums)
{
	for (int i = 0; i < VARIANTS; ++i)
		run_variant(b, kind, &variants[i], c, known, sums);
	for (int motion = 0; motion < 2; ++motion)
		row(b, surface_scene_name(kind), variants[0].name,
		    motion ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE, "times_exact",
		    surface_compare(&known->exact[motion], &known->none[motion]).time, "");
	surface_run_workers(b, kind, c, RBL_SURFACE_DISCRETE, &known->exact[0]);
	surface_run_workers(b, kind, c, RBL_SURFACE_CONTINUOUS, &known->exact[1]);
	surface_run_hash(b, kind, c, false);
	surface_run_hash(b, kind, c, true);
	if (kind == SURFACE_WALLS || kind == SURFACE_EXPLODE)
		surface_run_fixed(b, kind, c, "after");
	for (int i = 0; kind == SURFACE_EXPLODE && i < VARIANTS; ++i)
		if (variants[i].is_precut) {
			rbl_surface_def def = def_of(&variants[i]);
			surface_run_precut(b, kind, &def, c, variants[i].name);
		}
}

// The methods of a figure within the step, frame by frame. Others draw the figure from these curves.
static void run_figure(bench *b, surface_kind kind, const char *const *names, int count, int frames,
                       surface_sums *sums)
{
	char name[32];
	snprintf(name, sizeof name, "figures-%s", surface_scene_name(kind));
	if (!bench_wants(b, name))
		return;
	surface_cast c = { .is_ready = false };
	if (kind == SURFACE_EXPLODE && !bench_is_quick(b))
		surface_load_cast(&c);
	if (kind == SURFACE_EXPLODE && !bench_is_quick(b) && !c.is_ready) {
		bench_skip(b, name, "its models are not there");
		return;
	}
	for (int i = 0; i < VARIANTS; ++i) {
		const variant *v = &variants[i];
		bool is_wanted = false;
		for (int k = 0; k < count; ++k)
			is_wanted |= strcmp(v->name, names[k]) == 0;
		if (!is_wanted)
			continue;
		rbl_surface_def def = def_of(v);
		if (!surface_run_first_frames(b, kind, &def, &c, RBL_SURFACE_CONTINUOUS, frames, sums)) {
			bench_fail(b, name, v->name, "failed");
			break;
		}
		write_split(b, name, v->name, RBL_SURFACE_CONTINUOUS, sums);
		write_frames(b, name, v->name, RBL_SURFACE_CONTINUOUS, sums, true);
		for (int k = 0; k < sums->count; ++k)
			bench_point(b, name, v->name, "ccd_frame_ms", sums->numbers[k], sums->frames[k], "ms");
	}
	surface_free_cast(&c);
}

void surface_run_scenes(bench *b)
{
	surface_cast c = { .is_ready = false };
	references *known = malloc(sizeof *known);
	surface_sums *sums = malloc(sizeof *sums);
	for (int kind = 0; kind < SURFACE_KIND_COUNT; ++kind) {
		if (!bench_wants(b, surface_scene_name((surface_kind)kind)) || !known || !sums)
			continue;
		if (kind == SURFACE_EXPLODE && !bench_is_quick(b))
			surface_load_cast(&c);
		if (kind == SURFACE_EXPLODE && !bench_is_quick(b) && !c.is_ready) {
			bench_skip(b, surface_scene_name((surface_kind)kind), "its models are not there");
			continue;
		}
		run_scene(b, (surface_kind)kind, &c, known, sums);
		if (kind == SURFACE_EXPLODE && c.is_ready && surface_order_cast(&c))
			surface_run_fixed(b, SURFACE_EXPLODE, &c, "after_ordered");
	}
	surface_free_cast(&c);
	static const char *const explode[] = { "exact", "paper", "paper-lm", "contour-lm" };
	static const char *const cloth[] = { "exact", "cone", "normal-cone", "contour" };
	if (sums) {
		run_figure(b, SURFACE_EXPLODE, explode, 4, 70, sums);
		run_figure(b, SURFACE_CLOTH, cloth, 4, SURFACE_MOST_FRAMES, sums);
	}
	free(known);
	free(sums);
}
