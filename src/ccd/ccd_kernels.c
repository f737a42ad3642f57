// SPDX-License-Identifier: MIT
//
// The filter of continuous tests, eight pairs at a time: boxes at both ends and the sign of the
// cubic, then the sides, then directions for what is left. The tests and the error bounds are those
// of ccd/polynomial.h with u = 2^-24, and only the whole step is tested, so that no interpolation
// comes in:
//
//   cubic   12 roundings at most, of which 2 for the third are not made: 3 c1 and 3 c2 are compared
//           with 3 e. Used: 12 u S.
//   edges   5 roundings; 2 w1 is compared with 2 e. Used: 7 u (R_l Q_m + R_m Q_l).
//
// Single precision has a smaller exponent range than doubles. Underflow: a product is off by
// 2^-149 at most, then multiplied by a corner. TINY is added to the products of E and G, and once
// more at the end, which after the factor 12 u stands for 7e-31 (1 + P): more than enough, and
// large enough to keep the sums out of denormals. Overflow: a bound above LARGE is never certain,
// and below it no sum of three bounds overflows; NaN is not below it. So pairs beyond some 1e12
// metres, or below 1e-10, are left to the test in doubles.
//
// Thickness d > 0. Boxes: further than d apart. Cubic: |c| is the distance from the plane times the
// length of the normal, which is at most that of its longest Bernstein coefficient; so |c| - e > d
// max |W| says further than d, with the sum of components for the length. Sides have no such form.
//
// Last, directions, for the whole step and then for parts of it: towards the point of the polygon's
// boundary that is nearest to the origin half-way, or at the beginning. All corners beyond the
// origin along it, at both ends of a part, keep the pair apart there. Roundings: 1 for a corner, 3
// for its place in time, 1 for a product, 2 for sums, each of the largest magnitudes in the step: 7
// u, used 12.

#include "ccd/ccd_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

#define ROUNDING 0x1p-24f
#define TINY 1e-24f
#define LARGE 1e36f

enum { PARTS = 4 };

/// Eight pairs: points at both ends.
typedef struct eight {
	rbl_f8x3 p[2][4];
} eight;

/// @param is_still  nothing moves: both ends are one, and the compiler does nothing twice
static inline void load_eight(eight *e, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                              bool is_still)
{
	const int stride = sizeof(rbl_ccd_quad) / sizeof(int32_t);
	for (int i = 0; i < 4; ++i) {
		e->p[0][i] = rbl_f8x3_gather_padded(motion->start, quads->vertices + i, stride);
		e->p[1][i] = is_still ? e->p[0][i]
		                      : rbl_f8x3_gather_between(motion->start, motion->end, motion->until,
		                                                quads->vertices + i, stride);
	}
}

/// The corners of the polygon (ccd/polynomial.h).
static inline void load_corners(rbl_ccd_kind kind, const eight *e, rbl_f8x3 r[2][4])
{
	for (int pose = 0; pose < 2; ++pose) {
		const rbl_f8x3 *p = e->p[pose];
		if (kind == RBL_CCD_VERTEX_FACE) {
			for (int i = 0; i < 3; ++i)
				r[pose][i] = rbl_f8x3_sub(p[i + 1], p[0]);
		} else {
			r[pose][0] = rbl_f8x3_sub(p[0], p[2]);
			r[pose][1] = rbl_f8x3_sub(p[1], p[2]);
			r[pose][2] = rbl_f8x3_sub(p[1], p[3]);
			r[pose][3] = rbl_f8x3_sub(p[0], p[3]);
		}
	}
}

static inline rbl_i8 either_side(rbl_f8 low, rbl_f8 high, rbl_f8 margin)
{
	return rbl_i8_or(rbl_f8_gt(low, margin), rbl_f8_lt(high, rbl_f8_neg(margin)));
}

