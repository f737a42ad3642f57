// SPDX-License-Identifier: MIT
// Pairs of triangles of a surface whose bounding boxes overlap.
#pragma once

#include "geometry/triangle_grid.h"

/// A search over triangles. All zero is empty.
typedef struct rbl_near_triangles {
	rbl_allocator allocator;
	int triangle_count;
	rbl_vec3d *corners; // three per triangle
	rbl_boxd *boxes;
	rbl_triangle_grid grid;
	int *stamps; // per triangle: the last question that found it
	int question;
	RBL_ARRAY(int) found; // by the last question
} rbl_near_triangles;

/// Set it up for triangles of three vertices each.
/// @return false when memory ran out (nothing is left to destroy). Cost: O(n)
bool rbl_near_triangles_create(rbl_near_triangles *near, const rbl_allocator *allocator,
                               const rbl_vec3d *positions, const int *triangles,
                               int triangle_count);

void rbl_near_triangles_destroy(rbl_near_triangles *near);

/// List the triangles above number `above` whose boxes meet that of a triangle, in `found`, each
/// once, in an order that depends on the triangles alone.
/// @return false when memory ran out
bool rbl_near_triangles_find(rbl_near_triangles *near, int triangle, int above);
