// SPDX-License-Identifier: MIT
// Two polyhedra in their poses: separating axes (SAT, sat.c), nearest points (GJK, gjk.c),
// clipping.
#pragma once

#include "collide/collide_kernels.h"

#include <rubble/collide.h>

/// Two polyhedra, each in its pose.
typedef struct rbl_polyhedron_pair {
	const rbl_polyhedron *a, *b;
	rbl_transform pose_a, pose_b;
	rbl_collide_frame b_to_a;
	float radius; // sum of both
} rbl_polyhedron_pair;

rbl_polyhedron_pair rbl_polyhedron_pair_make(const rbl_polyhedron *a, rbl_transform pose_a,
                                             const rbl_polyhedron *b, rbl_transform pose_b);

static inline rbl_vec3 rbl_collide_frame_point(const rbl_collide_frame *frame, rbl_vec3 p)
{
	return rbl_add(rbl_mat_vec(frame->rotation, p), frame->translation);
}

/// The frame of A in B.
rbl_collide_frame rbl_collide_frame_inverse(const rbl_collide_frame *frame);

/// The distance of two rounded polyhedra, in the frame of the poses; negative when they overlap:
/// the least overlap of all axes.
/// @param max_distance  stop as soon as the distance is known to be greater
rbl_separation rbl_polyhedron_pair_distance(const rbl_polyhedron_pair *pair, float max_distance);

// --- separating axes -----------------------------------------------------------------------------

typedef enum rbl_sat_axis_kind {
	RBL_SAT_NONE,   // unknown
	RBL_SAT_APART,  // a direction that separates
	RBL_SAT_FACE_A, // the normal of a face of A
	RBL_SAT_FACE_B, // the opposite of the normal of a face of B
	RBL_SAT_EDGES,  // perpendicular to an edge of each
	RBL_SAT_CORES,  // between the nearest points of rounded shapes
} rbl_sat_axis_kind;

/// What a pair caches from step to step.
typedef struct rbl_sat_cache {
	rbl_vec3 direction; // APART: from A to B, in the frame of the poses
	float separation;   // along the axis when a search found it
	uint16_t kind;      // rbl_sat_axis_kind
	uint16_t a, b;      // faces or edges
	uint16_t age;       // refreshes since that search
} rbl_sat_cache;

_Static_assert(sizeof(rbl_sat_cache) == 24, "a cache of 24 bytes");

/// An axis found.
typedef struct rbl_sat_axis {
	rbl_sat_axis_kind kind;
	int a, b;
	rbl_vec3 normal;  // from A to B, in A's frame
	float separation; // of the cores
} rbl_sat_axis;

/// Separation of the cores along a direction in the frame of the poses.
float rbl_sat_separation(const rbl_polyhedron_pair *pair, rbl_vec3 direction);

/// How much deeper than the best axis a face may be and still be preferred, since it gives more
/// points: half a per cent of the thinner shape.
float rbl_sat_tolerance(const rbl_polyhedron_pair *pair);

/// Find the axis of greatest separation. Ends early with any that separates by more than `enough`.
/// @param faces  receives the best face when its separation is within rbl_sat_tolerance() of that,
///               else the same axis; may be NULL
/// @return false when neither polyhedron has a face or an edge
bool rbl_sat_find_axis(const rbl_polyhedron_pair *pair, float enough, rbl_sat_axis *axis,
                       rbl_sat_axis *faces);

/// The cached feature, a face or two edges, in the present poses.
/// @return false when it is no longer an axis: the arcs of the edges do not cross any more
bool rbl_sat_refresh_axis(const rbl_polyhedron_pair *pair, const rbl_sat_cache *cache,
                          rbl_sat_axis *axis);

// --- nearest points ------------------------------------------------------------------------------

/// Nearest points of two cores, in A's frame.
typedef struct rbl_gjk_result {
	float distance; // 0 when the cores overlap
	rbl_vec3 point_a, point_b;
	rbl_vec3 normal;        // from A to B; zero when the cores overlap
	int vertex_a, vertex_b; // one of the vertices that span the nearest feature; 0: of none
	bool is_beyond;         // stopped: farther than `max_distance`, and `distance` a lower bound
} rbl_gjk_result;

/// @param shift         moves B first, in A's frame
/// @param max_distance  stop as soon as the distance is known to be greater
rbl_gjk_result rbl_gjk_shifted_distance(const rbl_polyhedron_pair *pair, rbl_vec3d shift,
                                        float max_distance);

/// The same without a shift.
rbl_gjk_result rbl_gjk_distance(const rbl_polyhedron_pair *pair, float max_distance);

/// Whether one of the two is a solid of revolution, and SAT knows only what is inscribed in it.
static inline bool rbl_polyhedron_pair_is_revolved(const rbl_polyhedron_pair *pair)
{
	return pair->a->revolution || pair->b->revolution;
}

/// The nearest points of two cores of which one is a solid of revolution or, when they overlap,
/// the deepest ones along the axis of least overlap (revolution_manifold.c).
/// @param hint          a direction to start from, in A's frame; zero for none
/// @param max_distance  stop as soon as the distance is known to be greater
/// @return in A's frame; the distance is negative when the cores overlap
rbl_gjk_result rbl_revolved_distance(const rbl_polyhedron_pair *pair, rbl_vec3 hint,
                                     float max_distance);

/// Nearest points of two edges, in A's frame.
void rbl_collide_edge_points(const rbl_polyhedron_pair *pair, int edge_a, int edge_b, rbl_vec3 *a,
                             rbl_vec3 *b);

// --- clipping ------------------------------------------------------------------------------------

/// A point of the incident polyhedron above the reference face, in the frame of the latter. Two
/// lines intersect there, and identify it: edges of the incident face, or 128 + a side of the
/// reference face.
typedef struct rbl_collide_clip_point {
	rbl_vec3 position;
	float height; // above the reference face
	uint8_t before, after;
} rbl_collide_clip_point;

enum { RBL_COLLIDE_CLIP_CAPACITY = 256 };

/// Keep what of a polygon or segment is above another polygon, whose sides are named 128 and on.
/// @param tolerance  how far outside still counts
/// @param points     room for RBL_COLLIDE_CLIP_CAPACITY
/// @return the number of points
int rbl_collide_clip_to_polygon(const rbl_vec3 *corners, int corner_count, rbl_vec3 normal,
                                float tolerance, rbl_collide_clip_point *points, int count);

/// Clip the incident face to the sides of the reference face.
/// @param incident_face  receives the face of `incident` that was clipped; 0 when it has none
/// @param points         room for RBL_COLLIDE_CLIP_CAPACITY
/// @return the number of points
int rbl_collide_clip_faces(const rbl_polyhedron *reference, int face,
                           const rbl_polyhedron *incident,
                           const rbl_collide_frame *incident_to_reference, int *incident_face,
                           rbl_collide_clip_point *points);
