// SPDX-License-Identifier: MIT
//
// Continuous collision (CCD): fast bodies do not tunnel through others.
//
// Speculative contacts reach as far as a part's inner radius, half of its smallest width. A part
// that moved farther than that in one step, by translation or rotation, is swept along its body's
// motion against static and kinematic bodies and those much larger than the body; parts of
// bullets are swept against all bodies. If it would have penetrated one deeply, its body is put
// back to the first contact and keeps its velocity; the contact is made in the next step. All
// sweeps run in parallel, against the poses of the others after the step; then bodies are put
// back in order.
//
// Nothing stops a kinematic body, so parts are swept against its motion: the sweep starts where
// the part was relative to that body, and ends at its final pose. Otherwise the two could change
// places within a step.
//
// A body that is put back leaves behind those that it is joined to, and their joints open. So one
// with joints is put back only where contacts could not put it right.
//
// The result depends on the state alone. The broad phase has boxes from before the step, which
// are right for what has not moved; boxes of what has moved are made here, in trees of their own.
// Both report obstacles in an order that depends on their history, and a sweep that one obstacle
// cuts short may miss another that stops it a hair earlier. So obstacles are collected and tested
// by the time at which their boxes are touched.
//
// Where should_collide decides who collides, it is asked before a body is swept, about all
// obstacles along its path and in the order of bodies: recordings number these questions.

#include "world/part_sweep.h"

#include "world/impulses.h"

enum {
	SWEEP_BLOCK = 8,     // bodies
	MOVER_BLOCK = 64,    // bodies
	RADIUS_BLOCK = 1024, // bodies
	MAX_SORTED = 96,     // obstacles of a cast; when there are more, all are looked at
	MIN_TREE = 24,       // movers that are worth a tree
};

// Boxes of moved parts are larger than these by so much, in metres: sweeps end a little before
// contact.
static const float box_margin = 0.003f;

// Whether a body blocks another: it is static, kinematic or much larger, or the other is a
// bullet.
static bool is_obstacle(const rbl_world *world, int body, int other)
{
	if (other == body || (world->motions[other].flags & RBL_BODY_SENSOR))
		return false;
	return world->bodies[other].kind != RBL_BODY_DYNAMIC ||
	       (world->motions[body].flags & RBL_BODY_BULLET) ||
	       world->bodies[other].inner_radius > 2.0f * world->motions[body].bounding_radius;
}

// Whether some bodies do not block others, as the caller decides.
static bool asks_before_sweeps(const rbl_world *world)
{
	return world->def.should_collide || world->modifier_count > 0;
}

bool rbl_world_can_block(const rbl_world *world, int body, int other)
{
	bool is_ignored = asks_before_sweeps(world) && rbl_bit_set_has(&world->marked, other);
	return other != body && !is_ignored && !(world->motions[other].flags & RBL_BODY_SENSOR) &&
	       !rbl_world_is_joined(world, body, other);
}

// A box that contains the part while it rotates, at the start: no point leaves its place by more
// than the arc, nor the bounding sphere of the body.
static rbl_box start_box(const rbl_part_sweep *sweep)
{
	rbl_box box = rbl_collider_bounds(sweep->collider, sweep->pose);
	if (!sweep->rotates)
		return box;
	rbl_transform start = rbl_transform_mul(sweep->from, sweep->child.pose);
	rbl_box centre = { sweep->from.position, sweep->from.position };
	rbl_box ball = rbl_box_grow(centre, sweep->work->world->motions[sweep->body].bounding_radius);
	box = sweep->child.polyhedron ? rbl_polyhedron_bounds(sweep->child.polyhedron, start)
	                              : rbl_collider_bounds(sweep->collider, start);
	box = rbl_box_grow(box, sweep->arc);
	return (rbl_box){ rbl_max(ball.lower, box.lower), rbl_min(ball.upper, box.upper) };
}

// --- obstacles that moved -----------------------------------------------------------------------

static rbl_box piece_box(const rbl_world *world, int part, rbl_transform body_pose)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	rbl_transform pose =
		hot->is_placed ? rbl_transform_mul(body_pose, world->parts[part].local) : body_pose;
	rbl_box box = hot->polyhedron ? rbl_polyhedron_bounds(hot->polyhedron, pose)
	                              : rbl_collider_bounds(world->parts[part].collider, pose);
	return rbl_box_grow(box, rbl_world_length(world, box_margin));
}

// How far a point may leave the straight line between two poses, at most: it is at a distance of
// 1 - cos(angle / 2) radii.
static float max_sag(const rbl_world *world, int body, float arc)
{
	bool is_far = arc > world->motions[body].bounding_radius;
	return (is_far ? 0.35f : 0.125f) * arc; // up to three radians, up to one
}

