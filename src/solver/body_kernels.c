// SPDX-License-Identifier: MIT
//
// Bodies, eight at a time: integration of velocities and positions; which of them are sleep
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
	rbl_f8x3 x, y, z; // columns
} mat8;

static inline quat8 quat_normalize(quat8 q)
{
	rbl_f8 square = rbl_f8_add(rbl_f8x3_dot(q.v, q.v), rbl_f8_mul(q.w, q.w));
	rbl_f8 scale = rbl_f8_div(rbl_f8_splat(1.0f), rbl_f8_sqrt(square));
	return (quat8){ rbl_f8x3_scale(scale, q.v), rbl_f8_mul(scale, q.w) };
}

// Rotated for the time h by the angular velocity w, world axes.
static inline quat8 quat_integrate(quat8 q, rbl_f8x3 w, float h)
{
	rbl_f8x3 half = rbl_f8x3_scale(rbl_f8_splat(0.5f * h), w);
	rbl_f8x3 v = rbl_f8x3_add(rbl_f8x3_scale(q.w, half), rbl_f8x3_cross(half, q.v));
	return quat_normalize(
		(quat8){ rbl_f8x3_add(q.v, v), rbl_f8_sub(q.w, rbl_f8x3_dot(half, q.v)) });
}

static inline rbl_f8 quat_dot(quat8 a, quat8 b)
{
	return rbl_f8_add(rbl_f8x3_dot(a.v, b.v), rbl_f8_mul(a.w, b.w));
}

static inline mat8 quat_to_mat(quat8 q)
{
	rbl_f8 one = rbl_f8_splat(1.0f), two = rbl_f8_splat(2.0f);
	rbl_f8 x = rbl_f8_mul(two, q.v.x), y = rbl_f8_mul(two, q.v.y), z = rbl_f8_mul(two, q.v.z);
	rbl_f8 xx = rbl_f8_mul(x, q.v.x), yy = rbl_f8_mul(y, q.v.y), zz = rbl_f8_mul(z, q.v.z);
	rbl_f8 xy = rbl_f8_mul(x, q.v.y), xz = rbl_f8_mul(x, q.v.z), yz = rbl_f8_mul(y, q.v.z);
	rbl_f8 wx = rbl_f8_mul(x, q.w), wy = rbl_f8_mul(y, q.w), wz = rbl_f8_mul(z, q.w);
	return (mat8){
		{ rbl_f8_sub(one, rbl_f8_add(yy, zz)), rbl_f8_add(xy, wz), rbl_f8_sub(xz, wy) },
		{ rbl_f8_sub(xy, wz), rbl_f8_sub(one, rbl_f8_add(xx, zz)), rbl_f8_add(yz, wx) },
		{ rbl_f8_add(xz, wy), rbl_f8_sub(yz, wx), rbl_f8_sub(one, rbl_f8_add(xx, yy)) },
	};
}

static inline rbl_f8x3 mat_mul(const mat8 *m, rbl_f8x3 v)
{
	rbl_f8x3 sum = rbl_f8x3_add(rbl_f8x3_scale(v.x, m->x), rbl_f8x3_scale(v.y, m->y));
	return rbl_f8x3_add(sum, rbl_f8x3_scale(v.z, m->z));
}

static inline rbl_f8x3 mat_mul_transposed(const mat8 *m, rbl_f8x3 v)
{
	return (rbl_f8x3){ rbl_f8x3_dot(m->x, v), rbl_f8x3_dot(m->y, v), rbl_f8x3_dot(m->z, v) };
}

// The tensor I of a body with rotation R, in world axes, times a vector: R I R' v.
static inline rbl_f8x3 rotated_inertia_mul(const mat8 *r, const inertia_lanes *i, rbl_f8x3 v)
{
	return mat_mul(r, inertia_mul(i, mat_mul_transposed(r, v)));
}

