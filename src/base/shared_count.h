// SPDX-License-Identifier: MIT
// A number that workers add to at the same time. Whether it passes a limit in the end does not
// depend on their order.
#pragma once

#include <stdint.h>

#ifndef RBL_NO_THREADS
#include <stdatomic.h>
typedef struct rbl_shared_count {
	_Atomic int64_t value;
} rbl_shared_count;
#else
typedef struct rbl_shared_count {
	int64_t value;
} rbl_shared_count;
#endif

/// @return the number after it
static inline int64_t rbl_shared_count_add(rbl_shared_count *count, int64_t value)
{
#ifndef RBL_NO_THREADS
	return atomic_fetch_add_explicit(&count->value, value, memory_order_relaxed) + value;
#else
	return count->value += value;
#endif
}
