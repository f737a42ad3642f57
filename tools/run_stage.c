// SPDX-License-Identifier: MIT
//
// Motions, triggers and cameras of a scene.
//
// A motion gives a kinematic body a target before every step. A trigger waits for a time or an event
// and fires once, before the first step that does not begin earlier; what it does is a call of the
// library, so a recording has it too.

#include "run.h"

#include "errors.h"

#include <rubble/vec.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

rbl_result begin_stage(simulation *s)
{
	const scene_file *scene = &s->scene;
	s->trigger_times = malloc(((size_t)scene->trigger_count + 1) * sizeof *s->trigger_times);
	s->motion_starts = malloc(((size_t)scene->instance_count + 1) * sizeof *s->motion_starts);
	s->trigger_counts = calloc((size_t)scene->trigger_count + 1, sizeof *s->trigger_counts);
	if (!s->trigger_times || !s->motion_starts || !s->trigger_counts)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < scene->trigger_count; ++i) {
		const scene_trigger *of = &scene->triggers[i];
		s->trigger_times[i] = of->condition == SCENE_AT_TIME ? of->time + of->delay : (double)NAN;
	}
	for (int i = 0; i < scene->instance_count; ++i) {
		double start = scene->instances[i].motion_start;
		s->motion_starts[i] = start < 0.0 ? (double)NAN : start;
	}
	return RBL_OK;
}

int add_trigger(simulation *s, const char *text, size_t size)
{
	size_t count = (size_t)s->scene.trigger_count + 2;
	double *times = realloc(s->trigger_times, count * sizeof *times);
	s->trigger_times = times ? times : s->trigger_times;
	int *counts = realloc(s->trigger_counts, count * sizeof *counts);
	s->trigger_counts = counts ? counts : s->trigger_counts;
	if (!times || !counts)
		return fail("out of memory");
	int index = s->scene.trigger_count, status = read_more_trigger(&s->scene, text, size);
	if (status != STATUS_OK)
		return status;
	const scene_trigger *of = &s->scene.triggers[index];
	times[index] = of->condition == SCENE_AT_TIME ? of->time + of->delay : (double)NAN;
	counts[index] = 0;
	return STATUS_OK;
}

void end_stage(simulation *s)
{
	end_cloths(s);
	free(s->trigger_times);
	free(s->trigger_counts);
	free(s->motion_starts);
}

// --- motions ------------------------------------------------------------------------------------

static rbl_quat blend(rbl_quat a, rbl_quat b, float share)
{
	float sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0.0f ? -1.0f : 1.0f;
	rbl_quat q = { a.x + share * (sign * b.x - a.x), a.y + share * (sign * b.y - a.y),
		           a.z + share * (sign * b.z - a.z), a.w + share * (sign * b.w - a.w) };
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	return (rbl_quat){ q.x / length, q.y / length, q.z / length, q.w / length };
}

// The pose of a motion at a time since its start, relative to the body's place.
static rbl_transform motion_at(const scene_instance *of, double time)
{
	const scene_pose_key *keys = of->motion;
	int last = of->motion_count - 1, next = 0;
	if (of->loops && keys[last].time > 0.0)
		time -= keys[last].time * floor(time / keys[last].time);
	while (next < last && keys[next].time <= time)
		next++;
	const scene_pose_key *b = &keys[next], *a = next > 0 ? b - 1 : b;
	float share = 0.0f;
	if (b->time > a->time)
		share = (float)fmin(1.0, fmax(0.0, (time - a->time) / (b->time - a->time)));
	rbl_vec3 from = vector_of(a->position), to = vector_of(b->position);
	return (rbl_transform){ rbl_add_scaled(from, share, rbl_sub(to, from)),
		                    blend(rotation_of(a->rotation), rotation_of(b->rotation), share) };
}

// The place of a body of an instance in its grid, without what is random.
static rbl_vec3 grid_position(const scene_instance *of, int body)
{
	int at[3] = { body % of->count[0], body / of->count[0] / of->count[2],
		          body / of->count[0] % of->count[2] };
	double p[3];
	for (int k = 0; k < 3; ++k)
		p[k] = of->position[k] + at[k] * of->spacing[k] + (at[1] % 2 ? of->layer_offset[k] : 0.0);
	return vector_of(p);
}

