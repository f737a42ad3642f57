// SPDX-License-Identifier: MIT
//
// A rigid scene in a world of the library. Shapes become colliders that bodies share; mass and
// inertia are those of the scene, so that all engines move the same.

#include "scenes/rigid_world.h"

#include "base/vec.h"

#include <stdlib.h>

rbl_convex *rigid_convex(const rigid_shape *shape)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.planes = shape->planes;
	def.plane_count = shape->face_count;
	rbl_convex *convex = NULL;
	rbl_create_convex(&def, &convex);
	return convex;
}

rbl_collider *rigid_collider(const rigid_shape *shape)
{
	rbl_collider_kind kind = shape->radius > 0.0 ? RBL_COLLIDER_SPHERE
	                         : shape->is_box     ? RBL_COLLIDER_BOX
	                                             : RBL_COLLIDER_CONVEX;
	rbl_collider_def def = rbl_default_collider_def(kind);
	def.radius = (float)shape->radius;
	def.half_size = rbl_to_f(shape->half);
	rbl_convex *convex = kind == RBL_COLLIDER_CONVEX ? rigid_convex(shape) : NULL;
	def.convex = convex;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	rbl_destroy_convex(convex);
	return collider;
}

static rbl_transform pose_of(rbl_transformd pose)
{
	rbl_quatd q = pose.rotation;
	rbl_quat rotation = { (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	return (rbl_transform){ rbl_to_f(pose.position), rbl_quat_normalize(rotation) };
}

static rbl_body_def def_of(const rigid_world *w, const rigid_body *body, const rigid_shape *shape,
                           const rbl_collider *collider, rbl_mass *mass)
{
	rbl_body_def def = rbl_default_body_def();
	*mass = (rbl_mass){ .volume = shape->mass / 1000.0 };
	mass->inertia.x.x = shape->inertia.x / 1000.0;
	mass->inertia.y.y = shape->inertia.y / 1000.0;
	mass->inertia.z.z = shape->inertia.z / 1000.0;
	def.kind = body->is_static ? RBL_BODY_STATIC : RBL_BODY_DYNAMIC;
	def.collider = collider;
	def.mass = mass;
	def.pose = pose_of(body->pose);
	def.velocity = rbl_to_f(body->velocity);
	def.angular_damping = 0.0f;
	def.material.friction = (float)w->scene->friction;
	return def;
}

static const rbl_collider *collider_of(rigid_world *w, int shape)
{
	if (!w->colliders[shape])
		w->colliders[shape] = rigid_collider(&w->scene->shapes[shape]);
	return w->colliders[shape];
}

bool rigid_world_add(rigid_world *w, int body)
{
	const rigid_body *of = &w->scene->bodies[body];
	const rbl_collider *collider = collider_of(w, of->shape);
	rbl_mass mass;
	rbl_body_def def = def_of(w, of, &w->scene->shapes[of->shape], collider, &mass);
	def.user = (uint64_t)body;
	if (collider)
		w->ids[body] = rbl_create_body(w->world, &def);
	return !rbl_body_id_is_null(w->ids[body]);
}

static bool open_pool(rigid_world *w, int workers)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = workers;
	return workers <= 1 || rbl_create_jobs(&def, &w->jobs) == RBL_OK;
}

static bool open_world(rigid_world *w, const rbl_allocator *allocator)
{
	const rigid_scene *scene = w->scene;
	w->colliders = calloc((size_t)scene->shape_count, sizeof(rbl_collider *));
	w->ids = calloc((size_t)scene->body_count, sizeof *w->ids);
	bool ok = w->colliders && w->ids;
	rbl_world_def def = rbl_default_world_def();
	def.gravity = (rbl_vec3){ 0.0f, (float)scene->gravity, 0.0f };
	def.can_sleep = scene->is_sleeping;
	def.capacity_hint = scene->body_count;
	def.jobs = w->jobs;
	if (allocator)
		def.allocator = *allocator;
	ok = ok && rbl_create_world(&def, &w->world) == RBL_OK;
	for (int i = 0; ok && i < scene->body_count; ++i)
		if (scene->bodies[i].birth_step <= 0)
			ok = rigid_world_add(w, i);
	if (!ok)
		rigid_world_close(w);
	return ok;
}

bool rigid_world_open(rigid_world *w, const rigid_scene *scene, int workers,
                      const rbl_allocator *allocator)
{
	*w = (rigid_world){ .scene = scene };
	return open_pool(w, workers) && open_world(w, allocator);
}

bool rigid_world_open_on(rigid_world *w, const rigid_scene *scene, rbl_jobs *jobs)
{
	*w = (rigid_world){ .scene = scene, .jobs = jobs };
	return open_world(w, NULL);
}

void rigid_world_close(rigid_world *w)
{
	rbl_destroy_world(w->world);
	rbl_destroy_jobs(w->jobs);
	for (int i = 0; w->colliders && i < w->scene->shape_count; ++i)
		rbl_destroy_collider(w->colliders[i]);
	free(w->colliders);
	free(w->ids);
	*w = (rigid_world){ .scene = NULL };
}

bool rigid_world_step(rigid_world *w, int step)
{
	bool ok = true;
	for (int i = w->scene->static_count; step > 0 && i < w->scene->body_count; ++i)
		if (w->scene->bodies[i].birth_step == step)
			ok &= rigid_world_add(w, i);
	return ok && rbl_world_step(w->world, (float)w->scene->dt) == RBL_OK;
}

bool rigid_world_replace(rigid_world *w, const int *bodies, const rigid_shape *shapes,
                         rbl_convex *const *convexes, int count)
{
	bool ok = true;
	for (int k = 0; k < count; ++k) {
		int body = bodies[k];
		rbl_body_state state = rbl_body_get_state(w->world, w->ids[body]);
		rbl_mass mass;
		rbl_body_def def = def_of(w, &w->scene->bodies[body], &shapes[k], NULL, &mass);
		def.convex = convexes[k];
		def.pose = state.pose;
		def.velocity = state.velocity;
		def.angular_velocity = state.angular_velocity;
		def.user = (uint64_t)body;
		ok &= rbl_replace_body(w->world, w->ids[body], &def, 1, &w->ids[body]) == RBL_OK;
	}
	return ok;
}

void rigid_world_read(const rigid_world *w, rigid_state *states)
{
	for (int i = 0; i < w->scene->body_count; ++i) {
		if (rbl_body_id_is_null(w->ids[i]))
			continue;
		rbl_body_state state = rbl_body_get_state(w->world, w->ids[i]);
		rbl_quat q = state.pose.rotation;
		rbl_quatd rotation = { (double)q.x, (double)q.y, (double)q.z, (double)q.w };
		states[i].pose =
			(rbl_transformd){ rbl_to_d(state.pose.position), rbl_quat_normalize_d(rotation) };
		states[i].velocity = rbl_to_d(state.velocity);
	}
}
