// SPDX-License-Identifier: MIT
//
// Voronoi fracture of a closed mesh: cutting a solid by all cells of a pattern at once.
//
// Other tools intersect each cell with the whole mesh. Here triangles are distributed to cells
// once; most lie in one cell and are never clipped. Each cell then closes its own part of the
// surface without looking at its neighbours, by counting and not by comparing coordinates
// (cell_clip.c, cell_winding.c and cell_caps.c say why). Cells agree only on which of them are
// inside (cell_winding_offset.c). Coordinates may be off by rounding; that cannot open a hole.

#include "fracture/cell_cut.h"

#include "base/vec.h"
#include "fracture/cell_group.h"
#include "fracture/pattern.h"

static bool set_planes(rbl_cell_cut *s)
{
	const rbl_cells *cells = s->cells;
	int n = cells->face_count + 4;
	s->nx = RBL_NEW(s->allocator, double, n);
	s->ny = RBL_NEW(s->allocator, double, n);
	s->nz = RBL_NEW(s->allocator, double, n);
	s->nd = RBL_NEW(s->allocator, double, n);
	s->is_degenerate = RBL_NEW_ZERO(s->allocator, unsigned char, cells->cell_count);
	if (!s->nx || !s->ny || !s->nz || !s->nd || !s->is_degenerate)
		return false;
	for (int f = 0; f < cells->face_count; ++f) {
		rbl_planed plane = rbl_cell_face_plane(cells, f);
		int neighbour = cells->faces[f].neighbour;
		if (neighbour < 0 && neighbour > RBL_CELL_LEFT_OUT) // the container does not cut
			plane = (rbl_planed){ { 0.0, 0.0, 0.0 }, DBL_MAX };
		s->nx[f] = plane.normal.x, s->ny[f] = plane.normal.y, s->nz[f] = plane.normal.z;
		s->nd[f] = plane.offset;
	}
	for (int f = cells->face_count; f < n; ++f) // read, and of no consequence
		s->nx[f] = s->ny[f] = s->nz[f] = s->nd[f] = 0.0;
	for (int c = 0; c < cells->cell_count; ++c)
		s->max_faces = rbl_maxi(s->max_faces, cells->cell_faces[c + 1] - cells->cell_faces[c]);
	return true;
}

static void find_degenerate_cells(rbl_cell_cut *s)
{
	const rbl_cells *cells = s->cells;
	double limit = s->short_edge * s->short_edge;
	for (int c = 0; c < cells->cell_count; ++c) {
		const rbl_vec3d *vertices = cells->vertices + cells->cell_vertices[c];
		int first = 3 * cells->cell_vertices[c], end = 3 * cells->cell_vertices[c + 1];
		for (int k = first; k < end; ++k) {
			rbl_vec3d a = vertices[cells->corner_vertices[k]];
			rbl_vec3d b = vertices[cells->corner_vertices[first + cells->corner_twins[k]]];
			s->is_degenerate[c] |= rbl_length_squared_d(rbl_sub_d(a, b)) <= limit;
		}
	}
}

static bool set_workers(rbl_cell_cut *s)
{
	s->polygon_capacity = 8 * s->max_faces + 64;
	s->workers = RBL_NEW_ZERO(s->allocator, rbl_cell_cut_worker, s->worker_count);
	if (!s->workers)
		return false;
	for (int i = 0; i < s->worker_count; ++i) {
		rbl_cell_cut_worker *w = &s->workers[i];
		w->polygons[0] = RBL_NEW(s->allocator, rbl_clip_corner, 2 * s->polygon_capacity);
		w->distances = RBL_NEW(s->allocator, double, 3 * (s->max_faces + 4));
		w->masks = RBL_NEW_ZERO(s->allocator, unsigned char, s->max_faces + 8);
		w->signs = RBL_NEW(s->allocator, unsigned char, s->polygon_capacity);
		if (!w->polygons[0] || !w->distances || !w->masks || !w->signs)
			return false;
		w->polygons[1] = w->polygons[0] + s->polygon_capacity;
	}
	return true;
}

static void free_all(rbl_cell_cut *s)
{
	const rbl_allocator *a = s->allocator;
	int n = s->cells->face_count + 4, cells = s->cells->cell_count;
	RBL_FREE(a, s->nx, n);
	RBL_FREE(a, s->ny, n);
	RBL_FREE(a, s->nz, n);
	RBL_FREE(a, s->nd, n);
	RBL_FREE(a, s->is_degenerate, cells);
	for (int i = 0; s->workers && i < s->worker_count; ++i) {
		rbl_array_free(a, &s->workers[i].corners);
		RBL_FREE(a, s->workers[i].polygons[0], 2 * s->polygon_capacity);
		RBL_FREE(a, s->workers[i].distances, 3 * (s->max_faces + 4));
		RBL_FREE(a, s->workers[i].masks, s->max_faces + 8);
		RBL_FREE(a, s->workers[i].signs, s->polygon_capacity);
	}
	RBL_FREE(a, s->workers, s->worker_count);
	RBL_FREE(a, s->cell_of, s->solid->vertex_count);
	RBL_FREE(a, s->uncut_cell_of, s->solid->triangle_count);
	RBL_FREE(a, s->seen, s->seen_capacity);
	RBL_FREE(a, s->uncut_starts, cells + 2);
	RBL_FREE(a, s->part_starts, cells + 2);
	RBL_FREE(a, s->uncut_triangles, s->solid->triangle_count + 1);
	RBL_FREE(a, s->part_lists, s->parts.count + 1);
	rbl_array_free(a, &s->parts);
}