static rbl_result move_instance(simulation *s, int index)
{
	const scene_instance *of = &s->scene.instances[index];
	double time = (s->step + 1) * s->scene.dt - s->motion_starts[index];
	if (of->motion_count == 0 || isnan(time) || time <= 0.0)
		return RBL_OK;
	rbl_transform motion = motion_at(of, time);
	rbl_result result = RBL_OK;
	int first = s->first_objects[index], end = s->first_objects[index + 1];
	int each = (end - first) / (of->count[0] * of->count[1] * of->count[2]);
	rbl_quat rotation = rbl_quat_mul(rotation_of(of->rotation), motion.rotation);
	for (int i = first; i < end && result == RBL_OK; ++i) {
		if (!rbl_body_exists(s->world, s->objects[i].body))
			continue;
		rbl_vec3 place = grid_position(of, each > 0 ? (i - first) / each : 0);
		rbl_transform pose = { rbl_add(place, motion.position), rotation };
		result = rbl_body_set_target(s->world, s->objects[i].body, pose, (float)s->scene.dt);
	}
	return result;
}

// --- triggers -----------------------------------------------------------------------------------

static rbl_result remove_instance(simulation *s, int index)
{
	rbl_result result = RBL_OK;
	for (int i = s->first_objects[index]; i < s->first_objects[index + 1]; ++i) {
		scene_object *of = &s->objects[i];
		if (!rbl_body_exists(s->world, of->body))
			continue;
		of->baked_pose = rbl_body_pose(s->world, of->body);
		result = rbl_destroy_body(s->world, of->body);
		of->is_leaving = of->is_gone = true;
		s->has_staged_removal = true;
	}
	return result;
}

static rbl_result act_on_bodies(simulation *s, const scene_trigger *of)
{
	rbl_result result = RBL_OK;
	for (int i = s->first_objects[of->target]; i < s->first_objects[of->target + 1]; ++i) {
		rbl_body_id body = s->objects[i].body;
		if (!rbl_body_exists(s->world, body) || result != RBL_OK)
			continue;
		if (of->action == SCENE_PUSH)
			result = rbl_body_set_velocity(
				s->world, body, rbl_add(rbl_body_velocity(s->world, body), vector_of(of->velocity)),
				rbl_body_angular_velocity(s->world, body));
		else
			result =
				rbl_body_damage(s->world, body, vector_of(of->position), vector_of(of->direction),
			                    (float)of->radius, (float)of->energy);
	}
	return result;
}

static rbl_result damage_shape(simulation *s, const scene_trigger *of)
{
	rbl_damage_def def = rbl_default_damage_def();
	def.shape = of->shape;
	def.position = vector_of(of->position), def.translation = vector_of(of->translation);
	def.radius = (float)of->radius;
	def.falloff = of->falloff < 0.0 ? 0.0f : (float)of->falloff;
	def.energy = (float)of->energy, def.impulse = (float)of->impulse;
	def.is_occluded = of->is_occluded;
	return rbl_world_damage(s->world, &def);
}

static void grab(simulation *s, const scene_trigger *of)
{
	rbl_world_hit hit;
	s->held = (rbl_body_id){ 0, 0 };
	if (!rbl_world_cast_ray(s->world, vector_of(of->position), vector_of(of->translation), NULL,
	                        &hit))
		return;
	rbl_body_state body = rbl_body_get_state(s->world, hit.body);
	if (body.kind != RBL_BODY_DYNAMIC)
		return;
	s->held = hit.body;
	s->held_point = rbl_rotate_inverse(body.pose.rotation, rbl_sub(hit.point, body.pose.position));
	s->held_target = hit.point;
}

// A spring of 1.6 hertz, critically damped, that no body feels as more than 20 times its weight.
static rbl_result pull_held(simulation *s)
{
	const float stiffness = 100.0f, damping = 14.0f, limit = 200.0f;
	if (!rbl_body_exists(s->world, s->held))
		return RBL_OK;
	rbl_transform pose = rbl_body_pose(s->world, s->held);
	rbl_vec3 point = rbl_add(pose.position, rbl_rotate(pose.rotation, s->held_point));
	rbl_vec3 velocity = rbl_body_velocity_at(s->world, s->held, point);
	rbl_vec3 pull = rbl_scale(stiffness, rbl_sub(s->held_target, point));
	pull = rbl_add_scaled(pull, -damping, velocity);
	float length = rbl_length(pull), mass = rbl_body_get_mass(s->world, s->held).mass;
	float share = length > limit ? limit / length : 1.0f;
	return rbl_body_add_force(s->world, s->held, rbl_scale(share * mass, pull), point);
}

