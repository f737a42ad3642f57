// SPDX-License-Identifier: MIT
// Joints: two bodies held together, until a force breaks them.
#pragma once

#include <rubble/base.h>
#include <rubble/body.h>
#include <rubble/types.h>

/// Names a joint in a world. All zero names nothing; a stale id is refused.
typedef struct rbl_joint_id {
	uint32_t index;
	uint32_t generation;
} rbl_joint_id;

/// What a joint leaves free.
typedef enum rbl_joint_kind {
	/// Nothing.
	RBL_JOINT_WELD = 0,

	/// Turning about the z axis of its frames.
	RBL_JOINT_HINGE,

	/// Turning about a point.
	RBL_JOINT_BALL,

	RBL_JOINT_KIND_COUNT
} rbl_joint_kind;

/// How to make a joint. Start from rbl_default_joint_def().
typedef struct rbl_joint_def {
	/// Default RBL_JOINT_WELD.
	rbl_joint_kind kind;

	/// The bodies, which differ; one of them dynamic.
	rbl_body_id body_a, body_b;

	/// Where it is and how it is turned, in the coordinates of each body's shape. Default the
	/// identity. rbl_joint_def_place() fills both from a frame in the world.
	rbl_transform frame_a, frame_b;

	/// How far a hinge may turn, in radians, -pi <= lower <= upper <= pi. Read with has_limits.
	/// Default 0, 0 and false.
	float lower_angle, upper_angle;
	bool has_limits;

	/// Speed that a hinge turns with, in radians per second, at most 1e4, and the most torque for
	/// it, in newton metres, 0 to 1e12. Read with has_motor. Default 0, 0 and false.
	float motor_speed, motor_torque;
	bool has_motor;

	/// Force and torque that break it, in newton and newton metres, > 0. Default INFINITY: nothing
	/// does.
	float break_force, break_torque;

	/// Whether the two bodies touch each other. Default false.
	bool collides;

	/// Whatever the caller wants back. Default 0.
	uint64_t user;

	/// Filled by rbl_default_joint_def(). Leave it alone.
	uint32_t cookie;
} rbl_joint_def;

/// @return a definition of this kind without bodies. Threads: any.
RBL_API rbl_joint_def rbl_default_joint_def(rbl_joint_kind kind);

/// Set both frames so that the joint is at a frame of the world, with the bodies where they are
/// now.
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT. Threads: world.
RBL_API rbl_result rbl_joint_def_place(const rbl_world *world, rbl_joint_def *def,
                                       rbl_transform frame);

/// Make a joint. It goes when one of its bodies does, and when it breaks. During a step it is
/// refused.
/// @return its id; the null id when the definition is wrong (the log says what) or memory ran out
/// Threads: world.
RBL_API rbl_joint_id rbl_create_joint(rbl_world *world, const rbl_joint_def *def);

/// Destroy a joint. During a step it is done at the end of the step.
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (during a step). Threads:
/// world.
RBL_API rbl_result rbl_destroy_joint(rbl_world *world, rbl_joint_id joint);

/// @return whether the id names a joint. Threads: world.
RBL_API bool rbl_joint_exists(const rbl_world *world, rbl_joint_id joint);

/// Set the motor of a hinge; no torque switches it off. During a step it is set at its end.
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT (not a hinge, not finite), RBL_OUT_OF_MEMORY
/// Threads: world.
RBL_API rbl_result rbl_joint_set_motor(rbl_world *world, rbl_joint_id joint, float speed,
                                       float torque);

/// A joint as it is now.
typedef struct rbl_joint_state {
	rbl_joint_kind kind;
	rbl_body_id body_a, body_b;

	/// The frames of the joint on each body, in the world. What the joint leaves free, and its
	/// error, is in their difference.
	rbl_transform frame_a, frame_b;

	/// Force and torque in the last step, in newton and newton metres.
	float force, torque;

	/// Angle of a hinge, in radians, -pi to pi; of one that has limits it goes on beyond.
	float angle;

	uint64_t user;
} rbl_joint_state;

/// @return the state; zeros for a stale id. Threads: world.
RBL_API rbl_joint_state rbl_joint_get_state(const rbl_world *world, rbl_joint_id joint);
