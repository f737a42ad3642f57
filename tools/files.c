// SPDX-License-Identifier: MIT
//
// Shared by commands: files, workers, time.
//
// Standard input is read once, whole, and kept: commands look at its first bytes before they know how
// to read it.

#include "files.h"

#include "errors.h"
#include "interrupts.h"
#include "system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char standard_name[] = "standard input";
static unsigned char *standard_bytes;
static size_t standard_size;
static bool is_standard_read;

bool is_standard(const char *path)
{
	return strcmp(path, "-") == 0;
}

// Read standard input to its end. @return RBL_OK, RBL_LIMIT_REACHED, RBL_IO_FAILED, RBL_OUT_OF_MEMORY
static rbl_result read_standard(uint64_t limit)
{
	size_t capacity = 0;
	limit = limit > 0 && limit < RBL_FILE_SIZE_LIMIT ? limit : RBL_FILE_SIZE_LIMIT;
	while (!is_standard_read) {
		if (standard_size == capacity) {
			capacity = capacity > 0 ? 2 * capacity : 1 << 16;
			unsigned char *more = realloc(standard_bytes, capacity);
			if (!more)
				return RBL_OUT_OF_MEMORY;
			standard_bytes = more;
		}
		size_t got = fread(standard_bytes + standard_size, 1, capacity - standard_size, stdin);
		standard_size += got;
		is_standard_read = got == 0;
	}
	if (ferror(stdin)) {
		rbl_log_text(RBL_LOG_ERROR, "standard input: cannot read");
		return RBL_IO_FAILED;
	}
	if (standard_size > limit) {
		rbl_log_text(RBL_LOG_ERROR, "standard input: it is too large");
		return RBL_LIMIT_REACHED;
	}
	return RBL_OK;
}

static void *allocate(void *user, size_t size, size_t alignment)
{
	(void)user, (void)alignment;
	return malloc(size);
}

static void release(void *user, void *block, size_t size)
{
	(void)user, (void)size;
	free(block);
}

static int read_standard_bytes(uint64_t limit, rbl_file_bytes *bytes)
{
	*bytes = (rbl_file_bytes){ 0 };
	rbl_result result = read_standard(limit);
	unsigned char *copy = result == RBL_OK ? malloc(standard_size + 1) : NULL;
	if (result == RBL_OK && !copy)
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK)
		return fail_with(result, standard_name);
	memcpy(copy, standard_bytes, standard_size);
	*bytes =
		(rbl_file_bytes){ copy, standard_size, standard_size + 1, { allocate, release, NULL } };
	return STATUS_OK;
}

