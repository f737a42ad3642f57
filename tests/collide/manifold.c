// SPDX-License-Identifier: MIT
// Contact manifolds: points on both surfaces, true depths, stable ids, caches that hide nothing.
// ctest: soak

#include "reference.h"

#include "base/hash.h"
#include "collide/pair.h"

#include "test.h"

static const rbl_vec3d fragment = { 0.25, 0.22, 0.28 };
static const float margin = 0.02f;

static float least_separation(const rbl_manifold *m)
{
	float least = FLT_MAX;
	for (int i = 0; i < m->point_count; ++i)
		least = rbl_minf(least, m->points[i].separation);
	return least;
}

static rbl_manifold collide(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                            rbl_transform pose_b, rbl_sat_cache *cache)
{
	rbl_manifold m = { .point_count = 0 };
	rbl_sat_cache none = { .kind = 0 };
	rbl_collide_pair(a, pose_a, b, pose_b, margin, cache ? cache : &none, &m, NULL);
	return m;
}

// Both ends of each point are on the surfaces, the deepest has the true depth, ids differ.
static void check_manifold(test *t, const rbl_polyhedron *a, rbl_transform pose_a,
                           const rbl_polyhedron *b, rbl_transform pose_b, const rbl_manifold *m,
                           double slack)
{
	static reference_convex ja, jb;
	reference_load(&ja, a, pose_a);
	reference_load(&jb, b, pose_b);
	double depth = reference_separation(&ja, &jb) - ja.radius - jb.radius;
	CHECK(t, depth > 0.0 || m->point_count > 0);
	for (int i = 0; i < m->point_count; ++i) {
		const rbl_manifold_point *p = &m->points[i];
		rbl_vec3 half = rbl_scale(0.5f * p->separation, m->normal);
		CHECK(t, p->separation <= margin);
		CHECK(t, reference_off_surface(&ja, rbl_to_d(rbl_sub(p->position, half))) < slack);
		CHECK(t, reference_off_surface(&jb, rbl_to_d(rbl_add(p->position, half))) < slack);
		for (int k = 0; k < i; ++k)
			CHECK(t, m->points[k].id != p->id);
	}
	if (m->point_count > 0)
		CHECK_NEAR(t, rbl_length(m->normal), 1.0, 1e-5);
	if (depth < 0.0)
		CHECK_NEAR(t, least_separation(m), depth,
		           0.014 * (double)rbl_minf(a->min_width, b->min_width) + slack);
}

