// SPDX-License-Identifier: MIT
//
// A whole world as bytes.
//
//   header     as all blocks have it, see base/blob.h
//   "HEAD"     the definition, and counts that steps depend on
//   "TABL"     keys of assets; materials; colliders and field shapes that bodies share
//   "BODY" "PAIR" "JOIN" "LIST"   the world's own arrays
//   "BOXE"     the broad phase
//   "SOLV"     the solver
//
// Every room writes its own data. A loaded world owns the colliders and materials that its bodies
// share, since those of the caller may be gone. Nothing that is read is trusted: see the checks.
//
// A new field of the world must be written here, or nothing may depend on it: the assertions on
// sizes remind of that.

#include "world/snapshot.h"

#include "base/fields.h"
#include "base/log.h"

static const rbl_blob_kind snapshot_kind = { { 'R', 'B', 'L', 'W' }, 6, "snapshot" };

enum { SOURCES_COOKIE = 0x736f7572 };

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world_def) == 136,
               "a new field of world definitions: is it saved?");
_Static_assert(sizeof(void *) < 8 || sizeof(rbl_world) - sizeof(rbl_world_stats) == 1968,
               "a new field of worlds: is it saved?");

// --- sources ------------------------------------------------------------------------------------

rbl_sources rbl_default_sources(void)
{
	return (rbl_sources){ .cookie = SOURCES_COOKIE };
}

bool rbl_sources_are_valid(const rbl_sources *s)
{
	return s && s->cookie == SOURCES_COOKIE && s->asset_count >= 0 && s->pattern_count >= 0 &&
	       (s->assets || s->asset_count == 0) && (s->patterns || s->pattern_count == 0) &&
	       s->material_count >= 0 && (s->materials || s->material_count == 0);
}

const rbl_asset *rbl_sources_find_asset(const rbl_sources *s, uint64_t key)
{
	for (int i = 0; i < s->asset_count; ++i)
		if (s->assets[i] && rbl_asset_get_report(s->assets[i]).key == key)
			return s->assets[i];
	const rbl_asset *found = s->find_asset ? s->find_asset(s->user, key) : NULL;
	return found && rbl_asset_get_report(found).key == key ? found : NULL;
}

static const rbl_pattern *find_in_material(const rbl_material *material, uint64_t key)
{
	const rbl_damage_rule *rule = material ? &material->def.damage : NULL;
	for (int i = 0; rule && i < rule->level_count; ++i)
		if (rbl_pattern_key(rule->levels[i].pattern) == key)
			return rule->levels[i].pattern;
	return NULL;
}

const rbl_pattern *rbl_asset_find_pattern(const rbl_asset *asset, uint64_t key)
{
	const rbl_compound *compound = rbl_asset_get_compound(asset);
	int count = rbl_compound_get_info(compound).material_count;
	const rbl_pattern *found = NULL;
	for (int i = 0; i < count && !found; ++i)
		found = find_in_material(rbl_compound_get_material(compound, i), key);
	return found;
}

const rbl_pattern *rbl_sources_find_pattern(void *sources, uint64_t key)
{
	const rbl_sources *s = sources;
	const rbl_pattern *found = NULL;
	for (int i = 0; i < s->pattern_count; ++i)
		if (s->patterns[i] && rbl_pattern_key(s->patterns[i]) == key)
			return s->patterns[i];
	for (int i = 0; i < s->material_count && !found; ++i)
		found = find_in_material(s->materials[i], key);
	for (int i = 0; i < s->asset_count && !found; ++i)
		found = rbl_asset_find_pattern(s->assets[i], key);
	if (found)
		return found;
	return s->find_pattern ? s->find_pattern(s->user, key) : NULL;
}

// --- tables -------------------------------------------------------------------------------------

bool rbl_address_table_add(const rbl_allocator *allocator, rbl_address_table *table,
                           const void *item)
{
	uint64_t key = (uint64_t)(uintptr_t)item;
	if (!item || rbl_map_get(&table->map, key) != RBL_MAP_NONE)
		return true;
	uint32_t place = (uint32_t)table->items.count;
	return rbl_array_push(allocator, &table->items, item) &&
	       rbl_map_set(allocator, &table->map, key, place);
}

void rbl_address_table_free(const rbl_allocator *allocator, rbl_address_table *table)
{
	rbl_map_free(allocator, &table->map);
	rbl_array_free(allocator, &table->items);
}

