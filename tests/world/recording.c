// SPDX-License-Identifier: MIT
// ctest: soak native
// Recordings: played back, every step has the hash that it had.

#include "../test.h"
#include "busy.h"
#include "faulty_allocator.h"
#include "tape.h"

// Calls that the busy course does not make, one per step.
static void call_the_rest(busy *b, int step)
{
	rbl_world *w = b->s.world;
	rbl_body_id chain = b->bodies[BUSY_CHAIN], mover = b->bodies[BUSY_MOVER];
	rbl_transform pose = rbl_transform_identity();
	pose.position = (rbl_vec3){ 3.0f, 1.0f, 3.0f };
	const rbl_vec3 up = { 0.0f, 50.0f, 0.0f };
	switch (step) {
	case 3:
		rbl_body_set_pose(w, mover, pose);
		break;
	case 4:
		rbl_body_set_target(w, mover, pose, 1.0f / 60.0f);
		break;
	case 5:
		rbl_body_add_torque(w, chain, up);
		break;
	case 6:
		rbl_body_add_impulse(w, chain, up, (rbl_vec3){ 0.0f, 1.0f, 0.0f });
		break;
	case 7:
		rbl_body_add_angular_impulse(w, chain, up);
		break;
	case 8:
		rbl_body_set_kind(w, chain, RBL_BODY_KINEMATIC);
		break;
	case 9:
		rbl_body_set_kind(w, chain, RBL_BODY_DYNAMIC);
		break;
	case 10:
		rbl_body_set_material(
			w, chain,
			(rbl_material_values){ .friction = 0.1f, .restitution = 0.5f, .density = 1000.0f });
		break;
	case 11:
		rbl_body_set_filter(w, chain, (rbl_filter){ 2, UINT32_MAX, 0 });
		break;
	case 12:
		rbl_body_set_damping(w, chain, 0.1f, 0.2f);
		break;
	case 13:
		rbl_body_set_gravity_scale(w, chain, 0.5f);
		break;
	case 14:
		rbl_body_set_awake(w, chain, false);
		break;
	case 15:
		rbl_body_set_can_sleep(w, chain, false);
		break;
	case 16:
		rbl_body_set_user(w, chain, 77);
		break;
	case 17:
		rbl_world_set_gravity(w, (rbl_vec3){ 0.5f, -9.0f, 0.0f });
		break;
	case 18:
		rbl_world_set_can_sleep(w, false);
		break;
	case 19:
		rbl_world_set_can_sleep(w, true);
		break;
	case 20:
		rbl_destroy_joint(w, b->hinge);
		break;
	default:
		break;
	}
}

static void make_batches(busy *b)
{
	rbl_body_def defs[3];
	rbl_body_id ids[3], more[3];
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = (rbl_boxd){ { -0.2, -0.2, -0.2 }, { 0.2, 0.2, 0.2 } };
	rbl_convex *convex = NULL;
	rbl_create_convex(&convex_def, &convex);
	rbl_mass mass = rbl_convex_get_mass(convex);
	for (int i = 0; i < 3; ++i) {
		defs[i] = rbl_default_body_def();
		defs[i].pose.position = (rbl_vec3){ 8.0f, 2.0f + (float)i, 8.0f };
	}
	defs[0].convex = convex;
	defs[0].mass = &mass;
	defs[1].collider = b->compound;
	rbl_asset_create_compound(b->assets[0], NULL, &defs[2].compound);
	defs[2].shared_material = b->breaking;
	rbl_create_bodies(b->s.world, defs, 3, ids);
	for (int i = 0; i < 3; ++i)
		defs[i] = scene_body(b->s.ball, 8.0f, 6.0f + (float)i, 8.0f);
	rbl_replace_body(b->s.world, ids[0], defs, 3, more);
	rbl_destroy_convex(convex);
}

// Everything is called, from a world that has been running for a while.
static void record(test *t, bytes_tape *tape, bool embeds, int steps, uint64_t *last)
{
	busy b;
	busy_create(&b, 1, 12);
	for (int i = 0; i < 10; ++i)
		busy_step(&b, i);
	rbl_recording_def def = tape_def(tape, embeds);
	CHECK(t, rbl_world_begin_recording(b.s.world, &def) == RBL_OK);
	CHECK(t, rbl_world_begin_recording(b.s.world, &def) == RBL_BAD_ARGUMENT);
	for (int i = 10; i < 10 + steps; ++i) {
		call_the_rest(&b, i - 10);
		if (i == 40)
			make_batches(&b);
		busy_step(&b, i);
		*last = rbl_world_hash(b.s.world);
	}
	CHECK(t, rbl_world_end_recording(b.s.world) == RBL_OK);
	CHECK(t, rbl_world_end_recording(b.s.world) == RBL_BAD_ARGUMENT);
	busy_destroy(&b);
}

