// SPDX-License-Identifier: MIT
// Distances and penetrations against a reference, for pairs of every kind.
// ctest: soak

#include "reference.h"

#include "collide/collider.h"
#include "collide/pair.h"

#include "test.h"

static const rbl_vec3d fragment = { 0.25, 0.22, 0.28 };

static void random_shape(test *t, test_shape *s, rbl_random *random, int kind)
{
	s->memory = NULL;
	rbl_vec3 p = random_vec(random, 0.3f), q = random_vec(random, 0.3f);
	if (kind == 0)
		rbl_polyhedron_from_sphere(&s->small, p, 0.1f);
	else if (kind == 1)
		rbl_polyhedron_from_capsule(&s->small, p, q, 0.1f);
	else if (kind == 2)
		CHECK(t, rbl_polyhedron_from_triangle(&s->small, p, q, random_vec(random, 0.3f)));
	else if (kind == 3)
		rbl_polyhedron_from_box(&s->small, p, (rbl_vec3){ 0.2f, 0.001f, 0.3f });
	else
		CHECK(t, test_shape_random(s, random, 12, fragment));
	if (kind < 4)
		s->polyhedron = s->small.polyhedron;
}

static void distance_is_that_of_the_nearest_features(test *t)
{
	rbl_random random = rbl_random_from_seed(21);
	int rounds = test_count(5000, 200000), apart_count = 0, deep_count = 0;
	for (int round = 0; round < rounds; ++round) {
		test_shape a, b;
		random_shape(t, &a, &random, round % 5);
		random_shape(t, &b, &random, round / 5 % 5);
		rbl_transform pose_a = random_pose(&random, 1.0f);
		rbl_transform pose_b = random_pose(&random, (float)(round % 7) * 0.2f);
		pose_b.position = rbl_add(pose_b.position, pose_a.position);
		rbl_polyhedron_pair pair =
			rbl_polyhedron_pair_make(&a.polyhedron, pose_a, &b.polyhedron, pose_b);
		rbl_separation gap = rbl_polyhedron_pair_distance(&pair, FLT_MAX);
		static reference_convex ja, jb;
		reference_load(&ja, &a.polyhedron, pose_a);
		reference_load(&jb, &b.polyhedron, pose_b);
		double cores = reference_separation(&ja, &jb), round_sum = ja.radius + jb.radius;
		if (ja.normal_count + jb.normal_count == 0)
			cores = 1.0;
		if (cores > 1e-6) {
			double expected = reference_distance(&ja, &jb) - round_sum;
			CHECK_NEAR(t, gap.distance, expected, 2e-6);
			++apart_count;
		} else if (cores < -1e-5) {
			CHECK_NEAR(t, gap.distance, cores - round_sum, 1e-5);
			++deep_count;
		}
		// The points lie on the surfaces, one beyond the other along the normal.
		CHECK_NEAR(t, rbl_length(gap.normal), 1.0, 1e-5);
		CHECK(t, reference_off_surface(&ja, rbl_to_d(gap.point_a)) < 2e-5);
		CHECK(t, reference_off_surface(&jb, rbl_to_d(gap.point_b)) < 2e-5);
		rbl_vec3 line = rbl_sub(gap.point_b, gap.point_a);
		CHECK_NEAR(t, rbl_dot(line, gap.normal), gap.distance, 2e-5);
		// Moving B along the normal by the depth leaves it touching.
		if (gap.distance < 0.0f && cores < -1e-5) {
			pose_b.position = rbl_add_scaled(pose_b.position, -gap.distance, gap.normal);
			reference_load(&jb, &b.polyhedron, pose_b);
			CHECK(t, reference_separation(&ja, &jb) < round_sum + 2e-5 &&
			             reference_along(&ja, &jb, rbl_normalize_d(rbl_to_d(gap.normal))) >
			                 round_sum - 2e-5);
		}
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
	CHECK(t, apart_count > rounds / 4 && deep_count > rounds / 10);
}

static void giving_up_early_never_hides_a_nearer_pair(test *t)
{
	rbl_random random = rbl_random_from_seed(22);
	for (int round = 0; round < 2000; ++round) {
		test_shape a, b;
		random_shape(t, &a, &random, 4);
		random_shape(t, &b, &random, round % 5);
		rbl_transform pose = random_pose(&random, 1.5f);
		rbl_polyhedron_pair pair =
			rbl_polyhedron_pair_make(&a.polyhedron, rbl_transform_identity(), &b.polyhedron, pose);
		rbl_gjk_result all = rbl_gjk_distance(&pair, FLT_MAX), near = rbl_gjk_distance(&pair, 0.2f);
		CHECK(t, near.is_beyond ? all.distance >= near.distance - 1e-6f && near.distance > 0.2f
		                        : near.distance == all.distance);
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
}

// --- colliders with children ---------------------------------------------------------------------

static rbl_collider *make(test *t, const rbl_collider_def *def)
{
	rbl_collider *c = NULL;
	CHECK(t, rbl_create_collider(def, &c) == RBL_OK);
	return c;
}

// The distance of a compound is the least of its children's.
static void compounds_are_as_near_as_their_nearest_child(test *t)
{
	rbl_random random = rbl_random_from_seed(23);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 0.1f, 0.2f, 0.15f };
	rbl_collider *box = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	def.radius = 0.1f, def.b = (rbl_vec3){ 0.3f, 0.0f, 0.0f };
	rbl_collider *capsule = make(t, &def);
	enum { CHILDREN = 40 };
	rbl_collider_child children[CHILDREN];
	for (int i = 0; i < CHILDREN; ++i)
		children[i] = (rbl_collider_child){ .collider = i & 1 ? box : capsule,
			                                .pose = random_pose(&random, 2.0f) };
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = CHILDREN;
	rbl_collider *big = make(t, &def);
	def.child_count = 5;
	rbl_collider *small = make(t, &def);
	CHECK(t, rbl_collider_child_count(big) == CHILDREN);
	for (int round = 0; round < 200; ++round) {
		rbl_transform pose_a = random_pose(&random, 1.0f);
		rbl_transform pose_b = random_pose(&random, 8.0f);
		float least = FLT_MAX;
		for (int i = 0; i < CHILDREN; ++i) {
			for (int k = 0; k < 5; ++k) {
				rbl_separation gap;
				CHECK(t, rbl_collider_distance(
							 children[i].collider, rbl_transform_mul(pose_a, children[i].pose),
							 children[k].collider, rbl_transform_mul(pose_b, children[k].pose),
							 FLT_MAX, &gap) == RBL_OK);
				least = rbl_minf(least, gap.distance);
			}
		}
		rbl_separation gap, swapped, near;
		CHECK(t, rbl_collider_distance(big, pose_a, small, pose_b, FLT_MAX, &gap) == RBL_OK);
		CHECK(t, rbl_collider_distance(small, pose_b, big, pose_a, FLT_MAX, &swapped) == RBL_OK);
		CHECK(t, rbl_collider_distance(big, pose_a, small, pose_b, 0.5f, &near) == RBL_OK);
		CHECK_NEAR(t, gap.distance, least, 1e-5);
		CHECK_NEAR(t, swapped.distance, least, 1e-5);
		CHECK_NEAR(t, near.distance, rbl_minf(least, 0.5f), 1e-5);
	}
	rbl_destroy_collider(big);
	rbl_destroy_collider(small);
	rbl_destroy_collider(box);
	rbl_destroy_collider(capsule);
}

static void bad_questions_are_refused(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_collider *ball = make(t, &def);
	const float heights[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
	def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.heights = heights, def.column_count = def.row_count = 2;
	rbl_collider *field = make(t, &def);
	rbl_transform pose = rbl_transform_identity(), bad = { { 0.0f, NAN, 0.0f }, { 0, 0, 0, 1 } };
	rbl_separation gap;
	CHECK(t, rbl_collider_distance(NULL, pose, ball, pose, 1.0f, &gap) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_distance(ball, pose, ball, pose, 1.0f, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_distance(ball, bad, ball, pose, 1.0f, &gap) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_distance(ball, pose, ball, pose, 0.0f, &gap) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_distance(field, pose, field, pose, 1.0f, &gap) == RBL_UNSUPPORTED);
	CHECK(t, rbl_collider_distance(ball, pose, field, pose, 1.0f, &gap) == RBL_OK);
	rbl_destroy_collider(ball);
	rbl_destroy_collider(field);
}

TEST_MAIN(TEST(distance_is_that_of_the_nearest_features),
          TEST(giving_up_early_never_hides_a_nearer_pair),
          TEST(compounds_are_as_near_as_their_nearest_child), TEST(bad_questions_are_refused))
