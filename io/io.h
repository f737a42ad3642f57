// SPDX-License-Identifier: MIT
// What all readers and writers share: the source of bytes, refusals, and the mesh being built.
#pragma once

#include "io/memory.h"

#include <rubble/io.h>

/// A mesh being put together. Attributes are given per vertex or per corner, never both ways for
/// one attribute; an array is empty when the file has none of it.
typedef struct rbl_io_builder {
	RBL_IO_ARRAY(rbl_vec3d) positions;
	RBL_IO_ARRAY(rbl_vec3) vertex_normals, corner_normals;
	RBL_IO_ARRAY(rbl_vec2) vertex_uv0, corner_uv0, corner_uv1;
	RBL_IO_ARRAY(rbl_vec4) vertex_colors, corner_colors;
	RBL_IO_ARRAY(int)
	face_starts; // the first corner of each face; the last end is added at the end
	RBL_IO_ARRAY(int) corners;
	RBL_IO_ARRAY(int) face_materials;
	RBL_IO_ARRAY(rbl_mesh_material) materials;
	RBL_IO_ARRAY(int) tets; // four vertices each
} rbl_io_builder;

/// What a reader works on.
typedef struct rbl_io_source {
	const rbl_read_def *def;
	rbl_io_memory memory;
	const char *name;   // for messages
	const char *folder; // of external files; NULL when none may be opened
	int folder_length;  // up to and with its last separator
	const char *begin, *end;
	rbl_io_builder mesh;
} rbl_io_source;

/// Log one error line and return `result`.
rbl_result rbl_io_fail(rbl_result result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/// The same at another level, for what may be missing.
rbl_result rbl_io_log(rbl_log_level level, rbl_result result, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/// Log one warning line.
void rbl_io_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// RBL_BAD_FILE with "name:line: reason", the line of `at`; or "name: byte offset: reason".
rbl_result rbl_io_fail_line(const rbl_io_source *source, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
rbl_result rbl_io_fail_offset(const rbl_io_source *source, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/// The result behind an allocation that failed.
rbl_result rbl_io_fail_memory(const rbl_io_memory *memory, const char *name);

/// A material that is white and dull; the name is cut where it is too long, between characters.
rbl_mesh_material rbl_io_default_material(const char *name, size_t length);

/// Begin a face at the next corner. @return false with memory.failure set.
bool rbl_io_begin_face(rbl_io_source *source);

/// Settle axes, complete attributes, check, and make the mesh.
rbl_result rbl_io_finish_mesh(rbl_io_source *source, rbl_mesh **mesh);

/// The same for vertices and tetrahedra.
rbl_result rbl_io_finish_tets(rbl_io_source *source, rbl_tet_arrays *tets);

/// Free everything a builder holds.
void rbl_io_free_builder(rbl_io_source *source);

/// The readers: they fill source->mesh.
rbl_result rbl_io_read_obj(rbl_io_source *source);
rbl_result rbl_io_read_ply(rbl_io_source *source);
rbl_result rbl_io_read_stl(rbl_io_source *source);
rbl_result rbl_io_read_off(rbl_io_source *source);
rbl_result rbl_io_read_medit(rbl_io_source *source);
rbl_result rbl_io_read_gltf(rbl_io_source *source);

/// The writers. Failures of memory stay in output->memory.
rbl_result rbl_io_write_obj(rbl_io_output *output, const rbl_mesh *mesh, const char *library);
rbl_result rbl_io_write_mtl(rbl_io_output *output, const rbl_mesh *mesh);
rbl_result rbl_io_write_ply(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def);
rbl_result rbl_io_write_stl(rbl_io_output *output, const rbl_mesh *mesh, const rbl_write_def *def);
rbl_result rbl_io_write_glb(rbl_io_output *output, const rbl_scene *scene);

/// RBL_OK, or RBL_BAD_ARGUMENT with the node or track in the log, or RBL_OUT_OF_MEMORY.
rbl_result rbl_io_check_scene(const rbl_scene *scene, rbl_io_memory *memory);

/// Whether all corners of each vertex have the same row of `size` bytes; then `per_vertex`
/// receives the row of each vertex (cleared where no corner uses it).
bool rbl_io_agree_per_vertex(const rbl_mesh_data *data, const void *corner_rows, size_t size,
                             void *per_vertex);

/// RBL_OK when all positions fit floats, otherwise RBL_BAD_MESH with the vertex in the log.
rbl_result rbl_io_check_floats(const rbl_mesh_data *data);

/// Read a whole file. A refusal is logged at `level`.
/// @param bytes  receives it, to be freed with rbl_io_free_output()
rbl_result rbl_io_read_file(const char *path, rbl_log_level level, rbl_io_output *bytes);

/// Read a file that `source` names, from its folder only. @return RBL_BAD_FILE for names that lead
/// elsewhere, RBL_IO_FAILED where it cannot be read; both logged at `level`.
rbl_result rbl_io_read_beside(rbl_io_source *source, const char *name, size_t length,
                              rbl_log_level level, rbl_io_output *bytes);

/// Replace the file at `path`.
rbl_result rbl_io_write_file(const char *path, const void *bytes, size_t size);
