// SPDX-License-Identifier: MIT
// Laws of motion that hold whatever the scene: momentum, energy, friction, restitution.

#include "solver/yard.h"

#include "base/math.h"
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

// A box on a slope stays below the angle of friction, and slides by Coulomb's law above it.
static void boxes_slide_by_the_law_of_coulomb(test *t)
{
	for (int degrees = 10; degrees <= 50; degrees += 10) {
		yard y;
		yard_begin(&y, NULL);
		y.friction = 0.5f; // 26.6 degrees
		float angle = (float)degrees * RBL_PI_F / 180.0f;
		rbl_quat tilt = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, -angle);
		int slope = yard_add_ground(&y);
		rbl_vec3 down = { rbl_cosf(angle), -rbl_sinf(angle), 0.0f };
		rbl_vec3 up = { rbl_sinf(angle), rbl_cosf(angle), 0.0f };
		rbl_solver_set_pose(y.solver, y.things[slope].body, rbl_scale(-1.0f, up), tilt);
		int box = yard_add_box(&y, (rbl_vec3){ 0.3f, 0.1f, 0.3f }, 10.0f, zero);
		rbl_solver_set_pose(y.solver, y.things[box].body, rbl_scale(0.1f, up), tilt);
		yard_run(&y, 60);
		float expected = rbl_maxf(9.81f * (rbl_sinf(angle) - 0.5f * rbl_cosf(angle)), 0.0f);
		CHECK_NEAR(t, rbl_dot(yard_velocity(&y, box).linear, down), expected,
		           0.02f + 0.01f * expected);
		CHECK_NEAR(t, rbl_dot(yard_velocity(&y, box).linear, up), 0.0f, 0.01f);
		CHECK_NEAR(t, rbl_length(yard_velocity(&y, box).angular), 0.0f, 0.02f);
		yard_end(&y);
	}
}

static void a_spinning_box_is_braked_by_friction(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	yard_add_ground(&y);
	int box =
		yard_add_box(&y, (rbl_vec3){ 0.3f, 0.1f, 0.3f }, 10.0f, (rbl_vec3){ 0.0f, 0.1f, 0.0f });
	rbl_solver_set_velocity(y.solver, y.things[box].body, zero, (rbl_vec3){ 0.0f, 8.0f, 0.0f });
	yard_run(&y, 5);
	CHECK(t, yard_velocity(&y, box).angular.y < 7.0f && yard_velocity(&y, box).angular.y > 0.5f);
	yard_run(&y, 60);
	CHECK_NEAR(t, yard_velocity(&y, box).angular.y, 0.0f, 1e-3f);
	yard_end(&y);
}

static void balls_bounce_to_the_height_of_their_restitution(test *t)
{
	for (int i = 0; i <= 4; ++i) {
		yard y;
		yard_begin(&y, NULL);
		y.restitution = 0.25f * (float)i;
		yard_add_ground(&y);
		int ball = yard_add_ball(&y, 0.25f, 10.0f, (rbl_vec3){ 0.0f, 2.25f, 0.0f });
		float top = 0.0f;
		bool has_hit = false;
		for (int k = 0; k < 120; ++k) {
			float before = yard_velocity(&y, ball).linear.y;
			yard_step(&y);
			has_hit |= before < -1.0f && yard_velocity(&y, ball).linear.y > -1e-3f;
			top = has_hit ? rbl_maxf(top, yard_centre(&y, ball).y - 0.25f) : 0.0f;
		}
		float e = y.restitution;
		CHECK_NEAR(t, top, 2.0f * e * e, 0.12f);
		yard_end(&y);
	}
}

// Whatever is thrown together without restitution: the energy falls.
static void without_restitution_energy_never_grows(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	yard_add_pile(&y, 60, 1.2f);
	double energy = yard_energy(&y), start = energy;
	for (int k = 0; k < 200; ++k) {
		yard_step(&y);
		double now = yard_energy(&y);
		// Pushing overlap out lifts things a little; a thousandth of the start is more than that.
		CHECK(t, now <= energy + 1e-3 * start);
		energy = rbl_mind(energy, now);
	}
	CHECK(t, energy < 0.5 * start);
	yard_end(&y);
}

