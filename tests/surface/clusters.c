// SPDX-License-Identifier: MIT
// Clusters in few bits: boxes of triangles and bounds of normals hold what they stand for, whatever
// the size and the place, in every back end the same, and pairs whose boxes overlap are found.
// ctest: soak

#include "surface/cluster_lanes.h"
#include "surface/surface_kernels.h"

#include "base/random.h"

#include "test.h"

enum { KIND_COUNT = 13, ON_STEPS = 12, VERTICES = 3 * RBL_SURFACE_CLUSTER_SIZE };

// Corners from denormals to the largest floats, at the origin and far from it, flat and stretched.
static float coordinate(rbl_random *random, int kind, int axis)
{
	static const float sizes[ON_STEPS + 1] = { 1.0f,  1.0f,  1e-3f,  1.0f,   1e-6f,  3.4e38f,
		                                       1e38f, 1e19f, 1e-19f, 1e-38f, 2e-45f, 1.0f };
	static const float places[ON_STEPS + 1] = { 0.0f, 1.0f, 1000.0f, 16777216.0f, 1.0f, 0.0f,
		                                        0.0f, 0.0f, 0.0f,    0.0f,        0.0f, 0.0f };
	float x = (float)rbl_random_range(random, -1.0, 1.0);
	if (kind == 1 && axis == 2)
		return 0.25f; // no size along an axis
	if (kind == 11)   // a grid, with signed zeros
		x = (float)rbl_random_below(random, 3) * (rbl_random_u32(random) & 1 ? -0.5f : 0.5f);
	return x * sizes[kind] + places[kind];
}

typedef struct sample {
	rbl_vec3 starts[VERTICES + 1], ends[VERTICES + 1];
	int triangles[VERTICES];
	rbl_surface_cluster_source source;
	rbl_surface_cluster cluster;
	rbl_box box;
	rbl_surface_normals normals;
} sample;

// Bounds at whole steps of the cluster's box, or an ulp beside.
static void put_on_steps(sample *s, rbl_random *random)
{
	float low = (float)rbl_random_range(random, -1.0, 1.0);
	float high = low + (float)rbl_random_range(random, 0.001, 1.0);
	float step = (high - low) * (1.0f / (float)LANE_STEPS);
	for (int i = 0; i <= VERTICES; ++i) {
		float p[3];
		for (int k = 0; k < 3; ++k) {
			float away = (float)rbl_random_below(random, LANE_STEPS + 1) * step;
			float x = rbl_random_u32(random) & 1 ? low + away : high - away;
			uint32_t side = rbl_random_below(random, 3);
			x = side == 0 ? x : nextafterf(x, side == 1 ? low : high);
			p[k] = i == 0 ? low : i == 1 ? high : rbl_clampf(x, low, high);
		}
		s->starts[i] = s->ends[i] = (rbl_vec3){ p[0], p[1], p[2] };
	}
}

static void make_sample(sample *s, rbl_random *random, int kind, bool is_swept, rbl_backend backend)
{
	memset(s, 0, sizeof *s);
	for (int i = 0; i <= VERTICES; ++i) {
		rbl_vec3 *of[2] = { &s->starts[i], &s->ends[i] };
		for (int k = 0; k < 2; ++k) {
			of[k]->x = coordinate(random, kind, 0);
			of[k]->y = coordinate(random, kind, 1);
			of[k]->z = coordinate(random, kind, 2);
		}
	}
	if (kind == ON_STEPS)
		put_on_steps(s, random);
	for (int i = 0; i < VERTICES; ++i)
		s->triangles[i] = i;
	s->cluster.count = (int16_t)(1 + rbl_random_below(random, RBL_SURFACE_CLUSTER_SIZE));
	for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE; ++lane)
		s->cluster.triangles[lane] = lane < s->cluster.count ? lane : -1;
	s->source = (rbl_surface_cluster_source){ is_swept ? s->starts : NULL, s->ends, s->triangles };
	rbl_surface_cluster_corners corners;
	rbl_surface_read_cluster_corners(&corners, &s->cluster, s->triangles);
	RBL_KERNEL_OF(rbl_surface_fit_cluster, backend)
	(&s->cluster, rbl_random_u32(random) & 1 ? &corners : NULL, &s->box, &s->source, &s->normals);
}

