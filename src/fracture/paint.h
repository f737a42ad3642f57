// SPDX-License-Identifier: MIT
// Checks of what definitions say of strength and support.
#pragma once

#include <rubble/compound.h>

/// @return RBL_OK, RBL_BAD_ARGUMENT with a line in the log
rbl_result rbl_check_strength_paint(const rbl_strength_paint *paint);
rbl_result rbl_check_anchor_def(const rbl_anchor_def *def);
rbl_result rbl_check_cluster_levels(const rbl_cluster_level *levels, int count, int part_count);
