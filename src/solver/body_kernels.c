// SPDX-License-Identifier: MIT
//
// Bodies, some at a time: integration of velocities and positions; which of them are sleep
// candidates, and which pass the wake threshold, so that sleeping neighbours wake (sleep.c).
//
// Rotation. Without torque the angular momentum L is constant, and the angular velocity w = I^-1 L
// changes as the inertia tensor I rotates with the body (the gyroscopic term). Euler's equations
// are solved ahead for the whole step, by the implicit midpoint rule in the body's axes: with the
// momentum M = R' L,
//
//     M(end) - M(begin) = dt (m x I^-1 m),    m = (M(begin) + M(end)) / 2
//
// It keeps the length of M and the energy, which are quadratic, to the last digits, and the
// rotation by the Cayley map of dt I^-1 m turns M(end) into the same L (Lewis and Simo, "Conserving
// algorithms for the dynamics of Hamiltonian systems on Lie groups", 1994). A fast body takes two
// or four such steps. The sub-steps then rotate by one velocity that leads to the same pose;
// contacts change it with the inertia at the midpoint of the step. What L has beyond I(middle) w is
// kept aside, and added to I(middle) w again at the end. So rotation keeps L, and contacts of a
// rotating body add no energy. What rotates by more than two radians in a step keeps its velocity
// instead.
//
// Warm starting. Anchors and inertia are fixed within a step, so all impulses of a sub-step
// together change a body's velocity by v - free, free being its velocity before impulses. A pass
// over contacts that applies the same impulses again in the next sub-step is therefore not needed:
// v - free is added once per body.

#include "solver/lanes.h"

typedef struct mat8 {
	rbl_fwx3 x, y, z; // columns
} mat8;

static inline quat8 quat_normalize(quat8 q)
{
	rbl_fw square = rbl_fw_add(rbl_fwx3_dot(q.v, q.v), rbl_fw_mul(q.w, q.w));
	rbl_fw scale = rbl_fw_div(rbl_fw_splat(1.0f), rbl_fw_sqrt(square));
	return (quat8){ rbl_fwx3_scale(scale, q.v), rbl_fw_mul(scale, q.w) };
}

// Rotated for the time h by the angular velocity w, world axes.
static inline quat8 quat_integrate(quat8 q, rbl_fwx3 w, float h)
{
	rbl_fwx3 half = rbl_fwx3_scale(rbl_fw_splat(0.5f * h), w);
	rbl_fwx3 v = rbl_fwx3_add(rbl_fwx3_scale(q.w, half), rbl_fwx3_cross(half, q.v));
	return quat_normalize(
		(quat8){ rbl_fwx3_add(q.v, v), rbl_fw_sub(q.w, rbl_fwx3_dot(half, q.v)) });
}

static inline rbl_fw quat_dot(quat8 a, quat8 b)
{
	return rbl_fw_add(rbl_fwx3_dot(a.v, b.v), rbl_fw_mul(a.w, b.w));
}

static inline mat8 quat_to_mat(quat8 q)
{
	rbl_fw one = rbl_fw_splat(1.0f), two = rbl_fw_splat(2.0f);
	rbl_fw x = rbl_fw_mul(two, q.v.x), y = rbl_fw_mul(two, q.v.y), z = rbl_fw_mul(two, q.v.z);
	rbl_fw xx = rbl_fw_mul(x, q.v.x), yy = rbl_fw_mul(y, q.v.y), zz = rbl_fw_mul(z, q.v.z);
	rbl_fw xy = rbl_fw_mul(x, q.v.y), xz = rbl_fw_mul(x, q.v.z), yz = rbl_fw_mul(y, q.v.z);
	rbl_fw wx = rbl_fw_mul(x, q.w), wy = rbl_fw_mul(y, q.w), wz = rbl_fw_mul(z, q.w);
	return (mat8){
		{ rbl_fw_sub(one, rbl_fw_add(yy, zz)), rbl_fw_add(xy, wz), rbl_fw_sub(xz, wy) },
		{ rbl_fw_sub(xy, wz), rbl_fw_sub(one, rbl_fw_add(xx, zz)), rbl_fw_add(yz, wx) },
		{ rbl_fw_add(xz, wy), rbl_fw_sub(yz, wx), rbl_fw_sub(one, rbl_fw_add(xx, yy)) },
	};
}

