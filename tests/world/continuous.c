// SPDX-License-Identifier: MIT
// ctest: soak
// Fast and small bodies: nothing tunnels.

#include "../test.h"
#include "scene.h"

#include "collide/collide.h"

// A hundred small fragments, 200 m/s, many directions.
static int count_behind(test *t, const rbl_collider *wall, bool is_mesh)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def wall_def = scene_body(wall, 0.0f, 0.0f, 0.0f);
	wall_def.kind = RBL_BODY_STATIC;
	CHECK(t, rbl_body_exists(s.world, rbl_create_body(s.world, &wall_def)));
	rbl_random random = rbl_random_from_seed(11);
	rbl_collider *small[4];
	for (int i = 0; i < 4; ++i)
		small[i] = scene_hull(&random, 0.03f);
	rbl_body_id bodies[100];
	for (int i = 0; i < 100; ++i) {
		rbl_body_def b = scene_body(small[i % 4], -4.5f + 0.9f * (float)(i % 10),
		                            1.0f + 0.013f * (float)i, -4.5f + 0.9f * (float)(i / 10));
		rbl_vec3d aim = rbl_random_in_ball(&random);
		rbl_vec3 direction = rbl_normalize((rbl_vec3){ (float)aim.x, -2.0f, (float)aim.z });
		b.velocity = rbl_scale(200.0f, direction);
		b.angular_velocity = (rbl_vec3){ 5.0f, 10.0f * (float)(i % 7), -20.0f };
		bodies[i] = rbl_create_body(s.world, &b);
	}
	scene_steps(&s, 90);
	int behind = 0;
	for (int i = 0; i < 100; ++i) {
		rbl_vec3 p = rbl_body_pose(s.world, bodies[i]).position;
		behind += p.y < (is_mesh ? -0.02f : 0.0f) && fabsf(p.x) < 19.0f && fabsf(p.z) < 19.0f;
	}
	rbl_destroy_world(s.world);
	s.world = NULL;
	for (int i = 0; i < 4; ++i)
		rbl_destroy_collider(small[i]);
	scene_destroy(&s);
	return behind;
}

static void fragments_do_not_pass_a_thin_wall(test *t)
{
	rbl_collider *wall = scene_box(20.0f, 0.01f, 20.0f);
	CHECK(t, count_behind(t, wall, false) == 0);
	rbl_destroy_collider(wall);
}

static void fragments_do_not_pass_a_mesh_floor(test *t)
{
	rbl_collider *floor = scene_mesh_floor(40.0f, 16);
	CHECK(t, floor != NULL);
	CHECK(t, count_behind(t, floor, true) == 0);
	rbl_destroy_collider(floor);
}

// What slides fast along a floor is not stopped by it.
static void sliding_is_no_collision(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def floor_def = scene_body(s.floor, 0.0f, -0.5f, 0.0f);
	floor_def.kind = RBL_BODY_STATIC;
	floor_def.material.friction = 0.0f;
	rbl_create_body(s.world, &floor_def);
	rbl_body_def b = scene_body(s.box, -40.0f, 0.25f, 0.0f);
	b.velocity = (rbl_vec3){ 60.0f, 0.0f, 0.0f };
	rbl_body_id body = rbl_create_body(s.world, &b);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_pose(s.world, body).position.x, 20.0, 0.5);
	CHECK_NEAR(t, rbl_body_pose(s.world, body).position.y, 0.25, 0.02);
	scene_destroy(&s);
}

// A ball marked as fast does not pass a small body that moves.
static void fast_bodies_meet_dynamic_ones(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	rbl_body_id target = scene_add(&s, s.box, 5.0f, 0.0f, 0.0f);
	rbl_body_def b = scene_body(s.ball, -3.0f, 0.0f, 0.0f);
	b.velocity = (rbl_vec3){ 300.0f, 0.0f, 0.0f };
	b.is_bullet = true;
	rbl_body_id ball = rbl_create_body(s.world, &b);
	scene_steps(&s, 10);
	CHECK(t, rbl_body_velocity(s.world, target).x > 10.0f);
	CHECK(t, rbl_body_pose(s.world, ball).position.x < rbl_body_pose(s.world, target).position.x);
	scene_destroy(&s);
}

