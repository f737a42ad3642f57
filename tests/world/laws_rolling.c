// SPDX-License-Identifier: MIT
// Rolling: balls roll as theory has it, down the gentlest slope and at the slowest speed, and resistance
// stops them.

#include "../test.h"
#include "scene.h"

// Roll a ball for ten seconds. @param degrees  of the slope @param speed  at first
// @return how far it went along the slope
static float roll(double degrees, float speed, bool can_sleep, bool ball_first)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	double angle = degrees * 3.14159265358979 / 180.0;
	def.can_sleep = can_sleep;
	def.gravity = (rbl_vec3){ 9.81f * (float)sin(angle), -9.81f * (float)cos(angle), 0.0f };
	scene_create(&s, &def);
	if (!ball_first)
		scene_add_floor(&s);
	rbl_body_def body = scene_body(s.ball, 0.0f, 0.25f, 0.0f);
	body.velocity.x = speed;
	body.angular_velocity.z = -speed / 0.25f;
	body.angular_damping = 0.0f;
	rbl_body_id ball = rbl_create_body(s.world, &body);
	if (ball_first)
		scene_add_floor(&s);
	scene_steps(&s, 600);
	float way = rbl_body_pose(s.world, ball).position.x;
	scene_destroy(&s);
	return way;
}

// Regression: on 0.02 degrees it stayed, on 0.1 it went 1.03 m instead of 0.61.
static void a_ball_rolls_down_the_gentlest_slope(test *t)
{
	const double slopes[] = { 0.02, 0.1, 0.5, 2.0 };
	for (int i = 0; i < 8; ++i) {
		double angle = slopes[i % 4] * 3.14159265358979 / 180.0;
		double want = 0.5 * 5.0 / 7.0 * 9.81 * sin(angle) * 100.0;
		CHECK_NEAR(t, roll(slopes[i % 4], 0.0f, true, i >= 4), want, 0.02 * want);
	}
}

// Regression: at 8 mm/s it sped up to 60 mm/s by itself, and with sleep it stopped after 5 mm.
static void a_slow_ball_rolls_on_at_its_speed(test *t)
{
	const float speeds[] = { 0.004f, 0.008f, 0.02f, 0.1f, 1.0f };
	for (int i = 0; i < 20; ++i) {
		float want = 10.0f * speeds[i % 5];
		float way = roll(0.0, speeds[i % 5], i / 5 % 2, i >= 10);
		CHECK_NEAR(t, way, want, 0.02f * want);
	}
}

// A ball at rest on the level falls asleep.
static void a_ball_at_rest_falls_asleep(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	scene_add(&s, s.ball, 0.0f, 0.3f, 0.0f);
	scene_add(&s, s.capsule, 2.0f, 0.3f, 0.0f);
	scene_steps(&s, 180);
	CHECK(t, rbl_world_get_stats(s.world).awake_count == 0);
	scene_destroy(&s);
}

// A ball that slides rolls in the end with 5/7 of its speed.
static void a_sliding_ball_ends_rolling(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_def body = scene_body(s.ball, -20.0f, 0.25f, 0.0f);
	body.velocity.x = 5.0f;
	body.angular_damping = 0.0f;
	rbl_body_id ball = rbl_create_body(s.world, &body);
	scene_steps(&s, 300);
	CHECK_NEAR(t, rbl_body_velocity(s.world, ball).x, 25.0 / 7.0, 0.02);
	CHECK_NEAR(t, rbl_body_angular_velocity(s.world, ball).z, -100.0 / 7.0, 0.1);
	scene_destroy(&s);
}

// A ball with resistance stops where theory has it, and a ball that spins on the spot comes to rest.
static void resistance_stops_balls(test *t)
{
	for (int spins = 0; spins < 2; ++spins) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_body_def body = scene_body(s.ball, 0.0f, 0.25f, 0.0f);
		body.velocity.x = spins ? 0.0f : 2.0f;
		body.angular_velocity = (rbl_vec3){ 0.0f, spins ? 20.0f : 0.0f, spins ? 0.0f : -8.0f };
		body.angular_damping = 0.0f;
		body.material.rolling_resistance = body.material.spinning_resistance = 0.05f;
		rbl_body_id ball = rbl_create_body(s.world, &body);
		int steps = 0;
		for (; steps < 900 && rbl_body_get_state(s.world, ball).is_awake; ++steps)
			scene_steps(&s, 1);
		CHECK(t, steps < 900);
		// The speed falls by 5/7 c g, the spin by 5/2 c g / r; then it takes half a second to sleep.
		double c = 0.05, way = 0.7 * 4.0 / (c * 9.81), time = 20.0 * 0.25 / (2.5 * c * 9.81);
		if (spins)
			CHECK_NEAR(t, steps / 60.0, time + 0.5, 0.1);
		else
			CHECK_NEAR(t, rbl_body_pose(s.world, ball).position.x, way, 0.02 * way);
		scene_destroy(&s);
	}
}

