// SPDX-License-Identifier: MIT
//
// Fracture logs.
//
// A break follows from the compound and from the pattern with its position, radius and rotation,
// or from the bonds that opened. Compounds follow from earlier breaks. So an event is short
// however many pieces it makes. A hash of the pieces detects a world with other bodies.
//
//   header    as all blocks have it, see base/blob.h
//   fragment number of the body that broke, or 0 and its id; lower half of its asset's key
//   number of the break, last fragment number before it, step
//   cause, point, direction, radius, energy, seed, material, key of the pattern
//   pose of the body, hash of the pieces, pairs of parts whose bonds opened

#include "base/fields.h"
#include "base/log.h"
#include "fracture/fracture.h"
#include "world/recording.h"

static const rbl_blob_kind log_kind = { { 'R', 'B', 'L', 'F' }, 1, "fracture" };

enum { MAX_OPENED_BONDS = 64 };

typedef struct log_event {
	uint32_t fragment; // number of the body that broke; 0: `root` is its id
	rbl_body_id root;
	uint32_t asset;                 // lower half of its key; 0: none
	uint32_t number, last_fragment; // of the break, and of the last fragment before it
	uint64_t step;
	rbl_fracture_cause cause;
	rbl_vec3 point, direction; // in the coordinates of the shape
	float radius, energy;
	uint64_t seed, pattern;
	int32_t material;
	rbl_transform pose;
	uint64_t hash;
	int pair_count;
	int32_t pairs[2 * MAX_OPENED_BONDS];
} log_event;

// --- bytes --------------------------------------------------------------------------------------

static const rbl_field event_fields[] = {
	RBL_FIELD_BITS(log_event, fragment),
	RBL_FIELD_BITS(log_event, root),
	RBL_FIELD_BITS(log_event, asset),
	RBL_FIELD_BITS(log_event, number),
	RBL_FIELD_BITS(log_event, last_fragment),
	RBL_FIELD_LONGS(log_event, step),
	RBL_FIELD_INT(log_event, cause, 0, RBL_FRACTURE_CUT),
	RBL_FIELD_FLOATS(log_event, point),
	RBL_FIELD_FLOATS(log_event, direction),
	RBL_FIELD_RANGE(log_event, radius, 0, FLT_MAX),
	RBL_FIELD_FLOATS(log_event, energy),
	RBL_FIELD_LONGS(log_event, seed),
	RBL_FIELD_LONGS(log_event, pattern),
	RBL_FIELD_BITS(log_event, material),
	RBL_FIELD_FLOATS(log_event, pose),
	RBL_FIELD_LONGS(log_event, hash),
	RBL_FIELD_INT(log_event, pair_count, 0, MAX_OPENED_BONDS),
};

static void put_event(rbl_blob_writer *w, const log_event *e)
{
	w->at = RBL_BLOB_HEADER;
	rbl_blob_put_struct(w, event_fields, e);
	rbl_blob_put_words(w, e->pairs, 2 * (size_t)e->pair_count);
}

static bool get_event(rbl_blob_reader *r, log_event *e)
{
	if (!rbl_blob_get_struct(r, event_fields, e))
		return false;
	rbl_blob_get_words(r, e->pairs, 2 * (size_t)e->pair_count);
	bool is_right = rbl_pose_is_valid(e->pose) && rbl_world_is_position(e->pose.position);
	return rbl_blob_expect(r, is_right && r->at == r->size, "its numbers are wrong");
}

// --- writing ------------------------------------------------------------------------------------

static uint64_t hash_corners(uint64_t hash, const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	for (int v = 0; v < d.vertex_count; ++v) {
		uint64_t bits[3];
		memcpy(bits, &d.vertices[v], sizeof bits);
		for (int k = 0; k < 3; ++k)
			hash = rbl_hash_number(hash, bits[k]);
	}
	return hash;
}

static uint64_t hash_parts(uint64_t hash, const rbl_compound *compound)
{
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		if (convex)
			hash = hash_corners(rbl_hash_number(hash, (uint64_t)i), convex);
	}
	return hash;
}

// Hash the pieces of a break, and how much is left.
static uint64_t hash_break(const rbl_break *broken, const rbl_compound *rest)
{
	rbl_break_data data = rbl_break_get_data(broken);
	uint64_t hash = rbl_hash_number(RBL_HASH_START, (uint64_t)data.compound_count);
	for (int i = 0; i < data.compound_count; ++i)
		hash = hash_parts(hash, data.compounds[i]);
	return rbl_hash_number(hash, (uint64_t)rbl_compound_get_info(rest).part_count);
}

// Of a cut the plane says all.
static bool has_pattern(rbl_fracture_cause cause)
{
	return cause == RBL_FRACTURE_HIT || cause == RBL_FRACTURE_BLOW;
}

