// SPDX-License-Identifier: MIT
// Bodies that touch by their fields, and a small solver that moves them: enough to see whether
// contacts are the right ones. It is no part of the library.
//
// A step finds the contacts of all pairs whose spheres are near, then makes four sub-steps with
// soft contacts (impulses that act like a stiff, strongly damped spring where bodies overlap, and
// let a gap close at most), friction, and impulses kept from step to step by the ids of points.
#pragma once

#include "field/contact_query.h"
#include "scenes/analytic_fields.h"

#include <rubble/types.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct field_world_body {
	rbl_field_shape shape; // its tree is the world's; without a field it has `own`
	shape_field own;
	rbl_transform pose; // of its centre of mass
	rbl_vec3 velocity, angular_velocity;
	float inverse_mass;       // 0: it stands still
	rbl_mat3 inverse_inertia; // in its own frame
	float radius;             // of all of it around its origin; INFINITY for a floor
} field_world_body;

/// An impulse at a point of a pair.
typedef struct field_world_impulse {
	uint32_t id;
	float normal, tangent[2];
} field_world_impulse;

/// What is left of a pair's last step.
typedef struct field_world_pair {
	rbl_field_contact_memory memory;
	field_world_impulse *impulses;
	int impulse_count, impulse_capacity;
} field_world_pair;

typedef struct field_world {
	field_world_body *bodies;
	int body_count, body_capacity;
	field_world_pair *pairs; // body_capacity squared
	rbl_field_contact_settings settings;
	bool uses_manifolds; // up to four points per normal, and not all points with a normal each
	float gravity, friction;
	rbl_arena arena;
	struct field_world_constraint *constraints;
	int constraint_count, constraint_capacity;

	// Of the last step.
	uint64_t query_ns;
	int point_count;    // contacts as the query gives them
	int manifold_count; // of which these are made
	int solved_count;   // points that the solver saw
	int visited_count;
	int pair_count, touching_count;
} field_world;

/// Make an empty world with room for bodies. @return false when memory ran out
bool field_world_open(field_world *world, int body_capacity);
void field_world_close(field_world *world);

/// Add a body, whose tree becomes the world's. Density is 1000 kg/m3. @return its number
int field_world_add(field_world *world, const field_world_body *body);

/// Add the half-space below y = 0.
int field_world_add_floor(field_world *world);

/// Set mass and inertia from volume, centre and inertia at density 1; the centre is its origin.
void field_world_set_mass(field_world_body *body, const rbl_mass *mass);

/// Make a step. @return false when memory ran out
bool field_world_step(field_world *world, float dt);

/// How deep the deepest point of any body is in another, in metres, over all points of all pairs.
float field_world_penetration(const field_world *world);

/// Points of a body of revolution as a tree: vertices of its profile in `segments` places around.
/// @return false when memory ran out
struct lathe_shape;
bool field_world_lathe(const struct lathe_shape *shape, int segments, field_world_body *body);

/// A plate of 0.13 m with a foot and a rim, and a bowl of 0.16 m, 12 mm thick, with their centres
/// of mass at the origin.
void field_world_plate_shape(struct lathe_shape *shape);
void field_world_bowl_shape(struct lathe_shape *shape);