// The box of a moved part where it counts: at its final pose, and for a kinematic body along its
// motion.
static rbl_box mover_box(const rbl_continuous_work *work, const rbl_moved_part *mover)
{
	const rbl_world *world = work->world;
	int body = work->world->hot_parts[mover->part].body;
	const rbl_body_motion *m = &world->motions[body];
	rbl_box box = piece_box(world, mover->part, rbl_world_motion_pose(m));
	if (world->bodies[body].kind != RBL_BODY_KINEMATIC)
		return box;
	const rbl_transform *old = &work->old_poses[mover->index];
	box = rbl_box_join(box, piece_box(world, mover->part, *old));
	float arc = rbl_world_rotation_arc(world, body, old->rotation, m->rotation);
	return rbl_box_grow(box, max_sag(world, body, arc));
}

// Where sweeps may hit anything: those of bullets, and the others.
typedef struct sweep_region {
	rbl_box of_bullets, of_others;
	float min_bounding_radius; // of the others
} sweep_region;

static rbl_box ball_box(rbl_vec3 a, rbl_vec3 b, float radius)
{
	return rbl_box_grow((rbl_box){ rbl_min(a, b), rbl_max(a, b) }, radius);
}

static sweep_region find_region(const rbl_continuous_work *work, int count)
{
	const rbl_world *world = work->world;
	sweep_region region = { rbl_box_empty(), rbl_box_empty(), FLT_MAX };
	for (int i = 0; i < count; ++i) {
		int index = work->indices[i];
		if (!(work->marks[index] & RBL_MARK_SWEEP))
			continue;
		const rbl_body_motion *m = &world->motions[world->moved.data[index]];
		rbl_box box = ball_box(m->centre, work->old_poses[index].position,
		                       m->bounding_radius + rbl_world_length(world, box_margin));
		if (m->flags & RBL_BODY_BULLET) {
			region.of_bullets = rbl_box_join(region.of_bullets, box);
		} else {
			region.of_others = rbl_box_join(region.of_others, box);
			region.min_bounding_radius = rbl_minf(region.min_bounding_radius, m->bounding_radius);
		}
	}
	return region;
}

enum { BLOCKS_NONE = 2 };

// Whom a body blocks within a region: an index of `starts`, or BLOCKS_NONE.
static int blocks_class(const rbl_world *world, const sweep_region *region, int body, rbl_box box)
{
	const rbl_body *b = &world->bodies[body];
	bool is_near_bullets = rbl_box_overlaps(box, region->of_bullets);
	if (world->motions[body].flags & RBL_BODY_SENSOR)
		return BLOCKS_NONE;
	if (b->kind == RBL_BODY_KINEMATIC || b->inner_radius > 2.0f * region->min_bounding_radius)
		return is_near_bullets || rbl_box_overlaps(box, region->of_others) ? 0 : BLOCKS_NONE;
	return is_near_bullets ? 1 : BLOCKS_NONE;
}

// The same by the bounding sphere of a moved body.
static int moved_class(const rbl_continuous_work *work, const sweep_region *region, int index)
{
	const rbl_world *world = work->world;
	int body = world->moved.data[index];
	const rbl_body_motion *m = &world->motions[body];
	rbl_box box = ball_box(m->centre, work->old_poses[index].position,
	                       m->bounding_radius + rbl_world_length(world, box_margin));
	return blocks_class(world, region, body, box);
}

// Moved parts while they are collected, body by body.
typedef struct mover_list {
	rbl_continuous_work *work;
	sweep_region region;
	uint8_t *classes;     // of moved bodies
	int32_t *part_counts; // likewise; 0: it blocks nobody
	int32_t *firsts;      // their first parts in the lists
	uint8_t *are_kept;    // of parts: whether their boxes are in the region
} mover_list;

static void find_classes(void *context, int begin, int end, int worker)
{
	(void)worker;
	const mover_list *list = context;
	const rbl_world *world = list->work->world;
	for (int i = begin; i < end; ++i) {
		list->classes[i] = (uint8_t)moved_class(list->work, &list->region, i);
		list->part_counts[i] =
			list->classes[i] == BLOCKS_NONE ? 0 : world->bodies[world->moved.data[i]].part_count;
	}
}

static void make_mover_boxes(void *context, int begin, int end, int worker)
{
	(void)worker;
	const mover_list *list = context;
	rbl_continuous_work *work = list->work;
	const rbl_world *world = work->world;
	for (int i = begin; i < end; ++i) {
		int at = list->firsts[i], body = world->moved.data[i];
		if (list->part_counts[i] == 0)
			continue;
		RBL_EACH_PART (p, world, body) {
			rbl_moved_part mover = { p, i };
			work->movers[at] = mover;
			work->boxes[at] = mover_box(work, &mover);
			list->are_kept[at] =
				blocks_class(world, &list->region, body, work->boxes[at]) != BLOCKS_NONE;
			at++;
		}
	}
}

