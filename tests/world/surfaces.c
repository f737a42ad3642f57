// SPDX-License-Identifier: MIT
// Surfaces that run: what lies on a conveyor belt reaches its speed.

#include "../test.h"
#include "scene.h"

static const float dt = 1.0f / 60.0f;

static rbl_body_id add_belt(scene *s, rbl_body_kind kind, rbl_vec3 velocity)
{
	rbl_body_def def = scene_body(s->floor, 0.0f, -0.5f, 0.0f);
	def.kind = kind;
	def.material.surface_velocity = velocity;
	return rbl_create_body(s->world, &def);
}

// With friction mu it gains mu g per second, then it goes with the belt; however slow that is.
static void a_box_on_a_conveyor_reaches_its_speed(test *t)
{
	const float speeds[] = { 0.003f, 0.1f, 1.0f, 6.0f };
	for (int kind = RBL_BODY_STATIC; kind <= RBL_BODY_KINEMATIC; ++kind)
		for (int k = 0; k < 4; ++k) {
			scene s;
			rbl_world_def def = scene_def(&s, 1);
			scene_create(&s, &def);
			add_belt(&s, (rbl_body_kind)kind, (rbl_vec3){ 0.0f, 0.0f, speeds[k] });
			rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.25f, -10.0f);
			const float mu_g = 0.6f * 9.81f;
			for (int i = 1; i <= 180; ++i) {
				CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
				float expected = fminf(speeds[k], mu_g * dt * (float)i);
				CHECK_NEAR(t, rbl_body_velocity(s.world, box).z, expected,
				           0.02f * speeds[k] + 0.05f * expected + 2e-4f);
			}
			CHECK_NEAR(t, rbl_body_velocity(s.world, box).x, 0.0f, 1e-3f);
			float v = speeds[k], length = v * 3.0f - 0.5f * v * v / mu_g;
			CHECK_NEAR(t, rbl_body_pose(s.world, box).position.z + 10.0f, length,
			           0.02f * length + 1e-3f);
			scene_destroy(&s);
		}
}

// A ball on a belt rolls: its contact point goes with the belt. Started at rest, with friction at
// the bottom only, 2/7 of the belt's speed is its share.
static void a_ball_on_a_conveyor_rolls(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	add_belt(&s, RBL_BODY_STATIC, (rbl_vec3){ 2.0f, 0.0f, 0.0f });
	rbl_body_def body = scene_body(s.ball, 0.0f, 0.25f, 0.0f);
	body.angular_damping = 0.0f;
	rbl_body_id ball = rbl_create_body(s.world, &body);
	for (int i = 0; i < 120; ++i)
		CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
	rbl_body_state state = rbl_body_get_state(s.world, ball);
	CHECK_NEAR(t, state.velocity.x, 2.0f * 2.0f / 7.0f, 0.01f);
	CHECK_NEAR(t, state.velocity.x + 0.25f * state.angular_velocity.z, 2.0f, 0.01f);
	scene_destroy(&s);
}

// A belt that is turned carries along its own axis; one that stops lets go; a sleeper wakes.
static void a_belt_can_be_turned_started_and_stopped(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id belt = add_belt(&s, RBL_BODY_STATIC, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	for (int i = 0; i < 240; ++i)
		CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
	CHECK(t, !rbl_body_is_awake(s.world, box));
	rbl_transform pose = rbl_body_pose(s.world, belt);
	pose.rotation = (rbl_quat){ 0.0f, 0.70710678f, 0.0f, 0.70710678f }; // x to -z
	CHECK(t, rbl_body_set_pose(s.world, belt, pose) == RBL_OK);
	rbl_material_values values = rbl_body_get_material(s.world, belt);
	values.surface_velocity.x = 1.0f;
	CHECK(t, rbl_body_set_material(s.world, belt, values) == RBL_OK);
	for (int i = 0; i < 60; ++i)
		CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
	CHECK_NEAR(t, rbl_body_velocity(s.world, box).z, -1.0f, 0.01f);
	values.surface_velocity.x = 0.0f;
	CHECK(t, rbl_body_set_material(s.world, belt, values) == RBL_OK);
	for (int i = 0; i < 120; ++i)
		CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
	CHECK(t, !rbl_body_is_awake(s.world, box));
	scene_destroy(&s);
}

// A pile on a belt that runs, with any number of workers.
static void same_bits_for_any_worker_count(test *t)
{
	uint64_t first = 0;
	for (int workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
		scene s;
		rbl_world_def def = scene_def(&s, workers);
		scene_create(&s, &def);
		add_belt(&s, RBL_BODY_STATIC, (rbl_vec3){ 1.0f, 0.0f, 0.3f });
		for (int i = 0; i < 60; ++i) {
			rbl_body_def body =
				scene_body(s.hulls[i % SCENE_SHAPES], 0.6f * (float)(i % 4),
			               0.6f + 0.6f * (float)(i / 12), 0.6f * (float)(i / 4 % 3));
			body.material.surface_velocity.y = i % 5 == 0 ? 0.5f : 0.0f;
			rbl_create_body(s.world, &body);
		}
		for (int i = 0; i < 120; ++i)
			CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
		uint64_t hash = rbl_world_hash(s.world);
		first = workers == 1 ? hash : first;
		CHECK(t, hash == first);
		scene_destroy(&s);
	}
}

TEST_MAIN(TEST(a_box_on_a_conveyor_reaches_its_speed), TEST(a_ball_on_a_conveyor_rolls),
          TEST(a_belt_can_be_turned_started_and_stopped), TEST(same_bits_for_any_worker_count))