static rbl_box box_of(const sample *s, int lane)
{
	rbl_box box = rbl_box_empty();
	for (int k = 0; k < 3; ++k) {
		box = rbl_box_add_point(box, s->ends[s->triangles[3 * lane + k]]);
		if (s->source.starts)
			box = rbl_box_add_point(box, s->starts[s->triangles[3 * lane + k]]);
	}
	return box;
}

static rbl_box read_box(const rbl_surface_lane_boxes *b, int lane)
{
	return (rbl_box){ { b->lower[0][lane], b->lower[1][lane], b->lower[2][lane] },
		              { b->upper[0][lane], b->upper[1][lane], b->upper[2][lane] } };
}

static void few_bits_hold_every_triangle(test *t)
{
	rbl_random random = rbl_random_from_seed(61);
	int count = test_count(2400, 600000);
	double margin = 0.0;
	for (int round = 0; round < count; ++round) {
		sample s;
		int kind = round % KIND_COUNT;
		bool is_swept = round / KIND_COUNT % 2;
		make_sample(&s, &random, kind, is_swept, rbl_best_backend());
		rbl_surface_lane_boxes boxes;
		load_lanes(&boxes, &s.cluster);
		CHECK(t, memcmp(&s.cluster.box, &s.box, sizeof s.box) == 0);
		for (int lane = 0; lane < s.cluster.count; ++lane) {
			rbl_box own = box_of(&s, lane), read = read_box(&boxes, lane);
			CHECK(t, rbl_box_contains(read, own) && rbl_box_contains(s.box, read));
			if (kind == 0 && !is_swept) // and not much more
				margin = rbl_maxd(margin, (double)(own.lower.x - read.lower.x) /
				                              (double)(s.box.upper.x - s.box.lower.x));
		}
	}
	CHECK(t, margin > 0.0 && margin < 1.01 / LANE_STEPS);
}

static rbl_vec3d at(const sample *s, int vertex, double time)
{
	rbl_vec3d end = rbl_to_d(s->ends[vertex]);
	return s->source.starts ? rbl_add_d(rbl_scale_d(1.0 - time, rbl_to_d(s->starts[vertex])),
	                                    rbl_scale_d(time, end))
	                        : end;
}

static void bounds_hold_every_normal(test *t)
{
	rbl_random random = rbl_random_from_seed(62);
	int count = test_count(1200, 300000);
	for (int round = 0; round < count; ++round) {
		sample s;
		make_sample(&s, &random, round / 2 % 5, round % 2, rbl_best_backend());
		rbl_box axes = rbl_surface_normals_box(&s.normals);
		rbl_surface_diagonals diagonals = rbl_surface_normals_diagonals(&s.normals);
		for (int lane = 0; lane < s.cluster.count; ++lane)
			for (int step = 0; step <= 4; ++step) {
				const int *v = s.triangles + 3 * lane;
				rbl_vec3d p = at(&s, v[0], 0.25 * step);
				rbl_vec3d n = rbl_cross_d(rbl_sub_d(at(&s, v[1], 0.25 * step), p),
				                          rbl_sub_d(at(&s, v[2], 0.25 * step), p));
				if (s.source.starts && step % 4) // between, what counts is the side
					continue;
				n = rbl_normalize_d(n);
				double e = 1e-4; // what culling allows for
				CHECK(t, n.x > (double)axes.lower.x - e && n.x < (double)axes.upper.x + e);
				CHECK(t, n.y > (double)axes.lower.y - e && n.y < (double)axes.upper.y + e);
				CHECK(t, n.z > (double)axes.lower.z - e && n.z < (double)axes.upper.z + e);
				const double along[4] = { n.x + n.y + n.z, n.x + n.y - n.z, n.x - n.y + n.z,
					                      n.y + n.z - n.x };
				for (int k = 0; k < 4; ++k)
					CHECK(t, along[k] > (double)diagonals.lower[k] - e &&
					             along[k] < (double)diagonals.upper[k] + e);
			}
	}
}

