// SPDX-License-Identifier: MIT
// Recordings in memory: written, played, and sealed again after a change.
#pragma once

#include "../test.h"

#include "base/hash.h"

#include <rubble/rubble.h>

typedef struct bytes_tape {
	unsigned char *bytes;
	size_t size, capacity;
	int writes, most_writes; // then it is full
} bytes_tape;

static inline bool tape_write(void *user, const void *bytes, size_t size)
{
	bytes_tape *t = user;
	if (t->writes++ >= t->most_writes)
		return false;
	if (t->size + size > t->capacity) {
		t->capacity = 2 * (t->size + size);
		t->bytes = realloc(t->bytes, t->capacity);
	}
	memcpy(t->bytes + t->size, bytes, size);
	t->size += size;
	return true;
}

static inline rbl_recording_def tape_def(bytes_tape *t, bool embeds)
{
	*t = (bytes_tape){ .most_writes = INT32_MAX };
	rbl_recording_def def = rbl_default_recording_def();
	def.write = tape_write;
	def.user = t;
	def.embeds_assets = embeds;
	return def;
}

/// @return the steps that were played, -1 when one differs or cannot be played
static inline int tape_play(test *t, const bytes_tape *from, const rbl_sources *sources,
                            int workers, uint64_t *last)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	rbl_jobs *jobs = NULL;
	if (workers > 1)
		rbl_create_jobs(&jobs_def, &jobs);
	rbl_world_def def = rbl_default_world_def();
	def.jobs = jobs;
	rbl_replay *replay = NULL;
	rbl_replay_report report = { 0 };
	CHECK(t, rbl_create_replay(from->bytes, from->size, &def, sources, &replay) == RBL_OK);
	rbl_result result = replay ? RBL_OK : RBL_BAD_FILE;
	while (result == RBL_OK && !report.is_over && !report.differs) {
		result = rbl_replay_step(replay, &report);
		if (report.recorded_hash)
			*last = report.hash;
	}
	if (result != RBL_OK || report.differs)
		printf("step %lld: result %d, differs %d\n", (long long)report.step, result,
		       report.differs);
	CHECK(t, rbl_replay_get_world(replay) != NULL);
	rbl_destroy_replay(replay);
	rbl_destroy_jobs(jobs);
	return result == RBL_OK && !report.differs ? (int)report.step : -1;
}

static inline uint32_t tape_word(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/// Put the hashes of all chunks right.
static inline void tape_seal(bytes_tape *t)
{
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, t->bytes, 12);
	for (size_t at = 12; t->size - at >= 16;) {
		size_t size = tape_word(t->bytes + at + 4);
		if (size > t->size - at - 16)
			return;
		hash = rbl_hash_bytes(hash, t->bytes + at, size + 8);
		at += size + 16;
		for (int i = 0; i < 8; ++i)
			t->bytes[at - 8 + (size_t)i] = (unsigned char)(hash >> (8 * i));
	}
}
