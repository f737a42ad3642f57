// SPDX-License-Identifier: MIT
//
// Placing a pattern on a body: rotation, shape, position, and a container large enough.

#include "fracture/pattern.h"

#include "base/log.h"
#include "base/random.h"
#include "base/vec.h"

// A rotation with all orientations equally likely: a random point of the unit ball in four
// dimensions, pushed out to the sphere.
static rbl_quatd random_rotation(uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	for (int i = 0; i < 1000; ++i) {
		rbl_quatd q = { rbl_random_range(&random, -1.0, 1.0), rbl_random_range(&random, -1.0, 1.0),
			            rbl_random_range(&random, -1.0, 1.0),
			            rbl_random_range(&random, -1.0, 1.0) };
		double squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
		if (squared <= 1.0 && squared > 0.01)
			return rbl_quat_normalize_d(q);
	}
	return rbl_quat_identity_d();
}

rbl_result rbl_pattern_place(const rbl_pattern *pattern, const rbl_placement *placement,
                             rbl_jobs *jobs, const rbl_allocator *allocator, rbl_cells *cells)
{
	rbl_mat3d map = placement->shape;
	if (placement->rotation_seed != 0)
		map = rbl_mat_mul_d(map, rbl_quat_to_mat_d(random_rotation(placement->rotation_seed)));
	rbl_vec3d shift = placement->position;
	rbl_mat3d inverse = rbl_mat_inverse_d(map);
	if (!rbl_is_finite_d(inverse.x) || !rbl_is_finite_d(inverse.y) || !rbl_is_finite_d(inverse.z) ||
	    rbl_mat_determinant_d(inverse) == 0.0)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape has no inverse");

	rbl_boxd body = placement->bounds, reach = rbl_box_empty_d(); // as the pattern sees it
	for (int k = 0; k < 8; ++k) {
		rbl_vec3d p = { k & 1 ? body.upper.x : body.lower.x, k & 2 ? body.upper.y : body.lower.y,
			            k & 4 ? body.upper.z : body.lower.z };
		reach = rbl_box_add_point_d(reach, rbl_mat_vec_d(inverse, rbl_sub_d(p, shift)));
	}
	reach = rbl_box_grow_d(reach, 1e-3 * rbl_length_d(rbl_box_size_d(reach)));
	rbl_boxd limit =
		rbl_box_grow_d(pattern->cells.box, 1e9 * rbl_length_d(rbl_box_size_d(pattern->cells.box)));
	if (!rbl_box_is_valid_d(reach) || !rbl_box_contains_d(limit, reach))
		return rbl_fail(RBL_BAD_ARGUMENT, "the solid is 1e9 times the pattern's size away from it");
	if (rbl_box_contains_d(pattern->cells.box, reach))
		return rbl_cells_map(cells, allocator, &pattern->cells, map, shift);

	rbl_cells larger = { 0 };
	rbl_result result = RBL_OK;
	rbl_boxd box = rbl_box_join_d(pattern->cells.box, reach);
	bool ends = !pattern->is_endless;
	if (!ends) {
		result = rbl_pattern_cells_in(pattern, box, jobs, allocator, &larger);
		// Given planes that do not meet in the pattern's own box may do so in a larger one.
		ends = result == RBL_OK && !pattern->sites && !rbl_cells_fill_their_box(&larger);
	}
	if (result == RBL_OK && ends && !placement->may_end)
		result = rbl_fail(RBL_BAD_ARGUMENT, "the solid reaches beyond cells that have an end");
	if (result == RBL_OK)
		result = rbl_cells_map(cells, allocator, ends ? &pattern->cells : &larger, map, shift);
	if (larger.cell_faces)
		rbl_cells_destroy(&larger);
	return result;
}
