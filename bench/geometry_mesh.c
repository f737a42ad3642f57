// SPDX-License-Identifier: MIT
//
// The part of the suite `geometry` about meshes: making, checking, repairing, triangulating.

#include "geometry_mesh.h"

#include "geometry/geometry.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/math.h"

#include <rubble/shapes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- polygons ------------------------------------------------------------------------------

typedef struct polygon_work {
	rbl_point2 *points;
	int starts[1026], loop_count;
	rbl_polygon polygon;
	int *triangles;
	rbl_triangulation made;
	rbl_arena scratch;
} polygon_work;

static void cut_polygon(void *context)
{
	polygon_work *work = context;
	rbl_arena_reset(&work->scratch);
	if (rbl_triangulate(&work->scratch, &work->polygon, work->triangles, &work->made) != RBL_OK)
		work->made.inverted_count = -1;
}

static uint64_t hash_triangles(void *context)
{
	const polygon_work *work = context;
	if (work->made.inverted_count != 0)
		return 0;
	return rbl_hash_bytes(RBL_HASH_START, work->triangles,
	                      3 * sizeof(int) * (size_t)work->made.triangle_count);
}

enum { CIRCLE, RUGGED, COMB, HOLES };

static void add_ring(polygon_work *work, double x, double y, double low, double high, int count,
                     bool is_hole)
{
	rbl_random random = rbl_random_from_seed(7);
	int begin = work->starts[work->loop_count];
	for (int i = 0; i < count; ++i) {
		double sine, cosine, r = rbl_random_range(&random, low, high);
		rbl_sin_cos((is_hole ? -6.28318530717958648 : 6.28318530717958648) * i / count, &sine,
		            &cosine);
		work->points[begin + i] = (rbl_point2){ x + r * cosine, y + r * sine };
	}
	work->starts[++work->loop_count] = begin + count;
}

static void fill_polygon(polygon_work *work, int kind, int count)
{
	if (kind == CIRCLE)
		add_ring(work, 0.0, 0.0, 1.0, 1.0, count, false);
	if (kind == RUGGED)
		add_ring(work, 0.0, 0.0, 0.5, 1.0, count, false);
	if (kind == COMB) {
		for (int i = 0; i < count - 2; ++i)
			work->points[i] = (rbl_point2){ count - i, i % 2 ? 0.0 : 100.0 };
		work->points[count - 2] = (rbl_point2){ 0.0, -1.0 };
		work->points[count - 1] = (rbl_point2){ count + 1.0, -1.0 };
		work->starts[++work->loop_count] = count;
	}
	if (kind == HOLES) { // a quarter of the points outside, 100 holes
		add_ring(work, 0.0, 0.0, 20.0, 21.0, count / 4, false);
		for (int i = 0; i < 100; ++i)
			add_ring(work, i % 10 - 4.5, i / 10 - 4.5, 0.3, 0.45, count * 3 / 400, true);
	}
}

static void bench_polygons(bench *b)
{
	static const struct {
		const char *name;
		int kind, count;
		bool improve;
	} cases[] = {
		{ "triangulate_circle_16", CIRCLE, 16, false },
		{ "triangulate_rugged_100", RUGGED, 100, false },
		{ "triangulate_rugged_10k", RUGGED, 10000, false },
		{ "triangulate_comb_10k", COMB, 10000, false },
		{ "triangulate_holes_10k", HOLES, 10000, false },
		{ "triangulate_rugged_160k", RUGGED, 160000, false },
		{ "delaunay_rugged_100", RUGGED, 100, true },
		{ "delaunay_rugged_10k", RUGGED, 10000, true },
		{ "delaunay_holes_10k", HOLES, 10000, true },
		{ "delaunay_rugged_160k", RUGGED, 160000, true },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		int count = cases[i].count;
		polygon_work work = { 0 };
		work.points = malloc((size_t)count * sizeof *work.points);
		work.triangles = malloc(3 * sizeof(int) * ((size_t)count + 2052));
		if (work.points && work.triangles) {
			rbl_arena_init(&work.scratch, NULL, 1 << 16);
			fill_polygon(&work, cases[i].kind, count);
			work.polygon = (rbl_polygon){ .points = work.points,
				                          .loop_starts = work.starts,
				                          .loop_count = work.loop_count,
				                          .improve = cases[i].improve };
			bench_time(b, cases[i].name, "rubble",
			           &(bench_job){ .run = cut_polygon,
			                         .context = &work,
			                         .items = count,
			                         .hash = hash_triangles,
			                         .metric = "time_per_point",
			                         .unit = "ns" });
			rbl_arena_destroy(&work.scratch);
		} else {
			bench_fail(b, cases[i].name, "rubble", "out of memory");
		}
		free(work.triangles);
		free(work.points);
	}
}

// --- meshes --------------------------------------------------------------------------------

typedef struct mesh_work {
	rbl_vec3d *positions;
	int *corners;
	int vertex_count, face_count;
	rbl_mesh *mesh;
	rbl_mesh_report report;
	rbl_mesh_repair_report done;
	rbl_vec3 *normals;
} mesh_work;

static void make_mesh(void *context)
{
	mesh_work *work = context;
	rbl_destroy_mesh(work->mesh);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = work->vertex_count, def.data.positions = work->positions;
	def.data.face_count = work->face_count, def.data.corner_count = 3 * work->face_count;
	def.data.corner_vertices = work->corners;
	if (rbl_create_mesh(&def, &work->mesh) != RBL_OK)
		work->mesh = NULL;
}

