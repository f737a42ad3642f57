// SPDX-License-Identifier: MIT
// How far a step can be shared among workers, for the world suite.
#pragma once

#include "bench.h"

/// The cases `scaling-...` and `budget-...`, if they are wanted.
void bench_scaling(bench *b);
