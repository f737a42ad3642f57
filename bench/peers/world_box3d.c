// SPDX-License-Identifier: MIT
//
// Box3D's world at its default settings, with four sub-steps, on one thread, behind the table of
// ../world_engine.h. It is compiled when RBL_BOX3D_DIR names a folder with its headers and library.

#include "../world_engine.h"

#include <box3d/box3d.h>

#include <stdio.h>
#include <stdlib.h>

enum { SUB_STEPS = 4, MOST_VERTICES = 32 };

typedef struct box3d_world {
	const rigid_scene *scene;
	b3WorldId world;
	b3HullData **hulls; // of the scene's shapes
	b3BodyId *bodies;
	bool *is_there;
} box3d_world;

static b3Vec3 vector_of(rbl_vec3d v)
{
	return (b3Vec3){ (float)v.x, (float)v.y, (float)v.z };
}

static b3HullData *make_hull(const rigid_shape *shape)
{
	b3Vec3 points[RIGID_MAX_VERTICES];
	for (int i = 0; i < shape->vertex_count; ++i)
		points[i] = vector_of(shape->vertices[i]);
	return b3CreateHull(points, shape->vertex_count, MOST_VERTICES);
}

static void add_body(box3d_world *self, int index, const rigid_shape *shape, const b3HullData *hull,
                     rbl_transformd pose, rbl_vec3d velocity)
{
	const rigid_body *body = &self->scene->bodies[index];
	b3BodyDef def = b3DefaultBodyDef();
	def.type = body->is_static ? b3_staticBody : b3_dynamicBody;
	def.position.x = (float)pose.position.x;
	def.position.y = (float)pose.position.y;
	def.position.z = (float)pose.position.z;
	def.rotation.v = vector_of((rbl_vec3d){ pose.rotation.x, pose.rotation.y, pose.rotation.z });
	def.rotation.s = (float)pose.rotation.w;
	def.linearVelocity = vector_of(velocity);
	b3BodyId id = b3CreateBody(self->world, &def);
	b3ShapeDef shape_def = b3DefaultShapeDef();
	shape_def.baseMaterial.friction = (float)self->scene->friction;
	shape_def.baseMaterial.restitution = 0.0f;
	if (shape->radius > 0.0) {
		b3Sphere ball = { .radius = (float)shape->radius };
		b3CreateSphereShape(id, &shape_def, &ball);
	} else if (shape->is_box) {
		b3BoxHull box =
			b3MakeBoxHull((float)shape->half.x, (float)shape->half.y, (float)shape->half.z);
		b3CreateHullShape(id, &shape_def, &box.base);
	} else if (hull) {
		b3CreateHullShape(id, &shape_def, hull);
	}
	if (!body->is_static) {
		b3MassData mass = { .mass = (float)shape->mass };
		mass.inertia.cx.x = (float)shape->inertia.x;
		mass.inertia.cy.y = (float)shape->inertia.y;
		mass.inertia.cz.z = (float)shape->inertia.z;
		b3Body_SetMassData(id, mass);
	}
	self->bodies[index] = id;
	self->is_there[index] = true;
}

static void add(void *pointer, int index)
{
	box3d_world *self = pointer;
	const rigid_body *body = &self->scene->bodies[index];
	const rigid_shape *shape = &self->scene->shapes[body->shape];
	if (!self->hulls[body->shape] && shape->radius <= 0.0 && !shape->is_box)
		self->hulls[body->shape] = make_hull(shape);
	add_body(self, index, shape, self->hulls[body->shape], body->pose, body->velocity);
}

static void destroy(void *pointer)
{
	box3d_world *self = pointer;
	b3DestroyWorld(self->world);
	for (int i = 0; self->hulls && i < self->scene->shape_count; ++i)
		if (self->hulls[i])
			b3DestroyHull(self->hulls[i]);
	free(self->hulls);
	free(self->bodies);
	free(self->is_there);
	free(self);
}

static void *create(const rigid_scene *scene, int workers)
{
	(void)workers;
	box3d_world *self = calloc(1, sizeof *self);
	if (!self)
		return NULL;
	b3WorldDef def = b3DefaultWorldDef();
	def.gravity = (b3Vec3){ 0.0f, (float)scene->gravity, 0.0f };
	def.enableSleep = scene->is_sleeping;
	self->scene = scene;
	self->world = b3CreateWorld(&def);
	self->hulls = calloc((size_t)scene->shape_count, sizeof(b3HullData *));
	self->bodies = calloc((size_t)scene->body_count, sizeof *self->bodies);
	self->is_there = calloc((size_t)scene->body_count, sizeof *self->is_there);
	if (!self->hulls || !self->bodies || !self->is_there) {
		destroy(self);
		return NULL;
	}
	for (int i = 0; i < scene->body_count; ++i)
		if (scene->bodies[i].birth_step <= 0)
			add(self, i);
	return self;
}

static rigid_state state_of(b3BodyId id)
{
	b3Pos p = b3Body_GetPosition(id);
	b3Quat q = b3Body_GetRotation(id);
	b3Vec3 v = b3Body_GetLinearVelocity(id);
	return (rigid_state){ .pose = { { (double)p.x, (double)p.y, (double)p.z },
		                            { (double)q.v.x, (double)q.v.y, (double)q.v.z, (double)q.s } },
		                  .velocity = { (double)v.x, (double)v.y, (double)v.z } };
}

static void replace(void *pointer, const int *bodies, const rigid_shape *shapes, int count)
{
	box3d_world *self = pointer;
	for (int k = 0; k < count; ++k) {
		rigid_state state = state_of(self->bodies[bodies[k]]);
		b3DestroyBody(self->bodies[bodies[k]]);
		b3HullData *hull =
			shapes[k].radius > 0.0 || shapes[k].is_box ? NULL : make_hull(&shapes[k]);
		add_body(self, bodies[k], &shapes[k], hull, state.pose, state.velocity);
		if (hull)
			b3DestroyHull(hull);
	}
}

static void step(void *pointer)
{
	box3d_world *self = pointer;
	b3World_Step(self->world, (float)self->scene->dt, SUB_STEPS);
}

static void read(void *pointer, rigid_state *states)
{
	box3d_world *self = pointer;
	for (int i = 0; i < self->scene->body_count; ++i)
		if (self->is_there[i])
			states[i] = state_of(self->bodies[i]);
}

const world_engine world_box3d = { "box3d", 1,    create, destroy, add,  NULL,
	                               replace, step, read,   NULL,    NULL, NULL };
