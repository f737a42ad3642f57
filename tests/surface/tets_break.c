// SPDX-License-Identifier: MIT
// Tetrahedra that come apart: the surface is the boundary of what is left, whatever opens.

#include "faulty_allocator.h"
#include "surface/reference.h"

#include "base/union_find.h"

#include <rubble/surface_tets.h>

// A block of cubes, each of six tetrahedra around a diagonal.
static rbl_tets *make_block(test *t, int side)
{
	static const int ways[6][4] = { { 0, 1, 3, 7 }, { 0, 3, 2, 7 }, { 0, 2, 6, 7 },
		                            { 0, 6, 4, 7 }, { 0, 4, 5, 7 }, { 0, 5, 1, 7 } };
	int line = side + 1, tets = 0;
	rbl_vec3d *positions = malloc((size_t)(line * line * line) * sizeof *positions);
	int *corners = malloc((size_t)(24 * side * side * side) * sizeof *corners);
	for (int i = 0; i < line * line * line; ++i)
		positions[i] = (rbl_vec3d){ i % line, i / line % line, i / line / line };
	for (int cube = 0; cube < side * side * side; ++cube) {
		int first = cube % side + line * (cube / side % side) + line * line * (cube / side / side);
		for (int k = 0; k < 24; ++k) {
			int bits = ways[k / 4][k % 4];
			corners[4 * tets + k % 4] =
				first + (bits & 1) + line * (bits >> 1 & 1) + line * line * (bits >> 2);
			tets += k % 4 == 3;
		}
	}
	rbl_tets_def def = rbl_default_tets_def();
	def.vertex_count = line * line * line, def.positions = positions;
	def.tet_count = tets, def.tet_vertices = corners, def.mend_orientation = true;
	rbl_tets *made;
	CHECK(t, rbl_create_tets(&def, &made) == RBL_OK);
	free(positions);
	free(corners);
	return made;
}

static int corner_of(const rbl_tets_data *data, int tet, int vertex)
{
	for (int k = 0; k < 4; ++k)
		if (data->tet_vertices[4 * tet + k] == vertex)
			return 4 * tet + k;
	return -1;
}

// Corners of tetrahedra have one node when closed faces join them, and not otherwise; the surface has
// a triangle for each open face, with the nodes of its tetrahedron.
static void check_boundary(test *t, const rbl_tets_data *data, const bool *is_open,
                           const rbl_surface_tets *tets, const rbl_surface *s, bool is_whole)
{
	rbl_surface_tets_data now = rbl_surface_tets_get_data(tets);
	int corners = 4 * data->tet_count, open = 0, missing = 0;
	int *sets = malloc((size_t)corners * sizeof *sets);
	int *nodes = malloc((size_t)now.node_count * sizeof *nodes); // the set of each
	for (int i = 0; i < corners; ++i)
		sets[i] = i;
	for (int i = 0; i < now.node_count; ++i)
		nodes[i] = -1;
	for (int face = 0; face < corners; ++face) {
		int other = data->tet_neighbors[face];
		open += other < 0 || is_open[face];
		for (int k = 0; k < 4 && other >= 0 && !is_open[face]; ++k) {
			int corner = corner_of(data, other, data->tet_vertices[face / 4 * 4 + k]);
			if (4 * (face / 4) + k != face && corner >= 0)
				rbl_union_find_join(sets, face / 4 * 4 + k, corner);
		}
	}
	for (int i = 0; i < corners; ++i) {
		int root = rbl_union_find_root(sets, i), node = now.tet_nodes[i];
		CHECK(t, now.node_vertices[node] == data->tet_vertices[i]);
		// A mesh that touches itself has one node there at first.
		missing += node >= data->vertex_count && nodes[node] >= 0 && nodes[node] != root;
		CHECK(t, now.tet_nodes[root] == node || !is_whole);
		nodes[node] = root;
	}
	CHECK(t, missing == 0 && s->triangle_count == open);
	double volume = 0.0;
	int count, *list = reference_triangles(s, &count);
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k) {
			int vertex = s->triangles[3 * list[i] + k];
			CHECK(t, vertex < now.vertex_end && now.vertex_nodes[vertex] >= 0);
			p[k] = rbl_to_d(s->positions[1][vertex]);
			rbl_vec3d q = data->positions[now.node_vertices[now.vertex_nodes[vertex]]];
			CHECK(t, p[k].x == q.x && p[k].y == q.y && p[k].z == q.z);
		}
		volume += rbl_dot_d(p[0], rbl_cross_d(p[1], p[2])) / 6.0;
	}
	double expected = 0.0;
	for (int tet = 0; tet < data->tet_count; ++tet) {
		rbl_vec3d q[4];
		for (int k = 0; k < 4; ++k)
			q[k] = data->positions[data->tet_vertices[4 * tet + k]];
		expected += rbl_dot_d(rbl_cross_d(rbl_sub_d(q[1], q[0]), rbl_sub_d(q[2], q[0])),
		                      rbl_sub_d(q[3], q[0])) /
		            6.0;
	}
	CHECK_NEAR(t, volume, expected, 1e-9 * expected);
	CHECK(t, !reference_check_surface(s));
	free(list);
	free(nodes);
	free(sets);
}

