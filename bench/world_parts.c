// SPDX-License-Identifier: MIT
//
// Bodies of many parts that move: cars over a height field, walls that slide, jacks that land. Steps are
// measured against our own pile of 4,000 in the same run, so that the machine does not matter; the target
// is a quarter of what they took when all their parts were swept, and for jacks what Jolt takes, which
// was 31 ms and 60 at worst where the pile took 8.45.

#include "world_parts.h"
#include "world_frames.h"

#include "base/random.h"
#include "base/vec.h"

#include <rubble/rubble.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLLIDERS = 8, MAX_CHILDREN = 512 };

typedef struct parts_world {
	rbl_world *world;
	rbl_collider *colliders[MAX_COLLIDERS];
	int collider_count;
} parts_world;

static rbl_collider *keep(parts_world *w, const rbl_collider_def *def)
{
	rbl_collider *collider = NULL;
	rbl_create_collider(def, &collider);
	w->colliders[w->collider_count++] = collider;
	return collider;
}

static rbl_collider *make_box(parts_world *w, float x, float y, float z)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ x, y, z };
	return keep(w, &def);
}

static rbl_collider *make_compound(parts_world *w, const rbl_collider_child *children, int count)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children;
	def.child_count = count;
	return keep(w, &def);
}

static rbl_body_id add(parts_world *w, const rbl_collider *collider, rbl_vec3 position,
                       rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.kind = kind;
	def.pose.position = position;
	return rbl_create_body(w->world, &def);
}

// --- cars ----------------------------------------------------------------------------------------

// Bumps of a decimetre or two, each cell a metre.
static void add_ground(parts_world *w, int size)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	rbl_random random = rbl_random_from_seed(3);
	float *heights = malloc((size_t)(size * size) * sizeof *heights);
	for (int i = 0; i < size * size; ++i)
		heights[i] = (float)rbl_random_range(&random, 0.0, 0.2);
	def.heights = heights;
	def.column_count = def.row_count = size;
	add(w, keep(w, &def), (rbl_vec3){ 0.0f, 0.0f, 0.0f }, RBL_BODY_STATIC);
	free(heights);
}

// Panels of a box of 4 x 1 x 1.6 m.
static rbl_collider *make_chassis(parts_world *w)
{
	rbl_collider_child children[MAX_CHILDREN];
	const rbl_collider *floor = make_box(w, 0.2f, 0.02f, 0.2f);
	const rbl_collider *side = make_box(w, 0.2f, 0.2f, 0.02f);
	int count = 0;
	for (int i = 0; i < 10; ++i) {
		float x = -1.8f + 0.4f * (float)i;
		for (int k = 0; k < 4; ++k)
			for (int level = 0; level < 2; ++level)
				children[count++] = (rbl_collider_child){
					.collider = floor,
					.pose = { { x, 0.8f * (float)level, -0.6f + 0.4f * (float)k }, { 0, 0, 0, 1 } }
				};
		for (int k = 0; k < 4; ++k)
			children[count++] = (rbl_collider_child){ .collider = side,
				                                      .pose = { { x, 0.2f + 0.4f * (float)(k / 2),
				                                                  k % 2 ? 0.8f : -0.8f },
				                                                { 0, 0, 0, 1 } } };
	}
	return make_compound(w, children, count);
}

static void add_car(parts_world *w, const rbl_collider *chassis, const rbl_collider *wheel,
                    rbl_vec3 at)
{
	rbl_body_id body = add(w, chassis, at, RBL_BODY_DYNAMIC);
	for (int i = 0; i < 4; ++i) {
		rbl_vec3 place = { i % 2 ? 1.4f : -1.4f, -0.1f, i / 2 ? 1.1f : -1.1f };
		rbl_joint_def def = rbl_default_joint_def(RBL_JOINT_WHEEL);
		def.body_a = body;
		def.body_b = add(w, wheel, rbl_add(at, place), RBL_BODY_DYNAMIC);
		def.frame_a.position = place;
		def.has_spring = true, def.spring_hertz = 4.0f, def.spring_damping = 0.7f;
		def.has_motor = true, def.motor_speed = -25.0f, def.motor_torque = 1500.0f;
		rbl_create_joint(w->world, &def);
	}
}

