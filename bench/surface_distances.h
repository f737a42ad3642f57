// SPDX-License-Identifier: MIT
// Surfaces that keep a distance: the scenes with a thickness.
#pragma once

#include "bench.h"

void surface_run_distances(bench *b);
