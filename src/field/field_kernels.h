// SPDX-License-Identifier: MIT
// The kernels of the room.
#pragma once

#include "base/kernel.h"
#include "field/fragment_field.h"
#include "tree/tree.h"

#include <rubble/types.h>

// --- evaluation (field_kernels.c) ---------------------------------------------------------------

/// rbl_distance_field_evaluate() for the field of a mesh.
RBL_DECLARE_KERNEL(void, rbl_asset_field_evaluate,
                   (const rbl_asset_field *field, const rbl_vec3 *points, int count,
                    float *distances, float *bounds, rbl_vec3 *gradients));

/// The same for the field of a fragment, as far as planes and unions go.
RBL_DECLARE_KERNEL(void, rbl_fragment_field_evaluate,
                   (const rbl_fragment_field *field, const rbl_vec3 *points, int count,
                    float *distances, float *bounds, rbl_vec3 *gradients));

// --- building (asset_field_kernels.c) -----------------------------------------------------------

/// Samples are taken eight at a time: 5 x 5 x 5 such packets make a brick.
enum { RBL_BRICK_PACKETS = 5 };

/// Distances of the samples of a brick from the nearest triangle, unsigned, in cells.
/// @param wanted  per packet, x fastest; others are not written
RBL_DECLARE_KERNEL(void, rbl_sample_brick,
                   (const rbl_sample_surface *surface, const rbl_brick_place *place,
                    const bool *wanted, float *distances));

/// Bounds of what the values of a brick are off by between their places, in cells.
/// @param wanted  per block; others receive 0
RBL_DECLARE_KERNEL(void, rbl_bound_brick,
                   (const rbl_sample_grid *grid, int brick, const bool *wanted, float *bounds));