static void make_cars(parts_world *w, int count)
{
	rbl_collider_def ball = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	ball.radius = 0.4f;
	add_ground(w, 128);
	const rbl_collider *chassis = make_chassis(w), *wheel = keep(w, &ball);
	for (int i = 0; i < count; ++i)
		add_car(w, chassis, wheel, (rbl_vec3){ 10.0f, 0.8f, 4.0f + 4.0f * (float)i });
}

// --- walls ---------------------------------------------------------------------------------------

static void make_walls(parts_world *w, int count)
{
	rbl_collider_child children[MAX_CHILDREN];
	const rbl_collider *brick = make_box(w, 0.12f, 0.04f, 0.06f);
	int n = 0;
	for (int row = 0; row < 24; ++row)
		for (int i = 0; i < 13; ++i)
			children[n++] =
				(rbl_collider_child){ .collider = brick,
				                      .pose = { { 0.24f * (float)i + (row % 2 ? 0.06f : -0.06f),
				                                  0.04f + 0.08f * (float)row, 0 },
				                                { 0, 0, 0, 1 } } };
	const rbl_collider *wall = make_compound(w, children, n);
	add(w, make_box(w, 200.0f, 0.5f, 50.0f), (rbl_vec3){ 0.0f, -0.5f, 0.0f }, RBL_BODY_STATIC);
	for (int i = 0; i < count; ++i) {
		rbl_body_def def = rbl_default_body_def();
		def.collider = wall;
		def.pose.position = (rbl_vec3){ 0.0f, 0.0f, 2.0f * (float)i };
		def.velocity = (rbl_vec3){ 8.0f, 0.0f, 0.0f };
		def.material.friction = 0.01f;
		rbl_create_body(w->world, &def);
	}
}

// --- jacks ---------------------------------------------------------------------------------------

static void make_jacks_of(parts_world *w, int count, const rbl_material *material)
{
	rbl_collider_child children[3] = {
		{ .collider = make_box(w, 0.3f, 0.06f, 0.06f), .pose = { { 0, 0, 0 }, { 0, 0, 0, 1 } } },
		{ .collider = make_box(w, 0.06f, 0.3f, 0.06f), .pose = { { 0, 0, 0 }, { 0, 0, 0, 1 } } },
		{ .collider = make_box(w, 0.06f, 0.06f, 0.3f), .pose = { { 0, 0, 0 }, { 0, 0, 0, 1 } } },
	};
	for (int i = 0; i < 3; ++i)
		children[i].material = material;
	const float half = 7.0f, pitch = 0.7f;
	const rbl_collider *jack = make_compound(w, children, 3),
					   *floor = make_box(w, 9.0f, 0.5f, 9.0f);
	const rbl_collider *wall = make_box(w, 0.5f, 10.0f, 9.0f);
	add(w, floor, (rbl_vec3){ 0.0f, -0.5f, 0.0f }, RBL_BODY_STATIC);
	for (int i = 0; i < 4; ++i) {
		rbl_body_def def = rbl_default_body_def();
		float x = i % 2 ? half + 0.5f : -half - 0.5f;
		def.collider = wall;
		def.kind = RBL_BODY_STATIC;
		def.pose.position = (rbl_vec3){ i < 2 ? x : 0.0f, 10.0f, i < 2 ? 0.0f : x };
		if (i >= 2)
			def.pose.rotation = (rbl_quat){ 0.0f, 0.70710678f, 0.0f, 0.70710678f };
		rbl_create_body(w->world, &def);
	}
	rbl_random random = rbl_random_from_seed(11);
	for (int i = 0; i < count; ++i) {
		rbl_body_def def = rbl_default_body_def();
		rbl_vec3d a = rbl_normalize_d(rbl_random_in_ball(&random));
		def.collider = jack;
		def.pose.position =
			(rbl_vec3){ -6.3f + pitch * (float)(i % 19), 0.6f + pitch * (float)(i / 361),
			            -6.3f + pitch * (float)(i / 19 % 19) };
		def.pose.rotation =
			rbl_quat_normalize((rbl_quat){ (float)a.x, (float)a.y, (float)a.z, 0.5f });
		rbl_create_body(w->world, &def);
	}
}

