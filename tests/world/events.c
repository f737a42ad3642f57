// SPDX-License-Identifier: MIT
// Events: what begins ends, hits are felt, sensors count, calls from callbacks wait.

#include "../test.h"
#include "scene.h"

// Begins less ends, over a whole run, are the pairs that touch at its end.
static void begins_and_ends_pair_up(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.can_sleep = false;
	scene_create(&s, &def);
	scene_add_floor(&s);
	scene_add_pile(&s, 100, 3);
	int open = 0, hits = 0;
	for (int i = 0; i < 200; ++i) {
		CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(s.world);
		open += e.begin_count - e.end_count;
		hits += e.hit_count;
		CHECK(t, e.lost_count == 0);
		for (int k = 0; k < e.begin_count; ++k)
			CHECK(t, rbl_body_exists(s.world, e.begins[k].body_a) &&
			             rbl_body_exists(s.world, e.begins[k].body_b));
		for (int k = 0; k < e.hit_count; ++k)
			CHECK(t,
			      e.hits[k].speed >= 1.0f && e.hits[k].impulse >= 0.0f && e.hits[k].energy >= 0.0f);
		if (i == 100) { // ends of a destroyed body are reported by the next step
			rbl_body_id bodies[101];
			rbl_world_get_bodies(s.world, bodies, 101);
			int touching = rbl_body_get_contacts(s.world, bodies[50], NULL, 0);
			CHECK(t, touching > 0);
			CHECK(t, rbl_destroy_body(s.world, bodies[50]) == RBL_OK);
		}
	}
	CHECK(t, open > 100 && hits > 50);
	rbl_body_id bodies[101];
	int count = rbl_world_get_bodies(s.world, bodies, 101);
	for (int i = 0; i < count; ++i)
		rbl_destroy_body(s.world, bodies[i]);
	CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, open == rbl_world_get_events(s.world).end_count);
	CHECK(t, rbl_world_body_count(s.world) == 0);
	CHECK(t, rbl_world_get_stats(s.world).pair_count == 0);
	scene_destroy(&s);
}

// Not a step later: what begins and gets its points is found by several passes.
static void begins_are_told_in_the_step_of_the_touch(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.249f, 0.0f); // 1 mm deep
	for (int i = 0; i < 10; ++i) {
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		CHECK(t, e.begin_count == (i == 0));
		for (int k = 0; k < e.begin_count; ++k)
			CHECK(t,
			      e.begins[k].body_a.index == box.index || e.begins[k].body_b.index == box.index);
		CHECK(t, i > 0 || rbl_body_get_contacts(s.world, box, NULL, 0) == 1);
	}
	scene_destroy(&s);
}

static void a_hit_tells_its_energy(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_def b = scene_body(s.ball, 0.0f, 1.0f, 0.0f);
	b.velocity = (rbl_vec3){ 0.0f, -5.0f, 0.0f };
	rbl_body_id ball = rbl_create_body(s.world, &b);
	float mass = rbl_body_get_mass(s.world, ball).mass;
	int hits = 0;
	for (int i = 0; i < 30; ++i) {
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		for (int k = 0; k < e.hit_count; ++k) {
			CHECK_NEAR(t, e.hits[k].speed, 5.0, 0.1);
			CHECK_NEAR(t, e.hits[k].energy, 12.5f * mass, 1.5f * mass);
			CHECK_NEAR(t, e.hits[k].impulse, 5.0f * mass, 0.5f * mass);
			CHECK_NEAR(t, fabsf(e.hits[k].normal.y), 1.0, 1e-3);
			hits++;
		}
	}
	CHECK(t, hits == 1);
	scene_destroy(&s);
}

static void sensors_see_who_comes_and_goes(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def zone = scene_body(s.box, 0.0f, 0.0f, 0.0f);
	zone.kind = RBL_BODY_STATIC;
	zone.is_sensor = true;
	rbl_body_id sensor = rbl_create_body(s.world, &zone);
	rbl_body_id ball = scene_add(&s, s.ball, 0.0f, 2.0f, 0.0f);
	int came = 0, left = 0;
	for (int i = 0; i < 90; ++i) {
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		for (int k = 0; k < e.sensor_count; ++k) {
			CHECK(t, e.sensors[k].sensor.index == sensor.index);
			CHECK(t, e.sensors[k].visitor.index == ball.index);
			came += e.sensors[k].is_inside, left += !e.sensors[k].is_inside;
		}
		CHECK(t, e.begin_count == 0 && e.hit_count == 0);
	}
	CHECK(t, came == 1 && left == 1);
	CHECK(t, rbl_body_pose(s.world, ball).position.y < -3.0f);

	// One that is destroyed inside has left.
	rbl_body_id second = scene_add(&s, s.ball, 0.0f, 0.1f, 0.0f);
	scene_steps(&s, 1);
	CHECK(t, rbl_world_get_events(s.world).sensor_count == 1);
	CHECK(t, rbl_destroy_body(s.world, second) == RBL_OK);
	scene_steps(&s, 1);
	CHECK(t, rbl_world_get_events(s.world).sensor_count == 1);
	CHECK(t, !rbl_world_get_events(s.world).sensors[0].is_inside);
	scene_destroy(&s);
}

