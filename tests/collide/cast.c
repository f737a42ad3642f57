// SPDX-License-Identifier: MIT
// Ray casts and shape casts against samples along the motion: never a miss, never late.
// ctest: soak

#include "reference.h"

#include "collide/collider.h"

#include "test.h"

static rbl_collider *make(test *t, const rbl_collider_def *def)
{
	rbl_collider *c = NULL;
	CHECK(t, rbl_create_collider(def, &c) == RBL_OK);
	return c;
}

enum { KINDS = 11, MOVERS = 8 };

static const int movers[MOVERS] = { 0, 1, 2, 3, 4, 7, 8, 9 };

// One of each kind, about a metre large.
typedef struct zoo {
	rbl_collider *all[KINDS];
} zoo;

static zoo open_zoo(test *t)
{
	zoo z;
	rbl_random random = rbl_random_from_seed(41);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	z.all[0] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	def.radius = 0.3f, def.b = (rbl_vec3){ 0.4f, 0.5f, 0.0f };
	z.all[1] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 0.5f, 0.01f, 0.4f };
	z.all[2] = make(t, &def);
	rbl_convex *convex = random_convex(&random, 14, (rbl_vec3d){ 0.5, 0.4, 0.6 });
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_convex_create_mesh(convex, NULL, &mesh) == RBL_OK);
	def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	def.convex = convex;
	z.all[3] = make(t, &def);
	rbl_collider_child children[3] = { { .collider = z.all[2], .pose = random_pose(&random, 0.5f) },
		                               { .collider = z.all[3], .pose = random_pose(&random, 0.5f) },
		                               { .collider = z.all[1],
		                                 .pose = random_pose(&random, 0.5f) } };
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 3;
	z.all[4] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	def.mesh = mesh;
	z.all[5] = make(t, &def);
	float heights[20 * 30];
	for (int i = 0; i < 20 * 30; ++i)
		heights[i] = 0.3f * rbl_random_float(&random);
	def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.heights = heights, def.column_count = 20, def.row_count = 30, def.cell_size = 0.1f;
	z.all[6] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	def.radius = 0.4f, def.b = (rbl_vec3){ 0.2f, 0.1f, 0.3f };
	z.all[7] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_CONE);
	def.a = (rbl_vec3){ 0.0f, -0.3f, 0.1f }, def.b = (rbl_vec3){ 0.1f, 0.6f, 0.0f };
	z.all[8] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	def.convex = convex, def.rounding = 0.1f;
	z.all[9] = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	def.a = (rbl_vec3){ 0.3f, 0.0f, -0.2f }, def.b = (rbl_vec3){ 1.0f, -2.0f, 0.5f };
	z.all[10] = make(t, &def);
	rbl_destroy_mesh(mesh);
	rbl_destroy_convex(convex);
	return z;
}

static void close_zoo(zoo *z)
{
	for (int i = KINDS - 1; i >= 0; --i)
		rbl_destroy_collider(z->all[i]);
}

// A ray of no extent is a tiny ball that moves: its hit is where the ball's is.
static void rays_hit_where_a_tiny_ball_would(test *t)
{
	zoo z = open_zoo(t);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = 1e-4f;
	rbl_collider *ball = make(t, &def);
	rbl_random random = rbl_random_from_seed(42);
	int rounds = test_count(3000, 100000), hits = 0;
	for (int round = 0; round < rounds; ++round) {
		rbl_collider *target = z.all[round % KINDS];
		rbl_transform pose = random_pose(&random, 0.5f);
		rbl_vec3 from = random_vec(&random, 3.0f), to = random_vec(&random, 1.0f);
		rbl_vec3 translation = rbl_scale(1.5f, rbl_sub(to, from));
		rbl_cast_hit ray, moved;
		CHECK(t, rbl_collider_cast_ray(target, pose, from, translation, &ray) == RBL_OK);
		rbl_transform start = { from, { 0.0f, 0.0f, 0.0f, 1.0f } };
		CHECK(t,
		      rbl_collider_cast_collider(ball, start, translation, target, pose, &moved) == RBL_OK);
		// The ball is wider by a hair, so it may hit where the ray just misses, never the reverse.
		CHECK(t, !ray.is_hit || moved.is_hit);
		hits += ray.is_hit;
		if (!ray.is_hit)
			continue;
		CHECK(t, moved.fraction <= ray.fraction + 1e-5f);
		CHECK_NEAR(t, rbl_distance(ray.point, rbl_add_scaled(from, ray.fraction, translation)), 0.0,
		           1e-6);
		// The point is on the surface; just before it, the ray is outside.
		rbl_separation gap;
		start.position = ray.point;
		CHECK(t, rbl_collider_distance(ball, start, target, pose, FLT_MAX, &gap) == RBL_OK);
		CHECK(t, gap.distance < 2e-5f);
		if (rbl_length_squared(ray.normal) > 0.0f) {
			CHECK_NEAR(t, rbl_length(ray.normal), 1.0, 1e-5);
			CHECK(t, rbl_dot(ray.normal, translation) <= 1e-5f);
		}
	}
	CHECK(t, hits > rounds / 10);
	rbl_destroy_collider(ball);
	close_zoo(&z);
}

