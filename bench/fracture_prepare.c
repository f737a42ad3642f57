// SPDX-License-Identifier: MIT
//
// Preparing meshes, and striking what was prepared. It is prepared once; what is timed is
// rbl_compound_break() alone, in time of this thread's processor, at many places, and every strike
// meets what earlier ones left. All strikes are done in several rounds, and of each the least counts.
//
// The cost of a strike must not grow with what it does not touch. Arenas of more detail have more
// triangles in each stone, and those of more bays smaller stones, so a strike touches more of them: time
// grows with what is in `triangles` and `cuts`. The walls differ in nothing but their size, and the same
// blows cut the same bricks in all: there time must stay as it is (`exponent`).

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "fracture_prepare.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/vec.h"

#include <rubble/asset.h>
#include <rubble/jobs.h>
#include <rubble/shapes.h>

#include <float.h>
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
	if (!mesh) {
		bench_skip(b, name, "its model is not there");
		return;
	}
	vacd_work work = { .mesh = mesh, .def = rbl_default_prepare_def() };
	work.def.node_count = nodes;
	bench_job job = { .run = prepare, .prepare = forget, .context = &work, .metric = "ms" };
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

// What the strikes cost: for each the least of all rounds.
typedef struct strikes {
	int count;
	const rbl_vec3d *places;
	const rbl_pattern *pattern;
	double radius;
	rbl_jobs *jobs;                       // then time is that of the clock on the wall
	double *best;                         // per strike
	int *made;                            // likewise, compounds; may be NULL
	int pieces, cuts, touched, triangles; // of all strikes
} strikes;

// Strike a fresh compound of the asset. @return false when one failed
static bool strike_once(const rbl_asset *asset, strikes *s)
{
	rbl_compound *compound = NULL;
	bool done = rbl_asset_create_compound(asset, NULL, &compound) == RBL_OK;
	s->pieces = s->cuts = s->touched = s->triangles = 0;
	for (int i = 0; i < s->count && done; ++i) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = s->pattern;
		def.radius = s->radius;
		def.rotation_seed = (uint64_t)i + 1;
		def.position = s->places[i];
		def.jobs = s->jobs;
		rbl_break *broken = NULL;
		double begin = s->jobs ? 1e-6 * (double)rbl_clock_ns() : thread_ms();
		done = rbl_compound_break(compound, &def, &broken) == RBL_OK;
		double end = s->jobs ? 1e-6 * (double)rbl_clock_ns() : thread_ms();
		rbl_break_data found = rbl_break_get_data(broken);
		s->pieces += found.compound_count;
		if (s->made)
			s->made[i] = found.compound_count;
		s->cuts += found.cut_count;
		s->touched += found.touched_count;
		s->triangles += found.triangle_count;
		s->best[i] = rbl_mind(s->best[i], end - begin);
		rbl_destroy_break(broken);
	}
	rbl_destroy_compound(compound);
	return done;
}

// Rounds of all strikes. @return the mean in milliseconds, < 0 when one failed
static double strike(bench *b, const char *name, const char *variant, const rbl_asset *asset,
                     strikes *s)
{
	int rounds = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 3;
	for (int i = 0; i < s->count; ++i)
		s->best[i] = DBL_MAX;
	for (int r = 0; r < rounds; ++r) {
		if (!strike_once(asset, s)) {
			bench_fail(b, name, variant, "a strike failed");
			return -1.0;
		}
	}
	double mean = 0.0, worst = 0.0;
	for (int i = 0; i < s->count; ++i) {
		mean += s->best[i] / s->count;
		worst = rbl_maxd(worst, s->best[i]);
	}
	bench_row(b, name, variant, "mean_ms", mean, "ms");
	bench_row(b, name, variant, "worst_ms", worst, "ms");
	bench_row(b, name, variant, "pieces", s->pieces, "");
	bench_row(b, name, variant, "cuts", s->cuts, "");
	bench_row(b, name, variant, "touched", s->touched, "");
	bench_row(b, name, variant, "triangles", s->triangles, "");
	bench_row(b, name, variant, "us_per_cut", 1e3 * s->count * mean / rbl_maxi(s->cuts, 1), "us");
	for (int i = 0; s->made && i < s->count; ++i) {
		bench_point(b, name, variant, "event_ms", i + 1, s->best[i], "ms");
		bench_point(b, name, variant, "event_pieces", i + 1, s->made[i], "");
	}
	return mean;
}

static rbl_pattern *impact_pattern(double size)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_IMPACT;
	def.size = (rbl_vec3d){ size, size, size };
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	return pattern;
}

