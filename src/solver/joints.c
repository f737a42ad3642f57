// SPDX-License-Identifier: MIT
//
// Joints: weld, hinge (with joint limits and a motor) and ball. Two anchors stay together, and two
// frames keep their angles.
//
// All are soft constraints as contacts are, solved before them in both iterations of a sub-step.
// They are colored anew in every step, in the order of their indices: no two joints of a color
// share an active body, so the joints of a color are solved by all workers. The last color takes
// what finds no other, one after the other. Anchors and frames follow the bodies within the step.
// Warm starting is done for whole bodies (body_kernels.c); what has changed of the anchors since
// the last sub-step is corrected in rbl_solver_warm_start_joints().
//
// A joint breaks when its mean force or torque in a step exceeds its limit.

#include "solver/state.h"

#include "base/math.h"

typedef struct joint_body {
	rbl_solver_velocity *velocity;
	const rbl_solver_delta *delta;
	const rbl_solver_inertia *inverse; // world axes
} joint_body;

static joint_body body_of(const rbl_solver *s, int body)
{
	return (joint_body){ &s->records.velocity[body], &s->records.delta[body],
		                 &s->records.inverse_inertia[body] };
}

static void apply_impulse(joint_body *body, float sign, rbl_vec3 linear, rbl_vec3 angular)
{
	float inverse_mass = body->inverse->inverse_mass;
	if (!(inverse_mass > 0.0f))
		return;
	body->velocity->linear = rbl_add_scaled(body->velocity->linear, sign * inverse_mass, linear);
	body->velocity->angular = rbl_add_scaled(
		body->velocity->angular, sign, rbl_mat_vec(rbl_solver_tensor(body->inverse), angular));
}

// The inverse inertia of both bodies about a common axis.
static rbl_mat3 add_inertia(const joint_body *a, const joint_body *b)
{
	return rbl_mat_add(rbl_solver_tensor(a->inverse), rbl_solver_tensor(b->inverse));
}

static bool is_active(const rbl_solver *s, int joint)
{
	return rbl_solver_joint_is_live(s, joint) &&
	       (rbl_solver_is_active(s, s->joints.data[joint].def.a) ||
	        rbl_solver_is_active(s, s->joints.data[joint].def.b));
}

static const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f }, along_z = { 0.0f, 0.0f, 1.0f };

// --- colors --------------------------------------------------------------------------------------

enum { JOINT_BLOCK = 32, MIN_SHARED = 64, LAST_COLOR = RBL_SOLVER_JOINT_COLORS - 1 };

static int choose_color(rbl_solver *s, const rbl_solver_joint *def)
{
	uint32_t inactive[2] = { 0, 0 };
	uint32_t *a = rbl_solver_is_active(s, def->a) ? &s->joint_colors[def->a] : &inactive[0];
	uint32_t *b = rbl_solver_is_active(s, def->b) ? &s->joint_colors[def->b] : &inactive[1];
	uint32_t free = ~(*a | *b) & ((1u << LAST_COLOR) - 1);
	if (free == 0)
		return LAST_COLOR;
	int color = rbl_lowest_one(free);
	*a |= 1u << color;
	*b |= 1u << color;
	return color;
}

// Sort the active joints by color; room was made when joints were added.
static void color_joints(rbl_solver *s)
{
	int *starts = s->joint_starts;
	memset(starts, 0, sizeof s->joint_starts);
	s->joint_order.count = 0;
	for (int i = 0; i < s->joints.count; ++i)
		if (is_active(s, i))
			s->joint_colors[s->joints.data[i].def.a] = s->joint_colors[s->joints.data[i].def.b] = 0;
	for (int i = 0; i < s->joints.count; ++i) {
		if (!is_active(s, i))
			continue;
		s->joints.data[i].color = choose_color(s, &s->joints.data[i].def);
		starts[s->joints.data[i].color + 1]++;
		s->joint_order.count++;
	}
	for (int k = 0; k < RBL_SOLVER_JOINT_COLORS; ++k)
		starts[k + 1] += starts[k];
	int next[RBL_SOLVER_JOINT_COLORS];
	memcpy(next, starts, sizeof next);
	for (int i = 0; i < s->joints.count; ++i)
		if (is_active(s, i))
			s->joint_order.data[next[s->joints.data[i].color]++] = i;
}

// --- the step ------------------------------------------------------------------------------------

