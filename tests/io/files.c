// SPDX-License-Identifier: MIT
// Files, formats, axes: what all readers and writers share.
// ctest: files

#include "io_test.h"

static const char triangle[] = "v 1 2 3\nv 4 5 6\nv 7 8 10\nvn 0 0 1\nvt 0 0\nvt 1 0\nvt 2 0\n"
							   "f 1/1/1 2/2/1 3/3/1\n";

static void endings_tell_formats(test *t)
{
	CHECK(t, rbl_file_format_of_name("a/b.OBJ") == RBL_FORMAT_OBJ);
	CHECK(t, rbl_file_format_of_name("b.mesh") == RBL_FORMAT_MEDIT);
	CHECK(t, rbl_file_format_of_name("x.obj.gltf") == RBL_FORMAT_GLTF);
	CHECK(t, rbl_file_format_of_name("x.glb") == RBL_FORMAT_GLTF);
	CHECK(t, rbl_file_format_of_name("x.object") == RBL_FORMAT_AUTO);
	CHECK(t, rbl_file_format_of_name("obj") == RBL_FORMAT_AUTO);
	CHECK(t, rbl_file_format_of_name(NULL) == RBL_FORMAT_AUTO);
	CHECK(t, strcmp(rbl_file_format_ending(RBL_FORMAT_STL), "stl") == 0);
	CHECK(t, strcmp(rbl_file_format_ending(RBL_FORMAT_AUTO), "") == 0);
}

static void what_has_no_known_form_is_unsupported(test *t)
{
	rbl_mesh *mesh = NULL;
	CHECK(t, io_read("hello\nworld\n", RBL_FORMAT_AUTO, &mesh) == RBL_UNSUPPORTED && !mesh);
	CHECK(t, rbl_read_mesh_memory(NULL, 0, NULL, &mesh) == RBL_UNSUPPORTED);
}

static void up_scale_and_hand_are_settled_at_the_door(test *t)
{
	static const struct {
		rbl_up_axis up;
		bool is_left_handed;
		rbl_vec3d first;
		rbl_vec3 normal;
	} cases[] = {
		{ RBL_AXIS_Y, false, { 2, 4, 6 }, { 0, 0, 1 } },
		{ RBL_AXIS_Z, false, { 2, 6, -4 }, { 0, 1, 0 } },
		{ RBL_AXIS_X, false, { -4, 2, 6 }, { 0, 0, 1 } },
		{ RBL_AXIS_Y, true, { 2, 4, -6 }, { 0, 0, -1 } },
		{ RBL_AXIS_Z, true, { 2, 6, 4 }, { 0, 1, 0 } },
	};
	for (int i = 0; i < 5; ++i) {
		rbl_read_def def = rbl_default_read_def();
		def.up = cases[i].up;
		def.scale = 2.0;
		def.is_left_handed = cases[i].is_left_handed;
		rbl_mesh *mesh = NULL;
		CHECK(t, rbl_read_mesh_memory(triangle, strlen(triangle), &def, &mesh) == RBL_OK);
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		CHECK(t, data.positions[0].x == cases[i].first.x &&
		             data.positions[0].y == cases[i].first.y &&
		             data.positions[0].z == cases[i].first.z);
		CHECK(t, data.corner_normals[0].y == cases[i].normal.y &&
		             data.corner_normals[0].z == cases[i].normal.z);
		// A mirror turns faces around, with all their attributes.
		CHECK(t, data.corner_vertices[1] == (cases[i].is_left_handed ? 2 : 1));
		CHECK(t, data.corner_uv0[1].x == (cases[i].is_left_handed ? 2.0f : 1.0f));
		rbl_destroy_mesh(mesh);
	}
}

