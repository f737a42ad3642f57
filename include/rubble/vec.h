// SPDX-License-Identifier: MIT
// Vectors, matrices, quaternions, transforms, boxes and planes: the small inline functions that the
// library itself uses.
//
// Each operation exists in single precision (rbl_add) and in double precision (rbl_add_d). Only
// + - * / and sqrt are used, in one written order, so results repeat on every platform.
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

/// A value in braces, RBL_LITERAL(rbl_vec3){ 0.0f, 1.0f, 0.0f }, in C and in C++.
#ifdef __cplusplus
#define RBL_LITERAL(type) type
#else
#define RBL_LITERAL(type) (type)
#endif

static inline float rbl_minf(float a, float b)
{
	return a < b ? a : b;
}

static inline float rbl_maxf(float a, float b)
{
	return a > b ? a : b;
}

static inline float rbl_clampf(float a, float low, float high)
{
	return a < low ? low : a > high ? high : a;
}

static inline double rbl_mind(double a, double b)
{
	return a < b ? a : b;
}

static inline double rbl_maxd(double a, double b)
{
	return a > b ? a : b;
}

static inline double rbl_clampd(double a, double low, double high)
{
	return a < low ? low : a > high ? high : a;
}

static inline int rbl_mini(int a, int b)
{
	return a < b ? a : b;
}

static inline int rbl_maxi(int a, int b)
{
	return a > b ? a : b;
}

static inline rbl_vec3d rbl_to_d(rbl_vec3 a)
{
	return RBL_LITERAL(rbl_vec3d){ (double)a.x, (double)a.y, (double)a.z };
}

static inline rbl_vec3 rbl_to_f(rbl_vec3d a)
{
	return RBL_LITERAL(rbl_vec3){ (float)a.x, (float)a.y, (float)a.z };
}

// --- Single precision ---------------------------------------------------------------------------

static inline rbl_vec3 rbl_add(rbl_vec3 a, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline rbl_vec3 rbl_sub(rbl_vec3 a, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline rbl_vec3 rbl_neg(rbl_vec3 a)
{
	return RBL_LITERAL(rbl_vec3){ -a.x, -a.y, -a.z };
}

static inline rbl_vec3 rbl_scale(float s, rbl_vec3 a)
{
	return RBL_LITERAL(rbl_vec3){ s * a.x, s * a.y, s * a.z };
}

/// Componentwise product.
static inline rbl_vec3 rbl_mul(rbl_vec3 a, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ a.x * b.x, a.y * b.y, a.z * b.z };
}

/// a + s b
static inline rbl_vec3 rbl_add_scaled(rbl_vec3 a, float s, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a at t = 0, b at t = 1.
static inline rbl_vec3 rbl_lerp(rbl_vec3 a, rbl_vec3 b, float t)
{
	return RBL_LITERAL(rbl_vec3){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y),
		                          a.z + t * (b.z - a.z) };
}

static inline float rbl_dot(rbl_vec3 a, rbl_vec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rbl_vec3 rbl_cross(rbl_vec3 a, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
		                          a.x * b.y - a.y * b.x };
}

static inline float rbl_length_squared(rbl_vec3 a)
{
	return rbl_dot(a, a);
}

static inline float rbl_length(rbl_vec3 a)
{
	return sqrtf(rbl_dot(a, a));
}

static inline float rbl_distance(rbl_vec3 a, rbl_vec3 b)
{
	return rbl_length(rbl_sub(a, b));
}

/// @return a / |a|, or zero when |a| is zero or too small to divide by.
static inline rbl_vec3 rbl_normalize(rbl_vec3 a)
{
	float length = rbl_length(a);
	return length > FLT_MIN ? rbl_scale(1.0f / length, a)
	                        : RBL_LITERAL(rbl_vec3){ 0.0f, 0.0f, 0.0f };
}

/// A unit vector at right angles to the unit vector `a`.
static inline rbl_vec3 rbl_perpendicular(rbl_vec3 a)
{
	float x = fabsf(a.x), y = fabsf(a.y), z = fabsf(a.z);
	rbl_vec3 axis = x <= y && x <= z ? RBL_LITERAL(rbl_vec3){ 1.0f, 0.0f, 0.0f }
	                : y <= z         ? RBL_LITERAL(rbl_vec3){ 0.0f, 1.0f, 0.0f }
	                                 : RBL_LITERAL(rbl_vec3){ 0.0f, 0.0f, 1.0f };
	return rbl_normalize(rbl_cross(a, axis));
}

static inline rbl_vec3 rbl_min(rbl_vec3 a, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ rbl_minf(a.x, b.x), rbl_minf(a.y, b.y), rbl_minf(a.z, b.z) };
}

