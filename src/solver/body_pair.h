// SPDX-License-Identifier: MIT
// The velocities and inverse inertia of the two bodies of eight contacts or joints, as lanes. For
// kernel files only.
//
// Where lanes of a block share a body (the overflow), it is split for the block: see
// contact_kernels.c.
#pragma once

#include "solver/lanes.h"

/// The two bodies of eight contacts or joints.
typedef struct body_pair {
	velocity_lanes velocity_a, velocity_b;
	inertia_lanes inertia_a, inertia_b; // inverse
	unsigned dynamic_a, dynamic_b;      // bits of lanes whose body has inverse mass
	// Where bodies are locked along world axes: 0 there and 1 along the others.
	bool has_locks;
	rbl_f8x3 free_a, free_b;
	// Where bodies are split:
	velocity_lanes old_a, old_b; // velocities before
	rbl_f8 share_a, share_b;     // lanes of the block that have the body
} body_pair;

static inline int count_lanes(const int32_t *a, const int32_t *b, int body)
{
	int count = 0;
	for (int i = 0; i < RBL_SOLVER_LANES; ++i)
		count += (a[i] == body) + (b[i] == body);
	return body > 0 ? count : 1;
}

static inline void split_masses(body_pair *pair, const int32_t *a, const int32_t *b)
{
	float shares[2][RBL_SOLVER_LANES];
	for (int i = 0; i < RBL_SOLVER_LANES; ++i) {
		shares[0][i] = (float)count_lanes(a, b, a[i]);
		shares[1][i] = (float)count_lanes(a, b, b[i]);
	}
	pair->share_a = rbl_f8_load(shares[0]), pair->share_b = rbl_f8_load(shares[1]);
	pair->old_a = pair->velocity_a, pair->old_b = pair->velocity_b;
	for (int k = 0; k < 8; ++k) {
		pair->inertia_a.rows[k] = rbl_f8_mul(pair->inertia_a.rows[k], pair->share_a);
		pair->inertia_b.rows[k] = rbl_f8_mul(pair->inertia_b.rows[k], pair->share_b);
	}
}

static inline rbl_f8x3 free_axes(const inertia_lanes *inverse)
{
	rbl_i8 locks = rbl_f8_as_mask(inverse->gravity_scale), zero = rbl_i8_zero();
	rbl_f8 one = rbl_f8_splat(1.0f), none = rbl_f8_zero();
	return (rbl_f8x3){
		rbl_f8_select(rbl_i8_gt(rbl_i8_and(locks, rbl_i8_splat(1)), zero), none, one),
		rbl_f8_select(rbl_i8_gt(rbl_i8_and(locks, rbl_i8_splat(2)), zero), none, one),
		rbl_f8_select(rbl_i8_gt(rbl_i8_and(locks, rbl_i8_splat(4)), zero), none, one),
	};
}

// Apart, so that what calls it stays small.
static RBL_NEVER_INLINE void load_free_axes(body_pair *pair)
{
	pair->free_a = free_axes(&pair->inertia_a);
	pair->free_b = free_axes(&pair->inertia_b);
	pair->inertia_a.gravity_scale = pair->inertia_b.gravity_scale = rbl_f8_zero();
}

static inline rbl_f8x3 mul_each(rbl_f8x3 a, rbl_f8x3 b)
{
	return (rbl_f8x3){ rbl_f8_mul(a.x, b.x), rbl_f8_mul(a.y, b.y), rbl_f8_mul(a.z, b.z) };
}

// @param has_locks  what the step says, as a constant where it matters
static inline RBL_ALWAYS_INLINE void load_pair(body_pair *pair, const int32_t *a, const int32_t *b,
                                               const rbl_solver_step_context *step, bool is_shared,
                                               bool has_locks)
{
	gather_records(step->bodies.velocity, a, pair->velocity_a.rows);
	gather_records(step->bodies.inverse_inertia, a, pair->inertia_a.rows);
	gather_records(step->bodies.velocity, b, pair->velocity_b.rows);
	gather_records(step->bodies.inverse_inertia, b, pair->inertia_b.rows);
	rbl_f8 zero = rbl_f8_zero();
	pair->dynamic_a = (unsigned)rbl_i8_bits(rbl_f8_gt(pair->inertia_a.inverse_mass, zero));
	pair->dynamic_b = (unsigned)rbl_i8_bits(rbl_f8_gt(pair->inertia_b.inverse_mass, zero));
	pair->has_locks = has_locks;
	if (has_locks)
		load_free_axes(pair);
	if (is_shared)
		split_masses(pair, a, b);
}

