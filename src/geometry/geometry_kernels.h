// SPDX-License-Identifier: MIT
//
// Loops over many points, compiled once per SIMD back end. Each point is worked on by itself, so
// all give the same bits.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

// --- clipping a convex polyhedron (convex_clip.c) --------------------------------------------

/// Signed distances of points from a plane with unit normal, and the least and the largest of them.
RBL_DECLARE_KERNEL(void, rbl_clipper_sides,
                   (const double *x, const double *y, const double *z, int count, rbl_planed plane,
                    double *sides, double extremes[2]));

/// The box around points, and the square of the largest distance from the origin.
RBL_DECLARE_KERNEL(double, rbl_clipper_extent,
                   (const double *x, const double *y, const double *z, int count, rbl_boxd *box));

// --- outer hulls (outer_hull_grow.c) ---------------------------------------------------------

/// Points outside of the growing hull: arrays of one length.
typedef struct rbl_hull_candidates {
	double *x, *y, *z;
	double *gain; // what the hull would grow by: six times a volume
	double *seen; // number of faces that the point is above
	int *index;   // of the point
	int count;
} rbl_hull_candidates;

/// Add what `added` faces give to the gains, take away what `removed` ones gave, and forget points
/// that are above no face any more. Normals are as long as twice the triangles' areas.
/// @param planes  the added ones first, then those that are removed
/// @return the place of the largest gain, of equals that of the first point; -1 when none is left
RBL_DECLARE_KERNEL(int, rbl_hull_update,
                   (rbl_hull_candidates * candidates, const rbl_planed *planes, int added,
                    int removed));

/// @return the largest (x + y + z) of the products with the normal, at least `best`
RBL_DECLARE_KERNEL(double, rbl_hull_support,
                   (const double *x, const double *y, const double *z, int count, rbl_vec3d normal,
                    double best));
