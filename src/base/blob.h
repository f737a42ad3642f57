// SPDX-License-Identifier: MIT
// Blocks of bytes that outlive a process: little-endian, without pointers, with a hash.
//
//   magic[4]  u32 version  u64 size  u64 hash     then what is hashed
//
// The hash finds accidents. Who reads checks all numbers besides, so that a block with a right hash
// and wrong content is refused as well. Writing and counting are the same calls: who knows how much
// space there is counts first, who has some writes at once and finds out whether it was enough.
#pragma once

#include "base/memory.h"

#include <stdint.h>

/// Bytes of the header.
#define RBL_BLOB_HEADER 24

/// What kind of block it is.
typedef struct rbl_blob_kind {
	char magic[4];
	uint32_t version;
	const char *name; // for messages: "asset"
} rbl_blob_kind;

// --- writing ------------------------------------------------------------------------------------

typedef struct rbl_blob_writer {
	unsigned char *bytes; // NULL: only count
	size_t at;
	size_t capacity; // what does not fit is counted only; 0: there is enough
} rbl_blob_writer;

void rbl_blob_put32(rbl_blob_writer *w, uint32_t value);
void rbl_blob_put64(rbl_blob_writer *w, uint64_t value);
void rbl_blob_put_float(rbl_blob_writer *w, float value);
void rbl_blob_put_double(rbl_blob_writer *w, double value);
void rbl_blob_put_bytes(rbl_blob_writer *w, const void *bytes, size_t size);

/// Numbers of 32 bits, and of 64: also structs that consist of nothing else.
void rbl_blob_put_words(rbl_blob_writer *w, const void *words, size_t count);
void rbl_blob_put_longs(rbl_blob_writer *w, const void *longs, size_t count);

/// Numbers of 16 bits.
void rbl_blob_put_halves(rbl_blob_writer *w, const uint16_t *halves, size_t count);

static inline void rbl_blob_put_bool(rbl_blob_writer *w, bool value)
{
	rbl_blob_put32(w, value);
}

/// Zeros up to a multiple of four bytes, after content that is not made of words; and past them.
static inline void rbl_blob_put_padding(rbl_blob_writer *w)
{
	while (w->at % 4 != 0)
		rbl_blob_put_bytes(w, "", 1);
}

/// An array, with its count before it.
#define rbl_blob_put_array(w, array) \
	rbl_blob_put_items((w), (array)->data, (array)->count, sizeof *(array)->data)
void rbl_blob_put_items(rbl_blob_writer *w, const void *items, int count, size_t size);

/// A part of a block with a name of four letters; it knows its size.
size_t rbl_blob_begin(rbl_blob_writer *w, const char *tag);
void rbl_blob_end(rbl_blob_writer *w, size_t begin);

/// Fill the header once the content, which begins at RBL_BLOB_HEADER, is written.
void rbl_blob_seal(rbl_blob_writer *w, const rbl_blob_kind *kind);

/// The second half of a save function: whether the caller wants the bytes and gave space for them.
/// @param size  holds the capacity, receives what is needed
/// @return RBL_OK, RBL_LIMIT_REACHED; `wants` receives whether to write
rbl_result rbl_blob_check_capacity(rbl_blob_writer *w, void *bytes, size_t *size, bool *wants);

// --- reading ------------------------------------------------------------------------------------

/// Reads past the end give zero and make the reader bad, as everything does that is refused.
typedef struct rbl_blob_reader {
	const unsigned char *bytes;
	size_t at, size;
	bool is_bad, out_of_memory;
	const char *wrong; // what was refused first
	rbl_arena scratch; // of the reader's user
} rbl_blob_reader;

/// @return whether the bytes begin like a block of this kind
bool rbl_blob_is(const rbl_blob_kind *kind, const void *bytes, size_t size);

/// Check header and hash, and set up a reader of the content.
/// @return RBL_OK, RBL_BAD_FILE with a line in the log; only after RBL_OK is it to be closed
rbl_result rbl_blob_open(rbl_blob_reader *r, const rbl_blob_kind *kind, const void *bytes,
                         size_t size, const rbl_allocator *allocator);
void rbl_blob_close(rbl_blob_reader *r);

/// Refuse the block. @return false
bool rbl_blob_refuse(rbl_blob_reader *r, const char *wrong);

/// Refuse it unless something holds. @return whether the reader is still good
static inline bool rbl_blob_expect(rbl_blob_reader *r, bool holds, const char *wrong)
{
	return (holds || rbl_blob_refuse(r, wrong)) && !r->is_bad;
}

/// @return RBL_OK, RBL_OUT_OF_MEMORY, or RBL_BAD_FILE
static inline rbl_result rbl_blob_result(const rbl_blob_reader *r)
{
	return r->out_of_memory ? RBL_OUT_OF_MEMORY : r->is_bad ? RBL_BAD_FILE : RBL_OK;
}

uint32_t rbl_blob_get32(rbl_blob_reader *r);
uint64_t rbl_blob_get64(rbl_blob_reader *r);
float rbl_blob_get_float(rbl_blob_reader *r);
double rbl_blob_get_double(rbl_blob_reader *r);
bool rbl_blob_get_bool(rbl_blob_reader *r);

/// A float that must be finite.
float rbl_blob_get_finite(rbl_blob_reader *r);

/// A number from `min` to `max`, else the reader is bad and it is `min`.
int rbl_blob_get_int(rbl_blob_reader *r, int min, int max);

/// Items into memory; zeros when the block is too short. @return whether it was long enough
bool rbl_blob_get_words(rbl_blob_reader *r, void *words, size_t count);
bool rbl_blob_get_longs(rbl_blob_reader *r, void *longs, size_t count);
bool rbl_blob_get_halves(rbl_blob_reader *r, uint16_t *halves, size_t count);
bool rbl_blob_get_bytes(rbl_blob_reader *r, void *bytes, size_t size);

static inline void rbl_blob_get_padding(rbl_blob_reader *r)
{
	while (!r->is_bad && r->at % 4 != 0)
		rbl_blob_get_bytes(r, &(char){ 0 }, 1);
}

/// A count of things of at least `size` bytes each that follow.
int rbl_blob_get_count(rbl_blob_reader *r, size_t size);

/// Space in the scratch for items of which the block must hold as many bytes. @return NULL
/// otherwise
void *rbl_blob_scratch(rbl_blob_reader *r, size_t count, size_t size);

/// Read an array that rbl_blob_put_array() wrote. @return whether the reader is still good
#define rbl_blob_get_array(r, allocator, array)                                    \
	rbl_blob_get_items((r), (allocator), (void **)&(array)->data, &(array)->count, \
	                   &(array)->capacity, sizeof *(array)->data)
bool rbl_blob_get_items(rbl_blob_reader *r, const rbl_allocator *allocator, void **data, int *count,
                        int *capacity, size_t size);

/// Enter a part; @return where it ends. Leaving it expects to be there.
size_t rbl_blob_enter(rbl_blob_reader *r, const char *tag);
bool rbl_blob_leave(rbl_blob_reader *r, size_t end);

/// @return whether all are finite
bool rbl_floats_are_finite(const void *floats, size_t count);

/// @return whether all are in [least, end)
bool rbl_ints_are_within(const int32_t *ints, size_t count, int32_t min, int32_t end);
