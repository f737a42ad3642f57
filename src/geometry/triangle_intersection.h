// SPDX-License-Identifier: MIT
// Exact triangle-triangle tests.
//
// A triangle is the set of points between its three vertices, borders included. When the vertices
// lie on a line or at one place, that set is a segment or a point, and is tested as such. Two
// triangles meet when the sets have a point in common: touching counts. The answer is the one of
// real arithmetic (in the range of rbl_orient3d), so it does not depend on the order of the
// triangles, or of the vertices in them.
//
// Test boxes first: these functions begin with the planes.
#pragma once

#include <rubble/types.h>

#include <stdbool.h>

/// @return whether two triangles meet. Threads: any.
bool rbl_triangles_meet(const rbl_vec3d a[3], const rbl_vec3d b[3]);

/// The same for floats.
bool rbl_triangles_meet_float(const rbl_vec3 a[3], const rbl_vec3 b[3]);

/// Whether two triangles of a mesh meet apart from what they share, which is how a surface meets
/// itself. The first `shared_count` vertices (0, 1 or 2) of both are the same:
///   0  they meet anywhere;
///   1  they meet at a point other than the shared vertex;
///   2  they meet at a point that is not on the shared edge.
/// Vertices that are not shared but lie at one place are different vertices.
bool rbl_triangles_meet_apart(const rbl_vec3d a[3], const rbl_vec3d b[3], int shared_count);

/// The same for floats.
bool rbl_triangles_meet_apart_float(const rbl_vec3 a[3], const rbl_vec3 b[3], int shared_count);

/// The same for triangles given by vertex indices, in any order; equal indices are shared
/// vertices. A triangle with the same three vertices as the other meets it.
bool rbl_indexed_triangles_meet(const rbl_vec3d *positions, const int a[3], const int b[3]);

/// The same for floats.
bool rbl_indexed_triangles_meet_float(const rbl_vec3 *positions, const int a[3], const int b[3]);
