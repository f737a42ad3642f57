// SPDX-License-Identifier: MIT
// Contacts that the caller changes before they are solved, and slide and roll events.

#include "../test.h"
#include "scene.h"

static const float dt = 1.0f / 60.0f;

typedef struct changes {
	scene *s;
	rbl_body_id platform;
	float friction, restitution;
	rbl_vec3 surface_velocity;
	bool is_one_way, is_wrong;
	int calls;
} changes;

// A one-way platform: what comes from below, or is below its top already, goes through. What is
// stopped by a sweep may be some centimetres deep.
static void change_contact(void *user, rbl_contact_change *c)
{
	changes *m = user;
	m->calls++;
	if (m->is_wrong) {
		c->manifold.normal = (rbl_vec3){ NAN, 0.0f, 0.0f };
		return;
	}
	if (m->friction >= 0.0f)
		c->friction = m->friction;
	if (m->restitution >= 0.0f)
		c->restitution = m->restitution;
	bool is_a = c->body_a.index == m->platform.index;
	rbl_vec3 v = m->surface_velocity;
	if (rbl_length(v) > 0.0f)
		c->surface_velocity = is_a ? v : rbl_neg(v);
	if (!m->is_one_way)
		return;
	rbl_body_id other = is_a ? c->body_b : c->body_a;
	float up = is_a ? c->manifold.normal.y : -c->manifold.normal.y;
	float speed = rbl_body_velocity(m->s->world, other).y;
	bool is_above = rbl_body_bounds(m->s->world, other).lower.y >
	                rbl_body_bounds(m->s->world, m->platform).upper.y - 0.1f;
	c->is_enabled = up > 0.7f && is_above && speed < 0.1f;
}

static void begin(scene *s, changes *m, int workers, rbl_world_def *def)
{
	*m = (changes){ .s = s, .friction = -1.0f, .restitution = -1.0f };
	*def = scene_def(s, workers);
	def->modify_contact = change_contact;
	def->user = m;
	scene_create(s, def);
}

static void run_steps(test *t, rbl_world *world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(t, rbl_world_step(world, dt) == RBL_OK);
}

static rbl_body_id add_platform(scene *s, const rbl_collider *collider, float y)
{
	rbl_body_def def = scene_body(collider, 0.0f, y, 0.0f);
	def.kind = RBL_BODY_STATIC;
	def.modifies_contacts = true;
	return rbl_create_body(s->world, &def);
}

static void friction_and_bounce_can_be_changed(test *t)
{
	scene s;
	changes m;
	rbl_world_def def;
	begin(&s, &m, 1, &def);
	m.platform = add_platform(&s, s.floor, -0.5f);
	rbl_body_def body = scene_body(s.box, -20.0f, 0.25f, 0.0f);
	body.velocity.x = 5.0f;
	rbl_body_id box = rbl_create_body(s.world, &body);
	m.friction = 0.0f;
	run_steps(t, s.world, 60);
	CHECK_NEAR(t, rbl_body_velocity(s.world, box).x, 5.0f, 1e-3f);
	CHECK(t, m.calls >= 50);
	m.friction = 0.5f;
	float x = rbl_body_pose(s.world, box).position.x;
	run_steps(t, s.world, 120);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.x - x, 25.0 / (2.0 * 0.5 * 9.81), 0.08);
	// And restitution.
	m.restitution = 1.0f;
	rbl_body_id ball = scene_add(&s, s.ball, 10.0f, 2.25f, 0.0f);
	float highest = 0.0f;
	for (int i = 0; i < 90; ++i) {
		run_steps(t, s.world, 1);
		if (i > 60)
			highest = fmaxf(highest, rbl_body_pose(s.world, ball).position.y);
	}
	CHECK_NEAR(t, highest, 2.25f, 0.05f);
	scene_destroy(&s);
}

static void a_surface_velocity_can_be_given(test *t)
{
	scene s;
	changes m;
	rbl_world_def def;
	begin(&s, &m, 1, &def);
	m.platform = add_platform(&s, s.floor, -0.5f);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	m.surface_velocity = (rbl_vec3){ 0.0f, 0.0f, -1.5f }; // of the box past the floor
	run_steps(t, s.world, 120);
	CHECK_NEAR(t, rbl_body_velocity(s.world, box).z, 1.5f, 0.01f);
	scene_destroy(&s);
}

