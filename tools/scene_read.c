// SPDX-License-Identifier: MIT
//
// Reading scene files. Each kind of object has a table of its keys; a key that is not in it is an
// error, since a misspelt one would otherwise be a setting that silently does nothing. A value is
// read together with its path in the file, so that every error names it:
// "wall.json: instances[2].position: a list of three numbers is needed".
//
// Version 1 of the format differs in the names of keys alone: the tables have the old name of each.

#include "scene.h"

#include "errors.h"
#include "files.h"
#include "shape_names.h"

#include <rubble/io.h>
#include <rubble/json.h>

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_LENGTH = 256, MAX_KEYS = 24 };

// How the value of a key is read, and what the struct has for it.
typedef enum key_type {
	KEY_OTHER,   // not by read_keys()
	KEY_NUMBER,  // double
	KEY_INT,     // int
	KEY_SEED,    // uint64_t
	KEY_BOOL,    // bool
	KEY_VECTOR,  // double[3]
	KEY_VECTOR4, // double[4]
	KEY_COUNTS,  // int[3]
	KEY_TEXT,    // char[SCENE_TEXT_LENGTH]
	KEY_CHOICE,  // an enum or int: the index among the choices
} key_type;

typedef struct key {
	const char *name;
	const char *old_name; // in version 1; NULL: the same
	key_type type;
	size_t offset; // in the struct
	double low, high;
	const char *const *choices; // NULL closes them
} key;

// Rows of the tables. FIELDS_OF is the struct; a name is followed by that in version 1.
#define ROW(name, old, type, field, low, high, choices)                 \
	{                                                                   \
		name, old, type, offsetof(FIELDS_OF, field), low, high, choices \
	}
#define OTHER(name, old)                        \
	{                                           \
		name, old, KEY_OTHER, 0, 0.0, 0.0, NULL \
	}
#define NUMBER(name, old, field, low, high) ROW(name, old, KEY_NUMBER, field, low, high, NULL)
#define INT(name, old, field, low, high) ROW(name, old, KEY_INT, field, low, high, NULL)
#define SEED(name, old, field) ROW(name, old, KEY_SEED, field, 0.0, 9007199254740992.0, NULL)
#define BOOL(name, old, field) ROW(name, old, KEY_BOOL, field, 0.0, 0.0, NULL)
#define VECTOR(name, old, field, low, high) ROW(name, old, KEY_VECTOR, field, low, high, NULL)
#define VECTOR4(name, old, field, low, high) ROW(name, old, KEY_VECTOR4, field, low, high, NULL)
#define COUNTS(name, old, field, high) ROW(name, old, KEY_COUNTS, field, 1.0, high, NULL)
#define TEXT(name, old, field) ROW(name, old, KEY_TEXT, field, 0.0, 0.0, NULL)
#define CHOICE(name, old, field, choices) ROW(name, old, KEY_CHOICE, field, 0.0, 0.0, choices)

// A value and where it is.
typedef struct place {
	const char *file;
	char path[PATH_LENGTH];
	const rbl_json *value;
	const key *keys; // of an object
} place;

typedef struct reader {
	scene_file *scene;
	int version;
	int status; // the first error stops the reading
} reader;

