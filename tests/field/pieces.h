// SPDX-License-Identifier: MIT
// Broken meshes as fields and references see them: planes and polygons of cells in the mesh's
// coordinates, and exact surfaces of pieces.
#pragma once

#include "exact.h"
#include "shapes.h"

#include "fracture/pieces.h"
#include "geometry/solid.h"

enum { MAX_CELL_PLANES = 200 };

/// A mesh, broken.
typedef struct broken {
	rbl_solid *solid;
	rbl_pattern *pattern;
	rbl_pieces *pieces;
	rbl_vec3d origin; // of the cells
} broken;

static inline broken break_mesh(const rbl_mesh *mesh, int cells, uint64_t seed)
{
	broken b = { 0 };
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = rbl_box_size_d(box), pattern_def.cell_count = cells, pattern_def.seed = seed;
	if (rbl_create_solid(&solid_def, &b.solid) != RBL_OK ||
	    rbl_create_pattern(&pattern_def, &b.pattern) != RBL_OK)
		return b;
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = b.solid, def.pattern = b.pattern;
	def.position = rbl_box_centre_d(box);
	rbl_create_pieces(&def, &b.pieces);
	b.origin = b.solid->origin;
	return b;
}

static inline void mend(broken *b)
{
	rbl_destroy_pieces(b->pieces);
	rbl_destroy_pattern(b->pattern);
	rbl_destroy_solid(b->solid);
}

static inline rbl_planed cell_plane(const broken *b, int face)
{
	rbl_planed plane = rbl_cell_face_plane(&b->pieces->cells, face);
	plane.offset += rbl_dot_d(plane.normal, b->origin);
	return plane;
}

/// The planes of a cell; those of the container's walls are left out. @return how many
static inline int cell_planes(const broken *b, int cell, rbl_plane *planes)
{
	const rbl_cells *cells = &b->pieces->cells;
	int count = 0;
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		rbl_planed plane = cell_plane(b, f);
		if (cells->faces[f].neighbour >= 0 && count < MAX_CELL_PLANES)
			planes[count++] = (rbl_plane){ rbl_to_f(plane.normal), (float)plane.offset };
	}
	return count;
}

/// A list of triangles that grows.
typedef struct triangles {
	rbl_vec3d (*data)[3];
	rbl_vec3 *floats; // the same corners, for definitions
	int count, capacity;
} triangles;

static inline void add_triangle(triangles *list, const rbl_vec3d t[3])
{
	if (list->count == list->capacity) {
		list->capacity = 2 * list->capacity + 64;
		list->data = realloc(list->data, (size_t)list->capacity * sizeof *list->data);
		list->floats = realloc(list->floats, (size_t)list->capacity * 3 * sizeof *list->floats);
	}
	memcpy(list->data[list->count], t, 3 * sizeof *t);
	for (int k = 0; k < 3; ++k)
		list->floats[3 * list->count + k] = rbl_to_f(t[k]);
	list->count++;
}

static inline void add_triangles(triangles *list, const exact_mesh *mesh)
{
	for (int i = 0; i < mesh->count; ++i)
		add_triangle(list, mesh->triangles[i]);
}

static inline rbl_triangle_list as_list(const triangles *list)
{
	return (rbl_triangle_list){ list->floats, list->count };
}

static inline void free_triangles(triangles *list)
{
	free(list->data);
	free(list->floats);
}

static inline exact_mesh exact_from_piece(const broken *b, int piece, rbl_mesh **mesh)
{
	rbl_piece_create_mesh(b->pieces, piece, NULL, mesh);
	return exact_from_mesh(*mesh);
}

static inline rbl_box float_box(rbl_boxd box)
{
	return (rbl_box){ { rbl_float_below(box.lower.x), rbl_float_below(box.lower.y),
		                rbl_float_below(box.lower.z) },
		              { rbl_float_above(box.upper.x), rbl_float_above(box.upper.y),
		                rbl_float_above(box.upper.z) } };
}

