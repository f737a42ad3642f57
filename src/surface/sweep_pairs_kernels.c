// SPDX-License-Identifier: MIT
//
// Pairs of triangles over a step, eight at a time: a direction d in which all of the second
// triangle lies beyond all of the first, at the start and at the end, keeps them apart all the way,
// since d.(b - a) is linear in time for every two corners. Axes come first, they are exact; then
// the way between the middles, and the normals.
//
// Along a fresh crack two triangles have a corner at one place (seam.h), and what touches there is
// listed otherwise. All else, the features without that place on both sides, is kept apart when d
// does so for all two corners but those at one place.
//
// Rounding: corners are taken relative to one of them, 1; products with d, which is taken as it is,
// 1; sums 2: 4 u times the sum over magnitudes, on both sides of a difference, which has 1 more:
// 10 u. Used: 16 u. As in ccd_kernels.c a small number stands for underflow, and bounds above LARGE
// are never certain.

#include "surface/surface_kernels.h"

#include "base/bits.h"
#include "surface/triangle_lanes.h"

#define SMALL 1e-36f

/// Vertex indices of eight pairs: corner by corner.
typedef struct swept_indices {
	_Alignas(32) int32_t a[3][8], b[3][8];
} swept_indices;

/// Eight pairs: corners at start and end.
typedef struct swept {
	corners a[2], b[2];
	rbl_i8 at_place[3][3]; // masks: corner of a, corner of b
	rbl_f8x3 extent;       // of the corners, relative to the first of a
} swept;

/// @param is_still  nothing moves: both ends are one, and the compiler does nothing twice
static inline void load_swept(const rbl_surface_sweep_source *source, const swept_indices *v,
                              bool is_still, swept *p)
{
	for (int i = 0; i < 3; ++i) {
		p->a[0].p[i] = rbl_f8x3_gather_padded(source->starts, v->a[i], 1);
		p->b[0].p[i] = rbl_f8x3_gather_padded(source->starts, v->b[i], 1);
		if (is_still) {
			p->a[1].p[i] = p->a[0].p[i], p->b[1].p[i] = p->b[0].p[i];
			continue;
		}
		p->a[1].p[i] =
			rbl_f8x3_gather_between(source->starts, source->ends, source->until, v->a[i], 1);
		p->b[1].p[i] =
			rbl_f8x3_gather_between(source->starts, source->ends, source->until, v->b[i], 1);
	}
}

static inline rbl_f8x3 lowest(const corners *t)
{
	return rbl_f8x3_min(t->p[0], rbl_f8x3_min(t->p[1], t->p[2]));
}

static inline rbl_f8x3 highest(const corners *t)
{
	return rbl_f8x3_max(t->p[0], rbl_f8x3_max(t->p[1], t->p[2]));
}

/// Whether a lies below b by more than the gap, at the start and at the end. Differences of floats
/// have the right sign always, so without a gap this is exact.
static inline rbl_i8 is_below(rbl_f8 a0, rbl_f8 a1, rbl_f8 b0, rbl_f8 b1, rbl_f8 gap)
{
	return rbl_f8_gt(rbl_f8_min(rbl_f8_sub(b0, a0), rbl_f8_sub(b1, a1)), gap);
}

static inline rbl_i8 apart_along_axes(const swept *p, rbl_f8 gap)
{
	rbl_i8 apart = rbl_i8_zero();
	for (int side = 0; side < 2; ++side) {
		const corners *low = side ? p->b : p->a, *high = side ? p->a : p->b;
		rbl_f8x3 a0 = highest(&low[0]), a1 = highest(&low[1]);
		rbl_f8x3 b0 = lowest(&high[0]), b1 = lowest(&high[1]);
		apart = rbl_i8_or(apart, is_below(a0.x, a1.x, b0.x, b1.x, gap));
		apart = rbl_i8_or(apart, is_below(a0.y, a1.y, b0.y, b1.y, gap));
		apart = rbl_i8_or(apart, is_below(a0.z, a1.z, b0.z, b1.z, gap));
	}
	return apart;
}

