// SPDX-License-Identifier: MIT
//
// Contacts: manifolds of pairs that touch, and their places in the solver.
//
// A pair of convexes has one from its first touch until its boxes part: one that ceases to touch for
// a while keeps its place, without points. A pair with a mesh or height field has one for each
// triangle that is touched. New contacts of a step are handed to the solver together.

#include "world/world.h"

#include "base/log.h"

// Nearer than this counts as touching when events are made, in metres.
#define TOUCH_DISTANCE 0.006f

float rbl_world_mix_friction(float a, float b)
{
	return sqrtf(a * b);
}

static float least_separation(const rbl_manifold *m)
{
	float least = FLT_MAX;
	for (int i = 0; i < m->point_count; ++i)
		least = rbl_minf(least, m->points[i].separation);
	return least;
}

// --- records ------------------------------------------------------------------------------------

// @return RBL_NONE when memory ran out
static int new_touch(rbl_world *world, int pair, int next)
{
	int index = world->free_touch;
	if (index != RBL_NONE) {
		world->free_touch = world->touches.data[index].next;
	} else {
		index = world->touches.count;
		if (!rbl_array_resize(&world->allocator, &world->touches, index + 1))
			return RBL_NONE;
	}
	world->touches.data[index] = (rbl_touch){ .pair = pair, .next = next, .contact = RBL_NONE };
	world->touching_count++;
	return index;
}

static void free_touch(rbl_world *world, int index, bool with_solver)
{
	rbl_touch *touch = &world->touches.data[index];
	if (with_solver && world->solver && touch->contact != RBL_NONE)
		rbl_solver_remove_contacts(world->solver, &touch->contact, 1);
	touch->pair = RBL_NONE;
	touch->next = world->free_touch;
	world->free_touch = index;
	world->touching_count--;
}

void rbl_world_free_touches(rbl_world *world, int pair, bool with_solver)
{
	rbl_pair_record *record = &world->pairs[pair];
	if (record->touch == RBL_NONE)
		return;
	if (!(record->flags & RBL_PAIR_SURFACE)) {
		free_touch(world, record->touch, with_solver);
	} else {
		rbl_surface_touches *surface = &world->surfaces.data[record->touch];
		for (int t = surface->first_touch; t != RBL_NONE;) {
			int next = world->touches.data[t].next;
			free_touch(world, t, with_solver);
			t = next;
		}
		rbl_destroy_contacts(surface->contacts);
		*surface = (rbl_surface_touches){ NULL, RBL_NONE, world->free_surface };
		world->free_surface = record->touch;
	}
	record->touch = RBL_NONE;
}

// --- in the solver ------------------------------------------------------------------------------

rbl_solver_contact rbl_world_contact_def(const rbl_world *world, int touch)
{
	const rbl_pair_record *pair = &world->pairs[world->touches.data[touch].pair];
	const rbl_body *a = &world->bodies[world->hot_pieces[pair->a].body];
	const rbl_body *b = &world->bodies[world->hot_pieces[pair->b].body];
	bool is_turned = rbl_world_is_turned(world, world->touches.data[touch].pair);
	return (rbl_solver_contact){
		.a = is_turned ? b->solver_body : a->solver_body,
		.b = is_turned ? a->solver_body : b->solver_body,
		.friction = rbl_world_mix_friction(a->material.friction, b->material.friction),
		.restitution = rbl_maxf(a->material.restitution, b->material.restitution),
		.allowed_penetration =
			pair->flags & RBL_PAIR_MANY ? 0.0f : world->touches.data[touch].rest_depth,
		.user = (uint32_t)touch,
	};
}

static bool give_manifold(rbl_world *world, int touch)
{
	const rbl_touch *t = &world->touches.data[touch];
	return !world->solver ||
	       (t->contact != RBL_NONE &&
	        rbl_solver_set_manifold(world->solver, t->contact, &t->manifold) == RBL_OK);
}

// How deep a piece may stay in another body from birth on. What stands and has no parts is a floor: more
// than half of the piece would be on its way through it, deeper with every blow and every break.
static float deepest_rest(const rbl_world *world, int piece, int other)
{
	const rbl_body *b = &world->bodies[world->hot_pieces[other].body];
	bool is_floor = b->kind == RBL_BODY_STATIC && !b->compound && !b->asset;
	const rbl_polyhedron *form = world->hot_pieces[piece].form;
	return is_floor && form ? 0.5f * form->min_width : FLT_MAX;
}

