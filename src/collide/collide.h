// SPDX-License-Identifier: MIT
// The interface of the room `collide`: polyhedra, colliders, and contact manifolds with their
// caches.
#pragma once

#include "collide/collider.h"
#include "collide/material.h"
#include "collide/pair.h"
#include "collide/polyhedron.h"
#include "collide/revolution.h"

#include <rubble/collide.h>

/// How often each way to a manifold was taken, for statistics.
typedef struct rbl_collide_counts {
	int64_t apart;     // the cached direction still separates
	int64_t refreshed; // the cached feature was enough
	int64_t searched;  // all axes were tested
} rbl_collide_counts;

/// Find the contact manifold of two convex shapes.
/// @param margin    points up to this far apart are (speculative) contacts
/// @param cache     of this pair, all zero at first
/// @param manifold  receives normal and points; its children are not set
/// @param counts    counts the way taken; may be NULL
/// @return whether there is a point
bool rbl_collide_pair(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                      rbl_transform pose_b, float margin, rbl_sat_cache *cache,
                      rbl_manifold *manifold, rbl_collide_counts *counts);

/// The points above a given face, A's or (is_b) B's, whichever axis is best.
void rbl_collide_on_face(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                         rbl_transform pose_b, bool is_b, int face, float margin,
                         rbl_manifold *manifold);

/// The same where one of the two is a solid of revolution: revolution_manifold.c.
bool rbl_collide_revolved(const rbl_polyhedron_pair *pair, float margin, rbl_sat_cache *cache,
                          rbl_manifold *manifold, rbl_collide_counts *counts);
void rbl_collide_revolved_on_face(const rbl_polyhedron_pair *pair, bool is_b, int face,
                                  float margin, rbl_manifold *manifold);

/// Manifold reduction: four points of many, at the front of the list. @return how many
int rbl_collide_reduce(rbl_collide_clip_point *points, int count, rbl_vec3 normal);

/// The id of a point of the incident facet above the reference.
uint32_t rbl_collide_face_id(bool is_flipped, int reference, int incident,
                             const rbl_collide_clip_point *point);
