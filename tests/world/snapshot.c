// SPDX-License-Identifier: MIT
// ctest: soak threads
// Snapshots: a world that was loaded goes on like the one that was saved, to the last bit.

#include "../test.h"
#include "busy.h"

enum { PILE = 25, LONG = 600 };

// Hashes of an uninterrupted course, and snapshots on the way.
typedef struct course {
	busy b;
	uint64_t hashes[2 * LONG];
} course;

static bool same_bytes(const rbl_world *a, const rbl_world *b)
{
	size_t m, n;
	unsigned char *x = busy_save(a, &m), *y = busy_save(b, &n);
	bool same = x && y && m == n && memcmp(x, y, m) == 0;
	free(x), free(y);
	return same;
}

// Load in place of the world of a second course, and take it on for some steps.
static void go_on(test *t, const unsigned char *bytes, size_t size, const busy *from, int step,
                  int steps, int workers, const uint64_t *hashes)
{
	busy b;
	busy_prepare(&b, workers);
	memcpy(b.bodies, from->bodies, sizeof b.bodies);
	b.hinge = from->hinge;
	rbl_world_def def = busy_world_def(&b);
	rbl_sources sources = busy_sources(&b);
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &b.s.world) == RBL_OK);
	if (b.s.world) {
		size_t again_size;
		unsigned char *again = busy_save(b.s.world, &again_size);
		CHECK(t, again_size == size && memcmp(again, bytes, size) == 0);
		free(again);
		int differs = -1;
		for (int i = step; i < step + steps && differs < 0; ++i)
			if (busy_step(&b, i) != hashes[i])
				differs = i;
		if (differs >= 0)
			printf("saved before step %d, workers %d: step %d differs\n", step, workers, differs);
		CHECK(t, differs < 0);
	}
	busy_destroy(&b);
}

// At many steps, also in the middle of breaks; saving does not change the course either.
static void a_world_goes_on_where_it_was_saved(test *t)
{
	enum { MOST = 40 };
	static course c;
	int last = test_count(156, LONG), interval = test_count(26, 16), steps = test_count(18, LONG);
	busy undisturbed;
	busy_create(&undisturbed, 1, PILE);
	busy_create(&c.b, 1, PILE);
	unsigned char *saved[MOST];
	size_t sizes[MOST];
	int at[MOST], count = 0, breaking = 0, slept = 0;
	for (int i = 0; i < last + steps; ++i) {
		if (i < last && i % interval == 0 && count < MOST) {
			at[count] = i;
			saved[count] = busy_save(c.b.s.world, &sizes[count]);
			CHECK(t, saved[count] != NULL);
			breaking += rbl_world_get_stats(c.b.s.world).breaking_count > 0;
			count++;
		}
		c.hashes[i] = busy_step(&c.b, i);
		CHECK(t, busy_step(&undisturbed, i) == c.hashes[i]);
		rbl_world_stats stats = rbl_world_get_stats(c.b.s.world);
		slept += stats.awake_count + stats.static_count < stats.body_count;
	}
	CHECK(t, same_bytes(undisturbed.s.world, c.b.s.world));
	CHECK(t, breaking > 0 && slept > 0);
	CHECK(t, rbl_world_get_stats(c.b.s.world).failed_bond_count > 0);
	busy_destroy(&undisturbed);
	for (int i = 0; i < count; ++i) {
		go_on(t, saved[i], sizes[i], &c.b, at[i], steps, 1 << i % 3, c.hashes);
		free(saved[i]);
	}
	busy_destroy(&c.b);
}

// The long way: 600 steps for 1, 2 and 4 workers.
static void hashes_agree_for_600_steps(test *t)
{
	static course c;
	int steps = test_count(60, LONG);
	busy_create(&c.b, 1, PILE);
	unsigned char *bytes = NULL;
	size_t size = 0;
	for (int i = 0; i < 55 + steps; ++i) {
		if (i == 55)
			bytes = busy_save(c.b.s.world, &size);
		c.hashes[i] = busy_step(&c.b, i);
	}
	for (int workers = 1; workers <= 4; workers *= 2)
		go_on(t, bytes, size, &c.b, 55, steps, workers, c.hashes);
	free(bytes);
	busy_destroy(&c.b);
}

