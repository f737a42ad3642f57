// SPDX-License-Identifier: MIT
// Hashes of results over a million inputs, made by each back end.
#pragma once

#include "base/kernel.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct named_hash {
	const char *name;
	uint64_t hash;
} named_hash;

enum { HASH_INPUTS = 1000000, HASH_CAPACITY = 64 };

#define HASH_START 14695981039346656037u

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
	return (hash ^ word) * 1099511628211u;
}

// Every NaN is one value: its sign and payload are the processor's choice.
static inline uint64_t hash_float(uint64_t hash, float value)
{
	uint32_t bits = 0x7fc00000;
	if (!isnan(value))
		memcpy(&bits, &value, sizeof bits);
	return hash_word(hash, bits);
}

static inline uint64_t hash_double(uint64_t hash, double value)
{
	uint64_t bits = 0x7ff8000000000000;
	if (!isnan(value))
		memcpy(&bits, &value, sizeof bits);
	return hash_word(hash, bits ^ bits >> 29);
}

// One hash per lane operation. @return their number.
RBL_DECLARE_KERNEL(int, hash_lanes, (named_hash * hashes));
