// SPDX-License-Identifier: MIT
//
// The Open Dynamics Engine: QuickStep with 20 iterations, hash space, at most eight contacts a pair.
// It keeps the arrays of a convex by pointer, so they live beside the bodies. When one of its inner
// checks fails, as on the wedges of the arch, its world stands still from then on and its bodies are
// nowhere.

#include "../world_engine.h"

#include <ode/ode.h>

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONTACTS = 8 };

// The arrays of a convex.
typedef struct ode_form {
	dReal planes[4 * RIGID_MAX_FACES];
	dReal points[3 * RIGID_MAX_VERTICES];
	unsigned polygons[RIGID_MAX_CORNERS + RIGID_MAX_FACES];
} ode_form;

typedef struct ode_world {
	const rigid_scene *scene;
	dWorldID world;
	dSpaceID space;
	dJointGroupID joints;
	dBodyID *bodies; // by index; NULL for static ones
	dGeomID *geoms;
	ode_form **forms; // by body
	bool is_broken;
} ode_world;

static jmp_buf failed_check;

static void on_failed_check(int number, const char *message, va_list arguments)
{
	(void)number, (void)message, (void)arguments;
	longjmp(failed_check, 1);
}

static dGeomID make_geom(ode_world *self, int index, const rigid_shape *shape)
{
	if (shape->radius > 0.0)
		return dCreateSphere(self->space, shape->radius);
	if (shape->is_box)
		return dCreateBox(self->space, 2.0 * shape->half.x, 2.0 * shape->half.y,
		                  2.0 * shape->half.z);
	ode_form *form = calloc(1, sizeof *form);
	unsigned *polygon = form->polygons;
	for (int f = 0; f < shape->face_count; ++f) {
		rbl_planed plane = shape->planes[f];
		dReal row[4] = { plane.normal.x, plane.normal.y, plane.normal.z, plane.offset };
		memcpy(form->planes + 4 * f, row, sizeof row);
		*polygon++ = (unsigned)(shape->face_starts[f + 1] - shape->face_starts[f]);
		for (int c = shape->face_starts[f]; c < shape->face_starts[f + 1]; ++c)
			*polygon++ = (unsigned)shape->corners[c];
	}
	for (int v = 0; v < shape->vertex_count; ++v) {
		dReal point[3] = { shape->vertices[v].x, shape->vertices[v].y, shape->vertices[v].z };
		memcpy(form->points + 3 * v, point, sizeof point);
	}
	free(self->forms[index]);
	self->forms[index] = form;
	return dCreateConvex(self->space, form->planes, (unsigned)shape->face_count, form->points,
	                     (unsigned)shape->vertex_count, form->polygons);
}

static void add_body(ode_world *self, int index, const rigid_shape *shape, rbl_transformd pose,
                     rbl_vec3d velocity)
{
	dGeomID geom = self->geoms[index] = make_geom(self, index, shape);
	rbl_vec3d p = pose.position;
	dQuaternion q = { pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z };
	if (self->scene->bodies[index].is_static) {
		dGeomSetPosition(geom, p.x, p.y, p.z);
		dGeomSetQuaternion(geom, q);
		return;
	}
	dBodyID body = self->bodies[index] = dBodyCreate(self->world);
	dMass mass;
	dMassSetParameters(&mass, shape->mass, 0.0, 0.0, 0.0, shape->inertia.x, shape->inertia.y,
	                   shape->inertia.z, 0.0, 0.0, 0.0);
	dBodySetMass(body, &mass);
	dGeomSetBody(geom, body);
	dBodySetPosition(body, p.x, p.y, p.z);
	dBodySetQuaternion(body, q);
	dBodySetLinearVel(body, velocity.x, velocity.y, velocity.z);
	if (self->scene->is_sleeping)
		dBodySetAutoDisableDefaults(body), dBodySetAutoDisableFlag(body, 1);
}

static void add(void *pointer, int index)
{
	ode_world *self = pointer;
	const rigid_body *body = &self->scene->bodies[index];
	add_body(self, index, &self->scene->shapes[body->shape], body->pose, body->velocity);
}

