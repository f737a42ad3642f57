// SPDX-License-Identifier: MIT
//
// Least-significant-digit radix sort, eight bits a pass. All histograms are counted in one read
// of the input, so a digit that is the same everywhere costs nothing further.

#include "base/sort.h"

enum { DIGITS = 256, SMALL = 48 };

// Below SMALL items the histograms cost more than moving a few items: insertion sort, stable too.
static void sort_small(rbl_sort_item *items, int count)
{
	for (int i = 1; i < count; ++i) {
		rbl_sort_item item = items[i];
		int k = i;
		for (; k > 0 && items[k - 1].key > item.key; --k)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

static void sort_small64(rbl_sort_item64 *items, int count)
{
	for (int i = 1; i < count; ++i) {
		rbl_sort_item64 item = items[i];
		int k = i;
		for (; k > 0 && items[k - 1].key > item.key; --k)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

// Turn counts into first positions. @return false when one digit holds all items: no work.
static bool starts_from_counts(uint32_t *counts, int total)
{
	uint32_t sum = 0;
	for (int d = 0; d < DIGITS; ++d) {
		uint32_t count = counts[d];
		if (count == (uint32_t)total)
			return false;
		counts[d] = sum;
		sum += count;
	}
	return true;
}

void rbl_sort(rbl_sort_item *items, rbl_sort_item *scratch, int count)
{
	if (count < SMALL) {
		sort_small(items, count);
		return;
	}
	uint32_t counts[4][DIGITS] = { 0 };
	for (int i = 0; i < count; ++i) {
		uint32_t key = items[i].key;
		for (int pass = 0; pass < 4; ++pass)
			counts[pass][key >> (8 * pass) & 255]++;
	}
	rbl_sort_item *from = items, *to = scratch;
	for (int pass = 0; pass < 4; ++pass) {
		if (!starts_from_counts(counts[pass], count))
			continue;
		for (int i = 0; i < count; ++i)
			to[counts[pass][from[i].key >> (8 * pass) & 255]++] = from[i];
		rbl_sort_item *swap = from;
		from = to, to = swap;
	}
	if (from != items)
		memcpy(items, from, (size_t)count * sizeof *items);
}

void rbl_sort64(rbl_sort_item64 *items, rbl_sort_item64 *scratch, int count)
{
	if (count < SMALL) {
		sort_small64(items, count);
		return;
	}
	uint32_t counts[8][DIGITS] = { 0 };
	for (int i = 0; i < count; ++i) {
		uint64_t key = items[i].key;
		for (int pass = 0; pass < 8; ++pass)
			counts[pass][key >> (8 * pass) & 255]++;
	}
	rbl_sort_item64 *from = items, *to = scratch;
	for (int pass = 0; pass < 8; ++pass) {
		if (!starts_from_counts(counts[pass], count))
			continue;
		for (int i = 0; i < count; ++i)
			to[counts[pass][from[i].key >> (8 * pass) & 255]++] = from[i];
		rbl_sort_item64 *swap = from;
		from = to, to = swap;
	}
	if (from != items)
		memcpy(items, from, (size_t)count * sizeof *items);
}
