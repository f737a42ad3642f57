// SPDX-License-Identifier: MIT
// Physics data as JSON beside a .glb file: bodies, colliders, bonds, joints. docs/files.md describes
// the format.
#pragma once

#include <rubble/rubble.h>

#include <stdio.h>

/// A file that is being written, list by list.
typedef struct physics_file {
	FILE *file;
	const char *path;
	bool has_item; // in the list that is open
	int collider_count;
} physics_file;

/// A body when it appears. Lengths are in metres.
typedef struct physics_body {
	const char *name, *parent; // of nodes; parent: or NULL
	rbl_body_kind kind;
	double birth;
	int material;
	rbl_transform pose;
	rbl_vec3 velocity, angular_velocity;
	double mass;       // in kilograms
	rbl_vec3d centre;  // in coordinates of the body, as all that follows
	rbl_mat3d inertia; // about the centre
} physics_body;

/// Begin a file for a .glb. @return a STATUS_; an error is printed
int begin_physics(physics_file *to, const char *path, const char *model);

/// Begin a list of the file, and end it: "materials" first, "bodies", "bonds", "joints".
void begin_physics_list(physics_file *to, const char *name);
void end_physics_list(physics_file *to);

void put_physics_material(physics_file *to, const char *name, const rbl_material_values *values);

/// Begin a body. Its colliders follow, numbered from 0, then its bonds, and it is ended.
void begin_physics_body(physics_file *to, const physics_body *body);

/// @param origin    of the coordinates that are written
/// @param material  -1: as the body
void put_physics_convex(physics_file *to, const rbl_convex *convex, rbl_vec3d origin, int material,
                        bool is_anchored);
void put_physics_box(physics_file *to, const double *size, double rounding);
void put_physics_ball(physics_file *to, double radius);

/// A cylinder or a cone along an axis, 0 x to 2 z, its middle at the origin.
void put_physics_round(physics_file *to, const char *shape, double radius, double length, int axis);
void put_physics_plane(physics_file *to, const double *normal);

/// The triangles of the node.
void put_physics_mesh(physics_file *to);
void put_physics_points(physics_file *to, const rbl_mesh *mesh); // their hull
void end_physics_colliders(physics_file *to);
void end_physics_body(physics_file *to);

/// A bond between two colliders of a body, or in the list "bonds" between two bodies, by index.
void put_physics_bond(physics_file *to, int a, int b, double area, rbl_vec3d centre,
                      double strength);

/// A joint between bodies that are named.
void put_physics_joint(physics_file *to, const rbl_joint_def *def, const char *a, const char *b);

/// End the file. @return a STATUS_; an error is printed, also of an earlier write
int end_physics(physics_file *to);
