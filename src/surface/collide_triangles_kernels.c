// SPDX-License-Identifier: MIT
//
// Tests of pairs of triangles, eight at a time. First a filter: a pair is apart when the corners of
// one are on one side of the plane of the other. Corners that are shared do not count: then the
// rest of the triangle is on that side, and touches the plane only in what is shared.
//
// Triangles that share one vertex and straddle each other's planes have cones at that vertex that
// both hold one half of the line common to the planes, and they are apart when it is not the same
// half (geometry/triangle_intersection.c): then the signs decide too.
//
// What passes and shares nothing is decided by the intervals on the line common to the planes
// (surface/triangle_lanes.h).

#include "surface/surface_kernels.h"

#include "surface/triangle_lanes.h"

#include "base/bits.h"

/// Masks of corners that the other triangle has as well.
typedef struct shares {
	rbl_i8 s[3];
} shares;

/// Pairs where the corners that are not shared do.
static inline rbl_i8 are_one_sided(const sides *s, const shares *shared)
{
	// In place of a shared corner, one that is not.
	rbl_f8 other = rbl_f8_select(
		shared->s[0], rbl_f8_select(shared->s[1], s->value[2], s->value[1]), s->value[0]);
	sides rest = { .bound = s->bound };
	for (int i = 0; i < 3; ++i)
		rest.value[i] = rbl_f8_select(shared->s[i], other, s->value[i]);
	return all_one_sided(&rest);
}

static inline rbl_i8 is_exactly_one(const shares *a)
{
	rbl_i8 some = rbl_i8_or(rbl_i8_or(a->s[0], a->s[1]), a->s[2]);
	rbl_i8 more =
		rbl_i8_or(rbl_i8_and(a->s[0], rbl_i8_or(a->s[1], a->s[2])), rbl_i8_and(a->s[1], a->s[2]));
	return rbl_i8_andnot(some, more);
}

/// The values of the two corners after the shared one.
static inline void after_shared(const sides *s, const shares *shared, rbl_f8 *first, rbl_f8 *second)
{
	*first = rbl_f8_select(shared->s[0], s->value[1],
	                       rbl_f8_select(shared->s[1], s->value[2], s->value[0]));
	*second = rbl_f8_select(shared->s[0], s->value[2],
	                        rbl_f8_select(shared->s[1], s->value[0], s->value[1]));
}

static inline rbl_i8 are_certain(rbl_f8 a, rbl_f8 b, rbl_f8 bound)
{
	return rbl_f8_gt(rbl_f8_min(rbl_f8_abs(a), rbl_f8_abs(b)), bound);
}

/// Pairs with one shared vertex whose cones hold different halves of the common line. Those of them
/// that are one-sided are apart for that reason.
static inline rbl_i8 cones_are_apart(const sides *a, const shares *a_shares, const sides *b,
                                     const shares *b_shares)
{
	rbl_f8 a1, a2, b1, b2, zero = rbl_f8_zero();
	after_shared(a, a_shares, &a1, &a2);
	after_shared(b, b_shares, &b1, &b2);
	rbl_i8 is_known = rbl_i8_and(are_certain(a1, a2, a->bound), are_certain(b1, b2, b->bound));
	rbl_i8 has_one = rbl_i8_and(is_exactly_one(a_shares), is_exactly_one(b_shares));
	rbl_i8 differ = rbl_i8_xor(rbl_f8_gt(b2, zero), rbl_f8_gt(a1, zero));
	return rbl_i8_and(rbl_i8_and(is_known, has_one), differ);
}

/// Vertex indices of eight pairs: corner by corner.
typedef struct indices {
	_Alignas(32) int32_t a[3][8], b[3][8];
} indices;

static inline void load_indices(indices *v, const int *triangles, const int *pairs, int here)
{
	for (int k = 0; k < 8; ++k) {
		const int *pair = pairs + 2 * (k < here ? k : here - 1);
		const int *a = triangles + 3 * (size_t)pair[0], *b = triangles + 3 * (size_t)pair[1];
		for (int i = 0; i < 3; ++i)
			v->a[i][k] = a[i], v->b[i][k] = b[i];
	}
}

/// Which corners are shared. @return pairs with all three
static inline rbl_i8 find_shares(const indices *v, shares *a, shares *b)
{
	rbl_i8 p[3], q[3];
	for (int i = 0; i < 3; ++i) {
		p[i] = rbl_i8_load(v->a[i]), q[i] = rbl_i8_load(v->b[i]);
		a->s[i] = b->s[i] = rbl_i8_zero();
	}
	for (int i = 0; i < 3; ++i) {
		for (int k = 0; k < 3; ++k) {
			rbl_i8 same = rbl_i8_eq(p[i], q[k]);
			a->s[i] = rbl_i8_or(a->s[i], same);
			b->s[k] = rbl_i8_or(b->s[k], same);
		}
	}
	return rbl_i8_and(rbl_i8_and(a->s[0], a->s[1]), a->s[2]);
}

