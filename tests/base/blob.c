// SPDX-License-Identifier: MIT
// Blocks of bytes: what was put is got, and nothing else is taken for it.

#include "base/blob.h"

#include "base/id_pool.h"

#include "faulty_allocator.h"
#include "test.h"

static const rbl_blob_kind kind = { { 'T', 'E', 'S', 'T' }, 3, "test block" };

typedef RBL_ARRAY(int32_t) numbers;

static void put_content(rbl_blob_writer *w, const numbers *array)
{
	w->at = RBL_BLOB_HEADER;
	size_t part = rbl_blob_begin(w, "ONE ");
	rbl_blob_put32(w, 7);
	rbl_blob_put64(w, UINT64_C(0x123456789abcdef0));
	rbl_blob_put_float(w, -1.5f);
	rbl_blob_put_double(w, 0.1);
	rbl_blob_put_bool(w, true);
	rbl_blob_put_array(w, array);
	rbl_blob_end(w, part);
}

static size_t make_block(unsigned char *bytes, size_t capacity, const numbers *array)
{
	rbl_blob_writer w = { 0 };
	bool wants;
	size_t size = capacity;
	put_content(&w, array);
	if (rbl_blob_check_capacity(&w, bytes, &size, &wants) != RBL_OK || !wants)
		return 0;
	put_content(&w, array);
	rbl_blob_seal(&w, &kind);
	return size;
}

static void what_was_put_is_got(test *t)
{
	int32_t items[3] = { -1, 5, 9 };
	numbers array = { items, 3, 3 }, back = { 0 };
	unsigned char bytes[256];
	size_t size = make_block(bytes, sizeof bytes, &array);
	CHECK(t, size > 0);
	CHECK(t, bytes[RBL_BLOB_HEADER + 12] == 7); // little-endian everywhere
	rbl_allocator a = rbl_allocator_or_default(NULL);
	rbl_blob_reader r;
	CHECK(t, rbl_blob_open(&r, &kind, bytes, size, NULL) == RBL_OK);
	size_t end = rbl_blob_enter(&r, "ONE ");
	CHECK(t, rbl_blob_get_int(&r, 0, 10) == 7);
	CHECK(t, rbl_blob_get64(&r) == UINT64_C(0x123456789abcdef0));
	CHECK(t, rbl_blob_get_finite(&r) == -1.5f);
	CHECK(t, rbl_blob_get_double(&r) == 0.1);
	CHECK(t, rbl_blob_get_bool(&r));
	CHECK(t, rbl_blob_get_array(&r, &a, &back));
	CHECK(t, back.count == 3 && memcmp(back.data, items, sizeof items) == 0);
	CHECK(t, rbl_blob_leave(&r, end) && rbl_blob_result(&r) == RBL_OK);
	CHECK(t, rbl_blob_get32(&r) == 0 && rbl_blob_result(&r) == RBL_BAD_FILE); // nothing is left
	rbl_array_free(&a, &back);
	rbl_blob_close(&r);
}

static void prefixes_and_flips_are_refused(test *t)
{
	int32_t items[3] = { -1, 5, 9 };
	numbers array = { items, 3, 3 };
	unsigned char bytes[256];
	size_t size = make_block(bytes, sizeof bytes, &array);
	rbl_blob_reader r;
	for (size_t n = 0; n < size; ++n)
		CHECK(t, rbl_blob_open(&r, &kind, bytes, n, NULL) == RBL_BAD_FILE);
	for (size_t i = 0; i < size; ++i)
		for (int bit = 0; bit < 8; ++bit) {
			bytes[i] ^= (unsigned char)(1 << bit);
			CHECK(t, rbl_blob_open(&r, &kind, bytes, size, NULL) == RBL_BAD_FILE);
			bytes[i] ^= (unsigned char)(1 << bit);
		}
	size_t small = size - 1;
	rbl_blob_writer w = { .at = size };
	bool wants = true;
	CHECK(t, rbl_blob_check_capacity(&w, bytes, &small, &wants) == RBL_LIMIT_REACHED && !wants);
	CHECK(t, small == size);
}

