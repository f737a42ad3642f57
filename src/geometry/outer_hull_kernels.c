// SPDX-License-Identifier: MIT
//
// The loops over all points of the approximate hull. Each point is worked on by itself and in one
// order of operations, so every back end gives the same bits.

#include "geometry/geometry_kernels.h"

#include "base/simd.h"

typedef struct lanes {
	rbl_d4 x, y, z, gain, seen;
} lanes;

static inline void add_face(lanes *p, rbl_planed plane, rbl_d4 one)
{
	rbl_d4 side = rbl_d4_add(rbl_d4_add(rbl_d4_mul(rbl_d4_splat(plane.normal.x), p->x),
	                                    rbl_d4_mul(rbl_d4_splat(plane.normal.y), p->y)),
	                         rbl_d4_mul(rbl_d4_splat(plane.normal.z), p->z));
	side = rbl_d4_sub(side, rbl_d4_splat(plane.offset));
	rbl_l4 above = rbl_d4_gt(side, rbl_d4_zero());
	p->gain = rbl_d4_add(p->gain, rbl_d4_mul(one, rbl_d4_max(side, rbl_d4_zero())));
	p->seen = rbl_d4_add(p->seen, rbl_d4_select(above, one, rbl_d4_zero()));
}

static inline void store(rbl_hull_candidates *candidates, int at, const lanes *p, int i, int bits)
{
	if (bits == 15) {
		int index[4];
		memcpy(index, candidates->index + i, sizeof index);
		rbl_d4_store(candidates->x + at, p->x);
		rbl_d4_store(candidates->y + at, p->y);
		rbl_d4_store(candidates->z + at, p->z);
		rbl_d4_store(candidates->gain + at, p->gain);
		rbl_d4_store(candidates->seen + at, p->seen);
		memcpy(candidates->index + at, index, sizeof index);
		return;
	}
	double gain[4], seen[4];
	rbl_d4_store(gain, p->gain);
	rbl_d4_store(seen, p->seen);
	for (int k = 0; k < 4; ++k) {
		if (!(bits >> k & 1))
			continue;
		candidates->x[at] = candidates->x[i + k];
		candidates->y[at] = candidates->y[i + k];
		candidates->z[at] = candidates->z[i + k];
		candidates->gain[at] = gain[k];
		candidates->seen[at] = seen[k];
		candidates->index[at++] = candidates->index[i + k];
	}
}

static inline int count_bits(int bits)
{
	return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3 & 1);
}

// The place of the largest gain; of equals, that of the first point.
static int find_largest(const double *gain, const int *index, int count)
{
	rbl_d4 max_lanes = rbl_d4_splat(-DBL_MAX);
	int i = 0;
	for (; i + 4 <= count; i += 4)
		max_lanes = rbl_d4_max(max_lanes, rbl_d4_load(gain + i));
	double largest = rbl_d4_max_lane(max_lanes);
	for (; i < count; ++i)
		largest = gain[i] > largest ? gain[i] : largest;
	int best = -1;
	for (i = 0; i < count; ++i)
		if (gain[i] == largest && (best < 0 || index[i] < index[best]))
			best = i;
	return best;
}

int RBL_KERNEL(rbl_hull_update)(rbl_hull_candidates *candidates, const rbl_planed *planes,
                                int added, int removed)
{
	int kept = 0, count = candidates->count;
	rbl_d4 plus = rbl_d4_splat(1.0), minus = rbl_d4_splat(-1.0);
	for (int i = 0; i < count; i += 4) {
		int n = count - i < 4 ? count - i : 4; // the arrays have space for four more
		lanes p = { rbl_d4_load(candidates->x + i), rbl_d4_load(candidates->y + i),
			        rbl_d4_load(candidates->z + i), rbl_d4_load(candidates->gain + i),
			        rbl_d4_load(candidates->seen + i) };
		for (int f = 0; f < added; ++f)
			add_face(&p, planes[f], plus);
		for (int f = added; f < added + removed; ++f)
			add_face(&p, planes[f], minus);
		int bits = rbl_l4_bits(rbl_d4_gt(p.seen, rbl_d4_zero())) & ((1 << n) - 1);
		store(candidates, kept, &p, i, bits);
		kept += count_bits(bits);
	}
	candidates->count = kept;
	return find_largest(candidates->gain, candidates->index, kept);
}

double RBL_KERNEL(rbl_hull_support)(const double *x, const double *y, const double *z, int count,
                                    rbl_vec3d normal, double best)
{
	rbl_d4 max_lanes = rbl_d4_splat(best);
	rbl_d4 nx = rbl_d4_splat(normal.x), ny = rbl_d4_splat(normal.y), nz = rbl_d4_splat(normal.z);
	int i = 0;
	for (; i + 4 <= count; i += 4) {
		rbl_d4 along = rbl_d4_add(
			rbl_d4_add(rbl_d4_mul(nx, rbl_d4_load(x + i)), rbl_d4_mul(ny, rbl_d4_load(y + i))),
			rbl_d4_mul(nz, rbl_d4_load(z + i)));
		max_lanes = rbl_d4_max(max_lanes, along);
	}
	best = rbl_d4_max_lane(max_lanes);
	for (; i < count; ++i) {
		double along = normal.x * x[i] + normal.y * y[i] + normal.z * z[i];
		best = along > best ? along : best;
	}
	return best;
}
