// SPDX-License-Identifier: MIT
//
// Calls that change bodies, as commands.
//
// A call becomes a command, which is checked and then applied at once or, during a step, queued.
// Queued commands are applied when the step is over, in the order of the calls, by the same code
// (body_changes.c). Replays submit the commands of a recording in the same way.

#include "world/world.h"

#include "base/log.h"
#include "world/recording.h"

#include <math.h>

rbl_result rbl_world_queue_command(rbl_world *world, const rbl_command *command)
{
	if (world->is_in_callback)
		return rbl_fail(RBL_BAD_ARGUMENT, "a log or a recording is being written");
	if (!rbl_array_push(&world->allocator, &world->commands, *command))
		return RBL_OUT_OF_MEMORY;
	rbl_material_share(command->shared);
	if (command->collider)
		rbl_collider_share(command->collider);
	return RBL_OK;
}

static void release_command(const rbl_command *command)
{
	rbl_material_unshare(command->shared);
	rbl_destroy_collider((rbl_collider *)(uintptr_t)command->collider);
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

// --- checks -------------------------------------------------------------------------------------

static rbl_result check_target(const rbl_body *b, const rbl_command *c)
{
	if (!rbl_pose_is_valid(c->pose) || !rbl_world_is_position(c->pose.position) ||
	    !(c->x > 0.0f && c->x <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "pose or dt is out of range");
	if (b->kind != RBL_BODY_KINEMATIC)
		return rbl_fail(RBL_BAD_ARGUMENT, "only kinematic bodies have targets");
	return RBL_OK;
}

static rbl_result check_impulse(const rbl_command *c)
{
	const float most = 1e20f; // times a lever arm it is still finite
	if (!(fabsf(c->a.x) <= most && fabsf(c->a.y) <= most && fabsf(c->a.z) <= most) ||
	    !rbl_world_is_position(c->b))
		return rbl_fail(RBL_BAD_ARGUMENT, "a force, impulse or point is not finite, or too large");
	return RBL_OK;
}

static rbl_result check_damage(const rbl_world *world, const rbl_body *b, const rbl_command *c)
{
	bool is_zero = c->b.x == 0.0f && c->b.y == 0.0f && c->b.z == 0.0f;
	if (!rbl_world_is_position(c->a) || !rbl_is_finite(c->b) || is_zero || !(c->x > 0.0f) ||
	    !(c->y >= 0.0f && c->y <= 1e20f))
		return rbl_fail(RBL_BAD_ARGUMENT, "point, direction, radius or energy is out of range");
	if (b->baked_index == 0 && !rbl_world_can_break(world, (int)c->body.index))
		return rbl_fail(RBL_UNSUPPORTED, "nothing of the body can break: it has no compound or "
		                                 "asset, or no material that breaks");
	return RBL_OK;
}

static rbl_result check_kind(const rbl_body *b, uint64_t kind)
{
	if (kind >= RBL_BODY_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "kind is %d", (int)kind);
	if (kind != RBL_BODY_STATIC && b->baked_index != 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "debris was baked into the body: it stays static");
	if (kind == RBL_BODY_DYNAMIC && !(b->mass > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "a body without volume cannot be dynamic");
	return RBL_OK;
}

static rbl_result check_range(float x, float y, float least)
{
	if (!(x >= least && x <= 1e6f) || !(y >= least && y <= 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "a value is out of range: %g, %g", (double)x, (double)y);
	return RBL_OK;
}

// The density is not used.
static rbl_result check_material(rbl_material_values values)
{
	values.density = 1.0f;
	return rbl_material_check(&values);
}

static rbl_result check_shared_material(const rbl_body *b, const rbl_material *material)
{
	if (!material)
		return rbl_fail(RBL_BAD_ARGUMENT, "material is NULL");
	if (b->baked_index != 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "debris was baked into the body: it has materials of "
		                                  "its own");
	if (!b->compound && !b->asset && rbl_material_can_break(material))
		return rbl_refuse_breaking(material);
	return RBL_OK;
}

// Whether a command can be applied to a body that exists.
static rbl_result check_command(const rbl_world *world, const rbl_command *c)
{
	const rbl_body *b = &world->bodies[c->body.index];
	switch (c->kind) {
	case RBL_COMMAND_SET_POSE:
		if (!rbl_pose_is_valid(c->pose) || !rbl_world_is_position(c->pose.position))
			return rbl_fail(RBL_BAD_ARGUMENT, "pose must be within RBL_MAX_POSITION and its "
			                                  "rotation of unit length");
		return RBL_OK;
	case RBL_COMMAND_SET_VELOCITY:
		if (!rbl_is_finite(c->a) || !rbl_is_finite(c->b))
			return rbl_fail(RBL_BAD_ARGUMENT, "a velocity is not finite");
		if (b->kind == RBL_BODY_STATIC)
			return rbl_fail(RBL_BAD_ARGUMENT, "a static body has no velocity");
		return RBL_OK;
	case RBL_COMMAND_SET_TARGET:
		return check_target(b, c);
	case RBL_COMMAND_ADD_FORCE:
	case RBL_COMMAND_ADD_TORQUE:
	case RBL_COMMAND_ADD_IMPULSE:
	case RBL_COMMAND_ADD_ANGULAR_IMPULSE:
		return check_impulse(c);
	case RBL_COMMAND_DAMAGE:
		return check_damage(world, b, c);
	case RBL_COMMAND_CUT:
		if (b->baked_index != 0)
			return rbl_fail(RBL_UNSUPPORTED, "debris was baked into the body: it is not cut");
		return check_damage(world, b, c);
	case RBL_COMMAND_SET_KIND:
		return check_kind(b, c->number);
	case RBL_COMMAND_SET_MATERIAL:
		return check_material(c->material);
	case RBL_COMMAND_SET_SHARED_MATERIAL:
		return check_shared_material(b, c->shared);
	case RBL_COMMAND_SET_COLLIDER:
		return rbl_world_check_collider(world, (int)c->body.index, c->collider);
	case RBL_COMMAND_SET_FILTER:
		if (c->filter.group < INT32_MIN / 2)
			return rbl_fail(RBL_BAD_ARGUMENT, "group is %d", (int)c->filter.group);
		return RBL_OK;
	case RBL_COMMAND_SET_DAMPING:
		return check_range(c->x, c->y, 0.0f);
	case RBL_COMMAND_SET_GRAVITY_SCALE:
		return check_range(c->x, 0.0f, -1e6f);
	case RBL_COMMAND_SET_LOCKS:
		if (c->number > RBL_SOLVER_LOCK_ALL)
			return rbl_fail(RBL_BAD_ARGUMENT, "locks is %u, not rbl_axis_locks",
			                (unsigned)c->number);
		return RBL_OK;
	case RBL_COMMAND_SET_SENSOR:
		if (c->number && b->baked_index != 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "debris was baked into the body: it stays solid");
		return RBL_OK;
	default:
		return RBL_OK;
	}
}

// Apply a command, unless its body or joint is gone.
static rbl_result apply_queued(rbl_world *world, const rbl_command *c)
{
	switch (c->kind) {
	case RBL_COMMAND_SET_GRAVITY:
		return rbl_world_apply_gravity(world, c->a);
	case RBL_COMMAND_EXPLODE:
		return rbl_world_apply_explosion(world, &c->explosion);
	case RBL_COMMAND_DAMAGE_SHAPE:
		return rbl_world_apply_damage(world, &c->damage_def);
	case RBL_COMMAND_DESTROY_JOINT:
		return rbl_joint_exists(world, c->joint) ? rbl_destroy_joint(world, c->joint) : RBL_OK;
	case RBL_COMMAND_SET_JOINT:
		return rbl_joint_exists(world, c->joint)
		           ? rbl_world_apply_joint(world, (int)c->joint.index, &c->joint_def)
		           : RBL_OK;
	default:
		if (!rbl_world_has_body(world, c->body))
			return RBL_OK;
		// That of a body that was only promised has not been checked yet.
		return check_command(world, c) == RBL_OK ? rbl_world_apply_command(world, c) : RBL_OK;
	}
}

void rbl_world_apply_commands(rbl_world *world)
{
	rbl_record_pause(world); // they were recorded when they were queued
	for (int i = 0; i < world->commands.count; ++i) {
		world->stats.lost_count += apply_queued(world, &world->commands.data[i]) != RBL_OK;
		release_command(&world->commands.data[i]);
	}
	world->commands.count = 0;
	rbl_record_resume(world);
}

rbl_result rbl_world_submit_command(rbl_world *world, const rbl_command *command)
{
	if (command->kind == RBL_COMMAND_DESTROY_JOINT)
		return rbl_destroy_joint(world, command->joint);
	bool is_promised = world && world->is_stepping && rbl_world_is_promised(world, command->body);
	rbl_result result = is_promised ? RBL_OK : rbl_world_check_body(world, command->body);
	if (result == RBL_OK && !is_promised)
		result = check_command(world, command);
	if (result == RBL_OK)
		result = world->is_stepping ? rbl_world_queue_command(world, command)
		                            : rbl_world_apply_command(world, command);
	if (result == RBL_OK)
		rbl_record_command(world, command);
	return result;
}

// --- the public functions -----------------------------------------------------------------------

// A command of a kind for a body, with further fields.
#define SUBMIT(of, ...)       \
	rbl_world_submit_command( \
		world, &(rbl_command){ .kind = RBL_COMMAND_##of, .body = body, __VA_ARGS__ })

rbl_result rbl_destroy_body(rbl_world *world, rbl_body_id body)
{
	return SUBMIT(DESTROY_BODY, .number = 0);
}

rbl_result rbl_body_set_pose(rbl_world *world, rbl_body_id body, rbl_transform pose)
{
	return SUBMIT(SET_POSE, .pose = pose);
}

rbl_result rbl_body_set_velocity(rbl_world *world, rbl_body_id body, rbl_vec3 velocity,
                                 rbl_vec3 angular_velocity)
{
	return SUBMIT(SET_VELOCITY, .a = velocity, .b = angular_velocity);
}

rbl_result rbl_body_set_target(rbl_world *world, rbl_body_id body, rbl_transform pose, float dt)
{
	return SUBMIT(SET_TARGET, .pose = pose, .x = dt);
}

rbl_result rbl_body_add_force(rbl_world *world, rbl_body_id body, rbl_vec3 force, rbl_vec3 point)
{
	return SUBMIT(ADD_FORCE, .a = force, .b = point);
}

rbl_result rbl_body_add_torque(rbl_world *world, rbl_body_id body, rbl_vec3 torque)
{
	return SUBMIT(ADD_TORQUE, .a = torque);
}

rbl_result rbl_body_add_impulse(rbl_world *world, rbl_body_id body, rbl_vec3 impulse,
                                rbl_vec3 point)
{
	return SUBMIT(ADD_IMPULSE, .a = impulse, .b = point);
}

rbl_result rbl_body_add_angular_impulse(rbl_world *world, rbl_body_id body, rbl_vec3 impulse)
{
	return SUBMIT(ADD_ANGULAR_IMPULSE, .a = impulse);
}

rbl_result rbl_body_damage(rbl_world *world, rbl_body_id body, rbl_vec3 point, rbl_vec3 direction,
                           float radius, float energy)
{
	return SUBMIT(DAMAGE, .a = point, .b = direction, .x = radius, .y = energy);
}

rbl_result rbl_body_cut(rbl_world *world, rbl_body_id body, rbl_vec3 point, rbl_vec3 normal)
{
	return SUBMIT(CUT, .a = point, .b = normal, .x = 1.0f);
}

rbl_result rbl_body_set_kind(rbl_world *world, rbl_body_id body, rbl_body_kind kind)
{
	return SUBMIT(SET_KIND, .number = (uint64_t)kind);
}

rbl_result rbl_body_set_material(rbl_world *world, rbl_body_id body, rbl_material_values material)
{
	return SUBMIT(SET_MATERIAL, .material = material);
}

rbl_result rbl_body_set_shared_material(rbl_world *world, rbl_body_id body,
                                        const rbl_material *material)
{
	return SUBMIT(SET_SHARED_MATERIAL, .shared = material);
}

rbl_result rbl_body_set_collider(rbl_world *world, rbl_body_id body, const rbl_collider *collider)
{
	return SUBMIT(SET_COLLIDER, .collider = collider);
}

rbl_result rbl_body_set_filter(rbl_world *world, rbl_body_id body, rbl_filter filter)
{
	return SUBMIT(SET_FILTER, .filter = filter);
}

rbl_result rbl_body_set_damping(rbl_world *world, rbl_body_id body, float linear, float angular)
{
	return SUBMIT(SET_DAMPING, .x = linear, .y = angular);
}

rbl_result rbl_body_set_gravity_scale(rbl_world *world, rbl_body_id body, float scale)
{
	return SUBMIT(SET_GRAVITY_SCALE, .x = scale);
}

rbl_result rbl_body_set_locks(rbl_world *world, rbl_body_id body, uint32_t locks)
{
	return SUBMIT(SET_LOCKS, .number = locks);
}

rbl_result rbl_body_set_awake(rbl_world *world, rbl_body_id body, bool is_awake)
{
	return SUBMIT(SET_AWAKE, .number = is_awake);
}

rbl_result rbl_body_set_can_sleep(rbl_world *world, rbl_body_id body, bool can_sleep)
{
	return SUBMIT(SET_CAN_SLEEP, .number = can_sleep);
}

rbl_result rbl_body_set_enabled(rbl_world *world, rbl_body_id body, bool is_enabled)
{
	return SUBMIT(SET_ENABLED, .number = is_enabled);
}

rbl_result rbl_body_set_sensor(rbl_world *world, rbl_body_id body, bool is_sensor)
{
	return SUBMIT(SET_SENSOR, .number = is_sensor);
}

rbl_result rbl_body_set_modifies_contacts(rbl_world *world, rbl_body_id body,
                                          bool modifies_contacts)
{
	return SUBMIT(SET_MODIFIES_CONTACTS, .number = modifies_contacts);
}

rbl_result rbl_body_set_bullet(rbl_world *world, rbl_body_id body, bool is_bullet)
{
	return SUBMIT(SET_BULLET, .number = is_bullet);
}

rbl_result rbl_body_set_user(rbl_world *world, rbl_body_id body, uint64_t user)
{
	return SUBMIT(SET_USER, .number = user);
}
