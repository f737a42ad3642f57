// SPDX-License-Identifier: MIT
// Tests of pairs of triangles, eight at a time.
#pragma once

#include <rubble/types.h>

#include "base/kernel.h"

#include <stdint.h>

/// Drop pairs that the plane of one triangle separates. Parameters as rbl_triangle_pairs_meet().
/// @param kept  receives the indices of the others
RBL_DECLARE_KERNEL(int, rbl_triangle_pairs_filter,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    int *kept));

/// Settle pairs that the filter kept and that share no vertex, where signs are certain.
/// @param answers  receives 1: they meet; -1: they do not; 0: not known
RBL_DECLARE_KERNEL(void, rbl_triangle_pairs_settle,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    signed char *answers));

/// Drop pairs, sharing no vertex, that are proven to be further apart than `gap`.
/// @param kept  receives the indices of the others
RBL_DECLARE_KERNEL(int, rbl_triangle_pairs_near,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    float gap, int *kept));

/// Which corners pairs have in common.
/// @param bits  receives bit 3 i + k for corner i of the first and k of the second
RBL_DECLARE_KERNEL(void, rbl_triangle_pairs_shares,
                   (const int *triangles, const int *pairs, int count, uint16_t *bits));
