// SPDX-License-Identifier: MIT
// Wavefront OBJ, in and out.

#include "io_test.h"

static void everything_it_keeps_is_read_back_equal(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){
		.has_normals = true, .has_uv0 = true, .has_colors = true, .has_materials = true });
	const char *path = RBL_BINARY_DIR "/io_obj_test.obj";
	CHECK(t, rbl_write_mesh(path, mesh, NULL) == RBL_OK);
	rbl_mesh *back = NULL;
	CHECK(t, rbl_read_mesh(path, NULL, &back) == RBL_OK);
	CHECK(t, io_meshes_equal(mesh, back));
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
	remove(path);
	remove(RBL_BINARY_DIR "/io_obj_test.mtl");
}

static void each_attribute_alone_is_read_back_equal(test *t)
{
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_OBJ;
	for (int i = 0; i < 8; ++i) {
		rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = i & 1,
		                                          .has_uv0 = i & 2,
		                                          .has_colors = i & 4,
		                                          .is_triangulated = i & 1 });
		rbl_mesh *back = io_round_trip(mesh, def);
		CHECK(t, io_meshes_equal(mesh, back));
		rbl_destroy_mesh(back);
		rbl_destroy_mesh(mesh);
	}
}

// Comments, continued lines, DOS line ends, negative indices, groups, a weight, a missing last line end.
static void the_forms_of_real_files_are_understood(test *t)
{
	const char *text =
		"# a comment\r\nmtllib gone.mtl\r\no thing\r\nv 0 0 0 1.0\r\nv 1 0 0\r\n"
		"\tv 1.0 +1.0 -0.0\r\nv 0 1e0 0.\r\ng part one\r\ns off\r\nvt 0.5\r\nvt .5 1 0\r\n"
		"f 1/1 2/2 \\\r\n 3/2 # to here\r\nusemtl red paint  \r\nf -4/-1 -2/-1 -1/-2\r\nl 1 2";
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(text, RBL_FORMAT_AUTO, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.vertex_count == 4 && data.face_count == 2 && data.corner_count == 6);
	const int corners[6] = { 0, 1, 2, 0, 2, 3 };
	CHECK(t, io_same(data.corner_vertices, corners, sizeof corners));
	CHECK(t, data.corner_uv0 && data.corner_uv0[1].x == 0.5f && data.corner_uv0[1].y == 1.0f);
	CHECK(t, data.corner_uv0[5].x == 0.5f && data.corner_uv0[5].y == 0.0f);
	CHECK(t, data.material_count == 1 && strcmp(data.materials[0].name, "red paint") == 0);
	CHECK(t, data.face_materials[0] == 0 && data.face_materials[1] == 0);
	rbl_destroy_mesh(mesh);
}

static void faces_may_come_before_their_vertices(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", RBL_FORMAT_OBJ, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_get_data(mesh).face_count == 1);
	rbl_destroy_mesh(mesh);
}

// Faces without normals take their own; corners without coordinates and vertices without colour
// are completed.
static void what_only_some_faces_have_is_completed(test *t)
{
	const char *text = "v 0 0 0\nv 1 0 0 1 0 0\nv 0 1 0\nvn 0 0 -2\nvn 0 0 0\nvt 1 1\n"
					   "f 1//1 2//1 3//2\nf 1 2 3\nf 1/1 2/1 3/1\nv 4 4 4\n";
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(text, RBL_FORMAT_OBJ, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.corner_normals[0].z == -1.0f); // made a unit vector
	CHECK(t, data.corner_normals[2].z == 1.0f && data.corner_normals[5].z == 1.0f);
	CHECK(t, data.corner_uv0[0].x == 0.0f && data.corner_uv0[8].x == 1.0f);
	CHECK(t, data.corner_colors[0].y == 1.0f && data.corner_colors[1].y == 0.0f);
	rbl_destroy_mesh(mesh);
}

