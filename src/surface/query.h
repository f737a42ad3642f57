// SPDX-License-Identifier: MIT
// From pairs of triangles whose boxes overlap to what touches.
#pragma once

#include "surface/surface.h"

#include "base/worker_group.h"

/// Test pairs of triangles at one instant; what touches goes to the worker's list.
void rbl_surface_collide_pairs(const rbl_surface *surface, rbl_surface_worker *worker,
                               const rbl_surface_pair *pairs, int count);

/// Test the triangles of two clusters of different bodies at one instant; what touches goes to the
/// worker's list, at rbl_surface_finish_collide() at the latest.
void rbl_surface_collide_clusters(const rbl_surface *surface, rbl_surface_worker *worker,
                                  uint32_t a, uint32_t b);

/// Test what waits.
void rbl_surface_collide_staged(const rbl_surface *surface, rbl_surface_worker *worker);

/// Whether a vertex that two triangles share has a fan free of self-collision: no test is needed.
bool rbl_surface_fan_separates(const rbl_surface *surface, rbl_surface_worker *worker, const int *a,
                               const int *b);

/// Take the features of pairs of triangles into the worker's batches, and test full ones.
void rbl_surface_sweep_pairs(const rbl_surface *surface, rbl_surface_worker *worker,
                             const rbl_surface_pair *pairs, int count);

/// Pairs of triangles of two different clusters that do not stay further apart than a gap over the
/// step, along an axis, by boxes at both ends of it.
/// @param pairs  receives up to 64 @return how many
int rbl_surface_swept_pairs(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                            uint32_t b, float gap, rbl_surface_pair *pairs);

/// The same for all triangles of two clusters of different bodies.
void rbl_surface_sweep_clusters(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                                uint32_t b);

/// Prefetch what a cluster needs for that: its triangles, then their vertices.
void rbl_surface_prefetch_triangles(const rbl_surface *surface, const rbl_surface_worker *worker,
                                    uint32_t cluster);
void rbl_surface_prefetch_vertices(const rbl_surface *surface, const rbl_surface_worker *worker,
                                   uint32_t cluster);

/// Test what is left in the worker's batches.
void rbl_surface_finish_collide(const rbl_surface *surface, rbl_surface_worker *worker);
void rbl_surface_finish_sweep(const rbl_surface *surface, rbl_surface_worker *worker);

/// Start the list of the first worker with what the last query found between bodies that are known.
/// @return false when memory ran out
bool rbl_surface_keep_unchanged(rbl_surface *surface);

/// Put the lists of all workers together, in order. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_sort_pairs(rbl_surface *surface, rbl_worker_group *workers);
rbl_result rbl_surface_sort_hits(rbl_surface *surface);

/// Describe the hits that a proximity query found: distances, points, and what comes twice.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_describe_proximity(rbl_surface *surface, rbl_worker_group *workers);

/// Give back what long lists took, as far as the last answer does not need it.
void rbl_surface_trim_answer(rbl_surface *surface);

// --- tests of triangles in batches --------------------------------------------------------------

// Two triangles collide when they have a point in common, touching included, apart from the vertex
// or edge that they share: equal vertex indices are shared vertices, other vertices at the same
// place are not. Triangles with the same three vertices collide. Triangles without area are
// segments or points (geometry/triangle_intersection.h). The answers are those of
// rbl_indexed_triangles_meet_float().

/// Whether a pair of triangles, given by their corners, is known not to touch.
typedef bool rbl_surface_pair_filter(void *context, const int *a, const int *b);

/// Test pairs of triangles whose boxes overlap.
/// @param positions  finite; one float after the last must be readable: allocate one position more
/// @param triangles  three vertex indices each
/// @param pairs      two triangles each
/// @param meeting    receives the indices of the pairs that touch, ascending; space for count + 7
/// @param filter    asked about pairs that the batch cannot decide, before the exact test; or NULL
/// @return their number
/// Threads: any. Cost: 7 ns per pair that a plane separates, 15 ns per pair with certain signs, 50
/// to 200 ns per other.
int rbl_surface_test_triangle_pairs(const rbl_vec3 *positions, const int *triangles,
                                    const int *pairs, int count, int *colliding,
                                    rbl_surface_pair_filter *filter, void *context);

// --- shared motion of bodies --------------------------------------------------------------------

// Bodies that fly side by side: how much of their way they have in common.
//
// Boxes of a tree hold the whole way of a step. Pieces that fly off together sweep through each
// other's boxes although none of them comes near another. Let all vertices of two bodies go p or
// more along an axis. Then a box that ends at U along it ended at U - p or before when the step
// began, and one that begins at L begins at L + p or beyond when it ends. So two boxes whose bounds
// overlap by less than p are apart at the start and at the end, in the same order, and stay so:
// vertices move on lines. In other words, boxes may be made smaller by p before they are compared.
// The same holds for parts of one body.

/// Measure the displacements of bodies in the step of a query.
/// @param slots  each once @return false when memory ran out
bool rbl_surface_measure_displacements(rbl_surface *surface, rbl_worker_group *workers,
                                       const int *slots, int count);

/// How much smaller one of two boxes, of two bodies that are measured or of one, may be made along
/// each axis before they are compared, rounding included.
rbl_vec3 rbl_surface_shared_motion(const rbl_surface_body *a, const rbl_surface_body *b);

/// Whether boxes of such bodies may touch.
static inline bool rbl_surface_moving_boxes_overlap(rbl_box a, rbl_box b, rbl_vec3 shared_motion)
{
	a = (rbl_box){ rbl_add(a.lower, shared_motion), rbl_sub(a.upper, shared_motion) };
	return rbl_box_overlaps(a, b);
}
