// SPDX-License-Identifier: MIT
// Memory of this library: typed arrays and byte buffers on an rbl_allocator.
#pragma once

#include <rubble/io.h>

#include <string.h>

/// An allocator, and the first failure.
typedef struct rbl_io_memory {
	rbl_allocator allocator;
	rbl_result failure; // RBL_OK, RBL_OUT_OF_MEMORY or RBL_LIMIT_REACHED
} rbl_io_memory;

/// @return whether the allocator has both functions or neither.
bool rbl_io_allocator_is_valid(const rbl_allocator *allocator);

/// @return memory from `allocator`, or from the process's heap when it is all zero.
rbl_io_memory rbl_io_memory_of(const rbl_allocator *allocator);

/// @return `count` items of `size` bytes, not cleared, or NULL with `failure` set; zero items
/// give a block of one.
void *rbl_io_allocate(rbl_io_memory *memory, size_t count, size_t size);

/// Free what rbl_io_allocate() returned. NULL is fine.
void rbl_io_release(rbl_io_memory *memory, void *block, size_t count, size_t size);

#define RBL_IO_NEW(memory, type, count) \
	((type *)rbl_io_allocate((memory), (size_t)(count), sizeof(type)))
#define RBL_IO_FREE(memory, pointer, count) \
	rbl_io_release((memory), (pointer), (size_t)(count), sizeof *(pointer))

/// A typed array; all zero is an empty one.
#define RBL_IO_ARRAY(type)   \
	struct {                 \
		type *data;          \
		int count, capacity; \
	}

/// Reserve capacity for `wanted` items. @return false with `failure` set.
#define rbl_io_reserve(memory, array, wanted)                                                     \
	((wanted) <= (array)->capacity ||                                                             \
	 rbl_io_grow((memory), (void **)&(array)->data, (array)->count, &(array)->capacity, (wanted), \
	             sizeof *(array)->data))

/// Append one item. @return false with `failure` set.
#define rbl_io_push(memory, array, value)                    \
	(rbl_io_reserve((memory), (array), (array)->count + 1)   \
	     ? ((array)->data[(array)->count++] = (value), true) \
	     : false)

/// Free the storage; the array is empty afterwards.
#define rbl_io_free(memory, array)                                                              \
	(rbl_io_release((memory), (array)->data, (size_t)(array)->capacity, sizeof *(array)->data), \
	 (array)->data = NULL, (array)->count = (array)->capacity = 0)

/// The growth behind the macros: capacity at least doubles.
bool rbl_io_grow(rbl_io_memory *memory, void **data, int count, int *capacity, int wanted,
                 size_t size);

/// Deduplicate rows of `row_size` bytes (a multiple of 4), numbered in order of first appearance.
/// @param indices  receives a number per row
/// @param firsts   receives the first row of each number; capacity row_count
/// @return how many different rows there are, or -1 with `failure` set
int rbl_io_unique(rbl_io_memory *memory, const void *rows, int row_count, size_t row_size,
                  int *indices, int *firsts);

/// A byte buffer that grows: a file being written.
typedef struct rbl_io_output {
	rbl_io_memory memory;
	unsigned char *data;
	size_t size, capacity;
} rbl_io_output;

/// @return space for `size` more bytes at the end, or NULL with `memory.failure` set. The caller
/// adds what it wrote to `size`.
void *rbl_io_output_reserve(rbl_io_output *output, size_t size);

/// Append bytes. A failure is kept in `memory.failure`; later calls do nothing.
void rbl_io_put(rbl_io_output *output, const void *bytes, size_t size);

/// Append a text up to its zero.
void rbl_io_put_text(rbl_io_output *output, const char *text);

/// Append formatted text of up to 500 bytes, without floating-point numbers.
void rbl_io_put_format(rbl_io_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/// Append a whole number, the shortest decimal that reads back as the same double, and the same
/// for a float.
void rbl_io_put_int(rbl_io_output *output, int value);
void rbl_io_put_double(rbl_io_output *output, double value);
void rbl_io_put_float(rbl_io_output *output, float value);

/// Append little-endian numbers.
void rbl_io_put_u16(rbl_io_output *output, uint16_t value);
void rbl_io_put_u32(rbl_io_output *output, uint32_t value);
void rbl_io_put_f32(rbl_io_output *output, float value);
void rbl_io_put_f64(rbl_io_output *output, double value);

/// Load little-endian numbers.
static inline uint32_t rbl_io_load_u32(const void *bytes)
{
	const unsigned char *b = bytes;
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline float rbl_io_load_f32(const void *bytes)
{
	uint32_t bits = rbl_io_load_u32(bytes);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/// Free the bytes.
void rbl_io_free_output(rbl_io_output *output);
