// SPDX-License-Identifier: MIT
// On which side of the faces of a cell the corners of a triangle lie.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

/// Outward planes, by component; there is room for four more.
typedef struct rbl_clip_planes {
	const double *nx, *ny, *nz, *nd;
	int count;
} rbl_clip_planes;

enum {
	RBL_CLIP_NOTHING_LEFT = 1, // all corners are beyond one of the planes
	RBL_CLIP_TIES = 2,         // a corner is on a plane: its bits are not decided
};

/// Distances of three points, and three bits per plane: which of them are beyond.
/// @param rows   receive the distances, `stride` apart; each has room for four more
/// @param masks  receives the bits; room for four more
/// @return RBL_CLIP_...; with RBL_CLIP_NOTHING_LEFT not all was written
RBL_DECLARE_KERNEL(int, rbl_clip_signs,
                   (const rbl_clip_planes *planes, const rbl_vec3d points[3], double tie,
                    double *rows, int stride, unsigned char *masks));
