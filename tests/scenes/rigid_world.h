// SPDX-License-Identifier: MIT
// A rigid scene in a world of the library.
#pragma once

#include "scenes/rigid.h"

#include <rubble/rubble.h>

typedef struct rigid_world {
	const rigid_scene *scene;
	rbl_jobs *jobs;
	rbl_world *world;
	rbl_collider **colliders; // by shape of the scene, made when first used
	rbl_body_id *ids;         // by body; null before its birth
} rigid_world;

/// Make a world with the bodies that are there at step 0.
/// @param workers    1: no pool
/// @param allocator  of the world, NULL for the default
/// @return false when something was refused
bool rigid_world_open(rigid_world *w, const rigid_scene *scene, int workers,
                      const rbl_allocator *allocator);

/// The same on a pool, which the world of the scene has from then on, also when it fails.
bool rigid_world_open_on(rigid_world *w, const rigid_scene *scene, rbl_jobs *jobs);
void rigid_world_close(rigid_world *w);

/// Add a body of the scene. @return false when it was refused
bool rigid_world_add(rigid_world *w, int body);

/// Make a step; bodies born before it are added. @return false when something was refused
bool rigid_world_step(rigid_world *w, int step);

/// Replace bodies by new ones where they are, as fracture does: forms are known as convexes.
bool rigid_world_replace(rigid_world *w, const int *bodies, const rigid_shape *shapes,
                         rbl_convex *const *convexes, int count);

/// Read the states of all bodies that are there.
void rigid_world_read(const rigid_world *w, rigid_state *states);

/// The convex of a polyhedron, and the collider of any shape, the caller's to destroy; NULL when it
/// was refused.
rbl_convex *rigid_convex(const rigid_shape *shape);
rbl_collider *rigid_collider(const rigid_shape *shape);
