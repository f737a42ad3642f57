// SPDX-License-Identifier: MIT
// ctest: soak
// Laws of breaking in a world: what is kept, what is never gained, and whose id is whose.

#include "../test.h"
#include "breakable.h"

// --- mass, momentum, energy ---------------------------------------------------------------------

// A world and its twin, which takes the same step without the blow: so the errors of the step itself
// do not count.
static void blow_and_compare(test *t, rbl_mesh *mesh, uint64_t seed)
{
	sums of[2];
	int born = 0;
	for (int twin = 0; twin < 2; ++twin) {
		breakable b;
		breakable_make(t, &b, mesh, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
		rbl_random random = rbl_random_from_seed(seed);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		def.velocity = rbl_to_f(rbl_scale_d(3.0, rbl_random_in_ball(&random)));
		def.angular_velocity = rbl_to_f(rbl_scale_d(2.0, rbl_random_in_ball(&random)));
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		scene_steps(&b.s, 1);
		rbl_box box = rbl_body_bounds(b.s.world, body);
		rbl_vec3 size = rbl_sub(box.upper, box.lower);
		rbl_vec3d u = rbl_random_in_ball(&random);
		rbl_vec3 middle = rbl_scale(0.5f, rbl_add(box.lower, box.upper));
		rbl_vec3 point =
			rbl_add(middle, (rbl_vec3){ 0.4f * size.x * (float)u.x, 0.4f * size.y * (float)u.y,
		                                0.4f * size.z * (float)u.z });
		if (twin == 0)
			CHECK(t, rbl_body_damage(b.s.world, body, point, (rbl_vec3){ 0.0f, -1.0f, 0.0f },
			                         0.4f * rbl_length(size), 1000.0f) == RBL_OK);
		scene_steps(&b.s, 1);
		born += twin == 0 ? rbl_world_body_count(b.s.world) - 1 : 0;
		of[twin] = breakable_sums(b.s.world);
		breakable_destroy(&b);
	}
	CHECK(t, born > 0);
	CHECK_NEAR(t, of[0].mass / of[1].mass, 1.0, 1e-5);
	CHECK(t, rbl_distance_d(of[0].momentum, of[1].momentum) < 1e-5 * of[1].momentum_size);
	CHECK(t, rbl_distance_d(of[0].angular_momentum, of[1].angular_momentum) <
	             1e-5 * of[1].angular_momentum_size);
	CHECK(t, of[0].energy < of[1].energy * (1.0 + 1e-5));
}

static void blows_keep_mass_and_momentum_and_gain_no_energy(test *t)
{
	rbl_mesh *meshes[4] = { NULL };
	rbl_box_def box = rbl_default_box_def();
	rbl_column_def column = rbl_default_column_def();
	rbl_piggy_bank_def bank = rbl_default_piggy_bank_def();
	rbl_icosphere_def ball = rbl_default_icosphere_def();
	CHECK(t, rbl_create_box_mesh(&box, &meshes[0]) == RBL_OK);
	CHECK(t, rbl_create_column_mesh(&column, &meshes[1]) == RBL_OK);
	CHECK(t, rbl_create_piggy_bank_mesh(&bank, &meshes[2]) == RBL_OK);
	CHECK(t, rbl_create_icosphere_mesh(&ball, &meshes[3]) == RBL_OK);
	int rounds = test_count(1, 100);
	for (int i = 0; i < 4 * rounds; ++i)
		blow_and_compare(t, meshes[i % 4], (uint64_t)i);
	for (int i = 0; i < 4; ++i)
		rbl_destroy_mesh(meshes[i]);
}

// --- hits ---------------------------------------------------------------------------------------

typedef struct hit_course {
	double momentum_before, momentum_after, energy_before, energy_after;
	float fastest, ball_speed; // at the start, and of the ball then
	int born;
} hit_course;

// A ball at a block in empty space, or one that stands still.
static hit_course strike(test *t, rbl_body_kind kind, float speed, float density)
{
	breakable b;
	hit_course c = { .born = 0 };
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_body_def def = breakable_def(&b, kind);
	rbl_body_id block = rbl_create_body(b.s.world, &def);
	rbl_body_def ball = scene_body(b.s.ball, -1.5f, 0.1f, 0.05f);
	ball.velocity = (rbl_vec3){ speed, 0.0f, 0.0f };
	ball.material.density = density;
	ball.is_bullet = true;
	rbl_body_id thrown = rbl_create_body(b.s.world, &ball);
	sums before = breakable_sums(b.s.world);
	for (int i = 0; i < 60 && c.born == 0; ++i) {
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b.s.world);
		for (int k = 0; k < e.fracture_count; ++k) {
			c.born += e.fractures[k].new_count;
			CHECK(t, e.fractures[k].cause == RBL_FRACTURE_HIT);
			CHECK(t, e.fractures[k].other.index == thrown.index);
			for (int n = 0; n < e.fractures[k].new_count; ++n)
				c.fastest = rbl_maxf(c.fastest, rbl_length(rbl_body_velocity(
													b.s.world, e.fractures[k].new_bodies[n])));
		}
	}
	sums after = breakable_sums(b.s.world);
	CHECK(t, rbl_body_exists(b.s.world, block) || c.born > 0);
	c.momentum_before = before.momentum.x, c.momentum_after = after.momentum.x;
	c.energy_before = before.energy, c.energy_after = after.energy;
	c.ball_speed = rbl_body_velocity(b.s.world, thrown).x;
	breakable_destroy(&b);
	return c;
}

