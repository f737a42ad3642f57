// SPDX-License-Identifier: MIT
// ctest: soak
// Assets as bytes: they break the same after reading, and nothing damaged is read.

#include "compounds.h"
#include "faulty_allocator.h"
#include "fracture/asset.h"
#include "invariants.h"

#include <rubble/asset.h>

static rbl_asset *prepare(test *t, int shape, int nodes)
{
	rbl_mesh *mesh = sample_shape(shape);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = nodes;
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	CHECK(t, rbl_prepare_key(mesh, &def) == rbl_asset_get_report(asset).key);
	def.seed++;
	CHECK(t, rbl_prepare_key(mesh, &def) != rbl_asset_get_report(asset).key);
	rbl_destroy_mesh(mesh);
	return asset;
}

static unsigned char *save(test *t, const rbl_asset *asset, size_t *size)
{
	*size = 0;
	CHECK(t, rbl_asset_save(asset, NULL, size) == RBL_OK);
	unsigned char *bytes = malloc(*size);
	CHECK(t, rbl_asset_save(asset, bytes, size) == RBL_OK);
	return bytes;
}

// Strike a copy of the asset's compound three times. @return a hash of all that came of it
static uint64_t strike(test *t, const rbl_asset *asset)
{
	rbl_compound *c = NULL;
	CHECK(t, rbl_asset_create_compound(asset, NULL, &c) == RBL_OK);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_IMPACT, 0.8, 20, 9);
	uint64_t hash = 1;
	for (int i = 0; i < 3; ++i) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ 0.4 - 0.4 * i, 0.1 * i, 0.2 };
		def.radius = 0.5;
		def.rotation_seed = (uint64_t)i + 1;
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
		hash = rbl_hash_number(hash, break_hash(c, broken));
		rbl_destroy_break(broken);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
	return hash;
}

static void what_is_read_breaks_the_same(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_asset *asset = prepare(t, shape, shape % 2 ? 6 : 0), *read = NULL;
		size_t size, again;
		unsigned char *bytes = save(t, asset, &size);
		CHECK(t, rbl_is_asset(bytes, size));
		CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_OK);
		CHECK(t, read && compound_hash(rbl_asset_get_compound(read)) ==
		                     compound_hash(rbl_asset_get_compound(asset)));
		rbl_asset_report a = rbl_asset_get_report(asset), b = rbl_asset_get_report(read);
		CHECK(t, a.key == b.key && a.part_count == b.part_count && a.bond_count == b.bond_count);
		CHECK(t, a.ghost_count == b.ghost_count && a.mass_volume == b.mass_volume);
		CHECK(t, a.node_count == b.node_count && a.stop == b.stop);
		CHECK(t, strike(t, asset) == strike(t, read));
		unsigned char *second = save(t, read, &again);
		CHECK(t, again == size && memcmp(bytes, second, size) == 0);
		free(second);
		free(bytes);
		rbl_destroy_asset(read);
		rbl_destroy_asset(asset);
	}
}

static void every_prefix_and_every_flipped_byte_is_refused(test *t)
{
	rbl_asset *asset = prepare(t, 6, 0), *read = NULL;
	size_t size;
	unsigned char *bytes = save(t, asset, &size);
	int taken = 0;
	for (size_t i = 0; i < size; ++i) {
		unsigned char *prefix = malloc(i + 1); // so that a read past the end is seen
		memcpy(prefix, bytes, i);
		taken += rbl_asset_load(prefix, i, NULL, &read) != RBL_BAD_FILE || read;
		free(prefix);
		bytes[i] ^= (unsigned char)(1 << i % 8);
		taken += rbl_asset_load(bytes, size, NULL, &read) != RBL_BAD_FILE || read;
		bytes[i] ^= (unsigned char)(1 << i % 8);
	}
	CHECK(t, taken == 0);
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_OK);
	rbl_destroy_asset(read);
	rbl_destroy_asset(asset);
	free(bytes);
}

// Someone who forges the hash as well gets an error or an asset, nothing worse.
static void forged_content_does_no_harm(test *t)
{
	rbl_asset *asset = prepare(t, 6, 3);
	size_t size;
	unsigned char *bytes = save(t, asset, &size);
	rbl_random random = rbl_random_from_seed(3);
	int refused = 0, rounds = test_count(3000, 200000);
	for (int i = 0; i < rounds; ++i) {
		size_t at = 24 + rbl_random_below(&random, (uint32_t)(size - 24));
		unsigned char old = bytes[at];
		bytes[at] = (unsigned char)rbl_random_below(&random, 256);
		uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes + 24, size - 24);
		for (int k = 0; k < 8; ++k)
			bytes[16 + k] = (unsigned char)(hash >> (8 * k));
		rbl_asset *read = NULL;
		rbl_result result = rbl_asset_load(bytes, size, NULL, &read);
		refused += result != RBL_OK;
		CHECK(t, (result == RBL_OK) == (read != NULL));
		rbl_destroy_asset(read);
		bytes[at] = old;
	}
	CHECK(t, refused > rounds / 20);
	free(bytes);
	rbl_destroy_asset(asset);
}

