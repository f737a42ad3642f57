// SPDX-License-Identifier: MIT
// ctest: soak
//
// Contacts in the solver: graph coloring, the overflow, warm starting, and a storm of random calls
// while memory runs out.

#include "solver/validate.h"
#include "solver/test_world.h"

#include "base/math.h"
#include "faulty_allocator.h"

static rbl_manifold manifold_of(rbl_vec3 at, uint32_t first_id, int count)
{
	rbl_manifold m = { .normal = { 0.0f, 1.0f, 0.0f }, .point_count = count };
	for (int i = 0; i < count; ++i) {
		rbl_vec3 corner = { at.x + (i & 1 ? 0.1f : -0.1f), at.y, at.z + (i & 2 ? 0.1f : -0.1f) };
		m.points[i] = (rbl_manifold_point){ .position = corner,
			                                .separation = -0.001f,
			                                .id = first_id + (uint32_t)i };
	}
	return m;
}

static void a_pile_is_colored_validly(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_pile(&w, 120, 1.3f);
	for (int i = 0; i < 120; ++i) {
		test_world_step(&w);
		CHECK(t, solver_is_valid(w.solver));
	}
	rbl_solver_counts counts = rbl_solver_count(w.solver);
	CHECK(t, counts.bodies == 125 && counts.awake_bodies == 120 && counts.overflow == 0);
	CHECK(t, counts.colors > 4 && counts.colors < 24);
	CHECK(t, counts.contacts >= counts.awake_contacts && counts.awake_contacts > 150);
	CHECK(t, counts.bytes > 10000);
	test_world_end(&w);
}

// A slab on more boxes than there are colors: the rest share it within their blocks.
static void slabs_on_many_posts_use_the_overflow(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	test_world_add_ground(&w);
	for (int i = 0; i < 100; ++i)
		test_world_add_box(&w, (rbl_vec3){ 0.1f, 0.1f, 0.1f }, 2.0f,
		                   (rbl_vec3){ 0.4f * (float)(i % 10), 0.1f, 0.4f * (float)(i / 10) });
	int slab = test_world_add_box(&w, (rbl_vec3){ 2.2f, 0.1f, 2.2f }, 100.0f,
	                              (rbl_vec3){ 1.8f, 0.3f, 1.8f });
	test_world_run(&w, 60);
	CHECK(t, solver_is_valid(w.solver));
	CHECK(t, rbl_solver_count(w.solver).overflow == 100 - RBL_SOLVER_COLORS);
	CHECK_NEAR(t, test_world_centre(&w, slab).y, 0.3f, 0.005f);
	test_world_end(&w);
}

static void impulses_follow_their_points(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	rbl_solver_body body = rbl_default_solver_body();
	int32_t bodies[2], contact;
	rbl_solver_body ground = body;
	ground.kind = RBL_SOLVER_STATIC;
	rbl_solver_body both[2] = { ground, body };
	both[1].centre.y = 0.5f;
	CHECK(t, rbl_solver_add_bodies(w.solver, both, 2, bodies) == RBL_OK);
	rbl_solver_contact def = { .a = bodies[0], .b = bodies[1], .friction = 0.5f };
	CHECK(t, rbl_solver_add_contacts(w.solver, &def, 1, &contact) == RBL_OK);
	rbl_manifold m = manifold_of((rbl_vec3){ 0.0f, 0.0f, 0.0f }, 10, 4);
	CHECK(t, !rbl_solver_update_manifold(w.solver, contact, &m)); // it begins to touch
	CHECK(t, rbl_solver_set_manifold(w.solver, contact, &m) == RBL_OK);
	for (int i = 0; i < 30; ++i)
		rbl_solver_step(w.solver, w.dt, 8, w.gravity);
	float load = rbl_solver_report_contact(w.solver, contact).normal_impulse;
	CHECK_NEAR(t, load, 9.81f / 480.0f, 1e-3f); // its weight, for one sub-step
	// The same features in another order, then other features at the same places, keep it.
	rbl_manifold other = m;
	other.points[0] = m.points[3], other.points[3] = m.points[0];
	CHECK(t, rbl_solver_update_manifold(w.solver, contact, &other));
	CHECK_NEAR(t, rbl_solver_report_contact(w.solver, contact).normal_impulse, load, 1e-6f);
	for (int i = 0; i < 4; ++i)
		other.points[i].id += 100;
	CHECK(t, rbl_solver_update_manifold(w.solver, contact, &other));
	CHECK_NEAR(t, rbl_solver_report_contact(w.solver, contact).normal_impulse, load, 1e-6f);
	// Other features elsewhere begin with nothing.
	other = manifold_of((rbl_vec3){ 3.0f, 0.0f, 0.0f }, 500, 3);
	CHECK(t, rbl_solver_update_manifold(w.solver, contact, &other));
	CHECK(t, rbl_solver_report_contact(w.solver, contact).normal_impulse == 0.0f);
	rbl_manifold none = { .point_count = 0 };
	CHECK(t, !rbl_solver_update_manifold(w.solver, contact, &none));
	CHECK(t, rbl_solver_set_manifold(w.solver, contact, &none) == RBL_OK);
	CHECK(t, rbl_solver_report_contact(w.solver, contact).point_count == 0);
	CHECK(t, solver_is_valid(w.solver));
	test_world_end(&w);
}

