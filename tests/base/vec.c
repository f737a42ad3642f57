// SPDX-License-Identifier: MIT
//
// The laws of vectors, matrices, rotations, motions, boxes and planes, in both precisions.

#include "base/axis.h"
#include "base/random.h"
#include "base/vec.h"
#include "test.h"

static rbl_vec3d any_point(rbl_random *random)
{
	return rbl_scale_d(3.0, rbl_random_in_ball(random));
}

static rbl_quatd any_rotation(rbl_random *random)
{
	rbl_quatd q = { rbl_random_range(random, -1.0, 1.0), rbl_random_range(random, -1.0, 1.0),
		            rbl_random_range(random, -1.0, 1.0), rbl_random_range(random, -1.0, 1.0) };
	return rbl_quat_normalize_d(q);
}

static rbl_quat quat_to_f(rbl_quatd q)
{
	return (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
}

static rbl_transformd any_motion(rbl_random *random)
{
	rbl_transformd motion = { any_point(random), any_rotation(random) };
	return motion;
}

static rbl_transform transform_to_f(rbl_transformd a)
{
	return (rbl_transform){ rbl_to_f(a.position), quat_to_f(a.rotation) };
}

#define NEAR_D(t, a, b, tolerance) CHECK_NEAR(t, rbl_distance_d(a, b), 0.0, tolerance)
#define NEAR(t, a, b, tolerance) CHECK_NEAR(t, rbl_distance(a, b), 0.0, tolerance)

static void products_obey_their_laws(test *t)
{
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < 1000; ++i) {
		rbl_vec3d a = any_point(&random), b = any_point(&random), c = any_point(&random);
		rbl_vec3d n = rbl_cross_d(a, b);
		CHECK_NEAR(t, rbl_dot_d(n, a), 0.0, 1e-13);
		CHECK_NEAR(t, rbl_length_squared_d(n) + rbl_dot_d(a, b) * rbl_dot_d(a, b),
		           rbl_length_squared_d(a) * rbl_length_squared_d(b), 1e-11); // Lagrange
		rbl_vec3d jacobi = rbl_add_d(
			rbl_cross_d(a, rbl_cross_d(b, c)),
			rbl_add_d(rbl_cross_d(b, rbl_cross_d(c, a)), rbl_cross_d(c, rbl_cross_d(a, b))));
		NEAR_D(t, jacobi, ((rbl_vec3d){ 0.0, 0.0, 0.0 }), 1e-12);
		NEAR(t, rbl_cross(rbl_to_f(a), rbl_to_f(b)), rbl_to_f(n), 1e-5);
		CHECK_NEAR(t, rbl_dot(rbl_to_f(a), rbl_to_f(b)), rbl_dot_d(a, b), 1e-5);
		NEAR_D(t, rbl_lerp_d(a, b, 0.0), a, 0.0);
		NEAR_D(t, rbl_lerp_d(a, b, 0.25), rbl_add_scaled_d(rbl_scale_d(0.75, a), 0.25, b), 1e-14);
		NEAR(t, rbl_lerp(rbl_to_f(a), rbl_to_f(b), 1.0f), rbl_to_f(b), 1e-6);
		NEAR_D(t, rbl_sub_d(rbl_mul_d(a, b), rbl_mul_d(b, a)), rbl_neg_d(rbl_sub_d(a, a)), 0.0);
		NEAR(t, rbl_mul(rbl_to_f(a), rbl_to_f(b)), rbl_to_f(rbl_mul_d(a, b)), 1e-5);
		CHECK_NEAR(t, rbl_length(rbl_add_scaled(rbl_to_f(a), 2.0f, rbl_neg(rbl_to_f(b)))),
		           rbl_length_d(rbl_add_scaled_d(a, -2.0, b)), 1e-5);
	}
}

