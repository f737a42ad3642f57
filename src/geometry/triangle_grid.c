// SPDX-License-Identifier: MIT
//
// A uniform grid of triangles.
//
// A triangle is put into the cells of its box whose centre is near enough to its plane. The
// distance query looks at shells of cells round the point until the nearest triangle found is
// nearer than the next shell.

#include "geometry/triangle_grid.h"

#include "base/vec.h"

#include <stdlib.h>

enum { MAX_CELLS = 1 << 24 };

static int cell_index(double x, int size)
{
	return x < 0.0 ? 0 : x >= (double)size ? size - 1 : (int)x;
}

rbl_cell_range rbl_triangle_grid_range(const rbl_triangle_grid *grid, rbl_boxd box)
{
	rbl_cell_range range;
	for (int k = 0; k < 3; ++k) {
		double low = (rbl_axis_d(box.lower, k) - rbl_axis_d(grid->origin, k)) / grid->cell;
		double high = (rbl_axis_d(box.upper, k) - rbl_axis_d(grid->origin, k)) / grid->cell;
		range.lower[k] = cell_index(low, grid->size[k]);
		range.upper[k] = cell_index(high, grid->size[k]);
	}
	return range;
}

/// Visit the cells of one triangle: count them, or write it into them.
static int visit_cells(rbl_triangle_grid *grid, int triangle, bool write)
{
	const rbl_vec3d *t = grid->corners + 3 * (size_t)triangle;
	rbl_boxd box = { rbl_min_d(t[0], rbl_min_d(t[1], t[2])),
		             rbl_max_d(t[0], rbl_max_d(t[1], t[2])) };
	rbl_cell_range range = rbl_triangle_grid_range(grid, box);
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
	double extent = 0.5 * grid->cell * (fabs(normal.x) + fabs(normal.y) + fabs(normal.z));
	extent *= 1.0 + 1e-9; // with rounding
	int count = 0;
	for (int z = range.lower[2]; z <= range.upper[2]; ++z) {
		for (int y = range.lower[1]; y <= range.upper[1]; ++y) {
			for (int x = range.lower[0]; x <= range.upper[0]; ++x) {
				rbl_vec3d centre = { grid->origin.x + (x + 0.5) * grid->cell,
					                 grid->origin.y + (y + 0.5) * grid->cell,
					                 grid->origin.z + (z + 0.5) * grid->cell };
				if (fabs(rbl_dot_d(normal, rbl_sub_d(centre, t[0]))) > extent)
					continue;
				count++;
				int cell = rbl_triangle_grid_cell(grid, x, y, z);
				if (write)
					grid->items[grid->starts[cell]++] = triangle;
				else
					grid->starts[cell]++;
			}
		}
	}
	return count;
}

static void set_cells(rbl_triangle_grid *grid, double cell)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < 3 * grid->triangle_count; ++i)
		box = rbl_box_add_point_d(box, grid->corners[i]);
	box = rbl_box_grow_d(box, 1e-6 * cell);
	rbl_vec3d size = rbl_box_size_d(box);
	for (grid->cell = cell;; grid->cell *= 1.25) {
		double x = floor(size.x / grid->cell) + 1.0, y = floor(size.y / grid->cell) + 1.0;
		double z = floor(size.z / grid->cell) + 1.0;
		if (x * y * z > MAX_CELLS)
			continue;
		grid->size[0] = (int)x, grid->size[1] = (int)y, grid->size[2] = (int)z;
		break;
	}
	grid->origin = box.lower;
}

bool rbl_triangle_grid_create(const rbl_allocator *allocator, const rbl_vec3d *corners,
                              int triangle_count, double cell, rbl_triangle_grid *grid)
{
	*grid = (rbl_triangle_grid){ .allocator = *allocator,
		                         .corners = corners,
		                         .triangle_count = triangle_count };
	set_cells(grid, cell);
	int cell_count = grid->size[0] * grid->size[1] * grid->size[2];
	grid->starts = RBL_NEW_ZERO(allocator, int, cell_count + 1);
	if (!grid->starts)
		return false;
	for (int i = 0; i < triangle_count; ++i)
		grid->item_count += visit_cells(grid, i, false);
	// Counts become starts; filling moves each to its end, which is the next one's start.
	for (int i = 0, sum = 0; i <= cell_count; ++i) {
		int count = grid->starts[i];
		grid->starts[i] = sum;
		sum += count;
	}
	grid->items = RBL_NEW(allocator, int, grid->item_count);
	if (!grid->items) {
		rbl_triangle_grid_destroy(grid);
		return false;
	}
	for (int i = 0; i < triangle_count; ++i)
		visit_cells(grid, i, true);
	for (int i = cell_count; i > 0; --i)
		grid->starts[i] = grid->starts[i - 1];
	grid->starts[0] = 0;
	return true;
}

