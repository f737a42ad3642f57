// SPDX-License-Identifier: MIT
// Allocators, arenas and typed arrays.

#include "base/memory.h"

#include "faulty_allocator.h"
#include "test.h"

#include <limits.h>

// After a reset that needed several blocks, the same use again allocates nothing.
static void an_arena_in_steady_state_allocates_nothing(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1000);
	rbl_allocator allocator = FAULTY(&memory);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 256);
	long long settled = 0;
	for (int round = 0; round < 4; ++round) {
		for (int i = 0; i < 20; ++i) {
			unsigned char *bytes = RBL_ARENA_NEW(&arena, unsigned char, 100 + i);
			CHECK(t, bytes && (uintptr_t)bytes % RBL_CACHE_LINE == 0);
			memset(bytes, i, (size_t)(100 + i));
		}
		rbl_arena_reset(&arena);
		if (round == 1)
			settled = memory.total_count;
	}
	CHECK(t, memory.total_count == settled);
	rbl_arena_destroy(&arena);
	CHECK(t, memory.live_bytes == 0);
}

// Whichever block cannot be had, what was handed out before stays good, and all of it goes back.
static void an_arena_that_cannot_grow_keeps_what_it_has(test *t)
{
	enum { ITEMS = 12 };
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_arena arena;
		rbl_arena_init(&arena, &allocator, 256);
		unsigned char *items[ITEMS];
		int count = 0;
		while (count < ITEMS && (items[count] = RBL_ARENA_NEW(&arena, unsigned char, 100)))
			memset(items[count], count, 100), count++;
		CHECK(t, (count == ITEMS) == !memory.failed);
		for (int i = 0; i < count; ++i)
			CHECK(t, items[i][0] == i && items[i][99] == i);
		rbl_arena_reset(&arena);
		rbl_arena_destroy(&arena);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
}

// A large use leaves nothing behind, and what is said to be held is held.
static void a_settled_arena_has_one_block_for_all(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1 << 20);
	rbl_allocator allocator = FAULTY(&memory);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 256);
	for (int i = 0; i < 20; ++i)
		CHECK(t, RBL_ARENA_NEW(&arena, unsigned char, 1000) != NULL);
	rbl_arena_consolidate(&arena);
	size_t held = rbl_arena_memory(&arena);
	CHECK(t, held >= 20000 && (long long)held == memory.live_bytes);
	for (int i = 0; i < 20; ++i)
		CHECK(t, RBL_ARENA_NEW(&arena, unsigned char, 1000) != NULL);
	CHECK(t, rbl_arena_memory(&arena) == held);
	// Without memory it is empty, and of use later.
	CHECK(t, RBL_ARENA_NEW(&arena, unsigned char, 40000) != NULL);
	atomic_store(&memory.allowed, 0);
	rbl_arena_consolidate(&arena);
	CHECK(t, rbl_arena_memory(&arena) == 0);
	atomic_store(&memory.allowed, 1 << 20);
	CHECK(t, RBL_ARENA_NEW(&arena, unsigned char, 1000) != NULL);
	rbl_arena_destroy(&arena);
	CHECK(t, memory.live_bytes == 0);
}

static void a_trimmed_arena_gives_memory_back(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1000);
	rbl_allocator allocator = FAULTY(&memory);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 256);
	for (int round = 0; round < 3; ++round) {
		for (int i = 0; i < 20; ++i)
			CHECK(t, RBL_ARENA_NEW(&arena, unsigned char, 1000) != NULL);
		CHECK(t, rbl_arena_memory(&arena) >= 20000);
		CHECK(t, (long long)rbl_arena_memory(&arena) == memory.live_bytes);
		rbl_arena_reset(&arena);
	}
	rbl_arena_trim(&arena, 1 << 20);
	CHECK(t, rbl_arena_memory(&arena) >= 20000);
	rbl_arena_trim(&arena, 512);
	CHECK(t, rbl_arena_memory(&arena) == 0 && memory.live_bytes == 0);
	CHECK(t, RBL_ARENA_NEW(&arena, unsigned char, 100) && rbl_arena_memory(&arena) < 1000);
	rbl_arena_destroy(&arena);
	CHECK(t, memory.live_bytes == 0);
}

