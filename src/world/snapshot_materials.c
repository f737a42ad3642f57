// SPDX-License-Identifier: MIT
//
// Materials in a snapshot, and what parts have of their own.
//
// The table keeps its numbers. A loaded world has materials of its own in place of those that the
// caller shared. How often each is used is counted again when all bodies are read.

#include "world/snapshot.h"

#include "base/fields.h"

static const rbl_field trait_fields[] = {
	RBL_FIELD_BITS(rbl_part_traits, filter),
	RBL_FIELD_LONGS(rbl_part_traits, user),
	RBL_FIELD_BOOL(rbl_part_traits, has_filter),
	RBL_FIELD_BOOL(rbl_part_traits, is_sensor),
};

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_part_traits) == 32,
               "a new field of traits: is it saved?");

// --- the table ----------------------------------------------------------------------------------

// Where a material is in the assets that bodies have: a loaded world uses that of the asset.
// @return the asset's place; -1: it is in none
static int find_asset_of(const rbl_snapshot_tables *tables, const rbl_material *material,
                         int *index)
{
	for (int i = 0; i < tables->assets.items.count; ++i) {
		const rbl_compound *compound = rbl_asset_get_compound(tables->assets.items.data[i]);
		int count = rbl_compound_get_info(compound).material_count;
		for (*index = 0; *index < count; ++*index)
			if (rbl_compound_get_material(compound, *index) == material)
				return i;
	}
	return *index = -1;
}

void rbl_snapshot_put_materials(rbl_blob_writer *w, const rbl_world *world,
                                const rbl_snapshot_tables *tables)
{
	rbl_blob_put32(w, (uint32_t)world->materials.count);
	for (int i = 0; i < world->materials.count; ++i) {
		const rbl_world_material *m = &world->materials.data[i];
		rbl_blob_put32(w, (uint32_t)m->use_count);
		if (m->use_count == 0)
			continue;
		rbl_material_values_save(&m->values, w);
		rbl_blob_put_bool(w, m->shared != NULL);
		if (!m->shared)
			continue;
		rbl_blob_put_bool(w, m->version != m->shared->version); // the next step follows
		rbl_material_save(m->shared, w);
		int index, asset = find_asset_of(tables, m->shared, &index);
		rbl_blob_put32(w, (uint32_t)asset);
		rbl_blob_put32(w, (uint32_t)index);
	}
}

// A material of the caller with a name, or NULL.
static const rbl_material *find_by_name(const rbl_sources *sources, const char *name)
{
	for (int i = 0; *name && i < sources->material_count; ++i)
		if (sources->materials[i] && strcmp(sources->materials[i]->name, name) == 0)
			return sources->materials[i];
	return NULL;
}

// A pattern of the sources, or of an asset that was found by them.
static const rbl_pattern *find_saved_pattern(void *user, uint64_t key)
{
	const rbl_snapshot_reader *r = user;
	const rbl_pattern *found = rbl_sources_find_pattern((void *)(uintptr_t)r->sources, key);
	for (int i = 0; i < r->assets.count && !found; ++i)
		found = rbl_asset_find_pattern(r->assets.data[i], key);
	return found;
}

static void get_table_material(rbl_snapshot_reader *r, rbl_world_material *m)
{
	rbl_blob_reader *from = &r->blob;
	m->use_count = rbl_blob_get_int(from, 0, INT32_MAX);
	if (from->is_bad || m->use_count == 0)
		return;
	rbl_material_values values = { .friction = 0.0f };
	rbl_material_values_load(from, &values);
	rbl_world_set_material_values(m, &values);
	if (!rbl_blob_get_bool(from) || from->is_bad)
		return;
	bool is_old = rbl_blob_get_bool(from);
	rbl_material *shared = NULL;
	if (!rbl_material_load(from, &r->world->allocator, find_saved_pattern, r, &shared))
		return;
	int asset = rbl_blob_get_int(from, -1, r->assets.count - 1);
	int index = rbl_blob_get_int(from, -1, INT32_MAX);
	const rbl_material *own = find_by_name(r->sources, shared->name);
	if (asset >= 0 && !from->is_bad)
		own = rbl_compound_get_material(rbl_asset_get_compound(r->assets.data[asset]), index);
	if (own) {
		rbl_destroy_material(shared);
		bool is_same = rbl_material_values_are_equal(&own->values, &m->values);
		m->version = is_same ? own->version : own->version - 1; // else the next step follows
		m->shared = rbl_material_share(own);
		return;
	}
	m->shared = shared;
	m->version = is_old ? UINT32_MAX : 0;
}

bool rbl_snapshot_get_materials(rbl_snapshot_reader *r)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	int count = rbl_blob_get_count(from, 4);
	for (int i = 0; i < count && !from->is_bad && !from->out_of_memory; ++i) {
		if (!rbl_array_push(&world->allocator, &world->materials,
		                    (rbl_world_material){ .use_count = 0 })) {
			from->out_of_memory = true;
			break;
		}
		get_table_material(r, &world->materials.data[i]);
	}
	bool is_right = count == 0 || from->is_bad || from->out_of_memory ||
	                world->materials.data[count - 1].use_count > 0;
	if (!rbl_blob_expect(from, is_right, "the last material is free") || from->is_bad ||
	    from->out_of_memory)
		return false;
	for (int i = 0; i < count; ++i) {
		const rbl_world_material *m = &world->materials.data[i];
		uint64_t key = rbl_world_material_key(&m->values, m->shared);
		if (m->use_count > 0 && rbl_map_get(&world->material_map, key) == RBL_MAP_NONE)
			from->out_of_memory |=
				!rbl_map_set(&world->allocator, &world->material_map, key, (uint32_t)i);
	}
	return !from->out_of_memory;
}

