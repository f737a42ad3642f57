// SPDX-License-Identifier: MIT
// Every field of a material changes something that can be seen: of two worlds whose materials differ in
// one field, what happens differs. After a snapshot it is the same as without. A field without a case
// fails.

#include "../test.h"
#include "breakable.h"

#include <rubble/shapes.h>
#include <rubble/snapshot.h>

#include <stddef.h>

enum { STEPS = 24, SAVED_AT = 3, MOST = 4000, PADDING = 39, PATTERNS = 3 };

typedef struct field_world {
	scene s;
	rbl_pattern *patterns[PATTERNS];
	rbl_asset *asset;
	rbl_damage_level level;
	rbl_material *material;
	rbl_body_id struck, worn, beam, row;
} field_world;

static void change_field(rbl_material_def *def, int which);

static rbl_material_def base_def(field_world *w)
{
	rbl_material_def def = rbl_default_material_def();
	def.values.restitution = 0.2f;
	def.damage.levels = &w->level, def.damage.level_count = 1;
	w->level = (rbl_damage_level){ .energy = 100.0, .pattern = w->patterns[0], .radius = 0.35 };
	def.damage.radius_limit = 0.6;
	def.damage.bend_energy = 40.0, def.damage.bend_depth = 0.05, def.damage.bend_radius = 0.5;
	def.damage.wear_energy = 1.0, def.damage.wear_radius = 0.4, def.damage.bond_energy = 500.0;
	def.strengths = (rbl_bond_strengths){ 1e9, 1e9, 1e9 };
	def.placement = RBL_PLACEMENT_FRAME;
	def.inner.roughness = 0.01, def.inner.rough_step = 0.05;
	def.debris.kind = RBL_DEBRIS_CHIPS, def.debris.density = 20.0, def.debris.limit = 40;
	def.debris.lifetime = 0.2f, def.debris.dust_density = 3.0;
	return def;
}

