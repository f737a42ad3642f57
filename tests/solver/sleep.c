// SPDX-License-Identifier: MIT
// Sleep: what rests costs nothing, one ring stays awake, and what is disturbed wakes in time.

#include "solver/check.h"
#include "solver/yard.h"

#include "faulty_allocator.h"

static bool is_asleep(const yard *y, int thing)
{
	return rbl_solver_is_asleep(y->solver, y->things[thing].body);
}

static bool list_has(rbl_solver_list list, int32_t body)
{
	for (int i = 0; i < list.count; ++i)
		if (list.indices[i] == body)
			return true;
	return false;
}

// A row of boxes side by side, all touching their neighbours.
static void add_row(yard *y, int count, int boxes[])
{
	yard_add_ground(y);
	for (int i = 0; i < count; ++i)
		boxes[i] = yard_add_box(y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f,
		                        (rbl_vec3){ 0.402f * (float)i, 0.2f, 0.0f });
}

static void rest_costs_nothing(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	yard y;
	yard_begin(&y, &def);
	yard_add_pile(&y, 100, 1.3f);
	int slept = 0;
	for (int i = 0; i < 400; ++i) {
		yard_step(&y);
		slept += rbl_solver_fell_asleep(y.solver).count - rbl_solver_woke(y.solver).count;
		CHECK(t, solver_is_sound(y.solver));
	}
	rbl_solver_counts counts = rbl_solver_count(y.solver);
	CHECK(t, counts.awake_bodies == 0 && counts.awake_contacts == 0 && slept == 100);
	CHECK(t, counts.sleeping_contacts > 100 && rbl_solver_awake(y.solver).count == 0);
	// A ball wakes what it hits, and then all sleeps again.
	int ball = yard_add_ball(&y, 0.3f, 100.0f, (rbl_vec3){ 0.0f, 4.0f, 0.0f });
	rbl_solver_set_velocity(y.solver, y.things[ball].body, (rbl_vec3){ 0.0f, -5.0f, 0.0f },
	                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	int most = 0;
	for (int i = 0; i < 500; ++i) {
		yard_step(&y);
		most = rbl_maxi(most, rbl_solver_count(y.solver).awake_bodies);
		CHECK(t, solver_is_sound(y.solver));
	}
	CHECK(t, most > 5 && rbl_solver_count(y.solver).awake_bodies <= 5);
	yard_end(&y);
}

static void one_ring_stays_awake_beside_what_moves(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	yard y;
	yard_begin(&y, &def);
	int boxes[10];
	add_row(&y, 10, boxes);
	rbl_solver_body restless = rbl_solver_body_values(y.solver, y.things[boxes[0]].body);
	restless.can_sleep = false;
	rbl_solver_set_body(y.solver, y.things[boxes[0]].body, &restless);
	// The first one hops on its place.
	for (int i = 0; i < 120; ++i) {
		rbl_solver_set_velocity(y.solver, y.things[boxes[0]].body,
		                        (rbl_vec3){ 0.0f, i % 2 ? 0.9f : -0.9f, 0.0f },
		                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		yard_step(&y);
		CHECK(t, solver_is_sound(y.solver));
	}
	CHECK(t, !is_asleep(&y, boxes[0]));
	for (int i = 4; i < 10; ++i)
		CHECK(t, is_asleep(&y, boxes[i]));
	yard_end(&y);
}

// A ball rolls over a slab: a light one disturbs nobody, and a heavy one wakes it.
static void what_cannot_move_a_body_does_not_keep_it_awake(test *t)
{
	for (int is_heavy = 0; is_heavy < 2; ++is_heavy) {
		rbl_solver_def def = rbl_default_solver_def();
		yard y;
		yard_begin(&y, &def);
		yard_add_ground(&y);
		int slab = yard_add_box(&y, (rbl_vec3){ 5.0f, 0.2f, 5.0f }, 20000.0f,
		                        (rbl_vec3){ 0.0f, 0.2f, 0.0f });
		for (int i = 0; i < 60; ++i)
			yard_step(&y);
		CHECK(t, rbl_solver_is_asleep(y.solver, y.things[slab].body));
		int ball =
			yard_add_ball(&y, 0.2f, is_heavy ? 5000.0f : 5.0f, (rbl_vec3){ -3.0f, 0.61f, 0.0f });
		rbl_solver_set_velocity(y.solver, y.things[ball].body, (rbl_vec3){ 1.0f, 0.0f, 0.0f },
		                        (rbl_vec3){ 0.0f, 0.0f, -5.0f });
		int awake = 0;
		for (int i = 0; i < 120; ++i) {
			yard_step(&y);
			awake += !rbl_solver_is_asleep(y.solver, y.things[slab].body);
			CHECK(t, solver_is_sound(y.solver));
		}
		CHECK(t, yard_centre(&y, ball).x > -2.0f && yard_centre(&y, ball).y > 0.58f);
		CHECK(t, is_heavy ? awake > 60 : awake == 0);
		yard_end(&y);
	}
}

// Two boxes side by side asleep; then one creeps by 5 mm along the other.
static void what_stirs_grows_with_size(test *t)
{
	for (int is_large = 0; is_large < 2; ++is_large) {
		rbl_solver_def def = rbl_default_solver_def();
		float half = is_large ? 0.6f : 0.1f;
		yard y;
		yard_begin(&y, &def);
		yard_add_ground(&y);
		int boxes[2];
		for (int i = 0; i < 2; ++i)
			boxes[i] = yard_add_box(&y, (rbl_vec3){ half, half, half }, 20.0f,
			                        (rbl_vec3){ (2.0f * half + 0.002f) * (float)i, half, 0.0f });
		for (int i = 0; i < 60; ++i)
			yard_step(&y);
		CHECK(t, is_asleep(&y, boxes[0]) && is_asleep(&y, boxes[1]));
		bool woke = false;
		for (int i = 0; i < 200 && yard_centre(&y, boxes[0]).z < 0.005f; ++i) {
			rbl_solver_set_velocity(y.solver, y.things[boxes[0]].body,
			                        (rbl_vec3){ 0.0f, 0.0f, 0.04f },
			                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
			yard_step(&y);
			woke |= !is_asleep(&y, boxes[1]);
		}
		CHECK(t, yard_centre(&y, boxes[0]).z >= 0.005f && woke == (is_large == 0));
		yard_end(&y);
	}
}

// The first of a row moves along it: a step later its neighbour is awake, and the next only after a hit.
static void only_what_is_fast_wakes_two_hops(test *t)
{
	for (int is_bullet = 0; is_bullet < 2; ++is_bullet) {
		rbl_solver_def def = rbl_default_solver_def();
		yard y;
		yard_begin(&y, &def);
		int boxes[5];
		add_row(&y, 5, boxes);
		for (int i = 0; i < 60; ++i)
			yard_step(&y);
		CHECK(t, is_asleep(&y, boxes[0]) && is_asleep(&y, boxes[1]) && is_asleep(&y, boxes[2]));
		rbl_solver_set_velocity(y.solver, y.things[boxes[0]].body,
		                        (rbl_vec3){ 0.0f, 0.0f, is_bullet ? 3.0f : 0.5f },
		                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		yard_step(&y);
		CHECK(t, !is_asleep(&y, boxes[1]) && is_asleep(&y, boxes[3]));
		CHECK(t, is_asleep(&y, boxes[2]) == (is_bullet == 0));
		yard_end(&y);
	}
}

static void whole_islands_sleep_when_parts_may_not(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	def.can_freeze = false;
	yard y;
	yard_begin(&y, &def);
	int boxes[6];
	add_row(&y, 6, boxes);
	int alone =
		yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f, (rbl_vec3){ 0.0f, 0.2f, 5.0f });
	rbl_solver_body restless = rbl_solver_body_values(y.solver, y.things[boxes[0]].body);
	restless.can_sleep = false;
	rbl_solver_set_body(y.solver, y.things[boxes[0]].body, &restless);
	yard_run(&y, 60);
	CHECK(t, is_asleep(&y, alone));
	for (int i = 0; i < 6; ++i)
		CHECK(t, !is_asleep(&y, boxes[i]));
	CHECK(t, rbl_solver_count(y.solver).islands >= 1);
	restless.can_sleep = true;
	rbl_solver_set_body(y.solver, y.things[boxes[0]].body, &restless);
	yard_run(&y, 60);
	for (int i = 0; i < 6; ++i)
		CHECK(t, is_asleep(&y, boxes[i]));
	yard_end(&y);
}

static void what_loses_its_support_wakes(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	yard y;
	yard_begin(&y, &def);
	yard_add_ground(&y);
	int lower =
		yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f, (rbl_vec3){ 0.0f, 0.2f, 0.0f });
	int upper =
		yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f, (rbl_vec3){ 0.0f, 0.6f, 0.0f });
	yard_run(&y, 90);
	CHECK(t, is_asleep(&y, lower) && is_asleep(&y, upper));
	yard_remove(&y, lower);
	CHECK(t, !is_asleep(&y, upper) && list_has(rbl_solver_woke(y.solver), y.things[upper].body));
	yard_run(&y, 120);
	CHECK_NEAR(t, yard_centre(&y, upper).y, 0.2f, 0.005f);
	CHECK(t, is_asleep(&y, upper) && solver_is_sound(y.solver));
	yard_end(&y);
}

// Regression: contacts that found no place among those that sleep were lost, and what slept without them did not
// hear of it when its support went.
static void what_has_no_memory_for_its_contacts_stays_awake(test *t)
{
	for (int by_call = 0; by_call < 2; ++by_call) {
		faulty_allocator memory;
		faulty_init(&memory, INT64_MAX);
		rbl_solver_def def = rbl_default_solver_def();
		def.allocator = FAULTY(&memory);
		yard y;
		yard_begin(&y, &def);
		yard_add_ground(&y);
		int lower =
			yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f, (rbl_vec3){ 0.0f, 0.2f, 0.0f });
		int upper =
			yard_add_box(&y, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f, (rbl_vec3){ 0.0f, 0.6f, 0.0f });
		yard_run(&y, 20);
		atomic_store(&memory.allowed, 0);
		if (by_call)
			CHECK(t, rbl_solver_sleep(y.solver, y.things[lower].body) == RBL_OUT_OF_MEMORY);
		yard_run(&y, by_call ? 1 : 70);
		CHECK(t, memory.failed && !is_asleep(&y, lower) && solver_is_sound(y.solver));
		CHECK_NEAR(t, yard_centre(&y, upper).y, 0.6f, 0.005f);
		atomic_store(&memory.allowed, INT64_MAX);
		yard_run(&y, 70);
		CHECK(t, is_asleep(&y, lower) && is_asleep(&y, upper));
		yard_remove(&y, lower);
		CHECK(t, !is_asleep(&y, upper));
		yard_run(&y, 60);
		CHECK_NEAR(t, yard_centre(&y, upper).y, 0.2f, 0.005f);
		yard_end(&y);
		CHECK(t, memory.live_bytes == 0);
	}
}

