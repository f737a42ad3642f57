// SPDX-License-Identifier: MIT
// What all readers and writers share: the source, errors, and the mesh builder.
#pragma once

#include "io/memory.h"

#include <rubble/io.h>

/// A mesh being built. An attribute is given per vertex or per corner, never both; its array is
/// empty if the file does not have it.
typedef struct rbl_io_mesh_builder {
	RBL_IO_ARRAY(rbl_vec3d) positions;
	RBL_IO_ARRAY(rbl_vec3) vertex_normals, corner_normals;
	RBL_IO_ARRAY(rbl_vec2) vertex_uv0, corner_uv0, corner_uv1;
	RBL_IO_ARRAY(rbl_vec4) vertex_colors, corner_colors;
	rbl_mesh_attribute attributes[RBL_MAX_ATTRIBUTE_WIDTH]; // further ones
	int attribute_count, attribute_width;
	RBL_IO_ARRAY(float) corner_attributes; // attribute_width each
	RBL_IO_ARRAY(int)
	face_starts; // the first corner of each face; the end is appended last
	RBL_IO_ARRAY(int) corners;
	RBL_IO_ARRAY(int) face_materials;
	RBL_IO_ARRAY(rbl_mesh_material) materials;
	RBL_IO_ARRAY(int) tets; // four vertices each
} rbl_io_mesh_builder;

/// What a reader reads from, and the mesh it builds.
typedef struct rbl_io_source {
	const rbl_read_def *def;
	rbl_io_memory memory;
	const char *name;    // for messages
	const char *folder;  // of external files; NULL when none may be opened
	int folder_length;   // up to and with its last separator
	uint64_t bytes_left; // of size_limit, for files that it names
	const char *begin, *end;
	rbl_io_mesh_builder mesh;
} rbl_io_source;

/// Log a line. @return `result`
rbl_result rbl_io_log(rbl_log_level level, rbl_result result, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/// The same for an error, and for a warning.
#define rbl_io_fail(result, ...) rbl_io_log(RBL_LOG_ERROR, (result), __VA_ARGS__)
#define rbl_io_warn(...) ((void)rbl_io_log(RBL_LOG_WARNING, RBL_OK, __VA_ARGS__))

/// RBL_BAD_FILE with "name:line: reason", the line of `at`; or "name: byte offset: reason".
rbl_result rbl_io_fail_line(const rbl_io_source *source, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
rbl_result rbl_io_fail_offset(const rbl_io_source *source, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/// Log a failed allocation. @return RBL_OUT_OF_MEMORY or RBL_LIMIT_REACHED
rbl_result rbl_io_fail_memory(const rbl_io_memory *memory, const char *name);

/// The same for the memory of a source.
static inline rbl_result rbl_io_out_of_memory(const rbl_io_source *source)
{
	return rbl_io_fail_memory(&source->memory, source->name);
}

/// A white, rough material; a name that is too long is cut between characters.
rbl_mesh_material rbl_io_default_material(const char *name, size_t length);

/// Begin a face at the next corner. @return false with memory.failure set.
bool rbl_io_begin_face(rbl_io_source *source);

/// Convert axes, complete attributes, check, and create the mesh.
rbl_result rbl_io_finish_mesh(rbl_io_source *source, rbl_mesh **mesh);

/// The same for vertices and tetrahedra.
rbl_result rbl_io_finish_tets(rbl_io_source *source, rbl_tet_arrays *tets);

/// Free the builder.
void rbl_io_free_mesh_builder(rbl_io_source *source);

/// The readers: they fill source->mesh.
rbl_result rbl_io_read_obj(rbl_io_source *source);
rbl_result rbl_io_read_ply(rbl_io_source *source);
rbl_result rbl_io_read_stl(rbl_io_source *source);
rbl_result rbl_io_read_off(rbl_io_source *source);
rbl_result rbl_io_read_medit(rbl_io_source *source);
rbl_result rbl_io_read_gltf(rbl_io_source *source);

/// Read a glTF file whole, or make a document of the mesh of another format, which it then owns.
rbl_result rbl_io_read_gltf_document(rbl_io_source *source, rbl_document **document);
rbl_result rbl_io_document_of_mesh(rbl_io_source *source, rbl_mesh *mesh, rbl_document **document);

/// The writers. Failures of memory stay in output->memory.
rbl_result rbl_io_write_obj(rbl_io_output *output, const rbl_mesh *mesh, const char *library);
rbl_result rbl_io_write_mtl(rbl_io_output *output, const rbl_mesh *mesh);
rbl_result rbl_io_write_ply(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def);
rbl_result rbl_io_write_stl(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def);
rbl_result rbl_io_write_glb(rbl_io_output *output, const rbl_scene *scene, const rbl_write_def *def,
                            bool is_film);

/// Write the scene of a film to a path, or into bytes where that is NULL.
rbl_result rbl_io_write_film_scene(const char *path, const rbl_scene *scene,
                                   const rbl_write_def *def, rbl_file_bytes *bytes);

/// RBL_OK, or RBL_BAD_ARGUMENT with the node or track in the log, or RBL_OUT_OF_MEMORY.
rbl_result rbl_io_check_scene(const rbl_scene *scene, rbl_io_memory *memory);

/// Convert an attribute from corners to vertices. @return whether all corners of each vertex have
/// the same value of `size` bytes; then `per_vertex` receives it (zero where no corner uses the
/// vertex)
bool rbl_io_agree_per_vertex(const rbl_mesh_data *data, const void *corner_rows, size_t size,
                             void *per_vertex);

/// RBL_OK when all positions fit floats, otherwise RBL_BAD_MESH with the vertex in the log.
rbl_result rbl_io_check_floats(const rbl_mesh_data *data);

/// What a file read is allowed to do.
typedef struct rbl_io_file_access {
	const char *within;     // a folder that it must be in or below, links resolved; or NULL
	const char *own_folder; // of the file that names it
	uint64_t limit;         // the most bytes
	rbl_log_level level;    // of log lines, except about its size
} rbl_io_file_access;

/// Read a whole regular file.
/// @param bytes  receives it, to be freed with rbl_io_free_output()
rbl_result rbl_io_read_file(const char *path, const rbl_io_file_access *access,
                            rbl_io_output *bytes);

/// Read a file that `source` names, from its folder only unless its definition says otherwise.
/// @return RBL_BAD_FILE for names that lead elsewhere, RBL_IO_FAILED where it cannot be read, both
///         logged at `level`; RBL_LIMIT_REACHED where all together are too large
rbl_result rbl_io_read_referenced(rbl_io_source *source, const char *name, size_t length,
                                  rbl_log_level level, rbl_io_output *bytes);

/// Replace the file at `path`.
rbl_result rbl_io_write_file(const char *path, const void *bytes, size_t size);
