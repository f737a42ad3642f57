// SPDX-License-Identifier: MIT
//
// The closest points of pairs of features, four at a time, in doubles: the operations of closest.c,
// in its order, so that the answers have the same bits.
//
// Two things of it are left out. Corners are not scaled: those of floats neither overflow nor
// underflow in products of four, and a power of two changes no other bit. And lanes whose sides are
// nearly parallel, or which are nearly at one place, are left to closest.c.
//
// In the same way contacts at the start of a step are found, with the operations of ccd.c and of
// rbl_ccd_nearest_of(): pairs that are within the thickness then, which is most of what comes
// within it at all. Whatever is not plainly so is left to ccd.c.

#include "ccd/ccd_kernels.h"

#include "base/simd.h"

#include <float.h>
#include <math.h>

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

// --- contacts at the start of a step ------------------------------------------------------------

/// As rbl_ccd_nearest_inside().
static inline rbl_l4 near_inside(const polygons *p, rbl_d4 *s, rbl_d4 *t)
{
	rbl_d4 ee = dot(p->e, p->e), ff = dot(p->f, p->f), ef = dot(p->e, p->f);
	rbl_d4 re = rbl_d4_neg(dot(p->corners[0], p->e)), rf = rbl_d4_neg(dot(p->corners[0], p->f));
	rbl_d4 area = rbl_d4_sub(rbl_d4_mul(ee, ff), rbl_d4_mul(ef, ef));
	rbl_d4 one = rbl_d4_splat(1.0), zero = rbl_d4_zero();
	*s = rbl_d4_div(rbl_d4_sub(rbl_d4_mul(re, ff), rbl_d4_mul(rf, ef)), area);
	*t = rbl_d4_div(rbl_d4_sub(rbl_d4_mul(rf, ee), rbl_d4_mul(re, ef)), area);
	rbl_l4 is_in = rbl_d4_gt(area, rbl_d4_mul(rbl_d4_splat(1e-12), rbl_d4_mul(ee, ff)));
	is_in = rbl_l4_and(is_in, rbl_l4_and(rbl_d4_ge(*s, zero), rbl_d4_ge(*t, zero)));
	rbl_l4 is_below = p->count == 3 ? rbl_d4_le(rbl_d4_add(*s, *t), one)
	                                : rbl_l4_and(rbl_d4_le(*s, one), rbl_d4_le(*t, one));
	return rbl_l4_and(is_in, is_below);
}

/// As rbl_ccd_nearest_of(): where the nearest points are.
static inline void near_places(const polygons *p, rbl_d4 *s, rbl_d4 *t)
{
	rbl_l4 is_inside = near_inside(p, s, t);
	rbl_d4 smallest = rbl_d4_splat(DBL_MAX), one = rbl_d4_splat(1.0), zero = rbl_d4_zero();
	rbl_d4 best_s = zero, best_t = zero;
	for (int i = 0; i < p->count && !rbl_l4_all(is_inside); ++i) {
		four_vectors from = p->corners[i];
		four_vectors e = sub(p->corners[i + 1 < p->count ? i + 1 : 0], from);
		rbl_d4 length = dot(e, e), way = rbl_d4_neg(dot(from, e));
		rbl_d4 place = rbl_d4_select(rbl_d4_lt(way, length), rbl_d4_div(way, length), one);
		place = rbl_d4_select(rbl_d4_gt(way, zero), place, zero);
		four_vectors x = add(from, scale(place, e));
		rbl_d4 square = dot(x, x), rest = rbl_d4_sub(one, place);
		bool is_third = i == 2 && p->count == 4;
		rbl_d4 at_s = i == 0                    ? place
		              : i == 1 && p->count == 4 ? one
		              : i == 1 || is_third      ? rest
		                                        : zero;
		rbl_d4 at_t = i == 0 ? zero : i == 1 ? place : is_third ? one : rest;
		rbl_l4 is_nearer = rbl_d4_lt(square, smallest);
		smallest = rbl_d4_select(is_nearer, square, smallest);
		best_s = rbl_d4_select(is_nearer, at_s, best_s);
		best_t = rbl_d4_select(is_nearer, at_t, best_t);
	}
	*s = rbl_d4_select(is_inside, *s, best_s);
	*t = rbl_d4_select(is_inside, *t, best_t);
}

