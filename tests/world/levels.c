// SPDX-License-Identifier: MIT
// Bodies of assets in levels: they weigh what the mesh weighs, part level by level, and go on the same
// way after a snapshot.

#include "test.h"

#include <rubble/rubble.h>

static const double WALL_VOLUME = 2.4 * 1.2 * 0.3;

typedef struct stage {
	rbl_pattern *chunks, *bricks;
	rbl_asset *asset;
	rbl_material *material;
	rbl_world *world;
	rbl_body_id wall;
} stage;

static stage make_stage(test *t)
{
	stage s = { 0 };
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	box.size = (rbl_vec3d){ 2.4, 1.2, 0.3 };
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	rbl_pattern_def pattern = rbl_default_pattern_def();
	pattern.size = box.size, pattern.cell_count = 6;
	CHECK(t, rbl_create_pattern(&pattern, &s.chunks) == RBL_OK);
	pattern.kind = RBL_PATTERN_BRICKS;
	pattern.brick_size = (rbl_vec3d){ 0.3, 0.15, 0.3 };
	pattern.size = (rbl_vec3d){ 4.8, 2.4, 0.6 };
	CHECK(t, rbl_create_pattern(&pattern, &s.bricks) == RBL_OK);
	const rbl_cluster_level levels[] = { { .strength = 0.1, .pattern = s.chunks },
		                                 { .strength = 0.5, .pattern = s.bricks } };
	rbl_prepare_def prepare = rbl_default_prepare_def();
	prepare.levels = levels, prepare.level_count = 2;
	CHECK(t, rbl_prepare(mesh, &prepare, &s.asset) == RBL_OK);
	rbl_destroy_mesh(mesh);
	rbl_damage_level level = { .energy = 1e5, .pattern = s.chunks, .radius = 0.3 };
	rbl_material_def material = rbl_default_material_def();
	material.values.density = 2000.0f;
	material.damage.levels = &level, material.damage.level_count = 1;
	material.damage.bond_energy = 10000.0, material.damage.wear_radius = 100.0;
	CHECK(t, rbl_create_material(&material, &s.material) == RBL_OK);
	rbl_world_def def = rbl_default_world_def();
	CHECK(t, rbl_create_world(&def, &s.world) == RBL_OK);
	rbl_body_def body = rbl_default_body_def();
	body.asset = s.asset, body.shared_material = s.material;
	s.wall = rbl_create_body(s.world, &body);
	return s;
}

static void destroy_stage(stage *s)
{
	rbl_destroy_world(s->world);
	rbl_destroy_asset(s->asset);
	rbl_destroy_material(s->material);
	rbl_destroy_pattern(s->chunks);
	rbl_destroy_pattern(s->bricks);
}

static double mass_of(const rbl_world *world, int *count)
{
	rbl_body_id bodies[512];
	double sum = 0.0;
	*count = rbl_world_get_bodies(world, bodies, 512);
	for (int i = 0; i < *count && i < 512; ++i)
		sum += (double)rbl_body_get_mass(world, bodies[i]).mass;
	return sum;
}

// A blow somewhere on the wall.
static void blow(test *t, rbl_world *world, rbl_body_id body, float energy)
{
	rbl_vec3 point = rbl_body_pose(world, body).position;
	CHECK(t, rbl_body_damage(world, body, point, (rbl_vec3){ 0.0f, 0.0f, -1.0f }, 0.1f, energy) ==
	             RBL_OK);
	rbl_world_step(world, 1.0f / 60.0f);
}

static void bodies_part_level_by_level(test *t)
{
	stage s = make_stage(t);
	int count;
	double mass = 2000.0 * WALL_VOLUME;
	CHECK_NEAR(t, mass_of(s.world, &count) / mass, 1.0, 1e-6);
	CHECK(t, count == 1);
	blow(t, s.world, s.wall, 900.0f); // chunks hold 1000 J
	mass_of(s.world, &count);
	CHECK(t, count == 1);
	blow(t, s.world, s.wall, 1200.0f);
	CHECK_NEAR(t, mass_of(s.world, &count) / mass, 1.0, 1e-6);
	CHECK(t, count == 6);
	blow(t, s.world, s.wall, 6000.0f); // bricks hold 5000 J
	CHECK_NEAR(t, mass_of(s.world, &count) / mass, 1.0, 1e-6);
	CHECK(t, count > 12);
	destroy_stage(&s);
}

// Saved whole and saved in chunks, a world goes on as the one that was not saved.
static void snapshots_keep_levels(test *t)
{
	uint64_t hashes[3];
	for (int way = 0; way < 3; ++way) {
		stage s = make_stage(t);
		for (int k = 0; k < 2; ++k) {
			if (way == k + 1) {
				size_t size = 0;
				CHECK(t, rbl_world_save(s.world, NULL, &size) == RBL_OK);
				void *bytes = malloc(size);
				CHECK(t, rbl_world_save(s.world, bytes, &size) == RBL_OK);
				rbl_world *loaded = NULL;
				rbl_world_def def = rbl_default_world_def();
				rbl_sources sources = rbl_default_sources();
				const rbl_pattern *patterns[] = { s.chunks, s.bricks };
				const rbl_asset *asset = s.asset;
				sources.assets = &asset, sources.asset_count = 1;
				sources.patterns = patterns, sources.pattern_count = 2;
				CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
				free(bytes);
				rbl_destroy_world(s.world);
				s.world = loaded;
			}
			blow(t, s.world, s.wall, k == 0 ? 1200.0f : 6000.0f);
		}
		for (int i = 0; i < 20; ++i)
			rbl_world_step(s.world, 1.0f / 60.0f);
		hashes[way] = rbl_world_hash(s.world);
		destroy_stage(&s);
	}
	CHECK(t, hashes[1] == hashes[0] && hashes[2] == hashes[0]);
}

TEST_MAIN(TEST(bodies_part_level_by_level), TEST(snapshots_keep_levels))
