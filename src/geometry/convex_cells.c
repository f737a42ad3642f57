// SPDX-License-Identifier: MIT
//
// Convex cells, clipped one by one, gathered into one structure with shared planes.
//
// The two cells beside a wall were clipped independently. Here they get one plane: that of the
// cell with the lower index. A face that rounding left on one side only keeps its own plane. Each
// cell by itself is a valid polyhedron; whether neighbours agree in every tiny face is not needed
// by anybody.

#include "geometry/convex_cells.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"

#include <limits.h>

bool rbl_cells_batch_add(rbl_cells_batch *part, const rbl_allocator *allocator,
                         rbl_clipper *clipper, int id, rbl_vec3d origin)
{
	rbl_clipper_compact(clipper);
	int face_count = clipper->face_count, vertex_count = clipper->vertex_count;
	int corner_count = 3 * vertex_count;
	if (!rbl_array_extend(allocator, &part->ids, 1) ||
	    !rbl_array_extend(allocator, &part->face_counts, 1) ||
	    !rbl_array_extend(allocator, &part->vertex_counts, 1) ||
	    !rbl_array_extend(allocator, &part->seeds, 1) ||
	    !rbl_array_extend(allocator, &part->faces, face_count) ||
	    !rbl_array_extend(allocator, &part->planes, face_count) ||
	    !rbl_array_extend(allocator, &part->corner_counts, face_count + 1) ||
	    !rbl_array_extend(allocator, &part->corner_vertices, corner_count) ||
	    !rbl_array_extend(allocator, &part->corner_faces, corner_count) ||
	    !rbl_array_extend(allocator, &part->vertices, vertex_count))
		return false;

	part->ids.data[part->ids.count++] = id;
	part->face_counts.data[part->face_counts.count++] = face_count;
	part->vertex_counts.data[part->vertex_counts.count++] = vertex_count;
	part->seeds.data[part->seeds.count++] = origin;

	int *starts = part->corner_counts.data + part->corner_counts.count;
	rbl_clipper_loops(clipper, starts, part->corner_vertices.data + part->corner_vertices.count,
	                  part->corner_faces.data + part->corner_faces.count);
	for (int f = 0; f < face_count; ++f) {
		starts[f] = starts[f + 1] - starts[f];
		uint64_t tag = clipper->tags[f];
		int neighbour = tag >= RBL_WALL_TAG ? RBL_CELL_WALL - (int)(tag - RBL_WALL_TAG) : (int)tag;
		rbl_planed plane = clipper->planes[f];
		plane.offset += rbl_dot_d(plane.normal, origin);
		part->faces.data[part->faces.count++] = (rbl_cell_face){ -1, neighbour, -1, 1, 0.0 };
		part->planes.data[part->planes.count++] = plane;
	}
	part->corner_counts.count += face_count;
	part->corner_vertices.count += corner_count;
	part->corner_faces.count += corner_count;
	for (int v = 0; v < vertex_count; ++v)
		part->vertices.data[part->vertices.count++] =
			(rbl_vec3d){ clipper->x[v] + origin.x, clipper->y[v] + origin.y,
			             clipper->z[v] + origin.z };
	return true;
}

void rbl_cells_batch_destroy(rbl_cells_batch *part, const rbl_allocator *allocator)
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
	cells->numbers = cells->plane_numbers = NULL;
	cells->cell_faces = RBL_NEW_ZERO(a, int, cells->cell_count + 1);
	cells->cell_vertices = RBL_NEW_ZERO(a, int, cells->cell_count + 1);
	cells->faces = RBL_NEW(a, rbl_cell_face, cells->face_count + 1);
	cells->face_corners = RBL_NEW(a, int, cells->face_count + 1);
	cells->corner_vertices = RBL_NEW(a, int, cells->corner_count + 1);
	cells->corner_faces = RBL_NEW(a, int, cells->corner_count + 1);
	cells->corner_twins = RBL_NEW(a, int, cells->corner_count + 1);
	cells->shared_faces = RBL_NEW(a, int, cells->face_count + 1);
	cells->vertices = RBL_NEW(a, rbl_vec3d, cells->vertex_count + 1);
	cells->planes = RBL_NEW(a, rbl_planed, cells->plane_count + 1);
	cells->seeds = RBL_NEW_ZERO(a, rbl_vec3d, cells->cell_count + 1);
	cells->volumes = RBL_NEW_ZERO(a, double, cells->cell_count + 1);
	cells->centres = RBL_NEW_ZERO(a, rbl_vec3d, cells->cell_count + 1);
	if (cells->cell_faces && cells->cell_vertices && cells->faces && cells->face_corners &&
	    cells->corner_vertices && cells->corner_faces && cells->corner_twins &&
	    cells->shared_faces && cells->vertices && cells->planes && cells->seeds && cells->volumes &&
	    cells->centres)
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
	RBL_FREE(a, cells->corner_twins, cells->corner_count + 1);
	RBL_FREE(a, cells->shared_faces, cells->face_count + 1);
	RBL_FREE(a, cells->vertices, cells->vertex_count + 1);
	RBL_FREE(a, cells->planes, cells->plane_count + 1);
	RBL_FREE(a, cells->seeds, cells->cell_count + 1);
	RBL_FREE(a, cells->volumes, cells->cell_count + 1);
	RBL_FREE(a, cells->centres, cells->cell_count + 1);
	RBL_FREE(a, cells->numbers, cells->cell_count + 1);
	RBL_FREE(a, cells->plane_numbers, cells->plane_count + 1);
	*cells = (rbl_cells){ 0 };
}

