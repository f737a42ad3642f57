// SPDX-License-Identifier: MIT
//
// Playing a recording.
//
// All chunks are checked first, by the hash that each ends with; only then is anything done.
// Calls are made through functions that check everything. When should_collide is asked, the
// chunks have the recorded answers, and the calls that were made meanwhile.

#include "world/recording.h"

#include "base/log.h"

typedef struct chunk {
	rbl_chunk_kind kind;
	const unsigned char *bytes;
	size_t size;
} chunk;

struct rbl_replay {
	rbl_allocator allocator;
	rbl_world *world;
	const unsigned char *bytes;
	size_t at, size;
	rbl_sources sources; // the caller's
	RBL_ARRAY(rbl_asset *) assets;
	RBL_ARRAY(rbl_pattern *) patterns;
	RBL_ARRAY(rbl_collider *) colliders;
	RBL_ARRAY(rbl_distance_field *) fields;
	RBL_ARRAY(rbl_part_field) shapes;
	RBL_ARRAY(rbl_material *) materials;
	rbl_result result;
	int64_t step_count;
	uint32_t question;
	bool has_callback, modifies, differs, is_over;
};

// --- chunks -------------------------------------------------------------------------------------

static uint32_t word_at(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

// @return false at the end, or when it is not a chunk
static bool read_chunk_head(const unsigned char *bytes, size_t size, size_t at, chunk *c)
{
	if (size - at < 16)
		return false;
	uint32_t kind = word_at(bytes + at), length = word_at(bytes + at + 4);
	if (kind >= RBL_CHUNK_KINDS || length % 4 != 0 || length > size - at - 16)
		return false;
	*c = (chunk){ (rbl_chunk_kind)kind, bytes + at + 8, length };
	return true;
}

static rbl_result check_chunks(const unsigned char *bytes, size_t size)
{
	if (size < RBL_RECORDING_HEAD || memcmp(bytes, "RBLR", 4) != 0)
		return rbl_fail(RBL_BAD_FILE, "these bytes are no recording");
	if (word_at(bytes + 4) != RBL_RECORDING_VERSION ||
	    word_at(bytes + 8) > (RBL_RECORDING_ASKS | RBL_RECORDING_MODIFIES))
		return rbl_fail(RBL_BAD_FILE,
		                "version %u of a recording, this reads %d: play it with the "
		                "library that made it, or record it again",
		                (unsigned)word_at(bytes + 4), RBL_RECORDING_VERSION);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes, RBL_RECORDING_HEAD);
	size_t at = RBL_RECORDING_HEAD;
	chunk c = { RBL_CHUNK_KINDS, NULL, 0 };
	while (c.kind != RBL_CHUNK_END) {
		if (!read_chunk_head(bytes, size, at, &c))
			return rbl_fail(RBL_BAD_FILE, "the recording is damaged or cut off at byte %zu", at);
		hash = rbl_hash_bytes(hash, bytes + at, c.size + 8);
		at += c.size + 16;
		rbl_blob_reader tail = { .bytes = bytes, .at = at - 8, .size = at };
		if (rbl_blob_get64(&tail) != hash)
			return rbl_fail(RBL_BAD_FILE, "the recording is damaged before byte %zu", at);
	}
	return at == size ? RBL_OK
	                  : rbl_fail(RBL_BAD_FILE, "the recording is longer than it should be");
}

static rbl_result refuse_recording(rbl_replay *p, const char *what)
{
	if (p->result == RBL_OK)
		p->result = rbl_fail(RBL_BAD_FILE, "the recording cannot be played: %s", what);
	return p->result;
}

// The next chunk; there always is one, since the last is marked as such.
static chunk next_chunk(rbl_replay *p, bool takes)
{
	chunk c = { RBL_CHUNK_END, NULL, 0 };
	if (read_chunk_head(p->bytes, p->size, p->at, &c) && takes)
		p->at += c.size + 16;
	return c;
}

// --- things -------------------------------------------------------------------------------------

static const rbl_asset *find_asset(void *user, uint64_t key)
{
	const rbl_replay *p = user;
	for (int i = 0; i < p->assets.count; ++i)
		if (rbl_asset_get_report(p->assets.data[i]).key == key)
			return p->assets.data[i];
	return rbl_sources_find_asset(&p->sources, key);
}

