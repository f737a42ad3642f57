// SPDX-License-Identifier: MIT
// Fields as bytes: what is read answers like what was written, and what is damaged is refused.

#include "shapes.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "faulty_allocator.h"
#include "field/asset_field.h"

typedef struct saved {
	unsigned char *bytes;
	size_t size;
} saved;

static saved save(test *t, const rbl_distance_field *field)
{
	saved s = { NULL, 0 };
	CHECK(t, rbl_distance_field_save(field, NULL, &s.size) == RBL_OK);
	s.bytes = malloc(s.size);
	size_t room = s.size - 1;
	CHECK(t, rbl_distance_field_save(field, s.bytes, &room) == RBL_LIMIT_REACHED && room == s.size);
	CHECK(t, rbl_distance_field_save(field, s.bytes, &s.size) == RBL_OK);
	return s;
}

static rbl_distance_field *make(void)
{
	rbl_mesh *mesh = make_shape(SHAPE_TORUS, NULL);
	rbl_distance_field *field = make_field(mesh, 16, 0.0);
	rbl_destroy_mesh(mesh);
	return field;
}

// The header's hash, for content that was changed on purpose.
static void seal(saved s)
{
	uint64_t hash =
		rbl_hash_bytes(RBL_HASH_START, s.bytes + RBL_BLOB_HEADER, s.size - RBL_BLOB_HEADER);
	for (int i = 0; i < 8; ++i)
		s.bytes[16 + i] = (unsigned char)(hash >> 8 * i);
}

static void what_is_read_answers_alike(test *t)
{
	enum { POINTS = 500 };
	rbl_distance_field *field = make(), *back = NULL;
	saved s = save(t, field);
	CHECK(t, rbl_distance_field_load(s.bytes, s.size, NULL, &back) == RBL_OK);
	rbl_distance_field_info a = rbl_distance_field_get_info(field),
							b = rbl_distance_field_get_info(back);
	CHECK(t, memcmp(&a, &b, sizeof a) == 0);
	rbl_random random = rbl_random_from_seed(1);
	rbl_vec3 points[POINTS], gradients[2][POINTS];
	float distances[2][POINTS], bounds[2][POINTS];
	for (int i = 0; i < POINTS; ++i)
		points[i] = rbl_to_f(rbl_random_in_ball(&random));
	rbl_distance_field_evaluate(field, points, POINTS, distances[0], bounds[0], gradients[0]);
	rbl_distance_field_evaluate(back, points, POINTS, distances[1], bounds[1], gradients[1]);
	CHECK(t, memcmp(distances[0], distances[1], sizeof distances[0]) == 0);
	CHECK(t, memcmp(bounds[0], bounds[1], sizeof bounds[0]) == 0);
	CHECK(t, memcmp(gradients[0], gradients[1], sizeof gradients[0]) == 0);
	saved again = save(t, back);
	CHECK(t, again.size == s.size && memcmp(again.bytes, s.bytes, s.size) == 0);
	free(again.bytes);
	free(s.bytes);
	rbl_destroy_distance_field(field);
	rbl_destroy_distance_field(back);
}

// The format does not change by accident: version and hash of a field of today.
static void bytes_are_the_same_everywhere(test *t)
{
	rbl_distance_field *field = make();
	saved s = save(t, field);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, s.bytes, s.size);
	CHECK(t, memcmp(s.bytes, "RBLD", 4) == 0 && s.bytes[4] == 1);
	CHECK(t, hash == UINT64_C(0x40723aa41a9e31e6));
	if (hash != UINT64_C(0x40723aa41a9e31e6))
		printf("hash 0x%016llx\n", (unsigned long long)hash);
	free(s.bytes);
	rbl_destroy_distance_field(field);
}

static void every_prefix_is_refused(test *t)
{
	rbl_distance_field *field = make();
	saved s = save(t, field);
	for (size_t n = 0; n < s.size; n += n < 300 ? 1 : 997) {
		rbl_distance_field *back = field;
		CHECK(t, rbl_distance_field_load(s.bytes, n, NULL, &back) == RBL_BAD_FILE && !back);
		// And with a header that is right.
		saved part = { malloc(s.size), n };
		memcpy(part.bytes, s.bytes, n);
		if (n >= RBL_BLOB_HEADER) {
			for (int i = 0; i < 8; ++i)
				part.bytes[8 + i] = (unsigned char)((uint64_t)n >> 8 * i);
			seal(part);
			CHECK(t, rbl_distance_field_load(part.bytes, n, NULL, &back) == RBL_BAD_FILE && !back);
		}
		free(part.bytes);
	}
	free(s.bytes);
	rbl_destroy_distance_field(field);
}

static void flipped_bytes_are_refused_or_harmless(test *t)
{
	rbl_distance_field *field = make();
	saved s = save(t, field);
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < 2000; ++i) {
		size_t at = i < 400 ? (size_t)i % s.size : rbl_random_below(&random, (uint32_t)s.size);
		unsigned char was = s.bytes[at];
		s.bytes[at] ^= (unsigned char)(1u << rbl_random_below(&random, 8));
		rbl_distance_field *back = NULL;
		CHECK(t, rbl_distance_field_load(s.bytes, s.size, NULL, &back) == RBL_BAD_FILE && !back);
		if (at >=
		    RBL_BLOB_HEADER) { // with a right hash it is refused, or a field that can be asked
			unsigned char header[RBL_BLOB_HEADER];
			memcpy(header, s.bytes, sizeof header);
			seal(s);
			rbl_result result = rbl_distance_field_load(s.bytes, s.size, NULL, &back);
			CHECK(t, result == RBL_BAD_FILE || (result == RBL_OK && back));
			for (int k = 0; back && k < 50; ++k) {
				rbl_vec3 p = rbl_to_f(rbl_random_in_ball(&random)), gradient;
				float distance, bound;
				rbl_distance_field_evaluate(back, &p, 1, &distance, &bound, &gradient);
			}
			rbl_destroy_distance_field(back);
			memcpy(s.bytes, header, sizeof header);
		}
		s.bytes[at] = was;
	}
	free(s.bytes);
	rbl_destroy_distance_field(field);
}

static void every_allocation_of_reading_may_fail(test *t)
{
	rbl_distance_field *field = make();
	saved s = save(t, field);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_distance_field *back = field;
		rbl_result result = rbl_distance_field_load(s.bytes, s.size, &allocator, &back);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		CHECK(t, memory.failed == (back == NULL));
		rbl_destroy_distance_field(back);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
	}
	free(s.bytes);
	rbl_destroy_distance_field(field);
}

static void arguments_are_checked(test *t)
{
	rbl_distance_field *field = make(), *back = field;
	saved s = save(t, field);
	size_t size = 0;
	const rbl_allocator half = { faulty_allocate, NULL, NULL };
	CHECK(t, rbl_distance_field_save(NULL, NULL, &size) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_save(field, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_load(NULL, 10, NULL, &back) == RBL_BAD_ARGUMENT && !back);
	CHECK(t, rbl_distance_field_load(s.bytes, s.size, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_distance_field_load(s.bytes, s.size, &half, &back) == RBL_BAD_ARGUMENT && !back);
	CHECK(t, rbl_distance_field_load("RBLAssss", 8, NULL, &back) == RBL_BAD_FILE);
	free(s.bytes);
	rbl_destroy_distance_field(field);
}

TEST_MAIN(TEST(what_is_read_answers_alike), TEST(bytes_are_the_same_everywhere),
          TEST(every_prefix_is_refused), TEST(flipped_bytes_are_refused_or_harmless),
          TEST(every_allocation_of_reading_may_fail), TEST(arguments_are_checked))
