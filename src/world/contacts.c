// SPDX-License-Identifier: MIT
//
// Contacts: manifolds of pairs that touch, and their contacts in the solver.
//
// A pair of convexes has one contact from its first manifold until its boxes separate; while it
// does not touch, the contact has no points. A pair with a mesh or height field has one for each
// triangle that it touches, and one that collides by fields one for each direction (both are called
// surface pairs here). New contacts of a step are added to the solver in one call. Their
// friction and restitution are combined here, from the materials of the two bodies.

#include "world/world.h"

#include "base/log.h"

// Nearer than this counts as touching for events, in metres.
#define CONTACT_DISTANCE 0.006f

// How far a new pair with a mesh or a field looks for contacts, in metres.
#define NEW_DISTANCE 0.1f

enum { FOUND_BLOCK = 4, NEW_BLOCK = 64 };

float rbl_world_combine_friction(float a, float b)
{
	return sqrtf(a * b);
}

float rbl_world_combine_restitution(float a, float b)
{
	return rbl_maxf(a, b);
}

float rbl_manifold_min_separation(const rbl_manifold *m)
{
	float least = FLT_MAX;
	for (int i = 0; i < m->point_count; ++i)
		least = rbl_minf(least, m->points[i].separation);
	return least;
}

// --- records ------------------------------------------------------------------------------------

// A record that holds anything. @return RBL_NONE when memory ran out
static int take_record(rbl_world *world)
{
	int index = world->free_contact;
	if (index != RBL_NONE) {
		world->free_contact = world->contacts.data[index].next;
	} else {
		index = world->contacts.count;
		if (!rbl_array_resize(&world->allocator, &world->contacts, index + 1))
			return RBL_NONE;
	}
	world->contact_count++;
	return index;
}

// @return RBL_NONE when memory ran out
static int new_contact(rbl_world *world, int pair, int next)
{
	int index = take_record(world);
	if (index != RBL_NONE)
		world->contacts.data[index] =
			(rbl_world_contact){ .pair = pair, .next = next, .solver_contact = RBL_NONE };
	return index;
}

static void free_contact_record(rbl_world *world, int index, bool with_solver)
{
	rbl_world_contact *contact = &world->contacts.data[index];
	if (with_solver && world->solver && contact->solver_contact != RBL_NONE)
		rbl_solver_remove_contacts(world->solver, &contact->solver_contact, 1);
	contact->pair = RBL_NONE;
	contact->next = world->free_contact;
	world->free_contact = index;
	world->contact_count--;
}

void rbl_world_free_contacts(rbl_world *world, int pair, bool with_solver)
{
	rbl_pair_record *record = &world->pairs[pair];
	if (record->contact == RBL_NONE)
		return;
	if (!(record->flags & RBL_PAIR_SURFACE)) {
		free_contact_record(world, record->contact, with_solver);
	} else {
		rbl_world_surface_contacts *surface = &world->surfaces.data[record->contact];
		for (int t = surface->first_contact; t != RBL_NONE;) {
			int next = world->contacts.data[t].next;
			free_contact_record(world, t, with_solver);
			t = next;
		}
		rbl_destroy_contacts(surface->contacts);
		rbl_destroy_pair_field(&world->allocator, surface->field);
		*surface = (rbl_world_surface_contacts){ NULL, NULL, RBL_NONE, world->free_surface };
		world->free_surface = record->contact;
	}
	record->contact = RBL_NONE;
}

// --- in the solver ------------------------------------------------------------------------------

// What a cylinder or cone rolls on: see rbl_revolution_rolling_radius(). Of the two points of a
// line on the side of a cone the mean counts.
static float rolling_radius(const rbl_world *world, int part, const rbl_manifold *m, float side)
{
	rbl_transform pose = rbl_world_part_pose(world, part);
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	if (m->point_count == 0)
		return 0.0f;
	for (int i = 0; i < m->point_count; ++i)
		sum = rbl_add(
			sum, rbl_add_scaled(m->points[i].position, side * m->points[i].separation, m->normal));
	rbl_vec3 mean = rbl_scale(1.0f / (float)m->point_count, sum);
	rbl_vec3 local = rbl_transform_point_inverse(pose, mean);
	rbl_vec3 normal = rbl_rotate_inverse(pose.rotation, m->normal);
	return (float)rbl_revolution_rolling_radius(world->hot_parts[part].polyhedron->revolution,
	                                            rbl_to_d(local), rbl_to_d(normal));
}

// The radius of a round part. In a merged list the points of one contact are of many parts.
static float part_radius(const rbl_world *world, const rbl_pair_record *pair, int part,
                         const rbl_manifold *m)
{
	const rbl_polyhedron *form = world->hot_parts[part].polyhedron;
	if (!form || (pair->flags & RBL_PAIR_MERGED))
		return 0.0f;
	return form->revolution ? rolling_radius(world, part, m, part == pair->a ? -0.5f : 0.5f)
	                        : form->radius;
}

