// SPDX-License-Identifier: MIT
// Shared by commands: files, workers, time. The file - is standard input or output.
#pragma once

#include <rubble/io.h>
#include <rubble/jobs.h>

#include <stdio.h>

/// @return whether a name stands for standard input or output
bool is_standard(const char *path);

/// Read a whole file. @param limit  the most bytes, 0 for RBL_FILE_SIZE_LIMIT
/// @return a STATUS_; an error is printed
int read_bytes(const char *path, uint64_t limit, rbl_file_bytes *bytes);

/// Read the first bytes of a regular file. @return how many, up to `size`; 0 if it cannot be read
size_t read_head(const char *path, void *head, size_t size);

/// Read a mesh file as rbl_read_mesh() does.
rbl_result read_mesh(const char *path, const rbl_read_def *def, rbl_mesh **mesh);

/// Read a file whole as rbl_read_document() does.
rbl_result read_document(const char *path, const rbl_read_def *def, rbl_document **document);

/// Write a mesh file as rbl_write_mesh() does; on standard output in the definition's format, or as
/// .glb.
rbl_result write_mesh(const char *path, const rbl_mesh *mesh, const rbl_write_def *def);

/// The choices of an option --format, and the format of a choice; -1 for none.
extern const char *const file_formats[];
rbl_file_format file_format_of(int choice);

/// @return whether a file is glTF, by its name or else by its first bytes
bool is_gltf_file(const char *path);

/// Write a scene as .glb, quantized if asked to, or a film; NULL: in the default way.
rbl_result write_scene_file(const char *path, const rbl_scene *scene, bool is_quantized);
rbl_result write_film_file(const char *path, const rbl_film *film, const rbl_write_def *how);

/// Make a folder unless it is there. @return a STATUS_; an error is printed
int make_folder(const char *path);

/// Create a file, or overwrite one. @return NULL, and an error is printed, if it fails
FILE *create_file(const char *path);

/// Close a file of create_file(). @return a STATUS_; an error is printed, also of an earlier write
int close_file(FILE *file, const char *path);

/// Write a text as a JSON string: bytes below 32, quotes and backslashes are escaped.
void put_json_text(FILE *file, const char *text);

/// @return whether a file name ends in .glb or .GLB, or is -
bool is_glb_name(const char *name);

/// @return whether a file name ends in .html or .htm
bool is_html_name(const char *name);

/// Create the worker pool of a command; NULL for one worker.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED
rbl_result make_workers(int count, rbl_jobs **jobs);

/// @return milliseconds of a monotonic clock.
double now_ms(void);
