// SPDX-License-Identifier: MIT
//
// Joints by id. The solver has them, with joint limits and motors (solver/joints.c); the world
// checks their definitions and knows their bodies.
//
// While one of its bodies is disabled a joint is suspended: the solver does not have it.

#include "world/world.h"

#include "base/log.h"
#include "world/recording.h"

#include <math.h>

enum { JOINT_COOKIE = 0x6a6f696e };

// Of forces and torques, speeds, lengths, frequencies and damping ratios.
static const float most_force = 1e12f, most_speed = 1e4f, most_length = 1e6f, most_hertz = 1e4f;

rbl_joint_def rbl_default_joint_def(rbl_joint_kind kind)
{
	rbl_joint_def def = { .kind = kind,
		                  .frame_a = rbl_transform_identity(),
		                  .frame_b = rbl_transform_identity(),
		                  .spring_damping = 1.0f,
		                  .break_force = INFINITY,
		                  .break_torque = INFINITY,
		                  .cookie = JOINT_COOKIE };
	if (kind == RBL_JOINT_MOTOR) {
		def.spring_hertz = 5.0f;
		def.motor_force = def.motor_torque = most_force;
	}
	return def;
}

static bool has_joint(const rbl_world *world, rbl_joint_id joint)
{
	return world && rbl_id_pool_has(&world->joint_ids, (rbl_id){ joint.index, joint.generation });
}

static rbl_result check_joint(const rbl_world *world, rbl_joint_id joint)
{
	if (!world)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL");
	if (!has_joint(world, joint))
		return rbl_fail(RBL_STALE_ID, "joint %u of generation %u is gone", joint.index,
		                joint.generation);
	return RBL_OK;
}

rbl_result rbl_joint_def_place(const rbl_world *world, rbl_joint_def *def, rbl_transform frame)
{
	if (!def || def->cookie != JOINT_COOKIE || !rbl_pose_is_valid(frame))
		return rbl_fail(RBL_BAD_ARGUMENT, "def is not from rbl_default_joint_def(), or frame is "
		                                  "not finite and of unit rotation");
	rbl_result result = rbl_world_check_body(world, def->body_a);
	if (result == RBL_OK)
		result = rbl_world_check_body(world, def->body_b);
	if (result != RBL_OK)
		return result;
	def->frame_a = rbl_transform_relative(rbl_body_pose(world, def->body_a), frame);
	def->frame_b = rbl_transform_relative(rbl_body_pose(world, def->body_b), frame);
	return RBL_OK;
}

// --- making -------------------------------------------------------------------------------------

static bool is_angular(rbl_joint_kind kind)
{
	return kind == RBL_JOINT_HINGE || kind == RBL_JOINT_BALL;
}

static bool is_linear(rbl_joint_kind kind)
{
	return kind == RBL_JOINT_PRISMATIC || kind == RBL_JOINT_DISTANCE || kind == RBL_JOINT_WHEEL;
}

static bool drives_with_force(rbl_joint_kind kind)
{
	return kind == RBL_JOINT_PRISMATIC || kind == RBL_JOINT_DISTANCE || kind == RBL_JOINT_MOTOR;
}

static bool drives_with_torque(rbl_joint_kind kind)
{
	return is_angular(kind) || kind == RBL_JOINT_WHEEL || kind == RBL_JOINT_MOTOR;
}

// A copy of a definition without the fields that its kind does not read.
static rbl_joint_def clear_unread(rbl_joint_def def)
{
	rbl_joint_kind kind = def.kind;
	def.has_limits &= is_angular(kind) || is_linear(kind);
	if (!def.has_limits || !is_angular(kind))
		def.lower_angle = def.upper_angle = 0.0f;
	if (!def.has_limits || !is_linear(kind))
		def.lower_distance = def.upper_distance = 0.0f;
	def.has_cone &= kind == RBL_JOINT_BALL;
	if (!def.has_cone)
		def.cone_angle = 0.0f;
	def.has_motor &= kind != RBL_JOINT_WELD && kind != RBL_JOINT_MOTOR;
	bool has_motor = def.has_motor || kind == RBL_JOINT_MOTOR;
	if (!def.has_motor)
		def.motor_speed = 0.0f;
	if (!has_motor || !drives_with_force(kind))
		def.motor_force = 0.0f;
	if (!has_motor || !drives_with_torque(kind))
		def.motor_torque = 0.0f;
	def.has_spring |= kind == RBL_JOINT_MOTOR;
	if (!def.has_spring)
		def.spring_hertz = 0.0f, def.spring_damping = 1.0f;
	if (!def.has_spring || !(kind == RBL_JOINT_HINGE || is_linear(kind)))
		def.spring_target = 0.0f;
	return def;
}