static void check_mesh(void *context)
{
	mesh_work *work = context;
	(void)rbl_mesh_check(work->mesh, &work->report);
}

static void weigh_mesh(void *context)
{
	mesh_work *work = context;
	rbl_mass mass = rbl_mesh_get_mass(work->mesh);
	bench_keep(&mass);
}

static void repair_mesh(void *context)
{
	mesh_work *work = context;
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh *repaired;
	if (rbl_mesh_repair(work->mesh, &def, &repaired, &work->done) == RBL_OK)
		rbl_destroy_mesh(repaired);
}

static void link_mesh(void *context)
{
	mesh_work *work = context;
	rbl_mesh_data data = rbl_mesh_get_data(work->mesh);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_adjacency adjacency;
	if (rbl_adjacency_init(&adjacency, &allocator, &data) == RBL_OK)
		rbl_adjacency_destroy(&adjacency);
}

static void smooth_mesh(void *context)
{
	mesh_work *work = context;
	(void)rbl_mesh_compute_normals(work->mesh, 1.0f, work->normals);
}

// A torus of two triangles per cell; `is_soup` gives every triangle vertices of its own.
static bool fill_torus(mesh_work *work, int around, int across, bool is_soup)
{
	int cells = around * across, faces = 2 * cells, vertices = is_soup ? 3 * faces : cells;
	work->positions = malloc((size_t)vertices * sizeof *work->positions);
	work->corners = malloc(3 * sizeof(int) * (size_t)faces);
	work->normals = malloc(3 * sizeof *work->normals * (size_t)faces);
	rbl_vec3d *grid = malloc((size_t)cells * sizeof *grid);
	bool has_memory = work->positions && work->corners && work->normals && grid;
	for (int i = 0; i < cells && has_memory; ++i) {
		double su, cu, sv, cv;
		rbl_sin_cos(6.28318530717958648 * (i / across) / around, &su, &cu);
		rbl_sin_cos(6.28318530717958648 * (i % across) / across, &sv, &cv);
		grid[i] = (rbl_vec3d){ (3.0 + cv) * cu, (3.0 + cv) * su, sv };
	}
	for (int i = 0; i < cells && has_memory; ++i) {
		int a = i / across * across, c = (i / across + 1) % around * across;
		int k = i % across, n = (k + 1) % across;
		int corners[6] = { a + k, c + k, c + n, a + k, c + n, a + n };
		for (int j = 0; j < 6; ++j) {
			work->corners[6 * i + j] = is_soup ? 6 * i + j : corners[j];
			work->positions[is_soup ? 6 * i + j : corners[j]] = grid[corners[j]];
		}
	}
	work->vertex_count = vertices, work->face_count = faces;
	free(grid);
	return has_memory;
}

static void bench_mesh(bench *b, const char *name, int around, int across, bool is_soup)
{
	static const struct {
		const char *variant;
		void (*run)(void *);
	} jobs[] = { { "create", make_mesh }, { "mass", weigh_mesh },     { "adjacency", link_mesh },
		         { "check", check_mesh }, { "normals", smooth_mesh }, { "repair", repair_mesh } };
	if (!bench_wants(b, name))
		return;
	mesh_work work = { 0 };
	if (fill_torus(&work, around, across, is_soup)) {
		make_mesh(&work);
		for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i)
			bench_time(b, name, jobs[i].variant,
			           &(bench_job){ .run = jobs[i].run,
			                         .context = &work,
			                         .metric = "time_per_face",
			                         .items = work.face_count,
			                         .unit = "ns" });
		if (work.report.genus != (is_soup ? -1 : 1) || is_soup == work.done.is_unchanged)
			bench_fail(b, name, "repair", "the torus is not what it should be");
	} else {
		bench_fail(b, name, "rubble", "out of memory");
	}
	rbl_destroy_mesh(work.mesh);
	free(work.normals);
	free(work.corners);
	free(work.positions);
}

// Cutting all faces of a mesh: nearly all of the arena's are quads.
typedef struct cut_work {
	rbl_mesh *mesh;
	int *triangles;
	rbl_result result;
} cut_work;

static void cut_mesh(void *context)
{
	cut_work *work = context;
	work->result = rbl_mesh_triangulate(work->mesh, work->triangles, NULL);
}

static void bench_cut(bench *b)
{
	const char *name = "triangulate_arena";
	if (!bench_wants(b, name))
		return;
	rbl_arena_def def = rbl_default_arena_def();
	cut_work work = { .result = RBL_OUT_OF_MEMORY };
	if (rbl_create_arena_mesh(&def, &work.mesh) == RBL_OK)
		work.triangles = malloc(3 * sizeof(int) * (size_t)rbl_mesh_triangle_count(work.mesh));
	if (work.triangles)
		bench_time(b, name, "rubble",
		           &(bench_job){ .run = cut_mesh,
		                         .context = &work,
		                         .metric = "time_per_triangle",
		                         .items = rbl_mesh_triangle_count(work.mesh),
		                         .unit = "ns" });
	if (work.result != RBL_OK)
		bench_fail(b, name, "rubble", "the arena was not cut");
	free(work.triangles);
	rbl_destroy_mesh(work.mesh);
}

void bench_meshes(bench *b)
{
	bench_polygons(b);
	bench_cut(b);
	bench_mesh(b, "mesh_72k", 240, 150, false);
	bench_mesh(b, "mesh_soup_72k", 240, 150, true);
	bench_mesh(b, "mesh_1M", 1000, 500, false);
}
