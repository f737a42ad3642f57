// SPDX-License-Identifier: MIT
//
// Placing a pattern on a body: rotation, shape, position, and the cells that meet it.
//
// Cells that do not meet the body's bounds are left out, so that the cost depends on what is cut
// and not on the size of the pattern. Their number is known before any is copied.

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

rbl_result rbl_too_many_cuts(int64_t count, bool is_lower_bound, int limit)
{
	return rbl_fail(RBL_LIMIT_REACHED,
	                "it takes %s%lld cuts by cells of the pattern, more than cut_limit %d: take "
	                "fewer or larger cells, hit less of the body, or raise the limit",
	                is_lower_bound ? "at least " : "", (long long)count, limit);
}

// The body's bounds as the pattern sees them: a slanted box, and the box around that.
typedef struct slanted_box {
	rbl_vec3d centre, axes[3]; // axes: from the centre to three of its sides
	rbl_boxd around;
} slanted_box;

static slanted_box see_box(rbl_boxd body, rbl_mat3d inverse, rbl_vec3d shift)
{
	rbl_vec3d half = rbl_scale_d(0.5, rbl_box_size_d(body));
	slanted_box box = { rbl_mat_vec_d(inverse, rbl_sub_d(rbl_box_centre_d(body), shift)),
		                { rbl_scale_d(half.x, inverse.x), rbl_scale_d(half.y, inverse.y),
		                  rbl_scale_d(half.z, inverse.z) },
		                rbl_box_empty_d() };
	for (int k = 0; k < 8; ++k) {
		rbl_vec3d p = { k & 1 ? body.upper.x : body.lower.x, k & 2 ? body.upper.y : body.lower.y,
			            k & 4 ? body.upper.z : body.lower.z };
		box.around = rbl_box_add_point_d(box.around, rbl_mat_vec_d(inverse, rbl_sub_d(p, shift)));
	}
	return box;
}

// Whether a cell meets the body's bounds, or comes so near that only rounding is between them.
static bool meets(const rbl_cells *cells, int cell, const slanted_box *box, double margin)
{
	if (cells->cell_faces[cell] == cells->cell_faces[cell + 1])
		return false;
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		rbl_planed plane = rbl_cell_face_plane(cells, f);
		double reach = margin;
		for (int k = 0; k < 3; ++k)
			reach += fabs(rbl_dot_d(plane.normal, box->axes[k]));
		if (rbl_plane_distance_d(plane, box->centre) > reach)
			return false;
	}
	rbl_boxd around = rbl_box_empty_d();
	for (int v = cells->cell_vertices[cell]; v < cells->cell_vertices[cell + 1]; ++v)
		around = rbl_box_add_point_d(around, cells->vertices[v]);
	return rbl_box_overlaps_d(rbl_box_grow_d(around, margin), box->around);
}

// Copy the cells that meet the body to their place.
static rbl_result place_meeting(const rbl_cells *from, const slanted_box *box,
                                const rbl_placement *placement, rbl_mat3d map,
                                const rbl_allocator *allocator, rbl_cells *cells)
{
	double margin = 1e-6 * rbl_length_d(rbl_box_size_d(box->around));
	int *chosen = RBL_NEW(allocator, int, (size_t)from->cell_count + 1);
	if (!chosen)
		return RBL_OUT_OF_MEMORY;
	int count = 0;
	for (int c = 0; c < from->cell_count; ++c)
		if (meets(from, c, box, margin))
			chosen[count++] = c;
	rbl_result result = RBL_OK;
	if (count > placement->cell_limit) {
		result = rbl_too_many_cuts(count, true, placement->cell_limit);
	} else if (count == from->cell_count) {
		result = rbl_cells_map(cells, allocator, from, map, placement->position);
	} else {
		rbl_cells picked;
		result = rbl_cells_subset(&picked, allocator, from, chosen, count, (rbl_vec3d){ 0, 0, 0 });
		if (result == RBL_OK) {
			result = rbl_cells_map(cells, allocator, &picked, map, placement->position);
			rbl_cells_destroy(&picked);
		}
	}
	RBL_FREE(allocator, chosen, (size_t)from->cell_count + 1);
	return result;
}

rbl_result rbl_pattern_place(const rbl_pattern *pattern, const rbl_placement *placement,
                             rbl_jobs *jobs, const rbl_allocator *allocator, rbl_cells *cells)
{
	rbl_mat3d map = placement->shape;
	if (placement->rotation_seed != 0)
		map = rbl_mat_mul_d(map, rbl_quat_to_mat_d(random_rotation(placement->rotation_seed)));
	rbl_vec3d shift = placement->position;
	rbl_mat3d inverse = rbl_mat_inverse_d(map);
	*cells = (rbl_cells){ 0 };
	if (!rbl_is_finite_d(inverse.x) || !rbl_is_finite_d(inverse.y) || !rbl_is_finite_d(inverse.z) ||
	    rbl_mat_determinant_d(inverse) == 0.0)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape has no inverse");

	slanted_box body = see_box(placement->bounds, inverse, shift);
	rbl_boxd reach = rbl_box_grow_d(body.around, 1e-3 * rbl_length_d(rbl_box_size_d(body.around)));
	rbl_boxd own = rbl_pattern_box(pattern->size, pattern->is_endless ? 8.0 : 1.0);
	rbl_boxd limit = rbl_box_grow_d(own, 1e9 * rbl_length_d(rbl_box_size_d(own)));
	if (!rbl_box_is_valid_d(reach) || !rbl_box_contains_d(limit, reach))
		return rbl_fail(RBL_BAD_ARGUMENT, "the solid is 1e9 times the pattern's size away from it");
	if (rbl_box_contains_d(pattern->cells.box, reach))
		return place_meeting(&pattern->cells, &body, placement, map, allocator, cells);

	rbl_cells around = { 0 };
	rbl_result result = RBL_OK;
	bool ends = !pattern->is_endless;
	if (!ends) {
		result =
			rbl_pattern_cells_in(pattern, reach, placement->cell_limit, jobs, allocator, &around);
		if (result == RBL_LIMIT_REACHED)
			result =
				rbl_too_many_cuts((int64_t)placement->cell_limit + 1, true, placement->cell_limit);
		// Given planes that do not meet in the pattern's own box may do so around the body.
		ends = result == RBL_OK && !pattern->sites && !rbl_cells_fill_their_box(&around);
	}
	if (result == RBL_OK && ends && !placement->may_end)
		result = rbl_fail(RBL_BAD_ARGUMENT, "the solid reaches beyond cells that have an end");
	if (result == RBL_OK)
		result = place_meeting(ends ? &pattern->cells : &around, &body, placement, map, allocator,
		                       cells);
	if (around.cell_faces)
		rbl_cells_destroy(&around);
	return result;
}