static void refusals_name_the_line(test *t)
{
	CHECK_REFUSED(t, "v 0 0\n", RBL_FORMAT_OBJ, "text:1: a vertex needs three numbers");
	CHECK_REFUSED(t, "v 0 0 x\n", RBL_FORMAT_OBJ, "text:1: a vertex");
	CHECK_REFUSED(t, "v 0 0 0\n\nvn 1 2\n", RBL_FORMAT_OBJ, "text:3: a normal");
	CHECK_REFUSED(t, "v 0 0 0\nvt\nvt \n", RBL_FORMAT_OBJ, "text:3: a texture");
	CHECK_REFUSED(t, "v 0 0 0\nf 1 1\n", RBL_FORMAT_OBJ, "text:2: a face of 2 corners");
	CHECK_REFUSED(t, "v 0 0 0\nf 1 1 a\n", RBL_FORMAT_OBJ, "text:2: not an index");
	CHECK_REFUSED(t, "v 0 0 0\nf 1 1 0\n", RBL_FORMAT_OBJ, "text:2: not an index");
	CHECK_REFUSED(t, "v 0 0 0\nf 1 1 -2\n", RBL_FORMAT_OBJ, "text:2: not an index");
	CHECK_REFUSED(t, "v 0 0 0\nf 1 1 99999999999999999999\n", RBL_FORMAT_OBJ, "text:2: not an");
	CHECK_REFUSED(t, "v 0 0 0\nf 1/ 1/ 1/\n", RBL_FORMAT_OBJ, "text:2: not an index");
	CHECK_REFUSED(t, "v 0 0 0\nf 1 1 1\n\n f 1 1 2\n", RBL_FORMAT_OBJ,
	              "text:4: vertex 2, and there are 1");
	CHECK_REFUSED(t, "v 0 0 0\nf 1/1 1/1 1/1\n", RBL_FORMAT_OBJ, "text:2: texture coordinate 1");
	CHECK_REFUSED(t, "v 0 0 0\nf 1//1 1//1 1//1\n", RBL_FORMAT_OBJ, "text:2: normal 1");
	CHECK_REFUSED(t, "v 0 0 1e999\n", RBL_FORMAT_OBJ, "vertex 0");
}

static void material_libraries_are_read_from_the_folder_and_nowhere_else(test *t)
{
	const char *library =
		"# paints\nnewmtl red\nKd 1 0 0\nTr 0.25\nNs 0\nmap_Kd red.png\nnewmtl two\n"
		"Ns 198\nPm 1\nd 0.5\nillum 2\nnewmtl last\nPr 0.5";
	const char *path = RBL_BINARY_DIR "/io_obj_library.mtl";
	FILE *file = fopen(path, "wb");
	fputs(library, file);
	fclose(file);
	const char *text =
		"mtllib io_obj_library.mtl\nv 0 0 0\nusemtl two\nf 1 1 1\nusemtl new\nf 1 1 1\n";
	rbl_read_def def = rbl_default_read_def();
	def.folder = RBL_BINARY_DIR;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh_memory(text, strlen(text), &def, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.material_count == 4);
	CHECK(t, data.materials[0].base_color.y == 0.0f && data.materials[0].base_color.w == 0.75f);
	CHECK(t, data.materials[0].roughness == 1.0f);
	CHECK_NEAR(t, data.materials[1].roughness, 0.1, 1e-6);
	CHECK(t, data.materials[1].metallic == 1.0f && data.materials[1].base_color.w == 0.5f);
	CHECK(t, data.materials[2].roughness == 0.5f);
	CHECK(t, data.face_materials[0] == 1 && data.face_materials[1] == 3);
	rbl_destroy_mesh(mesh);
	remove(path);

	static const char *const outside[] = { "mtllib ../x.mtl",  "mtllib /etc/passwd",
		                                   "mtllib a/../../b", "mtllib c:x",
		                                   "mtllib ..",        "mtllib a\\b" };
	for (int i = 0; i < 6; ++i) {
		io_watch_log();
		CHECK(t, rbl_read_mesh_memory(outside[i], strlen(outside[i]), &def, &mesh) == RBL_OK);
		CHECK(t, io_log_has("outside its folder") && io_warnings == 1);
		rbl_destroy_mesh(mesh);
	}
}

