// SPDX-License-Identifier: MIT
// Restitution: what falls on a floor comes back to the height that theory has, and a hit runs through a
// row of balls.

#include "../test.h"
#include "scene.h"

enum { PEAKS = 5 };

// Drop a body from 5 m. @param peaks  receives the heights that it comes back to, its lowest point
static void drop(const rbl_collider *shape, float half, float restitution, float peaks[PEAKS],
                 double *energy)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.can_sleep = false;
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_def body = scene_body(shape, 0.0f, 5.0f + half, 0.0f);
	body.material.restitution = restitution;
	body.angular_damping = 0.0f;
	rbl_body_id id = rbl_create_body(s.world, &body);
	float speed = 0.0f, last = 5.0f + half;
	int count = 0;
	memset(peaks, 0, PEAKS * sizeof *peaks);
	for (int i = 0; i < 1200 && count < PEAKS; ++i) {
		scene_steps(&s, 1);
		rbl_body_state state = rbl_body_get_state(s.world, id);
		if (speed > 0.0f && state.velocity.y <= 0.0f)
			peaks[count++] = rbl_maxf(last, state.centre.y) - half;
		speed = state.velocity.y, last = state.centre.y;
	}
	rbl_body_state state = rbl_body_get_state(s.world, id);
	rbl_body_mass mass = rbl_body_get_mass(s.world, id);
	rbl_vec3 w = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity);
	*energy = (0.5 * (double)rbl_length_squared(state.velocity) +
	           0.5 * (double)rbl_dot(w, rbl_mat_vec(mass.inertia, w)) / (double)mass.mass +
	           9.81 * (double)(state.centre.y - half)) /
	          (9.81 * 5.0);
	scene_destroy(&s);
}

static void print_peaks(const char *what, float e, const float peaks[PEAKS], double energy)
{
	printf("%s e=%.1f:", what, (double)e);
	for (int i = 0; i < PEAKS; ++i)
		printf(" %.3f", (double)peaks[i]);
	printf(", energy %.4f\n", energy);
}

// Regression: 4.90, 4.74, 4.58, 4.42, 4.27 m of 5.
static void a_ball_comes_back_to_the_height_of_its_restitution(test *t)
{
	const float restitutions[] = { 1.0f, 0.8f, 0.5f };
	for (int k = 0; k < 3; ++k) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		float peaks[PEAKS], e = restitutions[k], want = 5.0f;
		double energy;
		drop(s.ball, 0.25f, e, peaks, &energy);
		print_peaks("ball", e, peaks, energy);
		for (int i = 0; i < (k == 0 ? PEAKS : 4 - k); ++i) {
			want *= e * e;
			CHECK_NEAR(t, peaks[i], want, 0.02f * want);
		}
		scene_destroy(&s);
	}
}

// Regression: 4.58 m, then 0.26.
static void a_box_that_lands_flat_comes_back(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	float peaks[PEAKS];
	double energy;
	drop(s.box, 0.25f, 1.0f, peaks, &energy);
	print_peaks("box", 1.0f, peaks, energy);
	for (int i = 0; i < PEAKS; ++i)
		CHECK_NEAR(t, peaks[i], 5.0, 0.1);
	CHECK_NEAR(t, energy, 1.0, 0.02);
	drop(s.box, 0.25f, 0.8f, peaks, &energy);
	print_peaks("box", 0.8f, peaks, energy);
	CHECK_NEAR(t, peaks[0], 3.2, 0.064);
	CHECK_NEAR(t, peaks[1], 2.048, 0.05);
	scene_destroy(&s);
}

