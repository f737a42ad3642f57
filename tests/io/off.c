// SPDX-License-Identifier: MIT
// OFF.

#include "io_test.h"

#define TETRAHEDRON \
	"0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3 255 0 0\n\n# between\n3 0 3 2\n3 1 2 3\n"

static void headers_of_all_kinds_are_understood(test *t)
{
	static const char *const texts[] = {
		"OFF\n4 4 6\n" TETRAHEDRON,
		"OFF 4 4 6\n" TETRAHEDRON,
		"# first\n\nOFF # here\n4 4\n" TETRAHEDRON,
		"COFF\r\n4 4 0\r\n0 0 0 255 0 0 255\r\n1 0 0 1.0 0 0 1\r\n0 1 0 0 0 0 0\r\n0 0 1 0 0 0 "
		"0\r\n"
		"3 0 2 1\r\n3 0 1 3\r\n3 0 3 2\r\n3 1 2 3",
		"STOFF\n4 4 0\n0 0 0 0 0\n1 0 0 0 0\n0 1 0 0 0\n0 0 1 0 0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 "
		"2 3\n",
	};
	for (int i = 0; i < 5; ++i) {
		rbl_mesh *mesh = NULL;
		CHECK(t, io_read(texts[i], i == 2 ? RBL_FORMAT_OFF : RBL_FORMAT_AUTO, &mesh) == RBL_OK);
		CHECK(t,
		      rbl_mesh_get_data(mesh).vertex_count == 4 && rbl_mesh_get_data(mesh).face_count == 4);
		CHECK_NEAR(t, rbl_mesh_get_mass(mesh).volume, 1.0 / 6.0, 1e-12);
		rbl_destroy_mesh(mesh);
	}
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("4 4 6\n" TETRAHEDRON, RBL_FORMAT_OFF, &mesh) == RBL_OK);
	rbl_destroy_mesh(mesh);
}

static void normals_of_vertices_are_kept(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("NOFF\n3 1 0\n0 0 0 0 0 2\n1 0 0 0 0 2\n0 1 0 0 0 2\n3 0 1 2\n",
	                 RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).corner_normals[2].z == 1.0f);
	rbl_destroy_mesh(mesh);
}

static void refusals_name_the_line(test *t)
{
	rbl_file_format off = RBL_FORMAT_OFF;
	CHECK_REFUSED(t, "", off, "text:1: no header");
	CHECK_REFUSED(t, "OOPS\n1 1 1\n", off, "text:1: no header");
	CHECK_REFUSED(t, "OFF\n4\n", off, "the counts of vertices");
	CHECK_REFUSED(t, "OFF\n-4 4 4\n", off, "text:2: the counts");
	CHECK_REFUSED(t, "OFF\n999999999 4 4\n0 0 0\n", off, "text:2: more vertices or faces");
	CHECK_REFUSED(t, "OFF\n1 0 0\n0 0\n\n\n", off, "text:3: a vertex needs 3");
	CHECK_REFUSED(t, "OFF\n1 1 0\n0 0 0\nx     \n", off, "text:4: a face needs");
	CHECK_REFUSED(t, "OFF\n1 1 0\n0 0 0\n2 0 0   \n", off, "text:4: a face of 2");
	CHECK_REFUSED(t, "OFF\n1 1 0\n0 0 0\n3 0 0 \n   ", off,
	              "text:4: a face of 3 corners has only 2");
	CHECK_REFUSED(t, "OFF\n1 1 0\n0 0 0\n3 0 0 1\n", off, "text:4: vertex 1 of 1");
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("OFF BINARY\n", off, &mesh) == RBL_UNSUPPORTED);
	CHECK(t, io_read("4OFF\n", off, &mesh) == RBL_UNSUPPORTED);
	CHECK(t, io_read("nOFF\n", off, &mesh) == RBL_UNSUPPORTED);
}

static void damaged_files_are_refused_or_sound(test *t)
{
	const char *text = "NOFF\n3 1 0\n0 0 0 0 0 2\n1 0 0 0 0 2\n0 1 0 0 0 2\n3 0 1 2\n";
	io_check_damaged(t, text, strlen(text), RBL_FORMAT_OFF);
	io_check_read_memory(t, text, strlen(text), RBL_FORMAT_OFF);
	text = "OFF\n4 4 6\n" TETRAHEDRON;
	io_check_damaged(t, text, strlen(text), RBL_FORMAT_OFF);
}

TEST_MAIN(TEST(headers_of_all_kinds_are_understood), TEST(normals_of_vertices_are_kept),
          TEST(refusals_name_the_line), TEST(damaged_files_are_refused_or_sound))
