// SPDX-License-Identifier: MIT
// Debris at rest becomes part of static bodies, and comes out again.
#pragma once

#include "world/world.h"

static inline rbl_world_baked_body *rbl_world_get_baked_body(const rbl_world *world, int body)
{
	int baked = world->bodies[body].baked_index;
	return baked > 0 ? &world->baked_bodies.data[baked - 1] : NULL;
}

/// The member of a body that has a part; NULL for bodies that are no hosts.
static inline rbl_world_baked_fragment *rbl_world_get_baked_fragment(const rbl_world *world,
                                                                     int body, int part)
{
	rbl_world_baked_body *baked = rbl_world_get_baked_body(world, body);
	bool has =
		baked && part >= 0 && part < baked->fragments.count && baked->fragments.data[part].compound;
	return has ? &baked->fragments.data[part] : NULL;
}

// --- merge.c: going in --------------------------------------------------------------------------

/// Merge some of the debris that has slept long enough.
void rbl_world_bake(rbl_world *world);

/// A place for a host. @return RBL_NONE when memory ran out
int rbl_world_add_baked_body(rbl_world *world, int body);

/// A host goes with its body: so do its members.
void rbl_world_free_baked_body(rbl_world *world, int body);
void rbl_world_free_baked_bodies(rbl_world *world);

// --- release.c: coming out ----------------------------------------------------------------------

/// Make bodies of members that are loose. @return false when memory ran out: some are loose still
bool rbl_world_release_unsupported(rbl_world *world);

/// Make a body of a member. The host ends with its last.
/// @return RBL_OK, or why it cannot be: nothing has changed
rbl_result rbl_world_release(rbl_world *world, int baked_body, int part, rbl_body_id *body);

/// A pair is about to end: a merged piece that the other did not merely lie on is loose.
void rbl_world_contact_lost_support(rbl_world *world, int pair);

/// The boxes of two pieces meet: what was merged is loose if the other moves it, whatever it is. Static
/// and kinematic bodies do not touch.
void rbl_world_disturb_baked(rbl_world *world, int a, int b);

/// A static body, or one of its pieces, is about to go from where it is: what was merged around it is
/// loose.
void rbl_world_remove_support(rbl_world *world, int body);
void rbl_world_remove_part_support(rbl_world *world, int part);

/// Release what was merged and lies within a box, now. @return false when memory ran out: some are loose still
bool rbl_world_release_box(rbl_world *world, rbl_box box);

/// A request to break a host: release what it means, and let it mean that.
void rbl_world_release_damaged(rbl_world *world, int request);

/// Release the debris of a number. @return the null id when it is not there, or cannot be
rbl_body_id rbl_world_release_fragment(rbl_world *world, uint32_t fragment);