static bool fill_tables(const rbl_world *world, rbl_snapshot_tables *tables)
{
	const rbl_allocator *a = &world->allocator;
	tables->proxies = RBL_NEW(a, rbl_proxy_id, world->part_ids.slot_count + 1);
	if (!tables->proxies)
		return false;
	RBL_EACH_LIVE (i, &world->body_ids) {
		const rbl_body *b = &world->bodies[i];
		if (!rbl_address_table_add(a, &tables->assets, b->asset))
			return false;
		if (world->motions[i].flags & RBL_BODY_OWNS_COLLIDERS)
			continue;
		for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next)
			if (!rbl_address_table_add(a, &tables->colliders, world->parts[p].collider))
				return false;
	}
	return rbl_snapshot_note_shapes(world, tables);
}

static void put_tables(rbl_blob_writer *w, const rbl_world *world,
                       const rbl_snapshot_tables *tables)
{
	size_t part = rbl_blob_begin(w, "TABL");
	rbl_blob_put32(w, (uint32_t)tables->assets.items.count);
	for (int i = 0; i < tables->assets.items.count; ++i)
		rbl_blob_put64(w, rbl_asset_get_report(tables->assets.items.data[i]).key);
	rbl_snapshot_put_materials(w, world, tables);
	rbl_blob_put32(w, (uint32_t)tables->colliders.items.count);
	for (int i = 0; i < tables->colliders.items.count; ++i)
		rbl_snapshot_put_collider(w, world, tables->colliders.items.data[i]);
	rbl_snapshot_put_shapes(w, tables);
	rbl_blob_end(w, part);
}

static bool get_tables(rbl_snapshot_reader *r)
{
	rbl_blob_reader *b = &r->blob;
	rbl_world *world = r->world;
	const rbl_allocator *a = &world->allocator;
	size_t end = rbl_blob_enter(b, "TABL");
	int count = rbl_blob_get_count(b, 8);
	for (int i = 0; i < count && !b->is_bad && !b->out_of_memory; ++i) {
		const rbl_asset *asset = rbl_sources_find_asset(r->sources, rbl_blob_get64(b));
		if (rbl_blob_expect(b, asset != NULL, "an asset is not found"))
			b->out_of_memory |= !rbl_array_push(a, &r->assets, asset);
	}
	if (b->is_bad || b->out_of_memory || !rbl_snapshot_get_materials(r))
		return false;
	count = rbl_blob_get_count(b, 8);
	for (int i = 0; i < count && !b->is_bad && !b->out_of_memory; ++i) {
		rbl_collider *collider;
		if (!rbl_snapshot_get_collider(r, &collider))
			return false;
		if (!rbl_array_push(a, &world->loaded_colliders, collider)) {
			rbl_destroy_collider(collider);
			b->out_of_memory = true;
		}
	}
	if (!b->is_bad && !b->out_of_memory)
		rbl_snapshot_get_shapes(r);
	return rbl_blob_leave(b, end) && !b->out_of_memory;
}

// --- the head -----------------------------------------------------------------------------------

static const rbl_field def_fields[] = {
	RBL_FIELD_FLOATS(rbl_world_def, gravity),
	RBL_FIELD_BITS(rbl_world_def, substep_count),
	RBL_FIELD_BOOL(rbl_world_def, can_sleep),
	RBL_FIELD_BOOL(rbl_world_def, detects_only),
	RBL_FIELD_FLOATS(rbl_world_def, length_scale),
	RBL_FIELD_FLOATS(rbl_world_def, hit_speed),
	RBL_FIELD_FLOATS(rbl_world_def, restitution_speed),
	RBL_FIELD_BITS(rbl_world_def, budget),
	RBL_FIELD_BITS(rbl_world_def, body_limit),
	RBL_FIELD_BITS(rbl_world_def, debris_limit),
	RBL_FIELD_BITS(rbl_world_def, chip_limit),
	RBL_FIELD_FLOATS(rbl_world_def, freeze_time),
	RBL_FIELD_FLOATS(rbl_world_def, bake_time),
	RBL_FIELD_FLOATS(rbl_world_def, slide_speed),
};

// The rest of the head.
typedef struct head {
	uint32_t fragment_count, break_number;
	float last_dt;
	bool pairs_are_stale;
	int64_t counts[5]; // steps, lost, rescued, failed bonds, pairs left out
} head;