static inline rbl_fwx3 mat_mul(const mat8 *m, rbl_fwx3 v)
{
	rbl_fwx3 sum = rbl_fwx3_add(rbl_fwx3_scale(v.x, m->x), rbl_fwx3_scale(v.y, m->y));
	return rbl_fwx3_add(sum, rbl_fwx3_scale(v.z, m->z));
}

static inline rbl_fwx3 mat_mul_transposed(const mat8 *m, rbl_fwx3 v)
{
	return (rbl_fwx3){ rbl_fwx3_dot(m->x, v), rbl_fwx3_dot(m->y, v), rbl_fwx3_dot(m->z, v) };
}

// The tensor I of a body with rotation R, in world axes, times a vector: R I R' v.
static inline rbl_fwx3 rotated_inertia_mul(const mat8 *r, const inertia_lanes *i, rbl_fwx3 v)
{
	return mat_mul(r, inertia_mul(i, mat_mul_transposed(r, v)));
}

// R I R'. What else is in the record is not set.
static inline void rotate_inertia(const mat8 *r, const inertia_lanes *i, inertia_lanes *out)
{
	rbl_fwx3 row_x = { r->x.x, r->y.x, r->z.x }, row_y = { r->x.y, r->y.y, r->z.y };
	rbl_fwx3 row_z = { r->x.z, r->y.z, r->z.z };
	rbl_fwx3 x = inertia_mul(i, row_x), y = inertia_mul(i, row_y), z = inertia_mul(i, row_z);
	out->diagonal =
		(rbl_fwx3){ rbl_fwx3_dot(row_x, x), rbl_fwx3_dot(row_y, y), rbl_fwx3_dot(row_z, z) };
	out->off_diagonal =
		(rbl_fwx3){ rbl_fwx3_dot(row_x, y), rbl_fwx3_dot(row_x, z), rbl_fwx3_dot(row_y, z) };
}

// --- free rotation -------------------------------------------------------------------------------

// Bodies whose angular velocity is going to change by itself: those that rotate noticeably, but not
// too fast to be followed, and not about a principal axis. All axes of a ball are.
static inline rbl_iw find_gyroscopic(rbl_fwx3 w, rbl_fwx3 momentum, float dt)
{
	rbl_fw square = rbl_fwx3_dot(w, w), angle = rbl_fw_mul(square, rbl_fw_splat(dt * dt));
	rbl_fwx3 torque = rbl_fwx3_cross(momentum, w);
	rbl_fw most = rbl_fw_mul(square, rbl_fwx3_dot(momentum, momentum));
	rbl_iw is_followed =
		rbl_iw_and(rbl_fw_gt(angle, rbl_fw_splat(1e-6f)), rbl_fw_lt(angle, rbl_fw_splat(4.0f)));
	return rbl_iw_and(is_followed, rbl_fw_gt(rbl_fwx3_dot(torque, torque),
	                                         rbl_fw_mul(rbl_fw_splat(1e-12f), most)));
}

