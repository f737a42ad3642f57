// SPDX-License-Identifier: MIT
// Laws of motion that hold whatever the scene: momentum, energy, friction, restitution.

#include "solver/test_world.h"

#include "base/math.h"
#include "test.h"

static const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };

static rbl_vec3d angular_momentum(const test_world *w, int object)
{
	rbl_quat q = test_world_pose(w, object).rotation;
	rbl_vec3 angular = rbl_rotate_inverse(q, test_world_velocity(w, object).angular);
	return rbl_to_d(rbl_rotate(q, rbl_mat_vec(w->objects[object].inertia, angular)));
}

// Ten seconds of tumbling: momentum stays, and the energy does not grow.
static void free_flight_keeps_momentum_and_adds_no_energy(test *t)
{
	const rbl_vec3 angular_velocities[4] = {
		{ 6.0f, 0.02f, 0.01f }, { 0.02f, 6.0f, 0.01f }, { 0.01f, 0.02f, 6.0f }, { 9.0f, 7.0f, 8.0f }
	};
	for (int i = 0; i < 4; ++i) {
		test_world w;
		test_world_begin(&w, NULL);
		w.gravity = zero;
		int box = test_world_add_box(&w, (rbl_vec3){ 0.1f, 0.2f, 0.4f }, 8.0f, zero);
		rbl_solver_set_velocity(w.solver, w.objects[box].body, (rbl_vec3){ 1.0f, 2.0f, 3.0f },
		                        angular_velocities[i]);
		rbl_vec3d before = angular_momentum(&w, box);
		double energy = test_world_energy(&w), most = energy;
		for (int k = 0; k < 600; ++k) {
			test_world_step(&w);
			most = rbl_maxd(most, test_world_energy(&w));
		}
		rbl_vec3d after = angular_momentum(&w, box);
		rbl_vec3 v = test_world_velocity(&w, box).linear;
		CHECK_NEAR(t, rbl_distance_d(before, after) / rbl_length_d(before), 0.0, 0.02);
		CHECK_NEAR(t, rbl_distance(v, (rbl_vec3){ 1.0f, 2.0f, 3.0f }), 0.0f, 1e-5f);
		CHECK(t, most <= energy * 1.0001);
		CHECK(t, test_world_energy(&w) > 0.95 * energy);
		test_world_end(&w);
	}
}

static void a_falling_body_follows_its_parabola(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	int box = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 3.0f,
	                             (rbl_vec3){ 0.0f, 50.0f, 0.0f });
	rbl_solver_set_velocity(w.solver, w.objects[box].body, (rbl_vec3){ 2.0f, 5.0f, 0.0f }, zero);
	test_world_run(&w, 120);
	CHECK_NEAR(t, test_world_centre(&w, box).x, 4.0f, 1e-3f);
	// Semi-implicit Euler is late by half a sub-step.
	CHECK_NEAR(t, test_world_centre(&w, box).y, 50.0f + 10.0f - 0.5f * 9.81f * 4.0f, 0.05f);
	CHECK_NEAR(t, test_world_velocity(&w, box).linear.y, 5.0f - 9.81f * 2.0f, 1e-3f);
	test_world_end(&w);
}

static void a_box_comes_to_rest_on_the_ground(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_ground(&w);
	int box = test_world_add_box(&w, (rbl_vec3){ 0.3f, 0.2f, 0.25f }, 60.0f,
	                             (rbl_vec3){ 0.0f, 1.5f, 0.0f });
	test_world_run(&w, 180);
	CHECK_NEAR(t, test_world_centre(&w, box).y, 0.2f, 1e-3f);
	CHECK(t, rbl_length(test_world_velocity(&w, box).linear) < 1e-4f);
	test_world_end(&w);
}