static void unit_vectors_have_length_one_or_zero(test *t)
{
	rbl_random random = rbl_random_from_seed(2);
	for (int i = 0; i < 1000; ++i) {
		rbl_vec3d a = any_point(&random), u = rbl_normalize_d(a), p = rbl_perpendicular_d(u);
		CHECK_NEAR(t, rbl_length_d(u), 1.0, 1e-15);
		CHECK_NEAR(t, rbl_dot_d(u, p), 0.0, 1e-15);
		CHECK_NEAR(t, rbl_length_d(p), 1.0, 1e-15);
		rbl_vec3 v = rbl_normalize(rbl_to_f(a)), q = rbl_perpendicular(v);
		CHECK_NEAR(t, rbl_length(v), 1.0, 2e-7);
		CHECK_NEAR(t, rbl_dot(v, q), 0.0, 2e-7);
		CHECK_NEAR(t, rbl_length(q), 1.0, 2e-7);
	}
	CHECK(t, rbl_length(rbl_normalize((rbl_vec3){ 0.0f, 0.0f, 0.0f })) == 0.0f);
	CHECK(t, rbl_length(rbl_normalize((rbl_vec3){ 1e-30f, 0.0f, 0.0f })) == 0.0f);
	CHECK(t, rbl_length_d(rbl_normalize_d((rbl_vec3d){ 0.0, 0.0, 0.0 })) == 0.0);
	for (int axis = 0; axis < 3; ++axis) {
		rbl_vec3 e = { axis == 0, axis == 1, axis == 2 };
		CHECK(t, rbl_largest_axis(rbl_neg(e)) == axis && rbl_largest_axis_d(rbl_to_d(e)) == axis);
		CHECK(t, rbl_axis(e, axis) == 1.0f && rbl_axis_d(rbl_to_d(e), axis) == 1.0);
		rbl_vec3 f = { 0.0f, 0.0f, 0.0f };
		rbl_vec3d d = { 0.0, 0.0, 0.0 };
		rbl_set_axis(&f, axis, 1.0f);
		rbl_set_axis_d(&d, axis, 1.0);
		CHECK(t, memcmp(&f, &e, sizeof f) == 0 && rbl_dot_d(d, rbl_to_d(e)) == 1.0);
		CHECK(t, d.x + d.y + d.z == 1.0);
		CHECK_NEAR(t, rbl_dot(rbl_perpendicular(e), e), 0.0, 0.0);
	}
}

static void scalar_choices_are_written_down(test *t)
{
	CHECK(t, rbl_minf(1.0f, 2.0f) == 1.0f && rbl_maxf(1.0f, 2.0f) == 2.0f);
	CHECK(t, rbl_minf(NAN, 2.0f) == 2.0f && isnan(rbl_minf(2.0f, NAN))); // the second of unordered
	CHECK(t, signbit(rbl_minf(0.0f, -0.0f)) && !signbit(rbl_maxf(-0.0f, 0.0f)));
	CHECK(t, rbl_mind(-1.0, 2.0) == -1.0 && rbl_maxd(-1.0, 2.0) == 2.0);
	CHECK(t, rbl_clampf(3.0f, 0.0f, 1.0f) == 1.0f && rbl_clampf(-3.0f, 0.0f, 1.0f) == 0.0f);
	CHECK(t, rbl_clampd(0.5, 0.0, 1.0) == 0.5 && rbl_clampd(2.0, 0.0, 1.0) == 1.0);
	CHECK(t, rbl_mini(-3, 2) == -3 && rbl_maxi(-3, 2) == 2);
	CHECK(t, rbl_is_finite((rbl_vec3){ 1.0f, 2.0f, 3.0f }));
	CHECK(t, !rbl_is_finite((rbl_vec3){ 1.0f, NAN, 3.0f }));
	CHECK(t, !rbl_is_finite_d((rbl_vec3d){ 1.0, 2.0, (double)INFINITY }));
}

static void rotations_keep_lengths_and_compose(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < 1000; ++i) {
		rbl_quatd p = any_rotation(&random), q = any_rotation(&random);
		rbl_vec3d v = any_point(&random), turned = rbl_rotate_d(p, v);
		CHECK_NEAR(t, rbl_length_d(turned), rbl_length_d(v), 1e-14);
		NEAR_D(t, rbl_rotate_inverse_d(p, turned), v, 1e-14);
		NEAR_D(t, rbl_rotate_d(rbl_quat_mul_d(q, p), v), rbl_rotate_d(q, turned), 1e-14);
		NEAR_D(t, rbl_mat_vec_d(rbl_quat_to_mat_d(p), v), turned, 1e-14);
		CHECK_NEAR(t, rbl_mat_determinant_d(rbl_quat_to_mat_d(p)), 1.0, 1e-14);

		rbl_quat pf = quat_to_f(p), qf = quat_to_f(q);
		rbl_vec3 vf = rbl_to_f(v);
		NEAR(t, rbl_rotate(pf, vf), rbl_to_f(turned), 4e-6);
		NEAR(t, rbl_rotate_inverse(pf, rbl_rotate(pf, vf)), vf, 4e-6);
		NEAR(t, rbl_rotate(rbl_quat_mul(qf, pf), vf), rbl_rotate(qf, rbl_rotate(pf, vf)), 8e-6);
		NEAR(t, rbl_mat_vec(rbl_quat_to_mat(pf), vf), rbl_to_f(turned), 4e-6);
		rbl_quat r =
			rbl_quat_normalize((rbl_quat){ 3.0f * pf.x, 3.0f * pf.y, 3.0f * pf.z, 3.0f * pf.w });
		CHECK_NEAR(t, r.x * pf.x + r.y * pf.y + r.z * pf.z + r.w * pf.w, 1.0, 4e-7);
	}
	CHECK(t, rbl_quat_normalize((rbl_quat){ 0.0f, 0.0f, 0.0f, 0.0f }).w == 1.0f);
	CHECK(t, rbl_quat_normalize_d((rbl_quatd){ 0.0, 0.0, 0.0, 0.0 }).w == 1.0);
}