static void bad_arguments_are_refused(test *t)
{
	rbl_mesh *mesh = NULL;
	rbl_read_def def = rbl_default_read_def();
	CHECK(t, rbl_read_mesh_memory(triangle, 10, &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_mesh("x.obj", &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_mesh(NULL, &def, &mesh) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_mesh_memory(NULL, 10, &def, &mesh) == RBL_BAD_ARGUMENT);
	rbl_read_def bad[8];
	for (int i = 0; i < 8; ++i)
		bad[i] = def;
	bad[0].cookie = 0;
	bad[1].format = RBL_FORMAT_COUNT;
	bad[2].up = (rbl_up_axis)3;
	bad[3].scale = 0.0;
	bad[4].scale = (double)NAN;
	bad[5].instance_limit = -1;
	bad[6].allocator.allocate = faulty_allocate;
	static char long_name[5000];
	memset(long_name, 'a', sizeof long_name - 1);
	bad[7].folder = long_name;
	for (int i = 0; i < 8; ++i) {
		CHECK(t,
		      rbl_read_mesh_memory(triangle, strlen(triangle), &bad[i], &mesh) == RBL_BAD_ARGUMENT);
		CHECK(t, i == 7 || rbl_read_mesh("x.obj", &bad[i], &mesh) == RBL_BAD_ARGUMENT);
		CHECK(t, !mesh);
	}
	CHECK(t, io_read(triangle, RBL_FORMAT_OBJ, &mesh) == RBL_OK);
	rbl_write_def write_def = rbl_default_write_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_write_mesh_memory(mesh, &write_def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_mesh_memory(NULL, &write_def, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_mesh_memory(mesh, NULL, &bytes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_mesh_memory(mesh, &write_def, &bytes) == RBL_UNSUPPORTED);
	write_def.format = RBL_FORMAT_OFF;
	CHECK(t, rbl_write_mesh_memory(mesh, &write_def, &bytes) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_mesh(NULL, mesh, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_mesh("x.obj", NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_write_mesh("x.unknown", mesh, NULL) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_mesh("x.gltf", mesh, NULL) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_mesh("x.GLTF", mesh, NULL) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_scene("x.gltf", &(rbl_scene){ 0 }, NULL) == RBL_UNSUPPORTED);
	CHECK(t, rbl_write_mesh(long_name, mesh, NULL) == RBL_UNSUPPORTED);
	memcpy(long_name + 4990, ".obj", 5);
	CHECK(t, rbl_write_mesh(long_name, mesh, NULL) == RBL_BAD_ARGUMENT);
	write_def.format = RBL_FORMAT_COUNT;
	CHECK(t, rbl_write_mesh("x.obj", mesh, &write_def) == RBL_BAD_ARGUMENT);
	write_def = rbl_default_write_def();
	write_def.cookie = 1;
	CHECK(t, rbl_write_mesh("x.obj", mesh, &write_def) == RBL_BAD_ARGUMENT);
	write_def = rbl_default_write_def();
	write_def.allocator.release = faulty_release;
	CHECK(t, rbl_write_mesh_memory(mesh, &write_def, &bytes) == RBL_BAD_ARGUMENT);
	rbl_free_bytes(NULL);
	rbl_destroy_mesh(mesh);
}

static void what_the_system_refuses_is_told_with_its_reason(test *t)
{
	rbl_mesh *mesh = NULL;
	io_watch_log();
	CHECK(t, rbl_read_mesh(RBL_BINARY_DIR "/nowhere.obj", NULL, &mesh) == RBL_IO_FAILED);
	CHECK(t, io_log_has("nowhere.obj: cannot open: No such file"));
	CHECK(t, rbl_read_mesh(RBL_BINARY_DIR, NULL, &mesh) == RBL_IO_FAILED);
	CHECK(t, io_log_has("a folder, not a regular file"));
	CHECK(t, io_read(triangle, RBL_FORMAT_OBJ, &mesh) == RBL_OK);
	CHECK(t, rbl_write_mesh(RBL_BINARY_DIR "/nowhere/x.obj", mesh, NULL) == RBL_IO_FAILED);
	CHECK(t, io_log_has("cannot create"));
	rbl_write_def def = rbl_default_write_def();
	def.format = RBL_FORMAT_OBJ;
	CHECK(t, rbl_write_mesh(RBL_BINARY_DIR, mesh, &def) == RBL_IO_FAILED);
	rbl_destroy_mesh(mesh);
}

// Reading and writing files unwinds as reading and writing memory does.
static void files_survive_memory_that_runs_out(test *t)
{
	const char *path = RBL_BINARY_DIR "/io_files_test.obj";
	rbl_mesh *mesh = io_make_mesh((io_shape){ .has_materials = true });
	CHECK(t, rbl_write_mesh(path, mesh, NULL) == RBL_OK);
	rbl_set_log(NULL, NULL);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_read_def def = rbl_default_read_def();
		def.allocator = FAULTY(&memory);
		rbl_mesh *back = NULL;
		rbl_result result = rbl_read_mesh(path, &def, &back);
		rbl_destroy_mesh(back);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed)
			break;
	}
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_write_def def = rbl_default_write_def();
		def.allocator = FAULTY(&memory);
		rbl_result result = rbl_write_mesh(path, mesh, &def);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed)
			break;
	}
	remove(path);
	remove(RBL_BINARY_DIR "/io_files_test.mtl");
	rbl_destroy_mesh(mesh);
}

static void write_text(const char *path, const char *text, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (file) {
		fwrite(text, 1, size, file);
		fclose(file);
	}
}

// The limit holds for the file and those that it names, together.
static void larger_files_than_the_limit_are_refused(test *t)
{
	static const char path[] = RBL_BINARY_DIR "/limited.obj";
	write_text(path, triangle, strlen(triangle));
	rbl_mesh *mesh = NULL;
	rbl_file_bytes bytes;
	rbl_read_def def = rbl_default_read_def();
	CHECK(t, def.size_limit == RBL_FILE_SIZE_LIMIT);
	for (int over = -1; over < 2; ++over) {
		def.size_limit = (uint64_t)((int)strlen(triangle) - over);
		rbl_result wanted = over > 0 ? RBL_LIMIT_REACHED : RBL_OK;
		CHECK(t, rbl_read_mesh(path, &def, &mesh) == wanted);
		CHECK(t, (mesh != NULL) == (wanted == RBL_OK));
		rbl_destroy_mesh(mesh);
		CHECK(t, rbl_read_file(path, &def, &bytes) == wanted);
		CHECK(t, wanted != RBL_OK || (bytes.size == strlen(triangle) &&
		                              memcmp(bytes.data, triangle, bytes.size) == 0));
		rbl_free_bytes(&bytes);
	}
	CHECK(t, rbl_read_file(path, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_read_file(NULL, NULL, &bytes) == RBL_BAD_ARGUMENT && !bytes.data);
	remove(path);

	static const char buffered[] = RBL_BINARY_DIR "/limited.gltf",
					  buffer[] = RBL_BINARY_DIR "/limited.bin";
	static const char gltf[] =
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"limited.bin\",\"byteLength\":"
		"4000}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
		"\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}],\"meshes\":[{\"primitives\":[{"
		"\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]"
		"}";
	float numbers[1000] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	write_text(buffered, gltf, strlen(gltf));
	write_text(buffer, (const char *)numbers, sizeof numbers);
	def.size_limit = strlen(gltf) + 4000;
	CHECK(t, rbl_read_mesh(buffered, &def, &mesh) == RBL_OK);
	rbl_destroy_mesh(mesh);
	def.size_limit--;
	CHECK(t, rbl_read_mesh(buffered, &def, &mesh) == RBL_LIMIT_REACHED);
	remove(buffered), remove(buffer);
}

// Names are UTF-8 on every system, and what is written stands in the place of what was there.
static void names_in_any_script_name_files(test *t)
{
	static const char path[] = RBL_BINARY_DIR "/Gl\u00e4ser \u7834\u7247 \U0001f3db.obj";
	rbl_mesh *large = io_make_mesh((io_shape){ .has_materials = false }), *small = NULL,
			 *back = NULL;
	CHECK(t, io_read(triangle, RBL_FORMAT_OBJ, &small) == RBL_OK);
	CHECK(t, rbl_write_mesh(path, large, NULL) == RBL_OK);
	CHECK(t, rbl_write_mesh(path, small, NULL) == RBL_OK);
	CHECK(t, rbl_read_mesh(path, NULL, &back) == RBL_OK);
	if (back)
		CHECK(t, rbl_mesh_get_data(back).face_count == 1);
	CHECK(t, rbl_mesh_get_data(large).face_count > 1);
	rbl_file_bytes bytes = { 0 };
	CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_OK && bytes.size > 0);
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(back);
	rbl_destroy_mesh(small);
	rbl_destroy_mesh(large);
	CHECK(t, rbl_read_mesh(RBL_BINARY_DIR "/\xff\xfe.obj", NULL, &back) == RBL_IO_FAILED);
#ifndef _WIN32 // takes a name for one of the system's code page
	remove(path);
#endif
}

// A file that an editor of Windows saved has \r before each \n, and means the same.
static void line_ends_of_windows_mean_the_same(test *t)
{
	static const struct {
		rbl_file_format format;
		const char *text;
	} files[] = {
		{ RBL_FORMAT_OBJ, triangle },
		{ RBL_FORMAT_OFF, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n" },
		{ RBL_FORMAT_PLY,
		  "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
		  "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
		  "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n" },
		{ RBL_FORMAT_STL, "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
		                  "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n" },
		{ RBL_FORMAT_GLTF,
		  "{\n\"asset\":{\"version\":\"2.0\"},\n\"buffers\":[{\"byteLength\":36,\"uri\":"
		  "\"data:application/"
		  "octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],\n"
		  "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\n\"accessors\":[{\"bufferView\":0,"
		  "\"componentType\":5126,\"type\":\"VEC3\",\"count\":3,\"min\":[0,0,0],\"max\":[1,1,0]}],"
		  "\n"
		  "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\n\"nodes\":[{"
		  "\"mesh\":0}],\n"
		  "\"scenes\":[{\"nodes\":[0]}]\n}\n" },
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
		char text[2000];
		size_t size = 0;
		for (const char *from = files[i].text; *from; ++from) {
			if (*from == '\n')
				text[size++] = '\r';
			text[size++] = *from;
		}
		text[size] = 0;
		rbl_mesh *plain = NULL, *other = NULL;
		CHECK(t, io_read(files[i].text, files[i].format, &plain) == RBL_OK);
		CHECK(t, io_read(text, files[i].format, &other) == RBL_OK);
		if (plain && other)
			CHECK(t, rbl_mesh_get_data(plain).face_count == 1 && io_meshes_equal(plain, other));
		rbl_destroy_mesh(plain);
		rbl_destroy_mesh(other);
	}
}

TEST_MAIN(TEST(names_in_any_script_name_files), TEST(line_ends_of_windows_mean_the_same),
          TEST(larger_files_than_the_limit_are_refused), TEST(endings_tell_formats),
          TEST(what_has_no_known_form_is_unsupported),
          TEST(up_scale_and_hand_are_settled_at_the_door), TEST(bad_arguments_are_refused),
          TEST(what_the_system_refuses_is_told_with_its_reason),
          TEST(files_survive_memory_that_runs_out))
