// SPDX-License-Identifier: MIT
// What crowds cost: many things on one, and many joints.
#pragma once

#include "bench.h"

void bench_solver_crowds(bench *b);