// Where the parts of each body go: those of the first class before the others.
static void place_movers(mover_list *list, int ends[2])
{
	int end = 0;
	for (int class = 0; class < 2; ++class) {
		for (int i = 0; i < list->work->world->moved.count; ++i)
			if (list->classes[i] == class)
				list->firsts[i] = end, end += list->part_counts[i];
		ends[class] = end;
	}
}

// Close the gaps. @param ends  of both classes
static void keep_movers(const mover_list *list, const int ends[2])
{
	rbl_continuous_work *work = list->work;
	int kept = 0;
	for (int class = 0, i = 0; class < 2; ++class) {
		for (; i < ends[class]; ++i) {
			if (!list->are_kept[i])
				continue;
			work->movers[kept] = work->movers[i];
			work->boxes[kept++] = work->boxes[i];
		}
		work->starts[class + 1] = kept;
	}
}

// @return false when memory ran out
static bool collect_movers(rbl_continuous_work *work, int count)
{
	rbl_world *world = work->world;
	rbl_arena *arena = &world->arena;
	int moved = world->moved.count, capacity = 0, ends[2];
	mover_list list = { .work = work, .region = find_region(work, count) };
	if (rbl_box_is_empty(list.region.of_bullets) && rbl_box_is_empty(list.region.of_others))
		return true; // nothing is swept
	list.classes = RBL_ARENA_NEW(arena, uint8_t, moved);
	list.part_counts = RBL_ARENA_NEW(arena, int32_t, moved);
	list.firsts = RBL_ARENA_NEW(arena, int32_t, moved);
	if (!list.classes || !list.part_counts || !list.firsts)
		return false;
	rbl_parallel_for(world->def.jobs, moved, MOVER_BLOCK, find_classes, &list);
	for (int i = 0; i < moved; ++i)
		capacity += list.part_counts[i];
	if (capacity == 0)
		return true;
	work->movers = RBL_ARENA_NEW(arena, rbl_moved_part, capacity);
	work->boxes = RBL_ARENA_NEW(arena, rbl_box, capacity);
	list.are_kept = RBL_ARENA_NEW(arena, uint8_t, capacity);
	if (!work->movers || !work->boxes || !list.are_kept)
		return false;
	place_movers(&list, ends);
	rbl_parallel_for(world->def.jobs, moved, MOVER_BLOCK, make_mover_boxes, &list);
	keep_movers(&list, ends);
	for (int class = 0; class < 2; ++class) {
		int n = work->starts[class + 1] - work->starts[class];
		rbl_tree_build_input input = { .count = n,
			                           .boxes = work->boxes + work->starts[class],
			                           .jobs = world->def.jobs };
		// Without memory for a tree, all boxes are tested.
		if (n >= MIN_TREE)
			world->stats.lost_count += rbl_tree_build(&work->trees[class], &input) != RBL_OK;
	}
	return true;
}

// --- obstacles along a sweep --------------------------------------------------------------------

// Something that a sweep may hit.
typedef struct obstacle {
	float time; // when its box is touched
	int part;
	int mover; // its index among the moved parts, or RBL_NONE
} obstacle;

typedef void obstacle_function(void *context, obstacle found);

typedef struct obstacle_query {
	const rbl_part_sweep *sweep;
	rbl_box box;     // of the part, at the start
	rbl_box swept;   // by it
	int first_mover; // of the tree that is queried
	obstacle_function *function;
	void *context;
} obstacle_query;

// A sweep relative to a moved obstacle: from where the body would have started, had the obstacle
// been at its final pose all along.
static rbl_part_sweep relative_sweep(const rbl_part_sweep *sweep, int mover)
{
	const rbl_continuous_work *work = sweep->work;
	const rbl_world *world = work->world;
	int other = mover == RBL_NONE ? RBL_NONE : world->hot_parts[work->movers[mover].part].body;
	if (other == RBL_NONE || world->bodies[other].kind != RBL_BODY_KINEMATIC)
		return *sweep;
	rbl_transform old = work->old_poses[work->movers[mover].index];
	rbl_transform now = rbl_world_motion_pose(&world->motions[other]);
	if (memcmp(&old, &now, sizeof now) == 0)
		return *sweep;
	rbl_transform from = rbl_transform_mul(now, rbl_transform_relative(old, sweep->from));
	from.rotation = rbl_quat_normalize(from.rotation);
	return rbl_world_make_sweep(work, sweep->body, sweep->part, &from, sweep->worker);
}

