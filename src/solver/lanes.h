// SPDX-License-Identifier: MIT
// Records as SIMD lanes and back. For kernel files only.
//
// Blocks have RBL_SOLVER_LANES lanes, eight; where registers have four, kernels treat each block in
// two halves. Lanes know nothing of each other, so that is the same to the last bit; what a block
// decides for all of its lanes, it decides before.
#pragma once

#include "solver/solver_kernels.h"

#include "base/simd.h"

typedef struct quat8 {
	rbl_fwx3 v;
	rbl_fw w;
} quat8;

// Records in lanes: rows[k] has float k of each of the eight records; the members are those of the
// struct in records.h.
#define RECORD_LANES(name, ...) \
	typedef union name {        \
		rbl_fw rows[8];         \
		struct {                \
			__VA_ARGS__         \
		};                      \
	} name
RECORD_LANES(pose_lanes, rbl_fwx3 centre; rbl_fw user; quat8 rotation;);
RECORD_LANES(still_pose_lanes, rbl_fwx3 centre; rbl_fw radius; quat8 rotation;);
RECORD_LANES(velocity_lanes, rbl_fwx3 linear; rbl_fw state; rbl_fwx3 angular; rbl_fw sleep_timer;);
RECORD_LANES(delta_lanes, rbl_fwx3 translation; rbl_fw unused; quat8 rotation;);
RECORD_LANES(acceleration_lanes, rbl_fwx3 linear; rbl_fw linear_damping; rbl_fwx3 angular;
             rbl_fw angular_damping;);
RECORD_LANES(midpoint_lanes, quat8 rotation; rbl_fw energy_gain; rbl_fwx3 momentum_rest;);
RECORD_LANES(force_lanes, rbl_fwx3 force; rbl_fw unused_1; rbl_fwx3 torque; rbl_fw unused_2;);

typedef union inertia_lanes {
	rbl_fw rows[8];
	struct {
		rbl_fwx3 diagonal;
		union {
			rbl_fw inverse_mass, linear_damping;
		};
		rbl_fwx3 off_diagonal;
		union {
			rbl_fw gravity_scale, angular_damping;
		};
	};
} inertia_lanes;

/// A block from one of its lanes on: its rows are read and written from there.
static inline void *from_lane(void *block, int lane)
{
	return (float *)block + lane;
}

#if RBL_WIDE_LANES == 4

static inline void gather_records(const void *records, const int32_t *index, rbl_fw rows[8])
{
	rbl_f4 parts[8]; // apart from rows, which the compiler would write twice
	for (int i = 0; i < 4; ++i) {
		const float *record = (const float *)records + (size_t)8 * (size_t)index[i];
		parts[i] = rbl_f4_load(record);
		parts[4 + i] = rbl_f4_load(record + 4);
	}
	rbl_f4_transpose(parts);
	rbl_f4_transpose(parts + 4);
	for (int i = 0; i < 8; ++i)
		rows[i] = parts[i];
}

/// Write back the records of the lanes whose bit is set; others go where nobody reads. Without
/// branches: engines that compile WebAssembly move what a branch alone needs into it, and did all
/// of a kernel's arithmetic four times, once for each lane.
static inline void scatter_records(void *records, const int32_t *index, unsigned lanes,
                                   const rbl_fw rows[8])
{
	rbl_f4 parts[8]; // first halves of records, then second halves
	for (int i = 0; i < 8; ++i)
		parts[i] = rows[i];
	rbl_f4_transpose(parts);
	rbl_f4_transpose(parts + 4);
	float nobody[8];
	for (int i = 0; i < 4; ++i) {
		float *record = lanes >> i & 1 ? (float *)records + (size_t)8 * (size_t)index[i] : nobody;
		rbl_f4_store(record, parts[i]);
		rbl_f4_store(record + 4, parts[4 + i]);
	}
}

#else

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

#endif

static inline rbl_fwx3 load_lanes(const float *rows)
{
	return (rbl_fwx3){ rbl_fw_load(rows), rbl_fw_load(rows + RBL_SOLVER_LANES),
		               rbl_fw_load(rows + 2 * RBL_SOLVER_LANES) };
}

