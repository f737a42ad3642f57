// SPDX-License-Identifier: MIT
//
// Breaking meshes into pieces, and making the patterns. Sites are spread evenly inside the mesh, so
// that every cell gives at least one piece. Times are those of rbl_create_pieces() alone: solid and
// pattern are made before, and what is drawn is made after. The bunny is the Stanford bunny closed
// by repair; cases of models that are not there are left out.

#include "bench.h"
#include "compound_rows.h"
#include "fracture_hull.h"
#include "fracture_prepare.h"
#include "fracture_baselines.h"
#include "fracture_slivers.h"
#include "fracture_stress.h"
#include "models.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "fracture/pieces.h"

#include <rubble/fracture.h>
#include <rubble/shapes.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct fracture_work {
	rbl_mesh *mesh;
	rbl_solid *solid;
	rbl_pattern *pattern;
	rbl_pieces_def def;
	rbl_pieces *pieces;
} fracture_work;

// --- Set-up -------------------------------------------------------------------------------------

// A point inside the mesh: on a random line along x, in one of the stretches that are inside.
static bool point_inside(const rbl_mesh_data *data, const int *triangles, int count, rbl_boxd box,
                         rbl_random *random, rbl_vec3d *point)
{
	double crossings[64];
	int n = 0;
	rbl_vec3d p = rbl_random_in_box(random, box);
	for (int t = 0; t < count && n < 64; ++t) {
		rbl_vec3d v[3];
		for (int k = 0; k < 3; ++k)
			v[k] = data->positions[data->corner_vertices[triangles[3 * t + k]]];
		double w[3];
		for (int k = 0; k < 3; ++k) {
			rbl_vec3d a = v[(k + 1) % 3], b = v[(k + 2) % 3];
			w[k] = (a.y - p.y) * (b.z - p.z) - (b.y - p.y) * (a.z - p.z);
		}
		double sum = w[0] + w[1] + w[2];
		bool inside = (w[0] > 0 && w[1] > 0 && w[2] > 0) || (w[0] < 0 && w[1] < 0 && w[2] < 0);
		if (inside)
			crossings[n++] = (w[0] * v[0].x + w[1] * v[1].x + w[2] * v[2].x) / sum;
	}
	if (n < 2 || n % 2 != 0)
		return false;
	for (int i = 1; i < n; ++i) {
		double x = crossings[i];
		int k = i;
		for (; k > 0 && crossings[k - 1] > x; --k)
			crossings[k] = crossings[k - 1];
		crossings[k] = x;
	}
	for (int i = 0; i < n; i += 2) { // as likely as the stretch is long
		if (p.x > crossings[i] && p.x < crossings[i + 1]) {
			*point = p;
			return true;
		}
	}
	return false;
}

static rbl_pattern *sites_inside(const rbl_mesh *mesh, int cells)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	int *triangles = malloc((size_t)count * 3 * sizeof(int));
	rbl_vec3d *sites = malloc((size_t)cells * sizeof *sites);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_vec3d centre = rbl_box_centre_d(box);
	rbl_random random = rbl_random_from_seed(1);
	rbl_pattern *pattern = NULL;
	if (triangles && sites && rbl_mesh_triangulate(mesh, triangles, NULL) == RBL_OK) {
		for (int i = 0; i < cells;) {
			if (point_inside(&data, triangles, count, box, &random, &sites[i])) {
				sites[i] = rbl_sub_d(sites[i], centre);
				i++;
			}
		}
		rbl_pattern_def def = rbl_default_pattern_def();
		def.kind = RBL_PATTERN_SITES;
		def.size = rbl_box_size_d(box);
		def.sites = sites;
		def.given_count = cells;
		rbl_create_pattern(&def, &pattern);
	}
	free(triangles);
	free(sites);
	return pattern;
}

static bool set_up(fracture_work *work, rbl_mesh *mesh)
{
	*work = (fracture_work){ .mesh = mesh, .def = rbl_default_pieces_def() };
	rbl_solid_def def = rbl_default_solid_def();
	def.mesh = mesh;
	if (!mesh || rbl_create_solid(&def, &work->solid) != RBL_OK)
		return false;
	work->def.solid = work->solid;
	work->def.position = rbl_box_centre_d(rbl_mesh_bounds(mesh));
	return true;
}