static const rbl_pattern *find_replay_pattern(void *user, uint64_t key)
{
	rbl_replay *p = user;
	for (int i = 0; i < p->patterns.count; ++i)
		if (rbl_pattern_key(p->patterns.data[i]) == key)
			return p->patterns.data[i];
	return rbl_sources_find_pattern(&p->sources, key);
}

static rbl_sources own_sources(rbl_replay *p)
{
	rbl_sources s = rbl_default_sources();
	s.find_asset = find_asset;
	s.find_pattern = find_replay_pattern;
	s.user = p;
	return s;
}

static bool replay_may_touch(void *user, rbl_body_id a, rbl_body_id b);
static void replay_modify(void *user, rbl_contact_change *contact);

// Load something that saved itself, after its size.
static rbl_result get_saved(rbl_replay *p, chunk c, const rbl_world_def *def)
{
	rbl_blob_reader r = { .bytes = c.bytes, .size = c.size };
	uint64_t size = rbl_blob_get64(&r);
	if (r.is_bad || size > c.size - 8)
		return refuse_recording(p, "something is longer than its chunk");
	rbl_result result;
	if (c.kind == RBL_CHUNK_ASSET) {
		rbl_asset *asset;
		result = rbl_asset_load(c.bytes + 8, (size_t)size, &p->allocator, &asset);
		if (result == RBL_OK && !rbl_array_push(&p->allocator, &p->assets, asset)) {
			rbl_destroy_asset(asset);
			result = RBL_OUT_OF_MEMORY;
		}
	} else if (c.kind == RBL_CHUNK_PATTERN) {
		rbl_pattern *pattern;
		result = rbl_pattern_load(c.bytes + 8, (size_t)size, &p->allocator, &pattern);
		if (result == RBL_OK && !rbl_array_push(&p->allocator, &p->patterns, pattern)) {
			rbl_destroy_pattern(pattern);
			result = RBL_OUT_OF_MEMORY;
		}
	} else {
		if (p->world || !def)
			return refuse_recording(p, "there are two worlds");
		rbl_world_def own = rbl_default_world_def();
		own.jobs = def->jobs;
		own.allocator = p->allocator;
		own.should_collide = p->has_callback ? replay_may_touch : NULL;
		own.modify_contact = p->modifies ? replay_modify : NULL;
		own.user = p;
		rbl_sources sources = own_sources(p);
		result = rbl_world_load(c.bytes + 8, (size_t)size, &own, &sources, &p->world);
	}
	if (result == RBL_OUT_OF_MEMORY)
		p->result = result;
	return result == RBL_OK || result == RBL_OUT_OF_MEMORY
	           ? result
	           : refuse_recording(p, "an asset, pattern or world is not valid");
}

static rbl_result get_compound(rbl_replay *p, rbl_blob_reader *r, rbl_collider **collider)
{
	int n = rbl_blob_get_count(r, 60);
	rbl_collider_child *children = RBL_NEW_ZERO(&p->allocator, rbl_collider_child, n + 1);
	if (!children)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i) {
		int number = rbl_blob_get_int(r, 0, p->colliders.count - 1);
		children[i].collider = r->is_bad ? NULL : p->colliders.data[number];
		rbl_blob_get_words(r, &children[i].pose, 7);
		int material = rbl_blob_get_int(r, -1, p->materials.count - 1);
		children[i].material = r->is_bad || material < 0 ? NULL : p->materials.data[material];
		rbl_blob_get_words(r, &children[i].filter, 3);
		children[i].user = rbl_blob_get64(r);
		children[i].is_sensor = rbl_blob_get_bool(r);
	}
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children;
	def.child_count = n;
	def.allocator = p->allocator;
	rbl_result result = r->is_bad ? RBL_BAD_FILE : rbl_create_collider(&def, collider);
	RBL_FREE(&p->allocator, children, n + 1);
	return result;
}

