// SPDX-License-Identifier: MIT
//
// Ray casts and shape casts: the time of impact of rays and of shapes that move and rotate, for
// continuous collision (no tunnelling).
//
// A ray against a polyhedron is clipped by its planes, in double precision. Against a triangle its
// sides are decided by exact predicates, so a ray through a shared side or vertex hits at least one
// of the triangles.
//
// A moving shape is cast by conservative advancement: the distance of two convexes cannot shrink
// faster than the translation along the line between the nearest points, plus the longest arc of
// the rotation, so the time at which that distance is used up is never after the first touch. There
// the distance is measured again, until it is within a small tolerance.

#include "base/log.h"
#include "base/math.h"
#include "collide/collider.h"
#include "collide/pair.h"
#include "collide/revolution.h"
#include "geometry/geometry.h"

// --- rays ---------------------------------------------------------------------------------------

// Where a ray enters, as a fraction of its length; the normal points out of what it enters.
typedef struct ray_entry {
	double fraction;
	rbl_vec3d normal;
	bool is_hit;
} ray_entry;

static const ray_entry missed = { 2.0, { 0.0, 0.0, 0.0 }, false };

// The core alone, when it has volume.
static ray_entry ray_polyhedron(const rbl_polyhedron *p, rbl_vec3d from, rbl_vec3d d)
{
	double enter = 0.0, leave = 1.0;
	rbl_vec3d normal = { 0.0, 0.0, 0.0 };
	for (int f = 0; f < p->face_count; ++f) {
		rbl_vec3d n = rbl_to_d(rbl_polyhedron_normal(p, f));
		double height = rbl_dot_d(n, from) - (double)rbl_polyhedron_offset(p, f);
		double speed = rbl_dot_d(n, d);
		if (speed == 0.0 && height > 0.0)
			return missed;
		if (speed < 0.0 && -height < enter * speed) // height / -speed > enter
			enter = height / -speed, normal = n;
		else if (speed > 0.0 && -height < leave * speed)
			leave = -height / speed;
	}
	return enter <= leave ? (ray_entry){ enter, normal, true } : missed;
}

static ray_entry ray_sphere(rbl_vec3d centre, double radius, rbl_vec3d from, rbl_vec3d d)
{
	rbl_vec3d to = rbl_sub_d(from, centre);
	double a = rbl_dot_d(d, d), b = rbl_dot_d(to, d), c = rbl_dot_d(to, to) - radius * radius;
	if (c <= 0.0)
		return (ray_entry){ 0.0, { 0.0, 0.0, 0.0 }, true };
	double root = b * b - a * c;
	if (root < 0.0 || b >= 0.0)
		return missed;
	double t = c / (-b + sqrt(root));
	rbl_vec3d normal = rbl_normalize_d(rbl_add_scaled_d(to, t, d));
	return t <= 1.0 ? (ray_entry){ t, normal, true } : missed;
}

static ray_entry nearer(ray_entry a, ray_entry b)
{
	return b.is_hit && (!a.is_hit || b.fraction < a.fraction) ? b : a;
}

static ray_entry ray_capsule(rbl_vec3d p, rbl_vec3d q, double radius, rbl_vec3d from, rbl_vec3d d)
{
	ray_entry best = nearer(ray_sphere(p, radius, from, d), ray_sphere(q, radius, from, d));
	rbl_vec3d axis = rbl_sub_d(q, p), to = rbl_sub_d(from, p);
	double aa = rbl_dot_d(axis, axis), ta = rbl_dot_d(to, axis), wa = rbl_dot_d(d, axis);
	rbl_vec3d u = rbl_add_scaled_d(to, -ta / aa, axis), v = rbl_add_scaled_d(d, -wa / aa, axis);
	double a = rbl_dot_d(v, v), b = rbl_dot_d(u, v), c = rbl_dot_d(u, u) - radius * radius;
	if (c <= 0.0 && ta >= 0.0 && ta <= aa)
		return (ray_entry){ 0.0, { 0.0, 0.0, 0.0 }, true };
	double root = b * b - a * c;
	if (c > 0.0 && root >= 0.0 && b < 0.0) {
		double t = c / (-b + sqrt(root)), along = ta + t * wa;
		if (t <= 1.0 && along >= 0.0 && along <= aa) {
			rbl_vec3d normal = rbl_normalize_d(rbl_add_scaled_d(u, t, v));
			best = nearer(best, (ray_entry){ t, normal, true });
		}
	}
	return best;
}