static void points_lie_on_both_shapes_and_show_the_depth(test *t)
{
	rbl_random random = rbl_random_from_seed(11);
	int rounds = test_count(1500, 60000);
	int touching = 0, points = 0;
	for (int round = 0; round < rounds; ++round) {
		test_shape a, b;
		CHECK(t, test_shape_random(&a, &random, 12, fragment));
		CHECK(t, test_shape_random(&b, &random, 5 + round % 20, fragment));
		rbl_transform pose_a = random_pose(&random, 2.0f);
		rbl_transform pose_b = random_pose(&random, 0.2f + 0.4f * (float)(round % 5) / 4.0f);
		pose_b.position = rbl_add(pose_b.position, pose_a.position);
		rbl_manifold m = collide(&a.polyhedron, pose_a, &b.polyhedron, pose_b, NULL);
		check_manifold(t, &a.polyhedron, pose_a, &b.polyhedron, pose_b, &m, 2e-4);
		touching += m.point_count > 0, points += m.point_count;
		// Swapped, the same depth along the same line, unless two axes are nearly alike.
		rbl_manifold n = collide(&b.polyhedron, pose_b, &a.polyhedron, pose_a, NULL);
		if (m.point_count > 0 && least_separation(&m) < 0.0f) {
			CHECK(t, n.point_count > 0);
			CHECK_NEAR(t, least_separation(&n), least_separation(&m), 0.005);
		}
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
	CHECK(t, touching > rounds / 4 && points > touching);
}

static void rounded_shapes_touch_where_they_should(test *t)
{
	rbl_random random = rbl_random_from_seed(12);
	int rounds = test_count(4000, 100000);
	for (int round = 0; round < rounds; ++round) {
		test_shape a;
		rbl_small_polyhedron b;
		CHECK(t, test_shape_random(&a, &random, 12, fragment));
		if (round % 5 == 4) { // capsule or sphere against capsule
			rbl_polyhedron_from_capsule(&a.small, random_vec(&random, 0.3f),
			                            random_vec(&random, 0.3f), 0.1f);
			a.polyhedron = a.small.polyhedron;
		}
		rbl_vec3 p = random_vec(&random, 0.5f), q = random_vec(&random, 0.5f);
		if (round & 1)
			rbl_polyhedron_from_sphere(&b, p, 0.1f);
		else
			rbl_polyhedron_from_capsule(&b, p, q, 0.1f);
		rbl_transform pose = random_pose(&random, 0.2f);
		rbl_transform pose_a = rbl_transform_identity();
		rbl_manifold m = collide(&a.polyhedron, pose_a, &b.polyhedron, pose, NULL);
		static reference_convex ja, jb;
		reference_load(&ja, &a.polyhedron, pose_a);
		reference_load(&jb, &b.polyhedron, pose);
		double apart = a.polyhedron.face_count ? reference_separation(&ja, &jb) : 1.0;
		if (apart > 1e-3) { // cores apart: the depth is exact
			double depth = reference_distance(&ja, &jb) - ja.radius - jb.radius;
			CHECK(t, depth > (double)margin - 1e-5 || m.point_count > 0);
			if (m.point_count > 0)
				CHECK_NEAR(t, least_separation(&m), depth, 0.0015);
		} else if (apart < 0.0) {
			CHECK_NEAR(t, least_separation(&m), apart - 0.1, 0.005);
		}
		free_aligned_block(a.memory);
	}
}

static void two_balls_with_one_centre_touch(test *t)
{
	rbl_small_polyhedron a;
	rbl_polyhedron_from_sphere(&a, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 0.5f);
	rbl_transform pose = { { 1.0f, 2.0f, 3.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	rbl_manifold m = collide(&a.polyhedron, pose, &a.polyhedron, pose, NULL);
	CHECK(t, m.point_count == 1);
	CHECK_NEAR(t, m.points[0].separation, -1.0, 1e-6);
	CHECK_NEAR(t, m.points[0].position.y, 2.0, 1e-6);
}

static void capsules_side_by_side_rest_on_two_points(test *t)
{
	rbl_small_polyhedron a, b;
	rbl_polyhedron_from_capsule(&a, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, (rbl_vec3){ 2.0f, 0.0f, 0.0f },
	                            0.5f);
	rbl_polyhedron_from_capsule(&b, (rbl_vec3){ 3.0f, 0.99f, 0.0f },
	                            (rbl_vec3){ 1.0f, 0.99f, 0.0f }, 0.5f);
	rbl_transform pose = rbl_transform_identity();
	rbl_manifold m = collide(&a.polyhedron, pose, &b.polyhedron, pose, NULL);
	CHECK(t, m.point_count == 2 && m.points[0].id != m.points[1].id);
	for (int i = 0; i < m.point_count; ++i) {
		CHECK_NEAR(t, m.points[i].separation, -0.01, 1e-5);
		CHECK_NEAR(t, m.points[i].position.y, 0.495, 1e-5);
	}
	test_shape box;
	test_shape_box(&box, (rbl_vec3){ 5.0f, 0.5f, 5.0f });
	rbl_transform below = { { 0.0f, -0.99f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	m = collide(&box.polyhedron, below, &a.polyhedron, pose, NULL);
	CHECK(t, m.point_count == 2);
	CHECK_NEAR(t, m.normal.y, 1.0, 1e-6);
	CHECK_NEAR(t, m.points[1].separation, -0.01, 1e-5);
}

// Flush, rotated by a quarter turn, shifted by half: four points at the corners of the common face.
static void boxes_stacked_flush_rest_on_four_corners(test *t)
{
	test_shape box;
	test_shape_box(&box, (rbl_vec3){ 0.2f, 0.1f, 0.1f });
	rbl_transform low = { { 5.0f, 0.0f, 5.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	for (int k = 0; k < 5; ++k) {
		rbl_transform high = low;
		high.position.y += 0.2f;
		high.position.x += 0.1f * (float)(k % 3);
		if (k > 2)
			high.rotation = (rbl_quat){ 0.0f, 0.70710678f, 0.0f, 0.70710678f };
		rbl_manifold m = collide(&box.polyhedron, low, &box.polyhedron, high, NULL);
		CHECK(t, m.point_count == 4);
		CHECK_NEAR(t, m.normal.y, 1.0, 1e-6);
		for (int i = 0; i < m.point_count; ++i)
			CHECK_NEAR(t, m.points[i].separation, 0.0, 1e-6);
		check_manifold(t, &box.polyhedron, low, &box.polyhedron, high, &m, 1e-5);
	}
}

static void thin_plates_and_containment_have_contacts(test *t)
{
	test_shape plate, cube, small;
	test_shape_box(&plate, (rbl_vec3){ 1.0f, 0.001f, 1.0f });
	test_shape_box(&cube, (rbl_vec3){ 0.5f, 0.5f, 0.5f });
	test_shape_box(&small, (rbl_vec3){ 0.05f, 0.05f, 0.05f });
	rbl_transform still = rbl_transform_identity();
	rbl_transform above = { { 0.1f, 0.5f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	rbl_manifold m = collide(&plate.polyhedron, still, &cube.polyhedron, above, NULL);
	CHECK(t, m.point_count == 4);
	CHECK_NEAR(t, least_separation(&m), -0.001, 1e-6);
	rbl_transform inside = { { 0.1f, 0.3f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	m = collide(&cube.polyhedron, still, &small.polyhedron, inside, NULL);
	CHECK(t, m.point_count > 0);
	CHECK_NEAR(t, least_separation(&m), -0.25, 1e-5);
	CHECK_NEAR(t, m.normal.y, 1.0, 1e-6);
}

static void crossed_edges_touch_in_one_point(test *t)
{
	test_shape box;
	test_shape_box(&box, (rbl_vec3){ 0.5f, 0.5f, 0.5f });
	// Edge up along z, edge down along x, 1 mm into each other.
	rbl_transform low = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.38268343f, 0.92387953f } };
	rbl_transform high = { { 0.0f, 1.41321356f, 0.0f }, { 0.38268343f, 0.0f, 0.0f, 0.92387953f } };
	rbl_manifold m = collide(&box.polyhedron, low, &box.polyhedron, high, NULL);
	CHECK(t, m.point_count == 1 && m.points[0].id >> 31 == 1);
	CHECK_NEAR(t, m.points[0].separation, -0.001, 1e-5);
	CHECK_NEAR(t, m.normal.y, 1.0, 1e-5);
	CHECK_NEAR(t, m.points[0].position.y, 0.7066, 1e-3);
}

// A whole world moved and rotated has the same contacts.
// Regression: edges a few billionths apart have no line between them that could be a normal.
static void edges_that_just_meet_have_a_normal(test *t)
{
	rbl_small_polyhedron box;
	rbl_polyhedron_from_box(&box, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, (rbl_vec3){ 0.5f, 0.5f, 0.5f });
	rbl_random random = rbl_random_from_seed(17);
	const float half_sine = 0.38268343f, half_cosine = 0.92387953f; // of 45 degrees
	rbl_transform pose_a = { { 0.0f, 0.0f, 0.0f }, { half_sine, 0.0f, 0.0f, half_cosine } };
	for (int i = 0; i < 20000; ++i) {
		float lift = 1.41421356f + 1e-8f * (float)(i % 200 - 100);
		rbl_transform pose_b = { { 0.0f, lift, 0.0f }, { 0.0f, 0.0f, half_sine, half_cosine } };
		pose_b.position.x = 0.3f * (rbl_random_float(&random) - 0.5f);
		pose_b.position.z = 0.3f * (rbl_random_float(&random) - 0.5f);
		rbl_manifold m = collide(&box.polyhedron, pose_a, &box.polyhedron, pose_b, NULL);
		CHECK(t, m.point_count == 1 && fabsf(m.points[0].separation) < 1e-5f);
		CHECK(t, fabsf(m.normal.y - 1.0f) < 1e-3f && rbl_is_finite(m.points[0].position));
	}
}

static void contacts_move_with_the_bodies(test *t)
{
	rbl_random random = rbl_random_from_seed(13);
	for (int round = 0; round < 500; ++round) {
		test_shape a, b;
		CHECK(t, test_shape_random(&a, &random, 12, fragment));
		CHECK(t, test_shape_random(&b, &random, 12, fragment));
		rbl_transform pose_a = random_pose(&random, 0.2f);
		rbl_transform pose_b = random_pose(&random, 0.3f);
		rbl_transform motion = random_pose(&random, 5.0f);
		rbl_manifold m = collide(&a.polyhedron, pose_a, &b.polyhedron, pose_b, NULL);
		rbl_manifold n = collide(&a.polyhedron, rbl_transform_mul(motion, pose_a), &b.polyhedron,
		                         rbl_transform_mul(motion, pose_b), NULL);
		CHECK(t, (m.point_count > 0) == (n.point_count > 0));
		if (m.point_count > 0)
			CHECK_NEAR(t, least_separation(&m), least_separation(&n), 2e-5);
		if (m.point_count > 0 && m.points[0].id == n.points[0].id)
			CHECK_NEAR(t,
			           rbl_distance(rbl_transform_point(motion, m.points[0].position),
			                        n.points[0].position),
			           0.0, 5e-5);
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
}

// Bodies that roll over each other: with the cache, the depth is never hidden, and most steps are
// refreshes whose points keep their names.
static void caches_hide_nothing_and_names_stay(test *t)
{
	rbl_random random = rbl_random_from_seed(14);
	rbl_collide_counts counts = { 0, 0, 0 };
	int rounds = test_count(60, 2000), kept = 0, all = 0;
	double hidden = 0.0, excess = 0.0;
	for (int round = 0; round < rounds; ++round) {
		test_shape a, b;
		CHECK(t, test_shape_random(&a, &random, 12, fragment));
		CHECK(t, test_shape_random(&b, &random, 12, fragment));
		rbl_transform pose_a = rbl_transform_identity(), pose_b = random_pose(&random, 1.0f);
		pose_b.position = rbl_scale(0.4f, rbl_normalize(pose_b.position));
		rbl_vec3 speed = random_vec(&random, 0.002f), angular_velocity = random_vec(&random, 0.01f);
		rbl_sat_cache cache = { .kind = 0 };
		rbl_manifold last = { .point_count = 0 };
		for (int step = 0; step < 60; ++step) {
			pose_b.position = rbl_add(pose_b.position, speed);
			rbl_quat rotation = { 0.5f * angular_velocity.x, 0.5f * angular_velocity.y,
				                  0.5f * angular_velocity.z, 1.0f };
			pose_b.rotation = rbl_quat_normalize(rbl_quat_mul(rotation, pose_b.rotation));
			rbl_manifold m;
			rbl_collide_pair(&a.polyhedron, pose_a, &b.polyhedron, pose_b, margin, &cache, &m,
			                 &counts);
			static reference_convex ja, jb;
			reference_load(&ja, &a.polyhedron, pose_a);
			reference_load(&jb, &b.polyhedron, pose_b);
			double depth = reference_separation(&ja, &jb);
			if (depth < 0.0) {
				CHECK(t, m.point_count > 0);
				double more = depth - (double)least_separation(&m);
				hidden = rbl_maxd(hidden, -more);
				excess = rbl_maxd(excess, depth > -0.05 ? more : 0.0);
			}
			for (int i = 0; i < m.point_count; ++i, ++all)
				for (int k = 0; k < last.point_count; ++k)
					kept += last.points[k].id == m.points[i].id;
			last = m;
		}
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
	CHECK_NEAR(t, hidden, 0.0, 0.004);
	CHECK_NEAR(t, excess, 0.0, 0.012);
	CHECK(t, counts.searched * 4 < counts.refreshed + counts.apart);
	CHECK(t, kept > all * 3 / 4);
}

static void every_back_end_makes_the_same_manifolds(test *t)
{
	uint64_t first = 0;
	rbl_backend best = rbl_current_backend();
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		rbl_random random = rbl_random_from_seed(15);
		uint64_t hash = 0;
		for (int round = 0; round < 300; ++round) {
			test_shape a, b;
			CHECK(t, test_shape_random(&a, &random, 12, fragment));
			CHECK(t, test_shape_random(&b, &random, 20, fragment));
			rbl_transform pose = random_pose(&random, 0.5f);
			rbl_manifold m =
				collide(&a.polyhedron, rbl_transform_identity(), &b.polyhedron, pose, NULL);
			hash = rbl_hash_bytes(hash, m.points, (size_t)m.point_count * sizeof m.points[0]);
			free_aligned_block(a.memory);
			free_aligned_block(b.memory);
		}
		if (first == 0)
			first = hash;
		CHECK(t, hash == first);
	}
	rbl_force_backend(best);
}

// Where a cast stops a body: 0.3 mm apart. Whatever is nearest there, vertices also, makes a
// contact; without one the body would be stopped again and again, and become faster each time.
static void what_all_but_touches_has_a_point(test *t)
{
	rbl_random random = rbl_random_from_seed(29);
	int rounds = test_count(500, 20000), missing = 0;
	for (int round = 0; round < rounds; ++round) {
		test_shape a, b;
		CHECK(t, test_shape_random(&a, &random, 12, fragment));
		CHECK(t, test_shape_random(&b, &random, 5 + round % 20, fragment));
		rbl_transform pose_a = rbl_transform_identity();
		rbl_transform pose_b = random_pose(&random, 1.0f);
		rbl_vec3 line = rbl_normalize(pose_b.position);
		float inside = 0.0f, outside = 2.0f;
		for (int i = 0; i < 30; ++i) {
			float middle = 0.5f * (inside + outside);
			pose_b.position = rbl_scale(middle, line);
			rbl_polyhedron_pair pair =
				rbl_polyhedron_pair_make(&a.polyhedron, pose_a, &b.polyhedron, pose_b);
			if (rbl_gjk_distance(&pair, 1.0f).distance > 3e-4f)
				outside = middle;
			else
				inside = middle;
		}
		pose_b.position = rbl_scale(outside, line);
		rbl_manifold m = collide(&a.polyhedron, pose_a, &b.polyhedron, pose_b, NULL);
		// A fragment may lie beside its own origin: then they are always apart.
		missing += m.point_count == 0 && outside > 1e-6f;
		check_manifold(t, &a.polyhedron, pose_a, &b.polyhedron, pose_b, &m, 2e-4);
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
	CHECK(t, missing == 0);
}

TEST_MAIN(TEST(points_lie_on_both_shapes_and_show_the_depth),
          TEST(rounded_shapes_touch_where_they_should), TEST(two_balls_with_one_centre_touch),
          TEST(capsules_side_by_side_rest_on_two_points),
          TEST(boxes_stacked_flush_rest_on_four_corners),
          TEST(thin_plates_and_containment_have_contacts), TEST(crossed_edges_touch_in_one_point),
          TEST(edges_that_just_meet_have_a_normal), TEST(contacts_move_with_the_bodies),
          TEST(caches_hide_nothing_and_names_stay), TEST(every_back_end_makes_the_same_manifolds),
          TEST(what_all_but_touches_has_a_point))
