// SPDX-License-Identifier: MIT
// The filter of continuous tests, eight pairs at a time.
#pragma once

#include "ccd/ccd.h"

#include "base/kernel.h"

/// rbl_ccd_filter()
RBL_DECLARE_KERNEL(int, rbl_ccd_filter,
                   (rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                    int count, float separation, int *kept));