/// Take corners relative to the first of a, at both ends, and measure them.
static inline void make_relative(swept *p)
{
	p->extent = rbl_f8x3_splat((rbl_vec3){ 0.0f, 0.0f, 0.0f });
	for (int pose = 0; pose < 2; ++pose) {
		rbl_f8x3 origin = p->a[pose].p[0];
		for (int i = 0; i < 6; ++i) {
			rbl_f8x3 *q = i < 3 ? &p->a[pose].p[i] : &p->b[pose].p[i - 3];
			*q = rbl_f8x3_sub(*q, origin);
			p->extent = (rbl_f8x3){ rbl_f8_max(p->extent.x, rbl_f8_abs(q->x)),
				                    rbl_f8_max(p->extent.y, rbl_f8_abs(q->y)),
				                    rbl_f8_max(p->extent.z, rbl_f8_abs(q->z)) };
		}
	}
}

/// Pairs that a direction from a to b keeps apart.
static inline rbl_i8 apart_along(const swept *p, rbl_f8x3 d, float gap, bool has_places)
{
	rbl_f8 size = rbl_f8_add(rbl_f8_add(rbl_f8_mul(rbl_f8_abs(d.x), p->extent.x),
	                                    rbl_f8_mul(rbl_f8_abs(d.y), p->extent.y)),
	                         rbl_f8_mul(rbl_f8_abs(d.z), p->extent.z));
	rbl_f8 error =
		rbl_f8_add(rbl_f8_mul(size, rbl_f8_splat(16.0f * ROUNDING)), rbl_f8_splat(SMALL));
	rbl_i8 apart = rbl_f8_lt(size, rbl_f8_splat(LARGE));
	if (gap > 0.0f) {
		rbl_f8 square = rbl_f8x3_dot(d, d);
		error = rbl_f8_add(error, rbl_f8_mul(rbl_f8_sqrt(square), rbl_f8_splat(1.0001f * gap)));
		apart = rbl_i8_and(apart, rbl_f8_gt(square, rbl_f8_splat(1e-30f)));
		apart = rbl_i8_and(apart, rbl_f8_lt(square, rbl_f8_splat(LARGE)));
	}
	for (int pose = 0; pose < 2; ++pose) {
		rbl_f8 a[3], b[3];
		for (int i = 0; i < 3; ++i) {
			a[i] = rbl_f8x3_dot(p->a[pose].p[i], d);
			b[i] = rbl_f8x3_dot(p->b[pose].p[i], d);
		}
		if (!has_places) {
			rbl_f8 high = rbl_f8_max(a[0], rbl_f8_max(a[1], a[2]));
			rbl_f8 low = rbl_f8_min(b[0], rbl_f8_min(b[1], b[2]));
			apart = rbl_i8_and(apart, rbl_f8_gt(rbl_f8_sub(low, high), error));
			continue;
		}
		for (int i = 0; i < 3; ++i)
			for (int k = 0; k < 3; ++k)
				apart = rbl_i8_and(
					apart, rbl_i8_or(rbl_f8_gt(rbl_f8_sub(b[k], a[i]), error), p->at_place[i][k]));
	}
	return apart;
}

static inline rbl_f8x3 sum_of(const corners *t)
{
	return rbl_f8x3_add(rbl_f8x3_add(t->p[0], t->p[1]), t->p[2]);
}

/// A normal, flipped so that it points along a direction.
static inline rbl_f8x3 normal_along(const corners *t, rbl_f8x3 direction)
{
	rbl_f8x3 normal =
		rbl_f8x3_cross(rbl_f8x3_sub(t->p[1], t->p[0]), rbl_f8x3_sub(t->p[2], t->p[0]));
	rbl_i8 is_back = rbl_f8_lt(rbl_f8x3_dot(normal, direction), rbl_f8_zero());
	return rbl_f8x3_select(is_back, rbl_f8x3_neg(normal), normal);
}

