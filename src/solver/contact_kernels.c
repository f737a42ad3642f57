// SPDX-License-Identifier: MIT
//
// Sweeps over contacts, eight at a time.
//
// A contact is a spring with damping between two bodies at up to four points (Catto, "Solver2D",
// 2024: soft step). In each sub-step one sweep does friction and pushes overlap out, with the spring
// as bias; at the end of the step one more without bias takes the speed of that push away again. Soft
// step does that, and friction, in a second sweep of every sub-step; for the same number of sweeps,
// twice the sub-steps with one each leave half the overlap in a pile, and a wall that stands. Only
// blocks that push faster than 10 cm/s are relaxed in their sub-step: later, the impulse that gave
// the speed would be gone, and nothing could take it back.
//
// Sweeps know the separation of a point from the motion of the bodies since the step began: with the
// shift d and the rotation R of each,
//
//     separation = first + n.(dB - dA) + (RB' n - n).rB - (RA' n - n).rA
//
// so a point costs one product more than a fixed separation: rB = rA + offset, and R' n - n is needed
// once per contact.
//
// Where bodies have more contacts than there are colours, lanes of a block may share one. Such a body
// is split for the block: with k of its contacts there, each of them meets a body of a k-th of the
// mass, and the changes of all are added in the end (Tonge, Benevolenski and Voroshilov, "Mass
// splitting for jitter-free parallel rigid body simulation", 2012). Nothing can overshoot, and a slab
// of stone hardly notices; solved one by one, in blocks of their own, they took six times as long.
//
// Points of a contact are solved one after the other, each on the velocities the last one left, in
// every other sub-step the other way round: the last point has the last word, and always the same one
// would make towers lean.

#include "solver/record_lanes.h"

// The two bodies of eight contacts.
typedef struct body_pair {
	rbl_f8 velocity_a[8], velocity_b[8];
	rbl_f8 inertia_a[8], inertia_b[8];
	unsigned moving_a, moving_b; // bits of lanes whose body has inverse mass
} body_pair;

// What is kept of a pair whose bodies other lanes may have, too.
typedef struct shared_pair {
	rbl_f8 old_a[8], old_b[8]; // velocities before
	rbl_f8 share_a, share_b;   // lanes of the block that have the body
} shared_pair;

static inline void load_pair(body_pair *pair, const rbl_contact_block *block,
                             const rbl_body_records *bodies)
{
	gather_records(bodies->velocity, block->a, pair->velocity_a);
	gather_records(bodies->inertia, block->a, pair->inertia_a);
	gather_records(bodies->velocity, block->b, pair->velocity_b);
	gather_records(bodies->inertia, block->b, pair->inertia_b);
	pair->moving_a = (unsigned)rbl_i8_bits(rbl_f8_gt(pair->inertia_a[3], rbl_f8_zero()));
	pair->moving_b = (unsigned)rbl_i8_bits(rbl_f8_gt(pair->inertia_b[3], rbl_f8_zero()));
}

static inline void store_pair(const body_pair *pair, const rbl_contact_block *block,
                              const rbl_body_records *bodies)
{
	scatter_records(bodies->velocity, block->a, pair->moving_a, pair->velocity_a);
	scatter_records(bodies->velocity, block->b, pair->moving_b, pair->velocity_b);
}

static int count_lanes(const rbl_contact_block *block, int body)
{
	int count = 0;
	for (int i = 0; i < RBL_LANES; ++i)
		count += (block->a[i] == body) + (block->b[i] == body);
	return body > 0 ? count : 1;
}

// Remember the velocities, and split the bodies.
static void split_pair(body_pair *pair, shared_pair *shared, const rbl_contact_block *block)
{
	float shares[2][RBL_LANES];
	for (int i = 0; i < RBL_LANES; ++i) {
		shares[0][i] = (float)count_lanes(block, block->a[i]);
		shares[1][i] = (float)count_lanes(block, block->b[i]);
	}
	shared->share_a = rbl_f8_load(shares[0]), shared->share_b = rbl_f8_load(shares[1]);
	for (int k = 0; k < RBL_RECORD; ++k) {
		shared->old_a[k] = pair->velocity_a[k], shared->old_b[k] = pair->velocity_b[k];
		pair->inertia_a[k] = rbl_f8_mul(pair->inertia_a[k], shared->share_a);
		pair->inertia_b[k] = rbl_f8_mul(pair->inertia_b[k], shared->share_b);
	}
}

