// SPDX-License-Identifier: MIT
//
// Triangles that face a direction, or keep apart from a neighbour, with a margin for each vertex.
//
// A triangle faces v when e x f . v > 0 for two of its edges. When vertices move by up to s, edges
// change by 2 s, and the product by 2 s (|e| + |f| + 2 s) at most. With u = 2^-24, it is off by
// less than 32 u times the square of the longest edge, and 64 u is taken, since the projection that
// is tested may be turned by some u against its direction. Over a step the same holds for the three
// control vectors of the normal, with the longest that edges get.
//
// The boundary of a cluster goes once round a point of the projection when each edge of it turns
// left round that point, and a coordinate rises through zero once: then it is a single loop,
// star-shaped, and what faces the direction covers nothing twice (surface/cull_contour.c). No order
// of edges is needed for that. Turns change by s (|a| + |b| + s), since the point stays, and are
// off by less than 32 u times the square of the larger distance; 64 u is taken. A vertex has the
// same coordinates in both of its edges.
//
// Neighbours are tested as in surface/certificate_neighbours.c, which has the reasons. A corner's
// distance from a plane through a vertex beside it is off by 8 u times their distance, 16 u is
// taken.

#include "surface/surface_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

// Turns of a plane on its way between two triangles.
enum { ROUNDS = 8 };

typedef struct robust_corners {
	rbl_f8x3 p[3];
} robust_corners;

// Unused lanes repeat the first.
static inline robust_corners load(const rbl_vec3 *positions, const int *triangles,
                                  const int32_t *list, int count)
{
	_Alignas(32) int32_t v[3][8];
	for (int k = 0; k < 8; ++k) {
		const int *t = triangles + 3 * (size_t)list[k < count ? k : 0];
		v[0][k] = t[0], v[1][k] = t[1], v[2][k] = t[2];
	}
	robust_corners c;
	for (int k = 0; k < 3; ++k)
		c.p[k] = rbl_f8x3_gather_padded(positions, v[k], 1);
	return c;
}

static inline rbl_f8 length(rbl_f8x3 a)
{
	return rbl_f8_sqrt(rbl_f8x3_dot(a, a));
}

static inline rbl_f8 largest(const rbl_f8 a[3])
{
	return rbl_f8_max(rbl_f8_max(a[0], a[1]), a[2]);
}

static inline bool face(const robust_corners *c, rbl_vec3 direction, float margin)
{
	rbl_f8x3 e = rbl_f8x3_sub(c->p[1], c->p[0]), f = rbl_f8x3_sub(c->p[2], c->p[0]);
	const rbl_f8 lengths[3] = { length(e), length(f), length(rbl_f8x3_sub(c->p[2], c->p[1])) };
	rbl_f8 longest = largest(lengths);
	// The shorter two serve, since any two of them span the same normal.
	rbl_f8 others = rbl_f8_sub(rbl_f8_add(rbl_f8_add(lengths[0], lengths[1]), lengths[2]), longest);
	rbl_f8 bound =
		rbl_f8_mul(rbl_f8_splat(2.0001f * margin), rbl_f8_add(others, rbl_f8_splat(2.0f * margin)));
	rbl_f8 rounding = rbl_f8_mul(rbl_f8_splat(0x1p-18f), rbl_f8_mul(longest, longest));
	rbl_f8 facing = rbl_f8x3_dot(rbl_f8x3_splat(direction), rbl_f8x3_cross(e, f));
	return rbl_i8_all(
		rbl_f8_gt(facing, rbl_f8_add(rbl_f8_add(bound, rounding), rbl_f8_splat(1e-30f))));
}

bool RBL_KERNEL(rbl_surface_cluster_faces)(const rbl_surface_cluster *cluster,
                                           const rbl_vec3 *positions, const int *triangles,
                                           rbl_vec3 direction, float margin)
{
	robust_corners c = load(positions, triangles, cluster->triangles, cluster->count);
	return face(&c, direction, margin);
}

