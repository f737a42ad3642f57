// SPDX-License-Identifier: MIT

#include "world_break_scenes.h"

#include "base/vec.h"

#include <rubble/shapes.h>

#include <stdlib.h>

enum { BLOW_STEPS = 4 };

// --- things -------------------------------------------------------------------------------------

static bool make_rule(break_run *r, rbl_pattern_kind kind, double strength, double radius,
                      int cells, double min_size)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = kind;
	def.size = (rbl_vec3d){ 4.0 * radius, 4.0 * radius, 4.0 * radius };
	def.cell_count = cells;
	r->level.energy = strength, r->level.radius = radius;
	r->material = rbl_default_material_def();
	r->material.damage.levels = &r->level, r->material.damage.level_count = 1;
	r->material.damage.min_size = min_size;
	r->material.damage.dust_size = 0.3 * min_size;
	if (kind == RBL_PATTERN_WEB)
		r->material.placement = RBL_PLACEMENT_FRAME;
	bool ok = rbl_create_pattern(&def, &r->pattern) == RBL_OK;
	r->level.pattern = r->pattern;
	return ok;
}

static bool make_asset(break_run *r, double tolerance, int node_limit)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	def.tolerance = tolerance;
	def.node_limit = node_limit;
	def.field_resolution = r->field_resolution;
	def.jobs = r->jobs;
	return rbl_prepare(r->mesh, &def, &r->asset) == RBL_OK;
}

// A body of the material with this density.
static rbl_body_id add_of_material(break_run *r, rbl_body_def *def, float density)
{
	rbl_material *material = NULL;
	r->material.values.density = density;
	rbl_create_material(&r->material, &material);
	def->shared_material = material;
	rbl_body_id id = rbl_create_body(r->world, def);
	rbl_destroy_material(material);
	return id;
}

static rbl_body_id add_breakable(break_run *r, rbl_body_kind kind, rbl_vec3 at, float density)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = r->asset;
	def.contact_method = r->method;
	def.kind = kind;
	def.pose.position = at;
	return add_of_material(r, &def, density);
}

static void shoot(break_run *r, int ball, rbl_vec3 at, rbl_vec3 velocity, float density)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = r->balls[ball];
	def.pose.position = at;
	def.velocity = velocity;
	def.material.density = density;
	def.is_bullet = true;
	rbl_create_body(r->world, &def);
}

// --- the arena ----------------------------------------------------------------------------------

static bool open_arena(break_run *r)
{
	rbl_arena_def def = rbl_default_arena_def();
	def.detail = r->is_quick ? 1 : 10;
	r->timed_step = -1;
	bool ok = rbl_create_arena_mesh(&def, &r->mesh) == RBL_OK &&
	          make_rule(r, RBL_PATTERN_IMPACT, 1e6, 1.5, 48, 0.3) && make_asset(r, 2.0, 8);
	r->material.damage.radius_limit = 2.5;
	if (ok)
		r->target = add_breakable(r, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 2400.0f);
	return ok && !rbl_body_id_is_null(r->target);
}

// A blow on a part of what is left of the arena.
static void strike_arena(break_run *r)
{
	const rbl_compound *left = rbl_body_get_compound(r->world, r->target);
	if (!left)
		return;
	int end = rbl_compound_get_info(left).part_end;
	rbl_compound_part part = { .convex = NULL };
	for (int i = 0; i < 1000 && !part.convex; ++i)
		part = rbl_compound_get_part(left, (int)rbl_random_below(&r->random, (uint32_t)end));
	if (part.convex)
		rbl_body_damage(r->world, r->target, rbl_to_f(rbl_convex_get_mass(part.convex).centre),
		                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 1.5f, 1e6f);
}

static void before_arena(break_run *r)
{
	int bodies = r->is_quick ? 1500 : 20000, parts = r->is_quick ? 2400 : 32000;
	rbl_world_stats stats = rbl_world_get_stats(r->world);
	if (r->timed_step < 0 && (stats.body_count < bodies || stats.part_count < parts)) {
		if (r->step % BLOW_STEPS == 0)
			strike_arena(r);
		return;
	}
	if (r->timed_step < 0)
		r->timed_step = r->step;
	if ((r->step - r->timed_step) % 30 == 0) {
		float x = (float)rbl_random_range(&r->random, -25.0, 25.0);
		shoot(r, 2, (rbl_vec3){ x, 12.0f, 60.0f }, (rbl_vec3){ 0.0f, 0.0f, -40.0f }, 7000.0f);
	}
}