// Regression: a sensor that was moved onto a sleeper, or away from it, did not say so.
static void sensors_see_sleepers(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	rbl_body_def zone = scene_body(s.box, 0.6f, 0.25f, 0.0f);
	zone.kind = RBL_BODY_STATIC;
	zone.is_sensor = true;
	rbl_body_id sensor = rbl_create_body(s.world, &zone);
	scene_steps(&s, 120);
	for (int i = 0; i < 4; ++i) {
		float x = i % 2 == 0 ? 0.3f : i == 1 ? 0.6f : 9.0f;
		rbl_body_set_pose(s.world, sensor, (rbl_transform){ { x, 0.25f, 0.0f }, { 0, 0, 0, 1 } });
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		CHECK(t, e.sensor_count == 1 && e.sensors[0].is_inside == (i % 2 == 0));
		CHECK(t, !rbl_body_is_awake(s.world, box));
		scene_steps(&s, 1);
		CHECK(t, rbl_world_get_events(s.world).sensor_count == 0);
	}
	scene_destroy(&s);
}

static void sleep_is_reported(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.26f, 0.0f);
	int slept = 0;
	for (int i = 0; i < 120; ++i) {
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		for (int k = 0; k < e.sleep_count; ++k)
			slept += !e.sleeps[k].is_awake;
	}
	CHECK(t, slept == 1 && !rbl_body_is_awake(s.world, box));
	CHECK(t, rbl_world_get_moves(s.world, NULL, 0) == 0);
	CHECK(t, rbl_world_get_stats(s.world).active_count == 0);
	// A ball that falls on it wakes it.
	scene_add(&s, s.ball, 0.0f, 3.0f, 0.0f);
	int woke = 0;
	for (int i = 0; i < 90; ++i) {
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		for (int k = 0; k < e.sleep_count; ++k)
			woke += e.sleeps[k].is_awake && e.sleeps[k].body.index == box.index;
	}
	CHECK(t, woke == 1);
	scene_destroy(&s);
}

// Whatever wakes bodies or puts them to sleep, events tell it.
static void events_tell_who_is_awake(test *t)
{
	enum { COUNT = 8 };
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id floor = scene_add_floor(&s), boxes[COUNT];
	bool is_awake[COUNT];
	for (int i = 0; i < COUNT; ++i) {
		boxes[i] = scene_add(&s, s.box, 2.0f * (float)i, 0.25f, 0.0f);
		is_awake[i] = true;
	}
	rbl_explosion blast = rbl_default_explosion();
	blast.position = (rbl_vec3){ 6.0f, -1.0f, 0.0f };
	int changes = 0;
	for (int step = 0; step < 640; ++step) {
		int what = step % 80 == 79 ? step / 80 : -1;
		rbl_body_id box = boxes[what < 0 ? 0 : what];
		rbl_transform pose = rbl_body_pose(s.world, floor);
		if (what == 0 || what == 1)
			rbl_body_set_awake(s.world, box, what);
		else if (what == 2)
			rbl_world_explode(s.world, &blast);
		else if (what == 3)
			rbl_world_set_gravity(s.world, (rbl_vec3){ 0.0f, -8.0f, 0.0f });
		else if (what == 4)
			rbl_body_set_pose(s.world, floor, pose);
		else if (what == 5)
			rbl_body_set_filter(s.world, floor, (rbl_filter){ 1, UINT32_MAX, 0 });
		else if (what == 6)
			rbl_body_set_enabled(s.world, box, false), rbl_body_set_enabled(s.world, box, true);
		scene_steps(&s, 1);
		rbl_events e = rbl_world_get_events(s.world);
		for (int k = 0; k < e.sleep_count; ++k) {
			int i = (int)(e.sleeps[k].body.index - boxes[0].index);
			CHECK(t, what == 6 || is_awake[i] != e.sleeps[k].is_awake);
			is_awake[i] = e.sleeps[k].is_awake;
			changes++;
		}
		is_awake[6] |= what == 6;
		for (int i = 0; i < COUNT; ++i)
			CHECK(t, is_awake[i] == rbl_body_is_awake(s.world, boxes[i]));
	}
	CHECK(t, changes > 4 * COUNT);
	scene_destroy(&s);
}

