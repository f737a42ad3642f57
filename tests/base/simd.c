// SPDX-License-Identifier: MIT
//
// Lanes: plain against the scalar meaning of each operation, the other back ends against plain,
// bit by bit, on random and on nasty values.

#include "simd.h"

#include "base/random.h"
#include "base/vec.h"
#include "test.h"

#include <limits.h>

static const uint32_t nasty_floats[] = {
	0x00000000, 0x80000000,                         // zeros
	0x00000001, 0x80000001, 0x007fffff, 0x00800000, // denormal, least normal
	0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3fc00000, 0xc0200000, // 1, 1/2, 1.5, -2.5
	0x4b000000, 0x4affffff, 0xcb000001,                                     // about 2^23
	0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,             // about 2^31
	0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,                         // greatest, infinite
	0x7fc00000, 0xffc00001, 0x7fd23456,                                     // NaN
};
enum { NASTY_COUNT = sizeof nasty_floats / sizeof nasty_floats[0] };

static float any_float(rbl_random *random)
{
	uint32_t bits = rbl_random_u32(random);
	if (bits % 4 == 0)
		bits = nasty_floats[rbl_random_below(random, NASTY_COUNT)];
	else if (bits % 4 == 1)
		return (float)rbl_random_range(random, -1000.0, 1000.0);
	else
		bits = rbl_random_u32(random);
	float value;
	if ((bits & 0x7fffffff) > 0x7f800000)
		bits |= 0x00400000; // quiet: moving a signalling NaN may quiet it on some processors
	memcpy(&value, &bits, sizeof value);
	return value;
}

