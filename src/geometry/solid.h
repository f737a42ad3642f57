// SPDX-License-Identifier: MIT
// A closed surface prepared for cutting.
#pragma once

#include "base/memory.h"

#include <rubble/fracture.h>
#include <rubble/mesh.h>

/// How much of a solid's volume may be inverted, where its surface crosses itself, and be left out
/// of breaks. Volumes are promised to add up as well as this.
#define RBL_INVERTED_SHARE 1e-9

/// A shell group: one outer surface with the voids inside it. Groups may overlap each other and
/// are cut apart from each other.
typedef struct rbl_solid_group {
	double volume;
	rbl_boxd bounds;
} rbl_solid_group;

struct rbl_solid {
	rbl_allocator allocator;
	const rbl_mesh *mesh;   // the caller's: attributes and materials
	const int *face_starts; // its

	/// Added to positions to get the mesh's: the centre of its box. Far from the origin digits
	/// would be lost.
	rbl_vec3d origin;
	rbl_vec3d half; // half the box
	double size;    // its diagonal
	double volume;

	int vertex_count, triangle_count;
	rbl_vec3d *positions;
	rbl_vec3d *normals; // per vertex, some outward direction, not of unit length

	int *triangle_vertices; // three per triangle
	int *triangle_corners;  // the mesh's corners, likewise
	int *triangle_faces;    // the mesh's face; triangles of one stand together
	int *triangle_groups;

	/// Edge k of a triangle runs from its vertex k to its vertex k + 1. Half-edge 3 t + k is edge k
	/// of triangle t; twins run the other way along the same edge.
	int *twins;
	int *edges; // the edge of each half-edge, 0 to 3 / 2 triangle_count - 1

	int group_count;
	rbl_solid_group *groups;

	/// Per face of the mesh: 1 when it is flat and has several triangles. Its parts in a cell
	/// become one polygon again.
	unsigned char *is_mergeable;
	bool has_mergeable;

	int *weld; // per vertex of the mesh, while it is made; then NULL
	int step;  // of making it
};

/// Make a solid step by step, about five of like length. rbl_solid_check_groups() is left to the
/// caller.
/// @return as rbl_create_solid(); after a failure it can only be destroyed
rbl_result rbl_solid_begin(const rbl_solid_def *def, rbl_solid **solid);
rbl_result rbl_solid_advance(rbl_solid *solid, bool *is_done);

/// rbl_create_solid() without the check below. Voids that cross each other are counted twice, so
/// that they may be larger than what is around them.
rbl_result rbl_solid_create_unchecked(const rbl_solid_def *def, rbl_solid **solid);

/// Copy a solid for a copy of its mesh, in a twentieth of the time that making it takes.
/// @param allocator  NULL for the process's default
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_solid_copy(const rbl_solid *solid, const rbl_mesh *mesh,
                          const rbl_allocator *allocator, rbl_solid **copy);

/// Whether every group has a volume. @return RBL_OK, RBL_BAD_MESH with a line in the log
rbl_result rbl_solid_check_groups(const rbl_solid *solid);

/// A half-edge runs along a line that triangulation drew inside a face of the mesh.
static inline bool rbl_solid_is_diagonal(const rbl_solid *solid, int half_edge)
{
	return solid->triangle_faces[half_edge / 3] ==
	       solid->triangle_faces[solid->twins[half_edge] / 3];
}
