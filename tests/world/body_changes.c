// SPDX-License-Identifier: MIT
// Changing bodies: forces, targets, filters, kinds, materials, sleep, origin.

#include "../test.h"
#include "scene.h"

static const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };

static scene floating(void)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = zero;
	scene_create(&s, &def);
	return s;
}

static void pushes_change_momentum(test *t)
{
	scene s = floating();
	rbl_body_def def = scene_body(s.box, 0.0f, 0.0f, 0.0f);
	def.angular_damping = 0.0f;
	rbl_body_id body = rbl_create_body(s.world, &def);
	float mass = rbl_body_get_mass(s.world, body).mass;
	float inertia = rbl_body_get_mass(s.world, body).inertia.z.z;
	CHECK(t, rbl_body_add_impulse(s.world, body, (rbl_vec3){ mass, 0.0f, 0.0f }, zero) == RBL_OK);
	CHECK_NEAR(t, rbl_body_velocity(s.world, body).x, 1.0, 1e-5);
	// Off centre it turns as well.
	rbl_body_add_impulse(s.world, body, (rbl_vec3){ 0.0f, 1.0f, 0.0f },
	                     (rbl_vec3){ 0.25f, 0.0f, 0.0f });
	CHECK_NEAR(t, rbl_body_angular_velocity(s.world, body).z, 0.25 / (double)inertia, 1e-5);
	rbl_body_add_angular_impulse(s.world, body, (rbl_vec3){ 0.0f, 0.0f, -0.25f });
	CHECK_NEAR(t, rbl_body_angular_velocity(s.world, body).z, 0.0, 1e-5);
	// A force lasts for one step.
	rbl_body_add_force(s.world, body, (rbl_vec3){ 0.0f, 0.0f, 60.0f * mass },
	                   rbl_body_get_state(s.world, body).centre);
	rbl_body_add_torque(s.world, body, (rbl_vec3){ 60.0f * inertia, 0.0f, 0.0f });
	scene_steps(&s, 2);
	CHECK_NEAR(t, rbl_body_velocity(s.world, body).z, 1.0, 1e-3);
	CHECK_NEAR(t, rbl_body_angular_velocity(s.world, body).x, 1.0, 1e-3);
	rbl_vec3 at = rbl_body_velocity_at(
		s.world, body,
		rbl_add(rbl_body_get_state(s.world, body).centre, (rbl_vec3){ 0.0f, 1.0f, 0.0f }));
	CHECK_NEAR(t, at.z, 2.0, 2e-3);
	scene_destroy(&s);
}