void rbl_solver_prepare_joints(rbl_solver *s, const rbl_solver_step_context *step)
{
	if (s->joint_ids.live_count == 0) {
		s->joint_order.count = 0;
		memset(s->joint_starts, 0, sizeof s->joint_starts);
		return;
	}
	color_joints(s);
	for (int at = 0; at < s->joint_order.count; ++at) {
		rbl_solver_joint_state *j = &s->joints.data[s->joint_order.data[at]];
		const rbl_solver_pose *a = &s->records.pose[j->def.a], *b = &s->records.pose[j->def.b];
		j->initial_arm_a = j->arm_a = rbl_rotate(a->rotation, j->def.frame_a.position);
		j->initial_arm_b = j->arm_b = rbl_rotate(b->rotation, j->def.frame_b.position);
		j->initial_offset = rbl_add(rbl_sub(b->centre, a->centre), rbl_sub(j->arm_b, j->arm_a));
		j->initial_frame_a = rbl_quat_mul(a->rotation, j->def.frame_a.rotation);
		j->initial_frame_b = rbl_quat_mul(b->rotation, j->def.frame_b.rotation);
		j->axis = rbl_rotate(j->initial_frame_a, along_z);
		bool is_soft = j->def.hertz > 0.0f;
		float hertz =
			is_soft ? j->def.hertz : rbl_minf(s->def.joint_hertz, 0.25f * step->inverse_h);
		j->soft =
			rbl_solver_make_soft(hertz, is_soft ? j->def.damping : s->def.joint_damping, step->h);
		j->linear_sum = j->angular_sum = zero;
		if (j->def.kind == RBL_SOLVER_WELD) {
			joint_body body_a = body_of(s, j->def.a), body_b = body_of(s, j->def.b);
			j->angular_mass = rbl_mat_inverse(add_inertia(&body_a, &body_b));
		}
	}
}

static float axis_impulse(const rbl_solver_joint_state *j)
{
	return j->motor_impulse + j->lower_impulse - j->upper_impulse;
}

// -[r] I^-1 [r]: the change of velocity at an arm by impulses there, through rotation.
static rbl_mat3 arm_response(const joint_body *body, rbl_vec3 r)
{
	rbl_mat3 inverse = rbl_solver_tensor(body->inverse);
	const rbl_vec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	rbl_vec3 columns[3];
	for (int i = 0; i < 3; ++i)
		columns[i] = rbl_cross(rbl_mat_vec(inverse, rbl_cross(r, axes[i])), r);
	return (rbl_mat3){ columns[0], columns[1], columns[2] };
}

static rbl_mat3 point_mass_of(const rbl_solver_joint_state *j, const joint_body *a,
                              const joint_body *b)
{
	rbl_mat3 k = rbl_mat_add(arm_response(a, j->arm_a), arm_response(b, j->arm_b));
	float inverse_mass = a->inverse->inverse_mass + b->inverse->inverse_mass;
	return rbl_mat_inverse(rbl_mat_add(k, rbl_mat_scale(inverse_mass, rbl_mat_identity())));
}

static void warm_start_joint(rbl_solver *s, rbl_solver_joint_state *j, bool is_first)
{
	joint_body a = body_of(s, j->def.a), b = body_of(s, j->def.b);
	rbl_vec3 linear = j->linear_impulse;
	if (is_first) {
		rbl_vec3 angular = rbl_add_scaled(j->angular_impulse, axis_impulse(j), j->axis);
		apply_impulse(&a, -1.0f, linear, rbl_add(rbl_cross(j->arm_a, linear), angular));
		apply_impulse(&b, 1.0f, linear, rbl_add(rbl_cross(j->arm_b, linear), angular));
	} else {
		rbl_vec3 old_a = j->arm_a, old_b = j->arm_b, old_axis = j->axis;
		j->arm_a = rbl_rotate(a.delta->rotation, j->initial_arm_a);
		j->arm_b = rbl_rotate(b.delta->rotation, j->initial_arm_b);
		j->axis = rbl_rotate(rbl_quat_mul(a.delta->rotation, j->initial_frame_a), along_z);
		rbl_vec3 angular = rbl_scale(axis_impulse(j), rbl_sub(j->axis, old_axis));
		apply_impulse(&a, -1.0f, zero,
		              rbl_add(rbl_cross(rbl_sub(j->arm_a, old_a), linear), angular));
		apply_impulse(&b, 1.0f, zero,
		              rbl_add(rbl_cross(rbl_sub(j->arm_b, old_b), linear), angular));
	}
	j->point_mass = point_mass_of(j, &a, &b);
}

static void apply_angular_impulse(joint_body *a, joint_body *b, rbl_vec3 angular)
{
	apply_impulse(a, -1.0f, zero, angular);
	apply_impulse(b, 1.0f, zero, angular);
}