/// Pairs whose corners are all on one side along an axis.
static inline rbl_i8 boxes_apart(rbl_f8x3 r[2][4], int n, float thickness)
{
	rbl_f8x3 low = r[0][0], high = r[0][0];
	for (int i = 0; i < n; ++i) {
		for (int pose = 0; pose < 2; ++pose) {
			low = rbl_f8x3_min(low, r[pose][i]);
			high = rbl_f8x3_max(high, r[pose][i]);
		}
	}
	// A difference is off by one rounding, its sign is right.
	rbl_f8 margin = rbl_f8_splat(thickness * (1.0f + 4.0f * ROUNDING));
	return rbl_i8_or(
		rbl_i8_or(either_side(low.x, high.x, margin), either_side(low.y, high.y, margin)),
		either_side(low.z, high.z, margin));
}

static inline rbl_f8 greater_size(rbl_f8 a, rbl_f8 b)
{
	return rbl_f8_max(rbl_f8_abs(a), rbl_f8_abs(b));
}

static inline rbl_f8x3 extent_of(rbl_f8x3 a, rbl_f8x3 b)
{
	return (rbl_f8x3){ greater_size(a.x, b.x), greater_size(a.y, b.y), greater_size(a.z, b.z) };
}

/// a b + c d, of magnitudes
static inline rbl_f8 permanent(rbl_f8 a, rbl_f8 b, rbl_f8 c, rbl_f8 d)
{
	return rbl_f8_add(rbl_f8_mul(a, b), rbl_f8_mul(c, d));
}

static inline rbl_f8 sum_of_sizes(rbl_f8x3 a)
{
	return rbl_f8_add(rbl_f8_add(rbl_f8_abs(a.x), rbl_f8_abs(a.y)), rbl_f8_abs(a.z));
}

/// Pairs that are in one plane at no time of the step.
static inline rbl_i8 never_flat(rbl_ccd_kind kind, const eight *p, rbl_f8x3 r[2][4],
                                float thickness)
{
	rbl_f8x3 e[2], g[2];
	for (int pose = 0; pose < 2; ++pose) {
		bool is_face = kind == RBL_CCD_VERTEX_FACE;
		const rbl_f8x3 *q = p->p[pose];
		e[pose] = rbl_f8x3_sub(is_face ? q[2] : q[1], is_face ? q[1] : q[0]);
		g[pose] = rbl_f8x3_sub(q[3], is_face ? q[1] : q[2]);
	}
	rbl_f8x3 first = rbl_f8x3_cross(e[0], g[0]), last = rbl_f8x3_cross(e[1], g[1]);
	rbl_f8x3 middle = rbl_f8x3_add(rbl_f8x3_cross(e[0], g[1]), rbl_f8x3_cross(e[1], g[0]));
	// Corner 0 is the joining vector with the other sign: so are all values, alike.
	rbl_f8x3 start = r[0][0], end = r[1][0];
	rbl_f8 c0 = rbl_f8x3_dot(first, start), c3 = rbl_f8x3_dot(last, end);
	rbl_f8 c1 = rbl_f8_add(rbl_f8x3_dot(first, end), rbl_f8x3_dot(middle, start));
	rbl_f8 c2 = rbl_f8_add(rbl_f8x3_dot(last, start), rbl_f8x3_dot(middle, end));

	rbl_f8x3 a = extent_of(e[0], e[1]), b = extent_of(g[0], g[1]), s = extent_of(start, end);
	rbl_f8 tiny = rbl_f8_splat(TINY);
	rbl_f8x3 products = { rbl_f8_add(permanent(a.y, b.z, a.z, b.y), tiny),
		                  rbl_f8_add(permanent(a.z, b.x, a.x, b.z), tiny),
		                  rbl_f8_add(permanent(a.x, b.y, a.y, b.x), tiny) };
	rbl_f8 size = rbl_f8_add(rbl_f8x3_dot(products, s), tiny);
	rbl_f8 error = rbl_f8_mul(size, rbl_f8_splat(12.0f * ROUNDING));
	if (thickness > 0.0f) {
		rbl_f8 largest = rbl_f8_max(rbl_f8_max(sum_of_sizes(first), sum_of_sizes(last)),
		                            rbl_f8_mul(rbl_f8_splat(0.5f), sum_of_sizes(middle)));
		// The sum is off by its own roundings and those of the products, counted in `error` as
		// well; a hundredth covers both.
		rbl_f8 sums = rbl_f8_add(rbl_f8_add(products.x, products.y), products.z);
		largest = rbl_f8_add(largest, rbl_f8_mul(sums, rbl_f8_splat(8.0f * ROUNDING)));
		error = rbl_f8_add(error, rbl_f8_mul(largest, rbl_f8_splat(1.01f * thickness)));
	}
	rbl_f8 thrice = rbl_f8_mul(error, rbl_f8_splat(3.0f));
	rbl_f8 ends_low = rbl_f8_min(c0, c3), ends_high = rbl_f8_max(c0, c3);
	rbl_f8 low = rbl_f8_min(c1, c2), high = rbl_f8_max(c1, c2);
	rbl_i8 above = rbl_i8_and(rbl_f8_gt(ends_low, error), rbl_f8_gt(low, thrice));
	rbl_i8 below =
		rbl_i8_and(rbl_f8_lt(ends_high, rbl_f8_neg(error)), rbl_f8_lt(high, rbl_f8_neg(thrice)));
	return rbl_i8_and(rbl_i8_or(above, below),
	                  rbl_f8_lt(rbl_f8_add(size, thrice), rbl_f8_splat(LARGE)));
}

