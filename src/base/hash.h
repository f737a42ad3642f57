// SPDX-License-Identifier: MIT
// Hashes of content and state, and a map from 64-bit keys to 32-bit values.
//
// Hashes are the same on every platform and may be stored in files. They guard against accidents,
// not against an enemy who wants two inputs with the same hash.
#pragma once

#include "base/memory.h"

#include <stdint.h>

/// Start of a chain of hashes.
#define RBL_HASH_START UINT64_C(0x9ae16a3b2f90404f)

/// Spread a number over 64 bits: a bijection in which each input bit changes half of the output.
static inline uint64_t rbl_hash_mix(uint64_t value)
{
	value = (value ^ (value >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	value = (value ^ (value >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	return value ^ (value >> 32);
}

/// Take one more number into a chain; the order matters.
static inline uint64_t rbl_hash_number(uint64_t hash, uint64_t value)
{
	return rbl_hash_mix((hash << 1 | hash >> 63) + rbl_hash_mix(value));
}

/// Take bytes into a chain: `hash` is RBL_HASH_START or what an earlier call returned. Bytes cut
/// into two calls give another hash than in one. Never hash padding.
uint64_t rbl_hash_bytes(uint64_t hash, const void *bytes, size_t size);

// --- map -----------------------------------------------------------------------------------
// Any key is allowed, any value but RBL_MAP_NONE. All zero is an empty map. The allocator is
// passed in, as with arrays. There is no loop over a map: its order must not reach a result.

#define RBL_MAP_NONE UINT32_MAX

typedef struct rbl_map_entry {
	uint64_t key;
	uint32_t value; // RBL_MAP_NONE: the entry is empty
	uint32_t spare; // zero
} rbl_map_entry;

typedef struct rbl_map {
	rbl_map_entry *entries;
	int count;
	int capacity; // a power of two, or 0
} rbl_map;

/// Make space for `count` keys in all. @return false when memory ran out (nothing changed)
bool rbl_map_reserve(const rbl_allocator *allocator, rbl_map *map, int count);

/// Find a key, or add it with `value`.
/// @return where its value is, until the next change of the map; NULL when memory ran out
/// (nothing changed)
uint32_t *rbl_map_add(const rbl_allocator *allocator, rbl_map *map, uint64_t key, uint32_t value);

/// Set the value of a key, new or old. @return false when memory ran out (nothing changed)
bool rbl_map_set(const rbl_allocator *allocator, rbl_map *map, uint64_t key, uint32_t value);

/// @return the value of a key, RBL_MAP_NONE when it is not in the map
uint32_t rbl_map_get(const rbl_map *map, uint64_t key);

/// Remove a key. @return whether it was in the map
bool rbl_map_remove(rbl_map *map, uint64_t key);

/// Remove all keys; keeps the memory.
void rbl_map_clear(rbl_map *map);

/// Free the memory; the map is empty and usable afterwards.
void rbl_map_free(const rbl_allocator *allocator, rbl_map *map);
