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

// Points wait for each other: see base/simd_wide.h. Engines of WebAssembly keep what does not fit
// into sixteen registers in memory and load it apart: there the halves of a block take turns, point
// by point, and those without contacts are left out.
#if !defined __wasm__
#define RBL_TWO_REGISTERS
#endif

#include "solver/body_pair.h"

#include <stddef.h>

// Whether one of the eight values is positive: what a block decides for all of its lanes.
static inline bool has_positive(const float *values)
{
	rbl_iw found = rbl_iw_zero();
	for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
		found = rbl_iw_or(found, rbl_fw_gt(rbl_fw_load(values + lane), rbl_fw_zero()));
	return rbl_iw_any(found);
}

static inline rbl_solver_cold_block *cold_from_lane(rbl_solver_cold_block *cold, int lane)
{
	return cold ? from_lane(cold, lane) : NULL;
}

static inline void apply_normal_impulse(body_pair *pair, rbl_fw impulse, rbl_fwx3 normal,
                                        rbl_fwx3 cross_a, rbl_fwx3 cross_b)
{
	apply_impulse(pair, rbl_fwx3_scale(impulse, normal), rbl_fwx3_scale(impulse, cross_a),
	              rbl_fwx3_scale(impulse, cross_b));
}

// The speed of a point of `to` relative to `from` along the normal; cross is anchor x normal.
static inline rbl_fw normal_speed(const velocity_lanes *to, rbl_fwx3 cross_to,
                                  const velocity_lanes *from, rbl_fwx3 cross_from, rbl_fwx3 normal)
{
	return rbl_fw_add(
		rbl_fwx3_dot(rbl_fwx3_sub(to->linear, from->linear), normal),
		rbl_fw_sub(rbl_fwx3_dot(to->angular, cross_to), rbl_fwx3_dot(from->angular, cross_from)));
}

// How the bodies have moved along the normals: the separation of a point has changed by
// shift + along_anchor . rA.
typedef struct separation_change {
	rbl_fw shift;
	rbl_fwx3 along_anchor;
} separation_change;

static inline RBL_ALWAYS_INLINE separation_change
find_separation_change(const rbl_solver_contact_block *block, rbl_fwx3 normal, rbl_fwx3 offset,
                       const rbl_solver_step_context *step)
{
	delta_lanes a, b;
	gather_records(step->bodies.delta, block->a, a.rows);
	gather_records(step->bodies.delta, block->b, b.rows);
	rbl_fwx3 turn_a = rotation_change(quat_conjugate(a.rotation), normal);
	rbl_fwx3 turn_b = rotation_change(quat_conjugate(b.rotation), normal);
	rbl_fw shift = rbl_fwx3_dot(normal, rbl_fwx3_sub(b.translation, a.translation));
	return (separation_change){ rbl_fw_add(shift, rbl_fwx3_dot(turn_b, offset)),
		                        rbl_fwx3_sub(turn_b, turn_a) };
}

static inline rbl_fw find_separation(const rbl_solver_point_block *point, rbl_fwx3 anchor,
                                     const separation_change *change)
{
	return rbl_fw_add(rbl_fw_add(rbl_fw_load(point->separation), change->shift),
	                  rbl_fwx3_dot(change->along_anchor, anchor));
}

// What the lanes of a block know of themselves while it is solved.
typedef struct block_lanes {
	body_pair pair;
	rbl_fwx3 normal, offset_cross; // the offset between the centres x normal
	separation_change change;
	rbl_fw least; // bias of all points so far
	rbl_fw sum;   // of normal impulses
} block_lanes;

// The parts of a block, each with as many lanes as a register has. Where there are several they
// wait in memory while another is worked on, as plain rows: clang 14 gives loads of WebAssembly the
// places of rows as constants, and computes those of members of members.
enum { PARTS = RBL_SOLVER_LANES / RBL_WIDE_LANES };
#if RBL_WIDE_LANES == 4 // of RBL_SOLVER_LANES
typedef struct kept_lanes {
	rbl_fw rows[sizeof(block_lanes) / sizeof(rbl_fw)];
} kept_lanes;
#define BORROW(own, kept) (own)
#define ROW_OF(member) (offsetof(block_lanes, member) / sizeof(rbl_fw))
#define TAKE(lanes, kept, member) \
	memcpy(&(lanes)->member, (kept)->rows + ROW_OF(member), sizeof(lanes)->member)
#define KEEP(lanes, kept, member) \
	keep_rows(kept, ROW_OF(member), &(lanes)->member, sizeof(lanes)->member / sizeof(rbl_fw))
#define KEEP_ALL(lanes, kept) memcpy(kept, lanes, sizeof *(lanes))

// One by one, each by its number.
static inline RBL_ALWAYS_INLINE void keep_rows(kept_lanes *kept, size_t first, const void *member,
                                               size_t count)
{
	rbl_fw rows[8];
	memcpy(rows, member, count * sizeof(rbl_fw));
	for (size_t row = 0; row < count; ++row)
		kept->rows[first + row] = rows[row];
}
#else
typedef block_lanes kept_lanes;
#define BORROW(own, kept) ((void)(own), (kept))
#define TAKE(lanes, kept, member) ((void)0)
#define KEEP(lanes, kept, member) ((void)0)
#define KEEP_ALL(lanes, kept) ((void)0)
#endif