// A box on a slope stays below the angle of friction, and slides by Coulomb's law above it.
static void boxes_slide_by_the_law_of_coulomb(test *t)
{
	for (int degrees = 10; degrees <= 50; degrees += 10) {
		test_world w;
		test_world_begin(&w, NULL);
		w.friction = 0.5f; // 26.6 degrees
		float angle = (float)degrees * RBL_PI_F / 180.0f;
		rbl_quat tilt = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, -angle);
		int slope = test_world_add_ground(&w);
		rbl_vec3 down = { rbl_cosf(angle), -rbl_sinf(angle), 0.0f };
		rbl_vec3 up = { rbl_sinf(angle), rbl_cosf(angle), 0.0f };
		rbl_solver_set_pose(w.solver, w.objects[slope].body, rbl_scale(-1.0f, up), tilt);
		int box = test_world_add_box(&w, (rbl_vec3){ 0.3f, 0.1f, 0.3f }, 10.0f, zero);
		rbl_solver_set_pose(w.solver, w.objects[box].body, rbl_scale(0.1f, up), tilt);
		test_world_run(&w, 60);
		float expected = rbl_maxf(9.81f * (rbl_sinf(angle) - 0.5f * rbl_cosf(angle)), 0.0f);
		CHECK_NEAR(t, rbl_dot(test_world_velocity(&w, box).linear, down), expected,
		           0.02f + 0.01f * expected);
		CHECK_NEAR(t, rbl_dot(test_world_velocity(&w, box).linear, up), 0.0f, 0.01f);
		CHECK_NEAR(t, rbl_length(test_world_velocity(&w, box).angular), 0.0f, 0.02f);
		test_world_end(&w);
	}
}

static void a_spinning_box_is_braked_by_friction(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_ground(&w);
	int box = test_world_add_box(&w, (rbl_vec3){ 0.3f, 0.1f, 0.3f }, 10.0f,
	                             (rbl_vec3){ 0.0f, 0.1f, 0.0f });
	rbl_solver_set_velocity(w.solver, w.objects[box].body, zero, (rbl_vec3){ 0.0f, 8.0f, 0.0f });
	test_world_run(&w, 5);
	CHECK(t, test_world_velocity(&w, box).angular.y < 7.0f &&
	             test_world_velocity(&w, box).angular.y > 0.5f);
	test_world_run(&w, 60);
	CHECK_NEAR(t, test_world_velocity(&w, box).angular.y, 0.0f, 1e-3f);
	test_world_end(&w);
}

static void balls_bounce_to_the_height_of_their_restitution(test *t)
{
	for (int i = 0; i <= 4; ++i) {
		test_world w;
		test_world_begin(&w, NULL);
		w.restitution = 0.25f * (float)i;
		test_world_add_ground(&w);
		int ball = test_world_add_ball(&w, 0.25f, 10.0f, (rbl_vec3){ 0.0f, 2.25f, 0.0f });
		float top = 0.0f;
		bool has_hit = false;
		for (int k = 0; k < 120; ++k) {
			float before = test_world_velocity(&w, ball).linear.y;
			test_world_step(&w);
			has_hit |= before < -1.0f && test_world_velocity(&w, ball).linear.y > -1e-3f;
			top = has_hit ? rbl_maxf(top, test_world_centre(&w, ball).y - 0.25f) : 0.0f;
		}
		float e = w.restitution;
		CHECK_NEAR(t, top, 2.0f * e * e, 0.12f);
		test_world_end(&w);
	}
}

// Whatever is thrown together without restitution: the energy falls.
static void without_restitution_energy_never_grows(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_pile(&w, 60, 1.2f);
	double energy = test_world_energy(&w), start = energy;
	for (int k = 0; k < 200; ++k) {
		test_world_step(&w);
		double now = test_world_energy(&w);
		// Pushing overlap out lifts objects a little; a thousandth of the start is more than that.
		CHECK(t, now <= energy + 1e-3 * start);
		energy = rbl_mind(energy, now);
	}
	CHECK(t, energy < 0.5 * start);
	test_world_end(&w);
}

