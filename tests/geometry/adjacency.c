// SPDX-License-Identifier: MIT
// Half-edge adjacency: twins are right, borders and bad edges are known, order never matters.

#include "base/random.h"
#include "faulty_allocator.h"
#include "geometry/adjacency.h"
#include "geometry/sample_meshes.h"
#include "test.h"

static sample s;
static const rbl_vec3d zero = { 0, 0, 0 }, one = { 1, 1, 1 }, two = { 2, 2, 2 };

static void start(void)
{
	memset(&s, 0, sizeof s);
}

// What must hold for any faces at all, by the definition of the fields.
static void check_laws(test *t, const rbl_mesh_data *data, const rbl_adjacency *a)
{
	int alone = 0, bad = 0, on_edge = 0;
	for (int c = 0; c < data->corner_count; ++c) {
		int next = rbl_next_corner(data, a, c);
		CHECK(t, rbl_previous_corner(data, a, next) == c);
		CHECK(t, a->faces[c] == a->faces[next]);
		CHECK(t, data->face_starts[a->faces[c]] <= c && c < data->face_starts[a->faces[c] + 1]);
		int from = data->corner_vertices[c], to = data->corner_vertices[next];
		CHECK(t, (from == to) == (a->twins[c] == RBL_TWIN_NO_EDGE));
		CHECK(t, (from == to) == (a->edges[c] < 0));
		int twin = a->twins[c];
		if (twin < 0)
			continue;
		CHECK(t, a->twins[twin] == c && a->edges[twin] == a->edges[c]);
		CHECK(t, data->corner_vertices[twin] == to);
		CHECK(t, data->corner_vertices[rbl_next_corner(data, a, twin)] == from);
	}
	for (int e = 0; e < a->edge_count; ++e) {
		int count = a->edge_starts[e + 1] - a->edge_starts[e];
		const int *corners = a->edge_corners + a->edge_starts[e];
		for (int k = 0; k < count; ++k)
			CHECK(t, a->edges[corners[k]] == e && (k == 0 || corners[k - 1] < corners[k]));
		alone += count == 1;
		bad += count > 1 && a->twins[corners[0]] < 0;
		on_edge += count;
		CHECK(t, (count == 1) == (a->twins[corners[0]] == RBL_TWIN_BOUNDARY));
	}
	CHECK(t, alone == a->boundary_edge_count && bad == a->nonmanifold_edge_count);
	CHECK(t, on_edge == a->edge_starts[a->edge_count] && on_edge <= data->corner_count);
}

static rbl_adjacency adjacency_of(test *t, rbl_mesh **mesh)
{
	*mesh = sample_mesh(&s);
	rbl_mesh_data data = rbl_mesh_get_data(*mesh);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_adjacency a;
	CHECK(t, rbl_adjacency_init(&a, &allocator, &data) == RBL_OK);
	check_laws(t, &data, &a);
	return a;
}

static void a_box_has_twelve_edges(test *t)
{
	start();
	sample_box(&s, zero, one);
	rbl_mesh *mesh;
	rbl_adjacency a = adjacency_of(t, &mesh);
	CHECK(t, a.edge_count == 12 && a.boundary_edge_count == 0 && a.nonmanifold_edge_count == 0);
	rbl_adjacency_destroy(&a);
	rbl_destroy_mesh(mesh);
}

static void a_missing_face_leaves_its_border(test *t)
{
	start();
	sample_box(&s, zero, one);
	sample_remove_face(&s, 3);
	rbl_mesh *mesh;
	rbl_adjacency a = adjacency_of(t, &mesh);
	CHECK(t, a.edge_count == 12 && a.boundary_edge_count == 4);
	rbl_adjacency_destroy(&a);
	rbl_destroy_mesh(mesh);
}

static void a_flipped_face_makes_bad_edges(test *t)
{
	start();
	sample_box(&s, zero, one);
	sample_flip_face(&s, 3);
	rbl_mesh *mesh;
	rbl_adjacency a = adjacency_of(t, &mesh);
	CHECK(t, a.boundary_edge_count == 0 && a.nonmanifold_edge_count == 4);
	rbl_adjacency_destroy(&a);
	rbl_destroy_mesh(mesh);
}