// A row of bricks. @param is_anchored  it is held at one end
static rbl_compound *make_beam(test *t, double thickness, double y, double z, bool is_anchored)
{
	rbl_compound_part parts[5];
	rbl_compound *compound = NULL;
	for (int i = 0; i < 5; ++i) {
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ { 0.4 * i, y, z }, { 0.4 * i + 0.4, y + thickness, z + thickness } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex, .is_anchored = is_anchored && i == 0 };
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts, def.part_count = 5;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	for (int i = 0; i < 5; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return compound;
}

static void add_bodies(test *t, field_world *w, const rbl_material_def *def)
{
	scene_add_floor(&w->s);
	rbl_body_def block = rbl_default_body_def();
	block.asset = w->asset, block.shared_material = w->material;
	block.pose.position = (rbl_vec3){ 0.0f, 0.6f, 0.0f };
	w->struck = rbl_create_body(w->s.world, &block);
	block.pose.position = (rbl_vec3){ -3.0f, 0.52f, 0.0f };
	block.velocity.x = 1.0f;
	w->worn = rbl_create_body(w->s.world, &block);
	rbl_body_def beam = rbl_default_body_def();
	beam.compound = make_beam(t, 0.2, 3.0, 4.0, true), beam.shared_material = w->material;
	w->beam = rbl_create_body(w->s.world, &beam);
	beam.compound = make_beam(t, 0.4, 0.0, -4.0, false);
	w->row = rbl_create_body(w->s.world, &beam);
	rbl_body_def ball = scene_body(w->s.ball, 4.0f, 0.6f, 0.0f); // of values: it rolls and spins
	ball.material = def->values;
	ball.velocity.x = 2.0f, ball.angular_velocity.y = 5.0f;
	rbl_create_body(w->s.world, &ball);
	CHECK(t, rbl_world_body_count(w->s.world) == 6);
}

static uint64_t hash_mesh(uint64_t hash, const rbl_mesh *mesh)
{
	if (!mesh)
		return hash;
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	hash = rbl_hash_bytes(hash, d.positions, (size_t)d.vertex_count * sizeof *d.positions);
	if (d.corner_uv0)
		hash = rbl_hash_bytes(hash, d.corner_uv0, (size_t)d.corner_count * sizeof *d.corner_uv0);
	if (d.corner_colors)
		hash =
			rbl_hash_bytes(hash, d.corner_colors, (size_t)d.corner_count * sizeof *d.corner_colors);
	if (d.face_materials)
		hash =
			rbl_hash_bytes(hash, d.face_materials, (size_t)d.face_count * sizeof *d.face_materials);
	return hash;
}

// What one sees of a world: poses, masses, parts with health and meshes. Not its own hash, which has
// the numbers of materials in it.
static uint64_t hash_seen(const rbl_world *world, uint64_t hash)
{
	static rbl_body_id ids[MOST];
	int count = rbl_world_get_bodies(world, ids, MOST);
	for (int i = 0; i < count; ++i) {
		rbl_transform pose = rbl_body_pose(world, ids[i]);
		float mass = rbl_body_get_mass(world, ids[i]).mass;
		hash = rbl_hash_bytes(rbl_hash_bytes(hash, &pose, sizeof pose), &mass, sizeof mass);
		const rbl_compound *compound = rbl_body_get_compound(world, ids[i]);
		int end = compound ? rbl_compound_get_info(compound).part_end : 0;
		for (int p = 0; p < end; ++p) {
			rbl_compound_part part = rbl_compound_get_part(compound, p);
			rbl_compound_bond bonds[32];
			int bond_count = rbl_compound_get_bonds(compound, p, bonds, 32);
			hash = hash_mesh(rbl_hash_number(hash, part.shape), part.mesh);
			hash = rbl_hash_bytes(hash, &part.damage, sizeof part.damage);
			for (int k = 0; k < bond_count && k < 32; ++k)
				hash = rbl_hash_bytes(hash, &bonds[k].damage, sizeof bonds[k].damage);
		}
	}
	return hash;
}

static uint64_t hash_events(const rbl_world *world, uint64_t hash)
{
	rbl_events e = rbl_world_get_events(world);
	for (int i = 0; i < e.fracture_count; ++i) {
		const rbl_fracture_event *f = &e.fractures[i];
		hash = rbl_hash_number(hash, (uint64_t)f->dust_count << 32 | (uint32_t)f->chip_count);
		hash = rbl_hash_number(hash, (uint64_t)f->emitter_count);
		for (int k = 0; k < f->chip_count; ++k)
			hash = rbl_hash_bytes(hash, &f->chips[k].radius, sizeof f->chips[k].radius);
		hash = rbl_hash_number(hash, f->made_of ? rbl_material_get_values(f->made_of).user : 0);
	}
	return hash;
}

static void strike(rbl_world *world, rbl_body_id body, float energy)
{
	if (!rbl_body_exists(world, body))
		return;
	rbl_box box = rbl_body_bounds(world, body);
	rbl_vec3 at = rbl_scale(0.5f, rbl_add(box.lower, box.upper));
	at.z = box.upper.z;
	rbl_body_damage(world, body, at, (rbl_vec3){ 0.1f, 0.2f, -1.0f }, INFINITY, energy);
}

static void reload(test *t, field_world *w, const rbl_world_def *def)
{
	size_t size = 0;
	CHECK(t, rbl_world_save(w->s.world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(w->s.world, bytes, &size) == RBL_OK);
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[1] = { w->asset };
	const rbl_pattern *patterns[PATTERNS] = { w->patterns[0], w->patterns[1], w->patterns[2] };
	sources.assets = assets, sources.asset_count = 1;
	sources.patterns = patterns, sources.pattern_count = PATTERNS;
	rbl_world *loaded = NULL;
	CHECK(t, rbl_world_load(bytes, size, def, &sources, &loaded) == RBL_OK);
	free(bytes);
	rbl_destroy_world(w->s.world);
	w->s.world = loaded;
}

enum { UNCHANGED = -1, LEVEL_ENERGY = -2, LEVEL_RADIUS = -3, LEVEL_PATTERN = -4, LEVEL_COUNT = -5 };

// What happens with a material.
static uint64_t run_with(test *t, field_world *w, const rbl_material_def *def, bool reloads)
{
	CHECK(t, rbl_create_material(def, &w->material) == RBL_OK);
	rbl_world_def world_def = scene_def(&w->s, 1);
	world_def.budget = 0;
	scene_create(&w->s, &world_def);
	add_bodies(t, w, def);
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < STEPS; ++i) {
		if (i == SAVED_AT && reloads)
			reload(t, w, &world_def);
		if (i < 3)
			strike(w->s.world, w->worn, 15.0f);
		if (i == 4)
			strike(w->s.world, w->beam, 60.0f); // bends
		if (i == 6)
			strike(w->s.world, w->row, 900.0f);
		if (i == 5)
			strike(w->s.world, w->struck, 300.0f);
		if (i == 12)
			strike(w->s.world, w->struck, 900.0f); // what is left of it
		if (i == 14) {
			static rbl_body_id ids[MOST];
			int count = rbl_world_get_bodies(w->s.world, ids, MOST);
			for (int k = 6; k < count && k < 16; ++k)
				strike(w->s.world, ids[k], 150.0f);
		}
		scene_steps(&w->s, 1);
		hash = hash_events(w->s.world, hash);
		if (i > 3)
			hash = hash_seen(w->s.world, hash);
	}
	scene_destroy(&w->s);
	rbl_destroy_material(w->material);
	w->material = NULL;
	return hash;
}

// @param which  field is changed: a place in the table, or of a level
static uint64_t run(test *t, field_world *w, int which, bool reloads)
{
	rbl_material_def def = base_def(w);
	if (which >= 0)
		change_field(&def, which);
	else if (which == LEVEL_ENERGY)
		w->level.energy = 350.0;
	else if (which == LEVEL_RADIUS)
		w->level.radius = 0.2;
	else if (which == LEVEL_PATTERN)
		w->level.pattern = w->patterns[1];
	else if (which == LEVEL_COUNT)
		def.damage.level_count = 0;
	return run_with(t, w, &def, reloads);
}

// Each field, and a change of it.
#define CHANGES(X)                                                              \
	X(values.friction, def->values.friction = 0.05f)                            \
	X(values.restitution, def->values.restitution = 0.7f)                       \
	X(values.density, def->values.density = 700.0f)                             \
	X(values.rolling_resistance, def->values.rolling_resistance = 0.2f)         \
	X(values.spinning_resistance, def->values.spinning_resistance = 0.5f)       \
	X(values.surface_velocity, def->values.surface_velocity.z = 1.0f)           \
	X(values.user, def->values.user = 99)                                       \
	X(damage.radius_limit, def->damage.radius_limit = 0.3)                      \
	X(damage.min_size, def->damage.min_size = 0.4)                              \
	X(damage.dust_size, def->damage.dust_size = 0.1)                            \
	X(damage.bend_energy, def->damage.bend_energy = 70.0)                       \
	X(damage.bend_depth, def->damage.bend_depth = 0.1)                          \
	X(damage.bend_radius, def->damage.bend_radius = 0.25)                       \
	X(damage.wear_energy, def->damage.wear_energy = 20.0)                       \
	X(damage.wear_exponent, def->damage.wear_exponent = 1)                      \
	X(damage.wear_radius, def->damage.wear_radius = 0.8)                        \
	X(damage.bond_energy, def->damage.bond_energy = 20.0)                       \
	X(strengths.tension, def->strengths.tension = 10.0)                         \
	X(strengths.shear, def->strengths.shear = 10.0)                             \
	X(strengths.compression, def->strengths.compression = 10.0)                 \
	X(placement, def->placement = RBL_PLACEMENT_RANDOM)                         \
	X(frame, (def->frame = (rbl_quatd){ 0.6, 0.0, 0.0, 0.8 }))                  \
	X(frame_origin, def->frame_origin.x = 0.13)                                 \
	X(shape, def->shape.x.x = 1.4)                                              \
	X(inner.material, def->inner.material = 0)                                  \
	X(inner.uv_scale, def->inner.uv_scale = 0.5)                                \
	X(inner.uv_offset, def->inner.uv_offset.x = 0.3f)                           \
	X(inner.uv_seed, def->inner.uv_seed = 5)                                    \
	X(inner.atlas_lower, (def->inner.atlas_lower = (rbl_vec2){ -0.1f, -0.1f })) \
	X(inner.atlas_upper, (def->inner.atlas_upper = (rbl_vec2){ 0.5f, 0.5f }))   \
	X(inner.color, def->inner.color.y = 0.5f)                                   \
	X(inner.roughness, def->inner.roughness = 0.02)                             \
	X(inner.rough_step, def->inner.rough_step = 0.08)                           \
	X(fit, def->fit = RBL_FIT_BOX)                                              \
	X(welds, def->welds = !def->welds)                                          \
	X(cut_limit, def->cut_limit = 3)                                            \
	X(debris.kind, def->debris.kind = RBL_DEBRIS_SPHERES)                       \
	X(debris.density, def->debris.density = 5.0)                                \
	X(debris.min_radius, def->debris.min_radius = 0.5 * def->debris.max_radius) \
	X(debris.max_radius, def->debris.max_radius *= 1.7)                         \
	X(debris.limit, def->debris.limit = 1)                                      \
	X(debris.lifetime, def->debris.lifetime = 0.1f)                             \
	X(debris.speed, def->debris.speed = 4.0f)                                   \
	X(debris.dust_density, def->debris.dust_density = 30.0)

static void change_field(rbl_material_def *def, int which)
{
	int k = 0;
#define CHANGE(member, statement) \
	if (k++ == which)             \
		statement;
	CHANGES(CHANGE)
}

typedef struct field_place {
	const char *name;
	size_t offset, size;
} field_place;

#define PLACE(member, statement) \
	{ #member, offsetof(rbl_material_def, member), sizeof(((rbl_material_def *)0)->member) },

static const field_place places[] = { CHANGES(PLACE) };

enum { FIELD_COUNT = sizeof places / sizeof *places };

// What needs no case: what is not a property, and levels, which have their own.
#define OTHER(member)                                                                        \
	{                                                                                        \
#member, offsetof(rbl_material_def, member), sizeof(((rbl_material_def *)0)->member) \
	}

static const field_place others[] = { OTHER(damage.levels), OTHER(damage.level_count),
	                                  OTHER(damage.cookie), OTHER(name),
	                                  OTHER(allocator),     OTHER(cookie) };

// All bytes of a definition are those of a field in one of the tables, but for padding.
static void every_field_has_a_case(test *t)
{
	char covered[sizeof(rbl_material_def)] = { 0 };
	for (int i = 0; i < FIELD_COUNT; ++i)
		memset(covered + places[i].offset, 1, places[i].size);
	for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
		memset(covered + others[i].offset, 1, others[i].size);
	int left = 0;
	for (size_t i = 0; i < sizeof covered; ++i)
		left += !covered[i];
	printf("%d fields, %d bytes of %zu are padding\n", FIELD_COUNT, left, sizeof covered);
	CHECK(t, FIELD_COUNT > 40 && (left == PADDING || sizeof(void *) < 8));
}

static void make_assets(test *t, field_world *w)
{
	*w = (field_world){ .material = NULL };
	for (int i = 0; i < PATTERNS; ++i) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.size = (rbl_vec3d){ 3.0, 3.0, 3.0 };
		def.cell_count = 400;
		def.seed = 3;
		if (i == 0) {
			def.kind = RBL_PATTERN_BRICKS;
			def.brick_size = (rbl_vec3d){ 0.3, 0.15, 0.12 };
		} else if (i == 2) {
			def.kind = RBL_PATTERN_WEB;
			def.ring_count = 6, def.spoke_count = 12;
		}
		CHECK(t, rbl_create_pattern(&def, &w->patterns[i]) == RBL_OK);
	}
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 1.0, 1.0, 0.4 };
	rbl_mesh *plain = NULL, *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec4 *colors = malloc((size_t)def.data.corner_count * sizeof *colors);
	for (int i = 0; i < def.data.corner_count; ++i)
		colors[i] = (rbl_vec4){ 0.5f, 0.5f, 0.5f, 1.0f };
	def.data.corner_colors = colors;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_prepare_def prepare = rbl_default_prepare_def();
	CHECK(t, rbl_prepare(mesh, &prepare, &w->asset) == RBL_OK);
	free(colors);
	rbl_destroy_mesh(plain);
	rbl_destroy_mesh(mesh);
}