static float visit_resting(void *context, uint32_t slot, float fraction)
{
	const obstacle_query *q = context;
	const rbl_world *world = q->sweep->work->world;
	int part = (int)rbl_broadphase_user(world->broadphase, slot);
	int other = world->hot_parts[part].body;
	// The broad phase knows where moved bodies were.
	bool is_mover = q->sweep->work->has_movers && (world->motions[other].flags & RBL_BODY_MOVED);
	bool is_sensor = world->hot_parts[part].flags & RBL_PART_SENSOR;
	if (!is_mover && !is_sensor && is_obstacle(world, q->sweep->body, other))
		q->function(q->context, (obstacle){ fraction, part, RBL_NONE });
	return 1.0f;
}

// The same for what is known to be near the path of the body.
static void visit_path(const obstacle_query *q)
{
	const rbl_part_sweep *sweep = q->sweep;
	const rbl_world *world = sweep->work->world;
	for (int i = 0; i < sweep->path->count; ++i) {
		int part = sweep->path->parts[i];
		rbl_box box = rbl_world_path_box(world, part);
		if (!rbl_box_overlaps(box, q->swept) ||
		    !rbl_world_path_concerns(world, sweep->path, sweep->part, part))
			continue;
		float time = rbl_tree_touch_time(q->box, sweep->translation, box);
		if (time <= 1.0f)
			q->function(q->context, (obstacle){ time, part, RBL_NONE });
	}
}

static void visit_mover(const obstacle_query *q, int mover)
{
	const rbl_part_sweep *sweep = q->sweep;
	const rbl_continuous_work *work = sweep->work;
	const rbl_world *world = work->world;
	int part = work->movers[mover].part, other = world->hot_parts[part].body;
	if (!rbl_box_overlaps(work->boxes[mover], q->swept) ||
	    !is_obstacle(world, sweep->body, other) ||
	    (world->hot_parts[part].flags & RBL_PART_SENSOR) ||
	    !rbl_filter_allows(*rbl_world_part_filter(world, sweep->part),
	                       *rbl_world_part_filter(world, part)))
		return;
	rbl_part_sweep relative = relative_sweep(sweep, mover);
	rbl_box box = piece_box(world, part, rbl_world_motion_pose(&world->motions[other]));
	float time = rbl_tree_touch_time(start_box(&relative), relative.translation, box);
	if (time <= 1.0f)
		q->function(q->context, (obstacle){ time, part, mover });
}

static bool visit_movers(void *context, const uint32_t *leaves, int count)
{
	const obstacle_query *q = context;
	for (int i = 0; i < count; ++i)
		visit_mover(q, q->first_mover + (int)leaves[i]);
	return true;
}

// All obstacles that a sweep may hit, each once, in any order.
static void find_obstacles(const rbl_part_sweep *sweep, obstacle_function *function, void *context)
{
	const rbl_continuous_work *work = sweep->work;
	const rbl_world *world = work->world;
	obstacle_query q = { sweep, .box = start_box(sweep), .function = function, .context = context };
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	q.swept = (rbl_box){ rbl_add(q.box.lower, rbl_min(sweep->translation, zero)),
		                 rbl_add(q.box.upper, rbl_max(sweep->translation, zero)) };
	if (sweep->path)
		visit_path(&q);
	else
		rbl_broadphase_cast(world->broadphase, q.box, sweep->translation,
		                    rbl_world_part_filter(world, sweep->part), visit_resting, &q);
	bool is_bullet = world->motions[sweep->body].flags & RBL_BODY_BULLET;
	for (int class = 0; class < 1 + is_bullet; ++class) {
		q.first_mover = work->starts[class];
		if (work->trees[class].leaf_count > 0)
			rbl_tree_query_box(&work->trees[class], q.swept, visit_movers, &q);
		else
			for (int i = q.first_mover; i < work->starts[class + 1]; ++i)
				visit_mover(&q, i);
	}
}

// --- the path of a body --------------------------------------------------------------------------

typedef struct path_query {
	const rbl_continuous_work *work;
	int body;
	rbl_path *path;
} path_query;

static bool add_to_path(void *context, uint32_t slot)
{
	const path_query *q = context;
	const rbl_world *world = q->work->world;
	int part = (int)rbl_broadphase_user(world->broadphase, slot);
	int other = world->hot_parts[part].body;
	bool is_mover = q->work->has_movers && (world->motions[other].flags & RBL_BODY_MOVED);
	if (is_mover || (world->hot_parts[part].flags & RBL_PART_SENSOR) ||
	    !is_obstacle(world, q->body, other))
		return true;
	if (q->path->count < RBL_MAX_PATH_PARTS)
		q->path->parts[q->path->count] = part;
	return ++q->path->count <= RBL_MAX_PATH_PARTS;
}

bool rbl_world_path_concerns(const rbl_world *world, const rbl_path *path, int part, int other)
{
	return !path->has_part_filters || rbl_filter_allows(*rbl_world_part_filter(world, part),
	                                                    *rbl_world_part_filter(world, other));
}

