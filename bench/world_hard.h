// SPDX-License-Identifier: MIT
// Hard cases of rigid bodies, for the world suite.
#pragma once

#include "bench.h"

/// The cases `ratio-1000`, `spawn-100` and `point-2000`, those that are wanted. Each figure has its
/// target beside it, in a row of the variant `target`.
void bench_hard_cases(bench *b);
