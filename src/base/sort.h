// SPDX-License-Identifier: MIT
// Stable radix sorts. There is no other sort in the library: equal keys keep their order, so a
// result never depends on the sort.
#pragma once

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

/// A 32-bit key with its payload.
typedef struct rbl_sort_item {
	uint32_t key;
	uint32_t value;
} rbl_sort_item;

/// A 64-bit key with its payload.
typedef struct rbl_sort_item64 {
	uint64_t key;
	uint32_t value;
	uint32_t extra; // a second payload, or zero
} rbl_sort_item64;

/// Sort by key, ascending. `scratch` has space for `count` items. Passes over key bytes that are
/// equal in all items are skipped. Cost: O(n), at most four passes.
void rbl_sort(rbl_sort_item *items, rbl_sort_item *scratch, int count);

/// The same for 64-bit keys, at most eight passes.
void rbl_sort64(rbl_sort_item64 *items, rbl_sort_item64 *scratch, int count);

/// A key that sorts like the float: -inf first, -0 before +0, NaN at the ends.
static inline uint32_t rbl_sort_key_float(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits ^ ((bits >> 31) ? 0xffffffffu : 0x80000000u);
}

/// A key that sorts like the double.
static inline uint64_t rbl_sort_key_double(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits ^ ((bits >> 63) ? ~(uint64_t)0 : (uint64_t)1 << 63);
}
