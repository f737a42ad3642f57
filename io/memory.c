// SPDX-License-Identifier: MIT
//
// Arrays, byte buffers and deduplication of rows. The only file of io that calls libc's heap.

#include "io/memory.h"

#include "io/decimal.h"

#ifdef _WIN32
#include <malloc.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

static void *default_allocate(void *user, size_t size, size_t alignment)
{
	(void)user;
	if (size > SIZE_MAX - alignment)
		return NULL;
#ifdef _WIN32
	return _aligned_malloc(size, alignment);
#else
	return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
#endif
}

static void default_release(void *user, void *block, size_t size)
{
	(void)user, (void)size;
#ifdef _WIN32
	_aligned_free(block);
#else
	free(block);
#endif
}

bool rbl_io_allocator_is_valid(const rbl_allocator *allocator)
{
	return !allocator->allocate == !allocator->release;
}

rbl_io_memory rbl_io_memory_of(const rbl_allocator *allocator)
{
	if (allocator->allocate)
		return (rbl_io_memory){ *allocator, RBL_OK };
	return (rbl_io_memory){ { default_allocate, default_release, NULL }, RBL_OK };
}

void *rbl_io_allocate(rbl_io_memory *memory, size_t count, size_t size)
{
	void *block = NULL;
	if (count == 0)
		count = 1;
	if (count <= SIZE_MAX / size)
		block = memory->allocator.allocate(memory->allocator.user, count * size, ALIGNMENT);
	if (!block) {
		memory->failure = RBL_OUT_OF_MEMORY;
		rbl_log_text(RBL_LOG_ERROR, "out of memory for a file that is read or written");
	}
	return block;
}

void rbl_io_release(rbl_io_memory *memory, void *block, size_t count, size_t size)
{
	if (block)
		memory->allocator.release(memory->allocator.user, block, (count ? count : 1) * size);
}

bool rbl_io_grow(rbl_io_memory *memory, void **data, int count, int *capacity, int wanted,
                 size_t size)
{
	if (wanted > RBL_MAX_MESH_ITEMS) {
		memory->failure = RBL_LIMIT_REACHED;
		return false;
	}
	int grown = *capacity > RBL_MAX_MESH_ITEMS / 2 ? RBL_MAX_MESH_ITEMS : *capacity * 2;
	grown = grown > wanted ? grown : wanted;
	grown = grown > 16 ? grown : 16;
	void *block = rbl_io_allocate(memory, (size_t)grown, size);
	if (!block)
		return false;
	if (count > 0)
		memcpy(block, *data, (size_t)count * size);
	rbl_io_release(memory, *data, (size_t)*capacity, size);
	*data = block;
	*capacity = grown;
	return true;
}

// The hash never shows in a result.
static uint32_t hash_row(const unsigned char *row, size_t size)
{
	uint64_t hash = size;
	for (size_t i = 0; i < size; i += 4) {
		uint32_t word;
		memcpy(&word, row + i, 4);
		hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash ^ hash >> 32);
}

int rbl_io_unique(rbl_io_memory *memory, const void *rows, int row_count, size_t row_size,
                  int *indices, int *firsts)
{
	size_t slot_count = 16;
	while (slot_count < (size_t)row_count * 2)
		slot_count *= 2;
	int *slots = RBL_IO_NEW(memory, int, slot_count);
	if (!slots)
		return -1;
	memset(slots, 0xff, slot_count * sizeof *slots);
	const unsigned char *bytes = rows;
	int count = 0;
	for (int i = 0; i < row_count; ++i) {
		const unsigned char *row = bytes + (size_t)i * row_size;
		size_t slot = hash_row(row, row_size) & (slot_count - 1);
		while (slots[slot] >= 0 &&
		       memcmp(bytes + (size_t)firsts[slots[slot]] * row_size, row, row_size) != 0)
			slot = (slot + 1) & (slot_count - 1);
		if (slots[slot] < 0) {
			slots[slot] = count;
			firsts[count++] = i;
		}
		indices[i] = slots[slot];
	}
	RBL_IO_FREE(memory, slots, slot_count);
	return count;
}

void *rbl_io_output_reserve(rbl_io_output *output, size_t size)
{
	if (output->memory.failure != RBL_OK)
		return NULL;
	if (size <= output->capacity - output->size)
		return output->data + output->size;
	if (size > SIZE_MAX / 2 - output->size) {
		output->memory.failure = RBL_OUT_OF_MEMORY;
		return NULL;
	}
	size_t wanted = output->size + size;
	size_t capacity = output->capacity * 2 > wanted ? output->capacity * 2 : wanted;
	capacity = capacity > 4096 ? capacity : 4096;
	unsigned char *data = rbl_io_allocate(&output->memory, capacity, 1);
	if (!data)
		return NULL;
	if (output->size > 0)
		memcpy(data, output->data, output->size);
	rbl_io_release(&output->memory, output->data, output->capacity, 1);
	output->data = data;
	output->capacity = capacity;
	return data + output->size;
}

void rbl_io_put(rbl_io_output *output, const void *bytes, size_t size)
{
	void *space = rbl_io_output_reserve(output, size);
	if (!space || size == 0)
		return;
	memcpy(space, bytes, size);
	output->size += size;
}

void rbl_io_put_text(rbl_io_output *output, const char *text)
{
	rbl_io_put(output, text, strlen(text));
}

void rbl_io_put_format(rbl_io_output *output, const char *format, ...)
{
	char text[500];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	rbl_io_put_text(output, text);
}

void rbl_io_put_int(rbl_io_output *output, int value)
{
	char *space = rbl_io_output_reserve(output, RBL_IO_NUMBER_LENGTH);
	if (space)
		output->size += (size_t)rbl_io_format_int(value, space);
}

void rbl_io_put_double(rbl_io_output *output, double value)
{
	char *space = rbl_io_output_reserve(output, RBL_IO_NUMBER_LENGTH);
	if (space)
		output->size += (size_t)rbl_io_format_double(value, space);
}

void rbl_io_put_float(rbl_io_output *output, float value)
{
	char *space = rbl_io_output_reserve(output, RBL_IO_NUMBER_LENGTH);
	if (space)
		output->size += (size_t)rbl_io_format_float(value, space);
}

static inline void put_little_endian(rbl_io_output *output, uint64_t bits, size_t size)
{
	unsigned char *space = rbl_io_output_reserve(output, size);
	if (!space)
		return;
	for (size_t i = 0; i < size; ++i)
		space[i] = (unsigned char)(bits >> 8 * i);
	output->size += size;
}

void rbl_io_put_u16(rbl_io_output *output, uint16_t value)
{
	put_little_endian(output, value, 2);
}

void rbl_io_put_u32(rbl_io_output *output, uint32_t value)
{
	put_little_endian(output, value, 4);
}

void rbl_io_put_f32(rbl_io_output *output, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, 4);
	put_little_endian(output, bits, 4);
}

void rbl_io_put_f64(rbl_io_output *output, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, 8);
	put_little_endian(output, bits, 8);
}

void rbl_io_free_output(rbl_io_output *output)
{
	rbl_io_release(&output->memory, output->data, output->capacity, 1);
	output->data = NULL;
	output->size = output->capacity = 0;
}
