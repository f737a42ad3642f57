// SPDX-License-Identifier: MIT
//
// Boxes of eight triangles, and bounds of their unit normals along axes and diagonals.
//
// Over a step, every vertex moves on a line, and the normal e x f is a quadratic in time with the
// control vectors e0 x f0, (e0 x f1 + e1 x f0) / 2, e1 x f1. What all three see from one side, the
// normal sees from that side at every time, so all three go into the box.
//
// A unit normal in single precision is off by less than 5e-5 while |e x f| > 0.01 |e| |f|. Flatter
// triangles are done again in double precision, and what is flat there, too, may point anywhere.

#include "surface/surface_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

// Boxes of normals, in lanes, and lanes where one is in doubt.
typedef struct normal_lanes {
	rbl_f8x3 lower, upper;
	rbl_f8 slant_lower[4], slant_upper[4];
	rbl_i8 doubt;
} normal_lanes;

// Take in a control vector whose magnitude is bounded by the root of `squares`.
static inline void take_normal(normal_lanes *all, rbl_f8x3 n, rbl_f8 squares)
{
	rbl_f8 length = rbl_f8x3_dot(n, n);
	rbl_i8 is_sure = rbl_f8_gt(length, rbl_f8_mul(rbl_f8_splat(1e-4f), squares));
	is_sure = rbl_i8_and(is_sure, rbl_f8_gt(length, rbl_f8_splat(1e-30f)));
	is_sure = rbl_i8_and(is_sure, rbl_f8_lt(squares, rbl_f8_splat(1e30f)));
	rbl_f8 inverse = rbl_f8_div(rbl_f8_splat(1.0f), rbl_f8_sqrt(length));
	rbl_f8x3 unit = { rbl_f8_mul(n.x, inverse), rbl_f8_mul(n.y, inverse),
		              rbl_f8_mul(n.z, inverse) };
	all->lower = rbl_f8x3_min(unit, all->lower);
	all->upper = rbl_f8x3_max(unit, all->upper);
	rbl_f8 sum = rbl_f8_add(unit.x, unit.y), difference = rbl_f8_sub(unit.x, unit.y);
	const rbl_f8 slants[4] = { rbl_f8_add(sum, unit.z), rbl_f8_sub(sum, unit.z),
		                       rbl_f8_add(difference, unit.z), rbl_f8_sub(unit.z, difference) };
	for (int k = 0; k < 4; ++k) {
		all->slant_lower[k] = rbl_f8_min(slants[k], all->slant_lower[k]);
		all->slant_upper[k] = rbl_f8_max(slants[k], all->slant_upper[k]);
	}
	all->doubt = rbl_i8_or(all->doubt, rbl_i8_not(is_sure));
}

static inline rbl_vec3d edge_d(const rbl_vec3 *positions, int from, int to)
{
	return (rbl_vec3d){ (double)positions[to].x - (double)positions[from].x,
		                (double)positions[to].y - (double)positions[from].y,
		                (double)positions[to].z - (double)positions[from].z };
}