// Add what the lanes have changed to what is there, one after the other.
static void add_changes(const rbl_f8 now[8], const rbl_f8 old[8], rbl_f8 share,
                        const int32_t *index, unsigned lanes, float *records)
{
	float changes[RBL_RECORD][RBL_LANES];
	for (int k = 0; k < RBL_RECORD; ++k)
		rbl_f8_store(changes[k], rbl_f8_div(rbl_f8_sub(now[k], old[k]), share));
	for (int i = 0; i < RBL_LANES; ++i) {
		float *record = records + (size_t)RBL_RECORD * (size_t)index[i];
		for (int k = 0; (lanes >> i & 1) && k < 7; ++k)
			if (k != 3) // which is no velocity
				record[k] += changes[k][i];
	}
}

static void store_shared(const body_pair *pair, const shared_pair *shared,
                         const rbl_contact_block *block, const rbl_body_records *bodies)
{
	add_changes(pair->velocity_a, shared->old_a, shared->share_a, block->a, pair->moving_a,
	            bodies->velocity);
	add_changes(pair->velocity_b, shared->old_b, shared->share_b, block->b, pair->moving_b,
	            bodies->velocity);
}

static inline void add_to(rbl_f8 rows[3], rbl_f8x3 change)
{
	rows[0] = rbl_f8_add(rows[0], change.x);
	rows[1] = rbl_f8_add(rows[1], change.y);
	rows[2] = rbl_f8_add(rows[2], change.z);
}

// Change both bodies by an impulse on B, and its opposite on A: linear, and angular about each centre.
static inline void push_pair(body_pair *pair, rbl_f8x3 impulse, rbl_f8x3 angular_a,
                             rbl_f8x3 angular_b)
{
	add_to(pair->velocity_a, rbl_f8x3_neg(rbl_f8x3_scale(pair->inertia_a[3], impulse)));
	add_to(pair->velocity_a + 4, rbl_f8x3_neg(symmetric_mul(pair->inertia_a, angular_a)));
	add_to(pair->velocity_b, rbl_f8x3_scale(pair->inertia_b[3], impulse));
	add_to(pair->velocity_b + 4, symmetric_mul(pair->inertia_b, angular_b));
}

// How the bodies have moved along the normals: for a point, the change of its separation is
// shift + along_anchor . rA.
typedef struct gap_change {
	rbl_f8 shift;
	rbl_f8x3 along_anchor;
} gap_change;

static inline gap_change find_gap_change(const rbl_contact_block *block, rbl_f8x3 normal,
                                         rbl_f8x3 offset, const rbl_body_records *bodies)
{
	rbl_f8 a[8], b[8];
	gather_records(bodies->delta, block->a, a);
	gather_records(bodies->delta, block->b, b);
	rbl_f8x3 turn_a = turn_change(rbl_f8x3_neg(last3(a)), a[7], normal);
	rbl_f8x3 turn_b = turn_change(rbl_f8x3_neg(last3(b)), b[7], normal);
	rbl_f8 shift = rbl_f8x3_dot(normal, rbl_f8x3_sub(first3(b), first3(a)));
	return (gap_change){ rbl_f8_add(shift, rbl_f8x3_dot(turn_b, offset)),
		                 rbl_f8x3_sub(turn_b, turn_a) };
}

