// SPDX-License-Identifier: MIT
// Cases of the suite `fracture` that break compounds.
#pragma once

#include "bench.h"

#include <rubble/mesh.h>

/// A compound of the mesh in about 200 parts, struck at a vertex: variant "compound" of the case.
void bench_compound_impact(bench *b, const char *name, rbl_mesh *(*load)(void));

/// A pane struck ten times, in milliseconds per strike: variant "compound" of the case.
void bench_compound_window(bench *b, const char *name);

/// Walls of equal bricks: making them, and a chip.
void bench_compounds(bench *b);
