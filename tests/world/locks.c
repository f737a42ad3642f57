// SPDX-License-Identifier: MIT
// Axis locks: what is locked does not move at all, and all else moves as the laws say.

#include "../test.h"
#include "scene.h"

static const float dt = 1.0f / 60.0f;

static void run_steps(test *t, rbl_world *world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(t, rbl_world_step(world, dt) == RBL_OK);
}

// Thrown and hit from everywhere, not a bit of it changes along and about locked axes.
static void what_is_locked_does_not_move(test *t)
{
	for (uint32_t locks = 1; locks < 64; locks += 5) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_body_def body = scene_body(s.hulls[0], 0.1f, 1.3f, -0.2f);
		body.locks = locks;
		body.velocity = (rbl_vec3){ 0.5f, 0.3f, -0.4f };
		body.angular_velocity = (rbl_vec3){ 1.0f, -2.0f, 3.0f };
		rbl_body_id locked = rbl_create_body(s.world, &body);
		CHECK(t, rbl_body_locks(s.world, locked) == locks);
		for (int i = 0; i < 8; ++i) {
			body = scene_body(s.box, 2.0f * (i & 1 ? 1.0f : -1.0f), 1.0f + 0.1f * (float)i,
			                  i & 2 ? 0.3f : -0.3f);
			body.velocity.x = i & 1 ? -6.0f : 6.0f;
			rbl_create_body(s.world, &body);
		}
		rbl_vec3 from = rbl_body_get_state(s.world, locked).centre;
		for (int i = 0; i < 90; ++i) {
			run_steps(t, s.world, 1);
			if (i == 30)
				rbl_body_add_impulse(s.world, locked, (rbl_vec3){ 50.0f, 80.0f, -60.0f },
				                     (rbl_vec3){ 0.2f, 1.0f, 0.1f });
			if (i > 40 && i < 50)
				rbl_body_add_force(s.world, locked, (rbl_vec3){ 500.0f, 800.0f, -600.0f },
				                   (rbl_vec3){ 0.2f, 1.0f, 0.1f });
			rbl_body_state now = rbl_body_get_state(s.world, locked);
			const float moved[3] = { now.centre.x - from.x, now.centre.y - from.y,
				                     now.centre.z - from.z };
			const float w[3] = { now.angular_velocity.x, now.angular_velocity.y,
				                 now.angular_velocity.z };
			for (int k = 0; k < 3; ++k) {
				CHECK(t, !(locks >> k & 1) || moved[k] == 0.0f);
				CHECK(t, !(locks >> (3 + k) & 1) || w[k] == 0.0f);
			}
		}
		scene_destroy(&s);
	}
}

// A ball hits the end of a bar that can only rotate about y, or only move along x.
static void locked_bodies_have_the_inertia_that_is_left(test *t)
{
	for (int k = 0; k < 2; ++k) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		rbl_collider *bar = scene_box(0.1f, 0.1f, 1.0f);
		rbl_body_def body = scene_body(bar, 0.0f, 0.0f, 0.0f);
		body.locks = k == 0 ? RBL_LOCK_TRANSLATION | RBL_LOCK_ROTATION_X | RBL_LOCK_ROTATION_Z
		                    : RBL_LOCK_ROTATION | RBL_LOCK_TRANSLATION_Y | RBL_LOCK_TRANSLATION_Z;
		body.linear_damping = body.angular_damping = 0.0f;
		// Turned about its own axis and out of the world's: the tensor is full.
		rbl_body_id id = rbl_create_body(s.world, &body);
		rbl_body_def ball_def = scene_body(s.ball, -1.0f, 0.0f, 0.8f);
		ball_def.velocity.x = 10.0f;
		ball_def.angular_damping = 0.0f;
		ball_def.material.friction = 0.0f;
		ball_def.material.restitution = 1.0f;
		rbl_body_id ball = rbl_create_body(s.world, &ball_def);
		double m = (double)rbl_body_get_mass(s.world, ball).mass;
		rbl_body_mass of = rbl_body_get_mass(s.world, id);
		// One free coordinate each: the mass at the point of the hit.
		double big = k == 0 ? (double)of.inertia.y.y / (0.8 * 0.8) : (double)of.mass;
		double v_ball = 10.0 * (m - big) / (m + big), v_bar = 10.0 * 2.0 * m / (m + big);
		run_steps(t, s.world, 8);
		rbl_body_state state = rbl_body_get_state(s.world, id);
		double v = k == 0 ? (double)state.angular_velocity.y * 0.8 : (double)state.velocity.x;
		CHECK_NEAR(t, rbl_body_velocity(s.world, ball).x, v_ball, 0.01 * fabs(v_ball) + 0.02);
		CHECK_NEAR(t, v, v_bar, 0.01 * v_bar);
		rbl_destroy_collider(bar);
		scene_destroy(&s);
	}
}

