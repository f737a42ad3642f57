// SPDX-License-Identifier: MIT
//
// The geometry room: exact signs, triangle pairs, hulls, tetrahedra, shapes, meshes.

#include "geometry_mesh.h"

#include "geometry/geometry.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/vec.h"

#include <rubble/shapes.h>

#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 4096 };

// --- predicates ---------------------------------------------------------------------------------

typedef struct sign_work {
	rbl_vec3d points[5 * CALLS];
	int sum;
} sign_work;

static void orient2d_all(void *context)
{
	sign_work *work = context;
	work->sum = 0;
	for (int i = 0; i < CALLS; ++i) {
		const rbl_vec3d *p = &work->points[5 * i];
		work->sum += rbl_orient2d(p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y);
	}
	bench_keep(work);
}

static void orient3d_all(void *context)
{
	sign_work *work = context;
	work->sum = 0;
	for (int i = 0; i < CALLS; ++i) {
		const rbl_vec3d *p = &work->points[5 * i];
		work->sum += rbl_orient3d(p[0], p[1], p[2], p[3]);
	}
	bench_keep(work);
}

static void incircle_all(void *context)
{
	sign_work *work = context;
	work->sum = 0;
	for (int i = 0; i < CALLS; ++i) {
		const rbl_vec3d *p = &work->points[5 * i];
		work->sum += rbl_incircle(p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
	}
	bench_keep(work);
}

enum { RANDOM, GRID, ROUNDED_PLANE };

static void fill_points(sign_work *work, int kind)
{
	rbl_random random = rbl_random_from_seed(3);
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	for (int i = 0; i < 5 * CALLS; ++i) {
		rbl_vec3d p = rbl_random_in_box(&random, cube);
		if (kind == GRID) // floats of ten bits in a plane: every orientation is zero
			p = (rbl_vec3d){ floor(p.x * 1024.0), floor(p.y * 1024.0), 0.0 }, p.z = p.x + p.y;
		if (kind == ROUNDED_PLANE)
			p.z = 0.3 * p.x + 0.7 * p.y;
		work->points[i] = p;
	}
}

static void bench_signs(bench *b)
{
	static const struct {
		const char *name;
		void (*run)(void *);
		int kind;
	} cases[] = {
		{ "orient2d_random", orient2d_all, RANDOM },
		{ "orient3d_random", orient3d_all, RANDOM },
		{ "orient3d_grid_plane", orient3d_all, GRID },
		{ "orient3d_rounded_plane", orient3d_all, ROUNDED_PLANE },
		{ "incircle_random", incircle_all, RANDOM },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		sign_work *work = malloc(sizeof *work);
		if (!work) {
			bench_fail(b, cases[i].name, "rubble", "out of memory");
			continue;
		}
		fill_points(work, cases[i].kind);
		bench_time(
			b, cases[i].name, "rubble",
			&(bench_job){ .run = cases[i].run, .context = work, .items = CALLS, .unit = "ns" });
		free(work);
	}
}

// --- triangle pairs -----------------------------------------------------------------------------

typedef struct pair_work {
	rbl_vec3 corners[6 * CALLS];
	int shared_count, met;
} pair_work;

static void test_pairs(void *context)
{
	pair_work *work = context;
	work->met = 0;
	for (int i = 0; i < CALLS; ++i) {
		const rbl_vec3 *p = &work->corners[6 * i];
		work->met += rbl_triangles_meet_apart_float(p, p + 3, work->shared_count);
	}
	bench_keep(work);
}

enum { REJECTED, BY_PLANE, FULL, COPLANAR, SHARED_VERTEX, SHARED_EDGE_COPLANAR };

/// A random triangle of about unit size near the origin.
static void random_triangle(rbl_random *random, rbl_vec3 t[3])
{
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	for (int i = 0; i < 3; ++i)
		t[i] = rbl_to_f(rbl_random_in_box(random, cube));
}

static bool is_one_sided(const rbl_vec3 a[3], const rbl_vec3 b[3])
{
	int side = rbl_orient3d_float(a[0], a[1], a[2], b[0]);
	return side && side == rbl_orient3d_float(a[0], a[1], a[2], b[1]) &&
	       side == rbl_orient3d_float(a[0], a[1], a[2], b[2]);
}

/// Pairs with overlapping boxes: those that a traversal hands over.
static void fill_pairs(pair_work *work, int kind)
{
	rbl_random random = rbl_random_from_seed(4);
	for (int n = 0; n < CALLS;) {
		rbl_vec3 *p = &work->corners[6 * n];
		random_triangle(&random, p);
		random_triangle(&random, p + 3);
		for (int i = 0; i < 6 && (kind == COPLANAR || kind == SHARED_EDGE_COPLANAR); ++i)
			p[i].z = 0.0f;
		rbl_box a = rbl_box_empty(), c = rbl_box_empty();
		for (int i = 0; i < 3; ++i)
			a = rbl_box_add_point(a, p[i]), c = rbl_box_add_point(c, p[3 + i]);
		bool meets = rbl_triangles_meet_float(p, p + 3);
		if (!rbl_box_overlaps(a, c) || (kind == REJECTED && meets) || (kind == FULL && !meets))
			continue;
		if (kind == BY_PLANE && !is_one_sided(p, p + 3) && !is_one_sided(p + 3, p))
			continue;
		if (kind == SHARED_VERTEX || kind == SHARED_EDGE_COPLANAR)
			p[3] = p[0];
		if (kind == SHARED_EDGE_COPLANAR)
			p[4] = p[1];
		n++;
	}
}

static void bench_pairs(bench *b)
{
	static const struct {
		const char *name;
		int kind, shared_count;
	} cases[] = {
		{ "triangles_rejected", REJECTED, 0 },
		{ "triangles_rejected_by_plane", BY_PLANE, 0 },
		{ "triangles_meeting", FULL, 0 },
		{ "triangles_coplanar", COPLANAR, 0 },
		{ "triangles_shared_vertex", SHARED_VERTEX, 1 },
		{ "triangles_shared_edge_coplanar", SHARED_EDGE_COPLANAR, 2 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		pair_work *work = malloc(sizeof *work);
		if (!work) {
			bench_fail(b, cases[i].name, "rubble", "out of memory");
			continue;
		}
		fill_pairs(work, cases[i].kind);
		work->shared_count = cases[i].shared_count;
		bench_time(
			b, cases[i].name, "rubble",
			&(bench_job){ .run = test_pairs, .context = work, .items = CALLS, .unit = "ns" });
		free(work);
	}
}

// --- hulls --------------------------------------------------------------------------------------

typedef struct hull_work {
	rbl_hull_def def;
	rbl_hull *hull;
	int round;
} hull_work;

static void make_hull(void *context)
{
	hull_work *work = context;
	rbl_destroy_hull(work->hull);
	if (rbl_create_hull(&work->def, &work->hull) != RBL_OK)
		work->hull = NULL;
}

static uint64_t hash_hull(void *context)
{
	const hull_work *work = context;
	rbl_hull_data h = rbl_hull_get_data(work->hull);
	uint64_t hash = 14695981039346656037u;
	for (int i = 0; i < h.vertex_count; ++i)
		hash = (hash ^ (uint64_t)h.point_indices[i]) * 1099511628211u;
	return h.vertex_count ? hash : 0;
}

static void time_hull(bench *b, const char *name, const rbl_vec3d *points, int count,
                      const char *unit)
{
	hull_work work = { .def = rbl_default_hull_def() };
	work.def.points = points;
	work.def.point_count = count;
	bench_time(b, name, "rubble",
	           &(bench_job){ .run = make_hull, .context = &work, .hash = hash_hull, .unit = unit });
	bench_row(b, name, "rubble", "corners", rbl_hull_get_data(work.hull).vertex_count, "");
	rbl_destroy_hull(work.hull);
}

/// Read the vertices of an OBJ file. @return their number, 0 when there is no such file
static int read_vertices(const char *path, rbl_vec3d *points, int capacity)
{
	FILE *file = fopen(path, "r");
	if (!file)
		return 0;
	char line[256];
	int count = 0;
	while (count < capacity && fgets(line, sizeof line, file)) {
		rbl_vec3d p;
		if (sscanf(line, "v %lf %lf %lf", &p.x, &p.y, &p.z) == 3)
			points[count++] = p;
	}
	fclose(file);
	return count;
}

static void bench_hulls(bench *b)
{
	enum { MANY = 40000 };
	static const struct {
		const char *name, *unit;
		int count;
		bool is_sphere;
	} cases[] = { { "hull_ball_12", "us", 12, false },
		          { "hull_ball_32", "us", 32, false },
		          { "hull_ball_35k", "ms", 35000, false },
		          { "hull_sphere_35k", "ms", 35000, true } };
	rbl_vec3d *points = malloc(MANY * sizeof *points);
	if (!points) {
		bench_fail(b, "hull", "rubble", "out of memory");
		return;
	}
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		rbl_random random = rbl_random_from_seed(5);
		for (int k = 0; k < cases[i].count; ++k) {
			points[k] = rbl_random_in_ball(&random);
			if (cases[i].is_sphere)
				points[k] = rbl_normalize_d(points[k]);
		}
		time_hull(b, cases[i].name, points, cases[i].count, cases[i].unit);
	}
	if (bench_wants(b, "hull_bunny_35k")) {
		int count = read_vertices(RBL_SHARED_DIR "/models/stanford-bunny.obj", points, MANY);
		if (count)
			time_hull(b, "hull_bunny_35k", points, count, "ms");
	}
	free(points);
}

// --- shapes -------------------------------------------------------------------------------------

typedef struct arena_work {
	rbl_arena_def def;
	rbl_mesh *mesh;
} arena_work;

static void destroy_arena(void *context)
{
	arena_work *work = context;
	rbl_destroy_mesh(work->mesh);
	work->mesh = NULL;
}

static void make_arena(void *context)
{
	arena_work *work = context;
	rbl_create_arena_mesh(&work->def, &work->mesh);
}

// Making the Roman arena, as it comes and at full detail.
static void bench_shapes(bench *b)
{
	static const struct {
		const char *name;
		int detail;
	} cases[] = { { "arena_default", 2 }, { "arena_full", 10 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		arena_work work = { .def = rbl_default_arena_def() };
		work.def.detail = cases[i].detail;
		bench_time(
			b, cases[i].name, "rubble",
			&(bench_job){
				.run = make_arena, .prepare = destroy_arena, .context = &work, .unit = "ms" });
		if (work.mesh) {
			rbl_mesh_data data = rbl_mesh_get_data(work.mesh);
			bench_row(b, cases[i].name, "rubble", "vertices", data.vertex_count, "");
			bench_row(b, cases[i].name, "rubble", "faces", data.face_count, "");
		} else {
			bench_fail(b, cases[i].name, "rubble", "no mesh was made");
		}
		destroy_arena(&work);
	}
}

// --- tetrahedra ---------------------------------------------------------------------------------

typedef struct fill_work {
	rbl_fill_def def;
	rbl_fill_report report;
} fill_work;

static void fill(void *context)
{
	fill_work *work = context;
	rbl_tets *tets;
	if (rbl_fill_mesh(&work->def, &tets, &work->report) != RBL_OK)
		work->report.tet_count = 0;
	rbl_destroy_tets(tets);
}

static void bench_fill(bench *b)
{
	const char *name = "fill_sphere";
	if (!bench_wants(b, name))
		return;
	rbl_icosphere_def sphere = rbl_default_icosphere_def();
	sphere.subdivisions = 4;
	fill_work work = { .def = rbl_default_fill_def() };
	rbl_mesh *mesh;
	if (rbl_create_icosphere_mesh(&sphere, &mesh) != RBL_OK) {
		bench_fail(b, name, "rubble", "no sphere");
		return;
	}
	work.def.mesh = mesh;
	work.def.edge_length = bench_is_quick(b) ? 0.05 : 0.025;
	double ms = bench_time(b, name, "rubble", &(bench_job){ .run = fill, .context = &work });
	if (work.report.tet_count && ms > 0.0) {
		bench_row(b, name, "rubble", "tets", work.report.tet_count, "");
		bench_row(b, name, "rubble", "tets_per_second", 1e3 * work.report.tet_count / ms, "/s");
		bench_row(b, name, "rubble", "smallest_angle", work.report.smallest_angle, "rad");
	} else {
		bench_fail(b, name, "rubble", "the sphere was not filled");
	}
	rbl_destroy_mesh(mesh);
}

static void run(bench *b)
{
	bench_signs(b);
	bench_pairs(b);
	bench_hulls(b);
	bench_shapes(b);
	bench_fill(b);
	bench_meshes(b);
}

const bench_suite bench_suite_geometry = {
	"geometry", "exact signs, triangles, hulls, tetrahedra, shapes, meshes", run
};