static void pairs_keep_their_momentum(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	w.gravity = zero;
	int a = test_world_add_box(&w, (rbl_vec3){ 0.3f, 0.2f, 0.1f }, 5.0f,
	                           (rbl_vec3){ -1.0f, 0.05f, 0.0f });
	int b = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.3f, 0.4f }, 50.0f,
	                           (rbl_vec3){ 1.0f, 0.0f, 0.1f });
	rbl_solver_set_velocity(w.solver, w.objects[a].body, (rbl_vec3){ 3.0f, 0.0f, 0.0f },
	                        (rbl_vec3){ 1.0f, 2.0f, 0.0f });
	rbl_solver_set_velocity(w.solver, w.objects[b].body, (rbl_vec3){ -1.0f, 0.0f, 0.0f }, zero);
	double energy = test_world_energy(&w);
	test_world_run(&w, 90);
	rbl_vec3 va = test_world_velocity(&w, a).linear, vb = test_world_velocity(&w, b).linear;
	rbl_vec3 sum = rbl_add(rbl_scale(5.0f, va), rbl_scale(50.0f, vb));
	CHECK_NEAR(t, rbl_distance(sum, (rbl_vec3){ -35.0f, 0.0f, 0.0f }), 0.0f, 0.01f);
	CHECK(t, test_world_energy(&w) < energy && va.x < 0.5f); // they have met
	test_world_end(&w);
}

// A hundred times heavier, on four light posts.
static void heavy_rests_on_light(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_ground(&w);
	for (int i = 0; i < 4; ++i)
		test_world_add_box(&w, (rbl_vec3){ 0.1f, 0.2f, 0.1f }, 2.0f,
		                   (rbl_vec3){ i & 1 ? 0.4f : -0.4f, 0.2f, i & 2 ? 0.4f : -0.4f });
	int slab = test_world_add_box(&w, (rbl_vec3){ 0.6f, 0.1f, 0.6f }, 200.0f,
	                              (rbl_vec3){ 0.0f, 0.5f, 0.0f });
	test_world_run(&w, 240);
	CHECK_NEAR(t, test_world_centre(&w, slab).y, 0.5f, 0.012f);
	CHECK(t, test_world_mean_speed(&w) < 0.005);
	test_world_end(&w);
}

// Allowed initial penetration stays, and gives no speed; otherwise overlap is pushed out, no faster
// than the push speed.
static void allowed_penetration_is_not_pushed_out(test *t)
{
	for (int i = 0; i < 2; ++i) {
		rbl_solver_def def = rbl_default_solver_def();
		def.can_sleep = false;
		def.push_speed = 0.5f;
		test_world w;
		test_world_begin(&w, &def);
		w.gravity = zero;
		int a = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 5.0f, zero);
		int b = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 5.0f,
		                           (rbl_vec3){ 0.38f, 0.0f, 0.0f });
		w.allowed_penetration = i == 0 ? 0.02f : 0.0f;
		test_world_run(&w, 61);
		float apart = test_world_centre(&w, b).x - test_world_centre(&w, a).x;
		float speed = rbl_length(test_world_velocity(&w, b).linear);
		CHECK(t, speed < 0.26f);
		if (i == 0)
			CHECK_NEAR(t, apart, 0.38f, 1e-4f);
		else
			CHECK(t, apart > 0.397f);
		test_world_end(&w);
	}
}

