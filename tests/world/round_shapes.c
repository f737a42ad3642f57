// SPDX-License-Identifier: MIT
// Cylinders, cones and boxes with round edges: they roll, stand, slide and sleep as theory has it.

#include "../test.h"
#include "field_scene.h"

#define PI 3.14159265358979

// A cylinder or cone along x or y, around its middle.
static rbl_collider *make_round(rbl_collider_kind kind, float radius, float length, bool is_upright)
{
	rbl_collider_def def = rbl_default_collider_def(kind);
	float h = 0.5f * length;
	def.radius = radius;
	def.a = is_upright ? (rbl_vec3){ 0.0f, -h, 0.0f } : (rbl_vec3){ 0.0f, 0.0f, -h };
	def.b = is_upright ? (rbl_vec3){ 0.0f, h, 0.0f } : (rbl_vec3){ 0.0f, 0.0f, h };
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static rbl_collider *make_rounded_box(float half, float rounding)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ half, half, half };
	def.rounding = rounding;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

// Regression: wheels were prisms. One of 16 sides was down from 5 to 0.3 m/s after three seconds.
static void a_wheel_keeps_its_speed(test *t)
{
	const float speeds[] = { 0.5f, 5.0f, 20.0f };
	for (int i = 0; i < 6; ++i) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		rbl_collider *floor = scene_box(200.0f, 0.5f, 50.0f);
		rbl_collider *wheel = make_round(RBL_COLLIDER_CYLINDER, 0.4f, 0.2f, false);
		rbl_body_def body = scene_body(floor, 0.0f, -0.5f, 0.0f);
		body.kind = RBL_BODY_STATIC;
		rbl_body_def roll = scene_body(wheel, 0.0f, 0.4f, 0.0f);
		roll.velocity.x = speeds[i % 3], roll.angular_velocity.z = -speeds[i % 3] / 0.4f;
		roll.angular_damping = 0.0f;
		rbl_create_body(s.world, i < 3 ? &body : &roll);
		rbl_create_body(s.world, i < 3 ? &roll : &body);
		rbl_body_id list[2];
		CHECK(t, rbl_world_get_bodies(s.world, list, 2) == 2);
		rbl_body_id id = list[i < 3 ? 1 : 0];
		scene_steps(&s, 180);
		rbl_vec3 v = rbl_body_velocity(s.world, id), w = rbl_body_angular_velocity(s.world, id);
		rbl_vec3 p = rbl_body_pose(s.world, id).position;
		CHECK_NEAR(t, v.x, speeds[i % 3], 0.02 * (double)speeds[i % 3]);
		CHECK_NEAR(t, w.z, -v.x / 0.4f, 0.02 * (double)speeds[i % 3] / 0.4);
		CHECK_NEAR(t, p.y, 0.4, 1e-3);
		CHECK_NEAR(t, p.z, 0.0, 0.01 + 1e-3 * (double)p.x);
		CHECK_NEAR(t, p.x, 3.0 * (double)speeds[i % 3], 0.02 * 3.0 * (double)speeds[i % 3]);
		scene_destroy(&s);
		rbl_destroy_collider(floor);
		rbl_destroy_collider(wheel);
	}
}

// Down a slope a solid cylinder gains 2/3 g sin a, on a box, a mesh and a height field alike.
static void a_cylinder_rolls_down_a_slope(test *t)
{
	for (int i = 0; i < 3; ++i) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		double angle = (i == 0 ? 0.5 : 10.0) * PI / 180.0;
		def.gravity = (rbl_vec3){ 9.81f * (float)sin(angle), -9.81f * (float)cos(angle), 0.0f };
		scene_create(&s, &def);
		rbl_collider *log = make_round(RBL_COLLIDER_CYLINDER, 0.25f, 1.0f, false);
		rbl_collider *mesh = scene_mesh_floor(40.0f, 20);
		rbl_body_def ground = scene_body(mesh, 0.0f, 0.0f, 0.0f);
		ground.kind = RBL_BODY_STATIC;
		if (i < 2)
			scene_add_floor(&s);
		else
			rbl_create_body(s.world, &ground);
		rbl_body_def body = scene_body(log, 0.0f, 0.25f, 0.0f);
		body.angular_damping = body.linear_damping = 0.0f;
		rbl_body_id id = rbl_create_body(s.world, &body);
		scene_steps(&s, 120);
		double want = 2.0 / 3.0 * 9.81 * sin(angle) * 2.0;
		CHECK_NEAR(t, rbl_body_velocity(s.world, id).x, want, 0.02 * want);
		CHECK_NEAR(t, rbl_body_pose(s.world, id).position.x, want, 0.02 * want);
		CHECK_NEAR(t, rbl_body_velocity(s.world, id).z, 0.0, 0.01 * want);
		scene_destroy(&s);
		rbl_destroy_collider(log);
		rbl_destroy_collider(mesh);
	}
}

