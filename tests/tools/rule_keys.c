// SPDX-License-Identifier: MIT
// ctest: native
//
// Every key of a scene that decides what breaks where - boxes, clusters, painted strength, slots, anchors,
// triggers - changes what a run shows. Keys of boxes, clusters and triggers come from the program itself, so
// that a new one without a case fails.

#define _POSIX_C_SOURCE 200809L

#include "command.h"
#include "base/hash.h"

#include <rubble/io.h>
#include <rubble/json.h>
#include <rubble/rubble.h>

enum { BOXES, CLUSTER, MODEL, INSTANCE, TRIGGER, SLOTS };

// Two walls of a file in levels, one behind the other, a row of boxes that takes a blow, a ball
// and a sheet of cloth.
// clang-format off
static const char scene_format[] =
	"{\"version\":2,\"step_count\":16,\"materials\":{\"steel\":{\"density\":7800},\"brick\":{"
	"\"density\":1900,\"break_energy\":900,\"break_radius\":0.3,\"wear_energy\":1,"
	"\"wear_radius\":0.6,\"bond_energy\":2000},\"soft\":{\"density\":500,\"break_energy\":50,"
	"\"break_radius\":0.3}},\"models\":{\"floor\":{\"box\":[40,1,40]},\"plate\":{\"box\":[2,1,0.02]},"
	"\"ball\":{\"sphere\":0.2},\"row\":{\"boxes\":[{%s}]},\"wall\":{\"file\":\"block.glb\","
	"\"node_count\":6,\"clusters\":[{%s}]%s}},\"instances\":[{\"model\":\"floor\",\"material\":"
	"\"steel\",\"kind\":\"static\",\"position\":[0,-0.5,0],\"hidden\":true},{\"name\":\"wall\","
	"\"model\":\"wall\",\"material\":\"brick\",\"position\":[0,0.6,0]%s},{\"model\":\"wall\","
	"\"material\":\"brick\",\"position\":[0,0.5,-0.8]},{\"name\":\"row\",\"model\":\"row\","
	"\"material\":\"brick\",\"position\":[6,0.2,0]},{\"name\":\"ball\",\"model\":\"ball\","
	"\"material\":\"steel\",\"position\":[0.5,0.2,0.6]}],\"triggers\":[{\"time\":0.02,\"action\":"
	"\"damage\",\"target\":\"row\",\"position\":[6,0.2,0.2],\"direction\":[0,0,-1],\"radius\":0.3,"
	"\"energy\":700},{%s},{\"time\":0.15,\"action\":\"damage\",\"target\":\"wall\",\"position\":"
	"[0.2,0.5,0.2],\"direction\":[0,0,-1],\"radius\":0.4,\"energy\":800}],\"cloths\":[{\"name\":"
	"\"sheet\",\"size\":[1,1],\"columns\":6,\"rows\":6,\"position\":[-6,1.5,0]}]}";

#define ROW "\"size\":[0.4,0.4,0.4],\"count\":[4,1,1]"
#define CUT "\"strength\":0.1,\"pattern\":"
#define VORONOI CUT "\"voronoi\",\"cell_count\":9"
#define WEB CUT "\"web\",\"cell_count\":9"
#define BLOW "\"time\":0.05,\"action\":\"damage\",\"position\":[0.5,0.6,0.5]"
#define SPHERE BLOW ",\"radius\":0.5,\"energy\":1000"
#define CAPSULE SPHERE ",\"shape\":\"capsule\",\"translation\":[0,0,-2]"
#define AIMED BLOW ",\"target\":\"wall\",\"radius\":0.4,\"energy\":1200"
#define BOOM "\"time\":0.05,\"action\":\"explode\",\"position\":[0.5,0.6,0.7],\"radius\":"
#define BLAST BOOM "1"
#define NEAR_BLAST BOOM "0.3"
#define THROW "\"time\":0.02,\"action\":\"throw\",\"model\":\"ball\",\"position\":[3,1,0]"
#define CUT_SHEET "\"time\":0.02,\"action\":\"cut\",\"position\":[-6,2,0],\"translation\":[-0.6,-1,0]"
#define STEEL THROW ",\"velocity\":[0,0,5],\"material\":\"steel\""
// clang-format on