static rbl_asset *prepare_with_field(test *t)
{
	rbl_mesh *mesh = sample_shape(6);
	rbl_prepare_def def = rbl_default_prepare_def();
	uint64_t plain = rbl_prepare_key(mesh, &def);
	def.field_resolution = 16;
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	CHECK(t, rbl_prepare_key(mesh, &def) == rbl_asset_get_report(asset).key);
	CHECK(t, rbl_prepare_key(mesh, &def) != plain);
	rbl_destroy_asset(asset);
	def.field_resolution = 7;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def.field_resolution = 16, def.field_wall = -1.0;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT);
	def.field_wall = 0.0;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	rbl_destroy_mesh(mesh);
	return asset;
}

// Without a field an asset is of version 1, as files were before there were fields.
static void the_field_is_in_the_file_and_older_files_are_read(test *t)
{
	rbl_asset *without = prepare(t, 6, 0), *with = prepare_with_field(t), *read = NULL;
	size_t size, field_size, read_size;
	CHECK(t, rbl_asset_get_field(without) == NULL && rbl_asset_get_field(NULL) == NULL);
	unsigned char *bytes = save(t, without, &size);
	CHECK(t, bytes[4] == 1);
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_OK && !rbl_asset_get_field(read));
	rbl_destroy_asset(read);
	free(bytes);
	bytes = save(t, with, &size);
	CHECK(t, bytes[4] == 2);
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_OK);
	const rbl_distance_field *a = rbl_asset_get_field(with), *b = rbl_asset_get_field(read);
	CHECK(t, rbl_distance_field_save(a, NULL, &field_size) == RBL_OK);
	CHECK(t, rbl_distance_field_save(b, NULL, &read_size) == RBL_OK && read_size == field_size);
	unsigned char *field = malloc(field_size), *again = malloc(field_size);
	CHECK(t, rbl_distance_field_save(a, field, &field_size) == RBL_OK);
	CHECK(t, rbl_distance_field_save(b, again, &read_size) == RBL_OK);
	CHECK(t, memcmp(field, again, field_size) == 0);
	CHECK(t, strike(t, with) == strike(t, read));
	free(field);
	free(again);
	rbl_destroy_asset(read);
	int taken = 0;
	for (size_t i = 0; i < size; i += 1 + size / 500) { // neither cut short nor changed
		taken += rbl_asset_load(bytes, i, NULL, &read) != RBL_BAD_FILE || read;
		bytes[i] ^= (unsigned char)(1 << i % 8);
		taken += rbl_asset_load(bytes, size, NULL, &read) != RBL_BAD_FILE || read;
		bytes[i] ^= (unsigned char)(1 << i % 8);
	}
	CHECK(t, taken == 0);
	for (int version = 0; version < 256; ++version) {
		bytes[4] = (unsigned char)version;
		bool is_good = rbl_asset_load(bytes, size, NULL, &read) == RBL_OK;
		CHECK(t, is_good == (version == 2) && is_good == (read != NULL));
		rbl_destroy_asset(read);
	}
	bytes[4] = 2;
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_result result = rbl_asset_load(bytes, size, &allocator, &read);
		rbl_destroy_asset(read);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	free(bytes);
	rbl_destroy_asset(with);
	rbl_destroy_asset(without);
}

static void bad_calls_are_refused(test *t)
{
	rbl_asset *asset = prepare(t, 0, 0), *read = NULL;
	size_t size;
	unsigned char *bytes = save(t, asset, &size);
	size_t less = size - 1;
	CHECK(t, rbl_asset_save(asset, bytes, &less) == RBL_LIMIT_REACHED && less == size);
	CHECK(t, rbl_asset_save(NULL, bytes, &size) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_asset_save(asset, bytes, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_asset_load(NULL, size, NULL, &read) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_asset_load(bytes, size, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      !rbl_is_asset(NULL, 100) && !rbl_is_asset("RBLP and so on, forty bytes or more....", 40));
	CHECK(t, rbl_prepare_key(NULL, NULL) == 0);
	bytes[4] = 2;
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_BAD_FILE);
	free(bytes);
	rbl_destroy_asset(asset);
}

static void every_allocation_may_fail(test *t)
{
	rbl_asset *asset = prepare(t, 6, 3);
	size_t size;
	unsigned char *bytes = save(t, asset, &size);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_asset *read = NULL;
		rbl_result result = rbl_asset_load(bytes, size, &allocator, &read);
		rbl_destroy_asset(read);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	free(bytes);
	rbl_destroy_asset(asset);
}

TEST_MAIN(TEST(what_is_read_breaks_the_same), TEST(every_prefix_and_every_flipped_byte_is_refused),
          TEST(forged_content_does_no_harm),
          TEST(the_field_is_in_the_file_and_older_files_are_read), TEST(bad_calls_are_refused),
          TEST(every_allocation_may_fail))