// What resistance to rolling scales with, however a part touches.
static float resistance_radius(const rbl_world *world, const rbl_pair_record *pair, int part)
{
	const rbl_polyhedron *form = world->hot_parts[part].polyhedron;
	if (!form || (pair->flags & RBL_PAIR_MERGED))
		return 0.0f;
	const rbl_revolution *r = form->revolution;
	return r ? rbl_maxf((float)r->radii[0], (float)r->radii[1]) : form->radius;
}

void rbl_world_set_contact_radii(rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	const rbl_pair_record *pair = &world->pairs[t->pair];
	float a = part_radius(world, pair, pair->a, &t->manifold);
	float b = part_radius(world, pair, pair->b, &t->manifold);
	bool is_swapped = rbl_world_is_swapped(world, t->pair);
	rbl_solver_set_radii(world->solver, t->solver_contact, is_swapped ? b : a, is_swapped ? a : b);
}

rbl_solver_contact rbl_world_contact_def(const rbl_world *world, int contact)
{
	const rbl_pair_record *pair = &world->pairs[world->contacts.data[contact].pair];
	const rbl_body *a = &world->bodies[world->hot_parts[pair->a].body];
	const rbl_body *b = &world->bodies[world->hot_parts[pair->b].body];
	const rbl_manifold *manifold = &world->contacts.data[contact].manifold;
	const rbl_material_values *ma = rbl_world_part_material(world, pair->a, manifold->child_a),
							  *mb = rbl_world_part_material(world, pair->b, manifold->child_b);
	bool is_swapped = rbl_world_is_swapped(world, world->contacts.data[contact].pair);
	float radius_a = part_radius(world, pair, pair->a, manifold),
		  radius_b = part_radius(world, pair, pair->b, manifold);
	float size_a = resistance_radius(world, pair, pair->a),
		  size_b = resistance_radius(world, pair, pair->b);
	float radius =
		size_a > 0.0f && size_b > 0.0f ? rbl_minf(size_a, size_b) : rbl_maxf(size_a, size_b);
	return (rbl_solver_contact){
		.a = is_swapped ? b->solver_body : a->solver_body,
		.b = is_swapped ? a->solver_body : b->solver_body,
		.friction = rbl_world_combine_friction(ma->friction, mb->friction),
		.restitution = rbl_world_combine_restitution(ma->restitution, mb->restitution),
		.rolling_resistance = radius * rbl_maxf(ma->rolling_resistance, mb->rolling_resistance),
		.spinning_resistance = radius * rbl_maxf(ma->spinning_resistance, mb->spinning_resistance),
		.radius_a = is_swapped ? radius_b : radius_a,
		.radius_b = is_swapped ? radius_a : radius_b,
		.allowed_penetration = pair->flags & RBL_PAIR_MERGED
		                           ? 0.0f
		                           : world->contacts.data[contact].allowed_penetration,
		.user = (uint32_t)contact,
	};
}

// What a pair that recovers may keep of its overlap in this step.
static float recovering_penetration(const rbl_world *world, const rbl_manifold *manifold)
{
	float depth = -rbl_manifold_min_separation(manifold);
	return rbl_maxf(depth - rbl_world_length(world, RBL_SOLVER_DEEP_PUSH), 0.0f);
}

void rbl_world_recover(const rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	if (world->solver && t->solver_contact != RBL_NONE &&
	    (world->pairs[t->pair].flags & RBL_PAIR_RECOVERS))
		rbl_solver_limit_allowed_penetration(world->solver, t->solver_contact,
		                                     recovering_penetration(world, &t->manifold));
}

void rbl_world_end_recovery(const rbl_world *world, rbl_pair_record *pair, float least)
{
	if (least > -rbl_world_length(world, RBL_SOLVER_DEEP_PUSH))
		pair->flags &= ~(uint32_t)RBL_PAIR_RECOVERS;
}

// What the solver has to know before it gets the manifold of a contact.
static void prepare_manifold(rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	if (world->solver && t->solver_contact != RBL_NONE && rbl_world_pair_can_roll(world, t->pair))
		rbl_world_set_contact_radii(world, contact);
	rbl_world_recover(world, contact);
}

static bool give_manifold(rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	prepare_manifold(world, contact);
	return !world->solver ||
	       (t->solver_contact != RBL_NONE &&
	        rbl_solver_set_manifold(world->solver, t->solver_contact, &t->manifold) == RBL_OK);
}

// The most allowed penetration of a part. Static bodies without parts are floors: with more than
// half of its width in one, a part would get through it, deeper with every blow and every break.
static float max_allowed_penetration(const rbl_world *world, int part, int other)
{
	const rbl_body *b = &world->bodies[world->hot_parts[other].body];
	bool is_floor = b->kind == RBL_BODY_STATIC && !b->compound && !b->asset;
	const rbl_polyhedron *polyhedron = world->hot_parts[part].polyhedron;
	if (is_floor && world->parts[part].field)
		return world->bodies[world->hot_parts[part].body].inner_radius;
	return is_floor && polyhedron ? 0.5f * polyhedron->min_width : FLT_MAX;
}

// Whether two bodies, one of which has just been made, were made in each other, with many more: two
// or three are pushed apart as any overlap is.
enum { MIN_CROWD = 16 };

