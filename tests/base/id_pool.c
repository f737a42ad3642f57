// SPDX-License-Identifier: MIT
// Id pools: no stale id is ever alive, and the same lives give the same ids.

#include "base/id_pool.h"

#include "base/random.h"

#include "faulty_allocator.h"
#include "test.h"

enum { IDS = 500 };

static void the_lowest_free_slot_is_reused_first(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_id_pool pool = { 0 };
	rbl_id ids[IDS];
	for (int i = 0; i < IDS; ++i) {
		ids[i] = rbl_id_pool_add(&allocator, &pool);
		CHECK(t, ids[i].index == (uint32_t)i && ids[i].generation == 1);
	}
	// Whatever the order of deaths, births come back from the lowest on.
	const int dead[] = { 400, 3, 64, 63, 127, 128, 499, 0 };
	const uint32_t reborn[] = { 0, 3, 63, 64, 127, 128, 400, 499 };
	for (int i = 0; i < 8; ++i)
		CHECK(t, rbl_id_pool_remove(&pool, ids[dead[i]]));
	CHECK(t, pool.live_count == IDS - 8 && pool.slot_count == IDS);
	for (int i = 0; i < 8; ++i) {
		rbl_id id = rbl_id_pool_add(&allocator, &pool);
		CHECK(t, id.index == reborn[i] && id.generation == 3);
	}
	CHECK(t, rbl_id_pool_add(&allocator, &pool).index == IDS);
	rbl_id_pool_free(&allocator, &pool);
}

static void stale_and_invented_ids_are_detected(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_id_pool pool = { 0 };
	CHECK(t,
	      !rbl_id_pool_has(&pool, (rbl_id){ 0, 0 }) && !rbl_id_pool_has(&pool, (rbl_id){ 0, 1 }));
	rbl_id first = rbl_id_pool_add(&allocator, &pool);
	CHECK(t, rbl_id_pool_has(&pool, first) && rbl_id_pool_remove(&pool, first));
	CHECK(t, !rbl_id_pool_has(&pool, first) && !rbl_id_pool_remove(&pool, first));
	CHECK(t, !rbl_id_pool_is_live(&pool, 0));
	rbl_id second = rbl_id_pool_add(&allocator, &pool);
	CHECK(t, second.index == first.index && second.generation != first.generation);
	CHECK(t, rbl_id_pool_has(&pool, second) && !rbl_id_pool_has(&pool, first));
	const rbl_id invented[] = {
		{ 0, 0 }, { 0, 2 }, { 0, UINT32_MAX }, { 1, 1 }, { UINT32_MAX, 1 }, { 0x80000000u, 3 },
	};
	for (int i = 0; i < 6; ++i)
		CHECK(t, !rbl_id_pool_has(&pool, invented[i]) && !rbl_id_pool_remove(&pool, invented[i]));
	CHECK(t, pool.live_count == 1);
	rbl_id_pool_free(&allocator, &pool);
}

static void random_lives_match_a_simple_reference(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_id_pool pool = { 0 };
	uint32_t generation[IDS] = { 0 };
	rbl_random random = rbl_random_from_seed(8);
	for (int round = 0; round < 20000; ++round) {
		uint32_t percent = round / 4000 % 2 ? 35 : 65;
		if (rbl_random_below(&random, 100) < percent && pool.live_count < IDS) {
			int lowest = 0;
			while (generation[lowest] & 1)
				lowest++;
			rbl_id id = rbl_id_pool_add(&allocator, &pool);
			CHECK(t, id.index == (uint32_t)lowest && id.generation == ++generation[lowest]);
		} else if (pool.slot_count > 0) {
			uint32_t i = rbl_random_below(&random, (uint32_t)pool.slot_count);
			bool live = generation[i] & 1;
			CHECK(t, rbl_id_pool_is_live(&pool, (int)i) == live);
			CHECK(t, rbl_id_pool_remove(&pool, (rbl_id){ i, generation[i] }) == live);
			generation[i] += live;
		}
	}
	int live_count = 0;
	for (int i = 0; i < pool.slot_count; ++i)
		live_count += rbl_id_pool_is_live(&pool, i);
	CHECK(t, pool.live_count == live_count);
	rbl_id_pool_free(&allocator, &pool);
}