// Copy a part into place. plane_of receives the outward plane of each face.
static void copy_part(rbl_cells *cells, const rbl_cells_batch *part, rbl_planed *plane_of)
{
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

// The face of `cell` towards `neighbour`, or -1.
static int face_towards(const rbl_cells *cells, int cell, int neighbour)
{
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		if (cells->faces[f].neighbour == neighbour)
			return f;
	}
	return -1;
}

static void add_walls(rbl_cells *cells)
{
	for (int k = 0; k < 6; ++k) {
		double n[3] = { 0.0, 0.0, 0.0 };
		n[k / 2] = k & 1 ? 1.0 : -1.0;
		double offset =
			k & 1 ? rbl_axis_d(cells->box.upper, k / 2) : -rbl_axis_d(cells->box.lower, k / 2);
		cells->planes[k] = (rbl_planed){ { n[0], n[1], n[2] }, offset };
	}
	cells->plane_count = 6;
}

// Planes of some cells: each is one with that of the neighbour's face.
static void share_planes(rbl_cells *cells, const rbl_planed *plane_of, int begin, int end)
{
	int count = cells->plane_count;
	for (int c = begin; c < end; ++c) {
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

// Areas of faces, volumes and centres of cells.
static void measure_cells(rbl_cells *cells, int begin, int end_cell)
{
	for (int c = begin; c < end_cell; ++c) {
		const rbl_vec3d *vertices = cells->vertices + cells->cell_vertices[c];
		double volume = 0.0;
		rbl_vec3d moment = { 0.0, 0.0, 0.0 };
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f) {
			int first = cells->face_corners[f], end = cells->face_corners[f + 1];
			rbl_vec3d o = vertices[cells->corner_vertices[first]], sum = { 0.0, 0.0, 0.0 };
			rbl_vec3d height = rbl_sub_d(o, vertices[0]);
			rbl_vec3d a = rbl_sub_d(vertices[cells->corner_vertices[first + 1]], o);
			for (int k = first + 2; k < end; ++k) {
				rbl_vec3d b = rbl_sub_d(vertices[cells->corner_vertices[k]], o);
				rbl_vec3d n = rbl_cross_d(a, b);
				sum = rbl_add_d(sum, n);
				// Tetrahedron of vertices[0], o, o + a, o + b.
				rbl_vec3d four = rbl_add_d(rbl_scale_d(3.0, height), rbl_add_d(a, b));
				moment = rbl_add_scaled_d(moment, rbl_dot_d(n, height), four);
				a = b;
			}
			rbl_planed plane = rbl_cell_face_plane(cells, f);
			cells->faces[f].area = 0.5 * rbl_dot_d(sum, plane.normal);
			volume += rbl_dot_d(sum, height);
		}
		cells->volumes[c] = volume / 6.0;
		if (volume > 0.0)
			cells->centres[c] = rbl_add_d(vertices[0], rbl_scale_d(0.25 / volume, moment));
	}
}

static void pair_corners(rbl_cells *cells, int begin, int end)
{
	for (int c = begin; c < end; ++c) {
		int first_face = cells->cell_faces[c], first = 3 * cells->cell_vertices[c];
		for (int f = first_face; f < cells->cell_faces[c + 1]; ++f) {
			for (int k = cells->face_corners[f]; k < cells->face_corners[f + 1]; ++k) {
				int beyond = first_face + cells->corner_faces[k];
				int twin = cells->face_corners[beyond];
				while (cells->corner_faces[twin] != f - first_face &&
				       twin + 1 < cells->face_corners[beyond + 1])
					twin++;
				cells->corner_twins[k] = twin - first;
			}
		}
	}
}

static bool sort_joints(rbl_cells *cells)
{
	int count = cells->face_count + 1;
	rbl_sort_item64 *items = RBL_NEW(&cells->allocator, rbl_sort_item64, 2 * count);
	if (!items)
		return false;
	int n = 0;
	for (int f = 0; f < cells->face_count; ++f) {
		const rbl_cell_face *face = &cells->faces[f];
		if (face->neighbour < 0 || face->twin > f)
			items[n++] = (rbl_sort_item64){ ~rbl_sort_key_double(face->area), (uint32_t)f, 0 };
	}
	rbl_sort64(items, items + count, n);
	for (int i = 0; i < n; ++i)
		cells->shared_faces[i] = (int)items[i].value;
	cells->shared_face_count = n;
	RBL_FREE(&cells->allocator, items, 2 * count);
	return true;
}

// Room for all cells, and where each begins.
static rbl_result begin_building(rbl_cells_building *b, const rbl_allocator *allocator,
                                 rbl_boxd box, int cell_count)
{
	rbl_cells *cells = &b->cells;
	*cells = (rbl_cells){ .box = box, .cell_count = cell_count };
	int64_t face_count = 0, vertex_count = 0;
	for (int i = 0; i < b->part_count; ++i) {
		face_count += b->parts[i].faces.count;
		vertex_count += b->parts[i].vertices.count;
	}
	if (vertex_count > INT_MAX / 8)
		return rbl_fail(RBL_LIMIT_REACHED, "cells have too many vertices in all");
	cells->face_count = (int)face_count;
	cells->vertex_count = (int)vertex_count;
	cells->corner_count = 3 * (int)vertex_count;
	cells->plane_count = b->plane_capacity = (int)face_count + 6;
	if (!rbl_cells_allocate(cells, allocator))
		return RBL_OUT_OF_MEMORY;
	b->plane_of = RBL_NEW(&cells->allocator, rbl_planed, face_count + 1);
	if (!b->plane_of)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < b->part_count; ++i) {
		const rbl_cells_batch *part = &b->parts[i];
		for (int k = 0; k < part->ids.count; ++k) {
			cells->cell_faces[part->ids.data[k]] = part->face_counts.data[k];
			cells->cell_vertices[part->ids.data[k]] = part->vertex_counts.data[k];
		}
	}
	int faces = 0, vertices = 0;
	for (int c = 0; c <= cell_count; ++c) {
		int f = cells->cell_faces[c], v = cells->cell_vertices[c];
		cells->cell_faces[c] = faces, cells->cell_vertices[c] = vertices;
		faces += f, vertices += v;
	}
	cells->face_corners[cells->face_count] = cells->corner_count;
	add_walls(cells);
	return RBL_OK;
}

