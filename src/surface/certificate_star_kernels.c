// SPDX-License-Identifier: MIT
//
// Triangles seen from a point, eight at a time; what for: surface/certificate_star.c.
//
// A triangle turns its back to the origin when a x b . c > 0 for its corners. When vertices move by
// up to s, that changes by s (|a x b| + |b x c| + |c x a|), s^2 (|a| + |b| + |c|) and s^3 at most.
// With u = 2^-24 and l the largest distance of a corner, components of a cross product are off by
// 8 u l^2 and the product by 48 u l^3; 64 u is taken.
//
// A cap has its axis in the midst of the corners' directions; one that comes near to a half sphere
// counts as everything. A corner at distance d turns by an angle whose sine is s / d, which is
// added to the largest angle of a corner. Angles are kept as cosines that are too small and sines
// that are too large, so that caps are too large by as much as rounding may take: 2e-6 for a
// cosine, and for a sine the root of one less the square of it, with as much added.
//
// A direction lies over a triangle that turns its back when it is to the left of its three sides.
// It is counted along a skew axis, both ways, and one of them must be certain.

#include "surface/surface_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

#define TINY 1e-30f

// What a dot product of two directions may be off by, and more.
static const float margin_of_cosines = 4e-6f;

// Caps end well before half a sphere.
static const float min_cosine = 0.1f;

static const rbl_vec3 skew_axis = { 0.3459366f, 0.2454158f, 0.9055933f };

typedef struct cap_corners {
	rbl_f8x3 p[3], sides[3]; // sides[k]: the cross product of the corners beside k
	rbl_f8 distances[3];
} cap_corners;

static inline rbl_f8 length(rbl_f8x3 a)
{
	return rbl_f8_sqrt(rbl_f8x3_dot(a, a));
}

static inline rbl_f8 sum_of(const rbl_f8 a[3])
{
	return rbl_f8_add(rbl_f8_add(a[0], a[1]), a[2]);
}

static inline cap_corners load(const rbl_surface_cap_source *source, int begin)
{
	_Alignas(32) int32_t v[3][8];
	for (int k = 0; k < 8; ++k) {
		int at = begin + k < source->count ? begin + k : 0;
		const int *t = source->triangles + 3 * (size_t)source->list[at];
		v[0][k] = t[0], v[1][k] = t[1], v[2][k] = t[2];
	}
	cap_corners c;
	for (int k = 0; k < 3; ++k) {
		c.p[k] = rbl_f8x3_sub(rbl_f8x3_gather_padded(source->positions, v[k], 1),
		                      rbl_f8x3_splat(source->middle));
		c.distances[k] = rbl_f8_max(length(c.p[k]), rbl_f8_splat(1e-18f));
	}
	for (int k = 0; k < 3; ++k)
		c.sides[k] = rbl_f8x3_cross(c.p[(k + 1) % 3], c.p[(k + 2) % 3]);
	return c;
}

static inline rbl_f8 extent_of(const cap_corners *c)
{
	return rbl_f8_max(rbl_f8_max(c->distances[0], c->distances[1]), c->distances[2]);
}

// Lanes that turn their back, and do whatever moves.
static inline rbl_i8 face_away(const cap_corners *c, float margin)
{
	const rbl_f8 areas[3] = { length(c->sides[0]), length(c->sides[1]), length(c->sides[2]) };
	rbl_f8 extent = extent_of(c), s = rbl_f8_splat(1.0001f * margin);
	// s (areas + s (3 extent + s)), and what rounding may take.
	rbl_f8 bound = rbl_f8_add(rbl_f8_mul(rbl_f8_splat(3.0f), extent), s);
	bound = rbl_f8_mul(s, rbl_f8_add(sum_of(areas), rbl_f8_mul(s, bound)));
	rbl_f8 cube = rbl_f8_mul(extent, rbl_f8_mul(extent, extent));
	bound = rbl_f8_add(bound, rbl_f8_mul(rbl_f8_splat(0x1p-18f), cube));
	rbl_f8 volume = rbl_f8x3_dot(c->sides[2], c->p[2]);
	return rbl_f8_gt(volume, rbl_f8_add(bound, rbl_f8_splat(TINY)));
}

// @return lanes whose cap is less than a half sphere
static inline rbl_i8 write_caps(const cap_corners *c, float margin, rbl_surface_cap_block *block)
{
	const rbl_f8 one = rbl_f8_splat(1.0f), zero = rbl_f8_zero();
	rbl_f8x3 units[3], axis = { zero, zero, zero };
	for (int k = 0; k < 3; ++k) {
		units[k] = rbl_f8x3_scale(rbl_f8_div(one, c->distances[k]), c->p[k]);
		axis = rbl_f8x3_add(axis, units[k]);
	}
	axis = rbl_f8x3_scale(rbl_f8_div(one, rbl_f8_max(length(axis), rbl_f8_splat(1e-3f))), axis);
	rbl_f8 cosine = one;
	for (int k = 0; k < 3; ++k)
		cosine = rbl_f8_min(cosine, rbl_f8x3_dot(axis, units[k]));
	cosine = rbl_f8_sub(cosine, rbl_f8_splat(2e-6f));
	rbl_f8 square = rbl_f8_sub(one, rbl_f8_mul(cosine, cosine));
	rbl_f8 sine = rbl_f8_sqrt(rbl_f8_add(rbl_f8_max(square, zero), rbl_f8_splat(1e-6f)));
	rbl_f8 nearest = rbl_f8_min(rbl_f8_min(c->distances[0], c->distances[1]), c->distances[2]);
	rbl_f8 more = rbl_f8_div(rbl_f8_splat(1.0001f * margin), nearest);
	rbl_f8 less = rbl_f8_sub(one, rbl_f8_mul(more, more)); // below the cosine of that angle
	rbl_f8 boundary = rbl_f8_sub(rbl_f8_mul(cosine, less), rbl_f8_mul(sine, more));
	rbl_i8 is_small = rbl_i8_and(rbl_f8_gt(boundary, rbl_f8_splat(min_cosine)),
	                             rbl_f8_gt(cosine, rbl_f8_splat(min_cosine)));
	rbl_f8_store(block->x, axis.x);
	rbl_f8_store(block->y, axis.y);
	rbl_f8_store(block->z, axis.z);
	is_small = rbl_i8_and(is_small, rbl_f8_lt(more, rbl_f8_splat(0.5f)));
	rbl_f8 up = rbl_f8_add(rbl_f8_add(sine, more), rbl_f8_splat(2e-6f));
	rbl_f8 down = rbl_f8_sub(boundary, rbl_f8_splat(2e-6f));
	// Larger ones touch all others.
	rbl_f8_store(block->cosine, rbl_f8_select(is_small, down, rbl_f8_splat(-2.0f)));
	rbl_f8_store(block->sine, rbl_f8_select(is_small, up, rbl_f8_splat(1e6f)));
	return is_small;
}

