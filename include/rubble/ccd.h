// SPDX-License-Identifier: MIT
// Single tests of features: a vertex and a face, or two edges, over a time step; two triangles at
// one instant. Surfaces (rubble/surface.h) call them for many.
//
// Vertices move in straight lines from their start to their end. A pair hits when at some time of
// the step, ends included, the two have a point in common: touching counts. The answer is never
// "no" for a pair that hits, in real arithmetic on the very numbers given, and the time is never
// later than that of the first contact. Both are kept by proofs on intervals of time, not by a
// tolerance: there is no length in here that you would have to choose.
//
// The other way round a bound shows: pairs that stay apart by less than about 1e-29 of their size,
// at every precision tried, are reported as hits with `is_certified` false.
//
// Pairs that share a vertex always touch. Leave them out.
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

/// What a continuous test found. When `is_hit` is false, all else is zero.
typedef struct rbl_impact {
	/// When, from 0 at the start to 1 at the end of the step. Not later than the first contact, and
	/// early by rounding only (about 1e-13), or by more when work ran out: then is_certified is
	/// false.
	double time;

	/// Where. Vertex and face: the share of each face vertex, from 0 to 1, sum 1. Edges: weights[0]
	/// is the place along the first edge, weights[1] along the second, from 0 at its first vertex
	/// to 1 at its second; weights[2] is 0.
	double weights[3];

	/// Unit, out of the face towards the side the vertex comes from, or out of the second edge
	/// towards the first: to move the first feature along it takes the two apart. With a thickness
	/// it is the direction between the closest points at that time, also at the start and however
	/// they move. Without one, and where the two touch, it is square to the face or to both edges,
	/// on the side that they come from; where that vanishes (edges that are parallel, faces without
	/// area), some unit vector against the motion.
	rbl_vec3d normal;

	/// Whether they touch within the step.
	bool is_hit;

	/// The pair is in contact, or nearer than the thickness asked for, when the step begins: time
	/// is 0, and will be in every step until they part.
	bool is_contact_at_start;

	/// False when the pair comes too close for the arithmetic to tell, or work ran out.
	bool is_certified;
} rbl_impact;

/// Test a vertex against a face.
/// @param start       the vertex, then the three of the face, when the step begins
/// @param end         the same when it ends
/// @param thickness  report pairs when they come as near as this, 0 or more. 0 asks for contact.
///                    Above 0, a reported pair is within 1.1 times the thickness at the time found,
///                    unless work or precision ran out: then is_certified is false
/// @param impact      receives what was found; unchanged on failure
/// @return RBL_OK (also when nothing hits), RBL_BAD_ARGUMENT (NULL, a coordinate that is no number
/// or
///         infinite, a thickness below 0)
/// Threads: any. No memory is taken. Cost: bounded. Without thickness tens of nanoseconds for most
/// pairs, a few microseconds for touching ones, some twenty at most.
RBL_API rbl_result rbl_test_vertex_face(const rbl_vec3d start[4], const rbl_vec3d end[4],
                                        double thickness, rbl_impact *impact);

/// Test an edge against an edge.
/// @param start  the two vertices of the first edge, then those of the second, when the step begins
/// @return as rbl_test_vertex_face(), and so is all else. Threads: any.
RBL_API rbl_result rbl_test_edge_edge(const rbl_vec3d start[4], const rbl_vec3d end[4],
                                      double thickness, rbl_impact *impact);

/// The closest points of a vertex and a face, or of two edges.
typedef struct rbl_closest {
	/// How far apart they are, off by less than `rounding`: 2^-40 of the largest difference of
	/// their coordinates.
	double distance, rounding;

	/// The share of each of the four points: those of the vertex (which is 1) or the first edge add
	/// up to 1, and so do those of the face or the second edge. A share below 2^-44 is 0, so bits
	/// tell what is nearest: bit i of `corners` is set when point i has a share.
	double weights[4];
	unsigned corners;

	/// The closest points: on the vertex or the first edge, and on the face or the second.
	rbl_vec3d points[2];

	/// Unit, from the second of them to the first. Where they coincide: square to the face or to
	/// both edges, on either side.
	rbl_vec3d direction;
} rbl_closest;

/// Find the closest points of a vertex and a face.
/// @param points   the vertex, then the three of the face, none beyond 1e300. A face without area
///                 is what is left of it
/// @param closest  receives them; unchanged on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (NULL, or a coordinate that is not finite or beyond 1e300)
/// Threads: any. Cost: some 50 nanoseconds.
RBL_API rbl_result rbl_closest_vertex_face(const rbl_vec3d points[4], rbl_closest *closest);

/// Find the closest points of two edges: of parallel ones, some of them.
/// @param points  the two vertices of the first edge, then those of the second
/// @return as rbl_closest_vertex_face(), and so is all else. Threads: any.
RBL_API rbl_result rbl_closest_edge_edge(const rbl_vec3d points[4], rbl_closest *closest);

/// Test whether two triangles intersect at one instant: whether they have a point in common,
/// touching included, apart from the vertex or edge that they share. A triangle without area is the
/// segment or point that is left of it. The answer is that of real arithmetic where coordinates are
/// zero or of a magnitude within 2^-300 to 2^300, so it does not depend on the order of triangles
/// or vertices.
/// @param shared_count  the first so many vertices of both, 0 to 2, are the same vertices of a
/// mesh:
///                      with 1 they intersect at a point other than that vertex, with 2 at a point
///                      that is not on that edge. Vertices that only lie at one place are not
///                      shared
/// @param is_hit        receives the answer; unchanged on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (NULL, a coordinate that is not finite, shared vertices at
///         different places, or more than 2 of them)
/// Threads: any. Cost: tens of nanoseconds.
RBL_API rbl_result rbl_test_triangles(const rbl_vec3d a[3], const rbl_vec3d b[3], int shared_count,
                                      bool *is_hit);