static void free_assets(field_world *w)
{
	rbl_destroy_asset(w->asset);
	for (int i = 0; i < PATTERNS; ++i)
		rbl_destroy_pattern(w->patterns[i]);
}

static void every_field_changes_what_happens(test *t)
{
	field_world w;
	make_assets(t, &w);
	uint64_t base = run(t, &w, UNCHANGED, false);
	CHECK(t, run(t, &w, UNCHANGED, false) == base && run(t, &w, UNCHANGED, true) == base);
	for (int i = LEVEL_COUNT; i < FIELD_COUNT; i += test_repeats(1, 4)) {
		if (i == UNCHANGED)
			continue;
		uint64_t now = run(t, &w, i, false);
		bool differs = now != base, is_kept = run(t, &w, i, true) == now;
		if (!differs || !is_kept)
			printf("%s: %s\n", i >= 0 ? places[i].name : "of a level",
			       differs ? "lost in a snapshot" : "nothing differs");
		CHECK(t, differs && is_kept);
	}
	free_assets(&w);
}

// --- values -------------------------------------------------------------------------------------

// All values of a choice differ in what happens, also after a snapshot.
static void check_values(test *t, const char *name, const uint64_t *hashes,
                         const uint64_t *reloaded, int count)
{
	for (int i = 0; i < count; ++i) {
		if (reloaded[i] != hashes[i])
			printf("%s %d: lost in a snapshot\n", name, i);
		CHECK(t, reloaded[i] == hashes[i]);
		for (int k = 0; k < i; ++k) {
			if (hashes[i] == hashes[k])
				printf("%s: %d does what %d does\n", name, i, k);
			CHECK(t, hashes[i] != hashes[k]);
		}
	}
}

