// SPDX-License-Identifier: MIT
//
// The world of a scene: its bodies and joints, what is thrown in, and the step. Nothing here needs an
// operating system, so that a page in a browser runs scenes by the same code.

#include "run.h"

#include "array.h"
#include "errors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Uniform from -1 to 1.
static double next_random(simulation *s)
{
	s->random = s->random * 6364136223846793005u + 1442695040888963407u;
	return (double)(s->random >> 40) / 8388608.0 - 1.0;
}

rbl_vec3 vector_of(const double *v)
{
	return (rbl_vec3){ (float)v[0], (float)v[1], (float)v[2] };
}

static rbl_quat normalize(rbl_quat q)
{
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (rbl_quat){ q.x / length, q.y / length, q.z / length, q.w / length };
}

rbl_quat rotation_of(const double *rotation)
{
	rbl_vec3d axis = rbl_normalize_d((rbl_vec3d){ rotation[0], rotation[1], rotation[2] });
	rbl_quatd q = rbl_quat_from_axis_angle_d(axis, rotation[3] * 3.14159265358979323846 / 180.0);
	return normalize((rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w });
}

static rbl_quat random_rotation(simulation *s)
{
	for (;;) {
		double q[4], square = 0.0;
		for (int k = 0; k < 4; ++k)
			q[k] = next_random(s), square += q[k] * q[k];
		if (square > 0.01 && square < 1.0)
			return normalize((rbl_quat){ (float)q[0], (float)q[1], (float)q[2], (float)q[3] });
	}
}

// --- bodies ----------------------------------------------------------------------------------

bool bind_object(simulation *s, int index, rbl_body_id body)
{
	int end = (int)body.index + 1, old_end = s->object_of_count;
	if (!ARRAY_RESERVE(s->object_of, s->object_of_capacity, end))
		return false;
	for (int i = old_end; i < end; ++i)
		s->object_of[i] = -1;
	s->object_of_count = end > old_end ? end : old_end;
	s->object_of[body.index] = index;
	s->objects[index].body = body;
	return true;
}

scene_object *add_object(simulation *s, rbl_body_id body)
{
	if (!ARRAY_RESERVE(s->objects, s->object_capacity, s->object_count + 1))
		return NULL;
	int index = s->object_count;
	s->objects[index] = (scene_object){ .body = body, .film_object = -1, .root = index };
	s->objects[index].pose = rbl_body_pose(s->world, body);
	if (!bind_object(s, index, body))
		return NULL;
	s->object_count++;
	rbl_body_set_user(s->world, body, (uint64_t)index);
	return &s->objects[index];
}

int find_object(const simulation *s, rbl_body_id body)
{
	int index = (int)body.index < s->object_of_count ? s->object_of[body.index] : -1;
	return index >= 0 && s->objects[index].body.generation == body.generation ? index : -1;
}

// Add a body of a prefab. @param base  its kind, pose and motion
static rbl_result add_body(simulation *s, int prefab, int material, const rbl_body_def *base,
                           const scene_instance *anchors)
{
	const scene_prefab *p = &s->prefabs.prefabs[prefab];
	if (p->material >= 0)
		material = p->material;
	const scene_material *of = &s->scene.materials[material];
	rbl_body_def def = *base;
	const scene_model *model = p->model;
	bool breaks = (yields_to_hits(of, model) || p->slots_break || model->cluster_count > 0) &&
	              (p->asset || p->parts);
	bool is_round = model->kind == SCENE_SPHERE || model->kind == SCENE_CYLINDER ||
	                model->kind == SCENE_CONE || model->rounding > 0.0;
	rbl_result result = RBL_OK;
	if (p->parts || (anchors && anchors->is_anchored && p->asset))
		result = prefab_compound(p, anchors, &def.compound);
	else if (def.contact_method != RBL_CONTACTS_CONVEX || breaks ||
	         (p->asset && def.kind != RBL_BODY_STATIC && !is_round))
		def.asset = p->asset;
	else
		def.collider =
			p->static_collider && def.kind == RBL_BODY_STATIC ? p->static_collider : p->collider;
	if (def.contact_method != RBL_CONTACTS_CONVEX)
		def.original_field = rbl_asset_get_field(p->asset);
	// What cannot break has the values alone.
	if (def.asset || def.compound)
		def.shared_material = s->prefabs.materials[material];
	else
		def.material = rbl_material_get_values(s->prefabs.materials[material]);
	rbl_body_id body = { 0, 0 };
	if (result == RBL_OK)
		body = rbl_create_body(s->world, &def);
	if (rbl_body_id_is_null(body)) {
		rbl_destroy_compound(def.compound);
		return result == RBL_OK ? RBL_BAD_ARGUMENT : result;
	}
	scene_object *made = add_object(s, body);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	if (!name_object(s, made, *p->name ? p->name : s->base_name))
		return RBL_OUT_OF_MEMORY;
	made->material = material;
	made->prefab = prefab;
	made->can_break = breaks;
	made->has_scene_material = rbl_mesh_get_data(p->mesh).material_count == 0;
	made->is_hidden = s->is_hidden || !s->film;
	return made->is_hidden ? RBL_OK : show_new_object(s, made, prefab);
}

