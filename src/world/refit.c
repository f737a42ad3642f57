// SPDX-License-Identifier: MIT
//
// A body whose compound has changed: its pieces follow.
//
// Parts that are what they were keep their pieces, with boxes, pairs and contacts; the others are
// exchanged in one call to the broad phase. So a hit on a building costs what it touched, and a
// look at each part. A part is what it was when the hash of its corners says so: its convex may
// have moved in memory, and another may be where it was.
//
// The centre of mass of a body that moves changes with its parts. Its velocity there is that of the
// same motion, so nothing jumps.

#include "world/refit.h"

#include "base/log.h"
#include "world/collapse.h"
#include "world/mass.h"
#include "world/merge.h"

typedef struct refit {
	rbl_world *world;
	int body;
	rbl_mass mass;
	rbl_vec3d centre; // the new one, in the shape's coordinates
	bool has_moved;   // the centre
	int gone_count, made_count;
	int32_t *gone; // pieces
	rbl_proxy_id *gone_proxies;
	int32_t *made_parts; // parts that get a piece
	rbl_collider **made;
	int32_t *made_pieces;
	rbl_proxy_def *defs;
	rbl_proxy_id *proxies;
} refit;

// Which pieces stay, which go, and which parts are new. @return false when memory ran out
static bool sort_parts(refit *r)
{
	rbl_world *world = r->world;
	const rbl_body *b = &world->bodies[r->body];
	rbl_compound_info info = rbl_compound_get_info(b->compound);
	rbl_arena *arena = &world->arena;
	rbl_arena_reset(arena);
	int old_count = b->piece_count, count = info.part_count;
	uint8_t *is_kept = RBL_ARENA_NEW(arena, uint8_t, info.part_end);
	r->gone = RBL_ARENA_NEW(arena, int32_t, old_count);
	r->gone_proxies = RBL_ARENA_NEW(arena, rbl_proxy_id, old_count);
	r->made_parts = RBL_ARENA_NEW(arena, int32_t, count);
	r->made = RBL_ARENA_NEW(arena, rbl_collider *, count);
	r->made_pieces = RBL_ARENA_NEW(arena, int32_t, count);
	r->defs = RBL_ARENA_NEW(arena, rbl_proxy_def, count);
	r->proxies = RBL_ARENA_NEW(arena, rbl_proxy_id, count);
	if (!is_kept || !r->gone || !r->gone_proxies || !r->made_parts || !r->made || !r->made_pieces ||
	    !r->defs || !r->proxies)
		return false;
	memset(is_kept, 0, (size_t)info.part_end);
	for (int p = b->first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		int part = world->pieces[p].part;
		rbl_compound_part now = rbl_compound_get_part(b->compound, part);
		if (now.convex && now.shape == world->pieces[p].shape) {
			is_kept[part] = 1;
		} else {
			r->gone_proxies[r->gone_count] = world->pieces[p].proxy;
			r->gone[r->gone_count++] = p;
			if (b->kind == RBL_BODY_STATIC)
				rbl_world_vacate_piece(world, p);
		}
	}
	for (int part = 0; part < info.part_end; ++part)
		if (!is_kept[part] && rbl_compound_get_part(b->compound, part).convex)
			r->made_parts[r->made_count++] = part;
	return true;
}

static rbl_result make_colliders(refit *r)
{
	const rbl_body *b = &r->world->bodies[r->body];
	for (int i = 0; i < r->made_count; ++i) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = rbl_compound_get_part(b->compound, r->made_parts[i]).convex;
		def.origin = r->centre;
		def.allocator = r->world->allocator;
		rbl_result result = rbl_create_collider(&def, &r->made[i]);
		if (result == RBL_BAD_MESH) { // too thin for single precision: it does not collide
			r->made_parts[i] = r->made_parts[r->made_count - 1];
			r->made_count--, i--;
		} else if (result != RBL_OK) {
			r->made_count = i;
			return result;
		}
	}
	return RBL_OK;
}

