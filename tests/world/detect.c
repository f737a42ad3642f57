// SPDX-License-Identifier: MIT
// Detection alone: poses in, contacts out, for use inside another engine. And drawing.

#include "../test.h"
#include "scene.h"

#include <float.h>

static void poses_in_contacts_out(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.detects_only = true;
	scene_create(&s, &def);
	rbl_body_id floor = scene_add_floor(&s);
	rbl_body_id box = scene_add(&s, s.box, 0.0f, 3.0f, 0.0f);
	rbl_body_id hull = scene_add(&s, s.hulls[2], 0.0f, 5.0f, 0.0f);
	scene_steps(&s, 3);
	CHECK(t, rbl_body_pose(s.world, box).position.y == 3.0f); // nothing moves by itself
	CHECK(t, rbl_world_get_contacts(s.world, NULL, 0) == 0);
	rbl_transform pose = { { 0.0f, 0.24f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	CHECK(t, rbl_body_set_pose(s.world, box, pose) == RBL_OK);
	scene_steps(&s, 1);
	rbl_contact contacts[4];
	CHECK(t, rbl_world_get_contacts(s.world, contacts, 4) == 1);
	CHECK(t, contacts[0].manifold.point_count == 4);
	CHECK_NEAR(t, contacts[0].manifold.points[0].separation, -0.01, 1e-5);
	CHECK_NEAR(t, fabsf(contacts[0].manifold.normal.y), 1.0, 1e-6);
	CHECK(t,
	      (contacts[0].body_a.index == floor.index) != (contacts[0].body_b.index == floor.index));
	CHECK(t, rbl_world_get_events(s.world).begin_count == 1);
	// Every small motion is followed: the manifold is that of the pose.
	for (int i = 0; i < 20; ++i) {
		pose.position.y -= 0.0001f;
		rbl_body_set_pose(s.world, box, pose);
		scene_steps(&s, 1);
		CHECK(t, rbl_world_get_contacts(s.world, contacts, 4) == 1);
		CHECK_NEAR(t, contacts[0].manifold.points[0].separation, pose.position.y - 0.25f, 1e-5);
	}
	pose.position.y = 2.0f;
	rbl_body_set_pose(s.world, box, pose);
	scene_steps(&s, 1);
	CHECK(t, rbl_world_get_contacts(s.world, NULL, 0) == 0);
	CHECK(t, rbl_world_get_events(s.world).end_count == 1);
	CHECK(t, rbl_destroy_body(s.world, hull) == RBL_OK);
	scene_destroy(&s);
}

typedef struct counts {
	int lines, points;
} counts;

static void count_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	counts *c = user;
	c->lines += rbl_is_finite(a) && rbl_is_finite(b) && color <= 0xffffff;
}

static void count_point(void *user, rbl_vec3 p, float size, uint32_t color)
{
	counts *c = user;
	c->points += rbl_is_finite(p) && size > 0.0f && color <= 0xffffff;
}

static void everything_can_be_drawn(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *mesh = scene_mesh_floor(8.0f, 4);
	rbl_body_def floor = scene_body(mesh, 0.0f, 0.0f, 0.0f);
	floor.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &floor);
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
	joint.body_a = scene_add(&s, s.box, 0.0f, 0.25f, 0.0f);
	joint.body_b = scene_add(&s, s.capsule, 0.0f, 1.0f, 0.0f);
	rbl_create_joint(s.world, &joint);
	scene_add(&s, s.ball, 2.0f, 0.25f, 0.0f);
	scene_steps(&s, 5);
	counts parts = { 0, 0 }, boxes = { 0, 0 }, contacts = { 0, 0 }, joints = { 0, 0 };
	counts masses = { 0, 0 }, near = { 0, 0 };
	rbl_draw draw = { .line = count_line, .point = count_point, .box = rbl_box_empty() };
	draw.user = &parts, draw.flags = RBL_DRAW_PARTS;
	CHECK(t, rbl_world_draw(s.world, &draw) == RBL_OK);
	// 32 triangles, a box, a capsule of an edge (drawn once per plane beside it) and rings, a ball.
	CHECK(t, parts.lines >= 3 * 32 + 12 + 1 + 6 * 16 + 3 * 16);
	draw.user = &boxes, draw.flags = RBL_DRAW_BOXES;
	rbl_world_draw(s.world, &draw);
	CHECK(t, boxes.lines == 4 * 12);
	draw.user = &contacts, draw.flags = RBL_DRAW_CONTACTS;
	rbl_world_draw(s.world, &draw);
	CHECK(t, contacts.points == rbl_world_get_stats(s.world).point_count && contacts.points > 0);
	draw.user = &joints, draw.flags = RBL_DRAW_JOINTS;
	rbl_world_draw(s.world, &draw);
	CHECK(t, joints.lines == 3);
	draw.user = &masses, draw.flags = RBL_DRAW_MASSES;
	rbl_world_draw(s.world, &draw);
	CHECK(t, masses.points == 4);
	// Thirty-two triangles below a tree of thirty-one nodes; few boxes need no planes: one cell.
	counts trees = { 0, 0 }, cells = { 0, 0 };
	draw.user = &trees, draw.flags = RBL_DRAW_TREES;
	rbl_world_draw(s.world, &draw);
	CHECK(t, trees.lines == 12 * (1 + 2 * 31));
	draw.user = &cells, draw.flags = RBL_DRAW_CELLS;
	rbl_world_draw(s.world, &draw);
	CHECK(t, cells.lines == 12);
	draw.user = &near, draw.flags = RBL_DRAW_ALL & ~(RBL_DRAW_SLEEP | RBL_DRAW_ISLANDS);
	draw.box = (rbl_box){ { 1.6f, -0.1f, -0.3f }, { 2.4f, 1.0f, 0.3f } };
	rbl_world_draw(s.world, &draw);
	CHECK(t, near.lines > 0 && near.lines < parts.lines + trees.lines / 4);
	CHECK(t, rbl_world_draw(NULL, &draw) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_world_draw(s.world, NULL) == RBL_BAD_ARGUMENT);
	draw.line = NULL, draw.point = NULL;
	CHECK(t, rbl_world_draw(s.world, &draw) == RBL_OK);
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_destroy_collider(mesh);
	scene_destroy(&s);
}

