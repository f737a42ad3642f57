// SPDX-License-Identifier: MIT
//
// The materials of a world, and traits of single parts.
//
// The table is addressed by number, and its numbers follow from the order of the calls: snapshots
// and recordings keep them. The map from content to number is searched and never iterated, so that
// nothing depends on addresses or hashes. Two contents with one hash would have an entry each.

#include "world/world.h"

#include "world/recording.h"

// --- the table ----------------------------------------------------------------------------------

void rbl_world_set_material_values(rbl_world_material *m, const rbl_material_values *values)
{
	m->values = *values;
	rbl_material_values read = *values;
	read.density = 0.0f, read.user = 0;
	m->contact_hash = rbl_hash_bytes(RBL_HASH_START, &read, sizeof read);
}

uint64_t rbl_world_material_key(const rbl_material_values *values, const rbl_material *shared)
{
	return shared ? (uint64_t)(uintptr_t)shared
	              : rbl_hash_bytes(RBL_HASH_START, values, sizeof *values);
}

static bool is_same_material(const rbl_world_material *m, const rbl_material_values *values,
                             const rbl_material *shared)
{
	return m->use_count > 0 && m->shared == shared &&
	       (shared || rbl_material_values_are_equal(&m->values, values));
}

// @return RBL_NONE: there is none
static int find_material(const rbl_world *world, const rbl_material_values *values,
                         const rbl_material *shared)
{
	uint32_t found = rbl_map_get(&world->material_map, rbl_world_material_key(values, shared));
	bool is_found =
		found != RBL_MAP_NONE && is_same_material(&world->materials.data[found], values, shared);
	return is_found ? (int)found : RBL_NONE;
}

int rbl_world_find_material(const rbl_world *world, const rbl_material *shared)
{
	return shared ? find_material(world, NULL, shared) : RBL_NONE;
}

// The table depends on what is in use alone, and not on calls that have failed.
static int lowest_free(const rbl_world *world)
{
	int i = 0;
	while (i < world->materials.count && world->materials.data[i].use_count > 0)
		i++;
	return i;
}

int rbl_world_use_material(rbl_world *world, const rbl_material_values *values,
                           const rbl_material *shared)
{
	int number = find_material(world, values, shared);
	if (number != RBL_NONE) {
		world->materials.data[number].use_count++;
		return number;
	}
	number = lowest_free(world);
	if (number == world->materials.count &&
	    !rbl_array_extend(&world->allocator, &world->materials, 1))
		return RBL_NONE;
	uint64_t key = rbl_world_material_key(values, shared);
	if (rbl_map_get(&world->material_map, key) == RBL_MAP_NONE &&
	    !rbl_map_set(&world->allocator, &world->material_map, key, (uint32_t)number))
		return RBL_NONE;
	world->materials.count += number == world->materials.count;
	world->materials.data[number] = (rbl_world_material){ .shared = rbl_material_share(shared),
		                                                  .version = shared ? shared->version : 0,
		                                                  .use_count = 1 };
	rbl_world_set_material_values(&world->materials.data[number],
	                              shared ? &shared->values : values);
	return number;
}

void rbl_world_reuse_material(rbl_world *world, int material)
{
	world->materials.data[material].use_count++;
}

void rbl_world_drop_material(rbl_world *world, int material)
{
	if (material == RBL_NONE)
		return;
	rbl_world_material *m = &world->materials.data[material];
	RBL_ASSERT(m->use_count > 0);
	if (--m->use_count > 0)
		return;
	uint64_t key = rbl_world_material_key(&m->values, m->shared);
	if (rbl_map_get(&world->material_map, key) == (uint32_t)material)
		rbl_map_remove(&world->material_map, key);
	rbl_material_unshare(m->shared);
	*m = (rbl_world_material){ .use_count = 0 };
	int *count = &world->materials.count;
	while (*count > 0 && world->materials.data[*count - 1].use_count == 0)
		--*count;
}

bool rbl_world_use_collider_materials(rbl_world *world, const rbl_collider *collider)
{
	int count = rbl_collider_material_count(collider);
	for (int i = 0; i < count; ++i)
		if (collider->parts->materials[i] &&
		    rbl_world_use_material(world, NULL, collider->parts->materials[i]) == RBL_NONE) {
			while (--i >= 0)
				rbl_world_drop_material(
					world, rbl_world_find_material(world, collider->parts->materials[i]));
			return false;
		}
	return true;
}

void rbl_world_drop_collider_materials(rbl_world *world, const rbl_collider *collider)
{
	int count = rbl_collider_material_count(collider);
	for (int i = 0; i < count; ++i)
		rbl_world_drop_material(world,
		                        rbl_world_find_material(world, collider->parts->materials[i]));
}

