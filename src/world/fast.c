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
// Nothing stops a kinematic body, so it is met on its way as well: a piece is cast from where it
// began as that body saw it, and put back to where it touches it in the end. One that only its last
// pose counted for could change places with what flies towards it.
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
// The result is a matter of the state alone. The broad phase knows boxes from before the step,
// which hold what has not moved since; those of what has are made here, and lie in a tree of their
// own. The two name obstacles in an order that depends on their past, and a cast that is cut short
// by one may miss another that stops it a hair earlier. So obstacles are collected, and looked at
// by the time at which their boxes are touched.
//
// Where the caller decides who touches, it is asked before a body is cast, about all obstacles on its
// way and in the order of bodies: a recording numbers questions.

#include "world/world.h"

enum {
	CAST_BLOCK = 8,   // bodies
	MOST_SORTED = 96, // obstacles of a cast; when there are more, all are looked at
	LEAST_TREE = 24,  // movers that are worth a tree
};

// By how much boxes of movers are larger than they, in metres: casts end a little before they
// touch.
static const float box_margin = 0.003f;

// A piece of a body that moved in this step.
typedef struct fast_mover {
	int32_t piece;
	int32_t index; // of its body among the moved
} fast_mover;

typedef struct fast_work {
	rbl_world *world;
	const rbl_transform *old_poses; // of the moved
	const uint8_t *marks;
	const int32_t *indices; // among the moved: whom to look at
	rbl_transform *poses;   // receives where these are put
	bool *are_stopped;      // and whether

	// What moved and may be met, and boxes that hold it in this step: what all must stop at, then
	// what only bodies marked as fast do.
	fast_mover *movers;
	rbl_box *boxes;
	int starts[3];     // of these two, and the end
	rbl_tree trees[2]; // of boxes, by place; empty: there are few
	bool has_movers;   // false: there was no memory for them
} fast_work;

typedef struct fast_cast {
	const fast_work *work;
	int body, piece;
	const rbl_collider *collider;
	rbl_child_polyhedron part; // where the piece is in its body
	rbl_transform from, to;    // of the body
	rbl_transform pose;        // of the piece, at the beginning of a straight way
	rbl_vec3 translation;
	float arc; // no point moves farther by turning
	bool turns;
	float core;
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

// --- one piece against another ------------------------------------------------------------------

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
	rbl_transform at = rbl_collide_pose_at(cast->from, cast->to, hit->fraction);
	rbl_vec3 local = rbl_transform_point_inverse(at, hit->point);
	rbl_vec3 path = rbl_sub(rbl_transform_point(cast->to, local), hit->point);
	return -rbl_dot(path, hit->normal) > left_share * cast->core;
}

static rbl_cast_hit cast_against(const fast_cast *cast, const rbl_collider *target,
                                 rbl_transform target_pose)
{
	if (cast->turns)
		return rbl_polyhedron_cast_motion(&cast->part, cast->from, cast->to, target, target_pose);
	rbl_cast_hit hit = { .is_hit = false };
	rbl_collider_cast_collider(cast->collider, cast->pose, cast->translation, target, target_pose, &hit);
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
	rbl_child_polyhedron part = { &ball.polyhedron, rbl_transform_identity() };
	rbl_transform from = { middle, rbl_quat_identity() };
	rbl_transform to = { rbl_add(middle, cast->translation), rbl_quat_identity() };
	rbl_cast_hit hit = rbl_polyhedron_cast_motion(&part, from, to, target, target_pose);
	bool is_stopped = hit.is_hit && -(1.0f - hit.fraction) * rbl_dot(cast->translation, hit.normal) > depth;
	return is_stopped ? hit.fraction : 1.0f;
}

// @return whether a cast began inside, and the way goes deep into what is overlapped
static bool goes_deeper(const fast_cast *cast, const rbl_cast_hit *hit,
                        const rbl_polyhedron *target, rbl_transform target_pose)
{
	if (rbl_length_squared(hit->normal) > 0.0f)
		return false;
	rbl_sat_cache cache = { .kind = RBL_SAT_NONE };
	rbl_manifold manifold;
	rbl_transform start = rbl_transform_mul(cast->from, cast->part.pose);
	return rbl_collide_pair(cast->part.polyhedron, start, target, target_pose, 0.0f, &cache,
	                        &manifold, NULL) &&
	       rbl_dot(cast->translation, manifold.normal) > cast->core;
}

