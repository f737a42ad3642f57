// SPDX-License-Identifier: MIT
// The mesh that `rubble collide` writes: all triangles, with a material for those that intersect.
#pragma once

#include <rubble/base.h>
#include <rubble/surface.h>

/// Write the triangles of a surface, as they are at the end of the step.
/// @param pairs, hits  what was found: one of them is empty
/// @return RBL_OK, RBL_OUT_OF_MEMORY, or what rbl_write_mesh() says
rbl_result write_colliding_mesh(const char *path, const rbl_surface_data *data,
                                rbl_surface_pairs pairs, rbl_surface_hits hits);
