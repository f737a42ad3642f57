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
		rbl_vec3 way = rbl_normalize((rbl_vec3){ (float)aim.x, -2.0f, (float)aim.z });
		b.velocity = rbl_scale(200.0f, way);
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
	b.is_fast = true;
	rbl_body_id ball = rbl_create_body(s.world, &b);
	scene_steps(&s, 10);
	CHECK(t, rbl_body_velocity(s.world, target).x > 10.0f);
	CHECK(t, rbl_body_pose(s.world, ball).position.x < rbl_body_pose(s.world, target).position.x);
	scene_destroy(&s);
}

TEST_MAIN(TEST(fragments_do_not_pass_a_thin_wall), TEST(fragments_do_not_pass_a_mesh_floor),
          TEST(sliding_is_no_collision), TEST(fast_bodies_meet_dynamic_ones))