static void euler_holds_for_spheres_and_tori(test *t)
{
	for (int k = 3; k < 12; ++k) {
		start();
		sample_sphere(&s, zero, 1.0, k, k + 2);
		int sphere_vertices = s.vertex_count, sphere_faces = s.face_count;
		rbl_mesh *mesh;
		rbl_adjacency a = adjacency_of(t, &mesh);
		CHECK(t, sphere_vertices - a.edge_count + sphere_faces == 2);
		rbl_adjacency_destroy(&a);
		rbl_destroy_mesh(mesh);
		start();
		sample_torus(&s, 2.0, 0.5, k, k + 1);
		a = adjacency_of(t, &mesh);
		CHECK(t, s.vertex_count - a.edge_count + s.face_count == 0);
		rbl_adjacency_destroy(&a);
		rbl_destroy_mesh(mesh);
	}
}

static void faces_at_random_keep_the_laws(test *t)
{
	rbl_random random = rbl_random_from_seed(1);
	for (int round = 0; round < 200; ++round) {
		start();
		int vertices = 3 + (int)rbl_random_below(&random, 20);
		for (int v = 0; v < vertices; ++v)
			sample_vertex(&s, v, v * v, 0.0);
		int faces = (int)rbl_random_below(&random, round % 10 == 0 ? 400 : 40);
		for (int f = 0; f < faces; ++f) {
			int corners[6], n = 3 + (int)rbl_random_below(&random, 4);
			for (int k = 0; k < n; ++k)
				corners[k] = (int)rbl_random_below(&random, (uint32_t)vertices);
			sample_face(&s, corners, n);
		}
		rbl_mesh *mesh;
		rbl_adjacency a = adjacency_of(t, &mesh);
		rbl_adjacency_destroy(&a);
		rbl_destroy_mesh(mesh);
	}
}

// The tip is the lowest vertex of all its edges: one bucket holds them all.
static void the_tip_of_a_cone_is_no_trap(test *t)
{
	start();
	int n = 20000, tip = sample_vertex(&s, 0, 0, 1);
	for (int i = 0; i < n; ++i)
		sample_vertex(&s, i, 0.5 * i * i, 0);
	for (int i = 0; i < n; ++i)
		sample_triangle(&s, tip, 1 + i, 1 + (i + 1) % n);
	rbl_mesh *mesh;
	rbl_adjacency a = adjacency_of(t, &mesh);
	CHECK(t, a.edge_count == 2 * n && a.boundary_edge_count == n);
	rbl_adjacency_destroy(&a);
	rbl_destroy_mesh(mesh);
}

static int fan_count_of(test *t)
{
	rbl_mesh *mesh;
	rbl_adjacency a = adjacency_of(t, &mesh);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int *fans = malloc((size_t)data.corner_count * sizeof(int)), count;
	CHECK(t, rbl_corner_fans(&data, &a, fans, &count) == RBL_OK);
	for (int c = 0; c < data.corner_count; ++c)
		CHECK(t, fans[c] >= 0 && fans[c] < count);
	free(fans);
	rbl_adjacency_destroy(&a);
	rbl_destroy_mesh(mesh);
	return count;
}

static void fans_are_counted_around_vertices(test *t)
{
	start();
	sample_box(&s, zero, one);
	CHECK(t, fan_count_of(t) == 8);
	sample_remove_face(&s, 0);
	CHECK(t, fan_count_of(t) == 8);
	start(); // two boxes that share one vertex
	sample_box(&s, zero, one);
	sample_box(&s, one, two);
	for (int c = 24; c < 48; ++c)
		if (s.corners[c] == 8)
			s.corners[c] = 7;
	CHECK(t, fan_count_of(t) == 16);
}

static void a_failed_allocation_leaves_nothing(test *t)
{
	start();
	sample_box(&s, zero, one);
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_adjacency a;
		int fans[24], count;
		rbl_result result = rbl_adjacency_init(&a, &allocator, &data);
		if (result == RBL_OK) {
			result = rbl_corner_fans(&data, &a, fans, &count);
			rbl_adjacency_destroy(&a);
		}
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && count == 8);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(a_box_has_twelve_edges), TEST(a_missing_face_leaves_its_border),
          TEST(a_flipped_face_makes_bad_edges), TEST(euler_holds_for_spheres_and_tori),
          TEST(faces_at_random_keep_the_laws), TEST(the_tip_of_a_cone_is_no_trap),
          TEST(fans_are_counted_around_vertices), TEST(a_failed_allocation_leaves_nothing))
