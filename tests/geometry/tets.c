// SPDX-License-Identifier: MIT
// Tetrahedral meshes: neighbours, boundary, quality, refusals.

#include "geometry/geometry.h"

#include "base/vec.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/tets.h>

/// Corners of a cube, x fastest.
static const rbl_vec3d cube[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 },
	                               { 0, 0, 1 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 } };

/// The cube as six tetrahedra round its diagonal 0 7.
static const int six[24] = {
	0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7, 0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7
};

static rbl_tets_def def_of(const rbl_vec3d *positions, int vertex_count, const int *vertices,
                           int tet_count)
{
	rbl_tets_def def = rbl_default_tets_def();
	def.positions = positions;
	def.vertex_count = vertex_count;
	def.tet_vertices = vertices;
	def.tet_count = tet_count;
	return def;
}

/// Whatever the tetrahedra, the boundary is a closed manifold surface of the same volume, and its
/// maps lead back.
static void check_boundary(test *t, const rbl_tets *tets)
{
	rbl_tets_data d = rbl_tets_get_data(tets);
	rbl_mesh *mesh;
	CHECK(t, rbl_tets_create_boundary_mesh(tets, NULL, &mesh) == RBL_OK);
	rbl_mesh_report report;
	CHECK(t, rbl_mesh_check(mesh, &report) == RBL_OK);
	CHECK(t, report.is_closed && report.is_manifold && report.is_oriented);
	CHECK_NEAR(t, report.volume, rbl_tets_get_quality(tets).volume, 1e-12);
	rbl_mesh_data m = rbl_mesh_get_data(mesh);
	CHECK(t, m.vertex_count == d.boundary_vertex_count && m.face_count == d.boundary_face_count);
	for (int f = 0; f < d.boundary_face_count; ++f) {
		int open = 0, found = 0;
		const int *v = d.tet_vertices + 4 * d.boundary_tets[f];
		for (int k = 0; k < 4; ++k)
			open += d.tet_neighbors[4 * d.boundary_tets[f] + k] < 0;
		for (int k = 0; k < 3; ++k)
			for (int i = 0; i < 4; ++i)
				found += v[i] == d.boundary_vertices[d.boundary_triangles[3 * f + k]];
		CHECK(t, open > 0 && found == 3);
	}
	for (int i = 0; i < m.vertex_count; ++i)
		CHECK(t, memcmp(&m.positions[i], &d.positions[d.boundary_vertices[i]], sizeof(rbl_vec3d)) ==
		             0);
	rbl_destroy_mesh(mesh);
}

static void neighbours_share_a_face(test *t)
{
	rbl_tets_def def = def_of(cube, 8, six, 6);
	rbl_tets *tets;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_OK);
	rbl_tets_data d = rbl_tets_get_data(tets);
	int inner = 0;
	for (int i = 0; i < 24; ++i) {
		int n = d.tet_neighbors[i];
		if (n < 0)
			continue;
		inner++;
		bool is_mutual = false;
		int shared = 0;
		for (int k = 0; k < 4; ++k) {
			is_mutual |= d.tet_neighbors[4 * n + k] == i / 4;
			for (int m = 0; m < 4; ++m)
				shared += k != i % 4 && d.tet_vertices[i / 4 * 4 + k] == d.tet_vertices[4 * n + m];
		}
		CHECK(t, is_mutual && shared == 3);
	}
	CHECK(t, inner == 12 && d.boundary_face_count == 12 && d.boundary_vertex_count == 8);
	check_boundary(t, tets);
	rbl_tets_quality quality = rbl_tets_get_quality(tets);
	CHECK_NEAR(t, quality.volume, 1.0, 1e-15);
	CHECK_NEAR(t, quality.smallest_volume, 1.0 / 6.0, 1e-15);
	CHECK_NEAR(t, quality.shortest_edge, 1.0, 0.0);
	CHECK_NEAR(t, quality.longest_edge, sqrt(3.0), 1e-15);
	CHECK_NEAR(t, quality.smallest_angle, 0.78539816339744831, 1e-14);
	CHECK_NEAR(t, quality.largest_angle, 1.5707963267948966, 1e-14);
	rbl_destroy_tets(tets);
}

