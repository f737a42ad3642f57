// SPDX-License-Identifier: MIT
// Laws of rotation: a free body keeps its angular momentum and its energy, is stable about two axes
// and flips about the third, and turns as fast as it was made to.

#include "../test.h"
#include "scene.h"

// What a free body does.
typedef struct free_turn {
	double least_energy, most_energy;     // as shares of those at first
	double least_momentum, most_momentum; // likewise, of the angular momentum
	double deviation;                     // of its direction, in radians
	int flips;                            // changes of sign of the y component in the body's axes
} free_turn;

static rbl_body_id add_free(scene *s, const rbl_collider *shape, rbl_vec3 angular_velocity)
{
	rbl_world_def def = scene_def(s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.can_sleep = false;
	scene_create(s, &def);
	rbl_body_def body = scene_body(shape ? shape : s->ball, 0.0f, 0.0f, 0.0f);
	body.angular_velocity = angular_velocity;
	body.angular_damping = 0.0f;
	return rbl_create_body(s->world, &body);
}

static rbl_vec3d momentum_of(const rbl_world *world, rbl_body_id body, double *energy)
{
	rbl_body_state state = rbl_body_get_state(world, body);
	rbl_body_mass mass = rbl_body_get_mass(world, body);
	rbl_vec3 w = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity);
	rbl_vec3 l = rbl_mat_vec(mass.inertia, w);
	*energy = 0.5 * (double)rbl_dot(w, l);
	return rbl_to_d(rbl_rotate(state.pose.rotation, l));
}

static free_turn turn_freely(rbl_vec3 half_size, rbl_vec3 angular_velocity, int steps)
{
	scene s;
	rbl_collider *shape = scene_box(half_size.x, half_size.y, half_size.z);
	rbl_body_id body = add_free(&s, shape, angular_velocity);
	double first_energy, energy;
	rbl_vec3d first = momentum_of(s.world, body, &first_energy);
	free_turn r = { 1.0, 1.0, 1.0, 1.0, 0.0, 0 };
	bool was_up = true;
	for (int i = 0; i < steps; ++i) {
		scene_steps(&s, 1);
		rbl_vec3d now = momentum_of(s.world, body, &energy);
		double share = rbl_length_d(now) / rbl_length_d(first);
		r.least_energy = fmin(r.least_energy, energy / first_energy);
		r.most_energy = fmax(r.most_energy, energy / first_energy);
		r.least_momentum = fmin(r.least_momentum, share);
		r.most_momentum = fmax(r.most_momentum, share);
		double sine =
			rbl_length_d(rbl_cross_d(now, first)) / (rbl_length_d(now) * rbl_length_d(first));
		r.deviation = fmax(r.deviation, sine);
		rbl_body_state state = rbl_body_get_state(s.world, body);
		bool is_up = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity).y > 0.0f;
		r.flips += is_up != was_up;
		was_up = is_up;
	}
	scene_destroy(&s);
	rbl_destroy_collider(shape);
	return r;
}

// Euler's equations of a box, by the classical Runge-Kutta method in small steps.
static rbl_vec3d change_of(rbl_vec3d i, rbl_vec3d w)
{
	return (rbl_vec3d){ (i.y - i.z) / i.x * w.y * w.z, (i.z - i.x) / i.y * w.z * w.x,
		                (i.x - i.y) / i.z * w.x * w.y };
}

static int exact_flips(rbl_vec3 half_size, rbl_vec3 angular_velocity, int steps)
{
	rbl_vec3d a = rbl_to_d(half_size), w = rbl_to_d(angular_velocity);
	rbl_vec3d i = { a.y * a.y + a.z * a.z, a.x * a.x + a.z * a.z, a.x * a.x + a.y * a.y };
	int flips = 0;
	double h = 1.0 / 6000.0;
	for (int k = 0; k < 100 * steps; ++k) {
		bool was_up = w.y > 0.0;
		rbl_vec3d k1 = change_of(i, w);
		rbl_vec3d k2 = change_of(i, rbl_add_scaled_d(w, 0.5 * h, k1));
		rbl_vec3d k3 = change_of(i, rbl_add_scaled_d(w, 0.5 * h, k2));
		rbl_vec3d k4 = change_of(i, rbl_add_scaled_d(w, h, k3));
		w = rbl_add_scaled_d(w, h / 6.0, rbl_add_d(k1, k4));
		w = rbl_add_scaled_d(w, h / 3.0, rbl_add_d(k2, k3));
		flips += (w.y > 0.0) != was_up;
	}
	return flips;
}

static const rbl_vec3 plate = { 0.5f, 0.2f, 0.05f };