static void complain(reader *r, const place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void complain(reader *r, const place *at, const char *format, ...)
{
	char text[500];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (r->status == STATUS_OK)
		r->status = fail("%s: %s%s%s", at->file, at->path, *at->path ? ": " : "", text);
}

// What the file calls a key.
static const char *key_name(const reader *r, const key *k)
{
	return r->version == 1 && k->old_name ? k->old_name : k->name;
}

// A value by the name that it has in the file.
static place entry(const place *of, const char *name)
{
	place result = *of;
	size_t used = strlen(of->path);
	snprintf(result.path + used, sizeof result.path - used, "%s%.60s", used ? "." : "", name);
	result.value = rbl_json_member(of->value, name);
	result.keys = NULL;
	return result;
}

// A value by the name of its key.
static place member(const reader *r, const place *of, const char *name)
{
	const key *k = of->keys;
	while (strcmp(k->name, name) != 0)
		++k;
	return entry(of, key_name(r, k));
}

static place element(const place *of, size_t index)
{
	place result = *of;
	size_t used = strlen(of->path);
	snprintf(result.path + used, sizeof result.path - used, "[%zu]", index);
	result.value = rbl_json_item(of->value, (int)index);
	return result;
}

static void append_word(char *list, size_t capacity, const char *word)
{
	size_t used = strlen(list);
	snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", word);
}

// --- values ----------------------------------------------------------------------------------

static double read_number(reader *r, const place *at, const key *k)
{
	double value = rbl_json_number(at->value, 0.0);
	if (rbl_json_get_type(at->value) != RBL_JSON_NUMBER)
		complain(r, at, "a number is needed");
	else if (!(value >= k->low && value <= k->high))
		complain(r, at, "%g is not between %g and %g", value, k->low, k->high);
	else
		return value;
	return k->low;
}

static void read_vector(reader *r, const place *at, const key *k, int width, double *numbers)
{
	if (rbl_json_get_type(at->value) != RBL_JSON_LIST || rbl_json_count(at->value) != width) {
		complain(r, at, "a list of %s numbers is needed", width == 3 ? "three" : "four");
		return;
	}
	for (int i = 0; i < width; ++i) {
		place one = element(at, (size_t)i);
		numbers[i] = read_number(r, &one, k);
	}
}

static const char *read_text(reader *r, const place *at, size_t capacity)
{
	const char *text = rbl_json_text(at->value);
	if (!text || !*text)
		complain(r, at, "a text is needed");
	else if (strlen(text) >= capacity)
		complain(r, at, "longer than %zu bytes", capacity - 1);
	else
		return text;
	return "";
}

static int read_choice(reader *r, const place *at, const key *k)
{
	const char *text = read_text(r, at, 64);
	char list[400] = "";
	for (int i = 0; k->choices[i]; ++i) {
		if (strcmp(k->choices[i], text) == 0)
			return i;
		append_word(list, sizeof list, k->choices[i]);
	}
	complain(r, at, "'%s' is none of %s", text, list);
	return 0;
}

static void read_value(reader *r, const place *at, const key *k, void *field)
{
	double number, numbers[4];
	int choice;
	switch (k->type) {
	case KEY_OTHER:
		break;
	case KEY_NUMBER:
		*(double *)field = read_number(r, at, k);
		break;
	case KEY_INT:
		number = read_number(r, at, k);
		if (number != floor(number))
			complain(r, at, "a whole number is needed");
		*(int *)field = (int)number;
		break;
	case KEY_SEED:
		*(uint64_t *)field = (uint64_t)read_number(r, at, k);
		break;
	case KEY_BOOL:
		if (!rbl_json_is_true(at->value) && rbl_json_get_type(at->value) != RBL_JSON_FALSE)
			complain(r, at, "true or false is needed");
		*(bool *)field = rbl_json_is_true(at->value);
		break;
	case KEY_VECTOR:
	case KEY_VECTOR4:
		read_vector(r, at, k, k->type == KEY_VECTOR ? 3 : 4, field);
		break;
	case KEY_COUNTS:
		numbers[0] = numbers[1] = numbers[2] = 1.0;
		read_vector(r, at, k, 3, numbers);
		for (int i = 0; i < 3; ++i)
			((int *)field)[i] = (int)numbers[i];
		break;
	case KEY_TEXT:
		snprintf(field, SCENE_TEXT_LENGTH, "%s", read_text(r, at, SCENE_TEXT_LENGTH));
		break;
	case KEY_CHOICE:
		choice = read_choice(r, at, k);
		memcpy(field, &choice, sizeof choice); // an enum is as large as an int
		break;
	}
}

// --- objects ---------------------------------------------------------------------------------

// Refuse a key that the object does not have. Names of the other version get the right one.
static void check_key(reader *r, const place *of, const char *name)
{
	const char *names[MAX_KEYS];
	int count = 0;
	place unknown = entry(of, name);
	for (const key *k = of->keys; k->name; ++k) {
		names[count++] = key_name(r, k);
		if (strcmp(key_name(r, k), name) == 0)
			return;
	}
	for (const key *k = of->keys; k->name; ++k)
		if (strcmp(k->name, name) == 0 || (k->old_name && strcmp(k->old_name, name) == 0))
			complain(r, &unknown, "in version %d this key is '%s'", r->version, key_name(r, k));
	const char *nearest = nearest_name(name, names, count);
	if (nearest)
		complain(r, &unknown, "unknown key; did you mean '%s'?", nearest);
	else
		complain(r, &unknown, "unknown key");
}

// Read an object into a struct, which has the defaults.
static void read_keys(reader *r, place *at, const key *keys, void *to)
{
	at->keys = keys;
	if (rbl_json_get_type(at->value) != RBL_JSON_OBJECT) {
		complain(r, at, "an object is needed");
		return;
	}
	for (int i = 0; i < rbl_json_count(at->value); ++i)
		check_key(r, at, rbl_json_key(at->value, i));
	for (const key *k = keys; k->name && r->status == STATUS_OK; ++k) {
		place one = entry(at, key_name(r, k));
		if (one.value)
			read_value(r, &one, k, (char *)to + k->offset);
	}
}

// Read the items of a list, or of an object that names them. @return new memory, which *count has
static void *read_items(reader *r, const place *root, const char *name, bool is_list, size_t size,
                        void (*read)(reader *, place *, void *), int *count)
{
	place at = member(r, root, name);
	if (at.value && rbl_json_get_type(at.value) != (is_list ? RBL_JSON_LIST : RBL_JSON_OBJECT))
		complain(r, &at, is_list ? "a list is needed" : "an object is needed");
	size_t item_count = (size_t)rbl_json_count(at.value);
	char *items = calloc(item_count + 1, size);
	if (!items)
		complain(r, &at, "out of memory");
	for (size_t i = 0; i < item_count && r->status == STATUS_OK; ++i) {
		char *item = items + i * size;
		place one;
		++*count;
		if (is_list) {
			one = element(&at, i);
		} else {
			const char *own_name = rbl_json_key(at.value, (int)i);
			one = entry(&at, own_name);
			if (strlen(own_name) >= SCENE_NAME_LENGTH)
				complain(r, &one, "the name is longer than %d bytes", SCENE_NAME_LENGTH - 1);
			snprintf(item, SCENE_NAME_LENGTH, "%s", own_name);
		}
		read(r, &one, item);
	}
	return items;
}

static void read_material(reader *r, place *at, void *to)
{
	static const char *const patterns[] = {
		"voronoi", "impact", "web", "bricks", "splinters", NULL
	};
#define FIELDS_OF scene_material
	static const key keys[] = {
		NUMBER("density", NULL, density, 1e-3, 1e6),
		NUMBER("friction", NULL, friction, 0.0, 100.0),
		NUMBER("restitution", NULL, restitution, 0.0, 1.0),
		NUMBER("rolling_resistance", NULL, rolling_resistance, 0.0, 100.0),
		NUMBER("spinning_resistance", NULL, spinning_resistance, 0.0, 100.0),
		VECTOR("surface_velocity", NULL, surface_velocity, -1000.0, 1000.0),
		VECTOR("color", NULL, color, 0.0, 1.0),
		NUMBER("break_energy", "strength", break_energy, 0.0, 1e15),
		NUMBER("break_radius", "radius", break_radius, 1e-3, 1e4),
		CHOICE("pattern", NULL, pattern, patterns),
		INT("cell_count", "cells", cell_count, 2.0, 10000.0),
		NUMBER("min_size", "least", min_size, 0.0, 1e4),
		NUMBER("bond_strength", "bonds", bond_strength, 0.0, 1e15),
		NUMBER("bend_energy", "bend", bend_energy, 0.0, 1e15),
		NUMBER("bend_depth", "dent", bend_depth, 1e-4, 1e3),
		{ 0 },
	};
#undef FIELDS_OF
	scene_material *material = to;
	material->density = 2000.0, material->friction = 0.6;
	material->color[0] = material->color[1] = material->color[2] = 0.6;
	material->pattern = RBL_PATTERN_IMPACT;
	material->cell_count = 40, material->break_radius = 0.5, material->min_size = 0.1;
	material->bend_depth = 0.05;
	read_keys(r, at, keys, material);
}

static void read_boxes(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_boxes
	static const key keys[] = {
		VECTOR("size", NULL, size, 1e-3, 1e4),
		VECTOR("position", "at", position, -1e5, 1e5),
		COUNTS("count", NULL, count, 1e5),
		VECTOR("spacing", "pitch", spacing, -1e4, 1e4),
		{ 0 },
	};
#undef FIELDS_OF
	scene_boxes *boxes = to;
	boxes->count[0] = boxes->count[1] = boxes->count[2] = 1;
	read_keys(r, at, keys, boxes);
	place size = member(r, at, "size"), count = member(r, at, "count");
	if (!size.value)
		complain(r, &size, "a size is needed");
	if (!member(r, at, "spacing").value)
		memcpy(boxes->spacing, boxes->size, sizeof boxes->spacing);
	if ((double)boxes->count[0] * boxes->count[1] * boxes->count[2] > 1e5)
		complain(r, &count, "more than 100,000 boxes");
}

static void read_model(reader *r, place *at, void *to)
{
	static const char *const axes[] = { "x", "y", "z", NULL };
#define FIELDS_OF scene_model
	static const key keys[] = {
		// the kinds first, in the order of scene_model_kind
		VECTOR("box", NULL, size, 1e-3, 1e4),
		NUMBER("sphere", "ball", radius, 1e-3, 1e4),
		VECTOR("stone", NULL, size, 1e-3, 1e4),
		NUMBER("cylinder", NULL, radius, 1e-3, 1e4),
		NUMBER("cone", NULL, radius, 1e-3, 1e4),
		VECTOR("plane", NULL, size, -1e4, 1e4),
		TEXT("shape", "make", text),
		TEXT("file", NULL, text),
		OTHER("boxes", "blocks"),
		NUMBER("length", NULL, length, 1e-3, 1e4),
		CHOICE("axis", NULL, axis, axes),
		NUMBER("rounding", NULL, rounding, 0.0, 1e4),
		INT("point_count", "points", point_count, 6.0, 60.0),
		INT("detail", NULL, detail, 0.0, 1000.0),
		SEED("seed", NULL, seed),
		NUMBER("scale", NULL, scale, 1e-6, 1e6),
		CHOICE("up_axis", "up", up_axis, axes),
		NUMBER("tolerance", NULL, tolerance, 1e-3, 100.0),
		BOOL("split", NULL, is_split),
		BOOL("repair", NULL, is_repaired),
		{ 0 },
	};
#undef FIELDS_OF
	scene_model *model = to;
	model->point_count = 12, model->scale = 1.0, model->tolerance = 0.2, model->seed = 1;
	model->up_axis = RBL_AXIS_Y;
	model->length = 1.0, model->axis = 1;
	read_keys(r, at, keys, model);
	int found = 0;
	char kinds[100] = "";
	for (int i = 0; i < SCENE_MODEL_KINDS; ++i) {
		append_word(kinds, sizeof kinds, key_name(r, &keys[i]));
		if (member(r, at, keys[i].name).value)
			found++, model->kind = (scene_model_kind)i;
	}
	if (found != 1)
		complain(r, at, "exactly one of %s is needed", kinds);
	place value = member(r, at, keys[model->kind].name), rounding = member(r, at, "rounding");
	const double *size = model->size;
	if (model->kind == SCENE_PLANE && size[0] == 0.0 && size[1] == 0.0 && size[2] == 0.0)
		complain(r, &value, "the normal has no direction");
	bool has_edges = model->kind == SCENE_BOX || model->kind == SCENE_STONE;
	if (model->rounding > 0.0 && !has_edges)
		complain(r, &rounding, "only boxes and stones have edges to round");
	else if (has_edges && !(2.0 * model->rounding < fmin(size[0], fmin(size[1], size[2]))))
		complain(r, &rounding, "more than half of the size");
	int boxes_count = rbl_json_count(value.value);
	if (model->kind == SCENE_BOXES && (boxes_count < 1 || boxes_count > 1000))
		complain(r, &value, "a list of 1 to 1000 objects is needed");
	else if (model->kind == SCENE_BOXES)
		model->boxes =
			read_items(r, at, "boxes", true, sizeof *model->boxes, read_boxes, &model->boxes_count);
	if (model->kind == SCENE_SHAPE && r->status == STATUS_OK && !is_shape_name(model->text))
		complain(r, &value, "there is no shape '%s'; rubble make --list names them", model->text);
}

// The index of the material or model that a key names. Structs begin with their names.
static int find_named(reader *r, const place *of, const char *what, const void *items, int count,
                      size_t size)
{
	place at = member(r, of, what);
	const char *name = read_text(r, &at, SCENE_NAME_LENGTH);
	for (int i = 0; i < count; ++i)
		if (strcmp((const char *)items + (size_t)i * size, name) == 0)
			return i;
	complain(r, &at, "there is no %s '%s'", what, name);
	return 0;
}

static void find_model_and_material(reader *r, const place *at, int *model, int *material)
{
	const scene_file *scene = r->scene;
	if (r->status != STATUS_OK)
		return;
	*model = find_named(r, at, "model", scene->models, scene->model_count, sizeof *scene->models);
	*material = find_named(r, at, "material", scene->materials, scene->material_count,
	                       sizeof *scene->materials);
}

static const char *const contact_methods[] = { "convex", "field", "automatic", NULL };

// Distance fields are made of meshes.
static void check_contact_method(reader *r, const place *at, int model, rbl_contact_method method)
{
	place contacts = member(r, at, "contacts");
	if (r->status != STATUS_OK || method == RBL_CONTACTS_CONVEX)
		return;
	scene_model_kind kind = r->scene->models[model].kind;
	if (kind != SCENE_SHAPE && kind != SCENE_FILE)
		complain(r, &contacts, "only models of a shape or a file can collide by a field");
}

static void read_instance(reader *r, place *at, void *to)
{
	static const char *const kinds[] = { "static", "kinematic", "dynamic", NULL };
#define FIELDS_OF scene_instance
	static const key keys[] = {
		OTHER("model", NULL),
		OTHER("material", NULL),
		CHOICE("kind", NULL, kind, kinds),
		VECTOR("position", "at", position, -1e5, 1e5),
		VECTOR4("rotation", "turn", rotation, -1e5, 1e5),
		VECTOR("velocity", NULL, velocity, -1e3, 1e3),
		VECTOR("angular_velocity", "spin", angular_velocity, -1e3, 1e3),
		COUNTS("count", NULL, count, 1e6),
		VECTOR("spacing", "pitch", spacing, -1e4, 1e4),
		VECTOR("layer_offset", "shift", layer_offset, -1e4, 1e4),
		NUMBER("jitter", NULL, jitter, 0.0, 1e3),
		BOOL("random_rotation", "tumbled", random_rotation),
		BOOL("hidden", NULL, is_hidden),
		BOOL("anchored", NULL, is_anchored),
		CHOICE("contacts", NULL, contact_method, contact_methods),
		NUMBER("gravity_scale", NULL, gravity_scale, -1e6, 1e6),
		NUMBER("linear_damping", NULL, linear_damping, 0.0, 1e6),
		NUMBER("angular_damping", NULL, angular_damping, 0.0, 1e6),
		VECTOR("lock_translation", NULL, lock_translation, 0.0, 1.0),
		VECTOR("lock_rotation", NULL, lock_rotation, 0.0, 1.0),
		BOOL("bullet", NULL, is_bullet),
		{ 0 },
	};
#undef FIELDS_OF
	scene_instance *instance = to;
	const rbl_body_def usual = rbl_default_body_def();
	instance->kind = RBL_BODY_DYNAMIC;
	instance->gravity_scale = (double)usual.gravity_scale;
	instance->linear_damping = (double)usual.linear_damping;
	instance->angular_damping = (double)usual.angular_damping;
	instance->rotation[1] = 1.0;
	instance->count[0] = instance->count[1] = instance->count[2] = 1;
	read_keys(r, at, keys, instance);
	find_model_and_material(r, at, &instance->model, &instance->material);
	check_contact_method(r, at, instance->model, instance->contact_method);
	place kind = member(r, at, "kind");
	if (r->status == STATUS_OK && r->scene->models[instance->model].kind == SCENE_PLANE &&
	    (instance->kind != RBL_BODY_STATIC ||
	     r->scene->materials[instance->material].break_energy > 0.0))
		complain(r, &kind, "a plane is static, and does not break");
	place anchored = member(r, at, "anchored"), rotation = member(r, at, "rotation"),
		  count = member(r, at, "count");
	if (instance->is_anchored && instance->kind != RBL_BODY_DYNAMIC)
		complain(r, &anchored, "only dynamic bodies can be anchored");
	const double *axis = instance->rotation;
	if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &rotation, "the axis has no direction");
	if ((double)instance->count[0] * instance->count[1] * instance->count[2] > 1e6)
		complain(r, &count, "more than a million bodies");
}

