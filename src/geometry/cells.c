// SPDX-License-Identifier: MIT
//
// Gathering cells that were carved one by one into one structure with shared planes.
//
// The two cells beside a wall were carved independently. Here they get one plane: that of the
// cell with the lower index. A face that rounding left on one side only keeps its own plane. Each
// cell by itself is a valid polyhedron; whether neighbours agree in every tiny face is not needed
// by anybody.

#include "geometry/cells.h"

#include "base/log.h"
#include "base/vec.h"

#include <limits.h>

bool rbl_cells_part_add(rbl_cells_part *part, const rbl_allocator *allocator, rbl_carving *carving,
                        int id, rbl_vec3d origin)
{
	rbl_carving_compact(carving);
	int face_count = carving->face_count, vertex_count = carving->vertex_count;
	int corner_count = 3 * vertex_count;
	if (!rbl_array_reserve(allocator, &part->ids, part->ids.count + 1) ||
	    !rbl_array_reserve(allocator, &part->face_counts, part->face_counts.count + 1) ||
	    !rbl_array_reserve(allocator, &part->vertex_counts, part->vertex_counts.count + 1) ||
	    !rbl_array_reserve(allocator, &part->seeds, part->seeds.count + 1) ||
	    !rbl_array_reserve(allocator, &part->faces, part->faces.count + face_count) ||
	    !rbl_array_reserve(allocator, &part->planes, part->planes.count + face_count) ||
	    !rbl_array_reserve(allocator, &part->corner_counts,
	                       part->corner_counts.count + face_count + 1) ||
	    !rbl_array_reserve(allocator, &part->corner_vertices,
	                       part->corner_vertices.count + corner_count) ||
	    !rbl_array_reserve(allocator, &part->corner_faces,
	                       part->corner_faces.count + corner_count) ||
	    !rbl_array_reserve(allocator, &part->vertices, part->vertices.count + vertex_count))
		return false;

	part->ids.data[part->ids.count++] = id;
	part->face_counts.data[part->face_counts.count++] = face_count;
	part->vertex_counts.data[part->vertex_counts.count++] = vertex_count;
	part->seeds.data[part->seeds.count++] = origin;

	int *starts = part->corner_counts.data + part->corner_counts.count;
	rbl_carving_loops(carving, starts, part->corner_vertices.data + part->corner_vertices.count,
	                  part->corner_faces.data + part->corner_faces.count);
	for (int f = 0; f < face_count; ++f) {
		starts[f] = starts[f + 1] - starts[f];
		uint64_t tag = carving->tags[f];
		int neighbour = tag >= RBL_WALL_TAG ? RBL_CELL_WALL - (int)(tag - RBL_WALL_TAG) : (int)tag;
		rbl_planed plane = carving->planes[f];
		plane.offset += rbl_dot_d(plane.normal, origin);
		part->faces.data[part->faces.count++] = (rbl_cell_face){ -1, neighbour, -1, 1, 0.0 };
		part->planes.data[part->planes.count++] = plane;
	}
	part->corner_counts.count += face_count;
	part->corner_vertices.count += corner_count;
	part->corner_faces.count += corner_count;
	for (int v = 0; v < vertex_count; ++v)
		part->vertices.data[part->vertices.count++] =
			(rbl_vec3d){ carving->x[v] + origin.x, carving->y[v] + origin.y,
			             carving->z[v] + origin.z };
	return true;
}

void rbl_cells_part_destroy(rbl_cells_part *part, const rbl_allocator *allocator)
{
	rbl_array_free(allocator, &part->ids);
	rbl_array_free(allocator, &part->face_counts);
	rbl_array_free(allocator, &part->vertex_counts);
	rbl_array_free(allocator, &part->faces);
	rbl_array_free(allocator, &part->planes);
	rbl_array_free(allocator, &part->corner_counts);
	rbl_array_free(allocator, &part->corner_vertices);
	rbl_array_free(allocator, &part->corner_faces);
	rbl_array_free(allocator, &part->vertices);
	rbl_array_free(allocator, &part->seeds);
}

