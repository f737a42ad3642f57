// SPDX-License-Identifier: MIT
// MEDIT meshes.

#include "io_test.h"

static const char tetrahedron[] =
	"MeshVersionFormatted 2\n# by hand\nDimension\n3\n\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 1\n"
	"0 0 1 1\n9 9 9 0\nRidges\n2\n1 2\n-3\nTriangles\n3\n1 3 2 7\n1 2 4 7\n1 4 3 7\n"
	"Quadrilaterals 1\n2 3 4 2 0\nTetrahedra\n2\n1 2 3 4 0\n1 2 3 5 0\nEnd\nanything";

static void the_surface_and_the_tetrahedra_are_read(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(tetrahedron, RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 5 && data.face_count == 4 && data.corner_count == 13);
	rbl_destroy_mesh(mesh);

	rbl_tet_arrays tets;
	rbl_read_def def = rbl_default_read_def();
	def.scale = 2.0;
	CHECK(t, rbl_read_tet_arrays_memory(tetrahedron, strlen(tetrahedron), &def, &tets) == RBL_OK);
	CHECK(t, tets.vertex_count == 5 && tets.tet_count == 2 && tets.tet_vertices[7] == 4);
	CHECK(t, tets.positions[1].x == 2.0);
	rbl_free_tet_arrays(&tets);
	CHECK(t, !tets.positions && tets.tet_count == 0);
	rbl_free_tet_arrays(&tets);
	rbl_free_tet_arrays(NULL);
}

static const char lone[] = "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n"
						   "0 1 0 0\n0 0 1 0\n1 1 1 0\nTetrahedra 2\n2 1 3 4 0\n2 3 4 5 0\nEnd\n";

// One of the two is inside out in the file.
static void tetrahedra_without_faces_have_their_boundary(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(lone, RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).vertex_count == 5 && rbl_mesh_get_data(mesh).face_count == 6);
	CHECK_NEAR(t, rbl_mesh_get_mass(mesh).volume, 0.5, 1e-12);
	rbl_destroy_mesh(mesh);
	rbl_tets *tets = NULL;
	CHECK(t, rbl_read_tets_memory(lone, strlen(lone), NULL, &tets) == RBL_OK);
	CHECK(t, rbl_tets_get_data(tets).tet_count == 2 &&
	             rbl_tets_get_data(tets).boundary_face_count == 6);
	rbl_destroy_tets(tets);
	io_check_read_memory(t, lone, strlen(lone), RBL_FORMAT_MEDIT);
	io_check_damaged(t, lone, strlen(lone), RBL_FORMAT_MEDIT);
	const char *flat = "MeshVersionFormatted 2\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 1 1 0\n";
	CHECK(t, rbl_read_tets_memory(flat, strlen(flat), NULL, &tets) == RBL_BAD_MESH && !tets);
	CHECK(t, io_read(flat, RBL_FORMAT_MEDIT, &mesh) == RBL_BAD_FILE && !mesh);
	CHECK(t, rbl_read_tets_memory("x", 1, NULL, &tets) == RBL_UNSUPPORTED && !tets);
	CHECK(t, rbl_read_tets_memory("x", 1, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_tets("x", NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_tets(RBL_BINARY_DIR "/nowhere.mesh", NULL, &tets) == RBL_IO_FAILED);
	// Its tetrahedra fill the hull of the bunny, so their boundary is not the surface in the file.
	if (rbl_read_tets(RBL_SHARED_DIR "/models/bunny-tets.mesh", NULL, &tets) != RBL_IO_FAILED)
		CHECK(t, tets && rbl_tets_get_data(tets).boundary_face_count == 670);
	rbl_destroy_tets(tets);
}

static double tet_volume(const rbl_tet_arrays *tets, int index)
{
	const int *v = tets->tet_vertices + 4 * index;
	rbl_vec3d o = tets->positions[v[0]], p[3];
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d q = tets->positions[v[i + 1]];
		p[i] = (rbl_vec3d){ q.x - o.x, q.y - o.y, q.z - o.z };
	}
	return (p[0].x * (p[1].y * p[2].z - p[1].z * p[2].y) -
	        p[0].y * (p[1].x * p[2].z - p[1].z * p[2].x) +
	        p[0].z * (p[1].x * p[2].y - p[1].y * p[2].x)) /
	       6.0;
}