// How much of the way a piece of another body allows.
static float limit_of(const fast_cast *cast, int piece)
{
	const rbl_world *world = cast->work->world;
	const rbl_collider *target = world->pieces[piece].collider;
	rbl_transform target_pose = rbl_piece_pose(world, piece);
	rbl_cast_hit hit = cast_against(cast, target, target_pose);
	if (!hit.is_hit)
		return 1.0f;
	const rbl_polyhedron *form = world->hot_pieces[piece].form;
	if (is_deep(cast, &hit) || (form && goes_deeper(cast, &hit, form, target_pose)))
		return hit.fraction;
	return cast_ball(cast, target, target_pose, form ? 0.5f * cast->core : cast->core);
}

float rbl_world_turned_by(float reach, rbl_quat from, rbl_quat to)
{
	rbl_quat turn = rbl_quat_mul(to, rbl_quat_conjugate(from));
	float sine = rbl_minf(sqrtf(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), 1.0f);
	// Of half the angle; the arc sine of x is at most x (1 + (pi / 2 - 1) x^2).
	return 2.0f * sine * (1.0f + 0.5707964f * sine * sine) * reach;
}

rbl_transform rbl_world_pose_between(const rbl_world *world, int body, const rbl_transform *from,
                                     const rbl_transform *to, float fraction)
{
	if (fraction >= 1.0f)
		return *to;
	if (fraction <= 0.0f)
		return *from; // to the bit
	rbl_transform at = rbl_collide_pose_at(*from, *to, fraction);
	float arc = rbl_world_turned_by(world->motions[body].reach, from->rotation, to->rotation);
	if (arc <= 0.25f * world->bodies[body].core)
		at.rotation = to->rotation;
	return at;
}

static fast_cast make_cast(const fast_work *work, int body, int piece, const rbl_transform *from)
{
	const rbl_world *world = work->world;
	const rbl_body_motion *m = &world->motions[body];
	const rbl_piece_hot *hot = &world->hot_pieces[piece];
	float core = 0.5f * hot->form->min_width;
	float arc = rbl_world_turned_by(m->reach, from->rotation, m->rotation);
	rbl_transform pose = rbl_piece_pose(world, piece);
	pose.position = rbl_add(pose.position, rbl_sub(from->position, m->centre));
	return (fast_cast){ .work = work,
		                .body = body,
		                .piece = piece,
		                .collider = world->pieces[piece].collider,
		                .part = { hot->form, hot->is_placed ? world->pieces[piece].local
		                                                    : rbl_transform_identity() },
		                .from = *from,
		                .to = rbl_motion_pose(m),
		                .pose = pose,
		                .translation = rbl_sub(m->centre, from->position),
		                .arc = arc,
		                .turns = arc > 0.25f * core,
		                .core = core };
}

// A box that holds the piece while it turns, at the start of the way: no point leaves its place by
// more than the arc, nor the ball around the centre.
static rbl_box start_box(const fast_cast *cast)
{
	rbl_box box = rbl_collider_bounds(cast->collider, cast->pose);
	if (!cast->turns)
		return box;
	rbl_transform start = rbl_transform_mul(cast->from, cast->part.pose);
	rbl_box centre = { cast->from.position, cast->from.position };
	rbl_box ball = rbl_box_grow(centre, cast->work->world->motions[cast->body].reach);
	box = rbl_box_grow(rbl_polyhedron_bounds(cast->part.polyhedron, start), cast->arc);
	return (rbl_box){ rbl_max(ball.lower, box.lower), rbl_min(ball.upper, box.upper) };
}

// --- obstacles that moved -----------------------------------------------------------------------

static rbl_box piece_box(const rbl_world *world, int piece, rbl_transform body_pose)
{
	const rbl_piece_hot *hot = &world->hot_pieces[piece];
	rbl_transform pose =
		hot->is_placed ? rbl_transform_mul(body_pose, world->pieces[piece].local) : body_pose;
	rbl_box box = hot->form ? rbl_polyhedron_bounds(hot->form, pose)
	                        : rbl_collider_bounds(world->pieces[piece].collider, pose);
	return rbl_box_grow(box, box_margin);
}

