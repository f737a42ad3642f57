// SPDX-License-Identifier: MIT
//
// Boxes of parts, and their proxies in the broad phase.
//
// A box is tight around the rotated vertices: in a pile of fragments that gives a fifth of the
// pairs that rotated boxes do. It grows by a margin on all sides, half of the smallest distance
// at which contacts are made plus what rotation may add, and by the displacement of the coming
// step, so that contacts are speculative. Displacement counts up to the inner radius of the part
// (half of its smallest width): faster ones are swept by continuous.c. Rotation counts up to half
// of the smallest inner radius of the body.

#include "world/world.h"

#include "base/log.h"

// Half of the distance at which slow bodies get a contact, in metres.
#define MIN_MARGIN 0.003f

// Displacements up to this always count, in metres.
#define MIN_SWEEP 0.02f

enum { BOX_BLOCK = 64, MAX_GROUPED = 32768 };

static float sweep_limit(const rbl_world *world, int body)
{
	return rbl_maxf(rbl_world_length(world, MIN_SWEEP), world->bodies[body].inner_radius);
}

float rbl_world_arc_limit(const rbl_world *world, int body)
{
	return 0.5f * sweep_limit(world, body);
}

float rbl_world_margin(const rbl_world *world, int body, float dt)
{
	const rbl_body_motion *m = &world->motions[body];
	if (world->bodies[body].kind == RBL_BODY_STATIC)
		return rbl_world_length(world, MIN_MARGIN);
	rbl_vec3 axis, turning = m->angular_velocity;
	if (rbl_world_body_axis(world, body, &axis)) {
		axis = rbl_rotate(m->rotation, axis);
		turning = rbl_add_scaled(turning, -rbl_dot(turning, axis), axis);
	}
	float arc =
		rbl_world_is_ball(world, body) ? 0.0f : dt * rbl_length(turning) * m->bounding_radius;
	return rbl_world_length(world, MIN_MARGIN) + rbl_minf(arc, rbl_world_arc_limit(world, body));
}

static rbl_box proxy_box(const rbl_world *world, int part, float dt)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	const rbl_body_motion *m = &world->motions[hot->body];
	rbl_transform pose = rbl_world_part_pose(world, part);
	rbl_box box = hot->polyhedron ? rbl_polyhedron_bounds(hot->polyhedron, pose)
	              : world->parts[part].field
	                  ? rbl_mesh_collider_bounds(world->parts[part].collider, pose)
	                  : rbl_collider_bounds(world->parts[part].collider, pose);
	box = rbl_box_grow(box, m->margin);
	rbl_vec3 displacement = rbl_scale(dt, m->velocity);
	float length = rbl_length(displacement);
	float limit = hot->polyhedron ? rbl_maxf(rbl_world_length(world, MIN_SWEEP),
	                                         0.5f * hot->polyhedron->min_width)
	                              : sweep_limit(world, hot->body);
	if (length > limit)
		displacement = rbl_scale(limit / length, displacement);
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	return (rbl_box){ rbl_add(box.lower, rbl_min(displacement, zero)),
		              rbl_add(box.upper, rbl_max(displacement, zero)) };
}

rbl_proxy_def rbl_world_proxy_def(const rbl_world *world, int part)
{
	int body = world->hot_parts[part].body;
	const rbl_body *b = &world->bodies[body];
	rbl_filter filter = *rbl_world_part_filter(world, part);
	// Parts of one body do not collide with each other; a group says so while groups last.
	if (filter.group == 0 && b->part_count > 1 && b->kind != RBL_BODY_STATIC && body < MAX_GROUPED)
		filter.group = INT32_MIN + 1 + body;
	return (rbl_proxy_def){ .box = proxy_box(world, part, world->last_dt),
		                    .filter = filter,
		                    .is_static = b->kind == RBL_BODY_STATIC,
		                    .user = (uint64_t)part };
}