static rbl_result check_limits(const rbl_joint_def *def)
{
	const float half_turn = 3.1415928f;
	if (!(def->lower_angle >= -half_turn && def->upper_angle <= half_turn &&
	      def->lower_angle <= def->upper_angle))
		return rbl_fail(RBL_BAD_ARGUMENT, "limits %g to %g must lie within -pi to pi",
		                (double)def->lower_angle, (double)def->upper_angle);
	float least = def->kind == RBL_JOINT_DISTANCE ? 0.0f : -most_length;
	if (!(def->lower_distance >= least && def->upper_distance <= most_length &&
	      def->lower_distance <= def->upper_distance))
		return rbl_fail(RBL_BAD_ARGUMENT, "limits %g to %g m must rise and lie within %g to %g",
		                (double)def->lower_distance, (double)def->upper_distance, (double)least,
		                (double)most_length);
	if (!(def->cone_angle >= 0.0f && def->cone_angle <= half_turn))
		return rbl_fail(RBL_BAD_ARGUMENT, "cone_angle is %g, not 0 to pi", (double)def->cone_angle);
	return RBL_OK;
}

// The numbers of a definition, after clear_unread().
static rbl_result check_numbers(const rbl_joint_def *def)
{
	rbl_result result = check_limits(def);
	if (result != RBL_OK)
		return result;
	if (!(fabsf(def->motor_speed) <= most_speed) ||
	    !(def->motor_force >= 0.0f && def->motor_force <= most_force) ||
	    !(def->motor_torque >= 0.0f && def->motor_torque <= most_force))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "motor_speed, motor_force or motor_torque is out of range");
	if (def->has_spring && (!(def->spring_hertz > 0.0f && def->spring_hertz <= most_hertz) ||
	                        !(def->spring_damping >= 0.0f && def->spring_damping <= most_hertz) ||
	                        !(fabsf(def->spring_target) <= most_length)))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "spring_hertz, spring_damping or spring_target is out of range");
	if (!rbl_pose_is_valid(def->frame_a) || !rbl_pose_is_valid(def->frame_b) ||
	    !rbl_world_is_position(def->frame_a.position) ||
	    !rbl_world_is_position(def->frame_b.position))
		return rbl_fail(RBL_BAD_ARGUMENT, "a frame is not finite, or its rotation not of unit "
		                                  "length");
	if (!(def->break_force > 0.0f) || !(def->break_torque > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "break_force and break_torque must be > 0");
	return RBL_OK;
}

