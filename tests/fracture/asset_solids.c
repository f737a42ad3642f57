// SPDX-License-Identifier: MIT
// Meshes of an asset are made ready for cutting once, and copied with its compound.

#include "compounds.h"
#include "faulty_allocator.h"
#include "fracture/asset.h"
#include "fracture/fracture.h"
#include "invariants.h"

static rbl_asset *prepare(int shape, const rbl_allocator *allocator)
{
	rbl_mesh *mesh = sample_shape(shape);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 5;
	if (allocator)
		def.allocator = *allocator;
	rbl_asset *asset = NULL;
	rbl_prepare(mesh, &def, &asset);
	rbl_destroy_mesh(mesh);
	return asset;
}

// Strike a copy of the asset's compound. @return a hash of all that came of it
static uint64_t strike(test *t, const rbl_asset *asset)
{
	rbl_compound *c = NULL;
	CHECK(t, rbl_asset_create_compound(asset, NULL, &c) == RBL_OK);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 30, 3);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.3, 0.1, 0.1 };
	def.radius = 0.6;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).made_count > 0);
	uint64_t hash = break_hash(c, broken);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
	return hash;
}

static void copies_of_solids_break_the_same(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_asset *asset = prepare(shape, NULL);
		uint64_t before = strike(t, asset);
		CHECK(t, !asset->solids);
		rbl_asset_prepare_solids(asset);
		rbl_solid **made = asset->solids;
		CHECK(t, made && strike(t, asset) == before);
		rbl_asset_prepare_solids(asset);
		CHECK(t, asset->solids == made);
		rbl_destroy_asset(asset);
	}
}

static void a_copy_of_a_solid_is_all_its_own(test *t)
{
	rbl_mesh *mesh = sample_shape(1), *twin = NULL;
	rbl_solid_def def = rbl_default_solid_def();
	rbl_solid *solid = NULL, *copy = NULL;
	def.mesh = mesh;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_OK);
	rbl_allocator usual = rbl_allocator_or_default(NULL);
	CHECK(t, rbl_mesh_duplicate(mesh, &usual, &twin) == RBL_OK);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_result result = rbl_solid_copy(solid, twin, &allocator, &copy);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 5);
			double volume = rbl_solid_volume(solid);
			rbl_destroy_solid(solid);
			rbl_destroy_mesh(mesh);
			CHECK(t, rbl_solid_volume(copy) == volume && copy->mesh == twin);
			rbl_destroy_solid(copy);
			CHECK(t, memory.live_bytes == 0);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY && !copy && memory.live_bytes == 0);
	}
	rbl_destroy_mesh(twin);
}

static void without_memory_there_are_no_solids(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_allocator allocator = FAULTY(&memory);
	rbl_asset *asset = prepare(3, &allocator);
	uint64_t before = strike(t, asset);
	for (int n = 0;; n += 1 + n / 8) {
		int64_t bytes = (int64_t)memory.live_bytes;
		memory.allowed = n;
		memory.failed = false;
		rbl_asset_prepare_solids(asset);
		if (!memory.failed)
			break;
		CHECK(t, !asset->solids && (int64_t)memory.live_bytes == bytes);
	}
	memory.allowed = 1 << 30;
	CHECK(t, asset->solids && strike(t, asset) == before);
	rbl_destroy_asset(asset);
	CHECK(t, memory.live_bytes == 0);
}

TEST_MAIN(TEST(copies_of_solids_break_the_same), TEST(a_copy_of_a_solid_is_all_its_own),
          TEST(without_memory_there_are_no_solids))