// An elastic hit loses nothing where all of it is in one manifold; corners that come round within a step
// are found in the next, and may be stopped.
static void elastic_hits_of_tumbling_bodies_add_nothing_and_lose_little(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	int kept = 0;
	for (int k = 0; k < 10; ++k) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.can_sleep = false;
		def.restitution_speed = 0.2f;
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_body_def body = scene_body(k % 2 ? s.box : s.hulls[k], 0.0f, 1.5f, 0.0f);
		rbl_vec3d axis = rbl_random_in_ball(&random);
		rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ axis.x, axis.y, axis.z, 0.5 });
		body.pose.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		body.material.restitution = 1.0f;
		body.material.friction = 0.0f;
		body.angular_damping = 0.0f;
		rbl_body_id id = rbl_create_body(s.world, &body);
		double first = 0.0, least = 1.0, most = 0.0;
		for (int i = 0; i < 300; ++i) {
			scene_steps(&s, 1);
			rbl_body_state state = rbl_body_get_state(s.world, id);
			rbl_body_mass mass = rbl_body_get_mass(s.world, id);
			rbl_vec3 w = rbl_rotate_inverse(state.pose.rotation, state.angular_velocity);
			double energy =
				0.5 * (double)rbl_length_squared(state.velocity) +
				0.5 * (double)rbl_dot(w, rbl_mat_vec(mass.inertia, w)) / (double)mass.mass +
				9.81 * (double)state.centre.y;
			first = i == 0 ? energy : first;
			least = fmin(least, energy / first), most = fmax(most, energy / first);
		}
		printf("tumbling %s keeps %.3f of its energy, at most %.3f\n", k % 2 ? "box" : "hull",
		       least, most);
		CHECK(t, most < 1.01);
		CHECK(t, least > 0.9);
		kept += least > 0.93;
		scene_destroy(&s);
	}
	CHECK(t, kept >= 9);
}

// Regression: the row kept 0.26 of the energy.
static void an_elastic_hit_runs_through_a_row_of_balls(test *t)
{
	for (int workers = 1; workers <= 2; ++workers) {
		scene s;
		rbl_world_def def = scene_def(&s, workers);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		def.can_sleep = false;
		scene_create(&s, &def);
		rbl_body_id balls[6];
		for (int i = 0; i < 6; ++i) {
			rbl_body_def body = scene_body(s.ball, i ? 0.5f * (float)i : -1.0f, 0.0f, 0.0f);
			body.velocity.x = i ? 0.0f : 4.0f;
			body.material.restitution = 1.0f;
			body.angular_damping = 0.0f;
			balls[i] = rbl_create_body(s.world, &body);
		}
		scene_steps(&s, 60);
		double energy = 0.0, momentum = 0.0;
		for (int i = 0; i < 6; ++i) {
			double v = (double)rbl_body_velocity(s.world, balls[i]).x;
			printf(" %.3f", v);
			energy += v * v / 16.0, momentum += v / 4.0;
		}
		printf(" energy %.3f momentum %.4f\n", energy, momentum);
		CHECK_NEAR(t, energy, 1.0, 0.02);
		CHECK_NEAR(t, momentum, 1.0, 0.001);
		CHECK_NEAR(t, rbl_body_velocity(s.world, balls[5]).x, 4.0, 0.08);
		scene_destroy(&s);
	}
}

// Friction acts in the moment of a bounce: a ball that spins is turned aside, by what Coulomb allows.
static void friction_acts_in_a_bounce(test *t)
{
	for (int k = 0; k < 2; ++k) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_body_def body = scene_body(s.ball, 0.0f, 0.6f, 0.0f);
		body.velocity = (rbl_vec3){ 3.0f, -4.0f, 0.0f };
		body.material.restitution = 1.0f;
		body.material.friction = k ? 0.01f : 0.6f;
		body.angular_damping = 0.0f;
		rbl_body_id id = rbl_create_body(s.world, &body);
		scene_steps(&s, 30);
		rbl_vec3 v = rbl_body_velocity(s.world, id);
		float mu = sqrtf((k ? 0.01f : 0.6f) * 0.6f);
		CHECK_NEAR(t, v.y, 4.0, 0.01);
		// It rolls away with 5/7 of its speed, or slides, slowed down by mu (1 + e) 4.
		CHECK_NEAR(t, v.x, rbl_maxf(3.0f * 5.0f / 7.0f, 3.0f - mu * 8.0f), 0.03);
		scene_destroy(&s);
	}
}

TEST_MAIN(TEST(a_ball_comes_back_to_the_height_of_its_restitution),
          TEST(a_box_that_lands_flat_comes_back),
          TEST(elastic_hits_of_tumbling_bodies_add_nothing_and_lose_little),
          TEST(an_elastic_hit_runs_through_a_row_of_balls), TEST(friction_acts_in_a_bounce))
