// SPDX-License-Identifier: MIT
// Bodies that fly side by side: how much of their way they have in common.
//
// Boxes of a tree hold the whole way of a step. Pieces that fly off together sweep through each other's
// boxes although none of them comes near another. Let all vertices of two bodies go p or more along an axis. Then a
// box that ends at U along it ended at U - p or before when the step began, and one that begins at L begins at
// L + p or beyond when it ends. So two boxes whose bounds overlap by less than p are apart at the start and
// at the end, in the same order, and stay so: vertices move on lines. In other words, boxes may be made
// smaller by p before they are compared. The same holds for parts of one body.
#pragma once

#include "surface/surface.h"

#include "base/team.h"

/// Measure the ways of bodies in the step of a query.
/// @param slots  each once @return false when memory ran out
bool rbl_slip_measure(rbl_surface *surface, rbl_team *team, const int *slots, int count);

/// How much smaller one of two boxes, of two bodies that are measured or of one, may be made along each axis
/// before they are compared, rounding included.
rbl_vec3 rbl_slip_of(const rbl_surface_body *a, const rbl_surface_body *b);

/// Whether boxes of such bodies may meet.
static inline bool rbl_slip_overlaps(rbl_box a, rbl_box b, rbl_vec3 slip)
{
	a = (rbl_box){ rbl_add(a.lower, slip), rbl_sub(a.upper, slip) };
	return rbl_box_overlaps(a, b);
}
