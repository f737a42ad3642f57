// SPDX-License-Identifier: MIT
//
// Lanes as plain arrays: the definition of what every operation means, and the reference for the
// other back ends. Included by base/simd.h only.
#pragma once

typedef struct rbl_f4 {
	float v[4];
} rbl_f4;
typedef struct rbl_i4 {
	int32_t v[4];
} rbl_i4;
typedef struct rbl_f8 {
	float v[8];
} rbl_f8;
typedef struct rbl_i8 {
	int32_t v[8];
} rbl_i8;
typedef struct rbl_d4 {
	double v[4];
} rbl_d4;
typedef struct rbl_l4 {
	int64_t v[4];
} rbl_l4;

// Bits of one lane. Copying a whole struct of floats into one of ints is as legal, but gcc 12 at
// -O3 for aarch64 then reads the ints before it has written the floats.
#define RBL_PLAIN_BITS(T, E, B)                   \
	static inline B rbl_plain_##T##_bits(E value) \
	{                                             \
		B bits;                                   \
		memcpy(&bits, &value, sizeof bits);       \
		return bits;                              \
	}                                             \
	static inline E rbl_plain_##T##_value(B bits) \
	{                                             \
		E value;                                  \
		memcpy(&value, &bits, sizeof value);      \
		return value;                             \
	}
RBL_PLAIN_BITS(rbl_f4, float, int32_t)
RBL_PLAIN_BITS(rbl_f8, float, int32_t)
RBL_PLAIN_BITS(rbl_d4, double, int64_t)

// One function whose lane i is `expression`, in terms of i and the parameters.
#define RBL_PLAIN(N, R, name, parameters, expression) \
	static inline R name parameters                   \
	{                                                 \
		R r;                                          \
		for (int i = 0; i < (N); ++i)                 \
			r.v[i] = (expression);                    \
		return r;                                     \
	}