static void every_value_of_a_choice_does_something_else(test *t)
{
	enum { LEAST = 3 };
	field_world w;
	make_assets(t, &w);
	uint64_t hashes[2][LEAST];
	for (int i = 0; i < LEAST; ++i)
		for (int reloads = 0; reloads < 2; ++reloads) {
			rbl_material_def def = base_def(&w);
			def.fit = (rbl_fit)(RBL_FIT_BOX + i);
			hashes[reloads][i] = run_with(t, &w, &def, reloads);
		}
	check_values(t, "fit", hashes[0], hashes[1], RBL_FIT_26 - RBL_FIT_BOX + 1);
	for (int i = 0; i < LEAST; ++i)
		for (int reloads = 0; reloads < 2; ++reloads) {
			rbl_material_def def = base_def(&w);
			def.debris.kind = (rbl_debris_kind)i;
			hashes[reloads][i] = run_with(t, &w, &def, reloads);
		}
	check_values(t, "debris.kind", hashes[0], hashes[1], RBL_DEBRIS_KIND_COUNT);
	free_assets(&w);
}

// Bricks lie along the frame, Voronoi cells at random and webs about the hit, unless the material says
// otherwise; it may say each of these of all of them.
static void placement_by_kind_is_one_of_the_others(test *t)
{
	static const rbl_pattern_placement usual[PATTERNS] = { RBL_PLACEMENT_FRAME,
		                                                   RBL_PLACEMENT_RANDOM,
		                                                   RBL_PLACEMENT_NORMAL };
	field_world w;
	make_assets(t, &w);
	for (int k = 0; k < PATTERNS; ++k) {
		uint64_t hashes[2][RBL_PLACEMENT_COUNT];
		for (int i = 0; i < RBL_PLACEMENT_COUNT; ++i)
			for (int reloads = 0; reloads < 2; ++reloads) {
				rbl_material_def def = base_def(&w);
				w.level.pattern = w.patterns[k];
				def.placement = (rbl_pattern_placement)i;
				hashes[reloads][i] = run_with(t, &w, &def, reloads);
			}
		CHECK(t, hashes[0][RBL_PLACEMENT_BY_KIND] == hashes[0][usual[k]]);
		CHECK(t, hashes[1][RBL_PLACEMENT_BY_KIND] == hashes[0][usual[k]]);
		check_values(t, "placement", hashes[0] + RBL_PLACEMENT_RANDOM,
		             hashes[1] + RBL_PLACEMENT_RANDOM, RBL_PLACEMENT_COUNT - 1);
	}
	free_assets(&w);
}

