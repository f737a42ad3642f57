// SPDX-License-Identifier: MIT
// Eight records as eight SIMD lanes and back. For kernel files only.
#pragma once

#include "solver/solver_kernels.h"

#include "base/simd.h"

typedef struct quat8 {
	rbl_f8x3 v;
	rbl_f8 w;
} quat8;

// Records in lanes: rows[k] has float k of each of the eight records; the members are those of the
// struct in records.h.
#define RECORD_LANES(name, ...) \
	typedef union name {        \
		rbl_f8 rows[8];         \
		struct {                \
			__VA_ARGS__         \
		};                      \
	} name
RECORD_LANES(pose_lanes, rbl_f8x3 centre; rbl_f8 user; quat8 rotation;);
RECORD_LANES(still_pose_lanes, rbl_f8x3 centre; rbl_f8 radius; quat8 rotation;);
RECORD_LANES(velocity_lanes, rbl_f8x3 linear; rbl_f8 state; rbl_f8x3 angular; rbl_f8 sleep_timer;);
RECORD_LANES(delta_lanes, rbl_f8x3 translation; rbl_f8 unused; quat8 rotation;);
RECORD_LANES(acceleration_lanes, rbl_f8x3 linear; rbl_f8 linear_damping; rbl_f8x3 angular;
             rbl_f8 angular_damping;);
RECORD_LANES(midpoint_lanes, quat8 rotation; rbl_f8 energy_gain; rbl_f8x3 momentum_rest;);
RECORD_LANES(force_lanes, rbl_f8x3 force; rbl_f8 unused_1; rbl_f8x3 torque; rbl_f8 unused_2;);

typedef union inertia_lanes {
	rbl_f8 rows[8];
	struct {
		rbl_f8x3 diagonal;
		union {
			rbl_f8 inverse_mass, linear_damping;
		};
		rbl_f8x3 off_diagonal;
		union {
			rbl_f8 gravity_scale, angular_damping;
		};
	};
} inertia_lanes;

static inline void gather_records(const void *records, const int32_t *index, rbl_f8 rows[8])
{
	for (int i = 0; i < 4; ++i) {
		const float *low = (const float *)records + (size_t)8 * (size_t)index[i];
		const float *high = (const float *)records + (size_t)8 * (size_t)index[4 + i];
		rows[i] = rbl_f8_from(rbl_f4_load(low), rbl_f4_load(high));
		rows[4 + i] = rbl_f8_from(rbl_f4_load(low + 4), rbl_f4_load(high + 4));
	}
	rbl_f8_transpose(rows);
	rbl_f8_transpose(rows + 4);
}

/// Write back the records of the lanes whose bit is set.
static inline void scatter_records(void *records, const int32_t *index, unsigned lanes,
                                   const rbl_f8 rows[8])
{
	rbl_f8 parts[8]; // first halves of records i and i + 4, then second halves
	for (int i = 0; i < 8; ++i)
		parts[i] = rows[i];
	rbl_f8_transpose(parts);
	rbl_f8_transpose(parts + 4);
	for (int i = 0; i < 4; ++i) {
		if (lanes >> i & 1) {
			float *record = (float *)records + (size_t)8 * (size_t)index[i];
			rbl_f4_store(record, rbl_f8_low(parts[i]));
			rbl_f4_store(record + 4, rbl_f8_low(parts[4 + i]));
		}
		if (lanes >> (4 + i) & 1) {
			float *record = (float *)records + (size_t)8 * (size_t)index[4 + i];
			rbl_f4_store(record, rbl_f8_high(parts[i]));
			rbl_f4_store(record + 4, rbl_f8_high(parts[4 + i]));
		}
	}
}

static inline rbl_f8x3 load_lanes(const float *rows)
{
	return (rbl_f8x3){ rbl_f8_load(rows), rbl_f8_load(rows + RBL_SOLVER_LANES),
		               rbl_f8_load(rows + 2 * RBL_SOLVER_LANES) };
}