static inline void load_polygon(rbl_ccd_kind kind, const rbl_vec3 *positions,
                                const rbl_ccd_quad *const quads[4], four_vectors corners[4],
                                rbl_d4 *largest)
{
	bool is_face = kind == RBL_CCD_VERTEX_FACE;
	four_vectors p[4];
	for (int i = 0; i < 4; ++i) {
		p[i] = load_points(positions, quads, i);
		*largest = rbl_d4_max(*largest, sizes_of(p[i]));
	}
	corners[0] = is_face ? sub(p[1], p[0]) : sub(p[0], p[2]);
	corners[1] = is_face ? sub(p[2], p[0]) : sub(p[1], p[2]);
	corners[2] = is_face ? sub(p[3], p[0]) : sub(p[1], p[3]);
	corners[3] = is_face ? corners[2] : sub(p[0], p[3]);
}

/// The least and the largest of corners along an axis: whether all are beyond the margin.
static inline rbl_l4 is_aside(rbl_d4 a, rbl_d4 b, rbl_d4 c, rbl_d4 d, rbl_d4 margin)
{
	rbl_d4 low = rbl_d4_min(rbl_d4_min(a, b), rbl_d4_min(c, d));
	rbl_d4 high = rbl_d4_max(rbl_d4_max(a, b), rbl_d4_max(c, d));
	return rbl_l4_or(rbl_d4_gt(low, margin), rbl_d4_lt(high, rbl_d4_neg(margin)));
}