// --- window, bricks, tower ----------------------------------------------------------------------

static bool open_window(break_run *r)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ 1.6, 1.2, 0.01 };
	if (rbl_create_box_mesh(&def, &r->mesh) != RBL_OK ||
	    !make_rule(r, RBL_PATTERN_WEB, 3.0, 0.6, 120, 0.02) || !make_asset(r, 0.2, 64))
		return false;
	add_breakable(r, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.75f, 0.0f }, 2500.0f);
	shoot(r, 0, (rbl_vec3){ 0.1f, 0.7f, -2.0f }, (rbl_vec3){ 0.0f, 1.0f, 12.0f }, 2600.0f);
	return true;
}

static bool open_bricks(break_run *r)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ 0.4, 0.2, 0.2 };
	if (rbl_create_box_mesh(&def, &r->mesh) != RBL_OK ||
	    !make_rule(r, RBL_PATTERN_IMPACT, 60.0, 0.15, 12, 0.06) || !make_asset(r, 0.2, 64))
		return false;
	int side = r->is_quick ? 4 : 8;
	for (int i = 0; i < side * side * side; ++i) {
		rbl_vec3 at = { 0.5f * (float)(i % side), 0.3f + 0.35f * (float)(i / side / side),
			            0.35f * (float)(i / side % side) };
		at.x += (float)rbl_random_range(&r->random, -0.04, 0.04);
		at.z += (float)rbl_random_range(&r->random, -0.04, 0.04);
		add_breakable(r, RBL_BODY_DYNAMIC, at, 1800.0f);
	}
	return true;
}

static void before_bricks(break_run *r)
{
	if (r->step > 0 && r->step % 60 == 0 && r->step <= 300)
		shoot(r, 1, (rbl_vec3){ 1.7f, 9.0f, 1.2f }, (rbl_vec3){ 0.0f, -10.0f, 0.0f }, 7000.0f);
}

static bool add_boxes(rbl_compound_part *parts, int *count, rbl_vec3d size, rbl_vec3d at, int nx,
                      int nz, double pitch_x, double pitch_z)
{
	for (int i = 0; i < nx * nz; ++i) {
		rbl_vec3d p = { at.x + pitch_x * (i % nx), at.y, at.z + pitch_z * (i / nx) };
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ rbl_add_scaled_d(p, -0.5, size), rbl_add_scaled_d(p, 0.5, size) };
		rbl_convex *convex = NULL;
		if (rbl_create_convex(&def, &convex) != RBL_OK)
			return false;
		parts[(*count)++] = (rbl_compound_part){ .convex = convex, .is_anchored = at.y < 1.0 };
	}
	return true;
}

static bool open_tower(break_run *r)
{
	enum { MOST = 400 };
	static rbl_compound_part parts[MOST];
	int count = 0, floors = r->is_quick ? 2 : 5;
	bool ok = make_rule(r, RBL_PATTERN_IMPACT, 12000.0, 0.8, 24, 0.25);
	for (int k = 0; k < floors && ok; ++k) {
		rbl_vec3d column = { 0.5, 1.35, 0.5 }, tile = { 1.0, 0.3, 1.0 };
		for (int half = 0; half < 2 && ok; ++half)
			ok =
				add_boxes(parts, &count, column,
			              (rbl_vec3d){ -2.5, 0.675 + 1.35 * half + 3.0 * k, -2.5 }, 2, 3, 5.0, 2.5);
		ok = ok && add_boxes(parts, &count, tile, (rbl_vec3d){ -2.5, 2.85 + 3.0 * k, -2.5 }, 6, 6,
		                     1.0, 1.0);
	}
	r->material.strengths =
		(rbl_bond_strengths){ .tension = 2.2e6, .shear = 4.4e6, .compression = 2.2e7 };
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts, def.part_count = count;
	rbl_body_def body = rbl_default_body_def();
	ok = ok && rbl_create_compound(&def, &body.compound) == RBL_OK;
	if (ok)
		add_of_material(r, &body, 2400.0f);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return ok;
}