// A wheel that turns far faster than it may when it is not round is driven by it, and ends rolling:
// of its momentum about the line of contact nothing is lost. Regression: 47 rad/s were the most.
static void a_spinning_cylinder_drives_off(test *t)
{
	const float spins[] = { 100.0f, 1000.0f };
	for (int i = 0; i < 2; ++i) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		rbl_collider *floor = scene_box(2000.0f, 0.5f, 50.0f);
		rbl_collider *wheel = make_round(RBL_COLLIDER_CYLINDER, 0.4f, 0.2f, false);
		rbl_body_def body = scene_body(floor, 0.0f, -0.5f, 0.0f);
		body.kind = RBL_BODY_STATIC;
		rbl_create_body(s.world, &body);
		body = scene_body(wheel, 0.0f, 0.4f, 0.0f);
		body.angular_velocity.z = -spins[i];
		body.angular_damping = body.linear_damping = 0.0f;
		body.material.friction = 1.0f;
		rbl_body_id id = rbl_create_body(s.world, &body);
		scene_steps(&s, 60);
		float v = rbl_body_velocity(s.world, id).x;
		CHECK(t, v > 5.0f);
		CHECK_NEAR(t, rbl_body_angular_velocity(s.world, id).z, -spins[i] + 2.0f * v / 0.4f,
		           0.01 * (double)spins[i]);
		scene_steps(&s, i == 0 ? 240 : 1100);
		rbl_vec3 end = rbl_body_velocity(s.world, id);
		CHECK_NEAR(t, end.x, spins[i] * 0.4f / 3.0f, 0.02 * (double)spins[i] * 0.4 / 3.0);
		CHECK_NEAR(t, rbl_body_angular_velocity(s.world, id).z, -end.x / 0.4f,
		           0.02 * (double)(end.x / 0.4f));
		CHECK_NEAR(t, rbl_body_pose(s.world, id).position.y, 0.4, 0.01);
		scene_destroy(&s);
		rbl_destroy_collider(floor);
		rbl_destroy_collider(wheel);
	}
}

// Mass, centre and inertia, of cylinders and cones by formula.
static void mass_is_that_of_theory(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	const double r = 0.3, h = 0.8, density = 1000.0;
	rbl_collider *cylinder = make_round(RBL_COLLIDER_CYLINDER, (float)r, (float)h, true);
	rbl_collider *cone = make_round(RBL_COLLIDER_CONE, (float)r, (float)h, true);
	rbl_body_def body = scene_body(cylinder, 0.0f, 5.0f, 0.0f);
	body.material.density = (float)density;
	rbl_body_id a = rbl_create_body(s.world, &body);
	body.collider = cone;
	rbl_body_id b = rbl_create_body(s.world, &body);
	double m = density * PI * r * r * h;
	rbl_body_mass of = rbl_body_get_mass(s.world, a);
	CHECK_NEAR(t, of.mass, m, 1e-4 * m);
	CHECK_NEAR(t, of.inertia.y.y, 0.5 * m * r * r, 1e-4 * m * r * r);
	CHECK_NEAR(t, of.inertia.x.x, m * (3.0 * r * r + h * h) / 12.0, 1e-4 * m * r * r);
	CHECK_NEAR(t, of.inertia.z.z, m * (3.0 * r * r + h * h) / 12.0, 1e-4 * m * r * r);
	m /= 3.0;
	of = rbl_body_get_mass(s.world, b);
	CHECK_NEAR(t, of.mass, m, 1e-4 * m);
	CHECK_NEAR(t, of.centre.y, -0.25 * h, 1e-5);
	CHECK_NEAR(t, of.inertia.y.y, 0.3 * m * r * r, 1e-4 * m * r * r);
	CHECK_NEAR(t, of.inertia.x.x, m * (0.15 * r * r + 0.0375 * h * h), 1e-4 * m * r * r);
	scene_destroy(&s);
	rbl_destroy_collider(cylinder);
	rbl_destroy_collider(cone);
}

