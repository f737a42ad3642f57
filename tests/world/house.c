// SPDX-License-Identifier: MIT
// A house of four tonnes of brick, hit by a ball at 20 m/s: it breaks in the step of the hit, the ball
// goes on with what the break has left it, and nothing bursts later.

#include "../test.h"
#include "breakable.h"

#include <rubble/preset.h>

enum { STEPS = 180, MOST_STEPS = 1000, WALLS = 5 };

static const float DT = 1.0f / 60.0f;

typedef struct house {
	scene s;
	rbl_material *brick;
	rbl_collider *shot;
	rbl_body_id house, ball;
} house;

// Four walls and a roof, 2.4 x 1.8 x 2.4 metres.
static rbl_compound *make_walls(test *t)
{
	static const rbl_boxd boxes[WALLS] = {
		{ { -1.2, 0.0, 1.1 }, { 1.2, 1.7, 1.2 } },   { { -1.2, 0.0, -1.2 }, { 1.2, 1.7, -1.1 } },
		{ { -1.2, 0.0, -1.1 }, { -1.1, 1.7, 1.1 } }, { { 1.1, 0.0, -1.1 }, { 1.2, 1.7, 1.1 } },
		{ { -1.2, 1.7, -1.2 }, { 1.2, 1.8, 1.2 } },
	};
	rbl_compound_part parts[WALLS];
	for (int i = 0; i < WALLS; ++i) {
		rbl_convex_def def = rbl_default_convex_def();
		rbl_convex *convex = NULL;
		def.box = boxes[i];
		CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex };
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = WALLS;
	rbl_compound *made = NULL;
	CHECK(t, rbl_create_compound(&def, &made) == RBL_OK);
	for (int i = 0; i < WALLS; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return made;
}

static void make_house(test *t, house *h, bool is_on_ground, int budget)
{
	rbl_world_def def = scene_def(&h->s, 1);
	def.budget = budget;
	if (!is_on_ground)
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&h->s, &def);
	rbl_preset_def preset = rbl_default_preset_def(RBL_PRESET_BRICK);
	preset.material.debris.kind = RBL_DEBRIS_NONE; // what is lost would have to be counted
	preset.material.damage.dust_size = 0.0;
	CHECK(t, rbl_create_preset_material(&preset, &h->brick) == RBL_OK);
	if (is_on_ground)
		CHECK(t, !rbl_body_id_is_null(scene_add_floor(&h->s)));
	rbl_body_def walls = rbl_default_body_def();
	walls.compound = make_walls(t);
	walls.shared_material = h->brick;
	walls.angular_damping = 0.0f;
	h->house = rbl_create_body(h->s.world, &walls);
	rbl_collider_def shot = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	shot.radius = 0.193f; // 235 kg
	h->shot = NULL;
	CHECK(t, rbl_create_collider(&shot, &h->shot) == RBL_OK);
	rbl_body_def ball = scene_body(h->shot, 0.3f, 0.9f, 8.0f);
	ball.material.density = 7800.0f;
	ball.velocity.z = -20.0f;
	ball.angular_damping = 0.0f;
	h->ball = rbl_create_body(h->s.world, &ball);
	CHECK(t, !rbl_body_id_is_null(h->house) && !rbl_body_id_is_null(h->ball));
	double mass = (double)rbl_body_get_mass(h->s.world, h->house).mass;
	CHECK(t, mass > 3900.0 && mass < 4200.0);
}

static void destroy_house(house *h)
{
	scene_destroy(&h->s);
	rbl_destroy_collider(h->shot);
	rbl_destroy_material(h->brick);
}

