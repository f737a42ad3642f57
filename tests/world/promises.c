// SPDX-License-Identifier: MIT
// Bodies and joints that are made and destroyed in callbacks of a step.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

static const float dt = 1.0f / 60.0f;

typedef struct maker {
	rbl_world *world;
	scene *s;
	rbl_body_id anchor, made[64], gone;
	rbl_joint_id joint;
	const rbl_convex *convex;
	const rbl_material *material;
	int count, most;
	bool did_exist, was_refused;
	int shape; // 0: collider, 1: convex, 2: a batch
} maker;

static void make_things(maker *m)
{
	if (m->count >= m->most)
		return;
	rbl_body_def def = rbl_default_body_def();
	def.pose.position = (rbl_vec3){ 3.0f + (float)m->count, 5.0f, 0.0f };
	def.shared_material = m->material;
	def.user = (uint64_t)m->count;
	if (m->shape == 1)
		def.convex = m->convex;
	else
		def.collider = m->s->ball;
	rbl_body_id id = { 0, 0 };
	if (m->shape == 2)
		m->was_refused |= rbl_create_bodies(m->world, &def, 1, &id) != RBL_OK;
	else
		id = rbl_create_body(m->world, &def);
	m->was_refused |= rbl_body_id_is_null(id);
	m->did_exist |= rbl_body_exists(m->world, id);
	// At once: a velocity, and a joint to what is there.
	m->was_refused |= rbl_body_set_velocity(m->world, id, (rbl_vec3){ 0.0f, 1.0f, 0.0f },
	                                        (rbl_vec3){ 0.0f, 0.0f, 0.0f }) != RBL_OK;
	if (m->count == 0) {
		rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
		joint.body_a = m->anchor, joint.body_b = id;
		joint.frame_b.position = (rbl_vec3){ -3.0f, 0.0f, 0.0f };
		m->joint = rbl_create_joint(m->world, &joint);
		m->was_refused |= m->joint.generation == 0;
	}
	if (rbl_body_exists(m->world, m->gone))
		m->was_refused |= rbl_destroy_body(m->world, m->gone) != RBL_OK;
	m->made[m->count++] = id;
}

static bool ask(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)a, (void)b;
	make_things(user);
	return true;
}

static void change(void *user, rbl_contact_change *c)
{
	(void)c;
	make_things(user);
}

static void begin(scene *s, maker *m, rbl_world_def *def, bool asks, int shape, int most)
{
	*def = scene_def(s, 1);
	*m = (maker){ .s = s, .shape = shape, .most = most };
	if (asks)
		def->should_collide = ask;
	else
		def->modify_contact = change;
	def->user = m;
	scene_create(s, def);
	m->world = s->world;
	scene_add_floor(s);
	rbl_body_def body = scene_body(s->box, 0.0f, 5.0f, 0.0f);
	body.kind = RBL_BODY_STATIC;
	m->anchor = rbl_create_body(s->world, &body);
	m->gone = scene_add(s, s->box, -5.0f, 3.0f, 0.0f);
	for (int i = 0; i < 24; ++i) {
		body = scene_body(s->box, 2.0f * (float)i, 0.3f, 5.0f);
		body.modifies_contacts = true;
		rbl_create_body(s->world, &body);
	}
}

static rbl_convex *make_convex(void)
{
	rbl_planed planes[6];
	for (int i = 0; i < 6; ++i) {
		double sign = i & 1 ? 1.0 : -1.0;
		planes[i] = (rbl_planed){ .normal = { i / 2 == 0 ? sign : 0.0, i / 2 == 1 ? sign : 0.0,
			                                  i / 2 == 2 ? sign : 0.0 },
			                      .offset = 0.25 };
	}
	rbl_convex_def def = rbl_default_convex_def();
	def.planes = planes;
	def.plane_count = 6;
	rbl_convex *convex = NULL;
	rbl_create_convex(&def, &convex);
	return convex;
}

