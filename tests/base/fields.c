// SPDX-License-Identifier: MIT
// Field lists: one table writes, reads and checks.

#include "base/fields.h"

#include "blob_bytes.h"
#include "test.h"

#include <math.h>

typedef struct sample {
	int32_t kind;
	float pose[7];
	float share;
	uint32_t bits;
	uint64_t user;
	double size;
	bool is_open;
	uint8_t level;
} sample;

static const rbl_field sample_fields[] = {
	RBL_FIELD_INT(sample, kind, 0, 2),
	RBL_FIELD_FLOATS(sample, pose),
	RBL_FIELD_RANGE(sample, share, 0.0, 1.0),
	RBL_FIELD_BITS(sample, bits),
	RBL_FIELD_LONGS(sample, user),
	RBL_FIELD_DOUBLES(sample, size),
	RBL_FIELD_BOOL(sample, is_open),
	RBL_FIELD_BYTE(sample, level, 1, 9),
};

static const sample good = {
	1, { 1, 2, 3, 0, 0, 0, 1 }, 0.25f, 0xffffffffu, UINT64_C(1) << 60, 1e9, true, 7
};

static void put_sample(rbl_blob_writer *w, const void *thing)
{
	rbl_blob_put_struct(w, sample_fields, thing);
}

static bool get_sample(rbl_blob_reader *r, const rbl_allocator *allocator, void *thing)
{
	(void)allocator;
	return rbl_blob_get_struct(r, sample_fields, thing);
}

static void what_was_put_is_got(test *t)
{
	blob_bytes bytes = blob_save(put_sample, &good);
	CHECK(t, bytes.size == 4 + 28 + 4 + 4 + 8 + 8 + 4 + 4);
	CHECK(t, bytes.data[0] == 1 && bytes.data[40] == 0 && bytes.data[47] == 0x10); // little-endian
	sample back = { 0 };
	rbl_blob_reader r;
	CHECK(t, blob_load(bytes, NULL, get_sample, &r, &back));
	CHECK(t, back.kind == 1 && back.pose[2] == 3.0f && back.share == 0.25f && back.is_open);
	CHECK(t, back.bits == good.bits && back.user == good.user && back.size == 1e9);
	CHECK(t, back.level == 7 && r.at == bytes.size && !rbl_find_wrong_field(sample_fields, &back));
	for (size_t size = 0; size < bytes.size; ++size) // nothing shorter is taken
		CHECK(t, !blob_load((blob_bytes){ bytes.data, size }, NULL, get_sample, &r, &back));
	free(bytes.data);
}

static void check_refused(test *t, sample wrong, const char *name)
{
	const rbl_field *found = rbl_find_wrong_field(sample_fields, &wrong);
	CHECK(t, found && strcmp(found->name, name) == 0);
	blob_bytes bytes = blob_save(put_sample, &wrong);
	rbl_blob_reader r;
	sample back = { 0 };
	CHECK(t, !blob_load(bytes, NULL, get_sample, &r, &back));
	CHECK(t, r.wrong && strcmp(r.wrong, name) == 0);
	free(bytes.data);
}

static void wrong_values_are_named(test *t)
{
	sample s = good;
	s.kind = 3;
	check_refused(t, s, "sample.kind");
	s = good, s.kind = -1;
	check_refused(t, s, "sample.kind");
	s = good, s.pose[6] = NAN;
	check_refused(t, s, "sample.pose");
	s = good, s.pose[0] = INFINITY;
	check_refused(t, s, "sample.pose");
	s = good, s.share = 1.5f;
	check_refused(t, s, "sample.share");
	s = good, s.size = -INFINITY;
	check_refused(t, s, "sample.size");
	s = good, s.level = 0;
	check_refused(t, s, "sample.level");
}

// A block may hold a flag of 256, which would be 0 in a byte.
static void flags_of_a_block_are_0_or_1(test *t)
{
	blob_bytes bytes = blob_save(put_sample, &good);
	for (int value = 0; value < 4; ++value) {
		bytes.data[56] = (unsigned char)(value & 1), bytes.data[57] = (unsigned char)(value >> 1);
		sample back = { 0 };
		rbl_blob_reader r;
		CHECK(t, blob_load(bytes, NULL, get_sample, &r, &back) == (value < 2));
		CHECK(t, value >= 2 || back.is_open == (value == 1));
	}
	free(bytes.data);
}

TEST_MAIN(TEST(what_was_put_is_got), TEST(wrong_values_are_named),
          TEST(flags_of_a_block_are_0_or_1))
