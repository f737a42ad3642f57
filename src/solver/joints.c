// SPDX-License-Identifier: MIT
//
// Joints: two anchors that stay together, and frames that keep their angles.
//
// All are soft constraints as contacts are, solved before them in both sweeps of a sub-step. They are
// coloured anew in every step, in the order of their indices: no two joints of a colour share a body
// that moves, so a colour is solved by all workers. The last colour takes what finds no other, one
// after the other. Arms and frames follow the bodies within the step. Bodies add the impulses of the last
// sub-step by themselves (body_kernels.c); what has changed of the arms since then is put right in
// rbl_joints_warm().
//
// A joint breaks when its mean force or torque in a step exceeds what it bears.

#include "solver/state.h"

#include "base/math.h"

typedef struct joint_body {
	rbl_solver_velocity *velocity;
	const float *delta, *inertia;
} joint_body;

static joint_body body_of(const rbl_solver *s, int body)
{
	return (joint_body){ rbl_velocity_of(s, body), rbl_record(s->records.delta, body),
		                 rbl_record(s->records.inertia, body) };
}

static rbl_mat3 inertia_of(const joint_body *body)
{
	const float *m = body->inertia;
	return (rbl_mat3){ { m[0], m[4], m[5] }, { m[4], m[1], m[6] }, { m[5], m[6], m[2] } };
}

static void add_velocity(joint_body *body, float sign, rbl_vec3 impulse, rbl_vec3 angular)
{
	if (!(body->inertia[3] > 0.0f))
		return;
	body->velocity->linear =
		rbl_add_scaled(body->velocity->linear, sign * body->inertia[3], impulse);
	body->velocity->angular =
		rbl_add_scaled(body->velocity->angular, sign, rbl_mat_vec(inertia_of(body), angular));
}

static bool is_active(const rbl_solver *s, int joint)
{
	return rbl_joint_is_live(s, joint) && (rbl_body_is_active(s, s->joints.data[joint].def.a) ||
	                                       rbl_body_is_active(s, s->joints.data[joint].def.b));
}

static rbl_quat turn_of(const joint_body *body)
{
	return (rbl_quat){ body->delta[4], body->delta[5], body->delta[6], body->delta[7] };
}

static rbl_vec3 shift_of(const joint_body *body)
{
	return (rbl_vec3){ body->delta[0], body->delta[1], body->delta[2] };
}

static const rbl_vec3 along_z = { 0.0f, 0.0f, 1.0f };

// --- colours -------------------------------------------------------------------------------------

enum { JOINT_BLOCK = 32, LEAST_SHARED = 64, LAST_COLOUR = RBL_JOINT_COLOURS - 1 };

// The colours of a body's joints are bits in scratch memory that only sleep uses.
static int choose_colour(rbl_solver *s, const rbl_solver_joint *def)
{
	int32_t nothing[2] = { 0, 0 };
	int32_t *masks[2] = { rbl_body_is_active(s, def->a) ? &s->parents[def->a] : &nothing[0],
		                  rbl_body_is_active(s, def->b) ? &s->parents[def->b] : &nothing[1] };
	uint32_t taken = (uint32_t)*masks[0] | (uint32_t)*masks[1];
	uint32_t free = ~taken & ((1u << LAST_COLOUR) - 1);
	if (free == 0)
		return LAST_COLOUR;
	int colour = rbl_lowest_one(free);
	*masks[0] |= (int32_t)(1u << colour);
	*masks[1] |= (int32_t)(1u << colour);
	return colour;
}