static void pairs_keep_their_momentum(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	y.gravity = zero;
	int a =
		yard_add_box(&y, (rbl_vec3){ 0.3f, 0.2f, 0.1f }, 5.0f, (rbl_vec3){ -1.0f, 0.05f, 0.0f });
	int b = yard_add_box(&y, (rbl_vec3){ 0.2f, 0.3f, 0.4f }, 50.0f, (rbl_vec3){ 1.0f, 0.0f, 0.1f });
	rbl_solver_set_velocity(y.solver, y.things[a].body, (rbl_vec3){ 3.0f, 0.0f, 0.0f },
	                        (rbl_vec3){ 1.0f, 2.0f, 0.0f });
	rbl_solver_set_velocity(y.solver, y.things[b].body, (rbl_vec3){ -1.0f, 0.0f, 0.0f }, zero);
	double energy = yard_energy(&y);
	yard_run(&y, 90);
	rbl_vec3 va = yard_velocity(&y, a).linear, vb = yard_velocity(&y, b).linear;
	rbl_vec3 sum = rbl_add(rbl_scale(5.0f, va), rbl_scale(50.0f, vb));
	CHECK_NEAR(t, rbl_distance(sum, (rbl_vec3){ -35.0f, 0.0f, 0.0f }), 0.0f, 0.01f);
	CHECK(t, yard_energy(&y) < energy && va.x < 0.5f); // they have met
	yard_end(&y);
}

// A hundred times heavier, on four light posts.
static void heavy_rests_on_light(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	yard_add_ground(&y);
	for (int i = 0; i < 4; ++i)
		yard_add_box(&y, (rbl_vec3){ 0.1f, 0.2f, 0.1f }, 2.0f,
		             (rbl_vec3){ i & 1 ? 0.4f : -0.4f, 0.2f, i & 2 ? 0.4f : -0.4f });
	int slab =
		yard_add_box(&y, (rbl_vec3){ 0.6f, 0.1f, 0.6f }, 200.0f, (rbl_vec3){ 0.0f, 0.5f, 0.0f });
	yard_run(&y, 240);
	CHECK_NEAR(t, yard_centre(&y, slab).y, 0.5f, 0.012f);
	CHECK(t, yard_mean_speed(&y) < 0.005);
	yard_end(&y);
}

// Overlap at birth stays, and gives no speed; without rest depth it is pushed out, no faster than
// allowed.
static void rest_depth_keeps_newborn_pairs_calm(test *t)
{
	for (int i = 0; i < 2; ++i) {
		rbl_solver_def def = rbl_default_solver_def();
		def.can_sleep = false;
		def.push_speed = 0.5f;
		yard y;
		yard_begin(&y, &def);
		y.gravity = zero;
		int a = yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 5.0f, zero);
		int b =
			yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 5.0f, (rbl_vec3){ 0.38f, 0.0f, 0.0f });
		yard_collide(&y);
		if (i == 0)
			rbl_solver_set_rest_depth(y.solver, y.pairs[0].contact, 0.02f);
		yard_collide(&y);
		rbl_solver_step(y.solver, y.dt, y.substep_count, y.gravity);
		yard_run(&y, 60);
		float apart = yard_centre(&y, b).x - yard_centre(&y, a).x;
		float speed = rbl_length(yard_velocity(&y, b).linear);
		CHECK(t, speed < 0.26f);
		if (i == 0)
			CHECK_NEAR(t, apart, 0.38f, 1e-4f);
		else
			CHECK(t, apart > 0.397f);
		yard_end(&y);
	}
}

