// SPDX-License-Identifier: MIT
//
// Bodies of a world as static bodies of a surface.
//
// A sync compares, for each body, what the surface has with what there is. A break gives a body new
// parts in front of its list, or takes some away; so the first part with its generation, and the
// number of parts, tell whether any changed. Then parts are compared one by one: those of compounds
// by number and hash of their corners, others by their place in the world and its generation. What
// is the same stays as it is, and a hit on a building costs what it changed.
//
// Positions of parts are kept in the frame of the body's origin, which stays where it is when the
// centre of mass moves.

#include "world/obstacle_shapes.h"

#include "base/log.h"

enum { OBSTACLES_COOKIE = 0x6f627374 };

// A part in the surface.
typedef struct obstacle_part {
	rbl_surface_body_id id;
	int32_t body;
	uint32_t key;  // number in a compound, or place among the parts of the world
	uint64_t life; // hash of the corners, or generation of the place
	int32_t number;
	int32_t next; // of the same body, or free; RBL_NONE at the end
	rbl_vec3 *positions;
	int vertex_count, triangle_count;
	bool is_wanted;
} obstacle_part;

// What tells that a body has the same parts as before.
typedef struct obstacle_state {
	uint32_t generation; // of the body, 0: there is none
	int32_t first_part, part_count;
	uint32_t first_generation;
} obstacle_state;

typedef struct obstacle_body {
	obstacle_state state;
	rbl_transform pose;
	int32_t first; // part, RBL_NONE: none
} obstacle_body;

struct rbl_obstacles {
	rbl_surface *surface;
	rbl_obstacles_def def;
	rbl_allocator allocator;
	const rbl_world *world;
	RBL_ARRAY(obstacle_body) bodies; // by index of the world's
	RBL_ARRAY(obstacle_part) parts;
	int32_t free_part;
	RBL_ARRAY(int32_t) part_of; // by index of the surface's bodies, RBL_NONE: not ours
	rbl_obstacles_stats stats;

	// What the last call moved, one part after the other.
	RBL_ARRAY(rbl_surface_body_id) moved;
	RBL_ARRAY(rbl_vec3) moved_starts;
	RBL_ARRAY(rbl_vec3) moved_ends;

	// Scratch.
	rbl_obstacle_mesh mesh;
	RBL_ARRAY(rbl_vec3) placed;
	RBL_ARRAY(int) names;
	RBL_ARRAY(int32_t) marks; // by key: part + 1; 0 between calls
	RBL_ARRAY(int32_t) moved_bodies;
};

rbl_obstacles_def rbl_default_obstacles_def(void)
{
	return (rbl_obstacles_def){
		.categories = UINT32_MAX,
		.filter = { .categories = 1, .mask = UINT32_MAX, .is_static = true },
		.plane_reach = 100.0f,
		.cookie = OBSTACLES_COOKIE,
	};
}

static rbl_result check_def(const rbl_obstacles_def *def)
{
	if (!def || def->cookie != OBSTACLES_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_obstacles_def()");
	if ((unsigned)def->shape >= RBL_OBSTACLE_SHAPE_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "shape is %d", (int)def->shape);
	if (!(def->thickness >= 0.0f && def->thickness < INFINITY))
		return rbl_fail(RBL_BAD_ARGUMENT, "thickness is %g, must be finite and 0 or more",
		                (double)def->thickness);
	if (!(def->plane_reach > 0.0f && def->plane_reach <= RBL_MAX_COLLIDER_SIZE))
		return rbl_fail(RBL_BAD_ARGUMENT, "plane_reach is %g, must be above 0 to %g",
		                (double)def->plane_reach, (double)RBL_MAX_COLLIDER_SIZE);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "the allocator has only one of its functions");
	return RBL_OK;
}

rbl_result rbl_create_obstacles(rbl_surface *surface, const rbl_obstacles_def *def,
                                rbl_obstacles **obstacles)
{
	if (!obstacles)
		return rbl_fail(RBL_BAD_ARGUMENT, "obstacles is NULL");
	*obstacles = NULL;
	if (!surface)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL");
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_obstacles *made = RBL_NEW_ZERO(&allocator, rbl_obstacles, 1);
	if (!made)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for obstacles");
	made->surface = surface;
	made->def = *def;
	made->allocator = allocator;
	made->free_part = RBL_NONE;
	*obstacles = made;
	return RBL_OK;
}

// --- parts --------------------------------------------------------------------------------------

