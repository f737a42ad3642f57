// SPDX-License-Identifier: MIT
// Every field of the rules that decide what breaks where - hierarchy, painted strength, anchors, damage by
// shapes, explosions - changes something that can be seen: of two worlds whose rules differ in one field,
// what happens differs. After a snapshot it is the same as without. A field without a case fails.

#include "../test.h"
#include "breakable.h"

#include <rubble/shapes.h>
#include <rubble/snapshot.h>

#include <stddef.h>

enum { STEPS = 20, SAVED_AT = 3, MOST = 2000, LEVELS = 2 };

typedef struct rules {
	rbl_cluster_level levels[LEVELS];
	rbl_strength_paint paint;
	rbl_anchor_def anchors;
	rbl_damage_def damage;
	rbl_explosion blast;
	double slope, other_slope; // of the painted strength, along the wall
	const rbl_pattern *other_pattern;
} rules;

typedef struct rule_world {
	scene s;
	rbl_pattern *patterns[2];
	rbl_mesh *mesh;
	rbl_asset *asset;
	rbl_material *material;
} rule_world;

static double slope_strength(void *user, rbl_vec3d position)
{
	return 0.6 + *(const double *)user * (position.x + 1.0);
}

static double even_strength(void *user, rbl_vec3d position)
{
	(void)user, (void)position;
	return 0.5;
}

static const rbl_boxd end_box = { { 0.7, -1.0, -1.0 }, { 2.0, 2.0, 1.0 } };

static void set_base(rules *r, const rule_world *w)
{
	*r = (rules){ .slope = 0.2, .other_slope = 0.4, .other_pattern = w->patterns[1] };
	r->levels[0] = (rbl_cluster_level){ .strength = 0.2,
		                                .pattern = w->patterns[0],
		                                .rotation = { 0.0, 0.0, 0.0, 1.0 } };
	r->levels[1] = (rbl_cluster_level){ .cluster_count = 9, .strength = 0.5 };
	r->paint = rbl_default_strength_paint();
	r->paint.function = slope_strength, r->paint.user = &r->slope;
	r->paint.channel = RBL_CHANNEL_RED;
	r->paint.at_zero = 0.5;
	r->anchors = rbl_default_anchor_def();
	r->anchors.lowest = 0.02;
	r->damage = rbl_default_damage_def();
	r->damage.shape = RBL_DAMAGE_CAPSULE;
	r->damage.position = (rbl_vec3){ 0.5f, 0.6f, 0.5f };
	r->damage.translation = (rbl_vec3){ 0.0f, 0.0f, -2.0f };
	r->damage.radius = 0.3f, r->damage.falloff = 0.2f;
	r->damage.energy = 150.0f, r->damage.impulse = 40.0f;
	r->blast = rbl_default_explosion();
	r->blast.position = (rbl_vec3){ -0.5f, 0.7f, 0.8f };
	r->blast.radius = 1.0f, r->blast.falloff = 0.5f;
	r->blast.energy = 180.0f;
}

// --- fields -------------------------------------------------------------------------------------

