// SPDX-License-Identifier: MIT
// The cases of the suite `surface` on models at rest.
#pragma once

#include "bench.h"

/// Self-collision at one instant, in three grades of culling and by peers.
void surface_run_models(bench *b);
