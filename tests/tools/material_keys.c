// SPDX-License-Identifier: MIT
// ctest: native
//
// Every key of a scene's material, and of its levels, changes what a run shows: its film or its table of
// events. Keys come from the program itself, so that a new one without a case fails; so does a field of
// the library's definitions that no key reaches.

#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "base/hash.h"
#include "io/gltf_builder.h"

#include <rubble/io.h>
#include <rubble/json.h>
#include <rubble/rubble.h>

#include <stddef.h>

// --- scenes -------------------------------------------------------------------------------------

typedef struct pair {
	const char *key, *value;
} pair;

// What all materials have; a case adds to it, or replaces.
static const pair common[] = {
	{ "restitution", "0.2" },   { "break_energy", "100" },   { "break_radius", "0.35" },
	{ "radius_limit", "0.4" },  { "cell_count", "12" },      { "min_size", "0.1" },
	{ "dust_size", "0.02" },    { "bend_energy", "40" },     { "bend_radius", "0.5" },
	{ "wear_energy", "1" },     { "wear_radius", "0.4" },    { "bond_energy", "500" },
	{ "bond_strength", "1e9" }, { "bond_shear", "1e9" },     { "bond_compression", "1e9" },
	{ "roughness", "0.01" },    { "rough_step", "0.05" },    { "debris", "\"chips\"" },
	{ "chip_density", "20" },   { "chips_per_break", "40" }, { "chip_lifetime", "0.2" },
	{ "dust_density", "3" },    { "dust_lifetime", "0.2" },
};

enum { COMMON = sizeof common / sizeof *common, PAIRS = COMMON + 8 };

typedef struct members {
	pair all[PAIRS];
	int count;
} members;

// Add a member, replace it, or drop it where the value is NULL.
static void set_member(members *m, const char *key, const char *value)
{
	int i = 0;
	while (i < m->count && strcmp(m->all[i].key, key) != 0)
		++i;
	if (!value && i < m->count)
		m->all[i] = m->all[--m->count];
	else if (value && i < PAIRS)
		m->all[i] = (pair){ key, value }, m->count += i == m->count;
}

static void put_members(const members *m, char *text, size_t size)
{
	size_t used = 0;
	*text = '\0';
	for (int i = 0; i < m->count; ++i)
		used += (size_t)snprintf(text + used, used < size ? size - used : 0, "%s\"%s\":%s",
		                         i ? "," : "", m->all[i].key, m->all[i].value);
}

// A textured block: its film has texture coordinates of cut faces.
static void write_block(test *t)
{
	rbl_scene_image image = { "skin", "image/png", gltf_png, sizeof gltf_png, NULL };
	rbl_scene_texture texture = { .name = "skin", .image = 1 };
	rbl_scene_material looks[2] = { rbl_default_scene_material(), rbl_default_scene_material() };
	looks[0].name = "skin", looks[0].base_color_texture.texture = 1;
	looks[1].name = "flesh", looks[1].base_color_texture.texture = 1;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 1.0, 1.0, 0.4 };
	rbl_mesh *plain = NULL, *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &plain) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	rbl_vec2 uv[24];
	rbl_vec4 colors[24];
	int slots[6] = { 0, 0, 0, 0, 0, 1 };
	for (int c = 0; c < 24; ++c) {
		uv[c] = (rbl_vec2){ (float)(c % 4 / 2), (float)(c % 2) };
		colors[c] = (rbl_vec4){ 0.5f, 0.5f, 0.5f, 1.0f };
	}
	rbl_mesh_material materials[2] = { { .name = "skin", .source = 1 },
		                               { .name = "flesh", .source = 2 } };
	CHECK(t, def.data.corner_count == 24 && def.data.face_count == 6);
	def.data.corner_uv0 = uv, def.data.corner_colors = colors;
	def.data.materials = materials, def.data.material_count = 2, def.data.face_materials = slots;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_scene_node node = rbl_default_scene_node();
	node.name = "block", node.mesh = 0;
	const rbl_mesh *meshes[1] = { mesh };
	rbl_scene_label label = { .name = "block" };
	rbl_scene scene = { .mesh_count = 1,
		                .meshes = meshes,
		                .mesh_labels = &label,
		                .node_count = 1,
		                .nodes = &node,
		                .material_count = 2,
		                .materials = looks,
		                .texture_count = 1,
		                .textures = &texture,
		                .image_count = 1,
		                .images = &image };
	char path[100];
	snprintf(path, sizeof path, "%s/block.glb", folder);
	CHECK(t, rbl_write_scene(path, &scene, NULL) == RBL_OK);
	write_file("skin.png", gltf_png, sizeof gltf_png);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(plain);
}

