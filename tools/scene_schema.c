// SPDX-License-Identifier: MIT
//
// The keys of scene files, as a JSON Schema for completion and checks in editors, and as tables in
// Markdown. Both come from the tables that read them: each kind of object is read once from nothing,
// and read_keys() describes its keys here, with the defaults that the struct has by then.

#include "scene_keys.h"

#include "errors.h"
#include "options.h"
#include "scene_about.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keys that read_keys() leaves to others: what they are, by kind and name.
typedef struct other_key {
	const char *kind, *key, *schema, *word;
} other_key;

static const other_key others[] = {
	{ "scene", "version", "\"const\": 2", "2" },
	{ "scene", "$schema", "\"type\": \"string\"", "text" },
	{ "scene", "description", "\"type\": \"string\"", "text" },
	{ "scene", "include", "\"type\": \"array\", \"items\": { \"type\": \"string\" }",
	  "list of texts" },
	{ "scene", "materials",
	  "\"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/$defs/material\" }",
	  "objects by name" },
	{ "scene", "models",
	  "\"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/$defs/model\" }",
	  "objects by name" },
	{ "scene", "cameras",
	  "\"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/$defs/camera\" }",
	  "objects by name" },
	{ "scene", "instances", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/instance\" }",
	  "list" },
	{ "scene", "projectiles",
	  "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/projectile\" }", "list" },
	{ "scene", "joints", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/joint\" }",
	  "list" },
	{ "scene", "triggers", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/trigger\" }",
	  "list" },
	{ "scene", "cloths", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/cloth\" }",
	  "list" },
	{ "cloth", "pins", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/pin\" }", "list" },
	{ "model", "boxes",
	  "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1000, "
	  "\"items\": { \"$ref\": \"#/$defs/boxes\" }",
	  "list" },
	{ "model", "materials",
	  "\"type\": \"object\", \"additionalProperties\": { \"type\": [\"string\", \"null\"] }",
	  "texts by name" },
	{ "material", "levels",
	  "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 4, "
	  "\"items\": { \"$ref\": \"#/$defs/level\" }",
	  "list" },
	{ "model", "clusters",
	  "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 16, "
	  "\"items\": { \"$ref\": \"#/$defs/cluster\" }",
	  "list" },
	{ "instance", "motion",
	  "\"type\": \"array\", \"minItems\": 1, \"items\": { \"$ref\": \"#/$defs/pose_key\" }",
	  "list" },
	{ "camera", "motion", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/camera_key\" }",
	  "list" },
	{ NULL, "model", "\"type\": \"string\"", "text" },
	{ NULL, "material", "\"type\": \"string\"", "text" },
	{ NULL, "instance", "\"type\": [\"string\", \"integer\"]", "text or number" },
	{ NULL, "target", "\"type\": [\"string\", \"integer\"]", "text or number" },
	{ NULL, "instance_a", "\"type\": [\"string\", \"integer\"]", "text or number" },
	{ NULL, "instance_b", "\"type\": [\"string\", \"integer\"]", "text or number" },
};

// What every object of a kind must have, besides.
static const struct {
	const char *kind, *schema;
} rules[] = {
	{ "scene", "\"required\": [\"version\"]" },
	{ "boxes", "\"required\": [\"size\"]" },
	{ "cluster", "\"anyOf\": [{ \"required\": [\"count\"] }, { \"required\": [\"pattern\"] }]" },
	{ "level", "\"required\": [\"energy\"]" },
	{ "instance", "\"required\": [\"model\", \"material\"]" },
	{ "projectile", "\"required\": [\"model\", \"material\"]" },
	{ "trigger", "\"required\": [\"action\"]" },
};

static const char *described; // the kind that is being described
static bool is_markdown;      // as a table

static const other_key *find_other(const char *name)
{
	static const other_key nothing = { NULL, NULL, "", "" };
	for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
		if (strcmp(others[i].key, name) == 0 &&
		    (!others[i].kind || strcmp(others[i].kind, described) == 0))
			return &others[i];
	return &nothing;
}

// --- values -----------------------------------------------------------------------------------

// The shortest decimal that reads back as the same number; in tables one of six digits.
static void put_number(FILE *file, double value)
{
	char text[40];
	if (fabs(value) < 1e16 && value == floor(value)) {
		fprintf(file, "%.0f", value);
		return;
	}
	for (int digits = 1; digits <= (is_markdown ? 6 : 17); ++digits) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, file);
}