// The triangle that a blade passes through, a millimetre thick.
static rbl_result create_blade(const scene_trigger *of, rbl_vec3 normal, rbl_collider **blade)
{
	const float half = 5e-4f;
	rbl_vec3 handle = vector_of(of->position);
	rbl_vec3 corners[3] = { handle, rbl_add(handle, vector_of(of->translation)),
		                    rbl_add(handle, vector_of(of->sweep)) };
	rbl_vec3d points[6];
	rbl_boxd bounds = rbl_box_empty_d();
	for (int i = 0; i < 6; ++i) {
		points[i] =
			rbl_to_d(rbl_sub(rbl_add_scaled(corners[i / 2], i % 2 ? half : -half, normal), handle));
		bounds = rbl_box_add_point_d(bounds, points[i]);
	}
	rbl_hull_def hull_def = rbl_default_hull_def();
	hull_def.points = points, hull_def.point_count = 6;
	rbl_hull *hull = NULL;
	rbl_convex *convex = NULL;
	rbl_result result = rbl_create_hull(&hull_def, &hull);
	rbl_convex_def def = rbl_default_convex_def();
	def.box = rbl_box_grow_d(bounds, 1.0);
	if (result == RBL_OK) {
		rbl_hull_data data = rbl_hull_get_data(hull);
		def.planes = data.planes, def.plane_count = data.face_count;
		result = rbl_create_convex(&def, &convex);
	}
	rbl_collider_def collider = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	collider.convex = convex;
	if (result == RBL_OK)
		result = rbl_create_collider(&collider, blade);
	rbl_destroy_convex(convex);
	rbl_destroy_hull(hull);
	return result;
}

// Cut what can break and the blade meets, each body once.
static rbl_result slice_bodies(simulation *s, const scene_trigger *of)
{
	enum { MOST = 4096 };
	rbl_vec3 handle = vector_of(of->position);
	rbl_vec3 normal = rbl_normalize(rbl_cross(vector_of(of->translation), vector_of(of->sweep)));
	rbl_collider *blade = NULL;
	rbl_world_hit *hits = malloc(MOST * sizeof *hits);
	rbl_result result = hits ? create_blade(of, normal, &blade) : RBL_OUT_OF_MEMORY;
	int count = 0;
	if (result == RBL_OK)
		count = rbl_world_overlap_collider(
			s->world, blade, (rbl_transform){ handle, rbl_transform_identity().rotation }, NULL,
			hits, MOST);
	for (int i = 0; i < count && i < MOST && result == RBL_OK; ++i) {
		bool is_first = true;
		for (int k = 0; k < i && is_first; ++k)
			is_first = hits[k].body.index != hits[i].body.index;
		const rbl_compound *compound = rbl_body_get_compound(s->world, hits[i].body);
		if (is_first && compound)
			result = rbl_body_cut(s->world, hits[i].body, handle, normal);
		if (result == RBL_UNSUPPORTED) // it has no material that breaks
			result = RBL_OK;
	}
	rbl_destroy_collider(blade);
	free(hits);
	return result;
}

static rbl_result fire(simulation *s, const scene_trigger *of)
{
	rbl_explosion explosion = rbl_default_explosion();
	switch (of->action) {
	case SCENE_EXPLODE:
		explosion.position = vector_of(of->position);
		explosion.radius = (float)of->radius;
		explosion.falloff = (float)(of->falloff < 0.0 ? of->radius : of->falloff);
		explosion.impulse_per_area = (float)of->impulse;
		explosion.energy = (float)of->energy;
		explosion.is_occluded = of->is_occluded;
		return rbl_world_explode(s->world, &explosion);
	case SCENE_START:
		s->motion_starts[of->target] = s->step * s->scene.dt;
		return RBL_OK;
	case SCENE_REMOVE:
		return remove_instance(s, of->target);
	case SCENE_DAMAGE:
		if (!of->has_target)
			return damage_shape(s, of);
		break;
	case SCENE_THROW:
		return throw_model(s, of->model, of->material, of->position, of->velocity,
		                   (const double[3]){ 0.0, 0.0, 0.0 });
	case SCENE_GRAB:
		grab(s, of);
		return RBL_OK;
	case SCENE_DRAG:
		s->held_target = vector_of(of->position);
		return RBL_OK;
	case SCENE_RELEASE:
		s->held = (rbl_body_id){ 0, 0 };
		return RBL_OK;
	case SCENE_CUT:
		return cut_cloths(s, of);
	case SCENE_SLICE:
		return slice_bodies(s, of);
	case SCENE_PUSH:
		break;
	}
	return act_on_bodies(s, of);
}