// Regression: the patch radius of an old contact decided which impulses a new one in its slot kept,
// when its second manifold came before the next step.
static void a_new_contact_inherits_nothing_from_its_slot(test *t)
{
	test_world w;
	test_world_begin(&w, NULL);
	rbl_solver_body bodies[3] = { rbl_default_solver_body(), rbl_default_solver_body(),
		                          rbl_default_solver_body() };
	bodies[0].kind = RBL_SOLVER_STATIC;
	bodies[1].centre = bodies[2].centre = (rbl_vec3){ 0.0f, 0.5f, 0.0f };
	int32_t at[3], contacts[2];
	CHECK(t, rbl_solver_add_bodies(w.solver, bodies, 3, at) == RBL_OK);
	rbl_solver_contact defs[2] = { { .a = at[0], .b = at[1] }, { .a = at[0], .b = at[2] } };
	CHECK(t, rbl_solver_add_contacts(w.solver, defs, 2, contacts) == RBL_OK);
	rbl_manifold wide = manifold_of((rbl_vec3){ 0.0f, 0.0f, 0.0f }, 10, 4);
	for (int i = 0; i < 4; ++i)
		wide.points[i].position = rbl_scale(20.0f, wide.points[i].position);
	for (int i = 0; i < 2; ++i)
		CHECK(t, rbl_solver_set_manifold(w.solver, contacts[i], &wide) == RBL_OK);
	for (int i = 0; i < 3; ++i)
		rbl_solver_step(w.solver, w.dt, 8, w.gravity);
	CHECK(t, rbl_solver_report_contact(w.solver, contacts[1]).peak_impulse > 0.0f);
	rbl_solver_remove_contacts(w.solver, &contacts[1], 1);
	CHECK(t, rbl_solver_add_contacts(w.solver, &defs[1], 1, &contacts[1]) == RBL_OK);
	rbl_manifold small = manifold_of((rbl_vec3){ 0.0f, 0.0f, 0.0f }, 50, 1);
	CHECK(t, rbl_solver_bind_contact(w.solver, contacts[1], &defs[1], &small, 2.0f) == RBL_OK);
	rbl_solver_contact_report report = rbl_solver_report_contact(w.solver, contacts[1]);
	CHECK(t, report.peak_impulse == 0.0f && report.approach_speed == 0.0f);
	CHECK(t, report.normal_impulse == 2.0f);
	small = manifold_of((rbl_vec3){ 0.1f, 0.0f, 0.0f }, 60, 1);
	CHECK(t, rbl_solver_update_manifold(w.solver, contacts[1], &small));
	CHECK(t, rbl_solver_report_contact(w.solver, contacts[1]).normal_impulse == 0.0f);
	test_world_end(&w);
}

