// SPDX-License-Identifier: MIT
// The cases of the suite `geometry` that are about meshes.
#pragma once

#include "bench.h"

void bench_meshes(bench *b);
