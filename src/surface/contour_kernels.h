// SPDX-License-Identifier: MIT
// Contours by the lane: points in a picture, and edges whose bounds overlap.
#pragma once

#include "base/kernel.h"
#include "surface/surface.h"

/// A picture, with its origin at `corner`.
typedef struct rbl_contour_view {
	rbl_vec3d corner, right, up;
} rbl_contour_view;

/// Where vertices are in a picture, at one end of the step.
/// @param points  receives `count` points, x[time] and y[time] of each
RBL_DECLARE_KERNEL(void, rbl_contour_project,
                   (const rbl_contour_view *view, const rbl_vec3 *positions, const int *vertices,
                    int count, int time, rbl_contour_point *points));

/// Edges between points.
typedef struct rbl_contour_edges {
	const rbl_contour_point *points;
	const int *ends; // of loops, one after another; NULL: lines from point 2 i to point 2 i + 1
	int count;       // of edges, 1 or more
	int times;       // ends of the step that count
	double slack;    // beyond rounding
} rbl_contour_edges;

/// Bounds of edges over the step, in single precision and outwards.
/// @param blocks  receives rbl_span_blocks(count) blocks, eight edges each, and then the bounds of these blocks,
///                eight each
RBL_DECLARE_KERNEL(void, rbl_contour_spans,
                   (const rbl_contour_edges *edges, rbl_span_block *blocks));

/// Pairs of edges whose bounds overlap: each edge of a block with those after it.
/// @param pairs  receives up to eight times `count` pairs @return how many
RBL_DECLARE_KERNEL(int, rbl_contour_near,
                   (const rbl_span_block *blocks, int count, int block, rbl_span_pair *pairs));

static inline int rbl_span_blocks(int count)
{
	return (count + 7) / 8;
}
