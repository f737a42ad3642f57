// SPDX-License-Identifier: MIT
// Triangulation of flat polygons with holes: faces of meshes, caps of cuts.
//
// What always holds, whatever the points are:
//
//   - every edge of every loop is the edge of exactly one triangle, in the loop's direction, and
//     every other edge is used once in each direction. What was closed stays closed;
//   - only points of the loops are corners: no point is added, moved or lost;
//   - it ends, in O(n log n) for loops that do not cross.
//
// When the loops do not cross, every triangle turns counter-clockwise by exact test. Loops may
// touch, at points or along edges, and repeat points: then some triangles may be flat.
#pragma once

#include "base/memory.h"
#include "geometry/predicates.h"

#include <rubble/types.h>

/// A point in the plane.
typedef struct rbl_point2 {
	double x, y;
} rbl_point2;

/// A polygon in the plane: the region to the left of its loops. Outer loops run counter-clockwise,
/// holes clockwise, islands within holes counter-clockwise again, in any order.
typedef struct rbl_polygon {
	/// Points of all loops, one loop after the other.
	const rbl_point2 *points;

	/// Loop k has the points loop_starts[k] to loop_starts[k + 1] - 1: loop_count + 1 numbers.
	const int *loop_starts;
	int loop_count;

	/// Points with equal ids are one vertex: triangles that would have it twice are left out.
	/// NULL: each point is its own.
	const int *ids;

	/// Flip edges towards a Delaunay triangulation: fewer slivers, at twice the time.
	bool improve;
} rbl_polygon;

/// What came of it.
typedef struct rbl_triangulation {
	int triangle_count;

	/// Triangles that turn clockwise: none unless loops cross or run the wrong way round.
	int inverted_count;

	/// Triangles of zero area: none unless loops touch, overlap or repeat points.
	int flat_count;
} rbl_triangulation;

/// @return the most triangles that a polygon can give.
static inline int rbl_triangulate_capacity(int point_count, int loop_count)
{
	return point_count + 2 * loop_count;
}

/// Triangulate a polygon.
/// @param scratch    memory for the work; the caller resets it some time later
/// @param triangles  receives three point indices per triangle, space for
///                   rbl_triangulate_capacity() triangles
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_triangulate(rbl_arena *scratch, const rbl_polygon *polygon, int *triangles,
                           rbl_triangulation *made);

/// @return 1 when a, b, c turn left, -1 right, 0 when they are on a line, by exact test
static inline int rbl_point2_turn(const rbl_point2 *points, int a, int b, int c)
{
	rbl_point2 p = points[a], q = points[b], r = points[c];
	return rbl_orient2d(p.x, p.y, q.x, q.y, r.x, r.y);
}

static inline bool rbl_point2_coincide(const rbl_point2 *points, int a, int b)
{
	return points[a].x == points[b].x && points[a].y == points[b].y;
}

/// Drop the coordinate in which `normal` is largest, so that what turns counter-clockwise about
/// the normal turns counter-clockwise in the plane. Exact: the other coordinates keep their bits.
static inline rbl_point2 rbl_project(rbl_vec3d p, rbl_vec3d normal)
{
	double x = normal.x < 0.0 ? -normal.x : normal.x, y = normal.y < 0.0 ? -normal.y : normal.y;
	double z = normal.z < 0.0 ? -normal.z : normal.z;
	if (x >= y && x >= z)
		return (rbl_point2){ p.y, normal.x < 0.0 ? -p.z : p.z };
	if (y >= z)
		return (rbl_point2){ p.z, normal.y < 0.0 ? -p.x : p.x };
	return (rbl_point2){ p.x, normal.z < 0.0 ? -p.y : p.y };
}

/// Cut the loops of a polygon into cycles that are monotone in x, wherever loops do not cross.
/// The result lives in the scratch memory.
typedef struct rbl_monotone_cycles {
	/// Nodes are linked into cycles. Node i < point count is point i, if it is in a cycle at all
	/// (next[i] >= 0); further nodes are copies, made where a diagonal was drawn.
	int *next, *prev, *points;
	int node_count;

	/// Place of each point in the order of the sweep: by x, then y, then a rule for equals.
	int *ranks;
} rbl_monotone_cycles;

/// @param next,prev  the loops; points that are in none have -1. Neighbours differ in place.
rbl_result rbl_monotone_partition(rbl_arena *scratch, const rbl_point2 *points, int point_count,
                                  const int *next, const int *prev, rbl_monotone_cycles *cycles);

/// Flip edges between triangles until they are Delaunay or the budget is spent. Edges from a
/// point to its successor in `next` are kept.
rbl_result rbl_triangulate_delaunay(rbl_arena *scratch, const rbl_point2 *points, const int *next,
                                    int *triangles, int triangle_count);