bool rbl_cells_allocate(rbl_cells *cells, const rbl_allocator *allocator)
{
	cells->allocator = rbl_allocator_or_default(allocator);
	const rbl_allocator *a = &cells->allocator;
	cells->cell_faces = RBL_NEW_ZERO(a, int, cells->cell_count + 1);
	cells->cell_vertices = RBL_NEW_ZERO(a, int, cells->cell_count + 1);
	cells->faces = RBL_NEW(a, rbl_cell_face, cells->face_count + 1);
	cells->face_corners = RBL_NEW(a, int, cells->face_count + 1);
	cells->corner_vertices = RBL_NEW(a, int, cells->corner_count + 1);
	cells->corner_faces = RBL_NEW(a, int, cells->corner_count + 1);
	cells->vertices = RBL_NEW(a, rbl_vec3d, cells->vertex_count + 1);
	cells->planes = RBL_NEW(a, rbl_planed, cells->plane_count + 1);
	cells->seeds = RBL_NEW_ZERO(a, rbl_vec3d, cells->cell_count + 1);
	cells->volumes = RBL_NEW_ZERO(a, double, cells->cell_count + 1);
	if (cells->cell_faces && cells->cell_vertices && cells->faces && cells->face_corners &&
	    cells->corner_vertices && cells->corner_faces && cells->vertices && cells->planes &&
	    cells->seeds && cells->volumes)
		return true;
	rbl_cells_destroy(cells);
	return false;
}

void rbl_cells_destroy(rbl_cells *cells)
{
	const rbl_allocator *a = &cells->allocator;
	RBL_FREE(a, cells->cell_faces, cells->cell_count + 1);
	RBL_FREE(a, cells->cell_vertices, cells->cell_count + 1);
	RBL_FREE(a, cells->faces, cells->face_count + 1);
	RBL_FREE(a, cells->face_corners, cells->face_count + 1);
	RBL_FREE(a, cells->corner_vertices, cells->corner_count + 1);
	RBL_FREE(a, cells->corner_faces, cells->corner_count + 1);
	RBL_FREE(a, cells->vertices, cells->vertex_count + 1);
	RBL_FREE(a, cells->planes, cells->plane_count + 1);
	RBL_FREE(a, cells->seeds, cells->cell_count + 1);
	RBL_FREE(a, cells->volumes, cells->cell_count + 1);
	*cells = (rbl_cells){ 0 };
}

// Copy the parts into place. plane_of receives the outward plane of each face.
static void copy_parts(rbl_cells *cells, const rbl_cells_part *parts, int part_count,
                       rbl_planed *plane_of)
{
	for (int i = 0; i < part_count; ++i) {
		const rbl_cells_part *part = &parts[i];
		int face = 0, vertex = 0, corner = 0;
		for (int k = 0; k < part->ids.count; ++k) {
			int id = part->ids.data[k];
			int first_face = cells->cell_faces[id], first_vertex = cells->cell_vertices[id];
			// Corners follow faces: three per vertex, so the first corner is known.
			int to = 3 * first_vertex;
			for (int f = 0; f < part->face_counts.data[k]; ++f, ++face) {
				cells->faces[first_face + f] = part->faces.data[face];
				cells->face_corners[first_face + f] = to;
				plane_of[first_face + f] = part->planes.data[face];
				int n = part->corner_counts.data[face];
				memcpy(cells->corner_vertices + to, part->corner_vertices.data + corner,
				       (size_t)n * sizeof(int));
				memcpy(cells->corner_faces + to, part->corner_faces.data + corner,
				       (size_t)n * sizeof(int));
				to += n, corner += n;
			}
			int n = part->vertex_counts.data[k];
			if (n > 0)
				memcpy(cells->vertices + first_vertex, part->vertices.data + vertex,
				       (size_t)n * sizeof(rbl_vec3d));
			vertex += n;
			cells->seeds[id] = part->seeds.data[k];
		}
	}
	cells->face_corners[cells->face_count] = cells->corner_count;
}

// The face of `cell` towards `neighbour`, or -1.
static int face_towards(const rbl_cells *cells, int cell, int neighbour)
{
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		if (cells->faces[f].neighbour == neighbour)
			return f;
	}
	return -1;
}