// The normal constraint of a point. @param point  from the first of the lanes on
static inline RBL_ALWAYS_INLINE void solve_point(rbl_solver_point_block *point, kept_lanes *kept,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 bool has_locks)
{
	block_lanes own, *lanes = BORROW(&own, kept);
	body_pair *pair = &lanes->pair;
	rbl_fw inverse_h = rbl_fw_splat(step->inverse_h);
	rbl_fw rate = rbl_fw_splat(is_soft ? step->soft.bias_rate : 0.0f);
	rbl_fw soft_mass = rbl_fw_splat(is_soft ? step->soft.mass_scale : 1.0f);
	rbl_fw soft_impulse = rbl_fw_splat(is_soft ? step->soft.impulse_scale : 0.0f);
	rbl_fw deepest = rbl_fw_splat(is_soft ? -step->push_speed : 0.0f);
	rbl_fw zero = rbl_fw_zero(), one = rbl_fw_splat(1.0f);
	TAKE(lanes, kept, change);
	rbl_fwx3 anchor = load_lanes(point->anchor);
	rbl_fw separation = find_separation(point, anchor, &lanes->change);
	rbl_iw is_apart = rbl_fw_gt(separation, zero);
	rbl_fw bias = rbl_fw_select(is_apart, rbl_fw_mul(separation, inverse_h),
	                            rbl_fw_max(rbl_fw_mul(rate, separation), deepest));
	TAKE(lanes, kept, least);
	lanes->least = rbl_fw_min(lanes->least, bias);
	KEEP(lanes, kept, least);
	rbl_fw old = rbl_fw_load(point->impulse);
	rbl_fw mass_scale = rbl_fw_select(is_apart, one, soft_mass);
	rbl_fw impulse_scale = rbl_fw_select(is_apart, zero, soft_impulse);
	rbl_fw mass = rbl_fw_mul(rbl_fw_load(point->mass), mass_scale);
	rbl_fw softened = rbl_fw_mul(impulse_scale, old);

	TAKE(lanes, kept, normal);
	TAKE(lanes, kept, offset_cross);
	rbl_fwx3 normal = lanes->normal, cross_a = rbl_fwx3_cross(anchor, normal);
	rbl_fwx3 cross_b = rbl_fwx3_add(cross_a, lanes->offset_cross);
	TAKE(lanes, kept, pair.velocity_a);
	TAKE(lanes, kept, pair.velocity_b);
	rbl_fw speed = normal_speed(&pair->velocity_b, cross_b, &pair->velocity_a, cross_a, normal);
	rbl_fw wanted =
		rbl_fw_sub(rbl_fw_sub(old, rbl_fw_mul(mass, rbl_fw_add(speed, bias))), softened);
	rbl_fw now = rbl_fw_max(wanted, zero);
	rbl_fw_store(point->impulse, now);
	TAKE(lanes, kept, sum);
	lanes->sum = rbl_fw_add(lanes->sum, now);
	KEEP(lanes, kept, sum);
	TAKE(lanes, kept, pair.inertia_a);
	TAKE(lanes, kept, pair.inertia_b);
	pair->has_locks = has_locks;
	if (has_locks) {
		TAKE(lanes, kept, pair.free_a);
		TAKE(lanes, kept, pair.free_b);
	}
	apply_normal_impulse(pair, rbl_fw_sub(now, old), normal, cross_a, cross_b);
	KEEP(lanes, kept, pair.velocity_a);
	KEEP(lanes, kept, pair.velocity_b);
}

// The normal constraints of a block. Each point waits for the one before: the points of some lanes
// are solved while those of the others wait.
static inline RBL_ALWAYS_INLINE void solve_normals(rbl_solver_contact_block *block,
                                                   kept_lanes *parts, int part_count,
                                                   const rbl_solver_step_context *step,
                                                   bool is_soft, bool is_backward, bool has_locks,
                                                   int point_count)
{
	for (int i = 0; i < point_count; ++i) {
		rbl_solver_point_block *point = &block->points[is_backward ? point_count - 1 - i : i];
		for (int part = 0; part < part_count; ++part)
			solve_point(from_lane(point, part * RBL_WIDE_LANES), &parts[part], step, is_soft,
			            has_locks);
	}
}

static inline rbl_fwx3 find_centroid(const rbl_solver_contact_block *block, int point_count)
{
	if (point_count == 1) // the others are at the same place
		return load_lanes(block->points[0].anchor);
	rbl_fwx3 sum =
		rbl_fwx3_add(load_lanes(block->points[0].anchor), load_lanes(block->points[1].anchor));
	rbl_fwx3 rest =
		rbl_fwx3_add(load_lanes(block->points[2].anchor), load_lanes(block->points[3].anchor));
	return rbl_fwx3_scale(rbl_fw_splat(0.25f), rbl_fwx3_add(sum, rest));
}

static inline rbl_fw sum_impulses(const rbl_solver_contact_block *block, int point_count)
{
	if (point_count == 1)
		return rbl_fw_load(block->points[0].impulse);
	rbl_fw sum =
		rbl_fw_add(rbl_fw_load(block->points[0].impulse), rbl_fw_load(block->points[1].impulse));
	rbl_fw rest =
		rbl_fw_add(rbl_fw_load(block->points[2].impulse), rbl_fw_load(block->points[3].impulse));
	return rbl_fw_add(sum, rest);
}

// Torsional friction: no rotation about the normal.
static inline void solve_twist(rbl_solver_contact_block *block, body_pair *pair, rbl_fwx3 normal,
                               rbl_fw max_friction)
{
	rbl_fw speed =
		rbl_fwx3_dot(rbl_fwx3_sub(pair->velocity_b.angular, pair->velocity_a.angular), normal);
	rbl_fw limit = rbl_fw_mul(max_friction, rbl_fw_load(block->patch_radius));
	rbl_fw old = rbl_fw_load(block->twist_impulse);
	rbl_fw now = rbl_fw_sub(old, rbl_fw_mul(rbl_fw_load(block->twist_mass), speed));
	now = rbl_fw_max(rbl_fw_min(now, limit), rbl_fw_neg(limit));
	rbl_fw_store(block->twist_impulse, now);
	rbl_fwx3 angular = rbl_fwx3_scale(rbl_fw_sub(now, old), normal);
	apply_angular_impulse(pair, angular, angular);
}

