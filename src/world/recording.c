// SPDX-License-Identifier: MIT
//
// Writing a recording.
//
// Calls are recorded after they were made, without those that failed: they changed nothing. What
// a definition points to is written once, before it is first used, and known by its content: an
// address may be reused.
//
// A sink that fails, or memory that runs out, ends the recording and never the call.

#include "world/recording.h"

#include "base/log.h"

enum { RECORDING_COOKIE = 0x7265636f };

rbl_recording_def rbl_default_recording_def(void)
{
	return (rbl_recording_def){ .embeds_assets = true, .cookie = RECORDING_COOKIE };
}

// --- chunks -------------------------------------------------------------------------------------

static void stop_recording(rbl_world *world, rbl_result result)
{
	if (world->recorder->result == RBL_OK)
		rbl_fail(result, "the recording ends: %s",
		         result == RBL_OUT_OF_MEMORY ? "no memory" : "its bytes were not kept");
	world->recorder->result = result;
}

static void send_bytes(rbl_world *world, const void *bytes, size_t size)
{
	rbl_recorder *rec = world->recorder;
	if (rec->result != RBL_OK)
		return;
	bool was_stepping = rbl_world_begin_callback(world);
	bool is_kept = rec->def.write(rec->def.user, bytes, size);
	rbl_world_end_callback(world, was_stepping);
	if (!is_kept)
		stop_recording(world, RBL_IO_FAILED);
}

typedef void put_function(rbl_blob_writer *w, const void *context);

// Measure, reserve, write. @return the bytes behind the head of the chunk, NULL when memory ran
// out
static unsigned char *fill_chunk(rbl_world *world, put_function *put, const void *context,
                                 size_t *size)
{
	rbl_recorder *rec = world->recorder;
	rbl_blob_writer w = { .at = 8 };
	put(&w, context);
	size_t padded = (w.at + 3) & ~(size_t)3;
	if (padded > INT32_MAX - 16 ||
	    !rbl_array_resize(&world->allocator, &rec->bytes, (int)padded + 8)) {
		stop_recording(world, RBL_OUT_OF_MEMORY);
		return NULL;
	}
	memset(rec->bytes.data + w.at, 0, padded - w.at);
	w = (rbl_blob_writer){ .bytes = rec->bytes.data, .at = 8 };
	put(&w, context);
	*size = padded - 8;
	return rec->bytes.data + 8;
}

// Send the chunk that fill_chunk() has filled.
static void finish_chunk(rbl_world *world, rbl_chunk_kind kind, size_t size)
{
	rbl_recorder *rec = world->recorder;
	rbl_blob_writer w = { .bytes = rec->bytes.data };
	rbl_blob_put32(&w, (uint32_t)kind);
	rbl_blob_put32(&w, (uint32_t)size);
	rec->hash = rbl_hash_bytes(rec->hash, rec->bytes.data, size + 8);
	w.at = size + 8;
	rbl_blob_put64(&w, rec->hash);
	send_bytes(world, rec->bytes.data, size + 16);
}

// Calls made from should_collide come after a mark.
static void mark_question(rbl_world *world);

static void write_chunk(rbl_world *world, rbl_chunk_kind kind, put_function *put,
                        const void *context)
{
	size_t size;
	if (kind >= RBL_CHUNK_COMMAND)
		mark_question(world);
	if (world->recorder->result == RBL_OK && fill_chunk(world, put, context, &size))
		finish_chunk(world, kind, size);
}

// Words of 32 bits.
typedef struct words {
	const void *data;
	size_t count;
} words;

static void put_words(rbl_blob_writer *w, const void *context)
{
	const words *x = context;
	rbl_blob_put_words(w, x->data, x->count);
}

static void record_words(rbl_world *world, rbl_chunk_kind kind, const void *data, size_t count)
{
	if (rbl_world_is_recording(world))
		write_chunk(world, kind, put_words, &(words){ data, count });
}

static void mark_question(rbl_world *world)
{
	rbl_recorder *rec = world->recorder;
	if (!rec->is_asking || rec->is_question_marked)
		return;
	rec->is_question_marked = true;
	record_words(world, RBL_CHUNK_QUESTION, &rec->question, 1);
}

// --- what definitions point to ------------------------------------------------------------------

typedef struct saved {
	const void *object;
	rbl_result (*save)(const void *object, void *bytes, size_t *size);
} saved;

static rbl_result save_pattern(const void *object, void *bytes, size_t *size)
{
	return rbl_pattern_save(object, bytes, size);
}

