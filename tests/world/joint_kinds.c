// SPDX-License-Identifier: MIT
// Every kind of joint: limits hold, motors reach their speed, springs have the frequency and the
// damping that was asked for, and a joint breaks at its force.

#include "../test.h"
#include "scene.h"

#include "base/math.h"

static const rbl_vec3 none = { 0.0f, 0.0f, 0.0f };

// A static box at (0, 5, 0), and another to its right that a joint holds at the first one's centre
// or at its own.
typedef struct rig {
	scene s;
	rbl_body_id post, box;
	rbl_joint_def def;
	rbl_joint_id joint;
	float mass;
} rig;

static rbl_transform turned(rbl_vec3 position, rbl_vec3 axis, float angle)
{
	rbl_vec3 v = rbl_scale(rbl_sinf(0.5f * angle), axis);
	return (rbl_transform){ position, { v.x, v.y, v.z, rbl_cosf(0.5f * angle) } };
}

static void begin(rig *r, rbl_joint_kind kind, rbl_vec3 at, rbl_transform frame, rbl_vec3 gravity)
{
	rbl_world_def def = scene_def(&r->s, 1);
	def.can_sleep = false;
	def.gravity = gravity;
	scene_create(&r->s, &def);
	rbl_body_def body = scene_body(r->s.box, 0.0f, 5.0f, 0.0f);
	body.kind = RBL_BODY_STATIC;
	r->post = rbl_create_body(r->s.world, &body);
	body = scene_body(r->s.box, at.x, at.y, at.z);
	body.linear_damping = body.angular_damping = 0.0f;
	r->box = rbl_create_body(r->s.world, &body);
	r->mass = rbl_body_get_mass(r->s.world, r->box).mass;
	r->def = rbl_default_joint_def(kind);
	r->def.body_a = r->post, r->def.body_b = r->box;
	rbl_joint_def_place(r->s.world, &r->def, frame);
}

static void join(rig *r)
{
	r->joint = rbl_create_joint(r->s.world, &r->def);
}

static rbl_joint_state state_of(const rig *r)
{
	return rbl_joint_get_state(r->s.world, r->joint);
}

static const rbl_vec3 down = { 0.0f, -9.81f, 0.0f }, at_post = { 0.0f, 5.0f, 0.0f };

// z of the frame points down: the box slides along it.
static rbl_transform sliding_frame(void)
{
	return turned(at_post, (rbl_vec3){ 1.0f, 0.0f, 0.0f }, 0.5f * RBL_PI_F);
}

static void a_prismatic_joint_slides_along_its_axis_to_its_limit(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_PRISMATIC, at_post, sliding_frame(), down);
	r.def.has_limits = true;
	r.def.lower_distance = -0.5f, r.def.upper_distance = 1.5f;
	join(&r);
	rbl_body_set_velocity(r.s.world, r.box, none, (rbl_vec3){ 3.0f, 2.0f, 1.0f });
	for (int i = 0; i < 120; ++i) {
		scene_steps(&r.s, 1);
		rbl_transform pose = rbl_body_pose(r.s.world, r.box);
		CHECK(t, fabsf(pose.position.x) < 1e-3f && fabsf(pose.position.z) < 1e-3f);
		CHECK(t, fabsf(pose.rotation.w) > 0.99999f);
		CHECK(t, state_of(&r).distance < 1.51f);
	}
	CHECK_NEAR(t, state_of(&r).distance, 1.5, 0.002);
	CHECK_NEAR(t, state_of(&r).force, r.mass * 9.81f, 0.02f * r.mass * 9.81f);
	CHECK(t, rbl_joint_set_limits(r.s.world, r.joint, false, 0.0f, 0.0f) == RBL_OK);
	scene_steps(&r.s, 30);
	CHECK(t, state_of(&r).distance > 2.0f);
	scene_destroy(&r.s);
}

static void a_prismatic_motor_lifts_at_its_speed_and_no_more_than_its_force(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_PRISMATIC, at_post, sliding_frame(), down);
	join(&r);
	float weight = r.mass * 9.81f;
	CHECK(t, rbl_joint_set_motor(r.s.world, r.joint, -2.0f, 3.0f * weight) == RBL_OK);
	scene_steps(&r.s, 60);
	CHECK_NEAR(t, rbl_body_velocity(r.s.world, r.box).y, 2.0, 0.01);
	CHECK_NEAR(t, state_of(&r).force, weight, 0.02f * weight);
	CHECK(t, rbl_joint_set_motor(r.s.world, r.joint, -2.0f, 0.5f * weight) == RBL_OK);
	float before = rbl_body_velocity(r.s.world, r.box).y;
	scene_steps(&r.s, 60);
	float change = rbl_body_velocity(r.s.world, r.box).y - before;
	CHECK_NEAR(t, change, -0.5 * 9.81, 0.05); // half of its weight is carried
	scene_destroy(&r.s);
}