static inline rbl_vec3 rbl_max(rbl_vec3 a, rbl_vec3 b)
{
	return RBL_LITERAL(rbl_vec3){ rbl_maxf(a.x, b.x), rbl_maxf(a.y, b.y), rbl_maxf(a.z, b.z) };
}

static inline bool rbl_is_finite(rbl_vec3 a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// Component 0, 1 or 2.
static inline float rbl_axis(rbl_vec3 a, int axis)
{
	return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/// Index of the component of largest magnitude; the first of equals.
static inline int rbl_largest_axis(rbl_vec3 a)
{
	float x = fabsf(a.x), y = fabsf(a.y), z = fabsf(a.z);
	return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static inline rbl_mat3 rbl_mat_identity(void)
{
	return RBL_LITERAL(
		rbl_mat3){ { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
}

static inline rbl_vec3 rbl_mat_vec(rbl_mat3 m, rbl_vec3 v)
{
	return RBL_LITERAL(rbl_vec3){ m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
		                          m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
		                          m.x.z * v.x + m.y.z * v.y + m.z.z * v.z };
}

static inline rbl_mat3 rbl_mat_mul(rbl_mat3 a, rbl_mat3 b)
{
	return RBL_LITERAL(rbl_mat3){ rbl_mat_vec(a, b.x), rbl_mat_vec(a, b.y), rbl_mat_vec(a, b.z) };
}

static inline rbl_mat3 rbl_mat_transpose(rbl_mat3 m)
{
	return RBL_LITERAL(
		rbl_mat3){ { m.x.x, m.y.x, m.z.x }, { m.x.y, m.y.y, m.z.y }, { m.x.z, m.y.z, m.z.z } };
}

static inline rbl_mat3 rbl_mat_add(rbl_mat3 a, rbl_mat3 b)
{
	return RBL_LITERAL(rbl_mat3){ rbl_add(a.x, b.x), rbl_add(a.y, b.y), rbl_add(a.z, b.z) };
}

static inline rbl_mat3 rbl_mat_scale(float s, rbl_mat3 m)
{
	return RBL_LITERAL(rbl_mat3){ rbl_scale(s, m.x), rbl_scale(s, m.y), rbl_scale(s, m.z) };
}

static inline float rbl_mat_determinant(rbl_mat3 m)
{
	return rbl_dot(m.x, rbl_cross(m.y, m.z));
}

/// @return the inverse, or zero when the determinant is zero.
static inline rbl_mat3 rbl_mat_inverse(rbl_mat3 m)
{
	rbl_vec3 yz = rbl_cross(m.y, m.z), zx = rbl_cross(m.z, m.x), xy = rbl_cross(m.x, m.y);
	float determinant = rbl_dot(m.x, yz);
	float s = determinant != 0.0f ? 1.0f / determinant : 0.0f;
	return rbl_mat_transpose(
		RBL_LITERAL(rbl_mat3){ rbl_scale(s, yz), rbl_scale(s, zx), rbl_scale(s, xy) });
}

static inline rbl_quat rbl_quat_identity(void)
{
	return RBL_LITERAL(rbl_quat){ 0.0f, 0.0f, 0.0f, 1.0f };
}

static inline rbl_quat rbl_quat_mul(rbl_quat a, rbl_quat b)
{
	return RBL_LITERAL(rbl_quat){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		                          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		                          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		                          a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static inline rbl_quat rbl_quat_conjugate(rbl_quat q)
{
	return RBL_LITERAL(rbl_quat){ -q.x, -q.y, -q.z, q.w };
}

/// @return q / |q|, the identity when q is zero.
static inline rbl_quat rbl_quat_normalize(rbl_quat q)
{
	float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	if (!(length > FLT_MIN))
		return rbl_quat_identity();
	float s = 1.0f / length;
	return RBL_LITERAL(rbl_quat){ s * q.x, s * q.y, s * q.z, s * q.w };
}

static inline rbl_vec3 rbl_rotate(rbl_quat q, rbl_vec3 v)
{
	rbl_vec3 u = { q.x, q.y, q.z };
	rbl_vec3 t = rbl_scale(2.0f, rbl_cross(u, v));
	return rbl_add(rbl_add_scaled(v, q.w, t), rbl_cross(u, t));
}

static inline rbl_vec3 rbl_rotate_inverse(rbl_quat q, rbl_vec3 v)
{
	return rbl_rotate(rbl_quat_conjugate(q), v);
}

static inline rbl_mat3 rbl_quat_to_mat(rbl_quat q)
{
	float xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
	float xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	float wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return RBL_LITERAL(rbl_mat3){ { 1.0f - 2.0f * (yy + zz), 2.0f * (xy + wz), 2.0f * (xz - wy) },
		                          { 2.0f * (xy - wz), 1.0f - 2.0f * (xx + zz), 2.0f * (yz + wx) },
		                          { 2.0f * (xz + wy), 2.0f * (yz - wx), 1.0f - 2.0f * (xx + yy) } };
}

static inline rbl_transform rbl_transform_identity(void)
{
	return RBL_LITERAL(rbl_transform){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

static inline rbl_vec3 rbl_transform_point(rbl_transform t, rbl_vec3 p)
{
	return rbl_add(rbl_rotate(t.rotation, p), t.position);
}

static inline rbl_vec3 rbl_transform_point_inverse(rbl_transform t, rbl_vec3 p)
{
	return rbl_rotate_inverse(t.rotation, rbl_sub(p, t.position));
}

/// First b, then a.
static inline rbl_transform rbl_transform_mul(rbl_transform a, rbl_transform b)
{
	return RBL_LITERAL(rbl_transform){ rbl_transform_point(a, b.position),
		                               rbl_quat_mul(a.rotation, b.rotation) };
}

/// The motion from frame `a` to frame `b`: a^-1 b.
static inline rbl_transform rbl_transform_relative(rbl_transform a, rbl_transform b)
{
	return RBL_LITERAL(rbl_transform){ rbl_transform_point_inverse(a, b.position),
		                               rbl_quat_mul(rbl_quat_conjugate(a.rotation), b.rotation) };
}

/// The box that contains nothing, neutral for joining.
static inline rbl_box rbl_box_empty(void)
{
	return RBL_LITERAL(rbl_box){ { FLT_MAX, FLT_MAX, FLT_MAX }, { -FLT_MAX, -FLT_MAX, -FLT_MAX } };
}

static inline bool rbl_box_is_empty(rbl_box a)
{
	return a.lower.x > a.upper.x || a.lower.y > a.upper.y || a.lower.z > a.upper.z;
}

/// @return whether all corners are finite and lower <= upper.
static inline bool rbl_box_is_valid(rbl_box a)
{
	return rbl_is_finite(a.lower) && rbl_is_finite(a.upper) && !rbl_box_is_empty(a);
}

static inline rbl_box rbl_box_join(rbl_box a, rbl_box b)
{
	return RBL_LITERAL(rbl_box){ rbl_min(a.lower, b.lower), rbl_max(a.upper, b.upper) };
}

static inline rbl_box rbl_box_add_point(rbl_box a, rbl_vec3 p)
{
	return RBL_LITERAL(rbl_box){ rbl_min(a.lower, p), rbl_max(a.upper, p) };
}

/// Boxes are closed: touching counts.
static inline bool rbl_box_overlaps(rbl_box a, rbl_box b)
{
	return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
	       b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// @return whether b lies in a, borders included.
static inline bool rbl_box_contains(rbl_box a, rbl_box b)
{
	return a.lower.x <= b.lower.x && a.lower.y <= b.lower.y && a.lower.z <= b.lower.z &&
	       b.upper.x <= a.upper.x && b.upper.y <= a.upper.y && b.upper.z <= a.upper.z;
}

static inline rbl_vec3 rbl_box_centre(rbl_box a)
{
	return RBL_LITERAL(rbl_vec3){ 0.5f * (a.lower.x + a.upper.x), 0.5f * (a.lower.y + a.upper.y),
		                          0.5f * (a.lower.z + a.upper.z) };
}

/// Side lengths.
static inline rbl_vec3 rbl_box_size(rbl_box a)
{
	return rbl_sub(a.upper, a.lower);
}

/// Volume, as a double: that of a large box is beyond a float.
static inline double rbl_box_volume(rbl_box a)
{
	rbl_vec3 size = rbl_box_size(a);
	return (double)size.x * (double)size.y * (double)size.z;
}

/// Half the surface area: what the surface-area heuristic compares.
static inline float rbl_box_half_area(rbl_box a)
{
	rbl_vec3 s = rbl_box_size(a);
	return s.x * s.y + s.y * s.z + s.z * s.x;
}

static inline rbl_box rbl_box_grow(rbl_box a, float margin)
{
	rbl_vec3 m = { margin, margin, margin };
	return RBL_LITERAL(rbl_box){ rbl_sub(a.lower, m), rbl_add(a.upper, m) };
}

/// Signed distance of a point, positive outside (in front).
static inline float rbl_plane_distance(rbl_plane plane, rbl_vec3 p)
{
	return rbl_dot(plane.normal, p) - plane.offset;
}

// --- Double precision ---------------------------------------------------------------------------

static inline rbl_vec3d rbl_add_d(rbl_vec3d a, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ a.x + b.x, a.y + b.y, a.z + b.z };
}

static inline rbl_vec3d rbl_sub_d(rbl_vec3d a, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static inline rbl_vec3d rbl_neg_d(rbl_vec3d a)
{
	return RBL_LITERAL(rbl_vec3d){ -a.x, -a.y, -a.z };
}

static inline rbl_vec3d rbl_scale_d(double s, rbl_vec3d a)
{
	return RBL_LITERAL(rbl_vec3d){ s * a.x, s * a.y, s * a.z };
}

/// Componentwise product.
static inline rbl_vec3d rbl_mul_d(rbl_vec3d a, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ a.x * b.x, a.y * b.y, a.z * b.z };
}

/// a + s b
static inline rbl_vec3d rbl_add_scaled_d(rbl_vec3d a, double s, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

/// a at t = 0, b at t = 1.
static inline rbl_vec3d rbl_lerp_d(rbl_vec3d a, rbl_vec3d b, double t)
{
	return RBL_LITERAL(rbl_vec3d){ a.x + t * (b.x - a.x), a.y + t * (b.y - a.y),
		                           a.z + t * (b.z - a.z) };
}

static inline double rbl_dot_d(rbl_vec3d a, rbl_vec3d b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline rbl_vec3d rbl_cross_d(rbl_vec3d a, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
		                           a.x * b.y - a.y * b.x };
}

static inline double rbl_length_squared_d(rbl_vec3d a)
{
	return rbl_dot_d(a, a);
}

static inline double rbl_length_d(rbl_vec3d a)
{
	return sqrt(rbl_dot_d(a, a));
}

static inline double rbl_distance_d(rbl_vec3d a, rbl_vec3d b)
{
	return rbl_length_d(rbl_sub_d(a, b));
}

/// @return a / |a|, or zero when |a| is zero or too small to divide by.
static inline rbl_vec3d rbl_normalize_d(rbl_vec3d a)
{
	double length = rbl_length_d(a);
	return length > DBL_MIN ? rbl_scale_d(1.0 / length, a)
	                        : RBL_LITERAL(rbl_vec3d){ 0.0, 0.0, 0.0 };
}

/// A unit vector at right angles to the unit vector `a`.
static inline rbl_vec3d rbl_perpendicular_d(rbl_vec3d a)
{
	double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
	rbl_vec3d axis = x <= y && x <= z ? RBL_LITERAL(rbl_vec3d){ 1.0, 0.0, 0.0 }
	                 : y <= z         ? RBL_LITERAL(rbl_vec3d){ 0.0, 1.0, 0.0 }
	                                  : RBL_LITERAL(rbl_vec3d){ 0.0, 0.0, 1.0 };
	return rbl_normalize_d(rbl_cross_d(a, axis));
}

static inline rbl_vec3d rbl_min_d(rbl_vec3d a, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ rbl_mind(a.x, b.x), rbl_mind(a.y, b.y), rbl_mind(a.z, b.z) };
}

static inline rbl_vec3d rbl_max_d(rbl_vec3d a, rbl_vec3d b)
{
	return RBL_LITERAL(rbl_vec3d){ rbl_maxd(a.x, b.x), rbl_maxd(a.y, b.y), rbl_maxd(a.z, b.z) };
}

static inline bool rbl_is_finite_d(rbl_vec3d a)
{
	return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/// Component 0, 1 or 2.
static inline double rbl_axis_d(rbl_vec3d a, int axis)
{
	return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/// Index of the component of largest magnitude; the first of equals.
static inline int rbl_largest_axis_d(rbl_vec3d a)
{
	double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
	return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static inline rbl_mat3d rbl_mat_identity_d(void)
{
	return RBL_LITERAL(rbl_mat3d){ { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
}

static inline rbl_vec3d rbl_mat_vec_d(rbl_mat3d m, rbl_vec3d v)
{
	return RBL_LITERAL(rbl_vec3d){ m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
		                           m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
		                           m.x.z * v.x + m.y.z * v.y + m.z.z * v.z };
}

static inline rbl_mat3d rbl_mat_mul_d(rbl_mat3d a, rbl_mat3d b)
{
	return RBL_LITERAL(rbl_mat3d){ rbl_mat_vec_d(a, b.x), rbl_mat_vec_d(a, b.y),
		                           rbl_mat_vec_d(a, b.z) };
}

static inline rbl_mat3d rbl_mat_transpose_d(rbl_mat3d m)
{
	return RBL_LITERAL(
		rbl_mat3d){ { m.x.x, m.y.x, m.z.x }, { m.x.y, m.y.y, m.z.y }, { m.x.z, m.y.z, m.z.z } };
}

static inline rbl_mat3d rbl_mat_add_d(rbl_mat3d a, rbl_mat3d b)
{
	return RBL_LITERAL(rbl_mat3d){ rbl_add_d(a.x, b.x), rbl_add_d(a.y, b.y), rbl_add_d(a.z, b.z) };
}

static inline rbl_mat3d rbl_mat_scale_d(double s, rbl_mat3d m)
{
	return RBL_LITERAL(rbl_mat3d){ rbl_scale_d(s, m.x), rbl_scale_d(s, m.y), rbl_scale_d(s, m.z) };
}

static inline double rbl_mat_determinant_d(rbl_mat3d m)
{
	return rbl_dot_d(m.x, rbl_cross_d(m.y, m.z));
}

/// @return the inverse, or zero when the determinant is zero.
static inline rbl_mat3d rbl_mat_inverse_d(rbl_mat3d m)
{
	rbl_vec3d yz = rbl_cross_d(m.y, m.z), zx = rbl_cross_d(m.z, m.x), xy = rbl_cross_d(m.x, m.y);
	double determinant = rbl_dot_d(m.x, yz);
	double s = determinant != 0.0 ? 1.0 / determinant : 0.0;
	return rbl_mat_transpose_d(
		RBL_LITERAL(rbl_mat3d){ rbl_scale_d(s, yz), rbl_scale_d(s, zx), rbl_scale_d(s, xy) });
}

static inline rbl_quatd rbl_quat_identity_d(void)
{
	return RBL_LITERAL(rbl_quatd){ 0.0, 0.0, 0.0, 1.0 };
}

static inline rbl_quatd rbl_quat_mul_d(rbl_quatd a, rbl_quatd b)
{
	return RBL_LITERAL(rbl_quatd){ a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
		                           a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
		                           a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
		                           a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z };
}

static inline rbl_quatd rbl_quat_conjugate_d(rbl_quatd q)
{
	return RBL_LITERAL(rbl_quatd){ -q.x, -q.y, -q.z, q.w };
}

/// @return q / |q|, the identity when q is zero.
static inline rbl_quatd rbl_quat_normalize_d(rbl_quatd q)
{
	double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
	if (!(length > DBL_MIN))
		return rbl_quat_identity_d();
	double s = 1.0 / length;
	return RBL_LITERAL(rbl_quatd){ s * q.x, s * q.y, s * q.z, s * q.w };
}

static inline rbl_vec3d rbl_rotate_d(rbl_quatd q, rbl_vec3d v)
{
	rbl_vec3d u = { q.x, q.y, q.z };
	rbl_vec3d t = rbl_scale_d(2.0, rbl_cross_d(u, v));
	return rbl_add_d(rbl_add_scaled_d(v, q.w, t), rbl_cross_d(u, t));
}

static inline rbl_vec3d rbl_rotate_inverse_d(rbl_quatd q, rbl_vec3d v)
{
	return rbl_rotate_d(rbl_quat_conjugate_d(q), v);
}

static inline rbl_mat3d rbl_quat_to_mat_d(rbl_quatd q)
{
	double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
	double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return RBL_LITERAL(rbl_mat3d){ { 1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy) },
		                           { 2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx) },
		                           { 2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy) } };
}

static inline rbl_transformd rbl_transform_identity_d(void)
{
	return RBL_LITERAL(rbl_transformd){ { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };
}

static inline rbl_vec3d rbl_transform_point_d(rbl_transformd t, rbl_vec3d p)
{
	return rbl_add_d(rbl_rotate_d(t.rotation, p), t.position);
}

static inline rbl_vec3d rbl_transform_point_inverse_d(rbl_transformd t, rbl_vec3d p)
{
	return rbl_rotate_inverse_d(t.rotation, rbl_sub_d(p, t.position));
}

/// The box that contains nothing, neutral for joining.
static inline rbl_boxd rbl_box_empty_d(void)
{
	return RBL_LITERAL(rbl_boxd){ { DBL_MAX, DBL_MAX, DBL_MAX }, { -DBL_MAX, -DBL_MAX, -DBL_MAX } };
}

static inline bool rbl_box_is_empty_d(rbl_boxd a)
{
	return a.lower.x > a.upper.x || a.lower.y > a.upper.y || a.lower.z > a.upper.z;
}

/// @return whether all corners are finite and lower <= upper.
static inline bool rbl_box_is_valid_d(rbl_boxd a)
{
	return rbl_is_finite_d(a.lower) && rbl_is_finite_d(a.upper) && !rbl_box_is_empty_d(a);
}

static inline rbl_boxd rbl_box_join_d(rbl_boxd a, rbl_boxd b)
{
	return RBL_LITERAL(rbl_boxd){ rbl_min_d(a.lower, b.lower), rbl_max_d(a.upper, b.upper) };
}

static inline rbl_boxd rbl_box_add_point_d(rbl_boxd a, rbl_vec3d p)
{
	return RBL_LITERAL(rbl_boxd){ rbl_min_d(a.lower, p), rbl_max_d(a.upper, p) };
}

/// Boxes are closed: touching counts.
static inline bool rbl_box_overlaps_d(rbl_boxd a, rbl_boxd b)
{
	return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
	       b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// @return whether b lies in a, borders included.
static inline bool rbl_box_contains_d(rbl_boxd a, rbl_boxd b)
{
	return a.lower.x <= b.lower.x && a.lower.y <= b.lower.y && a.lower.z <= b.lower.z &&
	       b.upper.x <= a.upper.x && b.upper.y <= a.upper.y && b.upper.z <= a.upper.z;
}

static inline rbl_vec3d rbl_box_centre_d(rbl_boxd a)
{
	return RBL_LITERAL(rbl_vec3d){ 0.5 * (a.lower.x + a.upper.x), 0.5 * (a.lower.y + a.upper.y),
		                           0.5 * (a.lower.z + a.upper.z) };
}

/// Side lengths.
static inline rbl_vec3d rbl_box_size_d(rbl_boxd a)
{
	return rbl_sub_d(a.upper, a.lower);
}

static inline rbl_boxd rbl_box_grow_d(rbl_boxd a, double margin)
{
	rbl_vec3d m = { margin, margin, margin };
	return RBL_LITERAL(rbl_boxd){ rbl_sub_d(a.lower, m), rbl_add_d(a.upper, m) };
}

/// Signed distance of a point, positive outside (in front).
static inline double rbl_plane_distance_d(rbl_planed plane, rbl_vec3d p)
{
	return rbl_dot_d(plane.normal, p) - plane.offset;
}

// --- Not inline ---------------------------------------------------------------------------------

/// The rotation about a unit axis, counter-clockwise seen from its tip, in radians. The same bits
/// everywhere, unlike sin() and cos() of libm. Threads: any.
RBL_API rbl_quat rbl_quat_from_axis_angle(rbl_vec3 axis, float angle);

/// As rbl_quat_from_axis_angle(), in double precision.
RBL_API rbl_quatd rbl_quat_from_axis_angle_d(rbl_vec3d axis, double angle);
