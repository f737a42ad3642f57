// SPDX-License-Identifier: MIT
// Boxes of a cluster's triangles at both ends of a step; one form per SIMD back end.
#pragma once

#include "surface/surface.h"

#include "base/kernel.h"

/// Write the boxes of eight triangles, and of all of them.
/// @param starts, ends  one float after the last position must be readable
/// @param triangles     three vertex indices each
/// @param ids           of eight triangles; the first again for those below 0
RBL_DECLARE_KERNEL(void, rbl_swept_boxes_fill,
                   (rbl_swept_boxes * boxes, const rbl_vec3 *starts, const rbl_vec3 *ends,
                    const int *triangles, const int32_t *ids));

/// Pairs of triangles of two clusters that do not stay further apart than `gap` along an axis.
/// @param pairs  receives up to 64 pairs
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_swept_cluster_pairs,
                   (const rbl_cluster *a, const rbl_swept_boxes *a_boxes, const rbl_cluster *b,
                    const rbl_swept_boxes *b_boxes, float gap, rbl_surface_pair *pairs));