static bool begins_deep(const rbl_world *world, const rbl_pair_record *pair, float depth)
{
	const rbl_body *a = &world->bodies[world->hot_parts[pair->a].body];
	const rbl_body *b = &world->bodies[world->hot_parts[pair->b].body];
	return world->parts[pair->a].pair_count >= MIN_CROWD &&
	       world->parts[pair->b].pair_count >= MIN_CROWD && a->kind == RBL_BODY_DYNAMIC &&
	       b->kind == RBL_BODY_DYNAMIC && !(pair->flags & (RBL_PAIR_MERGED | RBL_PAIR_SURFACE)) &&
	       depth > rbl_world_length(world, RBL_SOLVER_DEEP_PENETRATION) &&
	       depth > 0.1f * rbl_minf(a->inner_radius, b->inner_radius);
}

// Neighbours that moved less than this relative to each other are where they were made, in metres.
static const float in_place_distance = 0.01f;

// Whether two bodies are where they were made: pieces of one body, which have its frame, or parts
// of a building that were modelled together. Convexes of such pieces may overlap.
static bool are_in_place(const rbl_world *world, int body_a, int body_b)
{
	const rbl_body *a = &world->bodies[body_a], *b = &world->bodies[body_b];
	const rbl_body_motion *m = &world->motions[body_a], *n = &world->motions[body_b];
	if (!(a->compound || a->asset) || !(b->compound || b->asset))
		return false;
	rbl_quat q = rbl_quat_mul(rbl_quat_conjugate(m->rotation), n->rotation);
	float radius = rbl_minf(m->bounding_radius, n->bounding_radius);
	rbl_vec3 offset = rbl_sub(b->local_centre, a->local_centre);
	rbl_vec3 moved = rbl_sub(rbl_add(m->centre, rbl_rotate(m->rotation, offset)), n->centre);
	float turned = 2.0f * rbl_length((rbl_vec3){ q.x, q.y, q.z }) * radius;
	return rbl_length(moved) + turned < rbl_world_length(world, in_place_distance);
}

// Initial overlap may stay where a call made bodies in each other, and between neighbours, since
// fragments fill each other's places without being thrown apart. What else is born in something, as
// in a hitter that went on while the break was under way, comes apart slowly: it is pushed as if it
// were RBL_SOLVER_DEEP_PUSH deep, at some centimetres a second, which leaves no speed.
static void sort_initial_overlap(rbl_world *world, rbl_pair_record *pair, float depth)
{
	int bodies[2] = { world->hot_parts[pair->a].body, world->hot_parts[pair->b].body };
	uint32_t either = world->motions[bodies[0]].flags | world->motions[bodies[1]].flags;
	if (either & RBL_BODY_BROKEN) {
		if (!(either & RBL_BODY_KEEPS_OVERLAP) && !are_in_place(world, bodies[0], bodies[1]))
			pair->flags |= RBL_PAIR_RECOVERS;
		return;
	}
	for (int i = 0; i < 2 && depth > rbl_world_length(world, RBL_SOLVER_DEEP_PUSH); ++i)
		if (world->bodies[bodies[i]].kind == RBL_BODY_DYNAMIC) // what breaks later leaves it there
			world->motions[bodies[i]].flags |= RBL_BODY_KEEPS_OVERLAP;
}

// Bodies that a call made in a crowd come apart slowly, too.
// @return whether initial overlap has to be sorted, pair by pair in order
static bool find_allowed_penetration(rbl_world *world, int contact)
{
	rbl_world_contact *t = &world->contacts.data[contact];
	rbl_pair_record *pair = &world->pairs[t->pair];
	float depth = -rbl_manifold_min_separation(&t->manifold);
	if (!(pair->flags & RBL_PAIR_NEW)) {
		if (pair->flags & RBL_PAIR_RECOVERS)
			t->allowed_penetration = recovering_penetration(world, &t->manifold);
		else if ((pair->flags & RBL_PAIR_DISSOLVES) && begins_deep(world, pair, depth))
			t->allowed_penetration = depth;
		else
			pair->flags &= ~(uint32_t)RBL_PAIR_DISSOLVES;
		return false;
	}
	pair->flags &= ~(uint32_t)RBL_PAIR_DISSOLVES;
	float most = rbl_minf(max_allowed_penetration(world, pair->a, pair->b),
	                      max_allowed_penetration(world, pair->b, pair->a));
	t->allowed_penetration = rbl_clampf(depth, 0.0f, most);
	uint32_t either = world->motions[world->hot_parts[pair->a].body].flags |
	                  world->motions[world->hot_parts[pair->b].body].flags;
	return (either & RBL_BODY_BROKEN) || depth > rbl_world_length(world, RBL_SOLVER_DEEP_PUSH);
}

static void sort_overlap_of(rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	sort_initial_overlap(world, &world->pairs[t->pair], -rbl_manifold_min_separation(&t->manifold));
}

static void set_allowed_penetration(rbl_world *world, int contact)
{
	if (find_allowed_penetration(world, contact))
		sort_overlap_of(world, contact);
}