// A ball whose resistance is taken away rolls on at the speed that it has: nothing of it is left.
static void resistance_can_be_taken_away(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_def body = scene_body(s.ball, 0.0f, 0.25f, 0.0f);
	body.velocity.x = 2.0f, body.angular_velocity.z = -8.0f;
	body.angular_damping = 0.0f;
	body.material.rolling_resistance = 0.1f;
	rbl_body_id ball = rbl_create_body(s.world, &body);
	scene_steps(&s, 30);
	double speed = (double)rbl_body_velocity(s.world, ball).x;
	CHECK_NEAR(t, speed, 2.0 - 5.0 / 7.0 * 0.1 * 9.81 * 0.5, 0.05);
	body.material.rolling_resistance = 0.0f;
	CHECK(t, rbl_body_set_material(s.world, ball, body.material) == RBL_OK);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_velocity(s.world, ball).x, speed, 0.02);
	scene_destroy(&s);
}

// Resistance can be set later, and is refused when it is nonsense.
static void resistance_can_be_set(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_def body = scene_body(s.ball, 0.0f, 0.25f, 0.0f);
	body.velocity.x = 1.0f, body.angular_velocity.z = -4.0f;
	rbl_body_id ball = rbl_create_body(s.world, &body);
	scene_steps(&s, 30);
	CHECK_NEAR(t, rbl_body_velocity(s.world, ball).x, 1.0, 0.02);
	body.material.rolling_resistance = -1.0f;
	CHECK(t, rbl_body_set_material(s.world, ball, body.material) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &body)));
	body.material.rolling_resistance = 0.2f;
	CHECK(t, rbl_body_set_material(s.world, ball, body.material) == RBL_OK);
	scene_steps(&s, 120);
	CHECK(t, !rbl_body_get_state(s.world, ball).is_awake);
	scene_destroy(&s);
}

// Balls, capsules and boxes in a pit come to rest and sleep.
static void balls_in_a_pit_fall_asleep(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *side = scene_box(1.0f, 5.0f, 3.0f);
	for (int i = 0; i < 4; ++i) {
		rbl_body_def wall = scene_body(side, 0.0f, 0.0f, 0.0f);
		wall.kind = RBL_BODY_STATIC;
		if (i >= 2) // a quarter turn
			wall.pose.rotation = (rbl_quat){ 0.0f, 0.70710678f, 0.0f, 0.70710678f };
		wall.pose.position = (rbl_vec3){ i < 2 ? (float)(2 * i - 1) * 2.0f : 0.0f, 5.0f,
			                             i < 2 ? 0.0f : (float)(2 * i - 5) * 2.0f };
		rbl_create_body(s.world, &wall);
	}
	for (int i = 0; i < 60; ++i) {
		const rbl_collider *shapes[3] = { s.ball, s.capsule, s.box };
		rbl_body_def body =
			scene_body(shapes[i % 3], 0.6f * (float)(i % 3) - 0.6f, 0.4f + 0.7f * (float)(i / 9),
		               0.6f * (float)(i / 3 % 3) - 0.6f);
		body.material.rolling_resistance = body.material.spinning_resistance = 0.01f;
		rbl_create_body(s.world, &body);
	}
	int steps = 0;
	for (; steps < 1200 && rbl_world_get_stats(s.world).awake_count > 0; ++steps)
		scene_steps(&s, 1);
	printf("asleep after %d steps, awake %d\n", steps, rbl_world_get_stats(s.world).awake_count);
	CHECK(t, steps < 900);
	scene_destroy(&s);
	rbl_destroy_collider(side);
}

TEST_MAIN(TEST(a_ball_rolls_down_the_gentlest_slope), TEST(a_slow_ball_rolls_on_at_its_speed),
          TEST(a_ball_at_rest_falls_asleep), TEST(a_sliding_ball_ends_rolling),
          TEST(resistance_stops_balls), TEST(resistance_can_be_set),
          TEST(resistance_can_be_taken_away), TEST(balls_in_a_pit_fall_asleep))
