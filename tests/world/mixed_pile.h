// SPDX-License-Identifier: MIT
// A pile with everything in it, stepped, as one number.
#pragma once

#include "scene.h"

/// Hulls, balls, capsules, a mesh floor, a joint, an explosion and deaths. @return a hash of every
/// state on the way
static inline uint64_t mixed_pile_hash_within(int worker_count, int step_count, int budget)
{
	scene s;
	rbl_world_def def = scene_def(&s, worker_count);
	def.budget = budget;
	scene_create(&s, &def);
	rbl_collider *floor = scene_mesh_floor(20.0f, 10);
	rbl_body_def floor_def = scene_body(floor, 0.0f, 0.0f, 0.0f);
	floor_def.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &floor_def);
	scene_add_pile(&s, 150, 1);
	for (int i = 0; i < 30; ++i)
		scene_add(&s, i & 1 ? s.ball : s.capsule, 0.3f * (float)(i % 7), 5.0f + 0.5f * (float)i,
		          0.4f * (float)(i % 5));
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_BALL);
	joint.body_a = scene_add(&s, s.box, -2.0f, 1.0f, 0.0f);
	joint.body_b = scene_add(&s, s.box, -2.0f, 2.0f, 0.0f);
	rbl_joint_def_place(s.world, &joint, (rbl_transform){ { -2.0f, 1.5f, 0.0f }, { 0, 0, 0, 1 } });
	rbl_create_joint(s.world, &joint);
	uint64_t hash = 0;
	for (int i = 0; i < step_count; ++i) {
		rbl_world_step(s.world, 1.0f / 60.0f);
		hash = hash * 31 + rbl_world_hash(s.world);
		if (i == 40) {
			rbl_body_id bodies[40];
			rbl_world_get_bodies(s.world, bodies, 40);
			for (int k = 10; k < 20; ++k)
				rbl_destroy_body(s.world, bodies[k]);
			rbl_explosion blast = rbl_default_explosion();
			blast.position = (rbl_vec3){ 1.0f, 0.0f, 1.0f };
			blast.impulse_per_area = 500.0f;
			rbl_world_explode(s.world, &blast);
		}
	}
	scene_destroy(&s);
	rbl_destroy_collider(floor);
	return hash;
}

static inline uint64_t mixed_pile_hash(int worker_count, int step_count)
{
	return mixed_pile_hash_within(worker_count, step_count, rbl_default_world_def().budget);
}