/// @param all  the lanes in use
/// @return the lanes that no direction keeps apart
static inline unsigned directions_leave(swept *p, unsigned all, float gap, bool has_places)
{
	make_relative(p);
	rbl_f8x3 direction = rbl_f8x3_sub(rbl_f8x3_add(sum_of(&p->b[0]), sum_of(&p->b[1])),
	                                  rbl_f8x3_add(sum_of(&p->a[0]), sum_of(&p->a[1])));
	unsigned left = all & ~(unsigned)rbl_i8_bits(apart_along(p, direction, gap, has_places));
	for (int i = 0; i < 2 && left; ++i) {
		rbl_f8x3 normal = normal_along(i ? &p->b[0] : &p->a[0], direction);
		left &= ~(unsigned)rbl_i8_bits(apart_along(p, normal, gap, has_places));
	}
	return left;
}

/// Masks of corners at one place, and bits of them by lane.
static inline void find_places(const int *places, const swept_indices *v, swept *p,
                               uint16_t seams[8])
{
	rbl_i8 a[3], b[3];
	for (int i = 0; i < 3; ++i) {
		a[i] = rbl_i8_gather(places, rbl_i8_load(v->a[i]));
		b[i] = rbl_i8_gather(places, rbl_i8_load(v->b[i]));
	}
	rbl_i8 bits = rbl_i8_zero();
	for (int i = 0; i < 9; ++i) {
		rbl_i8 *mask = &p->at_place[i / 3][i % 3];
		*mask = rbl_i8_andnot(rbl_i8_eq(a[i / 3], b[i % 3]), rbl_i8_eq(a[i / 3], rbl_i8_zero()));
		bits = rbl_i8_or(bits, rbl_i8_and(*mask, rbl_i8_splat(1 << i)));
	}
	int32_t lanes[8];
	rbl_i8_store(lanes, bits);
	for (int k = 0; k < 8; ++k)
		seams[k] = (uint16_t)lanes[k];
}

static inline int filter(const rbl_surface_sweep_source *source, const int *pairs, int count,
                         bool is_still, int *kept, uint16_t *seams)
{
	int kept_count = 0;
	float gap = source->thickness;
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		swept_indices v;
		for (int k = 0; k < 8; ++k) {
			const int *pair = pairs + 2 * (size_t)(i + (k < here ? k : here - 1));
			const int *a = source->triangles + 3 * (size_t)pair[0];
			const int *b = source->triangles + 3 * (size_t)pair[1];
			for (int n = 0; n < 3; ++n)
				v.a[n][k] = a[n], v.b[n][k] = b[n];
		}
		swept p;
		load_swept(source, &v, is_still, &p);
		// The difference may be rounded up: an ulp more is required.
		rbl_f8 wide_gap = rbl_f8_splat(gap > 0.0f ? gap * (1.0f + 4.0f * FLT_EPSILON) : 0.0f);
		unsigned all = 0xffu >> (8 - here);
		unsigned left = all;
		if (!source->overlap_along_axes)
			left &= ~(unsigned)rbl_i8_bits(apart_along_axes(&p, wide_gap));
		uint16_t lanes[8] = { 0 };
		if (left && source->places) {
			find_places(source->places, &v, &p, lanes);
			left = directions_leave(&p, left, gap, true);
		} else if (left) {
			left = directions_leave(&p, left, gap, false);
		}
		for (; left; left &= left - 1) {
			int lane = rbl_lowest_one(left);
			seams[kept_count] = lanes[lane];
			kept[kept_count++] = i + lane;
		}
	}
	return kept_count;
}

int RBL_KERNEL(rbl_surface_filter_swept_pairs)(const rbl_surface_sweep_source *source,
                                               const int *pairs, int count, int *kept,
                                               uint16_t *seams)
{
	return source->starts == source->ends ? filter(source, pairs, count, true, kept, seams)
	                                      : filter(source, pairs, count, false, kept, seams);
}