// The first break is of the step in which the ball is slowed down. Under a budget it ends some steps
// later, and the ball goes on meanwhile.
static void a_house_breaks_in_the_step_of_the_hit(test *t)
{
	static const int budgets[] = { 0, 500, 1200, 2000, 5000 };
	for (int i = 0; i < 5; i += test_repeats(1, 4)) {
		house h;
		make_house(t, &h, true, budgets[i]);
		int hit = -1, broken = -1;
		float after = 0.0f;
		for (int step = 0; step < 60 && broken < 0; ++step) {
			CHECK(t, rbl_world_step(h.s.world, DT) == RBL_OK);
			rbl_vec3 v = rbl_body_velocity(h.s.world, h.ball);
			rbl_events e = rbl_world_get_events(h.s.world);
			if (hit < 0 && v.z > -19.9f)
				hit = step;
			for (int k = 0; k < e.fracture_count && broken < 0; ++k)
				if (e.fractures[k].new_count > 0)
					broken = step, after = v.z;
		}
		printf("budget %d: %d steps after the hit, ball %.1f m/s\n", budgets[i], broken - hit,
		       (double)after);
		CHECK(t, hit >= 0 && broken >= hit);
		CHECK(t, broken - hit <= (budgets[i] ? 1 + 9000 / budgets[i] : 0)); // what the break takes
		CHECK(t, after < -2.0f);                                            // it goes on
		destroy_house(&h);
	}
}

// Without ground nothing takes momentum away: house, fragments and ball keep what the ball brought,
// whether the house breaks at once or many steps later.
static void check_laws(test *t, int budget)
{
	house h;
	make_house(t, &h, false, budget);
	sums before = breakable_sums(h.s.world);
	rbl_vec3d last = before.momentum;
	double worst = 0.0, total = 0.0, size = rbl_length_d(before.momentum);
	int fractures = 0, left = budget == 0 ? STEPS : 40;
	for (int step = 0; step < MOST_STEPS && left > 0; ++step) {
		CHECK(t, rbl_world_step(h.s.world, DT) == RBL_OK);
		fractures += rbl_world_get_events(h.s.world).fracture_count;
		left -=
			budget == 0 || (fractures > 0 && rbl_world_get_stats(h.s.world).breaking_count == 0);
		sums now = breakable_sums(h.s.world);
		CHECK_NEAR(t, now.mass / before.mass, 1.0, 1e-6);
		worst = rbl_maxd(worst, rbl_distance_d(now.momentum, last) / size);
		total = rbl_maxd(total, rbl_distance_d(now.momentum, before.momentum) / size);
		last = now.momentum;
		CHECK(t, now.energy <= before.energy * (1.0 + 1e-5));
	}
	printf("budget %4d, momentum: %.1e in a step, %.1e in all\n", budget, worst, total);
	CHECK(t, left == 0 && fractures > 0 && worst < 1e-5 && total < 1e-5);
	float z = rbl_body_velocity(h.s.world, h.ball).z;
	CHECK(t, z < 0.0f && z > -20.0f);
	destroy_house(&h);
}

static void the_ball_keeps_the_laws(test *t)
{
	static const int budgets[] = { 0, 50, 200, 500, 1200, 2000, 5000 };
	for (int i = 0; i < 7; i += test_repeats(1, 3))
		check_laws(t, budgets[i]);
}

// Long after the hit there is no step in which anything is thrown.
static void nothing_bursts_later(test *t)
{
	house h;
	make_house(t, &h, true, 0);
	double highest = 0.0;
	int first = -1, fractures = 0;
	static rbl_body_id ids[BREAKABLE_MOST];
	for (int step = 0; step < STEPS; ++step) {
		CHECK(t, rbl_world_step(h.s.world, DT) == RBL_OK);
		int count = rbl_world_get_events(h.s.world).fracture_count;
		fractures += count;
		if (first < 0 && count > 0)
			first = step;
		double energy = breakable_sums(h.s.world).energy;
		// The ball's energy, and what walls of four tonnes have as they fall.
		CHECK(t, energy < 47000.0 + 4100.0 * 9.81 * 1.0);
		if (first >= 0 && step == first)
			highest = energy;
		int bodies = rbl_world_get_bodies(h.s.world, ids, BREAKABLE_MOST);
		for (int i = 0; i < bodies; ++i)
			CHECK(t, rbl_length(rbl_body_velocity(h.s.world, ids[i])) < 25.0f);
	}
	CHECK(t, first >= 0 && fractures > 0 && highest < 47001.0);
	destroy_house(&h);
}

TEST_MAIN(TEST(a_house_breaks_in_the_step_of_the_hit), TEST(the_ball_keeps_the_laws),
          TEST(nothing_bursts_later))
