// SPDX-License-Identifier: MIT
// Cylinders, cones and round edges: distances and overlaps against a search over all directions, bounds
// against samples, contacts as features have them.
// ctest: soak

#include "reference.h"

#include "collide/collider.h"

#include "test.h"

#define PI 3.14159265358979

static rbl_collider *make(test *t, const rbl_collider_def *def)
{
	rbl_collider *c = NULL;
	CHECK(t, rbl_create_collider(def, &c) == RBL_OK);
	return c;
}

static rbl_collider *make_round(test *t, rbl_collider_kind kind, float radius, float length)
{
	rbl_collider_def def = rbl_default_collider_def(kind);
	def.a = (rbl_vec3){ 0.0f, -0.5f * length, 0.0f },
	def.b = (rbl_vec3){ 0.0f, 0.5f * length, 0.0f };
	def.radius = radius;
	return make(t, &def);
}

static rbl_collider *make_box(test *t, float half, float rounding)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ half, half, half }, def.rounding = rounding;
	return make(t, &def);
}

// The extent of a shape around the y axis along a direction, by the definition of its kind.
static double extent(const rbl_collider *c, double radius, double length, rbl_vec3d n)
{
	double across = sqrt(n.x * n.x + n.z * n.z), h = 0.5 * length;
	switch (rbl_collider_kind_of(c)) {
	case RBL_COLLIDER_CYLINDER:
		return h * fabs(n.y) + radius * across;
	case RBL_COLLIDER_CONE:
		return fmax(h * n.y, -h * n.y + radius * across);
	case RBL_COLLIDER_BOX: // half the length, rounded by the radius
		return h * (fabs(n.x) + fabs(n.y) + fabs(n.z)) + radius;
	default:
		return radius;
	}
}

typedef struct solid {
	rbl_collider *collider;
	double radius, length;
	rbl_transform pose;
} solid;

static double solid_extent(const solid *s, rbl_vec3d n)
{
	rbl_quatd q = { s->pose.rotation.x, s->pose.rotation.y, s->pose.rotation.z,
		            s->pose.rotation.w };
	rbl_vec3d local = rbl_rotate_inverse_d(rbl_quat_normalize_d(q), n);
	return rbl_dot_d(n, rbl_to_d(s->pose.position)) +
	       extent(s->collider, s->radius, s->length, local);
}

static double separation_along(const solid *a, const solid *b, rbl_vec3d n)
{
	return -solid_extent(b, rbl_neg_d(n)) - solid_extent(a, n);
}

// The greatest separation over all directions: many of them, the best improved by smaller and smaller
// changes.
static double best_separation(const solid *a, const solid *b, rbl_random *random)
{
	enum { STARTS = 400, BEST = 6, CHANGES = 400 };
	rbl_vec3d directions[BEST] = { { 0.0, 1.0, 0.0 } };
	double separations[BEST];
	for (int i = 0; i < BEST; ++i)
		separations[i] = -DBL_MAX;
	for (int i = 0; i < STARTS; ++i) {
		rbl_vec3d n = rbl_normalize_d(rbl_random_in_ball(random));
		double s = separation_along(a, b, n);
		int at = BEST;
		while (at > 0 && s > separations[at - 1])
			at--;
		for (int k = BEST - 1; k > at; --k)
			separations[k] = separations[k - 1], directions[k] = directions[k - 1];
		if (at < BEST)
			separations[at] = s, directions[at] = n;
	}
	double best = -DBL_MAX;
	for (int i = 0; i < BEST; ++i) {
		double size = 0.2;
		for (int k = 0; k < CHANGES; ++k) {
			rbl_vec3d n =
				rbl_normalize_d(rbl_add_scaled_d(directions[i], size, rbl_random_in_ball(random)));
			double s = separation_along(a, b, n);
			if (s > separations[i])
				separations[i] = s, directions[i] = n;
			else
				size *= 0.96;
		}
		best = rbl_maxd(best, separations[i]);
	}
	return best;
}

