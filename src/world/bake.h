// SPDX-License-Identifier: MIT
// What becomes of debris at rest: it freezes, is baked into static bodies and released, or removed.
#pragma once

#include <rubble/world.h>

/// Debris baked into a static body: what its own body was, without its motion.
typedef struct rbl_world_baked_fragment {
	rbl_compound *compound;             // NULL: this number is free
	rbl_transform pose;                 // of its shape, in the frame of the baked body
	const rbl_distance_field *original; // as in rbl_body
	uint64_t user;
	float density, mass;
	float linear_damping, angular_damping, gravity_scale;
	uint32_t fragment_number, asset_key_low;
	uint32_t flags;      // of its body: RBL_BAKED_FLAGS
	bool is_unsupported; // it is to be a body again
} rbl_world_baked_fragment;

#define RBL_MAX_BAKED_BODIES 0xffff

/// Flags of a body that its baked fragment keeps.
#define RBL_BAKED_FLAGS \
	(RBL_BODY_BULLET | RBL_BODY_CAN_SLEEP | RBL_BODY_BY_FIELD | RBL_BODY_AUTOMATIC | RBL_BODY_LOCKS)

/// A static body of baked debris. The `child` of its parts is the number of their fragment.
typedef struct rbl_world_baked_body {
	int32_t body; // RBL_NONE: free
	int32_t live_count;
	RBL_ARRAY(rbl_world_baked_fragment) fragments;
} rbl_world_baked_body;

// --- debris.c -----------------------------------------------------------------------------------

/// Unfreeze what lost a contact, freeze or bake what has slept long enough, remove the excess.
void rbl_world_retire_debris(rbl_world *world);

/// Unfreeze a body that is frozen; it stays asleep.
void rbl_world_unfreeze(rbl_world *world, int body);

/// A contact of a body has ended: if it is frozen, it unfreezes in this step or the next.
void rbl_world_contact_ended(rbl_world *world, int body);

// --- bake.c -------------------------------------------------------------------------------------

/// Bake some of the debris that has slept long enough.
void rbl_world_bake(rbl_world *world);

/// Free what is baked into a body, or into all.
void rbl_world_free_baked_body(rbl_world *world, int body);
void rbl_world_free_baked_bodies(rbl_world *world);

// --- bake_release.c -----------------------------------------------------------------------------

/// Make bodies of fragments that lost their support.
/// @return false when memory ran out: some are still to be released
bool rbl_world_release_unsupported(rbl_world *world);

/// A contact is about to end: a baked fragment loses its support, unless the other one lay on it.
void rbl_world_contact_lost_support(rbl_world *world, int pair);

/// The boxes of two parts begin to overlap: kinematic bodies, with which static ones have no
/// contacts, disturb what is baked.
void rbl_world_disturb_baked(rbl_world *world, int part_a, int part_b);

/// A static body, or one of its parts, is about to go away: what is baked around it loses support.
void rbl_world_remove_support(rbl_world *world, int body);
void rbl_world_remove_part_support(rbl_world *world, int part);

/// Release what is baked within a box, now.
/// @return false when memory ran out: some are still to be released
bool rbl_world_release_box(rbl_world *world, rbl_box box);

/// Release the baked fragments that a damage request is about, and redirect it to them.
void rbl_world_release_damaged(rbl_world *world, int request);

/// Release a fragment by number. @return the null id when it is not there, or cannot be released
rbl_body_id rbl_world_release_fragment(rbl_world *world, uint32_t fragment);
