// SPDX-License-Identifier: MIT
//
// Point location: which cell a vertex lies in. Walk from the last vertex's cell across the plane
// that the vertex is farthest beyond, until it is beyond none. Vertices come in a coherent order,
// so one or two cells are tested per vertex. Each block starts afresh, so the answer does not
// depend on the number of workers. Where the walk meets a cell that was left out, all cells are
// tested.

#include "fracture/cell_cut.h"

#include "base/vec.h"

enum { VERTEX_BLOCK = 4096, PER_TRIANGLE = 8 }; // looked at in the time that one takes to clip

static int nearest_seed(const rbl_cells *cells, rbl_vec3d p)
{
	int best = 0;
	double min = DBL_MAX;
	for (int c = 0; c < cells->cell_count; ++c) {
		double d = rbl_length_squared_d(rbl_sub_d(cells->seeds[c], p));
		if (d < min && cells->cell_faces[c + 1] > cells->cell_faces[c])
			min = d, best = c;
	}
	return best;
}

// The face of cell c that p is farthest beyond, or -1.
static int most_violated(const rbl_cell_cut *s, int c, int v, rbl_vec3d p)
{
	int worst = -1;
	double max = 0.0;
	for (int f = s->cells->cell_faces[c]; f < s->cells->cell_faces[c + 1]; ++f) {
		double d = rbl_face_distance(s, f, p);
		if (d < -s->tie_tolerance || (worst >= 0 && d <= max))
			continue;
		if (rbl_vertex_is_beyond(s, v, f, d))
			worst = f, max = d;
	}
	return worst;
}

static int find_cell(const rbl_cell_cut *s, int v, rbl_vec3d p)
{
	for (int c = 0; c < s->cells->cell_count; ++c) {
		if (s->cells->cell_faces[c + 1] > s->cells->cell_faces[c] && most_violated(s, c, v, p) < 0)
			return c;
	}
	return -1;
}

static void locate_block(void *context, int begin, int end, int worker)
{
	const rbl_cell_cut *s = context;
	const rbl_cells *cells = s->cells;
	(void)worker;
	begin += s->first, end += s->first;
	int limit = rbl_mini(cells->cell_count, 1000) + 16;
	int cell = nearest_seed(cells, s->solid->positions[begin]);
	for (int v = begin; v < end; ++v) {
		rbl_vec3d p = s->solid->positions[v];
		int steps = 0, next = cell;
		for (; steps < limit; ++steps) {
			int f = most_violated(s, next, v, p);
			if (f < 0)
				break;
			next = cells->faces[f].neighbour;
			if (next < 0) {
				next = find_cell(s, v, p);
				break;
			}
		}
		s->cell_of[v] = steps < limit ? next : -1;
		if (s->cell_of[v] >= 0)
			cell = next;
	}
}

static void whole_block(void *context, int begin, int end, int worker)
{
	const rbl_cell_cut *s = context;
	(void)worker;
	for (int t = s->first + begin; t < s->first + end; ++t) {
		const int *v = s->solid->triangle_vertices + 3 * t;
		int a = s->cell_of[v[0]], b = s->cell_of[v[1]], c = s->cell_of[v[2]];
		s->uncut_cell_of[t] = a == b && b == c ? a : -1;
	}
}

// About as many items as the budget allows, of those that are left.
static int items_within(int left, int *budget)
{
	int n = *budget < left / PER_TRIANGLE ? *budget * PER_TRIANGLE : left;
	n = rbl_mini((n / VERTEX_BLOCK + 1) * VERTEX_BLOCK,
	             left); // whole blocks, because each starts afresh
	*budget -= n / PER_TRIANGLE + 1;
	return n;
}

int rbl_cell_cut_locate(rbl_cell_cut *s, int first, int *budget)
{
	int n = items_within(s->solid->vertex_count - first, budget);
	s->first = first;
	rbl_parallel_for(s->jobs, n, VERTEX_BLOCK, locate_block, s);
	return first + n;
}

int rbl_cell_cut_find_uncut(rbl_cell_cut *s, int first, int *budget)
{
	int n = items_within(s->solid->triangle_count - first, budget);
	s->first = first;
	rbl_parallel_for(s->jobs, n, VERTEX_BLOCK, whole_block, s);
	return first + n;
}