// Overlap at birth stays: fragments fill each other's places without being thrown apart.
static void set_rest_depth(rbl_world *world, int touch)
{
	rbl_touch *t = &world->touches.data[touch];
	const rbl_pair_record *pair = &world->pairs[t->pair];
	if (!(pair->flags & RBL_PAIR_NEWBORN))
		return;
	float most =
		rbl_minf(deepest_rest(world, pair->a, pair->b), deepest_rest(world, pair->b, pair->a));
	t->rest_depth = rbl_clampf(-least_separation(&t->manifold), 0.0f, most);
}

// As the solver does for contacts of one pair: what came apart stays so, and along another axis they
// may be deeper than they were at birth, which is no motion.
void rbl_world_keep_rest_depth(rbl_touch *touch, const rbl_manifold *manifold, bool had_points)
{
	float depth = rbl_maxf(0.0f, -least_separation(manifold));
	bool is_other_axis = had_points && rbl_dot(touch->manifold.normal, manifold->normal) < 0.95f;
	if (touch->rest_depth > 0.0f)
		touch->rest_depth = is_other_axis ? depth : rbl_minf(touch->rest_depth, depth);
}

// --- what the narrow phase found ----------------------------------------------------------------

static void begin_if_near(rbl_world *world, int pair, const rbl_manifold *manifold)
{
	rbl_pair_record *record = &world->pairs[pair];
	if ((record->flags & RBL_PAIR_TOUCHES) || least_separation(manifold) > TOUCH_DISTANCE)
		return;
	record->flags |= RBL_PAIR_TOUCHES;
	rbl_world_report_touch(world, pair, true, false);
}

static void end_touch(rbl_world *world, int pair)
{
	rbl_pair_record *record = &world->pairs[pair];
	record->flags &= ~(uint32_t)(RBL_PAIR_POINTS | RBL_PAIR_SEEN);
	if (!(record->flags & RBL_PAIR_TOUCHES))
		return;
	rbl_world_report_touch(world, pair, false, false);
	record->flags &= ~(uint32_t)RBL_PAIR_TOUCHES;
}

static void lose(rbl_world *world, int pair)
{
	rbl_pair_record *record = &world->pairs[pair];
	end_touch(world, pair);
	if (record->touch == RBL_NONE)
		return;
	world->touches.data[record->touch].manifold.point_count = 0;
	if (!(record->flags & RBL_PAIR_MANY)) // else the solver is told by many.c
		give_manifold(world, record->touch);
}

// Records for all convex pairs that have none, and their contacts in one call.
static bool add_touches(rbl_world *world)
{
	int count = 0;
	for (int i = 0; i < world->blocks.count; ++i)
		count += world->blocks.data[i].found.count;
	if (count == 0)
		return true;
	rbl_arena_reset(&world->arena);
	rbl_solver_contact *defs = RBL_ARENA_NEW(&world->arena, rbl_solver_contact, count);
	int32_t *touches = RBL_ARENA_NEW(&world->arena, int32_t, count);
	int32_t *contacts = RBL_ARENA_NEW(&world->arena, int32_t, count);
	if (!defs || !touches || !contacts ||
	    !rbl_array_extend(&world->allocator, &world->touches, count))
		return false;
	int n = 0;
	for (int i = 0; i < world->blocks.count; ++i) {
		const rbl_block_result *block = &world->blocks.data[i];
		for (int k = 0; k < block->found.count; ++k) {
			const rbl_found *found = &block->found.data[k];
			rbl_pair_record *pair = &world->pairs[found->pair];
			if (pair->touch != RBL_NONE || (pair->flags & RBL_PAIR_SENSOR))
				continue;
			int touch = pair->touch = new_touch(world, found->pair, RBL_NONE);
			world->touches.data[touch].manifold = found->manifold;
			set_rest_depth(world, touch);
			pair->flags &= ~(uint32_t)RBL_PAIR_NEWBORN;
			touches[n] = touch;
			defs[n++] = rbl_world_contact_def(world, touch);
		}
	}
	if (n == 0 || !world->solver)
		return true;
	if (rbl_solver_add_contacts(world->solver, defs, n, contacts) != RBL_OK) {
		for (int i = 0; i < n; ++i) {
			world->pairs[world->touches.data[touches[i]].pair].touch = RBL_NONE;
			free_touch(world, touches[i], false);
		}
		return false;
	}
	for (int i = 0; i < n; ++i)
		world->touches.data[touches[i]].contact = contacts[i];
	return true;
}