static double dot_d(rbl_vec3d a, rbl_vec3d b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static rbl_vec3d cross_d(rbl_vec3d a, rbl_vec3d b)
{
	return (rbl_vec3d){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// The same for one vector in double precision; a flat one may point anywhere.
static void take_normal_d(rbl_box *box, rbl_slants *slants, rbl_vec3d n, double squares)
{
	double length = sqrt(dot_d(n, n));
	if (!(length > 1e-9 * sqrt(squares)) || !(length > 1e-140)) {
		*box = (rbl_box){ { -1.0f, -1.0f, -1.0f }, { 1.0f, 1.0f, 1.0f } };
		for (int k = 0; k < 4; ++k)
			slants->lower[k] = -2.0f, slants->upper[k] = 2.0f;
		return;
	}
	float x = (float)(n.x / length), y = (float)(n.y / length), z = (float)(n.z / length);
	box->lower.x = x < box->lower.x ? x : box->lower.x;
	box->lower.y = y < box->lower.y ? y : box->lower.y;
	box->lower.z = z < box->lower.z ? z : box->lower.z;
	box->upper.x = x > box->upper.x ? x : box->upper.x;
	box->upper.y = y > box->upper.y ? y : box->upper.y;
	box->upper.z = z > box->upper.z ? z : box->upper.z;
	const float along[4] = { x + y + z, x + y - z, x - y + z, z - (x - y) };
	for (int k = 0; k < 4; ++k) {
		slants->lower[k] = along[k] < slants->lower[k] ? along[k] : slants->lower[k];
		slants->upper[k] = along[k] > slants->upper[k] ? along[k] : slants->upper[k];
	}
}

static void take_triangle_d(rbl_box *box, rbl_slants *slants, const rbl_cluster_source *source,
                            const int *v)
{
	rbl_vec3d e1 = edge_d(source->ends, v[0], v[1]), f1 = edge_d(source->ends, v[0], v[2]);
	take_normal_d(box, slants, cross_d(e1, f1), dot_d(e1, e1) * dot_d(f1, f1));
	if (!source->starts)
		return;
	rbl_vec3d e0 = edge_d(source->starts, v[0], v[1]), f0 = edge_d(source->starts, v[0], v[2]);
	take_normal_d(box, slants, cross_d(e0, f0), dot_d(e0, e0) * dot_d(f0, f0));
	rbl_vec3d a = cross_d(e0, f1), b = cross_d(e1, f0);
	take_normal_d(box, slants, (rbl_vec3d){ a.x + b.x, a.y + b.y, a.z + b.z },
	              2.0 * (dot_d(e0, e0) * dot_d(f1, f1) + dot_d(e1, e1) * dot_d(f0, f0)));
}

// Boxes and normals of eight triangles.
typedef struct fit_lanes {
	rbl_f8x3 lower, upper;
	normal_lanes normals;
} fit_lanes;

// Boxes alone.
static inline void fit_boxes(const rbl_cluster_source *source, int32_t (*v)[RBL_CLUSTER_SIZE],
                             fit_lanes *all)
{
	for (int k = 0; k < 3; ++k) {
		rbl_f8x3 p = rbl_f8x3_gather_padded(source->ends, v[k], 1);
		all->lower = k ? rbl_f8x3_min(all->lower, p) : p;
		all->upper = k ? rbl_f8x3_max(all->upper, p) : p;
	}
	for (int k = 0; k < 3 && source->starts; ++k) {
		rbl_f8x3 p = rbl_f8x3_gather_padded(source->starts, v[k], 1);
		all->lower = rbl_f8x3_min(all->lower, p);
		all->upper = rbl_f8x3_max(all->upper, p);
	}
}

static inline void fit_triangles(const rbl_cluster_source *source, int32_t (*v)[RBL_CLUSTER_SIZE],
                                 fit_lanes *all)
{
	rbl_f8x3 p[3], e, f;
	for (int k = 0; k < 3; ++k)
		p[k] = rbl_f8x3_gather_padded(source->ends, v[k], 1);
	e = rbl_f8x3_sub(p[1], p[0]), f = rbl_f8x3_sub(p[2], p[0]);
	all->lower = rbl_f8x3_min(p[0], rbl_f8x3_min(p[1], p[2]));
	all->upper = rbl_f8x3_max(p[0], rbl_f8x3_max(p[1], p[2]));
	rbl_f8 high = rbl_f8_splat(FLT_MAX), low = rbl_f8_splat(-FLT_MAX);
	all->normals.lower = (rbl_f8x3){ high, high, high };
	all->normals.upper = (rbl_f8x3){ low, low, low };
	for (int k = 0; k < 4; ++k)
		all->normals.slant_lower[k] = high, all->normals.slant_upper[k] = low;
	all->normals.doubt = rbl_i8_zero();
	rbl_f8 ee = rbl_f8x3_dot(e, e), ff = rbl_f8x3_dot(f, f);
	take_normal(&all->normals, rbl_f8x3_cross(e, f), rbl_f8_mul(ee, ff));
	if (!source->starts)
		return;
	for (int k = 0; k < 3; ++k) {
		p[k] = rbl_f8x3_gather_padded(source->starts, v[k], 1);
		all->lower = rbl_f8x3_min(all->lower, p[k]);
		all->upper = rbl_f8x3_max(all->upper, p[k]);
	}
	rbl_f8x3 e0 = rbl_f8x3_sub(p[1], p[0]), f0 = rbl_f8x3_sub(p[2], p[0]);
	rbl_f8 ee0 = rbl_f8x3_dot(e0, e0), ff0 = rbl_f8x3_dot(f0, f0);
	take_normal(&all->normals, rbl_f8x3_cross(e0, f0), rbl_f8_mul(ee0, ff0));
	take_normal(
		&all->normals, rbl_f8x3_add(rbl_f8x3_cross(e0, f), rbl_f8x3_cross(e, f0)),
		rbl_f8_mul(rbl_f8_splat(2.0f), rbl_f8_add(rbl_f8_mul(ee0, ff), rbl_f8_mul(ee, ff0))));
}

static inline rbl_f8 keep(rbl_i8 mask, rbl_f8 a, float other)
{
	return rbl_f8_select(mask, a, rbl_f8_splat(other));
}

// Move bounds outwards, rounding included.
static inline rbl_f8 widen(rbl_f8 a, float margin, bool is_lower)
{
	rbl_f8 by = rbl_f8_add(rbl_f8_splat(margin * (1.0f + 4.0f * FLT_EPSILON)),
	                       rbl_f8_mul(rbl_f8_splat(2.0f * FLT_EPSILON), rbl_f8_abs(a)));
	return is_lower ? rbl_f8_sub(a, by) : rbl_f8_add(a, by);
}

static inline rbl_box store_boxes(rbl_cluster *cluster, const fit_lanes *fit, rbl_i8 used,
                                  float margin)
{
	rbl_f8 bounds[6] = { fit->lower.x, fit->lower.y, fit->lower.z,
		                 fit->upper.x, fit->upper.y, fit->upper.z };
	float ends[6];
	for (int k = 0; k < 6; ++k) {
		if (margin > 0.0f)
			bounds[k] = widen(bounds[k], margin, k < 3);
		rbl_f8_store(cluster->boxes[k], keep(used, bounds[k], k < 3 ? FLT_MAX : -FLT_MAX));
		ends[k] = k < 3 ? rbl_f8_min_lane(bounds[k]) : rbl_f8_max_lane(bounds[k]);
	}
	return (rbl_box){ { ends[0], ends[1], ends[2] }, { ends[3], ends[4], ends[5] } };
}

static inline void store_normals(rbl_cluster *cluster, rbl_slants *slants, const normal_lanes *all,
                                 const rbl_cluster_source *source, rbl_i8 used)
{
	int doubts = rbl_i8_bits(rbl_i8_and(all->doubt, used));
	rbl_i8 sure = rbl_i8_not(all->doubt);
	const rbl_f8x3 *lower = &all->lower, *upper = &all->upper;
	rbl_box normals = { { rbl_f8_min_lane(keep(sure, lower->x, FLT_MAX)),
		                  rbl_f8_min_lane(keep(sure, lower->y, FLT_MAX)),
		                  rbl_f8_min_lane(keep(sure, lower->z, FLT_MAX)) },
		                { rbl_f8_max_lane(keep(sure, upper->x, -FLT_MAX)),
		                  rbl_f8_max_lane(keep(sure, upper->y, -FLT_MAX)),
		                  rbl_f8_max_lane(keep(sure, upper->z, -FLT_MAX)) } };
	for (int k = 0; k < 4; ++k) {
		slants->lower[k] = rbl_f8_min_lane(keep(sure, all->slant_lower[k], FLT_MAX));
		slants->upper[k] = rbl_f8_max_lane(keep(sure, all->slant_upper[k], -FLT_MAX));
	}
	for (int lane = 0; doubts; ++lane, doubts >>= 1)
		if (doubts & 1)
			take_triangle_d(&normals, slants, source,
			                source->triangles + 3 * cluster->triangles[lane]);
	cluster->normals = normals;
}

rbl_box RBL_KERNEL(rbl_cluster_fit)(rbl_cluster *cluster, const rbl_cluster_source *source,
                                    rbl_slants *slants)
{
	rbl_i8 ids = rbl_i8_load(cluster->triangles);
	rbl_i8 used = rbl_i8_gt(ids, rbl_i8_splat(-1));
	ids = rbl_i8_select(used, ids, rbl_i8_splat(cluster->triangles[0]));
	rbl_i8 corners = rbl_i8_mul(ids, rbl_i8_splat(3));
	int32_t v[3][RBL_CLUSTER_SIZE];
	for (int k = 0; k < 3; ++k)
		rbl_i8_store(v[k], rbl_i8_gather(source->triangles, rbl_i8_add(corners, rbl_i8_splat(k))));
	fit_lanes fit;
	if (!slants) {
		fit_boxes(source, v, &fit);
		return store_boxes(cluster, &fit, used, source->margin);
	}
	fit_triangles(source, v, &fit);
	store_normals(cluster, slants, &fit.normals, source, used);
	return store_boxes(cluster, &fit, used, source->margin);
}

// Lanes of `cluster` whose boxes overlap a box.
static inline rbl_i8 lanes_over(const rbl_cluster *cluster, const float box[6])
{
	rbl_i8 over = rbl_f8_le(rbl_f8_load(cluster->boxes[0]), rbl_f8_splat(box[3]));
	over = rbl_i8_and(over, rbl_f8_le(rbl_f8_splat(box[0]), rbl_f8_load(cluster->boxes[3])));
	over = rbl_i8_and(over, rbl_f8_le(rbl_f8_load(cluster->boxes[1]), rbl_f8_splat(box[4])));
	over = rbl_i8_and(over, rbl_f8_le(rbl_f8_splat(box[1]), rbl_f8_load(cluster->boxes[4])));
	over = rbl_i8_and(over, rbl_f8_le(rbl_f8_load(cluster->boxes[2]), rbl_f8_splat(box[5])));
	return rbl_i8_and(over, rbl_f8_le(rbl_f8_splat(box[2]), rbl_f8_load(cluster->boxes[5])));
}

static inline int lanes_in(const rbl_cluster *cluster, const rbl_box *box)
{
	const float bounds[6] = { box->lower.x, box->lower.y, box->lower.z,
		                      box->upper.x, box->upper.y, box->upper.z };
	return rbl_i8_bits(lanes_over(cluster, bounds));
}

// Which lanes lead: those of `a` that overlap the box of `b`, or the other way round where that is fewer
// rounds. @return 0 where nothing overlaps
static inline int find_leaders(const rbl_cluster **a, const rbl_box *a_box, const rbl_cluster **b,
                               const rbl_box *b_box)
{
	int first = lanes_in(*a, b_box), second = first ? lanes_in(*b, a_box) : 0;
	if (rbl_count_ones((uint64_t)second) >= rbl_count_ones((uint64_t)first))
		return first;
	const rbl_cluster *swap = *a;
	*a = *b, *b = swap;
	return second;
}

// Lanes of `cluster` whose boxes overlap that of a lane of another.
static inline int lanes_over_lane(const rbl_cluster *cluster, const rbl_cluster *other, int lane)
{
	float box[6];
	for (int k = 0; k < 6; ++k)
		box[k] = other->boxes[k][lane];
	return rbl_i8_bits(lanes_over(cluster, box));
}

int RBL_KERNEL(rbl_cluster_pairs)(const rbl_cluster *a, const rbl_box *a_box, const rbl_cluster *b,
                                  const rbl_box *b_box, rbl_surface_pair *pairs)
{
	int count = 0;
	int first = a == b ? (1 << a->count) - 1 : find_leaders(&a, a_box, &b, b_box);
	for (; first; first &= first - 1) {
		int i = rbl_lowest_one((uint64_t)first), hits = lanes_over_lane(b, a, i);
		if (a == b)
			hits &= ~((2 << i) - 1);
		for (; hits; hits &= hits - 1)
			pairs[count++] =
				(rbl_surface_pair){ a->triangles[i], b->triangles[rbl_lowest_one((uint64_t)hits)] };
	}
	return count;
}

int RBL_KERNEL(rbl_cluster_row_pairs)(const rbl_cluster *a, const rbl_box *a_box, int a_row,
                                      const rbl_cluster *b, const rbl_box *b_box, int b_row,
                                      rbl_row_pair *pairs)
{
	const rbl_cluster *given = a;
	int count = 0, first = find_leaders(&a, a_box, &b, b_box);
	int lead = a == given ? a_row : b_row, other = a == given ? b_row : a_row;
	for (; first; first &= first - 1) {
		int i = rbl_lowest_one((uint64_t)first), hits = lanes_over_lane(b, a, i);
		rbl_row_pair pair = (rbl_row_pair)(lead + i) | (rbl_row_pair)other << 16;
		for (int lane = 0; lane < RBL_CLUSTER_SIZE;
		     ++lane) { // no branch, as none would be foreseen
			pairs[count] = pair + ((rbl_row_pair)lane << 16);
			count += hits >> lane & 1;
		}
	}
	return count;
}