static void the_surface_is_the_boundary_of_what_is_left(test *t)
{
	int opened = 0;
	for (int run = 0; run < test_repeats(6, 2); ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run + 1);
		rbl_tets *mesh = make_block(t, 3);
		rbl_tets_data data = rbl_tets_get_data(mesh);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *s;
		rbl_surface_body_id body;
		rbl_surface_tets *tets;
		bool *is_open = calloc(4 * (size_t)data.tet_count, sizeof *is_open);
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		CHECK(t, rbl_create_surface_tets(s, mesh, &body, &tets) == RBL_OK);
		check_boundary(t, &data, is_open, tets, s, true);
		for (int round = 0; round < 30; ++round) {
			int faces[12], count = 0;
			// Faces of one tetrahedron, those across a plane, or any.
			int tet = (int)rbl_random_below(&random, (uint32_t)data.tet_count);
			for (int k = 0; k < 12; ++k) {
				int face = 4 * tet + k % 4;
				if (round % 3 == 2)
					face = (int)rbl_random_below(&random, (uint32_t)(4 * data.tet_count));
				if (data.tet_neighbors[face] < 0)
					continue;
				faces[count++] = face;
				is_open[face] = true;
				for (int i = 0; i < 4; ++i)
					if (data.tet_neighbors[4 * data.tet_neighbors[face] + i] == face / 4)
						is_open[4 * data.tet_neighbors[face] + i] = true;
			}
			CHECK(t, rbl_surface_tets_separate(tets, body, faces, count, NULL) == RBL_OK);
			opened += count;
			check_boundary(t, &data, is_open, tets, s, true);
			if (round % 10 == 9)
				CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
		}
		int outside = -1, face = 0;
		while (data.tet_neighbors[face] >= 0)
			face++;
		CHECK(t, rbl_surface_tets_separate(tets, body, &outside, 1, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_surface_tets_separate(tets, body, &face, 1, NULL) == RBL_OK); // is open
		CHECK(t, rbl_surface_tets_separate(NULL, body, &face, 1, NULL) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_surface_tets_separate(tets, (rbl_surface_body_id){ 9, 9 }, &face, 1, NULL) ==
		             RBL_STALE_ID);
		rbl_destroy_surface_tets(tets);
		rbl_destroy_surface(s);
		rbl_destroy_tets(mesh);
		free(is_open);
	}
	CHECK(t, opened > 100);
}

// Without memory nothing changes, and the next attempt goes through.
static void every_allocation_of_a_separation_may_fail(test *t)
{
	int failures = 0;
	rbl_tets *mesh = make_block(t, 2);
	rbl_tets_data data = rbl_tets_get_data(mesh);
	bool *is_open = calloc(4 * (size_t)data.tet_count, sizeof *is_open);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		rbl_surface_def def = rbl_default_surface_def();
		faulty_init(&memory, LLONG_MAX);
		def.allocator = (rbl_allocator){ faulty_allocate, faulty_release, &memory };
		rbl_surface *s;
		rbl_surface_body_id body;
		rbl_surface_tets *tets;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		atomic_store(&memory.allowed, n), atomic_store(&memory.failing, 1);
		rbl_result result = rbl_create_surface_tets(s, mesh, &body, &tets);
		int face = 0;
		while (data.tet_neighbors[face] < 0)
			face++;
		if (result == RBL_OK)
			result = rbl_surface_tets_separate(tets, body, &face, 1, NULL);
		atomic_store(&memory.allowed, LLONG_MAX);
		CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
		failures += result != RBL_OK;
		if (result != RBL_OK && tets) {
			memset(is_open, 0, 4 * (size_t)data.tet_count);
			check_boundary(t, &data, is_open, tets, s, true);
		}
		rbl_destroy_surface_tets(tets);
		rbl_destroy_surface(s);
		CHECK(t, atomic_load(&memory.live_bytes) == 0);
		if (result == RBL_OK)
			break;
	}
	CHECK(t, failures > 20);
	free(is_open);
	rbl_destroy_tets(mesh);
}

TEST_MAIN(TEST(the_surface_is_the_boundary_of_what_is_left),
          TEST(every_allocation_of_a_separation_may_fail))