static void a_regular_tetrahedron_has_one_angle(test *t)
{
	const int corners[4] = { 0, 3, 5, 6 };
	rbl_tets_def def = def_of(cube, 8, corners, 1);
	def.mend_orientation = true;
	rbl_tets *tets;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_OK);
	rbl_tets_quality quality = rbl_tets_get_quality(tets);
	CHECK_NEAR(t, quality.smallest_angle, acos(1.0 / 3.0), 1e-14);
	CHECK_NEAR(t, quality.largest_angle, acos(1.0 / 3.0), 1e-14);
	check_boundary(t, tets);
	rbl_destroy_tets(tets);
}

// Where the solid touches itself at an edge or a vertex, the boundary goes round each side.
static void pinched_solids_have_manifold_boundaries(test *t)
{
	const rbl_vec3d p[7] = { { 0, 0, 0 },  { 1, 0, 0 },  { 0, 1, 0 }, { 0, 0, 1 },
		                     { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
	const int at_vertex[8] = { 0, 1, 2, 3, 0, 5, 4, 6 };
	const int at_edge[8] = { 0, 1, 2, 3, 0, 4, 5, 3 };
	rbl_tets_def def = def_of(p, 7, at_vertex, 2);
	def.mend_orientation = true;
	rbl_tets *tets;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_OK);
	CHECK(t, rbl_tets_get_data(tets).boundary_vertex_count == 8);
	check_boundary(t, tets);
	rbl_destroy_tets(tets);
	def.tet_vertices = at_edge;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_OK);
	CHECK(t, rbl_tets_get_data(tets).boundary_vertex_count == 8);
	check_boundary(t, tets);
	rbl_destroy_tets(tets);
}

static void wrong_tetrahedra_are_refused(test *t)
{
	rbl_tets *tets;
	int v[24];
	memcpy(v, six, sizeof v);
	rbl_tets_def def = def_of(cube, 8, v, 6);
	v[4] = six[5], v[5] = six[4]; // turned round
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_MESH && !tets);
	def.mend_orientation = true;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_OK);
	rbl_destroy_tets(tets);
	v[4] = v[5];
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_MESH); // no volume
	memcpy(v, six, sizeof v);
	memcpy(v + 4, six, 4 * sizeof *v);
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_MESH); // twice the same
	const rbl_vec3d fan[6] = { { 0, 0, 0 }, { 1, 0, 0 },  { 0, 1, 0 },
		                       { 0, 0, 1 }, { 0, 0, -1 }, { 0.3, 0.3, 2 } };
	const int three[12] = { 0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5 };
	def = def_of(fan, 6, three, 3);
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_MESH); // three on a face
}

static void bad_arguments_are_refused(test *t)
{
	rbl_tets *tets;
	rbl_mesh *mesh;
	int v[24];
	memcpy(v, six, sizeof v);
	rbl_vec3d p[8];
	memcpy(p, cube, sizeof p);
	rbl_tets_def def = def_of(p, 8, v, 6);
	CHECK(t, rbl_create_tets(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_tets(NULL, &tets) == RBL_BAD_ARGUMENT && !tets);
	v[9] = 8;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_ARGUMENT);
	v[9] = -1;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_ARGUMENT);
	v[9] = six[9];
	p[3].y = (double)INFINITY;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_ARGUMENT);
	p[3].y = 1.0;
	def.tet_count = 0;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_ARGUMENT);
	def.tet_count = 6;
	def.allocator.release = faulty_release;
	CHECK(t, rbl_create_tets(&def, &tets) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_tets_create_boundary_mesh(NULL, NULL, &mesh) == RBL_BAD_ARGUMENT && !mesh);
	CHECK(t, rbl_tets_create_boundary_mesh(NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_tets_get_data(NULL).tet_count == 0 && rbl_tets_get_quality(NULL).volume == 0.0);
	rbl_destroy_tets(NULL);
}

static void memory_that_runs_out_is_given_back(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_tets_def def = def_of(cube, 8, six, 6);
		def.allocator = allocator;
		rbl_tets *tets;
		rbl_mesh *mesh = NULL;
		rbl_result result = rbl_create_tets(&def, &tets);
		CHECK(t, (result == RBL_OK) == (tets != NULL));
		if (result == RBL_OK)
			result = rbl_tets_create_boundary_mesh(tets, &allocator, &mesh);
		rbl_destroy_mesh(mesh);
		rbl_destroy_tets(tets);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(neighbours_share_a_face), TEST(a_regular_tetrahedron_has_one_angle),
          TEST(pinched_solids_have_manifold_boundaries), TEST(wrong_tetrahedra_are_refused),
          TEST(bad_arguments_are_refused), TEST(memory_that_runs_out_is_given_back))