static void make_jacks(parts_world *w, int count)
{
	make_jacks_of(w, count, NULL);
}

// The same, with a material for each part: contacts are the same, and so should be their cost.
static void make_jacks_with_materials(parts_world *w, int count)
{
	rbl_material_def def = rbl_default_material_def();
	def.values = rbl_default_body_def().material;
	rbl_material *material = NULL;
	rbl_create_material(&def, &material);
	make_jacks_of(w, count, material);
	rbl_destroy_material(material); // the colliders keep it
}

// --- all -----------------------------------------------------------------------------------------

typedef struct parts_case {
	const char *name;
	void (*make)(parts_world *w, int count);
	int count, quick_count, first_step, step_count;
	double mean, worst; // targets, in steps of the pile
} parts_case;

static const parts_case cases[] = {
	{ "car", make_cars, 16, 4, 60, 240, 0.092, 0.0 },
	{ "many-parts", make_walls, 8, 2, 0, 120, 0.102, 0.0 },
	{ "jacks-4000", make_jacks, 4000, 500, 20, 160, 3.67, 7.1 },
	{ "jacks-4000-materials", make_jacks_with_materials, 4000, 500, 20, 160, 3.67, 7.1 },
};

static bool run_once(world_frames *frames, const parts_case *c, int count, uint64_t *hash)
{
	parts_world w = { 0 };
	rbl_world_def def = rbl_default_world_def();
	def.can_sleep = false;
	if (rbl_create_world(&def, &w.world) != RBL_OK)
		return false;
	c->make(&w, count);
	for (int k = 0; k < c->step_count; ++k) {
		double start = world_clock_ms(1);
		rbl_world_step(w.world, 1.0f / 60.0f);
		double ms = world_clock_ms(1) - start;
		world_stages stages;
		world_read_stages(w.world, &stages);
		if (k >= c->first_step)
			world_frames_add(frames, k - c->first_step, ms, &stages);
	}
	*hash = rbl_world_hash(w.world);
	rbl_destroy_world(w.world);
	for (int k = 0; k < w.collider_count; ++k)
		rbl_destroy_collider(w.colliders[k]);
	return true;
}

static void run_case(bench *b, const parts_case *c, double pile_ms)
{
	static const char variant[] = "rubble-1";
	world_frames frames = { 0 };
	uint64_t hash = 0;
	bool ok = true;
	for (int i = 0; i < world_run_count(b) && ok; ++i)
		ok = run_once(&frames, c, bench_is_quick(b) ? c->quick_count : c->count, &hash);
	if (!ok) {
		bench_fail(b, c->name, variant, "the world could not be made");
		world_frames_free(&frames);
		return;
	}
	int count = frames.count;
	double worst = 0.0;
	for (int i = 0; i < count; ++i)
		worst = fmax(worst, frames.steps[i].ms);
	world_frames_report(b, c->name, variant, "", &frames, 0, count);
	for (int i = 0; i < frames.stages.count; ++i)
		if (strcmp(frames.stages.names[i], "finish_ms") == 0 ||
		    strcmp(frames.stages.names[i], "narrow_ms") == 0)
			bench_row(b, c->name, variant, frames.stages.names[i],
			          world_frames_stage_mean(&frames, i, 0, count), "ms");
	bench_row(b, c->name, variant, "of_pile_4000", world_frames_mean(&frames, 0, count) / pile_ms,
	          "");
	bench_row(b, c->name, variant, "worst_of_pile_4000", worst / pile_ms, "");
	bench_row(b, c->name, "target", "of_pile_4000", c->mean, "");
	if (c->worst > 0.0)
		bench_row(b, c->name, "target", "worst_of_pile_4000", c->worst, "");
	bench_check(b, c->name, variant, hash, 0);
	world_frames_free(&frames);
}

void bench_moving_parts(bench *b, double (*pile_ms)(bench *b))
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
		if (bench_wants(b, cases[i].name))
			run_case(b, &cases[i], pile_ms(b));
}