static void what_a_callback_makes_is_there_after_the_step(test *t)
{
	for (int k = 0; k < 6; ++k) {
		scene s;
		maker m;
		rbl_world_def def;
		begin(&s, &m, &def, k & 1, k / 2, 8);
		rbl_convex *convex = make_convex();
		rbl_material_def material_def = rbl_default_material_def();
		rbl_material *material = NULL;
		rbl_create_material(&material_def, &material);
		m.convex = convex;
		m.material = material;
		int before = rbl_world_body_count(s.world), steps = 0;
		while (m.count < 8 && steps++ < 60)
			CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
		rbl_destroy_convex(convex);
		rbl_destroy_material(material);
		CHECK(t, m.count == 8 && !m.did_exist && !m.was_refused);
		CHECK(t, rbl_world_body_count(s.world) == before + 8 - 1);
		CHECK(t, !rbl_body_exists(s.world, m.gone));
		for (int i = 0; i < 8; ++i) {
			CHECK(t, rbl_body_exists(s.world, m.made[i]));
			CHECK(t, rbl_body_user(s.world, m.made[i]) == (uint64_t)i);
			CHECK(t, rbl_body_get_shared_material(s.world, m.made[i]) != NULL);
		}
		CHECK(t, rbl_joint_exists(s.world, m.joint));
		for (int i = 0; i < 60; ++i)
			CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
		CHECK_NEAR(t,
		           rbl_distance(rbl_body_pose(s.world, m.made[0]).position,
		                        (rbl_vec3){ 0.0f, 5.0f, 0.0f }),
		           3.0f, 0.02f);
		scene_destroy(&s);
	}
}

// Memory may run out at any allocation: nothing leaks, and ids that were promised stay stale.
static void memory_may_run_out(test *t)
{
	for (int fail = 0; fail < 400; fail += 7) {
		faulty_allocator memory;
		faulty_init(&memory, 1LL << 40);
		rbl_world_def def = rbl_default_world_def();
		scene s = { .world = NULL };
		maker m;
		def.allocator = FAULTY(&memory);
		m = (maker){ .s = &s, .most = 40 };
		def.should_collide = ask;
		def.user = &m;
		scene_create(&s, &def);
		m.world = s.world;
		scene_add_floor(&s);
		rbl_body_def body = scene_body(s.box, 0.0f, 5.0f, 0.0f);
		body.kind = RBL_BODY_STATIC;
		m.anchor = rbl_create_body(s.world, &body);
		for (int i = 0; i < 40; ++i)
			scene_add(&s, s.box, 2.0f * (float)i, 0.3f, 5.0f);
		atomic_store(&memory.allowed, fail);
		atomic_store(&memory.failing, 3);
		for (int i = 0; i < 3; ++i)
			rbl_world_step(s.world, dt);
		faulty_rest(&memory);
		for (int i = 0; i < 30; ++i)
			CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
		int there = 0;
		for (int i = 0; i < m.count; ++i)
			there += rbl_body_exists(s.world, m.made[i]);
		CHECK(t, rbl_world_body_count(s.world) == 42 + there);
		rbl_destroy_world(s.world);
		s.world = NULL;
		CHECK(t, memory.live_bytes == 0);
		scene_destroy(&s);
	}
}

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

static void recordings_keep_what_callbacks_make(test *t)
{
	for (int k = 0; k < 6; ++k) {
		scene s;
		maker m;
		rbl_world_def def;
		begin(&s, &m, &def, k & 1, k / 2, 20);
		rbl_convex *convex = make_convex();
		m.convex = convex;
		stored tape = { NULL, 0, 0 };
		rbl_recording_def recording = rbl_default_recording_def();
		recording.write = keep_bytes;
		recording.user = &tape;
		CHECK(t, rbl_world_begin_recording(s.world, &recording) == RBL_OK);
		for (int i = 0; i < 60; ++i)
			CHECK(t, rbl_world_step(s.world, dt) == RBL_OK);
		CHECK(t, rbl_world_end_recording(s.world) == RBL_OK && m.count == 20);
		rbl_sources sources = rbl_default_sources();
		rbl_replay *replay = NULL;
		CHECK(t, rbl_create_replay(tape.bytes, tape.size, &def, &sources, &replay) == RBL_OK);
		rbl_replay_report report = { .is_over = false };
		while (replay && !report.is_over && rbl_replay_step(replay, &report) == RBL_OK)
			CHECK(t, !report.differs);
		CHECK(t, report.is_over && report.step == 60);
		CHECK(t, replay && rbl_world_hash(rbl_replay_get_world(replay)) == rbl_world_hash(s.world));
		rbl_destroy_replay(replay);
		rbl_destroy_convex(convex);
		free(tape.bytes);
		scene_destroy(&s);
	}
}

TEST_MAIN(TEST(what_a_callback_makes_is_there_after_the_step), TEST(memory_may_run_out),
          TEST(recordings_keep_what_callbacks_make))
