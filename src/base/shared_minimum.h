// SPDX-License-Identifier: MIT
// A number that workers lower and read at the same time: the bound of a search. What it ends at
// does not depend on their order.
#pragma once

#include <stdint.h>
#include <string.h>

#ifndef RBL_NO_THREADS
#include <stdatomic.h>
typedef atomic_uint rbl_shared_bits;
#else
typedef uint32_t rbl_shared_bits;
#endif

/// At least 0: such floats are in the order of their bits.
typedef struct rbl_shared_minimum {
	rbl_shared_bits bits;
} rbl_shared_minimum;

static inline uint32_t rbl_shared_minimum_bits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

/// Before workers come to know of it.
static inline void rbl_shared_minimum_init(rbl_shared_minimum *minimum, float value)
{
#ifndef RBL_NO_THREADS
	atomic_init(&minimum->bits, rbl_shared_minimum_bits(value));
#else
	minimum->bits = rbl_shared_minimum_bits(value);
#endif
}

static inline float rbl_shared_minimum_get(rbl_shared_minimum *minimum)
{
#ifndef RBL_NO_THREADS
	uint32_t bits = atomic_load_explicit(&minimum->bits, memory_order_relaxed);
#else
	uint32_t bits = minimum->bits;
#endif
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/// @param value  at least 0, and not -0
static inline void rbl_shared_minimum_lower(rbl_shared_minimum *minimum, float value)
{
	uint32_t bits = rbl_shared_minimum_bits(value);
#ifndef RBL_NO_THREADS
	unsigned now = atomic_load_explicit(&minimum->bits, memory_order_relaxed);
	while (bits < now &&
	       !atomic_compare_exchange_weak_explicit(&minimum->bits, &now, bits, memory_order_relaxed,
	                                              memory_order_relaxed))
		continue;
#else
	minimum->bits = bits < minimum->bits ? bits : minimum->bits;
#endif
}
