// SPDX-License-Identifier: MIT
//
// Bricks: a grid of boxes, some of which have one color and are a brick together.
//
// Cells of a pattern meet face to face, but bricks of neighbouring courses do not. So the grid has
// a plane wherever some course has a joint: every half brick for a running bond. A Flemish course
// of stretchers (four quarters of a brick) and headers (two) repeats after six quarters, and the
// next course is shifted by three:
//
//   quarters      0   1   2   3   4   5   6
//   even course   |   stretcher   | header|      planes at 0, 1, 3 and 4
//   odd course   -----| header|   stretcher ---
//
// Grid cells are numbered from the origin, in both directions, so that the bond is the same
// wherever the box of the pattern ends. Cells of the outermost layer go on for ever, and would be
// slats: they all have one color and stay together.

#include "fracture/pattern.h"

#include "base/axis.h"
#include "base/log.h"
#include "base/vec.h"
#include "fracture/fracture.h"

enum { RIM_COLOR = 0 };

// Rounds down, also below zero.
static int floor_div(int a, int b)
{
	return (a >= 0 ? a : a - b + 1) / b;
}

// Where plane i of an axis is.
static double plane_at(const rbl_pattern_def *def, int axis, int i)
{
	static const int flemish[4] = { 0, 1, 3, 4 };
	if (axis == 1)
		return def->brick_size.y * i;
	if (axis == 2)
		return def->brick_size.z * (def->bond == RBL_BOND_FLEMISH ? i : i - 0.5);
	switch (def->bond) {
	case RBL_BOND_STACK:
		return def->brick_size.x * i;
	case RBL_BOND_FLEMISH:
		return 0.25 * def->brick_size.x * (6 * floor_div(i, 4) + flemish[i - 4 * floor_div(i, 4)]);
	default:
		return 0.5 * def->brick_size.x * i;
	}
}

// The number of a brick in its course, and its leaf: cells of one brick have the same.
static void find_brick(rbl_brick_bond bond, const int at[3], int *brick, int *leaf)
{
	int shift = (at[1] + at[2]) & 1;
	*brick = at[0];
	*leaf = at[2];
	if (bond == RBL_BOND_RUNNING)
		*brick = floor_div(at[0] + shift, 2);
	if (bond != RBL_BOND_FLEMISH)
		return;
	int period = floor_div(at[0], 4), within = at[0] - 4 * period;
	bool is_header;
	if ((at[1] & 1) == 0) {
		is_header = within == 3;
		*brick = 2 * period + is_header;
	} else {
		is_header = within == 1;
		*brick = within == 0 ? 2 * period - 1 : 2 * period + (within > 1);
	}
	if (is_header)
		*leaf = 2 * floor_div(at[2] + 1, 2);
}

// The planes of an axis that bound its bricks: the last at or before one end of the size, the first
// at or after the other. @return false when there are too many
static bool find_range(const rbl_pattern_def *def, int axis, int *first, int *last)
{
	double half = 0.5 * rbl_axis_d(def->size, axis) * (1.0 - 1e-9);
	double side = rbl_axis_d(def->brick_size, axis);
	if (!(half / side < RBL_MAX_PATTERN_CELLS))
		return false;
	// No bond has planes further apart than a brick; some have four within one.
	int guess = (int)(half / side);
	*last = guess / 2, *first = -*last;
	while (plane_at(def, axis, *last) < half)
		++*last;
	while (plane_at(def, axis, *first) > -half)
		--*first;
	return true;
}

static void set_colors(rbl_pattern *pattern, const rbl_pattern_def *def, const int first[3],
                       const int counts[3])
{
	// Numbers of bricks and leaves may begin before those of the cells.
	int row = counts[0] + 4, leaves = counts[2] + 2;
	for (int cell = 0; cell < pattern->cell_count; ++cell) {
		int index[3] = { cell % counts[0], cell / counts[0] % counts[1],
			             cell / counts[0] / counts[1] };
		int at[3], brick, leaf;
		bool is_rim = false;
		for (int k = 0; k < 3; ++k) {
			at[k] = first[k] - 1 + index[k];
			is_rim |= index[k] == 0 || index[k] == counts[k] - 1;
		}
		find_brick(def->bond, at, &brick, &leaf);
		pattern->colors[cell] = is_rim ? RIM_COLOR
		                               : 1 + (index[1] * leaves + leaf - first[2] + 1) * row +
		                                     brick - floor_div(first[0], 2) + 2;
	}
}

rbl_result rbl_pattern_make_bricks(rbl_pattern *pattern, const rbl_pattern_def *def)
{
	int first[3], last[3], counts[3];
	double cells = 1.0;
	for (int k = 0; k < 3; ++k) {
		bool is_found = find_range(def, k, &first[k], &last[k]);
		counts[k] = is_found ? last[k] - first[k] + 2 : 0;
		double bricks = rbl_axis_d(def->size, k) / rbl_axis_d(def->brick_size, k);
		cells *= is_found ? counts[k] : bricks;
	}
	if (!(cells <= RBL_MAX_PATTERN_CELLS))
		return rbl_fail(
			RBL_LIMIT_REACHED,
			"%g cells of bricks fill size, more than %d: take larger bricks (brick_size) "
			"or a smaller size",
			cells, RBL_MAX_PATTERN_CELLS);
	pattern->cell_count = counts[0] * counts[1] * counts[2];
	pattern->colors = RBL_NEW(&pattern->allocator, int, pattern->cell_count);
	if (!pattern->colors || !rbl_pattern_allocate_planes(pattern, 6 * pattern->cell_count))
		return RBL_OUT_OF_MEMORY;
	set_colors(pattern, def, first, counts);
	const int steps[3] = { 1, counts[0], counts[0] * counts[1] };
	int count = 0;
	for (int cell = 0; cell < pattern->cell_count; ++cell) {
		int index[3] = { cell % counts[0], cell / steps[1] % counts[1], cell / steps[2] };
		for (int side = 0; side < 6; ++side) {
			int k = side / 2, up = side % 2, beyond = index[k] + (up ? 1 : -1);
			if (beyond < 0 || beyond == counts[k])
				continue;
			double n[3] = { 0.0, 0.0, 0.0 }, sign = up ? 1.0 : -1.0;
			n[k] = sign;
			double at = plane_at(def, k, first[k] - 1 + index[k] + up);
			pattern->planes[count] = (rbl_planed){ { n[0], n[1], n[2] }, sign * at };
			pattern->neighbours[count++] = cell + (up ? steps[k] : -steps[k]);
		}
		pattern->plane_starts[cell + 1] = count;
	}
	bool is_stack = def->bond == RBL_BOND_STACK;
	pattern->period = (rbl_vec3d){ def->brick_size.x * (def->bond == RBL_BOND_FLEMISH ? 1.5 : 1.0),
		                           def->brick_size.y * (is_stack ? 1.0 : 2.0),
		                           def->brick_size.z * (is_stack ? 1.0 : 2.0) };
	return RBL_OK;
}

rbl_vec3d rbl_pattern_snap(const rbl_pattern *pattern, rbl_vec3d position)
{
	for (int k = 0; k < 3; ++k) {
		double period = rbl_axis_d(pattern->period, k);
		if (period > 0.0)
			rbl_set_axis_d(&position, k, period * floor(rbl_axis_d(position, k) / period + 0.5));
	}
	return position;
}
