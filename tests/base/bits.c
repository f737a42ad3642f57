// SPDX-License-Identifier: MIT
// Bit counting and bit sets against the simplest possible versions.

#include "base/bits.h"

#include "base/random.h"

#include "faulty_allocator.h"
#include "test.h"

static void counts_match_a_loop_over_the_bits(test *t)
{
	rbl_random random = rbl_random_from_seed(2);
	for (int round = 0; round < 1000; ++round) {
		uint64_t bits = rbl_random_u64(&random) >> rbl_random_below(&random, 64);
		bits <<= rbl_random_below(&random, 64);
		int count = 0, lowest = -1, highest = -1;
		for (int i = 0; i < 64; ++i) {
			if (!(bits >> i & 1))
				continue;
			count++;
			highest = i;
			lowest = lowest < 0 ? i : lowest;
		}
		CHECK(t, rbl_count_ones(bits) == count);
		if (bits)
			CHECK(t, rbl_lowest_one(bits) == lowest && rbl_highest_one(bits) == highest);
	}
}

static void powers_of_two_are_the_least_that_fit(test *t)
{
	CHECK(t, rbl_power_of_two_from(1) == 1);
	for (int i = 1; i < 63; ++i) {
		uint64_t power = (uint64_t)1 << i;
		CHECK(t, rbl_power_of_two_from(power) == power);
		CHECK(t, rbl_power_of_two_from(power + 1) == 2 * power);
	}
}

enum { BITS = 333 };

static void a_bit_set_behaves_like_an_array_of_flags(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_bit_set set = { 0 };
	bool flags[BITS] = { false };
	CHECK(t, rbl_bit_set_resize(&allocator, &set, BITS));
	rbl_random random = rbl_random_from_seed(4);
	for (int round = 0; round < 3000; ++round) {
		int i = (int)rbl_random_below(&random, BITS);
		flags[i] = rbl_random_below(&random, round < 1500 ? 2 : 10) == 0;
		if (flags[i])
			rbl_bit_set_add(&set, i);
		else
			rbl_bit_set_remove(&set, i);
		int count = 0, next = rbl_bit_set_next(&set, 0);
		bool same = true;
		for (int k = 0; k < BITS; ++k) {
			same &= rbl_bit_set_has(&set, k) == flags[k];
			if (!flags[k])
				continue;
			count++;
			same &= next == k;
			next = rbl_bit_set_next(&set, k + 1);
		}
		CHECK(t, same && next == -1 && rbl_bit_set_count(&set) == count);
	}
	rbl_bit_set_free(&allocator, &set);
}

// Bits beyond the count never show, also after growing again.
static void resizing_keeps_what_stays_and_clears_the_rest(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	const int counts[] = { 0, 1, 63, 64, 65, 128, 200 };
	for (int a = 0; a < 7; ++a) {
		for (int b = 0; b < 7; ++b) {
			rbl_bit_set set = { 0 };
			CHECK(t, rbl_bit_set_resize(&allocator, &set, counts[a]));
			for (int i = 0; i < counts[a]; ++i)
				rbl_bit_set_add(&set, i);
			CHECK(t, rbl_bit_set_count(&set) == counts[a]);
			CHECK(t, rbl_bit_set_resize(&allocator, &set, counts[b]));
			CHECK(t, rbl_bit_set_resize(&allocator, &set, 300));
			int least = counts[a] < counts[b] ? counts[a] : counts[b];
			CHECK(t, rbl_bit_set_count(&set) == least);
			CHECK(t, rbl_bit_set_next(&set, least) == -1 && rbl_bit_set_next(&set, 300) == -1);
			rbl_bit_set_clear(&set);
			CHECK(t, rbl_bit_set_count(&set) == 0);
			rbl_bit_set_free(&allocator, &set);
		}
	}
}

static void a_set_that_cannot_grow_stays_as_it_is(test *t)
{
	for (int n = 0; n < 2; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_bit_set set = { 0 };
		CHECK(t, rbl_bit_set_resize(&allocator, &set, 70) == (n > 0));
		if (n > 0)
			rbl_bit_set_add(&set, 69);
		CHECK(t, !rbl_bit_set_resize(&allocator, &set, 100000));
		CHECK(t, set.bit_count == (n > 0 ? 70 : 0) && rbl_bit_set_count(&set) == n);
		rbl_bit_set_free(&allocator, &set);
		CHECK(t, memory.live_bytes == 0);
	}
}

TEST_MAIN(TEST(counts_match_a_loop_over_the_bits), TEST(powers_of_two_are_the_least_that_fit),
          TEST(a_bit_set_behaves_like_an_array_of_flags),
          TEST(resizing_keeps_what_stays_and_clears_the_rest),
          TEST(a_set_that_cannot_grow_stays_as_it_is))