// The normals' part of both sweeps. @param least  receives the least bias
// @return the sum of the impulses
static inline rbl_f8 solve_normals(rbl_contact_block *block, body_pair *pair, rbl_f8x3 normal,
                                   const gap_change *change, const rbl_sweep *sweep, bool is_soft,
                                   bool is_backward, int point_count, rbl_f8 *least)
{
	rbl_f8x3 offset_cross = rbl_f8x3_cross(load_lanes(block->offset), normal);
	rbl_f8 inverse_h = rbl_f8_splat(sweep->inverse_h);
	rbl_f8 rate = rbl_f8_splat(is_soft ? sweep->bias_rate : 0.0f);
	rbl_f8 soft_mass = rbl_f8_splat(is_soft ? sweep->mass_scale : 1.0f);
	rbl_f8 soft_impulse = rbl_f8_splat(is_soft ? sweep->impulse_scale : 0.0f);
	rbl_f8 deepest = rbl_f8_splat(is_soft ? -sweep->push_speed : 0.0f);
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8 sum = zero;
	for (int i = 0; i < point_count; ++i) {
		rbl_point_lanes *point = &block->points[is_backward ? point_count - 1 - i : i];
		rbl_f8x3 anchor = load_lanes(point->anchor);
		rbl_f8 gap = rbl_f8_add(rbl_f8_add(rbl_f8_load(point->separation), change->shift),
		                        rbl_f8x3_dot(change->along_anchor, anchor));
		rbl_i8 is_apart = rbl_f8_gt(gap, zero);
		rbl_f8 bias = rbl_f8_select(is_apart, rbl_f8_mul(gap, inverse_h),
		                            rbl_f8_max(rbl_f8_mul(rate, gap), deepest));
		*least = rbl_f8_min(*least, bias);
		rbl_f8 mass_scale = rbl_f8_select(is_apart, one, soft_mass);
		rbl_f8 impulse_scale = rbl_f8_select(is_apart, zero, soft_impulse);

		rbl_f8x3 cross_a = rbl_f8x3_cross(anchor, normal);
		rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
		rbl_f8x3 relative = rbl_f8x3_sub(first3(pair->velocity_b), first3(pair->velocity_a));
		rbl_f8 speed = rbl_f8_add(rbl_f8x3_dot(relative, normal),
		                          rbl_f8_sub(rbl_f8x3_dot(last3(pair->velocity_b), cross_b),
		                                     rbl_f8x3_dot(last3(pair->velocity_a), cross_a)));
		rbl_f8 old = rbl_f8_load(point->impulse);
		rbl_f8 mass = rbl_f8_mul(rbl_f8_load(point->mass), mass_scale);
		rbl_f8 wanted = rbl_f8_sub(rbl_f8_sub(old, rbl_f8_mul(mass, rbl_f8_add(speed, bias))),
		                           rbl_f8_mul(impulse_scale, old));
		rbl_f8 now = rbl_f8_max(wanted, zero);
		rbl_f8_store(point->impulse, now);
		sum = rbl_f8_add(sum, now);
		rbl_f8 step = rbl_f8_sub(now, old);
		push_pair(pair, rbl_f8x3_scale(step, normal), rbl_f8x3_scale(step, cross_a),
		          rbl_f8x3_scale(step, cross_b));
	}
	return sum;
}

static inline rbl_f8x3 middle_of(const rbl_contact_block *block, int point_count)
{
	if (point_count == 1) // the others are at the same place
		return load_lanes(block->points[0].anchor);
	rbl_f8x3 sum =
		rbl_f8x3_add(load_lanes(block->points[0].anchor), load_lanes(block->points[1].anchor));
	rbl_f8x3 rest =
		rbl_f8x3_add(load_lanes(block->points[2].anchor), load_lanes(block->points[3].anchor));
	return rbl_f8x3_scale(rbl_f8_splat(0.25f), rbl_f8x3_add(sum, rest));
}

static inline rbl_f8 sum_impulses(const rbl_contact_block *block, int point_count)
{
	if (point_count == 1)
		return rbl_f8_load(block->points[0].impulse);
	rbl_f8 sum =
		rbl_f8_add(rbl_f8_load(block->points[0].impulse), rbl_f8_load(block->points[1].impulse));
	rbl_f8 rest =
		rbl_f8_add(rbl_f8_load(block->points[2].impulse), rbl_f8_load(block->points[3].impulse));
	return rbl_f8_add(sum, rest);
}

