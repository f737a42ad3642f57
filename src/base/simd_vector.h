// SPDX-License-Identifier: MIT
// Lanes in registers: the compiler's vector types, which know + - * / comparisons, bit operators
// and shuffles on every processor, and an intrinsic where they do not. The 128-bit types are
// complete here; the macros serve the 256-bit ones as well. Included by base/simd.h only.
#pragma once

#if defined __SSE2__
#include <immintrin.h>
#define RBL_ISA(x86, neon, wasm) x86
#elif defined __aarch64__
#include <arm_neon.h>
#define RBL_ISA(x86, neon, wasm) neon
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#define RBL_ISA(x86, neon, wasm) wasm
#else
#error "this processor has only the plain back end: set RBL_SIMD_BACKEND to 0"
#endif

typedef float rbl_f4 __attribute__((vector_size(16)));
typedef int32_t rbl_i4 __attribute__((vector_size(16)));
typedef uint32_t rbl_u4 __attribute__((vector_size(16)));
typedef double rbl_d2 __attribute__((vector_size(16)));
typedef int64_t rbl_l2 __attribute__((vector_size(16)));

#define RBL_VECTOR(R, name, parameters, expression) \
	static inline R name parameters                 \
	{                                               \
		return (R)(expression);                     \
	}
#define RBL_VECTOR_OPERATOR(name, op, T) RBL_VECTOR(T, T##_##name, (T a, T b), a op b)
#define RBL_VECTOR_COMPARE(name, op, T, M) RBL_VECTOR(M, T##_##name, (T a, T b), a op b)
// Signed overflow is undefined, so sums go through the unsigned type U.
#define RBL_VECTOR_WRAPPING(name, op, I, U) RBL_VECTOR(I, I##_##name, (I a, I b), (U)a op(U) b)

