// SPDX-License-Identifier: MIT
// rubble run: simulate a scene file and write it as an animated .glb.

#define _POSIX_C_SOURCE 200809L

#include "array.h"
#include "commands.h"
#include "errors.h"
#include "files.h"
#include "interrupts.h"
#include "progress.h"
#include "run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
	material = prefab_material(&s->scene, p, material);
	const scene_material *of = &s->scene.materials[material];
	rbl_body_def def = *base;
	bool breaks = of->break_energy > 0.0 && (p->asset || p->parts);
	rbl_result result = RBL_OK;
	if (p->parts || (anchors && anchors->is_anchored && p->asset))
		result = prefab_compound(p, anchors, &def.compound);
	else if (def.contact_method != RBL_CONTACTS_CONVEX || breaks ||
	         (p->asset && def.kind != RBL_BODY_STATIC))
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
	made->can_break = breaks;
	made->has_scene_material = rbl_mesh_get_data(p->mesh).material_count == 0;
	made->is_hidden = s->is_hidden;
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
		rbl_body_def def = rbl_default_body_def();
		def.pose = (rbl_transform){ vector_of(p), { 0.0f, 0.0f, 0.0f, 1.0f } };
		def.velocity = vector_of(of->velocity);
		def.angular_velocity = vector_of(of->angular_velocity);
		def.is_bullet = true;
		s->base_name = s->scene.models[of->model].name;
		result = add_model(s, of->model, of->material, &def, NULL);
	}
	return result;
}

static bool is_any_due(const simulation *s, int step)
{
	for (int i = 0; i < s->scene.projectile_count; ++i)
		if (is_due(s, &s->scene.projectiles[i], step))
			return true;
	return false;
}

// --- after a step --------------------------------------------------------------------

// Mark what moved; in a frame, add its pose to the film.
static rbl_result take_moves(simulation *s, bool is_frame)
{
	int count = rbl_world_body_count(s->world);
	if (!ARRAY_RESERVE(s->moves, s->move_capacity, count))
		return RBL_OUT_OF_MEMORY;
	count = rbl_world_get_moves(s->world, s->moves, s->move_capacity);
	for (int i = 0; i < count && i < s->move_capacity; ++i)
		if (s->moves[i].user < (uint64_t)s->object_count)
			s->objects[s->moves[i].user].has_moved = true;
	rbl_result result = RBL_OK;
	for (int i = 0; is_frame && i < s->object_count && result == RBL_OK; ++i) {
		scene_object *moved = &s->objects[i];
		if (!moved->has_moved || moved->is_gone)
			continue;
		result = record_pose(s, moved);
		moved->has_moved = false;
	}
	return result;
}

static void write_stats_row(simulation *s)
{
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	s->total_ms += stats.step_ms;
	s->worst_ms = fmax(s->worst_ms, stats.step_ms);
	if (s->stats)
		fprintf(s->stats,
		        "%s\n{\"step\": %d, \"ms\": %.4f, \"broadphase_ms\": %.4f, \"pairs_ms\": %.4f, "
		        "\"narrow_ms\": %.4f, \"contacts_ms\": %.4f, \"solver_ms\": %.4f, "
		        "\"finish_ms\": %.4f, \"fracture_ms\": %.4f, \"stress_ms\": %.4f, "
		        "\"bodies\": %d, \"awake\": %d, \"contacts\": %d, \"fractures\": %d, "
		        "\"breaking\": %d}",
		        s->step > 0 ? "," : "", s->step, stats.step_ms, stats.broadphase_ms, stats.pairs_ms,
		        stats.narrow_ms, stats.contacts_ms, stats.solver_ms, stats.finish_ms,
		        stats.fracture_ms, stats.stress_ms, stats.body_count, stats.awake_count,
		        stats.touching_count, rbl_world_get_events(s->world).fracture_count,
		        stats.breaking_count);
}

// --- recording -------------------------------------------------------------------------------

static bool write_record(void *user, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, user) == size;
}