// A collider that is no compound, with the materials of its triangles.
static rbl_result get_plain_collider(rbl_replay *p, rbl_blob_reader *r, rbl_collider **collider)
{
	rbl_collider *made;
	if (!rbl_collider_load(r, &p->allocator, &made))
		return rbl_blob_result(r);
	rbl_blob_get_padding(r);
	const rbl_material *materials[RBL_MAX_COLLIDER_MATERIALS];
	int count = 0;
	if (rbl_collider_get_slots(r, made, &count))
		for (int i = 0; i < count; ++i) {
			int number = rbl_blob_get_int(r, -1, p->materials.count - 1);
			materials[i] = r->is_bad || number < 0 ? NULL : p->materials.data[number];
		}
	rbl_result result = rbl_blob_result(r);
	if (result == RBL_OK)
		result = rbl_collider_set_materials(made, materials, count);
	if (result == RBL_OK)
		*collider = made;
	else
		rbl_destroy_collider(made);
	return result;
}

// A material that the world has already, a new one, or new values of one that was read.
static bool get_material(rbl_replay *p, rbl_blob_reader *r)
{
	int number = rbl_blob_get_int(r, -1, p->world->materials.count - 1);
	int known = rbl_blob_get_int(r, -1, p->materials.count - 1);
	rbl_material *material = NULL;
	if (r->is_bad || !rbl_material_load(r, &p->allocator, find_replay_pattern, p, &material))
		return false;
	if (known >= 0) {
		rbl_material_set_values(p->materials.data[known], &material->values);
		rbl_destroy_material(material);
		return true;
	}
	if (number >= 0) {
		const rbl_material *shared = p->world->materials.data[number].shared;
		rbl_destroy_material(material);
		if (!rbl_blob_expect(r, shared != NULL, "a material is not the world's"))
			return false;
		material = (rbl_material *)(uintptr_t)rbl_material_share(shared);
	}
	if (rbl_array_push(&p->allocator, &p->materials, material))
		return true;
	rbl_destroy_material(material);
	r->out_of_memory = true;
	return false;
}

static rbl_result get_shared_object(rbl_replay *p, chunk c)
{
	rbl_blob_reader r = { .bytes = c.bytes, .size = c.size };
	rbl_arena_init(&r.scratch, &p->allocator, 0);
	rbl_collider *collider = NULL;
	rbl_part_field field = { .inner_radius = -1.0f };
	rbl_result result = RBL_OK;
	bool ok;
	if (c.kind == RBL_CHUNK_MATERIAL) {
		ok = get_material(p, &r);
	} else if (c.kind == RBL_CHUNK_FIELD) {
		ok = rbl_distance_field_get(&r, &p->allocator, &field.own_field) &&
		     rbl_array_push(&p->allocator, &p->fields, field.own_field);
	} else if (c.kind == RBL_CHUNK_SHAPE) {
		int original = rbl_blob_get_int(&r, -1, p->fields.count - 1);
		ok = !r.is_bad &&
		     rbl_field_shape_get(&r, &p->allocator, original < 0 ? NULL : p->fields.data[original],
		                         &field.own_field, &field.own_shape) &&
		     rbl_array_push(&p->allocator, &p->shapes, field);
	} else {
		if (rbl_blob_get_bool(&r))
			result = get_compound(p, &r, &collider);
		else
			result = get_plain_collider(p, &r, &collider);
		ok = collider && rbl_array_push(&p->allocator, &p->colliders, collider);
	}
	if (!ok) {
		bool is_out = r.out_of_memory || result == RBL_OUT_OF_MEMORY || collider ||
		              field.own_shape || field.own_field;
		rbl_destroy_field_shape(field.own_shape);
		rbl_destroy_distance_field(field.own_field);
		rbl_destroy_collider(collider);
		result = is_out ? RBL_OUT_OF_MEMORY : RBL_BAD_FILE;
	}
	rbl_arena_destroy(&r.scratch);
	if (result == RBL_OUT_OF_MEMORY)
		p->result = result;
	return ok ? RBL_OK
	       : result == RBL_OUT_OF_MEMORY
	           ? result
	           : refuse_recording(p, "a collider, material or field shape is not valid");
}

// --- calls --------------------------------------------------------------------------------------

static void compare_result(rbl_replay *p, bool same)
{
	p->differs |= !same;
}

static const rbl_material *find_replay_material(void *user, int number)
{
	const rbl_replay *p = user;
	return number < p->materials.count ? p->materials.data[number] : NULL;
}