// Release a spring from its rest, and measure its period and how much is left after one.
static void check_spring(test *t, rig *r, float (*coordinate)(const rig *r), float hertz,
                         float damping)
{
	float start = coordinate(r), last = start, low = start;
	int crossings = 0, first = 0, second = 0;
	float after = 0.0f;
	for (int i = 1; i <= 240; ++i) {
		scene_steps(&r->s, 1);
		float now = coordinate(r);
		if (crossings < 3 && (last > 0.0f) != (now > 0.0f)) {
			crossings++;
			first = crossings == 1 ? i : first;
			second = crossings == 3 ? i : second;
		}
		low = now < low ? now : low;
		if (crossings == 2)
			after = now > after ? now : after;
		if (crossings == 3)
			break;
		last = now;
	}
	float share = sqrtf(1.0f - damping * damping);
	float period = 1.0f / (hertz * share);
	CHECK_NEAR(t, (float)(second - first) / 60.0f, period, 0.04f * period + 1.0f / 60.0f);
	// Half a period leaves exp(-pi damping / share) of the amplitude, to the other side.
	float left = (float)rbl_exp(-(double)(RBL_PI_F * damping / share));
	CHECK_NEAR(t, -low / start, left, 0.06);
}

static float distance_of(const rig *r)
{
	return state_of(r).distance - 1.0f;
}

static float angle_of(const rig *r)
{
	return state_of(r).angle;
}

static void springs_have_their_frequency_and_damping(test *t)
{
	const float dampings[2] = { 0.05f, 0.3f };
	for (int i = 0; i < 2; ++i) {
		rig r;
		begin(&r, RBL_JOINT_PRISMATIC, at_post, sliding_frame(), none);
		r.def.has_spring = true;
		r.def.spring_hertz = 1.0f, r.def.spring_damping = dampings[i], r.def.spring_target = 1.0f;
		join(&r);
		rbl_body_set_pose(r.s.world, r.box,
		                  (rbl_transform){ { 0.0f, 3.5f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } });
		scene_steps(&r.s, 1);
		check_spring(t, &r, distance_of, 1.0f, dampings[i]);
		scene_destroy(&r.s);

		begin(&r, RBL_JOINT_DISTANCE, at_post, rbl_transform_identity(), none);
		r.def.frame_a = r.def.frame_b = rbl_transform_identity();
		r.def.has_spring = true;
		r.def.spring_hertz = 1.0f, r.def.spring_damping = dampings[i], r.def.spring_target = 1.0f;
		join(&r);
		rbl_body_set_pose(r.s.world, r.box,
		                  (rbl_transform){ { 0.0f, 3.5f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } });
		scene_steps(&r.s, 1);
		check_spring(t, &r, distance_of, 1.0f, dampings[i]);
		scene_destroy(&r.s);

		begin(&r, RBL_JOINT_HINGE, at_post, (rbl_transform){ at_post, { 0, 0, 0, 1 } }, none);
		r.def.has_spring = true;
		r.def.spring_hertz = 1.0f, r.def.spring_damping = dampings[i];
		join(&r);
		rbl_body_set_pose(r.s.world, r.box, turned(at_post, (rbl_vec3){ 0, 0, 1 }, 0.5f));
		scene_steps(&r.s, 1);
		check_spring(t, &r, angle_of, 1.0f, dampings[i]);
		scene_destroy(&r.s);
	}
}

static void a_rope_swings_free_and_holds_at_its_length(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_DISTANCE, (rbl_vec3){ 1.0f, 5.0f, 0.0f }, rbl_transform_identity(), down);
	r.def.frame_a = r.def.frame_b = rbl_transform_identity();
	r.def.has_limits = true;
	r.def.lower_distance = 0.0f, r.def.upper_distance = 2.0f;
	join(&r);
	bool was_slack = false;
	float longest = 0.0f;
	for (int i = 0; i < 300; ++i) {
		scene_steps(&r.s, 1);
		was_slack |= state_of(&r).distance < 1.5f;
		longest = rbl_maxf(longest, state_of(&r).distance);
	}
	CHECK(t, was_slack && longest < 2.02f && longest > 1.99f);
	scene_destroy(&r.s);
}

