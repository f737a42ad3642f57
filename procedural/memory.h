// SPDX-License-Identifier: MIT
// Memory of the shapes: blocks and typed arrays on an rbl_allocator. Everything may fail.
#pragma once

#include <rubble/base.h>

#include <string.h>

/// @return `count` items of `size` bytes, not cleared; NULL when memory ran out
void *rbl_shape_allocate(const rbl_allocator *allocator, size_t count, size_t size);

/// Free what rbl_shape_allocate() returned. NULL is fine.
void rbl_shape_release(const rbl_allocator *allocator, void *block, size_t count, size_t size);

#define NEW(allocator, type, count) \
	((type *)rbl_shape_allocate((allocator), (size_t)(count), sizeof(type)))
#define FREE(allocator, pointer, count) \
	rbl_shape_release((allocator), (pointer), (size_t)(count), sizeof *(pointer))

/// A typed array; all zero is an empty one.
#define ARRAY(type)          \
	struct {                 \
		type *data;          \
		int count, capacity; \
	}

/// Make space for `more` items. @return false when memory ran out (nothing changed)
#define array_extend(allocator, array, more)                                                 \
	rbl_shape_grow((allocator), (void **)&(array)->data, (array)->count, &(array)->capacity, \
	               (more), sizeof *(array)->data)

/// Append one item. @return false when memory ran out (nothing changed)
#define array_push(allocator, array, value) \
	(array_extend((allocator), (array), 1) && ((array)->data[(array)->count++] = (value), true))

/// Free the storage.
#define array_free(allocator, array) FREE((allocator), (array)->data, (array)->capacity)

/// The growth behind the macros: capacity at least doubles.
bool rbl_shape_grow(const rbl_allocator *allocator, void **data, int count, int *capacity, int more,
                    size_t size);
