// SPDX-License-Identifier: MIT
// Boxes of doubles for trees of floats, over things of any size.
#pragma once

#include "base/memory.h"

#include <rubble/types.h>

/// Turn boxes into boxes of floats, of which two overlap where the boxes do, touching included, and
/// hardly anywhere else, however small some are beside all of them.
/// @param boxes  not empty, finite
/// @param out    receives as many
/// @return false when memory ran out. Cost: O(n)
bool rbl_quantize_boxes(const rbl_allocator *allocator, const rbl_boxd *boxes, int count,
                        rbl_box *out);