rbl_box rbl_world_path_box(const rbl_world *world, int part)
{
	return rbl_broadphase_box(world->broadphase, rbl_proxy_slot(world->parts[part].proxy));
}

// What all parts of a body may hit, found at once. The broad phase has their boxes where they were.
static void find_path(const rbl_continuous_work *work, int body, const rbl_transform *old_pose,
                      rbl_path *path)
{
	const rbl_world *world = work->world;
	const rbl_body_motion *m = &world->motions[body];
	rbl_box box = rbl_box_empty();
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	rbl_vec3 translation = rbl_sub(m->centre, old_pose->position);
	path->has_part_filters = false;
	RBL_EACH_PART (p, world, body) {
		box = rbl_box_join(box, rbl_world_path_box(world, p));
		path->has_part_filters |= !!(world->hot_parts[p].flags & RBL_PART_HAS_TRAITS);
	}
	box = rbl_box_grow(box, rbl_world_rotation_arc(world, body, old_pose->rotation, m->rotation));
	box = (rbl_box){ rbl_add(box.lower, rbl_min(translation, zero)),
		             rbl_add(box.upper, rbl_max(translation, zero)) };
	path_query q = { work, body, path };
	const rbl_filter *filter = path->has_part_filters ? NULL : &world->bodies[body].filter;
	bool is_static = work->has_movers && !(m->flags & RBL_BODY_BULLET) &&
	                 work->max_inner_radius <= 2.0f * m->bounding_radius;
	path->count = 0;
	if (is_static)
		rbl_broadphase_overlap_static(world->broadphase, box, filter, add_to_path, &q);
	else
		rbl_broadphase_overlap(world->broadphase, box, filter, add_to_path, &q);
}

typedef struct radius_search {
	const rbl_world *world;
	float *most; // of each block of bodies
} radius_search;

// Of some bodies, those that have not moved and are not static.
static float max_inner_radius(const rbl_world *world, int begin, int end)
{
	float most = 0.0f;
	for (int i = begin; i < end; ++i) // of promised ones there is nothing to read yet
		if (rbl_id_pool_is_live(&world->body_ids, i) &&
		    !(world->motions[i].flags & (RBL_BODY_MOVED | RBL_BODY_SENSOR)) &&
		    world->bodies[i].kind != RBL_BODY_STATIC)
			most = world->bodies[i].kind == RBL_BODY_KINEMATIC
			           ? FLT_MAX
			           : rbl_maxf(most, world->bodies[i].inner_radius);
	return most;
}

static void find_inner_radii(void *context, int begin, int end, int worker)
{
	(void)worker;
	const radius_search *search = context;
	search->most[begin / RADIUS_BLOCK] = max_inner_radius(search->world, begin, end);
}

static float find_max_inner_radius(rbl_world *world)
{
	int count = world->body_ids.slot_count, blocks = (count + RADIUS_BLOCK - 1) / RADIUS_BLOCK;
	radius_search search = { world, RBL_ARENA_NEW(&world->arena, float, blocks) };
	if (!search.most)
		return max_inner_radius(world, 0, count);
	rbl_parallel_for(world->def.jobs, count, RADIUS_BLOCK, find_inner_radii, &search);
	float most = 0.0f;
	for (int i = 0; i < blocks; ++i)
		most = rbl_maxf(most, search.most[i]);
	return most;
}

bool rbl_world_stays_in_front(const rbl_world *world, int part, const rbl_transform *from,
                              const rbl_transform *to, float arc, int other)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	const rbl_polyhedron *own = hot->polyhedron, *target = world->hot_parts[other].polyhedron;
	if (!own || !target || target->face_count == 0)
		return false;
	rbl_transform local = hot->is_placed ? world->parts[part].local : rbl_transform_identity();
	rbl_transform pose = rbl_world_part_pose(world, other);
	rbl_vec3 centre = rbl_transform_point_inverse(pose, rbl_transform_point(*from, local.position));
	int best = 0;
	float farthest = -FLT_MAX;
	for (int i = 0; i < target->face_count; ++i) {
		float distance =
			rbl_dot(rbl_polyhedron_normal(target, i), centre) - rbl_polyhedron_offset(target, i);
		if (distance > farthest)
			farthest = distance, best = i;
	}
	float limit = target->radius + max_sag(world, hot->body, arc) - 0.125f * own->min_width;

	// Most are far away, with all of their bounding spheres.
	rbl_vec3 end_centre =
		rbl_transform_point_inverse(pose, rbl_transform_point(*to, local.position));
	float end_distance = rbl_dot(rbl_polyhedron_normal(target, best), end_centre) -
	                     rbl_polyhedron_offset(target, best);
	if (rbl_minf(farthest, end_distance) - own->bounding_radius > limit)
		return true;

	rbl_polyhedron_pair start = {
		.a = target, .b = own, .pose_a = pose, .pose_b = rbl_transform_mul(*from, local)
	};
	rbl_polyhedron_pair end = start;
	end.pose_b = rbl_transform_mul(*to, local);
	rbl_vec3 normal = rbl_rotate(pose.rotation, rbl_polyhedron_normal(target, best));
	float least = rbl_minf(rbl_sat_separation(&start, normal), rbl_sat_separation(&end, normal));
	return least - own->radius > limit;
}