static void share_planes(rbl_cells *cells, const rbl_planed *plane_of)
{
	const double *lower = &cells->box.lower.x, *upper = &cells->box.upper.x;
	for (int k = 0; k < 6; ++k) {
		double n[3] = { 0.0, 0.0, 0.0 };
		n[k / 2] = k & 1 ? 1.0 : -1.0;
		cells->planes[k] =
			(rbl_planed){ { n[0], n[1], n[2] }, k & 1 ? upper[k / 2] : -lower[k / 2] };
	}
	int count = 6;
	for (int c = 0; c < cells->cell_count; ++c) {
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f) {
			rbl_cell_face *face = &cells->faces[f];
			if (face->neighbour < 0) {
				face->plane = RBL_CELL_WALL - face->neighbour;
				continue;
			}
			int twin = face_towards(cells, face->neighbour, c);
			face->twin = twin;
			if (twin >= 0 && face->neighbour < c) {
				face->plane = cells->faces[twin].plane;
				face->sign = -cells->faces[twin].sign;
			} else {
				face->plane = count;
				cells->planes[count++] = plane_of[f];
			}
		}
	}
	cells->plane_count = count;
}

// Areas of faces, volumes of cells.
static void measure(rbl_cells *cells)
{
	for (int c = 0; c < cells->cell_count; ++c) {
		const rbl_vec3d *vertices = cells->vertices + cells->cell_vertices[c];
		double volume = 0.0;
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f) {
			int first = cells->face_corners[f], end = cells->face_corners[f + 1];
			rbl_vec3d o = vertices[cells->corner_vertices[first]], sum = { 0.0, 0.0, 0.0 };
			for (int k = first + 1; k + 1 < end; ++k) {
				rbl_vec3d a = rbl_sub_d(vertices[cells->corner_vertices[k]], o);
				rbl_vec3d b = rbl_sub_d(vertices[cells->corner_vertices[k + 1]], o);
				sum = rbl_add_d(sum, rbl_cross_d(a, b));
			}
			rbl_planed plane = rbl_cell_face_plane(cells, f);
			cells->faces[f].area = 0.5 * rbl_dot_d(sum, plane.normal);
			volume += rbl_dot_d(sum, rbl_sub_d(o, vertices[0]));
		}
		cells->volumes[c] = volume / 6.0;
	}
}

rbl_result rbl_cells_build(rbl_cells *cells, const rbl_allocator *allocator, rbl_boxd box,
                           int cell_count, const rbl_cells_part *parts, int part_count)
{
	*cells = (rbl_cells){ .box = box, .cell_count = cell_count };
	int64_t face_count = 0, vertex_count = 0;
	for (int i = 0; i < part_count; ++i) {
		face_count += parts[i].faces.count;
		vertex_count += parts[i].vertices.count;
	}
	if (vertex_count > INT_MAX / 8)
		return rbl_fail(RBL_LIMIT_REACHED, "cells have too many vertices in all");
	cells->face_count = (int)face_count;
	cells->vertex_count = (int)vertex_count;
	cells->corner_count = 3 * (int)vertex_count;
	cells->plane_count = (int)face_count + 6;
	int plane_capacity = cells->plane_count;
	if (!rbl_cells_allocate(cells, allocator))
		return RBL_OUT_OF_MEMORY;
	rbl_planed *plane_of = RBL_NEW(&cells->allocator, rbl_planed, face_count + 1);
	if (!plane_of) {
		rbl_cells_destroy(cells);
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < part_count; ++i) {
		for (int k = 0; k < parts[i].ids.count; ++k) {
			cells->cell_faces[parts[i].ids.data[k]] = parts[i].face_counts.data[k];
			cells->cell_vertices[parts[i].ids.data[k]] = parts[i].vertex_counts.data[k];
		}
	}
	int faces = 0, vertices = 0;
	for (int c = 0; c <= cell_count; ++c) {
		int f = cells->cell_faces[c], v = cells->cell_vertices[c];
		cells->cell_faces[c] = faces, cells->cell_vertices[c] = vertices;
		faces += f, vertices += v;
	}
	copy_parts(cells, parts, part_count, plane_of);
	share_planes(cells, plane_of);
	measure(cells);
	RBL_FREE(&cells->allocator, plane_of, face_count + 1);

	// The plane table was sized for no sharing at all; give the rest back.
	rbl_planed *planes = RBL_NEW(&cells->allocator, rbl_planed, cells->plane_count + 1);
	if (!planes) {
		int count = cells->plane_count;
		cells->plane_count = plane_capacity;
		rbl_cells_destroy(cells);
		(void)count;
		return RBL_OUT_OF_MEMORY;
	}
	memcpy(planes, cells->planes, (size_t)cells->plane_count * sizeof *planes);
	RBL_FREE(&cells->allocator, cells->planes, plane_capacity + 1);
	cells->planes = planes;
	return RBL_OK;
}