static void a_ball_joint_stays_in_its_cone_and_within_its_twist(test *t)
{
	// z points along the arm: gravity pulls it out of the cone, a push twists it.
	rbl_transform frame = turned(at_post, (rbl_vec3){ 0.0f, 1.0f, 0.0f }, 0.5f * RBL_PI_F);
	rig r;
	begin(&r, RBL_JOINT_BALL, (rbl_vec3){ 1.0f, 5.0f, 0.0f }, frame, down);
	r.def.has_cone = true, r.def.cone_angle = 0.4f;
	r.def.has_limits = true, r.def.lower_angle = -0.3f, r.def.upper_angle = 0.3f;
	join(&r);
	rbl_body_set_velocity(r.s.world, r.box, none, (rbl_vec3){ 8.0f, 0.0f, 0.0f });
	float lowest = 5.0f, widest = 0.0f;
	for (int i = 0; i < 240; ++i) {
		scene_steps(&r.s, 1);
		rbl_vec3 p = rbl_body_pose(r.s.world, r.box).position;
		CHECK_NEAR(t, rbl_distance(p, at_post), 1.0, 2e-3);
		lowest = rbl_minf(lowest, p.y);
		widest = rbl_maxf(widest, fabsf(state_of(&r).angle));
	}
	CHECK_NEAR(t, lowest, 5.0f - rbl_sinf(0.4f), 0.03); // it comes down with 2.8 m/s
	CHECK_NEAR(t, rbl_body_pose(r.s.world, r.box).position.y, 5.0f - rbl_sinf(0.4f), 0.005);
	CHECK(t, widest > 0.25f && widest < 0.34f);
	CHECK(t, rbl_joint_set_cone(r.s.world, r.joint, false, 0.0f) == RBL_OK);
	scene_steps(&r.s, 30);
	CHECK(t, rbl_body_pose(r.s.world, r.box).position.y < 4.3f);
	scene_destroy(&r.s);
}

static void a_ball_motor_turns_and_its_spring_straightens(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_BALL, at_post, (rbl_transform){ at_post, { 0, 0, 0, 1 } }, none);
	r.def.has_motor = true, r.def.motor_speed = 3.0f, r.def.motor_torque = 1e4f;
	join(&r);
	scene_steps(&r.s, 60);
	CHECK_NEAR(t, rbl_body_angular_velocity(r.s.world, r.box).z, 3.0, 0.01);
	CHECK(t, rbl_joint_set_motor(r.s.world, r.joint, 0.0f, 0.0f) == RBL_OK);
	CHECK(t, rbl_joint_set_spring(r.s.world, r.joint, 2.0f, 1.0f, 0.0f) == RBL_OK);
	scene_steps(&r.s, 240);
	CHECK(t, fabsf(rbl_body_pose(r.s.world, r.box).rotation.w) > 0.9999f);
	scene_destroy(&r.s);
}

// A wheel on a post: it turns about z, and its suspension is along y.
static void a_wheel_turns_and_is_sprung(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_WHEEL, at_post, (rbl_transform){ at_post, { 0, 0, 0, 1 } }, down);
	r.def.has_spring = true;
	r.def.spring_hertz = 2.0f, r.def.spring_damping = 0.7f;
	r.def.has_limits = true, r.def.lower_distance = -0.3f, r.def.upper_distance = 0.3f;
	r.def.has_motor = true, r.def.motor_speed = -10.0f, r.def.motor_torque = 1e4f;
	join(&r);
	scene_steps(&r.s, 240);
	float omega = 2.0f * RBL_PI_F * 2.0f;
	rbl_vec3 p = rbl_body_pose(r.s.world, r.box).position;
	CHECK_NEAR(t, p.y, 5.0f - 9.81f / (omega * omega), 0.003);
	CHECK_NEAR(t, state_of(&r).distance, -9.81f / (omega * omega), 0.003);
	CHECK(t, fabsf(p.x) < 1e-3f && fabsf(p.z) < 1e-3f);
	rbl_vec3 w = rbl_body_angular_velocity(r.s.world, r.box);
	CHECK_NEAR(t, w.z, -10.0, 0.05);
	CHECK(t, fabsf(w.x) < 0.01f && fabsf(w.y) < 0.01f);
	// Steered by 0.5 about the suspension, it turns about another axis.
	rbl_joint_def def = rbl_joint_get_def(r.s.world, r.joint);
	rbl_transform frame = turned(def.frame_a.position, (rbl_vec3){ 0, 1, 0 }, 0.5f);
	CHECK(t, rbl_joint_set_frames(r.s.world, r.joint, frame, def.frame_b) == RBL_OK);
	scene_steps(&r.s, 120);
	w = rbl_body_angular_velocity(r.s.world, r.box);
	CHECK_NEAR(t, w.z, -10.0f * rbl_cosf(0.5f), 0.1);
	CHECK_NEAR(t, w.x, -10.0f * rbl_sinf(0.5f), 0.1);
	scene_destroy(&r.s);
}

