// SPDX-License-Identifier: MIT
//
// One part of a body that moved, swept against one other part. What for: continuous.c.
//
// A body that hardly rotates is swept straight, in its final rotation, which is cheaper. Others
// are swept from pose to pose, at constant speed and the shorter way round: the solver rotates
// nothing but round bodies by more than three radians in a step.
//
// A body touches what it slides along from the beginning, and a sweep that starts in contact says
// nothing about what comes later: a splinter that stands on its tip is toppled by the contact,
// and its centre goes through the floor. So a contact that the motion would deepen by less than a
// quarter of the inner radius is left to the solver, but then a ball within the part is swept
// instead, which cannot touch a floor that the part slides along. A sweep that starts inside has
// no normal; that of the manifold there tells whether the motion leads further in.

#include "world/part_sweep.h"

// Penetration that is left to contacts, as a share of the inner radius. More means fewer stops,
// but the contact starts so deep, and its spring lets a fast body penetrate by as much again.
static const float allowed_share = 0.25f;

// Whether the rest of the motion penetrates deeply, along the normal of the hit.
static bool is_deep(const rbl_part_sweep *sweep, const rbl_cast_hit *hit)
{
	float remaining = -(1.0f - hit->fraction) * rbl_dot(sweep->translation, hit->normal);
	if (!sweep->rotates)
		return remaining > allowed_share * sweep->inner_radius;
	// Where the touching point would end.
	rbl_transform at = rbl_collide_pose_at(sweep->from, sweep->to, hit->fraction);
	rbl_vec3 local = rbl_transform_point_inverse(at, hit->point);
	rbl_vec3 path = rbl_sub(rbl_transform_point(sweep->to, local), hit->point);
	return -rbl_dot(path, hit->normal) > allowed_share * sweep->inner_radius;
}

static rbl_cast_hit cast_sweep(const rbl_part_sweep *sweep, int target_part)
{
	const rbl_world *world = sweep->work->world;
	const rbl_collider *target = world->parts[target_part].collider;
	rbl_transform target_pose = rbl_world_part_pose(world, target_part);
	if (!sweep->child.polyhedron)
		return rbl_world_cast_field(world, sweep->part, sweep->from, sweep->to, target_part,
		                            allowed_share * sweep->inner_radius, sweep->worker);
	if (sweep->rotates)
		return rbl_polyhedron_cast_motion(&sweep->child, sweep->from, sweep->to, target,
		                                  target_pose);
	rbl_cast_hit hit = { .is_hit = false };
	rbl_collider_cast_collider(sweep->collider, sweep->pose, sweep->translation, target,
	                           target_pose, &hit);
	return hit;
}

// Sweep a ball at the centre of the part, straight.
// @param depth  how far it may penetrate
// @return the fraction of the motion that is allowed
static float sweep_ball(const rbl_part_sweep *sweep, const rbl_collider *target,
                        rbl_transform target_pose, float depth)
{
	rbl_vec3 centroid = rbl_box_centre(rbl_collider_bounds(sweep->collider, sweep->pose));
	rbl_small_polyhedron ball;
	rbl_polyhedron_from_sphere(&ball, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 0.5f * sweep->inner_radius);
	rbl_child_polyhedron part = { &ball.polyhedron, rbl_transform_identity() };
	rbl_transform from = { centroid, rbl_quat_identity() };
	rbl_transform to = { rbl_add(centroid, sweep->translation), rbl_quat_identity() };
	rbl_cast_hit hit = rbl_polyhedron_cast_motion(&part, from, to, target, target_pose);
	bool is_stopped =
		hit.is_hit && -(1.0f - hit.fraction) * rbl_dot(sweep->translation, hit.normal) > depth;
	return is_stopped ? hit.fraction : 1.0f;
}

