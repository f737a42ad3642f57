// SPDX-License-Identifier: MIT
// ctest: soak pinned
//
// Batches of candidates: the eight-wide filters drop nothing that touches, and every back end keeps
// the same pairs.

#include "ccd/ccd_kernels.h"
#include "surface/query.h"
#include "surface/surface_kernels.h"

#include "base/hash.h"
#include "base/random.h"
#include "geometry/geometry.h"

#include "test.h"

enum { VERTICES = 40, PAIRS = 203 }; // not a multiple of eight

static float grid(rbl_random *random, int size)
{
	return (float)rbl_random_below(random, (uint32_t)(2 * size + 1)) - (float)size;
}

enum { KIND_COUNT = 8 };

/// Positions of one of several kinds.
static void make_points(rbl_random *random, int kind, rbl_vec3 *points)
{
	const float scales[KIND_COUNT] = { 1.0f, 1.0f, 1.0f, 1.0f, 1e13f, 1e30f, 1e-12f, 1e-38f };
	for (int i = 0; i <= VERTICES; ++i) {
		float p[3]; // one after the other: the order of arguments is the compiler's
		for (int k = 0; k < 3; ++k) {
			if (kind == 0) // many contacts, exact zeros
				p[k] = grid(random, 2);
			else if (kind == 1) // in a plane
				p[k] = k < 2 ? grid(random, 3) : 1.0f;
			else if (kind == 2) // grid points away from the origin, moved by ulps below
				p[k] = grid(random, 2) + 9.0f - 7.0f * (float)k;
			else
				p[k] = (float)rbl_random_range(random, -1.0, 1.0);
			if (kind == 2)
				p[k] = nextafterf(p[k], rbl_random_u32(random) & 1 ? 1e9f : 0.0f);
		}
		points[i] = (rbl_vec3){ p[0] * scales[kind], p[1] * scales[kind], p[2] * scales[kind] };
	}
}

static void pick_different(rbl_random *random, int *vertices, int count)
{
	for (int i = 0; i < count; ++i) {
		bool is_new;
		do {
			vertices[i] = (int)rbl_random_below(random, VERTICES);
			is_new = true;
			for (int k = 0; k < i; ++k)
				is_new &= vertices[k] != vertices[i];
		} while (!is_new);
	}
}

static void filters_keep_every_hit(test *t)
{
	rbl_random random = rbl_random_from_seed(31);
	int count = test_count(160, 20000), dropped = 0, hits = 0;
	for (int round = 0; round < count; ++round) {
		rbl_vec3 start[VERTICES + 1], end[VERTICES + 1];
		make_points(&random, round % KIND_COUNT, start);
		make_points(&random, round % KIND_COUNT, end);
		if (round % 3 == 0) // hardly any motion
			for (int i = 0; i <= VERTICES; ++i)
				end[i] = rbl_random_u32(&random) & 3 ? start[i] : end[i];
		// Where both ends are one array, nothing moves.
		rbl_ccd_motion motion = { start, round % 4 ? end : start, 1.0f };
		rbl_ccd_quad quads[PAIRS];
		for (int i = 0; i < PAIRS; ++i)
			pick_different(&random, quads[i].vertices, 4);
		rbl_ccd_kind kind = round / KIND_COUNT % 2 ? RBL_CCD_EDGE_EDGE : RBL_CCD_VERTEX_FACE;
		float thickness = round % 5 == 0 ? 0.05f * fabsf(start[0].x) : 0.0f;
		int kept[PAIRS + 7], n = rbl_ccd_filter(kind, &motion, quads, PAIRS, thickness, kept),
							 at = 0;
		for (int i = 0; i < PAIRS; ++i) {
			bool is_kept = at < n && kept[at] == i;
			at += is_kept;
			rbl_impact impact;
			bool is_hit = rbl_ccd_test_quad(kind, &motion, &quads[i], thickness, &impact);
			// A filter may know that a pair keeps the thickness, which single tests know to a
			// tenth.
			bool is_sure =
				is_hit && (thickness == 0.0f || rbl_ccd_test_quad(kind, &motion, &quads[i],
			                                                      thickness / 1.100001f, &impact));
			CHECK(t, is_kept || !is_sure);
			dropped += !is_kept;
			hits += is_hit;
		}
		CHECK(t, at == n);
	}
	CHECK(t, hits > count && dropped > count * PAIRS / 5);
}

static void triangle_batches_equal_single_tests(test *t)
{
	rbl_random random = rbl_random_from_seed(32);
	int count = test_count(160, 20000), hits[4] = { 0 };
	for (int round = 0; round < count; ++round) {
		rbl_vec3 points[VERTICES + 1];
		int triangles[3 * VERTICES], pairs[2 * PAIRS], colliding[PAIRS + 7];
		make_points(&random, round % KIND_COUNT, points);
		for (int i = 0; i < VERTICES; ++i) // few vertices, so that many are shared
			pick_different(&random, triangles + 3 * i, 3);
		for (int i = 3; i < 3 * VERTICES; ++i)
			if (i % 3 && rbl_random_u32(&random) & 1) { // a corner of the triangle before
				int v = triangles[i - 3];
				int *own = triangles + i / 3 * 3;
				if (v != own[0] && v != own[1] && v != own[2])
					triangles[i] = v;
			}
		for (int i = 0; i < PAIRS; ++i) {
			pairs[2 * i] = (int)rbl_random_below(&random, VERTICES);
			pairs[2 * i + 1] =
				i % 2 ? (int)rbl_random_below(&random, VERTICES) : (pairs[2 * i] + 1) % VERTICES;
		}
		int n = rbl_surface_test_triangle_pairs(points, triangles, pairs, PAIRS, colliding, NULL,
		                                        NULL),
			at = 0;
		for (int i = 0; i < PAIRS; ++i) {
			const int *a = triangles + 3 * pairs[2 * i], *b = triangles + 3 * pairs[2 * i + 1];
			bool is_found = at < n && colliding[at] == i;
			at += is_found;
			CHECK(t, is_found == rbl_indexed_triangles_meet_float(points, a, b));
			int shared = 0;
			for (int k = 0; k < 9; ++k)
				shared += a[k / 3] == b[k % 3];
			hits[shared] += is_found;
		}
		CHECK(t, at == n);
	}
	for (int i = 0; i < 4; ++i)
		CHECK(t, hits[i] > 0);
}

