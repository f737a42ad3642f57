// SPDX-License-Identifier: MIT
// What examples/ode calls of the Open Dynamics Engine, declared: they compile where it is not
// installed, so that no change of ours leaves them behind. Nothing can be linked with it.
#pragma once

typedef double dReal;
typedef dReal dVector3[4], dQuaternion[4];
typedef struct stand_in_world *dWorldID;
typedef struct stand_in_body *dBodyID;
typedef struct stand_in_joint *dJointID;
typedef struct stand_in_joint_group *dJointGroupID;

typedef struct dMass {
	dReal mass;
} dMass;

typedef struct dContact {
	struct {
		int mode;
		dReal mu, soft_erp, soft_cfm, motionN;
	} surface;
	struct {
		dVector3 pos, normal;
		dReal depth;
	} geom;
} dContact;

enum {
	dContactSoftERP = 1,
	dContactSoftCFM = 2,
	dContactMotionN = 4,
	dContactApprox1 = 8,
	dAllocateMaskAll = ~0,
};

int dInitODE2(unsigned flags);
int dAllocateODEDataForThread(unsigned flags);
void dCloseODE(void);

dWorldID dWorldCreate(void);
void dWorldDestroy(dWorldID world);
void dWorldSetGravity(dWorldID world, dReal x, dReal y, dReal z);
void dWorldSetQuickStepNumIterations(dWorldID world, int count);
void dWorldSetContactMaxCorrectingVel(dWorldID world, dReal speed);
void dWorldSetDamping(dWorldID world, dReal linear, dReal angular);
int dWorldQuickStep(dWorldID world, dReal dt);

dJointGroupID dJointGroupCreate(int size);
void dJointGroupDestroy(dJointGroupID group);
void dJointGroupEmpty(dJointGroupID group);
dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact);
void dJointAttach(dJointID joint, dBodyID a, dBodyID b);

dBodyID dBodyCreate(dWorldID world);
void dBodyDestroy(dBodyID body);
void dMassSetParameters(dMass *mass, dReal total, dReal x, dReal y, dReal z, dReal xx, dReal yy,
                        dReal zz, dReal xy, dReal xz, dReal yz);
void dBodySetMass(dBodyID body, const dMass *mass);
const dReal *dBodyGetPosition(dBodyID body);
const dReal *dBodyGetQuaternion(dBodyID body);
const dReal *dBodyGetLinearVel(dBodyID body);
const dReal *dBodyGetAngularVel(dBodyID body);
void dBodyGetPointVel(dBodyID body, dReal x, dReal y, dReal z, dVector3 velocity);
void dBodyVectorToWorld(dBodyID body, dReal x, dReal y, dReal z, dVector3 vector);
void dBodyVectorFromWorld(dBodyID body, dReal x, dReal y, dReal z, dVector3 vector);
void dBodySetPosition(dBodyID body, dReal x, dReal y, dReal z);
void dBodySetQuaternion(dBodyID body, const dQuaternion rotation);
void dBodySetLinearVel(dBodyID body, dReal x, dReal y, dReal z);
void dBodySetAngularVel(dBodyID body, dReal x, dReal y, dReal z);
void dQFromAxisAndAngle(dQuaternion rotation, dReal x, dReal y, dReal z, dReal angle);
