// SPDX-License-Identifier: MIT
//
// Crowds: 4,000 boxes on one slab, which is static or moves and then has far more contacts than
// there are colors; and 1,000 boxes in a block, alone and with 2,000 welds among them. A step of
// the world at its default settings, without sleep, after a second.

#include "solver_crowds.h"

#include <rubble/rubble.h>

static rbl_collider *make_box(float x, float y, float z)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = (rbl_vec3){ x, y, z };
	rbl_collider *box = NULL;
	rbl_create_collider(&def, &box);
	return box;
}

static rbl_body_id add(rbl_world *world, const rbl_collider *box, rbl_vec3 at, bool is_static)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = box;
	def.pose.position = at;
	if (is_static)
		def.kind = RBL_BODY_STATIC;
	return rbl_create_body(world, &def);
}

static void step(void *context)
{
	rbl_world_step(context, 1.0f / 60.0f);
}

static void time_steps(bench *b, const char *name, const char *variant, rbl_world *world)
{
	for (int i = 0; i < (bench_is_quick(b) ? 10 : 60); ++i)
		step(world);
	bench_job job = { .run = step, .context = world, .unit = "ms", .metric = "step" };
	bench_time(b, name, variant, &job);
	rbl_world_stats stats = rbl_world_get_stats(world);
	bench_row(b, name, variant, "touching", stats.touching_count, "");
	bench_row(b, name, variant, "joints", stats.joint_count, "");
}

static void run_slab(bench *b, rbl_world *world, const rbl_collider *boxes[3], bool is_static)
{
	int count = bench_is_quick(b) ? 500 : 4000;
	add(world, boxes[1], (rbl_vec3){ 0.0f, 0.5f, 0.0f }, is_static);
	for (int i = 0; i < count; ++i)
		add(world, boxes[2],
		    (rbl_vec3){ -19.0f + 0.6f * (float)(i % 63), 1.2f, -19.0f + 0.6f * (float)(i / 63) },
		    false);
	time_steps(b, "crowd-slab", is_static ? "stands" : "moves", world);
}

static void run_block(bench *b, rbl_world *world, const rbl_collider *boxes[3], int weld_count)
{
	enum { SIDE = 10, ALL = SIDE * SIDE * SIDE };
	static rbl_body_id bodies[ALL];
	for (int i = 0; i < ALL; ++i)
		bodies[i] =
			add(world, boxes[2],
		        (rbl_vec3){ 0.4f * (float)(i % SIDE), 0.2f + 0.4f * (float)(i / SIDE % SIDE),
		                    0.4f * (float)(i / SIDE / SIDE) },
		        false);
	const int strides[3] = { 1, SIDE, SIDE * SIDE };
	for (int i = 0; i < ALL; ++i)
		for (int axis = 0; axis < 3; ++axis) {
			if (i / strides[axis] % SIDE == SIDE - 1 || weld_count == 0)
				continue;
			rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
			joint.body_a = bodies[i], joint.body_b = bodies[i + strides[axis]];
			rbl_joint_def_place(world, &joint, rbl_body_pose(world, bodies[i]));
			rbl_create_joint(world, &joint);
			weld_count--;
		}
	time_steps(b, "crowd-block", rbl_world_get_stats(world).joint_count > 0 ? "welded" : "loose",
	           world);
}

void bench_solver_crowds(bench *b)
{
	if (!bench_wants(b, "crowd-slab") && !bench_wants(b, "crowd-block"))
		return;
	const rbl_collider *boxes[3] = { make_box(100.0f, 1.0f, 100.0f), make_box(20.0f, 0.5f, 20.0f),
		                             make_box(0.2f, 0.2f, 0.2f) };
	for (int i = 0; i < 4; ++i) {
		if (!bench_wants(b, i < 2 ? "crowd-slab" : "crowd-block"))
			continue;
		rbl_world_def def = rbl_default_world_def();
		def.can_sleep = false;
		rbl_world *world = NULL;
		if (rbl_create_world(&def, &world) != RBL_OK) {
			bench_fail(b, "crowd-slab", "moves", "out of memory");
			break;
		}
		add(world, boxes[0], (rbl_vec3){ 0.0f, -1.0f, 0.0f }, true);
		if (i < 2)
			run_slab(b, world, boxes, i == 0);
		else
			run_block(b, world, boxes, i == 2 ? 0 : 2000);
		rbl_destroy_world(world);
	}
	for (int i = 0; i < 3; ++i)
		rbl_destroy_collider((rbl_collider *)(uintptr_t)boxes[i]);
}
