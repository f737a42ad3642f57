// SPDX-License-Identifier: MIT
// The border of a set of clusters: the half-edges that have nothing of the set across.
#pragma once

#include "surface/surface.h"

/// Find the clusters below a reference, as `clusters` of a worker, and the half-edges of their border, as
/// `borders`, in the order of clusters and lanes.
/// @param real_only  those at borders of the body alone
/// @return false when memory ran out
bool rbl_border_find(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t reference,
                     bool real_only);

/// Put the border that was found in order: vertices of its loops go to `edges`, the end of each loop to
/// `loop_ends`. @return false when memory ran out
bool rbl_border_loops(const rbl_surface *surface, rbl_surface_worker *worker);

/// Real borders alone do not close: each edge is a line of its own, two vertices in `edges`.
/// @return false when memory ran out
bool rbl_border_lines(const rbl_surface *surface, rbl_surface_worker *worker);
