// SPDX-License-Identifier: MIT
// Distance fields that are known by formula: spheres, boxes, half-spaces, tori, cells, bodies of
// revolution.
#pragma once

#include "field/field.h"

#include "base/vec.h"

/// A field by formula: the distance of a point, and its gradient.
typedef float shape_function(const void *shape, rbl_vec3 p, rbl_vec3 *gradient);

static inline void evaluate_shape(shape_function *function, const void *shape,
                                  const rbl_vec3 *points, int count, float *distances,
                                  float *bounds, rbl_vec3 *gradients)
{
	for (int i = 0; i < count; ++i) {
		rbl_vec3 gradient;
		distances[i] = function(shape, points[i], &gradient);
		bounds[i] = 0.0f;
		if (gradients)
			gradients[i] = gradient;
	}
}

/// A distance field of a shape that the caller keeps.
typedef struct shape_field {
	rbl_distance_field head;
	const void *shape;
} shape_field;

/// The bounds of all of them: a half-space has no others.
static const rbl_box unlimited_box = { { -1e3f, -1e3f, -1e3f }, { 1e3f, 1e3f, 1e3f } };

/// Define `NAME_field(shape)`, an rbl_distance_field of this kind, from `NAME_distance`.
#define DEFINE_SHAPE_FIELD(name)                                                                \
	static inline void evaluate_##name(const rbl_distance_field *field, const rbl_vec3 *points, \
	                                   int count, float *distances, float *bounds,              \
	                                   rbl_vec3 *gradients)                                     \
	{                                                                                           \
		evaluate_shape(name##_distance, ((const shape_field *)field)->shape, points, count,     \
		               distances, bounds, gradients);                                           \
	}                                                                                           \
	static inline shape_field name##_field(const void *shape)                                   \
	{                                                                                           \
		static const rbl_distance_field_kind kind = { evaluate_##name, NULL };                  \
		return (shape_field){ .head = { .kind = &kind, .info.bounds = unlimited_box },          \
			                  .shape = shape };                                                 \
	}

static inline rbl_vec3 unit_or_x(rbl_vec3 v)
{
	rbl_vec3 unit = rbl_normalize(v);
	return rbl_dot(unit, unit) > 0.0f ? unit : (rbl_vec3){ 1.0f, 0.0f, 0.0f };
}

/// A sphere around the origin; the shape is its radius, a float.
static inline float sphere_distance(const void *shape, rbl_vec3 p, rbl_vec3 *gradient)
{
	*gradient = unit_or_x(p);
	return rbl_length(p) - *(const float *)shape;
}
DEFINE_SHAPE_FIELD(sphere)

/// The half-space below y = 0; the shape is not read.
static inline float floor_distance(const void *shape, rbl_vec3 p, rbl_vec3 *gradient)
{
	(void)shape;
	*gradient = (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	return p.y;
}
DEFINE_SHAPE_FIELD(floor)

/// A box around the origin; the shape is half its size, an rbl_vec3.
static inline float box_distance(const void *shape, rbl_vec3 p, rbl_vec3 *gradient)
{
	const rbl_vec3 half = *(const rbl_vec3 *)shape;
	rbl_vec3 sign = { p.x < 0.0f ? -1.0f : 1.0f, p.y < 0.0f ? -1.0f : 1.0f,
		              p.z < 0.0f ? -1.0f : 1.0f };
	rbl_vec3 q = rbl_sub(rbl_mul(sign, p), half);
	if (q.x <= 0.0f && q.y <= 0.0f && q.z <= 0.0f) {
		int axis = q.x >= q.y && q.x >= q.z ? 0 : q.y >= q.z ? 1 : 2;
		*gradient = (rbl_vec3){ axis == 0 ? sign.x : 0.0f, axis == 1 ? sign.y : 0.0f,
			                    axis == 2 ? sign.z : 0.0f };
		return rbl_axis(q, axis);
	}
	rbl_vec3 beyond = rbl_max(q, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	*gradient = unit_or_x(rbl_mul(sign, beyond));
	return rbl_length(beyond);
}
DEFINE_SHAPE_FIELD(box)

/// A torus around the y axis.
typedef struct torus_shape {
	float radius, thickness;
} torus_shape;

static inline float torus_distance(const void *shape, rbl_vec3 p, rbl_vec3 *gradient)
{
	const torus_shape *torus = shape;
	rbl_vec3 flat = unit_or_x((rbl_vec3){ p.x, 0.0f, p.z });
	rbl_vec3 from = rbl_sub(p, rbl_scale(torus->radius, flat));
	*gradient = unit_or_x(from);
	return rbl_length(from) - torus->thickness;
}
DEFINE_SHAPE_FIELD(torus)

/// A sphere cut by planes: a fragment of a sphere, by the greatest of all distances.
typedef struct cell_shape {
	rbl_vec3 centre; // of the sphere
	float radius;
	int plane_count;
	rbl_plane planes[32];
} cell_shape;

static inline float cell_distance(const void *shape, rbl_vec3 p, rbl_vec3 *gradient)
{
	const cell_shape *cell = shape;
	float most = sphere_distance(&cell->radius, rbl_sub(p, cell->centre), gradient);
	for (int i = 0; i < cell->plane_count; ++i) {
		float distance = rbl_plane_distance(cell->planes[i], p);
		if (distance > most)
			most = distance, *gradient = cell->planes[i].normal;
	}
	return most;
}
DEFINE_SHAPE_FIELD(cell)

/// A body of revolution around the y axis: a closed polygon of radius and height, counter-clockwise
/// with the radius to the right and the height upwards.
typedef struct lathe_shape {
	int count;
	rbl_vec2 profile[64];
} lathe_shape;

static inline float lathe_distance(const void *shape, rbl_vec3 p, rbl_vec3 *gradient)
{
	const lathe_shape *lathe = shape;
	float r = sqrtf(p.x * p.x + p.z * p.z), least = FLT_MAX;
	rbl_vec2 nearest = { 0.0f, 0.0f }, normal = { 0.0f, 1.0f };
	bool is_inside = false;
	for (int i = 0, k = lathe->count - 1; i < lathe->count; k = i++) {
		rbl_vec2 a = lathe->profile[k], b = lathe->profile[i];
		// A side on the axis is no surface.
		bool is_surface = a.x > 0.0f || b.x > 0.0f;
		rbl_vec2 side = { b.x - a.x, b.y - a.y }, to = { r - a.x, p.y - a.y };
		float t = rbl_clampf((to.x * side.x + to.y * side.y) / (side.x * side.x + side.y * side.y),
		                     0.0f, 1.0f);
		rbl_vec2 away = { to.x - t * side.x, to.y - t * side.y };
		float square = away.x * away.x + away.y * away.y;
		if (is_surface && square < least) {
			least = square;
			nearest = away;
			normal = (rbl_vec2){ side.y, -side.x };
		}
		if ((a.y > p.y) != (b.y > p.y) && r < a.x + (p.y - a.y) * side.x / side.y)
			is_inside = !is_inside;
	}
	float distance = sqrtf(least), sign = is_inside ? -1.0f : 1.0f;
	rbl_vec3 flat = unit_or_x((rbl_vec3){ p.x, 0.0f, p.z });
	rbl_vec3 out = distance > 1e-7f ? (rbl_vec3){ sign * nearest.x, sign * nearest.y, 0.0f }
	                                : (rbl_vec3){ normal.x, normal.y, 0.0f };
	out = unit_or_x(out);
	*gradient = (rbl_vec3){ out.x * flat.x, out.y, out.x * flat.z };
	return sign * distance;
}
DEFINE_SHAPE_FIELD(lathe)