static bool apply_block(rbl_world *world, const rbl_block_result *block)
{
	bool ok = true;
	for (int k = 0; k < block->lost.count; ++k) {
		int pair = block->lost.data[k];
		if (world->pairs[pair].flags & RBL_PAIR_SENSOR)
			end_touch(world, pair);
		else if (world->pairs[pair].flags & RBL_PAIR_SURFACE)
			ok &= rbl_world_apply_surface(world, pair);
		else
			lose(world, pair);
	}
	for (int k = 0; k < block->found.count; ++k) {
		const rbl_found *found = &block->found.data[k];
		rbl_pair_record *pair = &world->pairs[found->pair];
		if (pair->flags & RBL_PAIR_SENSOR) { // one that is not counted is found again
			bool is_counted = rbl_world_report_touch(world, found->pair, true, false);
			pair->flags |= is_counted ? RBL_PAIR_TOUCHES : 0u;
			ok &= is_counted;
			continue;
		}
		if (pair->touch == RBL_NONE) { // no room
			rbl_world_look_again(world, found->pair);
			continue;
		}
		rbl_touch *touch = &world->touches.data[pair->touch];
		if (pair->flags & RBL_PAIR_MANY)
			rbl_world_keep_rest_depth(touch, &found->manifold, pair->flags & RBL_PAIR_POINTS);
		touch->manifold = found->manifold;
		if ((pair->flags & RBL_PAIR_MANY) || give_manifold(world, pair->touch)) {
			pair->flags |= RBL_PAIR_POINTS;
			begin_if_near(world, found->pair, &found->manifold);
		} else {
			world->touches.data[pair->touch].manifold.point_count = 0;
			pair->flags &= ~(uint32_t)RBL_PAIR_POINTS;
			rbl_world_look_again(world, found->pair);
			ok = false;
		}
	}
	return ok;
}

bool rbl_world_apply_found(rbl_world *world)
{
	bool ok = add_touches(world);
	for (int i = 0; i < world->blocks.count; ++i)
		ok &= apply_block(world, &world->blocks.data[i]);
	return ok;
}

// --- surfaces -----------------------------------------------------------------------------------

static bool make_surface(rbl_world *world, int pair)
{
	int index = world->free_surface;
	rbl_contacts *contacts;
	if (rbl_create_contacts(&world->allocator, &contacts) != RBL_OK)
		return false;
	if (index != RBL_NONE) {
		world->free_surface = world->surfaces.data[index].next_free;
	} else {
		index = world->surfaces.count;
		if (!rbl_array_resize(&world->allocator, &world->surfaces, index + 1)) {
			rbl_destroy_contacts(contacts);
			return false;
		}
	}
	world->surfaces.data[index] = (rbl_surface_touches){ contacts, RBL_NONE, RBL_NONE };
	world->pairs[pair].touch = index;
	return true;
}

// The touch of a triangle; RBL_NONE when it is new.
static int take_touch(rbl_world *world, int *first, const rbl_manifold *m)
{
	int previous = RBL_NONE;
	for (int t = *first; t != RBL_NONE; previous = t, t = world->touches.data[t].next) {
		const rbl_touch *touch = &world->touches.data[t];
		if (touch->manifold.child_a != m->child_a || touch->manifold.child_b != m->child_b)
			continue;
		if (previous == RBL_NONE)
			*first = touch->next;
		else
			world->touches.data[previous].next = touch->next;
		return t;
	}
	return RBL_NONE;
}

static bool add_triangle(rbl_world *world, int pair, const rbl_manifold *m, int touch, int *chain)
{
	if (touch == RBL_NONE) {
		touch = new_touch(world, pair, RBL_NONE);
		if (touch == RBL_NONE)
			return false;
		world->touches.data[touch].manifold = *m;
		set_rest_depth(world, touch);
		rbl_solver_contact def = rbl_world_contact_def(world, touch);
		if (world->solver &&
		    rbl_solver_add_contacts(world->solver, &def, 1, &world->touches.data[touch].contact) !=
		        RBL_OK) {
			world->touches.data[touch].contact = RBL_NONE;
			free_touch(world, touch, false);
			return false;
		}
	}
	world->touches.data[touch].manifold = *m;
	world->touches.data[touch].next = *chain;
	*chain = touch;
	return give_manifold(world, touch);
}

