// SPDX-License-Identifier: MIT
//
// Every lane operation once, in this file's back end.

#include "base/simd.h"

#include "simd.h"

typedef struct sink {
	lane_record *records;
	int count;
} sink;

static void put(sink *out, const char *name, lane_kind kind, const void *value, int size)
{
	lane_record *record = &out->records[out->count++];
	*record = (lane_record){ name, kind, size, { { 0 } } };
	memcpy(record->value.bytes, value, (size_t)size);
}

#define PUT_F4(name, kind, expression)     \
	do {                                   \
		float lanes[4];                    \
		rbl_f4_store(lanes, (expression)); \
		put(out, name, kind, lanes, 16);   \
	} while (0)
#define PUT_F8(name, kind, expression)     \
	do {                                   \
		float lanes[8];                    \
		rbl_f8_store(lanes, (expression)); \
		put(out, name, kind, lanes, 32);   \
	} while (0)
#define PUT_I4(name, expression)              \
	do {                                      \
		int32_t lanes[4];                     \
		rbl_i4_store(lanes, (expression));    \
		put(out, name, LANE_BITS, lanes, 16); \
	} while (0)
#define PUT_I8(name, expression)              \
	do {                                      \
		int32_t lanes[8];                     \
		rbl_i8_store(lanes, (expression));    \
		put(out, name, LANE_BITS, lanes, 32); \
	} while (0)
#define PUT_D4(name, kind, expression)     \
	do {                                   \
		double lanes[4];                   \
		rbl_d4_store(lanes, (expression)); \
		put(out, name, kind, lanes, 32);   \
	} while (0)
#define PUT_L4(name, expression) PUT_D4(name, LANE_BITS, rbl_d4_from_mask(expression))
#define PUT_INT(name, expression)             \
	do {                                      \
		int32_t value = (expression);         \
		put(out, name, LANE_BITS, &value, 4); \
	} while (0)
#define PUT_FLOAT(name, kind, expression) \
	do {                                  \
		float value = (expression);       \
		put(out, name, kind, &value, 4);  \
	} while (0)
#define PUT_DOUBLE(name, kind, expression) \
	do {                                   \
		double value = (expression);       \
		put(out, name, kind, &value, 8);   \
	} while (0)

