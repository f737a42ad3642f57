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

/// What a joint leaves free, along and about the axes of its frame on body A. What it does not is
/// held exactly as far as the joints around it form no loops, whatever the masses are.
typedef enum rbl_joint_kind {
	/// Nothing. With a spring it is soft.
	RBL_JOINT_WELD = 0,

	/// Turning about the z axis: doors, elbows.
	RBL_JOINT_HINGE,

	/// Turning about a point: shoulders, chains. It may be limited by a cone, and about z.
	RBL_JOINT_BALL,

	/// Sliding along the z axis: pistons, lifts, drawers.
	RBL_JOINT_PRISMATIC,

	/// Everything but the distance of the two points: ropes (an upper limit alone), rods (both
	/// limits the same), springs.
	RBL_JOINT_DISTANCE,

	/// Turning about the z axis, the axle, and sliding along y, the suspension. Steer it by turning
	/// frame A about y: rbl_joint_set_frames().
	RBL_JOINT_WHEEL,

	/// Everything. A spring of limited force and torque pulls body B to the frame on A: a servo,
	/// a mouse that drags something, a ragdoll that follows an animation.
	RBL_JOINT_MOTOR,

	RBL_JOINT_KIND_COUNT
} rbl_joint_kind;

/// How to make a joint. Start from rbl_default_joint_def().
///
/// Limits, motor and spring act on the coordinate of a joint: the angle of a hinge, the twist of a
/// ball joint about z, the translation of a prismatic joint or a suspension, the distance of a
/// distance joint. Angles are in radians, lengths in metres. A weld and a motor joint have none.
typedef struct rbl_joint_def {
	/// Default RBL_JOINT_WELD.
	rbl_joint_kind kind;

	/// The bodies, which differ; one of them dynamic.
	rbl_body_id body_a, body_b;

	/// Where it is and how it is turned, in the coordinates of each body's shape. Default the
	/// identity. rbl_joint_def_place() fills both from a frame in the world.
	rbl_transform frame_a, frame_b;

	/// Limits of hinges and of the twist of ball joints, -pi <= lower <= upper <= pi. Read with
	/// has_limits. Default 0, 0 and false.
	float lower_angle, upper_angle;

	/// Limits of prismatic, distance and wheel joints, lower <= upper, of a distance joint >= 0; at
	/// most 1e6. Read with has_limits. Default 0 and 0.
	float lower_distance, upper_distance;
	bool has_limits;

	/// Largest angle between the z axes of a ball joint, 0 to pi. Read with has_cone. Default 0
	/// and false.
	float cone_angle;
	bool has_cone;

	/// Speed that the motor gives the coordinate, in radians or metres per second, at most 1e4; of
	/// a ball joint the turning of B about z of A, of a wheel that about its axle. The most force
	/// (prismatic, distance) or torque (hinge, ball, wheel) for it, 0 to 1e12 newton or newton
	/// metres. Read with has_motor. Of a motor joint they limit the spring, always. Default 0, 0, 0
	/// and false; of a motor joint the most.
	float motor_speed, motor_force, motor_torque;
	bool has_motor;

	/// A spring that pulls the coordinate to `spring_target`; of a ball joint and a motor joint the
	/// frames together, with no more than motor_torque if there is a motor; of a weld likewise.
	/// Frequency in hertz, > 0 to 1e4, and damping ratio, 0 to 1e4, 1 is critical. Read with
	/// has_spring, of a motor joint always. Default 0, 1, 0 and false; of a motor joint 5 Hz.
	float spring_hertz, spring_damping, spring_target;
	bool has_spring;

	/// Force and torque that break it, in newton and newton metres, > 0: means of a step. Default
	/// INFINITY: nothing does.
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
/// promised, as rbl_create_body() does; its bodies may be promised ones.
/// @return its id; the null id when the definition is wrong (the log says what) or memory ran out
/// Threads: world.
RBL_API rbl_joint_id rbl_create_joint(rbl_world *world, const rbl_joint_def *def);

/// Destroy a joint. During a step it is done at the end of the step.
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (during a step). Threads:
/// world.
RBL_API rbl_result rbl_destroy_joint(rbl_world *world, rbl_joint_id joint);

/// @return whether the id names a joint. Threads: world.
RBL_API bool rbl_joint_exists(const rbl_world *world, rbl_joint_id joint);

// --- changing a joint ---------------------------------------------------------------------------
//
// Both bodies wake. During a step it is done at the end of the step.
// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT (out of range, or not of its kind; the log says
// what), RBL_OUT_OF_MEMORY (nothing changed). Threads: world.

/// Set the motor; no force or torque switches it off. Not of welds and motor joints.
/// @param most  torque of a hinge, ball or wheel, force of a prismatic or distance joint
RBL_API rbl_result rbl_joint_set_motor(rbl_world *world, rbl_joint_id joint, float speed,
                                       float most);

/// Set the limits of the coordinate, or remove them.
RBL_API rbl_result rbl_joint_set_limits(rbl_world *world, rbl_joint_id joint, bool has_limits,
                                        float lower, float upper);

/// Set the cone of a ball joint, or remove it.
RBL_API rbl_result rbl_joint_set_cone(rbl_world *world, rbl_joint_id joint, bool has_cone,
                                      float angle);

/// Set the spring; no frequency removes it, but not that of a motor joint.
RBL_API rbl_result rbl_joint_set_spring(rbl_world *world, rbl_joint_id joint, float hertz,
                                        float damping, float target);

/// Set the force and torque that break it; INFINITY: nothing does.
RBL_API rbl_result rbl_joint_set_break(rbl_world *world, rbl_joint_id joint, float force,
                                       float torque);

/// Move the joint on its bodies: to steer a wheel, to drag with a motor joint.
RBL_API rbl_result rbl_joint_set_frames(rbl_world *world, rbl_joint_id joint, rbl_transform frame_a,
                                        rbl_transform frame_b);

/// Change all of this at once: everything but kind, bodies, `collides` and `user`, which must be as
/// they are. rbl_joint_get_def() gives the rest.
RBL_API rbl_result rbl_joint_set_def(rbl_world *world, rbl_joint_id joint,
                                     const rbl_joint_def *def);

// --- reading ------------------------------------------------------------------------------------

/// A joint as it is now.
typedef struct rbl_joint_state {
	rbl_joint_kind kind;
	rbl_body_id body_a, body_b;

	/// The frames of the joint on each body, in the world. What the joint leaves free, and its
	/// error, is in their difference.
	rbl_transform frame_a, frame_b;

	/// Force and torque in the last step, in newton and newton metres.
	float force, torque;

	/// Angle of a hinge, and the twist of a ball joint with limits, in radians, -pi to pi; of one
	/// that has limits it goes on beyond.
	float angle;

	/// Coordinate of a prismatic, distance or wheel joint, in metres.
	float distance;

	uint64_t user;
} rbl_joint_state;

/// @return the state; zeros for a stale id. Threads: world.
RBL_API rbl_joint_state rbl_joint_get_state(const rbl_world *world, rbl_joint_id joint);

/// @return its definition as it is now; bodies may be fragments of those that it was made with. The
/// default one for a stale id. Threads: world.
RBL_API rbl_joint_def rbl_joint_get_def(const rbl_world *world, rbl_joint_id joint);

/// Read the joints of a body, in no order that means anything.
/// @param capacity  as many are written; 0 and NULL only count
/// @return the number that it has; 0 for a stale id. Threads: world. Cost: O(joints)
RBL_API int rbl_body_get_joints(const rbl_world *world, rbl_body_id body, rbl_joint_id *joints,
                                int capacity);
