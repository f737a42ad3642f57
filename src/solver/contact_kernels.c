// SPDX-License-Identifier: MIT
//
// Solving contacts, eight at a time: normals, friction, restitution, warm starting.
//
// A contact is a soft constraint, a damped spring between two bodies at up to four points (Catto,
// "Solver2D", 2024: soft step). In each sub-step one iteration solves friction and pushes overlap
// out, with the spring as bias; at the end of the step one more without bias (relax) removes the
// speed of that push. Soft step does this, and friction, in a second iteration of every sub-step;
// for the same number of iterations, twice the sub-steps with one each leave half the overlap in a
// pile, and a wall that does not fall. Only blocks that push faster than 10 cm/s are relaxed in
// their sub-step: later the impulse that gave the speed would be gone, and nothing could take it
// back.
//
// The separation of a point follows from the motion of the bodies since the step began: with the
// translation d and the rotation R of each,
//
//     separation = initial + n.(dB - dA) + (RB' n - n).rB - (RA' n - n).rA
//
// so a point costs one product more than a fixed separation: rB = rA + offset, and R' n - n is
// needed once per contact. Points with a positive separation are speculative contacts: they may
// close, but no further.
//
// Where bodies have more contacts than there are colors, lanes of a block may share one. Such a
// body is split for the block: with k of its contacts there, each of them meets a body of a k-th of
// the mass, and the changes of all are added in the end (Tonge, Benevolenski and Voroshilov, "Mass
// splitting for jitter-free parallel rigid body simulation", 2012). Nothing can overshoot, and a
// slab of stone hardly notices; solved one by one, in blocks of their own, they took six times as
// long.
//
// Points of a contact are solved one after the other, each on the velocities the last one left, in
// every other sub-step in reverse: the last point wins, and always the same one would make towers
// lean.

// Points wait for each other: see base/simd_wide.h.
#define RBL_TWO_REGISTERS

#include "solver/body_pair.h"

// Store the bodies of a block; what its lanes change of shared ones is added to them.
static inline void store_bodies(const body_pair *pair, const rbl_solver_contact_block *block,
                                const rbl_solver_step_context *step, bool is_shared)
{
	pair_changes changes;
	store_pair(pair, block->a, block->b, 0, step, is_shared ? &changes : NULL);
	if (is_shared)
		add_all_changes(&changes, block->a, block->b, step->bodies.velocity);
}

static inline void apply_normal_impulse(body_pair *pair, rbl_f8 impulse, rbl_f8x3 normal,
                                        rbl_f8x3 cross_a, rbl_f8x3 cross_b)
{
	apply_impulse(pair, rbl_f8x3_scale(impulse, normal), rbl_f8x3_scale(impulse, cross_a),
	              rbl_f8x3_scale(impulse, cross_b));
}

// The speed of a point of `to` relative to `from` along the normal; cross is anchor x normal.
static inline rbl_f8 normal_speed(const velocity_lanes *to, rbl_f8x3 cross_to,
                                  const velocity_lanes *from, rbl_f8x3 cross_from, rbl_f8x3 normal)
{
	return rbl_f8_add(
		rbl_f8x3_dot(rbl_f8x3_sub(to->linear, from->linear), normal),
		rbl_f8_sub(rbl_f8x3_dot(to->angular, cross_to), rbl_f8x3_dot(from->angular, cross_from)));
}

// How the bodies have moved along the normals: the separation of a point has changed by
// shift + along_anchor . rA.
typedef struct separation_change {
	rbl_f8 shift;
	rbl_f8x3 along_anchor;
} separation_change;

static inline RBL_ALWAYS_INLINE separation_change
find_separation_change(const rbl_solver_contact_block *block, rbl_f8x3 normal, rbl_f8x3 offset,
                       const rbl_solver_step_context *step)
{
	delta_lanes a, b;
	gather_records(step->bodies.delta, block->a, a.rows);
	gather_records(step->bodies.delta, block->b, b.rows);
	rbl_f8x3 turn_a = rotation_change(quat_conjugate(a.rotation), normal);
	rbl_f8x3 turn_b = rotation_change(quat_conjugate(b.rotation), normal);
	rbl_f8 shift = rbl_f8x3_dot(normal, rbl_f8x3_sub(b.translation, a.translation));
	return (separation_change){ rbl_f8_add(shift, rbl_f8x3_dot(turn_b, offset)),
		                        rbl_f8x3_sub(turn_b, turn_a) };
}

static inline rbl_f8 find_separation(const rbl_solver_point_block *point, rbl_f8x3 anchor,
                                     const separation_change *change)
{
	return rbl_f8_add(rbl_f8_add(rbl_f8_load(point->separation), change->shift),
	                  rbl_f8x3_dot(change->along_anchor, anchor));
}