bool rbl_world_stays_in_front_of_all(const rbl_world *world, int part, const rbl_transform *from,
                                     const rbl_transform *to, float arc, const rbl_path *path,
                                     bool only_static)
{
	if (path->count > RBL_MAX_PATH_PARTS)
		return false;
	for (int i = 0; i < path->count; ++i) {
		int other = path->parts[i];
		if ((!only_static || world->bodies[world->hot_parts[other].body].kind == RBL_BODY_STATIC) &&
		    !rbl_world_stays_in_front(world, part, from, to, arc, other))
			return false;
	}
	return true;
}

static void mark_obstacle(void *context, obstacle found)
{
	rbl_world *world = context;
	rbl_bit_set_add(&world->marked, world->hot_parts[found.part].body);
}

// Ask which obstacles a body does not collide with, and mark them.
// @return false when memory ran out
static bool find_ignored(const rbl_continuous_work *work, int body, const rbl_transform *old_pose)
{
	rbl_world *world = work->world;
	rbl_bit_set *ignored = &world->marked;
	if (!rbl_world_clear_marks(world))
		return false;
	RBL_EACH_PART (p, world, body) {
		if ((!world->hot_parts[p].polyhedron && !world->parts[p].field) ||
		    (world->hot_parts[p].flags & RBL_PART_SENSOR))
			continue;
		rbl_part_sweep sweep = rbl_world_make_sweep(work, body, p, old_pose, 0);
		find_obstacles(&sweep, mark_obstacle, world);
	}
	for (int i = rbl_bit_set_next(ignored, 0); i >= 0; i = rbl_bit_set_next(ignored, i + 1))
		if (!rbl_world_pair_is_disabled(world, body, i) &&
		    rbl_world_should_collide(world, body, i, false))
			rbl_bit_set_remove(ignored, i);
	return true;
}

// --- the first hit ------------------------------------------------------------------------------

// How far a body may move.
typedef struct sweep_stop {
	float fraction;
	int part;           // that stops it
	rbl_transform from; // start of the sweep, relative to that part
} sweep_stop;

typedef struct obstacle_list {
	const rbl_part_sweep *sweep;
	sweep_stop *stop;
	int count; // of all that were found
	obstacle items[MAX_SORTED];
} obstacle_list;

static bool is_earlier_obstacle(const obstacle *a, const obstacle *b)
{
	return a->time < b->time || (a->time == b->time && a->part < b->part);
}

static void insert_sorted(void *context, obstacle found)
{
	obstacle_list *list = context;
	if (list->count++ >= MAX_SORTED)
		return;
	int at = list->count - 1;
	for (; at > 0 && is_earlier_obstacle(&found, &list->items[at - 1]); --at)
		list->items[at] = list->items[at - 1];
	list->items[at] = found;
}

// Whether a field part touches another and slides along it: its contacts are enough.
static bool slides_along(const rbl_part_sweep *sweep, int other)
{
	const rbl_world *world = sweep->work->world;
	int a = rbl_mini(sweep->part, other), b = rbl_maxi(sweep->part, other);
	int pair = sweep->child.polyhedron ? RBL_NONE : rbl_world_find_pair(world, a, b);
	if (pair == RBL_NONE || !(world->pairs[pair].flags & RBL_PAIR_POINTS))
		return false;
	float most = sweep->inner_radius - sweep->arc, sign = a == sweep->part ? 1.0f : -1.0f;
	RBL_EACH_CONTACT (contact, world, pair)
		if (sign * rbl_dot(world->contacts.data[contact].manifold.normal, sweep->translation) >
		    most)
			return false;
	return true;
}

static void sweep_against(void *context, obstacle found)
{
	obstacle_list *list = context;
	const rbl_part_sweep *sweep = list->sweep;
	const rbl_world *world = sweep->work->world;
	if (!rbl_world_can_block(world, sweep->body, world->hot_parts[found.part].body) ||
	    rbl_world_passes_through(world, sweep->body, found.part) ||
	    rbl_world_passes_through(world, world->hot_parts[found.part].body, sweep->part) ||
	    slides_along(sweep, found.part) ||
	    (found.mover == RBL_NONE && rbl_world_stays_in_front(world, sweep->part, &sweep->from,
	                                                         &sweep->to, sweep->arc, found.part)))
		return;
	rbl_part_sweep relative = relative_sweep(sweep, found.mover);
	float limit = rbl_world_part_limit(&relative, found.part);
	sweep_stop *stop = list->stop;
	if (limit < stop->fraction || (limit == stop->fraction && found.part < stop->part))
		*stop = (sweep_stop){ limit, found.part, relative.from };
}