// A block that breaks twice, one that is worn and slides, a beam held at one end that bends, a row of
// bricks that is worn, a slab that is hit by a ball, a ring, and a ball that rolls and spins.
static const char scene_format[] =
	"{\"version\":2,\"step_count\":18,\"substep_count\":4,\"materials\":{\"floor\":{\"density\":"
	"7800},\"x\":{%s}},"
	"\"models\":{\"floor\":{\"box\":[40,1,40]},\"ball\":{\"sphere\":0.5},"
	"\"block\":{\"file\":\"block.glb\",\"match_names\":false},\"slab\":{\"box\":[1,1,0.4]},"
	"\"beam\":{\"boxes\":[{\"size\":[0.4,0.2,0.2],\"count\":[5,1,1]}]},"
	"\"row\":{\"boxes\":[{\"size\":[0.4,0.4,0.4],\"count\":[5,1,1]}]},"
	"\"shot\":{\"sphere\":0.1},\"ring\":{\"shape\":\"torus\",\"detail\":1}},\"instances\":["
	"{\"model\":\"floor\",\"material\":\"floor\",\"kind\":\"static\",\"position\":[0,-0.5,0],"
	"\"hidden\":true},"
	"{\"name\":\"struck\",\"model\":\"block\",\"material\":\"x\",\"position\":[0,0.6,0]},"
	"{\"name\":\"worn\",\"model\":\"slab\",\"material\":\"x\",\"position\":[-3,0.52,0],"
	"\"velocity\":[1,0,0]},"
	"{\"name\":\"beam\",\"model\":\"beam\",\"material\":\"x\",\"position\":[0,3,4],"
	"\"anchor_box\":[-0.2,-1,-1,0.2,1,1]},"
	"{\"name\":\"row\",\"model\":\"row\",\"material\":\"x\",\"position\":[0,0.2,-4]},"
	"{\"model\":\"slab\",\"material\":\"x\",\"position\":[8,0.52,0]},"
	"{\"name\":\"ring\",\"model\":\"ring\",\"material\":\"x\",\"position\":[12,0.5,0]},"
	"{\"model\":\"ball\",\"material\":\"x\",\"position\":[4,0.5,0],\"velocity\":[2,0,0],"
	"\"angular_velocity\":[0,5,0]}],\"projectiles\":["
	"{\"model\":\"shot\",\"material\":\"floor\",\"position\":[8,0.6,0.5],\"velocity\":[0,0,-8]}],"
	"\"triggers\":[%s]}";

static const struct {
	double time;
	const char *target;
	double at[3], energy;
} blows[] = {
	{ 0.0, "worn", { -3.0, 0.5, 0.2 }, 15.0 },   { 0.02, "worn", { -3.0, 0.5, 0.2 }, 15.0 },
	{ 0.04, "worn", { -3.0, 0.5, 0.2 }, 15.0 },  { 0.0, "row", { 0.7, 0.2, -3.8 }, 15.0 },
	{ 0.02, "row", { 0.7, 0.2, -3.8 }, 15.0 },   { 0.06, "row", { 0.5, 0.2, -3.8 }, 22.0 },
	{ 0.06, "beam", { 0.8, 3.0, 4.1 }, 60.0 },   { 0.1, "row", { 0.8, 0.2, -3.8 }, 900.0 },
	{ 0.04, "ring", { 13.0, 0.5, 0.0 }, 300.0 }, { 0.08, "struck", { 0.0, 0.6, 0.2 }, 300.0 },
	{ 0.2, "struck", { 0.2, 0.3, 0.2 }, 900.0 },
};

static void put_blows(char *text, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < sizeof blows / sizeof *blows; ++i)
		used += (size_t)snprintf(
			text + used, used < size ? size - used : 0,
			"%s{\"time\":%g,\"action\":\"damage\",\"target\":\"%s\",\"position\":[%g,%g,%g],"
			"\"direction\":[0.1,0.2,-1],\"radius\":10,\"energy\":%g}",
			i ? "," : "", blows[i].time, blows[i].target, blows[i].at[0], blows[i].at[1],
			blows[i].at[2], blows[i].energy);
}

