// SPDX-License-Identifier: MIT
// A car: a chassis on four cylinders with wheel joints, driven and steered.

#include "../test.h"
#include "scene.h"

typedef struct car {
	rbl_collider *chassis, *wheel;
	rbl_body_id body, wheels[4];
	rbl_joint_id joints[4];
} car;

// It heads for +x: axles are along z.
static void make_car(scene *s, car *c, float speed)
{
	c->chassis = scene_box(2.0f, 0.3f, 0.8f);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	def.a = (rbl_vec3){ 0.0f, 0.0f, -0.12f }, def.b = (rbl_vec3){ 0.0f, 0.0f, 0.12f };
	def.radius = 0.35f;
	rbl_create_collider(&def, &c->wheel);
	rbl_body_def body = scene_body(c->chassis, 0.0f, 0.85f, 0.0f);
	body.material.density = 300.0f;
	body.velocity.x = speed;
	c->body = rbl_create_body(s->world, &body);
	for (int i = 0; i < 4; ++i) {
		body = scene_body(c->wheel, i < 2 ? 1.3f : -1.3f, 0.35f, i & 1 ? 0.95f : -0.95f);
		body.material.density = 200.0f;
		body.material.friction = 1.0f;
		body.angular_damping = 0.0f;
		body.velocity.x = speed, body.angular_velocity.z = -speed / 0.35f;
		c->wheels[i] = rbl_create_body(s->world, &body);
		rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WHEEL);
		joint.body_a = c->body, joint.body_b = c->wheels[i];
		rbl_joint_def_place(s->world, &joint, rbl_body_pose(s->world, c->wheels[i]));
		joint.has_spring = true, joint.spring_hertz = 3.0f, joint.spring_damping = 0.7f;
		joint.has_limits = true, joint.lower_distance = -0.15f, joint.upper_distance = 0.15f;
		c->joints[i] = rbl_create_joint(s->world, &joint);
	}
}

static void drive(scene *s, car *c, float speed, float torque)
{
	for (int i = 2; i < 4; ++i) {
		rbl_joint_def joint = rbl_joint_get_def(s->world, c->joints[i]);
		joint.has_motor = true, joint.motor_speed = -speed / 0.35f, joint.motor_torque = torque;
		rbl_joint_set_def(s->world, c->joints[i], &joint);
	}
}

static void open_road(scene *s, bool is_plane)
{
	rbl_world_def def = scene_def(s, 1);
	scene_create(s, &def);
	rbl_collider_def plane_def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	rbl_collider *road = NULL;
	if (is_plane)
		rbl_create_collider(&plane_def, &road);
	else
		road = scene_box(2000.0f, 0.5f, 50.0f);
	rbl_body_def ground = scene_body(road, 0.0f, is_plane ? 0.0f : -0.5f, 0.0f);
	ground.kind = RBL_BODY_STATIC;
	ground.material.friction = 1.0f;
	rbl_create_body(s->world, &ground);
	rbl_destroy_collider(road); // its body keeps it
}

static void close_road(scene *s, car *c)
{
	scene_destroy(s);
	rbl_destroy_collider(c->chassis);
	rbl_destroy_collider(c->wheel);
}

// Regression: no body turned faster than 47 rad/s, and a wheel of 0.35 m ended at 56 km/h.
static void a_car_drives_as_fast_as_its_motor(test *t)
{
	for (int i = 0; i < 2; ++i) {
		scene s;
		car c;
		open_road(&s, i);
		make_car(&s, &c, 0.0f);
		drive(&s, &c, 30.0f, 1000.0f);
		scene_steps(&s, 900);
		rbl_vec3 v = rbl_body_velocity(s.world, c.body);
		rbl_transform pose = rbl_body_pose(s.world, c.body);
		CHECK_NEAR(t, v.x, 30.0, 1.0);
		CHECK_NEAR(t, v.y, 0.0, 0.1);
		CHECK_NEAR(t, pose.position.z, 0.0, 2.0);
		for (int k = 0; k < 4; ++k) {
			rbl_vec3 w = rbl_body_angular_velocity(s.world, c.wheels[k]);
			CHECK_NEAR(t, w.z, -v.x / 0.35f, 2.0);
			CHECK_NEAR(t, rbl_body_pose(s.world, c.wheels[k]).position.y, 0.35, 5e-3);
		}
		printf("%.2f m/s after %.0f m, %.2f m aside\n", (double)v.x, (double)pose.position.x,
		       (double)pose.position.z);
		close_road(&s, &c);
	}
}

// It rolls on without a motor: within 2 % of its speed after three seconds.
static void a_car_rolls_on(test *t)
{
	scene s;
	car c;
	open_road(&s, false);
	make_car(&s, &c, 30.0f);
	scene_steps(&s, 180);
	CHECK_NEAR(t, rbl_body_velocity(s.world, c.body).x, 30.0, 0.6);
	close_road(&s, &c);
}

// Steered by an angle a it goes round a circle of radius wheelbase / tan a.
static void a_car_goes_round_a_circle(test *t)
{
	scene s;
	car c;
	open_road(&s, true);
	make_car(&s, &c, 5.0f);
	drive(&s, &c, 5.0f, 300.0f);
	const float angle = 0.2f;
	for (int i = 0; i < 2; ++i) {
		rbl_joint_def def = rbl_joint_get_def(s.world, c.joints[i]);
		rbl_transform frame = def.frame_a;
		frame.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, angle);
		CHECK(t, rbl_joint_set_frames(s.world, c.joints[i], frame, def.frame_b) == RBL_OK);
	}
	scene_steps(&s, 300);
	rbl_vec3 v = rbl_body_velocity(s.world, c.body), w = rbl_body_angular_velocity(s.world, c.body);
	double radius = 2.6 / tan(0.2), speed = (double)rbl_length(v);
	CHECK(t, speed > 4.5);
	CHECK_NEAR(t, fabs((double)w.y), speed / radius, 0.15 * speed / radius);
	printf("radius %.2f m, want %.2f m\n", speed / fabs((double)w.y), radius);
	close_road(&s, &c);
}

TEST_MAIN(TEST(a_car_drives_as_fast_as_its_motor), TEST(a_car_rolls_on),
          TEST(a_car_goes_round_a_circle))
