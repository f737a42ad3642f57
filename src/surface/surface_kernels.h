// SPDX-License-Identifier: MIT
// The inner loops of surfaces, one form per SIMD back end.
#pragma once

#include "surface/seam.h"
#include "surface/surface.h"

#include "base/kernel.h"

// --- clusters -----------------------------------------------------------------------------------

/// Where the triangles of clusters are.
typedef struct rbl_surface_cluster_source {
	const rbl_vec3 *starts, *ends; // starts NULL: at one instant
	const int *triangles;
} rbl_surface_cluster_source;

/// Fit boxes and normals of a cluster.
/// @param corners  of its triangles, or NULL: to be found
/// @param box      receives its box
/// @param normals  receives bounds of normals; NULL: boxes alone
RBL_DECLARE_KERNEL(void, rbl_surface_fit_cluster,
                   (rbl_surface_cluster * cluster, const rbl_surface_cluster_corners *corners,
                    rbl_box *box, const rbl_surface_cluster_source *source,
                    rbl_surface_normals *normals));

/// Pairs of triangles of two clusters whose boxes overlap, or of one cluster with itself.
/// @param gap    by which those of `a` are widened, or 0
/// @param pairs  receives up to 64 pairs
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_surface_cluster_pairs,
                   (const rbl_surface_cluster *a, const rbl_surface_cluster *b, float gap,
                    rbl_surface_pair *pairs));

/// A cluster whose triangles are staged.
typedef struct rbl_surface_staged_cluster {
	const rbl_surface_cluster *cluster;
	rbl_surface_lane_boxes *boxes;
	int row;     // the first
	bool is_new; // `boxes` is yet to be written, and is if any pair is found
} rbl_surface_staged_cluster;

/// The same of two clusters of different bodies, as pairs of staged triangles.
/// @param pairs  receives up to 64 pairs, space for one more
RBL_DECLARE_KERNEL(int, rbl_surface_staged_cluster_pairs,
                   (const rbl_surface_staged_cluster *a, const rbl_surface_staged_cluster *b,
                    rbl_surface_staged_pair *pairs));

// --- query: descent of two trees ----------------------------------------------------------------

enum {
	/// Each level leaves at most three waiting pairs of each of the two trees' levels; and space
	/// for four to be written at the end.
	RBL_SURFACE_DESCENT_STACK = 6 * RBL_TREE_MAX_HEIGHT + 8,
};

/// A leaf on the stack: below which node it is, and on which side. Its box is there.
static inline uint32_t rbl_surface_descent_leaf(uint32_t parent, int side)
{
	return RBL_TREE_LEAF | parent << 1 | (uint32_t)side;
}

/// A walk that can be left and taken up again.
typedef struct rbl_surface_descent {
	const rbl_tree_node *nodes;
	/// By axis: boxes that come closer than this count as overlapping; below 0, those that overlap
	/// by less than that much do not.
	float gap[4];
	int64_t box_tests;
	int top;
	/// Pairs whose boxes overlap, never of a node with itself; leaves as rbl_surface_descent_leaf()
	/// names them.
	rbl_tree_pair stack[RBL_SURFACE_DESCENT_STACK];
} rbl_surface_descent;

static inline uint32_t rbl_surface_descent_entry(const rbl_tree_pool *pool, uint32_t reference)
{
	if (!rbl_tree_is_leaf(reference))
		return reference;
	uint32_t parent = pool->leaf_parents[rbl_tree_leaf_id(reference)];
	return rbl_surface_descent_leaf(parent, rbl_tree_side(&pool->nodes[parent], reference));
}

/// Begin with two different nodes or leaves that have a node above them. Most of a walk is a stack,
/// not to be cleared.
static inline void rbl_surface_descent_begin(rbl_surface_descent *walk, const rbl_tree_pool *pool,
                                             rbl_tree_pair first, rbl_vec3 gap)
{
	walk->nodes = pool->nodes;
	walk->gap[0] = gap.x, walk->gap[1] = gap.y, walk->gap[2] = gap.z, walk->gap[3] = 0.0f;
	walk->box_tests = 0;
	walk->top = 1;
	walk->stack[0] = (rbl_tree_pair){ rbl_surface_descent_entry(pool, first.a),
		                              rbl_surface_descent_entry(pool, first.b) };
}