static const uint64_t USER = 0x123456789abc;

static bool is_in_file(test *t, const char *name, uint64_t number)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	rbl_file_bytes bytes = { 0 };
	CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_OK && bytes.size > 100);
	bool is_there = false;
	for (size_t i = 0; i + sizeof number <= bytes.size && !is_there; ++i)
		is_there = memcmp((const char *)bytes.data + i, &number, sizeof number) == 0;
	rbl_free_bytes(&bytes);
	return is_there;
}

static uint64_t hash_file(test *t, const char *name, uint64_t hash)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	rbl_file_bytes bytes = { 0 };
	CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_OK && bytes.size > 100);
	hash = rbl_hash_bytes(hash, bytes.data, bytes.size);
	rbl_free_bytes(&bytes);
	return hash;
}

// The film and the table of events, and the number of the material for programs in the recording. Not
// the hash of the state, which has the definition itself in it.
static uint64_t film_of(test *t, const members *m)
{
	static char material[4000], events[4000], text[12000];
	put_members(m, material, sizeof material);
	put_blows(events, sizeof events);
	snprintf(text, sizeof text, scene_format, material, events);
	write_file("x.json", text, strlen(text));
	if (run("run x.json -o x.glb --events x.csv --record x.rec --workers 1") != 0)
		test_fail(t, __FILE__, __LINE__, output);
	uint64_t hash = hash_file(t, "x.csv", hash_file(t, "x.glb", RBL_HASH_START));
	return rbl_hash_number(hash, is_in_file(t, "x.rec", USER));
}

// --- cases --------------------------------------------------------------------------------------

// A change of a key, and what the material needs besides for it to be read.
typedef struct change {
	const char *key, *value;
	pair with[2];
} change;

#define BRICKS                  \
	{                           \
		"pattern", "\"bricks\"" \
	}
#define LARGE                           \
	{                                   \
		"brick_size", "[0.3,0.15,0.12]" \
	}
#define WEB                  \
	{                        \
		"pattern", "\"web\"" \
	}
#define SPLINTERS                  \
	{                              \
		"pattern", "\"splinters\"" \
	}