static void read_projectile(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_projectile
	static const key keys[] = {
		OTHER("model", NULL),
		OTHER("material", NULL),
		NUMBER("time", NULL, time, 0.0, 1e6),
		NUMBER("interval", "every", interval, 1e-3, 1e6),
		INT("count", NULL, count, 1.0, 100000.0),
		VECTOR("position", "at", position, -1e5, 1e5),
		VECTOR("velocity", NULL, velocity, -1e3, 1e3),
		VECTOR("angular_velocity", "spin", angular_velocity, -1e3, 1e3),
		NUMBER("spread", NULL, spread, 0.0, 1e4),
		{ 0 },
	};
#undef FIELDS_OF
	scene_projectile *projectile = to;
	projectile->count = 1, projectile->interval = 1.0;
	read_keys(r, at, keys, projectile);
	find_model_and_material(r, at, &projectile->model, &projectile->material);
	place model = member(r, at, "model");
	if (r->status == STATUS_OK && r->scene->models[projectile->model].kind == SCENE_PLANE)
		complain(r, &model, "a plane is static");
}

static void read_joint(reader *r, place *at, void *to)
{
	static const char *const kinds[] = { "weld",     "hinge", "ball",  "prismatic",
		                                 "distance", "wheel", "motor", NULL };
#define FIELDS_OF scene_joint
	static const key keys[] = {
		CHOICE("kind", NULL, kind, kinds),
		INT("instance_a", NULL, instance_a, 0.0, 1e6),
		INT("instance_b", NULL, instance_b, 0.0, 1e6),
		INT("body_a", NULL, body_a, 0.0, 1e6),
		INT("body_b", NULL, body_b, 0.0, 1e6),
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR4("rotation", NULL, rotation, -1e5, 1e5),
		NUMBER("lower", NULL, lower, -1e6, 1e6),
		NUMBER("upper", NULL, upper, -1e6, 1e6),
		NUMBER("cone_angle", NULL, cone_angle, 0.0, 180.0),
		NUMBER("motor_speed", NULL, motor_speed, -1e4, 1e4),
		NUMBER("motor_force", NULL, motor_force, 0.0, 1e12),
		NUMBER("motor_torque", NULL, motor_torque, 0.0, 1e12),
		NUMBER("spring_hertz", NULL, spring_hertz, 0.0, 1e4),
		NUMBER("spring_damping", NULL, spring_damping, 0.0, 1e4),
		NUMBER("spring_target", NULL, spring_target, -1e6, 1e6),
		NUMBER("break_force", NULL, break_force, 0.0, 1e30),
		NUMBER("break_torque", NULL, break_torque, 0.0, 1e30),
		BOOL("collides", NULL, collides),
		INT("count", NULL, count, 1.0, 1e6),
		VECTOR("spacing", NULL, spacing, -1e4, 1e4),
		{ 0 },
	};
#undef FIELDS_OF
	scene_joint *joint = to;
	joint->lower = joint->upper = joint->cone_angle = NAN;
	joint->rotation[1] = 1.0;
	joint->spring_damping = 1.0;
	joint->count = 1;
	read_keys(r, at, keys, joint);
	place a = member(r, at, "instance_a"), b = member(r, at, "instance_b");
	place lower = member(r, at, "lower"), rotation = member(r, at, "rotation");
	if (r->status == STATUS_OK && joint->instance_a >= r->scene->instance_count)
		complain(r, &a, "there is no instances[%d]", joint->instance_a);
	if (r->status == STATUS_OK && joint->instance_b >= r->scene->instance_count)
		complain(r, &b, "there is no instances[%d]", joint->instance_b);
	if (r->status == STATUS_OK && isnan(joint->lower) != isnan(joint->upper))
		complain(r, &lower, "lower and upper are needed together");
	const double *axis = joint->rotation;
	if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &rotation, "the axis has no direction");
}

