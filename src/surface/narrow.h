// SPDX-License-Identifier: MIT
// From pairs of triangles whose boxes overlap to what meets.
#pragma once

#include "surface/surface.h"

#include "base/team.h"

/// Test pairs of triangles at one instant; what meets goes to the worker's list.
void rbl_narrow_collide(const rbl_surface *surface, rbl_surface_worker *worker,
                        const rbl_surface_pair *pairs, int count);

/// Test the triangles of two clusters of different bodies at one instant; what meets goes to the worker's list,
/// at rbl_narrow_finish() at the latest.
void rbl_narrow_meet(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                     uint32_t b);

/// Test what waits.
void rbl_narrow_meet_all(const rbl_surface *surface, rbl_surface_worker *worker);

/// Take the features of pairs of triangles into the worker's batches, and test full ones.
void rbl_narrow_sweep(const rbl_surface *surface, rbl_surface_worker *worker,
                      const rbl_surface_pair *pairs, int count);

/// Pairs of triangles of two different clusters that do not stay further apart than a gap over the step, along
/// an axis, by boxes at both ends of it.
/// @param pairs  receives up to 64 @return how many
int rbl_narrow_swept_pairs(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                           uint32_t b, float gap, rbl_surface_pair *pairs);

/// The same for all triangles of two clusters of different bodies.
void rbl_narrow_sweep_clusters(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                               uint32_t b);

/// Ask for what a cluster needs for that: its triangles, then their vertices.
void rbl_narrow_ask_for_triangles(const rbl_surface *surface, const rbl_surface_worker *worker,
                                  uint32_t cluster);
void rbl_narrow_ask_for_vertices(const rbl_surface *surface, const rbl_surface_worker *worker,
                                 uint32_t cluster);

/// Test what is left in the worker's batches.
void rbl_narrow_finish(const rbl_surface *surface, rbl_surface_worker *worker);

/// Start the list of the first worker with what the last query found between bodies that are known.
/// @return false when memory ran out
bool rbl_narrow_keep_known(rbl_surface *surface);

/// Put the lists of all workers together, in order. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_narrow_sort_pairs(rbl_surface *surface, rbl_team *team);
rbl_result rbl_narrow_sort_hits(rbl_surface *surface);

/// Give back what long lists took, as far as the last answer does not need it.
void rbl_narrow_trim(rbl_surface *surface);