static const change changes[] = {
	{ "preset", "\"wood\"", { { 0 } } },
	{ "density", "700", { { 0 } } },
	{ "friction", "0.05", { { 0 } } },
	{ "restitution", "0.7", { { 0 } } },
	{ "rolling_resistance", "0.2", { { 0 } } },
	{ "spinning_resistance", "0.5", { { 0 } } },
	{ "surface_velocity", "[0,0,1]", { { 0 } } },
	{ "color", "[0.1,0.2,0.3]", { { 0 } } },
	{ "opacity", "0.5", { { 0 } } },
	{ "metallic", "1", { { 0 } } },
	{ "surface_roughness", "0.2", { { 0 } } },
	{ "break_energy", "400", { { 0 } } },
	{ "break_radius", "0.2", { { 0 } } },
	{ "radius_limit", "0.25", { { 0 } } },
	{ "pattern", "\"voronoi\"", { { 0 } } },
	{ "cell_count", "24", { { 0 } } },
	{ "focus", "1", { { 0 } } },
	{ "ring_count", "4", { WEB } },
	{ "spoke_count", "5", { WEB } },
	{ "jitter", "0.1", { WEB } },
	{ "brick_size", "[0.3,0.15,0.12]", { BRICKS } },
	{ "bond", "\"stack\"", { BRICKS, LARGE } },
	{ "stretch", "2", { SPLINTERS } },
	{ "placement", "\"frame\"", { { 0 } } },
	{ "frame", "[1,0,0,60]", { BRICKS, LARGE } },
	{ "frame_origin", "[0.13,0,0]", { BRICKS, LARGE } },
	{ "pattern_scale", "[1.4,1,1]", { { 0 } } },
	{ "pattern_shape", "[1,0.3,0,0,1,0,0,0,1]", { { 0 } } },
	{ "inner_material", "1", { { 0 } } },
	{ "inner_color", "[1,0,0]", { { 0 } } },
	{ "inner_texture", "\"skin.png\"", { { 0 } } },
	{ "uv_scale", "0.5", { { 0 } } },
	{ "uv_offset", "[0.3,0]", { { 0 } } },
	{ "uv_seed", "5", { { 0 } } },
	{ "atlas", "[0,0,0.5,0.5]", { { 0 } } },
	{ "roughness", "0.02", { { 0 } } },
	{ "rough_step", "0.08", { { 0 } } },
	{ "fit", "\"box\"", { { 0 } } },
	{ "welds", "false", { BRICKS, LARGE } },
	{ "cut_limit", "3", { { 0 } } },
	{ "min_size", "0.8", { { 0 } } },
	{ "dust_size", "0.1", { { 0 } } },
	{ "bond_strength", "10", { { 0 } } },
	{ "bond_shear", "10", { { 0 } } },
	{ "bond_compression", "10", { { 0 } } },
	{ "bend_energy", "70", { { 0 } } },
	{ "bend_depth", "0.1", { { 0 } } },
	{ "bend_radius", "0.25", { { 0 } } },
	{ "wear_energy", "20", { { "break_energy", "25" }, { "bend_energy", "0" } } },
	{ "wear_radius", "0.05", { { "break_energy", "25" }, { "bend_energy", "0" } } },
	{ "wear_exponent", "1", { { "break_energy", "25" }, { "bend_energy", "0" } } },
	{ "bond_energy", "20", { { 0 } } },
	{ "debris", "\"spheres\"", { { 0 } } },
	{ "chip_density", "5", { { 0 } } },
	{ "chip_min_radius", "0.04", { { 0 } } },
	{ "chip_max_radius", "0.08", { { 0 } } },
	{ "chip_speed", "4", { { 0 } } },
	{ "chip_lifetime", "0.1", { { 0 } } },
	{ "chips_per_break", "1", { { 0 } } },
	{ "dust_density", "30", { { 0 } } },
	{ "dust_radius", "0.8", { { 0 } } },
	{ "dust_lifetime", "0.1", { { 0 } } },
	{ "levels",
	  "[{\"energy\":100,\"cell_count\":20}]",
	  { { "break_energy", NULL }, { "break_radius", NULL } } },
	{ "user", "20015998343868", { { 0 } } },
};

// The same of the one level of a material.
static const change level_changes[] = {
	{ "energy", "400", { { 0 } } },
	{ "radius", "0.2", { { 0 } } },
	{ "pattern", "\"voronoi\"", { { 0 } } },
	{ "size", "[0.4,0.4,0.4]", { { 0 } } },
	{ "cell_count", "24", { { 0 } } },
	{ "focus", "1", { { 0 } } },
	{ "ring_count", "4", { WEB } },
	{ "spoke_count", "5", { WEB } },
	{ "jitter", "0.1", { WEB } },
	{ "brick_size", "[0.3,0.15,0.12]", { BRICKS } },
	{ "bond", "\"stack\"", { BRICKS, LARGE } },
	{ "stretch", "2", { SPLINTERS } },
	{ "seed", "77", { { 0 } } },
};

enum {
	CHANGES = sizeof changes / sizeof *changes,
	LEVEL_CHANGES = sizeof level_changes / sizeof *level_changes
};

// A material, or one with a level, with what a case needs, before or after the change.
static uint64_t film_of_change(test *t, const change *c, bool is_level, bool is_changed)
{
	static char levels[1000];
	char level_text[900];
	members m = { .count = COMMON }, level = { .count = 0 };
	memcpy(m.all, common, sizeof common);
	if (is_level) {
		set_member(&level, "energy", "100");
		set_member(&level, "radius", "0.35");
		set_member(&m, "break_energy", NULL);
		set_member(&m, "break_radius", NULL);
	}
	members *of = is_level ? &level : &m;
	for (int k = 0; k < 2; ++k)
		if (c->with[k].key && (c->with[k].value || is_changed))
			set_member(of, c->with[k].key, c->with[k].value);
	if (is_changed)
		set_member(of, c->key, c->value);
	if (c->with[0].value && strcmp(c->with[0].value, "\"bricks\"") == 0)
		set_member(&m, "cell_count", NULL); // bricks have a size instead
	if (is_level) {
		put_members(&level, level_text, sizeof level_text);
		snprintf(levels, sizeof levels, "[{%s}]", level_text);
		set_member(&m, "levels", levels);
	}
	return film_of(t, &m);
}

