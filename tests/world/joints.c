// SPDX-License-Identifier: MIT
// Joints hold, turn, and break.

#include "../test.h"
#include "scene.h"

static rbl_transform at(float x, float y, float z)
{
	return (rbl_transform){ { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

typedef struct pendulum {
	scene s;
	rbl_body_id anchor, bob;
	rbl_joint_def def;
} pendulum;

static void make(pendulum *p, rbl_joint_kind kind)
{
	rbl_world_def def = scene_def(&p->s, 1);
	scene_create(&p->s, &def);
	rbl_body_def anchor = scene_body(p->s.box, 0.0f, 5.0f, 0.0f);
	anchor.kind = RBL_BODY_STATIC;
	p->anchor = rbl_create_body(p->s.world, &anchor);
	p->bob = scene_add(&p->s, p->s.box, 1.0f, 5.0f, 0.0f);
	p->def = rbl_default_joint_def(kind);
	p->def.body_a = p->anchor, p->def.body_b = p->bob;
	rbl_joint_def_place(p->s.world, &p->def, at(0.0f, 5.0f, 0.0f));
}

static void a_weld_holds(test *t)
{
	pendulum p;
	make(&p, RBL_JOINT_WELD);
	rbl_joint_id joint = rbl_create_joint(p.s.world, &p.def);
	CHECK(t, rbl_joint_exists(p.s.world, joint));
	scene_steps(&p.s, 120);
	CHECK_NEAR(t, rbl_body_pose(p.s.world, p.bob).position.x, 1.0, 0.01);
	CHECK_NEAR(t, rbl_body_pose(p.s.world, p.bob).position.y, 5.0, 0.03);
	rbl_joint_state state = rbl_joint_get_state(p.s.world, joint);
	float weight = 9.81f * rbl_body_get_mass(p.s.world, p.bob).mass;
	CHECK_NEAR(t, state.force, weight, 0.1f * weight);
	CHECK(t, state.body_b.index == p.bob.index && state.kind == RBL_JOINT_WELD);
	CHECK(t, rbl_destroy_joint(p.s.world, joint) == RBL_OK);
	CHECK(t, rbl_destroy_joint(p.s.world, joint) == RBL_STALE_ID);
	CHECK(t, rbl_joint_get_state(p.s.world, joint).force == 0.0f);
	scene_steps(&p.s, 60);
	CHECK(t, rbl_body_pose(p.s.world, p.bob).position.y < 3.0f);
	scene_destroy(&p.s);
}

static void a_hinge_swings_in_its_plane(test *t)
{
	pendulum p;
	make(&p, RBL_JOINT_HINGE);
	rbl_joint_id joint = rbl_create_joint(p.s.world, &p.def);
	float lowest = 5.0f;
	for (int i = 0; i < 120; ++i) {
		scene_steps(&p.s, 1);
		rbl_vec3 c = rbl_body_pose(p.s.world, p.bob).position;
		lowest = rbl_minf(lowest, c.y);
		CHECK_NEAR(t, rbl_distance(c, (rbl_vec3){ 0.0f, 5.0f, 0.0f }), 1.0, 0.03);
		CHECK_NEAR(t, c.z, 0.0, 0.01);
	}
	CHECK_NEAR(t, lowest, 4.0, 0.05);
	CHECK(t, rbl_joint_set_motor(p.s.world, joint, 1.0f, 1e6f) == RBL_OK);
	scene_steps(&p.s, 60);
	CHECK_NEAR(t, rbl_body_angular_velocity(p.s.world, p.bob).z, 1.0, 0.1);
	CHECK(t, rbl_joint_set_motor(p.s.world, joint, NAN, 1.0f) == RBL_BAD_ARGUMENT);
	scene_destroy(&p.s);
}

static void limits_stop_a_hinge(test *t)
{
	pendulum p;
	make(&p, RBL_JOINT_HINGE);
	p.def.has_limits = true;
	p.def.lower_angle = -0.5f, p.def.upper_angle = 0.5f;
	rbl_joint_id joint = rbl_create_joint(p.s.world, &p.def);
	scene_steps(&p.s, 240);
	CHECK_NEAR(t, fabsf(rbl_joint_get_state(p.s.world, joint).angle), 0.5, 0.05);
	CHECK(t, rbl_body_pose(p.s.world, p.bob).position.y > 4.4f);
	scene_destroy(&p.s);
}

// Regression: where the angle jumped from pi to -pi the other limit pushed the hinge on and round.
static void limits_hold_at_half_a_turn(test *t)
{
	const float limits[3][2] = { { -3.1f, 3.1f }, { -3.14159f, 3.14159f }, { -0.5f, 3.14159f } };
	for (int i = 0; i < 3; ++i) {
		pendulum p;
		make(&p, RBL_JOINT_HINGE);
		p.def.has_limits = true;
		p.def.lower_angle = limits[i][0], p.def.upper_angle = limits[i][1];
		p.def.has_motor = true;
		p.def.motor_speed = 4.0f, p.def.motor_torque = 1e4f;
		rbl_joint_id joint = rbl_create_joint(p.s.world, &p.def);
		scene_steps(&p.s, 60);
		for (int k = 0; k < 120; ++k) {
			scene_steps(&p.s, 1);
			CHECK_NEAR(t, rbl_joint_get_state(p.s.world, joint).angle, limits[i][1], 0.1);
		}
		if (i < 2) {
			scene_destroy(&p.s);
			continue;
		}
		// It rests meanwhile, and is put back on the side that is nearer to its limits.
		CHECK(t, rbl_body_set_enabled(p.s.world, p.anchor, false) == RBL_OK);
		CHECK(t, rbl_body_set_enabled(p.s.world, p.anchor, true) == RBL_OK);
		scene_steps(&p.s, 1);
		CHECK_NEAR(t, rbl_joint_get_state(p.s.world, joint).angle, limits[i][1], 0.1);
		scene_destroy(&p.s);
	}
}

static void a_ball_joint_breaks_by_force(test *t)
{
	pendulum p;
	make(&p, RBL_JOINT_BALL);
	float weight = 9.81f * rbl_body_get_mass(p.s.world, p.bob).mass;
	p.def.break_force = 1.5f * weight; // it swings down with three times its weight
	p.def.user = 42;
	rbl_joint_id joint = rbl_create_joint(p.s.world, &p.def);
	int broken = 0;
	for (int i = 0; i < 120; ++i) {
		scene_steps(&p.s, 1);
		rbl_events e = rbl_world_get_events(p.s.world);
		for (int k = 0; k < e.joint_count; ++k) {
			CHECK(t, e.joints[k].joint.index == joint.index && e.joints[k].user == 42);
			CHECK(t, e.joints[k].force > p.def.break_force);
			CHECK(t, !rbl_joint_exists(p.s.world, joint));
			broken++;
		}
	}
	CHECK(t, broken == 1);
	CHECK(t, rbl_world_get_stats(p.s.world).joint_count == 0);
	scene_destroy(&p.s);
}

// Bodies of a joint do not touch each other unless asked to; they do when it is gone.
static void joined_bodies_pass_each_other(test *t)
{
	for (int collides = 0; collides < 2; ++collides) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		scene_create(&s, &def);
		rbl_joint_def joint_def = rbl_default_joint_def(RBL_JOINT_BALL);
		joint_def.body_a = scene_add(&s, s.box, 0.0f, 0.0f, 0.0f);
		joint_def.body_b = scene_add(&s, s.box, 0.45f, 0.0f, 0.0f);
		joint_def.collides = collides;
		rbl_joint_def_place(s.world, &joint_def, at(0.225f, 0.0f, 0.0f));
		rbl_joint_id joint = rbl_create_joint(s.world, &joint_def);
		scene_steps(&s, 10);
		CHECK(t, (rbl_body_get_contacts(s.world, joint_def.body_a, NULL, 0) > 0) == collides);
		CHECK(t, rbl_destroy_joint(s.world, joint) == RBL_OK);
		scene_steps(&s, 2);
		CHECK(t, rbl_body_get_contacts(s.world, joint_def.body_a, NULL, 0) > 0);
		scene_destroy(&s);
	}
}

// Regression: continuous collision put a thin limb that hits a floor back, and the other one went on:
// their joint was open by 43 mm.
static void limbs_that_hit_something_stay_joined(test *t)
{
	int rounds = getenv("RBL_SOAK") ? 2000 : 400;
	rbl_random random = rbl_random_from_seed(12);
	rbl_collider_def limb_def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	limb_def.a.x = -0.12f, limb_def.b = (rbl_vec3){ 0.12f, 0.0f, 0.0f }, limb_def.radius = 0.05f;
	rbl_collider *limb = NULL;
	CHECK(t, rbl_create_collider(&limb_def, &limb) == RBL_OK);
	float worst = 0.0f;
	for (int n = 0; n < rounds; ++n) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_vec3d axis = rbl_random_in_ball(&random), spin = rbl_random_in_ball(&random);
		rbl_quat turn = rbl_quat_from_axis_angle(rbl_normalize(rbl_to_f(axis)), 2.0f);
		rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
		for (int i = 0; i < 2; ++i) {
			rbl_vec3 arm = rbl_rotate(turn, (rbl_vec3){ i ? 0.17f : -0.17f, 0.0f, 0.0f });
			rbl_body_def body = rbl_default_body_def();
			body.collider = limb;
			body.pose = (rbl_transform){ { arm.x, arm.y + 1.0f, arm.z }, turn };
			body.angular_velocity = rbl_scale(8.0f, rbl_to_f(spin));
			body.velocity = rbl_cross(body.angular_velocity, arm);
			body.velocity.y -= 3.0f;
			*(i ? &joint.body_b : &joint.body_a) = rbl_create_body(s.world, &body);
		}
		joint.frame_a.position.x = 0.17f, joint.frame_b.position.x = -0.17f;
		rbl_joint_id id = rbl_create_joint(s.world, &joint);
		for (int i = 0; i < 60; ++i) {
			scene_steps(&s, 1);
			rbl_joint_state state = rbl_joint_get_state(s.world, id);
			worst = rbl_maxf(worst, rbl_distance(state.frame_a.position, state.frame_b.position));
		}
		scene_destroy(&s);
	}
	printf("joints of limbs that hit a floor open by %.1f mm at most\n", 1000.0 * (double)worst);
	CHECK(t, worst < 0.015f);
	rbl_destroy_collider(limb);
}

static void joints_rest_with_their_bodies_and_go_with_them(test *t)
{
	pendulum p;
	make(&p, RBL_JOINT_BALL);
	rbl_joint_id joint = rbl_create_joint(p.s.world, &p.def);
	CHECK(t, rbl_body_set_enabled(p.s.world, p.anchor, false) == RBL_OK);
	scene_steps(&p.s, 10);
	CHECK(t, rbl_joint_exists(p.s.world, joint));
	CHECK(t, rbl_body_set_enabled(p.s.world, p.anchor, true) == RBL_OK);
	scene_steps(&p.s, 200);
	CHECK_NEAR(
		t, rbl_distance(rbl_body_pose(p.s.world, p.bob).position, (rbl_vec3){ 0.0f, 5.0f, 0.0f }),
		1.0, 0.05);
	CHECK(t, rbl_destroy_body(p.s.world, p.anchor) == RBL_OK);
	CHECK(t, !rbl_joint_exists(p.s.world, joint));
	scene_destroy(&p.s);
}

static void bad_joints_are_refused(test *t)
{
	pendulum p;
	make(&p, RBL_JOINT_HINGE);
	rbl_joint_def def = p.def;
	def.body_b = def.body_a;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	def = p.def, def.break_force = 0.0f;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	def = p.def, def.frame_a.position.x = NAN;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	def = p.def, def.has_limits = true, def.lower_angle = 1.0f;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	def = p.def, def.has_motor = true, def.motor_torque = -1.0f;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	def = p.def, def.kind = RBL_JOINT_KIND_COUNT;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	def = p.def, def.body_a = (rbl_body_id){ 99, 1 };
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	CHECK(t, rbl_joint_def_place(p.s.world, &def, at(0, 0, 0)) == RBL_STALE_ID);
	def = p.def, def.cookie = 0;
	CHECK(t, rbl_create_joint(p.s.world, &def).generation == 0);
	CHECK(t, rbl_joint_def_place(p.s.world, &def, at(0, 0, 0)) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_motor(p.s.world, (rbl_joint_id){ 0, 0 }, 1.0f, 1.0f) == RBL_STALE_ID);
	CHECK(t, rbl_body_set_kind(p.s.world, p.bob, RBL_BODY_STATIC) == RBL_OK);
	CHECK(t, rbl_create_joint(p.s.world, &p.def).generation == 0);
	scene_destroy(&p.s);
}

TEST_MAIN(TEST(a_weld_holds), TEST(a_hinge_swings_in_its_plane), TEST(limits_stop_a_hinge),
          TEST(limits_hold_at_half_a_turn), TEST(a_ball_joint_breaks_by_force),
          TEST(joined_bodies_pass_each_other), TEST(limbs_that_hit_something_stay_joined),
          TEST(joints_rest_with_their_bodies_and_go_with_them), TEST(bad_joints_are_refused))
