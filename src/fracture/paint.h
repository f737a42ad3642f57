// SPDX-License-Identifier: MIT
// Checks of what definitions say of strength and support.
#pragma once

#include <rubble/compound.h>

/// @return RBL_OK, RBL_BAD_ARGUMENT with a line in the log
rbl_result rbl_check_strength_paint(const rbl_strength_paint *paint);
rbl_result rbl_check_anchor_def(const rbl_anchor_def *def);
rbl_result rbl_check_cluster_levels(const rbl_cluster_level *levels, int count, int part_count);

/// As rbl_compound_cluster(), for levels that were checked, with colors for those that have a
/// pattern: of each part, level by level; NULL: none has.
rbl_result rbl_compound_group(rbl_compound *compound, const rbl_cluster_level *levels,
                              int level_count, const int *colors, int *clusters);