void rbl_world_mark_dirty(rbl_world *world, int body)
{
	rbl_body_motion *m = &world->motions[body];
	if (m->flags & RBL_BODY_DIRTY)
		return;
	m->flags |= RBL_BODY_DIRTY;
	RBL_ASSERT(world->dirty.count < world->dirty.capacity);
	world->dirty.data[world->dirty.count++] = body;
}

typedef struct box_work {
	rbl_world *world;
	const int32_t *bodies;
	const int32_t *starts; // of the parts of each body in the lists
	float dt;
} box_work;

// What boxes of bodies that come soon are made of.
static void prefetch_bodies(const box_work *work, int i, int end)
{
	enum { AHEAD = 3, VERTEX_BYTES = 512 }; // of a polyhedron, up to the last vertices of most
	const rbl_world *world = work->world;
	if (i + 3 * AHEAD < end && work->starts[i + 3 * AHEAD] >= 0) {
		rbl_prefetch(&world->bodies[work->bodies[i + 3 * AHEAD]]);
		rbl_prefetch(&world->motions[work->bodies[i + 3 * AHEAD]]);
	}
	if (i + 2 * AHEAD < end && work->starts[i + 2 * AHEAD] >= 0) {
		int part = world->bodies[work->bodies[i + 2 * AHEAD]].first_part;
		if (part != RBL_NONE) {
			rbl_prefetch(&world->hot_parts[part]);
			rbl_prefetch(&world->parts[part]);
		}
	}
	if (i + AHEAD >= end || work->starts[i + AHEAD] < 0)
		return;
	int part = world->bodies[work->bodies[i + AHEAD]].first_part;
	const char *polyhedron =
		part == RBL_NONE ? NULL : (const char *)world->hot_parts[part].polyhedron;
	for (int k = 0; polyhedron && k < VERTEX_BYTES; k += RBL_CACHE_LINE)
		rbl_prefetch(polyhedron + k);
}

static void make_boxes(void *context, int begin, int end, int worker)
{
	(void)worker;
	const box_work *work = context;
	rbl_world *world = work->world;
	for (int i = begin; i < end; ++i) {
		int body = work->bodies[i], at = work->starts[i];
		prefetch_bodies(work, i, end);
		if (at < 0)
			continue;
		world->motions[body].margin = rbl_world_margin(world, body, work->dt);
		RBL_EACH_PART (p, world, body) {
			world->moved_proxies.data[at] = world->parts[p].proxy;
			world->moved_boxes.data[at++] = proxy_box(world, p, work->dt);
		}
	}
}

static bool update_proxies(rbl_world *world, const int32_t *bodies, int count, float dt)
{
	rbl_arena_reset(&world->arena);
	int32_t *starts = RBL_ARENA_NEW(&world->arena, int32_t, count);
	if (!starts)
		return false;
	int total = 0;
	for (int i = 0; i < count; ++i) {
		starts[i] = RBL_NONE;
		if (bodies[i] >= world->body_ids.slot_count ||
		    !rbl_id_pool_is_live(&world->body_ids, bodies[i]) ||
		    !(world->motions[bodies[i]].flags & RBL_BODY_ENABLED))
			continue;
		starts[i] = total;
		total += world->bodies[bodies[i]].part_count;
	}
	if (!rbl_array_resize(&world->allocator, &world->moved_proxies, total) ||
	    !rbl_array_resize(&world->allocator, &world->moved_boxes, total))
		return false;
	box_work work = { world, bodies, starts, dt };
	rbl_parallel_for(world->def.jobs, count, BOX_BLOCK, make_boxes, &work);
	return rbl_broadphase_move(world->broadphase, world->moved_proxies.data,
	                           world->moved_boxes.data, total) == RBL_OK;
}

bool rbl_world_update_dirty_proxies(rbl_world *world, float dt)
{
	if (!update_proxies(world, world->dirty.data, world->dirty.count, dt))
		return false;
	for (int i = 0; i < world->dirty.count; ++i)
		world->motions[world->dirty.data[i]].flags &= ~(uint32_t)RBL_BODY_DIRTY;
	world->dirty.count = 0;
	return true;
}

