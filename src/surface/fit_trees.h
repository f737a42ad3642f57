// SPDX-License-Identifier: MIT
// Fitting the trees of bodies, after their clusters.
#pragma once

#include "surface/surface.h"

#include "base/team.h"

/// Fit the trees of some bodies: boxes, normals, flags and costs of nodes.
/// @param slots  of the bodies, in an arena that this adds to
/// @return false when memory ran out (nothing changed)
bool rbl_surface_fit_trees(rbl_surface *surface, rbl_team *team, const int *slots, int count);

/// Fit a tree again that was restructured.
void rbl_surface_fit_tree(rbl_surface *surface, rbl_surface_body *body);
