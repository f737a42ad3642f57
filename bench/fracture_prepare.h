// SPDX-License-Identifier: MIT
// Cases of the suite `fracture` that prepare meshes, and break what was prepared.
#pragma once

#include "bench.h"

#include <rubble/mesh.h>

/// Decompositions of bunny and armadillo.
void bench_vacd(bench *b, rbl_mesh *(*load_bunny)(void), rbl_mesh *(*load_armadillo)(void));

/// Prepared arenas of several sizes, each struck 200 times, and the same blows on walls of three sizes.
void bench_arenas(bench *b);
