// SPDX-License-Identifier: MIT
//
// Outer (approximate) hulls: the box around points, cut by the planes that outer_hull_grow.c finds.
//
// With a limit on planes, they are taken in the order of the volume that each cuts away from what
// is left. What a plane would cut away only becomes less while others cut, so a volume computed
// earlier is an upper bound: most planes are looked at once or twice (lazy greedy).

#include "geometry/convex_clip.h"
#include "geometry/hull.h"

#include "base/log.h"
#include "base/vec.h"

struct rbl_outer_hull {
	rbl_allocator allocator;
	rbl_outer_hull_data data;
	size_t size; // bytes of the one block: this struct, then the arrays
};

enum { OUTER_HULL_COOKIE = 0x6f757465 };

rbl_outer_hull_def rbl_default_outer_hull_def(void)
{
	return (rbl_outer_hull_def){ .vertex_count = 20, .cookie = OUTER_HULL_COOKIE };
}

static rbl_result check_outer_hull_def(const rbl_outer_hull_def *def)
{
	if (!def || def->cookie != OUTER_HULL_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_outer_hull_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has only one of its functions");
	if (def->vertex_count < 4)
		return rbl_fail(RBL_BAD_ARGUMENT, "vertex_count is %d, must be 4 or more",
		                def->vertex_count);
	if (def->plane_limit != 0 && def->plane_limit < 6)
		return rbl_fail(RBL_BAD_ARGUMENT, "plane_limit is %d, must be 0, or 6 or more",
		                def->plane_limit);
	return rbl_hull_check_points(def->points, def->point_count);
}

// --- the best planes for a limit ----------------------------------------------------------------

// The plane that may cut away most, -1 when none cuts.
static int most_promising(const double *bounds, int count)
{
	int best = -1;
	for (int i = 0; i < count; ++i)
		if (bounds[i] > 0.0 && (best < 0 || bounds[i] > bounds[best]))
			best = i;
	return best;
}

static rbl_result cut_by_best(rbl_clipper *clipper, rbl_clipper *trial, const rbl_hull_fit *fit,
                              double tolerance, int plane_limit, double *bounds)
{
	int count = fit->planes.count, fresh = -1; // the plane whose bound is what it cuts away now
	double volume = rbl_clipper_volume(clipper, NULL), smallest = 1e-9 * volume;
	for (int i = 0; i < count; ++i)
		bounds[i] = 2.0 * volume;
	for (;;) {
		int i = most_promising(bounds, count);
		if (i < 0 || bounds[i] < smallest)
			return RBL_OK;
		if (!rbl_clipper_copy(trial, clipper) ||
		    rbl_clipper_cut(trial, fit->planes.data[i], tolerance, 0) == RBL_CUT_NO_MEMORY)
			return RBL_OUT_OF_MEMORY;
		rbl_clipper_compact(trial);
		if (fresh == i) { // no other can do better
			rbl_clipper swap = *clipper;
			bool fits = trial->face_count <= plane_limit;
			if (fits)
				*clipper = *trial, *trial = swap, volume -= bounds[i];
			bounds[i] = 0.0;
			fresh = -1;
			continue;
		}
		bounds[i] = volume - rbl_clipper_volume(trial, NULL);
		fresh = i;
	}
}

static rbl_result cut_with_limit(rbl_clipper *clipper, const rbl_hull_fit *fit, double tolerance,
                                 int plane_limit)
{
	rbl_clipper trial;
	rbl_clipper_init(&trial, &clipper->allocator);
	double *bounds = RBL_NEW(&clipper->allocator, double, fit->planes.count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (bounds)
		result = cut_by_best(clipper, &trial, fit, tolerance, plane_limit, bounds);
	RBL_FREE(&clipper->allocator, bounds, fit->planes.count);
	rbl_clipper_destroy(&trial);
	return result;
}

// --- the hull -----------------------------------------------------------------------------------

static rbl_result cut_by_all(rbl_clipper *clipper, const rbl_hull_fit *fit, double tolerance)
{
	for (int i = 0; i < fit->planes.count; ++i)
		if (rbl_clipper_cut(clipper, fit->planes.data[i], tolerance, 0) == RBL_CUT_NO_MEMORY)
			return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

static rbl_outer_hull *finish(rbl_clipper *clipper, const rbl_hull_fit *fit)
{
	rbl_clipper_compact(clipper);
	size_t faces = (size_t)clipper->face_count, vertices = (size_t)clipper->vertex_count, size = 0;
	rbl_layout_add(&size, sizeof(rbl_outer_hull));
	size_t planes_at = rbl_layout_add(&size, faces * sizeof(rbl_planed));
	size_t vertices_at = rbl_layout_add(&size, vertices * sizeof(rbl_vec3d));
	size_t chosen_at = rbl_layout_add(&size, (size_t)fit->chosen.count * sizeof(int));
	size_t starts_at = rbl_layout_add(&size, (faces + 1) * sizeof(int));
	size_t corners_at = rbl_layout_add(&size, 3 * vertices * sizeof(int));
	char *block = rbl_allocate(&clipper->allocator, 1, size);
	if (!block)
		return NULL;
	rbl_outer_hull *hull = (rbl_outer_hull *)(void *)block;
	rbl_vec3d *points = (rbl_vec3d *)(void *)(block + vertices_at);
	memcpy(block + planes_at, clipper->planes, faces * sizeof(rbl_planed));
	memcpy(block + chosen_at, fit->chosen.data, (size_t)fit->chosen.count * sizeof(int));
	for (size_t v = 0; v < vertices; ++v)
		points[v] = (rbl_vec3d){ clipper->x[v], clipper->y[v], clipper->z[v] };
	rbl_clipper_loops(clipper, (int *)(void *)(block + starts_at),
	                  (int *)(void *)(block + corners_at), NULL);
	*hull = (rbl_outer_hull){ .allocator = clipper->allocator, .size = size };
	hull->data =
		(rbl_outer_hull_data){ .chosen_count = fit->chosen.count,
		                       .chosen = (const int *)(void *)(block + chosen_at),
		                       .plane_count = (int)faces,
		                       .planes = (const rbl_planed *)(void *)(block + planes_at),
		                       .vertex_count = (int)vertices,
		                       .vertices = points,
		                       .face_starts = (const int *)(void *)(block + starts_at),
		                       .corner_vertices = (const int *)(void *)(block + corners_at),
		                       .volume = rbl_clipper_volume(clipper, NULL) };
	return hull;
}

rbl_result rbl_create_outer_hull(const rbl_outer_hull_def *def, rbl_outer_hull **hull)
{
	if (!hull)
		return rbl_fail(RBL_BAD_ARGUMENT, "hull is NULL");
	*hull = NULL;
	rbl_result result = check_outer_hull_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < def->point_count; ++i)
		box = rbl_box_add_point_d(box, def->points[i]);
	double tolerance = 1e-14 * rbl_length_d(rbl_box_size_d(box));
	rbl_hull_fit fit = { 0 };
	rbl_clipper clipper;
	rbl_clipper_init(&clipper, &allocator);
	result = rbl_hull_fit_planes(&allocator, def->points, def->point_count, def->vertex_count,
	                             def->keeps_directions, &fit);
	if (result == RBL_BAD_MESH)
		rbl_hull_refuse_flat(def->points, def->point_count);
	if (result == RBL_OK && !rbl_clipper_start_box(&clipper, box, 0))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = def->plane_limit > 0 ? cut_with_limit(&clipper, &fit, tolerance, def->plane_limit)
		                              : cut_by_all(&clipper, &fit, tolerance);
	if (result == RBL_OK && !(*hull = finish(&clipper, &fit)))
		result = RBL_OUT_OF_MEMORY;
	rbl_clipper_destroy(&clipper);
	rbl_hull_fit_free(&allocator, &fit);
	return result;
}

void rbl_destroy_outer_hull(rbl_outer_hull *hull)
{
	if (!hull)
		return;
	rbl_allocator allocator = hull->allocator;
	rbl_release(&allocator, hull, 1, hull->size);
}

rbl_outer_hull_data rbl_outer_hull_get_data(const rbl_outer_hull *hull)
{
	return hull ? hull->data : (rbl_outer_hull_data){ 0 };
}
