// SPDX-License-Identifier: MIT
// Shared by commands: files, workers, time.
#pragma once

#include <rubble/io.h>
#include <rubble/jobs.h>

#include <stdio.h>

/// Read a whole file. @param limit  the most bytes, 0 for RBL_FILE_SIZE_LIMIT
/// @return a STATUS_; an error is printed
int read_bytes(const char *path, uint64_t limit, rbl_file_bytes *bytes);

/// Read the first bytes of a regular file. @return how many, up to `size`; 0 if it cannot be read
size_t read_head(const char *path, void *head, size_t size);

/// Create a file, or overwrite one. @return NULL, and an error is printed, if it fails
FILE *create_file(const char *path);

/// Close a file that was written. @return a STATUS_; an error is printed, also of an earlier write
int close_file(FILE *file, const char *path);

/// @return whether a file name ends in .glb, or .GLB
bool is_glb_name(const char *name);

/// Create the worker pool of a command; NULL for one worker.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED
rbl_result make_workers(int count, rbl_jobs **jobs);

/// @return milliseconds of a monotonic clock.
double now_ms(void);
