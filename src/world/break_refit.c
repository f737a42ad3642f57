// SPDX-License-Identifier: MIT
//
// Breaking: parts, mass and kind of a body follow its changed compound.
//
// Unchanged parts keep their proxies, pairs and contacts; the others are replaced in one call to
// the broad phase. So a hit on a building costs what it changed, and a comparison of each part. A
// part is unchanged when the hash of its vertices is: its convex may have moved in memory, and
// another may be at its address.
//
// A field body has one part, which is replaced as a whole.
//
// The centre of mass of a dynamic body changes with its parts. It gets the velocity of the same
// rigid motion there, so nothing jumps.

#include "world/world.h"

#include "base/log.h"
#include "world/mass.h"

typedef struct refit {
	rbl_world *world;
	int body;
	rbl_mass mass;
	rbl_vec3d centre; // of mass, in the shape's coordinates
	bool has_moved;   // the centre
	int old_count, new_count;
	int32_t *old_parts; // to be removed
	rbl_proxy_id *old_proxies;
	int32_t *new_children; // parts of the compound that are new
	rbl_collider **new_colliders;
	bool by_field;         // the new part is that of a field body
	rbl_part_field *field; // of it
	int32_t *new_parts;
	rbl_proxy_def *defs;
	rbl_proxy_id *proxies;
} refit;

// A large rest goes on as before: its hull would cost more than the break.
bool rbl_world_rest_wants_field(const rbl_world *world, int body, const rbl_compound *rest)
{
	enum { MOST_PARTS = 64 };
	const rbl_body *b = &world->bodies[body];
	uint32_t flags = world->motions[body].flags;
	if (rbl_compound_get_info(rest).part_count > MOST_PARTS && (flags & RBL_BODY_AUTOMATIC) &&
	    b->first_part != RBL_NONE)
		return world->parts[b->first_part].field != NULL;
	return rbl_compound_wants_field(world, rest, flags, b->original);
}

// Which parts stay, which go, and which are new. @return false when memory ran out
static bool compare_parts(refit *r)
{
	rbl_world *world = r->world;
	const rbl_body *b = &world->bodies[r->body];
	rbl_compound_info info = rbl_compound_get_info(b->compound);
	rbl_arena *arena = &world->arena;
	rbl_arena_reset(arena);
	int previous_count = b->part_count, count = info.part_count;
	uint8_t *is_kept = RBL_ARENA_NEW(arena, uint8_t, info.part_end);
	r->old_parts = RBL_ARENA_NEW(arena, int32_t, previous_count);
	r->old_proxies = RBL_ARENA_NEW(arena, rbl_proxy_id, previous_count);
	r->new_children = RBL_ARENA_NEW(arena, int32_t, count);
	r->new_colliders = RBL_ARENA_NEW(arena, rbl_collider *, count);
	r->new_parts = RBL_ARENA_NEW(arena, int32_t, count);
	r->defs = RBL_ARENA_NEW(arena, rbl_proxy_def, count);
	r->proxies = RBL_ARENA_NEW(arena, rbl_proxy_id, count);
	if (!is_kept || !r->old_parts || !r->old_proxies || !r->new_children || !r->new_colliders ||
	    !r->new_parts || !r->defs || !r->proxies)
		return false;
	memset(is_kept, 0, (size_t)info.part_end);
	r->by_field = rbl_world_rest_wants_field(world, r->body, b->compound);
	for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next) {
		int part = world->parts[p].child;
		rbl_compound_part now = rbl_compound_get_part(b->compound, part);
		bool is_convex = !r->by_field && !world->parts[p].field;
		if (is_convex && now.convex && now.shape == world->parts[p].shape) {
			is_kept[part] = 1;
		} else {
			r->old_proxies[r->old_count] = world->parts[p].proxy;
			r->old_parts[r->old_count++] = p;
			if (b->kind == RBL_BODY_STATIC)
				rbl_world_remove_part_support(world, p);
		}
	}
	if (r->by_field)
		r->new_children[r->new_count++] = 0;
	for (int part = 0; part < info.part_end && !r->by_field; ++part)
		if (!is_kept[part] && rbl_compound_get_part(b->compound, part).convex)
			r->new_children[r->new_count++] = part;
	return true;
}

