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

static inline void load_pair(body_pair *pair, const int32_t *a, const int32_t *b,
                             const rbl_solver_step_context *step, bool is_shared)
{
	gather_records(step->bodies.velocity, a, pair->velocity_a.rows);
	gather_records(step->bodies.inverse_inertia, a, pair->inertia_a.rows);
	gather_records(step->bodies.velocity, b, pair->velocity_b.rows);
	gather_records(step->bodies.inverse_inertia, b, pair->inertia_b.rows);
	rbl_f8 zero = rbl_f8_zero();
	pair->dynamic_a = (unsigned)rbl_i8_bits(rbl_f8_gt(pair->inertia_a.inverse_mass, zero));
	pair->dynamic_b = (unsigned)rbl_i8_bits(rbl_f8_gt(pair->inertia_b.inverse_mass, zero));
	if (is_shared)
		split_masses(pair, a, b);
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
	pair->velocity_a.linear = rbl_f8x3_add(pair->velocity_a.linear, rbl_f8x3_neg(change_a));
	rbl_f8x3 change_b = rbl_f8x3_scale(pair->inertia_b.inverse_mass, impulse);
	pair->velocity_b.linear = rbl_f8x3_add(pair->velocity_b.linear, change_b);
	apply_angular_impulse(pair, angular_a, angular_b);
}
