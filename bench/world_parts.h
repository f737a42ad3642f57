// SPDX-License-Identifier: MIT
// Bodies of many parts that move.
#pragma once

#include "bench.h"

/// @param pile_ms  the mean step of our pile of 4,000 in this run
void bench_moving_parts(bench *b, double (*pile_ms)(bench *b));
