// SPDX-License-Identifier: MIT
// The cases of the suite `surface` that are about single tests and their filters.
#pragma once

#include "bench.h"

/// Queries with known answers; candidates of a crumpling step through the filter and the test;
/// pairs of triangles one by one and by the batch.
void surface_run_tests(bench *b);
