// SPDX-License-Identifier: MIT
//
// Pieces of members that have a mesh (Mueller et al. 2013, section 3.3).
//
// The mesh is cut by all cells at once, into closed components. A component that is the bare cell
// has none of the surface on it and needs no mesh: it is an internal piece. Any other keeps its
// mesh, and its convex is the member's, cut by the cell and then by planes that touch the mesh from
// outside: it holds the mesh, stays within the convex it came from, and shares the cell's planes
// with its neighbours. Components in one cell may have convexes that overlap; where they go apart,
// the break lists them.

#include "fracture/break.h"

#include "base/log.h"
#include "base/vec.h"
#include "fracture/pieces.h"
#include "fracture/shatter.h"
#include "fracture/solid.h"

#include <limits.h>

#define FIT_TAG (RBL_NO_PLANE_ID - 1)

enum { MOST_PLANES = 26, PER_CUT = 10 }; // triangles clipped in the time of a convex by a cell

static int plane_count_of(rbl_fit fit)
{
	return fit == RBL_FIT_BOX ? 6 : fit == RBL_FIT_14 ? 14 : 26;
}

// A convex of the fit's planes alone.
static rbl_result fit_alone(const rbl_planed *planes, int count, const rbl_mesh *mesh,
                            const rbl_allocator *allocator, rbl_convex **convex)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	double size = rbl_length_d(rbl_box_size_d(box));
	rbl_convex_def def = rbl_default_convex_def();
	def.box = rbl_box_grow_d(box, 1e-9 * size); // touches nothing
	def.planes = planes;
	def.plane_count = count;
	def.allocator = *allocator;
	return rbl_create_convex(&def, convex);
}

// Planes of the fit are nobody's. @return the number of faces before them
static int forget_tags(rbl_carving *carving)
{
	rbl_carving_compact(carving); // new faces are the last
	int end = carving->face_count;
	for (; end > 0 && carving->tags[end - 1] == FIT_TAG; --end)
		carving->tags[end - 1] = RBL_NO_PLANE_ID;
	return end;
}

