// SPDX-License-Identifier: MIT
//
// The scenes of section 7: what is in them, and what happens.
//
//   piggy                a hollow piggy bank with 27 coins in it is dropped on the ground (Fig. 10)
//   bunnies              27 bunnies in three batches, steps of 5 ms (Fig. 13)
//   bricks               32 bricks crash against the ground (Fig. 14)
//   plates               balls are dropped on four plates on a shelf (Fig. 1)
//   interactive-bunnies  five bunnies are lifted and thrown (Fig. 9), by a script here
//   birth                a bowl breaks in the air, and its pieces stay where they are
//
// Nothing sleeps, as in the paper. Sizes of the paper's meshes are not in its text; ours are
// chosen so that triangles and fragments come out as many.

#include "field_scenes.h"

#include "models.h"

#include "base/vec.h"

#include "scenes/bunnies.h"

#include <stdio.h>
#include <stdlib.h>

// --- meshes -------------------------------------------------------------------------------------

static rbl_mesh *make_piggy(bool is_quick)
{
	rbl_piggy_bank_def def = rbl_default_piggy_bank_def();
	rbl_mesh *mesh = NULL;
	if (is_quick)
		def.detail = 1;
	rbl_create_piggy_bank_mesh(&def, &mesh);
	return mesh;
}

// Refined so that 27 of them have 435,000 triangles with their cracks.
static rbl_mesh *make_bunny(bool is_quick)
{
	rbl_mesh *model = bench_read_model("bunny-7k.off"), *mesh = NULL;
	bunny refined = { 0 };
	if (!model)
		return NULL;
	if (is_quick)
		return model;
	bool ok = bunny_from_mesh(&refined, model) && bunny_refine(&refined, 11500);
	rbl_vec3d *positions = ok ? malloc((size_t)refined.vertex_count * sizeof *positions) : NULL;
	if (positions) {
		for (int i = 0; i < refined.vertex_count; ++i)
			positions[i] = rbl_to_d(refined.positions[i]);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .positions = positions,
			                        .vertex_count = refined.vertex_count,
			                        .corner_vertices = refined.triangles,
			                        .face_count = refined.triangle_count,
			                        .corner_count = 3 * refined.triangle_count };
		rbl_create_mesh(&def, &mesh);
	}
	free(positions);
	bunny_free(&refined);
	rbl_destroy_mesh(model);
	return mesh;
}

static rbl_mesh *make_brick(bool is_quick)
{
	rbl_box_def def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	def.size = (rbl_vec3d){ 0.24, 0.07, 0.115 };
	def.subdivisions = is_quick ? 2 : 8;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

static rbl_mesh *make_plate(bool is_quick)
{
	rbl_plate_def def = rbl_default_plate_def();
	rbl_mesh *mesh = NULL;
	def.segments = is_quick ? 32 : 64;
	rbl_create_plate_mesh(&def, &mesh);
	return mesh;
}

static rbl_mesh *make_bowl(bool is_quick)
{
	rbl_plate_def def = rbl_default_plate_def();
	rbl_mesh *mesh = NULL;
	def.radius = 0.3, def.height = 0.15, def.wall = 0.015;
	def.segments = is_quick ? 32 : 64;
	rbl_create_plate_mesh(&def, &mesh);
	return mesh;
}

// --- things -------------------------------------------------------------------------------------

// What breaks: from `energy` on, within `radius`, into cells of about `cell` metres.
static bool make_material(field_scene *s, float density, double energy, double radius, double cell,
                          double min_size)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	double side = 3.0 * radius, cells = side / cell;
	def.kind = RBL_PATTERN_VORONOI;
	def.size = (rbl_vec3d){ side, side, side };
	def.cell_count = (int)(cells * cells * cells);
	bool ok = rbl_create_pattern(&def, &s->pattern) == RBL_OK;
	s->level = (rbl_damage_level){ .energy = energy, .pattern = s->pattern, .radius = radius };
	rbl_material_def material = rbl_default_material_def();
	material.values.density = density;
	material.damage.levels = &s->level, material.damage.level_count = 1;
	material.damage.radius_limit = radius;
	material.damage.min_size = min_size;
	return ok && rbl_create_material(&material, &s->material) == RBL_OK;
}