static const rbl_field head_fields[] = {
	RBL_FIELD_BITS(head, fragment_count), RBL_FIELD_BITS(head, break_number),
	RBL_FIELD_RANGE(head, last_dt, 0, 1), RBL_FIELD_BOOL(head, pairs_are_stale),
	RBL_FIELD_LONGS(head, counts),
};

static void put_head(rbl_blob_writer *w, const rbl_world *world)
{
	const rbl_world_stats *s = &world->stats;
	head h = { .fragment_count = world->fragment_count,
		       .break_number = world->break_number,
		       .last_dt = world->last_dt,
		       .pairs_are_stale = world->pairs_are_stale,
		       .counts = { s->step_count, s->lost_count, s->rescued_count, s->failed_bond_count,
		                   s->capped_pair_count } };
	size_t part = rbl_blob_begin(w, "HEAD");
	rbl_blob_put_struct(w, def_fields, &world->def);
	rbl_blob_put_struct(w, head_fields, &h);
	rbl_blob_end(w, part);
}

// Create a world with the saved definition, and the caller's callbacks, workers and allocator.
static bool get_head(rbl_blob_reader *b, const rbl_world_def *given, rbl_world **world)
{
	rbl_world_def d = *given;
	head h;
	size_t end = rbl_blob_enter(b, "HEAD");
	d.capacity_hint = 0;
	if (!rbl_blob_get_struct(b, def_fields, &d) || !rbl_blob_get_struct(b, head_fields, &h))
		return false;
	bool is_right = h.last_dt > 0.0f;
	for (int i = 0; i < 5; ++i)
		is_right &= h.counts[i] >= 0;
	rbl_blob_expect(b, is_right, "a time or a count is wrong");
	if (!rbl_blob_leave(b, end))
		return false;
	rbl_result result = rbl_create_world(&d, world);
	b->out_of_memory |= result == RBL_OUT_OF_MEMORY;
	if (!rbl_blob_expect(b, result == RBL_OK || b->out_of_memory, "its definition is wrong") ||
	    b->out_of_memory)
		return false;
	rbl_world *w = *world;
	w->last_dt = h.last_dt;
	w->pairs_are_stale = h.pairs_are_stale;
	w->fragment_count = h.fragment_count;
	w->break_number = h.break_number;
	w->stats.step_count = h.counts[0], w->stats.lost_count = h.counts[1];
	w->stats.rescued_count = h.counts[2], w->stats.failed_bond_count = h.counts[3];
	w->stats.capped_pair_count = h.counts[4];
	return true;
}

// --- boxes --------------------------------------------------------------------------------------

// Parts of enabled bodies have a proxy, others have none.
static bool check_boxes(const rbl_world *world)
{
	RBL_EACH_LIVE (i, &world->part_ids) {
		uint32_t flags = world->motions[world->hot_parts[i].body].flags;
		if ((world->parts[i].proxy.generation != 0) != !!(flags & RBL_BODY_ENABLED))
			return false;
	}
	return true;
}

static bool get_boxes(rbl_snapshot_reader *r)
{
	rbl_world *world = r->world;
	int count = world->part_ids.slot_count;
	rbl_proxy_id *ids = RBL_NEW_ZERO(&world->allocator, rbl_proxy_id, count + 1);
	r->blob.out_of_memory |= !ids;
	if (!ids)
		return false;
	rbl_broadphase *broadphase = NULL;
	rbl_broadphase_def def = rbl_world_broadphase_def(world);
	bool ok = rbl_broadphase_load(&r->blob, &def, count, ids, &broadphase);
	if (ok) {
		rbl_destroy_broadphase(world->broadphase);
		world->broadphase = broadphase;
	}
	for (int i = 0; i < count && ok; ++i) {
		bool is_live = rbl_id_pool_is_live(&world->part_ids, i);
		ok = rbl_blob_expect(&r->blob, is_live || ids[i].generation == 0, "a proxy has no part");
		if (is_live)
			world->parts[i].proxy = ids[i];
	}
	RBL_FREE(&world->allocator, ids, count + 1);
	return ok && rbl_blob_expect(&r->blob, check_boxes(world), "a part has no proxy");
}

// --- all of it ----------------------------------------------------------------------------------

