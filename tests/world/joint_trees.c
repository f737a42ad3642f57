// SPDX-License-Identifier: MIT
// Trees of joints hold whatever hangs on them: chains do not stretch, beams do not sag, nothing gains
// energy, and it is the same for any number of workers.
// ctest: threads soak

#include "../test.h"

#include "base/kernel.h"
#include "base/vec.h"
#include "scenes/jointed.h"

#include <math.h>
#include <stdlib.h>

static void run(jointed_world *w, int steps)
{
	for (int i = 0; i < steps; ++i)
		rbl_world_step(w->world, 1.0f / 60.0f);
}

static void a_chain_with_a_heavy_ball_does_not_stretch(test *t)
{
	const float ratios[3] = { 104.72f, 1047.2f, 10472.0f };
	for (int i = 0; i < 3; ++i) {
		jointed_world w;
		CHECK(t, jointed_chain(&w, 10, ratios[i], false));
		run(&w, 300);
		float stretch = rbl_length(jointed_end(&w)) / w.length - 1.0f;
		CHECK(t, stretch >= -1e-4f && stretch < 1e-3f);
		CHECK(t, jointed_worst_gap(&w) < 1e-3f);
		jointed_close(&w);
	}
}

static void a_beam_of_welded_boxes_does_not_sag(test *t)
{
	const float ends[2] = { 1.0f, 20.0f };
	for (int i = 0; i < 2; ++i) {
		jointed_world w;
		CHECK(t, jointed_beam(&w, 10, ends[i]));
		run(&w, 300);
		CHECK(t, fabsf(jointed_end(&w).y) < 0.005f);
		jointed_close(&w);
	}
}

// Kinetic energy of translation and potential energy, in joules.
static double energy_of(const jointed_world *w)
{
	double sum = 0.0;
	for (int i = 1; i < w->body_count; ++i) {
		double mass = (double)rbl_body_get_mass(w->world, w->bodies[i]).mass;
		rbl_vec3 v = rbl_body_velocity(w->world, w->bodies[i]);
		sum += mass * (9.81 * (double)rbl_body_pose(w->world, w->bodies[i]).position.y +
		               0.5 * (double)rbl_length_squared(v));
	}
	return sum;
}

static void a_chain_that_swings_gains_no_energy_and_stays_together(test *t)
{
	const float ratios[4] = { 1.0f, 100.0f, 1000.0f, 10472.0f };
	for (int i = 0; i < 4; ++i) {
		jointed_world w;
		CHECK(t, jointed_chain(&w, 20, ratios[i], true));
		double start = energy_of(&w), most = start;
		float gap = 0.0f;
		for (int k = 0; k < 300; ++k) {
			run(&w, 1);
			most = fmax(most, energy_of(&w));
			gap = fmaxf(gap, jointed_worst_gap(&w));
		}
		double ball = (double)rbl_body_get_mass(w.world, w.bodies[w.body_count - 1]).mass;
		CHECK(t, most - start < 1e-3 * ball * 9.81 * (double)w.length);
		CHECK(t, gap < (i == 0 ? 0.015f : 0.005f));
		jointed_close(&w);
	}
}