static rbl_result make_colliders(refit *r)
{
	const rbl_body *b = &r->world->bodies[r->body];
	if (r->by_field) {
		rbl_result result = rbl_make_compound_field(r->world, b->compound, b->original,
		                                            r->new_colliders, &r->field);
		r->new_count = result == RBL_OK;
		return result;
	}
	rbl_new_collider *made = RBL_ARENA_NEW(&r->world->arena, rbl_new_collider, r->new_count);
	if (!made) {
		r->new_count = 0;
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < r->new_count; ++i)
		made[i] = (rbl_new_collider){
			.convex = rbl_compound_get_part(b->compound, r->new_children[i]).convex,
			.origin = r->centre,
		};
	rbl_world_make_colliders(r->world, made, r->new_count);
	rbl_result result = RBL_OK;
	for (int i = 0; i < r->new_count; ++i) {
		r->new_colliders[i] = made[i].collider;
		if (made[i].result == RBL_BAD_MESH) { // too thin for single precision: it does not collide
			made[i] = made[--r->new_count];
			r->new_children[i] = r->new_children[r->new_count];
			i--;
		} else if (made[i].result != RBL_OK && result == RBL_OK) {
			result = made[i].result;
		}
	}
	return result;
}

static void fill_new_parts(refit *r)
{
	rbl_world *world = r->world;
	const rbl_body *b = &world->bodies[r->body];
	for (int i = 0; i < r->new_count; ++i) {
		int p = (int)rbl_id_pool_add(&world->allocator, &world->part_ids).index;
		world->parts[p] =
			(rbl_world_part){ .collider = r->new_colliders[i],
			                  .local = rbl_transform_identity(),
			                  .material = r->by_field ? RBL_NONE
			                                          : rbl_world_compound_part_material(
															world, b->compound, r->new_children[i]),
			                  .child = r->new_children[i],
			                  .shape = rbl_compound_get_part(b->compound, r->new_children[i]).shape,
			                  .next = RBL_NONE,
			                  .first_pair = RBL_NONE };
		world->hot_parts[p] =
			(rbl_world_part_hot){ r->new_colliders[i]->polyhedron, r->body, 0, 0 };
		if (r->by_field) {
			world->parts[p].field = r->field;
			world->parts[p].shape = 0;
			world->parts[p].local.position = rbl_neg(rbl_to_f(r->centre));
			world->hot_parts[p].is_placed = 1;
		}
		r->new_parts[i] = p;
	}
}

// Unlink old parts from the body and free them.
static void drop_old_parts(refit *r)
{
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[r->body];
	for (int i = 0; i < r->old_count; ++i)
		world->hot_parts[r->old_parts[i]].polyhedron = NULL; // marks it for the loop below: of a
															 // field body no part stays
	int32_t *at = &b->first_part;
	while (*at != RBL_NONE) {
		int p = *at;
		if (world->hot_parts[p].polyhedron) {
			at = &world->parts[p].next;
			continue;
		}
		*at = world->parts[p].next;
		rbl_world_free_part(world, p);
		b->part_count--;
	}
}

// Move the centre of mass, and everything that is relative to it.
static void move_centre(refit *r)
{
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[r->body];
	rbl_body_motion *m = &world->motions[r->body];
	rbl_vec3 shift = rbl_sub(rbl_to_f(r->centre), b->local_centre),
			 rotated = rbl_rotate(m->rotation, shift);
	if (rbl_length_squared(shift) == 0.0f)
		return;
	r->has_moved = true;
	b->local_centre = rbl_to_f(r->centre);
	m->centre = rbl_add(m->centre, rotated);
	m->velocity = rbl_world_clamp_length(
		rbl_add(m->velocity, rbl_cross(m->angular_velocity, rotated)), RBL_MAX_SPEED);
	for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next) {
		world->parts[p].local.position = rbl_sub(world->parts[p].local.position, shift);
		world->hot_parts[p].is_placed = 1;
	}
	rbl_world_shift_joints(world, r->body, shift);
}

static void update_mass(refit *r)
{
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[r->body];
	double density = (double)world->materials.data[b->material].values.density;
	rbl_mat3d inertia = rbl_mat_scale_d(density, r->mass.inertia);
	b->mass = (float)(density * r->mass.volume);
	b->inertia = (rbl_mat3){ rbl_to_f(inertia.x), rbl_to_f(inertia.y), rbl_to_f(inertia.z) };
	float bounding_radius = 0.0f, inner_radius = FLT_MAX;
	for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next) {
		const rbl_collider *c = world->parts[p].collider;
		bounding_radius = rbl_maxf(bounding_radius, rbl_world_part_reach(c, world->parts[p].local));
		inner_radius =
			rbl_minf(inner_radius, rbl_world_part_inner_radius(c, world->parts[p].field));
	}
	world->motions[r->body].bounding_radius = bounding_radius;
	b->inner_radius = inner_radius;
}

