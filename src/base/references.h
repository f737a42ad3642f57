// SPDX-License-Identifier: MIT
// How many hold a thing that is shared: whoever lets go last frees it.
#pragma once

#include <stdbool.h>

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
