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

#include "surface/cluster_lanes.h"

// Boxes of normals, in lanes, and lanes where one is uncertain.
typedef struct normal_lanes {
	rbl_f8x3 lower, upper;
	rbl_f8 slant_lower[4], slant_upper[4];
	rbl_i8 uncertain;
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
	const rbl_f8 diagonals[4] = { rbl_f8_add(sum, unit.z), rbl_f8_sub(sum, unit.z),
		                          rbl_f8_add(difference, unit.z), rbl_f8_sub(unit.z, difference) };
	for (int k = 0; k < 4; ++k) {
		all->slant_lower[k] = rbl_f8_min(diagonals[k], all->slant_lower[k]);
		all->slant_upper[k] = rbl_f8_max(diagonals[k], all->slant_upper[k]);
	}
	all->uncertain = rbl_i8_or(all->uncertain, rbl_i8_not(is_sure));
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
static void take_normal_d(rbl_box *box, rbl_surface_diagonals *diagonals, rbl_vec3d n,
                          double squares)
{
	double length = sqrt(dot_d(n, n));
	if (!(length > 1e-9 * sqrt(squares)) || !(length > 1e-140)) {
		*box = (rbl_box){ { -1.0f, -1.0f, -1.0f }, { 1.0f, 1.0f, 1.0f } };
		for (int k = 0; k < 4; ++k)
			diagonals->lower[k] = -2.0f, diagonals->upper[k] = 2.0f;
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
		diagonals->lower[k] = along[k] < diagonals->lower[k] ? along[k] : diagonals->lower[k];
		diagonals->upper[k] = along[k] > diagonals->upper[k] ? along[k] : diagonals->upper[k];
	}
}

static void take_triangle_d(rbl_box *box, rbl_surface_diagonals *diagonals,
                            const rbl_surface_cluster_source *source, const int *v)
{
	rbl_vec3d e1 = edge_d(source->ends, v[0], v[1]), f1 = edge_d(source->ends, v[0], v[2]);
	take_normal_d(box, diagonals, cross_d(e1, f1), dot_d(e1, e1) * dot_d(f1, f1));
	if (!source->starts)
		return;
	rbl_vec3d e0 = edge_d(source->starts, v[0], v[1]), f0 = edge_d(source->starts, v[0], v[2]);
	take_normal_d(box, diagonals, cross_d(e0, f0), dot_d(e0, e0) * dot_d(f0, f0));
	rbl_vec3d a = cross_d(e0, f1), b = cross_d(e1, f0);
	take_normal_d(box, diagonals, (rbl_vec3d){ a.x + b.x, a.y + b.y, a.z + b.z },
	              2.0 * (dot_d(e0, e0) * dot_d(f1, f1) + dot_d(e1, e1) * dot_d(f0, f0)));
}

// Boxes and normals of eight triangles.
typedef struct fit_lanes {
	rbl_f8x3 lower, upper;
	normal_lanes normals;
} fit_lanes;

// Boxes alone.
static inline void fit_boxes(const rbl_surface_cluster_source *source,
                             const int32_t (*v)[RBL_SURFACE_CLUSTER_SIZE], fit_lanes *all)
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

static inline void fit_triangles(const rbl_surface_cluster_source *source,
                                 const int32_t (*v)[RBL_SURFACE_CLUSTER_SIZE], fit_lanes *all)
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
	all->normals.uncertain = rbl_i8_zero();
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

// Least and greatest of eight lanes, for x, y and z at once; the fourth lane is anything.
static inline rbl_f4 smallest(const rbl_f8 a[3])
{
	rbl_f4 rows[4];
	for (int k = 0; k < 4; ++k)
		rows[k] = rbl_f4_min(rbl_f8_low(a[k % 3]), rbl_f8_high(a[k % 3]));
	rbl_f4_transpose(rows);
	return rbl_f4_min(rbl_f4_min(rows[0], rows[1]), rbl_f4_min(rows[2], rows[3]));
}

static inline rbl_f4 greatest(const rbl_f8 a[3])
{
	rbl_f4 rows[4];
	for (int k = 0; k < 4; ++k)
		rows[k] = rbl_f4_max(rbl_f8_low(a[k % 3]), rbl_f8_high(a[k % 3]));
	rbl_f4_transpose(rows);
	return rbl_f4_max(rbl_f4_max(rows[0], rows[1]), rbl_f4_max(rows[2], rows[3]));
}

static inline void store_boxes(rbl_surface_cluster *cluster, rbl_box *box, const fit_lanes *fit)
{
	rbl_f8 lower[3] = { fit->lower.x, fit->lower.y, fit->lower.z };
	rbl_f8 upper[3] = { fit->upper.x, fit->upper.y, fit->upper.z };
	rbl_f4 low = smallest(lower), high = greatest(upper);
	store_box(box, low, high);
	store_lanes(cluster, lower, upper, low, high);
}

// Bounds in steps, rounded outwards. Values beyond 1 come of rounding, or are no bounds.
static inline void store_steps(rbl_surface_normals *to, const rbl_box *box,
                               const rbl_surface_diagonals *diagonals)
{
	const float lower[8] = { box->lower.x,        box->lower.y,
		                     box->lower.z,        diagonals->lower[0],
		                     diagonals->lower[1], diagonals->lower[2],
		                     diagonals->lower[3], 0.0f };
	const float upper[8] = { box->upper.x,        box->upper.y,
		                     box->upper.z,        diagonals->upper[0],
		                     diagonals->upper[1], diagonals->upper[2],
		                     diagonals->upper[3], 0.0f };
	const float largest = (float)RBL_SURFACE_NORMAL_STEPS,
				slant = (float)RBL_SURFACE_DIAGONAL_STEPS;
	rbl_f8 steps = rbl_f8_from(rbl_f4_set(largest, largest, largest, slant), rbl_f4_splat(slant));
	rbl_f8 down = rbl_f8_floor(rbl_f8_mul(rbl_f8_load(lower), steps));
	rbl_f8 up = rbl_f8_floor(rbl_f8_neg(rbl_f8_mul(rbl_f8_load(upper), steps)));
	int32_t ends[2][8];
	rbl_f8 limit = rbl_f8_splat(largest);
	rbl_i8_store(ends[0], rbl_f8_to_int(rbl_f8_max(rbl_f8_neg(limit), rbl_f8_min(limit, down))));
	rbl_i8_store(ends[1], rbl_f8_to_int(rbl_f8_max(rbl_f8_neg(limit), rbl_f8_min(limit, up))));
	for (int k = 0; k < 7; ++k)
		to->lower[k] = (int8_t)ends[0][k], to->upper[k] = (int8_t)-ends[1][k];
}

static inline void store_normals(const rbl_surface_cluster *cluster, rbl_surface_normals *to,
                                 const normal_lanes *all, const rbl_surface_cluster_source *source,
                                 rbl_i8 used)
{
	rbl_surface_diagonals bounds, *diagonals = &bounds;
	int uncertain = rbl_i8_bits(rbl_i8_and(all->uncertain, used));
	rbl_i8 sure = rbl_i8_not(all->uncertain);
	const rbl_f8x3 *lower = &all->lower, *upper = &all->upper;
	rbl_box normals = { { rbl_f8_min_lane(keep(sure, lower->x, FLT_MAX)),
		                  rbl_f8_min_lane(keep(sure, lower->y, FLT_MAX)),
		                  rbl_f8_min_lane(keep(sure, lower->z, FLT_MAX)) },
		                { rbl_f8_max_lane(keep(sure, upper->x, -FLT_MAX)),
		                  rbl_f8_max_lane(keep(sure, upper->y, -FLT_MAX)),
		                  rbl_f8_max_lane(keep(sure, upper->z, -FLT_MAX)) } };
	for (int k = 0; k < 4; ++k) {
		diagonals->lower[k] = rbl_f8_min_lane(keep(sure, all->slant_lower[k], FLT_MAX));
		diagonals->upper[k] = rbl_f8_max_lane(keep(sure, all->slant_upper[k], -FLT_MAX));
	}
	for (int lane = 0; uncertain; ++lane, uncertain >>= 1)
		if (uncertain & 1)
			take_triangle_d(&normals, diagonals, source,
			                source->triangles + 3 * cluster->triangles[lane]);
	store_steps(to, &normals, diagonals);
}

static inline void find_corners(rbl_surface_cluster_corners *corners,
                                const rbl_surface_cluster *cluster, const int *triangles)
{
	rbl_i8 ids = rbl_i8_load(cluster->triangles);
	rbl_i8 used = rbl_i8_gt(ids, rbl_i8_splat(-1));
	ids = rbl_i8_select(used, ids, rbl_i8_splat(cluster->triangles[0]));
	rbl_i8 first = rbl_i8_mul(ids, rbl_i8_splat(3));
	for (int k = 0; k < 3; ++k)
		rbl_i8_store(corners->vertices[k],
		             rbl_i8_gather(triangles, rbl_i8_add(first, rbl_i8_splat(k))));
}

void RBL_KERNEL(rbl_surface_fit_cluster)(rbl_surface_cluster *cluster,
                                         const rbl_surface_cluster_corners *corners, rbl_box *box,
                                         const rbl_surface_cluster_source *source,
                                         rbl_surface_normals *normals)
{
	rbl_surface_cluster_corners found;
	if (!corners) {
		find_corners(&found, cluster, source->triangles);
		corners = &found;
	}
	fit_lanes fit;
	if (!normals) {
		fit_boxes(source, corners->vertices, &fit);
		store_boxes(cluster, box, &fit);
		return;
	}
	fit_triangles(source, corners->vertices, &fit);
	rbl_i8 used = rbl_i8_gt(rbl_i8_load(cluster->triangles), rbl_i8_splat(-1));
	store_normals(cluster, normals, &fit.normals, source, used);
	store_boxes(cluster, box, &fit);
}
