// SPDX-License-Identifier: MIT
// Thin walls are left by the side that a body came from, though the other one may be nearer.

#include "base/math.h"
#include "base/vec.h"

#include "shapes.h"

#include <rubble/rubble.h>

// A wall 5 mm thick across y, and a block of which a face is moved into it.
typedef struct scene {
	rbl_mesh *meshes[2];
	rbl_distance_field *fields[2];
	rbl_field_shape *shapes[2];
	rbl_collider *box; // the wall again
	rbl_field_contacts *work;
} scene;

static scene open_scene(test *t)
{
	scene s = { 0 };
	const rbl_vec3d sizes[2] = { { 0.5, 0.005, 0.5 }, { 0.2, 0.1, 0.2 } };
	for (int i = 0; i < 2; ++i) {
		rbl_box_def def = rbl_default_box_def();
		def.size = sizes[i];
		def.subdivisions = 4;
		CHECK(t, rbl_create_box_mesh(&def, &s.meshes[i]) == RBL_OK);
		s.fields[i] = make_field(s.meshes[i], 128, i == 0 ? 0.005 : 0.0);
		rbl_field_shape_def shape_def = rbl_default_field_shape_def();
		shape_def.mesh = s.meshes[i], shape_def.field = s.fields[i];
		CHECK(t, rbl_create_field_shape(&shape_def, &s.shapes[i]) == RBL_OK);
	}
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ 0.25f, 0.0025f, 0.25f };
	CHECK(t, rbl_create_collider(&def, &s.box) == RBL_OK);
	CHECK(t, rbl_create_field_contacts(NULL, &s.work) == RBL_OK);
	return s;
}

static void close_scene(scene *s)
{
	rbl_destroy_field_contacts(s->work);
	rbl_destroy_collider(s->box);
	for (int i = 0; i < 2; ++i) {
		rbl_destroy_field_shape(s->shapes[i]);
		rbl_destroy_distance_field(s->fields[i]);
		rbl_destroy_mesh(s->meshes[i]);
	}
}

// The block with its centre at a height, falling.
static rbl_field_contact_list touch_at(test *t, scene *s, bool is_box, float height, float speed,
                                       rbl_field_contact_memory *memory)
{
	rbl_field_side wall = { .pose = rbl_transform_identity() };
	if (is_box)
		wall.collider = s->box;
	else
		wall.shape = s->shapes[0];
	rbl_field_side block = { .shape = s->shapes[1],
		                     .pose = { { 0.01f, height, 0.02f }, rbl_quat_identity() },
		                     .velocity = { 0.0f, -speed, 0.0f } };
	rbl_field_contact_list list;
	CHECK(t, rbl_field_contacts_find(s->work, &wall, &block, NULL, memory, &list) == RBL_OK);
	CHECK(t, list.point_count >= 3);
	return list;
}

// The block from above, its lower face `depth` below the wall's upper one.
static rbl_field_contact_list touch(test *t, scene *s, bool is_box, float depth, float speed,
                                    rbl_field_contact_memory *memory)
{
	return touch_at(t, s, is_box, 0.0525f - depth, speed, memory);
}

// Points of the block's lower face: how many leave upward from that depth, or, negative, downward.
static int count_up(const rbl_field_contact_list *list, float depth)
{
	int up = 0, down = 0;
	for (int i = 0; i < list->point_count; ++i) {
		const rbl_field_contact *c = &list->points[i];
		bool is_deep = (c->id & RBL_FIELD_POINT_OF_B) && c->separation < 0.0f;
		up += is_deep && c->normal.y > 0.9f && fabsf(c->separation + depth) < 0.0005f;
		down += is_deep && c->normal.y < -0.9f;
	}
	return down > 0 ? -down : up;
}

// Nothing tells where it came from: past the middle the nearer side is the lower one.
static void without_motion_or_memory_the_nearer_side_counts(test *t)
{
	scene s = open_scene(t);
	for (int is_box = 0; is_box < 2; ++is_box) {
		rbl_field_contact_list list = touch(t, &s, is_box, 0.001f, 0.0f, NULL);
		CHECK(t, count_up(&list, 0.001f) > 0);
		list = touch(t, &s, is_box, 0.004f, 0.0f, NULL);
		CHECK(t, count_up(&list, 0.004f) < 0);
	}
	close_scene(&s);
}

static void a_step_past_the_middle_is_taken_back(test *t)
{
	scene s = open_scene(t);
	for (int is_box = 0; is_box < 2; ++is_box) {
		rbl_field_contact_list list = touch(t, &s, is_box, 0.004f, 2.0f, NULL);
		CHECK(t, count_up(&list, 0.004f) > 0);
	}
	close_scene(&s);
}

// It stays with that side when it has come to rest there, and while it is pushed out.
static void memory_keeps_the_side(test *t)
{
	scene s = open_scene(t);
	for (int is_box = 0; is_box < 2; ++is_box) {
		rbl_field_contact_memory memory = { 0 };
		rbl_field_contact_list list = touch(t, &s, is_box, 0.004f, 2.0f, &memory);
		for (int i = 0; i <= 10; ++i) {
			float depth = 0.004f - 0.0003f * (float)i;
			list = touch(t, &s, is_box, depth, 0.0f, &memory);
			CHECK(t, count_up(&list, depth) > 0);
		}
	}
	close_scene(&s);
}

