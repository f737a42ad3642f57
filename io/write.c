// SPDX-License-Identifier: MIT
//
// Writing: definitions are checked, the whole file is made in memory, then written at once.

#include "io/io.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { WRITE_COOKIE = 0x77726974 };

rbl_write_def rbl_default_write_def(void)
{
	return (rbl_write_def){ .cookie = WRITE_COOKIE };
}

rbl_scene_node rbl_default_scene_node(void)
{
	return (rbl_scene_node){ .mesh = -1,
		                     .parent = -1,
		                     .rotation = { 0.0f, 0.0f, 0.0f, 1.0f },
		                     .scale = { 1.0f, 1.0f, 1.0f } };
}

rbl_scene_material rbl_default_scene_material(void)
{
	const rbl_texture_use none = { .factor = 1.0f };
	return (rbl_scene_material){ .base_color = { 1.0f, 1.0f, 1.0f, 1.0f },
		                         .metallic = 1.0f,
		                         .roughness = 1.0f,
		                         .alpha_cutoff = 0.5f,
		                         .base_color_texture = none,
		                         .metallic_roughness_texture = none,
		                         .normal_texture = none,
		                         .occlusion_texture = none,
		                         .emissive_texture = none };
}

bool rbl_io_agree_per_vertex(const rbl_mesh_data *data, const void *corner_rows, size_t size,
                             void *per_vertex)
{
	const unsigned char *rows = corner_rows;
	unsigned char *vertices = per_vertex;
	memset(vertices, 0, (size_t)data->vertex_count * size);
	// Backwards, so that the first corner of a vertex wins; then all must agree.
	for (int c = data->corner_count - 1; c >= 0; --c)
		memcpy(vertices + (size_t)data->corner_vertices[c] * size, rows + (size_t)c * size, size);
	for (int c = 0; c < data->corner_count; ++c) {
		if (memcmp(vertices + (size_t)data->corner_vertices[c] * size, rows + (size_t)c * size,
		           size) != 0)
			return false;
	}
	return true;
}

rbl_result rbl_io_check_floats(const rbl_mesh_data *data)
{
	for (int v = 0; v < data->vertex_count; ++v) {
		rbl_vec3d p = data->positions[v];
		if (fabs(p.x) > (double)FLT_MAX || fabs(p.y) > (double)FLT_MAX ||
		    fabs(p.z) > (double)FLT_MAX)
			return rbl_io_fail(RBL_BAD_MESH, "vertex %d at (%g, %g, %g) is beyond a float's range",
			                   v, p.x, p.y, p.z);
	}
	return RBL_OK;
}

static rbl_result check_write_def(const rbl_write_def *def)
{
	if (def->cookie != WRITE_COOKIE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "start from rbl_default_write_def()");
	if ((unsigned)def->format >= RBL_FORMAT_COUNT)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "format is %d", (int)def->format);
	if (!rbl_io_allocator_is_valid(&def->allocator))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the allocator has one function without the other");
	return RBL_OK;
}

// @param library  the material library of an OBJ file, or NULL
// @param name     what the mesh of a .glb file is called, or NULL
static rbl_result make_file(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def,
                            rbl_file_format format, const char *library, const char *name)
{
	rbl_result result;
	rbl_scene_node node = rbl_default_scene_node();
	rbl_scene_label label = { .name = name };
	node.mesh = 0, node.name = name;
	switch (format) {
	case RBL_FORMAT_OBJ:
		result = rbl_io_write_obj(output, mesh, library);
		break;
	case RBL_FORMAT_PLY:
		result = rbl_io_write_ply(output, mesh, def);
		break;
	case RBL_FORMAT_STL:
		result = rbl_io_write_stl(output, mesh, def);
		break;
	case RBL_FORMAT_GLTF:
		result = rbl_io_write_glb(output,
		                          &(rbl_scene){ .mesh_count = 1,
		                                        .meshes = &mesh,
		                                        .mesh_labels = &label,
		                                        .node_count = 1,
		                                        .nodes = &node },
		                          def, false);
		break;
	default:
		if (format == RBL_FORMAT_AUTO)
			return rbl_io_fail(RBL_UNSUPPORTED,
			                   "the name ends in none of .obj, .ply, .stl and .glb");
		return rbl_io_fail(RBL_UNSUPPORTED, "cannot write %s files",
		                   rbl_file_format_ending(format));
	}
	if (result == RBL_OK && output->memory.failure != RBL_OK)
		result = rbl_io_fail_memory(&output->memory, "writing");
	return result;
}

// The name of a file without folder and ending, cut between characters if it is too long.
static void put_stem(const char *path, char *name, size_t capacity)
{
	const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
	const char *dot = strrchr(from, '.');
	size_t length = dot && dot > from ? (size_t)(dot - from) : strlen(from);
	while (length > 0 && (length >= capacity || ((unsigned char)from[length] & 0xc0) == 0x80))
		--length;
	memcpy(name, from, length);
	name[length] = '\0';
}

static void move_bytes(rbl_io_output *output, rbl_file_bytes *bytes)
{
	*bytes =
		(rbl_file_bytes){ output->data, output->size, output->capacity, output->memory.allocator };
}

void rbl_free_bytes(rbl_file_bytes *bytes)
{
	if (!bytes || !bytes->data)
		return;
	rbl_io_memory memory = rbl_io_memory_of(&bytes->allocator);
	rbl_io_release(&memory, bytes->data, bytes->capacity, 1);
	*bytes = (rbl_file_bytes){ 0 };
}