static rbl_result check_joint_def(const rbl_world *world, const rbl_joint_def *def)
{
	if (!world || !def || def->cookie != JOINT_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or def not from rbl_default_joint_def()");
	if ((int)def->kind < 0 || def->kind >= RBL_JOINT_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "kind is %d", (int)def->kind);
	// What is only promised is checked when it is there.
	bool has_a = !(world->is_stepping && rbl_world_is_promised(world, def->body_a));
	bool has_b = !(world->is_stepping && rbl_world_is_promised(world, def->body_b));
	rbl_result result = has_a ? rbl_world_check_body(world, def->body_a) : RBL_OK;
	if (result == RBL_OK && has_b)
		result = rbl_world_check_body(world, def->body_b);
	if (result != RBL_OK)
		return result;
	if (def->body_a.index == def->body_b.index)
		return rbl_fail(RBL_BAD_ARGUMENT, "a joint needs two bodies");
	if (has_a && has_b && world->bodies[def->body_a.index].kind != RBL_BODY_DYNAMIC &&
	    world->bodies[def->body_b.index].kind != RBL_BODY_DYNAMIC)
		return rbl_fail(RBL_BAD_ARGUMENT, "one body of a joint must be dynamic");
	rbl_joint_def read = clear_unread(*def);
	return check_numbers(&read);
}

static rbl_transform about_centre(const rbl_world *world, int body, rbl_transform frame)
{
	frame.position = rbl_sub(frame.position, world->bodies[body].local_centre);
	frame.rotation = rbl_quat_normalize(frame.rotation);
	return frame;
}

static rbl_solver_joint make_solver_joint(const rbl_world *world, int joint,
                                          const rbl_joint_def *from)
{
	const rbl_world_joint *j = &world->joints.data[joint];
	_Static_assert((int)RBL_JOINT_MOTOR == (int)RBL_SOLVER_MOTOR &&
	                   (int)RBL_JOINT_KIND_COUNT == (int)RBL_SOLVER_JOINT_KINDS,
	               "the kinds of joints are in the same order");
	return (rbl_solver_joint){
		.kind = (rbl_solver_joint_kind)j->kind,
		.a = world->bodies[j->body_a].solver_body,
		.b = world->bodies[j->body_b].solver_body,
		.frame_a = j->frame_a,
		.frame_b = j->frame_b,
		.hertz = from->spring_hertz,
		.damping = from->spring_damping,
		.target = from->spring_target,
		.has_limits = from->has_limits,
		.has_motor = from->has_motor,
		.has_cone = from->has_cone,
		.lower = is_linear(j->kind) ? from->lower_distance : from->lower_angle,
		.upper = is_linear(j->kind) ? from->upper_distance : from->upper_angle,
		.cone_angle = from->cone_angle,
		.motor_speed = from->motor_speed,
		.motor_force = from->motor_force,
		.motor_torque = from->motor_torque,
		.break_force = isinf(from->break_force) ? 0.0f : from->break_force,
		.break_torque = isinf(from->break_torque) ? 0.0f : from->break_torque,
		.user = (uint32_t)joint,
	};
}

// Add a joint to the solver if it has both bodies. @return false when memory ran out
static bool enter_solver(rbl_world *world, int joint)
{
	rbl_world_joint *j = &world->joints.data[joint];
	j->solver_joint = RBL_NONE;
	if (!world->solver || world->bodies[j->body_a].solver_body == RBL_NONE ||
	    world->bodies[j->body_b].solver_body == RBL_NONE)
		return true;
	rbl_solver_joint def = make_solver_joint(world, joint, &j->def);
	return rbl_solver_add_joint(world->solver, &def, &j->solver_joint) == RBL_OK;
}

static void link_joint(rbl_world *world, int joint)
{
	rbl_world_joint *j = &world->joints.data[joint];
	j->next_a = world->bodies[j->body_a].first_joint;
	world->bodies[j->body_a].first_joint = joint;
	j->next_b = world->bodies[j->body_b].first_joint;
	world->bodies[j->body_b].first_joint = joint;
}

int32_t *rbl_world_next_joint(rbl_world *world, int joint, int body)
{
	rbl_world_joint *j = &world->joints.data[joint];
	return j->body_a == body ? &j->next_a : &j->next_b;
}

static void unlink_joint(rbl_world *world, int joint, int body)
{
	int *at = &world->bodies[body].first_joint;
	while (*at != joint)
		at = rbl_world_next_joint(world, *at, body);
	*at = *rbl_world_next_joint(world, joint, body);
}

// Remove the contacts of two bodies that a joint keeps from colliding.
static void drop_pairs(rbl_world *world, int body_a, int body_b)
{
	RBL_EACH_PART (p, world, body_a) {
		int pair = world->parts[p].first_pair;
		while (pair != RBL_NONE) {
			int next = rbl_world_next_pair(world, p, pair);
			const rbl_pair_record *record = &world->pairs[pair];
			int other = world->hot_parts[record->a == p ? record->b : record->a].body;
			if (other == body_b)
				rbl_world_remove_pair(world, pair, true);
			pair = next;
		}
	}
}

static bool reserve_joint(rbl_world *world)
{
	const rbl_allocator *a = &world->allocator;
	int slots = world->joint_ids.slot_count + 1;
	return rbl_id_pool_reserve(a, &world->joint_ids, slots) &&
	       rbl_array_reserve(a, &world->joints, slots) &&
	       (!world->solver || rbl_solver_reserve(world->solver, 0, 1));
}

// Memory is reserved, and the id is live.
static void fill_joint(rbl_world *world, const rbl_joint_def *def, int joint)
{
	world->joints.count = rbl_maxi(world->joints.count, world->joint_ids.slot_count);
	int body_a = (int)def->body_a.index, body_b = (int)def->body_b.index;
	world->joints.data[joint] = (rbl_world_joint){
		.kind = def->kind,
		.body_a = body_a,
		.body_b = body_b,
		.collides = def->collides,
		.frame_a = about_centre(world, body_a, def->frame_a),
		.frame_b = about_centre(world, body_b, def->frame_b),
		.def = clear_unread(*def),
	};
	bool is_in = enter_solver(world, joint);
	RBL_ASSERT(is_in); // memory was reserved
	(void)is_in;
	link_joint(world, joint);
	if (!def->collides)
		drop_pairs(world, body_a, body_b);
	rbl_world_wake(world, body_a);
	rbl_world_wake(world, body_b);
}

rbl_result rbl_world_create_promised_joint(rbl_world *world, const rbl_joint_def *def,
                                           rbl_joint_id promised)
{
	rbl_id id = { promised.index, promised.generation };
	rbl_result result = check_joint_def(world, def);
	if (result == RBL_OK && !reserve_joint(world))
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK) {
		rbl_id_pool_break_promise(&world->joint_ids, id);
		return result;
	}
	rbl_id_pool_keep_promise(&world->joint_ids, id);
	fill_joint(world, def, (int)id.index);
	return RBL_OK;
}

