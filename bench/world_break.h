// SPDX-License-Identifier: MIT
// Worlds in which things break, for the world suite.
#pragma once

#include "bench.h"

/// The cases `arena`, `window`, `bricks` and `tower-collapse`, as far as they are wanted.
void bench_breaking_worlds(bench *b);
