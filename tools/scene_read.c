// SPDX-License-Identifier: MIT
//
// Reading scene files. A value is read together with its place in the file, so that every complaint
// names it: "wall.json: instances[2].at: three numbers are needed". Keys that mean nothing here are
// complaints too: a misspelt one would otherwise be a setting that silently does not work.

#include "scene.h"

#include "errors.h"
#include "files.h"
#include "shape_names.h"

#include <rubble/io.h>

#include <jansson.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_LENGTH = 256 };

// A value and where it is.
typedef struct place {
	const char *file;
	char path[PATH_LENGTH];
	const json_t *value;
} place;

typedef struct reader {
	scene_file *scene;
	int status; // the first complaint stops the reading
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

static place member(const place *of, const char *name)
{
	place result = *of;
	size_t used = strlen(of->path);
	snprintf(result.path + used, sizeof result.path - used, "%s%.60s", used ? "." : "", name);
	result.value = json_object_get(of->value, name);
	return result;
}

static place element(const place *of, size_t index)
{
	place result = *of;
	size_t used = strlen(of->path);
	snprintf(result.path + used, sizeof result.path - used, "[%zu]", index);
	result.value = json_array_get(of->value, index);
	return result;
}

static bool has(const place *of, const char *name)
{
	return json_object_get(of->value, name) != NULL;
}

// Complain of keys that are not in the list, which NULL closes.
static void check_keys(reader *r, const place *at, const char *const *names)
{
	int count = 0;
	while (names[count])
		count++;
	if (!json_is_object(at->value)) {
		complain(r, at, "an object is needed");
		return;
	}
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)at->value, key, value)
	{
		int k = 0;
		while (k < count && strcmp(names[k], key) != 0)
			k++;
		if (k < count)
			continue;
		place unknown = member(at, key);
		const char *nearest = nearest_name(key, names, count);
		if (nearest)
			complain(r, &unknown, "nothing of this name; '%s' is meant?", nearest);
		else
			complain(r, &unknown, "nothing of this name");
	}
}

static void check_number(reader *r, const place *at, double low, double high, double *number)
{
	double value = json_number_value(at->value);
	if (!json_is_number(at->value))
		complain(r, at, "a number is needed");
	else if (!(value >= low && value <= high))
		complain(r, at, "%g is not between %g and %g", value, low, high);
	else
		*number = value;
}

static void read_number(reader *r, const place *of, const char *name, double low, double high,
                        double *number)
{
	place at = member(of, name);
	if (at.value)
		check_number(r, &at, low, high, number);
}

static void read_int(reader *r, const place *of, const char *name, int low, int high, int *number)
{
	double value = *number;
	read_number(r, of, name, low, high, &value);
	place at = member(of, name);
	if (at.value && value != floor(value))
		complain(r, &at, "a whole number is needed");
	*number = (int)value;
}

static void read_seed(reader *r, const place *of, uint64_t *seed)
{
	double value = (double)*seed;
	read_number(r, of, "seed", 0.0, 9007199254740992.0, &value);
	*seed = (uint64_t)value;
}

static void read_bool(reader *r, const place *of, const char *name, bool *flag)
{
	place at = member(of, name);
	if (at.value && !json_is_boolean(at.value))
		complain(r, &at, "true or false is needed");
	else if (at.value)
		*flag = json_is_true(at.value);
}

static void read_vector(reader *r, const place *of, const char *name, int width, double low,
                        double high, double *numbers)
{
	static const char *const counts[] = { "", "one", "two", "three", "four" };
	place at = member(of, name);
	if (!at.value)
		return;
	if (!json_is_array(at.value) || json_array_size(at.value) != (size_t)width) {
		complain(r, &at, "a list of %s numbers is needed", counts[width]);
		return;
	}
	for (int k = 0; k < width; ++k) {
		place one = element(&at, (size_t)k);
		check_number(r, &one, low, high, &numbers[k]);
	}
}

static const char *read_text(reader *r, const place *of, const char *name, size_t most)
{
	place at = member(of, name);
	const char *text = json_string_value(at.value);
	if (!text || !*text)
		complain(r, &at, "a text is needed");
	else if (strlen(text) >= most)
		complain(r, &at, "longer than %zu bytes", most - 1);
	else
		return text;
	return "";
}

