// SPDX-License-Identifier: MIT
//
// Serialisation of assets, little-endian, without pointers.
//
//   "RBLA"  u32 version  u64 size  u64 hash  u64 key     then what follows is hashed with the key
//   report, nodes, next plane id
//   parts: convex, mesh, origin
//   bonds
//   in version 2: the distance field. An asset without one is of version 1
//   in version 3: a word of flags before all this, then what they say: distance field; strengths
//   and anchors of parts; patterns, materials with their keys, and the material of each part.
//   Assets that have none of the latter two are written as before
//
// The tree and the ghost convexes are made again on reading, by the rules that made them first:
// they are the same, and there is nothing to forge. All numbers are checked, so that a block with
// a right hash and wrong content is refused as well.

#include "fracture/asset.h"

#include "base/fields.h"
#include "base/log.h"
#include "base/vec.h"
#include "field/field.h"
#include "fracture/shape_file.h"

enum { MAX_ITEMS = 1 << 28 };

static const rbl_field report_fields[] = {
	RBL_FIELD_BITS(rbl_asset_report, kept_count),
	RBL_FIELD_BITS(rbl_asset_report, stop),
	RBL_FIELD_BITS(rbl_asset_report, loose_count),
	RBL_FIELD_LONGS(rbl_asset_report, mesh_volume),
	RBL_FIELD_LONGS(rbl_asset_report, visual_volume),
	RBL_FIELD_LONGS(rbl_asset_report, convex_volume),
	RBL_FIELD_LONGS(rbl_asset_report, worst_ratio),
};

static const rbl_field origin_fields[] = {
	RBL_FIELD_BITS(rbl_asset_origin, shell),
	RBL_FIELD_BITS(rbl_asset_origin, node),
	RBL_FIELD_LONGS(rbl_asset_origin, key),
	RBL_FIELD_LONGS(rbl_asset_origin, visual_volume),
};

static const rbl_blob_kind kind = { { 'R', 'B', 'L', 'A' }, 1, "asset" };
static const rbl_blob_kind kind_with_field = { { 'R', 'B', 'L', 'A' }, 2, "asset" };
static const rbl_blob_kind kind_with_flags = { { 'R', 'B', 'L', 'A' }, 3, "asset" };

enum { HAS_FIELD = 1, HAS_SUPPORT = 2, HAS_MATERIALS = 4, ALL_FLAGS = 7 };

// The kind of a block, by its version; the newest one when it is none.
static const rbl_blob_kind *kind_of(const void *bytes, size_t size)
{
	rbl_blob_reader r = { .bytes = bytes, .at = 4, .size = size };
	uint32_t version = size >= RBL_BLOB_HEADER ? rbl_blob_get32(&r) : 0;
	return version == kind.version              ? &kind
	       : version == kind_with_field.version ? &kind_with_field
	                                            : &kind_with_flags;
}

// Whether parts have strengths of their own, or anchors.
static bool has_support(const rbl_asset *asset)
{
	for (int i = 0; i < asset->report.part_count; ++i)
		if (asset->compound->parts.data[i].strength != 1.0 ||
		    asset->compound->parts.data[i].is_anchored)
			return true;
	return false;
}

// --- writing ------------------------------------------------------------------------------------

// The level of a material of an asset, counted over all of them; NULL beyond the last.
static const rbl_damage_level *level_at(const rbl_compound *c, int index)
{
	for (int i = 0; i < c->material_count; ++i) {
		const rbl_damage_rule *rule = c->materials[i] ? &c->materials[i]->def.damage : NULL;
		int count = rule ? rule->level_count : 0;
		if (index < count)
			return &rule->levels[index];
		index -= count;
	}
	return NULL;
}

// Whether a pattern is that of an earlier level, too.
static bool is_known_pattern(const rbl_compound *c, int index)
{
	uint64_t key = rbl_pattern_key(level_at(c, index)->pattern);
	for (int i = 0; i < index; ++i)
		if (rbl_pattern_key(level_at(c, i)->pattern) == key)
			return true;
	return false;
}

static void put_pattern(rbl_blob_writer *w, const rbl_pattern *pattern)
{
	size_t size = 0;
	rbl_pattern_save(pattern, NULL, &size);
	rbl_blob_put64(w, (uint64_t)size);
	if (w->bytes)
		rbl_pattern_save(pattern, w->bytes + w->at, &size);
	w->at += size;
	rbl_blob_put_padding(w);
}

