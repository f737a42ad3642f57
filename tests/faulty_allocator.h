// SPDX-License-Identifier: MIT
// An allocator that counts what is live and can fail at the n-th allocation.
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
// The struct must not move while it is in use.
#pragma once

#include <rubble/base.h>

#include <stdatomic.h>
#include <stdlib.h>

typedef struct faulty_allocator {
	atomic_llong allowed; // allocations before the failing one
	atomic_llong live_bytes, live_count, total_count;
	atomic_bool failed;
} faulty_allocator;

static inline void *faulty_allocate(void *user, size_t size, size_t alignment)
{
	faulty_allocator *memory = user;
	if (atomic_fetch_sub(&memory->allowed, 1) <= 0) {
		atomic_store(&memory->failed, true);
		return NULL;
	}
	void *block = aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
	if (!block)
		return NULL;
	atomic_fetch_add(&memory->live_bytes, (long long)size);
	atomic_fetch_add(&memory->live_count, 1);
	atomic_fetch_add(&memory->total_count, 1);
	return block;
}

static inline void faulty_release(void *user, void *block, size_t size)
{
	faulty_allocator *memory = user;
	atomic_fetch_sub(&memory->live_bytes, (long long)size);
	atomic_fetch_sub(&memory->live_count, 1);
	free(block);
}

/// Start over: `allowed` allocations succeed, then all fail.
static inline void faulty_init(faulty_allocator *memory, long long allowed)
{
	atomic_init(&memory->allowed, allowed);
	atomic_init(&memory->live_bytes, 0);
	atomic_init(&memory->live_count, 0);
	atomic_init(&memory->total_count, 0);
	atomic_init(&memory->failed, false);
}

#define FAULTY(memory) ((rbl_allocator){ faulty_allocate, faulty_release, (memory) })
