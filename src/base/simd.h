// SPDX-License-Identifier: MIT
// SIMD lanes: the one header with vector instructions in it.
//
// The types have a fixed number of lanes whatever the processor has, so a result cannot depend on
// the back end:
//
//     type     lanes               plain       four (SSE2, NEON, wasm)    eight (AVX2)
//     rbl_f4   4 floats            array       one register               one register
//     rbl_i4   4 int32, masks      array       one register               one register
//     rbl_f8   8 floats            array       two registers              one register
//     rbl_i8   8 int32, masks      array       two registers              one register
//     rbl_d4   4 doubles           array       two registers              one register
//     rbl_l4   masks of doubles    array       two registers              one register
//
// RBL_SIMD_BACKEND is 0, 1 or 2 for plain, four and eight. The build sets it for files named
// *_kernels.c, which are compiled once per back end (base/kernel.h shows the pattern); any other
// file gets what its compiler flags promise. Lane types look different per back end: keep them
// inside functions, never in a struct or a parameter that another file sees.
//
// Operations, T one of f4 f8 d4 with scalar E and mask M (i4 i8 l4), I one of i4 i8:
//
//     rbl_T_load(p)  rbl_T_store(p, a)           any address that suits E
//     rbl_T_load_aligned(p) ..._store_aligned    p is a multiple of the size of T
//     rbl_T_load_first(p, n)  ..._store_first    the first n lanes, the others read as zero
//     rbl_T_splat(e)  rbl_T_zero()  rbl_T_lane(a, i)
//     rbl_T_add sub mul div (a, b)  rbl_T_sqrt neg abs floor (a)     (floor: not d4)
//     rbl_T_min(a, b)  rbl_T_max(a, b)           a < b ? a : b and a > b ? a : b, as in vec.h
//     rbl_T_eq ne lt le gt ge (a, b) -> M        all ones where true; NaN is only ne
//     rbl_T_select(m, a, b)                      m ? a : b; m holds all ones or zero
//     rbl_T_as_mask(a)  rbl_T_from_mask(m)       the same bits as the other type
//     rbl_T_sum min_lane max_lane (a) -> E       across lanes, by one tree (below)
//     rbl_M_and or xor (a, b)  rbl_M_andnot(a, b) = a & ~b  rbl_M_not(a)
//     rbl_M_bits(m) -> int                       bit i is the sign bit of lane i
//     rbl_M_any(m)  rbl_M_all(m)                 some, every sign bit is set
//     rbl_I_load ... store_first, splat, zero, lane, select, iota() = 0 1 2 ...
//     rbl_I_add sub mul (wrapping)  eq gt lt  min max  min_lane max_lane
//     rbl_I_shift_left(a, n)  shift_right (keeps the sign)  shift_right_zero; n from 0 to 31
//     rbl_f4_to_int(a) (f8)                      towards zero; INT_MIN when NaN or out of range
//     rbl_f4_round_to_int(a) (f8)                nearest, ties to even; INT_MIN likewise
//     rbl_i4_to_float(a) (i8)                    nearest, ties to even
//     rbl_d4_from_f4(a)  rbl_f4_from_d4(a)  rbl_d4_from_i4(a)
//     rbl_i4_from_l4(m)  rbl_l4_from_i4(m)       masks narrowed and widened
//     rbl_T_gather(p, index), rbl_I_gather       p[index], any int32 index; d4 takes an i4
//     rbl_f8_from(low, high)  rbl_f8_low(a)  rbl_f8_high(a)  (i8)
//     rbl_f4_set(x, y, z, w)  (i4, d4)          rbl_f4_load_pairs(p, q): p[0] p[1] q[0] q[1]
//     rbl_f4_shuffle(a, b, i, j, k, l)           macro: constants, 0 to 3 of a, 4 to 7 of b
//     rbl_f8_shuffle(a, b, i, j, k, l)           macro: rbl_f4_shuffle on both halves alike
//     rbl_f4_transpose(rows)                     4 x 4 in place
//     rbl_f8_transpose(rows)                     rbl_f4_transpose on both halves alike
//     rbl_f4x3 f8x3 d4x3                         x, y, z of 4 or 8 points: see the end of the file
//
// Exactness. + - * / sqrt and conversions round to nearest as IEEE 754 says, denormals included.
// An arithmetic result that is NaN is some NaN: its sign and payload are the processor's choice, so
// no decision may look at them. Everything that only moves or picks (load, select, min, max, neg,
// abs, bits) keeps every bit, NaN or not. Sums across lanes add halves until one lane is left:
// eight lanes (((0+4) + (2+6)) + ((1+5) + (3+7))), four lanes ((0+2) + (1+3)); min_lane and
// max_lane use the same tree.
#pragma once

