// SPDX-License-Identifier: MIT
// Convexes and the working form that planes cut.
#pragma once

#include "geometry/convex_clip.h"

#include <rubble/convex.h>

/// Make a convex of a clipped polyhedron; tags become plane ids. More faces than
/// RBL_MAX_CONVEX_FACES give the outer approximation. The clipper is used up.
/// @return RBL_OK, RBL_OUT_OF_MEMORY; *convex is NULL also when nothing is left of the clipper
rbl_result rbl_convex_from_clipper(rbl_clipper *clipper, const rbl_allocator *allocator,
                                   rbl_convex **convex);

/// Load a convex into the working form. @return false when memory ran out
bool rbl_clipper_load(rbl_clipper *clipper, const rbl_convex *convex);

/// @return the volume alone: the bits of rbl_convex_get_mass().
double rbl_convex_volume(const rbl_convex *convex);

/// Copy a convex into other memory, NULL for the process's default.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_convex_copy(const rbl_convex *convex, const rbl_allocator *allocator,
                           rbl_convex **copy);

/// @return whether the corners of each face lie in its plane, or near it. What is read must; what
/// is cut off a convex that was read with corners just near enough need not, since it is smaller.
bool rbl_convex_has_plane_faces(const rbl_convex *convex);

/// Make a convex of arrays as they were, once it is known that they make a closed polyhedron of
/// plane faces.
/// @return RBL_OK, RBL_BAD_FILE (nothing is logged), RBL_OUT_OF_MEMORY
rbl_result rbl_convex_from_data(const rbl_convex_data *data, const rbl_allocator *allocator,
                                rbl_convex **convex);
