// SPDX-License-Identifier: MIT
// Vectors, smaller and larger, random numbers: what shapes need, with + - * / and sqrt only, in one
// written order, so that a shape has the same bits on every platform.
#pragma once

#include <rubble/types.h>

#include <float.h>
#include <math.h>
#include <stdint.h>

static inline double min_double(double a, double b)
{
	return a < b ? a : b;
}

static inline double max_double(double a, double b)
{
	return a > b ? a : b;
}

static inline int min_int(int a, int b)
{
	return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
	return a > b ? a : b;
}

static inline rbl_vec3d vec_add(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_vec3d){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline rbl_vec3d vec_sub(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_vec3d){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline rbl_vec3d vec_scale(double s, rbl_vec3d a)
{
	return (rbl_vec3d){ s * a.x, s * a.y, s * a.z };
}

/// a + s b
static inline rbl_vec3d vec_add_scaled(rbl_vec3d a, double s, rbl_vec3d b)
{
	return (rbl_vec3d){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a at t = 0, b at t = 1.
static inline rbl_vec3d vec_lerp(rbl_vec3d a, rbl_vec3d b, double t)
{
	return vec_add_scaled(a, t, vec_sub(b, a));
}

static inline double vec_dot(rbl_vec3d a, rbl_vec3d b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rbl_vec3d vec_cross(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_vec3d){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static inline double vec_length(rbl_vec3d a)
{
	return sqrt(vec_dot(a, a));
}

/// @return a / |a|, or zero when |a| is zero or too small to divide by.
static inline rbl_vec3d vec_normalize(rbl_vec3d a)
{
	double length = vec_length(a);
	return length > DBL_MIN ? vec_scale(1.0 / length, a) : (rbl_vec3d){ 0.0, 0.0, 0.0 };
}

/// Evenly from 0 to bound - 1, by PCG-XSH-RR; moves `state` on.
static inline int random_below(uint64_t *state, int bound)
{
	uint64_t old = *state;
	*state = old * 6364136223846793005u + 1442695040888963407u;
	uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27), rotation = (uint32_t)(old >> 59);
	uint32_t bits = (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
	return (int)(((uint64_t)bits * (uint64_t)bound) >> 32);
}

/// The state that a seed begins with; neighbouring seeds give unrelated numbers.
static inline uint64_t random_from_seed(uint64_t seed)
{
	uint64_t state = (seed + 1442695040888963407u) * 6364136223846793005u + 1442695040888963407u;
	random_below(&state, 1);
	return state;
}
