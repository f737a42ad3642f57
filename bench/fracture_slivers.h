// SPDX-License-Identifier: MIT
// Thin triangles, and what breaking again and again does to their number.
#pragma once

#include "bench.h"

#include <rubble/fracture.h>

/// @return how many triangles have a height below a hundredth of their longest side
int bench_count_slivers(const rbl_draw_vertex *vertices, int triangles);

/// A box broken three times over, as polygons and with every piece cut into triangles before it breaks
/// again: the case `slivers` of the suite `fracture`.
void bench_slivers(bench *b);