rbl_joint_id rbl_create_joint(rbl_world *world, const rbl_joint_def *def)
{
	const rbl_joint_id none = { 0, 0 };
	if (check_joint_def(world, def) != RBL_OK)
		return none;
	if (world->is_stepping)
		return rbl_world_queue_joint(world, def);
	if (!reserve_joint(world)) {
		rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a joint");
		return none;
	}
	rbl_id id = rbl_id_pool_add(&world->allocator, &world->joint_ids);
	fill_joint(world, def, (int)id.index);
	rbl_record_joint(world, def, (rbl_joint_id){ id.index, id.generation });
	return (rbl_joint_id){ id.index, id.generation };
}

// --- the end ------------------------------------------------------------------------------------

void rbl_world_remove_joint(rbl_world *world, int joint, bool with_solver)
{
	rbl_world_joint *j = &world->joints.data[joint];
	if (with_solver && j->solver_joint != RBL_NONE)
		rbl_solver_remove_joint(world->solver, j->solver_joint);
	unlink_joint(world, joint, j->body_a);
	unlink_joint(world, joint, j->body_b);
	// All pairs are compared, so that bodies that could not collide are found again, and those that
	// passed through something because of what they hung on.
	world->pairs_are_stale |= !j->collides || world->passing_count > 0;
	rbl_id_pool_remove(&world->joint_ids, rbl_id_pool_at(&world->joint_ids, joint));
}

void rbl_world_remove_joints(rbl_world *world, int body, bool with_solver)
{
	while (world->bodies[body].first_joint != RBL_NONE)
		rbl_world_remove_joint(world, world->bodies[body].first_joint, with_solver);
}

int rbl_world_count_joints(rbl_world *world, int body)
{
	int count = 0;
	for (int i = world->bodies[body].first_joint; i != RBL_NONE;
	     i = *rbl_world_next_joint(world, i, body))
		count++;
	return count;
}

void rbl_world_suspend_joints(rbl_world *world, int body)
{
	for (int i = world->bodies[body].first_joint; i != RBL_NONE;
	     i = *rbl_world_next_joint(world, i, body)) {
		rbl_world_joint *j = &world->joints.data[i];
		if (j->solver_joint != RBL_NONE)
			rbl_solver_remove_joint(world->solver, j->solver_joint);
		j->solver_joint = RBL_NONE;
	}
}

