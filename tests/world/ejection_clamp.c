// SPDX-License-Identifier: MIT
// What is squeezed between heavy bodies is not shot away.

#include "../test.h"
#include "scene.h"

#include "world/world.h"

// A splinter in the mouth of two slabs that nearly close on each other, as deep in both as it is thick.
static float squeeze(test *t, float angle, float depth)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	for (int side = -1; side <= 1; side += 2) {
		rbl_body_def slab = scene_body(s.box, 0.0f, 0.0f, 0.0f);
		slab.kind = RBL_BODY_STATIC;
		slab.pose.position = (rbl_vec3){ (float)side * (0.3f - depth), 0.0f, 0.0f };
		slab.pose.rotation = (rbl_quat){ 0.0f, 0.0f, 0.5f * angle * (float)side, 1.0f };
		slab.pose.rotation = rbl_quat_normalize(slab.pose.rotation);
		rbl_create_body(s.world, &slab);
	}
	rbl_collider *small = scene_box(0.05f, 0.05f, 0.05f);
	rbl_body_def chip = scene_body(small, 0.0f, 0.05f, 0.0f);
	rbl_body_id body = rbl_create_body(s.world, &chip);
	float fastest = 0.0f;
	for (int i = 0; i < 60; ++i) {
		CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		fastest = rbl_maxf(fastest, rbl_length(rbl_body_velocity(s.world, body)));
	}
	scene_destroy(&s);
	rbl_destroy_collider(small);
	return fastest;
}

static void a_chip_between_slabs_is_not_shot_away(test *t)
{
	for (int i = 0; i < 20; ++i) {
		float angle = 0.002f * (float)(1 << i % 6), depth = 0.002f * (float)(1 + 4 * (i / 6));
		float fastest = squeeze(t, angle, depth);
		CHECK(t, fastest < 1.0f);
	}
}

// Within the step it has moved as far as its speed took it: that is undone, too.
static void what_was_shot_away_is_put_back(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id id = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	scene_steps(&s, 5);
	int body = (int)id.index;
	rbl_body_motion *m = &s.world->motions[body];
	rbl_transform old = rbl_world_motion_pose(m);
	float speeds[8] = { 0.0f }, spins[8] = { 0.0f };
	CHECK(t, s.world->body_ids.slot_count <= 8);
	m->velocity = (rbl_vec3){ 600.0f, 800.0f, 0.0f };
	m->centre = rbl_add_scaled(old.position, 1.0f / 60.0f, m->velocity);
	rbl_world_clamp_ejection(s.world, body, &old, 1.0f / 60.0f, speeds, spins);
	CHECK(t, rbl_length(m->velocity) < 4.0f);
	CHECK(t, rbl_distance(m->centre, old.position) < 4.0f / 60.0f);
	CHECK(t,
	      rbl_distance(rbl_solver_poses(s.world->solver)[s.world->bodies[body].solver_body].centre,
	                   m->centre) == 0.0f);
	scene_destroy(&s);
}

// Forces may do what they like, with contacts or without.
static void forces_are_not_held_back(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id body = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	scene_add(&s, s.box, -0.5f, 0.25f, 0.0f);
	scene_steps(&s, 30);
	float mass = rbl_body_get_mass(s.world, body).mass;
	rbl_vec3 centre = rbl_body_get_state(s.world, body).centre;
	CHECK(t, rbl_body_add_force(s.world, body, (rbl_vec3){ 3000.0f * mass, 0.0f, 0.0f }, centre) ==
	             RBL_OK);
	scene_steps(&s, 1);
	CHECK(t, rbl_body_velocity(s.world, body).x > 40.0f);
	CHECK(t, rbl_world_get_stats(s.world).ejection_clamp_count == 0);
	scene_destroy(&s);
}

TEST_MAIN(TEST(a_chip_between_slabs_is_not_shot_away), TEST(what_was_shot_away_is_put_back),
          TEST(forces_are_not_held_back))
