// SPDX-License-Identifier: MIT
// Fast and small bodies: nothing tunnels.

#include "../test.h"
#include "scene.h"

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
		rbl_vec3 translation = rbl_normalize((rbl_vec3){ (float)aim.x, -2.0f, (float)aim.z });
		b.velocity = rbl_scale(200.0f, translation);
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
	rbl_collider_child children[2] = { { half, { { -0.5f, 0.0f, 0.0f }, { 0, 0, 0, 1.0f } } },
		                               { half, { { 0.5f, 0.0f, 0.0f }, { 0, 0, 0, 1.0f } } } };
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
	for (int translation = -1; translation <= 1; ++translation) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		rbl_collider *wall = scene_box(0.01f, 5.0f, 5.0f);
		rbl_body_def wall_def = scene_body(wall, 2.0f, 0.0f, 0.0f);
		wall_def.kind = RBL_BODY_KINEMATIC;
		wall_def.velocity.x = 3.0f * (float)translation;
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

static bool only_dynamic_ones_touch(void *user, rbl_body_id a, rbl_body_id b)
{
	rbl_world *world = *(rbl_world **)user;
	return rbl_body_get_state(world, a).kind == RBL_BODY_DYNAMIC &&
	       rbl_body_get_state(world, b).kind == RBL_BODY_DYNAMIC;
}

// Regression: what a callback lets through was stopped by the cast, and stood before it for ever.
static void fast_bodies_pass_what_they_may_not_touch(test *t)
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
static void what_overlaps_from_birth_is_left_to_contacts(test *t)
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

TEST_MAIN(TEST(a_spinning_rod_does_not_pass_a_plate), TEST(fragments_do_not_pass_a_thin_wall),
          TEST(fragments_do_not_pass_a_mesh_floor), TEST(sliding_is_no_collision),
          TEST(fast_bodies_meet_dynamic_ones), TEST(fast_bodies_do_not_pass_kinematic_ones),
          TEST(fast_bodies_pass_what_they_may_not_touch),
          TEST(what_overlaps_from_birth_is_left_to_contacts))