// A thousand materials stay apart; names are cut between characters.
static void materials_are_known_by_name(test *t)
{
	static char text[64000];
	int length = sprintf(text, "v 0 0 0\n");
	for (int i = 0; i < 2000; ++i)
		length += sprintf(text + length, "usemtl m%d\nf 1 1 1\n", i % 1000);
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read(text, RBL_FORMAT_OBJ, &mesh) == RBL_OK);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.material_count == 1000);
	for (int f = 0; f < 2000; ++f)
		CHECK(t, data.face_materials[f] == f % 1000);
	rbl_destroy_mesh(mesh);
	CHECK(t, io_read("usemtl 123456789 123456789 123456789 123456789 123456789 123456789 12"
	                 "\xc3\xa4\n",
	                 RBL_FORMAT_OBJ, &mesh) == RBL_OK);
	CHECK(t, strlen(rbl_mesh_get_data(mesh).materials[0].name) == 62);
	rbl_destroy_mesh(mesh);
}

// Readers tell materials by name, so the writer makes names that can be told apart.
static void unnamed_and_equal_materials_are_numbered(test *t)
{
	const rbl_vec3d corner = { 1.0, 2.0, 3.0 };
	const int corners[9] = { 0 }, face_materials[3] = { 0, 1, 2 };
	const rbl_mesh_material materials[3] = { { .name = "a" }, { .name = "a" }, { .name = "" } };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data = (rbl_mesh_data){ .vertex_count = 1,
		                             .positions = &corner,
		                             .face_count = 3,
		                             .corner_count = 9,
		                             .corner_vertices = corners,
		                             .face_materials = face_materials,
		                             .material_count = 3,
		                             .materials = materials };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_OBJ;
	rbl_mesh *back = io_round_trip(mesh, def);
	rbl_mesh_data data = rbl_mesh_get_data(back);
	CHECK(t, data.material_count == 3 && strcmp(data.materials[1].name, "material_1") == 0);
	CHECK(t, strcmp(data.materials[2].name, "material_2") == 0);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(mesh);
}

static void what_it_cannot_keep_is_left_out_with_a_warning(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_uv1 = true });
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_OBJ;
	io_watch_log();
	rbl_mesh *back = io_round_trip(mesh, def);
	CHECK(t, io_warnings == 1 && back && !rbl_mesh_get_data(back).corner_uv1);
	rbl_destroy_mesh(back);
	// Corners of one vertex with different colours.
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data = rbl_mesh_get_data(mesh);
	rbl_vec4 colors[64] = { { 0 } };
	colors[5].x = 1.0f;
	mesh_def.data.corner_uv1 = NULL;
	mesh_def.data.corner_colors = colors;
	rbl_mesh *colored = NULL;
	CHECK(t, rbl_create_mesh(&mesh_def, &colored) == RBL_OK);
	io_watch_log();
	back = io_round_trip(colored, def);
	CHECK(t, io_warnings == 1 && back && !rbl_mesh_get_data(back).corner_colors);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(colored);
	rbl_destroy_mesh(mesh);
}

static void damaged_files_are_refused_or_sound(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_normals = true, .has_materials = true });
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_OBJ;
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
	io_check_damaged(t, bytes.data, bytes.size, RBL_FORMAT_OBJ);
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(mesh);
}

static void memory_that_runs_out_is_survived(test *t)
{
	rbl_mesh *mesh = io_make_mesh((io_shape){ true, true, false, true, true, false, false });
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_OBJ;
	io_check_write_memory(t, mesh, def);
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &def, &bytes) == RBL_OK);
	io_check_read_memory(t, bytes.data, bytes.size, RBL_FORMAT_OBJ);
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(everything_it_keeps_is_read_back_equal),
          TEST(each_attribute_alone_is_read_back_equal),
          TEST(the_forms_of_real_files_are_understood), TEST(faces_may_come_before_their_vertices),
          TEST(what_only_some_faces_have_is_completed), TEST(refusals_name_the_line),
          TEST(material_libraries_are_read_from_the_folder_and_nowhere_else),
          TEST(materials_are_known_by_name), TEST(unnamed_and_equal_materials_are_numbered),
          TEST(what_it_cannot_keep_is_left_out_with_a_warning),
          TEST(damaged_files_are_refused_or_sound), TEST(memory_that_runs_out_is_survived))
