// SPDX-License-Identifier: MIT
//
// Which cells are inside as a whole.
//
// Winding numbers (cell_winding.c) are known per cell up to a constant. Two neighbours see the
// same part of the wall between them, so their constants differ by the difference of the inside
// areas they find there, divided by the wall's area. Areas are insensitive to rounding of single
// points: what is uncertain is thin, and small beside a large wall. So the walls are taken in
// order of size, each joining two sets of cells with known differences, until all are connected to
// the outside, where everything is zero: a maximum spanning tree. Cells without surface take part
// too. (Testing the vertices of cells instead fails where they lie on the surface.)

#include "fracture/cell_group.h"

#include "base/union_find.h"
#include "base/vec.h"

// The area inside at offset zero, as this cell finds it.
static double inside_area(const rbl_cell_group *g, int cell, int face)
{
	if (cell >= g->s->cells->cell_count)
		return 0.0;
	if (!rbl_cell_cut_wants(g->s, cell))
		return g->s->known_areas[face];
	return g->records[cell].has_surface ? g->areas[face] : 0.0;
}

// How much wall area of a cell wants its number one higher, one lower, and all of it.
typedef struct offset_vote {
	double up, down, all;
} offset_vote;

static offset_vote count_votes(const rbl_cell_group *g, int cell)
{
	const rbl_cells *cells = g->s->cells;
	offset_vote sum = { 0.0, 0.0, 0.0 };
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		const rbl_cell_face *face = &cells->faces[f];
		if (face->neighbour >= 0 && face->twin < 0)
			continue;
		double here = inside_area(g, cell, f) + g->offsets[cell] * face->area, there = 0.0;
		if (face->twin >= 0)
			there = inside_area(g, face->neighbour, face->twin) +
			        g->offsets[face->neighbour] * face->area;
		sum.all += face->area;
		if (there - here > 0.5 * face->area)
			sum.up += face->area;
		if (here - there > 0.5 * face->area)
			sum.down += face->area;
	}
	return sum;
}

// The tree believes single walls. One that lies along the surface may be wrong on one side; then
// the cell's other walls outvote it. Each change lowers the area in dispute, and the number of
// rounds is bounded.
static void correct_offsets(rbl_cell_group *g)
{
	int n = g->s->cells->cell_count;
	for (int round = 0; round < 16; ++round) {
		bool changed = false;
		for (int c = 0; c < n; ++c) {
			if (!rbl_cell_cut_wants(g->s, c))
				continue;
			offset_vote sum = count_votes(g, c);
			if (sum.up > 0.5 * sum.all)
				g->offsets[c]++, changed = true;
			else if (sum.down > 0.5 * sum.all)
				g->offsets[c]--, changed = true;
		}
		if (!changed)
			return;
	}
}

rbl_result rbl_cell_group_find_offsets(rbl_cell_group *g)
{
	const rbl_cells *cells = g->s->cells;
	const rbl_allocator *a = g->s->allocator;
	int n = cells->cell_count, outside = n;
	int *parents = RBL_NEW(a, int, n + 1), *shifts = RBL_NEW_ZERO(a, int, n + 1);
	int *wall_cells = RBL_NEW(a, int, cells->face_count + 1);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (parents && shifts && wall_cells) {
		result = RBL_OK;
		int joined = 0;
		parents[outside] = outside;
		for (int i = 0; i < n; ++i) { // what is known has the number zero, as the outside
			parents[i] = rbl_cell_cut_wants(g->s, i) ? i : outside;
			joined += parents[i] == outside;
		}
		for (int c = 0; c < n; ++c) {
			for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f)
				wall_cells[f] = c;
		}
		for (int i = 0; i < cells->shared_face_count && joined < n; ++i) {
			int f = cells->shared_faces[i];
			const rbl_cell_face *face = &cells->faces[f];
			int p = wall_cells[f], q = face->neighbour >= 0 ? face->neighbour : outside;
			int root_p = rbl_union_find_weighted_root(parents, shifts, p),
				root_q = rbl_union_find_weighted_root(parents, shifts, q);
			if (root_p == root_q || !(face->area > 0.0))
				continue;
			double here = inside_area(g, p, f);
			double there = face->twin >= 0 ? inside_area(g, q, face->twin) : 0.0;
			double exact = (there - here) / face->area, whole = floor(exact + 0.5);
			g->uncertain_count += fabs(exact - whole) > 0.1;
			// number(p) - number(q) = whole; join p's set to q's root.
			parents[root_p] = root_q;
			shifts[root_p] = (int)rbl_clampd(whole, -1e6, 1e6) + shifts[q] - shifts[p];
			joined++;
		}
		int root = rbl_union_find_weighted_root(parents, shifts, outside);
		for (int c = 0; c < n; ++c) {
			bool known = rbl_union_find_weighted_root(parents, shifts, c) == root;
			g->offsets[c] = known ? shifts[c] - shifts[outside] : 0;
		}
		correct_offsets(g);
	}
	RBL_FREE(a, parents, n + 1);
	RBL_FREE(a, shifts, n + 1);
	RBL_FREE(a, wall_cells, cells->face_count + 1);
	return result;
}
