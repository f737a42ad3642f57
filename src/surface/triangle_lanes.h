// SPDX-License-Identifier: MIT
// Eight triangles against eight others, at one instant: sides of planes, and intervals on the line
// common to two planes, as in geometry/triangle_intersection.c. For kernels only.
//
// The signs are certified as in geometry/triangle_intersection.c, with u = 2^-24: differences 2 +
// 1, products 2, sums 3, and one for the bound: 9 u times the same sum over magnitudes. As in
// ccd_kernels.c, TINY stands for underflow, and bounds above LARGE are never certain.
#pragma once

#include "base/simd.h"

#define ROUNDING 0x1p-24f
#define TINY 1e-24f
#define LARGE 1e36f

/// The corners of eight triangles.
typedef struct corners {
	rbl_f8x3 p[3];
} corners;

static inline rbl_f8 absolute_sum(rbl_f8 a, rbl_f8 b)
{
	return rbl_f8_add(rbl_f8_abs(a), rbl_f8_abs(b));
}

static inline rbl_f8 widest(rbl_f8 a, rbl_f8 b, rbl_f8 c)
{
	return rbl_f8_max(rbl_f8_max(rbl_f8_abs(a), rbl_f8_abs(b)), rbl_f8_abs(c));
}

/// Corners of eight triangles against the planes of eight others.
typedef struct sides {
	rbl_f8 value[3];
	rbl_f8 bound; // infinite where nothing is certain
} sides;

/// The planes of eight triangles, and the magnitudes that went into their normals.
typedef struct planes {
	rbl_f8x3 normal, sizes;
} planes;

static inline planes planes_of(const corners *p)
{
	rbl_f8x3 b = rbl_f8x3_sub(p->p[1], p->p[0]), c = rbl_f8x3_sub(p->p[2], p->p[0]);
	rbl_f8 x0 = rbl_f8_mul(b.y, c.z), x1 = rbl_f8_mul(b.z, c.y), y0 = rbl_f8_mul(b.z, c.x);
	rbl_f8 y1 = rbl_f8_mul(b.x, c.z), z0 = rbl_f8_mul(b.x, c.y), z1 = rbl_f8_mul(b.y, c.x);
	rbl_f8 tiny = rbl_f8_splat(TINY);
	return (planes){ { rbl_f8_sub(x0, x1), rbl_f8_sub(y0, y1), rbl_f8_sub(z0, z1) },
		             { rbl_f8_add(absolute_sum(x0, x1), tiny),
		               rbl_f8_add(absolute_sum(y0, y1), tiny),
		               rbl_f8_add(absolute_sum(z0, z1), tiny) } };
}

/// Corners against planes through `origin`.
static inline sides sides_of(const planes *plane, rbl_f8x3 origin, const corners *t)
{
	rbl_f8x3 d[3];
	sides result;
	for (int i = 0; i < 3; ++i) {
		d[i] = rbl_f8x3_sub(t->p[i], origin);
		result.value[i] = rbl_f8x3_dot(d[i], plane->normal);
	}
	rbl_f8x3 extent = { widest(d[0].x, d[1].x, d[2].x), widest(d[0].y, d[1].y, d[2].y),
		                widest(d[0].z, d[1].z, d[2].z) };
	rbl_f8 size = rbl_f8_add(rbl_f8x3_dot(extent, plane->sizes), rbl_f8_splat(TINY));
	result.bound =
		rbl_f8_select(rbl_f8_lt(size, rbl_f8_splat(LARGE)),
	                  rbl_f8_mul(size, rbl_f8_splat(9.0f * ROUNDING)), rbl_f8_splat(INFINITY));
	return result;
}

static inline sides find_sides(const corners *p, const corners *t)
{
	planes plane = planes_of(p);
	return sides_of(&plane, p->p[0], t);
}