static float axis_speed(const rbl_solver_joint_state *j, const joint_body *a, const joint_body *b)
{
	return rbl_dot(rbl_sub(b->velocity->angular, a->velocity->angular), j->axis);
}

// Motor and joint limits of a hinge: impulses about its axis.
static void solve_axis(rbl_solver_joint_state *j, joint_body *a, joint_body *b,
                       const rbl_solver_step_context *step, float angle, rbl_solver_softness soft)
{
	float k = rbl_dot(j->axis, rbl_mat_vec(add_inertia(a, b), j->axis));
	float mass = k > 0.0f ? 1.0f / k : 0.0f;
	if (j->def.has_motor) {
		float most = j->def.motor_torque * step->h, old = j->motor_impulse;
		float error = axis_speed(j, a, b) - j->def.motor_speed;
		j->motor_impulse = rbl_clampf(old - mass * error, -most, most);
		apply_angular_impulse(a, b, rbl_scale(j->motor_impulse - old, j->axis));
	}
	for (int side = 0; j->def.has_limits && side < 2; ++side) {
		float sign = side ? -1.0f : 1.0f;
		float distance = side ? j->def.upper_angle - angle : angle - j->def.lower_angle;
		float *impulse = side ? &j->upper_impulse : &j->lower_impulse, old = *impulse;
		bool is_apart = distance > 0.0f;
		float bias = is_apart ? distance * step->inverse_h : soft.bias_rate * distance;
		float scaled = mass * (is_apart ? 1.0f : soft.mass_scale);
		float wanted = old - scaled * (sign * axis_speed(j, a, b) + bias) -
		               (is_apart ? 0.0f : soft.impulse_scale) * old;
		*impulse = rbl_maxf(wanted, 0.0f);
		apply_angular_impulse(a, b, rbl_scale(sign * (*impulse - old), j->axis));
	}
}

static float twist_angle(rbl_quat a, rbl_quat b)
{
	rbl_quat q = rbl_quat_mul(rbl_quat_conjugate(a), b);
	float angle = 2.0f * rbl_atan2f(q.z, q.w);
	return angle > RBL_PI_F    ? angle - 2.0f * RBL_PI_F
	       : angle < -RBL_PI_F ? angle + 2.0f * RBL_PI_F
	                           : angle;
}

// The angle of a hinge. With limits it is continuous beyond half a turn, from its last value on:
// where an angle jumps from pi to -pi, a limit would push the wrong way.
static float hinge_angle(const rbl_solver_joint_state *j, rbl_quat frame_a, rbl_quat frame_b)
{
	float angle = twist_angle(frame_a, frame_b);
	if (!j->def.has_limits)
		return angle;
	float turns = floorf((j->angle - angle) / (2.0f * RBL_PI_F) + 0.5f);
	return angle + turns * 2.0f * RBL_PI_F;
}

static void solve_angles(rbl_solver_joint_state *j, joint_body *a, joint_body *b,
                         const rbl_solver_step_context *step, rbl_solver_softness soft)
{
	rbl_quat frame_a = rbl_quat_mul(a->delta->rotation, j->initial_frame_a);
	rbl_quat frame_b = rbl_quat_mul(b->delta->rotation, j->initial_frame_b);
	if (j->def.kind == RBL_SOLVER_HINGE)
		solve_axis(j, a, b, step, hinge_angle(j, frame_a, frame_b), soft);
	rbl_vec3 speed = rbl_sub(b->velocity->angular, a->velocity->angular), answer;
	if (j->def.kind == RBL_SOLVER_WELD) {
		rbl_quat q = rbl_quat_mul(frame_b, rbl_quat_conjugate(frame_a));
		rbl_vec3 error = rbl_scale(q.w < 0.0f ? -2.0f : 2.0f, (rbl_vec3){ q.x, q.y, q.z });
		answer = rbl_mat_vec(j->angular_mass, rbl_add_scaled(speed, soft.bias_rate, error));
	} else {
		// Only the two axes across the hinge are constrained.
		rbl_vec3 error = rbl_cross(j->axis, rbl_rotate(frame_b, along_z));
		rbl_mat3 k = add_inertia(a, b);
		rbl_vec3 u = rbl_perpendicular(j->axis), v = rbl_cross(j->axis, u);
		float uu = rbl_dot(u, rbl_mat_vec(k, u)), uv = rbl_dot(u, rbl_mat_vec(k, v));
		float vv = rbl_dot(v, rbl_mat_vec(k, v)), determinant = uu * vv - uv * uv;
		float scale = determinant > 0.0f ? 1.0f / determinant : 0.0f;
		rbl_vec3 wanted = rbl_add_scaled(speed, soft.bias_rate, error);
		float x = rbl_dot(u, wanted), y = rbl_dot(v, wanted);
		answer = rbl_add(rbl_scale(scale * (vv * x - uv * y), u),
		                 rbl_scale(scale * (uu * y - uv * x), v));
	}
	rbl_vec3 change = rbl_sub(rbl_scale(-soft.mass_scale, answer),
	                          rbl_scale(soft.impulse_scale, j->angular_impulse));
	j->angular_impulse = rbl_add(j->angular_impulse, change);
	apply_angular_impulse(a, b, change);
}

