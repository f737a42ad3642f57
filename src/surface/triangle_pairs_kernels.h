// SPDX-License-Identifier: MIT
// The filter of pairs of triangles, eight at a time.
#pragma once

#include <rubble/types.h>

#include "base/kernel.h"

/// Drop pairs that the plane of one triangle separates. Parameters as rbl_triangle_pairs_meet().
/// @param kept  receives the indices of the others
RBL_DECLARE_KERNEL(int, rbl_triangle_pairs_filter,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    int *kept));
