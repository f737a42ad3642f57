// SPDX-License-Identifier: MIT
// ctest: pinned
// Hashes that are the same everywhere, and the map against a simple reference.

#include "base/hash.h"

#include "base/random.h"

#include "faulty_allocator.h"
#include "test.h"

#include "base/bits.h"

// Pinned: files and state hashes depend on these bits.
static void hashes_are_the_same_on_every_platform(test *t)
{
	unsigned char bytes[200];
	for (int i = 0; i < 200; ++i)
		bytes[i] = (unsigned char)(i * 37 + 11);
	uint64_t all = RBL_HASH_START;
	for (size_t size = 0; size <= 200; ++size)
		all = rbl_hash_number(all, rbl_hash_bytes(RBL_HASH_START, bytes, size));
	CHECK(t, all == UINT64_C(0xab0730834df534a6));
	CHECK(t, rbl_hash_mix(1) == UINT64_C(0x4179b061e0c0e0d0));
	CHECK(t, rbl_hash_bytes(RBL_HASH_START, "rubble", 6) == UINT64_C(0xf66b2410e7a5e265));
}

static void hashes_do_not_depend_on_alignment(test *t)
{
	unsigned char buffer[140];
	for (int i = 0; i < 140; ++i)
		buffer[i] = (unsigned char)(i % 8 ? 0 : 1);
	for (size_t size = 0; size <= 100; ++size) {
		unsigned char moved[140];
		memcpy(moved + 3, buffer, size);
		CHECK(t, rbl_hash_bytes(7, buffer, size) == rbl_hash_bytes(7, moved + 3, size));
	}
}

// One changed bit, at any place and for any size, changes about half of the hash.
static void each_bit_counts(test *t)
{
	unsigned char bytes[80];
	rbl_random random = rbl_random_from_seed(5);
	for (int i = 0; i < 80; ++i)
		bytes[i] = (unsigned char)rbl_random_u32(&random);
	double flipped = 0.0, trials = 0.0;
	for (int size = 1; size <= 80; ++size) {
		uint64_t hash = rbl_hash_bytes(1, bytes, (size_t)size);
		for (int bit = 0; bit < 8 * size; ++bit) {
			bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
			uint64_t other = rbl_hash_bytes(1, bytes, (size_t)size);
			bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
			int difference = rbl_count_ones(hash ^ other);
			CHECK(t, difference >= 8 && difference <= 56);
			flipped += difference;
			trials += 1.0;
		}
	}
	CHECK_NEAR(t, flipped / trials, 32.0, 0.2);
}

static void sizes_orders_and_starts_count(test *t)
{
	const unsigned char zeros[64] = { 0 };
	for (size_t a = 0; a <= 64; ++a)
		for (size_t b = 0; b < a; ++b)
			CHECK(t, rbl_hash_bytes(1, zeros, a) != rbl_hash_bytes(1, zeros, b));
	CHECK(t, rbl_hash_bytes(1, zeros, 5) != rbl_hash_bytes(2, zeros, 5));
	uint64_t ab = rbl_hash_number(rbl_hash_number(RBL_HASH_START, 1), 2);
	uint64_t ba = rbl_hash_number(rbl_hash_number(RBL_HASH_START, 2), 1);
	CHECK(t, ab != ba);
	CHECK(t, rbl_hash_bytes(1, NULL, 0) == rbl_hash_bytes(1, zeros, 0));
}

// Nearby numbers, as indices are, spread evenly over the low and the high bits.
static void the_mix_spreads_small_numbers(test *t)
{
	for (int shift = 0; shift <= 56; shift += 56) {
		int buckets[256] = { 0 };
		for (uint64_t i = 0; i < 256 * 100; ++i)
			buckets[rbl_hash_mix(i) >> shift & 255]++;
		for (int i = 0; i < 256; ++i)
			CHECK(t, buckets[i] > 50 && buckets[i] < 150);
	}
}

// --- map -----------------------------------------------------------------------------------

enum { KEYS = 300 };