// What holds a piece of a moved body where it counts: in the end, and of a kinematic one on its
// way, too. Between two poses its points leave the line by less than an eighth of what turning
// moves them.
static rbl_box mover_box(const fast_work *work, const fast_mover *mover)
{
	const rbl_world *world = work->world;
	int body = work->world->hot_pieces[mover->piece].body;
	const rbl_body_motion *m = &world->motions[body];
	rbl_box box = piece_box(world, mover->piece, rbl_motion_pose(m));
	if (world->bodies[body].kind != RBL_BODY_KINEMATIC)
		return box;
	const rbl_transform *old = &work->old_poses[mover->index];
	box = rbl_box_join(box, piece_box(world, mover->piece, *old));
	return rbl_box_grow(box, 0.125f * rbl_world_turned_by(m->reach, old->rotation, m->rotation));
}

// Where casts may meet anything: those of bodies that are marked as fast, and the others.
typedef struct cast_region {
	rbl_box of_fast, of_others;
	float least_reach; // of the others
} cast_region;

static rbl_box ball_box(rbl_vec3 a, rbl_vec3 b, float radius)
{
	return rbl_box_grow((rbl_box){ rbl_min(a, b), rbl_max(a, b) }, radius);
}

static cast_region find_region(const fast_work *work, int count)
{
	const rbl_world *world = work->world;
	cast_region region = { rbl_box_empty(), rbl_box_empty(), FLT_MAX };
	for (int i = 0; i < count; ++i) {
		int index = work->indices[i];
		if (!(work->marks[index] & RBL_MARK_FAST))
			continue;
		const rbl_body_motion *m = &world->motions[world->moved.data[index]];
		rbl_box box = ball_box(m->centre, work->old_poses[index].position, m->reach + box_margin);
		if (m->flags & RBL_BODY_FAST) {
			region.of_fast = rbl_box_join(region.of_fast, box);
		} else {
			region.of_others = rbl_box_join(region.of_others, box);
			region.least_reach = rbl_minf(region.least_reach, m->reach);
		}
	}
	return region;
}

enum { STOPS_NONE = 2 };

// Which bodies must stop at one of which a box is known: a place in `starts`, or STOPS_NONE.
static int whom_it_stops(const rbl_world *world, const cast_region *region, int body, rbl_box box)
{
	const rbl_body *b = &world->bodies[body];
	bool is_near_fast = rbl_box_overlaps(box, region->of_fast);
	if (world->motions[body].flags & RBL_BODY_SENSOR)
		return STOPS_NONE;
	if (b->kind == RBL_BODY_KINEMATIC || b->core > 2.0f * region->least_reach)
		return is_near_fast || rbl_box_overlaps(box, region->of_others) ? 0 : STOPS_NONE;
	return is_near_fast ? 1 : STOPS_NONE;
}

// The same, as far as the ball around a body tells.
static int whom_moved_stops(const fast_work *work, const cast_region *region, int index)
{
	const rbl_world *world = work->world;
	int body = world->moved.data[index];
	const rbl_body_motion *m = &world->motions[body];
	rbl_box box = ball_box(m->centre, work->old_poses[index].position, m->reach + box_margin);
	return whom_it_stops(world, region, body, box);
}

// Add the movers of one kind behind all others.
static void add_movers(fast_work *work, const cast_region *region, int kind)
{
	const rbl_world *world = work->world;
	int end = work->starts[kind];
	for (int i = 0; i < world->moved.count; ++i) {
		int body = world->moved.data[i];
		if (whom_moved_stops(work, region, i) != kind)
			continue;
		for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
			fast_mover mover = { p, i };
			work->movers[end] = mover;
			work->boxes[end] = mover_box(work, &mover);
			end += whom_it_stops(world, region, body, work->boxes[end]) != STOPS_NONE;
		}
	}
	work->starts[kind + 1] = end;
}

