// SPDX-License-Identifier: MIT
// Isosurface stuffing: tetrahedra from a body-centred cubic lattice and a closed surface.
#pragma once

#include "geometry/triangle_grid.h"

#include "base/memory.h"

#include <rubble/types.h>

/// What stuffing makes: vertices, and four of them per tetrahedron, in any orientation.
typedef struct rbl_isosurface_stuffing {
	RBL_ARRAY(rbl_vec3d) positions;
	RBL_ARRAY(int) tets;
	int overlap_count;    // lattice points inside more than one part
	int inside_out_count; // lattice points with a negative winding number
} rbl_isosurface_stuffing;

/// Fill the surface of a grid of triangles, closed and oriented outwards, with tetrahedra of edge
/// length `step` from a lattice.
/// @param stuffing  zero; receives the result, its arrays to be freed with rbl_array_free
/// @return RBL_OK, RBL_LIMIT_REACHED (too many lattice points), RBL_OUT_OF_MEMORY
rbl_result rbl_isosurface_stuff(const rbl_allocator *allocator, const rbl_triangle_grid *grid,
                                rbl_boxd box, double step, rbl_isosurface_stuffing *stuffing);
