// SPDX-License-Identifier: MIT
//
// Blocks and growing arrays. The only file here that calls libc's heap.

#include "procedural/memory.h"

#include <limits.h>
#include <stdlib.h>

enum { ALIGNMENT = 16, MIN_CAPACITY = 16 };

void *rbl_shape_allocate(const rbl_allocator *allocator, size_t count, size_t size)
{
	if (count == 0 || count > SIZE_MAX / size)
		return NULL;
	return allocator->allocate ? allocator->allocate(allocator->user, count * size, ALIGNMENT)
	                           : malloc(count * size);
}

void rbl_shape_release(const rbl_allocator *allocator, void *block, size_t count, size_t size)
{
	if (!allocator->allocate)
		free(block);
	else if (block)
		allocator->release(allocator->user, block, count * size);
}

bool rbl_shape_grow(const rbl_allocator *allocator, void **data, int count, int *capacity, int more,
                    size_t size)
{
	if (more <= *capacity - count)
		return true;
	if (more > INT_MAX - count)
		return false;
	int grown = *capacity > INT_MAX / 2 ? INT_MAX : *capacity * 2;
	grown = grown > count + more ? grown : count + more;
	grown = grown > MIN_CAPACITY ? grown : MIN_CAPACITY;
	void *block = rbl_shape_allocate(allocator, (size_t)grown, size);
	if (!block)
		return false;
	if (count > 0)
		memcpy(block, *data, (size_t)count * size);
	rbl_shape_release(allocator, *data, (size_t)*capacity, size);
	*data = block;
	*capacity = grown;
	return true;
}