// The mean m of the momenta before and after a time 2 t, body axes, by Newton's method on
// m = before + t (m x I^-1 m).
static inline rbl_fwx3 mean_momentum(rbl_fwx3 before, const inertia_lanes *inverse, rbl_fw t)
{
	rbl_fwx3 d = inverse->diagonal, o = inverse->off_diagonal;
	rbl_fwx3 column_x = { d.x, o.x, o.y }, column_y = { o.x, d.y, o.z };
	rbl_fwx3 column_z = { o.y, o.z, d.z }, m = before;
	rbl_fw one = rbl_fw_splat(1.0f), zero = rbl_fw_zero();
	for (int i = 0; i < 3; ++i) {
		rbl_fwx3 w = inertia_mul(inverse, m);
		rbl_fwx3 error =
			rbl_fwx3_sub(rbl_fwx3_sub(m, before), rbl_fwx3_scale(t, rbl_fwx3_cross(m, w)));
		// The derivative along each axis: e + t (w x e - m x I^-1 e).
		rbl_fwx3 x =
			rbl_fwx3_sub((rbl_fwx3){ zero, w.z, rbl_fw_neg(w.y) }, rbl_fwx3_cross(m, column_x));
		rbl_fwx3 y =
			rbl_fwx3_sub((rbl_fwx3){ rbl_fw_neg(w.z), zero, w.x }, rbl_fwx3_cross(m, column_y));
		rbl_fwx3 z =
			rbl_fwx3_sub((rbl_fwx3){ w.y, rbl_fw_neg(w.x), zero }, rbl_fwx3_cross(m, column_z));
		x = rbl_fwx3_scale(t, x), y = rbl_fwx3_scale(t, y), z = rbl_fwx3_scale(t, z);
		x.x = rbl_fw_add(x.x, one), y.y = rbl_fw_add(y.y, one), z.z = rbl_fw_add(z.z, one);
		rbl_fwx3 yz = rbl_fwx3_cross(y, z);
		rbl_fw scale = rbl_fw_div(one, rbl_fwx3_dot(x, yz));
		rbl_fwx3 change = { rbl_fwx3_dot(error, yz), rbl_fwx3_dot(error, rbl_fwx3_cross(z, x)),
			                rbl_fwx3_dot(error, rbl_fwx3_cross(x, y)) };
		m = rbl_fwx3_sub(m, rbl_fwx3_scale(scale, change));
	}
	return m;
}

// The angular velocity whose sub-steps together rotate by q, at most half a circle. A sub-step of
// length h rotates by the quaternion (h w / 2, 1), normalized.
static inline rbl_fwx3 substep_velocity(quat8 q, const rbl_solver_step_context *step)
{
	rbl_fw one = rbl_fw_splat(1.0f), zero = rbl_fw_zero();
	rbl_fw sign = rbl_fw_select(rbl_fw_lt(q.w, zero), rbl_fw_splat(-1.0f), one);
	quat8 root = { rbl_fwx3_scale(sign, q.v), rbl_fw_mul(sign, q.w) };
	int count = 1;
	for (; 2 * count <= step->substep_count; count *= 2) // half of the angle
		root = quat_normalize((quat8){ root.v, rbl_fw_add(root.w, one) });
	rbl_fw inverse = rbl_fw_div(one, rbl_fw_max(root.w, rbl_fw_splat(1e-3f)));
	rbl_fwx3 half = rbl_fwx3_scale(inverse, root.v); // the tangent of half of what is left
	if (count < step->substep_count) {
		// The tangent of a share of its angle, by series.
		rbl_fw share = rbl_fw_splat((float)count / (float)step->substep_count);
		rbl_fw x = rbl_fwx3_dot(half, half), third = rbl_fw_splat(1.0f / 3.0f);
		rbl_fw arc = rbl_fw_sub(rbl_fw_mul(x, rbl_fw_splat(0.2f)), third);
		arc = rbl_fw_mul(share, rbl_fw_add(one, rbl_fw_mul(x, arc)));
		x = rbl_fw_mul(x, rbl_fw_mul(arc, arc));
		rbl_fw tangent = rbl_fw_add(rbl_fw_mul(x, rbl_fw_splat(2.0f / 15.0f)), third);
		half = rbl_fwx3_scale(rbl_fw_mul(arc, rbl_fw_add(one, rbl_fw_mul(x, tangent))), half);
	}
	return rbl_fwx3_scale(rbl_fw_splat(2.0f / step->h), half);
}

