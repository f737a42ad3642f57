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

/// Planes that fit around points, and the points they were found with.
typedef struct rbl_hull_fit {
	RBL_ARRAY(int) chosen; // in the order of choice
	RBL_ARRAY(rbl_planed) planes;
} rbl_hull_fit;

/// Grow an inner hull by the points that add most, and push the planes of its faces out until every
/// point is exactly behind or on them. The points must be finite and in range.
/// @param keeps_directions  also the planes of faces that were removed on the way
/// @param fit               zero; receives points and planes, to be freed with rbl_hull_fit_free()
/// @return RBL_OK, RBL_BAD_MESH (flat points), RBL_OUT_OF_MEMORY
rbl_result rbl_hull_fit_planes(const rbl_allocator *allocator, const rbl_vec3d *points,
                               int point_count, int vertex_count, bool keeps_directions,
                               rbl_hull_fit *fit);

void rbl_hull_fit_free(const rbl_allocator *allocator, rbl_hull_fit *fit);

/// Check what a hull is made of. @return RBL_OK, RBL_BAD_ARGUMENT
rbl_result rbl_hull_check_points(const rbl_vec3d *points, int point_count);

/// Say that points have no hull. @return RBL_BAD_MESH
rbl_result rbl_hull_refuse_flat(const rbl_vec3d *points, int point_count);
