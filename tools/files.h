// SPDX-License-Identifier: MIT
// What several commands do alike: reading files, workers, time.
#pragma once

#include <rubble/io.h>
#include <rubble/jobs.h>

/// Read a whole file. @param limit  the most bytes, 0 for RBL_FILE_SIZE_LIMIT
/// @return a STATUS_; an error is printed
int read_bytes(const char *path, uint64_t limit, rbl_file_bytes *bytes);

/// Read how a regular file begins. @return how many bytes there are of `size`, 0 when it cannot be
/// read
size_t read_head(const char *path, void *head, size_t size);

/// @return whether a file name ends in .glb, in small or capital letters
bool is_glb_name(const char *name);

/// Make the pool of a command; none for one worker.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED
rbl_result make_workers(int count, rbl_jobs **jobs);

/// @return milliseconds of a clock that never goes back.
double now_ms(void);
