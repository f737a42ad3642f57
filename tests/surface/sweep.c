// SPDX-License-Identifier: MIT
// ctest: threads soak
// Continuous queries: everything that touches within a step, each pair of features once.

#include "surface/reference.h"
#include "worker_pool.h"

#include <rubble/surface.h>

static void add_moving(test *t, rbl_surface *surface, const reference_mesh *mesh,
                       const rbl_vec3 *ends)
{
	rbl_surface_body_id body = reference_add(t, surface, mesh);
	CHECK(t, rbl_surface_move(surface, body, NULL, ends) == RBL_OK);
}

static void hits_equal_brute_force(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	int64_t culled = 0, found = 0;
	for (int round = 0; round < test_count(60, 5000); ++round) {
		reference_mesh mesh = reference_sheet(2 + (int)rbl_random_below(&random, 6),
		                                      2 + (int)rbl_random_below(&random, 5));
		reference_mesh end = reference_sheet(1, 1);
		end.positions = realloc(end.positions, (size_t)mesh.vertex_count * sizeof(rbl_vec3));
		memcpy(end.positions, mesh.positions, (size_t)mesh.vertex_count * sizeof(rbl_vec3));
		end.vertex_count = mesh.vertex_count;
		bool is_small = rbl_random_below(&random, 2);
		reference_crumple(&end, &random);
		if (rbl_random_below(&random, 2))
			reference_crumple(&mesh, &random);
		for (int i = 0; is_small && i < mesh.vertex_count; ++i)
			end.positions[i] = rbl_lerp(mesh.positions[i], end.positions[i], 0.1f);
		for (int grade = 0; grade < 3; ++grade) {
			rbl_surface_def def = rbl_default_surface_def();
			def.culling = grade ? RBL_CULL_EXACT : RBL_CULL_NONE;
			def.thickness = grade == 2 ? 0.05f : 0.0f;
			rbl_surface *surface;
			CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
			add_moving(t, surface, &mesh, end.positions);
			rbl_surface_hits hits;
			CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
			CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
			CHECK(t, reference_check_hits(surface, hits) == 0);
			for (int i = 0; i < hits.count; ++i)
				CHECK(t, hits.hits[i].time >= 0.0f && hits.hits[i].time <= 1.0f);
			culled += rbl_surface_get_stats(surface).culled_nodes;
			found += hits.count;
			rbl_destroy_surface(surface);
		}
		reference_mesh_free(&mesh);
		reference_mesh_free(&end);
	}
	CHECK(t, culled > 20 && found > 100);
}

// One triangle falls through another: the first contact is half-way.
static void the_first_time_is_that_of_the_first_contact(test *t)
{
	rbl_vec3 floor_points[3] = { { -4, 0, -4 }, { 0, 0, 5 }, { 4, 0, -4 } };
	rbl_vec3 start[3] = { { 0, 1, 0 }, { 0.5f, 2, 0 }, { 0, 2, 0.5f } }, end[3];
	int corners[3] = { 0, 1, 2 };
	for (int i = 0; i < 3; ++i)
		end[i] = (rbl_vec3){ start[i].x, start[i].y - 2.0f, start[i].z };
	reference_mesh ground = { floor_points, corners, 3, 1 }, falling = { start, corners, 3, 1 };
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	reference_add(t, surface, &ground);
	rbl_surface_body_id body = reference_add(t, surface, &falling);
	CHECK(t, rbl_surface_move(surface, body, NULL, end) == RBL_OK);
	rbl_surface_hits hits;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
	CHECK(t, hits.count >= 1 && hits.hits[0].kind == RBL_HIT_VERTEX_FACE);
	float first;
	CHECK(t, rbl_surface_max_step(surface, 1.0f, &first) == RBL_OK);
	CHECK_NEAR(t, first, 0.5f, 1e-6f);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
	CHECK_NEAR(t, fabsf(hits.hits[0].normal.y), 1.0f, 1e-6f);
	CHECK(t, first <= 0.5f && !hits.hits[0].is_at_start);
	// It rests at its end when nobody moves it: in contact from the start.
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
	for (int i = 0; i < hits.count; ++i)
		CHECK(t, hits.hits[i].is_at_start && hits.hits[i].time == 0.0f);
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK && pairs.count == 1);
	CHECK(t, hits.count >= 1);
	rbl_destroy_surface(surface);
}