// Fill the order; room was made when joints were added.
static void colour_joints(rbl_solver *s)
{
	int *starts = s->joint_starts;
	memset(starts, 0, sizeof s->joint_starts);
	s->joint_order.count = 0;
	for (int i = 0; i < s->joints.count; ++i)
		if (is_active(s, i))
			s->parents[s->joints.data[i].def.a] = s->parents[s->joints.data[i].def.b] = 0;
	for (int i = 0; i < s->joints.count; ++i) {
		if (!is_active(s, i))
			continue;
		s->joints.data[i].colour = choose_colour(s, &s->joints.data[i].def);
		starts[s->joints.data[i].colour + 1]++;
		s->joint_order.count++;
	}
	for (int k = 0; k < RBL_JOINT_COLOURS; ++k)
		starts[k + 1] += starts[k];
	int next[RBL_JOINT_COLOURS];
	memcpy(next, starts, sizeof next);
	for (int i = 0; i < s->joints.count; ++i)
		if (is_active(s, i))
			s->joint_order.data[next[s->joints.data[i].colour]++] = i;
}

// One colour of one sweep.
typedef struct joint_work {
	rbl_solver *s;
	const rbl_sweep *sweep;
	const int32_t *list;
	bool is_first, is_soft;
} joint_work;

static void run_joints(joint_work *work, rbl_block_function *function)
{
	rbl_solver *s = work->s;
	for (int k = 0; k < RBL_JOINT_COLOURS; ++k) {
		int count = s->joint_starts[k + 1] - s->joint_starts[k];
		work->list = s->joint_order.data + s->joint_starts[k];
		if (k == LAST_COLOUR || (count > 0 && count < LEAST_SHARED))
			function(work, 0, count, 0);
		else if (count > 0)
			rbl_worker_group_for(s->workers, count, JOINT_BLOCK, function, work);
	}
}

// --- the step ------------------------------------------------------------------------------------

void rbl_joints_prepare(rbl_solver *s, const rbl_sweep *sweep)
{
	if (s->joint_ids.live_count == 0) {
		s->joint_order.count = 0;
		memset(s->joint_starts, 0, sizeof s->joint_starts);
		return;
	}
	colour_joints(s);
	for (int at = 0; at < s->joint_order.count; ++at) {
		rbl_joint *j = &s->joints.data[s->joint_order.data[at]];
		const rbl_solver_pose *a = rbl_pose_of(s, j->def.a), *b = rbl_pose_of(s, j->def.b);
		j->first_a = j->arm_a = rbl_rotate(a->rotation, j->def.frame_a.position);
		j->first_b = j->arm_b = rbl_rotate(b->rotation, j->def.frame_b.position);
		j->gap = rbl_add(rbl_sub(b->centre, a->centre), rbl_sub(j->arm_b, j->arm_a));
		j->begin_a = rbl_quat_mul(a->rotation, j->def.frame_a.rotation);
		j->begin_b = rbl_quat_mul(b->rotation, j->def.frame_b.rotation);
		j->axis = rbl_rotate(j->begin_a, along_z);
		bool is_soft = j->def.hertz > 0.0f;
		float hertz =
			is_soft ? j->def.hertz : rbl_minf(s->def.joint_hertz, 0.25f * sweep->inverse_h);
		float omega = 2.0f * RBL_PI_F * hertz;
		float a1 = 2.0f * (is_soft ? j->def.damping : s->def.joint_damping) + sweep->h * omega;
		float a2 = sweep->h * omega * a1, a3 = 1.0f / (1.0f + a2);
		j->bias_rate = omega / a1, j->mass_scale = a2 * a3, j->impulse_scale = a3;
		j->linear_sum = j->angular_sum = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		if (j->def.kind == RBL_SOLVER_WELD) {
			joint_body body_a = body_of(s, j->def.a), body_b = body_of(s, j->def.b);
			j->turn_mass = rbl_mat_inverse(rbl_mat_add(inertia_of(&body_a), inertia_of(&body_b)));
		}
	}
}

static float axis_impulse(const rbl_joint *j)
{
	return j->motor + j->lower - j->upper;
}