// T is f4, f8 or d4; PUT its putter, PUT_MASK its mask's; M its mask; NAN its arithmetic kind.
#define RUN_FLOATS(T, M, PUT, PUT_MASK, PUT_ONE, NAN_KIND, a, b)                              \
	do {                                                                                      \
		PUT(#T "_add", NAN_KIND, rbl_##T##_add(a, b));                                        \
		PUT(#T "_sub", NAN_KIND, rbl_##T##_sub(a, b));                                        \
		PUT(#T "_mul", NAN_KIND, rbl_##T##_mul(a, b));                                        \
		PUT(#T "_div", NAN_KIND, rbl_##T##_div(a, b));                                        \
		PUT(#T "_sqrt", NAN_KIND, rbl_##T##_sqrt(a));                                         \
		PUT(#T "_min", LANE_BITS, rbl_##T##_min(a, b));                                       \
		PUT(#T "_max", LANE_BITS, rbl_##T##_max(a, b));                                       \
		PUT(#T "_abs", LANE_BITS, rbl_##T##_abs(a));                                          \
		PUT(#T "_neg", LANE_BITS, rbl_##T##_neg(a));                                          \
		PUT(#T "_zero", LANE_BITS, rbl_##T##_zero());                                         \
		PUT(#T "_splat", LANE_BITS, rbl_##T##_splat(rbl_##T##_lane(a, 2)));                   \
		PUT_MASK(#T "_eq", rbl_##T##_eq(a, b));                                               \
		PUT_MASK(#T "_ne", rbl_##T##_ne(a, b));                                               \
		PUT_MASK(#T "_lt", rbl_##T##_lt(a, b));                                               \
		PUT_MASK(#T "_le", rbl_##T##_le(a, b));                                               \
		PUT_MASK(#T "_gt", rbl_##T##_gt(a, b));                                               \
		PUT_MASK(#T "_ge", rbl_##T##_ge(a, b));                                               \
		PUT(#T "_select", LANE_BITS, rbl_##T##_select(rbl_##T##_lt(a, b), a, b));             \
		PUT_ONE(#T "_sum", NAN_KIND, rbl_##T##_sum(a));                                       \
		PUT_ONE(#T "_min_lane", LANE_BITS, rbl_##T##_min_lane(a));                            \
		PUT_ONE(#T "_max_lane", LANE_BITS, rbl_##T##_max_lane(a));                            \
		PUT_MASK(#M "_and", rbl_##M##_and(rbl_##T##_as_mask(a), rbl_##T##_as_mask(b)));       \
		PUT_MASK(#M "_or", rbl_##M##_or(rbl_##T##_as_mask(a), rbl_##T##_as_mask(b)));         \
		PUT_MASK(#M "_xor", rbl_##M##_xor(rbl_##T##_as_mask(a), rbl_##T##_as_mask(b)));       \
		PUT_MASK(#M "_andnot", rbl_##M##_andnot(rbl_##T##_as_mask(a), rbl_##T##_as_mask(b))); \
		PUT_MASK(#M "_not", rbl_##M##_not(rbl_##T##_as_mask(a)));                             \
		PUT_INT(#M "_bits", rbl_##M##_bits(rbl_##T##_as_mask(a)));                            \
		PUT_INT(#M "_any", rbl_##M##_any(rbl_##T##_as_mask(a)));                              \
		PUT_INT(#M "_all", rbl_##M##_all(rbl_##T##_as_mask(a)));                              \
	} while (0)

#define RUN_INTS(I, F, PUT, PUT_FLOATS, i, k, a)                               \
	do {                                                                       \
		PUT(#I "_add", rbl_##I##_add(i, k));                                   \
		PUT(#I "_sub", rbl_##I##_sub(i, k));                                   \
		PUT(#I "_mul", rbl_##I##_mul(i, k));                                   \
		PUT(#I "_eq", rbl_##I##_eq(i, k));                                     \
		PUT(#I "_gt", rbl_##I##_gt(i, k));                                     \
		PUT(#I "_lt", rbl_##I##_lt(i, k));                                     \
		PUT(#I "_min", rbl_##I##_min(i, k));                                   \
		PUT(#I "_max", rbl_##I##_max(i, k));                                   \
		PUT(#I "_iota", rbl_##I##_iota());                                     \
		PUT(#I "_zero", rbl_##I##_zero());                                     \
		PUT(#I "_splat", rbl_##I##_splat(rbl_##I##_lane(i, 1)));               \
		PUT(#I "_shift_left", rbl_##I##_shift_left(i, in->shift));             \
		PUT(#I "_shift_right", rbl_##I##_shift_right(i, in->shift));           \
		PUT(#I "_shift_right_zero", rbl_##I##_shift_right_zero(i, in->shift)); \
		PUT(#F "_to_int", rbl_##F##_to_int(a));                                \
		PUT(#F "_round_to_int", rbl_##F##_round_to_int(a));                    \
		PUT_FLOATS(#I "_to_float", LANE_BITS, rbl_##I##_to_float(i));          \
		PUT_FLOATS(#F "_floor", LANE_FLOAT, rbl_##F##_floor(a));               \
		PUT_INT(#I "_min_lane", rbl_##I##_min_lane(i));                        \
		PUT_INT(#I "_max_lane", rbl_##I##_max_lane(i));                        \
	} while (0)

static void run_moves(const lane_input *in, sink *out)
{
	rbl_f4 a = rbl_f4_load(in->a), b = rbl_f4_load(in->b);
	rbl_f8 a8 = rbl_f8_load(in->a);
	rbl_d4 c = rbl_d4_load(in->c);
	rbl_i4 index = rbl_i4_load(in->index);
	rbl_i8 index8 = rbl_i8_load(in->index);

	PUT_F4("f4_load_first", LANE_BITS, rbl_f4_load_first(in->a, in->first));
	PUT_F8("f8_load_first", LANE_BITS, rbl_f8_load_first(in->a, in->first));
	PUT_D4("d4_load_first", LANE_BITS, rbl_d4_load_first(in->c, in->first));
	PUT_I4("i4_load_first", rbl_i4_load_first(in->i, in->first));
	float part[8] = { 0 };
	rbl_f8_store_first(part, a8, in->first);
	put(out, "f8_store_first", LANE_BITS, part, sizeof part);
	_Alignas(32) float aligned[8];
	rbl_f8_store_aligned(aligned, a8);
	PUT_F8("f8_load_aligned", LANE_BITS, rbl_f8_load_aligned(aligned));

	PUT_F4("f4_gather", LANE_BITS, rbl_f4_gather(in->floats, index));
	PUT_F8("f8_gather", LANE_BITS, rbl_f8_gather(in->floats, index8));
	PUT_I4("i4_gather", rbl_i4_gather(in->ints, index));
	PUT_I8("i8_gather", rbl_i8_gather(in->ints, index8));
	PUT_D4("d4_gather", LANE_BITS, rbl_d4_gather(in->doubles, index));

	PUT_D4("d4_from_f4", LANE_DOUBLE, rbl_d4_from_f4(a));
	PUT_F4("f4_from_d4", LANE_FLOAT, rbl_f4_from_d4(c));
	PUT_D4("d4_from_i4", LANE_BITS, rbl_d4_from_i4(rbl_i4_load(in->i)));
	PUT_I4("i4_from_l4", rbl_i4_from_l4(rbl_d4_lt(c, rbl_d4_load(in->d))));
	PUT_L4("l4_from_i4", rbl_l4_from_i4(rbl_f4_lt(a, b)));
	PUT_F8("f8_from", LANE_BITS, rbl_f8_from(rbl_f8_high(a8), rbl_f8_low(a8)));
	PUT_I8("i8_from", rbl_i8_from(rbl_i8_high(index8), rbl_i8_low(index8)));
	PUT_F4("f4_shuffle", LANE_BITS, rbl_f4_shuffle(a, b, 5, 0, 3, 6));
	PUT_F8("f8_shuffle", LANE_BITS, rbl_f8_shuffle(a8, rbl_f8_load(in->b), 5, 0, 3, 6));
	PUT_F4("f4_set", LANE_BITS, rbl_f4_set(in->a[3], in->a[1], in->b[0], in->b[2]));
	PUT_D4("d4_set", LANE_BITS, rbl_d4_set(in->c[3], in->c[1], in->d[0], in->d[2]));

	rbl_f4 rows[4] = { a, b, rbl_f4_load(in->a + 4), rbl_f4_load(in->b + 4) };
	rbl_f4_transpose(rows);
	for (int i = 0; i < 4; ++i)
		PUT_F4("f4_transpose", LANE_BITS, rows[i]);
	rbl_f8 rows8[4] = { a8, rbl_f8_load(in->b), rbl_f8_from(b, a), rbl_f8_neg(a8) };
	rbl_f8_transpose(rows8);
	for (int i = 0; i < 4; ++i)
		PUT_F8("f8_transpose", LANE_BITS, rows8[i]);
}

static void run_points(const lane_input *in, sink *out)
{
	rbl_f8x3 p = rbl_f8x3_load(in->points), q = rbl_f8x3_gather(in->points, in->index);
	rbl_vec3 stored[8];
	rbl_f8x3_store(stored, p);
	put(out, "f8x3_store", LANE_BITS, stored, sizeof stored);
	rbl_f8x3_store(stored, q);
	put(out, "f8x3_gather", LANE_BITS, stored, sizeof stored);
	// Every second of these indices, so that nothing is read beyond the end.
	const int32_t strided[16] = { 5, 0, 0, 0, 3, 0, 6, 0, 1, 0, 1, 0, 4, 0, 2, 0 };
	rbl_f8x3_store(stored, rbl_f8x3_gather_padded(in->points, strided, 2));
	put(out, "f8x3_gather_padded", LANE_BITS, stored, sizeof stored);
	rbl_f8x3_store(stored, rbl_f8x3_cross(p, q));
	put(out, "f8x3_cross", LANE_FLOAT, stored, sizeof stored);
	rbl_f8x3_store(stored, rbl_f8x3_add_scaled(p, q.x, rbl_f8x3_neg(q)));
	put(out, "f8x3_add_scaled", LANE_FLOAT, stored, sizeof stored);
	rbl_f8x3_store(stored,
	               rbl_f8x3_select(rbl_f8_lt(p.x, q.x), rbl_f8x3_min(p, q), rbl_f8x3_max(p, q)));
	put(out, "f8x3_select", LANE_BITS, stored, sizeof stored);
	rbl_f8x3 centre = rbl_f8x3_splat(in->points[3]);
	PUT_F8("f8x3_dot", LANE_FLOAT, rbl_f8x3_dot(rbl_f8x3_sub(p, centre), q));
	rbl_d4x3 g = rbl_d4x3_gather(in->points_d, in->index);
	rbl_d4x3 h = rbl_d4x3_cross(g, rbl_d4x3_splat(in->points_d[5]));
	PUT_D4("d4x3_x", LANE_BITS, g.x);
	PUT_D4("d4x3_y", LANE_BITS, g.y);
	PUT_D4("d4x3_z", LANE_BITS, g.z);
	PUT_D4("d4x3_cross", LANE_DOUBLE, rbl_d4x3_dot(h, rbl_d4x3_scale(g.x, g)));
}

int RBL_KERNEL(run_lanes)(const lane_input *in, lane_record *records)
{
	sink sunk = { records, 0 }, *out = &sunk;
	rbl_f4 a4 = rbl_f4_load(in->a), b4 = rbl_f4_load(in->b);
	rbl_f8 a8 = rbl_f8_load(in->a), b8 = rbl_f8_load(in->b);
	rbl_d4 c = rbl_d4_load(in->c), d = rbl_d4_load(in->d);
	rbl_i4 i4 = rbl_i4_load(in->i), k4 = rbl_i4_load(in->k);
	rbl_i8 i8 = rbl_i8_load(in->i), k8 = rbl_i8_load(in->k);
	RUN_FLOATS(f4, i4, PUT_F4, PUT_I4, PUT_FLOAT, LANE_FLOAT, a4, b4);
	RUN_FLOATS(f8, i8, PUT_F8, PUT_I8, PUT_FLOAT, LANE_FLOAT, a8, b8);
	RUN_FLOATS(d4, l4, PUT_D4, PUT_L4, PUT_DOUBLE, LANE_DOUBLE, c, d);
	RUN_INTS(i4, f4, PUT_I4, PUT_F4, i4, k4, a4);
	RUN_INTS(i8, f8, PUT_I8, PUT_F8, i8, k8, a8);
	run_moves(in, out);
	run_points(in, out);
	return out->count;
}

float RBL_KERNEL(sum_squares)(const float *values, int count)
{
	rbl_f8 sum = rbl_f8_zero();
	int i = 0;
	for (; i + 8 <= count; i += 8) {
		rbl_f8 a = rbl_f8_load(values + i);
		sum = rbl_f8_add(sum, rbl_f8_mul(a, a));
	}
	rbl_f8 rest = rbl_f8_load_first(values + i, count - i);
	return rbl_f8_sum(rbl_f8_add(sum, rbl_f8_mul(rest, rest)));
}
