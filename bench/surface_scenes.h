// SPDX-License-Identifier: MIT
// The cases of the suite `surface` that move and break.
#pragma once

#include "bench.h"

/// The four scenes of scenes/surfaces.h, at one instant and within the step, in all grades of culling,
/// with other rules for worn trees, and by spatial hashing.
void surface_run_scenes(bench *b);