// A rod of two metres turns by almost a radian in a step, about a pin in its middle; a thin plate
// stands in its way. @return the largest angle it reaches
static float swing_rod(test *t, bool is_compound)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	rbl_collider *plate = scene_box(0.3f, 0.005f, 0.3f), *rod = scene_box(1.0f, 0.02f, 0.02f);
	rbl_collider *half = scene_box(0.5f, 0.02f, 0.02f), *pair = NULL;
	rbl_collider_child children[2] = {
		{ .collider = half, .pose = { { -0.5f, 0.0f, 0.0f }, { 0, 0, 0, 1.0f } } },
		{ .collider = half, .pose = { { 0.5f, 0.0f, 0.0f }, { 0, 0, 0, 1.0f } } }
	};
	rbl_collider_def pair_def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	pair_def.children = children, pair_def.child_count = 2;
	CHECK(t, rbl_create_collider(&pair_def, &pair) == RBL_OK);
	rbl_body_def plate_def = scene_body(plate, 0.7f, 0.3f, 0.0f); // 0.4 rad up
	plate_def.kind = RBL_BODY_STATIC;
	rbl_body_id still = rbl_create_body(s.world, &plate_def);
	rbl_body_def rod_def = scene_body(is_compound ? pair : rod, 0.0f, 0.0f, 0.0f);
	rod_def.angular_velocity = (rbl_vec3){ 0.0f, 0.0f, 55.0f };
	rod_def.pose.rotation = (rbl_quat){ 0.0f, 0.0f, -0.0998f, 0.9950f }; // 0.2 rad down
	rbl_body_id body = rbl_create_body(s.world, &rod_def);
	plate_def.pose.position = (rbl_vec3){ 0.0f, 0.0f, 5.0f };
	rbl_body_id anchor = rbl_create_body(s.world, &plate_def);
	rbl_joint_def pin = rbl_default_joint_def(RBL_JOINT_HINGE);
	pin.body_a = anchor, pin.body_b = body;
	CHECK(t, rbl_joint_def_place(s.world, &pin, rbl_transform_identity()) == RBL_OK);
	CHECK(t, rbl_create_joint(s.world, &pin).generation != 0);
	float most = -1.0f;
	for (int i = 0; i < 30; ++i) {
		scene_steps(&s, 1);
		rbl_transform pose = rbl_body_pose(s.world, body);
		rbl_vec3 end = rbl_transform_point(pose, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
		most = rbl_maxf(most, end.x > 0.0f ? end.y : 1.0f);
	}
	CHECK(t, rbl_body_exists(s.world, still));
	rbl_destroy_world(s.world);
	s.world = NULL;
	scene_destroy(&s);
	rbl_destroy_collider(pair);
	rbl_destroy_collider(half);
	rbl_destroy_collider(plate);
	rbl_destroy_collider(rod);
	return most;
}

static void a_spinning_rod_does_not_pass_a_plate(test *t)
{
	// The plate's lower side is at 0.295, from x = 0.4 to 1: the end of the rod stays below 0.6.
	CHECK(t, swing_rod(t, false) < 0.6f);
	CHECK(t, swing_rod(t, true) < 0.6f);
}

