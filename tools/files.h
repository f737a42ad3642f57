// SPDX-License-Identifier: MIT
// What several commands do alike: reading files, workers, time.
#pragma once

#include <rubble/io.h>
#include <rubble/jobs.h>

/// Read a whole file. @return a STATUS_; an error is printed
int read_bytes(const char *path, rbl_file_bytes *bytes);

/// @return whether there is a regular file, which can be opened without waiting and comes to an end
bool is_regular_file(const char *path);

/// @return whether a file name ends in .glb, in small or capital letters
bool is_glb_name(const char *name);

/// Make the pool of a command; none for one worker.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED
rbl_result make_workers(int count, rbl_jobs **jobs);

/// @return milliseconds of a clock that never goes back.
double now_ms(void);
