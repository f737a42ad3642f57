// SPDX-License-Identifier: MIT
// ctest: soak
// Pairs of triangles over a step: what is dropped holds no features that touch, but for those at a
// place of a seam.

#include "surface/surface_kernels.h"

#include "base/random.h"
#include "base/vec.h"
#include "ccd/ccd.h"
#include "test.h"

enum { PAIRS = 61, KIND_COUNT = 7, VERTICES = 6 * PAIRS };

/// Pairs of triangles, six vertices each; one position more that kernels may read.
typedef struct scene {
	rbl_vec3 points[2][VERTICES + 1];
	int triangles[VERTICES], pairs[2 * PAIRS], places[VERTICES];
} scene;

static rbl_vec3 random_point(rbl_random *random, int kind)
{
	rbl_vec3d p = rbl_random_in_ball(random);
	if (kind == 1) // a small grid
		p = (rbl_vec3d){ floor(3.0 * p.x), floor(3.0 * p.y), floor(3.0 * p.z) };
	if (kind == 2) // nearly flat
		p.z = 1e-7 * p.x;
	if (kind == 3) // one plane, and one side by side with it
		p.z = 0.75 * p.x;
	if (kind == 4) // where rounding is coarse
		p = (rbl_vec3d){ 1e4 + 1e-2 * p.x, -3e3 + 1e-2 * p.y, 1e-2 * p.z };
	if (kind == 5) // beyond what floats can multiply
		p = rbl_scale_d(1e25, p);
	if (kind == 6)
		p = rbl_scale_d(1e-25, p);
	return rbl_to_f(p);
}

// Neighbours across a crack, mostly: corners at one place, ends near the starts or anywhere.
// @param gap  between the planes of kind 3
static void make_scene(rbl_random *random, int kind, float gap, scene *s)
{
	int place = 0;
	memset(s->places, 0, sizeof s->places);
	for (int i = 0; i < VERTICES; ++i) {
		s->triangles[i] = i;
		s->points[0][i] = random_point(random, kind);
		if (kind == 3 && i % 6 >= 3)
			s->points[0][i] = rbl_add_scaled(s->points[0][i], gap, (rbl_vec3){ -0.6f, 0.0f, 0.8f });
	}
	for (int i = 0; i < PAIRS; ++i) {
		s->pairs[2 * i] = 2 * i, s->pairs[2 * i + 1] = 2 * i + 1;
		int *a = s->places + 6 * i, shared = (int)rbl_random_below(random, 4);
		for (int k = 0; k < shared; ++k) {
			int from = (int)rbl_random_below(random, 3), to = 3 + (int)rbl_random_below(random, 3);
			if (a[to] != 0)
				continue;
			a[from] = a[from] ? a[from] : ++place;
			a[to] = a[from];
			s->points[0][6 * i + to] = s->points[0][6 * i + from];
		}
		rbl_vec3 displacements[2] = { rbl_to_f(rbl_scale_d(0.1, rbl_random_in_ball(random))),
			                          rbl_to_f(rbl_scale_d(0.1, rbl_random_in_ball(random))) };
		float factor = kind == 5 ? 1e25f : kind == 6 ? 1e-25f : 1.0f;
		bool is_rigid = rbl_random_below(random, 4) > 0, rests = rbl_random_below(random, 4) == 0;
		for (int k = 0; k < 6; ++k) {
			rbl_vec3 *end = &s->points[1][6 * i + k];
			*end = is_rigid ? rbl_add_scaled(s->points[0][6 * i + k], factor, displacements[k / 3])
			                : random_point(random, kind);
			if (rests)
				*end = s->points[0][6 * i + k];
		}
	}
	s->points[0][VERTICES] = s->points[1][VERTICES] = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
}