// R I R'. What else is in the record is not set.
static inline void rotate_inertia(const mat8 *r, const inertia_lanes *i, inertia_lanes *out)
{
	rbl_f8x3 row_x = { r->x.x, r->y.x, r->z.x }, row_y = { r->x.y, r->y.y, r->z.y };
	rbl_f8x3 row_z = { r->x.z, r->y.z, r->z.z };
	rbl_f8x3 x = inertia_mul(i, row_x), y = inertia_mul(i, row_y), z = inertia_mul(i, row_z);
	out->diagonal =
		(rbl_f8x3){ rbl_f8x3_dot(row_x, x), rbl_f8x3_dot(row_y, y), rbl_f8x3_dot(row_z, z) };
	out->off_diagonal =
		(rbl_f8x3){ rbl_f8x3_dot(row_x, y), rbl_f8x3_dot(row_x, z), rbl_f8x3_dot(row_y, z) };
}

// --- free rotation -------------------------------------------------------------------------------

// Bodies whose angular velocity is going to change by itself: those that rotate noticeably, but not
// too fast to be followed, and not about a principal axis. All axes of a ball are.
static inline rbl_i8 find_gyroscopic(rbl_f8x3 w, rbl_f8x3 momentum, float dt)
{
	rbl_f8 square = rbl_f8x3_dot(w, w), angle = rbl_f8_mul(square, rbl_f8_splat(dt * dt));
	rbl_f8x3 torque = rbl_f8x3_cross(momentum, w);
	rbl_f8 most = rbl_f8_mul(square, rbl_f8x3_dot(momentum, momentum));
	rbl_i8 is_followed =
		rbl_i8_and(rbl_f8_gt(angle, rbl_f8_splat(1e-6f)), rbl_f8_lt(angle, rbl_f8_splat(4.0f)));
	return rbl_i8_and(is_followed, rbl_f8_gt(rbl_f8x3_dot(torque, torque),
	                                         rbl_f8_mul(rbl_f8_splat(1e-12f), most)));
}

// The mean m of the momenta before and after a time 2 t, body axes, by Newton's method on
// m = before + t (m x I^-1 m).
static inline rbl_f8x3 mean_momentum(rbl_f8x3 before, const inertia_lanes *inverse, rbl_f8 t)
{
	rbl_f8x3 d = inverse->diagonal, o = inverse->off_diagonal;
	rbl_f8x3 column_x = { d.x, o.x, o.y }, column_y = { o.x, d.y, o.z };
	rbl_f8x3 column_z = { o.y, o.z, d.z }, m = before;
	rbl_f8 one = rbl_f8_splat(1.0f), zero = rbl_f8_zero();
	for (int i = 0; i < 3; ++i) {
		rbl_f8x3 w = inertia_mul(inverse, m);
		rbl_f8x3 error =
			rbl_f8x3_sub(rbl_f8x3_sub(m, before), rbl_f8x3_scale(t, rbl_f8x3_cross(m, w)));
		// The derivative along each axis: e + t (w x e - m x I^-1 e).
		rbl_f8x3 x =
			rbl_f8x3_sub((rbl_f8x3){ zero, w.z, rbl_f8_neg(w.y) }, rbl_f8x3_cross(m, column_x));
		rbl_f8x3 y =
			rbl_f8x3_sub((rbl_f8x3){ rbl_f8_neg(w.z), zero, w.x }, rbl_f8x3_cross(m, column_y));
		rbl_f8x3 z =
			rbl_f8x3_sub((rbl_f8x3){ w.y, rbl_f8_neg(w.x), zero }, rbl_f8x3_cross(m, column_z));
		x = rbl_f8x3_scale(t, x), y = rbl_f8x3_scale(t, y), z = rbl_f8x3_scale(t, z);
		x.x = rbl_f8_add(x.x, one), y.y = rbl_f8_add(y.y, one), z.z = rbl_f8_add(z.z, one);
		rbl_f8x3 yz = rbl_f8x3_cross(y, z);
		rbl_f8 scale = rbl_f8_div(one, rbl_f8x3_dot(x, yz));
		rbl_f8x3 change = { rbl_f8x3_dot(error, yz), rbl_f8x3_dot(error, rbl_f8x3_cross(z, x)),
			                rbl_f8x3_dot(error, rbl_f8x3_cross(x, y)) };
		m = rbl_f8x3_sub(m, rbl_f8x3_scale(scale, change));
	}
	return m;
}