// Regression: what moves by its velocity alone is as hard to push aside as what stands.
static void fast_bodies_do_not_pass_kinematic_ones(test *t)
{
	for (int direction = -1; direction <= 1; ++direction) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		rbl_collider *wall = scene_box(0.01f, 5.0f, 5.0f);
		rbl_body_def wall_def = scene_body(wall, 2.0f, 0.0f, 0.0f);
		wall_def.kind = RBL_BODY_KINEMATIC;
		wall_def.velocity.x = 3.0f * (float)direction;
		rbl_body_id door = rbl_create_body(s.world, &wall_def);
		rbl_body_id shots[20];
		for (int i = 0; i < 20; ++i) {
			rbl_body_def shot = scene_body(s.hulls[i % SCENE_SHAPES], 0.05f * (float)i,
			                               -4.0f + 0.4f * (float)i, 0.0f);
			shot.velocity = (rbl_vec3){ 100.0f, 0.0f, 0.0f };
			shots[i] = rbl_create_body(s.world, &shot);
		}
		scene_steps(&s, 20);
		float x = rbl_body_pose(s.world, door).position.x;
		for (int i = 0; i < 20; ++i)
			CHECK(t, rbl_body_pose(s.world, shots[i]).position.x < x);
		rbl_destroy_world(s.world);
		s.world = NULL;
		rbl_destroy_collider(wall);
		scene_destroy(&s);
	}
}

// Regression: a thin door that comes towards small things changed places with them within a step.
static void fast_doors_do_not_pass_fast_bodies(test *t)
{
	rbl_collider *wall = scene_box(0.01f, 5.0f, 5.0f), *chip = scene_box(0.02f, 0.01f, 0.02f);
	int stopped = 0;
	for (int speed = -40; speed <= 20; speed += 10) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		rbl_body_def door_def = scene_body(wall, 2.0f, 0.0f, 0.0f);
		door_def.kind = RBL_BODY_KINEMATIC;
		door_def.velocity.x = (float)speed;
		rbl_body_id door = rbl_create_body(s.world, &door_def), chips[100];
		for (int i = 0; i < 100; ++i) {
			rbl_body_def shot =
				scene_body(chip, 0.0189f * (float)i, -4.0f + 0.08f * (float)i, 0.0f);
			shot.velocity = (rbl_vec3){ 30.0f + 0.7f * (float)i, 0.0f, 0.0f };
			shot.angular_velocity = (rbl_vec3){ 0.0f, 0.3f * (float)(i % 20), 0.0f };
			chips[i] = rbl_create_body(s.world, &shot);
		}
		for (int i = 0; i < 20; ++i) {
			scene_steps(&s, 1);
			stopped += rbl_world_get_stats(s.world).cast_count;
			float x = rbl_body_pose(s.world, door).position.x;
			for (int k = 0; k < 100; ++k)
				CHECK(t, rbl_body_pose(s.world, chips[k]).position.x < x);
		}
		scene_destroy(&s);
	}
	CHECK(t, stopped > 500);
	rbl_destroy_collider(wall);
	rbl_destroy_collider(chip);
}

static bool only_dynamic_ones_touch(void *user, rbl_body_id a, rbl_body_id b)
{
	rbl_world *world = *(rbl_world **)user;
	return rbl_body_get_state(world, a).kind == RBL_BODY_DYNAMIC &&
	       rbl_body_get_state(world, b).kind == RBL_BODY_DYNAMIC;
}

// Regression: what a callback lets through was stopped by the cast, and stood before it for ever.
static void fast_bodies_pass_what_they_do_not_collide_with(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.should_collide = only_dynamic_ones_touch;
	def.user = &s.world;
	scene_create(&s, &def);
	rbl_collider *wall = scene_box(0.05f, 5.0f, 5.0f);
	rbl_body_def wall_def = scene_body(wall, 2.0f, 0.0f, 0.0f);
	wall_def.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &wall_def);
	rbl_body_id target = scene_add(&s, s.box, 20.0f, 0.0f, 0.0f);
	rbl_body_def ball_def = scene_body(s.ball, 0.0f, 0.0f, 0.0f);
	ball_def.velocity = (rbl_vec3){ 100.0f, 0.0f, 0.0f };
	ball_def.is_bullet = true;
	rbl_body_id ball = rbl_create_body(s.world, &ball_def);
	scene_steps(&s, 6);
	CHECK(t, rbl_body_pose(s.world, ball).position.x > 9.0f);
	scene_steps(&s, 12);
	CHECK(t, rbl_body_velocity(s.world, target).x > 10.0f);
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_destroy_collider(wall);
	scene_destroy(&s);
}