static rbl_result save_asset(const void *object, void *bytes, size_t *size)
{
	return rbl_asset_save(object, bytes, size);
}

static rbl_result save_world(const void *object, void *bytes, size_t *size)
{
	return rbl_world_save(object, bytes, size);
}

// Write something that saves itself, after its size.
static void write_saved(rbl_world *world, rbl_chunk_kind kind, saved s)
{
	rbl_recorder *rec = world->recorder;
	size_t size = 0;
	if (rec->result != RBL_OK)
		return;
	rbl_result result = s.save(s.object, NULL, &size);
	size_t padded = (size + 8 + 3) & ~(size_t)3;
	if (result == RBL_OK && (padded > INT32_MAX - 32 ||
	                         !rbl_array_resize(&world->allocator, &rec->bytes, (int)padded + 16)))
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		rbl_blob_writer w = { .bytes = rec->bytes.data, .at = 8 };
		rbl_blob_put64(&w, (uint64_t)size);
		memset(rec->bytes.data + 16 + size, 0, padded - 8 - size);
		result = s.save(s.object, rec->bytes.data + 16, &size);
	}
	if (result == RBL_OK)
		finish_chunk(world, kind, padded);
	else
		stop_recording(world, RBL_OUT_OF_MEMORY);
}

static bool is_new(rbl_world *world, rbl_map *map, uint64_t key, uint32_t value)
{
	if (rbl_map_get(map, key) != RBL_MAP_NONE)
		return false;
	if (!rbl_map_set(&world->allocator, map, key, value))
		stop_recording(world, RBL_OUT_OF_MEMORY);
	return true;
}

static void note_pattern(rbl_world *world, const rbl_pattern *pattern)
{
	rbl_recorder *rec = world->recorder;
	if (rec->def.embeds_assets && is_new(world, &rec->patterns, rbl_pattern_key(pattern), 0))
		write_saved(world, RBL_CHUNK_PATTERN, (saved){ pattern, save_pattern });
}

static void note_asset(rbl_world *world, const rbl_asset *asset)
{
	rbl_recorder *rec = world->recorder;
	if (asset && rec->def.embeds_assets &&
	    is_new(world, &rec->assets, rbl_asset_get_report(asset).key, 0))
		write_saved(world, RBL_CHUNK_ASSET, (saved){ asset, save_asset });
}

// The number of something by its content. It is written when it is new.
static int32_t number_of(rbl_world *world, rbl_chunk_kind kind, rbl_map *map, uint32_t *count,
                         put_function *put, const void *context)
{
	size_t size;
	const unsigned char *bytes = fill_chunk(world, put, context, &size);
	if (!bytes)
		return -1;
	uint64_t key = rbl_hash_bytes(RBL_HASH_START, bytes, size);
	if (is_new(world, map, key, *count)) {
		finish_chunk(world, kind, size);
		return (int32_t)(*count)++;
	}
	return (int32_t)rbl_map_get(map, key);
}

static void note_patterns(rbl_world *world, const rbl_material *material)
{
	const rbl_damage_rule *rule = material ? &material->def.damage : NULL;
	for (int i = 0; rule && i < rule->level_count; ++i)
		note_pattern(world, rule->levels[i].pattern);
}

typedef struct noted_material {
	const rbl_material *material;
	int32_t world_number; // in the snapshot; -1: it is not there
	int32_t number;       // of one that was written before and has changed; -1: it is new
} noted_material;

static void put_noted_material(rbl_blob_writer *w, const void *context)
{
	const noted_material *m = context;
	rbl_blob_put32(w, (uint32_t)m->world_number);
	rbl_blob_put32(w, (uint32_t)m->number);
	rbl_material_save(m->material, w);
}

