// SPDX-License-Identifier: MIT
//
// Contacts of cylinders and cones with anything convex.
//
// The axis. Nearest points of solids that are apart come from GJK, whose support function is exact.
// When they overlap, GJK serves as well: B is moved out along a direction until it is a little
// apart, and the line between the nearest points there is a better direction. The separation along
// it never falls, and stays where it is a local maximum: the least overlap near the first direction
// (compare the local search of Kim, Lin and Manocha, DEEP, 2002). The first direction is the one
// that the pair had last, or the best axis of the inscribed polyhedra. Solids that rest on each
// other overlap by a hair, where nearest points are all rounding errors; moved apart they are not.
//
// The points. Both show a facet along the axis: a face, a flat end, the line on the side of a solid
// of revolution, or an end or vertex. Where a face is across the axis the other's facet is clipped
// to it: a cylinder on its side touches with the two ends of a line, on its end with four points of
// the rim. Two lines side by side touch at the ends of what they share. Else there is one point.

#include "collide/collide.h"

#include "base/assert.h"

enum { MAX_AXIS_AGE = 31, MAX_REFINEMENTS = 12 };

// About a degree: a face closer to the axis than that is across it.
static const float aligned = 0.9998f;

static float scale_of(const rbl_polyhedron_pair *pair)
{
	float a = pair->a->min_width, b = pair->b->min_width;
	return a > 0.0f && b > 0.0f ? rbl_minf(a, b) : rbl_maxf(a, b);
}

// --- the axis ------------------------------------------------------------------------------------

static rbl_vec3d support_a(const rbl_polyhedron_pair *pair, rbl_vec3d n)
{
	return pair->a->revolution ? rbl_revolution_support(pair->a->revolution, n)
	                           : rbl_to_d(rbl_polyhedron_support_point(pair->a, rbl_to_f(n)));
}

static rbl_vec3d support_b(const rbl_polyhedron_pair *pair, rbl_vec3d n)
{
	rbl_mat3d rotation = { rbl_to_d(pair->b_to_a.rotation.x), rbl_to_d(pair->b_to_a.rotation.y),
		                   rbl_to_d(pair->b_to_a.rotation.z) };
	rbl_vec3d in_b = rbl_mat_vec_d(rbl_mat_transpose_d(rotation), rbl_neg_d(n));
	rbl_vec3d at = pair->b->revolution
	                   ? rbl_revolution_support(pair->b->revolution, in_b)
	                   : rbl_to_d(rbl_polyhedron_support_point(pair->b, rbl_to_f(in_b)));
	return rbl_add_d(rbl_mat_vec_d(rotation, at), rbl_to_d(pair->b_to_a.translation));
}

// An axis with the points that were nearest when B was moved along it.
typedef struct contact_axis {
	rbl_vec3d normal; // from A to B, in A's frame
	double separation;
	rbl_vec3 point_a, point_b;
} contact_axis;

static double separation_along(const rbl_polyhedron_pair *pair, rbl_vec3d n)
{
	return rbl_dot_d(n, rbl_sub_d(support_b(pair, n), support_a(pair, n)));
}

// The local maximum of the separation near a direction.
static contact_axis refine_axis(const rbl_polyhedron_pair *pair, rbl_vec3d n)
{
	const double gap = 0.02 * (double)scale_of(pair);
	contact_axis best = { .normal = rbl_normalize_d(n) };
	best.separation = separation_along(pair, best.normal);
	best.point_a = rbl_to_f(support_a(pair, best.normal));
	best.point_b = rbl_to_f(support_b(pair, best.normal));
	for (int i = 0; i < MAX_REFINEMENTS; ++i) {
		double lift = gap - best.separation;
		rbl_vec3d shift = rbl_scale_d(lift, best.normal);
		rbl_gjk_result apart = rbl_gjk_shifted_distance(pair, shift, FLT_MAX);
		if (!(apart.distance > 0.0f))
			break;
		rbl_vec3d line = rbl_sub_d(rbl_to_d(apart.point_b), rbl_to_d(apart.point_a));
		rbl_vec3d normal = rbl_normalize_d(rbl_to_d(apart.normal));
		double separation = separation_along(pair, normal);
		double turn = rbl_length_d(rbl_sub_d(normal, best.normal));
		if (separation < best.separation || rbl_dot_d(line, line) == 0.0)
			break;
		best.point_a = apart.point_a;
		best.point_b = rbl_to_f(rbl_sub_d(rbl_to_d(apart.point_b), shift));
		bool is_done = separation - best.separation < 1e-5 * gap || turn < 1e-5;
		best.normal = normal, best.separation = separation;
		if (is_done)
			break;
	}
	return best;
}

