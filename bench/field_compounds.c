// SPDX-License-Identifier: MIT
//
// What a break costs when bodies collide by fields: the fields and shapes of all that came of it,
// beside fields that are sampled anew from the meshes of the pieces. And sweeps.

#include "field_cases.h"
#include "models.h"

#include "base/vec.h"

#include <rubble/rubble.h>

enum { MAX_COMPOUNDS = 256 };

typedef struct compound_work {
	rbl_mesh *mesh;
	rbl_distance_field *original;
	rbl_compound *compounds[MAX_COMPOUNDS];
	int count;
	rbl_distance_field *fields[MAX_COMPOUNDS];
	rbl_field_shape *shapes[MAX_COMPOUNDS];
} compound_work;

static rbl_compound_field_def definition(const compound_work *work, int index)
{
	rbl_compound_field_def def = rbl_default_compound_field_def();
	def.compound = work->compounds[index], def.original = work->original;
	def.others = (const rbl_compound *const *)work->compounds, def.other_count = work->count;
	return def;
}

static void forget_shapes(void *context)
{
	compound_work *work = context;
	for (int i = 0; i < work->count; ++i) {
		rbl_destroy_field_shape(work->shapes[i]);
		work->shapes[i] = NULL;
	}
}

static void forget_fields(void *context)
{
	compound_work *work = context;
	forget_shapes(work);
	for (int i = 0; i < work->count; ++i) {
		rbl_destroy_distance_field(work->fields[i]);
		work->fields[i] = NULL;
	}
}

static void make_fields(void *context)
{
	compound_work *work = context;
	for (int i = 0; i < work->count; ++i) {
		rbl_compound_field_def def = definition(work, i);
		rbl_create_compound_field(&def, &work->fields[i]);
	}
}

static void make_shapes(void *context)
{
	compound_work *work = context;
	for (int i = 0; i < work->count; ++i) {
		rbl_compound_field_def def = definition(work, i);
		rbl_create_compound_shape(&def, work->fields[i], 0.0f, &work->shapes[i]);
	}
}

// One field for each part that has a mesh, with cells as wide as the original's.
static void sample_anew(void *context)
{
	compound_work *work = context;
	double cell = (double)rbl_distance_field_get_info(work->original).cell_size;
	for (int i = 0; i < work->count; ++i)
		for (int p = 0; p < rbl_compound_get_info(work->compounds[i]).part_end; ++p) {
			rbl_compound_part part = rbl_compound_get_part(work->compounds[i], p);
			if (!part.mesh)
				continue;
			rbl_distance_field_def def = rbl_default_distance_field_def();
			rbl_distance_field *field = NULL;
			double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(part.mesh)));
			def.mesh = part.mesh;
			def.resolution = rbl_maxi((int)(size / cell), 8);
			rbl_create_distance_field(&def, &field);
			rbl_destroy_distance_field(field);
		}
}

static bool open_compounds(compound_work *work, int cells, double share)
{
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	rbl_break_def break_def = rbl_default_break_def();
	rbl_vec3d size = rbl_box_size_d(rbl_mesh_bounds(work->mesh));
	field_def.mesh = work->mesh;
	pattern_def.size = rbl_scale_d(2.0, size), pattern_def.cell_count = cells;
	rbl_asset *asset = NULL;
	rbl_pattern *pattern = NULL;
	rbl_break *broken = NULL;
	bool ok = rbl_create_distance_field(&field_def, &work->original) == RBL_OK &&
	          rbl_prepare(work->mesh, &prepare_def, &asset) == RBL_OK &&
	          rbl_asset_create_compound(asset, NULL, &work->compounds[0]) == RBL_OK &&
	          rbl_create_pattern(&pattern_def, &pattern) == RBL_OK;
	if (ok) {
		break_def.pattern = pattern;
		break_def.position = rbl_compound_get_visual_mass(work->compounds[0]).centre;
		break_def.radius = share * rbl_length_d(size);
		ok = rbl_compound_break(work->compounds[0], &break_def, &broken) == RBL_OK;
		work->count = rbl_compound_get_info(work->compounds[0]).part_count > 0;
		if (work->count == 0) {
			rbl_destroy_compound(work->compounds[0]);
			work->compounds[0] = NULL;
		}
	}
	for (int i = 0; ok && i < rbl_break_get_data(broken).compound_count; ++i)
		if (work->count < MAX_COMPOUNDS)
			work->compounds[work->count++] = rbl_break_take(broken, i);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_asset(asset);
	return ok;
}

