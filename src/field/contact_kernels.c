// SPDX-License-Identifier: MIT
//
// Placing points, classifying their distances, choosing among contacts. See contact_query.c.

#include "field/field_kernels.h"

#include "base/simd.h"
#include "base/vec.h"

void RBL_KERNEL(rbl_contact_place)(const rbl_contact_motion *motion, const rbl_vec3 *positions,
                                   const int32_t *ranks, int count, rbl_vec3 *placed)
{
	int32_t padded[RBL_CONTACT_BATCH];
	for (int i = 0; i < ((count + 7) & ~7); ++i)
		padded[i] = ranks[rbl_mini(i, count - 1)];
	const rbl_f8x3 x = rbl_f8x3_splat(motion->rotation.x), y = rbl_f8x3_splat(motion->rotation.y);
	const rbl_f8x3 z = rbl_f8x3_splat(motion->rotation.z);
	const rbl_f8x3 t = rbl_f8x3_splat(motion->translation);
	for (int i = 0; i < count; i += 8) {
		rbl_f8x3 p = rbl_f8x3_gather(positions, padded + i);
		rbl_f8x3 turned =
			rbl_f8x3_add_scaled(rbl_f8x3_add_scaled(rbl_f8x3_scale(p.x, x), p.y, y), p.z, z);
		rbl_f8x3_store(placed + i, rbl_f8x3_add(turned, t));
	}
}

// How far a path is from a box along the axis that keeps them apart, negative when none does.
static inline rbl_f8 axis_gap(rbl_f8 from, rbl_f8 to, float lower, float upper)
{
	rbl_f8 below = rbl_f8_sub(rbl_f8_splat(lower), rbl_f8_max(from, to));
	return rbl_f8_max(below, rbl_f8_sub(rbl_f8_min(from, to), rbl_f8_splat(upper)));
}

// How far descendants must reach from points that go past the body of the field, to meet its box.
static inline rbl_f8 need_of_box(const rbl_contact_motion *motion, rbl_f8x3 p, rbl_f8x3 path)
{
	const rbl_box *box = &motion->target;
	rbl_f8x3 end = rbl_f8x3_add(p, path);
	rbl_f8 x = axis_gap(p.x, end.x, box->lower.x, box->upper.x);
	rbl_f8 y = axis_gap(p.y, end.y, box->lower.y, box->upper.y);
	rbl_f8 z = axis_gap(p.z, end.z, box->lower.z, box->upper.z);
	return rbl_f8_sub(rbl_f8_max(x, rbl_f8_max(y, z)), rbl_f8_splat(motion->tolerance));
}

// To meet its ball.
static inline rbl_f8 need_of_ball(const rbl_contact_motion *motion, rbl_f8x3 p)
{
	rbl_f8 zero = rbl_f8_zero(), one = rbl_f8_splat(1.0f);
	rbl_f8x3 from = rbl_f8x3_sub(p, rbl_f8x3_splat(rbl_box_centre(motion->target)));
	rbl_f8x3 velocity =
		rbl_f8x3_add(rbl_f8x3_splat(motion->ball_velocity),
	                 rbl_f8x3_cross(rbl_f8x3_splat(motion->ball_angular_velocity), p));
	rbl_f8x3 path = rbl_f8x3_scale(rbl_f8_splat(motion->dt), velocity);
	rbl_f8 square = rbl_f8_max(rbl_f8x3_dot(path, path), rbl_f8_splat(1e-20f));
	rbl_f8 t = rbl_f8_div(rbl_f8_sub(zero, rbl_f8x3_dot(from, path)), square);
	rbl_f8x3 nearest = rbl_f8x3_add_scaled(from, rbl_f8_min(rbl_f8_max(t, zero), one), path);
	float reach = motion->target_radius + motion->tolerance;
	return rbl_f8_sub(rbl_f8_sqrt(rbl_f8x3_dot(nearest, nearest)), rbl_f8_splat(reach));
}