// The best axis of all: from the best faces and edges of the inscribed polyhedra.
static contact_axis search_axis(const rbl_polyhedron_pair *pair)
{
	rbl_sat_axes found;
	RBL_PICK(rbl_sat_search)(pair->a, pair->b, &pair->b_to_a, FLT_MAX, &found);
	rbl_vec3d starts[4];
	int count = 0;
	if (found.face_a_separation > -FLT_MAX)
		starts[count++] = rbl_to_d(rbl_polyhedron_normal(pair->a, found.face_a));
	if (found.face_b_separation > -FLT_MAX)
		starts[count++] = rbl_to_d(rbl_neg(
			rbl_mat_vec(pair->b_to_a.rotation, rbl_polyhedron_normal(pair->b, found.face_b))));
	if (found.edge_separation > -FLT_MAX)
		starts[count++] = rbl_to_d(found.edge_normal);
	RBL_ASSERT(count > 0); // a solid of revolution has faces
	contact_axis best = { .separation = -DBL_MAX };
	for (int i = 0; i < count; ++i) {
		contact_axis axis = refine_axis(pair, starts[i]);
		if (axis.separation > best.separation)
			best = axis;
	}
	return best;
}

// Of shapes that are well apart GJK knows the axis. @return false when they are not
static bool find_apart(const rbl_polyhedron_pair *pair, float max_distance, contact_axis *axis)
{
	rbl_gjk_result nearest = rbl_gjk_distance(pair, max_distance);
	axis->normal = rbl_to_d(nearest.normal), axis->separation = (double)nearest.distance;
	axis->point_a = nearest.point_a, axis->point_b = nearest.point_b;
	return nearest.is_beyond || nearest.distance > 0.02f * scale_of(pair);
}

rbl_gjk_result rbl_revolved_distance(const rbl_polyhedron_pair *pair, rbl_vec3 hint,
                                     float max_distance)
{
	contact_axis axis;
	bool is_apart = find_apart(pair, max_distance, &axis);
	if (!is_apart && axis.separation > 0.0)
		axis = refine_axis(pair, axis.normal);
	if (!is_apart && !(axis.separation > 0.0)) { // what separates is the only best axis
		contact_axis near = search_axis(pair);
		if (rbl_length_squared(hint) > 0.0f) {
			contact_axis other = refine_axis(pair, rbl_to_d(hint));
			near = other.separation > near.separation ? other : near;
		}
		axis = axis.separation < 0.0 && axis.separation > near.separation ? axis : near;
	}
	return (rbl_gjk_result){ .distance = (float)axis.separation,
		                     .point_a = axis.point_a,
		                     .point_b = axis.point_b,
		                     .normal = rbl_to_f(axis.normal) };
}

// --- the points ----------------------------------------------------------------------------------

static void transform_facet(const rbl_collide_frame *frame, rbl_facet *facet)
{
	for (int i = 0; i < facet->count; ++i)
		facet->points[i] = rbl_collide_frame_point(frame, facet->points[i]);
	facet->normal = rbl_mat_vec(frame->rotation, facet->normal);
}

static void get_facets(const rbl_polyhedron_pair *pair, rbl_vec3 normal, rbl_facet *a, rbl_facet *b)
{
	rbl_mat3 inverse = rbl_mat_transpose(pair->b_to_a.rotation);
	rbl_polyhedron_facet(pair->a, normal, a);
	rbl_polyhedron_facet(pair->b, rbl_mat_vec(inverse, rbl_neg(normal)), b);
	transform_facet(&pair->b_to_a, b);
}