static void a_mirrored_tetrahedron_keeps_its_sign(test *t)
{
	for (int k = 0; k < 2; ++k) {
		rbl_read_def def = rbl_default_read_def();
		def.is_left_handed = k;
		rbl_tet_arrays tets;
		CHECK(t,
		      rbl_read_tet_arrays_memory(tetrahedron, strlen(tetrahedron), &def, &tets) == RBL_OK);
		CHECK_NEAR(t, tet_volume(&tets, 0), 1.0 / 6.0, 1e-12);
		rbl_free_tet_arrays(&tets);
	}
}

static void files_without_tetrahedra_are_told_apart(test *t)
{
	rbl_tet_arrays tets;
	CHECK(t, rbl_read_tet_arrays_memory("OFF\n0 0 0\n", 10, NULL, &tets) == RBL_UNSUPPORTED);
	CHECK(t, rbl_read_tet_arrays_memory("x", 1, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_tet_arrays("nowhere.mesh", NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_tet_arrays(RBL_BINARY_DIR "/nowhere.mesh", NULL, &tets) == RBL_IO_FAILED);
}

static void refusals_name_the_line(test *t)
{
#define HEAD "MeshVersionFormatted 1\nDimension 3\n"
	rbl_file_format medit = RBL_FORMAT_MEDIT;
	CHECK_REFUSED(t, "", medit, "text:1: no header");
	CHECK_REFUSED(t, "Vertices 1\n", medit, "text:1: no header");
	CHECK_REFUSED(t, HEAD "Vertices\n", medit, "text:4: a section needs a count");
	CHECK_REFUSED(t, HEAD "Vertices 4\n0 0 0 0\n", medit, "text:3: more rows");
	CHECK_REFUSED(t, HEAD "Vertices 1\n0 0 x 0\n", medit, "text:4: a vertex needs");
	CHECK_REFUSED(t, HEAD "Vertices 1\n0 0 0 0\nVertices 1\n0 0 0 0\n", medit, "text:5: a second");
	CHECK_REFUSED(t, HEAD "Triangles 1\n1 2 x 0\n", medit, "text:4: a number is missing");
	CHECK_REFUSED(t, HEAD "Triangles 1\n1 2 0 0\n", medit, "text:4: vertex 0");
	CHECK_REFUSED(t, HEAD "Triangles 1\n1 2 3  \n\n", medit, "a label is missing");
	CHECK_REFUSED(t, HEAD "Triangles 1\n1 2 3 0\n", medit, "face 0 names vertex 0 of 0");
	CHECK_REFUSED(t, HEAD "Tetrahedra 1\n1 2 3 4 0\n", medit, "tetrahedron 0 names vertex 0 of 0");
	CHECK_REFUSED(t, HEAD "Vertices 1\n0 0 0 0\n4\n", medit, "text:5: not a keyword");
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("MeshVersionFormatted 1\nDimension 2\n", medit, &mesh) == RBL_UNSUPPORTED);
}

static void damaged_files_are_refused_or_sound(test *t)
{
	io_check_damaged(t, tetrahedron, strlen(tetrahedron), RBL_FORMAT_MEDIT);
	io_check_read_memory(t, tetrahedron, strlen(tetrahedron), RBL_FORMAT_MEDIT);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_read_def def = rbl_default_read_def();
		def.allocator = FAULTY(&memory);
		rbl_tet_arrays tets;
		rbl_result result =
			rbl_read_tet_arrays_memory(tetrahedron, strlen(tetrahedron), &def, &tets);
		rbl_free_tet_arrays(&tets);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed)
			break;
	}
}

TEST_MAIN(TEST(the_surface_and_the_tetrahedra_are_read),
          TEST(tetrahedra_without_faces_have_their_boundary),
          TEST(a_mirrored_tetrahedron_keeps_its_sign),
          TEST(files_without_tetrahedra_are_told_apart), TEST(refusals_name_the_line),
          TEST(damaged_files_are_refused_or_sound))
