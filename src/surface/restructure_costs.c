// SPDX-License-Identifier: MIT
//
// What steps cost on this machine: the micro-benchmark of Heo et al. 2010, section 5.4, for those
// who prefetch it.
//
// A sheet in waves, rolled up to a tube that does not close, moves a little from frame to frame:
// once with its tree kept, once with all of it rebuilt in every update. The difference of the
// updates is what building costs, and the query of the first what a box test does, with what
// follows from it.

#include "surface/comparison.h"

#include "base/bits.h"
#include "base/log.h"
#include "base/math.h"

enum { SIZE = 100, RUNS = 5 };

static void draw_sheet(rbl_vec3 *positions, int shift)
{
	for (int i = 0; i < (SIZE + 1) * (SIZE + 1); ++i) {
		double x = (double)(i % (SIZE + 1)) / SIZE, y = (double)(i / (SIZE + 1)) / SIZE;
		double s = 6.0 * x + 2.0 * y + 0.01 * shift;
		s -= floor(s);
		double wave = s < 0.5 ? s * (0.5 - s) : (s - 0.5) * (s - 1.0);
		double radius = 1.0 + 2.0 * wave, angle = 6.0 * x;
		positions[i] = (rbl_vec3){ (float)(radius * rbl_cos(angle)), (float)(3.0 * y),
			                       (float)(radius * rbl_sin(angle)) };
	}
}

static void join_sheet(int *t)
{
	for (int i = 0; i < SIZE * SIZE; ++i) {
		int a = i / SIZE * (SIZE + 1) + i % SIZE, b = a + 1, c = a + SIZE + 1, d = c + 1;
		*t++ = a, *t++ = d, *t++ = b;
		*t++ = a, *t++ = c, *t++ = d;
	}
}

// The least of some runs.
typedef struct sample {
	double update, query, tests;
	int clusters;
} sample;

static rbl_result measure(const rbl_surface_def *def, const rbl_surface_body_def *body_def,
                          rbl_vec3 *positions, sample *smallest)
{
	rbl_surface *surface;
	rbl_surface_body_id body;
	rbl_result result = rbl_surface_create_comparison(def, &surface);
	if (result == RBL_OK)
		result = rbl_surface_add(surface, body_def, &body);
	*smallest = (sample){ 1e30, 1e30, 1.0, 1 };
	for (int i = 0; result == RBL_OK && i < RUNS; ++i) {
		rbl_surface_pairs pairs;
		draw_sheet(positions, i);
		result = rbl_surface_move(surface, body, NULL, positions);
		if (result == RBL_OK)
			result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
		if (result == RBL_OK)
			result = rbl_surface_collide(surface, &pairs);
		rbl_surface_stats stats = rbl_surface_get_stats(surface);
		double tests =
			(double)(1 + stats.box_tests + RBL_SURFACE_CLUSTER_BOX_TESTS * stats.cluster_tests);
		if ((double)stats.query_ns / tests < smallest->query / smallest->tests)
			smallest->query = (double)stats.query_ns, smallest->tests = tests;
		smallest->update = rbl_mind(smallest->update, (double)stats.update_ns);
		smallest->clusters = stats.cluster_count;
	}
	rbl_destroy_surface(surface);
	return result;
}

rbl_result rbl_measure_surface_costs(const rbl_surface_def *def, rbl_surface_costs *costs)
{
	if (!costs)
		return rbl_fail(RBL_BAD_ARGUMENT, "costs is NULL");
	rbl_surface *checked;
	rbl_result result = rbl_create_surface(def, &checked);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = checked->allocator;
	rbl_destroy_surface(checked);
	rbl_surface_def kept_def = *def, built_def = *def;
	kept_def.restructuring = RBL_RESTRUCTURE_NONE;
	built_def.restructuring = RBL_RESTRUCTURE_ALL;
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = (SIZE + 1) * (SIZE + 1), body_def.triangle_count = 2 * SIZE * SIZE;
	rbl_vec3 *positions = RBL_NEW(&allocator, rbl_vec3, body_def.vertex_count);
	int *triangles = RBL_NEW(&allocator, int, 3 * body_def.triangle_count);
	result = positions && triangles ? RBL_OK : RBL_OUT_OF_MEMORY;
	sample kept, built;
	if (result == RBL_OK) {
		join_sheet(triangles);
		draw_sheet(positions, 0);
		body_def.positions = positions, body_def.triangles = triangles;
		result = measure(&kept_def, &body_def, positions, &kept);
	}
	if (result == RBL_OK)
		result = measure(&built_def, &body_def, positions, &built);
	RBL_FREE(&allocator, positions, body_def.vertex_count);
	RBL_FREE(&allocator, triangles, 3 * body_def.triangle_count);
	if (result != RBL_OK)
		return result;
	int levels = 1 + rbl_highest_one((uint64_t)built.clusters);
	double build = (built.update - kept.update) / ((double)built.clusters * levels);
	*costs = (rbl_surface_costs){ .box_test = (float)rbl_maxd(kept.query / kept.tests, 0.1),
		                          .build_cluster = (float)rbl_maxd(build, 0.1) };
	return RBL_OK;
}