// The normal constraints. @param least  receives the least bias
// @return the sum of the impulses
static inline RBL_ALWAYS_INLINE rbl_f8 solve_normals(rbl_solver_contact_block *block,
                                                     body_pair *pair, rbl_f8x3 normal,
                                                     const separation_change *change,
                                                     const rbl_solver_step_context *step,
                                                     bool is_soft, bool is_backward,
                                                     int point_count, rbl_f8 *least)
{
	rbl_f8x3 offset_cross = rbl_f8x3_cross(load_lanes(block->offset), normal);
	rbl_f8 inverse_h = rbl_f8_splat(step->inverse_h);
	rbl_f8 rate = rbl_f8_splat(is_soft ? step->soft.bias_rate : 0.0f);
	rbl_f8 soft_mass = rbl_f8_splat(is_soft ? step->soft.mass_scale : 1.0f);
	rbl_f8 soft_impulse = rbl_f8_splat(is_soft ? step->soft.impulse_scale : 0.0f);
	rbl_f8 deepest = rbl_f8_splat(is_soft ? -step->push_speed : 0.0f);
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8 sum = zero;
	for (int i = 0; i < point_count; ++i) {
		rbl_solver_point_block *point = &block->points[is_backward ? point_count - 1 - i : i];
		rbl_f8x3 anchor = load_lanes(point->anchor);
		rbl_f8 separation = find_separation(point, anchor, change);
		rbl_i8 is_apart = rbl_f8_gt(separation, zero);
		rbl_f8 bias = rbl_f8_select(is_apart, rbl_f8_mul(separation, inverse_h),
		                            rbl_f8_max(rbl_f8_mul(rate, separation), deepest));
		*least = rbl_f8_min(*least, bias);
		rbl_f8 mass_scale = rbl_f8_select(is_apart, one, soft_mass);
		rbl_f8 impulse_scale = rbl_f8_select(is_apart, zero, soft_impulse);

		rbl_f8x3 cross_a = rbl_f8x3_cross(anchor, normal);
		rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
		rbl_f8 speed = normal_speed(&pair->velocity_b, cross_b, &pair->velocity_a, cross_a, normal);
		rbl_f8 old = rbl_f8_load(point->impulse);
		rbl_f8 mass = rbl_f8_mul(rbl_f8_load(point->mass), mass_scale);
		rbl_f8 wanted = rbl_f8_sub(rbl_f8_sub(old, rbl_f8_mul(mass, rbl_f8_add(speed, bias))),
		                           rbl_f8_mul(impulse_scale, old));
		rbl_f8 now = rbl_f8_max(wanted, zero);
		rbl_f8_store(point->impulse, now);
		sum = rbl_f8_add(sum, now);
		apply_normal_impulse(pair, rbl_f8_sub(now, old), normal, cross_a, cross_b);
	}
	return sum;
}

static inline rbl_f8x3 find_centroid(const rbl_solver_contact_block *block, int point_count)
{
	if (point_count == 1) // the others are at the same place
		return load_lanes(block->points[0].anchor);
	rbl_f8x3 sum =
		rbl_f8x3_add(load_lanes(block->points[0].anchor), load_lanes(block->points[1].anchor));
	rbl_f8x3 rest =
		rbl_f8x3_add(load_lanes(block->points[2].anchor), load_lanes(block->points[3].anchor));
	return rbl_f8x3_scale(rbl_f8_splat(0.25f), rbl_f8x3_add(sum, rest));
}

static inline rbl_f8 sum_impulses(const rbl_solver_contact_block *block, int point_count)
{
	if (point_count == 1)
		return rbl_f8_load(block->points[0].impulse);
	rbl_f8 sum =
		rbl_f8_add(rbl_f8_load(block->points[0].impulse), rbl_f8_load(block->points[1].impulse));
	rbl_f8 rest =
		rbl_f8_add(rbl_f8_load(block->points[2].impulse), rbl_f8_load(block->points[3].impulse));
	return rbl_f8_add(sum, rest);
}

// Torsional friction: no rotation about the normal.
static inline void solve_twist(rbl_solver_contact_block *block, body_pair *pair, rbl_f8x3 normal,
                               rbl_f8 max_friction)
{
	rbl_f8 speed =
		rbl_f8x3_dot(rbl_f8x3_sub(pair->velocity_b.angular, pair->velocity_a.angular), normal);
	rbl_f8 limit = rbl_f8_mul(max_friction, rbl_f8_load(block->patch_radius));
	rbl_f8 old = rbl_f8_load(block->twist_impulse);
	rbl_f8 now = rbl_f8_sub(old, rbl_f8_mul(rbl_f8_load(block->twist_mass), speed));
	now = rbl_f8_max(rbl_f8_min(now, limit), rbl_f8_neg(limit));
	rbl_f8_store(block->twist_impulse, now);
	rbl_f8x3 angular = rbl_f8x3_scale(rbl_f8_sub(now, old), normal);
	apply_angular_impulse(pair, angular, angular);
}

// Resistance of round shapes to rolling and spinning, each with a limit of its own. The mass is no
// more than that about any axis.
static void solve_resistance(rbl_solver_cold_block *round, body_pair *pair, rbl_f8x3 normal,
                             rbl_f8 normal_impulse)
{
	rbl_f8 rolling = rbl_f8_load(round->resistance[0]);
	rbl_f8 spinning = rbl_f8_load(round->resistance[1]);
	if (!rbl_i8_any(rbl_f8_gt(rbl_f8_add(rolling, spinning), rbl_f8_zero())))
		return;
	rbl_f8x3 trace = rbl_f8x3_add(pair->inertia_a.diagonal, pair->inertia_b.diagonal);
	rbl_f8 sum = rbl_f8_add(rbl_f8_add(trace.x, trace.y), trace.z);
	rbl_f8 mass = rbl_f8_select(rbl_f8_gt(sum, rbl_f8_zero()), rbl_f8_div(rbl_f8_splat(1.0f), sum),
	                            rbl_f8_zero());
	rbl_f8x3 speed = rbl_f8x3_sub(pair->velocity_b.angular, pair->velocity_a.angular);
	rbl_f8x3 old = load_lanes(round->resistance_impulse);
	rbl_f8x3 wanted = rbl_f8x3_sub(old, rbl_f8x3_scale(mass, speed));
	rbl_f8 spin = rbl_f8x3_dot(wanted, normal);
	rbl_f8x3 roll = rbl_f8x3_sub(wanted, rbl_f8x3_scale(spin, normal));
	rbl_f8 most = rbl_f8_mul(spinning, normal_impulse);
	spin = rbl_f8_max(rbl_f8_min(spin, most), rbl_f8_neg(most));
	most = rbl_f8_mul(rolling, normal_impulse);
	rbl_f8 length = rbl_f8_sqrt(rbl_f8x3_dot(roll, roll));
	rbl_f8 scale =
		rbl_f8_select(rbl_f8_gt(length, most), rbl_f8_div(most, length), rbl_f8_splat(1.0f));
	rbl_f8x3 now = rbl_f8x3_add_scaled(rbl_f8x3_scale(scale, roll), spin, normal);
	store_lanes(round->resistance_impulse, now);
	rbl_f8x3 change = rbl_f8x3_sub(now, old);
	apply_angular_impulse(pair, change, change);
}

