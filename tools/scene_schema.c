// SPDX-License-Identifier: MIT
//
// The JSON Schema of scene files, for completion and checks in editors. It comes from the tables that
// read them: each kind of object is read once from nothing, and read_keys() describes its keys here,
// with the defaults that the struct has by then.

#include "scene_keys.h"

#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keys that read_keys() leaves to others: what they are, by kind and name.
static const struct {
	const char *kind, *key, *schema;
} others[] = {
	{ "scene", "version", "\"const\": 2" },
	{ "scene", "$schema", "\"type\": \"string\"" },
	{ "scene", "description", "\"type\": \"string\"" },
	{ "scene", "include", "\"type\": \"array\", \"items\": { \"type\": \"string\" }" },
	{ "scene", "materials",
	  "\"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/$defs/material\" }" },
	{ "scene", "models",
	  "\"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/$defs/model\" }" },
	{ "scene", "cameras",
	  "\"type\": \"object\", \"additionalProperties\": { \"$ref\": \"#/$defs/camera\" }" },
	{ "scene", "instances", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/instance\" }" },
	{ "scene", "projectiles",
	  "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/projectile\" }" },
	{ "scene", "joints", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/joint\" }" },
	{ "scene", "triggers", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/trigger\" }" },
	{ "model", "boxes",
	  "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1000, "
	  "\"items\": { \"$ref\": \"#/$defs/boxes\" }" },
	{ "model", "materials",
	  "\"type\": \"object\", \"additionalProperties\": { \"type\": [\"string\", \"null\"] }" },
	{ "material", "levels",
	  "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 4, "
	  "\"items\": { \"$ref\": \"#/$defs/level\" }" },
	{ "model", "clusters",
	  "\"type\": \"array\", \"minItems\": 1, \"maxItems\": 16, "
	  "\"items\": { \"$ref\": \"#/$defs/cluster\" }" },
	{ "instance", "motion",
	  "\"type\": \"array\", \"minItems\": 1, \"items\": { \"$ref\": \"#/$defs/pose_key\" }" },
	{ "camera", "motion", "\"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/camera_key\" }" },
	{ NULL, "model", "\"type\": \"string\"" },
	{ NULL, "material", "\"type\": \"string\"" },
	{ NULL, "instance", "\"type\": [\"string\", \"integer\"]" },
	{ NULL, "target", "\"type\": [\"string\", \"integer\"]" },
	{ NULL, "instance_a", "\"type\": [\"string\", \"integer\"]" },
	{ NULL, "instance_b", "\"type\": [\"string\", \"integer\"]" },
};

// What every object of a kind must have, besides.
static const struct {
	const char *kind, *schema;
} rules[] = {
	{ "scene", "\"required\": [\"version\"]" },
	{ "boxes", "\"required\": [\"size\"]" },
	{ "cluster", "\"required\": [\"count\"]" },
	{ "level", "\"required\": [\"energy\"]" },
	{ "instance", "\"required\": [\"model\", \"material\"]" },
	{ "projectile", "\"required\": [\"model\", \"material\"]" },
	{ "trigger", "\"required\": [\"action\"]" },
};

static const char *described; // the kind that is being described

static const char *other_schema(const char *name)
{
	for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
		if (strcmp(others[i].key, name) == 0 &&
		    (!others[i].kind || strcmp(others[i].kind, described) == 0))
			return others[i].schema;
	return NULL;
}

