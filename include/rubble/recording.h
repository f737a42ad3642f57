// SPDX-License-Identifier: MIT
// Recordings: every call that changes a world, written as it is made, and made again from that.
//
// A recording begins with a snapshot of the world, so it may begin at any time, and ends with a
// mark: what is cut off is refused. After every step it holds a hash of the state. Played back, on
// any machine and with any number of workers, the hashes are the same; a bug report is a file.
#pragma once

#include <rubble/base.h>
#include <rubble/snapshot.h>
#include <rubble/world.h>

/// Receives the bytes of a recording, in order. @return whether they were kept; if not, recording
/// ends. Threads: world; it may read the world, calls that change it are refused.
typedef bool rbl_write_function(void *user, const void *bytes, size_t size);

/// How to record. Start from rbl_default_recording_def().
typedef struct rbl_recording_def {
	/// Where the bytes go, and what is passed along. No default.
	rbl_write_function *write;
	void *user;

	/// Whether assets and patterns are in it, rather than their keys. Default true.
	bool embeds_assets;

	/// Filled by rbl_default_recording_def(). Leave it alone.
	uint32_t cookie;
} rbl_recording_def;

/// @return a definition without a place for the bytes. Threads: any.
RBL_API rbl_recording_def rbl_default_recording_def(void);

/// Begin to record a world.
/// @return RBL_OK, RBL_BAD_ARGUMENT (also when it is recorded already, and during a step),
///         RBL_OUT_OF_MEMORY, RBL_IO_FAILED (the first bytes were not kept)
/// Threads: world. Cost: a snapshot.
RBL_API rbl_result rbl_world_begin_recording(rbl_world *world, const rbl_recording_def *def);

/// End a recording. Destroying the world ends it too.
/// @return RBL_OK, RBL_BAD_ARGUMENT (nothing is recorded), RBL_IO_FAILED or RBL_OUT_OF_MEMORY
///         (recording had ended by itself, and what there is lacks its end)
/// Threads: world.
RBL_API rbl_result rbl_world_end_recording(rbl_world *world);

/// A recording that is played back.
typedef struct rbl_replay rbl_replay;

/// Make the world that a recording begins with.
/// @param bytes    all of it; they must outlive the replay
/// @param def      jobs and allocator are read
/// @param sources  assets and patterns that are not in it
/// @param replay   receives the replay, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (damaged, cut off, of another version, or an
///         asset is not to be found), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in the bytes.
RBL_API rbl_result rbl_create_replay(const void *bytes, size_t size, const rbl_world_def *def,
                                     const rbl_sources *sources, rbl_replay **replay);

/// Destroy a replay with its world. NULL is fine.
RBL_API void rbl_destroy_replay(rbl_replay *replay);

/// What became of a step.
typedef struct rbl_replay_report {
	/// The recording is over, and no step was made.
	bool is_over;

	/// Which step of the recording it was, from 1 on; 0 before the first.
	int64_t step;

	/// The state after it, then and now.
	uint64_t recorded_hash, hash;

	/// Whether a hash, or what a call returned, is not what it was, in this step or before.
	bool differs;
} rbl_replay_report;

/// @return how much of the recording was played, 0 to 1, by its bytes. Threads: one call on a
/// replay at a time.
RBL_API double rbl_replay_progress(const rbl_replay *replay);

/// Make all calls up to the end of the next step.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE (it asks for something that cannot be; no more
///         can be played), RBL_OUT_OF_MEMORY
/// Threads: one call on a replay at a time.
RBL_API rbl_result rbl_replay_step(rbl_replay *replay, rbl_replay_report *report);

/// @return the world, to look at between steps. Threads: as rbl_replay_step().
RBL_API const rbl_world *rbl_replay_get_world(const rbl_replay *replay);