// After 2^31 lives a slot is never used again, so its first id stays stale for ever.
static void a_slot_that_runs_out_of_generations_retires(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_id_pool pool = { 0 };
	rbl_id first = rbl_id_pool_add(&allocator, &pool);
	pool.generations[0] = UINT32_MAX;
	CHECK(t, rbl_id_pool_remove(&pool, (rbl_id){ 0, UINT32_MAX }));
	CHECK(t, rbl_id_pool_add(&allocator, &pool).index == 1);
	CHECK(t, !rbl_id_pool_has(&pool, first) && pool.live_count == 1);
	rbl_id_pool_free(&allocator, &pool);
}

static void a_pool_that_cannot_grow_stays_as_it_is(test *t)
{
	for (int n = 0; n < 10; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_id_pool pool = { 0 };
		int added = 0;
		while (rbl_id_pool_add(&allocator, &pool).generation)
			added++;
		CHECK(t, memory.failed && pool.live_count == added && pool.slot_count == added);
		for (int i = 0; i < added; ++i)
			CHECK(t, rbl_id_pool_has(&pool, (rbl_id){ (uint32_t)i, 1 }));
		// A full pool still takes back and hands out what it has.
		if (added > 0) {
			CHECK(t, rbl_id_pool_remove(&pool, (rbl_id){ (uint32_t)added - 1, 1 }));
			CHECK(t, rbl_id_pool_add(&allocator, &pool).generation == 3);
		}
		rbl_id_pool_free(&allocator, &pool);
		CHECK(t, memory.live_bytes == 0);
	}
}

static void a_reserved_pool_does_not_allocate(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 3);
	rbl_allocator allocator = FAULTY(&memory);
	rbl_id_pool pool = { 0 };
	CHECK(t, rbl_id_pool_reserve(&allocator, &pool, 1000));
	for (int i = 0; i < 1000; ++i)
		CHECK(t, rbl_id_pool_add(&allocator, &pool).generation == 1);
	CHECK(t, !memory.failed);
	rbl_id_pool_free(&allocator, &pool);
	CHECK(t, memory.live_bytes == 0);
}

// Whatever lived before: ids that were made and taken back leave no trace, and the next are the
// same.
static void what_is_taken_back_has_never_been(test *t)
{
	enum { MOST = 200 };
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	for (int round = 0; round < 50; ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		rbl_id_pool pool = { 0 };
		for (int i = 0; i < 4 * round; ++i) {
			rbl_id id = rbl_id_pool_add(&allocator, &pool);
			CHECK(t, id.generation != 0);
			if (rbl_random_below(&random, 3) == 0)
				CHECK(t, rbl_id_pool_remove(&pool, id));
		}
		uint32_t before[MOST];
		int slots = pool.slot_count, live = pool.live_count;
		for (int i = 0; i < slots; ++i)
			before[i] = pool.generations[i];
		rbl_id made[MOST];
		int count = (int)rbl_random_below(&random, MOST);
		for (int pass = 0; pass < 2; ++pass) {
			for (int i = 0; i < count; ++i) {
				rbl_id id = rbl_id_pool_add(&allocator, &pool);
				CHECK(t, pass == 0 || memcmp(&id, &made[i], sizeof id) == 0);
				made[i] = id;
			}
			for (int i = count - 1; i >= 0; --i)
				rbl_id_pool_take_back(&pool, made[i]);
			CHECK(t, pool.slot_count == slots && pool.live_count == live);
			CHECK(t, slots == 0 ||
			             memcmp(before, pool.generations, (size_t)slots * sizeof *before) == 0);
		}
		rbl_id_pool_free(&allocator, &pool);
	}
}

TEST_MAIN(TEST(what_is_taken_back_has_never_been), TEST(the_lowest_free_slot_is_reused_first),
          TEST(stale_and_invented_ids_are_detected), TEST(random_lives_match_a_simple_reference),
          TEST(a_slot_that_runs_out_of_generations_retires),
          TEST(a_pool_that_cannot_grow_stays_as_it_is), TEST(a_reserved_pool_does_not_allocate))
