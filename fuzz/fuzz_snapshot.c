// SPDX-License-Identifier: MIT
// Worlds from bytes: whatever they are, an answer and no more. Size and hash are put right, so that the
// checks behind them are looked at. What loads is stepped, saved, loaded and saved again: the same bytes.

#include "block.h"

#include <rubble/rubble.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const rbl_pattern *find_pattern(void *user, uint64_t key)
{
	(void)user, (void)key;
	static rbl_pattern *pattern; // the corpus names this one
	if (!pattern) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.cell_count = 6;
		rbl_create_pattern(&def, &pattern);
	}
	return pattern;
}

static unsigned char *save(const rbl_world *world, size_t *size)
{
	*size = 0;
	if (rbl_world_save(world, NULL, size) != RBL_OK)
		abort();
	unsigned char *bytes = malloc(*size);
	if (bytes && rbl_world_save(world, bytes, size) != RBL_OK)
		abort();
	return bytes;
}

// What was saved loads, and is saved the same.
static void save_twice(const rbl_world *world, const rbl_sources *sources)
{
	rbl_world_def def = rbl_default_world_def();
	size_t size, again_size;
	unsigned char *bytes = save(world, &size), *again = NULL;
	rbl_world *loaded = NULL;
	if (bytes && rbl_world_load(bytes, size, &def, sources, &loaded) == RBL_OK) {
		again = save(loaded, &again_size);
		if (again && (again_size != size || memcmp(bytes, again, size) != 0))
			abort();
	}
	rbl_destroy_world(loaded);
	free(again);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *bytes = block_from(data, size);
	if (!bytes)
		return 0;
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	sources.find_pattern = find_pattern;
	rbl_world *world = NULL;
	if (rbl_world_load(bytes, size, &def, &sources, &world) == RBL_OK) {
		save_twice(world, &sources);
		for (int i = 0; i < 3; ++i)
			rbl_world_step(world, 1.0f / 60.0f);
	}
	rbl_destroy_world(world);
	free(bytes);
	return 0;
}