/// Walk until the stack is empty or `found` is full.
/// @param found     receives pairs of leaf ids
/// @param capacity  1 or more
/// @return how many were found
RBL_DECLARE_KERNEL(int, rbl_surface_descend,
                   (rbl_surface_descent * walk, rbl_tree_pair *found, int capacity));

// --- collide: staged triangles ------------------------------------------------------------------

/// Stage eight triangles.
/// @param triangles  receives eight staged triangles
/// @param positions  one float after the last must be readable
/// @param vertices   first, second and third corner of each
RBL_DECLARE_KERNEL(void, rbl_surface_stage_triangles,
                   (rbl_surface_staged_triangle * triangles, const rbl_vec3 *positions,
                    const int32_t (*vertices)[8]));

/// Test pairs.
/// @param pairs       receives those that intersect, touching included; space for 7 more than there
///                    are
/// @param open        receives those whose signs are not certain; space for one more than there are
/// @param open_count  receives their number
/// @return how many touch
RBL_DECLARE_KERNEL(int, rbl_surface_test_staged,
                   (const rbl_surface_staged_triangle *triangles, rbl_surface_staged_pair *pairs,
                    int count, rbl_surface_staged_pair *open, int *open_count));

// --- collide: pairs of triangles ----------------------------------------------------------------

/// Drop pairs that the plane of one triangle separates. Parameters as
/// rbl_surface_test_triangle_pairs().
/// @param kept  receives the indices of the others
RBL_DECLARE_KERNEL(int, rbl_surface_filter_triangle_pairs,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    int *kept));

/// Settle pairs that the filter kept and that share no vertex, where signs are certain.
/// @param answers  receives 1: they touch; -1: they do not; 0: not known
RBL_DECLARE_KERNEL(void, rbl_surface_decide_triangle_pairs,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    signed char *answers));

/// Drop pairs, sharing no vertex, that are certified to be further apart than `gap`.
/// @param kept  receives the indices of the others
RBL_DECLARE_KERNEL(int, rbl_surface_near_triangle_pairs,
                   (const rbl_vec3 *positions, const int *triangles, const int *pairs, int count,
                    float gap, int *kept));

/// Which corners pairs have in common.
/// @param bits  receives bit 3 i + k for corner i of the first and k of the second
RBL_DECLARE_KERNEL(void, rbl_surface_shared_corners,
                   (const int *triangles, const int *pairs, int count, uint16_t *bits));

// --- sweep: boxes at both ends of a step --------------------------------------------------------

/// Write the boxes of eight triangles, and of all of them.
/// @param starts, ends  one float after the last position must be readable; the same where nothing
///                      moves: boxes at the start alone are written
/// @param until         how much of the step counts: boxes are those at the start and then,
///                      rounded where it is not 1
/// @param triangles     three vertex indices each
/// @param ids           of eight triangles; the first again for those below 0
RBL_DECLARE_KERNEL(void, rbl_surface_fill_swept_boxes,
                   (rbl_surface_swept_boxes * boxes, const rbl_vec3 *starts, const rbl_vec3 *ends,
                    float until, const int *triangles, const int32_t *ids));

/// Pairs of triangles of two clusters that do not stay further apart than `gap` along an axis.
/// @param is_still  the boxes were filled with ends that are the starts
/// @param pairs     receives up to 64 pairs
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_surface_swept_cluster_pairs,
                   (const rbl_surface_cluster *a, const rbl_surface_swept_boxes *a_boxes,
                    const rbl_surface_cluster *b, const rbl_surface_swept_boxes *b_boxes, float gap,
                    bool is_still, rbl_surface_pair *pairs));

// --- sweep: pairs of triangles ------------------------------------------------------------------

/// Where triangles are when a step begins and ends. One float after the last position is readable.
typedef struct rbl_surface_sweep_source {
	const rbl_vec3 *starts, *ends;
	float until; // how much of the step counts, up to 1; less: the thickness includes rounding
	const int *triangles;
	const int *places; // by vertex: seams (seam.h); NULL without any
	float thickness;
	bool overlap_along_axes; // no axis keeps any of the pairs apart: that has been tried
} rbl_surface_sweep_source;