static void inverse_matrices_undo(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	for (int i = 0; i < 1000; ++i) {
		rbl_mat3d m = { any_point(&random), any_point(&random), any_point(&random) };
		rbl_vec3d v = any_point(&random);
		double d = rbl_mat_determinant_d(m);
		if (fabs(d) < 0.5)
			continue;
		NEAR_D(t, rbl_mat_vec_d(rbl_mat_inverse_d(m), rbl_mat_vec_d(m, v)), v, 1e-12);
		CHECK_NEAR(t, rbl_mat_determinant_d(rbl_mat_transpose_d(m)), d, 1e-12);
		CHECK_NEAR(t, rbl_mat_determinant_d(rbl_mat_mul_d(m, rbl_mat_inverse_d(m))), 1.0, 1e-12);
		NEAR_D(t, rbl_mat_vec_d(rbl_mat_add_d(m, rbl_mat_scale_d(-1.0, m)), v),
		       ((rbl_vec3d){ 0.0, 0.0, 0.0 }), 0.0);
		rbl_mat3 f = { rbl_to_f(m.x), rbl_to_f(m.y), rbl_to_f(m.z) };
		NEAR(t, rbl_mat_vec(rbl_mat_inverse(f), rbl_mat_vec(f, rbl_to_f(v))), rbl_to_f(v), 5e-4);
		CHECK_NEAR(t, rbl_mat_determinant(rbl_mat_transpose(f)), d, 1e-4);
		NEAR(t, rbl_mat_mul(f, rbl_mat_identity()).y, f.y, 0.0);
		NEAR(t, rbl_mat_add(f, rbl_mat_scale(-1.0f, f)).z, ((rbl_vec3){ 0.0f, 0.0f, 0.0f }), 0.0);
	}
	rbl_mat3d flat = { { 1.0, 2.0, 3.0 }, { 2.0, 4.0, 6.0 }, { 0.0, 0.0, 1.0 } };
	CHECK(t, rbl_length_d(rbl_mat_inverse_d(flat).x) == 0.0);
	rbl_mat3 flat_f = { { 1.0f, 2.0f, 3.0f }, { 2.0f, 4.0f, 6.0f }, { 0.0f, 0.0f, 1.0f } };
	CHECK(t, rbl_length(rbl_mat_inverse(flat_f).z) == 0.0f);
	CHECK(t, rbl_mat_determinant_d(rbl_mat_identity_d()) == 1.0);
}

static void motions_compose_and_undo(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	for (int i = 0; i < 1000; ++i) {
		rbl_transformd a = any_motion(&random), b = any_motion(&random);
		rbl_vec3d p = any_point(&random), moved = rbl_transform_point_d(a, p);
		NEAR_D(t, rbl_transform_point_inverse_d(a, moved), p, 2e-14);
		NEAR_D(t, rbl_transform_point_d(rbl_transform_identity_d(), p), p, 0.0);

		rbl_transform af = transform_to_f(a), bf = transform_to_f(b);
		rbl_vec3 pf = rbl_to_f(p);
		NEAR(t, rbl_transform_point_inverse(af, rbl_transform_point(af, pf)), pf, 1e-5);
		NEAR(t, rbl_transform_point(rbl_transform_mul(af, bf), pf),
		     rbl_transform_point(af, rbl_transform_point(bf, pf)), 1e-5);
		NEAR(t, rbl_transform_point(rbl_transform_relative(af, bf), pf),
		     rbl_transform_point_inverse(af, rbl_transform_point(bf, pf)), 1e-5);
		NEAR(t, rbl_transform_point(rbl_transform_identity(), pf), pf, 0.0);
	}
}

