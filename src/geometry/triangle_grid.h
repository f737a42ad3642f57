// SPDX-License-Identifier: MIT
// A uniform grid of triangles: those near a box, and the distance to the surface.
#pragma once

#include "base/memory.h"

#include <rubble/types.h>

/// Triangles sorted into cubic cells. All zero is empty.
typedef struct rbl_triangle_grid {
	rbl_allocator allocator;
	const rbl_vec3d *corners; // three per triangle, the caller's
	int triangle_count;
	rbl_vec3d origin;
	double cell;
	int size[3];
	int *starts; // by cell, x fastest: its first item; one more at the end
	int *items;  // triangles
	int item_count;
} rbl_triangle_grid;

/// Sort triangles into cells of about `cell`, larger when there would be too many.
/// @return false when memory ran out
bool rbl_triangle_grid_create(const rbl_allocator *allocator, const rbl_vec3d *corners,
                              int triangle_count, double cell, rbl_triangle_grid *grid);

void rbl_triangle_grid_destroy(rbl_triangle_grid *grid);

/// The cells that a box touches, cut to the grid.
typedef struct rbl_cell_range {
	int lower[3], upper[3]; // inclusive; empty when lower > upper
} rbl_cell_range;

rbl_cell_range rbl_triangle_grid_range(const rbl_triangle_grid *grid, rbl_boxd box);

static inline int rbl_triangle_grid_cell(const rbl_triangle_grid *grid, int x, int y, int z)
{
	return (z * grid->size[1] + y) * grid->size[0] + x;
}

/// @return the distance from p to the nearest triangle
double rbl_triangle_grid_distance(const rbl_triangle_grid *grid, rbl_vec3d p);

/// @return the square of the distance from p to a triangle, which may have no area
double rbl_triangle_distance_squared(const rbl_vec3d t[3], rbl_vec3d p);