// Keys that are awkward: zero, all ones, equal low bits, equal high bits.
static uint64_t awkward_key(int i)
{
	if (i == 0)
		return UINT64_MAX;
	return i % 3 == 0 ? (uint64_t)i << 40 : (uint64_t)(i - 1);
}

static void a_map_behaves_like_a_table(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_map map = { 0 };
	uint32_t table[KEYS];
	int count = 0;
	for (int i = 0; i < KEYS; ++i)
		table[i] = RBL_MAP_NONE;
	rbl_random random = rbl_random_from_seed(3);
	for (int round = 0; round < 20000; ++round) {
		int i = (int)rbl_random_below(&random, KEYS);
		uint64_t key = awkward_key(i);
		uint32_t value = rbl_random_below(&random, 1000);
		// Phases that mostly add and phases that mostly remove.
		if (rbl_random_below(&random, 100) < (round / 2000 % 2 ? 30u : 70u)) {
			count += table[i] == RBL_MAP_NONE;
			table[i] = value;
			CHECK(t, rbl_map_set(&allocator, &map, key, value));
		} else {
			CHECK(t, rbl_map_remove(&map, key) == (table[i] != RBL_MAP_NONE));
			count -= table[i] != RBL_MAP_NONE;
			table[i] = RBL_MAP_NONE;
		}
		CHECK(t, map.count == count);
		if (round % 50 == 0)
			for (int k = 0; k < KEYS; ++k)
				CHECK(t, rbl_map_get(&map, awkward_key(k)) == table[k]);
	}
	rbl_map_clear(&map);
	CHECK(t, map.count == 0 && rbl_map_get(&map, 5) == RBL_MAP_NONE);
	rbl_map_free(&allocator, &map);
}

static void adding_keeps_the_first_value(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_map map = { 0 };
	CHECK(t, rbl_map_get(&map, 7) == RBL_MAP_NONE && !rbl_map_remove(&map, 7));
	CHECK(t, *rbl_map_add(&allocator, &map, 7, 1) == 1);
	CHECK(t, *rbl_map_add(&allocator, &map, 7, 2) == 1);
	*rbl_map_add(&allocator, &map, 7, 3) = 4;
	CHECK(t, rbl_map_get(&map, 7) == 4 && map.count == 1);
	rbl_map_free(&allocator, &map);
	CHECK(t, map.count == 0 && map.capacity == 0);
}

static void a_reserved_map_does_not_allocate(test *t)
{
	for (int count = 1; count < 2000; count += 37) {
		faulty_allocator memory;
		faulty_init(&memory, 1);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_map map = { 0 };
		CHECK(t, rbl_map_reserve(&allocator, &map, count));
		for (int i = 0; i < count; ++i)
			CHECK(t, rbl_map_add(&allocator, &map, (uint64_t)i, 1));
		CHECK(t, !memory.failed && map.count == count);
		rbl_map_free(&allocator, &map);
		CHECK(t, memory.live_bytes == 0);
	}
}

static void a_map_that_cannot_grow_stays_as_it_is(test *t)
{
	for (int n = 0; n < 4; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_map map = { 0 };
		int added = 0;
		while (rbl_map_set(&allocator, &map, (uint64_t)added, (uint32_t)added))
			added++;
		CHECK(t, map.count == added && (added > 0) == (n > 0));
		for (int i = 0; i < added; ++i)
			CHECK(t, rbl_map_get(&map, (uint64_t)i) == (uint32_t)i);
		CHECK(t, !rbl_map_reserve(&allocator, &map, 2000000000));
		rbl_map_free(&allocator, &map);
		CHECK(t, memory.live_bytes == 0);
	}
}

TEST_MAIN(TEST(hashes_are_the_same_on_every_platform), TEST(hashes_do_not_depend_on_alignment),
          TEST(each_bit_counts), TEST(sizes_orders_and_starts_count),
          TEST(the_mix_spreads_small_numbers), TEST(a_map_behaves_like_a_table),
          TEST(adding_keeps_the_first_value), TEST(a_reserved_map_does_not_allocate),
          TEST(a_map_that_cannot_grow_stays_as_it_is))