// Set the pointers of a definition. @return false when something is missing
static bool resolve_pointers(rbl_replay *p, rbl_recorded_body_def *read)
{
	rbl_def_numbers n = read->numbers;
	if (n.collider >= p->colliders.count || n.shape >= p->shapes.count ||
	    n.original >= p->fields.count || n.material >= p->materials.count)
		return false;
	if (n.collider >= 0)
		read->def.collider = p->colliders.data[n.collider];
	if (n.shape >= 0)
		read->def.field_shape = p->shapes.data[n.shape].own_shape;
	if (n.original >= 0)
		read->def.original_field = p->fields.data[n.original];
	if (n.material >= 0)
		read->def.shared_material = p->materials.data[n.material];
	if (read->asset != 0)
		read->def.asset = find_asset(p, read->asset);
	if (read->def.mass)
		read->def.mass = &read->mass;
	return read->asset == 0 || read->def.asset;
}

static bool same_id(rbl_body_id a, rbl_body_id b)
{
	return a.index == b.index && a.generation == b.generation;
}

// Create bodies, and compare their ids with the recorded ones. @return whether they were created
static bool replay_bodies(rbl_replay *p, rbl_blob_reader *r, rbl_create_call call,
                          rbl_body_id replaced, const rbl_body_def *defs, int count)
{
	rbl_body_id *ids = RBL_NEW_ZERO(&p->allocator, rbl_body_id, count + 1);
	if (!ids) {
		p->result = RBL_OUT_OF_MEMORY;
		return false;
	}
	rbl_result result = RBL_OK;
	if (call == RBL_CREATE_ONE)
		ids[0] = rbl_create_body(p->world, defs);
	else if (call == RBL_CREATE_BATCH)
		result = rbl_create_bodies(p->world, defs, count, ids);
	else
		result = rbl_replace_body(p->world, replaced, defs, count, ids);
	bool made = result == RBL_OK && (call != RBL_CREATE_ONE || !rbl_body_id_is_null(ids[0]));
	compare_result(p, made);
	for (int i = 0; i < count; ++i) {
		rbl_body_id then;
		rbl_blob_get_words(r, &then, 2);
		compare_result(p, same_id(then, ids[i]));
	}
	RBL_FREE(&p->allocator, ids, count + 1);
	return made;
}

static void play_bodies(rbl_replay *p, rbl_blob_reader *r)
{
	rbl_create_call call = (rbl_create_call)rbl_blob_get_int(r, 0, RBL_CREATE_REPLACE);
	rbl_body_id replaced;
	rbl_blob_get_words(r, &replaced, 2);
	int count = rbl_blob_get_count(r, 100), read_count = 0;
	rbl_blob_expect(r, call != RBL_CREATE_ONE || count == 1, "not one body");
	if (r->is_bad)
		return;
	rbl_recorded_body_def *reads = RBL_NEW(&p->allocator, rbl_recorded_body_def, count + 1);
	rbl_body_def *defs = RBL_NEW(&p->allocator, rbl_body_def, count + 1);
	bool ok = reads && defs;
	r->out_of_memory |= !ok;
	while (ok && read_count < count) {
		ok = rbl_recording_get_body_def(r, &p->allocator, find_replay_material, p,
		                                &reads[read_count++]);
		if (ok)
			rbl_blob_get_padding(r);
		ok = ok && rbl_blob_expect(r, resolve_pointers(p, &reads[read_count - 1]),
		                           "a body's shape or material is not there");
		if (ok)
			defs[read_count - 1] = reads[read_count - 1].def;
	}
	bool made = ok && replay_bodies(p, r, call, replaced, defs, count);
	for (int i = 0; i < read_count; ++i) {
		rbl_destroy_convex(reads[i].convex);
		rbl_destroy_mesh(reads[i].mesh);
		if (!made)
			rbl_destroy_compound(reads[i].compound);
	}
	RBL_FREE(&p->allocator, reads, count + 1);
	RBL_FREE(&p->allocator, defs, count + 1);
}

static void play_joint(rbl_replay *p, rbl_blob_reader *r)
{
	rbl_joint_def def;
	rbl_joint_id then;
	rbl_recording_get_joint_def(r, &def);
	rbl_blob_get_words(r, &then, 2);
	if (r->is_bad)
		return;
	rbl_joint_id now = rbl_create_joint(p->world, &def);
	compare_result(p, now.index == then.index && now.generation == then.generation);
}

