// SPDX-License-Identifier: MIT
//
// Fast bodies: nothing passes through what stands.
//
// A contact is foreseen as far as a piece's core, half of its least width. A piece whose points went
// farther in a step, on their way or by turning, is cast along the motion of its body against static
// and kinematic bodies and those much larger than the body, and against all when it is marked as fast. If it would
// have gone deep into one, the body is put back to where it first touches, with its velocity; the
// contact is made in the next step. All are cast against where the others are after the step, side by
// side, and then put back in order.
//
// A body that hardly turns is cast straight, in the rotation it has in the end, which is cheaper. One
// that turns is cast from pose to pose, evenly and by the shorter way: the solver lets nothing turn by
// more than an eighth of a circle in a step.
//
// What a body slides along is touched from the beginning, and a cast that begins in touch says
// nothing about what comes later: a splinter that stands on its tip is turned over by the contact, and its
// middle goes through the floor. So a touch that its way would deepen by less than a quarter of the core
// is left to the contacts, but then a ball within the piece is cast instead, which a floor that is slid along
// cannot touch. A cast that begins inside has no normal; that of the contact there tells whether the
// way leads further in.
//
// Where the caller decides who touches, it is asked before a body is cast, about all obstacles on its
// way and in the order of bodies: which of them the cast itself meets, and in which order, depends on
// the past of the broad phase, and a recording numbers questions.

#include "world/world.h"

enum { CAST_BLOCK = 8 }; // bodies

typedef struct fast_cast {
	rbl_world *world;
	int body;
	const rbl_collider *collider;
	rbl_child_form part;    // where the piece is in its body
	rbl_transform from, to; // of the body
	rbl_transform pose;     // of the piece, at the beginning of a straight way
	rbl_vec3 translation;
	bool turns;
	float core;
	float fraction; // so far
} fast_cast;

// What cannot be pushed aside: static, kinematic, or much larger.
static bool is_obstacle(const rbl_world *world, int body, int other)
{
	if (other == body || (world->motions[other].flags & RBL_BODY_SENSOR))
		return false;
	return world->bodies[other].kind != RBL_BODY_DYNAMIC ||
	       (world->motions[body].flags & RBL_BODY_FAST) ||
	       world->bodies[other].core > 2.0f * world->motions[body].reach;
}

bool rbl_world_may_stop(const rbl_world *world, int body, int other)
{
	bool is_ghost = world->def.should_collide && rbl_bit_set_has(&world->marked, other);
	return other != body && !is_ghost && !(world->motions[other].flags & RBL_BODY_SENSOR) &&
	       !rbl_world_is_joined(world, body, other);
}

// What a cast leaves to the contacts, as a share of the core. More is less to stop, but a contact that
// was not foreseen begins so deep, and springs let what is fast go in by as much again.
static const float left_share = 0.25f;

// How deep along the normal the rest of the way goes.
static bool is_deep(const fast_cast *cast, const rbl_cast_hit *hit)
{
	float left = -(1.0f - hit->fraction) * rbl_dot(cast->translation, hit->normal);
	if (!cast->turns)
		return left > left_share * cast->core;
	// Where the point that touches would end.
	rbl_transform at = rbl_motion_pose_at(cast->from, cast->to, hit->fraction);
	rbl_vec3 local = rbl_transform_point_inverse(at, hit->point);
	rbl_vec3 path = rbl_sub(rbl_transform_point(cast->to, local), hit->point);
	return -rbl_dot(path, hit->normal) > left_share * cast->core;
}

static rbl_cast_hit cast_against(const fast_cast *cast, const rbl_collider *target,
                                 rbl_transform target_pose)
{
	if (cast->turns)
		return rbl_form_cast_motion(&cast->part, cast->from, cast->to, target, target_pose);
	rbl_cast_hit hit = { .is_hit = false };
	rbl_collider_cast_collider(cast->collider, cast->pose, cast->translation, target, target_pose,
	                           &hit);
	return hit;
}