#include "base/assert.h"

#include <rubble/types.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef RBL_SIMD_BACKEND
#if defined __AVX2__
#define RBL_SIMD_BACKEND 2
#elif defined __SSE2__ || defined __aarch64__ || defined __wasm_simd128__
#define RBL_SIMD_BACKEND 1
#else
#define RBL_SIMD_BACKEND 0
#endif
#endif

// Wider intermediates (x87) would make results depend on register allocation.
_Static_assert(FLT_EVAL_METHOD == 0, "Rubble needs plain IEEE 754 arithmetic");

// Loads and stores are the same text for every type: N lanes of E. The compiler turns memcpy into
// one instruction per register.
#define RBL_DEFINE_MEMORY(T, E, N)                                     \
	static inline T T##_load(const E *p)                               \
	{                                                                  \
		T a;                                                           \
		memcpy(&a, p, (N) * sizeof(E));                                \
		return a;                                                      \
	}                                                                  \
	static inline T T##_load_aligned(const E *p)                       \
	{                                                                  \
		RBL_ASSERT((uintptr_t)p % ((N) * sizeof(E)) == 0);             \
		return T##_load(__builtin_assume_aligned(p, (N) * sizeof(E))); \
	}                                                                  \
	static inline T T##_load_first(const E *p, int n)                  \
	{                                                                  \
		E lanes[N] = { 0 };                                            \
		memcpy(lanes, p, (size_t)n * sizeof(E));                       \
		return T##_load(lanes);                                        \
	}                                                                  \
	static inline void T##_store(E *p, T a)                            \
	{                                                                  \
		memcpy(p, &a, (N) * sizeof(E));                                \
	}                                                                  \
	static inline void T##_store_aligned(E *p, T a)                    \
	{                                                                  \
		RBL_ASSERT((uintptr_t)p % ((N) * sizeof(E)) == 0);             \
		T##_store(__builtin_assume_aligned(p, (N) * sizeof(E)), a);    \
	}                                                                  \
	static inline void T##_store_first(E *p, T a, int n)               \
	{                                                                  \
		E lanes[N];                                                    \
		T##_store(lanes, a);                                           \
		memcpy(p, lanes, (size_t)n * sizeof(E));                       \
	}

// The operators of each kind of type. OPERATOR and COMPARE come from the back end.
#define RBL_FLOAT_OPERATORS(OPERATOR, ...) \
	OPERATOR(add, +, __VA_ARGS__)          \
	OPERATOR(sub, -, __VA_ARGS__)          \
	OPERATOR(mul, *, __VA_ARGS__)          \
	OPERATOR(div, /, __VA_ARGS__)
#define RBL_FLOAT_COMPARES(COMPARE, ...) \
	COMPARE(eq, ==, __VA_ARGS__)         \
	COMPARE(ne, !=, __VA_ARGS__)         \
	COMPARE(lt, <, __VA_ARGS__)          \
	COMPARE(le, <=, __VA_ARGS__)         \
	COMPARE(gt, >, __VA_ARGS__)          \
	COMPARE(ge, >=, __VA_ARGS__)
#define RBL_INT_OPERATORS(OPERATOR, ...) \
	OPERATOR(add, +, __VA_ARGS__)        \
	OPERATOR(sub, -, __VA_ARGS__)        \
	OPERATOR(mul, *, __VA_ARGS__)
#define RBL_INT_COMPARES(COMPARE, ...) \
	COMPARE(eq, ==, __VA_ARGS__)       \
	COMPARE(gt, >, __VA_ARGS__)        \
	COMPARE(lt, <, __VA_ARGS__)
