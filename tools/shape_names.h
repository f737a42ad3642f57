// SPDX-License-Identifier: MIT
// The shapes of `rubble make`, for other commands.
#pragma once

#include <rubble/mesh.h>

/// @return whether there is a shape of this name.
bool is_shape_name(const char *name);

/// Make a shape.
/// @param detail  0 for the shape's own
/// @return RBL_UNSUPPORTED where there is none of this name, else what the maker says
rbl_result make_named_shape(const char *name, int detail, uint64_t seed, rbl_mesh **mesh);
