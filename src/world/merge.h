// SPDX-License-Identifier: MIT
// Debris at rest becomes part of static bodies, and comes out again.
#pragma once

#include "world/world.h"

static inline rbl_host *rbl_world_host(const rbl_world *world, int body)
{
	int host = world->bodies[body].host;
	return host > 0 ? &world->hosts.data[host - 1] : NULL;
}

/// The member of a body that has a part; NULL for bodies that are no hosts.
static inline rbl_merged *rbl_world_member(const rbl_world *world, int body, int part)
{
	rbl_host *host = rbl_world_host(world, body);
	bool has = host && part >= 0 && part < host->members.count && host->members.data[part].compound;
	return has ? &host->members.data[part] : NULL;
}

// --- merge.c: going in --------------------------------------------------------------------------

/// Merge some of the debris that has slept long enough.
void rbl_world_merge_some(rbl_world *world);

/// A place for a host. @return RBL_NONE when memory ran out
int rbl_world_new_host(rbl_world *world, int body);

/// A host goes with its body: so do its members.
void rbl_world_free_host(rbl_world *world, int body);
void rbl_world_free_hosts(rbl_world *world);

// --- release.c: coming out ----------------------------------------------------------------------

/// Make bodies of members that are loose.
void rbl_world_release_loose(rbl_world *world);

/// Make a body of a member. The host ends with its last.
/// @return RBL_OK, or why it cannot be: nothing has changed
rbl_result rbl_world_release(rbl_world *world, int host_body, int part, rbl_body_id *body);

/// A pair is about to end: a merged piece that the other did not merely lie on is loose.
void rbl_world_lost_hold(rbl_world *world, int pair);

/// The boxes of two pieces meet: what was merged is loose if the other moves it, whatever it is. Static
/// and kinematic bodies do not touch.
void rbl_world_meet(rbl_world *world, int a, int b);

/// A static body, or one of its pieces, is about to go from where it is: what was merged around it is
/// loose.
void rbl_world_vacate(rbl_world *world, int body);
void rbl_world_vacate_piece(rbl_world *world, int piece);

/// Release what was merged and lies within a box, now.
void rbl_world_release_box(rbl_world *world, rbl_box box);

/// A request to break a host: release what it means, and let it mean that.
void rbl_world_release_struck(rbl_world *world, int request);

/// Release the debris of a number. @return the null id when it is not there, or cannot be
rbl_body_id rbl_world_release_fragment(rbl_world *world, uint32_t fragment);