/// Coefficients of one component of a side. @return bits: 1 certainly positive, 2 negative, as
/// masks
static inline void side_signs(rbl_f8 al, rbl_f8 am, rbl_f8 bl, rbl_f8 bm, rbl_f8 cl, rbl_f8 cm,
                              rbl_f8 dl, rbl_f8 dm, rbl_i8 *above, rbl_i8 *below)
{
	rbl_f8 w0 = rbl_f8_sub(rbl_f8_mul(al, cm), rbl_f8_mul(am, cl));
	rbl_f8 w2 = rbl_f8_sub(rbl_f8_mul(bl, dm), rbl_f8_mul(bm, dl));
	rbl_f8 w1 = rbl_f8_add(rbl_f8_sub(rbl_f8_mul(al, dm), rbl_f8_mul(am, dl)),
	                       rbl_f8_sub(rbl_f8_mul(bl, cm), rbl_f8_mul(bm, cl)));
	rbl_f8 size = rbl_f8_add(permanent(greater_size(al, bl), greater_size(cm, dm),
	                                   greater_size(am, bm), greater_size(cl, dl)),
	                         rbl_f8_splat(TINY));
	rbl_f8 error = rbl_f8_mul(size, rbl_f8_splat(7.0f * ROUNDING));
	rbl_f8 twice = rbl_f8_add(error, error);
	rbl_i8 sane = rbl_f8_lt(size, rbl_f8_splat(LARGE));
	rbl_i8 high = rbl_i8_and(rbl_f8_gt(rbl_f8_min(w0, w2), error), rbl_f8_gt(w1, twice));
	rbl_i8 low = rbl_i8_and(rbl_f8_lt(rbl_f8_max(w0, w2), rbl_f8_neg(error)),
	                        rbl_f8_lt(w1, rbl_f8_neg(twice)));
	*above = rbl_i8_or(*above, rbl_i8_and(high, sane));
	*below = rbl_i8_or(*below, rbl_i8_and(low, sane));
}

/// Pairs whose polygon never holds the origin along some axis.
static inline rbl_i8 always_outside(rbl_f8x3 r[2][4], int n)
{
	rbl_i8 above[3], below[3];
	for (int k = 0; k < 3; ++k)
		above[k] = below[k] = rbl_i8_zero();
	for (int i = 0; i < n; ++i) {
		int j = i + 1 < n ? i + 1 : 0;
		rbl_f8x3 a = r[0][i], b = r[1][i], c = r[0][j], d = r[1][j];
		side_signs(a.y, a.z, b.y, b.z, c.y, c.z, d.y, d.z, &above[0], &below[0]);
		side_signs(a.z, a.x, b.z, b.x, c.z, c.x, d.z, d.x, &above[1], &below[1]);
		side_signs(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y, &above[2], &below[2]);
	}
	return rbl_i8_or(rbl_i8_or(rbl_i8_and(above[0], below[0]), rbl_i8_and(above[1], below[1])),
	                 rbl_i8_and(above[2], below[2]));
}