// As the solver does for contacts of one pair: it only shrinks, except along another axis, where
// the overlap may be deeper without any motion.
void rbl_world_update_allowed_penetration(rbl_world *world, rbl_world_contact *contact,
                                          const rbl_manifold *manifold, bool had_points)
{
	rbl_pair_record *pair = &world->pairs[contact->pair];
	float least = rbl_manifold_min_separation(manifold), depth = rbl_maxf(0.0f, -least);
	bool is_other_axis = had_points && rbl_dot(contact->manifold.normal, manifold->normal) < 0.95f;
	if (contact->allowed_penetration > 0.0f)
		contact->allowed_penetration =
			is_other_axis ? depth : rbl_minf(contact->allowed_penetration, depth);
	if (pair->flags & RBL_PAIR_RECOVERS)
		contact->allowed_penetration =
			rbl_minf(contact->allowed_penetration, recovering_penetration(world, manifold));
	rbl_world_end_recovery(world, pair, least);
}

// --- what the narrow phase found ----------------------------------------------------------------

static bool counts_as_touching(const rbl_world *world, const rbl_manifold *manifold)
{
	return rbl_manifold_min_separation(manifold) <= rbl_world_length(world, CONTACT_DISTANCE);
}

static void begin_contact(rbl_world *world, int pair)
{
	if (world->pairs[pair].flags & RBL_PAIR_REPORTED)
		return;
	world->pairs[pair].flags |= RBL_PAIR_REPORTED;
	rbl_world_report_contact(world, pair, true, false);
}

static void end_contact(rbl_world *world, int pair)
{
	rbl_pair_record *record = &world->pairs[pair];
	record->flags &= ~(uint32_t)(RBL_PAIR_POINTS | RBL_PAIR_POSE_CACHED);
	if (!(record->flags & RBL_PAIR_REPORTED))
		return;
	rbl_world_report_contact(world, pair, false, false);
	record->flags &= ~(uint32_t)RBL_PAIR_REPORTED;
}

static void lose_manifold(rbl_world *world, int pair)
{
	rbl_pair_record *record = &world->pairs[pair];
	end_contact(world, pair);
	if (record->contact == RBL_NONE)
		return;
	world->contacts.data[record->contact].manifold.point_count = 0;
	if (!(record->flags & RBL_PAIR_MERGED)) // else manifold_merging.c does
		give_manifold(world, record->contact);
}

// Contacts that are about to be made, and what of them is to be done in order.
typedef struct new_contacts {
	rbl_world *world;
	const rbl_new_manifold **found;
	int32_t *contacts;
	rbl_solver_contact *defs;
	bool *has_overlap; // that is to be sorted
} new_contacts;

// What values of contacts that come soon are made of.
static void prefetch_values(const new_contacts *new, int i, int end)
{
	enum { AHEAD = 4 };
	const rbl_world *world = new->world;
	if (i + 2 * AHEAD < end) {
		const rbl_pair_record *pair = &world->pairs[new->found[i + 2 * AHEAD]->pair];
		rbl_prefetch(&world->hot_parts[pair->a]);
		rbl_prefetch(&world->hot_parts[pair->b]);
		rbl_prefetch(&world->parts[pair->a].material);
		rbl_prefetch(&world->parts[pair->b].material);
	}
	if (i + AHEAD >= end)
		return;
	const rbl_pair_record *pair = &world->pairs[new->found[i + AHEAD]->pair];
	for (int side = 0; side < 2; ++side) {
		const rbl_world_part_hot *part = &world->hot_parts[side ? pair->b : pair->a];
		rbl_prefetch(&world->bodies[part->body]);
		rbl_prefetch(&world->bodies[part->body].material);
		if (part->polyhedron)
			rbl_prefetch(part->polyhedron);
	}
}

static void make_contacts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const new_contacts *new = context;
	rbl_world *world = new->world;
	for (int i = begin; i < end; ++i) {
		prefetch_values(new, i, end);
		int pair = new->found[i]->pair, contact = new->contacts[i];
		world->contacts.data[contact] = (rbl_world_contact){ .pair = pair,
			                                                 .next = RBL_NONE,
			                                                 .solver_contact = RBL_NONE,
			                                                 .manifold = new->found[i]->manifold };
		new->has_overlap[i] = find_allowed_penetration(world, contact);
		world->pairs[pair].flags &= ~(uint32_t)RBL_PAIR_NEW;
		new->defs[i] = rbl_world_contact_def(world, contact);
	}
}

// What contacts that get manifolds soon are made of, likewise. They have contacts in the solver.
static void prefetch_solver(const rbl_world *world, const rbl_narrow_block *block, int k)
{
	enum { AHEAD = 3 };
	if (!world->solver)
		return;
	for (int far = 3; far > 0; --far) {
		if (k + far * AHEAD >= block->found.count)
			continue;
		const rbl_pair_record *pair = &world->pairs[block->found.data[k + far * AHEAD].pair];
		if (pair->contact == RBL_NONE || (pair->flags & (RBL_PAIR_SENSOR | RBL_PAIR_SURFACE)))
			continue;
		const rbl_world_contact *contact = &world->contacts.data[pair->contact];
		if (far == 3) {
			rbl_prefetch(contact);
			rbl_prefetch((const char *)contact + RBL_CACHE_LINE);
		} else if (contact->solver_contact != RBL_NONE) {
			if (far == 2)
				rbl_solver_prefetch_contact(world->solver, contact->solver_contact);
			else
				rbl_solver_prefetch_bodies(world->solver, contact->solver_contact);
		}
	}
}