static rbl_vec3 speed_at(const joint_body *body, rbl_vec3 arm)
{
	return rbl_add(body->velocity->linear, rbl_cross(body->velocity->angular, arm));
}

static void solve_point(rbl_solver_joint_state *j, joint_body *a, joint_body *b,
                        rbl_solver_softness soft)
{
	rbl_vec3 arm_a = rbl_rotate(a->delta->rotation, j->initial_arm_a),
			 arm_b = rbl_rotate(b->delta->rotation, j->initial_arm_b);
	rbl_vec3 error =
		rbl_add(j->initial_offset, rbl_sub(b->delta->translation, a->delta->translation));
	error =
		rbl_add(error, rbl_sub(rbl_sub(arm_b, j->initial_arm_b), rbl_sub(arm_a, j->initial_arm_a)));
	rbl_vec3 wanted = rbl_add_scaled(rbl_sub(speed_at(b, j->arm_b), speed_at(a, j->arm_a)),
	                                 soft.bias_rate, error);
	rbl_vec3 change = rbl_sub(rbl_scale(-soft.mass_scale, rbl_mat_vec(j->point_mass, wanted)),
	                          rbl_scale(soft.impulse_scale, j->linear_impulse));
	j->linear_impulse = rbl_add(j->linear_impulse, change);
	apply_impulse(a, -1.0f, change, rbl_cross(j->arm_a, change));
	apply_impulse(b, 1.0f, change, rbl_cross(j->arm_b, change));
}

static void solve_joint(rbl_solver *s, rbl_solver_joint_state *j,
                        const rbl_solver_step_context *step, bool is_soft)
{
	joint_body a = body_of(s, j->def.a), b = body_of(s, j->def.b);
	rbl_solver_softness rigid = { .mass_scale = 1.0f };
	rbl_solver_softness soft = is_soft || j->def.hertz > 0.0f ? j->soft : rigid;
	if (j->def.kind != RBL_SOLVER_BALL)
		solve_angles(j, &a, &b, step, soft);
	solve_point(j, &a, &b, soft);
	if (!is_soft) {
		j->linear_sum = rbl_add(j->linear_sum, j->linear_impulse);
		j->angular_sum =
			rbl_add(j->angular_sum, rbl_add_scaled(j->angular_impulse, axis_impulse(j), j->axis));
	}
}

// The joints of one color, in one iteration.
typedef struct joint_work {
	rbl_solver *s;
	const rbl_solver_step_context *step;
	const int32_t *list;
	bool is_warm_start, is_soft;
} joint_work;

static void solve_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const joint_work *work = context;
	for (int i = begin; i < end; ++i) {
		rbl_solver_joint_state *j = &work->s->joints.data[work->list[i]];
		if (work->is_warm_start)
			warm_start_joint(work->s, j, work->step->is_first);
		else
			solve_joint(work->s, j, work->step, work->is_soft);
	}
}

static void run_joints(joint_work work)
{
	rbl_solver *s = work.s;
	for (int k = 0; k < RBL_SOLVER_JOINT_COLORS; ++k) {
		int count = s->joint_starts[k + 1] - s->joint_starts[k];
		work.list = s->joint_order.data + s->joint_starts[k];
		if (k == LAST_COLOR || (count > 0 && count < MIN_SHARED))
			solve_block(&work, 0, count, 0);
		else if (count > 0)
			rbl_worker_group_for(s->workers, count, JOINT_BLOCK, solve_block, &work);
	}
}

void rbl_solver_warm_start_joints(rbl_solver *s, const rbl_solver_step_context *step)
{
	if (s->joint_order.count > 0)
		run_joints((joint_work){ .s = s, .step = step, .is_warm_start = true });
}

void rbl_solver_solve_joints(rbl_solver *s, const rbl_solver_step_context *step, bool is_soft)
{
	if (s->joint_order.count > 0)
		run_joints((joint_work){ .s = s, .step = step, .is_soft = is_soft });
}

