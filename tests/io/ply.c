// SPDX-License-Identifier: MIT
// PLY, in and out.

#include "io_test.h"

static rbl_write_def ply_def(bool as_text, bool single)
{
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_PLY;
	def.as_text = as_text;
	def.single_precision = single;
	return def;
}

static void text_and_binary_are_read_back_equal(test *t)
{
	for (int i = 0; i < 16; ++i) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_uv0 = i & 1,
		                                          .has_colors = i & 2,
		                                          .is_triangulated = i & 4,
		                                          .has_float_positions = i & 8 });
		for (int k = 0; k < 4; ++k) {
			if ((k & 2) && !(i & 8))
				continue;
			rbl_mesh *back = io_round_trip(mesh, ply_def(k & 1, k & 2));
			CHECK(t, io_meshes_equal(mesh, back));
			rbl_destroy_mesh(back);
		}
		rbl_destroy_mesh(mesh);
	}
}

// Faces of 128 corners and more need longer counts; normals that agree are kept.
static void large_faces_and_normals_are_read_back_equal(test *t)
{
	enum { COUNT = 300 };
	rbl_vec3d positions[COUNT];
	rbl_vec3 normals[COUNT];
	int corners[COUNT];
	const int starts[2] = { 0, COUNT };
	for (int i = 0; i < COUNT; ++i) {
		double a = 6.283185307179586 * i / COUNT;
		positions[i] = (rbl_vec3d){ cos(a), sin(a), 0.0 };
		normals[i] = (rbl_vec3){ 0.0f, 0.0f, 1.0f };
		corners[i] = i;
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = COUNT,
		                        .positions = positions,
		                        .face_count = 1,
		                        .corner_count = COUNT,
		                        .face_starts = starts,
		                        .corner_vertices = corners,
		                        .corner_normals = normals };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	for (int k = 0; k < 2; ++k) {
		rbl_mesh *back = io_round_trip(mesh, ply_def(k, false));
		CHECK(t, io_meshes_equal(mesh, back));
		rbl_destroy_mesh(back);
	}
	rbl_destroy_mesh(mesh);
}

static void what_it_cannot_keep_is_left_out_with_a_warning(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = true, .has_materials = true });
	io_watch_log();
	rbl_mesh *back = io_round_trip(mesh, ply_def(false, false));
	CHECK(t, io_warnings == 2 && back && !rbl_mesh_get_data(back).corner_normals);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

// Elements and properties nobody asked for, in an odd order, with DOS line ends.
static void unknown_elements_and_properties_are_stepped_over(test *t)
{
	const char *text =
		"ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nobj_info nothing\r\n"
		"element face 1\r\nproperty uchar flag\r\nproperty list uchar float texcoord\r\n"
		"property list uchar int vertex_index\r\nproperty list int short other\r\n"
		"element nothing 1000000000\r\n"
		"element edge 2\r\nproperty int vertex1\r\nproperty int vertex2\r\n"
		"element vertex 3\r\nproperty float quality\r\nproperty float z\r\nproperty float y\r\n"
		"property float x\r\nproperty uchar red\r\nproperty uchar green\r\nproperty uchar blue\r\n"
		"property float s\r\nproperty float t\r\nend_header\r\n"
		"7 6 0 0 1 0 1 1 3 0 1 2 2 5 6\r\n0 1\r\n1 2\r\n"
		"0.5 0 0 0 255 0 51 9 9\r\n0.5 0 0 1 255 0 51 9 9\r\n0.5 0 1 0 255 0 51 9 9";
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(text, RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 3 && data.face_count == 1);
	CHECK(t, data.positions[1].x == 1.0 && data.positions[2].y == 1.0);
	CHECK(t, data.corner_uv0[1].x == 1.0f && data.corner_uv0[1].y == 0.0f); // corners win
	CHECK(t, data.corner_colors[0].x == 1.0f && data.corner_colors[0].z == 0.2f);
	CHECK(t, data.corner_colors[0].w == 1.0f);
	rbl_destroy_mesh(mesh);
}

