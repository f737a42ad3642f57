// SPDX-License-Identifier: MIT
// A collider as contacts by fields see it: a field that lasts for one query, and points.
#pragma once

#include "field/field.h"

#include "collide/collide.h"

/// What a query needs to know about the body that comes near.
typedef struct rbl_collider_visit {
	const rbl_collider *collider;
	rbl_transform other_to_collider;
	rbl_box other_box; // around field and points of the other body, in its own frame
	float reach;       // what is farther from that box does not matter
	float tolerance;   // as in rbl_field_contact_settings
	bool is_sweep;     // whatever is behind triangles is inside
} rbl_collider_visit;

/// A triangle of a mesh or height field.
typedef struct rbl_near_triangle {
	rbl_vec3 corners[3];
	rbl_vec3 normal;
	int32_t child;
	uint8_t border_sides;   // bits: nothing lies across
	uint8_t border_corners; // bits: a border ends there
	bool is_crossed;        // the other body may be on both sides: what is behind is inside
} rbl_near_triangle;

/// Eight triangles at a time are skipped by their box.
enum { RBL_NEAR_BLOCK = 8 };

/// A collider as a field, as far as it is near another body. It allocates nothing of its own.
typedef struct rbl_collider_field {
	rbl_distance_field head;
	const rbl_collider *collider;
	float hidden; // metres: see collider_field.c
	float reach;  // as in rbl_collider_visit

	const int32_t *parts; // of a compound: children that are near
	int part_count;

	rbl_near_triangle *triangles; // of a mesh or height field
	rbl_box *blocks;
	int triangle_count;

	int32_t *children; // receives the nearest child of each point of a batch
} rbl_collider_field;

/// Make the field of a collider.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_collider_field_init(rbl_collider_field *field, const rbl_collider_visit *visit,
                                   rbl_arena *arena);

/// Find out where a ball or disc around a centre is deepest in a field. Far from the surface, and
/// outside of fragments, a field knows less than a distance and a direction, so the point is sought
/// on the ball, or on the disc's rim.
/// @param disc      the axis of a disc, in the field's frame; zero: a ball
/// @param placed    the centre; receives the point
/// @param gradient  of the centre; receives that of the point, as do `distance` and `bound`
void rbl_sink_ball(const rbl_distance_field *field, float radius, rbl_vec3 disc, rbl_vec3 *placed,
                   rbl_vec3 *gradient, float *distance, float *bound);

/// Check one of two bodies. @return RBL_OK, RBL_BAD_ARGUMENT (the log names it)
rbl_result rbl_check_field_side(const rbl_field_side *side, const char *name);

/// A point of a collider, in its frame.
typedef struct rbl_collider_point {
	rbl_vec3 position;
	float radius;  // of the ball or disc around it that belongs to the collider
	rbl_vec3 disc; // the disc's axis; zero: a ball
	uint32_t id;
	int32_t child;
	rbl_vec3 axis; // normals out of the collider are within a cone around it,
	float cosine;  // of this angle; -1: any
} rbl_collider_point;

/// A row of points: all within a radius of the centre, their own radii included.
typedef struct rbl_point_row {
	rbl_vec3 centre;
	float radius;
	int first, count;
} rbl_point_row;

/// Points of a collider that may touch the other body.
typedef struct rbl_collider_points {
	rbl_collider_point *points;
	int count;
	rbl_point_row *rows;
	int row_count;
	rbl_box bounds;
} rbl_collider_points;

/// Gather the points of a collider.
/// @param field  of the same visit
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_collider_points_gather(const rbl_collider_visit *visit,
                                      const rbl_collider_field *field, rbl_arena *arena,
                                      rbl_collider_points *points);