// The angular velocity whose sub-steps together rotate by q, at most half a circle. A sub-step of
// length h rotates by the quaternion (h w / 2, 1), normalized.
static inline rbl_f8x3 substep_velocity(quat8 q, const rbl_solver_step_context *step)
{
	rbl_f8 one = rbl_f8_splat(1.0f), zero = rbl_f8_zero();
	rbl_f8 sign = rbl_f8_select(rbl_f8_lt(q.w, zero), rbl_f8_splat(-1.0f), one);
	quat8 root = { rbl_f8x3_scale(sign, q.v), rbl_f8_mul(sign, q.w) };
	int count = 1;
	for (; 2 * count <= step->substep_count; count *= 2) // half of the angle
		root = quat_normalize((quat8){ root.v, rbl_f8_add(root.w, one) });
	rbl_f8 inverse = rbl_f8_div(one, rbl_f8_max(root.w, rbl_f8_splat(1e-3f)));
	rbl_f8x3 half = rbl_f8x3_scale(inverse, root.v); // the tangent of half of what is left
	if (count < step->substep_count) {
		// The tangent of a share of its angle, by series.
		rbl_f8 share = rbl_f8_splat((float)count / (float)step->substep_count);
		rbl_f8 x = rbl_f8x3_dot(half, half), third = rbl_f8_splat(1.0f / 3.0f);
		rbl_f8 arc = rbl_f8_sub(rbl_f8_mul(x, rbl_f8_splat(0.2f)), third);
		arc = rbl_f8_mul(share, rbl_f8_add(one, rbl_f8_mul(x, arc)));
		x = rbl_f8_mul(x, rbl_f8_mul(arc, arc));
		rbl_f8 tangent = rbl_f8_add(rbl_f8_mul(x, rbl_f8_splat(2.0f / 15.0f)), third);
		half = rbl_f8x3_scale(rbl_f8_mul(arc, rbl_f8_add(one, rbl_f8_mul(x, tangent))), half);
	}
	return rbl_f8x3_scale(rbl_f8_splat(2.0f / step->h), half);
}

// The angular velocity, constant in the world, that rotates a free body in a step as its inertia
// makes it rotate.
static inline rbl_f8x3 gyroscopic_velocity(quat8 begin, rbl_f8x3 w, rbl_f8x3 local_momentum,
                                           const inertia_lanes *local_inverse, rbl_i8 mask,
                                           const rbl_solver_step_context *step)
{
	rbl_f8 one = rbl_f8_splat(1.0f), two = rbl_f8_splat(2.0f), four = rbl_f8_splat(4.0f);
	rbl_f8 angle = rbl_f8_mul(rbl_f8x3_dot(w, w), rbl_f8_splat(step->dt * step->dt));
	rbl_f8 count = rbl_f8_select(rbl_f8_gt(angle, rbl_f8_splat(0.06f * 0.06f)), two, one);
	count = rbl_f8_select(rbl_f8_gt(angle, rbl_f8_splat(0.2f * 0.2f)), four, count);
	rbl_f8 t = rbl_f8_div(rbl_f8_splat(0.5f * step->dt), count);
	quat8 end = begin;
	for (int i = 0; i < 4; ++i) {
		rbl_i8 goes_on = rbl_i8_and(mask, rbl_f8_gt(count, rbl_f8_splat((float)i)));
		if (!rbl_i8_any(goes_on))
			break;
		rbl_f8x3 m = mean_momentum(local_momentum, local_inverse, t);
		rbl_f8x3 turn = inertia_mul(local_inverse, m);
		quat8 next = quat_normalize(quat_mul(end, (quat8){ rbl_f8x3_scale(t, turn), one }));
		end.v = rbl_f8x3_select(goes_on, next.v, end.v);
		end.w = rbl_f8_select(goes_on, next.w, end.w);
		local_momentum = rbl_f8x3_sub(rbl_f8x3_add(m, m), local_momentum);
	}
	quat8 rotation = quat_mul(end, quat_conjugate(begin));
	return rbl_f8x3_select(mask, substep_velocity(rotation, step), w);
}

static inline unsigned listed_lanes(const int32_t *list)
{
	return (unsigned)rbl_i8_bits(rbl_i8_gt(rbl_i8_load(list), rbl_i8_zero()));
}