#define RBL_BIT_OPERATORS(OPERATOR, ...) \
	OPERATOR(and, &, __VA_ARGS__)        \
	OPERATOR(or, |, __VA_ARGS__)         \
	OPERATOR(xor, ^, __VA_ARGS__)        \
	OPERATOR(andnot, &~, __VA_ARGS__)

#if RBL_SIMD_BACKEND == 0
#include "base/simd_plain.h"
#else
#include "base/simd_vector.h"
#if RBL_SIMD_BACKEND == 2
#include "base/simd_eight.h"
#else
#include "base/simd_pair.h"
#endif
#endif

RBL_DEFINE_MEMORY(rbl_f4, float, 4)
RBL_DEFINE_MEMORY(rbl_i4, int32_t, 4)
RBL_DEFINE_MEMORY(rbl_f8, float, 8)
RBL_DEFINE_MEMORY(rbl_i8, int32_t, 8)
RBL_DEFINE_MEMORY(rbl_d4, double, 4)

// --- Written once for all back ends -------------------------------------------------------------

#define RBL_DEFINE_COMMON(T, M, E)  \
	static inline T T##_zero(void)  \
	{                               \
		return T##_splat((E)0);     \
	}                               \
	static inline bool M##_any(M m) \
	{                               \
		return M##_bits(m) != 0;    \
	}
RBL_DEFINE_COMMON(rbl_f4, rbl_i4, float)
RBL_DEFINE_COMMON(rbl_f8, rbl_i8, float)
RBL_DEFINE_COMMON(rbl_d4, rbl_l4, double)

static inline bool rbl_i4_all(rbl_i4 m)
{
	return rbl_i4_bits(m) == 15;
}

static inline bool rbl_i8_all(rbl_i8 m)
{
	return rbl_i8_bits(m) == 255;
}

static inline bool rbl_l4_all(rbl_l4 m)
{
	return rbl_l4_bits(m) == 15;
}

static inline rbl_i4 rbl_i4_zero(void)
{
	return rbl_i4_splat(0);
}

static inline rbl_i8 rbl_i8_zero(void)
{
	return rbl_i8_splat(0);
}

static inline rbl_i4 rbl_i4_iota(void)
{
	return rbl_i4_set(0, 1, 2, 3);
}

static inline rbl_i8 rbl_i8_iota(void)
{
	return rbl_i8_from(rbl_i4_set(0, 1, 2, 3), rbl_i4_set(4, 5, 6, 7));
}

static inline rbl_i4 rbl_i4_min(rbl_i4 a, rbl_i4 b)
{
	return rbl_i4_select(rbl_i4_lt(a, b), a, b);
}

static inline rbl_i4 rbl_i4_max(rbl_i4 a, rbl_i4 b)
{
	return rbl_i4_select(rbl_i4_gt(a, b), a, b);
}

static inline rbl_i8 rbl_i8_min(rbl_i8 a, rbl_i8 b)
{
	return rbl_i8_select(rbl_i8_lt(a, b), a, b);
}

static inline rbl_i8 rbl_i8_max(rbl_i8 a, rbl_i8 b)
{
	return rbl_i8_select(rbl_i8_gt(a, b), a, b);
}

// Across lanes: fold the upper half onto the lower until one lane is left.
static inline float rbl_f4_sum(rbl_f4 a)
{
	rbl_f4 s = rbl_f4_add(a, rbl_f4_shuffle(a, a, 2, 3, 0, 1));
	return rbl_f4_lane(s, 0) + rbl_f4_lane(s, 1);
}

static inline float rbl_f4_min_lane(rbl_f4 a)
{
	rbl_f4 s = rbl_f4_min(a, rbl_f4_shuffle(a, a, 2, 3, 0, 1));
	return rbl_f4_lane(rbl_f4_min(s, rbl_f4_shuffle(s, s, 1, 0, 3, 2)), 0);
}

static inline float rbl_f4_max_lane(rbl_f4 a)
{
	rbl_f4 s = rbl_f4_max(a, rbl_f4_shuffle(a, a, 2, 3, 0, 1));
	return rbl_f4_lane(rbl_f4_max(s, rbl_f4_shuffle(s, s, 1, 0, 3, 2)), 0);
}

static inline float rbl_f8_sum(rbl_f8 a)
{
	return rbl_f4_sum(rbl_f4_add(rbl_f8_low(a), rbl_f8_high(a)));
}

