// SPDX-License-Identifier: MIT
// Many small worlds over one pool, for the world suite.
#pragma once

#include "bench.h"

/// The case `many-worlds`, if it is wanted.
void bench_many_worlds(bench *b);