static bool make_room(rbl_world *w, int count)
{
	int slots = rbl_maxi(w->piece_ids.slot_count, w->piece_ids.live_count + count) + count;
	return rbl_id_pool_reserve(&w->allocator, &w->piece_ids, slots) &&
	       rbl_world_reserve(w, 0, slots) && rbl_array_extend(&w->allocator, &w->newborns, 1);
}

static void fill_pieces(refit *r)
{
	rbl_world *world = r->world;
	const rbl_body *b = &world->bodies[r->body];
	for (int i = 0; i < r->made_count; ++i) {
		int p = (int)rbl_id_pool_add(&world->allocator, &world->piece_ids).index;
		world->pieces[p] =
			(rbl_piece){ .collider = r->made[i],
			             .local = rbl_transform_identity(),
			             .part = r->made_parts[i],
			             .shape = rbl_compound_get_part(b->compound, r->made_parts[i]).shape,
			             .next = RBL_NONE,
			             .first_pair = RBL_NONE };
		world->hot_pieces[p] = (rbl_piece_hot){ r->made[i]->polyhedron, r->body, 0 };
		r->made_pieces[i] = p;
	}
}

// Take pieces out of the body's list and end them.
static void drop_gone(refit *r)
{
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[r->body];
	for (int i = 0; i < r->gone_count; ++i)
		world->hot_pieces[r->gone[i]].form = NULL; // a mark for the walk below
	int32_t *at = &b->first_piece;
	while (*at != RBL_NONE) {
		int p = *at;
		if (world->hot_pieces[p].form) {
			at = &world->pieces[p].next;
			continue;
		}
		*at = world->pieces[p].next;
		while (world->pieces[p].first_pair != RBL_NONE)
			rbl_world_remove_pair(world, world->pieces[p].first_pair, true);
		rbl_destroy_collider((rbl_collider *)(uintptr_t)world->pieces[p].collider);
		rbl_id_pool_remove(&world->piece_ids, rbl_id_pool_at(&world->piece_ids, p));
		b->piece_count--;
	}
}

// The centre of mass, and everything that is measured from it.
static void move_centre(refit *r)
{
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[r->body];
	rbl_body_motion *m = &world->motions[r->body];
	rbl_vec3 shift = rbl_sub(rbl_to_f(r->centre), b->local_centre),
			 turned = rbl_rotate(m->rotation, shift);
	if (rbl_length_squared(shift) == 0.0f)
		return;
	r->has_moved = true;
	b->local_centre = rbl_to_f(r->centre);
	m->centre = rbl_add(m->centre, turned);
	m->velocity = rbl_world_cut(rbl_add(m->velocity, rbl_cross(m->spin, turned)), RBL_MAX_SPEED);
	for (int p = b->first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		world->pieces[p].local.position = rbl_sub(world->pieces[p].local.position, shift);
		world->hot_pieces[p].is_placed = 1;
	}
	rbl_world_shift_joints(world, r->body, shift);
}

static void measure(refit *r)
{
	rbl_world *world = r->world;
	rbl_body *b = &world->bodies[r->body];
	double density = (double)b->material.density;
	rbl_mat3d inertia = rbl_mat_scale_d(density, r->mass.inertia);
	b->mass = (float)(density * r->mass.volume);
	b->inertia = (rbl_mat3){ rbl_to_f(inertia.x), rbl_to_f(inertia.y), rbl_to_f(inertia.z) };
	float reach = 0.0f, core = FLT_MAX;
	for (int p = b->first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		const rbl_collider *c = world->pieces[p].collider;
		reach = rbl_maxf(reach, rbl_length(world->pieces[p].local.position) +
		                            c->polyhedron->bounding_radius);
		core = rbl_minf(core, rbl_collider_core(c));
	}
	world->motions[r->body].reach = reach;
	b->core = core;
}

// Its new pieces may overlap what the old ones did, and that much is left to them.
static void mark_newborn(rbl_world *world, int body)
{
	if (world->motions[body].flags & RBL_BODY_NEWBORN)
		return;
	world->motions[body].flags |= RBL_BODY_NEWBORN;
	world->newborns.data[world->newborns.count++] = body;
}

