// SPDX-License-Identifier: MIT
// Worlds in which things break, for the world suite.
#pragma once

#include "bench.h"

/// The cases `arena`, `window`, `bricks`, `tower-collapse` and `wall`, as far as they are wanted.
void bench_breaking_worlds(bench *b);

/// The arena with contacts by convexes and by what suits each body: a case of the suite `field`.
void bench_arena_contacts(bench *b, const char *name);