// Find what stops a part before its body stops anyway.
static void sweep_to_first(const rbl_part_sweep *sweep, sweep_stop *stop)
{
	obstacle_list list = { .sweep = sweep, .stop = stop, .count = 0 };
	find_obstacles(sweep, insert_sorted, &list);
	if (list.count > MAX_SORTED) {
		find_obstacles(sweep, sweep_against, &list);
		return;
	}
	for (int i = 0; i < list.count && list.items[i].time <= stop->fraction; ++i)
		sweep_against(&list, list.items[i]);
}

// How far a body may move, by sweeps of its parts.
// @param is_in_front  receives whether all parts stay in front of all that is near: no centroid
//                     has to be swept then
static sweep_stop sweep_parts(const rbl_continuous_work *work, int body,
                              const rbl_transform *old_pose, const rbl_path *path, int worker,
                              bool *is_in_front)
{
	const rbl_world *world = work->world;
	const rbl_body_motion *m = &world->motions[body];
	float translation = rbl_distance(m->centre, old_pose->position);
	float arc = rbl_world_rotation_arc(world, body, old_pose->rotation, m->rotation);
	bool rotates_far = arc > rbl_world_arc_limit(world, body);
	bool has_movers = work->starts[2] > 0;
	rbl_transform to = { m->centre,
		                 rbl_world_untwisted(world, body, old_pose->rotation, m->rotation) };
	sweep_stop stop = { 1.0f, RBL_NONE, *old_pose };
	*is_in_front = true;
	RBL_EACH_PART (p, world, body) {
		const rbl_polyhedron *polyhedron = world->hot_parts[p].polyhedron;
		// Speculative contacts of a thick part are made in time.
		bool is_thick = polyhedron && translation + arc <= 0.5f * polyhedron->min_width;
		if ((!polyhedron && !world->parts[p].field) || (is_thick && !rotates_far) ||
		    (world->hot_parts[p].flags & RBL_PART_SENSOR)) {
			*is_in_front = false;
			continue;
		}
		if (!has_movers &&
		    rbl_world_stays_in_front_of_all(world, p, old_pose, &to, arc, path, false))
			continue;
		*is_in_front = false;
		rbl_part_sweep sweep = rbl_world_make_sweep(work, body, p, old_pose, worker);
		sweep.path = path->count <= RBL_MAX_PATH_PARTS ? path : NULL;
		sweep_to_first(&sweep, &stop);
	}
	return stop;
}

// A body that gets no farther than this share of its motion is stopped at once.
static const float jam_fraction = 0.1f;

// Where a body ends.
static rbl_body_stop find_stop(const rbl_continuous_work *work, int index, int worker)
{
	const rbl_body_stop none = { .kind = NOT_STOPPED, .blocker = RBL_NONE };
	rbl_world *world = work->world;
	int body = world->moved.data[index];
	const rbl_transform *old_pose = &work->old_poses[index];
	if (asks_before_sweeps(world) && !find_ignored(work, body, old_pose)) {
		world->stats.lost_count++;
		return none;
	}
	sweep_stop stop = { 1.0f, RBL_NONE, *old_pose };
	rbl_path path;
	bool is_in_front = false;
	find_path(work, body, old_pose, &path);
	if (path.count == 0 && work->starts[2] == 0)
		return none;
	if (work->marks[index] & RBL_MARK_SWEEP)
		stop = sweep_parts(work, body, old_pose, &path, worker, &is_in_front);
	if (is_in_front)
		return none;
	rbl_transform to = rbl_world_motion_pose(&world->motions[body]);
	to = rbl_world_pose_between(world, body, &stop.from, &to, stop.fraction);
	float fraction = rbl_world_sweep_centroids(world, body, old_pose, &to, &path);
	if (stop.fraction >= 1.0f && fraction >= 1.0f)
		return none;
	bool is_static = fraction < 1.0f || stop.part == RBL_NONE; // centroids stay out of those
	return (rbl_body_stop){ stop.fraction * fraction < jam_fraction ? STOPPED_AT_ONCE : STOPPED,
		                    is_static ? RBL_NONE : world->hot_parts[stop.part].body,
		                    rbl_world_pose_between(world, body, old_pose, &to, fraction) };
}

