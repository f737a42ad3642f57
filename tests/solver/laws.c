// SPDX-License-Identifier: MIT
// Laws of motion that hold whatever the scene: momentum, energy, friction, restitution.

#include "solver/yard.h"

#include "base/real.h"
#include "test.h"

static const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };

static rbl_vec3d angular_momentum(const yard *y, int thing)
{
	rbl_quat q = yard_pose(y, thing).rotation;
	rbl_vec3 w = rbl_rotate_inverse(q, yard_velocity(y, thing).angular);
	return rbl_to_d(rbl_rotate(q, rbl_mat_vec(y->things[thing].inertia, w)));
}

// Ten seconds of tumbling: momentum stays, and the energy does not grow.
static void free_flight_keeps_momentum_and_feeds_no_energy(test *t)
{
	const rbl_vec3 spins[4] = {
		{ 6.0f, 0.02f, 0.01f }, { 0.02f, 6.0f, 0.01f }, { 0.01f, 0.02f, 6.0f }, { 9.0f, 7.0f, 8.0f }
	};
	for (int i = 0; i < 4; ++i) {
		yard y;
		yard_begin(&y, NULL);
		y.gravity = zero;
		int box = yard_add_box(&y, (rbl_vec3){ 0.1f, 0.2f, 0.4f }, 8.0f, zero);
		rbl_solver_set_velocity(y.solver, y.things[box].body, (rbl_vec3){ 1.0f, 2.0f, 3.0f },
		                        spins[i]);
		rbl_vec3d before = angular_momentum(&y, box);
		double energy = yard_energy(&y), most = energy;
		for (int k = 0; k < 600; ++k) {
			yard_step(&y);
			most = rbl_maxd(most, yard_energy(&y));
		}
		rbl_vec3d after = angular_momentum(&y, box);
		rbl_vec3 v = yard_velocity(&y, box).linear;
		CHECK_NEAR(t, rbl_distance_d(before, after) / rbl_length_d(before), 0.0, 0.02);
		CHECK_NEAR(t, rbl_distance(v, (rbl_vec3){ 1.0f, 2.0f, 3.0f }), 0.0f, 1e-5f);
		CHECK(t, most <= energy * 1.0001);
		CHECK(t, yard_energy(&y) > 0.95 * energy);
		yard_end(&y);
	}
}

static void a_falling_body_follows_its_parabola(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	int box =
		yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 3.0f, (rbl_vec3){ 0.0f, 50.0f, 0.0f });
	rbl_solver_set_velocity(y.solver, y.things[box].body, (rbl_vec3){ 2.0f, 5.0f, 0.0f }, zero);
	yard_run(&y, 120);
	CHECK_NEAR(t, yard_centre(&y, box).x, 4.0f, 1e-3f);
	// Semi-implicit Euler is late by half a sub-step.
	CHECK_NEAR(t, yard_centre(&y, box).y, 50.0f + 10.0f - 0.5f * 9.81f * 4.0f, 0.05f);
	CHECK_NEAR(t, yard_velocity(&y, box).linear.y, 5.0f - 9.81f * 2.0f, 1e-3f);
	yard_end(&y);
}

static void a_box_comes_to_rest_on_the_ground(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	yard_add_ground(&y);
	int box =
		yard_add_box(&y, (rbl_vec3){ 0.3f, 0.2f, 0.25f }, 60.0f, (rbl_vec3){ 0.0f, 1.5f, 0.0f });
	yard_run(&y, 180);
	CHECK_NEAR(t, yard_centre(&y, box).y, 0.2f, 1e-3f);
	CHECK(t, rbl_length(yard_velocity(&y, box).linear) < 1e-4f);
	yard_end(&y);
}

TEST_MAIN(TEST(free_flight_keeps_momentum_and_feeds_no_energy),
          TEST(a_falling_body_follows_its_parabola), TEST(a_box_comes_to_rest_on_the_ground))
