// SPDX-License-Identifier: MIT
// The case `metrics` of the suite `surface`.
#pragma once

#include "bench.h"

/// How well the expected box tests agree with those counted, over random trees.
void surface_run_metrics(bench *b);
