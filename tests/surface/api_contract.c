// SPDX-License-Identifier: MIT
// What rubble/surface.h says about lists, names and numbers, held against what comes out.

#include "base/random.h"
#include "surface/reference.h"

#include <rubble/surface.h>

static rbl_surface *make_surface(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	return surface;
}

// Two sheets that cross while one of them moves, with contacts at the start and later.
static rbl_surface *make_crossing_sheets(test *t)
{
	rbl_surface *surface = make_surface(t);
	rbl_random random = rbl_random_from_seed(3);
	rbl_surface_body_id bodies[2];
	for (int i = 0; i < 2; ++i) {
		reference_mesh mesh = reference_sheet(9, 7);
		reference_crumple(&mesh, &random);
		bodies[i] = reference_add(t, surface, &mesh);
		reference_mesh_free(&mesh);
	}
	rbl_surface_body_data body = rbl_surface_body_get_data(surface, bodies[1]);
	rbl_surface_data data = rbl_surface_get_data(surface);
	rbl_vec3 *ends = malloc((size_t)body.vertex_count * sizeof *ends);
	for (int i = 0; i < body.vertex_count; ++i) {
		ends[i] = data.ends[body.vertices[i]];
		ends[i].y += 0.3f, ends[i].x += 0.2f;
	}
	CHECK(t, rbl_surface_move(surface, bodies[1], NULL, ends) == RBL_OK);
	free(ends);
	return surface;
}

static int lowest_half_edge(const rbl_surface_data *data, int half_edge)
{
	int twin = data->twins[half_edge];
	return twin >= 0 && twin < half_edge ? twin : half_edge;
}

static void hits_come_in_order_and_are_named_by_the_lowest_half_edge(test *t)
{
	rbl_surface *surface = make_crossing_sheets(t);
	rbl_surface_hits hits;
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
	CHECK(t, hits.count > 50);
	rbl_surface_data data = rbl_surface_get_data(surface); // the list stays while one looks
	float first = 1.0f;
	for (int i = 0; i < hits.count; ++i) {
		rbl_surface_hit h = hits.hits[i], g = hits.hits[i > 0 ? i - 1 : 0];
		CHECK(t, i == 0 || g.kind < h.kind || (g.kind == h.kind && g.a < h.a) ||
		             (g.kind == h.kind && g.a == h.a && g.b < h.b));
		CHECK(t, !h.is_at_start || h.time == 0.0f);
		first = h.time < first ? h.time : first;
		double length = (double)h.normal.x * (double)h.normal.x +
		                (double)h.normal.y * (double)h.normal.y +
		                (double)h.normal.z * (double)h.normal.z;
		CHECK_NEAR(t, length, 1.0, 1e-5);
		if (h.kind == RBL_HIT_EDGE_EDGE)
			CHECK(t, h.a < h.b && lowest_half_edge(&data, h.a) == h.a &&
			             lowest_half_edge(&data, h.b) == h.b);
	}
	float share;
	CHECK(t, rbl_surface_max_step(surface, 1.0f, &share) == RBL_OK && share == first);
	rbl_destroy_surface(surface);
}

// Two triangles that share no vertex.
static void add_two(test *t, rbl_surface *surface, const rbl_vec3 positions[6])
{
	const int triangles[6] = { 0, 1, 2, 3, 4, 5 };
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = 6, def.positions = positions;
	def.triangle_count = 2, def.triangles = triangles;
	rbl_surface_body_id body;
	CHECK(t, rbl_surface_add(surface, &def, &body) == RBL_OK);
}

// Without a normal and without motion there is still a unit vector.
static void the_normal_of_parallel_edges_is_a_unit_vector(test *t)
{
	rbl_surface *surface = make_surface(t);
	const rbl_vec3 positions[6] = { { 0.0f, 0.0f, 0.0f }, { 2.0f, 0.0f, 0.0f },
		                            { 1.0f, 0.0f, 1.0f }, { 1.0f, 0.0f, 0.0f },
		                            { 3.0f, 0.0f, 0.0f }, { 2.0f, 0.0f, -1.0f } };
	rbl_surface_hits hits;
	add_two(t, surface, positions);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK && hits.count > 0);
	for (int i = 0; i < hits.count; ++i) {
		rbl_vec3 n = hits.hits[i].normal;
		CHECK_NEAR(t, n.x * n.x + n.y * n.y + n.z * n.z, 1.0f, 1e-5f);
		CHECK(t, hits.hits[i].is_at_start && hits.hits[i].time == 0.0f);
	}
	rbl_destroy_surface(surface);
}