// The strikes of an arena, by one thread and by two.
static void strike_arena(bench *b, const char *name, const rbl_mesh *mesh, const rbl_asset *asset)
{
	rbl_vec3d places[STRIKES];
	double best[STRIKES];
	int made[STRIKES];
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_random random = rbl_random_from_seed(7);
	for (int i = 0; i < STRIKES; ++i)
		places[i] = data.positions[rbl_random_below(&random, (uint32_t)data.vertex_count)];
	rbl_pattern *pattern = impact_pattern(4.0);
	strikes s = { .count = STRIKES, .places = places, .radius = 1.0, .best = best };
	s.pattern = pattern;
	s.made = made;
	strike(b, name, "rubble", asset, &s);
	s.made = NULL;
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = 2;
	if (rbl_create_jobs(&jobs_def, &s.jobs) == RBL_OK)
		strike(b, name, "rubble-2-workers", asset, &s);
	rbl_destroy_jobs(s.jobs);
	rbl_destroy_pattern(pattern);
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
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	prepare_def.tolerance = 2.0; // most stones stay whole
	prepare_def.node_limit = 8;
	uint64_t begin = 0;
	if (rbl_create_arena_mesh(&def, &mesh) == RBL_OK) {
		begin = rbl_clock_ns();
		rbl_prepare(mesh, &prepare_def, &asset);
	}
	double ms = 1e-6 * (double)(rbl_clock_ns() - begin);
	if (asset) {
		rbl_asset_report r = rbl_asset_get_report(asset);
		bench_row(b, name, "rubble", "ms", ms, "ms");
		bench_row(b, name, "rubble", "vertices", rbl_mesh_get_data(mesh).vertex_count, "");
		bench_row(b, name, "rubble", "faces", rbl_mesh_get_data(mesh).face_count, "");
		bench_row(b, name, "rubble", "parts", r.part_count, "");
		bench_row(b, name, "rubble", "ratio", r.convex_volume / r.visual_volume, "");
		strike_arena(b, name, mesh, asset);
	} else {
		bench_fail(b, name, "rubble", "could not be prepared");
	}
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

// --- the same blows on larger things ------------------------------------------------------------

// The slope of the logarithm of y over that of x.
static double fit_exponent(const double *x, const double *y, int count)
{
	double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
	for (int i = 0; i < count; ++i) {
		double u = log(x[i]), v = log(y[i]);
		sx += u, sy += v, sxx += u * u, sxy += u * v;
	}
	return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

// A wall of bricks with chamfers, as many again in both directions as `scale` says: around the blows
// all of them are alike.
static rbl_asset *prepare_wall(int scale)
{
	rbl_brick_wall_def def = rbl_default_brick_wall_def();
	def.width = 32 * scale * def.brick.x;
	def.height = 32 * scale * def.brick.y;
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	prepare_def.node_count = 1;
	if (rbl_create_brick_wall_mesh(&def, &mesh) == RBL_OK)
		rbl_prepare(mesh, &prepare_def, &asset);
	rbl_destroy_mesh(mesh);
	return asset;
}

static void bench_same_blows(bench *b)
{
	const char *names[] = { "wall-1x", "wall-4x", "wall-16x" };
	enum { SIZES = 3, BLOWS = 30 };
	double parts[SIZES], ms[SIZES], best[BLOWS];
	int cuts[SIZES], known = 0;
	rbl_vec3d places[BLOWS];
	rbl_random random = rbl_random_from_seed(3);
	rbl_boxd middle = { { -2.0, 0.3, 0.06 }, { 2.0, 2.0, 0.06 } };
	for (int i = 0; i < BLOWS; ++i)
		places[i] = rbl_random_in_box(&random, middle);
	for (int i = 0; i < SIZES; ++i) {
		if (!bench_wants(b, names[i]))
			continue;
		rbl_asset *asset = prepare_wall(1 << i);
		rbl_pattern *pattern = impact_pattern(1.0);
		strikes s = { .count = BLOWS, .places = places, .radius = 0.25, .best = best };
		s.pattern = pattern;
		parts[known] = rbl_asset_get_report(asset).part_count;
		bench_row(b, names[i], "rubble", "parts", parts[known], "");
		ms[known] = strike(b, names[i], "rubble", asset, &s);
		cuts[known++] = s.cuts;
		rbl_destroy_pattern(pattern);
		rbl_destroy_asset(asset);
	}
	if (known == SIZES) {
		if (cuts[0] != cuts[1] || cuts[0] != cuts[2])
			bench_fail(b, names[2], "rubble", "the blows did not cut the same");
		double exponent = fit_exponent(parts, ms, SIZES);
		bench_row(b, names[2], "rubble", "exponent", exponent, "");
		if (exponent > 0.2)
			bench_fail(b, names[2], "rubble", "blows cost more on larger walls");
	}
}

void bench_arenas(bench *b)
{
	bool is_quick = bench_is_quick(b);
	bench_arena(b, "arena-quarter", is_quick ? 1 : 2, 40);
	if (!is_quick)
		bench_arena(b, "arena-500k", 5, 40); // faces, as the paper's
	bench_arena(b, "arena", is_quick ? 2 : 10, 40);
	bench_arena(b, "arena-4x", is_quick ? 6 : 10, is_quick ? 40 : 120);
	bench_same_blows(b);
}