static void put_asset_materials(rbl_blob_writer *w, const rbl_asset *asset)
{
	const rbl_compound *c = asset->compound;
	int patterns = 0;
	for (int i = 0; level_at(c, i); ++i)
		patterns += !is_known_pattern(c, i);
	rbl_blob_put32(w, (uint32_t)patterns);
	for (int i = 0; level_at(c, i); ++i)
		if (!is_known_pattern(c, i))
			put_pattern(w, level_at(c, i)->pattern);
	rbl_blob_put32(w, (uint32_t)c->material_count);
	for (int i = 0; i < c->material_count; ++i) {
		rbl_blob_put_bool(w, c->materials[i] != NULL);
		if (c->materials[i])
			rbl_material_save(c->materials[i], w);
	}
	for (int i = 0; i < c->parts.count; ++i)
		rbl_blob_put32(w, (uint32_t)c->parts.data[i].material);
}

static bool has_materials(const rbl_asset *asset)
{
	return asset->compound->material_count > 1;
}

static uint32_t asset_flags(const rbl_asset *asset)
{
	return (asset->field ? HAS_FIELD : 0u) | (has_support(asset) ? HAS_SUPPORT : 0u) |
	       (has_materials(asset) ? HAS_MATERIALS : 0u);
}

static void put_asset(rbl_blob_writer *w, const rbl_asset *asset)
{
	const rbl_asset_report *r = &asset->report;
	const rbl_compound *c = asset->compound;
	uint32_t flags = asset_flags(asset);
	w->at = RBL_BLOB_HEADER;
	rbl_blob_put64(w, r->key);
	if (flags > HAS_FIELD)
		rbl_blob_put32(w, flags);
	rbl_blob_put32(w, (uint32_t)r->shell_count);
	rbl_blob_put32(w, (uint32_t)r->part_count);
	rbl_blob_put32(w, (uint32_t)asset->nodes.count);
	rbl_blob_put32(w, (uint32_t)c->bonds.count);
	rbl_blob_put_struct(w, report_fields, r);
	rbl_blob_put_double(w, c->tolerance);
	rbl_blob_put64(w, c->next_plane_id);
	rbl_blob_put_longs(w, asset->nodes.data, 3 * (size_t)asset->nodes.count);
	for (int i = 0; i < r->part_count; ++i) {
		rbl_blob_put_struct(w, origin_fields, &asset->origins[i]);
		rbl_blob_put_double(w, c->parts.data[i].volume);
		rbl_put_convex(w, c->parts.data[i].convex);
		rbl_put_mesh(w, c->parts.data[i].mesh);
	}
	for (int i = 0; i < c->bonds.count; ++i)
		rbl_put_bond(w, &c->bonds.data[i]);
	if (asset->field)
		rbl_distance_field_put(w, asset->field);
	for (int i = 0; i < r->part_count && (flags & HAS_SUPPORT); ++i) {
		rbl_blob_put_double(w, c->parts.data[i].strength);
		rbl_blob_put_bool(w, c->parts.data[i].is_anchored);
	}
	if (flags & HAS_MATERIALS)
		put_asset_materials(w, asset);
}

rbl_result rbl_asset_save(const rbl_asset *asset, void *bytes, size_t *size)
{
	if (!asset || !size)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset or size is NULL");
	rbl_blob_writer w = { 0 };
	bool wants;
	put_asset(&w, asset);
	rbl_result result = rbl_blob_check_capacity(&w, bytes, size, &wants);
	if (!wants)
		return result;
	put_asset(&w, asset);
	rbl_blob_seal(&w, asset_flags(asset) > HAS_FIELD ? &kind_with_flags
	                  : asset->field                 ? &kind_with_field
	                                                 : &kind);
	return RBL_OK;
}

// --- reading ------------------------------------------------------------------------------------

static rbl_result get_asset_part(rbl_blob_reader *r, rbl_asset *asset, int index,
                                 uint64_t *plane_end)
{
	rbl_asset_origin *o = &asset->origins[index];
	rbl_blob_get_struct(r, origin_fields, o);
	rbl_part part = { .volume = rbl_blob_get_double(r) };
	rbl_arena_reset(&r->scratch);
	rbl_result result = rbl_get_convex(r, &asset->allocator, &part.convex);
	if (result == RBL_OK)
		result = rbl_get_mesh(r, &asset->allocator, &part.mesh);
	if (result == RBL_OK && !(part.volume > 0.0 && isfinite(part.volume)))
		result = RBL_BAD_FILE;
	if (result == RBL_OK && !(o->visual_volume > 0.0))
		result =
			rbl_fail(RBL_BAD_MESH, "part %d of the asset is inside out: prepare it again", index);
	if (result != RBL_OK) {
		rbl_part_free(&part);
		return result;
	}
	rbl_convex_data d = rbl_convex_get_data(part.convex);
	for (int f = 0; f < d.face_count; ++f)
		if (d.plane_ids[f] != RBL_NO_PLANE_ID && d.plane_ids[f] >= *plane_end)
			*plane_end = d.plane_ids[f] + 1;
	rbl_compound_add_part(asset->compound, &part);
	return RBL_OK;
}

