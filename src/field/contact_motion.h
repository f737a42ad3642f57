// SPDX-License-Identifier: MIT
// Motions of bodies against each other, as contacts by fields see them.
#pragma once

#include "field/field_kernels.h"

/// All of a body, in its frame; of a plane nearly everything.
rbl_box rbl_field_side_box(const rbl_field_side *side);

/// Where points of one side are in the frame of the other, and how they move there.
/// @param bounds  around the points
rbl_contact_motion rbl_contact_motion_between(const rbl_field_side *points, rbl_box bounds,
                                              const rbl_field_side *field,
                                              const rbl_field_contact_settings *settings);

/// Whether one body, as a ball around the middle of its box, goes past the box of the other within
/// the step: nothing of them touches.
bool rbl_contact_goes_past(const rbl_field_side *ball, const rbl_field_side *box,
                           const rbl_field_contact_settings *settings);