void rbl_world_resume_joints(rbl_world *world, int body)
{
	for (int i = world->bodies[body].first_joint; i != RBL_NONE;
	     i = *rbl_world_next_joint(world, i, body))
		if (world->joints.data[i].solver_joint == RBL_NONE) {
			bool is_in = enter_solver(world, i);
			RBL_ASSERT(is_in); // memory was reserved, or was its own before
			(void)is_in;
		}
}

void rbl_world_shift_joints(rbl_world *world, int body, rbl_vec3 shift)
{
	if (world->bodies[body].first_joint == RBL_NONE || rbl_length_squared(shift) == 0.0f)
		return;
	rbl_world_suspend_joints(world, body);
	for (int i = world->bodies[body].first_joint; i != RBL_NONE;
	     i = *rbl_world_next_joint(world, i, body)) {
		rbl_world_joint *j = &world->joints.data[i];
		rbl_transform *frame = j->body_a == body ? &j->frame_a : &j->frame_b;
		frame->position = rbl_sub(frame->position, shift);
	}
	rbl_world_resume_joints(world, body);
}

void rbl_world_free_joints(rbl_world *world)
{
	rbl_array_free(&world->allocator, &world->joints);
	rbl_id_pool_free(&world->allocator, &world->joint_ids);
}

rbl_result rbl_destroy_joint(rbl_world *world, rbl_joint_id joint)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_command command = { .kind = RBL_COMMAND_DESTROY_JOINT, .joint = joint };
	if (world->is_stepping)
		result = rbl_world_queue_command(world, &command);
	if (result == RBL_OK)
		rbl_record_command(world, &command);
	if (world->is_stepping)
		return result;
	const rbl_world_joint *j = &world->joints.data[joint.index];
	int a = j->body_a, b = j->body_b;
	rbl_world_remove_joint(world, (int)joint.index, true);
	rbl_world_wake(world, a);
	rbl_world_wake(world, b);
	return RBL_OK;
}

// --- from body to body --------------------------------------------------------------------------

void rbl_world_move_joint(rbl_world *world, int joint, int from, int to)
{
	rbl_world_joint *j = &world->joints.data[joint];
	if (j->solver_joint != RBL_NONE)
		rbl_solver_remove_joint(world->solver, j->solver_joint);
	unlink_joint(world, joint, from);
	bool is_a = j->body_a == from;
	rbl_transform *frame = is_a ? &j->frame_a : &j->frame_b;
	rbl_vec3 shift = rbl_sub(world->bodies[from].local_centre, world->bodies[to].local_centre);
	frame->position = rbl_add(frame->position, shift);
	*(is_a ? &j->body_a : &j->body_b) = to;
	*rbl_world_next_joint(world, joint, to) = world->bodies[to].first_joint;
	world->bodies[to].first_joint = joint;
	// Its old place in the solver is free; it may have been suspended with a disabled body.
	world->stats.lost_count += !enter_solver(world, joint);
	if (!j->collides)
		drop_pairs(world, j->body_a, j->body_b);
	// `from` may collide with the other body again, and with what it passed because it hung on it.
	world->pairs_are_stale |= !j->collides || world->passing_count > 0;
	rbl_world_wake(world, j->body_a);
	rbl_world_wake(world, j->body_b);
}

// --- reading ------------------------------------------------------------------------------------

bool rbl_world_is_joined(const rbl_world *world, int body_a, int body_b)
{
	int body = world->bodies[body_a].first_joint != RBL_NONE ? body_a : body_b;
	for (int i = world->bodies[body].first_joint; i != RBL_NONE;) {
		const rbl_world_joint *j = &world->joints.data[i];
		if (!j->collides && ((j->body_a == body_a && j->body_b == body_b) ||
		                     (j->body_a == body_b && j->body_b == body_a)))
			return true;
		i = j->body_a == body ? j->next_a : j->next_b;
	}
	return false;
}