static void check_kept(test *t, const free_turn *r)
{
	if (r->least_energy < 0.99 || r->most_energy > 1.01 || r->least_momentum < 0.999)
		printf("energy %.4f to %.4f, momentum %.4f to %.4f, turned by %.4f rad, flips %d\n",
		       r->least_energy, r->most_energy, r->least_momentum, r->most_momentum, r->deviation,
		       r->flips);
	CHECK(t, r->least_energy > 0.99 && r->most_energy < 1.01);
	CHECK(t, r->least_momentum > 0.999 && r->most_momentum < 1.001);
	CHECK(t, r->deviation < 0.002);
}

// Regression: at 20 rad/s it wandered from its axis of largest inertia to that of smallest, with half of
// its angular momentum.
static void a_plate_is_stable_about_its_largest_and_smallest_inertia(test *t)
{
	const rbl_vec3 spins[] = { { 0.1f, 0.1f, 20.0f },
		                       { 0.1f, 0.1f, 40.0f },
		                       { 10.0f, 0.1f, 0.1f },
		                       { 40.0f, 0.3f, 0.3f },
		                       { 1.0f, 0.0f, 15.0f } };
	for (size_t i = 0; i < sizeof spins / sizeof spins[0]; ++i) {
		scene s;
		free_turn r = turn_freely(plate, spins[i], 1200);
		check_kept(t, &r);
		rbl_collider *shape = scene_box(plate.x, plate.y, plate.z);
		rbl_body_id body = add_free(&s, shape, spins[i]);
		scene_steps(&s, 1200);
		rbl_body_state state = rbl_body_get_state(s.world, body);
		rbl_vec3 w = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity);
		float cosine = rbl_dot(rbl_normalize(w), rbl_normalize(spins[i]));
		CHECK(t, cosine > 0.98f);
		scene_destroy(&s);
		rbl_destroy_collider(shape);
	}
}

// Regression: 10 and 42 times where theory has 6 and 22.
static void a_plate_flips_about_its_middle_inertia_as_often_as_theory_has_it(test *t)
{
	const rbl_vec3 spins[] = { { 0.05f, 5.0f, 0.05f }, { 0.1f, 20.0f, 0.1f } };
	for (int i = 0; i < 2; ++i) {
		int flips = exact_flips(plate, spins[i], 1200);
		free_turn r = turn_freely(plate, spins[i], 1200);
		check_kept(t, &r);
		CHECK_NEAR(t, r.flips, flips, 0);
	}
}

static void a_tumbling_brick_keeps_its_energy_and_its_angular_momentum(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	for (int i = 0; i < 20; ++i) {
		rbl_vec3 size = { (float)rbl_random_range(&random, 0.05, 0.5),
			              (float)rbl_random_range(&random, 0.05, 0.5),
			              (float)rbl_random_range(&random, 0.05, 0.5) };
		rbl_vec3 spin = rbl_to_f(rbl_scale_d(30.0, rbl_random_in_ball(&random)));
		free_turn r = turn_freely(size, spin, 300);
		check_kept(t, &r);
	}
}

// Regression: everything was slowed down to 47 rad/s at 60 steps a second.
static void a_ball_turns_as_fast_as_it_is_made_to(test *t)
{
	const float speeds[] = { 100.0f, 1000.0f, 3000.0f };
	for (int i = 0; i < 3; ++i) {
		scene s;
		rbl_body_id body = add_free(&s, NULL, (rbl_vec3){ 0.0f, 0.0f, speeds[i] });
		scene_steps(&s, 60);
		CHECK_NEAR(t, rbl_body_angular_velocity(s.world, body).z, speeds[i], 0.001f * speeds[i]);
		scene_destroy(&s);
	}
}

// What is not round turns by less than half a circle in a step, so that it can be swept.
static void a_box_turns_at_100_radians_a_second(test *t)
{
	scene s;
	rbl_collider *box = scene_box(0.2f, 0.2f, 0.2f);
	rbl_body_id body = add_free(&s, box, (rbl_vec3){ 0.0f, 0.0f, 100.0f });
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_angular_velocity(s.world, body).z, 100.0, 0.1);
	scene_destroy(&s);
	rbl_destroy_collider(box);
}

TEST_MAIN(TEST(a_plate_is_stable_about_its_largest_and_smallest_inertia),
          TEST(a_plate_flips_about_its_middle_inertia_as_often_as_theory_has_it),
          TEST(a_tumbling_brick_keeps_its_energy_and_its_angular_momentum),
          TEST(a_ball_turns_as_fast_as_it_is_made_to), TEST(a_box_turns_at_100_radians_a_second))
