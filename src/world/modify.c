// SPDX-License-Identifier: MIT
//
// Contact modification: the caller changes contacts before they are solved.
//
// Only contacts of bodies that ask for it (RBL_BODY_MODIFIES) are shown, one after the other on the
// thread of the step, by body, part and pair: so the function need not be safe against itself, and
// its answers cannot depend on workers. The world keeps the manifold that was found, and gives the
// changed one to the solver. It is found anew in every step, since a cached one would be changed
// already. Manifolds of such bodies are not merged.

#include "world/world.h"

#include "base/log.h"
#include "world/recording.h"

#include <math.h>

static bool is_right(const rbl_contact_change *c)
{
	const rbl_manifold *m = &c->manifold;
	bool ok = m->point_count >= 0 && m->point_count <= RBL_MAX_MANIFOLD_POINTS &&
	          fabsf(rbl_length(m->normal) - 1.0f) < 1e-3f && c->friction >= 0.0f &&
	          c->friction <= 1e6f && c->restitution >= 0.0f && c->restitution <= 1.0f &&
	          rbl_length(c->surface_velocity) <= 2.0f * RBL_MAX_SPEED;
	for (int i = 0; ok && i < m->point_count; ++i)
		ok = rbl_is_finite(m->points[i].position) && isfinite(m->points[i].separation);
	return ok;
}

// The contact as it is without changes.
static rbl_contact_change view_change(const rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	const rbl_pair_record *pair = &world->pairs[t->pair];
	rbl_solver_contact def = rbl_world_contact_def(world, contact);
	return (rbl_contact_change){
		.body_a = rbl_world_body_id(world, world->hot_parts[pair->a].body),
		.body_b = rbl_world_body_id(world, world->hot_parts[pair->b].body),
		.part_a = t->manifold.child_a,
		.part_b = t->manifold.child_b,
		.manifold = t->manifold,
		.friction = def.friction,
		.restitution = def.restitution,
		.surface_velocity = rbl_world_running_velocity(world, contact),
		.is_enabled = true,
	};
}

// Give the solver what the function has made of a contact.
// @return false when memory ran out
static bool apply_change(rbl_world *world, int contact, const rbl_contact_change *c)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	rbl_manifold manifold = c->manifold;
	manifold.child_a = t->manifold.child_a, manifold.child_b = t->manifold.child_b;
	if (!c->is_enabled)
		manifold.point_count = 0;
	rbl_solver_contact def = rbl_world_contact_def(world, contact);
	def.friction = c->friction;
	def.restitution = c->restitution;
	rbl_solver_set_material(world->solver, t->solver_contact, &def);
	if (rbl_solver_set_manifold(world->solver, t->solver_contact, &manifold) != RBL_OK)
		return false;
	rbl_solver_running_surface running = { t->solver_contact, c->surface_velocity };
	bool runs = rbl_length_squared(c->surface_velocity) > 0.0f && manifold.point_count > 0;
	return !runs || rbl_array_push(&world->allocator, &world->running, running);
}

// @return false when memory ran out
static bool modify_contact(rbl_world *world, int contact)
{
	rbl_contact_change found = view_change(world, contact), changed = found;
	rbl_record_question(world);
	world->def.modify_contact(world->def.user, &changed);
	if (!is_right(&changed)) {
		rbl_fail(RBL_BAD_ARGUMENT,
		         "modify_contact has made a contact of bodies %u and %u that "
		         "is not finite or out of range: it stays as it was",
		         (unsigned)found.body_a.index, (unsigned)found.body_b.index);
		changed = found;
	}
	changed.body_a = found.body_a, changed.body_b = found.body_b;
	changed.part_a = found.part_a, changed.part_b = found.part_b;
	rbl_record_change(world, &found, &changed);
	rbl_pair_record *pair = &world->pairs[world->contacts.data[contact].pair];
	if (!changed.is_enabled)
		pair->flags |= RBL_PAIR_DISABLED;
	return apply_change(world, contact, &changed);
}

bool rbl_world_pair_is_disabled(const rbl_world *world, int body, int other)
{
	if (!((world->motions[body].flags | world->motions[other].flags) & RBL_BODY_MODIFIES))
		return false;
	RBL_EACH_PART (p, world, body)
		RBL_EACH_PAIR (pair, world, p)
			if ((world->pairs[pair].flags & RBL_PAIR_DISABLED) &&
			    rbl_world_other_body(world, pair, p) == other)
				return true;
	return false;
}

bool rbl_world_modify_contacts(rbl_world *world)
{
	bool ok = true;
	world->modifier_count = 0;
	if (!world->def.modify_contact || !world->solver)
		return true;
	RBL_EACH_LIVE (i, &world->body_ids) {
		if (!(world->motions[i].flags & RBL_BODY_MODIFIES))
			continue;
		world->modifier_count++;
		RBL_EACH_PART (p, world, i)
			RBL_EACH_PAIR (pair, world, p) {
				int other = rbl_world_other_body(world, pair, p);
				uint32_t flags = world->motions[i].flags | world->motions[other].flags;
				if ((world->motions[other].flags & RBL_BODY_MODIFIES) && other < i)
					continue; // it was shown already
				world->pairs[pair].flags &= ~(uint32_t)(RBL_PAIR_DISABLED | RBL_PAIR_POSE_CACHED);
				if (!(flags & RBL_BODY_AWAKE) || !(world->pairs[pair].flags & RBL_PAIR_POINTS) ||
				    (world->pairs[pair].flags & RBL_PAIR_SENSOR))
					continue;
				RBL_EACH_CONTACT (contact, world, pair)
					if (world->contacts.data[contact].solver_contact != RBL_NONE &&
					    world->contacts.data[contact].manifold.point_count > 0)
						ok &= modify_contact(world, contact);
			}
	}
	return ok;
}
