// SPDX-License-Identifier: MIT
// A body whose compound has changed.
#pragma once

#include "world/world.h"

/// Make the pieces, mass and kind of a body those of its compound, which has a part or more.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (the body is as it was, and may be fitted again)
rbl_result rbl_world_refit(rbl_world *world, int body);