// @return false when memory ran out
static bool collect_movers(fast_work *work, int count)
{
	rbl_world *world = work->world;
	cast_region region = find_region(work, count);
	int capacity = 0;
	if (rbl_box_is_empty(region.of_fast) && rbl_box_is_empty(region.of_others))
		return true; // nobody is cast
	for (int i = 0; i < world->moved.count; ++i)
		if (whom_moved_stops(work, &region, i) != STOPS_NONE)
			capacity += world->bodies[world->moved.data[i]].piece_count;
	if (capacity == 0)
		return true;
	work->movers = RBL_ARENA_NEW(&world->arena, fast_mover, capacity);
	work->boxes = RBL_ARENA_NEW(&world->arena, rbl_box, capacity);
	if (!work->movers || !work->boxes)
		return false;
	for (int kind = 0; kind < 2; ++kind) {
		add_movers(work, &region, kind);
		int n = work->starts[kind + 1] - work->starts[kind];
		rbl_tree_build_input input = { .count = n,
			                           .boxes = work->boxes + work->starts[kind],
			                           .jobs = world->def.jobs };
		// Without memory for a tree, all boxes are asked.
		if (n >= LEAST_TREE)
			world->stats.lost_count += rbl_tree_build(&work->trees[kind], &input) != RBL_OK;
	}
	return true;
}

// --- what is on the way -------------------------------------------------------------------------

// Something that a cast may meet.
typedef struct obstacle {
	float touch; // when its box is touched
	int piece;
	int mover; // its place among the movers, or RBL_NONE
} obstacle;

typedef void obstacle_function(void *context, obstacle found);

typedef struct obstacle_query {
	const fast_cast *cast;
	rbl_box box;     // of the piece, at the start
	rbl_box swept;   // by it
	int first_mover; // of those that are asked
	obstacle_function *function;
	void *context;
} obstacle_query;

// A cast as a mover sees it: from where the body would have begun had the mover been where it is in
// the end.
static fast_cast seen_by(const fast_cast *cast, int mover)
{
	const fast_work *work = cast->work;
	const rbl_world *world = work->world;
	int other = mover == RBL_NONE ? RBL_NONE : world->hot_pieces[work->movers[mover].piece].body;
	if (other == RBL_NONE || world->bodies[other].kind != RBL_BODY_KINEMATIC)
		return *cast;
	rbl_transform old = work->old_poses[work->movers[mover].index];
	rbl_transform now = rbl_motion_pose(&world->motions[other]);
	if (memcmp(&old, &now, sizeof now) == 0)
		return *cast;
	rbl_transform from = rbl_transform_mul(now, rbl_transform_relative(old, cast->from));
	from.rotation = rbl_quat_normalize(from.rotation);
	return make_cast(work, cast->body, cast->piece, &from);
}

static float name_standing(void *context, uint32_t slot, float fraction)
{
	const obstacle_query *q = context;
	const rbl_world *world = q->cast->work->world;
	int piece = (int)rbl_broadphase_user(world->broadphase, slot);
	int other = world->hot_pieces[piece].body;
	// Of what moved, the broad phase knows where it was.
	bool is_mover = q->cast->work->has_movers && (world->motions[other].flags & RBL_BODY_MOVED);
	if (!is_mover && is_obstacle(world, q->cast->body, other))
		q->function(q->context, (obstacle){ fraction, piece, RBL_NONE });
	return 1.0f;
}

static void name_mover(const obstacle_query *q, int mover)
{
	const fast_cast *cast = q->cast;
	const fast_work *work = cast->work;
	const rbl_world *world = work->world;
	int piece = work->movers[mover].piece, other = world->hot_pieces[piece].body;
	if (!rbl_box_overlaps(work->boxes[mover], q->swept) || !is_obstacle(world, cast->body, other) ||
	    !rbl_filter_allows(world->bodies[cast->body].filter, world->bodies[other].filter))
		return;
	fast_cast seen = seen_by(cast, mover);
	rbl_box box = piece_box(world, piece, rbl_motion_pose(&world->motions[other]));
	float touch = rbl_tree_touch_time(start_box(&seen), seen.translation, box);
	if (touch <= 1.0f)
		q->function(q->context, (obstacle){ touch, piece, mover });
}

static bool name_movers(void *context, const uint32_t *leaves, int count)
{
	const obstacle_query *q = context;
	for (int i = 0; i < count; ++i)
		name_mover(q, q->first_mover + (int)leaves[i]);
	return true;
}

