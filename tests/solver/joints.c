// SPDX-License-Identifier: MIT
// Joints hold, turn, stop, drive, yield and break as they say.

#include "solver/yard.h"

#include "base/math.h"
#include "test.h"

static const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };

// A post that stands still at the origin, and a box beside it.
typedef struct pair {
	yard y;
	int post, box;
	int32_t joint;
} pair;

static void begin_pair(pair *p, rbl_solver_joint *def, rbl_vec3 at)
{
	yard_begin(&p->y, NULL);
	p->post = yard_add_box(&p->y, (rbl_vec3){ 0.05f, 0.05f, 0.05f }, 0.0f, zero);
	p->box = yard_add_box(&p->y, (rbl_vec3){ 0.2f, 0.1f, 0.1f }, 4.0f, at);
	def->a = p->y.things[p->post].body, def->b = p->y.things[p->box].body;
	def->frame_b.position = rbl_neg(at);
	def->user = 77;
	if (rbl_solver_add_joint(p->y.solver, def, &p->joint) != RBL_OK)
		abort();
}

static void a_weld_carries_weight_and_moment(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.5f, 0.0f, 0.0f });
	yard_run(&p.y, 180);
	rbl_solver_joint_report report = rbl_solver_report_joint(p.y.solver, p.joint);
	CHECK_NEAR(t, rbl_distance(yard_centre(&p.y, p.box), (rbl_vec3){ 0.5f, 0.0f, 0.0f }), 0.0f,
	           0.01f);
	CHECK_NEAR(t, report.force.y, 4.0f * 9.81f, 0.5f);
	CHECK_NEAR(t, report.torque.z, 4.0f * 9.81f * 0.5f, 0.5f);
	CHECK(t, !report.is_broken && report.user == 77);
	CHECK(t, rbl_length(yard_velocity(&p.y, p.box).linear) < 0.01f);
	yard_end(&p.y);
}

static void a_ball_joint_swings_and_keeps_its_length(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.kind = RBL_SOLVER_BALL;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 1.0f, 0.0f, 0.0f });
	float lowest = 0.0f, fastest = 0.0f;
	for (int i = 0; i < 240; ++i) {
		yard_step(&p.y);
		CHECK_NEAR(t, rbl_length(yard_centre(&p.y, p.box)), 1.0f, 0.01f);
		lowest = rbl_minf(lowest, yard_centre(&p.y, p.box).y);
		fastest = rbl_maxf(fastest, rbl_length(yard_velocity(&p.y, p.box).linear));
	}
	CHECK_NEAR(t, lowest, -1.0f, 0.03f);
	// All of its height, shared between moving and turning: I = m (r^2 + (a^2 + b^2) / 3).
	CHECK_NEAR(t, fastest, sqrtf(2.0f * 9.81f / (1.0f + 0.05f / 3.0f)), 0.15f);
	yard_end(&p.y);
}

static void a_hinge_turns_about_its_axis_alone(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.kind = RBL_SOLVER_HINGE;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.6f, 0.0f, 0.0f });
	rbl_solver_set_velocity(p.y.solver, p.y.things[p.box].body, zero,
	                        (rbl_vec3){ 2.0f, 3.0f, 0.0f });
	for (int i = 0; i < 120; ++i) {
		yard_step(&p.y);
		rbl_vec3 axis = rbl_rotate(yard_pose(&p.y, p.box).rotation, (rbl_vec3){ 0.0f, 0.0f, 1.0f });
		CHECK(t, axis.z > 0.995f);
		CHECK_NEAR(t, rbl_length(yard_centre(&p.y, p.box)), 0.6f, 0.02f);
	}
	CHECK(t, yard_centre(&p.y, p.box).y < 0.05f);
	yard_end(&p.y);
}

static void limits_stop_and_motors_drive(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.kind = RBL_SOLVER_HINGE;
	def.has_limits = true;
	def.lower_angle = -0.5f, def.upper_angle = 0.5f;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.6f, 0.0f, 0.0f });
	yard_run(&p.y, 120);
	CHECK_NEAR(t, rbl_solver_report_joint(p.y.solver, p.joint).angle, -0.5f, 0.03f);
	rbl_solver_set_motor(p.y.solver, p.joint, true, 1.0f, 200.0f);
	yard_run(&p.y, 30);
	CHECK_NEAR(t, yard_velocity(&p.y, p.box).angular.z, 1.0f, 0.02f);
	yard_run(&p.y, 90);
	CHECK_NEAR(t, rbl_solver_report_joint(p.y.solver, p.joint).angle, 0.5f, 0.03f);
	rbl_solver_set_motor(p.y.solver, p.joint, true, 1.0f, 0.5f); // too weak for the weight
	yard_run(&p.y, 120);
	CHECK_NEAR(t, rbl_solver_report_joint(p.y.solver, p.joint).angle, -0.5f, 0.03f);
	rbl_solver_set_motor(p.y.solver, p.joint, false, 0.0f, 0.0f);
	yard_end(&p.y);
}

static void soft_joints_sag_and_swing(test *t)
{
	rbl_solver_joint def = rbl_default_solver_joint();
	def.hertz = 2.0f, def.damping = 0.7f;
	pair p;
	begin_pair(&p, &def, (rbl_vec3){ 0.0f, -0.5f, 0.0f });
	yard_run(&p.y, 300);
	float omega = 2.0f * RBL_PI_F * 2.0f;
	CHECK_NEAR(t, yard_centre(&p.y, p.box).y, -0.5f - 9.81f / (omega * omega), 0.02f);
	yard_end(&p.y);
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
			yard_step(&p.y);
			rbl_solver_list list = rbl_solver_broken(p.y.solver);
			broken += list.count;
			CHECK(t, list.count == 0 || list.indices[0] == p.joint);
		}
		CHECK(t, broken == (i < 2));
		CHECK(t, rbl_solver_report_joint(p.y.solver, p.joint).is_broken == (i < 2));
		CHECK(t, (yard_centre(&p.y, p.box).y < -1.0f) == (i < 2));
		rbl_solver_remove_joint(p.y.solver, p.joint);
		yard_run(&p.y, 60);
		CHECK(t, yard_centre(&p.y, p.box).y < -1.0f && rbl_solver_count(p.y.solver).joints == 0);
		yard_end(&p.y);
	}
}

TEST_MAIN(TEST(a_weld_carries_weight_and_moment), TEST(a_ball_joint_swings_and_keeps_its_length),
          TEST(a_hinge_turns_about_its_axis_alone), TEST(limits_stop_and_motors_drive),
          TEST(soft_joints_sag_and_swing), TEST(joints_break_by_force_and_by_torque))
