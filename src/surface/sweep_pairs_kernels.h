// SPDX-License-Identifier: MIT
// Pairs of triangles over a step, eight at a time.
#pragma once

#include <rubble/types.h>

#include "base/kernel.h"

#include <stdint.h>

/// Where triangles are when a step begins and ends. One float after the last position is readable.
typedef struct rbl_sweep_source {
	const rbl_vec3 *starts, *ends;
	const int *triangles;
	const int *places; // by vertex: seams (seams.h); NULL without any
	float separation;
	bool meet_along_axes; // no axis keeps any of the pairs apart: that has been tried
} rbl_sweep_source;

/// Drop pairs of triangles, sharing no vertex, of which no features come as near as the separation, but for
/// features that touch at a place of a seam.
/// @param pairs  two triangles each
/// @param kept   receives the indices of the others; room for count + 7
/// @param seams  receives bit 3 i + k for corner i of the first and k of the second at one place, for
///               each that is kept; room for count + 7
/// @return their number
RBL_DECLARE_KERNEL(int, rbl_sweep_pairs,
                   (const rbl_sweep_source *source, const int *pairs, int count, int *kept,
                    uint16_t *seams));
