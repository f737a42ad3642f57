// SPDX-License-Identifier: MIT
//
// Pieces of parts that have a mesh (Mueller et al. 2013, section 3.3).
//
// The mesh is cut by all cells at once, into closed components. A component that is just the cell
// has no surface on it and needs no mesh: it is an internal piece. Any other keeps its mesh, and
// its convex is the part's, cut by the cell and then by supporting planes of the mesh: it contains
// the mesh, stays within the convex it came from, and shares the cell's planes with its
// neighbours. Components in one cell may have overlapping convexes; where they separate, the break
// lists them.

#include "fracture/break.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fracture/pieces.h"
#include "fracture/cell_cut.h"
#include "geometry/geometry.h"

#include <limits.h>

#define FIT_TAG (RBL_NO_PLANE_ID - 1)

enum { MAX_PLANES = 26, PIECE_BLOCK = 4, LARGE_MESH = 1000 };
enum { FACES_PER_CUT = 10 }; // triangles clipped in the time of a convex by a cell

static int plane_count_of(rbl_fit fit)
{
	return fit == RBL_FIT_BOX ? 6 : fit == RBL_FIT_14 ? 14 : 26;
}

// A convex of the fit's planes alone. Where two that look at each other leave next to nothing
// between them, all are moved out a little: a flat piece needs a convex too.
static rbl_result fit_alone(rbl_planed *planes, int count, const rbl_mesh *mesh,
                            const rbl_allocator *allocator, rbl_convex **convex)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	double size = rbl_length_d(rbl_box_size_d(box)), margin = 1e-9 * size, width = size;
	rbl_convex_def def = rbl_default_convex_def();
	def.box = rbl_box_grow_d(box, margin); // touches nothing
	for (int i = 0; i + 1 < count; i += 2) // opposite planes come in pairs
		width = rbl_mind(width, planes[i].offset + planes[i + 1].offset);
	for (int i = 0; i < count && width < margin; ++i)
		planes[i].offset += margin;
	def.planes = planes;
	def.plane_count = count;
	def.allocator = *allocator;
	return rbl_create_convex(&def, convex);
}

// Planes of the fit are nobody's. @return the number of faces before them
static int forget_tags(rbl_clipper *carving)
{
	rbl_clipper_compact(carving); // new faces are the last
	int end = carving->face_count;
	for (; end > 0 && carving->tags[end - 1] == FIT_TAG; --end)
		carving->tags[end - 1] = RBL_NO_PLANE_ID;
	return end;
}

// The convex of the clipper, or none when it could not be read again.
// @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result take_readable(rbl_clipper *carving, const rbl_allocator *allocator,
                                rbl_convex **convex)
{
	rbl_result result = rbl_convex_from_clipper(carving, allocator, convex);
	if (result != RBL_OK || rbl_convex_has_plane_faces(*convex))
		return result;
	rbl_destroy_convex(*convex);
	*convex = NULL;
	return RBL_OK;
}

rbl_result rbl_fit_convex(const rbl_mesh *mesh, rbl_fit fit, rbl_clipper *carving, double tolerance,
                          const rbl_allocator *allocator, rbl_convex **convex, int *face_end)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_planed planes[MAX_PLANES];
	int count = plane_count_of(fit);
	*convex = NULL;
	*face_end = INT_MAX;
	rbl_result result = rbl_fit_kdop(data.positions, data.vertex_count, count, planes);
	if (result != RBL_OK)
		return result;
	rbl_cut_result cut = carving && carving->vertex_count > 0 ? RBL_CUT_MISSED : RBL_CUT_EMPTY;
	for (int i = 0; i < count && cut < RBL_CUT_EMPTY; ++i)
		cut = rbl_clipper_cut(carving, planes[i], tolerance, FIT_TAG);
	if (cut == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	if (cut != RBL_CUT_EMPTY) {
		int end = forget_tags(carving);
		result = take_readable(carving, allocator, convex);
		if (*convex && !rbl_convex_get_data(*convex).is_approximate)
			*face_end = end;
		if (result != RBL_OK || *convex)
			return result;
	}
	// Thinner than rounding, or cut off a convex that was forged.
	return fit_alone(planes, count, mesh, allocator, convex);
}

