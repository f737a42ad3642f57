// SPDX-License-Identifier: MIT
// ctest: native
//
// scenes/schema.json and the reader of scene files mean the same: the published file is what the
// program prints, shipped scenes follow it, and for every key the reader takes what the schema
// allows and refuses what it forbids.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/io.h>
#include <rubble/json.h>

#include <dirent.h>

static rbl_json_document *read_json(test *t, const char *path, rbl_file_bytes *bytes)
{
	rbl_json_document *document = NULL;
	CHECK(t, rbl_read_file(path, NULL, bytes) == RBL_OK);
	CHECK(t,
	      rbl_parse_json((const char *)bytes->data, bytes->size, path, NULL, &document) == RBL_OK);
	return document;
}

static bool is_text(const rbl_json *value, const char *text)
{
	const char *own = rbl_json_text(value);
	return own && strcmp(own, text) == 0;
}

// --- a small validator --------------------------------------------------------------------------

static const rbl_json *definition(const rbl_json *root, const rbl_json *schema)
{
	const char *name = rbl_json_text(rbl_json_member(schema, "$ref"));
	return name ? rbl_json_member(rbl_json_member(root, "$defs"), strrchr(name, '/') + 1) : schema;
}

static bool has_type(const rbl_json *value, const char *type)
{
	double number = rbl_json_number(value, 0.0);
	switch (rbl_json_get_type(value)) {
	case RBL_JSON_NUMBER:
		return strcmp(type, "number") == 0 ||
		       (strcmp(type, "integer") == 0 && number == floor(number));
	case RBL_JSON_TEXT:
		return strcmp(type, "string") == 0;
	case RBL_JSON_LIST:
		return strcmp(type, "array") == 0;
	case RBL_JSON_OBJECT:
		return strcmp(type, "object") == 0;
	case RBL_JSON_TRUE:
	case RBL_JSON_FALSE:
		return strcmp(type, "boolean") == 0;
	default:
		return false;
	}
}

static bool follows(const rbl_json *root, const rbl_json *schema, const rbl_json *value);

static bool object_follows(const rbl_json *root, const rbl_json *schema, const rbl_json *value)
{
	const rbl_json *properties = rbl_json_member(schema, "properties"),
				   *more = rbl_json_member(schema, "additionalProperties"),
				   *required = rbl_json_member(schema, "required"),
				   *one_of = rbl_json_member(schema, "oneOf");
	int found = 0;
	for (int i = 0; i < rbl_json_count(value); ++i) {
		const rbl_json *own = rbl_json_member(properties, rbl_json_key(value, i));
		own = own ? own : rbl_json_get_type(more) == RBL_JSON_OBJECT ? more : NULL;
		if (!own || !follows(root, own, rbl_json_item(value, i)))
			return false;
	}
	for (int i = 0; i < rbl_json_count(required); ++i)
		if (!rbl_json_member(value, rbl_json_text(rbl_json_item(required, i))))
			return false;
	for (int i = 0; i < rbl_json_count(one_of); ++i) {
		const rbl_json *names = rbl_json_member(rbl_json_item(one_of, i), "required");
		found += rbl_json_member(value, rbl_json_text(rbl_json_item(names, 0))) != NULL;
	}
	return !one_of || found == 1;
}

static bool follows(const rbl_json *root, const rbl_json *schema, const rbl_json *value)
{
	schema = definition(root, schema);
	const rbl_json *type = rbl_json_member(schema, "type"),
				   *choices = rbl_json_member(schema, "enum"),
				   *items = rbl_json_member(schema, "items"),
				   *constant = rbl_json_member(schema, "const");
	bool is_typed = !type || (rbl_json_text(type) && has_type(value, rbl_json_text(type)));
	for (int i = 0; i < rbl_json_count(type); ++i)
		is_typed |= has_type(value, rbl_json_text(rbl_json_item(type, i)));
	double number = rbl_json_number(value, 0.0);
	bool is_chosen = !choices;
	for (int i = 0; i < rbl_json_count(choices); ++i)
		is_chosen |=
			rbl_json_text(value) && is_text(rbl_json_item(choices, i), rbl_json_text(value));
	if (!is_typed || !is_chosen || (constant && number != rbl_json_number(constant, 0.0)) ||
	    number < rbl_json_number(rbl_json_member(schema, "minimum"), -INFINITY) ||
	    number > rbl_json_number(rbl_json_member(schema, "maximum"), INFINITY))
		return false;
	if (rbl_json_get_type(value) == RBL_JSON_OBJECT)
		return object_follows(root, schema, value);
	for (int i = 0; items && i < rbl_json_count(value); ++i)
		if (!follows(root, items, rbl_json_item(value, i)))
			return false;
	return !items ||
	       (rbl_json_count(value) >= rbl_json_number(rbl_json_member(schema, "minItems"), 0.0) &&
	        rbl_json_count(value) <= rbl_json_number(rbl_json_member(schema, "maxItems"), 1e9));
}