// All obstacles that a cast may meet, each once, in any order.
static void find_obstacles(const fast_cast *cast, obstacle_function *function, void *context)
{
	const fast_work *work = cast->work;
	const rbl_world *world = work->world;
	obstacle_query q = { cast, .box = start_box(cast), .function = function, .context = context };
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	q.swept = (rbl_box){ rbl_add(q.box.lower, rbl_min(cast->translation, zero)),
		                 rbl_add(q.box.upper, rbl_max(cast->translation, zero)) };
	rbl_broadphase_cast(world->broadphase, q.box, cast->translation, &world->bodies[cast->body].filter,
	                    name_standing, &q);
	bool is_bullet = world->motions[cast->body].flags & RBL_BODY_FAST;
	for (int kind = 0; kind < 1 + is_bullet; ++kind) {
		q.first_mover = work->starts[kind];
		if (work->trees[kind].leaf_count > 0)
			rbl_tree_query_box(&work->trees[kind], q.swept, name_movers, &q);
		else
			for (int i = q.first_mover; i < work->starts[kind + 1]; ++i)
				name_mover(&q, i);
	}
}

static void mark_obstacle(void *context, obstacle found)
{
	rbl_world *world = context;
	rbl_bit_set_add(&world->marked, world->hot_pieces[found.piece].body);
}

// Ask which obstacles on a body's way it does not touch, and mark them.
// @return false when memory ran out
static bool find_ghosts(const fast_work *work, int body, const rbl_transform *old_pose)
{
	rbl_world *world = work->world;
	rbl_bit_set *ghosts = &world->marked;
	if (!rbl_world_begin_marks(world))
		return false;
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		if (!world->hot_pieces[p].form)
			continue;
		fast_cast cast = make_cast(work, body, p, old_pose);
		find_obstacles(&cast, mark_obstacle, world);
	}
	for (int i = rbl_bit_set_next(ghosts, 0); i >= 0; i = rbl_bit_set_next(ghosts, i + 1))
		if (rbl_world_may_touch(world, body, i))
			rbl_bit_set_remove(ghosts, i);
	return true;
}

// --- the first of them --------------------------------------------------------------------------

// How far a body may go.
typedef struct fast_stop {
	float fraction;
	int piece;          // what stops it
	rbl_transform from; // where its way begins, as that sees it
} fast_stop;

typedef struct obstacle_list {
	const fast_cast *cast;
	fast_stop *stop;
	int count; // of all that were found
	obstacle items[MOST_SORTED];
} obstacle_list;

static bool is_before(const obstacle *a, const obstacle *b)
{
	return a->touch < b->touch || (a->touch == b->touch && a->piece < b->piece);
}

static void sort_in(void *context, obstacle found)
{
	obstacle_list *list = context;
	if (list->count++ >= MOST_SORTED)
		return;
	int at = list->count - 1;
	for (; at > 0 && is_before(&found, &list->items[at - 1]); --at)
		list->items[at] = list->items[at - 1];
	list->items[at] = found;
}

static void meet(void *context, obstacle found)
{
	obstacle_list *list = context;
	const fast_cast *cast = list->cast;
	const rbl_world *world = cast->work->world;
	if (!rbl_world_may_stop(world, cast->body, world->hot_pieces[found.piece].body))
		return;
	fast_cast seen = seen_by(cast, found.mover);
	float limit = limit_of(&seen, found.piece);
	fast_stop *stop = list->stop;
	if (limit < stop->fraction || (limit == stop->fraction && found.piece < stop->piece))
		*stop = (fast_stop){ limit, found.piece, seen.from };
}

// What stops a piece, if that is earlier than what is known to stop its body.
static void meet_first(const fast_cast *cast, fast_stop *stop)
{
	obstacle_list list = { .cast = cast, .stop = stop, .count = 0 };
	find_obstacles(cast, sort_in, &list);
	if (list.count > MOST_SORTED) {
		find_obstacles(cast, meet, &list);
		return;
	}
	for (int i = 0; i < list.count && list.items[i].touch <= stop->fraction; ++i)
		meet(&list, list.items[i]);
}

// How far a body may go, as its pieces are cast.
static fast_stop cast_pieces(const fast_work *work, int body, const rbl_transform *old_pose)
{
	const rbl_world *world = work->world;
	const rbl_body_motion *m = &world->motions[body];
	float translation = rbl_distance(m->centre, old_pose->position);
	float arc = rbl_world_turned_by(m->reach, old_pose->rotation, m->rotation);
	bool turns_far = arc > rbl_world_arc_limit(world, body);
	fast_stop stop = { 1.0f, RBL_NONE, *old_pose };
	for (int p = world->bodies[body].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		const rbl_polyhedron *form = world->hot_pieces[p].form;
		// Contacts of a thick piece are known in time, whatever its body has beside it.
		if (!form || (translation + arc <= 0.5f * form->min_width && !turns_far))
			continue;
		fast_cast cast = make_cast(work, body, p, old_pose);
		meet_first(&cast, &stop);
	}
	return stop;
}

