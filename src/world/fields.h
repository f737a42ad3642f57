// SPDX-License-Identifier: MIT
// Parts that collide by distance fields, and their pairs.
//
//   field_bodies.c    fields of bodies from their definitions, and of convexes that meet them
//   field_contacts.c  manifolds of pairs, and their contacts
//
// A field part has a mesh collider, which queries, drawing and sensors' boxes go by, and a field
// shape, which contacts go by. A convex part gets a shape of its own as soon as it meets a field.
#pragma once

#include "collide/collide.h"
#include "field/field.h"

#include <rubble/world.h>

/// What a part collides by when it meets a field part, or is one.
typedef struct rbl_part_field {
	const rbl_field_shape *shape;
	rbl_field_shape *own_shape;    // NULL: the caller's
	rbl_distance_field *own_field; // NULL: the caller's
} rbl_part_field;

/// What the field contacts of a pair remember, and what the narrow phase found in this step.
typedef struct rbl_pair_field {
	rbl_field_contact_memory memory;
	bool is_incomplete; // the search stopped while points were deep: it goes on in the next step
	int manifold_count;
	rbl_manifold manifolds[RBL_MAX_FIELD_CONTACTS];
} rbl_pair_field;

// --- field_bodies.c -----------------------------------------------------------------------------

/// Whether a definition wants a body that collides by a field.
bool rbl_body_def_wants_field(const rbl_body_def *def);

/// What is wrong with a definition of a field body, or with a field in one that is none.
/// @return RBL_OK, RBL_BAD_ARGUMENT
rbl_result rbl_check_field_def(const rbl_body_def *def);

/// Make what a field body collides by, in the coordinates of its mesh or collider.
/// @param owned  receives the mesh collider, to be destroyed, unless the definition has one
/// @param field  receives the field, to be destroyed
/// @return RBL_OK, RBL_BAD_MESH, RBL_OUT_OF_MEMORY and so on; nothing is received then
rbl_result rbl_make_body_field(rbl_world *world, const rbl_body_def *def, rbl_collider **owned,
                               rbl_part_field **field);

/// Destroy the field of a part. NULL is fine.
void rbl_destroy_part_field(const rbl_allocator *allocator, rbl_part_field *field);

/// Give a convex part a shape to meet fields with, unless it has one. @return false when memory ran
/// out
bool rbl_world_prepare_side(rbl_world *world, int part);

/// Whether a part is one of a field body, and whether a part may meet one.
bool rbl_world_is_field_part(const rbl_world *world, int part);
bool rbl_world_can_meet_fields(const rbl_world *world, int part);

// --- field_contacts.c ---------------------------------------------------------------------------

/// Have work space for as many workers as the world has. @return false when memory ran out
bool rbl_world_prepare_field_work(rbl_world *world);
void rbl_world_free_field_work(rbl_world *world);

/// Find the manifolds of a field pair whose sides are prepared.
/// @param margin  as of other pairs
/// @return false when memory ran out
/// Threads: one call per worker and per pair at once
bool rbl_world_find_field_manifolds(rbl_world *world, int pair, float dt, float margin,
                                    rbl_pair_field *found, int worker);

/// Whether two parts of a sensor pair touch. @param memory  set when it ran out
bool rbl_world_fields_touch(rbl_world *world, int pair, int worker, bool *ran_out);
