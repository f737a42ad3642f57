// SPDX-License-Identifier: MIT
// Debris at rest: frozen and unfrozen, and removed where there is too much. Always reported.

#include "../test.h"
#include "breakable.h"
#include "faulty_allocator.h"

#include "world/world.h"

#include <limits.h>

static void make(test *t, breakable *b, float freeze_time, int body_limit, int debris_limit)
{
	breakable_prepare(t, b, NULL, 2);
	b->level.energy = 1e9; // only blows break
	rbl_world_def def = scene_def(&b->s, 1);
	def.freeze_time = freeze_time;
	def.body_limit = body_limit, def.debris_limit = debris_limit;
	scene_create(&b->s, &def);
	scene_add_floor(&b->s);
}

// A box on the floor falls into pieces.
static void shatter(test *t, breakable *b, float x)
{
	rbl_body_def def = breakable_def(b, RBL_BODY_DYNAMIC);
	def.pose.position = (rbl_vec3){ x, 0.5f, 0.0f };
	rbl_body_id body = rbl_create_body(b->s.world, &def);
	CHECK(t, rbl_body_damage(b->s.world, body, (rbl_vec3){ x, 0.5f, 0.0f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f) == RBL_OK);
}

typedef struct counts {
	int frozen, unfrozen, removed;
} counts;

static counts run(test *t, breakable *b, int steps)
{
	counts c = { 0, 0, 0 };
	for (int i = 0; i < steps; ++i) {
		CHECK(t, rbl_world_step(b->s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b->s.world);
		for (int k = 0; k < e.retire_count; ++k) {
			c.frozen += e.retires[k].what == RBL_RETIRED_FROZEN;
			c.unfrozen += e.retires[k].what == RBL_RETIRED_UNFROZEN;
			c.removed += e.retires[k].what == RBL_RETIRED_REMOVED;
			bool is_gone = e.retires[k].what == RBL_RETIRED_REMOVED;
			CHECK(t, rbl_body_exists(b->s.world, e.retires[k].body) == !is_gone);
			CHECK(t, e.retires[k].mass > 0.0f);
		}
	}
	return c;
}

static void settled_debris_freezes_and_a_blow_beside_it_wakes_nothing(test *t)
{
	breakable b;
	make(t, &b, 0.5f, 0, 0);
	shatter(t, &b, 0.0f);
	counts c = run(t, &b, 400);
	int debris = rbl_world_get_stats(b.s.world).debris_count;
	CHECK(t, debris > 20 && c.frozen >= debris - 2 && c.removed == 0);
	CHECK(t, rbl_world_get_stats(b.s.world).awake_count == 0);
	// A ball falls on it, and nothing but what it pushes away would stir.
	rbl_body_def ball = scene_body(b.s.ball, 0.1f, 3.0f, 0.0f);
	rbl_create_body(b.s.world, &ball);
	int most = 0;
	for (int i = 0; i < 120; ++i) {
		scene_steps(&b.s, 1);
		int awake = rbl_world_get_stats(b.s.world).awake_count;
		most = awake > most ? awake : most;
	}
	CHECK(t, most >= 1 && most < debris / 2);
	breakable_destroy(&b);
}

// What it lay on goes: it falls.
static void frozen_debris_does_not_hang_in_the_air(test *t)
{
	breakable b;
	make(t, &b, 0.3f, 0, 0);
	rbl_body_def table = scene_body(b.s.floor, 0.0f, 4.5f, 0.0f);
	table.kind = RBL_BODY_STATIC;
	rbl_body_id board = rbl_create_body(b.s.world, &table);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	def.pose.position = (rbl_vec3){ 0.0f, 5.5f, 0.0f };
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.0f, 5.5f, 0.0f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f) == RBL_OK);
	counts c = run(t, &b, 400);
	CHECK(t, c.frozen > 20);
	CHECK(t, rbl_destroy_body(b.s.world, board) == RBL_OK);
	c = run(t, &b, 300);
	CHECK(t, c.unfrozen > 20);
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
	for (int i = 0; i < count; ++i)
		CHECK(t, rbl_body_get_state(b.s.world, ids[i]).centre.y < 2.0f);
	breakable_destroy(&b);
}

static void a_call_unfreezes_what_it_changes(test *t)
{
	breakable b;
	make(t, &b, 0.3f, 0, 0);
	shatter(t, &b, 0.0f);
	scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	rbl_body_id chip = e.fractures[0].new_bodies[0]; // the topmost
	for (int i = 1; i < e.fractures[0].new_count; ++i)
		if (rbl_body_bounds(b.s.world, e.fractures[0].new_bodies[i]).upper.y >
		    rbl_body_bounds(b.s.world, chip).upper.y)
			chip = e.fractures[0].new_bodies[i];
	run(t, &b, 300);
	CHECK(t, !rbl_body_is_awake(b.s.world, chip));
	rbl_transform pose = rbl_body_pose(b.s.world, chip);
	pose.position.y += 3.0f;
	CHECK(t, rbl_body_set_pose(b.s.world, chip, pose) == RBL_OK);
	CHECK(t, rbl_body_is_awake(b.s.world, chip));
	float y = rbl_body_get_state(b.s.world, chip).centre.y;
	scene_steps(&b.s, 20);
	CHECK(t, rbl_body_get_state(b.s.world, chip).centre.y < y - 0.3f);
	rbl_body_damage(b.s.world, chip, rbl_body_get_state(b.s.world, chip).centre,
	                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f);
	scene_steps(&b.s, 60);
	CHECK(t, rbl_world_get_stats(b.s.world).lost_count == 0);
	breakable_destroy(&b);
}

