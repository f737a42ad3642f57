// SPDX-License-Identifier: MIT
// Scaled colliders: as if they had been made at that size.

#include "reference.h"

#include <rubble/shapes.h>

#include "collide/collider.h"
#include "world/mass.h"

#include "faulty_allocator.h"
#include "test.h"

static rbl_collider *make(test *t, const rbl_collider_def *def)
{
	rbl_collider *c = NULL;
	CHECK(t, rbl_create_collider(def, &c) == RBL_OK);
	return c;
}

static rbl_collider *scale(test *t, const rbl_collider *c, float x, float y, float z)
{
	rbl_collider *made = NULL;
	CHECK(t, rbl_create_scaled_collider(c, (rbl_vec3){ x, y, z }, NULL, &made) == RBL_OK);
	return made;
}

// Both answer a hundred questions alike: distances from a ball, rays.
static void check_same(test *t, const rbl_collider *a, const rbl_collider *b)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = 0.1f;
	rbl_collider *ball = make(t, &def);
	rbl_random random = rbl_random_from_seed(5);
	rbl_transform here = rbl_transform_identity();
	for (int i = 0; i < 100; ++i) {
		rbl_transform pose = random_pose(&random, 3.0f);
		rbl_separation x, y;
		CHECK(t, rbl_collider_distance(a, here, ball, pose, FLT_MAX, &x) == RBL_OK);
		CHECK(t, rbl_collider_distance(b, here, ball, pose, FLT_MAX, &y) == RBL_OK);
		CHECK_NEAR(t, x.distance, y.distance, 2e-5);
		rbl_cast_hit first, second;
		rbl_vec3 way = rbl_scale(-2.0f, pose.position);
		CHECK(t, rbl_collider_cast_ray(a, here, pose.position, way, &first) == RBL_OK);
		CHECK(t, rbl_collider_cast_ray(b, here, pose.position, way, &second) == RBL_OK);
		CHECK(t, first.is_hit == second.is_hit);
		CHECK_NEAR(t, first.fraction, second.fraction, 2e-5);
	}
	rbl_box p = rbl_collider_bounds(a, here), q = rbl_collider_bounds(b, here);
	CHECK_NEAR(t, rbl_distance(p.lower, q.lower), 0.0, 1e-5);
	CHECK_NEAR(t, rbl_distance(p.upper, q.upper), 0.0, 1e-5);
	rbl_mass m, n;
	bool has_mass = rbl_collider_mass(NULL, a, 1.0f, &m);
	CHECK(t, has_mass == rbl_collider_mass(NULL, b, 1.0f, &n));
	if (has_mass) {
		CHECK_NEAR(t, m.volume, n.volume, 1e-5 * n.volume);
		CHECK_NEAR(t, rbl_distance_d(m.centre, n.centre), 0.0, 1e-5);
		CHECK_NEAR(t, m.inertia.x.x, n.inertia.x.x, 1e-5 * n.inertia.x.x);
		CHECK_NEAR(t, m.inertia.y.y, n.inertia.y.y, 1e-5 * n.inertia.y.y);
		CHECK_NEAR(t, m.inertia.x.y, n.inertia.x.y, 1e-5 * n.inertia.x.x);
	}
	rbl_destroy_collider(ball);
}

static void check_and_destroy(test *t, rbl_collider *original, rbl_collider *scaled,
                              rbl_collider *wanted)
{
	rbl_destroy_collider(original); // nothing of it is needed any more
	check_same(t, scaled, wanted);
	rbl_destroy_collider(scaled);
	rbl_destroy_collider(wanted);
}

