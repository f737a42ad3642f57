// SPDX-License-Identifier: MIT
// ctest: soak
// Fast field bodies do not pass through thin walls.

#include "field_scene.h"

typedef struct shot {
	const char *name;
	field_shared what;
	rbl_quat rotation;
} shot;

// Shoot a body down at a static wall of 5 mm. @param wall  NULL: a box
// @return how far it got below the wall
static float shoot(const shot *of, const field_shared *wall, float speed, float spin, float phase)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_collider *box = scene_box(0.5f, 0.0025f, 0.5f);
	rbl_body_def def = scene_body(box, 0.0f, 0.0f, 0.0f);
	if (wall)
		def = field_body_of(wall, 0.0f, 0.0f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(f.s.world, &def);
	def = field_body_of(&of->what, 0.0f, 0.4f + phase, 0.0f);
	def.pose.rotation = of->rotation;
	def.velocity = (rbl_vec3){ 0.0f, -speed, 0.0f };
	def.angular_velocity = (rbl_vec3){ spin, 0.3f * spin, 0.5f * spin };
	rbl_body_id body = rbl_create_body(f.s.world, &def);
	float least = 0.0f;
	for (int i = 0; i < 40; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		rbl_vec3 centre = rbl_body_get_state(f.s.world, body).centre;
		if (fabsf(centre.x) < 0.45f && fabsf(centre.z) < 0.45f)
			least = rbl_minf(least, centre.y);
	}
	field_scene_close(&f);
	rbl_destroy_collider(box);
	return -least;
}

static void nothing_passes_a_wall_of_5_mm(test *t)
{
	rbl_quat upright = { 0.0f, 0.0f, 0.0f, 1.0f },
			 on_edge = { 0.70710678f, 0.0f, 0.0f, 0.70710678f };
	rbl_quat upside_down = { 1.0f, 0.0f, 0.0f, 0.0f };
	field_shared plate = field_share(t, field_plate(), 0, 0.005);
	field_shared ring = field_share(t, field_ring(0.06, 0.006), 0, 0.012);
	field_shared bowl = field_share(t, field_bowl(0.1, 0.05), 0, 0.005);
	field_shared wall = field_share(t, field_box(1.0f, 0.005f, 1.0f), 0, 0.005);
	shot shots[] = { { "plate", plate, upright },
		             { "plate on edge", plate, on_edge },
		             { "ring", ring, upright },
		             { "bowl", bowl, upside_down } };
	for (int i = 0; i < 4; ++i)
		for (int at_field = 0; at_field < 2; ++at_field)
			for (int speed = 1; speed <= 8; speed += test_count(7, 1))
				for (int k = 0; k < test_count(2, 6); ++k) {
					float below = shoot(&shots[i], at_field ? &wall : NULL, (float)speed,
					                    4.0f * (float)k, 0.017f * (float)k);
					if (below > 0.0f)
						printf("%s at %d m/s, turning %d, gets %g m below a %s\n", shots[i].name,
						       speed, 4 * k, (double)below, at_field ? "field" : "box");
					CHECK(t, below <= 0.0f);
				}
	field_unshare(&plate);
	field_unshare(&ring);
	field_unshare(&bowl);
	field_unshare(&wall);
}

// A convex bullet is stopped by a thin field body, and goes through the hole of a ring.
static void bullets_are_stopped_by_fields(test *t)
{
	for (int i = 0; i < 2; ++i) {
		field_scene f;
		field_scene_open(&f, 1);
		rbl_mesh *plate = field_plate(), *ring = field_ring(0.1, 0.005);
		rbl_mesh *target = i == 0 ? plate : ring;
		rbl_body_def def = field_body(target, 0.0f, 0.0f, 0.0f);
		def.kind = RBL_BODY_STATIC;
		rbl_create_body(f.s.world, &def);
		rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
		of.radius = 0.01f;
		rbl_collider *ball = NULL;
		CHECK(t, rbl_create_collider(&of, &ball) == RBL_OK);
		def = scene_body(ball, 0.0f, 1.0f, 0.0f);
		def.velocity = (rbl_vec3){ 0.0f, -60.0f, 0.0f };
		rbl_body_id bullet = rbl_create_body(f.s.world, &def);
		for (int k = 0; k < 10; ++k)
			rbl_world_step(f.s.world, 1.0f / 60.0f);
		float y = rbl_body_get_state(f.s.world, bullet).centre.y;
		CHECK(t, i == 0 ? y > 0.0f : y < -0.5f);
		field_scene_close(&f);
		rbl_destroy_collider(ball);
		rbl_destroy_mesh(plate);
		rbl_destroy_mesh(ring);
	}
}

TEST_MAIN(TEST(nothing_passes_a_wall_of_5_mm), TEST(bullets_are_stopped_by_fields))
