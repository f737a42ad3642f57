// SPDX-License-Identifier: MIT
// ctest: native
//
// Files that name others, or are none: links, devices,
// pipes, sockets, and more than there is room for.

#define _XOPEN_SOURCE 700

#include "io_test.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char root[] = RBL_BINARY_DIR "/hostile-XXXXXX";

static const char *path_of(const char *name)
{
	static char paths[4][600];
	static int next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof paths[0], "%s/%s", root, name);
	return path;
}

static void write_bytes(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(path_of(name), "wb");
	if (file) {
		fwrite(bytes, 1, size, file);
		fclose(file);
	}
}

static void write_text(const char *name, const char *text)
{
	write_bytes(name, text, strlen(text));
}

static bool link_to(const char *target, const char *name)
{
	return symlink(target, path_of(name)) == 0;
}

// A glTF file with `count` buffers of one name, all of which are read.
static void write_gltf(const char *name, const char *uri, int count)
{
	FILE *file = fopen(path_of(name), "w");
	if (!file)
		return;
	fprintf(file, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[");
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s{\"uri\":\"%s\",\"byteLength\":36}", i ? "," : "", uri);
	fprintf(file, "],\"bufferViews\":[");
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s{\"buffer\":%d,\"byteLength\":36}", i ? "," : "", i);
	fprintf(file, "],\"accessors\":[");
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s{\"bufferView\":%d,\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}",
		        i ? "," : "", i);
	fprintf(file, "],\"meshes\":[{\"primitives\":[");
	for (int i = 0; i < count; ++i)
		fprintf(file, "%s{\"attributes\":{\"POSITION\":%d}}", i ? "," : "", i);
	fprintf(file, "]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]}");
	fclose(file);
}

static void write_obj(const char *name, const char *library)
{
	char text[700];
	snprintf(text, sizeof text, "mtllib %s\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
	         library);
	write_text(name, text);
}

// Folders in/, in/sub/ and out/, each with a buffer and a library.
static bool open_root(test *t)
{
	memcpy(root + strlen(root) - 6, "XXXXXX", 6);
	bool done = mkdtemp(root) != NULL;
	static const char *const folders[] = { "in", "in/sub", "out", "in2" };
	const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	for (int i = 0; i < 4 && done; ++i) {
		char name[40];
		done = mkdir(path_of(folders[i]), 0777) == 0;
		snprintf(name, sizeof name, "%s/a.bin", folders[i]);
		write_bytes(name, corners, sizeof corners);
		snprintf(name, sizeof name, "%s/red.mtl", folders[i]);
		write_text(name, "newmtl red\nKd 1 0 0\n");
	}
	CHECK(t, done);
	return done;
}

static void close_root(test *t)
{
	char line[700];
	snprintf(line, sizeof line, "rm -r '%s'", root);
	CHECK(t, system(line) == 0);
	rbl_set_log(NULL, NULL);
}

// @return whether the library was read: its red is not the white of a material that is only named
static bool has_library(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	return data.material_count == 1 && data.materials[0].base_color.y < 0.5f;
}

// --- links ---------------------------------------------------------------------------------------

// What a file names lies in its folder or below, once links are resolved.
static void links_out_of_the_folder_are_not_followed(test *t)
{
	if (!open_root(t))
		return;
	CHECK(t, link_to("../out/a.bin", "in/out.bin") && link_to("../out/red.mtl", "in/out.mtl"));
	CHECK(t, link_to("../out", "in/away") && link_to("sub/a.bin", "in/down.bin"));
	CHECK(t, link_to("sub/red.mtl", "in/down.mtl") && link_to("../in2", "in/beside"));
	static const struct {
		const char *name; // without its ending
		bool is_inside;
	} cases[] = { { "a", true },        { "sub/a", true },   { "down", true },
		          { "out", false },     { "away/a", false }, { "beside/a", false },
		          { "../out/a", false } };
	for (int i = 0; i < 7; ++i) {
		char uri[100], library[100];
		snprintf(uri, sizeof uri, "%s.bin", cases[i].name);
		snprintf(library, sizeof library, "%s.mtl", cases[i].name);
		char *last = strstr(library, "a.mtl");
		if (last && (last == library || last[-1] == '/'))
			memcpy(last, "red.mtl", 8);
		write_gltf("in/x.gltf", uri, 1);
		write_obj("in/x.obj", library);
		for (int allowed = 0; allowed < 2; ++allowed) {
			rbl_read_def def = rbl_default_read_def();
			def.allow_outside = allowed;
			bool is_read = cases[i].is_inside || allowed;
			rbl_mesh *mesh = NULL;
			io_watch_log();
			rbl_result result = rbl_read_mesh(path_of("in/x.gltf"), &def, &mesh);
			CHECK(t, result == (is_read ? RBL_OK : RBL_BAD_FILE) && (mesh != NULL) == is_read);
			CHECK(t, is_read || io_log_has("folder"));
			CHECK(t, is_read || io_log_has("allow_outside"));
			rbl_destroy_mesh(mesh);
			io_watch_log();
			CHECK(t, rbl_read_mesh(path_of("in/x.obj"), &def, &mesh) == RBL_OK);
			CHECK(t, has_library(mesh) == is_read && io_warnings == !is_read);
			CHECK(t, is_read || io_log_has("allow_outside"));
			rbl_destroy_mesh(mesh);
		}
	}
	close_root(t);
}

// A folder of its own for what comes from others: prefixes of names are no folders, and links that
// lead out and in again count by where they end.
static void within_a_folder_is_told_by_where_links_lead(test *t)
{
	if (!open_root(t))
		return;
	write_obj("in/x.obj", "red.mtl");
	write_obj("in2/x.obj", "red.mtl");
	write_obj("out/x.obj", "red.mtl");
	CHECK(t, link_to("../out/x.obj", "in/leaves.obj") && link_to("sub", "in/round"));
	CHECK(t, link_to("../in/x.obj", "out/returns.obj") && link_to("../out", "in/away"));
	write_obj("in/sub/x.obj", "red.mtl");
	static const struct {
		const char *name;
		bool is_inside;
	} cases[] = { { "in/x.obj", true },         { "in/sub/../x.obj", true },
		          { "in/round/x.obj", true },   { "in2/x.obj", false },
		          { "in/../in2/x.obj", false }, { "in/leaves.obj", false },
		          { "in/away/x.obj", false },   { "in/away/returns.obj", true } };
	char folder[600];
	snprintf(folder, sizeof folder, "%s", path_of("in"));
	for (int i = 0; i < 8; ++i) {
		rbl_read_def def = rbl_default_read_def();
		def.within = folder;
		rbl_mesh *mesh = NULL;
		rbl_file_bytes bytes;
		io_watch_log();
		rbl_result wanted = cases[i].is_inside ? RBL_OK : RBL_BAD_FILE;
		CHECK(t, rbl_read_file(path_of(cases[i].name), &def, &bytes) == wanted);
		CHECK(t, wanted == RBL_OK || io_log_has("leads outside of the folder"));
		rbl_free_bytes(&bytes);
		CHECK(t, rbl_read_mesh(path_of(cases[i].name), &def, &mesh) == wanted);
		// The last is read by way of out/: a library beside it there is outside all the same.
		CHECK(t, wanted != RBL_OK || has_library(mesh) == (i < 7));
		rbl_destroy_mesh(mesh);
	}
	close_root(t);
}

// --- what is no file -----------------------------------------------------------------------------

static void open_socket(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char here[600];
	int handle = socket(AF_UNIX, SOCK_STREAM, 0);
	// Its address is short: go there.
	if (getcwd(here, sizeof here) && chdir(root) == 0) {
		snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
		if (bind(handle, (struct sockaddr *)&address, sizeof address) != 0)
			printf("no socket\n");
		if (chdir(here) != 0)
			printf("lost\n");
	}
	close(handle);
}

// Neither the file itself nor one that it names may be anything but a regular file.
static void what_is_no_regular_file_is_refused(test *t)
{
	if (!open_root(t))
		return;
	CHECK(t, mkfifo(path_of("in/pipe"), 0666) == 0 && mkdir(path_of("in/folder"), 0777) == 0);
	open_socket("in/socket");
	static const char *const names[] = { "pipe", "folder", "socket", "/dev/zero", "/dev/tty" };
	for (int i = 0; i < 5; ++i) {
		char name[100];
		snprintf(name, sizeof name, "in/%s", names[i]);
		rbl_mesh *mesh = NULL;
		rbl_file_bytes bytes;
		rbl_tets *tets = NULL;
		const char *path = i < 3 ? path_of(name) : names[i];
		io_watch_log();
		CHECK(t, rbl_read_file(path, NULL, &bytes) == RBL_IO_FAILED && !bytes.data);
		// A terminal that is not there, and a socket, cannot even be opened.
		CHECK(t, io_log_has("not a regular file") || (i % 2 == 0 && io_log_has("cannot open")));
		CHECK(t, rbl_read_mesh(path, NULL, &mesh) == RBL_IO_FAILED && !mesh);
		CHECK(t, rbl_read_tets(path, NULL, &tets) == RBL_IO_FAILED && !tets);
		write_gltf("in/x.gltf", names[i], 1);
		write_obj("in/x.obj", names[i]);
		rbl_read_def def = rbl_default_read_def();
		def.allow_outside = true;
		CHECK(t, rbl_read_mesh(path_of("in/x.gltf"), &def, &mesh) == RBL_IO_FAILED && !mesh);
		io_watch_log();
		CHECK(t, rbl_read_mesh(path_of("in/x.obj"), &def, &mesh) == RBL_OK && io_warnings == 1);
		rbl_destroy_mesh(mesh);
	}
	close_root(t);
}

// --- more than there is room for -----------------------------------------------------------------

// A file that names one of 20 kB many times has that to read as often.
static void the_limit_holds_for_all_files_together(test *t)
{
	if (!open_root(t))
		return;
	CHECK(t, truncate(path_of("in/a.bin"), 20000) == 0);
	write_gltf("in/x.gltf", "a.bin", 10);
	struct stat about;
	CHECK(t, stat(path_of("in/x.gltf"), &about) == 0);
	for (int over = 0; over < 2; ++over) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_read_def def = rbl_default_read_def();
		def.allocator = FAULTY(&memory);
		def.size_limit = (uint64_t)(over ? 60000 : 200000 + about.st_size);
		rbl_mesh *mesh = NULL;
		io_watch_log();
		rbl_result result = rbl_read_mesh(path_of("in/x.gltf"), &def, &mesh);
		CHECK(t, result == (over ? RBL_LIMIT_REACHED : RBL_OK));
		CHECK(t, !over || (io_log_has("a.bin") && io_log_has("size_limit")));
		CHECK(t, !over || memory.peak_bytes < 200000);
		rbl_destroy_mesh(mesh);
		CHECK(t, memory.live_bytes == 0);
	}
	// A library that is too large is no missing library.
	CHECK(t, truncate(path_of("in/red.mtl"), 5000) == 0);
	write_obj("in/x.obj", "red.mtl");
	rbl_read_def def = rbl_default_read_def();
	def.size_limit = 4000;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_read_mesh(path_of("in/x.obj"), &def, &mesh) == RBL_LIMIT_REACHED && !mesh);
	close_root(t);
}

