// SPDX-License-Identifier: MIT
//
// Reading scene files: the table of keys of each kind of object. scene_keys.c reads by them, and
// scene_schema.c describes them to editors.

#include "scene_clusters.h"
#include "scene_keys.h"
#include "scene_material.h"
#include "scene_stage.h"

#include "errors.h"
#include "files.h"
#include "shape_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_boxes(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_boxes
	static const key keys[] = {
		VECTOR("size", NULL, size, 1e-3, 1e4), VECTOR("position", "at", position, -1e5, 1e5),
		COUNTS("count", NULL, count, 1e5),     VECTOR("spacing", "pitch", spacing, -1e4, 1e4),
		NAME("material", NULL, material_name), { 0 },
	};
#undef FIELDS_OF
	scene_boxes *boxes = to;
	boxes->count[0] = boxes->count[1] = boxes->count[2] = 1;
	boxes->spacing[0] = (double)NAN; // their size
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
	static const char *const channels[] = { "none", "red", "green", "blue", "alpha", NULL };
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
		INT("node_count", NULL, node_count, 0.0, RBL_MAX_NODES),
		OTHER("clusters", NULL),
		CHOICE("strength_channel", NULL, strength_channel, channels),
		NUMBER("strength_at_zero", NULL, strength_at_zero, 1e-6, 1e6),
		NUMBER("strength_at_one", NULL, strength_at_one, 1e-6, 1e6),
		BOOL("nodes", NULL, has_nodes),
		TEXT("node_pattern", NULL, node_pattern),
		OTHER("materials", NULL),
		BOOL("match_names", NULL, matches_names),
		{ 0 },
	};
#undef FIELDS_OF
	scene_model *model = to;
	model->point_count = 12, model->scale = 1.0, model->tolerance = 0.2, model->seed = 1;
	model->up_axis = RBL_AXIS_Y;
	model->length = 1.0, model->axis = 1;
	model->strength_at_zero = 0.1, model->strength_at_one = 1.0;
	model->matches_names = r->version > 1;
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
	place nodes = member(r, at, "nodes");
	if (model->has_nodes && (model->kind != SCENE_FILE || model->is_split))
		complain(r, &nodes, "only a file that is not split has nodes");
	place pattern = member(r, at, "node_pattern");
	if (*model->node_pattern && !model->has_nodes)
		complain(r, &pattern, "it chooses among nodes: set nodes as well");
	model->stays_whole = model->kind == SCENE_SPHERE && r->version < 2;
	if (model->kind == SCENE_SHAPE && r->status == STATUS_OK && !is_shape_name(model->text))
		complain(r, &value, "there is no shape '%s'; rubble make --list names them", model->text);
	read_clusters(r, at, model);
	read_slots(r, at, model);
}

static int find_model(reader *r, const place *of)
{
	const scene_file *scene = r->scene;
	place at = member(r, of, "model");
	const char *name = read_text(r, &at, SCENE_NAME_LENGTH);
	for (int i = 0; i < scene->model_count; ++i)
		if (strcmp(scene->models[i].name, name) == 0)
			return i;
	complain(r, &at, "there is no model '%s'", name);
	return 0;
}

