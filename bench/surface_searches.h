// SPDX-License-Identifier: MIT
// Searches over the steps of surfaces.
#pragma once

#include "bench.h"

void surface_run_searches(bench *b);
