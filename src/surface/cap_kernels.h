// SPDX-License-Identifier: MIT
// Triangles seen from a point: caps of directions, one form per SIMD back end.
#pragma once

#include "base/kernel.h"
#include "base/vec.h"

/// Caps of eight triangles: around what they cover of the directions from a point, however their vertices
/// move within a slack. Unused lanes repeat the first of the list.
typedef struct rbl_cap_block {
	float x[8], y[8], z[8];     // the axis, of length 1
	float cosine[8], sine[8];   // of the angle to the rim: no more, no less than it is
	unsigned char odd;          // bits: those that may turn their face to the point
	unsigned char is_used;      // bits: lanes of the list
	unsigned char is_concerned; // bits: caps that meet those of odd ones
} rbl_cap_block;

/// Triangles that are looked at.
typedef struct rbl_cap_source {
	const rbl_vec3 *positions;
	const int *triangles, *list;
	int count;
	rbl_vec3 middle;
	float slack;
	int most_odd;
} rbl_cap_source;

/// Find the caps of triangles, and which are odd.
/// @param blocks     receives one for each eight triangles
/// @param odd_count  receives how many are odd
/// @return whether few triangles are odd, with caps less than a half sphere, and some direction has none of
/// those but exactly one other over it
RBL_DECLARE_KERNEL(bool, rbl_find_caps,
                   (const rbl_cap_source *source, rbl_cap_block *blocks, int *odd_count));

/// Mark the caps that meet one of them.
RBL_DECLARE_KERNEL(void, rbl_mark_caps,
                   (rbl_cap_block * blocks, int block_count, const rbl_cap_block *from, int lane));