// Count one use. @return false: there is no such material
static bool count_use(const rbl_world *world, int32_t *counts, int material)
{
	if (material < 0 || material >= world->materials.count)
		return false;
	counts[material]++;
	return true;
}

static bool count_compound(const rbl_world *world, int32_t *counts, const rbl_compound *compound)
{
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i) {
		const rbl_material *material = rbl_compound_get_material(compound, i);
		if (material && !count_use(world, counts, rbl_world_find_material(world, material)))
			return false;
	}
	return true;
}

static bool count_uses(const rbl_world *world, int32_t *counts)
{
	RBL_EACH_LIVE (i, &world->body_ids) {
		if (!count_use(world, counts, (int)world->bodies[i].material))
			return false;
		const rbl_world_baked_body *baked = rbl_world_get_baked_body(world, i);
		rbl_body_id id = rbl_world_body_id(world, i);
		bool is_right = count_compound(world, counts, rbl_body_get_compound(world, id));
		for (int k = 0; baked && k < baked->fragments.count; ++k)
			is_right &= count_compound(world, counts, baked->fragments.data[k].compound);
		if (!is_right)
			return false;
		RBL_EACH_PART (p, world, i) {
			int own = world->parts[p].material;
			bool is_used = world->hot_parts[p].flags & RBL_PART_HAS_TRAITS && own != RBL_NONE;
			if (own >= world->materials.count || (is_used && !count_use(world, counts, own)))
				return false;
			const rbl_collider *c = world->parts[p].collider;
			bool has_materials = world->hot_parts[p].flags & RBL_PART_HAS_MATERIALS;
			if (has_materials != (rbl_collider_material_count(c) > 0))
				return false;
			for (int k = 0; k < rbl_collider_material_count(c); ++k)
				if (c->parts->materials[k] &&
				    !count_use(world, counts,
				               rbl_world_find_material(world, c->parts->materials[k])))
					return false;
		}
	}
	for (int i = 0; i < world->materials.count; ++i)
		if (counts[i] != world->materials.data[i].use_count)
			return false;
	return true;
}

bool rbl_snapshot_check_materials(rbl_snapshot_reader *r)
{
	const rbl_world *world = r->world;
	int count = world->materials.count + 1;
	int32_t *counts = RBL_NEW_ZERO(&world->allocator, int32_t, count);
	r->blob.out_of_memory |= !counts;
	bool ok = counts && rbl_blob_expect(&r->blob, count_uses(world, counts),
	                                    "materials are not used as often as they should be");
	RBL_FREE(&world->allocator, counts, count);
	return ok;
}

// --- colliders and parts ------------------------------------------------------------------------

void rbl_snapshot_put_collider(rbl_blob_writer *w, const rbl_world *world,
                               const rbl_collider *collider)
{
	rbl_collider_save(collider, w);
	rbl_blob_put_padding(w);
	rbl_collider_put_slots(collider, w);
	for (int i = 0; i < rbl_collider_material_count(collider); ++i)
		rbl_blob_put32(w, (uint32_t)rbl_world_find_material(world, collider->parts->materials[i]));
}

bool rbl_snapshot_get_collider(rbl_snapshot_reader *r, rbl_collider **collider)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	rbl_collider *made;
	const rbl_material *materials[RBL_MAX_COLLIDER_MATERIALS];
	int count = 0;
	if (!rbl_collider_load(from, &world->allocator, &made))
		return false;
	rbl_blob_get_padding(from);
	if (rbl_collider_get_slots(from, made, &count))
		for (int i = 0; i < count && !from->is_bad; ++i) {
			int number = rbl_blob_get_int(from, -1, world->materials.count - 1);
			materials[i] = from->is_bad || number < 0 ? NULL : world->materials.data[number].shared;
		}
	if (!from->is_bad && !from->out_of_memory)
		from->out_of_memory |= rbl_collider_set_materials(made, materials, count) != RBL_OK;
	if (from->is_bad || from->out_of_memory) {
		rbl_destroy_collider(made);
		return false;
	}
	*collider = made;
	return true;
}

void rbl_snapshot_put_traits(rbl_blob_writer *w, const rbl_world *world, int part)
{
	const rbl_part_traits *traits = rbl_world_get_traits(world, part);
	rbl_blob_put32(w, world->hot_parts[part].flags);
	if (traits)
		rbl_blob_put_struct(w, trait_fields, traits);
}

void rbl_snapshot_get_traits(rbl_snapshot_reader *r, int part)
{
	rbl_blob_reader *from = &r->blob;
	rbl_world *world = r->world;
	const int all = RBL_PART_HAS_TRAITS | RBL_PART_SENSOR | RBL_PART_HAS_MATERIALS;
	int flags = rbl_blob_get_int(from, 0, all);
	rbl_part_traits traits = { .user = 0 };
	if (flags & RBL_PART_HAS_TRAITS)
		rbl_blob_get_struct(from, trait_fields, &traits);
	bool is_right = !from->is_bad && traits.is_sensor == !!(flags & RBL_PART_SENSOR);
	if (!rbl_blob_expect(from, is_right, "traits of a part are wrong"))
		return;
	world->hot_parts[part].flags = (uint16_t)(flags & RBL_PART_HAS_MATERIALS);
	if (!(flags & RBL_PART_HAS_TRAITS))
		return;
	if (rbl_world_reserve_traits(world, 1))
		rbl_world_set_traits(world, part, &traits);
	else
		from->out_of_memory = true;
}
