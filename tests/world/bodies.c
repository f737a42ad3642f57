// SPDX-License-Identifier: MIT
// Bodies: making, moving, changing and ending them.

#include "../test.h"
#include "scene.h"

// A body in free flight moves as Galileo says, and turns evenly.
static void free_flight_is_a_parabola(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def body_def = scene_body(s.ball, 0.0f, 100.0f, 0.0f);
	body_def.velocity = (rbl_vec3){ 3.0f, 4.0f, 0.0f };
	body_def.angular_velocity = (rbl_vec3){ 0.0f, 2.0f, 0.0f };
	body_def.angular_damping = 0.0f;
	rbl_body_id body = rbl_create_body(s.world, &body_def);
	CHECK(t, rbl_body_exists(s.world, body));
	scene_steps(&s, 60);
	rbl_body_state state = rbl_body_get_state(s.world, body);
	CHECK_NEAR(t, state.pose.position.x, 3.0, 1e-3);
	CHECK_NEAR(t, state.pose.position.y, 104.0 - 4.905, 0.05);
	CHECK_NEAR(t, state.velocity.x, 3.0, 1e-4);
	CHECK_NEAR(t, state.velocity.y, 4.0 - 9.81, 1e-3);
	CHECK_NEAR(t, state.angular_velocity.y, 2.0, 1e-4);
	scene_destroy(&s);
}

static void what_falls_comes_to_rest_on_the_floor(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 2.0f, 0.0f);
	rbl_body_id ball = scene_add(&s, s.ball, 2.0f, 2.0f, 0.0f);
	rbl_body_id capsule = scene_add(&s, s.capsule, 4.0f, 2.0f, 0.0f);
	rbl_body_id hull = scene_add(&s, s.hulls[0], 6.0f, 2.0f, 0.0f);
	scene_steps(&s, 240);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.y, 0.25, 0.005);
	CHECK_NEAR(t, rbl_body_pose(s.world, ball).position.y, 0.25, 0.005);
	CHECK_NEAR(t, rbl_body_pose(s.world, capsule).position.y, 0.2, 0.005);
	CHECK_NEAR(t, rbl_body_bounds(s.world, hull).lower.y, 0.0, 0.005);
	CHECK(t, rbl_length(rbl_body_velocity(s.world, hull)) < 0.01f);
	CHECK(t, !rbl_body_is_awake(s.world, box));
	scene_destroy(&s);
}

