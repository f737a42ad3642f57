// SPDX-License-Identifier: MIT
// What the tests of mesh files share: meshes that have everything, comparisons, and the judges
// that damage files and memory.
#pragma once

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

/// The last line of the log; io_watch_log() clears it and starts watching.
static char io_log[600];
static int io_warnings;

static inline void io_log_line(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	io_warnings += level == RBL_LOG_WARNING;
	snprintf(io_log, sizeof io_log, "%s", text);
}

static inline void io_watch_log(void)
{
	io_log[0] = 0;
	io_warnings = 0;
	rbl_set_log(io_log_line, NULL);
}

static inline bool io_log_has(const char *text)
{
	return strstr(io_log, text) != NULL;
}

static inline rbl_result io_read(const char *text, rbl_file_format format, rbl_mesh **mesh)
{
	rbl_read_def def = rbl_default_read_def();
	def.format = format;
	def.name = "text";
	return rbl_read_mesh_memory(text, strlen(text), &def, mesh);
}

/// A text is refused, and the log says why.
#define CHECK_REFUSED(t, text, format, reason)                         \
	do {                                                               \
		rbl_mesh *refused = NULL;                                      \
		io_watch_log();                                                \
		CHECK(t, io_read((text), (format), &refused) == RBL_BAD_FILE); \
		CHECK(t, !refused);                                            \
		if (!io_log_has(reason))                                       \
			test_fail((t), __FILE__, __LINE__, io_log);                \
		rbl_destroy_mesh(refused);                                     \
	} while (0)

/// A prism over a pentagon: two pentagons, five quads, and one of those as two triangles.
/// Numbers that no short decimal stands for; attributes as asked for.
typedef struct io_shape {
	bool has_normals, has_uv0, has_uv1, has_colors, has_materials;
	bool is_triangulated;
	bool has_float_positions;
} io_shape;

static inline rbl_mesh *io_make_mesh(io_shape shape)
{
	enum { FACES = 8, CORNERS = 32 };
	static const float x[5] = { 1.0f, 0.309017f, -0.809017f, -0.809017f, 0.309017f };
	static const float z[5] = { 0.0f, -0.951057f, -0.587785f, 0.587785f, 0.951057f };
	rbl_vec3d positions[10];
	for (int i = 0; i < 10; ++i) {
		double px = (double)x[i % 5] / 3.0, pz = (double)z[i % 5] * 1e-3;
		positions[i] = (rbl_vec3d){ px, i < 5 ? 0.0 : 123456.789, pz };
		if (shape.has_float_positions)
			positions[i] =
				(rbl_vec3d){ (double)(float)px, (double)(float)positions[i].y, (double)(float)pz };
	}
	int starts[40] = { 0 }, corners[64], count = 0, faces = 0;
#define IO_FACE(n, ...)                         \
	do {                                        \
		const int list[] = { __VA_ARGS__ };     \
		if (shape.is_triangulated) {            \
			for (int k = 1; k + 1 < (n); ++k) { \
				corners[count++] = list[0];     \
				corners[count++] = list[k];     \
				corners[count++] = list[k + 1]; \
				starts[++faces] = count;        \
			}                                   \
		} else {                                \
			for (int k = 0; k < (n); ++k)       \
				corners[count++] = list[k];     \
			starts[++faces] = count;            \
		}                                       \
	} while (0)
	IO_FACE(5, 5, 6, 7, 8, 9);
	IO_FACE(5, 4, 3, 2, 1, 0);
	for (int i = 0; i < 4; ++i)
		IO_FACE(4, i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5);
	IO_FACE(3, 4, 0, 5);
	IO_FACE(3, 4, 5, 9);
	rbl_vec3 normals[64];
	rbl_vec2 uv0[64], uv1[64];
	rbl_vec4 colors[64];
	int face_materials[40];
	for (int c = 0; c < count; ++c) {
		normals[c] = c % 3 ? (rbl_vec3){ 0.6f, 0.0f, 0.8f } : (rbl_vec3){ 0.0f, -1.0f, 0.0f };
		uv0[c] = (rbl_vec2){ (float)(c % 7) / 7.0f, (float)(c % 5) * 1e-7f };
		uv1[c] = (rbl_vec2){ (float)c / 3.0f, -1.5f };
		int v = corners[c];
		colors[c] = (rbl_vec4){ (float)v / 11.0f, 0.25f, 1.0f - (float)v / 13.0f, 1.0f };
	}
	for (int f = 0; f < faces; ++f)
		face_materials[f] = f < faces / 2 ? 1 : 0;
	const rbl_mesh_material materials[2] = {
		{ "stone wall", { 0.1f, 0.2f, 0.3f, 1.0f }, 0.0f, 0.9f, 0 },
		{ "inside", { 0.7f, 0.6f, 0.55f, 0.5f }, 1.0f, 0.125f, 0 },
	};
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){
		.vertex_count = 10,
		.positions = positions,
		.face_count = faces,
		.corner_count = count,
		.face_starts = starts,
		.corner_vertices = corners,
		.corner_normals = shape.has_normals ? normals : NULL,
		.corner_uv0 = shape.has_uv0 ? uv0 : NULL,
		.corner_uv1 = shape.has_uv1 ? uv1 : NULL,
		.corner_colors = shape.has_colors ? colors : NULL,
		.face_materials = shape.has_materials ? face_materials : NULL,
		.material_count = shape.has_materials ? 2 : 0,
		.materials = materials,
	};
	rbl_mesh *mesh = NULL;
	return rbl_create_mesh(&def, &mesh) == RBL_OK ? mesh : NULL;
}

/// Same bytes, or both absent.
static inline bool io_same(const void *a, const void *b, size_t size)
{
	return (!a && !b) || (a && b && memcmp(a, b, size) == 0);
}

