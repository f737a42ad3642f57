// SPDX-License-Identifier: MIT
// Calls that change the world. During a step they are queued; recordings write them.
#pragma once

#include <rubble/world.h>

/// Kinds of commands. Recordings have these numbers.
enum {
	RBL_COMMAND_DESTROY_BODY,
	RBL_COMMAND_DESTROY_JOINT,
	RBL_COMMAND_SET_POSE,
	RBL_COMMAND_SET_VELOCITY,
	RBL_COMMAND_SET_TARGET,
	RBL_COMMAND_ADD_FORCE,
	RBL_COMMAND_ADD_TORQUE,
	RBL_COMMAND_ADD_IMPULSE,
	RBL_COMMAND_ADD_ANGULAR_IMPULSE,
	RBL_COMMAND_DAMAGE,
	RBL_COMMAND_SET_KIND,
	RBL_COMMAND_SET_MATERIAL,
	RBL_COMMAND_SET_FILTER,
	RBL_COMMAND_SET_DAMPING,
	RBL_COMMAND_SET_GRAVITY_SCALE,
	RBL_COMMAND_SET_AWAKE,
	RBL_COMMAND_SET_CAN_SLEEP,
	RBL_COMMAND_SET_ENABLED,
	RBL_COMMAND_SET_USER,
	RBL_COMMAND_SET_SENSOR,
	RBL_COMMAND_SET_BULLET,
	RBL_COMMAND_SET_SHARED_MATERIAL,
	RBL_COMMAND_SET_COLLIDER,
	RBL_COMMAND_SET_LOCKS,
	RBL_COMMAND_SET_MODIFIES_CONTACTS,
	RBL_COMMAND_CUT,
	RBL_COMMAND_KINDS,

	// Those with a chunk of their own in recordings.
	RBL_COMMAND_SET_GRAVITY = RBL_COMMAND_KINDS,
	RBL_COMMAND_SET_JOINT,
	RBL_COMMAND_EXPLODE,
	RBL_COMMAND_DAMAGE_SHAPE,
};

typedef struct rbl_command {
	int kind;
	rbl_body_id body;
	rbl_joint_id joint;
	rbl_vec3 a, b;
	rbl_transform pose;
	rbl_filter filter;
	rbl_material_values material;
	rbl_explosion explosion;
	rbl_damage_def damage_def;
	float x, y;
	uint64_t number;
	const rbl_material *shared;   // the queue holds it; recordings have its number in `number`
	const rbl_collider *collider; // likewise
	rbl_joint_def joint_def;
} rbl_command;

/// A body or joint that a callback has requested, with what its definition points to.
typedef struct rbl_queued_body {
	rbl_body_def def;
	rbl_mass mass;
	rbl_body_id id; // promised
	rbl_convex *convex;
	rbl_mesh *mesh;
	bool is_new; // as of rbl_create_bodies()
} rbl_queued_body;

typedef struct rbl_queued_joint {
	rbl_joint_def def;
	rbl_joint_id id; // promised
} rbl_queued_joint;

// --- queue.c ------------------------------------------------------------------------------------

/// Promise a body or joint that is made when the step is over.
/// @return its id; the null id when memory ran out, or in a callback of a log or recording
rbl_body_id rbl_world_queue_body(rbl_world *world, const rbl_body_def *def, bool is_new);
rbl_joint_id rbl_world_queue_joint(rbl_world *world, const rbl_joint_def *def);

/// Whether an id is promised.
bool rbl_world_is_promised(const rbl_world *world, rbl_body_id id);

/// Make what was promised.
void rbl_world_keep_promises(rbl_world *world);

// --- body_create.c, joints.c --------------------------------------------------------------------

/// Whether a body can be made by a definition, as far as it can be known before.
rbl_result rbl_world_check_body_def(const rbl_body_def *def);

/// Make a body or joint with an id that was promised. On failure the promise is broken.
rbl_result rbl_world_create_promised_body(rbl_world *world, const rbl_body_def *def, bool is_new,
                                          rbl_body_id id);
rbl_result rbl_world_create_promised_joint(rbl_world *world, const rbl_joint_def *def,
                                           rbl_joint_id id);

// --- body_commands.c ----------------------------------------------------------------------------

/// Check a command of a body or joint, apply or queue it, and record it.
/// @return what the public function of its kind does
rbl_result rbl_world_submit_command(rbl_world *world, const rbl_command *command);

/// Apply what was queued during the step.
void rbl_world_apply_commands(rbl_world *world);

/// Queue a command. @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_ARGUMENT: in a callback
rbl_result rbl_world_queue_command(rbl_world *world, const rbl_command *command);

/// Before and after a log or a recording calls a function of the caller in the middle of a call:
/// meanwhile nothing can be changed. @return what rbl_world_end_callback() is to be given
bool rbl_world_begin_callback(rbl_world *world);
void rbl_world_end_callback(rbl_world *world, bool was_stepping);

// --- body_changes.c -----------------------------------------------------------------------------

/// Apply a checked command to a body that exists. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_world_apply_command(rbl_world *world, const rbl_command *command);

rbl_result rbl_world_set_kind(rbl_world *world, int body, rbl_body_kind kind);

/// Wake what sleeps where a body is that is not dynamic. Marks have been cleared.
void rbl_world_wake_overlapped(rbl_world *world, int body);

// --- world.c, explosion.c, damage_shapes.c, joints.c --------------------------------------------

rbl_result rbl_world_apply_gravity(rbl_world *world, rbl_vec3 gravity);
rbl_result rbl_world_apply_explosion(rbl_world *world, const rbl_explosion *explosion);
rbl_result rbl_world_apply_damage(rbl_world *world, const rbl_damage_def *def);
rbl_result rbl_world_apply_joint(rbl_world *world, int joint, const rbl_joint_def *def);
