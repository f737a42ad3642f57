// SPDX-License-Identifier: MIT
// Farthest-point order: that of brute force to the last index, whatever the points and the lanes.
// ctest: soak pinned

#include "field/point_order.h"

#include "base/hash.h"
#include "base/kernel.h"
#include "base/sort.h"

#include "scenes/point_clouds.h"

#include "faulty_allocator.h"
#include "test.h"

typedef struct ordering {
	rbl_vec3 *points;
	int count, exact_count;
	int *order, *parents;
} ordering;

static float square_between(const ordering *o, int a, int b)
{
	return rbl_length_squared(rbl_sub(o->points[a], o->points[b]));
}

static ordering make_ordering(cloud_kind kind, int count, uint64_t seed)
{
	return (ordering){ make_cloud(kind, count, seed), count, 0, malloc((size_t)count * sizeof(int)),
		               malloc((size_t)count * sizeof(int)) };
}

static void free_ordering(ordering *o)
{
	free(o->points);
	free(o->order);
	free(o->parents);
}

static rbl_result run_order(ordering *o, int ordered_count, const rbl_allocator *allocator)
{
	rbl_arena arena;
	rbl_arena_init(&arena, allocator, 4096);
	rbl_result result = rbl_order_points(&arena, o->points, o->count, ordered_count, o->order,
	                                     o->parents, &o->exact_count);
	rbl_arena_destroy(&arena);
	return result;
}

static int brute_first(const ordering *o)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < o->count; ++i)
		box = rbl_box_add_point(box, o->points[i]);
	rbl_vec3 centre = rbl_box_centre(box);
	int first = 0;
	for (int i = 1; i < o->count; ++i)
		if (rbl_length_squared(rbl_sub(o->points[i], centre)) >
		    rbl_length_squared(rbl_sub(o->points[first], centre)))
			first = i;
	return first;
}

// The definition, step by step.
static void brute_order(ordering *o, int ordered_count)
{
	int *ranks = malloc((size_t)o->count * sizeof *ranks), n = 0;
	float *gaps = malloc((size_t)o->count * sizeof *gaps);
	for (int i = 0; i < o->count; ++i)
		ranks[i] = -1, gaps[i] = FLT_MAX;
	for (int next = brute_first(o); n < ordered_count && gaps[next] > 0.0f;) {
		o->order[n] = next, ranks[next] = n++;
		for (int i = 0; i < o->count; ++i)
			gaps[i] = rbl_minf(gaps[i], square_between(o, i, next));
		int best = -1;
		for (int i = 0; i < o->count; ++i)
			if (ranks[i] < 0 && (best < 0 || gaps[i] > gaps[best]))
				best = i;
		if (best < 0)
			break;
		next = best;
	}
	o->exact_count = n;
	while (n < o->count) {
		int best = -1;
		uint32_t most = 0;
		for (int i = 0; i < o->count; ++i) {
			uint32_t key = rbl_sort_key_float(gaps[i]) >> 16;
			if (ranks[i] < 0 && (best < 0 || key > most))
				best = i, most = key;
		}
		o->order[n] = best, ranks[best] = n++;
	}
	for (int begin = 0, end; begin < o->count; begin = end) {
		end = rbl_order_level_end(begin, o->exact_count, o->count);
		for (int rank = begin; rank < end; ++rank) {
			o->parents[rank] = begin > 0 ? 0 : -1;
			for (int k = 1; k < begin; ++k)
				if (square_between(o, o->order[rank], o->order[k]) <
				    square_between(o, o->order[rank], o->order[o->parents[rank]]))
					o->parents[rank] = k;
		}
	}
	free(ranks);
	free(gaps);
}

static void compare_orders(test *t, const ordering *a, const ordering *b)
{
	size_t bytes = (size_t)a->count * sizeof(int);
	CHECK(t, a->exact_count == b->exact_count);
	CHECK(t, memcmp(a->order, b->order, bytes) == 0);
	CHECK(t, memcmp(a->parents, b->parents, bytes) == 0);
}

