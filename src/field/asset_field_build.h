// SPDX-License-Identifier: MIT
// Steps of building the field of a mesh that have a file of their own.
#pragma once

#include "field/asset_field.h"

/// Move samples of the finest bricks, which come first, so that what they interpolate is nearly
/// zero on the surface. Bricks that touch by a corner only may differ there afterwards.
/// @param neighbours  by brick and axis: the brick behind its upper face, -1 for none
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_fit_samples(const rbl_sample_surface *surface, const rbl_sample_grid *grid,
                           int brick_count, const int *neighbours, const rbl_allocator *allocator,
                           rbl_jobs *jobs);