static void *create(const rigid_scene *scene, int workers)
{
	(void)workers;
	dInitODE2(0);
	dSetDebugHandler(on_failed_check);
	dAllocateODEDataForThread(dAllocateMaskAll);
	ode_world *self = calloc(1, sizeof *self);
	size_t count = (size_t)scene->body_count;
	self->scene = scene;
	self->bodies = calloc(count, sizeof *self->bodies);
	self->geoms = calloc(count, sizeof *self->geoms);
	self->forms = calloc(count, sizeof *self->forms);
	self->world = dWorldCreate();
	self->space = dHashSpaceCreate(0);
	self->joints = dJointGroupCreate(0);
	dWorldSetGravity(self->world, 0.0, scene->gravity, 0.0);
	dWorldSetQuickStepNumIterations(self->world, 20);
	for (int i = 0; i < scene->body_count; ++i)
		if (scene->bodies[i].birth_step <= 0)
			add(self, i);
	return self;
}

static void destroy(void *pointer)
{
	ode_world *self = pointer;
	if (self->is_broken)
		return; // in the middle of something: it cannot be taken apart
	dJointGroupDestroy(self->joints);
	dSpaceDestroy(self->space);
	dWorldDestroy(self->world);
	for (int i = 0; i < self->scene->body_count; ++i)
		free(self->forms[i]);
	free(self->forms);
	free(self->geoms);
	free(self->bodies);
	free(self);
	dCloseODE();
}

static void replace(void *pointer, const int *bodies, const rigid_shape *shapes, int count)
{
	ode_world *self = pointer;
	for (int k = 0; k < count; ++k) {
		int index = bodies[k];
		const dReal *p = dBodyGetPosition(self->bodies[index]),
					*q = dBodyGetQuaternion(self->bodies[index]),
					*v = dBodyGetLinearVel(self->bodies[index]);
		rbl_transformd pose = { { p[0], p[1], p[2] }, { q[1], q[2], q[3], q[0] } };
		rbl_vec3d velocity = { v[0], v[1], v[2] };
		dGeomDestroy(self->geoms[index]);
		dBodyDestroy(self->bodies[index]);
		add_body(self, index, &shapes[k], pose, velocity);
	}
}

static void on_near(void *pointer, dGeomID a, dGeomID b)
{
	ode_world *self = pointer;
	dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
	if (!body_a && !body_b)
		return;
	dContact contacts[MAX_CONTACTS];
	int count = dCollide(a, b, MAX_CONTACTS, &contacts[0].geom, sizeof(dContact));
	for (int i = 0; i < count; ++i) {
		memset(&contacts[i].surface, 0, sizeof contacts[i].surface);
		contacts[i].surface.mode = dContactApprox1;
		contacts[i].surface.mu = self->scene->friction;
		dJointAttach(dJointCreateContact(self->world, self->joints, &contacts[i]), body_a, body_b);
	}
}

static void step(void *pointer)
{
	ode_world *self = pointer;
	if (self->is_broken)
		return;
	if (setjmp(failed_check)) {
		fprintf(stderr, "ode: an inner check failed in %s\n", self->scene->name);
		self->is_broken = true;
		return;
	}
	dSpaceCollide(self->space, self, on_near);
	dWorldQuickStep(self->world, self->scene->dt);
	dJointGroupEmpty(self->joints);
}

static void read_states(void *pointer, rigid_state *states)
{
	ode_world *self = pointer;
	for (int i = 0; i < self->scene->body_count; ++i) {
		if (!self->bodies[i])
			continue;
		const dReal *p = dBodyGetPosition(self->bodies[i]),
					*q = dBodyGetQuaternion(self->bodies[i]),
					*v = dBodyGetLinearVel(self->bodies[i]);
		states[i].pose = (rbl_transformd){ { p[0], p[1], p[2] }, { q[1], q[2], q[3], q[0] } };
		states[i].velocity = (rbl_vec3d){ v[0], v[1], v[2] };
		if (self->is_broken)
			states[i].pose.position.y = NAN;
	}
}

const world_engine world_ode = { "ode",   1,    create,      destroy, add, NULL,
	                             replace, step, read_states, NULL,    NULL };