// A ball in the middle of the piece, straight along the way.
// @param depth  how far it may go in
// @return how much of the way it may go
static float cast_ball(const fast_cast *cast, const rbl_collider *target, rbl_transform target_pose,
                       float depth)
{
	rbl_vec3 middle = rbl_box_centre(rbl_collider_bounds(cast->collider, cast->pose));
	rbl_small_polyhedron ball;
	rbl_polyhedron_from_sphere(&ball, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 0.5f * cast->core);
	rbl_child_form part = { &ball.form, rbl_transform_identity() };
	rbl_transform from = { middle, rbl_quat_identity() };
	rbl_transform to = { rbl_add(middle, cast->translation), rbl_quat_identity() };
	rbl_cast_hit hit = rbl_form_cast_motion(&part, from, to, target, target_pose);
	bool is_stopped =
		hit.is_hit && -(1.0f - hit.fraction) * rbl_dot(cast->translation, hit.normal) > depth;
	return is_stopped ? hit.fraction : 1.0f;
}

// @return whether a cast began inside, and the way goes deep into what is overlapped
static bool goes_deeper(const fast_cast *cast, const rbl_cast_hit *hit,
                        const rbl_polyhedron *target, rbl_transform target_pose)
{
	if (rbl_length_squared(hit->normal) > 0.0f)
		return false;
	rbl_axis_cache cache = { .kind = RBL_AXIS_NONE };
	rbl_manifold manifold;
	rbl_transform start = rbl_transform_mul(cast->from, cast->part.pose);
	return rbl_collide_pair(cast->part.form, start, target, target_pose, 0.0f, &cache, &manifold) &&
	       rbl_dot(cast->translation, manifold.normal) > cast->core;
}

static float meet(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	fast_cast *cast = context;
	rbl_world *world = cast->world;
	int piece = (int)rbl_broadphase_user(world->broadphase, slot);
	int other = world->hot_pieces[piece].body;
	if (!is_obstacle(world, cast->body, other) || !rbl_world_may_stop(world, cast->body, other))
		return cast->fraction;
	const rbl_collider *target = world->pieces[piece].collider;
	rbl_transform target_pose = rbl_piece_pose(world, piece);
	rbl_cast_hit hit = cast_against(cast, target, target_pose);
	if (!hit.is_hit)
		return cast->fraction;
	const rbl_polyhedron *form = world->hot_pieces[piece].form;
	float limit = hit.fraction;
	if (!is_deep(cast, &hit) && !(form && goes_deeper(cast, &hit, form, target_pose)))
		limit = cast_ball(cast, target, target_pose, form ? 0.5f * cast->core : cast->core);
	cast->fraction = rbl_minf(cast->fraction, limit);
	return cast->fraction;
}

// A box that holds the piece while it turns, at the start of the way: no point leaves its place by
// more than the arc, nor the ball around the centre.
static rbl_box start_box(const fast_cast *cast, float reach, float arc)
{
	rbl_box box = rbl_collider_bounds(cast->collider, cast->pose);
	if (!cast->turns)
		return box;
	rbl_transform start = rbl_transform_mul(cast->from, cast->part.pose);
	rbl_box centre = { cast->from.position, cast->from.position };
	rbl_box ball = rbl_box_grow(centre, reach);
	box = rbl_box_grow(rbl_form_bounds(cast->part.form, start), arc);
	return (rbl_box){ rbl_max(ball.lower, box.lower), rbl_min(ball.upper, box.upper) };
}

static fast_cast make_cast(rbl_world *world, int body, int piece, const rbl_transform *old_pose,
                           float arc)
{
	const rbl_body_motion *m = &world->motions[body];
	const rbl_piece_hot *hot = &world->hot_pieces[piece];
	float core = 0.5f * hot->form->thickness;
	rbl_transform pose = rbl_piece_pose(world, piece);
	pose.position = rbl_add(pose.position, rbl_sub(old_pose->position, m->centre));
	return (fast_cast){ .world = world,
		                .body = body,
		                .collider = world->pieces[piece].collider,
		                .part = { hot->form, hot->is_placed ? world->pieces[piece].local
		                                                    : rbl_transform_identity() },
		                .from = *old_pose,
		                .to = rbl_motion_pose(m),
		                .pose = pose,
		                .translation = rbl_sub(m->centre, old_pose->position),
		                .turns = arc > 0.25f * core,
		                .core = core,
		                .fraction = 1.0f };
}

