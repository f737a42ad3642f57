// SPDX-License-Identifier: MIT
// Counting bits, and sets of small numbers as bits.
#pragma once

#include "base/memory.h"

#include <stdint.h>

/// @return the number of ones.
static inline int rbl_count_ones(uint64_t bits)
{
	return __builtin_popcountll(bits);
}

/// @return the position of the lowest one, for bits != 0.
static inline int rbl_lowest_one(uint64_t bits)
{
	RBL_ASSERT(bits != 0);
	return __builtin_ctzll(bits);
}

/// @return the position of the highest one, for bits != 0.
static inline int rbl_highest_one(uint64_t bits)
{
	RBL_ASSERT(bits != 0);
	return 63 - __builtin_clzll(bits);
}

/// @return the least power of two that is >= value, for value from 1 to 2^63.
static inline uint64_t rbl_power_of_two_from(uint64_t value)
{
	RBL_ASSERT(value >= 1 && value <= (uint64_t)1 << 63);
	return value == 1 ? 1 : (uint64_t)1 << (rbl_highest_one(value - 1) + 1);
}

// --- bit set -------------------------------------------------------------------------------
// A set of the numbers 0 to bit_count - 1. All zero is an empty set of none. Bits of the last
// word beyond bit_count are always clear.

typedef struct rbl_bit_set {
	uint64_t *words;
	int bit_count;
	int word_capacity;
} rbl_bit_set;

/// @return the number of 64-bit words that hold `bit_count` bits.
static inline int rbl_bit_words(int bit_count)
{
	return bit_count / 64 + (bit_count % 64 != 0);
}

/// Change the number of bits. Those that stay keep their value, new ones are clear.
/// @return false when memory ran out (nothing changed)
bool rbl_bit_set_resize(const rbl_allocator *allocator, rbl_bit_set *set, int bit_count);

/// @return the growth that a set needs for as many bits, for rbl_grow_together():
/// rbl_bit_set_resize() cannot fail after it
rbl_growth rbl_bit_set_growth(rbl_bit_set *set, int bit_count);

/// Free the words; the set is empty and usable afterwards.
void rbl_bit_set_free(const rbl_allocator *allocator, rbl_bit_set *set);

/// Clear every bit.
void rbl_bit_set_clear(rbl_bit_set *set);

/// @return the number of bits that are set. Cost: O(bits / 64).
int rbl_bit_set_count(const rbl_bit_set *set);

/// @return the first set bit at or after `from`, -1 when there is none. A loop over the set:
/// `for (int i = rbl_bit_set_next(&set, 0); i >= 0; i = rbl_bit_set_next(&set, i + 1))`
int rbl_bit_set_next(const rbl_bit_set *set, int from);

static inline bool rbl_bit_set_has(const rbl_bit_set *set, int bit)
{
	RBL_ASSERT(bit >= 0 && bit < set->bit_count);
	return set->words[bit >> 6] >> (bit & 63) & 1;
}

static inline void rbl_bit_set_add(rbl_bit_set *set, int bit)
{
	RBL_ASSERT(bit >= 0 && bit < set->bit_count);
	set->words[bit >> 6] |= (uint64_t)1 << (bit & 63);
}

static inline void rbl_bit_set_remove(rbl_bit_set *set, int bit)
{
	RBL_ASSERT(bit >= 0 && bit < set->bit_count);
	set->words[bit >> 6] &= ~((uint64_t)1 << (bit & 63));
}
