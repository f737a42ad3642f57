// SPDX-License-Identifier: MIT
//
// The default allocator, arenas and array growth. The only file that calls libc's heap.

#include "base/log.h"
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>

enum { MIN_ARRAY_CAPACITY = 8, LARGE_ARRAY = 1 << 18 }; // items, bytes

struct rbl_arena_block {
	rbl_arena_block *next;
	size_t size; // of the whole block, this header included
	size_t used; // noted when the next block comes
};

static size_t round_up(size_t size, size_t alignment)
{
	return (size + alignment - 1) & ~(alignment - 1);
}

#if defined __SANITIZE_ADDRESS__
#define USE_ALIGNED_ALLOC 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define USE_ALIGNED_ALLOC 1
#endif
#endif

#if defined USE_ALIGNED_ALLOC

// A sanitizer sees writes just past the end of a block only when the block ends there.
static void *default_allocate(void *user, size_t size, size_t alignment)
{
	(void)user;
	if (size > SIZE_MAX - alignment)
		return NULL;
	return aligned_alloc(alignment, round_up(size, alignment));
}

static void default_release(void *user, void *memory, size_t size)
{
	(void)user, (void)size;
	free(memory);
}

static void *default_grow(void *memory, size_t used, size_t size)
{
	(void)memory, (void)used, (void)size;
	return NULL;
}

#else

// Aligned by hand, with the block's own address just before what is returned: aligned_alloc()
// cuts each block out of a larger one and gives the rests back, which takes several times as long.
static void *default_allocate(void *user, size_t size, size_t alignment)
{
	(void)user;
	if (size > SIZE_MAX - alignment - sizeof(void *))
		return NULL;
	char *block = malloc(size + alignment + sizeof(void *) - 1);
	if (!block)
		return NULL;
	uintptr_t first = (uintptr_t)block + sizeof(void *);
	char *memory = block + (size_t)(((first + alignment - 1) & ~(uintptr_t)(alignment - 1)) -
	                                (uintptr_t)block);
	memcpy(memory - sizeof(void *), &block, sizeof block);
	return memory;
}

static void default_release(void *user, void *memory, size_t size)
{
	(void)user, (void)size;
	void *block;
	memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
	free(block);
}

// Where a large block is to become larger, systems move its pages instead of copying them: a step
// in which an array of megabytes grows takes no longer than others.
// @param memory  aligned as rbl_allocate() does; it stays as it is when this fails
// @return NULL when there is none
static void *default_grow(void *memory, size_t used, size_t size)
{
	if (size > SIZE_MAX - RBL_CACHE_LINE - sizeof(void *))
		return NULL;
	char *block;
	memcpy(&block, (char *)memory - sizeof(void *), sizeof block);
	size_t old_offset = (size_t)((char *)memory - block);
	char *moved = realloc(block, size + RBL_CACHE_LINE + sizeof(void *) - 1);
	if (!moved)
		return NULL;
	uintptr_t first = (uintptr_t)moved + sizeof(void *);
	size_t offset = (size_t)(((first + RBL_CACHE_LINE - 1) & ~(uintptr_t)(RBL_CACHE_LINE - 1)) -
	                         (uintptr_t)moved);
	if (offset != old_offset)
		memmove(moved + offset, moved + old_offset, used);
	memcpy(moved + offset - sizeof(void *), &moved, sizeof moved);
	return moved + offset;
}

#endif

bool rbl_allocator_is_valid(const rbl_allocator *allocator)
{
	return !allocator || !allocator->allocate == !allocator->release;
}

rbl_allocator rbl_allocator_or_default(const rbl_allocator *allocator)
{
	if (allocator && allocator->allocate)
		return *allocator;
	return (rbl_allocator){ default_allocate, default_release, NULL };
}

void *rbl_allocate(const rbl_allocator *allocator, size_t count, size_t size)
{
	if (count == 0 || size == 0)
		return NULL;
	void *memory = count <= SIZE_MAX / size
	                   ? allocator->allocate(allocator->user, count * size, RBL_CACHE_LINE)
	                   : NULL;
	if (!memory)
		rbl_last_error_note("out of memory: %zu times %zu bytes", count, size);
	return memory;
}

void *rbl_allocate_zero(const rbl_allocator *allocator, size_t count, size_t size)
{
	void *memory = rbl_allocate(allocator, count, size);
	if (memory)
		memset(memory, 0, count * size);
	return memory;
}

void rbl_release(const rbl_allocator *allocator, void *memory, size_t count, size_t size)
{
	if (memory)
		allocator->release(allocator->user, memory, count * size);
}

void rbl_arena_init(rbl_arena *arena, const rbl_allocator *allocator, size_t block_size)
{
	*arena = (rbl_arena){ rbl_allocator_or_default(allocator), NULL, 0, block_size };
}

static void free_blocks(rbl_arena *arena)
{
	for (rbl_arena_block *block = arena->blocks; block;) {
		rbl_arena_block *next = block->next;
		rbl_release(&arena->allocator, block, 1, block->size);
		block = next;
	}
	arena->blocks = NULL;
	arena->used = 0;
}

void rbl_arena_destroy(rbl_arena *arena)
{
	free_blocks(arena);
}

static bool add_block(rbl_arena *arena, size_t bytes)
{
	if (bytes > SIZE_MAX - RBL_CACHE_LINE)
		return false;
	size_t size = bytes + RBL_CACHE_LINE;
	if (size < arena->block_size)
		size = arena->block_size;
	rbl_arena_block *block = rbl_allocate(&arena->allocator, 1, size);
	if (!block)
		return false;
	if (arena->blocks)
		arena->blocks->used = arena->used;
	*block = (rbl_arena_block){ arena->blocks, size, 0 };
	arena->blocks = block;
	arena->used = RBL_CACHE_LINE; // the header's share
	return true;
}