static const char *const plain[SLOTS] = { ROW, "\"count\":2,\"strength\":0.05", "", "", SPHERE };

// A key, and what is in its slot without and with it, or with another value.
static const struct {
	int slot;
	const char *key, *base, *changed;
} key_cases[] = {
	{ BOXES, "size", ROW, "\"size\":[0.4,0.4,0.3],\"count\":[4,1,1]" },
	{ BOXES, "position", ROW, ROW ",\"position\":[0.1,0,0]" },
	{ BOXES, "count", ROW, "\"size\":[0.4,0.4,0.4],\"count\":[5,1,1]" },
	{ BOXES, "spacing", ROW, ROW ",\"spacing\":[0.41,0.4,0.4]" },
	{ BOXES, "material", ROW, ROW ",\"material\":\"soft\"" },
	{ CLUSTER, "count", "\"count\":2,\"strength\":0.05", "\"count\":6,\"strength\":0.05" },
	{ CLUSTER, "strength", "\"count\":2,\"strength\":0.05", "\"count\":2,\"strength\":5" },
	{ CLUSTER, "pattern", VORONOI, CUT "\"splinters\",\"cell_count\":9" },
	{ CLUSTER, "size", VORONOI, VORONOI ",\"size\":[3,3,3]" },
	{ CLUSTER, "cell_count", VORONOI, CUT "\"voronoi\",\"cell_count\":5" },
	{ CLUSTER, "focus", CUT "\"impact\",\"cell_count\":9",
	  CUT "\"impact\",\"cell_count\":9,\"focus\":0" },
	{ CLUSTER, "ring_count", WEB, WEB ",\"ring_count\":3" },
	{ CLUSTER, "spoke_count", WEB, WEB ",\"spoke_count\":3" },
	{ CLUSTER, "jitter", WEB, WEB ",\"jitter\":0" },
	{ CLUSTER, "brick_size", CUT "\"bricks\",\"brick_size\":[0.5,0.25,0.5]",
	  CUT "\"bricks\",\"brick_size\":[0.4,0.25,0.5]" },
	{ CLUSTER, "bond", CUT "\"bricks\",\"brick_size\":[0.5,0.25,0.5]",
	  CUT "\"bricks\",\"brick_size\":[0.5,0.25,0.5],\"bond\":\"stack\"" },
	{ CLUSTER, "stretch", CUT "\"splinters\",\"cell_count\":9",
	  CUT "\"splinters\",\"cell_count\":9,\"stretch\":2" },
	{ CLUSTER, "seed", VORONOI, VORONOI ",\"seed\":7" },
	{ CLUSTER, "position", VORONOI, VORONOI ",\"position\":[0.3,0,0]" },
	{ CLUSTER, "rotation", VORONOI, VORONOI ",\"rotation\":[0,0,1,30]" },
	{ MODEL, "strength_channel", "", ",\"strength_channel\":\"red\"" },
	{ MODEL, "strength_at_zero", ",\"strength_channel\":\"red\"",
	  ",\"strength_channel\":\"red\",\"strength_at_zero\":0.5" },
	{ MODEL, "strength_at_one", ",\"strength_channel\":\"red\"",
	  ",\"strength_channel\":\"red\",\"strength_at_one\":3" },
	{ MODEL, "materials", "", ",\"materials\":{\"skin\":\"soft\"}" },
	{ MODEL, "match_names", "", ",\"match_names\":false" }, // a slot is called "soft"
	{ INSTANCE, "anchored", "", ",\"anchored\":true" },
	{ INSTANCE, "anchor_box", ",\"anchor_box\":[-1,-1,-1,-0.2,1,1]",
	  ",\"anchor_box\":[0.2,-1,-1,1,1,1]" },
	{ TRIGGER, "on", SPHERE, SPHERE ",\"on\":\"hit\",\"instance\":\"row\"" },
	{ TRIGGER, "time", SPHERE,
	  "\"time\":0.1,\"action\":\"damage\",\"position\":[0.5,0.6,0.5],\"radius\":0.5,\"energy\":"
	  "1000" },
	{ TRIGGER, "delay", SPHERE, SPHERE ",\"delay\":0.05" },
	{ TRIGGER, "instance", SPHERE ",\"on\":\"break\",\"instance\":\"wall\"",
	  SPHERE ",\"on\":\"break\",\"instance\":\"row\"" },
	{ TRIGGER, "action", SPHERE,
	  "\"time\":0.05,\"action\":\"explode\",\"position\":[0.5,0.6,0.5],\"radius\":0.5,\"energy\":"
	  "1000" },
	{ TRIGGER, "target", SPHERE, SPHERE ",\"target\":\"wall\"" },
	{ TRIGGER, "model", STEEL,
	  "\"time\":0.02,\"action\":\"throw\",\"model\":\"plate\",\"position\":[3,1,0],\"velocity\":[0,"
	  "0,5],"
	  "\"material\":\"steel\"" },
	{ TRIGGER, "material", STEEL, THROW ",\"velocity\":[0,0,5],\"material\":\"soft\"" },
	{ TRIGGER, "position", SPHERE,
	  "\"time\":0.05,\"action\":\"damage\",\"position\":[0.1,0.6,0.5],\"radius\":0.5,\"energy\":"
	  "1000" },
	{ TRIGGER, "velocity", STEEL, THROW ",\"velocity\":[0,0,7],\"material\":\"steel\"" },
	{ TRIGGER, "direction", AIMED ",\"direction\":[0,0,-1]", AIMED ",\"direction\":[0.5,0,-1]" },
	{ TRIGGER, "radius", SPHERE, BLOW ",\"radius\":0.9,\"energy\":1000" },
	{ TRIGGER, "energy", SPHERE, BLOW ",\"radius\":0.5,\"energy\":2500" },
	{ TRIGGER, "impulse", SPHERE, SPHERE ",\"impulse\":50" },
	{ TRIGGER, "shape", CAPSULE, SPHERE ",\"shape\":\"cone\",\"translation\":[0,0,-2]" },
	{ TRIGGER, "translation", CAPSULE, SPHERE ",\"shape\":\"capsule\",\"translation\":[0,0,-0.4]" },
	{ TRIGGER, "falloff", SPHERE, SPHERE ",\"falloff\":1" },
	{ TRIGGER, "occluded", CAPSULE, CAPSULE ",\"occluded\":true" },
	{ TRIGGER, "count", SPHERE, SPHERE ",\"count\":2,\"interval\":0.05" },
	{ TRIGGER, "interval", SPHERE ",\"count\":2,\"interval\":0.05",
	  SPHERE ",\"count\":2,\"interval\":0.1" },
	{ TRIGGER, "sweep", CUT_SHEET ",\"sweep\":[0.6,-1,0]", CUT_SHEET ",\"sweep\":[0.1,-1,0]" },
	// The same of explosions, which read these by another path.
	{ TRIGGER, "radius", BLAST ",\"falloff\":0", NEAR_BLAST ",\"falloff\":0" },
	{ TRIGGER, "impulse", BLAST, BLAST ",\"impulse\":400" },
	{ TRIGGER, "energy", BLAST, BLAST ",\"energy\":1500" },
	{ TRIGGER, "falloff", NEAR_BLAST ",\"falloff\":0", NEAR_BLAST ",\"falloff\":1" },
	{ TRIGGER, "occluded", BLAST ",\"energy\":1500", BLAST ",\"energy\":1500,\"occluded\":true" },
};

