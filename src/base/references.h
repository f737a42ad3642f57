// SPDX-License-Identifier: MIT
// How many hold a thing that is shared: whoever lets go last frees it. And work on such a thing
// that is done once, by whoever needs it first.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifndef RBL_NO_THREADS
#include <stdatomic.h>
typedef atomic_int rbl_reference_count;
#else
typedef int rbl_reference_count;
#endif

/// Zero at creation: the creator holds it.
typedef struct rbl_references {
	rbl_reference_count other_count; // holders besides one
} rbl_references;

static inline void rbl_add_reference(rbl_references *references)
{
#ifndef RBL_NO_THREADS
	atomic_fetch_add_explicit(&references->other_count, 1, memory_order_relaxed);
#else
	references->other_count++;
#endif
}

/// @return whether nobody holds it any more
static inline bool rbl_drop_reference(rbl_references *references)
{
#ifndef RBL_NO_THREADS
	return atomic_fetch_sub_explicit(&references->other_count, 1, memory_order_acq_rel) == 0;
#else
	return references->other_count-- == 0;
#endif
}

/// Zero at creation: not done.
typedef struct rbl_once {
	rbl_reference_count state; // 0, 1 while somebody does it, 2
} rbl_once;

/// @return whether the caller is to do it, and to call rbl_once_end(). Others do without meanwhile.
static inline bool rbl_once_begin(rbl_once *once)
{
#ifndef RBL_NO_THREADS
	int none = 0;
	return atomic_compare_exchange_strong_explicit(&once->state, &none, 1, memory_order_acquire,
	                                               memory_order_relaxed);
#else
	bool is_first = once->state == 0;
	once->state = is_first ? 1 : once->state;
	return is_first;
#endif
}

/// @param is_done  false: it failed, and may be tried again
static inline void rbl_once_end(rbl_once *once, bool is_done)
{
#ifndef RBL_NO_THREADS
	atomic_store_explicit(&once->state, is_done ? 2 : 0, memory_order_release);
#else
	once->state = is_done ? 2 : 0;
#endif
}

/// @return whether it is done, and all that was written for it can be read
static inline bool rbl_once_is_done(const rbl_once *once)
{
#ifndef RBL_NO_THREADS
	return atomic_load_explicit(&((rbl_once *)(uintptr_t)once)->state, memory_order_acquire) == 2;
#else
	return once->state == 2;
#endif
}