// Shared materials may change later, so they are known by address and not by content.
// @param world_number  of those that the world had when the recording began; -1: of others
static int32_t number_material(rbl_world *world, const rbl_material *material, int world_number)
{
	rbl_recorder *rec = world->recorder;
	if (!material || rec->result != RBL_OK)
		return -1;
	uint64_t key = (uint64_t)(uintptr_t)material;
	if (rbl_map_get(&rec->materials, key) != RBL_MAP_NONE) {
		int32_t known = (int32_t)rbl_map_get(&rec->materials, key);
		// It may have changed while no body had it.
		if (rec->material_versions.data[known] != material->version) {
			rec->material_versions.data[known] = material->version;
			noted_material again = { material, -1, known };
			write_chunk(world, RBL_CHUNK_MATERIAL, put_noted_material, &again);
		}
		return known;
	}
	note_patterns(world, material);
	int32_t number = rec->held_materials.count;
	if (!rbl_array_extend(&world->allocator, &rec->held_materials, 1) ||
	    !rbl_array_push(&world->allocator, &rec->material_versions, material->version) ||
	    !rbl_map_set(&world->allocator, &rec->materials, key, (uint32_t)number)) {
		stop_recording(world, RBL_OUT_OF_MEMORY);
		return -1;
	}
	rec->held_materials.data[rec->held_materials.count++] = rbl_material_share(material);
	noted_material noted = { material, world_number, -1 };
	write_chunk(world, RBL_CHUNK_MATERIAL, put_noted_material, &noted);
	return number;
}

static int32_t note_material(rbl_world *world, const rbl_material *material)
{
	return number_material(world, material, -1);
}

typedef struct noted_collider {
	const rbl_collider *collider;
	const int32_t *children;  // of a compound: numbers
	const int32_t *materials; // of children or triangles: numbers
} noted_collider;

static void put_collider(rbl_blob_writer *w, const void *context)
{
	const noted_collider *c = context;
	rbl_blob_put_bool(w, false);
	rbl_collider_save(c->collider, w);
	rbl_blob_put_padding(w);
	rbl_collider_put_slots(c->collider, w);
	rbl_blob_put_words(w, c->materials, (size_t)rbl_collider_material_count(c->collider));
}

static void put_compound_collider(rbl_blob_writer *w, const void *context)
{
	const noted_collider *c = context;
	rbl_blob_put_bool(w, true);
	rbl_blob_put32(w, (uint32_t)c->collider->child_count);
	for (int i = 0; i < c->collider->child_count; ++i) {
		const rbl_collider_child *child = &c->collider->parts->children[i];
		rbl_blob_put32(w, (uint32_t)c->children[i]);
		rbl_blob_put_words(w, &child->pose, 7);
		rbl_blob_put32(w, (uint32_t)c->materials[i]);
		rbl_blob_put_words(w, &child->filter, 3);
		rbl_blob_put64(w, child->user);
		rbl_blob_put_bool(w, child->is_sensor);
	}
}

static int32_t note_collider(rbl_world *world, const rbl_collider *collider)
{
	rbl_recorder *rec = world->recorder;
	if (!collider)
		return -1;
	bool is_compound = collider->kind == RBL_COLLIDER_COMPOUND;
	int n = is_compound ? collider->child_count : rbl_collider_material_count(collider);
	int32_t *children = RBL_NEW(&world->allocator, int32_t, 2 * n), number = -1;
	if (!children && n > 0)
		stop_recording(world, RBL_OUT_OF_MEMORY);
	for (int i = 0; children && i < n; ++i) {
		const rbl_collider_child *child = is_compound ? &collider->parts->children[i] : NULL;
		children[i] = child ? note_collider(world, child->collider) : -1;
		children[n + i] =
			note_material(world, child ? child->material : collider->parts->materials[i]);
	}
	noted_collider c = { collider, children, children ? children + n : NULL };
	if (rec->result == RBL_OK)
		number = number_of(world, RBL_CHUNK_COLLIDER, &rec->colliders, &rec->collider_count,
		                   is_compound ? put_compound_collider : put_collider, &c);
	RBL_FREE(&world->allocator, children, 2 * n);
	return number;
}

static void put_field(rbl_blob_writer *w, const void *context)
{
	rbl_distance_field_put(w, context);
	rbl_blob_put_padding(w);
}

static int32_t note_field(rbl_world *world, const rbl_distance_field *field)
{
	rbl_recorder *rec = world->recorder;
	return field ? number_of(world, RBL_CHUNK_FIELD, &rec->fields, &rec->field_count, put_field,
	                         field)
	             : -1;
}

typedef struct noted_shape {
	const rbl_field_shape *shape;
	int32_t original;
} noted_shape;

static void put_shape(rbl_blob_writer *w, const void *context)
{
	const noted_shape *s = context;
	rbl_blob_put32(w, (uint32_t)s->original);
	rbl_field_shape_put(w, s->shape);
	rbl_blob_put_padding(w);
}