// In a plane a pendulum swings with the period of theory, and no joint leaves the plane.
static void joints_work_in_a_plane(test *t)
{
	for (int kind = 0; kind < 3; ++kind) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.can_sleep = false;
		scene_create(&s, &def);
		rbl_body_def anchor_def = scene_body(s.ball, 0.0f, 10.0f, 0.0f);
		anchor_def.kind = RBL_BODY_STATIC;
		rbl_body_id last = rbl_create_body(s.world, &anchor_def);
		int links = kind == 2 ? 6 : 1;
		float length = kind == 2 ? 0.5f : 1.0f;
		rbl_body_id first = { 0, 0 };
		for (int i = 0; i < links; ++i) {
			rbl_body_def body = scene_body(s.ball, length * (float)(i + 1) * 0.1f,
			                               10.0f - length * (float)(i + 1), 0.0f);
			body.locks = RBL_LOCK_PLANE_XY;
			body.angular_damping = 0.0f;
			rbl_body_id id = rbl_create_body(s.world, &body);
			rbl_joint_def joint =
				rbl_default_joint_def(kind == 0 ? RBL_JOINT_HINGE : RBL_JOINT_BALL);
			joint.body_a = last, joint.body_b = id;
			rbl_transform a = rbl_body_pose(s.world, last), b = body.pose;
			joint.frame_b.position = rbl_sub(a.position, b.position);
			CHECK(t, rbl_create_joint(s.world, &joint).generation != 0);
			last = id;
			first = i == 0 ? id : first;
		}
		int crossings = 0, begin = 0, end = 0;
		float before = rbl_body_pose(s.world, first).position.x;
		for (int i = 0; i < 600; ++i) {
			run_steps(t, s.world, 1);
			rbl_body_state state = rbl_body_get_state(s.world, last);
			CHECK(t, state.centre.z == 0.0f && state.angular_velocity.x == 0.0f &&
			             state.angular_velocity.y == 0.0f);
			float x = rbl_body_pose(s.world, first).position.x;
			if (before > 0.0f && x <= 0.0f) {
				begin = crossings == 0 ? i : begin;
				end = i;
				crossings++;
			}
			before = x;
		}
		if (kind < 2) { // r^2 + 2/5 of the ball's for a ball on a rod
			double l = sqrt(1.0 + 0.01), k2 = l * l + 0.4 * 0.0625;
			double period = 2.0 * 3.14159265 * sqrt(k2 / (9.81 * l));
			CHECK_NEAR(t, (double)(end - begin) * (double)dt / (double)(crossings - 1), period,
			           0.02 * period);
		} else { // the chain has not become longer
			float reach = rbl_distance(rbl_body_pose(s.world, last).position,
			                           (rbl_vec3){ 0.0f, 10.0f, 0.0f });
			CHECK(t, reach < 1.01f * 6.0f * 0.5f * 1.005f);
		}
		scene_destroy(&s);
	}
}

// Locks that are set and taken away later.
static void locks_can_change(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *plank = scene_box(0.05f, 1.0f, 0.05f);
	rbl_body_def body = scene_body(plank, 0.0f, 1.0f, 0.0f);
	body.pose.rotation = (rbl_quat){ 0.0f, 0.0f, 0.05f, 0.99874922f };
	body.pose.position.y = 1.05f;
	rbl_body_id id = rbl_create_body(s.world, &body);
	CHECK(t, rbl_body_set_locks(s.world, id, RBL_LOCK_ROTATION) == RBL_OK);
	float turned = rbl_body_pose(s.world, id).rotation.z;
	run_steps(t, s.world, 240); // it stands askew, and falls asleep so
	CHECK(t, fabsf(rbl_body_pose(s.world, id).rotation.z - turned) < 1e-6f);
	CHECK(t, !rbl_body_is_awake(s.world, id));
	CHECK(t, rbl_body_set_locks(s.world, id, 0) == RBL_OK);
	run_steps(t, s.world, 240);
	CHECK(t, rbl_body_pose(s.world, id).position.y < 0.2f);
	CHECK(t, rbl_body_set_locks(s.world, id, 64) == RBL_BAD_ARGUMENT);
	body.locks = 64;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &body)));
	rbl_destroy_collider(plank);
	scene_destroy(&s);
}

// A pile in which every third is locked somehow, with any number of workers and after loading.
static void same_bits_for_any_worker_count(test *t)
{
	uint64_t first = 0;
	for (int workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
		scene s;
		rbl_world_def def = scene_def(&s, workers);
		scene_create(&s, &def);
		scene_add_floor(&s);
		for (int i = 0; i < 60; ++i) {
			rbl_body_def body =
				scene_body(s.hulls[i % SCENE_SHAPES], 0.6f * (float)(i % 4),
			               0.6f + 0.6f * (float)(i / 12), 0.6f * (float)(i / 4 % 3));
			body.locks = i % 3 == 0 ? (uint32_t)i : 0;
			rbl_create_body(s.world, &body);
		}
		run_steps(t, s.world, 60);
		size_t size = 0;
		CHECK(t, rbl_world_save(s.world, NULL, &size) == RBL_OK);
		unsigned char *bytes = malloc(size);
		CHECK(t, rbl_world_save(s.world, bytes, &size) == RBL_OK);
		rbl_sources sources = rbl_default_sources();
		rbl_world *loaded = NULL;
		CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
		run_steps(t, s.world, 60);
		run_steps(t, loaded, 60);
		uint64_t hash = rbl_world_hash(s.world);
		first = workers == 1 ? hash : first;
		CHECK(t, hash == first && rbl_world_hash(loaded) == hash);
		free(bytes);
		rbl_destroy_world(loaded);
		scene_destroy(&s);
	}
}

TEST_MAIN(TEST(what_is_locked_does_not_move), TEST(locked_bodies_have_the_inertia_that_is_left),
          TEST(joints_work_in_a_plane), TEST(locks_can_change),
          TEST(same_bits_for_any_worker_count))