static void scaled_shapes_are_as_if_made_so(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.a = (rbl_vec3){ 0.1f, 0.2f, -0.1f };
	rbl_collider *c = make(t, &def);
	def.a = (rbl_vec3){ 0.2f, 0.1f, -0.3f }, def.half_size = (rbl_vec3){ 1.0f, 0.25f, 1.5f };
	check_and_destroy(t, c, scale(t, c, 2.0f, 0.5f, 3.0f), make(t, &def));

	def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	c = make(t, &def);
	def.radius = 1.0f, def.b.y = 0.5f;
	check_and_destroy(t, c, scale(t, c, 2.0f, 0.5f, 2.0f), make(t, &def));

	def = rbl_default_collider_def(RBL_COLLIDER_CONE);
	def.b = (rbl_vec3){ 0.3f, 0.4f, 0.5f };
	c = make(t, &def);
	def.radius = 1.5f, def.b = (rbl_vec3){ 0.9f, 1.2f, 1.5f };
	check_and_destroy(t, c, scale(t, c, 3.0f, 3.0f, 3.0f), make(t, &def));

	def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	c = make(t, &def);
	def.radius = 0.25f, def.b.y = 0.5f;
	check_and_destroy(t, c, scale(t, c, 0.5f, 0.5f, 0.5f), make(t, &def));

	def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	def.a.y = 0.5f, def.b = (rbl_vec3){ 1.0f, 1.0f, 0.0f };
	c = make(t, &def);
	def.a.y = 1.0f, def.b = (rbl_vec3){ 2.0f, 1.0f, 0.0f };
	check_and_destroy(t, c, scale(t, c, 1.0f, 2.0f, 1.0f), make(t, &def));
}

// A convex, round or not, and its mesh, against the convex of the scaled points.
static void scaled_convexes_are_as_if_made_so(test *t)
{
	for (int round = 0; round < 20; ++round) {
		rbl_random random = rbl_random_from_seed(100 + (uint64_t)round), same = random;
		rbl_convex *small = random_convex(&random, 14, (rbl_vec3d){ 0.5, 0.4, 0.6 });
		rbl_convex *large = random_convex(&same, 14, (rbl_vec3d){ 1.0, 0.2, 0.9 });
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = small;
		rbl_collider *c = make(t, &def);
		def.convex = large;
		check_and_destroy(t, c, scale(t, c, 2.0f, 0.5f, 1.5f), make(t, &def));
		rbl_mesh *meshes[2] = { NULL, NULL };
		CHECK(t, rbl_convex_create_mesh(small, NULL, &meshes[0]) == RBL_OK);
		CHECK(t, rbl_convex_create_mesh(large, NULL, &meshes[1]) == RBL_OK);
		def = rbl_default_collider_def(RBL_COLLIDER_MESH);
		def.mesh = meshes[0];
		c = make(t, &def);
		def.mesh = meshes[1];
		check_and_destroy(t, c, scale(t, c, 2.0f, 0.5f, 1.5f), make(t, &def));
		rbl_destroy_mesh(meshes[0]);
		rbl_destroy_mesh(meshes[1]);
		rbl_destroy_convex(small);
		rbl_destroy_convex(large);
	}
}

static void scaled_compounds_are_as_if_made_so(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	rbl_collider *box = make(t, &def);
	rbl_collider_child children[2] = { { .collider = box, .pose = rbl_transform_identity() },
		                               { .collider = box, .pose = rbl_transform_identity() } };
	children[1].pose.position = (rbl_vec3){ 1.0f, 0.5f, 0.0f };
	children[1].pose.rotation = (rbl_quat){ 0.0f, 0.0f, 0.70710678f, 0.70710678f }; // x to y
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 2;
	rbl_collider *c = make(t, &def), *scaled = scale(t, c, 2.0f, 0.5f, 1.0f);
	rbl_collider_def wanted_box = rbl_default_collider_def(RBL_COLLIDER_BOX);
	wanted_box.half_size = (rbl_vec3){ 1.0f, 0.25f, 0.5f };
	rbl_collider *flat = make(t, &wanted_box);
	rbl_collider_child wanted[2] = { { .collider = flat, .pose = rbl_transform_identity() },
		                             { .collider = flat, .pose = rbl_transform_identity() } };
	wanted[1].pose.position = (rbl_vec3){ 2.0f, 0.25f, 0.0f };
	def.children = wanted;
	check_and_destroy(t, c, scaled, make(t, &def));
	// Turned by any other angle, evenly only.
	children[1].pose.rotation = rbl_quat_normalize((rbl_quat){ 0.1f, 0.2f, 0.3f, 1.0f });
	def.children = children;
	c = make(t, &def);
	rbl_collider *made = NULL;
	CHECK(t, rbl_create_scaled_collider(c, (rbl_vec3){ 2.0f, 1.0f, 1.0f }, NULL, &made) ==
	             RBL_UNSUPPORTED);
	CHECK(t, !made);
	rbl_destroy_collider(scale(t, c, 2.0f, 2.0f, 2.0f));
	rbl_destroy_collider(c);
	rbl_destroy_collider(box);
	rbl_destroy_collider(flat);
}

