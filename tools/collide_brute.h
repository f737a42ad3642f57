// SPDX-License-Identifier: MIT
// The judge of rubble collide: all pairs, without a tree.
#pragma once

#include <rubble/surface.h>

/// Compare pairs of triangles with all that meet.
/// @param missed  receives the number of pairs that meet and are not in the list
/// @param extra   receives the number of pairs in the list that do not meet
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result compare_pairs(const rbl_surface_data *data, rbl_surface_pairs pairs, int *missed,
                         int *extra);

/// The same for vertices and faces, and edges, that meet within the step.
rbl_result compare_hits(const rbl_surface_data *data, rbl_surface_hits hits, int *missed,
                        int *extra);