// The angular velocity, constant in the world, that rotates a free body in a step as its inertia
// makes it rotate.
static inline rbl_fwx3 gyroscopic_velocity(quat8 begin, rbl_fwx3 w, rbl_fwx3 local_momentum,
                                           const inertia_lanes *local_inverse, rbl_iw mask,
                                           const rbl_solver_step_context *step)
{
	rbl_fw one = rbl_fw_splat(1.0f), two = rbl_fw_splat(2.0f), four = rbl_fw_splat(4.0f);
	rbl_fw angle = rbl_fw_mul(rbl_fwx3_dot(w, w), rbl_fw_splat(step->dt * step->dt));
	rbl_fw count = rbl_fw_select(rbl_fw_gt(angle, rbl_fw_splat(0.06f * 0.06f)), two, one);
	count = rbl_fw_select(rbl_fw_gt(angle, rbl_fw_splat(0.2f * 0.2f)), four, count);
	rbl_fw t = rbl_fw_div(rbl_fw_splat(0.5f * step->dt), count);
	quat8 end = begin;
	for (int i = 0; i < 4; ++i) {
		rbl_iw goes_on = rbl_iw_and(mask, rbl_fw_gt(count, rbl_fw_splat((float)i)));
		if (!rbl_iw_any(goes_on))
			break;
		rbl_fwx3 m = mean_momentum(local_momentum, local_inverse, t);
		rbl_fwx3 turn = inertia_mul(local_inverse, m);
		quat8 next = quat_normalize(quat_mul(end, (quat8){ rbl_fwx3_scale(t, turn), one }));
		end.v = rbl_fwx3_select(goes_on, next.v, end.v);
		end.w = rbl_fw_select(goes_on, next.w, end.w);
		local_momentum = rbl_fwx3_sub(rbl_fwx3_add(m, m), local_momentum);
	}
	quat8 rotation = quat_mul(end, quat_conjugate(begin));
	return rbl_fwx3_select(mask, substep_velocity(rotation, step), w);
}

static inline unsigned listed_lanes(const int32_t *list)
{
	return (unsigned)rbl_iw_bits(rbl_iw_gt(rbl_iw_load(list), rbl_iw_zero()));
}