static const rbl_pattern *pattern_for(const rbl_material_def *material, float energy)
{
	const rbl_damage_rule *rule = material ? &material->damage : NULL;
	const rbl_pattern *pattern = NULL;
	for (int i = 0; rule && i < rule->level_count; ++i)
		if ((double)energy >= rule->levels[i].energy)
			pattern = rule->levels[i].pattern;
	return pattern;
}

void rbl_world_log_fracture(rbl_world *world, const rbl_damage_request *q, const rbl_break *broken)
{
	if (!world->log_fracture || world->is_applying)
		return;
	const rbl_body *b = &world->bodies[q->body.index];
	const rbl_material_def *material =
		rbl_world_breaking(world, (int)q->body.index, b->compound, q->material);
	bool is_load = q->cause == RBL_FRACTURE_LOAD || q->cause == RBL_FRACTURE_WEAR;
	log_event e = {
		.fragment = b->fragment_number,
		.root = b->fragment_number ? (rbl_body_id){ 0, 0 } : q->body,
		.asset = b->asset_key_low,
		.number = world->break_number,
		.last_fragment = world->fragment_count,
		.step = (uint64_t)world->stats.step_count,
		.cause = q->cause,
		.point = q->point,
		.direction = q->direction,
		.radius = q->radius,
		.energy = q->energy,
		.seed = q->seed,
		.pattern = has_pattern(q->cause) ? rbl_pattern_key(pattern_for(material, q->choice)) : 0,
		.material = q->material,
		.pose = rbl_body_pose(world, q->body),
		.hash = hash_break(broken, b->compound),
		.pair_count = is_load ? rbl_mini(world->opened_count, MAX_OPENED_BONDS) : 0,
	};
	if (e.pair_count > 0)
		memcpy(e.pairs, world->opened_parts, 2 * (size_t)e.pair_count * sizeof e.pairs[0]);
	unsigned char bytes[RBL_MAX_FRACTURE_EVENT];
	rbl_blob_writer w = { .bytes = bytes };
	put_event(&w, &e);
	rbl_blob_seal(&w, &log_kind);
	bool was_stepping = rbl_world_begin_callback(world);
	world->log_fracture(world->log_user, bytes, w.at);
	rbl_world_end_callback(world, was_stepping);
}