// More debris than is allowed: the smallest and oldest that sleeps goes, nothing else does.
static void too_much_debris_is_removed_and_reported(test *t)
{
	breakable b;
	make(t, &b, 0.0f, 0, 60);
	rbl_body_id other = scene_add(&b.s, b.s.box, 20.0f, 0.25f, 0.0f);
	for (int i = 0; i < 4; ++i)
		shatter(t, &b, 3.0f * (float)i);
	counts c = run(t, &b, 2);
	int born = rbl_world_get_stats(b.s.world).debris_count;
	CHECK(t, born > 100 && c.removed == 0); // all of it is awake
	c = run(t, &b, 400);
	CHECK(t, c.removed == born - 60 && c.frozen == 0);
	CHECK(t, rbl_world_get_stats(b.s.world).debris_count == 60);
	CHECK(t, rbl_body_exists(b.s.world, other));
	breakable_destroy(&b);
}

// The first steps that remove something, with memory that runs out after n allocations: before there is room for
// an event, or for what the broad phase has to keep in mind of a body that goes.
static void no_event_is_lost_twice_when_memory_runs_out(test *t)
{
	for (int n = 0; n < 6; ++n) {
		breakable b;
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX);
		breakable_prepare(t, &b, NULL, 2);
		b.level.energy = 1e9;
		rbl_world_def def = scene_def(&b.s, 1);
		def.debris_limit = 5;
		def.allocator = FAULTY(&memory);
		scene_create(&b.s, &def);
		scene_add_floor(&b.s);
		for (int i = 0; i < 4; ++i)
			shatter(t, &b, 3.0f * (float)i);
		for (int step = 0; step < 400; ++step) {
			const rbl_world *world = b.s.world;
			if (step > 2 && world->retires.capacity == 0)
				memory.allowed = n;
			rbl_world_step(b.s.world, 1.0f / 60.0f);
			memory.allowed = LLONG_MAX;
			rbl_events e = rbl_world_get_events(b.s.world);
			CHECK(t, e.retire_count >= 0 && e.lost_count >= 0);
		}
		// Where it ran out all the time no step was made; now it is as if nothing had been.
		for (int step = 0; step < 400 && rbl_world_get_stats(b.s.world).debris_count > 5; ++step)
			rbl_world_step(b.s.world, 1.0f / 60.0f);
		CHECK(t, rbl_world_get_stats(b.s.world).debris_count == 5);
		breakable_destroy(&b);
	}
}

static void too_many_bodies_are_reported_too(test *t)
{
	breakable b;
	make(t, &b, 0.0f, 50, 0);
	shatter(t, &b, 0.0f);
	shatter(t, &b, 3.0f);
	counts c = run(t, &b, 400);
	CHECK(t, c.removed > 0 && rbl_world_body_count(b.s.world) == 50);
	breakable_destroy(&b);
}

static void limits_are_checked(test *t)
{
	rbl_world *world = NULL;
	rbl_world_def def = rbl_default_world_def();
	def.freeze_time = -1.0f;
	CHECK(t, rbl_create_world(&def, &world) == RBL_BAD_ARGUMENT);
	def.freeze_time = 0.0f, def.debris_limit = -1;
	CHECK(t, rbl_create_world(&def, &world) == RBL_BAD_ARGUMENT);
	def.debris_limit = 0, def.body_limit = -1;
	CHECK(t, rbl_create_world(&def, &world) == RBL_BAD_ARGUMENT);
}

// A break wakes what leaned on the broken piece, and in the same step that may have slept long enough.
static void what_a_break_wakes_is_not_frozen(test *t)
{
	breakable b;
	make(t, &b, 0.4f, 0, 0);
	b.rule.min_size = 0.02;
	for (int i = 0; i < 4; ++i)
		shatter(t, &b, 0.9f * (float)i);
	rbl_random random = rbl_random_from_seed(4);
	static rbl_body_id ids[BREAKABLE_MOST];
	int wrong = 0;
	for (int step = 0; step < 400; ++step) {
		int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
		rbl_body_id hit = ids[rbl_random_below(&random, (uint32_t)count)];
		if (step > 90)
			rbl_body_damage(b.s.world, hit, rbl_body_get_state(b.s.world, hit).centre,
			                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2e9f);
		scene_steps(&b.s, 1);
		const rbl_world *world = b.s.world;
		count = rbl_world_get_bodies(world, ids, BREAKABLE_MOST);
		for (int i = 0; i < count; ++i)
			wrong += (world->motions[ids[i].index].flags & RBL_BODY_FROZEN) &&
			         !rbl_solver_is_asleep(world->solver, world->bodies[ids[i].index].solver_body);
	}
	CHECK(t, wrong == 0);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(settled_debris_freezes_and_a_blow_beside_it_wakes_nothing),
          TEST(frozen_debris_does_not_hang_in_the_air), TEST(a_call_unfreezes_what_it_changes),
          TEST(too_much_debris_is_removed_and_reported),
          TEST(no_event_is_lost_twice_when_memory_runs_out), TEST(too_many_bodies_are_reported_too),
          TEST(limits_are_checked), TEST(what_a_break_wakes_is_not_frozen))