bool rbl_world_use_compound_materials(rbl_world *world, const rbl_compound *compound)
{
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i) {
		const rbl_material *material = rbl_compound_get_material(compound, i);
		if (!material || rbl_world_use_material(world, NULL, material) != RBL_NONE)
			continue;
		while (--i >= 0)
			rbl_world_drop_material(
				world, rbl_world_find_material(world, rbl_compound_get_material(compound, i)));
		return false;
	}
	return true;
}

void rbl_world_drop_compound_materials(rbl_world *world, const rbl_compound *compound)
{
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i)
		rbl_world_drop_material(
			world, rbl_world_find_material(world, rbl_compound_get_material(compound, i)));
}

int rbl_world_compound_part_material(const rbl_world *world, const rbl_compound *compound, int part)
{
	int material = rbl_compound_get_part(compound, part).material;
	return rbl_world_find_material(world, rbl_compound_get_material(compound, material));
}

const rbl_material *rbl_world_made_of(const rbl_world *world, int body,
                                      const rbl_compound *compound, int material)
{
	const rbl_material *own = rbl_compound_get_material(compound, material);
	return own ? own : world->materials.data[world->bodies[body].material].shared;
}

const rbl_material_def *rbl_world_breaking(const rbl_world *world, int body,
                                           const rbl_compound *compound, int material)
{
	const rbl_material *own = rbl_world_made_of(world, body, compound, material);
	return own ? &own->def : NULL;
}

// The world's values: a material may have changed since the last step.
static double material_density(const rbl_world *world, const rbl_material *material)
{
	int number = rbl_world_find_material(world, material);
	return (double)(number != RBL_NONE ? world->materials.data[number].values.density
	                                   : material->values.density);
}

rbl_mass rbl_world_compound_mass(const rbl_world *world, const rbl_compound *compound,
                                 float density)
{
	enum { MOST_AT_ONCE = 256 };
	int count = rbl_compound_get_info(compound).material_count;
	double own[MOST_AT_ONCE];
	double *shares = count <= MOST_AT_ONCE ? own : RBL_NEW(&world->allocator, double, count);
	for (int i = 0; shares && i < count; ++i) {
		const rbl_material *material = rbl_compound_get_material(compound, i);
		shares[i] = material ? material_density(world, material) / (double)density : 1.0;
	}
	rbl_mass mass = rbl_compound_weigh(compound, shares);
	if (shares != own)
		RBL_FREE(&world->allocator, shares, count);
	return mass;
}

void rbl_world_free_materials(rbl_world *world)
{
	for (int i = 0; i < world->materials.count; ++i)
		rbl_material_unshare(world->materials.data[i].shared);
	rbl_array_free(&world->allocator, &world->materials);
	rbl_array_free(&world->allocator, &world->running);
	rbl_map_free(&world->allocator, &world->material_map);
	rbl_array_free(&world->allocator, &world->traits);
	rbl_map_free(&world->allocator, &world->trait_map);
}

// --- parts --------------------------------------------------------------------------------------

bool rbl_world_reserve_traits(rbl_world *world, int count)
{
	return count == 0 ||
	       (rbl_array_extend(&world->allocator, &world->traits, count) &&
	        rbl_map_reserve(&world->allocator, &world->trait_map, world->trait_map.count + count));
}

void rbl_world_set_traits(rbl_world *world, int part, const rbl_part_traits *traits)
{
	int at = world->free_trait;
	if (at != RBL_NONE) {
		world->free_trait = world->traits.data[at].next_free;
	} else {
		RBL_ASSERT(world->traits.count < world->traits.capacity);
		at = world->traits.count++;
	}
	world->traits.data[at] = *traits;
	bool ok = rbl_map_set(&world->allocator, &world->trait_map, (uint64_t)part, (uint32_t)at);
	RBL_ASSERT(ok); // memory is reserved
	(void)ok;
	world->hot_parts[part].flags |=
		RBL_PART_HAS_TRAITS | (traits->is_sensor ? RBL_PART_SENSOR : 0u);
}

void rbl_world_free_traits(rbl_world *world, int part)
{
	if (!(world->hot_parts[part].flags & RBL_PART_HAS_TRAITS))
		return;
	int at = (int)rbl_map_get(&world->trait_map, (uint64_t)part);
	rbl_map_remove(&world->trait_map, (uint64_t)part);
	rbl_world_drop_material(world, world->parts[part].material);
	world->traits.data[at] = (rbl_part_traits){ .next_free = world->free_trait };
	world->free_trait = at;
	world->hot_parts[part].flags &= (uint16_t) ~(RBL_PART_HAS_TRAITS | RBL_PART_SENSOR);
}

