// SPDX-License-Identifier: MIT
// ctest: soak
// Snapshots that are damaged, forged, or meet a lack of memory.

#include "../test.h"
#include "busy.h"
#include "faulty_allocator.h"

#include "solver/state.h"
#include "world/world.h"

#include <stddef.h>

// A snapshot of a busy moment, small enough to be cut at every byte.
static unsigned char *small_snapshot(busy *b, size_t *size)
{
	busy_create(b, 1, 4);
	for (int i = 0; i < 50 || rbl_world_get_stats(b->s.world).breaking_count == 0; ++i)
		busy_step(b, i);
	return busy_save(b->s.world, size);
}

// In short what snapshot.c does at length, also where there are no threads.
static void a_loaded_world_goes_on(test *t)
{
	busy b;
	size_t size;
	unsigned char *bytes = small_snapshot(&b, &size);
	rbl_world_def def = busy_world_def(&b);
	rbl_sources sources = busy_sources(&b);
	rbl_world *back = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_OK);
	for (int i = 0; i < 40 && back; ++i) {
		rbl_world_step(b.s.world, 1.0f / 60.0f);
		rbl_world_step(back, 1.0f / 60.0f);
		CHECK(t, busy_hash(back) == busy_hash(b.s.world));
	}
	rbl_destroy_world(back);
	free(bytes);
	busy_destroy(&b);
}

static void every_prefix_and_flipped_byte_is_refused(test *t)
{
	busy b;
	size_t size;
	unsigned char *bytes = small_snapshot(&b, &size);
	rbl_world_def def = busy_world_def(&b);
	rbl_sources sources = busy_sources(&b);
	rbl_world *back;
	size_t stride = (size_t)test_count(1499, 7);
	for (size_t n = 0; n < size; n += n < 100 ? 1 : stride)
		CHECK(t, rbl_world_load(bytes, n, &def, &sources, &back) == RBL_BAD_FILE && !back);
	for (size_t i = 0; i < size; i += i < 100 ? 1 : stride) {
		unsigned char old = bytes[i];
		bytes[i] ^= (unsigned char)(1 << i % 8);
		CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_BAD_FILE && !back);
		bytes[i] = old;
	}
	free(bytes);
	busy_destroy(&b);
}

static void put64(unsigned char *bytes, uint64_t value)
{
	for (int i = 0; i < 8; ++i)
		bytes[i] = (unsigned char)(value >> (8 * i));
}

// With the hash put right: whatever loads can be stepped, saved and destroyed.
static void forged_content_does_no_harm(test *t)
{
	busy b;
	size_t size;
	unsigned char *bytes = small_snapshot(&b, &size);
	rbl_world_def def = busy_world_def(&b);
	rbl_sources sources = busy_sources(&b);
	rbl_random random = rbl_random_from_seed(11);
	int refused = 0, count = test_count(250, 50000);
	for (int i = 0; i < count; ++i) {
		size_t at = 24 + rbl_random_below(&random, (uint32_t)size - 24);
		unsigned char old = bytes[at];
		bytes[at] = (unsigned char)rbl_random_below(&random, 256);
		put64(bytes + 16, rbl_hash_bytes(RBL_HASH_START, bytes + 24, size - 24));
		rbl_world *back = NULL;
		rbl_result result = rbl_world_load(bytes, size, &def, &sources, &back);
		CHECK(t, (result == RBL_OK) == (back != NULL));
		CHECK(t, result == RBL_OK || result == RBL_BAD_FILE);
		refused += result != RBL_OK;
		for (int k = 0; k < 3 && back; ++k)
			rbl_world_step(back, 1.0f / 60.0f);
		rbl_destroy_world(back);
		bytes[at] = old;
	}
	CHECK(t, refused > count / 20);
	free(bytes);
	busy_destroy(&b);
}

// Where a part of the world's state stands among saved bytes; `size`: nowhere.
static size_t find_bytes(const unsigned char *bytes, size_t size, const void *part, size_t length)
{
	for (size_t at = 24; at + length <= size; at += 4)
		if (memcmp(bytes + at, part, length) == 0)
			return at;
	return size;
}

// Put a number in place of another one, and the hash right. @return whether the world is refused
static bool is_refused_with(busy *b, unsigned char *bytes, size_t size, size_t at, float number)
{
	rbl_world_def def = busy_world_def(b);
	rbl_sources sources = busy_sources(b);
	unsigned char old[sizeof number];
	memcpy(old, bytes + at, sizeof old);
	memcpy(bytes + at, &number, sizeof number);
	put64(bytes + 16, rbl_hash_bytes(RBL_HASH_START, bytes + 24, size - 24));
	rbl_world *back = NULL;
	rbl_result result = rbl_world_load(bytes, size, &def, &sources, &back);
	memcpy(bytes + at, old, sizeof old);
	rbl_destroy_world(back);
	return result == RBL_BAD_FILE && !back;
}