// The plane table was sized for no sharing at all; give the rest back.
static rbl_result fit_planes(rbl_cells_building *b)
{
	rbl_cells *cells = &b->cells;
	rbl_planed *planes = RBL_NEW(&cells->allocator, rbl_planed, cells->plane_count + 1);
	if (!planes)
		return RBL_OUT_OF_MEMORY;
	memcpy(planes, cells->planes, (size_t)cells->plane_count * sizeof *planes);
	RBL_FREE(&cells->allocator, cells->planes, b->plane_capacity + 1);
	cells->planes = planes;
	cells->plane_end = b->plane_capacity = cells->plane_count;
	return RBL_OK;
}

rbl_result rbl_cells_build_some(rbl_cells_building *b, const rbl_allocator *allocator, rbl_boxd box,
                                int cell_count, int *face_count, bool *is_done)
{
	enum { CELLS = 256 };
	rbl_cells *cells = &b->cells;
	int begin = b->next, end = rbl_mini(begin + CELLS, cell_count), last = cell_count;
	rbl_result result = RBL_OK;
	*is_done = false;
	*face_count = 0;
	switch (b->stage) {
	case RBL_CELLS_ALLOCATE:
		result = begin_building(b, allocator, box, cell_count);
		end = last;
		break;
	case RBL_CELLS_COPY:
		end = begin + 1, last = b->part_count;
		*face_count = b->parts[begin].faces.count;
		copy_part(cells, &b->parts[begin], b->plane_of);
		break;
	case RBL_CELLS_SHARE_PLANES:
		share_planes(cells, b->plane_of, begin, end);
		break;
	case RBL_CELLS_MEASURE:
		measure_cells(cells, begin, end);
		break;
	case RBL_CELLS_PAIR_CORNERS:
		pair_corners(cells, begin, end);
		break;
	case RBL_CELLS_SORT_JOINTS:
		*face_count = cells->face_count;
		result = fit_planes(b);
		*is_done = result == RBL_OK && sort_joints(cells);
		return *is_done ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	if (b->stage > RBL_CELLS_COPY)
		*face_count = cells->cell_faces[end] - cells->cell_faces[begin];
	b->next = end < last ? end : 0;
	b->stage = end < last ? b->stage : (rbl_cells_stage)(b->stage + 1);
	return result;
}

void rbl_cells_build_end(rbl_cells_building *b)
{
	rbl_cells *cells = &b->cells;
	RBL_FREE(&cells->allocator, b->plane_of, cells->face_count + 1);
	if (cells->cell_faces) {
		cells->plane_count = b->plane_capacity; // as it was allocated
		rbl_cells_destroy(cells);
	}
	*b = (rbl_cells_building){ .parts = NULL };
}

rbl_cells rbl_cells_build_take(rbl_cells_building *b)
{
	rbl_cells cells = b->cells;
	RBL_FREE(&cells.allocator, b->plane_of, cells.face_count + 1);
	*b = (rbl_cells_building){ .parts = NULL };
	return cells;
}

// Reverse the loops of a mirrored cell. Corner k of the new loop starts where the old edge
// ended, so what belongs to an edge moves by one.
static void reverse_loops(rbl_cells *mapped, const rbl_cells *cells, int begin_cell, int end_cell)
{
	for (int c = begin_cell; c < end_cell; ++c) {
		int first = 3 * cells->cell_vertices[c];
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f) {
			int begin = cells->face_corners[f], n = cells->face_corners[f + 1] - begin;
			for (int k = 0; k < n; ++k) {
				// New corner k is old corner n - 1 - k; its edge is the old one before that.
				int old = begin + n - 1 - k, edge = begin + (2 * n - 2 - k) % n;
				mapped->corner_vertices[begin + k] = cells->corner_vertices[old];
				mapped->corner_faces[begin + k] = cells->corner_faces[edge];
				int beyond = cells->cell_faces[c] + cells->corner_faces[edge];
				int there = cells->face_corners[beyond];
				int m = cells->face_corners[beyond + 1] - there;
				int twin =
					cells->corner_twins[edge] + first - there; // the edge's place in its loop
				mapped->corner_twins[begin + k] = there + (2 * m - 2 - twin) % m - first;
			}
		}
	}
}

