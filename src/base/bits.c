// SPDX-License-Identifier: MIT
//
// Bit sets. Whole words at a time, so a set of n bits costs n / 64 steps to count or search.

#include "base/bits.h"

static void clear_words(rbl_bit_set *set, int begin, int end)
{
	if (end > begin)
		memset(set->words + begin, 0, (size_t)(end - begin) * sizeof *set->words);
}

// The last word's bits beyond the count.
static void clear_tail(rbl_bit_set *set)
{
	if (set->bit_count & 63)
		set->words[set->bit_count >> 6] &= ((uint64_t)1 << (set->bit_count & 63)) - 1;
}

bool rbl_bit_set_resize(const rbl_allocator *allocator, rbl_bit_set *set, int bit_count)
{
	RBL_ASSERT(bit_count >= 0);
	int old_words = rbl_bit_words(set->bit_count);
	int words = rbl_bit_words(bit_count);
	if (words > set->word_capacity) {
		rbl_growth growth = rbl_bit_set_growth(set, bit_count);
		if (!rbl_grow_together(allocator, &growth, 1))
			return false;
	}
	clear_words(set, old_words, words);
	set->bit_count = bit_count;
	clear_tail(set);
	return true;
}

rbl_growth rbl_bit_set_growth(rbl_bit_set *set, int bit_count)
{
	return (rbl_growth){ &set->words,
		                 sizeof *set->words,
		                 rbl_bit_words(set->bit_count),
		                 &set->word_capacity,
		                 rbl_capacity_for(set->word_capacity, rbl_bit_words(bit_count)),
		                 NULL };
}

void rbl_bit_set_free(const rbl_allocator *allocator, rbl_bit_set *set)
{
	RBL_FREE(allocator, set->words, set->word_capacity);
	*set = (rbl_bit_set){ 0 };
}

void rbl_bit_set_clear(rbl_bit_set *set)
{
	clear_words(set, 0, rbl_bit_words(set->bit_count));
}

int rbl_bit_set_count(const rbl_bit_set *set)
{
	int count = 0;
	for (int i = 0; i < rbl_bit_words(set->bit_count); ++i)
		count += rbl_count_ones(set->words[i]);
	return count;
}

int rbl_bit_set_next(const rbl_bit_set *set, int from)
{
	RBL_ASSERT(from >= 0);
	if (from >= set->bit_count)
		return -1;
	int word = from >> 6;
	uint64_t bits = set->words[word] >> (from & 63) << (from & 63);
	while (bits == 0) {
		if (++word == rbl_bit_words(set->bit_count))
			return -1;
		bits = set->words[word];
	}
	return (word << 6) + rbl_lowest_one(bits);
}
