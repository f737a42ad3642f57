// SPDX-License-Identifier: MIT
// Joints of a world.
#pragma once

#include <rubble/world.h>

typedef struct rbl_world_joint {
	rbl_joint_kind kind;
	int32_t body_a, body_b;
	int32_t solver_joint;
	int32_t next_a, next_b; // of the same body
	bool collides, is_broken;
	double anchor_distance;         // scratch of break_joints.c: from the body, before it breaks
	rbl_transform frame_a, frame_b; // in the frames of the centres of mass
	rbl_joint_def def;
} rbl_world_joint;

/// The next joint of a body.
int32_t *rbl_world_next_joint(rbl_world *world, int joint, int body);

/// Destroy a joint, or all of a body. @param with_solver  remove them there too
void rbl_world_remove_joint(rbl_world *world, int joint, bool with_solver);
void rbl_world_remove_joints(rbl_world *world, int body, bool with_solver);
void rbl_world_free_joints(rbl_world *world);

/// Whether a joint keeps two bodies from colliding.
bool rbl_world_is_joined(const rbl_world *world, int body_a, int body_b);

/// Let a joint of `from` act on `to` instead, at the same place. Both bodies' shapes have the same
/// coordinates and the same pose.
void rbl_world_move_joint(rbl_world *world, int joint, int from, int to);

/// Remove the joints of a body from the solver while it is disabled, and put them back; the solver
/// has memory for them.
void rbl_world_suspend_joints(rbl_world *world, int body);
void rbl_world_resume_joints(rbl_world *world, int body);
int rbl_world_count_joints(rbl_world *world, int body);

/// The centre of mass of a body has moved in its frame: its joints stay where they are.
void rbl_world_shift_joints(rbl_world *world, int body, rbl_vec3 shift);
