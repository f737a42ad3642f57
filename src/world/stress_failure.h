// SPDX-License-Identifier: MIT
// Things come down under their own weight.
#pragma once

#include "world/world.h"

/// Estimate what bonds carry, as far as the budget goes, and open those that fail.
void rbl_world_update_stress(rbl_world *world);

/// A body was made: watch it if its bonds may fail.
void rbl_world_add_stress(rbl_world *world, rbl_body_id id);

/// The compound of a body has changed.
void rbl_world_stress_changed(rbl_world *world, int body);

/// A body has another compound: its parts have other numbers.
void rbl_world_reset_stress(rbl_world *world, int body);

/// Make the estimate of a strain unless it is there. @return false when memory ran out
bool rbl_world_create_estimate(rbl_world *world, rbl_world_stress *strain);

void rbl_world_free_stresses(rbl_world *world);