// @return whether a sweep that starts inside leads further in
static bool penetrates_further(const rbl_part_sweep *sweep, const rbl_cast_hit *hit,
                               const rbl_polyhedron *target, rbl_transform target_pose)
{
	if (rbl_length_squared(hit->normal) > 0.0f)
		return false;
	rbl_sat_cache cache = { .kind = RBL_SAT_NONE };
	rbl_manifold manifold;
	rbl_transform start = rbl_transform_mul(sweep->from, sweep->child.pose);
	return rbl_collide_pair(sweep->child.polyhedron, start, target, target_pose, 0.0f, &cache,
	                        &manifold, NULL) &&
	       rbl_dot(sweep->translation, manifold.normal) > sweep->inner_radius;
}

// Whether a part that rotates far ends deep in another. It touches first with one point, and the
// path of that says little: others come round.
static bool ends_deep(const rbl_part_sweep *sweep, const rbl_polyhedron *target,
                      rbl_transform target_pose)
{
	if (sweep->arc <= sweep->inner_radius)
		return false;
	rbl_sat_cache cache = { .kind = RBL_SAT_NONE };
	rbl_manifold manifold = { .point_count = 0 };
	rbl_transform end = rbl_transform_mul(sweep->to, sweep->child.pose);
	return rbl_collide_pair(sweep->child.polyhedron, end, target, target_pose, 0.0f, &cache,
	                        &manifold, NULL) &&
	       rbl_manifold_min_separation(&manifold) < -0.5f * sweep->inner_radius;
}

// Whether a sweep hit what lies within a floor or wall of several static bodies.
static bool is_internal_hit(const rbl_part_sweep *sweep, int part, const rbl_cast_hit *hit)
{
	const rbl_pair_record pair = { .a = part, .b = sweep->part };
	const rbl_manifold manifold = { .normal = hit->normal,
		                            .points = { { .position = hit->point } },
		                            .point_count = 1 };
	return rbl_length_squared(hit->normal) > 0.5f &&
	       rbl_world_is_internal_contact(sweep->work->world, &pair, &manifold);
}

// Whether contacts put right what a motion does. It is shorter than the other is thick, so it
// cannot have passed through; and where it ends, the part is outside, or no deeper than its inner
// radius and pushed out the way it came.
static bool is_harmless(const rbl_part_sweep *sweep, const rbl_cast_hit *hit,
                        const rbl_polyhedron *target, rbl_transform target_pose)
{
	if (rbl_length(sweep->translation) + sweep->arc > target->min_width)
		return false;
	rbl_sat_cache cache = { .kind = RBL_SAT_NONE };
	rbl_manifold manifold = { .point_count = 0 };
	rbl_transform end = rbl_transform_mul(sweep->to, sweep->child.pose);
	if (!rbl_collide_pair(sweep->child.polyhedron, end, target, target_pose, 0.0f, &cache,
	                      &manifold, NULL))
		return true;
	return rbl_manifold_min_separation(&manifold) > -sweep->inner_radius &&
	       (rbl_length_squared(hit->normal) == 0.0f ||
	        -rbl_dot(manifold.normal, hit->normal) > 0.5f);
}

// The fraction of the motion that a part of another body allows.
float rbl_world_part_limit(const rbl_part_sweep *sweep, int part)
{
	const rbl_world *world = sweep->work->world;
	const rbl_collider *target = world->parts[part].collider;
	rbl_transform target_pose = rbl_world_part_pose(world, part);
	rbl_cast_hit hit = cast_sweep(sweep, part);
	if (hit.is_hit && !sweep->child.polyhedron)
		return hit.fraction; // what ends no deeper than is allowed is not hit
	const rbl_polyhedron *polyhedron = world->hot_parts[part].polyhedron;
	if (!hit.is_hit || (polyhedron && is_internal_hit(sweep, part, &hit)))
		return 1.0f;
	if (is_deep(sweep, &hit) ||
	    (polyhedron && (penetrates_further(sweep, &hit, polyhedron, target_pose) ||
	                    ends_deep(sweep, polyhedron, target_pose)))) {
		bool is_joined = world->bodies[sweep->body].first_joint != RBL_NONE;
		return is_joined && polyhedron && is_harmless(sweep, &hit, polyhedron, target_pose)
		           ? 1.0f
		           : hit.fraction;
	}
	return sweep_ball(sweep, target, target_pose,
	                  polyhedron ? 0.5f * sweep->inner_radius : sweep->inner_radius);
}