static void detection_alone_goes_on_too(test *t)
{
	busy b;
	busy_prepare(&b, 1);
	rbl_world_def def = busy_world_def(&b);
	def.detects_only = true;
	rbl_create_world(&def, &b.s.world);
	scene_add_floor(&b.s);
	scene_add_pile(&b.s, 20, 1);
	scene_steps(&b.s, 3);
	size_t size;
	unsigned char *bytes = busy_save(b.s.world, &size);
	rbl_sources sources = rbl_default_sources();
	rbl_world *back = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_OK);
	for (int i = 0; i < 5 && back; ++i) {
		rbl_body_id bodies[30];
		int count = rbl_world_get_bodies(back, bodies, 30);
		for (int k = 1; k < count; ++k) {
			rbl_transform pose = rbl_body_pose(back, bodies[k]);
			pose.position.y -= 0.05f;
			rbl_body_set_pose(back, bodies[k], pose);
			rbl_body_set_pose(b.s.world, bodies[k], pose);
		}
		rbl_world_step(back, 0.01f);
		rbl_world_step(b.s.world, 0.01f);
		CHECK(t, busy_hash(back) == busy_hash(b.s.world));
	}
	CHECK(t, same_bytes(back, b.s.world));
	rbl_destroy_world(back);
	free(bytes);
	busy_destroy(&b);
}

// A world as it is after it was saved and loaded; NULL when that is refused.
static rbl_world *copy_of(const rbl_world *world, const rbl_sources *sources)
{
	rbl_world_def def = rbl_default_world_def();
	size_t size;
	unsigned char *bytes = busy_save(world, &size);
	rbl_world *copy = NULL;
	rbl_world_load(bytes, size, &def, sources, &copy);
	free(bytes);
	return copy;
}

// Regression: a sleeper that was made static was awake from the next step on, and could not be
// loaded.
static void a_sleeper_made_static_is_loaded_too(test *t)
{
	for (int steps = 0; steps < 4; ++steps) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		rbl_body_def box = scene_body(s.box, 0.0f, 1.0f, 0.0f);
		box.is_awake = false;
		rbl_body_id body = rbl_create_body(s.world, &box);
		scene_steps(&s, steps & 1);
		CHECK(t, rbl_body_set_kind(s.world, body, RBL_BODY_STATIC) == RBL_OK);
		scene_steps(&s, steps / 2);
		CHECK(t, rbl_world_get_events(s.world).sleep_count == 0);
		CHECK(t, !rbl_body_is_awake(s.world, body));
		rbl_sources none = rbl_default_sources();
		rbl_world *loaded = copy_of(s.world, &none);
		CHECK(t, loaded && same_bytes(loaded, s.world));
		rbl_destroy_world(loaded);
		scene_destroy(&s);
	}
}

// Regression: what a definition holds and does not use was kept, and could not be loaded.
static void joints_of_any_definition_are_loaded_too(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_HINGE);
	joint.body_a = scene_add(&s, s.box, 0.0f, 1.0f, 0.0f);
	joint.body_b = scene_add(&s, s.box, 0.0f, 2.0f, 0.0f);
	joint.lower_angle = NAN, joint.upper_angle = -INFINITY;
	joint.motor_speed = INFINITY, joint.motor_torque = NAN;
	CHECK(t, rbl_create_joint(s.world, &joint).generation != 0);
	rbl_sources none = rbl_default_sources();
	rbl_world *loaded = copy_of(s.world, &none);
	CHECK(t, loaded && same_bytes(loaded, s.world));
	rbl_destroy_world(loaded);
	scene_destroy(&s);
}

// Regression: breaks of a body that was destroyed since the last step came back with a snapshot,
// and were dropped only when the budget reached them.
static void breaks_of_a_destroyed_body_are_over(test *t)
{
	int begun = 0;
	for (int steps = 1; steps < 20; ++steps) {
		busy b;
		busy_prepare(&b, 1);
		rbl_world_def def = busy_world_def(&b);
		def.should_collide = NULL;
		def.budget = 65; // a slice for each
		rbl_create_world(&def, &b.s.world);
		rbl_body_id bodies[3];
		for (int i = 0; i < 3; ++i) {
			bodies[i] = busy_add_asset(&b, 0, b.breaking, 3.0f * (float)i, 20.0f, 0.0f);
			rbl_vec3 at = { 3.0f * (float)i, 20.0f, 0.5f };
			rbl_body_damage(b.s.world, bodies[i], at, (rbl_vec3){ 0.0f, 0.0f, -1.0f }, INFINITY,
			                900.0f);
		}
		scene_steps(&b.s, steps);
		begun += rbl_world_get_stats(b.s.world).breaking_count == 3;
		rbl_destroy_body(b.s.world, bodies[2]);
		rbl_sources sources = busy_sources(&b);
		rbl_world *loaded = copy_of(b.s.world, &sources);
		scene_steps(&b.s, 1);
		rbl_world_step(loaded, 1.0f / 60.0f);
		CHECK(t, loaded && same_bytes(loaded, b.s.world));
		rbl_destroy_world(loaded);
		busy_destroy(&b);
	}
	CHECK(t, begun > 0);
}