// Towers of cylinders on their ends stand and fall asleep; a cone stands on its base.
static void cylinders_stand_on_each_other(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *can = make_round(RBL_COLLIDER_CYLINDER, 0.25f, 0.5f, true);
	rbl_collider *cone = make_round(RBL_COLLIDER_CONE, 0.25f, 0.5f, true);
	enum { HEIGHT = 10 };
	rbl_body_id cans[HEIGHT], cones[2];
	for (int i = 0; i < HEIGHT; ++i)
		cans[i] = scene_add(&s, can, 0.0f, 0.25f + 0.5f * (float)i, 0.0f);
	cones[0] = scene_add(&s, cone, 3.0f, 0.25f, 0.0f);
	cones[1] = scene_add(&s, cone, 0.0f, 0.25f + 0.5f * HEIGHT, 0.0f);
	scene_steps(&s, 300);
	for (int i = 0; i < HEIGHT + 2; ++i) {
		rbl_body_id id = i < HEIGHT ? cans[i] : cones[i - HEIGHT];
		rbl_transform pose = rbl_body_pose(s.world, id);
		rbl_vec3 up = rbl_rotate(pose.rotation, (rbl_vec3){ 0.0f, 1.0f, 0.0f });
		CHECK(t, up.y > 0.9999f);
		CHECK_NEAR(t, pose.position.y,
		           i < HEIGHT    ? 0.25 + 0.5 * i
		           : i == HEIGHT ? 0.25
		                         : 0.25 + 0.5 * HEIGHT,
		           0.01);
		CHECK_NEAR(t, pose.position.z, 0.0, 0.01);
	}
	CHECK(t, rbl_world_get_stats(s.world).awake_count == 0);
	scene_destroy(&s);
	rbl_destroy_collider(can);
	rbl_destroy_collider(cone);
}

// On its side a cone rolls about its tip: the tip stays, the base goes round it.
static void a_cone_rolls_about_its_tip(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	const double r = 0.3, h = 0.8, slant = sqrt(r * r + h * h), lean = atan2(r, h);
	rbl_collider *cone = make_round(RBL_COLLIDER_CONE, (float)r, (float)h, false);
	rbl_body_def body = rbl_default_body_def();
	body.collider = cone;
	// Tip towards +z, lying: turned about x until the side is level.
	body.pose.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, (float)lean);
	rbl_vec3 tip = rbl_rotate(body.pose.rotation, (rbl_vec3){ 0.0f, 0.0f, 0.5f * (float)h });
	body.pose.position = (rbl_vec3){ 0.0f, -tip.y, -tip.z };
	// It turns about the line on the floor, while that turns about the tip.
	const double turns = 1.0; // rad/s about the vertical
	body.angular_velocity = (rbl_vec3){ 0.0f, 0.0f, (float)(turns * h / r) };
	body.angular_damping = body.linear_damping = 0.0f;
	rbl_vec3 centre = rbl_rotate(body.pose.rotation, (rbl_vec3){ 0.0f, 0.0f, -0.25f * (float)h });
	body.velocity = rbl_cross(body.angular_velocity, rbl_sub(centre, tip));
	rbl_body_id id = rbl_create_body(s.world, &body);
	float farthest = 0.0f;
	for (int i = 0; i < 120; ++i) {
		scene_steps(&s, 1);
		rbl_transform pose = rbl_body_pose(s.world, id);
		rbl_vec3 at = rbl_transform_point(pose, (rbl_vec3){ 0.0f, 0.0f, 0.5f * (float)h });
		farthest = rbl_maxf(farthest, rbl_length(at));
	}
	rbl_transform pose = rbl_body_pose(s.world, id);
	rbl_vec3 base = rbl_transform_point(pose, (rbl_vec3){ 0.0f, 0.0f, -0.5f * (float)h });
	double angle = atan2((double)base.x, -(double)base.z);
	printf("tip went %.1f mm, turned by %.3f rad, slant %.3f\n", 1e3 * (double)farthest, angle,
	       slant);
	CHECK(t, farthest < 0.05f);
	CHECK_NEAR(t, fabs(angle), 2.0 * turns, 0.1);
	scene_destroy(&s);
	rbl_destroy_collider(cone);
}