typedef struct drawn_cells {
	double volume;
	rbl_vec3 lower, upper;
	int lines;
} drawn_cells;

// Of twelve lines of a box, the first three leave its lower corner.
static void measure_cell(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	drawn_cells *c = user;
	static rbl_vec3 sides;
	rbl_vec3 side = rbl_sub(b, a);
	int line = c->lines++ % 12;
	sides = line == 0 ? side : line < 3 ? rbl_add(sides, side) : sides;
	if (line == 2)
		c->volume += (double)sides.x * (double)sides.y * (double)sides.z;
	c->lower = rbl_min(c->lower, a), c->upper = rbl_max(c->upper, b);
	(void)color;
}

// Cells of the partition fill the space of all boxes, and do not overlap.
static void cells_can_be_drawn(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	for (int i = 0; i < 2000; ++i)
		scene_add(&s, s.box, (float)(i % 20), (float)(i / 20 % 10), (float)(i / 200));
	scene_steps(&s, 3);
	drawn_cells cells = { 0.0, { FLT_MAX, FLT_MAX, FLT_MAX }, { -FLT_MAX, -FLT_MAX, -FLT_MAX }, 0 };
	rbl_draw draw = { .line = measure_cell, .box = rbl_box_empty() };
	draw.user = &cells, draw.flags = RBL_DRAW_CELLS;
	CHECK(t, rbl_world_draw(s.world, &draw) == RBL_OK);
	CHECK(t, cells.lines >= 12 * 4 && cells.lines % 12 == 0);
	rbl_vec3 all = rbl_sub(cells.upper, cells.lower);
	double volume = (double)all.x * (double)all.y * (double)all.z;
	CHECK_NEAR(t, cells.volume / volume, 1.0, 1e-4);
	scene_destroy(&s);
}

TEST_MAIN(TEST(cells_can_be_drawn), TEST(poses_in_contacts_out), TEST(everything_can_be_drawn))