// What contacts that lose their points soon are, likewise.
static void prefetch_lost(const rbl_world *world, const rbl_narrow_block *block, int k)
{
	enum { AHEAD = 3 };
	if (k + 4 * AHEAD < block->lost.count)
		rbl_prefetch(&world->pairs[block->lost.data[k + 4 * AHEAD]]);
	for (int far = 3; far > 0; --far) {
		if (k + far * AHEAD >= block->lost.count)
			continue;
		const rbl_pair_record *pair = &world->pairs[block->lost.data[k + far * AHEAD]];
		if (pair->contact == RBL_NONE || (pair->flags & (RBL_PAIR_SENSOR | RBL_PAIR_SURFACE)))
			continue;
		const rbl_world_contact *contact = &world->contacts.data[pair->contact];
		if (far == 3) {
			rbl_prefetch(contact);
			rbl_prefetch(&contact->manifold.point_count);
		} else if (world->solver && contact->solver_contact != RBL_NONE) {
			if (far == 2)
				rbl_solver_prefetch_contact(world->solver, contact->solver_contact);
			else
				rbl_solver_prefetch_lane(world->solver, contact->solver_contact);
		}
	}
}

// Records for all convex pairs without one, and their solver contacts in one call.
static bool add_contacts(rbl_world *world, int count)
{
	if (count == 0)
		return true;
	rbl_arena *arena = &world->arena;
	rbl_arena_reset(arena);
	rbl_solver_contact *defs = RBL_ARENA_NEW(arena, rbl_solver_contact, count);
	int32_t *contacts = RBL_ARENA_NEW(arena, int32_t, count);
	int32_t *solver_contacts = RBL_ARENA_NEW(arena, int32_t, count);
	bool *has_overlap = RBL_ARENA_NEW(arena, bool, count);
	const rbl_new_manifold **all = RBL_ARENA_NEW(arena, const rbl_new_manifold *, count);
	if (!defs || !contacts || !solver_contacts || !has_overlap || !all ||
	    !rbl_array_extend(&world->allocator, &world->contacts, count))
		return false;
	int n = 0;
	for (int i = 0; i < world->blocks.count; ++i) {
		const rbl_narrow_block *block = &world->blocks.data[i];
		for (int k = 0; k < block->found.count; ++k) {
			if (k + 8 < block->found.count)
				rbl_prefetch(&world->pairs[block->found.data[k + 8].pair]);
			const rbl_new_manifold *found = &block->found.data[k];
			rbl_pair_record *pair = &world->pairs[found->pair];
			if (pair->contact != RBL_NONE || (pair->flags & RBL_PAIR_SENSOR))
				continue;
			contacts[n] = pair->contact = take_record(world);
			all[n++] = found;
		}
	}
	new_contacts new = { world, all, contacts, defs, has_overlap };
	rbl_parallel_for(world->def.jobs, n, NEW_BLOCK, make_contacts, &new);
	for (int i = 0; i < n; ++i)
		if (has_overlap[i])
			sort_overlap_of(world, contacts[i]);
	if (n == 0 || !world->solver)
		return true;
	if (rbl_solver_add_contacts(world->solver, defs, n, solver_contacts) != RBL_OK) {
		for (int i = 0; i < n; ++i) {
			world->pairs[world->contacts.data[contacts[i]].pair].contact = RBL_NONE;
			free_contact_record(world, contacts[i], false);
		}
		return false;
	}
	for (int i = 0; i < n; ++i)
		world->contacts.data[contacts[i]].solver_contact = solver_contacts[i];
	return true;
}

// --- pairs with many contacts --------------------------------------------------------------------

static bool make_surface(rbl_world *world, int pair)
{
	int index = world->free_surface;
	bool is_field = world->pairs[pair].flags & RBL_PAIR_FIELD;
	rbl_world_surface_contacts made = { .first_contact = RBL_NONE, .next_free = RBL_NONE };
	if (is_field)
		made.field = RBL_NEW_ZERO(&world->allocator, rbl_pair_field, 1);
	else if (rbl_create_contacts(&world->allocator, &made.contacts) != RBL_OK)
		return false;
	if (is_field && !made.field)
		return false;
	if (index != RBL_NONE) {
		world->free_surface = world->surfaces.data[index].next_free;
	} else {
		index = world->surfaces.count;
		if (!rbl_array_resize(&world->allocator, &world->surfaces, index + 1)) {
			rbl_destroy_contacts(made.contacts);
			rbl_destroy_pair_field(&world->allocator, made.field);
			return false;
		}
	}
	world->surfaces.data[index] = made;
	world->pairs[pair].contact = index;
	return true;
}