// A piece of the mesh, made a piece of the part. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result make_piece(const rbl_breaker *b, const rbl_mesh_cut *c, int index,
                             rbl_cell_clipper *clipper, rbl_break_piece *out)
{
	const rbl_part *m = &b->compound->parts.data[c->part];
	const rbl_piece *cut_piece = &c->mesh_pieces->pieces.data[index];
	int cell = c->chosen[cut_piece->cell];
	rbl_break_piece piece = { .parent = c->part, .cell = cell, .material = m->material };
	piece.next_of_weld = piece.fragment = -1;
	piece.face_end = INT_MAX;
	bool is_whole, is_rough = b->def->inner.roughness > 0.0;
	rbl_cut_result cut = rbl_break_clip_to_cell(b, clipper, m->convex, cell, &is_whole);
	if (cut == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	rbl_clipper *carving = &clipper->carving;
	rbl_result result = RBL_OK;
	if (is_whole && rbl_pieces_count(c->mesh_pieces) == 1) {
		piece.is_whole = true;
		piece.convex = m->convex;
	} else if (cut_piece->block < 0 && cut != RBL_CUT_EMPTY && !is_rough) {
		carving = NULL; // used up
		result = take_readable(&clipper->carving, b->allocator, &piece.convex);
	}
	if (result == RBL_OK && !piece.convex) {
		result = rbl_piece_create_mesh(c->mesh_pieces, index, b->allocator, &piece.mesh);
		piece.is_rough = is_rough || m->is_rough;
		if (result == RBL_OK)
			result = rbl_fit_convex(piece.mesh, b->def->fit, carving, c->tolerance, b->allocator,
			                        &piece.convex, &piece.face_end);
	}
	if (result != RBL_OK) {
		rbl_destroy_mesh(piece.mesh);
		return result;
	}
	piece.volume = rbl_convex_volume(piece.convex);
	if (!piece.is_whole) { // here, side by side with others, and not when the compound changes
		rbl_part part = { .convex = piece.convex, .mesh = piece.mesh };
		rbl_part_measure(&part);
		piece.visual = part.visual;
		piece.shape = part.shape;
	}
	piece.is_outside = isfinite(b->def->radius) &&
	                   rbl_convex_distance(piece.convex, b->def->position) > b->def->radius;
	piece.is_outside &= !piece.is_whole;
	piece.is_anchored =
		m->is_anchored && (piece.is_outside || (b->keeps_anchors && piece.is_whole));
	*out = piece;
	return RBL_OK;
}

// Where given cells end, meshes are not cut: beyond the end there is no cell to be in.
static bool is_within_cells(const rbl_breaker *b, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_vec3d centre = rbl_box_centre_d(box), half = rbl_scale_d(0.5, rbl_box_size_d(box));
	for (int k = 0; k < 6; ++k) {
		rbl_planed plane = b->cells->planes[k];
		double extent = fabs(plane.normal.x) * half.x + fabs(plane.normal.y) * half.y +
		                fabs(plane.normal.z) * half.z;
		if (rbl_plane_distance_d(plane, centre) + extent <= 0.0)
			continue;
		for (int v = 0; v < data.vertex_count; ++v) {
			if (rbl_plane_distance_d(plane, data.positions[v]) > 0.0)
				return false;
		}
	}
	return true;
}

// Copy the cells that a part meets: many in slices, few at once, which takes less than a part of
// cutting by them. @param is_done  receives whether they are there
static rbl_result pick_cells(const rbl_breaker *b, rbl_mesh_cut *cut, rbl_vec3d shift, int *budget,
                             bool *is_done)
{
	enum { FEW = 512, COPIES_PER_CUT = 3 };
	rbl_result result = RBL_OK;
	*budget -= 1;
	if (cut->chosen_count <= FEW) {
		*is_done = true;
		return rbl_cells_subset(&cut->cells, b->allocator, b->cells, cut->chosen, cut->chosen_count,
		                        shift);
	}
	if (!cut->picking.cells)
		result = rbl_cells_pick_begin(&cut->picking, &cut->cells, b->allocator, b->cells,
		                              cut->chosen, cut->chosen_count, shift);
	int64_t most = (int64_t)COPIES_PER_CUT * rbl_maxi(*budget, 1);
	int copies = most < INT_MAX ? (int)most : INT_MAX, left = copies;
	if (result == RBL_OK)
		result = rbl_cells_pick_some(&cut->picking, &left, is_done);
	*budget -= (copies - left + COPIES_PER_CUT - 1) / COPIES_PER_CUT;
	if (result != RBL_OK || *is_done)
		rbl_cells_pick_end(&cut->picking);
	return result;
}

// Make the part's mesh a solid, a piece's in steps. Each break of a body pays for all of them, even
// if another one was faster: a world that was loaded has no solids, and has to go on alike. What
// is there from the beginning costs nothing. @param is_made  receives whether it is there
static rbl_result make_solid(const rbl_breaker *b, rbl_mesh_cut *cut, rbl_part *m, int *budget,
                             bool *is_made)
{
	enum { STEPS = 5, TRIANGLES_PER_CUT = 64 }; // of a step
	rbl_solid_def def = rbl_default_solid_def();
	def.mesh = m->mesh;
	def.allocator = *b->allocator;
	rbl_result result = RBL_OK;
	*is_made = true;
	if (!m->is_piece)
		return m->solid ? RBL_OK : rbl_solid_of_mesh(m->mesh, b->allocator, &m->solid);
	bool is_done = false;
	while (*budget > 0 && cut->paid_steps < STEPS) {
		cut->paid_steps++;
		*budget -= rbl_mesh_triangle_count(m->mesh) / TRIANGLES_PER_CUT;
		if (!m->solid && !cut->making)
			result = rbl_solid_begin(&def, &cut->making);
		if (!m->solid && result == RBL_OK)
			result = rbl_solid_advance(cut->making, &is_done);
		if (is_done && result == RBL_OK)
			result = rbl_solid_check_groups(cut->making);
		if (result != RBL_OK)
			return result;
	}
	*is_made = cut->paid_steps == STEPS;
	if (!*is_made)
		return RBL_OK;
	if (!m->solid)
		m->solid = cut->making;
	else
		rbl_destroy_solid(cut->making);
	cut->making = NULL;
	return RBL_OK;
}

// The part's mesh as a solid, and the cut of it, once its cells are there.
static rbl_result begin_cut(rbl_breaker *b, rbl_mesh_cut *cut, int *budget)
{
	rbl_part *m = &b->compound->parts.data[cut->part];
	if (!is_within_cells(b, m->mesh))
		return rbl_fail(RBL_BAD_ARGUMENT, "part %d reaches beyond cells that have an end",
		                cut->part);
	bool is_made = false;
	rbl_result result = make_solid(b, cut, m, budget, &is_made);
	if (result != RBL_OK || !is_made || *budget <= 0)
		return result;
	// What touches within the compound's tolerance keeps touching.
	double size = rbl_length_d(rbl_box_size_d(rbl_convex_bounds(m->convex)));
	cut->tolerance = rbl_maxd(1e-12, 2.0 * b->compound->tolerance) * size;
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = m->solid;
	def.pattern = b->def->pattern;
	def.inner = b->def->inner;
	// One material breaks bodies of many meshes, some of which have fewer slots than it names.
	int slots = rbl_maxi(rbl_mesh_get_data(m->mesh).material_count, 1);
	def.inner.material = rbl_mini(def.inner.material, slots);
	def.jobs = cut->jobs;
	def.allocator = *b->allocator;
	def.cut_limit = b->def->cut_limit;
	bool is_picked = false;
	result = pick_cells(b, cut, rbl_neg_d(m->solid->origin), budget, &is_picked);
	if (result != RBL_OK || !is_picked)
		return result;
	rbl_cells cells = cut->cells; // the pieces' now
	cut->cells = (rbl_cells){ 0 };
	return rbl_begin_pieces(&def, &cells, &cut->mesh_pieces, &cut->cutting);
}

// The cell that a point is in, or nearest to.
static int cell_of(const rbl_breaker *b, rbl_vec3d point)
{
	const rbl_cells *cells = b->cells;
	int best = 0;
	double min = DBL_MAX;
	for (int c = 0; c < cells->cell_count; ++c) {
		double beyond = -DBL_MAX;
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f)
			beyond = rbl_maxd(beyond, rbl_plane_distance_d(rbl_cell_face_plane(cells, f), point));
		if (beyond > -DBL_MAX && beyond < min)
			min = beyond, best = c;
	}
	return best;
}