static void boxes_join_contain_and_overlap(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	for (int i = 0; i < 1000; ++i) {
		rbl_boxd a = rbl_box_empty_d(), b = rbl_box_empty_d();
		rbl_box af = rbl_box_empty(), bf = rbl_box_empty();
		for (int k = 0; k < 3; ++k) {
			rbl_vec3d p = any_point(&random), q = any_point(&random);
			a = rbl_box_add_point_d(a, p), af = rbl_box_add_point(af, rbl_to_f(p));
			b = rbl_box_add_point_d(b, q), bf = rbl_box_add_point(bf, rbl_to_f(q));
		}
		rbl_boxd join = rbl_box_join_d(a, b);
		CHECK(t, rbl_box_contains_d(join, a) && rbl_box_contains_d(join, b));
		CHECK(t, rbl_box_is_valid_d(join));
		// Overlap is a point in both: the least upper corner is not below the greatest lower one.
		rbl_boxd common = { rbl_max_d(a.lower, b.lower), rbl_min_d(a.upper, b.upper) };
		CHECK(t, rbl_box_overlaps_d(a, b) == !rbl_box_is_empty_d(common));
		CHECK(t, rbl_box_overlaps_d(a, b) == rbl_box_overlaps_d(b, a));
		CHECK(t, rbl_box_contains_d(rbl_box_grow_d(a, 0.1), a));
		NEAR_D(t, rbl_box_centre_d(a), rbl_add_scaled_d(a.lower, 0.5, rbl_box_size_d(a)), 1e-14);

		rbl_box join_f = rbl_box_join(af, bf);
		CHECK(t, rbl_box_contains(join_f, af) && rbl_box_contains(join_f, bf));
		CHECK(t, rbl_box_is_valid(join_f) && rbl_box_half_area(join_f) >= rbl_box_half_area(af));
		rbl_box common_f = { rbl_max(af.lower, bf.lower), rbl_min(af.upper, bf.upper) };
		CHECK(t, rbl_box_overlaps(af, bf) == !rbl_box_is_empty(common_f));
		CHECK(t, rbl_box_contains(rbl_box_grow(af, 0.1f), af));
		NEAR(t, rbl_box_centre(af), rbl_add_scaled(af.lower, 0.5f, rbl_box_size(af)), 1e-6);
	}
	rbl_box unit = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
	rbl_box next = { { 1.0f, 0.0f, 0.0f }, { 2.0f, 1.0f, 1.0f } };
	CHECK(t, rbl_box_overlaps(unit, next)); // touching counts
	CHECK(t, rbl_box_is_empty(rbl_box_empty()) && rbl_box_is_empty_d(rbl_box_empty_d()));
	CHECK(t, !rbl_box_is_valid(rbl_box_empty()) && !rbl_box_overlaps(unit, rbl_box_empty()));
	CHECK(t, rbl_box_half_area(unit) == 3.0f);
}

static void planes_measure_from_their_front(test *t)
{
	rbl_planed plane_d = { { 0.0, 1.0, 0.0 }, 2.0 };
	CHECK(t, rbl_plane_distance_d(plane_d, (rbl_vec3d){ 9.0, 1.0, 7.0 }) == -1.0);
}

// Nothing lies between a number and the float beside it, and a float stays what it is.
static void floats_beside_a_number_are_the_nearest(test *t)
{
	const double exact[] = { 0.0, -0.0, 1.0, -2.5, 0x1p-149, 0x1.fffffep127, (double)INFINITY };
	for (size_t i = 0; i < sizeof exact / sizeof *exact; ++i)
		for (int sign = -1; sign <= 1; sign += 2) {
			double a = sign * exact[i];
			CHECK(t, (double)rbl_float_below(a) == a && (double)rbl_float_above(a) == a);
		}
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < 20000; ++i) {
		double a = rbl_random_range(&random, -1.0, 1.0);
		a = ldexp(a, (int)rbl_random_below(&random, 400) - 200);
		float below = rbl_float_below(a), above = rbl_float_above(a);
		CHECK(t, (double)below <= a && a <= (double)above);
		CHECK(t, (double)below == a ? below == above : nextafterf(below, INFINITY) == above);
	}
	CHECK(t, rbl_float_below(1e300) == FLT_MAX && rbl_float_above(1e300) == INFINITY);
	CHECK(t, rbl_float_below(-1e300) == -INFINITY && rbl_float_above(-1e300) == -FLT_MAX);
	CHECK(t, isnan(rbl_float_below((double)NAN)) && isnan(rbl_float_above((double)NAN)));
	const rbl_boxd box = { { -0.1, 0.1, 1.0 }, { 0.1, 0.3, 1.0 } };
	rbl_box around = rbl_box_around_d(box);
	const rbl_boxd back = { rbl_to_d(around.lower), rbl_to_d(around.upper) };
	CHECK(t, rbl_box_contains_d(back, box) && !rbl_box_contains_d(box, back));
	CHECK(t, around.lower.z == 1.0f && around.upper.z == 1.0f);
}

TEST_MAIN(TEST(products_obey_their_laws), TEST(unit_vectors_have_length_one_or_zero),
          TEST(scalar_choices_are_written_down), TEST(rotations_keep_lengths_and_compose),
          TEST(inverse_matrices_undo), TEST(motions_compose_and_undo),
          TEST(boxes_join_contain_and_overlap), TEST(planes_measure_from_their_front),
          TEST(floats_beside_a_number_are_the_nearest))