// How alike a contact and a manifold of the same pair are; < 0: not at all. Those of a surface are
// when they are of one triangle, those of fields when they have points or at least a normal in
// common.
static int likeness(const rbl_world *world, const rbl_world_contact *contact, const rbl_manifold *m)
{
	const rbl_manifold *old = &contact->manifold;
	if (!(world->pairs[contact->pair].flags & RBL_PAIR_FIELD))
		return old->child_a == m->child_a && old->child_b == m->child_b ? 0 : -1;
	int common = rbl_dot(old->normal, m->normal) > 0.9f ? 0 : -1;
	for (int i = 0; i < m->point_count && common >= 0; ++i)
		for (int k = 0; k < old->point_count; ++k)
			common += old->points[k].id == m->points[i].id;
	return common;
}

// Take the contact that is most like a manifold out of a list; RBL_NONE when there is none.
static int take_contact(rbl_world *world, int *first, const rbl_manifold *m)
{
	int best = RBL_NONE, before = RBL_NONE, most = -1, previous = RBL_NONE;
	for (int t = *first; t != RBL_NONE; previous = t, t = world->contacts.data[t].next) {
		int like = likeness(world, &world->contacts.data[t], m);
		if (like > most)
			most = like, best = t, before = previous;
	}
	if (best == RBL_NONE)
		return RBL_NONE;
	if (before == RBL_NONE)
		*first = world->contacts.data[best].next;
	else
		world->contacts.data[before].next = world->contacts.data[best].next;
	return best;
}

static bool add_manifold(rbl_world *world, int pair, const rbl_manifold *m, int contact, int *chain)
{
	if (contact == RBL_NONE) {
		contact = new_contact(world, pair, RBL_NONE);
		if (contact == RBL_NONE)
			return false;
		world->contacts.data[contact].manifold = *m;
		set_allowed_penetration(world, contact);
		rbl_solver_contact def = rbl_world_contact_def(world, contact);
		if (world->solver &&
		    rbl_solver_add_contacts(world->solver, &def, 1,
		                            &world->contacts.data[contact].solver_contact) != RBL_OK) {
			world->contacts.data[contact].solver_contact = RBL_NONE;
			free_contact_record(world, contact, false);
			return false;
		}
	}
	rbl_world_contact *c = &world->contacts.data[contact];
	bool has_moved = c->manifold.child_a != m->child_a || c->manifold.child_b != m->child_b;
	c->manifold = *m;
	c->next = *chain;
	*chain = contact;
	if (has_moved && c->solver_contact != RBL_NONE) { // a field body touches with another part
		rbl_solver_contact def = rbl_world_contact_def(world, contact);
		rbl_solver_set_material(world->solver, c->solver_contact, &def);
	}
	return give_manifold(world, contact);
}

// Whether a manifold of a pair that recovers holds it back: it is deep, as another is that pushes
// against it, and would take the bodies through each other, centre by centre. Points of thin pieces
// leave by the nearer side, so one piece in another is pushed both ways, and would stay.
static bool holds_back(const rbl_world *world, const rbl_pair_record *pair,
                       const rbl_manifold *manifolds, int count, int index)
{
	if ((pair->flags & (RBL_PAIR_RECOVERS | RBL_PAIR_FIELD)) !=
	    (RBL_PAIR_RECOVERS | RBL_PAIR_FIELD))
		return false;
	const rbl_manifold *m = &manifolds[index];
	float push = rbl_world_length(world, RBL_SOLVER_DEEP_PUSH);
	rbl_vec3 from = world->motions[world->hot_parts[pair->a].body].centre;
	rbl_vec3 to = world->motions[world->hot_parts[pair->b].body].centre;
	if (rbl_manifold_min_separation(m) > -push || rbl_dot(m->normal, rbl_sub(to, from)) >= 0.0f)
		return false;
	for (int i = 0; i < count; ++i)
		if (rbl_dot(m->normal, manifolds[i].normal) < -0.5f &&
		    rbl_manifold_min_separation(&manifolds[i]) < -push)
			return true;
	return false;
}

