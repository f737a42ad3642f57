// SPDX-License-Identifier: MIT
//
// Fast bodies: nothing passes through what stands.
//
// A contact is foreseen as far as a body's core, half of its least width. A body that went farther in
// a step is cast along its way against static bodies and those much larger than itself, and against
// all when it is marked as fast. If it would have gone deep into one, it is put back to where it
// first touches, with its velocity; the contact is made in the next step.
//
// What a body slides along is touched from the beginning, and a cast that begins in touch says
// nothing about what comes later. So a touch that its way would deepen by less than the core is left
// to the contacts; of a mesh, which may be both floor and wall, a ball within the body is then cast
// instead, which a floor that is slid along cannot touch.

#include "world/world.h"

typedef struct fast_cast {
	rbl_world *world;
	int body, piece;
	const rbl_collider *collider;
	const rbl_collider *ball; // NULL: no second look
	rbl_transform pose;
	rbl_vec3 way;
	float core;
	float fraction; // so far
} fast_cast;

// Much larger: it cannot be pushed aside, and standing beside it is no surprise.
static bool is_obstacle(const rbl_world *world, int body, int other)
{
	if (other == body || (world->motions[other].flags & RBL_BODY_SENSOR))
		return false;
	return world->bodies[other].kind == RBL_BODY_STATIC ||
	       (world->motions[body].flags & RBL_BODY_FAST) ||
	       world->bodies[other].core > 2.0f * world->motions[body].reach;
}

// How deep along the normal the rest of the way goes.
static bool is_deep(const fast_cast *cast, const rbl_cast_hit *hit)
{
	float left = -(1.0f - hit->fraction) * rbl_dot(cast->way, hit->normal);
	return left > cast->core;
}

static float meet(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	fast_cast *cast = context;
	rbl_world *world = cast->world;
	int piece = (int)rbl_broadphase_user(world->broadphase, slot);
	int other = world->hot_pieces[piece].body;
	if (!is_obstacle(world, cast->body, other) || rbl_world_is_joined(world, cast->body, other))
		return cast->fraction;
	const rbl_collider *target = world->pieces[piece].collider;
	rbl_transform target_pose = rbl_piece_pose(world, piece);
	rbl_cast_hit hit;
	if (rbl_collider_cast(cast->collider, cast->pose, cast->way, target, target_pose, &hit) !=
	        RBL_OK ||
	    !hit.is_hit)
		return cast->fraction;
	if (is_deep(cast, &hit)) {
		cast->fraction = rbl_minf(cast->fraction, hit.fraction);
	} else if (!world->hot_pieces[piece].form && cast->ball) {
		if (rbl_collider_cast(cast->ball, cast->pose, cast->way, target, target_pose, &hit) ==
		        RBL_OK &&
		    hit.is_hit && is_deep(cast, &hit))
			cast->fraction = rbl_minf(cast->fraction, hit.fraction);
	}
	return cast->fraction;
}

static float cast_piece(rbl_world *world, int body, int piece, rbl_vec3 old_centre, rbl_vec3 way)
{
	const rbl_body_motion *m = &world->motions[body];
	rbl_transform pose = rbl_piece_pose(world, piece);
	pose.position = rbl_add(pose.position, rbl_sub(old_centre, m->centre));
	fast_cast cast = { .world = world,
		               .body = body,
		               .piece = piece,
		               .collider = world->pieces[piece].collider,
		               .pose = pose,
		               .way = way,
		               .core = world->bodies[body].core,
		               .fraction = 1.0f };
	rbl_box box = rbl_collider_bounds(cast.collider, pose);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.allocator = world->allocator;
	def.a = rbl_transform_point_inverse(pose, rbl_box_centre(box));
	def.radius = 0.5f * cast.core;
	rbl_collider *ball = NULL;
	if (rbl_create_collider(&def, &ball) == RBL_OK)
		cast.ball = ball;
	rbl_broadphase_cast(world->broadphase, box, way, &world->bodies[body].filter, meet, &cast);
	rbl_destroy_collider(ball);
	return cast.fraction;
}

static void stop(rbl_world *world, int body, rbl_vec3 old_centre)
{
	rbl_body_motion *m = &world->motions[body];
	rbl_vec3 way = rbl_sub(m->centre, old_centre);
	float fraction = 1.0f;
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next)
		if (world->hot_pieces[p].form)
			fraction = rbl_minf(fraction, cast_piece(world, body, p, old_centre, way));
	if (fraction >= 1.0f)
		return;
	m->centre = rbl_add_scaled(old_centre, fraction, way);
	rbl_solver_set_pose(world->solver, world->bodies[body].solver_body, m->centre, m->rotation);
	world->stats.cast_count++;
}

void rbl_world_stop_fast(rbl_world *world, const rbl_vec3 *old_centres)
{
	world->stats.cast_count = 0;
	for (int i = 0; i < world->moved.count; ++i) {
		int body = world->moved.data[i];
		const rbl_body *b = &world->bodies[body];
		float limit = b->core;
		if (b->kind != RBL_BODY_DYNAMIC || (world->motions[body].flags & RBL_BODY_SENSOR))
			continue;
		rbl_vec3 way = rbl_sub(world->motions[body].centre, old_centres[i]);
		if (rbl_length_squared(way) > limit * limit)
			stop(world, body, old_centres[i]);
	}
}