static void zero_bytes_of_an_arena_are_a_place(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 64);
	CHECK(t, rbl_arena_allocate(&arena, 0, 8) != NULL && rbl_arena_allocate(&arena, 8, 0) != NULL);
	rbl_arena_destroy(&arena);
}

static void arrays_keep_their_items_while_they_grow(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	RBL_ARRAY(int) array = { 0 };
	for (int i = 0; i < 1000; ++i)
		CHECK(t, rbl_array_push(&allocator, &array, i * i));
	for (int i = 0; i < 1000; ++i)
		CHECK(t, array.data[i] == i * i);
	rbl_array_free(&allocator, &array);
	CHECK(t, array.count == 0 && array.data == NULL);
}

// Large ones are moved by the system, and alone or with others.
static void large_arrays_keep_their_items_while_they_grow(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	int *first = NULL, first_capacity = 0;
	double *second = NULL;
	int second_capacity = 0, used = 0;
	for (int wanted = 1000; wanted < 3000000; wanted = 2 * wanted + 7) {
		rbl_growth arrays[] = {
			{ &first, sizeof *first, used, &first_capacity, wanted, NULL },
			{ &second, sizeof *second, used, &second_capacity, wanted, NULL },
		};
		CHECK(t, rbl_grow_together(&allocator, arrays, 2));
		CHECK(t, first_capacity >= wanted && second_capacity >= wanted);
		CHECK(t, (uintptr_t)first % RBL_CACHE_LINE == 0 && (uintptr_t)second % RBL_CACHE_LINE == 0);
		int wrong = 0;
		for (int i = 0; i < used; ++i)
			wrong += first[i] != i || second[i] != 0.5 * i;
		CHECK(t, wrong == 0);
		for (; used < wanted; ++used)
			first[used] = used, second[used] = 0.5 * used;
		CHECK(t, rbl_array_grow(&allocator, (void **)&first, used, &first_capacity,
		                        (int64_t)first_capacity + 1, sizeof *first));
	}
	CHECK(t, used > 1000000);
	rbl_release(&allocator, first, (size_t)first_capacity, sizeof *first);
	rbl_release(&allocator, second, (size_t)second_capacity, sizeof *second);
}

static void a_failed_growth_changes_nothing(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1);
	rbl_allocator allocator = FAULTY(&memory);
	RBL_ARRAY(int) array = { 0 };
	int pushed = 0;
	while (rbl_array_push(&allocator, &array, pushed))
		pushed++;
	CHECK(t, pushed == array.count && pushed == array.capacity);
	CHECK(t, array.data[pushed - 1] == pushed - 1);
	rbl_array_free(&allocator, &array);
	CHECK(t, memory.live_bytes == 0);
}

// Whichever of them cannot grow, none has, and a later call finds out what is missing by itself.
static void arrays_grow_together_or_not_at_all(test *t)
{
	for (int n = 0; n < 4; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		rbl_allocator allocator = FAULTY(&memory);
		int *ints = NULL, capacity = 0, other_capacity = 0;
		double *doubles = NULL;
		char *others = NULL;
		rbl_growth arrays[3] = { { &ints, sizeof *ints, 0, &capacity, 5, NULL },
			                     { &doubles, sizeof *doubles, 0, &capacity, 5, NULL },
			                     { &others, 1, 0, &other_capacity, 40, NULL } };
		CHECK(t, rbl_grow_together(&allocator, arrays, 3) && capacity == 5 && other_capacity == 40);
		for (int i = 0; i < 5; ++i)
			ints[i] = i, doubles[i] = 0.5 * i, others[i] = (char)i;
		for (int i = 0; i < 3; ++i)
			arrays[i].count = 5, arrays[i].wanted = i < 2 ? 90 : 70;
		long long held = memory.live_bytes;
		atomic_store(&memory.allowed, n);
		CHECK(t, rbl_grow_together(&allocator, arrays, 3) == (n == 3));
		CHECK(t, capacity == (n < 3 ? 5 : 90) && other_capacity == (n < 3 ? 40 : 70));
		CHECK(t, n == 3 || memory.live_bytes == held);
		atomic_store(&memory.allowed, LLONG_MAX / 2);
		CHECK(t, rbl_grow_together(&allocator, arrays, 3) && capacity == 90);
		for (int i = 0; i < 3; ++i)
			arrays[i].wanted = 20; // there is space: nothing is allocated
		atomic_store(&memory.allowed, 0);
		CHECK(t, rbl_grow_together(&allocator, arrays, 3) && capacity == 90);
		for (int i = 0; i < 5; ++i)
			CHECK(t, ints[i] == i && doubles[i] == 0.5 * i && others[i] == i);
		rbl_free_together(&allocator, arrays, 3);
		CHECK(t, !ints && !doubles && !others && capacity == 0 && other_capacity == 0);
		CHECK(t, memory.live_bytes == 0);
	}
}