// Where friction acts, from both centres: at the centroid of the points, on the surface.
typedef struct friction_arms {
	rbl_f8x3 a, b;
	rbl_f8x3 offset; // between the centres
} friction_arms;

static inline friction_arms find_friction_arms(const rbl_solver_contact_block *block,
                                               const rbl_solver_cold_block *round, rbl_f8x3 normal,
                                               int point_count)
{
	rbl_f8x3 offset = load_lanes(block->offset), a = find_centroid(block, point_count);
	if (round) {
		rbl_f8 radius_a = rbl_f8_load(round->radius[0]), radius_b = rbl_f8_load(round->radius[1]);
		a = rbl_f8x3_add_scaled(a, radius_a, normal);
		offset = rbl_f8x3_add_scaled(offset, rbl_f8_neg(rbl_f8_add(radius_a, radius_b)), normal);
	}
	return (friction_arms){ a, rbl_f8x3_add(a, offset), offset };
}

// The velocity of B relative to A where friction acts, and of its surface, if surfaces run.
static inline rbl_f8x3 find_slip(const body_pair *pair, const friction_arms *arms,
                                 const float *surface_velocity)
{
	rbl_f8x3 at_a =
		rbl_f8x3_add(pair->velocity_a.linear, rbl_f8x3_cross(pair->velocity_a.angular, arms->a));
	rbl_f8x3 at_b =
		rbl_f8x3_add(pair->velocity_b.linear, rbl_f8x3_cross(pair->velocity_b.angular, arms->b));
	rbl_f8x3 slip = rbl_f8x3_sub(at_b, at_a);
	return surface_velocity ? rbl_f8x3_add(slip, load_lanes(surface_velocity)) : slip;
}

static inline const float *surface_velocity_of(const rbl_solver_contact_list *list, int block)
{
	return list->surface_velocities
	           ? list->surface_velocities + (size_t)block * 3 * RBL_SOLVER_LANES
	           : NULL;
}

// Coulomb friction at the centroid of the points, in both tangents at once, torsional friction
// where there are several points, and resistance of round shapes.
static inline RBL_ALWAYS_INLINE void solve_friction(rbl_solver_contact_block *block,
                                                    rbl_solver_cold_block *round, body_pair *pair,
                                                    rbl_f8x3 normal, int point_count,
                                                    const float *surface_velocity)
{
	friction_arms arms = find_friction_arms(block, round, normal, point_count);
	rbl_f8 normal_impulse = sum_impulses(block, point_count);
	rbl_f8 limit = rbl_f8_mul(rbl_f8_load(block->friction), normal_impulse);
	if (point_count > 1)
		solve_twist(block, pair, normal, limit);
	if (round)
		solve_resistance(round, pair, normal, normal_impulse);

	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_f8x3 slip = find_slip(pair, &arms, surface_velocity);
	rbl_f8 slip_1 = rbl_f8x3_dot(slip, t1), slip_2 = rbl_f8x3_dot(slip, t2);
	rbl_f8 xx = rbl_f8_load(block->friction_mass[0]), xy = rbl_f8_load(block->friction_mass[1]);
	rbl_f8 yy = rbl_f8_load(block->friction_mass[2]);
	rbl_f8 old_1 = rbl_f8_load(block->friction_impulse[0]);
	rbl_f8 old_2 = rbl_f8_load(block->friction_impulse[1]);
	rbl_f8 now_1 = rbl_f8_sub(old_1, rbl_f8_add(rbl_f8_mul(xx, slip_1), rbl_f8_mul(xy, slip_2)));
	rbl_f8 now_2 = rbl_f8_sub(old_2, rbl_f8_add(rbl_f8_mul(xy, slip_1), rbl_f8_mul(yy, slip_2)));
	rbl_f8 length = rbl_f8_sqrt(rbl_f8_add(rbl_f8_mul(now_1, now_1), rbl_f8_mul(now_2, now_2)));
	rbl_f8 scale =
		rbl_f8_select(rbl_f8_gt(length, limit), rbl_f8_div(limit, length), rbl_f8_splat(1.0f));
	now_1 = rbl_f8_mul(now_1, scale);
	now_2 = rbl_f8_mul(now_2, scale);
	rbl_f8_store(block->friction_impulse[0], now_1);
	rbl_f8_store(block->friction_impulse[1], now_2);
	rbl_f8x3 impulse = rbl_f8x3_add(rbl_f8x3_scale(rbl_f8_sub(now_1, old_1), t1),
	                                rbl_f8x3_scale(rbl_f8_sub(now_2, old_2), t2));
	apply_impulse(pair, impulse, rbl_f8x3_cross(arms.a, impulse), rbl_f8x3_cross(arms.b, impulse));
}

// What a block knows of round shapes, or NULL when it has none.
static inline rbl_solver_cold_block *round_block(const rbl_solver_contact_list *list, int index)
{
	return list->point_counts[index] & RBL_SOLVER_IS_ROUND_BLOCK ? &list->cold[index] : NULL;
}

