// SPDX-License-Identifier: MIT
// ctest: pinned
//
// The same bits everywhere: a million inputs through every function that a result may rest on, and
// the hash of the outputs pinned. gcc, clang, every back end, debug, release and WebAssembly run
// this same program; a change of a hash is a change of behaviour and must be meant.

#include "same_bits.h"

#include "base/random.h"
#include "base/math.h"
#include "base/sort.h"
#include "base/vec.h"
#include "test.h"

static void compare(test *t, const char *where, const char *name, uint64_t found, uint64_t pinned)
{
	t->checks++;
	if (found == pinned)
		return;
	t->failures++;
	printf("%s: { \"%s\", 0x%016llx }, not 0x%016llx\n", where, name, (unsigned long long)found,
	       (unsigned long long)pinned);
}

// --- Lanes --------------------------------------------------------------------------------------

static const named_hash pinned_lanes[] = {
	{ "f8_add", 0x92b10503217e2395 },      { "f8_sub", 0x692b8cc7587c1b81 },
	{ "f8_mul", 0x5628dada0c984f9b },      { "f8_div", 0x8a24d7cb3b8b452b },
	{ "f8_sqrt", 0xd8a0dcb090db8193 },     { "f8_min", 0xe0fdd13d320c8370 },
	{ "f8_max", 0x00b922ef9de81c76 },      { "f8_floor", 0x14deece0bf760fc9 },
	{ "f8_select", 0x09c6ce7d320c8370 },   { "f8_sum", 0xb66a79c8e9c016ae },
	{ "f8_min_lane", 0xddd12bc5b2a2d9ea }, { "f8_max_lane", 0x8c35e6e8ee18d12c },
	{ "f8_to_int", 0x0f6d18df5ca0148c },   { "f8_round_to_int", 0xb9b7af8ec06d4c49 },
	{ "i8_mul", 0x46383511394f7640 },      { "i8_shift", 0xdd3c51d319d38e64 },
	{ "i8_min", 0x089352c23b351e81 },      { "i8_to_float", 0x0991424ebc449bc0 },
	{ "d4_add", 0xf160d2ab592d07dc },      { "d4_mul", 0x4b46eb892872e9e7 },
	{ "d4_div", 0x9c0bb4740f758536 },      { "d4_sqrt", 0xa7b222e623c90a76 },
	{ "d4_min", 0x4a63584120a7298c },      { "d4_max", 0x59ed810116b59c4d },
	{ "d4_select", 0xb06ddd4920a7298c },   { "d4_sum", 0xf624fe38f082e681 },
};

static void lanes_give_the_pinned_bits_in_every_back_end(test *t)
{
	const int count = (int)(sizeof pinned_lanes / sizeof pinned_lanes[0]);
	for (int backend = 0; backend <= (int)rbl_best_backend(); ++backend) {
		named_hash hashes[HASH_CAPACITY];
		CHECK(t, RBL_KERNEL_OF(hash_lanes, backend)(hashes) == count);
		for (int i = 0; i < count; ++i) {
			CHECK(t, strcmp(hashes[i].name, pinned_lanes[i].name) == 0);
			compare(t, rbl_backend_name((rbl_backend)backend), hashes[i].name, hashes[i].hash,
			        pinned_lanes[i].hash);
		}
	}
}

// --- Scalar functions ---------------------------------------------------------------------------