static rbl_result get_asset_bond(rbl_blob_reader *r, rbl_compound *c)
{
	rbl_bond b;
	rbl_result result = rbl_get_bond(r, c, &b);
	if (result != RBL_OK)
		return result;
	if (b.is_loose || rbl_compound_find_bond(c, b.parts[0], b.parts[1]) >= 0)
		return RBL_BAD_FILE;
	rbl_compound_add_bond(c, &b);
	return RBL_OK;
}

static rbl_result get_nodes(rbl_blob_reader *r, rbl_asset *asset, uint32_t count)
{
	if (count > MAX_ITEMS || !rbl_array_reserve(&asset->allocator, &asset->nodes, (int)count))
		return count > MAX_ITEMS ? RBL_BAD_FILE : RBL_OUT_OF_MEMORY;
	rbl_blob_get_longs(r, asset->nodes.data, 3 * (size_t)count);
	asset->nodes.count = (int)count;
	for (uint32_t i = 0; i < count; ++i)
		if (r->is_bad || !rbl_is_finite_d(asset->nodes.data[i]))
			return RBL_BAD_FILE;
	return RBL_OK;
}

// Strengths and anchors of parts.
static rbl_result get_support(rbl_blob_reader *r, rbl_compound *c)
{
	for (int i = 0; i < c->parts.count; ++i) {
		rbl_part *m = &c->parts.data[i];
		m->strength = rbl_blob_get_double(r);
		m->is_anchored = rbl_blob_get_bool(r);
		c->anchored_count += m->is_anchored;
		if (r->is_bad || !(m->strength > 0.0) || !isfinite(m->strength))
			return RBL_BAD_FILE;
	}
	return RBL_OK;
}

typedef struct pattern_list {
	const rbl_allocator *allocator;
	rbl_pattern **items;
	int count, capacity;
} pattern_list;

static const rbl_pattern *find_listed(void *user, uint64_t key)
{
	const pattern_list *list = user;
	for (int i = 0; i < list->count; ++i)
		if (rbl_pattern_key(list->items[i]) == key)
			return list->items[i];
	return NULL;
}

static rbl_result get_patterns(rbl_blob_reader *r, pattern_list *list)
{
	list->capacity = rbl_blob_get_count(r, 8);
	list->items = RBL_NEW_ZERO(list->allocator, rbl_pattern *, list->capacity + 1);
	if (!list->items)
		return RBL_OUT_OF_MEMORY;
	for (; list->count < list->capacity; list->count++) {
		uint64_t size = rbl_blob_get64(r);
		if (r->is_bad || size > r->size - r->at)
			return RBL_BAD_FILE;
		rbl_result result = rbl_pattern_load(r->bytes + r->at, (size_t)size, list->allocator,
		                                     &list->items[list->count]);
		if (result != RBL_OK)
			return result == RBL_OUT_OF_MEMORY ? result : RBL_BAD_FILE;
		r->at += (size_t)size;
		rbl_blob_get_padding(r);
	}
	return RBL_OK;
}

static rbl_result get_table(rbl_blob_reader *r, rbl_compound *c, pattern_list *patterns)
{
	int count = rbl_blob_get_count(r, 4);
	if (r->is_bad || count < 2 || count > RBL_MAX_ASSET_MATERIALS + 1)
		return RBL_BAD_FILE;
	const rbl_material **table = RBL_NEW_ZERO(&c->allocator, const rbl_material *, count);
	if (!table)
		return RBL_OUT_OF_MEMORY;
	RBL_FREE(&c->allocator, c->materials, c->material_count); // of none
	c->materials = table;
	c->material_count = count;
	for (int i = 0; i < count; ++i) {
		rbl_material *material = NULL;
		if (!rbl_blob_get_bool(r))
			continue;
		if (!rbl_material_load(r, &c->allocator, find_listed, patterns, &material))
			return r->out_of_memory ? RBL_OUT_OF_MEMORY : RBL_BAD_FILE;
		table[i] = material;
	}
	for (int i = 0; i < c->parts.count; ++i)
		c->parts.data[i].material = rbl_blob_get_int(r, 0, count - 1);
	return r->is_bad ? RBL_BAD_FILE : RBL_OK;
}