static void cast_through(fast_cast *cast, float arc, rbl_cast_function *function)
{
	rbl_world *world = cast->world;
	rbl_box box = start_box(cast, world->motions[cast->body].reach, arc);
	rbl_broadphase_cast(world->broadphase, box, cast->translation,
	                    &world->bodies[cast->body].filter, function, cast);
}

static float note_obstacle(void *context, uint32_t slot, float fraction)
{
	(void)fraction;
	fast_cast *cast = context;
	rbl_world *world = cast->world;
	int piece = (int)rbl_broadphase_user(world->broadphase, slot);
	int other = world->hot_pieces[piece].body;
	if (is_obstacle(world, cast->body, other))
		rbl_bit_set_add(&world->marked, other);
	return 1.0f;
}

// Ask which obstacles on a body's way it does not touch, and mark them.
// @return false when memory ran out
static bool find_ghosts(rbl_world *world, int body, const rbl_transform *old_pose, float arc)
{
	rbl_bit_set *ghosts = &world->marked;
	if (!rbl_world_begin_marks(world))
		return false;
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		if (!world->hot_pieces[p].form)
			continue;
		fast_cast cast = make_cast(world, body, p, old_pose, arc);
		cast_through(&cast, arc, note_obstacle);
	}
	for (int i = rbl_bit_set_next(ghosts, 0); i >= 0; i = rbl_bit_set_next(ghosts, i + 1))
		if (rbl_world_may_touch(world, body, i))
			rbl_bit_set_remove(ghosts, i);
	return true;
}

// How far turning has moved the points of a body, at most.
static float turned_by(const rbl_body_motion *m, rbl_quat old_rotation)
{
	rbl_quat turn = rbl_quat_mul(m->rotation, rbl_quat_conjugate(old_rotation));
	float sine = rbl_minf(sqrtf(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), 1.0f);
	// Of half the angle; the arc sine of x is at most x (1 + (pi / 2 - 1) x^2).
	return 2.0f * sine * (1.0f + 0.5707964f * sine * sine) * m->reach;
}

rbl_transform rbl_world_pose_at(const rbl_world *world, int body, const rbl_transform *old_pose,
                                float fraction)
{
	const rbl_body_motion *m = &world->motions[body];
	if (fraction >= 1.0f)
		return rbl_motion_pose(m);
	if (fraction <= 0.0f)
		return *old_pose; // to the bit
	rbl_transform at = rbl_motion_pose_at(*old_pose, rbl_motion_pose(m), fraction);
	if (turned_by(m, old_pose->rotation) <= 0.25f * world->bodies[body].core)
		at.rotation = m->rotation;
	return at;
}

// How much of its way a body may go, as its pieces are cast.
static float cast_pieces(rbl_world *world, int body, const rbl_transform *old_pose, float arc)
{
	float translation = rbl_distance(world->motions[body].centre, old_pose->position),
		  fraction = 1.0f;
	bool turns_far = arc > rbl_world_arc_limit(world, body);
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		const rbl_polyhedron *form = world->hot_pieces[p].form;
		// Contacts of a thick piece are known in time, whatever its body has beside it.
		if (!form || (translation + arc <= 0.5f * form->thickness && !turns_far))
			continue;
		fast_cast cast = make_cast(world, body, p, old_pose, arc);
		cast_through(&cast, arc, meet);
		fraction = rbl_minf(fraction, cast.fraction);
	}
	return fraction;
}