static void a_motor_joint_pulls_to_a_pose_with_no_more_than_its_force(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_MOTOR, (rbl_vec3){ 1.0f, 5.0f, 0.0f }, rbl_transform_identity(), none);
	r.def.frame_a = turned((rbl_vec3){ 0.0f, 2.0f, 0.0f }, (rbl_vec3){ 0, 0, 1 }, 1.0f);
	r.def.frame_b = rbl_transform_identity();
	r.def.spring_hertz = 2.0f;
	join(&r);
	scene_steps(&r.s, 180);
	rbl_transform pose = rbl_body_pose(r.s.world, r.box);
	CHECK(t, rbl_distance(pose.position, (rbl_vec3){ 0.0f, 7.0f, 0.0f }) < 0.01f);
	CHECK_NEAR(t, fabsf(pose.rotation.z), rbl_sinf(0.5f), 0.01);
	// A weak one accelerates it by force over mass.
	rbl_joint_def def = rbl_joint_get_def(r.s.world, r.joint);
	def.motor_force = 0.5f * r.mass;
	def.frame_a.position.y = 102.0f;
	CHECK(t, rbl_joint_set_def(r.s.world, r.joint, &def) == RBL_OK);
	scene_steps(&r.s, 60);
	CHECK_NEAR(t, rbl_body_velocity(r.s.world, r.box).y, 0.5, 0.02);
	scene_destroy(&r.s);
}

static void every_kind_breaks_at_its_force(test *t)
{
	for (int kind = 0; kind < RBL_JOINT_KIND_COUNT; ++kind)
		for (int is_weak = 0; is_weak < 2; ++is_weak) {
			rig r;
			begin(&r, (rbl_joint_kind)kind, (rbl_vec3){ 0.0f, 4.0f, 0.0f },
			      (rbl_transform){ at_post, { 0, 0, 0, 1 } }, none);
			if (kind == RBL_JOINT_DISTANCE) {
				r.def.frame_b = rbl_transform_identity();
				r.def.has_limits = true;
				r.def.lower_distance = r.def.upper_distance = 1.0f;
			}
			if (kind == RBL_JOINT_WHEEL) { // its suspension at its limit
				r.def.has_limits = true;
				r.def.lower_distance = r.def.upper_distance = 0.0f;
			}
			join(&r);
			CHECK(t, rbl_joint_set_break(r.s.world, r.joint, 100.0f, INFINITY) == RBL_OK);
			for (int i = 0; i < 120; ++i) { // a force that grows to its value within a second
				float share = rbl_minf((float)i / 60.0f, 1.0f);
				rbl_vec3 force = { 0.0f, -share * (is_weak ? 103.0f : 97.0f), 0.0f };
				rbl_body_add_force(r.s.world, r.box, force,
				                   rbl_body_pose(r.s.world, r.box).position);
				scene_steps(&r.s, 1);
			}
			if (rbl_joint_exists(r.s.world, r.joint) == is_weak)
				printf("kind %d, %s\n", kind, is_weak ? "weak" : "strong");
			CHECK(t, rbl_joint_exists(r.s.world, r.joint) == !is_weak);
			scene_destroy(&r.s);
		}
}