static bool make_asset(field_scene *s, double wall)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	if (s->asset) // of an earlier run
		return true;
	def.field_resolution = 128;
	def.field_wall = wall;
	return rbl_prepare(s->mesh, &def, &s->asset) == RBL_OK;
}

static rbl_body_def thing_at(const field_scene *s, rbl_vec3 at)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = s->asset;
	def.contact_method = s->variant->method;
	def.shared_material = s->material;
	def.pose.position = at;
	return def;
}

static bool add(field_scene *s, const rbl_body_def *def)
{
	rbl_body_id id = rbl_create_body(s->world, def);
	if (s->body_count < FIELD_SCENE_BODIES)
		s->bodies[s->body_count++] = id;
	return !rbl_body_id_is_null(id);
}

static void rotate_at_random(field_scene *s, rbl_body_def *def)
{
	rbl_vec3d axis = rbl_normalize_d(rbl_random_in_ball(&s->random));
	def->pose.rotation =
		rbl_quat_from_axis_angle(rbl_to_f(axis), (float)rbl_random_range(&s->random, -3.0, 3.0));
}

static bool add_ball(field_scene *s, rbl_vec3 at, float radius, float density)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = radius;
	if (!s->ball && rbl_create_collider(&def, &s->ball) != RBL_OK)
		return false;
	rbl_body_def body = rbl_default_body_def();
	body.collider = s->ball;
	body.pose.position = at;
	body.material.density = density;
	return add(s, &body);
}

// --- piggy bank ---------------------------------------------------------------------------------

static bool add_coins(field_scene *s, float height)
{
	rbl_cylinder_def def = rbl_default_cylinder_def();
	def.radius = 0.011, def.height = 0.002, def.segments = 20;
	rbl_mesh *mesh = NULL;
	rbl_convex_def convex_def = rbl_default_convex_def();
	bool ok = rbl_create_cylinder_mesh(&def, &mesh) == RBL_OK;
	convex_def.mesh = mesh;
	ok = ok && rbl_create_convex(&convex_def, &s->coin) == RBL_OK;
	rbl_destroy_mesh(mesh);
	for (int i = 0; i < 27 && ok; ++i) {
		rbl_body_def coin = rbl_default_body_def();
		coin.convex = s->coin;
		coin.material.density = 8000.0f;
		coin.pose.position =
			(rbl_vec3){ 0.03f * (float)(i % 3 - 1), height + 0.045f + 0.01f * (float)(i / 9),
			            0.024f * (float)(i / 3 % 3 - 1) };
		ok = add(s, &coin);
	}
	return ok;
}

static bool open_piggy(field_scene *s)
{
	const float height = 1.2f;
	bool ok = make_material(s, 2000.0f, 1.0, 0.3, 0.06, 0.035) && make_asset(s, 0.006);
	rbl_body_def def = thing_at(s, (rbl_vec3){ 0.0f, height, 0.0f });
	return ok && add(s, &def) && add_coins(s, height);
}

// --- bunnies ------------------------------------------------------------------------------------

static bool open_bunnies(field_scene *s)
{
	return make_material(s, 1500.0f, 2.0, 0.2, 0.165, 0.075) && make_asset(s, 0.0);
}

static void drop_bunnies(field_scene *s)
{
	int batch = s->is_quick ? 60 : 200; // steps
	if (s->step % batch != 0 || s->step / batch >= 3)
		return;
	for (int i = 0; i < 9; ++i) {
		rbl_vec3 at = { 0.22f * (float)(i % 3 - 1), 0.9f + 0.02f * (float)i,
			            0.22f * (float)(i / 3 - 1) };
		rbl_body_def def = thing_at(s, at);
		rotate_at_random(s, &def);
		// The origin of the model is not its middle.
		rbl_vec3 centre = rbl_to_f(rbl_mesh_get_mass(s->mesh).centre);
		def.pose.position = rbl_sub(at, rbl_rotate(def.pose.rotation, centre));
		def.velocity.y = -4.0f;
		add(s, &def);
	}
}

