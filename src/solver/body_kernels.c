// SPDX-License-Identifier: MIT
//
// Bodies by themselves: how they speed up, move, turn, and come to rest. Eight at a time.
//
// Turning. Without torque the angular momentum L stays, and the angular velocity w = I^-1 L changes
// as the inertia I turns with the body. A step turns a body by its velocity in the MIDDLE of the
// step: w becomes I(middle)^-1 I(begin) w before the sub-steps and I(end)^-1 I(middle) w after them,
// and the solver works with I(middle). So L is kept to the last digits, and the energy to second
// order; what the two changes gain together is taken away again, so that turning never feeds energy.
//
// Warm start. Arms and inertia are fixed within a step, so what all impulses together change of a
// body's velocity in a sub-step is v - base, base being its velocity before impulses. A sweep over
// contacts that applies the same impulses again, in the next sub-step, is therefore not needed:
// v - base is added once per body.

#include "solver/record_lanes.h"
#include "solver/solver.h"

typedef struct quat8 {
	rbl_f8x3 u;
	rbl_f8 w;
} quat8;

typedef struct mat8 {
	rbl_f8x3 x, y, z; // columns
} mat8;

static inline quat8 load_quat(const rbl_f8 rows[4])
{
	return (quat8){ first3(rows), rows[3] };
}

static inline void store_quat(rbl_f8 rows[4], quat8 q)
{
	rows[0] = q.u.x, rows[1] = q.u.y, rows[2] = q.u.z, rows[3] = q.w;
}

static inline quat8 normalize(quat8 q)
{
	rbl_f8 square = rbl_f8_add(rbl_f8x3_dot(q.u, q.u), rbl_f8_mul(q.w, q.w));
	rbl_f8 scale = rbl_f8_div(rbl_f8_splat(1.0f), rbl_f8_sqrt(square));
	return (quat8){ rbl_f8x3_scale(scale, q.u), rbl_f8_mul(scale, q.w) };
}

// Turned for the time h by the angular velocity w of the world.
static inline quat8 turn_by(quat8 q, rbl_f8x3 w, float h)
{
	rbl_f8x3 half = rbl_f8x3_scale(rbl_f8_splat(0.5f * h), w);
	rbl_f8x3 u = rbl_f8x3_add(rbl_f8x3_scale(q.w, half), rbl_f8x3_cross(half, q.u));
	return normalize((quat8){ rbl_f8x3_add(q.u, u), rbl_f8_sub(q.w, rbl_f8x3_dot(half, q.u)) });
}

static inline quat8 quat_mul(quat8 a, quat8 b)
{
	rbl_f8x3 u = rbl_f8x3_add(rbl_f8x3_scale(a.w, b.u), rbl_f8x3_scale(b.w, a.u));
	u = rbl_f8x3_add(u, rbl_f8x3_cross(a.u, b.u));
	return (quat8){ u, rbl_f8_sub(rbl_f8_mul(a.w, b.w), rbl_f8x3_dot(a.u, b.u)) };
}