/// Drop pairs of triangles, sharing no vertex, of which no features come as near as the thickness,
/// but for features that touch at a place of a seam.
/// @param pairs  two triangles each
/// @param kept   receives the indices of the others; space for count + 7
/// @param seams  receives bit 3 i + k for corner i of the first and k of the second at one place,
///               for each that is kept; space for count + 7
/// @return their number
RBL_DECLARE_KERNEL(int, rbl_surface_filter_swept_pairs,
                   (const rbl_surface_sweep_source *source, const int *pairs, int count, int *kept,
                    uint16_t *seams));

// --- sweep: displacement bounds -----------------------------------------------------------------

/// Bounds of the displacements of points, from start to end. One float after the last position is
/// readable.
/// @param count   1 or more
/// @param bounds  receives them; each is off by a rounding at most
RBL_DECLARE_KERNEL(void, rbl_surface_displacement_bounds,
                   (const rbl_vec3 *starts, const rbl_vec3 *ends, const int *vertices, int count,
                    rbl_box *bounds));

// --- sweep: seams -------------------------------------------------------------------------------

/// The second of two edges that touch at a place, and the normal of their hit.
typedef struct rbl_surface_seam_pair {
	uint32_t
		other; // 4 times the edge, plus 2: the first has its last vertex there, plus 1: the second
	rbl_vec3 normal;
} rbl_surface_seam_pair;

enum {
	/// Numbers of scratch memory for an edge of a place, and edges more that there must be space
	/// for.
	RBL_SURFACE_SEAM_DOUBLES = 7,
	RBL_SURFACE_SEAM_INTS = 5,
	RBL_SURFACE_SEAM_SPARE = 4,
};

/// All pairs of edges at a place that have no vertex in common, by their first, ascending. Those
/// that are at two places together come at one of them: the place of the first vertex of the second
/// edge, if it is one.
/// @param edges    those that the spokes of the place (seam.h) are numbers of
/// @param ends     where vertices are when the step ends
/// @param doubles  scratch, RBL_SURFACE_SEAM_DOUBLES times (count + RBL_SURFACE_SEAM_SPARE); `ints`
/// likewise
/// @param pairs    receives them; space for RBL_SURFACE_SEAM_SPARE more
/// @param counts   receives the number of pairs of each edge
RBL_DECLARE_KERNEL(void, rbl_surface_seam_pairs,
                   (const rbl_surface_seam_edge *edges, const uint32_t *spokes, int count,
                    const rbl_vec3 *ends, double *doubles, int32_t *ints,
                    rbl_surface_seam_pair *pairs, int *counts));

// --- cull: contours -----------------------------------------------------------------------------

/// A projection, with its origin at `corner`.
typedef struct rbl_surface_contour_view {
	rbl_vec3d corner, right, up;
} rbl_surface_contour_view;

/// Where vertices are in a projection, at one end of the step.
/// @param points  receives `count` points, x[time] and y[time] of each
RBL_DECLARE_KERNEL(void, rbl_surface_contour_project,
                   (const rbl_surface_contour_view *view, const rbl_vec3 *positions,
                    const int *vertices, int count, int time, rbl_surface_contour_point *points));

/// Edges between points.
typedef struct rbl_surface_contour_edges {
	const rbl_surface_contour_point *points;
	const int *ends; // of loops, one after another; NULL: lines from point 2 i to point 2 i + 1
	int count;       // of edges, 1 or more
	int times;       // ends of the step that count
	double margin;   // beyond rounding
} rbl_surface_contour_edges;

/// Bounds of edges over the step, in single precision and outwards.
/// @param blocks  receives rbl_surface_contour_block_count(count) blocks, eight edges each, and
///                then the bounds of these blocks, eight each
RBL_DECLARE_KERNEL(void, rbl_surface_contour_bound_edges,
                   (const rbl_surface_contour_edges *edges, rbl_surface_contour_bounds *blocks));

/// Pairs of edges whose bounds overlap: each edge of a block with those after it.
/// @param pairs  receives up to eight times `count` pairs @return how many
RBL_DECLARE_KERNEL(int, rbl_surface_contour_overlaps,
                   (const rbl_surface_contour_bounds *blocks, int count, int block,
                    rbl_surface_contour_pair *pairs));

static inline int rbl_surface_contour_block_count(int count)
{
	return (count + 7) / 8;
}

// --- cull: star-shaped bodies -------------------------------------------------------------------

/// Triangles that are tested from a point, at one instant or over a step.
typedef struct rbl_surface_star_source {
	const rbl_vec3 *positions[2]; // start and end; the second NULL: at one instant
	rbl_vec3 centres[2];
	const int *triangles; // three vertices each
	const int *list;      // the triangles that are tested
	int count;
	float margin; // by which each vertex may move, besides
} rbl_surface_star_source;