static bool copy_numbers(rbl_cells *mapped, const rbl_cells *cells)
{
	if (!cells->numbers)
		return true;
	mapped->numbers = RBL_NEW(&mapped->allocator, int, cells->cell_count + 1);
	mapped->plane_numbers = RBL_NEW(&mapped->allocator, int, cells->plane_count + 1);
	if (!mapped->numbers || !mapped->plane_numbers) {
		rbl_cells_destroy(mapped);
		return false;
	}
	memcpy(mapped->numbers, cells->numbers, (size_t)cells->cell_count * sizeof(int));
	memcpy(mapped->plane_numbers, cells->plane_numbers, (size_t)cells->plane_count * sizeof(int));
	return true;
}

static void copy_loops(rbl_cells *mapped, const rbl_cells *cells, int begin, int end)
{
	int first = 3 * cells->cell_vertices[begin];
	size_t bytes = (size_t)(3 * cells->cell_vertices[end] - first) * sizeof(int);
	memcpy(mapped->corner_vertices + first, cells->corner_vertices + first, bytes);
	memcpy(mapped->corner_faces + first, cells->corner_faces + first, bytes);
	memcpy(mapped->corner_twins + first, cells->corner_twins + first, bytes);
}

rbl_result rbl_cells_map_begin(rbl_cells *mapped, const rbl_allocator *allocator,
                               const rbl_cells *cells, rbl_mat3d map, rbl_vec3d shift)
{
	rbl_cells from = *cells; // counts; the arrays are replaced
	*mapped = from;
	double determinant = rbl_mat_determinant_d(map);
	rbl_mat3d inverse = rbl_mat_inverse_d(map);
	if (!isfinite(determinant) || determinant == 0.0 || !rbl_is_finite_d(inverse.x) ||
	    !rbl_is_finite_d(inverse.y) || !rbl_is_finite_d(inverse.z) || !rbl_is_finite_d(shift)) {
		*mapped = (rbl_cells){ 0 };
		return rbl_fail(RBL_BAD_ARGUMENT, "the map has no inverse");
	}
	if (!rbl_cells_allocate(mapped, allocator) || !copy_numbers(mapped, cells))
		return RBL_OUT_OF_MEMORY;
	memcpy(mapped->cell_faces, from.cell_faces, (size_t)(from.cell_count + 1) * sizeof(int));
	memcpy(mapped->cell_vertices, from.cell_vertices, (size_t)(from.cell_count + 1) * sizeof(int));
	mapped->face_corners[from.face_count] = from.face_corners[from.face_count];
	memcpy(mapped->shared_faces, from.shared_faces, (size_t)from.shared_face_count * sizeof(int));
	rbl_mat3d normal_matrix = rbl_mat_transpose_d(inverse);
	for (int i = 0; i < from.plane_count; ++i) {
		rbl_planed plane = from.planes[i];
		rbl_vec3d n = rbl_mat_vec_d(normal_matrix, plane.normal);
		double scale = 1.0 / rbl_length_d(n);
		n = rbl_scale_d(scale, n);
		mapped->planes[i] = (rbl_planed){ n, plane.offset * scale + rbl_dot_d(n, shift) };
	}
	mapped->box = rbl_box_empty_d();
	for (int k = 0; k < 8; ++k) {
		rbl_vec3d p = { k & 1 ? from.box.upper.x : from.box.lower.x,
			            k & 2 ? from.box.upper.y : from.box.lower.y,
			            k & 4 ? from.box.upper.z : from.box.lower.z };
		mapped->box = rbl_box_add_point_d(mapped->box, rbl_add_d(rbl_mat_vec_d(map, p), shift));
	}
	return RBL_OK;
}