// A piece that was born inside of a wall, and falls: contacts leave it where it is, sideways, and so
// does a cast, or it would hang there and become faster with every step.
static void initial_overlap_is_left_to_contacts(test *t)
{
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	rbl_collider *wall = scene_box(0.5f, 4.0f, 2.0f), *chip = scene_box(0.1f, 0.1f, 0.1f);
	rbl_body_def def = scene_body(wall, 0.0f, 0.0f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	def.material.friction = 0.0f;
	rbl_create_body(s.world, &def);
	def = scene_body(chip, 0.45f, 3.0f, 0.0f);
	def.velocity.y = -20.0f;
	rbl_body_id body;
	CHECK(t, rbl_create_bodies(s.world, &def, 1, &body) == RBL_OK);
	scene_steps(&s, 30);
	CHECK(t, rbl_body_pose(s.world, body).position.y < -8.0f);
	CHECK_NEAR(t, rbl_body_velocity(s.world, body).y, -24.9f, 1.0f);
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_destroy_collider(wall);
	rbl_destroy_collider(chip);
	scene_destroy(&s);
}

// --- the reference: all bodies, one by one ------------------------------------------------------

enum {
	WALLS = 8,
	DOORS = WALLS + 8,
	LUMPS = DOORS + 6,
	STONES = LUMPS + 16,
	TESTED = STONES + 40, // shots
};

static const float step_time = 1.0f / 60.0f, shot_inner_radius = 0.02f;

typedef struct tested_body {
	rbl_body_id id;
	rbl_body_def def;
	rbl_transform end;   // where it goes if nothing stops it
	float max_distance;  // how far it goes at most, stopped or not
	bool is_undisturbed; // no contact has changed it
} tested_body;

typedef struct verdict {
	int shots, passed; // passed: what nothing stops
	int stops[5];      // by walls, doors, lumps, stones, other shots
} verdict;

static rbl_vec3 any_vector(rbl_random *random, float size)
{
	rbl_vec3d v = rbl_random_in_ball(random);
	return (rbl_vec3){ size * (float)v.x, size * (float)v.y, size * (float)v.z };
}

static rbl_quat any_rotation(rbl_random *random)
{
	rbl_vec3 v = any_vector(random, 1.0f);
	return rbl_quat_normalize((rbl_quat){ v.x, v.y, v.z, 0.4f });
}

// Thin walls that stand and move, heavy lumps, stones, and small plates at 30 to 200 m/s.
static rbl_body_def make_tested(rbl_random *random, const scene *s, rbl_collider *const shapes[5],
                                bool is_sparse, int i)
{
	rbl_body_def def = scene_body(shapes[2], 0.0f, 0.0f, 0.0f);
	def.kind = i < WALLS ? RBL_BODY_STATIC : i < DOORS ? RBL_BODY_KINEMATIC : def.kind;
	if (i < WALLS) {
		def.collider = i % 4 == 3 ? shapes[3] : shapes[0];
	} else if (i < DOORS) {
		def.collider = i % 2 ? shapes[0] : s->hulls[i % SCENE_SHAPES];
		def.velocity = any_vector(random, 60.0f);
		def.angular_velocity = any_vector(random, i % 3 ? 0.0f : 20.0f);
	} else if (i < LUMPS) {
		def.collider = shapes[1];
		def.velocity = any_vector(random, 20.0f);
	} else if (i < STONES) {
		def.collider = shapes[4];
		def.velocity = any_vector(random, 3.0f);
	} else {
		rbl_vec3 direction =
			rbl_normalize(any_vector(random, 1.0f)); // before its length: one order
		def.velocity = rbl_scale(30.0f + 170.0f * rbl_random_float(random), direction);
		def.is_bullet = i % 2 || is_sparse;
	}
	// What touches from the beginning is a matter of contacts.
	rbl_collider *room = i < LUMPS ? scene_box(0.5f, 0.5f, 0.5f) : scene_box(0.15f, 0.15f, 0.15f);
	rbl_world_hit hit;
	for (int k = 0; k < 40; ++k) {
		def.pose = (rbl_transform){ any_vector(random, 3.0f), any_rotation(random) };
		if (i < DOORS || rbl_world_overlap_collider(s->world, room, def.pose, NULL, &hit, 1) == 0)
			break;
	}
	rbl_destroy_collider(room);
	return def;
}

// What one body does to another that flies straight.
typedef struct stopped_by {
	bool is_hit, is_clear; // is_clear: no doubt about it
	float fraction;
	rbl_vec3 place; // where it is put
} stopped_by;

static stopped_by find_blocker(const tested_body *shot, const tested_body *other)
{
	rbl_transform from = shot->def.pose;
	bool is_door = other->def.kind == RBL_BODY_KINEMATIC;
	if (is_door)
		from = rbl_transform_mul(other->end, rbl_transform_relative(other->def.pose, from));
	from.rotation = rbl_quat_normalize(from.rotation);
	bool turns = is_door && rbl_length(other->def.angular_velocity) > 0.0f;
	rbl_cast_hit hit = { .is_hit = false };
	rbl_transform start = { from.position, shot->end.rotation };
	rbl_vec3 translation = rbl_sub(shot->end.position, from.position);
	if (turns)
		rbl_collider_cast_motion(shot->def.collider, from, shot->end, other->def.collider,
		                         other->end, &hit);
	else
		rbl_collider_cast_collider(shot->def.collider, start, translation, other->def.collider,
		                           other->end, &hit);
	stopped_by by = { .is_hit = hit.is_hit, .is_clear = true, .fraction = hit.fraction };
	if (!hit.is_hit)
		return by;
	rbl_transform at = turns ? rbl_collide_pose_at(from, shot->end, hit.fraction) : start;
	by.place = rbl_add_scaled(from.position, hit.fraction, translation);
	rbl_vec3 path = rbl_scale(1.0f - hit.fraction, translation);
	if (turns) {
		rbl_vec3 local = rbl_transform_point_inverse(at, hit.point);
		path = rbl_sub(rbl_transform_point(shot->end, local), hit.point);
	}
	// What is grazed, and what a shot begins in, is left to contacts.
	float depth = -rbl_dot(path, hit.normal);
	by.is_clear = hit.fraction > 1e-3f && depth > 0.3f * shot_inner_radius;
	return by;
}

static bool stops(const tested_body *shot, const tested_body *other, int index)
{
	return shot != other && (index < LUMPS || shot->def.is_bullet);
}

static void check_shot(test *t, const rbl_world *world, const tested_body *all, int count,
                       int index, verdict *v)
{
	const tested_body *shot = &all[index];
	if (!shot->is_undisturbed)
		return;
	float distance = rbl_distance(shot->end.position, shot->def.pose.position);
	stopped_by first = { .fraction = 1.0f, .place = shot->end.position };
	int what = -1;
	for (int i = 0; i < count; ++i) {
		stopped_by by = { .is_hit = false };
		if (!stops(shot, &all[i], i))
			continue;
		// Who knows where that one goes.
		float gap = rbl_distance(all[i].def.pose.position, shot->def.pose.position) - distance;
		if (!all[i].is_undisturbed && gap < 0.6f + all[i].max_distance)
			return;
		by = find_blocker(shot, &all[i]);
		if (by.is_hit && !by.is_clear)
			return;
		if (by.is_hit && by.fraction < first.fraction)
			first = by, what = i;
	}
	// What a door pushes does not go into a wall.
	for (int i = 0; i < WALLS && what >= WALLS && what < DOORS; ++i) {
		rbl_cast_hit hit;
		rbl_collider_cast_ray(all[i].def.collider, all[i].end, shot->def.pose.position,
		                      rbl_sub(first.place, shot->def.pose.position), &hit);
		if (hit.is_hit)
			return;
	}
	rbl_vec3 place = rbl_body_pose(world, shot->id).position;
	CHECK_NEAR(t, rbl_distance(place, first.place), 0.0f, 3e-3f + 1e-3f * distance);
	v->shots++;
	v->passed += what < 0;
	if (what >= 0)
		v->stops[(what >= WALLS) + (what >= DOORS) + (what >= LUMPS) + (what >= STONES)]++;
}

static void check_world(test *t, uint64_t seed, verdict *v)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	rbl_collider *shapes[5] = { scene_box(1.0f, 0.01f, 0.7f), scene_box(0.3f, 0.3f, 0.3f),
		                        scene_box(0.05f, shot_inner_radius, 0.04f),
		                        scene_mesh_floor(2.0f, 4), scene_box(0.12f, 0.12f, 0.12f) };
	rbl_random random = rbl_random_from_seed(seed);
	// Who meets moving ones is only known where few are disturbed.
	static tested_body all[TESTED];
	int count = seed % 2 ? STONES + 8 : TESTED;
	for (int i = 0; i < count; ++i) {
		all[i].def = make_tested(&random, &s, shapes, count < TESTED, i);
		all[i].id = rbl_create_body(s.world, &all[i].def);
	}
	scene_steps(&s, 1);
	for (int i = 0; i < count; ++i) {
		tested_body *b = &all[i];
		b->end = b->def.pose;
		b->end.position = rbl_add_scaled(b->end.position, step_time, b->def.velocity);
		rbl_vec3 velocity = rbl_body_velocity(s.world, b->id);
		rbl_vec3 angular_velocity = rbl_body_angular_velocity(s.world, b->id);
		b->is_undisturbed =
			memcmp(&velocity, &b->def.velocity, sizeof velocity) == 0 &&
			(b->def.kind != RBL_BODY_DYNAMIC || rbl_length(angular_velocity) == 0.0f);
		rbl_transform now = rbl_body_pose(s.world, b->id);
		b->max_distance = rbl_maxf(rbl_distance(now.position, b->def.pose.position),
		                           rbl_distance(b->end.position, b->def.pose.position));
		if (b->def.kind == RBL_BODY_KINEMATIC)
			b->end = now;
		else if (i < STONES) // too slow to be stopped: overlap was pushed out
			b->is_undisturbed &= rbl_distance(now.position, b->end.position) < 1e-4f;
	}
	for (int i = STONES; i < count; ++i)
		check_shot(t, s.world, all, count, i, v);
	rbl_destroy_world(s.world);
	s.world = NULL;
	for (int i = 0; i < 5; ++i)
		rbl_destroy_collider(shapes[i]);
	scene_destroy(&s);
}