// Add a body for each prefab of a model.
static rbl_result add_model(simulation *s, int model, int material, const rbl_body_def *base,
                            const scene_instance *anchors)
{
	rbl_result result = RBL_OK;
	for (int i = s->prefabs.first_prefab[model]; i < s->prefabs.first_prefab[model + 1]; ++i)
		if (result == RBL_OK)
			result = add_body(s, i, material, base, anchors);
	return result;
}

static rbl_result add_instance(simulation *s, const scene_instance *of)
{
	rbl_body_def def = rbl_default_body_def();
	rbl_quat rotation = rotation_of(of->rotation);
	rbl_result result = RBL_OK;
	def.kind = of->kind;
	def.velocity = vector_of(of->velocity);
	def.angular_velocity = vector_of(of->angular_velocity);
	def.contact_method = of->contact_method;
	def.gravity_scale = (float)of->gravity_scale;
	def.linear_damping = (float)of->linear_damping;
	def.angular_damping = (float)of->angular_damping;
	def.is_bullet = of->is_bullet;
	def.is_sensor = of->is_sensor;
	for (int k = 0; k < 3; ++k) {
		def.locks |= of->lock_translation[k] != 0.0 ? (uint32_t)RBL_LOCK_TRANSLATION_X << k : 0u;
		def.locks |= of->lock_rotation[k] != 0.0 ? (uint32_t)RBL_LOCK_ROTATION_X << k : 0u;
	}
	s->is_hidden = of->is_hidden;
	s->base_name = *of->name ? of->name : s->scene.models[of->model].name;
	for (int i = 0; i < of->count[0] * of->count[1] * of->count[2] && result == RBL_OK; ++i) {
		int at[3] = { i % of->count[0], i / of->count[0] / of->count[2],
			          i / of->count[0] % of->count[2] };
		double p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = of->position[k] + at[k] * of->spacing[k] +
			       (at[1] % 2 ? of->layer_offset[k] : 0.0) +
			       (of->jitter > 0.0 ? of->jitter * next_random(s) : 0.0);
		def.pose =
			(rbl_transform){ vector_of(p), of->random_rotation ? random_rotation(s) : rotation };
		result = add_model(s, of->model, of->material, &def, of);
	}
	s->is_hidden = false;
	return result;
}

// A body of an instance. @return its id, null when there is none
static rbl_body_id body_of(const simulation *s, int instance, int body)
{
	int index = s->first_objects[instance] + body;
	return index < s->first_objects[instance + 1] ? s->objects[index].body : (rbl_body_id){ 0, 0 };
}

static rbl_result add_joint(simulation *s, const scene_joint *of)
{
	const double degree = 3.14159265358979323846 / 180.0;
	bool is_angular = of->kind == RBL_JOINT_HINGE || of->kind == RBL_JOINT_BALL;
	rbl_joint_def def = rbl_default_joint_def(of->kind);
	def.has_limits = !isnan(of->lower);
	def.lower_angle = is_angular ? (float)(degree * of->lower) : 0.0f;
	def.upper_angle = is_angular ? (float)(degree * of->upper) : 0.0f;
	def.lower_distance = (float)of->lower, def.upper_distance = (float)of->upper;
	def.has_cone = !isnan(of->cone_angle);
	def.cone_angle = (float)(degree * of->cone_angle);
	def.has_motor = of->motor_force > 0.0 || of->motor_torque > 0.0;
	def.motor_speed = (float)of->motor_speed;
	if (def.has_motor)
		def.motor_force = (float)of->motor_force, def.motor_torque = (float)of->motor_torque;
	if (of->spring_hertz > 0.0) {
		def.has_spring = true;
		def.spring_hertz = (float)of->spring_hertz;
		def.spring_damping = (float)of->spring_damping;
		def.spring_target =
			(float)(of->kind == RBL_JOINT_HINGE ? degree * of->spring_target : of->spring_target);
	}
	if (of->break_force > 0.0)
		def.break_force = (float)of->break_force;
	if (of->break_torque > 0.0)
		def.break_torque = (float)of->break_torque;
	def.collides = of->collides;
	rbl_transform frame = { vector_of(of->position), rotation_of(of->rotation) };
	rbl_result result = RBL_OK;
	for (int i = 0; i < of->count && result == RBL_OK; ++i) {
		double p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = of->position[k] + i * of->spacing[k];
		frame.position = vector_of(p);
		def.body_a = body_of(s, of->instance_a, of->body_a + i);
		def.body_b = body_of(s, of->instance_b, of->body_b + i);
		result = rbl_joint_def_place(s->world, &def, frame);
		// The points of a distance joint are the bodies' own origins.
		if (of->kind == RBL_JOINT_DISTANCE) {
			rbl_transform none = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
			def.frame_a = def.frame_b = none;
		}
		if (result == RBL_OK && rbl_create_joint(s->world, &def).generation == 0)
			result = RBL_BAD_ARGUMENT;
		if (result == RBL_OK)
			result = keep_joint(s, &def);
	}
	return result;
}

