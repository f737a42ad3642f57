// SPDX-License-Identifier: MIT
// Polyhedra, and the separating axis test against a reference.
// ctest: soak

#include "reference.h"

#include "base/hash.h"
#include "collide/pair.h"

#include "test.h"

static const rbl_vec3d fragment = { 0.25, 0.22, 0.28 };

// Euler's formula, edges between two faces, directions that agree with the normals beside them.
static void the_form_of_a_convex_is_sound(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int round = 0; round < 60; ++round) {
		test_shape s;
		CHECK(t, test_shape_random(&s, &random, 4 + round % 30, fragment));
		const rbl_polyhedron *p = &s.polyhedron;
		CHECK(t, p->vertex_count - p->edge_count + p->face_count == 2);
		for (int e = 0; e < p->edge_count; ++e) {
			rbl_polyhedron_edge edge = p->edge_list[e];
			rbl_vec3 cross = rbl_cross(rbl_polyhedron_normal(p, edge.left),
			                           rbl_polyhedron_normal(p, edge.right));
			rbl_vec3 direction = rbl_normalize(rbl_polyhedron_direction(p, e));
			CHECK(t, rbl_dot(cross, direction) > 0.0f);
			CHECK_NEAR(t, rbl_length(rbl_cross(rbl_normalize(cross), direction)), 0.0, 2e-3);
		}
		for (int f = 0; f < p->face_count; ++f)
			for (int k = p->face_starts[f]; k < p->face_starts[f + 1]; ++k)
				CHECK_NEAR(
					t,
					rbl_dot(rbl_polyhedron_normal(p, f), rbl_polyhedron_vertex(p, p->corners[k])),
					rbl_polyhedron_offset(p, f), 1e-6);
		free_aligned_block(s.memory);
	}
}

// A convex of twelve points has 36 vertices for the sake of cutting; here it has twelve.
static void vertices_at_one_place_become_one(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	rbl_convex *convex = random_convex(&random, 12, fragment);
	test_shape s;
	CHECK(t, test_shape_convex(&s, convex));
	CHECK(t, rbl_convex_get_data(convex).vertex_count > s.polyhedron.vertex_count);
	CHECK(t, s.polyhedron.vertex_count <= 12 &&
	             s.polyhedron.face_count == rbl_convex_get_data(convex).face_count);
	rbl_destroy_convex(convex);
	free_aligned_block(s.memory);
}

static void a_convex_of_the_largest_size_fits(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	rbl_planed planes[RBL_MAX_CONVEX_FACES];
	for (int i = 0; i < RBL_MAX_CONVEX_FACES; ++i)
		planes[i] = (rbl_planed){ rbl_normalize_d(rbl_random_in_ball(&random)), 0.5 };
	rbl_convex_def def = rbl_default_convex_def();
	def.planes = planes, def.plane_count = RBL_MAX_CONVEX_FACES;
	rbl_convex *convex;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
	test_shape s;
	CHECK(t, test_shape_convex(&s, convex));
	CHECK(t, s.polyhedron.face_count > 100);
	reference_convex a, b;
	rbl_transform pose_a = rbl_transform_identity(), pose_b = random_pose(&random, 0.4f);
	rbl_polyhedron_pair pair =
		rbl_polyhedron_pair_make(&s.polyhedron, pose_a, &s.polyhedron, pose_b);
	rbl_sat_axis axis;
	CHECK(t, rbl_sat_find_axis(&pair, FLT_MAX, &axis, NULL));
	reference_load(&a, &s.polyhedron, pose_a);
	reference_load(&b, &s.polyhedron, pose_b);
	CHECK_NEAR(t, axis.separation, reference_separation(&a, &b), 1e-5);
	rbl_destroy_convex(convex);
	free_aligned_block(s.memory);
}