// A box with round edges rests on its face, sleeps, slides by Coulomb's law, and has the mass of theory.
static void a_rounded_box_slides_and_rests(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *box = make_rounded_box(0.2f, 0.05f);
	rbl_body_id rests = scene_add(&s, box, 5.0f, 0.3f, 0.0f),
				upper = scene_add(&s, box, 5.0f, 0.8f, 0.0f);
	rbl_body_def body = scene_body(box, 0.0f, 0.25f, 3.0f);
	body.velocity.x = 5.0f;
	body.material.friction = 0.5f;
	rbl_body_id slides = rbl_create_body(s.world, &body);
	scene_steps(&s, 240);
	rbl_contact contact;
	CHECK(t, rbl_body_get_contacts(s.world, slides, &contact, 1) == 1);
	double mu = (double)contact.friction;
	CHECK_NEAR(t, rbl_body_pose(s.world, slides).position.x, 25.0 / (2.0 * mu * 9.81),
	           0.03 * 25.0 / (2.0 * mu * 9.81));
	CHECK_NEAR(t, rbl_body_pose(s.world, rests).position.y, 0.25, 1e-3);
	CHECK_NEAR(t, rbl_body_pose(s.world, upper).position.y, 0.75, 2e-3);
	CHECK(t, contact.manifold.point_count == 4);
	CHECK(t, rbl_world_get_stats(s.world).awake_count == 0);
	const double a = 0.4, r = 0.05;
	double volume = a * a * a + 6.0 * a * a * r + 3.0 * PI * a * r * r + 4.0 / 3.0 * PI * r * r * r;
	rbl_body_mass mass = rbl_body_get_mass(s.world, rests);
	CHECK_NEAR(t, (double)mass.mass / (double)body.material.density, volume, 1e-5 * volume);
	scene_destroy(&s);
	rbl_destroy_collider(box);
}

// All round shapes in a pit come to rest in it, and sleep.
static void round_shapes_in_a_pit_fall_asleep(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *side = scene_box(0.25f, 5.0f, 3.0f);
	rbl_collider *shapes[5] = { make_round(RBL_COLLIDER_CYLINDER, 0.2f, 0.5f, true),
		                        make_round(RBL_COLLIDER_CONE, 0.25f, 0.5f, true),
		                        make_rounded_box(0.15f, 0.05f),
		                        make_round(RBL_COLLIDER_CYLINDER, 0.3f, 0.1f, false), NULL };
	for (int i = 0; i < 4; ++i) {
		rbl_body_def wall = scene_body(side, 0.0f, 0.0f, 0.0f);
		wall.kind = RBL_BODY_STATIC;
		if (i >= 2) // a quarter turn
			wall.pose.rotation = (rbl_quat){ 0.0f, 0.70710678f, 0.0f, 0.70710678f };
		wall.pose.position = (rbl_vec3){ i < 2 ? (float)(2 * i - 1) * 1.5f : 0.0f, 5.0f,
			                             i < 2 ? 0.0f : (float)(2 * i - 5) * 1.5f };
		rbl_create_body(s.world, &wall);
	}
	enum { COUNT = 60 };
	rbl_body_id bodies[COUNT];
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < COUNT; ++i) {
		const rbl_collider *shape = i % 5 == 4 ? s.hulls[i % SCENE_SHAPES] : shapes[i % 5];
		rbl_body_def body =
			scene_body(shape, 0.7f * (float)(i % 3) - 0.7f, 0.4f + 0.7f * (float)(i / 9),
		               0.7f * (float)(i / 3 % 3) - 0.7f);
		rbl_vec3d axis = rbl_random_in_ball(&random);
		rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ axis.x, axis.y, axis.z, 0.5 });
		body.pose.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		body.material.rolling_resistance = body.material.spinning_resistance = 0.01f;
		bodies[i] = rbl_create_body(s.world, &body);
	}
	int steps = 0;
	for (; steps < 1200 && rbl_world_get_stats(s.world).awake_count > 0; ++steps)
		scene_steps(&s, 1);
	printf("asleep after %d steps, awake %d\n", steps, rbl_world_get_stats(s.world).awake_count);
	CHECK(t, steps < 1200);
	float deepest = 0.0f;
	rbl_contact contacts[1024];
	int count = rbl_world_get_contacts(s.world, contacts, 1024);
	for (int i = 0; i < count && i < 1024; ++i)
		for (int k = 0; k < contacts[i].manifold.point_count; ++k)
			deepest = rbl_minf(deepest, contacts[i].manifold.points[k].separation);
	printf("deepest %.2f mm\n", 1e3 * (double)deepest);
	CHECK(t, deepest > -0.01f);
	for (int i = 0; i < COUNT; ++i)
		CHECK(t, rbl_body_pose(s.world, bodies[i]).position.y > 0.0f);
	scene_destroy(&s);
	for (int i = 0; i < 4; ++i)
		rbl_destroy_collider(shapes[i]);
	rbl_destroy_collider(side);
}

