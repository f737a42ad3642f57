// SPDX-License-Identifier: MIT
// What lies at the places of seams: corners of faces, and edges, by place.
#pragma once

#include "surface/seams.h"

/// A face with corners at places.
typedef struct rbl_seam_face {
	rbl_vec3d across; // unit normal, or zero
	int triangle;
	int vertices[3];
} rbl_seam_face;

/// An edge with an end or both at places.
typedef struct rbl_seam_edge {
	rbl_vec3d translation; // from its first to its last vertex, when the step begins
	int ends[2];           // its vertices
	int places[2];         // of them, 0: none
} rbl_seam_edge;

/// Faces and edges, ascending, and by place, ascending, which of them lie there: 4 times the face plus the corner;
/// 2 times the edge plus the end, the first when both are there.
typedef struct rbl_seam_lists {
	rbl_seam_face *faces;
	rbl_seam_edge *edges;
	int *edge_ids; // half-edges that own them
	int edge_count;
	uint32_t *corners, *spokes;
	int *corner_starts, *spoke_starts; // by place, and one more
	int *vertex_counts;                // by place
	rbl_sort_item *vertices;           // at places, ascending, with their place
} rbl_seam_lists;

/// List what lies at the places of a query, in its seam_scratch.
/// @return false when memory ran out
bool rbl_seams_gather(rbl_surface *surface, rbl_seam_lists *lists);
