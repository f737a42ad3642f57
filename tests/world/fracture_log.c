// SPDX-License-Identifier: MIT
// ctest: soak
// Fracture logs: the same bodies and the log give the same pieces under the same numbers.

#include "../test.h"
#include "busy.h"

typedef struct event_log {
	unsigned char *bytes;
	size_t size, longest;
	int count;
	size_t starts[4000];
} event_log;

static void write_log(void *user, const void *bytes, size_t size)
{
	event_log *log = user;
	log->bytes = realloc(log->bytes, log->size + size);
	memcpy(log->bytes + log->size, bytes, size);
	log->starts[log->count++] = log->size;
	log->size += size;
	log->longest = size > log->longest ? size : log->longest;
}

static uint64_t hash_compound(const rbl_compound *c)
{
	uint64_t hash = RBL_HASH_START;
	int end = rbl_compound_get_info(c).part_end;
	for (int i = 0; i < end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(c, i).convex;
		if (!convex)
			continue;
		rbl_convex_data d = rbl_convex_get_data(convex);
		hash = rbl_hash_number(hash, (uint64_t)i);
		hash = rbl_hash_bytes(hash, d.vertices, (size_t)d.vertex_count * sizeof *d.vertices);
		hash = rbl_hash_number(hash, (uint64_t)rbl_compound_get_bonds(c, i, NULL, 0));
	}
	return hash;
}

// Every body of the first that is a piece, or was broken, is in the second: same shape, same mass.
static int compare(test *t, const rbl_world *first, const rbl_world *second)
{
	static rbl_body_id bodies[4000];
	int count = rbl_world_get_bodies(first, bodies, 4000), pieces = 0;
	for (int i = 0; i < count; ++i) {
		uint32_t number = rbl_body_fragment(first, bodies[i]);
		rbl_body_id other = number ? rbl_world_find_fragment(second, number) : bodies[i];
		const rbl_compound *c = rbl_body_get_compound(first, bodies[i]);
		if (!c)
			continue;
		pieces += number != 0;
		CHECK(t, rbl_body_exists(second, other));
		CHECK(t, rbl_body_fragment(second, other) == number);
		const rbl_compound *d = rbl_body_get_compound(second, other);
		CHECK(t, d && hash_compound(c) == hash_compound(d));
		CHECK(t, rbl_body_get_mass(first, bodies[i]).mass == rbl_body_get_mass(second, other).mass);
	}
	return pieces;
}

static void a_log_rebuilds_the_broken_state(test *t)
{
	static event_log log;
	log = (event_log){ .bytes = NULL };
	busy b, fresh;
	busy_create(&b, 1, 10);
	CHECK(t, rbl_world_log_fractures(b.s.world, write_log, &log) == RBL_OK);
	int steps = test_count(150, 600);
	for (int i = 0; i < steps; ++i)
		busy_step(&b, i);
	CHECK(t, log.count > 5 && log.longest < RBL_MAX_FRACTURE_EVENT);
	// All at once, and one by one as they come over a network.
	for (int is_one_by_one = 0; is_one_by_one < 2; ++is_one_by_one) {
		busy_create(&fresh, 1 + is_one_by_one, 10);
		if (is_one_by_one == 0)
			CHECK(t, rbl_world_apply_fractures(fresh.s.world, log.bytes, log.size, NULL) == RBL_OK);
		for (int i = 0; is_one_by_one == 1 && i < log.count; ++i) {
			size_t end = i + 1 < log.count ? log.starts[i + 1] : log.size;
			CHECK(t, rbl_world_apply_fractures(fresh.s.world, log.bytes + log.starts[i],
			                                   end - log.starts[i], NULL) == RBL_OK);
		}
		CHECK(t, compare(t, b.s.world, fresh.s.world) > 10);
		scene_steps(&fresh.s, 5); // it is a world like any other
		busy_destroy(&fresh);
	}
	free(log.bytes);
	busy_destroy(&b);
}

// A snapshot and the log from then on are as good as the whole log.
static void a_log_goes_on_after_a_snapshot(test *t)
{
	static event_log log;
	log = (event_log){ .bytes = NULL };
	busy b;
	busy_create(&b, 1, 10);
	for (int i = 0; i < 60; ++i)
		busy_step(&b, i);
	size_t size;
	unsigned char *bytes = busy_save(b.s.world, &size);
	rbl_world_log_fractures(b.s.world, write_log, &log);
	for (int i = 60; i < 160; ++i)
		busy_step(&b, i);
	rbl_world_def def = busy_world_def(&b);
	rbl_sources sources = busy_sources(&b);
	rbl_world *back = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_OK);
	CHECK(t, log.count > 0);
	CHECK(t, rbl_world_apply_fractures(back, log.bytes, log.size, &sources) == RBL_OK);
	CHECK(t, compare(t, b.s.world, back) > 5);
	rbl_destroy_world(back);
	free(bytes), free(log.bytes);
	busy_destroy(&b);
}

static bool write_tape(void *user, const void *bytes, size_t size)
{
	event_log *tape = user;
	tape->bytes = realloc(tape->bytes, tape->size + size);
	memcpy(tape->bytes + tape->size, bytes, size);
	tape->size += size;
	return true;
}