// One of a list of words. @return its index, `otherwise` when it is not there
static int read_choice(reader *r, const place *of, const char *name, const char *const *choices,
                       int otherwise)
{
	place at = member(of, name);
	if (!at.value)
		return otherwise;
	const char *text = read_text(r, of, name, 64);
	char list[400] = "";
	for (int i = 0; choices[i]; ++i) {
		if (strcmp(choices[i], text) == 0)
			return i;
		size_t used = strlen(list);
		snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
	}
	complain(r, &at, "'%s' is none of %s", text, list);
	return otherwise;
}

// --- materials and models --------------------------------------------------------------------

static void read_material(reader *r, const place *at, scene_material *material)
{
	static const char *const keys[] = { "density", "friction", "restitution", "color", "strength",
		                                "pattern", "cells",    "radius",      "least", "bonds",
		                                "bend",    "dent",     NULL };
	static const char *const patterns[] = {
		"voronoi", "impact", "web", "bricks", "splinters", NULL
	};
	material->density = 2000.0, material->friction = 0.6;
	material->color[0] = material->color[1] = material->color[2] = 0.6;
	material->cell_count = 40, material->radius = 0.5, material->min_size = 0.1;
	material->bend_depth = 0.05;
	check_keys(r, at, keys);
	read_number(r, at, "density", 1e-3, 1e6, &material->density);
	read_number(r, at, "friction", 0.0, 100.0, &material->friction);
	read_number(r, at, "restitution", 0.0, 1.0, &material->restitution);
	read_vector(r, at, "color", 3, 0.0, 1.0, material->color);
	read_number(r, at, "strength", 0.0, 1e15, &material->strength);
	material->pattern = read_choice(r, at, "pattern", patterns, RBL_PATTERN_IMPACT);
	read_int(r, at, "cells", 2, 10000, &material->cell_count);
	read_number(r, at, "radius", 1e-3, 1e4, &material->radius);
	read_number(r, at, "least", 0.0, 1e4, &material->min_size);
	read_number(r, at, "bonds", 0.0, 1e15, &material->bond_strength);
	read_number(r, at, "bend", 0.0, 1e15, &material->bend_energy);
	read_number(r, at, "dent", 1e-4, 1e3, &material->bend_depth);
}

static void read_block(reader *r, const place *at, scene_block *block)
{
	static const char *const keys[] = { "size", "at", "count", "pitch", NULL };
	check_keys(r, at, keys);
	place size = member(at, "size"), many = member(at, "count");
	if (!size.value)
		complain(r, &size, "a size is needed");
	read_vector(r, at, "size", 3, 1e-3, 1e4, block->size);
	read_vector(r, at, "at", 3, -1e5, 1e5, block->position);
	double count[3] = { 1.0, 1.0, 1.0 };
	read_vector(r, at, "count", 3, 1.0, 1e5, count);
	for (int k = 0; k < 3; ++k)
		block->count[k] = (int)count[k], block->pitch[k] = block->size[k];
	read_vector(r, at, "pitch", 3, -1e4, 1e4, block->pitch);
	if (count[0] * count[1] * count[2] > 1e5)
		complain(r, &many, "more than 100,000 boxes");
}

static void read_blocks(reader *r, const place *of, scene_model *model)
{
	place at = member(of, "blocks");
	size_t count = json_array_size(at.value);
	if (count < 1 || count > 1000) {
		complain(r, &at, "a list of 1 to 1000 blocks is needed");
		return;
	}
	model->blocks = calloc(count, sizeof *model->blocks);
	if (!model->blocks)
		complain(r, &at, "out of memory");
	for (size_t i = 0; i < count && r->status == STATUS_OK; ++i) {
		place one = element(&at, i);
		read_block(r, &one, &model->blocks[model->block_count++]);
	}
}

