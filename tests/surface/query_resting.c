// SPDX-License-Identifier: MIT
// ctest: soak
// Bodies that rest are not tested again, and nothing is lost by it: a surface in which only some
// bodies move agrees with its reference model, in which all are moved to where they are.

#include "surface/reference.h"

#include "base/math.h"

#include <rubble/surface.h>

enum { BODIES = 8 };

typedef struct reference_model {
	rbl_surface *surfaces[2]; // the second moves everything
	rbl_surface_body_id bodies[BODIES];
} reference_model;

static reference_model make_reference_model(test *t, rbl_random *random)
{
	reference_model m;
	rbl_surface_def def = rbl_default_surface_def();
	for (int i = 0; i < 2; ++i)
		CHECK(t, rbl_create_surface(&def, &m.surfaces[i]) == RBL_OK);
	for (int b = 0; b < BODIES; ++b) {
		reference_mesh mesh = reference_sheet(3 + b % 3, 4);
		reference_crumple(&mesh, random);
		for (int i = 0; i < 2; ++i)
			m.bodies[b] = reference_add(t, m.surfaces[i], &mesh);
		reference_mesh_free(&mesh);
	}
	return m;
}

// Move a body in both, by a random way; or to where it is in the reference model alone.
static void move_body(test *t, reference_model *m, int body, bool is_still, rbl_random *random)
{
	rbl_vec3 translation = { (float)rbl_random_range(random, -0.4, 0.4),
		                     (float)rbl_random_range(random, -0.4, 0.4), 0.2f };
	rbl_surface_body_data data = rbl_surface_body_get_data(m->surfaces[1], m->bodies[body]);
	rbl_surface_data all = rbl_surface_get_data(m->surfaces[1]);
	rbl_vec3 *ends = malloc((size_t)data.vertex_count * sizeof *ends);
	for (int i = 0; i < data.vertex_count; ++i) {
		rbl_vec3 p = all.ends[data.vertices[i]];
		ends[i] = is_still ? p : rbl_add(p, translation);
	}
	for (int i = is_still; i < 2; ++i)
		CHECK(t, rbl_surface_move(m->surfaces[i], m->bodies[body], NULL, ends) == RBL_OK);
	free(ends);
}

static void cut_corner(test *t, reference_model *m, int body)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(m->surfaces[0], m->bodies[body]);
	int *labels = calloc((size_t)data.triangle_count, sizeof *labels);
	labels[0] = -1;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 1, def.labels = labels;
	rbl_surface_body_id piece;
	for (int i = 0; i < 2; ++i)
		CHECK(t, rbl_surface_split(m->surfaces[i], m->bodies[body], &def, &piece) == RBL_OK);
	free(labels);
}

static void compare(test *t, reference_model *m, rbl_surface_motion motion)
{
	rbl_surface_pairs pairs[2];
	rbl_surface_hits hits[2];
	for (int i = 0; i < 2; ++i) {
		CHECK(t, rbl_surface_update(m->surfaces[i], motion) == RBL_OK);
		if (motion == RBL_SURFACE_DISCRETE)
			CHECK(t, rbl_surface_collide(m->surfaces[i], &pairs[i]) == RBL_OK);
		else
			CHECK(t, rbl_surface_sweep(m->surfaces[i], &hits[i]) == RBL_OK);
	}
	if (motion == RBL_SURFACE_DISCRETE) {
		CHECK(t, pairs[0].count == pairs[1].count);
		for (int i = 0; i < pairs[0].count && pairs[0].count == pairs[1].count; ++i)
			CHECK(t, pairs[0].pairs[i].a == pairs[1].pairs[i].a &&
			             pairs[0].pairs[i].b == pairs[1].pairs[i].b);
		CHECK(t, reference_check_pairs(m->surfaces[0], pairs[0]) == 0);
		return;
	}
	CHECK(t, hits[0].count == hits[1].count);
	for (int i = 0; i < hits[0].count && hits[0].count == hits[1].count; ++i)
		CHECK(t, hits[0].hits[i].kind == hits[1].hits[i].kind &&
		             hits[0].hits[i].a == hits[1].hits[i].a &&
		             hits[0].hits[i].b == hits[1].hits[i].b &&
		             hits[0].hits[i].time == hits[1].hits[i].time);
}