void find_model_and_material(reader *r, const place *at, int *model, int *material)
{
	if (r->status != STATUS_OK)
		return;
	*model = find_model(r, at);
	place of = member(r, at, "material");
	const char *name = read_text(r, &of, SCENE_NAME_LENGTH);
	*material = r->status == STATUS_OK ? find_material(r, &of, name) : 0;
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
		BOOL("sensor", NULL, is_sensor),
		NAME("name", NULL, name),
		BOX("anchor_box", NULL, anchor_box, -1e6, 1e6),
		NAME("anchor_nodes", NULL, anchor_nodes),
		OTHER("motion", NULL),
		NUMBER("motion_start", NULL, motion_start, -1.0, 1e6),
		BOOL("motion_loop", NULL, loops),
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
	instance->anchor_box[0] = 1.0, instance->anchor_box[3] = -1.0; // empty
	read_keys(r, at, keys, instance);
	read_instance_motion(r, at, instance);
	find_model_and_material(r, at, &instance->model, &instance->material);
	check_contact_method(r, at, instance->model, instance->contact_method);
	place kind = member(r, at, "kind");
	if (r->status == STATUS_OK && r->scene->models[instance->model].kind == SCENE_PLANE &&
	    (instance->kind != RBL_BODY_STATIC ||
	     r->scene->materials[instance->material].level_count > 0))
		complain(r, &kind, "a plane is static, and does not break");
	place anchored = member(r, at, "anchored"), rotation = member(r, at, "rotation"),
		  count = member(r, at, "count");
	place nodes = member(r, at, "anchor_nodes");
	if (r->status == STATUS_OK && (member(r, at, "anchor_box").value || *instance->anchor_nodes))
		instance->is_anchored = true;
	if (r->status == STATUS_OK && *instance->anchor_nodes &&
	    r->scene->models[instance->model].kind != SCENE_FILE)
		complain(r, &nodes, "only models of a file have nodes");
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
		OTHER("instance_a", NULL),
		OTHER("instance_b", NULL),
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
	place a = member(r, at, "instance_a");
	joint->instance_a = find_instance(r, at, "instance_a");
	joint->instance_b = find_instance(r, at, "instance_b");
	place lower = member(r, at, "lower"), rotation = member(r, at, "rotation");
	if (r->status == STATUS_OK && r->scene->instance_count == 0)
		complain(r, &a, "there is no instances[0]");
	if (r->status == STATUS_OK && isnan(joint->lower) != isnan(joint->upper))
		complain(r, &lower, "lower and upper are needed together");
	const double *axis = joint->rotation;
	if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &rotation, "the axis has no direction");
}

// --- the file --------------------------------------------------------------------------------

// The materials and models of a file.
static void read_library(reader *r, const place *root)
{
	scene_file *scene = r->scene;
	read_named(r, root, "materials", sizeof *scene->materials, read_material,
	           (void **)&scene->materials, &scene->material_count);
	read_named(r, root, "models", sizeof *scene->models, read_model, (void **)&scene->models,
	           &scene->model_count);
}

static void read_include(reader *r, const place *at);

// Files that are included come first, each before what it is included in.
static void read_includes(reader *r, const place *root)
{
	place list = member(r, root, "include");
	if (list.value && rbl_json_get_type(list.value) != RBL_JSON_LIST)
		complain(r, &list, "a list is needed");
	for (int i = 0; i < rbl_json_count(list.value) && r->status == STATUS_OK; ++i) {
		place one = element(&list, (size_t)i);
		read_include(r, &one);
	}
}

static void move_path(reader *r, const place *at, const char *folder, char *path)
{
	char text[SCENE_TEXT_LENGTH];
	if (path[0] == '/' || !*path)
		return;
	int length = snprintf(text, sizeof text, "%s%s", folder, path);
	if (length >= (int)sizeof text)
		complain(r, at, "the path of a file is too long");
	else
		memcpy(path, text, (size_t)length + 1);
}

// Files of models and materials in an included file are relative to that.
static void move_paths(reader *r, const place *at, int first, int first_material,
                       const char *folder)
{
	for (int i = first_material; i < r->scene->material_count && *folder; ++i)
		move_path(r, at, folder, r->scene->materials[i].inner_texture);
	for (int i = first; i < r->scene->model_count && *folder; ++i) {
		scene_model *model = &r->scene->models[i];
		if (model->kind == SCENE_FILE)
			move_path(r, at, folder, model->text);
	}
}

