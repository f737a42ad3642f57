// SPDX-License-Identifier: MIT
// Eight lanes, and four doubles, as two 128-bit registers: every operation is the half's, twice.
// Included by base/simd.h only.
#pragma once

typedef struct rbl_f8 {
	rbl_f4 low, high;
} rbl_f8;
typedef struct rbl_i8 {
	rbl_i4 low, high;
} rbl_i8;
typedef struct rbl_d4 {
	rbl_d2 low, high;
} rbl_d4;
typedef struct rbl_l4 {
	rbl_l2 low, high;
} rbl_l4;

#define RBL_PAIR(R, name, parameters, low_half, high_half) \
	static inline R name parameters                        \
	{                                                      \
		return (R){ low_half, high_half };                 \
	}
#define RBL_PAIR_ONE(name, R, T, HALF) \
	RBL_PAIR(R, T##_##name, (T a), HALF##_##name(a.low), HALF##_##name(a.high))
#define RBL_PAIR_TWO(name, op, R, T, HALF) \
	RBL_PAIR(R, T##_##name, (T a, T b), HALF##_##name(a.low, b.low), HALF##_##name(a.high, b.high))
#define RBL_PAIR_SHIFT(name)                                                    \
	RBL_PAIR(rbl_i8, rbl_i8_##name, (rbl_i8 a, int n), rbl_i4_##name(a.low, n), \
	         rbl_i4_##name(a.high, n))
#define RBL_PAIR_SELECT(T, M, HALF)                                              \
	RBL_PAIR(T, T##_select, (M m, T a, T b), HALF##_select(m.low, a.low, b.low), \
	         HALF##_select(m.high, a.high, b.high))

// N lanes of E in each half H, with mask M of halves MH.
#define RBL_PAIR_FLOATS(T, H, M, MH, E, N)                                         \
	RBL_FLOAT_OPERATORS(RBL_PAIR_TWO, T, T, H)                                     \
	RBL_FLOAT_COMPARES(RBL_PAIR_TWO, M, T, H)                                      \
	RBL_BIT_OPERATORS(RBL_PAIR_TWO, M, M, MH)                                      \
	RBL_PAIR_ONE(not, M, M, MH)                                                    \
	RBL_PAIR_ONE(abs, T, T, H)                                                     \
	RBL_PAIR_ONE(neg, T, T, H)                                                     \
	RBL_PAIR_ONE(sqrt, T, T, H)                                                    \
	RBL_PAIR_ONE(as_mask, M, T, H)                                                 \
	RBL_PAIR_TWO(min, , T, T, H)                                                   \
	RBL_PAIR_TWO(max, , T, T, H)                                                   \
	RBL_PAIR_SELECT(T, M, H)                                                       \
	RBL_PAIR(T, T##_from_mask, (M m), H##_from_mask(m.low), H##_from_mask(m.high)) \
	RBL_PAIR(T, T##_splat, (E e), H##_splat(e), H##_splat(e))                      \
	static inline E T##_lane(T a, int i)                                           \
	{                                                                              \
		return i < (N) ? a.low[i] : a.high[i - (N)];                               \
	}                                                                              \
	static inline int M##_bits(M m)                                                \
	{                                                                              \
		return MH##_bits(m.low) | MH##_bits(m.high) << (N);                        \
	}

RBL_PAIR_FLOATS(rbl_f8, rbl_f4, rbl_i8, rbl_i4, float, 4)
RBL_PAIR_FLOATS(rbl_d4, rbl_d2, rbl_l4, rbl_l2, double, 2)

RBL_INT_OPERATORS(RBL_PAIR_TWO, rbl_i8, rbl_i8, rbl_i4)
RBL_INT_COMPARES(RBL_PAIR_TWO, rbl_i8, rbl_i8, rbl_i4)
RBL_PAIR_SHIFT(shift_left)
RBL_PAIR_SHIFT(shift_right)
RBL_PAIR_SHIFT(shift_right_zero)
RBL_PAIR_SELECT(rbl_i8, rbl_i8, rbl_i4)
RBL_PAIR_ONE(to_float, rbl_f8, rbl_i8, rbl_i4)
RBL_PAIR_ONE(to_int, rbl_i8, rbl_f8, rbl_f4)
RBL_PAIR_ONE(round_to_int, rbl_i8, rbl_f8, rbl_f4)
RBL_PAIR_ONE(floor, rbl_f8, rbl_f8, rbl_f4)
RBL_PAIR(rbl_i8, rbl_i8_splat, (int32_t e), rbl_i4_splat(e), rbl_i4_splat(e))
RBL_PAIR(rbl_f8, rbl_f8_gather, (const float *p, rbl_i8 index), rbl_f4_gather(p, index.low),
         rbl_f4_gather(p, index.high))
RBL_PAIR(rbl_i8, rbl_i8_gather, (const int32_t *p, rbl_i8 index), rbl_i4_gather(p, index.low),
         rbl_i4_gather(p, index.high))
RBL_PAIR(rbl_f8, rbl_f8_from, (rbl_f4 low, rbl_f4 high), low, high)
RBL_PAIR(rbl_i8, rbl_i8_from, (rbl_i4 low, rbl_i4 high), low, high)

static inline int32_t rbl_i8_lane(rbl_i8 a, int i)
{
	return i < 4 ? a.low[i] : a.high[i - 4];
}

static inline rbl_f4 rbl_f8_low(rbl_f8 a)
{
	return a.low;
}

static inline rbl_f4 rbl_f8_high(rbl_f8 a)
{
	return a.high;
}

static inline rbl_i4 rbl_i8_low(rbl_i8 a)
{
	return a.low;
}

static inline rbl_i4 rbl_i8_high(rbl_i8 a)
{
	return a.high;
}

static inline rbl_d4 rbl_d4_set(double x, double y, double z, double w)
{
	return (rbl_d4){ { x, y }, { z, w } };
}

static inline rbl_d4 rbl_d4_swap_halves(rbl_d4 a)
{
	return (rbl_d4){ a.high, a.low };
}

static inline rbl_d4 rbl_d4_from_f4(rbl_f4 a)
{
	return rbl_d4_set((double)a[0], (double)a[1], (double)a[2], (double)a[3]);
}

static inline rbl_f4 rbl_f4_from_d4(rbl_d4 a)
{
	return (rbl_f4){ (float)a.low[0], (float)a.low[1], (float)a.high[0], (float)a.high[1] };
}

static inline rbl_d4 rbl_d4_from_i4(rbl_i4 a)
{
	return rbl_d4_set(a[0], a[1], a[2], a[3]);
}

static inline rbl_i4 rbl_i4_from_l4(rbl_l4 m)
{
	return RBL_SHUFFLE(rbl_i4, (rbl_i4)m.low, (rbl_i4)m.high, 0, 2, 4, 6);
}

static inline rbl_l4 rbl_l4_from_i4(rbl_i4 m)
{
	return (rbl_l4){ (rbl_l2)RBL_SHUFFLE(rbl_i4, m, m, 0, 0, 1, 1),
		             (rbl_l2)RBL_SHUFFLE(rbl_i4, m, m, 2, 2, 3, 3) };
}

static inline rbl_d4 rbl_d4_gather(const double *p, rbl_i4 index)
{
	return rbl_d4_set(p[index[0]], p[index[1]], p[index[2]], p[index[3]]);
}

#define rbl_f8_shuffle(a, b, i, j, k, l)                     \
	((rbl_f8){ rbl_f4_shuffle((a).low, (b).low, i, j, k, l), \
	           rbl_f4_shuffle((a).high, (b).high, i, j, k, l) })