// Hits say how fast and how hard.
static void hits_report_speed_impulse_and_energy(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_ground(&w);
	test_world_add_ball(&w, 0.25f, 10.0f, (rbl_vec3){ 0.0f, 2.25f, 0.0f });
	int hit_count = 0;
	for (int k = 0; k < 120; ++k) {
		test_world_step(&w);
		rbl_solver_list hits = rbl_solver_hits(w.solver);
		for (int i = 0; i < hits.count; ++i) {
			rbl_solver_contact_report hit = rbl_solver_report_contact(w.solver, hits.indices[i]);
			hit_count++;
			CHECK_NEAR(t, hit.approach_speed, 6.26f, 0.25f);
			CHECK(t, hit.peak_impulse > 55.0f && hit.peak_impulse < 95.0f); // and pushing out
			CHECK_NEAR(t, hit.energy, 196.0f, 14.0f);
			CHECK_NEAR(t, hit.point.y, 0.0f, 0.05f);
			CHECK(t, hit.point_count == 1 && fabsf(hit.normal.y) > 0.99f && hit.separation < 0.05f);
		}
	}
	CHECK(t, hit_count == 1);
	test_world_end(&w);
}

static void forces_impulses_and_limits_act(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	def.speed_limit = 20.0f;
	test_world w;
	test_world_begin(&w, &def);
	w.gravity = zero;
	int box = test_world_add_box(&w, (rbl_vec3){ 0.5f, 0.5f, 0.5f }, 2.0f, zero);
	int32_t body = w.objects[box].body;
	for (int i = 0; i < 60; ++i) {
		rbl_solver_add_force(w.solver, body, (rbl_vec3){ 4.0f, 0.0f, 0.0f },
		                     (rbl_vec3){ 0.0f, 0.0f, 0.25f });
		test_world_step(&w);
	}
	CHECK_NEAR(t, test_world_velocity(&w, box).linear.x, 2.0f, 1e-3f);
	CHECK_NEAR(t, test_world_velocity(&w, box).angular.z, 0.25f / (2.0f / 6.0f), 1e-3f);
	test_world_step(&w);
	CHECK_NEAR(t, test_world_velocity(&w, box).linear.x, 2.0f, 1e-3f); // forces last one step
	rbl_solver_add_impulse(w.solver, body, (rbl_vec3){ 0.0f, 8.0f, 0.0f },
	                       (rbl_vec3){ 0.0f, 0.0f, -0.25f });
	CHECK_NEAR(t, test_world_velocity(&w, box).linear.y, 4.0f, 1e-4f);
	CHECK_NEAR(t, test_world_velocity(&w, box).angular.z, 0.0f, 1e-3f);
	rbl_solver_set_velocity(w.solver, body, (rbl_vec3){ 300.0f, 0.0f, 0.0f },
	                        (rbl_vec3){ 0.0f, 1e4f, 0.0f });
	test_world_step(&w);
	CHECK_NEAR(t, rbl_length(test_world_velocity(&w, box).linear), 20.0f, 1e-3f);
	CHECK(t, rbl_length(test_world_velocity(&w, box).angular) < 400.0f);
	rbl_solver_body values = rbl_solver_body_values(w.solver, body);
	values.linear_damping = values.angular_damping = 2.0f;
	rbl_solver_set_body(w.solver, body, &values);
	rbl_solver_set_velocity(w.solver, body, (rbl_vec3){ 10.0f, 0.0f, 0.0f }, zero);
	test_world_run(&w, 60);
	CHECK_NEAR(t, test_world_velocity(&w, box).linear.x, 10.0f * (float)rbl_exp(-2.0), 0.02f);
	test_world_end(&w);
}

TEST_MAIN(TEST(free_flight_keeps_momentum_and_adds_no_energy),
          TEST(a_falling_body_follows_its_parabola), TEST(a_box_comes_to_rest_on_the_ground),
          TEST(boxes_slide_by_the_law_of_coulomb), TEST(a_spinning_box_is_braked_by_friction),
          TEST(balls_bounce_to_the_height_of_their_restitution),
          TEST(without_restitution_energy_never_grows), TEST(pairs_keep_their_momentum),
          TEST(heavy_rests_on_light), TEST(allowed_penetration_is_not_pushed_out),
          TEST(hits_report_speed_impulse_and_energy), TEST(forces_impulses_and_limits_act))