static inline mat8 to_matrix(quat8 q)
{
	rbl_f8 one = rbl_f8_splat(1.0f), two = rbl_f8_splat(2.0f);
	rbl_f8 x = rbl_f8_mul(two, q.u.x), y = rbl_f8_mul(two, q.u.y), z = rbl_f8_mul(two, q.u.z);
	rbl_f8 xx = rbl_f8_mul(x, q.u.x), yy = rbl_f8_mul(y, q.u.y), zz = rbl_f8_mul(z, q.u.z);
	rbl_f8 xy = rbl_f8_mul(x, q.u.y), xz = rbl_f8_mul(x, q.u.z), yz = rbl_f8_mul(y, q.u.z);
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

// The symmetric matrix in a frame turned by m, applied.
static inline rbl_f8x3 turned_mul(const mat8 *m, const rbl_f8 symmetric[8], rbl_f8x3 v)
{
	return mat_mul(m, symmetric_mul(symmetric, mat_mul_transposed(m, v)));
}

// R S R', in the layout of a record; rows 3 and 7 are left alone.
static inline void turn_symmetric(const mat8 *r, const rbl_f8 s[8], rbl_f8 out[8])
{
	rbl_f8x3 x = symmetric_mul(s, (rbl_f8x3){ r->x.x, r->y.x, r->z.x });
	rbl_f8x3 y = symmetric_mul(s, (rbl_f8x3){ r->x.y, r->y.y, r->z.y });
	rbl_f8x3 z = symmetric_mul(s, (rbl_f8x3){ r->x.z, r->y.z, r->z.z });
	rbl_f8x3 row_x = { r->x.x, r->y.x, r->z.x }, row_y = { r->x.y, r->y.y, r->z.y };
	rbl_f8x3 row_z = { r->x.z, r->y.z, r->z.z };
	out[0] = rbl_f8x3_dot(row_x, x);
	out[1] = rbl_f8x3_dot(row_y, y);
	out[2] = rbl_f8x3_dot(row_z, z);
	out[4] = rbl_f8x3_dot(row_x, y);
	out[5] = rbl_f8x3_dot(row_x, z);
	out[6] = rbl_f8x3_dot(row_y, z);
}

static inline unsigned listed_lanes(const int32_t *list)
{
	return (unsigned)rbl_i8_bits(rbl_i8_gt(rbl_i8_load(list), rbl_i8_zero()));
}

void RBL_KERNEL(rbl_bodies_prepare)(const int32_t *list, int count, const rbl_body_records *bodies,
                                    const rbl_sweep *sweep)
{
	rbl_f8x3 gravity = rbl_f8x3_splat(sweep->gravity);
	rbl_f8 one = rbl_f8_splat(1.0f), h = rbl_f8_splat(sweep->h), zero = rbl_f8_zero();
	for (int i = 0; i < count; i += RBL_LANES) {
		unsigned lanes = listed_lanes(list + i);
		rbl_f8 pose[8], velocity[8], inverse[8], direct[8];
		gather_records(bodies->pose, list + i, pose);
		gather_records(bodies->velocity, list + i, velocity);
		gather_records(bodies->inverse, list + i, inverse);
		gather_records(bodies->direct, list + i, direct);
		rbl_f8x3 w = last3(velocity);
		quat8 begin = load_quat(pose + 4);
		quat8 middle = turn_by(begin, w, 0.5f * sweep->dt);
		mat8 turn_begin = to_matrix(begin), turn_middle = to_matrix(middle);

		rbl_f8 inertia[8];
		turn_symmetric(&turn_middle, inverse, inertia);
		inertia[3] = inverse[3];
		inertia[7] = zero;

		// Only what turns noticeably is worth it; what has no inertia keeps its spin.
		rbl_f8x3 momentum = turned_mul(&turn_begin, direct, w);
		rbl_f8x3 changed = symmetric_mul(inertia, momentum);
		rbl_f8 spin = rbl_f8_mul(rbl_f8x3_dot(w, w), rbl_f8_splat(sweep->dt * sweep->dt));
		rbl_i8 turns = rbl_i8_and(rbl_f8_gt(spin, rbl_f8_splat(1e-6f)), rbl_f8_gt(direct[0], zero));
		changed = rbl_f8x3_select(turns, changed, w);
		rbl_f8 gain =
			rbl_f8_mul(rbl_f8_splat(0.5f), rbl_f8x3_dot(rbl_f8x3_sub(changed, w), momentum));
		velocity[4] = changed.x, velocity[5] = changed.y, velocity[6] = changed.z;

		rbl_f8 force[8] = { zero, zero, zero, zero, zero, zero, zero, zero };
		if (sweep->has_forces)
			gather_records(bodies->middle, list + i, force);
		rbl_f8x3 pull = rbl_f8x3_add(rbl_f8x3_scale(inverse[7], gravity),
		                             rbl_f8x3_scale(inverse[3], first3(force)));
		rbl_f8x3 twist = symmetric_mul(inertia, last3(force));
		rbl_f8 drive[8] = { pull.x,  pull.y,
			                pull.z,  rbl_f8_div(one, rbl_f8_add(one, rbl_f8_mul(h, direct[3]))),
			                twist.x, twist.y,
			                twist.z, rbl_f8_div(one, rbl_f8_add(one, rbl_f8_mul(h, direct[7]))) };
		rbl_f8 halfway[8];
		store_quat(halfway, middle);
		halfway[4] = rbl_f8_select(turns, gain, zero);
		halfway[5] = halfway[6] = halfway[7] = zero;
		scatter_records(bodies->velocity, list + i, lanes, velocity);
		scatter_records(bodies->inertia, list + i, lanes, inertia);
		scatter_records(bodies->drive, list + i, lanes, drive);
		scatter_records(bodies->middle, list + i, lanes, halfway);
	}
}

// v, no longer than `limit`.
static inline rbl_f8x3 limit_length(rbl_f8x3 v, float limit)
{
	rbl_f8 square = rbl_f8x3_dot(v, v);
	rbl_i8 is_long = rbl_f8_gt(square, rbl_f8_splat(limit * limit));
	if (!rbl_i8_any(is_long))
		return v;
	rbl_f8 scale = rbl_f8_div(rbl_f8_splat(limit), rbl_f8_sqrt(square));
	return rbl_f8x3_scale(rbl_f8_select(is_long, scale, rbl_f8_splat(1.0f)), v);
}

void RBL_KERNEL(rbl_bodies_accelerate)(const int32_t *list, int count,
                                       const rbl_body_records *bodies, const rbl_sweep *sweep,
                                       bool is_first)
{
	rbl_f8 h = rbl_f8_splat(sweep->h), zero = rbl_f8_zero();
	const rbl_f8 still[8] = { zero, zero, zero, zero, zero, zero, zero, rbl_f8_splat(1.0f) };
	for (int i = 0; i < count; i += RBL_LANES) {
		unsigned lanes = listed_lanes(list + i);
		rbl_f8 velocity[8], base[8], drive[8];
		gather_records(bodies->velocity, list + i, velocity);
		gather_records(bodies->drive, list + i, drive);
		gather_records(is_first ? bodies->velocity : bodies->base, list + i, base);
		rbl_f8x3 v = first3(velocity), w = last3(velocity);
		rbl_f8x3 dv = rbl_f8x3_sub(v, first3(base)), dw = rbl_f8x3_sub(w, last3(base));
		v = rbl_f8x3_scale(drive[3], rbl_f8x3_add_scaled(v, h, first3(drive)));
		w = rbl_f8x3_scale(drive[7], rbl_f8x3_add_scaled(w, h, last3(drive)));
		v = limit_length(v, sweep->speed_limit);
		w = limit_length(w, sweep->spin_limit);
		base[0] = v.x, base[1] = v.y, base[2] = v.z, base[3] = zero;
		base[4] = w.x, base[5] = w.y, base[6] = w.z, base[7] = zero;
		v = rbl_f8x3_add(v, dv);
		w = rbl_f8x3_add(w, dw);
		velocity[0] = v.x, velocity[1] = v.y, velocity[2] = v.z;
		velocity[4] = w.x, velocity[5] = w.y, velocity[6] = w.z;
		scatter_records(bodies->velocity, list + i, lanes, velocity);
		scatter_records(bodies->base, list + i, lanes, base);
		if (is_first)
			scatter_records(bodies->delta, list + i, lanes, still);
	}
}

// Bodies that have been quiet, lean on something and have hardly any speed: they stay where they are.
// What is left of their speed is the error of the sweeps, and would make tall walls creep and
// buckle; with everything in its place the impulses converge, and the error goes away. They lose a
// fifth of their speed in each sub-step: a force of more than some hundredths of their weight that
// nothing balances moves them after all.
static inline rbl_i8 find_stuck(const rbl_body_records *bodies, const int32_t *list,
                                const rbl_f8 velocity[8], const rbl_sweep *sweep)
{
	rbl_i8 is_quiet = rbl_f8_ge(velocity[7], rbl_f8_splat(sweep->quiet_time));
	if (!rbl_i8_any(is_quiet))
		return is_quiet;
	rbl_f8 base[8], rest[8];
	gather_records(bodies->base, list, base);
	gather_records(bodies->rest, list, rest);
	rbl_f8 speed = rbl_f8_sqrt(rbl_f8x3_dot(first3(velocity), first3(velocity)));
	rbl_f8 spin = rbl_f8_sqrt(rbl_f8x3_dot(last3(velocity), last3(velocity)));
	rbl_f8 reach = rbl_f8_add(speed, rbl_f8_mul(rest[3], spin));
	rbl_f8x3 held = rbl_f8x3_sub(first3(velocity), first3(base));
	rbl_i8 is_slow = rbl_f8_lt(reach, rbl_f8_splat(sweep->stick_speed));
	rbl_i8 leans = rbl_f8_gt(rbl_f8x3_dot(held, held), rbl_f8_zero());
	return rbl_i8_and(is_quiet, rbl_i8_and(is_slow, leans));
}

void RBL_KERNEL(rbl_bodies_move)(const int32_t *list, int count, const rbl_body_records *bodies,
                                 const rbl_sweep *sweep)
{
	rbl_f8 h = rbl_f8_splat(sweep->h);
	for (int i = 0; i < count; i += RBL_LANES) {
		rbl_f8 velocity[8], delta[8];
		gather_records(bodies->velocity, list + i, velocity);
		unsigned listed = listed_lanes(list + i);
		unsigned stuck =
			listed & (unsigned)rbl_i8_bits(find_stuck(bodies, list + i, velocity, sweep));
		unsigned lanes = listed & ~stuck;
		if (stuck) {
			rbl_f8 slowed[8];
			for (int k = 0; k < 8; ++k)
				slowed[k] = k % 4 < 3 ? rbl_f8_mul(rbl_f8_splat(0.8f), velocity[k]) : velocity[k];
			scatter_records(bodies->velocity, list + i, stuck, slowed);
		}
		if (!lanes)
			continue;
		gather_records(bodies->delta, list + i, delta);
		rbl_f8x3 shift = rbl_f8x3_add_scaled(first3(delta), h, first3(velocity));
		delta[0] = shift.x, delta[1] = shift.y, delta[2] = shift.z;
		store_quat(delta + 4, turn_by(load_quat(delta + 4), last3(velocity), sweep->h));
		scatter_records(bodies->delta, list + i, lanes, delta);
	}
}

// The angular velocity after the inertia has turned from the middle of the step to its end.
static inline rbl_f8x3 spin_at_end(const rbl_f8 middle[8], const rbl_f8 inverse[8],
                                   const rbl_f8 direct[8], quat8 end, rbl_f8x3 w, float dt)
{
	rbl_f8 half = rbl_f8_splat(0.5f);
	mat8 turn_middle = to_matrix(load_quat(middle)), turn_end = to_matrix(end);
	rbl_f8x3 momentum = turned_mul(&turn_middle, direct, w);
	rbl_f8x3 changed = turned_mul(&turn_end, inverse, momentum);
	rbl_f8 before = rbl_f8_mul(half, rbl_f8x3_dot(w, momentum));
	rbl_f8 after = rbl_f8_mul(half, rbl_f8x3_dot(changed, momentum));
	rbl_f8 most = rbl_f8_max(rbl_f8_sub(before, middle[4]), rbl_f8_mul(half, before));
	rbl_f8 scale = rbl_f8_select(rbl_f8_gt(after, most), rbl_f8_sqrt(rbl_f8_div(most, after)),
	                             rbl_f8_splat(1.0f));
	rbl_f8 spin = rbl_f8_mul(rbl_f8x3_dot(w, w), rbl_f8_splat(dt * dt));
	rbl_i8 turns =
		rbl_i8_and(rbl_f8_gt(spin, rbl_f8_splat(1e-6f)), rbl_f8_gt(direct[0], rbl_f8_zero()));
	return rbl_f8x3_select(turns, rbl_f8x3_scale(scale, changed), w);
}

static inline rbl_f8 quat_dot(const rbl_f8 a[4], const rbl_f8 b[4])
{
	return rbl_f8_add(rbl_f8x3_dot(first3(a), first3(b)), rbl_f8_mul(a[3], b[3]));
}

// What counts as stirring grows with the body, from a radius of 0.25 m to one of 1 m. The errors of the
// sweeps turn a block of a ton by as much as a brick, and its corners go further: its millimetres are
// no sign that anything moves.
static inline rbl_f8 stir_scale(rbl_f8 radius)
{
	rbl_f8 scale = rbl_f8_mul(rbl_f8_splat(4.0f), radius);
	return rbl_f8_min(rbl_f8_max(scale, rbl_f8_splat(1.0f)), rbl_f8_splat(4.0f));
}

// How long the body has been quiet, and whether it stirs its neighbours.
static inline void watch_rest(const rbl_body_records *bodies, const int32_t *list, unsigned lanes,
                              const rbl_f8 pose[8], rbl_f8 velocity[8], const rbl_sweep *sweep)
{
	rbl_f8 one = rbl_f8_splat(1.0f), zero = rbl_f8_zero();
	rbl_f8 rest[8], stir[8];
	gather_records(bodies->rest, list, rest);
	gather_records(bodies->stir, list, stir);
	rbl_f8 radius = rest[3];

	rbl_f8x3 translation = rbl_f8x3_sub(first3(pose), first3(rest));
	rbl_i8 is_near = rbl_f8_lt(rbl_f8x3_dot(translation, translation), rbl_f8_splat(sweep->quiet_distance_squared));
	rbl_i8 is_even =
		rbl_f8_gt(rbl_f8_abs(quat_dot(pose + 4, rest + 4)), rbl_f8_splat(sweep->quiet_cosine));
	rbl_i8 is_quiet = rbl_i8_and(is_near, is_even);
	velocity[7] = rbl_f8_select(is_quiet, rbl_f8_add(velocity[7], rbl_f8_splat(sweep->dt)), zero);

	translation = rbl_f8x3_sub(first3(pose), first3(stir));
	rbl_f8 cosine = quat_dot(pose + 4, stir + 4);
	rbl_f8 sine = rbl_f8_sqrt(rbl_f8_max(rbl_f8_sub(one, rbl_f8_mul(cosine, cosine)), zero));
	rbl_f8 moved = rbl_f8_add(rbl_f8_sqrt(rbl_f8x3_dot(translation, translation)),
	                          rbl_f8_mul(rbl_f8_mul(rbl_f8_splat(2.0f), radius), sine));
	rbl_f8 speed =
		rbl_f8_add(rbl_f8_sqrt(rbl_f8x3_dot(first3(velocity), first3(velocity))),
	               rbl_f8_mul(radius, rbl_f8_sqrt(rbl_f8x3_dot(last3(velocity), last3(velocity)))));
	rbl_f8 scale = stir_scale(radius);
	rbl_i8 has_moved = rbl_f8_gt(moved, rbl_f8_mul(scale, rbl_f8_splat(sweep->wake_distance)));
	rbl_i8 is_bullet = rbl_f8_gt(speed, rbl_f8_mul(scale, rbl_f8_splat(sweep->wake_speed)));
	rbl_i8 stirs = rbl_i8_or(has_moved, is_bullet);
	rbl_i8 bit = rbl_i8_splat(RBL_STATE_STIRS);
	rbl_i8 state = rbl_i8_andnot(rbl_f8_as_mask(velocity[3]), bit);
	velocity[3] = rbl_f8_from_mask(rbl_i8_or(state, rbl_i8_and(stirs, bit)));

	rbl_f8 here[8];
	for (int k = 0; k < 8; ++k)
		here[k] = k == 3 ? radius : pose[k];
	unsigned restless = lanes & ~(unsigned)rbl_i8_bits(is_quiet);
	if (restless)
		scatter_records(bodies->rest, list, restless, here);
	unsigned stirring = lanes & (unsigned)rbl_i8_bits(has_moved);
	if (stirring)
		scatter_records(bodies->stir, list, stirring, here);
}

void RBL_KERNEL(rbl_bodies_finish)(const int32_t *list, int count, const rbl_body_records *bodies,
                                   const rbl_sweep *sweep)
{
	for (int i = 0; i < count; i += RBL_LANES) {
		unsigned lanes = listed_lanes(list + i);
		rbl_f8 pose[8], velocity[8], delta[8], middle[8], inverse[8], direct[8];
		gather_records(bodies->pose, list + i, pose);
		gather_records(bodies->velocity, list + i, velocity);
		gather_records(bodies->delta, list + i, delta);
		gather_records(bodies->middle, list + i, middle);
		gather_records(bodies->inverse, list + i, inverse);
		gather_records(bodies->direct, list + i, direct);
		rbl_f8x3 centre = rbl_f8x3_add(first3(pose), first3(delta));
		quat8 end = normalize(quat_mul(load_quat(delta + 4), load_quat(pose + 4)));
		pose[0] = centre.x, pose[1] = centre.y, pose[2] = centre.z;
		store_quat(pose + 4, end);
		rbl_f8x3 w = spin_at_end(middle, inverse, direct, end, last3(velocity), sweep->dt);
		velocity[4] = w.x, velocity[5] = w.y, velocity[6] = w.z;
		watch_rest(bodies, list + i, lanes, pose, velocity, sweep);
		scatter_records(bodies->pose, list + i, lanes, pose);
		scatter_records(bodies->velocity, list + i, lanes, velocity);
	}
}
