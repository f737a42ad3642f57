// SPDX-License-Identifier: MIT
// Cases of the suite `fracture` that estimate stress.
#pragma once

#include "bench.h"

/// A wall of about 10,000 bonds: settled from nothing, a step with new loads under a budget, a step in
/// which nothing changed, and one after a bond broke.
void bench_stress(bench *b);
