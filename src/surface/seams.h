// SPDX-License-Identifier: MIT
// Seams: where a body broke, vertices of its pieces lie at one place until the pieces part.
//
// Whatever shares such a place touches at the start of the step: every vertex and every face of the others
// around it, and every two edges. That is a quarter of a million hits where one wall breaks, and topology
// alone names them. So the vertices of fresh pieces are put together by place before a continuous
// query, the traversal leaves out what touches at a place, and at the end these hits are written in
// order, between those that were found. They are the same, bit for bit, as without seams.
#pragma once

#include "surface/surface.h"

/// Find the places of a query. Call it before the traversal.
/// @return false when memory ran out
bool rbl_seams_find(rbl_surface *surface);

/// A hit that was found otherwise, by its place in the order of hits.
typedef struct rbl_seam_rest {
	const rbl_sort_item64 *items; // value and extra: index and worker
	int count;
} rbl_seam_rest;

/// Write all hits of a query in order: those at places, and the rest.
/// @return false when memory ran out
bool rbl_seams_list(rbl_surface *surface, rbl_seam_rest rest);

/// The key of a hit: ascending in the order of hits. Half-edges and ids are below 2^30.
static inline uint64_t rbl_hit_key(rbl_surface_hit_kind kind, int a, int b)
{
	return ((uint64_t)kind << 30 | (uint32_t)a) << 32 | (uint32_t)b;
}

/// An edge belongs to its lower half-edge; one that is not manifold to the first of all.
static inline bool rbl_surface_owns_edge(const rbl_surface *surface, int h)
{
	int twin = surface->twins[h];
	return twin >= 0 ? h < twin : twin != RBL_SURFACE_TANGLE_REST;
}