static void run_compounds(bench *b, const char *name, const char *model, int cells, double share)
{
	if (!bench_wants(b, name))
		return;
	compound_work work = { .mesh = bench_read_model(model) };
	if (!work.mesh) {
		bench_skip(b, name, "its model is not there");
		return;
	}
	if (!open_compounds(&work, cells, share)) {
		bench_fail(b, name, "fields", "it does not break");
	} else {
		bench_job job = { .run = make_fields,
			              .prepare = forget_fields,
			              .context = &work,
			              .metric = "update_ms",
			              .unit = "ms" };
		bench_time(b, name, "fields", &job);
		int parts = 0, points = 0;
		for (int i = 0; i < work.count; ++i)
			parts += rbl_compound_get_info(work.compounds[i]).part_count;
		bench_row(b, name, "fields", "fragments", work.count, "");
		bench_row(b, name, "fields", "parts", parts, "");
		job.run = make_shapes, job.prepare = forget_shapes;
		bench_time(b, name, "shapes", &job);
		for (int i = 0; i < work.count; ++i)
			points += rbl_field_shape_get_info(work.shapes[i]).point_count;
		bench_row(b, name, "shapes", "points", points, "");
		job.run = sample_anew, job.prepare = NULL;
		bench_time(b, name, "recompute-field", &job);
		forget_fields(&work);
	}
	for (int i = 0; i < work.count; ++i)
		rbl_destroy_compound(work.compounds[i]);
	rbl_destroy_distance_field(work.original);
	rbl_destroy_mesh(work.mesh);
}

// --- sweeps -------------------------------------------------------------------------------------

enum { SWEEPS = 64 };

typedef struct sweep_work {
	rbl_field_side moving[SWEEPS], target;
	rbl_transform to[SWEEPS];
	rbl_field_contacts *contacts;
	int hits;
} sweep_work;

static void sweep_all(void *context)
{
	sweep_work *work = context;
	work->hits = 0;
	for (int i = 0; i < SWEEPS; ++i) {
		rbl_cast_hit hit;
		rbl_field_cast_motion(work->contacts, &work->moving[i], work->to[i], &work->target, 0.001f,
		                      0.0f, &hit);
		work->hits += hit.is_hit;
	}
}

// A mug at 8 m/s: past a box, and along it.
static void run_sweeps(bench *b, const char *name)
{
	if (!bench_wants(b, name))
		return;
	rbl_mug_def mug_def = rbl_default_mug_def();
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	rbl_mesh *mesh = NULL;
	rbl_distance_field *field = NULL;
	rbl_field_shape *shape = NULL;
	rbl_collider *box = NULL;
	sweep_work work = { 0 };
	collider_def.half_size = (rbl_vec3){ 1.0f, 0.0025f, 1.0f };
	rbl_create_mug_mesh(&mug_def, &mesh);
	field_def.mesh = shape_def.mesh = mesh, field_def.wall = mug_def.wall;
	bool ok = rbl_create_distance_field(&field_def, &field) == RBL_OK;
	shape_def.field = field;
	ok = ok && rbl_create_field_shape(&shape_def, &shape) == RBL_OK &&
	     rbl_create_collider(&collider_def, &box) == RBL_OK &&
	     rbl_create_field_contacts(NULL, &work.contacts) == RBL_OK;
	work.target = (rbl_field_side){ .collider = box, .pose = rbl_transform_identity() };
	const char *const variants[2] = { "falls", "slides" };
	float foot = rbl_distance_field_get_info(field).bounds.lower.y;
	for (int v = 0; ok && v < 2; ++v) {
		for (int i = 0; i < SWEEPS; ++i) {
			float above = v == 0 ? 0.002f * (float)i : 0.0f;
			rbl_transform pose = { { 0.0f, 0.0025f - foot + above, 0.0f }, rbl_quat_identity() };
			work.moving[i] = (rbl_field_side){ .shape = shape, .pose = pose };
			work.to[i] = pose;
			if (v == 0)
				work.to[i].position.y -= 8.0f / 60.0f;
			else
				work.to[i].position.x += 8.0f / 60.0f;
		}
		bench_time(b, name, variants[v],
		           &(bench_job){ .run = sweep_all,
		                         .context = &work,
		                         .items = SWEEPS,
		                         .metric = "query_ms",
		                         .unit = "ms" });
		bench_row(b, name, variants[v], "hits", work.hits, "");
	}
	rbl_destroy_field_contacts(work.contacts);
	rbl_destroy_collider(box);
	rbl_destroy_field_shape(shape);
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
}

void field_run_compounds(bench *b)
{
	run_compounds(b, "compounds-bunny-50", "bunny-7k.off", 50, 0.3);
	run_compounds(b, "compounds-bunny-100", "bunny-7k.off", 100, 2.0);
	run_sweeps(b, "sweep-mug");
}
