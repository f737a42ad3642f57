// SPDX-License-Identifier: MIT
// Closed bodies that a point inside sees all of.
#pragma once

#include "surface/surface.h"

#include "base/team.h"

/// Find out which bodies that changed are star-shaped, at one instant or over the step: they do not touch
/// themselves.
/// @return false when memory ran out
bool rbl_star_find(rbl_surface *surface, rbl_team *team);