static void read_model(reader *r, const place *at, scene_model *model)
{
	static const char *const keys[] = { "box",       "ball",  "stone",  "make",  "file",
		                                "points",    "seed",  "detail", "scale", "up",
		                                "tolerance", "split", "blocks", NULL };
	static const char *const kinds[] = { "box", "ball", "stone", "make", "file", "blocks" };
	static const char *const axes[] = { "x", "y", "z", NULL };
	model->point_count = 12, model->scale = 1.0, model->tolerance = 0.2, model->seed = 1;
	check_keys(r, at, keys);
	int found = 0;
	for (int i = 0; i < SCENE_MODEL_KINDS; ++i)
		if (has(at, kinds[i]))
			found++, model->kind = (scene_model_kind)i;
	if (found != 1 && r->status == STATUS_OK)
		complain(r, at, "exactly one of box, ball, stone, make, file and blocks is needed");
	if (model->kind == SCENE_BOX || model->kind == SCENE_STONE)
		read_vector(r, at, kinds[model->kind], 3, 1e-3, 1e4, model->size);
	read_number(r, at, "ball", 1e-3, 1e4, &model->radius);
	read_int(r, at, "points", 6, 60, &model->point_count);
	read_int(r, at, "detail", 0, 1000, &model->detail);
	read_seed(r, at, &model->seed);
	read_number(r, at, "scale", 1e-6, 1e6, &model->scale);
	read_number(r, at, "tolerance", 1e-3, 100.0, &model->tolerance);
	model->up = (rbl_up_axis)read_choice(r, at, "up", axes, RBL_AXIS_Y);
	read_bool(r, at, "split", &model->is_split);
	if (model->kind == SCENE_BLOCKS && r->status == STATUS_OK)
		read_blocks(r, at, model);
	if (model->kind == SCENE_SHAPE || model->kind == SCENE_FILE)
		snprintf(model->text, sizeof model->text, "%s",
		         read_text(r, at, kinds[model->kind], sizeof model->text));
	if (model->kind == SCENE_SHAPE && r->status == STATUS_OK && !is_shape_name(model->text)) {
		place text = member(at, "make");
		complain(r, &text, "'%s' is no shape; rubble make --list names them", model->text);
	}
}

// --- things ----------------------------------------------------------------------------------

static int find_material(reader *r, const place *of)
{
	place at = member(of, "material");
	const char *name = read_text(r, of, "material", SCENE_NAME_LENGTH);
	for (int i = 0; i < r->scene->material_count; ++i)
		if (strcmp(r->scene->materials[i].name, name) == 0)
			return i;
	complain(r, &at, "there is no material '%s'", name);
	return 0;
}

static int find_model(reader *r, const place *of)
{
	place at = member(of, "model");
	const char *name = read_text(r, of, "model", SCENE_NAME_LENGTH);
	for (int i = 0; i < r->scene->model_count; ++i)
		if (strcmp(r->scene->models[i].name, name) == 0)
			return i;
	complain(r, &at, "there is no model '%s'", name);
	return 0;
}

static void read_instance(reader *r, const place *at, scene_instance *instance)
{
	static const char *const keys[] = { "model",    "material", "kind",   "at",       "turn",
		                                "velocity", "spin",     "count",  "pitch",    "shift",
		                                "jitter",   "tumbled",  "hidden", "anchored", NULL };
	static const char *const kinds[] = { "static", "kinematic", "dynamic", NULL };
	check_keys(r, at, keys);
	instance->model = find_model(r, at);
	instance->material = find_material(r, at);
	instance->kind = (rbl_body_kind)read_choice(r, at, "kind", kinds, RBL_BODY_DYNAMIC);
	instance->turn[1] = 1.0;
	read_vector(r, at, "at", 3, -1e5, 1e5, instance->position);
	read_vector(r, at, "turn", 4, -1e5, 1e5, instance->turn);
	read_vector(r, at, "velocity", 3, -1e3, 1e3, instance->velocity);
	read_vector(r, at, "spin", 3, -1e3, 1e3, instance->spin);
	double count[3] = { 1.0, 1.0, 1.0 };
	read_vector(r, at, "count", 3, 1.0, 1e6, count);
	read_vector(r, at, "pitch", 3, -1e4, 1e4, instance->pitch);
	read_vector(r, at, "shift", 3, -1e4, 1e4, instance->shift);
	read_number(r, at, "jitter", 0.0, 1e3, &instance->jitter);
	read_bool(r, at, "tumbled", &instance->is_turned);
	read_bool(r, at, "hidden", &instance->is_hidden);
	read_bool(r, at, "anchored", &instance->is_anchored);
	place anchored = member(at, "anchored");
	if (instance->is_anchored && instance->kind != RBL_BODY_DYNAMIC)
		complain(r, &anchored, "only what is dynamic is anchored");
	for (int k = 0; k < 3; ++k)
		instance->count[k] = (int)count[k];
	place turn = member(at, "turn"), block = member(at, "count");
	if (instance->turn[0] == 0.0 && instance->turn[1] == 0.0 && instance->turn[2] == 0.0)
		complain(r, &turn, "the axis has no direction");
	if (count[0] * count[1] * count[2] > 1e6)
		complain(r, &block, "more than a million things");
}