/// Equal in every number, materials by name and value.
static inline bool io_meshes_equal(const rbl_mesh *left, const rbl_mesh *right)
{
	if (!left || !right)
		return false;
	rbl_mesh_data a = rbl_mesh_get_data(left), b = rbl_mesh_get_data(right);
	size_t corners = (size_t)a.corner_count, faces = (size_t)a.face_count;
	if (a.vertex_count != b.vertex_count || a.face_count != b.face_count ||
	    a.corner_count != b.corner_count || a.material_count != b.material_count)
		return false;
	for (int f = 0; f < a.face_count; ++f) {
		const char *name_a =
			a.material_count ? a.materials[a.face_materials ? a.face_materials[f] : 0].name : "";
		const char *name_b =
			b.material_count ? b.materials[b.face_materials ? b.face_materials[f] : 0].name : "";
		if (strcmp(name_a, name_b) != 0)
			return false;
	}
	for (int m = 0; m < a.material_count; ++m) {
		int k = 0;
		while (k < b.material_count &&
		       memcmp(&a.materials[m], &b.materials[k], sizeof a.materials[0]) != 0)
			++k;
		if (k == b.material_count)
			return false;
	}
	return io_same(a.positions, b.positions, (size_t)a.vertex_count * sizeof *a.positions) &&
	       io_same(a.face_starts, b.face_starts, (faces + 1) * sizeof(int)) &&
	       io_same(a.corner_vertices, b.corner_vertices, corners * sizeof(int)) &&
	       io_same(a.corner_normals, b.corner_normals, corners * sizeof *a.corner_normals) &&
	       io_same(a.corner_uv0, b.corner_uv0, corners * sizeof *a.corner_uv0) &&
	       io_same(a.corner_uv1, b.corner_uv1, corners * sizeof *a.corner_uv1) &&
	       io_same(a.corner_colors, b.corner_colors, corners * sizeof *a.corner_colors);
}

/// Whether rbl_create_mesh() would take what a reader returned, and more: it is a mesh.
static inline bool io_mesh_is_sound(const rbl_mesh *mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_mesh *copy = NULL;
	bool is_sound = rbl_create_mesh(&def, &copy) == RBL_OK;
	rbl_destroy_mesh(copy);
	return is_sound;
}

/// Read bytes that may be damaged: a sound mesh or a refusal, and nothing is left behind. The
/// bytes are copied to a block of their own size, so that a sanitizer sees every step outside.
static inline void io_check_bytes(test *t, const void *bytes, size_t size, rbl_file_format format)
{
	char *copy = malloc(size ? size : 1);
	memcpy(copy, bytes, size);
	faulty_allocator memory;
	faulty_init(&memory, 1000000);
	rbl_read_def def = rbl_default_read_def();
	def.format = format;
	def.instance_limit = 100000;
	def.allocator = FAULTY(&memory);
	rbl_mesh *mesh = NULL;
	rbl_result result = rbl_read_mesh_memory(copy, size, &def, &mesh);
	CHECK(t, (result == RBL_OK) == (mesh != NULL));
	if (mesh)
		CHECK(t, io_mesh_is_sound(mesh));
	else
		CHECK(t, result == RBL_BAD_FILE || result == RBL_UNSUPPORTED || result == RBL_IO_FAILED ||
		             result == RBL_LIMIT_REACHED);
	rbl_destroy_mesh(mesh);
	CHECK(t, memory.live_bytes == 0);
	free(copy);
}

/// Every prefix, and every byte flipped in several ways.
static inline void io_check_damaged(test *t, const void *bytes, size_t size, rbl_file_format format)
{
	rbl_set_log(NULL, NULL);
	for (size_t length = 0; length < size; ++length)
		io_check_bytes(t, bytes, length, format);
	unsigned char *copy = malloc(size);
	memcpy(copy, bytes, size);
	static const unsigned char flips[] = { 0x01, 0x10, 0x80, 0xff };
	for (size_t i = 0; i < size; ++i) {
		for (int k = 0; k < 4; ++k) {
			copy[i] ^= flips[k];
			io_check_bytes(t, copy, size, format);
			copy[i] ^= flips[k];
		}
	}
	free(copy);
}

/// The n-th allocation fails, for every n: nothing leaks, and nothing but memory is blamed.
static inline void io_check_read_memory(test *t, const void *bytes, size_t size,
                                        rbl_file_format format)
{
	rbl_set_log(NULL, NULL);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_read_def def = rbl_default_read_def();
		def.format = format;
		def.allocator = FAULTY(&memory);
		rbl_mesh *mesh = NULL;
		rbl_result result = rbl_read_mesh_memory(bytes, size, &def, &mesh);
		rbl_destroy_mesh(mesh);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed || n > 1000)
			break;
	}
}

/// The same for writing.
static inline void io_check_write_memory(test *t, const rbl_mesh *mesh, rbl_write_def def)
{
	rbl_set_log(NULL, NULL);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		def.allocator = FAULTY(&memory);
		rbl_file_bytes bytes;
		rbl_result result = rbl_write_mesh_memory(mesh, &def, &bytes);
		rbl_free_bytes(&bytes);
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed || n > 1000)
			break;
	}
}

/// Write to memory and read again.
static inline rbl_mesh *io_round_trip(const rbl_mesh *mesh, rbl_write_def def)
{
	rbl_file_bytes bytes;
	rbl_mesh *back = NULL;
	if (rbl_write_mesh_memory(mesh, &def, &bytes) != RBL_OK)
		return NULL;
	rbl_read_def read_def = rbl_default_read_def();
	rbl_read_mesh_memory(bytes.data, bytes.size, &read_def, &back);
	rbl_free_bytes(&bytes);
	return back;
}
