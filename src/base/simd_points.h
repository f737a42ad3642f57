// SPDX-License-Identifier: MIT
// Points by the lane: x, y and z of four or eight points, loaded from arrays of rbl_vec3. Sums are
// written in the order of vec.h, so a lane holds the same bits as the scalar function gives.
// Included by base/simd.h only.
#pragma once

typedef struct rbl_f4x3 {
	rbl_f4 x, y, z;
} rbl_f4x3;
typedef struct rbl_f8x3 {
	rbl_f8 x, y, z;
} rbl_f8x3;
typedef struct rbl_d4x3 {
	rbl_d4 x, y, z;
} rbl_d4x3;

// V is the point type, T its lanes, M their mask, P the scalar point.
#define RBL_DEFINE_POINTS(V, T, M, P)                                                            \
	static inline V V##_splat(P p)                                                               \
	{                                                                                            \
		return (V){ T##_splat(p.x), T##_splat(p.y), T##_splat(p.z) };                            \
	}                                                                                            \
	static inline V V##_add(V a, V b)                                                            \
	{                                                                                            \
		return (V){ T##_add(a.x, b.x), T##_add(a.y, b.y), T##_add(a.z, b.z) };                   \
	}                                                                                            \
	static inline V V##_sub(V a, V b)                                                            \
	{                                                                                            \
		return (V){ T##_sub(a.x, b.x), T##_sub(a.y, b.y), T##_sub(a.z, b.z) };                   \
	}                                                                                            \
	static inline V V##_neg(V a)                                                                 \
	{                                                                                            \
		return (V){ T##_neg(a.x), T##_neg(a.y), T##_neg(a.z) };                                  \
	}                                                                                            \
	static inline V V##_scale(T s, V a)                                                          \
	{                                                                                            \
		return (V){ T##_mul(s, a.x), T##_mul(s, a.y), T##_mul(s, a.z) };                         \
	}                                                                                            \
	/* a + s b */                                                                                \
	static inline V V##_add_scaled(V a, T s, V b)                                                \
	{                                                                                            \
		return V##_add(a, V##_scale(s, b));                                                      \
	}                                                                                            \
	static inline T V##_dot(V a, V b)                                                            \
	{                                                                                            \
		return T##_add(T##_add(T##_mul(a.x, b.x), T##_mul(a.y, b.y)), T##_mul(a.z, b.z));        \
	}                                                                                            \
	static inline V V##_cross(V a, V b)                                                          \
	{                                                                                            \
		return (V){ T##_sub(T##_mul(a.y, b.z), T##_mul(a.z, b.y)),                               \
			        T##_sub(T##_mul(a.z, b.x), T##_mul(a.x, b.z)),                               \
			        T##_sub(T##_mul(a.x, b.y), T##_mul(a.y, b.x)) };                             \
	}                                                                                            \
	static inline V V##_min(V a, V b)                                                            \
	{                                                                                            \
		return (V){ T##_min(a.x, b.x), T##_min(a.y, b.y), T##_min(a.z, b.z) };                   \
	}                                                                                            \
	static inline V V##_max(V a, V b)                                                            \
	{                                                                                            \
		return (V){ T##_max(a.x, b.x), T##_max(a.y, b.y), T##_max(a.z, b.z) };                   \
	}                                                                                            \
	static inline V V##_select(M m, V a, V b)                                                    \
	{                                                                                            \
		return (V){ T##_select(m, a.x, b.x), T##_select(m, a.y, b.y), T##_select(m, a.z, b.z) }; \
	}

RBL_DEFINE_POINTS(rbl_f4x3, rbl_f4, rbl_i4, rbl_vec3)
RBL_DEFINE_POINTS(rbl_f8x3, rbl_f8, rbl_i8, rbl_vec3)
RBL_DEFINE_POINTS(rbl_d4x3, rbl_d4, rbl_l4, rbl_vec3d)

/// Four points that lie one after another.
static inline rbl_f4x3 rbl_f4x3_load(const rbl_vec3 *points)
{
	rbl_f4 a = rbl_f4_load(&points[0].x);         // x0 y0 z0 x1
	rbl_f4 b = rbl_f4_load(&points[0].x + 4);     // y1 z1 x2 y2
	rbl_f4 c = rbl_f4_load(&points[0].x + 8);     // z2 x3 y3 z3
	rbl_f4 yz = rbl_f4_shuffle(a, b, 1, 2, 4, 5); // y0 z0 y1 z1
	rbl_f4 xy = rbl_f4_shuffle(b, c, 2, 3, 5, 6); // x2 y2 x3 y3
	return (rbl_f4x3){ rbl_f4_shuffle(a, xy, 0, 3, 4, 6), rbl_f4_shuffle(yz, xy, 0, 2, 5, 7),
		               rbl_f4_shuffle(yz, c, 1, 3, 4, 7) };
}

/// Store as four points, one after another.
static inline void rbl_f4x3_store(rbl_vec3 *points, rbl_f4x3 a)
{
	rbl_f4 xy = rbl_f4_shuffle(a.x, a.y, 0, 2, 4, 6); // x0 x2 y0 y2
	rbl_f4 yz = rbl_f4_shuffle(a.y, a.z, 1, 3, 5, 7); // y1 y3 z1 z3
	rbl_f4 zx = rbl_f4_shuffle(a.z, a.x, 0, 2, 5, 7); // z0 z2 x1 x3
	rbl_f4_store(&points[0].x, rbl_f4_shuffle(xy, zx, 0, 2, 4, 6));
	rbl_f4_store(&points[0].x + 4, rbl_f4_shuffle(yz, xy, 0, 2, 5, 7));
	rbl_f4_store(&points[0].x + 8, rbl_f4_shuffle(zx, yz, 1, 3, 5, 7));
}

/// The points points[index[0]] to points[index[3]]; reads nothing beyond them.
static inline rbl_f4x3 rbl_f4x3_gather(const rbl_vec3 *points, const int32_t *index)
{
	const rbl_vec3 *a = points + index[0], *b = points + index[1];
	const rbl_vec3 *c = points + index[2], *d = points + index[3];
	rbl_f4 ab = rbl_f4_load_pairs(&a->x, &b->x), cd = rbl_f4_load_pairs(&c->x, &d->x);
	return (rbl_f4x3){ rbl_f4_shuffle(ab, cd, 0, 2, 4, 6), rbl_f4_shuffle(ab, cd, 1, 3, 5, 7),
		               rbl_f4_set(a->z, b->z, c->z, d->z) };
}

static inline rbl_f8x3 rbl_f8x3_from(rbl_f4x3 low, rbl_f4x3 high)
{
	return (rbl_f8x3){ rbl_f8_from(low.x, high.x), rbl_f8_from(low.y, high.y),
		               rbl_f8_from(low.z, high.z) };
}

/// Eight points that lie one after another.
static inline rbl_f8x3 rbl_f8x3_load(const rbl_vec3 *points)
{
	return rbl_f8x3_from(rbl_f4x3_load(points), rbl_f4x3_load(points + 4));
}

/// Store as eight points, one after another.
static inline void rbl_f8x3_store(rbl_vec3 *points, rbl_f8x3 a)
{
	rbl_f4x3 low = { rbl_f8_low(a.x), rbl_f8_low(a.y), rbl_f8_low(a.z) };
	rbl_f4x3 high = { rbl_f8_high(a.x), rbl_f8_high(a.y), rbl_f8_high(a.z) };
	rbl_f4x3_store(points, low);
	rbl_f4x3_store(points + 4, high);
}

/// The points points[index[0]] to points[index[7]]; reads nothing beyond them.
static inline rbl_f8x3 rbl_f8x3_gather(const rbl_vec3 *points, const int32_t *index)
{
	return rbl_f8x3_from(rbl_f4x3_gather(points, index), rbl_f4x3_gather(points, index + 4));
}

/// The points points[index[0]], points[index[stride]] and so on, eight of them. Reads one float
/// more than each point has: the array must be followed by something readable. Half the cost.
static inline rbl_f8x3 rbl_f8x3_gather_padded(const rbl_vec3 *points, const int32_t *index,
                                              int stride)
{
	rbl_f8 rows[4]; // x y z and something, of points i and i + 4
	for (int i = 0; i < 4; ++i)
		rows[i] = rbl_f8_from(rbl_f4_load(&points[index[i * stride]].x),
		                      rbl_f4_load(&points[index[(i + 4) * stride]].x));
	rbl_f8 xy01 = rbl_f8_shuffle(rows[0], rows[1], 0, 1, 4, 5);
	rbl_f8 xy23 = rbl_f8_shuffle(rows[2], rows[3], 0, 1, 4, 5);
	rbl_f8 z01 = rbl_f8_shuffle(rows[0], rows[1], 2, 6, 3, 7);
	rbl_f8 z23 = rbl_f8_shuffle(rows[2], rows[3], 2, 6, 3, 7);
	return (rbl_f8x3){ rbl_f8_shuffle(xy01, xy23, 0, 2, 4, 6),
		               rbl_f8_shuffle(xy01, xy23, 1, 3, 5, 7),
		               rbl_f8_shuffle(z01, z23, 0, 1, 4, 5) };
}

/// The points at a part of the way from one place to another: `share` 1 is there, and other shares
/// are rounded, by 5 u of the largest coordinate. Both as rbl_f8x3_gather_padded().
static inline rbl_f8x3 rbl_f8x3_gather_between(const rbl_vec3 *from, const rbl_vec3 *to,
                                               float share, const int32_t *index, int stride)
{
	rbl_f8x3 q = rbl_f8x3_gather_padded(to, index, stride);
	if (share == 1.0f)
		return q;
	rbl_f8x3 p = rbl_f8x3_gather_padded(from, index, stride);
	return rbl_f8x3_add_scaled(p, rbl_f8_splat(share), rbl_f8x3_sub(q, p));
}

/// The points points[index[0]] to points[index[3]]; reads nothing beyond them.
static inline rbl_d4x3 rbl_d4x3_gather(const rbl_vec3d *points, const int32_t *index)
{
	const rbl_vec3d *a = points + index[0], *b = points + index[1];
	const rbl_vec3d *c = points + index[2], *d = points + index[3];
	return (rbl_d4x3){ rbl_d4_set(a->x, b->x, c->x, d->x), rbl_d4_set(a->y, b->y, c->y, d->y),
		               rbl_d4_set(a->z, b->z, c->z, d->z) };
}