enum { CASES = sizeof key_cases / sizeof *key_cases };

// A block of 2 x 1 x 0.4 metres, red to its right, whose front and left end are of a slot called "soft".
static void write_block(test *t)
{
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 2.0, 1.0, 0.4 };
	rbl_mesh *plain_mesh = NULL, *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &plain_mesh) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain_mesh);
	rbl_vec4 colors[24];
	int slots[6] = { 0 };
	CHECK(t, def.data.corner_count == 24 && def.data.face_count == 6);
	for (int f = 0; f < 6; ++f) {
		bool is_left = true, is_front = true;
		for (int c = def.data.face_starts[f]; c < def.data.face_starts[f + 1]; ++c) {
			bool is_right = def.data.positions[def.data.corner_vertices[c]].x > 0.0;
			is_left = is_left && !is_right;
			is_front = is_front && def.data.positions[def.data.corner_vertices[c]].z > 0.0;
			colors[c] = (rbl_vec4){ is_right ? 1.0f : 0.0f, 0.2f, 0.2f, 1.0f };
		}
		slots[f] = is_left || is_front;
	}
	const rbl_mesh_material names[2] = { { .name = "skin", .source = 1 },
		                                 { .name = "soft", .source = 2 } };
	def.data.corner_colors = colors;
	def.data.materials = names, def.data.material_count = 2, def.data.face_materials = slots;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_scene_material looks[2] = { rbl_default_scene_material(), rbl_default_scene_material() };
	looks[0].name = "skin", looks[1].name = "soft";
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
		                .materials = looks };
	char path[100];
	snprintf(path, sizeof path, "%s/block.glb", folder);
	CHECK(t, rbl_write_scene(path, &scene, NULL) == RBL_OK);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(plain_mesh);
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