static inline void solve_twist(rbl_contact_block *block, body_pair *pair, rbl_f8x3 normal,
                               rbl_f8 most)
{
	rbl_f8 spin =
		rbl_f8x3_dot(rbl_f8x3_sub(last3(pair->velocity_b), last3(pair->velocity_a)), normal);
	rbl_f8 most_twist = rbl_f8_mul(most, rbl_f8_load(block->reach));
	rbl_f8 old_twist = rbl_f8_load(block->twist_impulse);
	rbl_f8 twist = rbl_f8_sub(old_twist, rbl_f8_mul(rbl_f8_load(block->twist_mass), spin));
	twist = rbl_f8_max(rbl_f8_min(twist, most_twist), rbl_f8_neg(most_twist));
	rbl_f8_store(block->twist_impulse, twist);
	rbl_f8x3 twisting = rbl_f8x3_scale(rbl_f8_sub(twist, old_twist), normal);
	add_to(pair->velocity_a + 4, rbl_f8x3_neg(symmetric_mul(pair->inertia_a, twisting)));
	add_to(pair->velocity_b + 4, symmetric_mul(pair->inertia_b, twisting));
}

// Friction in the middle of the points, two ways, and against twisting where there are several.
static inline void solve_friction(rbl_contact_block *block, body_pair *pair, rbl_f8x3 normal,
                                  int point_count)
{
	rbl_f8x3 middle_a = middle_of(block, point_count);
	rbl_f8x3 middle_b = rbl_f8x3_add(middle_a, load_lanes(block->offset));
	rbl_f8 most = rbl_f8_mul(rbl_f8_load(block->friction), sum_impulses(block, point_count));
	if (point_count > 1)
		solve_twist(block, pair, normal, most);

	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_f8x3 at_a =
		rbl_f8x3_add(first3(pair->velocity_a), rbl_f8x3_cross(last3(pair->velocity_a), middle_a));
	rbl_f8x3 at_b =
		rbl_f8x3_add(first3(pair->velocity_b), rbl_f8x3_cross(last3(pair->velocity_b), middle_b));
	rbl_f8x3 slip = rbl_f8x3_sub(at_b, at_a);
	rbl_f8 slip_1 = rbl_f8x3_dot(slip, t1), slip_2 = rbl_f8x3_dot(slip, t2);
	rbl_f8 xx = rbl_f8_load(block->friction_mass[0]), xy = rbl_f8_load(block->friction_mass[1]);
	rbl_f8 yy = rbl_f8_load(block->friction_mass[2]);
	rbl_f8 old_1 = rbl_f8_load(block->friction_impulse[0]);
	rbl_f8 old_2 = rbl_f8_load(block->friction_impulse[1]);
	rbl_f8 now_1 = rbl_f8_sub(old_1, rbl_f8_add(rbl_f8_mul(xx, slip_1), rbl_f8_mul(xy, slip_2)));
	rbl_f8 now_2 = rbl_f8_sub(old_2, rbl_f8_add(rbl_f8_mul(xy, slip_1), rbl_f8_mul(yy, slip_2)));
	rbl_f8 length = rbl_f8_sqrt(rbl_f8_add(rbl_f8_mul(now_1, now_1), rbl_f8_mul(now_2, now_2)));
	rbl_f8 scale =
		rbl_f8_select(rbl_f8_gt(length, most), rbl_f8_div(most, length), rbl_f8_splat(1.0f));
	now_1 = rbl_f8_mul(now_1, scale);
	now_2 = rbl_f8_mul(now_2, scale);
	rbl_f8_store(block->friction_impulse[0], now_1);
	rbl_f8_store(block->friction_impulse[1], now_2);
	rbl_f8x3 impulse = rbl_f8x3_add(rbl_f8x3_scale(rbl_f8_sub(now_1, old_1), t1),
	                                rbl_f8x3_scale(rbl_f8_sub(now_2, old_2), t2));
	push_pair(pair, impulse, rbl_f8x3_cross(middle_a, impulse), rbl_f8x3_cross(middle_b, impulse));
}