static void read_projectile(reader *r, const place *at, scene_projectile *projectile)
{
	static const char *const keys[] = { "model", "material", "time", "every",  "count",
		                                "at",    "velocity", "spin", "spread", NULL };
	check_keys(r, at, keys);
	projectile->model = find_model(r, at);
	projectile->material = find_material(r, at);
	projectile->count = 1, projectile->every = 1.0;
	read_number(r, at, "time", 0.0, 1e6, &projectile->time);
	read_number(r, at, "every", 1e-3, 1e6, &projectile->every);
	read_int(r, at, "count", 1, 100000, &projectile->count);
	read_vector(r, at, "at", 3, -1e5, 1e5, projectile->position);
	read_vector(r, at, "velocity", 3, -1e3, 1e3, projectile->velocity);
	read_vector(r, at, "spin", 3, -1e3, 1e3, projectile->spin);
	read_number(r, at, "spread", 0.0, 1e4, &projectile->spread);
}

// --- the file --------------------------------------------------------------------------------

// Allocate as many items as a list or object of the file has.
static void *allocate(reader *r, const place *of, size_t count, size_t size)
{
	void *items = calloc(count + 1, size);
	if (!items)
		complain(r, of, "out of memory");
	return items;
}

static place named_list(reader *r, const place *root, const char *name, bool is_list)
{
	place at = member(root, name);
	if (at.value && !(is_list ? json_is_array(at.value) : json_is_object(at.value)))
		complain(r, &at, is_list ? "a list is needed" : "an object is needed");
	return at;
}

static void read_named(reader *r, const place *root)
{
	scene_file *scene = r->scene;
	const char *key;
	json_t *value;
	place at = named_list(r, root, "materials", false);
	scene->materials = allocate(r, &at, json_object_size(at.value), sizeof *scene->materials);
	json_object_foreach((json_t *)(uintptr_t)at.value, key, value)
	{
		if (r->status != STATUS_OK)
			return;
		place one = member(&at, key);
		scene_material *material = &scene->materials[scene->material_count++];
		if (strlen(key) >= sizeof material->name)
			complain(r, &one, "the name is longer than %zu bytes", sizeof material->name - 1);
		snprintf(material->name, sizeof material->name, "%s", key);
		read_material(r, &one, material);
	}
	at = named_list(r, root, "models", false);
	scene->models = allocate(r, &at, json_object_size(at.value), sizeof *scene->models);
	json_object_foreach((json_t *)(uintptr_t)at.value, key, value)
	{
		if (r->status != STATUS_OK)
			return;
		place one = member(&at, key);
		scene_model *model = &scene->models[scene->model_count++];
		if (strlen(key) >= sizeof model->name)
			complain(r, &one, "the name is longer than %zu bytes", sizeof model->name - 1);
		snprintf(model->name, sizeof model->name, "%s", key);
		read_model(r, &one, model);
	}
}

