// SPDX-License-Identifier: MIT
//
// Triangles near each other, by a grid of about four cells for each: most cells of a surface are
// empty, and the others hold a handful.

#include "geometry/near_triangles.h"

#include "base/math.h"
#include "base/vec.h"

bool rbl_near_triangles_create(rbl_near_triangles *near, const rbl_allocator *allocator,
                               const rbl_vec3d *positions, const int *triangles, int triangle_count)
{
	*near = (rbl_near_triangles){ .allocator = *allocator, .triangle_count = triangle_count };
	size_t n = (size_t)triangle_count;
	near->corners = RBL_NEW(allocator, rbl_vec3d, 3 * n + 1);
	near->boxes = RBL_NEW(allocator, rbl_boxd, n + 1);
	near->stamps = RBL_NEW(allocator, int, n + 1);
	bool done = near->corners && near->boxes && near->stamps;
	if (done) {
		rbl_boxd all = rbl_box_empty_d();
		double extent = 0.0;
		for (size_t t = 0; t < n; ++t) {
			rbl_boxd box = rbl_box_empty_d();
			for (size_t k = 0; k < 3; ++k) {
				near->corners[3 * t + k] = positions[triangles[3 * t + k]];
				box = rbl_box_add_point_d(box, near->corners[3 * t + k]);
			}
			near->boxes[t] = box;
			near->stamps[t] = 0;
			all = rbl_box_join_d(all, box);
			extent += rbl_length_d(rbl_box_size_d(box)) / triangle_count;
		}
		// A flat surface has cells in its plane alone; a box without a size has one.
		rbl_vec3d size = n > 0 ? rbl_box_size_d(all) : (rbl_vec3d){ 0.0, 0.0, 0.0 };
		double cell = rbl_cbrt(size.x * size.y * size.z / (4.0 * (double)n + 1.0));
		cell = rbl_maxd(rbl_maxd(cell, 0.5 * extent), 1e-6 * rbl_length_d(size));
		done = rbl_triangle_grid_create(allocator, near->corners, triangle_count,
		                                cell > 0.0 ? cell : 1.0, &near->grid);
	}
	if (!done)
		rbl_near_triangles_destroy(near);
	return done;
}

void rbl_near_triangles_destroy(rbl_near_triangles *near)
{
	const rbl_allocator *a = &near->allocator;
	size_t n = (size_t)near->triangle_count;
	rbl_triangle_grid_destroy(&near->grid);
	rbl_array_free(a, &near->found);
	RBL_FREE(a, near->corners, 3 * n + 1);
	RBL_FREE(a, near->boxes, n + 1);
	RBL_FREE(a, near->stamps, n + 1);
	*near = (rbl_near_triangles){ 0 };
}

bool rbl_near_triangles_find(rbl_near_triangles *near, int triangle, int above)
{
	const rbl_triangle_grid *grid = &near->grid;
	rbl_boxd box = near->boxes[triangle];
	rbl_cell_range r = rbl_triangle_grid_range(grid, box);
	near->found.count = 0;
	near->stamps[triangle] = ++near->question;
	for (int z = r.lower[2]; z <= r.upper[2]; ++z) {
		for (int y = r.lower[1]; y <= r.upper[1]; ++y) {
			int cell = rbl_triangle_grid_cell(grid, r.lower[0], y, z);
			int end = grid->starts[cell + r.upper[0] - r.lower[0] + 1];
			for (int i = grid->starts[cell]; i < end; ++i) {
				int other = grid->items[i];
				if (other <= above || near->stamps[other] == near->question)
					continue;
				near->stamps[other] = near->question;
				if (rbl_box_overlaps_d(box, near->boxes[other]) &&
				    !rbl_array_push(&near->allocator, &near->found, other))
					return false;
			}
		}
	}
	return true;
}
