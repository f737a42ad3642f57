// SPDX-License-Identifier: MIT
// An allocator that counts what is live and what was live at most, and fails when it is told to: from the
// n-th allocation on, for some allocations from the n-th on, or at random.
//
//     for (int n = 0; ; ++n) {                  // fail at every place in turn
//         faulty_allocator memory;
//         faulty_init(&memory, n);
//         rbl_result result = work(FAULTY(&memory)); // makes, uses, destroys
//         CHECK(t, memory.live_bytes == 0);
//         if (!memory.failed) break;
//         CHECK(t, result == RBL_OUT_OF_MEMORY);
//     }
//
// New memory is full of rubbish, and a block that is given back with another size than it was allocated with,
// or with something written past its end, ends the program: what is taken for larger than it is shows at once.
//
// The struct must not move while it is in use.
#pragma once

#include "aligned.h"

#include <rubble/base.h>

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct faulty_allocator {
	atomic_llong allowed; // allocations before the first failing one
	atomic_llong failing; // how many fail after those that are allowed
	atomic_int odds;      // one allocation in so many fails besides; 0: none
	atomic_ullong random; // for those
	atomic_llong live_bytes, live_count, total_count, total_bytes, failed_count;
	atomic_llong peak_bytes; // the most that was live, since faulty_begin_peak()
	atomic_bool failed;
} faulty_allocator;

/// What stands before each block.
typedef struct faulty_header {
	void *memory;
	size_t size;
} faulty_header;

enum { FAULTY_FILL = 0xa5, FAULTY_GUARD = 64 };

static inline bool faulty_is_due(faulty_allocator *memory)
{
	long long left = atomic_fetch_sub(&memory->allowed, 1);
	if (left <= 0 && -left < atomic_load(&memory->failing))
		return true;
	int odds = atomic_load(&memory->odds);
	if (odds == 0)
		return false;
	unsigned long long x = atomic_fetch_add(&memory->random, 0x9e3779b97f4a7c15u);
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (x >> 33) % (unsigned long long)odds == 0;
}

static inline void *faulty_allocate(void *user, size_t size, size_t alignment)
{
	faulty_allocator *memory = user;
	if (faulty_is_due(memory)) {
		atomic_fetch_add(&memory->failed_count, 1);
		atomic_store(&memory->failed, true);
		return NULL;
	}
	if (size > SIZE_MAX / 2)
		return NULL;
	size_t before = alignment > sizeof(faulty_header) ? alignment : sizeof(faulty_header);
	size_t all = before + size + FAULTY_GUARD;
	char *whole = aligned_block(alignment, all);
	if (!whole)
		return NULL;
	memset(whole, FAULTY_FILL, all);
	faulty_header header = { whole, size };
	memcpy(whole + before - sizeof header, &header, sizeof header);
	long long live = atomic_fetch_add(&memory->live_bytes, (long long)size) + (long long)size;
	long long peak = atomic_load(&memory->peak_bytes);
	while (peak < live && !atomic_compare_exchange_weak(&memory->peak_bytes, &peak, live))
		;
	atomic_fetch_add(&memory->live_count, 1);
	atomic_fetch_add(&memory->total_count, 1);
	atomic_fetch_add(&memory->total_bytes, (long long)size);
	return whole + before;
}

static inline void faulty_release(void *user, void *block, size_t size)
{
	faulty_allocator *memory = user;
	faulty_header header;
	memcpy(&header, (char *)block - sizeof header, sizeof header);
	if (header.size != size) {
		fprintf(stderr, "a block of %zu bytes was released as one of %zu\n", header.size, size);
		abort();
	}
	for (int i = 0; i < FAULTY_GUARD; ++i)
		if (((unsigned char *)block)[size + (size_t)i] != FAULTY_FILL) {
			fprintf(stderr, "byte %d behind a block of %zu bytes was written to\n", i, size);
			abort();
		}
	atomic_fetch_sub(&memory->live_bytes, (long long)size);
	atomic_fetch_sub(&memory->live_count, 1);
	free_aligned_block(header.memory);
}

/// Start over: `allowed` allocations succeed, then all fail.
static inline void faulty_init(faulty_allocator *memory, long long allowed)
{
	atomic_init(&memory->allowed, allowed);
	atomic_init(&memory->failing, LLONG_MAX);
	atomic_init(&memory->odds, 0);
	atomic_init(&memory->random, 0);
	atomic_init(&memory->live_bytes, 0);
	atomic_init(&memory->peak_bytes, 0);
	atomic_init(&memory->live_count, 0);
	atomic_init(&memory->total_count, 0);
	atomic_init(&memory->total_bytes, 0);
	atomic_init(&memory->failed_count, 0);
	atomic_init(&memory->failed, false);
}

/// All succeed from now on; `failed` says whether one of the next fails.
static inline void faulty_rest(faulty_allocator *memory)
{
	atomic_store(&memory->allowed, LLONG_MAX / 2);
	atomic_store(&memory->odds, 0);
	atomic_store(&memory->failed, false);
}

/// Choose how the next allocations fail, by a random number: one of them alone, some in a row, all from
/// one on, or each with a chance between a half and a hundredth. A failure deep within a call is as likely as
/// one at its beginning. @param depth  about as many allocations as a call makes
static inline void faulty_threaten(faulty_allocator *memory, uint64_t seed, int depth)
{
	uint64_t kind = seed % 8, place = seed / 8 % (uint64_t)depth, run = 2 + seed / 65536 % 4;
	static const int odds[4] = { 2, 5, 20, 100 };
	faulty_rest(memory);
	atomic_store(&memory->random, seed);
	if (kind >= 4) {
		atomic_store(&memory->odds, odds[kind - 4]);
		return;
	}
	atomic_store(&memory->allowed, (long long)place);
	atomic_store(&memory->failing, kind < 2 ? 1 : kind == 2 ? (long long)run : LLONG_MAX);
}

/// Count the peak from here on.
static inline void faulty_begin_peak(faulty_allocator *memory)
{
	atomic_store(&memory->peak_bytes, atomic_load(&memory->live_bytes));
}

#define FAULTY(memory) ((rbl_allocator){ faulty_allocate, faulty_release, (memory) })