/// Append the lanes that are left to `kept`.
static inline int keep(unsigned left, const int *lanes, int *kept)
{
	int n = 0;
	for (; left; left &= left - 1)
		kept[n++] = lanes[rbl_lowest_one(left)];
	return n;
}

/// Boxes and cubic, over all pairs.
static inline int keep_near(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                            const rbl_ccd_quad *quads, int count, float thickness, bool is_still,
                            int *kept)
{
	int kept_count = 0, n = kind == RBL_CCD_VERTEX_FACE ? 3 : 4;
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		rbl_ccd_quad last[8];
		const rbl_ccd_quad *at = quads + i;
		if (here < 8) {
			for (int k = 0; k < 8; ++k)
				last[k] = quads[k < here ? i + k : count - 1];
			at = last;
		}
		eight e;
		rbl_f8x3 r[2][4];
		load_eight(&e, motion, at, is_still);
		load_corners(kind, &e, r);
		unsigned left = 0xffu >> (8 - here);
		left &= ~(unsigned)rbl_i8_bits(boxes_apart(r, n, thickness));
		if (!left)
			continue;
		left &= ~(unsigned)rbl_i8_bits(never_flat(kind, &e, r, thickness));
		const int lanes[8] = { i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7 };
		kept_count += keep(left, lanes, kept + kept_count);
	}
	return kept_count;
}

/// The next eight of what is left; the last of fewer fills up.
/// @param lanes  receives their numbers
/// @return a bit for each that counts
static inline unsigned load_kept(eight *e, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                                 const int *kept, int count, bool is_still, int lanes[8])
{
	int here = count < 8 ? count : 8;
	rbl_ccd_quad some[8];
	for (int k = 0; k < 8; ++k) {
		lanes[k] = kept[k < here ? k : here - 1];
		some[k] = quads[lanes[k]];
	}
	load_eight(e, motion, some, is_still);
	return 0xffu >> (8 - here);
}

/// Sides, over what is left.
static inline int keep_inside(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                              const rbl_ccd_quad *quads, int count, bool is_still, int *kept)
{
	int kept_count = 0, n = kind == RBL_CCD_VERTEX_FACE ? 3 : 4;
	for (int i = 0; i < count; i += 8) {
		int lanes[8];
		eight e;
		rbl_f8x3 r[2][4];
		unsigned left = load_kept(&e, motion, quads, kept + i, count - i, is_still, lanes);
		load_corners(kind, &e, r);
		left &= ~(unsigned)rbl_i8_bits(always_outside(r, n));
		kept_count += keep(left, lanes, kept + kept_count);
	}
	return kept_count;
}

/// The point of the polygon's boundary that is nearest to the origin, by rounded arithmetic: a
/// direction to try.
/// @param square  receives its squared distance
static inline rbl_f8x3 nearest_of_border(const rbl_f8x3 r[4], int n, rbl_f8 *square)
{
	rbl_f8x3 nearest = r[0];
	rbl_f8 smallest = rbl_f8x3_dot(r[0], r[0]), zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	for (int i = 0; i < n; ++i) {
		rbl_f8x3 p = r[i], e = rbl_f8x3_sub(r[i + 1 < n ? i + 1 : 0], p);
		rbl_f8 length = rbl_f8_max(rbl_f8x3_dot(e, e), rbl_f8_splat(TINY));
		rbl_f8 place = rbl_f8_div(rbl_f8_neg(rbl_f8x3_dot(p, e)), length);
		place = rbl_f8_min(rbl_f8_max(place, zero), one);
		rbl_f8x3 x = rbl_f8x3_add_scaled(p, place, e);
		rbl_f8 distance = rbl_f8x3_dot(x, x);
		rbl_i8 is_nearer = rbl_f8_lt(distance, smallest);
		nearest = rbl_f8x3_select(is_nearer, x, nearest);
		smallest = rbl_f8_min(distance, smallest);
	}
	*square = smallest;
	return nearest;
}

