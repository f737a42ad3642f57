// SPDX-License-Identifier: MIT
// Vectors, rotations, boxes and planes as plain structs. Right-handed, y up, metres.
//
// Single precision moves and draws; double precision (suffix d) prepares and cuts.
#pragma once

/// Two floats: texture coordinates, points in a plane.
typedef struct rbl_vec2 {
	float x, y;
} rbl_vec2;

/// A point or direction.
typedef struct rbl_vec3 {
	float x, y, z;
} rbl_vec3;

/// A point or direction in double precision.
typedef struct rbl_vec3d {
	double x, y, z;
} rbl_vec3d;

/// Four floats: a linear color with alpha, all from 0 to 1 where it is a color.
typedef struct rbl_vec4 {
	float x, y, z, w;
} rbl_vec4;

/// A rotation: unit quaternion, w is the real part.
typedef struct rbl_quat {
	float x, y, z, w;
} rbl_quat;

/// A rotation in double precision.
typedef struct rbl_quatd {
	double x, y, z, w;
} rbl_quatd;

/// A 3 x 3 matrix by columns: M v = x v.x + y v.y + z v.z.
typedef struct rbl_mat3 {
	rbl_vec3 x, y, z;
} rbl_mat3;

/// A 3 x 3 matrix by columns in double precision.
typedef struct rbl_mat3d {
	rbl_vec3d x, y, z;
} rbl_mat3d;

/// A rigid motion: p goes to rotation * p + position.
typedef struct rbl_transform {
	rbl_vec3 position;
	rbl_quat rotation;
} rbl_transform;

/// A rigid motion in double precision.
typedef struct rbl_transformd {
	rbl_vec3d position;
	rbl_quatd rotation;
} rbl_transformd;

/// A closed axis-aligned box. Empty when lower > upper on some axis.
typedef struct rbl_box {
	rbl_vec3 lower, upper;
} rbl_box;

/// A closed axis-aligned box in double precision.
typedef struct rbl_boxd {
	rbl_vec3d lower, upper;
} rbl_boxd;

/// The plane of all p with dot(normal, p) = offset. Outside is where the dot product is larger.
typedef struct rbl_plane {
	rbl_vec3 normal;
	float offset;
} rbl_plane;

/// A plane in double precision.
typedef struct rbl_planed {
	rbl_vec3d normal;
	double offset;
} rbl_planed;

/// Mass, centre and inertia of a body of density 1: see rbl_mesh_get_mass().
typedef struct rbl_mass {
	/// Volume in cubic metres; negative for a mesh turned inside out.
	double volume;

	/// Centre of mass.
	rbl_vec3d centre;

	/// Inertia tensor about `centre`, for density 1.
	rbl_mat3d inertia;
} rbl_mass;