// Ways and rotations of the last step, and distances of contacts, that no step makes: the next one
// would have numbers that are none.
static void what_no_step_makes_is_refused(test *t)
{
	busy b;
	size_t size;
	unsigned char *bytes = small_snapshot(&b, &size);
	const rbl_solver *s = b.s.world->solver;
	int bodies = 0, blocks = 0;
	for (int i = 0; i < s->awake_count && bodies < 4; ++i) {
		const rbl_solver_delta *delta = &s->records.delta[s->awake[i]];
		size_t at = find_bytes(bytes, size, delta, sizeof *delta);
		if (at == size || delta->translation.y == 0.0f)
			continue;
		bodies++;
		CHECK(t, is_refused_with(&b, bytes, size, at + 4, -2.7e22f)); // the way
		CHECK(t, is_refused_with(&b, bytes, size, at + 20, -2.7e22f));
	}
	for (int i = 0; i < RBL_SOLVER_COLORS && blocks < 4; ++i) {
		const rbl_solver_contact_block *block = s->lists[i].blocks;
		size_t at = s->lists[i].count == 0
		                ? size
		                : find_bytes(bytes, size, block->normal, sizeof block->normal);
		if (at == size)
			continue;
		blocks++;
		size_t normal = offsetof(rbl_solver_contact_block, normal);
		size_t point = at + offsetof(rbl_solver_contact_block, points[0]) - normal;
		size_t separation = point + offsetof(rbl_solver_point_block, separation);
		CHECK(t, is_refused_with(&b, bytes, size, at, 1e4f));
		CHECK(t, is_refused_with(&b, bytes, size, point, 3.7e19f)); // the anchor
		CHECK(t, is_refused_with(&b, bytes, size, separation, -3.7e19f));
	}
	CHECK(t, bodies == 4 && blocks == 4);
	free(bytes);
	busy_destroy(&b);
}

static void every_allocation_may_fail(test *t)
{
	busy b;
	size_t size;
	unsigned char *bytes = small_snapshot(&b, &size);
	rbl_sources sources = busy_sources(&b);
	int stride = test_count(7, 1);
	for (int n = 0;; n += n < 60 ? 1 : stride) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_world_def def = busy_world_def(&b);
		def.allocator = FAULTY(&memory);
		rbl_world *back = NULL;
		rbl_result result = rbl_world_load(bytes, size, &def, &sources, &back);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		rbl_destroy_world(back);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
	free(bytes);
	busy_destroy(&b);
}

static void saving_survives_a_failed_allocation(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.allocator = FAULTY(&memory);
	scene_create(&s, &def);
	scene_add_pile(&s, 20, 1);
	scene_steps(&s, 3);
	size_t size = 0;
	CHECK(t, rbl_world_save(s.world, NULL, &size) == RBL_OK);
	unsigned char *bytes = malloc(size);
	for (int n = 0; n < 100; ++n) {
		atomic_store(&memory.allowed, n);
		atomic_store(&memory.failed, false);
		long long before = memory.live_bytes;
		rbl_result result = rbl_world_save(s.world, bytes, &size);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		CHECK(t, memory.live_bytes == before);
		if (!memory.failed)
			break;
	}
	atomic_store(&memory.allowed, 1 << 30);
	free(bytes);
	scene_destroy(&s);
}

static rbl_world *stepping;
static rbl_result saved_in_step;

static bool save_in_step(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)user, (void)a, (void)b;
	size_t size = 0;
	saved_in_step = rbl_world_save(stepping, NULL, &size);
	return true;
}

static const rbl_pattern *find_nothing(void *user, uint64_t key)
{
	(void)key;
	++*(int *)user;
	return NULL;
}

static void bad_calls_are_refused(test *t)
{
	busy b;
	size_t size, small = 10;
	unsigned char *bytes = small_snapshot(&b, &size);
	rbl_world_def def = busy_world_def(&b), plain = { 0 };
	rbl_sources sources = busy_sources(&b), none = rbl_default_sources(), wrong = { 0 };
	rbl_world *back = NULL;
	CHECK(t, rbl_world_save(NULL, NULL, &size) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_save(b.s.world, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_save(b.s.world, bytes, &small) == RBL_LIMIT_REACHED && small == size);
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_load(NULL, size, &def, &sources, &back) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_load(bytes, size, NULL, &sources, &back) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_load(bytes, size, &plain, &sources, &back) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_load(bytes, size, &def, &wrong, &back) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_load(bytes, size, &def, NULL, &back) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_load(bytes, size, &def, &none, &back) == RBL_BAD_FILE && !back);
	int asked = 0;
	sources.patterns = NULL;
	sources.pattern_count = 0;
	sources.find_pattern = find_nothing;
	sources.user = &asked;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &back) == RBL_BAD_FILE && asked > 0);
	free(bytes);
	busy_destroy(&b);
	scene s;
	def = scene_def(&s, 1);
	def.should_collide = save_in_step;
	scene_create(&s, &def);
	stepping = s.world;
	scene_add_floor(&s);
	scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	scene_steps(&s, 1);
	CHECK(t, saved_in_step == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

TEST_MAIN(TEST(a_loaded_world_goes_on), TEST(every_prefix_and_flipped_byte_is_refused),
          TEST(what_no_step_makes_is_refused), TEST(forged_content_does_no_harm),
          TEST(every_allocation_may_fail), TEST(saving_survives_a_failed_allocation),
          TEST(bad_calls_are_refused))
