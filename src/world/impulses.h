// SPDX-License-Identifier: MIT
// Impulses outside of the solver: each has its reaction.
#pragma once

#include <rubble/world.h>

/// Whether an impulse changes the motion of a body: it is dynamic, and in the solver.
bool rbl_world_can_be_moved(const rbl_world *world, int body);

/// The velocity along n that a unit impulse along n gives to a point of a body; 0 for one that
/// nothing moves.
float rbl_world_inverse_effective_mass(const rbl_world *world, int body, rbl_vec3 point,
                                       rbl_vec3 n);

/// Change the velocities of a dynamic body, and wake it. Others stay as they are.
void rbl_world_apply_impulse(rbl_world *world, int body, rbl_vec3 point, rbl_vec3 impulse);

/// A change of velocities: linear, and angular.
typedef struct rbl_motion_change {
	rbl_vec3 linear, angular;
} rbl_motion_change;

/// Change the velocities of a dynamic body, and wake it. Others stay as they are.
void rbl_world_change_motion(rbl_world *world, int body, rbl_motion_change change);

/// The momentum that a dynamic body has by one motion, times another one: twice the energy where
/// both are the same. 0 for bodies that nothing moves.
double rbl_world_momentum_along(const rbl_world *world, int body, rbl_motion_change motion,
                                rbl_motion_change along);

/// The common centre of dynamic bodies, others left out, and how hard they are to turn about it as
/// if they were one.
typedef struct rbl_body_group {
	double mass; // 0: there are none
	rbl_vec3 centre;
	rbl_mat3 inverse_inertia;
} rbl_body_group;

rbl_body_group rbl_world_group_bodies(const rbl_world *world, const rbl_body_id *bodies, int count);

/// Let a body that is jammed move as one with the body that it is jammed against, with the momentum
/// and angular momentum of both: the one that is heavier hardly notices. At rest when the other is
/// static, kinematic, asleep or none.
/// @param other  or RBL_NONE
void rbl_world_come_to_rest(rbl_world *world, int body, int other);

/// Take momentum from a body and give it to the dynamic bodies that it touches, all of which change
/// their velocity alike; to nothing that moves when it touches something static or asleep. No more
/// than makes their velocities equal, so no energy is gained.
/// @return the share of the impulse that was taken
float rbl_world_return_momentum(rbl_world *world, int body, rbl_vec3 impulse);
