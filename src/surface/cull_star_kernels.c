// SPDX-License-Identifier: MIT
//
// Triangles seen from a point: volumes of the tetrahedra that they make with it, eight at a time.
//
// The direction that is counted is skew, so that vertices of regular forms do not lie on it.
// Coordinates are sheared until it is the z axis, which keeps volumes. A triangle with a positive
// volume lies over it when the corners go round it to the left.
//
// With u = 2^-24 and magnitudes |x| + |z| s in place of |x - s z|: a sheared coordinate is off by
// 4 u, a cross product of two by 10 u, the volume by 14 u, and a sum of three volumes by 16 u of
// the same sum over magnitudes. 32 u is required, and something for underflow.
//
// Over a step corners and the point move on lines, and the volume is a cubic in time; its four
// coefficients must be positive.
//
// When vertices move by up to s besides, a x b . c changes by s (|a x b| + |b x c| + |c x a|), s^2
// (|a| + |b| + |c|) and s^3 at most: coefficients must be beyond that, with the largest control
// vectors of each product. Those are off by 16 u l^2 for corners within l.

#include "surface/surface_kernels.h"

#include "base/simd.h"

#define ROUNDING 0x1p-24f
#define SHEAR_X 0.382f
#define SHEAR_Y 0.271f
#define TINY 1e-30f

/// A corner of eight triangles, relative to the point, sheared, and magnitudes.
typedef struct corner_lanes {
	rbl_f8 x, y, z, x_size, y_size, z_size;
} corner_lanes;

/// A value and the magnitudes in it.
typedef struct sized {
	rbl_f8 value, size;
} sized;

static inline corner_lanes shear(rbl_f8x3 p)
{
	rbl_f8 x = rbl_f8_mul(rbl_f8_splat(SHEAR_X), p.z), y = rbl_f8_mul(rbl_f8_splat(SHEAR_Y), p.z);
	return (corner_lanes){ rbl_f8_sub(p.x, x),
		                   rbl_f8_sub(p.y, y),
		                   p.z,
		                   rbl_f8_add(rbl_f8_abs(p.x), rbl_f8_abs(x)),
		                   rbl_f8_add(rbl_f8_abs(p.y), rbl_f8_abs(y)),
		                   rbl_f8_abs(p.z) };
}

/// The cross product of two corners, seen along the z axis.
static inline sized cross(const corner_lanes *a, const corner_lanes *b)
{
	return (sized){ rbl_f8_sub(rbl_f8_mul(a->x, b->y), rbl_f8_mul(a->y, b->x)),
		            rbl_f8_add(rbl_f8_add(rbl_f8_mul(a->x_size, b->y_size),
		                                  rbl_f8_mul(a->y_size, b->x_size)),
		                       rbl_f8_splat(TINY)) };
}

static inline sized add_part(sized sum, const corner_lanes *a, sized t)
{
	return (sized){ rbl_f8_add(sum.value, rbl_f8_mul(a->z, t.value)),
		            rbl_f8_add(sum.size, rbl_f8_mul(a->z_size, t.size)) };
}

static inline sized add_volume(sized sum, const corner_lanes *a, const corner_lanes *b,
                               const corner_lanes *c)
{
	sum = add_part(sum, a, cross(b, c));
	sum = add_part(sum, b, cross(c, a));
	return add_part(sum, c, cross(a, b));
}

static inline rbl_f8 bound_of(sized s)
{
	return rbl_f8_add(rbl_f8_mul(rbl_f8_splat(32.0f * ROUNDING), s.size), rbl_f8_splat(TINY));
}

static inline bool all_beyond(sized s, rbl_f8 limit)
{
	return rbl_i8_all(rbl_f8_gt(s.value, rbl_f8_add(bound_of(s), limit)));
}

static inline void load_triangles(const rbl_surface_star_source *source, const int32_t (*v)[8],
                                  int time, rbl_f8x3 *raw, corner_lanes *p)
{
	rbl_f8x3 middle = rbl_f8x3_splat(source->centres[time]);
	for (int k = 0; k < 3; ++k) {
		raw[k] = rbl_f8x3_sub(rbl_f8x3_gather_padded(source->positions[time], v[k], 1), middle);
		p[k] = shear(raw[k]);
	}
}

static inline rbl_f8 length(rbl_f8x3 a)
{
	return rbl_f8_sqrt(rbl_f8x3_dot(a, a));
}

