// SPDX-License-Identifier: MIT
// Bodies that collide by distance fields: from any closed mesh, with each other and all else.

#include "../test.h"
#include "scene.h"

static rbl_mesh *plate_mesh(void)
{
	rbl_plate_def def = rbl_default_plate_def();
	rbl_mesh *mesh = NULL;
	rbl_create_plate_mesh(&def, &mesh);
	return mesh;
}

static rbl_mesh *box_mesh(float x, float y, float z)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ x, y, z };
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

static rbl_body_def field_def(const rbl_mesh *mesh, float x, float y, float z)
{
	rbl_body_def def = rbl_default_body_def();
	def.contact_method = RBL_CONTACTS_FIELD;
	def.mesh = mesh;
	def.pose.position = (rbl_vec3){ x, y, z };
	return def;
}

// How far the lowest point of a body is above zero.
static float lowest(const rbl_world *world, rbl_body_id body)
{
	return rbl_body_bounds(world, body).lower.y;
}

static void a_plate_comes_to_rest_on_a_field(test *t)
{
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	rbl_mesh *plate = plate_mesh(), *ground = box_mesh(2.0f, 0.2f, 2.0f);
	rbl_body_def def = field_def(ground, 0.0f, -0.1f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &def);
	def = field_def(plate, 0.0f, 0.2f, 0.0f);
	rbl_body_id body = rbl_create_body(s.world, &def);
	CHECK(t, rbl_body_exists(s.world, body));
	for (int i = 0; i < 120; ++i)
		CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, fabsf(lowest(s.world, body)) < 0.001f);
	CHECK(t, !rbl_body_is_awake(s.world, body));
	rbl_destroy_mesh(plate);
	rbl_destroy_mesh(ground);
	scene_destroy(&s);
}

TEST_MAIN(TEST(a_plate_comes_to_rest_on_a_field))

