// SPDX-License-Identifier: MIT
// Parts of an asset divided by the patterns of its levels, in slices.
#pragma once

#include "fracture/prepare_shell.h"

/// Parts on their way through the levels. All zero at first.
typedef struct rbl_level_dividing {
	int level;              // that is worked on
	rbl_compound *compound; // of the parts that are divided; NULL: between two levels
	rbl_task *task;         // that divides them
} rbl_level_dividing;

/// @return whether any level has a pattern.
bool rbl_has_pattern_levels(const rbl_prepare_def *def);

/// Do some of it: `parts` are replaced level by level, and get their colors. The result does not
/// depend on budgets.
/// @param works      of all shells
/// @param plane_end  plane ids from here on are not in use; moved on
/// @param budget     in cuts of a convex by a cell, > 0; less what was done
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
rbl_result rbl_divide_levels(rbl_level_dividing *dividing, const rbl_shell_work *works,
                             rbl_asset_parts *parts, uint64_t *plane_end, int *budget,
                             bool *is_done);

/// Forget what is left of it.
void rbl_level_dividing_free(rbl_level_dividing *dividing);
