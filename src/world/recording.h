// SPDX-License-Identifier: MIT
// Inside recordings.
//
//   recording.c       the stream, and what every call writes
//   recording_defs.c  definitions of bodies and joints as bytes, and back
//   replay.c          playing it
//
// A recording is a head and chunks. Every chunk ends with a hash of itself and of all before it,
// and the last is marked as such: damage is found before anything is played.
//
//   "RBLR"  u32 version  u32 flags
//   chunk:  u32 kind  u32 size  bytes, a multiple of four  u64 hash
#pragma once

#include "fracture/fracture.h"
#include "world/snapshot.h"
#include "world/world.h"

#include <rubble/recording.h>

enum {
	RBL_RECORDING_VERSION = 6,
	RBL_RECORDING_HEAD = 12,
	RBL_RECORDING_ASKS = 1,
	RBL_RECORDING_MODIFIES = 2
};

/// What a chunk holds.
typedef enum rbl_chunk_kind {
	RBL_CHUNK_END,
	RBL_CHUNK_SNAPSHOT,
	RBL_CHUNK_ASSET,    // the bytes of one
	RBL_CHUNK_PATTERN,  // likewise
	RBL_CHUNK_COLLIDER, // later chunks refer to it by number
	RBL_CHUNK_FIELD,    // of a mesh, likewise
	RBL_CHUNK_SHAPE,    // a field shape, likewise, after its original
	RBL_CHUNK_MATERIAL, // a shared one, likewise
	RBL_CHUNK_STEP,     // dt; a step begins
	RBL_CHUNK_QUESTION, // calls follow that were made in a callback
	RBL_CHUNK_ANSWER,   // of should_collide, missing ones are true; or of modify_contact: changes
	RBL_CHUNK_STEP_END, // result and hash
	RBL_CHUNK_COMMAND,  // a call that changes a body or joint
	RBL_CHUNK_BODIES,   // of rbl_create_body(), rbl_create_bodies(), rbl_replace_body()
	RBL_CHUNK_JOINT,
	RBL_CHUNK_JOINT_CHANGE, // its new definition
	RBL_CHUNK_GRAVITY,
	RBL_CHUNK_CAN_SLEEP,
	RBL_CHUNK_SHIFT,
	RBL_CHUNK_EXPLODE,
	RBL_CHUNK_FRACTURES,       // of a log
	RBL_CHUNK_MATERIAL_CHANGE, // of the material of a number in the world
	RBL_CHUNK_DAMAGE,          // of rbl_world_damage()
	RBL_CHUNK_BUDGET,
	RBL_CHUNK_KINDS
} rbl_chunk_kind;

/// Numbers of the chunks that a definition refers to, -1 for none.
typedef struct rbl_def_numbers {
	int32_t collider, shape, original, material;
} rbl_def_numbers;

/// How bodies were created.
typedef enum rbl_create_call {
	RBL_CREATE_ONE,
	RBL_CREATE_BATCH,
	RBL_CREATE_REPLACE
} rbl_create_call;

struct rbl_recorder;

/// Whether a call is to be recorded: not one that another call makes.
static inline bool rbl_world_is_recording(const rbl_world *world);

struct rbl_recorder {
	rbl_recording_def def;
	rbl_result result; // of writing: not RBL_OK, nothing more is written
	uint64_t hash;
	int pause_depth; // > 0: calls that other calls make are not recorded
	rbl_map assets, patterns, colliders, fields, shapes; // what was written, by key or hash
	rbl_map materials; // by address: they are held, so that none is reused
	RBL_ARRAY(const rbl_material *) held_materials;
	RBL_ARRAY(uint32_t) material_versions; // as written
	uint32_t collider_count, field_count, shape_count;
	RBL_ARRAY(unsigned char) bytes;     // of a chunk
	RBL_ARRAY(rbl_def_numbers) numbers; // of a batch
	uint32_t question;                  // in this step
	bool is_asking, is_question_marked; // should_collide is asked; a call was made meanwhile
};

static inline bool rbl_world_is_recording(const rbl_world *world)
{
	return world->recorder && world->recorder->pause_depth == 0 &&
	       world->recorder->result == RBL_OK;
}

