// SPDX-License-Identifier: MIT
// The axis along which a pair touches or is apart, and what is remembered of it.
#pragma once

#include "collide/axis_kernels.h"

#include <rubble/collide.h>

typedef enum rbl_axis_kind {
	RBL_AXIS_NONE,   // nothing is known
	RBL_AXIS_APART,  // a direction that separates
	RBL_AXIS_FACE_A, // the normal of a face of A
	RBL_AXIS_FACE_B, // of B, turned round
	RBL_AXIS_EDGES,  // at right angles to an edge of each
	RBL_AXIS_CORES,  // between the nearest points of rounded shapes
} rbl_axis_kind;

/// What a pair remembers from step to step.
typedef struct rbl_axis_cache {
	rbl_vec3 direction; // APART: from A to B, in the frame of the poses
	float separation;   // along the axis when it was found by a search
	uint16_t kind;      // rbl_axis_kind
	uint16_t a, b;      // faces or edges
	uint16_t age;       // refreshes since that search
} rbl_axis_cache;

_Static_assert(sizeof(rbl_axis_cache) == 24, "a cache of 24 bytes");

/// An axis found.
typedef struct rbl_pair_axis {
	rbl_axis_kind kind;
	int a, b;
	rbl_vec3 normal;  // from A to B, in A's frame
	float separation; // of the cores
} rbl_pair_axis;

/// Two polyhedra, each where it is.
typedef struct rbl_pair_pose {
	const rbl_polyhedron *a, *b;
	rbl_transform pose_a, pose_b;
	rbl_frame b_to_a;
	float round; // sum of both radii
} rbl_pair_pose;

rbl_pair_pose rbl_pair_pose_make(const rbl_polyhedron *a, rbl_transform pose_a,
                                 const rbl_polyhedron *b, rbl_transform pose_b);

static inline rbl_vec3 rbl_frame_point(const rbl_frame *frame, rbl_vec3 p)
{
	return rbl_add(rbl_mat_vec(frame->turn, p), frame->shift);
}

/// The frame of A in B.
rbl_frame rbl_frame_inverse(const rbl_frame *frame);

/// Separation of the cores along a direction of the world, by supports.
float rbl_axis_separation(const rbl_pair_pose *pair, rbl_vec3 direction);

/// How much deeper a face may be than the least axis and still be taken, for the sake of its many
/// points: half a per cent of the thinner shape.
float rbl_axis_tolerance(const rbl_pair_pose *pair);

/// The axis of greatest separation. Ends early with any that separates by more than `enough`.
/// @param axis   receives it
/// @param faces  receives the best face when its separation is within rbl_axis_tolerance() of that,
///               else the same; NULL when not wanted
/// @return false when neither has a face nor an edge
bool rbl_axis_find(const rbl_pair_pose *pair, float enough, rbl_pair_axis *axis,
                   rbl_pair_axis *faces);

/// The cached feature in the present pose: face or edges.
/// @return false when it is no longer an axis: the edges' arcs no longer cross
bool rbl_axis_again(const rbl_pair_pose *pair, const rbl_axis_cache *cache, rbl_pair_axis *axis);