/// Pairs where all corners lie on one side.
static inline rbl_i8 all_one_sided(const sides *s)
{
	rbl_f8 low = rbl_f8_min(rbl_f8_min(s->value[0], s->value[1]), s->value[2]);
	rbl_f8 high = rbl_f8_max(rbl_f8_max(s->value[0], s->value[1]), s->value[2]);
	return rbl_i8_or(rbl_f8_gt(low, s->bound), rbl_f8_lt(high, rbl_f8_neg(s->bound)));
}

static inline rbl_f8x3 select_point(rbl_i8 mask, rbl_f8x3 a, rbl_f8x3 b)
{
	return (rbl_f8x3){ rbl_f8_select(mask, a.x, b.x), rbl_f8_select(mask, a.y, b.y),
		               rbl_f8_select(mask, a.z, b.z) };
}

/// Put the corner that is alone on its side of the other's plane first; the order stays.
/// @param above  receives where it is above that plane
static inline corners alone_first(const corners *t, const sides *s, rbl_i8 *above)
{
	rbl_i8 up[3];
	for (int i = 0; i < 3; ++i)
		up[i] = rbl_f8_gt(s->value[i], rbl_f8_zero());
	rbl_i8 differ = rbl_i8_xor(up[1], up[2]);
	rbl_i8 is_0 = rbl_i8_not(differ), is_1 = rbl_i8_and(differ, rbl_i8_xor(up[0], up[1]));
	*above = rbl_i8_select(is_0, up[0], rbl_i8_select(is_1, up[1], up[2]));
	corners affected;
	for (int i = 0; i < 3; ++i)
		affected.p[i] =
			select_point(is_0, t->p[i], select_point(is_1, t->p[(i + 1) % 3], t->p[(i + 2) % 3]));
	return affected;
}

static inline void swap_unless(rbl_i8 keep, corners *t)
{
	rbl_f8x3 p = t->p[1], q = t->p[2];
	t->p[1] = select_point(keep, p, q);
	t->p[2] = select_point(keep, q, p);
}

/// Where all three values are certain.
static inline rbl_i8 all_certain(const sides *s)
{
	rbl_f8 smallest = rbl_f8_min(rbl_f8_min(rbl_f8_abs(s->value[0]), rbl_f8_abs(s->value[1])),
	                             rbl_f8_abs(s->value[2]));
	return rbl_f8_gt(smallest, s->bound);
}

/// The sign of s against the plane p q r: where it is certainly below, and certainly above.
static inline void find_sign(rbl_f8x3 p, rbl_f8x3 q, rbl_f8x3 r, rbl_f8x3 s, rbl_i8 *below,
                             rbl_i8 *above)
{
	corners plane = { { p, q, r } }, point = { { s, s, s } };
	sides side = find_sides(&plane, &point);
	*below = rbl_f8_lt(side.value[0], rbl_f8_neg(side.bound));
	*above = rbl_f8_gt(side.value[0], side.bound);
}

/// Whether pairs that share nothing and straddle each other's planes touch: from the intervals that
/// both cut from the line common to their planes.
/// @param a_sides  of the corners of a, and the same of b
/// @param touches, apart  receive where that is certain
static inline void compare_intervals(const corners *a, const sides *a_sides, const corners *b,
                                     const sides *b_sides, rbl_i8 *meets, rbl_i8 *apart)
{
	rbl_i8 is_known = rbl_i8_and(all_certain(a_sides), all_certain(b_sides));
	rbl_i8 a_above, b_above;
	corners p = alone_first(a, a_sides, &a_above), q = alone_first(b, b_sides, &b_above);
	// Turn each so that the other's lone corner is above it.
	swap_unless(a_above, &q);
	swap_unless(b_above, &p);
	rbl_i8 first_below, first_above, second_below, second_above;
	find_sign(p.p[0], p.p[1], q.p[0], q.p[1], &first_below, &first_above);
	find_sign(p.p[0], p.p[2], q.p[0], q.p[2], &second_below, &second_above);
	*meets = rbl_i8_and(is_known, rbl_i8_and(first_below, second_above));
	*apart = rbl_i8_and(is_known, rbl_i8_or(first_above, second_below));
}