static void nothing_is_born_faster_than_what_hit_it(test *t)
{
	const float densities[] = { 500.0f, 2000.0f, 8000.0f };
	for (int i = 0; i < 3; ++i) {
		for (float speed = 5.0f; speed < 100.0f; speed *= 2.0f) {
			hit_course c = strike(t, RBL_BODY_DYNAMIC, speed, densities[i]);
			CHECK(t, c.born > 0);
			CHECK(t, c.fastest <= speed);
			CHECK_NEAR(t, c.momentum_after / c.momentum_before, 1.0, 1e-5);
			CHECK(t, c.energy_after <= c.energy_before * (1.0 + 1e-5));
		}
	}
}

// A rod hit off its axis turns about it: its surface gets back the speed of the hit, a millimetre
// from the axis. That is faster than bodies may turn, and than snapshots hold.
static void what_breaks_something_turns_no_faster_than_allowed(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	rbl_collider *rod = scene_box(0.001f, 0.004f, 0.2f);
	int broken = 0, fast = 0;
	for (int round = 0; round < test_count(60, 2000); ++round) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1 + (uint64_t)round % 4);
		rbl_body_def block = breakable_def(&b, RBL_BODY_STATIC);
		rbl_create_body(b.s.world, &block);
		rbl_body_def def = scene_body(rod, -1.0f, 0.0f, 0.0f);
		rbl_vec3d axis = rbl_random_in_ball(&random);
		def.pose.rotation = rbl_quat_normalize(
			(rbl_quat){ (float)axis.x, (float)axis.y, (float)axis.z, rbl_random_float(&random) });
		def.velocity = (rbl_vec3){ 990.0f, 0.0f, 0.0f };
		def.is_bullet = true;
		rbl_body_id thrown = rbl_create_body(b.s.world, &def);
		for (int step = 0; step < 4; ++step) {
			CHECK(t, rbl_world_step(b.s.world, 1.0f / 240.0f) == RBL_OK);
			if (rbl_world_get_events(b.s.world).fracture_count == 0)
				continue;
			float speed = rbl_length(rbl_body_angular_velocity(b.s.world, thrown));
			CHECK(t, speed <= 1.001f * 10.0f * RBL_MAX_SPEED);
			broken++, fast += speed > 5.0f * RBL_MAX_SPEED;
			break;
		}
		breakable_destroy(&b);
	}
	rbl_destroy_collider(rod);
	printf("%d broke what they hit, %d of them nearly at the limit\n", broken, fast);
	CHECK(t, broken > 0 && fast > 0);
}

// What breaks something that stands still goes on, with the energy that the break did not cost.
static void a_ball_goes_on_through_what_it_breaks(test *t)
{
	hit_course c = strike(t, RBL_BODY_STATIC, 40.0f, 2000.0f);
	CHECK(t, c.born > 0);
	CHECK(t, c.ball_speed > 30.0f && c.ball_speed < 40.0f);
	CHECK(t, c.fastest == 0.0f); // it stood still
	CHECK(t, c.energy_after < c.energy_before);
}

// --- initial overlap ----------------------------------------------------------------------------

// Pieces of a model whose convexes overlap come apart at rest, and stay at rest.
static void initial_overlap_throws_nothing(test *t)
{
	rbl_piggy_bank_def bank = rbl_default_piggy_bank_def();
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_piggy_bank_mesh(&bank, &mesh) == RBL_OK);
	for (int i = 0; i < test_count(1, 40); ++i) {
		breakable b;
		breakable_make(t, &b, mesh, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1 + (uint64_t)i);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		rbl_vec3 centre = rbl_body_get_state(b.s.world, body).centre;
		CHECK(t, rbl_body_damage(b.s.world, body, centre, (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY,
		                         1000.0f) == RBL_OK);
		float fastest = 0.0f;
		for (int step = 0; step < 60; ++step) {
			scene_steps(&b.s, 1);
			fastest = rbl_maxf(fastest, breakable_fastest(b.s.world));
		}
		CHECK(t, rbl_world_body_count(b.s.world) > 10);
		CHECK(t, fastest < 0.01f);
		breakable_destroy(&b);
	}
	rbl_destroy_mesh(mesh);
}