// A field that cannot be written ends the recording.
static int32_t note_shape(rbl_world *world, const rbl_field_shape *shape)
{
	rbl_recorder *rec = world->recorder;
	if (!shape)
		return -1;
	if (!rbl_field_shape_can_be_put(shape)) {
		rbl_fail(RBL_UNSUPPORTED, "a body collides by a field that is of neither a mesh nor a "
		                          "fragment, which cannot be recorded");
		stop_recording(world, RBL_UNSUPPORTED);
		return -1;
	}
	noted_shape noted = { shape, note_field(world, rbl_distance_field_original(shape->field)) };
	return number_of(world, RBL_CHUNK_SHAPE, &rec->shapes, &rec->shape_count, put_shape, &noted);
}

// --- calls --------------------------------------------------------------------------------------

static void put_command(rbl_blob_writer *w, const void *context)
{
	rbl_recording_put_command(w, context);
}

void rbl_record_command(rbl_world *world, const rbl_command *command)
{
	if (!rbl_world_is_recording(world))
		return;
	rbl_command c = *command;
	mark_question(world);
	// What it points to, by number.
	if (c.kind == RBL_COMMAND_SET_SHARED_MATERIAL)
		c.number = (uint32_t)note_material(world, c.shared);
	else if (c.kind == RBL_COMMAND_SET_COLLIDER)
		c.number = (uint32_t)note_collider(world, c.collider);
	write_chunk(world, RBL_CHUNK_COMMAND, put_command, &c);
}

static void note_compound(rbl_world *world, const rbl_compound *compound)
{
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i)
		note_material(world, rbl_compound_get_material(compound, i));
}

typedef struct created_bodies {
	const rbl_map *materials; // numbers by address
	rbl_create_call call;
	rbl_body_id replaced;
	const rbl_body_def *defs;
	int count;
	const rbl_body_id *ids;
	const rbl_def_numbers *numbers;
} created_bodies;

static void put_created_bodies(rbl_blob_writer *w, const void *context)
{
	const created_bodies *b = context;
	rbl_blob_put32(w, (uint32_t)b->call);
	rbl_blob_put_words(w, &b->replaced, 2);
	rbl_blob_put32(w, (uint32_t)b->count);
	for (int i = 0; i < b->count; ++i) {
		rbl_recording_put_body_def(w, &b->defs[i], b->numbers[i], b->materials);
		rbl_blob_put_padding(w);
	}
	rbl_blob_put_words(w, b->ids, 2 * (size_t)b->count);
}

void rbl_record_bodies(rbl_world *world, rbl_create_call call, rbl_body_id replaced,
                       const rbl_body_def *defs, int count, const rbl_body_id *ids)
{
	if (!rbl_world_is_recording(world))
		return;
	rbl_recorder *rec = world->recorder;
	if (!rbl_array_resize(&world->allocator, &rec->numbers, count)) {
		stop_recording(world, RBL_OUT_OF_MEMORY);
		return;
	}
	mark_question(world);
	for (int i = 0; i < count; ++i) {
		note_asset(world, defs[i].asset);
		int32_t collider = note_collider(world, defs[i].collider);
		note_compound(world, defs[i].compound);
		int32_t shape = note_shape(world, defs[i].field_shape);
		int32_t original = note_field(world, defs[i].original_field);
		int32_t material = note_material(world, defs[i].shared_material);
		rec->numbers.data[i] = (rbl_def_numbers){ collider, shape, original, material };
	}
	created_bodies b = { &rec->materials, call, replaced, defs, count, ids, rec->numbers.data };
	write_chunk(world, RBL_CHUNK_BODIES, put_created_bodies, &b);
}

typedef struct created_joint {
	const rbl_joint_def *def;
	rbl_joint_id id;
} created_joint;

static void put_created_joint(rbl_blob_writer *w, const void *context)
{
	const created_joint *b = context;
	rbl_recording_put_joint_def(w, b->def);
	rbl_blob_put_words(w, &b->id, 2);
}

void rbl_record_joint(rbl_world *world, const rbl_joint_def *def, rbl_joint_id id)
{
	created_joint b = { def, id };
	if (rbl_world_is_recording(world))
		write_chunk(world, RBL_CHUNK_JOINT, put_created_joint, &b);
}

void rbl_record_joint_change(rbl_world *world, const rbl_joint_def *def, rbl_joint_id id)
{
	created_joint b = { def, id };
	if (rbl_world_is_recording(world))
		write_chunk(world, RBL_CHUNK_JOINT_CHANGE, put_created_joint, &b);
}

