// SPDX-License-Identifier: MIT
// Updates: only what changed is fitted, and building anew costs no more than is allowed.

#include "faulty_allocator.h"
#include "surface/judge.h"

#include <rubble/surface.h>

static void only_paths_above_what_moved_are_fitted(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	judge_mesh mesh = judge_sheet(100, 100);
	rbl_surface_body_id body = judge_add(t, surface, &mesh);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_get_stats(surface).fitted_nodes > 1000);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_get_stats(surface).fitted_nodes == 0);
	int vertex = 5050;
	rbl_vec3 end = { 50.3f, 50.2f, 0.4f };
	CHECK(t, rbl_surface_move_vertices(surface, body, &vertex, 1, &end) == RBL_OK);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	int64_t fitted = rbl_surface_get_stats(surface).fitted_nodes;
	CHECK(t, fitted > 0 && fitted < 6 * 24); // six triangles round it, paths of a dozen nodes
	judge_mesh_free(&mesh);
	rbl_destroy_surface(surface);
}

// Roll a sheet up and open it again. @return clusters that were built anew
static int64_t roll(test *t, float share)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.restructure_share = share;
	def.costs.build_cluster = 5.0f;
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	judge_mesh mesh = judge_sheet(40, 30);
	rbl_surface_body_id body = judge_add(t, surface, &mesh);
	rbl_random random = rbl_random_from_seed(2);
	double budget = 0.0;
	int64_t rebuilt = 0;
	for (int step = 0; step < 16; ++step) {
		judge_mesh moved = judge_sheet(40, 30);
		judge_crumple(&moved, &random);
		rbl_surface_pairs pairs;
		CHECK(t, rbl_surface_move(surface, body, NULL, moved.positions) == RBL_OK);
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		rbl_surface_stats stats = rbl_surface_get_stats(surface);
		double cost = (double)def.costs.build_cluster * (double)stats.rebuilt_clusters;
		CHECK(t, cost <= budget);
		rebuilt += stats.rebuilt_clusters;
		CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
		stats = rbl_surface_get_stats(surface);
		budget = (double)share * (double)def.costs.box_test *
		         (double)(stats.box_tests + 4 * stats.cluster_tests);
		judge_mesh_free(&moved);
	}
	judge_mesh_free(&mesh);
	rbl_destroy_surface(surface);
	return rebuilt;
}

static void building_keeps_to_its_share_of_the_query(test *t)
{
	int64_t none = roll(t, 0.0f), quarter = roll(t, 0.25f), all = roll(t, 1.0f);
	CHECK(t, none == 0);
	CHECK(t, quarter > 0 && quarter <= all);
}

static void constants_are_measured_when_asked_for(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_costs costs = { 0.0f, 0.0f };
	CHECK(t, rbl_measure_surface_costs(&def, &costs) == RBL_OK);
	CHECK(t, costs.box_test >= 0.1f && costs.box_test < 1e6f);
	CHECK(t, costs.build_cluster >= 0.1f && costs.build_cluster < 1e6f);
	CHECK(t, rbl_measure_surface_costs(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_measure_surface_costs(NULL, &costs) == RBL_BAD_ARGUMENT);
	rbl_surface_costs before = costs;
	for (int n = 0; n < 16; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		def.allocator = FAULTY(&memory);
		CHECK(t, rbl_measure_surface_costs(&def, &costs) == RBL_OUT_OF_MEMORY);
		CHECK(t, costs.box_test == before.box_test && memory.live_bytes == 0);
	}
}

TEST_MAIN(TEST(only_paths_above_what_moved_are_fitted),
          TEST(building_keeps_to_its_share_of_the_query),
          TEST(constants_are_measured_when_asked_for))
