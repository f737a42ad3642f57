// SPDX-License-Identifier: MIT
//
// Another shape for a body.
//
// The pose of the shape's origin stays, and so do joints, which are fixed to it; parts, mass and
// centre of mass follow from the new collider. The body gets the velocity of the same rigid motion
// at its new centre. All contacts end and begin anew, so what slept on the body wakes.

#include "world/world.h"

#include "base/log.h"
#include "world/mass.h"

rbl_result rbl_world_check_collider(const rbl_world *world, int body, const rbl_collider *collider)
{
	const rbl_body *b = &world->bodies[body];
	if (!collider)
		return rbl_fail(RBL_BAD_ARGUMENT, "collider is NULL");
	if (b->compound || b->asset || b->baked_index != 0)
		return rbl_fail(RBL_UNSUPPORTED, "the shape of a body with a compound follows its parts");
	if (world->parts[b->first_part].field && !world->hot_parts[b->first_part].polyhedron)
		return rbl_fail(RBL_UNSUPPORTED, "a body that collides by a field keeps its shape");
	if (b->kind != RBL_BODY_DYNAMIC)
		return RBL_OK;
	if (rbl_collider_is_surface(collider))
		return rbl_fail(RBL_BAD_ARGUMENT, "a mesh or height field cannot be dynamic");
	float density = world->materials.data[b->material].values.density;
	rbl_mass mass = { .volume = 0.0 };
	bool has_volume = rbl_collider_mass(world, collider, density, &mass);
	double kilograms = (double)density * mass.volume;
	if (!has_volume || !(kilograms >= 1e-9 && kilograms <= 1e15))
		return rbl_fail(RBL_BAD_ARGUMENT, "a mass of %g kg is not between 1e-9 and 1e15",
		                kilograms);
	return RBL_OK;
}

typedef struct new_shape {
	int count;
	rbl_new_part *parts;
	int32_t *indices;
	rbl_proxy_def *defs;
	rbl_proxy_id *proxies, *old_proxies;
} new_shape;

// The new parts, with their materials. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result stage_parts(rbl_world *world, const rbl_collider *collider, rbl_vec3 centre,
                              new_shape *s)
{
	int used = 0, traits = 0;
	for (; used < s->count; ++used) {
		s->parts[used] = rbl_world_collider_part(collider, used, centre);
		traits += s->parts[used].own != NULL;
		if (!rbl_world_use_part_materials(world, &s->parts[used]))
			break;
	}
	if (used == s->count && rbl_world_reserve_bodies(world, 0, s->count) &&
	    rbl_world_reserve_traits(world, traits))
		return RBL_OK;
	while (--used >= 0)
		rbl_world_drop_part_materials(world, &s->parts[used]);
	return RBL_OUT_OF_MEMORY;
}

// Take new parts back that are in front of the list of a body.
static void take_back_parts(rbl_world *world, int body, int count)
{
	for (int i = 0; i < count; ++i) {
		int p = world->bodies[body].first_part;
		world->bodies[body].first_part = world->parts[p].next;
		rbl_world_free_traits(world, p);
		if (world->hot_parts[p].flags & RBL_PART_HAS_MATERIALS)
			rbl_world_drop_collider_materials(world, world->parts[p].collider);
		rbl_id_pool_take_back(&world->part_ids, rbl_id_pool_at(&world->part_ids, p));
	}
}

// Replace the proxies of old parts, the last `old_count` of the list, by those of the new ones.
static rbl_result replace_shape_proxies(rbl_world *world, int body, new_shape *s, int old_count)
{
	int n = 0, old = 0;
	RBL_EACH_PART (p, world, body) {
		if (n < s->count) {
			s->indices[n] = p;
			s->defs[n++] = rbl_world_proxy_def(world, p);
		} else {
			s->old_proxies[old++] = world->parts[p].proxy;
		}
	}
	RBL_ASSERT(old == old_count);
	rbl_result result = rbl_broadphase_replace_many(world->broadphase, s->old_proxies, old_count,
	                                                s->defs, s->count, s->proxies);
	for (int i = 0; i < s->count && result == RBL_OK; ++i)
		world->parts[s->indices[i]].proxy = s->proxies[i];
	return result;
}

static void free_old_parts(rbl_world *world, int body, int last_new)
{
	for (int p = world->parts[last_new].next; p != RBL_NONE;) {
		int next = world->parts[p].next;
		rbl_world_free_part(world, p);
		p = next;
	}
	world->parts[last_new].next = RBL_NONE;
	(void)body;
}

