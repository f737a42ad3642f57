// SPDX-License-Identifier: MIT
// What is asked of a surface beside pairs and hits: contours, overlaps, rays, nearest points, hair.
#pragma once

#include "bench.h"

void surface_run_answers(bench *b);
