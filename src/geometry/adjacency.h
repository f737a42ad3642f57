// SPDX-License-Identifier: MIT
// Which face lies across each edge of a mesh.
//
// A corner also stands for the half-edge from it to the next corner of its face. Half-edges
// between the same two vertices form one edge, in whatever direction and number they come.
#pragma once

#include "base/memory.h"
#include "base/union_find.h"

#include <rubble/mesh.h>

/// What stands in `twins` where there is no one twin.
enum {
	/// The half-edge is alone on its edge.
	RBL_TWIN_BOUNDARY = -1,

	/// The edge has more than two half-edges, or two in the same direction.
	RBL_TWIN_NONMANIFOLD = -2,

	/// The half-edge runs from a vertex to itself: it is on no edge.
	RBL_TWIN_NO_EDGE = -3,
};

/// Built once from the faces of a mesh, by counting and sorting: the same for the same mesh.
typedef struct rbl_adjacency {
	/// The half-edge that runs along the same edge the other way, or RBL_TWIN_...; per corner.
	int *twins;

	/// The face of each corner.
	int *faces;

	/// The edge of each half-edge, -1 for none. Edges are numbered by lower, then higher vertex.
	int *edges;

	/// Edge e has the half-edges edge_corners[edge_starts[e]] to edge_corners[edge_starts[e + 1] -
	/// 1], in ascending order: edge_count + 1 numbers.
	int *edge_starts, *edge_corners;

	int edge_count, boundary_edge_count, nonmanifold_edge_count;

	rbl_allocator allocator;
	int corner_count;
} rbl_adjacency;

/// Build it. @return RBL_OK, RBL_OUT_OF_MEMORY (nothing is left to destroy)
/// Cost: O(n).
rbl_result rbl_adjacency_init(rbl_adjacency *adjacency, const rbl_allocator *allocator,
                              const rbl_mesh_data *data);

void rbl_adjacency_destroy(rbl_adjacency *adjacency);

/// The next corner around the face of `corner`.
static inline int rbl_next_corner(const rbl_mesh_data *data, const rbl_adjacency *adjacency,
                                  int corner)
{
	int face = adjacency->faces[corner];
	return corner + 1 < data->face_starts[face + 1] ? corner + 1 : data->face_starts[face];
}

/// The corner after corner 3 t + k of triangle t, around the triangle.
static inline int rbl_next_in_triangle(int corner)
{
	return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/// The corner before `corner` around its face.
static inline int rbl_previous_corner(const rbl_mesh_data *data, const rbl_adjacency *adjacency,
                                      int corner)
{
	int face = adjacency->faces[corner];
	return (corner > data->face_starts[face] ? corner : data->face_starts[face + 1]) - 1;
}

/// Label each corner with its fan: the corners of a vertex that are joined by edges of exactly two
/// half-edges, in whatever direction. Fans are numbered from 0 in the order of their first corner.
/// @param fans       receives a label per corner
/// @param fan_count  receives the number of fans
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_corner_fans(const rbl_mesh_data *data, const rbl_adjacency *adjacency, int *fans,
                           int *fan_count);
