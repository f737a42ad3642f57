// SPDX-License-Identifier: MIT
// Joints go with the piece that holds their anchor.

#include "../test.h"
#include "breakable.h"

typedef struct door {
	breakable b;
	rbl_mesh *mesh;
	rbl_body_id leaf, post;
	rbl_joint_id joints[2];
	rbl_vec3 anchors[2];
} door;

// A door of 1 x 2 m that hangs on a post by two joints at its left side.
static void make(test *t, door *d, rbl_joint_kind kind, double dust_size)
{
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 1.0, 2.0, 0.06 };
	CHECK(t, rbl_create_box_mesh(&box, &d->mesh) == RBL_OK);
	breakable_make(t, &d->b, d->mesh, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 5);
	d->b.rule.dust_size = dust_size;
	rbl_body_def leaf = breakable_def(&d->b, RBL_BODY_DYNAMIC);
	leaf.pose.position = (rbl_vec3){ 0.0f, 2.0f, 0.0f };
	d->leaf = rbl_create_body(d->b.s.world, &leaf);
	rbl_body_def post = scene_body(d->b.s.box, -1.5f, 2.0f, 0.0f);
	post.kind = RBL_BODY_STATIC;
	d->post = rbl_create_body(d->b.s.world, &post);
	for (int i = 0; i < 2; ++i) {
		rbl_joint_def def = rbl_default_joint_def(kind);
		def.body_a = d->post, def.body_b = d->leaf;
		def.user = (uint64_t)i;
		// What slides would fall, and what is a spring would sag.
		def.has_limits =
			kind == RBL_JOINT_PRISMATIC || kind == RBL_JOINT_DISTANCE || kind == RBL_JOINT_WHEEL;
		if (kind == RBL_JOINT_MOTOR)
			def.spring_hertz = 30.0f;
		d->anchors[i] = (rbl_vec3){ -0.5f, i ? 2.8f : 1.2f, 0.0f };
		// z of the frame, which a hinge turns about, points up
		rbl_transform frame = { d->anchors[i], { -0.70710678f, 0.0f, 0.0f, 0.70710678f } };
		CHECK(t, rbl_joint_def_place(d->b.s.world, &def, frame) == RBL_OK);
		d->joints[i] = rbl_create_joint(d->b.s.world, &def);
	}
}

static void destroy(door *d)
{
	breakable_destroy(&d->b);
	rbl_destroy_mesh(d->mesh);
}

// The door is shot through its middle: both joints hold what is around them, wherever that went.
static void joints_stay_on_what_holds_them(test *t)
{
	for (int kind = 0; kind < RBL_JOINT_KIND_COUNT; ++kind) {
		door d = { .mesh = NULL };
		make(t, &d, (rbl_joint_kind)kind, 0.0);
		rbl_world *world = d.b.s.world;
		scene_steps(&d.b.s, 30);
		CHECK(t, rbl_body_damage(world, d.leaf, (rbl_vec3){ 0.0f, 2.0f, 0.0f },
		                         (rbl_vec3){ 0.0f, 0.0f, 1.0f }, INFINITY, 100.0f) == RBL_OK);
		scene_steps(&d.b.s, 1);
		rbl_events e = rbl_world_get_events(world);
		CHECK(t, e.fracture_count == 1 && e.fractures[0].new_count > 10 && e.joint_count == 0);
		rbl_body_id holders[2];
		for (int i = 0; i < 2; ++i) {
			CHECK(t, rbl_joint_exists(world, d.joints[i]));
			rbl_joint_state state = rbl_joint_get_state(world, d.joints[i]);
			holders[i] = state.body_b;
			rbl_box box = rbl_body_bounds(world, holders[i]);
			rbl_vec3 near = rbl_max(box.lower, rbl_min(box.upper, d.anchors[i]));
			CHECK(t, rbl_distance(near, d.anchors[i]) < 0.01f);
			CHECK(t, state.body_a.index == d.post.index && state.user == (uint64_t)i);
		}
		CHECK(t, holders[0].index != holders[1].index);
		scene_steps(&d.b.s, 120);
		for (int i = 0; i < 2; ++i) { // it hangs there, and all else has fallen
			rbl_box box = rbl_body_bounds(world, holders[i]);
			rbl_vec3 near = rbl_max(box.lower, rbl_min(box.upper, d.anchors[i]));
			CHECK(t, rbl_distance(near, d.anchors[i]) < 0.02f);
		}
		destroy(&d);
	}
}

// A blow at the far side: the rest keeps its id and both hinges.
static void joints_of_the_rest_stay(test *t)
{
	door d = { .mesh = NULL };
	make(t, &d, RBL_JOINT_HINGE, 0.0);
	rbl_world *world = d.b.s.world;
	scene_steps(&d.b.s, 10);
	CHECK(t, rbl_body_damage(world, d.leaf, (rbl_vec3){ 0.5f, 2.0f, 0.0f },
	                         (rbl_vec3){ 0.0f, 0.0f, 1.0f }, 0.3f, 100.0f) == RBL_OK);
	scene_steps(&d.b.s, 60);
	for (int i = 0; i < 2; ++i) {
		rbl_joint_state state = rbl_joint_get_state(world, d.joints[i]);
		CHECK(t, state.body_b.index == d.leaf.index && state.body_a.index == d.post.index);
	}
	CHECK_NEAR(t, rbl_body_pose(world, d.leaf).position.y, 2.0, 0.02);
	destroy(&d);
}

// What held a joint is dust now: the joint breaks, and says so.
static void joints_of_dust_break(test *t)
{
	door d = { .mesh = NULL };
	make(t, &d, RBL_JOINT_BALL, 100.0);
	rbl_world *world = d.b.s.world;
	CHECK(t, rbl_body_damage(world, d.leaf, (rbl_vec3){ 0.0f, 2.0f, 0.0f },
	                         (rbl_vec3){ 0.0f, 0.0f, 1.0f }, INFINITY, 100.0f) == RBL_OK);
	scene_steps(&d.b.s, 1);
	rbl_events e = rbl_world_get_events(world);
	CHECK(t, e.fracture_count == 1 && e.fractures[0].dust_count > 10);
	CHECK(t, e.fractures[0].new_count == 0);
	double volume = (double)rbl_body_get_mass(world, d.leaf).mass / 1000.0; // of the rest
	for (int i = 0; e.fracture_count == 1 && i < e.fractures[0].dust_count; ++i) {
		volume += e.fractures[0].dust[i].volume;
		CHECK_NEAR(t, e.fractures[0].dust[i].position.y, 2.0, 1.0);
	}
	CHECK_NEAR(t, volume, 0.12, 1e-6);
	CHECK(t, e.joint_count >= 1); // the rest may hold one of them
	for (int i = 0; i < e.joint_count; ++i)
		CHECK(t, !rbl_joint_exists(world, d.joints[e.joints[i].user]));
	destroy(&d);
}

TEST_MAIN(TEST(joints_stay_on_what_holds_them), TEST(joints_of_the_rest_stay),
          TEST(joints_of_dust_break))