// Half moderate, half any bits at all: huge, denormal, infinite, NaN.
static double any_double(rbl_random *random)
{
	uint64_t bits = rbl_random_u64(random);
	if (bits & 1)
		return (double)(int64_t)bits * 0x1p-57;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static float any_float(rbl_random *random)
{
	uint32_t bits = rbl_random_u32(random);
	if (bits & 1)
		return (float)(int32_t)bits * 0x1p-25f;
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static uint64_t hash_sin(uint64_t hash, rbl_random *random)
{
	return hash_double(hash, rbl_sin(any_double(random)));
}

static uint64_t hash_cos(uint64_t hash, rbl_random *random)
{
	return hash_double(hash, rbl_cos(any_double(random)));
}

static uint64_t hash_atan2(uint64_t hash, rbl_random *random)
{
	double y = any_double(random), x = any_double(random);
	return hash_double(hash, rbl_atan2(y, x));
}

static uint64_t hash_acos(uint64_t hash, rbl_random *random)
{
	double x = rbl_random_range(random, -1.0, 1.0);
	return hash_double(hash_double(hash, rbl_acos(x)), rbl_asin(x));
}

static uint64_t hash_exp(uint64_t hash, rbl_random *random)
{
	return hash_double(hash, rbl_exp(8.0 * any_double(random)));
}

static uint64_t hash_ln(uint64_t hash, rbl_random *random)
{
	return hash_double(hash, rbl_ln(fabs(any_double(random))));
}

static uint64_t hash_cbrt(uint64_t hash, rbl_random *random)
{
	return hash_double(hash, rbl_cbrt(any_double(random)));
}

static uint64_t hash_float_forms(uint64_t hash, rbl_random *random)
{
	float x = any_float(random), y = any_float(random);
	hash = hash_float(hash, rbl_sinf(x));
	hash = hash_float(hash, rbl_atan2f(y, x));
	hash = hash_float(hash, rbl_lnf(fabsf(x)));
	return hash_float(hash, rbl_powf(fabsf(x), y));
}

// --- Vectors and rotations ----------------------------------------------------------------------

static rbl_vec3d any_point(rbl_random *random)
{
	double x = rbl_random_range(random, -4.0, 4.0), y = rbl_random_range(random, -4.0, 4.0);
	return (rbl_vec3d){ x, y, rbl_random_range(random, -4.0, 4.0) };
}

static rbl_quatd any_quat(rbl_random *random)
{
	rbl_vec3d v = any_point(random);
	return (rbl_quatd){ v.x, v.y, v.z, rbl_random_range(random, -4.0, 4.0) };
}

static rbl_quat to_f(rbl_quatd q)
{
	return (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
}

static uint64_t hash_vec(uint64_t hash, rbl_vec3 a)
{
	return hash_float(hash_float(hash_float(hash, a.x), a.y), a.z);
}

static uint64_t hash_vec_d(uint64_t hash, rbl_vec3d a)
{
	return hash_double(hash_double(hash_double(hash, a.x), a.y), a.z);
}

static uint64_t hash_quat(uint64_t hash, rbl_quat q)
{
	return hash_float(hash_vec(hash, (rbl_vec3){ q.x, q.y, q.z }), q.w);
}

static uint64_t hash_quat_d(uint64_t hash, rbl_quatd q)
{
	return hash_double(hash_vec_d(hash, (rbl_vec3d){ q.x, q.y, q.z }), q.w);
}

static uint64_t hash_vectors(uint64_t hash, rbl_random *random)
{
	rbl_vec3d a = any_point(random), b = any_point(random);
	rbl_vec3 c = rbl_to_f(a), d = rbl_to_f(b);
	hash = hash_vec(hash, rbl_normalize(rbl_cross(c, d)));
	hash = hash_vec(hash, rbl_perpendicular(rbl_normalize(c)));
	hash = hash_float(hash, rbl_dot(c, d));
	hash = hash_vec(hash, rbl_lerp(c, d, rbl_random_float(random)));
	hash = hash_vec_d(hash, rbl_normalize_d(rbl_cross_d(a, b)));
	return hash_double(hash, rbl_distance_d(a, b));
}

static uint64_t hash_quats(uint64_t hash, rbl_random *random)
{
	rbl_quat p = rbl_quat_normalize(to_f(any_quat(random)));
	rbl_quat q = rbl_quat_normalize(to_f(any_quat(random)));
	rbl_vec3 v = rbl_to_f(any_point(random));
	hash = hash_quat(hash, rbl_quat_mul(p, q));
	hash = hash_vec(hash, rbl_rotate(p, v));
	hash = hash_vec(hash, rbl_rotate_inverse(q, v));
	hash = hash_vec(hash, rbl_quat_to_mat(p).y);
	return hash_quat(hash, rbl_quat_from_axis_angle(rbl_normalize(v), v.x));
}

static uint64_t hash_quats_d(uint64_t hash, rbl_random *random)
{
	rbl_quatd p = rbl_quat_normalize_d(any_quat(random));
	rbl_quatd q = rbl_quat_normalize_d(any_quat(random));
	rbl_vec3d v = any_point(random);
	hash = hash_quat_d(hash, rbl_quat_mul_d(p, q));
	hash = hash_vec_d(hash, rbl_rotate_d(p, v));
	return hash_vec_d(hash, rbl_quat_to_mat_d(p).y);
}

static uint64_t hash_motions(uint64_t hash, rbl_random *random)
{
	rbl_transform a, b;
	a.position = rbl_to_f(any_point(random));
	a.rotation = rbl_quat_normalize(to_f(any_quat(random)));
	b.position = rbl_to_f(any_point(random));
	b.rotation = to_f(any_quat(random));
	rbl_transform c = rbl_transform_mul(a, b), d = rbl_transform_relative(a, b);
	hash = hash_quat(hash_vec(hash, c.position), c.rotation);
	return hash_quat(hash_vec(hash, d.position), d.rotation);
}

static uint64_t hash_matrices(uint64_t hash, rbl_random *random)
{
	rbl_vec3d x = any_point(random), y = any_point(random), z = any_point(random);
	rbl_mat3d m = { x, y, z };
	rbl_mat3 f = { rbl_to_f(m.x), rbl_to_f(m.y), rbl_to_f(m.z) };
	hash = hash_vec(hash, rbl_mat_inverse(f).x);
	hash = hash_double(hash, rbl_mat_determinant_d(m));
	return hash_vec_d(hash, rbl_mat_mul_d(m, rbl_mat_inverse_d(m)).z);
}

static uint64_t hash_random(uint64_t hash, rbl_random *random)
{
	hash = hash_word(hash, rbl_random_below(random, 1000));
	return hash_vec_d(hash, rbl_random_in_ball(random));
}

static const struct {
	const char *name;
	uint64_t (*add)(uint64_t hash, rbl_random *random);
	uint64_t pinned;
} functions[] = {
	{ "sin", hash_sin, 0x0f9874eee26bf6c5 },
	{ "cos", hash_cos, 0x46072a617827fb50 },
	{ "atan2", hash_atan2, 0x9e2d61cdbb6f5923 },
	{ "acos", hash_acos, 0xf77b3545a4219193 },
	{ "exp", hash_exp, 0x187b3bc1bd74f642 },
	{ "ln", hash_ln, 0x56b274266d61ec45 },
	{ "cbrt", hash_cbrt, 0x52fee9a52884313c },
	{ "float_forms", hash_float_forms, 0x8ccd8618684539f9 },
	{ "vectors", hash_vectors, 0xfde7dcad1a47eb8f },
	{ "quats", hash_quats, 0x2fbc93f425786008 },
	{ "quats_d", hash_quats_d, 0xd184abd4cfbb7a88 },
	{ "motions", hash_motions, 0x520d2b341ba8b942 },
	{ "matrices", hash_matrices, 0xb2430defa2dfee0a },
	{ "random", hash_random, 0x89543f87ebbbcac3 },
};

static void functions_give_the_pinned_bits(test *t)
{
	for (size_t k = 0; k < sizeof functions / sizeof functions[0]; ++k) {
		rbl_random random = rbl_random_from_seed(k);
		uint64_t hash = HASH_START;
		for (int i = 0; i < HASH_INPUTS; ++i)
			hash = functions[k].add(hash, &random);
		compare(t, "scalar", functions[k].name, hash, functions[k].pinned);
	}
}

static void a_sorted_million_is_the_pinned_one(test *t)
{
	static rbl_sort_item items[HASH_INPUTS], scratch[HASH_INPUTS];
	rbl_random random = rbl_random_from_seed(1);
	for (uint32_t i = 0; i < HASH_INPUTS; ++i)
		items[i] = (rbl_sort_item){ rbl_random_below(&random, 100000), i };
	rbl_sort(items, scratch, HASH_INPUTS);
	uint64_t hash = HASH_START;
	for (int i = 0; i < HASH_INPUTS; ++i)
		hash = hash_word(hash, (uint64_t)items[i].key << 32 | items[i].value);
	compare(t, "scalar", "sort", hash, 0x55b6b3849277078f);
}

TEST_MAIN(TEST(lanes_give_the_pinned_bits_in_every_back_end), TEST(functions_give_the_pinned_bits),
          TEST(a_sorted_million_is_the_pinned_one))
