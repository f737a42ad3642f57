// SPDX-License-Identifier: MIT
// Blocks of base/blob.h from any bytes: size and hash are put right, so that what is behind them is looked
// at.
#pragma once

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static inline void put64(unsigned char *bytes, uint64_t value)
{
	for (int i = 0; i < 8; ++i)
		bytes[i] = (unsigned char)(value >> (8 * i));
}

/// @return a copy of the bytes as a block, to be freed; NULL: too few, too many, or no memory
static inline unsigned char *block_from(const uint8_t *data, size_t size)
{
	unsigned char *bytes = size < 40 || size > 60000 ? NULL : malloc(size);
	if (!bytes)
		return NULL;
	memcpy(bytes, data, size);
	put64(bytes + 8, size);
	put64(bytes + 16, rbl_hash_bytes(RBL_HASH_START, bytes + 24, size - 24));
	return bytes;
}