static void back_ends_fit_the_same_bits(test *t)
{
	for (int round = 0; round < 8 * KIND_COUNT; ++round) {
		sample first;
		for (int backend = 0; backend <= (int)rbl_best_backend(); ++backend) {
			rbl_random random = rbl_random_from_seed((uint64_t)round);
			sample s;
			make_sample(&s, &random, round % KIND_COUNT, round / KIND_COUNT % 2,
			            (rbl_backend)backend);
			if (backend == 0)
				first = s;
			CHECK(t, memcmp(&s.cluster, &first.cluster, sizeof s.cluster) == 0);
			CHECK(t, memcmp(&s.box, &first.box, sizeof s.box) == 0);
			CHECK(t, memcmp(&s.normals, &first.normals, sizeof s.normals) == 0);
		}
	}
}

static bool has_pair(const rbl_surface_pair *pairs, int count, int a, int b)
{
	for (int i = 0; i < count; ++i)
		if ((pairs[i].a == a && pairs[i].b == b) || (pairs[i].a == b && pairs[i].b == a))
			return true;
	return false;
}

// Two clusters against each other, and one against itself; as pairs and as staged triangles,
// widened or not.
static void overlapping_boxes_are_found(test *t)
{
	rbl_random random = rbl_random_from_seed(63);
	int count = test_count(1200, 120000), overlaps = 0, apart = 0;
	for (int round = 0; round < count; ++round) {
		sample a, b;
		int kind = round % KIND_COUNT;
		make_sample(&a, &random, kind, false, rbl_best_backend());
		make_sample(&b, &random, kind, false, rbl_best_backend());
		for (int lane = 0; lane < b.cluster.count; ++lane)
			b.cluster.triangles[lane] += RBL_SURFACE_CLUSTER_SIZE;
		bool is_own = round % 5 == 0;
		const sample *other = is_own ? &a : &b;
		float gap = round % 3 ? 0.0f : 0.01f * fabsf(coordinate(&random, kind, 0));
		rbl_surface_pair pairs[64];
		int found = RBL_PICK(rbl_surface_cluster_pairs)(&a.cluster, &other->cluster, gap, pairs);
		rbl_surface_lane_boxes boxes[2];
		rbl_surface_staged_cluster rows[2] = { { &a.cluster, &boxes[0], 0, true },
			                                   { &b.cluster, &boxes[1], RBL_SURFACE_CLUSTER_SIZE,
			                                     true } };
		rbl_surface_staged_pair row_pairs[65];
		int row_count = RBL_PICK(rbl_surface_staged_cluster_pairs)(&rows[0], &rows[1], row_pairs);
		CHECK(t, is_own || gap > 0.0f || row_count == found);
		for (int i = 0; i < row_count && !is_own && !(gap > 0.0f); ++i)
			CHECK(t,
			      has_pair(pairs, found, (int)(row_pairs[i] & 0xffff), (int)(row_pairs[i] >> 16)));
		for (int i = 0; i < a.cluster.count; ++i)
			for (int k = is_own ? i + 1 : 0; k < other->cluster.count; ++k) {
				rbl_vec3 by = { gap, gap, gap };
				rbl_box own = box_of(&a, i);
				own = (rbl_box){ rbl_sub(own.lower, by), rbl_add(own.upper, by) };
				bool is_over = rbl_box_overlaps(own, box_of(other, k));
				bool is_found = has_pair(pairs, found, i, other->cluster.triangles[k]);
				CHECK(t, is_found || !is_over);
				overlaps += is_over, apart += !is_found;
			}
	}
	CHECK(t, overlaps > count && apart > count);
}

TEST_MAIN(TEST(few_bits_hold_every_triangle), TEST(bounds_hold_every_normal),
          TEST(back_ends_fit_the_same_bits), TEST(overlapping_boxes_are_found))