bool RBL_KERNEL(rbl_surface_cluster_faces_always)(const rbl_surface_cluster *cluster,
                                                  const rbl_vec3 *starts, const rbl_vec3 *ends,
                                                  const int *triangles, rbl_vec3 direction,
                                                  float margin)
{
	robust_corners c[2] = { load(starts, triangles, cluster->triangles, cluster->count),
		                    load(ends, triangles, cluster->triangles, cluster->count) };
	rbl_f8x3 e[2], f[2];
	rbl_f8 lengths[3] = { rbl_f8_zero(), rbl_f8_zero(), rbl_f8_zero() };
	for (int i = 0; i < 2; ++i) {
		e[i] = rbl_f8x3_sub(c[i].p[1], c[i].p[0]), f[i] = rbl_f8x3_sub(c[i].p[2], c[i].p[0]);
		lengths[0] = rbl_f8_max(lengths[0], length(e[i]));
		lengths[1] = rbl_f8_max(lengths[1], length(f[i]));
		lengths[2] = rbl_f8_max(lengths[2], length(rbl_f8x3_sub(c[i].p[2], c[i].p[1])));
	}
	rbl_f8 longest = largest(lengths);
	rbl_f8 others = rbl_f8_sub(rbl_f8_add(rbl_f8_add(lengths[0], lengths[1]), lengths[2]), longest);
	rbl_f8 bound =
		rbl_f8_mul(rbl_f8_splat(2.0001f * margin), rbl_f8_add(others, rbl_f8_splat(2.0f * margin)));
	rbl_f8 rounding = rbl_f8_mul(rbl_f8_splat(0x1p-18f), rbl_f8_mul(longest, longest));
	bound = rbl_f8_add(rbl_f8_add(bound, rounding), rbl_f8_splat(1e-30f));
	rbl_f8x3 v = rbl_f8x3_splat(direction);
	rbl_f8x3 mixed = rbl_f8x3_add(rbl_f8x3_cross(e[0], f[1]), rbl_f8x3_cross(e[1], f[0]));
	rbl_f8 least = rbl_f8_min(rbl_f8x3_dot(v, rbl_f8x3_cross(e[0], f[0])),
	                          rbl_f8x3_dot(v, rbl_f8x3_cross(e[1], f[1])));
	least = rbl_f8_min(least, rbl_f8_mul(rbl_f8_splat(0.5f), rbl_f8x3_dot(v, mixed)));
	return rbl_i8_all(rbl_f8_gt(least, bound));
}

// Points in the projection, relative to its middle.
typedef struct picture {
	rbl_f8x3 middle, right, up;
} picture;

typedef struct point_lanes {
	rbl_f8 x, y, size;
} point_lanes;

static inline point_lanes project_lanes(const picture *p, const rbl_vec3 *positions,
                                        const int32_t v[8])
{
	rbl_f8x3 d = rbl_f8x3_sub(rbl_f8x3_gather_padded(positions, v, 1), p->middle);
	return (point_lanes){ rbl_f8x3_dot(p->right, d), rbl_f8x3_dot(p->up, d), length(d) };
}