// Against a look at every body there is: whatever moved in the step, and however far.
static void no_obstacle_is_missed(test *t)
{
	verdict v = { 0 };
	int worlds = test_count(100, 10000);
	for (int i = 0; i < worlds; ++i)
		check_world(t, 100 + (uint64_t)i, &v);
	printf("%d shots: %d stopped by walls, %d by doors, %d by lumps, %d by stones, %d by shots; "
	       "%d passed\n",
	       v.shots, v.stops[0], v.stops[1], v.stops[2], v.stops[3], v.stops[4], v.passed);
	CHECK(t, v.shots > 5 * worlds && v.passed > worlds);
	for (int i = 0; i < 4; ++i)
		CHECK(t, v.stops[i] > worlds / 50);
}

TEST_MAIN(TEST(no_obstacle_is_missed), TEST(a_spinning_rod_does_not_pass_a_plate),
          TEST(fragments_do_not_pass_a_thin_wall), TEST(fragments_do_not_pass_a_mesh_floor),
          TEST(sliding_is_no_collision), TEST(fast_bodies_meet_dynamic_ones),
          TEST(fast_bodies_do_not_pass_kinematic_ones), TEST(fast_doors_do_not_pass_fast_bodies),
          TEST(fast_bodies_pass_what_they_do_not_collide_with),
          TEST(initial_overlap_is_left_to_contacts))
