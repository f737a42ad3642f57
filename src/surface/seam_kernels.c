// SPDX-License-Identifier: MIT
//
// Edges at one place of a seam against each other, four at a time. The operations are those of
// ccd/ccd.h, one by one, so normals have the same bits as those of single tests.
//
// Which ends touch follows the order of corners that single tests have (ccd/polynomial.h): the
// first vertex of the second edge comes first, and of the first edge that end which is where the
// other's is, when both are.

#include "surface/surface_kernels.h"

#include "base/simd.h"

/// What lanes read, number by number.
typedef struct spoke_lanes {
	double *vector[3], *square, *end[3];
	int32_t *near, *far, *far_place, *is_last, *name;
} spoke_lanes;

static inline spoke_lanes cut_scratch(double *doubles, int32_t *ints, int room)
{
	spoke_lanes l;
	for (int k = 0; k < 3; ++k) {
		l.vector[k] = doubles + k * room;
		l.end[k] = doubles + (3 + k) * room;
	}
	l.square = doubles + 6 * room;
	l.near = ints, l.far = ints + room, l.far_place = ints + 2 * room;
	l.is_last = ints + 3 * room, l.name = ints + 4 * room;
	return l;
}

static inline void fill_lanes(const spoke_lanes *l, const rbl_surface_seam_edge *edges,
                              const uint32_t *spokes, int count, const rbl_vec3 *ends)
{
	for (int i = 0; i < count + RBL_SURFACE_SEAM_SPARE; ++i) {
		uint32_t spoke = spokes[i < count ? i : count - 1], side = spoke & 1u;
		const rbl_surface_seam_edge *e = &edges[spoke >> 1];
		rbl_vec3 end = ends[e->ends[side]];
		l->vector[0][i] = e->vector.x, l->vector[1][i] = e->vector.y, l->vector[2][i] = e->vector.z;
		l->end[0][i] = (double)end.x, l->end[1][i] = (double)end.y, l->end[2][i] = (double)end.z;
		l->square[i] =
			e->vector.x * e->vector.x + e->vector.y * e->vector.y + e->vector.z * e->vector.z;
		l->near[i] = e->ends[side], l->far[i] = e->ends[1 - side];
		l->far_place[i] = e->places[1 - side];
		l->is_last[i] = (int32_t)side, l->name[i] = (int32_t)(2 * spoke - side);
	}
}

static inline rbl_d4x3 load_points(double *const from[3], int i)
{
	return (rbl_d4x3){ rbl_d4_load(from[0] + i), rbl_d4_load(from[1] + i),
		               rbl_d4_load(from[2] + i) };
}

/// The first edge of pairs, in all lanes.
typedef struct leader {
	rbl_i4 near, far, far_place;
	rbl_d4x3 back;    // its way, turned back
	rbl_d4 square;    // of its length
	rbl_d4x3 ends[2]; // where its end at the place goes, when the other is there with its first,
					  // last vertex
	rbl_i4 bits[2];   // the same: 2 for its last vertex
} leader;

static inline rbl_d4x3 splat_all(double *const from[3], int i)
{
	return rbl_d4x3_splat((rbl_vec3d){ from[0][i], from[1][i], from[2][i] });
}

static inline leader lead(const spoke_lanes *l, int i, bool is_both, const rbl_vec3 *ends)
{
	leader a = { .near = rbl_i4_splat(l->near[i]),
		         .far = rbl_i4_splat(l->far[i]),
		         .far_place = rbl_i4_splat(l->far_place[i]),
		         .back = rbl_d4x3_neg(splat_all(l->vector, i)),
		         .square = rbl_d4_splat(l->square[i]) };
	a.ends[0] = a.ends[1] = splat_all(l->end, i);
	a.bits[0] = a.bits[1] = rbl_i4_splat(2 * l->is_last[i]);
	if (is_both) {
		rbl_vec3 end = ends[l->far[i]];
		a.ends[1] = rbl_d4x3_splat((rbl_vec3d){ (double)end.x, (double)end.y, (double)end.z });
		a.bits[1] = rbl_i4_splat(2);
	}
	return a;
}

/// Others that have no vertex of the leader, and touch it here and not at their other end.
static inline rbl_i4 is_pair(const spoke_lanes *l, int i, const leader *a)
{
	rbl_i4 near = rbl_i4_load(l->near + i), far = rbl_i4_load(l->far + i);
	rbl_i4 far_place = rbl_i4_load(l->far_place + i), is_last = rbl_i4_load(l->is_last + i);
	rbl_i4 is_shared = rbl_i4_or(rbl_i4_or(rbl_i4_eq(near, a->near), rbl_i4_eq(near, a->far)),
	                             rbl_i4_or(rbl_i4_eq(far, a->near), rbl_i4_eq(far, a->far)));
	rbl_i4 is_elsewhere = rbl_i4_andnot(
		rbl_i4_eq(far_place, a->far_place),
		rbl_i4_or(rbl_i4_eq(far_place, rbl_i4_zero()), rbl_i4_eq(is_last, rbl_i4_zero())));
	return rbl_i4_not(rbl_i4_or(is_shared, is_elsewhere));
}