// The shortest decimal that reads back as the same number.
static void put_number(FILE *file, double value)
{
	char text[40];
	if (fabs(value) < 1e16 && value == floor(value)) {
		fprintf(file, "%.0f", value);
		return;
	}
	for (int digits = 1; digits <= 17; ++digits) {
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

static void put_list(FILE *file, const key *k, const char *type, int width)
{
	fprintf(file,
	        "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": { \"type\": "
	        "\"%s\", ",
	        width, width, type);
	put_range(file, k);
	fprintf(file, " }");
}

static void put_default_list(FILE *file, const double *numbers, int width)
{
	fprintf(file, ", \"default\": [");
	for (int i = 0; i < width; ++i) {
		fprintf(file, "%s", i > 0 ? ", " : "");
		put_number(file, numbers[i]);
	}
	fprintf(file, "]");
}

static void put_choices(FILE *file, const key *k, int usual)
{
	fprintf(file, "\"enum\": [");
	for (int i = 0; k->choices[i]; ++i)
		fprintf(file, "%s\"%s\"", i > 0 ? ", " : "", k->choices[i]);
	fprintf(file, "], \"default\": \"%s\"", k->choices[usual]);
}

static int width_of(key_type type)
{
	return type == KEY_VECTOR2 ? 2 : type == KEY_VECTOR ? 3 : type == KEY_VECTOR4 ? 4 : 9;
}

static void describe_value(FILE *file, const key *k, const void *field)
{
	const double *numbers = field;
	int choice;
	switch (k->type) {
	case KEY_OTHER:
		fputs(other_schema(k->name) ? other_schema(k->name) : "", file);
		break;
	case KEY_NUMBER:
		fprintf(file, "\"type\": \"number\", ");
		put_range(file, k);
		if (!isnan(*numbers) && *numbers >= k->low && *numbers <= k->high) {
			fprintf(file, ", \"default\": ");
			put_number(file, *numbers);
		}
		break;
	case KEY_INT:
		memcpy(&choice, field, sizeof choice);
		fprintf(file, "\"type\": \"integer\", ");
		put_range(file, k);
		if (choice >= k->low && choice <= k->high)
			fprintf(file, ", \"default\": %d", choice);
		break;
	case KEY_SEED:
		fprintf(file, "\"type\": \"integer\", ");
		put_range(file, k);
		fprintf(file, ", \"default\": %llu", (unsigned long long)*(const uint64_t *)field);
		break;
	case KEY_BOOL:
		fprintf(file, "\"type\": \"boolean\", \"default\": %s",
		        *(const bool *)field ? "true" : "false");
		break;
	case KEY_VECTOR2:
	case KEY_VECTOR:
	case KEY_VECTOR4:
	case KEY_MATRIX:
		choice = width_of(k->type);
		put_list(file, k, "number", choice);
		if (!isnan(numbers[0]))
			put_default_list(file, numbers, choice);
		break;
	case KEY_BOX:
		put_list(file, k, "number", 6);
		break;
	case KEY_COUNTS:
		put_list(file, k, "integer", 3);
		break;
	case KEY_TEXT:
	case KEY_NAME:
		fprintf(file, "\"type\": \"string\", \"minLength\": 1, \"maxLength\": %d",
		        k->type == KEY_TEXT ? SCENE_TEXT_LENGTH - 1 : SCENE_NAME_LENGTH - 1);
		break;
	case KEY_CHOICE:
		memcpy(&choice, field, sizeof choice);
		put_choices(file, k, choice);
		break;
	}
}

void describe_keys(reader *r, const key *keys, const void *defaults)
{
	FILE *file = r->schema;
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
		describe_value(file, k, (const char *)defaults + k->offset);
		fprintf(file, " }");
	}
	fprintf(file, "\n\t\t\t}");
}

void print_scene_schema(FILE *file)
{
	fprintf(file, "{\n\t\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
	              "\t\"title\": \"Scene file of rubble run, version 2\",\n"
	              "\t\"$ref\": \"#/$defs/scene\",\n\t\"$defs\": {");
	for (const scene_kind *kind = scene_kinds; kind->name; ++kind) {
		scene_file scene = { 0 };
		reader r = { .scene = &scene, .version = 2, .status = STATUS_OK, .schema = file };
		place at = { .file = "" };
		void *to = calloc(1, kind->size);
		if (!to)
			return;
		described = kind->name;
		fprintf(file, "%s\n\t\t\"%s\": {\n\t\t\t", kind > scene_kinds ? "," : "", kind->name);
		kind->read(&r, &at, to);
		fprintf(file, "\n\t\t}");
		free(to);
	}
	fprintf(file, "\n\t}\n}\n");
}
