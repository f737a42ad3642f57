// SPDX-License-Identifier: MIT
// Directions of contacts by fields, manifolds made of them, and those of cracks.
// ctest: soak

#include "contact_bodies.h"

// --- directions and manifolds -------------------------------------------------------------------

static void normals_point_from_a_to_b_and_positions_lie_midway(test *t)
{
	field_body a, b;
	make_body(&a, BODY_SPHERE, 0);
	make_body(&b, BODY_SPHERE, 0);
	rbl_random random = rbl_random_from_seed(41);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	int ways[2] = { 0, 0 };
	for (int i = 0; i < 30; ++i) {
		rbl_vec3 direction = rbl_normalize(random_vector(&random, 1.0));
		a.side.pose = (rbl_transform){ random_vector(&random, 3.0), random_rotation(&random) };
		b.side.pose.rotation = random_rotation(&random);
		b.side.pose.position = rbl_add_scaled(a.side.pose.position, 0.95f, direction);
		rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
		rbl_field_contact_list c;
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
		CHECK(t, c.point_count > 0 && c.manifold_count > 0);
		for (int k = 0; k < c.point_count; ++k) {
			const rbl_field_contact *p = &c.points[k];
			bool is_b = (p->id & RBL_FIELD_POINT_OF_B) != 0;
			ways[is_b]++;
			CHECK(t, rbl_dot(p->normal, direction) > 0.9f);
			CHECK_NEAR(t, rbl_length(p->normal), 1.0f, 1e-5f);
			// Back to the two surfaces from the middle: the point's own sphere is faceted, the
			// field's is not.
			float half = 0.5f * p->separation;
			rbl_vec3 centre = is_b ? a.side.pose.position : b.side.pose.position;
			rbl_vec3 on_field = rbl_add_scaled(p->position, is_b ? -half : half, p->normal);
			CHECK_NEAR(t, rbl_distance(on_field, centre), ball_radius, 1e-5f);
		}
		CHECK(t, rbl_dot(c.manifolds[0].normal, direction) > 0.95f);
	}
	CHECK(t, ways[0] > 0 && ways[1] > 0);
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// Half the cross product of the diagonals.
static float area_of_four(const rbl_manifold *m)
{
	rbl_vec3 p[4];
	for (int i = 0; i < 4; ++i)
		p[i] = m->points[i].position;
	rbl_vec3 cross = rbl_cross(rbl_sub(p[1], p[0]), rbl_sub(p[3], p[2]));
	return 0.5f * rbl_length(cross);
}

static void a_box_on_the_floor_has_one_wide_manifold(test *t)
{
	field_body a, b;
	make_body(&a, BODY_BOX, 0);
	make_body(&b, BODY_FLOOR, 0);
	a.side.pose.position.y = 0.249f;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	rbl_field_contact_settings s = settings_of(RBL_SELECT_CHOSEN);
	rbl_field_contact_memory memory = { 0 };
	for (int step = 0; step < 5; ++step) {
		rbl_field_contact_list c;
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, &memory, &c) == RBL_OK);
		CHECK(t, c.manifold_count == 1 && c.manifolds[0].point_count == 4);
		CHECK_NEAR(t, c.manifolds[0].normal.y, -1.0f, 1e-6f);
		CHECK(t, area_of_four(&c.manifolds[0]) > 0.85f * 0.8f); // of all of it
		for (int i = 0; i < 4; ++i) {
			CHECK_NEAR(t, c.manifolds[0].points[i].position.y, -0.0005f, 1e-6f);
			CHECK_NEAR(t, c.manifolds[0].points[i].separation, -0.001f, 1e-6f);
		}
	}
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

static void manifolds_hold_points_of_nearly_one_normal(test *t)
{
	field_body a, b;
	make_body(&a, BODY_TORUS, 0);
	make_body(&b, BODY_BOX, 0);
	rbl_random random = rbl_random_from_seed(13);
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 16);
	for (int i = 0; i < 50; ++i) {
		place_pair(&a, &b, &random);
		rbl_field_contact_settings s =
			settings_of(i % 2 == 0 ? RBL_SELECT_CHOSEN : RBL_SELECT_FULL);
		rbl_field_contact_settings full = settings_of(RBL_SELECT_FULL);
		rbl_field_contact_list c, all;
		rbl_arena_reset(&arena);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &s, &arena, NULL, &c) == RBL_OK);
		CHECK(t, rbl_find_field_contacts(&a.side, &b.side, &full, &arena, NULL, &all) == RBL_OK);
		CHECK(t, (c.manifold_count > 0) == (c.point_count > 0));
		for (int k = 0; k < c.manifold_count; ++k) {
			const rbl_manifold *m = &c.manifolds[k];
			CHECK(t, m->point_count >= 1 && m->point_count <= RBL_MAX_MANIFOLD_POINTS);
			for (int n = 0; n < m->point_count; ++n) {
				bool is_found = false;
				for (int q = 0; q < all.point_count; ++q)
					is_found |= all.points[q].id == m->points[n].id &&
					            rbl_dot(all.points[q].normal, m->normal) > 0.92f;
				CHECK(t, is_found);
			}
		}
		// The deepest point of all is in some manifold.
		float deepest = 0.0f, in_manifolds = 0.0f;
		for (int q = 0; q < c.point_count; ++q)
			deepest = rbl_minf(deepest, c.points[q].separation);
		for (int k = 0; k < c.manifold_count; ++k)
			for (int n = 0; n < c.manifolds[k].point_count; ++n)
				in_manifolds = rbl_minf(in_manifolds, c.manifolds[k].points[n].separation);
		CHECK_NEAR(t, deepest, in_manifolds, 0.2f * s.deep);
	}
	rbl_arena_destroy(&arena);
	destroy_body(&a);
	destroy_body(&b);
}

