// SPDX-License-Identifier: MIT
// Continuous tests inside the library: those of <rubble/ccd.h> without checks.
#pragma once

#include "surface/ccd_form.h"

#include <rubble/ccd.h>

/// Test four points at the start and the end: v f0 f1 f2 or a0 a1 b0 b1. All coordinates are finite,
/// the separation is 0 or more. @return impact->is_hit; when false, nothing else is written
bool rbl_ccd_test(rbl_ccd_kind kind, const rbl_vec3d start[4], const rbl_vec3d end[4],
                  double separation, rbl_impact *impact);