/// What volumes change by at most when vertices move by up to a margin, at any time.
/// @param q  corners at the end, or those at the start again
static inline rbl_f8 change_of(const rbl_f8x3 *p, const rbl_f8x3 *q, float margin)
{
	rbl_f8 areas = rbl_f8_zero(), lengths = rbl_f8_zero(), extent = rbl_f8_zero();
	for (int k = 0; k < 3; ++k) {
		int i = k == 2 ? 0 : k + 1;
		rbl_f8x3 mixed =
			rbl_f8x3_scale(rbl_f8_splat(0.5f),
		                   rbl_f8x3_add(rbl_f8x3_cross(p[k], q[i]), rbl_f8x3_cross(q[k], p[i])));
		rbl_f8 ends =
			rbl_f8_max(length(rbl_f8x3_cross(p[k], p[i])), length(rbl_f8x3_cross(q[k], q[i])));
		areas = rbl_f8_add(areas, rbl_f8_max(ends, length(mixed)));
		rbl_f8 corner = rbl_f8_max(length(p[k]), length(q[k]));
		lengths = rbl_f8_add(lengths, corner);
		extent = rbl_f8_max(extent, corner);
	}
	areas = rbl_f8_add(areas, rbl_f8_mul(rbl_f8_splat(0x1p-17f), rbl_f8_mul(extent, extent)));
	rbl_f8 s = rbl_f8_splat(1.0001f * margin);
	return rbl_f8_mul(s, rbl_f8_add(areas, rbl_f8_mul(s, rbl_f8_add(lengths, s))));
}

/// The coefficients of the volume at the end and between; that at the start is known.
static inline bool stay_beyond(const corner_lanes *p, const corner_lanes *q, rbl_f8 limit)
{
	sized zero = { rbl_f8_zero(), rbl_f8_zero() };
	sized first = add_volume(zero, &q[0], &p[1], &p[2]);
	first = add_volume(first, &p[0], &q[1], &p[2]);
	first = add_volume(first, &p[0], &p[1], &q[2]);
	sized second = add_volume(zero, &p[0], &q[1], &q[2]);
	second = add_volume(second, &q[0], &p[1], &q[2]);
	second = add_volume(second, &q[0], &q[1], &p[2]);
	rbl_f8 thrice = rbl_f8_mul(rbl_f8_splat(3.0f), limit); // as each is a sum of three
	return all_beyond(first, thrice) && all_beyond(second, thrice) &&
	       all_beyond(add_volume(zero, &q[0], &q[1], &q[2]), limit);
}

int RBL_KERNEL(rbl_surface_star_depth)(const rbl_surface_star_source *source)
{
	int depth = 0;
	for (int i = 0; i < source->count; i += 8) {
		_Alignas(32) int32_t v[3][8];
		int here = source->count - i < 8 ? source->count - i : 8;
		for (int k = 0; k < 8; ++k) {
			const int *t = source->triangles + 3 * (size_t)source->list[i + (k < here ? k : 0)];
			v[0][k] = t[0], v[1][k] = t[1], v[2][k] = t[2];
		}
		corner_lanes p[3], q[3];
		rbl_f8x3 starts[3], ends[3];
		rbl_f8 limit = rbl_f8_zero();
		load_triangles(source, (const int32_t(*)[8])v, 0, starts, p);
		if (source->positions[1])
			load_triangles(source, (const int32_t(*)[8])v, 1, ends, q);
		if (source->margin > 0.0f)
			limit = change_of(starts, source->positions[1] ? ends : starts, source->margin);
		sized crosses[3] = { cross(&p[1], &p[2]), cross(&p[2], &p[0]), cross(&p[0], &p[1]) };
		sized volume = { rbl_f8_zero(), rbl_f8_zero() };
		rbl_i8 over = rbl_i8_splat(-1), beside = rbl_i8_zero();
		for (int k = 0; k < 3; ++k) {
			volume = add_part(volume, &p[k], crosses[k]);
			rbl_f8 bound = bound_of(crosses[k]);
			over = rbl_i8_and(over, rbl_f8_gt(crosses[k].value, bound));
			beside = rbl_i8_or(beside, rbl_f8_lt(crosses[k].value, rbl_f8_neg(bound)));
		}
		if (!all_beyond(volume, limit) || !rbl_i8_all(rbl_i8_or(over, beside)))
			return -1;
		for (unsigned bits = (unsigned)rbl_i8_bits(over) & 0xffu >> (8 - here); bits;
		     bits &= bits - 1)
			depth++;
		if (source->positions[1] && !stay_beyond(p, q, limit))
			return -1;
	}
	return depth;
}
