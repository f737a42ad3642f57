// SPDX-License-Identifier: MIT
// Patterns from bytes: whatever they are, an answer and no more. The hash at the end is put right,
// so that the rest is looked at.

#include "base/hash.h"

#include <rubble/pattern.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 8 || size > 20000)
		return 0;
	unsigned char *bytes = malloc(size);
	if (!bytes)
		return 0;
	memcpy(bytes, data, size);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, bytes, size - 8);
	for (int i = 0; i < 8; ++i)
		bytes[size - 8 + (size_t)i] = (unsigned char)(hash >> (8 * i));
	rbl_pattern *pattern = NULL;
	if (rbl_pattern_load(bytes, size, NULL, &pattern) == RBL_OK) {
		size_t again = size;
		if (rbl_pattern_save(pattern, bytes, &again) != RBL_OK || again != size)
			abort();
	}
	rbl_destroy_pattern(pattern);
	free(bytes);
	return 0;
}