static rbl_result get_asset_materials(rbl_blob_reader *r, rbl_asset *asset)
{
	pattern_list patterns = { .allocator = &asset->allocator };
	rbl_result result = get_patterns(r, &patterns);
	if (result == RBL_OK)
		result = get_table(r, asset->compound, &patterns);
	for (int i = 0; i < patterns.count; ++i)
		rbl_destroy_pattern(patterns.items[i]);
	RBL_FREE(&asset->allocator, patterns.items, patterns.items ? patterns.capacity + 1 : 0);
	return result;
}

static rbl_result get_asset(rbl_blob_reader *r, rbl_asset *asset, uint32_t flags)
{
	rbl_asset_report *report = &asset->report;
	report->shell_count = (int)rbl_blob_get32(r);
	uint32_t parts = rbl_blob_get32(r), nodes = rbl_blob_get32(r), bonds = rbl_blob_get32(r);
	rbl_blob_get_struct(r, report_fields, report);
	if ((uint32_t)report->stop > RBL_STOP_NO_GAIN)
		report->stop = RBL_STOP_GIVEN;
	double tolerance = rbl_blob_get_double(r);
	uint64_t plane_end = rbl_blob_get64(r);
	size_t rest = r->size - r->at;
	if (r->is_bad || parts < 1 || parts > RBL_MAX_COMPOUND_PARTS || parts > rest / 100 ||
	    nodes > rest / 24 || bonds > rest / 60 || !(tolerance >= 1e-9 && tolerance <= 1e-2))
		return RBL_BAD_FILE;
	asset->compound = rbl_compound_new(&asset->allocator, tolerance, NULL, 1);
	asset->origins = RBL_NEW(&asset->allocator, rbl_asset_origin, parts);
	report->part_count = asset->origins ? (int)parts : 0;
	if (!asset->compound || !asset->origins ||
	    !rbl_compound_reserve(asset->compound, (int)parts, (int)bonds))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = get_nodes(r, asset, nodes);
	report->node_count = asset->nodes.count;
	for (uint32_t i = 0; i < parts && result == RBL_OK; ++i)
		result = get_asset_part(r, asset, (int)i, &plane_end);
	asset->compound->next_plane_id = plane_end;
	for (uint32_t i = 0; i < bonds && result == RBL_OK; ++i)
		result = get_asset_bond(r, asset->compound);
	if (result == RBL_OK && flags & HAS_FIELD)
		result = rbl_distance_field_get(r, &asset->allocator, &asset->field) ? RBL_OK
		         : r->out_of_memory                                          ? RBL_OUT_OF_MEMORY
		                                                                     : RBL_BAD_FILE;
	if (result == RBL_OK && flags & HAS_SUPPORT)
		result = get_support(r, asset->compound);
	if (result == RBL_OK && flags & HAS_MATERIALS)
		result = get_asset_materials(r, asset);
	if (result == RBL_OK && r->at != r->size)
		result = RBL_BAD_FILE;
	if (result == RBL_OK)
		result = rbl_compound_build_tree(asset->compound, NULL);
	return result == RBL_OK ? rbl_asset_find_ghosts(asset) : result;
}

bool rbl_is_asset(const void *bytes, size_t size)
{
	return rbl_blob_is(&kind, bytes, size);
}

rbl_result rbl_asset_load(const void *bytes, size_t size, const rbl_allocator *allocator,
                          rbl_asset **asset)
{
	if (!asset)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset is NULL");
	*asset = NULL;
	if (!bytes || (allocator && !rbl_allocator_is_valid(allocator)))
		return rbl_fail(RBL_BAD_ARGUMENT, "bytes is NULL, or allocator has one function of two");
	rbl_blob_reader r;
	const rbl_blob_kind *found = kind_of(bytes, size);
	rbl_result result = rbl_blob_open(&r, found, bytes, size, allocator);
	if (result != RBL_OK)
		return result;
	rbl_asset *made = rbl_asset_new(allocator);
	result = made ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (made) {
		made->report.key = rbl_blob_get64(&r);
		uint32_t flags = found == &kind_with_flags   ? rbl_blob_get32(&r)
		                 : found == &kind_with_field ? HAS_FIELD
		                                             : 0u;
		result = flags <= ALL_FLAGS ? get_asset(&r, made, flags) : RBL_BAD_FILE;
	}
	rbl_blob_close(&r);
	if (result != RBL_OK) {
		rbl_destroy_asset(made);
		return result == RBL_BAD_FILE ? rbl_fail(RBL_BAD_FILE, "the asset is damaged") : result;
	}
	*asset = made;
	return RBL_OK;
}