// From below it passes, however fast; from above it lands.
static void a_one_way_platform_lets_through_what_comes_from_below(test *t)
{
	const float speeds[] = { 6.0f, 12.0f, 40.0f };
	for (int k = 0; k < 3; ++k) {
		scene s;
		changes m;
		rbl_world_def def;
		begin(&s, &m, 1, &def);
		rbl_collider *plate = scene_box(2.0f, 0.05f, 2.0f);
		m.platform = add_platform(&s, plate, 1.0f);
		m.is_one_way = true;
		rbl_body_def body = scene_body(k == 1 ? s.ball : s.box, 0.0f, 0.0f, 0.0f);
		body.velocity.y = speeds[k];
		rbl_body_id id = rbl_create_body(s.world, &body);
		float highest = 0.0f;
		for (int i = 0; i < 600; ++i) {
			run_steps(t, s.world, 1);
			highest = fmaxf(highest, rbl_body_pose(s.world, id).position.y);
		}
		float expected = speeds[k] * speeds[k] / (2.0f * 9.81f);
		CHECK_NEAR(t, highest, expected, 0.05f * expected + 0.05f);
		CHECK_NEAR(t, rbl_body_pose(s.world, id).position.y, 1.3f, 0.02f);
		rbl_destroy_collider(plate);
		scene_destroy(&s);
	}
}

static void nonsense_leaves_a_contact_as_it_was(test *t)
{
	scene s;
	changes m;
	rbl_world_def def;
	begin(&s, &m, 1, &def);
	m.platform = add_platform(&s, s.floor, -0.5f);
	m.is_wrong = true;
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.5f, 0.0f);
	run_steps(t, s.world, 120);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.y, 0.25f, 0.01f);
	CHECK(t, rbl_body_set_modifies_contacts(s.world, m.platform, false) == RBL_OK);
	CHECK(t, !rbl_body_get_state(s.world, m.platform).modifies_contacts);
	int calls = m.calls;
	run_steps(t, s.world, 10);
	CHECK(t, m.calls == calls);
	scene_destroy(&s);
}

// --- slides and rolls ---------------------------------------------------------------------------

static void slides_and_rolls_are_reported(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.slide_speed = 0.1f;
	scene_create(&s, &def);
	rbl_material_def material_def = rbl_default_material_def();
	material_def.values.user = 42;
	rbl_material *wood = NULL;
	rbl_create_material(&material_def, &wood);
	rbl_body_id floor = scene_add_floor(&s);
	rbl_body_def body = scene_body(s.box, -10.0f, 0.25f, 0.0f);
	body.velocity.x = 3.0f;
	body.shared_material = wood;
	rbl_body_id box = rbl_create_body(s.world, &body);
	body = scene_body(s.ball, 0.0f, 0.25f, 5.0f);
	body.velocity.x = 2.0f;
	body.angular_velocity.z = -8.0f;
	body.material.rolling_resistance = 0.2f;
	rbl_body_id ball = rbl_create_body(s.world, &body);
	int begins[2] = { 0 }, steps[2] = { 0 }, ends[2] = { 0 };
	float mass = rbl_body_get_mass(s.world, box).mass;
	for (int i = 0; i < 300; ++i) {
		run_steps(t, s.world, 1);
		rbl_events events = rbl_world_get_events(s.world);
		for (int k = 0; k < events.slide_count; ++k) {
			const rbl_slide_event *e = &events.slides[k];
			rbl_body_id other = e->body_a.index == floor.index ? e->body_b : e->body_a;
			bool is_box = other.index == box.index;
			CHECK(t, e->kind == (is_box ? RBL_SLIDE : RBL_ROLL));
			begins[is_box] += e->phase == RBL_SLIDE_BEGIN;
			steps[is_box] += e->phase == RBL_SLIDE_STEP;
			ends[is_box] += e->phase == RBL_SLIDE_END;
			if (e->phase == RBL_SLIDE_END)
				continue;
			rbl_vec3 v = rbl_body_velocity(s.world, other);
			CHECK_NEAR(t, e->speed, rbl_length(v), 0.05f * rbl_length(v) + 0.01f);
			CHECK(t, !is_box || e->material_a == wood || e->material_b == wood);
			CHECK(t, !is_box || e->material_user_a + e->material_user_b == 42);
			CHECK_NEAR(t, e->point.y, 0.0f, 0.02f);
			if (is_box && e->phase == RBL_SLIDE_STEP)
				CHECK_NEAR(t, e->impulse, mass * 9.81f * dt, 0.1f * mass * 9.81f * dt);
		}
	}
	for (int k = 0; k < 2; ++k)
		CHECK(t, begins[k] == 1 && ends[k] == 1 && steps[k] > 10);
	// What is destroyed while it slides ends, too.
	body = scene_body(s.box, -10.0f, 0.25f, -5.0f);
	body.velocity.x = 3.0f;
	rbl_body_id gone = rbl_create_body(s.world, &body);
	run_steps(t, s.world, 5);
	CHECK(t, rbl_destroy_body(s.world, gone) == RBL_OK);
	run_steps(t, s.world, 1);
	rbl_events events = rbl_world_get_events(s.world);
	CHECK(t, events.slide_count == 1 && events.slides[0].phase == RBL_SLIDE_END);
	(void)ball;
	rbl_destroy_material(wood);
	scene_destroy(&s);
}