// --- in steps -----------------------------------------------------------------------------------

typedef enum cut_stage {
	SET_UP,
	LOCATE,
	FIND_UNCUT,
	CLIP,
	BEGIN_GROUP,
	WIND,
	MAKE_PIECES,
	CUT_DONE,
} cut_stage;

struct rbl_cut_task {
	rbl_cell_cut s;
	rbl_pieces *pieces;
	cut_stage stage;
	int next; // item of the stage
	int group_index;
	rbl_cell_group group;
};

rbl_cut_task *rbl_cut_task_begin(const rbl_solid *solid, const rbl_cells *cells, rbl_jobs *jobs,
                                 rbl_pieces *pieces)
{
	rbl_cut_task *cutting = RBL_NEW_ZERO(&pieces->allocator, rbl_cut_task, 1);
	if (!cutting)
		return NULL;
	cutting->pieces = pieces;
	cutting->s = (rbl_cell_cut){ .solid = solid,
		                         .cells = cells,
		                         .allocator = &pieces->allocator,
		                         .jobs = jobs,
		                         .worker_count = rbl_jobs_worker_count(jobs),
		                         .tie_tolerance = 1e-13 * solid->size,
		                         .snap_tolerance = 1e-11 * solid->size,
		                         .short_edge = 1e-10 * solid->size };
	cutting->s.part_limit = rbl_clip_limit(pieces->def.cut_limit, solid->triangle_count);
	return cutting;
}

static bool set_up_cut(rbl_cell_cut *s)
{
	s->cell_of = RBL_NEW(s->allocator, int, s->solid->vertex_count);
	s->uncut_cell_of = RBL_NEW(s->allocator, int, s->solid->triangle_count);
	if (!s->cell_of || !s->uncut_cell_of || !set_planes(s) || !set_workers(s))
		return false;
	find_degenerate_cells(s);
	return true;
}

// The group has all its pieces.
static bool end_group(rbl_cut_task *c)
{
	bool done = rbl_cell_group_append_pieces(&c->group, c->pieces) == RBL_OK;
	rbl_cell_group_end(&c->group);
	memset(&c->group, 0, sizeof c->group);
	c->group_index++;
	return done;
}

static void enter_cut_stage(rbl_cut_task *c, cut_stage next_stage)
{
	c->stage = next_stage;
	c->next = 0;
}

// One step. @return false when memory ran out
static bool advance_cut(rbl_cut_task *c, int *budget)
{
	rbl_cell_cut *s = &c->s;
	switch (c->stage) {
	case SET_UP:
		enter_cut_stage(c, LOCATE);
		return set_up_cut(s);
	case LOCATE:
		c->next = rbl_cell_cut_locate(s, c->next, budget);
		if (c->next == s->solid->vertex_count)
			enter_cut_stage(c, FIND_UNCUT);
		return true;
	case FIND_UNCUT:
		c->next = rbl_cell_cut_find_uncut(s, c->next, budget);
		if (c->next < s->solid->triangle_count)
			return true;
		enter_cut_stage(c, CLIP);
		return rbl_cell_cut_clip_begin(s);
	case CLIP:
		c->next = rbl_cell_cut_clip(s, c->next, budget);
		if (c->next < s->parts.count)
			return c->next >= 0;
		enter_cut_stage(c, BEGIN_GROUP);
		return rbl_cell_cut_list_by_cell(s);
	case BEGIN_GROUP:
		enter_cut_stage(c, c->group_index < s->solid->group_count ? WIND : CUT_DONE);
		return c->stage == CUT_DONE || rbl_cell_group_begin(&c->group, s, c->group_index);
	case WIND:
		c->next = rbl_cell_group_wind(&c->group, c->next, budget);
		if (c->next < s->cells->cell_count)
			return c->next >= 0;
		enter_cut_stage(c, MAKE_PIECES);
		return rbl_cell_group_find_offsets(&c->group) == RBL_OK;
	case MAKE_PIECES:
		c->next = rbl_cell_group_make_pieces(&c->group, c->next, budget);
		if (c->next < s->cells->cell_count)
			return c->next >= 0;
		enter_cut_stage(c, BEGIN_GROUP);
		return end_group(c);
	case CUT_DONE:
		break;
	}
	return true;
}

rbl_result rbl_cut_task_work(rbl_cut_task *cutting, int *budget, bool *is_done)
{
	while (*budget > 0 && cutting->stage != CUT_DONE) {
		if (!advance_cut(cutting, budget))
			return cutting->s.is_limited
			           ? rbl_too_many_cuts(cutting->s.parts.count / RBL_CLIPS_PER_CUT, true,
			                               cutting->pieces->def.cut_limit)
			           : RBL_OUT_OF_MEMORY;
	}
	*is_done = cutting->stage == CUT_DONE;
	return RBL_OK;
}

void rbl_cut_task_limit(rbl_cut_task *cutting, const unsigned char *wanted,
                        const double *known_areas)
{
	rbl_cell_cut *s = &cutting->s;
	s->wanted = wanted;
	s->known_areas = known_areas;
}

int rbl_cut_task_clipped(const rbl_cut_task *cutting)
{
	return cutting->s.parts.count;
}

void rbl_cut_task_end(rbl_cut_task *cutting)
{
	if (!cutting)
		return;
	rbl_allocator a = *cutting->s.allocator;
	rbl_cell_group_end(&cutting->group);
	free_all(&cutting->s);
	RBL_FREE(&a, cutting, 1);
}