void RBL_KERNEL(rbl_solver_prepare_bodies)(const int32_t *list, int count,
                                           const rbl_solver_step_context *step)
{
	rbl_f8x3 gravity = rbl_f8x3_splat(step->gravity);
	rbl_f8 one = rbl_f8_splat(1.0f), h = rbl_f8_splat(step->h), zero = rbl_f8_zero();
	for (int i = 0; i < count; i += RBL_SOLVER_LANES) {
		unsigned lanes = listed_lanes(list + i);
		pose_lanes pose;
		velocity_lanes velocity;
		inertia_lanes local_inverse, local, inverse;
		gather_records(step->bodies.pose, list + i, pose.rows);
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		gather_records(step->bodies.local_inverse_inertia, list + i, local_inverse.rows);
		gather_records(step->bodies.local_inertia, list + i, local.rows);
		rbl_f8x3 w = velocity.angular;
		mat8 r_begin = quat_to_mat(pose.rotation);
		rbl_f8x3 local_momentum = inertia_mul(&local, mat_mul_transposed(&r_begin, w));
		rbl_f8x3 momentum = mat_mul(&r_begin, local_momentum);
		rbl_i8 is_gyroscopic = find_gyroscopic(w, momentum, step->dt);
		if (rbl_i8_any(is_gyroscopic))
			velocity.angular = gyroscopic_velocity(pose.rotation, w, local_momentum, &local_inverse,
			                                       is_gyroscopic, step);

		quat8 middle = quat_integrate(pose.rotation, velocity.angular, 0.5f * step->dt);
		mat8 r_middle = quat_to_mat(middle);
		rotate_inertia(&r_middle, &local_inverse, &inverse);
		inverse.inverse_mass = local_inverse.inverse_mass;
		inverse.gravity_scale = zero;
		rbl_f8x3 kept = rotated_inertia_mul(&r_middle, &local, velocity.angular);
		rbl_f8 gain =
			rbl_f8_mul(rbl_f8_splat(0.5f),
		               rbl_f8_sub(rbl_f8x3_dot(velocity.angular, kept), rbl_f8x3_dot(w, momentum)));

		force_lanes forces = { { zero, zero, zero, zero, zero, zero, zero, zero } };
		if (step->has_forces)
			gather_records(step->bodies.midpoint, list + i, forces.rows);
		acceleration_lanes acceleration = {
			.linear = rbl_f8x3_add(rbl_f8x3_scale(local_inverse.gravity_scale, gravity),
			                       rbl_f8x3_scale(local_inverse.inverse_mass, forces.force)),
			.linear_damping = rbl_f8_div(one, rbl_f8_add(one, rbl_f8_mul(h, local.linear_damping))),
			.angular = inertia_mul(&inverse, forces.torque),
			.angular_damping =
				rbl_f8_div(one, rbl_f8_add(one, rbl_f8_mul(h, local.angular_damping))),
		};
		midpoint_lanes midpoint = {
			.rotation = middle,
			.energy_gain =
				rbl_f8_select(is_gyroscopic, gain, rbl_f8_splat(RBL_SOLVER_NOT_GYROSCOPIC)),
			.momentum_rest = rbl_f8x3_sub(momentum, kept),
		};
		scatter_records(step->bodies.velocity, list + i, lanes, velocity.rows);
		scatter_records(step->bodies.inverse_inertia, list + i, lanes, inverse.rows);
		scatter_records(step->bodies.acceleration, list + i, lanes, acceleration.rows);
		scatter_records(step->bodies.midpoint, list + i, lanes, midpoint.rows);
	}
}

// Bodies that have a bit of rbl_solver_state.
static inline rbl_i8 has_state(const velocity_lanes *velocity, int bit)
{
	rbl_i8 bits = rbl_i8_and(rbl_f8_as_mask(velocity->state), rbl_i8_splat(bit));
	return rbl_i8_gt(bits, rbl_i8_zero());
}

// Round bodies, unless they stand on an end.
static inline rbl_i8 can_roll(const velocity_lanes *velocity)
{
	return rbl_i8_andnot(has_state(velocity, RBL_SOLVER_IS_ROUND),
	                     has_state(velocity, RBL_SOLVER_STANDS));
}

