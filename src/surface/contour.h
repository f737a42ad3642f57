// SPDX-License-Identifier: MIT
// The contour test of sets of triangles.
#pragma once

#include "surface/surface.h"

/// Whether the border of what lies below a reference, seen along `direction`, is made of simple
/// loops that are apart and cover nothing twice. All normals must face the direction. A failed
/// allocation counts as no.
/// @param box        around all of it, over the step
/// @param real_only  look at borders of the body alone, which proves nothing
bool rbl_contour_is_clear(const rbl_surface *surface, rbl_surface_worker *worker,
                          uint32_t reference, rbl_box box, rbl_vec3 direction, bool real_only);

/// Whether it is, at the end of the step, and all triangles face the direction, and this stays so although
/// each vertex moves by up to `slack`, above 0.
bool rbl_contour_is_wide(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t reference,
                         rbl_box box, rbl_vec3 direction, double slack);