// Resistance of round shapes to rolling and spinning, each with a limit of its own. The mass is no
// more than that about any axis.
static void solve_resistance(rbl_solver_cold_block *round, body_pair *pair, rbl_fwx3 normal,
                             rbl_fw normal_impulse)
{
	rbl_fw rolling = rbl_fw_load(round->resistance[0]);
	rbl_fw spinning = rbl_fw_load(round->resistance[1]);
	rbl_fwx3 trace = rbl_fwx3_add(pair->inertia_a.diagonal, pair->inertia_b.diagonal);
	rbl_fw sum = rbl_fw_add(rbl_fw_add(trace.x, trace.y), trace.z);
	rbl_fw mass = rbl_fw_select(rbl_fw_gt(sum, rbl_fw_zero()), rbl_fw_div(rbl_fw_splat(1.0f), sum),
	                            rbl_fw_zero());
	rbl_fwx3 speed = rbl_fwx3_sub(pair->velocity_b.angular, pair->velocity_a.angular);
	rbl_fwx3 old = load_lanes(round->resistance_impulse);
	rbl_fwx3 wanted = rbl_fwx3_sub(old, rbl_fwx3_scale(mass, speed));
	rbl_fw spin = rbl_fwx3_dot(wanted, normal);
	rbl_fwx3 roll = rbl_fwx3_sub(wanted, rbl_fwx3_scale(spin, normal));
	rbl_fw most = rbl_fw_mul(spinning, normal_impulse);
	spin = rbl_fw_max(rbl_fw_min(spin, most), rbl_fw_neg(most));
	most = rbl_fw_mul(rolling, normal_impulse);
	rbl_fw length = rbl_fw_sqrt(rbl_fwx3_dot(roll, roll));
	rbl_fw scale =
		rbl_fw_select(rbl_fw_gt(length, most), rbl_fw_div(most, length), rbl_fw_splat(1.0f));
	rbl_fwx3 now = rbl_fwx3_add_scaled(rbl_fwx3_scale(scale, roll), spin, normal);
	store_lanes(round->resistance_impulse, now);
	rbl_fwx3 change = rbl_fwx3_sub(now, old);
	apply_angular_impulse(pair, change, change);
}

// Where friction acts, from both centres: at the centroid of the points, on the surface.
typedef struct friction_arms {
	rbl_fwx3 a, b;
	rbl_fwx3 offset; // between the centres
} friction_arms;

static inline friction_arms find_friction_arms(const rbl_solver_contact_block *block,
                                               const rbl_solver_cold_block *round, rbl_fwx3 normal,
                                               int point_count)
{
	rbl_fwx3 offset = load_lanes(block->offset), a = find_centroid(block, point_count);
	if (round) {
		rbl_fw radius_a = rbl_fw_load(round->radius[0]), radius_b = rbl_fw_load(round->radius[1]);
		a = rbl_fwx3_add_scaled(a, radius_a, normal);
		offset = rbl_fwx3_add_scaled(offset, rbl_fw_neg(rbl_fw_add(radius_a, radius_b)), normal);
	}
	return (friction_arms){ a, rbl_fwx3_add(a, offset), offset };
}

// The velocity of B relative to A where friction acts, and of its surface, if surfaces run.
static inline rbl_fwx3 find_slip(const body_pair *pair, const friction_arms *arms,
                                 const float *surface_velocity)
{
	rbl_fwx3 at_a =
		rbl_fwx3_add(pair->velocity_a.linear, rbl_fwx3_cross(pair->velocity_a.angular, arms->a));
	rbl_fwx3 at_b =
		rbl_fwx3_add(pair->velocity_b.linear, rbl_fwx3_cross(pair->velocity_b.angular, arms->b));
	rbl_fwx3 slip = rbl_fwx3_sub(at_b, at_a);
	return surface_velocity ? rbl_fwx3_add(slip, load_lanes(surface_velocity)) : slip;
}

static inline const float *surface_velocity_of(const rbl_solver_contact_list *list, int block)
{
	return list->surface_velocities
	           ? list->surface_velocities + (size_t)block * 3 * RBL_SOLVER_LANES
	           : NULL;
}

// Coulomb friction at the centroid of the points, in both tangents at once, torsional friction
// where there are several points, and resistance of round shapes.
// @param resists  whether a shape of the block resists rolling or spinning
static inline RBL_ALWAYS_INLINE void solve_friction(rbl_solver_contact_block *block,
                                                    rbl_solver_cold_block *round, bool resists,
                                                    body_pair *pair, rbl_fwx3 normal,
                                                    int point_count, const float *surface_velocity)
{
	friction_arms arms = find_friction_arms(block, round, normal, point_count);
	rbl_fw normal_impulse = sum_impulses(block, point_count);
	rbl_fw limit = rbl_fw_mul(rbl_fw_load(block->friction), normal_impulse);
	if (point_count > 1)
		solve_twist(block, pair, normal, limit);
	if (resists)
		solve_resistance(round, pair, normal, normal_impulse);

	rbl_fwx3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_fwx3 slip = find_slip(pair, &arms, surface_velocity);
	rbl_fw slip_1 = rbl_fwx3_dot(slip, t1), slip_2 = rbl_fwx3_dot(slip, t2);
	rbl_fw xx = rbl_fw_load(block->friction_mass[0]), xy = rbl_fw_load(block->friction_mass[1]);
	rbl_fw yy = rbl_fw_load(block->friction_mass[2]);
	rbl_fw old_1 = rbl_fw_load(block->friction_impulse[0]);
	rbl_fw old_2 = rbl_fw_load(block->friction_impulse[1]);
	rbl_fw now_1 = rbl_fw_sub(old_1, rbl_fw_add(rbl_fw_mul(xx, slip_1), rbl_fw_mul(xy, slip_2)));
	rbl_fw now_2 = rbl_fw_sub(old_2, rbl_fw_add(rbl_fw_mul(xy, slip_1), rbl_fw_mul(yy, slip_2)));
	rbl_fw length = rbl_fw_sqrt(rbl_fw_add(rbl_fw_mul(now_1, now_1), rbl_fw_mul(now_2, now_2)));
	rbl_fw scale =
		rbl_fw_select(rbl_fw_gt(length, limit), rbl_fw_div(limit, length), rbl_fw_splat(1.0f));
	now_1 = rbl_fw_mul(now_1, scale);
	now_2 = rbl_fw_mul(now_2, scale);
	rbl_fw_store(block->friction_impulse[0], now_1);
	rbl_fw_store(block->friction_impulse[1], now_2);
	rbl_fwx3 impulse = rbl_fwx3_add(rbl_fwx3_scale(rbl_fw_sub(now_1, old_1), t1),
	                                rbl_fwx3_scale(rbl_fw_sub(now_2, old_2), t2));
	apply_impulse(pair, impulse, rbl_fwx3_cross(arms.a, impulse), rbl_fwx3_cross(arms.b, impulse));
}

// What a block knows of round shapes, or NULL when it has none.
static inline rbl_solver_cold_block *round_block(const rbl_solver_contact_list *list, int index)
{
	return list->point_counts[index] & RBL_SOLVER_IS_ROUND_BLOCK ? &list->cold[index] : NULL;
}

