// SPDX-License-Identifier: MIT
// Inside a snapshot. What bodies share is in tables, in the order of first use.
//
//   snapshot.c        the block: head, tables, parts in order
//   snapshot_bodies.c bodies and their parts
//   snapshot_materials.c materials, and what parts have of their own
//   snapshot_pairs.c  pairs and contacts
//   snapshot_fields.c distance fields of parts and pairs
//   snapshot_lists.c  joints, and lists for the next step
#pragma once

#include "fracture/fracture.h"
#include "stress/stress.h"
#include "world/world.h"

#include <rubble/snapshot.h>

/// A table of things by address, in the order of first use.
typedef struct rbl_address_table {
	rbl_map map;
	RBL_ARRAY(const void *) items;
} rbl_address_table;

/// What writing needs.
typedef struct rbl_snapshot_tables {
	rbl_address_table assets, colliders, shapes, originals;
	rbl_proxy_id *proxies; // by part, null for none
} rbl_snapshot_tables;

/// Add something unless it is there or NULL. @return false when memory ran out
bool rbl_address_table_add(const rbl_allocator *allocator, rbl_address_table *table,
                           const void *item);

/// The index of something that was added; -1 for NULL.
static inline int32_t rbl_address_table_place(const rbl_address_table *table, const void *item)
{
	return item ? (int32_t)rbl_map_get(&table->map, (uint64_t)(uintptr_t)item) : -1;
}

void rbl_address_table_free(const rbl_allocator *allocator, rbl_address_table *table);

/// What reading needs.
typedef struct rbl_snapshot_reader {
	rbl_blob_reader blob;
	rbl_world *world;
	const rbl_sources *sources;
	RBL_ARRAY(const rbl_asset *) assets; // as in the tables
} rbl_snapshot_reader;

const rbl_asset *rbl_sources_find_asset(const rbl_sources *sources, uint64_t key);

/// A pattern of an asset's materials; NULL: it has none of this key.
const rbl_pattern *rbl_asset_find_pattern(const rbl_asset *asset, uint64_t key);

/// An rbl_pattern_finder; the user is an rbl_sources.
const rbl_pattern *rbl_sources_find_pattern(void *sources, uint64_t key);

/// @return whether sources are made by rbl_default_sources() and have what they say
bool rbl_sources_are_valid(const rbl_sources *sources);

// Each pair writes and reads one part. Reading: @return whether the reader is still good.

void rbl_snapshot_put_bodies(rbl_blob_writer *w, const rbl_world *world,
                             const rbl_snapshot_tables *tables);
bool rbl_snapshot_get_bodies(rbl_snapshot_reader *r);

void rbl_snapshot_put_pairs(rbl_blob_writer *w, const rbl_world *world);
bool rbl_snapshot_get_pairs(rbl_snapshot_reader *r);

void rbl_snapshot_put_joints(rbl_blob_writer *w, const rbl_world *world);
bool rbl_snapshot_get_joints(rbl_snapshot_reader *r);

void rbl_snapshot_put_lists(rbl_blob_writer *w, const rbl_world *world);
bool rbl_snapshot_get_lists(rbl_snapshot_reader *r);

// --- snapshot_materials.c -----------------------------------------------------------------------

/// The table of materials, and whether bodies, parts and colliders use them as it says.
void rbl_snapshot_put_materials(rbl_blob_writer *w, const rbl_world *world,
                                const rbl_snapshot_tables *tables);
bool rbl_snapshot_get_materials(rbl_snapshot_reader *r);
bool rbl_snapshot_check_materials(rbl_snapshot_reader *r);

/// A collider that bodies share, with the materials of its triangles.
void rbl_snapshot_put_collider(rbl_blob_writer *w, const rbl_world *world,
                               const rbl_collider *collider);
bool rbl_snapshot_get_collider(rbl_snapshot_reader *r, rbl_collider **collider);

/// What a part has of its own.
void rbl_snapshot_put_traits(rbl_blob_writer *w, const rbl_world *world, int part);
void rbl_snapshot_get_traits(rbl_snapshot_reader *r, int part);

// --- snapshot_fields.c --------------------------------------------------------------------------

/// What a pair remembers that collides by fields.
void rbl_snapshot_put_pair_field(rbl_blob_writer *w, const rbl_pair_field *field);
void rbl_snapshot_get_pair_field(rbl_snapshot_reader *r, rbl_pair_field **field);

/// Fields and shapes that bodies share: noting them, and writing and reading their tables.
/// @return false when memory ran out
bool rbl_snapshot_note_shapes(const rbl_world *world, rbl_snapshot_tables *tables);
void rbl_snapshot_put_shapes(rbl_blob_writer *w, const rbl_snapshot_tables *tables);
void rbl_snapshot_get_shapes(rbl_snapshot_reader *r);

/// The original of a body's compound.
void rbl_snapshot_put_original(rbl_blob_writer *w, const rbl_distance_field *original,
                               const rbl_snapshot_tables *tables);
const rbl_distance_field *rbl_snapshot_get_original(rbl_snapshot_reader *r);

/// What a part collides by when it is one of a field body.
void rbl_snapshot_put_part_field(rbl_blob_writer *w, const rbl_part_field *field,
                                 const rbl_snapshot_tables *tables);
void rbl_snapshot_get_part_field(rbl_snapshot_reader *r, rbl_part_field **field);

/// @return RBL_OK, RBL_UNSUPPORTED with a line in the log: a field cannot be written
rbl_result rbl_snapshot_check_fields(const rbl_world *world);

/// Checks that need all of it: bodies, contacts and joints of the solver.
bool rbl_snapshot_check_bodies(rbl_snapshot_reader *r);
bool rbl_snapshot_check_pairs(rbl_snapshot_reader *r);
bool rbl_snapshot_check_joints(rbl_snapshot_reader *r);
