// SPDX-License-Identifier: MIT
// Arrays that grow.
#pragma once

#include <stdbool.h>
#include <stdlib.h>

/// The growth behind ARRAY_RESERVE().
static inline bool grow_array(void **items, int *capacity, int wanted, size_t size)
{
	int grown = wanted > 32 ? 2 * wanted : 64;
	void *more = realloc(*items, (size_t)grown * size);
	if (!more)
		return false;
	*items = more, *capacity = grown;
	return true;
}

/// Reserve capacity for `wanted` items. @return false, with nothing changed, when memory runs out
#define ARRAY_RESERVE(items, capacity, wanted) \
	((wanted) <= (capacity) ||                 \
	 grow_array((void **)&(items), &(capacity), (wanted), sizeof *(items)))