// Slowly pressed through: more than it has moved is not believed.
static void a_side_that_is_too_far_away_is_forgotten(test *t)
{
	scene s = open_scene(t);
	rbl_field_contact_memory memory = { 0 };
	rbl_field_contact_list list = touch(t, &s, false, 0.0005f, 0.0f, &memory);
	list = touch(t, &s, false, 0.004f, 0.0f, &memory);
	CHECK(t, count_up(&list, 0.004f) < 0);
	close_scene(&s);
}

// How many contacts push the block up or, negative, down: the sum over both bodies' points.
static int count_lifting(const rbl_field_contact_list *list)
{
	int up = 0;
	for (int i = 0; i < list->point_count; ++i)
		if (list->points[i].separation < 0.0f)
			up += (list->points[i].normal.y > 0.5f) - (list->points[i].normal.y < -0.5f);
	return up;
}

static int count_deep(const rbl_field_contact_list *list)
{
	int deep = 0;
	for (int i = 0; i < list->point_count; ++i)
		deep += list->points[i].separation < 0.0f;
	return deep;
}

// What falls on a wall and is put below it by hand, still falling, is not pulled through: its upper
// face is in the wall, so it leaves downward. And so does what is made there.
static void a_body_put_across_a_wall_leaves_by_the_side_it_is_on(test *t)
{
	scene s = open_scene(t);
	for (int is_box = 0; is_box < 2; ++is_box)
		for (int has_memory = 0; has_memory < 3; ++has_memory) {
			rbl_field_contact_memory memory = { 0 };
			if (has_memory > 0) // about to touch; past the middle of the wall
				touch(t, &s, is_box, has_memory == 1 ? -0.01f : 0.004f, 2.0f, &memory);
			CHECK(t, (memory.count > 0) == (has_memory > 0));
			rbl_field_contact_list list =
				touch_at(t, &s, is_box, -0.0525f + 0.0005f, 2.0f, &memory);
			CHECK(t, count_deep(&list) > 0);
			CHECK(t, count_lifting(&list) == -count_deep(&list));
		}
	close_scene(&s);
}

// Pressed through by another body, a little at a time: while its upper half is above the wall it is
// pushed back up; then no longer, and when its upper face is past the middle, it is pushed on.
static void a_body_pressed_through_a_wall_is_not_drawn_back(test *t)
{
	scene s = open_scene(t);
	for (int is_box = 0; is_box < 2; ++is_box) {
		rbl_field_contact_memory memory = { 0 };
		int lifting_below = 0;
		for (int i = 0; i < 105; ++i) {
			float height = 0.052f - 0.001f * (float)i;
			rbl_field_contact_list list = touch_at(t, &s, is_box, height, 0.06f, &memory);
			CHECK(t, !(height > 0.005f) || count_lifting(&list) == count_deep(&list));
			CHECK(t, !(height < -0.0505f) || count_lifting(&list) == -count_deep(&list));
			lifting_below += height < 0.0f ? count_lifting(&list) : 0;
		}
		CHECK(t, lifting_below < 0);
	}
	close_scene(&s);
}

// A ring hangs on a thin bar: its centre is below, what touches is above.
static void a_ring_hangs_on_a_wall_that_it_has_half_passed(test *t)
{
	scene s = open_scene(t);
	rbl_torus_def def = rbl_default_torus_def();
	rbl_mesh *mesh = NULL;
	rbl_field_shape *shape = NULL;
	def.radius = 0.3, def.thickness = 0.04;
	CHECK(t, rbl_create_torus_mesh(&def, &mesh) == RBL_OK);
	rbl_distance_field *field = make_field(mesh, 128, 0.0);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.mesh = mesh, shape_def.field = field;
	CHECK(t, rbl_create_field_shape(&shape_def, &shape) == RBL_OK);
	// Upright around the wall, at rest on its upper face.
	rbl_quat upright = rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.5707964f);
	for (int is_box = 0; is_box < 2; ++is_box) {
		rbl_field_contact_memory memory = { 0 };
		for (int i = 0; i < 2; ++i) {
			float depth = i == 0 ? 0.0005f : 0.003f, speed = i == 0 ? 0.0f : 0.2f;
			rbl_field_side wall = { .pose = rbl_transform_identity() };
			rbl_field_side ring = { .shape = shape,
				                    .pose = { { 0.0f, 0.0025f - 0.26f - depth, 0.25f }, upright },
				                    .velocity = { 0.0f, -speed, 0.0f } };
			if (is_box)
				wall.collider = s.box;
			else
				wall.shape = s.shapes[0];
			rbl_field_contact_list list;
			CHECK(t, rbl_field_contacts_find(s.work, &wall, &ring, NULL, &memory, &list) == RBL_OK);
			CHECK(t, count_deep(&list) > 0 && count_lifting(&list) > 0);
			CHECK(t, list.points[0].normal.y > 0.5f && list.points[0].separation < 0.0f);
		}
	}
	rbl_destroy_field_shape(shape);
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
	close_scene(&s);
}

TEST_MAIN(TEST(without_motion_or_memory_the_nearer_side_counts),
          TEST(a_step_past_the_middle_is_taken_back), TEST(memory_keeps_the_side),
          TEST(a_side_that_is_too_far_away_is_forgotten),
          TEST(a_body_put_across_a_wall_leaves_by_the_side_it_is_on),
          TEST(a_body_pressed_through_a_wall_is_not_drawn_back),
          TEST(a_ring_hangs_on_a_wall_that_it_has_half_passed))