// With resistance it stops where theory has it: of the weight times c r about the axis, a third of the
// inertia about the line of contact is the cylinder's own.
static void resistance_stops_a_cylinder(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *log = make_round(RBL_COLLIDER_CYLINDER, 0.25f, 1.0f, false);
	rbl_body_def body = scene_body(log, -10.0f, 0.25f, 0.0f);
	body.velocity.x = 2.0f, body.angular_velocity.z = -8.0f;
	body.angular_damping = body.linear_damping = 0.0f;
	body.material.rolling_resistance = 0.05f;
	rbl_body_id id = rbl_create_body(s.world, &body);
	scene_steps(&s, 600);
	double way = 4.0 / (2.0 * 2.0 / 3.0 * 0.05 * 9.81);
	CHECK_NEAR(t, rbl_body_pose(s.world, id).position.x, -10.0 + way, 0.03 * way);
	CHECK(t, !rbl_body_get_state(s.world, id).is_awake);
	scene_destroy(&s);
	rbl_destroy_collider(log);
}

// Wheels, cones and boxes that fly and spin fast do not get through a thin wall.
static void nothing_round_tunnels(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity.y = 0.0f;
	scene_create(&s, &def);
	rbl_collider *wall = scene_box(0.01f, 50.0f, 50.0f);
	rbl_collider *shapes[3] = { make_round(RBL_COLLIDER_CYLINDER, 0.05f, 0.02f, true),
		                        make_round(RBL_COLLIDER_CONE, 0.05f, 0.1f, true),
		                        make_rounded_box(0.03f, 0.01f) };
	rbl_body_def body = scene_body(wall, 0.0f, 0.0f, 0.0f);
	body.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &body);
	enum { COUNT = 60 };
	rbl_body_id bodies[COUNT];
	rbl_random random = rbl_random_from_seed(8);
	for (int i = 0; i < COUNT; ++i) {
		body =
			scene_body(shapes[i % 3], -2.0f, 0.5f * (float)(i / 8 - 4), 0.5f * (float)(i % 8 - 4));
		body.velocity.x = i % 2 ? 50.0f : 300.0f;
		body.angular_velocity =
			rbl_scale(i % 4 < 2 ? 20.0f : 500.0f, rbl_to_f(rbl_random_in_ball(&random)));
		bodies[i] = rbl_create_body(s.world, &body);
	}
	scene_steps(&s, 60);
	for (int i = 0; i < COUNT; ++i)
		CHECK(t, rbl_body_pose(s.world, bodies[i]).position.x < 0.0f);
	scene_destroy(&s);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_collider(shapes[i]);
	rbl_destroy_collider(wall);
}

// A wheel rolls on a body that collides by a field, and such a body rests on a cylinder's end.
static void cylinders_touch_fields(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *slab = field_box(6.0f, 0.2f, 2.0f), *cube = field_box(0.4f, 0.4f, 0.4f);
	rbl_collider *wheel = make_round(RBL_COLLIDER_CYLINDER, 0.4f, 0.2f, false);
	rbl_collider *post = make_round(RBL_COLLIDER_CYLINDER, 0.4f, 1.0f, true);
	field_scene_add_static(&f, slab, 0.0f, -0.1f, 0.0f);
	rbl_body_def body = scene_body(wheel, -2.0f, 0.4f, 0.0f);
	body.velocity.x = 1.0f, body.angular_velocity.z = -2.5f;
	body.angular_damping = 0.0f;
	rbl_body_id rolls = rbl_create_body(f.s.world, &body);
	body = scene_body(post, 0.0f, 0.0f, 5.0f);
	body.kind = RBL_BODY_STATIC;
	rbl_create_body(f.s.world, &body);
	rbl_body_id rests = field_scene_add(&f, cube, 0.0f, 0.75f, 5.0f);
	scene_steps(&f.s, 180);
	printf("wheel %.3f m/s at %.4f, cube at %.4f\n", (double)rbl_body_velocity(f.s.world, rolls).x,
	       (double)rbl_body_pose(f.s.world, rolls).position.y,
	       (double)rbl_body_pose(f.s.world, rests).position.y);
	CHECK_NEAR(t, rbl_body_velocity(f.s.world, rolls).x, 1.0, 0.1);
	CHECK_NEAR(t, rbl_body_pose(f.s.world, rolls).position.y, 0.4, 2e-3);
	CHECK_NEAR(t, rbl_body_pose(f.s.world, rests).position.y, 0.7, 2e-3);
	rbl_destroy_mesh(f.ground);
	scene_destroy(&f.s);
	rbl_destroy_mesh(slab);
	rbl_destroy_mesh(cube);
	rbl_destroy_collider(wheel);
	rbl_destroy_collider(post);
}

