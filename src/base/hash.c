// SPDX-License-Identifier: MIT
//
// Hashes and the hash map.
//
// Bytes are eaten 32 at a time by four lanes that do not wait for each other, each a multiply and
// a rotation; words are little-endian on every machine. The lanes are then folded into one chain
// that takes the rest and the size.
//
// The map is open addressing with linear probing, at most 5/8 full. Removal moves later entries
// of a run back over the gap instead of leaving a marker, so that a map that lives long does not
// slow down. Key and value sit in one 16-byte entry: a look-up mostly costs one cache miss.

#include "base/hash.h"

#include "base/bits.h"

#include <limits.h>

static const uint64_t odd[4] = {
	UINT64_C(0xa0761d6478bd642f),
	UINT64_C(0xe7037ed1a0b428db),
	UINT64_C(0x8ebc6af09c88c6e3),
	UINT64_C(0x589965cc75374cc3),
};

static uint64_t read_word(const unsigned char *bytes)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
#else
	uint64_t word = 0;
	for (int i = 7; i >= 0; --i)
		word = word << 8 | bytes[i];
	return word;
#endif
}

static uint64_t eat(uint64_t lane, uint64_t word, uint64_t factor)
{
	lane = (lane ^ word) * factor;
	return lane << 29 | lane >> 35;
}

uint64_t rbl_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	size_t left = size;
	if (left >= 32) {
		uint64_t lanes[4];
		for (int i = 0; i < 4; ++i)
			lanes[i] = hash ^ odd[(i + 1) & 3];
		for (; left >= 32; at += 32, left -= 32)
			for (int i = 0; i < 4; ++i)
				lanes[i] = eat(lanes[i], read_word(at + 8 * i), odd[i]);
		for (int i = 0; i < 4; ++i)
			hash = rbl_hash_number(hash, lanes[i]);
	}
	for (; left >= 8; at += 8, left -= 8)
		hash = eat(hash, read_word(at), odd[0]);
	if (left) {
		uint64_t word = 0;
		for (size_t i = left; i-- > 0;)
			word = word << 8 | at[i];
		hash = eat(hash, word, odd[1]);
	}
	return rbl_hash_number(hash, (uint64_t)size);
}

static int home_of(const rbl_map *map, uint64_t key)
{
	return (int)(rbl_hash_mix(key) & (uint64_t)(map->capacity - 1));
}

// The entry of a key, or the empty one where it would go.
static rbl_map_entry *find_entry(const rbl_map *map, uint64_t key)
{
	int mask = map->capacity - 1;
	int i = home_of(map, key);
	while (map->entries[i].value != RBL_MAP_NONE && map->entries[i].key != key)
		i = (i + 1) & mask;
	return &map->entries[i];
}

static int room_of(int capacity)
{
	return capacity / 8 * 5;
}

static void empty_entries(rbl_map *map)
{
	for (int i = 0; i < map->capacity; ++i)
		map->entries[i] = (rbl_map_entry){ .value = RBL_MAP_NONE };
}

bool rbl_map_reserve(const rbl_allocator *allocator, rbl_map *map, int count)
{
	if (count <= room_of(map->capacity))
		return true;
	uint64_t wanted = rbl_power_of_two_from((uint64_t)count / 5 * 8 + 8);
	if (wanted > (uint64_t)1 << 30)
		return false;
	rbl_map grown = { .capacity = (int)wanted };
	grown.entries = RBL_NEW(allocator, rbl_map_entry, grown.capacity);
	if (!grown.entries)
		return false;
	empty_entries(&grown);
	for (int i = 0; i < map->capacity; ++i)
		if (map->entries[i].value != RBL_MAP_NONE)
			*find_entry(&grown, map->entries[i].key) = map->entries[i];
	grown.count = map->count;
	RBL_FREE(allocator, map->entries, map->capacity);
	*map = grown;
	return true;
}

uint32_t *rbl_map_add(const rbl_allocator *allocator, rbl_map *map, uint64_t key, uint32_t value)
{
	RBL_ASSERT(value != RBL_MAP_NONE);
	if (map->capacity) {
		rbl_map_entry *entry = find_entry(map, key);
		if (entry->value != RBL_MAP_NONE)
			return &entry->value;
	}
	if (map->count == INT_MAX || !rbl_map_reserve(allocator, map, map->count + 1))
		return NULL;
	rbl_map_entry *entry = find_entry(map, key);
	*entry = (rbl_map_entry){ .key = key, .value = value };
	map->count++;
	return &entry->value;
}

bool rbl_map_set(const rbl_allocator *allocator, rbl_map *map, uint64_t key, uint32_t value)
{
	uint32_t *place = rbl_map_add(allocator, map, key, value);
	if (place)
		*place = value;
	return place != NULL;
}

uint32_t rbl_map_get(const rbl_map *map, uint64_t key)
{
	return map->capacity ? find_entry(map, key)->value : RBL_MAP_NONE;
}

bool rbl_map_remove(rbl_map *map, uint64_t key)
{
	if (!map->capacity)
		return false;
	rbl_map_entry *entry = find_entry(map, key);
	if (entry->value == RBL_MAP_NONE)
		return false;
	int mask = map->capacity - 1;
	int gap = (int)(entry - map->entries);
	for (int i = (gap + 1) & mask; map->entries[i].value != RBL_MAP_NONE; i = (i + 1) & mask) {
		// An entry may fill the gap when its home is not between the gap and itself.
		int from_home = (i - home_of(map, map->entries[i].key)) & mask;
		int from_gap = (i - gap) & mask;
		if (from_home >= from_gap) {
			map->entries[gap] = map->entries[i];
			gap = i;
		}
	}
	map->entries[gap] = (rbl_map_entry){ .value = RBL_MAP_NONE };
	map->count--;
	return true;
}

void rbl_map_clear(rbl_map *map)
{
	empty_entries(map);
	map->count = 0;
}

void rbl_map_free(const rbl_allocator *allocator, rbl_map *map)
{
	RBL_FREE(allocator, map->entries, map->capacity);
	*map = (rbl_map){ 0 };
}