// Regression: what had gone farther than ten times RBL_MAX_POSITION could be saved and not loaded.
static void what_is_far_away_is_loaded_too(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	scene_add(&s, s.box, 0.0f, 1.0f, 0.0f);
	const rbl_vec3 offset = { 999936.0f, 0.0f, 0.0f };
	int shifts = 0;
	while (shifts < 200 && rbl_world_shift_origin(s.world, offset) == RBL_OK)
		shifts++;
	CHECK(t, shifts == 100); // there nobody can follow
	scene_steps(&s, 2);
	CHECK(t, rbl_world_get_stats(s.world).rescued_count == 0);
	size_t size = 0;
	CHECK(t, rbl_world_save(s.world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(s.world, bytes, &size) == RBL_OK);
	rbl_sources none = rbl_default_sources();
	rbl_world *loaded = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &none, &loaded) == RBL_OK);
	CHECK(t, rbl_world_hash(loaded) == rbl_world_hash(s.world));
	rbl_destroy_world(loaded);
	free(bytes);
	scene_destroy(&s);
}

// Regression: margins grow with the length scale, and were compared with a metre.
static void small_bodies_of_a_large_world_are_loaded_too(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.length_scale = 1000.0f;
	scene_create(&s, &def);
	scene_add(&s, s.box, 0.0f, 1.0f, 0.0f);
	scene_steps(&s, 2);
	rbl_sources none = rbl_default_sources();
	rbl_world *loaded = copy_of(s.world, &none);
	CHECK(t, loaded && same_bytes(loaded, s.world));
	rbl_destroy_world(loaded);
	scene_destroy(&s);
}

// What a contact leaves behind in a lane that is no longer used is not saved, and decides nothing.
static void what_was_removed_leaves_no_trace(test *t)
{
	rbl_sources none = rbl_default_sources();
	const rbl_vec3 still = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < 8; ++i) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_body_def ball = scene_body(s.ball, 0.0f, 0.25f, 0.0f);
		rbl_body_id balls[2];
		for (int k = 0; k < 2; ++k) {
			ball.pose.position.x = (float)k;
			ball.material.rolling_resistance = k ? 0.1f : 0.0f;
			balls[k] = rbl_create_body(s.world, &ball);
		}
		scene_steps(&s, 2);
		rbl_vec3 spin = { i & 1 ? -1.0f : 1.0f, i & 2 ? -2.0f : 2.0f, i & 4 ? -3.0f : 3.0f };
		CHECK(t, rbl_destroy_body(s.world, balls[1]) == RBL_OK);
		CHECK(t, rbl_body_set_velocity(s.world, balls[0], still, spin) == RBL_OK);
		rbl_world *copy = copy_of(s.world, &none);
		CHECK(t, copy && same_bytes(copy, s.world));
		for (int k = 0; k < 3; ++k) {
			CHECK(t, rbl_world_step(copy, 1.0f / 60.0f) == RBL_OK);
			scene_steps(&s, 1);
			CHECK(t, same_bytes(copy, s.world));
		}
		rbl_destroy_world(copy);
		scene_destroy(&s);
	}
}

TEST_MAIN(TEST(what_is_far_away_is_loaded_too), TEST(small_bodies_of_a_large_world_are_loaded_too),
          TEST(a_sleeper_made_static_is_loaded_too), TEST(joints_of_any_definition_are_loaded_too),
          TEST(breaks_of_a_destroyed_body_are_over), TEST(a_world_goes_on_where_it_was_saved),
          TEST(hashes_agree_for_600_steps), TEST(detection_alone_goes_on_too),
          TEST(what_was_removed_leaves_no_trace))
