// SPDX-License-Identifier: MIT
// Worlds of joints, for the world suite.
#pragma once

#include "bench.h"

/// The cases `joint-grid`, `ragdolls`, `chain-105`, `chain-1047`, `chain-10472` and `weld-beam`, as
/// far as they are wanted.
/// @param pile_ms  @return the mean step of `pile-4000` with one worker in this run
void bench_joints(bench *b, double (*pile_ms)(bench *b));
