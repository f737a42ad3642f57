// SPDX-License-Identifier: MIT
//
// Fields of meshes and of their fragments: what they cost to make, to keep and to ask.
//
// Points are spread over the surface, up to three cells off it, in an order that has nothing to do
// with where they are: the memory of a field is read all over.

#include "field_cases.h"
#include "models.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "field/field.h"
#include "fracture/pieces.h"
#include "geometry/solid.h"

#include <rubble/shapes.h>

#include <stdlib.h>
#include <string.h>

enum { POINTS = 1 << 16, MAX_PLANES = 200 };

typedef struct field_work {
	rbl_distance_field_def def;
	rbl_distance_field *field;
	rbl_vec3 *points, *gradients;
	float *distances, *bounds;
	bool wants_gradients;
} field_work;

static rbl_mesh *make_model(const char *name, double *wall)
{
	rbl_mesh *mesh = NULL;
	*wall = 0.0;
	if (strcmp(name, "plate") == 0) {
		rbl_plate_def def = rbl_default_plate_def();
		*wall = def.wall;
		rbl_create_plate_mesh(&def, &mesh);
	} else if (strcmp(name, "vase") == 0) {
		rbl_vase_def def = rbl_default_vase_def();
		*wall = def.wall;
		rbl_create_vase_mesh(&def, &mesh);
	} else if (strcmp(name, "mug") == 0) {
		rbl_mug_def def = rbl_default_mug_def();
		*wall = def.wall;
		rbl_create_mug_mesh(&def, &mesh);
	} else if (strcmp(name, "sphere") == 0) {
		rbl_icosphere_def def = rbl_default_icosphere_def();
		def.subdivisions = 4;
		rbl_create_icosphere_mesh(&def, &mesh);
	} else {
		mesh = bench_read_model(name);
	}
	return mesh;
}

static void forget(void *context)
{
	field_work *work = context;
	rbl_destroy_distance_field(work->field);
	work->field = NULL;
}

static void build(void *context)
{
	field_work *work = context;
	rbl_create_distance_field(&work->def, &work->field);
}

static void evaluate(void *context)
{
	field_work *work = context;
	rbl_distance_field_evaluate(work->field, work->points, POINTS, work->distances, work->bounds,
	                            work->wants_gradients ? work->gradients : NULL);
	bench_keep(work->distances);
}

static uint64_t hash_of_answers(void *context)
{
	const field_work *work = context;
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, work->distances, POINTS * sizeof(float));
	return rbl_hash_bytes(hash, work->bounds, POINTS * sizeof(float));
}

static void open_points(field_work *work, const rbl_mesh *mesh, float near)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_random random = rbl_random_from_seed(1);
	work->points = malloc(POINTS * sizeof *work->points);
	work->gradients = malloc(POINTS * sizeof *work->gradients);
	work->distances = malloc(POINTS * sizeof *work->distances);
	work->bounds = malloc(POINTS * sizeof *work->bounds);
	for (int i = 0; i < POINTS; ++i) {
		const rbl_vec3d *p = &data.positions[data.corner_vertices[rbl_random_below(
			&random, (uint32_t)data.corner_count)]];
		work->points[i] = rbl_to_f(rbl_add_scaled_d(*p, (double)near, rbl_random_in_ball(&random)));
	}
}

static void close_points(field_work *work)
{
	free(work->points);
	free(work->gradients);
	free(work->distances);
	free(work->bounds);
}

static void time_answers(bench *b, const char *name, field_work *work)
{
	for (int i = 0; i < 2; ++i) {
		work->wants_gradients = i == 1;
		bench_time(b, name, i == 1 ? "evaluate-gradient" : "evaluate",
		           &(bench_job){ .run = evaluate,
		                         .context = work,
		                         .items = POINTS,
		                         .unit = "ns",
		                         .hash = hash_of_answers });
	}
}

