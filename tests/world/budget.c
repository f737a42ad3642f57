// SPDX-License-Identifier: MIT
// One budget for a step: who pays, what is left, and that it may change from step to step.

#include "../test.h"
#include "busy.h"
#include "tape.h"

// What is left is the budget less what was paid, and everyone gets a least share.
static void what_is_paid_and_what_is_left_add_up(test *t)
{
	busy b;
	busy_create(&b, 1, 12);
	int with_breaks = 0, with_stress = 0, spent = 0;
	for (int i = 0; i < 160; ++i) {
		int budget = 20 + 40 * (i % 7);
		CHECK(t, rbl_world_set_budget(b.s.world, budget) == RBL_OK);
		CHECK(t, rbl_world_budget(b.s.world) == budget);
		busy_step(&b, i);
		rbl_world_stats s = rbl_world_get_stats(b.s.world);
		CHECK(t, s.fracture_work >= 0 && s.stress_work >= 0);
		CHECK(t, s.budget_left <= budget - s.fracture_work - s.stress_work);
		with_breaks += s.fracture_work > 0;
		with_stress += s.stress_work > 0;
		spent += s.budget_left < 0;
		if (s.breaking_count > 0) // what waits has had its share
			CHECK(t, s.fracture_work >= budget / 4);
	}
	CHECK(t, with_breaks > 5 && with_stress > 5 && spent > 0);
	CHECK(t, rbl_world_set_budget(b.s.world, 0) == RBL_OK);
	busy_step(&b, 160);
	CHECK(t, rbl_world_get_stats(b.s.world).budget_left == 0);
	CHECK(t, rbl_world_get_stats(b.s.world).breaking_count == 0);
	busy_destroy(&b);
}

// As a governor would do it: budgets follow no rule that the world knows.
static uint64_t run_governed(test *t, int workers, int steps, bytes_tape *tape)
{
	busy b;
	busy_create(&b, workers, 12);
	rbl_random random = rbl_random_from_seed(5);
	rbl_recording_def def = tape_def(tape, true);
	CHECK(t, rbl_world_begin_recording(b.s.world, &def) == RBL_OK);
	uint64_t hash = 0;
	for (int i = 0; i < steps; ++i) {
		int budget = (int)rbl_random_below(&random, i % 5 == 0 ? 2000 : 60);
		CHECK(t, rbl_world_set_budget(b.s.world, budget) == RBL_OK);
		busy_step(&b, i);
		hash = rbl_world_hash(b.s.world);
	}
	CHECK(t, rbl_world_end_recording(b.s.world) == RBL_OK);
	busy_destroy(&b);
	return hash;
}

static void governed_runs_replay(test *t)
{
	int steps = test_count(100, 400);
	bytes_tape tape, other;
	uint64_t hash = run_governed(t, 1, steps, &tape), played = 0;
	rbl_sources none = rbl_default_sources();
	static const int workers[] = { 1, 5, RBL_MAX_WORKERS }; // more than any machine of ours has
	for (int i = 0; i < 3; ++i) {
		CHECK(t, tape_play(t, &tape, &none, workers[i], &played) == steps);
		CHECK(t, played == hash);
	}
	CHECK(t, run_governed(t, 3, steps, &other) == hash);
	free(tape.bytes), free(other.bytes);
}

static rbl_world *asked;
static rbl_result answer;

static bool change_the_budget(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)user, (void)a, (void)b;
	answer = rbl_world_set_budget(asked, 7);
	return true;
}

static void wrong_budgets_are_refused(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.should_collide = change_the_budget;
	scene_create(&s, &def);
	asked = s.world, answer = RBL_OK;
	int before = rbl_world_budget(s.world);
	CHECK(t, rbl_world_set_budget(s.world, -1) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_set_budget(NULL, 10) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_budget(NULL) == 0);
	scene_add_floor(&s);
	scene_add_pile(&s, 30, 1);
	for (int i = 0; i < 40; ++i)
		rbl_world_step(s.world, 1.0f / 60.0f);
	CHECK(t, answer == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_budget(s.world) == before);
	scene_destroy(&s);
}

TEST_MAIN(TEST(what_is_paid_and_what_is_left_add_up), TEST(governed_runs_replay),
          TEST(wrong_budgets_are_refused))