static inline rbl_f8 angular_speed_limit(const velocity_lanes *velocity,
                                         const rbl_solver_step_context *step)
{
	rbl_f8 limit = rbl_f8_select(has_state(velocity, RBL_SOLVER_TOUCHES),
	                             rbl_f8_splat(step->angular_speed_limit),
	                             rbl_f8_splat(step->free_speed_limit));
	return rbl_f8_select(has_state(velocity, RBL_SOLVER_IS_ROUND),
	                     rbl_f8_splat(step->round_speed_limit), limit);
}

// v, no longer than `limit`.
static inline rbl_f8x3 clamp_length(rbl_f8x3 v, rbl_f8 limit)
{
	rbl_f8 square = rbl_f8x3_dot(v, v);
	rbl_i8 is_long = rbl_f8_gt(square, rbl_f8_mul(limit, limit));
	if (!rbl_i8_any(is_long))
		return v;
	rbl_f8 scale = rbl_f8_div(limit, rbl_f8_sqrt(square));
	return rbl_f8x3_scale(rbl_f8_select(is_long, scale, rbl_f8_splat(1.0f)), v);
}

void RBL_KERNEL(rbl_solver_integrate_velocities)(const int32_t *list, int count,
                                                 const rbl_solver_step_context *step)
{
	rbl_f8 h = rbl_f8_splat(step->h), zero = rbl_f8_zero();
	const rbl_f8 no_motion[8] = { zero, zero, zero, zero, zero, zero, zero, rbl_f8_splat(1.0f) };
	const void *free_velocities =
		step->is_first ? step->bodies.velocity : step->bodies.free_velocity;
	for (int i = 0; i < count; i += RBL_SOLVER_LANES) {
		unsigned lanes = listed_lanes(list + i);
		velocity_lanes velocity, free;
		acceleration_lanes acceleration;
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		gather_records(step->bodies.acceleration, list + i, acceleration.rows);
		gather_records(free_velocities, list + i, free.rows);
		rbl_f8x3 dv = rbl_f8x3_sub(velocity.linear, free.linear);
		rbl_f8x3 dw = rbl_f8x3_sub(velocity.angular, free.angular);
		rbl_f8x3 v = rbl_f8x3_add_scaled(velocity.linear, h, acceleration.linear);
		rbl_f8x3 w = rbl_f8x3_add_scaled(velocity.angular, h, acceleration.angular);
		free.linear = clamp_length(rbl_f8x3_scale(acceleration.linear_damping, v),
		                           rbl_f8_splat(step->speed_limit));
		free.angular = clamp_length(rbl_f8x3_scale(acceleration.angular_damping, w),
		                            angular_speed_limit(&velocity, step));
		free.state = free.sleep_timer = zero;
		velocity.linear = rbl_f8x3_add(free.linear, dv);
		velocity.angular = rbl_f8x3_add(free.angular, dw);
		scatter_records(step->bodies.velocity, list + i, lanes, velocity.rows);
		scatter_records(step->bodies.free_velocity, list + i, lanes, free.rows);
		if (step->is_first)
			scatter_records(step->bodies.delta, list + i, lanes, no_motion);
	}
}

// The speed of the fastest point, at most.
static inline rbl_f8 max_speed(const velocity_lanes *v, rbl_f8 radius)
{
	return rbl_f8_add(rbl_f8_sqrt(rbl_f8x3_dot(v->linear, v->linear)),
	                  rbl_f8_mul(radius, rbl_f8_sqrt(rbl_f8x3_dot(v->angular, v->angular))));
}

// Sleep candidates that contacts hold and that have hardly any speed stay where they are. What is
// left of their speed is the error of the iterations, and would make tall walls creep and buckle;
// with everything in its place the impulses converge, and the error vanishes. They lose a fifth of
// their speed in each sub-step: an unbalanced force of more than some hundredths of their weight
// moves them after all.
static inline rbl_i8 find_stuck(const rbl_solver_step_context *step, const int32_t *list,
                                const velocity_lanes *velocity)
{
	rbl_i8 is_candidate = rbl_f8_ge(velocity->sleep_timer, rbl_f8_splat(step->sleep_time));
	if (!rbl_i8_any(is_candidate))
		return is_candidate;
	velocity_lanes free;
	still_pose_lanes pose;
	gather_records(step->bodies.free_velocity, list, free.rows);
	gather_records(step->bodies.sleep_pose, list, pose.rows);
	rbl_f8x3 held = rbl_f8x3_sub(velocity->linear, free.linear);
	rbl_i8 is_slow = rbl_f8_lt(max_speed(velocity, pose.radius), rbl_f8_splat(step->stick_speed));
	rbl_i8 is_held = rbl_f8_gt(rbl_f8x3_dot(held, held), rbl_f8_zero());
	// What is round rolls however slowly, and nothing but its contacts holds it.
	is_held = rbl_i8_andnot(is_held, can_roll(velocity));
	return rbl_i8_and(is_candidate, rbl_i8_and(is_slow, is_held));
}