// One iteration of a block, with soft bias or without. If it pushes overlap out fast it is marked,
// and relaxed in the same sub-step. @param part_count  parts that have contacts
static inline RBL_ALWAYS_INLINE void solve_block(rbl_solver_contact_block *block,
                                                 rbl_solver_cold_block *round, int part_count,
                                                 const rbl_solver_step_context *step, bool is_soft,
                                                 bool is_backward, bool is_shared, bool has_locks,
                                                 int point_count, const float *surface_velocity,
                                                 uint8_t *must_relax)
{
	bool resists =
		round && (has_positive(round->resistance[0]) || has_positive(round->resistance[1]));
	pair_changes all_changes, *changes = is_shared ? &all_changes : NULL;
	kept_lanes parts[PARTS];
	for (int part = 0; part < part_count; ++part) {
		int lane = part * RBL_WIDE_LANES;
		rbl_solver_contact_block *own = from_lane(block, lane);
		kept_lanes *kept = &parts[part];
		block_lanes own_lanes, *lanes = BORROW(&own_lanes, kept);
		load_pair(&lanes->pair, own->a, own->b, lane, step, is_shared, has_locks);
		rbl_fwx3 offset = load_lanes(own->offset);
		lanes->normal = load_lanes(own->normal);
		lanes->change = find_separation_change(own, lanes->normal, offset, step);
		lanes->offset_cross = rbl_fwx3_cross(offset, lanes->normal);
		lanes->least = lanes->sum = rbl_fw_zero();
		solve_friction(own, cold_from_lane(round, lane), resists, &lanes->pair, lanes->normal,
		               point_count, surface_velocity ? surface_velocity + lane : NULL);
		KEEP_ALL(lanes, kept);
	}
	solve_normals(block, parts, part_count, step, is_soft, is_backward, has_locks, point_count);
	rbl_iw is_fast = rbl_iw_zero();
	for (int part = 0; part < part_count; ++part) {
		int lane = part * RBL_WIDE_LANES;
		rbl_solver_contact_block *own = from_lane(block, lane);
		kept_lanes *kept = &parts[part];
		block_lanes own_lanes, *lanes = BORROW(&own_lanes, kept);
		TAKE(lanes, kept, pair);
		TAKE(lanes, kept, least);
		TAKE(lanes, kept, sum);
		rbl_fw_store(own->peak_impulse, rbl_fw_max(rbl_fw_load(own->peak_impulse), lanes->sum));
		store_pair(&lanes->pair, own->a, own->b, lane, step, changes);
		is_fast = rbl_iw_or(is_fast, rbl_fw_lt(lanes->least, rbl_fw_splat(-step->relax_speed)));
	}
	if (is_shared)
		add_all_changes(&all_changes, block->a, block->b, step->bodies.velocity);
	*must_relax = is_soft && rbl_iw_any(is_fast);
}

// Parts of a block that have contacts: slots are filled from the first one on.
static inline int count_parts(const rbl_solver_contact_list *list, int block)
{
	int count = list->count - RBL_SOLVER_LANES * block;
	return PARTS == 1 || count > RBL_WIDE_LANES ? PARTS : 1;
}

// Blocks with round shapes, and those with running surfaces, shared bodies or locked axes: apart,
// so that the code for all others is small.
static RBL_NEVER_INLINE void solve_round_block(const rbl_solver_contact_list *list, int i,
                                               const rbl_solver_step_context *step, bool is_soft)
{
	solve_block(&list->blocks[i], &list->cold[i], count_parts(list, i), step, is_soft,
	            step->is_backward, false, false, list->point_counts[i] & RBL_SOLVER_POINT_COUNT,
	            NULL, &list->must_relax[i]);
}

static RBL_NEVER_INLINE void solve_special_block(const rbl_solver_contact_list *list, int i,
                                                 const rbl_solver_step_context *step, bool is_soft)
{
	solve_block(&list->blocks[i], round_block(list, i), count_parts(list, i), step, is_soft,
	            step->is_backward, list->is_shared, step->has_locks,
	            list->point_counts[i] & RBL_SOLVER_POINT_COUNT, surface_velocity_of(list, i),
	            &list->must_relax[i]);
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
			solve_block(&list->blocks[i], NULL, count_parts(list, i), step, is_soft, is_backward,
			            false, false, points, NULL, &list->must_relax[i]);
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
static inline rbl_fwx3 load_friction(const rbl_solver_contact_block *block, rbl_fwx3 normal)
{
	rbl_fwx3 t1, t2;
	make_tangents(normal, &t1, &t2);
	return rbl_fwx3_add(rbl_fwx3_scale(rbl_fw_load(block->friction_impulse[0]), t1),
	                    rbl_fwx3_scale(rbl_fw_load(block->friction_impulse[1]), t2));
}

// Apply the impulses of the last step to some lanes, scaled. @param block, round  from `lane` on
static inline RBL_ALWAYS_INLINE void apply_old_lanes(const rbl_solver_contact_block *block,
                                                     const rbl_solver_cold_block *round,
                                                     int point_count, int lane, rbl_fw scale,
                                                     const rbl_solver_step_context *step,
                                                     pair_changes *changes)
{
	body_pair pair;
	load_pair(&pair, block->a, block->b, lane, step, changes, step->has_locks);
	rbl_fwx3 normal = load_lanes(block->normal);
	friction_arms arms = find_friction_arms(block, round, normal, point_count);
	rbl_fwx3 friction = load_friction(block, normal);
	rbl_fwx3 impulse = rbl_fwx3_add_scaled(friction, sum_impulses(block, point_count), normal);
	rbl_fwx3 angular = rbl_fwx3_add(rbl_fwx3_cross(arms.a, friction),
	                                rbl_fwx3_scale(rbl_fw_load(block->twist_impulse), normal));
	if (round)
		angular = rbl_fwx3_add(angular, load_lanes(round->resistance_impulse));
	for (int k = 0; k < point_count; ++k) {
		const rbl_solver_point_block *point = &block->points[k];
		rbl_fwx3 cross = rbl_fwx3_cross(load_lanes(point->anchor), normal);
		angular = rbl_fwx3_add_scaled(angular, rbl_fw_load(point->impulse), cross);
	}
	impulse = rbl_fwx3_scale(scale, impulse);
	angular = rbl_fwx3_scale(scale, angular);
	apply_impulse(&pair, impulse, angular,
	              rbl_fwx3_add(angular, rbl_fwx3_cross(arms.offset, impulse)));
	store_pair(&pair, block->a, block->b, lane, step, changes);
}

// Apply the impulses of the last step. @param scales  of the eight lanes
static inline RBL_ALWAYS_INLINE void apply_old_impulses(const rbl_solver_contact_list *list, int i,
                                                        const float *scales,
                                                        const rbl_solver_step_context *step)
{
	rbl_solver_contact_block *block = &list->blocks[i];
	int point_count = list->point_counts[i] & RBL_SOLVER_POINT_COUNT;
	pair_changes changes;
	for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
		apply_old_lanes(from_lane(block, lane), cold_from_lane(round_block(list, i), lane),
		                point_count, lane, rbl_fw_load(scales + lane), step,
		                list->is_shared ? &changes : NULL);
	if (list->is_shared)
		add_all_changes(&changes, block->a, block->b, step->bodies.velocity);
}

// Warm starting: contacts begin a step with the impulses of the last one. Later sub-steps warm
// start whole bodies (body_kernels.c).
void RBL_KERNEL(rbl_solver_warm_start_contacts)(const rbl_solver_contact_list *list, int begin,
                                                int end, const rbl_solver_step_context *step)
{
	static const float ones[RBL_SOLVER_LANES] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	for (int i = begin; i < end; ++i)
		apply_old_impulses(list, i, ones, step);
}

static inline void scale_row(float *row, const float *scales)
{
	for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
		rbl_fw_store(row + lane, rbl_fw_mul(rbl_fw_load(row + lane), rbl_fw_load(scales + lane)));
}

// Take back a part of the warm start of contacts with a marked body, and of their impulses.
void RBL_KERNEL(rbl_solver_cool_contacts)(const rbl_solver_contact_list *list, int begin, int end,
                                          const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		rbl_solver_contact_block *block = &list->blocks[i];
		float kept[RBL_SOLVER_LANES], taken[RBL_SOLVER_LANES], least = 1.0f;
		for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
			int a = block->a[lane], b = block->b[lane];
			float share = step->marks[a] ? step->kept_shares[a] : 1.0f;
			kept[lane] = step->marks[b] ? rbl_minf(share, step->kept_shares[b]) : share;
			taken[lane] = -(1.0f - kept[lane]);
			least = rbl_minf(least, kept[lane]);
		}
		if (!(least < 1.0f))
			continue;
		apply_old_impulses(list, i, taken, step);
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
	rbl_iw meets[RBL_MAX_MANIFOLD_POINTS];
	rbl_iw bounces;
} bounce_points;

