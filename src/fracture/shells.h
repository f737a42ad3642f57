// SPDX-License-Identifier: MIT
// Which shells of a closed surface belong together.
#pragma once

#include "fracture/solid.h"

/// Fill triangle_groups, groups and volume. @return RBL_OK, RBL_BAD_MESH, RBL_OUT_OF_MEMORY
rbl_result rbl_solid_find_groups(rbl_solid *solid);