static void a_recording_replays_to_the_same_hashes(test *t)
{
	bytes_tape tape;
	uint64_t then = 0, now = 1;
	int steps = test_count(100, 600);
	record(t, &tape, true, steps, &then);
	rbl_sources none = rbl_default_sources();
	for (int workers = 1; workers <= 4; workers += 3) {
		CHECK(t, tape_play(t, &tape, &none, workers, &now) == steps);
		CHECK(t, now == then);
	}
	free(tape.bytes);
}

// Assets by key come from sources, and a recording without them is smaller.
static void assets_may_stay_outside(test *t)
{
	bytes_tape with, without;
	uint64_t then = 0, now = 1;
	record(t, &with, true, 30, &then);
	record(t, &without, false, 30, &then);
	CHECK(t, without.size < with.size);
	busy b;
	busy_prepare(&b, 1);
	rbl_sources sources = busy_sources(&b), none = rbl_default_sources();
	CHECK(t, tape_play(t, &without, &sources, 1, &now) == 30 && now == then);
	rbl_world_def def = rbl_default_world_def();
	rbl_replay *replay;
	CHECK(t, rbl_create_replay(without.bytes, without.size, &def, &none, &replay) == RBL_BAD_FILE);
	busy_destroy(&b);
	free(with.bytes), free(without.bytes);
}

static rbl_world *asked_world;

// Calls in a callback, and answers that only the callback knows.
static bool meddle(void *user, rbl_body_id a, rbl_body_id b)
{
	int *count = user;
	++*count;
	if (*count % 5 == 0)
		rbl_body_add_impulse(asked_world, a, (rbl_vec3){ 0.0f, 20.0f, 3.0f },
		                     rbl_body_get_state(asked_world, a).centre);
	if (*count == 30) {
		rbl_explosion blast = rbl_default_explosion();
		rbl_world_explode(asked_world, &blast);
		rbl_world_set_gravity(asked_world, (rbl_vec3){ 1.0f, -8.0f, 0.0f });
	}
	if (*count == 40)
		rbl_destroy_body(asked_world, b);
	return *count % 3 != 0;
}

static void callbacks_are_part_of_it(test *t)
{
	scene s;
	int count = 0;
	rbl_world_def def = scene_def(&s, 1);
	def.should_collide = meddle;
	def.user = &count;
	scene_create(&s, &def);
	asked_world = s.world;
	bytes_tape tape;
	rbl_recording_def recording = tape_def(&tape, true);
	CHECK(t, rbl_world_begin_recording(s.world, &recording) == RBL_OK);
	scene_add_floor(&s);
	scene_add_pile(&s, 40, 3);
	scene_steps(&s, 30);
	for (int i = 0; i < 5; ++i) { // fast ones ask about what is on their way
		rbl_body_def shot = scene_body(s.ball, -9.0f, 0.4f + 0.3f * (float)i, 0.3f * (float)i);
		shot.velocity = (rbl_vec3){ 90.0f, -1.0f, 5.0f };
		shot.is_bullet = true;
		rbl_create_body(s.world, &shot);
	}
	scene_steps(&s, 30);
	uint64_t then = rbl_world_hash(s.world), now = 1;
	CHECK(t, count > 45);
	rbl_destroy_world(s.world); // ends it
	s.world = NULL;
	rbl_sources none = rbl_default_sources();
	CHECK(t, tape_play(t, &tape, &none, 1, &now) == 60 && now == then);
	free(tape.bytes);
	scene_destroy(&s);
}

// What hears of a change in its middle: it may look, and every call that changes something is refused.
static bool is_refused(rbl_world *world)
{
	rbl_body_id body;
	rbl_world_get_bodies(world, &body, 1);
	rbl_explosion blast = rbl_default_explosion();
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	return rbl_destroy_body(world, body) == RBL_BAD_ARGUMENT &&
	       rbl_body_set_user(world, body, 1) == RBL_BAD_ARGUMENT &&
	       rbl_world_set_gravity(world, (rbl_vec3){ 0.0f, 1.0f, 0.0f }) == RBL_BAD_ARGUMENT &&
	       rbl_world_explode(world, &blast) == RBL_BAD_ARGUMENT &&
	       rbl_create_joint(world, &joint).generation == 0 &&
	       rbl_world_step(world, 0.01f) == RBL_BAD_ARGUMENT &&
	       rbl_world_end_recording(world) == RBL_BAD_ARGUMENT;
}

static bool write_and_meddle(void *user, const void *bytes, size_t size)
{
	(void)bytes, (void)size;
	*(int *)user += is_refused(asked_world) ? 1 : 10000;
	return true;
}