// The structure of each, its field, and a change of it.
#define CHANGES(X)                                                                              \
	X(rbl_cluster_level, cluster_count, r->levels[1].cluster_count = 14)                        \
	X(rbl_cluster_level, strength, r->levels[0].strength = 0.6)                                 \
	X(rbl_cluster_level, pattern, r->levels[0].pattern = r->other_pattern)                      \
	X(rbl_cluster_level, position, r->levels[0].position.x = 0.3)                               \
	X(rbl_cluster_level, rotation, (r->levels[0].rotation = (rbl_quatd){ 0, 0, 0.6, 0.8 }))     \
	X(rbl_strength_paint, function, r->paint.function = even_strength)                          \
	X(rbl_strength_paint, user, r->paint.user = &r->other_slope)                                \
	X(rbl_strength_paint, key, r->paint.key = 7)                                                \
	X(rbl_strength_paint, channel, r->paint.channel = RBL_CHANNEL_GREEN)                        \
	X(rbl_strength_paint, at_zero, r->paint.at_zero = 0.3)                                      \
	X(rbl_strength_paint, at_one, r->paint.at_one = 2.0)                                        \
	X(rbl_anchor_def, lowest, r->anchors.lowest = -1.0, r->anchors.channel = RBL_CHANNEL_GREEN) \
	X(rbl_anchor_def, up, r->anchors.up = (rbl_vec3d){ 1.0, 0.0, 0.0 })                         \
	X(rbl_anchor_def, boxes, r->anchors.boxes = &end_box, r->anchors.box_count = 1)             \
	X(rbl_anchor_def, box_count, r->anchors.boxes = &end_box, r->anchors.box_count = 1)         \
	X(rbl_anchor_def, material, r->anchors.material = "end")                                    \
	X(rbl_anchor_def, channel, r->anchors.channel = RBL_CHANNEL_GREEN)                          \
	X(rbl_damage_def, shape, r->damage.shape = RBL_DAMAGE_CONE)                                 \
	X(rbl_damage_def, position, r->damage.position.x = 0.1f)                                    \
	X(rbl_damage_def, translation, r->damage.translation.x = 0.6f)                              \
	X(rbl_damage_def, radius, r->damage.radius = 0.5f)                                          \
	X(rbl_damage_def, falloff, r->damage.falloff = 0.6f)                                        \
	X(rbl_damage_def, energy, r->damage.energy = 300.0f)                                        \
	X(rbl_damage_def, impulse, r->damage.impulse = 80.0f)                                       \
	X(rbl_damage_def, mask, r->damage.mask = 2)                                                 \
	X(rbl_damage_def, is_occluded, r->damage.is_occluded = true)                                \
	X(rbl_explosion, position, r->blast.position.x = -0.2f)                                     \
	X(rbl_explosion, radius, r->blast.radius = 1.3f)                                            \
	X(rbl_explosion, falloff, r->blast.falloff = 1.0f)                                          \
	X(rbl_explosion, impulse_per_area, r->blast.impulse_per_area = 300.0f)                      \
	X(rbl_explosion, mask, r->blast.mask = 2)                                                   \
	X(rbl_explosion, energy, r->blast.energy = 250.0f)                                          \
	X(rbl_explosion, is_occluded, r->blast.is_occluded = true)

static void change_field(rules *r, int which)
{
	int k = 0;
#define CHANGE(type, member, ...) \
	if (k++ == which) {           \
		__VA_ARGS__;              \
	}
	CHANGES(CHANGE)
}

typedef struct field_place {
	const char *type, *name;
	size_t offset, size;
} field_place;

#define PLACE(type, member, ...) \
	{ #type, #member, offsetof(type, member), sizeof(((type *)0)->member) },

static const field_place places[] = { CHANGES(PLACE) };

enum { FIELD_COUNT = sizeof places / sizeof *places };

// All bytes of each structure are those of a field in the table, of its cookie, or padding.
static void every_field_has_a_case(test *t)
{
	static const struct {
		const char *name;
		size_t size, cookie;
		int padding;
	} types[] = {
		{ "rbl_cluster_level", sizeof(rbl_cluster_level), SIZE_MAX, 4 },
		{ "rbl_strength_paint", sizeof(rbl_strength_paint), SIZE_MAX, 4 },
		{ "rbl_anchor_def", sizeof(rbl_anchor_def), offsetof(rbl_anchor_def, cookie), 4 },
		{ "rbl_damage_def", sizeof(rbl_damage_def), offsetof(rbl_damage_def, cookie), 3 },
		{ "rbl_explosion", sizeof(rbl_explosion), SIZE_MAX, 3 },
	};
	for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
		char covered[256] = { 0 };
		int left = 0;
		CHECK(t, types[k].size <= sizeof covered);
		for (int i = 0; i < FIELD_COUNT; ++i)
			if (strcmp(places[i].type, types[k].name) == 0)
				memset(covered + places[i].offset, 1, places[i].size);
		if (types[k].cookie != SIZE_MAX)
			memset(covered + types[k].cookie, 1, sizeof(uint32_t));
		for (size_t i = 0; i < types[k].size; ++i)
			left += !covered[i];
		if (left != types[k].padding)
			printf("%s: %d bytes of %zu have no case\n", types[k].name, left, types[k].size);
		CHECK(t, left == types[k].padding || sizeof(void *) < 8);
	}
}

