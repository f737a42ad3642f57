// SPDX-License-Identifier: MIT
// Joints: weld, ball, hinge with limits and motor, soft joints, breaking.

#include "solver/test_world.h"

#include "base/math.h"
#include "test.h"

static const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };

// A static post at the origin, and a box beside it.
typedef struct pair {
	test_world world;
	int post, box;
	int32_t joint;
} pair;

static void begin_pair(pair *p, rbl_solver_joint *def, rbl_vec3 at)
{
	test_world_begin(&p->world, NULL);
	p->post = test_world_add_box(&p->world, (rbl_vec3){ 0.05f, 0.05f, 0.05f }, 0.0f, zero);
	p->box = test_world_add_box(&p->world, (rbl_vec3){ 0.2f, 0.1f, 0.1f }, 4.0f, at);
	def->a = p->world.objects[p->post].body, def->b = p->world.objects[p->box].body;
	def->frame_b.position = rbl_neg(at);
	def->user = 77;
	if (rbl_solver_add_joint(p->world.solver, def, &p->joint) != RBL_OK)
		abort();
}

static void a_weld_carries_weight_and_moment(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.5f, 0.0f, 0.0f });
	test_world_run(&p.world, 180);
	rbl_solver_joint_report report = rbl_solver_report_joint(p.world.solver, p.joint);
	CHECK_NEAR(t, rbl_distance(test_world_centre(&p.world, p.box), (rbl_vec3){ 0.5f, 0.0f, 0.0f }),
	           0.0f, 0.01f);
	CHECK_NEAR(t, report.force.y, 4.0f * 9.81f, 0.5f);
	CHECK_NEAR(t, report.torque.z, 4.0f * 9.81f * 0.5f, 0.5f);
	CHECK(t, !report.is_broken && report.user == 77);
	CHECK(t, rbl_length(test_world_velocity(&p.world, p.box).linear) < 0.01f);
	test_world_end(&p.world);
}

static void a_ball_joint_swings_and_keeps_its_length(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.kind = RBL_SOLVER_BALL;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
	float lowest = 0.0f, fastest = 0.0f;
	for (int i = 0; i < 240; ++i) {
		test_world_step(&p.world);
		CHECK_NEAR(t, rbl_length(test_world_centre(&p.world, p.box)), 1.0f, 0.01f);
		lowest = rbl_minf(lowest, test_world_centre(&p.world, p.box).y);
		fastest = rbl_maxf(fastest, rbl_length(test_world_velocity(&p.world, p.box).linear));
	}
	CHECK_NEAR(t, lowest, -1.0f, 0.03f);
	// All of its height, shared between translation and rotation: I = m (r^2 + (a^2 + b^2) / 3).
	CHECK_NEAR(t, fastest, sqrtf(2.0f * 9.81f / (1.0f + 0.05f / 3.0f)), 0.15f);
	test_world_end(&p.world);
}

static void a_hinge_turns_about_its_axis_alone(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.kind = RBL_SOLVER_HINGE;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.6f, 0.0f, 0.0f });
	rbl_solver_set_velocity(p.world.solver, p.world.objects[p.box].body, zero,
	                        (rbl_vec3){ 2.0f, 3.0f, 0.0f });
	for (int i = 0; i < 120; ++i) {
		test_world_step(&p.world);
		rbl_vec3 axis =
			rbl_rotate(test_world_pose(&p.world, p.box).rotation, (rbl_vec3){ 0.0f, 0.0f, 1.0f });
		CHECK(t, axis.z > 0.995f);
		CHECK_NEAR(t, rbl_length(test_world_centre(&p.world, p.box)), 0.6f, 0.02f);
	}
	CHECK(t, test_world_centre(&p.world, p.box).y < 0.05f);
	test_world_end(&p.world);
}

static void set_motor(pair *p, bool is_on, float speed, float torque)
{
	rbl_solver_joint def = rbl_solver_joint_values(p->world.solver, p->joint);
	def.has_motor = is_on, def.motor_speed = speed, def.motor_torque = torque;
	if (rbl_solver_set_joint(p->world.solver, p->joint, &def) != RBL_OK)
		abort();
}

static void limits_stop_and_motors_drive(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.kind = RBL_SOLVER_HINGE;
	def.has_limits = true;
	def.lower = -0.5f, def.upper = 0.5f;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.6f, 0.0f, 0.0f });
	test_world_run(&p.world, 120);
	CHECK_NEAR(t, rbl_solver_report_joint(p.world.solver, p.joint).coordinate, -0.5f, 0.03f);
	set_motor(&p, true, 1.0f, 200.0f);
	test_world_run(&p.world, 30);
	CHECK_NEAR(t, test_world_velocity(&p.world, p.box).angular.z, 1.0f, 0.02f);
	test_world_run(&p.world, 90);
	CHECK_NEAR(t, rbl_solver_report_joint(p.world.solver, p.joint).coordinate, 0.5f, 0.03f);
	set_motor(&p, true, 1.0f, 0.5f); // too weak for the weight
	test_world_run(&p.world, 120);
	CHECK_NEAR(t, rbl_solver_report_joint(p.world.solver, p.joint).coordinate, -0.5f, 0.03f);
	set_motor(&p, false, 0.0f, 0.0f);
	test_world_end(&p.world);
}