// What a command points to. @return whether it is there
static bool resolve_command(const rbl_replay *p, rbl_command *c)
{
	int32_t n = (int32_t)(uint32_t)c->number;
	int count = c->kind == RBL_COMMAND_SET_SHARED_MATERIAL ? p->materials.count
	            : c->kind == RBL_COMMAND_SET_COLLIDER      ? p->colliders.count
	                                                       : -1;
	if (count < 0)
		return true;
	if (n < 0 || n >= count)
		return false;
	if (c->kind == RBL_COMMAND_SET_SHARED_MATERIAL)
		c->shared = p->materials.data[n];
	else
		c->collider = p->colliders.data[n];
	return true;
}

static rbl_result play_command(rbl_replay *p, rbl_blob_reader *r)
{
	rbl_command c;
	if (!rbl_recording_get_command(r, &c) ||
	    !rbl_blob_expect(r, resolve_command(p, &c), "a command has nothing to point to"))
		return RBL_BAD_FILE;
	return rbl_world_submit_command(p->world, &c);
}

static rbl_result play_material_change(rbl_replay *p, rbl_blob_reader *r)
{
	rbl_material_values values;
	int number = rbl_blob_get_int(r, 0, p->world->materials.count - 1);
	if (!rbl_material_values_load(r, &values))
		return RBL_BAD_FILE;
	const rbl_material *shared = p->world->materials.data[number].shared;
	return shared ? rbl_material_set_values((rbl_material *)(uintptr_t)shared, &values)
	              : RBL_BAD_FILE;
}

// All other calls. @return RBL_OK when the call was made
static rbl_result play_change(rbl_replay *p, rbl_chunk_kind kind, rbl_blob_reader *r)
{
	rbl_vec3 v;
	if (kind == RBL_CHUNK_COMMAND)
		return play_command(p, r);
	if (kind == RBL_CHUNK_MATERIAL_CHANGE)
		return play_material_change(p, r);
	if (kind == RBL_CHUNK_JOINT_CHANGE) {
		rbl_joint_def def;
		rbl_joint_id joint;
		rbl_recording_get_joint_def(r, &def);
		rbl_blob_get_words(r, &joint, 2);
		return r->is_bad ? RBL_BAD_FILE : rbl_joint_set_def(p->world, joint, &def);
	}
	if (kind == RBL_CHUNK_EXPLODE) {
		rbl_explosion e;
		return rbl_recording_get_explosion(r, &e) ? rbl_world_explode(p->world, &e) : RBL_BAD_FILE;
	}
	if (kind == RBL_CHUNK_DAMAGE) {
		rbl_damage_def def;
		return rbl_recording_get_damage(r, &def) ? rbl_world_damage(p->world, &def) : RBL_BAD_FILE;
	}
	if (kind == RBL_CHUNK_FRACTURES) {
		uint32_t then = rbl_blob_get32(r);
		uint64_t size = rbl_blob_get64(r);
		if (!rbl_blob_expect(r, size <= r->size - r->at, "a log is longer than its chunk"))
			return RBL_BAD_FILE;
		rbl_sources sources = own_sources(p);
		rbl_result now =
			rbl_world_apply_fractures(p->world, r->bytes + r->at, (size_t)size, &sources);
		return now == (rbl_result)then ? RBL_OK : RBL_BAD_FILE;
	}
	if (kind == RBL_CHUNK_CAN_SLEEP)
		return rbl_world_set_can_sleep(p->world, rbl_blob_get_bool(r));
	if (kind == RBL_CHUNK_BUDGET)
		return rbl_world_set_budget(p->world, (int)rbl_blob_get32(r));
	rbl_blob_get_words(r, &v, 3);
	return kind == RBL_CHUNK_GRAVITY ? rbl_world_set_gravity(p->world, v)
	                                 : rbl_world_shift_origin(p->world, v);
}