static void strips_restart_and_alternate(test *t)
{
	const char *text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\n"
					   "property float y\nproperty float z\nelement tristrips 1\n"
					   "property list int int vertex_indices\nend_header\n"
					   "0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2 2\n"
					   "11 0 1 2 3 3 4 -1 2 1 4 -1\n";
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(text, RBL_FORMAT_PLY, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	const int corners[9] = { 0, 1, 2, 2, 1, 3, 2, 1, 4 };
	CHECK(t, data.face_count == 3 && io_same(data.corner_vertices, corners, sizeof corners));
	rbl_destroy_mesh(mesh);
}

// Every type of number, most significant byte first.
static void big_endian_files_are_read(test *t)
{
	static const char header[] =
		"ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty double x\nproperty float32 "
		"y\n"
		"property int16 z\nproperty int8 a\nproperty uint16 b\nproperty int c\nproperty uint d\n"
		"element face 1\nproperty list ushort uint vertex_indices\nend_header\n";
	unsigned char bytes[sizeof header + 200];
	size_t size = sizeof header - 1;
	memcpy(bytes, header, size);
	for (int v = 0; v < 3; ++v) {
		static const unsigned char row[] = { 0x3f, 0xf8, 0,    0,    0,    0,    0, 0, 0xc0,
			                                 0x20, 0,    0,    0xff, 0xfe, 0xff, 0, 1, 0xff,
			                                 0xff, 0xff, 0xff, 0,    0,    0,    9 };
		memcpy(bytes + size, row, sizeof row);
		bytes[size + 13] = (unsigned char)(0xfe - v);
		size += sizeof row;
	}
	static const unsigned char face[] = { 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0 };
	memcpy(bytes + size, face, sizeof face);
	size += sizeof face;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(bytes, size, NULL, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 3 && data.face_count == 1 && data.corner_vertices[0] == 2);
	CHECK(t,
	      data.positions[0].x == 1.5 && data.positions[0].y == -2.5 && data.positions[2].z == -4.0);
	rbl_destroy_mesh(mesh);
	io_check_damaged(t, bytes, size, RBL_FORMAT_PLY);
}

static void refusals_name_the_place(test *t)
{
#define HEAD "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
	rbl_file_format ply = RBL_FORMAT_PLY;
	CHECK_REFUSED(t, "", ply, "text:1: no header");
	CHECK_REFUSED(t, "plx\n", ply, "text:1: no header");
	CHECK_REFUSED(t, HEAD, ply, "no header");
	CHECK_REFUSED(t, "ply\nformat wild 1.0\n", ply, "text:2: an unknown format");
	CHECK_REFUSED(t, "ply\nend_header\n", ply, "text:2: the header names no format");
	CHECK_REFUSED(t, HEAD "property int x\n", ply, "text:3: a property before");
	CHECK_REFUSED(t, HEAD "element vertex\n", ply, "text:3: an element needs");
	CHECK_REFUSED(t, HEAD "element vertex -1\n", ply, "text:3: an element needs");
	CHECK_REFUSED(t, HEAD "element vertex 1\nproperty quad x\n", ply, "text:4: an unknown type");
	CHECK_REFUSED(t, HEAD "element vertex 1\nproperty list quad int x\n", ply,
	              "text:4: an unknown");
	CHECK_REFUSED(t, HEAD "element vertex 1\nproperty float x\nend_header\n0\n", ply,
	              "vertices without x, y and z");
	CHECK_REFUSED(t, HEAD "element vertex 1000000000\n" XYZ "end_header\n0 0 0\n", ply,
	              "more rows than fit");
	CHECK_REFUSED(t, HEAD "element vertex 1\n" XYZ "end_header\n0 0 x\n", ply, "text:8: a number");
	CHECK_REFUSED(
		t, HEAD "element vertex 1\n" XYZ "element vertex 1\n" XYZ "end_header\n0 0 0\n0 0 0\n", ply,
		"text:12: a second");
	CHECK_REFUSED(t,
	              HEAD "element face 1\nproperty list int int vertex_indices\nend_header\n2 0 0\n",
	              ply, "text:6: a face of fewer");
	CHECK_REFUSED(t,
	              HEAD "element face 1\nproperty list int int vertex_indices\nend_header\n99 0 0\n",
	              ply, "text:6: a list longer");
	CHECK_REFUSED(
		t, HEAD "element face 1\nproperty list int int vertex_indices\nend_header\n3 0 a 0\n", ply,
		"text:6: a number is missing");
	CHECK_REFUSED(t, HEAD "element face 1\nproperty list int int vertex_indices\nend_header\n- 0\n",
	              ply, "text:6: the file ends");
	CHECK_REFUSED(
		t, HEAD "element face 1\nproperty list int int vertex_indices\nend_header\n3 0 0 0\n", ply,
		"face 0 names vertex 0 of 0");
	CHECK_REFUSED(t,
	              "ply\nformat binary_little_endian 1.0\nelement face 1\n"
	              "property list uchar int vertex_indices\nend_header\n\x03zzz",
	              ply, "byte 102: a list longer");
}

static void damaged_files_are_refused_or_sound(test *t)
{
	for (int k = 0; k < 2; ++k) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_uv0 = true, .has_colors = true });
		rbl_write_def def = ply_def(k, true);
		rbl_file_bytes bytes;
		CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
		io_check_damaged(t, bytes.data, bytes.size, RBL_FORMAT_PLY);
		io_check_read_memory(t, bytes.data, bytes.size, RBL_FORMAT_PLY);
		io_check_write_memory(t, mesh, def);
		rbl_free_bytes(&bytes);
		rbl_destroy_mesh(mesh);
	}
}

TEST_MAIN(TEST(text_and_binary_are_read_back_equal),
          TEST(large_faces_and_normals_are_read_back_equal),
          TEST(what_it_cannot_keep_is_left_out_with_a_warning),
          TEST(unknown_elements_and_properties_are_stepped_over),
          TEST(strips_restart_and_alternate), TEST(big_endian_files_are_read),
          TEST(refusals_name_the_place), TEST(damaged_files_are_refused_or_sound))