static void distances_are_the_best_of_all_directions(test *t)
{
	rbl_random random = rbl_random_from_seed(61);
	int rounds = test_count(400, 20000), deep = 0, apart = 0;
	for (int round = 0; round < rounds; ++round) {
		solid s[2];
		for (int i = 0; i < 2; ++i) {
			int kind = (i == 0 ? round : round / 3) % (i == 0 ? 2 : 4);
			s[i].radius = (double)(float)rbl_random_range(&random, 0.1, 0.5);
			s[i].length = (double)(float)rbl_random_range(&random, 0.1, 1.0);
			s[i].pose = random_pose(&random, round & 1 ? 1.2f : 0.4f);
			if (kind < 2) {
				s[i].collider = make_round(t, kind ? RBL_COLLIDER_CONE : RBL_COLLIDER_CYLINDER,
				                           (float)s[i].radius, (float)s[i].length);
			} else {
				s[i].radius = kind == 2 ? 0.0 : 0.05;
				s[i].collider = make_box(t, 0.5f * (float)s[i].length, (float)s[i].radius);
			}
		}
		rbl_separation gap, back;
		CHECK(t, rbl_collider_distance(s[0].collider, s[0].pose, s[1].collider, s[1].pose, FLT_MAX,
		                               &gap) == RBL_OK);
		CHECK(t, rbl_collider_distance(s[1].collider, s[1].pose, s[0].collider, s[0].pose, FLT_MAX,
		                               &back) == RBL_OK);
		double along = separation_along(&s[0], &s[1], rbl_to_d(gap.normal));
		double best = best_separation(&s[0], &s[1], &random);
		double size = s[0].radius + s[0].length + s[1].radius + s[1].length;
		CHECK_NEAR(t, gap.distance, along, 1e-5 * size); // it is what the normal says
		// Deep inside each other the nearest way out may be missed by a little, never by much.
		CHECK(t, (double)gap.distance > best - (best > -0.05 ? 2e-4 : 0.03) * size);
		CHECK_NEAR(t, gap.distance, back.distance, best > -0.05 ? 1e-4 : 0.05);
		CHECK_NEAR(t, rbl_length(gap.normal), 1.0, 1e-5);
		rbl_vec3 line = rbl_sub(gap.point_b, gap.point_a);
		CHECK_NEAR(t, rbl_dot(line, gap.normal), gap.distance, 1e-4 * size);
		deep += gap.distance<0.0f, apart += gap.distance> 0.0f;
		rbl_destroy_collider(s[0].collider);
		rbl_destroy_collider(s[1].collider);
	}
	CHECK(t, deep > rounds / 5 && apart > rounds / 5);
}

static void bounds_are_tight(test *t)
{
	rbl_random random = rbl_random_from_seed(62);
	for (int round = 0; round < 200; ++round) {
		solid s = { .radius = 0.3, .length = 0.7, .pose = random_pose(&random, 2.0f) };
		s.radius = (double)(float)s.radius, s.length = (double)(float)s.length;
		s.collider = make_round(t, round & 1 ? RBL_COLLIDER_CONE : RBL_COLLIDER_CYLINDER,
		                        (float)s.radius, (float)s.length);
		rbl_box box = rbl_collider_bounds(s.collider, s.pose);
		CHECK_NEAR(t, box.upper.x, solid_extent(&s, (rbl_vec3d){ 1.0, 0.0, 0.0 }), 1e-5);
		CHECK_NEAR(t, -box.lower.x, solid_extent(&s, (rbl_vec3d){ -1.0, 0.0, 0.0 }), 1e-5);
		CHECK_NEAR(t, box.upper.y, solid_extent(&s, (rbl_vec3d){ 0.0, 1.0, 0.0 }), 1e-5);
		CHECK_NEAR(t, -box.lower.z, solid_extent(&s, (rbl_vec3d){ 0.0, 0.0, -1.0 }), 1e-5);
		rbl_destroy_collider(s.collider);
	}
}

// Rays against formulas.
static void rays_hit_where_formulas_say(test *t)
{
	rbl_collider *cylinder = make_round(t, RBL_COLLIDER_CYLINDER, 0.5f, 1.0f);
	rbl_collider *cone = make_round(t, RBL_COLLIDER_CONE, 0.5f, 1.0f);
	rbl_collider *box = make_box(t, 0.4f, 0.1f);
	rbl_random random = rbl_random_from_seed(63);
	rbl_transform pose = rbl_transform_identity();
	for (int round = 0; round < 500; ++round) {
		double y = rbl_random_range(&random, -0.45, 0.45), z = rbl_random_range(&random, -0.7, 0.7);
		rbl_vec3 from = { -3.0f, (float)y, (float)z }, way = { 6.0f, 0.0f, 0.0f };
		rbl_cast_hit hit;
		CHECK(t, rbl_collider_cast_ray(cylinder, pose, from, way, &hit) == RBL_OK);
		double square = 0.25 - z * z;
		CHECK(t, hit.is_hit == (square > 0.0) || fabs(square) < 1e-3);
		if (hit.is_hit && square > 1e-3) {
			CHECK_NEAR(t, hit.point.x, -sqrt(square), 2e-6);
			CHECK_NEAR(t, hit.normal.x, -sqrt(square) / 0.5, 1e-4);
			CHECK_NEAR(t, hit.normal.y, 0.0, 1e-4);
		}
		CHECK(t, rbl_collider_cast_ray(cone, pose, from, way, &hit) == RBL_OK);
		double radius = 0.5 * (0.5 - y);
		square = radius * radius - z * z;
		CHECK(t, hit.is_hit == (square > 0.0) || fabs(square) < 1e-3);
		if (hit.is_hit && square > 1e-3)
			CHECK_NEAR(t, hit.point.x, -sqrt(square), 5e-6);
		CHECK(t, rbl_collider_cast_ray(box, pose, from, way, &hit) == RBL_OK);
		double over_y = fmax(fabs(y) - 0.4, 0.0), over_z = fmax(fabs(z) - 0.4, 0.0);
		square = 0.01 - over_y * over_y - over_z * over_z;
		CHECK(t, hit.is_hit == (square > 0.0) || fabs(square) < 1e-4);
		if (hit.is_hit && square > 1e-4)
			CHECK_NEAR(t, hit.point.x, -0.4 - sqrt(square), 5e-6);
	}
	// Down on the ends.
	rbl_cast_hit hit;
	CHECK(t, rbl_collider_cast_ray(cylinder, pose, (rbl_vec3){ 0.3f, 2.0f, 0.2f },
	                               (rbl_vec3){ 0.0f, -4.0f, 0.0f }, &hit) == RBL_OK);
	CHECK(t, hit.is_hit && hit.normal.y > 0.9999f);
	CHECK_NEAR(t, hit.point.y, 0.5, 1e-6);
	rbl_destroy_collider(cylinder);
	rbl_destroy_collider(cone);
	rbl_destroy_collider(box);
}

