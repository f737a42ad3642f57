// SPDX-License-Identifier: MIT
// Seams: where a body broke, vertices of its pieces lie at one place until the pieces part.
//
// Whatever shares such a place touches at the start of the step: every vertex and every face of the
// others around it, and every two edges. That is a quarter of a million hits where one wall breaks,
// and topology alone names them. So the vertices of fresh pieces are put together by place before a
// continuous query, the traversal leaves out what touches at a place, and at the end these hits are
// written in order, between those that were found. They are the same, bit for bit, as without
// seams.
#pragma once

#include "surface/surface.h"

#include "base/worker_group.h"

/// Find the places of a query. Call it before the traversal.
/// @return false when memory ran out
bool rbl_surface_find_seams(rbl_surface *surface);

/// A hit that was found otherwise, by its place in the order of hits.
typedef struct rbl_surface_other_hits {
	const rbl_sort_item64 *items; // value and extra: index and worker
	int count;
} rbl_surface_other_hits;

/// Write all hits of a query in order: those at places, and the rest.
/// @return false when memory ran out
bool rbl_surface_write_seam_hits(rbl_surface *surface, rbl_worker_group *workers,
                                 rbl_surface_other_hits rest);

/// The key of a hit: ascending in the order of hits. Half-edges and ids are below 2^30.
static inline uint64_t rbl_surface_hit_key(rbl_surface_hit_kind kind, int a, int b)
{
	return ((uint64_t)kind << 30 | (uint32_t)a) << 32 | (uint32_t)b;
}

/// An edge belongs to its lower half-edge; one that is not manifold to the first of all.
static inline bool rbl_surface_owns_edge(const rbl_surface *surface, int h)
{
	int twin = surface->twins[h];
	return twin >= 0 ? h < twin : twin != RBL_SURFACE_NON_MANIFOLD_REST;
}

// --- what lies at places ------------------------------------------------------------------------

/// A face with corners at places.
typedef struct rbl_surface_seam_face {
	rbl_vec3d across; // unit normal, or zero
	int triangle;
	int vertices[3];
} rbl_surface_seam_face;

/// An edge with an end or both at places.
typedef struct rbl_surface_seam_edge {
	rbl_vec3d vector; // from its first to its last vertex, when the step begins
	int ends[2];      // its vertices
	int places[2];    // of them, 0: none
} rbl_surface_seam_edge;

/// Faces and edges, ascending, and by place, ascending, which of them lie there: 4 times the face
/// plus the corner; 2 times the edge plus the end, the first when both are there.
typedef struct rbl_surface_seam_lists {
	rbl_surface_seam_face *faces;
	rbl_surface_seam_edge *edges;
	int *edge_ids; // half-edges that own them
	int edge_count;
	uint32_t *corners, *spokes;
	int *corner_starts, *spoke_starts; // by place, and one more
	int *vertex_counts;                // by place
	rbl_sort_item *vertices;           // at places, ascending, with their place
} rbl_surface_seam_lists;

/// List what lies at the places of a query, in its seam_scratch.
/// @return false when memory ran out
bool rbl_surface_list_seams(rbl_surface *surface, rbl_surface_seam_lists *lists);