static void set_mass(rbl_world *world, int body, const rbl_mass *mass)
{
	rbl_body *b = &world->bodies[body];
	double density = (double)world->materials.data[b->material].values.density;
	rbl_mat3d inertia = rbl_mat_scale_d(density, mass->inertia);
	b->mass = (float)(density * mass->volume);
	b->inertia = (rbl_mat3){ rbl_to_f(inertia.x), rbl_to_f(inertia.y), rbl_to_f(inertia.z) };
}

rbl_result rbl_world_set_collider(rbl_world *world, int body, const rbl_collider *collider)
{
	rbl_body *b = &world->bodies[body];
	rbl_body_motion *m = &world->motions[body];
	bool is_enabled = m->flags & RBL_BODY_ENABLED;
	int old_count = b->part_count;
	rbl_mass mass = { .volume = 0.0 };
	rbl_collider_mass(world, collider, world->materials.data[b->material].values.density, &mass);
	rbl_vec3 centre = rbl_to_f(mass.centre);
	new_shape s = { .count = collider->kind == RBL_COLLIDER_COMPOUND ? collider->child_count : 1 };
	rbl_arena_reset(&world->arena);
	s.parts = RBL_ARENA_NEW(&world->arena, rbl_new_part, s.count);
	s.indices = RBL_ARENA_NEW(&world->arena, int32_t, s.count);
	s.defs = RBL_ARENA_NEW(&world->arena, rbl_proxy_def, s.count);
	s.proxies = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, s.count);
	s.old_proxies = RBL_ARENA_NEW(&world->arena, rbl_proxy_id, old_count);
	if (!s.parts || !s.indices || !s.defs || !s.proxies || !s.old_proxies ||
	    !rbl_world_clear_marks(world) || stage_parts(world, collider, centre, &s) != RBL_OK)
		return RBL_OUT_OF_MEMORY;

	// Boxes are made about the new centre.
	b = &world->bodies[body], m = &world->motions[body];
	rbl_vec3 shift = rbl_sub(centre, b->local_centre), rotated = rbl_rotate(m->rotation, shift);
	rbl_body_motion old = *m;
	m->flags &= ~(uint32_t)RBL_BODY_HAS_MATERIALS;
	m->centre = rbl_add(m->centre, rotated);
	for (int i = s.count - 1; i >= 0; --i)
		rbl_world_add_part(world, body, &s.parts[i]);
	b->part_count = s.count;
	if (is_enabled) {
		rbl_result result = replace_shape_proxies(world, body, &s, old_count);
		if (result != RBL_OK) {
			take_back_parts(world, body, s.count);
			b->part_count = old_count;
			*m = old;
			return result;
		}
	}
	int last = b->first_part;
	for (int i = 1; i < s.count; ++i)
		last = world->parts[last].next;
	for (int i = 0; i < s.count; ++i)
		rbl_collider_share(s.parts[i].collider);

	// Nothing can fail any more.
	rbl_world_unfreeze(world, body);
	m->centre = old.centre; // for the support that goes
	if (b->kind == RBL_BODY_STATIC && is_enabled)
		for (int p = world->parts[last].next; p != RBL_NONE; p = world->parts[p].next)
			rbl_world_remove_part_support(world, p);
	m->centre = rbl_add(old.centre, rotated);
	free_old_parts(world, body, last);
	m->flags &= ~(uint32_t)(RBL_BODY_OWNS_COLLIDERS | RBL_BODY_BY_FIELD | RBL_BODY_AUTOMATIC);
	m->velocity = rbl_world_clamp_length(
		rbl_add(m->velocity, rbl_cross(m->angular_velocity, rotated)), RBL_MAX_SPEED);
	b->local_centre = centre;
	rbl_world_shift_joints(world, body, shift);
	set_mass(world, body, &mass);
	m->bounding_radius = 0.0f;
	for (int i = 0; i < s.count; ++i)
		m->bounding_radius = rbl_maxf(m->bounding_radius, rbl_world_new_part_radius(&s.parts[i]));
	b->inner_radius = rbl_collider_inner_radius(collider);
	if (b->solver_body != RBL_NONE) {
		rbl_world_update_solver_body(world, body);
		rbl_solver_set_pose(world->solver, b->solver_body, m->centre, m->rotation);
		if (b->kind != RBL_BODY_STATIC)
			rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity,
			                        m->angular_velocity);
	}
	if (is_enabled)
		rbl_world_mark_dirty(world, body);
	rbl_world_wake(world, body);
	rbl_world_wake_overlapped(world, body);
	return RBL_OK;
}