static int begin_record(simulation *s)
{
	const char *path = s->options->record;
	s->record = create_file(path);
	if (!s->record)
		return STATUS_FAILED;
	rbl_recording_def def = rbl_default_recording_def();
	def.write = write_record;
	def.user = s->record;
	rbl_result result = rbl_world_begin_recording(s->world, &def);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

static int end_record(simulation *s)
{
	rbl_result result = rbl_world_end_recording(s->world);
	int status = close_file(s->record, s->options->record);
	return result == RBL_OK ? status : fail_with(result, s->options->record);
}

// --- the run ---------------------------------------------------------------------------------

static int open_simulation(simulation *s)
{
	const run_options *options = s->options;
	int status = read_scene(options->scene, options->reads_outside, &s->scene);
	if (status != STATUS_OK)
		return status;
	s->scene.repairs = options->is_repaired;
	if (options->camera && !find_camera(&s->scene, options->camera))
		return fail("%s: cameras: there is no camera '%s'", options->scene, options->camera);
	rbl_result result = make_workers(options->workers, &s->jobs);
	if (result != RBL_OK)
		return fail_with(result, "workers");
	status = make_prefabs(&s->scene, options->scene, s->jobs, &s->prefabs);
	if (status != STATUS_OK)
		return status;
	int film_mesh_count = s->prefabs.prefab_count * (s->scene.material_count + 1);
	s->film_meshes = malloc((size_t)film_mesh_count * sizeof *s->film_meshes + 1);
	if (!s->film_meshes)
		return fail("out of memory");
	for (int i = 0; i < film_mesh_count; ++i)
		s->film_meshes[i] = -1;
	s->random = s->dust_random = s->scene.seed;
	rbl_world_def world_def = rbl_default_world_def();
	world_def.gravity = vector_of(s->scene.gravity);
	world_def.substep_count = s->scene.substep_count;
	world_def.length_scale = (float)s->scene.length_scale;
	world_def.can_sleep = s->scene.can_sleep;
	world_def.freeze_time = (float)s->scene.freeze_time;
	world_def.bake_time = (float)s->scene.bake_time;
	world_def.fracture_budget = s->scene.budget;
	world_def.debris_limit = s->scene.debris_limit;
	world_def.chip_limit = s->scene.chip_limit;
	world_def.jobs = s->jobs;
	rbl_film_def film_def = rbl_default_film_def();
	result = rbl_create_world(&world_def, &s->world);
	if (result == RBL_OK)
		result = rbl_create_film(&film_def, &s->film);
	if (result == RBL_OK)
		result = load_looks(s);
	if (result == RBL_OK && options->record) {
		status = begin_record(s);
		if (status != STATUS_OK)
			return status;
	}
	s->first_objects = calloc((size_t)s->scene.instance_count + 1, sizeof *s->first_objects);
	if (!s->first_objects)
		return fail_with(RBL_OUT_OF_MEMORY, options->scene);
	char where[400];
	for (int i = 0; i < s->scene.instance_count && result == RBL_OK; ++i) {
		result = add_instance(s, &s->scene.instances[i]);
		s->first_objects[i + 1] = s->object_count;
		snprintf(where, sizeof where, "%.300s: instances[%d]", options->scene, i);
		if (result != RBL_OK)
			return fail_with(result, where);
	}
	if (result == RBL_OK)
		result = begin_stage(s);
	for (int i = 0; i < s->scene.joint_count && result == RBL_OK; ++i) {
		result = add_joint(s, &s->scene.joints[i]);
		snprintf(where, sizeof where, "%.300s: joints[%d]", options->scene, i);
		if (result != RBL_OK)
			return fail_with(result, where);
	}
	if (result == RBL_OK && options->events && begin_events(s) != STATUS_OK)
		return STATUS_FAILED;
	if (result == RBL_OK && options->stats) {
		s->stats = create_file(options->stats);
		if (!s->stats)
			return STATUS_FAILED;
		fprintf(s->stats, "[");
	}
	return result == RBL_OK ? STATUS_OK : fail_with(result, options->scene);
}

static int close_simulation(simulation *s)
{
	int status = STATUS_OK;
	if (s->stats) {
		fprintf(s->stats, "\n]\n");
		status = close_file(s->stats, s->options->stats);
	}
	if (s->events && end_events(s) != STATUS_OK)
		status = STATUS_FAILED;
	if (s->record && end_record(s) != STATUS_OK)
		status = STATUS_FAILED;
	rbl_destroy_world(s->world);
	end_stage(s);
	free(s->first_objects);
	rbl_destroy_film(s->film);
	for (int i = 0; i < s->object_count; ++i)
		free_object(&s->objects[i]);
	if (s->prefabs.scene)
		free_prefabs(&s->prefabs);
	rbl_destroy_jobs(s->jobs);
	free_scene(&s->scene);
	free(s->film_meshes);
	free(s->looks);
	free(s->chip_meshes);
	free(s->objects);
	free(s->object_of);
	free(s->moves);
	return status;
}

static int run_steps(simulation *s, int step_count)
{
	int every = (int)floor(s->scene.frame_time / s->scene.dt + 0.5);
	every = every > 0 ? every : 1;
	progress line;
	progress_begin(&line, "simulating");
	rbl_result result = RBL_OK;
	for (; s->step < step_count && !is_interrupted() && result == RBL_OK; ++s->step) {
		progress_update(&line, (double)s->step / step_count);
		result = throw_projectiles(s);
		if (result == RBL_OK)
			result = drive_stage(s);
		if (result == RBL_OK)
			result = rbl_world_step(s->world, (float)s->scene.dt);
		if (result == RBL_OK)
			watch_stage(s);
		// Every so many steps, and when a body breaks, vanishes or is thrown in.
		bool is_frame = (s->step + 1) % every == 0 || s->step + 1 == step_count ||
		                rbl_world_get_events(s->world).fracture_count > 0 || has_removed(s) ||
		                s->has_staged_removal || is_any_due(s, s->step + 1);
		if (result == RBL_OK && s->events)
			write_events(s);
		if (result == RBL_OK && is_frame)
			result = rbl_film_begin_frame(s->film, (float)((s->step + 1) * s->scene.dt));
		if (result == RBL_OK)
			result = film_breaks(s);
		if (result == RBL_OK && is_frame)
			result = hide_staged(s);
		if (result == RBL_OK)
			result = take_moves(s, is_frame);
		if (result == RBL_OK)
			write_stats_row(s);
	}
	progress_end(&line);
	return result == RBL_OK ? STATUS_OK : fail_with(result, s->options->scene);
}

static void print_result(const simulation *s, int step_count)
{
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	rbl_film_info info = rbl_film_get_info(s->film);
	if (s->step < step_count)
		say("stopped after %d of %d steps\n", s->step, step_count);
	say("%s: %d steps, %d bodies, %d breaks; %.2f ms a step, %.2f at worst; state %016llx\n",
	    s->options->output, s->step, stats.body_count, s->fracture_count,
	    s->step > 0 ? s->total_ms / s->step : 0.0, s->worst_ms,
	    (unsigned long long)rbl_world_hash(s->world));
	if (stats.baked_count > 0)
		say("%d debris bodies baked into static geometry\n", stats.baked_count);
	if (s->removed_count > 0)
		say("%d debris bodies removed: more than debris_limit\n", s->removed_count);
	if (s->dust_count > 0)
		say("%d fragments too small for a body turned to dust\n", s->dust_count);
	if (s->chip_count > 0)
		say("%d chips fell off exposed faces\n", s->chip_count);
	say("%lld keyframes for %lld poses of %d objects\n", (long long)info.key_count,
	    (long long)info.pose_count, info.object_count);
}

static int write_json(const simulation *s)
{
	FILE *file = create_file(s->options->json);
	if (!file)
		return STATUS_FAILED;
	rbl_world_stats stats = rbl_world_get_stats(s->world);
	rbl_film_info info = rbl_film_get_info(s->film);
	fprintf(file,
	        "{\n  \"steps\": %d,\n  \"seconds\": %.9g,\n  \"is_interrupted\": %s,\n"
	        "  \"bodies\": %d,\n  \"joints\": %d,\n  \"fractures\": %d,\n  \"dust\": %d,\n"
	        "  \"baked\": %d,\n  \"removed\": %d,\n  \"step_ms\": %.4f,\n"
	        "  \"worst_step_ms\": %.4f,\n  \"film_objects\": %d,\n  \"film_keys\": %lld,\n"
	        "  \"state\": \"%016llx\"\n}\n",
	        s->step, s->step * s->scene.dt, is_interrupted() ? "true" : "false", stats.body_count,
	        stats.joint_count, s->fracture_count, s->dust_count, stats.baked_count,
	        s->removed_count, s->step > 0 ? s->total_ms / s->step : 0.0, s->worst_ms,
	        info.object_count, (long long)info.key_count,
	        (unsigned long long)rbl_world_hash(s->world));
	return close_file(file, s->options->json);
}

// A run takes long: find out before it whether the film can be written.
static int check_output(const run_options *options)
{
	const char *path = options->output;
	char part[4096];
	if (is_standard(path))
		return STATUS_OK;
	if (is_sequence(options))
		return make_folder(path);
	if (!is_glb_name(path))
		return fail("%s: the name must end in .glb, or be a folder: DIR/", path);
	int length = snprintf(part, sizeof part, "%s.part", path);
	if (length < 0 || length >= (int)sizeof part)
		return fail("%s: the name is too long", path);
	FILE *file = fopen(part, "wb");
	if (!file)
		return fail("%s: %s", path, strerror(errno));
	fclose(file);
	remove(part);
	return STATUS_OK;
}

static int run_scene(const run_options *options)
{
	if (check_output(options) != STATUS_OK)
		return STATUS_FAILED;
	simulation s = { .options = options };
	int status = open_simulation(&s);
	int step_count = options->steps > 0 ? options->steps : s.scene.step_count;
	if (status == STATUS_OK) {
		defer_interrupts();
		status = run_steps(&s, step_count);
		// Written even if the run was interrupted.
		rbl_result result = RBL_OK;
		if (is_sequence(options) && status == STATUS_OK)
			status = write_sequence(&s);
		else if (!is_sequence(options))
			result = write_film_file(options->output, s.film, options->is_quantized);
		if (result != RBL_OK)
			status = fail_with(result, options->output);
		else
			print_result(&s, step_count);
		if (status == STATUS_OK)
			status = write_pictures(&s);
		if (status == STATUS_OK && options->json)
			status = write_json(&s);
	}
	int closed = close_simulation(&s);
	status = status == STATUS_OK ? closed : status;
	return status == STATUS_OK && is_interrupted() ? STATUS_INTERRUPTED : status;
}

static int run(int argc, char **argv)
{
	run_options options = { .workers = 1, .format = -1, .rate = 24.0 };
	bool is_schema = false, is_check = false;
	const option table[] = {
		OPTION_OUTPUT("output", "FILE.glb|DIR/", &options.output,
		              "the animation, or a folder for a numbered file per frame (also -o)"),
		OPTION_CHOICE("format", &options.format, file_formats, "of files in a folder, default obj"),
		OPTION_NUMBER("rate", "FPS", &options.rate, 1e-3, 1e4,
		              "files per second in a folder, default 24"),
		OPTION_OUTPUT("events", "FILE", &options.events,
		              "write hits, breaks, fragments and the like as CSV, or as JSON by its name"),
		OPTION_OUTPUT("stats", "FILE", &options.stats,
		              "write times and counts of every step as JSON"),
		OPTION_OUTPUT("record", "FILE", &options.record, "record every call, for rubble replay"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_TEXT("pictures", "T,T", &options.pictures,
		            "draw pictures at these times (seconds) as FILE-T.png"),
		OPTION_TEXT("view", "X,Y,Z", &options.view,
		            "direction that pictures are seen from; y is up"),
		OPTION_TEXT("frame", "X,Y,Z,X,Y,Z", &options.frame,
		            "box that pictures show, default everything"),
		OPTION_INT("steps", "N", &options.steps, 1, 10000000,
		           "number of steps, default the scene's"),
		OPTION_INT("workers", "W", &options.workers, 1, RBL_MAX_WORKERS, "threads, default 1"),
		OPTION_TEXT("camera", "NAME", &options.camera,
		            "the scene's camera that pictures are taken with"),
		OPTION_FLAG("check", &is_check, "read the scene, say what is wrong, and run nothing"),
		OPTION_FLAG("schema", &is_schema, "print the JSON Schema of scene files, and run nothing"),
		OPTION_FLAG("repair", &options.is_repaired, "close the mesh files of the scene first"),
		OPTION_FLAG("quantize", &options.is_quantized,
		            "the film with 16-bit positions and 8-bit normals: two thirds of the size"),
		OPTION_FLAG("allow-outside", &options.reads_outside,
		            "let the scene read files outside its folder"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_run, table, argc, argv, &found, &status))
		return status;
	if (is_schema) {
		print_scene_schema(stdout);
		return STATUS_OK;
	}
	if (found.count < 1)
		return fail_usage(&command_run, "run needs SCENE.json");
	if (is_check) {
		scene_file scene;
		status = read_scene(found.items[0], options.reads_outside, &scene);
		if (status == STATUS_OK)
			say("%s: %d materials, %d models, %d instances\n", found.items[0], scene.material_count,
			    scene.model_count, scene.instance_count);
		free_scene(&scene);
		return status;
	}
	if (!options.output)
		return fail_usage(&command_run, "-o FILE.glb or -o DIR/ is needed");
	if (check_pictures(&options) != STATUS_OK)
		return STATUS_USAGE;
	options.scene = found.items[0];
	return run_scene(&options);
}

const command command_run = {
	.name = "run",
	.arguments = "SCENE.json -o FILE.glb",
	.about = "simulate a scene and write it as an animated .glb",
	.details =
		"docs/scenes.md describes the scene format. Ctrl-C stops and writes what was simulated so\n"
		"far. The same scene gives the same state for any number of workers.",
	.min_arguments = 0,
	.max_arguments = 1,
	.run = run,
};