// -[r] I [r]: what impulses at an arm do to its velocity by turning.
static rbl_mat3 arm_response(rbl_mat3 inertia, rbl_vec3 r)
{
	const rbl_vec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	rbl_vec3 columns[3];
	for (int i = 0; i < 3; ++i)
		columns[i] = rbl_cross(rbl_mat_vec(inertia, rbl_cross(r, axes[i])), r);
	return (rbl_mat3){ columns[0], columns[1], columns[2] };
}

static rbl_mat3 point_mass_of(const rbl_joint *j, const joint_body *a, const joint_body *b)
{
	rbl_mat3 k =
		rbl_mat_add(arm_response(inertia_of(a), j->arm_a), arm_response(inertia_of(b), j->arm_b));
	float inverse_mass = a->inertia[3] + b->inertia[3];
	return rbl_mat_inverse(rbl_mat_add(k, rbl_mat_scale(inverse_mass, rbl_mat_identity())));
}

static void warm_joint(rbl_solver *s, rbl_joint *j, bool is_first)
{
	joint_body a = body_of(s, j->def.a), b = body_of(s, j->def.b);
	if (is_first) {
		rbl_vec3 turn = rbl_add_scaled(j->angular, axis_impulse(j), j->axis);
		add_velocity(&a, -1.0f, j->linear, rbl_add(rbl_cross(j->arm_a, j->linear), turn));
		add_velocity(&b, 1.0f, j->linear, rbl_add(rbl_cross(j->arm_b, j->linear), turn));
		j->point_mass = point_mass_of(j, &a, &b);
		return;
	}
	rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
	rbl_vec3 arm_a = rbl_rotate(turn_of(&a), j->first_a),
			 arm_b = rbl_rotate(turn_of(&b), j->first_b);
	rbl_vec3 axis = rbl_rotate(rbl_quat_mul(turn_of(&a), j->begin_a), along_z);
	rbl_vec3 turn = rbl_scale(axis_impulse(j), rbl_sub(axis, j->axis));
	add_velocity(&a, -1.0f, none, rbl_add(rbl_cross(rbl_sub(arm_a, j->arm_a), j->linear), turn));
	add_velocity(&b, 1.0f, none, rbl_add(rbl_cross(rbl_sub(arm_b, j->arm_b), j->linear), turn));
	j->arm_a = arm_a, j->arm_b = arm_b, j->axis = axis;
	j->point_mass = point_mass_of(j, &a, &b);
}

static void warm_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const joint_work *work = context;
	for (int i = begin; i < end; ++i)
		warm_joint(work->s, &work->s->joints.data[work->list[i]], work->is_first);
}

void rbl_joints_warm(rbl_solver *s, bool is_first)
{
	joint_work work = { .s = s, .is_first = is_first };
	if (s->joint_order.count > 0)
		run_joints(&work, warm_block);
}

// The bias and the scales of one sweep over one joint.
typedef struct softness {
	float rate, mass, impulse;
} softness;

static void turn_pair(joint_body *a, joint_body *b, rbl_vec3 angular)
{
	rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
	add_velocity(a, -1.0f, none, angular);
	add_velocity(b, 1.0f, none, angular);
}

