// SPDX-License-Identifier: MIT
// Models that a suite may use when they are there.
#pragma once

#include <rubble/mesh.h>

/// @return a model of the shared folder by its file name, closed by repair where it is not; NULL
/// when it is not there. The caller's to destroy.
rbl_mesh *bench_read_model(const char *name);