rbl_result rbl_write_mesh_memory(const rbl_mesh *mesh, const rbl_write_def *def,
                                 rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	if (!mesh || !def)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", mesh ? "def" : "mesh");
	rbl_result result = check_write_def(def);
	if (result != RBL_OK)
		return result;
	rbl_io_output output = { .memory = rbl_io_memory_of(&def->allocator) };
	result = make_file(&output, mesh, def, def->format, NULL, def->name);
	if (result == RBL_OK)
		move_bytes(&output, bytes);
	else
		rbl_io_free_output(&output);
	return result;
}

// The material library beside an OBJ file: the same name with another extension.
static rbl_result write_library(const char *path, const rbl_mesh *mesh, const rbl_write_def *def,
                                char *library, size_t capacity)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	int length = (int)(dot && dot > name ? dot - path : (ptrdiff_t)strlen(path));
	if (snprintf(library, capacity, "%.*s.mtl", length, path) >= (int)capacity)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the path has more than %d bytes", (int)capacity - 5);
	rbl_io_output output = { .memory = rbl_io_memory_of(&def->allocator) };
	rbl_result result = rbl_io_write_mtl(&output, mesh);
	if (result == RBL_OK && output.memory.failure != RBL_OK)
		result = rbl_io_fail_memory(&output.memory, library);
	if (result == RBL_OK)
		result = rbl_io_write_file(library, output.data, output.size);
	rbl_io_free_output(&output);
	return result;
}

// Check a definition, and find the format to write.
static rbl_result find_format(const char *path, const rbl_write_def *def, rbl_file_format *format)
{
	rbl_result result = check_write_def(def);
	if (result != RBL_OK)
		return result;
	*format = def->format == RBL_FORMAT_AUTO ? rbl_file_format_of_name(path) : def->format;
	size_t length = strlen(path);
	// A .gltf must be text: programs that go by the name would not read a binary one.
	if (def->format == RBL_FORMAT_AUTO && *format == RBL_FORMAT_GLTF && path[length - 1] != 'b' &&
	    path[length - 1] != 'B')
		return rbl_io_fail(RBL_UNSUPPORTED, "glTF is written as .glb only");
	return RBL_OK;
}

rbl_result rbl_write_mesh(const char *path, const rbl_mesh *mesh, const rbl_write_def *def)
{
	rbl_write_def defaults = rbl_default_write_def();
	def = def ? def : &defaults;
	if (!mesh || !path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", mesh ? "path" : "mesh");
	rbl_file_format format;
	rbl_result result = find_format(path, def, &format);
	if (result != RBL_OK)
		return result;
	char library[4096] = "";
	if (format == RBL_FORMAT_OBJ && rbl_mesh_get_data(mesh).material_count > 0)
		result = write_library(path, mesh, def, library, sizeof library);
	if (result != RBL_OK)
		return result;
	const char *slash = strrchr(library, '/');
	rbl_io_output output = { .memory = rbl_io_memory_of(&def->allocator) };
	char stem[256];
	put_stem(path, stem, sizeof stem);
	result = make_file(&output, mesh, def, format, *library ? (slash ? slash + 1 : library) : NULL,
	                   def->name ? def->name : stem);
	if (result == RBL_OK)
		result = rbl_io_write_file(path, output.data, output.size);
	rbl_io_free_output(&output);
	return result;
}

// Check a scene and make its file.
static rbl_result make_scene(const rbl_scene *scene, const rbl_write_def *def,
                             rbl_file_format format, bool is_film, rbl_io_output *output)
{
	if (format != RBL_FORMAT_GLTF)
		return rbl_io_fail(RBL_UNSUPPORTED, "scenes are written as .glb only");
	*output = (rbl_io_output){ .memory = rbl_io_memory_of(&def->allocator) };
	rbl_result result = rbl_io_check_scene(scene, &output->memory);
	if (result == RBL_OK)
		result = rbl_io_write_glb(output, scene, def, is_film);
	if (result == RBL_OK && output->memory.failure != RBL_OK)
		result = rbl_io_fail_memory(&output->memory, "writing");
	if (result != RBL_OK)
		rbl_io_free_output(output);
	return result;
}

static rbl_result write_scene(const char *path, const rbl_scene *scene, const rbl_write_def *def,
                              bool is_film)
{
	rbl_write_def defaults = rbl_default_write_def();
	def = def ? def : &defaults;
	if (!scene || !path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", scene ? "path" : "scene");
	rbl_file_format format;
	rbl_result result = find_format(path, def, &format);
	if (result != RBL_OK)
		return result;
	rbl_io_output output;
	result = make_scene(scene, def, format, is_film, &output);
	if (result != RBL_OK)
		return result;
	result = rbl_io_write_file(path, output.data, output.size);
	rbl_io_free_output(&output);
	return result;
}

static rbl_result write_scene_memory(const rbl_scene *scene, const rbl_write_def *def, bool is_film,
                                     rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	if (!scene || !def)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", scene ? "def" : "scene");
	rbl_result result = check_write_def(def);
	rbl_io_output output;
	if (result == RBL_OK)
		result = make_scene(scene, def, def->format, is_film, &output);
	if (result == RBL_OK)
		move_bytes(&output, bytes);
	return result;
}

rbl_result rbl_write_scene(const char *path, const rbl_scene *scene, const rbl_write_def *def)
{
	return write_scene(path, scene, def, false);
}

rbl_result rbl_write_scene_memory(const rbl_scene *scene, const rbl_write_def *def,
                                  rbl_file_bytes *bytes)
{
	return write_scene_memory(scene, def, false, bytes);
}

rbl_result rbl_io_write_film_scene(const char *path, const rbl_scene *scene,
                                   const rbl_write_def *def, rbl_file_bytes *bytes)
{
	return path ? write_scene(path, scene, def, true) : write_scene_memory(scene, def, true, bytes);
}