// Motor and limits of a hinge: impulses about its axis.
static void solve_axis(rbl_joint *j, joint_body *a, joint_body *b, const rbl_sweep *sweep,
                       float angle, softness soft)
{
	rbl_mat3 sum = rbl_mat_add(inertia_of(a), inertia_of(b));
	float k = rbl_dot(j->axis, rbl_mat_vec(sum, j->axis));
	float mass = k > 0.0f ? 1.0f / k : 0.0f;
	if (j->def.has_motor) {
		float speed = rbl_dot(rbl_sub(b->velocity->angular, a->velocity->angular), j->axis);
		float most = j->def.motor_torque * sweep->h, old = j->motor;
		j->motor = rbl_clampf(old - mass * (speed - j->def.motor_speed), -most, most);
		turn_pair(a, b, rbl_scale(j->motor - old, j->axis));
	}
	for (int side = 0; j->def.has_limits && side < 2; ++side) {
		float sign = side ? -1.0f : 1.0f;
		float room = side ? j->def.upper_angle - angle : angle - j->def.lower_angle;
		float *impulse = side ? &j->upper : &j->lower, old = *impulse;
		float speed = sign * rbl_dot(rbl_sub(b->velocity->angular, a->velocity->angular), j->axis);
		bool is_apart = room > 0.0f;
		float bias = is_apart ? room * sweep->inverse_h : soft.rate * room;
		float wanted = old - mass * (is_apart ? 1.0f : soft.mass) * (speed + bias) -
		               (is_apart ? 0.0f : soft.impulse) * old;
		*impulse = rbl_maxf(wanted, 0.0f);
		turn_pair(a, b, rbl_scale(sign * (*impulse - old), j->axis));
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

// The angle of a hinge. One that has limits goes on counting beyond half a turn, from what it was
// before: where an angle jumps from pi to -pi a limit would push the wrong way.
static float hinge_angle(const rbl_joint *j, rbl_quat frame_a, rbl_quat frame_b)
{
	float angle = twist_angle(frame_a, frame_b);
	if (!j->def.has_limits)
		return angle;
	float turns = floorf((j->angle - angle) / (2.0f * RBL_PI_F) + 0.5f);
	return angle + turns * 2.0f * RBL_PI_F;
}

static void solve_angles(rbl_joint *j, joint_body *a, joint_body *b, const rbl_sweep *sweep,
                         softness soft)
{
	rbl_quat frame_a = rbl_quat_mul(turn_of(a), j->begin_a);
	rbl_quat frame_b = rbl_quat_mul(turn_of(b), j->begin_b);
	if (j->def.kind == RBL_SOLVER_HINGE)
		solve_axis(j, a, b, sweep, hinge_angle(j, frame_a, frame_b), soft);
	rbl_mat3 k = rbl_mat_add(inertia_of(a), inertia_of(b));
	rbl_vec3 speed = rbl_sub(b->velocity->angular, a->velocity->angular), error;
	if (j->def.kind == RBL_SOLVER_WELD) {
		rbl_quat q = rbl_quat_mul(frame_b, rbl_quat_conjugate(frame_a));
		error = rbl_scale(q.w < 0.0f ? -2.0f : 2.0f, (rbl_vec3){ q.x, q.y, q.z });
	} else {
		// About the axis the joint yields to everything: stiffness there is infinite, speed zero.
		error = rbl_cross(j->axis, rbl_rotate(frame_b, along_z));
		rbl_vec3 u = rbl_perpendicular(j->axis), v = rbl_cross(j->axis, u);
		float uu = rbl_dot(u, rbl_mat_vec(k, u)), uv = rbl_dot(u, rbl_mat_vec(k, v));
		float vv = rbl_dot(v, rbl_mat_vec(k, v)), determinant = uu * vv - uv * uv;
		float scale = determinant > 0.0f ? 1.0f / determinant : 0.0f;
		rbl_vec3 wanted = rbl_add_scaled(speed, soft.rate, error);
		float x = rbl_dot(u, wanted), y = rbl_dot(v, wanted);
		rbl_vec3 answer = rbl_add(rbl_scale(scale * (vv * x - uv * y), u),
		                          rbl_scale(scale * (uu * y - uv * x), v));
		rbl_vec3 change =
			rbl_sub(rbl_scale(-soft.mass, answer), rbl_scale(soft.impulse, j->angular));
		j->angular = rbl_add(j->angular, change);
		turn_pair(a, b, change);
		return;
	}
	rbl_vec3 wanted = rbl_add_scaled(speed, soft.rate, error);
	rbl_vec3 change = rbl_sub(rbl_scale(-soft.mass, rbl_mat_vec(j->turn_mass, wanted)),
	                          rbl_scale(soft.impulse, j->angular));
	j->angular = rbl_add(j->angular, change);
	turn_pair(a, b, change);
}

static rbl_vec3 speed_at(const joint_body *body, rbl_vec3 arm)
{
	return rbl_add(body->velocity->linear, rbl_cross(body->velocity->angular, arm));
}

static void solve_point(rbl_joint *j, joint_body *a, joint_body *b, softness soft)
{
	rbl_vec3 arm_a = rbl_rotate(turn_of(a), j->first_a), arm_b = rbl_rotate(turn_of(b), j->first_b);
	rbl_vec3 error = rbl_add(j->gap, rbl_sub(shift_of(b), shift_of(a)));
	error = rbl_add(error, rbl_sub(rbl_sub(arm_b, j->first_b), rbl_sub(arm_a, j->first_a)));
	rbl_vec3 wanted =
		rbl_add_scaled(rbl_sub(speed_at(b, j->arm_b), speed_at(a, j->arm_a)), soft.rate, error);
	rbl_vec3 change = rbl_sub(rbl_scale(-soft.mass, rbl_mat_vec(j->point_mass, wanted)),
	                          rbl_scale(soft.impulse, j->linear));
	j->linear = rbl_add(j->linear, change);
	add_velocity(a, -1.0f, change, rbl_cross(j->arm_a, change));
	add_velocity(b, 1.0f, change, rbl_cross(j->arm_b, change));
}

static void solve_joint(rbl_solver *s, rbl_joint *j, const rbl_sweep *sweep, bool is_soft)
{
	joint_body a = body_of(s, j->def.a), b = body_of(s, j->def.b);
	softness soft = { 0.0f, 1.0f, 0.0f };
	if (is_soft || j->def.hertz > 0.0f)
		soft = (softness){ j->bias_rate, j->mass_scale, j->impulse_scale };
	if (j->def.kind != RBL_SOLVER_BALL)
		solve_angles(j, &a, &b, sweep, soft);
	solve_point(j, &a, &b, soft);
	if (!is_soft) {
		j->linear_sum = rbl_add(j->linear_sum, j->linear);
		j->angular_sum =
			rbl_add(j->angular_sum, rbl_add_scaled(j->angular, axis_impulse(j), j->axis));
	}
}

static void solve_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const joint_work *work = context;
	for (int i = begin; i < end; ++i)
		solve_joint(work->s, &work->s->joints.data[work->list[i]], work->sweep, work->is_soft);
}

void rbl_joints_solve(rbl_solver *s, const rbl_sweep *sweep, bool is_soft)
{
	joint_work work = { .s = s, .sweep = sweep, .is_soft = is_soft };
	if (s->joint_order.count > 0)
		run_joints(&work, solve_block);
}

void rbl_joints_finish(rbl_solver *s, const rbl_sweep *sweep)
{
	for (int i = 0; i < s->joints.count; ++i) {
		if (!is_active(s, i))
			continue;
		rbl_joint *j = &s->joints.data[i];
		joint_body a = body_of(s, j->def.a), b = body_of(s, j->def.b);
		j->force = rbl_scale(1.0f / sweep->dt, j->linear_sum);
		j->torque = rbl_scale(1.0f / sweep->dt, j->angular_sum);
		j->angle = hinge_angle(j, rbl_quat_mul(turn_of(&a), j->begin_a),
		                       rbl_quat_mul(turn_of(&b), j->begin_b));
		bool breaks = (j->def.break_force > 0.0f && rbl_length(j->force) > j->def.break_force) ||
		              (j->def.break_torque > 0.0f && rbl_length(j->torque) > j->def.break_torque);
		if (!breaks)
			continue;
		j->is_broken = true;
		s->broken.data[s->broken.count++] = i; // room was made when it was added
		rbl_body_wake(s, j->def.a);
		rbl_body_wake(s, j->def.b);
	}
}

// --- adding and removing ---------------------------------------------------------------------------

rbl_solver_joint rbl_default_solver_joint(void)
{
	return (rbl_solver_joint){
		.kind = RBL_SOLVER_WELD,
		.frame_a = rbl_transform_identity(),
		.frame_b = rbl_transform_identity(),
		.damping = 1.0f,
	};
}

bool rbl_joints_reserve(rbl_solver *s, int count)
{
	int room = rbl_maxi(count, s->joint_ids.slot_count);
	return rbl_id_pool_reserve(&s->allocator, &s->joint_ids, count) &&
	       rbl_array_reserve(&s->allocator, &s->joints, room) &&
	       rbl_array_reserve(&s->allocator, &s->broken, room) &&
	       rbl_array_reserve(&s->allocator, &s->joint_order, room);
}

rbl_result rbl_solver_add_joint(rbl_solver *s, const rbl_solver_joint *def, int32_t *joint)
{
	RBL_ASSERT(def->a != def->b && def->a > 0 && def->b > 0);
	if (!rbl_joints_reserve(s, s->joint_ids.live_count + 1))
		return RBL_OUT_OF_MEMORY;
	int index = (int)rbl_id_pool_add(&s->allocator, &s->joint_ids).index;
	s->joints.count = rbl_maxi(s->joints.count, index + 1);
	rbl_joint *j = &s->joints.data[index];
	*j = (rbl_joint){ .def = *def };
	j->angle = 0.5f * (def->lower_angle + def->upper_angle); // the nearest turn to it
	const rbl_solver_pose *poses = rbl_solver_poses(s);
	j->angle = hinge_angle(j, rbl_quat_mul(poses[def->a].rotation, def->frame_a.rotation),
	                       rbl_quat_mul(poses[def->b].rotation, def->frame_b.rotation));
	for (int side = 0; side < 2; ++side) {
		int body = side ? def->b : def->a;
		int32_t *first = &s->cold[body].first_joint;
		j->links[side] = (rbl_body_link){ *first, -1 };
		if (*first >= 0)
			rbl_joint_link(s, *first)->previous = 2 * index + side;
		*first = 2 * index + side;
		rbl_body_wake(s, body);
	}
	*joint = index;
	return RBL_OK;
}

void rbl_joint_remove(rbl_solver *s, int joint)
{
	RBL_ASSERT(rbl_id_pool_is_live(&s->joint_ids, joint));
	for (int side = 0; side < 2; ++side) {
		rbl_body_link link = s->joints.data[joint].links[side];
		int body = rbl_joint_body(s, joint, side);
		if (link.next >= 0)
			rbl_joint_link(s, link.next)->previous = link.previous;
		if (link.previous >= 0)
			rbl_joint_link(s, link.previous)->next = link.next;
		else
			s->cold[body].first_joint = link.next;
		rbl_body_wake(s, body);
	}
	rbl_id_pool_remove(&s->joint_ids, rbl_id_pool_at(&s->joint_ids, joint));
}

void rbl_solver_remove_joint(rbl_solver *s, int joint)
{
	rbl_joint_remove(s, joint);
}

void rbl_solver_set_motor(rbl_solver *s, int joint, bool is_on, float speed, float torque)
{
	rbl_joint *j = &s->joints.data[joint];
	j->def.has_motor = is_on;
	j->def.motor_speed = speed;
	j->def.motor_torque = torque;
	if (!is_on)
		j->motor = 0.0f;
	rbl_body_wake(s, j->def.a);
	rbl_body_wake(s, j->def.b);
}

rbl_solver_joint_report rbl_solver_report_joint(const rbl_solver *s, int joint)
{
	const rbl_joint *j = &s->joints.data[joint];
	return (rbl_solver_joint_report){ .force = j->force,
		                              .torque = j->torque,
		                              .angle = j->angle,
		                              .is_broken = j->is_broken,
		                              .user = j->def.user };
}