static inline rbl_f8 along_axis(const rbl_surface_cap_block *block, rbl_vec3 axis)
{
	rbl_f8x3 axes = { rbl_f8_load(block->x), rbl_f8_load(block->y), rbl_f8_load(block->z) };
	return rbl_f8x3_dot(axes, rbl_f8x3_splat(axis));
}

// How often triangles lie over the skew axis, both ways, as long as that is certain.
typedef struct depths {
	int counts[2];
	bool are_certain[2];
} depths;

static inline void count_depths(const cap_corners *c, const rbl_surface_cap_block *block, depths *d)
{
	rbl_f8 axis = along_axis(block, skew_axis), extent = extent_of(c);
	rbl_f8 near = rbl_f8_sub(rbl_f8_load(block->cosine), rbl_f8_splat(margin_of_cosines));
	rbl_f8 bound = rbl_f8_mul(rbl_f8_splat(0x1p-18f), rbl_f8_mul(extent, extent));
	rbl_f8 along[3];
	for (int k = 0; k < 3; ++k)
		along[k] = rbl_f8x3_dot(c->sides[k], rbl_f8x3_splat(skew_axis));
	for (int direction = 0; direction < 2; ++direction) {
		unsigned in_cap = (unsigned)~rbl_i8_bits(rbl_f8_lt(axis, near)) & block->is_used;
		rbl_i8 over = rbl_i8_splat(-1), beside = rbl_i8_zero();
		for (int k = 0; k < 3; ++k) {
			over = rbl_i8_and(over, rbl_f8_gt(along[k], bound));
			beside = rbl_i8_or(beside, rbl_f8_lt(along[k], rbl_f8_neg(bound)));
			along[k] = rbl_f8_neg(along[k]);
		}
		axis = rbl_f8_neg(axis);
		if (!in_cap)
			continue;
		unsigned is_over = (unsigned)rbl_i8_bits(over), is_beside = (unsigned)rbl_i8_bits(beside);
		d->counts[direction] += rbl_count_ones(in_cap & is_over);
		d->are_certain[direction] &= !(in_cap & (block->front_facing | ~(is_over | is_beside)));
	}
}

bool RBL_KERNEL(rbl_surface_find_caps)(const rbl_surface_cap_source *source,
                                       rbl_surface_cap_block *blocks, int *front_facing_count)
{
	depths d = { { 0, 0 }, { true, true } };
	*front_facing_count = 0;
	for (int i = 0; i < source->count; i += 8) {
		rbl_surface_cap_block *block = &blocks[i / 8];
		int here = source->count - i < 8 ? source->count - i : 8;
		block->is_used = (unsigned char)(0xffu >> (8 - here));
		block->is_candidate = 0;
		cap_corners c = load(source, i);
		unsigned good = (unsigned)rbl_i8_bits(face_away(&c, source->margin));
		block->front_facing = (unsigned char)(~good & block->is_used);
		*front_facing_count += rbl_count_ones(block->front_facing);
		if (*front_facing_count > source->max_front_facing ||
		    !rbl_i8_all(write_caps(&c, source->margin, block)))
			return false;
		count_depths(&c, block, &d);
	}
	return (d.are_certain[0] && d.counts[0] == 1) || (d.are_certain[1] && d.counts[1] == 1);
}

void RBL_KERNEL(rbl_surface_mark_caps)(rbl_surface_cap_block *blocks, int block_count,
                                       const rbl_surface_cap_block *from, int lane)
{
	const rbl_vec3 axis = { from->x[lane], from->y[lane], from->z[lane] };
	const rbl_f8 cosine = rbl_f8_splat(from->cosine[lane]), sine = rbl_f8_splat(from->sine[lane]);
	for (int i = 0; i < block_count; ++i) {
		rbl_surface_cap_block *block = &blocks[i];
		rbl_f8 boundary = rbl_f8_sub(rbl_f8_mul(cosine, rbl_f8_load(block->cosine)),
		                             rbl_f8_mul(sine, rbl_f8_load(block->sine)));
		rbl_f8 far = rbl_f8_add(along_axis(block, axis), rbl_f8_splat(margin_of_cosines));
		unsigned met = ~(unsigned)rbl_i8_bits(rbl_f8_lt(far, boundary));
		block->is_candidate |= (unsigned char)(met & block->is_used);
	}
}