// Of an older or a newer library: the sentence says what to do.
static void other_versions_are_refused_with_what_to_do(test *t)
{
	numbers array = { 0 };
	unsigned char bytes[256];
	size_t size = make_block(bytes, sizeof bytes, &array);
	for (int version = 2; version <= 4; version += 2) {
		rbl_blob_reader r;
		bytes[4] = (unsigned char)version;
		CHECK(t, rbl_blob_open(&r, &kind, bytes, size, NULL) == RBL_BAD_FILE);
		char want[100];
		snprintf(want, sizeof want,
		         "version %d of a block \"test block\", this reads 3: make it again", version);
		CHECK(t, strstr(rbl_last_error(), want) == rbl_last_error());
	}
}

static void wrong_numbers_are_refused(test *t)
{
	unsigned char bytes[64] = { 0 };
	rbl_blob_writer w = { .bytes = bytes };
	rbl_blob_put32(&w, 2);          // no flag
	rbl_blob_put32(&w, 0x7f800000); // infinite
	rbl_blob_put32(&w, 11);         // out of range
	rbl_blob_put32(&w, 1000);       // more than follows
	rbl_blob_reader clean = { .bytes = bytes, .size = 20 }, r = clean;
	CHECK(t, !rbl_blob_get_bool(&r) && r.is_bad);
	r = clean, r.at = 4;
	CHECK(t, rbl_blob_get_finite(&r) == 0.0f && r.is_bad);
	r = clean, r.at = 8;
	CHECK(t, rbl_blob_get_int(&r, 3, 10) == 3 && r.is_bad);
	r = clean, r.at = 12;
	CHECK(t, rbl_blob_get_count(&r, 4) == 0 && r.is_bad && r.wrong);
	r = clean;
	CHECK(t, !rbl_blob_scratch(&r, 100, 4) && r.is_bad);
	r = clean;
	rbl_blob_enter(&r, "NONE");
	CHECK(t, r.is_bad);
	int32_t ints[2] = { 0, 4 };
	CHECK(t, rbl_ints_are_within(ints, 2, 0, 5) && !rbl_ints_are_within(ints, 2, 0, 4));
}

// Free slots, lives and what comes next are those of the pool that was saved.
static void ids_go_on_where_they_were(test *t)
{
	rbl_allocator a = rbl_allocator_or_default(NULL);
	rbl_id_pool pool = { 0 };
	rbl_id ids[100];
	for (int i = 0; i < 100; ++i)
		ids[i] = rbl_id_pool_add(&a, &pool);
	for (int i = 0; i < 100; i += 3)
		rbl_id_pool_remove(&pool, ids[i]);
	unsigned char bytes[512];
	rbl_blob_writer w = { .bytes = bytes };
	rbl_id_pool_save(&pool, &w);
	for (int fails_at = 0; fails_at < 4; ++fails_at) {
		faulty_allocator memory;
		faulty_init(&memory, fails_at);
		rbl_allocator faulty = FAULTY(&memory);
		rbl_id_pool copy = { 0 };
		rbl_blob_reader r = { .bytes = bytes, .size = w.at };
		bool ok = rbl_id_pool_load(&r, &faulty, &copy, 100);
		CHECK(t, ok ? copy.live_count == pool.live_count : r.out_of_memory);
		for (int i = 0; ok && i < 100; ++i)
			CHECK(t, rbl_id_pool_has(&copy, ids[i]) == rbl_id_pool_has(&pool, ids[i]));
		rbl_id_pool_free(&faulty, &copy);
		CHECK(t, memory.live_bytes == 0);
	}
	rbl_id_pool copy = { 0 };
	rbl_blob_reader r = { .bytes = bytes, .size = w.at };
	CHECK(t, rbl_id_pool_load(&r, &a, &copy, 100));
	for (int i = 0; i < 50; ++i) {
		rbl_id x = rbl_id_pool_add(&a, &pool), y = rbl_id_pool_add(&a, &copy);
		CHECK(t, x.index == y.index && x.generation == y.generation);
	}
	rbl_id_pool_free(&a, &copy);
	r = (rbl_blob_reader){ .bytes = bytes, .size = w.at };
	CHECK(t, !rbl_id_pool_load(&r, &a, &copy, 99));
	rbl_id_pool_free(&a, &copy);
	rbl_id_pool_free(&a, &pool);
}

TEST_MAIN(TEST(what_was_put_is_got), TEST(prefixes_and_flips_are_refused),
          TEST(other_versions_are_refused_with_what_to_do), TEST(wrong_numbers_are_refused),
          TEST(ids_go_on_where_they_were))
