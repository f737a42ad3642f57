// SPDX-License-Identifier: MIT
//
// Lane operations over a million inputs, each result hashed, in this file's back end.

#include "base/random.h"
#include "base/simd.h"

#include "same_bits.h"

typedef struct inputs {
	float a[8], b[8];
	double c[4], d[4];
	int32_t i[8], k[8];
} inputs;

// Three quarters moderate numbers, one quarter any bits at all.
static float any_float(rbl_random *random)
{
	uint32_t bits = rbl_random_u32(random), more = rbl_random_u32(random);
	if (more % 4)
		return ((float)(int32_t)bits) * 0x1p-24f;
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static double any_double(rbl_random *random)
{
	uint64_t bits = rbl_random_u64(random);
	if (bits % 4)
		return ((double)(int64_t)bits) * 0x1p-56;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static void fill(inputs *in, rbl_random *random)
{
	for (int i = 0; i < 8; ++i) {
		in->a[i] = any_float(random);
		in->b[i] = any_float(random);
		in->i[i] = (int32_t)rbl_random_u32(random);
		in->k[i] = (int32_t)rbl_random_u32(random);
	}
	for (int i = 0; i < 4; ++i) {
		in->c[i] = any_double(random);
		in->d[i] = any_double(random);
	}
}

static void add_floats(named_hash *to, const char *name, rbl_f8 value)
{
	float lanes[8];
	rbl_f8_store(lanes, value);
	to->name = name;
	for (int i = 0; i < 8; ++i)
		to->hash = hash_float(to->hash, lanes[i]);
}

static void add_ints(named_hash *to, const char *name, rbl_i8 value)
{
	int32_t lanes[8];
	rbl_i8_store(lanes, value);
	to->name = name;
	for (int i = 0; i < 8; ++i)
		to->hash = hash_word(to->hash, (uint32_t)lanes[i]);
}

static void add_doubles(named_hash *to, const char *name, rbl_d4 value)
{
	double lanes[4];
	rbl_d4_store(lanes, value);
	to->name = name;
	for (int i = 0; i < 4; ++i)
		to->hash = hash_double(to->hash, lanes[i]);
}

static void add_one(named_hash *to, const char *name, double value)
{
	to->name = name;
	to->hash = hash_double(to->hash, value);
}

int RBL_KERNEL(hash_lanes)(named_hash *hashes)
{
	for (int i = 0; i < HASH_CAPACITY; ++i)
		hashes[i] = (named_hash){ NULL, HASH_START };
	rbl_random random = rbl_random_from_seed(1);
	named_hash *to = hashes;
	for (int round = 0; round < HASH_INPUTS / 8; ++round) {
		inputs in;
		fill(&in, &random);
		rbl_f8 a = rbl_f8_load(in.a), b = rbl_f8_load(in.b);
		rbl_d4 c = rbl_d4_load(in.c), d = rbl_d4_load(in.d);
		rbl_i8 i = rbl_i8_load(in.i), k = rbl_i8_load(in.k);
		to = hashes;
		add_floats(to++, "f8_add", rbl_f8_add(a, b));
		add_floats(to++, "f8_sub", rbl_f8_sub(a, b));
		add_floats(to++, "f8_mul", rbl_f8_mul(a, b));
		add_floats(to++, "f8_div", rbl_f8_div(a, b));
		add_floats(to++, "f8_sqrt", rbl_f8_sqrt(a));
		add_floats(to++, "f8_min", rbl_f8_min(a, b));
		add_floats(to++, "f8_max", rbl_f8_max(a, b));
		add_floats(to++, "f8_floor", rbl_f8_floor(a));
		add_floats(to++, "f8_select", rbl_f8_select(rbl_f8_le(a, b), rbl_f8_neg(a), rbl_f8_abs(b)));
		add_one(to++, "f8_sum", (double)rbl_f8_sum(a));
		add_one(to++, "f8_min_lane", (double)rbl_f8_min_lane(a));
		add_one(to++, "f8_max_lane", (double)rbl_f8_max_lane(a));
		add_ints(to++, "f8_to_int", rbl_f8_to_int(a));
		add_ints(to++, "f8_round_to_int", rbl_f8_round_to_int(a));
		add_ints(to++, "i8_mul", rbl_i8_sub(rbl_i8_mul(i, k), rbl_i8_add(i, k)));
		add_ints(to++, "i8_shift", rbl_i8_xor(rbl_i8_shift_left(i, 7), rbl_i8_shift_right(k, 9)));
		add_ints(to++, "i8_min", rbl_i8_min(i, k));
		add_floats(to++, "i8_to_float", rbl_i8_to_float(i));
		add_doubles(to++, "d4_add", rbl_d4_add(c, d));
		add_doubles(to++, "d4_mul", rbl_d4_mul(c, d));
		add_doubles(to++, "d4_div", rbl_d4_div(c, d));
		add_doubles(to++, "d4_sqrt", rbl_d4_sqrt(c));
		add_doubles(to++, "d4_min", rbl_d4_min(c, d));
		add_doubles(to++, "d4_max", rbl_d4_max(c, d));
		add_doubles(to++, "d4_select",
		            rbl_d4_select(rbl_d4_lt(c, d), rbl_d4_neg(c), rbl_d4_abs(d)));
		add_one(to++, "d4_sum", rbl_d4_sum(c));
	}
	return (int)(to - hashes);
}