static void read_include(reader *r, const place *at)
{
	static const key keys[] = {
		OTHER("$schema", NULL),
		OTHER("version", NULL),
		OTHER("description", NULL),
		OTHER("include", NULL),
		OTHER("materials", NULL),
		OTHER("models", NULL),
		{ 0 },
	};
	enum { MAX_DEPTH = 8 };
	const scene_file *scene = r->scene;
	const char *name = read_text(r, at, SCENE_TEXT_LENGTH);
	const char *slash = strrchr(at->file, '/');
	char path[2100], folder[2100];
	snprintf(path, sizeof path, "%.*s%s",
	         name[0] == '/' || !slash ? 0 : (int)(slash - at->file + 1), at->file, name);
	if (r->depth >= MAX_DEPTH)
		complain(r, at, "files include each other %d deep", MAX_DEPTH);
	if (r->status != STATUS_OK)
		return;
	rbl_read_def def = rbl_default_read_def();
	def.size_limit = SCENE_SIZE_LIMIT;
	def.within = scene->reads_outside ? NULL : scene->folder;
	rbl_file_bytes bytes = { 0 };
	rbl_json_document *document = NULL;
	rbl_result result = rbl_read_file(path, &def, &bytes);
	if (result == RBL_OK)
		result = rbl_parse_json((const char *)bytes.data, bytes.size, path, NULL, &document);
	if (result != RBL_OK)
		complain(r, at, "%s", logged_error());
	place root = { .file = path, .value = result == RBL_OK ? rbl_json_root(document) : NULL };
	place version = entry(&root, "version");
	if (result == RBL_OK && rbl_json_number(version.value, 0.0) != r->version)
		complain(r, &root, "not a file to include: \"version\": %d is missing", r->version);
	r->depth++;
	if (r->status == STATUS_OK)
		read_keys(r, &root, keys, r->scene);
	if (r->status == STATUS_OK)
		read_includes(r, &root);
	int own = scene->model_count, own_material = scene->material_count;
	if (r->status == STATUS_OK)
		read_library(r, &root);
	r->depth--;
	slash = strrchr(path, '/');
	size_t skipped =
		strncmp(path, scene->folder, strlen(scene->folder)) == 0 ? strlen(scene->folder) : 0;
	snprintf(folder, sizeof folder, "%.*s",
	         slash ? (int)(slash - path + 1 - (ptrdiff_t)skipped) : 0, path + skipped);
	move_paths(r, at, own, own_material, folder);
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
}

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

static void read_root(reader *r, place *root, void *to)
{
#define FIELDS_OF scene_file
	static const key keys[] = {
		OTHER("$schema", NULL),
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
		INT("budget", NULL, budget, 0.0, 1e9),
		INT("debris_limit", "debris", debris_limit, 0.0, RBL_MAX_BODIES),
		INT("chip_limit", NULL, chip_limit, 0.0, RBL_MAX_BODIES),
		OTHER("materials", NULL),
		OTHER("models", NULL),
		OTHER("instances", NULL),
		OTHER("projectiles", NULL),
		OTHER("joints", NULL),
		OTHER("include", NULL),
		OTHER("triggers", NULL),
		OTHER("cameras", NULL),
		OTHER("cloths", NULL),
		VECTOR("wind", NULL, wind, -1e3, 1e3),
		{ 0 },
	};
#undef FIELDS_OF
	scene_file *scene = to;
	scene->gravity[1] = -9.81;
	scene->dt = 1.0 / 60.0, scene->frame_time = 0.0;
	scene->step_count = 600, scene->substep_count = rbl_default_world_def().substep_count;
	scene->can_sleep = true, scene->seed = 1, scene->length_scale = 1.0;
	scene->chip_limit = rbl_default_world_def().chip_limit;
	read_version(r, root);
	if (r->status == STATUS_OK)
		read_keys(r, root, keys, scene);
	if (r->status != STATUS_OK)
		return;
	place description = member(r, root, "description"), schema = member(r, root, "$schema");
	if (description.value && rbl_json_get_type(description.value) != RBL_JSON_TEXT)
		complain(r, &description, "a text is needed");
	if (schema.value && rbl_json_get_type(schema.value) != RBL_JSON_TEXT)
		complain(r, &schema, "a text is needed");
	if (r->status != STATUS_OK)
		return;
	read_includes(r, root);
	read_library(r, root);
	if (r->status == STATUS_OK)
		add_preset_materials(r);
	resolve_materials(r, root);
	scene->instances = read_items(r, root, "instances", true, sizeof *scene->instances,
	                              read_instance, &scene->instance_count);
	scene->projectiles = read_items(r, root, "projectiles", true, sizeof *scene->projectiles,
	                                read_projectile, &scene->projectile_count);
	scene->joints =
		read_items(r, root, "joints", true, sizeof *scene->joints, read_joint, &scene->joint_count);
	scene->triggers = read_items(r, root, "triggers", true, sizeof *scene->triggers, read_trigger,
	                             &scene->trigger_count);
	scene->cameras = read_items(r, root, "cameras", false, sizeof *scene->cameras, read_camera,
	                            &scene->camera_count);
	scene->cloths =
		read_items(r, root, "cloths", true, sizeof *scene->cloths, read_cloth, &scene->cloth_count);
	if (scene->instance_count == 0 && scene->projectile_count == 0 && scene->cloth_count == 0)
		complain(r, root, "the scene is empty: no instances, no projectiles");
}

