// SPDX-License-Identifier: MIT
// Sliding: nothing trips over the joints of a floor of separate tiles.

#include "../test.h"
#include "scene.h"

// Slide without friction at 10 m/s over a floor of separate tiles. @return how far in three seconds
static float slide_over_tiles(const rbl_collider *shape, float half, float offset, float yaw,
                              float *rise)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *tile = scene_box(0.5f, 0.25f, 0.5f);
	for (int i = 0; i < 5 * 36; ++i) {
		rbl_body_def body = scene_body(tile, (float)(i / 5) - 1.0f, -0.25f, (float)(i % 5) - 2.0f);
		body.kind = RBL_BODY_STATIC;
		body.material.friction = 0.0f;
		rbl_create_body(s.world, &body);
	}
	rbl_body_def body = scene_body(shape, 0.0f, half, offset);
	body.pose.rotation = (rbl_quat){ 0.0f, sinf(0.5f * yaw), 0.0f, cosf(0.5f * yaw) };
	body.velocity.x = 10.0f;
	body.material.friction = 0.0f;
	rbl_body_id id = rbl_create_body(s.world, &body);
	*rise = 0.0f;
	for (int i = 0; i < 180; ++i) {
		scene_steps(&s, 1);
		*rise = rbl_maxf(*rise, rbl_body_pose(s.world, id).position.y - half);
	}
	float way = rbl_body_pose(s.world, id).position.x;
	scene_destroy(&s);
	rbl_destroy_collider(tile);
	return way;
}

// Regression: a box stopped after 7 m and jumped by 0.9 m.
static void nothing_trips_over_the_joints_of_separate_tiles(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *upright = NULL, *plate = scene_box(0.8f, 0.05f, 0.4f);
	rbl_collider_def round = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	round.radius = 0.2f;
	round.a = (rbl_vec3){ 0.0f, -0.25f, 0.0f }, round.b = (rbl_vec3){ 0.0f, 0.25f, 0.0f };
	rbl_create_collider(&round, &upright);
	const struct {
		const char *name;
		const rbl_collider *shape;
		float half, offset, yaw;
	} runs[] = {
		{ "box", s.box, 0.25f, 0.0f, 0.0f },        { "box aside", s.box, 0.25f, 0.37f, 0.0f },
		{ "box turned", s.box, 0.25f, 0.1f, 0.5f }, { "plate", plate, 0.05f, 0.2f, 0.2f },
		{ "ball", s.ball, 0.25f, 0.0f, 0.0f },      { "ball aside", s.ball, 0.25f, 0.41f, 0.0f },
		{ "capsule", upright, 0.45f, 0.0f, 0.0f },
	};
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; ++i) {
		float rise,
			way = slide_over_tiles(runs[i].shape, runs[i].half, runs[i].offset, runs[i].yaw, &rise);
		printf("%s went %.3f m of 30, rose %.1f mm\n", runs[i].name, (double)way,
		       1e3 * (double)rise);
		CHECK_NEAR(t, way, 30.0, 0.6);
		CHECK(t, rise < 0.01f);
	}
	rbl_destroy_collider(upright);
	rbl_destroy_collider(plate);
	scene_destroy(&s);
}

// Regression: where a floor meets a wall, what was pressed into both had a point that each of them
// seemed to cover, and sank into the floor as far as a quarter of its inner radius. A hull that
// tips over as it lands is some millimetres deep for a step.
static void what_is_pressed_into_a_corner_stays_on_the_floor(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.can_sleep = false;
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *wall = scene_box(0.5f, 2.0f, 4.0f);
	rbl_body_def wall_def = scene_body(wall, 0.5f, 1.0f, 0.0f); // it stands in the floor
	wall_def.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &wall_def);
	enum { COUNT = 15 };
	rbl_body_id bodies[COUNT];
	for (int i = 0; i < COUNT; ++i) {
		rbl_body_def box =
			scene_body(s.hulls[i % SCENE_SHAPES], -0.4f, 0.5f, 0.5f * (float)(i - COUNT / 2));
		box.material.friction = 0.0f;
		box.pose.rotation =
			rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, 0.4f * (float)i);
		bodies[i] = rbl_create_body(s.world, &box);
	}
	float lowest = 0.0f;
	for (int step = 0; step < 300; ++step) {
		for (int i = 0; i < COUNT; ++i) { // twice its weight, into the corner
			float mass = rbl_body_get_mass(s.world, bodies[i]).mass;
			rbl_body_add_force(s.world, bodies[i], (rbl_vec3){ 20.0f * mass, -20.0f * mass, 0.0f },
			                   rbl_body_get_state(s.world, bodies[i]).centre);
		}
		scene_steps(&s, 1);
		for (int i = 0; i < COUNT; ++i)
			lowest = rbl_minf(lowest, rbl_body_bounds(s.world, bodies[i]).lower.y);
	}
	printf("pressed %.1f mm into the floor\n", -1e3 * (double)lowest);
	CHECK(t, lowest > -0.012f);
	scene_destroy(&s);
	rbl_destroy_collider(wall);
}

TEST_MAIN(TEST(nothing_trips_over_the_joints_of_separate_tiles),
          TEST(what_is_pressed_into_a_corner_stays_on_the_floor))