static void kinematic_bodies_reach_their_targets(test *t)
{
	scene s = floating();
	rbl_body_def def = scene_body(s.box, 0.0f, 0.0f, 0.0f);
	def.kind = RBL_BODY_KINEMATIC;
	rbl_body_id lift = rbl_create_body(s.world, &def);
	rbl_body_id load = scene_add(&s, s.ball, 0.0f, 0.51f, 0.0f);
	rbl_quat turned = rbl_quat_normalize((rbl_quat){ 0.0f, 0.05f, 0.0f, 1.0f });
	rbl_transform target = { { 0.0f, 0.1f, 0.0f }, turned };
	CHECK(t, rbl_body_set_target(s.world, lift, target, 1.0f / 60.0f) == RBL_OK);
	scene_steps(&s, 1);
	rbl_transform pose = rbl_body_pose(s.world, lift);
	CHECK_NEAR(t, pose.position.y, 0.1, 1e-5);
	CHECK_NEAR(t, pose.rotation.y, turned.y, 1e-4);
	CHECK(t, rbl_body_velocity(s.world, load).y > 1.0f);
	CHECK(t, rbl_body_set_target(s.world, load, target, 1.0f / 60.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_set_target(s.world, lift, target, 0.0f) == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

static void filters_decide_what_collides(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id floor = scene_add_floor(&s);
	rbl_body_def ghost_def = scene_body(s.box, 0.0f, 0.3f, 0.0f);
	ghost_def.filter.mask = 2;
	rbl_body_id ghost = rbl_create_body(s.world, &ghost_def);
	rbl_body_id solid = scene_add(&s, s.box, 2.0f, 0.3f, 0.0f);
	scene_steps(&s, 30);
	CHECK(t, rbl_body_pose(s.world, ghost).position.y < -0.5f);
	CHECK(t, rbl_body_pose(s.world, solid).position.y > 0.2f);
	// Changed on the way: it falls through, and the other lands.
	CHECK(t, rbl_body_set_filter(s.world, solid, (rbl_filter){ 1, 0, 0 }) == RBL_OK);
	CHECK(t, rbl_body_set_pose(s.world, ghost,
	                           (rbl_transform){ { -2.0f, 1.0f, 0.0f }, { 0, 0, 0, 1 } }) == RBL_OK);
	CHECK(t, rbl_body_set_filter(s.world, ghost, (rbl_filter){ 1, 1, 0 }) == RBL_OK);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_pose(s.world, solid).position.y < -0.5f);
	CHECK_NEAR(t, rbl_body_pose(s.world, ghost).position.y, 0.25, 0.01);
	// The floor changes too.
	CHECK(t, rbl_body_set_filter(s.world, floor, (rbl_filter){ 0, 0, 0 }) == RBL_OK);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_pose(s.world, ghost).position.y < -0.5f);
	CHECK(t,
	      rbl_body_set_filter(s.world, ghost, (rbl_filter){ 1, 1, INT32_MIN }) == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

static void kinds_change(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id body = scene_add(&s, s.box, 0.0f, 2.0f, 0.0f);
	CHECK(t, rbl_body_set_kind(s.world, body, RBL_BODY_STATIC) == RBL_OK);
	scene_steps(&s, 30);
	CHECK(t, rbl_body_pose(s.world, body).position.y == 2.0f);
	CHECK(t, rbl_body_set_velocity(s.world, body, zero, zero) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_set_kind(s.world, body, RBL_BODY_KINEMATIC) == RBL_OK);
	CHECK(t, rbl_body_set_velocity(s.world, body, (rbl_vec3){ 1.0f, 0.0f, 0.0f }, zero) == RBL_OK);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_pose(s.world, body).position.x, 1.0, 1e-3);
	CHECK(t, rbl_body_set_kind(s.world, body, RBL_BODY_DYNAMIC) == RBL_OK);
	scene_steps(&s, 120);
	CHECK_NEAR(t, rbl_body_pose(s.world, body).position.y, 0.25, 0.01);
	CHECK(t, rbl_body_set_kind(s.world, body, RBL_BODY_KIND_COUNT) == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

static void disabled_bodies_are_not_there(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id lower = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	rbl_body_id upper = scene_add(&s, s.box, 0.0f, 0.75f, 0.0f);
	scene_steps(&s, 30);
	CHECK(t, rbl_body_set_enabled(s.world, lower, false) == RBL_OK);
	CHECK(t, !rbl_body_get_state(s.world, lower).is_enabled);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_pose(s.world, upper).position.y, 0.25, 0.01);
	CHECK_NEAR(t, rbl_body_pose(s.world, lower).position.y, 0.25, 0.01);
	CHECK(t, rbl_body_set_pose(s.world, lower,
	                           (rbl_transform){ { 3.0f, 1.0f, 0.0f }, { 0, 0, 0, 1 } }) == RBL_OK);
	CHECK(t, rbl_body_set_enabled(s.world, lower, true) == RBL_OK);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_pose(s.world, lower).position.y, 0.25, 0.01);
	scene_destroy(&s);
}

// Regression: kinematic bodies that were put to sleep, or made asleep, moved on and said that they slept.
static void what_sleeps_has_no_velocity(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	for (int i = 0; i < 4; ++i) {
		rbl_body_def body_def = scene_body(s.box, 3.0f * (float)i, 5.0f, 0.0f);
		body_def.kind = i % 2 ? RBL_BODY_KINEMATIC : RBL_BODY_DYNAMIC;
		body_def.velocity = body_def.angular_velocity = (rbl_vec3){ 1.0f, 0.0f, 0.0f };
		body_def.is_awake = i < 2;
		rbl_body_id body = rbl_create_body(s.world, &body_def);
		if (i < 2)
			CHECK(t, rbl_body_set_awake(s.world, body, false) == RBL_OK);
		for (int step = 0; step < 3; ++step) {
			CHECK(t,
			      !rbl_body_is_awake(s.world, body) && rbl_body_velocity(s.world, body).x == 0.0f);
			CHECK(t, rbl_body_angular_velocity(s.world, body).x == 0.0f);
			CHECK(t, rbl_body_pose(s.world, body).position.x == 3.0f * (float)i);
			scene_steps(&s, 1);
		}
	}
	scene_destroy(&s);
}

static void sleep_obeys(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id hung = scene_add(&s, s.box, 0.0f, 2.0f, 0.0f);
	CHECK(t, rbl_body_set_awake(s.world, hung, false) == RBL_OK);
	scene_steps(&s, 30);
	CHECK(t, rbl_body_pose(s.world, hung).position.y == 2.0f);
	CHECK(t, rbl_body_set_awake(s.world, hung, true) == RBL_OK);
	CHECK(t, rbl_body_set_can_sleep(s.world, hung, false) == RBL_OK);
	scene_steps(&s, 300);
	CHECK(t, rbl_body_is_awake(s.world, hung));
	CHECK(t, rbl_body_set_can_sleep(s.world, hung, true) == RBL_OK);
	scene_steps(&s, 120);
	CHECK(t, !rbl_body_is_awake(s.world, hung));
	CHECK(t, rbl_world_set_can_sleep(s.world, false) == RBL_OK);
	scene_steps(&s, 1);
	CHECK(t, rbl_body_is_awake(s.world, hung));
	scene_destroy(&s);
}

// Regression: a static body placed among sleepers stayed unnoticed, since no body was awake.
static void what_is_put_among_sleepers_wakes_them(test *t)
{
	for (int round = 0; round < 3; ++round) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_body_id sleeper = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
		rbl_body_def post_def = scene_body(s.box, round == 0 ? 5.0f : 0.3f, 0.25f, 0.0f);
		post_def.kind = RBL_BODY_STATIC;
		post_def.is_enabled = round != 1;
		post_def.filter.mask = round == 2 ? 0 : UINT32_MAX;
		rbl_body_id post = rbl_create_body(s.world, &post_def);
		scene_steps(&s, 120);
		CHECK(t, !rbl_body_is_awake(s.world, sleeper));
		if (round == 0)
			rbl_body_set_pose(s.world, post,
			                  (rbl_transform){ { 0.3f, 0.25f, 0.0f }, { 0, 0, 0, 1 } });
		else if (round == 1)
			rbl_body_set_enabled(s.world, post, true);
		else
			rbl_body_set_filter(s.world, post, (rbl_filter){ 1, UINT32_MAX, 0 });
		scene_steps(&s, 60);
		CHECK(t, rbl_body_pose(s.world, sleeper).position.x < -0.15f);
		scene_destroy(&s);
	}
}

static void friction_and_restitution_follow_the_material(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id floor = scene_add_floor(&s);
	rbl_body_def box_def = scene_body(s.box, 0.0f, 0.25f, 0.0f);
	box_def.velocity = (rbl_vec3){ 3.0f, 0.0f, 0.0f };
	rbl_body_id box = rbl_create_body(s.world, &box_def);
	rbl_body_def ball_def = scene_body(s.ball, 10.0f, 2.25f, 0.0f);
	ball_def.material.restitution = 0.8f;
	rbl_body_id ball = rbl_create_body(s.world, &ball_def);
	scene_steps(&s, 1);
	CHECK(t, rbl_body_set_material(s.world, box,
	                               (rbl_material_values){ .friction = 0.0f, .density = 1.0f }) ==
	             RBL_OK);
	float highest = 0.0f;
	for (int i = 0; i < 80; ++i) {
		scene_steps(&s, 1);
		if (rbl_body_velocity(s.world, ball).y > 0.0f)
			highest = rbl_maxf(highest, rbl_body_pose(s.world, ball).position.y);
	}
	CHECK(t, rbl_body_velocity(s.world, box).x > 2.5f); // ice
	CHECK_NEAR(t, highest, 0.25 + 2.0 * 0.64, 0.1);
	CHECK(t, rbl_body_set_material(s.world, box,
	                               (rbl_material_values){ .friction = 1.0f, .density = 1.0f }) ==
	             RBL_OK);
	CHECK(t, rbl_body_set_material(s.world, floor,
	                               (rbl_material_values){ .friction = 1.0f, .density = 1.0f }) ==
	             RBL_OK);
	scene_steps(&s, 60);
	CHECK(t, fabsf(rbl_body_velocity(s.world, box).x) < 0.1f);
	CHECK(t, rbl_body_set_material(s.world, box,
	                               (rbl_material_values){ .friction = NAN, .density = 1.0f }) ==
	             RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

static void damping_and_gravity_are_per_body(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id feather = scene_add(&s, s.ball, 0.0f, 50.0f, 0.0f);
	rbl_body_id balloon = scene_add(&s, s.ball, 3.0f, 50.0f, 0.0f);
	rbl_body_id stone = scene_add(&s, s.ball, 6.0f, 50.0f, 0.0f);
	CHECK(t, rbl_body_set_damping(s.world, feather, 5.0f, 0.0f) == RBL_OK);
	CHECK(t, rbl_body_set_gravity_scale(s.world, balloon, -0.5f) == RBL_OK);
	CHECK(t, rbl_body_set_damping(s.world, feather, -1.0f, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_set_gravity_scale(s.world, balloon, NAN) == RBL_BAD_ARGUMENT);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_velocity(s.world, feather).y > -2.1f);
	CHECK_NEAR(t, rbl_body_velocity(s.world, balloon).y, 4.905, 0.01);
	CHECK_NEAR(t, rbl_body_velocity(s.world, stone).y, -9.81, 0.01);
	CHECK(t, rbl_world_set_gravity(s.world, zero) == RBL_OK);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_velocity(s.world, stone).y, -9.81, 0.01);
	CHECK(t, rbl_world_set_gravity(s.world, (rbl_vec3){ NAN, 0.0f, 0.0f }) == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

static void what_is_set_can_be_read(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 1.0f, -2.0f, 3.0f };
	scene_create(&s, &def);
	rbl_body_id body = scene_add(&s, s.ball, 0.0f, 0.0f, 0.0f), none = { 999, 9 };
	rbl_material_values material = rbl_body_get_material(s.world, body);
	CHECK(t, material.density == rbl_default_body_def().material.density);
	material.friction = 0.25f, material.restitution = 0.75f;
	CHECK(t, rbl_body_set_material(s.world, body, material) == RBL_OK);
	CHECK(t, rbl_body_set_filter(s.world, body, (rbl_filter){ 2, 4, 6 }) == RBL_OK);
	CHECK(t, rbl_body_set_damping(s.world, body, 0.5f, 0.125f) == RBL_OK);
	CHECK(t, rbl_body_set_gravity_scale(s.world, body, 3.0f) == RBL_OK);
	CHECK(t, rbl_body_set_bullet(s.world, body, true) == RBL_OK);
	CHECK(t, rbl_body_set_can_sleep(s.world, body, false) == RBL_OK);
	material = rbl_body_get_material(s.world, body);
	CHECK(t, material.friction == 0.25f && material.restitution == 0.75f);
	rbl_filter filter = rbl_body_get_filter(s.world, body);
	CHECK(t, filter.category == 2 && filter.mask == 4 && filter.group == 6);
	CHECK(t, rbl_body_linear_damping(s.world, body) == 0.5f);
	CHECK(t, rbl_body_angular_damping(s.world, body) == 0.125f);
	CHECK(t, rbl_body_gravity_scale(s.world, body) == 3.0f);
	rbl_body_state state = rbl_body_get_state(s.world, body);
	CHECK(t, state.is_bullet && !state.can_sleep && !state.is_sensor && state.is_enabled);
	CHECK(t, rbl_body_set_bullet(s.world, body, false) == RBL_OK);
	CHECK(t, !rbl_body_get_state(s.world, body).is_bullet);
	CHECK(t, !rbl_body_get_shared_material(s.world, body));
	CHECK(t, rbl_world_gravity(s.world).z == 3.0f && rbl_world_can_sleep(s.world));
	CHECK(t, rbl_world_set_can_sleep(s.world, false) == RBL_OK && !rbl_world_can_sleep(s.world));
	CHECK(t, rbl_body_get_material(s.world, none).density == 0.0f);
	CHECK(t, rbl_body_get_filter(s.world, none).mask == 0);
	CHECK(t, rbl_body_gravity_scale(s.world, none) == 0.0f);
	CHECK(t, rbl_body_set_sensor(s.world, none, true) == RBL_STALE_ID);
	scene_destroy(&s);
}

// It lies on the floor, falls through it as a sensor, and lands on it again when it is solid.
static void a_body_becomes_a_sensor_and_solid_again(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id floor = scene_add_floor(&s), box = scene_add(&s, s.box, 0.0f, 0.3f, 0.0f);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.y, 0.25f, 0.01f);
	CHECK(t, rbl_body_set_sensor(s.world, box, true) == RBL_OK);
	scene_steps(&s, 1);
	CHECK(t, rbl_world_get_events(s.world).sensor_count == 1);
	scene_steps(&s, 59);
	CHECK(t, rbl_body_pose(s.world, box).position.y < -0.5f);
	CHECK(t, rbl_body_set_sensor(s.world, box, false) == RBL_OK);
	CHECK(t, rbl_body_set_pose(s.world, box,
	                           (rbl_transform){ { 0.0f, 1.0f, 0.0f }, { 0, 0, 0, 1 } }) == RBL_OK);
	CHECK(t, rbl_body_set_velocity(s.world, box, zero, zero) == RBL_OK);
	scene_steps(&s, 200);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.y, 0.25f, 0.01f);
	CHECK(t, !rbl_body_is_awake(s.world, box));
	// A floor that becomes a sensor lets the sleeper on it go.
	CHECK(t, rbl_body_set_sensor(s.world, floor, true) == RBL_OK);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_pose(s.world, box).position.y < -0.5f);
	scene_destroy(&s);
}