void RBL_KERNEL(rbl_solver_integrate_positions)(const int32_t *list, int count,
                                                const rbl_solver_step_context *step)
{
	rbl_f8 h = rbl_f8_splat(step->h), slowdown = rbl_f8_splat(0.8f);
	for (int i = 0; i < count; i += RBL_SOLVER_LANES) {
		velocity_lanes velocity;
		delta_lanes delta;
		gather_records(step->bodies.velocity, list + i, velocity.rows);
		unsigned listed = listed_lanes(list + i);
		unsigned stuck = listed & (unsigned)rbl_i8_bits(find_stuck(step, list + i, &velocity));
		unsigned lanes = listed & ~stuck;
		if (stuck) {
			velocity_lanes slowed = velocity;
			slowed.linear = rbl_f8x3_scale(slowdown, velocity.linear);
			slowed.angular = rbl_f8x3_scale(slowdown, velocity.angular);
			scatter_records(step->bodies.velocity, list + i, stuck, slowed.rows);
		}
		if (!lanes)
			continue;
		gather_records(step->bodies.delta, list + i, delta.rows);
		delta.translation = rbl_f8x3_add_scaled(delta.translation, h, velocity.linear);
		delta.rotation = quat_integrate(delta.rotation, velocity.angular, step->h);
		scatter_records(step->bodies.delta, list + i, lanes, delta.rows);
	}
}

// The angular velocity at the end of the step, by the inertia there. What the impulses have added
// to the energy at the midpoint, they have added; rotation adds nothing.
static inline rbl_f8x3 final_angular_velocity(const midpoint_lanes *midpoint,
                                              const inertia_lanes *local_inverse,
                                              const inertia_lanes *local, quat8 end, rbl_f8x3 w)
{
	rbl_i8 is_gyroscopic =
		rbl_f8_gt(midpoint->energy_gain, rbl_f8_splat(0.5f * RBL_SOLVER_NOT_GYROSCOPIC));
	if (!rbl_i8_any(is_gyroscopic))
		return w;
	rbl_f8 half = rbl_f8_splat(0.5f);
	mat8 r_middle = quat_to_mat(midpoint->rotation), r_end = quat_to_mat(end);
	rbl_f8x3 kept = rotated_inertia_mul(&r_middle, local, w);
	rbl_f8x3 momentum = rbl_f8x3_add(kept, midpoint->momentum_rest);
	rbl_f8x3 changed = rotated_inertia_mul(&r_end, local_inverse, momentum);
	rbl_f8 before = rbl_f8_mul(half, rbl_f8x3_dot(w, kept));
	rbl_f8 after = rbl_f8_mul(half, rbl_f8x3_dot(changed, momentum));
	rbl_f8 most = rbl_f8_max(rbl_f8_sub(before, midpoint->energy_gain), rbl_f8_mul(half, before));
	rbl_f8 scale = rbl_f8_select(rbl_f8_gt(after, rbl_f8_mul(rbl_f8_splat(1.00001f), most)),
	                             rbl_f8_sqrt(rbl_f8_div(most, after)), rbl_f8_splat(1.0f));
	return rbl_f8x3_select(is_gyroscopic, rbl_f8x3_scale(scale, changed), w);
}

// The wake threshold grows with the body, from a radius of 0.25 m to one of 1 m. The errors of the
// iterations rotate a block of a ton by as much as a brick, and its corners move further: a few
// millimetres there are no sign of motion.
static inline rbl_f8 wake_scale(rbl_f8 radius)
{
	rbl_f8 scale = rbl_f8_mul(rbl_f8_splat(4.0f), radius);
	return rbl_f8_min(rbl_f8_max(scale, rbl_f8_splat(1.0f)), rbl_f8_splat(4.0f));
}