static void log_and_meddle(void *user, const void *bytes, size_t size)
{
	write_and_meddle(user, bytes, size);
}

// Regression: calls from there went through, into arrays that were being written.
static void those_who_listen_change_nothing(test *t)
{
	busy b;
	busy_create(&b, 1, 10);
	asked_world = b.s.world;
	int writes = 0, logs = 0;
	rbl_recording_def recording = rbl_default_recording_def();
	recording.write = write_and_meddle;
	recording.user = &writes;
	CHECK(t, rbl_world_begin_recording(b.s.world, &recording) == RBL_OK);
	CHECK(t, rbl_world_log_fractures(b.s.world, log_and_meddle, &logs) == RBL_OK);
	for (int i = 10; i < 60; ++i)
		busy_step(&b, i);
	CHECK(t, writes > 100 && writes < 10000);
	CHECK(t, logs > 2 && logs < 10000);
	CHECK(t, rbl_world_end_recording(b.s.world) == RBL_OK);
	busy_destroy(&b);
}

static void every_prefix_and_flipped_byte_is_refused(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	bytes_tape tape;
	rbl_recording_def recording = tape_def(&tape, true);
	rbl_world_begin_recording(s.world, &recording);
	scene_add_floor(&s);
	scene_add_pile(&s, 2, 3);
	scene_steps(&s, 5);
	rbl_world_end_recording(s.world);
	rbl_sources none = rbl_default_sources();
	rbl_replay *replay;
	for (size_t n = 0; n < tape.size; ++n)
		CHECK(t, rbl_create_replay(tape.bytes, n, &def, &none, &replay) == RBL_BAD_FILE && !replay);
	for (size_t i = 0; i < tape.size; ++i) {
		tape.bytes[i] ^= (unsigned char)(1 << i % 8);
		CHECK(t, rbl_create_replay(tape.bytes, tape.size, &def, &none, &replay) == RBL_BAD_FILE);
		tape.bytes[i] ^= (unsigned char)(1 << i % 8);
	}
	free(tape.bytes);
	scene_destroy(&s);
}

// Forged calls are refused, or end in another state: then it says so. Nothing crashes.
static void forged_calls_do_no_harm(test *t)
{
	bytes_tape tape;
	uint64_t then = 0;
	record(t, &tape, true, 45, &then);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources none = rbl_default_sources();
	rbl_random random = rbl_random_from_seed(5);
	int count = test_count(40, 3000), strange = 0;
	// Behind the snapshot: the first half is assets and the world, which have tests of their own.
	for (int i = 0; i < count; ++i) {
		size_t at = tape.size / 2 + rbl_random_below(&random, (uint32_t)(tape.size / 2));
		unsigned char old = tape.bytes[at];
		tape.bytes[at] = (unsigned char)rbl_random_below(&random, 256);
		tape_seal(&tape);
		rbl_replay *replay = NULL;
		rbl_replay_report report = { 0 };
		rbl_result result = rbl_create_replay(tape.bytes, tape.size, &def, &none, &replay);
		while (result == RBL_OK && !report.is_over && !report.differs)
			result = rbl_replay_step(replay, &report);
		strange += result != RBL_OK || report.differs;
		CHECK(t, result == RBL_OK || result == RBL_BAD_FILE);
		rbl_destroy_replay(replay);
		tape.bytes[at] = old;
	}
	CHECK(t, strange > 0);
	free(tape.bytes);
}

static void a_full_sink_ends_the_recording_and_nothing_else(test *t)
{
	for (int most = 0; most < 12; ++most) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		bytes_tape tape;
		rbl_recording_def recording = tape_def(&tape, true);
		tape.most_writes = most;
		rbl_result result = rbl_world_begin_recording(s.world, &recording);
		CHECK(t, result == (most < 2 ? RBL_IO_FAILED : RBL_OK));
		scene_add_floor(&s);
		scene_add_pile(&s, 5, 3);
		CHECK(t, rbl_world_step(s.world, 0.01f) == RBL_OK);
		if (result == RBL_OK)
			CHECK(t, rbl_world_end_recording(s.world) == RBL_IO_FAILED);
		free(tape.bytes);
		scene_destroy(&s);
	}
}

static void every_allocation_may_fail(test *t)
{
	bytes_tape tape;
	uint64_t then = 0;
	record(t, &tape, true, 32, &then);
	rbl_sources none = rbl_default_sources();
	for (int n = 0;; n += n < 30 ? 1 : test_count(149, 11)) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_world_def def = rbl_default_world_def();
		def.allocator = FAULTY(&memory);
		rbl_replay *replay = NULL;
		rbl_replay_report report = { 0 };
		rbl_result result = rbl_create_replay(tape.bytes, tape.size, &def, &none, &replay);
		double before = 0.0;
		while (result == RBL_OK && !report.is_over && !report.differs) {
			result = rbl_replay_step(replay, &report);
			CHECK(t, rbl_replay_progress(replay) >= before);
			before = rbl_replay_progress(replay);
		}
		CHECK(t, memory.failed || (result == RBL_OK && !report.differs && before == 1.0));
		rbl_destroy_replay(replay);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
	free(tape.bytes);
}