// Distances at samples along the translation: none before the hit is in touch, and at the hit it
// is.
static void moving_shapes_stop_at_the_first_touch(test *t)
{
	zoo z = open_zoo(t);
	rbl_random random = rbl_random_from_seed(43);
	int rounds = test_count(1500, 50000), hits = 0;
	for (int round = 0; round < rounds; ++round) {
		rbl_collider *moving = z.all[movers[round % MOVERS]];
		rbl_collider *target = z.all[round / MOVERS % KINDS];
		rbl_transform pose = random_pose(&random, 4.0f);
		rbl_transform target_pose = random_pose(&random, 0.5f);
		rbl_vec3 translation = rbl_scale(1.5f, rbl_sub(random_vec(&random, 1.5f), pose.position));
		rbl_cast_hit hit;
		CHECK(t, rbl_collider_cast_collider(moving, pose, translation, target, target_pose, &hit) ==
		             RBL_OK);
		hits += hit.is_hit;
		enum { SAMPLES = 24 };
		for (int i = 0; i <= SAMPLES; ++i) {
			float s = (float)i / (float)SAMPLES;
			rbl_transform there = pose;
			there.position = rbl_add_scaled(pose.position, s, translation);
			rbl_separation gap;
			CHECK(t, rbl_collider_distance(moving, there, target, target_pose, FLT_MAX, &gap) ==
			             RBL_OK);
			if (s < hit.fraction - 1e-4f)
				CHECK(t, gap.distance > 0.0f);
			if (!hit.is_hit)
				CHECK(t, gap.distance > -1e-6f);
		}
		if (hit.is_hit) {
			rbl_separation gap;
			rbl_transform there = pose;
			there.position = rbl_add_scaled(pose.position, hit.fraction, translation);
			CHECK(t, rbl_collider_distance(moving, there, target, target_pose, FLT_MAX, &gap) ==
			             RBL_OK);
			CHECK(t, gap.distance < 3e-4f);
			CHECK(t, gap.distance > -1e-5f || hit.fraction == 0.0f);
			CHECK(t, hit.child >= 0 && hit.child < rbl_collider_child_count(target));
			if (hit.fraction > 0.0f)
				CHECK_NEAR(t, rbl_length(hit.normal), 1.0f, 1e-5f);
		}
	}
	CHECK(t, hits > rounds / 4);
	close_zoo(&z);
}

// The pose at a fraction of a rotating motion, from the definition: half angles by the quaternion's
// power.
static rbl_transform pose_at(rbl_transform from, rbl_transform to, float s)
{
	rbl_quat rotation = rbl_quat_mul(to.rotation, rbl_quat_conjugate(from.rotation));
	double w = fabs((double)rotation.w), sine = sqrt(fmax(0.0, 1.0 - w * w));
	double angle = 2.0 * atan2(sine, w) * (double)s, sign = rotation.w < 0.0f ? -1.0 : 1.0;
	float k = sine > 0.0 ? (float)(sign * sin(0.5 * angle) / sine) : 0.0f;
	rbl_quat part = { k * rotation.x, k * rotation.y, k * rotation.z, (float)cos(0.5 * angle) };
	rbl_transform at = { rbl_add_scaled(from.position, s, rbl_sub(to.position, from.position)),
		                 rbl_quat_normalize(rbl_quat_mul(part, from.rotation)) };
	return at;
}