static inline bounce_points find_bounces(const rbl_solver_contact_block *block,
                                         const rbl_solver_cold_block *cold, const body_pair *pair,
                                         int point_count, const rbl_solver_step_context *step)
{
	rbl_fw zero = rbl_fw_zero(), threshold = rbl_fw_splat(step->restitution_speed);
	rbl_fw h = rbl_fw_splat(step->h), speeds[RBL_MAX_MANIFOLD_POINTS], fastest = zero;
	rbl_fwx3 normal = load_lanes(block->normal), offset = load_lanes(block->offset);
	rbl_fwx3 offset_cross = rbl_fwx3_cross(offset, normal);
	bounce_points found = { .bounces = rbl_iw_zero() };
	rbl_iw is_elastic = rbl_fw_gt(rbl_fw_load(cold->restitution), zero);
	for (int k = 0; k < point_count; ++k) {
		rbl_fwx3 cross_a = rbl_fwx3_cross(load_lanes(block->points[k].anchor), normal);
		rbl_fwx3 cross_b = rbl_fwx3_add(cross_a, offset_cross);
		speeds[k] = normal_speed(&pair->velocity_a, cross_a, &pair->velocity_b, cross_b, normal);
		fastest = rbl_fw_max(fastest, speeds[k]);
	}
	if (!rbl_iw_any(rbl_iw_and(is_elastic, rbl_fw_gt(fastest, threshold))))
		return found;
	separation_change change = { zero, { zero, zero, zero } };
	if (!step->is_beginning) // the motion is still that of the last step
		change = find_separation_change(block, normal, offset, step);
	for (int k = 0; k < point_count; ++k) {
		const rbl_solver_point_block *point = &block->points[k];
		rbl_fw separation = find_separation(point, load_lanes(point->anchor), &change);
		rbl_fw reach = rbl_fw_mul(h, rbl_fw_max(speeds[k], threshold));
		found.meets[k] = rbl_iw_and(is_elastic, rbl_fw_lt(separation, reach));
		found.bounces =
			rbl_iw_or(found.bounces, rbl_iw_and(found.meets[k], rbl_fw_gt(speeds[k], threshold)));
	}
	return found;
}

// Friction in the moment of a bounce, at the centroid of the points.
static void bounce_friction(const rbl_solver_contact_block *block,
                            const rbl_solver_cold_block *round, body_pair *pair, rbl_fwx3 normal,
                            rbl_fw normal_impulse, const float *surface_velocity)
{
	friction_arms arms = find_friction_arms(block, round, normal, RBL_MAX_MANIFOLD_POINTS);
	rbl_fwx3 t1, t2;
	make_tangents(normal, &t1, &t2);
	rbl_fwx3 slip = find_slip(pair, &arms, surface_velocity);
	rbl_fw slip_1 = rbl_fwx3_dot(slip, t1), slip_2 = rbl_fwx3_dot(slip, t2);
	rbl_fw xx = rbl_fw_load(block->friction_mass[0]), xy = rbl_fw_load(block->friction_mass[1]);
	rbl_fw yy = rbl_fw_load(block->friction_mass[2]);
	rbl_fw along_1 = rbl_fw_add(rbl_fw_mul(xx, slip_1), rbl_fw_mul(xy, slip_2));
	rbl_fw along_2 = rbl_fw_add(rbl_fw_mul(xy, slip_1), rbl_fw_mul(yy, slip_2));
	rbl_fw length =
		rbl_fw_sqrt(rbl_fw_add(rbl_fw_mul(along_1, along_1), rbl_fw_mul(along_2, along_2)));
	rbl_fw limit = rbl_fw_mul(rbl_fw_load(block->friction), normal_impulse);
	rbl_fw scale =
		rbl_fw_select(rbl_fw_gt(length, limit), rbl_fw_div(limit, length), rbl_fw_splat(1.0f));
	rbl_fwx3 impulse = rbl_fwx3_add(rbl_fwx3_scale(rbl_fw_mul(along_1, scale), t1),
	                                rbl_fwx3_scale(rbl_fw_mul(along_2, scale), t2));
	impulse = rbl_fwx3_neg(impulse);
	apply_impulse(pair, impulse, rbl_fwx3_cross(arms.a, impulse), rbl_fwx3_cross(arms.b, impulse));
}

