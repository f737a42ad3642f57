// SPDX-License-Identifier: MIT
// What these examples ask of ODE: a world, a body's mass, a joint for a contact point, a pose.
#pragma once

#include <rubble/rubble.h>

#include <ode/ode.h>

#include <stdio.h>

static const double DENSITY = 2000.0, FRICTION = 0.6;

/// ODE's world and the joints of one step.
typedef struct ode_side {
	dWorldID world;
	dJointGroupID joints;
} ode_side;

static inline void open_ode(ode_side *ode)
{
	dInitODE2(0);
	dAllocateODEDataForThread(dAllocateMaskAll);
	ode->world = dWorldCreate();
	ode->joints = dJointGroupCreate(0);
	dWorldSetGravity(ode->world, 0.0, -9.81, 0.0);
	dWorldSetQuickStepNumIterations(ode->world, 40);
	dWorldSetContactMaxCorrectingVel(ode->world, 1.0);
	dWorldSetDamping(ode->world, 0.002, 0.01);
}

static inline void close_ode(ode_side *ode)
{
	dJointGroupDestroy(ode->joints);
	dWorldDestroy(ode->world);
	dCloseODE();
}

static inline void step_ode(ode_side *ode, double dt)
{
	dWorldQuickStep(ode->world, dt);
	dJointGroupEmpty(ode->joints);
}

/// A body whose origin is the centre of mass `m.centre`; m is that of a unit density.
static inline dBodyID make_ode_body(const ode_side *ode, rbl_mass m)
{
	dMass mass;
	dMassSetParameters(&mass, DENSITY * m.volume, 0.0, 0.0, 0.0, DENSITY * m.inertia.x.x,
	                   DENSITY * m.inertia.y.y, DENSITY * m.inertia.z.z, DENSITY * m.inertia.x.y,
	                   DENSITY * m.inertia.x.z, DENSITY * m.inertia.y.z);
	dBodyID body = dBodyCreate(ode->world);
	dBodySetMass(body, &mass);
	return body;
}

/// Where ODE has the body, as Rubble writes it.
static inline rbl_transform ode_pose(dBodyID body)
{
	const dReal *p = dBodyGetPosition(body), *q = dBodyGetQuaternion(body); // w first
	return (rbl_transform){ { (float)p[0], (float)p[1], (float)p[2] },
		                    { (float)q[1], (float)q[2], (float)q[3], (float)q[0] } };
}

/// A contact point of Rubble as a joint of ODE, whose normal points into its first body; NULL is the floor.
/// Points that do not touch yet may come together within the step, `dt`, and no faster.
static inline void add_joint(const ode_side *ode, rbl_vec3 normal, const rbl_manifold_point *point,
                             dBodyID a, dBodyID b, double dt)
{
	dContact joint = { .geom.pos = { (dReal)point->position.x, (dReal)point->position.y,
		                             (dReal)point->position.z },
		               .geom.normal = { -(dReal)normal.x, -(dReal)normal.y, -(dReal)normal.z },
		               .geom.depth = point->separation < 0.0f ? -(dReal)point->separation : 0.0 };
	joint.surface.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM;
	joint.surface.mu = FRICTION;
	joint.surface.soft_erp = 0.2;
	joint.surface.soft_cfm = 1e-6;
	if (point->separation > 0.0f) {
		joint.surface.mode |= dContactMotionN;
		joint.surface.motionN = -(dReal)point->separation / dt;
	}
	dJointAttach(dJointCreateContact(ode->world, ode->joints, &joint), a, b);
}

/// A world that only detects, and its floor, whose user number is `floor_user`.
static inline bool open_detection(rbl_world **world, rbl_collider **floor, uint64_t floor_user)
{
	rbl_world_def world_def = rbl_default_world_def();
	world_def.detects_only = true;
	rbl_collider_def floor_def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	floor_def.a = (rbl_vec3){ 0.0f, -0.5f, 0.0f };
	floor_def.half_size = (rbl_vec3){ 20.0f, 0.5f, 20.0f };
	rbl_body_def body_def = rbl_default_body_def();
	body_def.kind = RBL_BODY_STATIC;
	body_def.user = floor_user;
	if (rbl_create_world(&world_def, world) != RBL_OK ||
	    rbl_create_collider(&floor_def, floor) != RBL_OK)
		return false;
	body_def.collider = *floor;
	return !rbl_body_id_is_null(rbl_create_body(*world, &body_def));
}

/// Give log lines to stderr; `user` is the program's name.
static inline void print_log(void *user, rbl_log_level level, const char *text)
{
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "%s: %s\n", (const char *)user, text);
}