// One iteration, with soft bias or without. A block that pushes overlap out fast is marked, and
// relaxed in the same sub-step.
static inline RBL_ALWAYS_INLINE void solve_block(rbl_solver_contact_block *block,
                                                 rbl_solver_cold_block *round,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 bool is_backward, bool is_shared, bool has_locks,
                                                 int point_count, const float *surface_velocity,
                                                 uint8_t *must_relax)
{
	body_pair pair;
	load_pair(&pair, block->a, block->b, 0, step, is_shared, has_locks);
	rbl_f8x3 normal = load_lanes(block->normal);
	separation_change change =
		find_separation_change(block, normal, load_lanes(block->offset), step);
	solve_friction(block, round, &pair, normal, point_count, surface_velocity);
	rbl_f8 least = rbl_f8_zero();
	rbl_f8 sum = solve_normals(block, &pair, normal, &change, step, is_soft, is_backward,
	                           point_count, &least);
	rbl_f8_store(block->peak_impulse, rbl_f8_max(rbl_f8_load(block->peak_impulse), sum));
	*must_relax = is_soft && rbl_i8_any(rbl_f8_lt(least, rbl_f8_splat(-step->relax_speed)));
	store_bodies(&pair, block, step, is_shared);
}

// Blocks with round shapes, and those with running surfaces, shared bodies or locked axes: apart,
// so that the code for all others is small.
static RBL_NEVER_INLINE void solve_round_block(const rbl_solver_contact_list *list, int i,
                                               const rbl_solver_step_context *step, bool is_soft)
{
	solve_block(&list->blocks[i], &list->cold[i], step, is_soft, step->is_backward, false, false,
	            list->point_counts[i] & RBL_SOLVER_POINT_COUNT, NULL, &list->must_relax[i]);
}

static RBL_NEVER_INLINE void solve_special_block(const rbl_solver_contact_list *list, int i,
                                                 const rbl_solver_step_context *step, bool is_soft)
{
	solve_block(&list->blocks[i], round_block(list, i), step, is_soft, step->is_backward,
	            list->is_shared, step->has_locks, list->point_counts[i] & RBL_SOLVER_POINT_COUNT,
	            surface_velocity_of(list, i), &list->must_relax[i]);
}

static inline RBL_ALWAYS_INLINE void solve_blocks(const rbl_solver_contact_list *list, int begin,
                                                  int end, const rbl_solver_step_context *step,
                                                  bool is_soft)
{
	bool is_for_all = is_soft || step->is_last, is_backward = step->is_backward;
	bool is_special = list->is_shared || step->has_locks || list->surface_velocities;
	for (int i = begin; i < end; ++i) {
		int points = list->point_counts[i];
		if (!is_for_all && !list->must_relax[i])
			continue;
		if (is_special)
			solve_special_block(list, i, step, is_soft);
		else if (points & RBL_SOLVER_IS_ROUND_BLOCK)
			solve_round_block(list, i, step, is_soft);
		else
			solve_block(&list->blocks[i], NULL, step, is_soft, is_backward, false, false, points,
			            NULL, &list->must_relax[i]);
	}
}

void RBL_KERNEL(rbl_solver_solve_contacts)(const rbl_solver_contact_list *list, int begin, int end,
                                           const rbl_solver_step_context *step)
{
	solve_blocks(list, begin, end, step, true);
}

void RBL_KERNEL(rbl_solver_relax_contacts)(const rbl_solver_contact_list *list, int begin, int end,
                                           const rbl_solver_step_context *step)
{
	solve_blocks(list, begin, end, step, false);
}

// The friction impulse as a vector.
static inline rbl_f8x3 load_friction(const rbl_solver_contact_block *block, rbl_f8x3 normal)
{
	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	return rbl_f8x3_add(rbl_f8x3_scale(rbl_f8_load(block->friction_impulse[0]), t1),
	                    rbl_f8x3_scale(rbl_f8_load(block->friction_impulse[1]), t2));
}

// Apply the impulses of the last step, scaled.
static inline RBL_ALWAYS_INLINE void apply_old_impulses(const rbl_solver_contact_list *list, int i,
                                                        rbl_f8 scale,
                                                        const rbl_solver_step_context *step)
{
	const rbl_solver_contact_block *block = &list->blocks[i];
	int point_count = list->point_counts[i] & RBL_SOLVER_POINT_COUNT;
	const rbl_solver_cold_block *round = round_block(list, i);
	body_pair pair;
	load_pair(&pair, block->a, block->b, 0, step, list->is_shared, step->has_locks);
	rbl_f8x3 normal = load_lanes(block->normal);
	friction_arms arms = find_friction_arms(block, round, normal, point_count);
	rbl_f8x3 friction = load_friction(block, normal);
	rbl_f8x3 impulse = rbl_f8x3_add_scaled(friction, sum_impulses(block, point_count), normal);
	rbl_f8x3 angular = rbl_f8x3_add(rbl_f8x3_cross(arms.a, friction),
	                                rbl_f8x3_scale(rbl_f8_load(block->twist_impulse), normal));
	if (round)
		angular = rbl_f8x3_add(angular, load_lanes(round->resistance_impulse));
	for (int k = 0; k < point_count; ++k) {
		const rbl_solver_point_block *point = &block->points[k];
		rbl_f8x3 cross = rbl_f8x3_cross(load_lanes(point->anchor), normal);
		angular = rbl_f8x3_add_scaled(angular, rbl_f8_load(point->impulse), cross);
	}
	impulse = rbl_f8x3_scale(scale, impulse);
	angular = rbl_f8x3_scale(scale, angular);
	apply_impulse(&pair, impulse, angular,
	              rbl_f8x3_add(angular, rbl_f8x3_cross(arms.offset, impulse)));
	store_bodies(&pair, block, step, list->is_shared);
}

// Warm starting: contacts begin a step with the impulses of the last one. Later sub-steps warm
// start whole bodies (body_kernels.c).
void RBL_KERNEL(rbl_solver_warm_start_contacts)(const rbl_solver_contact_list *list, int begin,
                                                int end, const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i)
		apply_old_impulses(list, i, rbl_f8_splat(1.0f), step);
}