static inline float rbl_f8_min_lane(rbl_f8 a)
{
	return rbl_f4_min_lane(rbl_f4_min(rbl_f8_low(a), rbl_f8_high(a)));
}

static inline float rbl_f8_max_lane(rbl_f8 a)
{
	return rbl_f4_max_lane(rbl_f4_max(rbl_f8_low(a), rbl_f8_high(a)));
}

static inline double rbl_d4_sum(rbl_d4 a)
{
	return (rbl_d4_lane(a, 0) + rbl_d4_lane(a, 2)) + (rbl_d4_lane(a, 1) + rbl_d4_lane(a, 3));
}

static inline double rbl_d4_min_lane(rbl_d4 a)
{
	rbl_d4 s = rbl_d4_min(a, rbl_d4_swap_halves(a));
	return rbl_d4_lane(s, 0) < rbl_d4_lane(s, 1) ? rbl_d4_lane(s, 0) : rbl_d4_lane(s, 1);
}

static inline double rbl_d4_max_lane(rbl_d4 a)
{
	rbl_d4 s = rbl_d4_max(a, rbl_d4_swap_halves(a));
	return rbl_d4_lane(s, 0) > rbl_d4_lane(s, 1) ? rbl_d4_lane(s, 0) : rbl_d4_lane(s, 1);
}

static inline int32_t rbl_i4_min_lane(rbl_i4 a)
{
	int32_t smallest = rbl_i4_lane(a, 0);
	for (int i = 1; i < 4; ++i)
		smallest = rbl_i4_lane(a, i) < smallest ? rbl_i4_lane(a, i) : smallest;
	return smallest;
}

static inline int32_t rbl_i4_max_lane(rbl_i4 a)
{
	int32_t largest = rbl_i4_lane(a, 0);
	for (int i = 1; i < 4; ++i)
		largest = rbl_i4_lane(a, i) > largest ? rbl_i4_lane(a, i) : largest;
	return largest;
}

static inline int32_t rbl_i8_min_lane(rbl_i8 a)
{
	return rbl_i4_min_lane(rbl_i4_min(rbl_i8_low(a), rbl_i8_high(a)));
}

static inline int32_t rbl_i8_max_lane(rbl_i8 a)
{
	return rbl_i4_max_lane(rbl_i4_max(rbl_i8_low(a), rbl_i8_high(a)));
}

/// Row i, lane k becomes row k, lane i.
static inline void rbl_f4_transpose(rbl_f4 rows[4])
{
	rbl_f4 a = rbl_f4_shuffle(rows[0], rows[1], 0, 4, 1, 5);
	rbl_f4 b = rbl_f4_shuffle(rows[0], rows[1], 2, 6, 3, 7);
	rbl_f4 c = rbl_f4_shuffle(rows[2], rows[3], 0, 4, 1, 5);
	rbl_f4 d = rbl_f4_shuffle(rows[2], rows[3], 2, 6, 3, 7);
	rows[0] = rbl_f4_shuffle(a, c, 0, 1, 4, 5);
	rows[1] = rbl_f4_shuffle(a, c, 2, 3, 6, 7);
	rows[2] = rbl_f4_shuffle(b, d, 0, 1, 4, 5);
	rows[3] = rbl_f4_shuffle(b, d, 2, 3, 6, 7);
}

static inline void rbl_f8_transpose(rbl_f8 rows[4])
{
	rbl_f8 a = rbl_f8_shuffle(rows[0], rows[1], 0, 4, 1, 5);
	rbl_f8 b = rbl_f8_shuffle(rows[0], rows[1], 2, 6, 3, 7);
	rbl_f8 c = rbl_f8_shuffle(rows[2], rows[3], 0, 4, 1, 5);
	rbl_f8 d = rbl_f8_shuffle(rows[2], rows[3], 2, 6, 3, 7);
	rows[0] = rbl_f8_shuffle(a, c, 0, 1, 4, 5);
	rows[1] = rbl_f8_shuffle(a, c, 2, 3, 6, 7);
	rows[2] = rbl_f8_shuffle(b, d, 0, 1, 4, 5);
	rows[3] = rbl_f8_shuffle(b, d, 2, 3, 6, 7);
}

#include "base/simd_points.h"
#include "base/simd_wide.h"
