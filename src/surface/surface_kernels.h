// SPDX-License-Identifier: MIT
// The inner loops of surfaces, one form per SIMD back end.
#pragma once

#include "surface/surface.h"

#include "base/kernel.h"

/// Where the triangles of clusters are.
typedef struct rbl_cluster_source {
	const rbl_vec3 *starts, *ends; // starts NULL: at one instant
	const int *triangles;
	float margin; // around boxes
} rbl_cluster_source;

/// Fit boxes and normals of a cluster.
/// @param slants  NULL: boxes alone
/// @return its box
RBL_DECLARE_KERNEL(rbl_box, rbl_cluster_fit,
                   (rbl_cluster * cluster, const rbl_cluster_source *source, rbl_slants *slants));

/// Pairs of triangles of two clusters whose boxes overlap, or of one cluster with itself.
/// @param a_box, b_box  the boxes of the clusters
/// @param pairs         receives up to 64 pairs
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_cluster_pairs,
                   (const rbl_cluster *a, const rbl_box *a_box, const rbl_cluster *b,
                    const rbl_box *b_box, rbl_surface_pair *pairs));

/// The same of two clusters whose triangles have rows.
/// @param a_row, b_row  the first row of each
/// @param pairs         receives up to 64 pairs, room for one more
RBL_DECLARE_KERNEL(int, rbl_cluster_row_pairs,
                   (const rbl_cluster *a, const rbl_box *a_box, int a_row, const rbl_cluster *b,
                    const rbl_box *b_box, int b_row, rbl_row_pair *pairs));