static void count_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	(void)color;
	*(int *)user += rbl_is_finite(a) && rbl_is_finite(b);
}

// A pile of round shapes on a plane, a wheel that spins among them.
static void add_round_pile(scene *s, rbl_collider *shapes[4])
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	rbl_collider *plane = NULL;
	rbl_create_collider(&def, &plane);
	shapes[0] = make_round(RBL_COLLIDER_CYLINDER, 0.2f, 0.5f, true);
	shapes[1] = make_round(RBL_COLLIDER_CONE, 0.25f, 0.5f, true);
	shapes[2] = make_rounded_box(0.15f, 0.05f);
	shapes[3] = make_round(RBL_COLLIDER_CYLINDER, 0.3f, 0.1f, false);
	rbl_body_def body = scene_body(plane, 0.0f, 0.0f, 0.0f);
	body.kind = RBL_BODY_STATIC;
	rbl_create_body(s->world, &body);
	rbl_destroy_collider(plane); // the body keeps it
	rbl_random random = rbl_random_from_seed(11);
	for (int i = 0; i < 80; ++i) {
		body = scene_body(shapes[i % 4], 0.6f * (float)(i % 4), 0.5f + 0.6f * (float)(i / 16),
		                  0.6f * (float)(i / 4 % 4));
		rbl_vec3d axis = rbl_random_in_ball(&random);
		rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ axis.x, axis.y, axis.z, 0.5 });
		body.pose.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
		body.angular_velocity.z = i % 4 == 3 ? 200.0f : 0.0f;
		rbl_create_body(s->world, &body);
	}
}

static void workers_and_snapshots_give_the_same_state(test *t)
{
	uint64_t hashes[3] = { 0, 0, 0 };
	for (int i = 0; i < 3; ++i) {
		scene s;
		rbl_world_def def = scene_def(&s, i == 1 ? 4 : 1);
		scene_create(&s, &def);
		rbl_collider *shapes[4];
		add_round_pile(&s, shapes);
		scene_steps(&s, 60);
		if (i == 2) { // saved and loaded on the way
			size_t size = 0;
			CHECK(t, rbl_world_save(s.world, NULL, &size) == RBL_OK);
			void *bytes = malloc(size);
			rbl_sources sources = rbl_default_sources();
			rbl_world *loaded = NULL;
			CHECK(t, rbl_world_save(s.world, bytes, &size) == RBL_OK);
			CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
			free(bytes);
			rbl_destroy_world(s.world);
			s.world = loaded;
		}
		scene_steps(&s, 60);
		hashes[i] = rbl_world_hash(s.world);
		int lines = 0;
		rbl_draw draw = {
			.line = count_line, .user = &lines, .flags = RBL_DRAW_PARTS, .box = rbl_box_empty()
		};
		CHECK(t, rbl_world_draw(s.world, &draw) == RBL_OK);
		CHECK(t, lines > 80 * 12);
		scene_destroy(&s);
		for (int k = 0; k < 4; ++k)
			rbl_destroy_collider(shapes[k]);
	}
	CHECK(t, hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

TEST_MAIN(TEST(a_wheel_keeps_its_speed), TEST(a_cylinder_rolls_down_a_slope),
          TEST(a_spinning_cylinder_drives_off), TEST(mass_is_that_of_theory),
          TEST(cylinders_stand_on_each_other), TEST(a_cone_rolls_about_its_tip),
          TEST(a_rounded_box_slides_and_rests), TEST(round_shapes_in_a_pit_fall_asleep),
          TEST(resistance_stops_a_cylinder), TEST(nothing_round_tunnels),
          TEST(cylinders_touch_fields), TEST(workers_and_snapshots_give_the_same_state))