// The impulses that stop all points which meet, and then a share of the same again: with a share of
// one, the energy stays as it is. @return the sum of all
static rbl_fw bounce_points_apart(const rbl_solver_contact_block *block, body_pair *pair,
                                  const bounce_points *found, rbl_fw restitution, int point_count)
{
	rbl_fwx3 normal = load_lanes(block->normal);
	rbl_fwx3 offset_cross = rbl_fwx3_cross(load_lanes(block->offset), normal);
	rbl_fw zero = rbl_fw_zero(), impulses[RBL_MAX_MANIFOLD_POINTS] = { zero, zero, zero, zero };
	for (int i = 0; i <= (point_count > 1 ? BOUNCE_ITERATIONS : 1); ++i) {
		bool is_last = i == (point_count > 1 ? BOUNCE_ITERATIONS : 1);
		for (int n = 0; n < point_count; ++n) {
			int k = i % 2 ? point_count - 1 - n : n; // so that none is the last in every round
			const rbl_solver_point_block *point = &block->points[k];
			rbl_fwx3 cross_a = rbl_fwx3_cross(load_lanes(point->anchor), normal);
			rbl_fwx3 cross_b = rbl_fwx3_add(cross_a, offset_cross);
			rbl_fw speed =
				normal_speed(&pair->velocity_b, cross_b, &pair->velocity_a, cross_a, normal);
			rbl_fw now = rbl_fw_max(
				rbl_fw_sub(impulses[k], rbl_fw_mul(rbl_fw_load(point->mass), speed)), zero);
			rbl_fw change =
				is_last ? rbl_fw_mul(restitution, impulses[k]) : rbl_fw_sub(now, impulses[k]);
			rbl_iw mask = rbl_iw_and(found->bounces, found->meets[k]);
			change = rbl_fw_select(mask, change, zero);
			impulses[k] = rbl_fw_add(impulses[k], change);
			apply_normal_impulse(pair, change, normal, cross_a, cross_b);
		}
	}
	return rbl_fw_add(rbl_fw_add(impulses[0], impulses[1]), rbl_fw_add(impulses[2], impulses[3]));
}

// What a bounce has changed is no impulse of the contact, to be applied again in the next sub-step:
// the free velocities change too.
static void add_to_free(const velocity_lanes *now, const velocity_lanes *old, const int32_t *index,
                        unsigned lanes, rbl_solver_velocity *free_velocities)
{
	velocity_lanes free;
	gather_records(free_velocities, index, free.rows);
	free.linear = rbl_fwx3_add(free.linear, rbl_fwx3_sub(now->linear, old->linear));
	free.angular = rbl_fwx3_add(free.angular, rbl_fwx3_sub(now->angular, old->angular));
	scatter_records(free_velocities, index, lanes, free.rows);
}

// Whether a contact of a block is about to bounce.
static bool block_bounces(const rbl_solver_contact_list *list, int i,
                          const rbl_solver_step_context *step)
{
	rbl_solver_contact_block *block = &list->blocks[i];
	int point_count = list->point_counts[i] & RBL_SOLVER_POINT_COUNT;
	for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES) {
		const rbl_solver_contact_block *lanes = from_lane(block, lane);
		body_pair pair;
		load_pair(&pair, lanes->a, lanes->b, lane, step, list->is_shared, step->has_locks);
		bounce_points found =
			find_bounces(lanes, from_lane(&list->cold[i], lane), &pair, point_count, step);
		if (rbl_iw_any(found.bounces))
			return true;
	}
	return false;
}

// Bounce some lanes of a block. @param block  from `lane` on
// @param changes  of bodies that are shared, of their velocities and of the free ones
static void bounce_lanes(rbl_solver_contact_block *block, const rbl_solver_contact_list *list,
                         int i, int lane, const rbl_solver_step_context *step,
                         pair_changes *changes)
{
	const rbl_solver_cold_block *cold = from_lane(&list->cold[i], lane);
	const float *surface_velocity = surface_velocity_of(list, i);
	int point_count = list->point_counts[i] & RBL_SOLVER_POINT_COUNT;
	body_pair pair;
	load_pair(&pair, block->a, block->b, lane, step, changes, step->has_locks);
	bounce_points found = find_bounces(block, cold, &pair, point_count, step);
	velocity_lanes old_a = pair.velocity_a, old_b = pair.velocity_b;
	rbl_fw restitution = rbl_fw_load(cold->restitution);
	rbl_fw sum = bounce_points_apart(block, &pair, &found, restitution, point_count);
	bounce_friction(block, cold_from_lane(round_block(list, i), lane), &pair,
	                load_lanes(block->normal), sum,
	                surface_velocity ? surface_velocity + lane : NULL);
	rbl_fw_store(block->peak_impulse, rbl_fw_max(rbl_fw_load(block->peak_impulse), sum));
	store_pair(&pair, block->a, block->b, lane, step, changes);
	if (changes || step->is_beginning)
		return;
	add_to_free(&pair.velocity_a, &old_a, block->a, pair.dynamic_a, step->bodies.free_velocity);
	add_to_free(&pair.velocity_b, &old_b, block->b, pair.dynamic_b, step->bodies.free_velocity);
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
		list->has_bounced[i] =
			has_positive(list->cold[i].restitution) && block_bounces(list, i, step);
		if (!list->has_bounced[i])
			continue;
		pair_changes changes;
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
			bounce_lanes(from_lane(block, lane), list, i, lane, step,
			             list->is_shared ? &changes : NULL);
		if (!list->is_shared)
			continue;
		add_all_changes(&changes, block->a, block->b, step->bodies.velocity);
		if (!step->is_beginning)
			add_all_changes(&changes, block->a, block->b, step->bodies.free_velocity);
	}
}

// --- preparing -----------------------------------------------------------------------------------