// Whether some features of a pair touch, without a place on both sides of them.
static bool features_meet(const scene *s, int pair, const int *places, double thickness)
{
	const int *a = s->triangles + 6 * pair, *b = a + 3;
	thickness /= 1.1000001; // a proven hit comes within 1.1 times of what is asked for
	for (int i = 0; i < 15; ++i) {
		int v[4], split = i < 6 ? 1 : 2;
		if (i < 6) {
			const int *face = i < 3 ? b : a;
			v[0] = i < 3 ? a[i] : b[i - 3];
			memcpy(v + 1, face, 3 * sizeof(int));
		} else {
			int e = (i - 6) / 3, f = (i - 6) % 3;
			v[0] = a[e], v[1] = a[(e + 1) % 3], v[2] = b[f], v[3] = b[(f + 1) % 3];
		}
		bool at_place = false;
		for (int k = 0; places && k < split; ++k)
			for (int n = split; n < 4; ++n)
				at_place |= places[v[k]] != 0 && places[v[k]] == places[v[n]];
		rbl_vec3d start[4], end[4];
		for (int k = 0; k < 4; ++k)
			start[k] = rbl_to_d(s->points[0][v[k]]), end[k] = rbl_to_d(s->points[1][v[k]]);
		rbl_impact impact;
		if (!at_place &&
		    rbl_ccd_test(i < 6 ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE, start, end, thickness,
		                 &impact) &&
		    impact.is_certified)
			return true;
	}
	return false;
}

static unsigned bits_of(const scene *s, int pair)
{
	unsigned bits = 0;
	for (int i = 0; i < 9; ++i) {
		int place = s->places[6 * pair + i / 3];
		bits |= (unsigned)(place != 0 && place == s->places[6 * pair + 3 + i % 3]) << i;
	}
	return bits;
}

static void what_is_dropped_does_not_meet(test *t)
{
	rbl_random random = rbl_random_from_seed(83);
	static scene s;
	int dropped[2] = { 0, 0 }, colliding = 0;
	for (int round = 0; round < test_count(600, 60000); ++round) {
		int kind = round % KIND_COUNT;
		bool has_places = round / KIND_COUNT % 3 > 0;
		float size = kind == 5 ? 1e25f : kind == 6 ? 1e-25f : 1.0f;
		float thickness = !has_places && round % 2 ? 0.05f * size : 0.0f;
		make_scene(&random, kind, 0.88f * thickness, &s);
		bool is_still = round % 5 == 0;
		if (is_still)
			memcpy(s.points[1], s.points[0], sizeof s.points[0]);
		const rbl_surface_sweep_source source = {
			s.points[0],   s.points[is_still ? 0 : 1],   1.0f,
			s.triangles,   has_places ? s.places : NULL, thickness,
			round % 7 == 0
		};
		int first[PAIRS + 7], first_count = 0;
		for (int backend = 0; backend <= (int)rbl_best_backend(); ++backend) {
			int kept[PAIRS + 7], at = 0;
			uint16_t seams[PAIRS + 7];
			int count = RBL_KERNEL_OF(rbl_surface_filter_swept_pairs,
			                          (rbl_backend)backend)(&source, s.pairs, PAIRS, kept, seams);
			if (backend == 0)
				memcpy(first, kept, sizeof kept), first_count = count;
			CHECK(t, count == first_count && memcmp(first, kept, (size_t)count * sizeof(int)) == 0);
			for (int i = 0; i < PAIRS && backend == 0; ++i) {
				if (at < count && kept[at] == i) {
					CHECK(t, seams[at] == (has_places ? bits_of(&s, i) : 0));
					colliding += features_meet(&s, i, source.places, (double)thickness);
					at++;
					continue;
				}
				dropped[has_places && bits_of(&s, i) != 0]++;
				CHECK(t, !features_meet(&s, i, source.places, (double)thickness));
			}
		}
	}
	CHECK(t, dropped[0] > 100 && dropped[1] > 100 && colliding > 100);
}

// A triangle, and the same again beside it, at rest or flying together: the way between them is
// that along their normal.
static void what_is_nearer_than_the_thickness_is_kept(test *t)
{
	rbl_random random = rbl_random_from_seed(97);
	static scene s;
	for (int round = 0; round < test_count(100, 10000); ++round) {
		float thickness = 0.05f, share = round % 2 ? 0.9995f : 1.001f;
		make_scene(&random, 0, 0.0f, &s);
		for (int i = 0; i < PAIRS; ++i) {
			rbl_vec3 *p = s.points[0] + 6 * i, *q = s.points[1] + 6 * i;
			rbl_vec3 normal = rbl_normalize(rbl_cross(rbl_sub(p[1], p[0]), rbl_sub(p[2], p[0])));
			for (int k = 0; k < 3; ++k) {
				q[k] = rbl_add(p[k], rbl_sub(q[0], p[0]));
				p[k + 3] = rbl_add_scaled(p[k], share * thickness, normal);
				q[k + 3] = rbl_add_scaled(q[k], share * thickness, normal);
			}
		}
		const rbl_surface_sweep_source source = { s.points[0], s.points[1], 1.0f, s.triangles,
			                                      NULL,        thickness,   false };
		int kept[PAIRS + 7];
		uint16_t seams[PAIRS + 7];
		int count = RBL_PICK(rbl_surface_filter_swept_pairs)(&source, s.pairs, PAIRS, kept, seams);
		CHECK(t, round % 2 ? count == PAIRS : count < PAIRS / 2);
	}
}

