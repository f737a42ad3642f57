// SPDX-License-Identifier: MIT
// The velocities and inverse inertia of the two bodies of the contacts or joints of some lanes. For
// kernel files only.
//
// Where lanes of a block share a body (the overflow), it is split for the block: see
// contact_kernels.c.
#pragma once

#include "solver/lanes.h"

/// The two bodies of contacts or joints.
typedef struct body_pair {
	velocity_lanes velocity_a, velocity_b;
	inertia_lanes inertia_a, inertia_b; // inverse
	unsigned dynamic_a, dynamic_b;      // bits of lanes whose body has inverse mass
	// Where bodies are locked along world axes: 0 there and 1 along the others.
	bool has_locks;
	rbl_fwx3 free_a, free_b;
	// Where bodies are split:
	velocity_lanes old_a, old_b; // velocities before
	rbl_fw share_a, share_b;     // lanes of the block that have the body
} body_pair;

/// What the lanes of a block change of bodies that are split: added to them when all lanes are
/// solved, as each begins with the velocities that were there before the block.
typedef struct pair_changes {
	float a[8][RBL_SOLVER_LANES], b[8][RBL_SOLVER_LANES];
	unsigned dynamic_a, dynamic_b; // bits of lanes
} pair_changes;

static inline int count_lanes(const int32_t *a, const int32_t *b, int body)
{
	int count = 0;
	for (int i = 0; i < RBL_SOLVER_LANES; ++i)
		count += (a[i] == body) + (b[i] == body);
	return body > 0 ? count : 1;
}

// @param a, b  the bodies of the whole block
static inline void split_masses(body_pair *pair, const int32_t *a, const int32_t *b, int lane)
{
	float shares[2][RBL_WIDE_LANES];
	for (int i = 0; i < RBL_WIDE_LANES; ++i) {
		shares[0][i] = (float)count_lanes(a, b, a[lane + i]);
		shares[1][i] = (float)count_lanes(a, b, b[lane + i]);
	}
	pair->share_a = rbl_fw_load(shares[0]), pair->share_b = rbl_fw_load(shares[1]);
	pair->old_a = pair->velocity_a, pair->old_b = pair->velocity_b;
	for (int k = 0; k < 8; ++k) {
		pair->inertia_a.rows[k] = rbl_fw_mul(pair->inertia_a.rows[k], pair->share_a);
		pair->inertia_b.rows[k] = rbl_fw_mul(pair->inertia_b.rows[k], pair->share_b);
	}
}

static inline rbl_fwx3 free_axes(const inertia_lanes *inverse)
{
	rbl_iw locks = rbl_fw_as_mask(inverse->gravity_scale), zero = rbl_iw_zero();
	rbl_fw one = rbl_fw_splat(1.0f), none = rbl_fw_zero();
	return (rbl_fwx3){
		rbl_fw_select(rbl_iw_gt(rbl_iw_and(locks, rbl_iw_splat(1)), zero), none, one),
		rbl_fw_select(rbl_iw_gt(rbl_iw_and(locks, rbl_iw_splat(2)), zero), none, one),
		rbl_fw_select(rbl_iw_gt(rbl_iw_and(locks, rbl_iw_splat(4)), zero), none, one),
	};
}

// Apart, so that what calls it stays small.
static RBL_NEVER_INLINE void load_free_axes(body_pair *pair)
{
	pair->free_a = free_axes(&pair->inertia_a);
	pair->free_b = free_axes(&pair->inertia_b);
	pair->inertia_a.gravity_scale = pair->inertia_b.gravity_scale = rbl_fw_zero();
}

static inline rbl_fwx3 mul_each(rbl_fwx3 a, rbl_fwx3 b)
{
	return (rbl_fwx3){ rbl_fw_mul(a.x, b.x), rbl_fw_mul(a.y, b.y), rbl_fw_mul(a.z, b.z) };
}

// @param a, b       the bodies of lanes `lane` and following of a block
// @param has_locks  what the step says, as a constant where it matters
static inline RBL_ALWAYS_INLINE void load_pair(body_pair *pair, const int32_t *a, const int32_t *b,
                                               int lane, const rbl_solver_step_context *step,
                                               bool is_shared, bool has_locks)
{
	gather_records(step->bodies.velocity, a, pair->velocity_a.rows);
	gather_records(step->bodies.inverse_inertia, a, pair->inertia_a.rows);
	gather_records(step->bodies.velocity, b, pair->velocity_b.rows);
	gather_records(step->bodies.inverse_inertia, b, pair->inertia_b.rows);
	rbl_fw zero = rbl_fw_zero();
	pair->dynamic_a = (unsigned)rbl_iw_bits(rbl_fw_gt(pair->inertia_a.inverse_mass, zero));
	pair->dynamic_b = (unsigned)rbl_iw_bits(rbl_fw_gt(pair->inertia_b.inverse_mass, zero));
	pair->has_locks = has_locks;
	if (has_locks)
		load_free_axes(pair);
	if (is_shared)
		split_masses(pair, a - lane, b - lane, lane);
}