// Applying a log is a call like others.
static void recordings_hold_logs_too(test *t)
{
	static event_log log, tape;
	log = (event_log){ .bytes = NULL }, tape = (event_log){ .bytes = NULL };
	busy b, fresh;
	busy_create(&b, 1, 4);
	rbl_world_log_fractures(b.s.world, write_log, &log);
	for (int i = 0; i < 60; ++i)
		busy_step(&b, i);
	busy_create(&fresh, 1, 4);
	rbl_recording_def def = rbl_default_recording_def();
	def.write = write_tape;
	def.user = &tape;
	CHECK(t, rbl_world_begin_recording(fresh.s.world, &def) == RBL_OK);
	CHECK(t, rbl_world_apply_fractures(fresh.s.world, log.bytes, log.size, NULL) == RBL_OK);
	scene_steps(&fresh.s, 5);
	uint64_t hash = rbl_world_hash(fresh.s.world);
	CHECK(t, rbl_world_end_recording(fresh.s.world) == RBL_OK);
	rbl_world_def world_def = rbl_default_world_def();
	rbl_sources none = rbl_default_sources();
	rbl_replay *replay = NULL;
	rbl_replay_report report = { 0 };
	CHECK(t, rbl_create_replay(tape.bytes, tape.size, &world_def, &none, &replay) == RBL_OK);
	for (int i = 0; i < 5; ++i)
		CHECK(t, rbl_replay_step(replay, &report) == RBL_OK && !report.differs);
	CHECK(t, report.hash == hash && report.step == 5);
	rbl_destroy_replay(replay);
	busy_destroy(&fresh);
	busy_destroy(&b);
	free(log.bytes), free(tape.bytes);
}

static void damage_disorder_and_other_bodies_are_refused(test *t)
{
	static event_log log;
	log = (event_log){ .bytes = NULL };
	busy b, fresh;
	busy_create(&b, 1, 4);
	rbl_world_log_fractures(b.s.world, write_log, &log);
	for (int i = 0; i < 60; ++i)
		busy_step(&b, i);
	CHECK(t, log.count >= 2);
	busy_create(&fresh, 1, 4);
	rbl_world *w = fresh.s.world;
	size_t first = log.count > 1 ? log.starts[1] : 0;
	for (size_t n = 1; n < first; ++n)
		CHECK(t, rbl_world_apply_fractures(w, log.bytes, n, NULL) == RBL_BAD_FILE);
	for (size_t i = 0; i < first; ++i) {
		log.bytes[i] ^= (unsigned char)(1 << i % 8);
		CHECK(t, rbl_world_apply_fractures(w, log.bytes, first, NULL) == RBL_BAD_FILE);
		log.bytes[i] ^= (unsigned char)(1 << i % 8);
	}
	CHECK(t, rbl_world_apply_fractures(w, log.bytes, first, NULL) == RBL_OK);
	CHECK(t, rbl_world_apply_fractures(w, log.bytes, first, NULL) == RBL_BAD_FILE); // once more
	scene other;
	rbl_world_def def = scene_def(&other, 1);
	scene_create(&other, &def);
	scene_add_pile(&other, 80, 1);
	CHECK(t, rbl_world_apply_fractures(other.world, log.bytes, first, NULL) == RBL_BAD_FILE);
	rbl_sources wrong = { 0 };
	CHECK(t, rbl_world_apply_fractures(NULL, log.bytes, first, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_apply_fractures(w, NULL, first, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_apply_fractures(w, log.bytes, first, &wrong) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_apply_fractures(w, NULL, 0, NULL) == RBL_OK);
	CHECK(t, rbl_world_log_fractures(NULL, write_log, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_id_is_null(rbl_world_find_fragment(w, 999999)));
	CHECK(t, rbl_body_fragment(w, (rbl_body_id){ 0, 0 }) == 0);
	scene_destroy(&other);
	busy_destroy(&fresh);
	busy_destroy(&b);
	free(log.bytes);
}

// With hashes put right: numbers are checked, and nothing crashes.
static void forged_events_do_no_harm(test *t)
{
	static event_log log;
	log = (event_log){ .bytes = NULL };
	busy b, fresh;
	busy_create(&b, 1, 4);
	rbl_world_log_fractures(b.s.world, write_log, &log);
	for (int i = 0; i < 60; ++i)
		busy_step(&b, i);
	size_t first = log.count > 1 ? log.starts[1] : log.size;
	rbl_random random = rbl_random_from_seed(5);
	int refused = 0, count = test_count(12, 2000);
	for (int i = 0; i < count; ++i) {
		busy_create(&fresh, 1, 4);
		size_t at = 24 + rbl_random_below(&random, (uint32_t)first - 24);
		unsigned char old = log.bytes[at];
		log.bytes[at] = (unsigned char)rbl_random_below(&random, 256);
		uint64_t hash = rbl_hash_bytes(RBL_HASH_START, log.bytes + 24, first - 24);
		for (int k = 0; k < 8; ++k)
			log.bytes[16 + k] = (unsigned char)(hash >> (8 * k));
		refused += rbl_world_apply_fractures(fresh.s.world, log.bytes, first, NULL) != RBL_OK;
		scene_steps(&fresh.s, 2);
		log.bytes[at] = old;
		busy_destroy(&fresh);
	}
	CHECK(t, refused > 0);
	busy_destroy(&b);
	free(log.bytes);
}

TEST_MAIN(TEST(a_log_rebuilds_the_broken_state), TEST(a_log_goes_on_after_a_snapshot),
          TEST(recordings_hold_logs_too), TEST(damage_disorder_and_other_bodies_are_refused),
          TEST(forged_events_do_no_harm))