const scene_kind scene_kinds[] = {
	{ "scene", read_root, sizeof(scene_file) },
	{ "material", read_material, sizeof(scene_material) },
	{ "level", read_level, sizeof(scene_level) },
	{ "boxes", read_boxes, sizeof(scene_boxes) },
	{ "cluster", read_cluster, sizeof(scene_cluster) },
	{ "model", read_model, sizeof(scene_model) },
	{ "instance", read_instance, sizeof(scene_instance) },
	{ "projectile", read_projectile, sizeof(scene_projectile) },
	{ "joint", read_joint, sizeof(scene_joint) },
	{ "pose_key", read_pose_key, sizeof(scene_pose_key) },
	{ "trigger", read_trigger, sizeof(scene_trigger) },
	{ "camera_key", read_camera_key, sizeof(scene_camera_key) },
	{ "camera", read_camera, sizeof(scene_camera) },
	{ "cloth", read_cloth, sizeof(scene_cloth) },
	{ "pin", read_pin, sizeof(scene_pin) },
	{ NULL, NULL, 0 },
};

int read_scene(const char *path, bool reads_outside, scene_file *scene)
{
	memset(scene, 0, sizeof *scene);
	scene->reads_outside = reads_outside;
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
		read_root(&r, &at, scene);
	rbl_destroy_json(document);
	rbl_free_bytes(&bytes);
	if (r.status != STATUS_OK)
		free_scene(scene);
	return r.status;
}

int read_more_trigger(scene_file *scene, const char *text, size_t size)
{
	rbl_json_document *document;
	rbl_result result = rbl_parse_json(text, size, "trigger", NULL, &document);
	if (result != RBL_OK)
		return fail_with(result, "trigger");
	reader r = { .scene = scene, .version = 2, .status = STATUS_OK };
	place at = { .file = "trigger", .value = rbl_json_root(document) };
	scene_trigger *more =
		realloc(scene->triggers, ((size_t)scene->trigger_count + 1) * sizeof *more);
	if (more) {
		scene->triggers = more;
		memset(&more[scene->trigger_count], 0, sizeof *more);
		read_trigger(&r, &at, &more[scene->trigger_count]);
		scene->trigger_count += r.status == STATUS_OK;
	}
	rbl_destroy_json(document);
	return more ? r.status : fail("out of memory");
}

void free_scene(scene_file *scene)
{
	free(scene->materials);
	for (int i = 0; i < scene->model_count; ++i)
		free(scene->models[i].boxes), free(scene->models[i].clusters), free(scene->models[i].slots);
	free(scene->models);
	for (int i = 0; i < scene->instance_count; ++i)
		free(scene->instances[i].motion);
	for (int i = 0; i < scene->camera_count; ++i)
		free(scene->cameras[i].keys);
	for (int i = 0; i < scene->cloth_count; ++i)
		free(scene->cloths[i].pins);
	free(scene->cloths);
	free(scene->triggers);
	free(scene->cameras);
	free(scene->instances);
	free(scene->projectiles);
	free(scene->joints);
	memset(scene, 0, sizeof *scene);
}