// Update how long the body has been still, and whether it wakes its neighbours.
static inline void update_sleep(const rbl_solver_step_context *step, const int32_t *list,
                                unsigned lanes, const pose_lanes *pose, velocity_lanes *velocity)
{
	rbl_f8 one = rbl_f8_splat(1.0f), zero = rbl_f8_zero();
	still_pose_lanes sleep, wake;
	gather_records(step->bodies.sleep_pose, list, sleep.rows);
	gather_records(step->bodies.wake_pose, list, wake.rows);

	rbl_f8x3 shift = rbl_f8x3_sub(pose->centre, sleep.centre);
	rbl_f8 most = rbl_f8_select(can_roll(velocity), rbl_f8_splat(step->round_distance_squared),
	                            rbl_f8_splat(step->sleep_distance_squared));
	rbl_i8 is_near = rbl_f8_lt(rbl_f8x3_dot(shift, shift), most);
	rbl_i8 is_aligned = rbl_f8_gt(rbl_f8_abs(quat_dot(pose->rotation, sleep.rotation)),
	                              rbl_f8_splat(step->sleep_cosine));
	rbl_i8 is_still = rbl_i8_and(is_near, is_aligned);
	velocity->sleep_timer =
		rbl_f8_select(is_still, rbl_f8_add(velocity->sleep_timer, rbl_f8_splat(step->dt)), zero);

	shift = rbl_f8x3_sub(pose->centre, wake.centre);
	rbl_f8 cosine = quat_dot(pose->rotation, wake.rotation);
	rbl_f8 sine = rbl_f8_sqrt(rbl_f8_max(rbl_f8_sub(one, rbl_f8_mul(cosine, cosine)), zero));
	rbl_f8 moved = rbl_f8_add(rbl_f8_sqrt(rbl_f8x3_dot(shift, shift)),
	                          rbl_f8_mul(rbl_f8_mul(rbl_f8_splat(2.0f), sleep.radius), sine));
	rbl_f8 speed = max_speed(velocity, sleep.radius), scale = wake_scale(sleep.radius);
	rbl_i8 has_moved = rbl_f8_gt(moved, rbl_f8_mul(scale, rbl_f8_splat(step->wake_distance)));
	rbl_i8 is_fast = rbl_f8_gt(speed, rbl_f8_mul(scale, rbl_f8_splat(step->wake_speed)));
	rbl_i8 bit = rbl_i8_splat(RBL_SOLVER_WAKES_NEIGHBOURS);
	rbl_i8 state = rbl_i8_andnot(rbl_f8_as_mask(velocity->state), bit);
	velocity->state =
		rbl_f8_from_mask(rbl_i8_or(state, rbl_i8_and(rbl_i8_or(has_moved, is_fast), bit)));

	still_pose_lanes here = { .centre = pose->centre,
		                      .radius = sleep.radius,
		                      .rotation = pose->rotation };
	unsigned moving = lanes & ~(unsigned)rbl_i8_bits(is_still);
	if (moving)
		scatter_records(step->bodies.sleep_pose, list, moving, here.rows);
	unsigned waking = lanes & (unsigned)rbl_i8_bits(has_moved);
	if (waking)
		scatter_records(step->bodies.wake_pose, list, waking, here.rows);
}

void RBL_KERNEL(rbl_solver_finish_bodies)(const int32_t *list, int count,
                                          const rbl_solver_step_context *step)
{
	for (int i = 0; i < count; i += RBL_SOLVER_LANES) {
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
		pose.centre = rbl_f8x3_add(pose.centre, delta.translation);
		pose.rotation = quat_normalize(quat_mul(delta.rotation, pose.rotation));
		velocity.angular = final_angular_velocity(&midpoint, &local_inverse, &local, pose.rotation,
		                                          velocity.angular);
		update_sleep(step, list + i, lanes, &pose, &velocity);
		scatter_records(step->bodies.pose, list + i, lanes, pose.rows);
		scatter_records(step->bodies.velocity, list + i, lanes, velocity.rows);
	}
}