const rbl_part_traits *rbl_world_get_traits(const rbl_world *world, int part)
{
	return world->hot_parts[part].flags & RBL_PART_HAS_TRAITS
	           ? &world->traits.data[rbl_map_get(&world->trait_map, (uint64_t)part)]
	           : NULL;
}

int rbl_world_part_material_number(const rbl_world *world, int part, int child)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	int own = world->parts[part].material;
	if (hot->flags & RBL_PART_HAS_MATERIALS)
		own = rbl_world_find_material(
			world, rbl_collider_child_material(world->parts[part].collider, child));
	if (own == RBL_NONE && world->parts[part].field) { // it stands for all parts of a compound
		const rbl_compound *compound =
			rbl_body_get_compound(world, rbl_world_body_id(world, hot->body));
		own = compound ? rbl_world_compound_part_material(world, compound, child) : RBL_NONE;
	}
	return own != RBL_NONE ? own : (int)world->bodies[hot->body].material;
}

const rbl_material_values *rbl_world_part_material(const rbl_world *world, int part, int child)
{
	return &world->materials.data[rbl_world_part_material_number(world, part, child)].values;
}

const rbl_filter *rbl_world_part_filter(const rbl_world *world, int part)
{
	const rbl_part_traits *traits = rbl_world_get_traits(world, part);
	return traits && traits->has_filter ? &traits->filter
	                                    : &world->bodies[world->hot_parts[part].body].filter;
}

// --- changes ------------------------------------------------------------------------------------

void rbl_world_update_contact_materials(rbl_world *world, int body)
{
	for (int i = 0; world->solver && i < world->contacts.count; ++i) {
		const rbl_world_contact *contact = &world->contacts.data[i];
		if (contact->pair == RBL_NONE || contact->solver_contact == RBL_NONE)
			continue;
		const rbl_pair_record *pair = &world->pairs[contact->pair];
		if (body != RBL_NONE && world->hot_parts[pair->a].body != body &&
		    world->hot_parts[pair->b].body != body)
			continue;
		rbl_solver_contact def = rbl_world_contact_def(world, i);
		rbl_solver_set_material(world->solver, contact->solver_contact, &def);
	}
}

// Whether a body, one of its parts or of its triangles is made of something that has changed.
static bool has_changed_material(const rbl_world *world, int body, const uint8_t *is_changed)
{
	if (is_changed[world->bodies[body].material])
		return true;
	RBL_EACH_PART (p, world, body) {
		int own = world->parts[p].material;
		if (own != RBL_NONE && is_changed[own])
			return true;
		const rbl_collider *c = world->parts[p].collider;
		for (int i = 0; i < rbl_collider_material_count(c); ++i) {
			int number = rbl_world_find_material(world, c->parts->materials[i]);
			if (number != RBL_NONE && is_changed[number])
				return true;
		}
	}
	return false;
}

void rbl_world_wake_touching(rbl_world *world, int body)
{
	rbl_world_wake(world, body);
	if (world->bodies[body].kind == RBL_BODY_DYNAMIC)
		return;
	RBL_EACH_PART (p, world, body)
		RBL_EACH_PAIR (pair, world, p)
			rbl_world_wake(world, rbl_world_other_body(world, pair, p));
}

// Whether some parts have a material of their own.
static bool has_materials(const rbl_compound *compound)
{
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i)
		if (rbl_compound_get_material(compound, i))
			return true;
	return false;
}

// Values have changed; the old densities are still known.
static void apply_material_change(rbl_world *world, const uint8_t *is_changed,
                                  const float *old_densities)
{
	RBL_EACH_LIVE (i, &world->body_ids) {
		if (!has_changed_material(world, i, is_changed))
			continue;
		rbl_body *b = &world->bodies[i];
		float density = world->materials.data[b->material].values.density;
		rbl_body_id id = rbl_world_body_id(world, i);
		rbl_world_reset_stress(world, i);
		if (has_materials(rbl_body_get_compound(world, id))) {
			if (rbl_world_own_compound(world, i))
				rbl_world_refit_or_retry(world, id); // its centre of mass moves, too
			else
				world->stats.lost_count++;
		} else if (is_changed[b->material] && density != old_densities[b->material]) {
			rbl_world_scale_mass(world, i, density / old_densities[b->material]);
		}
		rbl_world_wake_touching(world, i);
	}
	rbl_world_update_contact_materials(world, RBL_NONE);
}