// What lies on a floor, in every turn about the vertical and slightly tilted: the points are where it
// touches, and the normal is the floor's.
static void contacts_are_lines_and_rims(test *t)
{
	rbl_collider *cylinder = make_round(t, RBL_COLLIDER_CYLINDER, 0.3f, 0.8f);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 5.0f, 0.5f, 5.0f };
	rbl_collider *floor = make(t, &def);
	rbl_transform ground = { { 0.0f, -0.5f, 0.0f }, rbl_quat_identity() };
	rbl_contacts *contacts = NULL;
	CHECK(t, rbl_create_contacts(NULL, &contacts) == RBL_OK);
	rbl_random random = rbl_random_from_seed(64);
	for (int round = 0; round < 400; ++round) {
		bool stands = round & 1, is_first = round & 2;
		float depth = (float)rbl_random_range(&random, -0.002, 0.002);
		rbl_quat about =
			rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, 0.1f * (float)round);
		rbl_quat spin =
			rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, 0.37f * (float)round);
		rbl_quat lie =
			stands ? rbl_quat_identity() : (rbl_quat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f };
		rbl_transform pose = { { 1.0f, (stands ? 0.4f : 0.3f) - depth, -0.5f },
			                   rbl_quat_normalize(rbl_quat_mul(about, rbl_quat_mul(lie, spin))) };
		rbl_result result =
			is_first ? rbl_contacts_update(contacts, cylinder, pose, floor, ground, 0.02f)
					 : rbl_contacts_update(contacts, floor, ground, cylinder, pose, 0.02f);
		CHECK(t, result == RBL_OK);
		rbl_manifolds found = rbl_contacts_get_manifolds(contacts);
		CHECK(t, found.count == 1);
		if (found.count != 1)
			continue;
		const rbl_manifold *m = &found.manifolds[0];
		CHECK(t, m->point_count == (stands ? 4 : 2));
		CHECK_NEAR(t, m->normal.y, is_first ? -1.0 : 1.0, 1e-6);
		float largest = 0.0f;
		for (int i = 0; i < m->point_count; ++i) {
			CHECK_NEAR(t, m->points[i].separation, -depth, 5e-6);
			for (int k = 0; k < i; ++k) {
				CHECK(t, m->points[k].id != m->points[i].id);
				largest =
					rbl_maxf(largest, rbl_distance(m->points[i].position, m->points[k].position));
			}
			rbl_vec3 from = rbl_sub(m->points[i].position, pose.position);
			from.y = 0.0f;
			CHECK_NEAR(t, rbl_length(from), stands ? 0.3 : 0.4, 1e-5);
		}
		CHECK_NEAR(t, largest, stands ? 0.6 : 0.8, 0.01);
	}
	rbl_destroy_contacts(contacts);
	rbl_destroy_collider(cylinder);
	rbl_destroy_collider(floor);
}

static void bad_shapes_are_refused(test *t)
{
	rbl_collider *c = NULL;
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	def.radius = 0.0f;
	CHECK(t, rbl_create_collider(&def, &c) == RBL_BAD_ARGUMENT && !c);
	def = rbl_default_collider_def(RBL_COLLIDER_CONE);
	def.b = def.a;
	CHECK(t, rbl_create_collider(&def, &c) == RBL_BAD_ARGUMENT && !c);
	def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	def.b.x = NAN;
	CHECK(t, rbl_create_collider(&def, &c) == RBL_BAD_ARGUMENT && !c);
	def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.rounding = -0.1f;
	CHECK(t, rbl_create_collider(&def, &c) == RBL_BAD_ARGUMENT && !c);
	def.rounding = NAN;
	CHECK(t, rbl_create_collider(&def, &c) == RBL_BAD_ARGUMENT && !c);
}

TEST_MAIN(TEST(distances_are_the_best_of_all_directions), TEST(bounds_are_tight),
          TEST(rays_hit_where_formulas_say), TEST(contacts_are_lines_and_rims),
          TEST(bad_shapes_are_refused))