float rbl_world_rotation_arc(const rbl_world *world, int body, rbl_quat from, rbl_quat to)
{
	if (rbl_world_is_ball(world, body))
		return 0.0f;
	float bounding_radius = world->motions[body].bounding_radius;
	rbl_quat rotation = rbl_quat_mul(to, rbl_quat_conjugate(from));
	rbl_vec3 axis;
	float sine = rbl_minf(
		sqrtf(rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z), 1.0f);
	if (rbl_world_body_axis(world, body, &axis)) // only its axis moves
		sine = 0.5f * rbl_distance(rbl_rotate(from, axis), rbl_rotate(to, axis));
	// Of half the angle: arcsin x is at most x (1 + (pi / 2 - 1) x^2).
	return 2.0f * sine * (1.0f + 0.5707964f * sine * sine) * bounding_radius;
}

// The rotation that takes a body from one to the other without turning it about the axis that it is
// round about: where it is is the same, and the way there the shortest.
rbl_quat rbl_world_untwisted(const rbl_world *world, int body, rbl_quat from, rbl_quat to)
{
	rbl_vec3 axis;
	if (!rbl_world_body_axis(world, body, &axis))
		return to;
	rbl_vec3 a = rbl_rotate(from, axis), b = rbl_rotate(to, axis), cross = rbl_cross(a, b);
	float cosine = rbl_dot(a, b);
	rbl_quat swing = { cross.x, cross.y, cross.z, 1.0f + cosine };
	if (cosine < -0.9999f) {
		rbl_vec3 across = rbl_normalize(rbl_perpendicular(a));
		swing = (rbl_quat){ across.x, across.y, across.z, 0.0f };
	}
	return rbl_quat_normalize(rbl_quat_mul(rbl_quat_normalize(swing), from));
}

rbl_transform rbl_world_pose_between(const rbl_world *world, int body, const rbl_transform *from,
                                     const rbl_transform *to, float fraction)
{
	if (fraction >= 1.0f)
		return *to;
	if (fraction <= 0.0f)
		return *from; // to the bit
	rbl_transform end = { to->position,
		                  rbl_world_untwisted(world, body, from->rotation, to->rotation) };
	rbl_transform at = rbl_collide_pose_at(*from, end, fraction);
	rbl_vec3 axis;
	if (rbl_world_body_axis(world, body, &axis)) // with all of its own rotation
		at.rotation = rbl_quat_normalize(rbl_quat_mul(
			at.rotation, rbl_quat_mul(rbl_quat_conjugate(end.rotation), to->rotation)));
	float arc = rbl_world_rotation_arc(world, body, from->rotation, to->rotation);
	if (arc <= 0.25f * world->bodies[body].inner_radius)
		at.rotation = to->rotation;
	return at;
}

rbl_part_sweep rbl_world_make_sweep(const rbl_continuous_work *work, int body, int part,
                                    const rbl_transform *from, int worker)
{
	const rbl_world *world = work->world;
	const rbl_body_motion *m = &world->motions[body];
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	float inner_radius = hot->polyhedron ? 0.5f * hot->polyhedron->min_width
	                                     : world->bodies[body].inner_radius; // of a field body
	float arc = rbl_world_rotation_arc(world, body, from->rotation, m->rotation);
	rbl_transform pose = rbl_world_part_pose(world, part);
	pose.position = rbl_add(pose.position, rbl_sub(from->position, m->centre));
	return (rbl_part_sweep){
		.work = work,
		.body = body,
		.part = part,
		.collider = world->parts[part].collider,
		.child = { hot->polyhedron,
		           hot->is_placed ? world->parts[part].local : rbl_transform_identity() },
		.from = *from,
		.to = { m->centre, rbl_world_untwisted(world, body, from->rotation, m->rotation) },
		.pose = pose,
		.translation = rbl_sub(m->centre, from->position),
		.arc = arc,
		.rotates = arc > 0.25f * inner_radius,
		.inner_radius = inner_radius,
		.worker = worker
	};
}