void rbl_triangle_grid_destroy(rbl_triangle_grid *grid)
{
	if (grid->starts)
		RBL_FREE(&grid->allocator, grid->starts, grid->size[0] * grid->size[1] * grid->size[2] + 1);
	RBL_FREE(&grid->allocator, grid->items, grid->item_count);
	grid->starts = grid->items = NULL;
}

static double segment_distance_squared(rbl_vec3d from, rbl_vec3d edge, double length_squared)
{
	double along = rbl_dot_d(edge, from);
	double t = length_squared > 0.0 ? rbl_clampd(along / length_squared, 0.0, 1.0) : 0.0;
	rbl_vec3d rest = rbl_add_scaled_d(from, -t, edge);
	return rbl_dot_d(rest, rest);
}

double rbl_triangle_distance_squared(const rbl_vec3d t[3], rbl_vec3d p)
{
	rbl_vec3d edges[3], from[3];
	for (int i = 0; i < 3; ++i)
		edges[i] = rbl_sub_d(t[(i + 1) % 3], t[i]), from[i] = rbl_sub_d(p, t[i]);
	rbl_vec3d normal = rbl_cross_d(edges[0], edges[1]);
	bool is_inside = true;
	for (int i = 0; i < 3; ++i)
		is_inside &= rbl_dot_d(normal, rbl_cross_d(edges[i], from[i])) > 0.0;
	if (is_inside) {
		double side = rbl_dot_d(normal, from[0]);
		return side * side / rbl_dot_d(normal, normal);
	}
	double best = DBL_MAX;
	for (int i = 0; i < 3; ++i) {
		double length_squared = rbl_dot_d(edges[i], edges[i]);
		best = rbl_mind(best, segment_distance_squared(from[i], edges[i], length_squared));
	}
	return best;
}

/// The squared distance to the nearest triangle in the cells of one shell: those at distance
/// `ring` from a cell, in cells.
static double shell_distance(const rbl_triangle_grid *grid, const int centre[3], int ring,
                             rbl_vec3d p, double best)
{
	for (int z = centre[2] - ring; z <= centre[2] + ring; ++z) {
		if (z < 0 || z >= grid->size[2])
			continue;
		for (int y = centre[1] - ring; y <= centre[1] + ring; ++y) {
			if (y < 0 || y >= grid->size[1])
				continue;
			bool is_side = abs(z - centre[2]) == ring || abs(y - centre[1]) == ring;
			int step = is_side || ring == 0 ? 1 : 2 * ring;
			for (int x = centre[0] - ring; x <= centre[0] + ring; x += step) {
				if (x < 0 || x >= grid->size[0])
					continue;
				int cell = rbl_triangle_grid_cell(grid, x, y, z);
				for (int i = grid->starts[cell]; i < grid->starts[cell + 1]; ++i) {
					const rbl_vec3d *t = grid->corners + 3 * (size_t)grid->items[i];
					best = rbl_mind(best, rbl_triangle_distance_squared(t, p));
				}
			}
		}
	}
	return best;
}

double rbl_triangle_grid_distance(const rbl_triangle_grid *grid, rbl_vec3d p)
{
	rbl_boxd here = { p, p };
	rbl_cell_range range = rbl_triangle_grid_range(grid, here);
	// How far the point is inside its cell; negative when it is outside the grid. Cells beyond a
	// shell are at least that much and the width of the shells away.
	double margin = DBL_MAX;
	for (int k = 0; k < 3; ++k) {
		double x = rbl_axis_d(p, k) - rbl_axis_d(grid->origin, k) - range.lower[k] * grid->cell;
		margin = rbl_mind(margin, rbl_mind(x, grid->cell - x));
	}
	double best = DBL_MAX;
	int rings = rbl_maxi(grid->size[0], rbl_maxi(grid->size[1], grid->size[2]));
	for (int ring = 0; ring <= rings; ++ring) {
		best = shell_distance(grid, range.lower, ring, p, best);
		double extent = margin + ring * grid->cell;
		if (extent > 0.0 && best <= extent * extent)
			break;
	}
	return sqrt(best);
}