static void before_tower(break_run *r)
{
	if (r->step == 60 || r->step == 90)
		shoot(r, 1, (rbl_vec3){ r->step == 60 ? -2.5f : 2.5f, 1.2f, -10.0f },
		      (rbl_vec3){ 0.0f, 1.5f, 34.0f }, 7800.0f);
}

// --- the wall of loose bricks of scenes/wall.json ------------------------------------------------

static bool open_wall(break_run *r)
{
	rbl_collider_def box = rbl_default_collider_def(RBL_COLLIDER_BOX);
	box.half_size = (rbl_vec3){ 0.2f, 0.1f, 0.1f };
	if (rbl_create_collider(&box, &r->brick) != RBL_OK)
		return false;
	rbl_body_def def = rbl_default_body_def();
	def.collider = r->brick;
	def.material.density = 1800.0f;
	def.material.friction = 0.6f;
	int rows = r->is_quick ? 6 : 12, columns = 30;
	bool ok = true;
	for (int i = 0; i < rows * columns && ok; ++i) {
		int row = i / columns;
		def.pose.position =
			(rbl_vec3){ -5.8f + 0.4f * (float)(i % columns) + 0.1f * (float)(row % 2),
			            0.1f + 0.2f * (float)row, 0.0f };
		ok = !rbl_body_id_is_null(rbl_create_body(r->world, &def));
	}
	return ok;
}

static void before_wall(break_run *r)
{
	if (r->step == 30)
		shoot(r, 3, (rbl_vec3){ 0.0f, 1.2f, -6.0f }, (rbl_vec3){ 0.0f, 2.0f, 16.0f }, 5000.0f);
}

// --- all -----------------------------------------------------------------------------------------

const break_case break_cases[] = {
	{ "arena", open_arena, before_arena, 600, 120 },
	{ "window", open_window, NULL, 300, 120 },
	{ "bricks", open_bricks, before_bricks, 600, 120 },
	{ "tower-collapse", open_tower, before_tower, 720, 240 },
	{ "wall", open_wall, before_wall, 480, 120 },
};
const int break_case_count = sizeof break_cases / sizeof break_cases[0];

bool break_open(break_run *r, const break_case *c, int workers)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	if (!r->jobs && rbl_create_jobs(&jobs_def, &r->jobs) != RBL_OK)
		return false;
	rbl_world_def def = rbl_default_world_def();
	def.jobs = r->jobs;
	def.freeze_time = BREAK_FREEZE_TIME;
	rbl_collider_def ground = rbl_default_collider_def(RBL_COLLIDER_BOX);
	ground.half_size = (rbl_vec3){ 200.0f, 1.0f, 200.0f };
	if (rbl_create_world(&def, &r->world) != RBL_OK ||
	    rbl_create_collider(&ground, &r->ground) != RBL_OK)
		return false;
	rbl_body_def floor = rbl_default_body_def();
	floor.collider = r->ground;
	floor.kind = RBL_BODY_STATIC;
	floor.pose.position.y = -1.0f;
	rbl_create_body(r->world, &floor);
	const float radii[BREAK_BALLS] = { 0.06f, 0.45f, 1.0f, 0.6f };
	for (int i = 0; i < BREAK_BALLS; ++i) {
		rbl_collider_def ball = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
		ball.radius = radii[i];
		if (rbl_create_collider(&ball, &r->balls[i]) != RBL_OK)
			return false;
	}
	return c->open(r);
}

void break_close(break_run *r)
{
	rbl_destroy_world(r->world);
	rbl_destroy_collider(r->ground);
	rbl_destroy_collider(r->brick);
	for (int i = 0; i < BREAK_BALLS; ++i)
		rbl_destroy_collider(r->balls[i]);
	rbl_destroy_asset(r->asset);
	rbl_destroy_mesh(r->mesh);
	rbl_destroy_pattern(r->pattern);
	rbl_destroy_jobs(r->jobs);
}