// Surfaces that lie through each other touch at an instant; over a step in which nothing of them
// passes anything, they do not.
static void what_lies_through_each_other_is_a_pair_and_no_hit(test *t)
{
	rbl_surface *surface = make_surface(t);
	const rbl_vec3 positions[6] = { { 0.0f, 0.0f, 0.0f }, { 4.0f, 0.0f, 0.0f },
		                            { 0.0f, 0.0f, 4.0f }, { 1.0f, -1.0f, 1.0f },
		                            { 1.0f, 2.0f, 0.5f }, { 1.25f, 2.0f, 1.0f } };
	rbl_surface_hits hits;
	rbl_surface_pairs pairs;
	add_two(t, surface, positions);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK && hits.count == 0);
	float share;
	CHECK(t, rbl_surface_max_step(surface, 1.0f, &share) == RBL_OK && share == 1.0f);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK && pairs.count == 1);
	rbl_destroy_surface(surface);
}

static void a_refused_question_gives_an_empty_list(test *t)
{
	rbl_surface *surface = make_crossing_sheets(t);
	rbl_surface_hits hits = { NULL, 7 };
	rbl_surface_pairs pairs = { NULL, 7 };
	CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_BAD_ARGUMENT);
	CHECK(t, hits.count == 0);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_BAD_ARGUMENT && pairs.count == 0);
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_BAD_ARGUMENT && pairs.count == 0);
	rbl_destroy_surface(surface);
}

static void half_edges_of_a_tangle_are_told_apart(test *t)
{
	rbl_surface *surface = make_surface(t);
	const rbl_vec3 positions[5] = { { 0.0f, 0.0f, 0.0f },
		                            { 1.0f, 0.0f, 0.0f },
		                            { 0.0f, 1.0f, 0.0f },
		                            { 0.0f, -1.0f, 1.0f },
		                            { 0.0f, -1.0f, -1.0f } };
	const int triangles[9] = { 0, 1, 2, 1, 0, 3, 0, 1, 4 };
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = 5, def.positions = positions;
	def.triangle_count = 3, def.triangles = triangles;
	rbl_surface_body_id body;
	CHECK(t, rbl_surface_add(surface, &def, &body) == RBL_OK);
	const int *twins = rbl_surface_get_data(surface).twins;
	CHECK(t, twins[0] == -2 && twins[3] == -3 && twins[6] == -3);
	for (int h = 0; h < 9; ++h)
		CHECK(t, h % 3 == 0 || twins[h] == -1);
	rbl_destroy_surface(surface);
}

// Vertices that were moved since the last update keep their way; those that were not, rest.
static void vertices_are_moved_from_where_the_last_move_ended(test *t)
{
	rbl_surface *surface = make_surface(t);
	reference_mesh mesh = reference_sheet(3, 3);
	rbl_surface_body_id body = reference_add(t, surface, &mesh);
	rbl_surface_body_data list = rbl_surface_body_get_data(surface, body);
	int first = list.vertices[0], second = list.vertices[1];
	rbl_vec3 at = rbl_surface_get_data(surface).ends[first], up = at, higher = at;
	up.y += 1.0f, higher.y += 2.0f;

	CHECK(t, rbl_surface_move_vertices(surface, body, &first, 1, &up) == RBL_OK);
	CHECK(t, rbl_surface_move_vertices(surface, body, &second, 1, &up) == RBL_OK);
	rbl_surface_data data = rbl_surface_get_data(surface);
	CHECK(t, data.starts[first].y == at.y && data.ends[first].y == up.y);

	const int twice[2] = { first, first };
	const rbl_vec3 places[2] = { higher, at };
	CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_move_vertices(surface, body, twice, 2, places) == RBL_OK);
	data = rbl_surface_get_data(surface);
	CHECK(t, data.starts[first].y == higher.y && data.ends[first].y == at.y);
	CHECK(t, data.starts[second].y == up.y && data.ends[second].y == up.y);
	reference_mesh_free(&mesh);
	rbl_destroy_surface(surface);
}

TEST_MAIN(TEST(hits_come_in_order_and_are_named_by_the_lowest_half_edge),
          TEST(the_normal_of_parallel_edges_is_a_unit_vector),
          TEST(what_lies_through_each_other_is_a_pair_and_no_hit),
          TEST(a_refused_question_gives_an_empty_list), TEST(half_edges_of_a_tangle_are_told_apart),
          TEST(vertices_are_moved_from_where_the_last_move_ended))