bool rbl_joint_exists(const rbl_world *world, rbl_joint_id joint)
{
	return has_joint(world, joint);
}

// --- changing -----------------------------------------------------------------------------------

rbl_result rbl_world_apply_joint(rbl_world *world, int joint, const rbl_joint_def *def)
{
	rbl_world_joint *j = &world->joints.data[joint];
	rbl_joint_def now = clear_unread(*def);
	if (j->solver_joint != RBL_NONE) {
		rbl_solver_joint values = make_solver_joint(world, joint, &now);
		values.frame_a = about_centre(world, j->body_a, now.frame_a);
		values.frame_b = about_centre(world, j->body_b, now.frame_b);
		if (rbl_solver_set_joint(world->solver, j->solver_joint, &values) != RBL_OK)
			return RBL_OUT_OF_MEMORY;
	}
	j->def = now;
	j->frame_a = about_centre(world, j->body_a, now.frame_a);
	j->frame_b = about_centre(world, j->body_b, now.frame_b);
	rbl_world_wake(world, j->body_a);
	rbl_world_wake(world, j->body_b);
	return RBL_OK;
}

rbl_joint_def rbl_joint_get_def(const rbl_world *world, rbl_joint_id joint)
{
	if (!has_joint(world, joint))
		return rbl_default_joint_def(RBL_JOINT_WELD);
	const rbl_world_joint *j = &world->joints.data[joint.index];
	rbl_joint_def def = j->def;
	def.body_a = rbl_world_body_id(world, j->body_a);
	def.body_b = rbl_world_body_id(world, j->body_b);
	return def;
}

static bool is_body(const rbl_world *world, int body, rbl_body_id id)
{
	rbl_body_id own = rbl_world_body_id(world, body);
	return own.index == id.index && own.generation == id.generation;
}

rbl_result rbl_joint_set_def(rbl_world *world, rbl_joint_id joint, const rbl_joint_def *def)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	if (!def || def->cookie != JOINT_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "def is not from rbl_joint_get_def()");
	const rbl_world_joint *j = &world->joints.data[joint.index];
	if (def->kind != j->kind || def->collides != j->collides || def->user != j->def.user ||
	    !is_body(world, j->body_a, def->body_a) || !is_body(world, j->body_b, def->body_b))
		return rbl_fail(RBL_BAD_ARGUMENT, "kind, bodies, collides and user of a joint cannot be "
		                                  "changed: destroy it and create another");
	rbl_joint_def read = clear_unread(*def);
	result = check_numbers(&read);
	if (result != RBL_OK)
		return result;
	rbl_command command = { .kind = RBL_COMMAND_SET_JOINT, .joint = joint, .joint_def = read };
	if (world->is_stepping)
		result = rbl_world_queue_command(world, &command);
	else
		result = rbl_world_apply_joint(world, (int)joint.index, &read);
	if (result == RBL_OK)
		rbl_record_joint_change(world, &read, joint);
	return result;
}

static bool is_of_kind(const rbl_world *world, rbl_joint_id joint, bool of_kind, const char *what)
{
	if (of_kind)
		return true;
	rbl_fail(RBL_BAD_ARGUMENT, "a joint of kind %d has no %s",
	         (int)world->joints.data[joint.index].kind, what);
	return false;
}

rbl_result rbl_joint_set_motor(rbl_world *world, rbl_joint_id joint, float speed, float most)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_joint_def def = rbl_joint_get_def(world, joint);
	bool of_kind = is_angular(def.kind) || is_linear(def.kind);
	if (!is_of_kind(world, joint, of_kind, "motor"))
		return RBL_BAD_ARGUMENT;
	def.has_motor = !(most <= 0.0f);
	def.motor_speed = speed;
	def.motor_force = drives_with_force(def.kind) ? most : 0.0f;
	def.motor_torque = drives_with_torque(def.kind) ? most : 0.0f;
	if (!(fabsf(speed) <= most_speed) || !(most >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "speed or torque of a motor is out of range");
	return rbl_joint_set_def(world, joint, &def);
}