// What floats of both precisions and widths share. SIGN is the mask with only the sign bit.
#define RBL_VECTOR_FLOATS(T, M, E, SIGN)          \
	RBL_FLOAT_OPERATORS(RBL_VECTOR_OPERATOR, T)   \
	RBL_FLOAT_COMPARES(RBL_VECTOR_COMPARE, T, M)  \
	RBL_BIT_OPERATORS(RBL_VECTOR_OPERATOR, M)     \
	RBL_VECTOR(M, M##_not, (M a), ~a)             \
	RBL_VECTOR(T, T##_abs, (T a), (M)a & ~(SIGN)) \
	RBL_VECTOR(T, T##_neg, (T a), (M)a ^ (SIGN))  \
	RBL_VECTOR(M, T##_as_mask, (T a), a)          \
	RBL_VECTOR(T, T##_from_mask, (M m), m)        \
	static inline E T##_lane(T a, int i)          \
	{                                             \
		return a[i];                              \
	}

#define RBL_VECTOR_INTS(I, U, F)                                      \
	RBL_INT_OPERATORS(RBL_VECTOR_WRAPPING, I, U)                      \
	RBL_INT_COMPARES(RBL_VECTOR_COMPARE, I, I)                        \
	RBL_VECTOR(I, I##_shift_left, (I a, int n), (U)a << n)            \
	RBL_VECTOR(I, I##_shift_right, (I a, int n), a >> n)              \
	RBL_VECTOR(I, I##_shift_right_zero, (I a, int n), (U)a >> n)      \
	RBL_VECTOR(F, I##_to_float, (I a), __builtin_convertvector(a, F)) \
	static inline int32_t I##_lane(I a, int i)                        \
	{                                                                 \
		return a[i];                                                  \
	}

static inline rbl_f4 rbl_f4_splat(float e)
{
	return (rbl_f4){ e, e, e, e };
}

static inline rbl_i4 rbl_i4_splat(int32_t e)
{
	return (rbl_i4){ e, e, e, e };
}

static inline rbl_d2 rbl_d2_splat(double e)
{
	return (rbl_d2){ e, e };
}

RBL_VECTOR_FLOATS(rbl_f4, rbl_i4, float, rbl_i4_splat(INT32_MIN))
RBL_VECTOR_FLOATS(rbl_d2, rbl_l2, double, ((rbl_l2){ INT64_MIN, INT64_MIN }))
RBL_VECTOR_INTS(rbl_i4, rbl_u4, rbl_f4)

// x86 and wasm's pmin pick as vec.h does, NaN and signed zeros included; NEON's own minimum does
// not.
RBL_VECTOR(rbl_f4, rbl_f4_min, (rbl_f4 a, rbl_f4 b),
           RBL_ISA(_mm_min_ps(a, b), vbslq_f32(vcltq_f32(a, b), a, b),
                   wasm_f32x4_pmin((v128_t)b, (v128_t)a)))
RBL_VECTOR(rbl_f4, rbl_f4_max, (rbl_f4 a, rbl_f4 b),
           RBL_ISA(_mm_max_ps(a, b), vbslq_f32(vcgtq_f32(a, b), a, b),
                   wasm_f32x4_pmax((v128_t)b, (v128_t)a)))
RBL_VECTOR(rbl_d2, rbl_d2_min, (rbl_d2 a, rbl_d2 b),
           RBL_ISA(_mm_min_pd(a, b), vbslq_f64(vcltq_f64(a, b), a, b),
                   wasm_f64x2_pmin((v128_t)b, (v128_t)a)))
RBL_VECTOR(rbl_d2, rbl_d2_max, (rbl_d2 a, rbl_d2 b),
           RBL_ISA(_mm_max_pd(a, b), vbslq_f64(vcgtq_f64(a, b), a, b),
                   wasm_f64x2_pmax((v128_t)b, (v128_t)a)))
RBL_VECTOR(rbl_f4, rbl_f4_sqrt, (rbl_f4 a),
           RBL_ISA(_mm_sqrt_ps(a), vsqrtq_f32(a), wasm_f32x4_sqrt((v128_t)a)))
RBL_VECTOR(rbl_d2, rbl_d2_sqrt, (rbl_d2 a),
           RBL_ISA(_mm_sqrt_pd(a), vsqrtq_f64(a), wasm_f64x2_sqrt((v128_t)a)))

#if defined __AVX2__
RBL_VECTOR(rbl_f4, rbl_f4_select, (rbl_i4 m, rbl_f4 a, rbl_f4 b),
           _mm_blendv_ps((__m128)b, (__m128)a, (__m128)m))
// By lanes: gcc 12 gets masks of bytes wrong where AVX-512 has registers for them.
RBL_VECTOR(rbl_i4, rbl_i4_select, (rbl_i4 m, rbl_i4 a, rbl_i4 b),
           _mm_blendv_ps((__m128)b, (__m128)a, (__m128)m))
#else
RBL_VECTOR(rbl_f4, rbl_f4_select, (rbl_i4 m, rbl_f4 a, rbl_f4 b),
           (m & (rbl_i4)a) | (~m & (rbl_i4)b))
RBL_VECTOR(rbl_i4, rbl_i4_select, (rbl_i4 m, rbl_i4 a, rbl_i4 b), (m & a) | (~m & b))
#endif
RBL_VECTOR(rbl_d2, rbl_d2_select, (rbl_l2 m, rbl_d2 a, rbl_d2 b),
           (m & (rbl_l2)a) | (~m & (rbl_l2)b))

static inline int rbl_i4_bits(rbl_i4 m)
{
#if defined __aarch64__
	const int32x4_t place = { 0, 1, 2, 3 };
	return (int)vaddvq_u32(vshlq_u32(vshrq_n_u32((uint32x4_t)m, 31), place));
#else
	return (int)RBL_ISA(_mm_movemask_ps((__m128)m), 0, wasm_i32x4_bitmask((v128_t)m));
#endif
}

static inline int rbl_l2_bits(rbl_l2 m)
{
#if defined __SSE2__
	return _mm_movemask_pd((__m128d)m);
#else
	return (int)(m[0] < 0) | (int)(m[1] < 0) << 1;
#endif
}

// NEON and wasm saturate and turn NaN into 0, where x86 says INT_MIN for all of them.
static inline rbl_i4 rbl_f4_to_int(rbl_f4 a)
{
	rbl_i4 r = (rbl_i4)RBL_ISA(_mm_cvttps_epi32(a), vcvtq_s32_f32(a),
	                           wasm_i32x4_trunc_sat_f32x4((v128_t)a));
#if !defined __SSE2__
	r = rbl_i4_select(rbl_f4_lt(a, rbl_f4_splat(2147483648.0f)), r, rbl_i4_splat(INT_MIN));
#endif
	return r;
}

static inline rbl_i4 rbl_f4_round_to_int(rbl_f4 a)
{
	rbl_i4 r = (rbl_i4)RBL_ISA(_mm_cvtps_epi32(a), vcvtnq_s32_f32(a),
	                           wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest((v128_t)a)));
#if !defined __SSE2__
	r = rbl_i4_select(rbl_f4_lt(a, rbl_f4_splat(2147483648.0f)), r, rbl_i4_splat(INT_MIN));
#endif
	return r;
}

#if defined __SSE2__ && !defined __AVX2__
// SSE2 has no rounding to whole floats. Beyond 2^23 every float is whole; -0 keeps its sign.
static inline rbl_f4 rbl_f4_floor(rbl_f4 a)
{
	rbl_i4 sign = rbl_i4_splat(INT32_MIN);
	rbl_f4 whole = rbl_i4_to_float(rbl_f4_to_int(a));
	whole = rbl_f4_sub(whole, (rbl_f4)((rbl_i4)rbl_f4_splat(1.0f) & (whole > a)));
	whole = (rbl_f4)((rbl_i4)whole | ((rbl_i4)a & sign));
	return rbl_f4_select(rbl_f4_lt(rbl_f4_abs(a), rbl_f4_splat(8388608.0f)), whole, a);
}
#else
RBL_VECTOR(rbl_f4, rbl_f4_floor, (rbl_f4 a),
           RBL_ISA(_mm_floor_ps(a), vrndmq_f32(a), wasm_f32x4_floor((v128_t)a)))
#endif

static inline rbl_f4 rbl_f4_set(float x, float y, float z, float w)
{
	return (rbl_f4){ x, y, z, w };
}

static inline rbl_i4 rbl_i4_set(int32_t x, int32_t y, int32_t z, int32_t w)
{
	return (rbl_i4){ x, y, z, w };
}

static inline rbl_f4 rbl_f4_gather(const float *p, rbl_i4 index)
{
	return (rbl_f4){ p[index[0]], p[index[1]], p[index[2]], p[index[3]] };
}

static inline rbl_i4 rbl_i4_gather(const int32_t *p, rbl_i4 index)
{
	return (rbl_i4){ p[index[0]], p[index[1]], p[index[2]], p[index[3]] };
}

// a[0] a[1] b[0] b[1]: two moves of eight bytes.
static inline rbl_f4 rbl_f4_load_pairs(const float *a, const float *b)
{
	double low, high;
	memcpy(&low, a, sizeof low);
	memcpy(&high, b, sizeof high);
	return (rbl_f4)(rbl_d2){ low, high };
}

// Lanes of two vectors by constant numbers, where I is the vector of integers as wide: gcc has the
// builtin that clang has from version 12 on.
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 12
#define RBL_SHUFFLE(I, a, b, ...) __builtin_shuffle(a, b, (I){ __VA_ARGS__ })
#else
#define RBL_SHUFFLE(I, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

#if defined __wasm__
// Lanes that nobody reads are named as well: the compiler would leave them open, and engines have
// an instruction for whole patterns only.
#define RBL_LANE_BYTES(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
#define RBL_SHUFFLE_BYTES(a, b, ...) __builtin_wasm_shuffle_i8x16(a, b, __VA_ARGS__)
#define rbl_f4_shuffle(a, b, i, j, k, l)                                                         \
	((rbl_f4)RBL_SHUFFLE_BYTES((__i8x16)(a), (__i8x16)(b), RBL_LANE_BYTES(i), RBL_LANE_BYTES(j), \
	                           RBL_LANE_BYTES(k), RBL_LANE_BYTES(l)))
#else
#define rbl_f4_shuffle(a, b, i, j, k, l) RBL_SHUFFLE(rbl_i4, a, b, i, j, k, l)
#endif