void RBL_KERNEL(rbl_solver_prepare_bodies)(const int32_t *list, int count,
                                           const rbl_solver_step_context *step)
{
	rbl_fwx3 gravity = rbl_fwx3_splat(step->gravity);
	rbl_fw one = rbl_fw_splat(1.0f), h = rbl_fw_splat(step->h), zero = rbl_fw_zero();
	for (int i = 0; i < count; i += RBL_WIDE_LANES) {
		unsigned lanes = listed_lanes(list + i);
		pose_lanes pose;
		velocity_lanes velocity;
		inertia_lanes local_inverse, local, inverse;
		gather_records(step->bodies.pose, list + i, pose.rows);
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		gather_records(step->bodies.local_inverse_inertia, list + i, local_inverse.rows);
		gather_records(step->bodies.local_inertia, list + i, local.rows);
		rbl_fwx3 w = velocity.angular;
		mat8 r_begin = quat_to_mat(pose.rotation);
		rbl_fwx3 local_momentum = inertia_mul(&local, mat_mul_transposed(&r_begin, w));
		rbl_fwx3 momentum = mat_mul(&r_begin, local_momentum);
		rbl_iw is_gyroscopic = find_gyroscopic(w, momentum, step->dt);
		if (rbl_iw_any(is_gyroscopic))
			velocity.angular = gyroscopic_velocity(pose.rotation, w, local_momentum, &local_inverse,
			                                       is_gyroscopic, step);

		quat8 middle = quat_integrate(pose.rotation, velocity.angular, 0.5f * step->dt);
		mat8 r_middle = quat_to_mat(middle);
		rotate_inertia(&r_middle, &local_inverse, &inverse);
		inverse.inverse_mass = local_inverse.inverse_mass;
		inverse.gravity_scale = zero;
		rbl_fwx3 kept = rotated_inertia_mul(&r_middle, &local, velocity.angular);
		rbl_fw gain =
			rbl_fw_mul(rbl_fw_splat(0.5f),
		               rbl_fw_sub(rbl_fwx3_dot(velocity.angular, kept), rbl_fwx3_dot(w, momentum)));

		force_lanes forces = { { zero, zero, zero, zero, zero, zero, zero, zero } };
		if (step->has_forces)
			gather_records(step->bodies.midpoint, list + i, forces.rows);
		acceleration_lanes acceleration = {
			.linear = rbl_fwx3_add(rbl_fwx3_scale(local_inverse.gravity_scale, gravity),
			                       rbl_fwx3_scale(local_inverse.inverse_mass, forces.force)),
			.linear_damping = rbl_fw_div(one, rbl_fw_add(one, rbl_fw_mul(h, local.linear_damping))),
			.angular = inertia_mul(&inverse, forces.torque),
			.angular_damping =
				rbl_fw_div(one, rbl_fw_add(one, rbl_fw_mul(h, local.angular_damping))),
		};
		midpoint_lanes midpoint = {
			.rotation = middle,
			.energy_gain =
				rbl_fw_select(is_gyroscopic, gain, rbl_fw_splat(RBL_SOLVER_NOT_GYROSCOPIC)),
			.momentum_rest = rbl_fwx3_sub(momentum, kept),
		};
		scatter_records(step->bodies.velocity, list + i, lanes, velocity.rows);
		scatter_records(step->bodies.inverse_inertia, list + i, lanes, inverse.rows);
		scatter_records(step->bodies.acceleration, list + i, lanes, acceleration.rows);
		scatter_records(step->bodies.midpoint, list + i, lanes, midpoint.rows);
	}
}

// Bodies that have a bit of rbl_solver_state.
static inline rbl_iw has_state(const velocity_lanes *velocity, int bit)
{
	rbl_iw bits = rbl_iw_and(rbl_fw_as_mask(velocity->state), rbl_iw_splat(bit));
	return rbl_iw_gt(bits, rbl_iw_zero());
}

// Round bodies, unless they stand on an end.
static inline rbl_iw can_roll(const velocity_lanes *velocity)
{
	return rbl_iw_andnot(has_state(velocity, RBL_SOLVER_IS_ROUND),
	                     has_state(velocity, RBL_SOLVER_STANDS));
}

static inline rbl_fw angular_speed_limit(const velocity_lanes *velocity,
                                         const rbl_solver_step_context *step)
{
	rbl_fw limit = rbl_fw_select(has_state(velocity, RBL_SOLVER_TOUCHES),
	                             rbl_fw_splat(step->angular_speed_limit),
	                             rbl_fw_splat(step->free_speed_limit));
	return rbl_fw_select(has_state(velocity, RBL_SOLVER_IS_ROUND),
	                     rbl_fw_splat(step->round_speed_limit), limit);
}

// v, no longer than `limit`.
static inline rbl_fwx3 clamp_length(rbl_fwx3 v, rbl_fw limit)
{
	rbl_fw square = rbl_fwx3_dot(v, v);
	rbl_iw is_long = rbl_fw_gt(square, rbl_fw_mul(limit, limit));
	if (!rbl_iw_any(is_long))
		return v;
	rbl_fw scale = rbl_fw_div(limit, rbl_fw_sqrt(square));
	return rbl_fwx3_scale(rbl_fw_select(is_long, scale, rbl_fw_splat(1.0f)), v);
}

