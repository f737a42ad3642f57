// SPDX-License-Identifier: MIT
// Sleeping: bodies at rest cost nothing, contact neighbours of moving bodies stay awake, and what
// is disturbed wakes in time.

#include "solver/validate.h"
#include "solver/test_world.h"

#include "faulty_allocator.h"

static bool is_asleep(const test_world *w, int object)
{
	return rbl_solver_is_asleep(w->solver, w->objects[object].body);
}

static bool list_has(rbl_solver_list list, int32_t body)
{
	for (int i = 0; i < list.count; ++i)
		if (list.indices[i] == body)
			return true;
	return false;
}

// A row of boxes side by side, all touching their neighbours.
static void add_row(test_world *w, int count, int boxes[])
{
	test_world_add_ground(w);
	for (int i = 0; i < count; ++i)
		boxes[i] = test_world_add_box(w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f,
		                              (rbl_vec3){ 0.402f * (float)i, 0.2f, 0.0f });
}

static void sleeping_bodies_cost_nothing(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	test_world w;
	test_world_begin(&w, &def);
	test_world_add_pile(&w, 100, 1.3f);
	int slept = 0;
	for (int i = 0; i < 400; ++i) {
		test_world_step(&w);
		slept += rbl_solver_fell_asleep(w.solver).count - rbl_solver_woke(w.solver).count;
		CHECK(t, solver_is_valid(w.solver));
	}
	rbl_solver_counts counts = rbl_solver_count(w.solver);
	CHECK(t, counts.awake_bodies == 0 && counts.awake_contacts == 0 && slept == 100);
	CHECK(t, counts.sleeping_contacts > 100 && rbl_solver_awake(w.solver).count == 0);
	// A ball wakes what it hits, and then all sleeps again.
	int ball = test_world_add_ball(&w, 0.3f, 100.0f, (rbl_vec3){ 0.0f, 4.0f, 0.0f });
	rbl_solver_set_velocity(w.solver, w.objects[ball].body, (rbl_vec3){ 0.0f, -5.0f, 0.0f },
	                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	int most = 0;
	for (int i = 0; i < 500; ++i) {
		test_world_step(&w);
		most = rbl_maxi(most, rbl_solver_count(w.solver).awake_bodies);
		CHECK(t, solver_is_valid(w.solver));
	}
	CHECK(t, most > 5 && rbl_solver_count(w.solver).awake_bodies <= 5);
	test_world_end(&w);
}

static void contact_neighbours_of_moving_bodies_stay_awake(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	test_world w;
	test_world_begin(&w, &def);
	int boxes[10];
	add_row(&w, 10, boxes);
	rbl_solver_body sleepless = rbl_solver_body_values(w.solver, w.objects[boxes[0]].body);
	sleepless.can_sleep = false;
	rbl_solver_set_body(w.solver, w.objects[boxes[0]].body, &sleepless);
	// The first one hops in place.
	for (int i = 0; i < 120; ++i) {
		rbl_solver_set_velocity(w.solver, w.objects[boxes[0]].body,
		                        (rbl_vec3){ 0.0f, i % 2 ? 0.9f : -0.9f, 0.0f },
		                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		test_world_step(&w);
		CHECK(t, solver_is_valid(w.solver));
	}
	CHECK(t, !is_asleep(&w, boxes[0]));
	for (int i = 4; i < 10; ++i)
		CHECK(t, is_asleep(&w, boxes[i]));
	test_world_end(&w);
}

// A ball rolls over a sleeping slab: a light one does not wake it, and a heavy one does.
static void light_bodies_keep_no_heavy_ones_awake(test *t)
{
	for (int is_heavy = 0; is_heavy < 2; ++is_heavy) {
		rbl_solver_def def = rbl_default_solver_def();
		test_world w;
		test_world_begin(&w, &def);
		test_world_add_ground(&w);
		int slab = test_world_add_box(&w, (rbl_vec3){ 5.0f, 0.2f, 5.0f }, 20000.0f,
		                              (rbl_vec3){ 0.0f, 0.2f, 0.0f });
		for (int i = 0; i < 60; ++i)
			test_world_step(&w);
		CHECK(t, rbl_solver_is_asleep(w.solver, w.objects[slab].body));
		int ball = test_world_add_ball(&w, 0.2f, is_heavy ? 5000.0f : 5.0f,
		                               (rbl_vec3){ -3.0f, 0.61f, 0.0f });
		rbl_solver_set_velocity(w.solver, w.objects[ball].body, (rbl_vec3){ 1.0f, 0.0f, 0.0f },
		                        (rbl_vec3){ 0.0f, 0.0f, -5.0f });
		int awake = 0;
		for (int i = 0; i < 120; ++i) {
			test_world_step(&w);
			awake += !rbl_solver_is_asleep(w.solver, w.objects[slab].body);
			CHECK(t, solver_is_valid(w.solver));
		}
		CHECK(t, test_world_centre(&w, ball).x > -2.0f && test_world_centre(&w, ball).y > 0.58f);
		CHECK(t, is_heavy ? awake > 60 : awake == 0);
		test_world_end(&w);
	}
}

// Two boxes side by side asleep; then one creeps by 5 mm along the other.
static void the_wake_threshold_grows_with_size(test *t)
{
	for (int is_large = 0; is_large < 2; ++is_large) {
		rbl_solver_def def = rbl_default_solver_def();
		float half = is_large ? 0.6f : 0.1f;
		test_world w;
		test_world_begin(&w, &def);
		test_world_add_ground(&w);
		int boxes[2];
		for (int i = 0; i < 2; ++i)
			boxes[i] =
				test_world_add_box(&w, (rbl_vec3){ half, half, half }, 20.0f,
			                       (rbl_vec3){ (2.0f * half + 0.002f) * (float)i, half, 0.0f });
		for (int i = 0; i < 60; ++i)
			test_world_step(&w);
		CHECK(t, is_asleep(&w, boxes[0]) && is_asleep(&w, boxes[1]));
		bool woke = false;
		for (int i = 0; i < 200 && test_world_centre(&w, boxes[0]).z < 0.005f; ++i) {
			rbl_solver_set_velocity(w.solver, w.objects[boxes[0]].body,
			                        (rbl_vec3){ 0.0f, 0.0f, 0.04f },
			                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
			test_world_step(&w);
			woke |= !is_asleep(&w, boxes[1]);
		}
		CHECK(t, test_world_centre(&w, boxes[0]).z >= 0.005f && woke == (is_large == 0));
		test_world_end(&w);
	}
}

// The first of a row moves along it: a step later its neighbour is awake, and the next only after a
// hit.
static void only_fast_bodies_wake_two_hops(test *t)
{
	for (int is_fast = 0; is_fast < 2; ++is_fast) {
		rbl_solver_def def = rbl_default_solver_def();
		test_world w;
		test_world_begin(&w, &def);
		int boxes[5];
		add_row(&w, 5, boxes);
		for (int i = 0; i < 60; ++i)
			test_world_step(&w);
		CHECK(t, is_asleep(&w, boxes[0]) && is_asleep(&w, boxes[1]) && is_asleep(&w, boxes[2]));
		rbl_solver_set_velocity(w.solver, w.objects[boxes[0]].body,
		                        (rbl_vec3){ 0.0f, 0.0f, is_fast ? 3.0f : 0.5f },
		                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		test_world_step(&w);
		CHECK(t, !is_asleep(&w, boxes[1]) && is_asleep(&w, boxes[3]));
		CHECK(t, is_asleep(&w, boxes[2]) == (is_fast == 0));
		test_world_end(&w);
	}
}

static void bodies_that_lose_support_wake(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	test_world w;
	test_world_begin(&w, &def);
	test_world_add_ground(&w);
	int lower = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f,
	                               (rbl_vec3){ 0.0f, 0.2f, 0.0f });
	int upper = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f,
	                               (rbl_vec3){ 0.0f, 0.6f, 0.0f });
	test_world_run(&w, 90);
	CHECK(t, is_asleep(&w, lower) && is_asleep(&w, upper));
	test_world_remove(&w, lower);
	CHECK(t, !is_asleep(&w, upper) && list_has(rbl_solver_woke(w.solver), w.objects[upper].body));
	test_world_run(&w, 120);
	CHECK_NEAR(t, test_world_centre(&w, upper).y, 0.2f, 0.005f);
	CHECK(t, is_asleep(&w, upper) && solver_is_valid(w.solver));
	test_world_end(&w);
}

// Regression: contacts that found no room in the sleeping list were lost, and a body that slept
// without them did not wake when its support was removed.
static void a_body_without_memory_for_its_contacts_stays_awake(test *t)
{
	for (int by_call = 0; by_call < 2; ++by_call) {
		faulty_allocator memory;
		faulty_init(&memory, INT64_MAX);
		rbl_solver_def def = rbl_default_solver_def();
		def.allocator = FAULTY(&memory);
		test_world w;
		test_world_begin(&w, &def);
		test_world_add_ground(&w);
		int lower = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f,
		                               (rbl_vec3){ 0.0f, 0.2f, 0.0f });
		int upper = test_world_add_box(&w, (rbl_vec3){ 0.2f, 0.2f, 0.2f }, 20.0f,
		                               (rbl_vec3){ 0.0f, 0.6f, 0.0f });
		test_world_run(&w, 20);
		atomic_store(&memory.allowed, 0);
		if (by_call)
			CHECK(t, rbl_solver_sleep(w.solver, w.objects[lower].body) == RBL_OUT_OF_MEMORY);
		test_world_run(&w, by_call ? 1 : 70);
		CHECK(t, memory.failed && !is_asleep(&w, lower) && solver_is_valid(w.solver));
		CHECK_NEAR(t, test_world_centre(&w, upper).y, 0.6f, 0.005f);
		atomic_store(&memory.allowed, INT64_MAX);
		test_world_run(&w, 70);
		CHECK(t, is_asleep(&w, lower) && is_asleep(&w, upper));
		test_world_remove(&w, lower);
		CHECK(t, !is_asleep(&w, upper));
		test_world_run(&w, 60);
		CHECK_NEAR(t, test_world_centre(&w, upper).y, 0.2f, 0.005f);
		test_world_end(&w);
		CHECK(t, memory.live_bytes == 0);
	}
}

static void calls_and_kinematic_bodies_wake(test *t)
{
	rbl_solver_def def = rbl_default_solver_def();
	test_world w;
	test_world_begin(&w, &def);
	int boxes[3];
	add_row(&w, 3, boxes);
	test_world_run(&w, 90);
	CHECK(t, is_asleep(&w, boxes[0]) && is_asleep(&w, boxes[2]));
	rbl_solver_wake(w.solver, w.objects[boxes[0]].body);
	test_world_step(&w);
	CHECK(t, !is_asleep(&w, boxes[0]) && is_asleep(&w, boxes[2]));
	rbl_solver_sleep(w.solver, w.objects[boxes[0]].body);
	CHECK(t, is_asleep(&w, boxes[0]));
	// The first becomes kinematic and moves away from the others, which notice.
	rbl_solver_body pusher = rbl_solver_body_values(w.solver, w.objects[boxes[0]].body);
	pusher.kind = RBL_SOLVER_KINEMATIC;
	rbl_solver_set_body(w.solver, w.objects[boxes[0]].body, &pusher);
	test_world_run(&w, 60);
	rbl_solver_set_velocity(w.solver, w.objects[boxes[0]].body, (rbl_vec3){ 0.5f, 0.0f, 0.0f },
	                        (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	test_world_run(&w, 30);
	CHECK(t, test_world_centre(&w, boxes[1]).x > 0.5f && test_world_centre(&w, boxes[2]).x > 0.9f);
	CHECK_NEAR(t, test_world_centre(&w, boxes[0]).x, 0.25f, 0.01f);
	rbl_solver_set_can_sleep(w.solver, false);
	test_world_run(&w, 90);
	CHECK(t, !is_asleep(&w, boxes[2]) && solver_is_valid(w.solver));
	rbl_vec3 before = test_world_centre(&w, boxes[2]);
	rbl_solver_shift(w.solver, (rbl_vec3){ 0.0f, 64.0f, 0.0f });
	CHECK(t, test_world_centre(&w, boxes[2]).y == before.y + 64.0f);
	test_world_end(&w);
}

TEST_MAIN(TEST(a_body_without_memory_for_its_contacts_stays_awake),
          TEST(sleeping_bodies_cost_nothing), TEST(contact_neighbours_of_moving_bodies_stay_awake),
          TEST(light_bodies_keep_no_heavy_ones_awake), TEST(the_wake_threshold_grows_with_size),
          TEST(only_fast_bodies_wake_two_hops), TEST(bodies_that_lose_support_wake),
          TEST(calls_and_kinematic_bodies_wake))