typedef struct calls {
	rbl_world **world;
	rbl_body_id extra;
	rbl_result step_refused;
	int asked;
} calls;

static bool asks_for_more(void *user, rbl_body_id a, rbl_body_id b)
{
	calls *c = user;
	rbl_world *world = *c->world;
	(void)b;
	if (c->asked++ > 0)
		return true;
	c->step_refused = rbl_world_step(world, 0.01f);
	rbl_body_set_user(world, a, 77);
	rbl_body_set_user(world, a, 78);
	rbl_destroy_body(world, c->extra);
	rbl_body_set_user(world, c->extra, 5); // comes too late, and does no harm
	return rbl_body_user(world, a) == 0 && rbl_body_exists(world, c->extra);
}

static void calls_during_a_step_wait(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	calls c = { .world = &s.world };
	def.should_collide = asks_for_more;
	def.user = &c;
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.2f, 0.0f);
	c.extra = scene_add(&s, s.box, 10.0f, 5.0f, 0.0f);
	scene_steps(&s, 1);
	CHECK(t, c.asked == 1 && c.step_refused == RBL_BAD_ARGUMENT);
	CHECK(t, !rbl_body_exists(s.world, c.extra));
	rbl_body_id bodies[4];
	CHECK(t, rbl_world_get_bodies(s.world, bodies, 4) == 2);
	CHECK(t, rbl_body_user(s.world, bodies[0]) == 78 || rbl_body_user(s.world, bodies[1]) == 78);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_pose(s.world, box).position.y > 0.2f);
	scene_destroy(&s);
}

typedef struct shakes {
	rbl_world **world;
	rbl_joint_id hinge;
	bool are_taken, are_waiting;
} shakes;

static bool shakes_the_world(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)a, (void)b;
	shakes *c = user;
	rbl_world *world = *c->world;
	rbl_explosion blast = rbl_default_explosion();
	blast.position = (rbl_vec3){ 20.0f, -1.0f, 0.0f };
	uint64_t hash = rbl_world_hash(world);
	c->are_taken = rbl_world_set_gravity(world, (rbl_vec3){ 0.0f, 0.0f, 5.0f }) == RBL_OK &&
	               rbl_world_explode(world, &blast) == RBL_OK &&
	               rbl_joint_set_motor(world, c->hinge, 3.0f, 1e6f) == RBL_OK;
	c->are_waiting = rbl_world_hash(world) == hash;
	return true;
}

// Regression: gravity was set in the middle of the step; explosions and motors were refused.
static void gravity_explosions_and_motors_wait(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	shakes c = { .world = &s.world };
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.should_collide = shakes_the_world;
	def.user = &c;
	scene_create(&s, &def);
	rbl_body_id far = scene_add(&s, s.box, 20.0f, 0.0f, 0.0f);
	rbl_joint_def joint_def = rbl_default_joint_def(RBL_JOINT_HINGE);
	joint_def.body_a = scene_add(&s, s.box, 0.0f, 9.0f, 0.0f);
	joint_def.body_b = scene_add(&s, s.box, 2.0f, 9.0f, 0.0f);
	c.hinge = rbl_create_joint(s.world, &joint_def);
	scene_add(&s, s.box, -9.0f, 0.0f, 0.0f);
	scene_add(&s, s.box, -9.0f, 0.4f, 0.0f); // asks
	scene_steps(&s, 1);
	CHECK(t, c.are_taken && c.are_waiting);
	rbl_vec3 velocity = rbl_body_velocity(s.world, far);
	CHECK(t, velocity.y > 0.1f && fabsf(velocity.z) < 1e-6f);
	scene_steps(&s, 30);
	CHECK_NEAR(t, rbl_body_velocity(s.world, far).z, 2.5, 0.01);
	rbl_vec3 angular_velocity = rbl_sub(rbl_body_angular_velocity(s.world, joint_def.body_b),
	                                    rbl_body_angular_velocity(s.world, joint_def.body_a));
	CHECK_NEAR(t, angular_velocity.z, 3.0, 0.1);
	scene_destroy(&s);
}

TEST_MAIN(TEST(begins_and_ends_pair_up), TEST(begins_are_told_in_the_step_of_the_touch),
          TEST(a_hit_tells_its_energy), TEST(sensors_see_who_comes_and_goes),
          TEST(sensors_see_sleepers), TEST(sleep_is_reported), TEST(events_tell_who_is_awake),
          TEST(calls_during_a_step_wait), TEST(gravity_explosions_and_motors_wait))
