// SPDX-License-Identifier: MIT
// Eight records as eight lanes and back. For kernel files only.
#pragma once

#include "solver/records.h"

#include "base/simd.h"

/// rows[k] has float k of each of the eight records.
static inline void gather_records(const float *records, const int32_t *index, rbl_f8 rows[8])
{
	for (int i = 0; i < 4; ++i) {
		const float *low = records + (size_t)RBL_RECORD * (size_t)index[i];
		const float *high = records + (size_t)RBL_RECORD * (size_t)index[4 + i];
		rows[i] = rbl_f8_from(rbl_f4_load(low), rbl_f4_load(high));
		rows[4 + i] = rbl_f8_from(rbl_f4_load(low + 4), rbl_f4_load(high + 4));
	}
	rbl_f8_transpose(rows);
	rbl_f8_transpose(rows + 4);
}

/// Write back the records of the lanes whose bit is set.
static inline void scatter_records(float *records, const int32_t *index, unsigned lanes,
                                   const rbl_f8 rows[8])
{
	rbl_f8 parts[8]; // first halves of records i and i + 4, then second halves
	for (int i = 0; i < 8; ++i)
		parts[i] = rows[i];
	rbl_f8_transpose(parts);
	rbl_f8_transpose(parts + 4);
	for (int i = 0; i < 4; ++i) {
		if (lanes >> i & 1) {
			float *record = records + (size_t)RBL_RECORD * (size_t)index[i];
			rbl_f4_store(record, rbl_f8_low(parts[i]));
			rbl_f4_store(record + 4, rbl_f8_low(parts[4 + i]));
		}
		if (lanes >> (4 + i) & 1) {
			float *record = records + (size_t)RBL_RECORD * (size_t)index[4 + i];
			rbl_f4_store(record, rbl_f8_high(parts[i]));
			rbl_f4_store(record + 4, rbl_f8_high(parts[4 + i]));
		}
	}
}

static inline rbl_f8x3 load_lanes(const float *rows)
{
	return (rbl_f8x3){ rbl_f8_load(rows), rbl_f8_load(rows + RBL_LANES),
		               rbl_f8_load(rows + 2 * RBL_LANES) };
}

static inline void store_lanes(float *rows, rbl_f8x3 a)
{
	rbl_f8_store(rows, a.x);
	rbl_f8_store(rows + RBL_LANES, a.y);
	rbl_f8_store(rows + 2 * RBL_LANES, a.z);
}

static inline rbl_f8x3 first3(const rbl_f8 *rows)
{
	return (rbl_f8x3){ rows[0], rows[1], rows[2] };
}

static inline rbl_f8x3 last3(const rbl_f8 *rows)
{
	return (rbl_f8x3){ rows[4], rows[5], rows[6] };
}

/// A symmetric matrix: xx yy zz, (inverse mass); xy xz yz, (something).
static inline rbl_f8x3 symmetric_mul(const rbl_f8 m[8], rbl_f8x3 v)
{
	rbl_f8 x =
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(m[0], v.x), rbl_f8_mul(m[4], v.y)), rbl_f8_mul(m[5], v.z));
	rbl_f8 y =
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(m[4], v.x), rbl_f8_mul(m[1], v.y)), rbl_f8_mul(m[6], v.z));
	rbl_f8 z =
		rbl_f8_add(rbl_f8_add(rbl_f8_mul(m[5], v.x), rbl_f8_mul(m[6], v.y)), rbl_f8_mul(m[2], v.z));
	return (rbl_f8x3){ x, y, z };
}

/// What rotating v by the quaternion (u, w) adds to it: no digits are lost when it is little.
static inline rbl_f8x3 turn_change(rbl_f8x3 u, rbl_f8 w, rbl_f8x3 v)
{
	rbl_f8x3 t = rbl_f8x3_cross(u, v);
	t = rbl_f8x3_add(t, t);
	return rbl_f8x3_add(rbl_f8x3_scale(w, t), rbl_f8x3_cross(u, t));
}

/// Two unit vectors at right angles to a unit vector and to each other.
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
