// SPDX-License-Identifier: MIT
// From pairs of triangles whose boxes overlap to what touches.
#pragma once

#include "surface/surface.h"

#include "base/worker_group.h"

/// Whether the query is about vertices, faces and edges, not about triangles.
static inline bool rbl_surface_asks_features(const rbl_surface *surface)
{
	return surface->question.kind != RBL_ASKS_PAIRS && surface->question.kind != RBL_ASKS_ANY_PAIR;
}

// --- searches (max_step.c) ----------------------------------------------------------------------

// A search has a bound in time, which workers lower as they find impacts. Filters look at the step
// up to that time only: ends of motions are replaced by places on the way, rounded, and a gap that
// is more than the rounding makes up for it. Whatever comes later than the bound may or may not be
// dropped, so what is left in the end does not depend on who was first.

/// Whether a search is over: nothing comes before the start of the step.
static inline bool rbl_surface_is_over(const rbl_surface *surface)
{
	return surface->bound && surface->question.limit == 0 &&
	       rbl_shared_minimum_get(surface->bound) == 0.0f;
}

/// Let the worker's `until` follow the bound.
void rbl_surface_lower_until(const rbl_surface *surface, rbl_surface_worker *worker, float bound);

static inline void rbl_surface_look_until(const rbl_surface *surface, rbl_surface_worker *worker)
{
	if (surface->bound && surface->until_rounding >= 0.0f)
		rbl_surface_lower_until(surface, worker, rbl_shared_minimum_get(surface->bound));
}

/// Whether filters look at one instant: there is no step, or the part of it that is left to look at
/// is so short that a gap makes up for all motion. Then one end is read, not both.
static inline bool rbl_surface_is_still(const rbl_surface *surface,
                                        const rbl_surface_worker *worker)
{
	return surface->starts == surface->positions[1] || worker->until <= surface->still_until;
}

/// What filters take for the end of the step.
static inline const rbl_vec3 *rbl_surface_filter_ends(const rbl_surface *surface,
                                                      const rbl_surface_worker *worker)
{
	return rbl_surface_is_still(surface, worker) ? surface->starts : surface->positions[1];
}

/// How far filters must keep features apart.
static inline float rbl_surface_filter_gap(const rbl_surface *surface,
                                           const rbl_surface_worker *worker)
{
	if (worker->until == 1.0f)
		return worker->gap;
	float drift = worker->until <= surface->still_until ? worker->until * surface->drift : 0.0f;
	return worker->gap + drift + surface->until_rounding;
}

/// Measure how far vertices move past each other in the step, and from where on it is little. All
/// bodies are measured. (max_step.c)
void rbl_surface_measure_drift(rbl_surface *surface);

/// An impact that a search came upon.
void rbl_surface_take_earliest(const rbl_surface *surface, rbl_surface_worker *worker,
                               const rbl_surface_hit *hit);

/// Put the earliest of all workers' hits into the list, by time.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_sort_earliest(rbl_surface *surface);

/// Run the query that surface->question asks. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_run_query(rbl_surface *surface);

/// Take a pair of features into the worker's batches.
void rbl_surface_sweep_features(const rbl_surface *surface, rbl_surface_worker *worker,
                                rbl_surface_hit_kind kind, const rbl_ccd_quad *quad);

/// All that waits in a worker has one gap for filters, and one thickness for tests.
void rbl_surface_use_gap(const rbl_surface *surface, rbl_surface_worker *worker, float gap,
                         float thickness);

/// Make workers ready for a query. @return false when memory ran out
bool rbl_surface_prepare_workers(rbl_surface *surface);

/// The vertices of a pair of features: v f0 f1 f2, or a0 a1 b0 b1.
static inline void rbl_surface_feature_vertices(const rbl_surface *surface,
                                                rbl_surface_hit_kind kind, int a, int b, int v[4])
{
	const int *t = surface->triangles;
	bool is_face = kind == RBL_HIT_VERTEX_FACE;
	v[0] = is_face ? a : t[a], v[1] = is_face ? t[3 * b] : t[rbl_surface_next(a)];
	v[2] = is_face ? t[3 * b + 1] : t[b], v[3] = is_face ? t[3 * b + 2] : t[rbl_surface_next(b)];
}

// --- tests --------------------------------------------------------------------------------------

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
rbl_result rbl_surface_sort_hits(rbl_surface *surface, rbl_worker_group *workers);

/// How far apart two features are at a time of the step, less what rounding may add.
double rbl_surface_distance_at(const rbl_surface *surface, const rbl_surface_hit *hit, double time);

/// The hits of all workers in order, by worker (extra) and number (value), in scratch memory.
/// @return NULL when memory ran out
rbl_sort_item64 *rbl_surface_order_hits(rbl_surface *surface, int *count);

/// What a proximity query found goes to the lists of hits and near pairs, in order: distances,
/// points, and what comes twice. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_sort_near_pairs(rbl_surface *surface, rbl_worker_group *workers);

/// The last hit of a worker is near at one instant: describe it for its list. From the first such
/// hit on all must be described.
void rbl_surface_describe_near(const rbl_surface *surface, rbl_surface_worker *worker,
                               const rbl_ccd_quad *quad, const rbl_closest *closest);

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
