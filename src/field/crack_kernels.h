// SPDX-License-Identifier: MIT
// Planes against the nodes of a fragment, eight at a time.
//
// Nodes are rows of x, y and z, `stride` floats each, a multiple of eight; the last node fills what
// is left.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

#include <stdint.h>

/// @return how far nodes reach beyond a plane at most
RBL_DECLARE_KERNEL(float, rbl_crack_reach, (const float *rows, int stride, rbl_plane plane));

/// Lower the depths of nodes to that below a plane, where it is less, and name the plane as their
/// witness.
RBL_DECLARE_KERNEL(void, rbl_crack_lower,
                   (const float *rows, int stride, rbl_plane plane, int32_t witness, float *depths,
                    int32_t *witnesses));
