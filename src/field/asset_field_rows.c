// SPDX-License-Identifier: MIT
//
// Which lattice points are inside: by the winding number along rows.
//
// A row along x crosses a triangle where the triangle's projection onto the yz plane contains the
// row. That is decided edge by edge, by crossings of the half-line from the row along +y. An edge
// is always evaluated from its lexicographically lower end, so the two triangles that share it
// agree whatever rounding does, and the winding number of a closed mesh is consistent: it returns
// to zero behind the last crossing. A vertex at the row's z counts as below, a crossing at the
// row's y does not count.

#include "field/asset_field.h"

#include "base/log.h"

// No more crossings than this: a gigabyte and a half.
enum { MAX_CROSSINGS = 1 << 28 };

static bool is_before(rbl_vec3d a, rbl_vec3d b)
{
	return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// 1 when the half-line crosses the edge upwards, -1 downwards, 0 not at all.
static int cross_edge(rbl_vec3d a, rbl_vec3d b, double y, double z)
{
	if ((a.z <= z) == (b.z <= z))
		return 0;
	int turn = a.z <= z ? 1 : -1;
	if (!is_before(a, b)) {
		rbl_vec3d swap = a;
		a = b, b = swap;
	}
	double side = (b.y - a.y) * (z - a.z) - (y - a.y) * (b.z - a.z);
	return (side > 0.0) == (b.z > a.z) && side != 0.0 ? turn : 0;
}

// 1 when the row leaves the solid through the triangle, -1 when it enters, 0 when it passes by.
static int cross_triangle(const rbl_vec3d t[3], double y, double z)
{
	return cross_edge(t[0], t[1], y, z) + cross_edge(t[1], t[2], y, z) +
	       cross_edge(t[2], t[0], y, z);
}

static double crossing_x(const rbl_vec3d t[3], double y, double z)
{
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
	double low = rbl_mind(t[0].x, rbl_mind(t[1].x, t[2].x));
	double high = rbl_maxd(t[0].x, rbl_maxd(t[1].x, t[2].x));
	double x = t[0].x - (n.y * (y - t[0].y) + n.z * (z - t[0].z)) / n.x;
	return n.x != 0.0 ? rbl_clampd(x, low, high) : low;
}

static int clamp_row(double at, int count)
{
	return at < 0.0 ? 0 : at > (double)(count - 1) ? count - 1 : (int)at;
}

// Count the crossings of a triangle, or write them in their order along x.
static void visit_triangle(rbl_crossing_rows *rows, const rbl_vec3d t[3], int *ends)
{
	double low_y = rbl_mind(t[0].y, rbl_mind(t[1].y, t[2].y));
	double high_y = rbl_maxd(t[0].y, rbl_maxd(t[1].y, t[2].y));
	double low_z = rbl_mind(t[0].z, rbl_mind(t[1].z, t[2].z));
	double high_z = rbl_maxd(t[0].z, rbl_maxd(t[1].z, t[2].z));
	int first_y = clamp_row(ceil(low_y), rows->count[0]);
	int last_y = clamp_row(floor(high_y), rows->count[0]);
	int first_z = clamp_row(ceil(low_z), rows->count[1]);
	int last_z = clamp_row(floor(high_z), rows->count[1]);
	for (int z = first_z; z <= last_z; ++z) {
		for (int y = first_y; y <= last_y; ++y) {
			int turn = cross_triangle(t, y, z), row = z * rows->count[0] + y;
			if (turn == 0)
				continue;
			if (!ends) {
				rows->starts[row]++;
				continue;
			}
			float x = (float)crossing_x(t, y, z);
			int at = ends[row]++;
			for (; at > rows->starts[row] && rows->x[at - 1] > x; --at)
				rows->x[at] = rows->x[at - 1], rows->turns[at] = rows->turns[at - 1];
			rows->x[at] = x, rows->turns[at] = (int8_t)turn;
		}
	}
}

// Counts become starts. @return the sum
static int64_t sum_counts(int *starts, int count)
{
	int64_t sum = 0;
	for (int i = 0; i <= count; ++i) {
		int here = i < count ? starts[i] : 0;
		starts[i] = (int)sum;
		sum += here;
		if (sum > MAX_CROSSINGS)
			return sum;
	}
	return sum;
}

rbl_result rbl_crossing_rows_init(rbl_crossing_rows *rows, const rbl_allocator *allocator,
                                  const int slots[3], const rbl_vec3d *corners, int triangle_count)
{
	*rows = (rbl_crossing_rows){ .allocator = *allocator,
		                         .count = { RBL_BRICK_CELLS * slots[1] + 1,
		                                    RBL_BRICK_CELLS * slots[2] + 1 } };
	int row_count = rows->count[0] * rows->count[1];
	rows->starts = RBL_NEW_ZERO(allocator, int, row_count + 1);
	int *ends = RBL_NEW(allocator, int, row_count);
	rbl_result result = rows->starts && ends ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; result == RBL_OK && i < triangle_count; ++i)
		visit_triangle(rows, corners + 3 * (size_t)i, NULL);
	if (result == RBL_OK) {
		int64_t sum = sum_counts(rows->starts, row_count);
		if (sum > MAX_CROSSINGS)
			result = rbl_fail(RBL_LIMIT_REACHED, "the mesh lies in more than %d layers of %d cells",
			                  MAX_CROSSINGS / row_count, row_count);
		else
			rows->crossing_count = (int)sum;
	}
	if (result == RBL_OK) {
		memcpy(ends, rows->starts, (size_t)row_count * sizeof *ends);
		rows->x = RBL_NEW(allocator, float, rows->crossing_count + 1);
		rows->turns = RBL_NEW(allocator, int8_t, rows->crossing_count + 1);
		result = rows->x && rows->turns ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; result == RBL_OK && i < triangle_count; ++i)
		visit_triangle(rows, corners + 3 * (size_t)i, ends);
	RBL_FREE(allocator, ends, row_count);
	if (result != RBL_OK)
		rbl_crossing_rows_destroy(rows);
	return result;
}

void rbl_crossing_rows_destroy(rbl_crossing_rows *rows)
{
	RBL_FREE(&rows->allocator, rows->starts, rows->count[0] * rows->count[1] + 1);
	RBL_FREE(&rows->allocator, rows->x, rows->crossing_count + 1);
	RBL_FREE(&rows->allocator, rows->turns, rows->crossing_count + 1);
	rows->starts = NULL, rows->x = NULL, rows->turns = NULL;
}

void rbl_crossing_rows_inside(const rbl_crossing_rows *rows, int x, int y, int z, int step,
                              int count, bool *inside)
{
	bool is_row = y >= 0 && z >= 0 && y < rows->count[0] && z < rows->count[1];
	int row = is_row ? z * rows->count[0] + y : 0;
	int at = rows->starts[row], end = is_row ? rows->starts[row + 1] : at;
	int winding = 0;
	for (int i = 0; i < count; ++i, x += step) {
		for (; at < end && rows->x[at] <= (float)x; ++at)
			winding -= rows->turns[at];
		inside[i] = winding > 0;
	}
}
