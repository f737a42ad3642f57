// SPDX-License-Identifier: MIT
// The arrangement of a closed surface that may cross itself: its triangles, cut where they cross,
// and how often the surface winds around the places beside each.
//
//   arrangement.c          where triangles cross: nodes and segments
//   arrangement_faces.c    triangles cut along their segments, into regions and faces
//   arrangement_winding.c  the winding number in front of each region
//
// Vertices are moved first, by 1e-13 of the surface's size: inwards, so that walls without a
// thickness turn inside out and parts that touch are separated, and a little at random, so that no
// vertex lies in the plane of a triangle it has no part in, and no three planes meet in an edge.
// Every crossing is then a segment between two piercings, of an edge and a triangle each. Whether
// an edge pierces a triangle is decided exactly; places of nodes are known to about 1e-28 of the
// size, far better than the distance between any two. Results refer to the original vertices and
// are checked as a whole; another motion is tried when the result is not closed
// (Zhou, Grinspun, Zorin and Jacobson 2016, "Mesh arrangements for solid geometry", with exact
// constructions replaced by that motion).
#pragma once

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "geometry/double_double.h"

#include <rubble/types.h>

/// Points with about 106 bits per coordinate.
typedef struct rbl_vec3dd {
	rbl_dd x, y, z;
} rbl_vec3dd;

typedef struct rbl_vec2dd {
	rbl_dd x, y;
} rbl_vec2dd;

/// Twice the signed area of a triangle.
static inline rbl_dd rbl_vec2dd_area(const rbl_vec2dd *a, const rbl_vec2dd *b, const rbl_vec2dd *c)
{
	return rbl_dd_minor(rbl_dd_sub(a->x, c->x), rbl_dd_sub(a->y, c->y), rbl_dd_sub(b->x, c->x),
	                    rbl_dd_sub(b->y, c->y));
}

/// Leave out a coordinate.
static inline rbl_vec2dd rbl_vec3dd_project(const rbl_vec3dd *p, int axis)
{
	return axis == 0   ? (rbl_vec2dd){ p->y, p->z }
	       : axis == 1 ? (rbl_vec2dd){ p->z, p->x }
	                   : (rbl_vec2dd){ p->x, p->y };
}

/// Where an edge pierces a triangle, or three triangles meet.
typedef struct rbl_arrangement_node {
	rbl_vec3dd place;   // among the moved vertices
	rbl_vec3d position; // among the vertices as they were
	int edge;           // that pierces; -1: three triangles meet
	rbl_dd at;          // how far along the edge, from its lower vertex
} rbl_arrangement_node;

/// Where two triangles cross. Its ends are in such order that, seen from the front of the first
/// triangle, what is to the left of it lies behind the second one; seen from the front of the
/// second, what is to the left lies in front of the first.
typedef struct rbl_arrangement_segment {
	int triangles[2];
	int ends[2];
	int first_middle; // nodes in between, in the list of middles
} rbl_arrangement_segment;

/// Two regions of a triangle that a segment parts, and how much larger the winding number in front
/// of the first is.
typedef struct rbl_arrangement_link {
	int left, right;
	int change;
} rbl_arrangement_link;

/// A triangle or a part of one, of three nodes. Nodes below the number of vertices are vertices.
typedef struct rbl_arrangement_face {
	int triangle, region;
	int nodes[3];
} rbl_arrangement_face;

typedef struct rbl_arrangement {
	rbl_allocator allocator;
	int vertex_count;
	const rbl_vec3d *originals; // of vertices, the caller's
	rbl_vec3d *positions;       // moved

	/// Triangles, each at one place only: their numbers among those given, three vertices each, and
	/// how often they count there, those that look the other way as -1. Triangles that cancel are
	/// left out, and those that would count less than zero are turned over.
	int live_count;
	int *sources, *triangles, *counts;
	unsigned char *is_flipped;
	int triangle_count; // that were given

	rbl_map edges;                         // by key, the edges that pierce
	rbl_map piercings;                     // by edge and triangle
	rbl_map pairs;                         // by two triangles, the segment
	RBL_ARRAY(rbl_arrangement_node) nodes; // after the vertices
	RBL_ARRAY(rbl_arrangement_segment) segments;
	RBL_ARRAY(int) segment_middles;           // segment and node in turn, then nodes by segment
	int *triangle_starts, *triangle_segments; // segments by triangle
	int *edge_starts, *edge_nodes;            // nodes by edge, in order along it
	size_t edge_capacity, node_capacity;      // of the last two

	RBL_ARRAY(rbl_arrangement_face) faces;
	RBL_ARRAY(rbl_sort_item64) borders; // of regions: edges of the surface, and the region
	RBL_ARRAY(rbl_arrangement_link) links;
	int region_count;
	int *fronts; // per region: the winding number in front of it
} rbl_arrangement;

/// Arrange triangles that close a surface.
/// @param normals    outward directions of vertices, of unit length or zero
/// @param triangles  three vertices each
/// @param step       how far vertices are moved
/// @param seed       of the motion
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (far too many crossings); RBL_BAD_MESH,
///         without a line in the log: the motion has put something into a plane (try another seed).
///         Destroy it in any case
rbl_result rbl_arrangement_create(rbl_arrangement *arrangement, const rbl_allocator *allocator,
                                  const rbl_vec3d *positions, const rbl_vec3d *normals,
                                  int vertex_count, const int *triangles, int triangle_count,
                                  double step, uint64_t seed);

void rbl_arrangement_destroy(rbl_arrangement *arrangement);

/// Whether triangles cross, or lie at one place. When they do not, no more is needed.
static inline bool rbl_arrangement_has_crossings(const rbl_arrangement *arrangement)
{
	return arrangement->segments.count > 0 || arrangement->live_count < arrangement->triangle_count;
}

/// Cut all triangles. @return as rbl_arrangement_create()
rbl_result rbl_arrangement_cut(rbl_arrangement *arrangement);

/// Find the winding numbers. @return as rbl_arrangement_create()
rbl_result rbl_arrangement_wind(rbl_arrangement *arrangement);

/// The winding number in front of a face; behind it is that and the count of its triangle.
static inline int rbl_arrangement_front(const rbl_arrangement *arrangement, int face)
{
	return arrangement->fronts[arrangement->faces.data[face].region];
}

/// The place of a node among the moved vertices, and that rounded.
rbl_vec3dd rbl_arrangement_precise_position(const rbl_arrangement *arrangement, int node);
rbl_vec3d rbl_arrangement_moved(const rbl_arrangement *arrangement, int node);

/// The position of a node among the vertices as they were.
rbl_vec3d rbl_arrangement_position(const rbl_arrangement *arrangement, int node);