// Some vertices move while others rest, with continuous updates between.
static void parts_that_move_are_swept(test *t)
{
	rbl_random random = rbl_random_from_seed(11);
	for (int run = 0; run < test_count(4, 200); ++run) {
		reference_mesh mesh = reference_sheet(6, 5);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		for (int step = 0; step < 12; ++step) {
			int ids[3];
			rbl_vec3 ends[3];
			for (int i = 0; i < 3; ++i) {
				ids[i] = (int)rbl_random_below(&random, (uint32_t)mesh.vertex_count / 3) * 3 + i;
				ids[i] = rbl_mini(ids[i], mesh.vertex_count - 3 + i);
				ends[i] = rbl_add(surface->positions[1][ids[i]],
				                  rbl_to_f(rbl_scale_d(1.5, rbl_random_in_ball(&random))));
			}
			if (step % 4 != 3) // now and then nothing moves
				CHECK(t, rbl_surface_move_vertices(surface, body, ids, 3, ends) == RBL_OK);
			rbl_surface_hits hits;
			CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
			CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
			CHECK(t, reference_check_hits(surface, hits) == 0);
		}
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

static void workers_change_nothing(test *t)
{
	rbl_random random = rbl_random_from_seed(17);
	reference_mesh mesh = reference_sheet(60, 50), end = reference_sheet(60, 50);
	for (int i = 0; i < end.vertex_count; ++i)
		end.positions[i] =
			rbl_add(end.positions[i], rbl_to_f(rbl_scale_d(0.8, rbl_random_in_ball(&random))));
	rbl_surface_hit *first = NULL;
	int first_count = 0;
	rbl_surface_stats stats[3];
	for (int workers = 1; workers <= 3; ++workers) {
		rbl_jobs *jobs = create_pool(workers);
		rbl_surface_def def = rbl_default_surface_def();
		def.jobs = jobs;
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		add_moving(t, surface, &mesh, end.positions);
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
		stats[workers - 1] = rbl_surface_get_stats(surface);
		if (workers == 1) {
			first_count = hits.count;
			first = malloc((size_t)hits.count * sizeof *first + 1);
			memcpy(first, hits.hits, (size_t)hits.count * sizeof *first);
		}
		CHECK(t, hits.count == first_count && first_count > 0);
		for (int i = 0; i < hits.count && i < first_count; ++i)
			CHECK(t, hits.hits[i].kind == first[i].kind && hits.hits[i].a == first[i].a &&
			             hits.hits[i].b == first[i].b && hits.hits[i].time == first[i].time);
		CHECK(t, stats[workers - 1].box_tests == stats[0].box_tests);
		CHECK(t, stats[workers - 1].culled_nodes == stats[0].culled_nodes);
		rbl_destroy_surface(surface);
		rbl_destroy_jobs(jobs);
	}
	free(first);
	reference_mesh_free(&mesh);
	reference_mesh_free(&end);
}

// Clusters of different bodies whose boxes overlap, and whose numbers have the last bits in common.
static int count_alike(const rbl_surface *surface)
{
	int alike = 0;
	for (int a = 0; a < surface->cluster_end; ++a)
		for (int b = a + RBL_SWEEP_STAGING_CLUSTERS; b < surface->cluster_end;
		     b += RBL_SWEEP_STAGING_CLUSTERS)
			alike += surface->cluster_data[a].body != surface->cluster_data[b].body &&
			         rbl_box_overlaps(surface->cluster_boxes[a], surface->cluster_boxes[b]);
	return alike;
}

// Boxes of clusters are kept by these bits while a query lasts. Two sheets pass through each other,
// the second with its triangles in another order.
static void clusters_with_numbers_alike_are_told_apart(test *t)
{
	int alike = 0;
	for (int width = 12; width < 30; ++width) {
		reference_mesh mesh = reference_sheet(width, 12);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		for (int turn = 0; turn < 2; ++turn) {
			for (int i = 0; i < mesh.vertex_count && turn; ++i) {
				rbl_vec3 *p = &mesh.positions[i];
				*p = (rbl_vec3){ (float)width + 0.3f - p->x, 12.4f - p->y, 0.2f };
			}
			rbl_surface_body_id body = reference_add(t, surface, &mesh);
			for (int i = 0; i < mesh.vertex_count; ++i)
				mesh.positions[i].z += turn ? -0.4f : 0.0f;
			CHECK(t, rbl_surface_move(surface, body, NULL, mesh.positions) == RBL_OK);
		}
		CHECK(t, reference_check_query(t, surface, true) > 1000);
		alike += count_alike(surface);
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
	CHECK(t, alike > 2);
}

// A sheet that flies far in one step, and bends a little: its triangles are put against few more
// others than those of a sheet that stays, although the way of each crosses that of most.
static void what_goes_one_way_is_told_apart(test *t)
{
	int64_t candidates[2];
	for (int flies = 0; flies < 2; ++flies) {
		reference_mesh mesh = reference_sheet(20, 20);
		rbl_vec3 *ends = malloc((size_t)mesh.vertex_count * sizeof *ends);
		for (int i = 0; i < mesh.vertex_count; ++i) {
			mesh.positions[i].z = 0.1f * (float)(i % 5);
			ends[i] = rbl_add(mesh.positions[i],
			                  (rbl_vec3){ 6.0f * (float)flies, 0.0f, 0.01f * (float)(i % 3) });
		}
		rbl_surface_def def = rbl_default_surface_def();
		def.culling = RBL_CULL_NONE;
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		add_moving(t, surface, &mesh, ends);
		CHECK(t, reference_check_query(t, surface, true) == 0);
		candidates[flies] = rbl_surface_get_stats(surface).candidates;
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
		free(ends);
	}
	CHECK(t, candidates[1] < candidates[0] + candidates[0] / 4);
}

TEST_MAIN(TEST(hits_equal_brute_force), TEST(what_goes_one_way_is_told_apart),
          TEST(the_first_time_is_that_of_the_first_contact), TEST(parts_that_move_are_swept),
          TEST(clusters_with_numbers_alike_are_told_apart), TEST(workers_change_nothing))