static void remove_part(rbl_obstacles *o, int index)
{
	obstacle_part *part = &o->parts.data[index];
	rbl_surface_remove(o->surface, part->id);
	o->part_of.data[part->id.index] = RBL_NONE;
	o->stats.part_count--;
	o->stats.removed_count++;
	o->stats.triangle_count -= part->triangle_count;
	RBL_FREE(&o->allocator, part->positions, part->vertex_count);
	*part = (obstacle_part){ .next = o->free_part };
	o->free_part = index;
}

static void remove_parts(rbl_obstacles *o, obstacle_body *body, bool keeps_wanted)
{
	int32_t *at = &body->first;
	while (*at != RBL_NONE) {
		int index = *at;
		if (keeps_wanted && o->parts.data[index].is_wanted) {
			at = &o->parts.data[index].next;
			continue;
		}
		*at = o->parts.data[index].next;
		remove_part(o, index);
	}
}

static void remove_body(rbl_obstacles *o, obstacle_body *body)
{
	o->stats.body_count -= body->state.generation != 0;
	remove_parts(o, body, false);
	body->state = (obstacle_state){ 0 };
}

static bool name_items(rbl_obstacles *o, int count)
{
	int old = o->names.count;
	if (count > old && !rbl_array_resize(&o->allocator, &o->names, count))
		return false;
	for (int i = old; i < o->names.count; ++i)
		o->names.data[i] = i;
	return true;
}

static bool enter_place(rbl_obstacles *o, rbl_surface_body_id id)
{
	int old = o->part_of.count, end = (int)id.index + 1;
	if (end > old && !rbl_array_resize(&o->allocator, &o->part_of, end))
		return false;
	for (int i = old; i < end; ++i)
		o->part_of.data[i] = RBL_NONE;
	return true;
}

// Add the scratch mesh, whose positions are in the body's frame, as a part. What fails changes
// nothing.
static rbl_result add_part(rbl_obstacles *o, int body, rbl_transform pose, obstacle_part part)
{
	int vertex_count = o->mesh.positions.count, triangle_count = o->mesh.triangles.count / 3;
	if (triangle_count == 0)
		return RBL_OK;
	bool has_space = o->free_part != RBL_NONE || rbl_array_extend(&o->allocator, &o->parts, 1);
	if (!has_space || !name_items(o, rbl_maxi(vertex_count, triangle_count)) ||
	    !rbl_array_reserve(&o->allocator, &o->placed, vertex_count))
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for an obstacle");
	part.positions = RBL_NEW(&o->allocator, rbl_vec3, vertex_count);
	if (!part.positions)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for an obstacle");
	memcpy(part.positions, o->mesh.positions.data, (size_t)vertex_count * sizeof(rbl_vec3));
	for (int v = 0; v < vertex_count; ++v)
		o->placed.data[v] = rbl_transform_point(pose, part.positions[v]);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = vertex_count, def.positions = o->placed.data;
	def.triangle_count = triangle_count, def.triangles = o->mesh.triangles.data;
	def.vertex_user_ids = def.triangle_user_ids = o->names.data;
	def.thickness = o->def.thickness;
	def.filter = o->def.filter;
	def.user_id = (uint64_t)(uint32_t)body << 32 | (uint32_t)part.number;
	rbl_result result = rbl_surface_add(o->surface, &def, &part.id);
	if (result == RBL_OK && !enter_place(o, part.id)) {
		rbl_surface_remove(o->surface, part.id);
		result = rbl_fail(RBL_OUT_OF_MEMORY, "no memory for an obstacle");
	}
	if (result != RBL_OK) {
		RBL_FREE(&o->allocator, part.positions, vertex_count);
		return result;
	}
	part.body = body;
	part.vertex_count = vertex_count, part.triangle_count = triangle_count;
	part.is_wanted = true;
	int index = o->free_part != RBL_NONE ? o->free_part : o->parts.count++;
	if (index == o->free_part)
		o->free_part = o->parts.data[index].next;
	part.next = o->bodies.data[body].first;
	o->bodies.data[body].first = index;
	o->parts.data[index] = part;
	o->part_of.data[part.id.index] = index;
	o->stats.part_count++;
	o->stats.added_count++;
	o->stats.triangle_count += triangle_count;
	return RBL_OK;
}

// --- bodies -------------------------------------------------------------------------------------