// Twenty bodies on the ground begin to touch, and every other one that touched before ceases to.
static void touch(test *t, test_world *w, bool in_halves, rbl_solver_contact_report reports[40])
{
	enum { COUNT = 40 };
	test_world_begin(w, NULL);
	rbl_solver_body bodies[COUNT + 1];
	rbl_solver_contact defs[COUNT];
	int32_t at[COUNT + 1], contacts[COUNT];
	for (int i = 0; i <= COUNT; ++i) {
		bodies[i] = rbl_default_solver_body();
		bodies[i].kind = i == 0 ? RBL_SOLVER_STATIC : RBL_SOLVER_DYNAMIC;
		bodies[i].centre = (rbl_vec3){ (float)i, i == 0 ? 0.0f : 0.5f, 0.0f };
	}
	CHECK(t, rbl_solver_add_bodies(w->solver, bodies, COUNT + 1, at) == RBL_OK);
	for (int i = 0; i < COUNT; ++i)
		defs[i] =
			(rbl_solver_contact){ .a = at[0], .b = at[i + 1], .friction = 0.1f * (float)(i % 9) };
	CHECK(t, rbl_solver_add_contacts(w->solver, defs, COUNT, contacts) == RBL_OK);
	rbl_manifold none = { .point_count = 0 };
	for (int round = 0; round < 2; ++round) {
		for (int i = 20 * round; i < 20 * round + 20; ++i) {
			rbl_manifold m = manifold_of((rbl_vec3){ (float)(i + 1), 0.0f, 0.0f }, 10, 1 + i % 4);
			if (in_halves)
				CHECK(t, rbl_solver_begin_touch(w->solver, contacts[i]) == RBL_OK);
			else
				CHECK(t, rbl_solver_set_manifold(w->solver, contacts[i], &m) == RBL_OK);
			if (round == 1 && i % 2) // the last lane of the list moves, written or not
				CHECK(t, rbl_solver_set_manifold(w->solver, contacts[i - 20], &none) == RBL_OK);
		}
		for (int i = 20 * round + 19; in_halves && i >= 20 * round; --i) {
			rbl_manifold m = manifold_of((rbl_vec3){ (float)(i + 1), 0.0f, 0.0f }, 10, 1 + i % 4);
			rbl_solver_write_manifold(w->solver, contacts[i], &m);
		}
		CHECK(t, solver_is_valid(w->solver));
		for (int i = 0; i < 5; ++i)
			rbl_solver_step(w->solver, w->dt, 8, w->gravity);
	}
	for (int i = 0; i < COUNT; ++i)
		reports[i] = rbl_solver_report_contact(w->solver, contacts[i]);
}

static void manifolds_may_be_written_in_halves(test *t)
{
	test_world whole, halves;
	rbl_solver_contact_report expected[40], reports[40];
	touch(t, &whole, false, expected);
	touch(t, &halves, true, reports);
	for (int i = 0; i < 40; ++i) {
		CHECK(t, (expected[i].point_count > 0) == (i >= 20 || i % 2 == 0));
		CHECK(t, expected[i].point_count == 0 || expected[i].normal_impulse > 0.0f);
		CHECK(t, reports[i].point_count == expected[i].point_count);
		CHECK(t, reports[i].normal_impulse == expected[i].normal_impulse);
		CHECK(t, reports[i].separation == expected[i].separation);
	}
	test_world_end(&whole);
	test_world_end(&halves);
}

static void bad_definitions_are_refused(test *t)
{
	rbl_solver *solver;
	rbl_solver_def def = rbl_default_solver_def();
	def.contact_hertz = NAN;
	CHECK(t, rbl_create_solver(&def, &solver) == RBL_BAD_ARGUMENT && !solver);
	def = rbl_default_solver_def();
	def.sleep_time = -1.0f;
	CHECK(t, rbl_create_solver(&def, &solver) == RBL_BAD_ARGUMENT && !solver);
	def = rbl_default_solver_def();
	def.allocator.user = &def;
	def.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_solver(&def, &solver) == RBL_BAD_ARGUMENT && !solver);
	def = rbl_default_solver_def();
	CHECK(t, rbl_create_solver(&def, &solver) == RBL_OK);
	CHECK(t, rbl_solver_step(solver, NAN, 8, (rbl_vec3){ 0.0f, 0.0f, 0.0f }) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_solver_step(solver, 0.1f, 0, (rbl_vec3){ 0.0f, 0.0f, 0.0f }) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_solver_step(solver, 0.0f, 1, (rbl_vec3){ 0.0f, 0.0f, 0.0f }) == RBL_OK);
	rbl_destroy_solver(solver);
	rbl_destroy_solver(NULL);
}

enum { STORM_OBJECTS = 60 };

