// SPDX-License-Identifier: MIT
//
// The closest points of pairs of features, four at a time, in doubles: the operations of closest.c,
// in its order, so that the answers have the same bits.
//
// Two things of it are left out. Corners are not scaled: those of floats neither overflow nor
// underflow in products of four, and a power of two changes no other bit. And lanes whose sides are
// nearly parallel, or which are nearly at one place, are left to closest.c.

#include "ccd/ccd_kernels.h"

#include "base/simd.h"

#define SNAP 0x1p-44

/// Vectors of four pairs.
typedef struct four_vectors {
	rbl_d4 x, y, z;
} four_vectors;

static inline four_vectors sub(four_vectors a, four_vectors b)
{
	return (four_vectors){ rbl_d4_sub(a.x, b.x), rbl_d4_sub(a.y, b.y), rbl_d4_sub(a.z, b.z) };
}

static inline four_vectors add(four_vectors a, four_vectors b)
{
	return (four_vectors){ rbl_d4_add(a.x, b.x), rbl_d4_add(a.y, b.y), rbl_d4_add(a.z, b.z) };
}

static inline four_vectors scale(rbl_d4 s, four_vectors a)
{
	return (four_vectors){ rbl_d4_mul(s, a.x), rbl_d4_mul(s, a.y), rbl_d4_mul(s, a.z) };
}

static inline rbl_d4 dot(four_vectors a, four_vectors b)
{
	return rbl_d4_add(rbl_d4_add(rbl_d4_mul(a.x, b.x), rbl_d4_mul(a.y, b.y)), rbl_d4_mul(a.z, b.z));
}

static inline four_vectors load_points(const rbl_vec3 *positions,
                                       const rbl_ccd_quad *const quads[4], int i)
{
	const rbl_vec3 *p[4];
	for (int k = 0; k < 4; ++k)
		p[k] = &positions[quads[k]->vertices[i]];
	return (four_vectors){
		rbl_d4_set((double)p[0]->x, (double)p[1]->x, (double)p[2]->x, (double)p[3]->x),
		rbl_d4_set((double)p[0]->y, (double)p[1]->y, (double)p[2]->y, (double)p[3]->y),
		rbl_d4_set((double)p[0]->z, (double)p[1]->z, (double)p[2]->z, (double)p[3]->z)
	};
}

static inline rbl_d4 sizes_of(four_vectors a)
{
	return rbl_d4_max(rbl_d4_max(rbl_d4_abs(a.x), rbl_d4_abs(a.y)), rbl_d4_abs(a.z));
}

/// The polygons, with their sides at corner 0, and where points of them are along these.
typedef struct polygons {
	int count;
	four_vectors corners[4], e, f;
} polygons;

static inline four_vectors point_at(const polygons *p, rbl_d4 s, rbl_d4 t)
{
	return add(p->corners[0], add(scale(s, p->e), scale(t, p->f)));
}

/// @return the lanes whose nearest point is inside
static inline rbl_l4 solve_inside(const polygons *p, rbl_d4 *s, rbl_d4 *t, rbl_l4 *is_flat)
{
	rbl_d4 ee = dot(p->e, p->e), ff = dot(p->f, p->f), ef = dot(p->e, p->f);
	rbl_d4 re = rbl_d4_neg(dot(p->corners[0], p->e)), rf = rbl_d4_neg(dot(p->corners[0], p->f));
	rbl_d4 area = rbl_d4_sub(rbl_d4_mul(ee, ff), rbl_d4_mul(ef, ef));
	rbl_d4 snap = rbl_d4_splat(SNAP), last = rbl_d4_splat(1.0 - SNAP);
	*is_flat = rbl_l4_not(rbl_d4_gt(area, rbl_d4_mul(rbl_d4_splat(1e-4), rbl_d4_mul(ee, ff))));
	*s = rbl_d4_div(rbl_d4_sub(rbl_d4_mul(re, ff), rbl_d4_mul(rf, ef)), area);
	*t = rbl_d4_div(rbl_d4_sub(rbl_d4_mul(rf, ee), rbl_d4_mul(re, ef)), area);
	rbl_l4 is_inside = rbl_l4_and(rbl_d4_gt(*s, snap), rbl_d4_gt(*t, snap));
	return rbl_l4_and(is_inside, p->count == 3
	                                 ? rbl_d4_lt(rbl_d4_add(*s, *t), last)
	                                 : rbl_l4_and(rbl_d4_lt(*s, last), rbl_d4_lt(*t, last)));
}

/// Places along segments, nearest to the origin.
static inline rbl_d4 along_sides(four_vectors p, four_vectors q)
{
	four_vectors e = sub(q, p);
	rbl_d4 length = dot(e, e), way = rbl_d4_neg(dot(p, e)), one = rbl_d4_splat(1.0);
	rbl_l4 is_within = rbl_d4_lt(way, rbl_d4_mul(rbl_d4_splat(1.0 - SNAP), length));
	rbl_l4 is_beyond = rbl_d4_gt(way, rbl_d4_mul(rbl_d4_splat(SNAP), length));
	rbl_d4 place = rbl_d4_select(is_within, rbl_d4_div(way, length), one);
	return rbl_d4_select(is_beyond, place, rbl_d4_zero());
}