void rbl_world_update_materials(rbl_world *world)
{
	int count = world->materials.count, changed = 0;
	for (int i = 0; i < count; ++i) {
		const rbl_world_material *m = &world->materials.data[i];
		changed += m->shared && m->shared->version != m->version;
	}
	if (changed == 0)
		return;
	// Not of the arena, which refitting resets.
	uint8_t *is_changed = RBL_NEW(&world->allocator, uint8_t, count);
	float *old_densities = RBL_NEW(&world->allocator, float, count);
	for (int i = 0; is_changed && old_densities && i < count; ++i) {
		rbl_world_material *m = &world->materials.data[i];
		is_changed[i] = m->shared && m->shared->version != m->version;
		old_densities[i] = m->values.density;
		if (!is_changed[i])
			continue;
		rbl_world_set_material_values(m, &m->shared->values);
		m->version = m->shared->version;
		rbl_record_material_change(world, i);
	}
	if (is_changed && old_densities) // else the next step tries again
		apply_material_change(world, is_changed, old_densities);
	RBL_FREE(&world->allocator, is_changed, count);
	RBL_FREE(&world->allocator, old_densities, count);
}

// --- running surfaces ---------------------------------------------------------------------------

static bool is_running(const rbl_world *world, int material)
{
	rbl_vec3 v = world->materials.data[material].values.surface_velocity;
	return v.x != 0.0f || v.y != 0.0f || v.z != 0.0f;
}

// Whether a surface of a body may run.
static bool may_run(const rbl_world *world, int body)
{
	return is_running(world, (int)world->bodies[body].material) ||
	       (world->motions[body].flags & RBL_BODY_HAS_MATERIALS);
}

static rbl_vec3 surface_velocity(const rbl_world *world, int part, int child)
{
	rbl_vec3 local = rbl_world_part_material(world, part, child)->surface_velocity;
	return rbl_rotate(world->motions[world->hot_parts[part].body].rotation, local);
}

// How the surface of B runs past that of A, the bodies of a contact as the solver has them.
rbl_vec3 rbl_world_running_velocity(const rbl_world *world, int contact)
{
	const rbl_world_contact *t = &world->contacts.data[contact];
	const rbl_pair_record *pair = &world->pairs[t->pair];
	rbl_vec3 v = rbl_sub(surface_velocity(world, pair->b, t->manifold.child_b),
	                     surface_velocity(world, pair->a, t->manifold.child_a));
	return rbl_world_is_swapped(world, t->pair) ? rbl_neg(v) : v;
}

// @return false when memory ran out
static bool add_running(rbl_world *world, int pair)
{
	RBL_EACH_CONTACT (contact, world, pair) {
		const rbl_world_contact *t = &world->contacts.data[contact];
		if (t->solver_contact == RBL_NONE || t->manifold.point_count == 0)
			continue;
		rbl_vec3 v = rbl_world_running_velocity(world, contact);
		if (v.x == 0.0f && v.y == 0.0f && v.z == 0.0f)
			continue;
		rbl_solver_running_surface running = { t->solver_contact, v };
		if (!rbl_array_push(&world->allocator, &world->running, running))
			return false;
	}
	return true;
}

bool rbl_world_set_running_surfaces(rbl_world *world)
{
	bool runs = false, ok = true;
	for (int i = 0; i < world->materials.count && !runs; ++i)
		runs = is_running(world, i);
	if (runs)
		RBL_EACH_LIVE (i, &world->body_ids) {
			if (!may_run(world, i))
				continue;
			RBL_EACH_PART (p, world, i)
				RBL_EACH_PAIR (pair, world, p) {
					int other = rbl_world_other_body(world, pair, p);
					bool is_first = i < other || !may_run(world, other); // each pair once
					bool is_modified = world->modifier_count > 0 &&
					                   ((world->motions[i].flags | world->motions[other].flags) &
					                    RBL_BODY_MODIFIES);
					if (is_first && !is_modified && (world->pairs[pair].flags & RBL_PAIR_POINTS))
						ok &= add_running(world, pair);
				}
		}
	rbl_solver_set_running_surfaces(world->solver, world->running.data, world->running.count);
	return ok;
}

// --- the public face ----------------------------------------------------------------------------

int rbl_world_get_materials(const rbl_world *world, rbl_material **materials, int capacity)
{
	int n = 0;
	for (int i = 0; world && i < world->materials.count; ++i) {
		if (!world->materials.data[i].shared)
			continue;
		if (materials && n < capacity)
			materials[n] = (rbl_material *)(uintptr_t)world->materials.data[i].shared;
		n++;
	}
	return n;
}

rbl_material_values rbl_body_get_material(const rbl_world *world, rbl_body_id body)
{
	return world && rbl_world_has_body(world, body)
	           ? world->materials.data[world->bodies[body.index].material].values
	           : (rbl_material_values){ .density = 0.0f };
}

const rbl_material *rbl_body_get_shared_material(const rbl_world *world, rbl_body_id body)
{
	return world && rbl_world_has_body(world, body)
	           ? world->materials.data[world->bodies[body.index].material].shared
	           : NULL;
}