static void calls_wake_and_kinematic_bodies_stir(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	yard y;
	yard_begin(&y, &def);
	int boxes[3];
	add_row(&y, 3, boxes);
	yard_run(&y, 90);
	CHECK(t, is_asleep(&y, boxes[0]) && is_asleep(&y, boxes[2]));
	rbl_solver_wake(y.solver, y.things[boxes[0]].body);
	yard_step(&y);
	CHECK(t, !is_asleep(&y, boxes[0]) && is_asleep(&y, boxes[2]));
	rbl_solver_sleep(y.solver, y.things[boxes[0]].body);
	CHECK(t, is_asleep(&y, boxes[0]));
	// The first becomes kinematic and moves away from the others, which notice.
	rbl_solver_body pusher = rbl_solver_body_values(y.solver, y.things[boxes[0]].body);
	pusher.kind = RBL_SOLVER_KINEMATIC;
	rbl_solver_set_body(y.solver, y.things[boxes[0]].body, &pusher);
	yard_run(&y, 60);
	rbl_solver_set_velocity(y.solver, y.things[boxes[0]].body, (rbl_vec3){ 0.5f, 0.0f, 0.0f },
	                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	yard_run(&y, 30);
	CHECK(t, yard_centre(&y, boxes[1]).x > 0.5f && yard_centre(&y, boxes[2]).x > 0.9f);
	CHECK_NEAR(t, yard_centre(&y, boxes[0]).x, 0.25f, 0.01f);
	rbl_solver_set_can_sleep(y.solver, false);
	yard_run(&y, 90);
	CHECK(t, !is_asleep(&y, boxes[2]) && solver_is_sound(y.solver));
	rbl_vec3 before = yard_centre(&y, boxes[2]);
	rbl_solver_shift(y.solver, (rbl_vec3){ 0.0f, 64.0f, 0.0f });
	CHECK(t, yard_centre(&y, boxes[2]).y == before.y + 64.0f);
	yard_end(&y);
}

TEST_MAIN(TEST(what_has_no_memory_for_its_contacts_stays_awake), TEST(rest_costs_nothing),
          TEST(one_ring_stays_awake_beside_what_moves),
          TEST(what_cannot_move_a_body_does_not_keep_it_awake), TEST(what_stirs_grows_with_size),
          TEST(only_what_is_fast_wakes_two_hops), TEST(whole_islands_sleep_when_parts_may_not),
          TEST(what_loses_its_support_wakes), TEST(calls_wake_and_kinematic_bodies_stir))