// --- the file --------------------------------------------------------------------------------

// "version": 2, or "rubble": 1 in files of the first version.
static void read_version(reader *r, const place *root)
{
	place version = entry(root, "version"), old = entry(root, "rubble");
	r->version = version.value ? 2 : 1;
	if (rbl_json_get_type(root->value) != RBL_JSON_OBJECT)
		complain(r, root, "an object is needed");
	else if (!version.value && !old.value)
		complain(r, root, "not a scene: \"version\": 2 is missing");
	else if (rbl_json_number(version.value ? version.value : old.value, 0.0) != r->version)
		complain(r, version.value ? &version : &old,
		         "unknown version; known are \"version\": 2 and \"rubble\": 1");
}

static void read_root(reader *r, place *root)
{
#define FIELDS_OF scene_file
	static const key keys[] = {
		OTHER("version", "rubble"),
		OTHER("description", "about"),
		SEED("seed", NULL, seed),
		VECTOR("gravity", NULL, gravity, -1e4, 1e4),
		NUMBER("time_step", "step", dt, 1e-4, 0.1),
		INT("step_count", "steps", step_count, 1.0, 10000000.0),
		INT("substep_count", "substeps", substep_count, 1.0, 64.0),
		NUMBER("length_scale", NULL, length_scale, 1e-6, 1e6),
		NUMBER("frame_time", "frame", frame_time, 1e-4, 10.0),
		BOOL("can_sleep", "sleep", can_sleep),
		NUMBER("freeze_time", "freeze", freeze_time, 0.0, 1e5),
		NUMBER("bake_time", "merge", bake_time, 0.0, 1e5),
		INT("debris_limit", "debris", debris_limit, 0.0, RBL_MAX_BODIES),
		OTHER("materials", NULL),
		OTHER("models", NULL),
		OTHER("instances", NULL),
		OTHER("projectiles", NULL),
		OTHER("joints", NULL),
		{ 0 },
	};
#undef FIELDS_OF
	scene_file *scene = r->scene;
	scene->gravity[1] = -9.81;
	scene->dt = 1.0 / 60.0, scene->frame_time = 0.0;
	scene->step_count = 600, scene->substep_count = rbl_default_world_def().substep_count;
	scene->can_sleep = true, scene->seed = 1, scene->length_scale = 1.0;
	read_version(r, root);
	if (r->status == STATUS_OK)
		read_keys(r, root, keys, scene);
	if (r->status != STATUS_OK)
		return;
	scene->materials = read_items(r, root, "materials", false, sizeof *scene->materials,
	                              read_material, &scene->material_count);
	scene->models = read_items(r, root, "models", false, sizeof *scene->models, read_model,
	                           &scene->model_count);
	scene->instances = read_items(r, root, "instances", true, sizeof *scene->instances,
	                              read_instance, &scene->instance_count);
	scene->projectiles = read_items(r, root, "projectiles", true, sizeof *scene->projectiles,
	                                read_projectile, &scene->projectile_count);
	scene->joints =
		read_items(r, root, "joints", true, sizeof *scene->joints, read_joint, &scene->joint_count);
	if (scene->instance_count == 0 && scene->projectile_count == 0)
		complain(r, root, "the scene is empty: no instances, no projectiles");
}