void RBL_KERNEL(rbl_solver_integrate_velocities)(const int32_t *list, int count,
                                                 const rbl_solver_step_context *step)
{
	rbl_fw h = rbl_fw_splat(step->h), zero = rbl_fw_zero();
	const rbl_fw no_motion[8] = { zero, zero, zero, zero, zero, zero, zero, rbl_fw_splat(1.0f) };
	const void *free_velocities =
		step->is_first ? step->bodies.velocity : step->bodies.free_velocity;
	for (int i = 0; i < count; i += RBL_WIDE_LANES) {
		unsigned lanes = listed_lanes(list + i);
		velocity_lanes velocity, free;
		acceleration_lanes acceleration;
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		gather_records(step->bodies.acceleration, list + i, acceleration.rows);
		gather_records(free_velocities, list + i, free.rows);
		rbl_fwx3 dv = rbl_fwx3_sub(velocity.linear, free.linear);
		rbl_fwx3 dw = rbl_fwx3_sub(velocity.angular, free.angular);
		rbl_fwx3 v = rbl_fwx3_add_scaled(velocity.linear, h, acceleration.linear);
		rbl_fwx3 w = rbl_fwx3_add_scaled(velocity.angular, h, acceleration.angular);
		free.linear = clamp_length(rbl_fwx3_scale(acceleration.linear_damping, v),
		                           rbl_fw_splat(step->speed_limit));
		free.angular = clamp_length(rbl_fwx3_scale(acceleration.angular_damping, w),
		                            angular_speed_limit(&velocity, step));
		free.state = free.sleep_timer = zero;
		velocity.linear = rbl_fwx3_add(free.linear, dv);
		velocity.angular = rbl_fwx3_add(free.angular, dw);
		scatter_records(step->bodies.velocity, list + i, lanes, velocity.rows);
		scatter_records(step->bodies.free_velocity, list + i, lanes, free.rows);
		if (step->is_first)
			scatter_records(step->bodies.delta, list + i, lanes, no_motion);
	}
}

// The speed of the fastest point, at most.
static inline rbl_fw max_speed(const velocity_lanes *v, rbl_fw radius)
{
	return rbl_fw_add(rbl_fw_sqrt(rbl_fwx3_dot(v->linear, v->linear)),
	                  rbl_fw_mul(radius, rbl_fw_sqrt(rbl_fwx3_dot(v->angular, v->angular))));
}

// Sleep candidates that contacts hold and that have hardly any speed stay where they are. What is
// left of their speed is the error of the iterations, and would make tall walls creep and buckle;
// with everything in its place the impulses converge, and the error vanishes. They lose a fifth of
// their speed in each sub-step: an unbalanced force of more than some hundredths of their weight
// moves them after all.
static inline rbl_iw find_stuck(const rbl_solver_step_context *step, const int32_t *list,
                                const velocity_lanes *velocity)
{
	rbl_iw is_candidate = rbl_fw_ge(velocity->sleep_timer, rbl_fw_splat(step->sleep_time));
	if (!rbl_iw_any(is_candidate))
		return is_candidate;
	velocity_lanes free;
	still_pose_lanes pose;
	gather_records(step->bodies.free_velocity, list, free.rows);
	gather_records(step->bodies.sleep_pose, list, pose.rows);
	rbl_fwx3 held = rbl_fwx3_sub(velocity->linear, free.linear);
	rbl_iw is_slow = rbl_fw_lt(max_speed(velocity, pose.radius), rbl_fw_splat(step->stick_speed));
	rbl_iw is_held = rbl_fw_gt(rbl_fwx3_dot(held, held), rbl_fw_zero());
	// What is round rolls however slowly, and nothing but its contacts holds it.
	is_held = rbl_iw_andnot(is_held, can_roll(velocity));
	return rbl_iw_and(is_candidate, rbl_iw_and(is_slow, is_held));
}