// The change of velocity along `other` by a unit impulse along `axis`, of both bodies, without
// rotation. Where nothing is locked, for an axis of unit length it is the inverse mass.
static inline rbl_fw linear_response(const body_pair *pair, rbl_fwx3 axis, rbl_fwx3 other)
{
	rbl_fw a = rbl_fwx3_dot(mul_each(pair->free_a, axis), other);
	rbl_fw b = rbl_fwx3_dot(mul_each(pair->free_b, axis), other);
	return rbl_fw_add(rbl_fw_mul(pair->inertia_a.inverse_mass, a),
	                  rbl_fw_mul(pair->inertia_b.inverse_mass, b));
}

static inline void keep_changes(pair_changes *changes, const body_pair *pair, int lane)
{
	if (lane == 0)
		changes->dynamic_a = changes->dynamic_b = 0;
	for (int k = 0; k < 8; ++k) {
		rbl_fw a = rbl_fw_sub(pair->velocity_a.rows[k], pair->old_a.rows[k]);
		rbl_fw b = rbl_fw_sub(pair->velocity_b.rows[k], pair->old_b.rows[k]);
		rbl_fw_store(changes->a[k] + lane, rbl_fw_div(a, pair->share_a));
		rbl_fw_store(changes->b[k] + lane, rbl_fw_div(b, pair->share_b));
	}
	changes->dynamic_a |= pair->dynamic_a << lane;
	changes->dynamic_b |= pair->dynamic_b << lane;
}

// Add what the lanes of a block have changed to what is there, one after the other.
static inline void add_changes(const float (*changes)[RBL_SOLVER_LANES], const int32_t *index,
                               unsigned lanes, rbl_solver_velocity *velocities)
{
	for (int i = 0; i < RBL_SOLVER_LANES; ++i) {
		if (!(lanes >> i & 1))
			continue;
		rbl_solver_velocity *v = &velocities[index[i]];
		rbl_vec3 linear = { changes[0][i], changes[1][i], changes[2][i] };
		rbl_vec3 angular = { changes[4][i], changes[5][i], changes[6][i] };
		v->linear = rbl_add(v->linear, linear), v->angular = rbl_add(v->angular, angular);
	}
}

static RBL_NEVER_INLINE void add_all_changes(const pair_changes *changes, const int32_t *a,
                                             const int32_t *b, rbl_solver_velocity *velocities)
{
	add_changes(changes->a, a, changes->dynamic_a, velocities);
	add_changes(changes->b, b, changes->dynamic_b, velocities);
}

// @param changes  of bodies that are split; the caller adds them after the last lanes
static inline void store_pair(const body_pair *pair, const int32_t *a, const int32_t *b, int lane,
                              const rbl_solver_step_context *step, pair_changes *changes)
{
	if (changes) {
		keep_changes(changes, pair, lane);
		return;
	}
	scatter_records(step->bodies.velocity, a, pair->dynamic_a, pair->velocity_a.rows);
	scatter_records(step->bodies.velocity, b, pair->dynamic_b, pair->velocity_b.rows);
}

static inline void apply_angular_impulse(body_pair *pair, rbl_fwx3 angular_a, rbl_fwx3 angular_b)
{
	rbl_fwx3 change_a = inertia_mul(&pair->inertia_a, angular_a);
	pair->velocity_a.angular = rbl_fwx3_sub(pair->velocity_a.angular, change_a);
	rbl_fwx3 change_b = inertia_mul(&pair->inertia_b, angular_b);
	pair->velocity_b.angular = rbl_fwx3_add(pair->velocity_b.angular, change_b);
}

// Change both bodies by an impulse on B, and its opposite on A: linear, and angular about each
// centre.
static inline void apply_impulse(body_pair *pair, rbl_fwx3 impulse, rbl_fwx3 angular_a,
                                 rbl_fwx3 angular_b)
{
	rbl_fwx3 change_a = rbl_fwx3_scale(pair->inertia_a.inverse_mass, impulse);
	rbl_fwx3 change_b = rbl_fwx3_scale(pair->inertia_b.inverse_mass, impulse);
	if (pair->has_locks) {
		change_a = mul_each(pair->free_a, change_a);
		change_b = mul_each(pair->free_b, change_b);
	}
	pair->velocity_a.linear = rbl_fwx3_sub(pair->velocity_a.linear, change_a);
	pair->velocity_b.linear = rbl_fwx3_add(pair->velocity_b.linear, change_b);
	apply_angular_impulse(pair, angular_a, angular_b);
}