static void the_published_schema_is_that_of_the_program(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run --schema >schema.json") == 0);
	char line[300];
	snprintf(line, sizeof line, "cmp '%s/schema.json' '%s/scenes/schema.json'", folder,
	         RBL_SOURCE_DIR);
	bool is_same = system(line) == 0;
	if (!is_same)
		printf("scripts/scene-keys brings it up to date\n");
	CHECK(t, is_same);
	close_folder(t);
}

// What editors show, and what people read, are the same words.
static void every_key_is_described_in_the_schema_and_in_the_manual(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run --keys >keys.md") == 0); // a description without a key is an error
	rbl_file_bytes bytes, keys, manual;
	char path[300];
	snprintf(path, sizeof path, "%s/keys.md", folder);
	rbl_json_document *document = read_json(t, RBL_SOURCE_DIR "/scenes/schema.json", &bytes);
	const rbl_json *kinds = rbl_json_member(rbl_json_root(document), "$defs");
	CHECK(t, rbl_read_file(path, NULL, &keys) == RBL_OK);
	CHECK(t, rbl_read_file(RBL_SOURCE_DIR "/docs/scenes.md", NULL, &manual) == RBL_OK);
	char *tables = calloc(keys.size + 1, 1), *text = calloc(manual.size + 1, 1);
	memcpy(tables, keys.data, keys.size), memcpy(text, manual.data, manual.size);
	int described = 0;
	for (int i = 0; i < rbl_json_count(kinds); ++i) {
		const char *kind = rbl_json_key(kinds, i);
		const rbl_json *about = rbl_json_item(kinds, i),
					   *members = rbl_json_member(about, "properties");
		const char *words = rbl_json_text(rbl_json_member(about, "description"));
		CHECK(t, words && *words);
		for (int k = 0; k < rbl_json_count(members); ++k) {
			words = rbl_json_text(rbl_json_member(rbl_json_item(members, k), "description"));
			bool is_described = words && *words;
			if (!is_described)
				printf("scene_about.c lacks '%s' of a %s\n", rbl_json_key(members, k), kind);
			CHECK(t, is_described);
			described++;
		}
		char title[100];
		snprintf(title, sizeof title, "<!-- keys of %s -->\n", kind);
		char *table = strstr(tables, title), *end = table ? strstr(table, "\n\n<!--") : NULL;
		char saved = end ? *end : '\0';
		if (end)
			*end = '\0';
		bool is_there = table && strstr(text, table);
		if (end)
			*end = saved;
		if (!is_there)
			printf("scripts/scene-keys brings the table of a %s in the manual up to date\n", kind);
		CHECK(t, is_there);
	}
	CHECK(t, described > 180);
	free(tables);
	free(text);
	rbl_free_bytes(&keys);
	rbl_free_bytes(&manual);
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
	close_folder(t);
}