static void joints_of_a_body_are_listed_and_their_definitions_read_back(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_HINGE, (rbl_vec3){ 1.0f, 5.0f, 0.0f }, sliding_frame(), none);
	r.def.has_limits = true, r.def.lower_angle = -1.0f, r.def.upper_angle = 0.5f;
	r.def.user = 7;
	join(&r);
	rbl_joint_def ball = rbl_default_joint_def(RBL_JOINT_BALL);
	ball.body_a = r.post, ball.body_b = r.box;
	rbl_joint_id second = rbl_create_joint(r.s.world, &ball);
	rbl_joint_id list[4];
	CHECK(t, rbl_body_get_joints(r.s.world, r.box, NULL, 0) == 2);
	CHECK(t, rbl_body_get_joints(r.s.world, r.post, list, 4) == 2);
	CHECK(t, list[0].index + list[1].index == r.joint.index + second.index);
	CHECK(t, rbl_body_get_joints(r.s.world, (rbl_body_id){ 77, 1 }, list, 4) == 0);
	rbl_joint_def def = rbl_joint_get_def(r.s.world, r.joint);
	CHECK(t, def.kind == RBL_JOINT_HINGE && def.user == 7 && def.upper_angle == 0.5f);
	CHECK(t, def.body_a.index == r.post.index && def.body_b.index == r.box.index);
	CHECK(t, memcmp(&def.frame_b, &r.def.frame_b, sizeof def.frame_b) == 0);
	rbl_joint_state state = state_of(&r);
	CHECK(t, rbl_distance(state.frame_a.position, at_post) < 1e-5f &&
	             rbl_distance(state.frame_b.position, at_post) < 1e-5f);
	scene_destroy(&r.s);
}

static void wrong_changes_are_refused_and_change_nothing(test *t)
{
	rig r;
	begin(&r, RBL_JOINT_BALL, (rbl_vec3){ 1.0f, 5.0f, 0.0f }, sliding_frame(), none);
	join(&r);
	rbl_world *w = r.s.world;
	rbl_joint_def before = rbl_joint_get_def(w, r.joint), def = before;
	CHECK(t, rbl_joint_set_cone(w, r.joint, true, 4.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_limits(w, r.joint, true, 1.0f, 0.5f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_spring(w, r.joint, -1.0f, 1.0f, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_spring(w, r.joint, NAN, 1.0f, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_break(w, r.joint, 0.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_break(w, r.joint, NAN, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_motor(w, r.joint, 1.0f, 1e13f) == RBL_BAD_ARGUMENT);
	rbl_transform bad = rbl_transform_identity();
	bad.rotation.w = 2.0f;
	CHECK(t, rbl_joint_set_frames(w, r.joint, bad, bad) == RBL_BAD_ARGUMENT);
	def.kind = RBL_JOINT_HINGE;
	CHECK(t, rbl_joint_set_def(w, r.joint, &def) == RBL_BAD_ARGUMENT);
	def = before, def.body_a = r.box;
	CHECK(t, rbl_joint_set_def(w, r.joint, &def) == RBL_BAD_ARGUMENT);
	def = before, def.cookie = 0;
	CHECK(t, rbl_joint_set_def(w, r.joint, &def) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_def(w, r.joint, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_def(w, (rbl_joint_id){ 9, 9 }, &before) == RBL_STALE_ID);
	CHECK(t, rbl_joint_set_cone(w, (rbl_joint_id){ 9, 9 }, false, 0.0f) == RBL_STALE_ID);
	rbl_joint_def after = rbl_joint_get_def(w, r.joint);
	CHECK(t, memcmp(&before.frame_a, &after.frame_a, sizeof after.frame_a) == 0 &&
	             !after.has_cone && !after.has_limits && !after.has_spring && !after.has_motor);
	rbl_joint_def weld = rbl_default_joint_def(RBL_JOINT_WELD);
	weld.body_a = r.post, weld.body_b = r.box;
	rbl_joint_id id = rbl_create_joint(w, &weld);
	CHECK(t, rbl_joint_set_motor(w, id, 1.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_limits(w, id, true, 0.0f, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_joint_set_cone(w, id, true, 1.0f) == RBL_BAD_ARGUMENT);
	scene_destroy(&r.s);
}

TEST_MAIN(TEST(a_prismatic_joint_slides_along_its_axis_to_its_limit),
          TEST(a_prismatic_motor_lifts_at_its_speed_and_no_more_than_its_force),
          TEST(springs_have_their_frequency_and_damping),
          TEST(a_rope_swings_free_and_holds_at_its_length),
          TEST(a_ball_joint_stays_in_its_cone_and_within_its_twist),
          TEST(a_ball_motor_turns_and_its_spring_straightens), TEST(a_wheel_turns_and_is_sprung),
          TEST(a_motor_joint_pulls_to_a_pose_with_no_more_than_its_force),
          TEST(every_kind_breaks_at_its_force),
          TEST(joints_of_a_body_are_listed_and_their_definitions_read_back),
          TEST(wrong_changes_are_refused_and_change_nothing))
