// SPDX-License-Identifier: MIT
// Edges at one place of a seam against each other; one form per SIMD back end.
#pragma once

#include "surface/seam_lists.h"

#include "base/kernel.h"

/// The second of two edges that touch at a place, and the normal of their hit.
typedef struct rbl_seam_pair {
	uint32_t
		other; // 4 times the edge, plus 2: the first has its last vertex there, plus 1: the second
	rbl_vec3 normal;
} rbl_seam_pair;

enum {
	/// Numbers of scratch memory for an edge of a place, and edges more that there must be room for.
	RBL_SEAM_DOUBLES = 7,
	RBL_SEAM_INTS = 5,
	RBL_SEAM_SPARE = 4,
};

/// All pairs of edges at a place that have no vertex in common, by their first, ascending. Those that are at
/// two places together come at one of them: the place of the first vertex of the second edge, if it is one.
/// @param edges    those that the spokes of the place (seam_lists.h) are numbers of
/// @param ends     where vertices are when the step ends
/// @param doubles  scratch, RBL_SEAM_DOUBLES times (count + RBL_SEAM_SPARE); `ints` likewise
/// @param pairs    receives them; room for RBL_SEAM_SPARE more
/// @param counts   receives the number of pairs of each edge
RBL_DECLARE_KERNEL(void, rbl_seam_pairs,
                   (const rbl_seam_edge *edges, const uint32_t *spokes, int count,
                    const rbl_vec3 *ends, double *doubles, int32_t *ints, rbl_seam_pair *pairs,
                    int *counts));
