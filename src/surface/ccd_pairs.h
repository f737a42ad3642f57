// SPDX-License-Identifier: MIT
// Continuous tests by the batch: pairs of features by vertex index, positions in single precision.
//
// Positions are exact doubles, so the answers are those of rbl_ccd_test(). The filter goes first,
// eight pairs at a time; what it drops never touches, and it drops nearly everything that does not.
#pragma once

#include "surface/ccd.h"

/// A pair of features.
typedef struct rbl_ccd_quad {
	int32_t vertices[4]; // v f0 f1 f2 or a0 a1 b0 b1; those of one feature are not the other's
	int32_t a, b;        // what the caller calls them
} rbl_ccd_quad;

/// Where vertices are at the start and the end of a step, all finite. One float after the last
/// position of each array must be readable: allocate one position more.
typedef struct rbl_ccd_motion {
	const rbl_vec3 *start, *end;
} rbl_ccd_motion;

/// Drop pairs that stay further apart than `separation` (0: that do not touch), most of them.
/// @param kept  receives the indices of the others, ascending; room for count + 7
/// @return their number
/// Threads: any. Cost: 5 to 8 ns per pair that is dropped.
int rbl_ccd_filter(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                   int count, float separation, int *kept);

/// Test one pair, as rbl_ccd_test().
bool rbl_ccd_test_quad(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quad,
                       float separation, rbl_impact *impact);