static void back_ends_keep_the_same(test *t)
{
	rbl_random random = rbl_random_from_seed(33);
	uint64_t hash = RBL_HASH_START;
	for (int round = 0; round < 64; ++round) {
		rbl_vec3 start[VERTICES + 1], end[VERTICES + 1];
		rbl_ccd_quad quads[PAIRS];
		int triangles[3 * VERTICES], pairs[2 * PAIRS];
		make_points(&random, round % KIND_COUNT, start);
		make_points(&random, round % KIND_COUNT, end);
		rbl_ccd_motion motion = { start, end, 1.0f };
		for (int i = 0; i < PAIRS; ++i) {
			pick_different(&random, quads[i].vertices, 4);
			pairs[2 * i] = (int)rbl_random_below(&random, VERTICES);
			pairs[2 * i + 1] = (int)rbl_random_below(&random, VERTICES);
		}
		for (int i = 0; i < VERTICES; ++i)
			pick_different(&random, triangles + 3 * i, 3);
		rbl_ccd_kind kind = (rbl_ccd_kind)(round / KIND_COUNT % 2);
		float thickness = round % 4 ? 0.0f : 0.1f;
		int first[2][PAIRS + 7], first_count[2];
		signed char first_answers[PAIRS];
		for (int backend = 0; backend <= (int)rbl_best_backend(); ++backend) {
			int kept[2][PAIRS + 7], n[2];
			n[0] = RBL_KERNEL_OF(rbl_ccd_filter, (rbl_backend)backend)(kind, &motion, quads, PAIRS,
			                                                           thickness, kept[0]);
			n[1] = RBL_KERNEL_OF(rbl_surface_filter_triangle_pairs,
			                     (rbl_backend)backend)(start, triangles, pairs, PAIRS, kept[1]);
			signed char answers[PAIRS];
			RBL_KERNEL_OF(rbl_surface_decide_triangle_pairs, (rbl_backend)backend)
			(start, triangles, pairs, PAIRS, answers);
			if (backend == 0)
				memcpy(first_answers, answers, sizeof answers);
			CHECK(t, memcmp(first_answers, answers, sizeof answers) == 0);
			for (int i = 0; i < 2; ++i) {
				if (backend == 0) {
					first_count[i] = n[i];
					memcpy(first[i], kept[i], (size_t)n[i] * sizeof(int));
					hash = rbl_hash_bytes(hash, kept[i], (size_t)n[i] * sizeof(int));
				}
				CHECK(t, n[i] == first_count[i] &&
				             memcmp(first[i], kept[i], (size_t)n[i] * sizeof(int)) == 0);
			}
		}
	}
	if (getenv("RBL_VERBOSE"))
		printf("hash 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == UINT64_C(0x0ec0e738f96196f9)); // on every compiler and platform
}

static void shared_corners_are_told(test *t)
{
	rbl_random random = rbl_random_from_seed(9);
	for (int round = 0; round < 50; ++round) {
		int triangles[3 * VERTICES], pairs[2 * PAIRS], count = 1 + round * (PAIRS - 1) / 49;
		for (int i = 0; i < VERTICES; ++i)
			pick_different(&random, triangles + 3 * i, 3);
		for (int i = 0; i < 2 * count; ++i)
			pairs[i] = (int)rbl_random_below(&random, VERTICES);
		for (int k = RBL_BACKEND_PLAIN; k <= (int)rbl_best_backend(); ++k) {
			uint16_t bits[PAIRS];
			RBL_KERNEL_OF(rbl_surface_shared_corners, (rbl_backend)k)
			(triangles, pairs, count, bits);
			for (int i = 0; i < 9 * count; ++i) {
				const int *a = triangles + 3 * pairs[i / 9 * 2],
						  *b = triangles + 3 * pairs[i / 9 * 2 + 1];
				CHECK(t, (bits[i / 9] >> i % 9 & 1) == (a[i % 9 / 3] == b[i % 3]));
			}
		}
	}
}

static void nothing_in_gives_nothing_out(test *t)
{
	rbl_vec3 points[2] = { { 0 } };
	rbl_ccd_motion motion = { points, points, 1.0f };
	int none[7] = { 0 };
	CHECK(t, rbl_ccd_filter(RBL_CCD_VERTEX_FACE, &motion, NULL, 0, 0.0f, none) == 0);
	CHECK(t, rbl_surface_test_triangle_pairs(points, NULL, NULL, 0, none, NULL, NULL) == 0);
}

TEST_MAIN(TEST(filters_keep_every_hit), TEST(triangle_batches_equal_single_tests),
          TEST(back_ends_keep_the_same), TEST(shared_corners_are_told),
          TEST(nothing_in_gives_nothing_out))