// The facet of the incident shape above a polygon of the reference.
// @return the least height of the cores, FLT_MAX without points
static float facet_points(const rbl_polyhedron_pair *pair, const rbl_facet *reference,
                          const rbl_facet *incident, bool is_flipped, float margin, rbl_manifold *m)
{
	const rbl_polyhedron *below = is_flipped ? pair->b : pair->a;
	const rbl_polyhedron *above = is_flipped ? pair->a : pair->b;
	rbl_vec3 normal = reference->normal;
	rbl_collide_clip_point points[RBL_COLLIDE_CLIP_CAPACITY];
	for (int i = 0; i < incident->count; ++i)
		points[i] =
			(rbl_collide_clip_point){ .position = incident->points[i],
			                          .before =
			                              incident->lines[i > 0 ? i - 1 : incident->count - 1],
			                          .after = incident->lines[i] };
	int count =
		rbl_collide_clip_to_polygon(reference->points, reference->count, normal,
	                                1e-5f * below->bounding_radius, points, incident->count);
	float offset = rbl_dot(normal, reference->points[0]), least = FLT_MAX;
	int near_count = 0;
	for (int i = 0; i < count; ++i) {
		points[i].height = rbl_dot(normal, points[i].position) - offset;
		if (points[i].height - pair->radius > margin)
			continue;
		least = rbl_minf(least, points[i].height);
		points[near_count++] = points[i];
	}
	near_count = rbl_collide_reduce(points, near_count, normal);
	rbl_vec3 world = rbl_rotate(pair->pose_a.rotation, normal);
	m->normal = is_flipped ? rbl_neg(world) : world;
	m->point_count = 0;
	for (int i = 0; i < near_count; ++i) {
		float shift = 0.5f * (points[i].height - below->radius + above->radius);
		m->points[m->point_count++] = (rbl_manifold_point){
			rbl_transform_point(pair->pose_a, rbl_add_scaled(points[i].position, -shift, normal)),
			points[i].height - pair->radius,
			rbl_collide_face_id(is_flipped, reference->index, incident->index, &points[i])
		};
	}
	return least;
}

static bool is_across(const rbl_facet *facet)
{
	return facet->count >= 3 && facet->cosine > aligned;
}

// A polygon with exact corners is the better reference.
static bool clip_facets(const rbl_polyhedron_pair *pair, const contact_axis *axis,
                        const rbl_facet *a, const rbl_facet *b, float margin, rbl_manifold *m)
{
	bool uses_a = is_across(a) && !(pair->a->revolution && is_across(b) && !pair->b->revolution);
	if (!uses_a && !is_across(b))
		return false;
	float least = uses_a ? facet_points(pair, a, b, false, margin, m)
	                     : facet_points(pair, b, a, true, margin, m);
	return least <= (float)axis->separation + rbl_sat_tolerance(pair);
}

// Two lines side by side, of cylinders, cones and capsules.
static bool parallel_lines(const rbl_polyhedron_pair *pair, const contact_axis *axis,
                           const rbl_facet *a, const rbl_facet *b, float margin, rbl_manifold *m)
{
	if (a->count != 2 || b->count != 2 || a->cosine < aligned || b->cosine < aligned)
		return false;
	rbl_vec3 line = rbl_sub(a->points[1], a->points[0]);
	rbl_vec3 other = rbl_sub(b->points[1], b->points[0]);
	float length = rbl_length(line);
	if (fabsf(rbl_dot(line, other)) < aligned * length * rbl_length(other))
		return false;
	float ends[2], t[2];
	for (int i = 0; i < 2; ++i) {
		ends[i] = rbl_dot(rbl_sub(b->points[i], a->points[0]), line) / (length * length);
		t[i] = rbl_clampf(ends[i], 0.0f, 1.0f);
	}
	if (fabsf(t[1] - t[0]) * length < rbl_sat_tolerance(pair))
		return false;
	rbl_vec3 normal = rbl_to_f(axis->normal);
	m->normal = rbl_rotate(pair->pose_a.rotation, normal);
	m->point_count = 0;
	for (int i = 0; i < 2; ++i) {
		float s = (t[i] - ends[0]) / (ends[1] - ends[0]);
		rbl_vec3 on_a = rbl_add_scaled(a->points[0], t[i], line);
		rbl_vec3 on_b = rbl_add_scaled(b->points[0], s, other);
		float apart = rbl_dot(normal, rbl_sub(on_b, on_a));
		rbl_vec3 middle = rbl_add_scaled(rbl_scale(0.5f, rbl_add(on_a, on_b)),
		                                 0.5f * (pair->a->radius - pair->b->radius), normal);
		if (apart - pair->radius <= margin)
			m->points[m->point_count++] =
				(rbl_manifold_point){ rbl_transform_point(pair->pose_a, middle),
				                      apart - pair->radius, (uint32_t)(1 + i) };
	}
	return m->point_count > 0;
}

