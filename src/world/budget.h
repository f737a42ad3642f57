// SPDX-License-Identifier: MIT
// What a step may spend on work that can wait, and who pays from it.
#pragma once

#include <rubble/world.h>

/// Who pays from the budget of a step, in this order, after pairs that are new.
typedef enum rbl_budget_share {
	RBL_PAYS_BREAKS,
	RBL_PAYS_STRESS,
	RBL_PAYS_BAKING,
} rbl_budget_share;

enum {
	RBL_NEW_PAIRS_PER_UNIT = 3, // their first search takes 0.7 us
	RBL_BONDS_PER_UNIT = 16,
	RBL_UNITS_PER_BAKED = 4,
};

/// A step begins: the structure of the broad phase gets what the last one left.
void rbl_world_begin_budget(rbl_world *world);

/// New pairs are known, and paid.
void rbl_world_pay_new_pairs(rbl_world *world);

/// @return units that a share may spend, at least its least; INT64_MAX without a limit
int64_t rbl_world_grant(const rbl_world *world, rbl_budget_share share);

/// Units were spent, by a slice more than granted at times. @return them
int rbl_world_pay(rbl_world *world, int64_t units);