bool RBL_KERNEL(rbl_surface_cluster_is_robust)(const rbl_surface_cluster *cluster,
                                               uint32_t boundary, const rbl_vec3 *positions,
                                               const int *triangles, rbl_vec3 direction,
                                               float margin)
{
	robust_corners c = load(positions, triangles, cluster->triangles, cluster->count);
	if (!face(&c, direction, margin))
		return false;
	_Alignas(32) int32_t from[24], to[24];
	int count = 0;
	for (; boundary; boundary &= boundary - 1, ++count) {
		int bit = rbl_lowest_one(boundary), k = bit % 3;
		const int *t = triangles + 3 * (size_t)cluster->triangles[bit / 3];
		from[count] = t[k], to[count] = t[k == 2 ? 0 : k + 1];
	}
	if (count < 3)
		return false;
	for (int i = count; i % 8; ++i)
		from[i] = from[0], to[i] = to[0];
	rbl_f8x3 sum = rbl_f8x3_add(rbl_f8x3_add(c.p[0], c.p[1]), c.p[2]);
	rbl_vec3 middle = { rbl_f8_sum(sum.x) / 24.0f, rbl_f8_sum(sum.y) / 24.0f,
		                rbl_f8_sum(sum.z) / 24.0f };
	rbl_vec3 right = rbl_perpendicular(direction), up = rbl_cross(direction, right);
	picture p = { rbl_f8x3_splat(middle), rbl_f8x3_splat(right), rbl_f8x3_splat(up) };
	int rises = 0;
	for (int i = 0; i < count; i += 8) {
		point_lanes a = project_lanes(&p, positions, from + i),
					b = project_lanes(&p, positions, to + i);
		rbl_f8 cross = rbl_f8_sub(rbl_f8_mul(a.x, b.y), rbl_f8_mul(a.y, b.x));
		rbl_f8 lengths = rbl_f8_add(rbl_f8_add(a.size, b.size), rbl_f8_splat(margin));
		rbl_f8 extent = rbl_f8_max(a.size, b.size);
		rbl_f8 bound = rbl_f8_add(rbl_f8_mul(rbl_f8_splat(1.0001f * margin), lengths),
		                          rbl_f8_mul(rbl_f8_splat(0x1p-18f), rbl_f8_mul(extent, extent)));
		if (!rbl_i8_all(rbl_f8_gt(cross, rbl_f8_add(bound, rbl_f8_splat(1e-30f)))))
			return false;
		unsigned rise = (unsigned)rbl_i8_bits(
			rbl_i8_and(rbl_f8_lt(a.y, rbl_f8_zero()), rbl_f8_ge(b.y, rbl_f8_zero())));
		int here = count - i < 8 ? count - i : 8;
		rises += rbl_count_ones(rise & 0xffu >> (8 - here));
	}
	return rises == 1;
}

// Vertices of eight neighbours, `size` each, relative to the first.
static inline void load_neighbours(const rbl_vec3 *positions, const int *corners, int size,
                                   int count, rbl_f8x3 *arrows)
{
	rbl_f8x3 first = { rbl_f8_zero(), rbl_f8_zero(), rbl_f8_zero() };
	for (int k = 0; k < size; ++k) {
		_Alignas(32) int32_t v[8];
		for (int i = 0; i < 8; ++i)
			v[i] = corners[size * (i < count ? i : 0) + k];
		rbl_f8x3 p = rbl_f8x3_gather_padded(positions, v, 1);
		if (k == 0)
			first = p;
		else
			arrows[k - 1] = rbl_f8x3_sub(p, first);
	}
}

static inline int keep_others(rbl_i8 apart, int begin, int here, int *kept)
{
	int count = 0;
	for (unsigned left = ~(unsigned)rbl_i8_bits(apart) & 0xffu >> (8 - here); left;
	     left &= left - 1)
		kept[count++] = begin + rbl_lowest_one(left);
	return count;
}

static inline rbl_f8x3 unit_of(rbl_f8x3 a)
{
	rbl_f8 size = rbl_f8_max(length(a), rbl_f8_splat(1e-18f));
	return rbl_f8x3_scale(rbl_f8_div(rbl_f8_splat(1.0f), size), a);
}