static void tear_down(fracture_work *work)
{
	rbl_destroy_pieces(work->pieces);
	rbl_destroy_pattern(work->pattern);
	rbl_destroy_solid(work->solid);
	rbl_destroy_mesh(work->mesh);
}

// --- Measuring ----------------------------------------------------------------------------------

static void forget_pieces(void *context)
{
	fracture_work *work = context;
	rbl_destroy_pieces(work->pieces);
	work->pieces = NULL;
}

static void break_it(void *context)
{
	fracture_work *work = context;
	rbl_create_pieces(&work->def, &work->pieces);
}

// Whether some edge runs more often one way than the other.
static bool is_open(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_map map = { 0 };
	int64_t unbalanced = 0;
	enum { ZERO = 1 << 20 };
	for (int f = 0; f < data.face_count; ++f) {
		int begin = data.face_starts[f], end = data.face_starts[f + 1];
		for (int k = begin; k < end; ++k) {
			int a = data.corner_vertices[k], b = data.corner_vertices[k + 1 < end ? k + 1 : begin];
			uint64_t key = (uint64_t)rbl_mini(a, b) << 32 | (uint32_t)rbl_maxi(a, b);
			uint32_t *value = rbl_map_add(&allocator, &map, key, ZERO);
			int before = abs((int)*value - ZERO);
			*value += a < b ? 1u : UINT32_MAX;
			unbalanced += abs((int)*value - ZERO) - before;
		}
	}
	rbl_map_free(&allocator, &map);
	return unbalanced != 0;
}

static void add_rows(bench *b, const char *name, const fracture_work *work, double ms)
{
	rbl_pieces_report report = rbl_pieces_get_report(work->pieces);
	int open = 0, slivers = 0, triangles = 0;
	for (int i = 0; i < report.piece_count; ++i) {
		rbl_piece_info info = rbl_piece_get_info(work->pieces, i);
		rbl_mesh *mesh = NULL;
		int count = 0;
		size_t room = 3 * (size_t)info.triangle_capacity;
		rbl_draw_vertex *vertices = malloc(room * sizeof *vertices);
		if (!vertices || rbl_piece_create_mesh(work->pieces, i, NULL, &mesh) != RBL_OK ||
		    rbl_piece_get_triangles(work->pieces, i, vertices, NULL, &count) != RBL_OK) {
			bench_fail(b, name, "rubble", "a piece could not be read");
		} else {
			open += is_open(mesh);
			slivers += bench_count_slivers(vertices, count);
			triangles += count;
		}
		rbl_destroy_mesh(mesh);
		free(vertices);
	}
	bench_row(b, name, "rubble", "pieces", report.piece_count, "");
	bench_row(b, name, "rubble", "us_per_piece", 1e3 * ms / report.piece_count, "us");
	bench_row(b, name, "rubble", "volume_error", fabs(report.volume_out / report.volume_in - 1.0),
	          "");
	bench_row(b, name, "rubble", "open_pieces", open, "");
	bench_row(b, name, "rubble", "triangles", triangles, "");
	bench_row(b, name, "rubble", "slivers", slivers, "");
	if (open > 0 || fabs(report.volume_out / report.volume_in - 1.0) > 1e-9)
		bench_fail(b, name, "rubble", "a piece is open or volume was lost");
}

static void measure(bench *b, const char *name, fracture_work *work)
{
	work->def.pattern = work->pattern;
	if (!work->pattern) {
		bench_fail(b, name, "rubble", "no pattern");
		return;
	}
	bench_job job = { .run = break_it, .prepare = forget_pieces, .context = work, .metric = "ms" };
	double ms = bench_time(b, name, "rubble", &job);
	if (work->pieces)
		add_rows(b, name, work, ms);
	else
		bench_fail(b, name, "rubble", "could not be broken");
}

static void bench_model(bench *b, const char *model, rbl_mesh *(*load)(void), const int *counts)
{
	for (int i = 0; counts[i] > 0; ++i) {
		char name[64];
		snprintf(name, sizeof name, "%s-%d", model, counts[i]);
		if (!bench_wants(b, name))
			continue;
		fracture_work work;
		rbl_mesh *mesh = load();
		if (!mesh) {
			bench_skip(b, name, "its model is not there");
			continue;
		}
		if (set_up(&work, mesh)) {
			work.pattern = sites_inside(work.mesh, counts[i]);
			measure(b, name, &work);
			if (work.pattern)
				bench_clip_peers(b, name, work.mesh, work.pattern, work.def.position);
		} else {
			bench_fail(b, name, "rubble", "no mesh");
		}
		tear_down(&work);
	}
}

