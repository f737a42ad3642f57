// SPDX-License-Identifier: MIT
// Queries find exactly what brute force finds.

#include "tree/scenes.h"

#include "base/kernel.h"
#include "test.h"

enum { MAX_COUNT = 700 };

// How often each pair, or each leaf, was reported.
typedef struct hit_list {
	unsigned char *hits; // MAX_COUNT * MAX_COUNT
	int total, stop_after;
} hit_list;

static bool count_pairs(void *context, const rbl_tree_pair *pairs, int count)
{
	hit_list *tally = context;
	for (int i = 0; i < count; ++i)
		tally->hits[pairs[i].a * MAX_COUNT + pairs[i].b]++;
	tally->total += count;
	return tally->stop_after == 0 || tally->total < tally->stop_after;
}

static bool count_leaves(void *context, const uint32_t *leaves, int count)
{
	hit_list *tally = context;
	for (int i = 0; i < count; ++i)
		tally->hits[leaves[i]]++;
	tally->total += count;
	return tally->stop_after == 0 || tally->total < tally->stop_after;
}

typedef struct box_scene {
	rbl_tree_pool pool;
	rbl_tree tree;
	rbl_box *boxes;
	int count;
} box_scene;

static void make_scene(box_scene *scene, int builder, int kind, int count, uint64_t seed)
{
	scene->count = count;
	scene->boxes = scene_boxes((scene_kind)kind, count, seed);
	rbl_tree_pool_init(&scene->pool, NULL, 0);
	scene->tree = rbl_tree_make(&scene->pool);
	if (rbl_tree_build(&scene->tree, &(rbl_tree_build_input){ .builder = (rbl_tree_builder)builder,
	                                                          .count = count,
	                                                          .boxes = scene->boxes }) != RBL_OK)
		abort();
}

static void drop_scene(box_scene *scene)
{
	rbl_tree_pool_destroy(&scene->pool);
	free(scene->boxes);
}

static const int counts[] = { 0, 1, 2, 3, 10, 300 };
enum { COUNTS = sizeof counts / sizeof counts[0] };

static void self_queries_equal_brute_force(test *t)
{
	unsigned char *hits = malloc(MAX_COUNT * MAX_COUNT);
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
			for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
				for (int c = 0; c < COUNTS; ++c) {
					box_scene s;
					make_scene(&s, builder, kind, counts[c], 11);
					memset(hits, 0, MAX_COUNT * MAX_COUNT);
					hit_list tally = { hits, 0, 0 };
					CHECK(t, rbl_tree_query_self(&s.tree, count_pairs, &tally));
					int wrong = 0;
					for (int a = 0; a < s.count; ++a)
						for (int b = a; b < s.count; ++b) {
							int found = hits[a * MAX_COUNT + b] + hits[b * MAX_COUNT + a];
							wrong += found != (a != b && rbl_box_overlaps(s.boxes[a], s.boxes[b]));
						}
					CHECK(t, wrong == 0);
					drop_scene(&s);
				}
	}
	rbl_force_backend(rbl_best_backend());
	free(hits);
}

static void pair_queries_equal_brute_force(test *t)
{
	unsigned char *hits = malloc(MAX_COUNT * MAX_COUNT);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
			for (int c = 0; c < COUNTS * COUNTS; ++c) {
				box_scene a, b;
				make_scene(&a, builder, kind, counts[c / COUNTS], 21);
				make_scene(&b, RBL_TREE_BUILD_MEDIAN, SCENE_MIXED, counts[c % COUNTS], 22);
				memset(hits, 0, MAX_COUNT * MAX_COUNT);
				hit_list tally = { hits, 0, 0 };
				CHECK(t, rbl_tree_query_pair(&a.tree, &b.tree, count_pairs, &tally));
				int wrong = 0;
				for (int i = 0; i < a.count; ++i)
					for (int k = 0; k < b.count; ++k)
						wrong +=
							hits[i * MAX_COUNT + k] != rbl_box_overlaps(a.boxes[i], b.boxes[k]);
				CHECK(t, wrong == 0);
				drop_scene(&b);
				drop_scene(&a);
			}
	free(hits);
}