rbl_result rbl_world_log_fractures(rbl_world *world, rbl_fracture_log_function *write, void *user)
{
	if (!world || world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or in a step");
	world->log_fracture = write;
	world->log_user = user;
	return RBL_OK;
}

// --- applying -----------------------------------------------------------------------------------

static rbl_result refuse_event(int number, const char *what)
{
	return rbl_fail(RBL_BAD_FILE, "event %d of a fracture log: %s", number, what);
}

// The pattern of an event: of the material that was hit, or of the sources.
static const rbl_pattern *find_event_pattern(const rbl_material_def *material, uint64_t key,
                                             const rbl_sources *sources)
{
	const rbl_damage_rule *rule = &material->damage;
	for (int i = 0; i < rule->level_count; ++i)
		if (rbl_pattern_key(rule->levels[i].pattern) == key)
			return rule->levels[i].pattern;
	const rbl_pattern *found =
		sources ? rbl_sources_find_pattern((void *)(uintptr_t)sources, key) : NULL;
	return rbl_pattern_key(found) == key ? found : NULL;
}

static rbl_result cut_again(rbl_world *world, rbl_compound *compound, rbl_damage_request *request,
                            rbl_break **broken)
{
	rbl_break_def def;
	rbl_task *task = NULL;
	bool passes = false;
	rbl_result result = rbl_world_place_cut(world, compound, request, &def, &passes);
	if (result == RBL_OK && !passes)
		return rbl_fail(RBL_BAD_FILE, "its plane misses the body");
	if (result == RBL_OK)
		result = rbl_begin_cut(compound, &def, &task);
	if (result == RBL_OK)
		result = rbl_finish_break(task, broken);
	if (result != RBL_OK)
		rbl_destroy_task(task);
	return result;
}

static rbl_result break_again(rbl_world *world, const log_event *e, rbl_body_id id,
                              const rbl_sources *sources, rbl_break **broken)
{
	const rbl_body *b = &world->bodies[id.index];
	const rbl_material_def *material =
		rbl_world_breaking(world, (int)id.index, b->compound, e->material);
	rbl_damage_request request = { .body = id,
		                           .point = e->point,
		                           .direction = e->direction,
		                           .energy = e->energy,
		                           .material = e->material };
	if (!material)
		return rbl_fail(RBL_BAD_FILE, "its material does not break");
	if (e->cause == RBL_FRACTURE_BEND) {
		rbl_result result = rbl_world_bends(&material->damage, e->energy)
		                        ? rbl_world_bend_compound(world, &request, broken)
		                        : RBL_BAD_FILE;
		return result == RBL_OK && !*broken ? RBL_BAD_FILE : result;
	}
	if (e->cause == RBL_FRACTURE_LOAD || e->cause == RBL_FRACTURE_WEAR)
		return rbl_compound_break_bonds(b->compound, e->pairs, e->pair_count, broken);
	if (e->cause == RBL_FRACTURE_CUT)
		return cut_again(world, b->compound, &request, broken);
	const rbl_pattern *pattern = find_event_pattern(material, e->pattern, sources);
	if (!pattern)
		return rbl_fail(RBL_BAD_FILE, "its pattern is not found");
	rbl_record_pattern(world, pattern);
	rbl_break_def def = rbl_world_break_def(world, material, pattern, &request, e->seed);
	def.radius = (double)e->radius;
	return rbl_compound_break(b->compound, &def, broken);
}

static rbl_result apply_event(rbl_world *world, const log_event *e, int number,
                              const rbl_sources *sources)
{
	if (e->number != world->break_number + 1 || e->last_fragment != world->fragment_count)
		return refuse_event(number, "it is not the next");
	rbl_body_id id = e->fragment ? rbl_world_find_fragment(world, e->fragment) : e->root;
	if (e->fragment && !rbl_world_has_body(world, id))
		id = rbl_world_release_fragment(world, e->fragment);
	if (!rbl_world_has_body(world, id))
		return refuse_event(number, "its body is not there");
	rbl_body *b = &world->bodies[id.index];
	if ((e->fragment == 0 && b->fragment_number != 0) || !rbl_world_can_break(world, (int)id.index))
		return refuse_event(number, "its body cannot break");
	if (e->asset != b->asset_key_low)
		return refuse_event(number, "its body is of another asset");
	if (!rbl_world_own_compound(world, (int)id.index))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_body_set_pose(world, id, e->pose);
	rbl_break *broken = NULL;
	if (result == RBL_OK) {
		rbl_world_measure_joint_anchors(world, (int)id.index);
		result = break_again(world, e, id, sources, &broken);
	}
	if (result != RBL_OK)
		return result == RBL_OUT_OF_MEMORY ? result
		                                   : refuse_event(number, "it cannot be broken so");
	bool is_same = hash_break(broken, b->compound) == e->hash;
	rbl_damage_request request = { .body = id,
		                           .point = e->point,
		                           .direction = e->direction,
		                           .radius = e->radius,
		                           .energy = e->energy,
		                           .choice = e->energy,
		                           .seed = e->seed,
		                           .material = e->material,
		                           .part = RBL_NONE,
		                           .cause = e->cause };
	rbl_world_apply_break(world, &request, broken);
	return is_same ? RBL_OK : refuse_event(number, "it breaks into other pieces");
}

// Apply the first event of some bytes. @param length  receives its size
static rbl_result apply_first(rbl_world *world, const unsigned char *bytes, size_t size, int number,
                              const rbl_sources *sources, size_t *length)
{
	rbl_blob_reader head = { .bytes = bytes, .at = 8, .size = size };
	uint64_t event_size = size < RBL_BLOB_HEADER ? size : rbl_blob_get64(&head);
	if (event_size > size || event_size > RBL_MAX_FRACTURE_EVENT)
		return refuse_event(number, "it is cut off or damaged");
	*length = (size_t)event_size;
	rbl_blob_reader r;
	rbl_result result = rbl_blob_open(&r, &log_kind, bytes, *length, &world->allocator);
	if (result != RBL_OK)
		return result;
	log_event e;
	bool ok = get_event(&r, &e);
	rbl_blob_close(&r);
	return ok ? apply_event(world, &e, number, sources)
	          : refuse_event(number, "its numbers are wrong");
}

rbl_result rbl_world_apply_fractures(rbl_world *world, const void *bytes, size_t size,
                                     const rbl_sources *sources)
{
	if (!world || (!bytes && size > 0) || world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "world or bytes is NULL, or in a step");
	if (sources && !rbl_sources_are_valid(sources))
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_sources()");
	rbl_result result = RBL_OK;
	size_t at = 0, length = 0;
	rbl_record_pause(world);
	world->is_applying = true;
	for (int i = 0; at < size && result == RBL_OK; ++i, at += length)
		result =
			apply_first(world, (const unsigned char *)bytes + at, size - at, i, sources, &length);
	world->is_applying = false;
	rbl_world_bind_fractures(world);
	rbl_record_resume(world);
	rbl_record_fractures(world, bytes, at, result);
	return result;
}

// --- numbers ------------------------------------------------------------------------------------

uint32_t rbl_body_fragment(const rbl_world *world, rbl_body_id body)
{
	return world && rbl_world_has_body(world, body) ? world->bodies[body.index].fragment_number : 0;
}

rbl_body_id rbl_world_find_fragment(const rbl_world *world, uint32_t fragment)
{
	for (int i = 0; world && fragment && i < world->body_ids.slot_count; ++i)
		if (rbl_id_pool_is_live(&world->body_ids, i) &&
		    world->bodies[i].fragment_number == fragment)
			return rbl_world_body_id(world, i);
	return (rbl_body_id){ 0, 0 };
}
