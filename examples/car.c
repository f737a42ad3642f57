// SPDX-License-Identifier: MIT
// A car drives over hills and through a brick wall: a chassis on four cylinders with wheel joints, which
// have a spring for the suspension, a motor, and frames that are turned to steer. The ground is a height
// field, and the wall a prepared mesh with a damage rule. Fails when the car is slower than 80 km/h at
// best, leaves the road, turns over, or does not get through the wall.
//
//     car [OUT.glb [WORKERS]]

#include "show.h"

#include <math.h>

enum { STEPS = 660, COLUMNS = 201, ROWS = 61 };

static const float CELL = 1.0f;                // of the height field
static const float WHEEL = 0.35f, BASE = 1.4f; // radius; axles are so far from the middle
static const float TOP_SPEED = 28.0f;          // metres per second
static const float WALL_X = 150.0f;
static const rbl_vec3 PAINT = { 0.55f, 0.04f, 0.03f }, GLASS = { 0.06f, 0.09f, 0.11f },
					  TYRE = { 0.03f, 0.03f, 0.03f }, RIM = { 0.5f, 0.5f, 0.5f };

typedef struct car {
	rbl_body_id chassis, wheels[4]; // front left, front right, rear left, rear right
	rbl_joint_id joints[4];
} car;

// --- the ground ---------------------------------------------------------------------------------

// The middle of the road: two bends, then straight on to the wall.
static float road_z(float x)
{
	float fade = rbl_clampf((100.0f - x) / 50.0f, 0.0f, 1.0f);
	return 3.5f * fade * fade * (3.0f - 2.0f * fade) * sinf(0.06f * x);
}

static float height_at(float x, float z)
{
	float aside = rbl_clampf(fabsf(z - road_z(x)) / 12.0f, 0.0f, 1.0f);
	float waves = 0.3f * sinf(0.2f * x) + 0.06f * sinf(0.9f * x) * sinf(0.4f * z);
	float flat = rbl_clampf((x - 80.0f) / 30.0f, 0.0f, 1.0f); // before the wall
	return (1.0f - flat) * waves + 3.5f * aside * aside * (1.0f + 0.4f * sinf(0.3f * x + 0.2f * z));
}

// What is seen of it: the triangles of the field, grass and road.
static rbl_mesh *ground_mesh(const float *heights)
{
	const int faces = 2 * (COLUMNS - 1) * (ROWS - 1);
	rbl_vec3d *positions = malloc((size_t)COLUMNS * ROWS * sizeof *positions);
	int *corners = malloc((size_t)faces * 3 * sizeof *corners);
	int *materials = malloc((size_t)faces * sizeof *materials);
	rbl_mesh_material looks[2] = {
		{ .name = "grass", .base_color = { 0.13f, 0.18f, 0.07f, 1.0f }, .roughness = 1.0f },
		{ .name = "road", .base_color = { 0.16f, 0.15f, 0.14f, 1.0f }, .roughness = 1.0f },
	};
	rbl_mesh *mesh = NULL;
	for (int i = 0; positions && i < COLUMNS * ROWS; ++i)
		positions[i] = (rbl_vec3d){ (double)CELL * (i % COLUMNS), (double)heights[i],
			                        (double)CELL * (i / COLUMNS) };
	for (int i = 0; corners && materials && i < faces; ++i) {
		int cell = i / 2, column = cell % (COLUMNS - 1), row = cell / (COLUMNS - 1);
		int a = column + row * COLUMNS, b = a + COLUMNS;
		const int triangles[2][3] = { { a, b, a + 1 }, { a + 1, b, b + 1 } };
		for (int k = 0; k < 3; ++k)
			corners[3 * i + k] = triangles[i % 2][k];
		float z = CELL * ((float)row + 0.5f - 0.5f * (ROWS - 1));
		materials[i] = fabsf(z - road_z(CELL * ((float)column + 0.5f))) < 3.0f;
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = COLUMNS * ROWS,
		                        .positions = positions,
		                        .face_count = faces,
		                        .corner_count = 3 * faces,
		                        .corner_vertices = corners,
		                        .face_materials = materials,
		                        .materials = looks,
		                        .material_count = 2 };
	if (positions && corners && materials)
		rbl_create_mesh(&def, &mesh);
	free(positions);
	free(corners);
	free(materials);
	return mesh;
}

static void add_ground(show *s)
{
	static float heights[COLUMNS * ROWS];
	const float edge = 0.5f * CELL * (ROWS - 1);
	for (int i = 0; i < COLUMNS * ROWS; ++i)
		heights[i] = height_at(CELL * (float)(i % COLUMNS), CELL * (float)(i / COLUMNS) - edge);
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	shape.heights = heights;
	shape.column_count = COLUMNS, shape.row_count = ROWS, shape.cell_size = CELL;
	rbl_body_def def = show_body_def(RBL_BODY_STATIC, show_at(0.0f, 0.0f, -edge), 1.0f);
	def.material.friction = 1.0f;
	rbl_collider *collider = NULL;
	show_check(s, rbl_create_collider(&shape, &collider) == RBL_OK, "no ground");
	def.collider = collider;
	show_add_body(s, &def, ground_mesh(heights), (rbl_vec3){ 0.0f, 0.0f, 0.0f }, true);
	rbl_destroy_collider(collider);
}

