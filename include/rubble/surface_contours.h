// SPDX-License-Identifier: MIT
// Intersections of surfaces as curves: where bodies go through each other, what lies within, and
// how deep closed bodies are in each other.
//
// The pairs that rbl_surface_collide() found are joined by the edges that pass through faces, never
// by a tolerance. Where things only touch or lie in one plane, vertices count as moved by next to
// nothing, each in a way of its own, so that every curve is a clean one: it runs from face to face
// and closes, or ends at a boundary.
#pragma once

#include <rubble/surface.h>

/// A point of a contour, where an edge passes through a face.
typedef struct rbl_surface_crossing {
	/// Right but for rounding; the same for both triangles beside the edge.
	rbl_vec3d position;

	/// The half-edge with the lower number of the edge's two; -1 where the contour ends at a vertex
	/// that both triangles share.
	int edge;

	/// The face; or that vertex.
	int triangle;

	/// How far along the edge, from 0 at its first vertex to 1.
	float along;
} rbl_surface_crossing;

/// A curve along which two bodies, or parts of one, go through each other. It has two sides: that
/// of the body with the lower index is the first; of one body it is either.
typedef struct rbl_surface_contour {
	/// The bodies of both sides.
	rbl_surface_body_id bodies[2];

	/// It comes back to where it began. Otherwise it ends at boundaries, at a vertex that both
	/// sides share, at an edge that is not manifold, or where a filter leaves pairs out.
	bool is_closed;

	/// Its segments: triangle_pairs[begin] and so on of the list; they lie in crossings[i] to
	/// crossings[i + 1] of its own, and the last of a closed contour leads back to the first.
	int begin, count;

	/// Its crossings in the list: as many as segments when it is closed, else one more.
	int crossing_begin, crossing_count;

	/// What of either side it cuts off: the smaller part, by its vertices. None where the side does
	/// not fall in two, such as around the handle of a torus, or where the contour stays within
	/// one triangle of it.
	bool has_inside[2];

	/// The vertices of that, and triangles that are all inside: those it goes through are not among
	/// them. Ascending; in the lists below.
	int vertex_begin[2], vertex_count[2];
	int triangle_begin[2], triangle_count[2];
} rbl_surface_contour;

/// All contours; the arrays live as long as the list of pairs.
typedef struct rbl_surface_contours {
	/// In the order of their first pairs.
	const rbl_surface_contour *contours;
	int count;

	/// The triangles of segments: `a` is of the first side, `b` of the second. Some may share a
	/// vertex and meet there alone, which makes them no pair.
	const rbl_surface_pair *triangle_pairs;
	const rbl_surface_crossing *crossings;
	const int *vertices, *triangles;

	/// Pairs that only touch: without any of them, moved by next to nothing, the two are apart.
	/// Ascending.
	const rbl_surface_pair *touching;
	int touching_count;
} rbl_surface_contours;

/// Join the pairs that rbl_surface_collide() gave last into contours.
/// @param list  receives the contours, the same for any number of workers, empty on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the last list is none of pairs), RBL_OUT_OF_MEMORY
/// Cost: O(n) in the triangles of the surface and in pairs, and for each contour twice what is
/// inside.
RBL_API rbl_result rbl_surface_get_contours(rbl_surface *surface, rbl_surface_contours *list);

/// Two closed bodies that are in each other.
typedef struct rbl_surface_overlap {
	/// The body with the lower index first.
	rbl_surface_body_id a, b;

	/// Unit: moving `a` along it makes the overlap smaller faster than any other way. It is the
	/// direction of the sum of area normals of what `b` has of the surface of `a`, turned round,
	/// which is known from the contours alone. Zero where that sum is: something goes right
	/// through.
	rbl_vec3 direction;

	/// The length of that sum, in square metres: so fast the volume of the overlap shrinks.
	float area;

	/// How far `a` must move along the direction, in metres, until all vertices of either body that
	/// are in the other have left it; where only edges cross, how far the contours reach along it.
	/// An estimate of the way out: other parts may meet on the way. 0 without a direction.
	float depth;

	/// Vertices of `a` within `b`, and of `b` within `a`: in the list below, ascending.
	int vertex_begin[2], vertex_count[2];
} rbl_surface_overlap;

/// All overlaps, ascending by the indices of `a` and `b`; the arrays live as long as the list of
/// pairs.
typedef struct rbl_surface_overlaps {
	const rbl_surface_overlap *overlaps;
	int count;
	const int *vertices;
} rbl_surface_overlaps;

/// Measure how closed bodies overlap whose surfaces cross, among the pairs that
/// rbl_surface_collide() gave last. Their triangles face outwards. A body with a boundary, or with
/// an edge that is not manifold, has no overlap; nor has one that is wholly within another.
/// @param list  receives the overlaps, the same for any number of workers, empty on failure; the
///              contours of the same pairs stay
/// @return RBL_OK, RBL_BAD_ARGUMENT (the last list is none of pairs), RBL_OUT_OF_MEMORY
/// Cost: that of rbl_surface_get_contours(), and a ray from each vertex that overlaps.
RBL_API rbl_result rbl_surface_get_overlaps(rbl_surface *surface, rbl_surface_overlaps *list);