static void turning_shapes_stop_at_the_first_touch(test *t)
{
	zoo z = open_zoo(t);
	rbl_random random = rbl_random_from_seed(44);
	int rounds = test_count(500, 40000), hits = 0;
	for (int round = 0; round < rounds; ++round) {
		rbl_collider *moving = z.all[movers[round % MOVERS]];
		rbl_collider *target = z.all[round / MOVERS % KINDS];
		rbl_transform from = random_pose(&random, round & 1 ? 4.0f : 1.5f);
		rbl_transform to = random_pose(&random, 1.5f);
		rbl_transform target_pose = random_pose(&random, 0.5f);
		rbl_cast_hit hit;
		CHECK(t, rbl_collider_cast_motion(moving, from, to, target, target_pose, &hit) == RBL_OK);
		hits += hit.is_hit;
		enum { SAMPLES = 32 };
		rbl_separation gap;
		for (int i = 0; i <= SAMPLES; ++i) {
			float s = (float)i / (float)SAMPLES;
			CHECK(t, rbl_collider_distance(moving, pose_at(from, to, s), target, target_pose,
			                               FLT_MAX, &gap) == RBL_OK);
			if (s < hit.fraction - 1e-4f || !hit.is_hit)
				CHECK(t, gap.distance > -2e-6f);
		}
		CHECK(t, rbl_collider_distance(moving, pose_at(from, to, hit.fraction), target, target_pose,
		                               FLT_MAX, &gap) == RBL_OK);
		if (hit.is_hit && hit.fraction > 0.0f)
			CHECK(t, gap.distance < 3e-3f && gap.distance > -1e-5f);
		if (hit.is_hit && hit.fraction > 0.0f)
			CHECK_NEAR(t, rbl_length(hit.normal), 1.0f, 1e-5f);
	}
	CHECK(t, hits > rounds / 4);
	close_zoo(&z);
}

// Regression: where rounding let two thin plates meet by a little, the touch had no normal.
static void every_touch_on_the_way_has_a_normal(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 0.05f, 0.02f, 0.04f };
	rbl_collider *plate = make(t, &def);
	def.half_size = (rbl_vec3){ 1.0f, 0.01f, 0.7f };
	rbl_collider *wall = make(t, &def);
	rbl_random random = rbl_random_from_seed(45);
	int rounds = test_count(20000, 1000000), hits = 0;
	for (int round = 0; round < rounds; ++round) {
		rbl_transform from = random_pose(&random, 1.5f), to = random_pose(&random, 1.5f);
		rbl_transform target_pose = random_pose(&random, 0.5f);
		to.rotation = round & 1 ? to.rotation : from.rotation;
		rbl_cast_hit hit;
		CHECK(t, rbl_collider_cast_motion(plate, from, to, wall, target_pose, &hit) == RBL_OK);
		if (!hit.is_hit || hit.fraction == 0.0f)
			continue;
		hits++;
		CHECK_NEAR(t, rbl_length(hit.normal), 1.0f, 1e-5f);
	}
	CHECK(t, hits > rounds / 10);
	rbl_destroy_collider(plate);
	rbl_destroy_collider(wall);
}

// A long thin bar swings about its end: its tip is far out, and its middle never leaves its place
// by much.
static void a_swinging_bar_meets_what_stands_in_its_arc(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	def.a = (rbl_vec3){ 0.0f, 0.0f, 0.0f }, def.b = (rbl_vec3){ 2.0f, 0.0f, 0.0f };
	def.radius = 0.05f;
	rbl_collider *bar = make(t, &def);
	def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = 0.1f;
	rbl_collider *ball = make(t, &def);
	rbl_transform from = rbl_transform_identity(), to = from, post = from;
	to.rotation = (rbl_quat){ 0.0f, 0.0f, 1.0f, 0.0f }; // half a turn about z
	post.position = (rbl_vec3){ 0.0f, 1.9f, 0.0f };     // a quarter turn ahead
	rbl_cast_hit hit;
	CHECK(t, rbl_collider_cast_motion(bar, from, to, ball, post, &hit) == RBL_OK);
	CHECK(t, hit.is_hit && hit.fraction < 0.5f && hit.fraction > 0.45f);
	CHECK(t, hit.normal.x > 0.9f); // out of the ball, against the bar
	post.position.y = 2.2f;        // beyond the tip
	CHECK(t, rbl_collider_cast_motion(bar, from, to, ball, post, &hit) == RBL_OK);
	CHECK(t, !hit.is_hit);
	rbl_destroy_collider(ball);
	rbl_destroy_collider(bar);
}