typedef struct storm {
	rbl_solver *solver;
	rbl_random random;
	int32_t bodies[STORM_OBJECTS], contacts[STORM_OBJECTS], joints[STORM_OBJECTS];
	int32_t ends[STORM_OBJECTS][2], joint_ends[STORM_OBJECTS][2]; // places in bodies
	uint64_t hash;
} storm;

static void forget_body(storm *w, int at)
{
	for (int i = 0; i < STORM_OBJECTS; ++i) {
		if (w->contacts[i] >= 0 && (w->ends[i][0] == at || w->ends[i][1] == at))
			w->contacts[i] = -1;
		if (w->joints[i] >= 0 && (w->joint_ends[i][0] == at || w->joint_ends[i][1] == at))
			w->joints[i] = -1;
	}
	w->bodies[at] = -1;
}

static bool pick_two(storm *w, int ends[2])
{
	ends[0] = (int)rbl_random_below(&w->random, STORM_OBJECTS);
	ends[1] = (int)rbl_random_below(&w->random, STORM_OBJECTS);
	return ends[0] != ends[1] && w->bodies[ends[0]] >= 0 && w->bodies[ends[1]] >= 0;
}

static void storm_body(storm *w, int at)
{
	rbl_solver_body body = rbl_default_solver_body();
	body.kind = (rbl_solver_kind)rbl_random_below(&w->random, 5);
	body.kind = body.kind > RBL_SOLVER_DYNAMIC ? RBL_SOLVER_DYNAMIC : body.kind;
	body.is_asleep = rbl_random_below(&w->random, 3) == 0;
	body.centre = (rbl_vec3){ rbl_random_float(&w->random), rbl_random_float(&w->random), 0.0f };
	if (w->bodies[at] >= 0) {
		if (rbl_random_below(&w->random, 3)) {
			rbl_solver_set_body(w->solver, w->bodies[at], &body);
			return;
		}
		rbl_solver_remove_bodies(w->solver, &w->bodies[at], 1);
		forget_body(w, at);
	} else if (rbl_solver_add_bodies(w->solver, &body, 1, &w->bodies[at]) != RBL_OK) {
		w->bodies[at] = -1;
	}
}

static void storm_contact(storm *w, int at)
{
	int ends[2];
	if (w->contacts[at] >= 0 && rbl_random_below(&w->random, 4) == 0) {
		rbl_solver_remove_contacts(w->solver, &w->contacts[at], 1);
		w->contacts[at] = -1;
	} else if (w->contacts[at] >= 0) {
		rbl_manifold m =
			manifold_of((rbl_vec3){ rbl_random_float(&w->random), 0.0f, 0.0f },
		                rbl_random_below(&w->random, 4), (int)rbl_random_below(&w->random, 5));
		rbl_solver_set_manifold(w->solver, w->contacts[at], &m);
		rbl_solver_contact material = { .friction = 0.5f,
			                            .restitution = rbl_random_float(&w->random) };
		rbl_solver_set_material(w->solver, w->contacts[at], &material);
	} else if (pick_two(w, ends)) {
		rbl_solver_contact def = { .a = w->bodies[ends[0]],
			                       .b = w->bodies[ends[1]],
			                       .friction = 0.5f };
		if (rbl_solver_add_contacts(w->solver, &def, 1, &w->contacts[at]) != RBL_OK)
			w->contacts[at] = -1;
		w->ends[at][0] = ends[0], w->ends[at][1] = ends[1];
	}
}

static void storm_joint(storm *w, int at)
{
	int ends[2];
	if (w->joints[at] >= 0) {
		rbl_solver_remove_joint(w->solver, w->joints[at]);
		w->joints[at] = -1;
	} else if (pick_two(w, ends)) {
		rbl_solver_joint def = rbl_default_solver_joint();
		def.kind = (rbl_solver_joint_kind)rbl_random_below(&w->random, 3);
		def.a = w->bodies[ends[0]], def.b = w->bodies[ends[1]];
		def.break_force = rbl_random_below(&w->random, 2) ? 50.0f : 0.0f;
		def.has_motor = def.has_limits = true;
		def.motor_torque = def.motor_speed = 1.0f;
		if (rbl_solver_add_joint(w->solver, &def, &w->joints[at]) != RBL_OK)
			w->joints[at] = -1;
		w->joint_ends[at][0] = ends[0], w->joint_ends[at][1] = ends[1];
	}
}