// Both sweeps. A block in which overlap is pushed out fast is marked, and relaxed at once.
static inline void solve_block(rbl_contact_block *block, const rbl_body_records *bodies,
                               const rbl_sweep *sweep, bool is_soft, bool is_backward,
                               bool is_shared, int point_count, uint8_t *mark)
{
	body_pair pair;
	shared_pair shared;
	load_pair(&pair, block, bodies);
	if (is_shared)
		split_pair(&pair, &shared, block);
	rbl_f8x3 normal = load_lanes(block->normal);
	gap_change change = find_gap_change(block, normal, load_lanes(block->offset), bodies);
	solve_friction(block, &pair, normal, point_count);
	rbl_f8 least = rbl_f8_zero();
	rbl_f8 sum = solve_normals(block, &pair, normal, &change, sweep, is_soft, is_backward,
	                           point_count, &least);
	rbl_f8_store(block->peak, rbl_f8_max(rbl_f8_load(block->peak), sum));
	*mark = is_soft && rbl_i8_any(rbl_f8_lt(least, rbl_f8_splat(-sweep->calm_speed)));
	if (is_shared)
		store_shared(&pair, &shared, block, bodies);
	else
		store_pair(&pair, block, bodies);
}

void RBL_KERNEL(rbl_contacts_push)(rbl_contact_block *blocks, const uint8_t *point_counts,
                                   uint8_t *marks, int count, const rbl_body_records *bodies,
                                   const rbl_sweep *sweep, bool is_backward, bool is_shared)
{
	for (int i = 0; i < count; ++i) {
		if (is_shared)
			solve_block(&blocks[i], bodies, sweep, true, is_backward, true, point_counts[i],
			            &marks[i]);
		else
			solve_block(&blocks[i], bodies, sweep, true, is_backward, false, point_counts[i],
			            &marks[i]);
	}
}

void RBL_KERNEL(rbl_contacts_relax)(rbl_contact_block *blocks, const uint8_t *point_counts,
                                    uint8_t *marks, int count, const rbl_body_records *bodies,
                                    const rbl_sweep *sweep, bool is_backward, bool is_for_all,
                                    bool is_shared)
{
	for (int i = 0; i < count; ++i) {
		if (!is_for_all && !marks[i])
			continue;
		if (is_shared)
			solve_block(&blocks[i], bodies, sweep, false, is_backward, true, point_counts[i],
			            &marks[i]);
		else
			solve_block(&blocks[i], bodies, sweep, false, is_backward, false, point_counts[i],
			            &marks[i]);
	}
}

void RBL_KERNEL(rbl_contacts_warm)(const rbl_contact_block *blocks, const uint8_t *point_counts,
                                   int count, const rbl_body_records *bodies, bool is_shared)
{
	for (int i = 0; i < count; ++i) {
		const rbl_contact_block *block = &blocks[i];
		body_pair pair;
		shared_pair shared;
		load_pair(&pair, block, bodies);
		if (is_shared)
			split_pair(&pair, &shared, block);
		rbl_f8x3 normal = load_lanes(block->normal), t1, t2;
		make_tangents(normal, &t1, &t2);
		rbl_f8x3 offset = load_lanes(block->offset), middle = middle_of(block, point_counts[i]);
		rbl_f8x3 friction =
			rbl_f8x3_add(rbl_f8x3_scale(rbl_f8_load(block->friction_impulse[0]), t1),
		                 rbl_f8x3_scale(rbl_f8_load(block->friction_impulse[1]), t2));
		rbl_f8x3 impulse =
			rbl_f8x3_add_scaled(friction, sum_impulses(block, point_counts[i]), normal);
		rbl_f8x3 angular = rbl_f8x3_add(rbl_f8x3_cross(middle, friction),
		                                rbl_f8x3_scale(rbl_f8_load(block->twist_impulse), normal));
		for (int k = 0; k < point_counts[i]; ++k) {
			const rbl_point_lanes *point = &block->points[k];
			rbl_f8x3 cross = rbl_f8x3_cross(load_lanes(point->anchor), normal);
			angular = rbl_f8x3_add_scaled(angular, rbl_f8_load(point->impulse), cross);
		}
		push_pair(&pair, impulse, angular, rbl_f8x3_add(angular, rbl_f8x3_cross(offset, impulse)));
		if (is_shared)
			store_shared(&pair, &shared, block, bodies);
		else
			store_pair(&pair, block, bodies);
	}
}

