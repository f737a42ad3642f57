// SPDX-License-Identifier: MIT
// The plan of one step of a crack, shared by the files that make it and carry it out.
#pragma once

#include "cutting/cutter.h"

#include "base/sort.h"

/// A chain of front edges from tip to tip.
typedef struct rbl_crack_chain {
	int a, b;         // tips: the crack lies to the left from a to b
	int first, count; // front points between them, or front edges of an old chain
	bool is_kept;     // an old chain whose tips did not move
} rbl_crack_chain;

/// What a step is going to do.
typedef struct rbl_crack_plan {
	int event_end, point_count; // before the step: points
	int *opened, opened_count;
	int *splits, split_count; // points whose edges get a vertex
	rbl_crack_chain *old_chains, *new_chains;
	int old_count, new_count;
	rbl_sort_item64 *ends, *starts; // tips: where a loop leaves the crack, and comes back
	int end_count, start_count;
	int *border, border_count; // points on the border of the strip
	int *places;               // polygon point to cut point
	int place_count;
	int *triangles, triangle_count; // of the strip, by polygon points
} rbl_crack_plan;

/// A cut point at a position, with no neighbours yet.
rbl_cut_point rbl_crack_point(const rbl_sheet *sheet, rbl_vec3d position, int half_edge);

/// Follow the border of the strip into loops and fill `places` and `triangles`; may add points.
/// Leaves every edge of the border with one triangle, and one fan of triangles at each point.
/// @return false when memory ran out
bool rbl_crack_plan_strip(rbl_cutter *cutter, rbl_crack_plan *plan);

/// A directed edge as a key.
static inline uint64_t rbl_crack_edge_key(int from, int to)
{
	return (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
}
