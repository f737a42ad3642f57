// SPDX-License-Identifier: MIT
// ctest: soak
// Vertices that become one, in one body or across bodies: topology is what the triangles say, nothing is
// missed, and what did not move does not move.

#include "surface/reference.h"

#include <rubble/surface.h>

static rbl_surface *make_surface(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	return surface;
}

// Regression: two vertices of a sheet that have a neighbour in common. Edges to it come to lie on each other
// though one of their ends alone is welded, and stayed joined to what they were joined to.
static void edges_that_meet_at_one_end_tangle(test *t)
{
	reference_mesh mesh = reference_sheet(4, 4);
	rbl_surface *surface = make_surface(t);
	rbl_surface_body_id body = reference_add(t, surface, &mesh);
	reference_check_query(t, surface, false);
	int weld[2] = { 11, 13 }; // on both sides of 12
	CHECK(t, rbl_surface_merge(surface, &body, 1, weld, 1) == RBL_OK);
	CHECK(t, !reference_check_surface(surface));
	int tangles = 0;
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int h = 0; h < 3 * data.triangle_end; ++h) {
		int from = data.triangles[h], to = data.triangles[rbl_surface_next(h)];
		if ((from == 11 && to == 12) || (from == 12 && to == 11))
			tangles++, CHECK(t, data.twins[h] < RBL_SURFACE_BOUNDARY);
	}
	CHECK(t, tangles == 4);
	reference_check_query(t, surface, false);
	reference_check_query(t, surface, true);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// Any welds, in rounds: sides part within clusters that no vertex of changed.
static void welded_bodies_equal_brute_force(test *t)
{
	int merged = 0, found = 0;
	for (int round = 0; round < test_count(150, 15000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		rbl_surface *surface = make_surface(t);
		rbl_surface_body_id bodies[2];
		int body_count = 1 + round % 2;
		for (int i = 0; i < body_count; ++i) {
			reference_mesh mesh = round % 3 ? reference_sheet(4, 3 + i) : reference_torus(4, 4);
			if (round % 4 == 0)
				reference_crumple(&mesh, &random);
			bodies[i] = reference_add(t, surface, &mesh);
			reference_mesh_free(&mesh);
		}
		reference_check_query(t, surface, false);
		for (int step = 0; step < 4; ++step) {
			int welds[6], weld_count = 1 + (int)rbl_random_below(&random, 3);
			for (int i = 0; i < 2 * weld_count; ++i) {
				rbl_surface_body_data data =
					rbl_surface_body_get_data(surface, bodies[step ? 0 : i % body_count]);
				welds[i] = data.vertices[rbl_random_below(&random, (uint32_t)data.vertex_count)];
			}
			if (rbl_surface_merge(surface, bodies, step ? 1 : body_count, welds, weld_count) ==
			    RBL_OK)
				merged++;
			else if (step == 0)
				CHECK(t, rbl_surface_merge(surface, bodies, body_count, NULL, 0) == RBL_OK);
			CHECK(t, !reference_check_surface(surface));
			found += reference_check_query(t, surface, rbl_random_below(&random, 2));
			CHECK(t, !reference_check_surface(surface));
		}
		rbl_destroy_surface(surface);
	}
	CHECK(t, merged > 50 && found > 50);
}

// Regression: a body moved in the last step, another moves in this one, and they become one. The first went
// its way once more.
static void what_rests_does_not_move_with_what_it_is_merged_with(test *t)
{
	for (int kind = 0; kind < 4; ++kind) {
		rbl_surface *surface = make_surface(t);
		rbl_surface_body_id bodies[2];
		reference_mesh mesh = reference_sheet(4, 4);
		rbl_vec3 ends[25];
		for (int i = 0; i < 2; ++i) {
			for (int k = 0; k < mesh.vertex_count; ++k)
				mesh.positions[k].z = (float)(10 * i);
			bodies[i] = reference_add(t, surface, &mesh);
		}
		for (int step = 0; step < 2; ++step) {
			rbl_surface_body_data data =
				rbl_surface_body_get_data(surface, bodies[step ^ (kind / 2)]);
			for (int k = 0; k < data.vertex_count; ++k)
				ends[k] = rbl_add(rbl_surface_get_data(surface).ends[data.vertices[k]],
				                  (rbl_vec3){ 0.0f, 0.0f, 1.0f });
			int count = kind % 2 ? 3 : data.vertex_count; // or in part
			CHECK(t, (kind % 2 ? rbl_surface_move_vertices(surface, bodies[step ^ (kind / 2)],
			                                               data.vertices, count, ends)
			                   : rbl_surface_move(surface, bodies[step ^ (kind / 2)], NULL,
			                                      ends)) == RBL_OK);
			if (step == 0)
				reference_check_query(t, surface, true);
		}
		CHECK(t, rbl_surface_merge(surface, bodies, 2, NULL, 0) == RBL_OK);
		reference_check_query(t, surface, true);
		rbl_surface_data all = rbl_surface_get_data(surface);
		int moving = 0;
		for (int v = 0; v < 50; ++v)
			moving += all.starts[v].z != all.ends[v].z;
		CHECK(t, moving == (kind % 2 ? 3 : 25));
		reference_check_query(t, surface, true); // and now all of it rests
		all = rbl_surface_get_data(surface);
		for (int v = 0; v < 50; ++v)
			CHECK(t, all.starts[v].z == all.ends[v].z);
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

// A body moves into another, and they become one before anyone looks.
static void what_moves_is_found_where_it_went_when_merged(test *t)
{
	for (int kind = 0; kind < 12; ++kind) {
		rbl_surface *surface = make_surface(t);
		rbl_surface_body_id bodies[2];
		reference_mesh mesh = reference_sheet(4, 4);
		for (int i = 0; i < 2; ++i) {
			for (int k = 0; k < mesh.vertex_count; ++k)
				mesh.positions[k].z = (float)(10 * i);
			bodies[i] = reference_add(t, surface, &mesh);
		}
		reference_check_query(t, surface, kind % 2);
		int moving = kind / 2 % 2, other = !moving;
		for (int k = 0; k < mesh.vertex_count; ++k) // upright through the other
			mesh.positions[k] = (rbl_vec3){ mesh.positions[k].x, 1.7f,
				                            (float)(10 * other) + mesh.positions[k].y - 1.4f };
		if (kind / 4 == 0)
			CHECK(t, rbl_surface_move(surface, bodies[moving], NULL, mesh.positions) == RBL_OK);
		else
			CHECK(t, rbl_surface_move_vertices(
						 surface, bodies[moving],
						 rbl_surface_body_get_data(surface, bodies[moving]).vertices,
						 mesh.vertex_count, mesh.positions) == RBL_OK);
		int order = kind / 8;
		rbl_surface_body_id both[2] = { bodies[order], bodies[!order] };
		CHECK(t, rbl_surface_merge(surface, both, 2, NULL, 0) == RBL_OK);
		CHECK(t, reference_check_query(t, surface, kind % 2) > 0);
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

TEST_MAIN(TEST(edges_that_meet_at_one_end_tangle), TEST(welded_bodies_equal_brute_force),
          TEST(what_rests_does_not_move_with_what_it_is_merged_with),
          TEST(what_moves_is_found_where_it_went_when_merged))