void RBL_KERNEL(rbl_contacts_bounce)(rbl_contact_block *blocks, const rbl_contact_side *sides,
                                     int count, const rbl_body_records *bodies,
                                     const rbl_sweep *sweep, bool is_shared)
{
	rbl_f8 zero = rbl_f8_zero(), threshold = rbl_f8_splat(sweep->bounce_speed);
	for (int i = 0; i < count; ++i) {
		rbl_contact_block *block = &blocks[i];
		const rbl_contact_side *side = &sides[i];
		rbl_f8 restitution = rbl_f8_load(side->restitution);
		rbl_i8 bounces =
			rbl_i8_and(rbl_f8_gt(restitution, zero), rbl_f8_gt(rbl_f8_load(block->peak), zero));
		bounces = rbl_i8_and(bounces, rbl_f8_gt(rbl_f8_load(side->approach), threshold));
		if (!rbl_i8_any(bounces))
			continue;
		body_pair pair;
		shared_pair shared;
		load_pair(&pair, block, bodies);
		if (is_shared)
			split_pair(&pair, &shared, block);
		rbl_f8x3 normal = load_lanes(block->normal), offset = load_lanes(block->offset);
		rbl_f8x3 offset_cross = rbl_f8x3_cross(offset, normal);
		gap_change change = find_gap_change(block, normal, offset, bodies);
		for (int k = 0; k < RBL_MAX_MANIFOLD_POINTS; ++k) {
			rbl_point_lanes *point = &block->points[k];
			rbl_f8x3 anchor = load_lanes(point->anchor);
			rbl_f8x3 cross_a = rbl_f8x3_cross(anchor, normal);
			rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
			rbl_f8 gap = rbl_f8_add(rbl_f8_add(rbl_f8_load(point->separation), change.shift),
			                        rbl_f8x3_dot(change.along_anchor, anchor));
			rbl_f8 closing = rbl_f8_load(side->closing[k]);
			rbl_f8 old = rbl_f8_load(point->impulse);
			// Points that came in fast and have met: an impulse, or hardly a gap.
			rbl_i8 met = rbl_i8_or(rbl_f8_gt(old, zero), rbl_f8_lt(gap, rbl_f8_splat(2e-3f)));
			rbl_i8 mask = rbl_i8_and(rbl_i8_and(bounces, met), rbl_f8_gt(closing, threshold));
			rbl_f8x3 relative = rbl_f8x3_sub(first3(pair.velocity_b), first3(pair.velocity_a));
			rbl_f8 speed = rbl_f8_add(rbl_f8x3_dot(relative, normal),
			                          rbl_f8_sub(rbl_f8x3_dot(last3(pair.velocity_b), cross_b),
			                                     rbl_f8x3_dot(last3(pair.velocity_a), cross_a)));
			rbl_f8 lacking = rbl_f8_sub(speed, rbl_f8_mul(restitution, closing));
			rbl_f8 now =
				rbl_f8_max(rbl_f8_sub(old, rbl_f8_mul(rbl_f8_load(point->mass), lacking)), zero);
			now = rbl_f8_select(mask, now, old);
			rbl_f8_store(point->impulse, now);
			rbl_f8 step = rbl_f8_sub(now, old);
			push_pair(&pair, rbl_f8x3_scale(step, normal), rbl_f8x3_scale(step, cross_a),
			          rbl_f8x3_scale(step, cross_b));
		}
		rbl_f8_store(block->peak, rbl_f8_max(rbl_f8_load(block->peak),
		                                     sum_impulses(block, RBL_MAX_MANIFOLD_POINTS)));
		if (is_shared)
			store_shared(&pair, &shared, block, bodies);
		else
			store_pair(&pair, block, bodies);
	}
}

// --- preparing -----------------------------------------------------------------------------------

