// SPDX-License-Identifier: MIT
// Worlds of a hundred thousand bodies and more, for the world suite.
#pragma once

#include "bench.h"

/// The cases large-awake, large-resting, large-asleep and large-baked, if they are wanted.
void bench_large_worlds(bench *b);
