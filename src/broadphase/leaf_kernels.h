// SPDX-License-Identifier: MIT
// The inner loops of a leaf: boxes against boxes, eight at a time.
//
// A list holds six rows of `stride` floats (lower x y z, upper x y z); eight boxes that overlap
// nothing follow the last one. All boxes, the probing one too, touch the leaf's cell. `cell` is the
// cell's lower corner: only pairs whose owning point, the maximum of both lower corners, lies at or
// above it are reported.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

#include <stdint.h>

/// Sweep a list that is ordered by its lower bounds along `axis`, starting with box `first`.
/// @param out      receives places of overlapping boxes, two numbers per pair
/// @param room     numbers that fit; at least 2 * count
/// @param written  receives how many numbers were written
/// @return the box to go on with; `count` when done
RBL_DECLARE_KERNEL(int, rbl_bsp_sweep,
                   (const float *rows, int stride, int count, int axis, int first,
                    const float *cell, uint32_t *out, int room, int *written));

/// Test one box against a whole list.
/// @param out  receives the places of boxes that overlap it; room for `count`
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_bsp_probe,
                   (const float *rows, int stride, int count, const rbl_box *box, const float *cell,
                    uint32_t *out));