// Carry manifolds along with the motion of the last step: points and normal stay where they are on
// A, and the separation follows.
static void carry_along(rbl_contact_block *block, const rbl_body_records *bodies, rbl_i8 is_old)
{
	rbl_f8 a[8], b[8];
	gather_records(bodies->delta, block->a, a);
	gather_records(bodies->delta, block->b, b);
	rbl_f8x3 normal = load_lanes(block->normal), offset = load_lanes(block->offset);
	gap_change change = find_gap_change(block, normal, offset, bodies);
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_point_lanes *point = &block->points[i];
		rbl_f8x3 anchor = load_lanes(point->anchor);
		rbl_f8 old = rbl_f8_load(point->separation);
		rbl_f8 gap =
			rbl_f8_add(rbl_f8_add(old, change.shift), rbl_f8x3_dot(change.along_anchor, anchor));
		rbl_i8 moves = rbl_i8_and(is_old, rbl_f8_lt(old, rbl_f8_splat(0.5f * RBL_NO_POINT)));
		rbl_f8_store(point->separation, rbl_f8_select(moves, gap, old));
		rbl_f8x3 turned = rbl_f8x3_add(anchor, turn_change(last3(a), a[7], anchor));
		store_lanes(point->anchor, rbl_f8x3_select(is_old, turned, anchor));
	}
	rbl_f8x3 moved = rbl_f8x3_add(offset, rbl_f8x3_sub(first3(a), first3(b)));
	store_lanes(block->offset, rbl_f8x3_select(is_old, moved, offset));
	rbl_f8x3 turned = rbl_f8x3_add(normal, turn_change(last3(a), a[7], normal));
	rbl_f8 length = rbl_f8_sqrt(rbl_f8x3_dot(turned, turned));
	rbl_i8 turns = rbl_i8_and(is_old, rbl_f8_gt(length, rbl_f8_splat(0.5f)));
	turned = rbl_f8x3_scale(rbl_f8_div(rbl_f8_splat(1.0f), length), turned);
	turned = rbl_f8x3_select(turns, turned, normal);
	store_lanes(block->normal, turned);

	// Friction keeps its direction: the tangents may have jumped.
	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_f8x3 friction = rbl_f8x3_add(rbl_f8x3_scale(rbl_f8_load(block->friction_impulse[0]), t1),
	                                 rbl_f8x3_scale(rbl_f8_load(block->friction_impulse[1]), t2));
	make_tangents(turned, &t1, &t2);
	rbl_f8_store(block->friction_impulse[0], rbl_f8x3_dot(friction, t1));
	rbl_f8_store(block->friction_impulse[1], rbl_f8x3_dot(friction, t2));
}

// What a unit impulse along `way` at the anchors changes of the velocity along `other`.
static inline rbl_f8 response(const body_pair *pair, rbl_f8x3 way_a, rbl_f8x3 way_b,
                              rbl_f8x3 other_a, rbl_f8x3 other_b)
{
	return rbl_f8_add(rbl_f8x3_dot(other_a, symmetric_mul(pair->inertia_a, way_a)),
	                  rbl_f8x3_dot(other_b, symmetric_mul(pair->inertia_b, way_b)));
}

static inline rbl_f8 inverse_or_zero(rbl_f8 a)
{
	return rbl_f8_select(rbl_f8_gt(a, rbl_f8_zero()), rbl_f8_div(rbl_f8_splat(1.0f), a),
	                     rbl_f8_zero());
}

