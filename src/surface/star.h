// SPDX-License-Identifier: MIT
// Closed bodies that a point inside sees all of.
#pragma once

#include "surface/surface.h"

#include "base/team.h"

/// Find out which bodies that changed are star-shaped, at one instant or over the step: they do not touch
/// themselves.
/// @return false when memory ran out
bool rbl_star_find(rbl_surface *surface, rbl_team *team);

/// Whether a body has no border.
bool rbl_star_is_closed(const rbl_surface *surface, rbl_surface_body *body);

/// The point that a body is looked at from.
rbl_vec3 rbl_star_middle(const rbl_vec3 *positions, const rbl_surface_body *body);

/// Whether a body is star-shaped at the end of the step, and stays so although each vertex moves by up to
/// `slack`, but for some triangles: the worker's list `concerned` has all that may touch another.
/// @return false when it is not, or memory ran out; then the worker says so
bool rbl_star_is_near(const rbl_surface *surface, rbl_surface_worker *worker,
                      rbl_surface_body *body, double slack);