/// Whether a triangle lies in a plane of a cell with a neighbour for which something holds.
static inline bool lies_between(const broken *b, int cell, const rbl_vec3d t[3], const bool *chosen)
{
	const rbl_cells *cells = &b->pieces->cells;
	double size = b->solid->size;
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		rbl_planed plane = cell_plane(b, f);
		double worst = 0.0;
		for (int k = 0; k < 3; ++k)
			worst = rbl_maxd(worst, fabs(rbl_dot_d(plane.normal, t[k]) - plane.offset));
		if (worst < 1e-11 * size && cells->faces[f].neighbour >= 0)
			return chosen[cells->faces[f].neighbour];
	}
	return false;
}

/// A union of cells, with its arrays.
typedef struct made_union {
	rbl_cell_union u;
	int *plane_starts, *corner_starts;
	rbl_plane *planes;
	rbl_vec3 *corners;
	rbl_box *boxes;
} made_union;

/// The union of chosen cells: exposed polygons are faces whose neighbour was not chosen.
static inline made_union make_union(const broken *b, const bool *chosen)
{
	const rbl_cells *cells = &b->pieces->cells;
	made_union m = { .plane_starts = calloc((size_t)cells->cell_count + 1, sizeof(int)),
		             .corner_starts = calloc((size_t)cells->face_count + 1, sizeof(int)),
		             .planes = malloc((size_t)cells->face_count * sizeof(rbl_plane)),
		             .corners = malloc((size_t)cells->corner_count * sizeof(rbl_vec3)),
		             .boxes = malloc((size_t)cells->cell_count * sizeof(rbl_box)) };
	int planes = 0, corners = 0;
	for (int c = 0; c < cells->cell_count; ++c) {
		for (int f = cells->cell_faces[c]; chosen[c] && f < cells->cell_faces[c + 1]; ++f) {
			rbl_planed plane = cell_plane(b, f);
			m.planes[planes++] = (rbl_plane){ rbl_to_f(plane.normal), (float)plane.offset };
			int neighbour = cells->faces[f].neighbour;
			if (neighbour < 0 || chosen[neighbour])
				continue;
			for (int k = cells->face_corners[f]; k < cells->face_corners[f + 1]; ++k) {
				int v = cells->cell_vertices[c] + cells->corner_vertices[k];
				m.corners[corners++] = rbl_to_f(rbl_add_d(cells->vertices[v], b->origin));
			}
			m.corner_starts[++m.u.polygon_count] = corners;
		}
		if (!chosen[c])
			continue;
		rbl_boxd box = rbl_box_empty_d();
		for (int v = cells->cell_vertices[c]; v < cells->cell_vertices[c + 1]; ++v)
			box = rbl_box_add_point_d(box, rbl_add_d(cells->vertices[v], b->origin));
		m.boxes[m.u.cell_count] = float_box(box);
		m.plane_starts[++m.u.cell_count] = planes;
	}
	m.u.plane_starts = m.plane_starts, m.u.planes = m.planes;
	m.u.corner_starts = m.corner_starts, m.u.corners = m.corners;
	m.u.cell_boxes = m.boxes;
	return m;
}

static inline void free_union(made_union *m)
{
	free(m->plane_starts);
	free(m->corner_starts);
	free(m->planes);
	free(m->corners);
	free(m->boxes);
}

/// Cells around a seed cell, by neighbours, as many as wanted.
static inline void choose_cells(const broken *b, int seed, int wanted, bool *chosen)
{
	const rbl_cells *cells = &b->pieces->cells;
	memset(chosen, 0, (size_t)cells->cell_count * sizeof *chosen);
	chosen[seed] = true;
	for (int count = 1; count < wanted;) {
		int before = count;
		for (int c = 0; c < cells->cell_count && count < wanted; ++c)
			for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1] && count < wanted;
			     ++f) {
				int other = cells->faces[f].neighbour;
				if (chosen[c] && other >= 0 && !chosen[other])
					chosen[other] = true, count++;
			}
		if (count == before)
			return;
	}
}
