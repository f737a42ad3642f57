// SPDX-License-Identifier: MIT
// Mass properties of colliders: volume, centre of mass, inertia tensor.
#pragma once

#include "collide/collide.h"
#include "world/world.h"

/// Volume, centre and inertia of a collider at density 1. Children of a compound count each, those
/// with a material of their own by its density as a share of `density`, and sensors not at all.
/// @return false when it has no volume: a mesh or a height field
bool rbl_collider_mass(const rbl_world *world, const rbl_collider *collider, float density,
                       rbl_mass *mass);

/// The same of a closed mesh collider, whose triangles look outward; no volume for another.
rbl_mass rbl_mesh_collider_mass(const rbl_collider *collider);

/// The volume of that alone.
double rbl_mesh_collider_volume(const rbl_collider *collider);

/// The area of all faces of a mesh.
double rbl_mesh_area(const rbl_mesh *mesh);

/// How far a closed mesh may move without tunnelling: volume over area, which for a thin wall is
/// half of its thickness, and for anything else less than half of its width.
float rbl_mesh_collider_inner_radius(const rbl_collider *collider, double volume);

/// Half of the smallest width of a collider: how far it may move without tunnelling.
float rbl_collider_inner_radius(const rbl_collider *collider);

/// The inverse of an inertia tensor; zero where it has none.
rbl_mat3 rbl_world_inverse_inertia(rbl_mat3 inertia);