/// Unit vectors against motions, as rbl_ccd_against().
static inline rbl_d4x3 against(rbl_d4x3 motion)
{
	rbl_d4 largest =
		rbl_d4_max(rbl_d4_abs(motion.x), rbl_d4_max(rbl_d4_abs(motion.y), rbl_d4_abs(motion.z)));
	rbl_l4 moves = rbl_d4_gt(largest, rbl_d4_zero());
	largest = rbl_d4_select(moves, largest, rbl_d4_splat(1.0));
	rbl_d4x3 v = { rbl_d4_div(motion.x, largest), rbl_d4_div(motion.y, largest),
		           rbl_d4_div(motion.z, largest) };
	rbl_d4 square = rbl_d4_select(moves, rbl_d4x3_dot(v, v), rbl_d4_splat(1.0));
	v = rbl_d4x3_scale(rbl_d4_div(rbl_d4_splat(-1.0), rbl_d4_sqrt(square)), v);
	return rbl_d4x3_select(moves, v, rbl_d4x3_splat((rbl_vec3d){ 0.0, 1.0, 0.0 }));
}

/// The normals of four pairs, as rbl_ccd_across() and rbl_ccd_touch_normal().
static inline rbl_d4x3 touch_normals(const leader *a, rbl_d4x3 vector, rbl_d4 square,
                                     rbl_d4x3 motion)
{
	rbl_d4x3 across = rbl_d4x3_cross(a->back, vector);
	rbl_d4 size = rbl_d4x3_dot(across, across);
	rbl_l4 is_certain =
		rbl_d4_gt(size, rbl_d4_mul(rbl_d4_splat(1e-20), rbl_d4_mul(a->square, square)));
	size = rbl_d4_select(is_certain, size, rbl_d4_splat(1.0));
	across = rbl_d4x3_scale(rbl_d4_div(rbl_d4_splat(1.0), rbl_d4_sqrt(size)), across);
	if (!rbl_l4_all(is_certain))
		across = rbl_d4x3_select(is_certain, across, against(motion));
	rbl_l4 is_back = rbl_d4_gt(rbl_d4x3_dot(across, motion), rbl_d4_zero());
	across = rbl_d4x3_select(is_back, rbl_d4x3_neg(across), across);
	rbl_d4 zero = rbl_d4_zero(); // makes 0 of -0
	return (rbl_d4x3){ rbl_d4_add(across.x, zero), rbl_d4_add(across.y, zero),
		               rbl_d4_add(across.z, zero) };
}

/// Append those of four pairs that are some. @return how many
static inline int store_pairs(rbl_surface_seam_pair *pairs, unsigned bits, rbl_i4 names,
                              rbl_d4x3 normals)
{
	rbl_f4 rows[4] = { rbl_f4_from_mask(names), rbl_f4_from_d4(normals.x),
		               rbl_f4_from_d4(normals.y), rbl_f4_from_d4(normals.z) };
	rbl_f4_transpose(rows);
	int count = 0;
	for (int k = 0; k < 4; ++k) {
		float row[4];
		rbl_f4_store(row, rows[k]);
		memcpy(&pairs[count], row, sizeof row);
		count += (int)(bits >> k & 1u);
	}
	return count;
}

_Static_assert(sizeof(rbl_surface_seam_pair) == 16, "a pair is a row of four");

void RBL_KERNEL(rbl_surface_seam_pairs)(const rbl_surface_seam_edge *edges, const uint32_t *spokes,
                                        int count, const rbl_vec3 *ends, double *doubles,
                                        int32_t *ints, rbl_surface_seam_pair *pairs, int *counts)
{
	spoke_lanes l = cut_scratch(doubles, ints, count + RBL_SURFACE_SEAM_SPARE);
	fill_lanes(&l, edges, spokes, count, ends);
	for (int first = 0; first < count; ++first) {
		const int *places = edges[spokes[first] >> 1].places;
		leader a = lead(&l, first, places[0] == places[1], ends);
		int found = 0;
		for (int i = first + 1; i < count; i += 4) {
			unsigned bits = (unsigned)rbl_i4_bits(is_pair(&l, i, &a));
			bits &= 0xfu >> (count - i < 4 ? 4 - (count - i) : 0);
			if (!bits)
				continue;
			rbl_i4 is_first = rbl_i4_eq(rbl_i4_load(l.is_last + i), rbl_i4_zero());
			rbl_l4 wide = rbl_l4_from_i4(is_first);
			rbl_d4x3 end = rbl_d4x3_select(wide, a.ends[0], a.ends[1]);
			rbl_d4x3 motion = rbl_d4x3_sub(end, load_points(l.end, i));
			rbl_d4x3 normals =
				touch_normals(&a, load_points(l.vector, i), rbl_d4_load(l.square + i), motion);
			rbl_i4 names =
				rbl_i4_or(rbl_i4_load(l.name + i), rbl_i4_select(is_first, a.bits[0], a.bits[1]));
			found += store_pairs(pairs + found, bits, names, normals);
		}
		counts[first] = found;
		pairs += found;
	}
}