static bool can_be_obstacle(const rbl_obstacles *o, const rbl_world *world, int body)
{
	uint32_t flags = world->motions[body].flags;
	return rbl_id_pool_is_live(&world->body_ids, body) && (flags & RBL_BODY_ENABLED) &&
	       !(flags & RBL_BODY_SENSOR) &&
	       (world->bodies[body].filter.category & o->def.categories) != 0;
}

static obstacle_state state_of(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	return (obstacle_state){
		.generation = rbl_world_body_id(world, body).generation,
		.first_part = b->first_part,
		.part_count = b->part_count,
		.first_generation = b->first_part == RBL_NONE
		                        ? 0
		                        : rbl_id_pool_at(&world->part_ids, b->first_part).generation,
	};
}

static bool is_same_state(obstacle_state a, obstacle_state b)
{
	return a.generation == b.generation && a.first_part == b.first_part &&
	       a.part_count == b.part_count && a.first_generation == b.first_generation;
}

// Whether a body has a part already, which stays then.
static bool keep_part(rbl_obstacles *o, uint32_t key, uint64_t life)
{
	int index = key < (uint32_t)o->marks.count ? o->marks.data[key] - 1 : -1;
	if (index < 0 || o->parts.data[index].life != life)
		return false;
	o->parts.data[index].is_wanted = true;
	return true;
}

// Note the parts of a body by key. @return false when memory ran out
static bool mark_parts(rbl_obstacles *o, const obstacle_body *body)
{
	uint32_t end = 0;
	for (int i = body->first; i != RBL_NONE; i = o->parts.data[i].next)
		end = o->parts.data[i].key >= end ? o->parts.data[i].key + 1 : end;
	int old = o->marks.count;
	if (end > (uint32_t)old && !rbl_array_resize(&o->allocator, &o->marks, (int64_t)end))
		return false;
	for (int i = old; i < o->marks.count; ++i)
		o->marks.data[i] = 0;
	for (int i = body->first; i != RBL_NONE; i = o->parts.data[i].next) {
		o->marks.data[o->parts.data[i].key] = i + 1;
		o->parts.data[i].is_wanted = false;
	}
	return true;
}

static rbl_result add_compound(rbl_obstacles *o, int body, rbl_transform pose,
                               const rbl_compound *compound)
{
	rbl_result result = RBL_OK;
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end && result == RBL_OK; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.convex || keep_part(o, (uint32_t)i, part.shape))
			continue;
		result = rbl_obstacle_from_part(&o->allocator, &part, o->def.shape, &o->mesh);
		if (result == RBL_OK)
			result =
				add_part(o, body, pose,
			             (obstacle_part){ .key = (uint32_t)i, .life = part.shape, .number = i });
	}
	return result;
}

static rbl_result add_colliders(rbl_obstacles *o, const rbl_world *world, int body,
                                rbl_transform pose)
{
	rbl_result result = RBL_OK;
	for (int p = world->bodies[body].first_part; p != RBL_NONE && result == RBL_OK;
	     p = world->parts[p].next) {
		uint32_t generation = rbl_id_pool_at(&world->part_ids, p).generation;
		if (rbl_world_part_is_sensor(world, p) || keep_part(o, (uint32_t)p, generation))
			continue;
		result = rbl_obstacle_from_collider(&o->allocator, world->parts[p].collider,
		                                    o->def.plane_reach, &o->mesh);
		rbl_transform local =
			world->hot_parts[p].is_placed ? world->parts[p].local : rbl_transform_identity();
		local.position = rbl_add(local.position, world->bodies[body].local_centre);
		for (int v = 0; v < o->mesh.positions.count && result == RBL_OK; ++v)
			o->mesh.positions.data[v] = rbl_transform_point(local, o->mesh.positions.data[v]);
		if (result == RBL_OK)
			result = add_part(o, body, pose,
			                  (obstacle_part){ .key = (uint32_t)p,
			                                   .life = generation,
			                                   .number = world->parts[p].child });
	}
	return result;
}

// Where a body was some time ago, by its velocity.
static rbl_transform pose_before(const rbl_world *world, int body, float dt)
{
	const rbl_body_motion *m = &world->motions[body];
	rbl_vec3 w = rbl_scale(-0.5f * dt, m->angular_velocity);
	rbl_quat q = m->rotation, turn = rbl_quat_mul((rbl_quat){ w.x, w.y, w.z, 0.0f }, q);
	q = rbl_quat_normalize((rbl_quat){ q.x + turn.x, q.y + turn.y, q.z + turn.z, q.w + turn.w });
	rbl_vec3 centre = rbl_add_scaled(m->centre, -dt, m->velocity);
	rbl_vec3 offset = rbl_rotate(q, world->bodies[body].local_centre);
	bool rests = dt == 0.0f || world->bodies[body].kind == RBL_BODY_STATIC;
	return rests ? rbl_body_pose(world, rbl_world_body_id(world, body))
	             : (rbl_transform){ rbl_sub(centre, offset), q };
}

