// SPDX-License-Identifier: MIT
// Staging blocks (SoA): triangles of clusters copied side by side, so that vertices, which lie
// anywhere in memory, are read once for all pairs of a cluster.
#pragma once

#include <rubble/types.h>

#include <stdint.h>

// --- at one instant -----------------------------------------------------------------------------

/// A triangle with its plane: corner k and component k of the normal for k = 0, 1, 2, then the
/// magnitudes that went into the normal (surface/triangle_lanes.h).
typedef struct rbl_surface_staged_triangle {
	float values[16];
} rbl_surface_staged_triangle;

/// Two staged triangles that share no vertex: the first, and the second times 2^16.
typedef uint32_t rbl_surface_staged_pair;

enum {
	/// Clusters that are staged at a time: 22 kB, to stay in the nearest cache.
	RBL_STAGING_CLUSTERS = 32,
	RBL_STAGING_PAIRS = 512,
	RBL_STAGING_TABLE = 64,
};

/// Boxes of eight triangles, as they are compared: bounds along x, y and z.
typedef struct rbl_surface_lane_boxes {
	_Alignas(32) float lower[3][8], upper[3][8];
} rbl_surface_lane_boxes;

/// Staged triangles of one worker, and pairs that wait for their test. All zero is empty.
typedef struct rbl_surface_staging {
	rbl_surface_staged_triangle triangles[8 * RBL_STAGING_CLUSTERS];
	rbl_surface_lane_boxes boxes[RBL_STAGING_CLUSTERS];
	rbl_surface_staged_pair pairs[RBL_STAGING_PAIRS + 7];
	int pair_count;
	uint32_t clusters[RBL_STAGING_CLUSTERS];
	int cluster_count;
	int prefetched_count;                    // of clusters whose vertices were prefetched
	int filled_count;                        // of clusters that are staged
	unsigned char places[RBL_STAGING_TABLE]; // by the low bits of a cluster: where it may be
} rbl_surface_staging;

// --- over a step --------------------------------------------------------------------------------

enum {
	/// Clusters that have such boxes at a time: 26 kB.
	RBL_SWEEP_STAGING_CLUSTERS = 64,
};

/// Boxes of eight triangles, and of all of them; first at the start of the step, then at its end.
typedef struct rbl_surface_swept_boxes {
	_Alignas(32) float lower[2][3][8], upper[2][3][8];
	float all_lower[2][3], all_upper[2][3];
} rbl_surface_swept_boxes;

/// Those of one worker, by the low bits of a cluster, and one more for two that have them in
/// common. All zero is empty.
typedef struct rbl_surface_sweep_staging {
	rbl_surface_swept_boxes boxes[RBL_SWEEP_STAGING_CLUSTERS + 1];
	uint32_t clusters[RBL_SWEEP_STAGING_CLUSTERS + 1]; // plus 1
} rbl_surface_sweep_staging;
