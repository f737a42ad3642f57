// SPDX-License-Identifier: MIT
// Parts of the suite `fracture` that live in files of their own.
#pragma once

#include "bench.h"

#include <rubble/mesh.h>

/// Hulls of few planes around the bunny.
void bench_hulls(bench *b, rbl_mesh *(*load_bunny)(void));
