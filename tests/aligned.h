// SPDX-License-Identifier: MIT
// Aligned blocks from the system: Windows has functions of its own for them.
#pragma once

#include <stdlib.h>

#ifdef _WIN32
#include <malloc.h>
#endif

/// @param size in bytes; what is missing to a multiple of `alignment` is added
static inline void *aligned_block(size_t alignment, size_t size)
{
	size = (size + alignment - 1) / alignment * alignment;
#ifdef _WIN32
	return _aligned_malloc(size, alignment);
#else
	return aligned_alloc(alignment, size);
#endif
}

static inline void free_aligned_block(void *block)
{
#ifdef _WIN32
	_aligned_free(block);
#else
	free(block);
#endif
}
