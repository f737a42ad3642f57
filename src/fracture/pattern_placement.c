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

#include <limits.h>

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

static rbl_slanted_box see_box(rbl_boxd body, rbl_mat3d inverse, rbl_vec3d shift)
{
	rbl_vec3d half = rbl_scale_d(0.5, rbl_box_size_d(body));
	rbl_slanted_box box = { rbl_mat_vec_d(inverse, rbl_sub_d(rbl_box_centre_d(body), shift)),
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
static bool meets(const rbl_cells *cells, int cell, const rbl_slanted_box *box, double margin)
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

// Cells that have an end may leave some of a body outside, or not.
static rbl_result check_end(const rbl_placing *p)
{
	return p->placement.may_end
	           ? RBL_OK
	           : rbl_fail(RBL_BAD_ARGUMENT, "the solid reaches beyond cells that have an end");
}

static rbl_result refuse_too_many(const rbl_placing *p, rbl_result result)
{
	int limit = p->placement.cell_limit;
	return result == RBL_LIMIT_REACHED ? rbl_too_many_cuts((int64_t)limit + 1, true, limit)
	                                   : result;
}

// The cells that a body is cut by: the pattern's own, or new ones where it reaches out of those.
static rbl_result find_source(rbl_placing *p, rbl_jobs *jobs)
{
	const rbl_pattern *pattern = p->pattern;
	rbl_boxd reach =
		rbl_box_grow_d(p->body.around, 1e-3 * rbl_length_d(rbl_box_size_d(p->body.around)));
	rbl_boxd own = rbl_pattern_box(pattern->size, pattern->is_endless ? 8.0 : 1.0);
	rbl_boxd limit = rbl_box_grow_d(own, 1e9 * rbl_length_d(rbl_box_size_d(own)));
	if (!rbl_box_is_valid_d(reach) || !rbl_box_contains_d(limit, reach))
		return rbl_fail(RBL_BAD_ARGUMENT, "the solid is 1e9 times the pattern's size away from it");
	p->from = &pattern->cells;
	if (rbl_box_contains_d(pattern->cells.box, reach))
		return RBL_OK;
	if (!pattern->is_endless)
		return check_end(p);
	return refuse_too_many(p, rbl_cell_making_begin(&p->making, pattern, reach,
	                                                p->placement.cell_limit, jobs, p->allocator));
}

static rbl_result make_around(rbl_placing *p, int *budget)
{
	bool is_made = false;
	rbl_result result =
		refuse_too_many(p, rbl_cell_making_some(&p->making, budget, &is_made, &p->around));
	if (result != RBL_OK || !is_made)
		return result;
	rbl_cell_making_end(&p->making);
	// Given planes that do not meet in the pattern's own box may do so around the body.
	if (!p->pattern->sites && !rbl_cells_fill_their_box(&p->around))
		return check_end(p);
	p->from = &p->around;
	return RBL_OK;
}

rbl_result rbl_placing_begin(rbl_placing *p, const rbl_pattern *pattern,
                             const rbl_placement *placement, rbl_jobs *jobs,
                             const rbl_allocator *allocator, int *budget)
{
	*p = (rbl_placing){ .pattern = pattern, .placement = *placement, .allocator = allocator };
	p->map = placement->shape;
	if (placement->rotation_seed != 0)
		p->map =
			rbl_mat_mul_d(p->map, rbl_quat_to_mat_d(random_rotation(placement->rotation_seed)));
	rbl_mat3d inverse = rbl_mat_inverse_d(p->map);
	if (!rbl_is_finite_d(inverse.x) || !rbl_is_finite_d(inverse.y) || !rbl_is_finite_d(inverse.z) ||
	    rbl_mat_determinant_d(inverse) == 0.0)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape has no inverse");
	p->body = see_box(placement->bounds, inverse, placement->position);
	p->margin = 1e-6 * rbl_length_d(rbl_box_size_d(p->body.around));
	*budget -= 1;
	return find_source(p, jobs);
}

// Looking at a cell costs about a quarter of a cut where it meets the body, and much less where a
// plane tells that it does not; copying one costs about a third.
enum { MISSES_PER_CUT = 32, MISSES_PER_MEETING = 8, COPIES_PER_CUT = 3, PLANES_PER_CUT = 200 };

// Look for cells that meet the body.
static rbl_result look_some(rbl_placing *p, int *budget)
{
	const rbl_cells *from = p->from;
	int64_t most = (int64_t)MISSES_PER_CUT * *budget, left = most;
	for (; p->next < from->cell_count && left > 0; ++p->next, --left)
		if (meets(from, p->next, &p->body, p->margin)) {
			p->chosen[p->chosen_count++] = p->next;
			left -= MISSES_PER_MEETING - 1;
		}
	*budget -= (int)((most - left + MISSES_PER_CUT - 1) / MISSES_PER_CUT);
	if (p->next == from->cell_count && p->chosen_count > p->placement.cell_limit)
		return rbl_too_many_cuts(p->chosen_count, true, p->placement.cell_limit);
	return RBL_OK;
}

// Few cells are copied at once, since tables are as large as the pattern.
static rbl_result pick_some(rbl_placing *p, int *budget)
{
	enum { FEW = 512 };
	rbl_result result = RBL_OK;
	if (p->chosen_count <= FEW) {
		p->is_picked = true;
		*budget -= 1 + p->chosen_count / COPIES_PER_CUT;
		return rbl_cells_subset(&p->picked, p->allocator, p->from, p->chosen, p->chosen_count,
		                        (rbl_vec3d){ 0, 0, 0 });
	}
	if (!p->picking.cells) {
		*budget -= 1 + p->from->face_count / (20 * PLANES_PER_CUT);
		return rbl_cells_pick_begin(&p->picking, &p->picked, p->allocator, p->from, p->chosen,
		                            p->chosen_count, (rbl_vec3d){ 0, 0, 0 });
	}
	int64_t most = (int64_t)COPIES_PER_CUT * *budget;
	int copies = most < INT_MAX ? (int)most : INT_MAX, left = copies;
	result = rbl_cells_pick_some(&p->picking, &left, &p->is_picked);
	*budget -= (copies - left + COPIES_PER_CUT - 1) / COPIES_PER_CUT;
	return result;
}

rbl_result rbl_cell_mapping_some(rbl_cell_mapping *m, const rbl_cells *from, rbl_mat3d map,
                                 rbl_vec3d shift, const rbl_allocator *allocator, int *budget,
                                 bool *is_done, rbl_cells *cells)
{
	*is_done = false;
	if (!m->is_begun) {
		*budget -= 1 + from->plane_count / PLANES_PER_CUT;
		rbl_result result = rbl_cells_map_begin(cells, allocator, from, map, shift);
		m->is_begun = result == RBL_OK;
		return result;
	}
	int64_t most = (int64_t)COPIES_PER_CUT * *budget;
	int left = from->cell_count - m->next, n = left > most ? (int)most : left;
	rbl_cells_map_some(cells, from, map, shift, m->next, m->next + n);
	m->next += n;
	*budget -= (n + COPIES_PER_CUT - 1) / COPIES_PER_CUT;
	*is_done = n == left;
	return RBL_OK;
}

rbl_result rbl_placing_some(rbl_placing *p, int *budget, bool *is_done, rbl_cells *cells)
{
	*is_done = false;
	if (p->making.pattern)
		return make_around(p, budget);
	const rbl_cells *from = p->from;
	if (!p->chosen) {
		p->chosen = RBL_NEW(p->allocator, int, (size_t)from->cell_count + 1);
		return p->chosen ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	if (p->next < from->cell_count)
		return look_some(p, budget);
	bool are_all = p->chosen_count == from->cell_count;
	if (!are_all && !p->is_picked)
		return pick_some(p, budget);
	return rbl_cell_mapping_some(&p->mapping, are_all ? from : &p->picked, p->map,
	                             p->placement.position, p->allocator, budget, is_done, cells);
}

void rbl_placing_end(rbl_placing *p)
{
	if (p->chosen)
		RBL_FREE(p->allocator, p->chosen, (size_t)p->from->cell_count + 1);
	rbl_cell_making_end(&p->making);
	rbl_cells_pick_end(&p->picking);
	if (p->picked.cell_faces)
		rbl_cells_destroy(&p->picked);
	if (p->around.cell_faces)
		rbl_cells_destroy(&p->around);
	*p = (rbl_placing){ .pattern = NULL };
}

rbl_result rbl_pattern_place(const rbl_pattern *pattern, const rbl_placement *placement,
                             rbl_jobs *jobs, const rbl_allocator *allocator, rbl_cells *cells)
{
	rbl_placing p;
	*cells = (rbl_cells){ 0 };
	int budget = INT_MAX;
	rbl_result result = rbl_placing_begin(&p, pattern, placement, jobs, allocator, &budget);
	for (bool is_done = false; result == RBL_OK && !is_done;)
		result = rbl_placing_some(&p, &(int){ INT_MAX }, &is_done, cells);
	rbl_placing_end(&p);
	return result;
}