static void soft_joints_sag_and_swing(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.hertz = 2.0f, def.damping = 0.7f;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.0f, -0.5f, 0.0f });
	test_world_run(&p.world, 300);
	float omega = 2.0f * RBL_PI_F * 2.0f;
	CHECK_NEAR(t, test_world_centre(&p.world, p.box).y, -0.5f - 9.81f / (omega * omega), 0.02f);
	test_world_end(&p.world);
}

static void joints_break_by_force_and_by_torque(test *t)
{
	for (int i = 0; i < 3; ++i) {
		rbl_solver_joint def = rbl_default_solver_joint();
		def.break_force = i == 0 ? 30.0f : i == 2 ? 50.0f : 0.0f;  // it weighs 39.2 N
		def.break_torque = i == 1 ? 15.0f : i == 2 ? 25.0f : 0.0f; // moment 19.6 N m
		pair p;
		begin_pair(&p, &def, (rbl_vec3){ 0.5f, 0.0f, 0.0f });
		int broken = 0;
		for (int k = 0; k < 60; ++k) {
			test_world_step(&p.world);
			rbl_solver_list list = rbl_solver_broken(p.world.solver);
			broken += list.count;
			CHECK(t, list.count == 0 || list.indices[0] == p.joint);
		}
		CHECK(t, broken == (i < 2));
		CHECK(t, rbl_solver_report_joint(p.world.solver, p.joint).is_broken == (i < 2));
		CHECK(t, (test_world_centre(&p.world, p.box).y < -1.0f) == (i < 2));
		rbl_solver_remove_joint(p.world.solver, p.joint);
		test_world_run(&p.world, 60);
		CHECK(t, test_world_centre(&p.world, p.box).y < -1.0f &&
		             rbl_solver_count(p.world.solver).joints == 0);
		test_world_end(&p.world);
	}
}

// Bodies that wake when a step is over have taken no part in it: nothing of the last step in which
// they did, when this one rotated freely, comes back.
static void what_a_broken_joint_wakes_stays_still(test *t)
{
	int woke = 0;
	for (int i = 0; i < 8; ++i) {
		rbl_solver_def solver_def = rbl_default_solver_def();
		test_world w;
		test_world_begin(&w, &solver_def);
		int slab = test_world_add_box(&w, (rbl_vec3){ 0.5f, 0.05f, 0.25f }, 100.0f, zero);
		int32_t body = w.objects[slab].body, joint;
		rbl_vec3 spin = { i & 1 ? 4.0f : -4.0f, i & 2 ? 19.0f : -19.0f, i & 4 ? 4.0f : -4.0f };
		rbl_solver_set_velocity(w.solver, body, zero, spin);
		test_world_step(&w);
		int box = test_world_add_box(&w, (rbl_vec3){ 0.1f, 0.1f, 0.1f }, 4.0f,
		                             (rbl_vec3){ 0.0f, -2.0f, 0.0f });
		rbl_solver_joint def = rbl_default_solver_joint();
		def.kind = RBL_SOLVER_BALL;
		def.a = body, def.b = w.objects[box].body;
		def.frame_b.position.y = 2.0f;
		def.break_force = 20.0f; // half of its weight
		CHECK(t, rbl_solver_add_joint(w.solver, &def, &joint) == RBL_OK);
		CHECK(t, rbl_solver_sleep(w.solver, body) == RBL_OK);
		rbl_transform before = test_world_pose(&w, slab);
		test_world_step(&w);
		CHECK(t, rbl_solver_broken(w.solver).count == 1);
		woke += !rbl_solver_is_asleep(w.solver, body);
		rbl_transform after = test_world_pose(&w, slab);
		rbl_solver_velocity v = test_world_velocity(&w, slab);
		CHECK(t, rbl_length(v.linear) == 0.0f && rbl_length(v.angular) == 0.0f);
		CHECK(t, memcmp(&before, &after, sizeof before) == 0);
		test_world_end(&w);
	}
	CHECK(t, woke == 8);
}

TEST_MAIN(TEST(a_weld_carries_weight_and_moment), TEST(a_ball_joint_swings_and_keeps_its_length),
          TEST(a_hinge_turns_about_its_axis_alone), TEST(limits_stop_and_motors_drive),
          TEST(soft_joints_sag_and_swing), TEST(joints_break_by_force_and_by_torque),
          TEST(what_a_broken_joint_wakes_stays_still))