static inline void store_lanes(float *rows, rbl_f8x3 a)
{
	rbl_f8_store(rows, a.x);
	rbl_f8_store(rows + RBL_SOLVER_LANES, a.y);
	rbl_f8_store(rows + 2 * RBL_SOLVER_LANES, a.z);
}

/// 1 / a, or 0 where a is not positive.
static inline rbl_f8 inverse_or_zero(rbl_f8 a)
{
	return rbl_f8_select(rbl_f8_gt(a, rbl_f8_zero()), rbl_f8_div(rbl_f8_splat(1.0f), a),
	                     rbl_f8_zero());
}

/// An inertia tensor times a vector.
static inline rbl_f8x3 inertia_mul(const inertia_lanes *m, rbl_f8x3 v)
{
	rbl_f8x3 d = m->diagonal, o = m->off_diagonal; // xx yy zz, xy xz yz
	return (rbl_f8x3){
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(d.x, v.x), rbl_f8_mul(o.x, v.y)), rbl_f8_mul(o.y, v.z)),
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(o.x, v.x), rbl_f8_mul(d.y, v.y)), rbl_f8_mul(o.z, v.z)),
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(o.y, v.x), rbl_f8_mul(o.z, v.y)), rbl_f8_mul(d.z, v.z)),
	};
}

static inline quat8 quat_conjugate(quat8 q)
{
	return (quat8){ rbl_f8x3_neg(q.v), q.w };
}

static inline quat8 quat_mul(quat8 a, quat8 b)
{
	rbl_f8x3 v = rbl_f8x3_add(rbl_f8x3_scale(a.w, b.v), rbl_f8x3_scale(b.w, a.v));
	v = rbl_f8x3_add(v, rbl_f8x3_cross(a.v, b.v));
	return (quat8){ v, rbl_f8_sub(rbl_f8_mul(a.w, b.w), rbl_f8x3_dot(a.v, b.v)) };
}

/// What rotating v by q adds to it: a small change loses no digits.
static inline rbl_f8x3 rotation_change(quat8 q, rbl_f8x3 v)
{
	rbl_f8x3 t = rbl_f8x3_cross(q.v, v);
	t = rbl_f8x3_add(t, t);
	return rbl_f8x3_add(rbl_f8x3_scale(q.w, t), rbl_f8x3_cross(q.v, t));
}

static inline quat8 load_quat(const float *rows)
{
	return (quat8){ load_lanes(rows), rbl_f8_load(rows + 3 * RBL_SOLVER_LANES) };
}

static inline void store_quat(float *rows, quat8 q)
{
	store_lanes(rows, q.v);
	rbl_f8_store(rows + 3 * RBL_SOLVER_LANES, q.w);
}

static inline rbl_f8x3 rotate(quat8 q, rbl_f8x3 v)
{
	return rbl_f8x3_add(v, rotation_change(q, v));
}

/// Two unit vectors orthogonal to a unit vector and to each other.
static inline void make_tangents(rbl_f8x3 n, rbl_f8x3 *t1, rbl_f8x3 *t2)
{
	rbl_f8 one = rbl_f8_splat(1.0f);
	rbl_f8 sign = rbl_f8_select(rbl_f8_lt(n.z, rbl_f8_zero()), rbl_f8_splat(-1.0f), one);
	rbl_f8 a = rbl_f8_div(rbl_f8_splat(-1.0f), rbl_f8_add(sign, n.z));
	rbl_f8 b = rbl_f8_mul(rbl_f8_mul(n.x, n.y), a);
	rbl_f8 sx = rbl_f8_mul(sign, n.x);
	t1->x = rbl_f8_add(one, rbl_f8_mul(rbl_f8_mul(sx, n.x), a));
	t1->y = rbl_f8_mul(sign, b);
	t1->z = rbl_f8_neg(sx);
	t2->x = b;
	t2->y = rbl_f8_add(sign, rbl_f8_mul(rbl_f8_mul(n.y, n.y), a));
	t2->z = rbl_f8_neg(n.y);
}
