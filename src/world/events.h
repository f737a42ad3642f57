// SPDX-License-Identifier: MIT
// Reporting what happened.
#pragma once

#include <rubble/world.h>

void rbl_world_clear_events(rbl_world *world);

/// Report that a pair begins or ceases to touch. @param is_pending  the next step reports it
/// @return false when memory ran out for a sensor's begin: it is not counted
bool rbl_world_report_contact(rbl_world *world, int pair, bool begins, bool is_pending);

/// Report hits and broken joints of the solver's step.
void rbl_world_report_solver(rbl_world *world);

/// Report bodies that slide or roll on each other; and that a pair has ceased to, with the current
/// step or the next.
void rbl_world_report_slides(rbl_world *world);
void rbl_world_end_slides(rbl_world *world, int pair, bool is_pending);

/// Report a joint as broken. @param force, torque  that broke it; 0: its anchor is gone
void rbl_world_report_broken_joint(rbl_world *world, int joint, float force, float torque);

/// Report what became of debris, with the current step or the next.
/// @param baked_body, child  where it was baked into or released from; the null id for none
void rbl_world_report_retired(rbl_world *world, int body, rbl_retirement what,
                              rbl_body_id baked_body, int child);

/// When all that breaks has broken, set what fracture events could not know before: pointers into
/// arrays that grew, and whether the parent is still there.
void rbl_world_bind_fractures(rbl_world *world);