// The film and the table of events of the scene with this in a slot.
static uint64_t film_of(test *t, int slot, const char *content)
{
	const char *in[SLOTS];
	char text[6000];
	for (int i = 0; i < SLOTS; ++i)
		in[i] = i == slot ? content : plain[i];
	// Slots of the file are made of "brick", unless the case is about that.
	bool is_about_slots = slot == MODEL && strstr(content, "mat");
	char model[200];
	snprintf(model, sizeof model, "%s%s", in[MODEL],
	         is_about_slots || (slot == MODEL && !*content) ? "" : ",\"match_names\":false");
	snprintf(text, sizeof text, scene_format, in[BOXES], in[CLUSTER], model, in[INSTANCE],
	         in[TRIGGER]);
	write_file("x.json", text, strlen(text));
	if (run("run x.json -o x.glb --events x.csv --workers 1") != 0)
		test_fail(t, __FILE__, __LINE__, output);
	return hash_file(t, "x.csv", hash_file(t, "x.glb", RBL_HASH_START));
}

static void every_key_changes_a_run(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_block(t);
	uint64_t base = 0;
	for (int i = 0; i < CASES; ++i) {
		if (i == 0 || key_cases[i].slot != key_cases[i - 1].slot ||
		    key_cases[i].base != key_cases[i - 1].base)
			base = film_of(t, key_cases[i].slot, key_cases[i].base);
		if (film_of(t, key_cases[i].slot, key_cases[i].changed) == base) {
			char text[100];
			snprintf(text, sizeof text, "case %d: %s changes nothing", i, key_cases[i].key);
			test_fail(t, __FILE__, __LINE__, text);
		}
		t->checks++;
	}
	CHECK(t, film_of(t, TRIGGER, SPHERE) == film_of(t, TRIGGER, SPHERE));
	close_folder(t);
}

static bool has_case(int slot, const char *key)
{
	for (int i = 0; i < CASES; ++i)
		if (key_cases[i].slot == slot && strcmp(key_cases[i].key, key) == 0)
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
		int slot;
	} kinds[3] = { { "boxes", BOXES }, { "cluster", CLUSTER }, { "trigger", TRIGGER } };
	for (int k = 0; k < 3; ++k) {
		const rbl_json *all = rbl_json_member(
			rbl_json_member(rbl_json_member(rbl_json_root(document), "$defs"), kinds[k].name),
			"properties");
		CHECK(t, rbl_json_count(all) > 4);
		for (int i = 0; i < rbl_json_count(all); ++i) {
			if (!has_case(kinds[k].slot, rbl_json_key(all, i)))
				test_fail(t, __FILE__, __LINE__, rbl_json_key(all, i));
			t->checks++;
		}
	}
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
	close_folder(t);
}

TEST_MAIN(TEST(every_key_has_a_case), TEST(every_key_changes_a_run))
