// SPDX-License-Identifier: MIT
//
// Outer hulls: the box around points, cut by the planes that hull_grow.c finds.
//
// With a limit on planes, they are taken in the order of the volume that each cuts away from what
// is left. What a plane would cut away only becomes less while others cut, so a volume computed
// earlier is an upper bound: most planes are looked at once or twice (lazy greedy).

#include "geometry/carve.h"
#include "geometry/hull.h"

#include "base/log.h"
#include "base/vec.h"

struct rbl_outer_hull {
	rbl_allocator allocator;
	rbl_outer_hull_data data;
	size_t size; // bytes of the one block: this struct, then the arrays
};

enum { COOKIE = 0x6f757465 };

rbl_outer_hull_def rbl_default_outer_hull_def(void)
{
	return (rbl_outer_hull_def){ .vertex_count = 20, .cookie = COOKIE };
}

static rbl_result check_def(const rbl_outer_hull_def *def)
{
	if (!def || def->cookie != COOKIE)
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

static bool copy_carving(rbl_carving *to, const rbl_carving *from)
{
	if (!rbl_carving_clear(to, from->face_count + 8, from->vertex_count + 16))
		return false;
	size_t faces = (size_t)from->face_count, vertices = (size_t)from->vertex_count;
	memcpy(to->planes, from->planes, faces * sizeof *to->planes);
	memcpy(to->tags, from->tags, faces * sizeof *to->tags);
	memcpy(to->x, from->x, vertices * sizeof *to->x);
	memcpy(to->y, from->y, vertices * sizeof *to->y);
	memcpy(to->z, from->z, vertices * sizeof *to->z);
	memcpy(to->faces, from->faces, 3 * vertices * sizeof *to->faces);
	memcpy(to->links, from->links, 3 * vertices * sizeof *to->links);
	to->face_count = from->face_count;
	to->vertex_count = from->vertex_count;
	return true;
}

// The plane that may cut away most, -1 when none cuts.
static int most_promising(const double *bounds, int count)
{
	int best = -1;
	for (int i = 0; i < count; ++i)
		if (bounds[i] > 0.0 && (best < 0 || bounds[i] > bounds[best]))
			best = i;
	return best;
}

static rbl_result cut_by_best(rbl_carving *carving, rbl_carving *trial, const rbl_hull_fit *fit,
                              double tolerance, int plane_limit, double *bounds)
{
	int count = fit->planes.count, fresh = -1; // the plane whose bound is what it cuts away now
	double volume = rbl_carving_volume(carving, NULL), smallest = 1e-9 * volume;
	for (int i = 0; i < count; ++i)
		bounds[i] = 2.0 * volume;
	for (;;) {
		int i = most_promising(bounds, count);
		if (i < 0 || bounds[i] < smallest)
			return RBL_OK;
		if (!copy_carving(trial, carving) ||
		    rbl_carving_cut(trial, fit->planes.data[i], tolerance, 0) == RBL_CUT_NO_MEMORY)
			return RBL_OUT_OF_MEMORY;
		rbl_carving_compact(trial);
		if (fresh == i) { // no other can do better
			rbl_carving swap = *carving;
			bool fits = trial->face_count <= plane_limit;
			if (fits)
				*carving = *trial, *trial = swap, volume -= bounds[i];
			bounds[i] = 0.0;
			fresh = -1;
			continue;
		}
		bounds[i] = volume - rbl_carving_volume(trial, NULL);
		fresh = i;
	}
}

static rbl_result cut_with_limit(rbl_carving *carving, const rbl_hull_fit *fit, double tolerance,
                                 int plane_limit)
{
	rbl_carving trial;
	rbl_carving_init(&trial, &carving->allocator);
	double *bounds = RBL_NEW(&carving->allocator, double, fit->planes.count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (bounds)
		result = cut_by_best(carving, &trial, fit, tolerance, plane_limit, bounds);
	RBL_FREE(&carving->allocator, bounds, fit->planes.count);
	rbl_carving_destroy(&trial);
	return result;
}

// --- the hull -----------------------------------------------------------------------------------

static rbl_result cut_by_all(rbl_carving *carving, const rbl_hull_fit *fit, double tolerance)
{
	for (int i = 0; i < fit->planes.count; ++i)
		if (rbl_carving_cut(carving, fit->planes.data[i], tolerance, 0) == RBL_CUT_NO_MEMORY)
			return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// Move a size on by some items, and to the next multiple of eight. @return where they begin
static size_t place(size_t *size, size_t count, size_t item)
{
	size_t at = *size;
	*size = (at + count * item + 7) / 8 * 8;
	return at;
}

static rbl_outer_hull *finish(rbl_carving *carving, const rbl_hull_fit *fit)
{
	rbl_carving_compact(carving);
	size_t faces = (size_t)carving->face_count, vertices = (size_t)carving->vertex_count, size = 0;
	place(&size, 1, sizeof(rbl_outer_hull));
	size_t planes_at = place(&size, faces, sizeof(rbl_planed));
	size_t vertices_at = place(&size, vertices, sizeof(rbl_vec3d));
	size_t chosen_at = place(&size, (size_t)fit->chosen.count, sizeof(int));
	size_t starts_at = place(&size, faces + 1, sizeof(int));
	size_t corners_at = place(&size, 3 * vertices, sizeof(int));
	char *block = rbl_allocate(&carving->allocator, 1, size);
	if (!block)
		return NULL;
	rbl_outer_hull *hull = (rbl_outer_hull *)(void *)block;
	rbl_vec3d *points = (rbl_vec3d *)(void *)(block + vertices_at);
	memcpy(block + planes_at, carving->planes, faces * sizeof(rbl_planed));
	memcpy(block + chosen_at, fit->chosen.data, (size_t)fit->chosen.count * sizeof(int));
	for (size_t v = 0; v < vertices; ++v)
		points[v] = (rbl_vec3d){ carving->x[v], carving->y[v], carving->z[v] };
	rbl_carving_loops(carving, (int *)(void *)(block + starts_at),
	                  (int *)(void *)(block + corners_at), NULL);
	*hull = (rbl_outer_hull){ .allocator = carving->allocator, .size = size };
	hull->data =
		(rbl_outer_hull_data){ .chosen_count = fit->chosen.count,
		                       .chosen = (const int *)(void *)(block + chosen_at),
		                       .plane_count = (int)faces,
		                       .planes = (const rbl_planed *)(void *)(block + planes_at),
		                       .vertex_count = (int)vertices,
		                       .vertices = points,
		                       .face_starts = (const int *)(void *)(block + starts_at),
		                       .corner_vertices = (const int *)(void *)(block + corners_at),
		                       .volume = rbl_carving_volume(carving, NULL) };
	return hull;
}

rbl_result rbl_create_outer_hull(const rbl_outer_hull_def *def, rbl_outer_hull **hull)
{
	if (!hull)
		return rbl_fail(RBL_BAD_ARGUMENT, "hull is NULL");
	*hull = NULL;
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < def->point_count; ++i)
		box = rbl_box_add_point_d(box, def->points[i]);
	double tolerance = 1e-14 * rbl_length_d(rbl_box_size_d(box));
	rbl_hull_fit fit = { 0 };
	rbl_carving carving;
	rbl_carving_init(&carving, &allocator);
	result = rbl_hull_fit_planes(&allocator, def->points, def->point_count, def->vertex_count,
	                             def->keeps_directions, &fit);
	if (result == RBL_BAD_MESH)
		rbl_hull_refuse_flat(def->points, def->point_count);
	if (result == RBL_OK && !rbl_carving_start_box(&carving, box, 0))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = def->plane_limit > 0 ? cut_with_limit(&carving, &fit, tolerance, def->plane_limit)
		                              : cut_by_all(&carving, &fit, tolerance);
	if (result == RBL_OK && !(*hull = finish(&carving, &fit)))
		result = RBL_OUT_OF_MEMORY;
	rbl_carving_destroy(&carving);
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