// --- recording.c --------------------------------------------------------------------------------

/// Around what a call does: other calls that it makes are not recorded.
static inline void rbl_record_pause(rbl_world *world)
{
	if (world->recorder)
		world->recorder->pause_depth++;
}

static inline void rbl_record_resume(rbl_world *world)
{
	if (world->recorder)
		world->recorder->pause_depth--;
}

void rbl_record_command(rbl_world *world, const rbl_command *command);
void rbl_record_bodies(rbl_world *world, rbl_create_call call, rbl_body_id replaced,
                       const rbl_body_def *defs, int count, const rbl_body_id *ids);
void rbl_record_joint(rbl_world *world, const rbl_joint_def *def, rbl_joint_id id);
void rbl_record_joint_change(rbl_world *world, const rbl_joint_def *def, rbl_joint_id id);
void rbl_record_gravity(rbl_world *world, rbl_vec3 gravity);
void rbl_record_can_sleep(rbl_world *world, bool can_sleep);
void rbl_record_budget(rbl_world *world, int budget);
void rbl_record_shift(rbl_world *world, rbl_vec3 offset);
void rbl_record_explosion(rbl_world *world, const rbl_explosion *explosion);
void rbl_record_damage(rbl_world *world, const rbl_damage_def *def);

/// A shared material has new values.
void rbl_record_material_change(rbl_world *world, int material);

/// A log that was applied, and the result; and a pattern that it used.
void rbl_record_fractures(rbl_world *world, const void *bytes, size_t size, rbl_result result);
void rbl_record_pattern(rbl_world *world, const rbl_pattern *pattern);

/// A step: before it, and after it.
void rbl_record_step(rbl_world *world, float dt);
void rbl_record_step_end(rbl_world *world, rbl_result result);

/// A question to should_collide: before it, and after it.
void rbl_record_question(rbl_world *world);
void rbl_record_answer(rbl_world *world, bool answer);

/// The same for modify_contact: what it has changed.
void rbl_record_change(rbl_world *world, const rbl_contact_change *found,
                       const rbl_contact_change *changed);

/// A changed contact as bytes.
void rbl_recording_put_change(rbl_blob_writer *w, const rbl_contact_change *change);
bool rbl_recording_get_change(rbl_blob_reader *r, rbl_contact_change *change);

/// End the recording of a world that is about to be destroyed.
void rbl_record_free(rbl_world *world);

// --- recording_defs.c ---------------------------------------------------------------------------

/// Write a definition. @param materials  numbers of those of its compound by their addresses
void rbl_recording_put_body_def(rbl_blob_writer *w, const rbl_body_def *def,
                                rbl_def_numbers numbers, const rbl_map *materials);

/// What a definition that was read points to.
typedef struct rbl_recorded_body_def {
	rbl_body_def def;
	rbl_def_numbers numbers;
	uint64_t asset;         // key, 0: none
	rbl_convex *convex;     // to be destroyed
	rbl_mesh *mesh;         // likewise
	rbl_compound *compound; // the world's once the body is created
	rbl_mass mass;
} rbl_recorded_body_def;

/// Read one. `def` lacks collider, fields, asset, material and mass.
/// @param find  finds the materials of its compound
/// @return whether the reader is good
bool rbl_recording_get_body_def(rbl_blob_reader *r, const rbl_allocator *allocator,
                                rbl_material_finder *find, void *user, rbl_recorded_body_def *read);

void rbl_recording_put_joint_def(rbl_blob_writer *w, const rbl_joint_def *def);
bool rbl_recording_get_joint_def(rbl_blob_reader *r, rbl_joint_def *def);

/// An explosion, and damage by a shape.
void rbl_recording_put_explosion(rbl_blob_writer *w, const rbl_explosion *explosion);
bool rbl_recording_get_explosion(rbl_blob_reader *r, rbl_explosion *explosion);
void rbl_recording_put_damage(rbl_blob_writer *w, const rbl_damage_def *def);
bool rbl_recording_get_damage(rbl_blob_reader *r, rbl_damage_def *def);

/// A command.
void rbl_recording_put_command(rbl_blob_writer *w, const rbl_command *command);
bool rbl_recording_get_command(rbl_blob_reader *r, rbl_command *command);