static rbl_transform random_transform(rbl_random *random)
{
	rbl_quat q = { rbl_random_float(random) - 0.5f, rbl_random_float(random) - 0.5f,
		           rbl_random_float(random) - 0.5f, rbl_random_float(random) - 0.5f };
	rbl_vec3 p = { rbl_random_float(random) - 0.5f, rbl_random_float(random) - 0.5f,
		           rbl_random_float(random) - 0.5f };
	return (rbl_transform){ p, rbl_quat_normalize(q) };
}

// The report is exact for the moved boxes, and those contain all corners of the moved leaves.
static void moved_queries_miss_nothing(test *t)
{
	unsigned char *hits = malloc(MAX_COUNT * MAX_COUNT);
	rbl_random random = rbl_random_from_seed(4);
	for (int round = 0; round < 40; ++round) {
		box_scene a, b;
		make_scene(&a, round % RBL_TREE_BUILDER_COUNT, SCENE_MIXED, counts[round % COUNTS], 31);
		make_scene(&b, RBL_TREE_BUILD_SAH, SCENE_MIXED, counts[(round / 2 + 1) % COUNTS], 32);
		rbl_transform motion = random_transform(&random);
		memset(hits, 0, MAX_COUNT * MAX_COUNT);
		hit_list tally = { hits, 0, 0 };
		CHECK(t, rbl_tree_query_pair_moved(&a.tree, &b.tree, motion, count_pairs, &tally));
		int wrong = 0;
		for (int k = 0; k < b.count; ++k) {
			rbl_box moved = rbl_tree_moved_box(motion, b.boxes[k]);
			rbl_box corners = rbl_box_empty();
			for (int c = 0; c < 8; ++c) {
				rbl_vec3 p = { c & 1 ? b.boxes[k].upper.x : b.boxes[k].lower.x,
					           c & 2 ? b.boxes[k].upper.y : b.boxes[k].lower.y,
					           c & 4 ? b.boxes[k].upper.z : b.boxes[k].lower.z };
				corners = rbl_box_add_point(corners, rbl_transform_point(motion, p));
			}
			wrong += !rbl_box_contains(moved, corners);
			for (int i = 0; i < a.count; ++i)
				wrong += hits[i * MAX_COUNT + k] != rbl_box_overlaps(a.boxes[i], moved);
		}
		CHECK(t, wrong == 0);
		drop_scene(&b);
		drop_scene(&a);
	}
	free(hits);
}

static void box_queries_equal_brute_force(test *t)
{
	unsigned char *hits = malloc(MAX_COUNT);
	rbl_random random = rbl_random_from_seed(5);
	for (int builder = 0; builder < RBL_TREE_BUILDER_COUNT; ++builder)
		for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
			for (int c = 0; c < COUNTS; ++c) {
				box_scene s;
				make_scene(&s, builder, kind, counts[c], 41);
				for (int q = 0; q < 20; ++q) {
					rbl_box box = scene_box((scene_kind)(q % SCENE_KIND_COUNT), &random);
					memset(hits, 0, MAX_COUNT);
					hit_list tally = { hits, 0, 0 };
					CHECK(t, rbl_tree_query_box(&s.tree, box, count_leaves, &tally));
					int wrong = 0;
					for (int i = 0; i < s.count; ++i)
						wrong += hits[i] != rbl_box_overlaps(s.boxes[i], box);
					CHECK(t, wrong == 0);
				}
				drop_scene(&s);
			}
	free(hits);
}