static double any_double(rbl_random *random)
{
	uint64_t bits = rbl_random_u64(random);
	if (bits % 4 == 0)
		return (double)any_float(random);
	if (bits % 4 == 1)
		return rbl_random_range(random, -1000.0, 1000.0);
	bits = rbl_random_u64(random);
	if (bits % 16 == 0)
		bits &= 0x800fffffffffffff; // denormal
	if ((bits << 1) > 0xffe0000000000000)
		bits |= 0x0008000000000000;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static int32_t any_int(rbl_random *random)
{
	static const int32_t nasty[] = { 0, 1, -1, INT_MAX, INT_MIN, 1 << 24, (1 << 24) + 1, 65536 };
	uint32_t bits = rbl_random_u32(random);
	return bits % 3 == 0 ? nasty[bits / 3 % 8] : (int32_t)rbl_random_u32(random);
}

static lane_input any_input(rbl_random *random)
{
	lane_input in;
	for (int i = 0; i < 8; ++i) {
		in.a[i] = any_float(random);
		in.b[i] = rbl_random_below(random, 4) ? any_float(random) : in.a[i];
		in.i[i] = any_int(random);
		in.k[i] = rbl_random_below(random, 4) ? any_int(random) : in.i[i];
		in.index[i] = (int32_t)rbl_random_below(random, 16);
	}
	for (int i = 0; i < 4; ++i) {
		in.c[i] = any_double(random);
		in.d[i] = rbl_random_below(random, 4) ? any_double(random) : in.c[i];
	}
	in.shift = (int)rbl_random_below(random, 32);
	in.first = (int)rbl_random_below(random, 5);
	for (int i = 0; i < 16; ++i) {
		in.floats[i] = any_float(random);
		in.ints[i] = any_int(random);
		in.doubles[i] = any_double(random);
		in.points[i] = (rbl_vec3){ any_float(random), any_float(random), any_float(random) };
		in.points_d[i] = (rbl_vec3d){ any_double(random), any_double(random), any_double(random) };
	}
	return in;
}

// Arithmetic NaNs have free bits: make them one value before comparing.
static void settle_nans(lane_record *record)
{
	if (record->kind == LANE_FLOAT) {
		for (int i = 0; i < record->size / 4; ++i)
			if (isnan(record->value.f[i]))
				record->value.u[i] = 0x7fc00000;
	} else if (record->kind == LANE_DOUBLE) {
		for (int i = 0; i < record->size / 8; ++i)
			if (isnan(record->value.d[i]))
				record->value.l[i] = 0x7ff8000000000000;
	}
}

static void compare(test *t, const char *backend, lane_record *a, lane_record *b)
{
	settle_nans(a);
	settle_nans(b);
	t->checks++;
	if (strcmp(a->name, b->name) == 0 && a->size == b->size &&
	    memcmp(a->value.bytes, b->value.bytes, (size_t)a->size) == 0)
		return;
	char message[300];
	int i = 0;
	while (i < a->size / 4 - 1 && a->value.u[i] == b->value.u[i])
		i++;
	snprintf(message, sizeof message, "%s: word %d is %08x in plain, %08x in %s", a->name, i,
	         a->value.u[i], b->value.u[i], backend);
	test_fail(t, __FILE__, __LINE__, message);
}

static void back_ends_agree_bit_by_bit(test *t)
{
	static lane_record plain[LANE_RECORD_CAPACITY], other[LANE_RECORD_CAPACITY];
	rbl_random random = rbl_random_from_seed(1);
	for (int round = 0; round < 3000; ++round) {
		lane_input in = any_input(&random);
		int count = run_lanes_plain(&in, plain);
		CHECK(t, count > 150 && count <= LANE_RECORD_CAPACITY);
		for (int backend = RBL_BACKEND_FOUR; backend <= (int)rbl_best_backend(); ++backend) {
			CHECK(t, RBL_KERNEL_OF(run_lanes, backend)(&in, other) == count);
			for (int i = 0; i < count; ++i)
				compare(t, rbl_backend_name((rbl_backend)backend), &plain[i], &other[i]);
		}
	}
}

// --- The scalar meaning -------------------------------------------------------------------------

static const lane_record *find(const lane_record *records, int count, const char *name)
{
	for (int i = 0; i < count; ++i)
		if (strcmp(records[i].name, name) == 0)
			return &records[i];
	return NULL;
}

static bool same_float(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_double(double a, double b)
{
	return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static int32_t scalar_to_int(float a)
{
	return a >= -2147483648.0f && a < 2147483648.0f ? (int32_t)a : INT_MIN;
}

// Lane i of the record `name`, or of the first lane where the record is shorter.
#define F(name) (find(records, count, name)->value.f[i])
#define I(name) (find(records, count, name)->value.i[i])
#define D(name) (find(records, count, name)->value.d[i])
#define L(name) ((int64_t)find(records, count, name)->value.l[i])

static void check_floats(test *t, const lane_input *in, const lane_record *records, int count,
                         int i)
{
	float a = in->a[i], b = in->b[i];
	CHECK(t, same_float(F("f8_add"), a + b) && same_float(F("f8_sub"), a - b));
	CHECK(t, same_float(F("f8_mul"), a * b) && same_float(F("f8_div"), a / b));
	CHECK(t, same_float(F("f8_sqrt"), sqrtf(a)) && same_float(F("f8_floor"), floorf(a)));
	CHECK(t, same_float(F("f8_min"), rbl_minf(a, b)) && same_float(F("f8_max"), rbl_maxf(a, b)));
	CHECK(t, same_float(F("f8_abs"), fabsf(a)) && same_float(F("f8_neg"), -a));
	CHECK(t, I("f8_eq") == -(a == b) && I("f8_ne") == -(a != b));
	CHECK(t, I("f8_lt") == -(a < b) && I("f8_le") == -(a <= b));
	CHECK(t, I("f8_gt") == -(a > b) && I("f8_ge") == -(a >= b));
	CHECK(t, same_float(F("f8_select"), a < b ? a : b));
	CHECK(t, I("f8_to_int") == scalar_to_int(a));
	CHECK(t, I("f8_round_to_int") == scalar_to_int(nearbyintf(a)));
	CHECK(t, same_float(F("f8_gather"), in->floats[in->index[i]]));
	CHECK(t, same_float(F("f8_load_first"), i < in->first ? a : 0.0f));
	CHECK(t, same_float(F("f8_from"), in->a[i ^ 4]));
}

static void check_ints(test *t, const lane_input *in, const lane_record *records, int count, int i)
{
	int32_t a = in->i[i], b = in->k[i];
	CHECK(t, I("i8_add") == (int32_t)((uint32_t)a + (uint32_t)b));
	CHECK(t, I("i8_sub") == (int32_t)((uint32_t)a - (uint32_t)b));
	CHECK(t, I("i8_mul") == (int32_t)((uint32_t)a * (uint32_t)b));
	CHECK(t, I("i8_eq") == -(a == b) && I("i8_gt") == -(a > b) && I("i8_lt") == -(a < b));
	CHECK(t, I("i8_min") == rbl_mini(a, b) && I("i8_max") == rbl_maxi(a, b));
	CHECK(t, I("i8_shift_left") == (int32_t)((uint32_t)a << in->shift));
	CHECK(t, I("i8_shift_right") == a >> in->shift);
	CHECK(t, I("i8_shift_right_zero") == (int32_t)((uint32_t)a >> in->shift));
	CHECK(t, I("i8_iota") == i && I("i8_gather") == in->ints[in->index[i]]);
	CHECK(t, same_float(F("i8_to_float"), (float)a));
	uint32_t x, y;
	memcpy(&x, &in->a[i], 4);
	memcpy(&y, &in->b[i], 4);
	CHECK(t, I("i8_and") == (int32_t)(x & y) && I("i8_or") == (int32_t)(x | y));
	CHECK(t, I("i8_xor") == (int32_t)(x ^ y) && I("i8_andnot") == (int32_t)(x & ~y));
	CHECK(t, I("i8_not") == (int32_t)~x);
	CHECK(t, (find(records, count, "i8_bits")->value.i[0] >> i & 1) == (int)(x >> 31));
}

static void check_doubles(test *t, const lane_input *in, const lane_record *records, int count,
                          int i)
{
	double a = in->c[i], b = in->d[i];
	CHECK(t, same_double(D("d4_add"), a + b) && same_double(D("d4_sub"), a - b));
	CHECK(t, same_double(D("d4_mul"), a * b) && same_double(D("d4_div"), a / b));
	CHECK(t, same_double(D("d4_sqrt"), sqrt(a)) && same_double(D("d4_neg"), -a));
	CHECK(t, same_double(D("d4_abs"), fabs(a)));
	CHECK(t, same_double(D("d4_min"), rbl_mind(a, b)) && same_double(D("d4_max"), rbl_maxd(a, b)));
	CHECK(t, L("d4_lt") == -(a < b) && L("d4_ge") == -(a >= b) && L("d4_ne") == -(a != b));
	CHECK(t, same_double(D("d4_select"), a < b ? a : b));
	CHECK(t, same_double(D("d4_gather"), in->doubles[in->index[i]]));
	CHECK(t, same_double(D("d4_from_f4"), (double)in->a[i]));
	CHECK(t, same_double(D("d4_from_i4"), (double)in->i[i]));
	CHECK(t, same_float(F("f4_from_d4"), (float)a));
	CHECK(t, I("i4_from_l4") == -(a < b) && L("l4_from_i4") == -(in->a[i] < in->b[i]));
	uint64_t bits; // gcc 12 takes (x >> i & 1) == (y < 0) to be !(x >> i & 1), signbit() included
	memcpy(&bits, &a, sizeof bits);
	CHECK(t, (uint64_t)(find(records, count, "l4_bits")->value.i[0] >> i & 1) == bits >> 63);
}

static void check_points(test *t, const lane_input *in, const lane_record *records, int count)
{
	const rbl_vec3 *p = in->points;
	const float *stored = find(records, count, "f8x3_store")->value.f;
	const float *gathered = find(records, count, "f8x3_gather")->value.f;
	const float *cross = find(records, count, "f8x3_cross")->value.f;
	const float *dots = find(records, count, "f8x3_dot")->value.f;
	CHECK(t, memcmp(stored, p, 8 * sizeof *p) == 0);
	for (int i = 0; i < 8; ++i) {
		rbl_vec3 q = p[in->index[i]], c = rbl_cross(p[i], q);
		CHECK(t, memcmp(gathered + 3 * i, &q, sizeof q) == 0);
		CHECK(t, same_float(cross[3 * i], c.x) && same_float(cross[3 * i + 1], c.y) &&
		             same_float(cross[3 * i + 2], c.z));
		CHECK(t, same_float(dots[i], rbl_dot(rbl_sub(p[i], p[3]), q)));
	}
}

static void plain_lanes_mean_what_scalars_mean(test *t)
{
	static lane_record records[LANE_RECORD_CAPACITY];
	rbl_random random = rbl_random_from_seed(2);
	for (int round = 0; round < 300; ++round) {
		lane_input in = any_input(&random);
		int count = run_lanes_plain(&in, records);
		for (int i = 0; i < 8; ++i) {
			check_floats(t, &in, records, count, i);
			check_ints(t, &in, records, count, i);
		}
		for (int i = 0; i < 4; ++i)
			check_doubles(t, &in, records, count, i);
		check_points(t, &in, records, count);
		const float *a = in.a;
		float sum = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
		CHECK(t, same_float(find(records, count, "f8_sum")->value.f[0], sum));
		sum = (a[0] + a[2]) + (a[1] + a[3]);
		CHECK(t, same_float(find(records, count, "f4_sum")->value.f[0], sum));
	}
}

// Half-width types are tested against plain above; here they must be the wide type's lower half.
static void four_lanes_are_half_of_eight(test *t)
{
	static const char *const names[] = { "add",    "div",  "min",   "max",    "eq",          "lt",
		                                 "select", "sqrt", "floor", "to_int", "round_to_int" };
	static lane_record records[LANE_RECORD_CAPACITY];
	rbl_random random = rbl_random_from_seed(3);
	for (int round = 0; round < 200; ++round) {
		lane_input in = any_input(&random);
		int count = RBL_PICK(run_lanes)(&in, records);
		for (int i = 0; i < count; ++i)
			settle_nans(&records[i]);
		for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
			char four[32], eight[32];
			snprintf(four, sizeof four, "f4_%s", names[i]);
			snprintf(eight, sizeof eight, "f8_%s", names[i]);
			CHECK(t, memcmp(find(records, count, four)->value.bytes,
			                find(records, count, eight)->value.bytes, 16) == 0);
		}
	}
}

static void kernels_are_picked_and_forced(test *t)
{
	float values[37];
	for (int i = 0; i < 37; ++i)
		values[i] = 0.1f * (float)i;
	rbl_backend best = rbl_best_backend();
	CHECK(t, rbl_current_backend() == best);
	float expected = sum_squares_plain(values, 37);
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		bool exists = backend <= (int)best;
		CHECK(t, rbl_force_backend((rbl_backend)backend) == exists);
		CHECK(t, !exists || rbl_current_backend() == (rbl_backend)backend);
		CHECK(t, same_float(RBL_PICK(sum_squares)(values, 37), expected));
	}
	CHECK(t, !rbl_force_backend(RBL_BACKEND_COUNT));
	CHECK(t, rbl_force_backend(best));
	CHECK(t, strcmp(rbl_backend_name(RBL_BACKEND_PLAIN), "plain") == 0);
	CHECK(t, strcmp(rbl_backend_name(RBL_BACKEND_COUNT), "none") == 0);
}

TEST_MAIN(TEST(back_ends_agree_bit_by_bit), TEST(plain_lanes_mean_what_scalars_mean),
          TEST(four_lanes_are_half_of_eight), TEST(kernels_are_picked_and_forced))