rbl_result drive_stage(simulation *s)
{
	rbl_result result = RBL_OK;
	double now = s->step * s->scene.dt;
	for (int i = 0; i < s->scene.trigger_count && result == RBL_OK; ++i) {
		if (!(s->trigger_times[i] <= now + 1e-3 * s->scene.dt))
			continue;
		const scene_trigger *of = &s->scene.triggers[i];
		bool is_last = ++s->trigger_counts[i] >= of->count;
		s->trigger_times[i] = is_last ? (double)INFINITY : s->trigger_times[i] + of->interval;
		result = fire(s, of);
	}
	for (int i = 0; i < s->scene.instance_count && result == RBL_OK; ++i)
		result = move_instance(s, i);
	return result == RBL_OK ? pull_held(s) : result;
}

// Whether a body is one of an instance.
static bool is_of(const simulation *s, int instance, rbl_body_id body)
{
	int object = rbl_body_id_is_null(body) ? -1 : find_object(s, body);
	return object >= s->first_objects[instance] && object < s->first_objects[instance + 1];
}

static bool has_happened(const simulation *s, const scene_trigger *of, const rbl_events *events)
{
	if (of->condition == SCENE_ON_ENTER)
		for (int i = 0; i < events->sensor_count; ++i)
			if (events->sensors[i].is_inside && is_of(s, of->instance, events->sensors[i].sensor))
				return true;
	if (of->condition == SCENE_ON_BREAK)
		for (int i = 0; i < events->fracture_count; ++i)
			if (is_of(s, of->instance, events->fractures[i].parent))
				return true;
	if (of->condition == SCENE_ON_HIT)
		for (int i = 0; i < events->hit_count; ++i)
			if (is_of(s, of->instance, events->hits[i].body_a) ||
			    is_of(s, of->instance, events->hits[i].body_b))
				return true;
	return false;
}

void watch_stage(simulation *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < s->scene.trigger_count; ++i) {
		const scene_trigger *of = &s->scene.triggers[i];
		if (isnan(s->trigger_times[i]) && has_happened(s, of, &events))
			s->trigger_times[i] = (s->step + 1) * s->scene.dt + of->delay;
	}
}

rbl_result hide_staged(simulation *s)
{
	rbl_result result = RBL_OK;
	for (int i = 0; s->has_staged_removal && i < s->object_count && result == RBL_OK; ++i) {
		scene_object *of = &s->objects[i];
		if (of->is_leaving)
			result = hide_object(s, of, of->baked_pose);
		of->is_leaving = false;
	}
	s->has_staged_removal = false;
	return result;
}

// --- cameras ------------------------------------------------------------------------------------

const scene_camera *find_camera(const scene_file *scene, const char *name)
{
	for (int i = 0; i < scene->camera_count; ++i)
		if (strcmp(scene->cameras[i].name, name) == 0)
			return &scene->cameras[i];
	return NULL;
}

void camera_at(const scene_camera *camera, double time, rbl_vec3 *position, rbl_vec3 *target)
{
	*position = vector_of(camera->position), *target = vector_of(camera->target);
	int last = camera->key_count - 1, next = 0;
	if (last < 0)
		return;
	while (next < last && camera->keys[next].time <= time)
		next++;
	const scene_camera_key *b = &camera->keys[next], *a = next > 0 ? b - 1 : b;
	float share = 0.0f;
	if (b->time > a->time)
		share = (float)fmin(1.0, fmax(0.0, (time - a->time) / (b->time - a->time)));
	rbl_vec3 from = vector_of(a->position), to = vector_of(b->position);
	*position = rbl_add_scaled(from, share, rbl_sub(to, from));
	from = vector_of(a->target), to = vector_of(b->target);
	*target = rbl_add_scaled(from, share, rbl_sub(to, from));
}