static void compare_with_brute_force(test *t, cloud_kind kind, int count, int ordered_count)
{
	ordering fast = make_ordering(kind, count, 3), brute = make_ordering(kind, count, 3);
	CHECK(t, run_order(&fast, ordered_count, NULL) == RBL_OK);
	brute_order(&brute, ordered_count);
	compare_orders(t, &fast, &brute);
	free_ordering(&fast);
	free_ordering(&brute);
}

static void the_order_is_that_of_brute_force(test *t)
{
	static const int counts[] = { 1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 513, 729 };
	for (int kind = 0; kind < CLOUD_COUNT; ++kind)
		for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
			compare_with_brute_force(t, (cloud_kind)kind, counts[i], counts[i]);
	compare_with_brute_force(t, CLOUD_SPHERE, test_count(2500, 20000), test_count(2500, 20000));
	compare_with_brute_force(t, CLOUD_VOLUME, test_count(2500, 20000), test_count(2500, 20000));
}

static void the_rest_follows_by_distance(test *t)
{
	for (int kind = 0; kind < CLOUD_COUNT; ++kind)
		for (int ordered = 1; ordered <= 700; ordered *= 3)
			compare_with_brute_force(t, (cloud_kind)kind, 700, ordered);
}

static void every_lane_width_gives_the_same_order(test *t)
{
	for (int kind = 0; kind < CLOUD_COUNT; ++kind) {
		ordering first = make_ordering((cloud_kind)kind, 5000, 9);
		CHECK(t, run_order(&first, 3000, NULL) == RBL_OK);
		for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
			if (!rbl_force_backend((rbl_backend)backend))
				continue;
			ordering other = make_ordering((cloud_kind)kind, 5000, 9);
			CHECK(t, run_order(&other, 3000, NULL) == RBL_OK);
			compare_orders(t, &first, &other);
			free_ordering(&other);
		}
		rbl_force_backend(rbl_best_backend());
		free_ordering(&first);
	}
}

// Whatever prefix is taken, nothing lies farther from it than the next point: the law of the order.
static void a_prefix_covers_all_points_evenly(test *t)
{
	ordering o = make_ordering(CLOUD_SPHERE, 2000, 5);
	CHECK(t, run_order(&o, o.count, NULL) == RBL_OK);
	float before = FLT_MAX;
	for (int rank = 1; rank < o.count; ++rank) {
		float gap = FLT_MAX;
		for (int k = 0; k < rank; ++k)
			gap = rbl_minf(gap, square_between(&o, o.order[rank], o.order[k]));
		CHECK(t, gap <= before);
		before = gap;
	}
	free_ordering(&o);
}

// A change of the order is a change of all contacts.
#define PINNED_ORDER UINT64_C(0x72f3bca82325c585)

static void an_order_has_a_pinned_hash(test *t)
{
	ordering o = make_ordering(CLOUD_SPHERE, 4096, 1);
	CHECK(t, run_order(&o, 1024, NULL) == RBL_OK);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, o.order, (size_t)o.count * sizeof(int));
	hash = rbl_hash_bytes(hash, o.parents, (size_t)o.count * sizeof(int));
	if (hash != PINNED_ORDER)
		printf("hash 0x%llx\n", (unsigned long long)hash);
	CHECK(t, hash == PINNED_ORDER);
	free_ordering(&o);
}

static void memory_may_run_out(test *t)
{
	ordering o = make_ordering(CLOUD_VOLUME, 3000, 2);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_result result = run_order(&o, 500, &allocator);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	free_ordering(&o);
}

TEST_MAIN(TEST(the_order_is_that_of_brute_force), TEST(the_rest_follows_by_distance),
          TEST(every_lane_width_gives_the_same_order), TEST(a_prefix_covers_all_points_evenly),
          TEST(an_order_has_a_pinned_hash), TEST(memory_may_run_out))