static void nearest_points(const rbl_polyhedron_pair *pair, const contact_axis *axis,
                           rbl_manifold *m)
{
	rbl_vec3 normal = rbl_to_f(axis->normal);
	rbl_vec3 a = rbl_add_scaled(axis->point_a, pair->a->radius, normal);
	rbl_vec3 b = rbl_add_scaled(axis->point_b, -pair->b->radius, normal);
	m->normal = rbl_rotate(pair->pose_a.rotation, normal);
	m->point_count = 1;
	m->points[0] =
		(rbl_manifold_point){ rbl_transform_point(pair->pose_a, rbl_scale(0.5f, rbl_add(a, b))),
		                      (float)axis->separation - pair->radius, 3 };
}

// --- one step ------------------------------------------------------------------------------------

// The axis near the one that the pair had. @return false when a search is needed
static bool refresh_axis(const rbl_polyhedron_pair *pair, const rbl_sat_cache *cache,
                         contact_axis *axis)
{
	if (cache->kind != RBL_SAT_CORES || cache->age >= MAX_AXIS_AGE ||
	    !(rbl_length_squared(cache->direction) > 0.5f))
		return false;
	*axis =
		refine_axis(pair, rbl_to_d(rbl_rotate_inverse(pair->pose_a.rotation, cache->direction)));
	return axis->separation > 0.0 || (float)axis->separation >= rbl_minf(cache->separation, 0.0f) -
	                                                                1.5f * rbl_sat_tolerance(pair);
}

bool rbl_collide_revolved(const rbl_polyhedron_pair *pair, float margin, rbl_sat_cache *cache,
                          rbl_manifold *m, rbl_collide_counts *counts)
{
	contact_axis axis;
	m->point_count = 0;
	if (refresh_axis(pair, cache, &axis)) {
		counts->refreshed++;
		cache->age++;
	} else {
		counts->searched++;
		cache->age = 0;
		rbl_vec3 hint = rbl_rotate_inverse(pair->pose_a.rotation, cache->direction);
		rbl_gjk_result found = rbl_revolved_distance(pair, hint, margin + pair->radius);
		axis = (contact_axis){ rbl_to_d(found.normal), (double)found.distance, found.point_a,
			                   found.point_b };
		cache->separation = (float)axis.separation;
	}
	bool is_apart = (float)axis.separation - pair->radius > margin;
	rbl_vec3 normal = rbl_to_f(axis.normal);
	cache->kind = (uint16_t)(is_apart ? RBL_SAT_APART : RBL_SAT_CORES);
	cache->a = cache->b = 0;
	cache->direction = rbl_rotate(pair->pose_a.rotation, normal);
	if (is_apart)
		return false;
	rbl_facet a, b;
	get_facets(pair, normal, &a, &b);
	if (!clip_facets(pair, &axis, &a, &b, margin, m) &&
	    !parallel_lines(pair, &axis, &a, &b, margin, m))
		nearest_points(pair, &axis, m);
	return m->point_count > 0;
}

void rbl_collide_revolved_on_face(const rbl_polyhedron_pair *pair, bool is_b, int face,
                                  float margin, rbl_manifold *m)
{
	rbl_vec3 normal =
		is_b ? rbl_neg(rbl_mat_vec(pair->b_to_a.rotation, rbl_polyhedron_normal(pair->b, face)))
			 : rbl_polyhedron_normal(pair->a, face);
	rbl_facet a, b;
	get_facets(pair, normal, &a, &b);
	if (is_b)
		facet_points(pair, &b, &a, true, margin, m);
	else
		facet_points(pair, &a, &b, false, margin, m);
}