static void prepare_friction(rbl_contact_block *block, const body_pair *pair, rbl_f8x3 normal,
                             rbl_f8 inverse_mass)
{
	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_f8x3 middle_a = middle_of(block, RBL_MAX_MANIFOLD_POINTS);
	rbl_f8x3 middle_b = rbl_f8x3_add(middle_a, load_lanes(block->offset));
	rbl_f8x3 a1 = rbl_f8x3_cross(middle_a, t1), a2 = rbl_f8x3_cross(middle_a, t2);
	rbl_f8x3 b1 = rbl_f8x3_cross(middle_b, t1), b2 = rbl_f8x3_cross(middle_b, t2);
	rbl_f8 xx = rbl_f8_add(inverse_mass, response(pair, a1, b1, a1, b1));
	rbl_f8 yy = rbl_f8_add(inverse_mass, response(pair, a2, b2, a2, b2));
	rbl_f8 xy = response(pair, a1, b1, a2, b2);
	rbl_f8 scale = inverse_or_zero(rbl_f8_sub(rbl_f8_mul(xx, yy), rbl_f8_mul(xy, xy)));
	rbl_f8_store(block->friction_mass[0], rbl_f8_mul(yy, scale));
	rbl_f8_store(block->friction_mass[1], rbl_f8_neg(rbl_f8_mul(xy, scale)));
	rbl_f8_store(block->friction_mass[2], rbl_f8_mul(xx, scale));
	rbl_f8_store(block->twist_mass,
	             inverse_or_zero(response(pair, normal, normal, normal, normal)));

	rbl_f8 square = rbl_f8_zero(), count = rbl_f8_zero();
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_point_lanes *point = &block->points[i];
		rbl_f8x3 arm = rbl_f8x3_sub(load_lanes(point->anchor), middle_a);
		square = rbl_f8_add(square, rbl_f8x3_dot(arm, arm));
		rbl_i8 is_there = rbl_f8_gt(rbl_f8_load(point->mass), rbl_f8_zero());
		count = rbl_f8_add(count, rbl_f8_select(is_there, rbl_f8_splat(1.0f), rbl_f8_zero()));
	}
	rbl_f8_store(block->reach, rbl_f8_sqrt(rbl_f8_mul(square, inverse_or_zero(count))));
	// A single point does not resist twisting, and sweeps rely on it.
	rbl_i8 is_single = rbl_f8_lt(count, rbl_f8_splat(1.5f));
	rbl_f8_store(block->twist_impulse,
	             rbl_f8_select(is_single, rbl_f8_zero(), rbl_f8_load(block->twist_impulse)));
}

static void prepare_block(rbl_contact_block *block, rbl_contact_side *side,
                          const rbl_body_records *bodies, bool is_shared)
{
	body_pair pair;
	shared_pair shared;
	load_pair(&pair, block, bodies);
	if (is_shared)
		split_pair(&pair, &shared, block);
	rbl_f8 zero = rbl_f8_zero();
	rbl_i8 is_old = rbl_f8_ge(rbl_f8_load(block->friction_mass[0]), zero);
	if (rbl_i8_any(is_old))
		carry_along(block, bodies, is_old);
	rbl_f8x3 normal = load_lanes(block->normal);
	rbl_f8x3 offset_cross = rbl_f8x3_cross(load_lanes(block->offset), normal);
	rbl_f8 inverse_mass = rbl_f8_add(pair.inertia_a[3], pair.inertia_b[3]);
	rbl_f8 approach = zero;
	bool bounces = rbl_i8_any(rbl_f8_gt(rbl_f8_load(side->restitution), zero));
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_point_lanes *point = &block->points[i];
		rbl_f8x3 cross_a = rbl_f8x3_cross(load_lanes(point->anchor), normal);
		rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
		rbl_f8 k = rbl_f8_add(inverse_mass, response(&pair, cross_a, cross_b, cross_a, cross_b));
		rbl_i8 is_there =
			rbl_f8_lt(rbl_f8_load(point->separation), rbl_f8_splat(0.5f * RBL_NO_POINT));
		rbl_f8_store(point->mass, rbl_f8_select(is_there, inverse_or_zero(k), zero));
		rbl_f8x3 relative = rbl_f8x3_sub(first3(pair.velocity_a), first3(pair.velocity_b));
		rbl_f8 speed = rbl_f8_add(rbl_f8x3_dot(relative, normal),
		                          rbl_f8_sub(rbl_f8x3_dot(last3(pair.velocity_a), cross_a),
		                                     rbl_f8x3_dot(last3(pair.velocity_b), cross_b)));
		rbl_f8 closing = rbl_f8_select(is_there, speed, zero);
		approach = rbl_f8_max(approach, closing);
		if (bounces)
			rbl_f8_store(side->closing[i], closing);
	}
	rbl_f8_store(side->approach, approach);
	rbl_f8_store(block->peak, zero);
	prepare_friction(block, &pair, normal, inverse_mass);
}

void RBL_KERNEL(rbl_contacts_prepare)(rbl_contact_block *blocks, rbl_contact_side *sides, int count,
                                      const rbl_body_records *bodies, bool is_shared)
{
	for (int i = 0; i < count; ++i)
		prepare_block(&blocks[i], &sides[i], bodies, is_shared);
}