void RBL_KERNEL(rbl_solver_integrate_positions)(const int32_t *list, int count,
                                                const rbl_solver_step_context *step)
{
	rbl_fw h = rbl_fw_splat(step->h), slowdown = rbl_fw_splat(0.8f);
	for (int i = 0; i < count; i += RBL_WIDE_LANES) {
		velocity_lanes velocity;
		delta_lanes delta;
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		unsigned listed = listed_lanes(list + i);
		unsigned stuck = listed & (unsigned)rbl_iw_bits(find_stuck(step, list + i, &velocity));
		unsigned lanes = listed & ~stuck;
		if (stuck) {
			velocity_lanes slowed = velocity;
			slowed.linear = rbl_fwx3_scale(slowdown, velocity.linear);
			slowed.angular = rbl_fwx3_scale(slowdown, velocity.angular);
			scatter_records(step->bodies.velocity, list + i, stuck, slowed.rows);
		}
		if (!lanes)
			continue;
		gather_records(step->bodies.delta, list + i, delta.rows);
		delta.translation = rbl_fwx3_add_scaled(delta.translation, h, velocity.linear);
		delta.rotation = quat_integrate(delta.rotation, velocity.angular, step->h);
		scatter_records(step->bodies.delta, list + i, lanes, delta.rows);
	}
}

// The angular velocity at the end of the step, by the inertia there. What the impulses have added
// to the energy at the midpoint, they have added; rotation adds nothing.
static inline rbl_fwx3 final_angular_velocity(const midpoint_lanes *midpoint,
                                              const inertia_lanes *local_inverse,
                                              const inertia_lanes *local, quat8 end, rbl_fwx3 w)
{
	rbl_iw is_gyroscopic =
		rbl_fw_gt(midpoint->energy_gain, rbl_fw_splat(0.5f * RBL_SOLVER_NOT_GYROSCOPIC));
	if (!rbl_iw_any(is_gyroscopic))
		return w;
	rbl_fw half = rbl_fw_splat(0.5f);
	mat8 r_middle = quat_to_mat(midpoint->rotation), r_end = quat_to_mat(end);
	rbl_fwx3 kept = rotated_inertia_mul(&r_middle, local, w);
	rbl_fwx3 momentum = rbl_fwx3_add(kept, midpoint->momentum_rest);
	rbl_fwx3 changed = rotated_inertia_mul(&r_end, local_inverse, momentum);
	rbl_fw before = rbl_fw_mul(half, rbl_fwx3_dot(w, kept));
	rbl_fw after = rbl_fw_mul(half, rbl_fwx3_dot(changed, momentum));
	rbl_fw most = rbl_fw_max(rbl_fw_sub(before, midpoint->energy_gain), rbl_fw_mul(half, before));
	rbl_fw scale = rbl_fw_select(rbl_fw_gt(after, rbl_fw_mul(rbl_fw_splat(1.00001f), most)),
	                             rbl_fw_sqrt(rbl_fw_div(most, after)), rbl_fw_splat(1.0f));
	return rbl_fwx3_select(is_gyroscopic, rbl_fwx3_scale(scale, changed), w);
}

// The wake threshold grows with the body, from a radius of 0.25 m to one of 1 m at a length scale
// of 1. The errors of the iterations rotate a block of a ton by as much as a brick, and its corners
// move further: a few millimetres there are no sign of motion.
static inline rbl_fw wake_scale(rbl_fw radius, float size_scale)
{
	rbl_fw scale = rbl_fw_mul(rbl_fw_splat(4.0f * size_scale), radius);
	return rbl_fw_min(rbl_fw_max(scale, rbl_fw_splat(1.0f)), rbl_fw_splat(4.0f));
}