static void put_boxes(rbl_blob_writer *w, const rbl_world *world, const rbl_snapshot_tables *tables)
{
	int count = world->part_ids.slot_count;
	for (int i = 0; i < count; ++i)
		tables->proxies[i] = rbl_id_pool_is_live(&world->part_ids, i) ? world->parts[i].proxy
		                                                              : (rbl_proxy_id){ 0, 0 };
	rbl_broadphase_save(world->broadphase, tables->proxies, count, w);
}

static void put_world(rbl_blob_writer *w, const rbl_world *world, const rbl_snapshot_tables *tables)
{
	w->at = RBL_BLOB_HEADER;
	put_head(w, world);
	put_tables(w, world, tables);
	rbl_snapshot_put_bodies(w, world, tables);
	rbl_snapshot_put_pairs(w, world);
	rbl_snapshot_put_joints(w, world);
	put_boxes(w, world, tables);
	if (world->solver)
		rbl_solver_save(world->solver, w);
	rbl_snapshot_put_lists(w, world);
}

rbl_result rbl_world_save(const rbl_world *world, void *bytes, size_t *size)
{
	if (!world || !size)
		return rbl_fail(RBL_BAD_ARGUMENT, "world or size is NULL");
	if (world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "a world cannot be saved during a step");
	RBL_ASSERT(world->commands.count == 0);
	if (rbl_snapshot_check_fields(world) != RBL_OK)
		return RBL_UNSUPPORTED;
	rbl_snapshot_tables tables = { .assets = { .map = { NULL, 0, 0 } } };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (fill_tables(world, &tables)) {
		// An empty buffer is smaller than a header: not a byte is written.
		rbl_blob_writer w = { .bytes = bytes, .capacity = *size > 0 ? *size : 1 };
		bool fits;
		put_world(&w, world, &tables);
		result = rbl_blob_check_capacity(&w, bytes, size, &fits);
		w.at = *size;
		if (fits)
			rbl_blob_seal(&w, &snapshot_kind);
	}
	RBL_FREE(&world->allocator, tables.proxies, world->part_ids.slot_count + 1);
	rbl_address_table_free(&world->allocator, &tables.assets);
	rbl_address_table_free(&world->allocator, &tables.colliders);
	rbl_address_table_free(&world->allocator, &tables.shapes);
	rbl_address_table_free(&world->allocator, &tables.originals);
	return result;
}

static bool get_world(rbl_snapshot_reader *r)
{
	rbl_world *world = r->world;
	if (!get_tables(r) || !rbl_snapshot_get_bodies(r) || !rbl_snapshot_get_pairs(r) ||
	    !rbl_snapshot_get_joints(r) || !get_boxes(r) ||
	    (world->solver && !rbl_solver_load(&r->blob, world->solver)))
		return false;
	return rbl_snapshot_check_bodies(r) && rbl_snapshot_check_pairs(r) &&
	       rbl_snapshot_check_joints(r) && rbl_snapshot_get_lists(r) &&
	       rbl_blob_expect(&r->blob, r->blob.at == r->blob.size, "it is longer than it should be");
}

rbl_result rbl_world_load(const void *bytes, size_t size, const rbl_world_def *def,
                          const rbl_sources *sources, rbl_world **world)
{
	if (!world)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL");
	*world = NULL;
	if (!bytes || !def || !rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "bytes or def is NULL, or its allocator is wrong");
	if (def->cookie != rbl_default_world_def().cookie || !rbl_sources_are_valid(sources))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "start from rbl_default_world_def() and rbl_default_sources()");
	rbl_snapshot_reader r = { .sources = sources };
	rbl_result result = rbl_blob_open(&r.blob, &snapshot_kind, bytes, size, &def->allocator);
	if (result != RBL_OK)
		return result;
	bool ok = get_head(&r.blob, def, &r.world) && get_world(&r);
	rbl_blob_close(&r.blob);
	if (r.world)
		rbl_array_free(&r.world->allocator, &r.assets);
	if (ok) {
		*world = r.world;
		return RBL_OK;
	}
	rbl_destroy_world(r.world);
	result = r.blob.out_of_memory ? RBL_OUT_OF_MEMORY : RBL_BAD_FILE;
	return rbl_fail(result, "the snapshot is refused: %s",
	                r.blob.out_of_memory ? "no memory"
	                : r.blob.wrong       ? r.blob.wrong
	                                     : "damaged");
}