// Bring the parts of a body up to date. Those that stay are still where they were, and new ones are
// added there.
static rbl_result refresh_body(rbl_obstacles *o, const rbl_world *world, int body,
                               obstacle_state state, float dt)
{
	obstacle_body *of = &o->bodies.data[body];
	rbl_body_id id = { (uint32_t)body, state.generation };
	if (of->state.generation != state.generation) {
		remove_body(o, of);
		of->pose = pose_before(world, body, dt);
		of->state.generation = state.generation;
		o->stats.body_count++;
	}
	of->state.part_count = -1; // until all of it is done
	if (!mark_parts(o, of))
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for obstacles");
	const rbl_compound *compound = rbl_body_get_compound(world, id);
	rbl_result result = compound ? add_compound(o, body, of->pose, compound)
	                             : add_colliders(o, world, body, of->pose);
	for (int i = of->first; i != RBL_NONE; i = o->parts.data[i].next)
		if (o->parts.data[i].key < (uint32_t)o->marks.count)
			o->marks.data[o->parts.data[i].key] = 0;
	if (result != RBL_OK)
		return result;
	remove_parts(o, of, true);
	of->state = state;
	return RBL_OK;
}

// Note that a body moves. @return false when memory ran out
static bool stage_move(rbl_obstacles *o, int body)
{
	for (int i = o->bodies.data[body].first; i != RBL_NONE; i = o->parts.data[i].next)
		if (!rbl_array_push(&o->allocator, &o->moved, o->parts.data[i].id))
			return false;
	return rbl_array_push(&o->allocator, &o->moved_bodies, body);
}

static rbl_result move_surface(rbl_obstacles *o)
{
	return o->moved.count == 0 ? RBL_OK
	                           : rbl_surface_move_bodies(o->surface, o->moved.data, o->moved.count,
	                                                     o->moved_starts.data, o->moved_ends.data);
}

// Move all parts of the bodies that were noted.
static rbl_result move_parts(rbl_obstacles *o, const rbl_world *world)
{
	o->moved_starts.count = o->moved_ends.count = 0;
	for (int i = 0; i < o->moved.count; ++i) {
		const obstacle_part *part = &o->parts.data[o->part_of.data[o->moved.data[i].index]];
		if (!rbl_array_extend(&o->allocator, &o->moved_starts, part->vertex_count) ||
		    !rbl_array_extend(&o->allocator, &o->moved_ends, part->vertex_count))
			return o->moved.count = 0, rbl_fail(RBL_OUT_OF_MEMORY, "no memory to move obstacles");
		rbl_transform from = o->bodies.data[part->body].pose;
		rbl_transform to = rbl_body_pose(world, rbl_world_body_id(world, part->body));
		rbl_vec3 *start = o->moved_starts.data + o->moved_starts.count;
		rbl_vec3 *end = o->moved_ends.data + o->moved_ends.count;
		for (int v = 0; v < part->vertex_count; ++v) {
			start[v] = rbl_transform_point(from, part->positions[v]);
			end[v] = rbl_transform_point(to, part->positions[v]);
		}
		o->moved_starts.count += part->vertex_count;
		o->moved_ends.count += part->vertex_count;
	}
	rbl_result result = move_surface(o);
	for (int i = 0; i < o->moved_bodies.count && result == RBL_OK; ++i) {
		int body = o->moved_bodies.data[i];
		o->bodies.data[body].pose = rbl_body_pose(world, rbl_world_body_id(world, body));
	}
	o->stats.moved_count = result == RBL_OK ? o->moved.count : 0;
	if (result != RBL_OK)
		o->moved.count = 0;
	return result;
}