static void shipped_scenes_follow_the_schema(test *t)
{
	rbl_file_bytes schema_bytes;
	rbl_json_document *schema = read_json(t, RBL_SOURCE_DIR "/scenes/schema.json", &schema_bytes);
	const rbl_json *root = rbl_json_root(schema);
	DIR *listing = opendir(RBL_SOURCE_DIR "/scenes");
	int count = 0;
	for (const struct dirent *one; listing && (one = readdir(listing)) != NULL;) {
		const char *dot = strrchr(one->d_name, '.');
		if (!dot || strcmp(dot, ".json") != 0 || strcmp(one->d_name, "schema.json") == 0)
			continue;
		char path[600];
		snprintf(path, sizeof path, RBL_SOURCE_DIR "/scenes/%s", one->d_name);
		rbl_file_bytes bytes;
		rbl_json_document *scene = read_json(t, path, &bytes);
		bool is_valid = follows(root, root, rbl_json_root(scene));
		if (!is_valid)
			printf("%s does not follow the schema\n", path);
		CHECK(t, is_valid);
		rbl_destroy_json(scene);
		rbl_free_bytes(&bytes);
		count++;
	}
	if (listing)
		closedir(listing);
	CHECK(t, count > 10);
	rbl_destroy_json(schema);
	rbl_free_bytes(&schema_bytes);
}

// --- key by key ---------------------------------------------------------------------------------

// Where an object of a kind is in a scene. %s is its keys, each with a comma before it.
static const struct {
	const char *kind, *path, *format;
} places[] = {
	{ "scene", "", "%s" },
	{ "material", "materials.x.", ",\"materials\":{\"x\":{%s}}" },
	{ "level", "materials.x.levels[0].", ",\"materials\":{\"x\":{\"levels\":[{%s}]}}" },
	{ "model", "models.x.", ",\"models\":{\"x\":{%s}}" },
	{ "boxes", "models.x.boxes[0].", ",\"models\":{\"x\":{\"boxes\":[{%s}]}}" },
	{ "cluster", "models.x.clusters[0].",
	  ",\"models\":{\"x\":{\"shape\":\"vase\",\"clusters\":[{%s}]}}" },
	{ "instance", "instances[0].",
	  ",\"materials\":{\"m\":{}},\"models\":{\"m\":{\"box\":[1,1,1]}},"
	  "\"instances\":[{\"model\":\"m\",\"material\":\"m\"%s}]" },
	{ "projectile", "projectiles[0].",
	  ",\"materials\":{\"m\":{}},\"models\":{\"m\":{\"box\":[1,1,1]}},"
	  "\"projectiles\":[{\"model\":\"m\",\"material\":\"m\"%s}]" },
	{ "joint", "joints[0].", ",\"joints\":[{%s}]" },
	{ "pose_key", "instances[0].motion[0].",
	  ",\"instances\":[{\"kind\":\"kinematic\",\"motion\":[{%s}]}]" },
	{ "trigger", "triggers[0].", ",\"triggers\":[{%s}]" },
	{ "camera", "cameras.x.", ",\"cameras\":{\"x\":{%s}}" },
	{ "camera_key", "cameras.x.motion[0].", ",\"cameras\":{\"x\":{\"motion\":[{%s}]}}" },
	{ "cloth", "cloths[0].", ",\"cloths\":[{%s}]" },
	{ "pin", "cloths[0].pins[0].", ",\"cloths\":[{\"pins\":[{%s}]}]" },
};

// A value that the schema allows, or one that it forbids. @return false: there is none
static bool make_value(const rbl_json *schema, bool is_allowed, bool is_high, char *text,
                       size_t size)
{
	const rbl_json *choices = rbl_json_member(schema, "enum"),
				   *items = rbl_json_member(schema, "items");
	const char *type = rbl_json_text(rbl_json_member(schema, "type"));
	if (choices) {
		int last = rbl_json_count(choices) - 1;
		const char *choice = rbl_json_text(rbl_json_item(choices, is_high ? last : 0));
		snprintf(text, size, "\"%s%s\"", choice, is_allowed ? "" : "-no");
	} else if (!type) {
		return false;
	} else if (strcmp(type, "number") == 0 || strcmp(type, "integer") == 0) {
		double value = rbl_json_number(rbl_json_member(schema, is_high ? "maximum" : "minimum"), 0);
		value += is_allowed ? 0.0 : (is_high ? 1.0 : -1.0) * (1.0 + 0.01 * fabs(value));
		snprintf(text, size, "%.17g", value);
	} else if (strcmp(type, "boolean") == 0) {
		snprintf(text, size, "%s", is_allowed ? (is_high ? "true" : "false") : "3");
	} else if (strcmp(type, "string") == 0) {
		snprintf(text, size, "%s", is_allowed ? "\"a\"" : "3");
	} else if (strcmp(type, "array") == 0 && rbl_json_member(items, "minimum")) {
		char one[40];
		int count = (int)rbl_json_number(rbl_json_member(schema, "minItems"), 0.0);
		make_value(items, is_allowed, is_high, one, sizeof one);
		snprintf(text, size, "[");
		for (int i = 0; i < count; ++i)
			snprintf(text + strlen(text), size - strlen(text), "%s%s", i ? "," : "", one);
		snprintf(text + strlen(text), size - strlen(text), "]");
	} else {
		return false;
	}
	return true;
}

