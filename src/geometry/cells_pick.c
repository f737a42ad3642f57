// SPDX-License-Identifier: MIT
//
// Some of the cells, for what meets only those.
//
// A blow meets a few dozen stones, and each of them a few of the pattern's cells. Cutting a stone by
// all cells would cost as much as the pattern is large, stone after stone. Faces towards cells that
// are left out keep their planes: those still part the stone, although nothing of it is just beyond
// them. (A cell without one of its planes reaches past that face into cells that are no neighbours.)

#include "geometry/cells.h"

#include "base/vec.h"

static void copy_cell(rbl_cells *picked, int to, const rbl_cells *cells, int from, rbl_vec3d shift)
{
	int face = picked->cell_faces[to], old_face = cells->cell_faces[from];
	int vertex = picked->cell_vertices[to], old_vertex = cells->cell_vertices[from];
	int corner = 3 * vertex, old_corner = 3 * old_vertex;
	int face_count = cells->cell_faces[from + 1] - old_face;
	int vertex_count = cells->cell_vertices[from + 1] - old_vertex;
	size_t bytes = (size_t)(3 * vertex_count) * sizeof(int);
	for (int f = 0; f < face_count; ++f) {
		picked->faces[face + f] = cells->faces[old_face + f];
		picked->face_corners[face + f] = cells->face_corners[old_face + f] + corner - old_corner;
	}
	memcpy(picked->corner_vertices + corner, cells->corner_vertices + old_corner, bytes);
	memcpy(picked->corner_faces + corner, cells->corner_faces + old_corner, bytes);
	memcpy(picked->corner_twins + corner, cells->corner_twins + old_corner, bytes);
	for (int v = 0; v < vertex_count; ++v)
		picked->vertices[vertex + v] = rbl_add_d(cells->vertices[old_vertex + v], shift);
	picked->seeds[to] = rbl_add_d(cells->seeds[from], shift);
	picked->volumes[to] = cells->volumes[from];
	picked->centres[to] = rbl_add_d(cells->centres[from], shift);
	picked->cell_faces[to + 1] = face + face_count;
	picked->cell_vertices[to + 1] = vertex + vertex_count;
}

// Neighbours, twins and joints by their new numbers. places[f] is the new number of face f, or -1.
static void renumber(rbl_cells *picked, const rbl_cells *cells, const int *numbers,
                     const int *places)
{
	for (int f = 0; f < picked->face_count; ++f) {
		rbl_cell_face *face = &picked->faces[f];
		int neighbour = face->neighbour;
		if (neighbour < 0)
			continue;
		face->neighbour = numbers[neighbour] >= 0 ? numbers[neighbour] : RBL_CELL_LEFT_OUT;
		face->twin = face->twin >= 0 ? places[face->twin] : -1;
	}
	picked->joint_count = 0;
	for (int i = 0; i < cells->joint_count; ++i) {
		int f = cells->joints[i], twin = cells->faces[f].twin;
		int place = places[f] >= 0 ? places[f] : twin >= 0 ? places[twin] : -1;
		if (place >= 0)
			picked->joints[picked->joint_count++] = place;
	}
}

rbl_result rbl_cells_pick(rbl_cells *picked, const rbl_allocator *allocator, const rbl_cells *cells,
                          const int *chosen, int count, rbl_vec3d shift)
{
	*picked = (rbl_cells){ .cell_count = count, .plane_count = cells->plane_count };
	picked->box =
		(rbl_boxd){ rbl_add_d(cells->box.lower, shift), rbl_add_d(cells->box.upper, shift) };
	for (int i = 0; i < count; ++i) {
		int c = chosen[i];
		picked->face_count += cells->cell_faces[c + 1] - cells->cell_faces[c];
		picked->vertex_count += cells->cell_vertices[c + 1] - cells->cell_vertices[c];
	}
	picked->corner_count = 3 * picked->vertex_count;
	int *numbers = RBL_NEW(allocator, int, cells->cell_count + cells->face_count + 1);
	if (!numbers || !rbl_cells_allocate(picked, allocator)) {
		RBL_FREE(allocator, numbers, cells->cell_count + cells->face_count + 1);
		*picked = (rbl_cells){ 0 };
		return RBL_OUT_OF_MEMORY;
	}
	int *places = numbers + cells->cell_count;
	for (int i = 0; i < cells->cell_count + cells->face_count; ++i)
		numbers[i] = -1;
	for (int i = 0; i < count; ++i) {
		copy_cell(picked, i, cells, chosen[i], shift);
		numbers[chosen[i]] = i;
		int first = cells->cell_faces[chosen[i]];
		for (int f = first; f < cells->cell_faces[chosen[i] + 1]; ++f)
			places[f] = picked->cell_faces[i] + f - first;
	}
	picked->face_corners[picked->face_count] = picked->corner_count;
	for (int i = 0; i < cells->plane_count; ++i) {
		rbl_planed plane = cells->planes[i];
		plane.offset += rbl_dot_d(plane.normal, shift);
		picked->planes[i] = plane;
	}
	renumber(picked, cells, numbers, places);
	RBL_FREE(allocator, numbers, cells->cell_count + cells->face_count + 1);
	return RBL_OK;
}