#define RBL_PLAIN_OPERATOR(name, op, N, T) RBL_PLAIN(N, T, T##_##name, (T a, T b), a.v[i] op b.v[i])
#define RBL_PLAIN_WRAPPING(name, op, N, T) \
	RBL_PLAIN(N, T, T##_##name, (T a, T b), (int32_t)((uint32_t)a.v[i] op(uint32_t) b.v[i]))
#define RBL_PLAIN_COMPARE(name, op, N, T, M) \
	RBL_PLAIN(N, M, T##_##name, (T a, T b), a.v[i] op b.v[i] ? -1 : 0)

// What floats of both precisions share; ABS and SQRT are libc's exact functions.
#define RBL_PLAIN_FLOATS(N, T, M, E, ABS, SQRT)                             \
	RBL_FLOAT_OPERATORS(RBL_PLAIN_OPERATOR, N, T)                           \
	RBL_FLOAT_COMPARES(RBL_PLAIN_COMPARE, N, T, M)                          \
	RBL_PLAIN(N, T, T##_splat, (E e), e)                                    \
	RBL_PLAIN(N, T, T##_sqrt, (T a), SQRT(a.v[i]))                          \
	RBL_PLAIN(N, T, T##_abs, (T a), ABS(a.v[i]))                            \
	RBL_PLAIN(N, T, T##_neg, (T a), -a.v[i])                                \
	RBL_PLAIN(N, T, T##_min, (T a, T b), a.v[i] < b.v[i] ? a.v[i] : b.v[i]) \
	RBL_PLAIN(N, T, T##_max, (T a, T b), a.v[i] > b.v[i] ? a.v[i] : b.v[i]) \
	RBL_PLAIN(N, T, T##_select, (M m, T a, T b), m.v[i] ? a.v[i] : b.v[i])  \
	RBL_PLAIN_MASK(N, T, M, E)

// Masks, and the bits of a float type as its mask type.
#define RBL_PLAIN_MASK(N, T, M, E)                                       \
	RBL_BIT_OPERATORS(RBL_PLAIN_OPERATOR, N, M)                          \
	RBL_PLAIN(N, M, M##_not, (M a), ~a.v[i])                             \
	RBL_PLAIN(N, M, T##_as_mask, (T a), rbl_plain_##T##_bits(a.v[i]))    \
	RBL_PLAIN(N, T, T##_from_mask, (M m), rbl_plain_##T##_value(m.v[i])) \
	static inline int M##_bits(M m)                                      \
	{                                                                    \
		int bits = 0;                                                    \
		for (int i = 0; i < (N); ++i)                                    \
			bits |= (m.v[i] < 0) << i;                                   \
		return bits;                                                     \
	}                                                                    \
	static inline E T##_lane(T a, int i)                                 \
	{                                                                    \
		return a.v[i];                                                   \
	}

#define RBL_PLAIN_INTS(N, I, F)                                                           \
	RBL_INT_OPERATORS(RBL_PLAIN_WRAPPING, N, I)                                           \
	RBL_INT_COMPARES(RBL_PLAIN_COMPARE, N, I, I)                                          \
	RBL_PLAIN(N, I, I##_splat, (int32_t e), e)                                            \
	RBL_PLAIN(N, I, I##_select, (I m, I a, I b), m.v[i] ? a.v[i] : b.v[i])                \
	RBL_PLAIN(N, I, I##_shift_left, (I a, int n), (int32_t)((uint32_t)a.v[i] << n))       \
	RBL_PLAIN(N, I, I##_shift_right, (I a, int n), a.v[i] >> n)                           \
	RBL_PLAIN(N, I, I##_shift_right_zero, (I a, int n), (int32_t)((uint32_t)a.v[i] >> n)) \
	RBL_PLAIN(N, F, I##_to_float, (I a), (float)a.v[i])                                   \
	RBL_PLAIN(N, I, F##_to_int, (F a), rbl_plain_to_int(a.v[i]))                          \
	RBL_PLAIN(N, I, F##_round_to_int, (F a), rbl_plain_to_int(rbl_plain_nearest(a.v[i]))) \
	RBL_PLAIN(N, F, F##_floor, (F a), floorf(a.v[i]))                                     \
	RBL_PLAIN(N, F, F##_gather, (const float *p, I index), p[index.v[i]])                 \
	RBL_PLAIN(N, I, I##_gather, (const int32_t *p, I index), p[index.v[i]])               \
	static inline int32_t I##_lane(I a, int i)                                            \
	{                                                                                     \
		return a.v[i];                                                                    \
	}

static inline int32_t rbl_plain_to_int(float a)
{
	return a >= -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT_MIN;
}

// Ties to even: adding 2^23 leaves no space for a fraction.
static inline float rbl_plain_nearest(float a)
{
	float magic = copysignf(8388608.0f, a);
	return fabsf(a) < 8388608.0f ? (a + magic) - magic : a;
}

RBL_PLAIN_FLOATS(4, rbl_f4, rbl_i4, float, fabsf, sqrtf)
RBL_PLAIN_FLOATS(8, rbl_f8, rbl_i8, float, fabsf, sqrtf)
RBL_PLAIN_FLOATS(4, rbl_d4, rbl_l4, double, fabs, sqrt)
RBL_PLAIN_INTS(4, rbl_i4, rbl_f4)
RBL_PLAIN_INTS(8, rbl_i8, rbl_f8)

RBL_PLAIN(8, rbl_f8, rbl_f8_from, (rbl_f4 low, rbl_f4 high), i < 4 ? low.v[i] : high.v[i - 4])
RBL_PLAIN(4, rbl_f4, rbl_f8_low, (rbl_f8 a), a.v[i])
RBL_PLAIN(4, rbl_f4, rbl_f8_high, (rbl_f8 a), a.v[i + 4])
RBL_PLAIN(8, rbl_i8, rbl_i8_from, (rbl_i4 low, rbl_i4 high), i < 4 ? low.v[i] : high.v[i - 4])
RBL_PLAIN(4, rbl_i4, rbl_i8_low, (rbl_i8 a), a.v[i])
RBL_PLAIN(4, rbl_i4, rbl_i8_high, (rbl_i8 a), a.v[i + 4])
RBL_PLAIN(4, rbl_d4, rbl_d4_from_f4, (rbl_f4 a), (double)a.v[i])
RBL_PLAIN(4, rbl_f4, rbl_f4_from_d4, (rbl_d4 a), (float)a.v[i])
RBL_PLAIN(4, rbl_d4, rbl_d4_from_i4, (rbl_i4 a), (double)a.v[i])
RBL_PLAIN(4, rbl_i4, rbl_i4_from_l4, (rbl_l4 m), (int32_t)m.v[i])
RBL_PLAIN(4, rbl_l4, rbl_l4_from_i4, (rbl_i4 m), (int64_t)m.v[i])
RBL_PLAIN(4, rbl_d4, rbl_d4_gather, (const double *p, rbl_i4 index), p[index.v[i]])
RBL_PLAIN(4, rbl_d4, rbl_d4_swap_halves, (rbl_d4 a), a.v[i ^ 2])

static inline rbl_f4 rbl_f4_set(float x, float y, float z, float w)
{
	return (rbl_f4){ { x, y, z, w } };
}

static inline rbl_i4 rbl_i4_set(int32_t x, int32_t y, int32_t z, int32_t w)
{
	return (rbl_i4){ { x, y, z, w } };
}

static inline rbl_d4 rbl_d4_set(double x, double y, double z, double w)
{
	return (rbl_d4){ { x, y, z, w } };
}

static inline rbl_f4 rbl_f4_shuffle(rbl_f4 a, rbl_f4 b, int i, int j, int k, int l)
{
	const float v[8] = { a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1], b.v[2], b.v[3] };
	return (rbl_f4){ { v[i], v[j], v[k], v[l] } };
}

static inline rbl_f8 rbl_f8_shuffle(rbl_f8 a, rbl_f8 b, int i, int j, int k, int l)
{
	const int from[4] = { i, j, k, l };
	rbl_f8 r;
	for (int n = 0; n < 8; ++n) {
		int lane = from[n % 4];
		r.v[n] = lane < 4 ? a.v[lane + n / 4 * 4] : b.v[lane - 4 + n / 4 * 4];
	}
	return r;
}

static inline rbl_f4 rbl_f4_load_pairs(const float *a, const float *b)
{
	return (rbl_f4){ { a[0], a[1], b[0], b[1] } };
}