// --- the car ------------------------------------------------------------------------------------

// Its origin is in the middle between the wheels; it heads along x.
static void add_chassis(show *s, car *c, rbl_transform pose)
{
	const rbl_vec3 body = { 2.1f, 0.3f, 0.8f }, cabin = { 1.0f, 0.28f, 0.7f };
	rbl_collider_def body_def = rbl_default_collider_def(RBL_COLLIDER_BOX), cabin_def = body_def;
	body_def.half_size = body, cabin_def.half_size = cabin;
	rbl_collider *boxes[2] = { NULL, NULL };
	show_check(s,
	           rbl_create_collider(&body_def, &boxes[0]) == RBL_OK &&
	               rbl_create_collider(&cabin_def, &boxes[1]) == RBL_OK,
	           "no chassis");
	// A cabin is mostly air, and the floor heavy: or the car would turn over at the wall.
	rbl_material_def steel_def = rbl_default_material_def(), glass_def = steel_def;
	steel_def.values.density = 300.0f, glass_def.values.density = 60.0f;
	rbl_material *steel = NULL, *glass = NULL;
	show_check(s,
	           rbl_create_material(&steel_def, &steel) == RBL_OK &&
	               rbl_create_material(&glass_def, &glass) == RBL_OK,
	           "no materials");
	rbl_collider_child children[2] = {
		{ .collider = boxes[0], .pose = show_at(0.0f, 0.3f, 0.0f), .material = steel },
		{ .collider = boxes[1], .pose = show_at(-0.3f, 0.88f, 0.0f), .material = glass },
	};
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	shape.children = children, shape.child_count = 2;
	rbl_body_def def = show_body_def(RBL_BODY_DYNAMIC, pose, 250.0f);
	def.can_sleep = false;
	c->chassis =
		show_add_shape(s, def, &shape, show_box_mesh((rbl_vec3){ 1.9f, 0.1f, 0.7f }), TYRE);
	show_add_part(s, c->chassis, show_box_mesh(body), children[0].pose, PAINT);
	show_add_part(s, c->chassis, show_box_mesh(cabin), children[1].pose, GLASS);
	show_add_part(s, c->chassis, show_box_mesh((rbl_vec3){ 0.9f, 0.04f, 0.72f }),
	              show_at(-0.3f, 1.18f, 0.0f), PAINT);
	for (int i = 0; i < 2; ++i) // headlamps
		show_add_part(s, c->chassis, show_box_mesh((rbl_vec3){ 0.03f, 0.09f, 0.16f }),
		              show_at(2.1f, 0.38f, i ? 0.55f : -0.55f), (rbl_vec3){ 0.9f, 0.85f, 0.6f });
	rbl_destroy_material(steel); // the collider keeps them
	rbl_destroy_material(glass);
	rbl_destroy_collider(boxes[0]);
	rbl_destroy_collider(boxes[1]);
}

static void add_wheel(show *s, car *c, int i, rbl_transform pose)
{
	const float width = 0.13f;
	rbl_vec3 place = { i < 2 ? BASE : -BASE, 0.0f, i % 2 ? 0.85f : -0.85f };
	rbl_collider_def shape = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	shape.a = (rbl_vec3){ 0.0f, 0.0f, -width }, shape.b = (rbl_vec3){ 0.0f, 0.0f, width };
	shape.radius = WHEEL;
	rbl_body_def def = show_body_def(
		RBL_BODY_DYNAMIC, (rbl_transform){ rbl_add(pose.position, place), pose.rotation }, 250.0f);
	def.material.friction = 1.3f;
	def.angular_damping = 0.0f;
	c->wheels[i] = show_add_shape(s, def, &shape,
	                              show_box_mesh((rbl_vec3){ 0.2f, 0.05f, width + 0.01f }), RIM);
	rbl_cylinder_def tyre_def = rbl_default_cylinder_def(); // stands upright on its base
	tyre_def.radius = (double)WHEEL, tyre_def.height = 2.0 * (double)width;
	rbl_mesh *tyre = NULL;
	rbl_create_cylinder_mesh(&tyre_def, &tyre);
	rbl_transform lie = { { 0.0f, 0.0f, -width },
		                  rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.5707963f) };
	show_add_part(s, c->wheels[i], tyre, lie, TYRE);

	// The axle is z of the frame, and the suspension y.
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WHEEL);
	joint.frame_a.position = place;
	joint.has_limits = true;
	joint.lower_distance = -0.12f, joint.upper_distance = 0.15f;
	joint.has_spring = true; // its frequency is that of the wheel below a car that stands still
	joint.spring_hertz = 8.0f, joint.spring_damping = 2.0f;
	c->joints[i] = show_join(s, joint, c->chassis, c->wheels[i]);
}

