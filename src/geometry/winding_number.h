// SPDX-License-Identifier: MIT
// The winding number of a closed surface around a point, by rays along a coordinate axis.
//
// All signs are exact, and a point on a triangle, an edge or a vertex, or a ray through one, counts
// as if the point were moved by an infinitesimal step in the second coordinate after the axis, a
// smaller one in the third and the smallest along the axis. So every crossing counts once, and the
// sum over a closed surface is the winding number of the moved point.
#pragma once

#include "base/memory.h"

#include <rubble/types.h>

/// How the ray from p towards +axis passes through a triangle: 1 when it comes out through the
/// front, -1 when it goes in, 0 when it misses.
/// @param axis   0 to 2
/// @param is_on  set when p lies on the triangle, left alone otherwise
int rbl_ray_crossing(rbl_vec3d p, int axis, rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, bool *is_on);

/// Triangles sorted into columns along an axis. All zero is empty.
typedef struct rbl_ray_columns {
	rbl_allocator allocator;
	const rbl_vec3d *positions; // the caller's, and so are the vertices
	const int *triangles;       // three vertices each
	int triangle_count;
	int axis;
	double low[2], scale[2]; // of the two other coordinates
	int size[2];
	int *starts; // by column: its first item; one more at the end
	int *items;  // triangles
	int item_count;
} rbl_ray_columns;

/// Sort triangles into columns, about one column for each. @return false when memory ran out
/// (nothing is left to destroy). Cost: O(n)
bool rbl_ray_columns_create(rbl_ray_columns *columns, const rbl_allocator *allocator,
                            const rbl_vec3d *positions, const int *triangles, int triangle_count,
                            int axis);

void rbl_ray_columns_destroy(rbl_ray_columns *columns);

/// The triangles that a ray from p may meet. @return how many; *first receives them
int rbl_ray_columns_at(const rbl_ray_columns *columns, rbl_vec3d p, const int **first);

/// rbl_ray_crossing() of a triangle in the columns.
static inline int rbl_ray_columns_crossing(const rbl_ray_columns *columns, int triangle,
                                           rbl_vec3d p, bool *is_on)
{
	const int *v = columns->triangles + 3 * (size_t)triangle;
	const rbl_vec3d *q = columns->positions;
	return rbl_ray_crossing(p, columns->axis, q[v[0]], q[v[1]], q[v[2]], is_on);
}