static inline void scale_row(float *row, rbl_f8 scale)
{
	rbl_f8_store(row, rbl_f8_mul(rbl_f8_load(row), scale));
}

// Take back a part of the warm start of contacts with a marked body, and of their impulses.
void RBL_KERNEL(rbl_solver_cool_contacts)(const rbl_solver_contact_list *list, int begin, int end,
                                          const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		rbl_solver_contact_block *block = &list->blocks[i];
		float shares[RBL_SOLVER_LANES], least = 1.0f;
		for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
			int a = block->a[lane], b = block->b[lane];
			float share = step->marks[a] ? step->kept_shares[a] : 1.0f;
			shares[lane] = step->marks[b] ? rbl_minf(share, step->kept_shares[b]) : share;
			least = rbl_minf(least, shares[lane]);
		}
		if (!(least < 1.0f))
			continue;
		rbl_f8 kept = rbl_f8_load(shares), taken = rbl_f8_sub(rbl_f8_splat(1.0f), kept);
		apply_old_impulses(list, i, rbl_f8_neg(taken), step);
		for (int k = 0; k < RBL_MAX_MANIFOLD_POINTS; ++k)
			scale_row(block->points[k].impulse, kept);
		scale_row(block->twist_impulse, kept);
		scale_row(block->friction_impulse[0], kept);
		scale_row(block->friction_impulse[1], kept);
		for (int k = 0; round_block(list, i) && k < 3; ++k)
			scale_row(list->cold[i].resistance_impulse + k * RBL_SOLVER_LANES, kept);
	}
}

// --- restitution ---------------------------------------------------------------------------------

enum { BOUNCE_ITERATIONS = 12 };

// Points that are about to meet in this sub-step, and lanes in which one does so fast enough.
typedef struct bounce_points {
	rbl_i8 meets[RBL_MAX_MANIFOLD_POINTS];
	rbl_i8 bounces;
} bounce_points;

static inline bounce_points find_bounces(const rbl_solver_contact_block *block,
                                         const rbl_solver_cold_block *cold, const body_pair *pair,
                                         int point_count, const rbl_solver_step_context *step)
{
	rbl_f8 zero = rbl_f8_zero(), threshold = rbl_f8_splat(step->restitution_speed);
	rbl_f8 h = rbl_f8_splat(step->h), speeds[RBL_MAX_MANIFOLD_POINTS], fastest = zero;
	rbl_f8x3 normal = load_lanes(block->normal), offset = load_lanes(block->offset);
	rbl_f8x3 offset_cross = rbl_f8x3_cross(offset, normal);
	bounce_points found = { .bounces = rbl_i8_zero() };
	rbl_i8 is_elastic = rbl_f8_gt(rbl_f8_load(cold->restitution), zero);
	for (int k = 0; k < point_count; ++k) {
		rbl_f8x3 cross_a = rbl_f8x3_cross(load_lanes(block->points[k].anchor), normal);
		rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
		speeds[k] = normal_speed(&pair->velocity_a, cross_a, &pair->velocity_b, cross_b, normal);
		fastest = rbl_f8_max(fastest, speeds[k]);
	}
	if (!rbl_i8_any(rbl_i8_and(is_elastic, rbl_f8_gt(fastest, threshold))))
		return found;
	separation_change change = { zero, { zero, zero, zero } };
	if (!step->is_beginning) // the motion is still that of the last step
		change = find_separation_change(block, normal, offset, step);
	for (int k = 0; k < point_count; ++k) {
		const rbl_solver_point_block *point = &block->points[k];
		rbl_f8 separation = find_separation(point, load_lanes(point->anchor), &change);
		rbl_f8 reach = rbl_f8_mul(h, rbl_f8_max(speeds[k], threshold));
		found.meets[k] = rbl_i8_and(is_elastic, rbl_f8_lt(separation, reach));
		found.bounces =
			rbl_i8_or(found.bounces, rbl_i8_and(found.meets[k], rbl_f8_gt(speeds[k], threshold)));
	}
	return found;
}

// Friction in the moment of a bounce, at the centroid of the points.
static void bounce_friction(const rbl_solver_contact_block *block,
                            const rbl_solver_cold_block *round, body_pair *pair, rbl_f8x3 normal,
                            rbl_f8 normal_impulse, const float *surface_velocity)
{
	friction_arms arms = find_friction_arms(block, round, normal, RBL_MAX_MANIFOLD_POINTS);
	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_f8x3 slip = find_slip(pair, &arms, surface_velocity);
	rbl_f8 slip_1 = rbl_f8x3_dot(slip, t1), slip_2 = rbl_f8x3_dot(slip, t2);
	rbl_f8 xx = rbl_f8_load(block->friction_mass[0]), xy = rbl_f8_load(block->friction_mass[1]);
	rbl_f8 yy = rbl_f8_load(block->friction_mass[2]);
	rbl_f8 along_1 = rbl_f8_add(rbl_f8_mul(xx, slip_1), rbl_f8_mul(xy, slip_2));
	rbl_f8 along_2 = rbl_f8_add(rbl_f8_mul(xy, slip_1), rbl_f8_mul(yy, slip_2));
	rbl_f8 length =
		rbl_f8_sqrt(rbl_f8_add(rbl_f8_mul(along_1, along_1), rbl_f8_mul(along_2, along_2)));
	rbl_f8 limit = rbl_f8_mul(rbl_f8_load(block->friction), normal_impulse);
	rbl_f8 scale =
		rbl_f8_select(rbl_f8_gt(length, limit), rbl_f8_div(limit, length), rbl_f8_splat(1.0f));
	rbl_f8x3 impulse = rbl_f8x3_add(rbl_f8x3_scale(rbl_f8_mul(along_1, scale), t1),
	                                rbl_f8x3_scale(rbl_f8_mul(along_2, scale), t2));
	impulse = rbl_f8x3_neg(impulse);
	apply_impulse(pair, impulse, rbl_f8x3_cross(arms.a, impulse), rbl_f8x3_cross(arms.b, impulse));
}

