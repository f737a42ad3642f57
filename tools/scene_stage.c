// SPDX-License-Identifier: MIT
//
// Reading what happens in a scene besides bodies: motions, triggers, cameras.

#include "scene_stage.h"

#include "errors.h"

#include <math.h>
#include <string.h>

static double dot(const double *a, const double *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void read_pose_key(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_pose_key
	static const key keys[] = {
		NUMBER("time", NULL, time, 0.0, 1e6),
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR4("rotation", NULL, rotation, -1e5, 1e5),
		{ 0 },
	};
#undef FIELDS_OF
	scene_pose_key *pose = to;
	pose->rotation[1] = 1.0;
	read_keys(r, at, keys, pose);
	place rotation = member(r, at, "rotation");
	const double *axis = pose->rotation;
	if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &rotation, "the axis has no direction");
}

void read_instance_motion(reader *r, const place *at, scene_instance *instance)
{
	place motion = member(r, at, "motion");
	if (!motion.value || r->status != STATUS_OK)
		return;
	if (instance->kind != RBL_BODY_KINEMATIC)
		complain(r, &motion, "only kinematic bodies have a motion");
	instance->motion = read_items(r, at, "motion", true, sizeof *instance->motion, read_pose_key,
	                              &instance->motion_count);
	if (instance->motion_count < 1)
		complain(r, &motion, "a key is needed");
	for (int i = 1; i < instance->motion_count; ++i) {
		place one = element(&motion, (size_t)i);
		if (!(instance->motion[i].time > instance->motion[i - 1].time))
			complain(r, &one, "its time is not after that of the key before");
	}
}