/// Pairs that are nearer than the thickness by rounded arithmetic, inside of the polygon or on its
/// boundary: no direction will keep them apart.
/// @param square  of the boundary's nearest point
static inline rbl_i8 are_within(const rbl_f8x3 r[4], int n, rbl_f8 square, float thickness)
{
	rbl_f8x3 e = rbl_f8x3_sub(r[1], r[0]), f = rbl_f8x3_sub(r[n - 1], r[0]);
	rbl_f8 ee = rbl_f8x3_dot(e, e), ff = rbl_f8x3_dot(f, f), ef = rbl_f8x3_dot(e, f);
	rbl_f8 re = rbl_f8_neg(rbl_f8x3_dot(r[0], e)), rf = rbl_f8_neg(rbl_f8x3_dot(r[0], f));
	rbl_f8 area = rbl_f8_sub(rbl_f8_mul(ee, ff), rbl_f8_mul(ef, ef)), zero = rbl_f8_zero();
	rbl_f8 s = rbl_f8_sub(rbl_f8_mul(re, ff), rbl_f8_mul(rf, ef));
	rbl_f8 t = rbl_f8_sub(rbl_f8_mul(rf, ee), rbl_f8_mul(re, ef));
	rbl_i8 is_inside = rbl_i8_and(rbl_f8_ge(s, zero), rbl_f8_ge(t, zero));
	is_inside = rbl_i8_and(is_inside, n == 3 ? rbl_f8_ge(area, rbl_f8_add(s, t))
	                                         : rbl_i8_and(rbl_f8_ge(area, s), rbl_f8_ge(area, t)));
	// Height over the plane, squared, times that of the normal, whose square is the area.
	rbl_f8 height = rbl_f8x3_dot(rbl_f8x3_cross(e, f), r[0]);
	rbl_f8 limit = rbl_f8_splat(0.999f * thickness * thickness);
	rbl_i8 is_over =
		rbl_i8_and(is_inside, rbl_f8_lt(rbl_f8_mul(height, height), rbl_f8_mul(limit, area)));
	return rbl_i8_or(is_over, rbl_f8_lt(square, limit));
}

/// Corners of eight pairs, and how far they reach in the whole step.
typedef struct course {
	rbl_f8x3 r[2][4], extent;
	int n;
} course;

/// The corners at a part of the step, from 0 to 1.
static inline void corners_at(const course *c, float part, rbl_f8x3 at[4])
{
	rbl_f8 t = rbl_f8_splat(part), rest = rbl_f8_splat(1.0f - part);
	for (int i = 0; i < c->n; ++i)
		at[i] = rbl_f8x3_add(rbl_f8x3_scale(rest, c->r[0][i]), rbl_f8x3_scale(t, c->r[1][i]));
}

/// Pairs whose corners are all beyond the thickness along d, at two times.
static inline rbl_i8 is_beyond(const course *c, const rbl_f8x3 from[4], const rbl_f8x3 to[4],
                               rbl_f8x3 d, float thickness)
{
	rbl_f8 low = rbl_f8_splat(LARGE);
	for (int i = 0; i < c->n; ++i)
		low = rbl_f8_min(low, rbl_f8_min(rbl_f8x3_dot(d, from[i]), rbl_f8x3_dot(d, to[i])));
	rbl_f8 size = rbl_f8_add(rbl_f8_add(rbl_f8_mul(rbl_f8_abs(d.x), c->extent.x),
	                                    rbl_f8_mul(rbl_f8_abs(d.y), c->extent.y)),
	                         rbl_f8_mul(rbl_f8_abs(d.z), c->extent.z));
	rbl_f8 error = rbl_f8_mul(rbl_f8_add(size, rbl_f8_splat(TINY)), rbl_f8_splat(12.0f * ROUNDING));
	rbl_i8 is_sane = rbl_f8_lt(size, rbl_f8_splat(LARGE));
	if (thickness > 0.0f) {
		rbl_f8 square = rbl_f8x3_dot(d, d);
		error =
			rbl_f8_add(error, rbl_f8_mul(rbl_f8_sqrt(square), rbl_f8_splat(1.0001f * thickness)));
		is_sane = rbl_i8_and(is_sane, rbl_f8_gt(square, rbl_f8_splat(TINY)));
		is_sane = rbl_i8_and(is_sane, rbl_f8_lt(square, rbl_f8_splat(LARGE)));
	}
	return rbl_i8_and(is_sane, rbl_f8_gt(low, error));
}