// Whether the program objects to a value itself, rather than to what it means beside others.
static bool is_refused(const char *path)
{
	static const char *const reasons[] = { "unknown key",      "is not between",
		                                   "number is needed", "numbers is needed",
		                                   "whole number",     "true or false is needed",
		                                   "text is needed",   "is none of" };
	const char *at = strstr(output, path);
	for (size_t i = 0; at && i < sizeof reasons / sizeof reasons[0]; ++i)
		if (strstr(at, reasons[i]))
			return true;
	return false;
}

static void try_key(test *t, size_t place, const char *name, const rbl_json *schema, int *tried)
{
	char twice[100];
	snprintf(twice, sizeof twice, "\"%s\":", name);
	const char *at = strstr(places[place].format, places[place].kind);
	if (at && strstr(at, twice))
		return; // every object of the kind has it
	for (int i = 0; i < 4; ++i) {
		char value[400], keys[600], body[1200], scene[1400], path[200];
		bool is_allowed = i < 2;
		if (!make_value(schema, is_allowed, i % 2 == 1, value, sizeof value))
			return;
		bool begins = strstr(places[place].format, "{%s}") != NULL;
		snprintf(keys, sizeof keys, "%s\"%s\":%s", begins ? "" : ",", name, value);
		snprintf(body, sizeof body, places[place].format, keys);
		snprintf(scene, sizeof scene, "{\"version\":2%s}", body);
		snprintf(path, sizeof path, "%s%s", places[place].path, name);
		write_file("try.json", scene, strlen(scene));
		run("run --check try.json");
		bool is_right = is_refused(path) == !is_allowed;
		if (!is_right)
			printf("%s: %s", scene, output);
		CHECK(t, is_right);
		++*tried;
	}
}

static void the_reader_takes_what_the_schema_allows(test *t)
{
	if (!open_folder(t, "run"))
		return;
	rbl_file_bytes bytes;
	rbl_json_document *document = read_json(t, RBL_SOURCE_DIR "/scenes/schema.json", &bytes);
	const rbl_json *kinds = rbl_json_member(rbl_json_root(document), "$defs");
	int tried = 0;
	for (int i = 0; i < rbl_json_count(kinds); ++i) {
		const char *kind = rbl_json_key(kinds, i);
		size_t place = 0, end = sizeof places / sizeof places[0];
		while (place < end && strcmp(places[place].kind, kind) != 0)
			place++;
		if (place == end)
			printf("places[] of this test lacks the kind '%s'\n", kind);
		CHECK(t, place < end);
		const rbl_json *keys = rbl_json_member(rbl_json_item(kinds, i), "properties");
		CHECK(t, rbl_json_count(keys) > 0);
		for (int k = 0; k < rbl_json_count(keys) && place < end; k += test_repeats(1, 4)) {
			// A key that read_keys() leaves to others has a line in scene_schema.c.
			bool is_described = rbl_json_count(rbl_json_item(keys, k)) > 0;
			if (!is_described)
				printf("scene_schema.c does not describe '%s' of a %s\n", rbl_json_key(keys, k),
				       kind);
			CHECK(t, is_described);
			try_key(t, place, rbl_json_key(keys, k), rbl_json_item(keys, k), &tried);
		}
	}
	CHECK(t, tried > test_repeats(300, 60));
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
	close_folder(t);
}

TEST_MAIN(TEST(the_published_schema_is_that_of_the_program),
          TEST(every_key_is_described_in_the_schema_and_in_the_manual),
          TEST(shipped_scenes_follow_the_schema), TEST(the_reader_takes_what_the_schema_allows))