void rbl_solver_finish_joints(rbl_solver *s, const rbl_solver_step_context *step)
{
	for (int i = 0; i < s->joints.count; ++i) {
		if (!is_active(s, i))
			continue;
		rbl_solver_joint_state *j = &s->joints.data[i];
		joint_body a = body_of(s, j->def.a), b = body_of(s, j->def.b);
		j->force = rbl_scale(1.0f / step->dt, j->linear_sum);
		j->torque = rbl_scale(1.0f / step->dt, j->angular_sum);
		j->angle = hinge_angle(j, rbl_quat_mul(a.delta->rotation, j->initial_frame_a),
		                       rbl_quat_mul(b.delta->rotation, j->initial_frame_b));
		bool breaks = (j->def.break_force > 0.0f && rbl_length(j->force) > j->def.break_force) ||
		              (j->def.break_torque > 0.0f && rbl_length(j->torque) > j->def.break_torque);
		if (!breaks)
			continue;
		j->is_broken = true;
		s->broken.data[s->broken.count++] = i; // room was made when it was added
		rbl_solver_wake(s, j->def.a);
		rbl_solver_wake(s, j->def.b);
	}
}

// --- adding and removing -------------------------------------------------------------------------

rbl_solver_joint rbl_default_solver_joint(void)
{
	return (rbl_solver_joint){
		.kind = RBL_SOLVER_WELD,
		.frame_a = rbl_transform_identity(),
		.frame_b = rbl_transform_identity(),
		.damping = 1.0f,
	};
}

bool rbl_solver_reserve_joints(rbl_solver *s, int count)
{
	int capacity = rbl_maxi(count, s->joint_ids.slot_count);
	return rbl_id_pool_reserve(&s->allocator, &s->joint_ids, count) &&
	       rbl_array_reserve(&s->allocator, &s->joints, capacity) &&
	       rbl_array_reserve(&s->allocator, &s->broken, capacity) &&
	       rbl_array_reserve(&s->allocator, &s->joint_order, capacity);
}

rbl_result rbl_solver_add_joint(rbl_solver *s, const rbl_solver_joint *def, int32_t *joint)
{
	RBL_ASSERT(def->a != def->b && def->a > 0 && def->b > 0);
	if (!rbl_solver_reserve_joints(s, s->joint_ids.live_count + 1))
		return RBL_OUT_OF_MEMORY;
	int index = (int)rbl_id_pool_add(&s->allocator, &s->joint_ids).index;
	s->joints.count = rbl_maxi(s->joints.count, index + 1);
	rbl_solver_joint_state *j = &s->joints.data[index];
	*j = (rbl_solver_joint_state){ .def = *def };
	j->angle = 0.5f * (def->lower_angle + def->upper_angle); // the turn nearest to it
	const rbl_solver_pose *poses = s->records.pose;
	j->angle = hinge_angle(j, rbl_quat_mul(poses[def->a].rotation, def->frame_a.rotation),
	                       rbl_quat_mul(poses[def->b].rotation, def->frame_b.rotation));
	for (int side = 0; side < 2; ++side) {
		int body = side ? def->b : def->a;
		rbl_solver_link_add(s, &s->cold[body].first_joint, 2 * index + side, rbl_solver_joint_link);
		rbl_solver_wake(s, body);
	}
	*joint = index;
	return RBL_OK;
}

void rbl_solver_remove_joint(rbl_solver *s, int joint)
{
	RBL_ASSERT(rbl_id_pool_is_live(&s->joint_ids, joint));
	for (int side = 0; side < 2; ++side) {
		int body = rbl_solver_joint_body(s, joint, side);
		rbl_solver_link_remove(s, &s->cold[body].first_joint, 2 * joint + side,
		                       rbl_solver_joint_link);
		rbl_solver_wake(s, body);
	}
	rbl_id_pool_remove(&s->joint_ids, rbl_id_pool_at(&s->joint_ids, joint));
}

void rbl_solver_set_motor(rbl_solver *s, int joint, bool is_on, float speed, float torque)
{
	rbl_solver_joint_state *j = &s->joints.data[joint];
	j->def.has_motor = is_on;
	j->def.motor_speed = speed;
	j->def.motor_torque = torque;
	if (!is_on)
		j->motor_impulse = 0.0f;
	rbl_solver_wake(s, j->def.a);
	rbl_solver_wake(s, j->def.b);
}

rbl_solver_joint_report rbl_solver_report_joint(const rbl_solver *s, int joint)
{
	const rbl_solver_joint_state *j = &s->joints.data[joint];
	return (rbl_solver_joint_report){ .force = j->force,
		                              .torque = j->torque,
		                              .angle = j->angle,
		                              .is_broken = j->is_broken,
		                              .user = j->def.user };
}