static void run_asset(bench *b, const char *name, const char *model)
{
	if (!bench_wants(b, name))
		return;
	double wall;
	rbl_mesh *mesh = make_model(model, &wall);
	if (!mesh)
		return;
	field_work work = { .def = rbl_default_distance_field_def() };
	work.def.mesh = mesh, work.def.wall = wall;
	for (int workers = 1; workers <= 2; ++workers) {
		rbl_jobs_def jobs_def = rbl_default_jobs_def();
		jobs_def.worker_count = workers;
		rbl_jobs *jobs = NULL;
		if (workers > 1 && rbl_create_jobs(&jobs_def, &jobs) != RBL_OK)
			continue;
		work.def.jobs = jobs;
		const char *variant = workers > 1 ? "build-2-workers" : "build";
		bench_time(b, name, variant,
		           &(bench_job){ .run = build, .prepare = forget, .context = &work, .unit = "ms" });
		rbl_destroy_jobs(jobs);
		if (!work.field) {
			bench_fail(b, name, variant, "the field could not be built");
			rbl_destroy_mesh(mesh);
			return;
		}
	}
	rbl_distance_field_info info = rbl_distance_field_get_info(work.field);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	bench_row(b, name, "build", "triangles", data.corner_count - 2 * data.face_count, "");
	bench_row(b, name, "build", "bytes", (double)info.bytes, "B");
	bench_row(b, name, "build", "cell", 1e3 * (double)info.cell_size, "mm");
	bench_row(b, name, "build", "surface_error", 1e3 * (double)info.surface_error, "mm");
	bench_row(b, name, "build", "bricks", info.brick_counts[0], "");
	open_points(&work, mesh, 3.0f * info.cell_size);
	time_answers(b, name, &work);
	close_points(&work);
	forget(&work);
	rbl_destroy_mesh(mesh);
}

void field_run_assets(bench *b)
{
	run_asset(b, "asset-bunny", "stanford-bunny.obj");
	run_asset(b, "asset-bunny-7k", "bunny-7k.off");
	run_asset(b, "asset-sphere", "sphere");
	run_asset(b, "asset-plate", "plate");
	run_asset(b, "asset-vase", "vase");
	run_asset(b, "asset-mug", "mug");
}

// --- fragments ----------------------------------------------------------------------------------

// All pieces of a break as definitions, and their fields.
typedef struct break_work {
	rbl_fragment_field_def *defs;
	rbl_plane *planes; // of all
	rbl_distance_field **fields;
	int count;
} break_work;

static void forget_fragments(void *context)
{
	break_work *work = context;
	for (int i = 0; i < work->count; ++i) {
		rbl_destroy_distance_field(work->fields[i]);
		work->fields[i] = NULL;
	}
}

static void update(void *context)
{
	break_work *work = context;
	for (int i = 0; i < work->count; ++i)
		rbl_create_fragment_field(&work->defs[i], &work->fields[i]);
}

static void make_definitions(break_work *work, const rbl_pieces *pieces, rbl_vec3d origin,
                             const rbl_distance_field *original)
{
	const rbl_cells *cells = &pieces->cells;
	work->count = pieces->pieces.count;
	work->defs = calloc((size_t)work->count, sizeof *work->defs);
	work->fields = calloc((size_t)work->count, sizeof *work->fields);
	work->planes = malloc((size_t)work->count * MAX_PLANES * sizeof *work->planes);
	for (int i = 0; i < work->count; ++i) {
		const rbl_piece *piece = &pieces->pieces.data[i];
		const rbl_vec3d *vertices = rbl_piece_vertices(pieces, piece);
		rbl_fragment_field_def *def = &work->defs[i];
		rbl_plane *planes = work->planes + (size_t)i * MAX_PLANES;
		*def = rbl_default_fragment_field_def();
		def->original = original, def->planes = planes;
		for (int v = 0; v < piece->vertex_count; ++v)
			def->box = rbl_box_add_point(def->box, rbl_to_f(rbl_add_d(vertices[v], origin)));
		for (int f = cells->cell_faces[piece->cell]; f < cells->cell_faces[piece->cell + 1]; ++f) {
			rbl_planed plane = rbl_cell_face_plane(cells, f);
			plane.offset += rbl_dot_d(plane.normal, origin);
			if (cells->faces[f].neighbour >= 0 && def->plane_count < MAX_PLANES)
				planes[def->plane_count++] =
					(rbl_plane){ rbl_to_f(plane.normal), (float)plane.offset };
		}
	}
}