void rbl_record_gravity(rbl_world *world, rbl_vec3 gravity)
{
	record_words(world, RBL_CHUNK_GRAVITY, &gravity, 3);
}

void rbl_record_can_sleep(rbl_world *world, bool can_sleep)
{
	record_words(world, RBL_CHUNK_CAN_SLEEP, &(uint32_t){ can_sleep }, 1);
}

void rbl_record_budget(rbl_world *world, int budget)
{
	record_words(world, RBL_CHUNK_BUDGET, &budget, 1);
}

void rbl_record_shift(rbl_world *world, rbl_vec3 offset)
{
	record_words(world, RBL_CHUNK_SHIFT, &offset, 3);
}

static void put_explosion(rbl_blob_writer *w, const void *context)
{
	rbl_recording_put_explosion(w, context);
}

void rbl_record_explosion(rbl_world *world, const rbl_explosion *explosion)
{
	if (rbl_world_is_recording(world))
		write_chunk(world, RBL_CHUNK_EXPLODE, put_explosion, explosion);
}

static void put_damage(rbl_blob_writer *w, const void *context)
{
	rbl_recording_put_damage(w, context);
}

void rbl_record_damage(rbl_world *world, const rbl_damage_def *def)
{
	if (rbl_world_is_recording(world))
		write_chunk(world, RBL_CHUNK_DAMAGE, put_damage, def);
}

typedef struct changed_material {
	int32_t number;
	const rbl_material_values *values;
} changed_material;

static void put_material_change(rbl_blob_writer *w, const void *context)
{
	const changed_material *m = context;
	rbl_blob_put32(w, (uint32_t)m->number);
	rbl_material_values_save(m->values, w);
}

void rbl_record_material_change(rbl_world *world, int material)
{
	changed_material m = { material, &world->materials.data[material].values };
	if (rbl_world_is_recording(world))
		write_chunk(world, RBL_CHUNK_MATERIAL_CHANGE, put_material_change, &m);
}

typedef struct applied {
	const void *bytes;
	size_t size;
	rbl_result result;
} applied;

static void put_fractures(rbl_blob_writer *w, const void *context)
{
	const applied *a = context;
	rbl_blob_put32(w, (uint32_t)a->result);
	rbl_blob_put64(w, (uint64_t)a->size);
	rbl_blob_put_bytes(w, a->bytes, a->size);
}

void rbl_record_fractures(rbl_world *world, const void *bytes, size_t size, rbl_result result)
{
	applied a = { bytes, size, result };
	if (rbl_world_is_recording(world) && size > 0)
		write_chunk(world, RBL_CHUNK_FRACTURES, put_fractures, &a);
}

void rbl_record_pattern(rbl_world *world, const rbl_pattern *pattern)
{
	if (world->recorder && world->recorder->result == RBL_OK)
		note_pattern(world, pattern);
}

// --- steps --------------------------------------------------------------------------------------

void rbl_record_step(rbl_world *world, float dt)
{
	if (!world->recorder)
		return;
	record_words(world, RBL_CHUNK_STEP, &dt, 1);
	world->recorder->question = 0;
	rbl_record_pause(world);
}

void rbl_record_step_end(rbl_world *world, rbl_result result)
{
	if (!world->recorder)
		return;
	rbl_record_resume(world);
	if (!rbl_world_is_recording(world))
		return;
	uint64_t hash = rbl_world_hash(world);
	const uint32_t end[] = { (uint32_t)result, (uint32_t)hash, (uint32_t)(hash >> 32) };
	record_words(world, RBL_CHUNK_STEP_END, end, 3);
}

void rbl_record_question(rbl_world *world)
{
	rbl_recorder *rec = world->recorder;
	if (!rec)
		return;
	rec->is_asking = true;
	rec->is_question_marked = false;
	rbl_record_resume(world); // calls of the callback are recorded
}

void rbl_record_answer(rbl_world *world, bool answer)
{
	rbl_recorder *rec = world->recorder;
	if (!rec)
		return;
	const uint32_t answered[] = { rec->question, answer };
	if (!answer || rec->is_question_marked)
		record_words(world, RBL_CHUNK_ANSWER, answered, 2);
	rec->is_asking = false;
	rec->question++;
	rbl_record_pause(world);
}

typedef struct changed_contact {
	uint32_t question;
	const rbl_contact_change *change; // NULL: none
} changed_contact;

static void put_changed_contact(rbl_blob_writer *w, const void *context)
{
	const changed_contact *c = context;
	rbl_blob_put32(w, c->question);
	rbl_blob_put_bool(w, c->change != NULL);
	if (c->change)
		rbl_recording_put_change(w, c->change);
}