// The greatest separation is that over all axes, by brute force in double.
static void check_pair(test *t, const rbl_polyhedron *a, rbl_transform pose_a,
                       const rbl_polyhedron *b, rbl_transform pose_b, double tolerance)
{
	static reference_convex ja, jb;
	reference_load(&ja, a, pose_a);
	reference_load(&jb, b, pose_b);
	double expected = reference_separation(&ja, &jb);
	rbl_polyhedron_pair pair = rbl_polyhedron_pair_make(a, pose_a, b, pose_b);
	rbl_sat_axis axis, face;
	CHECK(t, rbl_sat_find_axis(&pair, FLT_MAX, &axis, &face));
	rbl_vec3 world = rbl_rotate(pose_a.rotation, axis.normal);
	CHECK_NEAR(t, reference_along(&ja, &jb, rbl_normalize_d(rbl_to_d(world))), axis.separation,
	           tolerance);
	// Apart, an axis that is no face of the Minkowski difference may separate more.
	if (expected <= 0.0)
		CHECK_NEAR(t, axis.separation, expected, tolerance);
	else
		CHECK(t, (double)axis.separation > -tolerance &&
		             (double)axis.separation < expected + tolerance);
	CHECK(t, face.separation >= axis.separation - rbl_sat_tolerance(&pair));
	// Swapped, the same depth the other way.
	rbl_polyhedron_pair swapped = rbl_polyhedron_pair_make(b, pose_b, a, pose_a);
	rbl_sat_axis other;
	CHECK(t, rbl_sat_find_axis(&swapped, FLT_MAX, &other, NULL));
	CHECK_NEAR(t, other.separation, axis.separation, tolerance);
}

static void the_search_finds_the_least_overlap(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	int rounds = test_count(400, 20000);
	for (int round = 0; round < rounds; ++round) {
		test_shape a, b;
		CHECK(t, test_shape_random(&a, &random, 5 + round % 16, fragment));
		CHECK(t, test_shape_random(&b, &random, 12, fragment));
		for (int k = 0; k < 4; ++k) { // deep, touching, apart
			rbl_transform pose_a = random_pose(&random, 3.0f);
			rbl_transform pose_b = random_pose(&random, 0.25f * (float)k);
			pose_b.position = rbl_add(pose_b.position, pose_a.position);
			check_pair(t, &a.polyhedron, pose_a, &b.polyhedron, pose_b, 4e-6);
		}
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
}

// The best face of A by comparing each with all vertices of B, in the order of its arithmetic.
static float best_face_of_all(const rbl_polyhedron_pair *pair, int *face)
{
	float best = -FLT_MAX;
	for (int f = 0; f < pair->a->face_count; ++f) {
		float least = FLT_MAX;
		for (int v = 0; v < pair->b->vertex_count; ++v) {
			rbl_vec3 at = rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, v));
			least = rbl_minf(least, rbl_dot(rbl_polyhedron_normal(pair->a, f), at));
		}
		float apart = least - rbl_polyhedron_offset(pair->a, f);
		if (apart > best)
			best = apart, *face = f;
	}
	return best;
}

// Faces and edges of large shapes that the search leaves out are never the best.
static void nothing_that_is_left_out_is_the_best(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	int touching = 0;
	for (int round = 0; round < 150; ++round) {
		test_shape a, b;
		CHECK(t, test_shape_random(&a, &random, 20 + round % 41, fragment));
		CHECK(t, test_shape_random(&b, &random, 12 + round % 30, fragment));
		for (int k = 0; k < 6; ++k) { // deep, touching, apart
			rbl_transform pose = random_pose(&random, 0.1f * (float)k);
			rbl_polyhedron_pair pair = rbl_polyhedron_pair_make(
				&a.polyhedron, rbl_transform_identity(), &b.polyhedron, pose);
			rbl_sat_axes axes;
			RBL_PICK(rbl_sat_search)(&a.polyhedron, &b.polyhedron, &pair.b_to_a, FLT_MAX, &axes);
			int face = 0;
			float best = best_face_of_all(&pair, &face);
			CHECK_NEAR(t, axes.face_a_separation, best, 1e-7);
			CHECK(t, axes.face_a == face || fabsf(axes.face_a_separation - best) < 1e-7f);
			check_pair(t, &a.polyhedron, rbl_transform_identity(), &b.polyhedron, pose, 4e-6);
			touching += fabsf(axes.face_a_separation) < 0.05f;
		}
		free_aligned_block(a.memory);
		free_aligned_block(b.memory);
	}
	CHECK(t, touching > 50);
}