/// Put the nearest points of the sides to lanes that are not inside.
static inline void solve_sides(const polygons *p, rbl_l4 is_inside, rbl_d4 *s, rbl_d4 *t)
{
	rbl_d4 zero = rbl_d4_zero(), one = rbl_d4_splat(1.0);
	rbl_d4 smallest = rbl_d4_splat(INFINITY), best_s = zero, best_t = zero;
	for (int i = 0; i < p->count; ++i) {
		rbl_d4 way = along_sides(p->corners[i], p->corners[i + 1 < p->count ? i + 1 : 0]);
		rbl_d4 rest = rbl_d4_sub(one, way), both = rbl_d4_add(rest, way);
		// From corner to corner as in closest.c.
		rbl_d4 at_s = i == 0 ? way : i == 1 ? (p->count == 3 ? rest : both) : i == 2 ? rest : zero;
		rbl_d4 at_t = i == 0 ? zero : i == 1 ? way : i == 2 ? both : rest;
		if (i == 2 && p->count == 3)
			at_s = zero, at_t = rest;
		four_vectors x = point_at(p, at_s, at_t);
		rbl_d4 square = dot(x, x);
		rbl_l4 is_nearer = rbl_d4_lt(square, smallest);
		smallest = rbl_d4_select(is_nearer, square, smallest);
		best_s = rbl_d4_select(is_nearer, at_s, best_s);
		best_t = rbl_d4_select(is_nearer, at_t, best_t);
	}
	*s = rbl_d4_select(is_inside, *s, best_s);
	*t = rbl_d4_select(is_inside, *t, best_t);
}

static inline void store_vectors(double to[3][4], four_vectors a)
{
	rbl_d4_store(to[0], a.x);
	rbl_d4_store(to[1], a.y);
	rbl_d4_store(to[2], a.z);
}

static inline void find_four(rbl_ccd_kind kind, const rbl_vec3 *positions,
                             const rbl_ccd_quad *const quads[4], double reach,
                             rbl_ccd_closest_lanes *found)
{
	bool is_face = kind == RBL_CCD_VERTEX_FACE;
	four_vectors points[4];
	for (int i = 0; i < 4; ++i)
		points[i] = load_points(positions, quads, i);
	polygons p = { .count = is_face ? 3 : 4 };
	p.corners[0] = is_face ? sub(points[1], points[0]) : sub(points[0], points[2]);
	p.corners[1] = is_face ? sub(points[2], points[0]) : sub(points[1], points[2]);
	p.corners[2] = is_face ? sub(points[3], points[0]) : sub(points[1], points[3]);
	if (!is_face)
		p.corners[3] = sub(points[0], points[3]);
	p.e = sub(p.corners[1], p.corners[0]);
	p.f = sub(p.corners[p.count - 1], p.corners[0]);
	rbl_d4 largest = rbl_d4_zero();
	for (int i = 0; i < p.count; ++i)
		largest = rbl_d4_max(sizes_of(p.corners[i]), largest);

	rbl_d4 s, t, one = rbl_d4_splat(1.0), zero = rbl_d4_zero();
	rbl_l4 is_flat, is_inside = solve_inside(&p, &s, &t, &is_flat);
	if (!rbl_l4_all(is_inside))
		solve_sides(&p, is_inside, &s, &t);
	four_vectors x = point_at(&p, s, t);
	rbl_d4 distance = rbl_d4_sqrt(dot(x, x));
	rbl_d4 rounding = rbl_d4_mul(rbl_d4_splat(0x1p-40), largest);
	// closest.c compares with 1e-10 when the largest is between a half and 1.
	rbl_l4 is_close = rbl_l4_not(rbl_d4_gt(distance, rbl_d4_mul(rbl_d4_splat(2.1e-10), largest)));
	rbl_l4 is_open = rbl_l4_or(is_flat, is_close);
	found->is_open = (unsigned)rbl_l4_bits(is_open);
	found->is_near =
		(unsigned)rbl_l4_bits(rbl_d4_le(distance, rbl_d4_add(rbl_d4_splat(reach), rounding)));
	if (!(found->is_near & ~found->is_open))
		return;

	rbl_d4 weights[4] = { is_face ? one : rbl_d4_sub(one, s),
		                  is_face ? rbl_d4_max(zero, rbl_d4_sub(rbl_d4_sub(one, s), t)) : s,
		                  is_face ? s : rbl_d4_sub(one, t), t };
	four_vectors sums[2] = { { zero, zero, zero }, { zero, zero, zero } };
	for (int i = 0; i < 4; ++i) {
		rbl_l4 counts = rbl_d4_gt(weights[i], zero);
		int side = i >= (is_face ? 1 : 2);
		found->corners[i] = (unsigned)rbl_l4_bits(counts);
		sums[side] = add(sums[side], scale(rbl_d4_select(counts, weights[i], zero), points[i]));
		rbl_d4_store(found->weights[i], weights[i]);
	}
	rbl_d4 sign = rbl_d4_splat(is_face ? -1.0 : 1.0);
	rbl_d4_store(found->distance, distance);
	rbl_d4_store(found->rounding, rounding);
	store_vectors(found->points[0], sums[0]);
	store_vectors(found->points[1], sums[1]);
	store_vectors(found->direction, scale(rbl_d4_div(sign, distance), x));
}

void RBL_KERNEL(rbl_ccd_closest_four)(rbl_ccd_kind kind, const rbl_vec3 *positions,
                                      const rbl_ccd_quad *const quads[4], double reach,
                                      rbl_ccd_closest_lanes *found)
{
	if (kind == RBL_CCD_VERTEX_FACE)
		find_four(RBL_CCD_VERTEX_FACE, positions, quads, reach, found);
	else
		find_four(RBL_CCD_EDGE_EDGE, positions, quads, reach, found);
}
