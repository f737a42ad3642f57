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
/// @param corners  of its triangles, or NULL: to be found
/// @param box      receives its box
/// @param normals  receives bounds of normals; NULL: boxes alone
RBL_DECLARE_KERNEL(void, rbl_cluster_fit,
                   (rbl_cluster * cluster, const rbl_cluster_corners *corners, rbl_box *box,
                    const rbl_cluster_source *source, rbl_normals *normals));

/// Pairs of triangles of two clusters whose boxes overlap, or of one cluster with itself.
/// @param gap    by which those of `a` are widened, or 0
/// @param pairs  receives up to 64 pairs
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_cluster_pairs,
                   (const rbl_cluster *a, const rbl_cluster *b, float gap,
                    rbl_surface_pair *pairs));

/// A cluster whose triangles have rows.
typedef struct rbl_cluster_rows {
	const rbl_cluster *cluster;
	rbl_lane_boxes *boxes;
	int row;     // the first
	bool is_new; // `boxes` is yet to be written, and is if any pair is found
} rbl_cluster_rows;

/// The same of two clusters of different bodies, as pairs of rows.
/// @param pairs  receives up to 64 pairs, room for one more
RBL_DECLARE_KERNEL(int, rbl_cluster_row_pairs,
                   (const rbl_cluster_rows *a, const rbl_cluster_rows *b, rbl_row_pair *pairs));