static void sizes_that_overflow_are_refused(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	CHECK(t, rbl_allocate(&allocator, SIZE_MAX / 2, 4) == NULL);
	CHECK(t, rbl_allocate(&allocator, SIZE_MAX, 1) == NULL);
	CHECK(t, rbl_allocate(&allocator, 0, 4) == NULL);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 256);
	CHECK(t, rbl_arena_allocate(&arena, SIZE_MAX / 2, 4) == NULL);
	CHECK(t, rbl_arena_allocate(&arena, SIZE_MAX, 1) == NULL);
	rbl_arena_destroy(&arena);
}

typedef struct asked_for {
	size_t bytes; // of the last call
	int calls;
} asked_for;

// An allocator that notes what is asked for, and has nothing.
static void *note_and_refuse(void *user, size_t size, size_t alignment)
{
	asked_for *asked = user;
	(void)alignment;
	asked->bytes = size, asked->calls++;
	return NULL;
}

static void release_nothing(void *user, void *memory, size_t size)
{
	(void)user, (void)memory, (void)size;
}

// No array is that long in a test: counts are made up, and nothing is there.
static void arrays_end_where_counts_do(test *t)
{
	asked_for asked = { 0, 0 };
	rbl_allocator allocator = { note_and_refuse, release_nothing, &asked };
	RBL_ARRAY(char) array = { .count = INT_MAX, .capacity = INT_MAX };
	CHECK(t, !rbl_array_push(&allocator, &array, 'x') && array.count == INT_MAX);
	CHECK(t, !rbl_array_extend(&allocator, &array, INT_MAX));
	CHECK(t, rbl_array_extend(&allocator, &array, 0));
	array.count = INT_MAX - 3;
	CHECK(t, rbl_array_extend(&allocator, &array, 3) && !rbl_array_extend(&allocator, &array, 4));
	CHECK(t, asked.calls == 0);

	// Past half of it the next size is the last one.
	array.count = array.capacity = INT_MAX / 2 + 1;
	CHECK(t, !rbl_array_push(&allocator, &array, 'x'));
	CHECK(t, asked.calls == 1 && asked.bytes == (size_t)INT_MAX);
	CHECK(t, !rbl_array_extend(&allocator, &array, INT_MAX / 2));
	CHECK(t, asked.calls == 2 && asked.bytes == (size_t)INT_MAX);
	CHECK(t, !rbl_array_extend(&allocator, &array, INT_MAX / 2 + 1) && asked.calls == 2);
	array.count = array.capacity = INT_MAX / 2;
	CHECK(t, !rbl_array_push(&allocator, &array, 'x'));
	CHECK(t, asked.calls == 3 && asked.bytes == (size_t)INT_MAX - 1);
	CHECK(t, array.count == INT_MAX / 2 && array.capacity == INT_MAX / 2 && !array.data);
}

TEST_MAIN(TEST(an_arena_in_steady_state_allocates_nothing),
          TEST(an_arena_that_cannot_grow_keeps_what_it_has),
          TEST(a_settled_arena_has_one_block_for_all), TEST(a_trimmed_arena_gives_memory_back),
          TEST(zero_bytes_of_an_arena_are_a_place), TEST(arrays_keep_their_items_while_they_grow),
          TEST(large_arrays_keep_their_items_while_they_grow),
          TEST(a_failed_growth_changes_nothing), TEST(arrays_grow_together_or_not_at_all),
          TEST(sizes_that_overflow_are_refused), TEST(arrays_end_where_counts_do))