static void bad_calls_are_refused(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1), plain = { 0 };
	scene_create(&s, &def);
	bytes_tape tape;
	rbl_recording_def recording = tape_def(&tape, true), wrong = { 0 }, no_sink = recording;
	no_sink.write = NULL;
	rbl_sources none = rbl_default_sources(), no_sources = { 0 };
	rbl_replay *replay;
	rbl_replay_report report;
	CHECK(t, rbl_world_begin_recording(NULL, &recording) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_begin_recording(s.world, &wrong) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_begin_recording(s.world, &no_sink) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_end_recording(NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_replay("RBLR", 4, &def, &none, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_replay(NULL, 4, &def, &none, &replay) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_replay("RBLR", 4, &plain, &none, &replay) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_replay("RBLR", 4, &def, &no_sources, &replay) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_replay_step(NULL, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_replay_get_world(NULL) == NULL && rbl_replay_progress(NULL) == 0.0);
	rbl_destroy_replay(NULL);
	scene_destroy(&s);
}

// Read a source file.
static void read_source(test *t, const char *folder, const char *name, char *text, size_t size)
{
	char path[600];
	snprintf(path, sizeof path, "%s/%s/%s", RBL_SOURCE_DIR, folder, name);
	FILE *file = fopen(path, "r");
	CHECK(t, file != NULL);
	size_t n = file ? fread(text, 1, size - 1, file) : 0;
	text[n] = '\0';
	if (file)
		fclose(file);
}

// Whether a function submits a command, which records it.
static bool is_submitted(const char *commands, const char *name)
{
	const char *at = strstr(commands, name);
	const char *submit = at ? strstr(at, "SUBMIT(") : NULL, *end = at ? strstr(at, "\n}\n") : NULL;
	return submit && end && submit < end;
}

// Whether it changes a joint by its definition, which is recorded.
static bool sets_joint_def(const char *joints, const char *name)
{
	const char *at = strstr(joints, name);
	const char *set = at ? strstr(at, "return rbl_joint_set_def(") : NULL;
	const char *end = at ? strstr(at, "\n}\n") : NULL;
	return set && end && set < end;
}

// Whatever the headers let change a world is played again by replays, or submitted as a command.
static void every_call_that_changes_a_world_is_recorded(test *t)
{
	const char *headers[] = { "world.h",  "body.h",     "joint.h",
		                      "events.h", "snapshot.h", "fracture_log.h" };
	static char player[200000], commands[100000], joints[100000], header[100000];
	read_source(t, "src/world", "replay.c", player, sizeof player);
	read_source(t, "src/world", "body_commands.c", commands, sizeof commands);
	read_source(t, "src/world", "joints.c", joints, sizeof joints);
	int found = 0;
	for (int i = 0; i < 6; ++i) {
		read_source(t, "include/rubble", headers[i], header, sizeof header);
		for (char *at = header; (at = strstr(at, "(rbl_world *world")); ++at) {
			char *begin = at;
			while (begin > header && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z')))
				begin--;
			char name[100];
			snprintf(name, sizeof name, "%.*s(", (int)(at - begin), begin);
			bool is_exempt = strcmp(name, "rbl_destroy_world(") == 0 ||
			                 strcmp(name, "rbl_world_log_fractures(") == 0;
			// Replays destroy joints by submitting the command.
			bool is_recorded = strstr(player, name) || is_submitted(commands, name) ||
			                   sets_joint_def(joints, name) ||
			                   (strcmp(name, "rbl_destroy_joint(") == 0 && strstr(commands, name));
			found++;
			if (!is_exempt && !is_recorded)
				printf("%s is not recorded\n", name);
			CHECK(t, is_exempt || is_recorded);
		}
	}
	CHECK(t, found > 25);
}

TEST_MAIN(TEST(a_recording_replays_to_the_same_hashes), TEST(assets_may_stay_outside),
          TEST(callbacks_are_part_of_it), TEST(those_who_listen_change_nothing),
          TEST(every_prefix_and_flipped_byte_is_refused), TEST(forged_calls_do_no_harm),
          TEST(a_full_sink_ends_the_recording_and_nothing_else), TEST(every_allocation_may_fail),
          TEST(bad_calls_are_refused), TEST(every_call_that_changes_a_world_is_recorded))