static bool open_interactive(field_scene *s)
{
	bool ok = make_material(s, 1500.0f, 4.0, 0.2, 0.165, 0.075) && make_asset(s, 0.0);
	float foot = (float)rbl_mesh_bounds(s->mesh).lower.y;
	for (int i = 0; i < 5 && ok; ++i) {
		rbl_body_def def = thing_at(s, (rbl_vec3){ 0.25f * (float)(i - 2), 0.001f - foot, 0.0f });
		ok = add(s, &def);
	}
	return ok;
}

// A bunny is lifted for a second, held above another, and thrown down at it.
static void throw_bunnies(field_scene *s)
{
	static const int order[] = { 0, 4, 1, 3, 2, 0, 4 }, at[] = { 2, 2, 3, 1, 0, 3, 1 };
	enum { PERIOD = 90, LIFT = 50, COUNT = sizeof order / sizeof order[0] };
	int turn = s->step / PERIOD, k = s->step % PERIOD;
	if (turn >= COUNT || k > LIFT)
		return;
	rbl_body_id body = s->bodies[order[turn]], target = s->bodies[at[turn]];
	if (!rbl_body_exists(s->world, body) || !rbl_body_exists(s->world, target))
		return;
	rbl_vec3 from = rbl_body_get_state(s->world, body).centre;
	rbl_vec3 to = rbl_body_get_state(s->world, target).centre;
	rbl_vec3 velocity = { 0.0f, -7.0f, 0.0f };
	if (k < LIFT) {
		to.y = 0.6f;
		velocity = rbl_scale(3.0f, rbl_sub(to, from));
		float speed = rbl_length(velocity);
		if (speed > 2.0f)
			velocity = rbl_scale(2.0f / speed, velocity);
	}
	rbl_body_set_velocity(s->world, body, velocity, (rbl_vec3){ 0.0f, 1.0f, 0.0f });
}

// --- bricks, plates, birth ----------------------------------------------------------------------

static bool open_bricks(field_scene *s)
{
	bool ok = make_material(s, 1800.0f, 10.0, 0.25, 0.19, 0.12) && make_asset(s, 0.0);
	for (int i = 0; i < (s->is_quick ? 8 : 32) && ok; ++i) {
		rbl_vec3 at = { 0.35f * (float)(i % 4) - 0.5f, 0.4f + 0.3f * (float)(i / 8),
			            0.3f * (float)(i / 4 % 2) };
		rbl_body_def def = thing_at(s, at);
		rotate_at_random(s, &def);
		def.velocity.y = -3.0f;
		ok = add(s, &def);
	}
	return ok;
}

static bool open_plates(field_scene *s)
{
	rbl_convex_def convex_def = rbl_default_convex_def();
	rbl_vec3d half = { 0.65, 0.02, 0.16 }, at = { 0.0, 0.48, 0.0 };
	convex_def.box = (rbl_boxd){ rbl_sub_d(at, half), rbl_add_d(at, half) };
	bool ok = make_material(s, 2400.0f, 2.0, 0.3, 0.08, 0.02) && make_asset(s, 0.005) &&
	          rbl_create_convex(&convex_def, &s->coin) == RBL_OK;
	rbl_body_def shelf = rbl_default_body_def();
	shelf.convex = s->coin;
	shelf.kind = RBL_BODY_STATIC;
	ok = ok && add(s, &shelf);
	float foot = (float)rbl_mesh_bounds(s->mesh).lower.y;
	for (int i = 0; i < 4 && ok; ++i) {
		rbl_vec3 place = { 0.3f * ((float)i - 1.5f), 0.501f - foot, 0.0f };
		rbl_body_def def = thing_at(s, place);
		ok = add(s, &def);
	}
	return ok;
}

