// SPDX-License-Identifier: MIT
// The contact manifold of two convex shapes.
#pragma once

#include "collide/axis.h"

/// Find how two convex shapes touch.
/// @param margin    points up to this far apart are contacts
/// @param cache     of this pair, all zero at first
/// @param manifold  receives normal and points; children are not touched
/// @return whether there is a point
bool rbl_collide_pair(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                      rbl_transform pose_b, float margin, rbl_axis_cache *cache,
                      rbl_manifold *manifold);

/// The points above one given face, A's or (is_b) B's, whatever axis is least.
void rbl_collide_on_face(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                         rbl_transform pose_b, bool is_b, int face, float margin,
                         rbl_manifold *manifold);

/// What a search or a refresh has done, for benchmarks and tests: see rbl_collide_pair_counted().
typedef struct rbl_collide_counts {
	int64_t apart;     // answered by the cached separating direction
	int64_t refreshed; // answered by the cached feature
	int64_t searched;  // all axes were looked at
} rbl_collide_counts;

/// The same, and count which way was taken.
bool rbl_collide_pair_counted(const rbl_polyhedron *a, rbl_transform pose_a,
                              const rbl_polyhedron *b, rbl_transform pose_b, float margin,
                              rbl_axis_cache *cache, rbl_manifold *manifold,
                              rbl_collide_counts *counts);
