// SPDX-License-Identifier: MIT
//
// Worlds: definition, creation and destruction, and what concerns all bodies at once.

#include "world/world.h"

#include "base/log.h"
#include "fracture/fracture.h"
#include "world/recording.h"

enum { WORLD_COOKIE = 0x776f726c };

// Origins are shifted by multiples of this, in metres.
#define SHIFT_UNIT 64.0f

rbl_world_def rbl_default_world_def(void)
{
	return (rbl_world_def){ .gravity = { 0.0f, -9.81f, 0.0f },
		                    .substep_count = 16,
		                    .can_sleep = true,
		                    .length_scale = 1.0f,
		                    .hit_speed = 1.0f,
		                    .restitution_speed = 1.0f,
		                    .budget = 1200,
		                    .chip_limit = 2000,
		                    .cookie = WORLD_COOKIE };
}

static bool is_gravity(rbl_vec3 g)
{
	return fabsf(g.x) <= 1e4f && fabsf(g.y) <= 1e4f && fabsf(g.z) <= 1e4f;
}

static rbl_result check_world_def(const rbl_world_def *def)
{
	if (!def || def->cookie != WORLD_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_world_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	if (!is_gravity(def->gravity))
		return rbl_fail(RBL_BAD_ARGUMENT, "gravity is not finite, or above 1e4");
	if (def->substep_count < 1 || def->substep_count > 64)
		return rbl_fail(RBL_BAD_ARGUMENT, "substep_count is %d, must be 1 to 64",
		                def->substep_count);
	if (!(def->hit_speed > 0.0f) || !(def->restitution_speed >= 0.0f) || !(def->hit_speed < 1e6f) ||
	    !(def->restitution_speed < 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "hit_speed or restitution_speed is out of range");
	if (def->length_scale != 0.0f && !(def->length_scale >= 1e-6f && def->length_scale <= 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "length_scale is %g, must be 1e-6 to 1e6",
		                (double)def->length_scale);
	if (!(def->slide_speed >= 0.0f && def->slide_speed < 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "slide_speed is %g, must be >= 0 and below 1e6",
		                (double)def->slide_speed);
	const struct {
		const char *field;
		int value, least, most;
	} counts[] = {
		{ "capacity_hint", def->capacity_hint, 0, RBL_MAX_BODIES },
		{ "budget", def->budget, 0, INT32_MAX },
		{ "body_limit", def->body_limit, 0, INT32_MAX },
		{ "debris_limit", def->debris_limit, 0, INT32_MAX },
		{ "chip_limit", def->chip_limit, 0, RBL_MAX_BODIES },
	};
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
		if (counts[i].value < counts[i].least || counts[i].value > counts[i].most)
			return rbl_fail(RBL_BAD_ARGUMENT, "%s is %d, must be %d to %d", counts[i].field,
			                counts[i].value, counts[i].least, counts[i].most);
	if (!(def->freeze_time >= 0.0f && def->freeze_time < 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "freeze_time is %g", (double)def->freeze_time);
	if (!(def->bake_time >= 0.0f && def->bake_time < 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "bake_time is %g", (double)def->bake_time);
	return RBL_OK;
}

// A solver contact has lost its points for want of memory: its manifold must be given again,
// although nothing has moved. A contact without a pair is about to be removed.
static void lose_points(void *user, uint32_t contact)
{
	rbl_world *world = user;
	int pair = world->contacts.data[contact].pair;
	if (pair == RBL_NONE)
		return;
	rbl_world_invalidate_pair(world, pair);
	world->stats.lost_count++;
}

static rbl_result make_solver(rbl_world *world)
{
	if (world->def.detects_only)
		return RBL_OK;
	rbl_solver_def def = rbl_default_solver_def();
	def.allocator = world->allocator;
	def.jobs = world->def.jobs;
	// A body that breaks exists beside its fragments for a moment.
	def.body_capacity = world->def.capacity_hint > 0
	                        ? world->def.capacity_hint + world->def.capacity_hint / 64 + 16
	                        : 0;
	def.restitution_speed = world->def.restitution_speed;
	def.hit_speed = world->def.hit_speed;
	def.can_sleep = world->def.can_sleep;
	def.length_scale = world->def.length_scale;
	def.speed_limit = RBL_MAX_SPEED;
	def.lose_points = lose_points;
	def.user = world;
	return rbl_create_solver(&def, &world->solver);
}

rbl_broadphase_def rbl_world_broadphase_def(const rbl_world *world)
{
	rbl_broadphase_def def = rbl_default_broadphase_def();
	def.allocator = world->allocator;
	def.jobs = world->def.jobs;
	def.capacity_hint = world->def.capacity_hint;
	def.margin = rbl_world_length(world, def.margin);
	return def;
}

// Of a world whose bodies are small.
static int find_substep_count(const rbl_world_def *def)
{
	const float most = 64.0f;
	float count = (float)def->substep_count / sqrtf(rbl_minf(def->length_scale, 1.0f));
	return (int)ceilf(rbl_minf(count, most));
}

rbl_result rbl_create_world(const rbl_world_def *def, rbl_world **world)
{
	if (!world)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL");
	*world = NULL;
	rbl_result result = check_world_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_world *w = RBL_NEW_ZERO(&allocator, rbl_world, 1);
	if (!w)
		return RBL_OUT_OF_MEMORY;
	w->allocator = allocator;
	w->def = *def;
	if (w->def.length_scale == 0.0f)
		w->def.length_scale = 1.0f;
	w->speed_scale = sqrtf(w->def.length_scale);
	w->substep_count = find_substep_count(&w->def);
	w->last_dt = 1.0f / 60.0f;
	w->free_pair = w->free_contact = w->free_surface = w->free_trait = RBL_NONE;
	rbl_arena_init(&w->arena, &allocator, 0);
	for (int i = 0; i < 2; ++i)
		rbl_tree_pool_init(&w->mover_nodes[i], &allocator, 0);
	rbl_broadphase_def broadphase_def = rbl_world_broadphase_def(w);
	result = rbl_create_broadphase(&broadphase_def, &w->broadphase);
	if (result == RBL_OK)
		result = make_solver(w);
	if (result != RBL_OK) {
		rbl_destroy_world(w);
		return result;
	}
	*world = w;
	return RBL_OK;
}

static void free_bodies(rbl_world *w)
{
	RBL_EACH_LIVE (i, &w->body_ids) {
		rbl_destroy_compound(w->bodies[i].compound);
		rbl_destroy_asset((rbl_asset *)(uintptr_t)w->bodies[i].asset);
		RBL_EACH_PART (p, w, i) {
			rbl_destroy_part_field(&w->allocator, w->parts[p].field);
			rbl_destroy_collider((rbl_collider *)(uintptr_t)w->parts[p].collider);
		}
	}
}

static void free_events(rbl_world *w)
{
	const rbl_allocator *a = &w->allocator;
	rbl_array_free(a, &w->begins);
	rbl_array_free(a, &w->ends);
	rbl_array_free(a, &w->pending_ends);
	rbl_array_free(a, &w->hits);
	rbl_array_free(a, &w->sensors);
	rbl_array_free(a, &w->pending_sensors);
	rbl_array_free(a, &w->sleeps);
	rbl_array_free(a, &w->joint_events);
	rbl_array_free(a, &w->fractures);
	rbl_array_free(a, &w->fracture_bodies);
	rbl_array_free(a, &w->dust);
	rbl_array_free(a, &w->fracture_parts);
	rbl_array_free(a, &w->emitters);
	rbl_array_free(a, &w->exposed_triangles);
	rbl_array_free(a, &w->exposed_ends);
	rbl_array_free(a, &w->exposed);
	rbl_array_free(a, &w->fragment_of);
	rbl_array_free(a, &w->retires);
	rbl_array_free(a, &w->pending_retires);
	rbl_array_free(a, &w->slides);
	rbl_array_free(a, &w->pending_slides);
	rbl_array_free(a, &w->unfreezes);
}

static void free_loaded(rbl_world *w)
{
	for (int i = 0; i < w->loaded_colliders.count; ++i)
		rbl_destroy_collider(w->loaded_colliders.data[i]);
	for (int i = 0; i < w->loaded_shapes.count; ++i) {
		rbl_destroy_field_shape(w->loaded_shapes.data[i].own_shape);
		rbl_destroy_distance_field(w->loaded_shapes.data[i].own_field);
	}
	for (int i = 0; i < w->original_fields.count; ++i)
		rbl_destroy_distance_field(w->original_fields.data[i]);
	rbl_array_free(&w->allocator, &w->original_fields);
	rbl_array_free(&w->allocator, &w->loaded_shapes);
	rbl_world_free_materials(w);
	rbl_world_free_chips(w);
	rbl_array_free(&w->allocator, &w->loaded_colliders);
}

static void free_arrays(rbl_world *w)
{
	const rbl_allocator *a = &w->allocator;
	for (int i = 0; i < w->surfaces.count; ++i) {
		rbl_destroy_contacts(w->surfaces.data[i].contacts);
		rbl_destroy_pair_field(a, w->surfaces.data[i].field);
	}
	rbl_world_free_field_work(w);
	rbl_array_free(a, &w->relatives);
	for (int i = 0; i < w->blocks.count; ++i) {
		rbl_array_free(a, &w->blocks.data[i].found);
		rbl_array_free(a, &w->blocks.data[i].lost);
		rbl_array_free(a, &w->blocks.data[i].merged);
		rbl_array_free(a, &w->blocks.data[i].deep);
	}
	rbl_array_free(a, &w->blocks);
	rbl_array_free(a, &w->surfaces);
	rbl_array_free(a, &w->contacts);
	rbl_array_free(a, &w->active);
	rbl_bit_set_free(a, &w->active_pairs);
	rbl_bit_set_free(a, &w->follower_pairs);
	rbl_map_free(a, &w->merged_lists);
	rbl_bit_set_free(a, &w->marked);
	rbl_array_free(a, &w->dirty);
	rbl_array_free(a, &w->new_bodies);
	rbl_array_free(a, &w->moved);
	rbl_array_free(a, &w->moved_proxies);
	rbl_array_free(a, &w->moved_boxes);
	rbl_array_free(a, &w->commands);
	rbl_array_free(a, &w->queued_bodies);
	rbl_array_free(a, &w->queued_joints);
	rbl_map_free(a, &w->sensor_visits);
	RBL_FREE(a, w->pairs, w->pair_capacity);
	RBL_FREE(a, w->links, w->pair_capacity);
	RBL_FREE(a, w->motions, w->body_capacity);
	RBL_FREE(a, w->bodies, w->body_capacity);
	RBL_FREE(a, w->hot_parts, w->part_capacity);
	RBL_FREE(a, w->parts, w->part_capacity);
	rbl_id_pool_free(a, &w->body_ids);
	rbl_id_pool_free(a, &w->part_ids);
}

void rbl_destroy_world(rbl_world *world)
{
	if (!world)
		return;
	rbl_record_free(world);
	rbl_world_free_breaks(world);
	rbl_world_free_stresses(world);
	free_bodies(world);
	rbl_world_free_baked_bodies(world);
	free_events(world);
	free_arrays(world);
	free_loaded(world);
	rbl_world_free_joints(world);
	rbl_destroy_solver(world->solver);
	rbl_destroy_broadphase(world->broadphase);
	rbl_arena_destroy(&world->arena);
	for (int i = 0; i < 2; ++i)
		rbl_tree_pool_destroy(&world->mover_nodes[i]);
	rbl_allocator allocator = world->allocator;
	RBL_FREE(&allocator, world, 1);
}

// --- all bodies at once -------------------------------------------------------------------------

static void wake_all(rbl_world *world)
{
	RBL_EACH_LIVE (i, &world->body_ids)
		rbl_world_wake(world, i);
}

rbl_result rbl_world_apply_gravity(rbl_world *world, rbl_vec3 gravity)
{
	rbl_vec3 old = world->def.gravity;
	if (old.x == gravity.x && old.y == gravity.y && old.z == gravity.z) {
		world->def.gravity = gravity; // zero has two signs
		return RBL_OK;
	}
	const float far = 1e9f;
	if (!rbl_world_release_box(world, (rbl_box){ { -far, -far, -far }, { far, far, far } }))
		return RBL_OUT_OF_MEMORY;
	world->def.gravity = gravity;
	for (int i = 0; i < world->stresses.count; ++i)
		world->stresses.data[i].is_converged = false;
	wake_all(world);
	return RBL_OK;
}

rbl_result rbl_world_set_gravity(rbl_world *world, rbl_vec3 gravity)
{
	if (!world || !is_gravity(gravity))
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or gravity not finite or above 1e4");
	rbl_command command = { .kind = RBL_COMMAND_SET_GRAVITY, .a = gravity };
	rbl_result result = world->is_stepping ? rbl_world_queue_command(world, &command)
	                                       : rbl_world_apply_gravity(world, gravity);
	if (result == RBL_OK)
		rbl_record_gravity(world, gravity);
	return result;
}

rbl_vec3 rbl_world_gravity(const rbl_world *world)
{
	return world ? world->def.gravity : (rbl_vec3){ 0.0f, 0.0f, 0.0f };
}

rbl_result rbl_world_set_budget(rbl_world *world, int budget)
{
	if (!world || budget < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or budget is %d, must be >= 0", budget);
	if (world->is_stepping || world->is_reporting)
		return rbl_fail(RBL_BAD_ARGUMENT, "the budget cannot be changed during a step");
	world->def.budget = budget;
	rbl_record_budget(world, budget);
	return RBL_OK;
}

int rbl_world_budget(const rbl_world *world)
{
	return world ? world->def.budget : 0;
}

bool rbl_world_can_sleep(const rbl_world *world)
{
	return world && world->def.can_sleep;
}

rbl_result rbl_world_set_can_sleep(rbl_world *world, bool can_sleep)
{
	if (!world || world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or in a step");
	world->def.can_sleep = can_sleep;
	rbl_record_can_sleep(world, can_sleep);
	if (!world->solver)
		return RBL_OK;
	rbl_solver_set_can_sleep(world->solver, can_sleep);
	if (!can_sleep)
		wake_all(world);
	return RBL_OK;
}

int rbl_world_body_count(const rbl_world *world)
{
	return world ? world->body_ids.live_count : 0;
}

int rbl_world_get_bodies(const rbl_world *world, rbl_body_id *bodies, int capacity)
{
	int n = 0;
	for (int i = 0; world && i < world->body_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i))
			continue;
		if (bodies && n < capacity)
			bodies[n] = rbl_world_body_id(world, i);
		n++;
	}
	return n;
}

// --- shifting the origin ------------------------------------------------------------------------

static bool is_multiple(float x)
{
	return fabsf(x) <= RBL_MAX_POSITION && floorf(x / SHIFT_UNIT) * SHIFT_UNIT == x;
}

// A float keeps all its digits when a multiple of 64 is subtracted that brings it nearer to zero.
// What a later step reads is shifted too.
rbl_result rbl_world_shift_origin(rbl_world *world, rbl_vec3 offset)
{
	if (!world || world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or in a step");
	if (!is_multiple(offset.x) || !is_multiple(offset.y) || !is_multiple(offset.z))
		return rbl_fail(RBL_BAD_ARGUMENT, "offset must be multiples of %g up to %g",
		                (double)SHIFT_UNIT, (double)RBL_MAX_POSITION);
	int count = world->body_ids.slot_count;
	rbl_vec3 shift = rbl_neg(offset);
	for (int i = 0; i < count; ++i)
		if (rbl_id_pool_is_live(&world->body_ids, i) &&
		    !rbl_world_is_in_range(rbl_add(world->motions[i].centre, shift)))
			return rbl_fail(RBL_BAD_ARGUMENT, "body %d would be too far away", i);
	if (!rbl_array_reserve(&world->allocator, &world->dirty, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i))
			continue;
		world->motions[i].centre = rbl_add(world->motions[i].centre, shift);
		if (world->motions[i].flags & RBL_BODY_ENABLED)
			rbl_world_mark_dirty(world, i);
	}
	for (int i = 0; i < world->contacts.count; ++i)
		for (int k = 0; k < world->contacts.data[i].manifold.point_count; ++k) {
			rbl_vec3 *p = &world->contacts.data[i].manifold.points[k].position;
			*p = rbl_add(*p, shift);
		}
	if (world->solver)
		rbl_solver_shift(world->solver, shift);
	rbl_record_shift(world, offset);
	return RBL_OK;
}

// --- looking inside -----------------------------------------------------------------------------

uint64_t rbl_world_hash(const rbl_world *world)
{
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; world && i < world->body_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&world->body_ids, i))
			continue;
		const rbl_body_motion *m = &world->motions[i];
		const float values[] = { m->centre.x,          m->centre.y,           m->centre.z,
			                     m->rotation.x,        m->rotation.y,         m->rotation.z,
			                     m->rotation.w,        m->velocity.x,         m->velocity.y,
			                     m->velocity.z,        m->angular_velocity.x, m->angular_velocity.y,
			                     m->angular_velocity.z };
		hash = rbl_hash_bytes(hash, values, sizeof values);
		hash = rbl_hash_number(hash, (uint64_t)i << 32 | (m->flags & RBL_BODY_AWAKE));
		hash = rbl_compound_hash_damage(world->bodies[i].compound, hash);
		const rbl_world_baked_body *baked = rbl_world_get_baked_body(world, i);
		for (int k = 0; baked && k < baked->fragments.count; ++k)
			hash =
				rbl_hash_number(hash, (uint64_t)k << 33 | baked->fragments.data[k].fragment_number |
			                              (uint64_t)baked->fragments.data[k].is_unsupported << 32);
	}
	return hash;
}

// Records of bodies and parts, and colliders that the world created for them.
static size_t body_bytes(const rbl_world *world)
{
	size_t bytes = (size_t)world->body_capacity * (sizeof *world->motions + sizeof *world->bodies) +
	               (size_t)world->part_capacity * (sizeof *world->hot_parts + sizeof *world->parts);
	enum { AHEAD = 16 };
	for (int i = 0; i < world->part_ids.slot_count; ++i) {
		const rbl_collider *later =
			i + AHEAD < world->part_ids.slot_count ? world->parts[i + AHEAD].collider : NULL;
		if (later)
			rbl_prefetch(&later->size);
		if (rbl_id_pool_is_live(&world->part_ids, i) &&
		    (world->motions[world->hot_parts[i].body].flags & RBL_BODY_OWNS_COLLIDERS))
			bytes += world->parts[i].collider->size;
	}
	for (int i = 0; world->field_part_count > 0 && i < world->part_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&world->part_ids, i) && world->parts[i].field)
			bytes += sizeof(rbl_part_field) +
			         rbl_field_shape_get_info(world->parts[i].field->own_shape).bytes +
			         rbl_distance_field_get_info(world->parts[i].field->own_field).bytes;
	return bytes;
}

rbl_world_stats rbl_world_get_stats(const rbl_world *world)
{
	if (!world)
		return (rbl_world_stats){ .body_count = 0 };
	rbl_world_stats s = world->stats;
	s.body_count = world->body_ids.live_count;
	s.part_count = world->part_ids.live_count;
	s.pair_count = world->pair_count;
	s.joint_count = world->joint_ids.live_count;
	s.baked_count = world->baked_count;
	s.begin_count = world->begins.count;
	s.end_count = world->ends.count;
	s.awake_count = s.static_count = s.touching_count = s.point_count = 0;
	RBL_EACH_LIVE (i, &world->body_ids) {
		s.static_count += world->bodies[i].kind == RBL_BODY_STATIC;
		s.awake_count += rbl_world_is_awake(world, i);
	}
	for (int i = 0; i < world->contacts.count; ++i) {
		const rbl_world_contact *contact = &world->contacts.data[i];
		int points = contact->pair == RBL_NONE ? 0 : contact->manifold.point_count;
		s.point_count += points;
		s.touching_count += points > 0;
	}
	s.body_bytes = body_bytes(world);
	s.bytes = s.body_bytes + sizeof *world +
	          (size_t)world->pair_capacity * (sizeof *world->pairs + sizeof *world->links) +
	          (size_t)world->active.capacity * sizeof *world->active.data +
	          (size_t)world->contacts.capacity * sizeof *world->contacts.data +
	          rbl_tree_pool_memory(&world->mover_nodes[0]) +
	          rbl_tree_pool_memory(&world->mover_nodes[1]) +
	          rbl_broadphase_get_stats(world->broadphase).bytes;
	for (int i = 0; i < world->baked_bodies.count; ++i)
		s.bytes += (size_t)world->baked_bodies.data[i].fragments.capacity *
		           sizeof(rbl_world_baked_fragment);
	if (world->solver) {
		rbl_solver_counts counts = rbl_solver_count(world->solver);
		s.color_count = counts.colors;
		s.bytes += counts.bytes;
		s.body_bytes += counts.body_bytes;
	}
	return s;
}