// A solid of revolution, or one with round edges, by Newton's method on its distance. The plane
// through the nearest point bounds the shape, and the ray is in front until it crosses that plane:
// the steps end on the surface, and never behind it.
static ray_entry ray_round(const rbl_polyhedron *p, rbl_vec3d from, rbl_vec3d d)
{
	enum { MAX_STEPS = 64 };
	rbl_small_polyhedron point;
	rbl_polyhedron_from_sphere(&point, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 0.0f);
	double size = (double)p->bounding_radius, fraction = 0.0;
	rbl_vec3d normal = { 0.0, 0.0, 0.0 };
	// In the middle of the way past the shape digits are plentiful.
	double square = rbl_dot_d(d, d);
	rbl_vec3d middle = { 0.0, 0.0, 0.0 };
	if (square > 0.0)
		middle = rbl_add_scaled_d(from, rbl_clampd(-rbl_dot_d(from, d) / square, 0.0, 1.0), d);
	rbl_transform pose = { rbl_to_f(middle), rbl_quat_identity() };
	rbl_polyhedron_pair pair =
		rbl_polyhedron_pair_make(p, rbl_transform_identity(), &point.polyhedron, pose);
	for (int step = 0; step < MAX_STEPS; ++step) {
		rbl_vec3d at = rbl_add_scaled_d(from, fraction, d);
		rbl_vec3d shift = rbl_sub_d(at, rbl_to_d(pair.b_to_a.translation));
		rbl_gjk_result core = rbl_gjk_shifted_distance(&pair, shift, FLT_MAX);
		double apart = (double)core.distance - (double)p->radius;
		if (core.distance == 0.0f || apart <= 2e-7 * size) {
			if (p->revolution && step > 0)
				rbl_revolution_distance(p->revolution, at, &normal);
			return (ray_entry){ fraction, normal, true };
		}
		normal = rbl_to_d(core.normal);
		double closing = -rbl_dot_d(normal, d);
		if (!(closing > 0.0))
			return missed;
		fraction += apart / closing;
		if (!(fraction <= 1.0))
			return missed;
	}
	return missed; // it grazes
}

static ray_entry ray_triangle(const rbl_vec3 corners[3], rbl_vec3d from, rbl_vec3d d)
{
	rbl_vec3d p[3] = { rbl_to_d(corners[0]), rbl_to_d(corners[1]), rbl_to_d(corners[2]) };
	rbl_vec3d to = rbl_add_d(from, d);
	int start = rbl_orient3d(p[0], p[1], p[2], from), end = rbl_orient3d(p[0], p[1], p[2], to);
	if (start == end) // on one side, or in the plane, where a neighbour is hit
		return missed;
	bool has_left = false, has_right = false;
	for (int i = 0; i < 3; ++i) {
		int side = rbl_orient3d(from, to, p[i], p[(i + 1) % 3]);
		has_left |= side > 0, has_right |= side < 0;
	}
	if (has_left && has_right)
		return missed;
	rbl_vec3d n = rbl_normalize_d(rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0])));
	double above = rbl_dot_d(n, rbl_sub_d(from, p[0])), below = rbl_dot_d(n, rbl_sub_d(to, p[0]));
	double fraction = above != below ? rbl_clampd(above / (above - below), 0.0, 1.0) : 0.0;
	return (ray_entry){ fraction, rbl_dot_d(n, d) <= 0.0 ? n : rbl_neg_d(n), true };
}

// All behind a plane is solid.
static ray_entry ray_plane(const rbl_plane *plane, rbl_vec3d from, rbl_vec3d d)
{
	rbl_vec3d n = rbl_to_d(plane->normal);
	double height = rbl_dot_d(n, from) - (double)plane->offset, speed = -rbl_dot_d(n, d);
	if (height <= 0.0)
		return (ray_entry){ 0.0, { 0.0, 0.0, 0.0 }, true };
	return height <= speed ? (ray_entry){ height / speed, n, true } : missed;
}

typedef struct ray_query {
	const rbl_collider *collider;
	rbl_vec3d from, translation; // in the collider's frame
	ray_entry best;
	int child;
} ray_query;

