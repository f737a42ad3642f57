// SPDX-License-Identifier: MIT
//
// Rays and nearest points.
//
// Trees find the clusters, in floats; where vertices are doubles, rays count as boxes that are as
// large as what floats lack. Whether a ray meets a triangle is decided by exact signs: the ends of
// the ray on either side of the plane, and the ray on one side of all three edges.

#include "surface/rays.h"

#include "base/axis.h"
#include "base/log.h"
#include "geometry/geometry.h"

#include <rubble/surface_queries.h>

static void triangle_points(const rbl_surface *surface, int triangle, rbl_vec3d points[3])
{
	for (int k = 0; k < 3; ++k)
		points[k] =
			rbl_surface_exact(surface, surface->triangles[3 * (size_t)triangle + (size_t)k], 1);
}

// --- rays ---------------------------------------------------------------------------------------

static bool ray_meets(const rbl_surface_ray *ray, const rbl_vec3d p[3])
{
	int from = rbl_orient3d(p[0], p[1], p[2], ray->from);
	int to = rbl_orient3d(p[0], p[1], p[2], ray->to);
	if (from == to)
		return false;
	int signs[3];
	for (int k = 0; k < 3; ++k)
		signs[k] = rbl_orient3d(ray->from, ray->to, p[k], p[(k + 1) % 3]);
	return (signs[0] >= 0 && signs[1] >= 0 && signs[2] >= 0) ||
	       (signs[0] <= 0 && signs[1] <= 0 && signs[2] <= 0);
}

static double share_along(const rbl_surface_ray *ray, const rbl_vec3d p[3])
{
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
	double from = rbl_dot_d(normal, rbl_sub_d(ray->from, p[0]));
	double to = rbl_dot_d(normal, rbl_sub_d(ray->to, p[0]));
	double share = from / (from - to);
	return from == to ? 0.0 : rbl_maxd(0.0, rbl_mind(1.0, share));
}

static float meet_cluster(void *context, uint32_t leaf, float end)
{
	rbl_surface_ray *ray = context;
	const rbl_surface_cluster *cluster = &ray->surface->cluster_data[leaf];
	for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE; ++lane) {
		int triangle = cluster->triangles[lane];
		rbl_vec3d points[3];
		if (triangle < 0)
			continue;
		triangle_points(ray->surface, triangle, points);
		if (!ray_meets(ray, points))
			continue;
		double share = share_along(ray, points);
		if (ray->triangle < 0 || share < ray->share ||
		    (share == ray->share && triangle < ray->triangle))
			ray->triangle = triangle, ray->share = share;
	}
	// A little more is looked at than up to the triangle: times of boxes are rounded.
	return rbl_minf(end, (float)ray->share * (1.0f + 0x1p-20f) + 1e-30f);
}

static rbl_box ray_box(const rbl_surface_ray *ray, float rounding)
{
	rbl_vec3 from = rbl_to_f(ray->from);
	rbl_vec3d lack = rbl_sub_d(ray->from, rbl_to_d(from));
	float reach = rounding + (float)(fabs(lack.x) + fabs(lack.y) + fabs(lack.z)) * 1.001f;
	return (rbl_box){ rbl_sub(from, (rbl_vec3){ reach, reach, reach }),
		              rbl_add(from, (rbl_vec3){ reach, reach, reach }) };
}

static float rounding_of(const rbl_surface_body *body)
{
	return body->settings.roundings[1];
}

void rbl_surface_ray_through(rbl_surface_ray *ray, const rbl_surface_body *body)
{
	rbl_tree_query_cast(&body->tree, ray_box(ray, rounding_of(body)),
	                    rbl_to_f(rbl_sub_d(ray->to, ray->from)), (float)ray->share, meet_cluster,
	                    ray);
}

typedef struct ray_query {
	rbl_surface_ray ray;
	uint32_t mask;
} ray_query;

static float meet_body(void *context, uint32_t leaf, float end)
{
	ray_query *q = context;
	const rbl_surface_body *body = &q->ray.surface->bodies.data[leaf];
	if (body->settings.filter.categories & q->mask)
		rbl_surface_ray_through(&q->ray, body);
	return rbl_minf(end, (float)q->ray.share * (1.0f + 0x1p-20f) + 1e-30f);
}

// The most that floats of any body lack.
static float largest_rounding(const rbl_surface *surface)
{
	float most = 0.0f;
	for (int slot = 0; slot < surface->bodies.count && surface->residuals[1].count > 0; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot))
			most = rbl_maxf(most, rounding_of(&surface->bodies.data[slot]));
	return most;
}

// Where a point of a triangle is within it. @return shares of the second and third corner
static void find_shares(rbl_vec3d point, const rbl_vec3d p[3], float *u, float *v)
{
	const rbl_vec3d points[4] = { point, p[0], p[1], p[2] };
	rbl_closest closest;
	rbl_ccd_closest(RBL_CCD_VERTEX_FACE, points, &closest);
	*u = (float)closest.weights[2], *v = (float)closest.weights[3];
}

