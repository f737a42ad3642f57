// SPDX-License-Identifier: MIT
// Recordings from bytes, with the hashes of all chunks put right: played as far as they go, some steps at
// most. Calls that cannot be are refused, and nothing crashes.

#include "block.h"

#include <rubble/rubble.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 12, MOST_STEPS = 20 };

static uint32_t word_at(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void seal(unsigned char *bytes, size_t size)
{
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes, HEAD);
	for (size_t at = HEAD; size - at >= 16;) {
		size_t length = word_at(bytes + at + 4);
		if (length > size - at - 16)
			return;
		hash = rbl_hash_bytes(hash, bytes + at, length + 8);
		at += length + 16;
		put64(bytes + at - 8, hash);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < HEAD || size > 60000)
		return 0;
	unsigned char *bytes = malloc(size);
	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	seal(bytes, size);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	rbl_replay *replay = NULL;
	rbl_replay_report report = { 0 };
	rbl_result result = rbl_create_replay(bytes, size, &def, &sources, &replay);
	if ((result == RBL_OK) != (replay != NULL))
		abort();
	for (int i = 0; i < MOST_STEPS && result == RBL_OK && !report.is_over; ++i)
		result = rbl_replay_step(replay, &report);
	rbl_destroy_replay(replay);
	free(bytes);
	return 0;
}