static inline void store_lanes(float *rows, rbl_fwx3 a)
{
	rbl_fw_store(rows, a.x);
	rbl_fw_store(rows + RBL_SOLVER_LANES, a.y);
	rbl_fw_store(rows + 2 * RBL_SOLVER_LANES, a.z);
}

/// 1 / a, or 0 where a is not positive.
static inline rbl_fw inverse_or_zero(rbl_fw a)
{
	return rbl_fw_select(rbl_fw_gt(a, rbl_fw_zero()), rbl_fw_div(rbl_fw_splat(1.0f), a),
	                     rbl_fw_zero());
}

/// An inertia tensor times a vector.
static inline rbl_fwx3 inertia_mul(const inertia_lanes *m, rbl_fwx3 v)
{
	rbl_fwx3 d = m->diagonal, o = m->off_diagonal; // xx yy zz, xy xz yz
	return (rbl_fwx3){
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(d.x, v.x), rbl_fw_mul(o.x, v.y)), rbl_fw_mul(o.y, v.z)),
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(o.x, v.x), rbl_fw_mul(d.y, v.y)), rbl_fw_mul(o.z, v.z)),
		rbl_fw_add(rbl_fw_add(rbl_fw_mul(o.y, v.x), rbl_fw_mul(o.z, v.y)), rbl_fw_mul(d.z, v.z)),
	};
}

static inline quat8 quat_conjugate(quat8 q)
{
	return (quat8){ rbl_fwx3_neg(q.v), q.w };
}

static inline quat8 quat_mul(quat8 a, quat8 b)
{
	rbl_fwx3 v = rbl_fwx3_add(rbl_fwx3_scale(a.w, b.v), rbl_fwx3_scale(b.w, a.v));
	v = rbl_fwx3_add(v, rbl_fwx3_cross(a.v, b.v));
	return (quat8){ v, rbl_fw_sub(rbl_fw_mul(a.w, b.w), rbl_fwx3_dot(a.v, b.v)) };
}

/// What rotating v by q adds to it: a small change loses no digits.
static inline rbl_fwx3 rotation_change(quat8 q, rbl_fwx3 v)
{
	rbl_fwx3 t = rbl_fwx3_cross(q.v, v);
	t = rbl_fwx3_add(t, t);
	return rbl_fwx3_add(rbl_fwx3_scale(q.w, t), rbl_fwx3_cross(q.v, t));
}

static inline quat8 load_quat(const float *rows)
{
	return (quat8){ load_lanes(rows), rbl_fw_load(rows + 3 * RBL_SOLVER_LANES) };
}

static inline void store_quat(float *rows, quat8 q)
{
	store_lanes(rows, q.v);
	rbl_fw_store(rows + 3 * RBL_SOLVER_LANES, q.w);
}

static inline rbl_fwx3 rotate(quat8 q, rbl_fwx3 v)
{
	return rbl_fwx3_add(v, rotation_change(q, v));
}

/// Two unit vectors orthogonal to a unit vector and to each other.
static inline void make_tangents(rbl_fwx3 n, rbl_fwx3 *t1, rbl_fwx3 *t2)
{
	rbl_fw one = rbl_fw_splat(1.0f);
	rbl_fw sign = rbl_fw_select(rbl_fw_lt(n.z, rbl_fw_zero()), rbl_fw_splat(-1.0f), one);
	rbl_fw a = rbl_fw_div(rbl_fw_splat(-1.0f), rbl_fw_add(sign, n.z));
	rbl_fw b = rbl_fw_mul(rbl_fw_mul(n.x, n.y), a);
	rbl_fw sx = rbl_fw_mul(sign, n.x);
	t1->x = rbl_fw_add(one, rbl_fw_mul(rbl_fw_mul(sx, n.x), a));
	t1->y = rbl_fw_mul(sign, b);
	t1->z = rbl_fw_neg(sx);
	t2->x = b;
	t2->y = rbl_fw_add(sign, rbl_fw_mul(rbl_fw_mul(n.y, n.y), a));
	t2->z = rbl_fw_neg(n.y);
}