static bool is_changed(const rbl_contact_change *found, const rbl_contact_change *now)
{
	const rbl_manifold *m = &found->manifold, *n = &now->manifold;
	return found->friction != now->friction || found->restitution != now->restitution ||
	       rbl_distance(found->surface_velocity, now->surface_velocity) != 0.0f ||
	       found->is_enabled != now->is_enabled || m->point_count != n->point_count ||
	       rbl_distance(m->normal, n->normal) != 0.0f ||
	       memcmp(m->points, n->points, (size_t)m->point_count * sizeof *m->points) != 0;
}

void rbl_record_change(rbl_world *world, const rbl_contact_change *found,
                       const rbl_contact_change *changed)
{
	rbl_recorder *rec = world->recorder;
	if (!rec)
		return;
	changed_contact c = { rec->question, is_changed(found, changed) ? changed : NULL };
	if ((c.change || rec->is_question_marked) && rbl_world_is_recording(world))
		write_chunk(world, RBL_CHUNK_ANSWER, put_changed_contact, &c);
	rec->is_asking = false;
	rec->question++;
	rbl_record_pause(world);
}

// --- the public face ----------------------------------------------------------------------------

static void free_recorder(rbl_world *world)
{
	rbl_recorder *rec = world->recorder;
	const rbl_allocator *a = &world->allocator;
	rbl_map_free(a, &rec->assets);
	rbl_map_free(a, &rec->patterns);
	rbl_map_free(a, &rec->colliders);
	rbl_map_free(a, &rec->fields);
	rbl_map_free(a, &rec->shapes);
	rbl_map_free(a, &rec->materials);
	for (int i = 0; i < rec->held_materials.count; ++i)
		rbl_material_unshare(rec->held_materials.data[i]);
	rbl_array_free(a, &rec->held_materials);
	rbl_array_free(a, &rec->material_versions);
	rbl_array_free(a, &rec->bytes);
	rbl_array_free(a, &rec->numbers);
	RBL_FREE(a, rec, 1);
	world->recorder = NULL;
}

static void write_head(rbl_world *world)
{
	unsigned char head[RBL_RECORDING_HEAD];
	rbl_blob_writer w = { .bytes = head };
	rbl_blob_put_bytes(&w, "RBLR", 4);
	rbl_blob_put32(&w, RBL_RECORDING_VERSION);
	rbl_blob_put32(&w, (world->def.should_collide ? RBL_RECORDING_ASKS : 0u) |
	                       (world->def.modify_contact ? RBL_RECORDING_MODIFIES : 0u));
	world->recorder->hash = rbl_hash_bytes(RBL_HASH_START, head, sizeof head);
	send_bytes(world, head, sizeof head);
	RBL_EACH_LIVE (i, &world->body_ids)
		note_asset(world, world->bodies[i].asset);
	for (int i = 0; i < world->materials.count; ++i)
		note_patterns(world, world->materials.data[i].shared);
	write_saved(world, RBL_CHUNK_SNAPSHOT, (saved){ world, save_world });
	for (int i = 0; i < world->materials.count; ++i)
		number_material(world, world->materials.data[i].shared, i);
}

rbl_result rbl_world_begin_recording(rbl_world *world, const rbl_recording_def *def)
{
	if (!world || !def || def->cookie != RECORDING_COOKIE || !def->write)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL, or start from "
		                                  "rbl_default_recording_def() and set write");
	if (world->recorder || world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "the world is recorded already, or in a step");
	world->recorder = RBL_NEW_ZERO(&world->allocator, rbl_recorder, 1);
	if (!world->recorder)
		return RBL_OUT_OF_MEMORY;
	world->recorder->def = *def;
	write_head(world);
	rbl_result result = world->recorder->result;
	if (result != RBL_OK)
		free_recorder(world);
	return result;
}

rbl_result rbl_world_end_recording(rbl_world *world)
{
	if (!world || !world->recorder || world->is_stepping)
		return rbl_fail(RBL_BAD_ARGUMENT, "the world is NULL, not recorded, or in a step");
	write_chunk(world, RBL_CHUNK_END, put_words, &(words){ "", 0 });
	rbl_result result = world->recorder->result;
	free_recorder(world);
	return result;
}

void rbl_record_free(rbl_world *world)
{
	if (world->recorder)
		rbl_world_end_recording(world);
}
