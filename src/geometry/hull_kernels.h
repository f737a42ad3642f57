// SPDX-License-Identifier: MIT
// The loops over all points of the approximate hull.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

/// Points outside of the growing hull: arrays of one length.
typedef struct rbl_hull_crowd {
	double *x, *y, *z;
	double *gain; // what the hull would grow by: six times a volume
	double *seen; // number of faces that the point is above
	int *index;   // of the point
	int count;
} rbl_hull_crowd;

/// Add what `added` faces give to the gains, take away what `removed` ones gave, and forget points
/// that are above no face any more. Normals are as long as twice the triangles' areas.
/// @param planes  the added ones first, then those that are removed
/// @return the place of the largest gain, of equals that of the first point; -1 when none is left
RBL_DECLARE_KERNEL(int, rbl_hull_update,
                   (rbl_hull_crowd * crowd, const rbl_planed *planes, int added, int removed));

/// @return the largest (x + y + z) of the products with the normal, at least `best`
RBL_DECLARE_KERNEL(double, rbl_hull_reach,
                   (const double *x, const double *y, const double *z, int count, rbl_vec3d normal,
                    double best));