void rbl_cells_map_some(rbl_cells *mapped, const rbl_cells *cells, rbl_mat3d map, rbl_vec3d shift,
                        int begin, int end)
{
	int face = cells->cell_faces[begin], face_count = cells->cell_faces[end] - face;
	memcpy(mapped->faces + face, cells->faces + face, (size_t)face_count * sizeof *cells->faces);
	memcpy(mapped->face_corners + face, cells->face_corners + face,
	       (size_t)face_count * sizeof(int));
	if (rbl_mat_determinant_d(map) < 0.0) {
		reverse_loops(mapped, cells, begin, end);
	} else {
		copy_loops(mapped, cells, begin, end);
	}
	mapped->face_corners[face + face_count] = cells->face_corners[face + face_count];
	for (int v = cells->cell_vertices[begin]; v < cells->cell_vertices[end]; ++v)
		mapped->vertices[v] = rbl_add_d(rbl_mat_vec_d(map, cells->vertices[v]), shift);
	for (int c = begin; c < end; ++c)
		mapped->seeds[c] = rbl_add_d(rbl_mat_vec_d(map, cells->seeds[c]), shift);
	measure_cells(mapped, begin, end);
}

bool rbl_clipper_load_cell(rbl_clipper *clipper, const rbl_cells *cells, int cell,
                           uint64_t plane_id_base)
{
	int first_face = cells->cell_faces[cell], first_vertex = cells->cell_vertices[cell];
	int faces = cells->cell_faces[cell + 1] - first_face;
	int vertices = cells->cell_vertices[cell + 1] - first_vertex, first = 3 * first_vertex;
	if (!rbl_clipper_clear(clipper, faces + 8, vertices + 16))
		return false;
	for (int f = 0; f < faces; ++f) {
		clipper->planes[f] = rbl_cell_face_plane(cells, first_face + f);
		clipper->tags[f] = plane_id_base + (uint64_t)rbl_cell_plane_number(
											   cells, cells->faces[first_face + f].plane);
	}
	for (int v = 0; v < vertices; ++v) {
		rbl_vec3d p = cells->vertices[first_vertex + v];
		clipper->x[v] = p.x, clipper->y[v] = p.y, clipper->z[v] = p.z;
	}
	clipper->face_count = faces;
	clipper->vertex_count = vertices;
	// Corners count from the first corner of all cells: step back so that indices fit.
	for (int f = 0; f <= faces; ++f)
		clipper->cuts[f] = cells->face_corners[first_face + f] - first;
	rbl_clipper_link(clipper, clipper->cuts, cells->corner_vertices + first,
	                 cells->corner_faces + first);
	return true;
}

rbl_result rbl_cell_convex(const rbl_cells *cells, int cell, uint64_t plane_id_base,
                           const rbl_allocator *allocator, rbl_convex **convex)
{
	*convex = NULL;
	rbl_clipper clipper;
	rbl_clipper_init(&clipper, allocator);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (rbl_clipper_load_cell(&clipper, cells, cell, plane_id_base))
		result = rbl_convex_from_clipper(&clipper, allocator, convex);
	rbl_clipper_destroy(&clipper);
	return result;
}
