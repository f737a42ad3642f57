// SPDX-License-Identifier: MIT
// The picture of `rubble collide`: all triangles as a mesh, with a colour for those that meet.
#pragma once

#include <rubble/base.h>
#include <rubble/surface.h>

/// Write the triangles of a surface, as they are at the end of the step.
/// @param pairs, hits  what was found, one of them; both name triangles
/// @return RBL_OK, RBL_OUT_OF_MEMORY, or what rbl_write_mesh() says
rbl_result write_colliding_mesh(const char *path, const rbl_surface_data *data,
                                rbl_surface_pairs pairs, rbl_surface_hits hits);