int RBL_KERNEL(rbl_surface_uncertain_wedges)(const rbl_vec3 *positions, const int *corners,
                                             int count, float margin, int *kept)
{
	int kept_count = 0;
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		rbl_f8x3 arrows[4], units[4];
		load_neighbours(positions, corners + 5 * (size_t)i, 5, here, arrows);
		arrows[2] = rbl_f8x3_sub(rbl_f8x3_splat((rbl_vec3){ 0.0f, 0.0f, 0.0f }), arrows[2]);
		arrows[3] = rbl_f8x3_sub(rbl_f8x3_splat((rbl_vec3){ 0.0f, 0.0f, 0.0f }), arrows[3]);
		rbl_f8 extent = rbl_f8_zero();
		for (int k = 0; k < 4; ++k) {
			rbl_f8 size = length(arrows[k]);
			extent = rbl_f8_max(extent, size);
			units[k] = unit_of(arrows[k]);
		}
		rbl_f8 distance = rbl_f8_add(rbl_f8_splat(2.0001f * margin + 1e-30f),
		                             rbl_f8_mul(rbl_f8_splat(0x1p-20f), extent));
		rbl_f8x3 normal =
			rbl_f8x3_add(rbl_f8x3_add(units[0], units[1]), rbl_f8x3_add(units[2], units[3]));
		rbl_i8 apart = rbl_i8_zero();
		float step = 0.5f; // shorter and shorter, since there may be little space between them
		for (int round = 0; round < ROUNDS; ++round, step *= 0.75f) {
			normal = unit_of(normal);
			rbl_f8 smallest = rbl_f8x3_dot(arrows[0], normal);
			rbl_f8x3 nearest = units[0];
			for (int k = 1; k < 4; ++k) {
				rbl_f8 side = rbl_f8x3_dot(arrows[k], normal);
				rbl_i8 is_less = rbl_f8_lt(side, smallest);
				smallest = rbl_f8_min(side, smallest);
				nearest.x = rbl_f8_select(is_less, units[k].x, nearest.x);
				nearest.y = rbl_f8_select(is_less, units[k].y, nearest.y);
				nearest.z = rbl_f8_select(is_less, units[k].z, nearest.z);
			}
			apart = rbl_i8_or(apart, rbl_f8_gt(smallest, distance));
			if (rbl_i8_all(apart))
				break;
			normal = rbl_f8x3_add(normal, rbl_f8x3_scale(rbl_f8_splat(step), nearest));
		}
		kept_count += keep_others(apart, i, here, kept + kept_count);
	}
	return kept_count;
}

// How far a corner lies to the left of an edge, as an area beyond what may change.
static inline rbl_f8 left_of(rbl_f8x3 cross, rbl_f8x3 direction, rbl_f8 edge, rbl_f8 to,
                             float margin)
{
	rbl_f8 lengths = rbl_f8_add(rbl_f8_add(edge, to), rbl_f8_splat(2.0f * margin));
	rbl_f8 longest = rbl_f8_max(edge, to);
	rbl_f8 bound = rbl_f8_add(rbl_f8_mul(rbl_f8_splat(2.0001f * margin), lengths),
	                          rbl_f8_mul(rbl_f8_splat(0x1p-19f), rbl_f8_mul(longest, longest)));
	return rbl_f8_sub(rbl_f8x3_dot(direction, cross), bound);
}

int RBL_KERNEL(rbl_surface_uncertain_hinges)(const rbl_vec3 *positions, const int *corners,
                                             int count, float margin, int *kept)
{
	int kept_count = 0;
	for (int i = 0; i < count; i += 8) {
		int here = count - i < 8 ? count - i : 8;
		rbl_f8x3 arrows[3]; // along the edge, to the corner of the first, of the second
		load_neighbours(positions, corners + 4 * (size_t)i, 4, here, arrows);
		rbl_f8x3 first = rbl_f8x3_cross(arrows[0], arrows[1]);
		rbl_f8x3 second = rbl_f8x3_cross(arrows[2], arrows[0]);
		rbl_f8x3 direction = unit_of(rbl_f8x3_add(unit_of(first), unit_of(second)));
		rbl_f8 edge = length(arrows[0]), tiny = rbl_f8_splat(1e-30f);
		rbl_i8 apart = rbl_i8_and(
			rbl_f8_gt(left_of(first, direction, edge, length(arrows[1]), margin), tiny),
			rbl_f8_gt(left_of(second, direction, edge, length(arrows[2]), margin), tiny));
		kept_count += keep_others(apart, i, here, kept + kept_count);
	}
	return kept_count;
}