static void put_range(FILE *file, const key *k)
{
	fprintf(file, "\"minimum\": ");
	put_number(file, k->low);
	fprintf(file, ", \"maximum\": ");
	put_number(file, k->high);
}

// How many numbers a list has; 0: it is no list.
static int width_of(key_type type)
{
	switch (type) {
	case KEY_VECTOR2:
		return 2;
	case KEY_VECTOR:
	case KEY_COUNTS:
		return 3;
	case KEY_VECTOR4:
		return 4;
	case KEY_BOX:
		return 6;
	case KEY_MATRIX:
		return 9;
	default:
		return 0;
	}
}

static double number_of(const key *k, const void *field, int index)
{
	if (k->type == KEY_INT || k->type == KEY_COUNTS)
		return ((const int *)field)[index];
	if (k->type == KEY_SEED)
		return (double)*(const uint64_t *)field;
	return ((const double *)field)[index];
}

// Put what a key is without it being given, after some text. What is out of range is no default.
static void put_default(FILE *file, const char *before, const key *k, const void *field)
{
	int width = width_of(k->type), choice;
	if (k->type == KEY_OTHER || k->type == KEY_TEXT || k->type == KEY_NAME)
		return;
	if (k->type == KEY_BOOL) {
		fprintf(file, "%s%s", before, *(const bool *)field ? "true" : "false");
		return;
	}
	if (k->type == KEY_CHOICE) {
		memcpy(&choice, field, sizeof choice);
		if (choice < 0)
			return;
		fprintf(file, is_markdown ? "%s`%s`" : "%s\"%s\"", before, k->choices[choice]);
		return;
	}
	for (int i = 0; i < (width ? width : 1); ++i) {
		double number = number_of(k, field, i);
		if (!(number >= k->low && number <= k->high))
			return;
	}
	if (k->type == KEY_BOX && number_of(k, field, 0) > number_of(k, field, 3))
		return; // an empty one
	fprintf(file, "%s%s", before, width ? "[" : "");
	for (int i = 0; i < (width ? width : 1); ++i) {
		fprintf(file, "%s", i > 0 ? ", " : "");
		put_number(file, number_of(k, field, i));
	}
	fprintf(file, "%s", width ? "]" : "");
}

// What a level of a material does not say is as the material says, and a model is one of its kinds.
static bool has_default(const key *keys, const key *k)
{
	if (strcmp(described, "model") == 0 && k - keys < SCENE_MODEL_KINDS)
		return false;
	return strcmp(described, "level") != 0;
}

// --- JSON Schema ------------------------------------------------------------------------------

static void put_choices(FILE *file, const key *k)
{
	fprintf(file, "\"enum\": [");
	for (int i = 0; k->choices[i]; ++i)
		fprintf(file, "%s\"%s\"", i > 0 ? ", " : "", k->choices[i]);
	fprintf(file, "]");
}

static void put_type(FILE *file, const key *k)
{
	int width = width_of(k->type);
	switch (k->type) {
	case KEY_OTHER:
		fputs(find_other(k->name)->schema, file);
		break;
	case KEY_NUMBER:
	case KEY_INT:
	case KEY_SEED:
		fprintf(file, "\"type\": \"%s\", ", k->type == KEY_NUMBER ? "number" : "integer");
		put_range(file, k);
		break;
	case KEY_BOOL:
		fprintf(file, "\"type\": \"boolean\"");
		break;
	case KEY_TEXT:
	case KEY_NAME:
		fprintf(file, "\"type\": \"string\", \"minLength\": 1, \"maxLength\": %d",
		        k->type == KEY_TEXT ? SCENE_TEXT_LENGTH - 1 : SCENE_NAME_LENGTH - 1);
		break;
	case KEY_CHOICE:
		put_choices(file, k);
		break;
	default:
		fprintf(file,
		        "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": { "
		        "\"type\": \"%s\", ",
		        width, width, k->type == KEY_COUNTS ? "integer" : "number");
		put_range(file, k);
		fprintf(file, " }");
	}
}

static void put_schema(FILE *file, const key *keys, const void *defaults)
{
	fprintf(file, "\"description\": \"%s\",\n\t\t\t", about_key(described, NULL));
	fprintf(file, "\"type\": \"object\",\n\t\t\t\"additionalProperties\": false,\n");
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i)
		if (strcmp(rules[i].kind, described) == 0)
			fprintf(file, "\t\t\t%s,\n", rules[i].schema);
	if (strcmp(described, "model") == 0) { // exactly one of its kinds, which come first
		fprintf(file, "\t\t\t\"oneOf\": [");
		for (int i = 0; i < SCENE_MODEL_KINDS; ++i)
			fprintf(file, "%s{ \"required\": [\"%s\"] }", i > 0 ? ", " : "", keys[i].name);
		fprintf(file, "],\n");
	}
	fprintf(file, "\t\t\t\"properties\": {");
	for (const key *k = keys; k->name; ++k) {
		fprintf(file, "%s\n\t\t\t\t\"%s\": { ", k > keys ? "," : "", k->name);
		put_type(file, k);
		if (has_default(keys, k))
			put_default(file, ", \"default\": ", k, (const char *)defaults + k->offset);
		fprintf(file, ", \"description\": \"%s\" }", about_key(described, k->name));
	}
	fprintf(file, "\n\t\t\t}");
}