// The rotation of A, of B, or none, in each lane.
static inline quat8 choose_rotation(rbl_iw is_a, const delta_lanes *a, rbl_iw is_b,
                                    const delta_lanes *b)
{
	rbl_fw zero = rbl_fw_zero(), one = rbl_fw_splat(1.0f);
	rbl_fwx3 none = { zero, zero, zero };
	return (quat8){
		rbl_fwx3_select(is_a, a->rotation.v, rbl_fwx3_select(is_b, b->rotation.v, none)),
		rbl_fw_select(is_a, a->rotation.w, rbl_fw_select(is_b, b->rotation.w, one)),
	};
}

// What anchors and normals of old manifolds move with.
typedef struct manifold_motion {
	delta_lanes a, b;
	rbl_fwx3 old_offset, offset;
	rbl_iw points_on_b; // only in blocks of round shapes
} manifold_motion;

// Rotate the normal with A. Where one body is round it stays on the other: a ball that rolls takes
// the point along, and does not turn the floor. Where both are, the normal stays as it is.
static inline rbl_fwx3 move_normal(manifold_motion *motion, const rbl_solver_cold_block *round,
                                   rbl_fwx3 normal, rbl_iw is_old)
{
	quat8 rotation = motion->a.rotation;
	rbl_fw radius_a = rbl_fw_zero(), radius_b = rbl_fw_zero();
	if (round) {
		radius_a = rbl_fw_load(round->radius[0]), radius_b = rbl_fw_load(round->radius[1]);
		rbl_iw a_is_round = rbl_fw_gt(radius_a, rbl_fw_zero());
		rbl_iw b_is_round = rbl_fw_gt(radius_b, rbl_fw_zero());
		motion->points_on_b = rbl_iw_andnot(b_is_round, a_is_round);
		rotation = choose_rotation(rbl_iw_andnot(rbl_iw_splat(-1), a_is_round), &motion->a,
		                           rbl_iw_andnot(a_is_round, b_is_round), &motion->b);
	}
	rbl_fwx3 rotated = rbl_fwx3_add(normal, rotation_change(rotation, normal));
	rbl_fw length = rbl_fw_sqrt(rbl_fwx3_dot(rotated, rotated));
	rbl_iw rotates = rbl_iw_and(is_old, rbl_fw_gt(length, rbl_fw_splat(0.5f)));
	rotated = rbl_fwx3_scale(rbl_fw_div(rbl_fw_splat(1.0f), length), rotated);
	rotated = rbl_fwx3_select(rotates, rotated, normal);
	motion->offset = rbl_fwx3_add(motion->old_offset,
	                              rbl_fwx3_sub(motion->a.translation, motion->b.translation));
	if (round)
		motion->offset = rbl_fwx3_add_scaled(motion->offset, rbl_fw_add(radius_a, radius_b),
		                                     rbl_fwx3_sub(rotated, normal));
	return rotated;
}

// Rotate an anchor with A, or with B where it is on the core of that.
static inline rbl_fwx3 move_anchor(const manifold_motion *motion, rbl_fwx3 anchor, bool is_round)
{
	rbl_fwx3 on_a = rbl_fwx3_add(anchor, rotation_change(motion->a.rotation, anchor));
	if (!is_round)
		return on_a;
	rbl_fwx3 from_b = rbl_fwx3_add(anchor, motion->old_offset);
	rbl_fwx3 on_b = rbl_fwx3_add(from_b, rotation_change(motion->b.rotation, from_b));
	return rbl_fwx3_select(motion->points_on_b, rbl_fwx3_sub(on_b, motion->offset), on_a);
}

// Move old manifolds along with the motion of the last step: points and normal stay fixed on A, or
// where bodies are round on their cores, and separations follow.
static void update_old_manifolds(rbl_solver_contact_block *block,
                                 const rbl_solver_cold_block *round,
                                 const rbl_solver_step_context *step, rbl_iw is_old)
{
	manifold_motion motion = { .old_offset = load_lanes(block->offset) };
	gather_records(step->bodies.delta, block->a, motion.a.rows);
	gather_records(step->bodies.delta, block->b, motion.b.rows);
	rbl_fwx3 normal = load_lanes(block->normal);
	rbl_fwx3 rotated = move_normal(&motion, round, normal, is_old);
	separation_change change = find_separation_change(block, normal, motion.old_offset, step);
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_solver_point_block *point = &block->points[i];
		rbl_fwx3 anchor = load_lanes(point->anchor);
		rbl_fw old = rbl_fw_load(point->separation);
		rbl_fw now = find_separation(point, anchor, &change);
		rbl_iw moves = rbl_iw_and(is_old, rbl_fw_lt(old, rbl_fw_splat(0.5f * RBL_SOLVER_NO_POINT)));
		rbl_fw_store(point->separation, rbl_fw_select(moves, now, old));
		rbl_fwx3 moved = move_anchor(&motion, anchor, round);
		store_lanes(point->anchor, rbl_fwx3_select(is_old, moved, anchor));
	}
	store_lanes(block->offset, rbl_fwx3_select(is_old, motion.offset, motion.old_offset));
	store_lanes(block->normal, rotated);

	// Friction keeps its direction: the tangents may have jumped.
	rbl_fwx3 friction = load_friction(block, normal), t1, t2;
	make_tangents(rotated, &t1, &t2);
	rbl_fw_store(block->friction_impulse[0], rbl_fwx3_dot(friction, t1));
	rbl_fw_store(block->friction_impulse[1], rbl_fwx3_dot(friction, t2));
}

// The change of angular velocity about `other` by a unit angular impulse about `axis`, of both
// bodies.
static inline rbl_fw angular_response(const body_pair *pair, rbl_fwx3 axis_a, rbl_fwx3 axis_b,
                                      rbl_fwx3 other_a, rbl_fwx3 other_b)
{
	return rbl_fw_add(rbl_fwx3_dot(other_a, inertia_mul(&pair->inertia_a, axis_a)),
	                  rbl_fwx3_dot(other_b, inertia_mul(&pair->inertia_b, axis_b)));
}