static void a_visitor_can_stop_a_query(test *t)
{
	unsigned char *hits = calloc(MAX_COUNT, MAX_COUNT);
	box_scene s;
	make_scene(&s, RBL_TREE_BUILD_MORTON, SCENE_SAME, 600, 1);
	hit_list tally = { hits, 0, 1 };
	CHECK(t, !rbl_tree_query_self(&s.tree, count_pairs, &tally) && tally.total <= RBL_TREE_BATCH);
	tally.total = 0;
	CHECK(t, !rbl_tree_query_pair(&s.tree, &s.tree, count_pairs, &tally));
	CHECK(t, tally.total <= RBL_TREE_BATCH);
	tally.total = 0;
	CHECK(t, !rbl_tree_query_pair_moved(&s.tree, &s.tree, rbl_transform_identity(), count_pairs,
	                                    &tally));
	CHECK(t, tally.total <= RBL_TREE_BATCH);
	tally.total = 0;
	CHECK(t, !rbl_tree_query_box(&s.tree, s.tree.bounds, count_leaves, &tally));
	CHECK(t, tally.total <= RBL_TREE_BATCH);
	drop_scene(&s);
	free(hits);
}

typedef struct ray_test {
	const box_scene *scene;
	rbl_vec3 from, translation;
	float nearest;
	int asked, stop_after;
} ray_test;

// Where a ray enters a box, by double precision; -1 for a miss. Boxes here are not grazed.
static double ray_enters(rbl_vec3 from, rbl_vec3 translation, rbl_box box)
{
	double enter = 0.0, leave = 1e30;
	for (int k = 0; k < 3; ++k) {
		double f = (double)rbl_axis(from, k), w = (double)rbl_axis(translation, k);
		double l = (double)rbl_axis(box.lower, k), u = (double)rbl_axis(box.upper, k);
		if (w == 0.0) {
			if (f < l || f > u)
				return -1.0;
			continue;
		}
		double a = (l - f) / w, b = (u - f) / w;
		enter = fmax(enter, fmin(a, b));
		leave = fmin(leave, fmax(a, b));
	}
	return enter <= leave ? enter : -1.0;
}

static float hit_leaf(void *context, uint32_t leaf, float end)
{
	ray_test *ray = context;
	if (++ray->asked == ray->stop_after)
		return -1.0f;
	double enter = ray_enters(ray->from, ray->translation, ray->scene->boxes[leaf]);
	if (enter < 0.0 || enter > (double)end)
		return end;
	ray->nearest = (float)enter;
	return ray->nearest;
}

static void rays_find_the_nearest_box(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
		for (int c = 0; c < COUNTS; ++c) {
			box_scene s;
			make_scene(&s, kind % RBL_TREE_BUILDER_COUNT, kind, counts[c], 51);
			for (int q = 0; q < 200; ++q) {
				rbl_vec3 from = scene_box(SCENE_EVEN, &random).lower;
				rbl_vec3 translation = rbl_sub(scene_box(SCENE_EVEN, &random).lower, from);
				if (q % 5 == 0)
					translation.y = translation.z = 0.0f; // along an axis
				if (q % 7 == 0 && s.count > 0)
					from = s.boxes[q % s.count].lower;
				float end = q % 3 ? 10.0f : 0.5f;
				ray_test ray = { &s, from, translation, FLT_MAX, 0, 0 };
				rbl_tree_query_ray(&s.tree, from, translation, end, hit_leaf, &ray);
				float expected = FLT_MAX;
				for (int i = 0; i < s.count; ++i) {
					double enter = ray_enters(from, translation, s.boxes[i]);
					if (enter >= 0.0 && enter <= (double)end && (float)enter < expected)
						expected = (float)enter;
				}
				CHECK(t, ray.nearest == expected);
			}
			ray_test ray = { &s, { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f }, FLT_MAX, 0, 1 };
			rbl_tree_query_ray(&s.tree, ray.from, ray.translation, 1.0f, hit_leaf, &ray);
			CHECK(t, ray.asked <= 1);
			drop_scene(&s);
		}
}