// Regression: what slept stayed on a floor that had become the ceiling.
static void another_gravity_wakes_all(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	scene_steps(&s, 120);
	CHECK(t, rbl_world_set_gravity(s.world, def.gravity) == RBL_OK); // the same: nothing wakes
	CHECK(t, !rbl_body_is_awake(s.world, box));
	CHECK(t, rbl_world_set_gravity(s.world, rbl_neg(def.gravity)) == RBL_OK);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_pose(s.world, box).position.y > 1.0f);
	scene_destroy(&s);
}

static void explosions_push_outwards(test *t)
{
	scene s = floating();
	rbl_body_id left = scene_add(&s, s.box, -2.0f, 0.0f, 0.0f);
	rbl_body_id right = scene_add(&s, s.box, 2.0f, 0.0f, 0.0f);
	rbl_body_id edge = scene_add(&s, s.box, 0.0f, 7.0f, 0.0f);
	rbl_body_id far = scene_add(&s, s.box, 0.0f, 0.0f, 20.0f);
	rbl_explosion blast = rbl_default_explosion();
	blast.falloff = 4.0f;
	CHECK(t, rbl_world_explode(s.world, &blast) == RBL_OK);
	CHECK(t, rbl_body_velocity(s.world, left).x < -0.1f);
	CHECK_NEAR(t, rbl_body_velocity(s.world, right).x, -rbl_body_velocity(s.world, left).x, 1e-5);
	float weak = rbl_body_velocity(s.world, edge).y;
	CHECK(t, weak > 0.0f && weak < rbl_body_velocity(s.world, right).x);
	CHECK(t, rbl_body_velocity(s.world, far).z == 0.0f);
	blast.radius = 0.0f;
	CHECK(t, rbl_world_explode(s.world, &blast) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_explode(s.world, NULL) == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

// A world that is shifted far out and back goes on as at home.
static void shifting_the_origin_changes_nothing(test *t)
{
	rbl_vec3 ends[2];
	for (int round = 0; round < 2; ++round) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		scene_add_pile(&s, 20, 4);
		for (int i = 0; i < 60; ++i) {
			rbl_vec3 offset = { 128.0f, 0.0f, -64.0f };
			if (round == 1 && i == 30)
				CHECK(t, rbl_world_shift_origin(s.world, offset) == RBL_OK);
			scene_steps(&s, 1);
			if (round == 1 && i == 30)
				CHECK(t, rbl_world_shift_origin(s.world, rbl_neg(offset)) == RBL_OK);
		}
		rbl_body_id bodies[21];
		rbl_world_get_bodies(s.world, bodies, 21);
		ends[round] = rbl_body_pose(s.world, bodies[10]).position;
		CHECK(t,
		      rbl_world_shift_origin(s.world, (rbl_vec3){ 1.0f, 0.0f, 0.0f }) == RBL_BAD_ARGUMENT);
		CHECK(t,
		      rbl_world_shift_origin(s.world, (rbl_vec3){ NAN, 0.0f, 0.0f }) == RBL_BAD_ARGUMENT);
		scene_destroy(&s);
	}
	CHECK(t, rbl_distance(ends[0], ends[1]) < 0.01f);
}

static char last_text[200];

static void keep_text(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_text, sizeof last_text, "%s", text);
}