// --- Markdown ---------------------------------------------------------------------------------

static void put_word(FILE *file, const key *k)
{
	int width = width_of(k->type);
	if (k->type == KEY_OTHER)
		fputs(find_other(k->name)->word, file);
	else if (k->type == KEY_CHOICE)
		for (int i = 0; k->choices[i]; ++i)
			fprintf(file, "%s`%s`", i > 0 ? ", " : "", k->choices[i]);
	else if (k->type == KEY_BOOL)
		fputs("true, false", file);
	else if (k->type == KEY_TEXT || k->type == KEY_NAME)
		fputs("text", file);
	else if (width)
		fprintf(file, "%d %s", width, k->type == KEY_COUNTS ? "integers" : "numbers");
	else
		fputs(k->type == KEY_NUMBER ? "number" : "integer", file);
}

static void put_table(FILE *file, const key *keys, const void *defaults)
{
	fprintf(file, "| key | value | default | meaning |\n|---|---|---|---|\n");
	for (const key *k = keys; k->name; ++k) {
		fprintf(file, "| `%s` | ", k->name);
		put_word(file, k);
		fprintf(file, " |");
		if (has_default(keys, k))
			put_default(file, " ", k, (const char *)defaults + k->offset);
		fprintf(file, " | %s |\n", about_key(described, k->name));
	}
}

// --- all kinds --------------------------------------------------------------------------------

void describe_keys(reader *r, const key *keys, const void *defaults)
{
	if (is_markdown)
		put_table(r->schema, keys, defaults);
	else
		put_schema(r->schema, keys, defaults);
}

// Read a kind of object from nothing, which describes it. @return false if memory runs out
static bool describe_kind(FILE *file, const scene_kind *kind)
{
	scene_file scene = { 0 };
	reader r = { .scene = &scene, .version = 2, .status = STATUS_OK, .schema = file };
	place at = { .file = "" };
	void *to = calloc(1, kind->size);
	if (!to)
		return false;
	described = kind->name;
	kind->read(&r, &at, to);
	free(to);
	return true;
}

void print_scene_schema(FILE *file)
{
	is_markdown = false;
	fprintf(file, "{\n\t\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
	              "\t\"title\": \"Scene file of rubble run, version 2\",\n"
	              "\t\"$ref\": \"#/$defs/scene\",\n\t\"$defs\": {");
	for (const scene_kind *kind = scene_kinds; kind->name; ++kind) {
		fprintf(file, "%s\n\t\t\"%s\": {\n\t\t\t", kind > scene_kinds ? "," : "", kind->name);
		if (!describe_kind(file, kind))
			return;
		fprintf(file, "\n\t\t}");
	}
	fprintf(file, "\n\t}\n}\n");
}

int print_scene_keys(FILE *file)
{
	is_markdown = true;
	for (const scene_kind *kind = scene_kinds; kind->name; ++kind) {
		fprintf(file, "%s<!-- keys of %s -->\n\n", kind > scene_kinds ? "\n" : "", kind->name);
		if (!describe_kind(file, kind))
			return fail("out of memory");
		about_key(kind->name, NULL);
	}
	const char *unused = unused_about();
	return unused ? fail("'%s' is described, and no key of a scene", unused) : STATUS_OK;
}