static void boxes_in_any_position_are_no_exception(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	int rounds = test_count(3000, 100000);
	for (int round = 0; round < rounds; ++round) {
		test_shape a, b;
		// Plates, rods and cubes, up to 1 : 1000; flush, parallel, or slightly rotated.
		const float sizes[] = { 0.5f, 0.001f, 0.05f, 0.5f, 0.5f };
		rbl_vec3 ha = { 0.5f, sizes[rbl_random_below(&random, 5)],
			            sizes[rbl_random_below(&random, 5)] };
		rbl_vec3 hb = { 0.5f, sizes[rbl_random_below(&random, 5)],
			            sizes[rbl_random_below(&random, 5)] };
		test_shape_box(&a, ha);
		test_shape_box(&b, hb);
		rbl_transform pose_a = rbl_transform_identity(), pose_b = rbl_transform_identity();
		pose_b.position = random_vec(&random, 0.8f);
		if (round % 4 == 1)
			pose_b.position = (rbl_vec3){ 0.0f, ha.y + hb.y, 0.0f };
		const float tilt[] = { 0.0f, 1e-6f, 1e-4f, 1e-2f, 1.0f };
		float amount = tilt[rbl_random_below(&random, 5)];
		rbl_vec3 rotation = random_vec(&random, amount);
		pose_b.rotation =
			rbl_quat_normalize((rbl_quat){ rotation.x, rotation.y, rotation.z, 1.0f });
		check_pair(t, &a.polyhedron, pose_a, &b.polyhedron, pose_b, 4e-6);
	}
}

static void segments_points_and_triangles_have_axes_too(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	for (int round = 0; round < 2000; ++round) {
		test_shape a;
		rbl_small_polyhedron b;
		CHECK(t, test_shape_random(&a, &random, 10, fragment));
		rbl_vec3 p = random_vec(&random, 0.5f), q = random_vec(&random, 0.5f);
		rbl_vec3 r = random_vec(&random, 0.5f);
		if (round % 3 == 0)
			rbl_polyhedron_from_capsule(&b, p, q, 0.1f);
		else if (round % 3 == 1)
			CHECK(t, rbl_polyhedron_from_triangle(&b, p, q, r));
		else
			rbl_polyhedron_from_sphere(&b, p, 0.1f);
		check_pair(t, &a.polyhedron, rbl_transform_identity(), &b.polyhedron,
		           rbl_transform_identity(), 4e-6);
		free_aligned_block(a.memory);
	}
}

static void a_triangle_without_area_is_refused(test *t)
{
	rbl_small_polyhedron p;
	rbl_vec3 a = { 0.0f, 0.0f, 0.0f }, b = { 1.0f, 0.0f, 0.0f };
	CHECK(t, !rbl_polyhedron_from_triangle(&p, a, b, b));
}

// Whatever the back end, the same bits.
static void every_back_end_finds_the_same(test *t)
{
	uint64_t hashes[RBL_BACKEND_COUNT];
	rbl_backend best = rbl_current_backend();
	int count = 0;
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		rbl_random random = rbl_random_from_seed(9);
		uint64_t hash = 0;
		for (int round = 0; round < 200; ++round) {
			test_shape a, b;
			CHECK(t, test_shape_random(&a, &random, 12, fragment));
			CHECK(t, test_shape_random(&b, &random, 17, fragment));
			rbl_transform pose = random_pose(&random, 0.5f);
			rbl_polyhedron_pair pair = rbl_polyhedron_pair_make(
				&a.polyhedron, rbl_transform_identity(), &b.polyhedron, pose);
			rbl_sat_axes axes;
			memset(&axes, 0, sizeof axes);
			RBL_PICK(rbl_sat_search)(&a.polyhedron, &b.polyhedron, &pair.b_to_a, FLT_MAX, &axes);
			hash = rbl_hash_bytes(hash, &axes, sizeof axes);
			float along = rbl_sat_separation(&pair, (rbl_vec3){ 0.6f, 0.8f, 0.0f });
			hash = rbl_hash_bytes(hash, &along, sizeof along);
			free_aligned_block(a.memory);
			free_aligned_block(b.memory);
		}
		hashes[count++] = hash;
	}
	rbl_force_backend(best);
	for (int i = 0; i < count; ++i)
		CHECK(t, hashes[i] == hashes[0]);
}

TEST_MAIN(TEST(the_form_of_a_convex_is_sound), TEST(vertices_at_one_place_become_one),
          TEST(a_convex_of_the_largest_size_fits), TEST(the_search_finds_the_least_overlap),
          TEST(nothing_that_is_left_out_is_the_best), TEST(boxes_in_any_position_are_no_exception),
          TEST(segments_points_and_triangles_have_axes_too),
          TEST(a_triangle_without_area_is_refused), TEST(every_back_end_finds_the_same))