// Turn the front wheels towards the road some way ahead, and step on it.
static void drive(show *s, const car *c, float speed)
{
	rbl_transform pose = rbl_body_pose(s->world, c->chassis);
	float look = 4.0f + 0.45f * rbl_length(rbl_body_velocity(s->world, c->chassis));
	rbl_vec3 ahead = rbl_transform_point(pose, (rbl_vec3){ look, 0.0f, 0.0f });
	rbl_vec3 target = { ahead.x, ahead.y, road_z(ahead.x) };
	rbl_vec3 local = rbl_transform_point_inverse(pose, target);
	float angle = rbl_clampf(-1.2f * local.z / look, -0.5f, 0.5f);
	for (int i = 0; i < 4; ++i) {
		rbl_joint_set_motor(s->world, c->joints[i], -speed / WHEEL, 900.0f);
		if (i >= 2)
			continue;
		rbl_joint_def def = rbl_joint_get_def(s->world, c->joints[i]);
		def.frame_a.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, angle);
		rbl_joint_set_frames(s->world, c->joints[i], def.frame_a, def.frame_b);
	}
}

int main(int argc, char **argv)
{
	static show s;
	car c = { 0 };
	show_open(&s, "car", argc > 2 ? atoi(argv[2]) : 1);
	add_ground(&s);
	rbl_transform start = show_at(6.0f, height_at(6.0f, road_z(6.0f)) + 0.55f, road_z(6.0f));
	add_chassis(&s, &c, start);
	for (int i = 0; i < 4; ++i)
		add_wheel(&s, &c, i, start);

	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_IMPACT;
	pattern_def.size = (rbl_vec3d){ 3.0, 3.0, 3.0 };
	pattern_def.cell_count = 60;
	rbl_pattern *pattern = NULL;
	show_check(&s, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK, "no pattern");
	rbl_damage_level level = { .energy = 300.0, .pattern = pattern, .radius = 0.6 };
	rbl_material_def brick = rbl_default_material_def();
	brick.damage.levels = &level, brick.damage.level_count = 1;
	brick.damage.min_size = 0.25;
	brick.damage.dust_size = 0.03;
	brick.strengths = (rbl_bond_strengths){ .tension = 3e5, .shear = 6e5, .compression = 3e6 };
	rbl_transform across = { { WALL_X, 0.0f, 0.0f },
		                     rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 1.0f, 0.0f }, 1.5707963f) };
	rbl_body_def wall = show_body_def(RBL_BODY_DYNAMIC, across, 1200.0f);
	rbl_brick_wall_def wall_def = rbl_default_brick_wall_def();
	wall_def.width = 7.0, wall_def.height = 2.8;
	wall_def.brick = (rbl_vec3d){ 0.4, 0.2, 0.15 };
	brick.values = wall.material;
	rbl_material *bricks = NULL;
	show_check(&s, rbl_create_material(&brick, &bricks) == RBL_OK, "no material");
	wall.shared_material = bricks;
	show_add_wall(&s, wall, &wall_def);

	const rbl_vec3 up = { 0.0f, 1.0f, 0.0f };
	float fastest = 0.0f, off_road = 0.0f;
	rbl_world_set_budget(s.world, 0); // for a film: the wall breaks in the step of the hit
	for (int i = 0; i < STEPS; ++i) {
		rbl_transform pose = rbl_body_pose(s.world, c.chassis);
		drive(&s, &c, pose.position.x < WALL_X + 6.0f ? TOP_SPEED : 0.0f);
		show_step(&s);
		pose = rbl_body_pose(s.world, c.chassis);
		fastest = rbl_maxf(fastest, rbl_length(rbl_body_velocity(s.world, c.chassis)));
		if (pose.position.x < WALL_X - 3.0f)
			off_road = rbl_maxf(off_road, fabsf(pose.position.z - road_z(pose.position.x)));
	}
	rbl_transform end = rbl_body_pose(s.world, c.chassis);
	printf(
		"A car reaches %.0f km/h, stays within %.1f m of the middle of the road, and goes %.0f m\n"
		"  through a wall, of which %d fragments come off\n",
		3.6 * (double)fastest, (double)off_road, (double)end.position.x, s.fragment_count);
	show_check(&s, 3.6f * fastest > 80.0f, "the car is slow");
	show_check(&s, off_road < 3.0f, "the car left the road");
	show_check(&s, rbl_rotate(end.rotation, up).y > 0.7f, "the car turned over");
	show_check(&s, end.position.x > WALL_X + 3.0f && s.fragment_count > 20, "the wall held");
	const char *path = argc > 1 ? argv[1] : "car.glb";
	show_picture(&s, path, 8.1f, (rbl_vec3){ 0.85f, 0.2f, 0.45f },
	             (rbl_vec3){ WALL_X - 2.0f, 0.2f, -2.9f }, (rbl_vec3){ WALL_X + 3.5f, 2.9f, 2.9f });
	int result = show_close(&s, path);
	rbl_destroy_material(bricks);
	rbl_destroy_pattern(pattern);
	return result;
}
