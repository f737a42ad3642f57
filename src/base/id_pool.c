// SPDX-License-Identifier: MIT
//
// Id pools.
//
// A bit per slot says whether it is free, and a bit per 64 slots whether one of them is. The
// lowest free slot of a million is then found within a few words. A slot whose generation would
// begin again at zero is retired: 2^31 lives, and no stale id ever comes to life.

#include "base/id_pool.h"

#include <limits.h>

enum { MIN_CAPACITY = 64 };

static int grown_capacity(int capacity, int wanted)
{
	int doubled = capacity > INT_MAX / 2 ? INT_MAX : 2 * capacity;
	int grown = doubled > wanted ? doubled : wanted;
	return grown > MIN_CAPACITY ? grown : MIN_CAPACITY;
}

bool rbl_id_pool_reserve(const rbl_allocator *allocator, rbl_id_pool *pool, int count)
{
	if (count <= pool->slot_capacity)
		return true;
	int capacity = grown_capacity(pool->slot_capacity, count);
	rbl_growth arrays[] = {
		rbl_bit_set_growth(&pool->free, capacity),
		rbl_bit_set_growth(&pool->stock, rbl_bit_words(capacity)),
		{ &pool->generations, sizeof *pool->generations, pool->slot_count, &pool->slot_capacity,
		  capacity, NULL },
	};
	return rbl_grow_together(allocator, arrays, 3) &&
	       rbl_bit_set_resize(allocator, &pool->free, capacity) &&
	       rbl_bit_set_resize(allocator, &pool->stock, rbl_bit_words(capacity));
}

// @return the lowest slot that was used before and is free, or -1
static int take_free_slot(rbl_id_pool *pool)
{
	if (!pool->stock.bit_count)
		return -1;
	int word = rbl_bit_set_next(&pool->stock, 0);
	if (word < 0)
		return -1;
	int slot = (word << 6) + rbl_lowest_one(pool->free.words[word]);
	rbl_bit_set_remove(&pool->free, slot);
	if (pool->free.words[word] == 0)
		rbl_bit_set_remove(&pool->stock, word);
	return slot;
}

rbl_id rbl_id_pool_promise(const rbl_allocator *allocator, rbl_id_pool *pool)
{
	int slot = take_free_slot(pool);
	if (slot < 0) {
		if (pool->slot_count == INT_MAX ||
		    !rbl_id_pool_reserve(allocator, pool, pool->slot_count + 1))
			return (rbl_id){ 0 };
		slot = pool->slot_count++;
		pool->generations[slot] = 0;
	}
	return (rbl_id){ (uint32_t)slot, pool->generations[slot] + 1 };
}

void rbl_id_pool_keep_promise(rbl_id_pool *pool, rbl_id id)
{
	RBL_ASSERT(pool->generations[id.index] + 1 == id.generation && (id.generation & 1));
	pool->generations[id.index]++;
	pool->live_count++;
}

void rbl_id_pool_break_promise(rbl_id_pool *pool, rbl_id id)
{
	RBL_ASSERT(pool->generations[id.index] + 1 == id.generation && (id.generation & 1));
	if (id.generation == 1 && (int)id.index == pool->slot_count - 1) { // as if it had never been
		pool->slot_count--;
		return;
	}
	if (id.generation == 1) // free slots have lived: zero is for those that are retired
		pool->generations[id.index] = 2;
	rbl_bit_set_add(&pool->free, (int)id.index);
	rbl_bit_set_add(&pool->stock, (int)id.index >> 6);
}

rbl_id rbl_id_pool_add(const rbl_allocator *allocator, rbl_id_pool *pool)
{
	rbl_id id = rbl_id_pool_promise(allocator, pool);
	if (id.generation != 0)
		rbl_id_pool_keep_promise(pool, id);
	return id;
}

bool rbl_id_pool_remove(rbl_id_pool *pool, rbl_id id)
{
	if (!rbl_id_pool_has(pool, id))
		return false;
	int slot = (int)id.index;
	pool->live_count--;
	pool->generations[slot]++;
	if (pool->generations[slot] != 0) {
		rbl_bit_set_add(&pool->free, slot);
		rbl_bit_set_add(&pool->stock, slot >> 6);
	}
	return true;
}

void rbl_id_pool_take_back(rbl_id_pool *pool, rbl_id id)
{
	RBL_ASSERT(rbl_id_pool_has(pool, id));
	int slot = (int)id.index;
	pool->live_count--;
	if (--pool->generations[slot] > 0) {
		rbl_bit_set_add(&pool->free, slot);
		rbl_bit_set_add(&pool->stock, slot >> 6);
	} else { // its first life
		RBL_ASSERT(slot == pool->slot_count - 1);
		pool->slot_count--;
	}
}

void rbl_id_pool_free(const rbl_allocator *allocator, rbl_id_pool *pool)
{
	RBL_FREE(allocator, pool->generations, pool->slot_capacity);
	rbl_bit_set_free(allocator, &pool->stock);
	rbl_bit_set_free(allocator, &pool->free);
	*pool = (rbl_id_pool){ 0 };
}

void rbl_id_pool_save(const rbl_id_pool *pool, rbl_blob_writer *w)
{
	rbl_blob_put_items(w, pool->generations, pool->slot_count, sizeof *pool->generations);
}

bool rbl_id_pool_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_id_pool *pool,
                      int max_count)
{
	int count = rbl_blob_get_count(r, sizeof *pool->generations);
	if (!rbl_blob_expect(r, count <= max_count, "there are too many ids"))
		return false;
	if (!rbl_id_pool_reserve(allocator, pool, count)) {
		r->out_of_memory = true;
		return false;
	}
	if (count > 0)
		rbl_blob_get_words(r, pool->generations, (size_t)count);
	pool->slot_count = count;
	for (int i = 0; i < count; ++i) {
		if (pool->generations[i] & 1) {
			pool->live_count++;
		} else if (pool->generations[i] != 0) { // zero: retired
			rbl_bit_set_add(&pool->free, i);
			rbl_bit_set_add(&pool->stock, i >> 6);
		}
	}
	return !r->is_bad;
}
