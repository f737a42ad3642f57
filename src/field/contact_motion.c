// SPDX-License-Identifier: MIT
//
// How points of one body move in the frame of another within a step, and which bodies and branches
// cannot meet.
//
// Most pairs of a crowd of fast pieces go past each other. A body is all in its box, and however
// fast it spins, in the ball around that. A point that stays away from one of them all along its
// path does not touch. Paths are arcs: straight ones stand for them, and boxes and balls are larger
// by what those are off.

#include "field/contact_motion.h"

#include "collide/collide.h"

#include "base/vec.h"

static float largest_coordinate(rbl_box box)
{
	rbl_vec3 most = rbl_max(rbl_neg(box.lower), box.upper);
	return rbl_maxf(rbl_maxf(most.x, most.y), most.z);
}

rbl_box rbl_field_side_box(const rbl_field_side *side)
{
	const float far = 1e18f;
	rbl_box all = { { -far, -far, -far }, { far, far, far } };
	if (!side->shape)
		return side->collider->kind == RBL_COLLIDER_PLANE ? all : side->collider->box;
	rbl_box box = side->shape->tree.count > 0 ? side->shape->tree.bounds : rbl_box_empty();
	return side->shape->field ? rbl_box_join(box, side->shape->field->info.bounds) : box;
}

static float half_diagonal(rbl_box box)
{
	return 0.5f * rbl_length(rbl_box_size(box));
}

// What a path by rotation is off the tangent: no more than half of the square of the angle.
static float off_tangent(rbl_vec3 angular_velocity, float dt, float radius)
{
	float angle = dt * rbl_length(angular_velocity);
	return 0.5f * angle * angle * radius;
}

// The same for a path of some length, seen from a body that rotates.
// @param radius  how far from the body's origin the path begins
static float off_in_frame(const rbl_field_side *body, float dt, float radius, float path)
{
	return off_tangent(body->angular_velocity, dt, radius + path) +
	       dt * rbl_length(body->angular_velocity) * path;
}

rbl_contact_motion rbl_contact_motion_between(const rbl_field_side *points, rbl_box bounds,
                                              const rbl_field_side *field,
                                              const rbl_field_contact_settings *settings)
{
	rbl_transform relative = rbl_transform_relative(field->pose, points->pose);
	rbl_vec3 arm = rbl_sub(field->pose.position, points->pose.position);
	rbl_vec3 velocity = rbl_add(rbl_sub(points->velocity, field->velocity),
	                            rbl_cross(points->angular_velocity, arm));
	rbl_vec3 angular = rbl_sub(points->angular_velocity, field->angular_velocity);
	float reach = 2.0f * largest_coordinate(bounds);
	float size = rbl_length(relative.position) + reach, rounding = 1e-6f * size;
	rbl_contact_motion motion = {
		.rotation = rbl_quat_to_mat(relative.rotation),
		.translation = relative.position,
		.velocity = rbl_rotate_inverse(field->pose.rotation, velocity),
		.angular_velocity = rbl_rotate_inverse(field->pose.rotation, angular),
		.dt = settings->dt,
		.tolerance = settings->tolerance,
		.margin = settings->margin,
		.rounding = rounding,
	};
	rbl_box box = rbl_field_side_box(field);
	rbl_vec3 spin = rbl_rotate_inverse(field->pose.rotation, field->angular_velocity);
	float dt = settings->dt, off = rounding + off_tangent(points->angular_velocity, dt, reach);
	float path = dt * (rbl_distance(points->velocity, field->velocity) +
	                   rbl_length(points->angular_velocity) * reach);
	motion.target = rbl_box_grow(box, off + off_in_frame(field, dt, size, path));
	motion.target_radius =
		half_diagonal(box) + off + off_tangent(spin, dt, rbl_length(rbl_box_centre(box)));
	motion.ball_velocity = rbl_sub(motion.velocity, rbl_cross(spin, rbl_box_centre(box)));
	motion.ball_angular_velocity = rbl_add(motion.angular_velocity, spin);
	return motion;
}

bool rbl_contact_goes_past(const rbl_field_side *ball, const rbl_field_side *box,
                           const rbl_field_contact_settings *settings)
{
	rbl_box own = rbl_field_side_box(ball), around = rbl_field_side_box(box);
	float dt = settings->dt, radius = half_diagonal(own);
	rbl_vec3 centre = rbl_transform_point(ball->pose, rbl_box_centre(own));
	rbl_vec3 arm = rbl_sub(centre, ball->pose.position), to = rbl_sub(centre, box->pose.position);
	rbl_vec3 straight =
		rbl_sub(rbl_add(ball->velocity, rbl_cross(ball->angular_velocity, arm)), box->velocity);
	rbl_vec3 velocity = rbl_sub(straight, rbl_cross(box->angular_velocity, to));
	rbl_vec3 from = rbl_rotate_inverse(box->pose.rotation, to);
	rbl_vec3 end = rbl_add_scaled(from, dt, rbl_rotate_inverse(box->pose.rotation, velocity));
	float off = off_tangent(ball->angular_velocity, dt, rbl_length(arm)) +
	            off_in_frame(box, dt, rbl_length(to), dt * rbl_length(straight)) +
	            1e-6f * (rbl_length(to) + largest_coordinate(around));
	rbl_box path = { rbl_min(from, end), rbl_max(from, end) };
	return !rbl_box_overlaps(rbl_box_grow(path, radius + settings->tolerance + off), around);
}
