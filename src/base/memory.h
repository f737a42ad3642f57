// SPDX-License-Identifier: MIT
// Memory: the one door to an rbl_allocator, arenas, and typed arrays.
//
// Rules: every allocation may fail and is checked; sizes are multiplied with a check; a
// structure keeps a copy of its allocator and gives back what it took with the same size.
#pragma once

#include "base/assert.h"

#include <rubble/base.h>

#include <string.h>

/// Cache line: the alignment of every block that SIMD code reads.
#define RBL_CACHE_LINE 64

/// Prefetch memory that will be read soon. Any address is fine.
static inline void rbl_prefetch(const void *address)
{
	__builtin_prefetch(address);
	// gcc drops calls of functions that do nothing but this, unless something may be seen to
	// happen.
	__asm__ volatile("");
}

/// @return `allocator` itself, or the process's default when it is NULL or all zero.
rbl_allocator rbl_allocator_or_default(const rbl_allocator *allocator);

/// @return whether the definition's allocator is usable: both functions or neither.
bool rbl_allocator_is_valid(const rbl_allocator *allocator);

/// Allocate `count` items of `size` bytes, cache-line aligned, not cleared.
/// @return NULL when memory ran out, the product overflows, or it is zero.
void *rbl_allocate(const rbl_allocator *allocator, size_t count, size_t size);

/// The same, cleared to zero.
void *rbl_allocate_zero(const rbl_allocator *allocator, size_t count, size_t size);

/// Give back what rbl_allocate returned for the same count and size. NULL is fine.
void rbl_release(const rbl_allocator *allocator, void *memory, size_t count, size_t size);

/// Typed forms: RBL_NEW(&allocator, rbl_vec3, n) and RBL_FREE(&allocator, pointer, n).
#define RBL_NEW(allocator, type, count) \
	((type *)rbl_allocate((allocator), (size_t)(count), sizeof(type)))
#define RBL_NEW_ZERO(allocator, type, count) \
	((type *)rbl_allocate_zero((allocator), (size_t)(count), sizeof(type)))
#define RBL_FREE(allocator, pointer, count) \
	rbl_release((allocator), (pointer), (size_t)(count), sizeof *(pointer))

// --- arena ---------------------------------------------------------------------------------
// Scratch memory: allocate by moving a cursor, free all at once by reset. It grows by further
// blocks; after a reset that needed several, the next use finds one block of the total size,
// so a steady state allocates nothing.

typedef struct rbl_arena_block rbl_arena_block;

typedef struct rbl_arena {
	rbl_allocator allocator;
	rbl_arena_block *blocks; // newest first
	size_t used;             // bytes of the newest block in use
	size_t block_size;       // least size of the next block
} rbl_arena;

/// Set up an empty arena; nothing is allocated yet.
void rbl_arena_init(rbl_arena *arena, const rbl_allocator *allocator, size_t block_size);

/// Free all blocks.
void rbl_arena_destroy(rbl_arena *arena);

/// @return `count` items of `size` bytes, cache-line aligned, not cleared; NULL when memory
/// ran out. Zero bytes give a valid pointer that must not be read.
void *rbl_arena_allocate(rbl_arena *arena, size_t count, size_t size);

/// Forget everything allocated; keeps the memory.
void rbl_arena_reset(rbl_arena *arena);

/// Forget everything, and have one block ready for as much as was ever needed, touched, since
/// memory that is new to a process is slow at first. Without memory nothing is ready.
void rbl_arena_consolidate(rbl_arena *arena);

/// Forget everything, and give the memory back when it is more than `kept` bytes.
void rbl_arena_trim(rbl_arena *arena, size_t kept);

/// Bytes that an arena holds.
size_t rbl_arena_memory(const rbl_arena *arena);

/// The layout of one block for several arrays: move `end` past `bytes`, to a multiple of 16.
/// @return where they begin
static inline size_t rbl_layout_add(size_t *end, size_t bytes)
{
	size_t begin = *end;
	*end = (begin + bytes + 15) & ~(size_t)15;
	return begin;
}

#define RBL_ARENA_NEW(arena, type, count) \
	((type *)rbl_arena_allocate((arena), (size_t)(count), sizeof(type)))

// --- typed arrays --------------------------------------------------------------------------
// An array is a struct { type *data; int count; int capacity; }, made by RBL_ARRAY(type). The
// allocator is passed in, so that a pool of a thousand arrays does not hold a thousand copies.

#define RBL_ARRAY(type)      \
	struct {                 \
		type *data;          \
		int count, capacity; \
	}

/// Make space for `wanted` items in all. @return false when memory ran out (nothing changed).
#define rbl_array_reserve(allocator, array, wanted)                                           \
	((wanted) <= (array)->capacity ||                                                         \
	 rbl_array_grow((allocator), (void **)&(array)->data, (array)->count, &(array)->capacity, \
	                (wanted), sizeof *(array)->data))

/// Make space for `more` items after those that are there. Where the sum is past what a count can
/// hold, memory ran out. @return false then (nothing changed)
#define rbl_array_extend(allocator, array, more) \
	rbl_array_reserve((allocator), (array), (int64_t)(array)->count + (more))

/// Append one item. @return false when memory ran out (nothing changed).
#define rbl_array_push(allocator, array, value)                                                    \
	(rbl_array_extend((allocator), (array), 1) ? ((array)->data[(array)->count++] = (value), true) \
	                                           : false)

/// Set the count, with space made for it; new items are not cleared.
#define rbl_array_resize(allocator, array, wanted) \
	(rbl_array_reserve((allocator), (array), (wanted)) ? ((array)->count = (wanted), true) : false)

/// Free the storage; the array is empty and usable afterwards.
#define rbl_array_free(allocator, array)                                                        \
	(rbl_release((allocator), (array)->data, (size_t)(array)->capacity, sizeof *(array)->data), \
	 (array)->data = NULL, (array)->count = (array)->capacity = 0)

/// The growth behind the macros: capacity at least doubles. More than 2^31 - 1 items are never to
/// be had.
bool rbl_array_grow(const rbl_allocator *allocator, void **data, int count, int *capacity,
                    int64_t wanted, size_t size);

// --- arrays that grow together -------------------------------------------------------------
// Arrays that are used side by side, or of which a call needs all, grow together or not at all. One
// that grew while the next could not would let a later call, which looks at its capacity, believe
// that there is space in all of them. So capacities are written when all memory was found, and
// whoever needs memory asks for it here or through a function that does, rather than compare a
// capacity.

/// An array that is to have space for `wanted` items.
typedef struct rbl_growth {
	void *array;   // where the pointer to its items is
	size_t size;   // bytes of an item
	int count;     // items that stay; the others have no value afterwards, new or not
	int *capacity; // its own, or one that several arrays of the call share
	int wanted;    // what has space for as many stays as it is
	void *memory;  // of rbl_grow_together()
} rbl_growth;

/// Make space in all arrays, or in none.
/// @return false when memory ran out (nothing changed)
bool rbl_grow_together(const rbl_allocator *allocator, rbl_growth *growths, int count);

/// Free the storage of arrays, whatever is wanted: they and their capacities are zero afterwards.
void rbl_free_together(const rbl_allocator *allocator, const rbl_growth *growths, int count);

/// @return a capacity for `wanted` items: what there is when it suffices, or else at least twice as
/// much, so that items which come one by one are copied a bounded number of times
int rbl_capacity_for(int capacity, int wanted);
