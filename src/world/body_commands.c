// SPDX-License-Identifier: MIT
//
// Calls that change bodies, and those made during a step.
//
// A call checks what it is given and then either does it or, during a step, writes it down. What
// was written down is done when the step is over, in the order of the calls, by the same code.

#include "world/world.h"

#include "base/log.h"
#include "world/recording.h"

#include <math.h>

rbl_result rbl_world_queue_command(rbl_world *world, const rbl_command *command)
{
	if (world->is_in_callback)
		return rbl_fail(RBL_BAD_ARGUMENT, "a log or a recording is being written");
	bool ok = rbl_array_push(&world->allocator, &world->commands, *command);
	return ok ? RBL_OK : RBL_OUT_OF_MEMORY;
}

bool rbl_world_begin_callback(rbl_world *world)
{
	bool was_stepping = world->is_stepping;
	world->is_stepping = world->is_in_callback = true;
	return was_stepping;
}

void rbl_world_end_callback(rbl_world *world, bool was_stepping)
{
	world->is_stepping = was_stepping;
	world->is_in_callback = false;
}

static rbl_result submit(rbl_world *world, const rbl_command *command)
{
	rbl_result result = world->is_stepping ? rbl_world_queue_command(world, command)
	                                       : rbl_world_apply_command(world, command);
	if (result == RBL_OK)
		rbl_record_command(world, command);
	return result;
}

// What was asked for, unless what it is about has gone meanwhile.
static rbl_result apply_queued(rbl_world *world, const rbl_command *c)
{
	switch (c->kind) {
	case RBL_COMMAND_SET_GRAVITY:
		return rbl_world_apply_gravity(world, c->a);
	case RBL_COMMAND_EXPLODE:
		return rbl_world_apply_explosion(world, &c->explosion);
	case RBL_COMMAND_DESTROY_JOINT:
		return rbl_joint_exists(world, c->joint) ? rbl_destroy_joint(world, c->joint) : RBL_OK;
	case RBL_COMMAND_SET_MOTOR:
		if (rbl_joint_exists(world, c->joint))
			rbl_world_apply_motor(world, (int)c->joint.index, c->x, c->y);
		return RBL_OK;
	default:
		break;
	}
	if (!rbl_world_has_body(world, c->body))
		return RBL_OK;
	return c->kind == RBL_COMMAND_DESTROY_BODY ? rbl_world_remove_body(world, (int)c->body.index)
	                                           : rbl_world_apply_command(world, c);
}

void rbl_world_apply_commands(rbl_world *world)
{
	rbl_record_pause(world); // they were written when they were asked for
	for (int i = 0; i < world->commands.count; ++i)
		world->stats.lost_count += apply_queued(world, &world->commands.data[i]) != RBL_OK;
	world->commands.count = 0;
	rbl_record_resume(world);
}

// --- the public face ----------------------------------------------------------------------------

rbl_result rbl_body_set_pose(rbl_world *world, rbl_body_id body, rbl_transform pose)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if (!rbl_pose_is_valid(pose) || !rbl_world_is_position(pose.position))
		return rbl_fail(RBL_BAD_ARGUMENT, "pose must be within RBL_MAX_POSITION and its rotation "
		                                  "of unit length");
	return submit(world,
	              &(rbl_command){ .kind = RBL_COMMAND_SET_POSE, .body = body, .pose = pose });
}

rbl_result rbl_body_set_velocity(rbl_world *world, rbl_body_id body, rbl_vec3 velocity,
                                 rbl_vec3 angular_velocity)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if (!rbl_is_finite(velocity) || !rbl_is_finite(angular_velocity))
		return rbl_fail(RBL_BAD_ARGUMENT, "a velocity is not finite");
	if (world->bodies[body.index].kind == RBL_BODY_STATIC)
		return rbl_fail(RBL_BAD_ARGUMENT, "a static body has no velocity");
	return submit(world, &(rbl_command){ .kind = RBL_COMMAND_SET_VELOCITY,
	                                     .body = body,
	                                     .a = velocity,
	                                     .b = angular_velocity });
}

rbl_result rbl_body_set_target(rbl_world *world, rbl_body_id body, rbl_transform pose, float dt)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if (!rbl_pose_is_valid(pose) || !rbl_world_is_position(pose.position) ||
	    !(dt > 0.0f && dt <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "pose or dt is out of range");
	if (world->bodies[body.index].kind != RBL_BODY_KINEMATIC)
		return rbl_fail(RBL_BAD_ARGUMENT, "only kinematic bodies have targets");
	return submit(world, &(rbl_command){
							 .kind = RBL_COMMAND_SET_TARGET, .body = body, .pose = pose, .x = dt });
}

static rbl_result submit_impulse(rbl_world *world, rbl_body_id body, int kind, rbl_vec3 vector,
                                 rbl_vec3 point)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	const float most = 1e20f; // times an arm it is still a number
	if (!(fabsf(vector.x) <= most && fabsf(vector.y) <= most && fabsf(vector.z) <= most) ||
	    !rbl_world_is_position(point))
		return rbl_fail(RBL_BAD_ARGUMENT, "a force, impulse or point is not finite, or too large");
	return submit(world, &(rbl_command){ .kind = kind, .body = body, .a = vector, .b = point });
}

