// SPDX-License-Identifier: MIT
// Clusters that stand against each other over a step: boxes of their triangles at the start and at the end, so
// that vertices, which lie anywhere, are read once for all pairs of a cluster.
#pragma once

#include <stdint.h>

enum {
	/// Clusters that have such boxes at a time: 26 kB.
	RBL_SWEEP_CLUSTERS = 64,
};

/// Boxes of eight triangles, and of all of them; first at the start of the step, then at its end.
typedef struct rbl_swept_boxes {
	_Alignas(32) float lower[2][3][8], upper[2][3][8];
	float all_lower[2][3], all_upper[2][3];
} rbl_swept_boxes;

/// Those of one worker, by the low bits of a cluster, and one more for two that have them in common. All
/// zero is empty.
typedef struct rbl_sweep_rows {
	rbl_swept_boxes boxes[RBL_SWEEP_CLUSTERS + 1];
	uint32_t clusters[RBL_SWEEP_CLUSTERS + 1]; // plus 1
} rbl_sweep_rows;