// A stopped body keeps its velocity for the contact that the next step makes. One that is stopped
// again, at once, has made that contact, and is jammed: it turns against something that contacts
// cannot see in its present pose, and would do so for ever. It comes to rest, relative to what is
// in its way.
static void stop_at(rbl_world *world, int body, const rbl_body_stop *stop)
{
	rbl_body_motion *m = &world->motions[body];
	bool is_jammed = stop->kind == STOPPED_AT_ONCE && (m->flags & RBL_BODY_STOPPED);
	m->centre = stop->pose.position;
	m->rotation = stop->pose.rotation;
	rbl_solver_put_back(world->solver, world->bodies[body].solver_body, m->centre, m->rotation,
	                    is_jammed);
	if (is_jammed)
		rbl_world_come_to_rest(world, body, stop->blocker);
	m->flags |= RBL_BODY_STOPPED;
	world->stats.cast_count++;
}

static void end_stop(rbl_world *world, int body)
{
	world->motions[body].flags &= ~(uint32_t)RBL_BODY_STOPPED;
}

// --- all bodies ---------------------------------------------------------------------------------

uint8_t rbl_world_mark_continuous(const rbl_world *world, int body, const rbl_transform *old_pose)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_body_motion *m = &world->motions[body];
	if (b->kind != RBL_BODY_DYNAMIC || (m->flags & RBL_BODY_SENSOR))
		return 0;
	float distance = rbl_distance(m->centre, old_pose->position) +
	                 rbl_world_rotation_arc(world, body, old_pose->rotation, m->rotation);
	bool is_field = world->field_part_count > 0 && world->parts[b->first_part].field;
	if (is_field) // its boxes reach as far, and contacts are made in time
		return distance > rbl_world_arc_limit(world, body) ? RBL_MARK_SWEEP : 0;
	if (distance > b->inner_radius)
		return RBL_MARK_SWEEP;
	return distance > 0.25f * b->inner_radius || (m->flags & RBL_BODY_DEEP)
	           ? RBL_MARK_SWEEP_CENTROIDS
	           : 0;
}

static void find_stops(void *context, int begin, int end, int worker)
{
	const rbl_continuous_work *work = context;
	for (int i = begin; i < end; ++i)
		work->stops[i] = find_stop(work, work->indices[i], worker);
}

// When there is no memory for the poses.
static void stop_sequentially(const rbl_continuous_work *work)
{
	rbl_world *world = work->world;
	for (int i = 0; i < world->moved.count; ++i) {
		rbl_body_stop stop = { .kind = NOT_STOPPED };
		if (work->marks[i] & (RBL_MARK_SWEEP | RBL_MARK_SWEEP_CENTROIDS))
			stop = find_stop(work, i, 0);
		if (stop.kind != NOT_STOPPED)
			stop_at(world, world->moved.data[i], &stop);
		else
			end_stop(world, world->moved.data[i]);
	}
	world->stats.lost_count++;
}

void rbl_world_stop_tunnelling(rbl_world *world, const rbl_transform *old_poses,
                               const uint8_t *marks)
{
	world->stats.cast_count = 0;
	int count = 0, n = 0;
	for (int i = 0; i < world->moved.count; ++i) {
		bool is_swept = marks[i] & (RBL_MARK_SWEEP | RBL_MARK_SWEEP_CENTROIDS);
		count += is_swept;
		if (!is_swept)
			end_stop(world, world->moved.data[i]);
	}
	if (count == 0)
		return;
	int32_t *indices = RBL_ARENA_NEW(&world->arena, int32_t, count);
	rbl_continuous_work work = { .world = world,
		                         .old_poses = old_poses,
		                         .marks = marks,
		                         .indices = indices,
		                         .stops = RBL_ARENA_NEW(&world->arena, rbl_body_stop, count),
		                         .trees = { rbl_tree_make(&world->mover_nodes[0]),
		                                    rbl_tree_make(&world->mover_nodes[1]) } };
	if (!indices || !work.stops) {
		stop_sequentially(&work);
		return;
	}
	for (int i = 0; i < world->moved.count; ++i)
		if (marks[i] & (RBL_MARK_SWEEP | RBL_MARK_SWEEP_CENTROIDS))
			indices[n++] = i;
	work.has_movers = collect_movers(&work, count);
	world->stats.lost_count += !work.has_movers;
	work.max_inner_radius = find_max_inner_radius(world);
	// should_collide is called by one thread, in order.
	rbl_jobs *jobs = asks_before_sweeps(world) ? NULL : world->def.jobs;
	rbl_parallel_for(jobs, count, SWEEP_BLOCK, find_stops, &work);
	for (int i = 0; i < count; ++i)
		if (work.stops[i].kind != NOT_STOPPED)
			stop_at(world, world->moved.data[indices[i]], &work.stops[i]);
		else
			end_stop(world, world->moved.data[indices[i]]);
	rbl_tree_clear(&work.trees[0]);
	rbl_tree_clear(&work.trees[1]);
}