// A mesh that encloses nothing, by rounding or because a file says so, cannot be cut. It stays in
// one piece: a blow must not be lost because one part of many is thinner than its digits.
static rbl_result keep_in_one_piece(const rbl_breaker *b, rbl_mesh_cut *cut)
{
	const rbl_part *m = &b->compound->parts.data[cut->part];
	rbl_break_piece piece = { .parent = cut->part,
		                      .cell = cell_of(b, rbl_convex_get_mass(m->convex).centre),
		                      .material = m->material,
		                      .convex = m->convex,
		                      .volume = m->volume,
		                      .next_of_weld = -1,
		                      .fragment = -1,
		                      .face_end = INT_MAX,
		                      .is_whole = true };
	cut->is_done = true;
	return rbl_array_push(b->allocator, &cut->pieces, piece) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

typedef struct piece_maker {
	const rbl_breaker *b;
	const rbl_mesh_cut *cut;
	int first;
	rbl_cell_clipper *clippers; // per worker
	rbl_result *results;        // per piece from the first on
} piece_maker;

static void make_pieces(void *context, int begin, int end, int worker)
{
	const piece_maker *m = context;
	for (int i = begin; i < end; ++i) {
		rbl_break_piece *piece = &m->cut->pieces.data[m->first + i];
		m->results[i] = make_piece(m->b, m->cut, m->first + i, &m->clippers[worker], piece);
	}
}

// Make pieces from `first` on; those that were made before the first failure stay.
static rbl_result run_makers(const rbl_breaker *b, rbl_mesh_cut *cut, int count)
{
	int workers = rbl_jobs_worker_count(cut->jobs);
	piece_maker m = { .b = b, .cut = cut, .first = cut->pieces.count };
	m.clippers = RBL_NEW(b->allocator, rbl_cell_clipper, workers);
	m.results = RBL_NEW(b->allocator, rbl_result, count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (m.clippers && m.results && rbl_array_reserve(b->allocator, &cut->pieces, m.first + count)) {
		for (int i = 0; i < workers; ++i)
			rbl_cell_clipper_init(&m.clippers[i], b->allocator);
		memset(cut->pieces.data + m.first, 0, (size_t)count * sizeof(rbl_break_piece));
		rbl_parallel_for(cut->jobs, count, PIECE_BLOCK, make_pieces, &m);
		result = RBL_OK;
		for (int i = 0; i < count; ++i)
			result = result == RBL_OK ? m.results[i] : result;
		for (int i = 0; i < workers; ++i)
			rbl_cell_clipper_destroy(&m.clippers[i]);
		cut->pieces.count += count; // what failed has nothing
	}
	RBL_FREE(b->allocator, m.clippers, workers);
	RBL_FREE(b->allocator, m.results, count);
	return result;
}

// Some of the pieces of a cut that is through.
static rbl_result add_pieces(const rbl_breaker *b, rbl_mesh_cut *cut, int *budget)
{
	int first = cut->pieces.count, all = rbl_pieces_count(cut->mesh_pieces), end = first;
	for (; end<all && * budget> 0; ++end)
		*budget -= 1 + cut->mesh_pieces->pieces.data[end].face_count / FACES_PER_CUT;
	return end > first ? run_makers(b, cut, end - first) : RBL_OK;
}

static void destroy_pieces(rbl_mesh_cut *cut)
{
	rbl_cut_task_end(cut->cutting);
	rbl_destroy_pieces(cut->mesh_pieces);
	rbl_destroy_solid(cut->making);
	rbl_cells_pick_end(&cut->picking);
	if (cut->cells.cell_faces)
		rbl_cells_destroy(&cut->cells);
	cut->cells = (rbl_cells){ 0 };
	cut->cutting = NULL;
	cut->mesh_pieces = NULL;
	cut->making = NULL;
	cut->paid_steps = 0;
}

void rbl_mesh_cut_set_up(const rbl_breaker *b, rbl_mesh_cut *cut, int touched)
{
	int first = b->chosen_starts[touched];
	cut->part = b->touched.data[touched];
	cut->chosen = b->chosen.data ? b->chosen.data + first : NULL;
	cut->chosen_count = b->chosen_starts[touched + 1] - first;
}

void rbl_mesh_cut_free(rbl_breaker *b, rbl_mesh_cut *cut)
{
	destroy_pieces(cut);
	for (int i = 0; i < cut->pieces.count; ++i) {
		if (!cut->pieces.data[i].is_whole)
			rbl_destroy_convex(cut->pieces.data[i].convex);
		rbl_destroy_mesh(cut->pieces.data[i].mesh);
	}
	rbl_array_free(b->allocator, &cut->pieces);
	memset(cut, 0, sizeof *cut);
}

rbl_result rbl_break_mesh(rbl_breaker *b, rbl_mesh_cut *cut, int *budget)
{
	rbl_result result = RBL_OK;
	if (!cut->mesh_pieces) {
		result = begin_cut(b, cut, budget);
		if (result == RBL_BAD_MESH)
			return keep_in_one_piece(b, cut);
		if (result == RBL_OK && !cut->mesh_pieces)
			return RBL_OK; // its solid or its cells are being made
	}
	if (result == RBL_OK && cut->cutting && *budget > 0) {
		bool is_cut = false;
		int triangles = *budget < INT_MAX / FACES_PER_CUT ? *budget * FACES_PER_CUT : INT_MAX;
		result = rbl_cut_task_work(cut->cutting, &triangles, &is_cut);
		*budget = triangles / FACES_PER_CUT;
		if (is_cut) {
			cut->clipped_count = rbl_cut_task_clipped(cut->cutting);
			rbl_cut_task_end(cut->cutting);
			cut->cutting = NULL;
		}
	}
	if (result != RBL_OK || cut->cutting)
		return result;
	result = add_pieces(b, cut, budget);
	if (result != RBL_OK || cut->pieces.count < rbl_pieces_count(cut->mesh_pieces))
		return result;
	destroy_pieces(cut);
	cut->is_done = true;
	return RBL_OK;
}

// --- several at once ----------------------------------------------------------------------------

typedef struct part_cuts {
	rbl_breaker *b;
	const rbl_sort_item *order; // of those that are wanted, the largest first
} part_cuts;

static void cut_parts(void *context, int begin, int end, int worker)
{
	const part_cuts *m = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		rbl_mesh_cut *cut = &m->b->all_cuts[m->order[i].value];
		while (!cut->is_done && cut->result == RBL_OK)
			cut->result = rbl_break_mesh(m->b, cut, &(int){ INT_MAX });
	}
}

// The parts that are still to be cut, the largest first, so that no worker is left with one of them
// in the end. @return how many
static int set_up_cuts(rbl_breaker *b, rbl_sort_item *order)
{
	int count = 0;
	int64_t sum = 0;
	for (int i = b->next_touched; i < b->touched.count; ++i) {
		rbl_mesh_cut *cut = &b->all_cuts[i];
		const rbl_mesh *mesh = b->compound->parts.data[b->touched.data[i]].mesh;
		if (!mesh)
			continue;
		bool is_begun =
			b->mesh_cut.mesh_pieces || b->mesh_cut.picking.cells || b->mesh_cut.paid_steps > 0;
		if (i == b->next_touched && is_begun) {
			*cut = b->mesh_cut;
			cut->picking.picked = &cut->cells;
			memset(&b->mesh_cut, 0, sizeof b->mesh_cut);
		}
		if (!cut->mesh_pieces)
			rbl_mesh_cut_set_up(b, cut, i);
		int triangles = rbl_mesh_triangle_count(mesh);
		order[count++] = (rbl_sort_item){ UINT32_MAX - (uint32_t)triangles, (uint32_t)i };
		sum += triangles;
	}
	// A mesh that is most of the work is cut by several workers itself; small ones gain nothing by
	// it.
	int64_t share = sum / rbl_jobs_worker_count(b->def->jobs);
	for (int i = 0; i < count; ++i) {
		rbl_mesh_cut *cut = &b->all_cuts[order[i].value];
		int64_t triangles = UINT32_MAX - order[i].key;
		if (!cut->mesh_pieces && triangles > share && triangles > LARGE_MESH)
			cut->jobs = b->def->jobs;
	}
	return count;
}

rbl_result rbl_break_all_meshes(rbl_breaker *b)
{
	int count = b->touched.count;
	if (rbl_jobs_worker_count(b->def->jobs) < 2 || count - b->next_touched < 2)
		return RBL_OK; // one after the other is as good
	rbl_sort_item *order = RBL_NEW(b->allocator, rbl_sort_item, 2 * (size_t)count);
	b->all_cuts = RBL_NEW_ZERO(b->allocator, rbl_mesh_cut, count);
	b->all_count = b->all_cuts ? count : 0;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (order && b->all_cuts) {
		part_cuts m = { b, order };
		int wanted = set_up_cuts(b, order);
		rbl_sort(order, order + wanted, wanted);
		rbl_parallel_for(b->def->jobs, wanted, 1, cut_parts, &m);
		result = RBL_OK;
		for (int i = 0; i < count && result == RBL_OK; ++i)
			result = b->all_cuts[i].result;
	}
	RBL_FREE(b->allocator, order, 2 * (size_t)count);
	return result;
}
