// SPDX-License-Identifier: MIT
// Nearest points of two cores.
#pragma once

#include "collide/axis.h"

/// Nearest points of two cores, in A's frame.
typedef struct rbl_core_gap {
	float distance; // 0 when the cores meet
	rbl_vec3 point_a, point_b;
	rbl_vec3 normal;        // from A to B; zero when the cores meet
	int vertex_a, vertex_b; // one of the vertices that span the nearest feature
	bool is_beyond; // given up: the distance is more than `most`, and `distance` a lower bound
} rbl_core_gap;

/// Nearest points by GJK in double precision.
/// @param most  stop as soon as the distance is known to be greater
rbl_core_gap rbl_core_distance(const rbl_pair_pose *pair, float most);

/// Nearest points of two edges, in A's frame.
void rbl_edge_points(const rbl_pair_pose *pair, int edge_a, int edge_b, rbl_vec3 *a, rbl_vec3 *b);

/// The gap of two rounded polyhedra, in the frame of the poses: distance, or penetration by the
/// search for the axis of least overlap.
rbl_separation rbl_pair_gap(const rbl_pair_pose *pair, float most);
