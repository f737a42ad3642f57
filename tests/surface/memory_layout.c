// SPDX-License-Identifier: MIT
// ctest: soak
// Trees are laid out again some updates after a break. Bodies that rest are not fitted then, and a
// vertex that moves afterwards has only its own path fitted: everything else must have come along.

#include "surface/reference.h"

#include <rubble/surface.h>

enum { BODIES = 3, PIECES = 3 };

// Pieces along stripes, so that many clusters are new.
static void break_body(test *t, rbl_surface *surface, rbl_surface_body_id *pieces,
                       rbl_random *random)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, pieces[0]);
	int *labels = malloc((size_t)data.triangle_count * sizeof *labels);
	int width = 5 + (int)rbl_random_below(random, 20);
	for (int i = 0; i < data.triangle_count; ++i)
		labels[i] = i / width % PIECES;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = PIECES, def.labels = labels;
	CHECK(t, rbl_surface_split(surface, pieces[0], &def, pieces) == RBL_OK);
	free(labels);
}

static void nudge(test *t, rbl_surface *surface, rbl_surface_body_id body, rbl_random *random)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
	int v = data.vertices[rbl_random_below(random, (uint32_t)data.vertex_count)];
	rbl_vec3 end = rbl_surface_get_data(surface).ends[v];
	end.z += 0.01f;
	CHECK(t, rbl_surface_move_vertices(surface, body, &v, 1, &end) == RBL_OK);
}

static void packed_trees_equal_brute_force(test *t)
{
	int found = 0, packed = 0;
	for (int round = 0; round < test_count(40, 4000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 3);
		rbl_surface_def def = rbl_default_surface_def();
		def.restructuring = round % 2 ? RBL_RESTRUCTURE_NONE : RBL_RESTRUCTURE_COST;
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_id bodies[BODIES][PIECES];
		for (int i = 0; i < BODIES; ++i) {
			reference_mesh mesh = reference_sheet(10, 9 - i);
			reference_crumple(&mesh, &random);
			for (int k = 0; k < mesh.vertex_count; ++k)
				mesh.positions[k].x += (float)(20 * i);
			bodies[i][0] = reference_add(t, surface, &mesh);
			reference_mesh_free(&mesh);
		}
		reference_check_query(t, surface, false);
		for (int i = 0; i < BODIES; ++i)
			break_body(t, surface, bodies[i], &random);
		for (int i = 0; i < 10; ++i) {
			bool was_scattered = surface->is_scattered;
			CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
			packed += was_scattered && !surface->is_scattered;
			rbl_surface_pairs pairs;
			CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
		}
		for (int i = 0; i < BODIES * PIECES; ++i)
			if (rbl_random_below(&random, 4))
				nudge(t, surface, bodies[i / PIECES][i % PIECES], &random);
		found += reference_check_query(t, surface, false);
		CHECK(t, !reference_check_surface(surface));
		rbl_destroy_surface(surface);
	}
	CHECK(t, found > 100 && packed > 30);
}

TEST_MAIN(TEST(packed_trees_equal_brute_force))