void read_trigger(reader *r, place *at, void *to)
{
	static const char *const conditions[] = { "time", "enter", "break", "hit", NULL };
	static const char *const shapes[] = { "ray", "sphere", "capsule", "cone", NULL };
	static const char *const actions[] = { "explode", "damage", "push",  "start",
		                                   "remove",  "throw",  "grab",  "drag",
		                                   "release", "cut",    "slice", NULL };
#define FIELDS_OF scene_trigger
	static const key keys[] = {
		CHOICE("on", NULL, condition, conditions),
		NUMBER("time", NULL, time, 0.0, 1e6),
		NUMBER("delay", NULL, delay, 0.0, 1e6),
		OTHER("instance", NULL),
		CHOICE("action", NULL, action, actions),
		OTHER("target", NULL),
		OTHER("model", NULL),
		OTHER("material", NULL),
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR("velocity", NULL, velocity, -1e3, 1e3),
		VECTOR("direction", NULL, direction, -1e5, 1e5),
		NUMBER("radius", NULL, radius, 1e-3, 1e5),
		NUMBER("energy", NULL, energy, 0.0, 1e15),
		NUMBER("impulse", NULL, impulse, -1e9, 1e9),
		CHOICE("shape", NULL, shape, shapes),
		VECTOR("translation", NULL, translation, -1e5, 1e5),
		VECTOR("sweep", NULL, sweep, -1e5, 1e5),
		NUMBER("falloff", NULL, falloff, 0.0, 1e5),
		BOOL("occluded", NULL, is_occluded),
		INT("count", NULL, count, 1.0, 1e6),
		NUMBER("interval", NULL, interval, 1e-3, 1e6),
		{ 0 },
	};
#undef FIELDS_OF
	scene_trigger *trigger = to;
	trigger->radius = 1.0, trigger->energy = 1e4, trigger->impulse = 100.0;
	trigger->direction[1] = -1.0;
	trigger->shape = RBL_DAMAGE_SPHERE, trigger->falloff = -1.0;
	trigger->count = 1, trigger->interval = 1.0;
	read_keys(r, at, keys, trigger);
	if (r->status != STATUS_OK)
		return;
	place action = member(r, at, "action"), instance = member(r, at, "instance"),
		  target = member(r, at, "target"), direction = member(r, at, "direction");
	place model = member(r, at, "model"), material = member(r, at, "material");
	if (model.value && rbl_json_get_type(model.value) != RBL_JSON_TEXT)
		complain(r, &model, "a text is needed");
	if (material.value && rbl_json_get_type(material.value) != RBL_JSON_TEXT)
		complain(r, &material, "a text is needed");
	if (!action.value)
		complain(r, &action, "an action is needed");
	if (trigger->condition != SCENE_AT_TIME && !instance.value)
		complain(r, &instance, "an instance is needed, by name or number");
	place energy = member(r, at, "energy"), translation = member(r, at, "translation");
	trigger->has_target = target.value != NULL;
	if (trigger->action == SCENE_EXPLODE && !energy.value)
		trigger->energy = 0.0; // it only pushes
	if (trigger->action == SCENE_DAMAGE && !member(r, at, "impulse").value)
		trigger->impulse = 0.0; // it only breaks
	bool needs_target = trigger->action == SCENE_PUSH || trigger->action == SCENE_START ||
	                    trigger->action == SCENE_REMOVE;
	if (needs_target && !target.value)
		complain(r, &target, "an instance is needed, by name or number");
	const double *axis = trigger->translation;
	if (trigger->action == SCENE_DAMAGE && !target.value && trigger->shape != RBL_DAMAGE_SPHERE &&
	    axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &translation, "only spheres have none");
	if (trigger->action == SCENE_GRAB && axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0)
		complain(r, &translation, "a ray has a length");
	const double *end = trigger->sweep;
	bool has_blades = (axis[0] != 0.0 || axis[1] != 0.0 || axis[2] != 0.0) &&
	                  (end[0] != 0.0 || end[1] != 0.0 || end[2] != 0.0);
	bool is_blade = trigger->action == SCENE_CUT || trigger->action == SCENE_SLICE;
	if (is_blade && !has_blades)
		complain(r, &translation, "a blade has a length, here and in sweep");
	double along = dot(axis, end);
	if (is_blade && has_blades && (dot(axis, axis) + along <= 0.0 || dot(end, end) + along <= 0.0))
		complain(r, &translation, "the blade turns too far; make two cuts of it");
	// Of lines nearly in one direction the plane is anybody's guess.
	double square = dot(axis, axis) * dot(end, end);
	if (trigger->action == SCENE_SLICE && has_blades && square - along * along <= 1e-8 * square)
		complain(r, &translation, "the blade does not turn: it has no plane");
	if (trigger->action == SCENE_THROW)
		find_model_and_material(r, at, &trigger->model, &trigger->material);
	if (trigger->action == SCENE_THROW && r->status == STATUS_OK &&
	    r->scene->models[trigger->model].kind == SCENE_PLANE)
		complain(r, &model, "a plane is static");
	const double *d = trigger->direction;
	if (d[0] == 0.0 && d[1] == 0.0 && d[2] == 0.0)
		complain(r, &direction, "it has no direction");
	trigger->instance = find_instance(r, at, "instance");
	trigger->target = find_instance(r, at, "target");
	const scene_file *scene = r->scene;
	if (r->status == STATUS_OK && trigger->condition == SCENE_ON_ENTER &&
	    !scene->instances[trigger->instance].is_sensor)
		complain(r, &instance, "the instance is no sensor");
	if (r->status == STATUS_OK && trigger->action == SCENE_START &&
	    scene->instances[trigger->target].motion_count == 0)
		complain(r, &target, "the instance has no motion");
}

void read_camera_key(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_camera_key
	static const key keys[] = {
		NUMBER("time", NULL, time, 0.0, 1e6),
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR("target", NULL, target, -1e5, 1e5),
		{ 0 },
	};
#undef FIELDS_OF
	read_keys(r, at, keys, to);
}

void read_camera(reader *r, place *at, void *to)
{
#define FIELDS_OF scene_camera
	static const key keys[] = {
		VECTOR("position", NULL, position, -1e5, 1e5),
		VECTOR("target", NULL, target, -1e5, 1e5),
		NUMBER("field_of_view", NULL, field_of_view, 1.0, 170.0),
		OTHER("motion", NULL),
		{ 0 },
	};
#undef FIELDS_OF
	scene_camera *camera = to;
	camera->field_of_view = 40.0;
	camera->position[2] = 10.0;
	read_keys(r, at, keys, camera);
	if (r->status != STATUS_OK)
		return;
	place motion = member(r, at, "motion");
	if (motion.value)
		camera->keys = read_items(r, at, "motion", true, sizeof *camera->keys, read_camera_key,
		                          &camera->key_count);
	for (int i = 1; i < camera->key_count; ++i) {
		place one = element(&motion, (size_t)i);
		if (!(camera->keys[i].time > camera->keys[i - 1].time))
			complain(r, &one, "its time is not after that of the key before");
	}
	if (!motion.value && memcmp(camera->position, camera->target, sizeof camera->target) == 0)
		complain(r, at, "position and target are the same");
}