// Give a pair the contacts of some manifolds, and report its begin or end.
static bool set_manifolds(rbl_world *world, int pair, const rbl_manifold *manifolds, int count)
{
	rbl_pair_record *record = &world->pairs[pair];
	rbl_world_surface_contacts *surface = &world->surfaces.data[record->contact];
	bool ok = true;
	int chain = RBL_NONE;
	float least = FLT_MAX;
	for (int i = 0; i < count; ++i) {
		rbl_manifold m = manifolds[i];
		if (!(record->flags & RBL_PAIR_FIELD)) {
			if (!world->hot_parts[record->a].polyhedron)
				m.child_b = world->parts[record->b].child;
			else
				m.child_a = world->parts[record->a].child;
		}
		least = rbl_minf(least, rbl_manifold_min_separation(&m));
		if (holds_back(world, record, manifolds, count, i))
			continue;
		int contact = take_contact(world, &surface->first_contact, &m);
		ok &= add_manifold(world, pair, &m, contact, &chain);
	}
	for (int t = surface->first_contact; t != RBL_NONE;) {
		int next = world->contacts.data[t].next;
		free_contact_record(world, t, true);
		t = next;
	}
	surface->first_contact = chain;
	record->flags &= ~(uint32_t)RBL_PAIR_NEW;
	rbl_world_end_recovery(world, record, least);
	rbl_world_flag_deep_pair(world, record, least);
	if (record->flags & RBL_PAIR_DEEP)
		rbl_world_flag_deep_bodies(world, pair);
	if (chain != RBL_NONE) {
		record->flags |= RBL_PAIR_POINTS;
		if (least <= CONTACT_DISTANCE && !(record->flags & RBL_PAIR_REPORTED)) {
			record->flags |= RBL_PAIR_REPORTED;
			rbl_world_report_contact(world, pair, true, false);
		}
	} else {
		uint32_t cached = record->flags & RBL_PAIR_FIELD ? record->flags & RBL_PAIR_POSE_CACHED : 0;
		end_contact(world, pair);
		record->flags |= cached; // that it is apart is known for this pose
	}
	if (!ok)
		rbl_world_invalidate_pair(world, pair);
	return ok;
}

static bool update_surface_contacts(rbl_world *world, int pair)
{
	rbl_pair_record *record = &world->pairs[pair];
	bool is_new = record->contact == RBL_NONE;
	if (is_new && !make_surface(world, pair))
		return false;
	const rbl_world_surface_contacts *surface = &world->surfaces.data[record->contact];
	if (surface->field) {
		if (is_new && !(rbl_world_prepare_field_work(world) &&
		                rbl_world_find_birth(world, pair, &surface->field->birth) &&
		                rbl_world_find_field_manifolds(world, pair, world->last_dt,
		                                               rbl_world_length(world, NEW_DISTANCE),
		                                               surface->field, 0)))
			return false;
		return set_manifolds(world, pair, surface->field->manifolds,
		                     surface->field->manifold_count);
	}
	if (is_new &&
	    rbl_contacts_update(surface->contacts, world->parts[record->a].collider,
	                        rbl_world_part_pose(world, record->a), world->parts[record->b].collider,
	                        rbl_world_part_pose(world, record->b),
	                        rbl_world_length(world, NEW_DISTANCE)) != RBL_OK)
		return false;
	rbl_manifolds list = rbl_contacts_get_manifolds(surface->contacts);
	return set_manifolds(world, pair, list.manifolds, list.count);
}

// --- all pairs ----------------------------------------------------------------------------------

// Three passes: what of a manifold concerns its pair alone, by all workers; the order of all,
// and the places that contacts get in the solver, by one; and what is written there, by all again.

// Whether a pair that was found gets points in the solver by itself: convexes, not merged.
static bool is_solved(const rbl_world *world, const rbl_pair_record *pair)
{
	return world->solver && !(pair->flags & (RBL_PAIR_SENSOR | RBL_PAIR_MERGED)) &&
	       pair->contact != RBL_NONE &&
	       world->contacts.data[pair->contact].solver_contact != RBL_NONE;
}

static void prefetch_found(const rbl_world *world, const rbl_narrow_block *block, int k)
{
	enum { AHEAD = 3 };
	if (k + 2 * AHEAD < block->found.count)
		rbl_prefetch(&world->pairs[block->found.data[k + 2 * AHEAD].pair]);
	if (k + AHEAD >= block->found.count)
		return;
	int contact = world->pairs[block->found.data[k + AHEAD].pair].contact;
	if (contact == RBL_NONE)
		return;
	const char *record = (const char *)&world->contacts.data[contact];
	for (size_t i = 0; i < sizeof *world->contacts.data; i += RBL_CACHE_LINE)
		rbl_prefetch(record + i);
}

static void take_manifolds(void *context, int begin, int end, int worker)
{
	(void)worker;
	rbl_world *world = context;
	for (int i = begin; i < end; ++i) {
		rbl_narrow_block *block = &world->blocks.data[i];
		for (int k = 0; k < block->found.count; ++k) {
			prefetch_found(world, block, k);
			rbl_new_manifold *found = &block->found.data[k];
			rbl_pair_record *pair = &world->pairs[found->pair];
			if ((pair->flags & RBL_PAIR_SENSOR) || pair->contact == RBL_NONE)
				continue;
			found->is_near = counts_as_touching(world, &found->manifold);
			rbl_world_contact *contact = &world->contacts.data[pair->contact];
			if (pair->flags & RBL_PAIR_MERGED)
				rbl_world_update_allowed_penetration(world, contact, &found->manifold,
				                                     pair->flags & RBL_PAIR_POINTS);
			contact->manifold = found->manifold;
			if (is_solved(world, pair))
				prepare_manifold(world, pair->contact);
		}
	}
}

