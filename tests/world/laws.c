// SPDX-License-Identifier: MIT
// Laws of motion: momentum is kept, nothing gains energy, sleep is local.

#include "../test.h"
#include "scene.h"

typedef struct totals {
	double energy; // of motion and height
	rbl_vec3d momentum;
} totals;

static totals add_up(const rbl_world *world, double gravity)
{
	static rbl_body_id ids[1024];
	int count = rbl_world_get_bodies(world, ids, 1024);
	totals sum = { .energy = 0.0 };
	for (int i = 0; i < count; ++i) {
		rbl_body_state s = rbl_body_get_state(world, ids[i]);
		if (s.kind != RBL_BODY_DYNAMIC)
			continue;
		rbl_body_mass m = rbl_body_get_mass(world, ids[i]);
		rbl_vec3 w = rbl_rotate_inverse(s.pose.rotation, s.angular_velocity);
		double mass = (double)m.mass;
		sum.energy += 0.5 * mass * (double)rbl_length_squared(s.velocity) +
		              0.5 * (double)rbl_dot(w, rbl_mat_vec(m.inertia, w)) +
		              mass * gravity * (double)s.centre.y;
		sum.momentum = rbl_add_scaled_d(sum.momentum, mass, rbl_to_d(s.velocity));
	}
	return sum;
}

// Two clouds of bodies meet in space.
static void collisions_keep_momentum_and_gain_no_energy(test *t)
{
	for (int bounce = 0; bounce < 2; ++bounce) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		for (int i = 0; i < 54; ++i) {
			const rbl_collider *shapes[3] = { s.box, s.ball, s.hulls[i % SCENE_SHAPES] };
			int side = i / 27, k = i % 27;
			rbl_body_def b =
				scene_body(shapes[i % 3], (side ? 3.0f : -3.0f) + 0.7f * (float)(k % 3),
			               0.71f * (float)(k / 3 % 3), 0.69f * (float)(k / 9));
			b.velocity = (rbl_vec3){ side ? -4.0f : 5.0f, 0.1f * (float)(k % 5), 0.0f };
			b.angular_damping = 0.0f;
			b.material.restitution = bounce ? 0.5f : 0.0f;
			rbl_create_body(s.world, &b);
		}
		totals before = add_up(s.world, 0.0);
		double most = before.energy;
		for (int i = 0; i < 120; ++i) {
			scene_steps(&s, 1);
			totals now = add_up(s.world, 0.0);
			CHECK(t, now.energy <= 1.01 * most);
			most = now.energy < most ? now.energy : most;
		}
		totals after = add_up(s.world, 0.0);
		CHECK(t, rbl_distance_d(before.momentum, after.momentum) <
		             1e-3 * rbl_length_d(before.momentum));
		CHECK(t, after.energy < 0.9 * before.energy);
		scene_destroy(&s);
	}
}

// In a pile that falls and settles, motion and height only lose.
static void a_settling_pile_loses_energy(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	scene_add_pile(&s, 100, 12);
	double start = add_up(s.world, 9.81).energy, most = start;
	for (int i = 0; i < 240; ++i) {
		scene_steps(&s, 1);
		double now = add_up(s.world, 9.81).energy;
		CHECK(t, now <= most + 0.01 * start);
		most = now < most ? now : most;
	}
	scene_destroy(&s);
}

// A ball that drops into one corner of a sleeping field wakes its neighbourhood alone.
static void sleep_is_local(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	enum { SIDE = 16 };
	for (int i = 0; i < SIDE * SIDE; ++i) // boxes side by side, all one island
		scene_add(&s, s.box, 0.5f * (float)(i % SIDE), 0.25f, 0.5f * (float)(i / SIDE));
	scene_steps(&s, 120);
	CHECK(t, rbl_world_get_stats(s.world).awake_count == 0);
	rbl_body_def ball = scene_body(s.ball, 0.0f, 1.5f, 0.0f);
	ball.material.rolling_resistance = 0.05f; // or it rolls on, and keeps what it rolls over awake
	rbl_create_body(s.world, &ball);
	int most = 0;
	for (int i = 0; i < 60; ++i) {
		scene_steps(&s, 1);
		int awake = rbl_world_get_stats(s.world).awake_count;
		most = awake > most ? awake : most;
	}
	CHECK(t, most >= 2 && most < SIDE * SIDE / 2);
	scene_steps(&s, 240);
	CHECK(t, rbl_world_get_stats(s.world).awake_count == 0);
	scene_destroy(&s);
}

static void a_tower_stands(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.can_sleep = false;
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id top = { 0, 0 };
	for (int i = 0; i < 12; ++i)
		top = scene_add(&s, s.box, 0.0f, 0.25f + 0.5f * (float)i, 0.0f);
	scene_steps(&s, 300);
	rbl_vec3 p = rbl_body_pose(s.world, top).position;
	CHECK_NEAR(t, p.y, 5.75, 0.05);
	CHECK(t, fabsf(p.x) < 0.02f && fabsf(p.z) < 0.02f);
	CHECK(t, rbl_length(rbl_body_velocity(s.world, top)) < 0.01f);
	scene_destroy(&s);
}

// A slab of wood, or of stone, that touches 400 bodies: more than there are colours. Nothing shakes,
// nothing sinks in, and the slab lies still. @return the fastest body at the end
static float load_slab(test *t, float density)
{
	enum { BODIES = 400 };
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.can_sleep = false;
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *slab = scene_box(7.0f, 0.1f, 7.0f);
	rbl_body_def slab_def = scene_body(slab, 0.0f, 0.1f, 0.0f);
	slab_def.material.density = density;
	rbl_body_id bodies[BODIES + 1] = { rbl_create_body(s.world, &slab_def) };
	for (int i = 1; i <= BODIES; ++i)
		bodies[i] =
			scene_add(&s, s.box, 0.65f * (float)(i % 20 - 10), 0.46f, 0.65f * (float)(i / 20 - 10));
	scene_steps(&s, 120);
	float fastest = 0.0f;
	for (int i = 0; i <= BODIES; ++i) {
		rbl_body_state state = rbl_body_get_state(s.world, bodies[i]);
		fastest = rbl_maxf(fastest, rbl_length(state.velocity));
		CHECK_NEAR(t, state.centre.y, i > 0 ? 0.45 : 0.1, 0.003);
	}
	scene_destroy(&s);
	rbl_destroy_collider(slab);
	return fastest;
}

static void a_crowded_slab_lies_still(test *t)
{
	CHECK(t, load_slab(t, 2500.0f) < 0.002f);
	CHECK(t, load_slab(t, 400.0f) < 0.002f); // of wood: what it bears is three times as heavy
}

TEST_MAIN(TEST(a_crowded_slab_lies_still), TEST(collisions_keep_momentum_and_gain_no_energy),
          TEST(a_settling_pile_loses_energy), TEST(sleep_is_local), TEST(a_tower_stands))