static void rays_do_not_slip_between_triangles(test *t)
{
	zoo z = open_zoo(t);
	// Straight down through every vertex and the middle of every side of the field.
	for (int k = 2; k < 36; ++k) {
		for (int r = 2; r < 56; ++r) {
			rbl_vec3 from = { 0.05f * (float)k, 2.0f, 0.05f * (float)r };
			rbl_cast_hit hit;
			CHECK(t, rbl_collider_cast_ray(z.all[6], rbl_transform_identity(), from,
			                               (rbl_vec3){ 0.0f, -3.0f, 0.0f }, &hit) == RBL_OK);
			CHECK(t, hit.is_hit && hit.normal.y > 0.0f);
		}
	}
	// Through every vertex of the closed mesh from outside, to the middle.
	for (int v = 0; v < z.all[5]->parts->vertex_count; ++v) {
		rbl_vec3 p = z.all[5]->parts->positions[v];
		rbl_cast_hit hit;
		CHECK(t, rbl_collider_cast_ray(z.all[5], rbl_transform_identity(), rbl_scale(2.0f, p),
		                               rbl_scale(-2.0f, p), &hit) == RBL_OK);
		CHECK(t, hit.is_hit);
		CHECK_NEAR(t, hit.fraction, 0.5, 1e-5);
	}
	close_zoo(&z);
}

static void casts_that_begin_inside_hit_at_once(test *t)
{
	zoo z = open_zoo(t);
	const int solids[] = { 0, 1, 2, 3, 8, 9 };
	for (int k = 0; k < 6; ++k) {
		int i = solids[k];
		rbl_cast_hit hit;
		rbl_transform pose = { { 1.0f, 2.0f, 3.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		rbl_vec3 translation = { 0.0f, 5.0f, 0.0f };
		CHECK(t, rbl_collider_cast_ray(z.all[i], pose, pose.position, translation, &hit) == RBL_OK);
		CHECK(t, hit.is_hit && hit.fraction == 0.0f && rbl_length(hit.normal) == 0.0f);
		CHECK(t, rbl_collider_cast_collider(z.all[i], pose, translation, z.all[3], pose, &hit) ==
		             RBL_OK);
		CHECK(t, hit.is_hit && hit.fraction == 0.0f);
	}
	close_zoo(&z);
}

static void bad_casts_are_refused(test *t)
{
	zoo z = open_zoo(t);
	rbl_transform pose = rbl_transform_identity(), bad = { { 0, 0, 0 }, { 0, 0, 0, 0 } };
	rbl_vec3 translation = { 0.0f, -1.0f, 0.0f }, nowhere = { NAN, 0.0f, 0.0f };
	rbl_cast_hit hit;
	CHECK(t, rbl_collider_cast_ray(NULL, pose, translation, translation, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_collider_cast_ray(z.all[0], bad, translation, translation, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_cast_ray(z.all[0], pose, nowhere, translation, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_cast_collider(z.all[0], pose, translation, NULL, pose, &hit) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_cast_collider(z.all[0], bad, translation, z.all[0], pose, &hit) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_collider_cast_collider(z.all[6], pose, translation, z.all[0], pose, &hit) ==
	             RBL_UNSUPPORTED);
	CHECK(t, !hit.is_hit && hit.fraction == 1.0f);
	CHECK(t, rbl_collider_cast_motion(NULL, pose, pose, z.all[0], pose, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_collider_cast_motion(z.all[0], pose, bad, z.all[0], pose, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_collider_cast_motion(z.all[5], pose, pose, z.all[0], pose, &hit) == RBL_UNSUPPORTED);
	// Away from the target, and beside it.
	rbl_transform far = { { 0.0f, 9.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	CHECK(t, rbl_collider_cast_collider(z.all[0], far, rbl_neg(translation), z.all[2], pose,
	                                    &hit) == RBL_OK);
	CHECK(t, !hit.is_hit);
	close_zoo(&z);
}

TEST_MAIN(TEST(rays_hit_where_a_tiny_ball_would), TEST(moving_shapes_stop_at_the_first_touch),
          TEST(turning_shapes_stop_at_the_first_touch), TEST(every_touch_on_the_way_has_a_normal),
          TEST(a_swinging_bar_meets_what_stands_in_its_arc),
          TEST(rays_do_not_slip_between_triangles), TEST(casts_that_begin_inside_hit_at_once),
          TEST(bad_casts_are_refused))