// --- ids ----------------------------------------------------------------------------------------

enum { KNOWN = 4000 };

typedef struct known {
	rbl_body_id id;
	bool lives;
} known;

// Every id that was ever given out is what the events have said of it.
static void ids_are_what_events_say(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	static known all[KNOWN];
	int count = 0;
	b.rule.min_size = 0.2;
	for (int i = 0; i < 3; ++i) {
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		def.pose.position.x = 3.0f * (float)i;
		all[count++] = (known){ rbl_create_body(b.s.world, &def), true };
	}
	rbl_random random = rbl_random_from_seed(4);
	int survivors = 0, gone = 0;
	for (int step = 0; step < test_count(200, 2000) && count < KNOWN - 400; ++step) {
		int i = (int)rbl_random_below(&random, (uint32_t)count);
		rbl_vec3 at = rbl_body_get_state(b.s.world, all[i].id).centre;
		float radius = rbl_random_below(&random, 2) ? 0.3f : INFINITY;
		rbl_result result = rbl_body_damage(b.s.world, all[i].id, at,
		                                    (rbl_vec3){ 1.0f, 0.0f, 0.0f }, radius, 50.0f);
		CHECK(t, result == (all[i].lives ? RBL_OK : RBL_STALE_ID));
		if (all[i].lives && rbl_random_below(&random, 8) == 0) {
			CHECK(t, rbl_destroy_body(b.s.world, all[i].id) == RBL_OK);
			all[i].lives = false;
		}
		scene_steps(&b.s, 1);
		rbl_events e = rbl_world_get_events(b.s.world);
		for (int k = 0; k < e.fracture_count; ++k) {
			const rbl_fracture_event *f = &e.fractures[k];
			for (int n = 0; n < count; ++n) {
				if (all[n].id.index == f->parent.index &&
				    all[n].id.generation == f->parent.generation)
					all[n].lives = f->survives;
			}
			survivors += f->survives, gone += !f->survives;
			for (int n = 0; n < f->new_count && count < KNOWN; ++n)
				all[count++] = (known){ f->new_bodies[n], true };
		}
		int living = 0;
		for (int n = 0; n < count; ++n) {
			living += all[n].lives;
			CHECK(t, rbl_body_exists(b.s.world, all[n].id) == all[n].lives);
		}
		CHECK(t, living == rbl_world_body_count(b.s.world));
	}
	printf("%d survivors, %d gone\n", survivors, gone);
	CHECK(t, survivors > 3 && gone > 0);
	breakable_destroy(&b);
}

// --- without limit ------------------------------------------------------------------------------

// Everything is broken again and again, until all of it is below the least size.
static void breaking_ends_at_the_least_size(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	b.rule.min_size = 0.3;
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	rbl_create_body(b.s.world, &def);
	sums before = breakable_sums(b.s.world);
	static rbl_body_id ids[BREAKABLE_MOST];
	int rounds = 0, broken = 1;
	for (; rounds < 40 && broken > 0; ++rounds) {
		int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
		for (int i = 0; i < count; ++i)
			rbl_body_damage(b.s.world, ids[i], rbl_body_get_state(b.s.world, ids[i]).centre,
			                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 100.0f);
		broken = 0;
		do {
			scene_steps(&b.s, 1);
			broken += rbl_world_get_events(b.s.world).fracture_count;
		} while (rbl_world_get_stats(b.s.world).breaking_count > 0);
	}
	CHECK(t, rounds > 2 && broken == 0);
	int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
	CHECK(t, count > 100 && count < BREAKABLE_MOST);
	for (int i = 0; i < count; ++i)
		CHECK(t, (double)rbl_body_get_mass(b.s.world, ids[i]).mass < 1000.0 * 0.3 * 0.3 * 0.3);
	CHECK_NEAR(t, breakable_sums(b.s.world).mass / before.mass, 1.0, 1e-5);
	CHECK(t, rbl_world_get_stats(b.s.world).lost_count == 0);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(blows_keep_mass_and_momentum_and_gain_no_energy),
          TEST(nothing_is_born_faster_than_what_hit_it),
          TEST(what_breaks_something_turns_no_faster_than_allowed),
          TEST(a_ball_goes_on_through_what_it_breaks), TEST(initial_overlap_throws_nothing),
          TEST(ids_are_what_events_say), TEST(breaking_ends_at_the_least_size))