/// How often triangles that all turn their back to a point lie over a direction from it.
/// @return that count, at the start; -1 when a triangle may turn its face to the point at some
/// time, or when signs are not certain
RBL_DECLARE_KERNEL(int, rbl_surface_star_depth, (const rbl_surface_star_source *source));

// --- certificate: rigid motion ------------------------------------------------------------------

/// A rigid motion of a set of points: one at x goes to x + shift + rotation (x - middle).
typedef struct rbl_surface_rigid_motion {
	rbl_vec3 middle, shift;
	float rotation[3][3]; // rows of a rotation less 1, rounded from doubles
} rbl_surface_rigid_motion;

/// How far points end from where a motion takes them, along an axis at most, rounding included.
/// @param limit  the search ends when a point is farther off
/// @return that distance; infinite beyond the limit
RBL_DECLARE_KERNEL(float, rbl_surface_rigid_error,
                   (const rbl_surface_rigid_motion *motion, const rbl_vec3 *starts,
                    const rbl_vec3 *ends, const int *vertices, int count, float limit));

// --- certificate: margins -----------------------------------------------------------------------

/// Whether all triangles of a cluster face a direction, and do although each vertex moves by up to
/// `margin`.
/// @param direction  of length 1
RBL_DECLARE_KERNEL(bool, rbl_surface_cluster_faces,
                   (const rbl_surface_cluster *cluster, const rbl_vec3 *positions,
                    const int *triangles, rbl_vec3 direction, float margin));

/// The same at all times of a step.
RBL_DECLARE_KERNEL(bool, rbl_surface_cluster_faces_always,
                   (const rbl_surface_cluster *cluster, const rbl_vec3 *starts,
                    const rbl_vec3 *ends, const int *triangles, rbl_vec3 direction, float margin));

/// Whether the triangles of a cluster touch each other nowhere but in what they share, although
/// each vertex moves by up to `margin`: they face a direction, and seen along it their boundary
/// goes once round a point.
/// @param boundary        its boundary, bit 3 lane + k for half-edge k of a triangle
/// @param direction  of length 1
RBL_DECLARE_KERNEL(bool, rbl_surface_cluster_is_robust,
                   (const rbl_surface_cluster *cluster, uint32_t boundary,
                    const rbl_vec3 *positions, const int *triangles, rbl_vec3 direction,
                    float margin));

/// Two triangles that share a vertex: whether a plane through it has one on each side, and stays
/// between them although each vertex moves by up to `margin`.
/// @param corners  five vertices each: the shared one, two of the first triangle, two of the second
/// @param kept     receives the numbers of those that are not known to stay apart
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_surface_uncertain_wedges,
                   (const rbl_vec3 *positions, const int *corners, int count, float margin,
                    int *kept));

/// Two triangles that share an edge: whether there is a direction along which they lie on two sides
/// of it, although each vertex moves by up to `margin`.
/// @param corners  four vertices each: the ends of the edge, the others of the first and second
/// triangle
/// @param kept     receives the numbers of those that are not known to stay apart
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_surface_uncertain_hinges,
                   (const rbl_vec3 *positions, const int *corners, int count, float margin,
                    int *kept));

// --- certificate: caps --------------------------------------------------------------------------

/// Triangles that are tested.
typedef struct rbl_surface_cap_source {
	const rbl_vec3 *positions;
	const int *triangles, *list;
	int count;
	rbl_vec3 middle;
	float margin;
	int max_front_facing;
} rbl_surface_cap_source;

/// Find the caps of triangles, and which are front-facing.
/// @param blocks     receives one for each eight triangles
/// @param odd_count  receives how many are front-facing
/// @return whether few triangles are front-facing, with caps less than a half sphere, and some
/// direction has none of those but exactly one other over it
RBL_DECLARE_KERNEL(bool, rbl_surface_find_caps,
                   (const rbl_surface_cap_source *source, rbl_surface_cap_block *blocks,
                    int *front_facing_count));

/// Mark the caps that touch one of them.
RBL_DECLARE_KERNEL(void, rbl_surface_mark_caps,
                   (rbl_surface_cap_block * blocks, int block_count,
                    const rbl_surface_cap_block *from, int lane));