static void play_call(rbl_replay *p, chunk c)
{
	rbl_blob_reader r = { .bytes = c.bytes, .size = c.size };
	rbl_arena_init(&r.scratch, &p->allocator, 0);
	if (c.kind == RBL_CHUNK_BODIES)
		play_bodies(p, &r);
	else if (c.kind == RBL_CHUNK_JOINT)
		play_joint(p, &r);
	else
		compare_result(p, play_change(p, c.kind, &r) == RBL_OK);
	rbl_arena_destroy(&r.scratch);
	if (r.out_of_memory)
		p->result = RBL_OUT_OF_MEMORY;
	else if (r.is_bad)
		refuse_recording(p, r.wrong ? r.wrong : "a call is wrong");
}

// --- questions ----------------------------------------------------------------------------------

static uint32_t first_word(chunk c)
{
	return c.size >= 4 ? word_at(c.bytes) : UINT32_MAX;
}

static void play_chunk(rbl_replay *p, chunk c)
{
	if (c.kind == RBL_CHUNK_ASSET || c.kind == RBL_CHUNK_PATTERN || c.kind == RBL_CHUNK_SNAPSHOT)
		get_saved(p, c, NULL);
	else if (c.kind == RBL_CHUNK_COLLIDER || c.kind == RBL_CHUNK_FIELD ||
	         c.kind == RBL_CHUNK_SHAPE || c.kind == RBL_CHUNK_MATERIAL)
		get_shared_object(p, c);
	else
		play_call(p, c);
}

// Play the calls of a callback, and find its answer. @return false: there is none
static bool play_question(rbl_replay *p, chunk *answer)
{
	uint32_t question = p->question++;
	chunk c = next_chunk(p, false);
	if (c.kind == RBL_CHUNK_QUESTION && first_word(c) == question) {
		next_chunk(p, true);
		for (c = next_chunk(p, false); p->result == RBL_OK && c.kind != RBL_CHUNK_ANSWER;
		     c = next_chunk(p, false)) {
			if (c.kind <= RBL_CHUNK_SNAPSHOT ||
			    (c.kind >= RBL_CHUNK_STEP && c.kind < RBL_CHUNK_COMMAND)) {
				refuse_recording(p, "a question has no answer");
				return false;
			}
			next_chunk(p, true);
			play_chunk(p, c);
		}
	}
	if (p->result != RBL_OK || c.kind != RBL_CHUNK_ANSWER || first_word(c) != question)
		return false;
	*answer = next_chunk(p, true);
	return true;
}

static bool replay_may_touch(void *user, rbl_body_id a, rbl_body_id b)
{
	(void)a, (void)b;
	chunk c;
	return !play_question(user, &c) || (c.size >= 8 && word_at(c.bytes + 4) != 0);
}

static void replay_modify(void *user, rbl_contact_change *contact)
{
	rbl_replay *p = user;
	chunk c;
	if (!play_question(p, &c))
		return;
	rbl_blob_reader r = { .bytes = c.bytes, .at = 4, .size = c.size };
	rbl_contact_change changed = *contact;
	if (!rbl_blob_get_bool(&r))
		return;
	if (rbl_recording_get_change(&r, &changed))
		*contact = changed;
	else
		refuse_recording(p, "a changed contact is wrong");
}

// --- the public face ----------------------------------------------------------------------------

rbl_result rbl_create_replay(const void *bytes, size_t size, const rbl_world_def *def,
                             const rbl_sources *sources, rbl_replay **replay)
{
	if (!replay)
		return rbl_fail(RBL_BAD_ARGUMENT, "replay is NULL");
	*replay = NULL;
	if (!bytes || !def || def->cookie != rbl_default_world_def().cookie ||
	    !rbl_allocator_is_valid(&def->allocator) || !rbl_sources_are_valid(sources))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "bytes is NULL, or start from rbl_default_world_def() and "
		                "rbl_default_sources()");
	rbl_result result = check_chunks(bytes, size);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_replay *p = RBL_NEW_ZERO(&allocator, rbl_replay, 1);
	if (!p)
		return RBL_OUT_OF_MEMORY;
	p->allocator = allocator;
	p->bytes = bytes;
	p->size = size;
	p->at = RBL_RECORDING_HEAD;
	p->sources = *sources;
	p->has_callback = word_at(p->bytes + 8) & RBL_RECORDING_ASKS;
	p->modifies = word_at(p->bytes + 8) & RBL_RECORDING_MODIFIES;
	while (result == RBL_OK && !p->world) {
		chunk c = next_chunk(p, true);
		result = c.kind >= RBL_CHUNK_SNAPSHOT && c.kind <= RBL_CHUNK_PATTERN
		             ? get_saved(p, c, def)
		             : refuse_recording(p, "it does not begin with a world");
	}
	if (result != RBL_OK) {
		rbl_destroy_replay(p);
		return result;
	}
	*replay = p;
	return RBL_OK;
}

