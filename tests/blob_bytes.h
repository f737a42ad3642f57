// SPDX-License-Identifier: MIT
// Things as bytes, for tests of the rooms that write and read them.
#pragma once

#include "base/blob.h"

#include <stdlib.h>

typedef struct blob_bytes {
	unsigned char *data; // the test's to free
	size_t size;
} blob_bytes;

typedef void blob_put_function(rbl_blob_writer *w, const void *thing);
typedef bool blob_get_function(rbl_blob_reader *r, const rbl_allocator *allocator, void *thing);

/// Count, make room, write.
static inline blob_bytes blob_save(blob_put_function *put, const void *thing)
{
	rbl_blob_writer w = { 0 };
	put(&w, thing);
	blob_bytes out = { malloc(w.at), w.at };
	w = (rbl_blob_writer){ .bytes = out.data };
	put(&w, thing);
	return out;
}

/// @param r  receives the reader as it was left, without its scratch
/// @return what `get` does
static inline bool blob_load(blob_bytes from, const rbl_allocator *allocator,
                             blob_get_function *get, rbl_blob_reader *r, void *thing)
{
	*r = (rbl_blob_reader){ .bytes = from.data, .size = from.size };
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_arena_init(&r->scratch, &own, 0);
	bool ok = get(r, allocator, thing);
	rbl_arena_destroy(&r->scratch);
	return ok;
}