// Update how long the body has been still, and whether it wakes its neighbours.
static inline void update_sleep(const rbl_solver_step_context *step, const int32_t *list,
                                unsigned lanes, const pose_lanes *pose, velocity_lanes *velocity)
{
	rbl_fw one = rbl_fw_splat(1.0f), zero = rbl_fw_zero();
	still_pose_lanes sleep, wake;
	gather_records(step->bodies.sleep_pose, list, sleep.rows);
	gather_records(step->bodies.wake_pose, list, wake.rows);

	rbl_fwx3 shift = rbl_fwx3_sub(pose->centre, sleep.centre);
	rbl_fw most = rbl_fw_select(can_roll(velocity), rbl_fw_splat(step->round_distance_squared),
	                            rbl_fw_splat(step->sleep_distance_squared));
	rbl_iw is_near = rbl_fw_lt(rbl_fwx3_dot(shift, shift), most);
	rbl_iw is_aligned = rbl_fw_gt(rbl_fw_abs(quat_dot(pose->rotation, sleep.rotation)),
	                              rbl_fw_splat(step->sleep_cosine));
	rbl_iw is_still = rbl_iw_and(is_near, is_aligned);
	velocity->sleep_timer =
		rbl_fw_select(is_still, rbl_fw_add(velocity->sleep_timer, rbl_fw_splat(step->dt)), zero);

	shift = rbl_fwx3_sub(pose->centre, wake.centre);
	rbl_fw cosine = quat_dot(pose->rotation, wake.rotation);
	rbl_fw sine = rbl_fw_sqrt(rbl_fw_max(rbl_fw_sub(one, rbl_fw_mul(cosine, cosine)), zero));
	rbl_fw moved = rbl_fw_add(rbl_fw_sqrt(rbl_fwx3_dot(shift, shift)),
	                          rbl_fw_mul(rbl_fw_mul(rbl_fw_splat(2.0f), sleep.radius), sine));
	rbl_fw speed = max_speed(velocity, sleep.radius),
		   scale = wake_scale(sleep.radius, step->size_scale);
	rbl_iw has_moved = rbl_fw_gt(moved, rbl_fw_mul(scale, rbl_fw_splat(step->wake_distance)));
	rbl_iw is_fast = rbl_fw_gt(speed, rbl_fw_mul(scale, rbl_fw_splat(step->wake_speed)));
	rbl_iw bit = rbl_iw_splat(RBL_SOLVER_WAKES_NEIGHBOURS);
	rbl_iw state = rbl_iw_andnot(rbl_fw_as_mask(velocity->state), bit);
	velocity->state =
		rbl_fw_from_mask(rbl_iw_or(state, rbl_iw_and(rbl_iw_or(has_moved, is_fast), bit)));

	still_pose_lanes here = { .centre = pose->centre,
		                      .radius = sleep.radius,
		                      .rotation = pose->rotation };
	unsigned moving = lanes & ~(unsigned)rbl_iw_bits(is_still);
	if (moving)
		scatter_records(step->bodies.sleep_pose, list, moving, here.rows);
	unsigned waking = lanes & (unsigned)rbl_iw_bits(has_moved);
	if (waking)
		scatter_records(step->bodies.wake_pose, list, waking, here.rows);
}

void RBL_KERNEL(rbl_solver_finish_bodies)(const int32_t *list, int count,
                                          const rbl_solver_step_context *step)
{
	for (int i = 0; i < count; i += RBL_WIDE_LANES) {
		unsigned lanes = listed_lanes(list + i);
		pose_lanes pose;
		velocity_lanes velocity;
		delta_lanes delta;
		midpoint_lanes midpoint;
		inertia_lanes local_inverse, local;
		gather_records(step->bodies.pose, list + i, pose.rows);
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		gather_records(step->bodies.delta, list + i, delta.rows);
		gather_records(step->bodies.midpoint, list + i, midpoint.rows);
		gather_records(step->bodies.local_inverse_inertia, list + i, local_inverse.rows);
		gather_records(step->bodies.local_inertia, list + i, local.rows);
		pose.centre = rbl_fwx3_add(pose.centre, delta.translation);
		pose.rotation = quat_normalize(quat_mul(delta.rotation, pose.rotation));
		velocity.angular = final_angular_velocity(&midpoint, &local_inverse, &local, pose.rotation,
		                                          velocity.angular);
		update_sleep(step, list + i, lanes, &pose, &velocity);
		scatter_records(step->bodies.pose, list + i, lanes, pose.rows);
		scatter_records(step->bodies.velocity, list + i, lanes, velocity.rows);
	}
}
