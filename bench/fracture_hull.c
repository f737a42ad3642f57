// SPDX-License-Identifier: MIT
//
// Hulls around the bunny (Mueller et al. 2013, figure 13): volume over that of the exact hull,
// planes, and time. A case is a number of chosen vertices; the variants that have none are the same
// in every case, so that they stand beside each other.

#include "fracture_hull.h"

#include "base/axis.h"
#include "base/vec.h"
#include "fracture_baselines.h"

#include <rubble/convex.h>
#include <rubble/hull.h>

#include <stdio.h>

typedef struct hull_work {
	rbl_mesh_data data;
	rbl_outer_hull_def def;
	rbl_outer_hull *hull;
	rbl_hull *exact;
	rbl_convex *dop;
	int dop_planes;
} hull_work;

static void forget(void *context)
{
	hull_work *work = context;
	rbl_destroy_outer_hull(work->hull);
	rbl_destroy_hull(work->exact);
	rbl_destroy_convex(work->dop);
	work->hull = NULL, work->exact = NULL, work->dop = NULL;
}

static void fit(void *context)
{
	hull_work *work = context;
	rbl_create_outer_hull(&work->def, &work->hull);
}

static void make_exact(void *context)
{
	hull_work *work = context;
	rbl_hull_def def = rbl_default_hull_def();
	def.points = work->data.positions;
	def.point_count = work->data.vertex_count;
	rbl_create_hull(&def, &work->exact);
}

static void make_dop(void *context)
{
	hull_work *work = context;
	rbl_planed planes[26];
	rbl_fit_kdop(work->data.positions, work->data.vertex_count, work->dop_planes, planes);
	rbl_convex_def def = rbl_default_convex_def();
	for (int k = 0; k < 3; ++k) { // the first six planes are the box
		rbl_set_axis_d(&def.box.upper, k, planes[2 * k].offset);
		rbl_set_axis_d(&def.box.lower, k, -planes[2 * k + 1].offset);
	}
	def.planes = planes + 6;
	def.plane_count = work->dop_planes - 6;
	rbl_create_convex(&def, &work->dop);
}

static double exact_volume(const rbl_hull *hull)
{
	rbl_mesh *mesh = NULL;
	rbl_hull_create_mesh(hull, NULL, &mesh);
	double volume = mesh ? rbl_mesh_get_mass(mesh).volume : 0.0;
	rbl_destroy_mesh(mesh);
	return volume;
}

static void rows(bench *b, const char *name, const char *variant, double ratio, int planes)
{
	if (!(ratio >= 1.0 - 1e-12)) {
		bench_fail(b, name, variant, "the hull is smaller than the exact one");
		return;
	}
	bench_row(b, name, variant, "ratio", ratio, "");
	bench_row(b, name, variant, "planes", planes, "");
}

static void bench_case(bench *b, const char *name, hull_work *work, int vertices)
{
	bench_job job = { .run = make_exact, .prepare = forget, .context = work, .metric = "ms" };
	if (bench_time(b, name, "exact", &job) <= 0.0 || !work->exact) {
		bench_fail(b, name, "exact", "no hull");
		return;
	}
	double exact = exact_volume(work->exact);
	rows(b, name, "exact", 1.0, rbl_hull_get_data(work->exact).face_count);

	static const char *const variants[] = { "rubble", "rubble-monotone", "rubble-26-planes" };
	job.run = fit;
	for (int k = 0; k < 3; ++k) {
		work->def.vertex_count = vertices;
		work->def.keeps_directions = k > 0;
		work->def.plane_limit = k == 2 ? 26 : 0;
		bench_time(b, name, variants[k], &job);
		rbl_outer_hull_data data = rbl_outer_hull_get_data(work->hull);
		rows(b, name, variants[k], data.volume / exact, data.plane_count);
	}
	static const char *const dops[] = { "aabb", "dop14", "dop26" };
	static const int counts[] = { 6, 14, 26 };
	job.run = make_dop;
	for (int k = 0; k < 3; ++k) {
		work->dop_planes = counts[k];
		bench_time(b, name, dops[k], &job);
		rows(b, name, dops[k], rbl_convex_get_mass(work->dop).volume / exact,
		     rbl_convex_get_data(work->dop).face_count);
	}
	bench_hull_peers(b, name, work->data.positions, work->data.vertex_count, exact);
}

void bench_hulls(bench *b, rbl_mesh *(*load_bunny)(void))
{
	static const int counts[] = { 4, 6, 10, 20, 40, 64 };
	rbl_mesh *mesh = NULL;
	for (int i = 0; i < 6; ++i) {
		char name[64];
		snprintf(name, sizeof name, "hull-bunny-%d", counts[i]);
		if (!bench_wants(b, name))
			continue;
		if (!mesh && !(mesh = load_bunny())) {
			bench_fail(b, name, "rubble", "no mesh");
			return;
		}
		hull_work work = { .data = rbl_mesh_get_data(mesh), .def = rbl_default_outer_hull_def() };
		work.def.points = work.data.positions;
		work.def.point_count = work.data.vertex_count;
		bench_case(b, name, &work, counts[i]);
		forget(&work);
	}
	rbl_destroy_mesh(mesh);
}