// The second level acts from its energy on, by its own pattern and radius.
static void a_second_level_acts_by_all_its_fields(test *t)
{
	field_world w;
	make_assets(t, &w);
	uint64_t hashes[2][5];
	for (int i = 0; i < 5; ++i)
		for (int reloads = 0; reloads < 2; ++reloads) {
			rbl_material_def def = base_def(&w);
			rbl_damage_level levels[2] = {
				w.level, { .energy = 500.0, .pattern = w.patterns[1], .radius = 0.5 }
			};
			def.damage.levels = levels, def.damage.level_count = i == 0 ? 1 : 2;
			if (i == 2)
				levels[1].energy = 950.0;
			if (i == 3)
				levels[1].pattern = w.patterns[2];
			if (i == 4)
				levels[1].radius = 0.3;
			hashes[reloads][i] = run_with(t, &w, &def, reloads);
		}
	// Blows are of 900 J at most: a level from 950 J on is none.
	CHECK(t, hashes[0][2] == hashes[0][0] && hashes[1][2] == hashes[0][0]);
	hashes[0][2] = hashes[1][2] = 0;
	check_values(t, "level", hashes[0], hashes[1], 5);
	free_assets(&w);
}

TEST_MAIN(TEST(every_field_has_a_case), TEST(every_field_changes_what_happens),
          TEST(every_value_of_a_choice_does_something_else),
          TEST(placement_by_kind_is_one_of_the_others), TEST(a_second_level_acts_by_all_its_fields))