// Corners of boxes on a grid, ways to a corner of another: touching only at the end, or along an
// edge, is what rounding loses first. Small whole numbers make the reference exact.
static void a_box_that_just_grazes_is_touched(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	for (int i = 0; i < 200000; ++i) {
		int low[2][3], high[2][3], translation[3];
		for (int k = 0; k < 3; ++k) {
			translation[k] = (int)rbl_random_below(&random, 15) - 7;
			for (int b = 0; b < 2; ++b) {
				low[b][k] = (int)rbl_random_below(&random, 15) - 7;
				high[b][k] = low[b][k] + (int)rbl_random_below(&random, 3);
			}
		}
		// All times have the product of the ways as denominator: whole numbers decide.
		int64_t all = 1, enter = 0, leave;
		for (int k = 0; k < 3; ++k)
			all *= translation[k] ? translation[k] < 0 ? -translation[k] : translation[k] : 1;
		leave = all;
		for (int k = 0; k < 3; ++k) {
			int64_t gap = low[1][k] - high[0][k], far = high[1][k] - low[0][k];
			if (translation[k] == 0) {
				if (gap > 0 || far < 0)
					leave = -1;
				continue;
			}
			int64_t a = gap * (all / translation[k]), b = far * (all / translation[k]);
			enter = (a < b ? a : b) > enter ? (a < b ? a : b) : enter;
			leave = (a < b ? b : a) < leave ? (a < b ? b : a) : leave;
		}
		rbl_box boxes[2];
		for (int b = 0; b < 2; ++b)
			boxes[b] = (rbl_box){ { (float)low[b][0], (float)low[b][1], (float)low[b][2] },
				                  { (float)high[b][0], (float)high[b][1], (float)high[b][2] } };
		float touch = rbl_tree_touch_time(
			boxes[0],
			(rbl_vec3){ (float)translation[0], (float)translation[1], (float)translation[2] },
			boxes[1]);
		if (enter <= leave)
			CHECK(t, (double)touch <= (double)enter / (double)all &&
			             (double)touch >= (1.0 - 1e-6) * (double)enter / (double)all);
		else
			CHECK(t, touch == 2.0f);
	}
}

static float centre_distance(void *context, uint32_t leaf, rbl_vec3 point, float best)
{
	const box_scene *s = context;
	(void)best;
	return rbl_length_squared(rbl_sub(rbl_box_centre(s->boxes[leaf]), point));
}

static void the_nearest_leaf_is_the_nearest(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	for (int kind = 0; kind < SCENE_KIND_COUNT; ++kind)
		for (int c = 0; c < COUNTS; ++c) {
			box_scene s;
			make_scene(&s, (kind + c) % RBL_TREE_BUILDER_COUNT, kind, counts[c], 61);
			for (int q = 0; q < 100; ++q) {
				rbl_vec3 p = scene_box(SCENE_EVEN, &random).lower;
				float best = FLT_MAX, limit = q % 2 ? FLT_MAX : 0.01f;
				uint32_t expected = RBL_TREE_NONE;
				for (int i = 0; i < s.count; ++i) {
					float d = centre_distance(&s, (uint32_t)i, p, best);
					if (d < limit && d < best)
						best = d, expected = (uint32_t)i;
				}
				float found = limit;
				CHECK(t,
				      rbl_tree_query_nearest(&s.tree, p, &found, centre_distance, &s) == expected);
				CHECK(t, expected == RBL_TREE_NONE || found == best);
				found = FLT_MAX;
				uint32_t leaf = rbl_tree_query_nearest(&s.tree, p, &found, NULL, NULL);
				CHECK(t, s.count == 0 ? leaf == RBL_TREE_NONE : found <= best);
			}
			drop_scene(&s);
		}
}

TEST_MAIN(TEST(self_queries_equal_brute_force), TEST(pair_queries_equal_brute_force),
          TEST(moved_queries_miss_nothing), TEST(box_queries_equal_brute_force),
          TEST(a_visitor_can_stop_a_query), TEST(rays_find_the_nearest_box),
          TEST(a_box_that_just_grazes_is_touched), TEST(the_nearest_leaf_is_the_nearest))