// The change of velocity along `other` by a unit impulse along `axis`, of both bodies, without
// rotation. Where nothing is locked, for an axis of unit length it is the inverse mass.
static inline rbl_f8 linear_response(const body_pair *pair, rbl_f8x3 axis, rbl_f8x3 other)
{
	rbl_f8 a = rbl_f8x3_dot(mul_each(pair->free_a, axis), other);
	rbl_f8 b = rbl_f8x3_dot(mul_each(pair->free_b, axis), other);
	return rbl_f8_add(rbl_f8_mul(pair->inertia_a.inverse_mass, a),
	                  rbl_f8_mul(pair->inertia_b.inverse_mass, b));
}

// Add what the lanes have changed to what is there, one after the other.
static inline void add_changes(const velocity_lanes *now, const velocity_lanes *old, rbl_f8 share,
                               const int32_t *index, unsigned lanes,
                               rbl_solver_velocity *velocities)
{
	float changes[8][RBL_SOLVER_LANES];
	for (int k = 0; k < 8; ++k)
		rbl_f8_store(changes[k], rbl_f8_div(rbl_f8_sub(now->rows[k], old->rows[k]), share));
	for (int i = 0; i < RBL_SOLVER_LANES; ++i) {
		if (!(lanes >> i & 1))
			continue;
		rbl_solver_velocity *v = &velocities[index[i]];
		rbl_vec3 linear = { changes[0][i], changes[1][i], changes[2][i] };
		rbl_vec3 angular = { changes[4][i], changes[5][i], changes[6][i] };
		v->linear = rbl_add(v->linear, linear), v->angular = rbl_add(v->angular, angular);
	}
}

static inline void store_pair(const body_pair *pair, const int32_t *a, const int32_t *b,
                              const rbl_solver_step_context *step, bool is_shared)
{
	if (is_shared) {
		add_changes(&pair->velocity_a, &pair->old_a, pair->share_a, a, pair->dynamic_a,
		            step->bodies.velocity);
		add_changes(&pair->velocity_b, &pair->old_b, pair->share_b, b, pair->dynamic_b,
		            step->bodies.velocity);
		return;
	}
	scatter_records(step->bodies.velocity, a, pair->dynamic_a, pair->velocity_a.rows);
	scatter_records(step->bodies.velocity, b, pair->dynamic_b, pair->velocity_b.rows);
}

static inline void apply_angular_impulse(body_pair *pair, rbl_f8x3 angular_a, rbl_f8x3 angular_b)
{
	rbl_f8x3 change_a = inertia_mul(&pair->inertia_a, angular_a);
	pair->velocity_a.angular = rbl_f8x3_add(pair->velocity_a.angular, rbl_f8x3_neg(change_a));
	rbl_f8x3 change_b = inertia_mul(&pair->inertia_b, angular_b);
	pair->velocity_b.angular = rbl_f8x3_add(pair->velocity_b.angular, change_b);
}

// Change both bodies by an impulse on B, and its opposite on A: linear, and angular about each
// centre.
static inline void apply_impulse(body_pair *pair, rbl_f8x3 impulse, rbl_f8x3 angular_a,
                                 rbl_f8x3 angular_b)
{
	rbl_f8x3 change_a = rbl_f8x3_scale(pair->inertia_a.inverse_mass, impulse);
	rbl_f8x3 change_b = rbl_f8x3_scale(pair->inertia_b.inverse_mass, impulse);
	if (pair->has_locks) {
		change_a = mul_each(pair->free_a, change_a);
		change_b = mul_each(pair->free_b, change_b);
	}
	pair->velocity_a.linear = rbl_f8x3_add(pair->velocity_a.linear, rbl_f8x3_neg(change_a));
	pair->velocity_b.linear = rbl_f8x3_add(pair->velocity_b.linear, change_b);
	apply_angular_impulse(pair, angular_a, angular_b);
}