// Where a body is to be put. @return whether it is another place than where it is
static bool find_stop(const fast_work *work, int index, rbl_transform *pose)
{
	rbl_world *world = work->world;
	int body = world->moved.data[index];
	const rbl_transform *old_pose = &work->old_poses[index];
	if (world->def.should_collide && !find_ghosts(work, body, old_pose)) {
		world->stats.lost_count++;
		return false;
	}
	fast_stop stop = { 1.0f, RBL_NONE, *old_pose };
	if (work->marks[index] & RBL_MARK_FAST)
		stop = cast_pieces(work, body, old_pose);
	rbl_transform to = rbl_motion_pose(&world->motions[body]);
	to = rbl_world_pose_between(world, body, &stop.from, &to, stop.fraction);
	float fraction = rbl_world_limit_middles(world, body, old_pose, &to);
	*pose = rbl_world_pose_between(world, body, old_pose, &to, fraction);
	return stop.fraction < 1.0f || fraction < 1.0f;
}

static void stop_at(rbl_world *world, int body, rbl_transform pose)
{
	rbl_body_motion *m = &world->motions[body];
	m->centre = pose.position;
	m->rotation = pose.rotation;
	rbl_solver_set_pose(world->solver, world->bodies[body].solver_body, m->centre, m->rotation);
	world->stats.cast_count++;
}

// --- all bodies ---------------------------------------------------------------------------------

uint8_t rbl_world_mark_fast(const rbl_world *world, int body, const rbl_transform *old_pose)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_body_motion *m = &world->motions[body];
	if (b->kind != RBL_BODY_DYNAMIC || (m->flags & RBL_BODY_SENSOR))
		return 0;
	float far = rbl_distance(m->centre, old_pose->position) +
	            rbl_world_turned_by(m->reach, old_pose->rotation, m->rotation);
	if (far > b->core)
		return RBL_MARK_FAST;
	return far > 0.25f * b->core || (m->flags & RBL_BODY_DEEP) ? RBL_MARK_WATCHED : 0;
}

static void find_stops(void *context, int begin, int end, int worker)
{
	(void)worker;
	const fast_work *work = context;
	for (int i = begin; i < end; ++i)
		work->are_stopped[i] = find_stop(work, work->indices[i], &work->poses[i]);
}

// One after the other, when there is no memory to remember where each is put.
static void stop_in_turn(const fast_work *work)
{
	rbl_world *world = work->world;
	for (int i = 0; i < world->moved.count; ++i) {
		rbl_transform pose;
		if ((work->marks[i] & (RBL_MARK_FAST | RBL_MARK_WATCHED)) && find_stop(work, i, &pose))
			stop_at(world, world->moved.data[i], pose);
	}
	world->stats.lost_count++;
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
	fast_work work = { .world = world,
		               .old_poses = old_poses,
		               .marks = marks,
		               .indices = indices,
		               .poses = RBL_ARENA_NEW(&world->arena, rbl_transform, count),
		               .are_stopped = RBL_ARENA_NEW(&world->arena, bool, count),
		               .trees = { rbl_tree_make(&world->mover_nodes[0]),
		                          rbl_tree_make(&world->mover_nodes[1]) } };
	if (!indices || !work.poses || !work.are_stopped) {
		stop_in_turn(&work);
		return;
	}
	for (int i = 0; i < world->moved.count; ++i)
		if (marks[i] & (RBL_MARK_FAST | RBL_MARK_WATCHED))
			indices[n++] = i;
	work.has_movers = collect_movers(&work, count);
	world->stats.lost_count += !work.has_movers;
	// Questions to the caller are asked one after the other.
	rbl_jobs *jobs = world->def.should_collide ? NULL : world->def.jobs;
	rbl_parallel_for(jobs, count, CAST_BLOCK, find_stops, &work);
	for (int i = 0; i < count; ++i)
		if (work.are_stopped[i])
			stop_at(world, world->moved.data[indices[i]], work.poses[i]);
	rbl_tree_clear(&work.trees[0]);
	rbl_tree_clear(&work.trees[1]);
}