static rbl_result follow_bodies(rbl_obstacles *o, const rbl_world *world, float dt)
{
	int slots = world->body_ids.slot_count, old = o->bodies.count;
	if (slots > old && !rbl_array_resize(&o->allocator, &o->bodies, slots))
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for obstacles");
	for (int i = old; i < slots; ++i)
		o->bodies.data[i] = (obstacle_body){ .first = RBL_NONE };
	o->moved_bodies.count = 0;
	for (int i = 0; i < o->bodies.count; ++i) {
		obstacle_body *body = &o->bodies.data[i];
		if (i >= slots || !can_be_obstacle(o, world, i)) {
			if (body->state.generation != 0)
				remove_body(o, body);
			continue;
		}
		obstacle_state state = state_of(world, i);
		rbl_transform pose = rbl_body_pose(world, (rbl_body_id){ (uint32_t)i, state.generation });
		if (!is_same_state(state, body->state)) {
			rbl_result result = refresh_body(o, world, i, state, dt);
			if (result != RBL_OK) {
				o->moved.count = 0;
				return result;
			}
		}
		if (memcmp(&pose, &body->pose, sizeof pose) != 0 && !stage_move(o, i)) {
			o->moved.count = 0;
			return rbl_fail(RBL_OUT_OF_MEMORY, "no memory to move obstacles");
		}
	}
	return move_parts(o, world);
}

rbl_result rbl_obstacles_sync(rbl_obstacles *obstacles, const rbl_world *world, float dt)
{
	if (!obstacles)
		return rbl_fail(RBL_BAD_ARGUMENT, "obstacles is NULL");
	if (!(dt >= 0.0f && dt < 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "dt is %g, must be 0 or more", (double)dt);
	rbl_obstacles *o = obstacles;
	o->stats.added_count = o->stats.removed_count = o->stats.moved_count = 0;
	if (o->world != world)
		for (int i = 0; i < o->bodies.count; ++i)
			remove_body(o, &o->bodies.data[i]);
	o->world = world;
	o->moved.count = 0;
	return world ? follow_bodies(o, world, dt) : RBL_OK;
}

rbl_result rbl_obstacles_repeat(rbl_obstacles *obstacles)
{
	return obstacles ? move_surface(obstacles) : rbl_fail(RBL_BAD_ARGUMENT, "obstacles is NULL");
}

void rbl_destroy_obstacles(rbl_obstacles *obstacles)
{
	if (!obstacles)
		return;
	rbl_obstacles *o = obstacles;
	for (int i = 0; i < o->bodies.count; ++i)
		remove_body(o, &o->bodies.data[i]);
	rbl_allocator allocator = o->allocator;
	rbl_obstacle_free_mesh(&allocator, &o->mesh);
	rbl_array_free(&allocator, &o->bodies);
	rbl_array_free(&allocator, &o->parts);
	rbl_array_free(&allocator, &o->part_of);
	rbl_array_free(&allocator, &o->names);
	rbl_array_free(&allocator, &o->marks);
	rbl_array_free(&allocator, &o->moved);
	rbl_array_free(&allocator, &o->moved_bodies);
	rbl_array_free(&allocator, &o->moved_starts);
	rbl_array_free(&allocator, &o->moved_ends);
	rbl_array_free(&allocator, &o->placed);
	RBL_FREE(&allocator, o, 1);
}

// --- looking ------------------------------------------------------------------------------------

rbl_obstacle rbl_obstacles_find(const rbl_obstacles *obstacles, rbl_surface_body_id body)
{
	int index = obstacles && body.generation != 0 && body.index < (uint32_t)obstacles->part_of.count
	                ? obstacles->part_of.data[body.index]
	                : RBL_NONE;
	if (index == RBL_NONE || obstacles->parts.data[index].id.generation != body.generation)
		return (rbl_obstacle){ .part = 0 };
	const obstacle_part *part = &obstacles->parts.data[index];
	uint32_t generation = obstacles->bodies.data[part->body].state.generation;
	return (rbl_obstacle){ { (uint32_t)part->body, generation }, part->number };
}

rbl_surface_body_id rbl_obstacles_part(const rbl_obstacles *obstacles, rbl_body_id body, int part)
{
	rbl_surface_body_id found = { 0, 0 };
	if (!obstacles || body.generation == 0 || body.index >= (uint32_t)obstacles->bodies.count ||
	    obstacles->bodies.data[body.index].state.generation != body.generation)
		return found;
	int i = obstacles->bodies.data[body.index].first;
	for (; i != RBL_NONE; i = obstacles->parts.data[i].next)
		if (obstacles->parts.data[i].number == part)
			found = obstacles->parts.data[i].id;
	return found;
}

rbl_obstacles_stats rbl_obstacles_get_stats(const rbl_obstacles *obstacles)
{
	return obstacles ? obstacles->stats : (rbl_obstacles_stats){ 0 };
}