// Whether two triangles are further apart than a gap along an axis, in the same order at both ends.
static bool stay_apart(const scene *s, const int *a, const int *b, double gap)
{
	for (int k = 0; k < 3; ++k) {
		double above = 1e300, below = 1e300; // of b over a, and the other way round
		for (int pose = 0; pose < 2; ++pose)
			for (int i = 0; i < 9; ++i) {
				double p = (double)rbl_axis(s->points[pose][a[i / 3]], k);
				double q = (double)rbl_axis(s->points[pose][b[i % 3]], k);
				above = fmin(above, q - p), below = fmin(below, p - q);
			}
		if (above > gap || below > gap)
			return true;
	}
	return false;
}

static void clusters_pair_what_does_not_stay_apart(test *t)
{
	rbl_random random = rbl_random_from_seed(89);
	static scene s;
	int found = 0, apart = 0;
	for (int round = 0; round < test_count(400, 40000); ++round) {
		int kind = round % 5;
		make_scene(&random, kind, 0.0f, &s);
		float gap = round % 3 ? 0.0f : 0.05f;
		bool is_still = round % 4 == 0;
		if (is_still)
			memcpy(s.points[1], s.points[0], sizeof s.points[0]);
		rbl_surface_cluster clusters[2];
		for (int i = 0; i < 2; ++i) {
			clusters[i].count = (int16_t)(1 + rbl_random_below(&random, 8));
			for (int lane = 0; lane < 8; ++lane)
				clusters[i].triangles[lane] =
					lane < clusters[i].count ? (int)rbl_random_below(&random, 2 * PAIRS) : -1;
		}
		rbl_surface_pair first[64];
		int first_count = 0;
		for (int backend = 0; backend <= (int)rbl_best_backend(); ++backend) {
			rbl_surface_swept_boxes boxes[2];
			for (int i = 0; i < 2; ++i)
				RBL_KERNEL_OF(rbl_surface_fill_swept_boxes, (rbl_backend)backend)
			(&boxes[i], s.points[0], s.points[is_still ? 0 : 1], 1.0f, s.triangles,
			 clusters[i].triangles);
			rbl_surface_pair pairs[64];
			int count = RBL_KERNEL_OF(rbl_surface_swept_cluster_pairs, (rbl_backend)backend)(
				&clusters[0], &boxes[0], &clusters[1], &boxes[1], gap, is_still, pairs);
			if (backend == 0)
				memcpy(first, pairs, sizeof first), first_count = count;
			CHECK(t,
			      count == first_count && memcmp(first, pairs, (size_t)count * sizeof *pairs) == 0);
		}
		int expected = 0;
		for (int i = 0; i < clusters[0].count * clusters[1].count; ++i) {
			int a = clusters[0].triangles[i / clusters[1].count];
			int b = clusters[1].triangles[i % clusters[1].count];
			bool is_apart = stay_apart(&s, s.triangles + 3 * a, s.triangles + 3 * b, (double)gap);
			bool is_paired = false;
			for (int k = 0; k < first_count; ++k)
				is_paired |=
					(first[k].a == a && first[k].b == b) || (first[k].a == b && first[k].b == a);
			// With a gap, an ulp more is required.
			CHECK(t, is_paired || is_apart);
			CHECK(t, gap > 0.0f || !is_paired || !is_apart);
			expected += !is_apart, apart += is_apart;
		}
		CHECK(t, first_count >= expected);
		found += expected;
	}
	CHECK(t, found > 1000 && apart > 1000);
}

TEST_MAIN(TEST(what_is_dropped_does_not_meet), TEST(what_is_nearer_than_the_thickness_is_kept),
          TEST(clusters_pair_what_does_not_stay_apart))