static rbl_mesh *load_box(void)
{
	rbl_box_def def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

static rbl_mesh *load_spot(void)
{
	return bench_read_model("spot.obj");
}

static rbl_mesh *load_bunny(void)
{
	return bench_read_model("stanford-bunny.obj");
}

static rbl_mesh *load_armadillo(void)
{
	return bench_read_model("armadillo.obj");
}

// A focused pattern at a point of the surface.
static void bench_impact(bench *b)
{
	const char *name = "impact-bunny";
	if (!bench_wants(b, name))
		return;
	fracture_work work;
	rbl_mesh *bunny = load_bunny();
	if (!bunny) {
		bench_skip(b, name, "its model is not there");
		return;
	}
	if (set_up(&work, bunny)) {
		rbl_vec3d size = rbl_box_size_d(rbl_mesh_bounds(work.mesh));
		rbl_pattern_def def = rbl_default_pattern_def();
		def.kind = RBL_PATTERN_IMPACT;
		def.size = size;
		def.cell_count = 100;
		rbl_create_pattern(&def, &work.pattern);
		work.def.position = rbl_mesh_get_data(work.mesh).positions[0];
		measure(b, name, &work);
	}
	tear_down(&work);
	bench_compound_impact(b, name, load_bunny);
}

static void bench_window(bench *b)
{
	const char *name = "window";
	if (!bench_wants(b, name))
		return;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 2.0, 1.5, 0.01 };
	rbl_mesh *pane = NULL;
	fracture_work work;
	rbl_create_box_mesh(&box, &pane);
	if (set_up(&work, pane)) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.kind = RBL_PATTERN_WEB;
		def.size = box.size;
		rbl_create_pattern(&def, &work.pattern);
		work.def.position = (rbl_vec3d){ 0.3, 0.2, 0.0 };
		measure(b, name, &work);
	}
	tear_down(&work);
	bench_compound_window(b, name);
}

typedef struct pattern_work {
	rbl_pattern_def def;
	rbl_pattern *pattern;
} pattern_work;

static void forget_pattern(void *context)
{
	pattern_work *work = context;
	rbl_destroy_pattern(work->pattern);
	work->pattern = NULL;
}

static void make_pattern(void *context)
{
	pattern_work *work = context;
	rbl_create_pattern(&work->def, &work->pattern);
}

static void bench_patterns(bench *b)
{
	const int counts[] = { 100, 1000, 10000, 100000 };
	for (int i = 0; i < (bench_is_quick(b) ? 3 : 4); ++i) {
		char name[64];
		snprintf(name, sizeof name, "pattern-%d", counts[i]);
		if (!bench_wants(b, name))
			continue;
		pattern_work work = { .def = rbl_default_pattern_def() };
		work.def.cell_count = counts[i];
		bench_job job = { .run = make_pattern,
			              .prepare = forget_pattern,
			              .context = &work,
			              .metric = "us_per_cell",
			              .unit = "us",
			              .repeat = counts[i] < 100000 ? 0 : 3,
			              .items = counts[i] };
		bench_time(b, name, "rubble", &job);
		rbl_destroy_pattern(work.pattern);
		bench_voronoi_peers(b, name, counts[i]);
	}
}

static void run(bench *b)
{
	const int box[] = { 100, 1000, 0 }, all[] = { 10, 100, 1000, 0 };
	bench_model(b, "box", load_box, box);
	bench_model(b, "spot", load_spot, all);
	bench_model(b, "bunny", load_bunny, all);
	bench_impact(b);
	bench_window(b);
	bench_slivers(b);
	bench_compounds(b);
	bench_patterns(b);
	bench_hulls(b, load_bunny);
	bench_stress(b);
	bench_vacd(b, load_bunny, load_armadillo);
	bench_arenas(b);
}

const bench_suite bench_suite_fracture = { "fracture", "meshes and compounds broken, patterns",
	                                       run };