// Shallow bowls side by side: whatever falls into them comes to rest, and nothing goes under.
static void a_height_field_carries_what_falls(test *t)
{
	enum { SIDE = 33, BODIES = 60 };
	float heights[SIDE * SIDE];
	for (int i = 0; i < SIDE * SIDE; ++i) {
		int x = i % SIDE % 16 - 8, z = i / SIDE % 16 - 8;
		heights[i] = 0.01f * (float)(x * x + z * z);
	}
	rbl_collider_def field_def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	field_def.heights = heights;
	field_def.column_count = field_def.row_count = SIDE;
	field_def.cell_size = 0.5f;
	rbl_collider *field = NULL;
	CHECK(t, rbl_create_collider(&field_def, &field) == RBL_OK);
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def ground = scene_body(field, -8.0f, 0.0f, -8.0f);
	ground.kind = RBL_BODY_STATIC;
	CHECK(t, rbl_body_exists(s.world, rbl_create_body(s.world, &ground)));
	rbl_body_id bodies[BODIES];
	for (int i = 0; i < BODIES; ++i) {
		const rbl_collider *shapes[4] = { s.box, s.ball, s.capsule, s.hulls[i % SCENE_SHAPES] };
		bodies[i] = scene_add(&s, shapes[i % 4], -6.0f + 2.1f * (float)(i % 6),
		                      2.0f + 0.7f * (float)(i / 36), -5.5f + 2.2f * (float)(i / 6 % 6));
	}
	scene_steps(&s, 420);
	int slow = 0;
	for (int i = 0; i < BODIES; ++i) {
		rbl_vec3 p = rbl_body_get_state(s.world, bodies[i]).centre;
		rbl_vec3 from = { p.x, 9.0f, p.z }, translation = { 0.0f, -18.0f, 0.0f };
		rbl_cast_hit hit;
		rbl_transform pose = { { -8.0f, 0.0f, -8.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		CHECK(t,
		      rbl_collider_cast_ray(field, pose, from, translation, &hit) == RBL_OK && hit.is_hit);
		CHECK(t, p.y > hit.point.y + 0.1f);
		bool is_round = i % 4 == 1 || i % 4 == 2; // these roll on for long
		slow += is_round || rbl_length(rbl_body_velocity(s.world, bodies[i])) < 0.05f;
	}
	CHECK(t, slow >= BODIES - 3); // or are pushed by one that does
	scene_destroy(&s);
	rbl_destroy_collider(field);
}

static void stale_ids_are_refused(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id body = scene_add(&s, s.box, 0.0f, 2.0f, 0.0f);
	CHECK(t, rbl_destroy_body(s.world, body) == RBL_OK);
	CHECK(t, !rbl_body_exists(s.world, body));
	CHECK(t, rbl_destroy_body(s.world, body) == RBL_STALE_ID);
	rbl_body_id next = scene_add(&s, s.box, 0.0f, 2.0f, 0.0f);
	CHECK(t, next.index == body.index && next.generation != body.generation);
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	CHECK(t, rbl_body_set_velocity(s.world, body, zero, zero) == RBL_STALE_ID);
	CHECK(t, rbl_body_set_pose(s.world, body, rbl_transform_identity()) == RBL_STALE_ID);
	CHECK(t, rbl_body_get_mass(s.world, body).mass == 0.0f);
	CHECK(t, rbl_body_get_mass(s.world, next).mass > 0.0f);
	CHECK(t, !rbl_body_exists(s.world, (rbl_body_id){ 0, 0 }));
	CHECK(t, rbl_body_id_is_null((rbl_body_id){ 0, 0 }));
	scene_destroy(&s);
}

static void masses_follow_from_shapes(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_mass box = rbl_body_get_mass(s.world, scene_add(&s, s.box, 0.0f, 0.0f, 0.0f));
	CHECK_NEAR(t, box.mass, 125.0, 1e-3);
	CHECK_NEAR(t, box.inertia.x.x, 125.0 / 6.0 * 0.25, 1e-3);
	rbl_body_mass ball = rbl_body_get_mass(s.world, scene_add(&s, s.ball, 0.0f, 0.0f, 0.0f));
	CHECK_NEAR(t, ball.mass, 65.449847, 1e-3);
	CHECK_NEAR(t, ball.inertia.z.z, 0.4 * 65.449847 * 0.0625, 1e-3);
	rbl_body_mass capsule = rbl_body_get_mass(s.world, scene_add(&s, s.capsule, 0.0f, 0.0f, 0.0f));
	CHECK_NEAR(t, capsule.mass, 1000.0 * (0.0628318 + 0.0335103), 1e-2);
	CHECK(t, capsule.inertia.x.x < capsule.inertia.y.y);
	CHECK_NEAR(t, capsule.inertia.y.y, capsule.inertia.z.z, 1e-4);

	// A compound of two boxes is twice as heavy, and as hard to turn as Steiner says.
	const rbl_collider_child children[2] = {
		{ .collider = s.box, .pose = { { 1.0f, 0.0f, 0.0f }, { 0, 0, 0, 1 } } },
		{ .collider = s.box, .pose = { { 3.0f, 0.0f, 0.0f }, { 0, 0, 0, 1 } } }
	};
	rbl_collider_def pair_def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	pair_def.children = children;
	pair_def.child_count = 2;
	rbl_collider *pair;
	CHECK(t, rbl_create_collider(&pair_def, &pair) == RBL_OK);
	rbl_body_id body = scene_add(&s, pair, 0.0f, 5.0f, 0.0f);
	rbl_body_mass two = rbl_body_get_mass(s.world, body);
	CHECK_NEAR(t, two.mass, 250.0, 1e-3);
	CHECK_NEAR(t, two.centre.x, 2.0, 1e-6);
	CHECK_NEAR(t, two.inertia.x.x, 2.0f * box.inertia.x.x, 1e-3);
	CHECK_NEAR(t, two.inertia.y.y, 2.0f * (box.inertia.y.y + 125.0f), 1e-2);
	CHECK_NEAR(t, rbl_body_pose(s.world, body).position.y, 5.0, 1e-6);
	CHECK_NEAR(t, rbl_body_get_state(s.world, body).centre.x, 2.0, 1e-6);
	rbl_destroy_body(s.world, body);
	rbl_destroy_collider(pair);
	scene_destroy(&s);
}

TEST_MAIN(TEST(free_flight_is_a_parabola), TEST(what_falls_comes_to_rest_on_the_floor),
          TEST(a_height_field_carries_what_falls), TEST(stale_ids_are_refused),
          TEST(masses_follow_from_shapes))
