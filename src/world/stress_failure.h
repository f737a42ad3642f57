// SPDX-License-Identifier: MIT
// Bodies that fail under load.
#pragma once

#include <rubble/stress.h>
#include <rubble/world.h>

/// A body whose bonds may fail under load. The estimate is made anew from the rest when it is
/// missing, and is the same once it has converged.
typedef struct rbl_world_stress {
	rbl_body_id body;
	bool is_converged;          // nothing has changed since nothing failed
	int32_t wait;               // steps until loads are updated
	RBL_ARRAY(rbl_vec3) forces; // by part: the load on it and where, in the shape's coordinates
	RBL_ARRAY(rbl_vec3) points;
	rbl_stress *stress;
} rbl_world_stress;

/// Estimate what bonds carry, as far as the budget allows, and open those that fail.
void rbl_world_update_stress(rbl_world *world);

/// Watch a new body if its bonds may fail; there is room in `stresses`.
void rbl_world_add_stress(rbl_world *world, rbl_body_id id);

/// Whether bonds of something that a body, which has its own compound, is made of may fail.
bool rbl_world_has_strengths(const rbl_world *world, int body);

/// The compound of a body has changed.
void rbl_world_stress_changed(rbl_world *world, int body);

/// A body has another compound, with other part numbers.
void rbl_world_reset_stress(rbl_world *world, int body);

/// Create the estimate unless it is there. @return false when memory ran out
bool rbl_world_create_estimate(rbl_world *world, rbl_world_stress *stress);

void rbl_world_free_stresses(rbl_world *world);