static bool ray_child(void *context, int child)
{
	ray_query *q = context;
	ray_entry entry;
	if (q->collider->kind == RBL_COLLIDER_PLANE) {
		entry = ray_plane(&q->collider->parts->plane, q->from, q->translation);
	} else if (rbl_collider_is_surface(q->collider)) {
		rbl_vec3 corners[3];
		rbl_collider_triangle(q->collider, child, corners);
		entry = ray_triangle(corners, q->from, q->translation);
	} else {
		rbl_child_polyhedron part;
		rbl_small_polyhedron scratch;
		rbl_collider_child_at(q->collider, child, &scratch, &part);
		rbl_quat r = part.pose.rotation;
		rbl_transformd pose = { rbl_to_d(part.pose.position), { r.x, r.y, r.z, r.w } };
		pose.rotation = rbl_quat_normalize_d(pose.rotation);
		rbl_vec3d from = rbl_transform_point_inverse_d(pose, q->from);
		rbl_vec3d translation = rbl_rotate_inverse_d(pose.rotation, q->translation);
		rbl_vec3d a = rbl_to_d(rbl_polyhedron_vertex(part.polyhedron, 0));
		rbl_vec3d b = rbl_to_d(rbl_polyhedron_vertex(part.polyhedron, 1));
		bool is_round = part.polyhedron->radius > 0.0f || part.polyhedron->revolution;
		entry = part.polyhedron->face_count > 0
		            ? (is_round ? ray_round : ray_polyhedron)(part.polyhedron, from, translation)
		        : part.polyhedron->vertex_count == 1
		            ? ray_sphere(a, (double)part.polyhedron->radius, from, translation)
		            : ray_capsule(a, b, (double)part.polyhedron->radius, from, translation);
		entry.normal = rbl_rotate_d(pose.rotation, entry.normal);
	}
	if (entry.is_hit && (!q->best.is_hit || entry.fraction < q->best.fraction ||
	                     (entry.fraction == q->best.fraction && child < q->child)))
		q->best = entry, q->child = child;
	return true;
}

static float ray_leaf(void *context, uint32_t leaf, float end)
{
	ray_query *q = context;
	rbl_collider_leaf(q->collider, leaf, ray_child, q);
	// Slightly beyond the hit: of equal hits the child decides, not the tree.
	return q->best.is_hit ? rbl_minf(end, (float)q->best.fraction * (1.0f + 1e-6f) + 1e-9f) : end;
}

static const rbl_cast_hit no_hit = { .fraction = 1.0f };

rbl_result rbl_collider_cast_ray(const rbl_collider *collider, rbl_transform pose, rbl_vec3 from,
                                 rbl_vec3 translation, rbl_cast_hit *hit)
{
	if (!collider || !hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "collider or hit is NULL");
	*hit = no_hit;
	if (!rbl_pose_is_valid(pose) || !rbl_is_finite(from) || !rbl_is_finite(translation))
		return rbl_fail(RBL_BAD_ARGUMENT, "the pose or the ray is not finite");
	rbl_vec3 local_from = rbl_transform_point_inverse(pose, from);
	rbl_vec3 local_translation = rbl_rotate_inverse(pose.rotation, translation);
	ray_query q = { collider, rbl_to_d(local_from), rbl_to_d(local_translation), missed, 0 };
	if (collider->polyhedron || collider->kind == RBL_COLLIDER_PLANE)
		ray_child(&q, 0);
	else
		rbl_tree_query_ray(&collider->parts->tree, local_from, local_translation, 1.0f, ray_leaf,
		                   &q);
	if (!q.best.is_hit)
		return RBL_OK;
	*hit = (rbl_cast_hit){ .fraction = (float)q.best.fraction,
		                   .point = rbl_add_scaled(from, (float)q.best.fraction, translation),
		                   .normal = rbl_rotate(pose.rotation, rbl_to_f(q.best.normal)),
		                   .child = q.child,
		                   .is_hit = true };
	return RBL_OK;
}

// --- moving shapes ------------------------------------------------------------------------------

// From a pose by a translation, rotating evenly about the origin of the pose.
typedef struct motion {
	rbl_transform start;
	rbl_vec3 translation, axis;
	float angle; // >= 0
} motion;

typedef struct cast_query {
	const rbl_collider *target;
	rbl_transform target_pose;
	motion motion;
	rbl_child_polyhedron part;  // of the moving collider
	rbl_box box;                // holds the part while it rotates, at the start
	rbl_vec3 local_translation; // both in the target's frame
	float arc;                  // rotation moves no point of the part farther
	rbl_cast_hit best;
} cast_query;

static rbl_transform pose_at(const motion *m, float fraction)
{
	rbl_transform pose = m->start;
	pose.position = rbl_add_scaled(pose.position, fraction, m->translation);
	if (m->angle > 0.0f) {
		rbl_quat rotation = rbl_quat_from_axis_angle(m->axis, fraction * m->angle);
		pose.rotation = rbl_quat_normalize(rbl_quat_mul(rotation, pose.rotation));
	}
	return pose;
}

