// SPDX-License-Identifier: MIT
// What several commands do alike: reading files, workers, time.
#pragma once

#include <rubble/jobs.h>

/// @return all bytes of a file, to be freed; NULL when it cannot be read, which is said on stderr
unsigned char *read_bytes(const char *path, size_t *size);

/// @return whether a file name ends in .glb, in small or capital letters
bool is_glb_name(const char *name);

/// Make the pool of a command; none for one worker.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED
rbl_result make_workers(int count, rbl_jobs **jobs);

/// @return milliseconds of a clock that never goes back.
double now_ms(void);
