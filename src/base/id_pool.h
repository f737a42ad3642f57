// SPDX-License-Identifier: MIT
// Ids for things in arrays: an index that is reused and a generation that is not.
//
// The lowest free index is always the next: which ids come depends on what is live, not on the
// order in which things died, so ids repeat from run to run and arrays stay dense.
#pragma once

#include "base/bits.h"
#include "base/blob.h"

/// Names a slot and one life in it. All zero names nothing, ever.
typedef struct rbl_id {
	uint32_t index;
	uint32_t generation; // odd while alive
} rbl_id;

/// All zero is an empty pool. The allocator is passed in, as with arrays.
typedef struct rbl_id_pool {
	uint32_t *generations; // per slot: odd while alive, even while free
	int slot_count;        // slots that were ever used; arrays beside the pool need this many
	int slot_capacity;
	int live_count;
	rbl_bit_set free;  // of slot_count: slots to reuse
	rbl_bit_set stock; // per word of `free`: whether it has a one
} rbl_id_pool;

/// Make space for `count` ids in all: adding up to that many cannot fail.
/// @return false when memory ran out (nothing changed)
bool rbl_id_pool_reserve(const rbl_allocator *allocator, rbl_id_pool *pool, int count);

/// Make an id. @return the id; all zero when memory ran out
rbl_id rbl_id_pool_add(const rbl_allocator *allocator, rbl_id_pool *pool);

/// End an id's life. @return false when it had ended already, or never began
bool rbl_id_pool_remove(rbl_id_pool *pool, rbl_id id);

/// Take back an id that was made: as if it had never been. Of several, the last one first; nothing
/// else may have happened to the pool since.
void rbl_id_pool_take_back(rbl_id_pool *pool, rbl_id id);

/// Promise an id: nobody else gets it, but it names nothing yet. Then either keep the promise, and
/// it does, or break it. Keeping cannot fail.
/// @return the id; all zero when memory ran out
rbl_id rbl_id_pool_promise(const rbl_allocator *allocator, rbl_id_pool *pool);
void rbl_id_pool_keep_promise(rbl_id_pool *pool, rbl_id id);
void rbl_id_pool_break_promise(rbl_id_pool *pool, rbl_id id);

/// Free the memory; the pool is empty and forgets every generation.
void rbl_id_pool_free(const rbl_allocator *allocator, rbl_id_pool *pool);

/// Write all generations, and read them into an empty pool of at most `max_count` slots: the same
/// ids live, the same come next. @return whether the reader is still good; the pool is to be freed
/// either way
void rbl_id_pool_save(const rbl_id_pool *pool, rbl_blob_writer *w);
bool rbl_id_pool_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_id_pool *pool,
                      int max_count);

/// @return whether the id names something alive. Safe for any bits.
static inline bool rbl_id_pool_has(const rbl_id_pool *pool, rbl_id id)
{
	return id.index < (uint32_t)pool->slot_count && (id.generation & 1) &&
	       pool->generations[id.index] == id.generation;
}

/// @return whether the slot is in use.
static inline bool rbl_id_pool_is_live(const rbl_id_pool *pool, int index)
{
	RBL_ASSERT(index >= 0 && index < pool->slot_count);
	return pool->generations[index] & 1;
}

/// @return the id of the life in a slot that is in use.
static inline rbl_id rbl_id_pool_at(const rbl_id_pool *pool, int index)
{
	RBL_ASSERT(rbl_id_pool_is_live(pool, index));
	return (rbl_id){ (uint32_t)index, pool->generations[index] };
}
