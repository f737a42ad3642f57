// SPDX-License-Identifier: MIT
// Eight lanes, and four doubles, in one AVX2 register. Included by base/simd.h only.
#pragma once

typedef float rbl_f8 __attribute__((vector_size(32)));
typedef int32_t rbl_i8 __attribute__((vector_size(32)));
typedef uint32_t rbl_u8 __attribute__((vector_size(32)));
typedef double rbl_d4 __attribute__((vector_size(32)));
typedef int64_t rbl_l4 __attribute__((vector_size(32)));

static inline rbl_f8 rbl_f8_splat(float e)
{
	return (rbl_f8)_mm256_set1_ps(e);
}

static inline rbl_i8 rbl_i8_splat(int32_t e)
{
	return (rbl_i8)_mm256_set1_epi32(e);
}

static inline rbl_d4 rbl_d4_splat(double e)
{
	return (rbl_d4)_mm256_set1_pd(e);
}

RBL_VECTOR_FLOATS(rbl_f8, rbl_i8, float, rbl_i8_splat(INT32_MIN))
RBL_VECTOR_FLOATS(rbl_d4, rbl_l4, double, ((rbl_l4){ INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN }))
RBL_VECTOR_INTS(rbl_i8, rbl_u8, rbl_f8)

RBL_VECTOR(rbl_f8, rbl_f8_min, (rbl_f8 a, rbl_f8 b), _mm256_min_ps(a, b))
RBL_VECTOR(rbl_f8, rbl_f8_max, (rbl_f8 a, rbl_f8 b), _mm256_max_ps(a, b))
RBL_VECTOR(rbl_d4, rbl_d4_min, (rbl_d4 a, rbl_d4 b), _mm256_min_pd(a, b))
RBL_VECTOR(rbl_d4, rbl_d4_max, (rbl_d4 a, rbl_d4 b), _mm256_max_pd(a, b))
RBL_VECTOR(rbl_f8, rbl_f8_sqrt, (rbl_f8 a), _mm256_sqrt_ps(a))
RBL_VECTOR(rbl_d4, rbl_d4_sqrt, (rbl_d4 a), _mm256_sqrt_pd(a))
RBL_VECTOR(rbl_f8, rbl_f8_floor, (rbl_f8 a), _mm256_floor_ps(a))
RBL_VECTOR(rbl_i8, rbl_f8_to_int, (rbl_f8 a), _mm256_cvttps_epi32(a))
RBL_VECTOR(rbl_i8, rbl_f8_round_to_int, (rbl_f8 a), _mm256_cvtps_epi32(a))
RBL_VECTOR(rbl_f8, rbl_f8_select, (rbl_i8 m, rbl_f8 a, rbl_f8 b),
           _mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m))
RBL_VECTOR(rbl_i8, rbl_i8_select, (rbl_i8 m, rbl_i8 a, rbl_i8 b),
           _mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m)) // not by bytes: see rbl_i4_select
RBL_VECTOR(rbl_d4, rbl_d4_select, (rbl_l4 m, rbl_d4 a, rbl_d4 b),
           _mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m))
RBL_VECTOR(int, rbl_i8_bits, (rbl_i8 m), _mm256_movemask_ps((__m256)m))
RBL_VECTOR(int, rbl_l4_bits, (rbl_l4 m), _mm256_movemask_pd((__m256d)m))
RBL_VECTOR(rbl_f8, rbl_f8_from, (rbl_f4 low, rbl_f4 high), _mm256_set_m128(high, low))
RBL_VECTOR(rbl_f4, rbl_f8_low, (rbl_f8 a), _mm256_castps256_ps128(a))
RBL_VECTOR(rbl_f4, rbl_f8_high, (rbl_f8 a), _mm256_extractf128_ps(a, 1))
RBL_VECTOR(rbl_i8, rbl_i8_from, (rbl_i4 low, rbl_i4 high),
           _mm256_set_m128i((__m128i)high, (__m128i)low))
RBL_VECTOR(rbl_i4, rbl_i8_low, (rbl_i8 a), _mm256_castsi256_si128((__m256i)a))
RBL_VECTOR(rbl_i4, rbl_i8_high, (rbl_i8 a), _mm256_extracti128_si256((__m256i)a, 1))

// By single loads: the gather instructions are no faster where they are fast, and far slower where
// microcode guards them.
RBL_VECTOR(rbl_f8, rbl_f8_gather, (const float *p, rbl_i8 index),
           rbl_f8_from(rbl_f4_gather(p, rbl_i8_low(index)), rbl_f4_gather(p, rbl_i8_high(index))))
RBL_VECTOR(rbl_i8, rbl_i8_gather, (const int32_t *p, rbl_i8 index),
           rbl_i8_from(rbl_i4_gather(p, rbl_i8_low(index)), rbl_i4_gather(p, rbl_i8_high(index))))
RBL_VECTOR(rbl_d4, rbl_d4_gather, (const double *p, rbl_i4 index),
           _mm256_setr_pd(p[index[0]], p[index[1]], p[index[2]], p[index[3]]))

RBL_VECTOR(rbl_d4, rbl_d4_from_f4, (rbl_f4 a), _mm256_cvtps_pd(a))
RBL_VECTOR(rbl_f4, rbl_f4_from_d4, (rbl_d4 a), _mm256_cvtpd_ps(a))
RBL_VECTOR(rbl_d4, rbl_d4_from_i4, (rbl_i4 a), _mm256_cvtepi32_pd((__m128i)a))
RBL_VECTOR(rbl_l4, rbl_l4_from_i4, (rbl_i4 m), _mm256_cvtepi32_epi64((__m128i)m))
RBL_VECTOR(rbl_d4, rbl_d4_swap_halves, (rbl_d4 a), _mm256_permute2f128_pd(a, a, 1))
RBL_VECTOR(rbl_d4, rbl_d4_set, (double x, double y, double z, double w), _mm256_setr_pd(x, y, z, w))

static inline rbl_i4 rbl_i4_from_l4(rbl_l4 m)
{
	rbl_i8 halves = (rbl_i8)m;
	return RBL_SHUFFLE(rbl_i4, rbl_i8_low(halves), rbl_i8_high(halves), 0, 2, 4, 6);
}

// Lanes 4 to 7 of the arguments mean b, whose halves start at 8 and 12.
#define RBL_F8_LANE(i) ((i) < 4 ? (i) : (i) + 4)
#define rbl_f8_shuffle(a, b, i, j, k, l)                                                      \
	RBL_SHUFFLE(rbl_i8, a, b, RBL_F8_LANE(i), RBL_F8_LANE(j), RBL_F8_LANE(k), RBL_F8_LANE(l), \
	            RBL_F8_LANE(i) + 4, RBL_F8_LANE(j) + 4, RBL_F8_LANE(k) + 4, RBL_F8_LANE(l) + 4)
