// SPDX-License-Identifier: MIT
// The brute-force reference of rubble collide: all pairs, without a tree.
#pragma once

#include <rubble/surface.h>

/// Compare pairs of triangles with all that intersect.
/// @param missed  receives the number of intersecting pairs that are not in the list
/// @param extra   receives the number of pairs in the list that do not intersect
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result compare_pairs(const rbl_surface_data *data, rbl_surface_pairs pairs, int *missed,
                         int *extra);

/// The same for vertex-face and edge-edge pairs that touch within the step.
rbl_result compare_hits(const rbl_surface_data *data, rbl_surface_hits hits, int *missed,
                        int *extra);