// Random calls. @return false when the solver could not even be made
static bool run_storm(storm *w, const rbl_allocator *allocator, int count, test *t, bool checks)
{
	rbl_solver_def def = rbl_default_solver_def();
	def.allocator = *allocator;
	def.sleep_time = 0.05f;
	if (rbl_create_solver(&def, &w->solver) != RBL_OK)
		return false;
	for (int i = 0; i < STORM_OBJECTS; ++i)
		w->bodies[i] = w->contacts[i] = w->joints[i] = -1;
	w->random = rbl_random_from_seed(5);
	for (int i = 0; i < count; ++i) {
		int at = (int)rbl_random_below(&w->random, STORM_OBJECTS);
		uint32_t what = rbl_random_below(&w->random, 20);
		int32_t body = w->bodies[at];
		if (what < 5)
			storm_body(w, at);
		else if (what < 13)
			storm_contact(w, at);
		else if (what < 14)
			storm_joint(w, at);
		else if (what < 15)
			rbl_solver_step(w->solver, 1.0f / 60.0f, 2, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
		else if (body >= 0 && what < 16)
			rbl_solver_sleep(w->solver, body);
		else if (body >= 0 && what < 17)
			rbl_solver_wake(w->solver, body);
		else if (body >= 0 && what < 18)
			rbl_solver_set_velocity(w->solver, body, (rbl_vec3){ 0.1f, 0.0f, 0.0f },
			                        (rbl_vec3){ 0.0f, 1.0f, 0.0f });
		else if (body >= 0 && what < 19)
			rbl_solver_set_pose(w->solver, body, (rbl_vec3){ 0.0f, 0.0f, 0.0f },
			                    rbl_quat_identity());
		else if (body >= 0)
			rbl_solver_add_force(w->solver, body, (rbl_vec3){ 1.0f, 0.0f, 0.0f },
			                     (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		if (checks)
			CHECK(t, solver_is_valid(w->solver));
	}
	w->hash = RBL_HASH_START;
	for (int i = 0; i < STORM_OBJECTS; ++i)
		if (w->bodies[i] >= 0)
			w->hash = rbl_hash_bytes(w->hash, &rbl_solver_poses(w->solver)[w->bodies[i]],
			                         sizeof(rbl_solver_pose));
	rbl_destroy_solver(w->solver);
	return true;
}

static void a_storm_of_calls_leaves_a_valid_solver(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, INT64_MAX);
	storm w = { 0 };
	CHECK(t, run_storm(&w, &FAULTY(&memory), test_count(4000, 400000), t, true));
	uint64_t hash = w.hash;
	CHECK(t, memory.live_bytes == 0);
	CHECK(t, run_storm(&w, &FAULTY(&memory), test_count(4000, 400000), t, false));
	CHECK(t, w.hash == hash); // and it repeats
}

static void memory_may_run_out_anywhere(test *t)
{
	bool is_over = false;
	for (int allowed = 0; !is_over && allowed < 400; ++allowed) {
		faulty_allocator memory;
		faulty_init(&memory, allowed);
		storm w = { 0 };
		bool is_made = run_storm(&w, &FAULTY(&memory), 700, t, true);
		CHECK(t, is_made || memory.failed);
		CHECK(t, memory.live_bytes == 0);
		is_over = !memory.failed;
	}
	CHECK(t, is_over);
}

// Any allocation may fail, and the next may not.
static void memory_may_run_out_at_random(test *t)
{
	long long failed = 0;
	for (int seed = 0; seed < test_count(60, 10000); ++seed) {
		faulty_allocator memory;
		faulty_init(&memory, INT64_MAX);
		atomic_store(&memory.random, (unsigned long long)seed);
		atomic_store(&memory.odds, 2 + seed % 9);
		storm w = { 0 };
		(void)run_storm(&w, &FAULTY(&memory), 700, t, true);
		failed += memory.failed_count;
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, failed > 60);
}

TEST_MAIN(TEST(memory_may_run_out_at_random), TEST(a_pile_is_colored_validly),
          TEST(slabs_on_many_posts_use_the_overflow), TEST(impulses_follow_their_points),
          TEST(a_new_contact_inherits_nothing_from_its_slot),
          TEST(manifolds_may_be_written_in_halves), TEST(bad_definitions_are_refused),
          TEST(a_storm_of_calls_leaves_a_valid_solver), TEST(memory_may_run_out_anywhere))