void *rbl_arena_allocate(rbl_arena *arena, size_t count, size_t size)
{
	if (size != 0 && count > (SIZE_MAX - RBL_CACHE_LINE) / size)
		return NULL;
	size_t bytes = round_up(count * size, RBL_CACHE_LINE);
	if (!arena->blocks || bytes > arena->blocks->size - arena->used) {
		if (!add_block(arena, bytes))
			return NULL;
	}
	char *memory = (char *)arena->blocks + arena->used;
	arena->used += bytes;
	return memory;
}

void rbl_arena_reset(rbl_arena *arena)
{
	if (arena->blocks && arena->blocks->next) {
		size_t total = arena->used; // without what is left over at the ends of blocks
		for (rbl_arena_block *block = arena->blocks->next; block; block = block->next)
			total += block->used;
		free_blocks(arena);
		if (arena->block_size < total)
			arena->block_size = total;
	}
	arena->used = arena->blocks ? RBL_CACHE_LINE : 0;
}

void rbl_arena_consolidate(rbl_arena *arena)
{
	rbl_arena_reset(arena);
	if (arena->blocks || add_block(arena, 0))
		memset((char *)arena->blocks + RBL_CACHE_LINE, 0, arena->blocks->size - RBL_CACHE_LINE);
}

size_t rbl_arena_memory(const rbl_arena *arena)
{
	size_t bytes = 0;
	for (const rbl_arena_block *block = arena->blocks; block; block = block->next)
		bytes += block->size;
	return bytes;
}

void rbl_arena_trim(rbl_arena *arena, size_t kept)
{
	if (rbl_arena_memory(arena) > kept) {
		free_blocks(arena);
		arena->block_size = arena->block_size < kept ? arena->block_size : kept;
	}
	rbl_arena_reset(arena);
}

bool rbl_array_grow(const rbl_allocator *allocator, void **data, int count, int *capacity,
                    int64_t wanted, size_t size)
{
	RBL_ASSERT(wanted > *capacity && count <= *capacity);
	if (wanted > INT_MAX)
		return false;
	rbl_growth growth = { data, size, count, capacity, rbl_capacity_for(*capacity, (int)wanted),
		                  NULL };
	return rbl_grow_together(allocator, &growth, 1);
}

int rbl_capacity_for(int capacity, int wanted)
{
	if (wanted <= capacity)
		return capacity;
	int doubled = capacity > INT_MAX / 2 ? INT_MAX : capacity * 2;
	int grown = doubled > wanted ? doubled : wanted;
	return grown < MIN_ARRAY_CAPACITY ? MIN_ARRAY_CAPACITY : grown;
}

static void *place_of(const rbl_growth *g)
{
	void *place;
	memcpy(&place, g->array, sizeof place); // a pointer to items of any type
	return place;
}

// A large array grows in place, which other allocators than the default cannot. Should one after it
// find no memory, it has more than its capacity says. @return its new place, which it has, or NULL
static void *grow_in_place(const rbl_allocator *allocator, const rbl_growth *g)
{
	size_t old_size = (size_t)*g->capacity * g->size;
	if (allocator->allocate != default_allocate || old_size < LARGE_ARRAY || g->count == 0 ||
	    (size_t)g->wanted > SIZE_MAX / g->size)
		return NULL;
	void *grown =
		default_grow(place_of(g), (size_t)g->count * g->size, (size_t)g->wanted * g->size);
	if (grown)
		memcpy(g->array, &grown, sizeof grown);
	return grown;
}

bool rbl_grow_together(const rbl_allocator *allocator, rbl_growth *growths, int count)
{
	int found = 0;
	for (; found < count; ++found) {
		rbl_growth *g = &growths[found];
		RBL_ASSERT(g->count <= *g->capacity);
		g->memory = NULL;
		if (g->wanted <= *g->capacity)
			continue;
		g->memory = grow_in_place(allocator, g);
		if (!g->memory)
			g->memory = rbl_allocate(allocator, (size_t)g->wanted, g->size);
		if (!g->memory)
			break;
	}
	if (found < count) {
		while (found-- > 0)
			if (growths[found].memory != place_of(&growths[found]))
				rbl_release(allocator, growths[found].memory, (size_t)growths[found].wanted,
				            growths[found].size);
		return false;
	}
	for (int i = 0; i < count; ++i) {
		const rbl_growth *g = &growths[i];
		void *old = place_of(g);
		if (!g->memory || g->memory == old)
			continue;
		if (g->count > 0)
			memcpy(g->memory, old, (size_t)g->count * g->size);
		rbl_release(allocator, old, (size_t)*g->capacity, g->size);
		memcpy(g->array, &g->memory, sizeof g->memory);
	}
	for (int i = 0; i < count; ++i) // at last: several may share one
		if (growths[i].memory)
			*growths[i].capacity = growths[i].wanted;
	return true;
}

void rbl_free_together(const rbl_allocator *allocator, const rbl_growth *growths, int count)
{
	for (int i = 0; i < count; ++i) {
		void *old, *none = NULL;
		memcpy(&old, growths[i].array, sizeof old);
		rbl_release(allocator, old, (size_t)*growths[i].capacity, growths[i].size);
		memcpy(growths[i].array, &none, sizeof none);
	}
	for (int i = 0; i < count; ++i)
		*growths[i].capacity = 0;
}