static void what_rests_is_not_lost(test *t)
{
	int64_t candidates[2] = { 0, 0 };
	for (int run = 0; run < test_count(6, 400); ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run + 5);
		reference_model m = make_reference_model(t, &random);
		rbl_surface_motion motion = RBL_SURFACE_DISCRETE;
		for (int step = 0; step < 12; ++step) {
			int moved = (int)rbl_random_below(&random, BODIES + 1); // none, sometimes
			if (rbl_random_below(&random, 4) == 0)
				cut_corner(t, &m, (int)rbl_random_below(&random, BODIES));
			for (int b = 0; b < BODIES; ++b)
				move_body(t, &m, b, b != moved, &random);
			if (rbl_random_below(&random, 5) == 0)
				motion = (rbl_surface_motion)!motion;
			compare(t, &m, motion);
			for (int i = 0; i < 2; ++i)
				candidates[i] += rbl_surface_get_stats(m.surfaces[i]).candidates;
		}
		for (int i = 0; i < 2; ++i)
			rbl_destroy_surface(m.surfaces[i]);
	}
	CHECK(t, candidates[0] < candidates[1]);
}

static void an_answer_is_given_again_without_work(test *t)
{
	rbl_random random = rbl_random_from_seed(9);
	reference_model m = make_reference_model(t, &random);
	rbl_surface_pairs pairs;
	for (int round = 0; round < 3; ++round) {
		if (round == 2) // another grade starts again
			CHECK(t, rbl_surface_set_culling(m.surfaces[0], RBL_CULL_NONE) == RBL_OK);
		CHECK(t, rbl_surface_update(m.surfaces[0], RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(m.surfaces[0], &pairs) == RBL_OK);
		CHECK(t, pairs.count > 0 && reference_check_pairs(m.surfaces[0], pairs) == 0);
		CHECK(t, (rbl_surface_get_stats(m.surfaces[0]).box_tests > 0) == (round != 1));
	}
	CHECK(t, rbl_surface_remove(m.surfaces[0], m.bodies[2]) == RBL_OK);
	CHECK(t, rbl_surface_update(m.surfaces[0], RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(m.surfaces[0], &pairs) == RBL_OK);
	CHECK(t, reference_check_pairs(m.surfaces[0], pairs) == 0);
	for (int i = 0; i < 2; ++i)
		rbl_destroy_surface(m.surfaces[i]);
}

// A body that moved as a whole in the last step moves in part in this one: all else of it rests.
static void what_moves_in_part_rests_elsewhere(test *t)
{
	reference_mesh mesh = reference_sheet(4, 4);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, &mesh);
	for (int i = 0; i < mesh.vertex_count; ++i)
		mesh.positions[i].z += 1.0f;
	CHECK(t, rbl_surface_move(surface, body, NULL, mesh.positions) == RBL_OK);
	reference_check_query(t, surface, true);
	int vertex = 12;
	rbl_vec3 end = { 2.0f, 2.0f, 3.0f };
	CHECK(t, rbl_surface_move_vertices(surface, body, &vertex, 1, &end) == RBL_OK);
	reference_check_query(t, surface, true);
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int i = 0; i < mesh.vertex_count; ++i)
		CHECK(t, (data.starts[i].z == data.ends[i].z) == (i != vertex));
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// Three sides of a box face its corner: one contour, though their normals fill an octant.
static void the_corner_of_a_box_is_culled(test *t)
{
	enum { SIDE = 6 };
	reference_mesh mesh = reference_sheet(2 * SIDE, 2 * SIDE);
	int kept = 0;
	for (int i = 0; i < mesh.triangle_count; ++i) { // without the quarter beyond the corner
		int x = i / 2 % (2 * SIDE), y = i / 2 / (2 * SIDE);
		if (x >= SIDE && y >= SIDE)
			continue;
		memmove(mesh.triangles + 3 * kept++, mesh.triangles + 3 * i, 3 * sizeof(int));
	}
	mesh.triangle_count = kept;
	for (int i = 0; i < 3 * kept; ++i) { // the edge where the two other sides touch
		int x = mesh.triangles[i] % (2 * SIDE + 1), y = mesh.triangles[i] / (2 * SIDE + 1);
		if (x == SIDE && y > SIDE)
			mesh.triangles[i] = SIDE * (2 * SIDE + 1) + y;
	}
	for (int i = 0; i < mesh.vertex_count; ++i) { // fold down what is beyond x or y
		rbl_vec3 *p = &mesh.positions[i];
		float over_x = rbl_maxf(p->x - SIDE, 0.0f), over_y = rbl_maxf(p->y - SIDE, 0.0f);
		*p = (rbl_vec3){ p->x - over_x, p->y - over_y, -over_x - over_y };
	}
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	reference_add(t, surface, &mesh);
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
	CHECK(t, pairs.count == 0 && reference_check_pairs(surface, pairs) == 0);
	rbl_surface_stats stats = rbl_surface_get_stats(surface);
	CHECK(t, stats.culled_nodes == 1 && stats.culled_triangles == kept);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// A plate without boundaries: its two sides face away from each other, a fiftieth of a quad apart.
static void front_and_back_lie_in_different_nodes(test *t)
{
	enum { SIDE = 20 };
	reference_mesh front = reference_sheet(SIDE, SIDE), plate = reference_sheet(SIDE, 2 * SIDE + 1);
	int vertex_count = front.vertex_count, count = 0;
	for (int i = 0; i < 2 * vertex_count; ++i) {
		rbl_vec3 p = front.positions[i % vertex_count];
		plate.positions[i] = (rbl_vec3){ p.x, p.y, i < vertex_count ? 0.02f : 0.0f };
	}
	for (int i = 0; i < 6 * front.triangle_count; ++i) {
		bool is_back = i >= 3 * front.triangle_count;
		int k = i % (3 * front.triangle_count);
		if (is_back) // turned over
			k = k % 3 == 1 ? k + 1 : k % 3 == 2 ? k - 1 : k;
		plate.triangles[count++] = front.triangles[k] + (is_back ? vertex_count : 0);
	}
	plate.vertex_count = 2 * vertex_count, plate.triangle_count = 2 * front.triangle_count;
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	reference_add(t, surface, &plate);
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK && pairs.count == 0);
	rbl_surface_stats stats = rbl_surface_get_stats(surface);
	// A few patches of each; in a tree over boxes alone, every cluster is a patch of its own.
	CHECK(t, stats.culled_nodes <= 8 && stats.culled_triangles == plate.triangle_count);
	rbl_destroy_surface(surface);
	reference_mesh_free(&front);
	reference_mesh_free(&plate);
}

// A list of neighbours is cut, and then a hole is made: clusters beside that must not trust what
// they knew.
static void neighbours_of_a_cut_are_found_anew(test *t)
{
	reference_mesh mesh = reference_torus(30, 20);
	for (int i = 0; i < mesh.vertex_count; ++i) {
		double u = 6.283185307179586 * (i % 30) / 30.0, v = 6.283185307179586 * (i / 30) / 20.0;
		double r = 3.0 + rbl_cos(v);
		mesh.positions[i] =
			(rbl_vec3){ (float)(r * rbl_cos(u)), (float)(r * rbl_sin(u)), (float)rbl_sin(v) };
	}
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, &mesh), pieces[2];
	int known = 0, *labels = calloc((size_t)mesh.triangle_count, sizeof *labels);
	for (int step = 0; step < 3; ++step) {
		rbl_surface_pairs pairs;
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
		CHECK(t, reference_check_pairs(surface, pairs) == 0 && !reference_check_surface(surface));
		for (int c = 0; c < surface->cluster_end; ++c)
			known += surface->cluster_neighbours[c].around[0] >= 0;
		rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
		rbl_surface_data all = rbl_surface_get_data(surface);
		rbl_surface_split_def split = rbl_default_surface_split_def();
		for (int i = 0; i < data.triangle_count; ++i) {
			rbl_vec3 p = all.ends[all.triangles[3 * data.triangles[i]]];
			labels[i] = step == 0 ? p.x > 0.3f
			            : rbl_length(rbl_sub(p, (rbl_vec3){ -2.0f, 0, 1 })) < 0.5f * (float)step
			                ? -1
			                : 0;
		}
		split.piece_count = step == 0 ? 2 : 1, split.labels = labels;
		CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_OK);
		CHECK(t, !reference_check_surface(surface));
	}
	CHECK(t, known > 20);
	free(labels);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

TEST_MAIN(TEST(what_rests_is_not_lost), TEST(what_moves_in_part_rests_elsewhere),
          TEST(an_answer_is_given_again_without_work), TEST(the_corner_of_a_box_is_culled),
          TEST(front_and_back_lie_in_different_nodes), TEST(neighbours_of_a_cut_are_found_anew))
