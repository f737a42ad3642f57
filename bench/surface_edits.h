// SPDX-License-Identifier: MIT
// Edits of surfaces of several sizes.
#pragma once

#include "bench.h"

void surface_run_edits(bench *b);