static float find_fraction(rbl_world *world, int body, const rbl_transform *old_pose, uint8_t marks)
{
	float arc = turned_by(&world->motions[body], old_pose->rotation);
	if (world->def.should_collide && !find_ghosts(world, body, old_pose, arc)) {
		world->stats.lost_count++;
		return 1.0f;
	}
	float fraction = marks & RBL_MARK_FAST ? cast_pieces(world, body, old_pose, arc) : 1.0f;
	return rbl_world_limit_middles(world, body, old_pose, arc, fraction);
}

static void stop(rbl_world *world, int body, const rbl_transform *old_pose, float fraction)
{
	rbl_body_motion *m = &world->motions[body];
	rbl_transform at = rbl_world_pose_at(world, body, old_pose, fraction);
	m->centre = at.position;
	m->rotation = at.rotation;
	rbl_solver_set_pose(world->solver, world->bodies[body].solver_body, m->centre, m->rotation);
	world->stats.cast_count++;
}

uint8_t rbl_world_mark_fast(const rbl_world *world, int body, const rbl_transform *old_pose)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_body_motion *m = &world->motions[body];
	if (b->kind != RBL_BODY_DYNAMIC || (m->flags & RBL_BODY_SENSOR))
		return 0;
	float far = rbl_distance(m->centre, old_pose->position) + turned_by(m, old_pose->rotation);
	if (far > b->core)
		return RBL_MARK_FAST;
	return far > 0.25f * b->core || (m->flags & RBL_BODY_DEEP) ? RBL_MARK_WATCHED : 0;
}

typedef struct fast_work {
	rbl_world *world;
	const rbl_transform *old_poses;
	const uint8_t *marks;
	const int32_t *indices; // among the moved
	float *fractions;
} fast_work;

static void find_fractions(void *context, int begin, int end, int worker)
{
	(void)worker;
	const fast_work *work = context;
	for (int i = begin; i < end; ++i) {
		int index = work->indices[i];
		work->fractions[i] = find_fraction(work->world, work->world->moved.data[index],
		                                   &work->old_poses[index], work->marks[index]);
	}
}

// One after the other, when there is no memory to remember how far each may go.
static void stop_in_turn(rbl_world *world, const rbl_transform *old_poses, const uint8_t *marks)
{
	for (int i = 0; i < world->moved.count; ++i) {
		if (!(marks[i] & (RBL_MARK_FAST | RBL_MARK_WATCHED)))
			continue;
		float fraction = find_fraction(world, world->moved.data[i], &old_poses[i], marks[i]);
		if (fraction < 1.0f)
			stop(world, world->moved.data[i], &old_poses[i], fraction);
	}
}

void rbl_world_stop_fast(rbl_world *world, const rbl_transform *old_poses, const uint8_t *marks)
{
	world->stats.cast_count = 0;
	int count = 0, n = 0;
	for (int i = 0; i < world->moved.count; ++i)
		count += !!(marks[i] & (RBL_MARK_FAST | RBL_MARK_WATCHED));
	if (count == 0)
		return;
	int32_t *indices = RBL_ARENA_NEW(&world->arena, int32_t, count);
	float *fractions = RBL_ARENA_NEW(&world->arena, float, count);
	if (!indices || !fractions) {
		stop_in_turn(world, old_poses, marks);
		world->stats.lost_count++;
		return;
	}
	for (int i = 0; i < world->moved.count; ++i)
		if (marks[i] & (RBL_MARK_FAST | RBL_MARK_WATCHED))
			indices[n++] = i;
	// Questions to the caller are asked one after the other.
	fast_work work = { world, old_poses, marks, indices, fractions };
	rbl_jobs *jobs = world->def.should_collide ? NULL : world->def.jobs;
	rbl_parallel_for(jobs, count, CAST_BLOCK, find_fractions, &work);
	for (int i = 0; i < count; ++i)
		if (fractions[i] < 1.0f)
			stop(world, world->moved.data[indices[i]], &old_poses[indices[i]], fractions[i]);
}