// --- the world ----------------------------------------------------------------------------------

// A wall of 2 x 1 x 0.4 metres, red to its right, green at its left end, which is of another slot.
static rbl_mesh *make_mesh(test *t)
{
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 2.0, 1.0, 0.4 };
	rbl_mesh *plain = NULL, *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec4 colors[24];
	int slots[6] = { 0 };
	CHECK(t, def.data.corner_count == 24 && def.data.face_count == 6);
	for (int f = 0; f < 6; ++f) {
		bool is_left = true;
		for (int c = def.data.face_starts[f]; c < def.data.face_starts[f + 1]; ++c) {
			double x = def.data.positions[def.data.corner_vertices[c]].x;
			is_left = is_left && x < 0.0;
			colors[c] = (rbl_vec4){ x > 0.0 ? 1.0f : 0.0f, x > 0.0 ? 0.0f : 1.0f, 0.0f, 1.0f };
		}
		slots[f] = is_left;
	}
	const rbl_mesh_material looks[2] = { { .name = "wall" }, { .name = "end" } };
	def.data.corner_colors = colors;
	def.data.materials = looks, def.data.material_count = 2, def.data.face_materials = slots;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_destroy_mesh(plain);
	return mesh;
}

static void make_sources(test *t, rule_world *w)
{
	*w = (rule_world){ .mesh = make_mesh(t) };
	for (int i = 0; i < 2; ++i) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.size = (rbl_vec3d){ 2.4, 1.4, 1.0 };
		def.cell_count = 5;
		def.seed = 3 + (uint64_t)i;
		CHECK(t, rbl_create_pattern(&def, &w->patterns[i]) == RBL_OK);
	}
}

static void add_bodies(test *t, rule_world *w)
{
	scene_add_floor(&w->s);
	rbl_damage_level level = { .energy = 1e6, .pattern = w->patterns[0], .radius = 0.3 };
	rbl_material_def def = rbl_default_material_def();
	def.damage.levels = &level, def.damage.level_count = 1;
	def.damage.bond_energy = 300.0, def.damage.wear_energy = 1.0, def.damage.wear_radius = 0.6;
	CHECK(t, rbl_create_material(&def, &w->material) == RBL_OK);
	rbl_body_def wall = rbl_default_body_def();
	wall.asset = w->asset, wall.shared_material = w->material;
	for (int i = 0; i < 2; ++i) { // one behind the other
		wall.pose.position = (rbl_vec3){ 0.0f, 0.5f, -0.6f * (float)i };
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(w->s.world, &wall)));
	}
	scene_add(&w->s, w->s.ball, 0.5f, 0.3f, 0.5f); // within both shapes, and behind the first wall
	scene_add(&w->s, w->s.ball, 0.4f, 0.3f, -1.1f);
	scene_add(&w->s, w->s.ball, -0.4f, 0.3f, -1.2f);
	CHECK(t, rbl_world_body_count(w->s.world) == 6);
}