static void read_things(reader *r, const place *root)
{
	scene_file *scene = r->scene;
	place at = named_list(r, root, "instances", true);
	size_t count = json_array_size(at.value);
	scene->instances = allocate(r, &at, count, sizeof *scene->instances);
	for (size_t i = 0; i < count && r->status == STATUS_OK; ++i) {
		place one = element(&at, i);
		read_instance(r, &one, &scene->instances[scene->instance_count++]);
	}
	at = named_list(r, root, "projectiles", true);
	count = json_array_size(at.value);
	scene->projectiles = allocate(r, &at, count, sizeof *scene->projectiles);
	for (size_t i = 0; i < count && r->status == STATUS_OK; ++i) {
		place one = element(&at, i);
		read_projectile(r, &one, &scene->projectiles[scene->projectile_count++]);
	}
}

static void read_root(reader *r, const place *root)
{
	static const char *const keys[] = { "rubble",      "about",     "seed",     "gravity",
		                                "step",        "steps",     "substeps", "frame",
		                                "sleep",       "materials", "models",   "instances",
		                                "projectiles", "freeze",    "merge",    "debris",
		                                NULL };
	scene_file *scene = r->scene;
	double version = 0.0;
	check_keys(r, root, keys);
	if (r->status == STATUS_OK && !has(root, "rubble"))
		complain(r, root, "not a scene: \"rubble\": 1 is missing");
	read_number(r, root, "rubble", 0.0, 1e9, &version);
	if (r->status == STATUS_OK && version != 1.0)
		complain(r, root, "version %g of the format, and only 1 is known", version);
	scene->gravity[1] = -9.81;
	scene->dt = 1.0 / 60.0, scene->frame_time = 0.0;
	scene->step_count = 600, scene->substep_count = rbl_default_world_def().substep_count;
	scene->can_sleep = true, scene->seed = 1;
	read_seed(r, root, &scene->seed);
	read_vector(r, root, "gravity", 3, -1e4, 1e4, scene->gravity);
	read_number(r, root, "step", 1e-4, 0.1, &scene->dt);
	read_number(r, root, "frame", 1e-4, 10.0, &scene->frame_time);
	read_int(r, root, "steps", 1, 10000000, &scene->step_count);
	read_int(r, root, "substeps", 1, 64, &scene->substep_count);
	read_bool(r, root, "sleep", &scene->can_sleep);
	read_number(r, root, "freeze", 0.0, 1e5, &scene->freeze_time);
	read_number(r, root, "merge", 0.0, 1e5, &scene->bake_time);
	read_int(r, root, "debris", 0, RBL_MAX_BODIES, &scene->debris_limit);
	if (r->status == STATUS_OK)
		read_named(r, root);
	if (r->status == STATUS_OK)
		read_things(r, root);
	if (r->status == STATUS_OK && scene->instance_count == 0 && scene->projectile_count == 0)
		complain(r, root, "there is nothing in it: no instances, no projectiles");
}

int read_scene(const char *path, scene_file *scene)
{
	memset(scene, 0, sizeof *scene);
	json_error_t error;
	rbl_file_bytes bytes;
	if (read_bytes(path, SCENE_SIZE_LIMIT, &bytes) != STATUS_OK)
		return STATUS_FAILED;
	json_t *root = json_loadb((const char *)bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &error);
	rbl_free_bytes(&bytes);
	if (!root)
		return fail("%s:%d:%d: %s", path, error.line, error.column, error.text);
	const char *slash = strrchr(path, '/');
	int length = slash ? (int)(slash - path + 1) : 0;
	reader r = { scene, STATUS_OK };
	place at = { path, "", root };
	if (length >= (int)sizeof scene->folder)
		complain(&r, &at, "the path is too long");
	else
		snprintf(scene->folder, sizeof scene->folder, "%.*s", length, path);
	if (r.status == STATUS_OK)
		read_root(&r, &at);
	json_decref(root);
	if (r.status != STATUS_OK)
		free_scene(scene);
	return r.status;
}

void free_scene(scene_file *scene)
{
	free(scene->materials);
	for (int i = 0; i < scene->model_count; ++i)
		free(scene->models[i].blocks);
	free(scene->models);
	free(scene->instances);
	free(scene->projectiles);
	memset(scene, 0, sizeof *scene);
}