// Nothing is asked for before the size is known: a file of a terabyte that takes no room on disk.
static void a_file_beyond_the_limit_takes_no_memory(test *t)
{
	if (!open_root(t))
		return;
	write_text("in/huge.obj", "v 0 0 0\n");
	if (truncate(path_of("in/huge.obj"), (off_t)1 << 40) == 0) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_read_def def = rbl_default_read_def();
		def.allocator = FAULTY(&memory);
		rbl_mesh *mesh = NULL;
		io_watch_log();
		CHECK(t, rbl_read_mesh(path_of("in/huge.obj"), &def, &mesh) == RBL_LIMIT_REACHED && !mesh);
		CHECK(t, io_log_has("1099511627776") && io_log_has("size_limit"));
		CHECK(t, memory.peak_bytes < 10000 && memory.live_bytes == 0);
	} else {
		SKIP(t, "no files of that size here");
	}
	close_root(t);
}

// Some regular files say that they are empty, and are not.
static void the_limit_holds_for_files_that_hide_their_size(test *t)
{
	static const char hidden[] = "/proc/self/maps";
	struct stat about;
	if (stat(hidden, &about) != 0 || about.st_size != 0) {
		SKIP(t, "no such file here");
		return;
	}
	rbl_read_def def = rbl_default_read_def();
	rbl_file_bytes bytes;
	CHECK(t, rbl_read_file(hidden, &def, &bytes) == RBL_OK && bytes.size > 100);
	rbl_free_bytes(&bytes);
	def.size_limit = 100;
	CHECK(t, rbl_read_file(hidden, &def, &bytes) == RBL_LIMIT_REACHED && !bytes.data);
}

TEST_MAIN(TEST(links_out_of_the_folder_are_not_followed),
          TEST(within_a_folder_is_told_by_where_links_lead),
          TEST(what_is_no_regular_file_is_refused), TEST(the_limit_holds_for_all_files_together),
          TEST(a_file_beyond_the_limit_takes_no_memory),
          TEST(the_limit_holds_for_files_that_hide_their_size))