// Hits say how fast and how hard.
static void hits_tell_speed_impulse_and_energy(test *t)
{
	yard y;
	yard_begin(&y, NULL);
	yard_add_ground(&y);
	yard_add_ball(&y, 0.25f, 10.0f, (rbl_vec3){ 0.0f, 2.25f, 0.0f });
	int hit_count = 0;
	for (int k = 0; k < 120; ++k) {
		yard_step(&y);
		rbl_solver_list hits = rbl_solver_hits(y.solver);
		for (int i = 0; i < hits.count; ++i) {
			rbl_solver_contact_report hit = rbl_solver_report_contact(y.solver, hits.indices[i]);
			hit_count++;
			CHECK_NEAR(t, hit.approach_speed, 6.26f, 0.25f);
			CHECK(t, hit.peak_impulse > 55.0f && hit.peak_impulse < 95.0f); // and pushing out
			CHECK_NEAR(t, hit.energy, 196.0f, 14.0f);
			CHECK_NEAR(t, hit.point.y, 0.0f, 0.05f);
			CHECK(t, hit.point_count == 1 && fabsf(hit.normal.y) > 0.99f && hit.separation < 0.05f);
		}
	}
	CHECK(t, hit_count == 1);
	yard_end(&y);
}

static void forces_impulses_and_limits_act(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	def.speed_limit = 20.0f;
	yard y;
	yard_begin(&y, &def);
	y.gravity = zero;
	int box = yard_add_box(&y, (rbl_vec3){ 0.5f, 0.5f, 0.5f }, 2.0f, zero);
	int32_t body = y.things[box].body;
	for (int i = 0; i < 60; ++i) {
		rbl_solver_add_force(y.solver, body, (rbl_vec3){ 4.0f, 0.0f, 0.0f },
		                     (rbl_vec3){ 0.0f, 0.0f, 0.25f });
		yard_step(&y);
	}
	CHECK_NEAR(t, yard_velocity(&y, box).linear.x, 2.0f, 1e-3f);
	CHECK_NEAR(t, yard_velocity(&y, box).angular.z, 0.25f / (2.0f / 6.0f), 1e-3f);
	yard_step(&y);
	CHECK_NEAR(t, yard_velocity(&y, box).linear.x, 2.0f, 1e-3f); // forces last one step
	rbl_solver_add_impulse(y.solver, body, (rbl_vec3){ 0.0f, 8.0f, 0.0f },
	                       (rbl_vec3){ 0.0f, 0.0f, -0.25f });
	CHECK_NEAR(t, yard_velocity(&y, box).linear.y, 4.0f, 1e-4f);
	CHECK_NEAR(t, yard_velocity(&y, box).angular.z, 0.0f, 1e-3f);
	rbl_solver_set_velocity(y.solver, body, (rbl_vec3){ 300.0f, 0.0f, 0.0f },
	                        (rbl_vec3){ 0.0f, 1e4f, 0.0f });
	yard_step(&y);
	CHECK_NEAR(t, rbl_length(yard_velocity(&y, box).linear), 20.0f, 1e-3f);
	CHECK(t, rbl_length(yard_velocity(&y, box).angular) < 400.0f);
	rbl_solver_body values = rbl_solver_body_values(y.solver, body);
	values.linear_damping = values.angular_damping = 2.0f;
	rbl_solver_set_body(y.solver, body, &values);
	rbl_solver_set_velocity(y.solver, body, (rbl_vec3){ 10.0f, 0.0f, 0.0f }, zero);
	yard_run(&y, 60);
	CHECK_NEAR(t, yard_velocity(&y, box).linear.x, 10.0f * (float)rbl_exp(-2.0), 0.02f);
	yard_end(&y);
}

TEST_MAIN(TEST(free_flight_keeps_momentum_and_feeds_no_energy),
          TEST(a_falling_body_follows_its_parabola), TEST(a_box_comes_to_rest_on_the_ground),
          TEST(boxes_slide_by_the_law_of_coulomb), TEST(a_spinning_box_is_braked_by_friction),
          TEST(balls_bounce_to_the_height_of_their_restitution),
          TEST(without_restitution_energy_never_grows), TEST(pairs_keep_their_momentum),
          TEST(heavy_rests_on_light), TEST(rest_depth_keeps_newborn_pairs_calm),
          TEST(hits_tell_speed_impulse_and_energy), TEST(forces_impulses_and_limits_act))
