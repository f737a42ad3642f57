// SPDX-License-Identifier: MIT
// Exposed faces of breaks, and what comes off them: chips and dust. See rubble/chip.h.
#pragma once

#include "collide/collide.h"
#include "fracture/fracture.h"

#include <rubble/chip.h>
#include <rubble/world.h>

/// Sizes of chips, from a millimetre to a kilometre.
enum { RBL_CHIP_SIZES = 41 };

struct rbl_damage_request;

// --- chip_shapes.c ------------------------------------------------------------------------------

/// The radius of a size, and the size that is nearest to a radius.
double rbl_chip_radius(int size);
int rbl_chip_nearest_size(double radius);

/// Make the collider of a chip around its centre of mass. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_create_chip_collider(rbl_debris_kind kind, int variant, double radius,
                                    const rbl_allocator *allocator, rbl_collider **collider);

// --- break_exposed.c ----------------------------------------------------------------------------

/// What falls off a material of a body's compound; NULL: nothing.
const rbl_debris_rule *rbl_world_debris_rule(const rbl_world *world, int body,
                                             const rbl_compound *compound, int material);

/// The material of a part of a body by its number in the compound; NULL: the body has values of its
/// own.
const rbl_material *rbl_world_face_material(const rbl_world *world, int body, int material);

/// Find the faces that a break exposes, into `exposed`, if somebody wants to know: before anything
/// is taken out of the break, and before the body is refitted.
void rbl_world_expose(rbl_world *world, int body, const rbl_break *broken);

/// Make chips and dust on these faces, and keep them for the caller, once the pieces are bodies.
/// @param event  of the break; receives what came of it
/// @return how many faces there were
int rbl_world_shed(rbl_world *world, const struct rbl_damage_request *request,
                   rbl_fracture_event *event);

// --- chips.c ------------------------------------------------------------------------------------

/// Make chips on the exposed faces of a body that broke, and append them to `fracture_chips`.
/// @param event  receives their number, and its lost mass is less by them
void rbl_world_make_chips(rbl_world *world, const struct rbl_damage_request *request,
                          rbl_fracture_event *event);

/// Remove chips whose time is over.
void rbl_world_expire_chips(rbl_world *world);

/// Free the colliders that chips share.
void rbl_world_free_chips(rbl_world *world);
