// SPDX-License-Identifier: MIT
// Snapshots: a whole world as bytes, that goes on with the same bits wherever it is loaded.
//
// A snapshot holds bodies, joints, contacts and all that their next step depends on, with the
// geometry of fragments. Assets and patterns, which are large and do not change, are named by their
// keys. What a step reported last is not in it, nor are callbacks and workers.
#pragma once

#include <rubble/asset.h>
#include <rubble/base.h>
#include <rubble/pattern.h>
#include <rubble/world.h>

/// Where assets and patterns come from when something names them by key. Start from
/// rbl_default_sources().
typedef struct rbl_sources {
	/// Looked through first. Assets and patterns may be destroyed before the world.
	const rbl_asset *const *assets;
	int asset_count;
	const rbl_pattern *const *patterns;
	int pattern_count;

	/// Shared materials, found by name: the world uses them, with the values they have now, and
	/// breaks by them. For those that are not here it makes its own, see
	/// rbl_world_get_materials(). Patterns are looked for in materials and assets, too. Default
	/// none.
	const rbl_material *const *materials;
	int material_count;

	/// Asked for what is not in the lists; NULL: nobody is. @return NULL when it is not known.
	const rbl_asset *(*find_asset)(void *user, uint64_t key);
	const rbl_pattern *(*find_pattern)(void *user, uint64_t key);
	void *user;

	/// Filled by rbl_default_sources(). Leave it alone.
	uint32_t cookie;
} rbl_sources;

/// @return sources that know nothing: enough for worlds without assets and patterns. Threads:
/// any.
RBL_API rbl_sources rbl_default_sources(void);

/// Write a world as bytes, little-endian on every platform. The world does not change.
/// @param bytes  receives the bytes; NULL to ask for the size only
/// @param size   room in `bytes`; receives the number of bytes
/// @return RBL_OK, RBL_BAD_ARGUMENT (also during a step), RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
///         (room is short: `size` says what it takes, `bytes` holds nothing of use)
/// Threads: world. Cost: O(n), some milliseconds for thousands of bodies in contact.
RBL_API rbl_result rbl_world_save(const rbl_world *world, void *bytes, size_t *size);

/// Make the world that was written. Ids of bodies and joints are what they were. Its steps have the
/// same bits as those of the world that was saved, for any number of workers.
/// @param def      should_collide, user, jobs and allocator are read, all else is in the bytes
/// @param sources  assets and patterns that the bytes name
/// @param world    receives the world, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (damaged, of another version, or an asset or
///         pattern is not to be found: the log says which), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_world_load(const void *bytes, size_t size, const rbl_world_def *def,
                                  const rbl_sources *sources, rbl_world **world);