// The velocity of a point of the moving collider along a normal, with the whole motion as unit of
// time.
static float closing_speed(const motion *m, rbl_transform pose, rbl_vec3 point, rbl_vec3 normal)
{
	rbl_vec3 arm = rbl_sub(point, pose.position);
	rbl_vec3 by_rotation = rbl_scale(m->angle, rbl_cross(m->axis, arm));
	return rbl_dot(normal, rbl_add(m->translation, by_rotation));
}

// A rotating shape that grazes advances in small steps: the bound on its speed is far too high.
// Straight motion takes a dozen.
enum { MAX_STEPS = 512 };

// One convex against another, up to `latest`.
static rbl_cast_hit cast_pair(const cast_query *q, const rbl_polyhedron *b,
                              rbl_transform target_pose, float latest)
{
	const rbl_polyhedron *a = q->part.polyhedron;
	float size = a->min_width > 0.0f && b->min_width > 0.0f ? rbl_minf(a->min_width, b->min_width)
	                                                        : rbl_maxf(a->min_width, b->min_width);
	rbl_transform pose = rbl_transform_mul(q->motion.start, q->part.pose);
	float far = rbl_length(rbl_sub(pose.position, target_pose.position)) + a->bounding_radius +
	            b->bounding_radius;
	float tolerance = rbl_maxf(5e-5f * size, 2e-6f * far);
	float fraction = 0.0f;
	rbl_vec3 out = { 0.0f, 0.0f, 0.0f }; // the normal of the target
	for (int step = 0; step < MAX_STEPS; ++step) {
		rbl_transform whole = pose_at(&q->motion, fraction);
		pose = rbl_transform_mul(whole, q->part.pose);
		rbl_polyhedron_pair pair = rbl_polyhedron_pair_make(a, pose, b, target_pose);
		rbl_gjk_result core = rbl_gjk_distance(&pair, FLT_MAX);
		float apart = core.distance - pair.radius;
		rbl_vec3 normal = rbl_rotate(pose.rotation, core.normal); // from moving to target
		rbl_vec3 point =
			rbl_transform_point(pose, rbl_add_scaled(core.point_a, a->radius, core.normal));
		// In touch from the start: there is no first touch with a normal. Cores that overlap, by
		// rounding errors, have none either: there the last one counts.
		if (core.distance > 0.0f && (apart > 0.0f || step > 0))
			out = rbl_neg(normal);
		if (apart <= 0.0f ||
		    (apart <= 2.0f * tolerance && closing_speed(&q->motion, whole, point, normal) > 0.0f))
			return (rbl_cast_hit){ fraction, point, out, .is_hit = true };
		float closing = rbl_dot(q->motion.translation, normal) + q->arc; // at most
		if (!(closing > 0.0f))
			return no_hit;
		float next = fraction + rbl_maxf(apart - tolerance, 0.5f * tolerance) / closing;
		if (!(next <= latest))
			return no_hit;
		fraction = next;
	}
	// Nearly parallel, or grazing for long: an earlier time, never a later one.
	return (rbl_cast_hit){ fraction, pose.position, out, .is_hit = true };
}

static bool cast_child(void *context, int child)
{
	cast_query *q = context;
	rbl_small_polyhedron scratch;
	rbl_child_polyhedron target;
	if (q->target->kind == RBL_COLLIDER_PLANE) {
		rbl_box end = { rbl_add(q->box.lower, q->local_translation),
			            rbl_add(q->box.upper, q->local_translation) };
		rbl_collider_plane_near(q->target, rbl_box_join(q->box, end), &scratch, &target);
	} else if (!rbl_collider_child_at(q->target, child, &scratch, &target)) {
		return true;
	}
	// A tile of a height field has many triangles.
	if (q->target->kind == RBL_COLLIDER_HEIGHT_FIELD &&
	    rbl_tree_touch_time(q->box, q->local_translation,
	                        rbl_polyhedron_bounds(target.polyhedron, target.pose)) >
	        q->best.fraction)
		return true;
	rbl_cast_hit hit = cast_pair(q, target.polyhedron,
	                             rbl_transform_mul(q->target_pose, target.pose), q->best.fraction);
	if (hit.is_hit && (!q->best.is_hit || hit.fraction < q->best.fraction ||
	                   (hit.fraction == q->best.fraction && child < q->best.child))) {
		q->best = hit;
		q->best.child = child;
	}
	return true;
}

static float cast_leaf(void *context, uint32_t leaf, float end)
{
	cast_query *q = context;
	rbl_collider_leaf(q->target, leaf, cast_child, q);
	return rbl_minf(end, q->best.fraction);
}