static void check_changes(test *t, const change *all, int count, bool is_level)
{
	uint64_t base = 0;
	const pair *with = NULL;
	for (int i = 0; i < count; ++i) {
		const change *c = &all[i];
		bool is_new = i == 0 || memcmp(with, c->with, sizeof c->with) != 0;
		if (is_new)
			base = film_of_change(t, c, is_level, false);
		with = c->with;
		uint64_t changed = film_of_change(t, c, is_level, true);
		if (changed == base) {
			char text[100];
			snprintf(text, sizeof text, "%s of a %s changes nothing", c->key,
			         is_level ? "level" : "material");
			test_fail(t, __FILE__, __LINE__, text);
		}
		t->checks++;
	}
}

static void every_key_of_a_material_changes_a_run(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_block(t);
	uint64_t base = film_of_change(t, &changes[CHANGES - 1], false, false);
	CHECK(t, film_of_change(t, &changes[CHANGES - 1], false, false) == base);
	check_changes(t, changes, CHANGES, false);
	close_folder(t);
}

static void every_key_of_a_level_changes_a_run(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_block(t);
	check_changes(t, level_changes, LEVEL_CHANGES, true);
	close_folder(t);
}

// --- keys and fields ----------------------------------------------------------------------------

static bool has_case(const change *all, int count, const char *key)
{
	for (int i = 0; i < count; ++i)
		if (strcmp(all[i].key, key) == 0)
			return true;
	return false;
}

// Keys that the reader of scenes has, by its schema.
static void every_key_has_a_case(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run --schema >schema.json") == 0);
	char path[100];
	snprintf(path, sizeof path, "%s/schema.json", folder);
	rbl_file_bytes bytes = { 0 };
	rbl_json_document *document = NULL;
	CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_OK);
	CHECK(t, rbl_parse_json((const char *)bytes.data, bytes.size, path, NULL, &document) == RBL_OK);
	static const struct {
		const char *name;
		const change *all;
		int count;
	} kinds[2] = { { "material", changes, CHANGES }, { "level", level_changes, LEVEL_CHANGES } };
	for (int i = 0; i < 2; ++i) {
		const rbl_json *root = rbl_json_root(document);
		const rbl_json *kind = rbl_json_member(rbl_json_member(root, "$defs"), kinds[i].name);
		const rbl_json *keys = rbl_json_member(kind, "properties");
		int count = rbl_json_count(keys);
		CHECK(t, count == kinds[i].count);
		for (int k = 0; k < count; ++k)
			if (!has_case(kinds[i].all, kinds[i].count, rbl_json_key(keys, k)))
				test_fail(t, __FILE__, __LINE__, rbl_json_key(keys, k));
	}
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
	close_folder(t);
}

// Where a field of a definition comes from: a key; or a reason for none.
typedef struct def_field {
	const char *name;
	size_t offset, size;
	const char *key, *reason;
} def_field;

#define FIELD(type, member, key)                                                \
	{                                                                           \
#member, offsetof(type, member), sizeof(((type *)0)->member), key, NULL \
	}
#define OTHER(type, member, reason)                                                \
	{                                                                              \
#member, offsetof(type, member), sizeof(((type *)0)->member), NULL, reason \
	}
#define OF(member, key) FIELD(rbl_material_def, member, key)
#define NOT(member, reason) OTHER(rbl_material_def, member, reason)

