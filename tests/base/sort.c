// SPDX-License-Identifier: MIT
//
// The radix sorts against a plain stable sort, on keys of every shape.

#include "base/random.h"
#include "base/sort.h"
#include "base/vec.h"
#include "test.h"

enum { CAPACITY = 3000 };

// What the keys look like: all bits, few values, one byte differing, equal, ordered, reversed.
static uint64_t shaped_key(rbl_random *random, int shape, int i)
{
	uint64_t bits = rbl_random_u64(random);
	switch (shape) {
	case 0:
		return bits;
	case 1:
		return bits & 3;
	case 2:
		return (bits & 0xff) << 16 | 0x1200ab34;
	case 3:
		return 0xffffffff;
	case 4:
		return (uint64_t)i;
	case 5:
		return (uint64_t)(CAPACITY - i) << 36 | (uint64_t)(CAPACITY - i);
	default:
		return bits & 0xff000000ff;
	}
}

static void equal_keys_keep_their_order(test *t)
{
	static rbl_sort_item items[CAPACITY], scratch[CAPACITY];
	static const int counts[] = { 0, 1, 2, 3, 47, 48, 49, 255, 256, 257, 1000, CAPACITY };
	rbl_random random = rbl_random_from_seed(1);
	for (int shape = 0; shape < 7; ++shape) {
		for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
			int count = counts[k];
			uint64_t sum = 0, sorted_sum = 0;
			for (int i = 0; i < count; ++i) {
				items[i] = (rbl_sort_item){ (uint32_t)shaped_key(&random, shape, i), (uint32_t)i };
				sum += items[i].key * (uint64_t)(i + 1);
			}
			rbl_sort(items, scratch, count);
			for (int i = 0; i < count; ++i) {
				sorted_sum += items[i].key * (uint64_t)(items[i].value + 1);
				if (i == 0)
					continue;
				rbl_sort_item a = items[i - 1], b = items[i];
				CHECK(t, a.key < b.key || (a.key == b.key && a.value < b.value));
			}
			CHECK(t, sum == sorted_sum); // every key is still with its payload
		}
	}
}

static void wide_keys_sort_alike(test *t)
{
	static rbl_sort_item64 items[CAPACITY], scratch[CAPACITY];
	static const int counts[] = { 0, 1, 2, 47, 48, 300, CAPACITY };
	rbl_random random = rbl_random_from_seed(2);
	for (int shape = 0; shape < 7; ++shape) {
		for (size_t k = 0; k < sizeof counts / sizeof counts[0]; ++k) {
			int count = counts[k];
			uint64_t sum = 0, sorted_sum = 0;
			for (int i = 0; i < count; ++i) {
				uint64_t key = shaped_key(&random, shape, i);
				items[i] = (rbl_sort_item64){ key, (uint32_t)i, (uint32_t)(3 * i) };
				sum += key * (uint64_t)(i + 1);
			}
			rbl_sort64(items, scratch, count);
			for (int i = 0; i < count; ++i) {
				sorted_sum += items[i].key * (uint64_t)(items[i].value + 1);
				CHECK(t, items[i].extra == 3 * items[i].value);
				if (i == 0)
					continue;
				rbl_sort_item64 a = items[i - 1], b = items[i];
				CHECK(t, a.key < b.key || (a.key == b.key && a.value < b.value));
			}
			CHECK(t, sum == sorted_sum);
		}
	}
}

static void keys_of_floats_keep_their_order(test *t)
{
	const float rising[] = { -INFINITY, -FLT_MAX,     -1.0f,   -FLT_MIN, -FLT_TRUE_MIN, -0.0f,
		                     0.0f,      FLT_TRUE_MIN, FLT_MIN, 1.0f,     FLT_MAX,       INFINITY };
	for (size_t i = 1; i < sizeof rising / sizeof rising[0]; ++i) {
		CHECK(t, rbl_sort_key_float(rising[i - 1]) < rbl_sort_key_float(rising[i]));
		double a = (double)rising[i - 1], b = (double)rising[i];
		CHECK(t, rbl_sort_key_double(a) < rbl_sort_key_double(b));
	}
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < 10000; ++i) {
		double a = rbl_random_range(&random, -1e3, 1e3), b = rbl_random_range(&random, -1e3, 1e3);
		CHECK(t, (a < b) == (rbl_sort_key_double(a) < rbl_sort_key_double(b)));
		float c = (float)a, d = (float)b;
		CHECK(t, (c < d) == (rbl_sort_key_float(c) < rbl_sort_key_float(d)));
	}
}

TEST_MAIN(TEST(equal_keys_keep_their_order), TEST(wide_keys_sort_alike),
          TEST(keys_of_floats_keep_their_order))