// The impulses that stop all points which meet, and then a share of the same again: with a share of
// one, the energy stays as it is. @return the sum of all
static rbl_f8 bounce_points_apart(const rbl_solver_contact_block *block, body_pair *pair,
                                  const bounce_points *found, rbl_f8 restitution, int point_count)
{
	rbl_f8x3 normal = load_lanes(block->normal);
	rbl_f8x3 offset_cross = rbl_f8x3_cross(load_lanes(block->offset), normal);
	rbl_f8 zero = rbl_f8_zero(), impulses[RBL_MAX_MANIFOLD_POINTS] = { zero, zero, zero, zero };
	for (int i = 0; i <= (point_count > 1 ? BOUNCE_ITERATIONS : 1); ++i) {
		bool is_last = i == (point_count > 1 ? BOUNCE_ITERATIONS : 1);
		for (int n = 0; n < point_count; ++n) {
			int k = i % 2 ? point_count - 1 - n : n; // so that none is the last in every round
			const rbl_solver_point_block *point = &block->points[k];
			rbl_f8x3 cross_a = rbl_f8x3_cross(load_lanes(point->anchor), normal);
			rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
			rbl_f8 speed =
				normal_speed(&pair->velocity_b, cross_b, &pair->velocity_a, cross_a, normal);
			rbl_f8 now = rbl_f8_max(
				rbl_f8_sub(impulses[k], rbl_f8_mul(rbl_f8_load(point->mass), speed)), zero);
			rbl_f8 change =
				is_last ? rbl_f8_mul(restitution, impulses[k]) : rbl_f8_sub(now, impulses[k]);
			rbl_i8 mask = rbl_i8_and(found->bounces, found->meets[k]);
			change = rbl_f8_select(mask, change, zero);
			impulses[k] = rbl_f8_add(impulses[k], change);
			apply_normal_impulse(pair, change, normal, cross_a, cross_b);
		}
	}
	return rbl_f8_add(rbl_f8_add(impulses[0], impulses[1]), rbl_f8_add(impulses[2], impulses[3]));
}

// What a bounce has changed is no impulse of the contact, to be applied again in the next sub-step:
// the free velocities change too.
static void add_to_free(const velocity_lanes *now, const velocity_lanes *old, const int32_t *index,
                        unsigned lanes, rbl_solver_velocity *free_velocities)
{
	velocity_lanes free;
	gather_records(free_velocities, index, free.rows);
	free.linear = rbl_f8x3_add(free.linear, rbl_f8x3_sub(now->linear, old->linear));
	free.angular = rbl_f8x3_add(free.angular, rbl_f8x3_sub(now->angular, old->angular));
	scatter_records(free_velocities, index, lanes, free.rows);
}

// Restitution, when a step begins and after every sub-step: contacts whose points are about to
// meet, faster than the threshold, bounce one after the other. So a hit runs through a row of
// balls, one at a time, as it does in nature; solved all at once, as speeds after the step, each
// would take a share of it. Lists are gone through until nothing bounces; has_bounced tells.
void RBL_KERNEL(rbl_solver_bounce_contacts)(const rbl_solver_contact_list *list, int begin, int end,
                                            const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		rbl_solver_contact_block *block = &list->blocks[i];
		const rbl_solver_cold_block *cold = &list->cold[i];
		rbl_f8 restitution = rbl_f8_load(cold->restitution);
		list->has_bounced[i] = 0;
		if (!rbl_i8_any(rbl_f8_gt(restitution, rbl_f8_zero())))
			continue;
		int point_count = list->point_counts[i] & RBL_SOLVER_POINT_COUNT;
		body_pair pair;
		load_pair(&pair, block->a, block->b, 0, step, list->is_shared, step->has_locks);
		bounce_points found = find_bounces(block, cold, &pair, point_count, step);
		if (!rbl_i8_any(found.bounces))
			continue;
		list->has_bounced[i] = 1;
		velocity_lanes old_a = pair.velocity_a, old_b = pair.velocity_b;
		rbl_f8 sum = bounce_points_apart(block, &pair, &found, restitution, point_count);
		bounce_friction(block, round_block(list, i), &pair, load_lanes(block->normal), sum,
		                surface_velocity_of(list, i));
		rbl_f8_store(block->peak_impulse, rbl_f8_max(rbl_f8_load(block->peak_impulse), sum));
		store_bodies(&pair, block, step, list->is_shared);
		if (step->is_beginning)
			continue;
		if (list->is_shared) {
			pair_changes changes;
			keep_changes(&changes, &pair, 0);
			add_all_changes(&changes, block->a, block->b, step->bodies.free_velocity);
		} else {
			add_to_free(&pair.velocity_a, &old_a, block->a, pair.dynamic_a,
			            step->bodies.free_velocity);
			add_to_free(&pair.velocity_b, &old_b, block->b, pair.dynamic_b,
			            step->bodies.free_velocity);
		}
	}
}

// --- preparing -----------------------------------------------------------------------------------

// The rotation of A, of B, or none, in each lane.
static inline quat8 choose_rotation(rbl_i8 is_a, const delta_lanes *a, rbl_i8 is_b,
                                    const delta_lanes *b)
{
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8x3 none = { zero, zero, zero };
	return (quat8){
		rbl_f8x3_select(is_a, a->rotation.v, rbl_f8x3_select(is_b, b->rotation.v, none)),
		rbl_f8_select(is_a, a->rotation.w, rbl_f8_select(is_b, b->rotation.w, one)),
	};
}