static void drop_balls(field_scene *s)
{
	static const int order[] = { 1, 3, 0, 2, 1, 2 };
	enum { PERIOD = 40, COUNT = sizeof order / sizeof order[0] };
	int turn = s->step / PERIOD;
	if (s->step % PERIOD != 20 || turn >= COUNT)
		return;
	float x = 0.3f * ((float)order[turn] - 1.5f) + 0.04f;
	add_ball(s, (rbl_vec3){ x, 1.3f, 0.02f }, 0.035f, 7800.0f);
}

static bool open_birth(field_scene *s)
{
	bool ok = make_material(s, 1000.0f, 10.0, 0.7, 0.12, 0.1) && make_asset(s, 0.015);
	rbl_body_def def = thing_at(s, (rbl_vec3){ 0.0f, 1.0f, 0.0f });
	return ok && add(s, &def) &&
	       rbl_body_damage(s->world, s->bodies[0], (rbl_vec3){ 0.2f, 1.1f, 0.0f },
	                       (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 0.7f, 1000.0f) == RBL_OK;
}

const field_scene_case field_scene_cases[] = {
	{ "piggy", open_piggy, NULL, make_piggy, 1.0f / 60.0f, 180, 60, true },
	{ "bunnies", open_bunnies, drop_bunnies, make_bunny, 0.005f, 800, 240, true },
	{ "bricks", open_bricks, NULL, make_brick, 1.0f / 60.0f, 180, 60, true },
	{ "plates", open_plates, drop_balls, make_plate, 1.0f / 60.0f, 300, 120, true },
	{ "interactive-bunnies", open_interactive, throw_bunnies, make_bunny, 1.0f / 60.0f, 630, 180,
	  true },
	{ "birth", open_birth, NULL, make_bowl, 1.0f / 60.0f, 40, 40, false },
};

const int field_scene_case_count = sizeof field_scene_cases / sizeof field_scene_cases[0];

// --- opening and closing ------------------------------------------------------------------------

bool field_scene_open(field_scene *s, const field_scene_case *c, const field_variant *variant,
                      const rbl_mesh *mesh, rbl_asset *asset, bool is_quick)
{
	*s = (field_scene){ .variant = variant,
		                .is_quick = is_quick,
		                .mesh = mesh,
		                .asset = asset,
		                .random = rbl_random_from_seed(7) };
	rbl_world_def def = rbl_default_world_def();
	def.can_sleep = false;
	if (variant->fracture_budget > 0)
		def.budget = variant->fracture_budget;
	if (!c->has_gravity)
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	rbl_collider_def ground = rbl_default_collider_def(RBL_COLLIDER_BOX);
	ground.half_size = (rbl_vec3){ 5.0f, 0.5f, 5.0f };
	if (rbl_create_world(&def, &s->world) != RBL_OK ||
	    rbl_create_collider(&ground, &s->ground) != RBL_OK)
		return false;
	s->probe.settings = rbl_default_field_contact_settings();
	s->probe.settings.selection = variant->selection;
	s->probe.settings.point_count = variant->point_count;
	if (variant->selection == RBL_SELECT_FULL)
		s->probe.settings.visit_budget = RBL_MAX_FIELD_VISITS;
	s->probe.without_birth = variant->without_birth;
	s->probe.remake = variant->remake;
	s->world->field_probe = &s->probe;
	rbl_body_def floor = rbl_default_body_def();
	floor.collider = s->ground;
	floor.kind = RBL_BODY_STATIC;
	floor.pose.position.y = -0.5f;
	return !rbl_body_id_is_null(rbl_create_body(s->world, &floor)) && c->open(s);
}

void field_scene_close(field_scene *s)
{
	rbl_destroy_world(s->world);
	rbl_destroy_material(s->material);
	rbl_destroy_pattern(s->pattern);
	rbl_destroy_collider(s->ground);
	rbl_destroy_collider(s->ball);
	rbl_destroy_convex(s->coin);
}
