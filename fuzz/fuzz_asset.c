// SPDX-License-Identifier: MIT
// Assets from bytes: whatever they are, an answer and no more. Size and hash are put right, so that the
// rest is looked at. What loads is saved again, and then broken: it need not be sane, since numbers
// may be anything that is finite, but nothing may crash, and no call may fail in a way it does not tell.

#include "block.h"

#include <rubble/rubble.h>

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static rbl_pattern *shared_pattern(void)
{
	static rbl_pattern *pattern;
	if (!pattern) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.cell_count = 12;
		rbl_create_pattern(&def, &pattern);
	}
	return pattern;
}

static void break_it(const rbl_asset *asset, const unsigned char *choices)
{
	rbl_compound *c = NULL;
	if (rbl_asset_create_compound(asset, NULL, &c) != RBL_OK)
		return;
	rbl_break_def def = rbl_default_break_def();
	def.pattern = shared_pattern();
	for (int round = 0; round < 2; ++round) {
		def.position = (rbl_vec3d){ choices[0] / 64.0 - 2.0, choices[1] / 64.0 - 2.0, 0.0 };
		def.radius = round ? 0.5 + choices[2] / 64.0 : (double)INFINITY;
		rbl_break *broken = NULL;
		rbl_result result = rbl_compound_break(c, &def, &broken);
		if ((result == RBL_OK) != (broken != NULL))
			abort();
		rbl_destroy_break(broken);
	}
	rbl_destroy_compound(c);
}

static unsigned char *save(const rbl_asset *asset, size_t *size)
{
	*size = 0;
	if (rbl_asset_save(asset, NULL, size) != RBL_OK)
		abort();
	unsigned char *bytes = malloc(*size);
	if (bytes && rbl_asset_save(asset, bytes, size) != RBL_OK)
		abort();
	return bytes;
}

// What was saved loads, and is saved the same: forged flags and sums are put right the first time.
static void save_twice(const rbl_asset *asset)
{
	size_t size, again_size;
	unsigned char *bytes = save(asset, &size), *again = NULL;
	rbl_asset *loaded = NULL;
	if (bytes && rbl_asset_load(bytes, size, NULL, &loaded) == RBL_OK) {
		again = save(loaded, &again_size);
		if (again && (again_size != size || memcmp(bytes, again, size) != 0))
			abort();
	}
	rbl_destroy_asset(loaded);
	free(again);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *bytes = block_from(data, size);
	if (!bytes)
		return 0;
	rbl_asset *asset = NULL;
	if (rbl_asset_load(bytes, size, NULL, &asset) == RBL_OK) {
		save_twice(asset);
		break_it(asset, data + 24);
	}
	rbl_destroy_asset(asset);
	free(bytes);
	return 0;
}