void RBL_KERNEL(rbl_contact_classify)(const rbl_contact_motion *motion, const rbl_vec3 *placed,
                                      int count, const float *distances, const float *bounds,
                                      const rbl_vec3 *gradients, float *gaps, float *needs)
{
	const rbl_f8x3 v = rbl_f8x3_splat(motion->velocity);
	const rbl_f8x3 w = rbl_f8x3_splat(motion->angular_velocity);
	const rbl_f8 dt = rbl_f8_splat(motion->dt), zero = rbl_f8_zero();
	const rbl_f8 tolerance = rbl_f8_splat(motion->tolerance);
	const rbl_f8 most = rbl_f8_splat(motion->tolerance + motion->margin);
	const rbl_f8 rounding = rbl_f8_splat(motion->rounding);
	// A descendant at a distance s moves faster than its ancestor by |w| s at most.
	const rbl_f8 shrink =
		rbl_f8_splat(1.0f / (1.0f + motion->dt * rbl_length(motion->angular_velocity)));
	const rbl_f8 ball_shrink =
		rbl_f8_splat(1.0f / (1.0f + motion->dt * rbl_length(motion->ball_angular_velocity)));
	for (int i = 0; i < count; i += 8) {
		rbl_f8x3 p = rbl_f8x3_load(placed + i), gradient = rbl_f8x3_load(gradients + i);
		rbl_f8x3 velocity = rbl_f8x3_add(v, rbl_f8x3_cross(w, p));
		rbl_f8 distance = rbl_f8_load(distances + i);
		rbl_f8 rate = rbl_f8_min(rbl_f8x3_dot(velocity, gradient), zero);
		rbl_f8 gap = rbl_f8_add(distance, rbl_f8_mul(dt, rate));
		rbl_i8 is_contact = rbl_i8_and(rbl_f8_lt(gap, tolerance), rbl_f8_lt(distance, most));
		rbl_f8_store(gaps + i, rbl_f8_select(is_contact, gap, rbl_f8_splat(FLT_MAX)));

		rbl_f8 speed = rbl_f8_sqrt(rbl_f8x3_dot(velocity, velocity));
		rbl_f8 least = rbl_f8_sub(rbl_f8_sub(distance, rbl_f8_load(bounds + i)), rounding);
		rbl_f8 need =
			rbl_f8_mul(rbl_f8_sub(rbl_f8_sub(least, tolerance), rbl_f8_mul(dt, speed)), shrink);
		rbl_f8 box = rbl_f8_mul(need_of_box(motion, p, rbl_f8x3_scale(dt, velocity)), shrink);
		rbl_f8 ball = rbl_f8_mul(need_of_ball(motion, p), ball_shrink);
		// Where it is negative, everything below matters, and shrinking it changes nothing.
		need = rbl_f8_max(need, rbl_f8_max(box, ball));
		rbl_f8_store(needs + i, rbl_f8_max(need, rbl_f8_sub(least, most)));
	}
}

int RBL_KERNEL(rbl_contact_choose)(float *rows, int stride, int chosen)
{
	const float *xs = rows, *ys = rows + stride, *zs = ys + stride, *weights = zs + stride;
	float *squares = rows + 4 * (size_t)stride;
	const rbl_f8 x = rbl_f8_splat(xs[chosen]), y = rbl_f8_splat(ys[chosen]);
	const rbl_f8 z = rbl_f8_splat(zs[chosen]);
	rbl_f8 best = rbl_f8_zero();
	rbl_i8 places = rbl_i8_splat(-1), place = rbl_i8_iota();
	for (int i = 0; i < stride; i += 8) {
		rbl_f8 dx = rbl_f8_sub(rbl_f8_load(xs + i), x), dy = rbl_f8_sub(rbl_f8_load(ys + i), y);
		rbl_f8 dz = rbl_f8_sub(rbl_f8_load(zs + i), z);
		rbl_f8 square =
			rbl_f8_add(rbl_f8_add(rbl_f8_mul(dx, dx), rbl_f8_mul(dy, dy)), rbl_f8_mul(dz, dz));
		square = rbl_f8_min(square, rbl_f8_load(squares + i));
		rbl_f8_store(squares + i, square);
		rbl_f8 worth = rbl_f8_mul(square, rbl_f8_load(weights + i));
		rbl_i8 is_better = rbl_f8_gt(worth, best);
		best = rbl_f8_select(is_better, worth, best);
		places = rbl_i8_select(is_better, place, places);
		place = rbl_i8_add(place, rbl_i8_splat(8));
	}
	float most = rbl_f8_max_lane(best);
	if (!(most > 0.0f))
		return -1;
	rbl_i8 is_best = rbl_f8_eq(best, rbl_f8_splat(most));
	return rbl_i8_min_lane(rbl_i8_select(is_best, places, rbl_i8_splat(INT32_MAX)));
}