// Whether a projectile is thrown in before a step: the first step that does not begin before its time.
static bool is_due(const simulation *s, const scene_projectile *of, int step)
{
	int near = (int)floor((step * s->scene.dt - of->time) / of->interval);
	for (int k = near - 1; k <= near + 1; ++k)
		if (k >= 0 && k < of->count &&
		    (int)ceil((of->time + k * of->interval) / s->scene.dt - 1e-3) == step)
			return true;
	return false;
}

rbl_result throw_model(simulation *s, int model, int material, const double *position,
                       const double *velocity, const double *angular_velocity)
{
	rbl_body_def def = rbl_default_body_def();
	def.pose = (rbl_transform){ vector_of(position), { 0.0f, 0.0f, 0.0f, 1.0f } };
	def.velocity = vector_of(velocity);
	def.angular_velocity = vector_of(angular_velocity);
	def.is_bullet = true;
	s->base_name = s->scene.models[model].name;
	rbl_result result = prepare_for_throw(&s->prefabs, model, material);
	return result == RBL_OK ? add_model(s, model, material, &def, NULL) : result;
}

static rbl_result throw_projectiles(simulation *s)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < s->scene.projectile_count && result == RBL_OK; ++i) {
		const scene_projectile *of = &s->scene.projectiles[i];
		if (!is_due(s, of, s->step))
			continue;
		double p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = of->position[k] + (of->spread > 0.0 ? of->spread * next_random(s) : 0.0);
		result = throw_model(s, of->model, of->material, p, of->velocity, of->angular_velocity);
	}
	return result;
}

bool is_any_due(const simulation *s, int step)
{
	for (int i = 0; i < s->scene.projectile_count; ++i)
		if (is_due(s, &s->scene.projectiles[i], step))
			return true;
	for (int i = 0; i < s->scene.trigger_count; ++i)
		if (s->scene.triggers[i].action == SCENE_THROW &&
		    s->trigger_times[i] <= (step + 1e-3) * s->scene.dt)
			return true;
	return false;
}

// --- the world ----------------------------------------------------------------------------------

rbl_result create_scene_world(simulation *s)
{
	s->random = s->dust_random = s->scene.seed;
	rbl_world_def world_def = rbl_default_world_def();
	world_def.gravity = vector_of(s->scene.gravity);
	world_def.substep_count = s->scene.substep_count;
	world_def.length_scale = (float)s->scene.length_scale;
	world_def.can_sleep = s->scene.can_sleep;
	world_def.freeze_time = (float)s->scene.freeze_time;
	world_def.bake_time = (float)s->scene.bake_time;
	world_def.budget = s->scene.budget;
	world_def.debris_limit = s->scene.debris_limit;
	world_def.chip_limit = s->scene.chip_limit;
	world_def.jobs = s->jobs;
	return rbl_create_world(&world_def, &s->world);
}

int add_scene(simulation *s, const char *path)
{
	rbl_result result = RBL_OK;
	char where[400];
	s->first_objects = calloc((size_t)s->scene.instance_count + 1, sizeof *s->first_objects);
	if (!s->first_objects)
		return fail_with(RBL_OUT_OF_MEMORY, path);
	for (int i = 0; i < s->scene.instance_count; ++i) {
		result = add_instance(s, &s->scene.instances[i]);
		s->first_objects[i + 1] = s->object_count;
		snprintf(where, sizeof where, "%.300s: instances[%d]", path, i);
		if (result != RBL_OK)
			return fail_with(result, where);
	}
	result = begin_stage(s);
	if (result != RBL_OK)
		return fail_with(result, path);
	for (int i = 0; i < s->scene.joint_count; ++i) {
		result = add_joint(s, &s->scene.joints[i]);
		snprintf(where, sizeof where, "%.300s: joints[%d]", path, i);
		if (result != RBL_OK)
			return fail_with(result, where);
	}
	result = begin_cloths(s);
	snprintf(where, sizeof where, "%.300s: cloths", path);
	return result == RBL_OK ? STATUS_OK : fail_with(result, where);
}

rbl_result step_scene(simulation *s)
{
	rbl_result result = throw_projectiles(s);
	if (result == RBL_OK)
		result = drive_stage(s);
	if (result == RBL_OK)
		result = rbl_world_step(s->world, (float)s->scene.dt);
	if (result == RBL_OK)
		watch_stage(s);
	if (result == RBL_OK && s->cloth)
		result = cloth_step(s->cloth, (float)s->scene.dt);
	return result;
}