rbl_result rbl_body_add_force(rbl_world *world, rbl_body_id body, rbl_vec3 force, rbl_vec3 point)
{
	return submit_impulse(world, body, RBL_COMMAND_ADD_FORCE, force, point);
}

rbl_result rbl_body_add_torque(rbl_world *world, rbl_body_id body, rbl_vec3 torque)
{
	return submit_impulse(world, body, RBL_COMMAND_ADD_TORQUE, torque,
	                      (rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

rbl_result rbl_body_add_impulse(rbl_world *world, rbl_body_id body, rbl_vec3 impulse,
                                rbl_vec3 point)
{
	return submit_impulse(world, body, RBL_COMMAND_ADD_IMPULSE, impulse, point);
}

rbl_result rbl_body_add_angular_impulse(rbl_world *world, rbl_body_id body, rbl_vec3 impulse)
{
	return submit_impulse(world, body, RBL_COMMAND_ADD_ANGULAR_IMPULSE, impulse,
	                      (rbl_vec3){ 0.0f, 0.0f, 0.0f });
}

rbl_result rbl_body_damage(rbl_world *world, rbl_body_id body, rbl_vec3 point, rbl_vec3 direction,
                           float radius, float energy)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	bool is_zero = direction.x == 0.0f && direction.y == 0.0f && direction.z == 0.0f;
	if (!rbl_world_is_position(point) || !rbl_is_finite(direction) || is_zero || !(radius > 0.0f) ||
	    !(energy >= 0.0f && energy <= 1e20f))
		return rbl_fail(RBL_BAD_ARGUMENT, "point, direction, radius or energy is out of range");
	const rbl_body *b = &world->bodies[body.index];
	if (b->baked_index == 0 && (!b->damage || (!b->compound && !b->asset)))
		return rbl_fail(RBL_UNSUPPORTED, "the body has no damage rule, or nothing to break");
	return submit(world, &(rbl_command){ .kind = RBL_COMMAND_DAMAGE,
	                                     .body = body,
	                                     .a = point,
	                                     .b = direction,
	                                     .x = radius,
	                                     .y = energy });
}

rbl_result rbl_body_set_kind(rbl_world *world, rbl_body_id body, rbl_body_kind kind)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if ((int)kind < 0 || kind >= RBL_BODY_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "kind is %d", (int)kind);
	if (kind != RBL_BODY_STATIC && world->bodies[body.index].baked_index != 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "debris was merged into the body: it stays static");
	if (kind == RBL_BODY_DYNAMIC && !(world->bodies[body.index].mass > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "a body without volume cannot be dynamic");
	return submit(
		world,
		&(rbl_command){ .kind = RBL_COMMAND_SET_KIND, .body = body, .number = (uint64_t)kind });
}

rbl_result rbl_body_set_material(rbl_world *world, rbl_body_id body, rbl_material material)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if (!(material.friction >= 0.0f && material.friction <= 1e6f) ||
	    !(material.restitution >= 0.0f && material.restitution <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "friction or restitution is out of range");
	return submit(
		world,
		&(rbl_command){ .kind = RBL_COMMAND_SET_MATERIAL, .body = body, .material = material });
}

rbl_result rbl_body_set_filter(rbl_world *world, rbl_body_id body, rbl_filter filter)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if (filter.group < INT32_MIN / 2)
		return rbl_fail(RBL_BAD_ARGUMENT, "group is %d", (int)filter.group);
	return submit(world,
	              &(rbl_command){ .kind = RBL_COMMAND_SET_FILTER, .body = body, .filter = filter });
}

static rbl_result set_numbers(rbl_world *world, rbl_body_id body, int kind, float x, float y,
                              float least)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	if (!(x >= least && x <= 1e6f) || !(y >= least && y <= 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "a value is out of range: %g, %g", (double)x, (double)y);
	return submit(world, &(rbl_command){ .kind = kind, .body = body, .x = x, .y = y });
}

rbl_result rbl_body_set_damping(rbl_world *world, rbl_body_id body, float linear, float angular)
{
	return set_numbers(world, body, RBL_COMMAND_SET_DAMPING, linear, angular, 0.0f);
}

rbl_result rbl_body_set_gravity_scale(rbl_world *world, rbl_body_id body, float scale)
{
	return set_numbers(world, body, RBL_COMMAND_SET_GRAVITY_SCALE, scale, 0.0f, -1e6f);
}

static rbl_result set_number(rbl_world *world, rbl_body_id body, int kind, uint64_t number)
{
	rbl_result result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	return submit(world, &(rbl_command){ .kind = kind, .body = body, .number = number });
}

rbl_result rbl_body_set_awake(rbl_world *world, rbl_body_id body, bool is_awake)
{
	return set_number(world, body, RBL_COMMAND_SET_AWAKE, is_awake);
}

rbl_result rbl_body_set_can_sleep(rbl_world *world, rbl_body_id body, bool can_sleep)
{
	return set_number(world, body, RBL_COMMAND_SET_CAN_SLEEP, can_sleep);
}

rbl_result rbl_body_set_enabled(rbl_world *world, rbl_body_id body, bool is_enabled)
{
	return set_number(world, body, RBL_COMMAND_SET_ENABLED, is_enabled);
}

rbl_result rbl_body_set_user(rbl_world *world, rbl_body_id body, uint64_t user)
{
	return set_number(world, body, RBL_COMMAND_SET_USER, user);
}
