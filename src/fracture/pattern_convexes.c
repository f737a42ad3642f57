// SPDX-License-Identifier: MIT
//
// Cells given by the caller as convexes: which of their faces meet, and whether they fill the box.
//
// Faces that meet have the same centre. Centres are sorted along a slanted direction, in which no
// regular grid has ties, and compared within a small window.

#include "fracture/pattern.h"

#include "base/log.h"
#include "base/sort.h"
#include "base/vec.h"
#include "geometry/geometry.h"

typedef struct given_face {
	int cell, plane; // plane: index in the pattern's list
	rbl_vec3d centre;
	rbl_vec3d normal;
	double key;
} given_face;

static double slant(rbl_vec3d p)
{
	return 0.5257311121191336 * p.x + 0.6180339887498949 * p.y + 0.5845310893414215 * p.z;
}

static rbl_vec3d face_centre(const rbl_convex_data *d, int f)
{
	rbl_vec3d o = d->vertices[d->corner_vertices[d->face_starts[f]]];
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	double area = 0.0;
	for (int k = d->face_starts[f] + 1; k + 1 < d->face_starts[f + 1]; ++k) {
		rbl_vec3d a = rbl_sub_d(d->vertices[d->corner_vertices[k]], o);
		rbl_vec3d b = rbl_sub_d(d->vertices[d->corner_vertices[k + 1]], o);
		double part = rbl_dot_d(rbl_cross_d(a, b), d->planes[f].normal);
		area += part;
		sum = rbl_add_scaled_d(sum, part, rbl_add_d(a, b));
	}
	return area > 0.0 ? rbl_add_d(o, rbl_scale_d(1.0 / (3.0 * area), sum)) : o;
}

static bool on_a_wall(rbl_boxd box, rbl_planed plane, double tolerance)
{
	const double n[3] = { plane.normal.x, plane.normal.y, plane.normal.z };
	const double upper[3] = { box.upper.x, box.upper.y, box.upper.z };
	for (int k = 0; k < 3; ++k) {
		if (fabs(n[k]) > 1.0 - 1e-12 && fabs(plane.offset - upper[k]) <= tolerance)
			return true; // the box is symmetric, offsets count outward
	}
	return false;
}

// Find the neighbour beyond every face. neighbours[] is -1 at walls.
static rbl_result match_faces(rbl_pattern *pattern, const given_face *faces,
                              const rbl_sort_item64 *order, int count, double tolerance)
{
	rbl_boxd box = rbl_pattern_box(pattern->size, 1.0);
	for (int i = 0; i < count; ++i) {
		const given_face *a = &faces[order[i].value];
		for (int k = i + 1; k < count; ++k) {
			const given_face *b = &faces[order[k].value];
			if (b->key > a->key + 2.0 * tolerance)
				break;
			if (a->cell == b->cell || pattern->neighbours[a->plane] >= 0 ||
			    pattern->neighbours[b->plane] >= 0 ||
			    rbl_distance_d(a->centre, b->centre) > tolerance ||
			    rbl_dot_d(a->normal, b->normal) > -1.0 + 1e-9)
				continue;
			pattern->neighbours[a->plane] = b->cell;
			pattern->neighbours[b->plane] = a->cell;
			// One plane for both: that of the lower cell.
			int from = a->cell < b->cell ? a->plane : b->plane, to = a->plane + b->plane - from;
			rbl_planed plane = pattern->planes[from];
			pattern->planes[to] = (rbl_planed){ rbl_neg_d(plane.normal), -plane.offset };
			break;
		}
		if (pattern->neighbours[a->plane] < 0 &&
		    !on_a_wall(box, pattern->planes[a->plane], tolerance))
			return rbl_fail(RBL_BAD_ARGUMENT, "cell %d has a face that meets no other", a->cell);
	}
	return RBL_OK;
}