// The ends of a bridge stand, or are kinematic: it is still a tree.
static void a_bridge_whose_end_moves_hangs_together(test *t)
{
	jointed_world w;
	CHECK(t, jointed_chain(&w, 20, 50.0f, true));
	run(&w, 40); // it has swung down, and is no straight line
	rbl_body_def def = rbl_default_body_def();
	def.kind = RBL_BODY_KINEMATIC;
	def.collider = w.colliders[0];
	def.filter.mask = 0;
	def.pose.position = jointed_end(&w);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	joint.body_a = w.bodies[w.body_count - 1];
	joint.body_b = rbl_create_body(w.world, &def);
	rbl_transform frame = rbl_transform_identity();
	frame.position = def.pose.position;
	rbl_joint_def_place(w.world, &joint, frame);
	w.joints[w.joint_count++] = rbl_create_joint(w.world, &joint);
	rbl_body_set_velocity(w.world, joint.body_b, (rbl_vec3){ -0.5f, 0.3f, 0.2f },
	                      (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	for (int i = 0; i < 240; ++i) {
		run(&w, 1);
		CHECK(t, jointed_worst_gap(&w) < 0.01f);
	}
	CHECK(t, jointed_worst_gap(&w) < 1e-3f);
	jointed_close(&w);
}

// Between two that stand, anchors that are 5 cm farther apart than the links are long: no motion can
// close that. The joints give way and pull with a bounded force, and what is between them rests.
static void a_tree_that_cannot_fit_rests(test *t)
{
	static const rbl_joint_kind kinds[] = { RBL_JOINT_WELD, RBL_JOINT_HINGE, RBL_JOINT_BALL };
	for (int n = 0; n < 12; ++n) {
		int links = 1 + n / 3;
		rbl_world_def world_def = rbl_default_world_def();
		rbl_collider_def box = rbl_default_collider_def(RBL_COLLIDER_BOX);
		box.half_size = (rbl_vec3){ 0.2f, 0.05f, 0.05f };
		rbl_world *world;
		rbl_collider *collider;
		rbl_body_id bodies[6];
		CHECK(t, rbl_create_world(&world_def, &world) == RBL_OK);
		CHECK(t, rbl_create_collider(&box, &collider) == RBL_OK);
		rbl_body_def def = rbl_default_body_def();
		def.collider = collider;
		def.can_sleep = false;
		for (int i = 0; i < links + 2; ++i) {
			bool stands = i == 0 || i == links + 1;
			def.kind = stands ? RBL_BODY_STATIC : RBL_BODY_DYNAMIC;
			def.pose.position.x = 0.5f * (float)i;
			bodies[i] = rbl_create_body(world, &def);
			rbl_joint_def joint = rbl_default_joint_def(kinds[n % 3]);
			joint.body_a = bodies[i > 0 ? i - 1 : 0], joint.body_b = bodies[i];
			joint.frame_a.position.x = 0.25f, joint.frame_b.position.x = -0.25f;
			if (i == links + 1)
				joint.frame_b.position = (rbl_vec3){ -0.2f, 0.015f, 0.0f };
			CHECK(t, i == 0 || rbl_joint_exists(world, rbl_create_joint(world, &joint)));
		}
		float mass = rbl_body_get_mass(world, bodies[1]).mass;
		for (int step = 0; step < 300; ++step) {
			CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
			for (int i = 1; i <= links; ++i) {
				rbl_body_state state = rbl_body_get_state(world, bodies[i]);
				CHECK(t, rbl_length(state.velocity) < (step < 60 ? 5.0f : 0.05f));
				CHECK(t, rbl_length(state.angular_velocity) < (step < 60 ? 20.0f : 0.2f));
			}
		}
		rbl_joint_id joints[2];
		CHECK(t, rbl_body_get_joints(world, bodies[1], joints, 2) == 2);
		CHECK(t, rbl_joint_get_state(world, joints[0]).force < 1e6f * mass);
		rbl_destroy_world(world);
		rbl_destroy_collider(collider);
	}
}

static void a_long_chain_is_solved_and_stays_whole(test *t)
{
	int count = getenv("RBL_SOAK") ? 10000 : 1000;
	jointed_world w;
	CHECK(t, jointed_chain(&w, count, 10.0f, false));
	run(&w, 20);
	CHECK(t, jointed_worst_gap(&w) < 0.01f);
	CHECK_NEAR(t, rbl_length(jointed_end(&w)) / w.length, 1.0, 1e-3);
	jointed_close(&w);
}

// A grid has loops: its joints are not in trees, except for a chain that hangs on it.
static void a_grid_with_a_chain_hangs(test *t)
{
	jointed_world w;
	CHECK(t, jointed_grid(&w, 10, 1));
	rbl_body_id last = w.bodies[95];
	for (int i = 0; i < 6; ++i) {
		rbl_body_def def = rbl_default_body_def();
		def.collider = w.colliders[0];
		def.filter.mask = 0;
		def.pose.position = (rbl_vec3){ 5.0f, -10.0f - (float)i, 0.0f };
		def.material.density = i == 5 ? 20000.0f : 1000.0f;
		rbl_body_id next = rbl_create_body(w.world, &def);
		rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
		joint.body_a = last, joint.body_b = next;
		rbl_transform frame = rbl_transform_identity();
		frame.position = (rbl_vec3){ 5.0f, -9.5f - (float)i, 0.0f };
		rbl_joint_def_place(w.world, &joint, frame);
		w.joints[w.joint_count++] = rbl_create_joint(w.world, &joint);
		last = next;
	}
	run(&w, 300);
	for (int i = w.joint_count - 5; i < w.joint_count; ++i) { // but the first, which holds it all
		rbl_joint_state state = rbl_joint_get_state(w.world, w.joints[i]);
		CHECK(t, rbl_distance(state.frame_a.position, state.frame_b.position) < 2e-3f);
	}
	CHECK(t, jointed_worst_gap(&w) < 0.05f);
	jointed_close(&w);
}

// A chain breaks where it is weakest, and both parts go on.
static void a_chain_that_breaks_falls(test *t)
{
	jointed_world w;
	CHECK(t, jointed_chain(&w, 10, 100.0f, false));
	float ball = rbl_body_get_mass(w.world, w.bodies[w.body_count - 1]).mass;
	run(&w, 30);
	CHECK_NEAR(t, rbl_joint_get_state(w.world, w.joints[5]).force / (9.81f * ball), 1.05, 0.01);
	CHECK(t, rbl_joint_set_break(w.world, w.joints[5], 9.81f * ball, INFINITY) == RBL_OK);
	run(&w, 60);
	CHECK(t, !rbl_joint_exists(w.world, w.joints[5]) && rbl_joint_exists(w.world, w.joints[4]) &&
	             rbl_joint_exists(w.world, w.joints[6]));
	CHECK(t, jointed_end(&w).y < -w.length - 3.0f);
	CHECK(t, jointed_worst_gap(&w) < 1e-3f);
	jointed_close(&w);
}

static uint64_t hash_of(int workers, int scene)
{
	jointed_world w;
	bool ok = scene == 0 ? jointed_grid(&w, 30, workers) : jointed_ragdolls(&w, 20, workers);
	run(&w, 30);
	uint64_t hash = ok ? rbl_world_hash(w.world) : 0;
	jointed_close(&w);
	return hash;
}

static void joints_have_the_same_bits_for_any_number_of_workers_and_lanes(test *t)
{
	rbl_backend best = rbl_current_backend();
	for (int scene = 0; scene < 2; ++scene) {
		uint64_t one = hash_of(1, scene);
		CHECK(t, one != 0 && hash_of(2, scene) == one && hash_of(4, scene) == one);
		for (int k = 0; k < RBL_BACKEND_COUNT; ++k)
			CHECK(t, !rbl_force_backend((rbl_backend)k) || hash_of(1, scene) == one);
		rbl_force_backend(best);
	}
	uint64_t hashes[RBL_BACKEND_COUNT];
	for (int k = 0; k < RBL_BACKEND_COUNT; ++k) {
		jointed_world w;
		bool is_there = rbl_force_backend((rbl_backend)k);
		CHECK(t, jointed_chain(&w, 20, 1000.0f, true));
		run(&w, 60);
		hashes[k] = rbl_world_hash(w.world);
		CHECK(t, !is_there || hashes[k] == hashes[0]);
		jointed_close(&w);
	}
	rbl_force_backend(best);
}

TEST_MAIN(TEST(a_chain_with_a_heavy_ball_does_not_stretch),
          TEST(a_beam_of_welded_boxes_does_not_sag),
          TEST(a_chain_that_swings_gains_no_energy_and_stays_together),
          TEST(a_bridge_whose_end_moves_hangs_together), TEST(a_tree_that_cannot_fit_rests),
          TEST(a_long_chain_is_solved_and_stays_whole), TEST(a_grid_with_a_chain_hangs),
          TEST(a_chain_that_breaks_falls),
          TEST(joints_have_the_same_bits_for_any_number_of_workers_and_lanes))
