// SPDX-License-Identifier: MIT
// ctest: soak
// Damaged snapshots, recordings and assets with their hashes put right: each is refused with a line
// in the log, or it is as good as any other. What loads can be stepped, and what it has become can
// be saved and loaded again, over and over.
//
// RBL_STORM_FIRST=n and RBL_STORM_COUNT=n run a part of the full size (RBL_SOAK=1).

#include "storm.h"
#include "tape.h"

#include "base/blob.h"

static char last_line[400]; // of the log

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

// --- damage -------------------------------------------------------------------------------------

static void put_little(unsigned char *bytes, uint64_t value, int size)
{
	for (int i = 0; i < size; ++i)
		bytes[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t float_bits(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static uint64_t double_bits(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

// Change a byte, a number or a few of them behind `head`.
static void damage(rbl_random *random, unsigned char *bytes, size_t size, size_t head)
{
	const float floats[] = { 0.0f,   -0.0f,   1.0f,   -1.0f, NAN,    INFINITY, -INFINITY,
		                     1e-38f, FLT_MAX, -1e20f, 1e9f,  3e-45f, 0.5f,     1e6f };
	const uint32_t words[] = {
		0, 1, 2, 3, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 64, 1000
	};
	size_t at = head + rbl_random_below(random, (uint32_t)(size - head - 16));
	size_t word = head + (at - head) / 4 * 4;
	switch (rbl_random_below(random, 8)) {
	case 0:
		bytes[at] ^= (unsigned char)(1u << rbl_random_below(random, 8));
		break;
	case 1:
		bytes[at] = (unsigned char)rbl_random_below(random, 256);
		break;
	case 2:
		put_little(bytes + word, float_bits(floats[rbl_random_below(random, 14)]), 4);
		break;
	case 3:
		put_little(bytes + word, words[rbl_random_below(random, 11)], 4);
		break;
	case 4:
		put_little(bytes + word, double_bits((double)floats[rbl_random_below(random, 14)]), 8);
		break;
	case 5: // by one
		put_little(bytes + word, tape_word(bytes + word) + (rbl_random_below(random, 2) ? 1 : ~0u),
		           4);
		break;
	case 6: // as its neighbour
		put_little(bytes + word, tape_word(bytes + word + 4), 4);
		break;
	default: { // of another place, or its neighbours the other way round
		size_t other = head + rbl_random_below(random, (uint32_t)(size - head - 16)) / 4 * 4;
		uint32_t here = tape_word(bytes + word), there = tape_word(bytes + other);
		put_little(bytes + word, there, 4);
		if (rbl_random_below(random, 2))
			put_little(bytes + other, here, 4);
	}
	}
}

static void seal_block(unsigned char *bytes, size_t size)
{
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes + RBL_BLOB_HEADER, size - RBL_BLOB_HEADER);
	put_little(bytes + RBL_BLOB_HEADER - 8, hash, 8);
}

// --- snapshots ----------------------------------------------------------------------------------

typedef struct verdict {
	int tried, refused, loaded, again; // again: loads of what was loaded
} verdict;

static unsigned char *save(const rbl_world *world, size_t *size)
{
	*size = 0;
	if (rbl_world_save(world, NULL, size) != RBL_OK)
		return NULL;
	unsigned char *bytes = malloc(*size);
	if (bytes && rbl_world_save(world, bytes, size) != RBL_OK)
		free(bytes), bytes = NULL;
	return bytes;
}

// What is there is saved, loaded, and saved the same.
static bool loads_again(test *t, const rbl_world *world, const rbl_sources *sources, verdict *v)
{
	size_t size, again_size;
	unsigned char *bytes = save(world, &size), *again = NULL;
	CHECK(t, bytes != NULL);
	rbl_world_def def = rbl_default_world_def();
	rbl_world *loaded = NULL;
	rbl_sources own = *sources; // a replay has materials of its own, the caller's have other values
	own.materials = NULL, own.material_count = 0;
	bool ok = bytes && rbl_world_load(bytes, size, &def, &own, &loaded) == RBL_OK;
	if (ok) {
		again = save(loaded, &again_size);
		ok = again && again_size == size && memcmp(again, bytes, size) == 0;
		if (!ok)
			snprintf(last_line, sizeof last_line, "it is saved as something else");
	}
	v->again += ok;
	rbl_destroy_world(loaded);
	free(bytes), free(again);
	return ok;
}

static void try_snapshot(test *t, const unsigned char *bytes, size_t size,
                         const rbl_sources *sources, uint64_t number, verdict *v)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_world *world = NULL;
	last_line[0] = '\0';
	rbl_result result = rbl_world_load(bytes, size, &def, sources, &world);
	CHECK(t, (result == RBL_OK) == (world != NULL));
	CHECK(t, result == RBL_OK || (result == RBL_BAD_FILE && strstr(last_line, "refused")));
	v->tried++;
	v->refused += result == RBL_BAD_FILE;
	v->loaded += result == RBL_OK;
	for (int step = 0; step < 4 && world; ++step) {
		bool ok = loads_again(t, world, sources, v);
		if (!ok && t->failures < 10)
			printf("number %llu, after %d steps: %s\n", (unsigned long long)number, step,
			       last_line);
		CHECK(t, ok);
		if (!ok)
			break;
		result = rbl_world_step(world, 1.0f / 60.0f);
		if (result != RBL_OK && t->failures < 10)
			printf("number %llu, step %d: %d, %s\n", (unsigned long long)number, step, result,
			       last_line);
		CHECK(t, result == RBL_OK);
	}
	rbl_destroy_world(world);
}

static void damaged_snapshots_are_refused_or_good(test *t)
{
	static storm m;
	verdict v = { 0 };
	int begin, count;
	storm_range(&begin, &count, test_repeats(6, 2), 300);
	rbl_set_log(keep_line, NULL);
	for (int i = begin; i < begin + count; ++i) {
		storm_open(t, &m, 7000u + (unsigned)i, 1);
		storm_blow(t, &m, 400 + 37 * (i % 50));
		size_t size;
		unsigned char *bytes = save(m.s.world, &size), *copy = malloc(size);
		rbl_sources sources = storm_sources(&m);
		for (int k = 0; k < 60; ++k) {
			uint64_t number = 1000u * (unsigned)i + (unsigned)k;
			rbl_random random = rbl_random_from_seed(number);
			memcpy(copy, bytes, size);
			for (uint32_t n = rbl_random_below(&random, 8) ? 1 : 3; n > 0; --n)
				damage(&random, copy, size, RBL_BLOB_HEADER);
			seal_block(copy, size);
			try_snapshot(t, copy, size, &sources, number, &v);
		}
		free(bytes), free(copy);
		storm_close(&m);
	}
	rbl_set_log(NULL, NULL);
	printf("%d snapshots: %d refused, %d loaded, %d times again\n", v.tried, v.refused, v.loaded,
	       v.again);
	CHECK(t, v.refused > v.tried / 10 && v.loaded > v.tried / 10 && v.again > v.loaded);
}

// --- recordings ---------------------------------------------------------------------------------

static void try_recording(test *t, const bytes_tape *tape, const rbl_sources *sources,
                          uint64_t number, verdict *v)
{
	enum { MOST_STEPS = 40, INTERVAL = 8 };
	rbl_world_def def = rbl_default_world_def();
	rbl_replay *replay = NULL;
	rbl_replay_report report = { 0 };
	last_line[0] = '\0';
	rbl_result result = rbl_create_replay(tape->bytes, tape->size, &def, sources, &replay);
	CHECK(t, (result == RBL_OK) == (replay != NULL));
	v->tried++;
	v->loaded += result == RBL_OK;
	for (int i = 0; i < MOST_STEPS && result == RBL_OK && !report.is_over; ++i) {
		result = rbl_replay_step(replay, &report);
		if (i % INTERVAL != 0 && result == RBL_OK && !report.is_over)
			continue;
		char line[sizeof last_line];
		memcpy(line, last_line, sizeof line);
		bool ok = loads_again(t, rbl_replay_get_world(replay), sources, v);
		if (!ok && t->failures < 10)
			printf("number %llu, step %lld: %s\n", (unsigned long long)number,
			       (long long)report.step, last_line);
		CHECK(t, ok);
		memcpy(last_line, line, sizeof line);
		if (!ok)
			break;
	}
	CHECK(t, result == RBL_OK || (result == RBL_BAD_FILE && last_line[0]));
	v->refused += result == RBL_BAD_FILE;
	rbl_destroy_replay(replay);
}

static void damaged_recordings_are_refused_or_good(test *t)
{
	enum { HEAD = 12 };
	static storm m;
	verdict v = { 0 };
	int begin, count;
	storm_range(&begin, &count, test_repeats(4, 2), 200);
	rbl_set_log(keep_line, NULL);
	for (int i = begin; i < begin + count; ++i) {
		storm_open(t, &m, 8000u + (unsigned)i, 1);
		storm_blow(t, &m, 100 + 17 * (i % 50));
		bytes_tape tape, copy;
		rbl_recording_def def = tape_def(&tape, false);
		CHECK(t, rbl_world_begin_recording(m.s.world, &def) == RBL_OK);
		size_t snapshot = tape.size;
		storm_blow(t, &m, 1500);
		CHECK(t, rbl_world_end_recording(m.s.world) == RBL_OK);
		rbl_sources sources = storm_sources(&m);
		copy = tape;
		copy.bytes = malloc(tape.size);
		for (int k = 0; k < 25; ++k) {
			uint64_t number = 1000u * (unsigned)i + (unsigned)k;
			rbl_random random = rbl_random_from_seed(number);
			memcpy(copy.bytes, tape.bytes, tape.size);
			// Mostly in the calls: snapshots have a test of their own.
			size_t from = k % 5 || snapshot + 64 > tape.size ? snapshot : HEAD;
			for (uint32_t n = 1 + rbl_random_below(&random, 4); n > 0; --n)
				damage(&random, copy.bytes, copy.size, from);
			tape_seal(&copy);
			try_recording(t, &copy, &sources, number, &v);
		}
		free(tape.bytes), free(copy.bytes);
		storm_close(&m);
	}
	rbl_set_log(NULL, NULL);
	printf("%d recordings: %d loaded, %d refused in the end, %d worlds loaded again\n", v.tried,
	       v.loaded, v.refused, v.again);
	CHECK(t, v.refused > v.tried / 10 && v.loaded > v.tried / 10 && v.again > v.loaded);
}

// --- assets -------------------------------------------------------------------------------------

static unsigned char *save_asset(const rbl_asset *asset, size_t *size)
{
	*size = 0;
	if (rbl_asset_save(asset, NULL, size) != RBL_OK)
		return NULL;
	unsigned char *bytes = malloc(*size);
	if (bytes && rbl_asset_save(asset, bytes, size) != RBL_OK)
		free(bytes), bytes = NULL;
	return bytes;
}

// It is saved, loaded, and saved the same.
static bool asset_loads_again(test *t, const rbl_asset *asset)
{
	size_t size, again_size;
	unsigned char *bytes = save_asset(asset, &size), *again = NULL;
	rbl_asset *loaded = NULL;
	CHECK(t, bytes != NULL);
	bool ok = bytes && rbl_asset_load(bytes, size, NULL, &loaded) == RBL_OK;
	if (ok) {
		again = save_asset(loaded, &again_size);
		ok = again && again_size == size && memcmp(again, bytes, size) == 0;
	}
	rbl_destroy_asset(loaded);
	free(bytes), free(again);
	return ok;
}

// A world in which things of the asset fall, break and lie.
static void live_with(test *t, const storm *m, const rbl_asset *asset, uint64_t number, verdict *v)
{
	rbl_world_def def = rbl_default_world_def();
	def.freeze_time = 0.05f;
	def.bake_time = 0.1f;
	rbl_world *world = NULL;
	CHECK(t, rbl_create_world(&def, &world) == RBL_OK);
	rbl_body_def floor = scene_body(m->s.floor, 0.0f, -0.5f, 0.0f), thing = rbl_default_body_def();
	floor.kind = RBL_BODY_STATIC;
	rbl_create_body(world, &floor);
	rbl_body_id bodies[3];
	for (int i = 0; i < 3; ++i) {
		thing.asset = asset;
		thing.shared_material = i == 1 ? NULL : m->materials[3];
		thing.pose.position = (rbl_vec3){ 3.0f * (float)i, 0.6f + (float)i, 0.0f };
		thing.velocity.y = i == 2 ? -20.0f : 0.0f;
		last_line[0] = '\0';
		bodies[i] = rbl_create_body(world, &thing);
		CHECK(t, !rbl_body_id_is_null(bodies[i]) || last_line[0]);
	}
	rbl_sources sources = storm_sources(m);
	sources.assets = &asset;
	for (int step = 0; step < 5; ++step) {
		if (step == 1 && rbl_body_exists(world, bodies[0]))
			rbl_body_damage(world, bodies[0], rbl_body_get_state(world, bodies[0]).centre,
			                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 2000.0f);
		rbl_result result = rbl_world_step(world, 1.0f / 60.0f);
		bool ok = result == RBL_OK && loads_again(t, world, &sources, v);
		if (!ok && t->failures < 10)
			printf("number %llu, step %d: %d, %s\n", (unsigned long long)number, step, result,
			       last_line);
		CHECK(t, ok);
		if (!ok)
			break;
	}
	rbl_destroy_world(world);
}

static void damaged_assets_are_refused_or_good(test *t)
{
	static storm m;
	verdict v = { 0 };
	int begin, count;
	storm_range(&begin, &count, test_repeats(150, 50), 30000);
	storm_open(t, &m, 9000, 1);
	// With a distance field, of which most bytes may be anything, and without.
	rbl_asset *plain = NULL;
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	CHECK(t, rbl_prepare(m.block, &prepare_def, &plain) == RBL_OK);
	size_t sizes[2];
	unsigned char *all[2] = { save_asset(m.asset, &sizes[0]), save_asset(plain, &sizes[1]) };
	unsigned char *copy = malloc(sizes[0] + sizes[1]);
	rbl_destroy_asset(plain);
	rbl_set_log(keep_line, NULL);
	for (int i = begin; i < begin + count; ++i) {
		rbl_random random = rbl_random_from_seed((uint64_t)i);
		size_t size = sizes[i % 3 != 0];
		memcpy(copy, all[i % 3 != 0], size);
		for (uint32_t n = rbl_random_below(&random, 4) ? 1 : 3; n > 0; --n)
			damage(&random, copy, size, RBL_BLOB_HEADER);
		seal_block(copy, size);
		rbl_asset *asset = NULL;
		last_line[0] = '\0';
		rbl_result result = rbl_asset_load(copy, size, NULL, &asset);
		CHECK(t, (result == RBL_OK) == (asset != NULL));
		CHECK(t, result == RBL_OK || (result == RBL_BAD_FILE && last_line[0]));
		v.tried++;
		v.refused += result == RBL_BAD_FILE;
		v.loaded += result == RBL_OK;
		if (asset) {
			CHECK(t, asset_loads_again(t, asset));
			live_with(t, &m, asset, (uint64_t)i, &v);
		}
		rbl_destroy_asset(asset);
	}
	rbl_set_log(NULL, NULL);
	free(all[0]), free(all[1]), free(copy);
	storm_close(&m);
	printf("%d assets: %d refused, %d loaded, %d worlds loaded again\n", v.tried, v.refused,
	       v.loaded, v.again);
	CHECK(t, v.refused > v.tried / 10 && v.loaded > v.tried / 10 && v.again > v.loaded);
}

TEST_MAIN(TEST(damaged_snapshots_are_refused_or_good), TEST(damaged_recordings_are_refused_or_good),
          TEST(damaged_assets_are_refused_or_good))
