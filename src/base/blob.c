// SPDX-License-Identifier: MIT
//
// Blocks of bytes.
//
// On a little-endian machine arrays are copied; elsewhere they are turned word by word. There is no
// other difference between machines.

#include "base/blob.h"

#include "base/hash.h"
#include "base/log.h"

enum { MAX_ITEMS = 1 << 28 };

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
enum { IS_LITTLE = 0 };
#else
enum { IS_LITTLE = 1 };
#endif

// --- writing ------------------------------------------------------------------------------------

static void write_little(unsigned char *to, uint64_t value, int size)
{
	for (int i = 0; i < size; ++i)
		to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t read_little(const unsigned char *from, int size)
{
	uint64_t value = 0;
	for (int i = size - 1; i >= 0; --i)
		value = value << 8 | from[i];
	return value;
}

// @return where `size` bytes go, NULL when they are counted only
static unsigned char *put(rbl_blob_writer *w, size_t size)
{
	size_t at = w->at;
	w->at += size;
	return w->bytes && (w->capacity == 0 || w->at <= w->capacity) ? w->bytes + at : NULL;
}

void rbl_blob_put32(rbl_blob_writer *w, uint32_t value)
{
	unsigned char *to = put(w, 4);
	if (to)
		write_little(to, value, 4);
}

void rbl_blob_put64(rbl_blob_writer *w, uint64_t value)
{
	unsigned char *to = put(w, 8);
	if (to)
		write_little(to, value, 8);
}

void rbl_blob_put_float(rbl_blob_writer *w, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	rbl_blob_put32(w, bits);
}

void rbl_blob_put_double(rbl_blob_writer *w, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	rbl_blob_put64(w, bits);
}

void rbl_blob_put_bytes(rbl_blob_writer *w, const void *bytes, size_t size)
{
	unsigned char *to = put(w, size);
	if (to && size > 0)
		memcpy(to, bytes, size);
}

void rbl_blob_put_words(rbl_blob_writer *w, const void *words, size_t count)
{
	if (IS_LITTLE) {
		rbl_blob_put_bytes(w, words, 4 * count);
		return;
	}
	for (size_t i = 0; i < count; ++i) {
		uint32_t word;
		memcpy(&word, (const char *)words + 4 * i, 4);
		rbl_blob_put32(w, word);
	}
}

void rbl_blob_put_longs(rbl_blob_writer *w, const void *longs, size_t count)
{
	if (IS_LITTLE) {
		rbl_blob_put_bytes(w, longs, 8 * count);
		return;
	}
	for (size_t i = 0; i < count; ++i) {
		uint64_t word;
		memcpy(&word, (const char *)longs + 8 * i, 8);
		rbl_blob_put64(w, word);
	}
}

void rbl_blob_put_halves(rbl_blob_writer *w, const uint16_t *halves, size_t count)
{
	unsigned char *to = put(w, 2 * count);
	for (size_t i = 0; to && i < count; ++i)
		write_little(to + 2 * i, halves[i], 2);
}

void rbl_blob_put_items(rbl_blob_writer *w, const void *items, int count, size_t size)
{
	RBL_ASSERT(size % 4 == 0);
	rbl_blob_put32(w, (uint32_t)count);
	rbl_blob_put_words(w, items, (size_t)count * (size / 4));
}

size_t rbl_blob_begin(rbl_blob_writer *w, const char *tag)
{
	rbl_blob_put_bytes(w, tag, 4);
	rbl_blob_put64(w, 0);
	return w->at;
}

void rbl_blob_end(rbl_blob_writer *w, size_t begin)
{
	if (w->bytes && (w->capacity == 0 || begin <= w->capacity))
		write_little(w->bytes + begin - 8, (uint64_t)(w->at - begin), 8);
}

void rbl_blob_seal(rbl_blob_writer *w, const rbl_blob_kind *kind)
{
	size_t size = w->at;
	uint64_t hash =
		rbl_hash_bytes(RBL_HASH_START, w->bytes + RBL_BLOB_HEADER, size - RBL_BLOB_HEADER);
	w->at = 0;
	rbl_blob_put_bytes(w, kind->magic, 4);
	rbl_blob_put32(w, kind->version);
	rbl_blob_put64(w, (uint64_t)size);
	rbl_blob_put64(w, hash);
	w->at = size;
}

rbl_result rbl_blob_check_capacity(rbl_blob_writer *w, void *bytes, size_t *size, bool *wants)
{
	size_t capacity = *size;
	*size = w->at;
	*wants = bytes && capacity >= *size;
	if (bytes && capacity < *size)
		return rbl_fail(RBL_LIMIT_REACHED, "space for %zu bytes, need %zu", capacity, *size);
	*w = (rbl_blob_writer){ .bytes = bytes };
	return RBL_OK;
}

// --- reading ------------------------------------------------------------------------------------

bool rbl_blob_is(const rbl_blob_kind *kind, const void *bytes, size_t size)
{
	return bytes && size >= RBL_BLOB_HEADER && memcmp(bytes, kind->magic, 4) == 0;
}

rbl_result rbl_blob_open(rbl_blob_reader *r, const rbl_blob_kind *kind, const void *bytes,
                         size_t size, const rbl_allocator *allocator)
{
	if (!rbl_blob_is(kind, bytes, size))
		return rbl_fail(RBL_BAD_FILE, "these bytes are no %s", kind->name);
	*r = (rbl_blob_reader){ .bytes = bytes, .at = 4, .size = size };
	uint32_t version = rbl_blob_get32(r);
	if (version != kind->version)
		return rbl_fail(
			RBL_BAD_FILE,
			"version %u of a block \"%s\", this reads %u: make it again with this library",
			(unsigned)version, kind->name, (unsigned)kind->version);
	uint64_t told = rbl_blob_get64(r), hash = rbl_blob_get64(r);
	if (told != size ||
	    hash != rbl_hash_bytes(RBL_HASH_START, r->bytes + RBL_BLOB_HEADER, size - RBL_BLOB_HEADER))
		return rbl_fail(RBL_BAD_FILE, "the %s is damaged: %s", kind->name,
		                told != size ? "its size is wrong" : "its hash is wrong");
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_arena_init(&r->scratch, &own, 1 << 16);
	return RBL_OK;
}

void rbl_blob_close(rbl_blob_reader *r)
{
	rbl_arena_destroy(&r->scratch);
}

bool rbl_blob_refuse(rbl_blob_reader *r, const char *wrong)
{
	if (!r->is_bad)
		r->wrong = wrong;
	r->is_bad = true;
	return false;
}

// The next `size` bytes; NULL when there are not so many.
static const unsigned char *take(rbl_blob_reader *r, size_t size)
{
	if (r->is_bad || r->size - r->at < size) {
		rbl_blob_refuse(r, "it ends too early");
		return NULL;
	}
	const unsigned char *p = r->bytes + r->at;
	r->at += size;
	return p;
}

uint32_t rbl_blob_get32(rbl_blob_reader *r)
{
	const unsigned char *p = take(r, 4);
	return p ? (uint32_t)read_little(p, 4) : 0;
}

uint64_t rbl_blob_get64(rbl_blob_reader *r)
{
	const unsigned char *p = take(r, 8);
	return p ? read_little(p, 8) : 0;
}

float rbl_blob_get_float(rbl_blob_reader *r)
{
	uint32_t bits = rbl_blob_get32(r);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

double rbl_blob_get_double(rbl_blob_reader *r)
{
	uint64_t bits = rbl_blob_get64(r);
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

bool rbl_blob_get_bool(rbl_blob_reader *r)
{
	uint32_t value = rbl_blob_get32(r);
	rbl_blob_expect(r, value <= 1, "a flag is neither set nor clear");
	return value == 1;
}

float rbl_blob_get_finite(rbl_blob_reader *r)
{
	float value = rbl_blob_get_float(r);
	return rbl_blob_expect(r, rbl_floats_are_finite(&value, 1), "a number is not finite") ? value
	                                                                                      : 0.0f;
}

int rbl_blob_get_int(rbl_blob_reader *r, int min, int max)
{
	int value = (int)rbl_blob_get32(r);
	return rbl_blob_expect(r, value >= min && value <= max, "a number is out of range") ? value
	                                                                                    : min;
}

bool rbl_blob_get_bytes(rbl_blob_reader *r, void *bytes, size_t size)
{
	if (size == 0)
		return !r->is_bad;
	const unsigned char *p = take(r, size);
	if (p)
		memcpy(bytes, p, size);
	else
		memset(bytes, 0, size);
	return p != NULL;
}

bool rbl_blob_get_words(rbl_blob_reader *r, void *words, size_t count)
{
	bool ok = rbl_blob_get_bytes(r, words, 4 * count);
	for (size_t i = 0; !IS_LITTLE && i < count; ++i) {
		uint32_t word = (uint32_t)read_little((unsigned char *)words + 4 * i, 4);
		memcpy((char *)words + 4 * i, &word, 4);
	}
	return ok;
}

bool rbl_blob_get_longs(rbl_blob_reader *r, void *longs, size_t count)
{
	bool ok = rbl_blob_get_bytes(r, longs, 8 * count);
	for (size_t i = 0; !IS_LITTLE && i < count; ++i) {
		uint64_t word = read_little((unsigned char *)longs + 8 * i, 8);
		memcpy((char *)longs + 8 * i, &word, 8);
	}
	return ok;
}

bool rbl_blob_get_halves(rbl_blob_reader *r, uint16_t *halves, size_t count)
{
	const unsigned char *p = take(r, 2 * count);
	for (size_t i = 0; i < count; ++i)
		halves[i] = p ? (uint16_t)read_little(p + 2 * i, 2) : 0;
	return p != NULL;
}

int rbl_blob_get_count(rbl_blob_reader *r, size_t size)
{
	uint32_t count = rbl_blob_get32(r);
	bool fits = count <= MAX_ITEMS && count <= (r->size - r->at) / size;
	return rbl_blob_expect(r, fits, "a count is larger than what follows") ? (int)count : 0;
}

void *rbl_blob_scratch(rbl_blob_reader *r, size_t count, size_t size)
{
	if (count > MAX_ITEMS || r->is_bad || count > (r->size - r->at) / size) {
		rbl_blob_refuse(r, "a count is larger than what follows");
		return NULL;
	}
	void *memory = rbl_arena_allocate(&r->scratch, count, size);
	r->out_of_memory |= memory == NULL;
	return memory;
}

bool rbl_blob_get_items(rbl_blob_reader *r, const rbl_allocator *allocator, void **data, int *count,
                        int *capacity, size_t size)
{
	int wanted = rbl_blob_get_count(r, size);
	*count = 0;
	if (r->is_bad || r->out_of_memory)
		return false;
	if (wanted > *capacity && !rbl_array_grow(allocator, data, 0, capacity, wanted, size)) {
		r->out_of_memory = true;
		return false;
	}
	*count = wanted;
	return rbl_blob_get_words(r, *data, (size_t)wanted * (size / 4));
}

size_t rbl_blob_enter(rbl_blob_reader *r, const char *tag)
{
	char found[4];
	rbl_blob_get_bytes(r, found, 4);
	uint64_t size = rbl_blob_get64(r);
	rbl_blob_expect(r, memcmp(found, tag, 4) == 0 && size <= r->size - r->at,
	                "its parts are not in order");
	return r->is_bad ? r->at : r->at + (size_t)size;
}

bool rbl_blob_leave(rbl_blob_reader *r, size_t end)
{
	return rbl_blob_expect(r, r->at == end, "a part is longer or shorter than it says");
}

bool rbl_floats_are_finite(const void *floats, size_t count)
{
	const unsigned char *p = floats;
	uint32_t wrong = 0;
	for (size_t i = 0; i < count; ++i) {
		uint32_t bits;
		memcpy(&bits, p + 4 * i, 4);
		wrong |= (bits & 0x7f800000u) == 0x7f800000u;
	}
	return !wrong;
}

bool rbl_ints_are_within(const int32_t *ints, size_t count, int32_t min, int32_t end)
{
	bool ok = true;
	for (size_t i = 0; i < count; ++i)
		ok &= ints[i] >= min && ints[i] < end;
	return ok;
}
