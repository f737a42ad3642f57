// SPDX-License-Identifier: MIT
// STL, in and out.

#include "io_test.h"

static rbl_write_def stl_def(bool as_text)
{
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_STL;
	def.as_text = as_text;
	return def;
}

// Vertices come back in another order, so places are compared corner by corner.
static bool same_triangles(const rbl_mesh *left, const rbl_mesh *right)
{
	rbl_mesh_data a = rbl_mesh_get_data(left), b = rbl_mesh_get_data(right);
	bool is_same = a.vertex_count == b.vertex_count && a.corner_count == b.corner_count;
	for (int c = 0; is_same && c < a.corner_count; ++c)
		is_same = memcmp(&a.positions[a.corner_vertices[c]], &b.positions[b.corner_vertices[c]],
		                 sizeof *a.positions) == 0;
	return is_same;
}

static void triangles_are_read_back_equal_and_welded(test *t)
{
	for (int k = 0; k < 2; ++k) {
		rbl_mesh *mesh =
			io_make_mesh((io_shape){ .is_triangulated = true, .has_float_positions = !k });
		rbl_mesh *back = io_round_trip(mesh, stl_def(k));
		CHECK(t, back && same_triangles(mesh, back));
		rbl_mesh *again = io_round_trip(back, stl_def(k));
		CHECK(t, io_meshes_equal(back, again));
		rbl_destroy_mesh(again);
		rbl_destroy_mesh(back);
		rbl_destroy_mesh(mesh);
	}
}

static void polygons_are_triangulated(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_float_positions = true });
	rbl_mesh *back = io_round_trip(mesh, stl_def(false));
	CHECK(t, back && rbl_mesh_get_data(back).face_count == rbl_mesh_triangle_count(mesh));
	CHECK_NEAR(t, rbl_mesh_get_mass(back).volume / rbl_mesh_get_mass(mesh).volume, 1.0, 1e-9);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

#define FACET(a, b, c) "facet normal 0 0 1\nouter loop\n" a b c "endloop\nendfacet\n"
#define A "vertex 0 0 0\n"
#define B "vertex 1 0 0\n"
#define C "VERTEX -0 1e0 0\n"

static void text_in_any_case_and_several_solids_are_read(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t,
	      io_read(
			  "Solid with a name\n" FACET(A, B, C) "EndSolid\nsolid\n" FACET(B, A, C) "endsolid x",
			  RBL_FORMAT_AUTO, &mesh) != RBL_OK); // the first bytes say "solid" in small letters
	CHECK(t, io_read("solid with a name\n" FACET(A, B, C) "EndSolid\nsolid\n" FACET(B, A,
	                                                                                C) "endsolid x",
	                 RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).vertex_count == 3 && rbl_mesh_get_data(mesh).face_count == 2);
	rbl_destroy_mesh(mesh);
}

static void refusals_name_the_place(test *t)
{
	rbl_file_format stl = RBL_FORMAT_STL;
	CHECK_REFUSED(t, "", stl, "byte 0: the file ends");
	CHECK_REFUSED(t, "solid x\n" FACET(A, B, ""), stl, "text:6: a facet that is no triangle");
	CHECK_REFUSED(t, "solid x\n" FACET(A, B, C), stl, "text:9: the file ends inside");
	CHECK_REFUSED(t, "solid x\nwhat\n", stl, "text:2: an unknown word");
	CHECK_REFUSED(t, "solid x\nendsolid\nwhat\n", stl, "text:3: a word outside");
	CHECK_REFUSED(t, "solid x\n" FACET(A, B, "vertex 1 z 0\n"), stl, "text:6: a vertex needs");
	char bytes[84 + 49] = { 0 };
	bytes[80] = 1;
	rbl_read_def def = rbl_default_read_def();
	def.format = stl;
	rbl_mesh *mesh = NULL;
	io_watch_log();
	CHECK(t, rbl_read_mesh_memory(bytes, sizeof bytes, &def, &mesh) == RBL_BAD_FILE);
	CHECK(t, io_log_has("byte 80: 1 triangles do not fit a file of 133 bytes"));
}

// A binary file may begin with "solid"; its size tells.
static void binary_files_that_begin_with_solid_are_binary(test *t)
{
	char bytes[84 + 50] = "solid but binary";
	bytes[80] = 1;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes, sizeof bytes, NULL, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).face_count == 1 && rbl_mesh_get_data(mesh).vertex_count == 1);
	rbl_destroy_mesh(mesh);
}

static void positions_beyond_floats_are_refused(test *t)
{
	const rbl_vec3d far = { 1e60, 0.0, 0.0 };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data.vertex_count = 1;
	mesh_def.data.positions = &far;
	rbl_mesh *mesh = NULL;
	if (rbl_create_mesh(&mesh_def, &mesh) != RBL_OK) {
		SKIP(t, "no mesh reaches that far");
		return;
	}
	rbl_file_bytes bytes;
	rbl_write_def def = stl_def(false);
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_BAD_MESH && !bytes.data);
	def.format = RBL_FORMAT_PLY;
	def.single_precision = true;
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_BAD_MESH && !bytes.data);
	rbl_destroy_mesh(mesh);
}

static void damaged_files_are_refused_or_sound(test *t)
{
	for (int k = 0; k < 2; ++k) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_float_positions = true });
		rbl_write_def def = stl_def(k);
		rbl_file_bytes bytes;
		CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
		io_check_damaged(t, bytes.data, bytes.size, RBL_FORMAT_STL);
		io_check_read_memory(t, bytes.data, bytes.size, RBL_FORMAT_STL);
		io_check_write_memory(t, mesh, def);
		rbl_free_bytes(&bytes);
		rbl_destroy_mesh(mesh);
	}
}

TEST_MAIN(TEST(triangles_are_read_back_equal_and_welded), TEST(polygons_are_triangulated),
          TEST(text_in_any_case_and_several_solids_are_read), TEST(refusals_name_the_place),
          TEST(binary_files_that_begin_with_solid_are_binary),
          TEST(positions_beyond_floats_are_refused), TEST(damaged_files_are_refused_or_sound))