static void reload(test *t, rule_world *w, const rbl_world_def *def)
{
	size_t size = 0;
	CHECK(t, rbl_world_save(w->s.world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(w->s.world, bytes, &size) == RBL_OK);
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[1] = { w->asset };
	const rbl_pattern *patterns[2] = { w->patterns[0], w->patterns[1] };
	sources.assets = assets, sources.asset_count = 1;
	sources.patterns = patterns, sources.pattern_count = 2;
	rbl_world *loaded = NULL;
	CHECK(t, rbl_world_load(bytes, size, def, &sources, &loaded) == RBL_OK);
	free(bytes);
	rbl_destroy_world(w->s.world);
	w->s.world = loaded;
}

// Poses, and the health of parts and bonds.
static uint64_t hash_seen(const rbl_world *world, uint64_t hash)
{
	static rbl_body_id ids[MOST];
	int count = rbl_world_get_bodies(world, ids, MOST);
	for (int i = 0; i < count; ++i) {
		rbl_transform pose = rbl_body_pose(world, ids[i]);
		hash = rbl_hash_bytes(hash, &pose, sizeof pose);
		const rbl_compound *compound = rbl_body_get_compound(world, ids[i]);
		int end = compound ? rbl_compound_get_info(compound).part_end : 0;
		for (int p = 0; p < end; ++p) {
			rbl_compound_part part = rbl_compound_get_part(compound, p);
			rbl_compound_bond bonds[32];
			int bond_count = rbl_compound_get_bonds(compound, p, bonds, 32);
			hash = rbl_hash_bytes(hash, &part.damage, sizeof part.damage);
			hash = rbl_hash_number(hash, part.is_anchored);
			for (int k = 0; k < bond_count && k < 32; ++k)
				hash = rbl_hash_bytes(hash, &bonds[k].damage, sizeof bonds[k].damage);
		}
	}
	return hash;
}

// @param which  field is changed, -1: none
// @param key    receives the key of the asset
static uint64_t run(test *t, rule_world *w, int which, bool reloads, uint64_t *key)
{
	rules r;
	set_base(&r, w);
	change_field(&r, which);
	rbl_prepare_def prepare = rbl_default_prepare_def();
	prepare.node_count = 6;
	prepare.levels = r.levels, prepare.level_count = LEVELS;
	prepare.paint = r.paint;
	prepare.anchors = &r.anchors;
	CHECK(t, rbl_prepare(w->mesh, &prepare, &w->asset) == RBL_OK);
	*key = rbl_asset_get_report(w->asset).key;
	rbl_world_def def = scene_def(&w->s, 1);
	def.budget = 0;
	scene_create(&w->s, &def);
	add_bodies(t, w);
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < STEPS; ++i) {
		if (i == SAVED_AT && reloads)
			reload(t, w, &def);
		if (i == 1 || i == 5)
			CHECK(t, rbl_world_damage(w->s.world, &r.damage) == RBL_OK);
		if (i == 2 || i == 7)
			CHECK(t, rbl_world_explode(w->s.world, &r.blast) == RBL_OK);
		scene_steps(&w->s, 1);
		if (i > SAVED_AT)
			hash = hash_seen(w->s.world, hash);
	}
	scene_destroy(&w->s);
	rbl_destroy_asset(w->asset);
	rbl_destroy_material(w->material);
	return hash;
}

static void every_field_changes_what_happens(test *t)
{
	rule_world w;
	make_sources(t, &w);
	uint64_t base_key = 0, key = 0, base = run(t, &w, -1, false, &base_key);
	CHECK(t, run(t, &w, -1, true, &key) == base && key == base_key);
	for (int i = 0; i < FIELD_COUNT; ++i) {
		// The number that stands for a function is of the key alone.
		bool is_key = strcmp(places[i].name, "key") == 0;
		uint64_t now = run(t, &w, i, false, &key);
		bool differs = is_key ? key != base_key && now == base : now != base;
		bool is_kept = run(t, &w, i, true, &key) == now;
		if (!differs || !is_kept)
			printf("%s.%s: %s\n", places[i].type, places[i].name,
			       differs ? "lost in a snapshot" : "nothing differs");
		CHECK(t, differs && is_kept);
	}
	rbl_destroy_mesh(w.mesh);
	rbl_destroy_pattern(w.patterns[0]);
	rbl_destroy_pattern(w.patterns[1]);
}

TEST_MAIN(TEST(every_field_has_a_case), TEST(every_field_changes_what_happens))
