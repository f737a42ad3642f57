// SPDX-License-Identifier: MIT
// Saving and loading a pile, for the world suite.
#pragma once

#include "bench.h"

/// The case `snapshot-4000`, if it is wanted.
void bench_snapshots(bench *b);
