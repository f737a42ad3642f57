// SPDX-License-Identifier: MIT
// Three ways to keep a world that breaks: a snapshot, a recording, a log of fractures. Each is made from
// the same falling jug, used, and compared.
//
//     snapshot

#include <rubble/rubble.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 120, SAVED_AT = 70 };

// Bytes that grow: a file or a network in a game.
typedef struct store {
	unsigned char *bytes;
	size_t size;
	int count;
} store;

static bool keep(void *user, const void *bytes, size_t size)
{
	store *s = user;
	unsigned char *more = realloc(s->bytes, s->size + size);
	if (!more)
		return false;
	s->bytes = more;
	memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
	s->count++;
	return true;
}

static void keep_event(void *user, const void *bytes, size_t size)
{
	keep(user, bytes, size);
}

// What the worlds share, made once.
typedef struct objects {
	rbl_asset *jug;
	rbl_pattern *pattern;
	rbl_material *clay;
	rbl_collider *floor;
} objects;

static bool make_things(objects *t)
{
	rbl_vase_def vase = rbl_default_vase_def();
	rbl_mesh *mesh = NULL;
	rbl_prepare_def prepare = rbl_default_prepare_def();
	rbl_pattern_def pattern = rbl_default_pattern_def();
	rbl_collider_def floor = rbl_default_collider_def(RBL_COLLIDER_BOX);
	floor.half_size = (rbl_vec3){ 10.0f, 0.5f, 10.0f };
	bool ok = rbl_create_vase_mesh(&vase, &mesh) == RBL_OK &&
	          rbl_prepare(mesh, &prepare, &t->jug) == RBL_OK &&
	          rbl_create_pattern(&pattern, &t->pattern) == RBL_OK &&
	          rbl_create_collider(&floor, &t->floor) == RBL_OK;
	rbl_destroy_mesh(mesh);
	rbl_damage_level level = { .energy = 1.0, .pattern = t->pattern, .radius = 0.3 };
	rbl_material_def clay = rbl_default_material_def();
	clay.damage.levels = &level;
	clay.damage.level_count = 1;
	return ok && rbl_create_material(&clay, &t->clay) == RBL_OK;
}

static void free_things(objects *t)
{
	rbl_destroy_asset(t->jug);
	rbl_destroy_material(t->clay);
	rbl_destroy_pattern(t->pattern);
	rbl_destroy_collider(t->floor);
}

static rbl_world *make_world(const objects *t)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_world *world = NULL;
	if (rbl_create_world(&def, &world) != RBL_OK)
		return NULL;
	rbl_body_def body = rbl_default_body_def();
	body.collider = t->floor;
	body.kind = RBL_BODY_STATIC;
	body.pose.position.y = -0.5f;
	rbl_create_body(world, &body);
	body = rbl_default_body_def();
	body.asset = t->jug;
	body.shared_material = t->clay;
	body.pose.position.y = 2.0f;
	rbl_create_body(world, &body);
	return world;
}

// The snapshot in a world of its own, to the end.
static uint64_t go_on(const store *snapshot, const objects *t)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[] = { t->jug };
	const rbl_pattern *patterns[] = { t->pattern };
	sources.assets = assets, sources.asset_count = 1;
	sources.patterns = patterns, sources.pattern_count = 1;
	rbl_world *world = NULL;
	if (rbl_world_load(snapshot->bytes, snapshot->size, &def, &sources, &world) != RBL_OK)
		return 0;
	for (int i = SAVED_AT; i < STEPS; ++i)
		rbl_world_step(world, 1.0f / 60.0f);
	uint64_t hash = rbl_world_hash(world);
	rbl_destroy_world(world);
	return hash;
}

static bool play(const store *recording)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_sources none = rbl_default_sources(); // everything is in it
	rbl_replay *replay = NULL;
	rbl_replay_report report = { .is_over = false };
	rbl_result result = rbl_create_replay(recording->bytes, recording->size, &def, &none, &replay);
	while (result == RBL_OK && !report.is_over)
		result = rbl_replay_step(replay, &report);
	printf("recording: %zu bytes, %lld steps, %s\n", recording->size, (long long)report.step,
	       report.differs ? "another course" : "all hashes agree");
	rbl_destroy_replay(replay);
	return result == RBL_OK && !report.differs;
}

// A second world that has only heard of the fractures.
static bool join_late(const store *log, const objects *t, int piece_count)
{
	rbl_world *world = make_world(t);
	rbl_result result = rbl_world_apply_fractures(world, log->bytes, log->size, NULL);
	int count = rbl_world_body_count(world);
	printf("log: %d fractures in %zu bytes, %d bodies there, %d here\n", log->count, log->size,
	       piece_count, count);
	rbl_destroy_world(world);
	return result == RBL_OK && count == piece_count;
}

int main(void)
{
	objects t = { .jug = NULL };
	store snapshot = { .bytes = NULL }, recording = { .bytes = NULL }, log = { .bytes = NULL };
	if (!make_things(&t))
		return 1;
	rbl_world *world = make_world(&t);
	rbl_recording_def def = rbl_default_recording_def();
	def.write = keep;
	def.user = &recording;
	bool ok = rbl_world_begin_recording(world, &def) == RBL_OK;
	rbl_world_log_fractures(world, keep_event, &log);
	for (int i = 0; i < STEPS && ok; ++i) {
		if (i == SAVED_AT) {
			ok = rbl_world_save(world, NULL, &snapshot.size) == RBL_OK;
			snapshot.bytes = malloc(snapshot.size);
			ok = ok && rbl_world_save(world, snapshot.bytes, &snapshot.size) == RBL_OK;
		}
		rbl_world_step(world, 1.0f / 60.0f);
	}
	uint64_t hash = rbl_world_hash(world);
	int count = rbl_world_body_count(world);
	rbl_world_end_recording(world);
	rbl_destroy_world(world);
	bool continues = ok && go_on(&snapshot, &t) == hash;
	printf("snapshot: %zu bytes, %s\n", snapshot.size,
	       continues ? "continues with the same bits" : "DIFFERS");
	ok = continues && play(&recording) && join_late(&log, &t, count);
	free(snapshot.bytes);
	free(recording.bytes);
	free(log.bytes);
	free_things(&t);
	return ok ? 0 : 1;
}
