// SPDX-License-Identifier: MIT
// How time and memory of a suite's main work grow with its size.
#pragma once

#include "bench.h"

/// Run the cases grow-NAME-1x, -4x and -16x of a suite: `ms` with its median and worst, and `bytes` that the
/// result holds. scripts/results fits exponents to them.
void bench_growth(bench *b, const char *suite);