// What anchors and normals of old manifolds move with.
typedef struct manifold_motion {
	delta_lanes a, b;
	rbl_f8x3 old_offset, offset;
	rbl_i8 points_on_b; // only in blocks of round shapes
} manifold_motion;

// Rotate the normal with A. Where one body is round it stays on the other: a ball that rolls takes
// the point along, and does not turn the floor. Where both are, the normal stays as it is.
static inline rbl_f8x3 move_normal(manifold_motion *motion, const rbl_solver_cold_block *round,
                                   rbl_f8x3 normal, rbl_i8 is_old)
{
	quat8 rotation = motion->a.rotation;
	rbl_f8 radius_a = rbl_f8_zero(), radius_b = rbl_f8_zero();
	if (round) {
		radius_a = rbl_f8_load(round->radius[0]), radius_b = rbl_f8_load(round->radius[1]);
		rbl_i8 a_is_round = rbl_f8_gt(radius_a, rbl_f8_zero());
		rbl_i8 b_is_round = rbl_f8_gt(radius_b, rbl_f8_zero());
		motion->points_on_b = rbl_i8_andnot(b_is_round, a_is_round);
		rotation = choose_rotation(rbl_i8_andnot(rbl_i8_splat(-1), a_is_round), &motion->a,
		                           rbl_i8_andnot(a_is_round, b_is_round), &motion->b);
	}
	rbl_f8x3 rotated = rbl_f8x3_add(normal, rotation_change(rotation, normal));
	rbl_f8 length = rbl_f8_sqrt(rbl_f8x3_dot(rotated, rotated));
	rbl_i8 rotates = rbl_i8_and(is_old, rbl_f8_gt(length, rbl_f8_splat(0.5f)));
	rotated = rbl_f8x3_scale(rbl_f8_div(rbl_f8_splat(1.0f), length), rotated);
	rotated = rbl_f8x3_select(rotates, rotated, normal);
	motion->offset = rbl_f8x3_add(motion->old_offset,
	                              rbl_f8x3_sub(motion->a.translation, motion->b.translation));
	if (round)
		motion->offset = rbl_f8x3_add_scaled(motion->offset, rbl_f8_add(radius_a, radius_b),
		                                     rbl_f8x3_sub(rotated, normal));
	return rotated;
}

// Rotate an anchor with A, or with B where it is on the core of that.
static inline rbl_f8x3 move_anchor(const manifold_motion *motion, rbl_f8x3 anchor, bool is_round)
{
	rbl_f8x3 on_a = rbl_f8x3_add(anchor, rotation_change(motion->a.rotation, anchor));
	if (!is_round)
		return on_a;
	rbl_f8x3 from_b = rbl_f8x3_add(anchor, motion->old_offset);
	rbl_f8x3 on_b = rbl_f8x3_add(from_b, rotation_change(motion->b.rotation, from_b));
	return rbl_f8x3_select(motion->points_on_b, rbl_f8x3_sub(on_b, motion->offset), on_a);
}

// Move old manifolds along with the motion of the last step: points and normal stay fixed on A, or
// where bodies are round on their cores, and separations follow.
static void update_old_manifolds(rbl_solver_contact_block *block,
                                 const rbl_solver_cold_block *round,
                                 const rbl_solver_step_context *step, rbl_i8 is_old)
{
	manifold_motion motion = { .old_offset = load_lanes(block->offset) };
	gather_records(step->bodies.delta, block->a, motion.a.rows);
	gather_records(step->bodies.delta, block->b, motion.b.rows);
	rbl_f8x3 normal = load_lanes(block->normal);
	rbl_f8x3 rotated = move_normal(&motion, round, normal, is_old);
	separation_change change = find_separation_change(block, normal, motion.old_offset, step);
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_solver_point_block *point = &block->points[i];
		rbl_f8x3 anchor = load_lanes(point->anchor);
		rbl_f8 old = rbl_f8_load(point->separation);
		rbl_f8 now = find_separation(point, anchor, &change);
		rbl_i8 moves = rbl_i8_and(is_old, rbl_f8_lt(old, rbl_f8_splat(0.5f * RBL_SOLVER_NO_POINT)));
		rbl_f8_store(point->separation, rbl_f8_select(moves, now, old));
		rbl_f8x3 moved = move_anchor(&motion, anchor, round);
		store_lanes(point->anchor, rbl_f8x3_select(is_old, moved, anchor));
	}
	store_lanes(block->offset, rbl_f8x3_select(is_old, motion.offset, motion.old_offset));
	store_lanes(block->normal, rotated);

	// Friction keeps its direction: the tangents may have jumped.
	rbl_f8x3 friction = load_friction(block, normal), t1, t2;
	make_tangents(rotated, &t1, &t2);
	rbl_f8_store(block->friction_impulse[0], rbl_f8x3_dot(friction, t1));
	rbl_f8_store(block->friction_impulse[1], rbl_f8x3_dot(friction, t2));
}

// The change of angular velocity about `other` by a unit angular impulse about `axis`, of both
// bodies.
static inline rbl_f8 angular_response(const body_pair *pair, rbl_f8x3 axis_a, rbl_f8x3 axis_b,
                                      rbl_f8x3 other_a, rbl_f8x3 other_b)
{
	return rbl_f8_add(rbl_f8x3_dot(other_a, inertia_mul(&pair->inertia_a, axis_a)),
	                  rbl_f8x3_dot(other_b, inertia_mul(&pair->inertia_b, axis_b)));
}