rbl_result rbl_joint_set_limits(rbl_world *world, rbl_joint_id joint, bool has_limits, float lower,
                                float upper)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_joint_def def = rbl_joint_get_def(world, joint);
	bool of_kind = is_angular(def.kind) || is_linear(def.kind);
	if (!is_of_kind(world, joint, of_kind, "limits"))
		return RBL_BAD_ARGUMENT;
	def.has_limits = has_limits;
	def.lower_angle = def.lower_distance = lower;
	def.upper_angle = def.upper_distance = upper;
	return rbl_joint_set_def(world, joint, &def);
}

rbl_result rbl_joint_set_cone(rbl_world *world, rbl_joint_id joint, bool has_cone, float angle)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_joint_def def = rbl_joint_get_def(world, joint);
	if (!is_of_kind(world, joint, def.kind == RBL_JOINT_BALL, "cone"))
		return RBL_BAD_ARGUMENT;
	def.has_cone = has_cone, def.cone_angle = angle;
	return rbl_joint_set_def(world, joint, &def);
}

rbl_result rbl_joint_set_spring(rbl_world *world, rbl_joint_id joint, float hertz, float damping,
                                float target)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_joint_def def = rbl_joint_get_def(world, joint);
	def.has_spring = !(hertz == 0.0f);
	def.spring_hertz = hertz, def.spring_damping = damping, def.spring_target = target;
	return rbl_joint_set_def(world, joint, &def);
}

rbl_result rbl_joint_set_break(rbl_world *world, rbl_joint_id joint, float force, float torque)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_joint_def def = rbl_joint_get_def(world, joint);
	def.break_force = force, def.break_torque = torque;
	return rbl_joint_set_def(world, joint, &def);
}

rbl_result rbl_joint_set_frames(rbl_world *world, rbl_joint_id joint, rbl_transform frame_a,
                                rbl_transform frame_b)
{
	rbl_result result = check_joint(world, joint);
	if (result != RBL_OK)
		return result;
	rbl_joint_def def = rbl_joint_get_def(world, joint);
	def.frame_a = frame_a, def.frame_b = frame_b;
	return rbl_joint_set_def(world, joint, &def);
}

int rbl_body_get_joints(const rbl_world *world, rbl_body_id body, rbl_joint_id *joints,
                        int capacity)
{
	if (rbl_world_check_body(world, body) != RBL_OK)
		return 0;
	int count = 0;
	for (int i = world->bodies[body.index].first_joint; i != RBL_NONE; ++count) {
		rbl_id id = rbl_id_pool_at(&world->joint_ids, i);
		if (joints && count < capacity)
			joints[count] = (rbl_joint_id){ id.index, id.generation };
		const rbl_world_joint *j = &world->joints.data[i];
		i = j->body_a == (int)body.index ? j->next_a : j->next_b;
	}
	return count;
}

// The frame of a joint on one of its bodies, in the world.
static rbl_transform world_frame(const rbl_world *world, int body, rbl_transform frame)
{
	frame.position = rbl_add(frame.position, world->bodies[body].local_centre);
	return rbl_transform_mul(rbl_body_pose(world, rbl_world_body_id(world, body)), frame);
}

rbl_joint_state rbl_joint_get_state(const rbl_world *world, rbl_joint_id joint)
{
	if (!has_joint(world, joint))
		return (rbl_joint_state){ .kind = RBL_JOINT_WELD };
	const rbl_world_joint *j = &world->joints.data[joint.index];
	rbl_joint_state state = { .kind = j->kind,
		                      .body_a = rbl_world_body_id(world, j->body_a),
		                      .body_b = rbl_world_body_id(world, j->body_b),
		                      .frame_a = world_frame(world, j->body_a, j->frame_a),
		                      .frame_b = world_frame(world, j->body_b, j->frame_b),
		                      .user = j->def.user };
	if (j->solver_joint != RBL_NONE) {
		rbl_solver_joint_report report = rbl_solver_report_joint(world->solver, j->solver_joint);
		state.force = rbl_length(report.force);
		state.torque = rbl_length(report.torque);
		if (is_linear(j->kind))
			state.distance = report.coordinate;
		else
			state.angle = report.coordinate;
	}
	return state;
}