static void write_manifolds(void *context, int begin, int end, int worker)
{
	(void)worker;
	rbl_world *world = context;
	for (int i = begin; i < end; ++i) {
		const rbl_narrow_block *block = &world->blocks.data[i];
		for (int k = 0; k < block->found.count; ++k) {
			prefetch_solver(world, block, k);
			const rbl_pair_record *pair = &world->pairs[block->found.data[k].pair];
			if (is_solved(world, pair) && (pair->flags & RBL_PAIR_POINTS))
				rbl_solver_write_manifold(world->solver,
				                          world->contacts.data[pair->contact].solver_contact,
				                          &world->contacts.data[pair->contact].manifold);
		}
	}
}

static bool lose_block(rbl_world *world, const rbl_narrow_block *block)
{
	bool ok = true;
	for (int k = 0; k < block->lost.count; ++k) {
		prefetch_lost(world, block, k);
		int pair = block->lost.data[k];
		if (world->pairs[pair].flags & RBL_PAIR_SENSOR)
			end_contact(world, pair);
		else if (world->pairs[pair].flags & RBL_PAIR_SURFACE)
			ok &= update_surface_contacts(world, pair);
		else
			lose_manifold(world, pair);
	}
	return ok;
}

static bool find_block(rbl_world *world, const rbl_narrow_block *block)
{
	bool ok = true;
	for (int k = 0; k < block->found.count; ++k) {
		prefetch_solver(world, block, k);
		const rbl_new_manifold *found = &block->found.data[k];
		rbl_pair_record *pair = &world->pairs[found->pair];
		if (pair->flags & RBL_PAIR_SENSOR) { // what is not counted is found again
			bool is_counted = rbl_world_report_contact(world, found->pair, true, false);
			pair->flags |= is_counted ? RBL_PAIR_REPORTED : 0u;
			ok &= is_counted;
			continue;
		}
		if (pair->contact == RBL_NONE) { // memory ran out
			rbl_world_invalidate_pair(world, found->pair);
			continue;
		}
		rbl_world_contact *contact = &world->contacts.data[pair->contact];
		if ((pair->flags & RBL_PAIR_MERGED) || !world->solver ||
		    (contact->solver_contact != RBL_NONE &&
		     rbl_solver_begin_touch(world->solver, contact->solver_contact) == RBL_OK)) {
			pair->flags |= RBL_PAIR_POINTS;
			if (found->is_near)
				begin_contact(world, found->pair);
		} else {
			contact->manifold.point_count = 0;
			pair->flags &= ~(uint32_t)RBL_PAIR_POINTS;
			rbl_world_invalidate_pair(world, found->pair);
			ok = false;
		}
	}
	return ok;
}

bool rbl_world_update_contacts(rbl_world *world)
{
	int found = 0;
	for (int i = 0; i < world->blocks.count; ++i)
		found += world->blocks.data[i].found.count;
	bool ok = add_contacts(world, found);
	if (found > 0)
		rbl_parallel_for(world->def.jobs, world->blocks.count, FOUND_BLOCK, take_manifolds, world);
	for (int i = 0; i < world->blocks.count; ++i) {
		ok &= lose_block(world, &world->blocks.data[i]);
		ok &= find_block(world, &world->blocks.data[i]);
	}
	if (found > 0 && world->solver)
		rbl_parallel_for(world->def.jobs, world->blocks.count, FOUND_BLOCK, write_manifolds, world);
	return ok;
}

// --- the public face ----------------------------------------------------------------------------

static rbl_contact view_contact(const rbl_world *world, const rbl_world_contact *contact)
{
	const rbl_pair_record *pair = &world->pairs[contact->pair];
	int a = world->hot_parts[pair->a].body, b = world->hot_parts[pair->b].body;
	const rbl_material_values *ma =
		rbl_world_part_material(world, pair->a, contact->manifold.child_a);
	const rbl_material_values *mb =
		rbl_world_part_material(world, pair->b, contact->manifold.child_b);
	rbl_contact out = { .body_a = rbl_world_body_id(world, a),
		                .body_b = rbl_world_body_id(world, b),
		                .manifold = contact->manifold,
		                .friction = rbl_world_combine_friction(ma->friction, mb->friction),
		                .restitution =
		                    rbl_world_combine_restitution(ma->restitution, mb->restitution) };
	if (world->solver && contact->solver_contact != RBL_NONE)
		out.impulse =
			rbl_solver_report_contact(world->solver, contact->solver_contact).normal_impulse;
	return out;
}

int rbl_world_get_contacts(const rbl_world *world, rbl_contact *contacts, int capacity)
{
	int n = 0;
	for (int i = 0; world && i < world->contacts.count; ++i) {
		const rbl_world_contact *contact = &world->contacts.data[i];
		if (contact->pair == RBL_NONE || contact->manifold.point_count == 0)
			continue;
		if (contacts && n < capacity)
			contacts[n] = view_contact(world, contact);
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
	RBL_EACH_PART (p, world, body.index)
		RBL_EACH_PAIR (pair, world, p)
			RBL_EACH_CONTACT (contact, world, pair) {
				if (world->contacts.data[contact].manifold.point_count == 0)
					continue;
				if (contacts && n < capacity)
					contacts[n] = view_contact(world, &world->contacts.data[contact]);
				n++;
			}
	return n;
}
