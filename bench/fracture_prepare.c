// SPDX-License-Identifier: MIT
//
// Preparing meshes, and striking prepared arenas. The arena is prepared once; what is timed is
// rbl_compound_break() alone, in time of this thread's processor, 200 times at vertices all over it,
// and every strike meets what earlier ones left. The cost of a strike must not grow with what it does
// not touch: the cases differ in the size of the arena only. Where there are more stones they are
// smaller, and a strike touches more of them: compare the time per cut.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "fracture_prepare.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/vec.h"

#include <rubble/asset.h>
#include <rubble/shapes.h>

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { STRIKES = 200 };

// --- decomposition ------------------------------------------------------------------------------

typedef struct vacd_work {
	const rbl_mesh *mesh;
	rbl_prepare_def def;
	rbl_asset *asset;
} vacd_work;

static void forget(void *context)
{
	vacd_work *work = context;
	rbl_destroy_asset(work->asset);
	work->asset = NULL;
}

static void prepare(void *context)
{
	vacd_work *work = context;
	rbl_prepare(work->mesh, &work->def, &work->asset);
}

static void bench_decomposition(bench *b, const char *name, rbl_mesh *(*load)(void), int nodes)
{
	if (!bench_wants(b, name))
		return;
	rbl_mesh *mesh = load();
	vacd_work work = { .mesh = mesh, .def = rbl_default_prepare_def() };
	work.def.node_count = nodes;
	bench_job job = { .run = prepare, .prepare = forget, .context = &work, .metric = "ms" };
	if (mesh)
		bench_time(b, name, "rubble", &job);
	rbl_asset_report r = rbl_asset_get_report(work.asset);
	if (!work.asset || fabs(r.visual_volume / r.mesh_volume - 1.0) > 1e-6) {
		bench_fail(b, name, "rubble", "could not be prepared, or volume was lost");
	} else {
		bench_row(b, name, "rubble", "ratio", r.convex_volume / r.visual_volume, "");
		bench_row(b, name, "rubble", "pieces", r.part_count, "");
	}
	forget(&work);
	rbl_destroy_mesh(mesh);
}

void bench_vacd(bench *b, rbl_mesh *(*load_bunny)(void), rbl_mesh *(*load_armadillo)(void))
{
	bench_decomposition(b, "vacd-bunny-16", load_bunny, 16);
	bench_decomposition(b, "vacd-bunny-64", load_bunny, 64);
	bench_decomposition(b, "vacd-armadillo-12", load_armadillo, 12);
}

// --- arenas -------------------------------------------------------------------------------------

static double thread_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void strike(bench *b, const char *name, const rbl_mesh *mesh, rbl_compound *compound,
                   const rbl_pattern *pattern)
{
	rbl_mesh_data data = rbl_mesh_view(mesh);
	rbl_random random = rbl_random_from_seed(7);
	double sum = 0.0, worst = 0.0;
	int pieces = 0, cuts = 0, touched = 0;
	for (int i = 0; i < STRIKES; ++i) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.radius = 1.0;
		def.rotation_seed = (uint64_t)i + 1;
		def.position = data.positions[rbl_random_below(&random, (uint32_t)data.vertex_count)];
		rbl_break *broken = NULL;
		double begin = thread_ms();
		rbl_result result = rbl_compound_break(compound, &def, &broken);
		double ms = thread_ms() - begin;
		rbl_break_data found = rbl_break_view(broken);
		pieces += found.compound_count;
		cuts += found.cut_count;
		touched += found.touched_count;
		sum += ms;
		worst = rbl_maxd(worst, ms);
		rbl_destroy_break(broken);
		if (result != RBL_OK) {
			bench_fail(b, name, "rubble", "a strike failed");
			return;
		}
	}
	bench_row(b, name, "rubble", "mean_ms", sum / STRIKES, "ms");
	bench_row(b, name, "rubble", "worst_ms", worst, "ms");
	bench_row(b, name, "rubble", "pieces", pieces, "");
	bench_row(b, name, "rubble", "cuts", cuts, "");
	bench_row(b, name, "rubble", "touched", touched, "");
	bench_row(b, name, "rubble", "us_per_cut", 1e3 * sum / rbl_maxi(cuts, 1), "us");
}

static void bench_arena(bench *b, const char *name, int detail, int bays)
{
	if (!bench_wants(b, name))
		return;
	rbl_arena_def def = rbl_default_arena_def();
	def.detail = detail;
	def.bays = bays;
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_compound *compound = NULL;
	rbl_pattern *pattern = NULL;
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	prepare_def.tolerance = 2.0; // most stones stay whole
	prepare_def.node_limit = 8;
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_IMPACT;
	pattern_def.size = (rbl_vec3d){ 4.0, 4.0, 4.0 };
	uint64_t begin = 0;
	if (rbl_create_arena_mesh(&def, &mesh) == RBL_OK &&
	    rbl_create_pattern(&pattern_def, &pattern) == RBL_OK) {
		begin = rbl_clock_ns();
		rbl_prepare(mesh, &prepare_def, &asset);
	}
	double ms = 1e-6 * (double)(rbl_clock_ns() - begin);
	if (asset && rbl_asset_create_compound(asset, NULL, &compound) == RBL_OK) {
		rbl_asset_report r = rbl_asset_get_report(asset);
		bench_row(b, name, "rubble", "ms", ms, "ms");
		bench_row(b, name, "rubble", "vertices", rbl_mesh_view(mesh).vertex_count, "");
		bench_row(b, name, "rubble", "parts", r.part_count, "");
		bench_row(b, name, "rubble", "ratio", r.convex_volume / r.visual_volume, "");
		strike(b, name, mesh, compound, pattern);
	} else {
		bench_fail(b, name, "rubble", "could not be prepared");
	}
	rbl_destroy_compound(compound);
	rbl_destroy_asset(asset);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

void bench_arenas(bench *b)
{
	bool is_quick = bench_is_quick(b);
	bench_arena(b, "arena-quarter", is_quick ? 1 : 2, 40);
	bench_arena(b, "arena", is_quick ? 2 : 10, 40);
	bench_arena(b, "arena-4x", is_quick ? 6 : 10, is_quick ? 40 : 120);
}