static const def_field material_fields[] = {
	OF(values.friction, "friction"),
	OF(values.restitution, "restitution"),
	OF(values.density, "density"),
	OF(values.rolling_resistance, "rolling_resistance"),
	OF(values.spinning_resistance, "spinning_resistance"),
	OF(values.surface_velocity, "surface_velocity"),
	OF(values.user, "user"),
	OF(damage.levels, "levels"),
	OF(damage.level_count, "levels"),
	OF(damage.radius_limit, "radius_limit"),
	OF(damage.min_size, "min_size"),
	OF(damage.dust_size, "dust_size"),
	OF(damage.bend_energy, "bend_energy"),
	OF(damage.bend_depth, "bend_depth"),
	OF(damage.bend_radius, "bend_radius"),
	OF(damage.wear_energy, "wear_energy"),
	OF(damage.wear_exponent, "wear_exponent"),
	OF(damage.wear_radius, "wear_radius"),
	OF(damage.bond_energy, "bond_energy"),
	OF(strengths.tension, "bond_strength"),
	OF(strengths.shear, "bond_shear"),
	OF(strengths.compression, "bond_compression"),
	OF(placement, "placement"),
	OF(frame, "frame"),
	OF(frame_origin, "frame_origin"),
	OF(shape, "pattern_shape"),
	OF(inner.material, "inner_material"),
	OF(inner.uv_scale, "uv_scale"),
	OF(inner.uv_offset, "uv_offset"),
	OF(inner.uv_seed, "uv_seed"),
	OF(inner.atlas_lower, "atlas"),
	OF(inner.atlas_upper, "atlas"),
	OF(inner.color, "inner_color"),
	OF(inner.roughness, "roughness"),
	OF(inner.rough_step, "rough_step"),
	OF(fit, "fit"),
	OF(welds, "welds"),
	OF(cut_limit, "cut_limit"),
	OF(debris.kind, "debris"),
	OF(debris.density, "chip_density"),
	OF(debris.min_radius, "chip_min_radius"),
	OF(debris.max_radius, "chip_max_radius"),
	OF(debris.limit, "chips_per_break"),
	OF(debris.lifetime, "chip_lifetime"),
	OF(debris.speed, "chip_speed"),
	OF(debris.dust_density, "dust_density"),
	NOT(name, "what the scene calls it"),
	NOT(allocator, "of the program"),
	NOT(damage.cookie, "no property"),
	NOT(cookie, "no property"),
};

#undef OF
#undef NOT
#define OF(member, key) FIELD(rbl_preset_level, member, key)
#define NOT(member, reason) OTHER(rbl_preset_level, member, reason)

static const def_field level_fields[] = {
	OF(energy, "energy"),
	OF(radius, "radius"),
	OF(pattern.kind, "pattern"),
	OF(pattern.size, "size"),
	OF(pattern.cell_count, "cell_count"),
	OF(pattern.focus, "focus"),
	OF(pattern.ring_count, "ring_count"),
	OF(pattern.spoke_count, "spoke_count"),
	OF(pattern.jitter, "jitter"),
	OF(pattern.brick_size, "brick_size"),
	OF(pattern.bond, "bond"),
	OF(pattern.stretch, "stretch"),
	OF(pattern.seed, "seed"),
	NOT(pattern.sites, "patterns of given cells are for programs"),
	NOT(pattern.convexes, "patterns of given cells are for programs"),
	NOT(pattern.given_count, "patterns of given cells are for programs"),
	NOT(pattern.colors, "patterns of given cells are for programs"),
	NOT(pattern.region, "saves time, changes no break"),
	NOT(pattern.cell_limit, "refuses patterns that are too large"),
	NOT(pattern.jobs, "of the program"),
	NOT(pattern.allocator, "of the program"),
	NOT(pattern.cookie, "no property"),
};

// All bytes of a definition are those of a field in the table, but for padding.
static void check_fields(test *t, const def_field *fields, int count, const change *all,
                         int changed, size_t size, int padding)
{
	char covered[sizeof(rbl_material_def) + sizeof(rbl_preset_level)] = { 0 };
	int left = 0;
	for (int i = 0; i < count; ++i) {
		memset(covered + fields[i].offset, 1, fields[i].size);
		if (!fields[i].reason && !has_case(all, changed, fields[i].key))
			test_fail(t, __FILE__, __LINE__, fields[i].name);
		t->checks++;
	}
	for (size_t i = 0; i < size; ++i)
		left += !covered[i];
	printf("%d fields, %d bytes of %zu are padding\n", count, left, size);
	CHECK(t, count > 10 && (left == padding || sizeof(void *) < 8));
}

static void every_field_has_a_key(test *t)
{
	check_fields(t, material_fields, sizeof material_fields / sizeof *material_fields, changes,
	             CHANGES, sizeof(rbl_material_def), 39);
	check_fields(t, level_fields, sizeof level_fields / sizeof *level_fields, level_changes,
	             LEVEL_CHANGES, sizeof(rbl_preset_level), 24);
}

TEST_MAIN(TEST(every_field_has_a_key), TEST(every_key_has_a_case),
          TEST(every_key_of_a_material_changes_a_run), TEST(every_key_of_a_level_changes_a_run))