// A fragment in the middle, and a body of all cells on one side, bonded: faces that two of them
// share are left out.
static void time_fragments(bench *b, const char *name, const break_work *fragments,
                           const rbl_pieces *pieces, rbl_vec3d origin, const rbl_mesh *mesh)
{
	field_work work = { 0 };
	open_points(&work, mesh, 0.01f);
	work.field = fragments->fields[fragments->count / 2];
	time_answers(b, name, &work);

	const rbl_cells *cells = &pieces->cells;
	int *starts = calloc((size_t)cells->cell_count + 1, sizeof *starts);
	int *corner_starts = calloc((size_t)cells->face_count + 1, sizeof *corner_starts);
	rbl_plane *planes = malloc((size_t)cells->face_count * sizeof *planes);
	rbl_vec3 *corners = malloc((size_t)cells->corner_count * sizeof *corners);
	rbl_box *boxes = malloc((size_t)cells->cell_count * sizeof *boxes);
	rbl_cell_union u = { .plane_starts = starts,
		                 .planes = planes,
		                 .cell_boxes = boxes,
		                 .corner_starts = corner_starts,
		                 .corners = corners };
	int plane_count = 0, corner_count = 0;
	for (int c = 0; c < cells->cell_count; ++c) {
		if (cells->seeds[c].x > 0.0) // the origin is in the middle of the mesh
			continue;
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f) {
			rbl_planed plane = rbl_cell_face_plane(cells, f);
			plane.offset += rbl_dot_d(plane.normal, origin);
			planes[plane_count++] = (rbl_plane){ rbl_to_f(plane.normal), (float)plane.offset };
			int neighbour = cells->faces[f].neighbour;
			if (neighbour < 0 || cells->seeds[neighbour].x <= 0.0)
				continue;
			for (int k = cells->face_corners[f]; k < cells->face_corners[f + 1]; ++k) {
				int v = cells->cell_vertices[c] + cells->corner_vertices[k];
				corners[corner_count++] = rbl_to_f(rbl_add_d(cells->vertices[v], origin));
			}
			corner_starts[++u.polygon_count] = corner_count;
		}
		rbl_boxd box = rbl_box_empty_d();
		for (int v = cells->cell_vertices[c]; v < cells->cell_vertices[c + 1]; ++v)
			box = rbl_box_add_point_d(box, rbl_add_d(cells->vertices[v], origin));
		boxes[u.cell_count] = (rbl_box){ rbl_to_f(box.lower), rbl_to_f(box.upper) };
		starts[++u.cell_count] = plane_count;
	}
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = fragments->defs[0].original;
	def.box = rbl_distance_field_get_info(def.original).bounds;
	def.unions = &u, def.union_count = 1;
	work.field = NULL;
	work.wants_gradients = true;
	if (rbl_create_fragment_field(&def, &work.field) == RBL_OK)
		bench_time(
			b, name, "union-gradient",
			&(bench_job){ .run = evaluate, .context = &work, .items = POINTS, .unit = "ns" });
	bench_row(b, name, "union-gradient", "cells", u.cell_count, "");
	bench_row(b, name, "union-gradient", "polygons", u.polygon_count, "");
	rbl_destroy_distance_field(work.field);
	close_points(&work);
	free(starts), free(corner_starts), free(planes), free(corners), free(boxes);
}

static void run_fragments(bench *b, const char *name, const char *model, int cells)
{
	if (!bench_wants(b, name))
		return;
	double wall;
	rbl_mesh *mesh = make_model(model, &wall);
	if (!mesh)
		return;
	rbl_distance_field_def def = rbl_default_distance_field_def();
	def.mesh = mesh, def.wall = wall;
	rbl_distance_field *original = NULL;
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = rbl_box_size_d(box), pattern_def.cell_count = cells;
	rbl_pieces_def pieces_def = rbl_default_pieces_def();
	pieces_def.position = rbl_box_centre_d(box);
	rbl_solid *solid = NULL;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	if (rbl_create_distance_field(&def, &original) == RBL_OK &&
	    rbl_create_solid(&solid_def, &solid) == RBL_OK &&
	    rbl_create_pattern(&pattern_def, &pattern) == RBL_OK) {
		pieces_def.solid = solid, pieces_def.pattern = pattern;
		if (rbl_create_pieces(&pieces_def, &pieces) == RBL_OK) {
			break_work work = { 0 };
			make_definitions(&work, pieces, solid->origin, original);
			bench_time(b, name, "update",
			           &(bench_job){ .run = update,
			                         .prepare = forget_fragments,
			                         .context = &work,
			                         .metric = "update_ms",
			                         .unit = "ms" });
			size_t bytes = 0;
			for (int i = 0; i < work.count; ++i)
				bytes += rbl_distance_field_get_info(work.fields[i]).bytes;
			bench_row(b, name, "update", "fragments", work.count, "");
			bench_row(b, name, "update", "bytes_each", (double)bytes / work.count, "B");
			time_fragments(b, name, &work, pieces, solid->origin, mesh);
			forget_fragments(&work);
			free(work.defs), free(work.fields), free(work.planes);
		}
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

void field_run_fragments(bench *b)
{
	run_fragments(b, "fragments-sphere-10", "sphere", 10);
	run_fragments(b, "fragments-bunny-100", "bunny-7k.off", 100);
	run_fragments(b, "fragments-vase-60", "vase", 60);
}
