// SPDX-License-Identifier: MIT
// Things break.
#pragma once

#include "world/world.h"

// --- fracture.c: who breaks, and when -----------------------------------------------------------

/// Break what was hit in this step and what waits since earlier ones, as far as the budget goes.
void rbl_world_update_breaks(rbl_world *world);

/// A request without energy: `point` and `direction` are in the world.
rbl_damage_request rbl_world_damage_request(const rbl_world *world, rbl_body_id body,
                                            rbl_vec3 point, rbl_vec3 direction);

/// The body's own compound: an asset's is copied when it first breaks. NULL without memory.
rbl_compound *rbl_world_own_compound(rbl_world *world, int body);

/// A body was made that may break: do what its first break would take long for.
void rbl_world_prepare_breaking(rbl_world *world, int body);

/// A body ends: so do its breaks, whose patterns may go with it.
void rbl_world_cancel_breaks(rbl_world *world, int body);
void rbl_world_free_breaks(rbl_world *world);

/// Begin the break of a request that was read from a snapshot, and bring it to where it was.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_FILE: it cannot be
rbl_result rbl_world_resume_break(rbl_world *world, rbl_damage_request *request);

// --- bend.c: what is too weak to break ----------------------------------------------------------

/// Whether something of a rule bends by an energy.
bool rbl_world_bends(const rbl_damage_rule *rule, float energy);

/// Bend a body, now, and report it.
void rbl_world_bend(rbl_world *world, const rbl_damage_request *request);

/// Bend the compound of a body. @param joined  receives what came off, and a place for what remains, which
/// is the body's compound; NULL when nothing gave way
/// @return RBL_OK, RBL_OUT_OF_MEMORY (it is as it was)
rbl_result rbl_world_bend_compound(rbl_world *world, const rbl_damage_request *request,
                                   rbl_break **joined);

// --- chips.c: what becomes of what came off -----------------------------------------------------

/// Make bodies of what came off a body, fit the rest, and report it. Destroys the break.
/// @param request  what broke it
void rbl_world_apply_break(rbl_world *world, const rbl_damage_request *request, rbl_break *broken);

/// Fit a body to its changed compound, now or in a later step when memory ran out.
void rbl_world_refit_or_retry(rbl_world *world, rbl_body_id id);

/// Events point into arrays that grow while there are more of them: let them point there at the end.
void rbl_world_bind_fractures(rbl_world *world);