static void bad_scales_are_refused(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_collider *ball = make(t, &def), *made = NULL;
	const rbl_vec3 bad[] = { { 0.0f, 1.0f, 1.0f }, { 1.0f, -1.0f, 1.0f }, { 1.0f, 1.0f, NAN } };
	for (int i = 0; i < 3; ++i)
		CHECK(t,
		      rbl_create_scaled_collider(ball, bad[i], NULL, &made) == RBL_BAD_ARGUMENT && !made);
	CHECK(t, rbl_create_scaled_collider(NULL, (rbl_vec3){ 1.0f, 1.0f, 1.0f }, NULL, &made) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_scaled_collider(ball, (rbl_vec3){ 1.0f, 2.0f, 1.0f }, NULL, &made) ==
	             RBL_UNSUPPORTED);
	CHECK(t, rbl_create_scaled_collider(ball, (rbl_vec3){ 1e6f, 1e6f, 1e6f }, NULL, &made) ==
	             RBL_BAD_ARGUMENT);
	CHECK(t, !made);
	rbl_destroy_collider(ball);
}

static void memory_may_run_out(test *t)
{
	rbl_random random = rbl_random_from_seed(9);
	rbl_convex *convex = random_convex(&random, 14, (rbl_vec3d){ 0.5, 0.4, 0.6 });
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	def.convex = convex;
	rbl_collider *part = make(t, &def);
	rbl_collider_child children[3] = { { .collider = part, .pose = rbl_transform_identity() },
		                               { .collider = part, .pose = rbl_transform_identity() },
		                               { .collider = part, .pose = rbl_transform_identity() } };
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 3;
	rbl_collider *compound = make(t, &def);
	int failures = 0;
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_collider *made = NULL;
		rbl_result result =
			rbl_create_scaled_collider(compound, (rbl_vec3){ 2.0f, 0.5f, 1.0f }, &allocator, &made);
		rbl_destroy_collider(made);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY && !made);
		failures++;
	}
	CHECK(t, failures > 5);
	rbl_destroy_collider(compound);
	rbl_destroy_collider(part);
	rbl_destroy_convex(convex);
}

static void scaled_ground_keeps_its_materials(test *t)
{
	rbl_material_def ice_def = rbl_default_material_def();
	ice_def.values.friction = 0.05f;
	rbl_material *ice = NULL;
	CHECK(t, rbl_create_material(&ice_def, &ice) == RBL_OK);
	const rbl_material *materials[2] = { NULL, ice };
	const float heights[6] = { 0.0f, 1.0f, 0.0f, 0.5f, 0.0f, 0.25f };
	const uint8_t cells[2] = { 0, 1 };
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.heights = heights, def.column_count = 3, def.row_count = 2, def.cell_size = 1.0f;
	def.materials = materials, def.material_count = 2, def.cell_materials = cells;
	rbl_collider *ground = make(t, &def), *wide = scale(t, ground, 2.0f, 1.0f, 2.0f);
	CHECK(t, rbl_collider_child_count(wide) == 4);
	for (int i = 0; i < rbl_collider_child_count(wide); ++i)
		CHECK(t, rbl_collider_get_child(wide, i).material == (i < 2 ? NULL : ice));

	rbl_box_def box_def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	def.mesh = mesh, def.materials = materials + 1, def.material_count = 1;
	rbl_collider *box = make(t, &def), *tall = scale(t, box, 1.0f, 3.0f, 1.0f);
	CHECK(t, rbl_collider_child_count(tall) == 12);
	for (int i = 0; i < rbl_collider_child_count(tall); ++i)
		CHECK(t, rbl_collider_get_child(tall, i).material == ice);
	rbl_destroy_material(ice); // the colliders keep it
	rbl_destroy_collider(ground), rbl_destroy_collider(wide);
	rbl_destroy_collider(box), rbl_destroy_collider(tall);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(scaled_shapes_are_as_if_made_so), TEST(scaled_convexes_are_as_if_made_so),
          TEST(scaled_compounds_are_as_if_made_so), TEST(bad_scales_are_refused),
          TEST(memory_may_run_out), TEST(scaled_ground_keeps_its_materials))
