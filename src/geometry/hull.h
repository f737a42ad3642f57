// SPDX-License-Identifier: MIT
// Inside the exact hull: triangles first (quickhull.c), then polygons (hull.c).
#pragma once

#include "base/memory.h"

#include <rubble/hull.h>

/// A triangle of the growing hull. Corners run counter-clockwise from outside; neighbour i is
/// across the edge from corner i to corner i + 1. 112 bytes.
typedef struct rbl_hull_triangle {
	rbl_vec3d normal;     // not of unit length
	rbl_vec3d base;       // the first corner
	double bound;         // |dot(normal, p - base)| above this has the right sign, for all points
	double farthest_side; // the largest such value of the points above
	int vertices[3];
	int neighbors[3];
	int first_point;    // points strictly above: a list through `next`; -1 none
	int farthest_point; // the one that is farthest, about
	int mark;           // the last insertion that saw it, or RBL_HULL_FREE
	int serial;         // tells a slot's users apart
} rbl_hull_triangle;

/// All triangles, free slots between them; a slot is in use when its mark is not
/// RBL_HULL_FREE.
typedef struct rbl_hull_triangles {
	RBL_ARRAY(rbl_hull_triangle) slots;
	int used_count;
} rbl_hull_triangles;

#define RBL_HULL_FREE (-1)

/// Triangulate the hull of points that are finite.
/// @param triangles  zero; receives the triangles, to be freed with rbl_array_free(&slots)
/// @return RBL_OK, RBL_BAD_MESH (flat points), RBL_OUT_OF_MEMORY
rbl_result rbl_quickhull(const rbl_allocator *allocator, const rbl_vec3d *points, int point_count,
                         rbl_hull_triangles *triangles);

/// The first tetrahedron: four points that span space, as far apart as cheap means find.
/// @return the dimension of all points; below 3, only corners 0 to dimension are set
int rbl_find_simplex(const rbl_vec3d *points, int point_count, int corners[4]);