// --- the same everywhere ------------------------------------------------------------------------

typedef struct stored {
	unsigned char *bytes;
	size_t size, capacity;
} stored;

static bool keep_bytes(void *user, const void *bytes, size_t size)
{
	stored *s = user;
	if (s->size + size > s->capacity) {
		s->capacity = 2 * (s->size + size);
		s->bytes = realloc(s->bytes, s->capacity);
	}
	memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
	return true;
}

static uint64_t hash_of_events(const rbl_world *world, uint64_t hash)
{
	rbl_events e = rbl_world_get_events(world);
	for (int i = 0; i < e.slide_count; ++i)
		hash = hash * 1099511628211u + (uint64_t)e.slides[i].body_a.index * 31 +
		       (uint64_t)e.slides[i].body_b.index * 7 + (uint64_t)e.slides[i].kind * 3 +
		       (uint64_t)e.slides[i].phase;
	return hash;
}

static void changes_are_the_same_for_any_worker_count_and_in_recordings(test *t)
{
	uint64_t first = 0, first_events = 0;
	for (int workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
		scene s;
		changes m;
		rbl_world_def def;
		begin(&s, &m, workers, &def);
		scene_destroy(&s);
		def = scene_def(&s, workers);
		def.modify_contact = change_contact;
		def.user = &m;
		def.slide_speed = 0.2f;
		scene_create(&s, &def);
		m.s = &s;
		scene_add_floor(&s);
		rbl_collider *plate = scene_box(2.0f, 0.05f, 2.0f);
		m.platform = add_platform(&s, plate, 2.0f);
		m.is_one_way = true;
		m.friction = 0.1f;
		m.surface_velocity.x = 0.3f;
		for (int i = 0; i < 40; ++i) {
			rbl_body_def body =
				scene_body(s.hulls[i % SCENE_SHAPES], 0.6f * (float)(i % 4) - 1.0f,
			               0.6f + 0.6f * (float)(i / 12), 0.6f * (float)(i / 4 % 3));
			body.velocity.y = 7.0f;
			body.modifies_contacts = i % 7 == 0;
			rbl_create_body(s.world, &body);
		}
		stored tape = { NULL, 0, 0 };
		rbl_recording_def recording = rbl_default_recording_def();
		recording.write = keep_bytes;
		recording.user = &tape;
		CHECK(t, rbl_world_begin_recording(s.world, &recording) == RBL_OK);
		uint64_t events = 1;
		for (int i = 0; i < 120; ++i) {
			run_steps(t, s.world, 1);
			events = hash_of_events(s.world, events);
		}
		CHECK(t, rbl_world_end_recording(s.world) == RBL_OK);
		uint64_t hash = rbl_world_hash(s.world);
		first = workers == 1 ? hash : first;
		first_events = workers == 1 ? events : first_events;
		CHECK(t, hash == first && events == first_events);
		rbl_sources sources = rbl_default_sources();
		rbl_replay *replay = NULL;
		CHECK(t, rbl_create_replay(tape.bytes, tape.size, &def, &sources, &replay) == RBL_OK);
		rbl_replay_report report = { .is_over = false };
		while (replay && !report.is_over && rbl_replay_step(replay, &report) == RBL_OK)
			CHECK(t, !report.differs);
		CHECK(t, report.is_over && report.step == 120);
		CHECK(t, replay && rbl_world_hash(rbl_replay_get_world(replay)) == hash);
		rbl_destroy_replay(replay);
		free(tape.bytes);
		rbl_destroy_collider(plate);
		scene_destroy(&s);
	}
}

TEST_MAIN(TEST(friction_and_bounce_can_be_changed), TEST(a_surface_velocity_can_be_given),
          TEST(a_one_way_platform_lets_through_what_comes_from_below),
          TEST(nonsense_leaves_a_contact_as_it_was), TEST(slides_and_rolls_are_reported),
          TEST(changes_are_the_same_for_any_worker_count_and_in_recordings))