bool rbl_world_apply_surface(rbl_world *world, int pair)
{
	rbl_pair_record *record = &world->pairs[pair];
	if (record->touch == RBL_NONE) {
		if (!make_surface(world, pair))
			return false;
		rbl_contacts *contacts = world->surfaces.data[record->touch].contacts;
		if (rbl_contacts_update(contacts, world->pieces[record->a].collider,
		                        rbl_piece_pose(world, record->a), world->pieces[record->b].collider,
		                        rbl_piece_pose(world, record->b), 0.1f) != RBL_OK)
			return false;
	}
	rbl_surface_touches *surface = &world->surfaces.data[record->touch];
	rbl_manifolds list = rbl_contacts_get_manifolds(surface->contacts);
	bool a_is_surface = !world->hot_pieces[record->a].form, ok = true;
	int chain = RBL_NONE;
	float least = FLT_MAX;
	for (int i = 0; i < list.count; ++i) {
		rbl_manifold m = list.manifolds[i];
		if (a_is_surface)
			m.child_b = world->pieces[record->b].part;
		else
			m.child_a = world->pieces[record->a].part;
		least = rbl_minf(least, least_separation(&m));
		int touch = take_touch(world, &world->surfaces.data[record->touch].first_touch, &m);
		ok &= add_triangle(world, pair, &m, touch, &chain);
	}
	surface = &world->surfaces.data[record->touch];
	for (int t = surface->first_touch; t != RBL_NONE;) {
		int next = world->touches.data[t].next;
		free_touch(world, t, true);
		t = next;
	}
	surface->first_touch = chain;
	record->flags &= ~(uint32_t)RBL_PAIR_NEWBORN;
	rbl_world_note_depth(world, record, least);
	if (record->flags & RBL_PAIR_DEEP)
		rbl_world_mark_deep(world, pair);
	if (chain != RBL_NONE) {
		record->flags |= RBL_PAIR_POINTS;
		if (least <= TOUCH_DISTANCE && !(record->flags & RBL_PAIR_TOUCHES)) {
			record->flags |= RBL_PAIR_TOUCHES;
			rbl_world_report_touch(world, pair, true, false);
		}
	} else {
		end_touch(world, pair);
	}
	if (!ok)
		rbl_world_look_again(world, pair);
	return ok;
}

// --- the public face ----------------------------------------------------------------------------

static rbl_contact view_touch(const rbl_world *world, const rbl_touch *touch)
{
	const rbl_pair_record *pair = &world->pairs[touch->pair];
	int a = world->hot_pieces[pair->a].body, b = world->hot_pieces[pair->b].body;
	const rbl_material *ma = &world->bodies[a].material, *mb = &world->bodies[b].material;
	rbl_contact out = { .body_a = rbl_world_body_id(world, a),
		                .body_b = rbl_world_body_id(world, b),
		                .manifold = touch->manifold,
		                .friction = rbl_world_mix_friction(ma->friction, mb->friction),
		                .restitution = rbl_maxf(ma->restitution, mb->restitution) };
	if (world->solver && touch->contact != RBL_NONE)
		out.impulse = rbl_solver_report_contact(world->solver, touch->contact).normal_impulse;
	return out;
}

int rbl_world_get_contacts(const rbl_world *world, rbl_contact *contacts, int capacity)
{
	int n = 0;
	for (int i = 0; world && i < world->touches.count; ++i) {
		const rbl_touch *touch = &world->touches.data[i];
		if (touch->pair == RBL_NONE || touch->manifold.point_count == 0)
			continue;
		if (contacts && n < capacity)
			contacts[n] = view_touch(world, touch);
		n++;
	}
	return n;
}

int rbl_body_get_contacts(const rbl_world *world, rbl_body_id body, rbl_contact *contacts,
                          int capacity)
{
	if (!world || !rbl_world_has_body(world, body))
		return 0;
	int n = 0;
	for (int p = world->bodies[body.index].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		int pair = world->pieces[p].first_pair;
		for (; pair != RBL_NONE; pair = rbl_world_next_pair(world, p, pair)) {
			const rbl_pair_record *record = &world->pairs[pair];
			if (record->touch == RBL_NONE)
				continue;
			int touch = record->flags & RBL_PAIR_SURFACE
			                ? world->surfaces.data[record->touch].first_touch
			                : record->touch;
			for (; touch != RBL_NONE; touch = world->touches.data[touch].next) {
				if (world->touches.data[touch].manifold.point_count == 0)
					continue;
				if (contacts && n < capacity)
					contacts[n] = view_touch(world, &world->touches.data[touch]);
				n++;
			}
		}
	}
	return n;
}
