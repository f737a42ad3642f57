// SPDX-License-Identifier: MIT
// The loops over all vertices of a polyhedron that is carved.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

/// Signed distances of points from a plane with unit normal, and the least and the largest of them.
RBL_DECLARE_KERNEL(void, rbl_carve_sides,
                   (const double *x, const double *y, const double *z, int count, rbl_planed plane,
                    double *sides, double extremes[2]));

/// The box around points, and the square of the largest distance from the origin.
RBL_DECLARE_KERNEL(double, rbl_carve_extent,
                   (const double *x, const double *y, const double *z, int count, rbl_boxd *box));
