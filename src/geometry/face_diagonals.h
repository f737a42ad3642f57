// SPDX-License-Identifier: MIT
// Diagonals of triangulated faces: no two along each other, none along an edge of the mesh.
//
// Two faces may have two vertices in common that are no edge of either. Cut along them both, they
// leave an edge with four triangles: a closed manifold of polygons is none of triangles any more.
#pragma once

#include "base/memory.h"

#include <rubble/mesh.h>

/// The key of the edge between two vertices in a map, whichever way it runs.
static inline uint64_t rbl_edge_key(int a, int b)
{
	return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

/// Find diagonals that run along an edge of the mesh or along an earlier diagonal.
/// @param triangles  three corners per triangle, face by face, size - 2 for each face
/// @param marks      receives per face whether it has such a diagonal, or NULL
/// @param count      receives how many there are
/// @return RBL_OK, RBL_OUT_OF_MEMORY
/// Cost: O(n); nothing for a mesh of triangles.
rbl_result rbl_find_doubled_diagonals(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                      const int *triangles, unsigned char *marks, int *count);

/// Flip such diagonals wherever the two triangles beside one form a convex quad, seen along the
/// normal of the face, whose other diagonal is free.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (triangles are as they were)
/// Cost: as rbl_find_doubled_diagonals().
rbl_result rbl_separate_diagonals(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                  int *triangles);