/// Pairs that some direction keeps apart in each part of the step.
static inline rbl_i8 parts_are_free(const course *c, int parts, float thickness)
{
	rbl_i8 free = rbl_i8_not(rbl_i8_zero());
	rbl_f8x3 from[4], to[4], between[4];
	rbl_f8 square;
	corners_at(c, 0.0f, to);
	for (int i = 0; i < parts && rbl_i8_any(free); ++i) {
		for (int k = 0; k < c->n; ++k)
			from[k] = to[k];
		corners_at(c, (float)(i + 1) / (float)parts, to);
		for (int k = 0; k < c->n; ++k)
			between[k] = rbl_f8x3_add(from[k], to[k]);
		rbl_i8 apart = is_beyond(c, from, to, nearest_of_border(between, c->n, &square), thickness);
		if (!rbl_i8_all(rbl_i8_or(apart, rbl_i8_not(free))))
			apart = rbl_i8_or(
				apart, is_beyond(c, from, to, nearest_of_border(from, c->n, &square), thickness));
		free = rbl_i8_and(free, apart);
	}
	return free;
}

/// Directions, over what is left. Where nothing moves there is one. With a thickness most of what
/// is left is in contact when the step begins, or else when it ends.
static inline int keep_close(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                             const rbl_ccd_quad *quads, int count, float thickness, bool is_still,
                             int *kept)
{
	int kept_count = 0;
	for (int i = 0; i < count; i += 8) {
		int lanes[8];
		eight e;
		course c = { .n = kind == RBL_CCD_VERTEX_FACE ? 3 : 4 };
		unsigned left = load_kept(&e, motion, quads, kept + i, count - i, is_still, lanes);
		load_corners(kind, &e, c.r);
		c.extent = extent_of(c.r[0][0], c.r[1][0]);
		for (int k = 1; k < c.n; ++k)
			c.extent = rbl_f8x3_max(c.extent, extent_of(c.r[0][k], c.r[1][k]));
		rbl_f8 square;
		unsigned within = 0;
		if (is_still) {
			rbl_f8x3 nearest = nearest_of_border(c.r[0], c.n, &square);
			left &= ~(unsigned)rbl_i8_bits(is_beyond(&c, c.r[0], c.r[0], nearest, thickness));
		} else if (thickness > 0.0f) {
			for (int pose = 0; pose < 2 && left & ~within; ++pose) {
				nearest_of_border(c.r[pose], c.n, &square);
				within |= (unsigned)rbl_i8_bits(are_within(c.r[pose], c.n, square, thickness));
			}
		}
		if (left & ~within && !is_still)
			left &= ~(unsigned)rbl_i8_bits(parts_are_free(&c, 1, thickness)) | within;
		if (left & ~within && !is_still)
			left &= ~(unsigned)rbl_i8_bits(parts_are_free(&c, PARTS, thickness)) | within;
		kept_count += keep(left, lanes, kept + kept_count);
	}
	return kept_count;
}

/// Everything, with the kind known when this is compiled, and whether anything moves.
static inline int filter(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                         int count, float thickness, bool is_still, int *kept)
{
	int n = keep_near(kind, motion, quads, count, thickness, is_still, kept);
	if (thickness == 0.0f)
		n = keep_inside(kind, motion, quads, n, is_still, kept);
	return keep_close(kind, motion, quads, n, thickness, is_still, kept);
}

int RBL_KERNEL(rbl_ccd_filter)(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                               const rbl_ccd_quad *quads, int count, float thickness, int *kept)
{
	const rbl_ccd_kind face = RBL_CCD_VERTEX_FACE, edge = RBL_CCD_EDGE_EDGE;
	if (motion->start == motion->end)
		return kind == face ? filter(face, motion, quads, count, thickness, true, kept)
		                    : filter(edge, motion, quads, count, thickness, true, kept);
	return kind == face ? filter(face, motion, quads, count, thickness, false, kept)
	                    : filter(edge, motion, quads, count, thickness, false, kept);
}
