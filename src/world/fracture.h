// SPDX-License-Identifier: MIT
// Things break.
#pragma once

#include "world/world.h"

/// Break what was hit in this step, as far as the limit per step goes, and report it.
void rbl_world_break(rbl_world *world);

/// Fit a body to its changed compound, now or in a later step when memory ran out.
void rbl_world_fit_or_wait(rbl_world *world, rbl_body_id id);