static inline void find_contacts(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                                 const rbl_ccd_quad *const quads[4], double thickness,
                                 rbl_ccd_contact_lanes *found)
{
	bool is_face = kind == RBL_CCD_VERTEX_FACE;
	rbl_d4 zero = rbl_d4_zero(), largest = zero;
	polygons p = { .count = is_face ? 3 : 4 };
	four_vectors starts[4], ends[4], *r = p.corners;
	load_polygon(kind, motion->start, quads, starts, &largest);
	load_polygon(kind, motion->end, quads, ends, &largest);
	rbl_d4 size = zero, smallest = rbl_d4_splat(INFINITY);
	four_vectors extent = { zero, zero, zero };
	for (int i = 0; i < p.count; ++i) {
		// At time 0 of a way, which is where it starts but for the sign of zeros.
		r[i] = add(starts[i], scale(zero, ends[i]));
		rbl_d4 sizes = sizes_of(starts[i]);
		size = rbl_d4_max(size, sizes), smallest = rbl_d4_min(smallest, sizes);
		extent.x = rbl_d4_max(extent.x, rbl_d4_max(rbl_d4_abs(r[i].x), rbl_d4_abs(ends[i].x)));
		extent.y = rbl_d4_max(extent.y, rbl_d4_max(rbl_d4_abs(r[i].y), rbl_d4_abs(ends[i].y)));
		extent.z = rbl_d4_max(extent.z, rbl_d4_max(rbl_d4_abs(r[i].z), rbl_d4_abs(ends[i].z)));
	}
	// Coordinates that are not scaled, no corners at one place, and boxes that are not apart.
	rbl_l4 is_plain = rbl_l4_and(rbl_d4_le(largest, rbl_d4_splat(0x1p60)),
	                             rbl_d4_ge(size, rbl_d4_splat(0x1p-60)));
	is_plain = rbl_l4_and(is_plain, rbl_d4_gt(smallest, zero));
	rbl_d4 margin = rbl_d4_splat(thickness);
	rbl_l4 is_apart = is_aside(starts[0].x, starts[1].x, starts[2].x, starts[3].x, margin);
	is_apart =
		rbl_l4_or(is_apart, is_aside(starts[0].y, starts[1].y, starts[2].y, starts[3].y, margin));
	is_apart =
		rbl_l4_or(is_apart, is_aside(starts[0].z, starts[1].z, starts[2].z, starts[3].z, margin));
	is_plain = rbl_l4_and(is_plain, rbl_l4_not(is_apart));

	p.e = sub(r[1], r[0]), p.f = sub(r[p.count - 1], r[0]);
	rbl_d4 s, t, one = rbl_d4_splat(1.0);
	near_places(&p, &s, &t);
	four_vectors nearest = point_at(&p, s, t);
	rbl_d4 square = dot(nearest, nearest), gap = rbl_d4_sqrt(square);
	// Proven, with twice the rounding that search.c counts: so it is there.
	rbl_d4 rounding = rbl_d4_add(rbl_d4_add(extent.x, extent.y), extent.z);
	rounding = rbl_d4_add(rbl_d4_mul(rbl_d4_splat(64.0 * 0x1p-53), rounding), rbl_d4_splat(1e-149));
	rbl_d4 provable = rbl_d4_sub(rbl_d4_splat(1.0999 * thickness), rounding);
	rbl_l4 is_contact = rbl_l4_and(rbl_d4_le(gap, rbl_d4_splat(thickness)),
	                               rbl_d4_le(square, rbl_d4_splat(thickness * thickness)));
	is_contact = rbl_l4_and(is_contact, rbl_d4_le(gap, provable));
	is_contact = rbl_l4_and(is_contact, rbl_d4_gt(gap, rbl_d4_mul(rbl_d4_splat(1e-10), size)));
	is_contact = rbl_l4_and(is_contact, is_plain);
	found->is_contact = (unsigned)rbl_l4_bits(is_contact);
	if (!found->is_contact)
		return;

	rbl_d4 first = is_face ? rbl_d4_sub(rbl_d4_sub(one, s), t) : s;
	rbl_d4_store(found->weights[0], rbl_d4_select(rbl_d4_lt(first, zero), zero, first));
	rbl_d4_store(found->weights[1], is_face ? s : t);
	rbl_d4_store(found->weights[2], is_face ? t : zero);
	rbl_d4 most = sizes_of(nearest);
	four_vectors v = { rbl_d4_div(nearest.x, most), rbl_d4_div(nearest.y, most),
		               rbl_d4_div(nearest.z, most) };
	rbl_d4 sign = rbl_d4_splat(is_face ? -1.0 : 1.0), norm = rbl_d4_sqrt(dot(v, v));
	four_vectors normal = { rbl_d4_div(rbl_d4_mul(sign, v.x), norm),
		                    rbl_d4_div(rbl_d4_mul(sign, v.y), norm),
		                    rbl_d4_div(rbl_d4_mul(sign, v.z), norm) };
	store_vectors(found->normal, normal);

	// All differences of vertices, of the first feature less the second, along the normal.
	rbl_d4 least[2] = { rbl_d4_splat(INFINITY), rbl_d4_splat(INFINITY) }, reach = zero;
	for (int time = 0; time < 2; ++time)
		for (int i = 0; i < p.count; ++i) {
			four_vectors d = time ? ends[i] : starts[i];
			least[time] = rbl_d4_min(least[time], rbl_d4_mul(sign, dot(normal, d)));
			reach = rbl_d4_max(
				reach, rbl_d4_add(rbl_d4_add(rbl_d4_abs(d.x), rbl_d4_abs(d.y)), rbl_d4_abs(d.z)));
		}
	rbl_d4 slack = rbl_d4_mul(rbl_d4_splat(1e-12), reach);
	found->is_parting = (unsigned)rbl_l4_bits(
		rbl_l4_and(rbl_d4_gt(least[0], zero), rbl_d4_ge(least[1], rbl_d4_sub(least[0], slack))));
}

void RBL_KERNEL(rbl_ccd_contacts_four)(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                                       const rbl_ccd_quad *const quads[4], double thickness,
                                       rbl_ccd_contact_lanes *found)
{
	if (kind == RBL_CCD_VERTEX_FACE)
		find_contacts(RBL_CCD_VERTEX_FACE, motion, quads, thickness, found);
	else
		find_contacts(RBL_CCD_EDGE_EDGE, motion, quads, thickness, found);
}
