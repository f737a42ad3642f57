// SPDX-License-Identifier: MIT
// A break that needs more than the budget of a step ends later, with the same pieces.

#include "../test.h"
#include "breakable.h"

static const rbl_vec3 down = { 0.0f, -1.0f, 0.0f };

static void make(test *t, breakable *b, int budget, int workers)
{
	breakable_prepare(t, b, NULL, 3);
	rbl_world_def def = scene_def(&b->s, workers);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.fracture_budget = budget;
	scene_create(&b->s, &def);
}

typedef struct course {
	int steps, events, pieces;
	uint64_t hash; // of the pieces of all events, in order
} course;

// Step until nothing is left to break.
static course finish(test *t, breakable *b)
{
	course c = { .hash = 1 };
	do {
		CHECK(t, rbl_world_step(b->s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b->s.world);
		c.steps++;
		c.events += e.fracture_count;
		for (int k = 0; k < e.fracture_count; ++k) {
			c.pieces += e.fractures[k].new_count;
			for (int i = 0; i < e.fractures[k].new_count; ++i) {
				rbl_vec3 at = rbl_body_get_state(b->s.world, e.fractures[k].new_bodies[i]).centre;
				float mass = rbl_body_get_mass(b->s.world, e.fractures[k].new_bodies[i]).mass;
				c.hash = rbl_hash_bytes(rbl_hash_bytes(c.hash, &at, sizeof at), &mass, sizeof mass);
			}
		}
	} while (rbl_world_get_stats(b->s.world).breaking_count > 0 && c.steps < 1000);
	return c;
}

static void a_break_in_many_steps_gives_the_same_pieces(test *t)
{
	course first = { 0 };
	const int budgets[] = { 0, 1, 20, 60 };
	for (int i = 0; i < 4; ++i) {
		breakable b;
		make(t, &b, budgets[i], 1 + i);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.2f, 0.1f, 0.0f }, down, INFINITY,
		                         100.0f) == RBL_OK);
		course c = finish(t, &b);
		CHECK(t, c.events == 1 && c.pieces > 10);
		if (i == 0)
			first = c;
		CHECK(t, c.hash == first.hash && c.pieces == first.pieces);
		CHECK(t, i == 0 ? c.steps == 1 : c.steps > 1);
		breakable_destroy(&b);
	}
}

// Two blows: the second waits, and meets what is left by the first.
static void a_second_blow_waits_for_the_first(test *t)
{
	course courses[2];
	for (int i = 0; i < 2; ++i) {
		breakable b;
		make(t, &b, i == 0 ? 0 : 50, 1);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		for (int k = 0; k < 2; ++k)
			CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ k ? 0.5f : -0.5f, 0.5f, 0.5f },
			                         down, 0.5f, 100.0f) == RBL_OK);
		courses[i] = finish(t, &b);
		breakable_destroy(&b);
	}
	CHECK(t, courses[0].events == 2 && courses[0].steps == 1);
	CHECK(t, courses[1].events == 2 && courses[1].steps > 1);
	CHECK(t, courses[0].hash == courses[1].hash);
}

// A body on its way to breaking moves on, can be moved, and can be destroyed with its pattern.
static void a_body_may_go_while_it_breaks(test *t)
{
	breakable b;
	make(t, &b, 1, 1);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.0f, 0.5f, 0.0f }, down, INFINITY,
	                         100.0f) == RBL_OK);
	scene_steps(&b.s, 2);
	CHECK(t, rbl_world_get_stats(b.s.world).breaking_count == 1);
	CHECK(t, rbl_destroy_body(b.s.world, body) == RBL_OK);
	rbl_destroy_pattern(b.pattern);
	b.pattern = NULL;
	scene_steps(&b.s, 3);
	CHECK(t, rbl_world_get_stats(b.s.world).breaking_count == 0);
	CHECK(t, rbl_world_body_count(b.s.world) == 0);
	breakable_destroy(&b);
}

static void what_moves_on_breaks_where_it_was_hit(test *t)
{
	breakable b;
	make(t, &b, 1, 1);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	def.velocity = (rbl_vec3){ 3.0f, 0.0f, 0.0f };
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.5f, 0.5f, 0.5f }, down, 0.4f, 100.0f) ==
	             RBL_OK);
	int steps = 0;
	while (rbl_world_get_events(b.s.world).fracture_count == 0 && ++steps < 1000)
		scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, steps > 2 && e.fracture_count == 1);
	if (e.fracture_count == 1) {
		CHECK_NEAR(t, e.fractures[0].point.x, 0.5f + 0.05f * (float)steps, 1e-4);
		CHECK(t, e.fractures[0].cause == RBL_FRACTURE_BLOW);
		for (int i = 0; i < e.fractures[0].new_count; ++i)
			CHECK_NEAR(t, rbl_body_velocity(b.s.world, e.fractures[0].new_bodies[i]).x, 3.0, 1e-5);
	}
	breakable_destroy(&b);
}

// A small break beside a large one is not kept waiting.
static void small_breaks_do_not_wait_for_large_ones(test *t)
{
	breakable b;
	make(t, &b, 64, 1);
	rbl_body_id ids[2];
	for (int i = 0; i < 2; ++i) {
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		def.pose.position.x = 5.0f * (float)i;
		ids[i] = rbl_create_body(b.s.world, &def);
	}
	CHECK(t, rbl_body_damage(b.s.world, ids[0], (rbl_vec3){ 0.0f, 0.0f, 0.0f }, down, INFINITY,
	                         100.0f) == RBL_OK);
	CHECK(t, rbl_body_damage(b.s.world, ids[1], (rbl_vec3){ 5.5f, 0.5f, 0.5f }, down, 0.15f,
	                         100.0f) == RBL_OK);
	int when[2] = { 0, 0 };
	for (int step = 1; step < 200 && (!when[0] || !when[1]); ++step) {
		scene_steps(&b.s, 1);
		rbl_events e = rbl_world_get_events(b.s.world);
		for (int k = 0; k < e.fracture_count; ++k)
			when[e.fractures[k].parent.index == ids[1].index] = step;
	}
	CHECK(t, when[1] > 0 && when[1] < when[0]);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(a_break_in_many_steps_gives_the_same_pieces),
          TEST(a_second_blow_waits_for_the_first), TEST(a_body_may_go_while_it_breaks),
          TEST(what_moves_on_breaks_where_it_was_hit),
          TEST(small_breaks_do_not_wait_for_large_ones))
