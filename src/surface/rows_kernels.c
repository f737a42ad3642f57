// SPDX-License-Identifier: MIT
//
// Triangles in rows: corners and planes are read from one place, and planes are found once for all
// pairs of a triangle. First pairs are dropped that a plane separates, which is half of them, then
// intervals on the common line decide. What is left open needs the exact test.

#include "surface/rows_kernels.h"

#include "surface/triangle_lanes.h"

/// Eight triangles out of rows.
typedef struct row_lanes {
	corners corners;
	planes planes;
} row_lanes;

void RBL_KERNEL(rbl_rows_fill)(rbl_row *rows, const rbl_vec3 *positions,
                               const int32_t (*vertices)[8])
{
	corners t;
	for (int k = 0; k < 3; ++k)
		t.p[k] = rbl_f8x3_gather_padded(positions, vertices[k], 1);
	planes plane = planes_of(&t);
	rbl_f8 quarters[4][4] = {
		{ t.p[0].x, t.p[0].y, t.p[0].z, plane.normal.x },
		{ t.p[1].x, t.p[1].y, t.p[1].z, plane.normal.y },
		{ t.p[2].x, t.p[2].y, t.p[2].z, plane.normal.z },
		{ plane.sizes.x, plane.sizes.y, plane.sizes.z, rbl_f8_zero() },
	};
	for (int q = 0; q < 4; ++q) {
		rbl_f8_transpose(quarters[q]);
		for (int i = 0; i < 4; ++i) {
			rbl_f4_store(rows[i].values + 4 * q, rbl_f8_low(quarters[q][i]));
			rbl_f4_store(rows[i + 4].values + 4 * q, rbl_f8_high(quarters[q][i]));
		}
	}
}

/// Quarter q of eight rows, by component.
static inline void load_quarter(const rbl_row *const from[8], int q, rbl_f8 to[4])
{
	for (int i = 0; i < 4; ++i)
		to[i] = rbl_f8_from(rbl_f4_load(from[i]->values + 4 * q),
		                    rbl_f4_load(from[i + 4]->values + 4 * q));
	rbl_f8_transpose(to);
}

static inline row_lanes load_rows(const rbl_row *rows, const rbl_row_pair *pairs, int shift)
{
	const rbl_row *from[8];
	for (int i = 0; i < 8; ++i)
		from[i] = rows + (pairs[i] >> shift & 0xffffu);
	rbl_f8 quarter[4][4];
	for (int q = 0; q < 4; ++q)
		load_quarter(from, q, quarter[q]);
	row_lanes all;
	for (int k = 0; k < 3; ++k)
		all.corners.p[k] = (rbl_f8x3){ quarter[k][0], quarter[k][1], quarter[k][2] };
	all.planes.normal = (rbl_f8x3){ quarter[0][3], quarter[1][3], quarter[2][3] };
	all.planes.sizes = (rbl_f8x3){ quarter[3][0], quarter[3][1], quarter[3][2] };
	return all;
}

/// Fill the last eight up.
static inline void pad(rbl_row_pair *pairs, int count)
{
	for (int i = count; i & 7; ++i)
		pairs[i] = pairs[count - 1];
}

/// Drop pairs that a plane separates. @return how many are left, in their place
static inline int drop_separated(const rbl_row *rows, rbl_row_pair *pairs, int count)
{
	int kept = 0;
	pad(pairs, count);
	for (int i = 0; i < count; i += 8) {
		row_lanes a = load_rows(rows, pairs + i, 0), b = load_rows(rows, pairs + i, 16);
		sides b_sides = sides_of(&a.planes, a.corners.p[0], &b.corners);
		sides a_sides = sides_of(&b.planes, b.corners.p[0], &a.corners);
		int apart = rbl_i8_bits(rbl_i8_or(all_one_sided(&b_sides), all_one_sided(&a_sides)));
		int here = count - i < 8 ? count - i : 8;
		for (int k = 0; k < here; ++k) {
			pairs[kept] = pairs[i + k];
			kept += ~apart >> k & 1;
		}
	}
	return kept;
}

int RBL_KERNEL(rbl_rows_test)(const rbl_row *rows, rbl_row_pair *pairs, int count,
                              rbl_row_pair *open, int *open_count)
{
	count = drop_separated(rows, pairs, count);
	int meeting = 0, left = 0;
	pad(pairs, count);
	for (int i = 0; i < count; i += 8) {
		row_lanes a = load_rows(rows, pairs + i, 0), b = load_rows(rows, pairs + i, 16);
		sides b_sides = sides_of(&a.planes, a.corners.p[0], &b.corners);
		sides a_sides = sides_of(&b.planes, b.corners.p[0], &a.corners);
		rbl_i8 meets, apart;
		compare_intervals(&a.corners, &a_sides, &b.corners, &b_sides, &meets, &apart);
		int is_met = rbl_i8_bits(meets), is_open = ~(is_met | rbl_i8_bits(apart));
		int here = count - i < 8 ? count - i : 8;
		for (int k = 0; k < here; ++k) {
			rbl_row_pair pair = pairs[i + k];
			pairs[meeting] = open[left] = pair;
			meeting += is_met >> k & 1;
			left += is_open >> k & 1;
		}
	}
	*open_count = left;
	return meeting;
}