void rbl_destroy_replay(rbl_replay *p)
{
	if (!p)
		return;
	rbl_allocator a = p->allocator;
	rbl_destroy_world(p->world);
	for (int i = p->colliders.count - 1; i >= 0; --i) // compounds before their children
		rbl_destroy_collider(p->colliders.data[i]);
	for (int i = 0; i < p->assets.count; ++i)
		rbl_destroy_asset(p->assets.data[i]);
	for (int i = 0; i < p->patterns.count; ++i)
		rbl_destroy_pattern(p->patterns.data[i]);
	for (int i = 0; i < p->shapes.count; ++i) {
		rbl_destroy_field_shape(p->shapes.data[i].own_shape);
		rbl_destroy_distance_field(p->shapes.data[i].own_field);
	}
	for (int i = 0; i < p->fields.count; ++i)
		rbl_destroy_distance_field(p->fields.data[i]);
	for (int i = 0; i < p->materials.count; ++i)
		rbl_destroy_material(p->materials.data[i]);
	rbl_array_free(&a, &p->materials);
	rbl_array_free(&a, &p->fields);
	rbl_array_free(&a, &p->shapes);
	rbl_array_free(&a, &p->colliders);
	rbl_array_free(&a, &p->assets);
	rbl_array_free(&a, &p->patterns);
	RBL_FREE(&a, p, 1);
}

static void play_step(rbl_replay *p, chunk c, rbl_replay_report *report)
{
	uint32_t bits = first_word(c);
	float dt;
	memcpy(&dt, &bits, sizeof dt);
	p->question = 0;
	rbl_result result = rbl_world_step(p->world, dt);
	c = next_chunk(p, true);
	if (p->result != RBL_OK)
		return;
	if (c.kind != RBL_CHUNK_STEP_END) {
		// More answers were recorded than are asked for now: the replay differs. Continue after
		// them.
		p->differs = true;
		while (c.kind != RBL_CHUNK_STEP_END && c.kind != RBL_CHUNK_END)
			c = next_chunk(p, true);
		if (c.kind == RBL_CHUNK_END) {
			refuse_recording(p, "a step has no end");
			return;
		}
	}
	rbl_blob_reader r = { .bytes = c.bytes, .size = c.size };
	uint32_t result_then = rbl_blob_get32(&r);
	report->recorded_hash = rbl_blob_get64(&r);
	report->hash = rbl_world_hash(p->world);
	p->step_count++;
	compare_result(p, !r.is_bad && result_then == (uint32_t)result &&
	                      report->hash == report->recorded_hash);
}

double rbl_replay_progress(const rbl_replay *replay)
{
	return replay && replay->size > 0 ? (double)replay->at / (double)replay->size : 0.0;
}

rbl_result rbl_replay_step(rbl_replay *p, rbl_replay_report *report)
{
	if (!p || !report)
		return rbl_fail(RBL_BAD_ARGUMENT, "replay or report is NULL");
	*report = (rbl_replay_report){ .is_over = p->is_over };
	bool is_done = p->is_over;
	while (p->result == RBL_OK && !is_done) {
		chunk c = next_chunk(p, true);
		is_done = c.kind == RBL_CHUNK_STEP || c.kind == RBL_CHUNK_END;
		if (c.kind == RBL_CHUNK_STEP)
			play_step(p, c, report);
		else if (c.kind == RBL_CHUNK_END)
			p->is_over = report->is_over = true;
		else if (c.kind > RBL_CHUNK_STEP && c.kind < RBL_CHUNK_COMMAND)
			refuse_recording(p, "an answer without a question");
		else
			play_chunk(p, c);
	}
	report->step = p->step_count;
	report->differs = p->differs;
	return p->result;
}

const rbl_world *rbl_replay_get_world(const rbl_replay *p)
{
	return p ? p->world : NULL;
}