static void nonsense_is_refused(test *t)
{
	scene s = floating();
	const rbl_vec3 bad = { INFINITY, 0.0f, 0.0f };
	rbl_body_id body = scene_add(&s, s.box, 0.0f, 0.0f, 0.0f);
	uint64_t hash = rbl_world_hash(s.world);
	CHECK(t, rbl_body_set_velocity(s.world, body, bad, zero) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_add_force(s.world, body, bad, zero) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_add_impulse(s.world, body, zero, bad) == RBL_BAD_ARGUMENT);
	CHECK(t,
	      rbl_body_set_pose(s.world, body, (rbl_transform){ .position = bad }) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_damage(s.world, body, zero, bad, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_damage(s.world, body, zero, (rbl_vec3){ 0.0f, 1.0f, 0.0f }, 1.0f, 1.0f) ==
	             RBL_UNSUPPORTED);
	CHECK(t, rbl_world_step(s.world, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_step(s.world, NAN) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_step(NULL, 0.1f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_hash(s.world) == hash);
	CHECK(t, rbl_body_set_user(s.world, body, 9) == RBL_OK && rbl_body_user(s.world, body) == 9);

	rbl_body_def def = scene_body(NULL, 0.0f, 0.0f, 0.0f);
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	def = scene_body(s.box, NAN, 0.0f, 0.0f);
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	def = scene_body(s.box, 0.0f, 0.0f, 0.0f);
	def.material.density = 0.0f;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	def.material.density = 1.0f, def.linear_damping = -1.0f;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	def.linear_damping = 0.0f, def.cookie = 0;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	CHECK(t, rbl_body_id_is_null(rbl_create_body(NULL, &def)));
	rbl_collider *mesh = scene_mesh_floor(4.0f, 2);
	def = scene_body(mesh, 0.0f, 0.0f, 0.0f);
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	rbl_destroy_collider(mesh);
	rbl_mass mass = { .volume = -1.0 };
	def = scene_body(s.box, 0.0f, 0.0f, 0.0f);
	def.mass = &mass;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &def)));
	CHECK(t, rbl_world_body_count(s.world) == 1);

	rbl_world_def world_def = rbl_default_world_def();
	rbl_world *world;
	world_def.substep_count = 0;
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_BAD_ARGUMENT && !world);
	world_def = rbl_default_world_def(), world_def.gravity.x = NAN;
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_BAD_ARGUMENT);
	world_def = rbl_default_world_def(), world_def.hit_speed = 0.0f;
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_BAD_ARGUMENT);
	rbl_set_log(keep_text, NULL);
	world_def = rbl_default_world_def(), world_def.capacity_hint = -1;
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_text, "capacity_hint is -1"));
	world_def = rbl_default_world_def(), world_def.debris_limit = -2;
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_text, "debris_limit is -2"));
	rbl_set_log(NULL, NULL);
	world_def.cookie = 1;
	CHECK(t, rbl_create_world(&world_def, &world) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_world(&world_def, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_world(NULL);
	scene_destroy(&s);
}

// Regression: contacts and joints of a body that was made static while it moved saw it move for
// ever, by as much as in its last step.
static void what_is_made_static_stands_still(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *slab = scene_box(2.0f, 0.1f, 2.0f);
	rbl_body_def slab_def = scene_body(slab, 0.0f, 5.0f, 0.0f);
	slab_def.velocity.y = -12.0f;
	rbl_body_id body = rbl_create_body(s.world, &slab_def);
	scene_steps(&s, 5);
	CHECK(t, rbl_body_set_kind(s.world, body, RBL_BODY_STATIC) == RBL_OK);
	float top = rbl_body_pose(s.world, body).position.y + 0.1f;
	rbl_body_id box = scene_add(&s, s.box, 0.0f, top + 0.26f, 0.0f);
	rbl_body_id bob = scene_add(&s, s.ball, 3.0f, top - 0.1f, 0.0f);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
	joint.body_a = body, joint.body_b = bob;
	rbl_transform frame = rbl_transform_identity();
	frame.position = (rbl_vec3){ 2.5f, top - 0.1f, 0.0f };
	CHECK(t, rbl_joint_def_place(s.world, &joint, frame) == RBL_OK);
	CHECK(t, rbl_create_joint(s.world, &joint).generation != 0);
	scene_steps(&s, 60);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.y, top + 0.25f, 0.005f);
	CHECK_NEAR(t, rbl_body_pose(s.world, bob).position.y, top - 0.1f, 0.02f);
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_destroy_collider(slab);
	scene_destroy(&s);
}

TEST_MAIN(TEST(what_is_made_static_stands_still), TEST(what_is_set_can_be_read),
          TEST(a_body_becomes_a_sensor_and_solid_again), TEST(pushes_change_momentum),
          TEST(kinematic_bodies_reach_their_targets), TEST(filters_decide_what_collides),
          TEST(kinds_change), TEST(disabled_bodies_are_not_there), TEST(sleep_obeys),
          TEST(what_sleeps_has_no_velocity), TEST(what_is_put_among_sleepers_wakes_them),
          TEST(friction_and_restitution_follow_the_material),
          TEST(damping_and_gravity_are_per_body), TEST(another_gravity_wakes_all),
          TEST(explosions_push_outwards), TEST(shifting_the_origin_changes_nothing),
          TEST(nonsense_is_refused))