// --- at a break ---------------------------------------------------------------------------------

static void a_crack_manifold_has_the_normal_of_the_crack(test *t)
{
	const rbl_vec3 square[5] = { { 0.0f, -1.0f, -1.0f },
		                         { 0.0f, 1.0f, -1.0f },
		                         { 0.0f, 1.0f, 1.0f },
		                         { 0.0f, 0.0f, 1.01f },
		                         { 0.0f, -1.0f, 1.0f } };
	rbl_random random = rbl_random_from_seed(2);
	for (int i = 0; i < 20; ++i) {
		rbl_transform pose_a = { random_vector(&random, 3.0), random_rotation(&random) };
		rbl_transform b_in_a = { random_vector(&random, 1.0), random_rotation(&random) };
		rbl_transform pose_b = rbl_transform_mul(pose_a, b_in_a);
		rbl_crack_polygon polygon = { square, 5, { 3.0f, 0.0f, 0.0f }, b_in_a, 40 };
		rbl_vec3 normal = rbl_rotate(pose_a.rotation, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
		rbl_manifold m;
		CHECK(t, rbl_crack_manifold(&polygon, pose_a, pose_b, &m) == RBL_OK);
		CHECK(t, m.point_count == 4);
		CHECK_NEAR(t, rbl_dot(m.normal, normal), 1.0f, 1e-5f);
		for (int k = 0; k < 4; ++k) {
			CHECK_NEAR(t, m.points[k].separation, 0.0f, 1e-5f);
			CHECK(t, m.points[k].id >= 40 && m.points[k].id < 45);
		}
		pose_b.position = rbl_add_scaled(pose_b.position, 0.01f, normal);
		CHECK(t, rbl_crack_manifold(&polygon, pose_a, pose_b, &m) == RBL_OK);
		for (int k = 0; k < m.point_count; ++k)
			CHECK_NEAR(t, m.points[k].separation, 0.01f, 1e-5f);
	}
}

static void a_crack_manifold_spreads_over_any_polygon(test *t)
{
	rbl_vec3 round[1000];
	for (int i = 0; i < 1000; ++i) {
		double angle = 0.002 * RBL_PI * i;
		round[i] = (rbl_vec3){ (float)rbl_cos(angle), 0.0f, (float)rbl_sin(angle) };
	}
	const rbl_transform none = rbl_transform_identity();
	rbl_crack_polygon polygon = { round, 1000, { 0.0f, 1.0f, 0.0f }, none, 0 };
	rbl_manifold m;
	CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_OK);
	CHECK(t, m.point_count == 4);
	for (int i = 0; i < 4; ++i)
		for (int k = 0; k < i; ++k) // a square has sides of 1.41
			CHECK(t, rbl_distance(m.points[i].position, m.points[k].position) > 1.3f);
	for (int count = 1; count <= 4; ++count) {
		polygon.corner_count = count;
		CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_OK && m.point_count == count);
	}
}

static void bad_crack_polygons_are_refused_with_a_sentence(test *t)
{
	rbl_vec3 corners[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f } };
	const rbl_transform none = rbl_transform_identity();
	const rbl_crack_polygon good = { corners, 3, { 0.0f, 0.0f, 1.0f }, none, 0 };
	rbl_crack_polygon polygon = good;
	rbl_manifold m;
	rbl_set_log(keep_line, NULL);
	polygon.corner_count = 0;
	CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_line, "0 corners"));
	polygon = good, polygon.corners = NULL;
	CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_BAD_ARGUMENT);
	polygon = good, polygon.normal = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_BAD_ARGUMENT);
	polygon = good, polygon.normal.x = NAN;
	CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_BAD_ARGUMENT);
	polygon = good, polygon.b_in_a.position.x = NAN;
	CHECK(t, rbl_crack_manifold(&polygon, none, none, &m) == RBL_BAD_ARGUMENT);
	rbl_transform bad = none;
	bad.rotation.w = 0.0f;
	CHECK(t, rbl_crack_manifold(&good, none, bad, &m) == RBL_BAD_ARGUMENT);
	corners[1].y = INFINITY;
	CHECK(t, rbl_crack_manifold(&good, none, none, &m) == RBL_BAD_ARGUMENT && m.point_count == 0);
	CHECK(t, strstr(last_line, "corner 1"));
	rbl_set_log(NULL, NULL);
}

TEST_MAIN(TEST(normals_point_from_a_to_b_and_positions_lie_midway),
          TEST(a_box_on_the_floor_has_one_wide_manifold),
          TEST(manifolds_hold_points_of_nearly_one_normal),
          TEST(a_crack_manifold_has_the_normal_of_the_crack),
          TEST(a_crack_manifold_spreads_over_any_polygon),
          TEST(bad_crack_polygons_are_refused_with_a_sentence))