// A part of the moving collider against the target. While it rotates, no point moves by more than
// the arc, nor leaves the ball around the origin.
static void cast_part(cast_query *q)
{
	rbl_transform to_target = rbl_transform_relative(q->target_pose, q->motion.start);
	q->local_translation = rbl_rotate_inverse(q->target_pose.rotation, q->motion.translation);
	q->box = rbl_polyhedron_bounds(q->part.polyhedron, rbl_transform_mul(to_target, q->part.pose));
	q->arc = 0.0f;
	if (q->motion.angle > 0.0f) {
		float radius = rbl_length(q->part.pose.position) + q->part.polyhedron->bounding_radius;
		q->arc = q->motion.angle * radius;
		rbl_box origin = { to_target.position, to_target.position };
		rbl_box ball = rbl_box_grow(origin, radius), arc = rbl_box_grow(q->box, q->arc);
		q->box.lower = rbl_max(ball.lower, arc.lower),
		q->box.upper = rbl_min(ball.upper, arc.upper);
	}
	float extent = rbl_length(rbl_box_size(q->box)) + rbl_length(q->motion.translation);
	q->box = rbl_box_grow(q->box, 1e-4f * extent);
	if (q->target->polyhedron || q->target->kind == RBL_COLLIDER_PLANE)
		cast_child(q, 0);
	else
		rbl_tree_query_cast(&q->target->parts->tree, q->box, q->local_translation, q->best.fraction,
		                    cast_leaf, q);
}

static rbl_result cast(const rbl_collider *moving, motion path, const rbl_collider *target,
                       rbl_transform target_pose, rbl_cast_hit *hit)
{
	if (rbl_collider_is_surface(moving))
		return rbl_fail(RBL_UNSUPPORTED, "a mesh, height field or plane cannot be cast");
	cast_query q = { target, target_pose, path, .best = no_hit };
	for (int i = 0; i < moving->child_count; ++i) {
		rbl_small_polyhedron scratch;
		rbl_collider_child_at(moving, i, &scratch, &q.part);
		cast_part(&q);
	}
	*hit = q.best;
	return RBL_OK;
}

rbl_result rbl_collider_cast_collider(const rbl_collider *moving, rbl_transform pose,
                                      rbl_vec3 translation, const rbl_collider *target,
                                      rbl_transform target_pose, rbl_cast_hit *hit)
{
	if (!moving || !target || !hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "a collider or hit is NULL");
	*hit = no_hit;
	if (!rbl_pose_is_valid(pose) || !rbl_pose_is_valid(target_pose) || !rbl_is_finite(translation))
		return rbl_fail(RBL_BAD_ARGUMENT, "a pose or the translation is not finite");
	return cast(moving, (motion){ .start = pose, .translation = translation }, target, target_pose,
	            hit);
}

static motion motion_between(rbl_transform from, rbl_transform to)
{
	motion m = { .start = from, .translation = rbl_sub(to.position, from.position) };
	rbl_quat rotation = rbl_quat_mul(to.rotation, rbl_quat_conjugate(from.rotation));
	rbl_vec3 v = { rotation.x, rotation.y, rotation.z };
	float sine = rbl_length(v);
	if (sine > 0.0f) {
		m.axis = rbl_scale((rotation.w < 0.0f ? -1.0f : 1.0f) / sine, v);
		m.angle = 2.0f * rbl_atan2f(sine, fabsf(rotation.w));
	}
	return m;
}

rbl_result rbl_collider_cast_motion(const rbl_collider *moving, rbl_transform from,
                                    rbl_transform to, const rbl_collider *target,
                                    rbl_transform target_pose, rbl_cast_hit *hit)
{
	if (!moving || !target || !hit)
		return rbl_fail(RBL_BAD_ARGUMENT, "a collider or hit is NULL");
	*hit = no_hit;
	if (!rbl_pose_is_valid(from) || !rbl_pose_is_valid(to) || !rbl_pose_is_valid(target_pose))
		return rbl_fail(RBL_BAD_ARGUMENT, "a pose is not valid");
	return cast(moving, motion_between(from, to), target, target_pose, hit);
}

rbl_transform rbl_collide_pose_at(rbl_transform from, rbl_transform to, float fraction)
{
	motion m = motion_between(from, to);
	return pose_at(&m, fraction);
}

rbl_cast_hit rbl_polyhedron_cast_motion(const rbl_child_polyhedron *part, rbl_transform from,
                                        rbl_transform to, const rbl_collider *target,
                                        rbl_transform target_pose)
{
	cast_query q = { target, target_pose, motion_between(from, to), *part, .best = no_hit };
	cast_part(&q);
	return q.best;
}
