// SPDX-License-Identifier: MIT
// The cases of the suite `surface` that switch off what makes it fast.
#pragma once

#include "bench.h"

/// What each accelerator is worth: all scenes, at one instant and within the step, without each in turn.
void surface_run_accelerators(bench *b);