rbl_result rbl_surface_cast_ray(const rbl_surface *surface, rbl_vec3 from, rbl_vec3 translation,
                                uint32_t mask, rbl_surface_ray_hit *hit)
{
	if (hit)
		*hit = (rbl_surface_ray_hit){ .triangle = -1, .fraction = 1.0f };
	if (!surface || !hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or hit is NULL");
	if (!rbl_is_finite(from) || !rbl_is_finite(translation))
		return rbl_fail(RBL_BAD_ARGUMENT, "the ray is not finite");
	if (!surface->is_ready)
		return rbl_fail(RBL_BAD_ARGUMENT, "an update must come first");
	rbl_vec3d start = rbl_to_d(from);
	ray_query q = { { surface, start, rbl_add_d(start, rbl_to_d(translation)), -1, 1.0 }, mask };
	rbl_tree_query_cast(&surface->body_tree, ray_box(&q.ray, largest_rounding(surface)),
	                    translation, 1.0f, meet_body, &q);
	if (q.ray.triangle < 0)
		return RBL_OK;
	rbl_vec3d p[3];
	triangle_points(surface, q.ray.triangle, p);
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
	rbl_vec3d point = rbl_add_scaled_d(start, q.ray.share, rbl_to_d(translation));
	hit->body = rbl_surface_triangle_body(surface, q.ray.triangle);
	hit->triangle = q.ray.triangle;
	hit->fraction = (float)q.ray.share;
	hit->point = rbl_to_f(point);
	if (rbl_dot_d(normal, normal) > 0.0)
		hit->normal = rbl_to_f(rbl_normalize_d(normal));
	find_shares(point, p, &hit->u, &hit->v);
	return RBL_OK;
}

// --- nearest points -----------------------------------------------------------------------------

typedef struct nearest_query {
	const rbl_surface *surface;
	uint32_t mask;
	rbl_vec3d point;
	float rounding;  // of all bodies
	double distance; // of the best so far
	int triangle;
	rbl_closest closest;
} nearest_query;

// A square that is not too small for what is within the distance of the best, by boxes of floats.
static float search_square(const nearest_query *q)
{
	float reach = ((float)q->distance * (1.0f + 0x1p-18f) + q->rounding) * (1.0f + 0x1p-18f);
	return reach * reach * (1.0f + 0x1p-18f) + 1e-37f;
}

// No more than the distance of a triangle: that of its box, but for rounding.
static double distance_to_box(rbl_vec3d point, const rbl_vec3d p[3])
{
	rbl_vec3d away = { 0.0, 0.0, 0.0 };
	for (int axis = 0; axis < 3; ++axis) {
		double a = rbl_axis_d(p[0], axis), b = rbl_axis_d(p[1], axis), c = rbl_axis_d(p[2], axis);
		double lower = rbl_mind(a, rbl_mind(b, c)), upper = rbl_maxd(a, rbl_maxd(b, c));
		double at = rbl_axis_d(point, axis);
		rbl_set_axis_d(&away, axis, rbl_maxd(0.0, rbl_maxd(lower - at, at - upper)));
	}
	return rbl_length_d(away);
}

// Trees ask for squares of distances in floats. The best is known here, as a double: what they
// compare is no nearer than that, so that nothing is left out.
static float distance_to_cluster(void *context, uint32_t leaf, rbl_vec3 point, float best)
{
	nearest_query *q = context;
	(void)point;
	const rbl_surface_cluster *cluster = &q->surface->cluster_data[leaf];
	bool is_better = false;
	for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE; ++lane) {
		int triangle = cluster->triangles[lane];
		if (triangle < 0)
			continue;
		rbl_vec3d points[4] = { q->point };
		rbl_closest closest;
		triangle_points(q->surface, triangle, points + 1);
		if (distance_to_box(q->point, points + 1) > q->distance * (1.0 + 1e-9))
			continue;
		rbl_ccd_closest(RBL_CCD_VERTEX_FACE, points, &closest);
		if (closest.distance < q->distance ||
		    (closest.distance == q->distance && (q->triangle < 0 || triangle < q->triangle)))
			q->distance = closest.distance, q->triangle = triangle, q->closest = closest,
			is_better = true;
	}
	return is_better ? rbl_minf(best, search_square(q)) : INFINITY;
}

static float distance_to_body(void *context, uint32_t leaf, rbl_vec3 point, float best)
{
	nearest_query *q = context;
	const rbl_surface_body *body = &q->surface->bodies.data[leaf];
	if (!(body->settings.filter.categories & q->mask))
		return INFINITY;
	float within = best;
	uint32_t found = rbl_tree_query_nearest(&body->tree, point, &within, distance_to_cluster, q);
	return found == RBL_TREE_NONE ? INFINITY : within;
}

rbl_result rbl_surface_find_nearest(const rbl_surface *surface, rbl_vec3 point, float max_distance,
                                    uint32_t mask, rbl_surface_nearest_point *nearest)
{
	if (nearest)
		*nearest = (rbl_surface_nearest_point){ .triangle = -1, .distance = max_distance };
	if (!surface || !nearest)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or nearest is NULL");
	if (!rbl_is_finite(point))
		return rbl_fail(RBL_BAD_ARGUMENT, "the point is not finite");
	if (!(max_distance >= 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "max_distance is %g, must be at least 0",
		                (double)max_distance);
	if (!surface->is_ready)
		return rbl_fail(RBL_BAD_ARGUMENT, "an update must come first");
	nearest_query q = { surface,
		                mask,
		                rbl_to_d(point),
		                largest_rounding(surface),
		                (double)max_distance,
		                -1,
		                { .distance = 0.0 } };
	float square = search_square(&q);
	rbl_tree_query_nearest(&surface->body_tree, point, &square, distance_to_body, &q);
	if (q.triangle < 0)
		return RBL_OK;
	nearest->body = rbl_surface_triangle_body(surface, q.triangle);
	nearest->triangle = q.triangle;
	nearest->distance = (float)q.distance;
	nearest->u = (float)q.closest.weights[2], nearest->v = (float)q.closest.weights[3];
	if (rbl_surface_is_loose(surface, q.triangle))
		nearest->u += nearest->v, nearest->v = 0.0f; // along an edge
	nearest->point = rbl_to_f(q.closest.points[1]);
	return RBL_OK;
}