static void update_solver_body(refit *r)
{
	rbl_world *world = r->world;
	const rbl_body *b = &world->bodies[r->body];
	const rbl_body_motion *m = &world->motions[r->body];
	if (b->solver_body == RBL_NONE)
		return;
	rbl_world_update_solver_body(world, r->body);
	rbl_solver_set_pose(world->solver, b->solver_body, m->centre, m->rotation);
	if (b->kind != RBL_BODY_STATIC)
		rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity, m->angular_velocity);
}

// Everything that can fail. @return RBL_OK, RBL_OUT_OF_MEMORY (nothing has changed)
static rbl_result prepare(refit *r)
{
	rbl_world *world = r->world;
	if (!compare_parts(r))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = make_colliders(r);
	if (result == RBL_OK && !(rbl_world_reserve_bodies(world, 0, r->new_count) &&
	                          rbl_array_extend(&world->allocator, &world->new_bodies, 1)))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		fill_new_parts(r);
		rbl_body_motion old = world->motions[r->body]; // boxes are made about the new centre
		rbl_vec3 shift = rbl_sub(rbl_to_f(r->centre), world->bodies[r->body].local_centre);
		world->motions[r->body].centre = rbl_add(old.centre, rbl_rotate(old.rotation, shift));
		for (int i = 0; i < r->new_count; ++i)
			r->defs[i] = rbl_world_proxy_def(world, r->new_parts[i]);
		world->motions[r->body] = old;
		bool is_enabled = old.flags & RBL_BODY_ENABLED;
		if (is_enabled)
			result = rbl_broadphase_replace_many(world->broadphase, r->old_proxies, r->old_count,
			                                     r->defs, r->new_count, r->proxies);
		for (int i = r->new_count - 1; i >= 0 && result != RBL_OK; --i)
			rbl_id_pool_take_back(&world->part_ids,
			                      rbl_id_pool_at(&world->part_ids, r->new_parts[i]));
		for (int i = 0; i < r->new_count && result == RBL_OK && is_enabled; ++i)
			world->parts[r->new_parts[i]].proxy = r->proxies[i];
	}
	for (int i = 0; i < r->new_count && result != RBL_OK; ++i)
		rbl_destroy_collider(r->new_colliders[i]);
	if (result != RBL_OK)
		rbl_destroy_part_field(&world->allocator, r->field);
	world->field_part_count += result == RBL_OK && r->field;
	return result;
}

static rbl_result refit_body(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	refit r = { .world = world, .body = body };
	rbl_body_kind kind = rbl_world_effective_kind(world, body, b->requested_kind);
	r.mass = rbl_world_compound_mass(world, b->compound,
	                                 world->materials.data[b->material].values.density);
	bool is_dynamic = kind == RBL_BODY_DYNAMIC && r.mass.volume > 0.0;
	r.centre = is_dynamic ? r.mass.centre : rbl_to_d(b->local_centre);
	rbl_result result = prepare(&r);
	if (result != RBL_OK)
		return result;
	drop_old_parts(&r);
	move_centre(&r);
	for (int i = r.new_count - 1; i >= 0; --i) {
		world->parts[r.new_parts[i]].next = b->first_part;
		b->first_part = r.new_parts[i];
		b->part_count++;
	}
	update_mass(&r);
	if (r.new_count > 0)
		rbl_world_mark_broken(world, body); // new parts may overlap what the old ones did
	bool was_static = b->kind == RBL_BODY_STATIC;
	if (kind != b->kind && is_dynamic)
		result = rbl_world_set_kind(world, body, kind);
	rbl_world_stress_changed(world, body);
	// A static body keeps the pairs of its unchanged parts; bodies that rested on an old part
	// were woken when the contact ended. Updating the solver would wake all that rests on the
	// body.
	if (was_static && b->kind == RBL_BODY_STATIC && !r.has_moved)
		return result;
	update_solver_body(&r);
	for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next)
		RBL_EACH_PAIR (i, world, p)
			world->pairs[i].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
	if (world->motions[body].flags & RBL_BODY_ENABLED)
		rbl_world_mark_dirty(world, body);
	rbl_world_activate_pairs(world, body);
	rbl_world_wake(world, body);
	return result;
}

void rbl_world_refit_or_retry(rbl_world *world, rbl_body_id id)
{
	if (refit_body(world, (int)id.index) == RBL_OK)
		return;
	world->stats.lost_count++;
	rbl_damage_request later = { .body = id, .energy = -1.0f }; // only refit it
	world->lost_events += !rbl_array_push(&world->allocator, &world->damage_requests, later);
}