// Remove the faces at walls: there the cells are unbounded.
static void drop_walls(rbl_pattern *pattern)
{
	int count = 0;
	for (int c = 0, begin = 0; c < pattern->cell_count; ++c) {
		int end = pattern->plane_starts[c + 1];
		for (int i = begin; i < end; ++i) {
			if (pattern->neighbours[i] < 0)
				continue;
			pattern->planes[count] = pattern->planes[i];
			pattern->neighbours[count++] = pattern->neighbours[i];
		}
		begin = end;
		pattern->plane_starts[c + 1] = count;
	}
}

bool rbl_cells_fill_their_box(const rbl_cells *cells)
{
	double sum = 0.0;
	for (int c = 0; c < cells->cell_count; ++c)
		sum += cells->volumes[c];
	rbl_vec3d size = rbl_box_size_d(cells->box);
	return fabs(sum / (size.x * size.y * size.z) - 1.0) < 1e-9;
}

static rbl_result make_given_cells(rbl_pattern *pattern, rbl_jobs *jobs)
{
	rbl_result result = rbl_pattern_finish(pattern, jobs);
	if (result == RBL_OK && !rbl_cells_fill_their_box(&pattern->cells)) {
		// Planes that part inside the box may meet again outside: then the cells end at the box.
		rbl_cells_destroy(&pattern->cells);
		pattern->is_endless = false;
		result = rbl_pattern_finish(pattern, jobs);
		if (result == RBL_OK && !rbl_cells_fill_their_box(&pattern->cells))
			result = rbl_fail(RBL_BAD_ARGUMENT, "the convexes do not fill size");
	}
	return result;
}

rbl_result rbl_pattern_take_convexes(rbl_pattern *pattern, const rbl_pattern_def *def)
{
	const rbl_allocator *a = &pattern->allocator;
	int64_t total = 0;
	for (int i = 0; i < def->given_count; ++i) {
		if (!def->convexes[i])
			return rbl_fail(RBL_BAD_ARGUMENT, "convex %d is NULL", i);
		total += rbl_convex_get_data(def->convexes[i]).face_count;
	}
	if (total > RBL_MAX_MESH_ITEMS / 8)
		return rbl_fail(RBL_LIMIT_REACHED, "the convexes have too many faces");
	int count = (int)total;
	pattern->cell_count = def->given_count;
	given_face *faces = RBL_NEW(a, given_face, count);
	rbl_sort_item64 *order = RBL_NEW(a, rbl_sort_item64, 2 * count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (faces && order && rbl_pattern_allocate_planes(pattern, count)) {
		int n = 0;
		for (int c = 0; c < def->given_count; ++c) {
			rbl_convex_data d = rbl_convex_get_data(def->convexes[c]);
			for (int f = 0; f < d.face_count; ++f, ++n) {
				rbl_vec3d centre = face_centre(&d, f);
				faces[n] = (given_face){ c, n, centre, d.planes[f].normal, slant(centre) };
				order[n] = (rbl_sort_item64){ rbl_sort_key_double(faces[n].key), (uint32_t)n, 0 };
				pattern->planes[n] = d.planes[f];
				pattern->neighbours[n] = -1;
			}
			pattern->plane_starts[c + 1] = n;
		}
		rbl_sort64(order, order + count, count);
		double tolerance = 1e-9 * rbl_length_d(def->size);
		result = match_faces(pattern, faces, order, count, tolerance);
	}
	RBL_FREE(a, faces, count);
	RBL_FREE(a, order, 2 * count);
	if (result == RBL_OK && def->colors) {
		pattern->colors = RBL_NEW(a, int, pattern->cell_count);
		if (!pattern->colors)
			return RBL_OUT_OF_MEMORY;
		memcpy(pattern->colors, def->colors, (size_t)pattern->cell_count * sizeof(int));
	}
	if (result == RBL_OK) {
		drop_walls(pattern);
		result = make_given_cells(pattern, def->jobs);
	}
	return result;
}
