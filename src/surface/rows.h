// SPDX-License-Identifier: MIT
// Clusters of different bodies that stand against each other at one instant: their triangles in rows, so that
// vertices, which lie anywhere, are read once for all pairs of a cluster.
#pragma once

#include "surface/rows_kernels.h"

enum {
	/// Clusters that have rows at a time: 22 kB, to stay in the nearest cache.
	RBL_ROW_CLUSTERS = 32,
	RBL_ROW_PAIRS = 512,
	RBL_ROW_TABLE = 64,
};

/// Boxes of eight triangles, as they are compared: bounds along x, y and z.
typedef struct rbl_lane_boxes {
	_Alignas(32) float lower[3][8], upper[3][8];
} rbl_lane_boxes;

/// Rows of one worker, and pairs that wait for their test. All zero is empty.
typedef struct rbl_rows {
	rbl_row rows[8 * RBL_ROW_CLUSTERS];
	rbl_lane_boxes boxes[RBL_ROW_CLUSTERS];
	rbl_row_pair pairs[RBL_ROW_PAIRS + 7];
	int pair_count;
	uint32_t clusters[RBL_ROW_CLUSTERS];
	int cluster_count;
	int asked_count;                     // of clusters whose vertices were asked for
	int filled_count;                    // of clusters whose rows are written
	unsigned char places[RBL_ROW_TABLE]; // by the low bits of a cluster: where it may be
} rbl_rows;