static inline void load_corners(const rbl_vec3 *positions, const indices *v, corners *a, corners *b)
{
	for (int k = 0; k < 3; ++k) {
		a->p[k] = rbl_f8x3_gather_padded(positions, v->a[k], 1);
		b->p[k] = rbl_f8x3_gather_padded(positions, v->b[k], 1);
	}
}

static inline bool some_are_shared(const shares *a)
{
	return rbl_i8_any(rbl_i8_or(rbl_i8_or(a->s[0], a->s[1]), a->s[2]));
}

static inline rbl_i8 sharing_are_apart(const corners *a, const shares *a_shares, const corners *b,
                                       const shares *b_shares)
{
	sides b_sides = find_sides(a, b), a_sides = find_sides(b, a);
	rbl_i8 apart = rbl_i8_or(are_one_sided(&b_sides, b_shares), are_one_sided(&a_sides, a_shares));
	return rbl_i8_or(apart, cones_are_apart(&a_sides, a_shares, &b_sides, b_shares));
}

/// The same where no pair shares anything: those of different bodies. They come from few clusters,
/// so often all of them are on one side.
static inline rbl_i8 others_are_apart(const corners *a, const corners *b)
{
	sides b_sides = find_sides(a, b);
	rbl_i8 apart = all_one_sided(&b_sides);
	if (rbl_i8_all(apart))
		return apart;
	sides a_sides = find_sides(b, a);
	return rbl_i8_or(apart, all_one_sided(&a_sides));
}

int RBL_KERNEL(rbl_surface_filter_triangle_pairs)(const rbl_vec3 *positions, const int *triangles,
                                                  const int *pairs, int count, int *kept)
{
	int kept_count = 0;
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		indices v;
		load_indices(&v, triangles, pairs + 2 * (size_t)i, here);
		corners a, b;
		load_corners(positions, &v, &a, &b);
		shares a_shares, b_shares;
		rbl_i8 is_same = find_shares(&v, &a_shares, &b_shares);
		rbl_i8 apart = some_are_shared(&a_shares) ? sharing_are_apart(&a, &a_shares, &b, &b_shares)
		                                          : others_are_apart(&a, &b);
		unsigned left = ~(unsigned)rbl_i8_bits(rbl_i8_andnot(apart, is_same)) & 0xffu >> (8 - here);
		for (; left; left &= left - 1)
			kept[kept_count++] = i + rbl_lowest_one(left);
	}
	return kept_count;
}

void RBL_KERNEL(rbl_surface_decide_triangle_pairs)(const rbl_vec3 *positions, const int *triangles,
                                                   const int *pairs, int count,
                                                   signed char *answers)
{
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		indices v;
		load_indices(&v, triangles, pairs + 2 * (size_t)i, here);
		corners a, b;
		load_corners(positions, &v, &a, &b);
		shares a_shares, b_shares;
		find_shares(&v, &a_shares, &b_shares);
		sides b_sides = find_sides(&a, &b), a_sides = find_sides(&b, &a);
		rbl_i8 shared = rbl_i8_or(rbl_i8_or(a_shares.s[0], a_shares.s[1]), a_shares.s[2]);
		rbl_i8 meet, part;
		compare_intervals(&a, &a_sides, &b, &b_sides, &meet, &part);
		int meets = rbl_i8_bits(rbl_i8_andnot(meet, shared));
		int apart = rbl_i8_bits(rbl_i8_andnot(part, shared));
		for (int k = 0; k < here; ++k)
			answers[i + k] = (signed char)((meets >> k & 1) - (apart >> k & 1));
	}
}

// --- by a distance ------------------------------------------------------------------------------

/// Eight pairs of triangles, relative to a corner, and the distance that is asked for, rounding
/// included.
typedef struct apart_lanes {
	corners a, b;
	rbl_f8 gap;
} apart_lanes;

