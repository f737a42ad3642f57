// SPDX-License-Identifier: MIT
// Triangles in rows of one cache line each, tested in pairs; one form per SIMD back end.
#pragma once

#include <rubble/types.h>

#include "base/kernel.h"

#include <stdint.h>

/// A triangle with its plane: corner k and component k of the normal for k = 0, 1, 2, then the magnitudes that
/// went into the normal (surface/triangle_lanes.h).
typedef struct rbl_row {
	float values[16];
} rbl_row;

/// Two rows of triangles that share no vertex: the first, and the second times 2^16.
typedef uint32_t rbl_row_pair;

/// Write the rows of eight triangles.
/// @param rows       receives eight rows
/// @param positions  one float after the last must be readable
/// @param vertices   first, second and third corner of each
RBL_DECLARE_KERNEL(void, rbl_rows_fill,
                   (rbl_row * rows, const rbl_vec3 *positions, const int32_t (*vertices)[8]));

/// Test pairs.
/// @param pairs       receives those that meet, touching included; room for 7 more than there are
/// @param open        receives those whose signs are not certain; room for one more than there are
/// @param open_count  receives their number
/// @return how many meet
RBL_DECLARE_KERNEL(int, rbl_rows_test,
                   (const rbl_row *rows, rbl_row_pair *pairs, int count, rbl_row_pair *open,
                    int *open_count));