bool rbl_world_update_moved_proxies(rbl_world *world, float dt)
{
	return update_proxies(world, world->moved.data, world->moved.count, dt);
}

// --- entering and leaving -----------------------------------------------------------------------

static int list_proxies(const rbl_world *world, int body, rbl_proxy_id *ids)
{
	int n = 0;
	RBL_EACH_PART (p, world, body)
		ids[n++] = world->parts[p].proxy;
	return n;
}

static void set_proxies(rbl_world *world, int body, const rbl_proxy_id *ids)
{
	int n = 0;
	RBL_EACH_PART (p, world, body)
		world->parts[p].proxy = ids ? ids[n++] : (rbl_proxy_id){ 0, 0 };
}

static int define_proxies(rbl_world *world, int body, rbl_proxy_def *defs)
{
	int n = 0;
	world->motions[body].margin = rbl_world_margin(world, body, world->last_dt);
	RBL_EACH_PART (p, world, body)
		defs[n++] = rbl_world_proxy_def(world, p);
	return n;
}

rbl_result rbl_world_add_proxies(rbl_world *world, int body)
{
	int count = world->bodies[body].part_count;
	float margin = world->motions[body].margin;
	rbl_arena_reset(&world->arena);
	rbl_proxy_def *defs = RBL_ARENA_NEW(&world->arena, rbl_proxy_def, count);
	rbl_proxy_id *ids = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	if (!defs || !ids)
		return RBL_OUT_OF_MEMORY;
	count = define_proxies(world, body, defs);
	rbl_result result = rbl_broadphase_add(world->broadphase, defs, count, ids);
	if (result == RBL_OK)
		set_proxies(world, body, ids);
	else
		world->motions[body].margin = margin;
	return result;
}

static rbl_result remove_from_broadphase(rbl_world *world, int body, bool unfreezes)
{
	int count = world->bodies[body].part_count;
	if (count == 0)
		return RBL_OK; // a baked body without fragments
	rbl_arena_reset(&world->arena);
	rbl_proxy_id *ids = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	if (!ids || rbl_broadphase_reserve(world->broadphase, count, NULL, 0) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	if (unfreezes)
		rbl_world_unfreeze(world, body);
	if (world->bodies[body].kind == RBL_BODY_STATIC)
		rbl_world_remove_support(world, body);
	rbl_result result =
		rbl_broadphase_remove(world->broadphase, ids, list_proxies(world, body, ids));
	RBL_ASSERT(result == RBL_OK); // memory was reserved
	set_proxies(world, body, NULL);
	return result;
}

rbl_result rbl_world_remove_proxies_only(rbl_world *world, int body)
{
	return remove_from_broadphase(world, body, false);
}

rbl_result rbl_world_remove_proxies(rbl_world *world, int body)
{
	rbl_result result = remove_from_broadphase(world, body, true);
	if (result == RBL_OK)
		rbl_world_remove_pairs(world, body, true);
	return result;
}

rbl_result rbl_world_replace_proxies(rbl_world *world, int body, bool was_static)
{
	int count = world->bodies[body].part_count;
	float margin = world->motions[body].margin;
	rbl_arena_reset(&world->arena);
	rbl_proxy_def *defs = RBL_ARENA_NEW(&world->arena, rbl_proxy_def, count);
	rbl_proxy_id *old = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	rbl_proxy_id *ids = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, count);
	if (!defs || !old || !ids)
		return RBL_OUT_OF_MEMORY;
	count = define_proxies(world, body, defs);
	rbl_result result = rbl_broadphase_reserve(world->broadphase, count, defs, count);
	if (result != RBL_OK) {
		world->motions[body].margin = margin;
		return result;
	}
	rbl_world_unfreeze(world, body);
	if (was_static)
		rbl_world_remove_support(world, body);
	result = rbl_broadphase_replace_many(world->broadphase, old, list_proxies(world, body, old),
	                                     defs, count, ids);
	RBL_ASSERT(result == RBL_OK); // memory was reserved
	rbl_world_remove_pairs(world, body, true);
	set_proxies(world, body, ids);
	return result;
}