static void prepare_friction(rbl_solver_contact_block *block, const rbl_solver_cold_block *round,
                             const body_pair *pair, rbl_fwx3 normal, rbl_fw inverse_mass)
{
	rbl_fwx3 t1, t2;
	make_tangents(normal, &t1, &t2);
	friction_arms arms = find_friction_arms(block, round, normal, RBL_MAX_MANIFOLD_POINTS);
	rbl_fwx3 arm_a = arms.a, arm_b = arms.b;
	rbl_fwx3 a1 = rbl_fwx3_cross(arm_a, t1), a2 = rbl_fwx3_cross(arm_a, t2);
	rbl_fwx3 b1 = rbl_fwx3_cross(arm_b, t1), b2 = rbl_fwx3_cross(arm_b, t2);
	rbl_fw xx = rbl_fw_add(inverse_mass, angular_response(pair, a1, b1, a1, b1));
	rbl_fw yy = rbl_fw_add(inverse_mass, angular_response(pair, a2, b2, a2, b2));
	rbl_fw xy = angular_response(pair, a1, b1, a2, b2);
	if (pair->has_locks) {
		xx = rbl_fw_add(linear_response(pair, t1, t1), angular_response(pair, a1, b1, a1, b1));
		yy = rbl_fw_add(linear_response(pair, t2, t2), angular_response(pair, a2, b2, a2, b2));
		xy = rbl_fw_add(linear_response(pair, t1, t2), xy);
		// Along a tangent in which nothing moves: the other one alone.
		rbl_fw least = rbl_fw_mul(rbl_fw_splat(1e-6f), rbl_fw_add(xx, yy));
		xx = rbl_fw_add(xx, least), yy = rbl_fw_add(yy, least);
	}
	rbl_fw scale = inverse_or_zero(rbl_fw_sub(rbl_fw_mul(xx, yy), rbl_fw_mul(xy, xy)));
	rbl_fw_store(block->friction_mass[0], rbl_fw_mul(yy, scale));
	rbl_fw_store(block->friction_mass[1], rbl_fw_neg(rbl_fw_mul(xy, scale)));
	rbl_fw_store(block->friction_mass[2], rbl_fw_mul(xx, scale));
	rbl_fw_store(block->twist_mass,
	             inverse_or_zero(angular_response(pair, normal, normal, normal, normal)));

	rbl_fwx3 centroid = find_centroid(block, RBL_MAX_MANIFOLD_POINTS);
	rbl_fw square = rbl_fw_zero(), count = rbl_fw_zero();
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_solver_point_block *point = &block->points[i];
		rbl_fwx3 arm = rbl_fwx3_sub(load_lanes(point->anchor), centroid);
		square = rbl_fw_add(square, rbl_fwx3_dot(arm, arm));
		rbl_iw is_used = rbl_fw_gt(rbl_fw_load(point->mass), rbl_fw_zero());
		count = rbl_fw_add(count, rbl_fw_select(is_used, rbl_fw_splat(1.0f), rbl_fw_zero()));
	}
	rbl_fw_store(block->patch_radius, rbl_fw_sqrt(rbl_fw_mul(square, inverse_or_zero(count))));
	// A single point does not resist twisting, and solve_friction() relies on it.
	rbl_iw is_single = rbl_fw_lt(count, rbl_fw_splat(1.5f));
	rbl_fw_store(block->twist_impulse,
	             rbl_fw_select(is_single, rbl_fw_zero(), rbl_fw_load(block->twist_impulse)));
}

// @param block, cold, round  from `lane` on
// @param has_old  whether the block has contacts of the last step, moved along with their bodies
static inline void prepare_lanes(rbl_solver_contact_block *block, rbl_solver_cold_block *cold,
                                 const rbl_solver_cold_block *round, int lane,
                                 const rbl_solver_step_context *step, bool is_shared, bool has_old)
{
	rbl_fw zero = rbl_fw_zero();
	body_pair pair;
	load_pair(&pair, block->a, block->b, lane, step, is_shared, step->has_locks);
	if (has_old)
		update_old_manifolds(block, round, step,
		                     rbl_fw_ge(rbl_fw_load(block->friction_mass[0]), zero));
	rbl_fwx3 normal = load_lanes(block->normal);
	rbl_fwx3 offset_cross = rbl_fwx3_cross(load_lanes(block->offset), normal);
	rbl_fw inverse_mass = rbl_fw_add(pair.inertia_a.inverse_mass, pair.inertia_b.inverse_mass);
	if (pair.has_locks)
		inverse_mass = linear_response(&pair, normal, normal);
	rbl_fw approach_speed = zero;
	for (int k = 0; k < RBL_MAX_MANIFOLD_POINTS; ++k) {
		rbl_solver_point_block *point = &block->points[k];
		rbl_fwx3 cross_a = rbl_fwx3_cross(load_lanes(point->anchor), normal);
		rbl_fwx3 cross_b = rbl_fwx3_add(cross_a, offset_cross);
		rbl_fw inverse =
			rbl_fw_add(inverse_mass, angular_response(&pair, cross_a, cross_b, cross_a, cross_b));
		rbl_iw is_used =
			rbl_fw_lt(rbl_fw_load(point->separation), rbl_fw_splat(0.5f * RBL_SOLVER_NO_POINT));
		rbl_fw_store(point->mass, rbl_fw_select(is_used, inverse_or_zero(inverse), zero));
		rbl_fw speed = normal_speed(&pair.velocity_a, cross_a, &pair.velocity_b, cross_b, normal);
		speed = rbl_fw_select(is_used, speed, zero);
		approach_speed = rbl_fw_max(approach_speed, speed);
	}
	rbl_fw_store(cold->approach_speed, approach_speed);
	rbl_fw_store(block->peak_impulse, zero);
	prepare_friction(block, round, &pair, normal, inverse_mass);
}

void RBL_KERNEL(rbl_solver_prepare_contacts)(const rbl_solver_contact_list *list, int begin,
                                             int end, const rbl_solver_step_context *step)
{
	for (int i = begin; i < end; ++i) {
		rbl_solver_contact_block *block = &list->blocks[i];
		rbl_iw is_old = rbl_iw_zero();
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
			is_old = rbl_iw_or(
				is_old, rbl_fw_ge(rbl_fw_load(block->friction_mass[0] + lane), rbl_fw_zero()));
		bool has_old = rbl_iw_any(is_old);
		for (int lane = 0; lane < RBL_SOLVER_LANES; lane += RBL_WIDE_LANES)
			prepare_lanes(from_lane(block, lane), from_lane(&list->cold[i], lane),
			              cold_from_lane(round_block(list, i), lane), lane, step, list->is_shared,
			              has_old);
	}
}