rbl_result rbl_fit_convex(const rbl_mesh *mesh, rbl_fit fit, rbl_carving *carving, double tolerance,
                          const rbl_allocator *allocator, rbl_convex **convex, int *face_end)
{
	rbl_mesh_data data = rbl_mesh_view(mesh);
	rbl_planed planes[MOST_PLANES];
	int count = plane_count_of(fit);
	*convex = NULL;
	*face_end = INT_MAX;
	rbl_result result = rbl_fit_kdop(data.positions, data.vertex_count, count, planes);
	if (result != RBL_OK)
		return result;
	rbl_cut_result cut = carving && carving->vertex_count > 0 ? RBL_CUT_MISSED : RBL_CUT_EMPTY;
	for (int i = 0; i < count && cut < RBL_CUT_EMPTY; ++i)
		cut = rbl_carving_cut(carving, planes[i], tolerance, FIT_TAG);
	if (cut == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	if (cut != RBL_CUT_EMPTY) {
		int end = forget_tags(carving);
		result = rbl_convex_from_carving(carving, allocator, convex);
		if (result == RBL_OK && !rbl_convex_view(*convex).is_approximate)
			*face_end = end;
		return result;
	}
	return fit_alone(planes, count, mesh, allocator, convex); // thinner than rounding
}

static rbl_result add_piece(rbl_breaker *b, int index, int member, rbl_carving *carving)
{
	const rbl_member *m = &b->compound->members.data[member];
	const rbl_piece *piece = &b->pieces->pieces.data[index];
	int cell = b->chosen[piece->cell];
	rbl_made made = { .parent = member, .cell = cell, .material = m->material };
	made.next_of_weld = made.chip = -1;
	made.face_end = INT_MAX;
	bool is_whole, is_rough = b->def->inner.roughness > 0.0;
	rbl_cut_result cut = rbl_break_carve(b, carving, m->convex, cell, &is_whole);
	if (cut == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	b->counts.cut_count++;
	rbl_result result = RBL_OK;
	if (is_whole && rbl_pieces_count(b->pieces) == 1) {
		made.is_whole = true;
		made.convex = m->convex;
	} else if (piece->block < 0 && cut != RBL_CUT_EMPTY && !is_rough) {
		result = rbl_convex_from_carving(carving, b->allocator, &made.convex);
	} else {
		result = rbl_piece_mesh(b->pieces, index, b->allocator, &made.mesh);
		made.is_rough = is_rough || m->is_rough;
		if (result == RBL_OK)
			result = rbl_fit_convex(made.mesh, b->def->fit, carving, b->tolerance, b->allocator,
			                        &made.convex, &made.face_end);
	}
	if (result == RBL_OK) {
		made.volume = rbl_convex_mass(made.convex).volume;
		made.is_outside = isfinite(b->def->radius) &&
		                  rbl_convex_distance(made.convex, b->def->position) > b->def->radius;
		made.is_outside &= !made.is_whole;
		made.is_anchored = m->is_anchored && made.is_outside;
		if (!rbl_array_push(b->allocator, &b->made, made))
			result = RBL_OUT_OF_MEMORY;
	}
	if (result != RBL_OK && !made.is_whole) {
		rbl_destroy_convex(made.convex);
		rbl_destroy_mesh(made.mesh);
	}
	return result;
}

// Where given cells end, meshes are not cut: beyond the end there is no cell to be in.
static bool is_within_cells(const rbl_breaker *b, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_view(mesh);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_vec3d centre = rbl_box_centre_d(box), half = rbl_scale_d(0.5, rbl_box_size_d(box));
	for (int k = 0; k < 6; ++k) {
		rbl_planed plane = b->cells->planes[k];
		double reach = fabs(plane.normal.x) * half.x + fabs(plane.normal.y) * half.y +
		               fabs(plane.normal.z) * half.z;
		if (rbl_plane_distance_d(plane, centre) + reach <= 0.0)
			continue;
		for (int v = 0; v < data.vertex_count; ++v) {
			if (rbl_plane_distance_d(plane, data.positions[v]) > 0.0)
				return false;
		}
	}
	return true;
}

// Whether a plane of the cell has all points beyond it, by more than rounding.
static bool is_beyond_cell(const rbl_cells *cells, int cell, const rbl_vec3d *points, int count,
                           double margin)
{
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		rbl_planed plane = rbl_cell_face_plane(cells, f);
		plane.offset += margin;
		int v = 0;
		while (v < count && rbl_plane_distance_d(plane, points[v]) > 0.0)
			v++;
		if (v == count)
			return true;
	}
	return false;
}

// The cells that the member meets. A rough mesh reaches out of its convex. @return false when memory
// ran out
static bool choose_cells(rbl_breaker *b, const rbl_member *m)
{
	b->chosen_count = 0;
	b->chosen = RBL_NEW(b->allocator, int, (size_t)b->cells->cell_count + 1);
	if (!b->chosen)
		return false;
	rbl_convex_data convex = rbl_convex_view(m->convex);
	rbl_mesh_data mesh = rbl_mesh_view(m->mesh);
	rbl_boxd box = m->is_rough ? rbl_mesh_bounds(m->mesh) : rbl_convex_bounds(m->convex);
	const rbl_vec3d *points = m->is_rough ? mesh.positions : convex.vertices;
	int count = m->is_rough ? mesh.vertex_count : convex.vertex_count;
	double margin = 1e-9 * rbl_length_d(rbl_box_size_d(box));
	box = rbl_box_grow_d(box, margin);
	for (int c = 0; c < b->cells->cell_count; ++c) {
		if (rbl_box_overlaps_d(box, b->cell_boxes[c]) &&
		    !is_beyond_cell(b->cells, c, points, count, margin))
			b->chosen[b->chosen_count++] = c;
	}
	return true;
}

// The member's mesh as a solid, and the cut of it.
static rbl_result begin_cut(rbl_breaker *b, int member)
{
	rbl_member *m = &b->compound->members.data[member];
	if (!is_within_cells(b, m->mesh))
		return rbl_fail(RBL_BAD_ARGUMENT, "part %d reaches beyond cells that have an end", member);
	if (!m->solid) {
		rbl_solid_def solid_def = rbl_default_solid_def();
		solid_def.mesh = m->mesh;
		solid_def.allocator = *b->allocator;
		rbl_result result = rbl_create_solid(&solid_def, &m->solid);
		if (result != RBL_OK)
			return result;
	}
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = m->solid;
	def.pattern = b->def->pattern;
	def.inner = b->def->inner;
	def.jobs = b->def->jobs;
	def.allocator = *b->allocator;
	b->next_piece = 0;
	rbl_cells cells;
	if (!choose_cells(b, m) ||
	    rbl_cells_pick(&cells, b->allocator, b->cells, b->chosen, b->chosen_count,
	                   rbl_neg_d(m->solid->origin)) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	return rbl_begin_pieces(&def, &cells, &b->pieces, &b->cutting);
}

// Some of the pieces of a cut that is through.
static rbl_result add_pieces(rbl_breaker *b, int member, int *budget)
{
	rbl_carving carving;
	rbl_carving_init(&carving, b->allocator);
	rbl_convex *convex = b->compound->members.data[member].convex;
	// What touches within the compound's tolerance goes on doing so.
	double size = rbl_length_d(rbl_box_size_d(rbl_convex_bounds(convex)));
	b->tolerance = rbl_maxd(1e-12, 2.0 * b->compound->tolerance) * size;
	rbl_result result = RBL_OK;
	for (; b->next_piece < rbl_pieces_count(b->pieces) && *budget > 0 && result == RBL_OK;
	     ++b->next_piece) {
		*budget -= 1 + b->pieces->pieces.data[b->next_piece].face_count / PER_CUT;
		result = add_piece(b, b->next_piece, member, &carving);
	}
	rbl_carving_destroy(&carving);
	return result;
}

void rbl_break_drop_pieces(rbl_breaker *b)
{
	rbl_cutting_end(b->cutting);
	rbl_destroy_pieces(b->pieces);
	if (b->cells)
		RBL_FREE(b->allocator, b->chosen, (size_t)b->cells->cell_count + 1);
	b->cutting = NULL;
	b->pieces = NULL;
	b->chosen = NULL;
}

rbl_result rbl_break_mesh(rbl_breaker *b, int member, int *budget, bool *is_done)
{
	rbl_result result = RBL_OK;
	*is_done = false;
	if (!b->pieces) {
		result = begin_cut(b, member);
		*budget -= 1;
	}
	if (result == RBL_OK && b->cutting && *budget > 0) {
		bool is_cut = false;
		int triangles = *budget < INT_MAX / PER_CUT ? *budget * PER_CUT : INT_MAX;
		result = rbl_cutting_work(b->cutting, &triangles, &is_cut);
		*budget = triangles / PER_CUT;
		if (is_cut) {
			rbl_cutting_end(b->cutting);
			b->cutting = NULL;
		}
	}
	if (result != RBL_OK || b->cutting)
		return result;
	result = add_pieces(b, member, budget);
	if (result != RBL_OK || b->next_piece < rbl_pieces_count(b->pieces))
		return result;
	rbl_break_drop_pieces(b);
	*is_done = true;
	return RBL_OK;
}