static void tell_solver(refit *r)
{
	rbl_world *world = r->world;
	const rbl_body *b = &world->bodies[r->body];
	const rbl_body_motion *m = &world->motions[r->body];
	if (b->solver_body == RBL_NONE)
		return;
	rbl_solver_body values = rbl_world_solver_body(world, r->body);
	rbl_solver_set_body(world->solver, b->solver_body, &values);
	rbl_solver_set_pose(world->solver, b->solver_body, m->centre, m->rotation);
	if (b->kind != RBL_BODY_STATIC)
		rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity, m->spin);
}

// Everything that can fail. @return RBL_OK, RBL_OUT_OF_MEMORY; the body is as it was
static rbl_result prepare(refit *r)
{
	rbl_world *world = r->world;
	if (!sort_parts(r))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = make_colliders(r);
	if (result == RBL_OK && !make_room(world, r->made_count))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		fill_pieces(r);
		rbl_body_motion old = world->motions[r->body]; // boxes are seen from the new centre
		rbl_vec3 shift = rbl_sub(rbl_to_f(r->centre), world->bodies[r->body].local_centre);
		world->motions[r->body].centre = rbl_add(old.centre, rbl_rotate(old.rotation, shift));
		for (int i = 0; i < r->made_count; ++i)
			r->defs[i] = rbl_world_proxy_def(world, r->made_pieces[i]);
		world->motions[r->body] = old;
		bool is_enabled = old.flags & RBL_BODY_ENABLED;
		if (is_enabled)
			result = rbl_broadphase_replace_many(world->broadphase, r->gone_proxies, r->gone_count,
			                                     r->defs, r->made_count, r->proxies);
		for (int i = r->made_count - 1; i >= 0 && result != RBL_OK; --i)
			rbl_id_pool_take_back(&world->piece_ids,
			                      rbl_id_pool_at(&world->piece_ids, r->made_pieces[i]));
		for (int i = 0; i < r->made_count && result == RBL_OK && is_enabled; ++i)
			world->pieces[r->made_pieces[i]].proxy = r->proxies[i];
	}
	for (int i = 0; i < r->made_count && result != RBL_OK; ++i)
		rbl_destroy_collider(r->made[i]);
	return result;
}

rbl_result rbl_world_refit(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	refit r = { .world = world, .body = body };
	rbl_body_kind kind = rbl_world_kind_for(world, body, b->wanted_kind);
	r.mass = rbl_compound_get_visual_mass(b->compound);
	bool is_moving = kind == RBL_BODY_DYNAMIC && r.mass.volume > 0.0;
	r.centre = is_moving ? r.mass.centre : rbl_to_d(b->local_centre);
	rbl_result result = prepare(&r);
	if (result != RBL_OK)
		return result;
	drop_gone(&r);
	move_centre(&r);
	for (int i = r.made_count - 1; i >= 0; --i) {
		world->pieces[r.made_pieces[i]].next = b->first_piece;
		b->first_piece = r.made_pieces[i];
		b->piece_count++;
	}
	measure(&r);
	if (r.made_count > 0)
		mark_newborn(world, body);
	bool was_static = b->kind == RBL_BODY_STATIC;
	if (kind != b->kind && is_moving)
		result = rbl_world_set_kind(world, body, kind);
	rbl_world_strain_changed(world, body);
	// What stands still keeps all that its unchanged parts have to do with others; who leaned on a
	// part that is gone was woken with its contact. To tell the solver would wake all that lies on
	// it.
	if (was_static && b->kind == RBL_BODY_STATIC && !r.has_moved)
		return result;
	tell_solver(&r);
	for (int p = b->first_piece; p != RBL_NONE; p = world->pieces[p].next)
		for (int i = world->pieces[p].first_pair; i != RBL_NONE;
		     i = rbl_world_next_pair(world, p, i))
			world->pairs[i].flags &= ~(uint32_t)RBL_PAIR_SEEN;
	if (world->motions[body].flags & RBL_BODY_ENABLED)
		rbl_world_mark_dirty(world, body);
	rbl_world_activate_pairs(world, body);
	rbl_world_wake(world, body);
	return result;
}