/// Note where the pairs are apart by the gap along an axis of any length. The axis is taken as it
/// is, so only its products with corners are rounded: 6 u times the sum over magnitudes, and the
/// gap has space for 32 u times |axis| and the farthest corner.
static inline rbl_i8 apart_along(const apart_lanes *p, rbl_f8x3 axis)
{
	rbl_f8 a[3], b[3];
	for (int i = 0; i < 3; ++i) {
		a[i] = rbl_f8x3_dot(p->a.p[i], axis);
		b[i] = rbl_f8x3_dot(p->b.p[i], axis);
	}
	rbl_f8 above = rbl_f8_sub(rbl_f8_min(rbl_f8_min(b[0], b[1]), b[2]),
	                          rbl_f8_max(rbl_f8_max(a[0], a[1]), a[2]));
	rbl_f8 below = rbl_f8_sub(rbl_f8_min(rbl_f8_min(a[0], a[1]), a[2]),
	                          rbl_f8_max(rbl_f8_max(b[0], b[1]), b[2]));
	rbl_f8 squares = rbl_f8x3_dot(axis, axis);
	rbl_i8 is_far = rbl_f8_gt(rbl_f8_max(above, below), rbl_f8_mul(p->gap, rbl_f8_sqrt(squares)));
	return rbl_i8_and(is_far, rbl_f8_gt(squares, rbl_f8_splat(1e-30f)));
}

static inline rbl_f8x3 unit_normal(const corners *t, rbl_f8x3 edges[3])
{
	for (int i = 0; i < 3; ++i)
		edges[i] = rbl_f8x3_sub(t->p[(i + 1) % 3], t->p[i]);
	rbl_f8x3 n = rbl_f8x3_cross(edges[0], edges[1]);
	rbl_f8 length = rbl_f8_max(rbl_f8_sqrt(rbl_f8x3_dot(n, n)), rbl_f8_splat(1e-20f));
	return rbl_f8x3_scale(rbl_f8_div(rbl_f8_splat(1.0f), length), n);
}

/// Make corners relative to the first of `a`, and widen the gap by what rounding may take.
static inline void widen_gap(apart_lanes *p, float gap)
{
	rbl_f8x3 origin = p->a.p[0];
	rbl_f8 extent = rbl_f8_zero();
	for (int i = 0; i < 3; ++i) {
		p->a.p[i] = rbl_f8x3_sub(p->a.p[i], origin);
		p->b.p[i] = rbl_f8x3_sub(p->b.p[i], origin);
		extent = rbl_f8_max(extent, widest(p->a.p[i].x, p->a.p[i].y, p->a.p[i].z));
		extent = rbl_f8_max(extent, widest(p->b.p[i].x, p->b.p[i].y, p->b.p[i].z));
	}
	p->gap = rbl_f8_add(rbl_f8_splat(gap * (1.0f + 0x1p-20f)),
	                    rbl_f8_mul(rbl_f8_splat(64.0f * ROUNDING), extent));
}

int RBL_KERNEL(rbl_surface_near_triangle_pairs)(const rbl_vec3 *positions, const int *triangles,
                                                const int *pairs, int count, float gap, int *kept)
{
	int kept_count = 0;
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		indices v;
		load_indices(&v, triangles, pairs + 2 * (size_t)i, here);
		apart_lanes p;
		load_corners(positions, &v, &p.a, &p.b);
		widen_gap(&p, gap);
		rbl_f8x3 a_edges[3], b_edges[3];
		rbl_f8x3 a_normal = unit_normal(&p.a, a_edges), b_normal = unit_normal(&p.b, b_edges);
		rbl_i8 apart = rbl_i8_or(apart_along(&p, a_normal), apart_along(&p, b_normal));
		for (int k = 0; k < 3; ++k) {
			apart = rbl_i8_or(apart, apart_along(&p, rbl_f8x3_cross(a_normal, a_edges[k])));
			apart = rbl_i8_or(apart, apart_along(&p, rbl_f8x3_cross(b_normal, b_edges[k])));
		}
		unsigned all = 0xffu >> (8 - here);
		for (int k = 0; k < 9 && (all & ~(unsigned)rbl_i8_bits(apart)); ++k)
			apart =
				rbl_i8_or(apart, apart_along(&p, rbl_f8x3_cross(a_edges[k / 3], b_edges[k % 3])));
		unsigned left = all & ~(unsigned)rbl_i8_bits(apart);
		for (; left; left &= left - 1)
			kept[kept_count++] = i + rbl_lowest_one(left);
	}
	return kept_count;
}

void RBL_KERNEL(rbl_surface_shared_corners)(const int *triangles, const int *pairs, int count,
                                            uint16_t *bits)
{
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		indices v;
		load_indices(&v, triangles, pairs + 2 * (size_t)i, here);
		rbl_i8 sum = rbl_i8_zero();
		for (int k = 0; k < 9; ++k) {
			rbl_i8 same = rbl_i8_eq(rbl_i8_load(v.a[k / 3]), rbl_i8_load(v.b[k % 3]));
			sum = rbl_i8_or(sum, rbl_i8_and(same, rbl_i8_splat(1 << k)));
		}
		_Alignas(32) int32_t sums[8];
		rbl_i8_store(sums, sum);
		for (int k = 0; k < here; ++k)
			bits[i + k] = (uint16_t)sums[k];
	}
}