int read_scene(const char *path, scene_file *scene)
{
	memset(scene, 0, sizeof *scene);
	rbl_file_bytes bytes;
	if (read_bytes(path, SCENE_SIZE_LIMIT, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	rbl_json_document *document;
	rbl_result result = rbl_parse_json((const char *)bytes.data, bytes.size, path, NULL, &document);
	if (result != RBL_OK) {
		rbl_free_bytes(&bytes);
		return fail_with(result, path);
	}
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path + 1) : 0;
	reader r = { .scene = scene, .status = STATUS_OK };
	place at = { .file = path, .value = rbl_json_root(document) };
	if (length >= (int)sizeof scene->folder)
		complain(&r, &at, "the path is too long");
	else
		snprintf(scene->folder, sizeof scene->folder, "%.*s", length, path);
	if (r.status == STATUS_OK)
		read_root(&r, &at);
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
	if (r.status != STATUS_OK)
		free_scene(scene);
	return r.status;
}

void free_scene(scene_file *scene)
{
	free(scene->materials);
	for (int i = 0; i < scene->model_count; ++i)
		free(scene->models[i].boxes);
	free(scene->models);
	free(scene->instances);
	free(scene->projectiles);
	free(scene->joints);
	memset(scene, 0, sizeof *scene);
}