int read_bytes(const char *path, uint64_t limit, rbl_file_bytes *bytes)
{
	if (is_standard(path))
		return read_standard_bytes(limit, bytes);
	rbl_read_def def = rbl_default_read_def();
	if (limit > 0)
		def.size_limit = limit;
	rbl_result result = rbl_read_file(path, &def, bytes);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

size_t read_head(const char *path, void *head, size_t size)
{
	if (is_standard(path)) {
		if (read_standard(0) != RBL_OK)
			return 0;
		size = size < standard_size ? size : standard_size;
		memcpy(head, standard_bytes, size);
		return size;
	}
	long long got = read_file_head(path, head, size);
	return got > 0 ? (size_t)got : 0;
}

rbl_result read_mesh(const char *path, const rbl_read_def *def, rbl_mesh **mesh)
{
	if (!is_standard(path))
		return rbl_read_mesh(path, def, mesh);
	*mesh = NULL;
	rbl_read_def standard = def ? *def : rbl_default_read_def();
	standard.name = standard_name;
	rbl_result result = read_standard(standard.size_limit);
	return result == RBL_OK ? rbl_read_mesh_memory(standard_bytes, standard_size, &standard, mesh)
	                        : result;
}

rbl_result read_document(const char *path, const rbl_read_def *def, rbl_document **document)
{
	if (!is_standard(path))
		return rbl_read_document(path, def, document);
	*document = NULL;
	rbl_read_def standard = def ? *def : rbl_default_read_def();
	standard.name = standard_name;
	rbl_result result = read_standard(standard.size_limit);
	return result == RBL_OK
	           ? rbl_read_document_memory(standard_bytes, standard_size, &standard, document)
	           : result;
}

bool is_gltf_file(const char *path)
{
	char head[4] = "";
	if (!is_standard(path) && rbl_file_format_of_name(path) != RBL_FORMAT_AUTO)
		return rbl_file_format_of_name(path) == RBL_FORMAT_GLTF;
	return read_head(path, head, sizeof head) > 0 &&
	       (memcmp(head, "glTF", 4) == 0 || head[0] == '{');
}

// Write bytes to standard output, and free them.
static rbl_result put_bytes(rbl_result result, rbl_file_bytes *bytes)
{
	if (result == RBL_OK &&
	    (fwrite(bytes->data, 1, bytes->size, stdout) != bytes->size || fflush(stdout) != 0)) {
		rbl_log_text(RBL_LOG_ERROR, "cannot write to standard output");
		result = RBL_IO_FAILED;
	}
	rbl_free_bytes(bytes);
	return result;
}

// As PATH.part until it is whole: see interrupts.h.
static rbl_result finish_file(rbl_result result)
{
	set_unfinished_file(NULL);
	return result;
}

const char *const file_formats[] = { "obj", "ply", "stl", "glb", NULL };

rbl_file_format file_format_of(int choice)
{
	static const rbl_file_format formats[] = { RBL_FORMAT_OBJ, RBL_FORMAT_PLY, RBL_FORMAT_STL,
		                                       RBL_FORMAT_GLTF };
	return choice < 0 ? RBL_FORMAT_AUTO : formats[choice];
}

rbl_result write_mesh(const char *path, const rbl_mesh *mesh, const rbl_write_def *def)
{
	rbl_write_def standard = def ? *def : rbl_default_write_def();
	rbl_file_bytes bytes = { 0 };
	if (is_standard(path)) {
		if (standard.format == RBL_FORMAT_AUTO)
			standard.format = RBL_FORMAT_GLTF;
		return put_bytes(rbl_write_mesh_memory(mesh, &standard, &bytes), &bytes);
	}
	set_unfinished_file(path);
	return finish_file(rbl_write_mesh(path, mesh, &standard));
}

rbl_result write_scene_file(const char *path, const rbl_scene *scene, bool is_quantized)
{
	rbl_write_def def = rbl_default_write_def();
	rbl_file_bytes bytes = { 0 };
	def.format = RBL_FORMAT_GLTF;
	def.is_quantized = is_quantized;
	if (is_standard(path))
		return put_bytes(rbl_write_scene_memory(scene, &def, &bytes), &bytes);
	set_unfinished_file(path);
	return finish_file(rbl_write_scene(path, scene, &def));
}

rbl_result write_film_file(const char *path, const rbl_film *film, const rbl_write_def *how)
{
	rbl_write_def def = how ? *how : rbl_default_write_def();
	rbl_file_bytes bytes = { 0 };
	def.format = RBL_FORMAT_GLTF;
	if (is_standard(path))
		return put_bytes(rbl_write_film_memory(film, &def, &bytes), &bytes);
	set_unfinished_file(path);
	return finish_file(rbl_write_film(path, film, &def));
}

int make_folder(const char *path)
{
	int reason = create_folder(path);
	return reason == 0 ? STATUS_OK : fail("%s: %s", path, strerror(reason));
}

FILE *create_file(const char *path)
{
	if (is_standard(path))
		return stdout;
	FILE *file = open_file(path, "wb");
	if (!file)
		fail("%s: %s", path, strerror(errno));
	return file;
}

int close_file(FILE *file, const char *path)
{
	bool is_written = !ferror(file);
	is_written &= (file == stdout ? fflush(file) : fclose(file)) == 0;
	return is_written ? STATUS_OK : fail("%s: %s", path, strerror(errno));
}

bool is_glb_name(const char *name)
{
	size_t length = strlen(name);
	const char *end = length > 4 ? name + length - 4 : "";
	return is_standard(name) || strcmp(end, ".glb") == 0 || strcmp(end, ".GLB") == 0;
}

bool is_html_name(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0);
}

rbl_result make_workers(int count, rbl_jobs **jobs)
{
	*jobs = NULL;
	if (count <= 1)
		return RBL_OK;
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = count;
	return rbl_create_jobs(&def, jobs);
}

double now_ms(void)
{
	return 1e-6 * (double)monotonic_ns();
}