static void prepare_friction(rbl_solver_contact_block *block, const rbl_solver_cold_block *round,
                             const body_pair *pair, rbl_f8x3 normal, rbl_f8 inverse_mass)
{
	rbl_f8x3 t1, t2;
	make_tangents(normal, &t1, &t2);
	friction_arms arms = find_friction_arms(block, round, normal, RBL_MAX_MANIFOLD_POINTS);
	rbl_f8x3 arm_a = arms.a, arm_b = arms.b;
	rbl_f8x3 a1 = rbl_f8x3_cross(arm_a, t1), a2 = rbl_f8x3_cross(arm_a, t2);
	rbl_f8x3 b1 = rbl_f8x3_cross(arm_b, t1), b2 = rbl_f8x3_cross(arm_b, t2);
	rbl_f8 xx = rbl_f8_add(inverse_mass, angular_response(pair, a1, b1, a1, b1));
	rbl_f8 yy = rbl_f8_add(inverse_mass, angular_response(pair, a2, b2, a2, b2));
	rbl_f8 xy = angular_response(pair, a1, b1, a2, b2);
	if (pair->has_locks) {
		xx = rbl_f8_add(linear_response(pair, t1, t1), angular_response(pair, a1, b1, a1, b1));
		yy = rbl_f8_add(linear_response(pair, t2, t2), angular_response(pair, a2, b2, a2, b2));
		xy = rbl_f8_add(linear_response(pair, t1, t2), xy);
		// Along a tangent in which nothing moves: the other one alone.
		rbl_f8 least = rbl_f8_mul(rbl_f8_splat(1e-6f), rbl_f8_add(xx, yy));
		xx = rbl_f8_add(xx, least), yy = rbl_f8_add(yy, least);
	}
	rbl_f8 scale = inverse_or_zero(rbl_f8_sub(rbl_f8_mul(xx, yy), rbl_f8_mul(xy, xy)));
	rbl_f8_store(block->friction_mass[0], rbl_f8_mul(yy, scale));
	rbl_f8_store(block->friction_mass[1], rbl_f8_neg(rbl_f8_mul(xy, scale)));
	rbl_f8_store(block->friction_mass[2], rbl_f8_mul(xx, scale));
	rbl_f8_store(block->twist_mass,
	             inverse_or_zero(angular_response(pair, normal, normal, normal, normal)));

	rbl_f8x3 centroid = find_centroid(block, RBL_MAX_MANIFOLD_POINTS);
	rbl_f8 square = rbl_f8_zero(), count = rbl_f8_zero();
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_solver_point_block *point = &block->points[i];
		rbl_f8x3 arm = rbl_f8x3_sub(load_lanes(point->anchor), centroid);
		square = rbl_f8_add(square, rbl_f8x3_dot(arm, arm));
		rbl_i8 is_used = rbl_f8_gt(rbl_f8_load(point->mass), rbl_f8_zero());
		count = rbl_f8_add(count, rbl_f8_select(is_used, rbl_f8_splat(1.0f), rbl_f8_zero()));
	}
	rbl_f8_store(block->patch_radius, rbl_f8_sqrt(rbl_f8_mul(square, inverse_or_zero(count))));
	// A single point does not resist twisting, and solve_friction() relies on it.
	rbl_i8 is_single = rbl_f8_lt(count, rbl_f8_splat(1.5f));
	rbl_f8_store(block->twist_impulse,
	             rbl_f8_select(is_single, rbl_f8_zero(), rbl_f8_load(block->twist_impulse)));
}

void RBL_KERNEL(rbl_solver_prepare_contacts)(const rbl_solver_contact_list *list, int begin,
                                             int end, const rbl_solver_step_context *step)
{
	(void)step;
	rbl_f8 zero = rbl_f8_zero();
	for (int i = begin; i < end; ++i) {
		rbl_solver_contact_block *block = &list->blocks[i];
		rbl_solver_cold_block *cold = &list->cold[i], *round = round_block(list, i);
		body_pair pair;
		load_pair(&pair, block->a, block->b, 0, step, list->is_shared, step->has_locks);
		rbl_i8 is_old = rbl_f8_ge(rbl_f8_load(block->friction_mass[0]), zero);
		if (rbl_i8_any(is_old))
			update_old_manifolds(block, round, step, is_old);
		rbl_f8x3 normal = load_lanes(block->normal);
		rbl_f8x3 offset_cross = rbl_f8x3_cross(load_lanes(block->offset), normal);
		rbl_f8 inverse_mass = rbl_f8_add(pair.inertia_a.inverse_mass, pair.inertia_b.inverse_mass);
		if (pair.has_locks)
			inverse_mass = linear_response(&pair, normal, normal);
		rbl_f8 approach_speed = zero;
		for (int k = 0; k < RBL_MAX_MANIFOLD_POINTS; ++k) {
			rbl_solver_point_block *point = &block->points[k];
			rbl_f8x3 cross_a = rbl_f8x3_cross(load_lanes(point->anchor), normal);
			rbl_f8x3 cross_b = rbl_f8x3_add(cross_a, offset_cross);
			rbl_f8 inverse = rbl_f8_add(
				inverse_mass, angular_response(&pair, cross_a, cross_b, cross_a, cross_b));
			rbl_i8 is_used =
				rbl_f8_lt(rbl_f8_load(point->separation), rbl_f8_splat(0.5f * RBL_SOLVER_NO_POINT));
			rbl_f8_store(point->mass, rbl_f8_select(is_used, inverse_or_zero(inverse), zero));
			rbl_f8 speed =
				normal_speed(&pair.velocity_a, cross_a, &pair.velocity_b, cross_b, normal);
			speed = rbl_f8_select(is_used, speed, zero);
			approach_speed = rbl_f8_max(approach_speed, speed);
		}
		rbl_f8_store(cold->approach_speed, approach_speed);
		rbl_f8_store(block->peak_impulse, zero);
		prepare_friction(block, round, &pair, normal, inverse_mass);
	}
}
