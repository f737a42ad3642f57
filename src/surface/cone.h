// SPDX-License-Identifier: MIT
// The cones of the paper's culling: of normals, and of binormals along borders.
#pragma once

#include "surface/surface.h"

/// A cone: all vectors within `angle` of the axis. Empty below zero, everything from pi on.
typedef struct rbl_cone {
	rbl_vec3 axis;
	float angle;
} rbl_cone;

/// The cones of a node or cluster.
typedef struct rbl_cone_pair {
	rbl_cone normals, binormals;
} rbl_cone_pair;

/// By node and by cluster.
typedef struct rbl_cone_data {
	rbl_cone_pair *nodes, *clusters;
	unsigned char *node_joins, *cluster_joins; // whether connected
	int node_capacity, cluster_capacity;
} rbl_cone_data;

/// Whether the cones of a node let it be culled, as far as cones go: normals within less than a
/// right angle of an axis, and, for the dual cone, connected and with that axis outside the cone of
/// binormals.
/// @param direction  receives the axis of the normals
bool rbl_surface_cone_passes(const rbl_surface *surface, uint32_t reference, rbl_vec3 *direction);
